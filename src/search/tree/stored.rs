//! Finds the nodes whose values the transposition table returned.

use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::kept_nodes::parts;
use super::recorder::Keys;
use super::view::Place;
use super::{NodeId, Tree};
use crate::search::engine::LEAST_TURNED;
use crate::search::{Bound, NodeKind, Rule};
use crate::task::map_side_by_side;

/// The key of the table together with the result that it returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    board: u64,
    score: u64,
    plies: u32,
    value: u64,
    bound: Bound,
}

/// An afterstate of the record.
struct Afterstate {
    id: u32,
    key: Key,
    /// Whether its value came from the table.
    is_stored: bool,
}

impl Tree {
    /// Finds the node behind each value of the transposition table: the latest one searched before it with the same
    /// board, plies left, value and bound, and with the same score if that counts. After a search on several cores it
    /// may come later in the record.
    pub(super) fn resolve_stored(&mut self, keys: Keys, threads: usize) {
        if self.counts.of(NodeKind::Cached) == 0 {
            return;
        }
        let parts = parts(self.nodes.len(), threads);
        let shares = threads.clamp(1, parts.len());
        let parts = map_side_by_side(threads, parts, |part| self.afterstates(part, keys, shares));
        let found = map_side_by_side(threads, (0..shares).collect(), |share| {
            found_among(
                &parts
                    .iter()
                    .map(|part| part[share].as_slice())
                    .collect::<Vec<_>>(),
            )
        });
        for (id, stored) in found.into_iter().flatten() {
            self.nodes[id as usize].refer_to(stored);
        }
    }

    /// The afterstates among some of the nodes, distributed so that those with the same key are in one share.
    fn afterstates(&self, ids: Range<usize>, keys: Keys, shares: usize) -> Vec<Vec<Afterstate>> {
        let mut dealt: Vec<Vec<Afterstate>> = (0..shares).map(|_| Vec::new()).collect();
        for (id, place) in self.places_in(ids.start as u32..ids.end as u32, true) {
            if place.is_turn {
                continue;
            }
            let Some(key) = self.key(id, &place, keys) else {
                continue;
            };
            let share = (key.board.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize % shares;
            dealt[share].push(Afterstate {
                id: id.0,
                key,
                is_stored: self.rule(id) == Rule::Stored,
            });
        }
        dealt
    }

    fn key(&self, id: NodeId, place: &Place, keys: Keys) -> Option<Key> {
        let packed = place.board.as_packed()?;
        let is_turned = keys.turned && LEAST_TURNED <= place.plies;
        let board = if is_turned {
            packed.crossed().canonical().packed()
        } else {
            packed
        };
        let score = if keys.uses_score { place.score } else { 0 };
        let value = self.value(id)?.to_bits();
        Some(Key {
            board: board.bits(),
            score,
            plies: place.plies,
            value,
            bound: self.bound(id),
        })
    }
}

/// Each node with a value from the table, and the node that the value comes from, in record order.
fn found_among(parts: &[&[Afterstate]]) -> Vec<(u32, u32)> {
    let all = || parts.iter().copied().flatten();
    let count = all().filter(|afterstate| !afterstate.is_stored).count();
    let mut searched = FxHashMap::with_capacity_and_hasher(count, rustc_hash::FxBuildHasher);
    let (mut found, mut later) = (Vec::new(), Vec::new());
    for &Afterstate { id, key, is_stored } in all() {
        if !is_stored {
            searched.insert(key, id);
        } else if let Some(&stored) = searched.get(&key) {
            found.push((id, stored));
        } else {
            later.push((id, key));
        }
    }
    found.extend(
        later
            .into_iter()
            .filter_map(|(id, key)| Some((id, *searched.get(&key)?))),
    );
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Board, Rules};
    use crate::search::SearchOptions;
    use crate::search::tree::node::NONE;
    use crate::strategy::{Criterion, Decision, LastResort, Player, Strategy};

    #[test]
    fn any_number_of_threads_finds_the_nodes_that_one_does() {
        let criterion = Criterion {
            lookahead: "Expectimax(plies: Fixed(8))".parse().expect("a search"),
            ..Criterion::one_ply("Snake".parse().expect("an evaluator"))
        };
        let strategy = Strategy {
            criteria: vec![criterion],
            last_resort: LastResort::First,
            ..Strategy::default()
        };
        let board: Board = "16,256,512,2048/2,16,32,128/2,4,0,2/2,0,0,0"
            .parse()
            .expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            1 << 20,
        );
        let searched = decision
            .searches
            .into_iter()
            .next()
            .flatten()
            .expect("searched");
        let tree = Arc::unwrap_or_clone(searched.tree.expect("a tree"));
        let stored = |tree: &Tree| {
            tree.ids()
                .filter(|&id| tree.at(id).stored().is_some())
                .count()
        };
        assert!(
            parts(tree.kept(), 5).len() > 5 && 1000 < stored(&tree),
            "{} of {}",
            stored(&tree),
            tree.kept()
        );

        for threads in [1, 2, 3, 5] {
            let mut again = tree.clone();
            for id in tree.ids().filter(|&id| tree.rule(id) == Rule::Stored) {
                again.nodes[id.0 as usize].refer_to(NONE);
            }
            assert_eq!(stored(&again), 0);
            again.resolve_stored(Keys::default(), threads);
            assert!(
                again == tree,
                "{threads} threads: {} of {}",
                stored(&again),
                stored(&tree)
            );
        }
    }
}
