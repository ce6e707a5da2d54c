//! The rules of 2048: boards, slides, spawns, seeds, and whole games written down.
//!
//! A turn has two halves. The player slides a [`Board`] and gets an [`Afterstate`]; the environment adds a
//! [`Spawn`] and gives the next [`Board`]. The two positions are different types, so that nobody evaluates the
//! wrong one by accident.
//!
//! # Two representations, one game
//!
//! A [`Packed`] board keeps sixteen 4-bit ranks in a `u64` and slides by row tables. It holds tiles up to 32768
//! on 4×4; during a game it is carried by rows and by columns, [`Crossed`]. A [`Grid`] keeps one byte per cell and holds any tile on any size from 2×2 to 5×5. [`Board`] is the
//! one callers see: it is packed whenever the position fits, and passes to a grid at the merge that makes 65536,
//! without the caller noticing.
//!
//! # Why is the tile a rank?
//!
//! Tiles are powers of two, so a cell stores the exponent: [`Rank`] 1 is the tile 2, rank 17 is 131072, the
//! largest that can occur on 4×4. Merging is adding one.

mod afterstate;
mod board;
pub mod game_tree;
mod grid;
mod motion;
mod moves;
mod notation;
mod packed;
mod perft;
mod rank;
mod record;
mod row;
mod rules;
mod seed;
mod size;
mod symmetry;

pub use afterstate::{Afterstate, Slide, Spawn};
pub use board::Board;
pub use grid::{Grid, GridSlides};
pub use motion::{Motion, motions};
pub use moves::{ByMove, Move, Moves, ParseMoveError};
pub use notation::ParseBoardError;
pub use packed::{Crossed, CrossedSlides, Packed};
pub use perft::perft;
pub use rank::Rank;
pub use record::{Moment, ParseRecordError, Record, Step};
pub use row::{Facts, Row, RowSlide, Rows};
pub use rules::{Rules, RulesError};
pub use seed::{GENERATOR, GameSeed, Seed};
pub use size::{Cell, ParseCellError, ParseSizeError, Size};
pub use symmetry::Symmetry;

/// A representation of positions that games can be played on.
///
/// [`Crossed`] and [`Grid`] implement it; playing, deciding and searching are written once against it.
pub trait Position: Copy + std::fmt::Debug {
    /// What this representation makes of its four slides.
    type Slides: Slides<Position = Self>;

    /// All four slides, or `None` when one of them makes a tile this representation cannot hold.
    fn slides(self, rows: &Rows) -> Option<Self::Slides>;
    fn empty_count(self) -> u32;
    /// Puts a tile on the empty cell number `nth`, counted from 0 in reading order.
    ///
    /// `nth` must be below [`Position::empty_count`].
    fn with_tile_on_empty(self, nth: u32, rank: Rank) -> Self;
    /// The largest rank on the board.
    fn max_rank(self) -> Rank;
    /// The same position as callers see it.
    fn to_board(self) -> Board;
}

/// The four slides of one position, as the fast path of a batch sees them.
///
/// Rewards and afterstates mean something only for legal slides.
pub trait Slides {
    type Position: Position;

    /// Directions that change the board.
    fn legal(&self) -> Moves;
    fn reward(&self, mv: Move) -> u32;
    /// Position after a slide, before the spawn.
    fn after(&self, mv: Move) -> Self::Position;
}

/// Draws a board of tile values: one row a line, blanks between cells, `.` for an empty cell.
///
/// ```
/// let board = afterstate::board! {
///     2 2 4 .
///     . . . .
///     . . . .
///     . . . 8
/// };
/// assert_eq!(board.to_string(), "2,2,4,0/0,0,0,0/0,0,0,0/0,0,0,8");
/// ```
///
/// # Panics
///
/// When the drawing is not a 4×4 board.
#[macro_export]
macro_rules! board {
    ($($cell:tt)*) => {
        $crate::game::Board::drawn(&[$(stringify!($cell)),*])
    };
}
