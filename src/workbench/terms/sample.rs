//! Words of many decisions and many games.

use super::Term;

/// Reached.
pub const REACHED: Term = Term {
    name: "Reached",
    lines: ["Decisions that came as far as this row", "Rows above had left two moves or more"],
    formula: "reached / decisions with a choice",
    source: "",
};

/// Decided.
pub const DECIDED: Term = Term {
    name: "Decided",
    lines: ["Decisions that this row ended: it left one move", "What it is for; a row that never decides only narrows"],
    formula: "decided / decisions with a choice",
    source: "",
};

/// Passed on a tie.
pub const PASSED: Term = Term {
    name: "Passed on a tie",
    lines: ["Decisions where this row kept every move it saw", "It could not tell them apart, the next row had to"],
    formula: "passed / decisions with a choice",
    source: "",
};

/// Moves left.
pub const MOVES_LEFT: Term = Term {
    name: "Moves left",
    lines: ["Mean number of moves that this row kept", "1 means that it decides whenever it is asked"],
    formula: "Σ kept / reached",
    source: "",
};

/// Finding.
pub const LINT: Term = Term {
    name: "Finding",
    lines: ["Something that can be played and is probably not meant", "Each comes with a position that shows it"],
    formula: "",
    source: "",
};

/// Pinned positions.
pub const PINNED: Term = Term {
    name: "Pinned positions",
    lines: [
        "Boards on which an edit is tried before it is made",
        "A change counts when the set of moves to choose from differs",
    ],
    formula: "changed / positions",
    source: "",
};

/// Same order.
pub const SAME_ORDER: Term = Term {
    name: "Same order",
    lines: [
        "Orders of the rows that decide alike on every sampled position",
        "They are confirmed by identical games on shared seeds",
    ],
    formula: "",
    source: "Kohler, Migler and Khosmood 2019",
};

/// Cost.
pub const COST: Term = Term {
    name: "Cost",
    lines: ["Time of a decision on one core of this machine", "Rows that search take it nearly all"],
    formula: "moves a second = 1 / time of a decision",
    source: "",
};

/// Agreement.
pub const AGREEMENT: Term = Term {
    name: "Agreement",
    lines: [
        "Decisions where two strategies choose from the same moves",
        "Openings agree more than ends: look at the phases",
    ],
    formula: "same / n",
    source: "",
};

/// Ranked against weighted.
pub const WEIGHING: Term = Term {
    name: "Ranked against weighted",
    lines: [
        "Weights of a Sum that chooses as the list of rows does",
        "Learned on one half of the sample, tested on the other",
    ],
    formula: "agreed / n of the other half",
    source: "",
};

/// Mean ± standard error.
pub const MEAN: Term = Term {
    name: "Mean ± standard error",
    lines: [
        "The average score, and how far off it may be by chance",
        "A quarter of the error takes sixteen times the games",
    ],
    formula: "SE = SD / √n",
    source: "",
};

/// Standard deviation.
pub const SD: Term = Term {
    name: "Standard deviation",
    lines: ["How far single games lie from the mean", "A property of the strategy, not of the number of games"],
    formula: "SD = √(Σ (x − mean)² / (n − 1))",
    source: "",
};

/// Median.
pub const MEDIAN: Term = Term {
    name: "Median",
    lines: ["Half of the games score less, half more", "Less moved by a few very good games than the mean"],
    formula: "",
    source: "",
};

/// 95 % interval.
pub const INTERVAL: Term = Term {
    name: "95 % interval",
    lines: ["The mean lies in it for 95 of 100 such experiments", "Two that overlap widely are not distinguishable"],
    formula: "mean ± t · SE",
    source: "",
};

/// Reach rate.
pub const REACH_RATE: Term = Term {
    name: "Reach rate",
    lines: ["Share of the games that made a tile", "The usual measure of strong strategies"],
    formula: "games with the tile / n",
    source: "",
};

/// Wilson interval.
pub const WILSON: Term = Term {
    name: "Wilson interval",
    lines: ["Interval of a share that is right near 0 and 1, too", "Nothing in 100 games still may be 3.7 % of all"],
    formula: "(p + z²/2n ± z√(p(1−p)/n + z²/4n²)) / (1 + z²/n)",
    source: "Wilson 1927",
};

/// In the order in which one explains the next.
pub(super) const TERMS: [Term; 16] = [
    REACHED, DECIDED, PASSED, MOVES_LEFT, LINT, PINNED, SAME_ORDER, COST, AGREEMENT, WEIGHING, MEAN, SD, MEDIAN,
    INTERVAL, REACH_RATE, WILSON,
];
