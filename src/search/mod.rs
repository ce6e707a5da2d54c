//! An evaluator looks ahead: the value of each legal move over several plies.

mod spec;

pub use spec::{Cut, Dead, Expectimax, Lookahead, Minimax, Plies, Spawning, layers};
