//! Processes by name, one file each in a folder of the configuration; and those that strategies describe, learnt when one of
//! them first plays.

use std::sync::{Arc, Mutex, OnceLock};

use super::file::KIND;
use super::{LearnError, Process, ProcessError, ProcessInfo, ProcessSpec, learn_now};
use crate::kept::Shelf;
use crate::task::lock;

/// What the files of processes end with.
pub const ENDING: &str = KIND.ending;

/// Some that are compared, a megabyte and a half each.
static PROCESSES: Shelf<Process> = Shelf::new(8);

/// So many that strategies describe stay in memory.
const MADE: usize = 32;

/// The names of all that are kept.
pub fn names() -> Vec<String> {
    KIND.names()
}

/// What is in a process, from its first line.
pub fn info(name: &str) -> Result<ProcessInfo, ProcessError> {
    PROCESSES.info(name)
}

/// Proves the process of this name by its checksum, unless that was done since it was last changed.
pub fn prove(name: &str) -> Result<(), ProcessError> {
    PROCESSES.prove(name)
}

/// The process of this name, read once and then shared.
pub fn process(name: &str) -> Result<Arc<Process>, ProcessError> {
    PROCESSES.whole(name)
}

/// A process that is there as soon as somebody asks for a number of it.
#[derive(Debug)]
pub struct Learnt {
    spec: ProcessSpec,
    process: OnceLock<Arc<Process>>,
    /// Held while it is learnt.
    learning: Mutex<()>,
}

impl Learnt {
    pub fn ready(process: Arc<Process>) -> Self {
        Self { spec: process.spec, process: OnceLock::from(process), learning: Mutex::new(()) }
    }

    /// Learns it unless somebody has: a second or two at first. What failed is tried again the next time.
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

/// Lets strategies play by a process that was learnt already, as its description says.
pub fn learnt(process: Arc<Process>) {
    drop(made(&process.spec).process.set(process));
}

/// The process that is learnt so: one for all who ask.
pub fn made(spec: &ProcessSpec) -> Arc<Learnt> {
    static KNOWN: Mutex<Vec<Arc<Learnt>>> = Mutex::new(Vec::new());
    let mut known = lock(&KNOWN);
    let place = known.iter().position(|learnt| learnt.spec == *spec);
    let learnt = place.map(|place| known.remove(place));
    let learnt =
        learnt.unwrap_or_else(|| Arc::new(Learnt { spec: *spec, process: OnceLock::new(), learning: Mutex::new(()) }));
    known.push(learnt.clone());
    let spare = known.len().saturating_sub(MADE);
    known.drain(..spare);
    learnt
}
