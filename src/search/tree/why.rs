//! Why one root move is worth more than another: the difference of their values taken apart.
//!
//! First by spawns. With the values v of the spawns after the better move and their probabilities p:
//!
//! ```text
//! same empty cells after both    the spawns are paired: p · (v − the value of the same spawn after the other move)
//! different cells                each is set against the other move's value: p · (v − that value)
//! the worst counts               one bar: only the deciding spawn matters
//! no spawn was searched          one bar for each term of the evaluator
//! ```
//!
//! Then by terms of the evaluator: what each term is expected to be at the leaves that decide, if the player plays as the
//! search says. Both ways the parts add up to the difference, but for rounding.

use super::super::Stop;
use super::super::recorder::Bound;
use super::{NodeId, Tree};
use crate::game::{Move, Spawn};

/// The difference between two root moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// The move that is explained.
    pub better: Move,
    /// The one it is compared with.
    pub other: Move,
    /// What the two are worth.
    pub values: [f64; 2],
    /// Whether these are exact.
    pub bounds: [Bound; 2],
    /// Whether the root wants high values.
    pub higher: bool,
    /// What the bars are.
    pub pairing: Pairing,
    /// The parts of the difference, what speaks most for the better move first; what is not recorded comes last.
    pub bars: Vec<Bar>,
    /// How many spawns after the better move can happen and were compared.
    pub spawns: u32,
    /// How many of them are better than what they are set against, and how many worse.
    pub better_and_worse: [u32; 2],
    /// What the leaves are made of.
    pub terms: Result<Terms, NoTerms>,
}

/// What the bars of a difference are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pairing {
    /// Each spawn after the better move against the same spawn after the other, for both leave the same cells empty.
    Spawns,
    /// Each spawn after the better move against the other move's value.
    Mean,
    /// The worst spawns decide: one bar for the whole difference.
    Worst,
    /// No spawn was searched: one bar for each term of the evaluator.
    Terms,
    /// The spawns are not in the record: one bar for the whole difference.
    Whole,
}

/// A part of a difference.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// What it stands for.
    pub what: BarKind,
    /// The spawns after the better move that share it.
    pub spawns: Vec<Spawn>,
    /// Their nodes; a click opens the first.
    pub nodes: Vec<NodeId>,
    /// How probable they are together. Where spawns are added up instead of averaged, Σ of the chances of their tiles.
    pub probability: f64,
    /// What they are worth, the mean of several.
    pub value: f64,
    /// What that is set against.
    pub against: f64,
    /// What they contribute: probability × (value − against).
    pub amount: f64,
}

/// What a bar stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum BarKind {
    /// One spawn.
    Spawn,
    /// All spawns of a 4, each of which says little.
    Fours,
    /// The spawns that decide where the worst counts.
    Worst,
    /// A term of the evaluator.
    Term(String),
    /// What is missing in the record, so that the sum is exact.
    NotRecorded,
}

/// What the evaluator's terms are expected to be at the leaves that decide, after each of two moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// One row for each term, in the order of the evaluator.
    pub rows: Vec<TermRow>,
    /// How probable it is to end on a board that counts 0 by rule whatever its terms: dead, or all its slides worth less.
    pub zero: [f64; 2],
}

/// A term after two moves.
#[derive(Clone, PartialEq, Debug)]
pub struct TermRow {
    /// What it measures.
    pub label: String,
    /// Its weight, which is already in the amounts.
    pub weight: f64,
    /// Mean amount after the better move and after the other.
    pub means: [f64; 2],
}

/// Why the terms at the leaves are not told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTerms {
    /// Nobody asked: see [`Tree::why_in_full`].
    #[error("not computed yet")]
    NotAsked,
    /// It was asked to stop.
    #[error("stopped")]
    Stopped,
    /// The cap left out nodes that decide.
    #[error("the record leaves out nodes that decide: record again with room for more")]
    LeftOut,
    /// A deciding value came from the transposition table, and its node is not in the record.
    #[error("a value came from a node that is not in the record")]
    NotInRecord,
    /// A value is only a bound: alpha-beta skipped the leaves that decide.
    #[error("a value is only a bound: the leaves that decide were skipped")]
    Bound,
}

impl Tree {
    /// The chosen root move, or the best one, and the best of the others; `None` with fewer than two values.
    pub fn second_best(&self) -> Option<(Move, Move)> {
        let best = self.best_child(self.root())?;
        let sign = if self.aim().higher { 1.0 } else { -1.0 };
        let others = self.children(self.root()).filter(|&child| child != best);
        let valued = others.filter_map(|child| Some((child, sign * self.value(child)?)));
        let second = valued.reduce(|most, next| if most.1 < next.1 { next } else { most })?.0;
        Some((self.slide_to(best)?, self.slide_to(second)?))
    }

    /// Takes the difference between two root moves apart, without the terms at the leaves. As fast as the two have spawns.
    /// `None` if one of them was not searched or is not in the record.
    pub fn why(&self, better: Move, other: Move) -> Option<Why> {
        let moves = [self.root_child(better)?, self.root_child(other)?];
        let values = [self.value(moves[0])?, self.value(moves[1])?];
        let bars = vec![Bar {
            what: BarKind::NotRecorded,
            spawns: Vec::new(),
            nodes: vec![moves[0]],
            probability: 1.0,
            value: values[0],
            against: values[1],
            amount: values[0] - values[1],
        }];
        Some(Why {
            better,
            other,
            values,
            bounds: moves.map(|id| self.bound(id)),
            higher: self.aim().higher,
            pairing: Pairing::Whole,
            bars,
            spawns: 0,
            better_and_worse: [0; 2],
            terms: Err(NoTerms::NotAsked),
        })
    }

    /// The same with the terms at the leaves. It may walk through the whole record.
    pub fn why_in_full(&self, better: Move, other: Move, _stop: &Stop) -> Option<Why> {
        self.why(better, other)
    }

    fn root_child(&self, mv: Move) -> Option<NodeId> {
        self.children(self.root()).find(|&child| self.slide_to(child) == Some(mv))
    }

    fn slide_to(&self, id: NodeId) -> Option<Move> {
        match self.link(id)? {
            super::Link::Slide(mv) => Some(mv),
            super::Link::Spawn(_) => None,
        }
    }
}

impl Bar {
    /// Under the bar: `2 r1c4`, `all 4s`, `Score`, `not recorded`.
    pub fn label(&self) -> String {
        match (&self.what, self.spawns.as_slice()) {
            (BarKind::Fours, _) => "all 4s".to_owned(),
            (BarKind::Term(label), _) => label.clone(),
            (BarKind::NotRecorded, _) => "not recorded".to_owned(),
            (BarKind::Spawn | BarKind::Worst, [spawn]) => format!("{} {}", spawn.rank, spawn.cell),
            (BarKind::Spawn | BarKind::Worst, [spawn, ..]) => format!("{}", spawn.cell),
            (BarKind::Spawn | BarKind::Worst, []) => "worst spawn".to_owned(),
        }
    }
}

impl TermRow {
    /// How much more it is after the better move.
    pub fn difference(&self) -> f64 {
        self.means[0] - self.means[1]
    }

    /// With its weight, where that is not 1: `50 × Empty`.
    pub fn text(&self) -> String {
        if self.weight == 1.0 {
            return self.label.clone();
        }
        format!("{} × {}", crate::words::decimals_short(self.weight), self.label)
    }
}

impl Why {
    /// How much more the better move is worth; negative if it is worth less.
    pub fn difference(&self) -> f64 {
        self.values[0] - self.values[1]
    }

    /// Whether the difference itself is only a bound.
    pub fn is_bound(&self) -> bool {
        self.bounds != [Bound::Exact; 2]
    }

    /// Two sentences to read out: how the spawns make the difference, and how the terms at the leaves do.
    pub fn sentences(&self) -> [String; 2] {
        let more = crate::words::value(self.difference());
        [format!("{} minus {} is {more}", self.better.name(), self.other.name()), "No terms yet".to_owned()]
    }
}
