//! Arguments of the commands that judge games, and of practice.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::shared_args::KeptArgs;
use super::values::{Format, chance_thresholds, indices, points, thresholds, whole};
use crate::review::{ChanceQuestion, ChanceThresholds, Points, Thresholds};
use crate::task::MOST_THREADS;

const REVIEW_HELP: &str = "\
Loss: how much more the best move is worth than the one played. Luck: how much more the new tile is worth than the mean over all
tiles. Residual: the change of the judge's value between two looks at the same position. All are points, and exactly:
final score = value of the start + luck - loss + residual. Reviews are saved beside the games, and nothing is judged twice.
Ctrl-C stops, and the same command resumes.";

/// The games to judge, and the judge.
#[derive(Debug, ClapArgs)]
pub(super) struct JudgingArgs {
    /// A game record, or a run: its folder or its name in the list of runs
    pub(super) what: PathBuf,
    /// The judge: a strategy of one row whose values are points to come [default: a solved table of this board size, or else
    /// the shipped network, 3 moves ahead]
    #[arg(long, value_name = "S")]
    pub(super) judge: Option<String>,
    /// Games of a run from number A up to but not including B [default: the first 100]
    #[arg(long, value_name = "A..B", value_parser = indices)]
    pub(super) games: Option<Range<u64>>,
    /// Only the games of this strategy, by its name in the run
    #[arg(long, value_name = "NAME")]
    pub(super) strategy: Option<String>,
    /// Smallest loss of an inaccuracy, a mistake and a blunder in points [default: from the judge's value of the first start]
    #[arg(long, value_name = "A,B,C", allow_negative_numbers = true, value_parser = thresholds)]
    pub(super) thresholds: Option<Thresholds>,
    /// Also classify moves by the chance to survive, or to reach the next tile, within MOVES, such as survive:50:200 or
    /// next-tile:500:400; the judge plays games from late and costly moves
    #[arg(long, value_name = "GOAL:MOVES:GAMES")]
    pub(super) chance: Option<ChanceQuestion>,
    /// Smallest loss of that chance for an inaccuracy, a mistake and a blunder in percentage points, at the lower end of a 95 %
    /// interval [default: 2,5,10]
    #[arg(long, value_name = "A,B,C", requires = "chance", allow_negative_numbers = true, value_parser = chance_thresholds)]
    pub(super) chance_thresholds: Option<[u16; 3]>,
    /// Search two plies deeper at moves that lose at least this much [default: the threshold of a mistake, as in the window];
    /// no effect with exact judges
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub(super) deeper: Option<Points>,
    /// Skip finding out which row of the strategy decided each move
    #[arg(long)]
    pub(super) no_rows: bool,
    /// Save reviews in this folder, instead of beside the games
    #[arg(long, value_name = "DIR")]
    pub(super) reviews: Option<PathBuf>,
    /// Worker threads [default: all cores]; results do not depend on them
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
}

impl JudgingArgs {
    /// The thresholds of chance, if it is requested.
    pub(super) fn chance_thresholds(&self) -> Option<ChanceThresholds> {
        let usual = ChanceThresholds::usual(self.chance?);
        let set = |[inaccuracy, mistake, blunder]: [u16; 3]| ChanceThresholds {
            inaccuracy,
            mistake,
            blunder,
            ..usual
        };
        Some(self.chance_thresholds.map_or(usual, set))
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = REVIEW_HELP)]
pub(super) struct ReviewArgs {
    #[command(flatten)]
    pub(super) judging: JudgingArgs,
    /// Compare this strategy with the one that played: where they disagree, and what that is worth; given
    /// twice, it compares two others
    #[arg(long, value_name = "S", num_args = 1, conflicts_with_all = ["death", "chance"])]
    pub(super) against: Vec<String>,
    /// For the N worst moves, show what an edit gains: the strategy finishes the game after its move and after the judge's, up to
    /// 200 times each on the same tiles
    #[arg(long, value_name = "N", conflicts_with_all = ["against", "death"], allow_negative_numbers = true,
        value_parser = whole(1, 1000))]
    pub(super) own_play: Option<u64>,
    /// Estimate the risk of losing within this many moves along the game, and find the last position that could be saved
    #[arg(long, value_name = "MOVES", conflicts_with = "chance", allow_negative_numbers = true, value_parser = death_moves)]
    pub(super) death: Option<u32>,
    /// Also write a table with a row per move of all games; the ending is its format: .parquet, .csv or .jsonl
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "death"])]
    pub(super) table: Option<PathBuf>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: ReviewPrinted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReviewPrinted {
    Text,
    /// One line per game
    Json,
    /// One row per move
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
    /// The book [default: practice.ron beside the settings, which the window uses]
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) book: Option<PathBuf>,
}

const PRACTICE_HELP: &str = "\
A book holds positions with a judge's value of each move. After an answer without loss, the position returns after a pause
2.5 times as long as before. After a small loss the pause is shorter. After a mistake the position returns at once.";

#[derive(Debug, Subcommand)]
pub(super) enum PracticeTask {
    /// List the positions of the book, due positions first, the costliest mistakes first among them
    List {
        /// What to print
        #[arg(long, default_value = "text")]
        format: Format,
    },
    /// Add the mistakes of a game, or of games of a run, to the book; moves without a review are judged first
    Add(Box<JudgingArgs>),
    /// Practice due positions; answers are read from standard input: up, down, left, right or their first letters, and q to
    /// end
    Quiz {
        /// Maximum number of positions
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 5000))]
        most: Option<u64>,
        /// Include positions that are not due yet
        #[arg(long)]
        all: bool,
    },
}

fn death_moves(text: &str) -> Result<u32, String> {
    let moves = text
        .parse()
        .ok()
        .filter(|moves| (1..=10_000).contains(moves));
    moves.ok_or_else(|| "write a whole number of moves from 1 to 10000".to_owned())
}
