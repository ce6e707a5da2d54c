//! The slides after a last spawn, looked up line by line.
//!
//! Most nodes of a tree are its leaves. If the value of a board follows from sums over the lines, a new tile affects a
//! slide in two ways: it changes the slid line of the tile, and one cell of each line across. So the boards of the last
//! spawn and the four slides after each are never made, only their lines.

use std::hint::select_unpredictable;
use std::ops::Add;

use super::line_values::{LineValues, all_but_one, larger};
use crate::game::{
    Crossed, Facts, Move, Packed, Position as _, Rank, Rows, Slides as _, SpreadRows,
};
use crate::search::board::Cells;

/// The new tiles after which slides are looked up.
#[derive(Clone, Copy)]
pub(super) struct NewTiles {
    /// The empty cells that get a new tile.
    pub(super) cells: Cells,
    /// Whether 2s and 4s come.
    pub(super) kinds: [bool; 2],
}

/// The values of the four slides after every spawn on an afterstate. Illegal slides have the value −∞.
///
/// New tiles on one line with no tile between them slide to the same place. So the values of slides along that line are
/// looked up once for all cells of such a gap.
#[derive(Clone)]
pub(super) struct LastSlides {
    /// The better of the two slides along the row, by cell and by tile (2, 4).
    along_rows: [[f64; 2]; 16 + BEYOND],
    /// The better of the two slides along the column, by cell of the transposed board.
    along_columns: [[f64; 2]; 16 + BEYOND],
    /// By cell, tile, and slide in the order of [`Move::ALL`](crate::game::Move::ALL). Empty unless each slide was
    /// requested.
    each: Vec<EachSlide>,
}

/// The four slides after a 2 and after a 4.
type EachSlide = [[f64; 4]; 2];

/// The values of a gap are written to four cells from its first on. Later gaps overwrite the surplus.
const BEYOND: usize = 3;

const NONE: f64 = f64::NEG_INFINITY;

impl LastSlides {
    pub(super) fn new(each: bool) -> Self {
        let each = if each {
            vec![[[NONE; 4]; 2]; 16]
        } else {
            Vec::new()
        };
        Self {
            along_rows: [[NONE; 2]; 16 + BEYOND],
            along_columns: [[NONE; 2]; 16 + BEYOND],
            each,
        }
    }

    /// The value of the best slide after a 2 and after a 4 on this cell.
    #[inline(always)]
    pub(super) fn best(&self, cell: u32) -> [f64; 2] {
        let [two, four] = self.along_rows[cell as usize & 15];
        let [other_two, other_four] = self.along_columns[transposed(cell) as usize];
        [larger(two, other_two), larger(four, other_four)]
    }

    /// The value of each slide; −∞ if they were not requested.
    #[inline(always)]
    pub(super) fn each(&self, cell: u32) -> EachSlide {
        self.each
            .get(cell as usize)
            .copied()
            .unwrap_or([[NONE; 4]; 2])
    }

    /// Evaluates the slides after each of these spawns, and stores each of them if `EACH`. Returns the number of legal
    /// slides, or `None` if two 32768 might merge, which rows cannot represent.
    #[inline(always)]
    pub(super) fn look_up<L: LineValues, const EACH: bool>(
        &mut self,
        after: Crossed,
        tiles: NewTiles,
        score: u64,
        lines: L,
        table: &SpreadRows,
    ) -> Option<u32> {
        let columns = Pass::new(after.transposed(), table, Direction::<L, true>(lines))?;
        let rows = Pass::new(after.packed(), table, Direction::<L, false>(lines))?;
        let Self {
            along_rows,
            along_columns,
            each,
        } = self;
        let turned = NewTiles {
            cells: tiles.cells.transposed(),
            ..tiles
        };
        let vertical = columns.look_up(
            turned,
            score,
            table,
            along_columns,
            |cell, tile, [up, down]| {
                if EACH {
                    each[transposed(cell) as usize][tile][..2].copy_from_slice(&[up, down]);
                }
            },
        );
        let horizontal = rows.look_up(
            tiles,
            score,
            table,
            along_rows,
            |cell, tile, [left, right]| {
                if EACH {
                    each[cell as usize][tile][2..].copy_from_slice(&[left, right]);
                }
            },
        );
        Some(vertical + horizontal)
    }
}

/// Maps the index of a cell to that in the transposed board, and back.
#[inline(always)]
fn transposed(cell: u32) -> u32 {
    (cell >> 2 | cell << 2) & 15
}

/// The lines along slides, which are columns if `UPRIGHT`, and the lines across.
#[derive(Clone, Copy)]
struct Direction<L, const UPRIGHT: bool>(L);

impl<L: LineValues, const UPRIGHT: bool> Direction<L, UPRIGHT> {
    #[inline(always)]
    fn along(self, index: u32, line: u16) -> L::Sum {
        if UPRIGHT {
            self.0.column(index, line)
        } else {
            self.0.row(index, line)
        }
    }

    #[inline(always)]
    fn across(self, index: u32, line: u16) -> L::Sum {
        if UPRIGHT {
            self.0.row(index, line)
        } else {
            self.0.column(index, line)
        }
    }

    #[inline(always)]
    fn value(self, along: L::Sum, across: L::Sum, score: u64) -> f64 {
        if UPRIGHT {
            self.0.value(across, along, score)
        } else {
            self.0.value(along, across, score)
        }
    }
}

/// Both slides along the four lines of one direction.
struct Pass<L: LineValues, const UPRIGHT: bool> {
    direction: Direction<L, UPRIGHT>,
    lines: Packed,
    /// For each line, what the slides of the other lines do.
    facts: [Facts; 4],
    /// The afterstate after a slide towards the first and towards the last cell.
    to_first: Slid<L::Sum>,
    to_last: Slid<L::Sum>,
}

/// The afterstate slid once more, without the new tile.
struct Slid<S> {
    /// For each line, the sum of the other lines along the slide.
    along: [S; 4],
    /// For each line, the transposed board with the cells of that line empty.
    across: [u64; 4],
}

impl<S: Copy + Add<Output = S>> Slid<S> {
    #[inline(always)]
    fn new<L: LineValues<Sum = S>, const UPRIGHT: bool>(
        [a, b, c, d]: [u16; 4],
        across: [u64; 4],
        direction: Direction<L, UPRIGHT>,
    ) -> Self {
        let along = |index, line| direction.along(index, line);
        Self {
            along: all_but_one([along(0, a), along(1, b), along(2, c), along(3, d)]),
            across: all_but_one([across[0], across[1] << 4, across[2] << 8, across[3] << 12]),
        }
    }

    /// The value when line `index` becomes `line` in the slide. `cells` are the cells of `line` in a transposed board.
    #[inline(always)]
    fn value<L: LineValues<Sum = S>, const UPRIGHT: bool>(
        &self,
        index: u32,
        (line, cells): (u16, u64),
        score: u64,
        direction: Direction<L, UPRIGHT>,
    ) -> f64 {
        let board = self.across[index as usize & 3] | cells << (4 * index);
        let across = |index: u32| direction.across(index, (board >> (16 * index)) as u16);
        let along = self.along[index as usize & 3] + direction.along(index, line);
        direction.value(
            along,
            (across(0) + across(1)) + (across(2) + across(3)),
            score,
        )
    }
}

impl<L: LineValues, const UPRIGHT: bool> Pass<L, UPRIGHT> {
    #[inline(always)]
    fn new(lines: Packed, rows: &SpreadRows, direction: Direction<L, UPRIGHT>) -> Option<Self> {
        // Written out, because the compiler turns maps over arrays into loops.
        let slides = [
            rows.slide(lines.row(0)),
            rows.slide(lines.row(1)),
            rows.slide(lines.row(2)),
            rows.slide(lines.row(3)),
        ];
        let [a, b, c, d] = [
            slides[0].slide,
            slides[1].slide,
            slides[2].slide,
            slides[3].slide,
        ];
        let facts = [a.facts, b.facts, c.facts, d.facts];
        if Facts::of_four(facts).is_too_large() {
            return None;
        }

        let across = [
            slides[0].left_across(),
            slides[1].left_across(),
            slides[2].left_across(),
            slides[3].left_across(),
        ];
        let to_first = Slid::new([a.left, b.left, c.left, d.left], across, direction);
        let across = [
            slides[0].right_across(),
            slides[1].right_across(),
            slides[2].right_across(),
            slides[3].right_across(),
        ];
        let to_last = Slid::new([a.right, b.right, c.right, d.right], across, direction);
        let [a, b, c, d] = others(facts);
        let facts = [a.readied(), b.readied(), c.readied(), d.readied()];
        Some(Self {
            direction,
            lines,
            facts,
            to_first,
            to_last,
        })
    }

    /// Looks up both slides along their lines after each of these spawns. Writes the better one to `best`, and passes
    /// each to `tell` by cell and tile. Returns the number of legal slides.
    #[inline(always)]
    fn look_up(
        &self,
        NewTiles { cells, kinds }: NewTiles,
        score: u64,
        rows: &SpreadRows,
        best: &mut [[f64; 2]; 16 + BEYOND],
        mut tell: impl FnMut(u32, usize, [f64; 2]),
    ) -> u32 {
        let (mut moves, mut not_alone) = ([0, 0], 0);
        for first in cells.first_of_gaps() {
            let last = first + cells.gap_from(first) - 1;
            not_alone += last - first;
            let gap = (first >> 2 & 3, [first & 3, last & 3]);
            // Not in a loop, which would write both to memory and read them back.
            let two = if kinds[0] {
                self.slides(gap, 1, score, rows, &mut moves)
            } else {
                InGap::NONE
            };
            let four = if kinds[1] {
                self.slides(gap, 2, score, rows, &mut moves)
            } else {
                InGap::NONE
            };
            for (tile, found) in [&two, &four].into_iter().enumerate() {
                (first + 1..last).for_each(|cell| tell(cell, tile, found.between));
                tell(last, tile, found.at_last);
                tell(first, tile, found.at_first);
            }
            let better = |both: [[f64; 2]; 2]| both.map(|[first, last]| larger(first, last));
            let (first, last) = (first as usize & 15, last as usize & 15);
            best[first..=first + BEYOND].fill(better([two.between, four.between]));
            best[last] = better([two.at_last, four.at_last]);
            best[first] = better([two.at_first, four.at_first]);
        }

        let kinds = u32::from(kinds[0]) + u32::from(kinds[1]);
        Facts::count_moves(moves) + 2 * kinds * not_alone
    }

    /// Both slides with a tile of this rank on each cell of a gap of line `index`, −∞ for illegal slides. Adds to
    /// `moves[0]` whether the slide to the first cell is legal with the tile on the gap's first cell, and to `moves[1]`
    /// whether the slide to the last cell is legal with the tile on its last cell.
    ///
    /// Only on the first cell of a gap can the tile stay in place when it slides to the first cell of the line.
    #[inline(always)]
    fn slides(
        &self,
        (index, [first, last]): (u32, [u32; 2]),
        rank: u16,
        score: u64,
        rows: &SpreadRows,
        moves: &mut [u64; 2],
    ) -> InGap {
        let line = |position| self.lines.row(index) | rank << (4 * position);
        let (spread, of_last) = (rows.slide(line(first)), rows.slide(line(last)).slide);
        let slide = spread.slide;
        let others = self.facts[index as usize & 3];
        let (facts, of_last) = (others.with(slide.facts), others.with(of_last.facts));
        let score = score.saturating_add(u64::from(facts.reward()));
        let between = [
            self.to_first.value(
                index,
                (slide.left, spread.left_across()),
                score,
                self.direction,
            ),
            self.to_last.value(
                index,
                (slide.right, spread.right_across()),
                score,
                self.direction,
            ),
        ];

        let at = |facts: Facts| {
            let [to_first, to_last] = facts.moves();
            [
                legal(to_first != 0, between[0]),
                legal(to_last != 0, between[1]),
            ]
        };
        *moves = [
            moves[0] + u64::from(facts.moves()[0]),
            moves[1] + u64::from(of_last.moves()[1]),
        ];
        InGap {
            at_first: at(facts),
            between,
            at_last: at(of_last),
        }
    }
}

/// Both slides after a tile on the first cell of a gap, on its last one and on those between.
struct InGap {
    at_first: [f64; 2],
    between: [f64; 2],
    at_last: [f64; 2],
}

impl InGap {
    const NONE: Self = Self {
        at_first: [NONE; 2],
        between: [NONE; 2],
        at_last: [NONE; 2],
    };
}

/// The value of a legal slide, −∞ for an illegal one. Uses integers, between which processors select without branch
/// prediction.
#[inline(always)]
fn legal(moves: bool, value: f64) -> f64 {
    f64::from_bits(select_unpredictable(moves, value.to_bits(), NONE.to_bits()))
}

#[inline(always)]
fn others([a, b, c, d]: [Facts; 4]) -> [Facts; 4] {
    let (first, last) = (a.with(b), c.with(d));
    [b.with(last), a.with(last), first.with(d), first.with(c)]
}

/// Never equal to an afterstate, because an afterstate is never full.
const NONE_SEEN: (u64, f64) = (u64::MAX, 0.0);

impl LastSlides {
    /// Like `look_up`, for an evaluator whose value is the score plus the expected points after an afterstate.
    ///
    /// New tiles on one line with no tile between them slide to the same place, so the slides along that line have the
    /// same afterstate, which is evaluated once. The cells come in reading order, and so do those of each line.
    #[inline(never)]
    pub(super) fn look_up_afterstates(
        &mut self,
        after: Crossed,
        NewTiles { cells, kinds }: NewTiles,
        score: u64,
        to_come: impl Fn(Crossed) -> f64,
        rows: &Rows,
    ) -> Option<u32> {
        // The previous afterstate, by tile, by slide and by line.
        let mut seen = [[[NONE_SEEN; 4]; 4]; 2];
        let mut count = 0;
        for cell in cells {
            let (row, column) = ((cell >> 2) as usize & 3, cell as usize & 3);
            for (tile, rank) in [Rank::TWO, Rank::FOUR].into_iter().enumerate() {
                if !kinds[tile] {
                    continue;
                }

                let slides = after.with_tile_at(cell, rank).slides(rows)?;
                let legal = slides.legal();
                count += legal.len() as u32;
                let mut each = [NONE; 4];
                for mv in legal {
                    let line = if matches!(mv, Move::Up | Move::Down) {
                        column
                    } else {
                        row
                    };
                    let (before, points) = &mut seen[tile][mv as usize][line];
                    let afterstate = slides.after(mv);
                    if *before != afterstate.packed().bits() {
                        *before = afterstate.packed().bits();
                        *points = to_come(afterstate);
                    }
                    each[mv as usize] =
                        score.saturating_add(u64::from(slides.reward(mv))) as f64 + *points;
                }

                let [up, down, left, right] = each;
                self.along_rows[cell as usize & 15][tile] =
                    larger(larger(up, down), larger(left, right));
                self.along_columns[transposed(cell) as usize][tile] = NONE;
                if let Some(slides) = self.each.get_mut(cell as usize) {
                    slides[tile] = each;
                }
            }
        }

        Some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::line_values::{LastSpawn, RowsAlone, Weighted};
    use super::*;
    use crate::evaluator::{ByLines, Compiled, Evaluate as _, Evaluator, LineForm, NoFiles};
    use crate::game::Seed;
    use crate::search::board::SearchBoard;

    const TILES: [Rank; 2] = [Rank::TWO, Rank::FOUR];

    /// Boards with a third of the cells empty, in gaps of every length, and with few ranks, so that many tiles merge.
    fn boards() -> impl Iterator<Item = Crossed> {
        let seed = Seed(12).game(0);
        (0..400).map(move |number| {
            let cell = |cell: u64| {
                let draw = seed.place_draw(number) >> cell & 7;
                let rank = seed.value_draw(number) >> (3 * cell) & 7;
                if draw < 3 {
                    0
                } else {
                    rank + u64::from(number % 3)
                }
            };
            Packed::from_bits((0..16).map(|at| cell(at) << (4 * at)).sum()).crossed()
        })
    }

    /// Compares every slide after every spawn, and the boards themselves, with the evaluator.
    fn compare<L: LineValues>(lines: L, evaluator: &Compiled) -> usize {
        let mut compared = 0;
        for after in boards() {
            let empty = SearchBoard::empty_cells(after);
            let some = Cells::from_bits(
                empty
                    .filter(|cell| 0x5A3C >> cell & 1 == 1)
                    .fold(0, |cells, cell| cells | 1 << cell),
            );
            for (cells, kinds) in [
                (empty, [true; 2]),
                (some, [true; 2]),
                (empty, [true, false]),
                (some, [false, true]),
            ] {
                compared += compare_on(after, NewTiles { cells, kinds }, lines, evaluator);
            }
        }
        compared
    }

    fn compare_on<L: LineValues>(
        after: Crossed,
        tiles: NewTiles,
        lines: L,
        evaluator: &Compiled,
    ) -> usize {
        let (rows, score) = (Rows::shared(), 120);
        let same = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
        let last = LastSpawn::new(after, score, lines);
        let [mut found, mut alone] = [true, false].map(LastSlides::new);
        let legal = found
            .look_up::<L, true>(after, tiles, score, lines, SpreadRows::shared())
            .expect("small tiles");
        assert_eq!(
            alone.look_up::<L, false>(after, tiles, score, lines, SpreadRows::shared()),
            Some(legal)
        );

        let (mut counted, mut compared) = (0, 0);
        for cell in tiles.cells {
            for (tile, rank) in TILES
                .into_iter()
                .enumerate()
                .filter(|&(tile, _)| tiles.kinds[tile])
            {
                let board = after.with_tile_at(cell, rank);
                assert!(
                    same(last.value(cell, rank), evaluator.value(board, score)),
                    "{board:?}"
                );
                let slides = board.slides(rows).expect("small tiles");
                let values = Move::ALL.map(|mv| match slides.legal().contains(mv) {
                    true => evaluator.value(slides.after(mv), score + u64::from(slides.reward(mv))),
                    false => NONE,
                });
                let each = found.each(cell)[tile];
                assert!(
                    values.into_iter().zip(each).all(|(a, b)| same(a, b)),
                    "{board:?}: {values:?} {each:?}"
                );
                let best = each.into_iter().fold(NONE, larger);
                assert_eq!(
                    [&found, &alone].map(|found| found.best(cell)[tile]),
                    [best; 2]
                );
                counted += slides.legal().len() as u32;
                compared += 1;
            }
        }
        assert_eq!(legal, counted, "{after:?}");

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
                (LineForm::One(lines), Some(weights)) => {
                    compare(Weighted { lines, weights }, &evaluator)
                }
                (LineForm::Each(lines), Some(weights)) => {
                    compare(Weighted { lines, weights }, &evaluator)
                }
                (LineForm::Rows(lines), Some(weights)) => compare(
                    Weighted {
                        lines: RowsAlone(lines),
                        weights,
                    },
                    &evaluator,
                ),
                (LineForm::Snake(lines), Some(weights)) => {
                    compare(Weighted { lines, weights }, &evaluator)
                }
                (LineForm::Corner(lines), Some(weights)) => {
                    compare(Weighted { lines, weights }, &evaluator)
                }
            };
            assert!(10_000 < compared, "{text}: {compared}");
        }
    }

    #[test]
    fn what_follows_from_more_than_lines_is_not_looked_up() {
        for text in [
            "Empty",
            "Uniformity",
            "Sum([(1.0, Score), (1.0, LogEmpty)])",
            "Sum([(1.0, Snake), (1.0, Corner)])",
        ] {
            assert!(
                text.parse::<Evaluator>()
                    .expect(text)
                    .compile(&NoFiles)
                    .by_lines()
                    .is_none(),
                "{text}"
            );
        }
    }
}
