//! Words of many decisions and many games.

use super::Term;

pub const REACHED: Term =
    Term::new("Reached", "Decisions that came as far as this row", "Rows above had left two moves or more")
        .formula("reached / decisions with a choice");

pub const DECIDED: Term = Term::new(
    "Decided",
    "Decisions that this row ended: it left one move",
    "What it is for; a row that never decides only narrows",
)
.formula("decided / decisions with a choice");

pub const PASSED: Term = Term::new(
    "Passed on a tie",
    "Decisions where this row kept every move it saw",
    "It could not tell them apart, the next row had to",
)
.formula("passed / decisions with a choice");

pub const MOVES_LEFT: Term =
    Term::new("Moves left", "Mean number of moves that this row kept", "1 means that it decides whenever it is asked")
        .formula("Σ kept / reached");

pub const LINT: Term = Term::new(
    "Finding",
    "Something that can be played and is probably not meant",
    "Each comes with a position that shows it",
);

pub const PINNED: Term = Term::new(
    "Pinned positions",
    "Boards on which an edit is tried before it is made",
    "A change counts when the set of moves to choose from differs",
)
.formula("changed / positions");

pub const SAME_ORDER: Term = Term::new(
    "Same order",
    "Orders of the rows that decide alike on every sampled position",
    "They are confirmed by identical games on shared seeds",
)
.source("Kohler, Migler and Khosmood 2019");

pub const COST: Term =
    Term::new("Cost", "Time of a decision on one core of this machine", "Rows that search take it nearly all")
        .formula("moves a second = 1 / time of a decision");

pub const AGREEMENT: Term = Term::new(
    "Agreement",
    "Decisions where two strategies choose from the same moves",
    "Openings agree more than ends: look at the phases",
)
.formula("same / n");

pub const WEIGHING: Term = Term::new(
    "Ranked against weighted",
    "Weights of a Sum that chooses as the list of rows does",
    "Learned on one half of the sample, tested on the other",
)
.formula("agreed / n of the other half");

pub const MEAN: Term = Term::new(
    "Mean ± standard error",
    "The average score, and how far off it may be by chance",
    "A quarter of the error takes sixteen times the games",
)
.formula("SE = SD / √n");

pub const SD: Term = Term::new(
    "Standard deviation",
    "How far single games lie from the mean",
    "A property of the strategy, not of the number of games",
)
.formula("SD = √(Σ (x − mean)² / (n − 1))");

pub const MEDIAN: Term =
    Term::new("Median", "Half of the games score less, half more", "Less moved by a few very good games than the mean");

pub const INTERVAL: Term = Term::new(
    "95 % interval",
    "The mean lies in it for 95 of 100 such experiments",
    "Two that overlap widely are not distinguishable",
)
.formula("mean ± t · SE");

pub const REACH_RATE: Term =
    Term::new("Reach rate", "Share of the games that made a tile", "The usual measure of strong strategies")
        .formula("games with the tile / n");

pub const WILSON: Term = Term::new(
    "Wilson interval",
    "Interval of a share that is right near 0 and 1, too",
    "Nothing in 100 games still may be 3.7 % of all",
)
.formula("(p + z²/2n ± z√(p(1−p)/n + z²/4n²)) / (1 + z²/n)")
.source("Wilson 1927");

/// In the order in which one explains the next.
pub(super) const TERMS: [Term; 16] = [
    REACHED, DECIDED, PASSED, MOVES_LEFT, LINT, PINNED, SAME_ORDER, COST, AGREEMENT, WEIGHING, MEAN, SD, MEDIAN,
    INTERVAL, REACH_RATE, WILSON,
];
