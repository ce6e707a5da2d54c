//! What the cuts of a search changed.

use crate::search::{Bound, Uncut, UncutMove};
use crate::words;

/// How many decimals values with and without cuts need, so that the written values differ by the written difference.
pub fn places<'a>(moves: impl IntoIterator<Item = &'a UncutMove> + Clone) -> usize {
    let values = moves
        .clone()
        .into_iter()
        .flat_map(|own| [own.before, own.after]);
    let of_sum = |own: &UncutMove| {
        Some(words::places_of_sum(
            &[own.before, own.difference()?],
            own.after,
        ))
    };
    moves
        .into_iter()
        .filter_map(of_sum)
        .fold(words::places(values).max(1), usize::max)
}

/// `Without cuts (4,147 nodes) Left is worth 812.4 instead of 812.0: the cuts changed its value by 0.4 and not the
/// move`.
pub fn sentence(uncut: &Uncut) -> String {
    let (Some(subject), Some(best)) = (uncut.asked(), uncut.moves.first()) else {
        return "Without cuts no move has a value".to_owned();
    };
    let places = places([subject]);
    let [before, after] =
        [subject.before, subject.after].map(|value| words::decimals(value, places));
    let threads = uncut
        .shared_by
        .map(|threads| format!(" on {threads} threads"))
        .unwrap_or_default();
    let nodes = words::plural(uncut.nodes, "node") + &threads;
    let is_same = |by: f64| by.abs() <= 1e-9 * subject.after.abs().max(1.0);
    let instead = match (subject.bound, subject.difference()) {
        (_, Some(by)) if is_same(by) => "as with cuts".to_owned(),
        (_, Some(_)) => format!("instead of {before}"),
        (Bound::Upper, None) => format!("and with cuts at most {before}"),
        (_, None) => format!("and with cuts at least {before}"),
    };

    let value = match subject.difference() {
        Some(by) if !is_same(by) => Some(format!(
            "its value by {}",
            words::decimals(by.abs(), places)
        )),
        _ => None,
    };
    let changed = match (value, uncut.changes_choice) {
        (Some(value), true) => format!(
            "the cuts changed {value} and the move: {} would be played",
            best.mv
        ),
        (Some(value), false) => format!("the cuts changed {value} but not the move"),
        (None, true) => format!("the cuts changed the move: {} would be played", best.mv),
        (None, false) => "the cuts did not change the decision".to_owned(),
    };

    format!(
        "Without cuts ({nodes}) {} is worth {after} {instead}: {changed}",
        subject.mv
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;

    #[test]
    fn values_differ_by_what_is_said_as_they_are_written() {
        let own = |before, after| UncutMove {
            mv: Move::Down,
            before,
            bound: Bound::Exact,
            after,
        };
        let uncut = |own| Uncut {
            nodes: 10,
            shared_by: None,
            chosen: Some(Move::Down),
            changes_choice: false,
            moves: vec![own],
        };
        let text = sentence(&uncut(own(2700.44, 2699.98)));
        assert!(
            text.contains(
                "is worth 2,699.98 instead of 2,700.44: the cuts changed its value by 0.46"
            ),
            "{text}"
        );
        assert_eq!(places([&own(2.5, 3.0)]), 1);
        let bounded = UncutMove {
            bound: Bound::Upper,
            ..own(2700.44, 2699.98)
        };
        assert_eq!(places([&bounded]), 1, "of a bound no difference is said");
    }
}
