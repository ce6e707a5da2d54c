//! What to know about a weighted sum.

use crate::analysis::Weighing;
use crate::words;

/// Whether there is a sum that ranks as the list does, and what the learned one does without, in one or two sentences.
pub fn about_exact_sum(weighing: &Weighing) -> String {
    let exact = match &weighing.exact {
        Ok(_) => "The exact sum ranks as the list does wherever no row differs by more than it ever did on the sample"
            .to_owned(),
        Err(reason) => format!("There is no exact sum: {reason}"),
    };
    match weighing.left_out {
        0 => exact,
        rows => {
            let rows = words::plural(rows as u64, "row");
            format!("The learned sum does without {rows}, which made it no better. {exact}")
        }
    }
}
