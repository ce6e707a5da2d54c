//! The current event of a replay, in words.

use super::{a_spawn, at_most};
use crate::search::{
    Bound, Link, Moment, NodeId, NodeKind, Origin, Ranked, ReplayEvent, Rule, Start, Tree,
};
use crate::words;

/// The last event in one sentence with its numbers.
pub fn sentence(moment: &Moment, tree: &Tree) -> String {
    match moment.event {
        ReplayEvent::Begin => format!(
            "The search begins: {} ahead",
            words::plural(tree.counts.total(), "node")
        ),
        ReplayEvent::Enter(id) => entering(tree, id),
        ReplayEvent::Leave(id) => leaving(moment, tree, id),
        ReplayEvent::End => match (tree.chosen.or(moment.best), tree.value(tree.root())) {
            (Some(mv), Some(value)) if !value.is_nan() => {
                format!(
                    "The search is over: {} is chosen, the best value is {}",
                    mv.arrow(),
                    words::value(value)
                )
            }
            (_, Some(value)) => format!("The search is over: the value is {}", words::value(value)),
            (_, None) => "The search is over".to_owned(),
        },
    }
}

fn entering(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    let kind = kind_of(tree, id);
    let stubs = |rule: Rule| {
        let Some(parent) = node.parent else { return 1 };
        tree.children(parent)
            .filter(|&child| id <= child && tree.rule(child) == rule)
            .count() as u64
    };

    match node.origin {
        Origin::OutOfBounds { .. } => {
            let others = stubs(Rule::OutOfBounds);
            let what = if matches!(node.link, Some(Link::Slide(_))) {
                "move"
            } else {
                "spawn"
            };
            return match others {
                1 => format!("{}: the last {what} is not searched", node.origin.text()),
                _ => format!(
                    "{}: the other {} are not searched",
                    node.origin.text(),
                    words::plural(others, what)
                ),
            };
        }
        Origin::Unimportant {
            considered,
            ranked: Ranked::Spawns,
            ..
        } => {
            let others = words::count(stubs(Rule::Unimportant));
            let worst = words::plural(u64::from(considered), "worst spawn");
            return format!("Only the {worst}: {others} that do less harm are not searched");
        }
        Origin::Unimportant {
            considered,
            ranked: Ranked::Cells,
            ..
        } => {
            let others = words::plural(stubs(Rule::Unimportant), "spawn");
            let cells = words::plural(u64::from(considered), "cell");
            return format!("Only {cells} by weight: {others} elsewhere are not searched");
        }
        _ => {}
    }

    let what = match node.link {
        None => format!("Entered the {kind}"),
        Some(link) => format!("Entered the {kind} after {}", link_words(link)),
    };
    let considered = u64::from(tree.considered(id));
    let slides = tree.children(id).count() as u64;

    match node.kind {
        NodeKind::Chance | NodeKind::Min if considered != 0 => {
            format!(
                "{what}; {} × {} are next",
                words::plural(considered, "cell"),
                tiles(tree)
            )
        }
        NodeKind::Max if slides == 1 => format!("{what}; 1 move is next"),
        NodeKind::Max => format!("{what}; {} are next", words::plural(slides, "move")),
        _ => what,
    }
}

fn leaving(moment: &Moment, tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id);
    let Some(value) = node.value else {
        return format!("Passed a cut: {}", node.origin.text());
    };
    let written = format!("{}{}", at_most(node.bound), words::value(value));
    let is = if node.bound == Bound::Exact {
        " is"
    } else {
        ","
    };
    let at_root =
        node.parent == Some(tree.root()) && matches!(tree.subject().start, Start::Choice { .. });
    let kind = kind_of(tree, id);
    let all = tree
        .children(id)
        .filter(|&child| tree.value(child).is_some())
        .count() as u64;
    let evaluator = tree.subject().definition.evaluator.label();
    let is_floor = value == 0.0
        && tree
            .children(id)
            .all(|child| tree.value(child).is_some_and(|value| value < 0.0));
    let mut what = match node.origin {
        Origin::Evaluated => format!("Leaf: {evaluator} gives {written}"),
        Origin::Dead if node.evaluation.is_none() => format!("Dead board: worth {written}"),
        Origin::Dead => format!("Dead board: {evaluator} gives {written}"),
        Origin::TooImprobable { .. } => {
            format!("Cut, {}: {evaluator} gives {written}", node.origin.text())
        }
        Origin::Stored { .. } => format!("The transposition table gives {written}"),
        Origin::MaxOf if is_floor && all != 0 => {
            format!("Exited the {kind}: worth {written}, because all moves are worth less")
        }
        Origin::MaxOf => format!(
            "Exited the {kind}: {written}{is} the best of {}",
            words::plural(all, "move")
        ),
        Origin::MinOf => format!(
            "Exited the {kind}: {written}{is} the smallest of {}",
            words::plural(all, "spawn")
        ),
        Origin::MeanOf => format!(
            "Exited the {kind}: {written}{is} the mean of {}",
            words::plural(all, "spawn")
        ),
        Origin::SumOf => format!("Exited the {kind}: {written} is the sum over its cells"),
        Origin::MeanLeastOf => {
            format!(
                "Exited the {kind}: {written} is the mean over its tiles of the smallest of its cells"
            )
        }
        Origin::LeastMeanOf => {
            format!("Exited the {kind}: {written} is the smallest mean of its cells")
        }
        Origin::Sampled | Origin::MovesTried | Origin::SpawnsDrawn => {
            format!("Exited the {kind}: {written}{is} the mean of its samples")
        }
        Origin::OutOfBounds { .. } | Origin::Unimportant { .. } | Origin::NotExpanded => written,
    };
    if node.left_out != 0 {
        what += &format!("; {} not recorded", words::plural(node.left_out, "node"));
    }

    // The value may have changed the window of the node above.
    if let (Some(above), false) = (moment.open.last(), at_root) {
        let is_turn = tree.kind(above.id) == NodeKind::Max;
        match (above.alpha, above.beta) {
            (Some(alpha), _) if is_turn && alpha == value => {
                what += &format!(". α is now {}", words::value(value));
            }
            (_, Some(beta)) if !is_turn && beta == value => {
                what += &format!(". β is now {}", words::value(value));
            }
            _ => {}
        }
    }

    match (
        at_root,
        moment.best,
        moment.open.first().and_then(|root| root.running),
    ) {
        (true, Some(best), Some(leads)) => {
            format!(
                "{what}. Root: {} leads with {}",
                best.arrow(),
                words::value(leads)
            )
        }
        _ => what,
    }
}

/// Which tiles may appear: `2 tiles`, or the only possible one.
fn tiles(tree: &Tree) -> &'static str {
    match tree.probability() {
        [0.0, _] => "a 4",
        [_, 0.0] => "a 2",
        _ => "2 tiles",
    }
}

fn kind_of(tree: &Tree, id: NodeId) -> &'static str {
    if id == tree.root() {
        "root"
    } else {
        tree.kind(id).words()
    }
}

fn link_words(link: Link) -> String {
    match link {
        Link::Slide(mv) => mv.arrow().to_owned(),
        Link::Spawn(spawn) => a_spawn(spawn),
    }
}
