//! Why a line of a file is not a node of a record at its place.

use crate::evaluator::{EvaluatorError, ParseEvaluatorError};
use crate::game::{Board, ParseBoardError, ParseMoveError, RulesError, Size};
use crate::search::{LookaheadError, Rule};
use crate::words;

/// Each message is one sentence about the line. Those about the head begin with its key.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LineProblem {
    #[error("the file has no nodes")]
    NoNodes,
    #[error("it is longer than {0} bytes, too long for a node")]
    TooLong(u64),
    #[error("it ends in the middle of a node: write the file again, or copy it whole")]
    CutShort,
    #[error("this is not a node of a record: {0}")]
    NotANode(String),
    #[error("this is not JSON: {reason} at character {column}")]
    NotJson { reason: String, column: usize },

    #[error("the root has no head with the description of the search")]
    NoHead,
    #[error("the first line must be the root: id 0, parent null")]
    NotTheRoot,
    #[error("it has format {found}, but this program reads {supported}")]
    Format { found: u32, supported: u32 },
    #[error("the root has no board")]
    NoBoard,
    #[error("board: {0}")]
    Board(ParseBoardError),
    #[error("rules: {0}")]
    Rules(RulesError),
    #[error("rules: the size is {rules}, but the board is {board}")]
    Size { rules: Size, board: Size },
    #[error("evaluator: {0}; leave it out if it belongs to another program")]
    UnknownEvaluator(ParseEvaluatorError),
    #[error("evaluator: {0}")]
    Evaluator(EvaluatorError),
    #[error("lookahead: {0}")]
    Lookahead(LookaheadError),
    #[error("start: one ply must start with a choice")]
    OnePlyWithoutChoice,
    #[error("start: a record of samples must start with a choice")]
    SamplesWithoutChoice,
    #[error("a record of samples needs playouts in its head: write it again with this version")]
    NoPlayouts,
    #[error("playouts: a mean or spread is impossible")]
    Playouts,
    #[error("the root has no plies_left from 0 to {0}")]
    NoPlies(u32),
    #[error("the root is a choice, but plies_left is 0, so no move was searched")]
    NothingSearched,
    #[error("reach {0} is not a probability")]
    Reach(f64),
    #[error("tolerance {0} is not a number of 0 or more")]
    Tolerance(f64),
    #[error("asked is empty or has a move that is not legal on the board")]
    Asked,
    #[error("halved_from: {0}")]
    HalvedFrom(ParseBoardError),
    #[error("plies: {0} are too many for a record")]
    TooManyPlies(usize),
    #[error("plies: there is no rule {0}")]
    UnknownPlyRule(String),
    #[error("plies: {count} nodes by {rule} are too many for a record")]
    TooManyOfRule { rule: String, count: u64 },
    #[error("plies: a count is too large for a record")]
    PlyCount,
    #[error("plies: they count {head} nodes, but the root counts {root}")]
    PlySum { head: u64, root: u64 },
    #[error("plies: ply {ply} has {head} nodes by {}, but the file has {found}", .rule.export_name())]
    PlyRule {
        ply: usize,
        rule: Rule,
        head: u64,
        found: u64,
    },

    #[error(
        "id {found} is out of order, expected {expected}: nodes are numbered from 0, one per line"
    )]
    Id { found: u64, expected: u64 },
    #[error("it has no parent, but only the first line is the root")]
    NoParent,
    #[error("parent {0} is neither the previous node nor one above it")]
    Parent(u64),
    #[error("it is below node {0}, which ends the search")]
    BelowEnd(u64),
    #[error("it is below node {0}, where no ply is left")]
    BelowLastPly(u64),
    #[error("its move or spawn is impossible on the board above")]
    Impossible,
    #[error("its score is {found}, but its move or spawn gives {expected}")]
    Score { found: u64, expected: u64 },
    #[error("its board is not {0}, which its move or spawn gives")]
    OtherBoard(Board),
    #[error("order {0} is not larger than that of the previous node")]
    Order(u64),
    #[error("a record of more than {0} nodes is too large: write it with fewer")]
    TooManyNodes(usize),
    #[error("grafted: its plies or reach are impossible there")]
    Graft,
    #[error("samples: a mean or spread is impossible")]
    Samples,
    #[error("it has no value, but its rule is {}", .0.export_name())]
    NoValue(Rule),
    #[error("node {id} (line {line}) counts {below} nodes below it, but there are {found}")]
    Below {
        id: u32,
        line: u64,
        below: u64,
        found: u64,
    },
    #[error(
        "node {id} has the value of node {stored}, which was not searched to the same depth in the same search"
    )]
    Stored { id: u32, stored: u64 },

    #[error("there is no rule {}", words::quoted(.0))]
    UnknownRule(String),
    #[error("how: {} does not go with {place}", .rule.export_name())]
    Misplaced { rule: Rule, place: &'static str },
    #[error("it needs either move or spawn")]
    NoEdge,
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    #[error("a new tile must be 2 or 4, not {0}")]
    Tile(u64),
    #[error("the cell in row {row} and column {col}, counted from 0, is not on a {size} board")]
    Cell { row: u8, col: u8, size: Size },
    #[error("how: of must be cells or spawns")]
    RankedOf,
    #[error("how: rank and considered are missing")]
    NoRank,
    #[error("how: considered is 0, but at least one cell is considered")]
    NothingConsidered,
    #[error("bound {} is not exact, upper or lower", words::quoted(.0))]
    Bound(String),
}
