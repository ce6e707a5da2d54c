//! What each evaluator means, in the plainest form.

use super::{Evaluator, Weights};
use crate::game::{Board, Cell};

impl Evaluator {
    /// The value of `board` when `score` points have been made up to it.
    ///
    /// This is the definition; [`Compiled`](super::Compiled) is what plays. Weights beyond the board count nothing
    /// ([`Evaluator::check`] refuses them).
    pub fn evaluate(&self, board: &Board, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => uniformity(board),
            Self::Monotonicity => monotonicity(board),
            Self::Inert => 0.0,
            Self::Weights(weights) => weighted(board, weights),
            Self::Sum(terms) => terms.iter().map(|(weight, evaluator)| weight * evaluator.evaluate(board, score)).sum(),
        }
    }
}

fn uniformity(board: &Board) -> f64 {
    let mut tiles: Vec<u64> = board.cells().map(|(_, rank)| rank.tile()).filter(|&tile| tile != 0).collect();
    tiles.sort_unstable();
    tiles.chunk_by(|a, b| a == b).map(|same| (same.len() as f64).powi(3)).sum()
}

fn monotonicity(board: &Board) -> f64 {
    let (rows, cols) = (board.size().rows(), board.size().cols());
    let mut tiles: Vec<Vec<u64>> =
        (0..rows).map(|row| (0..cols).map(|col| board.get(Cell::new(row as u8, col as u8)).tile()).collect()).collect();
    let mut largest = 0;
    for _ in 0..4 {
        let across = tiles.iter().map(|row| row.windows(2).filter(|pair| pair[1] <= pair[0]).count());
        let along = tiles.windows(2).map(|two| two[0].iter().zip(&two[1]).filter(|(a, b)| b <= a).count());
        largest = largest.max(across.sum::<usize>() + along.sum::<usize>());
        tiles = (0..tiles[0].len()).map(|col| tiles.iter().rev().map(|row| row[col]).collect()).collect();
    }
    largest as f64
}

fn weighted(board: &Board, weights: &Weights) -> f64 {
    // Row by row, as tables of rows add it up, so that both forms round alike.
    let mut sum = 0.0;
    for (row, weights) in weights.values().chunks(board.size().cols()).enumerate() {
        let mut of_row = 0.0;
        for (col, weight) in weights.iter().enumerate() {
            of_row += weight * board.get(Cell::new(row as u8, col as u8)).tile() as f64;
        }
        sum += of_row;
    }
    sum
}
