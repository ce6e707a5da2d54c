//! The rules of 2048: boards, slides, spawns, seeds, and records of games.
//!
//! A turn has two halves. The player slides a [`Board`] and gets an [`Afterstate`]; the environment adds a [`Spawn`]
//! and gives the next [`Board`]. The two positions have different types, so that code cannot evaluate the wrong one by
//! accident.
//!
//! # Two representations, one game
//!
//! A [`Packed`] board stores sixteen 4-bit ranks in a `u64` and slides by row tables. It holds tiles up to 32768 on
//! 4×4. During a game it is stored by rows and by columns, as [`Crossed`]. A [`Grid`] stores one byte per cell and
//! holds any tile on any size from 2×2 to 5×5. [`Board`] is the general type: packed if the position fits, otherwise a
//! grid.

mod afterstate;
mod board;
pub mod game_tree;
mod grid;
mod imported;
mod motion;
mod moves;
mod notation;
mod packed;
mod perft;
mod rank;
pub mod reading;
mod record;
mod row;
mod rules;
mod seed;
mod size;
mod symmetry;
mod written_tree;

pub use afterstate::{Afterstate, Slide, Spawn};
pub use board::Board;
pub use grid::{Grid, GridSlides};
pub use imported::{Fours, ImportError, ImportKind, ImportPlace, Imported, Missing};
pub use motion::{Motion, motions};
pub use moves::{ByMove, Move, Moves, ParseMoveError};
pub use packed::{Crossed, CrossedSlides, Packed};
pub use perft::perft;
pub use rank::Rank;
pub use reading::{CellOrder, ParseBoardError, ReadAs, Reading};
pub use record::{Moment, Notes, ParseRecordError, Record, Step};
pub use row::{Facts, Row, RowSlide, Rows, SpreadRows, SpreadSlide};
pub use rules::{Rules, RulesError};
pub use seed::{GENERATOR, GameSeed, Seed};
pub use size::{Cell, ParseCellError, ParseSizeError, Size};
pub use symmetry::Symmetry;
pub use written_tree::WrittenTree;

/// A representation of positions that games can be played on. Playing, deciding and searching are generic over it.
pub trait Position: Copy + std::fmt::Debug {
    type Slides: Slides<Position = Self>;

    /// All four slides. `None` if one of them makes a tile that this representation cannot hold.
    fn slides(self, rows: &Rows) -> Option<Self::Slides>;
    fn empty_count(self) -> u32;
    /// Puts a tile on the empty cell number `nth`, from 0 in reading order and below [`Position::empty_count`].
    fn with_tile_on_empty(self, nth: u32, rank: Rank) -> Self;
    fn max_rank(self) -> Rank;
    fn to_board(self) -> Board;
}

/// The four slides of one position. Rewards and afterstates are valid only for legal ones.
pub trait Slides {
    type Position: Position;

    fn legal(&self) -> Moves;
    fn reward(&self, mv: Move) -> u32;
    fn after(&self, mv: Move) -> Self::Position;
}

/// Draws a 4×4 board of tile values: one row per line, blanks between cells, `.` for an empty cell. Panics on other
/// input.
///
/// ```
/// let board = afterstate_engine::board! {
///     2 2 4 .
///     . . . .
///     . . . .
///     . . . 8
/// };
/// assert_eq!(board.to_string(), "2,2,4,0/0,0,0,0/0,0,0,0/0,0,0,8");
/// ```
#[macro_export]
macro_rules! board {
    ($($cell:tt)*) => {
        $crate::game::Board::drawn(&[$(stringify!($cell)),*])
    };
}
