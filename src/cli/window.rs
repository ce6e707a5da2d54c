//! Without a command: the window.

use clap::CommandFactory as _;

use super::Failure;
use super::args::{Args, WindowArgs};

/// What works where no window opens.
const HEADLESS: &str = "without a window these work: run, analyze, evaluate, play, strategies, check, bench";

pub(super) fn open(args: WindowArgs) -> Result<(), Failure> {
    // A misspelt command looks like a file.
    if let Some(file) = args.files.iter().find(|file| !file.exists()) {
        let is_command = |name: &str| Args::command().get_subcommands().any(|command| command.get_name() == name);
        if let Some(name) = file.to_str().filter(|name| is_command(name)) {
            let remedy = "put it first and leave the flags and files of the window out";
            return Err(Failure::usage(format!("{name} is a command: {remedy}")));
        }
        let reason = format!("{}: there is no such file or command; see --help", file.display());
        return Err(Failure::could(reason));
    }
    open_window(args)
}

#[cfg(feature = "gui")]
fn open_window(args: WindowArgs) -> Result<(), Failure> {
    use super::args::Theme;
    use crate::workbench::theme::ThemeChoice;
    use crate::workbench::{self, Options};

    let WindowArgs { files, config_dir, theme, size, screenshot } = args;
    let theme = theme.map(|theme| match theme {
        Theme::Dark => ThemeChoice::Dark,
        Theme::Light => ThemeChoice::Light,
    });
    workbench::run(Options { config_dir, theme, size, screenshot, files })
        .map_err(|reason| Failure::could(format!("{}; {HEADLESS}", reason.trim_end_matches('.'))))
}

#[cfg(not(feature = "gui"))]
fn open_window(_: WindowArgs) -> Result<(), Failure> {
    Err(Failure::could(format!("this build has no window (it lacks the feature gui); {HEADLESS}")))
}
