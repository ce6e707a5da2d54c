//! The signals that ask a program to end: Ctrl-C, SIGTERM (`kill`, `timeout`, batch systems), SIGHUP (a closed
//! terminal, a logout).

use std::fs;

use signal_hook::consts::{SIGINT, SIGTERM};

/// The signals with their names. Their numbers are the same on all systems.
pub const ASK_TO_END: [(i32, &str); 3] =
    [(SIGINT, "Ctrl-C"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")];

const SIGHUP: i32 = 1;

/// Whether the program was started with a signal ignored, as `nohup` does with SIGHUP.
pub fn is_ignored(signal: i32) -> bool {
    ignored() >> (signal - 1) & 1 == 1
}

/// One bit for each signal, from 1. Only Linux reports them; on other systems SIGHUP counts as ignored, since `nohup`
/// matters more there than a closed terminal.
fn ignored() -> u64 {
    let of_line = |line: &str| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok();
    let status = fs::read_to_string("/proc/self/status").ok();
    status
        .and_then(|status| status.lines().find_map(of_line))
        .unwrap_or(1 << (SIGHUP - 1))
}
