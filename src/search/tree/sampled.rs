//! What a record of samples adds up to: the self-check, and the two terms of UCB.

use super::check::{Fault, Report, agree};
use super::node::Node;
use super::view::Place;
use super::{NodeId, Start, Tree};
use crate::game::Rank;
use crate::search::sampling::{exploration, worth_of};
use crate::search::{Method, Rule, Sample, Worth};
use crate::stats::RunningMean;

/// Why a move was tried as often as it was: the two terms of its upper bound at the end of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ucb {
    pub mean: f64,
    /// c · σ · √(ln N / n).
    pub exploration: f64,
    /// c.
    pub factor: f64,
    /// σ: the standard deviation of what came out below the node above.
    pub deviation: f64,
    /// N: how often the moves of the node above were tried.
    pub all: u64,
    /// n: how often this one.
    pub tried: u64,
}

impl Ucb {
    pub fn bound(&self) -> f64 {
        self.mean + self.exploration
    }
}

impl Tree {
    /// The two terms of UCB of a slide as the search would take them next. `None` at other nodes, for a slide that was never
    /// tried, and where no tree grows. Where nodes stand for moves alone they are of the move at the root: below, the search
    /// adds up what the record has board by board.
    pub fn ucb(&self, id: NodeId) -> Option<Ucb> {
        let Method::Tree(growth) = &self.subject.definition.lookahead.sampled()?.method else { return None };
        let parent = self.parent(id).filter(|_| self.slide(id).is_some())?;
        if growth.nodes_by == crate::search::NodesBy::OpenLoop && parent != self.root() {
            return None;
        }
        let (own, above) = (self.sample(id)?.all, self.sample(parent)?.all);
        let slides = self.children(parent).filter_map(|child| self.sample(child));
        let (all, tried) = (slides.map(|sample| sample.all.count()).sum(), own.count());
        let (factor, deviation) = (growth.exploration, above.std_dev().unwrap_or(0.0));
        let exploration = exploration(factor, deviation, all, tried);
        let sign = if parent == self.root() { self.objective().sign() } else { 1.0 };
        Some(Ucb { mean: own.mean(), exploration: sign * exploration, factor, deviation, all, tried })
    }

    /// Samples, means, kinds of nodes, boards and spawns of one node.
    pub(super) fn check_sampled(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
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
        report.expect(fits && (sample.all.count() != 0 || node.rule().is_stub()), id, Fault::Kind);
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
            Fault::Visits { visits: sample.all.count(), expected: expected.count() },
        );
        let mean = sample.all.mean();
        let value = if is_choice { mean } else { node.value().unwrap_or(f64::NAN) };
        let is_right = agree(mean, expected.mean()) && agree(value, mean);
        report.expect(is_right, id, Fault::BackUp { value, expected: expected.mean() });
    }

    /// The samples of the children and those that are a node's own.
    fn added_up(&self, id: NodeId, sample: &Sample) -> RunningMean {
        let mut sum = sample.own;
        self.children(id).filter_map(|child| self.sample(child)).for_each(|below| sum.merge(&below.all));
        sum
    }

    fn is_over(&self, place: &Place) -> bool {
        let stop_at = self.subject.definition.rules.stop_at;
        place.board.is_dead() || stop_at.is_some_and(|rank: Rank| rank <= place.board.max_rank())
    }

    /// The spawns below an afterstate: each once, with probabilities that add up.
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

    /// A board at which the game is over: every sample that came here is worth the same.
    fn check_end(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let definition = &self.subject.definition;
        let of = definition.lookahead.sampled().and_then(|sampled| sampled.method.playout());
        let of = of.map_or(Worth::Evaluator, |playout| playout.of);
        let expected = worth_of(of, &definition.evaluator, &place.board, place.score);
        let value = node.value().unwrap_or(f64::NAN);
        report.expect(agree(value, expected), id, Fault::Evaluation { value, expected });
    }
}
