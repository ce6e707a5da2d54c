//! Sums over a record of samples: the self-check, and the two terms of UCB.

use super::check::{Fault, Report, agree};
use super::node::Node;
use super::view::Place;
use super::{NodeId, Start, Tree};
use crate::game::{Move, Rank};
use crate::search::sampling::{exploration, worth_of};
use crate::search::{Method, NodesBy, Rule, Sample, Worth};
use crate::stats::RunningMean;

/// Why a move was tried as often as it was: the two terms of its upper bound at the end of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb {
    pub mean: f64,
    /// c · σ · √(ln N / n).
    pub exploration: f64,
    /// c.
    pub factor: f64,
    /// σ: the standard deviation of the results below the parent.
    pub deviation: f64,
    /// N: how often the moves of the parent were tried.
    pub all: u64,
    /// n: how often this move was tried.
    pub tried: u64,
    /// The number of boards of the record that the numbers cover: 1, unless nodes are identified by their moves alone.
    pub boards: u64,
}

impl Ucb {
    pub fn bound(&self) -> f64 {
        self.mean + self.exploration
    }
}

impl Tree {
    /// The two terms of UCB of a slide, as the search would use them next. `None` at other nodes, for a slide that was
    /// never tried, and where no tree grows. If nodes are identified by their moves alone, the terms cover all boards
    /// of the record after the same moves; `None` if the record lacks some of them.
    pub fn ucb(&self, id: NodeId) -> Option<Ucb> {
        let Method::Tree(growth) = &self.subject.definition.lookahead.sampled()?.method else {
            return None;
        };
        let (parent, mv) = (self.parent(id)?, self.slide(id)?);
        let (above, turns) = match growth.nodes_by {
            NodesBy::ClosedLoop => (self.sample(parent)?.all, vec![parent]),
            NodesBy::OpenLoop => self.behind_same_moves(parent)?,
        };

        let tried = |mv: Move| {
            let mut sum = RunningMean::EMPTY;
            let slides = turns
                .iter()
                .flat_map(|&turn| self.children(turn))
                .filter(|&child| self.slide(child) == Some(mv));
            slides
                .filter_map(|slide| self.sample(slide))
                .for_each(|sample| sum.merge(&sample.all));
            sum
        };
        let own = tried(mv);
        if own.count() == 0 {
            return None;
        }

        // Moves that are illegal here do not count, whatever other boards they were tried on.
        let all = self
            .children(parent)
            .filter_map(|child| self.slide(child))
            .map(|mv| tried(mv).count())
            .sum();
        let (factor, deviation) = (growth.exploration, above.std_dev().unwrap_or(0.0));
        let exploration = exploration(factor, deviation, all, own.count());
        let sign = if parent == self.root() {
            self.objective().sign()
        } else {
            1.0
        };
        let boards = turns.len() as u64;
        let (mean, tried) = (own.mean(), own.count());
        Some(Ucb {
            mean,
            exploration: sign * exploration,
            factor,
            deviation,
            all,
            tried,
            boards,
        })
    }

    /// The results after the moves that lead to a board to move, whatever the spawns in between, and the boards that
    /// the moves lead to. `None` if the record leaves some out.
    fn behind_same_moves(&self, turn: NodeId) -> Option<(RunningMean, Vec<NodeId>)> {
        let mut moves: Vec<Move> = std::iter::successors(Some(turn), |&id| self.parent(id))
            .filter_map(|id| self.slide(id))
            .collect();
        let mut turns = vec![self.root()];
        let mut above = self.sample(self.root())?.all;
        while let Some(mv) = moves.pop() {
            above = RunningMean::EMPTY;
            let mut next = Vec::new();
            for &turn in &turns {
                for slide in self
                    .children(turn)
                    .filter(|&child| self.slide(child) == Some(mv))
                {
                    self.sample(slide)
                        .into_iter()
                        .for_each(|sample| above.merge(&sample.all));
                    next.extend(
                        self.children(slide)
                            .filter(|&spawn| self.sample(spawn).is_some()),
                    );
                    if self.left_out_at(slide) != 0 {
                        return None;
                    }
                }
            }
            turns = next;
        }

        let is_whole = turns.iter().all(|&turn| self.left_out_at(turn) == 0);
        is_whole.then_some((above, turns))
    }

    /// Checks the samples, means, kind, board and spawns of one node.
    pub(super) fn check_sampled(
        &self,
        id: NodeId,
        node: &Node,
        place: &Place,
        report: &mut Report,
    ) {
        let sample = self.samples.get(id.0 as usize).copied().unwrap_or_default();
        let is_choice = id.0 == 0 && matches!(self.subject.start, Start::Choice { .. });
        let fits = match node.rule() {
            Rule::MaxOf | Rule::MinOf => is_choice,
            Rule::MovesTried => place.is_turn,
            Rule::Sampled => place.is_turn,
            Rule::Dead => place.is_turn && self.is_over(place),
            Rule::SpawnsDrawn => !place.is_turn,
            Rule::NotExpanded => sample.all.count() == 0,
            _ => false,
        };
        report.expect(
            fits && (sample.all.count() != 0 || node.rule().is_stub()),
            id,
            Fault::Kind,
        );
        match node.rule() {
            Rule::NotExpanded => return,
            Rule::MaxOf | Rule::MinOf | Rule::MovesTried => self.check_slides(id, place, report),
            Rule::SpawnsDrawn => self.check_drawn(id, node, place, report),
            Rule::Dead => self.check_end(id, node, place, report),
            _ => {}
        }

        if self.left_out_at(id) != 0 {
            report.unsure += 1;
            return;
        }

        let expected = self.added_up(id, &sample);
        report.expect(
            expected.count() == sample.all.count(),
            id,
            Fault::Visits {
                visits: sample.all.count(),
                expected: expected.count(),
            },
        );
        let mean = sample.all.mean();
        let value = if is_choice {
            mean
        } else {
            node.value().unwrap_or(f64::NAN)
        };
        let is_right = agree(mean, expected.mean()) && agree(value, mean);
        report.expect(
            is_right,
            id,
            Fault::BackUp {
                value,
                expected: expected.mean(),
            },
        );
    }

    /// The sum of the samples of the children and the node's own.
    fn added_up(&self, id: NodeId, sample: &Sample) -> RunningMean {
        let mut sum = sample.own;
        self.children(id)
            .filter_map(|child| self.sample(child))
            .for_each(|below| sum.merge(&below.all));
        sum
    }

    fn is_over(&self, place: &Place) -> bool {
        let stop_at = self.subject.definition.rules.stop_at;
        place.board.is_dead() || stop_at.is_some_and(|rank: Rank| rank <= place.board.max_rank())
    }

    /// Checks the spawns below an afterstate: each occurs once, and the probabilities add up.
    fn check_drawn(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let (cells, expected) = (node.considered(), place.board.empty_count());
        if cells != expected {
            return report.add(id, Fault::Considered { cells, expected });
        }
        if self.left_out_at(id) != 0 {
            return;
        }
        let sum = self.sum_of_spawns(id, cells, report);
        report.expect(agree(sum, 1.0), id, Fault::Probabilities { sum });
    }

    /// Checks a board at which the game is over: every sample that came here has the same value.
    fn check_end(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let definition = &self.subject.definition;
        let playout = definition
            .lookahead
            .sampled()
            .and_then(|sampled| sampled.method.playout());
        let worth = playout.map_or(Worth::Evaluator, |playout| playout.of);
        let expected = worth_of(worth, &definition.evaluator, &place.board, place.score);
        let value = node.value().unwrap_or(f64::NAN);
        report.expect(
            agree(value, expected),
            id,
            Fault::Evaluation { value, expected },
        );
    }
}
