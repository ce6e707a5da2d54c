//! Words of searches.

use super::Term;
use crate::search::Lookahead;

pub const ONE_PLY: Term = Term::new(
    "One ply",
    "The afterstate itself is evaluated: one slide, no spawn",
    "The cheapest lookahead, below a microsecond",
)
.formula("value = e(afterstate)")
.source("Kohler, Migler and Khosmood 2019");

pub const EXPECTIMAX: Term = Term::new(
    "Expectimax",
    "The best slide at the player’s turns, the mean of the spawns between",
    "Right when chance is chance; every spawn has to be looked at",
)
.formula("chance = Σ p · value of the board after the spawn")
.source("Fried, Goldberger and Gavorova, 2048 solver; Tutorial");

pub const MINIMAX: Term = Term::new(
    "Minimax",
    "The best slide at the player’s turns, the worst spawn between",
    "Too careful for a game of chance, but bounds allow cuts",
)
.formula("min over cells and tiles")
.source("Fried, Goldberger and Gavorova, 2048 solver; Course paper");

pub const ALPHA_BETA: Term = Term::new(
    "Alpha-beta",
    "Minimax without the branches that cannot change the choice",
    "Same move as minimax; values of other moves may be bounds",
)
.formula("cut when α ≥ β")
.source("Fried, Goldberger and Gavorova, 2048 solver");

pub const PLIES: Term = Term::new(
    "Depth in plies",
    "How many slides and spawns are looked ahead",
    "Even depths end at boards to move, odd ones at afterstates",
)
.formula("one more ply: some 10 times the work");

pub const BY_EMPTY: Term = Term::new(
    "Depth by empty cells",
    "Deeper when the board is full: the first pair that applies",
    "(at least so many empty cells, plies), from many to few",
)
.formula("plies = first pair with empty ≥ n")
.source("Fried, Goldberger and Gavorova, 2048 solver; Molla, Garen, Ripoll and Beckhauser 2025");

pub const BY_DISTINCT: Term = Term::new(
    "Depth by distinct tiles",
    "Deeper the more different tiles are on the board",
    "So many moves of the player after the first",
)
.formula("plies = 2 · clamp(distinct + offset) + 1")
.source("Tutorial; constants of Xiao, nneonneo/2048-ai");

pub const LIMIT_TIME: Term = Term::new(
    "Limit in time",
    "Deepens ply by ply until so many milliseconds are over",
    "Not reproducible: it depends on the machine",
);

pub const LIMIT_NODES: Term = Term::new(
    "Limit in nodes",
    "Deepens ply by ply until so many nodes are searched",
    "Reproducible: the same nodes on every machine",
);

pub const SPAWN_NODE: Term = Term::new(
    "Spawn node",
    "What a node of chance is worth",
    "Mean of all spawns, their sum over cells, or the least cell",
)
.formula("Σ over cells ((1 − p4)·v₂ + p4·v₄) / cells")
.source("Sum: Tutorial; least cell: Course paper");

pub const DEAD_BOARD: Term = Term::new(
    "Dead board",
    "What a board without a legal slide is worth",
    "As the evaluator says, or 0 with negative bests raised to 0",
)
.formula("e(board) or 0")
.source("Tutorial; constants of Xiao, nneonneo/2048-ai");

pub const REACH_CUT: Term = Term::new(
    "Reach cut",
    "Afterstates that are hardly ever reached are evaluated where they stand",
    "The probability is the product of the spawns on the way",
)
.formula("Π p < threshold")
.source("Tutorial; constants of Xiao, nneonneo/2048-ai");

pub const IMPORTANT_CELLS: Term = Term::new(
    "Important cells",
    "Spawns are considered only on the cells of largest weight",
    "Fewer the nearer the end of the search; the rest is not looked at",
)
.formula("min(levels left, empty cells, k)")
.source("Course paper");

pub const TABLE: Term = Term::new(
    "Transposition table",
    "Remembers boards that were searched already",
    "Values do not depend on it; it saves time only",
);

pub const MAX_NODE: Term = Term::new(
    "Max node",
    "A board to move: the best of its slides counts",
    "Drawn as a house with its peak up, letter M",
)
.formula("max over legal slides");

pub const CHANCE_NODE: Term =
    Term::new("Chance node", "An afterstate: its spawns are averaged", "Drawn as a circle, letter C")
        .formula("Σ p · value");

pub const MIN_NODE: Term = Term::new(
    "Min node",
    "An afterstate where the worst spawn counts",
    "Drawn as a house with its peak down, letter N",
)
.formula("min over spawns");

pub const PRINCIPAL_VARIATION: Term = Term::new(
    "Principal variation",
    "The line of best slides and the spawns between them",
    "Which spawn stands on it, the median or the likeliest, can be chosen",
);

/// In the order in which one explains the next.
pub(super) const TERMS: [Term; 18] = [
    ONE_PLY,
    EXPECTIMAX,
    MINIMAX,
    ALPHA_BETA,
    PLIES,
    BY_EMPTY,
    BY_DISTINCT,
    LIMIT_TIME,
    LIMIT_NODES,
    SPAWN_NODE,
    DEAD_BOARD,
    REACH_CUT,
    IMPORTANT_CELLS,
    TABLE,
    MAX_NODE,
    CHANCE_NODE,
    MIN_NODE,
    PRINCIPAL_VARIATION,
];

/// What there is to say about a lookahead.
pub fn of_lookahead(lookahead: &Lookahead) -> &'static Term {
    match lookahead {
        Lookahead::OnePly => &ONE_PLY,
        _ if lookahead.has_window() => &ALPHA_BETA,
        _ if lookahead.is_minimax() => &MINIMAX,
        Lookahead::DepthLimited(_) => &EXPECTIMAX,
    }
}
