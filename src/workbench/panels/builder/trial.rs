//! A change of the strategy tried on the pinned positions: what moves otherwise, and against what it is compared.

use std::sync::Arc;

use super::decisions::{Fits, PinOutcome, PinnedDecisions};
use super::drag::Proposal;
use crate::preset::{Pin, PositionSet};
use crate::strategy::{SharedStrategy, StrategyHash};
use crate::words;
use crate::workbench::state::Document;

/// With what the strategy on screen is compared while nothing is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// As it was before the last edit.
    #[default]
    LastEdit,
    /// As it was opened or saved last.
    Saved,
}

#[derive(Debug, Default)]
pub struct Trial {
    /// What is compared with; the panel of pinned positions chooses.
    pub baseline: Baseline,
    pub(crate) decisions: PinnedDecisions,
    pub set: Arc<PositionSet>,
    /// The one that is looked at: what is proposed, or what is on screen.
    new: Option<SharedStrategy>,
    old: Option<SharedStrategy>,
    /// Hash of the proposal that is tried.
    pub proposed: Option<StrategyHash>,
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
        if known != all {
            return format!("changes {changed} of {known} decided, {} to go", all - known);
        }
        format!("changes {changed} of {}", words::plural(*all as u64, "pinned position"))
    }
}

impl Trial {
    /// Takes over what is on screen; asks only while somebody sees the answer.
    pub(crate) fn follow(&mut self, doc: &Document, proposal: Option<&Proposal>, is_seen: bool) {
        self.set = doc.pins();
        self.proposed = proposal.map(|proposal| proposal.strategy.hash());
        let now = doc.strategy();
        let old = match self.baseline {
            _ if proposal.is_some() => Some(now.clone()),
            Baseline::LastEdit => doc.before_edit(),
            Baseline::Saved => doc.opened().is_edited().then(|| doc.opened().origin.before.clone()),
        };
        let new = proposal.map_or(now, |proposal| proposal.strategy.clone());
        if is_seen || proposal.is_some() {
            let strategies: Vec<SharedStrategy> = [new.clone()].into_iter().chain(old.clone()).collect();
            self.decisions.ask(&strategies, &self.set, doc.game().rules, doc.tasks());
        } else {
            self.decisions.rest();
        }
        (self.new, self.old) = (Some(new), old);
    }

    /// What is known of each position, in their order.
    pub fn outcomes(&self) -> Vec<(&Pin, PinOutcome<'_>)> {
        let sides = [&self.new, &self.old].map(|side| side.as_ref().map(|strategy| (strategy, strategy.hash())));
        let [Some((new, new_hash)), old] = sides else { return Vec::new() };
        let mut fits = [Fits::default(), Fits::default()];
        let mut outcome = |pin: &Pin| {
            let size = pin.board.size();
            if !fits[0].check(new, size) || old.is_some_and(|(old, _)| !fits[1].check(old, size)) {
                return PinOutcome::Impossible;
            }
            match (self.decisions.of(new_hash, pin), old.map(|(_, hash)| self.decisions.of(hash, pin))) {
                (Some(new), Some(Some(old))) => PinOutcome::Decided { old: Some(old), new },
                (Some(new), None) => PinOutcome::Decided { old: None, new },
                _ => PinOutcome::Open,
            }
        };
        self.set.positions.iter().map(|pin| (pin, outcome(pin))).collect()
    }

    /// Why one of the two cannot play on a position.
    pub fn problem(&self, pin: &Pin) -> Option<String> {
        let sides = [&self.new, &self.old].into_iter().flatten();
        sides.map(|strategy| strategy.check(pin.board.size())).find_map(Result::err).map(|error| error.to_string())
    }

    /// On how many positions the two differ; `None` with nothing to compare. Positions on which one of them cannot play
    /// do not count.
    pub fn changes(&self) -> Option<Changes> {
        self.old.as_ref()?;
        let outcomes = self.outcomes();
        let count = |is_it: fn(&PinOutcome<'_>) -> bool| outcomes.iter().filter(|(_, outcome)| is_it(outcome)).count();
        Some(Changes {
            changed: count(|outcome| outcome.is_changed()),
            known: count(|outcome| matches!(outcome, PinOutcome::Decided { .. })),
            all: count(|outcome| *outcome != PinOutcome::Impossible),
        })
    }
}
