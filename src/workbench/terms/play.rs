//! Words of the game itself.

use super::Term;

pub const SLIDE: Term = Term::new(
    "Slide",
    "A move: every tile goes as far as it can towards one wall",
    "Equal neighbours merge once, nearest the wall first; it must change something",
);

pub const AFTERSTATE: Term = Term::new(
    "Afterstate",
    "The board after the slide and before the new tile",
    "What a player chooses between: the spawn is not its doing",
);

pub const SPAWN: Term = Term::new(
    "Spawn",
    "The tile that chance puts down after a slide",
    "Any empty cell alike; a 4 with the probability of the rules, else a 2",
)
.formula("P(cell, 4) = p4 / empty cells");

pub const PLY: Term = Term::new(
    "Ply",
    "One layer of a search: a slide or a spawn",
    "3 plies are slide, spawn, slide; 4 plies look at boards to move",
)
.formula("plies = moves + spawns");

pub const POINTS: Term = Term::new("Points", "Points made up to a board", "Each merge to a tile v makes v points")
    .formula("points = Σ tiles made by merging");

pub const LOSS: Term = Term::new(
    "Loss",
    "How much worse a move is than the best one, by the values of a row",
    "The best move reads 0; units are those of the evaluator",
)
.formula("loss = best value − value");

/// In the order in which one explains the next.
pub(super) const TERMS: [Term; 6] = [SLIDE, AFTERSTATE, SPAWN, PLY, POINTS, LOSS];
