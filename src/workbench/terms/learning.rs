//! Terms of networks and training.

use super::Term;

pub(super) const LEARNING: [Term; 7] = [
    Term::new(
        "n-tuple network",
        "Tables of a few cells each, read in all images of a board and added up",
        "A weight stands for one combination of tiles on the cells of one tuple",
    )
    .formula("V(a) = Σ weights of the tuples of a")
    .source("Szubert and Jaśkowski 2014, section III"),
    Term::new(
        "TD learning",
        "After each slide the value of the afterstate before moves towards what came",
        "The error δ is the reward and value of the next afterstate less its own value",
    )
    .formula("w ← w + α·δ/n,  δ = r + V(a′) − V(a)")
    .source("Szubert and Jaśkowski 2014, section II"),
    Term::new(
        "TC learning",
        "The same, each weight with a rate of its own: temporal coherence",
        "One whose errors cancel out learns slowly, one that errs one way learns fast",
    )
    .formula("w ← w + α·(|E|/A)·δ/n,  E: sum of errors,  A: sum of their sizes")
    .source("Beal and Smith 1999; Jaśkowski 2018"),
    LEARNING_CURVE,
    GREEDY_TEST,
    TOUCHED,
    Term::new(
        "Checkpoint",
        "The file of a network with all that its training keeps: it goes on from there",
        "Written every minute, when it is held or stopped, and when the window closes",
    ),
];

pub const LEARNING_CURVE: Term = Term::new(
    "Learning curve",
    "Each point: the games since the point before, in which the network learnt",
    "Band: 95 % intervals of the mean (Student's t) or of the share (Wilson)",
);

pub const GREEDY_TEST: Term = Term::new(
    "Greedy test",
    "Games by the slide with the largest reward + value, with the network as it is",
    "Nothing is learnt from them, and no test game is one that was learnt from",
);

pub const TOUCHED: Term = Term::new(
    "Touched weight",
    "A weight that is no longer what it was before anything was learnt",
    "The others were never met in a game, or only where nothing was to be learnt",
);
