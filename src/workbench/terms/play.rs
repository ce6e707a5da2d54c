//! Words of the game itself.

use super::Term;

/// Slide.
pub const SLIDE: Term = Term {
    name: "Slide",
    lines: [
        "A move: every tile goes as far as it can towards one wall",
        "Equal neighbours merge once, nearest the wall first; it must change something",
    ],
    formula: "",
    source: "",
};

/// Afterstate.
pub const AFTERSTATE: Term = Term {
    name: "Afterstate",
    lines: [
        "The board after the slide and before the new tile",
        "What a player chooses between: the spawn is not its doing",
    ],
    formula: "",
    source: "",
};

/// Spawn.
pub const SPAWN: Term = Term {
    name: "Spawn",
    lines: [
        "The tile that chance puts down after a slide",
        "Any empty cell alike; a 4 with the probability of the rules, else a 2",
    ],
    formula: "P(cell, 4) = p4 / empty cells",
    source: "",
};

/// Ply.
pub const PLY: Term = Term {
    name: "Ply",
    lines: [
        "One layer of a search: a slide or a spawn",
        "3 plies are slide, spawn, slide; 4 plies look at boards to move",
    ],
    formula: "plies = moves + spawns",
    source: "",
};

/// Points.
pub const POINTS: Term = Term {
    name: "Points",
    lines: ["Points made up to a board", "Each merge to a tile v makes v points"],
    formula: "points = Σ tiles made by merging",
    source: "",
};

/// Loss.
pub const LOSS: Term = Term {
    name: "Loss",
    lines: [
        "How much worse a move is than the best one, by the values of a row",
        "The best move reads 0; units are those of the evaluator",
    ],
    formula: "loss = best value − value",
    source: "",
};

/// In the order in which one explains the next.
pub(super) const TERMS: [Term; 6] = [SLIDE, AFTERSTATE, SPAWN, PLY, POINTS, LOSS];
