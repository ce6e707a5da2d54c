//! Evaluators made for millions of boards a second.
//!
//! On packed boards whatever decomposes into rows is looked up row by row; on grids the same numbers are counted out. Both
//! agree with the definition exactly: counts are whole numbers, and weighted sums are added in the same order.

use std::sync::LazyLock;

use super::{Evaluator, Weights};
use crate::game::{Grid, Packed, Position as _, Rank, Row};

/// Something that gives positions of one representation a value.
pub trait Evaluate<P> {
    /// Value of a position when `score` points have been made up to it.
    fn value(&self, position: P, score: u64) -> f64;
}

/// An evaluator ready to play.
#[derive(Debug)]
pub struct Compiled(Term);

#[derive(Debug)]
enum Term {
    Score,
    Empty,
    Uniformity,
    Monotonicity(&'static OrderedPairs),
    Inert,
    Weights(Box<WeightTables>),
    Sum(Vec<(f64, Term)>),
}

impl Compiled {
    /// Prepares an evaluator; tables of weights take up to 2 MiB each.
    pub fn new(evaluator: &Evaluator) -> Self {
        Self(Term::new(evaluator))
    }
}

impl Term {
    fn new(evaluator: &Evaluator) -> Self {
        match evaluator {
            Evaluator::Score => Self::Score,
            Evaluator::Empty => Self::Empty,
            Evaluator::Uniformity => Self::Uniformity,
            Evaluator::Monotonicity => Self::Monotonicity(&ORDERED_PAIRS),
            Evaluator::Inert => Self::Inert,
            Evaluator::Weights(weights) => Self::Weights(Box::new(WeightTables::new(weights))),
            Evaluator::Sum(terms) => {
                Self::Sum(terms.iter().map(|(weight, evaluator)| (*weight, Self::new(evaluator))).collect())
            }
        }
    }
}

impl Evaluate<Packed> for Compiled {
    #[inline(always)]
    fn value(&self, board: Packed, score: u64) -> f64 {
        self.0.value(board, score)
    }
}

impl Evaluate<Packed> for Term {
    #[inline]
    fn value(&self, board: Packed, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => f64::from(uniformity(board)),
            Self::Monotonicity(pairs) => f64::from(pairs.largest(board)),
            Self::Inert => 0.0,
            Self::Weights(tables) => tables.packed(board),
            Self::Sum(terms) => terms.iter().map(|(weight, term)| weight * term.value(board, score)).sum(),
        }
    }
}

impl Evaluate<Grid> for Compiled {
    fn value(&self, board: Grid, score: u64) -> f64 {
        self.0.value(board, score)
    }
}

impl Evaluate<Grid> for Term {
    fn value(&self, board: Grid, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => f64::from(uniformity_of_grid(&board)),
            Self::Monotonicity(_) => f64::from(ordered_pairs_of_grid(&board)),
            Self::Inert => 0.0,
            Self::Weights(tables) => tables.grid(&board),
            Self::Sum(terms) => terms.iter().map(|(weight, term)| weight * term.value(board, score)).sum(),
        }
    }
}

/// Σ (tiles of a value)³. Counts live in the nibbles of one word, one nibble a rank.
fn uniformity(board: Packed) -> u32 {
    let bits = board.bits();
    if bits == bits.rotate_left(4) {
        // Sixteen equal cells are the one count that no nibble holds.
        return if bits == 0 { 0 } else { 16 * 16 * 16 };
    }
    let mut counts: u64 = 0;
    for cell in 0..16 {
        counts += 1 << (4 * (bits >> (4 * cell) & 15));
    }
    let mut sum = 0;
    counts >>= 4;
    while counts != 0 {
        let count = (counts & 15) as u32;
        sum += count * count * count;
        counts >>= 4;
    }
    sum
}

fn uniformity_of_grid(board: &Grid) -> u32 {
    let mut counts = [0_u32; Rank::MAX.get() as usize + 1];
    for rank in board.ranks() {
        counts[usize::from(rank.get())] += 1;
    }
    counts[1..].iter().map(|count| count.pow(3)).sum()
}

/// For each row: how many neighbours are in order read forwards (low nibble) and backwards (high nibble).
///
/// The four rotations pair each reading of the rows with each reading of the columns, so the largest is the better
/// reading of the rows plus the better reading of the columns.
struct OrderedPairs(Box<[u8; 1 << 16]>);

static ORDERED_PAIRS: LazyLock<OrderedPairs> = LazyLock::new(|| {
    let count = |row: u16| {
        let ranks = Row(row).ranks();
        let forwards = ranks.windows(2).filter(|pair| pair[1] <= pair[0]).count() as u8;
        let backwards = ranks.windows(2).filter(|pair| pair[0] <= pair[1]).count() as u8;
        forwards | backwards << 4
    };
    OrderedPairs(table_of_rows(count))
});

impl OrderedPairs {
    #[inline(always)]
    fn largest(&self, board: Packed) -> u32 {
        self.better_reading(board) + self.better_reading(board.transposed())
    }

    #[inline(always)]
    fn better_reading(&self, board: Packed) -> u32 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.0[usize::from(board.row(index))]);
        // At most 3 pairs a row: the nibbles add up to 12 without a carry.
        let both = a + b + c + d;
        u32::from(both & 15).max(u32::from(both >> 4))
    }
}

impl std::fmt::Debug for OrderedPairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OrderedPairs(65536 rows)")
    }
}

fn ordered_pairs_of_grid(board: &Grid) -> u32 {
    let (cols, ranks) = (board.size().cols(), board.ranks());
    let (mut across, mut along) = ([0_u32; 2], [0_u32; 2]);
    for (index, &rank) in ranks.iter().enumerate() {
        if (index + 1) % cols != 0 {
            across[0] += u32::from(ranks[index + 1] <= rank);
            across[1] += u32::from(rank <= ranks[index + 1]);
        }
        if let Some(&below) = ranks.get(index + cols) {
            along[0] += u32::from(below <= rank);
            along[1] += u32::from(rank <= below);
        }
    }
    across[0].max(across[1]) + along[0].max(along[1])
}

/// Weighted sums of rows, one table for each of the four rows.
#[derive(Debug)]
struct WeightTables {
    weights: Vec<f64>,
    /// Empty unless there are sixteen weights.
    rows: Vec<Box<[f64; 1 << 16]>>,
}

impl WeightTables {
    fn new(weights: &Weights) -> Self {
        let weights = weights.values().to_vec();
        let rows = match weights.len() {
            16 => {
                weights.chunks(4).map(|weights| table_of_rows(|row| weighted_row(weights, &Row(row).ranks()))).collect()
            }
            _ => Vec::new(),
        };
        Self { weights, rows }
    }

    #[inline]
    fn packed(&self, board: Packed) -> f64 {
        (0..4).zip(&self.rows).map(|(index, table)| table[usize::from(board.row(index))]).sum()
    }

    fn grid(&self, board: &Grid) -> f64 {
        let cols = board.size().cols();
        self.weights
            .chunks(cols)
            .zip(board.ranks().chunks(cols))
            .map(|(weights, ranks)| weighted_row(weights, &ranks.iter().map(|rank| rank.get()).collect::<Vec<_>>()))
            .sum()
    }
}

fn weighted_row(weights: &[f64], ranks: &[u8]) -> f64 {
    let mut sum = 0.0;
    for (weight, &rank) in weights.iter().zip(ranks) {
        sum += weight * Rank::new(rank).map_or(0.0, |rank| rank.tile() as f64);
    }
    sum
}

fn table_of_rows<T: Copy + Default>(value: impl Fn(u16) -> T) -> Box<[T; 1 << 16]> {
    let table: Vec<T> = (0..=u16::MAX).map(value).collect();
    match table.into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("there are 65536 rows"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Rules, Seed, Size};

    /// Boards from random games on every size, and crowded 4×4 boards of every rank up to 17.
    fn corpus() -> Vec<Board> {
        let mut boards = vec![Board::EMPTY];
        for size in Size::all() {
            let rules = Rules { size, ..Rules::default() };
            for index in 0..4 {
                let seed = Seed(31).game(index);
                let mut board = seed.opening(&rules);
                for k in 0.. {
                    boards.push(board);
                    let legal = board.legal_moves();
                    let Some(mv) = legal.nth(k as usize % legal.len().max(1)) else {
                        break;
                    };
                    let after = board.slide(mv).expect("legal").after;
                    boards.push(after.board());
                    board = after.spawn(seed.spawn(k + 2, &after.board(), rules.p4));
                }
            }
        }
        for index in 0..600 {
            let seed = Seed(32).game(index);
            let kinds = 1 + index % 18;
            let mut board = Board::EMPTY;
            for (number, cell) in Size::FOUR.iter().enumerate() {
                let rank = seed.place_draw(number as u32) % (kinds + 1);
                board = board.with(cell, Rank::new(rank.min(17) as u8).expect("in range"));
            }
            boards.push(board);
        }
        for rank in 1..=17 {
            boards.push(
                Size::FOUR
                    .iter()
                    .fold(Board::EMPTY, |board, cell| board.with(cell, Rank::new(rank).expect("in range"))),
            );
        }
        boards
    }

    /// One of every kind that fits boards of this size.
    fn evaluators(size: Size) -> Vec<Evaluator> {
        let odd = Weights::Matrix((0..size.cells()).map(|cell| 0.1 * cell as f64 - 0.7).collect());
        let sum =
            vec![(0.25, Evaluator::Score), (-3.5, Evaluator::Uniformity), (1e-3, Evaluator::Weights(odd.clone()))];
        let mut all = Evaluator::palette();
        all.extend([Evaluator::Weights(odd), Evaluator::Weights(Weights::C), Evaluator::Sum(sum)]);
        all.retain(|evaluator| evaluator.check(size).is_ok());
        all
    }

    #[test]
    fn compiled_and_plain_evaluators_agree_exactly() {
        let mut packed = 0;
        let mut compiled: Vec<(Size, Vec<(Evaluator, Compiled)>)> = Vec::new();
        for size in Size::all() {
            let pairs = evaluators(size).into_iter().map(|e| {
                let c = Compiled::new(&e);
                (e, c)
            });
            compiled.push((size, pairs.collect()));
        }
        for board in corpus() {
            let of_size = compiled.iter().find(|(size, _)| *size == board.size()).expect("every size");
            for (evaluator, compiled) in &of_size.1 {
                let plain = evaluator.evaluate(&board, 1234);
                assert_eq!(compiled.value(board.to_grid(), 1234), plain, "{evaluator} on {board}");
                if let Some(fast) = board.as_packed() {
                    assert_eq!(compiled.value(fast, 1234), plain, "{evaluator} on {board}");
                    packed += 1;
                }
            }
        }
        assert!(1000 < packed);
    }

    #[test]
    fn monotonicity_and_uniformity_do_not_change_when_the_board_is_turned() {
        for board in corpus() {
            let mut turned = Grid::empty(board.size().transposed());
            for (cell, rank) in board.cells() {
                turned.set(crate::game::Cell::new(cell.col, board.size().rows() as u8 - 1 - cell.row), rank);
            }
            let turned = Board::from_grid(turned);
            for evaluator in [Evaluator::Monotonicity, Evaluator::Uniformity, Evaluator::Empty] {
                assert_eq!(evaluator.evaluate(&board, 0), evaluator.evaluate(&turned, 0), "{evaluator} on {board}");
            }
        }
    }
}
