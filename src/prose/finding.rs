//! Oddities of a row with their remedies.

use crate::analysis::{Example, Finding, Observed, ToleratedOn};
use crate::strategy::{Criterion, Strategy};
use crate::words::{self, decimals_short, plural};

pub fn finding(finding: &Finding, strategy: &Strategy) -> String {
    let said = match &finding.observed {
        Observed::Warning(warning) => return words::capitalised(&warning.reason),
        Observed::NeverReached { decisions } => format!(
            "was never reached in {} because the rows before it always left one move: move it up, give one of them a \
             tolerance, or remove it",
            plural(*decisions, "decision")
        ),
        Observed::OneValue { positions } => {
            format!(
                "gives all moves the same value on each of {}: remove or change it",
                plural(*positions, "position")
            )
        }
        Observed::AlwaysTied { decisions } => format!(
            "found a tie in all {} that reached it because the rows before it leave nothing to separate: move it up or \
             remove it",
            plural(*decisions, "decision")
        ),
        Observed::Tolerated {
            tolerance,
            widest,
            on,
        } => {
            let (tolerance, widest) = (decimals_short(*tolerance), words::value(*widest));
            match on {
                ToleratedOn::Positions(positions) => format!(
                    "keeps every move: its tolerance of {tolerance} covers {widest}, the largest difference of its values \
                     on {}: make it smaller",
                    plural(*positions, "position")
                ),
                ToleratedOn::Decisions(decisions) => format!(
                    "kept every move in all {} that reached it: its tolerance of {tolerance} covers {widest}, the \
                     largest difference of its values there: make it smaller",
                    plural(*decisions, "decision")
                ),
            }
        }
        Observed::NotSymmetric => {
            let Some(Example::Pair {
                values: (one, other),
                symmetry,
                ..
            }) = &finding.example
            else {
                return String::new();
            };
            let [mut first, mut second] = [one, other].map(|value| words::value(*value));
            if first == second {
                (first, second) = (one.to_string(), other.to_string());
            }
            format!(
                "is not symmetric: a board worth {first} is worth {second} when it is {}: change it unless you prefer \
                 one corner",
                symmetry.name()
            )
        }
    };
    let label = strategy
        .criteria
        .get(finding.row)
        .map(Criterion::label)
        .unwrap_or_default();
    format!("Row {}, {label}, {said}", finding.row + 1)
}
