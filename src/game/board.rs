//! The general board type: packed if the position fits, otherwise a grid.

use std::fmt;

use super::{
    Afterstate, Cell, Grid, Move, Moves, Packed, Position as _, Rank, Rows, Size, Slide,
    Slides as _,
};

/// A position in which the player is to move, of any size and with any tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board(Stored);

/// Packed if and only if the position fits, so that equal boards have equal representations.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stored {
    Packed(Packed),
    Grid(Grid),
}

impl Board {
    pub const EMPTY: Self = Self(Stored::Packed(Packed::EMPTY));

    pub fn empty(size: Size) -> Self {
        Self::from_grid(Grid::empty(size))
    }

    pub(super) fn from_packed(packed: Packed) -> Self {
        Self(Stored::Packed(packed))
    }

    pub fn from_grid(grid: Grid) -> Self {
        match Packed::try_from(&grid) {
            Ok(packed) => Self(Stored::Packed(packed)),
            Err(()) => Self(Stored::Grid(grid)),
        }
    }

    /// The board drawn by [`board!`](crate::board). Panics if the words are not sixteen tiles or dots.
    #[doc(hidden)]
    pub fn drawn(cells: &[&str]) -> Self {
        match cells.join(" ").parse() {
            Ok(board) => board,
            Err(error) => panic!("this drawing is not a board: {error}"),
        }
    }

    /// The fast representation, if the position fits.
    pub fn as_packed(&self) -> Option<Packed> {
        match self.0 {
            Stored::Packed(packed) => Some(packed),
            Stored::Grid(_) => None,
        }
    }

    pub fn to_grid(&self) -> Grid {
        match self.0 {
            Stored::Packed(packed) => packed.into(),
            Stored::Grid(grid) => grid,
        }
    }

    pub fn size(&self) -> Size {
        match &self.0 {
            Stored::Packed(_) => Size::FOUR,
            Stored::Grid(grid) => grid.size(),
        }
    }

    /// The rank on a cell; empty outside the board.
    pub fn get(&self, cell: Cell) -> Rank {
        match &self.0 {
            Stored::Packed(packed) if Size::FOUR.contains(cell) => packed.get(cell),
            Stored::Packed(_) => Rank::EMPTY,
            Stored::Grid(grid) => grid.get(cell),
        }
    }

    /// The board with another rank on a cell. Unchanged if the cell is outside.
    #[must_use]
    pub fn with(&self, cell: Cell, rank: Rank) -> Self {
        if let Stored::Packed(packed) = self.0
            && Size::FOUR.contains(cell)
            && let Some(packed) = packed.with(cell, rank)
        {
            return Self::from_packed(packed);
        }
        let mut grid = self.to_grid();
        grid.set(cell, rank);
        Self::from_grid(grid)
    }

    /// Every cell with its rank, in reading order.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Rank)> + use<> {
        let board = *self;
        board.size().iter().map(move |cell| (cell, board.get(cell)))
    }

    pub fn empty_cells(&self) -> Vec<Cell> {
        self.cells()
            .filter(|(_, rank)| rank.is_empty())
            .map(|(cell, _)| cell)
            .collect()
    }

    pub fn empty_count(&self) -> u32 {
        match self.0 {
            Stored::Packed(packed) => packed.empty_count(),
            Stored::Grid(grid) => grid.empty_count(),
        }
    }

    /// The largest rank on the board; empty on an empty board.
    pub fn max_rank(&self) -> Rank {
        match self.0 {
            Stored::Packed(packed) => packed.max_rank(),
            Stored::Grid(grid) => grid.max_rank(),
        }
    }

    /// Sum of all tiles. A slide keeps it, a spawn adds the new tile.
    pub fn tile_sum(&self) -> u64 {
        self.cells().map(|(_, rank)| rank.tile()).sum()
    }

    /// The result of a slide. `None` if nothing moves.
    pub fn slide(&self, mv: Move) -> Option<Slide> {
        if let Stored::Packed(packed) = self.0
            && let Some(slides) = packed.crossed().slides(Rows::shared())
        {
            return slides.legal().contains(mv).then(|| Slide {
                mv,
                after: Afterstate::new(Self::from_packed(slides.after(mv).packed())),
                reward: slides.reward(mv),
            });
        }
        let (after, reward) = self.to_grid().slide(mv)?;
        Some(Slide {
            mv,
            after: Afterstate::new(Self::from_grid(after)),
            reward,
        })
    }

    pub fn legal_moves(&self) -> Moves {
        let rows = Rows::shared();
        if let Stored::Packed(packed) = self.0
            && let Some(slides) = packed.crossed().slides(rows)
        {
            return slides.legal();
        }
        self.to_grid()
            .slides(rows)
            .map_or(Moves::NONE, |slides| slides.legal())
    }

    /// Whether the game is over: no slide changes the board.
    pub fn is_dead(&self) -> bool {
        self.legal_moves().is_empty()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::{ByMove, Rules, Seed};

    fn rank(exponent: u8) -> Rank {
        Rank::new(exponent).expect("a rank")
    }

    /// The eight images of a board, and where each direction goes.
    fn symmetries(board: &Board) -> Vec<(Board, ByMove<Move>)> {
        let mut all = Vec::new();
        let mut turned = (*board, ByMove::from_fn(|mv| mv));
        for _ in 0..2 {
            for _ in 0..4 {
                all.push(turned);
                turned = (
                    turn(&turned.0),
                    ByMove::from_fn(|mv| clockwise(turned.1[mv])),
                );
            }
            turned = (
                transpose(&turned.0),
                ByMove::from_fn(|mv| transposed(turned.1[mv])),
            );
        }
        all
    }

    fn turn(board: &Board) -> Board {
        let mut grid = Grid::empty(transposed_size(board));
        for (cell, rank) in board.cells() {
            grid.set(
                Cell::new(cell.col, board.size().rows() as u8 - 1 - cell.row),
                rank,
            );
        }
        Board::from_grid(grid)
    }

    fn transposed_size(board: &Board) -> Size {
        Size::new(board.size().cols() as u8, board.size().rows() as u8).expect("a size")
    }

    fn transpose(board: &Board) -> Board {
        let mut grid = Grid::empty(transposed_size(board));
        for (cell, rank) in board.cells() {
            grid.set(Cell::new(cell.col, cell.row), rank);
        }
        Board::from_grid(grid)
    }

    fn clockwise(mv: Move) -> Move {
        match mv {
            Move::Up => Move::Right,
            Move::Right => Move::Down,
            Move::Down => Move::Left,
            Move::Left => Move::Up,
        }
    }

    fn transposed(mv: Move) -> Move {
        match mv {
            Move::Up => Move::Left,
            Move::Left => Move::Up,
            Move::Down => Move::Right,
            Move::Right => Move::Down,
        }
    }

    /// Boards from random games of every size, and crowded ones with large tiles.
    fn corpus() -> Vec<Board> {
        let mut boards = Vec::new();
        for size in Size::all() {
            let rules = Rules {
                size,
                ..Rules::default()
            };
            for game in 0..6 {
                let seed = Seed(11).game(game);
                let mut board = seed.opening(&rules);
                for k in 0.. {
                    boards.push(board);
                    let legal = board.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    let mv = legal.nth(seed.tie(k, legal.len())).expect("a legal move");
                    let after = board.slide(mv).expect("legal").after;
                    board = after.spawn(seed.spawn(k + 2, &after.board(), rules.p4));
                }
            }
        }

        for k in 0..400 {
            let draw = Seed(12).game(k);
            let mut grid = Grid::empty(Size::FOUR);
            for (number, cell) in Size::FOUR.iter().enumerate() {
                grid.set(cell, rank((draw.place_draw(number as u32) % 18) as u8));
            }
            boards.push(Board::from_grid(grid));
        }

        boards
    }

    fn potential(board: &Board) -> u64 {
        board
            .cells()
            .map(|(_, rank)| u64::from(rank.get().max(1) - 1) * rank.tile())
            .sum()
    }

    #[test]
    fn a_slide_keeps_the_sum_and_its_reward_is_the_rise_of_the_potential() {
        for board in corpus() {
            for mv in board.legal_moves() {
                let slide = board.slide(mv).expect("legal");
                assert_eq!(
                    slide.after.board().tile_sum(),
                    board.tile_sum(),
                    "{board} {mv}"
                );
                assert_eq!(
                    u64::from(slide.reward),
                    potential(&slide.after.board()) - potential(&board),
                    "{board} {mv}"
                );
            }
        }
    }

    #[test]
    fn slides_commute_with_the_eight_symmetries() {
        for board in corpus() {
            let all = symmetries(&board);
            assert_eq!(all.len(), 8);
            for mv in Move::ALL {
                let plain = board
                    .slide(mv)
                    .map(|slide| (slide.after.board(), slide.reward));
                let images = plain.map(|(after, _)| symmetries(&after));
                for (index, (turned, directions)) in all.iter().enumerate() {
                    let there = turned
                        .slide(directions[mv])
                        .map(|slide| (slide.after.board(), slide.reward));
                    let expected = plain
                        .zip(images.as_ref())
                        .map(|((_, reward), images)| (images[index].0, reward));
                    assert_eq!(there, expected, "{board} {mv}");
                }
            }
        }
    }

    #[test]
    fn two_32768_merge_to_65536_and_score_it() {
        let before = board! {
            32768 32768 2 .
            . . . .
            . . . .
            . . . 32768
        };
        assert!(before.as_packed().is_some());
        let slide = before.slide(Move::Left).expect("legal");
        assert_eq!(slide.reward, 65536);
        assert_eq!(
            slide.after.board().to_string(),
            "65536,2,0,0/0,0,0,0/0,0,0,0/32768,0,0,0"
        );
        assert!(slide.after.board().as_packed().is_none());
        assert_eq!(before.slide(Move::Down).expect("legal").reward, 0);
    }

    #[test]
    fn two_65536_merge_to_131072_and_two_of_those_go_on() {
        let before = board! {
            65536 . . 65536
            4 4 4 4
            131072 . . 131072
            . . . 2
        };
        let slide = before.slide(Move::Right).expect("legal");
        assert_eq!(slide.reward, 131_072 + 16 + 262_144);
        assert_eq!(
            slide.after.board().to_string(),
            "0,0,0,131072/0,0,8,8/0,0,0,262144/0,0,0,2"
        );
    }

    #[test]
    fn a_tile_merges_once_per_slide() {
        let before = board! {
            2 2 4 8
            2 2 2 2
            4 2 2 .
            2 2 2 .
        };
        assert_eq!(
            before.slide(Move::Left).expect("legal").after.board(),
            board! {
                4 4 8 .
                4 4 . .
                4 4 . .
                4 2 . .
            }
        );
    }

    #[test]
    fn a_crowded_board_without_equal_neighbours_is_dead() {
        let dead = board! {
            2 4 2 4
            4 2 4 2
            2 4 2 4
            4 2 4 2
        };
        assert!(dead.is_dead());
        assert!(!dead.with(Cell::new(1, 1), Rank::FOUR).is_dead());
        assert!(Board::EMPTY.is_dead(), "nothing moves on an empty board");
    }
}
