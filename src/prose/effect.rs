//! The result of a later search of a node, and what it changes at the root.

use crate::game::Move;
use crate::search::Effect;
use crate::words;

/// A value and the previous one, with enough decimals to distinguish them.
fn both(value: f64, before: f64) -> (String, String) {
    let places = words::places([value, before]).max(1);
    (
        words::decimals(value, places),
        words::decimals(before, places),
    )
}

/// `812.4 instead of 811.0`, `812.4, as before`, or `812.4` if there was none before.
pub fn worth_now(value: f64, before: Option<f64>) -> String {
    match before.map(|before| both(value, before)) {
        Some((value, before)) if value == before => format!("{value}, as before"),
        Some((value, before)) => format!("{value} instead of {before}"),
        None => words::decimals(value, 1),
    }
}

/// `264 nodes`, or `264 nodes, 46 of them still cut` if rules of the strategy cut here too.
pub fn nodes_still_cut(nodes: u64, still_cut: u64) -> String {
    let nodes = words::plural(nodes, "node");
    if still_cut == 0 {
        nodes
    } else {
        format!("{nodes}, {} of them still cut", words::count(still_cut))
    }
}

/// `Left would be worth 812.4 instead of 811.0; the choice stays Left`, with the nodes that are still cut, if any.
pub fn effect_sentence(effect: &Effect, chosen: Option<Move>, still_cut: u64) -> String {
    let (after, before) = both(effect.after, effect.before);
    let sign = effect.bound.sign();
    let worth = if before == after {
        format!("{} is worth {sign}{after} as before", effect.mv)
    } else {
        format!(
            "{} would be worth {sign}{after} instead of {sign}{before}",
            effect.mv
        )
    };
    let so_far = if still_cut == 0 {
        ""
    } else {
        " as far as searched"
    };
    match (effect.changes_choice, chosen) {
        (true, _) => format!(
            "{worth}, and the choice would change to {}{so_far}",
            effect.best
        ),
        (false, Some(chosen)) => format!("{worth}; the choice stays {chosen}{so_far}"),
        (false, None) => worth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;

    const EFFECT: Effect = Effect {
        mv: Move::Left,
        before: 8759.2,
        after: 8760.1,
        bound: Bound::Exact,
        best: Move::Left,
        changes_choice: false,
    };

    #[test]
    fn a_search_of_what_was_skipped_is_told_with_what_it_changes() {
        let worth = "Left would be worth 8,760.1 instead of 8,759.2";
        assert_eq!(
            effect_sentence(&EFFECT, Some(Move::Left), 0),
            format!("{worth}; the choice stays Left")
        );
        let changed = Effect {
            best: Move::Up,
            changes_choice: true,
            ..EFFECT
        };
        assert_eq!(
            effect_sentence(&changed, Some(Move::Left), 0),
            format!("{worth}, and the choice would change to Up")
        );
        let bound = Effect {
            bound: Bound::Upper,
            ..EFFECT
        };
        assert_eq!(
            effect_sentence(&bound, None, 7),
            "Left would be worth ≤ 8,760.1 instead of ≤ 8,759.2"
        );
    }

    #[test]
    fn what_is_still_cut_bounds_what_is_said_of_the_choice() {
        let text = effect_sentence(&EFFECT, Some(Move::Left), 46);
        assert!(
            text.ends_with("the choice stays Left as far as searched"),
            "{text}"
        );
        assert_eq!(nodes_still_cut(264, 46), "264 nodes, 46 of them still cut");
        assert_eq!(nodes_still_cut(264, 0), "264 nodes");
    }

    #[test]
    fn a_small_change_is_no_as_before_and_rounding_is_no_change() {
        assert_eq!(
            worth_now(2_654.126_204, Some(2_654.125_710)),
            "2,654.1262 instead of 2,654.1257"
        );
        assert_eq!(
            worth_now(2650.3 + 4e-13, Some(2650.3)),
            "2,650.3, as before"
        );
        assert_eq!(worth_now(2650.3, None), "2,650.3");
        let small = Effect {
            before: 2_654.125_710,
            after: 2_654.126_204,
            ..EFFECT
        };
        assert!(effect_sentence(&small, None, 0).contains("2,654.1262 instead of 2,654.1257"));
        let rounded = Effect {
            after: EFFECT.before + 2e-12,
            ..EFFECT
        };
        assert_eq!(
            effect_sentence(&rounded, None, 0),
            "Left is worth 8,759.2 as before"
        );
    }
}
