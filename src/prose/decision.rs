//! Why a strategy moves as it does, in words.

use crate::game::{Board, Move};
use crate::search::{ROUNDING, layers};
use crate::strategy::{Decision, LastResort, Prefer, Strategy};
use crate::words;

/// The decision in one sentence with its numbers: "Left beat Up at Monotonicity (17 > 15) after a tie at Empty (9)".
pub fn sentence(decision: &Decision, strategy: &Strategy) -> String {
    let legal = decision.legal();
    let Some(chosen) = decision.chosen else {
        return over(&decision.board).to_owned();
    };
    if legal.len() == 1 {
        return format!("{chosen} is the only legal move");
    }
    let label = |row: usize| name_of(decision, row, strategy);
    let value = |mv: Move, row: usize| decision.moves[mv].as_ref().and_then(|candidate| candidate.values[row]);
    let Some(row) = decision.deciding() else {
        let among: Vec<String> = decision.choice.iter().map(|mv| mv.to_string()).collect();
        let how = match strategy.last_resort {
            LastResort::Random => "was drawn at random from",
            LastResort::First => "comes first of",
        };
        if strategy.criteria.iter().all(|criterion| criterion.off) {
            return format!("{chosen} {how} {}: there is no row", words::list(&among));
        }
        return format!("{chosen} {how} {}, which no row tells apart", words::list(&among));
    };
    let prefer = strategy.criteria[row].prefer;
    let rival = legal
        .iter()
        .filter(|&mv| decision.moves[mv].as_ref().is_some_and(|candidate| candidate.fell_at == Some(row)))
        .max_by(|&a, &b| {
            let order = value(a, row).partial_cmp(&value(b, row)).unwrap_or(std::cmp::Ordering::Equal);
            // The earlier of equal rivals: `max_by` would take the later.
            match prefer {
                Prefer::Higher => order,
                Prefer::Lower => order.reverse(),
            }
            .then(b.cmp(&a))
        });
    let (Some(rival), Some(best)) = (rival, value(chosen, row)) else {
        return format!("{chosen} was chosen");
    };
    let second = value(rival, row).unwrap_or(f64::NAN);
    let (sign, note) = match prefer {
        Prefer::Higher => (">", ""),
        Prefer::Lower => ("<", ", lower is better"),
    };
    let places = words::places([best, second]);
    let [best, second] = [best, second].map(|value| words::decimals(value, places));
    // What is known of the rival may be only a bound.
    let at = super::at_most(decision.bound(row, rival));
    let mut sentence = format!("{chosen} beat {rival} at {} ({best} {sign} {at}{second}{note})", label(row));
    let ties: Vec<String> = (0..row)
        .filter(|&tied| !strategy.criteria[tied].off)
        .map(|tied| match (value(chosen, tied), value(rival, tied)) {
            (Some(a), Some(b)) if (a - b).abs() <= a.abs() * ROUNDING => {
                format!("{} ({} = {})", label(tied), words::value(a), words::value(b))
            }
            (Some(a), Some(b)) => {
                let tolerance = words::decimals_short(strategy.criteria[tied].tolerance);
                let places = words::places([a, b]);
                let [a, b] = [a, b].map(|value| words::decimals(value, places));
                format!("{} ({a} ≈ {b} within ε {tolerance})", label(tied))
            }
            _ => label(tied),
        })
        .collect();
    match ties.len() {
        0 => {}
        1 => sentence += &format!(" after a tie at {}", ties[0]),
        _ => sentence += &format!(" after ties at {}", words::list(&ties)),
    }
    sentence
}

/// Why no move is possible on a board.
pub fn over(board: &Board) -> &'static str {
    if board.empty_cells().is_empty() {
        "The game is over: no cell is free and no neighbours are equal, so that no move is possible"
    } else {
        "The board is empty: there is no tile to move"
    }
}

/// What criterion `row` is called in a sentence: `Snake`, `Expectimax of Snake, 2 moves + 2 spawns`.
fn name_of(decision: &Decision, row: usize, strategy: &Strategy) -> String {
    let criterion = &strategy.criteria[row];
    let label = strategy.row_label(row);
    if criterion.lookahead.plies().is_none() {
        return label;
    }
    let depth = match decision.searches.get(row) {
        Some(Some(searched)) => layers(searched.plies),
        _ => criterion.lookahead.depth_text(),
    };
    format!("{label}, {depth}")
}

/// Which rows that are on were not asked, in words: "Rows 3 and 4 were not needed"; `None` when all were.
pub fn not_needed(decision: &Decision, strategy: &Strategy) -> Option<String> {
    let rows = strategy.criteria.iter().enumerate();
    let idle = rows.filter(|&(row, criterion)| !criterion.off && !decision.was_needed(row));
    let idle: Vec<String> = idle.map(|(row, _)| (row + 1).to_string()).collect();
    match idle.len() {
        0 => None,
        1 => Some(format!("Row {} was not needed", idle[0])),
        _ => Some(format!("Rows {} were not needed", words::list(&idle))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::{Board, Moves, Rules};
    use crate::strategy::Player;

    fn decide(strategy: &str, board: &Board) -> (Strategy, Decision) {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let decision = Decision::now(&Player::new(&strategy, Rules::default()), board, 0, |_| 0);
        (strategy, decision)
    }

    #[test]
    fn sentences_say_what_decided() {
        let board = board! {
            8 4 2 2
            . . . .
            . . . .
            . . . .
        };
        let (strategy, decision) = decide("er", &board);
        assert_eq!(
            sentence(&decision, &strategy),
            "Left was drawn at random from Left and Right, which no row tells apart"
        );
        let (strategy, decision) = decide("em", &board);
        assert_eq!(decision.deciding(), Some(1));
        assert_eq!(
            sentence(&decision, &strategy),
            "Left beat Right at Monotonicity (24 > 23) after a tie at Empty (13 = 13)"
        );
        let (strategy, decision) = decide("gem", &board);
        assert!(sentence(&decision, &strategy).contains("after ties at Score (4 = 4) and Empty (13 = 13)"));
        let (strategy, decision) = decide("r", &board);
        assert!(sentence(&decision, &strategy).ends_with("there is no row"));
        let (strategy, decision) = decide(
            "emr",
            &board! {
                2 4 2 4
                4 2 4 2
                2 4 2 4
                4 2 4 2
            },
        );
        assert_eq!(
            sentence(&decision, &strategy),
            "The game is over: no cell is free and no neighbours are equal, so that no move is possible"
        );
        assert_eq!(decision.kept, [Moves::NONE; 2]);
        let (strategy, decision) = decide(
            "emr",
            &board! {
                2 4 2 4
                4 2 4 2
                2 4 2 4
                4 2 4 .
            },
        );
        assert_eq!(decision.legal().len(), 2);
        assert_eq!(not_needed(&decision, &strategy), None);
    }
}
