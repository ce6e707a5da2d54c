//! The result of a tuning, in a sentence.

use crate::preset::Objective;
use crate::tune::Verified;
use crate::words;

/// "On 1,000 fresh games each (seed 2) the winner has a mean score of 4,120 (95 % 3,990 to 4,250), the start …: surely
/// better".
pub fn verified_sentence(objective: Objective, verified: &Verified) -> String {
    let Verified {
        games,
        seed,
        of_winner,
        of_start,
        difference,
        ..
    } = verified;
    let (scale, unit, places) = match objective {
        Objective::Mean => (1.0, "", 1),
        Objective::Reach(_) => (100.0, " %", 1),
    };

    let number = |value: f64| words::decimals(scale * value, places);
    let signed = |value: f64| words::signed(scale * value, places);
    let value_text = |(value, ends): &(f64, crate::stats::Interval)| {
        format!(
            "{}{unit} (95 % {} to {})",
            number(*value),
            number(ends.low),
            number(ends.high)
        )
    };
    let (gain, ends) = difference;
    let points = if unit.is_empty() { "" } else { " points" };
    let verdict = match verified.is_better() {
        Some(true) => "the winner is better",
        Some(false) => "the winner is worse than the start",
        None => "no difference from the start found",
    };

    format!(
        "on {} each (seed {seed}), {objective}: winner {}, start {}; difference on the same seeds {}{points} \
         ({} to {}): {verdict}",
        words::plural(*games, "fresh game"),
        value_text(of_winner),
        value_text(of_start),
        signed(*gain),
        signed(ends.low),
        signed(ends.high),
    )
}
