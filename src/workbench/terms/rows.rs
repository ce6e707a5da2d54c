//! Terms of the rows of a strategy.

use super::Term;

pub const PREFER: Term =
    Term::new("Prefer", "Whether high or low values are good", "Lower turns the row around: the least value is kept")
        .formula("best = max or min of the values");

pub const TOLERANCE: Term = Term::new(
    "Tolerance ε",
    "How far from the best a value may lie and still be kept",
    "0 keeps ties only; in units of the evaluator",
)
.formula("kept if |best − value| ≤ ε");

pub const OFF: Term = Term::new(
    "On and off",
    "A row that is off is not asked, as if it were not there",
    "Its settings stay, so that it can be tried with and without",
);

pub const LAST_RESORT: Term = Term::new(
    "Last resort",
    "What chooses when every row has kept more than one move",
    "Random draws from the game’s own stream; First takes up, down, left, right",
)
.source("Kohler, Migler and Khosmood 2019; Fried, Goldberger and Gavorova, 2048 solver");

pub const HASH: Term = Term::new(
    "Hash of a strategy",
    "Seven digits that name what a strategy does",
    "Name and note do not count: results and colour stay when it is renamed",
)
.formula("first 64 bits of SHA-256 of its text");

pub(super) const ROWS: [Term; 8] = [
    Term::new(
        "Row",
        "A criterion: an evaluator, a lookahead, a direction and a tolerance",
        "It gives each move that is left a value and keeps the best",
    )
    .formula("kept = {m : best − value(m) ≤ ε}")
    .source("Rows in order: Kohler, Migler and Khosmood 2019"),
    Term::new(
        "Elimination",
        "A row strikes out the moves it does not keep",
        "The next row sees only what is left, until one move is",
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
        "What it is tested against when the one before is asked for",
    ),
];
