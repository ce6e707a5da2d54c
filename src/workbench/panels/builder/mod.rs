//! What the panels of the builder agree on: the selected row, what a drag would make of the strategy, and what is known of
//! it over many positions.
//!
//! A row is carried by the pointer ([`RowDrag`]) or by the keys ([`Lifted`]). Both say where they hold it; [`carry`] says
//! what that means.

pub(crate) mod carry;
mod holding;
mod menu;
mod ordering;
pub(super) mod palette;
pub(super) mod row;
mod rows;
mod sampling;
mod slots;
pub(super) mod strategy;
pub(super) mod text;
mod trial;
mod verdicts;

use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use carry::Carried;
pub(crate) use holding::Lifted;
pub(crate) use holding::RowDrag;
pub(crate) use menu::{menu_row, show_position};
pub(crate) use ordering::{CONFIRMING, Compared, Confirmed, Ordering};
pub(crate) use rows::Rows;
pub(crate) use sampling::{Known, Order, Price, Sampling, Source};
pub(crate) use slots::Slots;
pub(crate) use trial::{Baseline, Trial};
pub(crate) use verdicts::{Outcome, State};

use crate::analysis::Evidence;
use crate::strategy::{Strategy, StrategyHash};
use crate::words;
use crate::workbench::command::Panel;
use crate::workbench::state::{Document, TELL_AFTER};

/// View state that the panels of the builder share.
#[derive(Debug, Default)]
pub struct Building {
    /// The rows of the strategy on screen.
    pub rows: Rows,
    /// What letting go now would make of the strategy; set every frame while something is carried over it.
    pub proposal: Option<Proposal>,
    /// What the proposal changes on the pinned positions, as far as it is known.
    pub changes: Option<Changes>,
    /// The strategy on the pinned positions.
    pub trial: Trial,
    /// What the rows of the strategy with this hash did over many games.
    pub evidence: Option<(StrategyHash, Arc<Evidence>)>,
    /// What its rows do over many positions, and what is being found out about them.
    pub sampling: Sampling,
    /// Which orders of its rows are the same.
    pub ordering: Ordering,
    /// The panels that can be seen.
    pub visible: BTreeSet<Panel>,
    /// The panel that was asked for by key or menu, until it has given the keyboard to what is worked with in it.
    pub keys_to: Option<Panel>,
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
    pub changed: usize,
    /// Positions that both have decided.
    pub known: usize,
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
        self.rows.follow(doc);
        self.slots = Slots::default();
        self.try_out(doc);
        self.sampling.follow(doc, self.visible.contains(&Panel::Evidence), self.proposal.is_some());
        self.ordering.follow();
        let known = self.sampling.evidence.as_ref().map(|known| (known.hash, known.found.clone()));
        self.evidence = known.filter(|(hash, _)| *hash == doc.strategy().hash());
    }

    /// Tries the proposal, or what was edited last, on the pinned positions.
    fn try_out(&mut self, doc: &Document) {
        let is_seen = self.visible.contains(&Panel::Pinned);
        self.trial.follow(doc, self.proposal.as_ref(), is_seen);
        self.changes = self.proposal.as_ref().and_then(|_| self.trial.changes());
    }

    /// After the panels of a frame: whether what is carried has come to another place, so that it has to be tried.
    pub fn has_other_proposal(&self) -> bool {
        self.proposal.as_ref().map(|proposal| proposal.strategy.hash()) != self.trial.proposed()
    }

    /// Whether there is anything that Escape would end.
    pub fn can_stop(&self) -> bool {
        matches!(self.trial.state(), State::Deciding(_)) || self.sampling.is_busy() || self.ordering.is_busy()
    }

    /// What keeps the cores busy, once that takes long.
    pub fn busy(&self) -> Option<String> {
        let deciding = match self.trial.state() {
            State::Deciding(since) if TELL_AFTER <= since.elapsed() => Some("Deciding pinned positions".to_owned()),
            _ => None,
        };
        let busy: Vec<String> = deciding.into_iter().chain(self.sampling.busy()).chain(self.ordering.busy()).collect();
        (!busy.is_empty()).then(|| busy.join(" · "))
    }

    /// Ends what is being decided; says whether there was anything to end.
    pub fn stop(&mut self) -> bool {
        // All of it: whoever presses Escape wants quiet.
        self.trial.stop() | self.sampling.stop() | self.ordering.stop()
    }

    /// Whether this panel is to give the keyboard to what is worked with in it; once.
    pub fn takes_keys(&mut self, panel: Panel) -> bool {
        self.keys_to.take_if(|to| *to == panel).is_some()
    }

    /// What the rows of the strategy did over many games, if that is known.
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref().map(|(_, evidence)| &**evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::command::StrategyCommand;
    use crate::workbench::state::Surroundings;

    /// A document with these strategies open behind those it begins with.
    pub(super) fn document(letters: &[&str]) -> Document {
        let surroundings = Surroundings {
            wake: Arc::new(|| {}),
            wake_at_once: Arc::new(|| {}),
            config_dir: None,
            threads: None,
            autoplay_speed: 1.0,
        };
        let mut doc = Document::new(surroundings);
        for letters in letters {
            let strategy = Strategy::from_letters(letters).expect("letters");
            doc.apply(&StrategyCommand::Open(Box::new(strategy)).into());
        }
        doc
    }
}
