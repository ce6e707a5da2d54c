//! Checksums of the tables, to detect changes.
//!
//! `checksums/HASH.sha256` has the SHA-256 of each table of a strategy, in the format of `sha256sum`; in the folder of
//! the run, `sha256sum -c checksums/*` compares them. A process may be killed at any time, so a replacement has three
//! steps: the file lists the sums of old and new tables, then the tables are replaced, then the old sums are removed.
//! Runs of older programs have no such file; their tables are read without verification.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::{FolderError, Result, at};
use crate::files::{self, ReadProblem, Sha256, Stamp};
use crate::task::lock;

pub(super) const CHECKSUMS: &str = "checksums";

/// The maximum size of a checksum file, in bytes.
const LARGEST: u64 = 1 << 20;

/// The checksums of the tables of a strategy, each with the path of its table below the folder.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Checksums(Vec<(Sha256, String)>);

impl Checksums {
    pub(super) fn path(root: &Path, name: &str) -> PathBuf {
        root.join(CHECKSUMS).join(format!("{name}.sha256"))
    }

    /// Reads the checksums of a strategy. `None` in a run of an older program.
    pub(super) fn read(root: &Path, name: &str) -> Result<Option<Self>> {
        let path = Self::path(root, name);
        let wrong = |reason: String| FolderError::Wrong {
            path: path.clone(),
            reason,
        };
        let text = match files::read_text(&path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.problem == ReadProblem::Missing => return Ok(None),
            Err(error) => return Err(wrong(error.problem.to_string())),
        };
        let sum = |line: &str| {
            let (sum, table) = line.split_once("  ")?;
            Some((sum.parse::<Sha256>().ok()?, table.to_owned()))
        };
        let sums = text.lines().map(sum).collect::<Option<Vec<_>>>();
        let sums = sums.ok_or_else(|| {
            wrong("this is not a list of checksums; restore a copy, or delete it".to_owned())
        })?;
        Ok(Some(Self(sums)))
    }

    pub(super) fn write(&self, root: &Path, name: &str) -> Result<()> {
        let folder = root.join(CHECKSUMS);
        at(&folder, fs::create_dir_all(&folder))?;
        let lines: String = self
            .0
            .iter()
            .map(|(sum, table)| format!("{sum}  {table}\n"))
            .collect();
        Ok(files::write(&Self::path(root, name), lines.as_bytes())?)
    }

    /// Adds the checksum of a table, in addition to others of it.
    pub(super) fn add(&mut self, sum: Sha256, table: String) {
        let line = (sum, table);
        if !self.0.contains(&line) {
            self.0.push(line);
        }
    }

    /// Adds the checksums of another list. Returns whether this one had others.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        other
            .0
            .iter()
            .for_each(|(sum, table)| self.add(*sum, table.clone()));
        self != other
    }

    fn has(&self, sum: Sha256, table: &str) -> bool {
        self.0
            .iter()
            .any(|(other, name)| *other == sum && name == table)
    }
}

/// Whether a table was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    AsWritten,
    /// No checksum: an older program wrote it.
    NotVerified,
}

#[derive(Default, Debug)]
struct Found {
    tables: BTreeMap<PathBuf, (Stamp, Known)>,
    lost: BTreeMap<PathBuf, String>,
}

/// Opens tables, and compares each with its checksum on the first open. Clones share their results.
#[derive(Clone, Default, Debug)]
pub(super) struct Verifier(Arc<Mutex<Found>>);

impl Verifier {
    /// Opens a table of a strategy, by its path below a folder. `None` if there is no such file.
    pub(super) fn open(&self, root: &Path, name: &str, table: &str) -> Result<Option<File>> {
        let path = root.join(table);
        loop {
            let sums = Checksums::read(root, name)?;
            let stamp = files::stamp(&path);
            let mut file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                file => at(&path, file)?,
            };
            let remembered = lock(&self.0).tables.get(&path).copied();
            if remembered.is_some_and(|(then, state)| {
                then == stamp && (state == Known::AsWritten) == sums.is_some()
            }) {
                return Ok(Some(file));
            }

            let Some(listed) = &sums else {
                lock(&self.0)
                    .tables
                    .insert(path, (stamp, Known::NotVerified));
                return Ok(Some(file));
            };
            let sum = at(&path, Sha256::of_reader(&mut file))?;
            at(&path, file.rewind())?;
            if listed.has(sum, table) {
                lock(&self.0).tables.insert(path, (stamp, Known::AsWritten));
                return Ok(Some(file));
            }

            // Another process may have replaced the table in between.
            if Checksums::read(root, name)? == sums {
                let reason = format!("its SHA-256 does not match {CHECKSUMS}/{name}.sha256");
                return Err(FolderError::Table { path, reason });
            }
        }
    }

    /// Records that costs cannot be read, and why.
    pub(super) fn lose(&self, costs: &Path, why: &FolderError) {
        let sentence = format!("{why}; the time of its games is unknown");
        lock(&self.0)
            .lost
            .entry(costs.to_owned())
            .or_insert(sentence);
    }

    /// Why requested costs are unknown: one sentence per table.
    pub(super) fn lost(&self) -> Vec<String> {
        lock(&self.0).lost.values().cloned().collect()
    }

    /// The opened tables that have no checksum.
    pub(super) fn not_verified(&self) -> Vec<PathBuf> {
        let found = lock(&self.0);
        let unknown = found
            .tables
            .iter()
            .filter(|(_, (_, state))| *state == Known::NotVerified);
        unknown.map(|(path, _)| path.clone()).collect()
    }
}
