//! The colour of a node: its value against that of the node above, as a share of the largest such difference among its
//! siblings.
//!
//! One scale for the whole tree would be that of its worst slides, under which all spawns look alike; so each family has its
//! own.

use crate::search::{NodeId, Tree};

/// Differences below this share of the value above are rounding.
const LEAST: f64 = 1e-9;

/// The largest difference between the value of a node and those right below it; 0 where there is none.
pub fn family_span(tree: &Tree, parent: NodeId) -> f64 {
    let Some(above) = tree.value(parent) else { return 0.0 };
    let differences = tree.children(parent).filter_map(|child| Some((tree.value(child)? - above).abs()));
    let span = differences.filter(|difference| difference.is_finite()).fold(0.0, f64::max);
    if span <= above.abs() * LEAST { 0.0 } else { span }
}

/// The colour of a node whose family has this span, −1 to 1; 0 for the root and for nodes without a value.
pub fn tint_within(tree: &Tree, id: NodeId, span: f64) -> f32 {
    let difference = || Some(tree.value(id)? - tree.value(tree.parent(id)?)?);
    let share = difference().map_or(0.0, |difference| difference / span);
    if share.is_finite() { share.clamp(-1.0, 1.0) as f32 } else { 0.0 }
}

/// The colour of a node, −1 to 1.
pub fn tint(tree: &Tree, id: NodeId) -> f32 {
    tree.parent(id).map_or(0.0, |parent| tint_within(tree, id, family_span(tree, parent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::Rules;
    use crate::search::{Order, Stop};
    use crate::strategy::{Player, Strategy};

    #[test]
    fn in_each_family_the_largest_difference_is_full_and_the_sign_says_better_or_worse() {
        for lookahead in ["Expectimax(plies: Fixed(4))", "Minimax(plies: Fixed(3), cuts: [AlphaBeta])"] {
            let strategy = format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])");
            let strategy: Strategy = strategy.parse().expect("a strategy");
            let player = Player::new(&strategy, Rules::default());
            let board = board! {
                64 32 8 2
                16 8 4 .
                4 2 . .
                2 . . .
            };
            let decision = player.inspect(&board, 0, |_| 0, Order { stop: &Stop::new(), cores: 1 }, 100_000);
            let tree = decision.tree(&strategy, 0, Rules::default()).expect("recorded");
            for id in tree.ids() {
                let Some(above) = tree.value(id) else { continue };
                let mut full = 0.0_f32;
                for child in tree.children(id) {
                    let tint = tint(&tree, child);
                    full = full.max(tint.abs());
                    let Some(value) = tree.value(child) else {
                        assert_eq!(tint, 0.0);
                        continue;
                    };
                    let same = (value - above).abs() <= above.abs() * LEAST;
                    assert!(same || family_span(&tree, id) == 0.0 || (0.0 < tint) == (above < value));
                }
                assert!(full == 0.0 || full == 1.0, "{full}");
            }
            assert_eq!(tint(&tree, tree.root()), 0.0);
        }
    }
}
