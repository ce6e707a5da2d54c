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
    /// What is dragged, and what that would make of the strategy.
    pub drag: DragState,
    /// What the proposal changes on the pinned positions, as far as it is known.
    pub changes: Option<Changes>,
    pub trial: Trial,
    /// What its rows do over many positions, and what is being found out about them.
    pub sampling: Sampling,
    pub ordering: Ordering,
    pub visible: BTreeSet<Panel>,
    /// Whether the buttons of a strategy stand in its menu: everywhere but in the workspace for it.
    pub is_brief: bool,
}

impl Building {
    /// Takes over what is on screen now; once before the panels of a frame.
    pub fn follow(&mut self, doc: &Document) {
        self.rows.follow(doc);
        self.drag.slots = Slots::default();
        let (proposal, visible) = (self.drag.proposal.as_ref(), &self.visible);
        self.trial.follow(doc, proposal, visible.contains(&Panel::Pinned));
        self.changes = proposal.and_then(|_| self.trial.changes());
        self.sampling.follow(doc, visible.contains(&Panel::Evidence), proposal.is_some());
        self.ordering.follow();
    }

    /// Paints where what is dragged would go, and asks for it when it is let go; once after the panels of a frame.
    pub fn show_drag(&mut self, ui: &egui::Ui, doc: &Document, commands: &mut Commands) {
        let changes = self.changes.map(|changes| changes.text());
        self.drag.show(ui, changes.as_deref(), doc, commands);
    }

    /// After the panels of a frame: whether what is dragged has come to another place, so that it has to be tried.
    pub fn has_other_proposal(&self) -> bool {
        self.drag.proposal.as_ref().map(|proposal| proposal.strategy.hash()) != self.trial.proposed
    }

    /// What the rows of this strategy did over many games, if that is known.
    pub fn evidence(&self, of: &SharedStrategy) -> Option<&Evidence> {
        let known = self.sampling.evidence.as_ref().filter(|known| known.strategy.hash() == of.hash());
        known.map(|known| &*known.found)
    }
}
