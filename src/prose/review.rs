//! The cost of a move of a reviewed game, in words.

use crate::game::Move;
use crate::review::{ChanceAt, ChanceGoal, ChanceQuestion, OwnFinding, OwnPlay, Points};
use crate::search::{Bar, BarKind, Why};
use crate::stats::Interval;
use crate::words;

/// The cost of a move by a judge, with its share and the tiles that cause it: `Move 524: Up loses 21,948 of the 56,679
/// points expected here (39 %). Half of that comes from a 2 at row 3, column 4.`
///
/// `expected` is the judge's value of the position, in points to come. `wavering` is how much the judge's values change
/// from one position to the next around there, in points: it is mentioned if the loss is not larger. `why` explains the
/// difference between the played move and the best one, from the record of the judge's search.
pub fn cost(
    (number, [played, best]): (u64, [Move; 2]),
    [loss, expected]: [Points; 2],
    wavering: Option<f64>,
    why: Option<&Why>,
) -> String {
    let number = words::count(number);
    if loss == Points::ZERO {
        let is_best = if played == best {
            format!("{played} is the judge's best move")
        } else {
            format!("{played} is as good as {best}")
        };
        return format!("Move {number}: {is_best}.");
    }

    let [lost, whole] = [loss.to_f64(), expected.to_f64()];
    let share = if 0.0 < whole {
        format!(" ({})", share_text(lost / whole))
    } else {
        String::new()
    };
    let [lost_text, whole_text] =
        [lost, whole].map(|points| words::decimals(points, usize::from(whole < 1000.0)));
    let mut text = format!(
        "Move {number}: {played} loses {lost_text} of the {whole_text} points expected here{share}."
    );
    if let Some(points) = wavering.filter(|&points| lost <= points) {
        text += &format!(
            " The judge's uncertainty here is about ±{} points, so this loss is within its error.",
            words::decimals(points, usize::from(whole < 1000.0))
        );
    } else if let Some(carried) = why.and_then(|why| carried(why, lost)) {
        text += &format!(" {carried}.");
    }

    text
}

/// The cost of a move in chance, in few words: `29.5 percentage points of the chance (22.1 to 36.4)`.
pub fn chance_lost(at: &ChanceAt) -> String {
    let [lost, ends] = lost_and_interval(at);
    format!("{lost} percentage points of the chance{ends}")
}

/// The same for a column of percentage points: `29.5 (22.1 to 36.4)`.
pub fn chance_lost_number(at: &ChanceAt) -> String {
    lost_and_interval(at).concat()
}

fn lost_and_interval(at: &ChanceAt) -> [String; 2] {
    let percent = |share: f64| words::decimals(100.0 * share, 1);
    let ends = at
        .interval()
        .map(|ends| format!(" ({} to {})", percent(ends.low), percent(ends.high)));
    [percent(at.loss()), ends.unwrap_or_default()]
}

/// The results of games from a move: `Of 200 games each on the same tiles, 124 survive 50 moves with Right, 183
/// with Left: 29.5 percentage points lost (95 %: 22.1 to 36.4)`.
pub fn chance(played: Move, question: &ChanceQuestion, at: &ChanceAt) -> String {
    let percent = |share: f64| words::decimals(100.0 * share, 1);
    let [with_played, with_best] = at.reached.map(words::count);
    let (games, best) = (words::plural(at.games, "game"), at.best);
    let moves = words::plural(u64::from(question.moves), "move");
    let goal = match question.goal {
        ChanceGoal::Survive => format!("survive {moves}"),
        ChanceGoal::NextTile => format!("reach the next tile within {moves}"),
    };
    let ends = at
        .interval()
        .map(|ends| format!(" (95 %: {} to {})", percent(ends.low), percent(ends.high)));
    format!(
        "Of {games} each on the same tiles, {with_played} {goal} with {played}, {with_best} with {best}: {} percentage points lost{}",
        percent(at.loss()),
        ends.unwrap_or_default()
    )
}

/// The spawns that cause a loss; `None` if the record has none of them.
fn carried(why: &Why, loss: f64) -> Option<String> {
    let spawns = why.comparison?.spawns;
    let loses =
        |bar: &&Bar| bar.what == BarKind::Spawn && bar.amount < 0.0 && !bar.spawns.is_empty();
    let mut worst: Vec<(&Bar, f64)> = why
        .bars
        .iter()
        .filter(loses)
        .map(|bar| (bar, -bar.amount / loss))
        .collect();
    worst.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let &(first, share) = worst.first()?;
    if 1.0 < share {
        let points = words::decimals(share * loss, 0);
        return Some(format!(
            "{} alone costs {points}; other spawns make up for part of it",
            words::capitalised(&places(first))
        ));
    }

    // The fewest that cause half of it, and at most three.
    let is_even = worst
        .get(1)
        .is_some_and(|(_, second)| share - second < 0.02);
    let (mut few, mut sum) = (1, share);
    while few < worst.len().min(3) && (sum < 0.5 || few == 1 && is_even) {
        sum += worst[few].1;
        few += 1;
    }

    let parts: Vec<String> = worst[..few].iter().map(|(bar, _)| places(bar)).collect();
    Some(match few {
        1 => format!(
            "{} of that comes from {}",
            words::capitalised(&part(share)),
            parts[0]
        ),
        2 if is_even => format!(
            "{} comes from each of {}",
            words::capitalised(&part(share)),
            words::list(&parts)
        ),
        _ if sum < 0.5 => {
            format!(
                "The loss is spread over {}: the worst, {}, causes {}",
                words::plural(u64::from(spawns), "spawn"),
                parts[0],
                share_text(share)
            )
        }
        _ => format!(
            "{} of that comes from {}",
            words::capitalised(&part(sum)),
            words::list(&parts)
        ),
    })
}

/// `a 2 at row 3, column 4`; for several in one bar the first, with the number of others.
fn places(bar: &Bar) -> String {
    let spawn = bar.spawns[0];
    let text = format!(
        "a {} at row {}, column {}",
        spawn.rank,
        spawn.cell.row + 1,
        spawn.cell.col + 1
    );
    match bar.spawns.len() - 1 {
        0 => text,
        more => format!("{text} and {more} more like it"),
    }
}

/// A share in words if there are some for it: `half`, `all`, `39 %`.
fn part(share: f64) -> String {
    match share {
        _ if (share - 0.5).abs() < 0.015 => "half".to_owned(),
        _ if 0.985 < share => "all".to_owned(),
        _ => share_text(share),
    }
}

/// `39 %`, `0.4 %`.
fn share_text(share: f64) -> String {
    let percent = 100.0 * share;
    format!(
        "{} %",
        words::decimals(percent, usize::from(percent < 9.95))
    )
}

/// The gain of the judge's best move when the strategy itself finishes the game: `When emr finishes the game, Down scores
/// 812 points more than Up (95 %: +172 to +1,540) in 64 games each: an edit that plays Down gains here.`
pub fn own_play(player: &str, played: Move, own: &OwnPlay) -> String {
    let games = words::plural(own.games(), "game");
    let Some(gain) = own.gain() else {
        return format!("{player} has not finished a game after {} yet", own.other);
    };
    // Both ends instead of half a width: the interval reaches farther to the longer tail.
    let ends = |ends: Interval| {
        format!(
            " (95 %: {} to {})",
            words::signed(ends.low, 0),
            words::signed(ends.high, 0)
        )
    };
    let ends = own.interval().map(ends).unwrap_or_default();
    let (way, amount) = if gain < 0.0 {
        ("fewer", -gain)
    } else {
        ("more", gain)
    };
    let so_far = if own.is_over() { "" } else { " so far" };
    let verdict = match own.finding() {
        OwnFinding::Better => format!("an edit that plays {} gains here", own.other),
        OwnFinding::Worse => format!("an edit that plays {} loses here", own.other),
        OwnFinding::Open if !own.is_over() => "more games are being played".to_owned(),
        OwnFinding::Open => "the games find no difference".to_owned(),
    };

    format!(
        "When {player} finishes the game, {} scores {} points {way} than {played}{ends} in {games} each{so_far}: {verdict}.",
        own.other,
        words::decimals(amount, 0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Cell, Moment, Rank, Spawn};
    use crate::review::{Judge, worth};
    use crate::search::SearchOptions;

    #[test]
    fn the_sentence_is_what_the_tree_of_the_judge_holds() {
        let judge = "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
        let rules = crate::game::Rules::default();
        let judge = Judge::of(&judge.parse().expect("a strategy"), rules).expect("a judge");
        let board: Board = "2,4,8,16/0,0,2,4/0,0,0,2/0,0,0,0".parse().expect("a board");
        let options = SearchOptions::default();
        let values = judge
            .look(&board, 3, options)
            .expect("values")
            .expect("not stopped");
        let best = Move::ALL
            .into_iter()
            .find(|&mv| values[mv] == Some(worth(&values)))
            .expect("a best move");
        let tree = judge
            .tree(&Moment { board, score: 0 }, 3, options, 1000)
            .expect("a record");

        for played in board.legal_moves().iter().filter(|&mv| mv != best) {
            let why = tree.why(played, best).expect("both are searched");
            let loss = worth(&values) - values[played].expect("legal");
            assert!(
                (why.difference() + loss.to_f64()).abs() < 1e-5,
                "the tree is that of the value"
            );
            let expected = worth(&values);
            let cost_text =
                |wavering, why| cost((524, [played, best]), [loss, expected], wavering, why);
            let text = cost_text(Some(loss.to_f64() / 2.0), Some(&why));
            let share = 100.0 * loss.to_f64() / expected.to_f64();
            let head = format!(
                "Move 524: {played} loses {} of the",
                words::decimals(loss.to_f64(), 0)
            );
            assert!(text.starts_with(&head), "{text}");
            assert!(
                text.contains(&format!(
                    "({} %)",
                    words::decimals(share, usize::from(share < 9.95))
                )),
                "{text}"
            );
            let least = why
                .bars
                .iter()
                .min_by(|a, b| a.amount.total_cmp(&b.amount))
                .expect("bars");
            if least.what == BarKind::Spawn {
                let cell = least.spawns[0].cell;
                assert!(
                    text.contains(&format!("at row {}, column {}", cell.row + 1, cell.col + 1)),
                    "{text}"
                );
            }
            // Within the judge's own error, tiles are not mentioned.
            let unsure = cost_text(Some(2.0 * loss.to_f64()), Some(&why));
            assert!(
                unsure.contains("within its error") && !unsure.contains("column"),
                "{unsure}"
            );
        }

        assert_eq!(
            cost(
                (7, [best, best]),
                [Points::ZERO, Points::whole(9)],
                None,
                None
            ),
            format!("Move 7: {best} is the judge's best move.")
        );
    }

    #[test]
    fn shares_of_a_loss_add_up_over_the_tiles_that_are_named() {
        let bar = |row: u8, amount: f64| Bar {
            what: BarKind::Spawn,
            spawns: vec![Spawn {
                cell: Cell { row, col: 3 },
                rank: Rank::TWO,
            }],
            nodes: Vec::new(),
            probability: 0.1,
            value: 0.0,
            against: 0.0,
            amount,
        };

        let base = {
            let judge = "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
            let judge = Judge::of(
                &judge.parse().expect("a strategy"),
                crate::game::Rules::default(),
            )
            .expect("a judge");
            let board: Board = "2,4,8,16/0,0,2,4/0,0,0,2/0,0,0,0".parse().expect("a board");
            let tree = judge
                .tree(
                    &Moment { board, score: 0 },
                    3,
                    SearchOptions::default(),
                    1000,
                )
                .expect("a record");
            let mut moves = board.legal_moves().into_iter();
            tree.why(
                moves.next().expect("a move"),
                moves.next().expect("another"),
            )
            .expect("both are searched")
        };
        let carried_text = |amounts: &[f64]| {
            let bars = (0..)
                .zip(amounts)
                .map(|(row, &amount)| bar(row, amount))
                .collect();
            carried(
                &Why {
                    bars,
                    ..base.clone()
                },
                100.0,
            )
            .expect("a spawn loses")
        };

        assert_eq!(
            carried_text(&[-60.0, -40.0]),
            "60 % of that comes from a 2 at row 1, column 4"
        );
        assert_eq!(
            carried_text(&[-50.0, -49.0]),
            "Half comes from each of a 2 at row 1, column 4 and a 2 at row 2, column 4"
        );
        assert_eq!(
            carried_text(&[-45.0, -45.0, -10.0]),
            "45 % comes from each of a 2 at row 1, column 4 and a 2 at row 2, column 4"
        );
        assert!(
            carried_text(&[-30.0, -25.0, 5.0])
                .starts_with("55 % of that comes from a 2 at row 1, column 4 and")
        );
        assert!(
            carried_text(&[-140.0, 40.0])
                .contains("alone costs 140; other spawns make up for part of it")
        );
        assert!(carried_text(&[-10.0, -9.0, -8.0, -7.0]).starts_with("The loss is spread over"));
    }
}
