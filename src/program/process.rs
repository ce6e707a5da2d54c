//! A process and its children, which end together: when the `Process` is dropped, and when this program is about to
//! end.
//!
//! Children are ended through the process group that the program leads, on Windows through its job. On Linux, children
//! that have left the group are found through their parents just before. Three cases are out of reach: a child whose
//! parents have ended before it (a daemon); on other systems a child that has left the group; and, except on Windows,
//! all of them if this program is ended by a signal that cannot be caught. A program that reads its input ends even
//! then, because its input ends.

use std::path::Path;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, Mutex, Weak};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::What;
use crate::task::lock;

static RUNNING: Mutex<Running> = Mutex::new(Running {
    processes: Vec::new(),
    is_over: false,
});

/// All running processes, which [`end_all`] ends.
struct Running {
    processes: Vec<Weak<Mutex<State>>>,
    /// No more processes may start.
    is_over: bool,
}

/// A running program, which is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Process(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    child: Box<dyn ChildWrapper>,
    is_ended: bool,
}

pub(super) struct Pipes {
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    pub(super) errors: ChildStderr,
}

/// Whether a process still runs.
pub(super) enum Life {
    Runs,
    /// With its exit code, if it has one.
    Ended(Option<i32>),
}

/// Ends all running programs and lets no more start. It is for code that exits at once without dropping values.
pub fn end_all() {
    let mut running = lock(&RUNNING);
    running.is_over = true;
    let processes = std::mem::take(&mut running.processes);
    drop(running);
    for state in processes.iter().filter_map(Weak::upgrade) {
        lock(&state).end();
    }
}

/// Calls [`end_all`] when it is dropped. `main` owns one, so that the programs end on every way out, also after a
/// panic.
#[derive(Debug)]
pub struct EndAll;

impl Drop for EndAll {
    fn drop(&mut self) {
        end_all();
    }
}

impl Process {
    /// Starts the first word of a command with the others as its arguments. The system finds the program unless
    /// `executable` gives the file.
    pub(super) fn start(
        command: &[String],
        executable: Option<&Path>,
    ) -> Result<(Self, Pipes), What> {
        let [name, arguments @ ..] = command else {
            return Err(What::Start("the command is empty".to_owned()));
        };
        let file = executable.unwrap_or(Path::new(name));
        let mut command = CommandWrap::with_new(file, |command| {
            // A program may read the name that it was called by.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::arg0(command, name);
            command
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command
            .wrap(process_wrap::std::JobObject)
            // No console window appears.
            .wrap(process_wrap::std::CreationFlags(
                windows::Win32::System::Threading::CREATE_NO_WINDOW,
            ));

        #[cfg(windows)]
        end_with_this_program();
        // Locked until the process is listed, so that none starts after all were ended.
        let mut running = lock(&RUNNING);
        if running.is_over {
            return Err(What::Stopped);
        }
        let mut child = command
            .spawn()
            .map_err(|error| What::Start(crate::files::said(&error)))?;
        let pipes = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let process = Self(Arc::new(Mutex::new(State {
            child,
            is_ended: false,
        })));
        running.processes.retain(|state| state.strong_count() != 0);
        running.processes.push(Arc::downgrade(&process.0));
        drop(running);

        match pipes {
            (Some(input), Some(output), Some(errors)) => Ok((
                process,
                Pipes {
                    input,
                    output,
                    errors,
                },
            )),
            _ => Err(What::Start(
                "its input or output could not be opened".to_owned(),
            )),
        }
    }

    pub(super) fn life(&self) -> Life {
        match lock(&self.0).child.try_wait() {
            Ok(Some(status)) => Life::Ended(status.code()),
            _ => Life::Runs,
        }
    }

    /// Ends the process; returns its exit code, if it has one by then.
    pub(super) fn end(&self) -> Option<i32> {
        lock(&self.0).end()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

impl State {
    fn end(&mut self) -> Option<i32> {
        // Once the process has been waited for, its number may belong to another one.
        if std::mem::replace(&mut self.is_ended, true) {
            return None;
        }
        #[cfg(target_os = "linux")]
        let strays = match self.child.try_wait() {
            Ok(None) => strays::of(self.child.id()),
            _ => Vec::new(),
        };
        // It may have ended by itself.
        let _ = self.child.start_kill();
        let code = self.wait();
        #[cfg(target_os = "linux")]
        strays::end(&strays);
        code
    }

    #[cfg(not(windows))]
    fn wait(&mut self) -> Option<i32> {
        self.child.wait().ok()?.code()
    }

    /// Waits for the process, but not forever for the message that its job is empty: Windows does not guarantee it.
    #[cfg(windows)]
    fn wait(&mut self) -> Option<i32> {
        const LONGEST: std::time::Duration = std::time::Duration::from_secs(5);
        let begun = std::time::Instant::now();
        while begun.elapsed() < LONGEST {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.code();
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        None
    }
}

/// Puts this program into a job that ends with it, however it ends. Programs started from now on are in it, too.
#[cfg(windows)]
fn end_with_this_program() {
    static JOB: std::sync::OnceLock<Option<win32job::Job>> = std::sync::OnceLock::new();
    JOB.get_or_init(|| {
        let mut limits = win32job::ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = win32job::Job::create_with_limit_info(&limits).ok()?;
        // Without the job, programs still end with the sessions that own them.
        job.assign_current_process().ok()?;
        Some(job)
    });
}

#[cfg(target_os = "linux")]
mod strays {
    //! The children of a process, their children and so on, in whatever group they are.

    use std::fs;
    use std::os::fd::OwnedFd;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// If a program starts more, the rest are left to the system.
    const MOST: usize = 1000;

    /// Open handles of the children, so that their numbers are not reused.
    pub(super) fn of(id: u32) -> Vec<OwnedFd> {
        let (mut handles, mut parents) = (Vec::new(), vec![id]);
        while let Some(parent) = parents.pop() {
            for child in children(parent) {
                let handle = i32::try_from(child).ok().and_then(Pid::from_raw);
                let handle = handle.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
                // The parent is checked once the handle is open: until then the number could belong to another process.
                if let Some(handle) =
                    handle.filter(|_| parent_of(child) == Some(parent) && handles.len() < MOST)
                {
                    handles.push(handle);
                    parents.push(child);
                }
            }
        }
        handles
    }

    pub(super) fn end(handles: &[OwnedFd]) {
        for handle in handles {
            // Most have ended with their group.
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
    }

    fn children(id: u32) -> Vec<u32> {
        let threads = fs::read_dir(format!("/proc/{id}/task"))
            .into_iter()
            .flatten()
            .flatten();
        let lists =
            threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        lists
            .flat_map(|list| {
                list.split_whitespace()
                    .filter_map(|id| id.parse().ok())
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    fn parent_of(id: u32) -> Option<u32> {
        // The process name before it may contain any character.
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()
    }
}
