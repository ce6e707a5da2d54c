//! View state of the rows of the strategy on screen. It follows rows through moves, edits and undo.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::program_trial::ProgramTrial;
use crate::workbench::state::{Document, RowId};

#[derive(Debug, Default)]
pub struct Rows {
    pub ids: Arc<[RowId]>,
    /// Index of the strategy on screen among the open ones.
    current: usize,
    /// The rows of each open strategy when it was last on screen.
    seen: HashMap<usize, Arc<[RowId]>>,
    open: HashSet<RowId>,
    /// The row that keys and "Add" refer to.
    pub selected: Option<RowId>,
    /// The row that gets the focus in this frame.
    pub focus: Option<RowId>,
    /// Whether the next added row gets the focus.
    pub focuses_added: bool,
    pub reveal: Option<RowId>,
    pub drags: Option<usize>,
    /// The trial of a program on the board on screen.
    pub trial: RefCell<ProgramTrial>,
}

impl Rows {
    /// Updates the state to the current rows of the strategy on screen.
    pub fn follow(&mut self, doc: &Document) {
        let (current, ids) = (doc.current(), &doc.opened().rows);
        let same = self.current == current;
        if same && self.ids == *ids {
            return;
        }
        self.current = current;
        self.ids = ids.clone();
        self.selected = self.selected.filter(|id| ids.contains(id));

        let before = self.seen.insert(current, ids.clone()).unwrap_or_default();
        let mut added = ids.iter().filter(|id| !before.contains(id));
        let is_one_more = ids.len() == before.len() + 1;
        if let Some(id) = added
            .next()
            .filter(|_| is_one_more && (same || self.focuses_added))
        {
            self.selected = Some(*id);
            self.reveal = self.selected;
            if std::mem::take(&mut self.focuses_added) {
                self.focus = self.selected;
            }
        }
    }

    /// The current index of a row; `None` once it is removed.
    pub fn place(&self, id: RowId) -> Option<usize> {
        self.ids.iter().position(|other| *other == id)
    }

    pub fn selected(&self) -> Option<usize> {
        self.place(self.selected?)
    }

    pub fn select(&mut self, row: usize) {
        if let Some(id) = self.ids.get(row) {
            self.selected = Some(*id);
            self.focus = Some(*id);
        }
    }

    /// Selects a row and unfolds it.
    pub fn select_to_edit(&mut self, row: usize) {
        self.select(row);
        self.open.extend(self.ids.get(row));
    }

    pub fn is_open(&self, id: RowId) -> bool {
        self.open.contains(&id)
    }

    pub fn set_open(&mut self, id: RowId, open: bool) {
        if open {
            self.open.insert(id);
        } else {
            self.open.remove(&id);
        }
    }

    pub fn fold_or_unfold(&mut self, id: RowId) {
        self.set_open(id, !self.is_open(id));
    }
}

/// A document with these strategies open after the initial ones.
#[cfg(test)]
pub(super) fn document(letters: &[&str]) -> Document {
    use crate::strategy::Strategy;
    use crate::workbench::state::Surroundings;

    let surroundings = Surroundings {
        wake: Arc::new(|| {}),
        wake_at_once: Arc::new(|| {}),
        config_dir: None,
        runs: None,
        threads: None,
        record_cap: crate::workbench::state::RECORD_CAP,
        search_threads: None,
        judge_in_background: false,
        autoplay_speed: 1.0,
    };
    let mut doc = Document::new(surroundings);
    for letters in letters {
        let open = Strategy::from_letters(letters).expect("letters");
        doc.apply(&crate::workbench::command::StrategyCommand::Open(Box::new(open)).into());
    }
    doc
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::strategy::{Criterion, Strategy, StrategyEdit};
    use crate::workbench::command::{Command, StrategyCommand};

    fn apply(doc: &mut Document, rows: &mut Rows, command: impl Into<Command>) {
        doc.apply(&command.into());
        rows.follow(doc);
    }

    fn added(at: usize) -> StrategyEdit {
        StrategyEdit::AddRow {
            at,
            criterion: Criterion::one_ply(Evaluator::Snake),
        }
    }

    #[test]
    fn rows_are_the_same_again_when_their_strategy_comes_back() {
        let mut doc = document(&["emu", "em"]);
        let mut rows = Rows::default();
        apply(&mut doc, &mut rows, StrategyCommand::Previous);
        let first = rows.ids.clone();
        rows.set_open(first[1], true);
        apply(&mut doc, &mut rows, StrategyCommand::Next);
        assert!(rows.ids.iter().all(|id| !first.contains(id)), "other rows");
        apply(&mut doc, &mut rows, StrategyCommand::Previous);
        apply(
            &mut doc,
            &mut rows,
            StrategyEdit::MoveRow { from: 0, to: 3 },
        );
        assert_eq!(*rows.ids, [first[1], first[2], first[0]]);
        assert!(rows.is_open(rows.ids[0]) && !rows.is_open(rows.ids[1]));
        apply(&mut doc, &mut rows, Command::Undo);
        assert_eq!(rows.ids, first, "taken back");
        let text = Strategy::from_letters("mue").expect("letters");
        apply(&mut doc, &mut rows, StrategyEdit::Replace(Box::new(text)));
        assert_eq!(*rows.ids, [first[1], first[2], first[0]], "written");
    }

    #[test]
    fn a_row_that_is_added_is_selected_and_has_the_keyboard_if_that_was_asked() {
        let mut doc = document(&["em"]);
        let mut rows = Rows::default();
        rows.follow(&doc);
        apply(&mut doc, &mut rows, added(1));
        assert_eq!((rows.selected(), rows.focus), (Some(1), None));
        rows.focuses_added = true;
        apply(&mut doc, &mut rows, added(3));
        assert_eq!(rows.focus.and_then(|id| rows.place(id)), Some(3));
        assert!(!rows.focuses_added);
    }
}
