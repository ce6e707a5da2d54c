//! One running program: lines in, lines out.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use super::process::{Life, Pipes, Process};
use super::{ProgramError, What, error};
use crate::task;

/// The longest line of an answer that is read, in bytes.
pub(super) const LONGEST: u64 = 1 << 20;

/// How much of its error output is remembered, in bytes: the end, which contains the reason.
const KEPT_ERRORS: usize = 2000;

/// How long to wait for the end of the error output of a program that was ended.
const PATIENCE_FOR_ERRORS: Duration = Duration::from_millis(500);

/// How often to check whether the program has ended, and whether the work that waits for it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// How long to wait for the last line of a program that has ended. The end of its output is no sign: its children may
/// keep it open.
const PATIENCE_FOR_LAST: Duration = Duration::from_millis(100);

/// A running program. Dropping it ends the program with its children.
#[derive(Debug)]
pub struct Session {
    command: Vec<String>,
    process: Process,
    /// A thread of its own writes these lines, since a program that does not read would block the writer.
    questions: Sender<String>,
    answers: Receiver<Result<String, What>>,
    /// The end of its error output, once the output has ended.
    errors: Receiver<Vec<u8>>,
}

impl Session {
    /// Starts a command on the responsibility of the caller: the permissions of strategies are not checked. The first
    /// word is the program, the others are its arguments; no shell is involved.
    pub fn open(command: &[String]) -> Result<Self, ProgramError> {
        Self::start(command, None).map_err(|what| error(command, what, String::new()))
    }

    /// Sends text, which ends with a line break, and reads this number of lines; `patience` is the limit for each.
    pub fn ask_for(
        &mut self,
        text: String,
        count: usize,
        patience: Duration,
    ) -> Result<Vec<String>, ProgramError> {
        self.say(text)
            .and_then(|()| (0..count).map(|_| self.line(patience)).collect())
            .map_err(|what| self.failed(what))
    }

    /// Starts a command by this file, or by its first word.
    pub(super) fn start(command: &[String], executable: Option<&Path>) -> Result<Self, What> {
        let (
            process,
            Pipes {
                input,
                output,
                errors: complaints,
            },
        ) = Process::start(command, executable)?;
        // A program that says more than it should is blocked until it is read.
        let (tell, answers) = sync_channel(16);
        let (tell_errors, errors) = channel();
        let (questions, to_write) = channel();
        let session = Self {
            command: command.to_vec(),
            process,
            questions,
            answers,
            errors,
        };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let refused = |error: std::io::Error| {
            What::Start(format!("the system cannot start a thread, {error}"))
        };
        thread("questions")
            .spawn(move || write_lines(input, &to_write))
            .map_err(refused)?;
        thread("answers")
            .spawn(move || send_lines(output, &tell))
            .map_err(refused)?;
        thread("errors")
            .spawn(move || send_end(complaints, &tell_errors))
            .map_err(refused)?;
        Ok(session)
    }

    /// Sends a line and waits for the answer, for `patience` at most.
    pub(super) fn ask(&mut self, line: &str, patience: Duration) -> Result<String, What> {
        self.say(format!("{line}\n"))?;
        self.line(patience)
    }

    /// Sends text to a program that has written nothing since its last answer.
    fn say(&self, text: String) -> Result<(), What> {
        if let Ok(line) = self.answers.try_recv() {
            return Err(What::More(line?));
        }
        // If the receiver is gone the program has ended, and reading the answer reports that.
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
                Err(RecvTimeoutError::Timeout) if task::is_cancelled_here() => {
                    return Err(What::Stopped);
                }
                Err(RecvTimeoutError::Timeout) if left <= LOOK => return Err(What::Late(patience)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Life::Ended(code) = self.process.life() {
                let last = self.answers.recv_timeout(PATIENCE_FOR_LAST);
                return last.unwrap_or(Err(What::Ended(code)));
            }
        }
    }

    /// Ends the program; the error gives its exit code and the end of its error output.
    pub(super) fn failed(&self, what: What) -> ProgramError {
        let code = self.process.end();
        let errors = self
            .errors
            .recv_timeout(PATIENCE_FOR_ERRORS)
            .unwrap_or_default();
        let what = if matches!(what, What::Ended(None)) {
            What::Ended(code)
        } else {
            what
        };
        error(
            &self.command,
            what,
            String::from_utf8_lossy(&errors).into_owned(),
        )
    }

    /// The error for an answer that cannot be used.
    pub fn wrong(&self, line: String, expected: String) -> ProgramError {
        self.failed(What::Wrong { line, expected })
    }
}

/// Returns when the program stops reading or the session is dropped.
fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if input
            .write_all(line.as_bytes())
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Returns when the output ends, a line is too long or is not text, or the session is dropped.
fn send_lines(output: impl Read, to: &SyncSender<Result<String, What>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        let answer = match read {
            Ok(1..) if line.ends_with(b"\n") => String::from_utf8(line)
                .map(|line| line.trim_end().to_owned())
                .map_err(|_| What::Binary),
            Ok(read) if read as u64 == LONGEST => Err(What::Long),
            _ => return,
        };
        let goes_on = answer.is_ok();
        if to.send(answer).is_err() || !goes_on {
            return;
        }
    }
}

fn send_end(mut output: impl Read, to: &Sender<Vec<u8>>) {
    let (mut part, mut tail) = ([0; 1024], Vec::new());
    while let Ok(read @ 1..) = output.read(&mut part) {
        tail.extend_from_slice(&part[..read]);
        tail.drain(..tail.len().saturating_sub(KEPT_ERRORS));
    }
    // The session may be dropped.
    let _ = to.send(tail);
}
