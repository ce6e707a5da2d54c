//! What best play leads to: every board that may come up between the root and the end of the depth when the player makes the
//! move that the search values most and chance does what it wants.
//!
//! ```text
//! after a slide   every spawn that its value comes from, with the probability that it comes and the weight with which it counts
//! board to move   the slide with the largest value, the first in the order of [`Move::ALL`] among equals
//! ```
//!
//! It is found by a second pass over the search, with the same rules and to the same depth: at each board that best play may
//! reach the same engine values all slides, and the pass goes on below the best alone. So it needs no record, has no cap of one,
//! and passes through what a record takes from the transposition table. Since one slide of three or four is followed, it
//! takes about half as long again as the search without a record. Boards that several orders of moves lead to are one node.
//!
//! From it come lines ([`BestPlay::lines`]) and what is to be expected at the end of the depth ([`BestPlay::leaves`]).
//!
//! # What do probability and weight mean?
//!
//! The *probability* of a spawn is that with which it comes by the rules: that of its tile by the number of empty cells, whatever
//! the search cuts. Its *weight* is the factor with which it enters the value above: that of its tile by the number of cells that
//! the search considers where values are averaged, that of the tile where cells are added up, where the worst cell counts, and
//! where the worst cell of each tile does, and 1 for the worst spawn. So the two are one where all cells are averaged. The value of
//! a move is Σ weight · value over its lines, so it can be added up again from their ends.

mod follow;
mod leaves;
mod lines;
mod reasons;

pub use leaves::{LeafSet, MeasureMeans, Measures, OneLeaf};
pub use lines::{BestLine, LineOrder, LineStep};

use super::tree::Subject;
use super::{Cut, Dead, SpawnValue};
use crate::game::{Board, ByMove, Move, Moves, Spawn};

/// What best play leads to after each of some moves.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPlay {
    subject: Subject,
    /// The node after each root move that was asked for.
    first: ByMove<Option<u32>>,
    /// Nearer to the root first, so that what is below a node follows it.
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
    /// On how many cells tiles are considered.
    cells: u32,
    /// Its spawns among the branches; none at the end of a line.
    from: u32,
    to: u32,
    /// How a line ends here, if it does.
    end: Option<LineEnd>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Branch {
    spawn: Spawn,
    /// Of the board with this tile.
    value: f64,
    /// How often a new tile is this one.
    chance: f64,
    then: Then,
}

impl Branch {
    /// How probable it is by the rules that this spawn comes after a slide.
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
    /// Evaluated because it is reached with less than the threshold.
    TooImprobable,
    /// No slide is left.
    Dead,
    /// All slides are worth less than the 0 that a dead board counts.
    Floor,
}

impl LineEnd {
    pub const ALL: [Self; 4] = [Self::Evaluated, Self::TooImprobable, Self::Dead, Self::Floor];

    pub const fn name(self) -> &'static str {
        ["evaluated", "too_improbable", "dead", "floor"][self as usize]
    }

    /// Behind a value, in words.
    pub const fn text(self) -> &'static str {
        [
            "evaluated at the end of the depth",
            "evaluated where it is too improbable to be searched",
            "a dead board",
            "0, because all slides are worth less than a dead board",
        ][self as usize]
    }
}

/// Why best play is not followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBestPlay {
    #[error("the values are means of samples: their lines are those of the playouts, which nobody keeps")]
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

    /// The value of a root move; exact, also where alpha-beta has left a bound in the record.
    pub fn value(&self, mv: Move) -> Option<f64> {
        Some(self.nodes[self.first[mv]? as usize].value)
    }

    /// Whether spawns count as chance brings them, as far as they are considered; else the worst ones.
    pub const fn is_by_chance(&self) -> bool {
        matches!(self.spawn, SpawnValue::Mean | SpawnValue::Sum)
    }

    fn branches(&self, node: &AfterSlide) -> &[Branch] {
        &self.branches[node.from as usize..node.to as usize]
    }

    /// The factor with which a spawn enters the value of the node above.
    fn weight(&self, node: &AfterSlide, branch: &Branch) -> f64 {
        match self.spawn {
            SpawnValue::Mean => branch.chance / f64::from(node.cells),
            SpawnValue::Sum | SpawnValue::MinCell | SpawnValue::MeanOfMin => branch.chance,
            SpawnValue::Min => 1.0,
        }
    }

    /// The share that a spawn has of what is to be expected: its weight, but for sums that of the mean.
    fn share(&self, node: &AfterSlide, branch: &Branch) -> f64 {
        if self.spawn == SpawnValue::Sum { branch.chance / f64::from(node.cells) } else { self.weight(node, branch) }
    }

    /// Whether every spawn that chance brings is followed, so that shares are probabilities.
    fn follows_every_spawn(&self) -> bool {
        let considers_all = |node: &AfterSlide| node.from == node.to || node.cells == node.after.empty_count();
        self.is_by_chance() && self.nodes.iter().all(considers_all)
    }

    /// Whether a dead board is worth what the evaluator says.
    fn evaluates_dead(&self) -> bool {
        self.subject.definition.lookahead.dead() == Dead::Evaluate
    }
}

/// Whether how probable a node is decides what lies below it.
fn minds_reach(subject: &Subject) -> bool {
    subject.definition.lookahead.cuts().iter().any(|cut| matches!(cut, Cut::Reach(_)))
}
