//! The suites of `bench`.

use super::Failure;
use crate::game::Board;
use crate::network::Update;

pub(super) enum Work {
    /// Whole games of a strategy, one after another, for the time of a suite.
    Games(&'static str),
    /// One decision on each of the boards of `assets/boards48.txt`, repeated for the time of a suite.
    Boards(&'static str),
    /// [`TRAINED`] games of learning from zero, with a network of this shape and this rule at its usual rate.
    Training(&'static str, Update),
    /// Games of the shipped network at one ply, as in a batch, for the time of a suite.
    Greedy,
}

/// Games that a training plays: as many as TDL2048+ is asked for in the comparison of CONTRIBUTING.md.
pub(super) const TRAINED: u64 = 20_000;

/// Like `nneonneo/2048-ai`, with a fixed depth and with its own depth rule.
macro_rules! xiao {
    ($plies:literal) => {
        concat!(
            "(criteria: [(evaluator: Lines(), lookahead: Expectimax(plies: ",
            $plies,
            ", dead: Zero, cuts: [Reach(0.0001)]))], last_resort: First)"
        )
    };
}

pub(super) const SUITES: &[(&str, Work)] = &[
    ("random_games", Work::Games("r")),
    ("emr_games", Work::Games("emr")),
    ("expectimax_3", Work::Games(xiao!("Fixed(3)"))),
    ("expectimax_5", Work::Games(xiao!("Fixed(5)"))),
    ("expectimax_7", Work::Games(xiao!("Fixed(7)"))),
    ("xiao", Work::Boards(xiao!("ByDistinct()"))),
    (
        "alpha_beta_4",
        Work::Games(
            "(criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))], last_resort: First)",
        ),
    ),
    (
        "snake_4",
        Work::Games(
            "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4)))], last_resort: First)",
        ),
    ),
    ("train_4x6", Work::Training("4x6patt", Update::Tc)),
    ("train_4x6_td", Work::Training("4x6patt", Update::Td)),
    ("greedy_4x6", Work::Greedy),
];

/// Positions of strong play.
pub(super) fn boards48() -> Result<Vec<Board>, Failure> {
    /// One hexadecimal digit for each rank, in reading order.
    const BOARDS: &str = include_str!("../../assets/boards48.txt");
    let board = |digits: &str| {
        Board::of_digits(digits).ok_or_else(|| Failure::could(format!("{digits} is not a board")))
    };
    BOARDS.split_whitespace().map(board).collect()
}
