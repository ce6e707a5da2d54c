//! Ctrl-C, and what else asks a program to end; see [`signals`].
//!
//! While something runs that can be stopped they all ask it to stop, as often as they come: what was finished is still
//! written. At other times they end the program at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::flag;

use super::STOPPED;
use crate::task::CancelToken;
use crate::task::signals::{self, ASK_TO_END};

/// Which of the signals came last, as its place in [`ASK_TO_END`].
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// What asked to stop: `Ctrl-C`.
pub(super) fn name() -> &'static str {
    ASK_TO_END[LAST.load(Ordering::Relaxed)].1
}

pub(super) struct Interrupt {
    /// The flag that the signals raise.
    pub(super) stop: CancelToken,
    idle: Arc<AtomicBool>,
}

/// While it lives, signals ask instead of ending.
pub(super) struct Busy<'a>(&'a AtomicBool);

impl Interrupt {
    pub(super) fn catch() -> Self {
        let interrupt = Self { stop: CancelToken::new(), idle: Arc::new(AtomicBool::new(true)) };
        for (place, (signal, _)) in ASK_TO_END.into_iter().enumerate() {
            if !signals::is_ignored(signal) {
                // What cannot be caught keeps doing what it does.
                let _ = flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(&interrupt.idle))
                    .and_then(|_| flag::register_usize(signal, Arc::clone(&LAST), place))
                    .and_then(|_| flag::register(signal, interrupt.stop.flag()));
            }
        }
        interrupt
    }

    pub(super) fn busy(&self) -> Busy<'_> {
        self.idle.store(false, Ordering::Relaxed);
        Busy(&self.idle)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
