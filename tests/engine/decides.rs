//! A search of which the move alone is wanted moves as one that values every move.

use afterstate::evaluator::{Evaluator, NoFiles};
use afterstate::experiment::Play as _;
use afterstate::game::{Board, Move, Rules, Seed};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Outcome, Player, Strategy};
use afterstate::task::CancelToken;

use super::search::strategy;

/// Positions of strong play, one rank a hexadecimal digit.
fn strong() -> Vec<Board> {
    let boards = include_str!("../../assets/boards48.txt").split_whitespace();
    boards.map(|board| board.parse().expect("sixteen ranks")).collect()
}

/// Positions of whole games that look one move ahead.
fn played(count: usize) -> Vec<Board> {
    let strategy: Strategy = "(criteria: [(evaluator: Lines())])".parse().expect("a strategy");
    let player = Player::new(&strategy, Rules::default());
    let games = (0..).map(|game| GameTrace::record(&player, Seed(17), game, &strategy, SearchOptions::default()));
    games.flat_map(|game| game.replay()).map(|moment| moment.board).filter(is_open).take(count).collect()
}

fn is_open(board: &Board) -> bool {
    !board.legal_moves().is_decided()
}

/// The move by the values of all.
fn valued(player: &Player, board: &Board) -> Option<Move> {
    let row = player.criterion(0).expect("one row");
    let legal = board.legal_moves();
    let values = row.values(board, 0, legal, SearchOptions::default()).expect("nobody stops it");
    row.keep(&values, legal).first()
}

/// On how many boards both moved, and the nodes of who values every move and of who does not.
fn compare(strategy: &Strategy, rules: Rules, boards: &[Board]) -> (usize, [u64; 2]) {
    let [valuing, deciding] = [(); 2].map(|()| Player::new(strategy, rules));
    let mut moved = 0;
    for board in boards {
        let decided = deciding.decide(board, 0, |_| 0, SearchOptions::default(), &mut ());
        assert_eq!(decided, valued(&valuing, board), "{board} by {strategy:?}");
        moved += usize::from(decided.is_some());
    }
    (moved, [valuing.nodes(), deciding.nodes()])
}

#[test]
fn ten_thousand_positions_are_decided_alike_with_fewer_nodes() {
    let boards = played(10_000);
    let strategy = strategy("Lines()", "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.004)])");
    let (moved, [all, fewer]) = compare(&strategy, Rules::default(), &boards);
    assert_eq!(moved, 10_000);
    assert!(20 * fewer < 19 * all, "{fewer} of {all} nodes");
}

#[test]
fn the_games_of_a_batch_are_decided_so() {
    let strategy = strategy("Lines()", "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.01)])");
    let [batch, watched] = [(); 2].map(|()| Player::new(&strategy, Rules::default()));
    let finish = batch.play_told(Seed(3).game(0), &CancelToken::new(), &mut |_| {}).expect("nobody stops it");
    let record = GameTrace::record(&watched, Seed(3), 0, &strategy, SearchOptions::default());
    assert_eq!(finish.outcome, Outcome::of(&record));
    assert!(finish.nodes < watched.nodes(), "{} of {} nodes", finish.nodes, watched.nodes());
}

#[test]
fn every_kind_of_search_decides_by_the_values() {
    let boards = strong();
    for (number, (evaluator, lookahead, gives_up)) in [
        ("Lines()", "Expectimax(plies: Fixed(7), dead: Zero, cuts: [Reach(0.001)])", Some(true)),
        (
            "Lines()",
            "Expectimax(plies: ByDistinct(offset: -4, at_least: 3), dead: Zero, cuts: [Reach(0.001)])",
            Some(true),
        ),
        ("Lines()", "Expectimax(plies: Fixed(6), dead: Zero, cuts: [Reach(0.004)])", Some(true)),
        ("Sum([(1.0, Difference), (0.5, Weights(\"b\"))])", "Expectimax(plies: Fixed(5), cuts: [Reach(0.002)])", None),
        ("Weights(\"a\")", "Expectimax(plies: Fixed(5), dead: Lost, cuts: [Reach(0.002)])", None),
        (
            "Formula(\"sum(lines, x -> max(x, c -> c.rank))\")",
            "Expectimax(plies: Fixed(5), cuts: [Reach(0.002)])",
            None,
        ),
        // What is bounded neither by its tables nor by an average.
        ("Snake", "Expectimax(plies: Fixed(5))", Some(false)),
        ("Sum([(0.25, Score), (1.0, Corner)])", "Expectimax(plies: Fixed(5), cuts: [Reach(0.002)])", Some(false)),
        ("Lines()", "Expectimax(plies: Fixed(5), spawn: Sum, dead: Zero, cuts: [Reach(0.002)])", Some(false)),
        ("Lines()", "Expectimax(plies: Fixed(5), spawn: MeanOfMin, dead: Zero, cuts: [Reach(0.002)])", Some(false)),
        ("Lines()", "Expectimax(nodes: 3000)", Some(false)),
        ("Lines()", "Expectimax(plies: Fixed(3), dead: Zero)", Some(false)),
    ]
    .into_iter()
    .enumerate()
    {
        let rules = Rules { p4: [0.1, 0.5, 0.0, 1.0][number % 4], ..Rules::default() };
        let mut strategy = strategy(evaluator, lookahead);
        for tolerance in [0.0, 500.0] {
            strategy.criteria[0].tolerance = tolerance;
            let (moved, [all, fewer]) = compare(&strategy, rules, &boards);
            assert_eq!(moved, boards.len());
            let is_as_said = gives_up.is_none_or(|gives_up| gives_up == (fewer < all));
            assert!(is_as_said, "{evaluator} {lookahead}: {fewer} of {all} nodes");
        }
    }
}

#[test]
fn no_board_is_worth_more_than_its_ceiling() {
    let mut boards = played(3000);
    boards.extend(strong());
    for text in [
        "Lines()",
        "Difference",
        "Weights(\"a\")",
        "Sum([(1.0, Difference), (0.5, Weights(\"b\"))])",
        "Sum([(-1.0, Weights(\"c\")), (2.0, Lines())])",
        "Formula(\"sum(lines, x -> max(x, c -> c.rank))\")",
        "Sum([(0.5, Lines()), (0.0, Score)])",
    ] {
        let compiled = text.parse::<Evaluator>().expect(text).compile(&NoFiles);
        let ceilings = compiled.ceilings().expect(text);
        let least = |rank: u8| ceilings.with_largest(rank);
        assert!((1..16).all(|rank| least(rank) <= least(rank - 1)), "{text}: larger tiles leave less to choose from");
        for board in &boards {
            let value = text.parse::<Evaluator>().expect(text).evaluate(board, 0);
            assert!(value <= least(board.max_rank().get()) + 1e-6, "{text} of {board}: {value}");
        }
    }
    for text in ["Snake", "Corner", "Empty", "Score", "Sum([(1.0, Score), (1.0, Lines())])", "Sum([(-1.0, Snake)])"] {
        assert!(text.parse::<Evaluator>().expect(text).compile(&NoFiles).ceilings().is_none(), "{text}");
    }
}
