//! What the self-check of a record found, in words.

use crate::search::Report;
use crate::words;

/// The report in one sentence: `all 1,234 nodes agree with the definition`.
pub fn sentence(report: &Report) -> String {
    let nodes = words::plural(report.nodes, "node");
    match (report.flaws.first(), report.unsure) {
        (None, 0) => format!("all {nodes} agree with the definition"),
        (None, unsure) => {
            let what = if unsure == 1 { "it comes" } else { "they come" };
            format!("{nodes} agree with the definition, {} of them unseen what {what} from", words::count(unsure))
        }
        (Some(flaw), _) => format!("{} of {nodes} are wrong: {}", words::count(report.wrong), flaw),
    }
}
