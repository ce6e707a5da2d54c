//! The exact loss of each move, if a solved table for these boards is saved.

use crate::game::Board;
use crate::prose;
use crate::solve::{Bound, Goal, Question, library};
use crate::task::{Job, Latest, TaskInfo};
use crate::workbench::state::Document;

/// The SHA-256 of a table, and the board that is looked up in it.
pub(super) type ExactKey = (String, Board);

/// One sentence; `None` on unsolved boards and while a table is loading.
pub(super) fn follow<'a>(
    exact: &'a mut Latest<ExactKey, Option<String>>,
    doc: &Document,
) -> Option<&'a str> {
    let rules = doc.rules_here();
    // If games end at a tile, the scores of whole games do not apply.
    let question = Question {
        size: rules.size,
        p4: rules.p4,
        goal: Goal::Score,
    };
    let is_solvable = Bound::of(rules.size).is_some() && rules.stop_at.is_none();
    let folder = doc.config_dir().filter(|_| is_solvable);
    let Some((path, info)) = folder.and_then(|folder| library::answer(folder, &question)) else {
        exact.clear();
        return None;
    };

    let board = doc.board();
    exact.ask(
        (info.sha256, board),
        doc.tasks(),
        TaskInfo::told("Reading a solved table"),
        move |_: &Job<_>| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            match library::table(&path.to_string_lossy()) {
                Ok(table) => Some(prose::decision::true_losses(&board, &name, &table)),
                Err(error) => Some(error.to_string()),
            }
        },
    );
    exact.poll();
    exact.known()?.as_deref()
}
