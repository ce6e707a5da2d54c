//! Significant differences between the strategies of the shown run, as ranks, classes and identical play.
//!
//! A background task computes them when the run is over.

use crate::experiment::Standings;
use crate::stats::Planned;
use crate::task::{Latest, TaskInfo};
use crate::workbench::state::Document;

/// Ranks and classes of the shown run.
#[derive(Debug, Default)]
pub(crate) struct StandingsView {
    /// Keyed by run and version of its numbers.
    found: Latest<(u64, u64), Option<Standings>>,
    /// Increases with every result.
    version: u64,
}

impl StandingsView {
    /// Requests the standings once a run is over, and takes results; `planned` is `None` unless all games share their
    /// tiles.
    pub(super) fn follow(&mut self, doc: &Document, planned: Option<Planned>) {
        let shown = doc
            .shown()
            .and_then(|last_run| Some((last_run, last_run.run.as_ref()?)));
        let over = shown
            .filter(|(last_run, _)| !last_run.is_busy())
            .zip(planned);
        let Some(((last_run, run), planned)) = over else {
            self.found.cancel();
            return;
        };
        let games = run.games().clone();
        let info = TaskInfo::told("Comparing the strategies");
        self.found.ask(
            (last_run.runs, last_run.version),
            doc.tasks(),
            info,
            move |job| games.standings(planned, &|| job.is_cancelled()),
        );
        self.version += u64::from(self.found.poll());
    }

    pub(super) fn known(&self) -> Option<&Standings> {
        self.found.known()?.as_ref()
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The letters of a strategy; two share a letter if and only if they are indistinguishable.
    pub(super) fn class(&self, place: usize) -> Option<&str> {
        self.known()?.class(place)
    }
}

/// Whether a row starts another group: it shares no letter with the row above.
pub(super) fn is_apart(above: Option<&str>, class: Option<&str>) -> bool {
    above
        .zip(class)
        .is_some_and(|(above, class)| !class.chars().any(|letter| above.contains(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_begins_where_no_letter_is_that_of_the_row_above() {
        let classes = ["a", "ab", "b", "c", "cd"];
        let apart: Vec<bool> = classes
            .windows(2)
            .map(|two| is_apart(Some(two[0]), Some(two[1])))
            .collect();
        assert_eq!(apart, [false, false, true, false]);
        assert!(
            !is_apart(None, Some("a")) && !is_apart(Some("a"), None),
            "nothing is known of one that has no class"
        );
    }
}
