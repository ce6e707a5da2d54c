//! The transposition table: values of spawn nodes that were searched before.
//!
//! A slot is used only for the same board, the same plies left and the same score (if the evaluator depends on it), and
//! only if the search would do exactly the same again. So no value depends on the contents or the size of the table, or
//! on the thread that filled it. In two cases the value depends on the place of the node in the search as well, and the
//! slot stores the condition:
//!
//! - A cut by reach probability depends on the probability of the node. A slot stores the range of probabilities of the
//!   node for which every afterstate below it stays on the same side of the threshold.
//! - Under alpha-beta a value may be only a bound. A slot stores which bound.
//!
//! Slots are written without locks. The first word of a slot is the board xor the other words, so a slot with words of
//! two writers matches no board. Hyatt and Mann, *A lock-less transposition table implementation for parallel search
//! chess engines*, ICGA Journal 25 (2002).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Bound;
use crate::task::prefetch;

/// Values by board, plies left and score, of fixed size. Searches can share it one after another, in one game or in
/// many.
pub struct Table {
    /// Nodes that are cheap to search, by thread. Most nodes are cheap. They recur soon, and must not evict expensive
    /// ones.
    cheap: [OnceLock<Box<[Bucket]>>; MOST_APART],
    dear: Box<[Bucket]>,
    /// Slots of other generations count as empty.
    generation: AtomicU32,
}

/// A table as seen by one thread.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    cheap: &'a [Bucket],
    dear: &'a [Bucket],
    generation: u32,
}

/// Two slots in one cache line: the first keeps expensive values, the second the latest value.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Slot; 2]);

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    value: AtomicU64,
    /// Least and largest reach probability for which the value is valid, two `f32`.
    reach: AtomicU64,
    /// Score (32 bits), generation (22), plies (8), bound (2).
    meta: AtomicU64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stored {
    pub(super) value: f64,
    pub(super) bound: Bound,
    pub(super) reach: Reachable,
}

/// The probabilities of a node for which the same nodes below it are cut: at least `low` and below `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reachable {
    pub(super) low: f32,
    pub(super) high: f32,
}

impl Reachable {
    /// For searches without cuts by probability.
    pub(super) const ALL: Self = Self {
        low: 0.0,
        high: f32::INFINITY,
    };
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub(super) board: u64,
    pub(super) score: u32,
    pub(super) plies: u32,
    /// Whether the slides after its spawns are leaves.
    pub(super) is_cheap: bool,
}

const GENERATIONS: u32 = 1 << 22;

/// 2¹² cheap slots, 128 KiB, fit the second-level cache of a core.
const CHEAP_BITS: u32 = 12;

/// Maximum number of threads with their own cheap slots. More threads share them.
const MOST_APART: usize = 16;

impl Table {
    /// 2^`bits` slots of 32 bytes for expensive nodes, and 2¹² slots for cheap ones per searching thread.
    pub(super) fn new(bits: u32) -> Self {
        Self {
            cheap: [const { OnceLock::new() }; MOST_APART],
            dear: buckets(bits),
            generation: AtomicU32::new(1),
        }
    }

    /// Clears the table in constant time, so that the next search visits the same nodes as the first.
    pub fn clear(&self) {
        let next = self.generation() + 1;
        if next < GENERATIONS {
            self.generation.store(next, Ordering::Relaxed);
            return;
        }
        let cheap = self.cheap.iter().filter_map(OnceLock::get).flatten();
        for slot in cheap.chain(&self.dear).flat_map(|bucket| &bucket.0) {
            slot.meta.store(0, Ordering::Relaxed);
        }
        self.generation.store(1, Ordering::Relaxed);
    }

    fn generation(&self) -> u32 {
        self.generation.load(Ordering::Relaxed)
    }

    /// The table as one thread of a search sees it until [`Table::clear`]. Threads with different numbers have their
    /// own cheap slots, because cache lines that two cores write to move between them each time.
    pub(super) fn view(&self, thread: usize) -> View<'_> {
        let cheap = self.cheap[thread % MOST_APART].get_or_init(|| buckets(CHEAP_BITS));
        View {
            cheap,
            dear: &self.dear,
            generation: self.generation(),
        }
    }
}

impl<'a> View<'a> {
    /// The half of the table that has the slot of a key, and the index there.
    #[inline(always)]
    fn place(self, key: Key) -> (&'a [Bucket], usize) {
        // Fibonacci hashing: the upper half of the product depends on every bit of the board.
        let mixed = (key.board ^ u64::from(key.score) << 20).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
        let buckets = if key.is_cheap { self.cheap } else { self.dear };
        (buckets, mixed as usize & (buckets.len() - 1))
    }

    #[inline(always)]
    fn bucket(self, key: Key) -> &'a Bucket {
        let (buckets, place) = self.place(key);
        &buckets[place]
    }

    #[inline(always)]
    fn meta(self, key: Key) -> u64 {
        u64::from(key.score) << 32
            | u64::from(self.generation) << 10
            | u64::from(key.plies & 255) << 2
    }

    /// Prefetches the slot of a key that is needed soon.
    #[inline(always)]
    pub(super) fn touch(self, key: Key) {
        let (buckets, place) = self.place(key);
        if cfg!(target_arch = "x86_64") {
            prefetch(buckets, place);
        } else {
            // On other processors an early read is the only way.
            std::hint::black_box(buckets[place].0[0].meta.load(Ordering::Relaxed));
        }
    }

    /// The stored value of a node that is reached with this probability.
    #[inline(always)]
    pub(super) fn get(self, key: Key, reach: f64) -> Option<Stored> {
        let wanted = self.meta(key);
        for slot in &self.bucket(key).0 {
            let meta = slot.meta.load(Ordering::Relaxed);
            if meta & !3 != wanted {
                continue;
            }
            let (value, span) = (
                slot.value.load(Ordering::Relaxed),
                slot.reach.load(Ordering::Relaxed),
            );
            if slot.check.load(Ordering::Relaxed) != key.board ^ value ^ span ^ meta {
                continue;
            }
            let reachable = Reachable {
                low: f32::from_bits(span as u32),
                high: f32::from_bits((span >> 32) as u32),
            };
            if reach < f64::from(reachable.low) || f64::from(reachable.high) <= reach {
                continue;
            }
            return Some(Stored {
                value: f64::from_bits(value),
                bound: Bound::from_bits(meta as u8),
                reach: reachable,
            });
        }
        None
    }

    /// Whether storing this key would evict a value of this search with another board, score or depth.
    #[inline(always)]
    pub(super) fn collides(self, key: Key) -> bool {
        let slot = self.slot_for(key);
        let [check, value, reach, meta] = [&slot.check, &slot.value, &slot.reach, &slot.meta]
            .map(|word| word.load(Ordering::Relaxed));
        let is_used = (meta >> 10) as u32 & (GENERATIONS - 1) == self.generation;
        let is_same = meta & !3 == self.meta(key) && check == key.board ^ value ^ reach ^ meta;
        is_used && !is_same
    }

    /// The slot for a value: the first, unless it has a more expensive value of this search.
    #[inline(always)]
    fn slot_for(self, key: Key) -> &'a Slot {
        let bucket = self.bucket(key);
        let first = bucket.0[0].meta.load(Ordering::Relaxed);
        let is_old = (first >> 10) as u32 & (GENERATIONS - 1) != self.generation;
        let plies_of_first = (first >> 2 & 255) as u32;
        &bucket.0[usize::from(!is_old && key.plies < plies_of_first)]
    }

    /// Stores a value in place of a cheaper or older one.
    #[inline(always)]
    pub(super) fn put(self, key: Key, stored: Stored) {
        let meta = self.meta(key) | stored.bound as u64;
        let slot = self.slot_for(key);
        let value = stored.value.to_bits();
        let span =
            u64::from(stored.reach.low.to_bits()) | u64::from(stored.reach.high.to_bits()) << 32;
        slot.check
            .store(key.board ^ value ^ span ^ meta, Ordering::Relaxed);
        slot.value.store(value, Ordering::Relaxed);
        slot.reach.store(span, Ordering::Relaxed);
        slot.meta.store(meta, Ordering::Relaxed);
    }
}

fn buckets(bits: u32) -> Box<[Bucket]> {
    (0..1_usize << bits.max(1) >> 1)
        .map(|_| Bucket::default())
        .collect()
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cheap: usize = self
            .cheap
            .iter()
            .filter_map(OnceLock::get)
            .map(|buckets| buckets.len())
            .sum();
        write!(f, "Table({} slots)", 2 * (cheap + self.dear.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_answers_for_its_own_board_plies_score_and_reach_alone() {
        let table = Table::new(8);
        let key = Key {
            board: 0x1234,
            score: 40,
            plies: 3,
            is_cheap: false,
        };
        let stored = Stored {
            value: 1.5,
            bound: Bound::Upper,
            reach: Reachable {
                low: 0.25,
                high: 0.5,
            },
        };
        table.view(0).put(key, stored);
        assert_eq!(table.view(0).get(key, 0.25), Some(stored));
        assert_eq!(table.view(0).get(key, 0.2), None);
        assert_eq!(table.view(0).get(key, 0.5), None);
        assert_eq!(
            table.view(0).get(
                Key {
                    board: 0x1235,
                    ..key
                },
                0.3
            ),
            None
        );
        assert_eq!(table.view(0).get(Key { score: 44, ..key }, 0.3), None);
        assert_eq!(table.view(0).get(Key { plies: 5, ..key }, 0.3), None);
        assert_eq!(
            table.view(0).get(
                Key {
                    is_cheap: true,
                    ..key
                },
                0.3
            ),
            None
        );
        assert_eq!(
            table.view(1).get(key, 0.25),
            Some(stored),
            "another thread sees what was dear"
        );

        table.view(1).put(
            Key {
                is_cheap: true,
                ..key
            },
            stored,
        );
        let cheap = |thread: usize| {
            table.view(thread).get(
                Key {
                    is_cheap: true,
                    ..key
                },
                0.3,
            )
        };
        assert_eq!(
            [0, 1, 2].map(|thread| cheap(thread).is_some()),
            [false, true, false]
        );
        table.clear();
        assert_eq!(table.view(0).get(key, 0.3), None);
        assert_eq!(cheap(1), None);
    }

    #[test]
    fn dear_values_stay_and_cheap_ones_make_room() {
        let table = Table::new(1);
        let key = |board, plies| Key {
            board,
            score: 0,
            plies,
            is_cheap: false,
        };
        let stored = |value| Stored {
            value,
            bound: Bound::Exact,
            reach: Reachable::ALL,
        };
        table.view(0).put(key(1, 7), stored(1.0));
        table.view(0).put(key(2, 3), stored(2.0));
        table.view(0).put(key(3, 3), stored(3.0));
        assert_eq!(table.view(0).get(key(1, 7), 1.0), Some(stored(1.0)));
        assert_eq!(table.view(0).get(key(2, 3), 1.0), None);
        assert!(
            table.view(0).collides(key(1, 9)) && table.view(0).collides(key(2, 3)),
            "another board has to go"
        );
        assert!(
            !table.view(0).collides(key(3, 3)) && !table.view(0).collides(key(1, 7)),
            "the same again"
        );
        table.clear();
        assert!(
            !table.view(0).collides(key(2, 3)),
            "what an earlier search left is no loss"
        );
        table.view(0).put(key(1, 7), stored(1.0));
        table.view(0).put(key(3, 3), stored(3.0));
        assert_eq!(table.view(0).get(key(3, 3), 1.0), Some(stored(3.0)));
    }
}
