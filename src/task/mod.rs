//! Work on threads of its own: started, paused, cancelled, and never lost in silence.
//!
//! A leaf: it knows neither games nor windows. A [`Gate`] is what the owner of a job and its workers share: workers
//! [`pass`](Gate::pass) it between two pieces of work, the owner closes and opens it. [`spawn`] runs the same function
//! on each thread of a pool and reports once, when the last thread is done or the first one panicked.
//!
//! A [`Task`] is one piece of work on one thread, listed in [`Tasks`] while it runs; a [`Latest`] is a task whose question
//! changes. Whoever asks again and again, with another key each time, holds a [`Latest`].
//! The status bar reads [`Tasks`], and Escape stops there what began with [`TaskInfo::asked`]; `told` is shown but not stopped,
//! `silent` neither. The list of the window is `Document::tasks`; whoever holds a task polls it every frame.

mod cancel;
mod clock;
mod gate;
mod latest;
mod lock;
mod running;
mod threads;

pub use cancel::CancelToken;
pub use clock::cpu_time;
pub use gate::Gate;
pub use latest::{Latest, TaskState};
pub use lock::lock;
pub use running::{Job, TELL_AFTER, Task, TaskError, TaskGroup, TaskInfo, Tasks, Wake};
pub use threads::{MOST_THREADS, Threads, ThreadsError, panic_message, spawn, threads_for_cli, threads_for_window};
