//! The result of a value iteration, in sentences.

use crate::process::{Process, State};
use crate::words;

/// How it was learned, which states occurred, and whether it has converged.
pub fn lines(learnt: &Process) -> [String; 3] {
    let spec = &learnt.spec;
    let sweeps = words::plural(learnt.solved.residuals.len() as u64, "sweep");
    let change = words::decimals(learnt.solved.residuals.last().copied().unwrap_or(0.0), 4);
    let seen = learnt.seen();
    [
        format!(
            "{}{} of {}, {}",
            if spec.rounds == 1 {
                String::new()
            } else {
                format!("{} rounds of ", spec.rounds)
            },
            words::plural(spec.games, "game"),
            if spec.rounds == 1 {
                learnt.teacher.clone()
            } else {
                format!("{}, then own play", learnt.teacher)
            },
            words::plural(learnt.moves, "slide"),
        ),
        format!(
            "{} of {} states seen, {} %",
            words::count(seen),
            words::count(State::COUNT as u64),
            words::decimals(100.0 * seen as f64 / State::COUNT as f64, 1),
        ),
        match (learnt.solved.has_converged, learnt.solved.error) {
            (true, Some(error)) => {
                let error = words::decimals(
                    error,
                    1 + usize::from(error < 1.0) + usize::from(error < 0.1),
                );
                format!(
                    "converged in {sweeps}: every value is within {error} points of the exact value for the counted \
                     moves"
                )
            }
            (true, None) => format!(
                "converged in {sweeps}: the last sweep changed no value by more than {change} points; the error of the \
                 values is unknown"
            ),
            (false, _) => format!(
                "not converged in {sweeps}: the last sweep still changed a value by {change} points, because points \
                 repeat in a cycle; set ends above 0, or a discount below 1"
            ),
        },
    ]
}
