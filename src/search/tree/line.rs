//! The chosen line through a record, and the spawns worth showing.
//!
//! The player's part of the line needs no rule: it takes the chosen move at the root and the best slide below it.
//! Spawns are random, so a `SpawnRule` selects one, and every display of the line names its rule.

use strum::EnumIter;

use super::spawns::Outcome;
use super::{Link, NodeId, Origin, Start, Tree};
use crate::game::{Cell, Move, Rank, Spawn};
use crate::search::{NodeKind, Objective, Rule};

/// The spawn that the chosen line takes at a chance node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, EnumIter)]
pub enum SpawnRule {
    /// The most probable spawn; ties go to the first searched.
    MostLikely,
    /// The median by value: with the spawns sorted by value, least first and ties in search order, the spawn at which
    /// their probabilities add up to one half.
    #[default]
    Median,
    /// The spawn that came in the game, as long as the game followed the line, then as [`SpawnRule::Median`].
    AsPlayed,
}

impl SpawnRule {
    /// The text on screen after "chosen line:".
    pub const fn text(self) -> &'static str {
        ["likeliest tiles", "median tiles", "played tiles"][self as usize]
    }
}

/// Why a spawn is shown when the others are folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    /// No other spawn has a larger value.
    pub best: bool,
    /// No other spawn has a smaller value.
    pub worst: bool,
    /// The spawn came in the game.
    pub played: bool,
    pub line: bool,
}

impl Roles {
    /// The label of the node, such as `best spawn` or `worst spawn, as played`. Empty for a spawn that is only on the
    /// line, which the drawing shows.
    pub fn text(self) -> String {
        let names = [
            (self.best, "best spawn"),
            (self.worst, "worst spawn"),
            (self.played, "as played"),
        ];
        let names: Vec<&str> = names
            .into_iter()
            .filter_map(|(is_so, name)| is_so.then_some(name))
            .collect();
        names.join(", ")
    }
}

impl Tree {
    /// The chosen line from the root down, including the root. It takes the chosen move at the root, the best slide at
    /// max nodes (in a record of samples, the slide with most samples), the worst spawn at min nodes, and the spawn of
    /// `rule` at chance nodes. It ends at the first node without a valued child in the record, such as a leaf, a
    /// cut or a cached node.
    ///
    /// `played` lists the slides and spawns of the game from the root. Only `SpawnRule::AsPlayed` uses it. Where the
    /// search counts the worst cell, only the spawns on that cell can be on the line.
    pub fn line(&self, rule: SpawnRule, played: &[Link]) -> Vec<NodeId> {
        let mut line = vec![self.root()];
        let mut at = self.root();
        let mut played = if rule == SpawnRule::AsPlayed {
            played
        } else {
            &[]
        };
        while let Some(next) = self
            .played_child(at, played)
            .or_else(|| self.next_on_line(at, rule))
        {
            played = match played.split_first() {
                Some((&link, rest)) if self.link(next) == Some(link) => rest,
                _ => &[],
            };
            line.push(next);
            at = next;
        }
        line
    }

    /// The continuation of a line that ends at a cached node: the line below the node with the cached value, and so on
    /// from cached to stored node. These nodes are elsewhere in the record.
    pub fn line_beyond(&self, line: &[NodeId], rule: SpawnRule) -> Vec<NodeId> {
        let mut beyond = Vec::new();
        let mut end = line.last().copied();
        while let Some(Origin::Stored {
            node: Some(stored), ..
        }) = end.map(|id| self.node(id).origin)
        {
            let below = std::iter::successors(self.next_on_line(stored, rule), |&id| {
                self.next_on_line(id, rule)
            });
            let before = beyond.len();
            let below: Vec<NodeId> = below.take_while(|id| !beyond.contains(id)).collect();
            beyond.extend(below);
            end = beyond.get(before..).and_then(<[NodeId]>::last).copied();
        }
        beyond
    }

    /// The child that decides the value of a node: the chosen move at the root, the best slide of a max node, the worst
    /// spawn of a min node. Ties go to the first searched. `None` at chance nodes and at nodes without children.
    pub fn best_child(&self, id: NodeId) -> Option<NodeId> {
        match self.at(id).rule() {
            _ if id.0 == 0 && self.subject.start != Start::Spawn => self
                .chosen
                .and_then(|chosen| self.root_child(chosen))
                .or_else(|| self.best_of(id)),
            Rule::MaxOf | Rule::MinOf => self.best_of(id),
            Rule::MovesTried => self.most_sampled(id),
            _ => None,
        }
    }

    /// The child with the most samples; ties go to the first.
    fn most_sampled(&self, id: NodeId) -> Option<NodeId> {
        let sampled = self
            .children(id)
            .filter_map(|child| Some((child, self.sample(child)?.all.count())));
        sampled
            .reduce(|most, next| if most.1 < next.1 { next } else { most })
            .map(|(child, _)| child)
    }

    /// The spawns of an afterstate that are shown when the others are folded: the best, the worst, the one on the line
    /// and the one that was played. Each occurs once, by falling value and then in visit order.
    pub fn representatives(
        &self,
        id: NodeId,
        line: Option<NodeId>,
        played: Option<Spawn>,
    ) -> Vec<NodeId> {
        let roles = self.representatives_with_roles(id, line, played);
        roles.into_iter().map(|(node, _)| node).collect()
    }

    /// Like `Tree::representatives`, each with its roles. Among several best or worst spawns it takes the first
    /// searched.
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
        let valued = || {
            outcomes
                .iter()
                .filter_map(|(_, outcome)| Some((outcome.node, outcome.value?)))
        };
        let best = valued()
            .rev()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(node, _)| node);
        let worst = valued()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(node, _)| node);
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

        // A stable sort keeps ties in visit order.
        shown.sort_by(|a, b| b.2.total_cmp(&a.2));
        shown
            .into_iter()
            .map(|(node, roles, _)| (node, roles))
            .collect()
    }

    pub fn objective(&self) -> Objective {
        match self.subject.start {
            Start::Choice { objective, .. } => objective,
            Start::Turn | Start::Spawn => Objective {
                higher: true,
                tolerance: 0.0,
            },
        }
    }

    pub(super) fn root_child(&self, mv: Move) -> Option<NodeId> {
        self.children(self.root())
            .find(|&child| self.slide(child) == Some(mv))
    }

    /// The child with the largest value, or with the least at a min node. Ties go to the first searched.
    fn best_of(&self, id: NodeId) -> Option<NodeId> {
        let sign = if self.at(id).rule() == Rule::MinOf {
            -1.0
        } else {
            1.0
        };
        let valued = self
            .children(id)
            .filter_map(|child| Some((child, sign * self.value(child)?)));
        valued
            .reduce(|most, next| if most.1 < next.1 { next } else { most })
            .map(|(child, _)| child)
    }

    /// The spawn that was played here, if it is recorded and has a value.
    fn played_child(&self, id: NodeId, played: &[Link]) -> Option<NodeId> {
        let &link @ Link::Spawn(_) = played.first()? else {
            return None;
        };
        self.children(id)
            .find(|&child| self.link(child) == Some(link) && self.value(child).is_some())
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
            return outcomes
                .into_iter()
                .rev()
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(node, ..)| node);
        }

        // A stable sort keeps ties in visit order.
        outcomes.sort_by(|a, b| a.2.total_cmp(&b.2));
        // Slightly less than half, because of rounding in the sum of the probabilities.
        let half = outcomes
            .iter()
            .map(|(_, probability, _)| probability)
            .sum::<f64>()
            / 2.0
            * (1.0 - 1e-12);
        let mut sum = 0.0;
        outcomes
            .into_iter()
            .find(|(_, probability, _)| {
                sum += probability;
                half <= sum
            })
            .map(|(node, ..)| node)
    }

    /// The spawns that decide an afterstate's value: all of them; those on the worst cell where it counts; or one of
    /// each tile where the worst cell counts for each tile.
    pub(super) fn deciding_outcomes(&self, id: NodeId) -> Vec<(Spawn, Outcome)> {
        let mut outcomes: Vec<(Spawn, Outcome)> = self.outcomes(id).collect();
        if self.at(id).rule() == Rule::LeastMeanOf {
            let cell = self.worst_cell(&outcomes);
            outcomes.retain(|(spawn, _)| Some(spawn.cell) == cell);
        }
        if self.at(id).rule() == Rule::MeanLeastOf {
            let worst = [Rank::TWO, Rank::FOUR].map(|rank| {
                let of_rank = outcomes
                    .iter()
                    .filter(|(spawn, outcome)| spawn.rank == rank && outcome.value.is_some());
                of_rank
                    .min_by(|a, b| {
                        a.1.value
                            .partial_cmp(&b.1.value)
                            .unwrap_or(std::cmp::Ordering::Equal)
                    })
                    .map(|(_, one)| one.node)
            });
            outcomes.retain(|(_, outcome)| worst.contains(&Some(outcome.node)));
        }
        outcomes
    }

    /// The cell with the least mean over 2 and 4; ties go to the first searched. Only cells with all possible tiles
    /// count.
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
        whole
            .min_by(|a, b| a.2.total_cmp(&b.2))
            .map(|(cell, ..)| cell)
    }
}
