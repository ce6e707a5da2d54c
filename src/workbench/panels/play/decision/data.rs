//! The texts of the decision panel, computed without a window.

use super::elimination::{EliminationCell, EliminationColumn, places};
use crate::game::{Board, Move};
use crate::prose;
use crate::search::{Bound, NodeKind};
use crate::strategy::{Decision, LastResort, Prefer, Searched, Strategy};
use crate::words;

/// Rows, columns and sentence of one decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DecisionData {
    /// One row per direction; legal moves first, the best at the top.
    pub rows: Vec<StripRow>,
    pub columns: Vec<EliminationColumn>,
    /// The header of the values: the name of the deciding criterion.
    pub value_header: String,
    /// The deciding row and what it evaluates; empty without one.
    pub value_about: String,
    /// The reason for the move, with its numbers.
    pub sentence: String,
    /// The searches, the deciding one first: "2 moves + 2 spawns · 4,211 nodes · 12 ms"; empty without a search.
    pub searches: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StripRow {
    pub mv: Move,
    pub legal: bool,
    pub chosen: bool,
    /// The value by the deciding criterion, "–" without one.
    pub value: String,
    /// The value with all decimals, if the text has fewer.
    pub exact: Option<String>,
    /// The loss against the best move by that criterion.
    pub loss: String,
    /// Whether the move was kept or struck out, and why.
    pub why: String,
    pub reward: String,
    pub cells: Vec<EliminationCell>,
}

impl DecisionData {
    pub(crate) fn new(decision: &Decision, strategy: &Strategy) -> Self {
        let columns =
            (0..strategy.criteria.len()).map(|row| EliminationColumn::of(decision, strategy, row));
        let columns: Vec<EliminationColumn> = columns.collect();
        // The deciding row, or without one the last evaluated row.
        let needed = (0..strategy.criteria.len())
            .rev()
            .find(|&row| decision.was_needed(row));
        let row = decision.deciding().or(needed);
        let mut rows = Move::ALL.map(|mv| strip_row(decision, strategy, mv, row));
        let rank = |strip: &StripRow| {
            let fell = decision.moves[strip.mv]
                .as_ref()
                .and_then(|candidate| candidate.fell_at);
            let goodness = row.and_then(|row| {
                let value = decision.moves[strip.mv].as_ref()?.values[row]?;
                Some(if strategy.criteria[row].prefer == Prefer::Lower {
                    -value
                } else {
                    value
                })
            });
            let place = (
                !strip.legal,
                !strip.chosen,
                std::cmp::Reverse(fell.unwrap_or(usize::MAX)),
            );
            (place, goodness.unwrap_or(f64::NEG_INFINITY))
        };

        rows.sort_by(|a, b| {
            let ((a, goodness), (b, other)) = (rank(a), rank(b));
            a.cmp(&b).then_with(|| other.total_cmp(&goodness))
        });
        let mut sentence = format!("{}.", prose::decision::sentence(decision, strategy));
        if let Some(rest) =
            prose::decision::not_needed(decision, strategy).filter(|_| decision.chosen.is_some())
        {
            sentence += &format!(" {rest}.");
        }

        let value_header = row.map_or_else(
            || "Value".to_owned(),
            |row| format!("Value, row {}", row + 1),
        );
        let value_about = row.map_or_else(String::new, |row| {
            let what = if decision.deciding() == Some(row) {
                "the deciding row"
            } else {
                "the last row used"
            };
            format!(
                "Row {} of the strategy, {what}\n{}",
                row + 1,
                columns[row].about
            )
        });

        let searched = decision.searches.iter().enumerate();
        let mut searched: Vec<_> = searched
            .filter_map(|(row, searched)| Some((row, searched.as_ref()?)))
            .collect();
        searched.sort_by_key(|&(index, _)| Some(index) != row);
        let many = 1 < strategy.criteria.len();
        let searches = searched.iter().map(|&(row, searched)| {
            let place = if many {
                format!("Row {}: ", row + 1)
            } else {
                String::new()
            };
            format!("{place}{}", search_text(searched))
        });
        Self {
            rows: rows.into(),
            columns,
            value_header,
            value_about,
            sentence,
            searches: searches.collect(),
        }
    }

    /// Before a decision is known: the moves and their rewards.
    pub(crate) fn unknown(board: &Board) -> Self {
        let mut rows = Move::ALL.map(|mv| {
            let illegal = StripRow::illegal(mv, 0);
            match board
                .slide(mv)
                .map(|slide| format!("+{}", words::count(slide.reward.into())))
            {
                None => illegal,
                Some(reward) => StripRow {
                    legal: true,
                    why: String::new(),
                    reward,
                    ..illegal
                },
            }
        });
        rows.sort_by_key(|row| !row.legal);
        Self {
            rows: rows.into(),
            value_header: "Value".to_owned(),
            ..Self::default()
        }
    }

    /// At most `most` criteria, in order; those that decided first, then those that struck out a move, then the first
    /// ones.
    pub(crate) fn most_telling(&self, most: usize) -> Vec<usize> {
        let rank = |criterion: &usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.cells.get(*criterion));
            match () {
                () if cells
                    .clone()
                    .any(|cell| matches!(cell, EliminationCell::Kept { decided: true, .. })) =>
                {
                    0
                }
                () if cells
                    .clone()
                    .any(|cell| matches!(cell, EliminationCell::Fell { .. })) =>
                {
                    1
                }
                () if cells
                    .clone()
                    .any(|cell| matches!(cell, EliminationCell::Kept { .. })) =>
                {
                    2
                }
                () if cells.any(|cell| matches!(cell, EliminationCell::Off)) => 4,
                () => 3,
            }
        };
        let mut criteria: Vec<usize> = (0..self.columns.len()).collect();
        criteria.sort_by_key(rank);
        criteria.truncate(most);
        criteria.sort_unstable();
        criteria
    }
}

/// "2 moves + 2 spawns · 4,211 nodes · 12 ms · 31 cut".
fn search_text(searched: &Searched) -> String {
    let mut text = format!(
        "{} · {} · {}",
        searched.depth_text(),
        words::plural(searched.nodes, "node"),
        took(searched)
    );
    let cut = searched.counts.of(NodeKind::Cut);
    if 0 < cut {
        text += &format!(" · {} cut", words::count(cut));
    }
    text
}

/// "<1 ms", "12 ms", "3.4 s".
pub(crate) fn took(searched: &Searched) -> String {
    let ms = searched.elapsed.as_secs_f64() * 1000.0;
    match ms {
        _ if ms < 1.0 => "<1 ms".to_owned(),
        _ if ms < 1000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.1} s", ms / 1000.0),
    }
}

fn strip_row(decision: &Decision, strategy: &Strategy, mv: Move, row: Option<usize>) -> StripRow {
    let chosen = decision.chosen == Some(mv);
    let Some(candidate) = &decision.moves[mv] else {
        return StripRow::illegal(mv, strategy.criteria.len());
    };
    let value = row.and_then(|row| candidate.values[row]);
    let bound = row.map_or(Bound::Exact, |row| decision.bound(row, mv));
    let best = row
        .zip(decision.chosen)
        .and_then(|(row, best)| decision.moves[best].as_ref()?.values[row]);
    let why = match candidate.fell_at {
        Some(row) => format!("out at row {}", row + 1),
        None if decision.legal().len() == 1 => "only legal move".to_owned(),
        None => match (decision.deciding(), chosen, strategy.last_resort) {
            (Some(row), _, _) => format!("best at row {}", row + 1),
            (None, true, LastResort::Random) => format!("random of {}", decision.choice.len()),
            (None, true, LastResort::First | LastResort::FirstOf(_)) => {
                format!("first of {}", decision.choice.len())
            }
            (None, false, _) => "tied".to_owned(),
        },
    };

    let cells = strategy.criteria.iter().enumerate();
    let cells: Vec<_> = cells
        .map(|(row, criterion)| EliminationCell::of(decision, criterion, row, mv))
        .collect();
    let cell = row.map(|row| &cells[row]);

    // If the value is an upper bound, the loss is a lower bound.
    let lost = if bound == Bound::Exact {
        Bound::Exact
    } else {
        Bound::Lower
    };

    let places = row.map_or(0, |row| places(decision, row));
    let loss = |(value, best): (f64, f64)| {
        format!(
            "{}{}",
            lost.sign(),
            words::decimals((best - value).abs(), places)
        )
    };
    StripRow {
        mv,
        legal: true,
        chosen,
        value: cell
            .and_then(EliminationCell::text)
            .unwrap_or("–")
            .to_owned(),
        exact: cell.and_then(EliminationCell::exact).map(str::to_owned),
        loss: value.zip(best).map_or_else(|| "–".to_owned(), loss),
        why,
        reward: format!("+{}", words::count(candidate.reward.into())),
        cells,
    }
}

impl StripRow {
    fn illegal(mv: Move, criteria: usize) -> Self {
        Self {
            mv,
            legal: false,
            chosen: false,
            value: "–".to_owned(),
            exact: None,
            loss: "–".to_owned(),
            why: "illegal: no tile moves".to_owned(),
            reward: String::new(),
            cells: vec![EliminationCell::Out; criteria],
        }
    }

    /// The row for screen readers: "Left, value 21, loss 0, best at row 2".
    pub(crate) fn spoken(&self) -> String {
        if !self.legal {
            return format!("{}, {}", self.mv, self.why);
        }
        format!(
            "{}, value {}, loss {}, {}",
            self.mv, self.value, self.loss, self.why
        )
    }

    /// A cell of the table for screen readers: "Left, Monotonicity: 17, kept".
    pub(crate) fn spoken_cell(&self, column: &EliminationColumn, cell: &EliminationCell) -> String {
        format!("{}, {}: {}", self.mv, column.label, cell.spoken())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::{Board, Rules};
    use crate::strategy::Player;

    fn data(letters: &str, board: &Board) -> DecisionData {
        let strategy: Strategy = letters.parse().expect("letters");
        let decision = Decision::now(&Player::new(&strategy, Rules::default()), board, 0, |_| 0);
        DecisionData::new(&decision, &strategy)
    }

    #[test]
    fn the_strip_tells_what_became_of_each_move() {
        let data = data(
            "emr",
            &board! {
                8 4 2 2
                . . . .
                . . . .
                . . . .
            },
        );
        let rows: Vec<String> = data.rows.iter().map(StripRow::spoken).collect();
        assert_eq!(
            rows,
            [
                "Left, value 24, loss 0, best at row 2",
                "Right, value 23, loss 1, out at row 2",
                "Down, value –, loss –, out at row 1",
                "Up, illegal: no tile moves",
            ]
        );

        let spoken = |row: &StripRow| -> Vec<String> {
            data.columns
                .iter()
                .zip(&row.cells)
                .map(|(column, cell)| row.spoken_cell(column, cell))
                .collect()
        };
        assert_eq!(
            spoken(&data.rows[0]),
            ["Left, Empty: 13, kept", "Left, Monotonicity: 24, decided"]
        );
        assert_eq!(
            spoken(&data.rows[2]),
            [
                "Down, Empty: 12, rejected",
                "Down, Monotonicity: already out"
            ]
        );
        assert_eq!(
            data.sentence,
            "Left beat Right at Monotonicity (24 > 23) after a tie at Empty (13 = 13)."
        );
    }

    #[test]
    fn where_something_was_decided_is_shown_first() {
        let data = data(
            "uemr",
            &board! {
                8 4 2 2
                . . . .
                . . . .
                . . . .
            },
        );
        let all = data.most_telling(3);
        assert_eq!(all, [0, 1, 2]);
        let deciding = data.rows[0]
            .cells
            .iter()
            .position(|cell| matches!(cell, EliminationCell::Kept { decided: true, .. }));
        assert_eq!(data.most_telling(1), [deciding.expect("one decides")]);
    }

    fn plies(lookahead: &str, more: &str) -> DecisionData {
        let text = format!(
            "(criteria: [(evaluator: Monotonicity, lookahead: {lookahead}){more}], last_resort: First)"
        );
        data(
            &text,
            &board! {
                8 4 2 2
                . 4 . .
                . 2 . .
                . . . .
            },
        )
    }

    #[test]
    fn a_search_is_told_with_its_depth_nodes_and_time() {
        let data = plies("Expectimax(plies: Fixed(2))", "");
        assert_eq!(data.columns[0].setting, "ε 0 · 1 move + 1 spawn");
        let [text] = data.searches.as_slice() else {
            panic!("one search")
        };
        assert!(
            text.starts_with("1 move + 1 spawn · ")
                && text.contains(" nodes · ")
                && text.ends_with(" ms"),
            "{text}"
        );
        let two = plies("Expectimax(plies: Fixed(2))", ", (evaluator: Empty)");
        assert!(two.searches[0].starts_with("Row 1: "), "{:?}", two.searches);
    }

    #[test]
    fn what_is_only_a_bound_says_so() {
        let data = plies("Minimax(plies: Fixed(5), cuts: [AlphaBeta])", "");
        assert!(
            !data.rows[0].value.contains('≤') && data.rows[0].loss == "0",
            "{:?}",
            data.rows[0]
        );
        let bounds: Vec<&StripRow> = data
            .rows
            .iter()
            .filter(|row| row.value.starts_with("≤ "))
            .collect();
        assert!(
            !bounds.is_empty() && bounds.iter().all(|row| row.loss.starts_with("≥ ")),
            "{:?}",
            data.rows
        );
        assert!(data.searches[0].ends_with(" cut"), "{:?}", data.searches);
    }

    #[test]
    fn before_anything_is_known_there_are_rows_all_the_same() {
        let data =
            DecisionData::unknown(&"2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board"));
        let rows: Vec<String> = data
            .rows
            .iter()
            .map(|row| format!("{} {} {}", row.mv, row.legal, row.reward))
            .collect();
        assert_eq!(
            rows,
            ["Down true +0", "Left true +4", "Right true +4", "Up false "]
        );
    }

    #[test]
    fn rows_that_were_not_asked_are_told() {
        let data = data(
            "mer",
            &board! {
                . 4 2 .
                8 . 2 .
                . . 8 .
                4 . 4 .
            },
        );
        assert_eq!(data.rows[0].cells[1], EliminationCell::NotNeeded);
        assert!(
            data.sentence.ends_with("Row 2 was not needed."),
            "{}",
            data.sentence
        );
    }
}
