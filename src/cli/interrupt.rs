//! Ctrl-C: the first one asks what runs to stop, the second one ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::task::CancelToken;

/// Catches Ctrl-C while something runs that can be stopped; at other times it ends the program, as ever.
pub(super) struct Interrupt {
    /// The flag that Ctrl-C raises.
    pub(super) stop: CancelToken,
    busy: Arc<AtomicBool>,
}

/// While it lives, Ctrl-C asks instead of ending.
pub(super) struct Busy<'a>(&'a AtomicBool);

impl Interrupt {
    pub(super) fn catch() -> Self {
        let interrupt = Self { stop: CancelToken::new(), busy: Arc::default() };
        let (stop, busy) = (interrupt.stop.clone(), interrupt.busy.clone());
        // Where Ctrl-C is ignored, as in the background of a shell, or cannot be caught, it keeps doing what it does there.
        let _ = ctrlc::try_set_handler(move || {
            if stop.is_cancelled() || !busy.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
            stop.cancel();
        });
        interrupt
    }

    pub(super) fn busy(&self) -> Busy<'_> {
        self.busy.store(true, Ordering::Relaxed);
        Busy(&self.busy)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
