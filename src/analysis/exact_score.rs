//! The exact expected score of a strategy on a small board, without playing a game.
//!
//! Every board that its games can reach is decided once, by the code that plays; tied moves of a random last
//! resort share their probability. If the strategy treats all symmetric images of a board alike, one represents all.
//! The points so far are part of the board if a row may depend on them. A row does not if it only adds them to its
//! values, like `Score` and sums with it.

use std::time::Duration;

use super::cost;
use crate::evaluator::Evaluator;
use crate::game::{Rules, Size};
use crate::search::{Cut, Dead, Lookahead, SearchOptions, SpawnValue};
use crate::solve::{self, Fate, Goal, Question, SolveError, Walk};
use crate::strategy::{ChoiceTrace, Criterion, LastResort, Player, Strategy, StrategyError};
use crate::task::{CancelToken, Control};

/// How long decisions are measured for an estimate.
const TRIAL: Duration = Duration::from_millis(300);

/// A strategy that can be followed over all boards of its rules.
#[derive(Debug)]
pub struct Exact {
    player: Player,
    last_resort: LastResort,
    walk: Walk,
}

/// Why a strategy cannot be followed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(
        "its games start from a position, but exact numbers exist only for games that start with two tiles"
    )]
    Start,
    #[error("row {}: {why}, so its decision on a board varies; play games instead", .row + 1)]
    NotOfTheBoard { row: usize, why: &'static str },
}

/// An upper estimate of the effort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactCost {
    /// Boards to move; `None` if the number is unknown, because boards with different points are different.
    pub boards: Option<u64>,
    pub secs: Option<f64>,
}

impl Exact {
    /// Returns an error for what is in the way, before anything is decided.
    pub fn of(strategy: &Strategy, rules: Rules) -> Result<Self, ExactError> {
        solve::check_size(rules.size)?;
        strategy.check_for(rules)?;
        if rules.start.is_some() {
            return Err(ExactError::Start);
        }
        let on = || {
            strategy
                .criteria
                .iter()
                .enumerate()
                .filter(|(_, criterion)| !criterion.off)
        };
        for (row, criterion) in on() {
            if let Some(why) = not_of_the_board(&criterion.lookahead) {
                return Err(ExactError::NotOfTheBoard { row, why });
            }
        }

        let goal = rules.stop_at.map_or(Goal::Score, Goal::Reach);
        let question = Question {
            size: rules.size,
            p4: rules.p4,
            goal,
        };
        question.check()?;
        let is_symmetric = strategy.last_resort == LastResort::Random
            && on().all(|(_, criterion)| plays_images_alike(criterion, rules.size));
        let walk = Walk {
            question,
            is_symmetric,
            minds_points: on().any(|(_, criterion)| minds_points(criterion)),
        };
        Ok(Self {
            player: Player::new(strategy, rules),
            last_resort: strategy.last_resort,
            walk,
        })
    }

    /// How its boards are distinguished.
    pub fn walk(&self) -> Walk {
        self.walk
    }

    /// The most boards to move that are decided; `None` if boards with different points are different, since their
    /// number is unknown.
    pub fn at_most(&self) -> Option<u64> {
        self.walk.at_most()
    }

    /// The effort, estimated from some of its decisions on this computer now.
    pub fn cost(&self, threads: usize, stop: &CancelToken) -> ExactCost {
        let boards = self.at_most();
        let per_decision = cost(&self.player, 1, TRIAL, stop)
            .per_decision
            .as_secs_f64();
        ExactCost {
            boards,
            secs: boards.map(|boards| per_decision * boards as f64 / threads as f64),
        }
    }

    pub fn fate(&self, threads: usize, control: &Control) -> Result<Fate, SolveError> {
        let options = SearchOptions {
            stop: control.token(),
            ..SearchOptions::default()
        };
        let drawn = |board: &_, points| {
            let among = ChoiceTrace::of(&self.player, board, points, options)?;
            Some(self.last_resort.of(among))
        };
        solve::walk(&self.walk, drawn, threads, control)
    }
}

/// Why the moves that a row keeps depend on more than the board and the points.
fn not_of_the_board(lookahead: &Lookahead) -> Option<&'static str> {
    match lookahead.depth_limited() {
        Some(_) if !lookahead.is_reproducible() => Some("it has a time limit"),
        None if *lookahead != Lookahead::OnePly => Some("it plays random games"),
        _ => None,
    }
}

fn plays_images_alike(criterion: &Criterion, size: Size) -> bool {
    // Node limits and ranked cells treat one image differently from another.
    let cells = |cut: &Cut| matches!(cut, Cut::ImportantCells { .. });
    let Criterion {
        evaluator,
        lookahead,
        ..
    } = criterion;
    evaluator.is_symmetric(size) && !lookahead.deepens() && !lookahead.cuts().iter().any(cells)
}

/// Whether different points on the same board may lead to another choice.
fn minds_points(criterion: &Criterion) -> bool {
    let Criterion {
        evaluator,
        lookahead,
        ..
    } = criterion;
    let keeps = match lookahead.depth_limited() {
        // Dead boards of value 0, and spawns that are not combined by their mean, weigh the points of one slide against
        // those of another.
        Some(search) => search.dead == Dead::Evaluate && search.spawn != SpawnValue::Sum,
        None => true,
    };
    evaluator.uses_score() && !(keeps && adds_points(evaluator))
}

/// Whether additional points increase every value by the same amount.
fn adds_points(evaluator: &Evaluator) -> bool {
    match evaluator {
        Evaluator::Score | Evaluator::Solved(_) | Evaluator::Network(_) => true,
        Evaluator::Sum(terms) => terms.iter().all(|(_, term)| adds_points(term)),
        other => !other.uses_score(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::{Board, Move, Moves, Rank, Seed, Spawn};

    fn rules(size: &str, p4: f64) -> Rules {
        Rules {
            size: size.parse().expect(size),
            p4,
            ..Rules::default()
        }
    }

    fn strategy(text: &str) -> Strategy {
        text.parse().expect(text)
    }

    fn fate(text: &str, rules: Rules) -> Fate {
        Exact::of(&strategy(text), rules)
            .expect(text)
            .fate(1, &Control::default())
            .expect(text)
    }

    /// The expected points to come, by a recursion over boards and points: no layers, no symmetries, no moments.
    fn plain(
        player: &Player,
        last: LastResort,
        at: (Board, u64),
        memo: &mut HashMap<(Board, u64), f64>,
    ) -> f64 {
        if let Some(&value) = memo.get(&at) {
            return value;
        }

        let (board, points) = at;
        let among = ChoiceTrace::of(player, &board, points, SearchOptions::default())
            .unwrap_or(Moves::NONE);
        let among: Vec<Move> = match last {
            LastResort::Random => among.iter().collect(),
            LastResort::First => among.first().into_iter().collect(),
            LastResort::FirstOf(order) => order.first(among).into_iter().collect(),
        };

        let mut value = 0.0;
        for &mv in &among {
            let slide = board.slide(mv).expect("legal");
            let empty = slide.after.board().empty_cells();
            for &cell in &empty {
                for (rank, probability) in [
                    (Rank::TWO, 1.0 - player.rules().p4),
                    (Rank::FOUR, player.rules().p4),
                ] {
                    let next = (
                        slide.after.spawn(Spawn { cell, rank }),
                        points + u64::from(slide.reward),
                    );
                    let later = plain(player, last, next, memo);
                    value += probability * (f64::from(slide.reward) + later)
                        / (among.len() * empty.len()) as f64;
                }
            }
        }
        memo.insert(at, value);
        value
    }

    fn plain_game(text: &str, rules: Rules) -> f64 {
        let strategy = strategy(text);
        let (player, mut memo, mut sum) = (Player::new(&strategy, rules), HashMap::new(), 0.0);
        let tiles = [(Rank::TWO, 1.0 - rules.p4), (Rank::FOUR, rules.p4)];
        let cells = rules.size.cells() as f64;
        for first in rules.size.iter() {
            for second in rules.size.iter().filter(|&second| second != first) {
                for (one, p) in tiles {
                    for (two, q) in tiles {
                        let board = Board::empty(rules.size).with(first, one).with(second, two);
                        sum += p * q * plain(&player, strategy.last_resort, (board, 0), &mut memo)
                            / (cells * (cells - 1.0));
                    }
                }
            }
        }

        sum
    }

    const PRODUCT: &str = "(criteria: [(evaluator: Product(Score, MaxTile)), (evaluator: Product(Score, CornerBonus))])";
    const DEAD_ZERO: &str = "(criteria: [(evaluator: Sum([(1, Score), (3, Empty)]), lookahead: Expectimax(plies: Fixed(2), dead: Zero))])";
    const CELLS: &str = "(criteria: [(evaluator: Weights([8, 4, 2, 1]), lookahead: Expectimax(plies: Fixed(3), \
        cuts: [ImportantCells(k: 1, weights: [1, 2, 3, 4])]))], last_resort: First)";

    #[test]
    fn a_strategy_earns_what_a_plain_recursion_says() {
        let first = "(criteria: [(evaluator: Empty)], last_resort: First)";
        let deep = "(criteria: [(evaluator: Empty, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))])";
        for text in [
            "r", "er", "emr", "gr", "umgr", first, deep, PRODUCT, DEAD_ZERO, CELLS,
        ] {
            let rules = rules("2x2", 0.1);
            let (exact, plain) = (fate(text, rules).mean, plain_game(text, rules));
            assert!(
                (exact - plain).abs() < 1e-9 * plain,
                "{text}: {exact} {plain}"
            );
        }
    }

    #[test]
    fn boards_are_told_apart_only_by_what_the_strategy_sees() {
        let walk = |text: &str| {
            let walk = Exact::of(&strategy(text), rules("2x2", 0.1))
                .expect(text)
                .walk();
            (walk.is_symmetric, walk.minds_points)
        };
        assert_eq!(walk("gemr"), (true, false));
        assert_eq!(
            walk("(criteria: [(evaluator: Sum([(1, Score), (-2, Empty)]))], last_resort: First)"),
            (false, false)
        );
        assert_eq!(walk(PRODUCT), (true, true));
        assert_eq!(
            walk("(criteria: [(evaluator: Product(Score, Empty), off: true)])"),
            (true, false)
        );
        assert_eq!(walk(DEAD_ZERO), (true, true));
        assert_eq!(walk(CELLS), (false, false));
        let nodes = "(criteria: [(evaluator: Empty, lookahead: Expectimax(nodes: 50))])";
        assert_eq!(walk(nodes), (false, false));
    }

    #[test]
    fn games_earn_what_is_said_exactly() {
        for (text, size, p4) in [
            ("er", "2x3", 0.1),
            ("emr", "3x2", 0.25),
            (PRODUCT, "2x2", 0.1),
            ("gr", "2x3", 0.1),
        ] {
            let rules = rules(size, p4);
            let exact = fate(text, rules);
            let player = Player::new(&strategy(text), rules);
            let games = 3000;
            let outcomes: Vec<_> = (0..games)
                .map(|game| player.play(&Seed(8).game(game), SearchOptions::default(), &mut ()))
                .collect();
            let mean = outcomes
                .iter()
                .map(|outcome| f64::from(outcome.score))
                .sum::<f64>()
                / games as f64;
            let moves = outcomes
                .iter()
                .map(|outcome| f64::from(outcome.moves))
                .sum::<f64>()
                / games as f64;
            let se = exact.sd / (games as f64).sqrt();
            assert!(
                (mean - exact.mean).abs() < 3.5 * se,
                "{text}: {mean} {exact:?}"
            );
            assert!(
                (moves - exact.moves).abs() < 0.05 * exact.moves,
                "{text}: {moves} {exact:?}"
            );
            let rank = Rank::of_tile(32).expect("a tile");
            let share = outcomes
                .iter()
                .filter(|outcome| rank <= outcome.largest)
                .count() as f64
                / games as f64;
            let p = exact.reach(rank);
            assert!(
                (share - p).abs() <= 4.0 * (p * (1.0 - p) / games as f64).sqrt(),
                "{text}: {share} {p}"
            );
            let square: f64 = outcomes
                .iter()
                .map(|outcome| (f64::from(outcome.score) - mean).powi(2))
                .sum();
            assert!(
                ((square / games as f64).sqrt() - exact.sd).abs() < 0.1 * exact.sd,
                "{text}: {exact:?}"
            );
        }
    }

    #[test]
    fn a_search_to_the_end_with_points_is_best_play() {
        let question = Question {
            size: "2x2".parse().expect("a size"),
            p4: 0.1,
            goal: Goal::Score,
        };
        let best = question
            .solve(1, &Control::default())
            .expect("a small board");
        // The longest game on 2×2 has some 27 slides; from a crowded board few are left.
        let end = "(criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(63)))])";
        let player = Player::new(&strategy(end), rules("2x2", 0.1));
        let mut boards = 0;
        for text in [
            "16,8/4,4", "16,4/2,4", "16,8/2,2", "8,4/2,4", "16,2/2,4", "32,8/4,4", "16,8/0,2",
        ] {
            let board: Board = text.parse().expect("a board");
            let row = player.criterion(0).expect("a row");
            let values = row
                .values(&board, 100, board.legal_moves(), SearchOptions::default())
                .expect("not stopped");
            let (values, exact) = (
                values.to_real(),
                best.table.slides(&board).expect("it comes up"),
            );
            for mv in board.legal_moves() {
                let exact = exact[mv].expect("legal");
                assert!(
                    (values[mv] - 100.0 - exact).abs() < 1e-6,
                    "{text} {mv}: {} {exact}",
                    values[mv]
                );
                boards += 1;
            }
        }

        assert!(10 < boards);
    }

    #[test]
    fn a_solved_table_plays_best_and_is_the_ground_truth_of_searches() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("small.solved");
        let name = path.to_str().expect("UTF-8");
        let rules = rules("2x3", 0.1);
        let solve = |goal| {
            Question {
                size: rules.size,
                p4: rules.p4,
                goal,
            }
            .solve(1, &Control::default())
            .expect("small")
        };
        let best = solve(Goal::Score);
        best.table.write(&path).expect("writable");
        let text = |lookahead: &str| {
            format!("(criteria: [(evaluator: Solved({name:?}), lookahead: {lookahead})])")
        };
        let (one, three) = (text("OnePly"), text("Expectimax(plies: Fixed(3))"));
        assert!(
            (fate(&one, rules).mean - best.value).abs() < 1e-4,
            "best play earns what it is worth"
        );

        // At any depth, a mean over exact values is exact: this tests the searches against the solver.
        let players = [&one, &three, &text("Expectimax(plies: Fixed(5))")]
            .map(|text| Player::new(&strategy(text), rules));
        for text in [
            "2,4,0/0,2,8",
            "16,8,4/2,4,2",
            "0,2,0/2,0,4",
            "32,16,8/4,2,4",
            "4,4,2/2,8,2",
            "64,2,4/2,8,0",
        ] {
            let board: Board = text.parse().expect("a board");
            let exact = best.table.slides(&board).expect("it comes up");
            for player in &players {
                let row = player.criterion(0).expect("a row");
                let values = row.values(&board, 60, board.legal_moves(), SearchOptions::default());
                let values = values.expect("not stopped").to_real();
                for mv in board.legal_moves() {
                    let exact = 60.0 + exact[mv].expect("legal");
                    assert!(
                        (values[mv] - exact).abs() < 1e-5,
                        "{text} {mv}: {} {exact}",
                        values[mv]
                    );
                }
            }
        }

        // The strategy is identified by the content of the file.
        let hash = strategy(&one).hash();
        assert_eq!(strategy(&one).hash(), hash);
        solve(Goal::Reach(Rank::of_tile(32).expect("a tile")))
            .table
            .write(&path)
            .expect("writable");
        assert_ne!(strategy(&one).hash(), hash);
        let won = fate(&one, rules).reach(Rank::of_tile(32).expect("a tile"));
        assert!(
            (won - solve(Goal::Reach(Rank::of_tile(32).expect("a tile"))).value).abs() < 1e-6,
            "{won}"
        );

        let even = strategy(&text("Expectimax(plies: Fixed(4))"))
            .check(rules.size)
            .expect_err("even")
            .to_string();
        assert!(even.contains("Solved evaluates afterstates"), "{even}");
        let other = strategy(&one)
            .check(Size::FOUR)
            .expect_err("another size")
            .to_string();
        assert!(
            other.contains("is a table of 2x3 boards, not 4x4 boards: name one of that size"),
            "{other}"
        );
        let missing = strategy("(criteria: [(evaluator: Solved(\"not here\"))])")
            .check(rules.size)
            .expect_err("missing");
        assert!(
            missing
                .to_string()
                .contains("there is no solved table \"not here\": make it with"),
            "{missing}"
        );
    }

    #[test]
    fn what_cannot_be_followed_is_said_in_one_sentence() {
        let timed = "(criteria: [(evaluator: Empty), (evaluator: Empty, lookahead: Expectimax(time_ms: 5))])";
        for (text, size, words) in [
            (
                timed,
                "2x2",
                "row 2: it has a time limit, so its decision on a board varies; play games instead",
            ),
            ("er", "4x4", "a 4x4 board is too large to be solved"),
            (
                "(criteria: [(evaluator: Weights(\"a\"))])",
                "2x2",
                "row 1: Weights has 16 numbers",
            ),
        ] {
            let error = Exact::of(&strategy(text), rules(size, 0.1))
                .expect_err(words)
                .to_string();
            assert!(error.contains(words), "{error}");
        }
        let control = Control::default();
        control.stop();
        let exact = Exact::of(&strategy("er"), rules("2x3", 0.1)).expect("small");
        assert_eq!(exact.fate(1, &control), Err(SolveError::Stopped));
    }

    #[test]
    fn games_that_end_at_a_tile_end_there() {
        let rules = Rules {
            stop_at: Rank::of_tile(16),
            ..rules("2x2", 0.1)
        };
        let exact = fate("er", rules);
        assert_eq!(exact.largest.last().map(|(rank, _)| rank.tile()), Some(16));
        let player = Player::new(&strategy("er"), rules);
        let games = 4000;
        let sum: u32 = (0..games)
            .map(|game| {
                player
                    .play(&Seed(1).game(game), SearchOptions::default(), &mut ())
                    .score
            })
            .sum();
        let mean = f64::from(sum) / games as f64;
        assert!(
            (mean - exact.mean).abs() < 3.5 * exact.sd / (games as f64).sqrt(),
            "{mean} {exact:?}"
        );
    }
}
