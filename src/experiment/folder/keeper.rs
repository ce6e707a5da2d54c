//! Writes the games of a run into its folder while they are played.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::journal::{self, Journal};
use super::{
    Arm, FolderError, Game, HISTORY, JOURNALS, PARTS, Result, RunFolder, Sources, at, tables,
};
use crate::experiment::Plan;
use crate::experiment::export::to_json;
use crate::experiment::manifest::{EndReason, Stint};
use crate::files::{self, Patience, Sha256, said};
use crate::task::{self, Threads, lock};
use crate::words;

/// The interval at which games are flushed to disk in case the power fails. A killed process loses no finished game.
const SYNC: Duration = Duration::from_secs(2);

/// The size in bytes, some hundred thousand games, at which a journal is sealed and a new one begins.
const LONG_JOURNAL: u64 = 16 << 20;

/// How long the parts that have seen the last game end wait for each other to leave. A busy machine may need it.
const LEAVING: Duration = Duration::from_secs(15);

/// Indices into `trouble`.
const JOURNAL: usize = 0;
const DISK: usize = 1;

/// Writes the games that one process plays. Workers hand in games, and wait if the disk takes none.
pub struct Keeper {
    folder: Mutex<RunFolder>,
    path: PathBuf,
    warning: Option<String>,
    /// The strategies, in the order of the contestants.
    arms: Vec<Arm>,
    indices: Range<u64>,
    /// How long it waits for the disk before it fails.
    patience: Patience,
    /// Whether other processes play the rest of the games.
    is_part: bool,
    writing: Mutex<Writing>,
    /// Why games cannot be written at the moment, and why written games cannot be flushed to disk.
    trouble: Mutex<[Option<String>; 2]>,
    /// Locked while files other than the journal are written.
    tidying: Mutex<()>,
    /// Whether the run is over. `ended` wakes the threads that wait for it.
    over: Mutex<bool>,
    ended: Condvar,
}

#[cfg(test)]
thread_local! {
    static FULL_JOURNALS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A device that is always full, where the system has one.
#[cfg(test)]
pub(crate) const FULL: &str = "/dev/full";

/// Makes the disk full, or empty again, for games of runs that this thread begins.
#[cfg(test)]
pub(crate) fn set_full_for_games(is_full: bool) {
    FULL_JOURNALS.set(is_full);
}

struct Writing {
    began: Instant,
    /// `None` once the run is over.
    journal: Option<Journal>,
    number: u32,
    is_dirty: bool,
    stint: Stint,
}

impl Keeper {
    /// Starts to write the games of this process into a folder.
    pub fn begin(folder: RunFolder, plan: &Plan) -> Result<Arc<Self>> {
        let stint = Stint::begun(plan, &name(), folder.next_sequence()?);
        let arms: Vec<Arm> = (0..plan.contestants.len())
            .map(|contestant| Arm::of(plan, contestant))
            .collect();
        let path = folder.path().to_owned();
        for folder in [JOURNALS, HISTORY] {
            at(&path, fs::create_dir_all(path.join(folder)))?;
        }
        let file = journal_path(&path, &stint.name, 0);
        let journal = at(&file, Journal::create(&file, plan.rules.size, &keys(&arms)))?;
        let keeper = Arc::new(Self {
            patience: folder.patience,
            warning: folder.warning().map(str::to_owned),
            folder: Mutex::new(folder),
            path,
            arms,
            indices: plan.indices(),
            is_part: plan.part.is_some(),
            writing: Mutex::new(Writing {
                began: Instant::now(),
                journal: Some(journal),
                number: 0,
                is_dirty: true,
                stint,
            }),
            trouble: Mutex::default(),
            tidying: Mutex::new(()),
            over: Mutex::new(false),
            ended: Condvar::new(),
        });

        #[cfg(test)]
        if FULL_JOURNALS.get() {
            keeper.write_to(at(
                Path::new(FULL),
                fs::File::options().write(true).open(FULL),
            )?);
        }

        // Even a process that is killed at once leaves its stint.
        keeper.tell_stint()?;
        let ticking = Arc::downgrade(&keeper);
        let tick = move || {
            while let Some(keeper) = ticking.upgrade() {
                {
                    let _alone = lock(&keeper.tidying);
                    if keeper.is_over_within(Duration::ZERO) {
                        break;
                    }
                    keeper.note_disk(keeper.bring_to_disk());
                }
                if keeper.is_over_within(SYNC) {
                    break;
                }
            }
        };

        let threads = Threads {
            count: 1,
            low_priority: false,
        };
        task::spawn(threads, tick, |_| {}).map_err(|error| FolderError::Wrong {
            path: keeper.path.clone(),
            reason: error.to_string(),
        })?;
        Ok(keeper)
    }

    /// The folder of the run.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What to take care of where the file system has no locks.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Takes games of a contestant. If the disk takes none, waits until it does or until the run ends. Fails with an
    /// error message when the patience of the folder is over.
    pub fn put(
        &self,
        contestant: usize,
        games: &[Game],
        is_given_up: impl Fn() -> bool,
    ) -> std::result::Result<(), String> {
        let add = || {
            let mut writing = lock(&self.writing);
            writing.stint.games += games.len() as u64;
            writing.is_dirty = true;
            let added = match &mut writing.journal {
                Some(journal) => journal.add(contestant, games),
                None => Err(io::Error::other("the run is over")),
            };
            match &added {
                Ok(()) => lock(&self.trouble)[JOURNAL] = None,
                Err(_) => writing.stint.games -= games.len() as u64,
            }
            added
        };
        let wait = |error: &io::Error, pause: Duration| {
            lock(&self.trouble)[JOURNAL] = Some(self.waits(&self.path, error));
            is_given_up() || self.is_over_within(pause)
        };
        // A journal that cannot be written for another reason is a disk that was removed, or is read-only for now.
        let added = self.patience.until_room(add, |_| true, wait);
        added
            .map(drop)
            .map_err(|error| self.patience.is_over(&self.path, "games", &said(&error)))
    }

    fn waits(&self, path: &Path, error: &io::Error) -> String {
        self.patience.waits(path, "games", "the run", &said(error))
    }

    /// Why the run waits, as a sentence.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.trouble).iter().flatten().next().cloned()
    }

    fn note_disk(&self, done: Result<()>) {
        lock(&self.trouble)[DISK] = done.err().map(|error| match error {
            FolderError::Disk { path, source } => self.waits(&path, &source),
            error => error.to_string(),
        });
    }

    fn is_over_within(&self, patience: Duration) -> bool {
        let over = lock(&self.over);
        let (over, _) = self
            .ended
            .wait_timeout_while(over, patience, |over| !*over)
            .unwrap_or_else(PoisonError::into_inner);
        *over
    }

    /// Flushes the journal: no game handed in so far can be lost.
    fn bring_to_disk(&self) -> Result<()> {
        let handle = {
            let mut writing = lock(&self.writing);
            if !std::mem::take(&mut writing.is_dirty) {
                return Ok(());
            }
            let Some(journal) = &writing.journal else {
                return Ok(());
            };
            journal.handle()
        };
        at(&self.path, handle.and_then(|file| file.sync_data()))?;
        self.tell_stint()?;
        if lock(&self.writing)
            .journal
            .as_ref()
            .is_some_and(|journal| LONG_JOURNAL <= journal.len())
        {
            self.begin_journal()?;
        }
        Ok(())
    }

    fn tell_stint(&self) -> Result<()> {
        let stint = {
            let writing = lock(&self.writing);
            let mut stint = writing.stint.clone();
            if matches!(stint.end, EndReason::Running { .. }) {
                stint.elapsed_secs = writing.began.elapsed().as_secs_f64();
            }
            stint
        };
        let path = self.path.join(HISTORY).join(format!("{}.json", stint.name));
        let bytes = at(&path, to_json(&stint))?;
        Ok(files::write(&path, &bytes)?)
    }

    /// Begins a new journal and converts the previous one to tables.
    fn begin_journal(&self) -> Result<()> {
        let old = {
            let mut writing = lock(&self.writing);
            let number = writing.number + 1;
            let path = journal_path(&self.path, &writing.stint.name, number);
            let size = lock(&self.folder).preset.rules.size;
            writing.journal = Some(at(&path, Journal::create(&path, size, &keys(&self.arms)))?);
            std::mem::replace(&mut writing.number, number)
        };
        self.seal_journal(old)
    }

    /// Converts a journal to tables.
    fn seal_journal(&self, number: u32) -> Result<()> {
        let process = lock(&self.writing).stint.name.clone();
        let old = journal_path(&self.path, &process, number);
        let name = format!("{process}-{number}");
        let part = self.path.join(PARTS).join(&name);
        let unfinished = self.path.join(PARTS).join(format!(".{name}"));
        for (key, mut games) in journal::read(&old)?.into_iter().flatten() {
            games.sort_by_key(|game| game.index);
            games.dedup_by_key(|game| game.index);
            if let Some(arm) = self
                .arms
                .iter()
                .find(|arm| arm.key == key && !games.is_empty())
            {
                tables::write(&unfinished, arm, games.into_iter().map(Ok))?;
            }
        }
        at(&part, fs::rename(&unfinished, &part))?;
        at(&old, fs::remove_file(&old))
    }

    /// Ends the run: flushes its games to disk and merges all files.
    pub(in crate::experiment) fn end(&self, reason: EndReason, elapsed: Duration) {
        {
            let mut writing = lock(&self.writing);
            writing.stint.end = reason;
            writing.stint.elapsed_secs = elapsed.as_secs_f64();
            writing.is_dirty = true;
        }
        *lock(&self.over) = true;
        self.ended.notify_all();
        let _alone = lock(&self.tidying);
        self.note_disk(self.bring_to_disk().and_then(|()| {
            // On Windows, some file systems keep an open file that is removed.
            lock(&self.writing).journal = None;
            self.put_together()
        }));
    }

    fn put_together(&self) -> Result<()> {
        if self.is_part {
            let number = lock(&self.writing).number;
            self.seal_journal(number)?;
            if !lock(&self.folder).is_worth_putting_together()? {
                return Ok(());
            }
        }
        let end = Instant::now() + LEAVING;
        // Other parts that have just found games missing are about to leave.
        while !lock(&self.folder).seal()?
            && self.is_part
            && lock(&self.folder).is_in_tables()?
            && Instant::now() < end
        {
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    #[cfg(test)]
    pub(in crate::experiment) fn write_to(&self, file: std::fs::File) {
        lock(&self.writing).journal = Some(Journal::to(file));
    }

    /// The games of the folder, and games of other runs that this run can reuse.
    pub(in crate::experiment) fn games(&self) -> Result<[Sources; 2]> {
        let folder = lock(&self.folder);
        Ok([
            folder.games_in(self.indices.clone())?,
            folder.lent_games(self.indices.clone())?,
        ])
    }
}

/// The keys of the strategies.
fn keys(arms: &[Arm]) -> Vec<Sha256> {
    arms.iter().map(|arm| arm.key).collect()
}

fn journal_path(folder: &Path, name: &str, number: u32) -> PathBuf {
    folder
        .join(JOURNALS)
        .join(format!("{name}-{number}.journal"))
}

/// A name that identifies the process on any machine: start time, process id and a random number.
fn name() -> String {
    let began = words::rfc_3339(SystemTime::now()).replace([':', '-'], "");
    format!(
        "{began}-{}-{:06x}",
        std::process::id(),
        rand::random::<u32>() & 0xff_ffff
    )
}
