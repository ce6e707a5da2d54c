//! One program that runs: lines in, lines out.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use super::process::{Life, Pipes, Process};
use super::{ProgramError, What, error};
use crate::task;

/// The longest line of an answer that is read, in bytes.
pub(super) const LONGEST: u64 = 1 << 20;

/// What is kept of its error output, in bytes: the end, where a reason stands.
const KEPT_ERRORS: usize = 2000;

/// How long the end of the error output of a program that was ended may take to arrive.
const PATIENCE_FOR_ERRORS: Duration = Duration::from_millis(500);

/// How often it is looked whether the program has ended, and whether the work that waits for it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// How long the last line of a program that has ended may take to arrive. The end of its output says nothing: what it started may hold it.
const PATIENCE_FOR_LAST: Duration = Duration::from_millis(100);

/// Ended, with its children, when this is dropped.
#[derive(Debug)]
pub struct Session {
    command: Vec<String>,
    process: Process,
    /// What is written by a thread of its own, for who reads nothing lets it wait.
    questions: Sender<String>,
    answers: Receiver<Result<String, What>>,
    /// The end of its error output, once that is over.
    errors: Receiver<Vec<u8>>,
}

impl Session {
    /// Starts a command that the caller vouches for: whether a strategy may run it is not asked. The first word is the program,
    /// the others are what it is given; nothing passes through a shell.
    pub fn open(command: &[String]) -> Result<Self, ProgramError> {
        Self::start(command, None).map_err(|what| error(command, what, String::new()))
    }

    /// Sends text, which ends with a line break, and reads as many lines as it is answered with; each may take so long.
    pub fn ask_for(&mut self, text: String, count: usize, patience: Duration) -> Result<Vec<String>, ProgramError> {
        self.say(text)
            .and_then(|()| (0..count).map(|_| self.line(patience)).collect())
            .map_err(|what| self.failed(what))
    }

    /// Starts a command by this file, or by its first word.
    pub(super) fn start(command: &[String], executable: Option<&Path>) -> Result<Self, What> {
        let (process, Pipes { input, output, errors: complaints }) = Process::start(command, executable)?;
        // Who says more than is asked waits until it is read.
        let (tell, answers) = sync_channel(16);
        let (tell_errors, errors) = channel();
        let (questions, asked) = channel();
        let session = Self { command: command.to_vec(), process, questions, answers, errors };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let refused = |error: std::io::Error| What::Start(format!("the system gave no thread, {error}"));
        thread("questions").spawn(move || write_lines(input, &asked)).map_err(refused)?;
        thread("answers").spawn(move || send_lines(output, &tell)).map_err(refused)?;
        thread("errors").spawn(move || send_end(complaints, &tell_errors)).map_err(refused)?;
        Ok(session)
    }

    /// Sends a line and waits for the one that answers it, both within its patience.
    pub(super) fn ask(&mut self, line: &str, patience: Duration) -> Result<String, What> {
        self.say(format!("{line}\n"))?;
        self.line(patience)
    }

    /// Sends text to one that has said nothing since it was asked last.
    fn say(&self, text: String) -> Result<(), What> {
        if let Ok(line) = self.answers.try_recv() {
            return Err(What::More(line?));
        }
        // Where nobody writes any more it has ended, which is seen by who waits for an answer.
        let _ = self.questions.send(text);
        Ok(())
    }

    fn line(&self, patience: Duration) -> Result<String, What> {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(What::Ended(None)),
                Err(RecvTimeoutError::Timeout) if task::is_cancelled_here() => return Err(What::Stopped),
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Err(What::Late(patience)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Life::Ended(code) = self.process.life() {
                let last = self.answers.recv_timeout(PATIENCE_FOR_LAST);
                return last.unwrap_or(Err(What::Ended(code)));
            }
        }
    }

    /// Ends it; the error tells its exit code and the end of its error output.
    pub(super) fn failed(&self, what: What) -> ProgramError {
        let code = self.process.end();
        let errors = self.errors.recv_timeout(PATIENCE_FOR_ERRORS).unwrap_or_default();
        let what = if matches!(what, What::Ended(None)) { What::Ended(code) } else { what };
        error(&self.command, what, String::from_utf8_lossy(&errors).into_owned())
    }

    /// The error of one that answered what cannot be used.
    pub fn wrong(&self, line: String, expected: String) -> ProgramError {
        self.failed(What::Wrong { line, expected })
    }
}

/// Until the program reads no more, or nobody asks any more.
fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Until the output ends, a line is too long or is no text, or nobody listens any more.
fn send_lines(output: impl Read, to: &SyncSender<Result<String, What>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let told = match read {
            Ok(1..) if line.ends_with(b"\n") => {
                String::from_utf8(line).map(|line| line.trim_end().to_owned()).map_err(|_| What::Binary)
            }
            Ok(read) if read as u64 == LONGEST => Err(What::Long),
            _ => return,
        };
        let goes_on = told.is_ok();
        if to.send(told).is_err() || !goes_on {
            return;
        }
    }
}

fn send_end(mut output: impl Read, to: &Sender<Vec<u8>>) {
    let (mut part, mut kept) = ([0; 1024], Vec::new());
    while let Ok(read @ 1..) = output.read(&mut part) {
        kept.extend_from_slice(&part[..read]);
        kept.drain(..kept.len().saturating_sub(KEPT_ERRORS));
    }
    // Nobody may ask.
    let _ = to.send(kept);
}
