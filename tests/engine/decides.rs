//! A search for the best move alone chooses the same move as one that values every move.

use afterstate::evaluator::{Evaluator, Lasting, NoFiles};
use afterstate::experiment::Play as _;
use afterstate::game::{Board, Move, Rank, Rules, Seed, Spawn};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Outcome, Player, Strategy};
use afterstate::task::CancelToken;

use super::search::strategy;

/// Positions of strong play, with one hexadecimal digit for each rank.
fn strong() -> Vec<Board> {
    let boards = include_str!("../../assets/boards48.txt").split_whitespace();
    boards
        .map(|board| Board::of_digits(board).expect("sixteen ranks"))
        .collect()
}

/// Positions of whole games that look one move ahead.
fn played(count: usize) -> Vec<Board> {
    let strategy: Strategy = "(criteria: [(evaluator: Lines())])"
        .parse()
        .expect("a strategy");
    let player = Player::new(&strategy, Rules::default());
    let games = (0..).map(|game| {
        GameTrace::record(&player, Seed(17), game, &strategy, SearchOptions::default())
    });
    games
        .flat_map(|game| game.replay())
        .map(|moment| moment.board)
        .filter(is_open)
        .take(count)
        .collect()
}

fn is_open(board: &Board) -> bool {
    !board.legal_moves().is_decided()
}

/// The move by the values of all moves.
fn valued(player: &Player, board: &Board) -> Option<Move> {
    let row = player.criterion(0).expect("one row");
    let legal = board.legal_moves();
    let values = row
        .values(board, 0, legal, SearchOptions::default())
        .expect("it is not stopped");
    row.keep(&values, legal).first()
}

/// The number of boards on which both moved, and the nodes with and without a value for every move.
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
    let strategy = strategy(
        "Lines()",
        "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.004)])",
    );
    let (moved, [all, fewer]) = compare(&strategy, Rules::default(), &boards);
    assert_eq!(moved, 10_000);
    assert!(20 * fewer < 19 * all, "{fewer} of {all} nodes");
}

#[test]
fn the_games_of_a_batch_are_decided_so() {
    let strategy = strategy(
        "Lines()",
        "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.01)])",
    );
    let [batch, watched] = [(); 2].map(|()| Player::new(&strategy, Rules::default()));
    let finish = batch
        .play_told(Seed(3).game(0), &CancelToken::new(), &mut |_| {})
        .expect("it is not stopped");
    let record = GameTrace::record(&watched, Seed(3), 0, &strategy, SearchOptions::default());
    assert_eq!(finish.outcome, Outcome::of(&record));
    assert!(
        finish.nodes < watched.nodes(),
        "{} of {} nodes",
        finish.nodes,
        watched.nodes()
    );
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
        // Evaluators without a bound from tables or averages.
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

/// Every board to move within this many turns.
fn after(board: &Board, turns: u32, found: &mut Vec<Board>) {
    found.push(*board);
    if turns == 0 {
        return;
    }
    for slide in board
        .legal_moves()
        .into_iter()
        .filter_map(|mv| board.slide(mv))
    {
        for cell in slide.after.board().empty_cells() {
            for rank in [Rank::TWO, Rank::FOUR] {
                after(&slide.after.spawn(Spawn { cell, rank }), turns - 1, found);
            }
        }
    }
}

#[test]
fn no_board_is_worth_more_than_the_ceiling_of_one_before_it() {
    // For strong play all boards that may come in one turn; for whole games the boards that came in up to six.
    let mut pairs: Vec<(Board, u32, Board)> = Vec::new();
    for board in strong() {
        let mut found = Vec::new();
        after(&board, 1, &mut found);
        pairs.extend(found.into_iter().map(|later| (board, 1, later)));
    }

    for strategy in ["(criteria: [(evaluator: Lines())])", "(criteria: [])"] {
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let player = Player::new(&strategy, Rules::default());
        for game in 0..4 {
            let game =
                GameTrace::record(&player, Seed(23), game, &strategy, SearchOptions::default());
            let boards: Vec<Board> = game.replay().iter().map(|moment| moment.board).collect();
            for turns in [0, 1, 2, 3, 6] {
                pairs.extend(
                    boards
                        .iter()
                        .zip(&boards[turns.min(boards.len())..])
                        .map(|(a, b)| (*a, turns as u32, *b)),
                );
            }
        }
    }

    for text in [
        "Lines()",
        "Difference",
        "Weights(\"a\")",
        "Sum([(1.0, Difference), (0.5, Weights(\"b\"))])",
        "Sum([(-1.0, Weights(\"c\")), (2.0, Lines())])",
        "Formula(\"sum(lines, x -> max(x, c -> c.rank))\")",
        "Formula(\"-sum(rows, x -> max(x, c -> c.rank) ^ 3)\")",
        "Sum([(0.5, Lines()), (0.0, Score)])",
    ] {
        let evaluator = text.parse::<Evaluator>().expect(text);
        let ceilings = evaluator.compile(&NoFiles).ceilings().expect(text);
        for (board, turns, later) in &pairs {
            let ceiling = ceilings.above(Lasting::of(board, *turns).expect("small tiles"));
            let value = evaluator.evaluate(later, 0);
            assert!(
                value <= ceiling + 1e-6,
                "{text}: {board}, {turns} turns later {later}: {value}"
            );
        }
    }

    for text in [
        "Snake",
        "Corner",
        "Empty",
        "Score",
        "Sum([(1.0, Score), (1.0, Lines())])",
        "Sum([(-1.0, Snake)])",
    ] {
        assert!(
            text.parse::<Evaluator>()
                .expect(text)
                .compile(&NoFiles)
                .ceilings()
                .is_none(),
            "{text}"
        );
    }
}

/// A line counts less the larger its largest tile: if all tiles stay, it is best to have them in as few lines as
/// possible.
#[test]
fn a_ceiling_is_reached_by_the_best_way_to_deal_out_what_stays() {
    let evaluator: Evaluator = "Formula(\"-sum(rows, x -> max(x, c -> c.rank) ^ 2)\")"
        .parse()
        .expect("a formula");
    let ceilings = evaluator
        .compile(&NoFiles)
        .ceilings()
        .expect("a sum over rows");
    let ceiling = |board: &str, turns| {
        let board: Board = board.parse().expect("a board");
        ceilings.above(Lasting::of(&board, turns).expect("small tiles"))
    };
    // The largest four in one row, the others in the next.
    assert_eq!(
        ceiling("2048,512,0,0/0,1024,0,0/0,256,128,0/0,64,0,0", 6),
        -(11.0_f64.powi(2) + 7.0_f64.powi(2))
    );
    // Two 64 may become a 128, and all of them one tile: then there is one tile as large as the largest, and no more.
    assert_eq!(
        ceiling("2048,1024,0,0/0,512,0,0/0,256,128,0/0,64,64,0", 6),
        -(11.0_f64.powi(2))
    );
    // 16 and the tiles of two turns are less than 32, those of four turns are not.
    assert_eq!(
        ceiling("256,128,64,32/16,0,0,0/0,0,0,0/0,0,0,0", 2),
        -(8.0_f64.powi(2) + 4.0_f64.powi(2))
    );
    assert_eq!(
        ceiling("256,128,64,32/16,0,0,0/0,0,0,0/0,0,0,0", 4),
        -(8.0_f64.powi(2))
    );
}

#[test]
fn a_board_on_which_a_tile_above_the_tables_may_come_has_no_ceiling() {
    let board = |digits: &str| Board::of_digits(digits).expect(digits);
    assert!(Lasting::of(&board("fe00000000000000"), 3).is_some());
    assert!(Lasting::of(&board("fe33000000000000"), 3).is_some());
    assert!(Lasting::of(&board("fedcba9876543210"), 0).is_some());
    assert!(Lasting::of(&board("fedcba9876543210"), 1).is_none());
    assert!(Lasting::of(&board("h000000000000001"), 0).is_none());
}
