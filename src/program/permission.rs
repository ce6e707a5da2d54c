//! Which commands may run. A strategy is a text that may come from anybody, and a program may do whatever its user may; so none
//! runs before somebody at this machine has said so, for this command or for all.
//!
//! This list lives as long as the program. The window fills it from its settings; the command line allows all or nothing.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::command;
use crate::task::lock;

static ALL: AtomicBool = AtomicBool::new(false);
static ALLOWED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Lets every command run.
pub fn allow_all() {
    ALL.store(true, Ordering::Relaxed);
}

/// Lets the command of this [key](command::key) run.
pub fn allow(key: String) {
    lock(&ALLOWED).insert(key);
}

pub fn is_allowed(command: &[String]) -> bool {
    ALL.load(Ordering::Relaxed) || lock(&ALLOWED).contains(&command::key(command))
}
