//! Without a command: the window.

use super::Failure;
use super::args::WindowArgs;

/// What works where no window opens.
const HEADLESS: &str = "without a window these work: run, analyze, evaluate, play, strategies, check, bench";

pub(super) fn open(args: WindowArgs) -> Result<(), Failure> {
    // A misspelt command looks like a file.
    if let Some(file) = args.files.iter().find(|file| !file.exists()) {
        let reason = format!("{}: there is no such file or command; see --help", file.display());
        return Err(Failure::could(reason));
    }
    open_window(args)
}

fn open_window(_: WindowArgs) -> Result<(), Failure> {
    Err(Failure::could(format!("this build has no window (it lacks the feature gui); {HEADLESS}")))
}
