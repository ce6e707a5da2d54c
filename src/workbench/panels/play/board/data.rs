//! What the board panel says, prepared without a window.

use crate::words;
use crate::workbench::state::Document;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardData {
    pub score: String,
    /// Slides made up to the board.
    pub place: String,
    /// Behind it: of how many in the line.
    pub of: String,
    pub largest: String,
    /// How the board came about.
    pub last: String,
    /// The same in few letters.
    pub last_short: String,
    /// Which of several ways on this is, if there are several.
    pub branch: Option<String>,
    /// The button that lets the strategy move, with the arrow of its move.
    pub step: String,
}

impl BoardData {
    pub(super) fn new(doc: &Document) -> Self {
        let node = doc.node();
        let branch = doc.fork().map(|fork| {
            let (at, all) = doc.tree().place_among_siblings(fork);
            let what = if doc.tree().node(fork).parent.is_some() { "branch" } else { "game" };
            format!("{what} {} of {all}", at + 1)
        });
        let chosen = doc.decision().and_then(|decision| decision.chosen);
        Self {
            score: words::count(node.score),
            place: words::count(doc.place() as u64),
            of: format!("of {}", words::count(doc.line().len().saturating_sub(1) as u64)),
            largest: words::count(doc.board().max_rank().tile()),
            last: match node.step {
                Some(step) => format!("{} then {}", step.mv.arrow(), step.spawn),
                None if doc.game().title.is_empty() => "start of the game".to_owned(),
                None => doc.game().title.to_string(),
            },
            last_short: node.step.map_or_else(
                || "start".to_owned(),
                |step| format!("{}, {} {}", step.mv.arrow(), step.spawn.rank, step.spawn.cell),
            ),
            branch,
            step: match chosen {
                Some(mv) => format!("Step {}", mv.arrow()),
                None if doc.is_step_waiting() => "Step …".to_owned(),
                None => "Step".to_owned(),
            },
        }
    }
}
