//! Terms of statistics over decisions and games.

use super::Term;

pub const REACHED: Term = Term::new(
    "Reached",
    "Decisions that reached this row",
    "The rows above it left two moves or more",
)
.formula("reached / decisions with a choice");

pub const DECIDED: Term = Term::new(
    "Decided",
    "Decisions in which this row left one move",
    "A row that never decides may still reject moves",
)
.formula("decided / decisions with a choice");

pub const PASSED: Term = Term::new(
    "Passed on a tie",
    "Decisions in which this row kept every move",
    "All moves tied or were within the tolerance, so the next row continued",
)
.formula("passed / decisions with a choice");

pub const MOVES_LEFT: Term = Term::new(
    "Moves left",
    "Mean number of moves that this row kept",
    "1 means that it always decides",
)
.formula("Σ kept / reached");

pub const PINNED: Term = Term::new(
    "Pinned positions",
    "Boards on which every edit is tried",
    "A position counts as changed if the set of moves left to the last resort differs",
)
.formula("changed / positions");

pub const COST: Term = Term::new(
    "Cost",
    "Time of a decision on one core of this machine",
    "Rows that search take nearly all of it",
)
.formula("moves per second = 1 / time of a decision");

pub const ECDF: Term = Term::new(
    "ECDF",
    "Empirical distribution: the share of the games with at most this score",
    "Farther right is better; the band contains the whole true curve in 95 of 100 runs",
)
.formula("F(x) = games with score ≤ x / n");

pub const LADDER: Term = Term::new(
    "Ladder",
    "The share of the games that reached each tile, with its interval",
    "One row per strategy, one column per tile; click a cell to list its games",
)
.formula("games with the tile / n");

pub const BOX: Term = Term::new(
    "Box",
    "The middle half of the games, with the median as a line",
    "Whiskers: 5 % to 95 %. Dots: the lowest and the highest score",
);

pub const DIFFERENCES: Term = Term::new(
    "Paired differences",
    "Difference of two strategies' scores on the same tiles, game by game",
    "Identical games are counted separately; the bar on the axis is the interval of the mean",
)
.formula("score − score of the baseline in the same game");

pub const NODES: Term = Term::new(
    "Nodes by empty cells",
    "Nodes searched for a decision, by the number of empty cells of the board",
    "A forced move has no nodes. The interval is over games: moves of one game are correlated",
)
.formula("nodes / decisions on boards with that many empty cells");

pub const SWEEP: Term = Term::new(
    "Sweep",
    "A strategy at several values of one or two settings, on the same seeds",
    "A line or a grid over the values; each point is a strategy, and a click lists its games",
);

pub const BASELINE: Term = Term::new(
    "Baseline",
    "The strategy that the others of an experiment are compared with",
    "The table shows each difference from it, with its interval",
)
.formula("difference = mean − mean of the baseline");

pub(super) const SAMPLES: [Term; 24] = [
    ECDF,
    LADDER,
    BOX,
    DIFFERENCES,
    NODES,
    SWEEP,
    BASELINE,
    REACHED,
    DECIDED,
    PASSED,
    MOVES_LEFT,
    Term::new(
        "Finding",
        "A property of a row that is valid but probably not intended",
        "Each finding has a position that shows it",
    ),
    PINNED,
    Term::new(
        "Same order",
        "Orders of the rows that no position has distinguished so far",
        "Not a proof: games on the same seeds confirm a group or split it",
    )
    .source("Kohler, Migler and Khosmood 2019"),
    COST,
    Term::new(
        "Agreement",
        "Decisions where two strategies choose from the same moves",
        "Strategies agree more in openings than in endings: compare the phases",
    )
    .formula("same / n"),
    Term::new(
        "Standard error",
        "The uncertainty of a mean due to chance",
        "A quarter of the error needs sixteen times as many games",
    )
    .formula("SE = SD / √n"),
    Term::new(
        "Standard deviation",
        "How far single games are from the mean",
        "A property of the strategy, not of the number of games",
    )
    .formula("SD = √(Σ (x − mean)² / (n − 1))"),
    Term::new(
        "Median",
        "Half of the games score less, half more",
        "A few very good games change it less than the \
        mean",
    ),
    Term::new(
        "95 % interval",
        "In 95 of 100 such experiments, it contains the true mean",
        "Means whose intervals overlap widely show no difference",
    )
    .formula("mean ± t · SE"),
    Term::new(
        "Valid at any time",
        "An interval that is correct at every moment of a run, and after a stop",
        "The same width as at a planned end needs 2.4 times as many games; 2.8 to 3.5 with a rule",
    )
    .formula("mean ± SE · √(2 (tρ²+1)/(tρ²) · ln(√(tρ²+1) / 0.05))")
    .source("Waudby-Smith and others 2021"),
    Term::new(
        "Verdict",
        "Whether games differ from a published number: p ≤ 0.05, corrected for all tests shown",
        "Compatible: the interval of the difference is within 10 %, or 10 points for a share",
    )
    .source("Welch 1947, Newcombe 1998, Bonett 2006, Holm 1979"),
    Term::new(
        "Reach rate",
        "Share of the games that reached a tile",
        "The usual measure of strong strategies",
    )
    .formula("games with the tile / n"),
    Term::new(
        "Wilson interval",
        "Interval of a share, also correct near 0 and 1",
        "0 of 100 games: the true share may still be 3.7 %",
    )
    .formula("(p + z²/2n ± z√(p(1−p)/n + z²/4n²)) / (1 + z²/n)")
    .source("Wilson 1927"),
];
