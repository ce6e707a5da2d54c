//! One program that runs: lines in, lines out.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::What;
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
    child: Box<dyn ChildWrapper>,
    /// What is written by a thread of its own, for who reads nothing lets it wait.
    questions: Sender<String>,
    answers: Receiver<Result<String, What>>,
    /// The end of its error output, once that is over.
    errors: Receiver<Vec<u8>>,
    is_ended: bool,
}

impl Session {
    /// Starts the first word of a command with the others.
    pub(super) fn start(command: &[String]) -> Result<Self, What> {
        let [name, arguments @ ..] = command else { return Err(What::Start("the command is empty".to_owned())) };
        let mut command = CommandWrap::with_new(name, |command| {
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let mut child = command.spawn().map_err(|error| What::Start(crate::files::said(&error)))?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(What::Start("it cannot be talked to".to_owned()));
        };
        // Who says more than is asked waits until it is read.
        let (tell, answers) = sync_channel(16);
        let (tell_errors, errors) = channel();
        let (questions, asked) = channel();
        let session = Self { child, questions, answers, errors, is_ended: false };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let refused = |error: std::io::Error| What::Start(format!("the system gave no thread, {error}"));
        thread("questions").spawn(move || write_lines(stdin, &asked)).map_err(refused)?;
        thread("answers").spawn(move || send_lines(stdout, &tell)).map_err(refused)?;
        thread("errors").spawn(move || send_end(stderr, &tell_errors)).map_err(refused)?;
        Ok(session)
    }

    /// Sends a line and waits for the one that answers it, both within its patience.
    pub(super) fn ask(&mut self, line: &str, patience: Duration) -> Result<String, What> {
        if let Ok(line) = self.answers.try_recv() {
            return Err(What::More(line?));
        }
        // Where nobody writes any more it has ended, which is seen below.
        let _ = self.questions.send(format!("{line}\n"));
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
            if let Ok(Some(status)) = self.child.try_wait() {
                let last = self.answers.recv_timeout(PATIENCE_FOR_LAST);
                return last.unwrap_or(Err(What::Ended(status.code())));
            }
        }
    }

    /// Ends it; returns its exit code, where it had one by then, and the end of its error output.
    pub(super) fn end(mut self) -> (Option<i32>, String) {
        let code = self.kill();
        let errors = self.errors.recv_timeout(PATIENCE_FOR_ERRORS).unwrap_or_default();
        (code, String::from_utf8_lossy(&errors).into_owned())
    }

    fn kill(&mut self) -> Option<i32> {
        // Once it was waited for, its number may be that of another one.
        if std::mem::replace(&mut self.is_ended, true) {
            return None;
        }
        // It may have ended by itself.
        let _ = self.child.start_kill();
        self.child.wait().ok()?.code()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.kill();
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
