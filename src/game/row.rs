//! Slides of one packed row of four, for all 65,536 rows.

use std::sync::LazyLock;

/// Four 4-bit ranks; the leftmost cell is the lowest nibble.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Row(pub u16);

impl Row {
    /// The ranks from left to right.
    pub const fn ranks(self) -> [u8; 4] {
        [(self.0 & 15) as u8, (self.0 >> 4 & 15) as u8, (self.0 >> 8 & 15) as u8, (self.0 >> 12) as u8]
    }

    /// The row with these ranks; each must be at most 15.
    pub const fn from_ranks(ranks: [u8; 4]) -> Self {
        Self(ranks[0] as u16 | (ranks[1] as u16) << 4 | (ranks[2] as u16) << 8 | (ranks[3] as u16) << 12)
    }

    /// The row read from right to left.
    pub const fn reversed(self) -> Self {
        let [a, b, c, d] = self.ranks();
        Self::from_ranks([d, c, b, a])
    }

    /// The row slid to the left with its reward, or `None` when two 32768 would merge.
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

/// What both slides of a row do.
///
/// One reward serves both directions: a run of k equal tiles merges ⌊k/2⌋ times from either end.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSlide {
    /// The row after a slide to the left.
    pub left: u16,
    /// The row after a slide to the right.
    pub right: u16,
    /// Points of either slide, or [`RowSlide::TOO_LARGE`] when two 32768 would merge.
    pub reward: u32,
}

impl RowSlide {
    /// Marks a row whose merge a 4-bit rank cannot hold. Rewards of four rows add up to less than this, so the
    /// sum of four rewards reaches it exactly when one of the rows is marked.
    pub const TOO_LARGE: u32 = 1 << 24;
}

/// Slides of every row.
pub struct Rows(Box<[RowSlide; 1 << 16]>);

static ROWS: LazyLock<Rows> = LazyLock::new(Rows::build);

impl Rows {
    /// The table, built on first use (about a millisecond, 512 KiB).
    pub fn shared() -> &'static Self {
        &ROWS
    }

    /// Both slides of `row`.
    #[inline(always)]
    pub fn slide(&self, row: u16) -> RowSlide {
        self.0[usize::from(row)]
    }

    fn build() -> Self {
        let mut table: Box<[RowSlide; 1 << 16]> =
            vec![RowSlide::default(); 1 << 16].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!());
        for row in 0..=u16::MAX {
            table[usize::from(row)] = match (Row(row).slid_left(), Row(row).reversed().slid_left()) {
                (Some((left, reward)), Some((right, _))) => {
                    RowSlide { left: left.0, right: right.reversed().0, reward }
                }
                _ => RowSlide { left: row, right: row, reward: RowSlide::TOO_LARGE },
            };
        }
        Self(table)
    }
}

impl std::fmt::Debug for Rows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rows(65536 slides)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule as a plain list operation: drop the empties, merge from the front, pad.
    fn slide_list(tiles: &[u64]) -> (Vec<u64>, u64) {
        let mut queue: Vec<u64> = tiles.iter().copied().filter(|&tile| tile != 0).rev().collect();
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
        row.ranks().iter().map(|&rank| if rank == 0 { 0 } else { 1_u64 << rank }).collect()
    }

    #[test]
    fn every_row_slides_both_ways_as_a_plain_list_does() {
        for number in 0..=u16::MAX {
            let row = Row(number);
            let (left, left_reward) = slide_list(&tiles(row));
            let (mut right, right_reward) = slide_list(&tiles(row.reversed()));
            right.reverse();
            let entry = Rows::shared().slide(number);
            if left.iter().chain(&right).any(|&tile| 32768 < tile) {
                assert_eq!(entry.reward, RowSlide::TOO_LARGE, "{row:?}");
                continue;
            }
            assert_eq!(tiles(Row(entry.left)), left, "{row:?}");
            assert_eq!(tiles(Row(entry.right)), right, "{row:?}");
            assert_eq!(u64::from(entry.reward), left_reward, "{row:?}");
            assert_eq!(left_reward, right_reward, "{row:?}");
        }
    }

    #[test]
    fn four_rewards_never_reach_the_mark() {
        let largest = (0..=u16::MAX)
            .map(|row| Rows::shared().slide(row).reward)
            .filter(|&reward| reward != RowSlide::TOO_LARGE)
            .max()
            .expect("rows exist");
        assert!(4 * largest < RowSlide::TOO_LARGE);
    }
}
