//! Explanations from a record (the chosen line, the spawns of an afterstate, why a move is better) agree with the
//! record.

use std::collections::HashSet;
use std::sync::Arc;

use afterstate::evaluator::{Evaluator, Term};
use afterstate::game::{Board, Move, Rank, Rules, Seed, Size, Spawn};
use afterstate::preset::{Item as _, Preset};
use afterstate::prose;
use afterstate::search::{
    BarKind, Bound, Link, NoTerms, NodeId, NodeKind, NodeView, Origin, Pairing, SearchOptions,
    SpawnRule, Tree, Why,
};
use afterstate::strategy::{Criterion, Decision, GameTrace, LastResort, Player, Prefer, Strategy};
use afterstate::task::CancelToken;
use strum::IntoEnumIterator as _;

pub(crate) const MANY: usize = 1 << 20;

const LOOKAHEADS: &[&str] = &[
    "Expectimax(plies: Fixed(1))",
    "Expectimax(plies: Fixed(2))",
    "Expectimax(plies: Fixed(3))",
    "Expectimax(plies: Fixed(4))",
    "Expectimax(plies: Fixed(4), dead: Zero)",
    "Expectimax(plies: Fixed(5))",
    "Expectimax(plies: Fixed(3), spawn: Sum)",
    "Expectimax(plies: Fixed(4), spawn: Sum, dead: Zero)",
    "Expectimax(plies: Fixed(4), spawn: MinCell)",
    "Expectimax(plies: Fixed(4), spawn: MeanOfMin)",
    "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.0033)])",
    "Expectimax(plies: Fixed(5), cuts: [Reach(0.01), ImportantCells(k: 3)])",
    "Expectimax(plies: Fixed(4), spawn: MinCell, cuts: [ImportantCells(k: 4)])",
    "Minimax(plies: Fixed(1))",
    "Minimax(plies: Fixed(3))",
    "Minimax(plies: Fixed(4), dead: Zero)",
    "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
    "Minimax(plies: Fixed(5), cuts: [AlphaBeta, ImportantCells(k: 3)])",
    "Minimax(plies: Fixed(5), dead: Lost, cuts: [AlphaBeta, WorstSpawns])",
    "Minimax(plies: Fixed(4), cuts: [AlphaBeta, Reach(0.01)])",
    "Expectimax(nodes: 3000)",
];

const EVALUATORS: &[&str] = &[
    "Monotonicity",
    "Sum([(1.0, Score), (50.0, Empty), (-0.7, Sum([(2.0, Snake), (1.0, CornerBonus)]))])",
    "Lines()",
    "Sum([(1.0, Score), (1.0, Corner)])",
];

pub(crate) fn strategy(evaluator: &str, lookahead: &str) -> Strategy {
    let criterion = Criterion {
        lookahead: lookahead.parse().expect(lookahead),
        ..Criterion::one_ply(evaluator.parse().expect(evaluator))
    };
    Strategy {
        criteria: vec![criterion],
        last_resort: LastResort::First,
        ..Strategy::default()
    }
}

/// Positions of a real game, including its last ones.
pub(crate) fn positions(every: usize) -> Vec<(Board, u64)> {
    let emr: Strategy = "emr".parse().expect("letters");
    let moments = GameTrace::record(
        &Player::new(&emr, Rules::default()),
        Seed(91),
        0,
        &emr,
        SearchOptions::default(),
    )
    .replay();
    let chosen = moments
        .iter()
        .step_by(every)
        .chain(moments.iter().rev().take(4));
    chosen
        .map(|moment| (moment.board, moment.score))
        .chain(crowded())
        .collect()
}

/// Boards on which a slide to the left and one down leave the same cell empty.
fn crowded() -> impl Iterator<Item = (Board, u64)> {
    let boards = [
        "2,2,4,8/16,32,64,128/4,8,16,2/32,64,128,2",
        "4,4,2,16/2,8,16,32/8,32,8,4/16,64,32,4",
    ];
    boards
        .into_iter()
        .map(|text| (text.parse().expect(text), 5000))
}

pub(crate) fn recorded(
    strategy: &Strategy,
    rules: Rules,
    (board, score): (Board, u64),
    cap: usize,
) -> Option<Arc<Tree>> {
    let order = SearchOptions::default();
    let decision = Decision::of(
        &Player::new(strategy, rules),
        (&board, score),
        |_| 0,
        order,
        cap,
    );
    decision.searches[0]
        .as_ref()
        .and_then(|searched| searched.tree.clone())
}

/// Records of every kind of search, each with its description.
pub(crate) fn records(cap: usize, judge: impl FnMut(&Tree, &str)) {
    some_records(cap, 1, judge);
}

/// Every `every`th of these records. Each kind of search gets other positions.
pub(crate) fn some_records(cap: usize, every: usize, mut judge: impl FnMut(&Tree, &str)) {
    let positions = positions(23);
    let crowded: Vec<(Board, u64)> = crowded().collect();
    for (number, evaluator) in EVALUATORS.iter().enumerate() {
        for (other, lookahead) in LOOKAHEADS.iter().enumerate() {
            let rules = Rules {
                p4: [0.1, 0.2, 0.0, 1.0][(number + other) % 4],
                ..Rules::default()
            };
            let mut strategy = strategy(evaluator, lookahead);
            if (number + other) % 5 == 4 {
                strategy.criteria[0].prefer = Prefer::Lower;
            }
            let all = positions
                .iter()
                .skip((number + 3 * other) % 5)
                .step_by(5)
                .chain(&crowded);
            for &position in all.skip((number + 2 * other) % every).step_by(every) {
                let what = format!(
                    "{evaluator} {lookahead} on {} with {}",
                    position.0, rules.p4
                );
                if let Some(tree) = recorded(&strategy, rules, position, cap) {
                    judge(&tree, &what);
                }
            }
        }
    }
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-9 * scale.max(a.abs()).max(b.abs()).max(1.0)
}

fn views(tree: &Tree, id: NodeId) -> Vec<NodeView> {
    tree.children(id).map(|child| tree.node(child)).collect()
}

pub(crate) fn pairs(tree: &Tree) -> Vec<(Move, Move)> {
    let moves = || {
        views(tree, tree.root())
            .into_iter()
            .filter_map(|view| match view.link {
                Some(Link::Slide(mv)) if view.value.is_some() => Some(mv),
                _ => None,
            })
    };
    moves()
        .flat_map(|one| moves().map(move |other| (one, other)))
        .filter(|(one, other)| one != other)
        .collect()
}

fn root_child(tree: &Tree, mv: Move) -> NodeView {
    views(tree, tree.root())
        .into_iter()
        .find(|view| view.link == Some(Link::Slide(mv)))
        .expect("a root move")
}

/// Checks that hold for every difference.
pub(crate) fn judge_why(tree: &Tree, why: &Why, what: &str) {
    let what = format!("{what}: {} against {}", why.better.name(), why.other.name());
    let nodes = [why.better, why.other].map(|mv| root_child(tree, mv));
    assert_eq!(nodes.map(|node| node.value), why.values.map(Some), "{what}");
    assert_eq!(nodes.map(|node| node.bound), why.bounds, "{what}");
    let scale = why.values[0].abs().max(why.values[1].abs());
    let sum: f64 = why.bars.iter().map(|bar| bar.amount).sum();
    assert!(
        close(sum, why.values[0] - why.values[1], scale),
        "{what}: {sum} {:?}",
        why.values
    );

    for bar in &why.bars {
        let amount = bar.probability * (bar.value - bar.against);
        let scale = scale.max(bar.probability * bar.value.abs().max(bar.against.abs()));
        assert!(close(bar.amount, amount, scale), "{what}: {bar:?}");
    }

    let sign = if why.objective.higher { 1.0 } else { -1.0 };
    let recorded = why
        .bars
        .iter()
        .filter(|bar| bar.what != BarKind::NotRecorded)
        .map(|bar| sign * bar.amount);
    assert!(
        recorded
            .clone()
            .zip(recorded.skip(1))
            .all(|(one, next)| next <= one),
        "{what}: largest first"
    );
    let cells = nodes.map(|node| node.board.empty_cells());
    match why.pairing {
        Pairing::Spawns | Pairing::Mean => {
            assert_eq!(
                why.pairing == Pairing::Spawns,
                cells[0] == cells[1],
                "{what}"
            );
            let comparison = why.comparison.expect("compared");
            let mut seen = HashSet::new();
            for bar in &why.bars {
                assert_eq!(bar.what == BarKind::NotRecorded, bar.spawns.is_empty());
                for (&spawn, &node) in bar.spawns.iter().zip(&bar.nodes) {
                    assert!(seen.insert(spawn), "{what}: twice");
                    let view = tree.node(node);
                    assert_eq!(
                        (view.link, view.parent),
                        (Some(Link::Spawn(spawn)), Some(nodes[0].id)),
                        "{what}"
                    );
                    if bar.what == BarKind::Spawn {
                        assert_eq!(view.value, Some(bar.value), "{what}");
                    } else {
                        assert_eq!(spawn.rank, Rank::FOUR);
                    }
                }
            }
            assert_eq!(comparison.spawns as usize, seen.len(), "{what}");
            assert!(comparison.better + comparison.worse <= comparison.spawns);
            assert_eq!(comparison.worst.is_some(), 0 < comparison.worse);
            let possible = views(tree, nodes[0].id)
                .into_iter()
                .filter(|view| view.probability != Some(0.0));
            if tree.left_out() == 0 {
                assert_eq!(seen.len(), possible.count(), "{what}");
                assert!(comparison.is_complete, "{what}");
                assert!(
                    why.bars.iter().all(|bar| bar.what != BarKind::NotRecorded),
                    "{what}"
                );
            }
        }
        Pairing::Worst => {
            assert_eq!(
                (why.bars.len(), why.bars[0].amount),
                (1, why.values[0] - why.values[1]),
                "{what}"
            );
            if tree.left_out() == 0 {
                for (spawns, node) in why.deciding.iter().zip(&nodes) {
                    let values: Vec<(f64, f64)> = views(tree, node.id)
                        .into_iter()
                        .filter_map(|view| match view.link {
                            Some(Link::Spawn(spawn)) if spawns.contains(&spawn) => {
                                Some((view.probability?, view.value?))
                            }
                            _ => None,
                        })
                        .collect();
                    let whole: f64 = values.iter().map(|(probability, _)| probability).sum();
                    let value = match values.as_slice() {
                        [(_, value)] => *value,
                        values => values
                            .iter()
                            .map(|(probability, value)| probability / whole * value)
                            .sum(),
                    };
                    assert!(
                        close(value, node.value.expect("a value"), scale),
                        "{what}: {value}"
                    );
                }
            }
        }
        Pairing::Terms => assert_eq!(
            nodes.each_ref().map(|node| node.kind),
            [NodeKind::Leaf; 2],
            "{what}"
        ),
        Pairing::Whole => assert_ne!(tree.left_out(), 0, "{what}"),
    }

    match &why.terms {
        Ok(terms) => {
            for (index, value) in why.values.into_iter().enumerate() {
                let amounts = || terms.rows.iter().map(|row| row.means[index]);
                let scale = amounts().fold(scale, |most, amount| most.max(amount.abs()));
                let sum: f64 = amounts().sum();
                assert!(close(sum, value, scale), "{what}: {sum} {value} {terms:?}");
                assert!((-1e-12..).contains(&terms.zero[index]), "{what}");
            }
        }
        Err(NoTerms::Bound) => assert!(why.is_bound(), "{what}"),
        Err(NoTerms::LeftOut) => assert_ne!(tree.left_out(), 0, "{what}"),
        Err(NoTerms::NotInRecord) => assert_ne!(tree.left_out() + tree.elsewhere, 0, "{what}"),
        Err(NoTerms::Lost) => assert!(what.contains("Lost"), "{what}"),
        Err(
            NoTerms::NotAsked | NoTerms::Stopped | NoTerms::Sampled | NoTerms::UnknownEvaluator,
        ) => panic!("{what}"),
    }

    assert!(
        prose::why::caption(why).starts_with(&format!("{} minus {}, ", why.better, why.other)),
        "{what}"
    );
    assert!(
        prose::why::heading(why).starts_with(&format!("{} minus {}", why.better, why.other)),
        "{what}"
    );
    for sentence in prose::why::sentences(why)
        .into_iter()
        .chain([prose::why::caption(why)])
    {
        let is_clean = !["NaN", "inf", "  ", "..", "–", "∞"]
            .iter()
            .any(|wrong| sentence.contains(wrong));
        assert!(is_clean && sentence.ends_with('.'), "{what}: {sentence}");
    }
}

#[test]
fn terms_are_those_of_the_whole_search_also_above_the_cap() {
    let stop = CancelToken::new();
    let mut beyond = 0;
    for lookahead in [
        "Expectimax(plies: Fixed(3))",
        "Expectimax(plies: Fixed(4), dead: Zero)",
        "Minimax(plies: Fixed(3))",
    ] {
        let strategy = strategy(
            "Sum([(1.0, Snake), (40.0, Empty), (-3.0, Monotonicity), (2.0, Score)])",
            lookahead,
        );
        for position in positions(150).into_iter().take(4) {
            let [Some(whole), Some(capped)] =
                [MANY, 60].map(|cap| recorded(&strategy, Rules::default(), position, cap))
            else {
                continue;
            };
            for (better, other) in pairs(&capped).into_iter().take(2) {
                let of_record = capped
                    .why_of_record(better, other, &stop)
                    .expect("both are recorded")
                    .terms;
                beyond += u32::from(matches!(
                    of_record,
                    Err(NoTerms::LeftOut | NoTerms::NotInRecord)
                ));
                let terms = |tree: &Tree| {
                    tree.why_in_full(better, other, &stop)
                        .expect("both are recorded")
                        .terms
                };
                let (one, all) = (terms(&capped).expect("told"), terms(&whole).expect("told"));
                let scale = all
                    .rows
                    .iter()
                    .flat_map(|row| row.means)
                    .fold(0.0, |most: f64, mean| most.max(mean.abs()));
                assert_eq!((one.rows.len(), one.leaves), (all.rows.len(), all.leaves));
                for (a, b) in one.rows.iter().zip(&all.rows) {
                    assert_eq!((&a.label, a.weight), (&b.label, b.weight));
                    assert!(
                        (0..2).all(|side| close(a.means[side], b.means[side], scale)),
                        "{lookahead}: {a:?} {b:?}"
                    );
                }
                assert!(
                    (0..2).all(|side| close(one.zero[side], all.zero[side], 1.0)),
                    "{lookahead}"
                );
            }
        }
    }

    assert!(0 < beyond, "{beyond}");
}

#[test]
fn the_parts_of_a_difference_add_up_to_it() {
    let mut pairings = HashSet::new();
    let mut explained = 0;
    // All pairs of a record take long: one or two records of each kind are enough.
    for (cap, every) in [(MANY, 5), (700, 3), (40, 3)] {
        some_records(cap, every, |tree, what| {
            let mut whys = Vec::new();
            // Terms that a record leaves out need a new search, which takes time.
            let all = pairs(tree);
            let first = all.first().copied();
            let is_asked = |&(better, other): &(Move, Move)| {
                cap == MANY || first == Some((better, other)) || first == Some((other, better))
            };

            for (better, other) in all.into_iter().filter(is_asked) {
                let why = tree
                    .why_in_full(better, other, &CancelToken::new())
                    .expect("two moves with values");
                judge_why(tree, &why, &format!("{what}, at most {cap}"));
                let quick = tree.why(better, other).expect("the same");
                assert_eq!((&quick.bars, quick.values), (&why.bars, why.values));
                pairings.insert(why.pairing);
                explained += u32::from(why.terms.is_ok());
                whys.push(why);
            }

            // In the opposite direction every number changes its sign, bar for bar if spawns are paired.
            for why in &whys {
                let back = whys
                    .iter()
                    .find(|back| (back.better, back.other) == (why.other, why.better))
                    .expect("it");
                assert_eq!(back.difference(), -why.difference());
                if why.pairing == Pairing::Spawns {
                    let [one, two] = [why, back].map(|why| why.comparison.expect("compared"));
                    assert_eq!((one.better, one.worse), (two.worse, two.better));
                }
                if let (Ok(one), Ok(two)) = (&why.terms, &back.terms) {
                    assert!(
                        one.rows
                            .iter()
                            .zip(&two.rows)
                            .all(|(a, b)| a.means[0] == b.means[1] && a.label == b.label)
                    );
                }
            }
        });
    }

    assert_eq!(pairings.len(), 5, "{pairings:?}");
    assert!(300 < explained, "{explained}");
}

#[test]
fn a_move_against_one_that_was_not_searched_is_not_told() {
    let board: Board = "2,4,8,16/4,8,16,32/2,4,8,64/2,4,2,128"
        .parse()
        .expect("a board");
    let tree = recorded(
        &strategy("Empty", "Expectimax(plies: Fixed(3))"),
        Rules::default(),
        (board, 0),
        MANY,
    );
    let tree = tree.expect("a tree");
    for mv in Move::ALL {
        for other in Move::ALL {
            let both = board.legal_moves().contains(mv) && board.legal_moves().contains(other);
            assert_eq!(tree.why(mv, other).is_some(), both);
        }
    }
}

/// The derivative of an expectimax value by the weight of a term is the expected size of that term, because a little
/// more weight does not change the best slides.
#[test]
fn expected_terms_are_the_slopes_of_the_value() {
    let sum = |weights: [f64; 3]| {
        let [score, corner, empty] = weights;
        format!("Sum([({score}, Score), ({corner}, Corner), ({empty}, Product(Empty, Snake))])")
    };

    const STEP: f64 = 1.0 / 1_048_576.0;
    let mut compared = 0;
    for lookahead in [
        "Expectimax(plies: Fixed(3))",
        "Expectimax(plies: Fixed(4))",
        "Minimax(plies: Fixed(3))",
    ] {
        for position in positions(40) {
            let weights = [1.0, 1.734_19, 0.618_03];
            let tree = |weights| {
                recorded(
                    &strategy(&sum(weights), lookahead),
                    Rules::default(),
                    position,
                    MANY,
                )
            };
            let Some(plain) = tree(weights) else { continue };
            let Some((better, other)) = plain.second_best() else {
                continue;
            };
            let why = plain
                .why_in_full(better, other, &CancelToken::new())
                .expect("two moves");
            let terms = why.terms.expect("complete");
            for term in 0..3 {
                let mut steeper = weights;
                steeper[term] += STEP;
                let steep = tree(steeper).expect("a tree");
                for (index, mv) in [better, other].into_iter().enumerate() {
                    let rise = root_child(&steep, mv).value.expect("searched") - why.values[index];
                    let expected = terms.rows[term].means[index] / weights[term];
                    let slack = 1e-9 * why.values[index].abs() / STEP + 1e-6 * expected.abs();
                    assert!(
                        (rise / STEP - expected).abs() <= slack,
                        "{lookahead} {rise} {expected}"
                    );
                    compared += 1;
                }
            }
        }
    }

    assert!(100 < compared, "{compared}");
}

#[test]
fn the_chosen_line_is_best_play_and_the_spawn_of_the_rule() {
    let mut lines = 0;
    for cap in [MANY, 300] {
        records(cap, |tree, what| {
            for rule in SpawnRule::iter() {
                let line = tree.line(rule, &[]);
                assert_eq!(line[0], tree.root());
                for two in line.windows(2) {
                    judge_step(tree, two[0], two[1], rule, what);
                }
                let last = *line.last().expect("the root at least");
                let goes_on =
                    |view: &NodeView| view.value.is_some() && view.probability != Some(0.0);
                // If the worst cell counts, it is known only with both its tiles.
                let is_known = tree.node(last).origin != Origin::LeastMeanOf;
                assert!(
                    !is_known || !views(tree, last).iter().any(goes_on),
                    "{what}: it ends where nothing follows"
                );
                lines += 1;
            }
            assert_eq!(
                tree.line(SpawnRule::Median, &[]),
                tree.line(SpawnRule::AsPlayed, &[])
            );
        });
    }
    assert!(500 < lines, "{lines}");
}

fn judge_step(tree: &Tree, from: NodeId, to: NodeId, rule: SpawnRule, what: &str) {
    let children = views(tree, from);
    let next = tree.node(to);
    assert_eq!(next.parent, Some(from));

    let value = next.value.expect("only nodes with values are on the line");
    let node = tree.node(from);
    match (node.kind, node.origin) {
        (NodeKind::Max, _) if from == tree.root() => {
            assert_eq!(next.link, tree.chosen.map(Link::Slide), "{what}");
        }
        (NodeKind::Max, _) => {
            let best = children
                .iter()
                .find(|view| view.value.is_some_and(|other| value <= other));
            assert_eq!(best.map(|view| view.id), Some(to), "{what}");
            assert!(
                children
                    .iter()
                    .all(|view| view.value.is_none_or(|other| other <= value)),
                "{what}"
            );
        }
        (NodeKind::Min, _) => {
            let least = children
                .iter()
                .find(|view| view.value.is_some_and(|other| other <= value));
            assert_eq!(least.map(|view| view.id), Some(to), "{what}");
            assert!(
                children
                    .iter()
                    .all(|view| view.value.is_none_or(|other| value <= other)),
                "{what}"
            );
        }
        (_, Origin::LeastMeanOf) => {
            let Some(Link::Spawn(Spawn { cell, .. })) = next.link else {
                panic!("{what}: a spawn")
            };
            let on = |view: &&NodeView| matches!(view.link, Some(Link::Spawn(spawn)) if spawn.cell == cell);
            let of_cell: Vec<&NodeView> = children.iter().filter(on).collect();
            let weight: f64 = of_cell.iter().filter_map(|view| view.probability).sum();
            let mean: f64 = of_cell
                .iter()
                .filter_map(|view| Some(view.probability? * view.value?))
                .sum::<f64>()
                / weight;
            assert!(
                node.left_out != 0 || close(mean, node.value.expect("a value"), 0.0),
                "{what}"
            );
        }
        (_, Origin::MeanLeastOf) => {
            let Some(Link::Spawn(Spawn { rank, .. })) = next.link else {
                panic!("{what}: a spawn")
            };
            let of_tile = |view: &&NodeView| matches!(view.link, Some(Link::Spawn(spawn)) if spawn.rank == rank);
            let least = children
                .iter()
                .filter(of_tile)
                .filter_map(|view| view.value)
                .fold(f64::INFINITY, f64::min);
            assert_eq!(value, least, "{what}");
            // The likelier of two is both the most likely and the median.
            assert!(
                children
                    .iter()
                    .all(|view| view.value.is_none() || view.probability <= next.probability),
                "{what}"
            );
        }
        _ => {
            let weight = |is_it: &dyn Fn(&NodeView) -> bool| -> f64 {
                children
                    .iter()
                    .filter(|view| view.value.is_some() && is_it(view))
                    .filter_map(|view| view.probability)
                    .sum()
            };
            let probability = next.probability.expect("a spawn");
            assert!(0.0 < probability, "{what}");
            if rule == SpawnRule::MostLikely {
                let first = children
                    .iter()
                    .find(|view| view.value.is_some() && Some(probability) <= view.probability);
                assert_eq!(first.map(|view| view.id), Some(to), "{what}");
                assert!(
                    children
                        .iter()
                        .all(|view| view.value.is_none() || view.probability <= next.probability)
                );
            } else {
                // Less than half is before it, at least half with it included.
                let comes_before = |view: &NodeView| {
                    view.value
                        .is_some_and(|other| other < value || other == value && view.id < to)
                };
                let half = weight(&|_| true) / 2.0;
                let before = weight(&comes_before);
                assert!(
                    before < half && half * (1.0 - 1e-9) <= before + probability,
                    "{what}: {before} {half}"
                );
            }
        }
    }
}

#[test]
fn the_line_follows_the_game_as_far_as_the_game_followed_it() {
    let position = positions(40)[3];
    let tree = recorded(
        &strategy("Lines()", "Expectimax(plies: Fixed(5))"),
        Rules::default(),
        position,
        MANY,
    );
    let tree = tree.expect("a tree");
    let chosen = tree.chosen.expect("a move");
    let first = tree.line(SpawnRule::Median, &[])[1];

    for spawn in views(&tree, first) {
        let Some(best) = tree.best_child(spawn.id) else {
            continue;
        };
        let slide = tree.link(best).expect("a slide");
        let links = [Link::Slide(chosen), spawn.link.expect("a spawn"), slide];
        let mut played = links.to_vec();
        // Any spawn of the second afterstate, here the last one searched.
        if let Some(last) = views(&tree, best).last() {
            played.extend(last.link);
        }
        for length in 0..=played.len() {
            let line = tree.line(SpawnRule::AsPlayed, &played[..length]);
            let followed: Vec<Link> = line[1..].iter().filter_map(|&id| tree.link(id)).collect();
            assert_eq!(followed[..length], played[..length]);
            assert_eq!(
                tree.line(SpawnRule::Median, &played),
                tree.line(SpawnRule::Median, &[])
            );
        }
        // A game that has left the line does not contradict it.
        let elsewhere = Move::ALL
            .into_iter()
            .find(|&mv| mv != chosen)
            .expect("four moves");
        played[0] = Link::Slide(elsewhere);
        assert_eq!(
            tree.line(SpawnRule::AsPlayed, &played),
            tree.line(SpawnRule::Median, &[])
        );
    }
}

#[test]
fn a_spawn_map_is_the_children_of_the_node() {
    let mut cached = 0;
    for cap in [MANY, 300] {
        records(cap, |tree, what| {
            for node in tree.nodes().step_by(1 + tree.kept() / 200) {
                let after = matches!(node.link, Some(Link::Slide(_)));
                let Some(map) = tree.spawn_map(node.id) else {
                    let is_left_out = tree.left_out() + tree.elsewhere != 0;
                    let has_spawns = matches!(
                        node.kind,
                        NodeKind::Chance | NodeKind::Min | NodeKind::Cached
                    );
                    assert!(!after || !has_spawns || is_left_out, "{what}: {node:?}");
                    continue;
                };
                assert!(after);
                cached += u32::from(node.kind == NodeKind::Cached);
                assert_eq!(map.node != node.id, node.kind == NodeKind::Cached);
                assert_eq!(
                    map.cells.iter().map(|&(cell, _)| cell).collect::<Vec<_>>(),
                    node.board.empty_cells()
                );
                assert_eq!(
                    map.outcomes().count(),
                    tree.children(map.node).count(),
                    "{what}"
                );
                judge_map(tree, &node, &map, what);
            }
        });
    }
    assert!(100 < cached, "{cached}");
}

fn judge_map(tree: &Tree, node: &NodeView, map: &afterstate::search::SpawnMap, what: &str) {
    for (spawn, outcome) in map.outcomes() {
        let view = tree.node(outcome.node);
        assert_eq!(
            (view.value, view.probability, view.bound),
            (outcome.value, Some(outcome.probability), outcome.bound)
        );
        let board = node.board.with(spawn.cell, spawn.rank);
        if map.node == node.id {
            assert_eq!(view.board, board, "{what}");
        } else {
            // The same board apart from symmetry.
            let canonical =
                |board: Board| board.as_packed().map(|packed| packed.crossed().canonical());
            assert_eq!(canonical(view.board), canonical(board), "{what}");
        }
    }

    let counted = || {
        let is_min = tree.kind(map.node) == NodeKind::Min;
        map.outcomes()
            .filter(move |(_, outcome)| is_min || 0.0 < outcome.probability)
    };
    let values = || counted().filter_map(|(_, outcome)| outcome.value);
    assert_eq!(
        map.best,
        values().fold(f64::NEG_INFINITY, f64::max),
        "{what}"
    );
    assert_eq!(map.worst, values().fold(f64::INFINITY, f64::min), "{what}");
    let is_mean = tree.node(map.node).origin == Origin::MeanOf;
    if is_mean {
        assert_eq!(Some(map.mean), node.value, "{what}");
    }

    if map.is_complete {
        assert_eq!(tree.left_out_at(map.node), 0, "{what}");
        let mean: f64 = counted()
            .map(|(_, outcome)| outcome.probability * outcome.value.expect("complete"))
            .sum();
        assert!(close(mean, map.mean, 0.0), "{what}: {mean} {}", map.mean);
        let squares: f64 = counted()
            .map(|(_, o)| o.probability * o.value.expect("complete").powi(2))
            .sum();
        let variance = map.deviation.expect("complete").powi(2);
        assert!(
            close(squares - mean * mean, variance, squares * 1e-3),
            "{what}: {variance}"
        );
        assert!(
            map.worst <= map.mean * (1.0 + 1e-12 * map.mean.signum()) + 1e-9,
            "{what}"
        );
    } else {
        assert_eq!(map.deviation, None);
    }

    let all_there = || {
        tree.left_out_at(map.node) == 0
            && map.outcomes().all(|(_, outcome)| outcome.value.is_some())
    };
    assert!(map.is_complete || !is_mean || !all_there(), "{what}");
}

#[test]
fn representatives_are_the_best_the_worst_the_line_and_the_game() {
    records(MANY, |tree, what| {
        for node in tree.nodes().step_by(1 + tree.kept() / 60) {
            let children = views(tree, node.id);
            let line = children.get(children.len() / 2).map(|view| view.id);
            let played = children.last().and_then(|view| match view.link {
                Some(Link::Spawn(spawn)) => Some(spawn),
                _ => None,
            });
            let shown = tree.representatives(node.id, line, played);
            if tree
                .spawn_map(node.id)
                .is_none_or(|map| map.node != node.id)
            {
                assert!(shown.is_empty(), "{what}");
                continue;
            }

            let value = |id: NodeId| tree.value(id).unwrap_or(f64::NEG_INFINITY);
            assert!(
                shown
                    .windows(2)
                    .all(|two| (-value(two[0]), two[0]) < (-value(two[1]), two[1])),
                "{what}"
            );
            assert!(
                shown.len() <= 4 && line.is_none_or(|line| shown.contains(&line)),
                "{what}"
            );
            let roles = tree.representatives_with_roles(node.id, line, played);
            assert_eq!(roles.iter().map(|&(id, _)| id).collect::<Vec<_>>(), shown);
            let map = tree.spawn_map(node.id).expect("seen above");
            for (id, roles) in roles {
                assert!(!roles.best || value(id) == map.best, "{what}");
                assert!(!roles.worst || value(id) == map.worst, "{what}");
                assert_eq!(roles.line, line == Some(id));
                assert_eq!(roles.played, tree.link(id) == played.map(Link::Spawn));
            }

            assert!(
                shown.iter().any(|&id| value(id) == map.best)
                    && shown.iter().any(|&id| value(id) == map.worst)
            );
        }
    });
}

#[test]
fn the_runner_up_is_the_best_of_the_other_moves() {
    records(MANY, |tree, what| {
        let Some((chosen, second)) = tree.second_best() else {
            panic!("{what}: two moves at least")
        };
        assert_eq!(Some(chosen), tree.chosen, "{what}");
        let sign = if tree
            .why(chosen, second)
            .expect("both have values")
            .objective
            .higher
        {
            1.0
        } else {
            -1.0
        };
        let others = views(tree, tree.root())
            .into_iter()
            .filter(|view| view.link != Some(Link::Slide(chosen)));
        let most = others
            .filter_map(|view| view.value)
            .map(|value| sign * value)
            .fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(
            root_child(tree, second).value.map(|value| sign * value),
            Some(most),
            "{what}"
        );
    });
}

#[test]
fn bounds_are_called_bounds() {
    let mut bounds = 0;
    for position in positions(9) {
        let strategy = strategy(
            "Weights(\"c\")",
            "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        );
        let Some(tree) = recorded(&strategy, Rules::default(), position, MANY) else {
            continue;
        };
        let Some((best, second)) = tree.second_best() else {
            continue;
        };
        let why = tree
            .why_in_full(best, second, &CancelToken::new())
            .expect("two moves");
        let [first, last] = prose::why::sentences(&why);
        if why.bounds == [Bound::Exact, Bound::Upper] {
            assert!(first.contains(" worth at least "), "{first}");
            assert!(last.contains("only a bound"), "{last}");
            bounds += 1;
        } else {
            assert!(!first.contains(" at least "), "{first}");
        }
        assert_eq!(why.is_bound(), why.terms == Err(NoTerms::Bound));
    }
    assert!(10 < bounds, "{bounds}");
}

/// Fours are drawn as one bar if each is small, and only then.
#[test]
fn fours_share_a_bar_if_each_says_little() {
    let mut seen = [0; 2];
    records(MANY, |tree, what| {
        for (better, other) in pairs(tree) {
            let why = tree.why(better, other).expect("two moves");
            if !matches!(why.pairing, Pairing::Spawns | Pairing::Mean) {
                continue;
            }

            let shared = why.bars.iter().find(|bar| bar.what == BarKind::Fours);
            let alone = |bar: &&afterstate::search::Bar| {
                bar.what == BarKind::Spawn && bar.spawns[0].rank == Rank::FOUR
            };
            let all: f64 = why.bars.iter().map(|bar| bar.amount.abs()).sum();

            match shared {
                Some(bar) => {
                    assert!(
                        why.bars.iter().find(alone).is_none() && 1 < bar.spawns.len(),
                        "{what}"
                    );
                    assert!(
                        bar.amount.abs()
                            <= 0.02 * all.max(f64::MIN_POSITIVE) * 2.0 * bar.spawns.len() as f64,
                        "{what}"
                    );
                    seen[0] += 1;
                }
                None => {
                    let fours = why.bars.iter().filter(alone);
                    let some_is_large = fours.clone().any(|bar| 0.02 * all <= bar.amount.abs());
                    assert!(fours.count() < 2 || some_is_large, "{what}");
                    seen[1] += 1;
                }
            }
        }
    });
    assert!(seen.iter().all(|&count| 50 < count), "{seen:?}");
}

/// The evaluators of the shipped presets and of the palette.
fn shipped() -> Vec<Evaluator> {
    let all = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../presets"))
        .expect("presets are shipped")
        .map(|file| file.expect("readable").path());
    let files = all.filter(|path| path.is_file());
    let texts = files.map(|path| std::fs::read_to_string(path).expect("text"));
    let presets: Vec<Preset> = texts
        .map(|text| Preset::from_text(&text).expect("a preset"))
        .collect();
    let strategies = presets
        .into_iter()
        .flat_map(|preset| preset.strategies)
        .map(|entry| entry.strategy);
    let own = EVALUATORS
        .iter()
        .map(|text| text.parse().expect(text))
        .chain(Evaluator::palette());
    let alone = |evaluator| Strategy {
        criteria: vec![Criterion::one_ply(evaluator)],
        ..Strategy::default()
    };
    // Value iterations learn from fewer games.
    let quick = |strategy: Strategy| match strategy.setting("Policy games") {
        Ok(games) => strategy
            .with_setting(&games, 60.0)
            .expect("a number of games"),
        Err(_) => strategy,
    };
    let strategies = strategies.chain(own.map(alone)).map(quick);
    let evaluators = strategies
        .flat_map(|strategy| strategy.criteria)
        .map(|criterion| criterion.evaluator);
    let mut all: Vec<Evaluator> = Vec::new();
    for evaluator in evaluators {
        if !all.contains(&evaluator) && evaluator.files().is_empty() {
            all.push(evaluator);
        }
    }

    all
}

#[test]
fn terms_of_every_shipped_evaluator_add_up() {
    let mut several = 0;
    let of_game = positions(40);
    for evaluator in shipped() {
        let size = Size::all()
            .find(|&size| evaluator.check(size).is_ok())
            .expect("a size");
        let empty = [(Board::empty(size), 8)];
        let positions = if evaluator.check(Size::FOUR).is_ok() {
            &of_game[..]
        } else {
            &empty[..]
        };
        for &(board, score) in positions {
            let terms = evaluator.terms(&board, score);
            let sum: f64 = terms.iter().map(Term::amount).sum();
            let scale = terms
                .iter()
                .fold(0.0, |most: f64, term| most.max(term.amount().abs()));
            assert!(
                close(sum, evaluator.evaluate(&board, score), scale),
                "{evaluator} on {board}: {terms:?}"
            );
            assert!(terms.iter().all(|term| !term.label.is_empty()));
            several += u32::from(1 < terms.len());
        }
    }
    assert!(100 < several, "{several}");
}

#[test]
fn sums_in_sums_are_taken_apart_and_products_are_not() {
    let evaluator: Evaluator =
        "Sum([(2.0, Sum([(3.0, Empty), (-1.0, Lines(empty: 0, merges: 5))])), (0.5, Product(Score, Empty))])"
            .parse()
            .expect("an evaluator");

    let board: Board = "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board");
    let terms = evaluator.terms(&board, 10);
    let rows: Vec<(&str, f64, f64)> = terms
        .iter()
        .map(|term| (term.label.as_str(), term.weight, term.value))
        .collect();
    assert_eq!(
        rows,
        [
            ("Empty", 6.0, 14.0),
            // Eight lines, one of them with two tiles that merge, four ranks of 1 in rows and columns.
            ("Lines fixed", -2.0 * 200_000.0, 8.0),
            ("Lines merges", -2.0 * 5.0, 2.0),
            ("Lines monotonicity", 2.0 * 47.0, 0.0),
            ("Lines sum", 2.0 * 11.0, 4.0),
            ("Score × Empty", 0.5, 140.0),
        ]
    );
    assert_eq!(
        "Sum([])"
            .parse::<Evaluator>()
            .expect("a sum")
            .terms(&board, 0),
        []
    );

    // Weights whose product is too large for a float are not multiplied.
    let large = "Sum([(1e200, Sum([(1e200, Inert), (1e-200, Empty)]))])"
        .parse::<Evaluator>()
        .expect("a sum");
    assert_eq!(large.terms(&board, 0).len(), 1);
    assert_eq!(
        large.terms(&board, 0)[0].amount(),
        large.evaluate(&board, 0)
    );
}
