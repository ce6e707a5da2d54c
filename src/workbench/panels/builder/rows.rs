//! Which row is which, while rows are moved, changed and taken back.

use std::collections::HashMap;

use super::strategy::data::carry;
use crate::strategy::Criterion;

/// What panels remember about the rows of the strategy on screen.
#[derive(Debug, Default)]
pub struct Rows {
    of: usize,
    criteria: Vec<Criterion>,
    /// Each row, in their order.
    pub views: Vec<RowView>,
    next: u64,
    /// The rows of the other open strategies as they were when they were on screen.
    others: HashMap<usize, (Vec<Criterion>, Vec<RowView>)>,
    /// The row that keys and "Add" refer to.
    pub selected: Option<u64>,
    /// The row that is to get the keyboard in this frame.
    pub focus: Option<u64>,
    /// The row that had the keyboard when it was drawn last.
    pub keyboard: Option<u64>,
    /// Whether the next row that is added is to get the keyboard.
    pub focuses_added: bool,
    /// The row that is to be scrolled into view.
    pub reveal: Option<u64>,
    /// The row that the keys are to lift.
    pub lift: Option<usize>,
}

/// What panels remember about one row; it stays with the row when that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowView {
    /// Tells it from all others, so that egui's memory follows it.
    pub uid: u64,
    pub open: bool,
}

impl Rows {
    /// Takes over the rows of the strategy as they are now.
    pub fn follow(&mut self, current: usize, criteria: &[Criterion]) {
        if self.of == current && self.criteria == criteria {
            return;
        }
        let same = self.of == current;
        if !same {
            let left = (std::mem::take(&mut self.criteria), std::mem::take(&mut self.views));
            self.others.insert(self.of, left);
            if let Some((criteria, views)) = self.others.remove(&current) {
                (self.criteria, self.views) = (criteria, views);
            }
        }
        let found = carry(&self.criteria, criteria);
        let is_one_more = criteria.len() == self.criteria.len() + 1;
        let added = found.iter().position(Option::is_none).filter(|_| is_one_more && (same || self.focuses_added));
        let views = found
            .into_iter()
            .map(|old| match old {
                Some(index) => self.views[index],
                None => {
                    self.next += 1;
                    RowView { uid: self.next, open: false }
                }
            })
            .collect();
        self.views = views;
        self.of = current;
        self.criteria = criteria.to_vec();
        self.selected = self.selected.filter(|&uid| self.place(uid).is_some());
        if let Some(row) = added {
            self.selected = Some(self.views[row].uid);
            self.reveal = self.selected;
            if std::mem::take(&mut self.focuses_added) {
                self.focus = self.selected;
            }
        }
    }

    /// The place of a row now; `None` once it is gone.
    pub fn place(&self, uid: u64) -> Option<usize> {
        self.views.iter().position(|view| view.uid == uid)
    }

    /// The place of the selected row.
    pub fn selected(&self) -> Option<usize> {
        self.place(self.selected?)
    }

    /// Selects a row and gives it the keyboard.
    pub fn select(&mut self, row: usize) {
        if let Some(view) = self.views.get(row) {
            self.selected = Some(view.uid);
            self.focus = Some(view.uid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    fn rows(letters: &str) -> Vec<Criterion> {
        Strategy::from_letters(letters).expect("letters").criteria
    }

    fn uids(rows: &Rows) -> Vec<u64> {
        rows.views.iter().map(|view| view.uid).collect()
    }

    #[test]
    fn rows_are_the_same_again_when_their_strategy_comes_back() {
        let mut state = Rows::default();
        state.follow(0, &rows("emu"));
        state.views[1].open = true;
        let first = uids(&state);
        state.follow(1, &rows("me"));
        assert!(uids(&state).iter().all(|uid| !first.contains(uid)), "other rows");
        state.follow(0, &rows("mue"));
        assert_eq!(uids(&state), [first[1], first[2], first[0]]);
        assert!(state.views[0].open && !state.views[1].open);
    }

    #[test]
    fn a_row_that_is_added_is_selected_and_has_the_keyboard_if_that_was_asked() {
        let mut state = Rows::default();
        state.follow(0, &rows("em"));
        state.follow(0, &rows("eum"));
        assert_eq!((state.selected(), state.focus), (Some(1), None));
        state.focuses_added = true;
        state.follow(0, &rows("eumg"));
        assert_eq!(state.focus.and_then(|uid| state.place(uid)), Some(3));
        assert!(!state.focuses_added);
    }
}
