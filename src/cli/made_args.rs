//! Arguments of the commands that make what an evaluator reads: solved tables, networks and processes.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::values::{Format, probability, whole};
use crate::game::{Rank, Size};
use crate::process::ProcessSpec;
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

const PROCESS_HELP: &str = "\
The state of a board: which of its rows and columns fall or rise as along a snake, how many cells are empty, how many merges a
slide has at most. Slides and points are counted in games, value iteration says what each state has to come. A process that is
kept, --out NAME, is an evaluator: Policy(\"NAME\"); Policy(games: 10000, p4: 0.2) learns the same when it first plays, and needs no
file. Course paper, Table IV; afterstate run course-table-4 plays by it.";

#[derive(Debug, ClapArgs)]
#[command(after_help = PROCESS_HELP)]
pub(super) struct ProcessArgs {
    /// Games to count, of each round
    #[arg(long, value_name = "N", default_value_t = ProcessSpec::USUAL.games, allow_negative_numbers = true,
        value_parser = whole(1, ProcessSpec::MOST_GAMES))]
    pub(super) games: u64,
    /// Rounds: from the second on the process plays, by what it has learnt so far
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = whole(1, ProcessSpec::MOST_ROUNDS))]
    pub(super) rounds: u64,
    /// Who plays the first round instead of random moves: letters, RON text or a file
    #[arg(long, value_name = "S")]
    pub(super) play: Option<String>,
    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: u64,
    /// Probability that a new tile is a 4
    #[arg(long, value_name = "P", default_value_t = 0.1, allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: f64,
    /// How often each slide counts as having ended the game, beyond what was seen: without, points may go in a circle
    #[arg(long, value_name = "X", default_value_t = ProcessSpec::USUAL.ends, allow_negative_numbers = true)]
    pub(super) ends: f64,
    /// What a point is worth one slide later
    #[arg(long, value_name = "X", default_value_t = ProcessSpec::USUAL.discount, allow_negative_numbers = true)]
    pub(super) discount: f64,
    /// Keep the process under a name, by which Policy("name") finds it, or in this file, which ends with .process
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) out: Option<String>,
    /// Worker threads [default: all cores]; they change no result
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: SolveFormat,
}

#[derive(Debug, ClapArgs)]
pub(super) struct NetworksArgs {
    /// A network by name or file [default: all are listed]
    #[arg(value_name = "NAME|FILE")]
    pub(super) network: Option<String>,
    /// Write a copy with the weights that learnt most, in steps, which ends with .net
    #[arg(long, value_name = "FILE", requires = "network")]
    pub(super) small: Option<PathBuf>,
    /// The most bytes that the weights of the copy take
    #[arg(long, value_name = "N", default_value_t = 7_900_000, allow_negative_numbers = true, value_parser = whole(1, 1 << 40))]
    pub(super) bytes: u64,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}
