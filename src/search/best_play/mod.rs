//! Best play: every board that may come up between the root and the end of the depth if the player always makes the
//! move with the highest search value, whatever the spawns.
//!
//! ```text
//! after a slide   every spawn that its value comes from, with the probability that it comes and the weight with which it counts
//! board to move   the slide with the largest value, the first in the order of [`Move::ALL`] among equals
//! ```
//!
//! A second pass of the search finds it, with the same rules and to the same depth. At each board that best play may
//! reach, the same engine values all slides, and the pass continues only below the best one. So it needs no record, has
//! no cap, and passes through nodes that a record takes from the transposition table. It follows one slide of three or
//! four, so it takes about half as long again as the search without a record. Boards that several orders of moves lead
//! to are one node.
//!
//! Its results are lines ([`BestPlay::lines`]) and the expected end of the depth ([`BestPlay::leaves`]).
//!
//! # What do probability and weight mean?
//!
//! The *probability* of a spawn is that of the rules: the probability of its tile divided by the number of empty cells,
//! whatever the search cuts. Its *weight* is the factor of its value in the value of the node above. Where values are
//! averaged, the weight is the probability of the tile divided by the number of considered cells. Where cells are
//! summed, where the worst cell counts, and where the worst cell of each tile counts, it is the probability of the
//! tile. For the worst spawn it is 1. So weight and probability are equal if all cells are averaged. The value of a
//! move is Σ weight · value over its lines, so it can be recomputed from their ends.

mod follow;
mod leaves;
mod lines;
mod reasons;

pub use leaves::{LeafSet, MeasureMeans, Measures, OneLeaf};
pub use lines::{BestLine, LineOrder, LineStep};

use super::tree::Subject;
use super::{Cut, Dead, SpawnValue};
use crate::game::{Board, ByMove, Move, Moves, Spawn};

/// The best play after each of some moves.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPlay {
    subject: Subject,
    /// The node after each requested root move.
    first: ByMove<Option<u32>>,
    /// Nodes closer to the root come first, so the nodes below a node follow it.
    nodes: Vec<AfterSlide>,
    branches: Vec<Branch>,
    spawn: SpawnValue,
}

/// A board after a slide of best play.
#[derive(Clone, Copy, PartialEq, Debug)]
struct AfterSlide {
    after: Board,
    score: u64,
    value: f64,
    plies: u32,
    /// The number of cells on which tiles are considered.
    cells: u32,
    /// The range of its spawns in `branches`; empty at the end of a line.
    from: u32,
    to: u32,
    /// How a line ends here, if it does.
    end: Option<LineEnd>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Branch {
    spawn: Spawn,
    /// The value of the board with this tile.
    value: f64,
    /// The probability that a new tile is this one.
    chance: f64,
    then: Then,
}

impl Branch {
    /// The probability of this spawn by the rules.
    fn probability(&self, above: &AfterSlide) -> f64 {
        self.chance / f64::from(above.after.empty_count())
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Then {
    /// The best slide and the node it leads to.
    Slide(Move, u32),
    End(LineEnd),
}

/// How a line ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LineEnd {
    /// Evaluated at the end of the depth.
    Evaluated,
    /// Evaluated because its reach probability is below the threshold.
    TooImprobable,
    /// No slide is left.
    Dead,
    /// All slides are worth less than the 0 of a dead board.
    Floor,
}

impl LineEnd {
    pub const fn name(self) -> &'static str {
        ["evaluated", "too_improbable", "dead", "floor"][self as usize]
    }

    /// The text after a value.
    pub const fn text(self) -> &'static str {
        [
            "evaluated at the end of the depth",
            "evaluated early, because it is too improbable",
            "a dead board",
            "0, because all slides are worth less than a dead board",
        ][self as usize]
    }
}

/// Why best play cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBestPlay {
    #[error("the values are means of samples, and their lines are not saved")]
    Sampled,
    #[error("best play leads to more than {most} positions: look fewer plies ahead")]
    TooMany { most: usize },
    #[error("it was stopped")]
    Stopped,
}

impl BestPlay {
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The root moves that it follows.
    pub fn moves(&self) -> Moves {
        Moves::from_fn(|mv| self.first[mv].is_some())
    }

    /// The value of a root move. It is exact, even if alpha-beta left a bound in the record.
    pub fn value(&self, mv: Move) -> Option<f64> {
        Some(self.nodes[self.first[mv]? as usize].value)
    }

    /// Whether spawns count by their probability, among those considered; otherwise the worst ones count.
    pub const fn is_by_chance(&self) -> bool {
        matches!(self.spawn, SpawnValue::Mean | SpawnValue::Sum)
    }

    fn branches(&self, node: &AfterSlide) -> &[Branch] {
        &self.branches[node.from as usize..node.to as usize]
    }

    /// The factor of a spawn's value in the value of the node above.
    fn weight(&self, node: &AfterSlide, branch: &Branch) -> f64 {
        match self.spawn {
            SpawnValue::Mean => branch.chance / f64::from(node.cells),
            SpawnValue::Sum | SpawnValue::MinCell | SpawnValue::MeanOfMin => branch.chance,
            SpawnValue::Min => 1.0,
        }
    }

    /// The share of a spawn in expectations: its weight, or for sums that of the mean.
    fn share(&self, node: &AfterSlide, branch: &Branch) -> f64 {
        if self.spawn == SpawnValue::Sum {
            branch.chance / f64::from(node.cells)
        } else {
            self.weight(node, branch)
        }
    }

    /// Whether every possible spawn is followed, so that shares are probabilities.
    fn follows_every_spawn(&self) -> bool {
        let considers_all =
            |node: &AfterSlide| node.from == node.to || node.cells == node.after.empty_count();
        self.is_by_chance() && self.nodes.iter().all(considers_all)
    }

    /// Whether the evaluator gives the value of a dead board.
    fn evaluates_dead(&self) -> bool {
        self.subject.definition.lookahead.dead() == Dead::Evaluate
    }
}

/// Whether the reach probability of a node decides what is searched below it.
fn minds_reach(subject: &Subject) -> bool {
    subject
        .definition
        .lookahead
        .cuts()
        .iter()
        .any(|cut| matches!(cut, Cut::Reach(_)))
}
