//! The worth of states over two of their features.

use super::{Features, Process, State};

/// A feature to look at states by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    Empty,
    Merges,
    /// How many of the eight lines are monotone as they shall be.
    Lines,
    /// Whether this line is: rows are 0 to 3, columns 4 to 7.
    Line(u8),
}

impl Feature {
    pub const ALL: [Self; 11] = [
        Self::Empty,
        Self::Merges,
        Self::Lines,
        Self::Line(0),
        Self::Line(1),
        Self::Line(2),
        Self::Line(3),
        Self::Line(4),
        Self::Line(5),
        Self::Line(6),
        Self::Line(7),
    ];

    /// `empty cells`, `row 1 falls`.
    pub fn name(self) -> String {
        match self {
            Self::Empty => "empty cells".to_owned(),
            Self::Merges => "possible merges".to_owned(),
            Self::Lines => "monotone lines".to_owned(),
            Self::Line(line) => {
                let what = if line < 4 { "row" } else { "column" };
                let how = if line % 2 == 0 { "falls" } else { "rises" };
                format!("{what} {} {how}", line % 4 + 1)
            }
        }
    }

    /// How many values it has, from 0.
    pub const fn levels(self) -> usize {
        match self {
            Self::Empty => 15,
            Self::Merges | Self::Lines => 9,
            Self::Line(_) => 2,
        }
    }

    /// What a value of it is called: `3`, `yes`.
    pub fn level_text(self, level: usize) -> String {
        match (self, level) {
            (Self::Line(_), 0) => "no".to_owned(),
            (Self::Line(_), _) => "yes".to_owned(),
            (Self::Empty, 14) => "14, 15".to_owned(),
            (Self::Empty | Self::Merges | Self::Lines, level) => level.to_string(),
        }
    }

    pub fn level_of(self, features: Features) -> usize {
        match self {
            Self::Empty => usize::from(features.empty),
            Self::Merges => usize::from(features.merges),
            Self::Lines => features.monotone.count_ones() as usize,
            Self::Line(line) => usize::from(features.monotone >> line & 1),
        }
    }
}

/// All states with the same values of two features.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HeatCell {
    /// How many of them came up, and how often.
    pub states: u64,
    pub visits: u64,
    /// Σ visits × worth.
    sum: f64,
}

impl HeatCell {
    /// Their worth, each as often as it came up; `None` where none did.
    pub fn mean(&self) -> Option<f64> {
        (self.visits != 0).then(|| self.sum / self.visits as f64)
    }
}

impl Process {
    /// The worth of states by two features, those of the first down and those of the second across.
    pub fn heat(&self, [down, across]: [Feature; 2]) -> Vec<Vec<HeatCell>> {
        let mut cells = vec![vec![HeatCell::default(); across.levels()]; down.levels()];
        for state in State::all() {
            let visits = self.visits[state.index()];
            if visits != 0 {
                let features = state.features();
                let cell = &mut cells[down.level_of(features)][across.level_of(features)];
                cell.states += 1;
                cell.visits += visits;
                cell.sum += visits as f64 * self.value(state);
            }
        }
        cells
    }
}
