//! A process as a file: one line of RON with how it was learned, then a row for each state that came up, then the
//! SHA-256 of everything before.
//!
//! A row contains the number of the state in two bytes, its visits in eight, and five numbers of eight bytes: the value
//! of the state and of each slide (up, down, left, right). The lowest byte comes first.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Process, ProcessSpec, Solved, State};
use crate::files::{self, WriteError};
use crate::kept::{Kept, KeptError, Kind};

pub(super) static KIND: Kind = Kind {
    name: "value iteration",
    format: "afterstate process",
    version: 1,
    ending: "process",
    folder: "processes",
    // It contains one residual for each sweep, and a strategy.
    longest_header: 1 << 20,
    example: "course",
    made_by: "afterstate process --out writes one",
    again: "learn it again",
    make: "afterstate process --out {name}",
};

const ROW: usize = 2 + 8 + 5 * 8;

/// What the first line of a file says about a process.
#[derive(Clone, PartialEq, Debug)]
pub struct ProcessInfo {
    pub spec: ProcessSpec,
    pub teacher: String,
    /// States that came up.
    pub seen: u64,
    /// Slides that were counted.
    pub moves: u64,
    pub sha256: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    spec: ProcessSpec,
    teacher: String,
    seen: u64,
    moves: u64,
    has_converged: bool,
    residuals: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
}

/// Why a process cannot be loaded. The text names the file and the remedy.
pub type ProcessError = KeptError;

impl Process {
    /// Writes the whole file or nothing; returns the information that a reader of the file gets.
    pub fn write(&self, path: &Path) -> Result<ProcessInfo, WriteError> {
        let header = Header {
            format: KIND.format.to_owned(),
            version: KIND.version,
            spec: self.spec,
            teacher: self.teacher.clone(),
            seen: self.seen(),
            moves: self.moves,
            has_converged: self.solved.has_converged,
            residuals: self.solved.residuals.clone(),
            error: self.solved.error,
        };
        let sha256 = KIND.write(path, &header, |out| self.write_states(out))?;
        Ok(header.info(sha256))
    }

    fn write_states(&self, out: &mut dyn Write) -> io::Result<()> {
        for state in State::all().filter(|state| self.visits[state.index()] != 0) {
            let mut row = Vec::with_capacity(ROW);
            row.extend((state.index() as u16).to_le_bytes());
            row.extend(self.visits[state.index()].to_le_bytes());
            row.extend(self.solved.values[state.index()].to_le_bytes());
            // Turns a negative 0 into the usual one.
            self.solved.actions[state.index()]
                .iter()
                .for_each(|worth| row.extend((worth + 0.0).to_le_bytes()));
            out.write_all(&row)?;
        }
        Ok(())
    }

    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, KeptError> {
        let damaged = |what| KIND.damaged(path, what);
        let (header, body, sha256): (Header, _, _) = KIND.split(path, bytes)?;
        header.check(path)?;
        let (rows, rest) = body.as_chunks::<ROW>();
        if !rest.is_empty() || rows.len() as u64 != header.seen {
            return Err(damaged(
                "the number of its states does not match its first line",
            ));
        }
        let (mut visits, mut solved) = (vec![0; State::COUNT], Solved::default());

        for row in rows {
            let (state, numbers) = row.split_at(2);
            let state = u16::from_le_bytes([state[0], state[1]]);
            let state = State::new(usize::from(state))
                .ok_or_else(|| damaged("a state is invalid"))?
                .index();
            let (numbers, _) = numbers.as_chunks::<8>();
            let [came_up, value, up, down, left, right] = *numbers else {
                return Err(damaged("it ends early"));
            };
            visits[state] = u64::from_le_bytes(came_up);
            solved.values[state] = f64::from_le_bytes(value);
            solved.actions[state] = [up, down, left, right].map(f64::from_le_bytes);
            if !solved.values[state].is_finite()
                || !solved.actions[state].iter().all(|worth| worth.is_finite())
            {
                return Err(damaged("a value is not a number"));
            }
        }

        let Header {
            spec,
            teacher,
            moves,
            has_converged,
            residuals,
            error,
            ..
        } = header;
        Ok(Self {
            spec,
            teacher,
            visits,
            moves,
            solved: Solved {
                residuals,
                has_converged,
                error,
                ..solved
            },
            sha256,
        })
    }
}

impl Kept for Process {
    type Info = ProcessInfo;

    const KIND: &'static Kind = &KIND;

    fn read_info(path: &Path) -> Result<ProcessInfo, KeptError> {
        let (header, sha256): (Header, _) = KIND.read_header(path)?;
        header.check(path)?;
        Ok(header.info(sha256))
    }

    fn read(path: &Path) -> Result<Self, KeptError> {
        let bytes = files::read_bytes(
            path,
            KIND.longest_header + ((State::COUNT + 1) * ROW) as u64,
        )?;
        Self::from_bytes(path, &bytes)
    }

    fn info(&self) -> ProcessInfo {
        ProcessInfo {
            spec: self.spec,
            teacher: self.teacher.clone(),
            seen: self.seen(),
            moves: self.moves,
            sha256: self.sha256.clone(),
        }
    }

    fn sha256(info: &ProcessInfo) -> &str {
        &info.sha256
    }
}

impl Header {
    fn check(&self, path: &Path) -> Result<(), KeptError> {
        self.spec
            .check()
            .map_err(|_| KIND.damaged(path, "its first line is invalid"))
    }

    fn info(self, sha256: String) -> ProcessInfo {
        let Self {
            spec,
            teacher,
            seen,
            moves,
            ..
        } = self;
        ProcessInfo {
            spec,
            teacher,
            seen,
            moves,
            sha256,
        }
    }
}
