//! The texts of the strategy panel, independent of egui.

use crate::analysis;
use crate::game::{ByMove, Move, Size};
use crate::search::{Cut, Dead, Lookahead, SpawnValue};
use crate::strategy::{Criterion, Decision, LastResort, Prefer, Strategy, repeats};
use crate::words;
use crate::workbench::panels::play::decision::data::took;

/// The fate of one move in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveFate {
    /// The move is illegal, or an earlier row rejected it.
    Absent,
    Kept,
    Fell,
}

/// The effect of a row on the board on screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowEffect {
    /// The strategy cannot play here, or has not decided yet.
    Unknown,
    /// Only one move was left before this row.
    NotNeeded,
    /// The fate of each move, and whether the row left only one.
    Asked {
        fates: ByMove<MoveFate>,
        decides: bool,
    },
}

impl RowEffect {
    fn of(decision: Option<&Decision>, row: usize) -> Self {
        let Some(decision) = decision.filter(|decision| row < decision.kept.len()) else {
            return Self::Unknown;
        };
        if !decision.was_needed(row) {
            return Self::NotNeeded;
        }
        let fates = ByMove::from_fn(|mv| match &decision.moves[mv] {
            Some(candidate) if candidate.fell_at == Some(row) => MoveFate::Fell,
            Some(candidate) if candidate.values[row].is_some() => MoveFate::Kept,
            _ => MoveFate::Absent,
        });
        Self::Asked {
            fates,
            decides: decision.deciding() == Some(row),
        }
    }

    /// As text: "kept 2 of 3".
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Unknown => "–".to_owned(),
            Self::NotNeeded => "not needed".to_owned(),
            Self::Asked { fates, decides } => {
                let count = |fate| fates.iter().filter(|(_, other)| **other == fate).count();
                let kept_moves = count(MoveFate::Kept);
                match kept_moves + count(MoveFate::Fell) {
                    all if *decides => format!("decided here, kept 1 of {all}"),
                    all if kept_moves == all => format!("kept all {all}"),
                    all => format!("kept {kept_moves} of {all}"),
                }
            }
        }
    }
}

/// The information about a row besides its settings.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RowData {
    pub effect: RowEffect,
    /// Nodes and time of its search: "4,211 nodes, 12 ms"; empty without a search.
    pub search: String,
    /// The value of each move it compared, for a tooltip; empty if the row was not needed.
    pub values: String,
    /// The earlier row, counted from 0, that makes this one redundant.
    pub repeats: Option<usize>,
    /// Why it cannot play on the board on screen.
    pub problem: Option<String>,
    pub over_games: Option<OverGames>,
}

impl RowData {
    /// The effect of a row in `decision` and over many games, for boards of this size.
    pub(crate) fn new(
        strategy: &Strategy,
        row: usize,
        decision: Option<&Decision>,
        evidence: Option<&analysis::Evidence>,
        size: Size,
    ) -> Self {
        let criterion = &strategy.criteria[row];
        Self {
            effect: RowEffect::of(decision, row),
            search: decision
                .map(|decision| search(decision, row))
                .unwrap_or_default(),
            values: decision
                .map(|decision| values(decision, row))
                .unwrap_or_default(),
            repeats: repeats(&strategy.criteria, row),
            problem: criterion
                .check_to_play(size)
                .err()
                .map(|error| error.to_string()),
            over_games: evidence
                .filter(|_| !criterion.off)
                .and_then(|evidence| OverGames::of(evidence, row)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OverGames {
    /// "decided 31 %", "never reached".
    pub text: String,
    /// Whether the row had no effect: it was never reached, or kept every move it saw.
    pub idle: bool,
}

impl OverGames {
    fn of(evidence: &analysis::Evidence, row: usize) -> Option<Self> {
        let of_row = evidence.rows.get(row).filter(|_| evidence.decisions != 0)?;
        Some(match (of_row.asked, of_row.decided) {
            (0, _) => Self {
                text: "never reached".to_owned(),
                idle: true,
            },
            (all, _) if of_row.passed == all => {
                let count = words::count(all);
                Self {
                    text: format!("tied {count} of {count}"),
                    idle: true,
                }
            }
            (_, decided) => Self {
                text: format!("decided {}", percent(decided, evidence.decisions)),
                idle: false,
            },
        })
    }
}

/// A share in whole percents, with "< 1 %" and "> 99 %" where rounding would say none or all.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    match share.round() as u64 {
        0 if part != 0 => "< 1 %".to_owned(),
        100 if part != whole => "> 99 %".to_owned(),
        share => format!("{share} %"),
    }
}

/// The effect of the last resort on the board on screen, and whether it decides there.
pub(crate) fn last_resort(strategy: &Strategy, decision: Option<&Decision>) -> (String, bool) {
    match decision.map(|decision| decision.choice.len()) {
        None => ("–".to_owned(), false),
        Some(0 | 1) => ("not needed".to_owned(), false),
        Some(moves) => match strategy.last_resort {
            LastResort::Random => (format!("draws one of {moves}"), true),
            LastResort::First | LastResort::FirstOf(_) => {
                (format!("takes the first of {moves}"), true)
            }
        },
    }
}

/// The settings of a criterion that its label lacks; usual values are omitted.
pub(crate) fn settings(criterion: &Criterion) -> String {
    let prefer = match criterion.prefer {
        Prefer::Higher => "higher",
        Prefer::Lower => "lower",
    };
    let depth = criterion.lookahead.depth_text();
    let mut text = format!("{depth} · {prefer}");
    if criterion.off {
        text = format!("off · {text}");
    }
    if criterion.tolerance != 0.0 {
        text += &format!(" · ε {}", words::decimals_short(criterion.tolerance));
    }
    text
}

/// "4,211 nodes, 12 ms".
fn search(decision: &Decision, row: usize) -> String {
    let Some(Some(searched)) = decision.searches.get(row) else {
        return String::new();
    };
    format!(
        "{}, {}",
        words::plural(searched.nodes, "node"),
        took(searched)
    )
}

/// How a lookahead searches beyond its name and depth, one sentence each; empty for one ply and for a plain search.
pub(crate) fn lookahead_notes(lookahead: &Lookahead) -> Vec<String> {
    let Some(search) = lookahead.depth_limited() else {
        return Vec::new();
    };
    let spawn = match search.spawn {
        SpawnValue::Mean => None,
        SpawnValue::Sum => Some("spawns are summed, not averaged"),
        SpawnValue::MinCell => Some("the worst cell counts, averaged over 2 and 4"),
        SpawnValue::MeanOfMin => Some("2 and 4 averaged, each on its worst cell"),
        SpawnValue::Min => Some("the worst spawn counts"),
    };
    let dead = match search.dead {
        Dead::Evaluate => None,
        Dead::Zero => Some("dead boards are worth 0"),
        Dead::Lost => Some("dead boards are worth less than all others"),
    };
    let cuts = lookahead.cuts().iter().map(|cut| match cut {
        Cut::AlphaBeta => "alpha–beta: skips moves that cannot change the choice".to_owned(),
        Cut::Reach(least) => {
            format!(
                "skips boards reached with a probability below {}",
                words::decimals_short(*least)
            )
        }
        Cut::ImportantCells { k, .. } => {
            format!(
                "spawns only on the {}",
                words::plural(u64::from(*k), "most important cell")
            )
        }
        Cut::WorstSpawns => "only the spawns that look worst".to_owned(),
    });
    let halved = search
        .downgrade
        .map(|tile| format!("halves large tiles of boards with {tile} before searching"));
    spawn
        .into_iter()
        .chain(dead)
        .map(str::to_owned)
        .chain(cuts)
        .chain(halved)
        .collect()
}

/// "Left 9, Right 7 (fell)" with all decimals, in the order of [`Move::ALL`].
fn values(decision: &Decision, row: usize) -> String {
    let value_text = |mv: Move| {
        let candidate = decision.moves[mv].as_ref()?;
        let (sign, value) = (
            decision.bound(row, mv).sign(),
            words::exact((*candidate.values.get(row)?)?),
        );
        let fell = if candidate.fell_at == Some(row) {
            " (fell)"
        } else {
            ""
        };
        Some(format!("{mv} {sign}{value}{fell}"))
    };
    Move::ALL
        .into_iter()
        .filter_map(value_text)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{Evaluator, Weights};
    use crate::game::{Board, Rules};
    use crate::strategy::Player;

    /// The data of the rows, and of the last resort.
    fn decided(strategy: &Strategy, board: &str) -> (Vec<RowData>, (String, bool)) {
        let board: Board = board.parse().expect("a board");
        let rules = Rules {
            size: board.size(),
            ..Rules::default()
        };
        let decision = Decision::now(&Player::new(strategy, rules), &board, 0, |_| 0);
        let row = |row| RowData::new(strategy, row, Some(&decision), None, board.size());
        (
            (0..strategy.criteria.len()).map(row).collect(),
            last_resort(strategy, Some(&decision)),
        )
    }

    #[test]
    fn each_row_says_what_it_did_on_this_board() {
        let strategy = Strategy::from_letters("emr").expect("letters");
        let (rows, last) = decided(&strategy, "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,4");
        let text = rows.iter().zip(&strategy.criteria).map(|(row, criterion)| {
            format!(
                "{}: {}; {}",
                criterion.label(),
                row.effect.text(),
                row.values
            )
        });
        let text: Vec<String> = text.collect();
        assert_eq!(
            text,
            [
                "Empty: kept 2 of 4; Up 13 (fell), Down 13 (fell), Left 14, Right 14",
                "Monotonicity: kept all 2; Left 23, Right 23",
            ]
        );
        assert_eq!(last, ("draws one of 2".to_owned(), true));
    }

    #[test]
    fn rows_behind_the_deciding_one_are_not_needed() {
        let rows = [Evaluator::Weights(Weights::A), Evaluator::Empty]
            .map(Criterion::one_ply)
            .to_vec();
        let strategy = Strategy {
            criteria: rows,
            ..Strategy::default()
        };
        let (rows, last) = decided(&strategy, "0,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0");
        let evidence: Vec<String> = rows.iter().map(|row| row.effect.text()).collect();
        assert_eq!(evidence, ["decided here, kept 1 of 2", "not needed"]);
        assert!(rows[1].values.is_empty());
        assert_eq!(last, ("not needed".to_owned(), false));
    }

    #[test]
    fn without_a_decision_nothing_is_claimed() {
        let strategy = Strategy::from_letters("er").expect("letters");
        assert_eq!(
            RowData::new(&strategy, 0, None, None, Size::FOUR)
                .effect
                .text(),
            "–"
        );
        assert_eq!(last_resort(&strategy, None), ("–".to_owned(), false));
    }

    #[test]
    fn shares_are_whole_percents_that_never_say_none_or_all_of_some() {
        assert_eq!(
            [
                percent(1, 1000),
                percent(999, 1000),
                percent(0, 9),
                percent(9, 9)
            ],
            ["< 1 %", "> 99 %", "0 %", "100 %"]
        );
    }

    #[test]
    fn a_row_repeats_an_earlier_one_unless_it_is_stricter() {
        let row = |tolerance: f64, prefer| Criterion {
            tolerance,
            prefer,
            ..Criterion::one_ply(Evaluator::Empty)
        };
        let (higher, lower) = (Prefer::Higher, Prefer::Lower);
        assert_eq!(repeats(&[row(0.0, higher), row(0.0, higher)], 1), Some(0));
        assert_eq!(repeats(&[row(0.0, higher), row(0.0, lower)], 1), Some(0));
        assert_eq!(repeats(&[row(1.0, higher), row(0.0, higher)], 1), None);
        assert_eq!(repeats(&[row(1.0, higher), row(2.0, higher)], 1), Some(0));
        assert_eq!(repeats(&[row(0.0, higher)], 0), None);
        let other = Criterion::one_ply(Evaluator::Score);
        assert_eq!(repeats(&[row(0.0, higher), other], 1), None);
    }

    #[test]
    fn a_search_is_told_in_layers_with_its_cuts_in_words() {
        let row = |text: &str| Criterion {
            lookahead: text.parse().expect(text),
            ..Criterion::one_ply(Evaluator::Empty)
        };
        let plain = row("Expectimax(plies: Fixed(4))");
        assert_eq!(settings(&plain), "2 moves + 2 spawns · higher");
        assert!(lookahead_notes(&plain.lookahead).is_empty());
        let cut = row(
            "Minimax(plies: Fixed(5), dead: Zero, cuts: [AlphaBeta, Reach(0.0001), ImportantCells(k: 1)])",
        );
        assert_eq!(
            lookahead_notes(&cut.lookahead),
            [
                "the worst spawn counts",
                "dead boards are worth 0",
                "alpha–beta: skips moves that cannot change the choice",
                "skips boards reached with a probability below 0.0001",
                "spawns only on the 1 most important cell",
            ]
        );
    }

    #[test]
    fn what_is_usual_is_left_out_of_the_settings() {
        let row = Criterion {
            tolerance: 1.5,
            prefer: Prefer::Lower,
            ..Criterion::one_ply(Evaluator::Empty)
        };
        assert_eq!(settings(&row), "one ply · lower · ε 1.5");
        assert_eq!(
            settings(&Criterion::one_ply(Evaluator::Empty)),
            "one ply · higher"
        );
    }
}
