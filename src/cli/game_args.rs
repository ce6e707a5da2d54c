//! Arguments of the commands on a position or a game from elsewhere.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::shared_args::{KeptArgs, ReadArgs, UntilArgs};
use super::values::{Format, probability, whole};
use crate::preset::MOST_GAMES;
use crate::task::MOST_THREADS;

#[derive(Debug, ClapArgs)]
#[command(after_help = IMPORT_HELP)]
pub(super) struct ImportArgs {
    /// The file to import
    pub(super) file: PathBuf,
    /// Probability that a new tile is a 4; these files do not record it, so it is tested on the new tiles [default: 0.1]
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: Option<f64>,
    /// Import only this game of the file, counted from 1
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, u32::MAX.into()))]
    pub(super) game: Option<u64>,
    /// Write the records and a copy of the file to this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// What to print; JSON has one line per game
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

const IMPORT_HELP: &str = "\
Reads games of 2048verse (.vrs, both layouts) and of 2048EndgameTablebase (.rpl). Reads lists of boards, one per line or a row
per line, and boards followed by turns, one per line: left 2 r1c4. Reads data sets in JSON or CSV, which have boards with
actions; the order of numbered actions is found from the boards. A file may hold several games. Every turn is checked by the
rules; errors name the line, move, character or byte. review, check and the window read these files, too.";

#[derive(Debug, ClapArgs)]
#[command(after_help = ROLLOUT_HELP)]
pub(super) struct RolloutArgs {
    /// The board
    #[arg(allow_hyphen_values = true)]
    pub(super) board: String,
    #[command(flatten)]
    pub(super) read: ReadArgs,
    /// Strategy that plays after the first move: letters, RON text or a file
    #[arg(long, value_name = "S")]
    pub(super) strategy: String,
    /// Games of each first move
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = whole(2, MOST_GAMES))]
    pub(super) games: u64,
    /// Cut each game off after this many moves, the first one included, instead of playing to the end
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = whole(1, 1_000_000))]
    pub(super) moves: Option<u64>,
    /// Judge that estimates the points to come where a game is cut off: a strategy that can judge a review
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
    /// Worker threads [default: all cores]; results do not depend on them
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// Save the run in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: RolloutPrinted,
}

const ROLLOUT_HELP: &str = "\
Game i of every first move draws the same tiles, cell by cell. The first tile is stratified over the games: each cell and tile
comes nearly as often as its probability says. Points are points to come, including those of the first slide. A rollout is saved as
a run: see runs, summary, verify; the window opens it with a histogram for each first move.";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum RolloutPrinted {
    Text,
    Json,
    Csv,
    Markdown,
}
