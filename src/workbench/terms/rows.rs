//! Terms of the rows of a strategy.

use super::Term;

pub const PREFER: Term = Term::new(
    "Prefer",
    "Whether high or low values are good",
    "Lower reverses the row: it keeps the smallest values",
)
.formula("best = max or min of the values");

pub const TOLERANCE: Term = Term::new(
    "Tolerance ε",
    "A move is kept if its value is at most this far from the best",
    "0 keeps only ties; the unit is that of the evaluator",
)
.formula("kept if |best − value| ≤ ε");

pub const OFF: Term = Term::new(
    "On and off",
    "A row that is off has no effect",
    "It keeps its settings, so you can compare the strategy with and without it",
);

pub const LAST_RESORT: Term = Term::new(
    "Last resort",
    "Chooses the move if more than one is left after all rows",
    "Random: all are equally likely. First: in the order up, down, left, right",
)
.source("Kohler, Migler and Khosmood 2019; Fried, Goldberger and Gavorova, 2048 solver");

pub const HASH: Term = Term::new(
    "Hash of a strategy",
    "Seven digits that identify what a strategy does",
    "Name and note do not count, so a renamed strategy keeps its results and color",
)
.formula("first 64 bits of SHA-256 of its text");

pub(super) const ROWS: [Term; 8] = [
    Term::new(
        "Row",
        "A criterion: an evaluator, a lookahead, a direction and a tolerance",
        "It values each move that is left and keeps the best",
    )
    .formula("kept = {m : best − value(m) ≤ ε}")
    .source("Rows in order: Kohler, Migler and Khosmood 2019"),
    Term::new(
        "Elimination",
        "A row rejects the moves that it does not keep",
        "The next row values only the moves left, until one is left",
    )
    .source("Kohler, Migler and Khosmood 2019"),
    PREFER,
    TOLERANCE,
    OFF,
    LAST_RESORT,
    HASH,
    Term::new(
        "Parent",
        "The version that a strategy was made from",
        "Test against previous compares with it",
    ),
];
