//! What the self-check of a record found, in words.

use crate::search::{Fault, Flaw, Report};
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
        (Some(flaw), _) => format!("{} of {nodes} are wrong: {}", words::count(report.wrong), flaw_text(flaw)),
    }
}

/// What is wrong with a node: `node 12: what leads to it cannot happen`.
pub fn flaw_text(flaw: &Flaw) -> String {
    let what = match flaw.fault {
        Fault::Probabilities { sum } => format!("the probabilities of its spawns add up to {sum}"),
        Fault::BackUp { value, expected } => format!("its value is {value}, but its children give {expected}"),
        Fault::Bound => "whether its value is exact does not follow from its children".to_owned(),
        Fault::BelowEnd => "something lies below it although it ends the search".to_owned(),
        Fault::Structure => "it does not fit together with the nodes around it".to_owned(),
        Fault::Illegal => "what leads to it cannot happen".to_owned(),
        Fault::Slides => "its slides are not the legal ones, each once".to_owned(),
        Fault::Considered { cells, expected } => {
            format!("tiles were considered on {cells} cells, but the rules say {expected}")
        }
        Fault::Kind => "a node of this kind cannot stand here".to_owned(),
        Fault::Evaluation { value, expected } => {
            format!("its value is {value}, but the evaluator says {expected}")
        }
        Fault::Cut => "the rules of the cuts say otherwise".to_owned(),
        Fault::Stored => "the transposition table gave something else than the node it refers to".to_owned(),
        Fault::Counts => "the counts by kind are not those of the nodes".to_owned(),
        Fault::Chosen { value, best } => format!("the chosen move is worth {value}, another {best}"),
    };
    format!("node {}: {what}", flaw.node.0)
}
