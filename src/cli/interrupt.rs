//! Ctrl-C, and what else asks a program to end: SIGTERM (`kill`, `timeout`, batch systems), SIGHUP (a closed terminal).
//!
//! While something runs that can be stopped they all ask it to stop, as often as they come: what was finished is still
//! written. At other times they end the program at once.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::STOPPED;
use crate::task::CancelToken;

/// The signals with their names. They have one number on all systems.
const SIGNALS: [(i32, &str); 3] = [(SIGINT, "Ctrl-C"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")];

const SIGHUP: i32 = 1;

/// Which of the signals came last, as its place among them.
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// What asked to stop: `Ctrl-C`.
pub(super) fn name() -> &'static str {
    SIGNALS[LAST.load(Ordering::Relaxed)].1
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
        let ignored = ignored();
        for (place, (signal, _)) in SIGNALS.into_iter().enumerate() {
            if ignored >> (signal - 1) & 1 == 0 {
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

/// The signals that whoever started the program wants ignored, as `nohup` does with SIGHUP: a bit each, from 1. Only Linux
/// tells; elsewhere SIGHUP is left alone, for `nohup` matters more there than a closed terminal.
fn ignored() -> u64 {
    let of_line = |line: &str| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok();
    let status = fs::read_to_string("/proc/self/status").ok();
    status.and_then(|status| status.lines().find_map(of_line)).unwrap_or(1 << (SIGHUP - 1))
}
