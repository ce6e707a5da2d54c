//! Other programs that answer lines of text with lines. They start when first used, one for each concurrent caller;
//! each answer has a time limit; they end, with their children, when their owner is dropped. Nothing here knows the
//! content of the lines.
//!
//! A [`Session`] is one running program; none outlives the owner of [`EndAll`]. A [`Program`] is a command with its
//! idle sessions; it starts only what was [allowed](permission). A program has failed if it does not start, ends, gives
//! no answer in time or gives one that cannot be read. It is then not used again until [`Program::forgive`].

pub mod command;
pub mod permission;
mod process;
mod session;

use std::cell::Cell;
use std::sync::Mutex;
use std::time::Duration;

pub use process::{EndAll, end_all};
pub use session::Session;

use crate::files::Stamp;
use crate::task::lock;
use crate::words;

/// Why a program gave no answer. The text names the program, the reason and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProgramError(Box<Failure>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program {program} {what}{}", told(.errors))]
struct Failure {
    program: String,
    what: What,
    /// The end of its error output.
    errors: String,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum What {
    #[error("is not allowed to run: allow it in the settings of its row, or give --allow-programs")]
    NotAllowed,
    #[error(
        "changed since it was allowed{0}: allow it again in the settings of its row, or give --allow-programs"
    )]
    ChangedSinceAllowed(String),
    #[error("cannot be checked before it runs: {0}")]
    Unchecked(permission::FingerprintError),
    #[error("changed while it was in use (a file of its command): start again")]
    Changed,
    #[error("cannot be started ({0}): is the first word of the command a program?")]
    Start(String),
    #[error("gave no answer within {} s: fix it, or allow more seconds", words::decimals_short(.0.as_secs_f64()))]
    Late(Duration),
    #[error("ended{} before it answered", .0.map(|code| format!(" with exit code {code}")).unwrap_or_default())]
    Ended(Option<i32>),
    #[error("was interrupted, because the work was stopped")]
    Stopped,
    #[error("printed {} without a request: it must print one line for each line it reads", words::quoted(.0))]
    More(String),
    #[error("printed a line longer than {}", words::bytes(session::LONGEST))]
    Long,
    #[error("printed a line that is not UTF-8")]
    Binary,
    #[error("answered {}, which is not a {expected}", words::quoted(.line))]
    Wrong { line: String, expected: String },
}

fn told(errors: &str) -> String {
    match errors
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())
    {
        Some(line) => format!(
            "; its error output ends with {}",
            words::quoted_to(160, line)
        ),
        None => String::new(),
    }
}

/// A command with its idle sessions.
#[derive(Debug)]
pub struct Program {
    command: Vec<String>,
    /// How long one answer may take, including the start of the program.
    patience: Duration,
    /// [`command::digest`] when this was created; `None` if that would have meant waiting.
    digest: Option<String>,
    /// [`command::stamps`] at that time.
    stamps: Vec<Stamp>,
    idle: Mutex<Vec<Session>>,
    failed: Mutex<Option<ProgramError>>,
}

thread_local! {
    /// Whether this thread may wait for a program.
    static MAY_WAIT: Cell<bool> = const { Cell::new(true) };
}

/// From now on [`may_wait`] is false on this thread.
pub fn never_on_this_thread() {
    MAY_WAIT.set(false);
}

/// Whether this thread may wait for a program.
pub fn may_wait() -> bool {
    MAY_WAIT.get()
}

impl Program {
    /// Starts nothing yet. The first word is the program, the others are its arguments; no shell is involved.
    pub fn new(command: Vec<String>, patience: Duration) -> Self {
        let stamps = command::stamps(&command);
        let digest = (may_wait() || command::is_read(&command)).then(|| command::digest(&command));
        Self {
            command,
            patience,
            digest,
            stamps,
            idle: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// Whether the files in its command are unchanged since this was created.
    pub fn is_as_it_was(&self) -> bool {
        // A file that was only touched is unchanged.
        let has_digest =
            || may_wait() && self.digest.as_ref() == Some(&command::digest(&self.command));
        command::stamps(&self.command) == self.stamps || has_digest()
    }

    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Why it is not used any more.
    pub fn failed(&self) -> Option<ProgramError> {
        lock(&self.failed).clone()
    }

    /// Lets it be used again after a failure.
    pub fn forgive(&self) {
        *lock(&self.failed) = None;
    }

    /// Sends a line and reads the answer; `read` returns `None` if the answer is not as `expected`.
    pub fn ask<T>(
        &self,
        line: &str,
        expected: &dyn Fn() -> String,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ProgramError> {
        // Permission is checked first, and a refusal is not remembered: the command may be allowed a moment later. A
        // running program was allowed when it started.
        if lock(&self.idle).is_empty() {
            check_allowed(&self.command)?;
        }
        if let Some(failed) = self.failed() {
            return Err(failed);
        }
        self.ask_one(line, expected, read)
            .map_err(|error| match error.0.what {
                // The program has not failed.
                What::Stopped
                | What::NotAllowed
                | What::ChangedSinceAllowed(_)
                | What::Unchecked(_) => error,
                _ => lock(&self.failed).get_or_insert(error).clone(),
            })
    }

    fn ask_one<T>(
        &self,
        line: &str,
        expected: &dyn Fn() -> String,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ProgramError> {
        let idle = lock(&self.idle).pop();
        let mut session = match idle {
            Some(session) => session,
            None if !self.is_as_it_was() => return Err(self.error(What::Changed, String::new())),
            None => self
                .start()
                .map_err(|what| self.error(what, String::new()))?,
        };
        let line = session
            .ask(line, self.patience)
            .map_err(|what| session.failed(what))?;
        let answer = read(line.trim()).ok_or_else(|| session.wrong(line, expected()))?;
        lock(&self.idle).push(session);
        Ok(answer)
    }

    /// Starts the file whose permission was just checked.
    fn start(&self) -> Result<Session, What> {
        let executable = permission::check(&self.command)?;
        Session::start(&self.command, executable.as_deref())
    }

    fn error(&self, what: What, errors: String) -> ProgramError {
        error(&self.command, what, errors)
    }
}

/// Returns an error if a command may not run here.
pub fn check_allowed(command: &[String]) -> Result<(), ProgramError> {
    permission::check(command)
        .map(drop)
        .map_err(|what| error(command, what, String::new()))
}

fn error(command: &[String], what: What, errors: String) -> ProgramError {
    let program = command::shortened(100, command);
    ProgramError(Box::new(Failure {
        program,
        what,
        errors,
    }))
}
