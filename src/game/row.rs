//! Slides of one packed row of four, for all 65,536 rows.

use std::sync::LazyLock;

/// Four 4-bit ranks. The leftmost cell is the lowest nibble.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Row(pub u16);

impl Row {
    /// The ranks from left to right.
    pub const fn ranks(self) -> [u8; 4] {
        [
            (self.0 & 15) as u8,
            (self.0 >> 4 & 15) as u8,
            (self.0 >> 8 & 15) as u8,
            (self.0 >> 12) as u8,
        ]
    }

    /// The row with these ranks, each at most 15.
    pub const fn from_ranks(ranks: [u8; 4]) -> Self {
        Self(
            ranks[0] as u16
                | (ranks[1] as u16) << 4
                | (ranks[2] as u16) << 8
                | (ranks[3] as u16) << 12,
        )
    }

    pub const fn reversed(self) -> Self {
        let [a, b, c, d] = self.ranks();
        Self::from_ranks([d, c, b, a])
    }

    /// The row slid to the left with its reward. `None` if two 32768 would merge.
    fn slid_left(self) -> Option<(Self, u32)> {
        let mut slid = [0; 4];
        let (mut filled, mut reward, mut may_merge) = (0, 0, false);
        for rank in self.ranks() {
            match rank {
                0 => {}
                _ if may_merge && slid[filled - 1] == rank => {
                    if rank == 15 {
                        return None;
                    }
                    slid[filled - 1] += 1;
                    reward += 2 << rank;
                    may_merge = false;
                }
                _ => {
                    slid[filled] = rank;
                    filled += 1;
                    may_merge = true;
                }
            }
        }

        Some((Self::from_ranks(slid), reward))
    }
}

/// Both slides of a row, eight bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSlide {
    /// The row after a slide to the left.
    pub left: u16,
    pub right: u16,
    pub facts: Facts,
}

/// The effects of slides of some rows except for the final tiles. They are small counts packed into one word, so that
/// the facts of a board are the sum of those of its rows. A run of k equal tiles merges ⌊k/2⌋ times from either end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Facts(u32);

impl Facts {
    /// Rewards are multiples of 4 and at most 65536 per row: a quarter of those of four rows takes 17 bits. The other
    /// fields count up to 8, 4, 4 and 4.
    const MERGES: u32 = 17;
    const LEFT: u32 = 21;
    const RIGHT: u32 = 24;
    const TOO_LARGE: u32 = 27;

    fn of(reward: u32, merges: u32, left_moves: bool, right_moves: bool) -> Self {
        let moves = u32::from(left_moves) << Self::LEFT | u32::from(right_moves) << Self::RIGHT;
        Self((reward / 4) | merges << Self::MERGES | moves)
    }

    #[inline(always)]
    pub const fn of_four(rows: [Self; 4]) -> Self {
        Self(rows[0].0 + rows[1].0 + rows[2].0 + rows[3].0)
    }

    #[inline(always)]
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    pub const fn reward(self) -> u32 {
        (self.0 & ((1 << Self::MERGES) - 1)) << 2
    }

    /// The number of pairs that either slide merges, which is the number of cells it empties.
    #[inline(always)]
    pub const fn merges(self) -> u32 {
        self.0 >> Self::MERGES & 15
    }

    #[inline(always)]
    pub const fn left_moves(self) -> bool {
        self.0 >> Self::LEFT & 7 != 0
    }

    #[inline(always)]
    pub const fn right_moves(self) -> bool {
        self.0 >> Self::RIGHT & 7 != 0
    }

    /// The facts of a row, prepared for [`Facts::moves`] of the sum with others.
    #[inline(always)]
    #[must_use]
    pub const fn readied(self) -> Self {
        Self(self.0 + (3 << Self::LEFT) + (3 << Self::RIGHT))
    }

    /// Whether anything moves to the left and to the right, each as the highest bit of its count. Needs exactly one
    /// [`Facts::readied`] in the sum: any count carries into that bit.
    #[inline(always)]
    pub const fn moves(self) -> [u32; 2] {
        [self.0 & 4 << Self::LEFT, self.0 & 4 << Self::RIGHT]
    }

    /// The number of legal slides to either side, from the sums of both over at most 63 rows.
    #[inline(always)]
    pub const fn count_moves([left, right]: [u64; 2]) -> u32 {
        (left >> (Self::LEFT + 2)) as u32 + (right >> (Self::RIGHT + 2)) as u32
    }

    /// Whether two 32768 would merge, which a 4-bit rank cannot hold. The other facts are then invalid.
    #[inline(always)]
    pub const fn is_too_large(self) -> bool {
        1 << Self::TOO_LARGE <= self.0
    }
}

/// Both slides of a row, ready to be placed across the other rows of a board: sixteen bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub struct SpreadSlide {
    /// Each sixteen bits have the cell of one column: in the lowest nibble that after a slide to the left, then that
    /// after one to the right.
    cells: u64,
    pub slide: RowSlide,
}

impl SpreadSlide {
    /// The cells after a slide to the left, each in the lowest nibble of sixteen bits: the first row of a transposed
    /// board.
    #[inline(always)]
    pub const fn left_across(&self) -> u64 {
        self.cells & 0x000F_000F_000F_000F
    }

    #[inline(always)]
    pub const fn right_across(&self) -> u64 {
        self.cells >> 4 & 0x000F_000F_000F_000F
    }
}

/// [`SpreadSlide`] of every row.
pub struct SpreadRows(Box<[SpreadSlide; 1 << 16]>);

static SPREAD_ROWS: LazyLock<SpreadRows> = LazyLock::new(SpreadRows::build);

impl SpreadRows {
    /// The table, built on first use (about two milliseconds, 1 MiB).
    pub fn shared() -> &'static Self {
        &SPREAD_ROWS
    }

    #[inline(always)]
    pub fn slide(&self, row: u16) -> SpreadSlide {
        self.0[usize::from(row)]
    }

    fn build() -> Self {
        let across = |row: u16| super::Packed::from_rows([row, 0, 0, 0]).transposed().bits();
        let mut table: Box<[SpreadSlide; 1 << 16]> = vec![SpreadSlide::default(); 1 << 16]
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!());
        for row in 0..=u16::MAX {
            let slide = Rows::shared().slide(row);
            table[usize::from(row)] = SpreadSlide {
                cells: across(slide.left) | across(slide.right) << 4,
                slide,
            };
        }
        Self(table)
    }
}

pub struct Rows(Box<[RowSlide; 1 << 16]>);

static ROWS: LazyLock<Rows> = LazyLock::new(Rows::build);

impl Rows {
    /// The table, built on first use (about a millisecond, 512 KiB).
    pub fn shared() -> &'static Self {
        &ROWS
    }

    #[inline(always)]
    pub fn slide(&self, row: u16) -> RowSlide {
        self.0[usize::from(row)]
    }

    fn build() -> Self {
        let mut table: Box<[RowSlide; 1 << 16]> = vec![RowSlide::default(); 1 << 16]
            .into_boxed_slice()
            .try_into()
            .unwrap_or_else(|_| unreachable!());
        for row in 0..=u16::MAX {
            table[usize::from(row)] = match (Row(row).slid_left(), Row(row).reversed().slid_left())
            {
                (Some((left, reward)), Some((right, _))) => {
                    let right = right.reversed();
                    let tiles =
                        |row: Row| row.ranks().into_iter().filter(|&rank| rank != 0).count() as u32;
                    let merges = tiles(Row(row)) - tiles(left);
                    let facts = Facts::of(reward, merges, left.0 != row, right.0 != row);
                    RowSlide {
                        left: left.0,
                        right: right.0,
                        facts,
                    }
                }
                _ => RowSlide {
                    left: row,
                    right: row,
                    facts: Facts(1 << Facts::TOO_LARGE),
                },
            };
        }
        Self(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule as a plain list operation: drop the empty cells, merge from the front, pad.
    fn slide_list(tiles: &[u64]) -> (Vec<u64>, u64) {
        let mut queue: Vec<u64> = tiles
            .iter()
            .copied()
            .filter(|&tile| tile != 0)
            .rev()
            .collect();
        let (mut out, mut reward) = (Vec::new(), 0);
        while let Some(tile) = queue.pop() {
            if queue.last() == Some(&tile) {
                queue.pop();
                reward += 2 * tile;
                out.push(2 * tile);
            } else {
                out.push(tile);
            }
        }
        out.resize(tiles.len(), 0);
        (out, reward)
    }

    fn tiles(row: Row) -> Vec<u64> {
        row.ranks()
            .iter()
            .map(|&rank| if rank == 0 { 0 } else { 1_u64 << rank })
            .collect()
    }

    #[test]
    fn every_row_slides_both_ways_as_a_plain_list_does() {
        for number in 0..=u16::MAX {
            let row = Row(number);
            let (left, left_reward) = slide_list(&tiles(row));
            let (mut right, right_reward) = slide_list(&tiles(row.reversed()));
            right.reverse();
            let entry = Rows::shared().slide(number);
            let facts = entry.facts;
            assert_eq!(
                facts.is_too_large(),
                left.iter().chain(&right).any(|&tile| 32768 < tile),
                "{row:?}"
            );
            if facts.is_too_large() {
                continue;
            }
            assert_eq!(tiles(Row(entry.left)), left, "{row:?}");
            assert_eq!(tiles(Row(entry.right)), right, "{row:?}");
            assert_eq!(u64::from(facts.reward()), left_reward, "{row:?}");
            assert_eq!(left_reward, right_reward, "{row:?}");
            let empty = |tiles: &[u64]| tiles.iter().filter(|&&tile| tile == 0).count();
            assert_eq!(
                facts.merges() as usize,
                empty(&left) - empty(&tiles(row)),
                "{row:?}"
            );
            assert_eq!(facts.left_moves(), left != tiles(row), "{row:?}");
            assert_eq!(facts.right_moves(), right != tiles(row), "{row:?}");
        }
    }

    #[test]
    fn the_facts_of_four_rows_add_up_without_a_carry() {
        let rows = (0..=u16::MAX).map(|row| Rows::shared().slide(row).facts);
        let largest = |field: fn(Facts) -> u32| {
            rows.clone()
                .filter(|facts| !facts.is_too_large())
                .map(field)
                .max()
                .expect("rows exist")
        };
        assert!(4 * largest(Facts::reward) / 4 < 1 << Facts::MERGES);
        assert!(4 * largest(Facts::merges) < 1 << (Facts::LEFT - Facts::MERGES));
        for facts in rows.clone().step_by(7) {
            let four = Facts::of_four([facts; 4]);
            assert_eq!(four.is_too_large(), facts.is_too_large());
            assert_eq!(
                (four.left_moves(), four.right_moves()),
                (facts.left_moves(), facts.right_moves())
            );
            assert_eq!(
                (four.reward(), four.merges()),
                (4 * facts.reward(), 4 * facts.merges())
            );
        }
    }
}
