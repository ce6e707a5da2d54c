//! The boards that games can reach, by the sum of their tiles.
//!
//! A slide keeps the sum of all tiles and a new tile adds 2 or 4: no board occurs twice in a game, and all boards that
//! follow a board are in the next layers. One board represents all its symmetric images.

use rayon::prelude::*;

use super::Question;
use super::shape::Shape;

/// Two tiles of 2, and two of 4.
pub(super) const OPENINGS: std::ops::RangeInclusive<u64> = 4..=8;

/// The rules of a question, for each board.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) shape: Shape,
    pub(super) p4: f64,
    /// The rank at which a game is won and is not continued.
    pub(super) goal: Option<u8>,
}

impl Rules {
    pub(super) fn of(question: &Question) -> Self {
        let goal = question.goal.tile().map(crate::game::Rank::get);
        Self {
            shape: Shape::new(question.size),
            p4: question.p4,
            goal,
        }
    }

    /// The possible new tiles: what each adds to a cell, and its probability.
    pub(super) fn spawns(&self) -> impl Iterator<Item = (u64, f64)> + Clone + use<> {
        [(1, 1.0 - self.p4), (2, self.p4)]
            .into_iter()
            .filter(|&(_, probability)| probability != 0.0)
    }

    pub(super) fn is_won(&self, key: u64) -> bool {
        self.goal
            .is_some_and(|goal| goal <= self.shape.largest(key))
    }

    /// The first boards of games, one for each symmetry class, with their probabilities.
    pub(super) fn openings(&self) -> Vec<(u64, f64)> {
        let mut openings: Vec<(u64, f64)> = Vec::new();
        let cells = f64::from(self.shape.cells());
        for first in self.shape.empty(0) {
            for (rank, one) in self.spawns() {
                for second in self.shape.empty(first) {
                    for (other, two) in self.spawns() {
                        let key = self.shape.canonical((first * rank) | (second * other));
                        openings.push((key, one * two / (cells * (cells - 1.0))));
                    }
                }
            }
        }
        openings.sort_by_key(|&(key, _)| key);
        openings.dedup_by(|next, previous| {
            let is_same = next.0 == previous.0;
            previous.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });

        openings
    }

    /// The boards to move of one sum: the openings of that sum, and the successors of the afterstates of sums two and
    /// four below.
    pub(super) fn states(
        &self,
        sum: u64,
        openings: &[(u64, f64)],
        two_below: &[u64],
        four_below: &[u64],
    ) -> Vec<u64> {
        let spawned = |afters: &[u64], rank: u64| -> Vec<u64> {
            if !self.spawns().any(|(other, _)| other == rank) {
                return Vec::new();
            }
            let next = |&after: &u64| {
                let boards = self
                    .shape
                    .empty(after)
                    .map(move |cell| after | (cell * rank));
                boards
                    .filter(|&key| !self.is_won(key))
                    .map(|key| self.shape.canonical(key))
                    .collect::<Vec<u64>>()
            };
            afters
                .par_iter()
                .with_min_len(256)
                .flat_map_iter(next)
                .collect()
        };
        let mut states = spawned(two_below, 1);
        states.append(&mut spawned(four_below, 2));
        let first = openings.iter().map(|&(key, _)| key);
        states.extend(first.filter(|&key| self.shape.tile_sum(key) == sum && !self.is_won(key)));
        sorted(states)
    }

    /// The afterstates of these boards, without those that are won.
    pub(super) fn afterstates(&self, states: &[u64]) -> Vec<u64> {
        let next = |&key: &u64| {
            let slid = self.shape.legal(key).map(|(_, slid)| slid.key);
            let open = slid.filter(|&key| !self.is_won(key));
            open.map(|key| self.shape.canonical(key))
                .collect::<Vec<u64>>()
        };
        sorted(
            states
                .par_iter()
                .with_min_len(256)
                .flat_map_iter(next)
                .collect(),
        )
    }
}

/// In order, without duplicates.
fn sorted(mut keys: Vec<u64>) -> Vec<u64> {
    keys.par_sort_unstable();
    keys.dedup();
    keys
}
