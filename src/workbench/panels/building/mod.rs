//! What the panels of the builder agree on: the selected row, what a drag would make of the strategy, and what is known of
//! it over many positions.
//!
//! A row is carried by the pointer ([`RowDrag`]) or by the keys ([`Lifted`]). Both say where they hold it; [`carry`] says
//! what that means.

pub mod carry;
mod holding;
mod rows;
mod slots;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use carry::Carried;
pub use holding::{Lifted, RowDrag, plate};
pub use rows::Rows;
pub use slots::Slots;

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
    /// What letting go now would make of the strategy; set every frame while something is carried over it.
    pub proposal: Option<Proposal>,
    /// What the proposal changes on the pinned positions, as far as it is known.
    pub changes: Option<Changes>,
    /// What the rows of the strategy with this hash did over many games.
    pub evidence: Option<(StrategyHash, Arc<Evidence>)>,
    /// The panels that can be seen.
    pub visible: BTreeSet<Panel>,
    /// The row that the keys carry.
    pub lifted: Option<Lifted>,
    /// What happened to a row last, in words for a screen reader and the status bar.
    pub announcement: Option<String>,
    /// Where the rows of the stack and the tabs of the open strategies are, while they are on screen.
    pub slots: Slots,
    /// What the pointer carries, and over which tab since when.
    dragging: Option<holding::Dragging>,
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
        self.slots = Slots::default();
    }

    /// What the rows of the strategy did over many games, if that is known.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref().map(|(_, evidence)| &**evidence)
    }
}
