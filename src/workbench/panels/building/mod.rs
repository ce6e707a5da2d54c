//! What the panels of the builder agree on: the selected row, what a drag would make of the strategy, and what is known of
//! it over many positions.

mod menu;
mod rows;
mod trial;
mod verdicts;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use menu::menu_row;
pub use rows::Rows;
pub use trial::{Baseline, Trial};
pub use verdicts::{Outcome, State};

use crate::strategy::{Strategy, StrategyHash};
use crate::study::Evidence;
use crate::words;
use crate::workbench::document::Document;
use crate::workbench::layout::Panel;

/// View state that the panels of the builder share.
#[derive(Debug, Default)]
pub struct Building {
    /// The rows of the strategy on screen.
    pub rows: Rows,
    /// What letting go now would make of the strategy; set by the stack while something is carried over it.
    pub proposal: Option<Proposal>,
    /// What the proposal changes on the pinned positions, as far as it is known.
    pub changes: Option<Changes>,
    /// The strategy on the pinned positions.
    pub trial: Trial,
    /// What the rows of the strategy with this hash did over many games.
    pub evidence: Option<(StrategyHash, Arc<Evidence>)>,
    /// The panels that can be seen.
    pub visible: BTreeSet<Panel>,
}

/// A change that is not made yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The strategy as it would be.
    pub strategy: Arc<Strategy>,
    /// What would change, to follow an "if": "Monotonicity moves below Expectimax".
    pub words: String,
}

/// On how many positions a proposal moves otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Where it moves otherwise.
    pub changed: usize,
    /// Positions that both have decided.
    pub known: usize,
    /// All positions.
    pub all: usize,
}

impl Changes {
    /// "changes 3 of 40", or how far it got.
    pub fn text(&self) -> String {
        let Self { changed, known, all } = self;
        if known == all {
            format!("changes {changed} of {}", words::plural(*all as u64, "pinned position"))
        } else {
            format!("changes {changed} of {known} decided, {} to go", all - known)
        }
    }
}

impl Building {
    /// Takes over what is on screen now; once before the panels of a frame.
    pub fn follow(&mut self, doc: &Document) {
        self.rows.follow(doc.current(), &doc.strategy().criteria);
        self.evidence.take_if(|(hash, _)| *hash != doc.strategy().hash());
        self.try_out(doc);
    }

    /// Tries the proposal, or what was edited last, on the pinned positions.
    fn try_out(&mut self, doc: &Document) {
        let is_seen = self.visible.contains(&Panel::Pinned);
        self.trial.follow(doc, self.proposal.as_ref(), is_seen);
        self.changes = self.proposal.as_ref().and_then(|_| self.trial.changes());
    }

    /// After the stack was drawn: whether what is carried has come to another place, so that it has to be tried.
    pub fn has_other_proposal(&self) -> bool {
        self.proposal.as_ref().map(|proposal| proposal.strategy.hash()) != self.trial.proposed()
    }

    /// Ends what is being decided; says whether there was anything to end.
    pub fn stop(&mut self) -> bool {
        self.trial.stop()
    }

    /// What the rows of the strategy did over many games, if that is known.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref().map(|(_, evidence)| &**evidence)
    }
}
