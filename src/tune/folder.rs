//! A tuning on disk.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::TunePlan;
use crate::experiment::{FolderError, PlanError};
use crate::files::{self, Lock, LockedFile, ReadProblem, Sha256, said};
use crate::game::GENERATOR;
use crate::preset::{Item as _, Preset};

/// The version that is written. Version 1 kept candidates within their bounds by clamping, which led the search
/// outside, and had no last race: it opens, but is not continued.
const FORMAT: u32 = 2;

const STATE: &str = "tuning.json";
const WINNER: &str = "winner.ron";
const VERIFICATION: &str = "verification";

/// The largest state that is read, in bytes: thousands of generations of many settings.
const LARGEST_STATE: u64 = 64 << 20;

/// The content of `tuning.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneState {
    pub format: u32,
    pub program: String,
    pub version: String,
    /// The generator of tiles and of ties.
    pub generator: String,
    /// What is tuned, as a preset.
    pub preset: String,
    /// The SHA-256 of the strategy with the files that it reads; earlier versions did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Sha256>,
    pub generations: Vec<Generation>,
    /// The race among the best centers, once it is over; also `None` if there are too few games for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_race: Option<LastRace>,
}

/// The race that chooses the winner, on games that no generation has played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LastRace {
    /// The values of the settings of each finalist.
    pub finalists: Vec<Vec<f64>>,
    /// The place of each, the best 0.
    pub places: Vec<f64>,
    /// Games of all finalists together.
    pub games: u64,
    /// The first index of its games and the one after the last.
    pub indices: [u64; 2],
}

impl LastRace {
    /// The values of the winner.
    pub fn winner(&self) -> Option<&Vec<f64>> {
        let places = self.places.iter().position(|&place| place == 0.0);
        self.finalists.get(places?)
    }
}

/// A generation whose race is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The values of the settings at the center of the distribution, which was known before any of its games.
    pub centre: Vec<f64>,
    /// The score of the center in the first round: the learning curve.
    pub mean: f64,
    pub ci95: Option<[f64; 2]>,
    /// Games of that round.
    pub n: u64,
    /// The width of the distribution in units of the search: 1 is about a factor of e of a setting.
    pub step: f64,
    /// The score of its best candidate; too high, as it is the best of several.
    pub best: f64,
    /// Candidates that were dropped before the last round.
    pub dropped: usize,
    /// Games of all candidates together.
    pub games: u64,
    /// The first index of its games and the one after the last.
    pub indices: [u64; 2],
    /// The place of each candidate, the best 0.
    pub places: Vec<f64>,
}

#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error("{}: {}; check the disk or choose another folder", path.display(), said(source))]
    Disk {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Write(#[from] files::WriteError),
    #[error("{}: {reason}", path.display())]
    Wrong { path: PathBuf, reason: String },
    #[error("{}: this folder does not belong to this tuning ({reason}): name another one", path.display())]
    Another { path: PathBuf, reason: String },
    #[error("{}: another process is tuning in this folder: wait until it ends, or stop it", path.display())]
    Busy { path: PathBuf },
    #[error("{0}")]
    Plan(#[from] PlanError),
    #[error("{0}")]
    Folder(#[from] FolderError),
    #[error("{0}")]
    Failed(String),
}

impl TuneError {
    /// Whether the disk is full.
    pub(super) fn is_without_room(&self) -> bool {
        match self {
            Self::Disk { source, .. } => files::is_full(source),
            Self::Write(error) => error.is_without_room(),
            Self::Folder(error) | Self::Plan(PlanError::Folder(error)) => error.is_without_room(),
            _ => false,
        }
    }
}

/// The folder of a tuning, locked for this process.
#[derive(Debug)]
pub struct TuneFolder {
    path: PathBuf,
    plan: TunePlan,
    state: TuneState,
    /// The lock, as long as the folder is open.
    _lock: LockedFile,
    warning: Option<String>,
}

impl TuneFolder {
    /// The folder of a tuning if the path names one: the folder or its `tuning.json`.
    pub fn named(path: &Path) -> Option<&Path> {
        let folder = if path.is_dir() {
            path
        } else {
            path.parent().filter(|_| path.ends_with(STATE))?
        };
        folder.join(STATE).is_file().then_some(folder)
    }

    /// The folder of a tuning: a new one, or the existing one with its progress.
    pub fn of_plan(path: &Path, plan: &TunePlan) -> Result<Self, TuneError> {
        let disk = |source| TuneError::Disk {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(disk)?;
        if !path.join(STATE).exists() {
            let mut entries = fs::read_dir(path).map_err(disk)?.flatten();
            if let Some(entry) =
                entries.find(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
            {
                let reason = format!("it contains {}", entry.file_name().to_string_lossy());
                return Err(TuneError::Another {
                    path: path.to_owned(),
                    reason,
                });
            }
            let state = TuneState {
                format: FORMAT,
                program: crate::PROGRAM.into(),
                version: env!("CARGO_PKG_VERSION").into(),
                generator: GENERATOR.into(),
                preset: plan.preset().to_text(),
                strategy: Some(plan.strategy_sha256()),
                generations: Vec::new(),
                last_race: None,
            };
            write(path, &state)?;
        }

        let folder = Self::open(path)?;
        // A different title does not make a different tuning.
        let mut same = folder.plan.clone();
        same.title.clone_from(&plan.title);
        if same != *plan {
            let reason = "its strategy, settings, games, rules or seed differ".to_owned();
            return Err(TuneError::Another {
                path: path.to_owned(),
                reason,
            });
        }

        Ok(folder)
    }

    /// Opens an existing folder to continue it.
    pub fn open(path: &Path) -> Result<Self, TuneError> {
        let disk = |source| TuneError::Disk {
            path: path.join(".lock"),
            source,
        };
        let lock = File::create(path.join(".lock"))
            .and_then(LockedFile::try_exclusive)
            .map_err(disk)?;
        if lock.lock() == Lock::Busy {
            return Err(TuneError::Busy {
                path: path.to_owned(),
            });
        }
        let (plan, state) = Self::read(path)?;
        if state
            .strategy
            .is_some_and(|sha256| sha256 != plan.strategy_sha256())
        {
            let reason = "a file that the strategy reads has changed since: restore it, or tune in another folder";
            return Err(TuneError::Wrong {
                path: path.join(STATE),
                reason: reason.to_owned(),
            });
        }
        Ok(Self {
            path: path.to_owned(),
            plan,
            state,
            warning: lock.lock().warning(path),
            _lock: lock,
        })
    }

    /// Reads the content of a folder, even while another process works in it.
    pub fn read(path: &Path) -> Result<(TunePlan, TuneState), TuneError> {
        let file = path.join(STATE);
        let wrong = |reason: String| TuneError::Wrong {
            path: file.clone(),
            reason,
        };
        let text = files::read_text(&file, LARGEST_STATE).map_err(|error| match error.problem {
            ReadProblem::Missing => {
                wrong("there is no such file; name the folder of a tuning".to_owned())
            }
            problem => wrong(problem.to_string()),
        })?;
        let state: TuneState = serde_json::from_str(&text).map_err(|error| {
            wrong(format!(
                "this is not the state of a tuning, or it is damaged ({error}): name another folder, or restore a copy"
            ))
        })?;

        if !(1..=FORMAT).contains(&state.format) || state.generator != GENERATOR {
            return Err(wrong(
                "it was written by another version of afterstate: tune again in another folder"
                    .to_owned(),
            ));
        }

        let preset =
            Preset::from_text(&state.preset).map_err(|error| wrong(format!("preset: {error}")))?;
        let plan =
            TunePlan::of_preset(&preset).map_err(|reason| wrong(format!("preset: {reason}")))?;
        let (points, settings) = (plan.search().population(), plan.settings().len());
        let fits = |one: &Generation| one.places.len() == points && one.centre.len() == settings;
        let races = |race: &LastRace| {
            race.winner().is_some()
                && race.places.len() == race.finalists.len()
                && race.finalists.iter().all(|one| one.len() == settings)
        };
        if !state.generations.iter().all(fits) || !state.last_race.as_ref().is_none_or(races) {
            return Err(wrong(
                "a generation does not match the settings: tune again in another folder".to_owned(),
            ));
        }
        Ok((plan, state))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What to take care of during the tuning; `None` where the file system has locks.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    pub fn plan(&self) -> &TunePlan {
        &self.plan
    }

    pub fn state(&self) -> &TuneState {
        &self.state
    }

    /// The folder of the run that compares winner and start.
    pub fn verification(&self) -> PathBuf {
        self.path.join(VERIFICATION)
    }

    /// The places of the candidates of each generation.
    pub(super) fn told(&self) -> Vec<Vec<f64>> {
        self.state
            .generations
            .iter()
            .map(|one| one.places.clone())
            .collect()
    }

    /// Writes a state that continues this one.
    pub(super) fn write(&self, state: &TuneState) -> Result<(), TuneError> {
        write(&self.path, state)
    }

    /// Continues with a state that was written: its games are never played again.
    pub(super) fn goes_on_with(&mut self, state: TuneState) {
        self.state = state;
    }

    /// Whether it was begun by an earlier version with rules that are no longer used.
    pub(super) fn is_of_earlier_rules(&self) -> bool {
        self.state.format < FORMAT
    }

    pub(super) fn write_winner(&self, text: &str) -> Result<(), TuneError> {
        Ok(files::write(
            &self.path.join(WINNER),
            format!("{text}\n").as_bytes(),
        )?)
    }
}

fn write(folder: &Path, state: &TuneState) -> Result<(), TuneError> {
    let path = folder.join(STATE);
    let mut bytes = serde_json::to_vec_pretty(state).map_err(|error| TuneError::Wrong {
        path: path.clone(),
        reason: error.to_string(),
    })?;
    bytes.push(b'\n');
    Ok(files::write(&path, &bytes)?)
}
