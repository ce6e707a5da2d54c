//! The strategy compared with the current one: its decision on the same board, and the positions of the game where the
//! two differ.

use std::time::{Duration, Instant};

use super::core::{Decider, DecisionKey};
use super::{Decided, Document, NodeId, Opened};
use crate::search::SearchOptions;
use crate::strategy::{Decision, SharedStrategy, StrategyHash};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo};
use crate::workbench::state::effect::Effects;

#[derive(Debug)]
pub(super) struct Baseline {
    /// Its index among the open strategies.
    pub(super) index: usize,
    /// The strategy itself, to find it again when others are opened or closed before it.
    strategy: SharedStrategy,
    /// The number of open strategies then.
    open: usize,
    decider: Decider,
}

/// The search of the game for a disagreement, keyed by start position and strategies.
pub(super) type Disagreement = Latest<(NodeId, [StrategyHash; 2]), Option<NodeId>>;

impl Document {
    /// The index of the compared strategy.
    pub fn baseline(&self) -> Option<usize> {
        self.comparing.baseline.as_ref().map(|baseline| baseline.index).filter(|&index| index < self.strategies().len())
    }

    fn baseline_strategy(&self) -> Option<&SharedStrategy> {
        Some(&self.strategies().get(self.baseline()?)?.strategy)
    }

    fn baseline_key(&self) -> Option<DecisionKey> {
        Some(self.key_of(self.baseline_strategy()?.hash()))
    }

    /// Its decision on the current board, or during a search, on the previous one.
    pub fn baseline_decided(&self) -> Option<&Decided> {
        self.comparing.baseline.as_ref()?.decider.decided.as_ref()
    }

    pub fn is_baseline_settled(&self) -> bool {
        let settled = |baseline: &Baseline| Some(baseline.decider.settled(self.baseline_key()?)?.number);
        self.comparing.baseline.as_ref().and_then(settled).is_some()
    }

    pub fn baseline_since(&self) -> Option<Instant> {
        self.comparing.baseline.as_ref()?.decider.search.since()
    }

    /// Why it will not decide on the current board: it cannot play here, or was stopped.
    pub fn baseline_problem(&self) -> Option<String> {
        let problem = self.baseline_strategy()?.check_to_play(self.rules_here()).err().map(|error| error.to_string());
        problem.or_else(|| match self.comparing.baseline.as_ref()?.decider.search.failed()? {
            TaskError::Stopped { after } => Some(format!("stopped after {:.1} s", after.as_secs_f32())),
            error => Some(error.to_string()),
        })
    }

    pub fn seeks_disagreement(&self) -> bool {
        self.comparing.disagreement.is_pending()
    }

    pub(super) fn compare_with(&mut self, index: Option<usize>) {
        self.comparing.disagreement.clear();
        self.comparing.baseline = index.and_then(|index| {
            let strategy = self.strategies().get(index)?.strategy.clone();
            Some(Baseline { index, strategy, open: self.strategies().len(), decider: Decider::default() })
        });
    }

    /// Finds the strategy again after strategies were opened, closed or edited; closing it ends the comparison.
    fn follow_baseline(&mut self) {
        let strategies = self.core.strategies();
        let Some(Baseline { index, strategy: known, open, .. }) = &self.comparing.baseline else { return };
        let is_known = |open: &Opened| open.strategy.is(known);
        let is_here = strategies.get(*index).is_some_and(is_known);
        // If it is nowhere, it was edited in place or closed.
        let is_changed = strategies.len() == *open;
        let place = if is_here { Some(*index) } else { strategies.iter().position(is_known) };
        let found = place
            .or(is_changed.then_some(*index))
            .and_then(|place| Some((place, strategies.get(place)?.strategy.clone())));

        match (found, &mut self.comparing.baseline) {
            (Some((index, strategy)), Some(baseline)) => {
                (baseline.index, baseline.strategy, baseline.open) = (index, strategy, strategies.len());
            }
            _ => self.comparing.baseline = None,
        }
    }

    /// Requests a decision of the compared strategy, once the current one has decided.
    pub(super) fn refresh_baseline(&mut self) {
        self.follow_baseline();
        let compared = self.baseline_strategy().map(|other| [self.strategy().hash(), other.hash()]);
        let seeks = self.comparing.disagreement.key();
        if seeks.is_some_and(|(from, of)| *from != self.content().cursor || Some(*of) != compared) {
            self.comparing.disagreement.clear();
        }
        let Some(mut baseline) = self.comparing.baseline.take() else { return };
        let strategy = &baseline.strategy;
        baseline.decider.turn_to(self.key_of(strategy.hash()));
        if self.searches().is_none() {
            let info = || TaskInfo::asked(TaskGroup::Board, "Searching the same position with the second strategy");
            self.core.decide(&mut baseline.decider, strategy, Duration::ZERO, info);
        }
        self.comparing.baseline = Some(baseline);
    }

    /// Takes results; once before each frame.
    pub(super) fn poll_baseline(&mut self, effects: &mut Effects) {
        if let Some(mut baseline) = self.comparing.baseline.take() {
            self.take_decision(&mut baseline.decider, &baseline.strategy);
            self.comparing.baseline = Some(baseline);
            self.refresh_baseline();
        }
        if !self.comparing.disagreement.poll() {
            return;
        }

        match (self.comparing.disagreement.take(), self.comparing.disagreement.failed()) {
            (Some(Some(node)), _) => {
                self.go_to(node);
                self.refresh();
            }
            (Some(None), _) => effects.info("Both strategies choose the same moves from here to the end"),
            (None, Some(TaskError::Stopped { .. }) | None) => {}
            (None, Some(reason)) => effects.error(format!("The game cannot be searched: {reason}")),
        }
        self.comparing.disagreement.clear();
    }

    /// Searches the line for the next or previous position at which the strategies share no best move.
    pub(super) fn seek_disagreement(&mut self, forward: bool) {
        let Some(other) = self.baseline_strategy() else { return };
        let rules = self.game().rules;
        let strategies = [self.strategy(), other.clone()];
        if strategies.iter().any(|strategy| strategy.check_to_play(rules).is_err()) {
            return;
        }

        let hashes = [0, 1].map(|side: usize| strategies[side].hash());
        let players = strategies.map(|strategy| self.player(&strategy, self.game().rules));
        let place = self.place();
        let nodes = if forward { self.line().get(place + 1..) } else { self.line().get(..place) }.unwrap_or_default();
        let of = |&id: &NodeId| (id, self.tree().node(id).board, self.tree().node(id).score);
        let mut positions: Vec<_> = nodes.iter().map(of).collect();
        if !forward {
            positions.reverse();
        }

        let work = move |job: &Job<_>| {
            let options = SearchOptions::on_one_core(job.token());
            positions.into_iter().take_while(|_| !job.is_cancelled()).find_map(|(id, board, score)| {
                if board.legal_moves().len() < 2 {
                    return None;
                }
                let [a, b] = players.each_ref().map(|player| Decision::of(player, (&board, score), |_| 0, options, 0));
                let differ = a.chosen.is_some() && b.chosen.is_some() && (a.choice & b.choice).is_empty();
                (differ && !job.is_cancelled()).then_some(id)
            })
        };
        let info = TaskInfo::asked(TaskGroup::Board, "Looking for a disagreement");
        self.comparing.disagreement.clear();
        self.comparing.disagreement.ask((self.core.cursor(), hashes), self.core.tasks(), info, work);
    }
}
