//! The last plies of a search, looked up line by line.
//!
//! Most nodes of a tree are its leaves. Where the evaluator is a sum over the eight lines, a new tile changes one row and
//! one column, and a slide after it changes what one line slides to and one cell of each line across. So the boards of the
//! last spawn, and the four slides after each, are never made: their lines are.

use super::board::Cells;
use crate::evaluator::LineTables;
use crate::game::{Crossed, Facts, Move, Packed, Position as _, Rank, Rows, Slides as _};

/// Values of lines by their place, looked up.
pub(super) trait LineValues: Copy {
    fn row(self, index: u32, row: u16) -> f64;
    fn column(self, index: u32, column: u16) -> f64;
}

/// Every line has a table of its own.
impl LineValues for &LineTables {
    #[inline(always)]
    fn row(self, index: u32, row: u16) -> f64 {
        LineTables::row(self, index as usize & 3)[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> f64 {
        LineTables::column(self, index as usize & 3)[usize::from(column)]
    }
}

/// All lines share one table.
impl LineValues for &[f64; 1 << 16] {
    #[inline(always)]
    fn row(self, _index: u32, row: u16) -> f64 {
        self[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, _index: u32, column: u16) -> f64 {
        self[usize::from(column)]
    }
}

/// The boards after a spawn, evaluated.
pub(super) struct LastSpawn<L> {
    lines: L,
    after: Crossed,
    /// Sum of the rows but one, and of the columns but one.
    other_rows: [f64; 4],
    other_columns: [f64; 4],
}

impl<L: LineValues> LastSpawn<L> {
    #[inline(always)]
    pub(super) fn new(after: Crossed, lines: L) -> Self {
        Self {
            lines,
            after,
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
        (self.other_rows[row as usize] + self.lines.row(row, of_row))
            + (self.other_columns[column as usize] + self.lines.column(column, of_column))
    }
}

/// The four slides after every spawn on an afterstate, evaluated: by cell, by tile (2, 4) and by slide in the order of
/// [`Move::ALL`]; what is not legal has the value −∞.
pub(super) type LastSlides = [[[f64; 4]; 2]; 16];

pub(super) const NO_SLIDES: LastSlides = [[[f64::NEG_INFINITY; 4]; 2]; 16];

/// Evaluates the slides after each spawn of one of `tiles` (2, 4) on one of `cells`. Returns how many are legal, or
/// `None` where two 32768 might merge, which rows cannot hold.
#[inline(always)]
pub(super) fn look_up_slides<L: LineValues>(
    after: Crossed,
    cells: Cells,
    tiles: [bool; 2],
    lines: L,
    rows: &Rows,
    values: &mut LastSlides,
) -> Option<u32> {
    let (row, column) = (|index, row| lines.row(index, row), |index, column| lines.column(index, column));
    let columns = Pass::new(after.transposed(), rows, column)?;
    let lines = Pass::new(after.packed(), rows, row)?;
    let mut legal = 0;
    for cell in cells {
        let (r, c) = (cell >> 2, cell & 3);
        for tile in 0..2_u16 {
            // One loop, whose length is guessed wrong once.
            if !tiles[usize::from(tile)] {
                continue;
            }
            let (up, down, vertical) = columns.slides(c, r, tile + 1, rows, column, row);
            let (left, right, horizontal) = lines.slides(r, c, tile + 1, rows, row, column);
            legal += vertical + horizontal;
            values[cell as usize & 15][usize::from(tile)] = [up, down, left, right];
        }
    }
    Some(legal)
}

/// An afterstate is never full.
const NONE_SEEN: (u64, f64) = (u64::MAX, 0.0);

/// The same by an evaluator whose value is the points so far and what it expects to come after an afterstate.
///
/// New tiles of one line that no tile stands between slide to the same place, so that slides along that line have the same
/// afterstate: it is evaluated once. The cells come in reading order, and so do those of each line.
#[inline(never)]
pub(super) fn look_up_afterstates(
    after: Crossed,
    cells: Cells,
    tiles: [bool; 2],
    score: u64,
    to_come: impl Fn(Crossed) -> f64,
    rows: &Rows,
    values: &mut LastSlides,
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
            let values = &mut values[cell as usize & 15][tile];
            for mv in Move::ALL {
                if !legal.contains(mv) {
                    values[mv as usize] = f64::NEG_INFINITY;
                    continue;
                }
                let line = if matches!(mv, Move::Up | Move::Down) { column } else { row };
                let (before, points) = &mut seen[tile][mv as usize][line];
                let afterstate = slides.after(mv);
                if *before != afterstate.packed().bits() {
                    *before = afterstate.packed().bits();
                    *points = to_come(afterstate);
                }
                values[mv as usize] = score.saturating_add(u64::from(slides.reward(mv))) as f64 + *points;
            }
        }
    }
    Some(count)
}

/// Both slides along the four lines of one direction.
struct Pass {
    lines: Packed,
    facts: [Facts; 4],
    /// What the afterstate slides to towards the first and towards the last cell.
    to_first: Slid,
    to_last: Slid,
}

/// The afterstate slid once more, without the new tile.
struct Slid {
    /// For each line, the value of the others along the slide.
    along: [f64; 4],
    across: u64,
}

impl Slid {
    #[inline(always)]
    fn new(slid: [u16; 4], along: impl Fn(u32, u16) -> f64) -> Self {
        let [a, b, c, d] = slid;
        Self {
            along: all_but_one([along(0, a), along(1, b), along(2, c), along(3, d)]),
            across: Packed::from_rows(slid).transposed().bits(),
        }
    }

    /// The value when line `index` slides to `line`.
    #[inline(always)]
    fn value(&self, index: u32, line: u16, along: impl Fn(u32, u16) -> f64, across: impl Fn(u32, u16) -> f64) -> f64 {
        // One cell of each line across.
        let cells = u64::from(line);
        let cells = (cells | cells << 24) & 0x0000_00FF_0000_00FF;
        let cells = (cells | cells << 12) & 0x000F_000F_000F_000F;
        let board = self.across & !(0x000F_000F_000F_000F << (4 * index)) | cells << (4 * index);
        let [a, b, c, d] = [board as u16, (board >> 16) as u16, (board >> 32) as u16, (board >> 48) as u16];
        (self.along[index as usize & 3] + along(index, line))
            + ((across(0, a) + across(1, b)) + (across(2, c) + across(3, d)))
    }
}

impl Pass {
    #[inline(always)]
    fn new(lines: Packed, rows: &Rows, along: impl Fn(u32, u16) -> f64 + Copy) -> Option<Self> {
        let [a, b, c, d] =
            [rows.slide(lines.row(0)), rows.slide(lines.row(1)), rows.slide(lines.row(2)), rows.slide(lines.row(3))];
        let facts = [a.facts, b.facts, c.facts, d.facts];
        if Facts::of_four(facts).is_too_large() {
            return None;
        }
        let to_first = Slid::new([a.left, b.left, c.left, d.left], along);
        let to_last = Slid::new([a.right, b.right, c.right, d.right], along);
        Some(Self { lines, facts: others(facts), to_first, to_last })
    }

    /// Both slides with a tile of this rank on a cell of line `index`, −∞ where they are not legal, and how many are.
    #[inline(always)]
    fn slides(
        &self,
        index: u32,
        position: u32,
        rank: u16,
        rows: &Rows,
        along: impl Fn(u32, u16) -> f64 + Copy,
        across: impl Fn(u32, u16) -> f64 + Copy,
    ) -> (f64, f64, u32) {
        let slide = rows.slide(self.lines.row(index) | rank << (4 * position));
        let facts = self.facts[index as usize & 3].with(slide.facts);
        let first = self.to_first.value(index, slide.left, along, across);
        let last = self.to_last.value(index, slide.right, along, across);
        let legal = |moves, value| std::hint::select_unpredictable(moves, value, f64::NEG_INFINITY);
        (
            legal(facts.left_moves(), first),
            legal(facts.right_moves(), last),
            u32::from(facts.left_moves()) + u32::from(facts.right_moves()),
        )
    }
}

/// For each of four numbers the sum of the others.
#[inline(always)]
fn all_but_one([a, b, c, d]: [f64; 4]) -> [f64; 4] {
    let (first, last) = (a + b, c + d);
    [b + last, a + last, first + d, first + c]
}

#[inline(always)]
fn others([a, b, c, d]: [Facts; 4]) -> [Facts; 4] {
    let (first, last) = (a.with(b), c.with(d));
    [b.with(last), a.with(last), first.with(d), first.with(c)]
}
