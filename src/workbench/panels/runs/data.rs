//! The rows of the list of runs, computed without a window.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::experiment::{EndReason, KeptRun, Manifest, RunNotes};
use crate::files;
use crate::learning::Training;
use crate::prose;
use crate::words;
use crate::workbench::kit::Sort;
use crate::workbench::state::Trainings;

/// A column of the list, left to right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RunsColumn {
    Pin,
    Title,
    #[default]
    Begun,
    Strategies,
    Games,
    End,
    Seed,
    Rules,
    Size,
    Tags,
}

impl RunsColumn {
    /// Left to right: title, meaning, whether its values are numbers, and maximum width.
    pub(super) const ALL: [(Self, &'static str, &'static str, bool, f32); 10] = [
        (Self::Pin, "", "Show its strategies with those on screen", false, 24.0),
        (Self::Title, "Run", "Title of the experiment", false, 420.0),
        (Self::Begun, "Started", "Start of its first game, in UTC", false, 130.0),
        (Self::Strategies, "Strategies", "Strategies that play", false, 200.0),
        (Self::Games, "Games", "Finished and planned games of all strategies", true, 150.0),
        (
            Self::End,
            "Status",
            "Whether all games were played, and if not, why; then the number of games from before",
            false,
            190.0,
        ),
        (Self::Seed, "Seed", "Runs with the same seed and rules have the same tiles, game by game", true, 150.0),
        (
            Self::Rules,
            "Rules",
            "Board, probability of a 4 and end of games, where they differ from the defaults",
            false,
            150.0,
        ),
        (Self::Size, "Size", "Size of its folder on disk", true, 80.0),
        (Self::Tags, "Tags", "Your tags", false, 150.0),
    ];

    /// The columns that fold away when they do not fit, in this order.
    const FOLDING: [Self; 8] =
        [Self::Rules, Self::Tags, Self::Seed, Self::Size, Self::Strategies, Self::Begun, Self::End, Self::Games];

    /// The columns that fit into `room`, `gap` apart.
    pub(super) fn fitting(room: f32, gap: f32, width: impl Fn(Self) -> f32) -> Vec<Self> {
        let mut columns: Vec<Self> = Self::ALL.iter().map(|facts| facts.0).collect();
        // A column that is empty in all rows has no width.
        columns.retain(|&column| matches!(column, Self::Pin | Self::Title) || 0.0 < width(column));
        let fits = |columns: &[Self]| columns.iter().map(|&column| width(column) + gap).sum::<f32>() - gap <= room;
        for fold in Self::FOLDING {
            if fits(&columns) {
                break;
            }
            columns.retain(|&column| column != fold);
        }
        columns
    }
}

/// The object of a row.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Run(Arc<KeptRun>),
    /// The training of the network of this name.
    Training(String),
}

/// A run or a training, as text.
#[derive(Clone, Debug)]
pub(super) struct RunsRow {
    pub of: Source,
    /// Folder of the run, file of the network.
    pub path: PathBuf,
    pub notes: RunNotes,
    pub is_wrong: bool,
    pub title: String,
    /// The difference to other runs of the same title, such as "seed 2, 4 strategies"; empty if the title is unique.
    pub tells: String,
    cells: [String; RunsColumn::ALL.len()],
    /// The searchable text, in lower case.
    words: String,
    finished: u64,
    planned: u64,
    seed: Option<u64>,
    bytes: Option<u64>,
    /// In UTC; empty if unknown.
    begun_at: String,
}

impl RunsRow {
    fn of_run(run: &Arc<KeptRun>) -> Self {
        let title = run.title();
        let manifest = run.manifest.as_ref().ok();
        let of = |text: &dyn Fn(&Manifest) -> String| manifest.map_or_else(String::new, text);
        // Games saved by a stop rule are not missing.
        let counted = manifest.and_then(|of| of.end_reason.counted());
        let planned = manifest.map_or(0, |of| counted.unwrap_or(of.games).saturating_mul(of.strategies.len() as u64));
        let strategies = of(&|of| of.strategies.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", "));
        let cells = RunsColumn::ALL.map(|(column, ..)| match column {
            RunsColumn::Pin => String::new(),
            RunsColumn::Title => title.clone(),
            RunsColumn::Begun => of(&|of| begun(&of.started)),
            RunsColumn::Strategies => strategies.clone(),
            RunsColumn::Games => {
                if manifest.is_some() {
                    games_text(if counted.is_some() { planned } else { run.finished }, planned)
                } else {
                    String::new()
                }
            }
            RunsColumn::End => manifest.map_or_else(|| "cannot be read".to_owned(), |of| end(of, run.finished)),
            RunsColumn::Seed => of(&|of| of.seed.to_string()),
            RunsColumn::Rules => of(&rules),
            RunsColumn::Size => size_text(run.bytes()),
            RunsColumn::Tags => run.notes.tags_text(),
        });

        let name = files::name_of(&run.path);
        let [seed, tags] = [RunsColumn::Seed, RunsColumn::Tags].map(|column| cells[column as usize].as_str());
        let words = [&title, &strategies, seed, tags, &run.notes.note, &name].join("\n").to_lowercase();
        Self {
            of: Source::Run(run.clone()),
            path: run.path.clone(),
            notes: run.notes.clone(),
            is_wrong: manifest.is_none(),
            title,
            tells: String::new(),
            cells,
            words,
            finished: run.finished,
            planned,
            seed: manifest.map(|of| of.seed),
            bytes: run.bytes(),
            begun_at: of(&|of| of.started.clone()),
        }
    }

    fn of_training(name: &str, path: &Path, all: &Trainings) -> Self {
        let (kept, training) = (all.find(name).filter(|kept| !kept.ships), all.training(name));
        let notes = kept.map(|kept| kept.notes.clone()).unwrap_or_default();
        let of = |text: &dyn Fn(&Training) -> String| training.map_or_else(String::new, text);
        let started = kept.and_then(|kept| kept.manifest()).map_or("", |manifest| &manifest.started);
        let (finished, planned) = (all.games(name), training.map_or(0, |training| training.games));
        let bytes = kept.and_then(|kept| kept.bytes);
        let cells = RunsColumn::ALL.map(|(column, ..)| match column {
            RunsColumn::Pin => String::new(),
            RunsColumn::Title => name.to_owned(),
            RunsColumn::Begun => begun(started),
            RunsColumn::Strategies => of(&|of| format!("{}, {}", of.network.label(), of.rule_name())),
            RunsColumn::Games => of(&|_| games_text(finished, planned)),
            RunsColumn::End => all.state_words(name).to_owned(),
            RunsColumn::Seed => of(&|of| of.seed.to_string()),
            RunsColumn::Rules => of(&|of| prose::rules(&of.rules())),
            RunsColumn::Size => size_text(bytes),
            RunsColumn::Tags => notes.tags_text(),
        });

        let title = of(&|of| of.title.clone());
        let [who, seed, tags] =
            [RunsColumn::Strategies, RunsColumn::Seed, RunsColumn::Tags].map(|column| cells[column as usize].as_str());
        let words = [name, TRAINING, &title, who, seed, tags, &notes.note].join("\n").to_lowercase();
        Self {
            of: Source::Training(name.to_owned()),
            path: path.to_owned(),
            notes,
            is_wrong: kept.is_some_and(|kept| kept.info.is_err()),
            title: name.to_owned(),
            tells: TRAINING.to_owned(),
            cells,
            words,
            finished,
            planned,
            seed: training.map(|of| of.seed),
            bytes,
            begun_at: started.to_owned(),
        }
    }

    /// The name of the trained network.
    pub(super) fn training(&self) -> Option<&str> {
        match &self.of {
            Source::Run(_) => None,
            Source::Training(name) => Some(name),
        }
    }

    pub(super) fn run(&self) -> Option<&KeptRun> {
        match &self.of {
            Source::Run(run) => Some(run),
            Source::Training(_) => None,
        }
    }

    /// Facts in which runs of the same title may differ.
    fn facts(&self) -> [String; 5] {
        let Some(manifest) = self.run().and_then(|run| run.manifest.as_ref().ok()) else { return Default::default() };
        let names = self.text(RunsColumn::Strategies);
        [
            format!("seed {}", manifest.seed),
            words::plural(manifest.strategies.len() as u64, "strategy"),
            rules(manifest),
            words::shortened_to(40, names),
            format!("{} each", words::plural(manifest.games, "game")),
        ]
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(super) fn text(&self, column: RunsColumn) -> &str {
        &self.cells[column as usize]
    }

    /// The games of an active run.
    pub(super) fn games_now(&self, finished: u64) -> String {
        games_text(finished, self.planned)
    }

    /// The accessible name of the row.
    pub(super) fn name(&self) -> String {
        let [games, end] = [RunsColumn::Games, RunsColumn::End].map(|column| self.text(column));
        let tags = self.text(RunsColumn::Tags);
        let tags = if tags.is_empty() { String::new() } else { format!(", {tags}") };
        if let Some(name) = self.training() {
            return format!("Training {name}, {games} games, {end}{tags}");
        }
        let tells = if self.tells.is_empty() { String::new() } else { format!(", {}", self.tells) };
        match self.is_wrong {
            false => format!("Run {}{tells}, {games} games, {end}{tags}", self.title),
            true => format!("Run {}{tells}, {end}{tags}", self.title),
        }
    }

    fn compare(&self, other: &Self, by: RunsColumn) -> Ordering {
        match by {
            RunsColumn::Games => self.finished.cmp(&other.finished),
            RunsColumn::Size => self.bytes.cmp(&other.bytes),
            RunsColumn::Seed => self.seed.cmp(&other.seed),
            RunsColumn::Begun => self.begun_at.cmp(&other.begun_at),
            by => self.text(by).to_lowercase().cmp(&other.text(by).to_lowercase()),
        }
    }
}

/// "2026-11-20 12:30".
pub(super) fn begun(started: &str) -> String {
    let minutes = started.get(..16).unwrap_or(started);
    minutes.replace('T', " ")
}

fn size_text(bytes: Option<u64>) -> String {
    bytes.map(words::bytes).unwrap_or_default()
}

fn games_text(finished: u64, planned: u64) -> String {
    match finished < planned {
        true => format!("{} of {}", words::count(finished), words::count(planned)),
        false => words::count(finished),
    }
}

/// The state of the run in a few words.
fn end(manifest: &Manifest, finished: u64) -> String {
    let reason = match &manifest.end_reason {
        EndReason::Running { .. } if finished == 0 => "not started",
        EndReason::Running { .. } => "running",
        EndReason::AllGames => "all played",
        EndReason::RuleMet { each: Some(games), .. } => &format!("rule met, {} each", words::plural(*games, "game")),
        EndReason::RuleMet { .. } => "rule met",
        EndReason::Stopped { .. } => "stopped",
        EndReason::Cancelled { .. } => "stopped at once",
        EndReason::Failed { .. } => "failed",
    };
    match manifest.earlier_answers().last() {
        Some(games) => format!("{reason}, {} from before", words::plural(*games, "game")),
        None => reason.to_owned(),
    }
}

/// The rules in a manifest.
pub(super) fn rules(manifest: &Manifest) -> String {
    manifest.preset().map_or_else(|_| manifest.size.clone(), |preset| prose::rules_of(&preset))
}

/// The runs and trainings that contain all words of the query, sorted; ties by date, newest first.
pub(super) fn rows(runs: &[Arc<KeptRun>], trainings: &Trainings, query: &str, sort: Sort<RunsColumn>) -> Vec<RunsRow> {
    let query = query.to_lowercase();
    let wanted: Vec<&str> = query.split_whitespace().collect();
    let mut rows: Vec<RunsRow> = runs.iter().map(RunsRow::of_run).collect();
    tell_apart(&mut rows);
    rows.extend(trainings.own().iter().map(|(name, path)| RunsRow::of_training(name, path, trainings)));
    rows.retain(|row| wanted.iter().all(|word| row.words.contains(word)));
    let newest = |a: &RunsRow, b: &RunsRow| b.begun_at.cmp(&a.begun_at).then_with(|| b.path().cmp(a.path()));
    rows.sort_by(|a, b| sort.order(|key| key.turn(a.compare(b, key.by))).then_with(|| newest(a, b)));
    rows
}

/// Adds distinguishing facts to runs with the same title.
fn tell_apart(rows: &mut [RunsRow]) {
    let mut of_title: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        of_title.entry(row.title.clone()).or_default().push(place);
    }
    for places in of_title.into_values().filter(|places| 1 < places.len()) {
        let facts: Vec<[String; 5]> = places.iter().map(|&place| rows[place].facts()).collect();
        for (place, told) in places.into_iter().zip(words::telling(&facts)) {
            rows[place].tells = told.join(", ");
        }
    }
}

/// The label of a training after its name.
const TRAINING: &str = "training";

/// "12 of 200 runs, 3.4 MB"; while the folder is read, the progress.
pub(super) fn count_text(rows: &[RunsRow], (all, there): (usize, usize), is_reading: bool) -> String {
    if all < there {
        let of = format!("{} of {}", words::count(all as u64), words::plural(there as u64, "run"));
        return if is_reading { format!("Reading {of}…") } else { format!("{of} read") };
    }
    let bytes = words::bytes(rows.iter().filter_map(|row| row.bytes).sum());
    match rows.len() == all {
        true => format!("{}, {bytes}", words::plural(all as u64, "run")),
        false => format!("{} of {}, {bytes}", words::count(rows.len() as u64), words::plural(all as u64, "run")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run, Runs};
    use crate::game::Rules;
    use crate::preset::Preset;

    #[test]
    fn runs_are_found_by_any_of_their_words_and_sorted_by_any_column() {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = Runs::at(folder.path());
        for (title, letters, seed, games) in [("First try", "er", 7, 5), ("Second", "emr", 12, 3), ("Third", "r", 9, 4)]
        {
            let strategy = letters.parse().expect("letters");
            let rules = Rules { p4: if seed == 9 { 0.2 } else { 0.1 }, ..Rules::default() };
            let plan = Plan::of_preset(&Preset { seed, games, rules, ..Preset::new(title, [strategy]) });
            let run = Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan");
            run.wait();
        }

        let third = runs.list().into_iter().find(|run| run.title() == "Third").expect("kept");
        let tags = vec!["thesis".to_owned()];
        RunNotes { tags, note: "after the talk".to_owned(), ..RunNotes::default() }
            .write(&third.path)
            .expect("written");

        let all: Vec<Arc<KeptRun>> = runs.list().into_iter().map(Arc::new).collect();
        let titles = |query: &str, sort: Sort<RunsColumn>| {
            rows(&all, &Trainings::default(), query, sort).into_iter().map(|row| row.title).collect::<Vec<_>>()
        };
        let by = Sort::new;
        assert_eq!(titles("", by(RunsColumn::Games, false)), ["Second", "Third", "First try"]);
        assert_eq!(titles("", by(RunsColumn::Seed, true)), ["Second", "Third", "First try"]);
        for (query, found) in
            [("try", "First try"), ("EMR", "Second"), ("12", "Second"), ("thesis talk", "Third"), ("9 third", "Third")]
        {
            assert_eq!(titles(query, by(RunsColumn::Title, false)), [found], "{query}");
        }

        assert!(titles("thesis emr", by(RunsColumn::Title, false)).is_empty());
        let row = rows(&all, &Trainings::default(), "thesis", by(RunsColumn::Title, false)).remove(0);
        assert_eq!(row.name(), "Run Third, 4 games, all played, thesis");
        assert_eq!((row.text(RunsColumn::Rules), row.games_now(3).as_str()), ("4x4, 20 % fours", "3 of 4"));
        let text = |counts, is_reading| count_text(std::slice::from_ref(&row), counts, is_reading);
        assert!(text((3, 3), false).starts_with("1 of 3 runs, ") && text((3, 3), true).starts_with("1 of 3 runs, "));
        assert_eq!(
            (text((1, 4), true), text((1, 4), false)),
            ("Reading 1 of 4 runs…".into(), "1 of 4 runs read".into())
        );
    }

    #[test]
    fn runs_of_one_title_are_told_apart_in_their_rows() {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = Runs::at(folder.path());
        for (title, letters, seed) in
            [("Same", &["er", "r"][..], 1), ("Same", &["er", "r"], 2), ("Same", &["mr"], 1), ("Other", &["er"], 1)]
        {
            let strategies = letters.iter().map(|letters| letters.parse().expect("letters"));
            let plan = Plan::of_preset(&Preset { seed, games: 2, ..Preset::new(title, strategies) });
            let run = Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan");
            run.wait();
        }

        let all: Vec<Arc<KeptRun>> = runs.list().into_iter().map(Arc::new).collect();
        let mut told: Vec<String> = rows(&all, &Trainings::default(), "", Sort::falling(RunsColumn::Begun))
            .iter()
            .map(|row| format!("{}: {}", row.title, row.tells))
            .collect();
        told.sort();
        let wanted =
            ["Other: ", "Same: seed 1, 1 strategy", "Same: seed 1, 2 strategies", "Same: seed 2, 2 strategies"];
        assert_eq!(told, wanted);

        // Also if the query hides the others.
        let found = rows(&all, &Trainings::default(), "mr", Sort::falling(RunsColumn::Begun));
        assert_eq!((found.len(), found[0].tells.as_str()), (1, "seed 1, 1 strategy"));
    }

    #[test]
    fn columns_fold_in_their_order_and_empty_ones_are_left_out() {
        let fitting =
            |room| RunsColumn::fitting(room, 10.0, |column| if column == RunsColumn::Tags { 0.0 } else { 80.0 });
        assert!(RunsColumn::ALL.iter().enumerate().all(|(place, facts)| facts.0 as usize == place));
        assert_eq!(fitting(2000.0).len(), RunsColumn::ALL.len() - 1);
        assert_eq!(fitting(270.0), [RunsColumn::Pin, RunsColumn::Title, RunsColumn::Games]);
        assert_eq!(fitting(10.0), [RunsColumn::Pin, RunsColumn::Title]);
    }
}
