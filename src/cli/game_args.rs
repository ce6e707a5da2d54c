//! Arguments of the commands on a position or a game from elsewhere.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::shared_args::{KeptArgs, UntilArgs};
use super::values::{Format, probability, whole};
use crate::preset::MOST_GAMES;
use crate::task::MOST_THREADS;

#[derive(Debug, ClapArgs)]
#[command(after_help = IMPORT_HELP)]
pub(super) struct ImportArgs {
    /// The file
    pub(super) file: PathBuf,
    /// Probability that a new tile is a 4; no such file says it, and the new tiles test it [default: 0.1]
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: Option<f64>,
    /// Write the record into this folder, beside the file as it is
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

const IMPORT_HELP: &str = "\
Reads the text of a game of 2048verse (both layouts), an .rpl file of 2048EndgameTablebase, a list of boards (a board a line,
each one move and one tile after the one before), and a board followed by turns (a turn a line: left 2 r1c4). Every turn is
checked by the rules; what is wrong is told with its line, character or byte. review, check and the window read them, too.";

#[derive(Debug, ClapArgs)]
#[command(after_help = ROLLOUT_HELP)]
pub(super) struct RolloutArgs {
    /// The board
    #[arg(allow_hyphen_values = true)]
    pub(super) board: String,
    /// Who plays after the first move: letters, RON text or a file
    #[arg(long, value_name = "S")]
    pub(super) strategy: String,
    /// Games of each first move
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole(2, MOST_GAMES))]
    pub(super) games: u64,
    /// Leave each game after so many moves, the first one included, instead of playing to the end
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = whole(1, 1_000_000))]
    pub(super) moves: Option<u64>,
    /// Who says how many points are still to come where a game is left: a strategy that may judge a review
    #[arg(long, value_name = "S", requires = "moves")]
    pub(super) judge: Option<String>,
    #[command(flatten)]
    pub(super) until: UntilArgs,
    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: u64,
    /// Probability that a new tile is a 4
    #[arg(long, value_name = "P", default_value_t = 0.1, allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: f64,
    /// Worker threads [default: all cores]; they change no number
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// Keep the run in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: RolloutPrinted,
}

const ROLLOUT_HELP: &str = "\
Game i of every first move draws the same tiles, cell by cell, and the first of them is stratified over the games: each cell and
tile comes nearly as often as it should. Points are those to come, of the first slide included. A rollout is kept as a run: see
runs, summary, verify; the window opens it with a histogram of each first move.";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum RolloutPrinted {
    Text,
    Json,
    Csv,
    Markdown,
}
