//! Terms of searches and their records.

use super::Term;

pub const ONE_PLY: Term = Term::new(
    "One ply",
    "The afterstate itself is evaluated: one move, no spawn",
    "The cheapest lookahead, below a microsecond",
)
.formula("value = e(afterstate)")
.source("Kohler, Migler and Khosmood 2019");

pub const EXPECTIMAX: Term = Term::new(
    "Expectimax",
    "The best move at the player’s turns, the mean of the spawns between",
    "Plays for the average of all spawns, as the game draws them, and looks at each",
)
.formula("chance = Σ p · value of the board after the spawn")
.source("Fried, Goldberger and Gavorova, 2048 solver; Tutorial");

pub const MINIMAX: Term = Term::new(
    "Minimax",
    "The best move at the player’s turns, the worst spawn between",
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

pub const MONTE_CARLO: Term = Term::new(
    "Monte Carlo",
    "Games played on from every move, the same number each: their mean counts",
    "All moves get the same spawns, so that differences are surer than the means",
)
.formula("value = mean of the playouts ± standard error")
.source("Ronenz, Stack Overflow 2014; Rodgers and Levine 2014");

pub const AVERAGED_SEARCH: Term = Term::new(
    "Averaged search",
    "Searches by depth in which chance has drawn the spawns, averaged",
    "Seeing the spawns it plans for, its mean is above the expectimax as deep",
)
.formula("value = mean over draws of the best line")
.source("Rodgers and Levine 2014, our reading");

pub const MCTS: Term = Term::new(
    "MCTS",
    "A tree that grows by playouts, the more where results were good",
    "The value of a node is the mean of all playouts through it, with no known error",
)
.formula("UCT: largest mean + c σ √(ln N / n) first")
.source("Kocsis and Szepesvári 2006; Rodgers and Levine 2014");

pub const UCB: Term = Term::new(
    "UCB",
    "What decides which move is tried next: its mean, and how unsure that is",
    "σ is the deviation of the results at the node above, so that c has no unit",
)
.formula("mean + c · σ · √(ln N / n)")
.source("Auer, Cesa-Bianchi and Fischer 2002");

pub const CLOSED_LOOP: Term = Term::new(
    "Closed and open loop",
    "Closed: a node for each board. Open: one for each sequence of moves",
    "An open loop averages over the spawns in between and grows deeper",
);

pub const PLAYOUT: Term = Term::new(
    "Playout",
    "A game played on from a position by a simple policy",
    "What is drawn depends on the board and the seed of the row alone",
);

pub const PLAYOUT_POLICY: Term = Term::new(
    "Playout policy",
    "Who makes the moves of playouts: chance, or a strategy that does not sample",
    "Better moves are slower, and need not choose better",
);

pub const PLAYOUT_WORTH: Term = Term::new(
    "Worth of a playout",
    "What its last position is worth: evaluator, points, or 1 for a tile",
    "With 1 for a tile the mean is the share of playouts that make it",
);

pub const UNTIL_SURE: Term = Term::new(
    "Until sure",
    "Ends once it is sure of the best move, however often it has looked",
    "Wrong at most as often as a normal number is so many errors off: 4.6 % at 2",
)
.formula("0 outside the sequence of best − other, for every other move")
.source("Waudby-Smith and others 2021");

pub const SAMPLE_SEED: Term = Term::new(
    "Seed of samples",
    "Another seed draws other playouts; the same one draws the same on a board",
    "In games, in the window and on the command line alike",
);

pub const VISITS: Term = Term::new(
    "Visits",
    "How many samples went through a node",
    "Their mean is its value; a standard error has only what no tree grew by",
)
.formula("SE = σ / √n");

pub const PLIES: Term = Term::new(
    "Depth in plies",
    "How many moves and spawns are looked ahead",
    "Even depths end at boards to move, odd ones at afterstates",
)
.formula("one more ply: some 10 times the work");

pub const DEPTHS: Term = Term::new(
    "At every depth",
    "What the strategy decides at each value of one of its numbers",
    "Nothing is said of values not tried, nor of depths that a limit ended the search before",
)
.formula("changes: no move in common with the value before");

pub const BEST_PLAY: Term = Term::new(
    "Best play",
    "What happens if every move is the one the search values most",
    "A line is one way the tiles may come; a second search finds all, whatever the record holds",
)
.formula("value of a move = Σ weight · value at the end of each line");

pub const BY_EMPTY: Term = Term::new(
    "Depth by empty cells",
    "Deeper when the board is full: the first pair that applies",
    "(at least so many empty cells, plies), from many to few",
)
.formula("plies = first pair with empty ≥ n")
.source("Fried, Goldberger and Gavorova, 2048 solver; suggested by the Tutorial");

pub const BY_DISTINCT: Term = Term::new(
    "Depth by distinct tiles",
    "Deeper the more different tiles are on the board",
    "So many moves of the player after the first",
)
.formula("plies = 2 · clamp(distinct + offset) + 1")
.source("Xiao, nneonneo/2048-ai; suggested by the Tutorial");

pub const LIMIT_TIME: Term = Term::new(
    "Limit in time",
    "Deepens ply by ply until so many milliseconds are over",
    "Not reproducible: it depends on the machine. What is shown is as deep as in a game",
);

pub const DOWNGRADE: Term = Term::new(
    "Tile-downgrading",
    "From this tile on, tiles above the highest missing one are halved before the search",
    "Networks have learnt little of large tiles. The slide is made on the real board",
)
.source("Guei, Chen and Wu 2021; the rule of TDL2048+");

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
.source("Sum: Tutorial; least cell: our reading of the Course paper");

pub const DEAD_BOARD: Term = Term::new(
    "Dead board",
    "What a board without a legal move is worth",
    "As the evaluator says, or 0 with negative bests raised to 0",
)
.formula("e(board) or 0")
.source("0: Tutorial; Xiao, nneonneo/2048-ai");

pub const REACH_CUT: Term = Term::new(
    "Reach cut",
    "Afterstates that are hardly ever reached are evaluated where they stand",
    "The probability is the product of the spawns on the way",
)
.formula("Π p < threshold")
.source("Tutorial; Xiao, nneonneo/2048-ai, with 0.0001");

pub const IMPORTANT_CELLS: Term = Term::new(
    "Important cells",
    "Spawns are considered only on the cells of largest weight",
    "Fewer the nearer the end of the search; the rest is not looked at",
)
.formula("min(levels left, empty cells, k)")
.source("Course paper");

pub const WORST_SPAWNS: Term = Term::new(
    "Worst spawns",
    "The opponent of a minimax chooses among the spawns that look worst",
    "Islands of equal tiles less smoothness, before anything is searched",
)
.formula("largest islands − smoothness")
.source("ovolve, 2048-AI");

pub const STATIC_VALUE: Term = Term::new(
    "Static value",
    "What the evaluator says of a board as it stands, without a search",
    "A search backs up those of its leaves: the difference is what looking ahead adds",
);

pub const SELF_CHECK: Term = Term::new(
    "Self-check",
    "Every value of a recorded search, computed once more from plain definitions",
    "A node is found right if both agree; what rests on unrecorded nodes does not count",
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
        "Remembers boards that were searched already",
        "Values do not depend on it; it saves time only",
    ),
    Term::new(
        "Max node",
        "A board to move: the best of its moves counts",
        "Drawn as a house with its peak up, letter M",
    )
    .formula("max over legal moves"),
    Term::new("Chance node", "An afterstate: its spawns are averaged", "Drawn as a circle, letter C")
        .formula("Σ p · value"),
    Term::new(
        "Min node",
        "An afterstate where the worst spawn counts",
        "Drawn as a house with its peak down, letter N",
    )
    .formula("min over spawns"),
    Term::new(
        "Principal variation",
        "The line of best moves and the spawns between them",
        "Which spawn stands on it, the median or the likeliest, can be chosen",
    ),
];
