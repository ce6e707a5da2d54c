//! Lines of best play: one spawn after the other, from a root move to the end of the depth.

use std::cmp::Ordering;

use strum::EnumIter;

use super::super::tree::Link;
use super::{AfterSlide, BestPlay, Branch, LineEnd, Then};
use crate::game::{Board, Move};

/// The order of lines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, EnumIter)]
pub enum LineOrder {
    /// The most probable lines first; of equally probable ones the one with the better end.
    #[default]
    Likely,
    /// The best ends first.
    Best,
    /// The worst ends first.
    Worst,
}

impl LineOrder {
    pub const fn name(self) -> &'static str {
        ["likely", "best", "worst"][self as usize]
    }

    /// Whether the first line comes before the second. The key of a line is its probability and the value at its end.
    fn compare(self, a: (f64, f64), b: (f64, f64)) -> Ordering {
        // Products of the same factors in another order are equal in f32.
        let likely = (b.0 as f32).total_cmp(&(a.0 as f32));
        match self {
            Self::Likely => likely.then(b.1.total_cmp(&a.1)),
            Self::Best => b.1.total_cmp(&a.1).then(likely),
            Self::Worst => a.1.total_cmp(&b.1).then(likely),
        }
    }
}

/// One possible course of the game if the player plays best.
#[derive(Clone, PartialEq, Debug)]
pub struct BestLine {
    /// Slides and spawns in turn, the root move first.
    pub steps: Vec<LineStep>,
    /// The probability of these spawns by the rules.
    pub probability: f64,
    /// The factor of its end in the value of the root move.
    pub weight: f64,
    pub end: LineEnd,
    /// The value at its end.
    pub value: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineStep {
    pub link: Link,
    /// The board after the step, and its score.
    pub board: Board,
    pub score: u64,
    /// The search's value of that board. After the last step it is the value of the end.
    pub value: f64,
    /// The probability of the spawn by the rules; 1 for a slide.
    pub probability: f64,
}

impl BestLine {
    /// The root move.
    pub fn mv(&self) -> Option<Move> {
        match self.steps.first()?.link {
            Link::Slide(mv) => Some(mv),
            Link::Spawn(_) => None,
        }
    }
}

/// One of the first lines below a node.
#[derive(Clone, Copy, Debug)]
struct Place {
    key: (f64, f64),
    branch: u32,
    /// Its index among the lines of the node that the branch leads to.
    then: u32,
}

impl BestPlay {
    /// The first `most` lines after a root move, in this order. Ties are in the order of their spawns.
    pub fn lines(&self, mv: Move, order: LineOrder, most: usize) -> Vec<BestLine> {
        let Some(root) = self.first[mv].filter(|_| most != 0) else {
            return Vec::new();
        };
        let mut places: Vec<Vec<Place>> = vec![Vec::new(); self.nodes.len()];
        // The nodes below a node follow it.
        for id in (root as usize..self.nodes.len()).rev() {
            let node = &self.nodes[id];
            let mut own: Vec<Place> = Vec::new();
            for (place, branch) in self.branches(node).iter().enumerate() {
                let found = |key: (f64, f64), then: usize| Place {
                    key: (branch.probability(node) * key.0, key.1),
                    branch: node.from + place as u32,
                    then: then as u32,
                };
                match branch.then {
                    Then::End(_) => own.push(found((1.0, branch.value), 0)),
                    Then::Slide(_, below) => {
                        let ended = &self.nodes[below as usize];
                        if ended.end.is_some() {
                            own.push(found((1.0, ended.value), 0));
                        }
                        let below = places[below as usize].iter().enumerate();
                        own.extend(below.map(|(then, line)| found(line.key, then)));
                    }
                }
            }

            // A stable sort keeps ties in the order of their spawns.
            own.sort_by(|a, b| order.compare(a.key, b.key));
            own.truncate(most);
            places[id] = own;
        }
        if self.nodes[root as usize].end.is_some() {
            return vec![self.begun(mv, root)];
        }

        places[root as usize]
            .iter()
            .map(|&place| self.line(mv, root, place, &places))
            .collect()
    }

    /// The line with the median spawn at every step: sorted by the values of the boards after them, the spawn at which
    /// their weights add up to one half.
    pub fn median_line(&self, mv: Move) -> Option<BestLine> {
        let root = self.first[mv]?;
        let mut line = self.begun(mv, root);
        let mut at = &self.nodes[root as usize];
        while let Some(middle) = self.middle(at) {
            let (branch, below) = self.add_branch(&mut line, at, middle);
            match (branch.then, below) {
                (Then::Slide(..), Some(below)) => at = below,
                _ => break,
            }
        }
        Some(line)
    }

    /// The number of lines after a root move.
    pub fn line_count(&self, mv: Move) -> u64 {
        let Some(root) = self.first[mv] else { return 0 };
        let mut counts = vec![1_u64; self.nodes.len()];
        for id in (root as usize..self.nodes.len())
            .rev()
            .filter(|&id| self.nodes[id].end.is_none())
        {
            let branch_count = |branch: &Branch| match branch.then {
                Then::End(_) => 1,
                Then::Slide(_, below) => counts[below as usize],
            };
            counts[id] = self
                .branches(&self.nodes[id])
                .iter()
                .map(branch_count)
                .fold(0, u64::saturating_add);
        }
        counts[root as usize]
    }

    fn middle(&self, node: &AfterSlide) -> Option<u32> {
        let mut branches: Vec<(u32, f64, f64)> = (node.from..node.to)
            .map(|id| (id, &self.branches[id as usize]))
            .map(|(id, branch)| (id, branch.value, self.weight(node, branch)))
            .collect();
        branches.sort_by(|a, b| a.1.total_cmp(&b.1));
        // Slightly less than half, because of rounding in the sum of the weights.
        let half = branches.iter().map(|branch| branch.2).sum::<f64>() / 2.0 * (1.0 - 1e-12);
        let mut sum = 0.0;
        branches
            .into_iter()
            .find(|branch| {
                sum += branch.2;
                half <= sum
            })
            .map(|(id, ..)| id)
    }

    /// The line with only the root move.
    fn begun(&self, mv: Move, root: u32) -> BestLine {
        let node = &self.nodes[root as usize];
        let AfterSlide {
            after,
            score,
            value,
            end,
            ..
        } = *node;
        let step = LineStep {
            link: Link::Slide(mv),
            board: after,
            score,
            value,
            probability: 1.0,
        };
        BestLine {
            steps: vec![step],
            probability: 1.0,
            weight: 1.0,
            end: end.unwrap_or(LineEnd::Evaluated),
            value,
        }
    }

    fn line(&self, mv: Move, root: u32, first: Place, places: &[Vec<Place>]) -> BestLine {
        let mut line = self.begun(mv, root);
        let (mut at, mut place) = (root, first);
        loop {
            let (branch, _) = self.add_branch(&mut line, &self.nodes[at as usize], place.branch);
            let Then::Slide(_, below) = branch.then else {
                break;
            };
            let Some(&next) = places[below as usize].get(place.then as usize) else {
                break;
            };
            (at, place) = (below, next);
        }
        line
    }

    /// Adds a spawn and the slide that answers it.
    fn add_branch<'a>(
        &'a self,
        line: &mut BestLine,
        node: &AfterSlide,
        branch: u32,
    ) -> (Branch, Option<&'a AfterSlide>) {
        let branch = self.branches[branch as usize];
        let Branch {
            spawn, value, then, ..
        } = branch;
        let probability = branch.probability(node);
        line.probability *= probability;
        line.weight *= self.weight(node, &branch);
        line.value = value;
        let board = node.after.with(spawn.cell, spawn.rank);
        line.steps.push(LineStep {
            link: Link::Spawn(spawn),
            board,
            score: node.score,
            value,
            probability,
        });

        match then {
            Then::End(end) => {
                line.end = end;
                (branch, None)
            }
            Then::Slide(mv, below) => {
                let below = &self.nodes[below as usize];
                let AfterSlide {
                    after,
                    score,
                    value,
                    end,
                    ..
                } = *below;
                line.steps.push(LineStep {
                    link: Link::Slide(mv),
                    board: after,
                    score,
                    value,
                    probability: 1.0,
                });
                (line.end, line.value) = (end.unwrap_or(LineEnd::Evaluated), value);
                (branch, Some(below))
            }
        }
    }
}
