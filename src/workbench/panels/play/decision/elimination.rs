//! The elimination table, computed without a window: moves by criterion, with the effect of each criterion on each
//! move.

use crate::game::Move;
use crate::search::Bound;
use crate::strategy::{Criterion, Decision, Prefer, Searched, Strategy};
use crate::words;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EliminationColumn {
    /// Number and name: "1 Monotonicity", "2 Expectimax of Snake".
    pub name: String,
    /// Tolerance, direction and depth: "ε 1 · one ply", "ε 0 · lower · 2 moves + 2 spawns"; "off" for a row that is off.
    pub setting: String,
    /// The column's name for screen readers: "Monotonicity", with its row number if ambiguous.
    pub label: String,
    /// A full description of the row, including the numbers of the tolerance band.
    pub about: String,
    pub off: bool,
    /// Whether ε kept a move that is not among the best.
    pub tolerated: bool,
}

/// The effect of a criterion on a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EliminationCell {
    Kept {
        text: String,
        /// The value with all decimals, if the text has fewer.
        exact: Option<String>,
        decided: bool,
        /// Whether it was kept only because it is within ε of the best.
        tolerated: bool,
    },
    Fell {
        text: String,
        exact: Option<String>,
    },
    /// Struck out before, or illegal.
    Out,
    /// Not evaluated, because only one move was left.
    NotNeeded,
    Off,
}

impl EliminationCell {
    /// The cell of one column and one legal move.
    pub(crate) fn of(decision: &Decision, criterion: &Criterion, row: usize, mv: Move) -> Self {
        let Some(candidate) = &decision.moves[mv] else {
            return Self::Out;
        };
        if criterion.off {
            return Self::Off;
        }

        let Some(value) = candidate.values[row] else {
            let fell_before = candidate.fell_at.is_some_and(|fell| fell < row);
            return if fell_before && decision.was_needed(row) {
                Self::Out
            } else {
                Self::NotNeeded
            };
        };
        let places = places(decision, row);
        // Sampling rows also have a standard error.
        let error = decision.standard_error(row, mv);
        let error = error.map(|error| {
            format!(
                " ± {}",
                words::decimals(error, places.max(words::places([error])))
            )
        });
        let text = format!(
            "{}{}{}",
            decision.bound(row, mv).sign(),
            words::decimals(value, places),
            error.unwrap_or_default()
        );
        let exact = (words::exact(value).len() != words::decimals(value, places).len())
            .then(|| words::exact(value));
        if candidate.fell_at == Some(row) {
            return Self::Fell { text, exact };
        }

        let decided = decision.chosen == Some(mv) && decision.deciding() == Some(row);
        let is_best = band(decision, criterion, row).is_some_and(|[best, _]| best == value);
        Self::Kept {
            text,
            exact,
            decided,
            tolerated: 0.0 < criterion.tolerance && !is_best,
        }
    }

    /// For screen readers: "17, kept".
    pub(crate) fn spoken(&self) -> String {
        match self {
            Self::Kept {
                text,
                decided: true,
                ..
            } => format!("{text}, decided"),
            Self::Kept {
                text,
                tolerated: true,
                ..
            } => format!("{text}, kept within ε"),
            Self::Kept { text, .. } => format!("{text}, kept"),
            Self::Fell { text, .. } => format!("{text}, rejected"),
            Self::Out => "already out".to_owned(),
            Self::NotNeeded => "not needed".to_owned(),
            Self::Off => "off".to_owned(),
        }
    }

    /// The value with all decimals, if the text has fewer.
    pub(crate) fn exact(&self) -> Option<&str> {
        match self {
            Self::Kept { exact, .. } | Self::Fell { exact, .. } => exact.as_deref(),
            Self::Out | Self::NotNeeded | Self::Off => None,
        }
    }

    /// The value, if any.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Kept { text, .. } | Self::Fell { text, .. } => Some(text),
            Self::Out | Self::NotNeeded | Self::Off => None,
        }
    }
}

/// Decimals of a criterion's values, so that different values read differently.
pub(crate) fn places(decision: &Decision, row: usize) -> usize {
    words::places(seen_by(decision, row))
}

/// The values of the moves that a criterion evaluated.
fn seen_by(decision: &Decision, row: usize) -> impl Iterator<Item = f64> {
    Move::ALL
        .into_iter()
        .filter_map(move |mv| decision.moves[mv].as_ref()?.values[row])
}

/// The best value of a criterion and the last one that it keeps, ε away; `None` if it was not evaluated.
fn band(decision: &Decision, criterion: &Criterion, row: usize) -> Option<[f64; 2]> {
    let seen = seen_by(decision, row);
    let (better, epsilon): (fn(f64, f64) -> f64, f64) = match criterion.prefer {
        Prefer::Higher => (f64::max, -criterion.tolerance),
        Prefer::Lower => (f64::min, criterion.tolerance),
    };
    let best = seen.reduce(better)?;
    Some([best, best + epsilon])
}

impl EliminationColumn {
    /// The header of criterion number `row`.
    pub(crate) fn of(decision: &Decision, strategy: &Strategy, row: usize) -> Self {
        let criterion = &strategy.criteria[row];
        let epsilon = words::decimals_short(criterion.tolerance);
        let searched = decision.searches.get(row).and_then(Option::as_ref);
        let depth = searched.map_or_else(|| criterion.lookahead.depth_text(), Searched::depth_text);
        let lower = criterion.prefer == Prefer::Lower;
        let setting = match criterion.off {
            true => "off".to_owned(),
            false => format!(
                "ε {epsilon} · {}{depth}",
                if lower { "lower · " } else { "" }
            ),
        };

        let side = if lower {
            "lower is better"
        } else {
            "higher is better"
        };
        let keeps = match criterion.tolerance {
            0.0 => "only the best moves are kept".to_owned(),
            _ => format!("moves within {epsilon} of the best are kept"),
        };

        let mut about = format!(
            "Row {}, {}\n{depth}, {side}\nTolerance ε {epsilon}: {keeps}",
            row + 1,
            criterion.label()
        );
        if let Some(band) = band(decision, criterion, row).filter(|_| !criterion.off) {
            let [best, limit] = band.map(words::value);
            about += &match criterion.tolerance {
                0.0 => format!("\nKept: {best}"),
                _ => format!("\nKept: from {best} to {limit}"),
            };
        }

        about += match () {
            () if criterion.off => "\nOff: this row is not used",
            () if !decision.was_needed(row) => "\nNot needed: only one move was left",
            () => "\nClick a value to see its tree",
        };
        let cells = Move::ALL
            .into_iter()
            .map(|mv| EliminationCell::of(decision, criterion, row, mv));
        let tolerated = cells.into_iter().any(|cell| {
            matches!(
                cell,
                EliminationCell::Kept {
                    tolerated: true,
                    ..
                }
            )
        });
        Self {
            name: strategy.numbered_label(row),
            setting,
            label: strategy.row_label(row),
            about,
            off: criterion.off,
            tolerated,
        }
    }
}

/// A value, after "≤" or "≥" if it is only a bound.
pub(crate) fn bounded(bound: Bound, value: f64) -> String {
    format!("{}{}", bound.sign(), words::value(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::{Board, Rules, Seed};
    use crate::search::SearchOptions;
    use crate::strategy::GameTrace;
    use crate::strategy::Player;

    fn decide(text: &str, board: &Board) -> (Strategy, Decision) {
        let strategy: Strategy = text.parse().expect(text);
        let decision = Decision::now(&Player::new(&strategy, Rules::default()), board, 0, |_| 0);
        (strategy, decision)
    }

    #[test]
    fn the_cells_of_a_column_are_what_the_criterion_kept_and_struck_out() {
        let rows = "(criteria: [(evaluator: Monotonicity, tolerance: 2), (evaluator: Uniformity, off: true), \
            (evaluator: Score, prefer: Lower), (evaluator: Snake, lookahead: Minimax(plies: Fixed(2), cuts: [AlphaBeta]))])";
        let strategy: Strategy = rows.parse().expect(rows);
        let player = Player::new(&strategy, Rules::default());
        let moments =
            GameTrace::record(&player, Seed(3), 1, &strategy, SearchOptions::default()).replay();
        let mut seen = [0_u32; 5];
        for moment in moments
            .iter()
            .step_by(7)
            .filter(|moment| 1 < moment.board.legal_moves().len())
        {
            let decision = Decision::now(&player, &moment.board, moment.score, |_| 0);
            for (row, criterion) in strategy.criteria.iter().enumerate() {
                for mv in decision.legal() {
                    let candidate = decision.moves[mv].as_ref().expect("legal");
                    let cell = EliminationCell::of(&decision, criterion, row, mv);
                    let (kind, expected) = match (&cell, candidate.values[row]) {
                        (EliminationCell::Kept { text, .. }, Some(value)) => {
                            let written =
                                words::decimals(value, words::places(seen_by(&decision, row)));
                            let written = format!("{}{written}", decision.bound(row, mv).sign());
                            (0, decision.kept[row].contains(mv) && *text == written)
                        }
                        (EliminationCell::Fell { .. }, Some(_)) => {
                            (1, candidate.fell_at == Some(row))
                        }
                        (EliminationCell::Out, None) => {
                            (2, candidate.fell_at.is_some_and(|fell| fell < row))
                        }
                        (EliminationCell::NotNeeded, None) => (3, !decision.was_needed(row)),
                        (EliminationCell::Off, None) => (4, criterion.off),
                        (cell, value) => panic!("{cell:?} {value:?}"),
                    };
                    assert!(
                        expected,
                        "{cell:?} of {mv} in row {row} of {:?}",
                        decision.board
                    );
                    seen[kind] += 1;
                }
            }
        }

        assert!(seen.iter().all(|&count| 0 < count), "{seen:?}");
    }

    #[test]
    fn the_band_goes_from_the_best_to_the_tolerance() {
        let board = board! {
            8 4 2 2
            . . . .
            . . . .
            . . . .
        };

        let (strategy, decision) = decide(
            "(criteria: [(evaluator: Empty, tolerance: 1), (evaluator: Monotonicity)])",
            &board,
        );
        let column = EliminationColumn::of(&decision, &strategy, 0);
        assert_eq!(
            (column.name.as_str(), column.setting.as_str()),
            ("1 Empty", "ε 1 · one ply")
        );
        assert!(
            column.about.contains("Kept: from 13 to 12") && column.tolerated,
            "{}",
            column.about
        );
        assert_eq!(
            EliminationCell::of(&decision, &strategy.criteria[0], 0, Move::Down).spoken(),
            "12, kept within ε"
        );
        assert_eq!(
            EliminationCell::of(&decision, &strategy.criteria[0], 0, Move::Left).spoken(),
            "13, kept"
        );

        let (strategy, decision) = decide(
            "(criteria: [(evaluator: Empty, prefer: Lower, tolerance: 0.5)])",
            &board,
        );
        let column = EliminationColumn::of(&decision, &strategy, 0);
        assert_eq!(column.setting, "ε 0.5 · lower · one ply");
        assert!(
            column.about.contains("Kept: from 12 to 12.5") && !column.tolerated,
            "{}",
            column.about
        );
    }

    #[test]
    fn two_rows_of_one_name_are_told_apart() {
        let (strategy, decision) = decide(
            "(criteria: [(evaluator: Empty), (evaluator: Empty), (evaluator: Score)])",
            &"2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board"),
        );
        let labels: Vec<String> = (0..3)
            .map(|row| EliminationColumn::of(&decision, &strategy, row).label)
            .collect();
        assert_eq!(labels, ["Empty in row 1", "Empty in row 2", "Score"]);
    }
}
