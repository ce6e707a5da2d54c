//! n-tuple networks: what a board is worth, read from tables of a few cells each.
//!
//! # What one is
//!
//! A [`Shape`] lists tuples of cells, `"012345 456789 012456 45689a"`, cells as hexadecimal digits in reading order. Each
//! tuple has a table with a weight for every combination of tiles on its cells, sixteen values a cell (empty, 2 to 32768).
//! A board is worth the sum of what it reads in the tables, as it lies and, in a symmetric shape, in each of its eight
//! images (four of a rectangle): the images share the weights. A larger tile counts as 32768.
//!
//! With stages a network is several of one shape: a board is looked up in the one that its large tiles belong to ([`Stage`]).
//!
//! # What a value is
//!
//! The weights of a network add up to the points *still to come* from an afterstate (after a slide, before the new tile);
//! those of the slide that led there are not in it. Greedy play takes the slide with the largest reward + value (Szubert
//! and Jaśkowski, *Temporal difference learning of n-tuple networks for the game 2048*, CIG 2014, section III).
//!
//! As the evaluator [`Network`](crate::evaluator::Evaluator::Network) a board is worth *s + V*: the points so far, those of all
//! slides on the way to it included, and those to come. So at one ply a slide is worth s₀ + r + V(afterstate), and in a search
//! a leaf is worth s₀ + r₁ + r₂ + … + V(leaf), with the points s₀ before the search, which are the same for all moves, and the
//! rewards of the slides on its path: the expectimax of the literature (Yeh and others, section III; Jaśkowski, section II.B).
//! A dead board is worth s₀ + r₁ + r₂ + …, nothing is to come. Hand-made evaluators look at the board where a search ends, and
//! no reward on the way counts, unless a `Sum` has `Score` in it. *How it arose* of a node says which it is, with its numbers.
//!
//! [`greedy`] plays whole games so, as fast as the memory gives weights.
//!
//! # Files
//!
//! A [`Network`] is a file: a line of RON with shape, training and learning curve ([`Header`]), then the weights, compressed
//! ([`mod@file`]). [`library`] finds those of the user by their names, and `reference`, which ships. `tdl` reads and writes the
//! weights of TDL2048+.

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
pub use training::{Manifest, Point, RateError, Restarts, Scores, Training, Update, Word};

/// A number in the tables of a network: a weight, alone or with what learning keeps of it.
pub trait Weight: Send + Sync {
    fn value(&self) -> f32;
}

impl Weight for f32 {
    #[inline(always)]
    fn value(&self) -> f32 {
        *self
    }
}

/// A network that gives boards a value.
#[derive(Clone, Debug)]
pub struct Network {
    pub info: NetworkInfo,
    reader: Reader,
    weights: Arc<Vec<f32>>,
}

impl Network {
    /// Of as many weights as its shape has, those of the first stage first, in each in the order of the tuples.
    pub fn new(info: NetworkInfo, weights: Vec<f32>) -> Self {
        let reader = Reader::new(&info.header.shape);
        assert_eq!(weights.len() as u64, info.header.shape.weights(), "as many weights as the shape has");
        Self { info, reader, weights: Arc::new(weights) }
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

    /// What games are played with.
    pub fn tables(&self) -> Tables<'_, f32> {
        Tables { reader: &self.reader, weights: &self.weights }
    }

    /// Where a board is read, and how to.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// The points to come after this afterstate of a packed board.
    ///
    /// Added up in 64 bits, so that the images of a board, whose weights come in another order, have the same value but for a
    /// rounding of one in 10¹⁵.
    #[inline]
    pub fn of_packed(&self, bits: u64) -> f64 {
        let mut sum = 0.0;
        self.reader.each_row(bits, |row| sum += greedy::of_row(self.weights(), row));
        sum
    }

    /// The points to come after each of these slides, whose weights are asked for all at once; 0 for the others.
    #[inline]
    pub fn after_slides(&self, slides: &CrossedSlides, left: Moves) -> ByMove<f64> {
        let mut after = Afterstates::default();
        after.ask(self.tables(), left, |mv| f64::word(slides, mv, &self.reader));
        after.values(self.tables(), left)
    }

    /// The same of an afterstate of the network's size.
    pub fn of_grid(&self, board: &Grid) -> f64 {
        self.of_packed(self.reader.word(board))
    }

    /// What comes after a board: of an afterstate its value; one without an empty cell is none and is worth what its best
    /// slide is, reward included, a dead one 0.
    pub fn to_come(&self, board: &Grid) -> f64 {
        if board.size() != self.size() {
            return f64::NAN;
        }
        if board.empty_count() != 0 {
            return self.of_grid(board);
        }
        self.best_slide(board).map_or(0.0, |(_, reward, after)| f64::from(reward) + self.of_grid(&after))
    }

    /// [`Self::to_come`] of the board that games are played on.
    #[inline]
    pub fn to_come_of(&self, board: Crossed) -> f64 {
        if board.empty_count() == 0 {
            return self.to_come(&board.packed().into());
        }
        self.of_packed(board.packed().bits())
    }
}
