//! Boards of a small size as numbers: four bits for each cell, the first cell in reading order in the lowest bits.

use crate::game::{Board, Cell, Grid, Move, Position as _, Rank, Size};

/// Lookup tables for all boards of one size.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    size: Size,
    rows: u32,
    cols: u32,
    /// Slides of a row, and of a column read from the top.
    across: Box<[LineSlides]>,
    along: Box<[LineSlides]>,
}

/// Both slides of one line; unchanged if nothing moves.
#[derive(Clone, Copy, Debug, Default)]
struct LineSlides {
    to_first: u16,
    to_last: u16,
    reward: u32,
}

/// The result of a slide. The board itself if nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slid {
    pub(super) key: u64,
    pub(super) reward: u32,
}

impl Shape {
    /// The shape of boards with at most four rows and columns.
    pub(super) fn new(size: Size) -> Self {
        let (rows, cols) = (size.rows() as u32, size.cols() as u32);
        Self {
            size,
            rows,
            cols,
            across: lines(cols),
            along: lines(rows),
        }
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn cells(&self) -> u32 {
        self.rows * self.cols
    }

    /// The number of a board of this size; `None` for another size or if a tile is above 32768.
    pub(super) fn key(&self, board: &Board) -> Option<u64> {
        if board.size() != self.size {
            return None;
        }
        self.grid_key(&board.to_grid())
    }

    pub(super) fn grid_key(&self, grid: &Grid) -> Option<u64> {
        let mut ranks = grid.ranks().iter().enumerate();
        ranks.try_fold(0, |key, (cell, rank)| {
            (rank.get() < 16).then(|| key | u64::from(rank.get()) << (4 * cell))
        })
    }

    pub(super) fn board(&self, key: u64) -> Board {
        let mut grid = Grid::empty(self.size);
        for cell in 0..self.cells() {
            grid.set(
                Cell::at(cell as usize, self.size),
                Rank::clamped(rank(key, cell)),
            );
        }
        grid.to_board()
    }

    /// The slides in the order of [`Move::ALL`].
    #[inline]
    pub(super) fn slides(&self, key: u64) -> [Slid; 4] {
        let (left, right, across) = slide_lines(key, self.rows, self.cols, &self.across);
        let turned = exchange(key, self.rows, self.cols);
        let (up, down, along) = slide_lines(turned, self.cols, self.rows, &self.along);
        let back = |key| exchange(key, self.cols, self.rows);
        [
            (back(up), along),
            (back(down), along),
            (left, across),
            (right, across),
        ]
        .map(|(key, reward)| Slid { key, reward })
    }

    /// The slides that move something.
    #[inline]
    pub(super) fn legal(&self, key: u64) -> impl Iterator<Item = (Move, Slid)> + use<> {
        Move::ALL
            .into_iter()
            .zip(self.slides(key))
            .filter(move |(_, slid)| slid.key != key)
    }

    /// The empty cells, each as the amount that a 2 on it adds to the number; a 4 adds twice that.
    #[inline]
    pub(super) fn empty(&self, key: u64) -> impl Iterator<Item = u64> + use<> {
        (0..self.cells())
            .filter(move |&cell| rank(key, cell) == 0)
            .map(|cell| 1 << (4 * cell))
    }

    /// The smallest of all symmetric images of a board: eight on a square, otherwise the four that keep the sides.
    #[inline]
    pub(super) fn canonical(&self, key: u64) -> u64 {
        let least = self.least_reversal(key);
        if self.rows == self.cols {
            least.min(self.least_reversal(exchange(key, self.rows, self.cols)))
        } else {
            least
        }
    }

    #[inline]
    fn least_reversal(&self, key: u64) -> u64 {
        let (mirrored, upside_down) = (self.columns_reversed(key), self.rows_reversed(key));
        key.min(mirrored)
            .min(upside_down)
            .min(self.rows_reversed(mirrored))
    }

    #[inline]
    fn columns_reversed(&self, key: u64) -> u64 {
        let column = (0..self.rows).fold(0, |mask, row| mask | 15 << (4 * self.cols * row));
        (0..self.cols).fold(0, |image, col| {
            image | (key >> (4 * col) & column) << (4 * (self.cols - 1 - col))
        })
    }

    #[inline]
    fn rows_reversed(&self, key: u64) -> u64 {
        let width = 4 * self.cols;
        let row_mask = (1 << width) - 1;
        (0..self.rows).fold(0, |image, row| {
            image | (key >> (width * row) & row_mask) << (width * (self.rows - 1 - row))
        })
    }

    pub(super) fn tile_sum(&self, key: u64) -> u64 {
        self.ranks(key).map(|rank| 1 << rank).sum()
    }

    /// The points of a game that reached this board without a 4 among its new tiles; each such 4 means 4 points less.
    pub(super) fn potential(&self, key: u64) -> u64 {
        self.ranks(key)
            .map(|rank| u64::from(rank - 1) << rank)
            .sum()
    }

    pub(super) fn largest(&self, key: u64) -> u8 {
        self.ranks(key).max().unwrap_or(0)
    }

    /// The ranks of its tiles.
    fn ranks(&self, key: u64) -> impl Iterator<Item = u8> + use<> {
        (0..self.cells())
            .map(move |cell| rank(key, cell))
            .filter(|&rank| rank != 0)
    }
}

#[inline]
fn rank(key: u64, cell: u32) -> u8 {
    (key >> (4 * cell) & 15) as u8
}

/// Transposes: a board of `rows` × `cols` becomes one of `cols` × `rows`.
#[inline]
fn exchange(key: u64, rows: u32, cols: u32) -> u64 {
    let mut image = 0;
    for row in 0..rows {
        for col in 0..cols {
            image |= (key >> (4 * (cols * row + col)) & 15) << (4 * (rows * col + row));
        }
    }
    image
}

/// Both slides along the lines of a board, and their reward.
#[inline]
fn slide_lines(key: u64, count: u32, len: u32, lines: &[LineSlides]) -> (u64, u64, u32) {
    let width = 4 * len;
    let (mut first, mut last, mut reward) = (0, 0, 0);
    for number in 0..count {
        let at = width * number;
        let line = lines[(key >> at) as usize & (lines.len() - 1)];
        first |= u64::from(line.to_first) << at;
        last |= u64::from(line.to_last) << at;
        reward += line.reward;
    }
    (first, last, reward)
}

fn lines(len: u32) -> Box<[LineSlides]> {
    let line = |bits: u16| {
        let ranks: Vec<u8> = (0..len).map(|cell| rank(u64::from(bits), cell)).collect();
        let (to_first, reward) = slide(ranks.iter().copied(), len);
        let (to_last, _) = slide(ranks.iter().rev().copied(), len);
        let to_last = (0..len).fold(0, |line, cell| {
            line | (to_last >> (4 * cell) & 15) << (4 * (len - 1 - cell))
        });
        LineSlides {
            to_first,
            to_last,
            reward,
        }
    };
    (0..=u16::MAX).take(1 << (4 * len)).map(line).collect()
}

/// Slides tiles towards the first cell. Two tiles of 32768 do not merge: no board of these sizes comes near them.
fn slide(ranks: impl Iterator<Item = u8>, len: u32) -> (u16, u32) {
    let mut out: Vec<u8> = Vec::with_capacity(len as usize);
    let (mut reward, mut may_merge) = (0, false);
    for rank in ranks.filter(|&rank| rank != 0) {
        match out.last_mut() {
            Some(last) if may_merge && *last == rank && rank < 15 => {
                *last += 1;
                reward += 1 << *last;
                may_merge = false;
            }
            _ => {
                out.push(rank);
                may_merge = true;
            }
        }
    }

    (
        out.iter()
            .rev()
            .fold(0, |line, &rank| line << 4 | u16::from(rank)),
        reward,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed, Symmetry};

    /// Every board of some games.
    fn boards(size: Size) -> Vec<Board> {
        let rules = Rules {
            size,
            p4: 0.3,
            ..Rules::default()
        };
        let mut boards = Vec::new();
        for game in 0..20 {
            let seed = Seed(5).game(game);
            let mut board = seed.opening(&rules);
            for k in 0.. {
                boards.push(board);
                let legal = board.legal_moves();
                let Some(mv) = legal.nth(seed.tie(k, legal.len().max(1))) else {
                    break;
                };
                let after = board.slide(mv).expect("legal").after;
                board = after.spawn(seed.spawn(k + 2, &after.board(), rules.p4));
            }
        }
        boards
    }

    #[test]
    fn numbers_slide_and_turn_as_boards_do() {
        for size in Size::all().filter(|size| size.rows().max(size.cols()) <= 4) {
            let shape = Shape::new(size);
            for board in boards(size) {
                let key = shape.key(&board).expect("small tiles");
                assert_eq!(shape.board(key), board);
                assert_eq!(shape.tile_sum(key), board.tile_sum());
                assert_eq!(shape.largest(key), board.max_rank().get());
                for (mv, slid) in Move::ALL.into_iter().zip(shape.slides(key)) {
                    let slide = board.slide(mv);
                    let (after, reward) =
                        slide.map_or((board, 0), |slide| (slide.after.board(), slide.reward));
                    assert_eq!(shape.board(slid.key), after, "{board} {mv}");
                    assert!(slide.is_none() || slid.reward == reward, "{board} {mv}");
                }
                let images = Symmetry::of(size)
                    .map(|symmetry| shape.key(&symmetry.image(&board)).expect("small"));
                let images: Vec<u64> = images.collect();
                assert_eq!(images.iter().min(), Some(&shape.canonical(key)), "{board}");
                assert!(
                    images
                        .iter()
                        .all(|&image| shape.canonical(image) == shape.canonical(key)),
                    "{board}"
                );
                let empty: Vec<u64> = shape.empty(key).collect();
                assert_eq!(empty.len() as u32, board.empty_count());
                assert!(
                    empty
                        .iter()
                        .all(|two| shape.tile_sum(key | two) == board.tile_sum() + 2)
                );
            }
        }
    }
}
