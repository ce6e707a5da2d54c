//! Ctrl-C and other signals that ask a program to end; see [`signals`].
//!
//! While something runs that can be stopped, each signal asks it to stop, and finished work is still written. At other
//! times a signal ends the program at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::flag;

use super::STOPPED;
use crate::task::CancelToken;
use crate::task::signals::{self, ASK_TO_END};

/// Whether nothing runs that can be stopped.
static IDLE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

/// Whether [`end_programs_first`] handles signals while nothing can be stopped.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// The last signal, as its place in [`ASK_TO_END`].
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The name of the last signal: `Ctrl-C`.
pub(super) fn name() -> &'static str {
    ASK_TO_END[LAST.load(Ordering::Relaxed)].1
}

pub(super) struct Interrupt {
    /// The flag that the signals raise.
    pub(super) stop: CancelToken,
}

/// While this lives, signals ask for a stop instead of ending the program.
pub(super) struct Busy {
    /// The flag that the signals raise.
    pub(super) stop: CancelToken,
}

impl Busy {
    /// Begins work that signals stop.
    pub(super) fn begin() -> Self {
        Interrupt::catch().busy()
    }
}

impl Interrupt {
    pub(super) fn catch() -> Self {
        let interrupt = Self {
            stop: CancelToken::new(),
        };
        let is_watched = IS_WATCHED.load(Ordering::Relaxed);
        for (place, (signal, _)) in ASK_TO_END.into_iter().enumerate() {
            if !signals::is_ignored(signal) {
                // A signal that cannot be caught keeps its default effect.
                let ends = || {
                    flag::register_conditional_shutdown(signal, STOPPED.into(), Arc::clone(&IDLE))
                        .map(drop)
                };
                let _ = if is_watched { Ok(()) } else { ends() }
                    .and_then(|()| flag::register_usize(signal, Arc::clone(&LAST), place))
                    .and_then(|_| flag::register(signal, interrupt.stop.flag()));
            }
        }
        interrupt
    }

    pub(super) fn busy(&self) -> Busy {
        IDLE.store(false, Ordering::Relaxed);
        Busy {
            stop: self.stop.clone(),
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // The watching thread may be late for a signal that has ended this work, and the results still have to be
        // written.
        let is_ending = IS_WATCHED.load(Ordering::Relaxed) && self.stop.is_cancelled();
        IDLE.store(!is_ending, Ordering::Relaxed);
    }
}

/// Whether a signal has ended the child programs, so that errors from their end are not reported.
static IS_LEAVING: AtomicBool = AtomicBool::new(false);

pub(super) fn is_leaving() -> bool {
    IS_LEAVING.load(Ordering::SeqCst)
}

/// From now on a signal that ends this program at once first ends its child programs. They lead their own process
/// groups, which Ctrl-C does not reach, and they might not react to the end of their input.
#[cfg(unix)]
pub(super) fn end_programs_first() {
    let caught = ASK_TO_END
        .map(|(signal, _)| signal)
        .into_iter()
        .filter(|&signal| !signals::is_ignored(signal));
    let (sender, receiver) = std::sync::mpsc::channel();
    let watch = move || {
        let Ok(mut signals) = signal_hook::iterator::Signals::new(caught) else {
            return;
        };
        let _ = sender.send(());
        for _ in signals.forever() {
            if IDLE.load(Ordering::Relaxed) {
                IS_LEAVING.store(true, Ordering::SeqCst);
                crate::program::end_all();
                signal_hook::low_level::exit(STOPPED.into());
            }
        }
    };

    if !IS_WATCHED.load(Ordering::Relaxed)
        && std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(watch)
            .is_ok()
    {
        IS_WATCHED.store(receiver.recv().is_ok(), Ordering::Relaxed);
    }
}

/// On Windows they end with this program in any case, and on other systems when their input ends.
#[cfg(not(unix))]
pub(super) fn end_programs_first() {}
