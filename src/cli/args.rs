//! Commands and flags.

use std::ops::Range;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::figure_args::FigureArgs;
use super::game_args::{ImportArgs, RolloutArgs};
use super::made_args::{NetworksArgs, ProcessArgs, SolveArgs, TrainArgs};
pub(super) use super::review_args::{
    JudgingArgs, PracticeArgs, PracticeTask, ReviewArgs, ReviewPrinted,
};
pub(super) use super::shared_args::{KeptArgs, ReadArgs, Until, UntilArgs};
use super::suites::SUITES;
use super::texts_args::TextsArgs;
use super::values::{
    Format, RunFormat, indices, probability, run_format, seconds, two_moves, whole, window_size,
};
use crate::game::{Move, Rank, Size};
use crate::preset::{Axis, LEAST_TUNING, MOST_GAMES, MOST_GAMES_IN_ALL, Objective, Tuned};
use crate::search::{LineOrder, Plies, Tree};
use crate::strategy::Strategy;
use crate::task::MOST_THREADS;

/// A workbench for people who study game AI on 2048. Without a command it opens its window.
#[derive(Debug, Parser)]
#[command(version = VERSION, args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) window: WindowArgs,
    /// Allow strategies to run the programs they name, Program(command: […]), with all of your permissions
    #[arg(long, global = true)]
    pub(super) allow_programs: bool,
}

/// Version, commit and target.
const VERSION: &str = env!("AFTERSTATE_VERSION");

const AFTER_HELP: &str = "\
A strategy S is letters (emr: Empty, then Monotonicity, then Random), RON text, or a file with either.
A file may also be a preset with one strategy.
A board is rows of values (2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2), or what other programs print: lists, frames, 64-bit integers.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C, SIGTERM or SIGHUP (finished games are
printed).
External programs used as evaluators, Program(command: […]), run only with --allow-programs.
Runs are saved on disk while they are played, and no game is played twice: see runs, summary, verify, merge, slurm.";

const ANALYZE_HELP: &str = "\
A line of --tree FILE.json is a node. It has id, parent, kind (max, chance, min, leaf, dead, cut, cached), move or spawn
{cell: [row, column] from 0, tile}, probability, reach, board, score, value, bound and evaluation. It also has how {by: the
rule, with its numbers}, plies_left, order (of the visit), nodes (below it) and left_out (children omitted by --nodes).
Ctrl-C stops the search: exit code 130, and no file is written.";

/// The most nodes of a written tree; they take 32 bytes each in memory.
const MOST_NODES: u64 = 100_000_000;
/// The most lines after each move.
const MOST_LINES: u64 = 1000;

#[derive(Debug, ClapArgs)]
pub(super) struct WindowArgs {
    /// Presets, positions, game records or folders of runs to open in the window
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Folder of settings and presets [default: the usual folder of the system]
    #[arg(long, value_name = "DIR")]
    pub(super) config_dir: Option<PathBuf>,
    /// Color theme of the window [default: the saved choice]
    #[arg(long)]
    pub(super) theme: Option<Theme>,
    /// Size of the window in points
    #[arg(long, value_name = "WxH", value_parser = window_size)]
    pub(super) size: Option<[f32; 2]>,
    /// Save a picture of the window as PNG and exit
    #[arg(long, value_name = "FILE")]
    pub(super) screenshot: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Theme {
    Dark,
    Light,
    HighContrastDark,
    HighContrastLight,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play many games with several strategies and summarize them
    Run(RunArgs),
    /// Write a preset that plays a strategy at several values of one or two settings
    Sweep(SweepArgs),
    /// Tune numbers of a strategy by playing (CMA-ES), and test the result on fresh seeds
    Tune(TuneArgs),
    /// Write the jobs that play a run on a Slurm cluster
    Slurm(SlurmArgs),
    /// Estimate from a short trial how long a run takes and how many games show a difference
    Estimate(EstimateArgs),
    /// List the saved runs, and edit their tags and notes
    Runs(RunsArgs),
    /// Merge the games of a run from several folders
    Merge(MergeArgs),
    /// Replay some games of a run and report those that differ
    Verify(VerifyArgs),
    /// Summarize the games of a run without playing
    Summary(SummaryArgs),
    /// Show which move a strategy chooses on a board, and why
    Analyze(AnalyzeArgs),
    /// Show the values that evaluators give a board
    Evaluate(EvaluateArgs),
    /// Play one game and print its record
    Play(PlayArgs),
    /// List every composition of some letters of evaluators
    Strategies(StrategiesArgs),
    /// Measure what the rows of a strategy do on many positions
    Study(StudyArgs),
    /// Have a judge measure the loss and the luck of a game, move by move
    Review(ReviewArgs),
    /// Practice with a book of positions: list it, add mistakes of games, take a quiz
    Practice(PracticeArgs),
    /// Estimate what each move of a position is worth by playing many games from it
    Rollout(RolloutArgs),
    /// Convert a game of another program to a game record
    Import(ImportArgs),
    /// Export games, solved tables or networks as tables for other programs (Parquet, CSV, JSON lines, NumPy)
    Export(ExportArgs),
    /// Solve a small board exactly, or compute what strategies earn on it without playing
    Solve(SolveArgs),
    /// Learn values of 4x4 boards from their features: value iteration over 34,560 states counted in games
    Process(ProcessArgs),
    /// Train an n-tuple network by playing, and save it as an evaluator
    Train(TrainArgs),
    /// List the saved networks, describe one, or write a small copy of it
    Networks(NetworksArgs),
    /// Show the claims of published texts, the commands that repeat them, our figures and the verdicts
    Texts(TextsArgs),
    /// Export a tree, a board or a plot as a figure for a paper (PDF, SVG or PNG)
    Figure(FigureArgs),
    /// Check files: presets, strategies, positions, game records, solved tables, networks and value iterations
    Check(CheckArgs),
    /// Measure the speed of one core
    Bench(BenchArgs),
    /// Print shell completions for bash, zsh, fish, powershell or elvish
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder, one per command
    Manual(ManualArgs),
}

/// The strategies, rules and games of a run.
#[derive(Debug, ClapArgs)]
pub(super) struct WhatArgs {
    /// A preset file, the name of a shipped preset such as quick-start, or the folder of a run to resume
    #[arg(conflicts_with = "strategy")]
    pub(super) preset: Option<PathBuf>,
    /// Strategies: letters, RON text or files; the flag may be given several times
    #[arg(long, value_name = "S", num_args = 1..)]
    pub(super) strategy: Vec<String>,
    /// Play every order of some of these evaluators, each with ties at random: letters (meug) or evaluators, at most 6
    #[arg(long, value_name = "E", num_args = 1.., conflicts_with_all = ["preset", "strategy"])]
    pub(super) compositions: Vec<String>,
    /// Play each strategy at several values of a setting: 'weight of Score=0..4/9' (from, to, how many), …=0.25..4/5,log or
    /// …=0,0.5,1; if given twice, all pairs of values are played
    #[arg(long, value_name = "SETTING=VALUES")]
    pub(super) over: Vec<Axis>,
    /// Games of each strategy, instead of the preset's number [default: 1000]; +N adds N games to those of the run
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = games)]
    pub(super) games: Option<Games>,
    /// Seed, instead of the preset's [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Probability that a new tile is a 4, instead of the preset's [default: 0.1]
    #[arg(long, value_name = "P", allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: Option<f64>,
    /// Board as rows x columns, instead of the preset's [default: 4x4]
    #[arg(long, value_name = "RxC")]
    pub(super) size: Option<Size>,
    /// End each game as soon as a tile of at least this value is on the board, such as 2048
    #[arg(long, value_name = "TILE", allow_negative_numbers = true, value_parser = whole(4, Rank::MAX.tile()))]
    pub(super) stop_at: Option<u64>,
    /// Save the run in this folder; run also writes results.json, summary.csv, columns.csv and games.csv there
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
}

/// The part of `run --help` about the disk.
const RUN_HELP: &str = "\
Every finished game is on disk: the same command resumes a run that was stopped or killed. If the disk is full at the
start, the command ends with exit code 1. If it fills up later, the run waits until there is room; without a terminal
it waits 10 minutes and then ends with exit code 1.";

#[derive(Debug, ClapArgs)]
#[command(after_help = RUN_HELP)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) what: WhatArgs,
    /// List the shipped presets without playing
    #[arg(long, conflicts_with_all = ["preset", "strategy", "out"])]
    pub(super) list: bool,
    #[command(flatten)]
    pub(super) until: UntilArgs,
    /// Play only the games from A up to but not including B of each strategy, counted from 0
    #[arg(long, value_name = "A..B", value_parser = indices, conflicts_with = "shard")]
    pub(super) indices: Option<Range<u64>>,
    /// Play only part I of N equal parts, counted from 0: --shard 0/8 to --shard 7/8
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(super) shard: Option<[u64; 2]>,
    /// Name of the strategy to compare the others with [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(super) baseline: Option<String>,
    /// Print the strategies by mean, standard deviation, median, maximum (the largest first) and name, not in plan order
    #[arg(long)]
    pub(super) sort: bool,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// Print the nodes of decisions by the number of empty cells, in place of the results
    #[arg(long)]
    pub(super) nodes: bool,
    /// What to print
    #[arg(long, default_value = "table", value_parser = run_format())]
    pub(super) format: RunFormat,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = SWEEP_HELP)]
pub(super) struct SweepArgs {
    /// Strategies with these settings: letters, RON text or files
    #[arg(required = true, value_name = "STRATEGY")]
    pub(super) strategy: Vec<String>,
    /// A setting and its values: 'weight of Score=0..4/9' (from, to, how many), …=0.25..4/5,log or …=0,0.5,1; once or twice
    #[arg(long, value_name = "SETTING=VALUES", required = true)]
    pub(super) over: Vec<Axis>,
    /// Title of the preset
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// Games of each point [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, MOST_GAMES))]
    pub(super) games: Option<u64>,
    /// Seed [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Write the preset to this file instead of printing it
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

const SWEEP_HELP: &str = "\
Names of settings: weight of Score (of a sum), Lines merges, plies, plies from 4 empty, tolerance, reach threshold,
important cells, nodes, Policy games, order of moves (1 to 24). The error for a wrong name lists the settings of the strategy. afterstate run plays the preset,
run --over does both at once, and summary prints the results by setting.";

#[derive(Debug, ClapArgs)]
#[command(after_help = TUNE_HELP)]
pub(super) struct TuneArgs {
    /// A preset that tunes, a strategy (letters, RON text or a file), or the folder of a tuning to resume
    #[arg(value_name = "WHAT")]
    pub(super) what: String,
    /// A setting to tune, such as 'weight of Score', or with limits, 'weight of Score=0..4'; may be given several times
    #[arg(long, value_name = "SETTING")]
    pub(super) over: Vec<Tuned>,
    /// Games of all candidates together [default: 20000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(LEAST_TUNING, MOST_GAMES_IN_ALL))]
    pub(super) games: Option<u64>,
    /// Games of the winner and of the initial strategy on fresh seeds [default: a tenth of --games, at least 100]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = whole(2, MOST_GAMES))]
    pub(super) verify: Option<u64>,
    /// What to maximize: mean (score), or reach:TILE for the share of games that reach a tile [default: mean]
    #[arg(long, value_name = "WHAT")]
    pub(super) objective: Option<Objective>,
    /// Seed of the games and of the search [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Save the tuning in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Worker threads [default: all cores]; results do not depend on them
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

const TUNE_HELP: &str = "\
A fifth of the games is for a final race between the best generation centers; the best of them is the winner.
The folder has tuning.json (rewritten after each generation), winner.ron and verification/, the run of winner and start,
which summary, verify and the window open. Ctrl-C stops, and afterstate tune DIR resumes; the result is the same.";

#[derive(Debug, ClapArgs)]
#[command(after_help = SLURM_HELP, mut_arg("out", |out| out.help(SLURM_OUT)))]
pub(super) struct SlurmArgs {
    #[command(flatten)]
    pub(super) what: WhatArgs,
    /// Tasks of the array: the games are split into as many equal parts
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, MOST_PARTS))]
    pub(super) tasks: u64,
    /// Cores per task
    #[arg(long, value_name = "C", default_value_t = 1, allow_negative_numbers = true,
        value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) cpus: u64,
    /// Time limit of a task, as for sbatch; a task that reaches it is queued again and resumes
    #[arg(long, value_name = "TIME")]
    pub(super) time: Option<String>,
    /// Another option of sbatch for all jobs, such as --sbatch=--partition=long; may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub(super) sbatch: Vec<String>,
}

const SLURM_OUT: &str =
    "The folder of the run, which all nodes share; required unless PRESET is such a folder";

/// Most parts of a run.
const MOST_PARTS: u64 = 1_000_000;

const SLURM_HELP: &str = "\
Writes DIR/slurm/parts.sbatch (an array job), DIR/slurm/merge.sbatch and DIR/slurm/submit, which passes both to sbatch;
the command itself submits nothing. DIR must be on a file system that all nodes share. A task that is killed, or whose
node fails, is queued again and resumes. To play missing games, run submit again.
A Kubernetes Job with completionMode: Indexed needs no files: run DIR --shard $JOB_COMPLETION_INDEX/N, then merge DIR.";

/// How many games of each strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Games {
    All(u64),
    /// This many more than the run has.
    More(u64),
}

#[derive(Debug, ClapArgs)]
pub(super) struct EstimateArgs {
    #[command(flatten)]
    pub(super) what: WhatArgs,
    #[command(flatten)]
    pub(super) until: UntilArgs,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RunsArgs {
    /// Show only this run: its folder, or its name in the list
    pub(super) run: Option<PathBuf>,
    /// Replace its tags by these, separated by commas; '' removes all
    #[arg(long, value_name = "TAG,TAG", requires = "run")]
    pub(super) tags: Option<String>,
    /// Replace its note by this one; '' removes it
    #[arg(long, value_name = "TEXT", requires = "run")]
    pub(super) note: Option<String>,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct MergeArgs {
    /// The folder for all games; it may be new
    pub(super) into: PathBuf,
    /// Folders with the same strategies, rules and seed; without any, the files within the first are merged
    #[arg(value_name = "FOLDER")]
    pub(super) from: Vec<PathBuf>,
}

/// One saved run.
#[derive(Debug, ClapArgs)]
pub(super) struct OneArgs {
    /// The folder of a run, or its name in the list of runs
    pub(super) folder: PathBuf,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    pub(super) one: OneArgs,
    /// How many random games to replay
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = whole(1, 1_000_000))]
    pub(super) games: u64,
    /// Seed that selects the games [default: different each time]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct SummaryArgs {
    #[command(flatten)]
    pub(super) one: OneArgs,
    /// Print the nodes of decisions by the number of empty cells, in place of the results
    #[arg(long)]
    pub(super) nodes: bool,
    /// What to print
    #[arg(long, default_value = "table", value_parser = run_format())]
    pub(super) format: RunFormat,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXPORT_HELP)]
pub(super) struct ExportArgs {
    /// A run, by its folder or name, a game record or a game of another program, a .solved table, or a .net network
    #[arg(required_unless_present = "columns")]
    pub(super) what: Option<PathBuf>,
    /// The table to write; the ending is its format: .parquet, .csv or .jsonl, and .npy for networks
    #[arg(long, value_name = "FILE", required_unless_present = "columns")]
    pub(super) out: Option<PathBuf>,
    /// Games of a run from number A up to but not including B [default: all]
    #[arg(long, value_name = "A..B", value_parser = indices)]
    pub(super) games: Option<Range<u64>>,
    /// Only the games of this strategy, by its name in the run
    #[arg(long, value_name = "NAME")]
    pub(super) strategy: Option<String>,
    /// Compute the value of each move by the row of the strategy that decided
    #[arg(long)]
    pub(super) values: bool,
    /// Print the columns of all tables and their meanings
    #[arg(long, conflicts_with_all = ["what", "out", "games", "strategy", "values"])]
    pub(super) columns: bool,
    #[command(flatten)]
    pub(super) kept: KeptArgs,
}

const EXPORT_HELP: &str = "\
A table of games has a row per move: run, strategy, seed, game, move, board, score, action, reward, values, spawn. A table of
a solved board size has a row per afterstate, one of a network a row per weight. review --table writes the moves of reviews.
In Parquet, columns are strings, integers or doubles, and missing values are null.";

#[derive(Debug, ClapArgs)]
pub(super) struct BoardArgs {
    /// The board; - reads boards from standard input, one per line, optionally with a tab and its score, or one per block of
    /// lines
    #[arg(allow_hyphen_values = true)]
    pub(super) board: String,
    /// Points so far, if the text of the board has none [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) score: Option<u64>,
    #[command(flatten)]
    pub(super) read: ReadArgs,
}

#[derive(Debug, ClapArgs)]
#[command(group = ArgGroup::new("record").multiple(true))]
#[command(after_help = ANALYZE_HELP)]
pub(super) struct AnalyzeArgs {
    /// The board; - reads boards from standard input, one per line, optionally with a tab and its score, or one per block of
    /// lines
    #[arg(allow_hyphen_values = true, required_unless_present = "open")]
    board: Option<String>,
    /// Points so far, if the text of the board has none [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    score: Option<u64>,
    #[command(flatten)]
    read: ReadArgs,
    /// The strategy: letters, RON text or a file
    #[arg(long, value_name = "S", required_unless_present = "open")]
    pub(super) strategy: Option<String>,
    /// Read a search that --tree, or another program, wrote as .json, instead of searching
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "strategy", "score", "cells", "exponents", "decimal", "over", "nodes", "p4", "seed"])]
    pub(super) open: Option<PathBuf>,
    /// Also write the searched tree to this file: .json (one node per line), .dot (Graphviz), .csv, or .efg
    /// (a game for Gambit: small trees without alpha-beta)
    #[arg(long, value_name = "FILE", group = "record")]
    pub(super) tree: Option<PathBuf>,
    /// Maximum nodes of the tree; the least probable ones are left out and counted
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true,
        value_parser = whole(1, MOST_NODES), requires = "record")]
    pub(super) nodes: u64,
    /// Also explain why the move is worth more than the best other one, or one move more than another: --why=left,up
    #[arg(long, value_name = "MOVE,MOVE", num_args = 0..=1, require_equals = true, group = "record",
        value_parser = two_moves)]
    pub(super) why: Option<Option<[Move; 2]>>,
    /// Also list this many lines of best play after each move (3 without a number), and the one with the median tiles
    #[arg(long, value_name = "K", num_args = 0..=1, require_equals = true, default_missing_value = "3",
        group = "record", value_parser = whole(1, MOST_LINES))]
    pub(super) lines: Option<u64>,
    /// Order of the lines
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "likely",
        requires = "lines"
    )]
    pub(super) lines_first: LinesFirst,
    /// Also describe the boards at the end of best play: distribution of their values, share of dead boards, and mean
    /// value by each evaluator
    #[arg(long, group = "record")]
    pub(super) leaves: bool,
    /// Also report each ply: nodes by kind, branching, cut-offs, transposition table, and the cost of a search that ends
    /// there; with a .json or .csv file, also write it there
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, group = "record")]
    pub(super) plies: Option<Option<PathBuf>>,
    /// With --plies: also report another strategy on the same board, and how the counts differ
    #[arg(long, value_name = "S", requires = "plies", conflicts_with = "open")]
    pub(super) beside: Option<String>,
    /// With --open: first search deeper from these nodes, by their id in the file; --tree writes the record with
    /// the results
    #[arg(long, value_name = "ID", value_delimiter = ',', requires = "open")]
    pub(super) search_on: Vec<u32>,
    /// Plies that --search-on adds below a leaf
    #[arg(long, value_name = "N", default_value_t = u64::from(Tree::USUAL_MORE), allow_negative_numbers = true,
        value_parser = whole(1, u64::from(Plies::DEEPEST)), requires = "search_on")]
    pub(super) more: u64,
    /// Also decide without the cuts of the search, to the same depth, and show what they changed
    #[arg(long, group = "record")]
    pub(super) uncut: bool,
    /// Decide at each value of one number of the strategy: 'plies=1,2,3,4,5', 'nodes=1000..1000000/4,log', 'tolerance=0,1';
    /// for several boards (-) also report how often the move changes
    #[arg(long, value_name = "SETTING=VALUES", conflicts_with = "record")]
    pub(super) over: Option<Axis>,
    /// The row of the strategy to show, from 1 [default: the first that searches]
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "record",
        value_parser = whole(1, Strategy::MOST_ROWS as u64))]
    pub(super) row: Option<u64>,
    /// Threads of one search; with several, the counts of nodes may vary between calls, the values never
    #[arg(long, value_name = "T", default_value_t = 1, allow_negative_numbers = true,
        value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: u64,
    /// Seed of the draw between tied moves
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: u64,
    /// Probability that a new tile is a 4
    #[arg(long, value_name = "P", default_value_t = 0.1, allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: f64,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

impl AnalyzeArgs {
    /// The boards of the request, if no record is opened.
    pub(super) fn boards(&self) -> BoardArgs {
        BoardArgs {
            board: self.board.clone().unwrap_or_default(),
            score: self.score,
            read: self.read,
        }
    }

    /// Whether the boards come line by line.
    pub(super) fn has_input(&self) -> bool {
        self.board.as_deref() == Some("-")
    }

    /// The text of the strategy, if no record is opened.
    pub(super) fn strategy_text(&self) -> &str {
        self.strategy.as_deref().unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum LinesFirst {
    /// Most probable first
    Likely,
    /// Best end first
    Best,
    /// Worst end first
    Worst,
}

impl From<LinesFirst> for LineOrder {
    fn from(first: LinesFirst) -> Self {
        match first {
            LinesFirst::Likely => Self::Likely,
            LinesFirst::Best => Self::Best,
            LinesFirst::Worst => Self::Worst,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct EvaluateArgs {
    #[command(flatten)]
    pub(super) board: BoardArgs,
    /// An evaluator such as Empty or 'Sum([(1.0, Score), (50.0, Empty)])'; may be given several times [default: all
    /// that fit the board, with default parameters, except Sum]
    #[arg(long, value_name = "RON")]
    pub(super) evaluator: Vec<String>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct PlayArgs {
    /// The strategy: letters, RON text or a file
    #[arg(long, value_name = "S")]
    pub(super) strategy: String,
    /// Seed of the experiment that the game belongs to
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: u64,
    /// Number of the game in the experiment, from 0
    #[arg(long, value_name = "I", default_value_t = 0, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) game: u64,
    /// Probability that a new tile is a 4
    #[arg(long, value_name = "P", default_value_t = 0.1, allow_negative_numbers = true, value_parser = probability)]
    pub(super) p4: f64,
    /// Board as rows x columns
    #[arg(long, value_name = "RxC", default_value_t = Size::FOUR)]
    pub(super) size: Size,
    /// What to print; text is a game record, which the window opens
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct StrategiesArgs {
    /// Letters to compose
    #[arg(long, default_value = "meugr")]
    pub(super) letters: String,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct StudyArgs {
    /// The strategy: letters, RON text or a file
    pub(super) strategy: String,
    /// Seconds to play games for evidence, and again to collect positions for comparisons
    #[arg(long, value_name = "T", default_value_t = 1.0, allow_negative_numbers = true, value_parser = seconds)]
    pub(super) seconds: f64,
    /// Seed of the games
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub(super) seed: u64,
    /// Maximum positions for comparisons [default: 2000, or 200 if a strategy searches]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 1_000_000))]
    pub(super) positions: Option<u64>,
    /// Also show which orders of the rows can be distinguished, on positions of several strategies and three times as many
    /// constructed ones
    #[arg(long)]
    pub(super) orders: bool,
    /// The same for all orders of all subsets of the rows, as in Algorithm 3 (Kohler, Migler and Khosmood)
    #[arg(long)]
    pub(super) subsets: bool,
    /// Also show how often each evaluator ties one slide ahead: best moves, and opposite slides; and on how many turns every
    /// slide lowers its value
    #[arg(long)]
    pub(super) ties: bool,
    /// Also show the mean size of its search trees by the number of empty cells, and that of the strategy of --against
    #[arg(long)]
    pub(super) trees: bool,
    /// Also report how often it leaves the same moves as another strategy
    #[arg(long, value_name = "S")]
    pub(super) against: Option<String>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Presets, strategies, positions or game records
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) read: ReadArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct BenchArgs {
    /// Suites to run, such as expectimax_3 [default: all]
    #[arg(value_name = "SUITE", value_parser = PossibleValuesParser::new(SUITES.iter().map(|(name, _)| *name)))]
    pub(super) suite: Vec<String>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompletionsArgs {
    /// The shell
    pub(super) shell: Shell,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ManualArgs {
    /// The folder; created if it is missing
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
}

/// The most games of a strategy, over all parts.
const MOST_OF_ALL_PARTS: u64 = 1_000_000_000_000;

fn games(text: &str) -> Result<Games, String> {
    let number = |text| whole(1, MOST_OF_ALL_PARTS)(text);
    match text.strip_prefix('+') {
        Some(more) => number(more).map(Games::More),
        None => number(text).map(Games::All),
    }
}

fn shard(text: &str) -> Result<[u64; 2], String> {
    let shard = text
        .split_once('/')
        .and_then(|(part, parts)| Some([part.parse().ok()?, parts.parse().ok()?]));
    shard
        .filter(|[part, parts]| part < parts && *parts <= MOST_PARTS)
        .ok_or_else(|| "write the part, from 0, and the number of parts: 0/8 to 7/8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_fit_together() {
        use clap::CommandFactory as _;
        Args::command().debug_assert();
    }

    /// The words of a shell line up to a pipe, a redirection or a comment.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for c in line.chars() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => (quote, word) = (Some(c), Some(word.unwrap_or_default())),
                (None, c) if c.is_whitespace() => words.extend(word.take()),
                (None, '|' | '<' | '>' | '&' | ';' | '#') if word.is_none() => break,
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        words
    }

    #[test]
    fn the_commands_of_readme_and_guide_are_commands() {
        let pages = crate::guide::PAGES
            .iter()
            .map(|page| (page.file, page.text));
        let readme = ("README.md", include_str!("../../README.md"));
        let mut count = 0;
        for (file, text) in pages.chain([readme]) {
            let lines = text
                .split("```sh\n")
                .skip(1)
                .filter_map(|rest| rest.split("```").next());
            let lines: Vec<String> = lines.map(|block| block.replace("\\\n", " ")).collect();
            for line in lines
                .iter()
                .flat_map(|block| block.lines())
                .filter(|line| line.starts_with("afterstate "))
            {
                let parsed = Args::try_parse_from(words(line));
                let is_help = parsed.as_ref().is_err_and(|error| !error.use_stderr());
                assert!(
                    parsed.is_ok() || is_help,
                    "{file}: {line}: {}",
                    parsed.expect_err("refused")
                );
                count += 1;
            }
        }
        assert!(60 < count, "{count}");
    }
}
