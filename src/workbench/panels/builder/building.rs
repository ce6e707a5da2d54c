//! View state that the panels of the builder share.

use std::collections::BTreeSet;

use super::drag::{DragState, Slots};
use super::ordering::Ordering;
use super::rows::Rows;
use super::sampling::Sampling;
use super::trial::{Changes, Trial};
use crate::analysis::Evidence;
use crate::strategy::SharedStrategy;
use crate::workbench::command::{Commands, Panel};
use crate::workbench::state::Document;

#[derive(Debug, Default)]
pub struct Building {
    pub rows: Rows,
    /// The dragged row, and what it would make of the strategy.
    pub drag: DragState,
    /// The effect of the proposal on the pinned positions, as far as it is known.
    pub changes: Option<Changes>,
    pub trial: Trial,
    /// Statistics of the rows over many positions, and the work on them.
    pub sampling: Sampling,
    pub ordering: Ordering,
    pub visible: BTreeSet<Panel>,
    /// Whether the buttons of a strategy are in its menu: everywhere except in the workspace for building.
    pub is_brief: bool,
}

impl Building {
    /// Updates the state from the document. Called once before the panels of a frame.
    pub fn follow(&mut self, doc: &Document) {
        self.rows.follow(doc);
        self.drag.slots = Slots::default();
        let (proposal, visible) = (self.drag.proposal.as_ref(), &self.visible);
        self.trial
            .follow(doc, proposal, visible.contains(&Panel::Pinned));
        self.changes = proposal.and_then(|_| self.trial.changes());
        self.sampling
            .follow(doc, visible.contains(&Panel::Evidence), proposal.is_some());
        self.ordering.follow();
    }

    /// Paints the drop target, and requests the change on release. Called once after the panels of a frame.
    pub fn show_drag(&mut self, ui: &egui::Ui, doc: &Document, commands: &mut Commands) {
        let changes = self.changes.map(|changes| changes.text());
        self.drag.show(ui, changes.as_deref(), doc, commands);
    }

    /// Whether the proposal has changed in this frame and has to be tried. Called after the panels.
    pub fn has_other_proposal(&self) -> bool {
        self.drag
            .proposal
            .as_ref()
            .map(|proposal| proposal.strategy.hash())
            != self.trial.proposed
    }

    /// The statistics of the rows of this strategy over many games, if known.
    pub fn evidence(&self, strategy: &SharedStrategy) -> Option<&Evidence> {
        let evidence = self
            .sampling
            .evidence
            .as_ref()
            .filter(|evidence| evidence.strategy.hash() == strategy.hash());
        evidence.map(|evidence| &*evidence.found)
    }
}
