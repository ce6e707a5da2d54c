//! The order in which slides and spawns are searched, and the selection of the worst spawns.

use std::cmp::Reverse;

use super::Search;
use super::board::{Cells, SearchBoard};
use super::recorder::{Edge, Ranked, Recorder, Stub};
use super::worst::harm;
use crate::game::{ByMove, Cell, Move, Moves, Rank};

/// Twice the index of a cell in reading order, plus one for a 4. It is small because fifty of them are sorted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Spawn(u8);

impl Spawn {
    #[inline(always)]
    pub(super) fn cell(self) -> u32 {
        u32::from(self.0 >> 1)
    }

    #[inline(always)]
    pub(super) fn is_four(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline(always)]
    pub(super) fn rank(self) -> Rank {
        if self.is_four() {
            Rank::FOUR
        } else {
            Rank::TWO
        }
    }

    #[inline(always)]
    pub(super) fn edge(self) -> Edge {
        Edge::Spawn {
            cell: self.0 >> 1,
            rank: self.rank().get(),
        }
    }
}

/// Iterates over the possible tiles on each cell, in reading order.
pub(super) struct EachSpawn {
    left: Cells,
    last: Spawn,
    /// The first and the last tile of a cell: 0 for a 2, 1 for a 4.
    ends: [u8; 2],
}

impl EachSpawn {
    #[inline(always)]
    pub(super) fn on(cells: Cells, [two, four]: [bool; 2]) -> Self {
        Self {
            left: cells,
            last: Spawn(u8::from(four)),
            ends: [u8::from(!two), u8::from(four)],
        }
    }
}

impl Iterator for EachSpawn {
    type Item = Spawn;

    #[inline(always)]
    fn next(&mut self) -> Option<Spawn> {
        let [first, last] = self.ends;
        self.last.0 = if self.last.0 & 1 == last {
            self.left.next()? as u8 * 2 + first
        } else {
            self.last.0 + 1
        };
        Some(self.last)
    }
}

/// Minimum plies left at which children are sorted by the evaluator before they are searched. Alpha-beta cuts more, the
/// earlier the best child is searched.
pub(super) const LEAST_SORTED: u32 = 3;

/// The slides in search order: by falling value if `sorts`, otherwise in move order.
#[inline(always)]
pub(super) fn slides<P: SearchBoard>(
    search: &Search,
    slides: &P::Slides,
    left: Moves,
    score: u64,
    sorts: bool,
) -> Slides {
    if !sorts {
        return Slides::of(left.into_iter());
    }
    let values: ByMove<f64> = P::values_by(slides, &search.evaluator, left, score).to_real();
    let mut ordered = [Move::Up; 4];
    let mut len = 0;
    for mv in left {
        ordered[len] = mv;
        len += 1;
    }
    ordered[..len].sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    Slides::of(ordered.into_iter().take(len))
}

/// Slides in search order, two bits each, in one word. The processor would have to wait for an array that was just
/// written slide by slide to be read as a whole.
#[derive(Clone, Copy)]
pub(super) struct Slides {
    left: u32,
    count: u32,
}

impl Slides {
    #[inline(always)]
    fn of(slides: impl Iterator<Item = Move>) -> Self {
        slides.fold(Self { left: 0, count: 0 }, |before, mv| Self {
            left: before.left | (mv as u32) << (2 * before.count),
            count: before.count + 1,
        })
    }
}

impl Iterator for Slides {
    type Item = Move;

    #[inline(always)]
    fn next(&mut self) -> Option<Move> {
        self.count = self.count.checked_sub(1)?;
        let mv = Move::ALL[self.left as usize & 3];
        self.left >>= 2;
        Some(mv)
    }
}

/// The spawns that look worst, in reading order. The recorder gets the others as stubs.
#[inline(never)]
pub(super) fn worst_spawns<P: SearchBoard, R: Recorder>(
    search: &Search,
    recorder: &mut R,
    after: P,
    cells: Cells,
) -> impl Iterator<Item = Spawn> + use<P, R> {
    let board = after.to_board();
    let mut ranked: Vec<(i32, Spawn)> = EachSpawn::on(cells, search.possible)
        .map(|spawn| {
            (
                harm(
                    &board,
                    Cell::at(spawn.cell() as usize, board.size()),
                    spawn.rank(),
                ),
                spawn,
            )
        })
        .collect();
    // A stable sort keeps ties in reading order.
    ranked.sort_by_key(|&(harm, _)| Reverse(harm));
    let considered = ranked
        .iter()
        .take_while(|(harm, _)| *harm == ranked[0].0)
        .count();
    if R::ON {
        // Ties share a rank, so that an image of the board has the same ranks.
        for (harm, spawn) in &ranked[considered..] {
            let rank = ranked.partition_point(|(other, _)| harm < other) as u8 + 1;
            let stub = Stub::Unimportant {
                rank,
                considered: considered as u8,
                ranked: Ranked::Spawns,
            };
            recorder.stub(spawn.edge(), stub);
        }
    }

    ranked.into_iter().take(considered).map(|(_, spawn)| spawn)
}

/// The spawns by rising value; ties stay in reading order.
#[inline(never)]
pub(super) fn sorted_spawns<P: SearchBoard>(
    search: &Search,
    after: P,
    cells: Cells,
    score: u64,
) -> impl Iterator<Item = Spawn> + use<P> {
    let mut valued = [(0.0, Spawn(0)); 50];
    let mut len = 0;
    for (keyed, spawn) in valued.iter_mut().zip(EachSpawn::on(cells, search.possible)) {
        let board = after.with_tile_at(spawn.cell(), spawn.rank());
        *keyed = (board.value_by(&search.evaluator, score), spawn);
        len += 1;
    }
    valued[..len].sort_by(|a, b| a.0.total_cmp(&b.0));
    valued.into_iter().take(len).map(|(_, spawn)| spawn)
}
