//! Signals to a child process, for tests that send them.

use std::process::{Command, Stdio};

/// The program at this path with the default signal handlers. A shell without job control ignores Ctrl-C for background
/// processes; tests may run in one, and the program inherits it.
pub(crate) fn interruptible(path: &str) -> Command {
    let reset = ["--default-signal=INT,TERM,HUP"];
    let status = Command::new("env")
        .args(reset)
        .arg("true")
        .stderr(Stdio::null())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return Command::new(path);
    }
    let mut command = Command::new("env");
    command.args(reset).arg(path);
    command
}
