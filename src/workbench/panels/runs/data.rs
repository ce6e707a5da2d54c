//! The rows of the list of runs, computed without a window.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use crate::experiment::{EndReason, KeptRun, Manifest, RunNotes};
use crate::files;
use crate::learning::Training;
use crate::prose;
use crate::table::{Cell, Column, MISSING, Table};
use crate::words;
use crate::workbench::kit::{Sort, row_order};
use crate::workbench::state::Trainings;

/// A column of the list.
pub(super) struct RunsColumn<'a> {
    pub data: Column<'a, &'a RunsRow>,
    /// The most width that its texts take.
    pub most: f32,
    /// Its place among the columns that fold away if they do not fit, from 1; 0 if it never does.
    folds: u8,
}

/// Left to right.
pub(super) fn columns<'a>() -> [RunsColumn<'a>; 10] {
    type Row<'a> = &'a RunsRow;
    let column_with =
        |data: Column<'a, Row<'a>>, most: f32, folds: u8| RunsColumn { data, most, folds };
    let end =
        "Whether all games were played, and if not, why; then the number of games from before";
    let rules = "Board, probability of a 4 and end of games, where they differ from the defaults";
    let seed = "Runs with the same seed and rules have the same tiles, game by game";
    [
        column_with(
            Column::text(
                PIN,
                "",
                "Show its strategies with those on screen",
                |_: &Row<'a>| "",
            ),
            24.0,
            0,
        ),
        column_with(
            Column::text(TITLE, "run", "Title of the experiment", |row: &Row<'a>| {
                row.title.clone()
            }),
            420.0,
            0,
        ),
        column_with(
            Column::text(
                STARTED,
                "started",
                "Start of its first game, in UTC",
                |row: &Row<'a>| row.started(),
            )
            .falling(),
            130.0,
            6,
        ),
        column_with(
            Column::text(
                "strategies",
                "strategies",
                "Strategies that play",
                |row: &Row<'a>| row.strategies.clone(),
            ),
            200.0,
            5,
        ),
        column_with(
            Column::whole(
                GAMES,
                "games",
                "Finished and planned games of all strategies",
                |row: &Row<'a>| row.games(),
            ),
            150.0,
            8,
        ),
        column_with(
            Column::text(END, "status", end, |row: &Row<'a>| row.end.clone()),
            190.0,
            7,
        ),
        column_with(
            Column::whole("seed", "seed", seed, |row: &Row<'a>| row.seed()).rising(),
            150.0,
            3,
        ),
        column_with(
            Column::text("rules", "rules", rules, |row: &Row<'a>| row.rules.clone()),
            150.0,
            1,
        ),
        column_with(
            Column::whole(
                "bytes",
                "size",
                "Size of its folder on disk",
                |row: &Row<'a>| row.size(),
            ),
            80.0,
            4,
        ),
        column_with(
            Column::text("tags", "tags", "Your tags", |row: &Row<'a>| {
                row.notes.tags_text()
            }),
            150.0,
            2,
        ),
    ]
}

/// Keys of columns with their own cells.
pub(super) const PIN: &str = "pin";
pub(super) const TITLE: &str = "title";
pub(super) const GAMES: &str = "games";
pub(super) const END: &str = "status";
const STARTED: &str = "started";

/// The number of a column.
fn column(key: &str) -> usize {
    columns()
        .iter()
        .position(|column| column.data.head.key == key)
        .expect("a column of the table")
}

/// The runs as they are sorted at first: the newest on top.
pub(super) fn usual_sort() -> Sort<usize> {
    Sort::falling(column(STARTED))
}

/// The columns that fold away if they do not fit, the first one first.
pub(super) fn folding() -> Vec<usize> {
    let all = columns();
    (0..all.len())
        .filter(|&column| all[column].folds != 0)
        .sorted_by_key(|&column| all[column].folds)
        .collect()
}

/// The object of a row.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Run(Arc<KeptRun>),
    /// The training of the network of this name.
    Training(String),
}

/// A run or a training.
#[derive(Clone, Debug)]
pub(super) struct RunsRow {
    pub source: Source,
    /// Folder of the run, file of the network.
    pub path: PathBuf,
    pub notes: RunNotes,
    pub is_wrong: bool,
    pub title: String,
    /// The difference to other runs of the same title, such as "seed 2, 4 strategies"; empty if the title is unique.
    pub tells: String,
    /// The searchable text, in lower case.
    words: String,
    /// In UTC.
    started: Option<String>,
    /// Or the network and the rule of a training.
    strategies: Option<String>,
    games: Option<GamesOf>,
    pub end: String,
    seed: Option<u64>,
    rules: Option<String>,
    bytes: Option<u64>,
}

/// Finished and planned games.
#[derive(Clone, Copy, Debug)]
struct GamesOf {
    finished: u64,
    planned: u64,
}

impl RunsRow {
    fn of_run(run: &Arc<KeptRun>) -> Self {
        let title = run.title();
        let manifest = run.manifest.as_ref().ok();
        let strategies = manifest.map(|manifest| {
            manifest
                .strategies
                .iter()
                .map(|one| &*one.name)
                .collect::<Vec<_>>()
                .join(", ")
        });
        let games = manifest.map(|manifest| {
            // Games saved by a stop rule are not missing.
            let counted = manifest.end_reason.counted();
            let planned = counted
                .unwrap_or(manifest.games)
                .saturating_mul(manifest.strategies.len() as u64);
            GamesOf {
                finished: if counted.is_some() {
                    planned
                } else {
                    run.finished
                },
                planned,
            }
        });
        Self {
            source: Source::Run(run.clone()),
            path: run.path.clone(),
            notes: run.notes.clone(),
            is_wrong: manifest.is_none(),
            tells: String::new(),
            words: String::new(),
            started: manifest.map(|manifest| manifest.started.clone()),
            strategies,
            games,
            end: manifest.map_or_else(
                || "cannot be read".to_owned(),
                |manifest| end(manifest, run.finished),
            ),
            seed: manifest.map(|manifest| manifest.seed),
            rules: manifest.map(rules),
            bytes: run.bytes(),
            title,
        }
        .found_by(&[&files::name_of(&run.path)])
    }

    fn of_training(name: &str, path: &Path, all: &Trainings) -> Self {
        let (saved, training) = (
            all.find(name).filter(|saved| !saved.ships),
            all.training(name),
        );
        let started = saved
            .and_then(|saved| saved.manifest())
            .map(|manifest| manifest.started.clone());
        let games = |training: &Training| GamesOf {
            finished: all.games(name),
            planned: training.games,
        };
        Self {
            source: Source::Training(name.to_owned()),
            path: path.to_owned(),
            notes: saved.map(|saved| saved.notes.clone()).unwrap_or_default(),
            is_wrong: saved.is_some_and(|saved| saved.info.is_err()),
            title: name.to_owned(),
            tells: TRAINING.to_owned(),
            words: String::new(),
            started,
            strategies: training
                .map(|training| format!("{}, {}", training.network.label(), training.rule_name())),
            games: training.map(games),
            end: all.state_words(name).to_owned(),
            seed: training.map(|training| training.seed),
            rules: training.map(|training| prose::rules(&training.rules())),
            bytes: saved.and_then(|saved| saved.bytes),
        }
        .found_by(&[TRAINING, training.map_or("", |training| &training.title)])
    }

    /// The row with its searchable text, which has further words.
    fn found_by(self, further: &[&str]) -> Self {
        let seed = self.seed.map(|seed| seed.to_string()).unwrap_or_default();
        let strategies = self.strategies.as_deref().unwrap_or_default();
        let own = [
            &self.title,
            strategies,
            &seed,
            &self.notes.tags_text(),
            &self.notes.note,
        ];
        Self {
            words: [&own, further].concat().join("\n").to_lowercase(),
            ..self
        }
    }

    /// The name of the trained network.
    pub(super) fn training(&self) -> Option<&str> {
        match &self.source {
            Source::Run(_) => None,
            Source::Training(name) => Some(name),
        }
    }

    pub(super) fn run(&self) -> Option<&KeptRun> {
        match &self.source {
            Source::Run(run) => Some(run),
            Source::Training(_) => None,
        }
    }

    /// Facts in which runs of the same title may differ.
    fn facts(&self) -> [String; 5] {
        let Some(manifest) = self.run().and_then(|run| run.manifest.as_ref().ok()) else {
            return Default::default();
        };
        let names = self.strategies.as_deref().unwrap_or_default();
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

    /// The cell of a column.
    fn started(&self) -> Option<Cell> {
        self.started
            .as_ref()
            .map(|started| Cell::shown(begun(started), started.clone()))
    }

    fn games(&self) -> Option<Cell> {
        self.games
            .map(|games| Cell::shown(games.text(), games.finished))
    }

    fn seed(&self) -> Option<Cell> {
        self.seed.map(|seed| Cell::shown(seed.to_string(), seed))
    }

    fn size(&self) -> Option<Cell> {
        self.bytes
            .map(|bytes| Cell::shown(words::bytes(bytes), bytes))
    }

    /// The games of an active run.
    pub(super) fn games_now(&self, finished: u64) -> String {
        self.games.map_or_else(
            || words::count(finished),
            |games| GamesOf { finished, ..games }.text(),
        )
    }

    /// The accessible name of the row.
    pub(super) fn name(&self) -> String {
        let Self {
            title, tells, end, ..
        } = self;
        let games = self
            .games
            .map_or_else(String::new, |games| format!(", {} games", games.text()));
        let [tells, tags] = [tells.clone(), self.notes.tags_text()].map(|text| match &*text {
            "" => text,
            _ => format!(", {text}"),
        });
        match (self.training(), self.is_wrong) {
            (Some(name), _) => format!("Training {name}{games}, {end}{tags}"),
            (None, false) => format!("Run {title}{tells}{games}, {end}{tags}"),
            (None, true) => format!("Run {title}{tells}, {end}{tags}"),
        }
    }
}

impl GamesOf {
    fn text(self) -> String {
        let Self { finished, planned } = self;
        match finished < planned {
            true => format!("{} of {}", words::count(finished), words::count(planned)),
            false => words::count(finished),
        }
    }
}

/// "2026-11-20 12:30".
pub(super) fn begun(started: &str) -> String {
    let minutes = started.get(..16).unwrap_or(started);
    minutes.replace('T', " ")
}

/// The state of the run in a few words.
fn end(manifest: &Manifest, finished: u64) -> String {
    let reason = match &manifest.end_reason {
        EndReason::Running { .. } if finished == 0 => "not started",
        EndReason::Running { .. } => "running",
        EndReason::AllGames => "all played",
        EndReason::RuleMet {
            each: Some(games), ..
        } => &format!("rule met, {} each", words::plural(*games, "game")),
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
    manifest
        .preset()
        .map_or_else(|_| manifest.size.clone(), |preset| prose::rules_of(&preset))
}

/// The runs and trainings that contain all words of a query, sorted; ties by date, newest first.
#[derive(Debug, Default)]
pub(super) struct RunsList {
    pub rows: Vec<RunsRow>,
    pub data: Table,
    /// The cells as people see them.
    pub texts: Vec<Vec<String>>,
}

impl RunsList {
    pub(super) fn new(
        runs: &[Arc<KeptRun>],
        trainings: &Trainings,
        query: &str,
        sort: Sort<usize>,
    ) -> Self {
        let query = query.to_lowercase();
        let wanted: Vec<&str> = query.split_whitespace().collect();
        let mut rows: Vec<RunsRow> = runs.iter().map(RunsRow::of_run).collect();
        tell_apart(&mut rows);
        rows.extend(
            trainings
                .own()
                .iter()
                .map(|(name, path)| RunsRow::of_training(name, path, trainings)),
        );
        rows.retain(|row| wanted.iter().all(|word| row.words.contains(word)));
        rows.sort_by(|a, b| {
            b.started
                .cmp(&a.started)
                .then_with(|| b.path().cmp(a.path()))
        });

        let data = |rows: &[RunsRow]| Table::of(&columns().map(|column| column.data), rows);
        let rows: Vec<RunsRow> = row_order(&data(&rows), &sort)
            .into_iter()
            .map(|row| rows[row].clone())
            .collect();
        let data = data(&rows);
        Self {
            texts: data.texts(),
            data,
            rows,
        }
    }

    /// The texts of a column, without those of missing values.
    pub(super) fn texts_of(&self, column: usize) -> impl Iterator<Item = &str> {
        self.texts
            .iter()
            .map(move |cells| &*cells[column])
            .filter(|text| !text.is_empty() && *text != MISSING)
    }
}

/// Adds distinguishing facts to runs with the same title.
fn tell_apart(rows: &mut [RunsRow]) {
    let mut of_title: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        of_title.entry(row.title.clone()).or_default().push(place);
    }
    for places in of_title.into_values().filter(|places| 1 < places.len()) {
        let facts: Vec<[String; 5]> = places.iter().map(|&place| rows[place].facts()).collect();
        for (place, telling) in places.into_iter().zip(words::telling(&facts)) {
            rows[place].tells = telling.join(", ");
        }
    }
}

/// The label of a training after its name.
const TRAINING: &str = "training";

/// "12 of 200 runs, 3.4 MB, 2 of unknown size"; while the folder is read, the progress.
pub(super) fn count_text(
    rows: &[RunsRow],
    (all, there): (usize, usize),
    is_reading: bool,
) -> String {
    if all < there {
        let progress = format!(
            "{} of {}",
            words::count(all as u64),
            words::plural(there as u64, "run")
        );
        return if is_reading {
            format!("Reading {progress}…")
        } else {
            format!("{progress} read")
        };
    }
    let count = match rows.len() == all {
        true => words::plural(all as u64, "run"),
        false => format!(
            "{} of {}",
            words::count(rows.len() as u64),
            words::plural(all as u64, "run")
        ),
    };
    let sizes: Vec<u64> = rows.iter().filter_map(|row| row.bytes).collect();
    match (words::bytes(sizes.iter().sum()), rows.len() - sizes.len()) {
        (bytes, 0) => format!("{count}, {bytes}"),
        (_, unknown) if unknown == rows.len() => format!("{count} of unknown size"),
        (bytes, unknown) => format!(
            "{count}, {bytes}, {} of unknown size",
            words::count(unknown as u64)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run, Runs};
    use crate::game::Rules;
    use crate::preset::Preset;
    use crate::workbench::kit::csv_of;

    #[test]
    fn runs_are_found_by_any_of_their_words_and_sorted_by_any_column() {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = Runs::at(folder.path());
        for (title, letters, seed, games) in [
            ("First try", "er", 7, 5),
            ("Second", "emr", 12, 3),
            ("Third", "r", 9, 4),
        ] {
            let strategy = letters.parse().expect("letters");
            let rules = Rules {
                p4: if seed == 9 { 0.2 } else { 0.1 },
                ..Rules::default()
            };
            let plan = Plan::of_preset(&Preset {
                seed,
                games,
                rules,
                ..Preset::new(title, [strategy])
            });
            let run = Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {})
                .expect("a sound plan");
            run.wait();
        }

        let third = runs
            .list()
            .into_iter()
            .find(|run| run.title() == "Third")
            .expect("kept");
        let tags = vec!["thesis".to_owned()];
        RunNotes {
            tags,
            note: "after the talk".to_owned(),
            ..RunNotes::default()
        }
        .write(&third.path)
        .expect("written");

        let all: Vec<Arc<KeptRun>> = runs.list().into_iter().map(Arc::new).collect();
        let list = |query: &str, sort| RunsList::new(&all, &Trainings::default(), query, sort);
        let titles = |query: &str, sort| {
            list(query, sort)
                .rows
                .into_iter()
                .map(|row| row.title)
                .collect::<Vec<_>>()
        };
        let by = |key, falls| Sort::new(column(key), falls);
        assert_eq!(
            titles("", by(GAMES, false)),
            ["Second", "Third", "First try"]
        );
        assert_eq!(
            titles("", by("seed", true)),
            ["Second", "Third", "First try"]
        );
        for (query, found) in [
            ("try", "First try"),
            ("EMR", "Second"),
            ("12", "Second"),
            ("thesis talk", "Third"),
            ("9 third", "Third"),
        ] {
            assert_eq!(titles(query, by(TITLE, false)), [found], "{query}");
        }

        assert!(titles("thesis emr", by(TITLE, false)).is_empty());
        let mut found = list("thesis", by(TITLE, false));
        assert_eq!(
            found.texts_of(column("rules")).collect::<Vec<_>>(),
            ["4x4, 20 % fours"]
        );
        let csv = csv_of(found.data);
        assert!(
            csv.starts_with(
                "title,started,strategies,games,status,seed,rules,bytes,tags\nThird,20"
            ),
            "{csv}"
        );
        assert!(csv.contains(",r,4,all played,9,"), "{csv}");
        let row = found.rows.remove(0);
        assert_eq!(row.name(), "Run Third, 4 games, all played, thesis");
        assert_eq!(row.games_now(3), "3 of 4");
        let text = |counts, is_reading| count_text(std::slice::from_ref(&row), counts, is_reading);
        assert!(
            text((3, 3), false).starts_with("1 of 3 runs, ")
                && text((3, 3), true).starts_with("1 of 3 runs, ")
        );
        assert_eq!(
            (text((1, 4), true), text((1, 4), false)),
            ("Reading 1 of 4 runs…".into(), "1 of 4 runs read".into())
        );

        // A size that cannot be read is not 0.
        let sized = |bytes: &[Option<u64>]| {
            let rows: Vec<RunsRow> = bytes
                .iter()
                .map(|&bytes| RunsRow {
                    bytes,
                    ..row.clone()
                })
                .collect();
            count_text(&rows, (3, 3), false)
        };
        let size = words::bytes(5000);
        assert_eq!(
            sized(&[Some(2000), Some(3000), Some(0)]),
            format!("3 runs, {size}")
        );
        assert_eq!(
            sized(&[Some(5000), None, None]),
            format!("3 runs, {size}, 2 of unknown size")
        );
        assert_eq!(sized(&[None]), "1 of 3 runs of unknown size");
    }

    #[test]
    fn runs_of_one_title_are_told_apart_in_their_rows() {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = Runs::at(folder.path());
        for (title, letters, seed) in [
            ("Same", &["er", "r"][..], 1),
            ("Same", &["er", "r"], 2),
            ("Same", &["mr"], 1),
            ("Other", &["er"], 1),
        ] {
            let strategies = letters
                .iter()
                .map(|letters| letters.parse().expect("letters"));
            let plan = Plan::of_preset(&Preset {
                seed,
                games: 2,
                ..Preset::new(title, strategies)
            });
            let run = Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {})
                .expect("a sound plan");
            run.wait();
        }

        let all: Vec<Arc<KeptRun>> = runs.list().into_iter().map(Arc::new).collect();
        let list =
            |query: &str| RunsList::new(&all, &Trainings::default(), query, usual_sort()).rows;
        let mut lines: Vec<String> = list("")
            .iter()
            .map(|row| format!("{}: {}", row.title, row.tells))
            .collect();
        lines.sort();
        let wanted = [
            "Other: ",
            "Same: seed 1, 1 strategy",
            "Same: seed 1, 2 strategies",
            "Same: seed 2, 2 strategies",
        ];
        assert_eq!(lines, wanted);

        // Also if the query hides the others.
        let found = list("mr");
        assert_eq!(
            (found.len(), found[0].tells.as_str()),
            (1, "seed 1, 1 strategy")
        );
    }

    #[test]
    fn columns_fold_in_the_order_that_they_say() {
        let all = columns();
        let keys: Vec<&str> = folding()
            .into_iter()
            .map(|column| &*all[column].data.head.key)
            .collect();
        assert_eq!(
            keys,
            [
                "rules",
                "tags",
                "seed",
                "bytes",
                "strategies",
                STARTED,
                END,
                GAMES
            ]
        );
        assert!([PIN, TITLE].iter().all(|key| all[column(key)].folds == 0));
    }
}
