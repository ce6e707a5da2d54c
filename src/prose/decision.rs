//! Why a strategy makes its move, in words.

use crate::game::{Board, Move};
use crate::search::{Lead, Playouts, ROUNDING};
use crate::solve::Table;
use crate::strategy::{Decision, LastResort, Prefer, Strategy};
use crate::words;

/// The decision in one sentence with its numbers: "Left beat Up at Monotonicity (17 > 15) after a tie at Empty (9)".
pub fn sentence(decision: &Decision, strategy: &Strategy) -> String {
    let legal = decision.legal();
    let Some(chosen) = decision.chosen else {
        return not_said(decision).unwrap_or_else(|| over(&decision.board).to_owned());
    };
    if legal.len() == 1 {
        return format!("{chosen} is the only legal move");
    }
    let label = |row: usize| name_of(decision, row, strategy);
    let value = |mv: Move, row: usize| {
        decision.moves[mv]
            .as_ref()
            .and_then(|candidate| candidate.values[row])
    };
    let Some(row) = decision.deciding() else {
        let among: Vec<String> = decision.choice.iter().map(|mv| mv.to_string()).collect();
        let how = match strategy.last_resort {
            LastResort::Random => "was drawn at random from",
            LastResort::First | LastResort::FirstOf(_) => "is the first of",
        };
        if strategy.criteria.iter().all(|criterion| criterion.off) {
            return format!("{chosen} {how} {}: there is no row", words::list(&among));
        }
        return format!(
            "{chosen} {how} {}, which no row separates",
            words::list(&among)
        );
    };

    let prefer = strategy.criteria[row].prefer;
    let rival = legal
        .iter()
        .filter(|&mv| {
            decision.moves[mv]
                .as_ref()
                .is_some_and(|candidate| candidate.fell_at == Some(row))
        })
        .max_by(|&a, &b| {
            let order = value(a, row)
                .partial_cmp(&value(b, row))
                .unwrap_or(std::cmp::Ordering::Equal);
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
    if let Some(playouts) = decision
        .searches
        .get(row)
        .and_then(|searched| searched.as_ref()?.playouts.as_ref())
        && [chosen, rival]
            .iter()
            .all(|&mv| playouts.of_each[mv].count() != 0)
    {
        let lead = playouts
            .lead
            .filter(|lead| (lead.best, lead.second) == (chosen, rival));
        let most = if prefer == Prefer::Higher {
            "highest"
        } else {
            "lowest"
        };
        let name = decision
            .foreign_label(row)
            .unwrap_or_else(|| strategy.row_label(row));
        return format!(
            "{chosen} had the {most} mean at {name}, {}",
            means(playouts, [chosen, rival], lead.as_ref())
        );
    }

    let places = words::places([best, second]);
    let [best, second] = [best, second].map(|value| words::decimals(value, places));
    // The value of the rival may be only a bound.
    let at = super::at_most(decision.bound(row, rival));
    let mut sentence = format!(
        "{chosen} beat {rival} at {} ({best} {sign} {at}{second}{note})",
        label(row)
    );
    let ties: Vec<String> = (0..row)
        .filter(|&tied| !strategy.criteria[tied].off)
        .map(|tied| match (value(chosen, tied), value(rival, tied)) {
            (Some(a), Some(b)) if (a - b).abs() <= a.abs() * ROUNDING => {
                format!(
                    "{} ({} = {})",
                    label(tied),
                    words::value(a),
                    words::value(b)
                )
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

/// The loss of each move against best play, by a solved table for points: "Exactly, by the table 3x3: Left or Up, with
/// 5,469.21 points to come; Down loses 3.20 and Right 4.00."
pub fn true_losses(board: &Board, name: &str, table: &Table) -> String {
    let (Some(values), Some(best)) = (table.slides(board), table.best(board)) else {
        return format!("No game reaches this board, so the table {name} does not contain it.");
    };
    let most = best.first().and_then(|mv| values[mv]).unwrap_or(0.0);
    let either: Vec<String> = best.iter().map(|mv| mv.to_string()).collect();
    let others = Move::ALL.into_iter().filter(|&mv| !best.contains(mv));
    let mut lost: Vec<(f64, Move)> = others
        .filter_map(|mv| Some((most - values[mv]?, mv)))
        .collect();
    lost.sort_by(|a, b| a.0.total_cmp(&b.0));
    let loss = |(place, (loss, mv)): (usize, &(f64, Move))| {
        let verb = if place == 0 { " loses" } else { "" };
        let loss = if *loss < 0.005 {
            "less than 0.01".to_owned()
        } else {
            words::decimals(*loss, 2)
        };
        format!("{mv}{verb} {loss}")
    };

    let lost: Vec<String> = lost.iter().enumerate().map(loss).collect();
    let lost = if lost.is_empty() {
        String::new()
    } else {
        format!("; {}", words::list(&lost))
    };
    let to_come = words::decimals(most, 2);
    format!(
        "Exact values from table {name}: {}, with {to_come} points still to come{lost}.",
        either.join(" or ")
    )
}

/// `1,240 ± 30 of 200; Up had 1,195 ± 28 of 200, 45 ± 12 less on the same draws (± one standard error)`; for a tree
/// `1,240 of 700; Up had 1,195 of 300, 45 less`.
fn means(playouts: &Playouts, [chosen, rival]: [Move; 2], lead: Option<&Lead>) -> String {
    let [ours, theirs] = [chosen, rival].map(|mv| &playouts.of_each[mv]);
    let text = |mv: Move| {
        let sample = &playouts.of_each[mv];
        format!(
            "{} of {}",
            estimate(sample.mean(), playouts.standard_error(mv)),
            words::count(sample.count())
        )
    };
    let by = lead.map_or_else(String::new, |lead| {
        let [difference, error] =
            [lead.difference, lead.standard_error.unwrap_or(f64::NAN)].map(f64::abs);
        let places = words::places([difference]);
        let error = if error.is_nan() {
            String::new()
        } else {
            format!(" ± {}", words::decimals(error, places))
        };
        let same = if lead.is_paired {
            " on the same draws"
        } else {
            ""
        };
        let less = if ours.mean() < theirs.mean() {
            "more"
        } else {
            "less"
        };
        format!(
            ", {}{error} {less}{same}",
            words::decimals(difference, places)
        )
    });
    let what = if playouts.is_tree {
        ""
    } else {
        " (± one standard error)"
    };
    format!("{}; {rival} had {}{by}{what}", text(chosen), text(rival))
}

/// A mean with its standard error: `1,240 ± 30`; the mean alone if there is none.
pub fn estimate(mean: f64, standard_error: Option<f64>) -> String {
    let Some(error) = standard_error else {
        return words::value(mean);
    };
    let places = words::places([mean]).max(if error < 0.095 { 3 } else { 0 });
    format!(
        "{} ± {}",
        words::decimals(mean, places),
        words::decimals(error, places)
    )
}

/// The sentence for a record with values but without a played move; `None` if no move is best.
fn not_said(decision: &Decision) -> Option<String> {
    let best: Vec<String> = decision.choice.iter().map(|mv| mv.to_string()).collect();
    let are = if best.len() == 1 { "is" } else { "are" };
    (!best.is_empty()).then(|| {
        format!(
            "{} {are} best in the record, which does not name the played move",
            words::list(&best)
        )
    })
}

/// Why no move is possible on a board.
pub fn over(board: &Board) -> &'static str {
    if board.empty_cells().is_empty() {
        "The game is over: no cell is empty and no neighbors are equal, so no move is possible"
    } else {
        "The board is empty: there is no tile to move"
    }
}

/// The name of criterion `row` in a sentence: `Snake`, `Expectimax of Snake, 2 moves + 2 spawns`.
fn name_of(decision: &Decision, row: usize, strategy: &Strategy) -> String {
    let criterion = &strategy.criteria[row];
    let label = decision
        .foreign_label(row)
        .unwrap_or_else(|| strategy.row_label(row));
    if !criterion.lookahead.searches() {
        return label;
    }
    let depth = match decision.searches.get(row) {
        Some(Some(searched)) => searched.depth_text(),
        _ => criterion.lookahead.depth_text(),
    };
    format!("{label}, {depth}")
}

/// Which rows that are on were not evaluated, in words: "Rows 3 and 4 were not needed"; `None` if all were.
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
    fn a_choice_by_samples_says_how_many_and_how_sure() {
        let board = board! {
            2 4 8 16
            . 8 . 32
            . 2 4 64
            . . 2 128
        };
        let sampled = |lookahead: &str| {
            let (strategy, decision) = decide(
                &format!("(criteria: [(evaluator: Score, lookahead: {lookahead})])"),
                &board,
            );
            sentence(&decision, &strategy)
        };
        let flat = sampled("MonteCarlo(playouts: 64)");

        for part in [
            " had the highest mean at Monte Carlo of Score, ",
            " ± ",
            " of 64; ",
            " less on the same draws (± one",
        ] {
            assert!(flat.contains(part), "{flat}");
        }
        let tree = sampled("Mcts(playouts: 300)");
        assert!(
            tree.contains("at MCTS of Score") && !tree.contains("same draws"),
            "{tree}"
        );
        assert!(
            !tree.contains('±') && !tree.contains("standard error"),
            "{tree}"
        );
        assert_eq!(
            sampled("AveragedSearch(searches: 1)")
                .matches(" of 1")
                .count(),
            2
        );
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
            "Left was drawn at random from Left and Right, which no row separates"
        );

        let (strategy, decision) = decide("em", &board);
        assert_eq!(decision.deciding(), Some(1));
        assert_eq!(
            sentence(&decision, &strategy),
            "Left beat Right at Monotonicity (24 > 23) after a tie at Empty (13 = 13)"
        );

        let (strategy, decision) = decide("gem", &board);
        assert!(
            sentence(&decision, &strategy)
                .contains("after ties at Score (4 = 4) and Empty (13 = 13)")
        );
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
            "The game is over: no cell is empty and no neighbors are equal, so no move is possible"
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

    #[test]
    fn a_solved_table_tells_what_each_move_loses() {
        use crate::solve::{Goal, Question};
        let question = Question {
            size: "2x2".parse().expect("a size"),
            p4: 0.1,
            goal: Goal::Score,
        };
        let table = question
            .solve(1, &crate::task::Control::default())
            .expect("a small board")
            .table;
        let said = |board: &str| true_losses(&board.parse().expect(board), "2x2", &table);
        assert_eq!(
            said("2,8/2,0"),
            "Exact values from table 2x2: Up or Down, with 52.79 points still to come; Right loses 3.03."
        );
        assert_eq!(
            said("8,4/4,0"),
            "Exact values from table 2x2: Down or Right, with 47.65 points still to come."
        );
        assert_eq!(
            said("64,2/0,0"),
            "No game reaches this board, so the table 2x2 does not contain it."
        );
    }
}
