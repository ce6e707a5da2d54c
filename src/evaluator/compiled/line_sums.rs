//! Sums over rows and columns as lookups: every evaluator that gives each line its own value.

use std::sync::{LazyLock, OnceLock};

use super::super::definition::{merges, outside_in};
use super::super::formula::{Formula, Only};
use super::super::{Evaluator, Lines};
use super::{LineForm, RowTable};
use crate::game::{Crossed, CrossedSlides, Grid, Move, Packed, Rank, Row, Size};
use crate::math;

type Table = RowTable<f64>;

/// Values of the rows and columns of a 4×4 board, one table for each line.
///
/// The value of a board is the sum over its lines. An index is a packed row, with the leftmost cell in the lowest
/// nibble; for a column it is a row of the transposed board. Lines with equal values share a table, which takes 512
/// KiB.
#[derive(Debug)]
pub struct LineTables {
    pub(super) rows: [Table; 4],
    /// `None` if no column counts.
    pub(super) columns: Option<[Table; 4]>,
    is_uniform: bool,
}

/// The table of columns that do not count.
static NOTHING: LazyLock<Table> = LazyLock::new(|| RowTable::new(|_| 0.0));

impl LineTables {
    /// Values of row `index` from the top, at most 3.
    #[inline(always)]
    pub fn row(&self, index: usize) -> &[f64; 1 << 16] {
        &self.rows[index].0
    }

    /// Values of column `index` from the left, at most 3.
    #[inline(always)]
    pub fn column(&self, index: usize) -> &[f64; 1 << 16] {
        &self
            .columns
            .as_ref()
            .map_or(&*NOTHING, |columns| &columns[index])
            .0
    }

    fn form(&self) -> LineForm<'_> {
        match (self.is_uniform(), &self.columns) {
            (Some(table), _) => LineForm::One(table),
            (None, Some(_)) => LineForm::Each(self),
            (None, None) => LineForm::Rows(self),
        }
    }

    /// The shared table, if all eight lines have the same one.
    #[inline(always)]
    pub(super) fn is_uniform(&self) -> Option<&[f64; 1 << 16]> {
        self.is_uniform.then_some(&*self.rows[0].0)
    }

    /// The sum over all lines.
    ///
    /// Added from the outside in, so that an image of the board has the same value to the last bit, if the tables
    /// allow.
    #[inline(always)]
    pub fn value(&self, board: Crossed) -> f64 {
        let rows = four(&self.rows, board.packed());
        self.columns
            .as_ref()
            .map_or(rows, |columns| rows + four(columns, board.transposed()))
    }

    pub(super) fn values(&self, slides: &CrossedSlides) -> [f64; 4] {
        if let Some(table) = self.is_uniform() {
            // With one table, transposing the board makes no difference.
            return Move::ALL.map(|mv| {
                let board = slides.as_slid(mv);
                four_of(table, board) + four_of(table, board.transposed())
            });
        }
        Move::ALL.map(|mv| {
            let slid = slides.as_slid(mv);
            let (rows, columns) = if mv.is_horizontal() {
                (slid, slid.transposed())
            } else {
                (slid.transposed(), slid)
            };
            let rows = four(&self.rows, rows);
            self.columns
                .as_ref()
                .map_or(rows, |tables| rows + four(tables, columns))
        })
    }
}

/// The sum of the rows of a board, each by its own table.
#[inline(always)]
fn four(tables: &[Table; 4], board: Packed) -> f64 {
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| tables[index][board.row(index as u32)]);
    (a + d) + (b + c)
}

/// The same with one table.
#[inline(always)]
fn four_of(table: &[f64; 1 << 16], board: Packed) -> f64 {
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| table[usize::from(board.row(index))]);
    (a + d) + (b + c)
}

/// Terms that decompose into lines, computed on grids and looked up on packed boards.
#[derive(Debug)]
pub(super) struct LineSum {
    terms: Vec<(f64, LineTerm)>,
    /// Built for the first packed board.
    tables: OnceLock<LineTables>,
}

impl LineSum {
    pub(super) fn new(terms: Vec<(f64, LineTerm)>) -> Self {
        Self {
            terms,
            tables: OnceLock::new(),
        }
    }

    #[inline(always)]
    pub(super) fn tables(&self) -> &LineTables {
        self.tables.get_or_init(|| self.build())
    }

    pub(super) fn form(&self) -> LineForm<'_> {
        self.tables().form()
    }

    #[cold]
    fn build(&self) -> LineTables {
        let mut built: Vec<(BoardLine, Table)> = Vec::new();
        let mut table_of = |line: BoardLine| {
            let alike = |other: BoardLine| {
                self.terms
                    .iter()
                    .all(|(_, term)| term.are_alike(line, other))
            };
            let table = match built.iter().find(|(other, _)| alike(*other)) {
                Some((_, table)) => table.clone(),
                None => RowTable::new(|row| self.value(line, &Row(row).ranks().map(Rank::clamped))),
            };
            built.push((line, table.clone()));
            table
        };

        let rows = [0, 1, 2, 3].map(|index| {
            table_of(BoardLine {
                only: Only::Row(index),
                size: Size::FOUR,
            })
        });
        let counts = self.terms.iter().any(|(_, term)| term.counts_columns());
        let columns = counts.then(|| {
            [0, 1, 2, 3].map(|index| {
                table_of(BoardLine {
                    only: Only::Column(index),
                    size: Size::FOUR,
                })
            })
        });
        let is_uniform = columns
            .iter()
            .flatten()
            .chain(&rows)
            .all(|table| table.is(&rows[0]));
        LineTables {
            is_uniform: is_uniform && counts,
            rows,
            columns,
        }
    }

    fn value(&self, line: BoardLine, ranks: &[Rank]) -> f64 {
        self.terms
            .iter()
            .map(|(weight, term)| weight * term.value(line, ranks))
            .sum()
    }

    pub(super) fn of_grid(&self, board: &Grid) -> f64 {
        let (rows, cols) = (board.size().rows(), board.size().cols());
        let (ranks, size) = (board.ranks(), board.size());
        let row = |index: usize| {
            self.value(
                BoardLine {
                    only: Only::Row(index),
                    size,
                },
                &ranks[index * cols..][..cols],
            )
        };
        let column = |index: usize| {
            let mut column = [Rank::EMPTY; Size::MAX as usize];
            for (row, rank) in column[..rows].iter_mut().enumerate() {
                *rank = ranks[row * cols + index];
            }
            self.value(
                BoardLine {
                    only: Only::Column(index),
                    size,
                },
                &column[..rows],
            )
        };
        let of_rows = outside_in((0..rows).map(row));
        if !self.terms.iter().any(|(_, term)| term.counts_columns()) {
            return of_rows;
        }
        of_rows + outside_in((0..cols).map(column))
    }
}

/// A row or a column of boards of a size.
#[derive(Clone, Copy, Debug)]
struct BoardLine {
    only: Only,
    size: Size,
}

impl BoardLine {
    const fn is_column(self) -> bool {
        matches!(self.only, Only::Column(_))
    }

    /// Whether it is the first or the last one of its kind.
    const fn is_on_edge(self) -> bool {
        let (index, count) = match self.only {
            Only::Row(index) => (index, self.size.rows()),
            Only::Column(index) => (index, self.size.cols()),
        };
        index == 0 || index + 1 == count
    }
}

/// An evaluator that is a sum over rows and columns.
#[derive(Debug)]
pub(super) enum LineTerm {
    /// A cell is in two lines, and each counts half of it, so that rows and columns are equal.
    Empty,
    Difference,
    DifferenceOfTiles,
    /// As of `Empty`, each of the two lines of a cell counts half of it.
    Edges,
    MonotoneSum,
    RankSmoothness,
    SmoothnessPrinted,
    Lines(Box<Constants>),
    Weights(Vec<f64>),
    Formula(Formula),
}

/// The constants of `Lines` with the powers of every rank.
#[derive(Debug)]
pub(super) struct Constants {
    lines: Lines,
    monotonicity_powers: [f64; RANKS],
    sum_powers: [f64; RANKS],
}

const RANKS: usize = Rank::MAX.get() as usize + 1;

impl LineTerm {
    /// `None` for evaluators that are more than a sum over lines.
    pub(super) fn new(evaluator: &Evaluator) -> Option<Self> {
        match evaluator {
            Evaluator::Empty => Some(Self::Empty),
            Evaluator::Difference | Evaluator::Smoothness => Some(Self::Difference),
            Evaluator::DifferenceOfTiles => Some(Self::DifferenceOfTiles),
            Evaluator::Edges => Some(Self::Edges),
            Evaluator::MonotoneSum => Some(Self::MonotoneSum),
            Evaluator::RankSmoothness => Some(Self::RankSmoothness),
            Evaluator::SmoothnessPrinted => Some(Self::SmoothnessPrinted),
            Evaluator::Lines(lines) => Some(Self::Lines(Box::new(Constants::new(*lines)))),
            Evaluator::Weights(weights) => Some(Self::Weights(weights.values().to_vec())),
            Evaluator::Formula(formula) => {
                formula.has_lines().then(|| Self::Formula(formula.clone()))
            }
            _ => None,
        }
    }

    fn counts_columns(&self) -> bool {
        match self {
            Self::Weights(_) => false,
            Self::Formula(formula) => formula.counts_columns(),
            _ => true,
        }
    }

    /// Whether two lines of the same length have the same values.
    fn are_alike(&self, one: BoardLine, other: BoardLine) -> bool {
        match self {
            Self::Empty
            | Self::Difference
            | Self::DifferenceOfTiles
            | Self::MonotoneSum
            | Self::RankSmoothness
            | Self::Lines(_) => true,
            Self::Edges => one.is_on_edge() == other.is_on_edge(),
            Self::SmoothnessPrinted => one.is_column() == other.is_column(),
            Self::Weights(weights) => {
                let nothing = |line| of_row(weights, line).iter().all(|&weight| weight == 0.0);
                of_row(weights, one) == of_row(weights, other) || nothing(one) && nothing(other)
            }
            Self::Formula(formula) => formula.are_alike(one.only, other.only, one.size),
        }
    }

    fn value(&self, line: BoardLine, ranks: &[Rank]) -> f64 {
        let tile = |rank: &Rank| rank.tile() as i64;
        let pairs = || ranks.windows(2).map(|two| (tile(&two[0]), tile(&two[1])));
        match self {
            Self::Empty => ranks.iter().filter(|rank| rank.is_empty()).count() as f64 / 2.0,
            Self::Difference => whole(pairs().map(|(a, b)| -(a - b).abs())),
            Self::DifferenceOfTiles => whole(
                pairs()
                    .filter(|&(a, b)| a != 0 && b != 0)
                    .map(|(a, b)| -(a - b).abs()),
            ),
            Self::Edges => {
                let is_inner = |at: usize| !line.is_on_edge() && at != 0 && at + 1 != ranks.len();
                let on_edge = ranks.iter().enumerate().filter(|(at, _)| !is_inner(*at));
                whole(on_edge.map(|(_, rank)| tile(rank))) / 2.0
            }
            Self::MonotoneSum => whole(pairs().filter(|(a, b)| b <= a).map(|(a, _)| a)),
            Self::RankSmoothness => {
                let tiles = ranks
                    .iter()
                    .filter(|rank| !rank.is_empty())
                    .map(|rank| i64::from(rank.get()));
                whole(
                    tiles
                        .clone()
                        .zip(tiles.skip(1))
                        .map(|(a, b)| -(a - b).abs()),
                )
            }
            Self::SmoothnessPrinted if line.is_column() => {
                whole(pairs().map(|(a, b)| -(a - b).abs()))
            }
            Self::SmoothnessPrinted => whole(pairs().map(|(a, b)| -(a - b + 1).abs())),
            Self::Lines(constants) => constants.value(ranks),
            Self::Weights(weights) => {
                let weights = of_row(weights, line);
                outside_in(
                    ranks
                        .iter()
                        .zip(weights)
                        .map(|(rank, weight)| weight * rank.tile() as f64),
                )
            }
            Self::Formula(formula) => formula.line(line.only, line.size, ranks),
        }
    }
}

fn whole(numbers: impl Iterator<Item = i64>) -> f64 {
    numbers.sum::<i64>() as f64
}

/// The weights of a row; none of a column.
fn of_row(weights: &[f64], line: BoardLine) -> &[f64] {
    match line.only {
        Only::Row(index) => weights.chunks(line.size.cols()).nth(index).unwrap_or(&[]),
        Only::Column(_) => &[],
    }
}

impl Constants {
    fn new(lines: Lines) -> Self {
        let powers = |power: f64| {
            std::array::from_fn(|rank| {
                if rank == 0 {
                    0.0
                } else {
                    math::pow(rank as f64, power)
                }
            })
        };
        Self {
            monotonicity_powers: powers(lines.monotonicity_power),
            sum_powers: powers(lines.sum_power),
            lines,
        }
    }

    fn value(&self, ranks: &[Rank]) -> f64 {
        let empty = ranks.iter().filter(|rank| rank.is_empty()).count() as u32;
        let merges = merges(ranks.iter().copied());
        let power = |rank: Rank| self.monotonicity_powers[usize::from(rank.get())];
        let falls = ranks.windows(2).map(|two| {
            if two[1] < two[0] {
                power(two[0]) - power(two[1])
            } else {
                0.0
            }
        });
        let rises = ranks.windows(2).map(|two| {
            if two[0] < two[1] {
                power(two[1]) - power(two[0])
            } else {
                0.0
            }
        });
        let sum = outside_in(
            ranks
                .iter()
                .map(|rank| self.sum_powers[usize::from(rank.get())]),
        );
        let pairs = ranks
            .windows(2)
            .filter(|two| two[0] == two[1] && !two[0].is_empty())
            .count() as u32;
        let tiles: u64 = ranks.iter().map(|rank| rank.tile()).sum();
        let lines = &self.lines;
        lines.fixed + lines.empty * f64::from(empty) + lines.merges * f64::from(merges)
            - lines.monotonicity * outside_in(falls).min(outside_in(rises))
            - lines.sum * sum
            + lines.pairs * f64::from(pairs)
            - lines.tiles * tiles as f64
    }
}
