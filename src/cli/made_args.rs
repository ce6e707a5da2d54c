//! Arguments of the commands that make what an evaluator reads: solved tables.

use clap::{Args as ClapArgs, ValueEnum};

use super::values::{probability, whole};
use crate::game::{Rank, Size};
use crate::task::MOST_THREADS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SolveFormat {
    Text,
    Json,
    /// Boards of each sum of tiles, a row a strategy, or a row a state
    Csv,
}

const SOLVE_HELP: &str = "\
A value is what is still to come: the points of best play, or the chance of the tile. Sizes: 2x2, 2x3, 3x2, 2x4, 4x2 and 3x3,
which takes about a minute on two cores, 1.2 GiB of memory and 180 MB on disk. With --strategy nothing is drawn: every board
that comes up is decided once, ties at random share their probability.";

#[derive(Debug, ClapArgs)]
#[command(after_help = SOLVE_HELP)]
pub(super) struct SolveArgs {
    /// Board as rows x columns
    #[arg(long, value_name = "RxC")]
    pub(super) size: Size,
    /// Play for the best chance of this tile, instead of the most points
    #[arg(long, value_name = "TILE", allow_negative_numbers = true, value_parser = whole(4, Rank::MAX.tile()))]
    pub(super) reach: Option<u64>,
    /// Probability that a new tile is a 4
    #[arg(long, value_name = "P", default_value_t = 0.1, allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: f64,
    /// Keep the table under a name, by which Solved("name") finds it, or in this file, which ends with .solved
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "strategy")]
    pub(super) out: Option<String>,
    /// Say what these strategies earn instead: letters, RON text or files; the flag may be given several times
    #[arg(long, value_name = "S", num_args = 1..)]
    pub(super) strategy: Vec<String>,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: SolveFormat,
}
