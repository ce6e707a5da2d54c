//! Edits of a strategy as values: their effect on the rows, and the new place of each row ([`RowMap`]).

use std::ops::Deref;

use super::alignment::{ROW_KINDS, origins};
use super::{Criterion, LastResort, Strategy};

/// One edit of one strategy. Edits of nonexistent rows change nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum StrategyEdit {
    Rename(String),
    SetNote(String),
    /// The row goes before the one that is now at `at`, or to the end.
    AddRow {
        at: usize,
        criterion: Criterion,
    },
    /// The row goes before the one that is now at `to`.
    MoveRow {
        from: usize,
        to: usize,
    },
    RemoveRow(usize),
    SetRow {
        row: usize,
        criterion: Criterion,
    },
    SetLastResort(LastResort),
    /// Replaces the strategy, including name and note.
    Replace(Box<Strategy>),
}

/// Moves or copies a row of one strategy to another one. Strategies are identified by their index among the open ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowTransfer {
    pub from: (usize, usize),
    pub to: (usize, usize),
    /// Whether the original row stays as well.
    pub copies: bool,
}

/// The origin of each row: for each row of the new strategy its index in the old one, `None` for a new row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowMap(Vec<Option<usize>>);

/// Suffix after the letters of a composition with edits that letters cannot express.
const EDITED: &str = " (edited)";

impl StrategyEdit {
    /// The name of the edit in the undo menu: "move a row".
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rename(_) => "rename strategy",
            Self::SetNote(_) => "edit the note",
            Self::AddRow { .. } => "add a row",
            Self::MoveRow { .. } => "move a row",
            Self::RemoveRow(_) => "remove a row",
            Self::SetRow { .. } => "change a row",
            Self::SetLastResort(_) => "change the last resort",
            Self::Replace(_) => "replace the strategy",
        }
    }

    /// Whether the edit is possible, or why not, in one sentence for the screen.
    pub fn check(&self, strategy: &Strategy) -> Result<(), &'static str> {
        match self {
            Self::AddRow { .. } => strategy.room_for_a_row(),
            _ => Ok(()),
        }
    }

    /// The edited strategy, and the origin of its rows.
    pub fn apply(&self, before: &Strategy) -> (Strategy, RowMap) {
        let mut strategy = before.clone();
        let rows = strategy.criteria.len();
        let mut map = RowMap::identity(rows);
        match self {
            Self::Rename(name) => strategy.name = name.trim().to_owned(),
            Self::SetNote(note) => strategy.note = note.trim().to_owned(),
            Self::AddRow { at, criterion } => {
                let at = rows.min(*at);
                strategy.criteria.insert(at, criterion.clone());
                map.0.insert(at, None);
            }
            Self::MoveRow { from, to } if *from < rows && *to <= rows => {
                let to = if from < to { to - 1 } else { *to };
                let moved = strategy.criteria.remove(*from);
                strategy.criteria.insert(to, moved);
                let place = map.0.remove(*from);
                map.0.insert(to, place);
            }
            Self::RemoveRow(row) if *row < rows => {
                strategy.criteria.remove(*row);
                map.0.remove(*row);
            }
            Self::SetRow { row, criterion } if *row < rows => {
                strategy.criteria[*row] = criterion.clone();
            }
            Self::MoveRow { .. } | Self::RemoveRow(_) | Self::SetRow { .. } => {}
            Self::SetLastResort(last_resort) => strategy.last_resort = *last_resort,
            Self::Replace(other) => {
                map = RowMap::between(&before.criteria, &other.criteria);
                strategy = (**other).clone();
            }
        }

        (strategy, map)
    }
}

impl RowTransfer {
    /// The edits of both strategies. `None` if there is no such row or both strategies are the same.
    pub fn edits<S: Deref<Target = Strategy>>(
        &self,
        strategies: &[S],
    ) -> Option<Vec<(usize, StrategyEdit)>> {
        let Self {
            from: (from, row),
            to: (to, at),
            copies,
        } = *self;
        let criterion = strategies.get(from)?.criteria.get(row)?.clone();
        if from == to || strategies.len() <= to {
            return None;
        }
        let leaves = (!copies).then_some((from, StrategyEdit::RemoveRow(row)));
        Some(
            leaves
                .into_iter()
                .chain([(to, StrategyEdit::AddRow { at, criterion })])
                .collect(),
        )
    }

    /// The name of the transfer in the undo menu.
    pub fn name(&self) -> &'static str {
        if self.copies {
            "copy a row"
        } else {
            "move a row to another strategy"
        }
    }
}

impl RowMap {
    pub fn identity(rows: usize) -> Self {
        Self((0..rows).map(Some).collect())
    }

    /// The likeliest origins if only the old and the new rows are known.
    pub fn between(old: &[Criterion], new: &[Criterion]) -> Self {
        Self(origins(old, new, &ROW_KINDS))
    }

    /// Whether every row stays in place. `rows` is the old number of rows.
    pub fn is_identity(&self, rows: usize) -> bool {
        self.0.len() == rows
            && self
                .0
                .iter()
                .enumerate()
                .all(|(row, from)| *from == Some(row))
    }

    /// Carries data about the old rows over to the new ones.
    pub fn carry<T: Clone>(&self, old: &[T], mut new: impl FnMut() -> T) -> Vec<T> {
        self.0
            .iter()
            .map(|from| {
                from.and_then(|row| old.get(row).cloned())
                    .unwrap_or_else(&mut new)
            })
            .collect()
    }
}

impl Strategy {
    /// The name after an edit of the rows: a composition named after its letters keeps doing so; one that letters
    /// cannot express is named after its previous name.
    pub fn name_after(&self, before: &Self) -> String {
        let is_kept = before.name == self.name;
        let was_letters = is_kept && before.letters().as_ref() == Some(&before.name);
        match self.letters() {
            Some(letters) if was_letters || is_kept && is_letters_edited(&self.name) => letters,
            None if was_letters => self.edited_name(),
            _ => self.name.clone(),
        }
    }

    /// The name of an edited copy next to the original.
    pub fn edited_name(&self) -> String {
        let label = self.label();
        if label.ends_with(EDITED) {
            label
        } else {
            format!("{label}{EDITED}")
        }
    }
}

/// Whether it is an automatic name of edited letters. Names that the user chose are not changed.
fn is_letters_edited(name: &str) -> bool {
    name.strip_suffix(EDITED)
        .is_some_and(|letters| Strategy::from_letters(letters).is_ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
    use proptest::strategy::Strategy as Generator;

    use super::*;
    use crate::evaluator::Evaluator;

    fn strategy(rows: &[Evaluator]) -> Strategy {
        let criteria = rows.iter().cloned().map(Criterion::one_ply).collect();
        Strategy {
            name: "one".to_owned(),
            criteria,
            ..Strategy::default()
        }
    }

    fn edits() -> impl Generator<Value = StrategyEdit> {
        let criterion = || prop::sample::select(Evaluator::palette()).prop_map(Criterion::one_ply);
        let row = || 0..8_usize;
        prop_oneof![
            "[a-z ]{0,4}".prop_map(StrategyEdit::Rename),
            "[a-z ]{0,4}".prop_map(StrategyEdit::SetNote),
            (row(), criterion()).prop_map(|(at, criterion)| StrategyEdit::AddRow { at, criterion }),
            (row(), row()).prop_map(|(from, to)| StrategyEdit::MoveRow { from, to }),
            row().prop_map(StrategyEdit::RemoveRow),
            (row(), criterion())
                .prop_map(|(row, criterion)| StrategyEdit::SetRow { row, criterion }),
            prop::sample::select(LastResort::VARIANTS.to_vec())
                .prop_map(StrategyEdit::SetLastResort),
            prop::sample::subsequence(Evaluator::palette(), 0..6)
                .prop_shuffle()
                .prop_map(|rows| StrategyEdit::Replace(Box::new(strategy(&rows)))),
        ]
    }

    fn strategies() -> impl Generator<Value = Strategy> {
        prop::collection::vec(prop::sample::select(Evaluator::palette()), 0..7)
            .prop_map(|rows| strategy(&rows))
    }

    /// The inverse of an edit.
    fn inverse(edit: &StrategyEdit, before: &Strategy) -> StrategyEdit {
        let rows = before.criteria.len();
        match edit {
            StrategyEdit::AddRow { at, .. } => StrategyEdit::RemoveRow(rows.min(*at)),
            StrategyEdit::RemoveRow(row) if *row < rows => StrategyEdit::AddRow {
                at: *row,
                criterion: before.criteria[*row].clone(),
            },
            StrategyEdit::MoveRow { from, to } if *from < rows && *to <= rows => {
                if from < to {
                    StrategyEdit::MoveRow {
                        from: to - 1,
                        to: *from,
                    }
                } else {
                    StrategyEdit::MoveRow {
                        from: *to,
                        to: from + 1,
                    }
                }
            }
            StrategyEdit::SetRow { row, .. } if *row < rows => StrategyEdit::SetRow {
                row: *row,
                criterion: before.criteria[*row].clone(),
            },
            _ => StrategyEdit::Replace(Box::new(before.clone())),
        }
    }

    /// An independent model of an edit on a plain list of identified rows.
    fn model(edit: &StrategyEdit, rows: &mut Vec<(Option<usize>, Criterion)>) {
        match edit {
            StrategyEdit::AddRow { at, criterion } => {
                let behind = rows.split_off(rows.len().min(*at));
                rows.push((None, criterion.clone()));
                rows.extend(behind);
            }
            StrategyEdit::MoveRow { from, to } if *from < rows.len() && *to <= rows.len() => {
                let row = rows[*from].clone();
                rows.insert(*to, row);
                rows.remove(if to <= from { from + 1 } else { *from });
            }
            StrategyEdit::RemoveRow(row) if *row < rows.len() => drop(rows.remove(*row)),
            StrategyEdit::SetRow { row, criterion } if *row < rows.len() => {
                rows[*row].1 = criterion.clone();
            }
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn an_edit_does_what_it_does_to_a_plain_list(before in strategies(), edit in edits()) {
            let (after, map) = edit.apply(&before);
            if !matches!(edit, StrategyEdit::Replace(_)) {
                let mut rows: Vec<_> = before.criteria.iter().cloned().enumerate().map(|(row, criterion)| (Some(row), criterion)).collect();
                model(&edit, &mut rows);
                let (from, criteria): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
                prop_assert_eq!(&after.criteria, &criteria);
                prop_assert_eq!(&map.0, &from);
            }
            prop_assert_eq!(map.0.len(), after.criteria.len());
            let mut from: Vec<usize> = map.0.iter().copied().flatten().collect();
            from.sort_unstable();
            prop_assert!(from.is_sorted_by(|a, b| a < b) && from.iter().all(|&row| row < before.criteria.len()), "no row twice");
        }

        #[test]
        fn rows_that_are_told_to_be_the_same_are_unless_they_were_set(before in strategies(), edit in edits()) {
            let (after, map) = edit.apply(&before);
            let rows = map.carry(&before.criteria, || Criterion::one_ply(Evaluator::Inert));
            let differ = rows.iter().zip(&after.criteria).filter(|(old, new)| old != new).count();
            match edit {
                StrategyEdit::AddRow { .. } | StrategyEdit::SetRow { .. } => prop_assert!(differ <= 1),
                StrategyEdit::Replace(_) => {}
                _ => prop_assert_eq!(differ, 0),
            }
        }

        #[test]
        fn an_edit_and_its_inverse_leave_everything_as_it_was(before in strategies(), edit in edits()) {
            let (after, there) = edit.apply(&before);
            let (again, back) = inverse(&edit, &before).apply(&after);
            prop_assert_eq!(&again, &before);
            let rows: Vec<usize> = (0..before.criteria.len()).collect();
            let came = back.carry(&there.carry(&rows, || usize::MAX), || usize::MAX);
            let is_row_edit = !matches!(edit, StrategyEdit::Replace(_) | StrategyEdit::RemoveRow(_));
            prop_assert!(!is_row_edit || came == rows, "{:?}", came);
        }

        #[test]
        fn a_row_that_goes_to_another_strategy_leaves_the_first(
            one in strategies(), other in strategies(), row in 0..7_usize, at in 0..8_usize, copies in any::<bool>(),
        ) {
            let both = [&one, &other];
            let transfer = RowTransfer { from: (0, row), to: (1, at), copies };
            let Some(edits) = transfer.edits(&both) else {
                prop_assert!(one.criteria.len() <= row);
                return Ok(());
            };
            let mut after = both.map(Clone::clone);
            for (index, edit) in edits {
                after[index] = edit.apply(&after[index]).0;
            }
            prop_assert_eq!(after[0].criteria.len(), one.criteria.len() - usize::from(!copies));
            prop_assert_eq!(&after[1].criteria[at.min(other.criteria.len())], &one.criteria[row]);
            let nowhere = RowTransfer { to: (0, at), ..transfer };
            prop_assert!(nowhere.edits(&both).is_none());
        }
    }

    #[test]
    fn rows_of_a_replaced_strategy_are_found_again() {
        let rows = |letters: &str| Strategy::from_letters(letters).expect("letters");
        let origins = |old: &str, new: &str| {
            StrategyEdit::Replace(Box::new(rows(new)))
                .apply(&rows(old))
                .1
                .0
        };
        assert_eq!(origins("emu", "mue"), [Some(1), Some(2), Some(0)], "moved");
        assert_eq!(origins("emu", "eu"), [Some(0), Some(2)], "removed");
        assert_eq!(origins("eu", "emu"), [Some(0), None, Some(1)], "added");
        let mut edited = rows("emu");
        edited.criteria[1].tolerance = 2.0;
        let map = |old: &Strategy, new: &Strategy| {
            StrategyEdit::Replace(Box::new(new.clone())).apply(old).1
        };
        assert!(map(&rows("emu"), &edited).is_identity(3), "edited");
        let twice = strategy(&[Evaluator::Empty, Evaluator::Empty]);
        assert!(map(&twice, &twice).is_identity(2), "equal rows stay apart");
    }

    #[test]
    fn a_composition_keeps_being_named_after_its_letters() {
        let named = |letters: &str, name: &str| Strategy {
            name: name.to_owned(),
            ..Strategy::from_letters(letters).expect("letters")
        };
        assert_eq!(named("meu", "emu").name_after(&named("emu", "emu")), "meu");
        assert_eq!(
            named("meu", "mine").name_after(&named("emu", "mine")),
            "mine"
        );
        let mut beyond = named("emu", "emu");
        beyond.criteria[0].tolerance = 1.0;
        assert_eq!(beyond.name_after(&named("emu", "emu")), "emu (edited)");
        beyond.name = "emu (edited)".to_owned();
        assert_eq!(named("emu", "emu (edited)").name_after(&beyond), "emu");
        assert_eq!(
            named("meu", "other").name_after(&named("emu", "emu")),
            "other",
            "it was just named"
        );
        let chosen = "my best (edited)";
        beyond.name = chosen.to_owned();
        assert_eq!(
            named("meu", chosen).name_after(&beyond),
            chosen,
            "a person has named it"
        );
    }
}
