//! What a search that was made later changes at the root.

use crate::game::Move;
use crate::search::Effect;
use crate::words;

/// `Left would be worth 812.4 instead of 811.0; the choice stays Left`.
pub fn effect_sentence(effect: &Effect, chosen: Option<Move>) -> String {
    let bounded = |value| format!("{}{}", effect.bound.sign(), words::decimals(value, 1));
    let [before, after] = [effect.before, effect.after].map(bounded);
    let worth = if before == after {
        format!("{} is worth {after} as before", effect.mv)
    } else {
        format!("{} would be worth {after} instead of {before}", effect.mv)
    };
    match (effect.changes_choice, chosen) {
        (true, _) => format!("{worth}, and the choice would change to {}", effect.best),
        (false, Some(chosen)) => format!("{worth}; the choice stays {chosen}"),
        (false, None) => worth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Bound;

    #[test]
    fn a_search_of_what_was_skipped_is_told_with_what_it_changes() {
        let effect = |changes_choice| Effect {
            mv: Move::Left,
            before: 8759.2,
            after: 8760.1,
            bound: Bound::Exact,
            best: if changes_choice { Move::Up } else { Move::Left },
            changes_choice,
        };
        let worth = "Left would be worth 8,760.1 instead of 8,759.2";
        assert_eq!(effect_sentence(&effect(false), Some(Move::Left)), format!("{worth}; the choice stays Left"));
        assert_eq!(
            effect_sentence(&effect(true), Some(Move::Left)),
            format!("{worth}, and the choice would change to Up")
        );
        let bound = Effect { bound: Bound::Upper, ..effect(false) };
        assert_eq!(effect_sentence(&bound, None), "Left would be worth ≤ 8,760.1 instead of ≤ 8,759.2");
    }
}
