//! Terms of networks and training.

use super::Term;

pub(super) const LEARNING: [Term; 7] = [
    Term::new(
        "n-tuple network",
        "A sum of table entries; each table covers a few cells and is read in all images of a board",
        "A weight is the entry for one combination of tiles on the cells of one tuple",
    )
    .formula("V(a) = Σ weights of the tuples of a")
    .source("Szubert and Jaśkowski 2014, section III"),
    Term::new(
        "TD learning",
        "After each slide, the value of the previous afterstate moves toward the result",
        "The error δ is the reward plus the value of the next afterstate, minus its own value",
    )
    .formula("w ← w + α·δ/n,  δ = r + V(a′) − V(a)")
    .source("Szubert and Jaśkowski 2014, section II"),
    Term::new(
        "TC learning",
        "TD learning in which each weight has its own rate (temporal coherence)",
        "A weight whose errors cancel learns slowly; one with errors of one sign learns fast",
    )
    .formula("w ← w + α·(|E|/A)·δ/n,  E: sum of errors,  A: sum of their sizes")
    .source("Beal and Smith 1999; Jaśkowski 2018"),
    LEARNING_CURVE,
    GREEDY_TEST,
    TOUCHED,
    Term::new(
        "Checkpoint",
        "The saved network with its training state, from which training resumes",
        "Saved every minute, on Pause and Stop, and when the window closes",
    ),
];

pub const LEARNING_CURVE: Term = Term::new(
    "Learning curve",
    "Each point: the training games since the previous point",
    "Band: 95 % intervals of the mean (Student's t) or of the share (Wilson)",
);

pub const GREEDY_TEST: Term = Term::new(
    "Greedy test",
    "Games that play the slide with the largest reward + value",
    "The network does not learn from them, and they use other seeds than the training",
);

pub const TOUCHED: Term = Term::new(
    "Touched weight",
    "A weight that training has changed",
    "The other weights never occurred in a game, or only where the error was 0",
);
