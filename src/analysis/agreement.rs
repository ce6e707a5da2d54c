//! How often two strategies choose alike, by phase of the game.

use std::collections::BTreeMap;

use super::{Position, Sample};
use crate::game::Rank;
use crate::search::SearchOptions;
use crate::stats::{Interval, wilson};
use crate::strategy::{ChoiceTrace, Player};
use crate::task::{CancelToken, Control};

const MOST_KEPT: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    pub same: u64,
    pub n: u64,
}

impl Share {
    pub fn add(&mut self, is_same: bool) {
        self.same += u64::from(is_same);
        self.n += 1;
    }

    /// From 0 to 1; `None` if there are no positions.
    pub fn value(self) -> Option<f64> {
        (self.n != 0).then(|| self.same as f64 / self.n as f64)
    }

    /// The 95% Wilson interval, from 0 to 1: too narrow, because positions of one game are not independent.
    pub fn interval(self) -> Option<Interval> {
        wilson(self.same, self.n)
    }
}

/// How often two strategies leave their last resort the same moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Agreement {
    /// Where both leave exactly the same moves. With the same last resort they then make the same move.
    pub all: Share,
    /// Where they have at least one of these moves in common, so that they may make the same move.
    pub compatible: Share,
    /// The same as `all` by the number of empty cells, rising; only numbers that occur.
    pub by_empty: BTreeMap<u32, Share>,
    /// The same as `all` by the largest tile, rising; only tiles that occur.
    pub by_largest: BTreeMap<Rank, Share>,
    /// Where they leave different moves, in the order of the sample; the first 200.
    pub disagreements: Vec<Position>,
}

/// Compares the decisions of both on the positions of a sample; if cancelled, on those so far.
pub fn agreement(a: &Player, b: &Player, sample: &Sample, stop: &CancelToken) -> Agreement {
    agreement_told(
        [a, b],
        &sample.positions,
        MOST_KEPT,
        &Control::quiet(stop),
        |_| {},
    )
}

/// The same, with at most `max_disagreements` disagreements; `tell` receives the result so far after each position.
pub fn agreement_told(
    players: [&Player; 2],
    positions: &[Position],
    max_disagreements: usize,
    control: &Control,
    mut tell: impl FnMut(&Agreement),
) -> Agreement {
    let options = SearchOptions::on_one_core(control.token());
    let mut found = Agreement::default();
    control.begin("", "position", positions.len() as u64);
    for position in positions {
        let [a, b] =
            players.map(|player| ChoiceTrace::of(player, &position.board, position.score, options));
        if let (Some(a), Some(b)) = (a, b) {
            let is_same = a == b;
            found.all.add(is_same);
            found.compatible.add(!(a & b).is_empty());
            found
                .by_empty
                .entry(position.board.empty_count())
                .or_default()
                .add(is_same);
            found
                .by_largest
                .entry(position.board.max_rank())
                .or_default()
                .add(is_same);
            if !is_same && found.disagreements.len() < max_disagreements {
                found.disagreements.push(*position);
            }
            control.report(found.all.n);
            tell(&found);
        }
        if control.is_stopped() {
            break;
        }
    }

    found
}
