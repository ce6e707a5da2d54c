//! The interface through which a search reports its nodes.

use strum::VariantArray;

use super::playouts::Sample;
use super::rule::{Rule, Word};
use crate::game::{Move, Symmetry};

/// Sees every node of a search; `()` sees nothing and compiles to nothing. A node is opened with the edge that leads to
/// it, then its children are opened and closed, then it is closed with its value.
pub trait Recorder: Send + Sync + Sized {
    /// Whether anything is recorded. If not, values that only the record needs are not computed.
    const ON: bool;

    #[inline(always)]
    fn open(&mut self, _edge: Edge) {}
    /// Until the open node is closed, the search uses an image of the board: cells and slides of its children are those
    /// after `symmetry`.
    #[inline(always)]
    fn turn(&mut self, _symmetry: Symmetry) {}
    /// The open node is a spawn node, and tiles are considered on this many of its cells.
    #[inline(always)]
    fn spawns(&mut self, _considered: u32) {}
    /// The samples through the open node, in a search by sampling.
    #[inline(always)]
    fn sampled(&mut self, _sample: Sample) {}
    #[inline(always)]
    fn close(&mut self, _end: End) {}
    /// A node without children.
    #[inline(always)]
    fn leaf(&mut self, _edge: Edge, _end: End) {}
    #[inline(always)]
    fn stub(&mut self, _edge: Edge, _stub: Stub) {}
    /// α reached β at the open node; stubs out of bounds follow. `at_first` if one child was enough.
    #[inline(always)]
    fn cut_off(&mut self, _at_first: bool) {}
    /// The value of the open node goes into the transposition table. `collides` if it evicts another value of this
    /// search.
    #[inline(always)]
    fn stored(&mut self, _collides: bool) {}
    /// An empty recorder for a part of the search that runs elsewhere.
    fn branch(&self) -> Self;
    /// Called before a pause in recording.
    fn rest(&mut self) {}
    /// An empty recorder for a search that may turn out not to be part of this one.
    fn apart(&self) -> Self {
        self.branch()
    }
    /// Adds the children of another recorder's root to the open node.
    fn graft(&mut self, _branch: Self) {}
}

impl Recorder for () {
    const ON: bool = false;

    fn branch(&self) -> Self {}
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// A slide of the player. The node is an afterstate.
    Slide(Move),
    /// A new tile of `rank` 1 or 2 on a cell, counted in reading order from 0. The node is a board to move.
    Spawn { cell: u8, rank: u8 },
}

/// The end of a node that was searched or evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    pub value: f64,
    pub rule: Rule,
    pub bound: Bound,
}

impl End {
    pub(super) const fn exact(value: f64, rule: Rule) -> Self {
        Self {
            value,
            rule,
            bound: Bound::Exact,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stub {
    /// At the parent α, the value that the player is sure of, reached β, the value that the spawns allow at most.
    OutOfBounds { alpha: f64, beta: f64 },
    /// The cell or spawn is not considered. `rank` is its number among all, from 1.
    Unimportant {
        rank: u8,
        considered: u8,
        ranked: Ranked,
    },
    /// No sample reached the node.
    NotExpanded,
}

/// What is ranked, so that only the first ones are considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranked {
    /// Empty cells by weight, with all tiles that can come there.
    Cells,
    /// Spawns by their estimated harm.
    Spawns,
}

impl Stub {
    pub(super) const fn rule(self) -> Rule {
        match self {
            Self::OutOfBounds { .. } => Rule::OutOfBounds,
            Self::Unimportant { .. } => Rule::Unimportant,
            Self::NotExpanded => Rule::NotExpanded,
        }
    }
}

/// Whether a value is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, VariantArray)]
pub enum Bound {
    #[default]
    Exact,
    Upper,
    Lower,
}

impl Bound {
    pub(super) const WORDS: [Word; Self::VARIANTS.len()] = [
        Word::new("exact", &[], "the value itself"),
        Word::new("upper", &[], "the value is at most this"),
        Word::new("lower", &[], "the value is at least this"),
    ];

    pub const fn name(self) -> &'static str {
        Self::WORDS[self as usize].name
    }

    /// The bound on a − b, with `self` the bound on a and `other` that on b. `None` if there is none.
    pub const fn minus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Exact, Self::Exact) => Some(Self::Exact),
            (Self::Upper, Self::Exact | Self::Lower) | (Self::Exact, Self::Lower) => {
                Some(Self::Upper)
            }
            (Self::Lower, Self::Exact | Self::Upper) | (Self::Exact, Self::Upper) => {
                Some(Self::Lower)
            }
            (Self::Upper, Self::Upper) | (Self::Lower, Self::Lower) => None,
        }
    }

    /// The bound on −a, with `self` the bound on a.
    pub const fn negated(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// The sign before a number that is only a bound: `≤ ` or `≥ `.
    pub const fn sign(self) -> &'static str {
        ["", "≤ ", "≥ "][self as usize]
    }

    pub(super) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            1 => Self::Upper,
            2 => Self::Lower,
            _ => Self::Exact,
        }
    }
}
