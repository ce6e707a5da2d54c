//! Terms of the game and its moves.

use super::Term;

pub const REWARD: Term = Term::new(
    "Reward",
    "The points that one move makes",
    "It is 0 when nothing merges; a score is the sum of all rewards so far",
)
.formula("reward = Σ tiles made by merging");

pub(super) const GAME: [Term; 7] = [
    REWARD,
    Term::new(
        "Move",
        "Up, down, left or right: every tile goes as far as it can towards one wall",
        "Equal neighbours merge once, nearest the wall first; it must change something",
    ),
    Term::new(
        "Afterstate",
        "The board after the move and before the new tile",
        "What a player chooses between: the spawn is not its doing",
    ),
    Term::new(
        "Spawn",
        "The tile that chance puts down after a move",
        "Any empty cell alike; a 4 with the probability of the rules, else a 2",
    )
    .formula("P(cell, 4) = p4 / empty cells"),
    Term::new(
        "Ply",
        "One layer of a search: a move or a spawn",
        "3 plies are move, spawn, move; 4 plies look at boards to move",
    )
    .formula("plies = moves + spawns"),
    Term::new(
        "Score of a game",
        "The points made up to a board, or in a whole game",
        "Each merge to a tile v makes v points",
    )
    .formula("score = Σ rewards"),
    Term::new(
        "Loss",
        "How much worse a move is than the best one, by the values of a row",
        "The best move reads 0; units are those of the evaluator",
    )
    .formula("loss = best value − value"),
];
