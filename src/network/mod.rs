//! n-tuple networks: evaluate a board by tables over a few cells each.
//!
//! # What is a network?
//!
//! A [`Shape`] lists tuples of cells, `"012345 456789 012456 45689a"`, with cells as hexadecimal digits in reading
//! order. Each tuple has a table with a weight for every combination of tiles on its cells, sixteen values per cell
//! (empty, 2 to 32768). The value of a board is the sum of its weights in all tables, for the board itself and, in a
//! symmetric shape, for each of its eight images (four for a rectangle), which share the weights. A larger tile counts
//! as 32768.
//!
//! With stages a network consists of several tables of one shape: a board is looked up in those that its large tiles
//! select ([`Stage`]).
//!
//! # What is a value?
//!
//! The weights of a network add up to the points *still to come* from an afterstate (after a slide, before the new
//! tile). They exclude those of the slide that led there. Greedy play takes the slide with the largest reward + value
//! (Szubert and Jaśkowski, *Temporal difference learning of n-tuple networks for the game 2048*, CIG 2014, section
//! III).
//!
//! As the evaluator [`Network`](crate::evaluator::Evaluator::Network) the value of a board is *s + V*: the score so
//! far, including all slides on the way to it, plus the points to come. So at one ply a slide is worth s₀ + r +
//! V(afterstate), and in a search a leaf is worth s₀ + r₁ + r₂ + … + V(leaf), with the score s₀ before the search,
//! which is the same for all moves, and the rewards of the slides on its path: the expectimax of the literature (Yeh
//! and others, section III; Jaśkowski, section II.B). A dead board is worth s₀ + r₁ + r₂ + …, because no points are to
//! come. Hand-made evaluators look at the board where a search ends, and rewards on the way do not count unless a `Sum`
//! contains `Score`. *How it arose* of a node shows which it is, with its numbers.
//!
//! [`greedy`] plays whole games this way, as fast as memory delivers weights.
//!
//! # Files
//!
//! A [`Network`] is a file: a line of RON with shape, training and learning curve ([`Header`]), then the compressed
//! weights ([`mod@file`]). [`library`] finds those of the user by name, and `reference`, which is shipped. `tdl` reads
//! and writes the weights of TDL2048+.

pub mod file;
pub mod greedy;
pub mod library;
pub mod opened;
mod places;
mod shape;
mod small;
mod stage;
mod tdl;
#[cfg(test)]
mod tests;
pub mod training;

use std::sync::Arc;

use crate::game::{ByMove, Crossed, CrossedSlides, Grid, Moves, Position as _, Size};
use greedy::{Afterstates, Total as _};

pub use file::{Encoding, Header, NetworkError, NetworkInfo};
pub use greedy::Tables;
pub use places::{Places, Reader};
pub use shape::{NAMED, NamedShape, Shape, ShapeError, Tuple};
pub use stage::{Stage, StageError};
pub use tdl::{TdlFile, TdlImages};
pub use training::{Manifest, Point, RateError, Restarts, Scores, Training, Update, Word};

/// A number in the tables of a network: a weight, alone or with its learning data.
pub trait Weight: Send + Sync {
    fn value(&self) -> f32;
}

impl Weight for f32 {
    #[inline(always)]
    fn value(&self) -> f32 {
        *self
    }
}

/// A network that evaluates boards.
#[derive(Clone, Debug)]
pub struct Network {
    pub info: NetworkInfo,
    reader: Reader,
    weights: Arc<Vec<f32>>,
}

impl Network {
    /// From all weights of its shape, those of the first stage first, and within a stage in the order of the tuples.
    pub fn new(info: NetworkInfo, weights: Vec<f32>) -> Self {
        let reader = Reader::new(&info.header.shape);
        assert_eq!(
            weights.len() as u64,
            info.header.shape.weights(),
            "as many weights as the shape has"
        );
        Self {
            info,
            reader,
            weights: Arc::new(weights),
        }
    }

    pub fn shape(&self) -> &Shape {
        &self.info.header.shape
    }

    pub fn size(&self) -> Size {
        self.shape().size
    }

    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The tables for playing games.
    pub fn tables(&self) -> Tables<'_, f32> {
        Tables {
            reader: &self.reader,
            weights: &self.weights,
        }
    }

    /// Computes the table indices of boards.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The points to come after this afterstate of a packed board.
    ///
    /// Summed in 64 bits, so that the images of a board, whose weights come in another order, have the same value
    /// except for a rounding of one in 10¹⁵.
    #[inline]
    pub fn of_packed(&self, bits: u64) -> f64 {
        let mut sum = 0.0;
        self.reader
            .each_row(bits, |row| sum += greedy::of_row(self.weights(), row));
        sum
    }

    /// The points to come after each of these slides, whose weights are all prefetched together; 0 for the others.
    #[inline]
    pub fn after_slides(&self, slides: &CrossedSlides, left: Moves) -> ByMove<f64> {
        let mut after = Afterstates::default();
        after.ask(self.tables(), left, |mv| {
            f64::word(slides, mv, &self.reader)
        });
        after.values(self.tables(), left)
    }

    /// The same for an afterstate of the network's size.
    pub fn of_grid(&self, board: &Grid) -> f64 {
        self.of_packed(self.reader.word(board))
    }

    /// The points to come after a board. For an afterstate it is its value. A full board is no afterstate and counts as
    /// its best slide, including the reward; a dead one counts as 0.
    pub fn to_come(&self, board: &Grid) -> f64 {
        if board.size() != self.size() {
            return f64::NAN;
        }
        if board.empty_count() != 0 {
            return self.of_grid(board);
        }
        self.best_slide(board).map_or(0.0, |(_, reward, after)| {
            f64::from(reward) + self.of_grid(&after)
        })
    }

    /// [`Self::to_come`] of a board in the form for playing.
    #[inline]
    pub fn to_come_of(&self, board: Crossed) -> f64 {
        if board.empty_count() == 0 {
            return self.to_come(&board.packed().into());
        }
        self.of_packed(board.packed().bits())
    }
}
