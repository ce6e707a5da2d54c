//! What a search tells whoever writes it down.

use super::playouts::Sample;
use super::rule::{Rule, Word};
use crate::game::{Move, Symmetry};

/// Sees every node of a search; `()` sees nothing and compiles to nothing. A node is opened with the edge that leads to it,
/// then its children are opened and closed, then it is closed with its value.
pub trait Recorder: Send + Sync + Sized {
    /// Whether anything is recorded; what is computed for the record alone is skipped otherwise.
    const ON: bool;

    #[inline(always)]
    fn open(&mut self, _edge: Edge) {}
    /// From here to the end of the open node the board is searched turned: cells and slides of its children are those
    /// after `symmetry`.
    #[inline(always)]
    fn turn(&mut self, _symmetry: Symmetry) {}
    /// The open node is a spawn node, and tiles are considered on so many of its cells.
    #[inline(always)]
    fn spawns(&mut self, _considered: u32) {}
    /// What went through the open node of a search by sampling.
    #[inline(always)]
    fn sampled(&mut self, _sample: Sample) {}
    #[inline(always)]
    fn close(&mut self, _end: End) {}
    /// A node without children.
    #[inline(always)]
    fn leaf(&mut self, _edge: Edge, _end: End) {}
    #[inline(always)]
    fn stub(&mut self, _edge: Edge, _stub: Stub) {}
    /// At the open node α reached β; stubs out of bounds follow. `at_first` if one child was enough.
    #[inline(always)]
    fn cut_off(&mut self, _at_first: bool) {}
    /// The value of the open node goes into the transposition table; `collides` if another one of this search has to go.
    #[inline(always)]
    fn stored(&mut self, _collides: bool) {}
    /// An empty recorder for a part of the search that is done elsewhere.
    fn branch(&self) -> Self;
    /// Nothing is added for a while.
    fn rest(&mut self) {}
    /// An empty recorder for a search that may turn out to be no part of this one.
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
    /// A slide of the player; the node is an afterstate.
    Slide(Move),
    /// A new tile, `rank` 1 or 2, on a cell in reading order from 0; the node is a board to move.
    Spawn { cell: u8, rank: u8 },
}

/// How a node ends that was searched or evaluated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    pub value: f64,
    pub rule: Rule,
    pub bound: Bound,
}

impl End {
    pub(super) const fn exact(value: f64, rule: Rule) -> Self {
        Self { value, rule, bound: Bound::Exact }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stub {
    /// At the parent α, which the player is sure of, reached β, the most that the spawns allow.
    OutOfBounds { alpha: f64, beta: f64 },
    /// The cell or spawn, number `rank` of all, from 1, is not among those considered.
    Unimportant { rank: u8, considered: u8, of: Ranked },
    /// No sample has come here.
    NotExpanded,
}

/// What is put in an order of which the first alone are considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranked {
    /// Empty cells by weight, with all tiles that can come there.
    Cells,
    /// Spawns by the harm they seem to do.
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

/// Whether a value is exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bound {
    #[default]
    Exact,
    Upper,
    Lower,
}

impl Bound {
    pub const ALL: [Self; 3] = [Self::Exact, Self::Upper, Self::Lower];

    pub(super) const WORDS: [Word; Self::ALL.len()] = [
        Word::new("exact", &[], "the value itself"),
        Word::new("upper", &[], "the value is at most this"),
        Word::new("lower", &[], "the value is at least this"),
    ];

    pub const fn name(self) -> &'static str {
        Self::WORDS[self as usize].name
    }

    /// What is known of a − b where `self` is the bound on a and `other` that on b; `None` if nothing is.
    pub const fn minus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Exact, Self::Exact) => Some(Self::Exact),
            (Self::Upper, Self::Exact | Self::Lower) | (Self::Exact, Self::Lower) => Some(Self::Upper),
            (Self::Lower, Self::Exact | Self::Upper) | (Self::Exact, Self::Upper) => Some(Self::Lower),
            (Self::Upper, Self::Upper) | (Self::Lower, Self::Lower) => None,
        }
    }

    /// The bound on −a where this is that on a.
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
