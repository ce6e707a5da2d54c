//! Evaluators made for millions of boards a second.
//!
//! On packed boards whatever decomposes into rows is looked up row by row; on grids the same numbers are counted out. Both
//! agree with the definition exactly: counts are whole numbers, and weighted sums are added in the same order.

use std::ops::Add;
use std::sync::LazyLock;

use super::{Evaluator, Weights};
use crate::game::{ByMove, Crossed, CrossedSlides, Grid, Move, Moves, Packed, Position, Rank, Row, Rows, Slides as _};

/// Something that gives positions of one representation a value.
pub trait Evaluate<P: Position> {
    /// Value of a position when `score` points have been made up to it.
    fn value(&self, position: P, score: u64) -> f64;

    /// Value of the position after each slide in `left`, when `score` points have been made before it; the other
    /// moves may have any value.
    fn values(&self, slides: &P::Slides, left: Moves, score: u64) -> Values {
        Values::Real(by_move(left, |mv| {
            self.value(slides.after(mv), score.saturating_add(u64::from(slides.reward(mv))))
        }))
    }
}

/// The values of the moves of one turn.
///
/// Most evaluators count something. Their values stay whole numbers until somebody looks, because comparing four
/// floats takes longer than sliding a board.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// Counts.
    Whole(ByMove<i64>),
    /// Anything else.
    Real(ByMove<f64>),
}

impl Values {
    /// As [`Evaluate::value`] gives them.
    #[inline(always)]
    pub fn to_real(self) -> ByMove<f64> {
        match self {
            Self::Whole(values) => ByMove::from_fn(|mv| values[mv] as f64),
            Self::Real(values) => values,
        }
    }
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

impl Evaluate<Crossed> for Compiled {
    #[inline(always)]
    fn value(&self, board: Crossed, score: u64) -> f64 {
        self.0.value(board, score)
    }

    #[inline(always)]
    fn values(&self, slides: &CrossedSlides, left: Moves, score: u64) -> Values {
        Evaluate::<Crossed>::values(&self.0, slides, left, score)
    }
}

impl Evaluate<Crossed> for Term {
    #[inline]
    fn value(&self, board: Crossed, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => f64::from(uniformity(board.packed())),
            Self::Monotonicity(pairs) => f64::from(pairs.largest(board.packed())),
            Self::Inert => 0.0,
            Self::Weights(tables) => tables.packed(board.packed()),
            Self::Sum(terms) => terms.iter().map(|(weight, term)| weight * term.value(board, score)).sum(),
        }
    }

    /// A slide and its opposite merge the same tiles, so whatever asks only *which* tiles there are has one value for
    /// both; and no evaluator without weights minds whether the board is transposed.
    #[inline(always)]
    fn values(&self, slides: &CrossedSlides, left: Moves, score: u64) -> Values {
        match self {
            // Beyond 2⁵³, which no game reaches, a score is rounded like any float.
            Self::Score if score < 1 << 52 => by_axis(|mv| (score + u64::from(slides.reward(mv))) as i64),
            Self::Score => Values::Real(by_move(left, |mv| score.saturating_add(u64::from(slides.reward(mv))) as f64)),
            Self::Empty => by_axis(|mv| i64::from(slides.empty_count(mv))),
            Self::Uniformity => by_axis(|mv| i64::from(uniformity(slides.as_slid(mv)))),
            // Of all four: fewer would be less work, but which are left is guessed wrong too often.
            Self::Monotonicity(pairs) => Values::Whole(ByMove::new(pairs.largest_after(slides).map(i64::from))),
            Self::Inert => Values::Whole(ByMove::new([0; 4])),
            Self::Weights(tables) => Values::Real(by_move(left, |mv| tables.packed(slides.after(mv).packed()))),
            Self::Sum(terms) => Values::Real(sums(terms, slides, left, score)),
        }
    }
}

/// Apart, because a sum may hold sums: everything else becomes part of the loop that plays.
fn sums(terms: &[(f64, Term)], slides: &CrossedSlides, left: Moves, score: u64) -> ByMove<f64> {
    // A sum of floats begins at −0 in the standard library, and both forms add up alike.
    terms.iter().fold(ByMove::new([-0.0; 4]), |sum, (weight, term)| {
        let values = Evaluate::<Crossed>::values(term, slides, left, score).to_real();
        ByMove::from_fn(|mv| sum[mv] + weight * values[mv])
    })
}

/// The same count for a slide and its opposite.
#[inline(always)]
fn by_axis(count: impl Fn(Move) -> i64) -> Values {
    let (along, across) = (count(Move::Up), count(Move::Left));
    Values::Whole(ByMove::new([along, along, across, across]))
}

/// A value for each move in a set.
#[inline(always)]
fn by_move(left: Moves, value: impl Fn(Move) -> f64) -> ByMove<f64> {
    let mut values = ByMove::new([0.0; 4]);
    for mv in left {
        values[mv] = value(mv);
    }
    values
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
    // The count of empty cells is nobody's. Two counts at a time and always all of them: where the last one lies
    // changes from board to board, and a loop that looks for it guesses wrong.
    (counts & !15).to_le_bytes().iter().map(|&two| u32::from(CUBES[usize::from(two)])).sum()
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

fn uniformity_of_grid(board: &Grid) -> u32 {
    let mut counts = [0_u32; Rank::MAX.get() as usize + 1];
    for rank in board.ranks() {
        counts[usize::from(rank.get())] += 1;
    }
    counts[1..].iter().map(|count| count.pow(3)).sum()
}

/// How many neighbours are in order.
///
/// The four rotations pair each reading of the rows with each reading of the columns, so the largest is the better
/// reading of the rows plus the better reading of the columns.
struct OrderedPairs {
    of_row: Box<[Readings; 1 << 16]>,
    /// The same of a row after it slid to the left and to the right, so that nobody takes the slid board apart.
    after_slides: Box<[u16; 1 << 16]>,
}

/// Pairs in order read forwards (low nibble) and backwards (high nibble).
///
/// At most 3 pairs a row: those of four rows add up to 12 without a carry.
#[derive(Clone, Copy, Default)]
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
        /// Of each byte: looking it up takes one step instead of four.
        const BETTER: [u8; 256] = {
            let mut better = [0; 256];
            let mut both = 0;
            while both < 256 {
                let (forwards, backwards) = (both as u8 & 15, both as u8 >> 4);
                better[both] = if forwards < backwards { backwards } else { forwards };
                both += 1;
            }
            better
        };
        u32::from(BETTER[usize::from(self.0)])
    }
}

impl Add for Readings {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

static ORDERED_PAIRS: LazyLock<OrderedPairs> = LazyLock::new(|| {
    let rows = Rows::shared();
    OrderedPairs {
        of_row: table_of_rows(|row| Readings::of(Row(row))),
        after_slides: table_of_rows(|row| {
            let slide = rows.slide(row);
            u16::from_le_bytes([slide.left, slide.right].map(|row| Readings::of(Row(row)).0))
        }),
    }
});

impl OrderedPairs {
    fn largest(&self, board: Packed) -> u32 {
        self.of_rows(board).better() + self.of_rows(board.transposed()).better()
    }

    /// After each slide.
    #[inline(always)]
    fn largest_after(&self, slides: &CrossedSlides) -> [u32; 4] {
        let [up, down] = self.of_slid_rows(slides.before().transposed());
        let [left, right] = self.of_slid_rows(slides.before().packed());
        let across_slide = Move::ALL.map(|mv| self.of_rows(slides.as_slid(mv).transposed()));
        let along_slide = [up, down, left, right];
        [0, 1, 2, 3].map(|index| along_slide[index].better() + across_slide[index].better())
    }

    #[inline(always)]
    fn of_rows(&self, board: Packed) -> Readings {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.of_row[usize::from(board.row(index))]);
        a + b + c + d
    }

    #[inline(always)]
    fn of_slid_rows(&self, board: Packed) -> [Readings; 2] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.after_slides[usize::from(board.row(index))]);
        (a.wrapping_add(b).wrapping_add(c).wrapping_add(d)).to_le_bytes().map(Readings)
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
                    assert_eq!(compiled.value(fast.crossed(), 1234), plain, "{evaluator} on {board}");
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
