//! Without a command: the window.

use std::path::Path;

use clap::CommandFactory as _;

use super::Failure;
use super::args::{Args, WindowArgs};
use crate::files;
use crate::ron_text::nearest;

/// What works where no window opens.
const HEADLESS: &str = "without a window these work: run, analyze, evaluate, play, strategies, check, bench";

pub(super) fn open(args: WindowArgs) -> Result<(), Failure> {
    // A misspelt command looks like a file.
    if let Some(file) = args.files.iter().find(|file| !file.exists()) {
        let name = file.to_string_lossy();
        if has_command(&name) {
            let remedy = "put it first and leave the flags and files of the window out";
            return Err(Failure::usage(format!("{name} is a command: {remedy}")));
        }
        let none = || Failure::could(format!("{name}: there is no such file or command; see --help"));
        return Err(misspelt(file).map_or_else(none, Failure::usage));
    }
    if let Some(path) = &args.screenshot {
        files::check_place(path)?;
    }
    open_window(args)
}

/// Whether the program has a command of this name.
pub(crate) fn has_command(name: &str) -> bool {
    Args::command().find_subcommand(name).is_some()
}

/// What to say of a file that does not exist and is nearly a command.
pub(super) fn misspelt(file: &Path) -> Option<String> {
    let name = file.to_str().filter(|_| !file.exists())?;
    let args = Args::command();
    let commands: Vec<&str> = args.get_subcommands().map(clap::Command::get_name).collect();
    let command = nearest(name, &commands).filter(|command| *command != name)?;
    Some(format!("{name} is no command and no file: did you mean {command}?"))
}

#[cfg(feature = "gui")]
fn open_window(args: WindowArgs) -> Result<(), Failure> {
    use super::args::Theme;
    use crate::workbench::theme::ThemeChoice;
    use crate::workbench::{self, Options, RunError};

    let WindowArgs { files, config_dir, theme, size, screenshot } = args;
    let theme = theme.map(|theme| match theme {
        Theme::Dark => ThemeChoice::Dark,
        Theme::Light => ThemeChoice::Light,
        Theme::HighContrastDark => ThemeChoice::HighContrastDark,
        Theme::HighContrastLight => ThemeChoice::HighContrastLight,
    });
    workbench::run(Options { config_dir, theme, size, screenshot, files }).map_err(|error| match error {
        RunError::NoWindow(reason) => Failure::could(format!("{}; {HEADLESS}", reason.trim_end_matches('.'))),
        RunError::NoPicture(reason) => Failure::could(reason),
    })
}

#[cfg(not(feature = "gui"))]
fn open_window(_: WindowArgs) -> Result<(), Failure> {
    Err(Failure::could(format!("this build has no window (it lacks the feature gui); {HEADLESS}")))
}
