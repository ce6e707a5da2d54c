//! Solved tables by name: one file each in a folder of the configuration, read once and shared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::table::KIND;
use super::{AT_ONCE, Goal, Question, Table, TableError, TableInfo};
use crate::game::Size;
use crate::kept::Shelf;
use crate::task::{CancelToken, Control};

/// The ending of table files.
pub const ENDING: &str = KIND.ending;

/// Room for two tables that are compared.
static TABLES: Shelf<Table> = Shelf::new(2);

/// Whether a name is that of a table in the folder, not the path of a file.
pub fn is_named(name: &str) -> bool {
    KIND.is_named(name)
}

/// The file that a name, or a path, refers to.
pub fn path_of(name: &str) -> Result<PathBuf, TableError> {
    KIND.path_of(name)
}

/// The names of the tables for this board size.
pub fn of_size(size: Size) -> Vec<String> {
    let is_of_size = |name: &String| info(name).is_ok_and(|info| info.question.size == size);
    KIND.names().into_iter().filter(is_of_size).collect()
}

/// The file of a table in a settings folder that answers a question, if there is one, and its first line.
pub fn answer(config_dir: &Path, question: &Question) -> Option<(PathBuf, TableInfo)> {
    let described = |path: PathBuf| Some((info(path.to_str()?).ok()?, path));
    let mut tables = KIND.files_in(config_dir).into_iter().filter_map(described);
    tables
        .find(|(info, _)| info.question == *question)
        .map(|(info, path)| (path, info))
}

/// The exact value of best play.
#[derive(Clone, Debug, PartialEq)]
pub struct BestPlay {
    pub goal: Goal,
    /// Points, or the probability of a tile.
    pub value: f64,
    /// The name of the table it was read from; `None` if it was computed just now.
    pub table: Option<String>,
}

impl BestPlay {
    /// Computes the value if that takes only a moment, or reads it from a table of the settings folder, after a check
    /// against its checksum. `None` if there is no table, or if it was stopped.
    pub fn of(
        question: &Question,
        config_dir: Option<&Path>,
        stop: &CancelToken,
    ) -> Result<Option<Self>, TableError> {
        if question.check().is_err() {
            return Ok(None);
        }
        let goal = question.goal;
        if question.bound().states <= AT_ONCE {
            let solved = question.solve(1, &Control::quiet(stop));
            return Ok(solved.ok().map(|solved| Self {
                goal,
                value: solved.value,
                table: None,
            }));
        }
        let Some((path, info)) = config_dir.and_then(|config_dir| answer(config_dir, question))
        else {
            return Ok(None);
        };
        prove(&path.to_string_lossy())?;
        let table = Some(
            path.file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
        );
        Ok(Some(Self {
            goal,
            value: info.value,
            table,
        }))
    }
}

/// What the first line of a table says.
pub fn info(name: &str) -> Result<TableInfo, TableError> {
    TABLES.info(name)
}

/// Checks the table of this name against its checksum, unless that was done since its last change.
pub fn prove(name: &str) -> Result<(), TableError> {
    TABLES.prove(name)
}

/// The table of this name, read once and then shared until other tables are used.
pub fn table(name: &str) -> Result<Arc<Table>, TableError> {
    TABLES.whole(name)
}
