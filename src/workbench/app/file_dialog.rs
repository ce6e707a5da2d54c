//! Asks for a file: with the system's dialog where there is one, else with a list and a path of our own.
//!
//! rfd returns nothing both when the person cancels and when the system has no dialog (no portal, no zenity). Nobody
//! cancels within the first half second, so an answer that fast means the latter, and our own dialog opens.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use egui::{Context, Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui};

use crate::workbench::command::Purpose;
use crate::workbench::kit::Button;
use crate::workbench::theme::{self, Theme};

/// Sooner than anyone can cancel.
const TOO_FAST: Duration = Duration::from_millis(500);
/// A folder with more files is shown in part.
const MOST_FILES: usize = 500;

type Answer = Option<Vec<PathBuf>>;

/// The dialog that is open, if any; at most one is.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    system: Option<(Request, Instant, Receiver<Answer>)>,
    own: Option<Own>,
}

#[derive(Clone, Debug)]
struct Request {
    purpose: Purpose,
    folder: PathBuf,
    name: String,
}

#[derive(Debug)]
struct Own {
    request: Request,
    files: Vec<String>,
    path: String,
    error: Option<String>,
    fresh: bool,
}

impl Dialogs {
    /// Asks for a file; `folder` is where it starts, `name` what a file to save is called at first.
    pub(super) fn ask(&mut self, ctx: &Context, purpose: Purpose, folder: &Path, name: &str) {
        if self.is_open() {
            return;
        }
        let request = Request { purpose, folder: folder.to_owned(), name: name.to_owned() };
        let (sender, answer) = channel();
        let (asked, wake) = (request.clone(), ctx.clone());
        std::thread::spawn(move || {
            // The window may be gone by then; nobody waits for the answer any more.
            let _ = sender.send(ask_system(&asked));
            wake.request_repaint();
        });
        self.system = Some((request, Instant::now(), answer));
    }

    pub(super) fn is_open(&self) -> bool {
        self.system.is_some() || self.own.is_some()
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
                    let missing = since.elapsed() < TOO_FAST;
                    let request = request.clone();
                    self.system = None;
                    self.own = missing.then(|| Own::new(request));
                }
            }
        }
        let own = self.own.as_mut()?;
        let ControlFlow::Break(chosen) = own.show(ctx) else { return None };
        let purpose = own.request.purpose;
        self.own = None;
        chosen.map(|path| (purpose, vec![path]))
    }
}

fn ask_system(request: &Request) -> Answer {
    let dialog = rfd::AsyncFileDialog::new().set_title(request.purpose.title()).set_directory(&request.folder);
    let file = match request.purpose {
        Purpose::Open | Purpose::ImportStrategies => {
            let dialog = dialog.add_filter("Presets and records", &["ron", "txt"]).add_filter("All files", &["*"]);
            let files = pollster::block_on(dialog.pick_files())?;
            return Some(files.iter().map(|file| file.path().to_owned()).collect());
        }
        Purpose::ExportResults => pollster::block_on(dialog.pick_folder()),
        _ => pollster::block_on(dialog.set_file_name(&request.name).save_file()),
    };
    Some(vec![file?.path().to_owned()])
}

/// Whether the dialog goes on, or ends, and with which file.
type Step = ControlFlow<Option<PathBuf>>;

impl Own {
    fn new(request: Request) -> Self {
        let files = files_in(&request.folder, request.purpose.extension());
        let path = request.name.clone();
        Self { request, files, path, error: None, fresh: true }
    }

    fn show(&mut self, ctx: &Context) -> Step {
        let mut step = Step::Continue(());
        let modal =
            Modal::new(Id::unique("file dialog")).frame(theme::dialog_frame(&ctx.global_style())).show(ctx, |ui| {
                ui.set_width(460.0_f32.min(ui.ctx().content_rect().width() - 48.0));
                step = self.ui(ui);
            });
        if step.is_continue() && modal.should_close() { Step::Break(None) } else { step }
    }

    fn ui(&mut self, ui: &mut Ui) -> Step {
        let theme = Theme::of(ui);
        let purpose = self.request.purpose;
        ui.heading(purpose.title());
        ui.label(RichText::new(self.request.folder.display().to_string()).small().color(theme.text3));
        let mut chosen = None;
        egui::Frame::new().fill(theme.bg2).corner_radius(theme::RADIUS_S).inner_margin(4).show(ui, |ui| {
            ScrollArea::vertical().max_height(220.0).min_scrolled_height(220.0).auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                if self.files.is_empty() {
                    ui.label(RichText::new("No files here yet").color(theme.text3));
                }
                for file in &self.files {
                    let selected = self.path == *file;
                    let row = egui::Button::selectable(selected, file.as_str()).min_size(egui::vec2(0.0, theme::ROW));
                    let response = ui.add_sized([ui.available_width(), theme::ROW], row);
                    if response.clicked() {
                        self.path.clone_from(file);
                        self.error = None;
                    }
                    if response.double_clicked() {
                        chosen = Some(file.clone());
                    }
                }
            });
        });
        let label = ui.label(RichText::new("File name or path").small().color(theme.text3));
        let edit = ui.add(TextEdit::singleline(&mut self.path).desired_width(f32::INFINITY)).labelled_by(label.id);
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
            ui.label(RichText::new(format!("✗ {error}")).small().color(theme.error));
        } else if purpose.extension().is_some() && self.resolve(&self.path).exists() && !self.path.trim().is_empty() {
            ui.label(RichText::new("This file exists and will be replaced").small().color(theme.warn));
        } else {
            ui.label(RichText::new(" ").small());
        }
        let mut cancelled = false;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let ready = !self.path.trim().is_empty() || purpose == Purpose::ExportResults;
            let go = ui.add_enabled(ready, Button::new(purpose.verb()).accent());
            if go.on_disabled_hover_text("Name a file first").clicked() {
                chosen = Some(self.path.clone());
            }
            cancelled = ui.add(Button::new("Cancel")).clicked();
        });
        if cancelled {
            return Step::Break(None);
        }
        let Some(name) = chosen else { return Step::Continue(()) };
        let path = self.resolve(&name);
        if purpose.opens() && !path.is_file() {
            self.error = Some(format!("{} is not a file; choose one from the list", path.display()));
            return Step::Continue(());
        }
        Step::Break(Some(path))
    }

    /// A name within the folder, or a path of its own; a file to save gets its extension.
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

/// The files of one kind, or all that can be opened.
fn files_in(folder: &Path, extension: Option<&str>) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let suits = |name: &str| match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some(ending) => extension.map_or(ending == "ron" || ending == "txt", |wanted| ending == wanted),
        None => false,
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.') && suits(name))
        .collect();
    names.sort();
    names.truncate(MOST_FILES);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TreeFormat;
    use crate::workbench::command::PictureFormat;

    fn own(purpose: Purpose, folder: &Path) -> Own {
        Own::new(Request { purpose, folder: folder.to_owned(), name: String::new() })
    }

    #[test]
    fn only_files_we_read_are_listed_in_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["b.ron", "a.txt", ".hidden.ron", "c.png"] {
            std::fs::write(folder.path().join(name), "").expect("written");
        }
        std::fs::create_dir(folder.path().join("d.ron")).expect("made");
        assert_eq!(own(Purpose::Open, folder.path()).files, ["a.txt", "b.ron"]);
        assert_eq!(own(Purpose::SavePicture(PictureFormat::Png), folder.path()).files, ["c.png"]);
        assert!(own(Purpose::Open, &folder.path().join("missing")).files.is_empty());
    }

    #[test]
    fn a_saved_file_gets_its_extension_and_an_absolute_path_stays() {
        let folder = Path::new("/presets");
        assert_eq!(own(Purpose::SavePreset, folder).resolve(" mine "), Path::new("/presets/mine.ron"));
        assert_eq!(own(Purpose::SavePreset, folder).resolve("/else/mine.ron"), Path::new("/else/mine.ron"));
        assert_eq!(own(Purpose::SaveRecord, folder).resolve("game"), Path::new("/presets/game.txt"));
        let tree = Purpose::SaveTree(TreeFormat::Csv);
        assert_eq!(own(tree, folder).resolve("tree"), Path::new("/presets/tree.csv"));
        assert_eq!(own(Purpose::Open, folder).resolve("game"), Path::new("/presets/game"));
    }
}
