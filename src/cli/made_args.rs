//! Arguments of the commands that make what an evaluator reads: solved tables, networks and processes.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::values::{Format, probability, whole};
use crate::game::{Rank, Size};
use crate::network::{Stage, TdlImages, Training, Update};
use crate::process::ProcessSpec;
use crate::task::MOST_THREADS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SolveFormat {
    Text,
    Json,
    /// One row per sum of tiles, per strategy, or per state
    Csv,
}

const SOLVE_HELP: &str = "\
A value is what is still to come: the points of best play, or the chance of the tile. Sizes: 2x2, 2x3, 3x2, 2x4, 4x2 and 3x3,
which takes about a minute on two cores, 1.2 GiB of memory and 180 MB on disk. With --strategy nothing is sampled: each
reachable board is decided once, and random ties share their probability.";

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
    /// Save the table under a name, for Solved("name"), or in a file that ends in .solved
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "strategy")]
    pub(super) out: Option<String>,
    /// Compute what these strategies earn instead: letters, RON text or files; the flag may be given several times
    #[arg(long, value_name = "S", num_args = 1..)]
    pub(super) strategy: Vec<String>,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: SolveFormat,
}

const TRAIN_HELP: &str = "\
The network is saved at the start, every minute and at the end. Ctrl-C stops; kill -9 loses at most a minute. The same command,
or afterstate train NAME, resumes. On one thread the same training makes the same network, bit by bit, however often it was
stopped. Several threads change the same weights at the same time, so the networks differ each time. Named networks: 4x6patt,
5x6patt, 8x6patt, 4x5patt, 5x4patt, 17x4, 2x4+2x6. A strategy uses the network as Network(\"NAME\").";

#[derive(Debug, ClapArgs)]
#[command(after_help = TRAIN_HELP)]
pub(super) struct TrainArgs {
    /// A training preset (a file or a shipped one), or the network whose training to resume, by name or file
    #[arg(value_name = "WHAT")]
    pub(super) what: Option<String>,
    /// The shape of the network: a name, or tuples of cells as hexadecimal digits, such as '012345 456789'
    #[arg(long, value_name = "TUPLES")]
    pub(super) network: Option<String>,
    /// Board as rows x columns, at most 16 cells [default: 4x4]
    #[arg(long, value_name = "RxC")]
    pub(super) size: Option<Size>,
    /// Games in all [default: 100000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, Training::MOST_GAMES))]
    pub(super) games: Option<u64>,
    /// Update rule of the weights: tc (temporal coherence) or td [default: tc]
    #[arg(long, value_name = "RULE", value_parser = update)]
    pub(super) rule: Option<Update>,
    /// Learning rate of a board, shared equally by its weights [default: 1 for tc, 0.1 for td]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub(super) alpha: Option<f32>,
    /// Rate schedule: 100000:0.5,150000:0.1 uses 0.5 after 100,000 games and 0.1 after 150,000
    #[arg(long, value_name = "GAMES:RATE", value_delimiter = ',', value_parser = Training::read_rate)]
    pub(super) schedule: Vec<(u64, f32)>,
    /// Initial value of every afterstate in points [default: 0]
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub(super) optimistic: Option<f32>,
    /// λ of TD(λ): the weight of later afterstates in a target [default: 0; with --steps 1]
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub(super) lambda: Option<f32>,
    /// Slides that a target looks ahead; without --lambda this is n-step TD, λ = 1 [default: 1; 5 with --lambda; to the end
    /// of the game with --backward]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) steps: Option<u32>,
    /// Learn after each game, from its end to its beginning
    #[arg(long)]
    pub(super) backward: bool,
    /// Tiles that start further stages, each with its own weights: 8192,16384,16384+8192
    #[arg(long, value_name = "TILES", value_delimiter = ',')]
    pub(super) stages: Vec<Stage>,
    /// Boards kept per stage after the first; games also start at these in turn [default: 0, all games start normally]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32))]
    pub(super) restarts: Option<u32>,
    /// Time limit for learning in minutes [default: no limit]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(super) minutes: Option<f64>,
    /// Probability that a new tile is a 4 [default: 0.1]
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: Option<f64>,
    /// Seed of the games [default: 0]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Games between two points of the learning curve [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, Training::MOST_GAMES))]
    pub(super) every: Option<u64>,
    /// Test games without learning at each point [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0, 1_000_000))]
    pub(super) tests: Option<u64>,
    /// Save the network under a name, for Network("name"), or in a file that ends in .net
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) out: Option<String>,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

impl TrainArgs {
    /// Whether a flag changes the training in more than its number of games.
    pub(super) fn changes_anything(&self) -> bool {
        let Self {
            network,
            size,
            rule,
            alpha,
            optimistic,
            lambda,
            steps,
            backward,
            stages,
            restarts,
            ..
        } = self;
        let Self {
            minutes,
            p4,
            seed,
            schedule,
            ..
        } = self;
        network.is_some()
            || size.is_some()
            || rule.is_some()
            || [alpha, optimistic, lambda]
                .iter()
                .any(|number| number.is_some())
            || steps.or(*restarts).is_some()
            || *backward
            || !(stages.is_empty() && schedule.is_empty())
            || minutes.or(*p4).is_some()
            || seed.or(self.every).or(self.tests).is_some()
    }
}

const PROCESS_HELP: &str = "\
A state is which rows and columns fall or rise along a snake, how many cells are empty, and the most merges of one slide. Slides
and points are counted in games; value iteration then finds the points to come of each state. A value iteration saved with --out
NAME is an evaluator: Policy(\"NAME\"). Policy(games: 10000, p4: 0.2) learns the same when it first plays and needs no file.
Source: course paper, Table IV; afterstate run course-table-4 plays it.";

#[derive(Debug, ClapArgs)]
#[command(after_help = PROCESS_HELP)]
pub(super) struct ProcessArgs {
    /// Games to count in each round
    #[arg(long, value_name = "N", default_value_t = ProcessSpec::USUAL.games, allow_negative_numbers = true,
        value_parser = whole(1, ProcessSpec::MOST_GAMES))]
    pub(super) games: u64,
    /// Rounds; from the second on, the games are played with what was learned so far
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
        value_parser = whole(1, ProcessSpec::MOST_ROUNDS))]
    pub(super) rounds: u64,
    /// Strategy that plays the first round instead of random moves: letters, RON text or a file
    #[arg(long, value_name = "S")]
    pub(super) play: Option<String>,
    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: u64,
    /// Probability that a new tile is a 4
    #[arg(long, value_name = "P", default_value_t = 0.1, allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: f64,
    /// Extra count of game ends added to each slide, so that value iteration converges
    #[arg(long, value_name = "X", default_value_t = ProcessSpec::USUAL.ends, allow_negative_numbers = true)]
    pub(super) ends: f64,
    /// Discount: what a point one slide later is worth
    #[arg(long, value_name = "X", default_value_t = ProcessSpec::USUAL.discount, allow_negative_numbers = true)]
    pub(super) discount: f64,
    /// Save the value iteration under a name, for Policy("name"), or in a file that ends in .process
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) out: Option<String>,
    /// Worker threads [default: all cores]; results do not depend on them
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: SolveFormat,
}

/// How many images of a board each table of imported weights reads.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Images {
    /// As in 8x4patt and 9x4patt
    #[value(name = "1")]
    One,
    /// As in the other named networks of TDL2048+
    #[value(name = "8")]
    Eight,
}

impl From<Images> for TdlImages {
    fn from(images: Images) -> Self {
        match images {
            Images::One => Self::One,
            Images::Eight => Self::Eight,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct NetworksArgs {
    /// A network by name or file [default: list all]
    #[arg(value_name = "NAME|FILE")]
    pub(super) network: Option<String>,
    /// Write a small copy that keeps the weights that learned most, rounded to steps; the file ends in .net
    #[arg(long, value_name = "FILE", requires = "network")]
    pub(super) small: Option<PathBuf>,
    /// Write its weights in the format of TDL2048+, to a file that ends in .w
    #[arg(
        long,
        value_name = "FILE",
        requires = "network",
        conflicts_with = "small"
    )]
    pub(super) export: Option<PathBuf>,
    /// Import weights that TDL2048+ wrote, a file that ends in .w, also packed as .w.xz or .w.gz; --out names the network
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "network",
        requires = "out"
    )]
    pub(super) import: Option<PathBuf>,
    /// Tiles that start the further stages of imported weights, as for train: 16384,16384+8192
    #[arg(long, value_name = "TILES", value_delimiter = ',', requires = "import")]
    pub(super) stages: Vec<Stage>,
    /// Images of a board that each imported table reads [default: 8; 1 if tables are images of each other]
    #[arg(long, value_name = "N", requires = "import")]
    pub(super) images: Option<Images>,
    /// Save the imported network under a name, for Network("name"), or in a file that ends in .net
    #[arg(long, value_name = "NAME|FILE", requires = "import")]
    pub(super) out: Option<String>,
    /// Maximum size of the weights of the copy in bytes
    #[arg(long, value_name = "N", default_value_t = 7_900_000, allow_negative_numbers = true, value_parser = whole(1, 1 << 40))]
    pub(super) bytes: u64,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

fn update(text: &str) -> Result<Update, String> {
    match text.to_ascii_lowercase().as_str() {
        "td" => Ok(Update::Td),
        "tc" => Ok(Update::Tc),
        _ => Err("write tc or td".to_owned()),
    }
}
