//! Terms of the game and its moves.

use super::Term;

pub const REWARD: Term = Term::new(
    "Reward",
    "The points of one move",
    "0 when nothing merges; the score is the sum of all rewards so far",
)
.formula("reward = Σ tiles made by merging");

pub(super) const GAME: [Term; 7] = [
    REWARD,
    Term::new(
        "Move",
        "Up, down, left or right: every tile slides as far as it can in that direction",
        "Equal neighbors merge once, nearest the wall first; a legal move changes the board",
    ),
    Term::new(
        "Afterstate",
        "The board after the move and before the new tile",
        "The player chooses between afterstates; chance then adds the spawn",
    ),
    Term::new(
        "Spawn",
        "The new tile after a move",
        "Each empty cell is equally likely; a 4 with the probability of the rules, else a 2",
    )
    .formula("P(cell, 4) = p4 / empty cells"),
    Term::new(
        "Ply",
        "One layer of a search: a move or a spawn",
        "3 plies are move, spawn, move; an even number of plies ends at boards to move",
    )
    .formula("plies = moves + spawns"),
    Term::new(
        "Score of a game",
        "The points of a game so far, or of the whole game",
        "Each merge into a tile v scores v points",
    )
    .formula("score = Σ rewards"),
    Term::new(
        "Loss",
        "How much worse a move is than the best one, by the values of a row",
        "The best move has loss 0; the unit is that of the evaluator",
    )
    .formula("loss = best value − value"),
];
