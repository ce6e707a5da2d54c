//! Opens the window if there is no command, and draws figures as the window draws them.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory as _;
#[cfg(feature = "gui")]
use strum::IntoEnumIterator as _;

use super::Failure;
use super::args::{Args, WindowArgs};
use super::figure_args::FigureArgs;
#[cfg(feature = "gui")]
use super::figure_args::FigureKind;
use crate::files;
use crate::ron_text::nearest;
#[cfg(feature = "gui")]
use crate::workbench::command::{Panel, TreeView};

/// The commands that work without a window.
const HEADLESS: &str = "every command of afterstate --help works without a window";

pub(super) fn open(args: WindowArgs) -> Result<(), Failure> {
    // A misspelled command looks like a file.
    if let Some(file) = args.files.iter().find(|file| !file.exists()) {
        let name = file.to_string_lossy();
        if has_command(&name) {
            let remedy = "put it first, without flags and files of the window";
            return Err(Failure::usage(format!("{name} is a command: {remedy}")));
        }
        let none = || {
            Failure::could(format!(
                "{name}: there is no such file or command; see --help"
            ))
        };
        return Err(misspelt(file).map_or_else(none, Failure::usage));
    }
    if let Some(path) = &args.screenshot {
        files::check_place(path)?;
    }
    open_window(args)
}

/// Whether the program has a command with this name.
fn has_command(name: &str) -> bool {
    Args::command().find_subcommand(name).is_some()
}

/// The message for a file that does not exist and whose name is almost a command.
pub(super) fn misspelt(file: &Path) -> Option<String> {
    let name = file.to_str().filter(|_| !file.exists())?;
    let args = Args::command();
    let commands: Vec<&str> = args
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let command = nearest(name, &commands).filter(|command| *command != name)?;
    Some(format!(
        "{name} is neither a command nor a file: did you mean {command}?"
    ))
}

#[cfg(feature = "gui")]
fn open_window(args: WindowArgs) -> Result<(), Failure> {
    use super::args::Theme;
    use crate::workbench::theme::ThemeChoice;
    use crate::workbench::{self, Options, RunError};

    let WindowArgs {
        files,
        config_dir,
        theme,
        size,
        screenshot,
    } = args;
    let theme = theme.map(|theme| match theme {
        Theme::Dark => ThemeChoice::Dark,
        Theme::Light => ThemeChoice::Light,
        Theme::HighContrastDark => ThemeChoice::HighContrastDark,
        Theme::HighContrastLight => ThemeChoice::HighContrastLight,
    });
    workbench::run(Options {
        config_dir,
        theme,
        size,
        screenshot,
        files,
        is_fresh: false,
    })
    .map_err(|error| match error {
        RunError::NoWindow(reason) => {
            Failure::could(format!("{}; {HEADLESS}", reason.trim_end_matches('.')))
        }
        RunError::NoPicture(reason) => Failure::could(reason),
    })
}

/// Draws a panel of the window into a file; no display is needed.
#[cfg(feature = "gui")]
pub(super) fn figure(args: FigureArgs, out: &mut impl Write) -> Result<(), Failure> {
    use super::interrupt::Busy;
    use crate::workbench::state::figure::{FigureGround, FigureOptions};
    use crate::workbench::{FigureOrder, Options, command::PictureFormat, draw_figure};

    let ending = args
        .out
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let Some(format) = PictureFormat::iter().find(|format| format.ending() == ending) else {
        let name = args.out.display();
        return Err(Failure::usage(format!(
            "{name}: figures are .pdf, .svg or .png files: end the name with one"
        )));
    };
    for (is_given, belongs, flag, to) in [
        (
            args.dpi.is_some(),
            format == PictureFormat::Png,
            "--dpi",
            "a .png",
        ),
        (
            args.spawns,
            args.what == FigureKind::Board,
            "--spawns",
            "a board",
        ),
    ] {
        if is_given && !belongs {
            return Err(Failure::usage(format!(
                "{flag} works only for {to}: leave it out"
            )));
        }
    }
    let figure = FigureOptions {
        format,
        width: args.width,
        height: args.height,
        text: args.text,
        dpi: u32::try_from(args.dpi.unwrap_or(300)).unwrap_or(u32::MAX),
        ground: if args.dark {
            FigureGround::Dark
        } else {
            FigureGround::White
        },
        caption: !args.no_caption,
        ..FigureOptions::default()
    };
    if let Some(problem) = figure.problem() {
        return Err(Failure::usage(problem));
    }
    if let Some(missing) = args.files.iter().find(|file| !file.exists()) {
        return Err(Failure::missing(
            missing,
            format!("{}: there is no such file", missing.display()),
        ));
    }
    files::check_place(&args.out)?;
    let window = Options {
        config_dir: args.config_dir,
        files: args.files,
        ..Options::default()
    };
    let (panel, view, plot) = shown(args.what);
    let order = FigureOrder {
        panel,
        view,
        plot,
        figure,
        caption: args.caption,
        spawn_map: args.spawns,
        window,
    };
    let busy = Busy::begin();
    let drawn = draw_figure(order, || busy.stop.is_cancelled());
    if busy.stop.is_cancelled() {
        return Err(Failure::Stopped("; no file is written".to_owned()));
    }
    files::write(&args.out, &drawn.map_err(Failure::could)?)?;
    drop(busy);
    writeln!(out, "{}", args.out.display())?;
    Ok(())
}

/// The panel that shows it, and its settings.
#[cfg(feature = "gui")]
fn shown(kind: FigureKind) -> (Panel, Option<TreeView>, Option<String>) {
    let plot = |name: &str| (Panel::Experiment, None, Some(name.to_owned()));
    match kind {
        FigureKind::Board => (Panel::Board, None, None),
        FigureKind::Decision => (Panel::Decision, None, None),
        FigureKind::Tree => (Panel::Tree, Some(TreeView::Tree), None),
        FigureKind::Icicle => (Panel::Tree, Some(TreeView::Icicle), None),
        FigureKind::Columns => (Panel::Tree, Some(TreeView::Columns), None),
        FigureKind::Plies => (Panel::Tree, Some(TreeView::Plies), None),
        FigureKind::Why => (Panel::Why, None, None),
        FigureKind::BestPlay => (Panel::BestPlay, None, None),
        FigureKind::Histogram => plot("Histogram"),
        FigureKind::Ecdf => plot("ECDF"),
        FigureKind::Ladder => plot("Ladder"),
        FigureKind::Box => plot("Box"),
        FigureKind::Paired => plot("Paired"),
        FigureKind::Sweep => plot("Sweep"),
        FigureKind::Results => (Panel::Results, None, None),
        FigureKind::Row => (Panel::Row, None, None),
    }
}

#[cfg(not(feature = "gui"))]
pub(super) fn figure(_: FigureArgs, _: &mut impl Write) -> Result<(), Failure> {
    Err(Failure::could(
        "this build draws no figures (it lacks the feature gui)",
    ))
}

#[cfg(not(feature = "gui"))]
fn open_window(_: WindowArgs) -> Result<(), Failure> {
    Err(Failure::could(format!(
        "this build has no window (it lacks the feature gui); {HEADLESS}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_a_text_of_the_field_is_a_command() {
        let claims = crate::claims::Text::each().expect("sound files");
        let by = claims.into_iter().flat_map(|(_, claim)| &claim.by);
        let commands: Vec<&str> = by
            .filter_map(|by| by.strip_prefix("afterstate ")?.split(' ').next())
            .collect();
        assert!(!commands.is_empty());
        for command in commands {
            assert!(has_command(command), "afterstate has no {command}");
        }
    }
}
