//! A decision on several threads equals that on one.

use std::time::Duration;

use afterstate::evaluator::NoFiles;
use afterstate::game::{Board, Move, Position as _, Rows, Rules, Slides as _};
use afterstate::search::{
    Objective, Root, Search, SearchOptions, Start, Subject, Tree, TreeFormat, TreeRecorder,
};
use afterstate::strategy::{Decision, Player};
use afterstate::task::CancelToken;

use super::search::{LOOKAHEADS, strategy};

/// Positions of strong play, with one hexadecimal digit for each rank.
fn boards() -> Vec<Board> {
    let boards = include_str!("../../assets/boards48.txt").split_whitespace();
    boards
        .map(|board| Board::of_digits(board).expect("sixteen ranks"))
        .collect()
}

/// On several threads from the first piece on, so that the speed of the computer does not matter.
fn at_once(stop: &CancelToken, cores: usize) -> SearchOptions<'_> {
    SearchOptions {
        alone: Duration::ZERO,
        ..SearchOptions::on_cores(stop, cores)
    }
}

/// The bits of the moves' values, the move, the nodes of the search, and the number of its threads.
fn decided(
    player: &Player,
    board: &Board,
    cores: usize,
) -> ([Option<u64>; 4], Option<Move>, u64, Option<usize>) {
    let stop = CancelToken::new();
    let decision = Decision::of(player, (board, 1000), |_| 0, at_once(&stop, cores), 0);
    let values = Move::ALL.map(|mv| decision.moves[mv].as_ref()?.values[0].map(f64::to_bits));
    let searched = decision.searches[0].as_ref();
    let (nodes, shared_by) =
        searched.map_or((0, None), |searched| (searched.nodes, searched.shared_by));
    (values, decision.chosen, nodes, shared_by)
}

#[test]
fn every_value_and_every_move_is_that_of_one_thread() {
    let boards = boards();
    for (number, (evaluator, lookahead)) in [
        ("Lines()", "Expectimax(plies: Fixed(3))"),
        ("Snake", "Expectimax(plies: Fixed(3), spawn: MeanOfMin)"),
        ("Product(Score, Weights(\"a\"))", "Minimax(plies: Fixed(3))"),
        (
            "Lines()",
            "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.0001)])",
        ),
        ("Snake", "Expectimax(plies: Fixed(5))"),
        (
            "Sum([(0.25, Score), (1.0, Corner)])",
            "Expectimax(plies: Fixed(5), cuts: [Reach(0.002)])",
        ),
        (
            "RankMonotonicity",
            "Expectimax(plies: Fixed(5), spawn: MinCell, cuts: [ImportantCells(k: 2)])",
        ),
        (
            "Weights(\"c\")",
            "Minimax(plies: Fixed(5), cuts: [Reach(0.002)])",
        ),
        (
            "Lines()",
            "Expectimax(plies: ByDistinct(at_most: 4), dead: Zero, cuts: [Reach(0.001)])",
        ),
        (
            "Lines()",
            "Expectimax(plies: Fixed(7), dead: Zero, cuts: [Reach(0.001)])",
        ),
        (
            "Score",
            "Expectimax(plies: Fixed(6), spawn: Sum, cuts: [Reach(0.002)])",
        ),
        ("Corner", "Minimax(plies: Fixed(6), cuts: [Reach(0.002)])"),
        (
            "Snake",
            "Minimax(plies: Fixed(5), dead: Lost, cuts: [WorstSpawns])",
        ),
        ("Empty", "Minimax(plies: Fixed(4), cuts: [AlphaBeta])"),
    ]
    .into_iter()
    .enumerate()
    {
        let rules = Rules {
            p4: [0.1, 0.2, 1.0, 0.1][number % 4],
            ..Rules::default()
        };
        let player = Player::new(&strategy(evaluator, lookahead), rules);
        let mut shared = 0;
        for board in &boards {
            let one = decided(&player, board, 1);
            assert_eq!(one.3, None);
            for cores in [2, 3] {
                let several = decided(&player, board, cores);
                assert_eq!(
                    (several.0, several.1),
                    (one.0, one.1),
                    "{evaluator} {lookahead} on {board}, {cores}"
                );
                shared += usize::from(several.3.is_some());
            }
        }
        // A chain of bounds and shallow searches have no pieces.
        let has_pieces = !["AlphaBeta", "Fixed(3)"]
            .iter()
            .any(|word| lookahead.contains(word));
        assert_eq!(has_pieces, 0 < shared, "{evaluator} {lookahead}");
    }
}

#[test]
fn a_search_with_a_limit_of_nodes_stays_on_one_thread() {
    let player = Player::new(
        &strategy("Lines()", "Expectimax(nodes: 30000)"),
        Rules::default(),
    );
    for board in boards().iter().step_by(6) {
        assert_eq!(decided(&player, board, 3), decided(&player, board, 1));
    }
}

/// The record of a search without a table, as the text of its file.
fn recorded(evaluator: &str, lookahead: &str, board: &Board, cores: usize, cap: usize) -> String {
    let evaluator = evaluator.parse().expect(evaluator);
    let search = Search::new(
        &evaluator,
        &lookahead.parse().expect(lookahead),
        Rules::default(),
        &NoFiles,
    );
    let search = search.expect("a search");
    let crossed = board.as_packed().expect("small tiles").crossed();
    let slides = crossed.slides(Rows::shared()).expect("small tiles");
    let objective = Objective {
        higher: true,
        tolerance: 0.0,
    };
    let (stop, moves) = (CancelToken::new(), slides.legal());
    let options = at_once(&stop, cores);
    let root = Root {
        search: &search,
        board: crossed,
        slides: &slides,
        moves,
        score: 40,
        objective,
        options,
        table: None,
        decides: false,
    };

    let mut recorder = TreeRecorder::new(&search, cap);
    let found = root.search(&mut recorder);
    let definition = search.definition.clone();
    let start = Start::Choice { objective, moves };
    let subject = Subject {
        definition,
        board: *board,
        score: 40,
        plies: found.plies,
        reach: 1.0,
        start,
    };
    let (counts, tree) = recorder.finish(subject, &found);
    let mut bytes = Vec::new();
    tree.expect("a tree")
        .write(TreeFormat::Json, &mut bytes)
        .expect("memory");
    format!(
        "{counts:?} {} {}",
        found.nodes,
        String::from_utf8(bytes).expect("text")
    )
}

#[test]
fn without_a_table_a_record_is_that_of_one_thread_to_the_last_node() {
    let boards = boards();
    let deep = [
        // Large enough that the records of the threads together exceed the limit of nodes.
        "Expectimax(plies: Fixed(7), cuts: [Reach(0.0005)])",
        "Expectimax(plies: Fixed(6), cuts: [Reach(0.005)])",
        "Expectimax(plies: Fixed(7), spawn: MeanOfMin, cuts: [ImportantCells(k: 2)])",
        "Minimax(plies: Fixed(6), dead: Zero, cuts: [Reach(0.005)])",
        "Minimax(plies: Fixed(7), cuts: [ImportantCells(k: 2), Reach(0.001)])",
        "Minimax(plies: Fixed(7), dead: Lost, cuts: [WorstSpawns])",
        // Deep enough that a piece is split again.
        "Expectimax(plies: Fixed(9), cuts: [ImportantCells(k: 1)])",
    ];

    // On a nearly empty board, symmetric images count as one.
    let empty = [
        "Expectimax(plies: Fixed(7), cuts: [ImportantCells(k: 1)])",
        "Expectimax(plies: Fixed(5), cuts: [Reach(0.01)])",
    ];
    let of_strong_play = LOOKAHEADS
        .iter()
        .chain(&deep)
        .enumerate()
        .map(|(n, search)| (n, search, boards[7 * n % 48]));
    let nearly_empty: Board = "0,0,0,0/0,0,0,0/0,4,0,0/0,0,0,2".parse().expect("a board");
    let on_empty = empty
        .iter()
        .enumerate()
        .map(|(n, search)| (n, search, nearly_empty));

    for (number, lookahead, board) in of_strong_play.chain(on_empty) {
        let board = &board;
        // Each search with two of these, in turn.
        let caps = [(2, 1 << 17), (3, 20_000), (3, 700), (7, 20)];
        for (cores, cap) in caps.into_iter().skip(number % 2).step_by(2) {
            let evaluator = ["Lines()", "Snake", "RankMonotonicity"][number % 3];
            let [one, several] =
                [1, cores].map(|cores| recorded(evaluator, lookahead, board, cores, cap));
            assert!(
                one == several,
                "{evaluator} {lookahead} on {board}: {cores} threads, {cap} nodes"
            );
        }
    }
}

#[test]
fn with_a_table_only_what_is_looked_up_differs() {
    let stop = CancelToken::new();
    for (evaluator, lookahead) in [
        (
            "Lines()",
            "Expectimax(plies: Fixed(5), dead: Zero, cuts: [Reach(0.001)])",
        ),
        ("Snake", "Expectimax(plies: Fixed(6), cuts: [Reach(0.01)])"),
        // Large enough that a piece restarts.
        ("Snake", "Expectimax(plies: Fixed(7))"),
    ] {
        let player = Player::new(&strategy(evaluator, lookahead), Rules::default());
        for board in boards().iter().step_by(8) {
            let tree = |cores, cap| {
                // As the window does it, and from the first piece on.
                let options = if cap == 900 {
                    SearchOptions::on_cores(&stop, cores)
                } else {
                    at_once(&stop, cores)
                };
                let decision = Decision::of(&player, (board, 0), |_| 0, options, cap);
                let searched = decision
                    .searches
                    .into_iter()
                    .next()
                    .flatten()
                    .expect("a search");
                (searched.nodes, searched.tree.expect("a tree"))
            };
            let (_, one) = tree(1, 1 << 20);
            for cap in [1 << 20, 900] {
                let (nodes, several) = tree(3, cap);
                assert!(
                    several.check().is_sound(),
                    "{lookahead} on {board}: {:?}",
                    several.check()
                );
                assert_eq!(nodes, several.counts.total() - several.counts.stubs());
                let values = |tree: &Tree| {
                    let children = tree.children(tree.root());
                    children
                        .map(|child| (tree.slide(child), tree.value(child).map(f64::to_bits)))
                        .collect::<Vec<_>>()
                };
                assert_eq!(values(&one), values(&several), "{lookahead} on {board}");
            }
        }
    }
}
