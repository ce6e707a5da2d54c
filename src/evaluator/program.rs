//! An evaluator that another program computes: boards in, numbers out, in lines of JSON.
//!
//! # What the program is asked
//!
//! It is started without a shell and reads its standard input until that ends. A line is a list of positions; it answers with one
//! line, a list of as many numbers in their order, and flushes it.
//!
//! | line | what | example |
//! | --- | --- | --- |
//! | to it | from 1 to 64 positions: `board` after a slide by rows (or to move, where a search ends with a spawn), `score` so far, that slide's points included | `[{"board":"2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2","score":12}]` |
//! | from it | a number for each, larger is better; finite and smaller than 10¹⁸ up or down | `[3.5]` |
//! | its error output | anything; the last line is told when it fails | `ValueError: no tile 3` |
//!
//! Each thread that asks has a program of its own. The same position should always have the same number: searches and this module
//! keep what they were told, and a program that remembers games breaks the rule that game `i` depends on the seed and `i` alone.
//!
//! # When it does not answer
//!
//! One that cannot be started, ends, is late, or answers anything else is ended with its children and not asked again
//! ([`crate::program`]). The decision, the game or the run ends with a sentence that says why; games that were over are kept. What
//! asked it is left by [unwinding](crate::task::no_answer): a value that nobody computed must not choose a move. Work that is cancelled
//! meanwhile waits no longer ([`crate::task::unless_cancelled`]). When this program ends, by a signal or a panic too, those that it
//! asks end ([`crate::program::EndAll`]).
//!
//! # Who may start it
//!
//! Nothing is started before its command was [allowed](crate::program::permission), by `--allow-programs` or in the window, and nothing at all to
//! read, check or draw a strategy. Permission in the window is for the content of the executable and of the files in the command.
//!
//! # What a strategy is known by
//!
//! Its hash covers the command and the SHA-256 of each word of it that is a file ([`command::digest`]). Once such a file has
//! changed, no further program is started for a strategy that was read before.

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
    /// The program and what it is given; no shell reads it.
    pub command: Vec<String>,
    /// How long an answer may take, that to the first line with the start of the program.
    #[serde(default = "usual_seconds", skip_serializing_if = "is_usual")]
    pub seconds: f64,
}

const SECONDS: f64 = 5.0;

fn usual_seconds() -> f64 {
    SECONDS
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_usual(seconds: &f64) -> bool {
    *seconds == SECONDS
}

impl Default for ProgramSpec {
    fn default() -> Self {
        Self { command: vec!["python3".to_owned(), "evaluate.py".to_owned()], seconds: SECONDS }
    }
}

/// Why a program cannot evaluate.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ProgramSpecError {
    #[error("a command is needed, such as command: [\"python3\", \"evaluate.py\"]")]
    NoCommand,
    #[error("the command has {}, but at most {} are allowed", words::bytes(*.0 as u64), words::bytes(LONGEST as u64))]
    Long(usize),
    #[error("seconds is {0}, but an answer may take from {LEAST_SECONDS} to {MOST_SECONDS}")]
    Seconds(f64),
}

/// What a board may be worth to a program, up or down.
const LARGEST: f64 = 1e18;

/// The longest command, in bytes: more than any system takes is told when it is started.
const LONGEST: usize = 1 << 14;

const LEAST_SECONDS: f64 = 0.01;

/// How long an answer may take.
pub const MOST_SECONDS: f64 = 600.0;

/// Most positions in a line: with their line they fit into what any system keeps in a pipe, so that writing rarely waits.
const MOST_POSITIONS: usize = 64;

/// Values that are remembered, of some 50 bytes each.
const MOST_KNOWN: usize = 1 << 16;

impl ProgramSpec {
    /// The command on one line.
    pub fn label(&self) -> String {
        /// The longest that is shown.
        const SHOWN: usize = 60;
        command::shortened(SHOWN, &self.command)
    }

    /// Says what is wrong with it, if anything. Whether it may run is another question: [`ProgramSpec::check_allowed`].
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

    /// Says that it may not run here, if so.
    pub fn check_allowed(&self) -> Result<(), ProgramError> {
        check_allowed(&self.command)
    }

    /// What a position is worth to one that is started for this question, whatever others have failed or said.
    pub fn try_on(&self, board: &Grid, score: u64) -> Result<f64, ProgramError> {
        Ok(self.started().ask(&[(*board, score)])?[0])
    }

    fn patience(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.clamp(LEAST_SECONDS, MOST_SECONDS))
    }

    /// One that has been asked nothing yet.
    fn started(&self) -> Asked {
        Asked { program: Program::new(self.command.clone(), self.patience()), known: Mutex::default() }
    }

    /// What answers all who ask by this command, as long as its files stay as they are. Who begins anew asks anew what has failed.
    pub(super) fn asked(&self) -> Arc<Asked> {
        static ALL: Mutex<Vec<Weak<Asked>>> = Mutex::new(Vec::new());
        thread_local! {
            /// What was asked last on this thread: who evaluates one board after the other starts one program.
            static LAST: RefCell<Option<Arc<Asked>>> = const { RefCell::new(None) };
        }

        let patience = self.patience();
        let is_same = |asked: &Arc<Asked>| {
            let program = &asked.program;
            program.command() == self.command && program.patience() == patience && program.is_as_it_was()
        };
        let mut all = lock(&ALL);
        all.retain(|asked| asked.strong_count() != 0);
        let same = all.iter().filter_map(Weak::upgrade).find(is_same);
        let asked = same.unwrap_or_else(|| {
            let asked = Arc::new(self.started());
            all.push(Arc::downgrade(&asked));
            asked
        });
        drop(all);
        asked.program.forgive();
        if may_wait() {
            // The one before is ended outside of the list.
            drop(LAST.replace(Some(asked.clone())));
        }

        asked
    }
}

/// A board and the points up to it.
pub(super) type Asking = (Grid, u64);

/// A program with what it has said.
#[derive(Debug)]
pub(super) struct Asked {
    program: Program,
    known: Mutex<HashMap<Asking, f64>>,
}

#[derive(Serialize)]
struct Question {
    board: String,
    score: u64,
}

impl Asked {
    /// What it says of a position; see [`Asked::values`].
    pub(super) fn value(&self, board: Grid, score: u64) -> f64 {
        self.values(&[(board, score)])[0]
    }

    /// What it says of positions. Leaves the work where it does not answer; not a number of what it would have to be asked on a
    /// thread that waits for nobody.
    pub(super) fn values(&self, positions: &[Asking]) -> Vec<f64> {
        match self.ask(positions) {
            Ok(values) => values,
            Err(error) => no_answer(error.to_string()),
        }
    }

    fn ask(&self, positions: &[Asking]) -> Result<Vec<f64>, ProgramError> {
        let known: Vec<Option<f64>> = {
            let known = lock(&self.known);
            positions.iter().map(|position| known.get(position).copied()).collect()
        };
        let mut unknown: Vec<Asking> =
            positions.iter().zip(&known).filter(|(_, value)| value.is_none()).map(|(position, _)| *position).collect();
        if unknown.is_empty() || !may_wait() {
            return Ok(known.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect());
        }

        // A search comes to the same board in many ways.
        let mut first = HashMap::new();
        unknown.retain(|position| first.insert(*position, f64::NAN).is_none());
        for part in unknown.chunks(MOST_POSITIONS) {
            for (position, value) in part.iter().zip(self.ask_some(part)?) {
                first.insert(*position, value);
            }
        }

        let mut kept = lock(&self.known);
        if MOST_KNOWN < kept.len() + first.len() {
            kept.clear();
        }
        kept.extend(first.iter().map(|(position, value)| (*position, *value)));
        let value = |(position, known): (&Asking, Option<f64>)| known.unwrap_or_else(|| first[position]);
        Ok(positions.iter().zip(known).map(value).collect())
    }

    fn ask_some(&self, positions: &[Asking]) -> Result<Vec<f64>, ProgramError> {
        let question = |(board, score): &Asking| Question { board: board.to_board().to_string(), score: *score };
        // Texts and numbers always have a line.
        let line = serde_json::to_string(&positions.iter().map(question).collect::<Vec<_>>()).unwrap_or_default();
        let asked = positions.len();
        let expected = || match asked {
            1 => "list of 1 finite number, such as [0.5]".to_owned(),
            _ => format!("list of {asked} finite numbers, such as [0.5, 2, …]"),
        };
        self.program.ask(&line, &expected, |line| {
            let numbers: Vec<f64> = serde_json::from_str(line).ok()?;
            (numbers.len() == asked && numbers.iter().all(|number| number.abs() < LARGEST)).then_some(numbers)
        })
    }
}
