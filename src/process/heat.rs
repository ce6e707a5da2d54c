//! The values of states as a function of two of their features.

use super::{Features, Process, State};

/// A feature that states are grouped by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    Empty,
    Merges,
    /// How many of the eight lines are monotone in the wanted direction.
    Lines,
    /// Whether this line is monotone: rows are 0 to 3, columns 4 to 7.
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

    /// For example `empty cells` or `row 1 falls`.
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

    /// The number of its values, which start at 0.
    pub const fn levels(self) -> usize {
        match self {
            Self::Empty => 15,
            Self::Merges | Self::Lines => 9,
            Self::Line(_) => 2,
        }
    }

    /// The name of one of its values: `3`, `yes`.
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
    /// How many of the states came up, and their visits together.
    pub states: u64,
    pub visits: u64,
    /// Σ visits × value.
    sum: f64,
}

impl HeatCell {
    /// The mean value, weighted by visits; `None` if no state came up.
    pub fn mean(&self) -> Option<f64> {
        (self.visits != 0).then(|| self.sum / self.visits as f64)
    }
}

impl Process {
    /// The values of states by two features, the first down and the second across.
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
