//! Reads exported results: the experiment from the manifest, its games from their table.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{FolderError, Manifest, ManifestError, Plan, PlanError, Run, RunFolder};
use crate::files::{self, ReadError, ReadProblem};
use crate::game::Rank;
use crate::preset::Preset;
use crate::strategy::Outcome;

/// The maximum size of a table of games in bytes, for about 20 million games.
const LARGEST_TABLE: u64 = 512 << 20;

/// The maximum size of a manifest, in bytes.
const LARGEST_MANIFEST: u64 = 8 << 20;

const COLUMNS: [&str; 5] = ["name", "game", "score", "largest", "moves"];

/// The run folder that a path names: the folder itself or its manifest.
pub fn run_folder(path: &Path) -> Option<&Path> {
    let folder = if path.is_dir() {
        path
    } else {
        path.parent().filter(|_| path.ends_with("manifest.json"))?
    };
    folder.join("manifest.json").is_file().then_some(folder)
}

/// Why a folder has no run, in one sentence with the file.
#[derive(Debug, thiserror::Error)]
pub enum ReadRunError {
    #[error("{0}: the other files of the results do not describe the experiment")]
    NoManifest(ReadError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: {error}", path.display())]
    Manifest { path: PathBuf, error: ManifestError },
    #[error("{}: {error}", path.display())]
    Games {
        path: PathBuf,
        error: GamesTableError,
    },
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// Why an exported table has no games of the experiment.
#[derive(Debug, thiserror::Error)]
pub enum GamesTableError {
    #[error(transparent)]
    Csv(#[from] csv::Error),
    #[error("its columns must be {}", COLUMNS.join(", "))]
    Columns,
    #[error("row {0} is not a game of this experiment")]
    Row(usize),
}

/// Reads the folder of a run, or one of [`results_files`](super::results_files): the experiment, and its run if it has
/// games. `plan` makes a plan of the experiment.
pub fn read_folder(
    folder: &Path,
    plan: impl Fn(&Preset) -> Plan,
    wake: impl Fn() + Send + Sync + 'static,
) -> Result<(Preset, Option<Run>), ReadRunError> {
    let path = folder.join("manifest.json");
    let text = files::read_text(&path, LARGEST_MANIFEST).map_err(|error| match error.problem {
        ReadProblem::Missing => ReadRunError::NoManifest(error),
        _ => error.into(),
    })?;

    let wrong = |error: ManifestError| ReadRunError::Manifest {
        path: path.clone(),
        error,
    };
    let manifest: Manifest = serde_json::from_str(&text).map_err(|error| wrong(error.into()))?;
    if manifest.format != 1 {
        let folder = RunFolder::open(folder)?;
        let run = Run::open(&folder, plan(&folder.preset), wake)?;
        return Ok((folder.preset.clone(), Some(run)));
    }

    let preset = manifest.preset().map_err(wrong)?;
    let path = folder.join("games.csv");
    let games = match files::read_text(&path, LARGEST_TABLE) {
        Err(ReadError {
            problem: ReadProblem::Missing,
            ..
        }) => return Ok((preset, None)),
        text => text?,
    };
    let games = read_games(&games, &preset).map_err(|error| ReadRunError::Games { path, error })?;
    let elapsed = Duration::try_from_secs_f64(manifest.elapsed_secs).unwrap_or_default();
    let run = Run::of_games(plan(&preset), &games, elapsed)?;
    Ok((preset, Some(run)))
}

/// The finished games of each strategy, in order.
fn read_games(text: &str, preset: &Preset) -> Result<Vec<Vec<(u64, Outcome)>>, GamesTableError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    if *reader.headers()? != COLUMNS[..] {
        return Err(GamesTableError::Columns);
    }

    // A name that a spreadsheet would execute has an apostrophe in front.
    let labels: Vec<String> = preset
        .strategies
        .iter()
        .map(|entry| entry.strategy.label())
        .collect();
    let place = |name: &str| {
        labels
            .iter()
            .position(|label| label == name || name.strip_prefix('\'') == Some(label.as_str()))
    };
    let mut games: Vec<Vec<(u64, Outcome)>> = vec![Vec::new(); labels.len()];
    for (row, record) in reader.records().enumerate() {
        let record = record?;
        let number = |column: usize| record.get(column).and_then(|cell| cell.parse::<u64>().ok());
        let game = || {
            let contestant = place(record.get(0)?)?;
            let largest = Rank::of_tile(number(3)?).filter(|rank| !rank.is_empty())?;
            let [score, moves] = [number(2)?, number(4)?].map(u32::try_from);
            let index = number(1).filter(|&index| index < preset.games)?;
            let is_next = games[contestant]
                .last()
                .is_none_or(|&(last, _)| last < index);
            is_next.then_some((
                contestant,
                index,
                Outcome {
                    score: score.ok()?,
                    largest,
                    moves: moves.ok()?,
                },
            ))
        };
        let (contestant, index, outcome) = game().ok_or(GamesTableError::Row(row + 2))?;
        games[contestant].push((index, outcome));
    }

    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{State, results_files};

    fn exported() -> (tempfile::TempDir, Run) {
        let strategies = ["r", "emr"].map(|letters| letters.parse().expect("letters"));
        let mut preset = Preset {
            games: 40,
            ..Preset::new("Two ways", strategies)
        };
        preset.strategies[1].strategy.name = "=mine, \"quoted\"".to_owned();
        let run = Run::start(
            Plan {
                threads: Some(1),
                ..Plan::of_preset(&preset)
            },
            || {},
        )
        .expect("a sound plan");
        run.wait();
        let folder = tempfile::tempdir().expect("a folder");
        let results = run.results();
        for (name, content) in results_files() {
            files::write_with(&folder.path().join(name), |file| content(&results, file))
                .expect("written");
        }
        (folder, run)
    }

    #[test]
    fn what_was_exported_is_opened_as_it_was() {
        let (folder, run) = exported();
        let (preset, read) = read_folder(folder.path(), Plan::of_preset, || {}).expect("read");
        let read = read.expect("games");
        assert_eq!(
            (preset.title.as_str(), preset.games, read.state()),
            ("Two ways", 40, State::Done)
        );
        assert!(preset.strategies[0].published.is_some());
        for (now, then) in read
            .results()
            .contestants
            .iter()
            .zip(run.results().contestants)
        {
            assert!(now.games == then.games && now.summary.scores == then.summary.scores);
            assert_eq!(now.strategy, then.strategy);
        }

        // A table with fewer games is that of a stopped run, which can continue.
        let table = folder.path().join("games.csv");
        let text = std::fs::read_to_string(&table).expect("a table");
        let fewer: Vec<&str> = text
            .lines()
            .enumerate()
            .filter(|(row, _)| row % 3 != 2)
            .map(|(_, line)| line)
            .collect();
        std::fs::write(&table, fewer.join("\n")).expect("written");
        let (_, read) = read_folder(folder.path(), Plan::of_preset, || {}).expect("read");
        let read = read.expect("games");
        assert_eq!(read.state(), State::Cancelled);
        let whole = read.go_on(|| {}).expect("a sound plan");
        whole.wait();
        assert!(whole.results().contestants[1].games == run.results().contestants[1].games);
    }

    #[test]
    fn what_is_missing_or_wrong_is_one_sentence() {
        let (folder, _) = exported();
        let table = folder.path().join("games.csv");
        let text = std::fs::read_to_string(&table).expect("a table");
        let refused = || {
            read_folder(folder.path(), Plan::of_preset, || {})
                .map(drop)
                .expect_err("wrong")
                .to_string()
        };
        for (from, to, part) in [
            (
                "r,3,",
                "r,40,",
                "games.csv: row 5 is not a game of this experiment",
            ),
            ("r,3,", "r,2,", "games.csv: row 5 is not a game"),
            ("r,3,", "s,3,", "games.csv: row 5 is not a game"),
            (
                "score",
                "points",
                "games.csv: its columns must be name, game, score",
            ),
        ] {
            std::fs::write(&table, text.replacen(from, to, 1)).expect("written");
            assert!(refused().contains(part), "{}", refused());
        }

        std::fs::remove_file(&table).expect("removed");
        assert!(
            read_folder(folder.path(), Plan::of_preset, || {}).is_ok_and(|(_, run)| run.is_none())
        );
        std::fs::write(folder.path().join("manifest.json"), "{}").expect("written");
        let words =
            "manifest.json: this is not the manifest of a run, or it is damaged (missing field";
        assert!(refused().contains(words), "{}", refused());
        std::fs::remove_file(folder.path().join("manifest.json")).expect("removed");
        assert!(
            refused().contains("manifest.json: there is no such file"),
            "{}",
            refused()
        );
    }
}
