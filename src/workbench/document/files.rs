//! Presets, positions, records and results: in from files and the clipboard, out to files.

use std::path::Path;
use std::sync::Arc;

use super::own_files::{Answer, Conflict, Conflicting};
use super::{Document, OriginFile, Setup};
use crate::experiment;
use crate::files;
use crate::game::{Board, Record};
use crate::preset::{PositionSet, Preset, SaveTo, Saving, Shipped, Stored, TextKind};
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
                        .and_then(|shipped| shipped.preset().map_err(|error| error.to_string()))
                        .map(|preset| self.open_preset(preset, notices)),
                    PresetSource::File(path) => self.open_own_preset(path, notices),
                };
                if let Err(error) = read {
                    notices.error(error);
                }
            }
            Command::Save => self.save(notices),
            Command::SaveTo(purpose, path) => {
                if let Err(error) = self.save_to(*purpose, path, notices) {
                    notices.error(error);
                }
            }
            Command::DeletePreset(path) => self.delete_preset(path, notices),
            Command::ListPresets => self.own_files.presets.list(),
            Command::RestorePreset(deleted) => {
                let restored = self.own_files.presets.restore(deleted);
                self.has_restored("Preset", restored, notices);
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
        self.open_text(text.trim(), &files::name_of(path), notices)
            .map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Opens whatever the text is: a game record, a set of positions, a preset, a strategy or a position.
    fn open_text(&mut self, text: &str, from: &str, notices: &mut Notices) -> Result<(), String> {
        if text.is_empty() {
            return Err("it is empty".to_owned());
        }
        match TextKind::of(text) {
            TextKind::Record => {
                let record: Record = text.parse().map_err(|error| format!("{error}"))?;
                self.open_record(&record, from);
                notices.info(format!("Game opened, {}", words::plural(record.steps.len() as u64, "move")));
            }
            TextKind::Positions => {
                self.import_set(PositionSet::from_text(text).map_err(|error| error.to_string())?, notices);
            }
            TextKind::Preset => {
                let preset = Preset::from_text(text).map_err(|error| error.to_string())?;
                notices.info(format!("Preset opened: {}", preset.title));
                self.open_preset(preset, notices);
            }
            TextKind::Strategy => {
                let strategy: Strategy = text.parse().map_err(|error| format!("{error}"))?;
                notices.info(format!("Strategy {} opened", strategy.label()));
                self.open_strategy("open strategy", strategy);
            }
            // What is wrong with it as a board is the reason for any other text.
            TextKind::Board | TextKind::Unknown => {
                let board: Board = text.parse().map_err(|error| format!("{error}"))?;
                self.open_position(board, 0, from);
                notices.info("Position opened");
            }
        }
        Ok(())
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

    fn open_own_preset(&mut self, path: &Path, notices: &mut Notices) -> Result<(), String> {
        let Stored { item, text, .. } = Stored::<Preset>::load(path).map_err(|error| error.to_string())?;
        self.open_preset((*item).clone(), notices);
        self.content.saved_to = Some(OriginFile { path: path.to_owned(), text: text.to_string() });
        Ok(())
    }

    /// Saves the experiment under its title. Only the preset it was opened from or saved to before is replaced; where
    /// another has this title, a number makes the name new.
    fn save(&mut self, notices: &mut Notices) {
        let Some(path) = self.presets().path_of(&self.setup().title) else {
            notices.error("There is no folder for presets on this system: use Save as…");
            return;
        };
        let known = self.content.saved_to.clone().filter(|file| file.path == path);
        let to = known.as_ref().map_or(SaveTo::New, |OriginFile { path, text }| SaveTo::Known { path, text });
        self.save_preset(to, notices);
    }

    fn save_preset(&mut self, to: SaveTo<'_>, notices: &mut Notices) {
        let preset = self.content.setup.preset.clone();
        match self.own_files.presets.save(to, &preset) {
            Ok(Saving::Written(file)) => {
                notices.info(format!("Saved to {}", file.path.display()));
                self.content.saved_to = Some(OriginFile { path: file.path, text: preset.to_text() });
            }
            Ok(Saving::ChangedElsewhere(theirs)) => {
                // What this window knew can be read: it was read or written here.
                let before = self.content.saved_to.as_ref().and_then(|file| Preset::from_text(&file.text).ok());
                let before = before.unwrap_or_else(|| (*preset).clone());
                let conflict = Conflict::new([&*preset, &before], &theirs, Preset::difference, Conflicting::Preset);
                self.own_files.conflict = Some(conflict);
                self.own_files.presets.list();
            }
            Err(error) => notices.error(error.to_string()),
        }
    }

    pub(super) fn answer_for_preset(&mut self, answer: Answer, path: &Path, notices: &mut Notices) {
        match answer {
            Answer::Copy => self.save_preset(SaveTo::New, notices),
            Answer::Overwrite => self.save_preset(SaveTo::Anyway(path), notices),
            Answer::OpenTheirs => {
                if let Err(error) = self.open_own_preset(path, notices) {
                    notices.error(error);
                }
            }
            Answer::Leave => {}
        }
    }

    fn save_to(&mut self, purpose: Purpose, path: &Path, notices: &mut Notices) -> Result<(), String> {
        match purpose {
            Purpose::SavePreset => write_text(path, &self.setup().to_text())?,
            Purpose::SaveRecord => write_text(path, &self.record_text())?,
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
        self.own_files.presets.list();
        Ok(())
    }

    fn delete_preset(&mut self, path: &Path, notices: &mut Notices) {
        match self.own_files.presets.delete(path) {
            Ok(deleted) => {
                let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                self.has_deleted(&name, Command::RestorePreset(deleted), notices);
            }
            Err(error) => notices.error(error.to_string()),
        }
    }
}

fn write_text(path: &Path, text: &str) -> Result<(), String> {
    files::write(path, text.as_bytes()).map_err(|error| error.to_string())
}

/// Writes every export of a run into a folder, which is made if it does not exist.
fn write_results(folder: &Path, results: &experiment::Results) -> Result<(), String> {
    files::make_folder(folder)
        .and_then(|()| experiment::write_folder(folder, results))
        .and_then(|()| files::write(&folder.join("summary.md"), experiment::markdown(results).as_bytes()))
        .map_err(|error| error.to_string())
}
