//! The details of a node, computed without a window.
//!
//! Every number comes from the record, except the evaluation of a board that the search did not evaluate.

use std::sync::Arc;

use super::below::{Below, below, beside};
use crate::evaluator::{NetworkTerm, Term};
use crate::network::opened::Reading;
use crate::prose;
use crate::prose::decision::estimate;
use crate::search::{
    Bound, Link, Lookahead, NodeId, NodeKind, NodeView, Origin, Replay, Skipped, Start, Tree,
    TreeKind, layers,
};
use crate::words;
use crate::workbench::panels::tree::words as names;

/// Number of parts of a mean or a minimum shown before the line is unfolded.
const PARTS: usize = 2;
/// Number of factors of a reach probability shown; of more, those in the middle are left out.
const FACTORS: usize = 4;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeDetails {
    pub node: NodeView,
    pub value: String,
    /// "2 spawned at r1c4".
    pub arrival: String,
    /// The value compared with its siblings: "+4.1 to the mean after Left".
    pub beside: String,
    pub rows: Vec<DetailRow>,
    pub below: Below,
    /// The readings of the networks among the evaluator's terms.
    pub networks: Vec<NetworkRead>,
    /// What was not searched and why, in numbers; `None` if everything was.
    pub skipped: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DetailRow {
    pub label: &'static str,
    pub text: String,
    /// The full text, if `text` leaves something out.
    pub full: Option<String>,
    /// A second, less prominent line; may be empty.
    pub note: String,
}

/// A network of the evaluator and its reading of a node's board.
#[derive(Clone, Debug)]
pub(super) struct NetworkRead {
    pub term: NetworkTerm,
    pub reading: Reading,
    /// "8,672.5 to come + 1,180 points before the search + 24 on the way = 9,876.5, multiplied by 0.5".
    pub sum: String,
}

impl PartialEq for NetworkRead {
    fn eq(&self, other: &Self) -> bool {
        (&self.term.name, self.term.weight, &self.reading)
            == (&other.term.name, other.term.weight, &other.reading)
    }
}

impl NodeDetails {
    pub(super) fn new(tree: &Arc<Tree>, id: NodeId) -> Self {
        let node = tree.node(id);
        let (arrival, beside) = (arrival(tree, &node), beside(tree, &node));
        let (rows, below, skipped) = (rows(tree, &node), below(tree, &node), skipped(tree, &node));
        let networks = networks(tree, &node);
        Self {
            value: names::value(tree, id),
            node,
            arrival,
            beside,
            rows,
            below,
            networks,
            skipped,
        }
    }
}

fn arrival(tree: &Tree, node: &NodeView) -> String {
    match node.link {
        Some(Link::Slide(mv)) => format!("after {}", names::title(mv)),
        Some(Link::Spawn(spawn)) => format!("{} spawned at {}", spawn.rank, spawn.cell),
        None if tree.subject().start == Start::Spawn => "before the spawn".to_owned(),
        None => "the board to move".to_owned(),
    }
}

fn rows(tree: &Arc<Tree>, node: &NodeView) -> Vec<DetailRow> {
    let row = |label, text| DetailRow {
        label,
        text,
        ..DetailRow::default()
    };
    let plies = tree.subject().plies;
    let left_out = match node.left_out {
        0 => String::new(),
        left_out => format!(
            "{} of them, directly below, not recorded",
            words::count(left_out)
        ),
    };
    let last = words::count(tree.below(tree.root()));
    if tree.search_kind() == TreeKind::Sampled {
        let mut rows = samples(tree, node);
        rows.extend(evaluation(tree, node));
        rows.extend([
            reach(tree, node),
            DetailRow {
                note: left_out,
                ..row("Nodes below", words::count(node.below))
            },
        ]);
        return rows;
    }

    let mut rows = vec![origin(tree, node)];
    rows.extend(evaluation(tree, node));
    rows.extend([
        reach(tree, node),
        row("α, β", window(tree, node)),
        row(
            "Plies left",
            plies_left(node.plies_left, plies, tree.is_turn(tree.depth(node.id))),
        ),
        row(
            "Visited",
            format!(
                "{} (0 is the first, {last} the last)",
                names::number(tree, node.id)
            ),
        ),
        DetailRow {
            note: left_out,
            ..row("Nodes below", words::count(node.below))
        },
    ]);

    rows
}

/// The samples through a node of a sampling search, and why it was tried that often.
fn samples(tree: &Tree, node: &NodeView) -> Vec<DetailRow> {
    let row = |label, text| DetailRow {
        label,
        text,
        ..DetailRow::default()
    };
    let mut rows = vec![origin(tree, node)];
    let Some(sample) = node.sample else {
        return rows;
    };

    let share = node.share.map(|share| {
        format!(
            "{} of the visits to the node above",
            words::probability(share)
        )
    });
    let own = (sample.own.count() != 0)
        .then(|| format!("{} of them started here", words::count(sample.own.count())));
    let note = share.into_iter().chain(own).collect::<Vec<_>>().join("; ");
    rows.push(DetailRow {
        note,
        ..row("Visits", words::count(sample.all.count()))
    });
    let spread = sample
        .all
        .std_dev()
        .map(|sd| format!("standard deviation {}", words::decimals(sd, 1)));
    let note = spread.unwrap_or_else(|| "one sample has no standard error".to_owned());
    let what = if node.standard_error.is_some() {
        ", one standard error"
    } else {
        ""
    };
    let mean = estimate(sample.all.mean(), node.standard_error);
    rows.push(DetailRow {
        note,
        ..row("Mean", format!("{mean}{what}"))
    });
    if let Some(ucb) = tree.ucb(node.id) {
        let [mean, explored, bound] =
            [ucb.mean, ucb.exploration, ucb.bound()].map(|value| words::decimals(value, 1));
        let sign = if ucb.exploration < 0.0 { "−" } else { "+" };
        let explored = explored.trim_start_matches('−').to_owned();
        // A search node represents a sequence of moves over all spawns, a recorded node one board.
        let boards = match ucb.boards {
            1 => String::new(),
            boards => {
                format!(
                    "; shared by {} after the same moves, which the search treats as one",
                    words::plural(boards, "board")
                )
            }
        };
        let note = format!(
            "{} · {} · √(ln {} / {}): the larger it is, the sooner the search tries the node again{boards}",
            words::decimals_short(ucb.factor),
            words::decimals(ucb.deviation, 1),
            words::count(ucb.all),
            words::count(ucb.tried)
        );
        rows.push(DetailRow {
            note,
            ..row("UCB", format!("{mean} {sign} {explored} = {bound}"))
        });
    }

    rows
}

fn origin(tree: &Tree, node: &NodeView) -> DetailRow {
    let row = |text: String| DetailRow {
        label: "Origin",
        text,
        ..DetailRow::default()
    };
    let missing = match node.left_out {
        0 => String::new(),
        left_out => format!("{} not recorded", words::plural(left_out, "node")),
    };

    // The values below as text, the best first if the player moves, else the worst.
    let values = |rises: bool| {
        let valued = tree
            .children(node.id)
            .filter_map(|id| Some((tree.value(id)?, tree.bound(id), tree.link(id)?)));
        let mut valued: Vec<_> = valued.collect();
        valued.sort_by(|a, b| {
            if rises {
                a.0.total_cmp(&b.0)
            } else {
                b.0.total_cmp(&a.0)
            }
        });
        let text = |(value, bound, link)| {
            format!(
                "{} {}",
                names::link_text(link),
                names::bounded(value, bound)
            )
        };
        (
            valued.iter().all(|&(value, ..)| value < 0.0),
            valued.into_iter().map(text).collect::<Vec<String>>(),
        )
    };

    let written = |before: &str, parts: &[String]| {
        let full = format!("{before}{}", parts.join(", "));
        if parts.len() <= PARTS + 1 {
            return DetailRow {
                note: missing.clone(),
                ..row(full)
            };
        }
        let more = parts.len() - PARTS;
        let text = format!("{before}{}, … {more} more", parts[..PARTS].join(", "));
        DetailRow {
            full: Some(full),
            note: missing.clone(),
            ..row(text)
        }
    };

    let is_turn = tree.is_turn(tree.depth(node.id));
    let lower_wanted = node.parent.is_none() && !tree.objective().higher;
    match node.origin {
        Origin::MaxOf | Origin::MinOf if is_turn => {
            let (are_negative, mut parts) = values(lower_wanted);
            let is_zero = node.value == Some(0.0) && are_negative;
            parts.extend(is_zero.then(|| "0 for a dead board".to_owned()));
            // Four slides at most: always in full.
            let what = if lower_wanted { "min" } else { "max" };
            DetailRow {
                note: missing,
                ..row(format!("{what} of {}", parts.join(", ")))
            }
        }
        Origin::MinOf => {
            let (_, parts) = values(true);
            written(
                &format!("min of {}: ", words::plural(parts.len() as u64, "spawn")),
                &parts,
            )
        }
        Origin::MeanOf | Origin::SumOf | Origin::LeastMeanOf => {
            let mut parts: Vec<String> = cells(tree, node.id)
                .into_iter()
                .map(|(_, text)| text)
                .collect();
            let before = match node.origin {
                Origin::MeanOf => "mean of",
                Origin::SumOf => "sum over",
                _ => "least of",
            };
            if node.origin == Origin::LeastMeanOf {
                parts.reverse();
            }
            written(
                &format!("{before} {}: ", words::plural(parts.len() as u64, "cell")),
                &parts,
            )
        }
        Origin::MaxOf | Origin::MeanLeastOf => row(node.origin.text()),
        Origin::Evaluated => DetailRow {
            note: rewards(tree, node),
            ..row("evaluated at the end of the depth".to_owned())
        },
        Origin::Dead if node.evaluation.is_some() => DetailRow {
            note: rewards(tree, node),
            ..row("a dead board, evaluated without search".to_owned())
        },
        Origin::Dead => row("a dead board, worth 0 by rule".to_owned()),
        Origin::TooImprobable { .. } => {
            let text = format!("evaluated without search: {}", node.origin.text());
            DetailRow {
                note: rewards(tree, node),
                ..row(text)
            }
        }
        Origin::Sampled | Origin::MovesTried | Origin::SpawnsDrawn => DetailRow {
            note: missing,
            ..row(node.origin.text())
        },
        Origin::NotExpanded => row(node.origin.text()),
        Origin::OutOfBounds { .. } | Origin::Unimportant { .. } => {
            row(format!("not searched: {}", node.origin.text()))
        }
        Origin::Stored {
            node: stored,
            plies,
        } => {
            let stored = match stored {
                Some(stored) => names::number(tree, stored),
                None => "a node that is not recorded".to_owned(),
            };
            row(format!(
                "cached: the value of {stored}, with the same {} left",
                names::plies(plies)
            ))
        }
    }
}

/// Whether the rewards on the way to an evaluated board count: "1,204 points count: 1,180 before the search, 24 on the
/// way". They do not if the evaluator uses the board alone. Empty if the evaluator is unknown.
fn rewards(tree: &Tree, node: &NodeView) -> String {
    if !tree.knows_evaluator() {
        return String::new();
    }
    let [before, way] = [tree.subject().score, points_on_the_way(tree, node)].map(words::count);
    if tree.subject().definition.evaluator.uses_score() {
        return format!(
            "{} points count: {before} before the search, {way} on the way",
            words::count(node.score)
        );
    }
    format!("the {way} points on the way do not count: the evaluator uses only the board")
}

/// Rewards of the slides from the root to a node.
fn points_on_the_way(tree: &Tree, node: &NodeView) -> u64 {
    node.score.saturating_sub(tree.subject().score)
}

/// Each considered cell of an afterstate in full, "r1c4 0.9 · 812.4 + 0.1 · 790.1", with the mean over its recorded
/// tiles; the best cell first.
fn cells(tree: &Tree, id: NodeId) -> Vec<(f64, String)> {
    let Some(map) = tree.spawn_map(id) else {
        return Vec::new();
    };
    let mut cells: Vec<(f64, String)> = map
        .cells
        .iter()
        .filter_map(|(cell, outcomes)| {
            let considered =
                tree.probability()
                    .into_iter()
                    .zip(outcomes)
                    .filter_map(|(p, outcome)| {
                        let outcome = outcome.filter(|outcome| 0.0 < outcome.probability)?;
                        Some((p, outcome.value?, outcome.bound))
                    });
            let parts: Vec<(f64, f64, Bound)> = considered.collect();
            let weight: f64 = parts.iter().map(|(p, ..)| p).sum();
            let mean = parts.iter().map(|(p, value, _)| p * value).sum::<f64>() / weight;
            let text = |&(p, value, bound): &_| {
                format!("{} · {}", factor(p), names::bounded(value, bound))
            };
            let texts: Vec<String> = parts.iter().map(text).collect();
            (!texts.is_empty()).then(|| (mean, format!("{cell} {}", texts.join(" + "))))
        })
        .collect();

    cells.sort_by(|a, b| b.0.total_cmp(&a.0));
    cells
}

/// A probability with up to four decimals: "0.9".
fn factor(p: f64) -> String {
    let text = format!("{p:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The evaluation of the board, split into its terms; `None` if the evaluator is unknown.
fn evaluation(tree: &Tree, node: &NodeView) -> Option<DetailRow> {
    if !tree.knows_evaluator() {
        return None;
    }
    let evaluator = &tree.subject().definition.evaluator;
    let terms = evaluator.terms(&node.board, node.score);
    let value = node
        .evaluation
        .unwrap_or_else(|| terms.iter().map(Term::amount).sum());
    let text = |term: &Term| match term.weight {
        1.0 => format!("{} {}", term.label, words::value(term.value)),
        weight => format!(
            "{} × {} {}",
            words::decimals_short(weight),
            term.label,
            words::value(term.value)
        ),
    };
    let split = terms.iter().map(text).collect::<Vec<String>>().join(" + ");
    let is_split = 1 < terms.len() || terms.iter().any(|term| term.weight != 1.0);
    let unused = node
        .evaluation
        .is_none()
        .then(|| "the search did not use this value".to_owned());
    let note = is_split
        .then_some(split)
        .into_iter()
        .chain(unused)
        .collect::<Vec<String>>()
        .join("; ");
    Some(DetailRow {
        label: "Static value",
        text: words::decimals(value, 1),
        note,
        ..DetailRow::default()
    })
}

/// The readings of the networks among the evaluator's terms.
fn networks(tree: &Tree, node: &NodeView) -> Vec<NetworkRead> {
    let read = |term: NetworkTerm| {
        let reading = term.network.reading(&node.board.to_grid())?;
        let tuples: f64 = reading
            .terms
            .iter()
            .map(|term| f64::from(term.weight))
            .sum();
        let [before, way] = [tree.subject().score, points_on_the_way(tree, node)].map(words::count);
        let reward = reading
            .slide
            .map_or_else(String::new, |(mv, reward)| format!(" + {reward} of {mv}"));
        let value = words::decimals(tuples + node.score as f64 + f64::from(reading.reward()), 1);
        let tuples = words::decimals(tuples, 1);
        let sum = format!(
            "{tuples} to come + {before} points before the search + {way} on the way{reward} = {value}"
        );
        let sum = match term.weight {
            1.0 => sum,
            weight => format!("{sum}, multiplied by {}", words::decimals_short(weight)),
        };
        Some(NetworkRead { term, reading, sum })
    };
    tree.subject()
        .definition
        .evaluator
        .networks()
        .into_iter()
        .filter_map(read)
        .collect()
}

/// The reach probability as a product.
fn reach(tree: &Tree, node: &NodeView) -> DetailRow {
    let (factors, _) = reach_factors(tree, node.id);
    let result = words::small_probability(node.reach);
    let all = |factors: &[String]| match factors {
        [start] => start.clone(),
        factors => format!("{} = {result}", factors.join(" × ")),
    };
    let row = |text: String| DetailRow {
        label: "Reach",
        text,
        note: by_rules(tree, node),
        ..DetailRow::default()
    };
    if node.reach == 0.0 {
        let note = "the search did not consider this spawn, or a spawn above it".to_owned();
        return DetailRow {
            note,
            ..row("0".to_owned())
        };
    }

    let full = all(&factors);
    match factors.as_slice() {
        [first, second, .., last] if FACTORS < factors.len() => {
            let short = [first.clone(), second.clone(), "…".to_owned(), last.clone()];
            DetailRow {
                full: Some(full),
                ..row(all(&short))
            }
        }
        _ => row(full),
    }
}

/// The reach without cuts of cells, if the search counts a different one.
fn by_rules(tree: &Tree, node: &NodeView) -> String {
    let chance = |two: &[NodeId]| match tree.link(two[1]) {
        Some(Link::Spawn(spawn)) => {
            tree.chance(spawn.rank) / f64::from(tree.node(two[0]).board.empty_count())
        }
        _ => 1.0,
    };
    let by_rules = tree
        .path(node.id)
        .windows(2)
        .map(chance)
        .fold(tree.subject().reach, |reach, one| reach * one);
    if (by_rules - node.reach).abs() <= 1e-9 * node.reach {
        return String::new();
    }
    format!(
        "weighted by the cells that the search considers; {} by the rules",
        words::small_probability(by_rules)
    )
}

/// Each factor as text, starting with the reach of the root, and their product.
fn reach_factors(tree: &Tree, id: NodeId) -> (Vec<String>, f64) {
    let start = tree.subject().reach;
    let (mut factors, mut product) = (
        vec![words::small_probability(start).replace("1.00", "1")],
        start,
    );
    for step in tree.path(id) {
        let (Some(Link::Spawn(spawn)), Some(probability)) =
            (tree.link(step), tree.node(step).probability)
        else {
            continue;
        };
        let tile = tree.chance(spawn.rank);
        product *= probability;
        // The considered cells are equally probable.
        factors.push(match (tile / probability).round() {
            cells if 1.0 < cells && cells.is_finite() => {
                format!("{} / {}", factor(tile), words::decimals(cells, 0))
            }
            1.0 => factor(tile),
            _ => "0".to_owned(),
        });
    }

    (factors, product)
}

/// The alpha-beta window at the entry of the node.
fn window(tree: &Arc<Tree>, node: &NodeView) -> String {
    let lookahead = &tree.subject().definition.lookahead;
    if !lookahead.has_window() {
        return match lookahead {
            Lookahead::OnePly => "not used: a one-ply lookahead cuts nothing".to_owned(),
            _ if lookahead.is_minimax() => {
                "not used: alpha-beta is off, minimax searches every node".to_owned()
            }
            Lookahead::Sampled(_) => "not used: means of samples are not bounds".to_owned(),
            Lookahead::DepthLimited(_) => {
                "not used: expectimax takes the mean of all spawns, so α and β cut nothing"
                    .to_owned()
            }
        };
    }

    let mut replay = Replay::new(tree.clone());
    replay.seek_node(node.id);
    match replay
        .now()
        .open
        .last()
        .and_then(|frame| frame.alpha.zip(frame.beta))
    {
        Some((alpha, beta)) => format!(
            "α {}, β {}",
            words::decimals(alpha, 1),
            words::decimals(beta, 1)
        ),
        None => "unknown here".to_owned(),
    }
}

fn plies_left(left: u32, all: u32, is_turn: bool) -> String {
    let spawns = || words::plural(u64::from(left.div_ceil(2)), "spawn");
    let what = match (left / 2, is_turn) {
        _ if left == 0 => "the end of the depth".to_owned(),
        (_, true) => layers(left),
        (0, false) => spawns(),
        (moves, false) => format!("{} + {}", spawns(), words::plural(u64::from(moves), "move")),
    };
    format!("{left} of {all}: {what}")
}

fn skipped(tree: &Tree, node: &NodeView) -> Option<String> {
    if !tree.is_skipped(node.id) {
        return None;
    }

    let mut text = node.origin.text();
    if let Origin::TooImprobable { reach, .. } = node.origin
        && tree.graft_above(node.id).is_some()
        && 1e-9 * reach < (reach - node.reach).abs()
    {
        text += ", counted from the start of the added search";
    }

    Some(match (node.origin, node.value) {
        (Origin::TooImprobable { .. }, Some(value)) => {
            format!(
                "Cut: {text}. Evaluated without search: {}",
                words::decimals(value, 1)
            )
        }
        (Origin::TooImprobable { .. }, None) => format!("Cut: {text}. It has no value"),
        (Origin::OutOfBounds { .. }, _) => {
            format!("Cut: {text}. Its value cannot change the choice at the root")
        }
        (Origin::Unimportant { .. }, _) => format!("Cut: {text}. No spawn was searched there"),
        (Origin::Stored { .. }, _) => format!("Cached: {text}. Nothing was searched here"),
        _ => format!(
            "{} directly below are not recorded: their reach is at most {}",
            words::plural(node.left_out, "node"),
            words::small_probability(tree.least_reach)
        ),
    })
}

/// The result of searching what was skipped, in sentences.
pub(crate) fn found(skipped: &Skipped, tree: &Tree) -> [String; 2] {
    let nodes = skipped.tree.below(skipped.tree.root()) + 1;
    let worth = prose::worth_now(skipped.value, skipped.before);
    let first = format!(
        "Searched: {worth} ({})",
        prose::nodes_still_cut(nodes, skipped.still_cut)
    );
    let second = match skipped.effect {
        None => "The effect at the root depends on nodes that are not recorded".to_owned(),
        Some(effect) => prose::effect_sentence(&effect, tree.chosen, skipped.still_cut),
    };
    // One cut of many says little about all of them.
    let second = match tree.counts.of(NodeKind::Cut) {
        cuts if cuts < 2 || tree.kind(skipped.node) != NodeKind::Cut => second,
        cuts => format!(
            "{second}. It is one of {} cuts: Search without cuts searches all of them",
            words::count(cuts)
        ),
    };
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::panels::tree::tests::tree;

    const MIXED: &str = "(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), \
        lookahead: Expectimax(plies: Fixed(3), cuts: [Reach(0.02)]))])";
    const MIN: &str =
        "(criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))])";

    #[test]
    fn the_factors_of_a_reach_multiply_to_it() {
        for tree in [tree(MIXED), tree(MIN)] {
            for id in tree.ids() {
                let (factors, product) = reach_factors(&tree, id);
                let reach = tree.node(id).reach;
                assert!(
                    (product - reach).abs() <= 1e-12 * reach.max(1e-300),
                    "{id:?} {factors:?}"
                );
                let spawns = tree
                    .path(id)
                    .into_iter()
                    .filter(|&id| matches!(tree.link(id), Some(Link::Spawn(_))));
                assert_eq!(factors.len(), 1 + spawns.count());
            }
        }
    }

    #[test]
    fn a_reach_over_cut_cells_says_what_it_is_by_the_rules() {
        let noted = |text: &str| {
            let tree = tree(text);
            let notes = tree
                .ids()
                .filter(|&id| tree.node(id).reach != 0.0)
                .map(|id| reach(&tree, &tree.node(id)).note);
            notes.filter(|note| note.contains(" by the rules")).count()
        };
        let cut = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3), cuts: [ImportantCells(k: 2)]))])";
        assert!(0 < noted(cut) && noted(MIXED) == 0 && noted(MIN) == 0);
        let tree = tree(cut);
        let spawn = tree
            .ids()
            .find(|&id| tree.depth(id) == 2 && tree.node(id).reach != 0.0)
            .expect("a spawn");
        let above = tree.node(tree.parent(spawn).expect("a slide"));
        let Some(Link::Spawn(at)) = tree.link(spawn) else {
            panic!("spawns follow slides")
        };
        let by_rules = tree.chance(at.rank) / f64::from(above.board.empty_count());
        let note = reach(&tree, &tree.node(spawn)).note;
        assert!(
            note.ends_with(&format!(
                "; {} by the rules",
                words::small_probability(by_rules)
            )),
            "{note}"
        );
    }

    /// A small network with integer weights, and a search that uses it.
    fn of_a_network(folder: &tempfile::TempDir) -> Arc<Tree> {
        use crate::network::{Encoding, Network, NetworkInfo, Shape};
        let shape: Shape = "0145 4".parse().expect("a shape");
        let weights = (0..shape.weights())
            .map(|place| (place % 97) as f32)
            .collect();
        let path = folder.path().join("few.net");
        let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
        network.write(&path, Encoding::Whole).expect("writable");
        let path = path.to_str().expect("a path");
        tree(&format!(
            "(criteria: [(evaluator: Network({path:?}), lookahead: Expectimax(plies: Fixed(3)))])"
        ))
    }

    #[test]
    fn rewards_on_the_way_to_a_leaf_count_for_a_network_and_not_for_a_hand_made_evaluator() {
        let folder = tempfile::tempdir().expect("a folder");
        let [network, mixed, snake] = [of_a_network(&folder), tree(MIXED), tree(MIN)];
        let mut rewarded = [0; 3];
        for (place, tree) in [&network, &mixed, &snake].into_iter().enumerate() {
            for node in tree
                .nodes()
                .filter(|node| matches!(node.origin, Origin::Evaluated))
            {
                // The rewards along the path, computed from the boards.
                let way: u64 = tree
                    .path(node.id)
                    .windows(2)
                    .filter_map(|pair| match tree.link(pair[1])? {
                        Link::Slide(mv) => tree
                            .node(pair[0])
                            .board
                            .slide(mv)
                            .map(|slide| u64::from(slide.reward)),
                        Link::Spawn(_) => None,
                    })
                    .sum();

                rewarded[place] += usize::from(way != 0);
                let [before, all] =
                    [tree.subject().score, tree.subject().score + way].map(words::count);
                let way_text = words::count(way);
                let expected = match place {
                    2 => format!(
                        "the {way_text} points on the way do not count: the evaluator uses only the board"
                    ),
                    _ => format!(
                        "{all} points count: {before} before the search, {way_text} on the way"
                    ),
                };
                assert_eq!(origin(tree, &node).note, expected);
                let Some(read) = networks(tree, &node).pop() else {
                    continue;
                };
                let value = node.evaluation.expect("evaluated");
                let to_come =
                    value - (tree.subject().score + way) as f64 - f64::from(read.reading.reward());
                let begin = format!(
                    "{} to come + {before} points before the search + {way_text} on",
                    words::decimals(to_come, 1)
                );
                assert!(read.sum.starts_with(&begin), "{} {begin}", read.sum);
                assert!(
                    read.sum
                        .ends_with(&format!(" = {}", words::decimals(value, 1))),
                    "{}",
                    read.sum
                );

                // The recorded value equals the evaluation.
                assert_eq!(node.value, node.evaluation);
            }
        }

        assert!(
            rewarded.iter().all(|&rewarded| 0 < rewarded),
            "{rewarded:?}"
        );
    }

    #[test]
    fn the_written_mean_is_the_value() {
        let tree = tree(MIXED);
        let mut means = 0;
        for id in tree.ids().filter(|&id| tree.kind(id) == NodeKind::Chance) {
            let cells = cells(&tree, id);
            let mean = cells.iter().map(|(mean, _)| mean).sum::<f64>() / cells.len() as f64;
            assert!((mean - tree.value(id).expect("a value")).abs() < 1e-6);
            means += 1;
        }
        assert!(0 < means);
    }

    #[test]
    fn every_node_has_every_row_and_losses_start_at_zero() {
        for tree in [tree(MIXED), tree(MIN)] {
            for id in tree.ids() {
                let details = NodeDetails::new(&tree, id);
                assert!(
                    details.rows.iter().all(|row| !row.text.is_empty()),
                    "{details:?}"
                );
                assert_eq!(details.skipped.is_some(), tree.is_skipped(id));
                assert_eq!(details.below.rows.len(), tree.children(id).count());
                if details.below.slides
                    && details
                        .below
                        .rows
                        .iter()
                        .any(|row| row.node.value.is_some())
                {
                    let least = details
                        .below
                        .rows
                        .iter()
                        .filter_map(|row| Some(row.beside?.0))
                        .fold(f64::INFINITY, f64::min);
                    assert_eq!(least, 0.0);
                }
            }
        }
    }

    #[test]
    fn what_is_said_beside_other_nodes_holds_for_the_values_of_a_search_without_cuts() {
        let lower = MIN.replace(")])", ", prefer: Lower)])");
        let mut bounds = 0;
        for text in [MIN, &lower] {
            let cut = tree(text);
            let whole = tree(&text.replace(", cuts: [AlphaBeta]", ""));
            let true_value = |id: NodeId| {
                whole
                    .value(whole.follow(&cut.links_to(id)).expect("searched"))
                    .expect("a value")
            };
            for id in cut.ids() {
                let below = NodeDetails::new(&cut, id).below;
                let values = || whole.children(whole.follow(&cut.links_to(id)).expect("searched"));
                let values = || values().filter_map(|child| whole.value(child));
                let wants_most = below.slides && (id != cut.root() || cut.objective().higher);
                let reference = values().fold(None, |best: Option<f64>, value| {
                    Some(best.map_or(value, |best| {
                        if wants_most {
                            best.max(value)
                        } else {
                            best.min(value)
                        }
                    }))
                });
                for row in below.rows {
                    let (Some((beside, beside_bound)), Some(reference)) = (row.beside, reference)
                    else {
                        continue;
                    };
                    let value = true_value(row.node.id);
                    let expected = if wants_most {
                        reference - value
                    } else {
                        value - reference
                    };
                    let holds = match beside_bound {
                        Bound::Exact => (beside - expected).abs() < 1e-6,
                        Bound::Upper => expected <= beside + 1e-6,
                        Bound::Lower => beside - 1e-6 <= expected,
                    };
                    assert!(holds, "{text} {id:?} {row:?}: {expected}");
                    bounds += u32::from(beside_bound != Bound::Exact);
                }
            }
        }

        assert!(10 < bounds, "{bounds}");
    }

    #[test]
    fn spawns_beside_their_mean_cancel_out() {
        let tree = tree(MIXED);
        for id in tree.ids().filter(|&id| tree.kind(id) == NodeKind::Chance) {
            let sum: f64 = below(&tree, &tree.node(id))
                .rows
                .iter()
                .filter_map(|row| Some(row.node.probability? * row.beside?.0))
                .sum();
            assert!(sum.abs() < 1e-6, "{sum}");
        }
    }

    #[test]
    fn alpha_and_beta_are_those_of_the_cut() {
        let tree = tree(MIN);
        let mut cuts = 0;
        for node in tree.nodes() {
            if let Origin::OutOfBounds { alpha, beta } = node.origin {
                let text = window(&tree, &node);
                assert_eq!(
                    text,
                    format!(
                        "α {}, β {}",
                        words::decimals(alpha, 1),
                        words::decimals(beta, 1)
                    )
                );
                cuts += 1;
            }
        }
        assert!(0 < cuts);
        assert!(
            window(&self::tree(MIXED), &self::tree(MIXED).node(NodeId(0))).starts_with("not used")
        );
    }

    #[test]
    fn plies_are_counted_in_moves_and_spawns() {
        for (left, is_turn, text) in [
            (5, true, "5 of 7: 3 moves + 2 spawns"),
            (4, false, "4 of 7: 2 spawns + 2 moves"),
            (1, false, "1 of 7: 1 spawn"),
            (1, true, "1 of 7: 1 move"),
            (0, true, "0 of 7: the end of the depth"),
        ] {
            assert_eq!(plies_left(left, 7, is_turn), text);
        }
    }
}
