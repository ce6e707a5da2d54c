//! The chosen line through a record, and the spawns worth showing.
//!
//! The player's part of the line needs no rule: the chosen move at the root, the best slide below it. Spawns happen by
//! chance, so that a rule has to say which one the line takes, and whoever shows the line says which rule it is.

use super::spawns::Outcome;
use super::{Link, NodeId, Origin, Start, Tree};
use crate::game::{Cell, Move, Rank, Spawn};
use crate::search::{NodeKind, Objective, Rule};

/// Which spawn the chosen line takes at a chance node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SpawnRule {
    /// The most probable one, the first searched among equals.
    MostLikely,
    /// Spawns in the order of their values, least first and the first searched among equals: the one at which their
    /// probabilities add up to one half.
    #[default]
    Median,
    /// The one that came in the game, as far as the game followed the line; behind it as [`SpawnRule::Median`].
    AsPlayed,
}

impl SpawnRule {
    pub const ALL: [Self; 3] = [Self::MostLikely, Self::Median, Self::AsPlayed];

    /// On the screen, behind "spawns on the line".
    pub const fn text(self) -> &'static str {
        ["most likely", "median value", "as played"][self as usize]
    }
}

/// Why a spawn is worth showing when the others are folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// No other has a larger value.
    pub best: bool,
    /// No other has a smaller one.
    pub worst: bool,
    /// It came in the game.
    pub played: bool,
    pub line: bool,
}

impl Roles {
    /// What the node is called: `best spawn`, `worst spawn, as played`; empty where it is only on the line, which is drawn.
    pub fn text(self) -> String {
        let names = [(self.best, "best spawn"), (self.worst, "worst spawn"), (self.played, "as played")];
        let names: Vec<&str> = names.into_iter().filter_map(|(is_so, name)| is_so.then_some(name)).collect();
        names.join(", ")
    }
}

impl Tree {
    /// The chosen line from the root down, the root included: the chosen move at the root, at max nodes the best slide, or
    /// where samples went that of most of them, at min nodes the worst spawn, at chance nodes the spawn that the rule says. It ends at the first node without a child
    /// that is kept and has a value, such as a leaf, a cut or a cached node.
    ///
    /// `played` is what came in the game from the root on, slides and spawns in turn; the other rules do not look at it.
    /// Where the search counts the worst cell, only the spawns on that cell are on the line.
    pub fn line(&self, rule: SpawnRule, played: &[Link]) -> Vec<NodeId> {
        let mut line = vec![self.root()];
        let mut at = self.root();
        let mut played = if rule == SpawnRule::AsPlayed { played } else { &[] };
        while let Some(next) = self.played_child(at, played).or_else(|| self.next_on_line(at, rule)) {
            played = match played.split_first() {
                Some((&link, rest)) if self.link(next) == Some(link) => rest,
                _ => &[],
            };
            line.push(next);
            at = next;
        }
        line
    }

    /// Where the line goes on behind its last node, if that is cached: below the node whose value was taken, and from cached to
    /// stored node again. These nodes stand elsewhere in the record.
    pub fn line_beyond(&self, line: &[NodeId], rule: SpawnRule) -> Vec<NodeId> {
        let mut beyond = Vec::new();
        let mut end = line.last().copied();
        while let Some(Origin::Stored { node: Some(stored), .. }) = end.map(|id| self.node(id).origin) {
            let below = std::iter::successors(self.next_on_line(stored, rule), |&id| self.next_on_line(id, rule));
            let before = beyond.len();
            let below: Vec<NodeId> = below.take_while(|id| !beyond.contains(id)).collect();
            beyond.extend(below);
            end = beyond.get(before..).and_then(<[NodeId]>::last).copied();
        }
        beyond
    }

    /// The child that decides the value of a node: the chosen move at the root, the best slide of a max node, the worst spawn
    /// of a min node; the first searched among equals. `None` at chance nodes and where nothing is below.
    pub fn best_child(&self, id: NodeId) -> Option<NodeId> {
        match self.at(id).rule() {
            _ if id.0 == 0 && self.subject.start != Start::Spawn => {
                self.chosen.and_then(|chosen| self.root_child(chosen)).or_else(|| self.best_of(id))
            }
            Rule::MaxOf | Rule::MinOf => self.best_of(id),
            Rule::MovesTried => self.most_sampled(id),
            _ => None,
        }
    }

    /// The child through which most samples went, the first among equals.
    fn most_sampled(&self, id: NodeId) -> Option<NodeId> {
        let sampled = self.children(id).filter_map(|child| Some((child, self.sample(child)?.all.count())));
        sampled.reduce(|most, next| if most.1 < next.1 { next } else { most }).map(|(child, _)| child)
    }

    /// Of the spawns at an afterstate those worth showing when the rest is folded: the best, the worst, that on the line and
    /// the one that was played, each once, by falling value and then in the order of the visit.
    pub fn representatives(&self, id: NodeId, line: Option<NodeId>, played: Option<Spawn>) -> Vec<NodeId> {
        let roles = self.representatives_with_roles(id, line, played);
        roles.into_iter().map(|(node, _)| node).collect()
    }

    /// The same, each with what makes it worth showing. Where several are best or worst, the first searched stands for them.
    pub fn representatives_with_roles(
        &self,
        id: NodeId,
        line: Option<NodeId>,
        played: Option<Spawn>,
    ) -> Vec<(NodeId, Roles)> {
        if self.spawn_rule(id).is_none() {
            return Vec::new();
        }
        let outcomes: Vec<(Spawn, Outcome)> = self.outcomes(id).collect();
        let valued = || outcomes.iter().filter_map(|(_, outcome)| Some((outcome.node, outcome.value?)));
        let best = valued().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node);
        let worst = valued().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node);
        let mut shown: Vec<(NodeId, Roles, f64)> = outcomes
            .iter()
            .map(|&(spawn, Outcome { node, value, .. })| {
                let roles = Roles {
                    best: best == Some(node),
                    worst: worst == Some(node) && worst != best,
                    played: played == Some(spawn),
                    line: line == Some(node),
                };
                (node, roles, value.unwrap_or(f64::NEG_INFINITY))
            })
            .filter(|(_, roles, _)| *roles != Roles::default())
            .collect();
        // Stable: equals stay in the order of the visit.
        shown.sort_by(|a, b| b.2.total_cmp(&a.2));
        shown.into_iter().map(|(node, roles, _)| (node, roles)).collect()
    }

    pub fn objective(&self) -> Objective {
        match self.subject.start {
            Start::Choice { objective, .. } => objective,
            Start::Turn | Start::Spawn => Objective { higher: true, tolerance: 0.0 },
        }
    }

    pub(super) fn root_child(&self, mv: Move) -> Option<NodeId> {
        self.children(self.root()).find(|&child| self.slide(child) == Some(mv))
    }

    /// The child with the largest value, or the least where that is wanted; the first searched among equals.
    fn best_of(&self, id: NodeId) -> Option<NodeId> {
        let sign = if self.at(id).rule() == Rule::MinOf { -1.0 } else { 1.0 };
        let valued = self.children(id).filter_map(|child| Some((child, sign * self.value(child)?)));
        valued.reduce(|most, next| if most.1 < next.1 { next } else { most }).map(|(child, _)| child)
    }

    /// The spawn that was played here, if it is kept and has a value.
    fn played_child(&self, id: NodeId, played: &[Link]) -> Option<NodeId> {
        let &link @ Link::Spawn(_) = played.first()? else { return None };
        self.children(id).find(|&child| self.link(child) == Some(link) && self.value(child).is_some())
    }

    fn next_on_line(&self, id: NodeId, rule: SpawnRule) -> Option<NodeId> {
        if self.kind(id) != NodeKind::Chance {
            return self.best_child(id);
        }
        let mut outcomes: Vec<(NodeId, f64, f64)> = self
            .deciding_outcomes(id)
            .into_iter()
            .filter(|(_, outcome)| 0.0 < outcome.probability)
            .filter_map(|(_, outcome)| Some((outcome.node, outcome.probability, outcome.value?)))
            .collect();
        if rule == SpawnRule::MostLikely {
            return outcomes.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, ..)| node);
        }
        // Stable: equals stay in the order of the visit.
        outcomes.sort_by(|a, b| a.2.total_cmp(&b.2));
        // A little less than half: probabilities add up to one but for rounding.
        let half = outcomes.iter().map(|(_, probability, _)| probability).sum::<f64>() / 2.0 * (1.0 - 1e-12);
        let mut sum = 0.0;
        outcomes
            .into_iter()
            .find(|(_, probability, _)| {
                sum += probability;
                half <= sum
            })
            .map(|(node, ..)| node)
    }

    /// The spawns that an afterstate's value comes from: all of them, or where the worst cell counts those on it, or where it
    /// counts for each tile one of each.
    pub(super) fn deciding_outcomes(&self, id: NodeId) -> Vec<(Spawn, Outcome)> {
        let mut outcomes: Vec<(Spawn, Outcome)> = self.outcomes(id).collect();
        if self.at(id).rule() == Rule::LeastMeanOf {
            let cell = self.worst_cell(&outcomes);
            outcomes.retain(|(spawn, _)| Some(spawn.cell) == cell);
        }
        if self.at(id).rule() == Rule::MeanLeastOf {
            let worst = [Rank::TWO, Rank::FOUR].map(|rank| {
                let of_rank = outcomes.iter().filter(|(spawn, outcome)| spawn.rank == rank && outcome.value.is_some());
                of_rank
                    .min_by(|a, b| a.1.value.partial_cmp(&b.1.value).unwrap_or(std::cmp::Ordering::Equal))
                    .map(|(_, one)| one.node)
            });
            outcomes.retain(|(_, outcome)| worst.contains(&Some(outcome.node)));
        }
        outcomes
    }

    /// The cell with the least mean over 2 and 4, the first searched among equals; only cells with all that can appear.
    fn worst_cell(&self, outcomes: &[(Spawn, Outcome)]) -> Option<Cell> {
        let mut means: Vec<(Cell, f64, f64)> = Vec::new();
        for (spawn, outcome) in outcomes {
            let Some(value) = outcome.value else { continue };
            let weight = self.chance(spawn.rank);
            match means.iter_mut().find(|(cell, ..)| *cell == spawn.cell) {
                Some((_, seen, mean)) => (*seen, *mean) = (*seen + weight, *mean + weight * value),
                None => means.push((spawn.cell, weight, weight * value)),
            }
        }
        let whole = means.into_iter().filter(|(_, seen, _)| 1.0 - 1e-9 <= *seen);
        whole.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(cell, ..)| cell)
    }
}
