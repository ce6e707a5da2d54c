//! Names of nodes, values and links for all panels of the search tree: the same on the canvas, in the other views and
//! for screen readers.

use crate::game::Move;
use crate::search::{
    Bound, Link, NodeId, NodeKind, NodeView, Origin, Ranked, Tree, TreeKind, layers,
};
use crate::strategy::Searched;
use crate::words;
pub(crate) use crate::words::difference;
use crate::workbench::panels::tree::Known;

/// The link to a node, on an edge: `←`, `2 r1c4`.
pub(crate) fn link_text(link: Link) -> String {
    match link {
        Link::Slide(mv) => mv.arrow().to_owned(),
        Link::Spawn(spawn) => format!("{} {}", spawn.rank, spawn.cell),
    }
}

/// The label of an edge, from the longest form to the shortest. The probability of a spawn stays in each: `2 r1c4 ·
/// 0.18`, `2 · 0.18`, `0.18`.
pub(crate) fn edge_texts(link: Link, probability: Option<f64>) -> Vec<String> {
    match (link, probability.map(two_digits)) {
        (Link::Spawn(spawn), Some(probability)) => {
            vec![
                format!("{} · {probability}", link_text(link)),
                format!("{} · {probability}", spawn.rank),
                probability,
            ]
        }
        (Link::Spawn(spawn), None) => vec![link_text(link), spawn.rank.to_string()],
        (Link::Slide(_), _) => vec![link_text(link)],
    }
}

/// A probability with two significant digits: `0.18`, `0.10`, `0.014`, and `0`.
fn two_digits(probability: f64) -> String {
    if probability <= 0.0 {
        return "0".to_owned();
    }
    let places = (-probability.log10()).ceil() as usize + 1;
    format!("{probability:.*}", places.max(2))
}

/// The link to a node, as short as possible.
pub(crate) fn link_of(tree: &Tree, id: NodeId) -> String {
    tree.link(id)
        .map_or_else(|| "to move".to_owned(), link_text)
}

/// A move with its arrow: `← Left`.
pub(crate) fn title(mv: Move) -> String {
    format!("{} {mv}", mv.arrow())
}

/// The link in a sentence: `after left`, `after a 2 at r1c4`.
pub(crate) fn link_words(link: Link) -> String {
    match link {
        Link::Slide(mv) => format!("after {}", mv.name().to_lowercase()),
        Link::Spawn(spawn) => format!("after a {} at {}", spawn.rank, spawn.cell),
    }
}

/// Spawns that are not drawn: `1 more spawn`.
pub(crate) fn more_spawns(count: u64) -> String {
    format!(
        "{} more {}",
        words::count(count),
        if count == 1 { "spawn" } else { "spawns" }
    )
}

/// Decimals of the values of a node's children: enough to distinguish moves; one for the many spawns.
pub(crate) fn places(tree: &Tree, parent: NodeId) -> usize {
    let slides = tree.children(parent).filter(|&id| tree.slide(id).is_some());
    words::places(slides.filter_map(|id| tree.value(id))).max(1)
}

/// Decimals of a node's value among its siblings.
pub(crate) fn places_of(tree: &Tree, id: NodeId) -> usize {
    tree.parent(id).map_or(1, |parent| places(tree, parent))
}

/// The value of a node, with the decimals of its siblings; `≤` and `≥` before bounds.
pub(crate) fn value(tree: &Tree, id: NodeId) -> String {
    let written = |value| {
        format!(
            "{}{}",
            tree.bound(id).sign(),
            words::decimals(value, places_of(tree, id))
        )
    };
    tree.value(id)
        .map_or_else(|| "not searched".to_owned(), written)
}

/// The value of a node at a step of the replay.
pub(crate) fn value_by_now(knowledge: Known, tree: &Tree, id: NodeId) -> String {
    match knowledge {
        Known::All => value(tree, id),
        Known::SoFar(Some(so_far)) => format!("{} so far", words::decimals(so_far, 1)),
        Known::SoFar(None) => "open".to_owned(),
        Known::Nothing => String::new(),
    }
}

pub(crate) fn bounded(value: f64, bound: Bound) -> String {
    format!("{}{}", bound.sign(), words::decimals(value, 1))
}

/// A difference of values that may be bounds, see [`Bound::minus`]: `≤ −28.2`; a dash if unknown.
pub(crate) fn bounded_difference(difference: f64, bound: Option<Bound>) -> String {
    bound.map_or_else(
        || "–".to_owned(),
        |bound| format!("{}{}", bound.sign(), words::difference(difference)),
    )
}

/// A reach probability, rounded to two significant digits but no coarser than three decimals: `1.0`, `0.129`, `0.0018`.
pub(crate) fn reach(reach: f64) -> String {
    if reach == 1.0 {
        return "1.0".to_owned();
    }
    if reach <= 0.0 {
        return "0".to_owned();
    }
    // More than 12 decimals are unreadable.
    let places = ((-reach.log10()).floor().max(0.0) as usize + 2).clamp(3, 12);
    let text = format!("{reach:.places$}");
    text.trim_end_matches('0').to_owned()
}

/// Why a node was cut, short enough for the canvas: `reach 0.0018 < 0.01`; `None` if it was not.
pub(crate) fn cut_reason(origin: &Origin) -> Option<String> {
    match *origin {
        Origin::TooImprobable {
            reach: r,
            threshold,
        } => Some(format!(
            "reach {} < {}",
            reach(r),
            words::small_probability(threshold)
        )),
        Origin::OutOfBounds { alpha, beta } => Some(format!(
            "α {} ≥ β {}",
            words::decimals(alpha, 1),
            words::decimals(beta, 1)
        )),
        Origin::Unimportant {
            rank,
            considered,
            ranked: Ranked::Spawns,
        } => Some(format!("spawn {rank} by harm, {considered} used")),
        Origin::Unimportant {
            rank,
            considered,
            ranked: Ranked::Cells,
        } => Some(format!("cell {rank} by weight, {considered} used")),
        _ => None,
    }
}

/// The meaning of a bound, before the value in a sentence.
pub(crate) fn bound_words(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Upper => "at most ",
        Bound::Lower => "at least ",
    }
}

/// The size of a tree, counted as in every view: `5,503 nodes, 702 of them cuts that were not searched`.
pub(crate) fn size(tree: &Tree) -> String {
    let nodes = words::plural(tree.counts.total(), "node");
    let stubs = tree.counts.stubs();
    if tree.search_kind() == TreeKind::Sampled && stubs != 0 {
        return format!("{nodes}, {} of them not expanded", words::count(stubs));
    }
    match stubs {
        0 => nodes,
        1 => format!("{nodes}, 1 of them a cut that was not searched"),
        stubs => format!(
            "{nodes}, {} of them cuts that were not searched",
            words::count(stubs)
        ),
    }
}

/// The nodes of a limited search at other depths: `432 more nodes at shallower depths, 3,715 nodes in a search of 6
/// plies stopped by its limit`; `None` without other depths.
pub(crate) fn other_depths(tree: &Tree) -> Option<String> {
    if tree.search_kind() == TreeKind::Sampled {
        return (tree.elsewhere != 0).then(|| {
            format!(
                "{} in playouts",
                words::plural(tree.elsewhere, "more position")
            )
        });
    }
    let shallower = tree.elsewhere - tree.unfinished.min(tree.elsewhere);
    let shallower = (shallower != 0).then(|| {
        format!(
            "{} at shallower depths",
            words::plural(shallower, "more node")
        )
    });
    // Iterative deepening adds one ply at a time.
    let deeper = plies(tree.subject().plies + 1);
    let deeper = (tree.unfinished != 0).then(|| {
        format!(
            "{} in a search of {deeper} stopped by its limit",
            words::plural(tree.unfinished, "node")
        )
    });
    let parts: Vec<String> = shallower.into_iter().chain(deeper).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A note on searches by several threads.
pub(crate) const ON_SEVERAL_THREADS: &str = "With several threads the values and the move are the same as with one; the number of cached nodes varies";

/// The time of a search: `12.3 ms on 2 threads`; `None` for an opened record, which does not contain it.
pub(crate) fn elapsed(searched: &Searched) -> Option<String> {
    let ms = searched.elapsed.as_secs_f64() * 1e3;
    let text = match ms {
        _ if searched.elapsed.is_zero() => return None,
        _ if ms < 0.1 => "less than 0.1 ms".to_owned(),
        _ if ms < 1000.0 => format!("{} ms", words::decimals(ms, 1)),
        _ => format!("{} s", words::decimals(ms / 1e3, 1)),
    };
    Some(match searched.shared_by {
        Some(threads) => format!("{text} on {}", words::plural(threads as u64, "thread")),
        None => text,
    })
}

/// The name of a node: its number in visiting order, the root being 0; `node 5,502`.
pub(crate) fn number(tree: &Tree, id: NodeId) -> String {
    format!("node {}", words::count(tree.order(id)))
}

pub(crate) fn plies(number: u32) -> String {
    words::plural(u64::from(number), "ply")
}

/// The depth of a search: `3 plies = 2 moves + 1 spawn`.
pub(crate) fn depth(number: u32) -> String {
    format!("{} = {}", plies(number), layers(number))
}

/// The extent of a recorded search: its depth, or its number of samples.
pub(crate) fn how_far(tree: &Tree) -> String {
    match &tree.playouts {
        Some(playouts) => words::plural(playouts.total(), "sample"),
        None => depth(tree.subject().plies),
    }
}

/// The name of a column of the tree: `to move`, `ply 1, move`.
pub(crate) fn ply_name(depth: usize, is_turn: bool) -> String {
    match depth {
        0 => if is_turn { "to move" } else { "tile appears" }.to_owned(),
        _ => format!("ply {depth}, {}", if is_turn { "spawn" } else { "move" }),
    }
}

/// A node in one sentence: `chance node after left, value 812.4, 18 outcomes, reach 1.0`.
pub(crate) fn sentence(tree: &Tree, node: &NodeView) -> String {
    sentence_by_now(Known::All, tree, node)
}

/// A node in one sentence, at a step of the replay.
pub(crate) fn sentence_by_now(knowledge: Known, tree: &Tree, node: &NodeView) -> String {
    let mut text = node.kind.words().to_owned();
    text += &node.link.map_or_else(
        || " at the root".to_owned(),
        |link| format!(" {}", link_words(link)),
    );
    text += &match (knowledge, node.value) {
        (Known::Nothing, _) => ", not reached yet".to_owned(),
        (Known::SoFar(None), _) => ", open".to_owned(),
        (Known::SoFar(Some(so_far)), _) => format!(", value {} so far", words::decimals(so_far, 1)),
        (Known::All, None) => ", not searched".to_owned(),
        (Known::All, Some(value)) => {
            let (short, exact) = (
                words::decimals(value, places_of(tree, node.id)),
                words::exact(value),
            );
            let exact = if exact.len() <= short.len() {
                String::new()
            } else {
                format!(", exactly {exact}")
            };
            format!(", value {}{short}{exact}", bound_words(node.bound))
        }
    };
    if node.kind == NodeKind::Cut {
        text += &format!(": {}", node.origin.text());
    }

    text += match tree.graft_above(node.id) {
        Some(above) if above == node.id => ", extended by an added search",
        Some(_) => ", found by an added search",
        None => "",
    };
    let below = tree.children(node.id).count() as u64;
    if below != 0 {
        let what = if node.kind == NodeKind::Max {
            "move"
        } else {
            "outcome"
        };
        text += &format!(", {}", words::plural(below, what));
    }

    if node.left_out != 0 {
        text += &format!(", {} more not recorded", words::count(node.left_out));
    }
    if let Some(probability) = node.probability {
        text += &format!(", probability {}", words::small_probability(probability));
    }

    text + ", reach " + &reach(node.reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Rank, Rules, Spawn};
    use crate::search::SearchOptions;
    use crate::strategy::{Decision, Player, Strategy};

    #[test]
    fn a_spawn_on_an_edge_says_how_probable_it_is() {
        for (probability, text) in [
            (0.9 / 5.0, "0.18"),
            (0.1, "0.10"),
            (0.1 / 7.0, "0.014"),
            (0.9 / 15.0, "0.060"),
            (0.9, "0.90"),
            (1.0, "1.00"),
            (0.0, "0"),
        ] {
            assert_eq!(two_digits(probability), text);
        }
    }

    #[test]
    fn a_shorter_label_of_an_edge_keeps_the_probability() {
        let spawn = Link::Spawn(Spawn {
            cell: Cell::new(0, 3),
            rank: Rank::FOUR,
        });
        assert_eq!(
            edge_texts(spawn, Some(0.02)),
            ["4 r1c4 · 0.020", "4 · 0.020", "0.020"]
        );
        assert_eq!(edge_texts(spawn, None), ["4 r1c4", "4"]);
        assert_eq!(edge_texts(Link::Slide(Move::Left), None), ["←"]);
    }

    #[test]
    fn moves_of_different_values_read_differently() {
        let text = "(criteria: [(evaluator: Sum([(0.01, Empty)]), lookahead: Expectimax(plies: Fixed(3)))])";
        let strategy: Strategy = text.parse().expect("a strategy");
        let board = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2"
            .parse()
            .expect("a board");
        let player = Player::new(&strategy, Rules::default());
        let decision = Decision::of(
            &player,
            (&board, 0),
            |_| 0,
            SearchOptions::default(),
            20_000,
        );
        let tree = decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.tree.clone())
            .expect("a record");
        let moves: Vec<NodeId> = tree.children(tree.root()).collect();
        let written: Vec<String> = moves
            .iter()
            .map(|&id| value_by_now(Known::All, &tree, id))
            .collect();
        for (a, b) in moves
            .iter()
            .zip(&written)
            .flat_map(|a| moves.iter().zip(&written).map(move |b| (a, b)))
        {
            assert_eq!(
                a.1 == b.1,
                tree.value(*a.0) == tree.value(*b.0),
                "{written:?}"
            );
        }
        assert!(
            written.iter().any(|text| text
                .split_once('.')
                .is_some_and(|(_, behind)| 1 < behind.len())),
            "{written:?}"
        );
    }

    #[test]
    fn reach_keeps_three_decimals_and_two_digits_that_say_something() {
        let texts = [1.0, 0.9, 0.128_57, 0.0167, 0.0018, 0.000_072_49, 0.0].map(reach);
        assert_eq!(
            texts,
            ["1.0", "0.9", "0.129", "0.017", "0.0018", "0.000072", "0"]
        );
    }

    #[test]
    fn differences_carry_their_sign_unless_they_are_nothing_and_say_where_they_are_bounds() {
        assert_eq!(
            [4.12, -28.2, 0.0, -0.01].map(words::difference),
            ["+4.1", "−28.2", "0.0", "−0.010"]
        );
        let values = [Bound::Exact, Bound::Upper, Bound::Lower];
        let texts =
            |other: Bound| values.map(|bound| bounded_difference(-28.2, bound.minus(other)));
        assert_eq!(texts(Bound::Exact), ["−28.2", "≤ −28.2", "≥ −28.2"]);
        assert_eq!(texts(Bound::Upper), ["≥ −28.2", "–", "≥ −28.2"]);
        assert_eq!(texts(Bound::Lower), ["≤ −28.2", "≤ −28.2", "–"]);
    }

    #[test]
    fn cut_reasons_fit_on_the_canvas() {
        for (origin, text) in [
            (
                Origin::TooImprobable {
                    reach: 0.0018,
                    threshold: 0.01,
                },
                Some("reach 0.0018 < 0.01"),
            ),
            (
                Origin::OutOfBounds {
                    alpha: 812.0,
                    beta: 790.5,
                },
                Some("α 812.0 ≥ β 790.5"),
            ),
            (
                Origin::Unimportant {
                    rank: 5,
                    considered: 4,
                    ranked: Ranked::Cells,
                },
                Some("cell 5 by weight, 4 used"),
            ),
            (Origin::Evaluated, None),
        ] {
            assert_eq!(cut_reason(&origin).as_deref(), text);
        }
    }
}
