//! Requests a file: with the system's dialog if there is one, else with our own list and path field.
//!
//! rfd returns nothing both when the user cancels and when the system has no dialog (no portal, no zenity). No user
//! cancels within half a second, so such a fast answer means that there is no dialog, and ours opens. Windows and macOS
//! always have one.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use egui::{Context, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use crate::preset::{Preset, Stored};
use crate::workbench::command::Purpose;
use crate::workbench::kit::{Button, answers, show_dialog};
use crate::workbench::theme::{self, Theme};

/// Faster than a user can cancel.
const TOO_FAST: Duration = Duration::from_millis(500);
/// Maximum number of files listed per folder.
const MOST_FILES: usize = 500;
/// Maximum number of files whose titles are read, and their maximum size in bytes, so that listing is fast.
const MOST_TITLES: usize = 100;
const LARGEST_TITLED: u64 = 1 << 18;

type Answer = Option<Vec<PathBuf>>;

/// The open dialog, if any.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    /// What every dialog of the system begins with.
    begun: rfd::AsyncFileDialog,
    system: Option<(Request, Instant, Receiver<Answer>)>,
    own: Option<Own>,
}

#[derive(Clone, Debug)]
struct Request {
    purpose: Purpose,
    folder: PathBuf,
    name: String,
    /// Recently opened or saved files.
    recent: Vec<PathBuf>,
}

#[derive(Debug)]
struct Own {
    /// Its folder is the one shown.
    request: Request,
    /// Names of the folders in it.
    folders: Vec<String>,
    files: Vec<Listed>,
    path: String,
    error: Option<String>,
    fresh: bool,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    name: String,
    /// The title of its content, if it is a preset.
    title: Option<String>,
}

impl Dialogs {
    /// From now on the system's dialogs stay in front of this window. A Mac attaches them to it in any case.
    pub(super) fn belong_to(&mut self, window: &eframe::CreationContext<'_>) {
        if !cfg!(target_os = "macos") {
            self.begun = rfd::AsyncFileDialog::new().set_parent(window);
        }
    }

    /// Requests a file; `folder` is the start, `name` the default name of a file to save.
    pub(super) fn ask(
        &mut self,
        ctx: &Context,
        purpose: Purpose,
        folder: &Path,
        name: &str,
        recent: &[PathBuf],
    ) {
        if self.is_open() {
            return;
        }
        let (folder, name, recent) = (folder.to_owned(), name.to_owned(), recent.to_vec());
        let request = Request {
            purpose,
            folder,
            name,
            recent,
        };
        let (sender, answer) = channel();
        let (begun, dialog_request, wake) = (self.begun.clone(), request.clone(), ctx.clone());
        std::thread::spawn(move || {
            // If the window is closed, there is no receiver.
            let _ = sender.send(ask_system(begun, &dialog_request));
            wake.request_repaint();
        });
        self.system = Some((request, Instant::now(), answer));
    }

    pub(super) fn is_open(&self) -> bool {
        self.system.is_some() || self.own.is_some()
    }

    /// Whether the system has not answered yet.
    pub(super) fn waits_for_system(&self) -> bool {
        self.system.is_some()
    }

    /// Whether our own dialog covers the window.
    pub(super) fn is_modal(&self) -> bool {
        self.own.is_some()
    }

    pub(super) fn show(&mut self, ctx: &Context) -> Option<(Purpose, Vec<PathBuf>)> {
        if let Some((request, since, answer)) = &self.system {
            match answer.try_recv() {
                Err(TryRecvError::Empty) => {}
                Ok(Some(paths)) => {
                    let purpose = request.purpose;
                    self.system = None;
                    return Some((purpose, paths));
                }
                Ok(None) | Err(TryRecvError::Disconnected) => {
                    let missing =
                        since.elapsed() < TOO_FAST && !cfg!(any(windows, target_os = "macos"));
                    let request = request.clone();
                    self.system = None;
                    self.own = missing.then(|| Own::new(request));
                }
            }
        }

        let own = self.own.as_mut()?;
        let ControlFlow::Break(chosen) = own.show(ctx) else {
            return None;
        };
        let purpose = own.request.purpose;

        self.own = None;
        chosen.map(|path| (purpose, vec![path]))
    }
}

fn ask_system(begun: rfd::AsyncFileDialog, request: &Request) -> Answer {
    let dialog = begun
        .set_title(request.purpose.title())
        .set_directory(&request.folder);
    let file = match request.purpose {
        Purpose::Open | Purpose::ImportStrategies => {
            // A Mac has no choice of filters, and would offer no file that none of them names.
            let dialog = if cfg!(target_os = "macos") {
                dialog
            } else {
                dialog
                    .add_filter(
                        "Presets, games and networks",
                        &["ron", "txt", "rpl", "vrs", "json", "jsonl", "csv", "net"],
                    )
                    .add_filter("Results", &["json", "csv"])
                    .add_filter("All files", &["*"])
            };
            let files = pollster::block_on(dialog.pick_files())?;
            return Some(files.iter().map(|file| file.path().to_owned()).collect());
        }
        Purpose::ExportResults => pollster::block_on(dialog.pick_folder()),
        _ => pollster::block_on(dialog.set_file_name(&request.name).save_file()),
    };
    Some(vec![file?.path().to_owned()])
}

/// Whether the dialog stays open, or closes with a file or without.
type Step = ControlFlow<Option<PathBuf>>;

impl Own {
    fn new(request: Request) -> Self {
        let path = request.name.clone();
        let folder =
            std::path::absolute(&request.folder).unwrap_or_else(|_| request.folder.clone());
        let mut own = Self {
            request,
            folders: Vec::new(),
            files: Vec::new(),
            path,
            error: None,
            fresh: true,
        };
        own.enter(folder);
        own
    }

    /// Shows another folder.
    fn enter(&mut self, folder: PathBuf) {
        self.folders = folders_in(&folder);
        self.files = files_in(&folder, self.request.purpose);
        self.request.folder = folder;
        self.error = None;
    }

    fn show(&mut self, ctx: &Context) -> Step {
        let mut step = Step::Continue(());
        let modal =
            Modal::new(Id::unique("file dialog")).frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, self.request.purpose.title(), |ui| {
            ui.set_width(460.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            step = self.ui(ui);
        });
        if step.is_continue() && modal.should_close() {
            Step::Break(None)
        } else {
            step
        }
    }

    fn ui(&mut self, ui: &mut Ui) -> Step {
        let theme = Theme::of(ui);
        let purpose = self.request.purpose;
        ui.heading(purpose.title());
        ui.label(
            RichText::new(self.request.folder.display().to_string())
                .small()
                .color(theme.text3),
        );
        let mut chosen = None;
        let mut entered = None;
        // The field and the buttons below stay visible in a low window.
        let height = (ui.ctx().content_rect().height() - 264.0).clamp(72.0, 220.0);
        egui::Frame::new()
            .fill(theme.bg2)
            .corner_radius(theme::RADIUS_S)
            .inner_margin(4)
            .show(ui, |ui| {
                ScrollArea::vertical()
                    .max_height(height)
                    .min_scrolled_height(height)
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        entered = self.folders_ui(ui);
                        self.files_ui(ui, &mut chosen);
                    });
            });
        if let Some(folder) = entered {
            self.enter(folder);
        }
        let label = ui.label(
            RichText::new("File name or path")
                .small()
                .color(theme.text3),
        );
        let edit = ui
            .add(TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY))
            .labelled_by(label.id);
        if std::mem::take(&mut self.fresh) {
            edit.request_focus();
        }
        if edit.changed() {
            self.error = None;
        }
        if edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            chosen = Some(self.path.clone());
        }

        if let Some(error) = &self.error {
            ui.label(
                RichText::new(format!("✗ {error}"))
                    .small()
                    .color(theme.error),
            );
        } else if purpose.extension().is_some()
            && self.resolve(&self.path).exists()
            && !self.path.trim().is_empty()
        {
            ui.label(
                RichText::new("This file exists and will be replaced")
                    .small()
                    .color(theme.warn),
            );
        } else {
            ui.label(RichText::new(" ").small());
        }

        let mut cancelled = false;
        answers(ui, |ui| {
            let ready = !self.path.trim().is_empty() || purpose == Purpose::ExportResults;
            let go = ui.add(Button::new(purpose.verb()).accent().enabled(ready));
            if (if ready {
                go
            } else {
                go.on_hover_text("Name a file first")
            })
            .clicked()
            {
                chosen = Some(self.path.clone());
            }
            cancelled = ui.add(Button::new("Cancel")).clicked();
        });
        if cancelled {
            return Step::Break(None);
        }

        let Some(name) = chosen else {
            return Step::Continue(());
        };
        let path = self.resolve(&name);
        if path.is_dir() && purpose != Purpose::ExportResults {
            self.path.clear();
            self.fresh = true;
            self.enter(path);
            return Step::Continue(());
        }

        if purpose.opens() && !path.is_file() {
            self.error = Some(format!(
                "{} is not a file; choose one from the list",
                path.display()
            ));
            return Step::Continue(());
        }
        Step::Break(Some(path))
    }

    /// The parent folder and the subfolders; returns the clicked one.
    fn folders_ui(&self, ui: &mut Ui) -> Option<PathBuf> {
        let here = &self.request.folder;
        let above = here
            .parent()
            .map(|above| ("../ (the folder above)".to_owned(), above.to_owned()));
        let inside = self
            .folders
            .iter()
            .map(|name| (format!("{name}/"), here.join(name)));
        let mut rows = above.into_iter().chain(inside);
        // Draws all rows, also those after the clicked one.
        rows.by_ref().fold(None, |chosen, (text, folder)| {
            if row(ui, &text, false).clicked() {
                Some(folder)
            } else {
                chosen
            }
        })
    }

    /// The files of this folder, and the recent ones; `chosen` is set by a double click.
    fn files_ui(&mut self, ui: &mut Ui, chosen: &mut Option<String>) {
        let theme = Theme::of(ui);
        let text = |Listed { name, title }: &Listed| {
            let words = title
                .as_ref()
                .map_or(name.clone(), |title| format!("{title} · {name}"));
            (words, name.clone())
        };
        let files: Vec<(String, String)> = self.files.iter().map(text).collect();
        let recent = self
            .request
            .recent
            .iter()
            .filter(|_| self.request.purpose == Purpose::Open);
        let recent: Vec<(String, String)> = recent
            .map(|path| path.display().to_string())
            .map(|path| (path.clone(), path))
            .collect();

        if files.is_empty() {
            let none = if self.request.purpose == Purpose::Open {
                "Nothing here that opens"
            } else {
                "No files here yet"
            };
            ui.label(RichText::new(none).color(theme.text3));
        }

        for (index, (words, name)) in files.iter().chain(&recent).enumerate() {
            if index == files.len() {
                ui.label(
                    RichText::new("Opened or saved last")
                        .small()
                        .color(theme.text3),
                );
            }
            let response = row(ui, words, self.path == *name);
            if response.clicked() {
                self.path.clone_from(name);
                self.error = None;
            }
            if response.double_clicked() {
                *chosen = Some(name.clone());
            }
        }
    }

    /// A name within the folder, or an absolute path; a file to save gets its extension.
    fn resolve(&self, name: &str) -> PathBuf {
        let mut path = self.request.folder.join(name.trim());
        if let Some(extension) = self.request.purpose.extension()
            && path.extension().is_none()
        {
            path.set_extension(extension);
        }
        path
    }
}

fn row(ui: &mut Ui, text: &str, selected: bool) -> egui::Response {
    let button = egui::Button::selectable(selected, text)
        .truncate()
        .min_size(egui::vec2(0.0, theme::ROW));
    ui.add_sized([ui.available_width(), theme::ROW], button)
}

/// The matching names in a folder, sorted, without hidden ones.
fn names_in(folder: &Path, suits: impl Fn(&Path) -> bool) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let suiting = entries
        .filter(|entry| suits(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = suiting.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names.truncate(MOST_FILES);
    names
}

fn folders_in(folder: &Path) -> Vec<String> {
    names_in(folder, Path::is_dir)
}

/// The files of one kind, or all that can be opened, with the titles of presets.
fn files_in(folder: &Path, purpose: Purpose) -> Vec<Listed> {
    let suits = |path: &Path| {
        let has = |wanted: &str| {
            path.extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
        };
        match purpose.extension() {
            Some(wanted) => has(wanted),
            None => {
                ["ron", "txt"].into_iter().any(has)
                    || purpose == Purpose::Open && ["json", "csv", "net"].into_iter().any(has)
            }
        }
    };
    let names = names_in(folder, |path| suits(path) && path.is_file());

    let listed = |(index, name): (usize, String)| {
        let path = folder.join(&name);
        let is_small = || {
            path.metadata()
                .is_ok_and(|data| data.len() < LARGEST_TITLED)
        };
        let is_read = index < MOST_TITLES && name.ends_with(".ron") && is_small();
        let read = is_read
            .then(|| Stored::<Preset>::load(&path).ok())
            .flatten();
        Listed {
            title: read
                .map(|read| read.item.title.clone())
                .filter(|title| !title.is_empty()),
            name,
        }
    };
    names.into_iter().enumerate().map(listed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TreeFormat;
    use crate::workbench::command::{Panel, PictureFormat};

    fn own(purpose: Purpose, folder: &Path) -> Own {
        Own::new(Request {
            purpose,
            folder: folder.to_owned(),
            name: String::new(),
            recent: Vec::new(),
        })
    }

    fn names(own: &Own) -> Vec<&str> {
        own.files.iter().map(|file| file.name.as_str()).collect()
    }

    #[test]
    fn only_files_we_read_are_listed_in_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["B.RON", "a.txt", ".hidden.ron", "c.png", "d.net"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        std::fs::create_dir(folder.path().join("d.ron")).expect("made");
        assert_eq!(
            names(&own(Purpose::Open, folder.path())),
            ["B.RON", "a.txt", "d.net"]
        );
        assert_eq!(
            names(&own(
                Purpose::SaveFigure(Panel::Tree, PictureFormat::Png),
                folder.path()
            )),
            ["c.png"]
        );
        assert!(
            own(Purpose::Open, &folder.path().join("missing"))
                .files
                .is_empty()
        );
    }

    #[test]
    fn folders_are_walked_and_presets_listed_by_title_and_file() {
        use crate::preset::Item as _;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("made");
        let preset = Preset::new("My title", ["emr".parse().expect("letters")]);
        std::fs::write(inner.join("mine.ron"), preset.to_text()).expect("written");
        std::fs::write(inner.join("torn.ron"), "(").expect("written");

        let mut dialog = own(Purpose::Open, folder.path());
        assert_eq!(dialog.folders, ["inner"]);
        let draw = |dialog: &mut Own, press: &str| {
            use egui_kittest::kittest::Queryable as _;
            let state = std::mem::replace(dialog, own(Purpose::Open, folder.path()));
            let frame = |ui: &mut Ui, (is_dressed, state): &mut (bool, Own)| {
                if std::mem::replace(is_dressed, true) {
                    let _ = state.ui(ui);
                } else {
                    // Fonts are available from the next frame on.
                    ui.ctx().set_fonts(crate::workbench::fonts::definitions());
                }
            };
            let mut window = egui_kittest::Harness::new_ui_state(frame, (false, state));
            window.run_steps(2);
            window.get_by_label(press).click();
            window.run_steps(2);
            dialog.enter(window.state().1.request.folder.clone());
            dialog.path.clone_from(&window.state().1.path);
        };

        draw(&mut dialog, "inner/");
        assert_eq!(names(&dialog), ["mine.ron", "torn.ron"]);
        assert_eq!(dialog.files[0].title.as_deref(), Some("My title"));
        draw(&mut dialog, "My title · mine.ron");
        assert_eq!(dialog.path, "mine.ron");
        draw(&mut dialog, "../ (the folder above)");
        assert_eq!(dialog.folders, ["inner"]);
    }

    #[test]
    fn the_buttons_are_seen_in_a_small_window() {
        use egui_kittest::kittest::Queryable as _;
        let folder = tempfile::tempdir().expect("a temporary folder");

        for size in [[853.0, 480.0], [640.0, 400.0]] {
            let frame = |ui: &mut Ui, (is_dressed, dialog): &mut (bool, Own)| {
                if std::mem::replace(is_dressed, true) {
                    let _ = dialog.show(ui.ctx());
                } else {
                    ui.ctx().set_fonts(crate::workbench::fonts::definitions());
                    theme::install(ui.ctx(), theme::ThemeChoice::Dark, || false, false);
                }
            };
            let state = (false, own(Purpose::Open, folder.path()));
            let mut window = egui_kittest::Harness::builder()
                .with_size(size)
                .build_ui_state(frame, state);
            window.run_steps(4);

            for button in [Purpose::Open.verb(), "Cancel"] {
                let rect = window
                    .get_by_role_and_label(egui::Role::Button, button)
                    .rect();
                let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
                assert!(
                    screen.contains_rect(rect),
                    "{button} at {rect:?} in {size:?}"
                );
            }
        }
    }

    #[test]
    fn a_saved_file_gets_its_extension_and_an_absolute_path_stays() {
        let folder = Path::new("/presets");
        assert_eq!(
            own(Purpose::SavePreset, folder).resolve(" mine "),
            Path::new("/presets/mine.ron")
        );
        assert_eq!(
            own(Purpose::SavePreset, folder).resolve("/else/mine.ron"),
            Path::new("/else/mine.ron")
        );
        assert_eq!(
            own(Purpose::SaveRecord, folder).resolve("game"),
            Path::new("/presets/game.txt")
        );
        let tree = Purpose::SaveTree(TreeFormat::Csv);
        assert_eq!(
            own(tree, folder).resolve("tree"),
            Path::new("/presets/tree.csv")
        );
        assert_eq!(
            own(Purpose::Open, folder).resolve("game"),
            Path::new("/presets/game")
        );
    }
}
