//! Which nodes of a record stay, and where they move.

use std::ops::Range;

use super::node::{NONE, Node};
use super::room::Room;
use crate::task::map_side_by_side;

/// Fewer nodes do not pay for another thread.
const LEAST_IN_PART: usize = 1 << 14;

/// The size of a part when `threads` threads share `count` nodes. There are several parts per thread, because some take
/// longer than others.
pub(super) fn part_size(count: usize, threads: usize) -> usize {
    if threads < 2 {
        count.max(1)
    } else {
        count.div_ceil(4 * threads).max(LEAST_IN_PART)
    }
}

pub(super) fn parts(count: usize, threads: usize) -> Vec<Range<usize>> {
    let size = part_size(count, threads);
    (0..count)
        .step_by(size)
        .map(|first| first..count.min(first + size))
        .collect()
}

/// The parts of a list, each with the index of its first element.
pub(super) fn parts_of<T>(all: &mut [T], threads: usize) -> Vec<(usize, &mut [T])> {
    let size = part_size(all.len(), threads);
    all.chunks_mut(size)
        .enumerate()
        .map(|(number, part)| (number * size, part))
        .collect()
}

/// The nodes of a record that stay.
pub(super) struct Kept {
    /// The new position of each node. For a dropped node it is that of the next kept one; the last entry is the number
    /// of kept nodes.
    places: Vec<u32>,
}

impl Kept {
    /// Selects the nodes with a reach of at least `least`, and the first `of_level` nodes with exactly `level`, which
    /// is lower. No node is more probable, or earlier, than its parent, so every selected node keeps its parent.
    pub(super) fn of(
        reaches: &[f64],
        least: f64,
        level: Option<f64>,
        of_level: usize,
        threads: usize,
    ) -> Self {
        let level = level.unwrap_or(f64::NAN);
        let size = part_size(reaches.len(), threads);
        let chunks: Vec<&[f64]> = reaches.chunks(size).collect();
        let counted = map_side_by_side(threads, chunks.clone(), |chunk| {
            let count = |is: &dyn Fn(f64) -> bool| chunk.iter().filter(|&&reach| is(reach)).count();
            (
                count(&|reach| least <= reach),
                count(&|reach| level == reach),
            )
        });
        let mut places = vec![0; reaches.len() + 1];
        let (mut kept, mut left) = (0, of_level);
        let mut begun = Vec::with_capacity(chunks.len());

        for ((probable, equals), (chunk, places)) in counted
            .into_iter()
            .zip(chunks.into_iter().zip(places.chunks_mut(size)))
        {
            let of_level = left.min(equals);
            begun.push((chunk, places, kept as u32, of_level));
            kept += probable + of_level;
            left -= of_level;
        }

        map_side_by_side(threads, begun, |(chunk, places, mut kept, mut of_level)| {
            for (&reach, place) in chunk.iter().zip(places) {
                let is_first = level == reach && of_level != 0;
                of_level -= usize::from(is_first);
                *place = kept;
                kept += u32::from(least <= reach) | u32::from(is_first);
            }
        });
        if let Some(last) = places.last_mut() {
            *last = kept as u32;
        }
        Self { places }
    }

    /// The number of nodes that stay.
    pub(super) fn count(&self) -> usize {
        self.places.last().map_or(0, |&count| count as usize)
    }

    /// The new position of a node. `None` if it is dropped.
    pub(super) fn place(&self, old: usize) -> Option<u32> {
        (self.places[old] != self.places[old + 1]).then_some(self.places[old])
    }

    /// The new position of a node, or of the next one that stays.
    pub(super) fn place_from(&self, old: usize) -> usize {
        self.places[old] as usize
    }

    /// A node with its references changed to the new positions.
    #[inline(always)]
    fn moved(&self, old: usize, mut node: Node) -> Node {
        node.parent = self
            .places
            .get(node.parent as usize)
            .copied()
            .unwrap_or(NONE);
        if !node.is_open() {
            let end = self.places[old + 1 + node.kept_below as usize];
            node.kept_below = end.wrapping_sub(self.places[old] + 1);
        }
        node
    }

    /// Moves the nodes from `first` onwards that stay to the front of `nodes`.
    fn compact(&self, first: usize, nodes: &mut [Node]) {
        let to = self.place_from(first);
        for old in first..first + nodes.len() {
            // The next node overwrites a dropped one. This avoids a branch that no processor could predict.
            nodes[self.place_from(old) - to] = self.moved(old, nodes[old - first]);
        }
    }

    pub(super) fn drop_others(&self, nodes: &mut Vec<Node>) {
        self.compact(0, nodes);
        nodes.truncate(self.count());
    }

    /// The nodes that stay, in a room of fitting size.
    pub(super) fn taken_from(&self, mut nodes: Room, threads: usize) -> Room {
        map_side_by_side(threads, parts_of(&mut nodes, threads), |(first, part)| {
            self.compact(first, part);
        });
        let mut kept = Room::of(self.count());
        for part in parts(nodes.len(), threads) {
            let count = self.place_from(part.end) - self.place_from(part.start);
            kept.extend_from_slice(&nodes[part.start..][..count]);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bound, End, Rule};

    /// Adds a node, three below it, and three below each of those, with the reach of each.
    fn grow(nodes: &mut Vec<Node>, reaches: &mut Vec<f64>, parent: u32, reach: f64, depth: u32) {
        let id = nodes.len();
        nodes.push(Node::opened(parent, None, id as u64));
        reaches.push(reach);
        let children = if depth == 0 { 0 } else { 3 };
        for child in 0..children {
            grow(
                nodes,
                reaches,
                id as u32,
                reach * [0.5, 0.25, 0.25][child],
                depth - 1,
            );
        }
        let kept = (nodes.len() - id - 1) as u32;
        nodes[id].close(
            End {
                value: id as f64,
                rule: Rule::MeanOf,
                bound: Bound::Exact,
            },
            u64::from(kept),
            kept,
        );
    }

    #[test]
    fn what_stays_is_the_same_on_any_number_of_threads_and_stands_where_it_did() {
        let (mut nodes, mut reaches) = (Vec::new(), Vec::new());
        grow(&mut nodes, &mut reaches, NONE, 1.0, 10);
        assert!(4 * LEAST_IN_PART < nodes.len());

        let lower = Some(2.0_f64.powi(-12));
        for (least, level, of_level) in [
            (0.0, None, 0),
            (1e-4, None, 0),
            (2.0_f64.powi(-11), lower, 777),
        ] {
            let stays = reaches.iter().scan(of_level, |left, &reach| {
                let is_first = level == Some(reach) && *left != 0;
                *left -= usize::from(is_first);
                Some(least <= reach || is_first)
            });
            let old: Vec<usize> = (0..nodes.len())
                .zip(stays)
                .filter_map(|(id, stays)| stays.then_some(id))
                .collect();
            for threads in [1, 2, 3, 7] {
                let kept = Kept::of(&reaches, least, level, of_level, threads);
                let mut room = Room::of(nodes.len());
                room.extend_from_slice(&nodes);
                let taken = kept.taken_from(room, threads);
                assert_eq!((taken.len(), kept.count()), (old.len(), old.len()));
                for (new, (node, &old)) in taken.iter().zip(&old).enumerate() {
                    // The value of a node is its old number.
                    assert_eq!(
                        (node.value(), kept.place(old)),
                        (Some(old as f64), Some(new as u32))
                    );
                    let parent = taken.get(node.parent as usize).map(Node::value);
                    assert_eq!(
                        parent,
                        nodes.get(nodes[old].parent as usize).map(Node::value)
                    );
                    let below = nodes_between(&taken, old, old + nodes[old].kept_below as usize);
                    assert_eq!(node.kept_below as usize, below, "{old}");
                }
                let mut others = nodes.clone();
                kept.drop_others(&mut others);
                assert_eq!(&others, &*taken);
            }
        }
    }

    /// How many of the old nodes `first + 1 ..= last` are in `taken`, which is in order.
    fn nodes_between(taken: &[Node], first: usize, last: usize) -> usize {
        let until = |old: usize| {
            taken.partition_point(|node| node.value().is_some_and(|value| value <= old as f64))
        };
        until(last) - until(first)
    }
}
