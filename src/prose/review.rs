//! What a move of a reviewed game cost, in words.

use super::a_spawn;
use crate::game::Move;
use crate::review::{ChanceAt, ChanceGoal, ChanceQuestion, Points};
use crate::search::{Bar, BarKind, Why};
use crate::words;

/// What a move cost by a judge: `Right cost 1,240.5 points against Left (values waver by 60 about here): after it, a 2 at r1c4 makes 420
/// of that, the most of 14 tiles`.
///
/// `wavering` is by how much the judge's values move from one look to the next about there, in points. `why` takes the played move
/// less the best one apart, from the record of the judge's search.
pub fn cost([played, best]: [Move; 2], loss: Points, wavering: Option<f64>, why: Option<&Why>) -> String {
    if loss == Points::ZERO {
        return format!("{played} lost nothing: by the judge no move is worth more");
    }
    let off =
        wavering.map_or_else(String::new, |points| format!(" (values waver by {} about here)", words::value(points)));
    let head = format!("{played} cost {} points against {best}{off}", words::value(loss.to_f64()));
    let tail = why.and_then(|why| cause(why, loss.to_f64())).unwrap_or_default();
    format!("{head}{tail}")
}

/// What a move cost of a chance in few words: `29.5 percentage points of the chance (22.1 to 36.4)`.
pub fn chance_lost(at: &ChanceAt) -> String {
    let percent = |share: f64| words::decimals(100.0 * share, 1);
    let ends = at.interval().map(|ends| format!(" ({} to {})", percent(ends.low), percent(ends.high)));
    format!("{} percentage points of the chance{}", percent(at.loss()), ends.unwrap_or_default())
}

/// What became of the games of a move that was played on: `Of 200 games each on the same tiles 124 survive 50 moves with Right and 183
/// with Left: it costs 29.5 percentage points (95 %: 22.1 to 36.4)`.
pub fn chance(played: Move, question: &ChanceQuestion, at: &ChanceAt) -> String {
    let percent = |share: f64| words::decimals(100.0 * share, 1);
    let [with_played, with_best] = at.reached.map(words::count);
    let (games, best) = (words::plural(at.games, "game"), at.best);
    let moves = words::plural(u64::from(question.moves), "move");
    let goal = match question.goal {
        ChanceGoal::Survive => format!("survive {moves}"),
        ChanceGoal::NextTile => format!("reach the next tile within {moves}"),
    };
    let ends = at.interval().map(|ends| format!(" (95 %: {} to {})", percent(ends.low), percent(ends.high)));
    format!(
        "Of {games} with each on the same tiles {with_played} {goal} with {played} and {with_best} with {best}: it costs {} percentage points{}",
        percent(at.loss()),
        ends.unwrap_or_default()
    )
}

/// The tile that makes most of a loss; nothing where no single one is in the record.
fn cause(why: &Why, loss: f64) -> Option<String> {
    let spawns = why.comparison?.spawns;
    let loses = |bar: &&Bar| bar.what == BarKind::Spawn && bar.amount < 0.0;
    let worst = why.bars.iter().filter(loses).min_by(|a, b| a.amount.total_cmp(&b.amount))?;
    let (spawn, amount) = (*worst.spawns.first()?, -worst.amount);
    // Tiles that gain stand against those that lose, so that one alone may come to more than all.
    let of = if amount <= loss { "of that" } else { "alone, and others make up for it" };
    let tiles = words::plural(u64::from(spawns), "tile");
    Some(format!(": after it, {} makes {} {of}, the most of {tiles}", a_spawn(spawn), words::value(amount)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Moment};
    use crate::review::{Judge, worth};
    use crate::search::SearchOptions;

    #[test]
    fn the_sentence_is_what_the_tree_of_the_judge_holds() {
        let judge = "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
        let rules = crate::game::Rules::default();
        let judge = Judge::of(&judge.parse().expect("a strategy"), rules).expect("a judge");
        let board: Board = "2,4,8,16/0,0,2,4/0,0,0,2/0,0,0,0".parse().expect("a board");
        let options = SearchOptions::default();
        let values = judge.look(&board, 3, options).expect("values").expect("not stopped");
        let best = Move::ALL.into_iter().find(|&mv| values[mv] == Some(worth(&values))).expect("a best move");
        let tree = judge.tree(&Moment { board, score: 0 }, 3, options, 1000).expect("a record");
        for played in board.legal_moves().iter().filter(|&mv| mv != best) {
            let why = tree.why(played, best).expect("both are searched");
            let loss = worth(&values) - values[played].expect("legal");
            assert!((why.difference() + loss.to_f64()).abs() < 1e-5, "the tree is that of the value");
            let text = cost([played, best], loss, Some(60.0), Some(&why));
            let head = format!("{played} cost {} points against {best}", words::value(loss.to_f64()));
            assert!(text.starts_with(&format!("{head} (values waver by 60 about here)")), "{text}");
            let least = why.bars.iter().min_by(|a, b| a.amount.total_cmp(&b.amount)).expect("bars");
            if least.what == BarKind::Spawn {
                assert!(text.contains(&format!("makes {}", words::value(-least.amount))), "{text}");
                assert!(text.contains(&format!("{}", least.spawns[0])), "{text}");
            }
            assert_eq!(cost([played, best], loss, None, None), head);
        }
        assert!(cost([best, best], Points::ZERO, None, None).contains("lost nothing"));
    }
}
