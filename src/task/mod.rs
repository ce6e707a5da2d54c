//! Work on threads of its own: started, paused, cancelled, and never lost in silence.
//!
//! A leaf: it knows neither games nor windows. A [`Gate`] is what the owner of a job and its workers share: workers
//! [`pass`](Gate::pass) it between two pieces of work, the owner closes and opens it. [`spawn`] runs the same function
//! on each thread of a pool and reports once, when the last thread is done or the first one panicked.

mod cancel;
mod clock;
mod gate;
mod lock;
mod threads;

pub use cancel::CancelToken;
pub use clock::cpu_time;
pub use gate::Gate;
pub use lock::lock;
pub use threads::{MOST_THREADS, Threads, ThreadsError, panic_message, spawn, threads_for_cli, threads_for_window};
