//! Upper limits of an evaluator over all boards that can follow from a given one, from its tables.
//!
//! A tile without an equal one stays until the smaller tiles, together with new ones, have merged to another of its
//! rank. Whatever happens to the others, each tile that stays is in some row and in some column. So the ceiling of four
//! lines is the largest sum over them over all distributions of these tiles, with each line at the maximum over lines
//! with its tiles. Rows and columns are treated separately, which can only make the ceiling too high.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{ByLines, Compiled, LineForm};
use crate::game::{Board, Row};

/// The largest tile and the tiles that stay, of ranks 1 to 15, one bit per rank. The largest one may grow if bit 0 is
/// set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lasting(u16);

impl Lasting {
    /// More tiles have too many distributions. The smallest, which matter least, are dropped.
    const MOST: u32 = 8;

    /// The tiles that stay during at most `spawns` new ones. `None` if a tile of a rank above 15 might be made.
    pub fn of(board: &Board, spawns: u32) -> Option<Self> {
        let mut counts = [0_u8; 16];
        for (_, rank) in board.cells() {
            *counts.get_mut(usize::from(rank.get()))? += 1;
        }
        let mut smaller = 4 * u64::from(spawns);
        let (mut ranks, mut largest, mut grows) = (0_u16, 0, false);
        for (rank, &count) in counts
            .iter()
            .enumerate()
            .skip(1)
            .filter(|&(_, &count)| count != 0)
        {
            grows = count != 1 || 1 << rank <= smaller;
            largest = rank;
            ranks |= u16::from(!grows) << rank;
            smaller += u64::from(count) << rank;
        }
        // No sum makes a tile that is larger than it.
        (smaller < 1 << 16)
            .then(|| Self(ranks | 1 << largest & !1 | u16::from(grows)).without_small())
    }

    fn without_small(self) -> Self {
        let mut ranks = self.0 & !1;
        while Self::MOST < ranks.count_ones() {
            ranks &= ranks - 1;
        }
        Self(ranks | self.0 & 1)
    }

    /// Which of the tiles a line with these ranks has, one bit each, from the smallest.
    fn among(self, line: u16) -> usize {
        let mut left = self.0 & !1;
        let (mut found, mut place) = (0, 0);
        while left != 0 {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
            let is_there = if left == 0 && self.0 & 1 != 0 {
                lowest <= line
            } else {
                line & lowest != 0
            };
            found |= usize::from(is_there) << place;
            place += 1;
        }
        found
    }

    fn count(self) -> u32 {
        (self.0 & !1).count_ones()
    }
}

/// Upper limits over all boards after a given one, by the tiles that stay, in units of the evaluator.
#[derive(Debug)]
pub struct Ceilings {
    factor: f64,
    rows: Vec<MostByRanks>,
    columns: Vec<MostByRanks>,
    /// The known ceilings by the tiles that stay. Unknown ones are NaN, which no ceiling is.
    cached: Box<[AtomicU64]>,
}

/// For each set of ranks in a line, one bit each from 1, the maximum value of a line with exactly these ranks.
type MostByRanks = Vec<(u16, f64)>;

fn most_by_ranks(table: &[f64; 1 << 16]) -> MostByRanks {
    let mut most = vec![f64::NEG_INFINITY; 1 << 16];
    for (row, &value) in (0..=u16::MAX).zip(table) {
        let ranks = Row(row)
            .ranks()
            .into_iter()
            .fold(0_u16, |ranks, rank| ranks | 1 << rank)
            & !1;
        let of_ranks = &mut most[usize::from(ranks)];
        *of_ranks = of_ranks.max(value);
    }
    (0..=u16::MAX)
        .zip(most)
        .filter(|(_, most)| *most != f64::NEG_INFINITY)
        .collect()
}

impl Ceilings {
    pub fn above(&self, lasting: Lasting) -> f64 {
        let cached = &self.cached[usize::from(lasting.0)];
        let ceiling = f64::from_bits(cached.load(Ordering::Relaxed));
        if !ceiling.is_nan() {
            return ceiling;
        }
        let ceiling = self.find(lasting);
        cached.store(ceiling.to_bits(), Ordering::Relaxed);
        ceiling
    }

    #[cold]
    fn find(&self, lasting: Lasting) -> f64 {
        let rows = dealt_out(&self.rows, lasting);
        let columns = if self.columns.is_empty() {
            rows
        } else {
            dealt_out(&self.columns, lasting)
        };
        self.factor * (rows + columns)
    }
}

/// The maximum sum of four lines that have all of these tiles between them. One line stands for four equal tables.
fn dealt_out(lines: &[MostByRanks], lasting: Lasting) -> f64 {
    let all = 1 << lasting.count();
    // By the tiles that a line has at least.
    let most = |line: &MostByRanks| {
        let mut most = vec![f64::NEG_INFINITY; all];
        for &(ranks, value) in line {
            let most = &mut most[lasting.among(ranks)];
            *most = most.max(value);
        }
        for tile in (0..lasting.count()).map(|place| 1 << place) {
            for fewer in (0..all).filter(|tiles| tiles & tile == 0) {
                most[fewer] = most[fewer].max(most[fewer | tile]);
            }
        }
        most
    };

    let lines: Vec<_> = lines.iter().map(most).collect();
    let mut sums = lines[0].clone();
    for line in lines.iter().cycle().skip(1).take(3) {
        sums = (0..all)
            .map(|tiles| most_of_two(&sums, line, tiles))
            .collect();
    }
    sums[all - 1]
}

/// The maximum of both together over all distributions of these tiles.
fn most_of_two(one: &[f64], other: &[f64], tiles: usize) -> f64 {
    let mut most = f64::NEG_INFINITY;
    let mut part = tiles;
    loop {
        most = most.max(one[part] + other[tiles ^ part]);
        if part == 0 {
            return most;
        }
        part = (part - 1) & tiles;
    }
}

impl Compiled {
    /// For evaluators that are sums over lines, with a table for each line or one for all. `None` for others, and if
    /// the value depends on the score.
    pub fn ceilings(&self) -> Option<Ceilings> {
        let ByLines { lines, weights } = self.by_lines()?;
        let factor = match weights {
            None => 1.0,
            Some([factor, 0.0]) if 0.0 <= factor => factor,
            Some(_) => return None,
        };

        let (rows, columns) = match lines {
            LineForm::One(table) => (vec![most_by_ranks(table)], Vec::new()),
            LineForm::Each(lines) => (
                (0..4).map(|at| most_by_ranks(lines.row(at))).collect(),
                (0..4).map(|at| most_by_ranks(lines.column(at))).collect(),
            ),
            LineForm::Rows(lines) => (
                (0..4).map(|at| most_by_ranks(lines.row(at))).collect(),
                vec![most_by_ranks(lines.column(0))],
            ),
            LineForm::Snake(_) | LineForm::Corner(_) => return None,
        };
        let cached = (0..1 << 16)
            .map(|_| AtomicU64::new(f64::NAN.to_bits()))
            .collect();
        let is_finite =
            |lines: &[MostByRanks]| lines.iter().flatten().all(|(_, most)| most.is_finite());
        let is_bounded = is_finite(&rows) && is_finite(&columns) && factor.is_finite();
        is_bounded.then_some(Ceilings {
            factor,
            rows,
            columns,
            cached,
        })
    }
}
