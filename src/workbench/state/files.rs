//! Presets, positions, records and results: opens them from files and the clipboard, and saves them.

use std::borrow::Cow;
use std::path::Path;
use std::time::{Duration, Instant};

use super::effect::{Effect, Effects, ToChoose};
use super::own_files::{Conflict, Conflicting};
use super::{Document, OriginFile};
use crate::evaluator::Evaluator;
use crate::experiment;
use crate::files::{self, LARGEST_FILE};
use crate::game::{Imported, Reading, Record, reading};
use crate::network::library;
use crate::preset::{Item as _, PositionSet, Preset, SaveTo, Saving, Shipped, Stored, TextKind};
use crate::prose::{fours_sentence, imported_sentence, missing_sentence};
use crate::search::Tree;
use crate::strategy::{Criterion, Strategy, StrategyEdit};
use crate::words;
use crate::workbench::command::{
    ExperimentCommand, FileCommand, Panel, PinCommand, PresetSource, Purpose, UndoStep, requires,
};

/// An empty clipboard never answers, so a later paste is an ordinary one.
const CLIPBOARD: Duration = Duration::from_secs(2);

impl Document {
    pub(super) fn can_in_files(&self, command: &FileCommand) -> Result<(), Cow<'static, str>> {
        match command {
            FileCommand::ExportResults | FileCommand::CopyResults(_) => requires(
                self.results().is_some(),
                "No results yet: run the experiment first",
            ),
            FileCommand::Save | FileCommand::SaveAs | FileCommand::SaveTitled(_) => requires(
                !self.setup().strategies.is_empty(),
                "The experiment has no strategy to save yet",
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_files(&mut self, command: &FileCommand, effects: &mut Effects) {
        match command {
            FileCommand::Open => effects.ask_for_file(Purpose::Open, ""),
            FileCommand::SaveAs => {
                effects.ask_for_file(
                    Purpose::SavePreset,
                    format!("{}.ron", stem(&self.setup().title)),
                );
            }
            FileCommand::SaveRecord => {
                let name = format!("game-{}-seed-{}.txt", self.game().index, self.game().seed);
                effects.ask_for_file(Purpose::SaveRecord, name);
            }
            FileCommand::ExportResults => {
                effects.ask_for_file(
                    Purpose::ExportResults,
                    format!("{}-results", stem(&self.setup().title)),
                );
            }
            FileCommand::CopyPosition => {
                effects.copy(Some(self.board().to_string()), "Position copied");
            }
            // A worker prepares these.
            FileCommand::CopyResults(_) => {}
            FileCommand::CopyRecord => effects.copy(Some(self.record_text()), "Game record copied"),
            FileCommand::CopyStrategy => {
                effects.copy(Some(self.strategy().pretty()), "Strategy copied");
            }
            // The answer comes as `FileCommand::Pasted`.
            FileCommand::PastePosition | FileCommand::PasteStrategy => {
                self.own_files.pastes_over = None;
                effects.push(Effect::Paste);
            }
            FileCommand::PasteOver => {
                self.own_files.pastes_over = Some(Instant::now());
                effects.push(Effect::Paste);
            }
            FileCommand::OpenFiles(paths) => {
                for path in paths {
                    let opened = self.open_file(path, effects);
                    if effects.accept(opened).is_some() {
                        self.own_files.note(path);
                    }
                }
            }
            FileCommand::Pasted(text) => {
                let text = files::plain_text(text.clone());
                if self
                    .own_files
                    .pastes_over
                    .take()
                    .is_some_and(|since| since.elapsed() < CLIPBOARD)
                {
                    self.paste_over(&text, effects);
                } else {
                    let kind = TextKind::of(&text);
                    // A trailing blank may be a turn, and a tab the edge of an empty cell.
                    let text = match kind {
                        TextKind::Imported => text.trim_start(),
                        TextKind::Board => &text[..],
                        _ => text.trim(),
                    };
                    let opened = self.open_text(kind, text, "pasted", effects);
                    effects.accept(
                        opened.map_err(|reason| format!("The clipboard cannot be used: {reason}")),
                    );
                }
            }
            FileCommand::OpenReading(reading, from) => self.open_reading(reading, from, effects),
            FileCommand::OpenPreset(PresetSource::Shipped(name)) => {
                let preset = Shipped::named(name)
                    .ok_or_else(|| format!("No shipped preset is called {name}"))
                    .and_then(|shipped| shipped.preset().map_err(|error| error.to_string()));
                if let Some(preset) = effects.accept(preset) {
                    self.open_preset(preset, effects);
                }
            }
            FileCommand::OpenPreset(PresetSource::File(path)) => {
                self.open_own_preset(path, effects);
            }
            FileCommand::Save => self.save(effects),
            FileCommand::SaveTitled(title) => {
                self.apply_to_experiment(&ExperimentCommand::SetTitle(title.clone()), effects);
                self.save_preset(SaveTo::New, effects);
            }
            FileCommand::SaveTo(purpose, path) => {
                let saved = self.save_to(*purpose, path, effects);
                effects.accept(saved);
            }
            FileCommand::DeletePreset(path) => self.delete_preset(path, effects),
            FileCommand::ListPresets => self.own_files.presets.list(),
            FileCommand::RestorePreset(deleted) => {
                let restored = self.own_files.presets.restore(deleted);
                self.core.has_restored("Preset", restored, effects);
            }
        }
    }

    fn paste_over(&mut self, text: &str, effects: &mut Effects) {
        let read = Strategy::read_at(text).map_err(|mistake| {
            format!("The clipboard holds no strategy: {mistake}. The strategy is unchanged")
        });
        if let Some(strategy) = effects.accept(read) {
            self.edit_strategy(
                &StrategyEdit::Replace(Box::new(strategy)),
                UndoStep::Whole,
                effects,
            );
        }
    }

    fn record_text(&self) -> String {
        self.tree().record(self.cursor()).to_string()
    }

    /// Opens any file; the user's own files open as in their lists.
    fn open_file(&mut self, path: &Path, effects: &mut Effects) -> Result<(), String> {
        if let Some(own) = self.library().own(path) {
            self.open_kept(&own, effects);
            return Ok(());
        }

        if let Some(own) = self.presets().own(path) {
            self.open_own_preset(&own, effects);
            return Ok(());
        }

        if let Some(own) = self
            .position_sets()
            .own(path)
            .filter(|own| self.position_sets().find(own).is_some())
        {
            self.apply_to_pins(&PinCommand::Choose(Some(own)), effects);
            return Ok(());
        }
        if path.is_dir() {
            let none = || {
                format!(
                    "{}: this folder holds no run; choose one with a manifest.json, or a file",
                    path.display()
                )
            };
            return self.open_results(experiment::run_folder(path).ok_or_else(none)?, effects);
        }

        if path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("rpl"))
        {
            let bytes = files::read_bytes(path, LARGEST_FILE).map_err(|error| error.to_string())?;
            let games = Imported::read_all(&bytes)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            self.open_imported(&games, &files::name_of(path), effects);
            return Ok(());
        }
        if path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case(library::ENDING))
        {
            return self.open_network(path, effects);
        }
        let is_json = |ending: &&str| {
            path.extension()
                .is_some_and(|own| own.eq_ignore_ascii_case(ending))
        };
        if ["json", "jsonl", "ndjson"].iter().any(is_json) {
            let start =
                files::read_start(path, Tree::HEAD_BYTES).map_err(|error| error.to_string())?;
            if Tree::is_record(&start) {
                effects.push(Effect::OpenTree(path.to_owned()));
                return Ok(());
            }
        }
        let (kind, text) = TextKind::of_file(path).map_err(|error| error.to_string())?;
        if kind == TextKind::Results {
            return self.open_results(files::folder_of(path), effects);
        }
        let opened = self.open_text(kind, &text, &files::name_of(path), effects);
        opened.map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Opens a strategy that plays by the network.
    fn open_network(&mut self, path: &Path, effects: &mut Effects) -> Result<(), String> {
        let whole =
            std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file = whole
            .to_str()
            .ok_or_else(|| format!("{}: rename this file: its path is not text", path.display()))?;
        library::info(file).map_err(|error| error.to_string())?;
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let criteria = vec![Criterion::one_ply(Evaluator::Network(file.to_owned()))];
        self.core.open_strategy(
            "open network",
            Strategy {
                name: name.clone(),
                criteria,
                ..Strategy::default()
            },
        );
        effects.push(Effect::ShowPanel(Panel::Strategy));
        effects.info(format!(
            "Network {} opened as a strategy",
            words::quoted(&name)
        ));
        Ok(())
    }

    /// Opens the first game of a file.
    fn open_imported(&mut self, games: &[Imported], from: &str, effects: &mut Effects) {
        let [first, others @ ..] = games else {
            return;
        };
        self.open_record(&first.record, from);
        effects.push(Effect::ShowPanel(Panel::Board));
        effects.info(format!(
            "Game opened: {}",
            imported_sentence(std::slice::from_ref(first))
        ));
        if !others.is_empty() {
            let count = words::plural(games.len() as u64, "game");
            effects.warn(format!(
                "The file holds {count}; the first is open. afterstate import --out DIR writes all"
            ));
        }
        first
            .notes
            .iter()
            .take(3)
            .for_each(|note| effects.warn(words::capitalised(note)));
        let (fours, sentence) = (
            first.fours(),
            words::capitalised(&fours_sentence(&first.fours())),
        );
        if fours.disagrees() {
            effects.warn(sentence);
        } else {
            effects.info(sentence);
        }
        if let Some(sentence) = missing_sentence(&first.missing) {
            effects.info(words::capitalised(&sentence));
        }
    }

    /// Opens a text of any kind: a game record, a set of positions, a preset, a strategy or a position.
    fn open_text(
        &mut self,
        kind: TextKind,
        text: &str,
        from: &str,
        effects: &mut Effects,
    ) -> Result<(), String> {
        match kind {
            TextKind::Record => {
                let record: Record = text.parse().map_err(|error| format!("{error}"))?;
                self.open_record(&record, from);
                effects.push(Effect::ShowPanel(Panel::Board));
                effects.info(format!(
                    "Game opened, {}",
                    words::plural(record.steps.len() as u64, "move")
                ));
                if let Some(doubt) = Record::doubt(text) {
                    effects.warn(words::capitalised(doubt));
                }
            }
            TextKind::Imported => {
                self.open_imported(
                    &Imported::read_all_text(text).map_err(|error| error.to_string())?,
                    from,
                    effects,
                );
            }
            TextKind::Positions => {
                self.import_set(
                    PositionSet::from_text(text).map_err(|error| error.to_string())?,
                    effects,
                );
            }
            TextKind::Preset => {
                let preset = Preset::from_text(text).map_err(|error| error.to_string())?;
                effects.info(format!("Preset opened: {}", preset.title));
                self.open_preset(preset, effects);
            }
            TextKind::Strategy => {
                let strategy: Strategy = text.parse().map_err(|error| format!("{error}"))?;
                effects.info(format!("Strategy {} opened", strategy.label()));
                self.core.open_strategy("open strategy", strategy);
            }
            TextKind::Board => {
                let readings = reading::offers(text).map_err(|error| error.to_string())?;
                match &readings[..] {
                    [only] if only.chosen_by.is_none() => self.open_reading(only, from, effects),
                    _ => effects.push(Effect::AskWhichBoard(ToChoose {
                        readings,
                        from: from.to_owned(),
                    })),
                }
            }
            TextKind::Training => {
                return Err(
                    "this is the training of a network: afterstate train opens its file".to_owned(),
                );
            }
            TextKind::Results => {
                return Err("results cannot be pasted: open them as files".to_owned());
            }
            TextKind::Tree | TextKind::Tuning | TextKind::Json | TextKind::Unknown => {
                return Err(kind.refusal_of_any(text));
            }
        }
        Ok(())
    }

    fn open_reading(&mut self, reading: &Reading, from: &str, effects: &mut Effects) {
        self.open_position(reading.board, reading.score.unwrap_or_default(), from);
        effects.info("Position opened");
        self.doubt_board(effects);
    }

    pub(super) fn open_preset(&mut self, preset: Preset, effects: &mut Effects) {
        // The results of the experiment on screen stay.
        let is_on_screen = preset == **self.setup();
        if !is_on_screen {
            self.core.record("open preset");
        }
        let unknown = preset.unknown_paths();
        if !unknown.is_empty() {
            effects.warn(format!(
                "Unknown fields are kept unchanged: {}",
                words::list(&unknown)
            ));
        }
        if is_on_screen {
            self.core.content_mut().saved_to = None;
        } else {
            self.set_experiment(preset, None);
        }
        effects.push(Effect::ShowPanel(Panel::Experiment));
    }

    pub(super) fn open_own_preset(&mut self, path: &Path, effects: &mut Effects) {
        let Some(Stored { item, text, .. }) = effects.accept(Stored::<Preset>::load(path)) else {
            return;
        };
        self.open_preset((*item).clone(), effects);
        self.core.content_mut().saved_to = Some(OriginFile {
            path: path.to_owned(),
            text: text.to_string(),
        });
    }

    /// Saves the experiment to its file, if the title is unchanged; else under its title, with a number if another
    /// preset has that title. Asks for a title if the user has not chosen one.
    fn save(&mut self, effects: &mut Effects) {
        if self.presets().folder().is_none() {
            effects.error("This system has no folder for presets: use Save as…");
            return;
        }
        let has_title = |file: &OriginFile| {
            Preset::draft(&file.text).is_ok_and(|preset| preset.title == self.setup().title)
        };
        let file = self.content().saved_to.clone().filter(has_title);
        if file.is_none() && !self.setup().is_named() {
            effects.push(Effect::AskForTitle(self.setup().title.clone()));
            return;
        }
        self.save_preset(OriginFile::place(file.as_ref()), effects);
    }

    pub(super) fn save_preset(&mut self, to: SaveTo<'_>, effects: &mut Effects) {
        let preset = self.content().setup.clone();
        match effects.accept(self.own_files.presets.save(to, &preset)) {
            Some(Saving::Written(file)) => {
                effects.info(format!("Saved to {}", file.path.display()));
                self.own_files.note(&file.path);
                let file = OriginFile {
                    path: file.path,
                    text: preset.to_text(),
                };
                // Undo changes the experiment, not the file, so all its states get the new file content.
                self.core.amend(|content| {
                    if let Some(saved_to) = content
                        .saved_to
                        .as_mut()
                        .filter(|saved_to| saved_to.path == file.path)
                    {
                        saved_to.clone_from(&file);
                    }
                });
                self.core.content_mut().saved_to = Some(file);
            }
            Some(Saving::ChangedElsewhere(theirs)) => {
                // The old text is valid: this window read or wrote it.
                let before = self
                    .content()
                    .saved_to
                    .as_ref()
                    .and_then(|file| Preset::from_text(&file.text).ok());
                let before = before.unwrap_or_else(|| (*preset).clone());
                let conflict = Conflict::new(
                    [&*preset, &before],
                    &theirs,
                    Preset::difference,
                    Conflicting::Preset,
                );
                self.own_files.conflict = Some(conflict);
                self.own_files.presets.list();
            }
            None => {}
        }
    }

    /// The current results, compared with the pinned strategy; the caller of the closure copies the games.
    pub fn results_elsewhere(&self) -> Option<impl FnOnce() -> experiment::Results + Send + use<>> {
        let last_run = self.results()?;
        let results = last_run.run.as_ref()?.results_elsewhere();
        let (run, place) = self.runs.compared_with;
        let place = (run == last_run.runs).then_some(place);
        Some(move || match place {
            Some(place) => results().with_baseline(place),
            None => results(),
        })
    }

    fn save_to(
        &mut self,
        purpose: Purpose,
        path: &Path,
        effects: &mut Effects,
    ) -> Result<(), String> {
        match purpose {
            Purpose::SavePreset => {
                let text = self.setup().to_text();
                write_text(path, &text)?;
                self.core.content_mut().saved_to = Some(OriginFile {
                    path: path.to_owned(),
                    text,
                });
            }
            Purpose::SaveRecord => write_text(path, &self.record_text())?,
            Purpose::ExportStrategy => {
                self.export_strategy(path, effects);
                return Ok(());
            }
            // A worker writes these, because they may be large.
            Purpose::Open
            | Purpose::ExportResults
            | Purpose::ImportStrategies
            | Purpose::SaveTree(_)
            | Purpose::SaveFigure(..)
            | Purpose::SaveReview(_)
            | Purpose::SaveGames(_) => return Ok(()),
        }

        effects.info(format!("Saved to {}", path.display()));
        self.own_files.note(path);
        self.own_files.presets.list();
        Ok(())
    }

    fn delete_preset(&mut self, path: &Path, effects: &mut Effects) {
        if let Some(deleted) = effects.accept(self.own_files.presets.delete(path)) {
            let name = path
                .file_stem()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            self.core
                .has_deleted(&name, FileCommand::RestorePreset(deleted), effects);
        }
    }
}

fn write_text(path: &Path, text: &str) -> Result<(), String> {
    files::write(path, text.as_bytes()).map_err(|error| error.to_string())
}

/// A title as a file name.
fn stem(title: &str) -> String {
    let words: Vec<String> = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}
