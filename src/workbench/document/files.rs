//! Presets, positions, records and results: in from files and the clipboard, out to files.

use std::path::Path;
use std::sync::Arc;

use super::{Document, Setup};
use crate::experiment;
use crate::files;
use crate::game::{Board, Record};
use crate::preset::{PositionSet, Preset, Shipped, Store};
use crate::strategy::Strategy;
use crate::words;
use crate::workbench::command::{Command, LibraryCommand, PresetSource};
use crate::workbench::dialog::Purpose;
use crate::workbench::notice::Notices;

/// Largest file that is opened, in bytes; the longest games are far smaller.
const LARGEST: u64 = 8 << 20;

impl Document {
    /// Commands that read or write files or the clipboard.
    pub(super) fn apply_to_files(&mut self, command: &Command, notices: &mut Notices) {
        match command {
            Command::OpenFiles(paths) => {
                for path in paths {
                    if self.open_if_kept(path, notices) {
                        continue;
                    }
                    if let Err(error) = self.open_file(path, notices) {
                        notices.error(error);
                    }
                }
            }
            Command::Pasted(text) => match self.open_text(text.trim(), "pasted", notices) {
                Ok(()) => {}
                Err(reason) => notices.error(format!("The clipboard cannot be used: {reason}")),
            },
            Command::OpenPreset(source) => {
                let read = match source {
                    PresetSource::Shipped(name) => Shipped::named(name)
                        .ok_or_else(|| format!("No shipped preset is called {name}"))
                        .and_then(|shipped| shipped.preset().map_err(|error| error.to_string())),
                    PresetSource::File(path) => Store::load(path).map_err(|error| error.to_string()),
                };
                match read {
                    Ok(preset) => {
                        self.open_preset(preset, notices);
                        if let PresetSource::File(path) = source {
                            self.content.saved_to = Some(path.clone());
                        }
                    }
                    Err(error) => notices.error(error),
                }
            }
            Command::Save => self.save(notices),
            Command::SaveTo(purpose, path) => {
                if let Err(error) = self.save_to(*purpose, path, notices) {
                    notices.error(error);
                }
            }
            Command::DeletePreset(path) => self.delete_preset(path, notices),
            Command::ListPresets => self.list_presets(),
            Command::RestorePreset(deleted) => {
                self.deleted = None;
                match self.store.as_ref().map(|store| store.restore(deleted)) {
                    Some(Ok(())) => notices.info("Preset is back"),
                    Some(Err(error)) => notices.error(error.to_string()),
                    None => {}
                }
                self.list_presets();
            }
            _ => {}
        }
    }

    /// The text that a copying command puts into the clipboard.
    pub fn text_to_copy(&self, command: &Command) -> Option<String> {
        match command {
            Command::CopyPosition => Some(self.board().to_string()),
            Command::CopyRecord => Some(self.record_text()),
            Command::CopyStrategy => Some(self.strategy().pretty()),
            Command::Library(LibraryCommand::CopyLetters) => self.strategy().letters(),
            _ => None,
        }
    }

    /// Name for a file to save, without its folder.
    pub fn file_name(&self, purpose: Purpose) -> String {
        let stem = |text: &str| {
            let words: Vec<String> = text
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect();
            words.join("-")
        };
        match purpose {
            Purpose::SavePreset => format!("{}.ron", stem(&self.setup().title)),
            Purpose::SaveRecord => format!("game-{}-seed-{}.txt", self.game().index, self.game().seed),
            Purpose::ExportResults => format!("{}-results", stem(&self.setup().title)),
            // Trees and pictures are named after what is shown, which panels know, as is a strategy to be exported.
            Purpose::Open
            | Purpose::ImportStrategies
            | Purpose::ExportStrategy
            | Purpose::SaveTree(_)
            | Purpose::SavePicture(_) => String::new(),
        }
    }

    fn record_text(&self) -> String {
        self.tree.record(self.cursor(), Some(self.strategy().to_string())).to_string()
    }

    fn open_file(&mut self, path: &Path, notices: &mut Notices) -> Result<(), String> {
        let text = files::read_text(path, LARGEST).map_err(|error| error.to_string())?;
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        self.open_text(text.trim(), &name, notices).map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Opens whatever the text is: a game record, a set of positions, a preset, a strategy or a position.
    fn open_text(&mut self, text: &str, from: &str, notices: &mut Notices) -> Result<(), String> {
        if text.is_empty() {
            return Err("it is empty".to_owned());
        }
        if text.starts_with("afterstate game record") {
            let record: Record = text.parse().map_err(|error| format!("{error}"))?;
            self.open_record(&record, from);
            notices.info(format!("Game opened, {}", words::plural(record.steps.len() as u64, "move")));
            return Ok(());
        }
        if let Ok(board) = text.parse::<Board>() {
            self.open_position(board, 0, from);
            notices.info("Position opened");
            return Ok(());
        }
        if PositionSet::is_meant_by(text) {
            self.import_set(PositionSet::from_text(text)?, notices);
            return Ok(());
        }
        if Preset::is_meant_by(text) {
            let preset = Preset::from_text(text).map_err(|error| error.to_string())?;
            notices.info(format!("Preset opened: {}", preset.title));
            self.open_preset(preset, notices);
            return Ok(());
        }
        if Strategy::is_meant_by(text) {
            let strategy: Strategy = text.parse().map_err(|error| format!("{error}"))?;
            notices.info(format!("Strategy {} opened", strategy.label()));
            self.open_strategy("open strategy", strategy);
            return Ok(());
        }
        // Neither of the other kinds, so the reason is what is wrong with it as a board.
        Err(text.parse::<Board>().err().map_or_else(String::new, |error| error.to_string()))
    }

    fn open_preset(&mut self, preset: Preset, notices: &mut Notices) {
        self.record("open preset");
        let unknown = preset.unknown_paths();
        if !unknown.is_empty() {
            notices.warn(format!("Fields this version does not know are kept as they are: {}", words::list(&unknown)));
        }
        self.content.setup = Setup { preset: Arc::new(preset) };
        self.content.saved_to = None;
    }

    /// Saves the experiment under its title. Only the preset it was opened from or saved to before is replaced; where
    /// another has this title, a number makes the name new.
    fn save(&mut self, notices: &mut Notices) {
        let Some(store) = &self.store else {
            notices.error("There is no folder for presets on this system: use Save as…");
            return;
        };
        let preset = self.setup().clone();
        let path = store.path_of(&preset.title);
        let path = if self.content.saved_to.as_ref() == Some(&path) { path } else { store.free_path(&preset.title) };
        let saved = files::make_folder(store.folder())
            .map_err(|error| error.to_string())
            .and_then(|()| Store::save_as(&path, &preset).map_err(|error| error.to_string()));
        match saved {
            Ok(()) => {
                notices.info(format!("Saved to {}", path.display()));
                self.content.saved_to = Some(path);
            }
            Err(error) => notices.error(error),
        }
        self.list_presets();
    }

    fn save_to(&mut self, purpose: Purpose, path: &Path, notices: &mut Notices) -> Result<(), String> {
        match purpose {
            Purpose::SavePreset => Store::save_as(path, self.setup()).map_err(|error| error.to_string())?,
            Purpose::SaveRecord => {
                files::write(path, self.record_text().as_bytes()).map_err(|error| error.to_string())?;
            }
            Purpose::ExportResults => {
                let results = self.lab.results().ok_or("There are no results yet")?;
                write_results(path, &results)?;
            }
            // Trees and pictures are written beside the window, strategies by it.
            Purpose::Open
            | Purpose::ImportStrategies
            | Purpose::ExportStrategy
            | Purpose::SaveTree(_)
            | Purpose::SavePicture(_) => return Ok(()),
        }
        notices.info(format!("Saved to {}", path.display()));
        self.list_presets();
        Ok(())
    }

    fn delete_preset(&mut self, path: &Path, notices: &mut Notices) {
        let Some(store) = &self.store else { return };
        match store.delete(path) {
            Ok(deleted) => {
                let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                self.deleted = Some((deleted.clone(), self.history.version()));
                self.shelf.deleted = None;
                notices.info_with(format!("Deleted {name}"), "Undo", Command::RestorePreset(deleted));
            }
            Err(error) => notices.error(error.to_string()),
        }
        self.list_presets();
    }

    pub(super) fn list_presets(&mut self) {
        // A folder that cannot be listed shows as empty; saving into it will say why.
        self.saved = self.store.as_ref().and_then(|store| store.list().ok()).unwrap_or_default();
        self.presets_version += 1;
    }
}

/// Writes every export of a run into a folder, which is made if it does not exist.
fn write_results(folder: &Path, results: &experiment::Results) -> Result<(), String> {
    files::make_folder(folder)
        .and_then(|()| experiment::write_folder(folder, results))
        .and_then(|()| files::write(&folder.join("summary.md"), experiment::markdown(results).as_bytes()))
        .map_err(|error| error.to_string())
}
