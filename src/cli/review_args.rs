//! Arguments of the commands that judge games, and of practice.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::shared_args::KeptArgs;
use super::values::{Format, chance_thresholds, indices, points, thresholds, whole};
use crate::review::{ChanceQuestion, ChanceThresholds, Points, Thresholds};
use crate::task::MOST_THREADS;

const REVIEW_HELP: &str = "\
Loss is what the best move is worth more than the one played, luck what the tile that came is worth more than the mean over all
tiles, residual what the judge changed its mind by between two looks at the same thing; all in points. To the last digit: final
score = value of the start + luck - loss + residual. Reviews are kept beside the games, and nothing is judged twice; Ctrl-C stops,
and the same command goes on.";

/// Which games are judged, and by whom.
#[derive(Debug, ClapArgs)]
pub(super) struct JudgingArgs {
    /// A game record, or a run: its folder or its name in the list of runs
    pub(super) what: PathBuf,
    /// The judge: a strategy of one row whose values are points to come [default: a solved table of these boards if there is
    /// one, else the network that ships, 3 moves ahead]
    #[arg(long, value_name = "S")]
    pub(super) judge: Option<String>,
    /// Games of a run by their numbers, from the first to the one before the last [default: the first 100]
    #[arg(long, value_name = "A..B", value_parser = indices)]
    pub(super) games: Option<Range<u64>>,
    /// Of a run only the games of the strategy of this name
    #[arg(long, value_name = "NAME")]
    pub(super) strategy: Option<String>,
    /// The smallest loss of an inaccuracy, a mistake and a blunder in points [default: by the value of the first start]
    #[arg(long, value_name = "A,B,C", allow_negative_numbers = true, value_parser = thresholds)]
    pub(super) thresholds: Option<Thresholds>,
    /// Class moves by the chance to survive or to reach the next tile, too: survive or next-tile, within how many moves, of how many
    /// games; the judge plays on from late moves that lost points and from those that lost most
    #[arg(long, value_name = "GOAL:MOVES:GAMES")]
    pub(super) chance: Option<ChanceQuestion>,
    /// The smallest loss of that chance of an inaccuracy, a mistake and a blunder in percentage points, of the lower end of a 95 %
    /// interval [default: 2,5,10]
    #[arg(long, value_name = "A,B,C", requires = "chance", allow_negative_numbers = true, value_parser = chance_thresholds)]
    pub(super) chance_thresholds: Option<[u16; 3]>,
    /// Look two plies deeper at moves that lose at least so much [default: a mistake by the value of the start, as in the window]; no
    /// effect on exact judges
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub(super) deeper: Option<Points>,
    /// Do not ask which row of the strategy decided each move
    #[arg(long)]
    pub(super) no_rows: bool,
    /// Keep reviews in this folder, instead of beside the games
    #[arg(long, value_name = "DIR")]
    pub(super) reviews: Option<PathBuf>,
    /// Worker threads [default: all cores]; they change no number
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
}

impl JudgingArgs {
    /// The thresholds of chance, if it is requested.
    pub(super) fn chance_thresholds(&self) -> Option<ChanceThresholds> {
        let usual = ChanceThresholds::usual(self.chance?);
        let set = |[inaccuracy, mistake, blunder]: [u16; 3]| ChanceThresholds { inaccuracy, mistake, blunder, ..usual };
        Some(self.chance_thresholds.map_or(usual, set))
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = REVIEW_HELP)]
pub(super) struct ReviewArgs {
    #[command(flatten)]
    pub(super) judging: JudgingArgs,
    /// Set this strategy against the one that played: where they disagree, and what that is worth; twice: the two of them
    #[arg(long, value_name = "S", num_args = 1, conflicts_with_all = ["death", "chance"])]
    pub(super) against: Vec<String>,
    /// Let the strategy that played play the N worst moves and the judge's best ones on by itself, up to 200 games of each on the same
    /// tiles: what an edit can win there
    #[arg(long, value_name = "N", conflicts_with_all = ["against", "death"], allow_negative_numbers = true,
        value_parser = whole(1, 1000))]
    pub(super) own_play: Option<u64>,
    /// The chance to die within so many moves along the game, and the last position that could be survived
    #[arg(long, value_name = "MOVES", conflicts_with = "chance", allow_negative_numbers = true, value_parser = death_moves)]
    pub(super) death: Option<u32>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: ReviewPrinted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReviewPrinted {
    Text,
    /// A game a line
    Json,
    /// A row a move
    Csv,
    Markdown,
    /// One file with pictures of the boards
    Html,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = PRACTICE_HELP)]
pub(super) struct PracticeArgs {
    #[command(subcommand)]
    pub(super) task: PracticeTask,
    /// The book [default: practice.ron beside the settings, the one of the window]
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) book: Option<PathBuf>,
}

const PRACTICE_HELP: &str = "\
A book holds positions with what a judge said of each move. An answer that loses nothing makes the pause before a position comes
again 2.5 times as long, one that loses makes it longer by less, and a mistake comes again at once.";

#[derive(Debug, Subcommand)]
pub(super) enum PracticeTask {
    /// List the positions of the book: those that are due first, the dearest mistakes before others
    List {
        /// What to print
        #[arg(long, default_value = "text")]
        format: Format,
    },
    /// Take the mistakes of a game, or of games of a run, into the book; what is not judged yet is judged first
    Add(Box<JudgingArgs>),
    /// Ask for a move on each position that is due; answers are read from the standard input: up, down, left, right or their first
    /// letters, and q to end
    Quiz {
        /// Most positions
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 5000))]
        most: Option<u64>,
        /// Ask for those that are not due yet, too
        #[arg(long)]
        all: bool,
    },
}

fn death_moves(text: &str) -> Result<u32, String> {
    let moves = text.parse().ok().filter(|moves| (1..=10_000).contains(moves));
    moves.ok_or_else(|| "write a whole number of moves from 1 to 10000".to_owned())
}
