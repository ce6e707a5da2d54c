//! The settings of the window, in one small RON file.
//!
//! The file is written completely and then renamed into place, so two windows may write it at the same time: the last
//! one wins, and neither can break it. An unreadable file is renamed, never overwritten.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use ron::error::SpannedError;
use serde::{Deserialize, Serialize};

use super::figure::FigureOptions;
use super::layout::Layouts;
use super::{RECORD_CAP, RECORD_CAPS};
use crate::files::{self, LARGEST_FILE, ReadError, ReadProblem};
use crate::program::permission::Fingerprint;
use crate::ron_text;
use crate::task::MOST_THREADS;
use crate::workbench::theme::ThemeChoice;

/// Version of the files of settings and sessions; a higher one comes from a later program.
pub const VERSION: u32 = 1;

pub const SCALES: std::ops::RangeInclusive<f32> = 0.5..=3.0;

/// The saved settings. Missing fields get their default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub version: u32,
    pub theme: ThemeChoice,
    /// 1 is 100 %.
    pub scale: f32,
    /// Whether animations are on.
    pub motion: bool,
    /// Whether the board shows the spawn map.
    pub spawn_map: bool,
    /// Moves per second.
    pub autoplay_speed: f32,
    /// Worker threads of an experiment; `None` leaves one core to the window.
    pub threads: Option<usize>,
    /// Maximum number of nodes in the record of a search.
    pub record_cap: usize,
    /// Threads of one decision; `None` uses those of an experiment if set, else all cores.
    pub search_threads: Option<usize>,
    /// Whether the current game is judged in the background.
    pub judge_in_background: bool,
    /// The commands that strategies may run, each with a fingerprint of its files. The field `programs` of older files
    /// contained paths only and allows nothing.
    pub allowed_programs: Vec<Fingerprint>,
    pub plots: PlotSettings,
    pub experiment: ExperimentView,
    pub figure: FigureOptions,
    pub layouts: Layouts,
    pub window: WindowPlace,
}

/// The last size of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowPlace {
    /// Without its frame, in points at 100 %; `None` for the default size. A maximized window keeps its previous size.
    pub size: Option<[f32; 2]>,
    pub maximized: bool,
}

/// Options of the plots of scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotSettings {
    /// Width of a bin in points; `None` for automatic.
    pub width: Option<u32>,
    /// Bins per doubling of the score, on a logarithmic axis; `None` for automatic.
    pub per_doubling: Option<u32>,
    /// Whether the axis is logarithmic.
    pub log2: bool,
    /// Whether bars are split by largest tile.
    pub stacked: bool,
    /// Whether the axis includes the few games far above all others.
    pub whole: bool,
}

/// The view state of the experiment panels, by names of strategies, plots and columns; unknown names are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExperimentView {
    /// Whether the set-up is open; `None` until the user opens or closes it.
    pub setup_open: Option<bool>,
    pub plot: Option<String>,
    pub selected: Option<String>,
    /// The baseline.
    pub baseline: Option<String>,
    /// Columns that sort the results, and whether descending; empty for the default order.
    pub sort: Vec<(String, bool)>,
    /// Hidden columns of the results.
    pub hidden: Vec<String>,
    /// Hidden columns of the list of runs.
    pub hidden_of_runs: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: VERSION,
            theme: ThemeChoice::System,
            scale: 1.0,
            motion: true,
            spawn_map: false,
            autoplay_speed: 8.0,
            threads: None,
            record_cap: RECORD_CAP,
            search_threads: None,
            judge_in_background: true,
            allowed_programs: Vec::new(),
            plots: PlotSettings::default(),
            experiment: ExperimentView::default(),
            figure: FigureOptions::default(),
            layouts: Layouts::default(),
            window: WindowPlace::default(),
        }
    }
}

/// Only the version, read before the rest is trusted.
#[derive(Deserialize)]
struct Versioned {
    #[serde(default)]
    version: u32,
}

impl Settings {
    /// Reads the file in `folder`; the sentence is a message for the user if there was a problem.
    pub fn load(folder: &Path) -> (Self, Option<String>) {
        let path = Self::path(folder);
        let text = match files::read_text(&path, LARGEST_FILE) {
            Ok(text) => text,
            Err(ReadError {
                problem: ReadProblem::Missing,
                ..
            }) => return (Self::default(), None),
            Err(ReadError {
                problem: problem @ (ReadProblem::Binary { .. } | ReadProblem::Utf16),
                ..
            }) => {
                let outcome = set_aside(&path, "bad");
                return (
                    Self::default(),
                    Some(format!(
                        "The settings could not be read ({problem}) and were {outcome}"
                    )),
                );
            }
            Err(error) => {
                return (
                    Self::default(),
                    Some(format!("The settings could not be read: {error}")),
                );
            }
        };
        let place = |error: SpannedError| {
            format!(
                "line {}, column {}",
                error.span.start.line, error.span.start.col
            )
        };
        match read_or_set_aside(&path, ["The settings", "are", "were"], &text, || {
            ron::from_str(&text).map_err(place)
        }) {
            Ok(settings) => (Self::checked(settings), None),
            Err(sentence) => (Self::default(), Some(sentence)),
        }
    }

    /// Writes the file into `folder`, creating the folder if needed.
    pub fn save(&self, folder: &Path) -> Result<(), String> {
        let path = Self::path(folder);
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default())
            .map_err(|error| format!("Settings could not be written: {error}"))?;
        files::make_folder(folder)
            .and_then(|()| files::write(&path, text.as_bytes()))
            .map_err(|error| error.to_string())
    }

    pub fn path(folder: &Path) -> PathBuf {
        folder.join("settings.ron")
    }

    /// Corrects out-of-range values of a hand-edited file.
    fn checked(mut self) -> Self {
        let default = Self::default();
        if !self.scale.is_finite() {
            self.scale = default.scale;
        }
        if !self.autoplay_speed.is_finite() {
            self.autoplay_speed = default.autoplay_speed;
        }

        self.version = VERSION;
        self.scale = self.scale.clamp(*SCALES.start(), *SCALES.end());
        self.autoplay_speed = self.autoplay_speed.clamp(0.5, 1000.0);
        self.plots.width = self.plots.width.filter(|&width| 0 < width);
        self.plots.per_doubling = self.plots.per_doubling.filter(|&parts| 0 < parts);
        self.record_cap = self.record_cap.clamp(1, RECORD_CAPS[RECORD_CAPS.len() - 1]);
        for threads in [&mut self.threads, &mut self.search_threads] {
            *threads = threads.filter(|threads| (1..=MOST_THREADS).contains(threads));
        }

        self.layouts.check();
        let sides = 100.0..=100_000.0;
        self.window.size = self
            .window
            .size
            .filter(|size| size.iter().all(|side| sides.contains(side)));
        self
    }
}

/// The content of a saved file. A newer or unreadable file is renamed, and the error is a sentence about `what`.
pub(super) fn read_or_set_aside<T, E: fmt::Display>(
    path: &Path,
    [what, is, was]: [&str; 3],
    text: &str,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, String> {
    if let Ok(Versioned { version }) = ron_text::read(text)
        && VERSION < version
    {
        let outcome = set_aside(path, &format!("v{version}"));
        return Err(format!(
            "{what} {is} from a newer Afterstate (version {version}) and {was} {outcome}"
        ));
    }
    read().map_err(|reason| {
        format!(
            "{what} could not be read ({reason}) and {was} {}",
            set_aside(path, "bad")
        )
    })
}

/// Renames an unreadable file; returns a phrase with its new name.
pub(super) fn set_aside(path: &Path, suffix: &str) -> String {
    let aside = aside(path, suffix);
    match fs::rename(path, &aside) {
        Ok(()) => format!("renamed to {}; defaults are in use", aside.display()),
        Err(error) => format!(
            "left in place ({}); defaults are in use",
            files::said(&error)
        ),
    }
}

/// Copies a partly unreadable file before it is rewritten; returns a phrase with the copy's name.
pub(super) fn keep_aside(path: &Path, suffix: &str) -> String {
    let aside = aside(path, suffix);
    match fs::copy(path, &aside) {
        Ok(_) => format!("a copy is saved as {}", aside.display()),
        Err(error) => format!(
            "{} cannot be copied ({})",
            path.display(),
            files::said(&error)
        ),
    }
}

/// A free name for a renamed file; earlier ones stay.
fn aside(path: &Path, suffix: &str) -> PathBuf {
    let numbered = |number: u32| match number {
        1 => path.with_extension(format!("ron.{suffix}")),
        _ => path.with_extension(format!("ron.{suffix}-{number}")),
    };
    (1..)
        .map(numbered)
        .find(|aside| !aside.exists())
        .unwrap_or_else(|| numbered(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::command::Panel;
    use crate::workbench::state::layout::Class;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = folder();
        let plots = PlotSettings {
            width: Some(40),
            stacked: true,
            ..PlotSettings::default()
        };
        let mut settings = Settings {
            theme: ThemeChoice::Light,
            scale: 1.25,
            threads: Some(3),
            plots,
            ..Settings::default()
        };
        settings
            .layouts
            .of(Class::Medium)
            .show(Panel::Games, Panel::Results);
        settings.save(folder.path()).expect("saved");
        assert_eq!(Settings::load(folder.path()), (settings, None));
    }

    #[test]
    fn a_size_that_no_window_has_is_left_out() {
        let folder = folder();
        let window = WindowPlace {
            size: Some([1280.0, 760.0]),
            maximized: true,
        };
        Settings {
            window,
            ..Settings::default()
        }
        .save(folder.path())
        .expect("saved");
        assert_eq!(Settings::load(folder.path()).0.window, window);
        for wrong in [
            "(window: (size: Some((NaN, 700.0))))",
            "(window: (size: Some((1.0, 1.0e9))))",
        ] {
            fs::write(Settings::path(folder.path()), wrong).expect("written");
            assert_eq!(
                Settings::load(folder.path()),
                (Settings::default(), None),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_permission_of_an_older_file_is_asked_for_again() {
        let folder = folder();
        let command = ["sh", "-c", "exit 0"].map(str::to_owned);
        let here = std::env::current_dir().expect("a folder");
        let text = format!(
            "(scale: 1.5, programs: [{:?}])",
            format!("sh -c \"exit 0\" in {}", here.display())
        );
        fs::write(Settings::path(folder.path()), text).expect("written");
        let (mut settings, news) = Settings::load(folder.path());
        assert_eq!(
            (settings.scale, news, settings.allowed_programs.len()),
            (1.5, None, 0)
        );
        settings
            .allowed_programs
            .push(Fingerprint::of(&command).expect("readable"));
        settings.save(folder.path()).expect("saved");
        assert_eq!(Settings::load(folder.path()), (settings, None));
        assert!(
            !fs::read_to_string(Settings::path(folder.path()))
                .expect("text")
                .contains(" programs:")
        );
    }

    #[test]
    fn no_file_is_no_news() {
        let folder = folder();
        assert_eq!(Settings::load(folder.path()), (Settings::default(), None));
    }

    #[test]
    fn garbage_is_set_aside_and_reported_once() {
        for garbage in [
            &b"(theme: Purple"[..],
            b"\xff\xfe\x00\x01",
            b"",
            b"(scale: \"wide\")",
        ] {
            let folder = folder();
            fs::write(Settings::path(folder.path()), garbage).expect("written");
            let (settings, news) = Settings::load(folder.path());
            assert_eq!(settings, Settings::default());
            assert!(news.expect("a sentence").contains("settings.ron.bad"));
            assert_eq!(
                fs::read(folder.path().join("settings.ron.bad")).expect("kept"),
                garbage
            );
            assert_eq!(Settings::load(folder.path()).1, None);
        }
    }

    #[test]
    fn a_newer_file_is_kept_beside() {
        let folder = folder();
        fs::write(
            Settings::path(folder.path()),
            "(version: 9, hologram: true)",
        )
        .expect("written");
        let (settings, news) = Settings::load(folder.path());
        assert_eq!(settings, Settings::default());
        assert!(
            news.expect("a sentence")
                .contains("newer Afterstate (version 9)")
        );
        assert!(folder.path().join("settings.ron.v9").exists());
    }

    #[test]
    fn values_out_of_range_are_brought_back() {
        let folder = folder();
        fs::write(
            Settings::path(folder.path()),
            "(scale: 90.0, autoplay_speed: NaN, threads: Some(0))",
        )
        .expect("written");
        let (settings, news) = Settings::load(folder.path());
        assert_eq!(news, None);
        assert_eq!(
            (settings.scale, settings.autoplay_speed, settings.threads),
            (3.0, 8.0, None)
        );
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_a_sentence() {
        let folder = folder();
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        assert!(
            Settings::default()
                .save(&file.join("below"))
                .expect_err("refused")
                .contains("this folder cannot be created")
        );
    }

    #[test]
    fn two_writers_leave_one_whole_file() {
        let folder = folder();
        std::thread::scope(|scope| {
            for scale in [1.0, 2.0] {
                let path = folder.path();
                scope.spawn(move || {
                    let settings = Settings {
                        scale,
                        ..Settings::default()
                    };
                    for _ in 0..50 {
                        settings.save(path).expect("saved");
                    }
                });
            }
        });
        let (settings, news) = Settings::load(folder.path());
        assert_eq!(news, None);
        assert!([1.0, 2.0].contains(&settings.scale));
    }
}
