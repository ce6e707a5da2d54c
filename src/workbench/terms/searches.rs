//! Terms of searches and their records.

use super::Term;

pub const ONE_PLY: Term = Term::new(
    "One ply",
    "The afterstate itself is evaluated: one move, no spawn",
    "The fastest lookahead, below a microsecond",
)
.formula("value = e(afterstate)")
.source("Kohler, Migler and Khosmood 2019");

pub const EXPECTIMAX: Term = Term::new(
    "Expectimax",
    "The best move at the player's turns, the mean of the spawns between",
    "Searches every spawn and weights it by its probability",
)
.formula("chance = Σ p · value of the board after the spawn")
.source("Fried, Goldberger and Gavorova, 2048 solver; Tutorial");

pub const MINIMAX: Term = Term::new(
    "Minimax",
    "The best move at the player's turns, the worst spawn between",
    "Too pessimistic for a game of chance, but alpha-beta can cut branches",
)
.formula("min over cells and tiles")
.source("Fried, Goldberger and Gavorova, 2048 solver; Course paper");

pub const ALPHA_BETA: Term = Term::new(
    "Alpha-beta",
    "Minimax without the branches that cannot change the choice",
    "Chooses the same move as minimax; values of other moves may be bounds",
)
.formula("cut when α ≥ β")
.source("Fried, Goldberger and Gavorova, 2048 solver");

pub const MONTE_CARLO: Term = Term::new(
    "Monte Carlo",
    "The mean of games played from each move, the same number for each",
    "All moves get the same spawns, so differences are more precise than means",
)
.formula("value = mean of the playouts ± standard error")
.source("Ronenz, Stack Overflow 2014; Rodgers and Levine 2014");

pub const AVERAGED_SEARCH: Term = Term::new(
    "Averaged search",
    "The average of searches by depth, each with its spawns drawn in advance",
    "Each search knows its spawns, so the mean is above expectimax of the same depth",
)
.formula("value = mean over draws of the best line")
.source("Rodgers and Levine 2014, our reading");

pub const MCTS: Term = Term::new(
    "MCTS",
    "A tree that grows by playouts, mostly where results were good",
    "The value of a node is the mean of all playouts through it; its error is unknown",
)
.formula("UCT: largest mean + c σ √(ln N / n) first")
.source("Kocsis and Szepesvári 2006; Rodgers and Levine 2014");

pub const UCB: Term = Term::new(
    "UCB",
    "Decides which move is tried next: its mean plus a bonus for few visits",
    "σ is the standard deviation of the results at the node above, so c has no unit",
)
.formula("mean + c · σ · √(ln N / n)")
.source("Auer, Cesa-Bianchi and Fischer 2002");

pub const CLOSED_LOOP: Term = Term::new(
    "Closed and open loop",
    "Closed: one node per board. Open: one node per sequence of moves",
    "An open loop averages over the spawns in between and grows deeper",
);

pub const PLAYOUT: Term = Term::new(
    "Playout",
    "A game that a simple policy plays from a position",
    "Its tiles depend only on the board and the seed of the row",
);

pub const PLAYOUT_POLICY: Term = Term::new(
    "Playout policy",
    "Chooses the moves of playouts: at random, or by a strategy that does not sample",
    "A better policy is slower, and does not always lead to better decisions",
);

pub const PLAYOUT_WORTH: Term = Term::new(
    "Playout value",
    "The value of its last position: the evaluator, the points, or 1 for a tile",
    "With 1 for a tile, the mean is the share of playouts that reach it",
);

pub const UNTIL_SURE: Term = Term::new(
    "Until sure",
    "Stops when the best move is certain enough; looking often does not weaken the bound",
    "The error probability is that of this many standard errors: 4.6 % at 2",
)
.formula("0 outside the sequence of best − other, for every other move")
.source("Waudby-Smith and others 2021");

pub const SAMPLE_SEED: Term = Term::new(
    "Seed of the samples",
    "The same seed draws the same playouts on a board",
    "This holds in games, in the window and on the command line",
);

pub const VISITS: Term = Term::new(
    "Visits",
    "The number of samples through a node",
    "Their mean is its value; a growing tree has no standard error",
)
.formula("SE = σ / √n");

pub const PLIES: Term = Term::new(
    "Depth in plies",
    "The number of moves and spawns to look ahead",
    "Even depths end at boards to move, odd depths at afterstates",
)
.formula("one more ply: about 10 times the work");

pub const DEPTHS: Term = Term::new(
    "At every depth",
    "The decision of the strategy at each value of one of its settings",
    "It covers only the values tried, and only depths that the search reached",
)
.formula("changes: no move in common with the value before");

pub const BEST_PLAY: Term = Term::new(
    "Best play",
    "The continuation if every move is the one with the best value",
    "A line is one sequence of tiles; a second search finds all, even if not recorded",
)
.formula("value of a move = Σ weight · value at the end of each line");

pub const BY_EMPTY: Term = Term::new(
    "Depth by empty cells",
    "Deeper when the board is fuller: the first pair that applies",
    "Pairs of (minimum of empty cells, plies), from many empty cells to few",
)
.formula("plies = first pair with empty ≥ n")
.source("Fried, Goldberger and Gavorova, 2048 solver; suggested by the Tutorial");

pub const BY_DISTINCT: Term = Term::new(
    "Depth by distinct tiles",
    "Deeper when more different tiles are on the board",
    "The number of moves of the player after the first one",
)
.formula("plies = 2 · clamp(distinct + offset) + 1")
.source("Xiao, nneonneo/2048-ai; suggested by the Tutorial");

pub const LIMIT_TIME: Term = Term::new(
    "Time limit",
    "Searches one ply deeper at a time, until the time is over",
    "Not reproducible: it depends on the machine. The tree has the depth of the decision",
);

pub const DOWNGRADE: Term = Term::new(
    "Tile-downgrading",
    "From this tile on, tiles above the highest missing one are halved before the search",
    "Networks know little about large tiles. The move is made on the real board",
)
.source("Guei, Chen and Wu 2021; the rule of TDL2048+");

pub const LIMIT_NODES: Term = Term::new(
    "Node limit",
    "Searches one ply deeper at a time, until this many nodes are searched",
    "Reproducible: the same nodes on every machine",
);

pub const SPAWN_NODE: Term = Term::new(
    "Spawn node",
    "The value of a chance node",
    "The mean of all spawns, their sum over cells, or the worst cell",
)
.formula("Σ over cells ((1 − p4)·v₂ + p4·v₄) / cells")
.source("Sum: Tutorial; least cell: our reading of the Course paper");

pub const DEAD_BOARD: Term = Term::new(
    "Dead board",
    "The value of a board without a legal move",
    "The value of the evaluator, or 0; with 0, negative best values also count as 0",
)
.formula("e(board) or 0")
.source("0: Tutorial; Xiao, nneonneo/2048-ai");

pub const REACH_CUT: Term = Term::new(
    "Reach cut",
    "Improbable afterstates are evaluated without further search",
    "The probability is the product of those of the spawns on the way",
)
.formula("Π p < threshold")
.source("Tutorial; Xiao, nneonneo/2048-ai, with 0.0001");

pub const IMPORTANT_CELLS: Term = Term::new(
    "Important cells",
    "Spawns are searched only on the cells of largest weight",
    "Fewer cells near the end of the search; spawns on other cells are left out",
)
.formula("min(levels left, empty cells, k)")
.source("Course paper");

pub const WORST_SPAWNS: Term = Term::new(
    "Worst spawns",
    "Minimax searches only the spawns that look worst",
    "Worst before a search: many islands of equal tiles, little smoothness",
)
.formula("largest islands − smoothness")
.source("ovolve, 2048-AI");

pub const STATIC_VALUE: Term = Term::new(
    "Static value",
    "The evaluator's value of a board, without a search",
    "A search backs up the values of its leaves; the difference is what lookahead adds",
);

pub const SELF_CHECK: Term = Term::new(
    "Self-check",
    "Recomputes every value of a recorded search from its plain definition",
    "A node is verified if both agree; nodes that depend on unrecorded ones do not count",
);

pub(super) const SEARCHES: [Term; 35] = [
    STATIC_VALUE,
    SELF_CHECK,
    ONE_PLY,
    EXPECTIMAX,
    MINIMAX,
    ALPHA_BETA,
    MONTE_CARLO,
    AVERAGED_SEARCH,
    MCTS,
    UCB,
    CLOSED_LOOP,
    PLAYOUT,
    PLAYOUT_POLICY,
    PLAYOUT_WORTH,
    UNTIL_SURE,
    SAMPLE_SEED,
    VISITS,
    PLIES,
    DEPTHS,
    BEST_PLAY,
    BY_EMPTY,
    BY_DISTINCT,
    LIMIT_TIME,
    LIMIT_NODES,
    DOWNGRADE,
    SPAWN_NODE,
    DEAD_BOARD,
    REACH_CUT,
    IMPORTANT_CELLS,
    WORST_SPAWNS,
    Term::new(
        "Transposition table",
        "Stores the values of searched boards",
        "Values do not depend on it; it only saves time",
    ),
    Term::new(
        "Max node",
        "A board to move: its value is that of its best move",
        "Drawn as a house with its peak up, letter M",
    )
    .formula("max over legal moves"),
    Term::new(
        "Chance node",
        "An afterstate: its value is the mean of its spawns",
        "Drawn as a circle, letter C",
    )
    .formula("Σ p · value"),
    Term::new(
        "Min node",
        "An afterstate: its value is that of its worst spawn",
        "Drawn as a house with its peak down, letter N",
    )
    .formula("min over spawns"),
    Term::new(
        "Chosen line",
        "The best moves from the root, with one spawn at each chance node",
        "You can choose the spawn: the likeliest, the median or the one played",
    ),
];
