//! Work on threads: start, pause, cancel, and report every failure.
//!
//! [`spawn`] runs the same function on each thread of a pool. Long work has a [`Control`] between owner and workers. A
//! [`Task`] is one piece of work on one thread, listed in [`Tasks`] while it runs, and has one too. A [`Latest`] is a
//! task whose key changes; use it for repeated requests with different keys. The status bar reads [`Tasks`], and Escape
//! stops there what began with [`TaskInfo::asked`]; `told` is shown but not stopped, `silent` neither. The list of the
//! window is `Document::tasks`; the owner of a task polls it every frame.

mod available;
mod cancel;
mod control;
mod latest;
mod memory;
mod no_answer;
mod quiet;
mod running;
pub mod signals;
mod threads;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use available::{address_space_left, memory_available};
pub use cancel::{CancelToken, is_cancelled_here, unless_cancelled};
pub use control::{Control, Work, WorkState};
pub use latest::{Latest, TaskState};
pub use memory::{prefetch, reserve_large};
pub use no_answer::{NoAnswer, no_answer};
pub use quiet::catch_quietly;
pub use running::{Job, TELL_AFTER, Task, TaskError, TaskGroup, TaskInfo, Tasks, Wake};
pub use threads::{
    MOST_THREADS, Threads, ThreadsError, WorkerPanic, in_pool, map_side_by_side, on_each,
    panic_message, side_by_side, spawn, threads_for_cli, threads_for_window,
};

/// Locks even after a panic in another thread: every critical section leaves its data valid.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// CPU time of this thread since it began, which does not include other work on the computer. If the system does not
/// report it, the wall time since the first call.
pub fn cpu_time() -> Duration {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(
            u64::try_from(time.tv_sec).unwrap_or(0),
            u32::try_from(time.tv_nsec).unwrap_or(0),
        )
    }
    #[cfg(windows)]
    {
        // In steps of about 16 ms; sums are right.
        cpu_time::ThreadTime::now().as_duration()
    }
    #[cfg(not(any(unix, windows)))]
    {
        static FIRST: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        FIRST.elapsed()
    }
}

/// What [`cpu_time`] measures on this system.
pub const CPU_TIME: &str = if cfg!(any(unix, windows)) {
    "CPU time"
} else {
    "wall time"
};
