//! What the cuts of a search changed.

use crate::search::{Bound, Uncut};
use crate::words;

/// `Without cuts (4,147 nodes) Left is worth 812.4 instead of 812.0: the cuts changed its value by 0.4 and not the move`.
pub fn sentence(uncut: &Uncut) -> String {
    let (Some(asked), Some(best)) = (uncut.asked(), uncut.moves.first()) else {
        return "Without cuts no move has a value".to_owned();
    };
    let places = words::places([asked.before, asked.after]).max(1);
    let [before, after] = [asked.before, asked.after].map(|value| words::decimals(value, places));
    let nodes = words::plural(uncut.nodes, "node");
    let is_same = |by: f64| by.abs() <= 1e-9 * asked.after.abs().max(1.0);
    let instead = match (asked.bound, asked.difference()) {
        (_, Some(by)) if is_same(by) => "as with them".to_owned(),
        (_, Some(_)) => format!("instead of {before}"),
        (Bound::Upper, None) => format!("and with them at most {before}"),
        (_, None) => format!("and with them at least {before}"),
    };
    let value = match asked.difference() {
        Some(by) if !is_same(by) => {
            Some(format!("its value by {}", words::decimals(by.abs(), words::places([by]).max(places))))
        }
        _ => None,
    };
    let changed = match (value, uncut.changes_choice) {
        (Some(value), true) => format!("the cuts changed {value} and the move: {} would be played", best.mv),
        (Some(value), false) => format!("the cuts changed {value} and not the move"),
        (None, true) => format!("the cuts changed the move: {} would be played", best.mv),
        (None, false) => "the cuts changed nothing of the decision".to_owned(),
    };
    format!("Without cuts ({nodes}) {} is worth {after} {instead}: {changed}", asked.mv)
}
