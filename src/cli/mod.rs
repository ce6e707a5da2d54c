//! The same engine without a window.
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 could not, 2 wrong usage,
//! 130 stopped by Ctrl-C, SIGTERM or SIGHUP: `run` writes and prints the games it has finished, `play` the game so far,
//! `study` what it found, and asking again while they write does not disturb them. Whoever closes the pipe early
//! (`| head`) ends the program quietly.
//!
//! Control characters in titles, names and paths are not printed: `�` or a space stands for them.
//!
//! # CSV
//!
//! Text that a spreadsheet would take for a formula, because it begins with `=`, `+`, `-` or `@`, has an apostrophe before
//! it: a strategy called `=er` is `'=er` there. Numbers stay numbers.
//!
//! To add a flag: a field in `args.rs`, or in `made_args.rs` where a command makes what an evaluator reads, taken in the file of
//! its command. What changes games is a rule: `game::Rules`, `preset/spec.rs` and the manifest, so that a file can say it too.
//!
//! # JSON
//!
//! These fields are stable; others may be added. Boards are written as values, `2,0,0,4/0,8,0,0/…`.
//!
//! | command | fields |
//! | --- | --- |
//! | `analyze` | `board`, `score`, `moves` = four of {`move`: up\|down\|left\|right, `legal`, `reward`, `afterstate`, `values`: a number or null per criterion, `fell_at`: index or null}, `kept`: the moves left per criterion, `choice`: the moves the last resort draws from, `move` or null on a dead board; `nodes`: per criterion {`max`, `chance`, `min`, `leaf`, `dead`, `cut`, `cached`} or null where it did not search, `plies`: per criterion how deep it looked or null, `bounds` (in `moves`): exact\|upper\|lower\|sampled per criterion or null; `forced`: whether the move is the only legal one, which is played without asking a criterion, so that `values` are null; where samples were drawn `samples` (in `moves`): per criterion {`count`, `mean`, `standard_error` or null} or null, and `leads`: per criterion {`best`, `second`, `difference` of their means, its `standard_error` or null, `paired`: whether on the same draws} or null; and with `--tree` `tree`: {`file`, `row`, `evaluator`, `lookahead`, `plies`, `p4`, `kept`, `left_out`, `least_reach`, `elsewhere`: nodes searched in other depths, `unfinished`: of these in a deeper one that the limit ended, `check`: {`sound`, `nodes`, `unsure`, `flaws`}}, with `--why` `why`: {`row` from 0, `better`, `other`, `values`: of the two, `bounds`, of samples `lead`: as in `leads`, of these two moves, or null, `by`: spawns\|mean\|worst\|terms\|whole, `bars`: [{`what`: spawn\|fours\|worst\|term\|not_recorded, `label`, `spawns`: [{`cell`: [row, column] from 0, `tile`}], `probability`, or of samples `share`, `value`, `against`, `amount`}], which add up to the difference, `terms`: [{`term`, `weight`, `means`: of the two}] or null, `sentences`} or null where the row searched fewer than two moves; with `--lines` or `--leaves` `best_play`: {`row` from 0, `plies`, `lines`: {`first`: likely\|best\|worst, `moves`: [{`move`, `value`, `count` of all lines, `median` and each of `lines`: {`probability` by the rules, `weight` in the value of the move, of the cells that were considered, `value` and `end`: evaluated\|too_improbable\|dead\|floor, `steps`: [{`move` or `spawn`, `probability`, `board`, `score`, `value`}]}}]}, `leaves`: {`by_chance`, `quantiles`, `bins`: least and largest value, `moves`: [{`move`, `value`, `ends`, `dead`, `values` at the quantiles, `histogram`}], `terms` and `evaluators`: [{`name`, `weight`, `means` of each move}], `by_rule`}} or null where nothing was searched; with `--plies` `per_ply`: {`row` from 0, `file` where one was written, `plies`: [{`ply` from the root, 0, `nodes` without stubs, `max`, `chance`, `min`, `leaf` and `dead` of them, `branching`: nodes of the next ply for each with some, cuts `by_bounds`, `by_reach` and `by_importance`, `cut_offs`: nodes at which α reached β, `at_first`: the share of these after one child, `hits`, `stores` and `collisions` of the transposition table, `nodes_alone` and `ms_alone`: of a search that ends with this ply, on one core and not recorded}], `told`: true where the counts are those of an opened file and its nodes do not show them, with `--beside` `beside`: {`strategy`, `row`, `plies`}} or null where nothing was searched by depth; with `--uncut` `uncut`: {`row` from 0, `nodes`, `changes_choice`, `moves`: [{`move`, `before` with its `bound`, `after`: its value without cuts}], the best without cuts first} or null where nothing was searched; with `--search-on` `search_on`: [{`node`, `nodes` below it now, `still_cut`: those of them that a rule of the strategy leaves out here, too, `before` or null, `value`, `effect`: {`move`, `before`, `after`, `bound`, `best`, `changes_choice`} where the root is a decision}]; where a row halved large tiles `halved`: per row the board that was searched or null |
//! | `analyze --over` | `board`, `score`, `setting`, `steps` = [{`value` of the setting, `move` or null, `reached`: false where a limit ended the search before the depth that the value asks for, `choice`, `changes`: whether no move is common with the step that was reached before, null where samples chose, `values` and `bounds`: of the row whose number it is, in the order up, down, left, right, `plies` it looked, `nodes` by kind, `searched`: with shallower depths, `seconds`, each null where it did not search; where samples were drawn `samples`: of each move, and `lead`}], `stable_from`: the first value from which to the last that was reached one move may be played, or null, also where samples chose; with `-` a last line `setting`, `boards` with two or more moves, `values`, `changed` and `stable`: of each value null or {`boards`, `of`: boards that reached the values that are compared, `share`, `ci95`} |
//! | `evaluate` | `board`, `score`, `values`: {name: number} |
//! | `run` | `title`, `seed`, `stop_at`: tile or null, `games`, `threads`, `stop_rule`: {`reason`: running\|all_games\|stopped\|cancelled\|failed\|rule_met, and its numbers}, `tests`: how many published numbers were tested, on small boards `best_play`: {`goal`: score or a tile, `value`}, `baseline`: name or null, `ranks`: {`places`, `games`, `method`, `identical`: lists of names} or null, `entries` = [{`name`, `strategy`, `p4`, `games`, `mean`, `sd`, `se`, `ci95`: [low, high] or null, `ci95_kind`: planned\|anytime, `median`, `min`, `max`, `moves_per_game`, `reach`: {"2048": {`share`, `ci95`}} of the tiles that the board can hold, from 64 on, of boards with less than 12 cells from 8 on, `seconds` and `seconds_per_move`: null where a table of costs is lost, `seconds_reaching`: {"2048": seconds of a game}, `rank`: [best, worst] or null, `against`: {`games`, `identical`, `difference`, `ci95`, `ci95_at_once`, `correlation`, `gain`, `reach`: {"2048": {`difference`, `ci95`}}} or null, where it is known `exact`: {`mean`, `sd`, `moves`, `reach`: {"32": probability}, `verdicts`: as of `published`}, `published`: {`mean`, `sd`, `median`, `max`, `moves`, `moves_reaching` and `seconds_reaching`: {"2048": number}, `seconds_per_move`, `games`, `source`, `reading`, `reach`: {"2048": share}, `verdicts`: {name: {`published`, `measured`, `difference`, `ci95`, `p`, `p_holm`, `verdict`: differs\|compatible\|cannot tell, `reason`}}} or null, `sweep`: of a point of a sweep {`line`, `settings`: {name: number}, `steps`: {name: {`from`, `difference`, `ci95`} or null}} or null}] |
//! | `runs` | a list of {`path`, `title`, `started`, `seed`, `games`, `finished`: of all strategies, `strategies`: names, `bytes`, `stop_rule`}; `path` and `problem` where a manifest cannot be read |
//! | `play` | `strategy`, `seed`, `game`, `score`, `largest`, `moves`, `board`, `record` |
//! | `strategies` | a list of letters, such as `["r", "mr"]` |
//! | `tune` | `title`, `objective`, `seed`, `settings`: names, `start`: their values, `generations` = [{`games`, `n`, `mean`, `ci95` of the middle, `step`, `dropped`, `centre`: values}], `verified`: {`strategy`, `values`, `seed`, `games`, `winner`, `start`, `difference`: each {`value`, `ci95`}} or null where it was stopped |
//! | `study` | `strategy`, `seed`, `positions`: how many were compared, `evidence`: {`games`, `is_cut`: whether time was up within the last, `decisions`, `forced`, `rows`: [{`evaluator`, `off`, `asked`, `decided`, `tied`, `moves_left`: mean or null, `example`: {`board`, `score`, `game`, `moves`} or null}], `last_resort`}, `findings`: [{`row` from 0, `kind`: never_reached\|constant\|repeats\|not_symmetric\|tolerant_beyond_range\|odd, `reason`, `example`: {`board`, `score`} or {`board`, `image`, `values`, `how`} or null}], `cost`: {`decisions`, `seconds` of one, `p10`, `p90`, `nodes` or null}; null where not asked for: `orders`: {`positions`, `compared`, `all`, `groups`: [{`orders`: lists of rows from 0, `names`, `differs_at`: {`board`, `score`} where they leave other moves than the first, or null}]}, `against`: {`strategy`, `same`, `compatible`: {`same`, `n`, `share`, `ci95`}, `by_empty`: [{`empty`, `share`}], `by_largest`: [{`largest`, `share`}], `disagreements`: the first 200}, `weights`: {`strategy`, `agreed`, `fitted`, `exact` or null, `note`} |
//! | `process` | `games`, `rounds`, `seed`, `p4`, `ends`, `discount`, `play`: who played the first round, `moves` that were counted, `states`: 34560, `seen` of them, `converged`, `error`: no value is farther off in points, or null where that is not known, `residuals`: the largest change of a value in each sweep |
//! | `solve` | `size`, `p4`, `reach`: tile or null, `value` of the game under best play, `states`: boards to move, `dead` among them, `afterstates`, `openings`: [{`board`: one for its images, `probability`, `value`, `best`: moves}], `layers`: [{`sum` of tiles, `states`, `afterstates`, `dead`}]; with `--strategy` `size`, `p4`, `reach`, `best`: the value of best play where it is known or null, `entries`: [{`name`, `strategy`, `mean`, `sd`, `moves`, `boards`: how many were decided, `largest`: {"64": probability that it is the largest at the end}, `reach`: {"64": probability}}] |
//! | `review` | a game a line: `title`, `size`, `p4`, `seed` (text) or null, `game`, `strategy`: its RON or null, `judge`: {`name`, `strategy`, `sha256`, `exact`, `deepen_from`: points or null}, `thresholds` and `classes`: {`inaccuracy`, `mistake`, `blunder`}, `chance`: null or {`goal`: survive or next-tile, `within` so many moves, `games` with each move, `thresholds` in percentage points of the lower end, `played_on` of `lost_points` moves}, `totals`: {`final_score`, `start_score`, `start_value`, `luck`, `loss`, `residual`, `left`: what was still to come}, `adds_up`, `plies`: {"5": moves}, `worst`, `luckiest`, `unluckiest`: numbers of moves, `by_rule`: [{`rule`, `moves`, `loss`, `share`, `classes`, `worst`}], `by_largest` and `by_empty`: [{`key`, `moves`, `loss`, `luck`, `classes`}], `moves`: [{`number` from 1, `board`, `score`, `move`, `best`, `values`: {up, down, left, right: points to come or null}, `plies`, `loss`, `class` or null, `chance`: null or {`against` the best move, `games` with each, `reached`: in how many the goal was with the one played and with the best one, `both`, `loss` of the share, `interval`}, `own_play`: null or {`against` the best move, `games` with each, `gain`: how many points that move wins on average in the play of the strategy, `interval`: 95 % at whichever game one looks, or null below 50 games}, `decided_by` or null, `reward`, `mean` over all tiles after the slide, `tile`, `cell`: [row, column] from 0, `next`: value of the board after the tile as the same look saw it, `luck`, `residual`}]; numbers of points have at most six decimals, and with those start_score + start_value + luck − loss + residual − left is final_score exactly |
//! | `rollout` | `title`, `board`, `p4`, `seed` (text), `end`: {`reason`, …} as `stop_rule` of `run`, `contenders`: the moves that these games do not tell from the best, `moves`: best first, [{`move`, `games`, `mean`: points to come, `standard_error`, `low`, `high`: 95 %, `gain_of_strata`: games without strata that one is worth, or null, `to_best`: the difference over the games of both, null of the best, `to_best_standard_error`, `to_best_low`, `to_best_high`: 95 % of all pairs at once}]; CSV has the same columns |
//! | `review --against` | a pair of strategies a line: `judge`, `strategies`: their RON, `games`, `positions` of these games with a choice, `disagreed`: at how many of them no move suits both, `differs`: at how many both play different moves on average over what last resorts draw, `better`: at how many each plays what is worth more, `difference`: how much more the second loses at a position, `interval` or null, `disagreements`: [{`game`, `number` from 1, `board`, `score`, `choices`: the moves each leaves, `losses`, `gap`: what the first one's choice is worth more, `decided_by`, `best`, `plies`}], the widest 100 |
//! | `practice list` | `book`: its file, `due`: how many are, `positions`: due ones first, [{`board`, `values`: {up, down, left, right: points to come or null}, `best`, `played` or null, `loss` of what was played or null, `mistake`: from that loss on, `judge`, `source`, `is_due`, `due`: seconds since 1970, `interval` in seconds, `answers`, `right`}] |
//! | `review --death` | CSV: a row a position, with the name of its `game`; JSON: a game a line: `title`, `judge`, `moves`, `within` so many moves, `last_survived`: number of the move from 1 or null, `positions`: [{`before_move` from 1, `died`, of `games`, `interval`}] |
//! | `import` | `kind`, `moves`, `score`, `notes`: what is to be known of it, `record`: the text |
//! | `bench` | `suites` = [{`name`, `unit`, `count`, `cpu_seconds`, `per_second`}] |
//!
//! `analyze --tree FILE` writes the tree that was searched: one object a node, one node a line, in the order of the visit.
//! Fields: `id`, `parent` (null at the root), `kind`: max|chance|min|leaf|dead|cut|cached, `move` or `spawn`: {`cell`: [row,
//! column] from 0, `tile`}, `probability` of the spawn (0 where the search does not consider it, null for slides), `reach`: how
//! probable the node is, as the search counts, if the player plays along, `board`, `score`, `value` (null where nothing was searched),
//! `bound`,
//! `evaluation`, `how`: {`by`: max|mean|sum|least_mean|min|evaluated|dead|reach|alpha_beta|important_cells|table, and the
//! numbers of the rule}, `plies_left`, `order` of the visit, `nodes` below, and of these `left_out` right here by `--nodes`.
//! `grafted` stands at nodes that were searched on later, `head` at the root: [`Tree::read`](crate::search::Tree::read) has its keys, and
//! which of all are needed for `analyze --open`, which answers like a live `analyze`.
//!
//! `reward`, `afterstate` and `fell_at` of an illegal move are null. `seconds` is the time worker threads spent on the
//! games of a strategy, added up over the threads. A statistic that does not exist (the deviation of one game) is null.
//!
//! `games` of the whole run is what was asked for, of each strategy; `games` of an entry is what was finished, which is
//! less where it was stopped. How a run came about and why it ended stands in `manifest.json` of `run --out`.
//!
//! The names of `evaluate` are the evaluators as asked for, each once, in the form the program writes them, such as
//! `Sum([(1.0, Score), (50.0, Empty)])`. When none is asked for they are all with their default parameters, by
//! name: `Score`, `Empty`, … `Lines` (Xiao's), `Weights` (preset a) and so on, without `Sum` and `Product`; one whose
//! default parameters do not fit the size of the board, such as `Weights` on 3×3, is left out. A number beyond what JSON
//! can write is null.

mod analyze;
mod args;
mod bench;
mod best_play;
mod check;
mod estimate;
mod evaluate;
mod exact;
mod figure_args;
mod forecast;
mod game_args;
mod import;
mod input;
mod interrupt;
mod kept;
mod made_args;
mod networks;
mod play;
mod plies;
mod practice;
mod preset_file;
mod process;
mod response;
mod review;
mod review_args;
mod review_questions;
mod rollout;
mod run;
mod sampled;
mod shared_args;
mod slurm;
mod solve;
mod strategies;
mod study;
mod suites;
mod sweep;
mod table;
mod terminal;
mod train;
mod tune;
mod uncut;
mod values;
mod why;
mod window;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use args::{Args, Command};
use terminal::Plain;

use crate::program::{EndAll, permission};
use crate::task::NoAnswer;

/// The exit code of what was stopped.
const STOPPED: u8 = 130;

/// Why a command did not do what was asked.
#[derive(Debug)]
enum Failure {
    /// It was asked in a way that makes no sense: exit code 2.
    Usage(anyhow::Error),
    /// It could not be done: exit code 1.
    Could(anyhow::Error),
    /// Something is wrong in each of several files, a sentence a file: exit code 1.
    Wrong(Vec<String>),
    /// It was asked to stop, and what was finished has been written: exit code 130, as shells know Ctrl-C.
    /// What follows the name of what asked.
    Stopped(String),
}

impl Failure {
    fn usage(sentence: impl std::fmt::Display) -> Self {
        Self::Usage(anyhow::anyhow!("{sentence}"))
    }

    fn could(sentence: impl std::fmt::Display) -> Self {
        Self::Could(anyhow::anyhow!("{sentence}"))
    }

    /// What was named is not there: a file could not be read, and of a name the call is wrong.
    fn missing(path: &Path, sentence: impl std::fmt::Display) -> Self {
        let is_name = path.components().count() == 1 && path.extension().is_none();
        if is_name { Self::usage(sentence) } else { Self::could(sentence) }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Could(error.into())
    }
}

/// Reads the arguments of the process, does what they say and returns the exit code.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => {
            // Help and version. Nothing can be done for an output that is closed.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            // Flags behind a misspelt command are none of the window's.
            let first = std::env::args_os().nth(1).filter(|_| error.kind() == ErrorKind::UnknownArgument);
            let guess = first.and_then(|first| window::misspelt(Path::new(&first)));
            return refuse(&guess.unwrap_or_else(|| usage_sentence(&error.to_string())), 2);
        }
    };
    let mut out = Plain::new(io::BufWriter::new(io::stdout().lock()));
    let _programs = EndAll;
    if args.allow_programs {
        permission::allow_all();
        // The window closes first, see there.
        if args.command.is_some() {
            interrupt::end_programs_first();
        }
    }
    let done = caught(|| dispatch(args, &mut out)).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Could(error)) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(_) if interrupt::is_leaving() => STOPPED.into(),
        Err(failure) => {
            // What was written before the failure still belongs to the output.
            let _ = out.flush();
            match failure {
                // Our errors name their source in their own sentence.
                Failure::Usage(error) => refuse(&error.to_string(), 2),
                Failure::Could(error) => refuse(&error.to_string(), 1),
                Failure::Wrong(sentences) => {
                    sentences.iter().fold(ExitCode::SUCCESS, |_, sentence| refuse(sentence, 1))
                }
                Failure::Stopped(done) => refuse(&format!("stopped by {}{done}", interrupt::name()), STOPPED),
            }
        }
    }
}

/// What asks a program that gives no answer is left by unwinding with a sentence ([`NoAnswer`]). Panics, which are bugs, have
/// told of themselves and go on.
fn caught(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|left| match left.downcast::<NoAnswer>() {
        Ok(no_answer) => Err(Failure::could(no_answer)),
        Err(panic) => resume_unwind(panic),
    })
}

fn dispatch(args: Args, out: &mut impl Write) -> Result<(), Failure> {
    if args.command.is_some() {
        // The hash that a command writes down is that of the files that it plays by, whatever happens to them meanwhile.
        crate::kept::keep_first_read();
    }
    match args.command {
        None => window::open(args.window),
        Some(Command::Run(args)) => run::run(args, out),
        Some(Command::Sweep(args)) => sweep::sweep(&args, out),
        Some(Command::Tune(args)) => tune::tune(args, out),
        Some(Command::Slurm(args)) => slurm::slurm(args, out),
        Some(Command::Estimate(args)) => forecast::estimate(args, out),
        Some(Command::Runs(args)) => kept::runs(&args, out),
        Some(Command::Merge(args)) => kept::merge(&args, out),
        Some(Command::Verify(args)) => kept::verify(&args, out),
        Some(Command::Summary(args)) => kept::summary(&args, out),
        Some(Command::Analyze(args)) => analyze::analyze(&args, out),
        Some(Command::Evaluate(args)) => evaluate::evaluate(&args, out),
        Some(Command::Play(args)) => play::play(&args, out),
        Some(Command::Strategies(args)) => strategies::strategies(&args, out),
        Some(Command::Study(args)) => study::study(&args, out),
        Some(Command::Review(args)) => review::review(&args, out),
        Some(Command::Practice(args)) => practice::practice(&args, &mut std::io::stdin().lock(), out),
        Some(Command::Import(args)) => import::import(&args, out),
        Some(Command::Rollout(args)) => rollout::rollout(&args, out),
        Some(Command::Networks(args)) => networks::networks(&args, out),
        Some(Command::Train(args)) => train::train(&args, out),
        Some(Command::Solve(args)) => solve::solve(&args, out),
        Some(Command::Process(args)) => process::process(&args, out),
        Some(Command::Figure(args)) => window::figure(args, out),
        Some(Command::Check(args)) => check::check(&args, out),
        Some(Command::Bench(args)) => bench::bench(&args, out),
    }
}

fn refuse(sentence: &str, code: u8) -> ExitCode {
    terminal::tell(&format!("afterstate: {}", sentence.split_whitespace().collect::<Vec<_>>().join(" ")));
    ExitCode::from(code)
}

/// The sentence of a usage error without the usage that follows it.
fn usage_sentence(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or(text);
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let tip = text.split("\n\n").find_map(|part| part.trim().strip_prefix("tip: "));
    let tip = tip.map(|tip| format!(" ({})", tip.trim())).unwrap_or_default();
    // "Usage: afterstate summary [OPTIONS] <FOLDER>" names the command.
    let usage = text.split("\n\n").find_map(|part| part.trim().strip_prefix("Usage: ")).unwrap_or_default();
    let command =
        usage.split_whitespace().skip(1).take_while(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    let command = command.last().map(|command| format!("{command} ")).unwrap_or_default();
    format!("{first}{tip}; see {command}--help")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let direct = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let in_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        direct.or(in_json) == Some(io::ErrorKind::BrokenPipe)
    })
}
