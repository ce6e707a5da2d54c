//! Backs up values: computes the value of a node from those of its children, by the node's rule.

use super::{NodeId, Tree};
use crate::game::Rank;
use crate::search::{Edge, Rule};

impl Tree {
    /// The value that the node's rule gives for these children, in visit order. With all children it is the node's
    /// value, with some of them the running value. `None` before any child counts.
    pub(super) fn backed_up(
        &self,
        id: NodeId,
        children: impl Iterator<Item = (NodeId, f64)>,
    ) -> Option<f64> {
        let node = self.at(id);
        let considered = node.considered();
        match node.rule() {
            Rule::MaxOf => children
                .map(|(_, value)| value)
                .reduce(f64::max)
                .map(|best| best.max(self.least_of_slides())),
            Rule::MinOf => children.map(|(_, value)| value).reduce(f64::min),
            Rule::MeanOf | Rule::SumOf => {
                let (sum, weight) = children.fold((0.0, 0.0), |(sum, weight), (child, value)| {
                    let share = self.share(child, considered);
                    (sum + share * value, weight + share)
                });
                let scale = if node.rule() == Rule::MeanOf {
                    1.0 / weight
                } else {
                    f64::from(considered)
                };
                (0.0 < weight).then_some(sum * scale)
            }
            Rule::LeastMeanOf => self.least_mean(children),
            Rule::MeanLeastOf => self.mean_least(children),
            _ => None,
        }
    }

    pub(super) fn least_of_slides(&self) -> f64 {
        self.subject.definition.lookahead.dead().least_of_slides()
    }

    /// The least mean over 2 and 4 among the complete cells. The two tiles of a cell are adjacent in `children`.
    fn least_mean(&self, children: impl Iterator<Item = (NodeId, f64)>) -> Option<f64> {
        let (mut mean, mut weight, mut last) = (0.0, 0.0, None);
        let means = children.filter_map(|(child, value)| {
            let Some(Edge::Spawn { cell, .. }) = self.at(child).edge() else {
                return None;
            };
            if last.replace(cell) != Some(cell) {
                (mean, weight) = (0.0, 0.0);
            }
            let share = self.share(child, 1);
            mean += share * value;
            weight += share;
            (1.0 - 1e-9 < weight).then_some(mean)
        });
        means.reduce(f64::min)
    }

    /// The mean over 2 and 4 of the least value over the cells. `None` if a tile with nonzero probability has no cell.
    fn mean_least(&self, children: impl Iterator<Item = (NodeId, f64)>) -> Option<f64> {
        let mut least: [Option<(f64, f64)>; 2] = [None; 2];
        for (child, value) in children {
            let Some(Edge::Spawn { rank, .. }) = self.at(child).edge() else {
                return None;
            };
            let least = &mut least[usize::from(rank == Rank::FOUR.get())];
            *least = Some((
                self.share(child, 1),
                least.map_or(value, |(_, least)| least.min(value)),
            ));
        }
        let (weight, mean) = least
            .into_iter()
            .flatten()
            .fold((0.0, 0.0), |(weight, mean), (share, least)| {
                (weight + share, mean + share * least)
            });
        (1.0 - 1e-9 < weight).then_some(mean)
    }

    /// The share of a spawn node's probability that one of its children has.
    pub(super) fn share(&self, child: NodeId, considered: u32) -> f64 {
        match self.at(child) {
            child if matches!(child.edge(), Some(Edge::Spawn { .. })) => {
                self.reach_below(1.0, considered.max(1), child)
            }
            _ => 0.0,
        }
    }
}
