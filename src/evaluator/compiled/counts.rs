//! Integer counts on a board: equal tiles, ordered pairs, the largest tile and its place.

use std::sync::LazyLock;

use super::{RowTable, definition};
use crate::game::{CrossedSlides, Move, Packed, Row, Rows};

/// Σ (tiles of a value)³. The counts are the nibbles of one word, one nibble per rank.
///
/// Never inlined: otherwise the compiler would compute it in the loop over the rows of a strategy even if it is not
/// needed.
#[inline(never)]
pub(super) fn uniformity(board: Packed) -> u32 {
    let bits = board.bits();
    if bits == bits.rotate_left(4) {
        // Sixteen equal cells are the only count that does not fit a nibble.
        return if bits == 0 { 0 } else { 16 * 16 * 16 };
    }
    let mut counts: u64 = 0;
    for cell in 0..16 {
        counts += 1 << (4 * (bits >> (4 * cell) & 15));
    }
    // Empty cells do not count. Always adds all ranks, two at a time: a loop up to the largest would mispredict.
    (counts & !15)
        .to_le_bytes()
        .iter()
        .map(|&two| u32::from(CUBES[usize::from(two)]))
        .sum()
}

/// Sum of the cubes of both nibbles of a byte.
const CUBES: [u16; 256] = {
    let mut cubes = [0; 256];
    let mut two = 0;
    while two < 256 {
        cubes[two] = (two as u16 & 15).pow(3) + (two as u16 >> 4).pow(3);
        two += 1;
    }
    cubes
};

/// The number of ordered neighbor pairs.
///
/// The four rotations pair each reading of the rows with each of the columns, so the largest takes the better of both.
#[derive(Debug)]
pub(super) struct OrderedPairs {
    of_row: RowTable<Readings>,
    /// The same for a row after it slid to the left and to the right, which saves decomposing the slid board.
    after_slides: RowTable<u16>,
}

/// Ordered pairs read forwards (low nibble) and backwards (high nibble).
///
/// At most 3 pairs per row, so those of four rows add up to at most 12 without a carry.
#[derive(Clone, Copy)]
struct Readings(u8);

impl Readings {
    fn of(row: Row) -> Self {
        let ranks = row.ranks();
        let forwards = ranks.windows(2).filter(|pair| pair[1] <= pair[0]).count() as u8;
        let backwards = ranks.windows(2).filter(|pair| pair[0] <= pair[1]).count() as u8;
        Self(forwards | backwards << 4)
    }

    #[inline(always)]
    fn better(self) -> u32 {
        /// The better nibble of each byte: one lookup instead of four steps.
        const BETTER: [u8; 256] = {
            let mut better = [0; 256];
            let mut both = 0;
            while both < 256 {
                let (forwards, backwards) = (both as u8 & 15, both as u8 >> 4);
                better[both] = if forwards < backwards {
                    backwards
                } else {
                    forwards
                };
                both += 1;
            }
            better
        };
        u32::from(BETTER[usize::from(self.0)])
    }
}

pub(super) static ORDERED_PAIRS: LazyLock<OrderedPairs> = LazyLock::new(|| {
    let rows = Rows::shared();
    OrderedPairs {
        of_row: RowTable::new(|row| Readings::of(Row(row))),
        after_slides: RowTable::new(|row| {
            let slide = rows.slide(row);
            u16::from_le_bytes([slide.left, slide.right].map(|row| Readings::of(Row(row)).0))
        }),
    }
});

impl OrderedPairs {
    pub(super) fn largest(&self, board: Packed) -> u32 {
        self.of_rows(board).better() + self.of_rows(board.transposed()).better()
    }

    #[inline(always)]
    pub(super) fn largest_after(&self, slides: &CrossedSlides) -> [u32; 4] {
        let [up, down] = self.of_slid_rows(slides.before().transposed());
        let [left, right] = self.of_slid_rows(slides.before().packed());
        // Written out, because the compiler calls a function for maps over arrays.
        let better = |along: Readings, mv| {
            along.better() + self.of_rows(slides.as_slid(mv).transposed()).better()
        };
        [
            better(up, Move::Up),
            better(down, Move::Down),
            better(left, Move::Left),
            better(right, Move::Right),
        ]
    }

    #[inline(always)]
    fn of_rows(&self, board: Packed) -> Readings {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.of_row[board.row(index)].0);
        Readings(a.wrapping_add(b).wrapping_add(c).wrapping_add(d))
    }

    #[inline(always)]
    fn of_slid_rows(&self, board: Packed) -> [Readings; 2] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.after_slides[board.row(index)]);
        (a.wrapping_add(b).wrapping_add(c).wrapping_add(d))
            .to_le_bytes()
            .map(Readings)
    }
}

/// For each axis the smaller of all falls and all rises of ranks.
#[derive(Debug)]
pub(super) struct RankOrder {
    /// Falls in the low byte and rises in the high one. At most 45 per row, so the sum of four rows does not carry.
    of_row: RowTable<u16>,
}

pub(super) static RANK_ORDER: LazyLock<RankOrder> = LazyLock::new(|| RankOrder {
    of_row: RowTable::new(|row| {
        let (falls, rises) = definition::falls_and_rises(Row(row).ranks().into_iter(), 4);
        (falls | rises << 8) as u16
    }),
});

impl RankOrder {
    pub(super) fn value(&self, rows: Packed, columns: Packed) -> f64 {
        0.0 - f64::from(self.least(rows) + self.least(columns))
    }

    fn least(&self, board: Packed) -> u32 {
        let [falls, rises] = [0, 1, 2, 3]
            .map(|index| self.of_row[board.row(index)])
            .into_iter()
            .sum::<u16>()
            .to_le_bytes();
        u32::from(falls.min(rises))
    }
}

pub(super) fn max_tile(board: Packed) -> i64 {
    1 << max_rank(board) & !1
}

pub(super) fn max_rank(board: Packed) -> u8 {
    // One rank per byte, all sixteen in parallel.
    let even = (board.bits() & 0x0F0F_0F0F_0F0F_0F0F).to_le_bytes();
    let odd = (board.bits() >> 4 & 0x0F0F_0F0F_0F0F_0F0F).to_le_bytes();
    even.into_iter()
        .zip(odd)
        .fold(0, |largest, (a, b)| largest.max(a).max(b))
}

/// The largest tile, negated if no corner has it.
pub(super) fn corner_bonus(board: Packed) -> i64 {
    let bits = board.bits();
    let corner = [0, 12, 48, 60]
        .into_iter()
        .fold(0, |largest, place| largest.max(bits >> place & 15));
    let largest = max_tile(board);
    if 1 << corner & !1 == largest {
        largest
    } else {
        -largest
    }
}
