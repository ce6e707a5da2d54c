//! The last plies of a search, looked up line by line.
//!
//! Most nodes of a tree are its leaves. Where the evaluator follows from sums over the lines, a new tile changes one row and
//! one column, and a slide after it changes what one line slides to and one cell of each line across. So the boards of the
//! last spawn, and the four slides after each, are never made: their lines are.

use std::hint::select_unpredictable;
use std::ops::Add;

use super::board::Cells;
use crate::evaluator::{CornerTable, LineTables, SnakePaths, SnakeTable};
use crate::game::{Crossed, Facts, Move, Packed, Position as _, Rank, Rows, Slides as _, SpreadRows};

/// Sums over the rows and over the columns, by place, and what a board is worth by both.
pub(super) trait LineValues: Copy {
    type Sum: Copy + Add<Output = Self::Sum>;

    fn row(self, index: u32, row: u16) -> Self::Sum;
    fn column(self, index: u32, column: u16) -> Self::Sum;
    /// Of a board when `score` points have been made up to it.
    fn value(self, rows: Self::Sum, columns: Self::Sum, score: u64) -> f64;
}

/// Every line has a table of its own.
impl LineValues for &LineTables {
    type Sum = f64;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> f64 {
        LineTables::row(self, index as usize & 3)[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> f64 {
        LineTables::column(self, index as usize & 3)[usize::from(column)]
    }

    #[inline(always)]
    fn value(self, rows: f64, columns: f64, _score: u64) -> f64 {
        rows + columns
    }
}

/// All lines share one table.
impl LineValues for &[f64; 1 << 16] {
    type Sum = f64;

    #[inline(always)]
    fn row(self, _index: u32, row: u16) -> f64 {
        self[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, _index: u32, column: u16) -> f64 {
        self[usize::from(column)]
    }

    #[inline(always)]
    fn value(self, rows: f64, columns: f64, _score: u64) -> f64 {
        rows + columns
    }
}

/// The rows alone count.
#[derive(Clone, Copy)]
pub(super) struct RowsAlone<'a>(pub(super) &'a LineTables);

impl LineValues for RowsAlone<'_> {
    type Sum = f64;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> f64 {
        self.0.row(index as usize & 3)[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, _index: u32, _column: u16) -> f64 {
        0.0
    }

    #[inline(always)]
    fn value(self, rows: f64, _columns: f64, _score: u64) -> f64 {
        rows
    }
}

/// Two whole numbers that are added up side by side.
#[derive(Clone, Copy)]
pub(super) struct Two<T>([T; 2]);

impl<T: Copy + Add<Output = T>> Add for Two<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl LineValues for &SnakeTable {
    type Sum = Two<u64>;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> Two<u64> {
        Two(self.line(index, row))
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> Two<u64> {
        Two(self.line(index, column))
    }

    #[inline(always)]
    fn value(self, rows: Two<u64>, columns: Two<u64>, _score: u64) -> f64 {
        SnakePaths::of_lines(rows.0, columns.0).value()
    }
}

impl LineValues for &CornerTable {
    type Sum = Two<i64>;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> Two<i64> {
        Two(CornerTable::row(self, index, row))
    }

    #[inline(always)]
    fn column(self, _index: u32, _column: u16) -> Two<i64> {
        Two([0; 2])
    }

    #[inline(always)]
    fn value(self, rows: Two<i64>, _columns: Two<i64>, _score: u64) -> f64 {
        CornerTable::value(rows.0) as f64
    }
}

/// Lines beside the score.
#[derive(Clone, Copy)]
pub(super) struct Weighted<L> {
    pub(super) lines: L,
    /// Of their value and of the score.
    pub(super) weights: [f64; 2],
}

impl<L: LineValues> LineValues for Weighted<L> {
    type Sum = L::Sum;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> L::Sum {
        self.lines.row(index, row)
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> L::Sum {
        self.lines.column(index, column)
    }

    #[inline(always)]
    fn value(self, rows: L::Sum, columns: L::Sum, score: u64) -> f64 {
        self.weights[0] * self.lines.value(rows, columns, score) + self.weights[1] * score as f64
    }
}

/// The boards after a spawn, evaluated.
pub(super) struct LastSpawn<L: LineValues> {
    lines: L,
    after: Crossed,
    score: u64,
    /// Sum of the rows but one, and of the columns but one.
    other_rows: [L::Sum; 4],
    other_columns: [L::Sum; 4],
}

impl<L: LineValues> LastSpawn<L> {
    #[inline(always)]
    pub(super) fn new(after: Crossed, score: u64, lines: L) -> Self {
        Self {
            lines,
            after,
            score,
            other_rows: all_but_one([0, 1, 2, 3].map(|index| lines.row(index, after.packed().row(index)))),
            other_columns: all_but_one([0, 1, 2, 3].map(|index| lines.column(index, after.transposed().row(index)))),
        }
    }

    /// Value of the board with a new tile on an empty cell.
    #[inline(always)]
    pub(super) fn value(&self, cell: u32, rank: Rank) -> f64 {
        let (row, column) = (cell >> 2 & 3, cell & 3);
        let of_row = self.after.packed().row(row) | u16::from(rank.get()) << (4 * column);
        let of_column = self.after.transposed().row(column) | u16::from(rank.get()) << (4 * row);
        let rows = self.other_rows[row as usize] + self.lines.row(row, of_row);
        let columns = self.other_columns[column as usize] + self.lines.column(column, of_column);
        self.lines.value(rows, columns, self.score)
    }
}

/// The four slides after every spawn on an afterstate, evaluated, by cell and by tile (2, 4); what is not legal has the
/// value −∞.
#[derive(Clone, Copy)]
pub(super) struct LastSlides {
    pub(super) best: [[f64; 2]; 16],
    /// By slide in the order of [`Move::ALL`](crate::game::Move::ALL), where somebody asks for each.
    pub(super) each: [[[f64; 4]; 2]; 16],
}

impl LastSlides {
    pub(super) const NONE: Self = Self { best: [[f64::NEG_INFINITY; 2]; 16], each: [[[f64::NEG_INFINITY; 4]; 2]; 16] };

    /// Evaluates the slides after each spawn of one of `tiles` (2, 4) on one of `cells`: the best of them and, if asked for,
    /// `EACH`. Returns how many are legal, or `None` where two 32768 might merge, which rows cannot hold.
    #[inline(always)]
    pub(super) fn look_up<L: LineValues, const EACH: bool>(
        &mut self,
        after: Crossed,
        (cells, tiles): (Cells, [bool; 2]),
        score: u64,
        lines: L,
        table: &SpreadRows,
    ) -> Option<u32> {
        let columns = Pass::new(after.transposed(), table, Upright(lines))?;
        let rows = Pass::new(after.packed(), table, Lying(lines))?;
        let mut moves = [0, 0];
        for cell in cells {
            let (row, column) = (cell >> 2 & 3, cell & 3);
            #[expect(clippy::needless_range_loop, reason = "unrolled, which iterators are not")]
            for tile in 0..2 {
                // One loop, whose length is guessed wrong once.
                if !tiles[tile] {
                    continue;
                }
                let rank = tile as u16 + 1;
                let [up, down] = columns.slides((column, row), rank, score, table, &mut moves);
                let [left, right] = rows.slides((row, column), rank, score, table, &mut moves);
                self.best[cell as usize & 15][tile] = larger(larger(up, down), larger(left, right));
                if EACH {
                    self.each[cell as usize & 15][tile] = [up, down, left, right];
                }
            }
        }
        Some(Facts::count_moves(moves))
    }
}

/// An afterstate is never full.
const NONE_SEEN: (u64, f64) = (u64::MAX, 0.0);

impl LastSlides {
    /// The same by an evaluator whose value is the points so far and what it expects to come after an afterstate.
    ///
    /// New tiles of one line that no tile stands between slide to the same place, so that slides along that line have the same
    /// afterstate: it is evaluated once. The cells come in reading order, and so do those of each line.
    #[inline(never)]
    pub(super) fn look_up_afterstates(
        &mut self,
        after: Crossed,
        (cells, tiles): (Cells, [bool; 2]),
        score: u64,
        to_come: impl Fn(Crossed) -> f64,
        rows: &Rows,
    ) -> Option<u32> {
        // By tile, by slide and by line, the afterstate before.
        let mut seen = [[[NONE_SEEN; 4]; 4]; 2];
        let mut count = 0;
        for cell in cells {
            let (row, column) = ((cell >> 2) as usize & 3, cell as usize & 3);
            for (tile, rank) in [Rank::TWO, Rank::FOUR].into_iter().enumerate() {
                if !tiles[tile] {
                    continue;
                }
                let slides = after.with_tile_at(cell, rank).slides(rows)?;
                let legal = slides.legal();
                count += legal.len() as u32;
                let mut each = [f64::NEG_INFINITY; 4];
                for mv in legal {
                    let line = if matches!(mv, Move::Up | Move::Down) { column } else { row };
                    let (before, points) = &mut seen[tile][mv as usize][line];
                    let afterstate = slides.after(mv);
                    if *before != afterstate.packed().bits() {
                        *before = afterstate.packed().bits();
                        *points = to_come(afterstate);
                    }
                    each[mv as usize] = score.saturating_add(u64::from(slides.reward(mv))) as f64 + *points;
                }
                let [up, down, left, right] = each;
                self.best[cell as usize & 15][tile] = larger(larger(up, down), larger(left, right));
                self.each[cell as usize & 15][tile] = each;
            }
        }
        Some(count)
    }
}

/// The larger of two numbers; `f64::max` would also look for NaN.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// Lines along a slide and across it.
trait Direction: Copy {
    type Sum: Copy + Add<Output = Self::Sum>;

    fn along(self, index: u32, line: u16) -> Self::Sum;
    fn across(self, index: u32, line: u16) -> Self::Sum;
    fn value(self, along: Self::Sum, across: Self::Sum, score: u64) -> f64;
}

/// Slides along rows.
#[derive(Clone, Copy)]
struct Lying<L>(L);

impl<L: LineValues> Direction for Lying<L> {
    type Sum = L::Sum;

    #[inline(always)]
    fn along(self, index: u32, line: u16) -> L::Sum {
        self.0.row(index, line)
    }

    #[inline(always)]
    fn across(self, index: u32, line: u16) -> L::Sum {
        self.0.column(index, line)
    }

    #[inline(always)]
    fn value(self, along: L::Sum, across: L::Sum, score: u64) -> f64 {
        self.0.value(along, across, score)
    }
}

/// Slides along columns.
#[derive(Clone, Copy)]
struct Upright<L>(L);

impl<L: LineValues> Direction for Upright<L> {
    type Sum = L::Sum;

    #[inline(always)]
    fn along(self, index: u32, line: u16) -> L::Sum {
        self.0.column(index, line)
    }

    #[inline(always)]
    fn across(self, index: u32, line: u16) -> L::Sum {
        self.0.row(index, line)
    }

    #[inline(always)]
    fn value(self, along: L::Sum, across: L::Sum, score: u64) -> f64 {
        self.0.value(across, along, score)
    }
}

/// Both slides along the four lines of one direction.
struct Pass<D: Direction> {
    direction: D,
    lines: Packed,
    /// For each line, what the slides of the others do.
    facts: [Facts; 4],
    /// What the afterstate slides to towards the first and towards the last cell.
    to_first: Slid<D::Sum>,
    to_last: Slid<D::Sum>,
}

/// The afterstate slid once more, without the new tile.
struct Slid<S> {
    /// For each line, the sum of the others along the slide.
    along: [S; 4],
    /// For each line, the transposed board with nothing in the cells of that line.
    across: [u64; 4],
}

impl<S: Copy + Add<Output = S>> Slid<S> {
    #[inline(always)]
    fn new<D: Direction<Sum = S>>([a, b, c, d]: [u16; 4], across: [u64; 4], direction: D) -> Self {
        let along = |index, line| direction.along(index, line);
        Self {
            along: all_but_one([along(0, a), along(1, b), along(2, c), along(3, d)]),
            across: all_but_one([across[0], across[1] << 4, across[2] << 8, across[3] << 12]),
        }
    }

    /// The value when line `index` slides to `line`, whose cells are `cells` in a transposed board.
    #[inline(always)]
    fn value<D: Direction<Sum = S>>(&self, index: u32, (line, cells): (u16, u64), score: u64, direction: D) -> f64 {
        let board = self.across[index as usize & 3] | cells << (4 * index);
        let across = |index: u32| direction.across(index, (board >> (16 * index)) as u16);
        let along = self.along[index as usize & 3] + direction.along(index, line);
        direction.value(along, (across(0) + across(1)) + (across(2) + across(3)), score)
    }
}

impl<D: Direction> Pass<D> {
    #[inline(always)]
    fn new(lines: Packed, rows: &SpreadRows, direction: D) -> Option<Self> {
        // Written out: the compiler makes loops of maps over arrays.
        let slides =
            [rows.slide(lines.row(0)), rows.slide(lines.row(1)), rows.slide(lines.row(2)), rows.slide(lines.row(3))];
        let [a, b, c, d] = [slides[0].slide, slides[1].slide, slides[2].slide, slides[3].slide];
        let facts = [a.facts, b.facts, c.facts, d.facts];
        if Facts::of_four(facts).is_too_large() {
            return None;
        }
        let across =
            [slides[0].left_across(), slides[1].left_across(), slides[2].left_across(), slides[3].left_across()];
        let to_first = Slid::new([a.left, b.left, c.left, d.left], across, direction);
        let across =
            [slides[0].right_across(), slides[1].right_across(), slides[2].right_across(), slides[3].right_across()];
        let to_last = Slid::new([a.right, b.right, c.right, d.right], across, direction);
        let [a, b, c, d] = others(facts);
        let facts = [a.readied(), b.readied(), c.readied(), d.readied()];
        Some(Self { direction, lines, facts, to_first, to_last })
    }

    /// Both slides with a tile of this rank on a cell of line `index`, −∞ where they are not legal; adds those that are to
    /// `moves`.
    #[inline(always)]
    fn slides(
        &self,
        (index, position): (u32, u32),
        rank: u16,
        score: u64,
        rows: &SpreadRows,
        moves: &mut [u64; 2],
    ) -> [f64; 2] {
        let spread = rows.slide(self.lines.row(index) | rank << (4 * position));
        let slide = spread.slide;
        let facts = self.facts[index as usize & 3].with(slide.facts);
        let score = score.saturating_add(u64::from(facts.reward()));
        let first = self.to_first.value(index, (slide.left, spread.left_across()), score, self.direction);
        let last = self.to_last.value(index, (slide.right, spread.right_across()), score, self.direction);
        let [to_first, to_last] = facts.moves();
        *moves = [moves[0] + u64::from(to_first), moves[1] + u64::from(to_last)];
        [legal(to_first != 0, first), legal(to_last != 0, last)]
    }
}

/// The value of what is legal, else −∞. As whole numbers, between which processors choose without guessing.
#[inline(always)]
fn legal(moves: bool, value: f64) -> f64 {
    f64::from_bits(select_unpredictable(moves, value.to_bits(), f64::NEG_INFINITY.to_bits()))
}

/// For each of four the sum of the others.
#[inline(always)]
fn all_but_one<S: Copy + Add<Output = S>>([a, b, c, d]: [S; 4]) -> [S; 4] {
    let (first, last) = (a + b, c + d);
    [b + last, a + last, first + d, first + c]
}

#[inline(always)]
fn others([a, b, c, d]: [Facts; 4]) -> [Facts; 4] {
    let (first, last) = (a.with(b), c.with(d));
    [b.with(last), a.with(last), first.with(d), first.with(c)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{ByLines, Compiled, Evaluate as _, Evaluator, LineForm, NoFiles};
    use crate::game::Seed;

    const TILES: [Rank; 2] = [Rank::TWO, Rank::FOUR];

    /// A third of the cells empty, in gaps of every length; few ranks, so that much merges.
    fn boards() -> impl Iterator<Item = Crossed> {
        let seed = Seed(12).game(0);
        (0..400).map(move |number| {
            let cell = |cell: u64| {
                let draw = seed.place_draw(number) >> cell & 7;
                let rank = seed.value_draw(number) >> (3 * cell) & 7;
                if draw < 3 { 0 } else { rank + u64::from(number % 3) }
            };
            Packed::from_bits((0..16).map(|at| cell(at) << (4 * at)).sum()).crossed()
        })
    }

    /// Compares every slide after every spawn, and the boards themselves, with the evaluator.
    fn compare<L: LineValues>(lines: L, evaluator: &Compiled) -> usize {
        let (rows, score) = (Rows::shared(), 120);
        let same = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
        let mut compared = 0;
        for after in boards() {
            let cells = super::super::board::SearchBoard::empty_cells(after);
            let last = LastSpawn::new(after, score, lines);
            let (mut found, all) = (LastSlides::NONE, (cells, [true; 2]));
            let legal = found.look_up::<L, true>(after, all, score, lines, SpreadRows::shared()).expect("small tiles");
            let mut counted = 0;
            for cell in cells {
                for (tile, rank) in TILES.into_iter().enumerate() {
                    let board = after.with_tile_at(cell, rank);
                    assert!(same(last.value(cell, rank), evaluator.value(board, score)), "{board:?}");
                    let slides = board.slides(rows).expect("small tiles");
                    let values = Move::ALL.map(|mv| match slides.legal().contains(mv) {
                        true => evaluator.value(slides.after(mv), score + u64::from(slides.reward(mv))),
                        false => f64::NEG_INFINITY,
                    });
                    let each = found.each[cell as usize][tile];
                    assert!(values.into_iter().zip(each).all(|(a, b)| same(a, b)), "{board:?}: {values:?} {each:?}");
                    assert_eq!(found.best[cell as usize][tile], each.into_iter().fold(f64::NEG_INFINITY, larger));
                    counted += slides.legal().len() as u32;
                    compared += 1;
                }
            }
            assert_eq!(legal, counted, "{after:?}");
        }
        compared
    }

    #[test]
    fn what_is_looked_up_is_what_the_evaluator_says_of_every_board() {
        for text in [
            "Lines()",
            "Weights(\"c\")",
            "Sum([(1.0, Difference), (0.5, Weights(\"b\"))])",
            "Snake",
            "Corner",
            "Sum([(0.3, Score), (1.0, Lines())])",
            "Sum([(0.25, Score), (1.0, Corner)])",
            "Sum([(-2.0, Snake), (1.0, Score)])",
            "Sum([(1.0, Score), (0.5, Weights(\"a\"))])",
            "Sum([(1.0, Score), (1.0, Difference), (0.5, Weights(\"b\"))])",
            "Sum([(0.7, Snake)])",
        ] {
            let evaluator = text.parse::<Evaluator>().expect(text).compile(&NoFiles);
            let ByLines { lines, weights } = evaluator.by_lines().expect(text);
            let compared = match (lines, weights) {
                (LineForm::One(lines), None) => compare(lines, &evaluator),
                (LineForm::Each(lines), None) => compare(lines, &evaluator),
                (LineForm::Rows(lines), None) => compare(RowsAlone(lines), &evaluator),
                (LineForm::Snake(lines), None) => compare(lines, &evaluator),
                (LineForm::Corner(lines), None) => compare(lines, &evaluator),
                (LineForm::One(lines), Some(weights)) => compare(Weighted { lines, weights }, &evaluator),
                (LineForm::Each(lines), Some(weights)) => compare(Weighted { lines, weights }, &evaluator),
                (LineForm::Rows(lines), Some(weights)) => {
                    compare(Weighted { lines: RowsAlone(lines), weights }, &evaluator)
                }
                (LineForm::Snake(lines), Some(weights)) => compare(Weighted { lines, weights }, &evaluator),
                (LineForm::Corner(lines), Some(weights)) => compare(Weighted { lines, weights }, &evaluator),
            };
            assert!(4000 < compared, "{text}: {compared}");
        }
    }

    #[test]
    fn what_follows_from_more_than_lines_is_not_looked_up() {
        for text in
            ["Empty", "Uniformity", "Sum([(1.0, Score), (1.0, LogEmpty)])", "Sum([(1.0, Snake), (1.0, Corner)])"]
        {
            assert!(text.parse::<Evaluator>().expect(text).compile(&NoFiles).by_lines().is_none(), "{text}");
        }
    }
}
