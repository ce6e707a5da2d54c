//! The general board: one byte per cell, any size, any tile.

use super::{Board, ByMove, Cell, Move, Moves, Position, Rank, Rows, Size, Slides};

/// A board of any size from 2×2 to 5×5 with any tile that can occur there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    size: Size,
    /// In reading order. Cells beyond the size stay empty.
    ranks: [Rank; 25],
}

impl Grid {
    pub const fn empty(size: Size) -> Self {
        Self {
            size,
            ranks: [Rank::EMPTY; 25],
        }
    }

    pub const fn size(&self) -> Size {
        self.size
    }

    /// The rank on a cell; empty outside the board.
    pub fn get(&self, cell: Cell) -> Rank {
        self.index(cell)
            .map_or(Rank::EMPTY, |index| self.ranks[index])
    }

    /// Puts a rank on a cell. Does nothing outside the board.
    pub fn set(&mut self, cell: Cell, rank: Rank) {
        if let Some(index) = self.index(cell) {
            self.ranks[index] = rank;
        }
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        self.size
            .contains(cell)
            .then(|| usize::from(cell.row) * self.size.cols() + usize::from(cell.col))
    }

    pub fn ranks(&self) -> &[Rank] {
        &self.ranks[..self.size.cells()]
    }

    /// The board after a slide and its reward; `None` when nothing moves.
    pub fn slide(&self, mv: Move) -> Option<(Self, u32)> {
        let mut after = *self;
        let mut reward = 0;
        for line in lines(self.size, mv) {
            reward += slide_line(&mut after.ranks, &line);
        }
        (after != *self).then_some((after, reward))
    }
}

/// The cells of one row or column as indices in reading order, starting at the wall that the tiles slide to.
#[derive(Clone, Copy)]
pub(super) struct GridLine {
    start: usize,
    step: isize,
    len: usize,
}

impl GridLine {
    pub(super) fn index(self, position: usize) -> usize {
        self.start
            .wrapping_add_signed(self.step * position as isize)
    }

    pub(super) fn indices(self) -> impl Iterator<Item = usize> {
        (0..self.len).map(move |position| self.index(position))
    }
}

/// Every line of a board in the direction of a slide.
pub(super) fn lines(size: Size, mv: Move) -> impl Iterator<Item = GridLine> {
    let (rows, cols) = (size.rows(), size.cols());
    let down = cols as isize;
    let count = if mv.is_horizontal() { rows } else { cols };
    (0..count).map(move |number| match mv {
        Move::Left => GridLine {
            start: number * cols,
            step: 1,
            len: cols,
        },
        Move::Right => GridLine {
            start: number * cols + cols - 1,
            step: -1,
            len: cols,
        },
        Move::Up => GridLine {
            start: number,
            step: down,
            len: rows,
        },
        Move::Down => GridLine {
            start: (rows - 1) * cols + number,
            step: -down,
            len: rows,
        },
    })
}

/// Slides the tiles of one line towards its first cell and returns the reward.
fn slide_line(ranks: &mut [Rank; 25], line: &GridLine) -> u32 {
    let mut target = 0;
    let mut reward = 0;
    for source in 1..line.len {
        let (from, rank) = (line.index(source), ranks[line.index(source)]);
        if rank.is_empty() {
            continue;
        }
        ranks[from] = Rank::EMPTY;
        let to = line.index(target);
        if ranks[to].is_empty() {
            ranks[to] = rank;
        } else if ranks[to] == rank {
            ranks[to] = rank.merged();
            reward += rank.merged().tile() as u32;
            target += 1;
        } else {
            target += 1;
            ranks[line.index(target)] = rank;
        }
    }

    reward
}

#[derive(Clone, Copy, Debug)]
pub struct GridSlides {
    before: Grid,
    after: ByMove<Grid>,
    reward: ByMove<u32>,
    legal: Moves,
}

impl GridSlides {
    pub fn before(&self) -> Grid {
        self.before
    }
}

impl Slides for GridSlides {
    type Position = Grid;

    fn legal(&self) -> Moves {
        self.legal
    }

    fn reward(&self, mv: Move) -> u32 {
        self.reward[mv]
    }

    fn after(&self, mv: Move) -> Grid {
        self.after[mv]
    }
}

impl Position for Grid {
    type Slides = GridSlides;

    fn slides(self, _rows: &Rows) -> Option<GridSlides> {
        let mut slides = GridSlides {
            before: self,
            after: ByMove::new([self; 4]),
            reward: ByMove::new([0; 4]),
            legal: Moves::NONE,
        };
        for mv in Move::ALL {
            if let Some((after, reward)) = self.slide(mv) {
                slides.after[mv] = after;
                slides.reward[mv] = reward;
                slides.legal.insert(mv);
            }
        }
        Some(slides)
    }

    fn empty_count(self) -> u32 {
        self.ranks().iter().filter(|rank| rank.is_empty()).count() as u32
    }

    fn with_tile_on_empty(self, nth: u32, rank: Rank) -> Self {
        let mut placed = self;
        let nth = self
            .ranks()
            .iter()
            .enumerate()
            .filter(|(_, rank)| rank.is_empty())
            .nth(nth as usize);
        if let Some((cell, _)) = nth {
            placed.ranks[cell] = rank;
        }
        placed
    }

    fn max_rank(self) -> Rank {
        self.ranks().iter().copied().max().unwrap_or(Rank::EMPTY)
    }

    fn to_board(self) -> Board {
        Board::from_grid(self)
    }
}
