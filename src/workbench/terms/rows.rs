//! Words of a strategy: its rows, and what they are made of.

use super::Term;
use crate::evaluator::Evaluator;

/// Criterion.
pub const CRITERION: Term = Term {
    name: "Criterion",
    lines: [
        "One row: an evaluator, a lookahead, a direction and a tolerance",
        "It gives each move that is left a value and keeps the best",
    ],
    formula: "kept = {m : best − value(m) ≤ ε}",
    source: "Rows in order: Kohler, Migler and Khosmood 2019",
};

/// Elimination.
pub const ELIMINATION: Term = Term {
    name: "Elimination",
    lines: ["A row strikes out the moves it does not keep", "The next row sees only what is left, until one move is"],
    formula: "",
    source: "Kohler, Migler and Khosmood 2019",
};

/// Prefer.
pub const PREFER: Term = Term {
    name: "Prefer",
    lines: ["Whether high or low values are good", "Lower turns the row around: the least value is kept"],
    formula: "best = max or min of the values",
    source: "",
};

/// Tolerance ε.
pub const TOLERANCE: Term = Term {
    name: "Tolerance ε",
    lines: ["How far from the best a value may lie and still be kept", "0 keeps ties only; in units of the evaluator"],
    formula: "kept if |best − value| ≤ ε",
    source: "",
};

/// On and off.
pub const OFF: Term = Term {
    name: "On and off",
    lines: [
        "A row that is off is not asked, as if it were not there",
        "Its settings stay, so that it can be tried with and without",
    ],
    formula: "",
    source: "",
};

/// Last resort.
pub const LAST_RESORT: Term = Term {
    name: "Last resort",
    lines: [
        "What chooses when every row has kept more than one move",
        "Random draws from the game’s own stream; First takes up, down, left, right",
    ],
    formula: "",
    source: "Kohler, Migler and Khosmood 2019; Fried, Goldberger and Gavorova, 2048 solver",
};

/// Hash of a strategy.
pub const HASH: Term = Term {
    name: "Hash of a strategy",
    lines: [
        "Seven digits that name what a strategy does",
        "Name and note do not count: results and colour stay when it is renamed",
    ],
    formula: "first 64 bits of SHA-256 of its text",
    source: "",
};

/// Parent.
pub const PARENT: Term = Term {
    name: "Parent",
    lines: ["The version that a strategy was made from", "What it is tested against when the one before is asked for"],
    formula: "",
    source: "",
};

/// In the order in which one explains the next.
pub(super) const TERMS: [Term; 8] = [CRITERION, ELIMINATION, PREFER, TOLERANCE, OFF, LAST_RESORT, HASH, PARENT];

/// In the order of the palette.
pub(super) static EVALUATORS: [Term; 17] = [
    Term {
        name: "Score",
        lines: ["Points so far, those of the slide included", "Alone it is greedy play: the largest merge is taken"],
        formula: "v = s",
        source: "Kohler, Migler and Khosmood 2019, letter g",
    },
    Term {
        name: "Empty",
        lines: ["Number of empty cells after the slide", "More room, later death; merges are what makes room"],
        formula: "v = number of empty cells",
        source: "Kohler, Migler and Khosmood 2019, letter e",
    },
    Term {
        name: "Uniformity",
        lines: ["Many tiles of the same value", "The cube rewards large groups; empty cells are no value"],
        formula: "v = Σ (tiles of a value)³",
        source: "Kohler, Migler and Khosmood 2019, letter u",
    },
    Term {
        name: "Monotonicity",
        lines: [
            "Pairs of neighbours in order, counted in the best of four turns",
            "At most 24 on 4 × 4; an empty cell is 0",
        ],
        formula: "v = max over turns of #(a ≥ b)",
        source: "Kohler, Migler and Khosmood 2019, Algorithm 2, letter m",
    },
    Term {
        name: "Difference",
        lines: ["Small steps between neighbours", "0 is best: every step counts against the board"],
        formula: "v = −Σ |a − b|",
        source: "Fried, Goldberger and Gavorova, 2048 solver",
    },
    Term {
        name: "MaxTile",
        lines: ["The largest tile", "Changes only when the largest two merge, so it ties nearly always"],
        formula: "v = largest tile",
        source: "Fried, Goldberger and Gavorova, 2048 solver",
    },
    Term {
        name: "Corner",
        lines: [
            "Large tiles in one corner, none in the opposite one",
            "Weights fall towards the far corner; the best of four turns counts",
        ],
        formula: "v = max over turns of Σ w · tile",
        source: "Fried, Goldberger and Gavorova, 2048 solver, Fig. 2",
    },
    Term {
        name: "Snake",
        lines: [
            "Tiles fall along a folded path that begins in a corner",
            "Each step along the path halves the weight; best of eight symmetries",
        ],
        formula: "v = max of Σ 2^k · tile / 2¹³",
        source: "Fried, Goldberger and Gavorova, 2048 solver, Fig. 3",
    },
    Term {
        name: "Lines",
        lines: [
            "What is good and bad along each row and column",
            "Room and merges count for it, disorder and many tiles against it",
        ],
        formula: "Σ fixed + empty·e + merges·m − mono·min(falls, rises) − sum·Σ r^p",
        source: "Tutorial; constants of Xiao, nneonneo/2048-ai",
    },
    Term {
        name: "Weights",
        lines: ["A weight for each cell", "As it stands: a turned board has another value"],
        formula: "v = Σ w · tile",
        source: "Course paper, Figs. 3 to 5",
    },
    Term {
        name: "MonotoneSum",
        lines: [
            "Tiles that stand before smaller ones",
            "Large tiles in order count most; not the same for turned boards",
        ],
        formula: "v = Σ a over pairs with a ≥ b",
        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 3",
    },
    Term {
        name: "Smoothness",
        lines: ["Small steps between neighbours", "The same number as Difference, under its other name"],
        formula: "v = −Σ |a − b|",
        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as described",
    },
    Term {
        name: "SmoothnessPrinted",
        lines: [
            "Smoothness with the equation as it is printed",
            "Horizontal pairs carry a 1 too much, so turned boards differ",
        ],
        formula: "v = −Σ |a − b + 1| − Σ |a − b|",
        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as printed",
    },
    Term {
        name: "CornerBonus",
        lines: [
            "Whether a corner holds the largest tile",
            "It is worth that tile in a corner, and minus that tile elsewhere",
        ],
        formula: "v = ±largest tile",
        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 5",
    },
    Term {
        name: "Sum",
        lines: [
            "Several aims at once, traded against each other",
            "A weight says how many points of one make up for one of another",
        ],
        formula: "v = Σ weight · evaluator",
        source: "Fried, Goldberger and Gavorova, 2048 solver; Molla, Garen, Ripoll and Beckhauser 2025",
    },
    Term {
        name: "Product",
        lines: ["One evaluator times another", "Such as points times where the tiles lie"],
        formula: "v = evaluator · evaluator",
        source: "Course paper, Table III",
    },
    Term {
        name: "Inert",
        lines: ["The same for every board", "Keeps every move: it stands for a row that never separates two"],
        formula: "v = 0",
        source: "Afterstate, for the tables of Composition",
    },
];

/// What there is to say about an evaluator.
pub fn of_evaluator(evaluator: &Evaluator) -> &'static Term {
    // Every name is there, as a test makes sure of.
    of_evaluator_named(evaluator.name()).unwrap_or(&EVALUATORS[0])
}

/// The same by its name, as RON writes it.
pub fn of_evaluator_named(name: &str) -> Option<&'static Term> {
    EVALUATORS.iter().find(|term| term.name == name)
}
