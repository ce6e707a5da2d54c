//! Which row is which, while rows are moved, changed and taken back.

use super::super::strategy::data::carry;
use crate::strategy::Criterion;

/// What panels remember about the rows of the strategy on screen.
#[derive(Debug, Default)]
pub struct Rows {
    of: usize,
    criteria: Vec<Criterion>,
    /// Each row, in their order.
    pub views: Vec<RowView>,
    next: u64,
    /// The row that keys and "Add" refer to.
    pub selected: Option<u64>,
    /// The row that is to get the keyboard in this frame.
    pub focus: Option<u64>,
    /// The row that is to be scrolled into view.
    pub reveal: Option<u64>,
}

/// What panels remember about one row; it stays with the row when that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowView {
    /// Tells it from all others, so that egui's memory follows it.
    pub uid: u64,
    /// Whether it is unfolded.
    pub open: bool,
}

impl Rows {
    /// Takes over the rows of the strategy as they are now.
    pub fn follow(&mut self, current: usize, criteria: &[Criterion]) {
        if self.of == current && self.criteria == criteria {
            return;
        }
        let same = self.of == current;
        let found = if same { carry(&self.criteria, criteria) } else { vec![None; criteria.len()] };
        let added =
            found.iter().position(Option::is_none).filter(|_| same && criteria.len() == self.criteria.len() + 1);
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
