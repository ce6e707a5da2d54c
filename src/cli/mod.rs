//! The engine without a window.
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 130
//! stopped by Ctrl-C, SIGTERM or SIGHUP. After a stop `run` writes and prints the games it has finished, `play` the
//! game so far, `study` its results so far; further signals do not interrupt this. If the reader closes the pipe early
//! (`| head`), the program ends quietly.
//!
//! Control characters in titles, names and paths are not printed: they become `�` or a space.
//!
//! # CSV
//!
//! Text that a spreadsheet would treat as a formula, because it begins with `=`, `+`, `-` or `@`, gets an apostrophe in
//! front: a strategy with the name `=er` is `'=er` there. Numbers remain numbers.
//!
//! To add a flag: a field in the arguments of its command, used in the file of the command. They are in `args.rs`, or in
//! `review_args.rs` (reviews and practice), `game_args.rs` (`import`, `rollout`), `made_args.rs` (files of evaluators),
//! `figure_args.rs`, `texts_args.rs` or `shared_args.rs` (several commands). A flag that changes games is a rule:
//! `game::Rules`, `preset/spec.rs` and the manifest, so that a file can set it too.
//!
//! # JSON
//!
//! The fields of every command are in `src/guide/reference-json.md`. They are stable; others may be added.

mod analyze;
mod args;
mod bench;
mod best_play;
mod check;
mod estimate;
mod evaluate;
mod exact;
mod export;
mod figure_args;
mod forecast;
mod game_args;
mod game_file;
mod import;
mod input;
mod interrupt;
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
mod saved_runs;
mod shared_args;
mod shell;
mod slurm;
mod solve;
mod strategies;
mod study;
mod suites;
mod sweep;
mod table;
mod terminal;
mod texts;
mod texts_args;
mod train;
mod tune;
mod uncut;
mod values;
mod watch;
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

/// The exit code after a stop.
const STOPPED: u8 = 130;

/// Why a command did not do its work.
#[derive(Debug)]
enum Failure {
    /// Wrong usage: exit code 2.
    Usage(anyhow::Error),
    /// It failed: exit code 1.
    Could(anyhow::Error),
    /// Something is wrong in each of several files, one sentence for each file: exit code 1.
    Wrong(Vec<String>),
    /// It was stopped, and finished work has been written: exit code 130, as after Ctrl-C in a shell. The text follows
    /// the name of the signal.
    Stopped(String),
}

impl Failure {
    fn usage(sentence: impl std::fmt::Display) -> Self {
        Self::Usage(anyhow::anyhow!("{sentence}"))
    }

    fn could(sentence: impl std::fmt::Display) -> Self {
        Self::Could(anyhow::anyhow!("{sentence}"))
    }

    /// The named thing does not exist: a file cannot be read, but a wrong name is wrong usage.
    fn missing(path: &Path, sentence: impl std::fmt::Display) -> Self {
        let is_name = path.components().count() == 1 && path.extension().is_none();
        if is_name {
            Self::usage(sentence)
        } else {
            Self::could(sentence)
        }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Could(error.into())
    }
}

/// Reads the arguments of the process, runs the command and returns the exit code.
pub fn main() -> ExitCode {
    let args = match Args::try_parse_from(wild::args_os()) {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => {
            // Help and version. A closed output cannot be handled.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            // Flags after a misspelled command do not belong to the window.
            let first = std::env::args_os()
                .nth(1)
                .filter(|_| error.kind() == ErrorKind::UnknownArgument);
            let guess = first.and_then(|first| window::misspelt(Path::new(&first)));
            return refuse(
                &guess.unwrap_or_else(|| usage_sentence(&error.to_string())),
                2,
            );
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
            // Output written before the failure is still flushed.
            let _ = out.flush();
            match failure {
                // Our errors name their source in their own sentence.
                Failure::Usage(error) => refuse(&error.to_string(), 2),
                Failure::Could(error) => refuse(&error.to_string(), 1),
                Failure::Wrong(sentences) => sentences
                    .iter()
                    .fold(ExitCode::SUCCESS, |_, sentence| refuse(sentence, 1)),
                Failure::Stopped(done) => {
                    refuse(&format!("stopped by {}{done}", interrupt::name()), STOPPED)
                }
            }
        }
    }
}

/// Code that waits for a program without an answer is left by unwinding with a sentence ([`NoAnswer`]). Panics, which
/// are bugs, have already printed their message and continue.
fn caught(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|left| match left.downcast::<NoAnswer>() {
        Ok(no_answer) => Err(Failure::could(no_answer)),
        Err(panic) => resume_unwind(panic),
    })
}

fn dispatch(args: Args, out: &mut impl Write) -> Result<(), Failure> {
    if args.command.is_some() {
        // A command saves the hash of a file that it plays by, so each file must remain as it was first read.
        crate::kept::keep_first_read();
    }
    match args.command {
        None => window::open(args.window),
        Some(Command::Run(args)) => run::run(args, out),
        Some(Command::Sweep(args)) => sweep::sweep(&args, out),
        Some(Command::Tune(args)) => tune::tune(args, out),
        Some(Command::Slurm(args)) => slurm::slurm(args, out),
        Some(Command::Estimate(args)) => forecast::estimate(args, out),
        Some(Command::Runs(args)) => saved_runs::runs(&args, out),
        Some(Command::Merge(args)) => saved_runs::merge(&args, out),
        Some(Command::Verify(args)) => saved_runs::verify(&args, out),
        Some(Command::Summary(args)) => saved_runs::summary(&args, out),
        Some(Command::Export(args)) => export::export(&args, out),
        Some(Command::Analyze(args)) => analyze::analyze(&args, out),
        Some(Command::Evaluate(args)) => evaluate::evaluate(&args, out),
        Some(Command::Play(args)) => play::play(&args, out),
        Some(Command::Strategies(args)) => strategies::strategies(&args, out),
        Some(Command::Study(args)) => study::study(&args, out),
        Some(Command::Review(args)) => review::review(&args, out),
        Some(Command::Practice(args)) => {
            practice::practice(&args, &mut std::io::stdin().lock(), out)
        }
        Some(Command::Import(args)) => import::import(&args, out),
        Some(Command::Rollout(args)) => rollout::rollout(&args, out),
        Some(Command::Networks(args)) => networks::networks(&args, out),
        Some(Command::Train(args)) => train::train(&args, out),
        Some(Command::Solve(args)) => solve::solve(&args, out),
        Some(Command::Process(args)) => process::process(&args, out),
        Some(Command::Texts(args)) => texts::texts(&args, out),
        Some(Command::Figure(args)) => window::figure(args, out),
        Some(Command::Check(args)) => check::check(&args, out),
        Some(Command::Bench(args)) => bench::bench(&args, out),
        Some(Command::Completions(args)) => shell::completions(&args, out),
        Some(Command::Manual(args)) => shell::manual(&args, out),
    }
}

fn refuse(sentence: &str, code: u8) -> ExitCode {
    terminal::tell(&format!(
        "afterstate: {}",
        sentence.split_whitespace().collect::<Vec<_>>().join(" ")
    ));
    ExitCode::from(code)
}

/// The sentence of a usage error without the usage that follows it.
fn usage_sentence(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or(text);
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let tip = text
        .split("\n\n")
        .find_map(|part| part.trim().strip_prefix("tip: "));
    let tip = tip
        .map(|tip| format!(" ({})", tip.trim()))
        .unwrap_or_default();
    // "Usage: afterstate summary [OPTIONS] <FOLDER>" names the command.
    let usage = text
        .split("\n\n")
        .find_map(|part| part.trim().strip_prefix("Usage: "))
        .unwrap_or_default();
    let command = usage
        .split_whitespace()
        .skip(1)
        .take_while(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    let command = command
        .last()
        .map(|command| format!("{command} "))
        .unwrap_or_default();
    format!("{first}{tip}; see {command}--help")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let direct = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let in_json = cause
            .downcast_ref::<serde_json::Error>()
            .and_then(serde_json::Error::io_error_kind);
        direct.or(in_json) == Some(io::ErrorKind::BrokenPipe)
    })
}
