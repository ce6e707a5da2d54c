//! Processes by name, one file each in a folder of the configuration; and processes that strategies describe, which are
//! learned when a strategy first plays by them.

use std::sync::{Arc, Mutex, OnceLock};

use super::file::KIND;
use super::{LearnError, Process, ProcessError, ProcessInfo, ProcessSpec, learn_now};
use crate::kept::Shelf;
use crate::task::lock;

/// The ending of process files.
pub const ENDING: &str = KIND.ending;

/// Room for a comparison of several; each takes a megabyte and a half.
static PROCESSES: Shelf<Process> = Shelf::new(8);

/// How many processes described by strategies stay in memory.
const MADE: usize = 32;

/// The names of all saved processes.
pub fn names() -> Vec<String> {
    KIND.names()
}

/// What the first line of a process says.
pub fn info(name: &str) -> Result<ProcessInfo, ProcessError> {
    PROCESSES.info(name)
}

/// Checks the process of this name against its checksum, unless that was done since its last change.
pub fn prove(name: &str) -> Result<(), ProcessError> {
    PROCESSES.prove(name)
}

/// The process of this name, read once and then shared.
pub fn process(name: &str) -> Result<Arc<Process>, ProcessError> {
    PROCESSES.whole(name)
}

/// A process that is learned when it is first needed.
#[derive(Debug)]
pub struct Learnt {
    spec: ProcessSpec,
    process: OnceLock<Arc<Process>>,
    /// Locked while it is learned.
    learning: Mutex<()>,
}

impl Learnt {
    pub fn ready(process: Arc<Process>) -> Self {
        Self {
            spec: process.spec,
            process: OnceLock::from(process),
            learning: Mutex::new(()),
        }
    }

    /// Learns the process on the first call, which takes a second or two. After a failure the next call tries again.
    pub fn get(&self) -> Result<&Process, LearnError> {
        if let Some(process) = self.process.get() {
            return Ok(process);
        }
        let _alone = lock(&self.learning);
        if let Some(process) = self.process.get() {
            return Ok(process);
        }
        let process = Arc::new(learn_now(&self.spec)?);
        Ok(self.process.get_or_init(|| process))
    }
}

/// Lets strategies that describe this process play by it without learning it again.
pub fn learnt(process: Arc<Process>) {
    drop(made(&process.spec).process.set(process));
}

/// The process with this description, shared by all callers.
pub fn made(spec: &ProcessSpec) -> Arc<Learnt> {
    static KNOWN: Mutex<Vec<Arc<Learnt>>> = Mutex::new(Vec::new());
    let mut cache = lock(&KNOWN);
    let place = cache.iter().position(|learnt| learnt.spec == *spec);
    let learnt = place.map(|place| cache.remove(place));
    let learnt = learnt.unwrap_or_else(|| {
        Arc::new(Learnt {
            spec: *spec,
            process: OnceLock::new(),
            learning: Mutex::new(()),
        })
    });
    cache.push(learnt.clone());
    let spare = cache.len().saturating_sub(MADE);
    cache.drain(..spare);
    learnt
}
