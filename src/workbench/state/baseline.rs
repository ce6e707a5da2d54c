//! The strategy compared with the current one: its decision on the same board, and the positions of the game where the
//! two differ.

use std::time::{Duration, Instant};

use super::core::Decider;
use super::{Comparing, Core, Decided, Document, NodeId, Opened};
use crate::search::SearchOptions;
use crate::strategy::{Decision, SharedStrategy, StrategyHash};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo};
use crate::workbench::state::effect::Effects;

#[derive(Debug)]
pub(super) struct Baseline {
    /// Its index among the open strategies.
    index: usize,
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
        self.comparing.index(self)
    }

    /// Its decision on the current board, or during a search, on the previous one.
    pub fn baseline_decided(&self) -> Option<&Decided> {
        self.comparing.baseline.as_ref()?.decider.decided.as_ref()
    }

    pub fn is_baseline_settled(&self) -> bool {
        let key = self
            .comparing
            .strategy(self)
            .map(|strategy| self.key_of(strategy.hash()));
        self.comparing
            .baseline
            .as_ref()
            .zip(key)
            .is_some_and(|(baseline, key)| baseline.decider.settled(key).is_some())
    }

    pub fn baseline_since(&self) -> Option<Instant> {
        self.comparing.baseline.as_ref()?.decider.search.since()
    }

    /// Why it will not decide on the current board: it cannot play here, or was stopped.
    pub fn baseline_problem(&self) -> Option<String> {
        let strategy = self.comparing.strategy(self)?;
        let problem = strategy
            .check_to_play(self.rules_here())
            .err()
            .map(|error| error.to_string());
        problem.or_else(
            || match self.comparing.baseline.as_ref()?.decider.search.failed()? {
                TaskError::Stopped { after } => {
                    Some(format!("stopped after {:.1} s", after.as_secs_f32()))
                }
                error => Some(error.to_string()),
            },
        )
    }

    pub fn seeks_disagreement(&self) -> bool {
        self.comparing.disagreement.is_pending()
    }
}

impl Comparing {
    /// The index of the compared strategy among the open ones.
    fn index(&self, core: &Core) -> Option<usize> {
        self.baseline
            .as_ref()
            .map(|baseline| baseline.index)
            .filter(|&index| index < core.strategies().len())
    }

    fn strategy<'a>(&self, core: &'a Core) -> Option<&'a SharedStrategy> {
        Some(&core.strategies().get(self.index(core)?)?.strategy)
    }

    pub(super) fn compare_with(&mut self, core: &Core, index: Option<usize>) {
        self.disagreement.clear();
        self.baseline = index.and_then(|index| {
            let strategy = core.strategies().get(index)?.strategy.clone();
            Some(Baseline {
                index,
                strategy,
                open: core.strategies().len(),
                decider: Decider::default(),
            })
        });
    }

    /// Finds the strategy again after strategies were opened, closed or edited; closing it ends the comparison.
    fn follow_baseline(&mut self, core: &Core) {
        let strategies = core.strategies();
        let Some(baseline) = &mut self.baseline else {
            return;
        };
        let is_known = |open: &Opened| open.strategy.is(&baseline.strategy);
        let is_here = strategies.get(baseline.index).is_some_and(is_known);
        // If it is nowhere, it was edited in place or closed.
        let is_changed = strategies.len() == baseline.open;
        let place = if is_here {
            Some(baseline.index)
        } else {
            strategies.iter().position(is_known)
        };
        let found = place
            .or(is_changed.then_some(baseline.index))
            .and_then(|place| Some((place, strategies.get(place)?.strategy.clone())));

        match found {
            Some((index, strategy)) => {
                (baseline.index, baseline.strategy, baseline.open) =
                    (index, strategy, strategies.len());
            }
            None => self.baseline = None,
        }
    }

    /// Requests a decision of the compared strategy, once the current one has decided.
    pub(super) fn refresh(&mut self, core: &Core) {
        self.follow_baseline(core);
        let compared = self
            .strategy(core)
            .map(|other| [core.strategy().hash(), other.hash()]);
        let seeks = self.disagreement.key();
        if seeks.is_some_and(|(from, hashes)| *from != core.cursor() || Some(*hashes) != compared) {
            self.disagreement.clear();
        }

        let Some(Baseline {
            strategy, decider, ..
        }) = &mut self.baseline
        else {
            return;
        };
        decider.turn_to(core.key_of(strategy.hash()));
        if core.searches().is_none() {
            let info = || {
                TaskInfo::asked(
                    TaskGroup::Board,
                    "Searching the same position with the second strategy",
                )
            };
            core.decide(decider, strategy, Duration::ZERO, info);
        }
    }

    /// Takes results; once before each frame. Returns the disagreement that was sought, to be put on the board.
    pub(super) fn poll(&mut self, core: &Core, effects: &mut Effects) -> Option<NodeId> {
        if let Some(Baseline {
            strategy, decider, ..
        }) = &mut self.baseline
        {
            core.take_decision(decider, strategy);
            self.refresh(core);
        }
        if !self.disagreement.poll() {
            return None;
        }

        let found = self.disagreement.take();
        match (found, self.disagreement.failed()) {
            (Some(Some(_)), _) | (None, Some(TaskError::Stopped { .. }) | None) => {}
            (Some(None), _) => {
                effects.info("Both strategies choose the same moves from here to the end");
            }
            (None, Some(reason)) => effects.error(format!("The game cannot be searched: {reason}")),
        }
        self.disagreement.clear();
        found.flatten()
    }

    /// Searches the line for the next or previous position at which the strategies share no best move.
    pub(super) fn seek_disagreement(&mut self, core: &Core, forward: bool) {
        let Some(other) = self.strategy(core) else {
            return;
        };
        let rules = core.game().rules;
        let strategies = [core.strategy(), other.clone()];
        if strategies
            .iter()
            .any(|strategy| strategy.check_to_play(rules).is_err())
        {
            return;
        }

        let hashes = [0, 1].map(|side: usize| strategies[side].hash());
        let players = strategies.map(|strategy| core.player(&strategy, core.game().rules));
        let place = core.place();
        let nodes = if forward {
            core.line().get(place + 1..)
        } else {
            core.line().get(..place)
        }
        .unwrap_or_default();
        let position = |&id: &NodeId| (id, core.tree().node(id).board, core.tree().node(id).score);
        let mut positions: Vec<_> = nodes.iter().map(position).collect();
        if !forward {
            positions.reverse();
        }

        let work = move |job: &Job<_>| {
            let options = SearchOptions::on_one_core(job.token());
            positions
                .into_iter()
                .take_while(|_| !job.is_cancelled())
                .find_map(|(id, board, score)| {
                    if board.legal_moves().len() < 2 {
                        return None;
                    }
                    let [a, b] = players
                        .each_ref()
                        .map(|player| Decision::of(player, (&board, score), |_| 0, options, 0));
                    let differ = a.chosen.is_some()
                        && b.chosen.is_some()
                        && (a.choice & b.choice).is_empty();
                    (differ && !job.is_cancelled()).then_some(id)
                })
        };
        let info = TaskInfo::asked(TaskGroup::Board, "Looking for a disagreement");
        self.disagreement.clear();
        self.disagreement
            .ask((core.cursor(), hashes), core.tasks(), info, work);
    }
}
