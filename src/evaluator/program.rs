//! An evaluator that another program computes: boards in, numbers out, as lines of JSON.
//!
//! # What is the protocol?
//!
//! The program is started without a shell and reads standard input until its end. Each line is a list of positions. It
//! answers with one line, a list of as many numbers in the same order, and flushes it.
//!
//! | line | content | example |
//! | --- | --- | --- |
//! | to it | 1 to 64 positions: `board` after a slide by rows (or to move, where a search ends with a spawn), `score` so far, including that slide | `[{"board":"2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2","score":12}]` |
//! | from it | a number for each, larger is better; finite, with an absolute value below 10¹⁸ | `[3.5]` |
//! | its error output | anything; its last line is shown if the program fails | `ValueError: no tile 3` |
//!
//! Each thread has its own process of the program. The same position must always get the same number, because searches
//! and this module cache answers. A program that remembers games breaks the rule that game `i` depends only on the seed
//! and `i`.
//!
//! # What if it does not answer?
//!
//! A program that cannot be started, ends, is late, or answers anything else is ended with its children and not used
//! again ([`crate::program`]). The decision, the game or the run ends with an error message; finished games are saved.
//! The work that needs the value is aborted by [unwinding](crate::task::no_answer), because a missing value must not
//! choose a move. Canceled work stops waiting ([`crate::task::unless_cancelled`]). When this program ends, even by a
//! signal or a panic, the programs that it started end as well ([`crate::program::EndAll`]).
//!
//! # Who may start it?
//!
//! Nothing starts before the user has [allowed](crate::program::permission) its command, by `--allow-programs` or in
//! the window. Reading, checking or drawing a strategy starts nothing. Permission in the window is for the content of
//! the executable and of the files in the command.
//!
//! # What identifies such a strategy?
//!
//! Its hash covers the command and the SHA-256 of each word of it that is a file ([`command::digest`]). Once such a
//! file has changed, no further process is started for a strategy that was read before.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::{Grid, Position as _};
use crate::program::{Program, ProgramError, check_allowed, command, may_wait};
use crate::task::{lock, no_answer};
use crate::words;

/// A command that evaluates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename = "Program", deny_unknown_fields)]
pub struct ProgramSpec {
    /// The program and its arguments, without a shell.
    pub command: Vec<String>,
    /// Time limit for an answer in seconds. For the first line it includes the start of the program.
    #[serde(default = "usual_seconds", skip_serializing_if = "is_usual")]
    pub seconds: f64,
}

const SECONDS: f64 = 5.0;

fn usual_seconds() -> f64 {
    SECONDS
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_usual(seconds: &f64) -> bool {
    *seconds == SECONDS
}

impl Default for ProgramSpec {
    fn default() -> Self {
        Self {
            command: vec!["python3".to_owned(), "evaluate.py".to_owned()],
            seconds: SECONDS,
        }
    }
}

/// Why a program specification is invalid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ProgramSpecError {
    #[error("a command is needed, such as command: [\"python3\", \"evaluate.py\"]")]
    NoCommand,
    #[error("the command has {}, but at most {} are allowed", words::bytes(*.0 as u64), words::bytes(LONGEST as u64))]
    Long(usize),
    #[error("seconds is {0}: write a time from {LEAST_SECONDS} to {MOST_SECONDS}")]
    Seconds(f64),
}

/// Upper limit of the absolute value of an answer.
const LARGEST: f64 = 1e18;

/// Maximum length of a command in bytes. If the system accepts less, starting it fails with an error.
const LONGEST: usize = 1 << 14;

const LEAST_SECONDS: f64 = 0.01;

/// Upper limit of the time for an answer.
pub const MOST_SECONDS: f64 = 600.0;

/// Maximum positions per line. They fit into a pipe buffer of any system, so that writing rarely waits.
const MOST_POSITIONS: usize = 64;

/// Maximum number of cached values, about 50 bytes each.
const MOST_KNOWN: usize = 1 << 16;

impl ProgramSpec {
    /// The command on one line.
    pub fn label(&self) -> String {
        /// Maximum length of the shown text.
        const SHOWN: usize = 60;
        command::shortened(SHOWN, &self.command)
    }

    /// Checks the specification. [`ProgramSpec::check_allowed`] checks whether it may run.
    pub fn check(&self) -> Result<(), ProgramSpecError> {
        if self.command.first().is_none_or(String::is_empty) {
            return Err(ProgramSpecError::NoCommand);
        }
        match self.command.iter().map(|word| word.len() + 1).sum() {
            long if LONGEST < long => return Err(ProgramSpecError::Long(long)),
            _ => {}
        }
        if (LEAST_SECONDS..=MOST_SECONDS).contains(&self.seconds) {
            Ok(())
        } else {
            Err(ProgramSpecError::Seconds(self.seconds))
        }
    }

    /// Returns an error if it may not run here.
    pub fn check_allowed(&self) -> Result<(), ProgramError> {
        check_allowed(&self.command)
    }

    /// The value of a position from a process started for this request, independent of cached answers and earlier
    /// failures.
    pub fn try_on(&self, board: &Grid, score: u64) -> Result<f64, ProgramError> {
        Ok(self.started().ask(&[(*board, score)])?[0])
    }

    fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.clamp(LEAST_SECONDS, MOST_SECONDS))
    }

    /// A new process without cached answers.
    fn started(&self) -> CachedProgram {
        CachedProgram {
            program: Program::new(self.command.clone(), self.patience()),
            cached: Mutex::default(),
        }
    }

    /// The shared process and cache for this command, as long as its files are unchanged. A new user of the command
    /// retries after a failure.
    pub(super) fn asked(&self) -> Arc<CachedProgram> {
        static ALL: Mutex<Vec<Weak<CachedProgram>>> = Mutex::new(Vec::new());
        thread_local! {
            /// The last program used on this thread, so that evaluating one board after the other starts only one.
            static LAST: RefCell<Option<Arc<CachedProgram>>> = const { RefCell::new(None) };
        }

        let patience = self.patience();
        let is_same = |running: &Arc<CachedProgram>| {
            let program = &running.program;
            program.command() == self.command
                && program.patience() == patience
                && program.is_as_it_was()
        };
        let mut all = lock(&ALL);
        all.retain(|running| running.strong_count() != 0);
        let same = all.iter().filter_map(Weak::upgrade).find(is_same);
        let running = same.unwrap_or_else(|| {
            let running = Arc::new(self.started());
            all.push(Arc::downgrade(&running));
            running
        });
        drop(all);
        running.program.forgive();
        if may_wait() {
            // Drops the previous one outside of the list.
            drop(LAST.replace(Some(running.clone())));
        }

        running
    }
}

/// A board and the score up to it.
pub(super) type Asking = (Grid, u64);

/// A program with its cached answers.
#[derive(Debug)]
pub(super) struct CachedProgram {
    program: Program,
    cached: Mutex<HashMap<Asking, f64>>,
}

#[derive(Serialize)]
struct Question {
    board: String,
    score: u64,
}

impl CachedProgram {
    /// The value of a position; see [`CachedProgram::values`].
    pub(super) fn value(&self, board: Grid, score: u64) -> f64 {
        self.values(&[(board, score)])[0]
    }

    /// The values of positions. Aborts the work if the program does not answer. NaN for uncached positions on a thread
    /// that must not wait.
    pub(super) fn values(&self, positions: &[Asking]) -> Vec<f64> {
        match self.ask(positions) {
            Ok(values) => values,
            Err(error) => no_answer(error.to_string()),
        }
    }

    fn ask(&self, positions: &[Asking]) -> Result<Vec<f64>, ProgramError> {
        let cached: Vec<Option<f64>> = {
            let cached = lock(&self.cached);
            positions
                .iter()
                .map(|position| cached.get(position).copied())
                .collect()
        };
        let mut unknown: Vec<Asking> = positions
            .iter()
            .zip(&cached)
            .filter(|(_, value)| value.is_none())
            .map(|(position, _)| *position)
            .collect();
        if unknown.is_empty() || !may_wait() {
            return Ok(cached
                .into_iter()
                .map(|value| value.unwrap_or(f64::NAN))
                .collect());
        }

        // A search reaches the same board in many ways.
        let mut first = HashMap::new();
        unknown.retain(|position| first.insert(*position, f64::NAN).is_none());
        for part in unknown.chunks(MOST_POSITIONS) {
            for (position, value) in part.iter().zip(self.ask_some(part)?) {
                first.insert(*position, value);
            }
        }

        let mut cache = lock(&self.cached);
        if MOST_KNOWN < cache.len() + first.len() {
            cache.clear();
        }
        cache.extend(first.iter().map(|(position, value)| (*position, *value)));
        let value =
            |(position, cached): (&Asking, Option<f64>)| cached.unwrap_or_else(|| first[position]);
        Ok(positions.iter().zip(cached).map(value).collect())
    }

    fn ask_some(&self, positions: &[Asking]) -> Result<Vec<f64>, ProgramError> {
        let question = |(board, score): &Asking| Question {
            board: board.to_board().to_string(),
            score: *score,
        };
        // Texts and numbers always serialize.
        let line = serde_json::to_string(&positions.iter().map(question).collect::<Vec<_>>())
            .unwrap_or_default();
        let count = positions.len();
        let expected = || match count {
            1 => "list of 1 finite number, such as [0.5]".to_owned(),
            _ => format!("list of {count} finite numbers, such as [0.5, 2, …]"),
        };
        self.program.ask(&line, &expected, |line| {
            let numbers: Vec<f64> = serde_json::from_str(line).ok()?;
            (numbers.len() == count && numbers.iter().all(|number| number.abs() < LARGEST))
                .then_some(numbers)
        })
    }
}
