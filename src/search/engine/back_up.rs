//! Values of spawn nodes, from the boards after their spawns.

use super::{Engine, Spawns, TILES, Window, smaller};
use crate::game::Rank;
use crate::search::board::{Cells, SearchBoard};
use crate::search::recorder::{Edge, Ranked, Recorder, Stub};
use crate::search::spawn_order::{self, EachSpawn, LEAST_SORTED, Spawn};
use crate::search::{Important, SpawnValue};

/// A smaller rest of a cell contains no tile: it is the rounding error of the last one.
const BELOW_A_TILE: f64 = 1e-9;

impl<R: Recorder> Engine<'_, R> {
    /// The value of a spawn node. `value` returns the value of the board with a tile of this rank on this cell.
    #[inline(always)]
    pub(super) fn back_up<P: SearchBoard>(
        &mut self,
        after: P,
        spawns: &Spawns,
        value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        match self.search.spawn {
            SpawnValue::Min => self.least_of_spawns(after, spawns, value),
            SpawnValue::MeanOfMin => self.mean_of_least(spawns, value),
            _ => self.mean_of_spawns(spawns, value),
        }
    }

    #[inline(always)]
    fn mean_of_spawns(
        &mut self,
        spawns: &Spawns,
        mut value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        let probability = self.search.probability;
        let count = f64::from(spawns.count);
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        // The probability that is left, in cells.
        let mut left = count;
        let enough = self.enough(spawns.window.alpha) * count;
        for cell in spawns.cells {
            let mut mean = 0.0;
            // By index, which the compiler unrolls. With iterators, both arrays would stay in memory.
            for tile in 0..2 {
                let (rank, probability) = (TILES[tile], probability[tile]);
                if probability == 0.0 {
                    continue;
                }
                self.recorder.open(Edge::Spawn {
                    cell: cell as u8,
                    rank: rank.get(),
                });
                let mut window = Window::OPEN;
                if self.gives_up() {
                    left -= probability;
                    // Star1: the value that this board needs for the node to matter if all that is left had the maximum
                    // value.
                    window.alpha = (enough - sum - mean - left * self.ceiling) / probability;
                }
                mean += probability
                    * value(self, cell, rank, spawns.reach * probability / count, window);
                if self.gives_up() {
                    let most = sum + mean + left * self.ceiling;
                    self.is_given_up |= most < enough && BELOW_A_TILE < left;
                    if self.is_given_up {
                        return most / count;
                    }
                }
            }
            match self.search.spawn {
                SpawnValue::Mean | SpawnValue::Sum => sum += mean,
                _ => least = smaller(least, mean),
            }
        }

        match self.search.spawn {
            SpawnValue::Mean => sum / count,
            SpawnValue::Sum => sum,
            _ => least,
        }
    }

    /// The value that a mean needs to matter to a window with this `alpha`, minus some slack for rounding.
    #[inline(always)]
    fn enough(&self, alpha: f64) -> f64 {
        const SLACK: f64 = 1e-9;
        alpha - SLACK * (alpha.abs() + self.ceiling.abs())
    }

    /// The mean over 2 and 4 of the least value over the cells.
    #[inline(always)]
    fn mean_of_least(
        &mut self,
        spawns: &Spawns,
        mut value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        let probability = self.search.probability;
        let count = f64::from(spawns.count);
        let mut least = [f64::INFINITY; 2];
        for cell in spawns.cells {
            for ((rank, probability), least) in TILES.into_iter().zip(probability).zip(&mut least) {
                if probability == 0.0 {
                    continue;
                }
                self.recorder.open(Edge::Spawn {
                    cell: cell as u8,
                    rank: rank.get(),
                });
                *least = smaller(
                    *least,
                    value(
                        self,
                        cell,
                        rank,
                        spawns.reach * probability / count,
                        Window::OPEN,
                    ),
                );
            }
        }

        // A tile that cannot come does not count, even if its value is infinite.
        probability
            .into_iter()
            .zip(least)
            .filter(|(chance, _)| *chance != 0.0)
            .map(|(chance, least)| chance * least)
            .sum()
    }

    #[inline(always)]
    fn least_of_spawns<P: SearchBoard>(
        &mut self,
        after: P,
        spawns: &Spawns,
        value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        if self.search.worst {
            let boards = spawn_order::worst_spawns(self.search, self.recorder, after, spawns.cells);
            self.least_in_order(boards, spawns, value)
        } else if self.search.alpha_beta && LEAST_SORTED <= spawns.plies {
            let boards = spawn_order::sorted_spawns(self.search, after, spawns.cells, spawns.score);
            self.least_in_order(boards, spawns, value)
        } else {
            self.least_in_order(
                EachSpawn::on(spawns.cells, self.search.possible),
                spawns,
                value,
            )
        }
    }

    /// The least value of the boards with these spawns.
    #[inline(always)]
    fn least_in_order(
        &mut self,
        mut boards: impl Iterator<Item = Spawn>,
        spawns: &Spawns,
        mut value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        let mut least = f64::INFINITY;
        let mut inner = spawns.window;
        let mut searched = 0;
        while let Some(spawn) = boards.next() {
            searched += 1;
            self.recorder.open(spawn.edge());
            let reach = spawns.reach_after(spawn, self.search.probability);
            least = smaller(least, value(self, spawn.cell(), spawn.rank(), reach, inner));
            if self.search.alpha_beta {
                inner.beta = inner.beta.min(least);
                if least <= inner.alpha {
                    self.tell_cut_off(inner, searched, boards.map(Spawn::edge));
                    break;
                }
            }
        }

        least
    }

    /// Records the nodes that are left when α has reached β after `searched` children.
    #[inline(always)]
    pub(super) fn tell_cut_off(
        &mut self,
        at: Window,
        searched: u32,
        left: impl Iterator<Item = Edge>,
    ) {
        if !R::ON {
            return;
        }
        let mut left = left.peekable();
        // After the last child nothing is cut.
        if left.peek().is_some() {
            self.recorder.cut_off(searched == 1);
        }
        let stub = Stub::OutOfBounds {
            alpha: at.alpha,
            beta: at.beta,
        };
        left.for_each(|edge| self.recorder.stub(edge, stub));
    }

    /// The cells on which spawns are considered. The recorder gets the others as stubs.
    pub(in crate::search) fn important_cells(
        &mut self,
        important: &Important,
        empty: Cells,
        plies: u32,
    ) -> Cells {
        let considered = plies.div_ceil(2).min(empty.len()).min(important.k);
        let by_weight = important
            .cells
            .iter()
            .copied()
            .filter(|&cell| empty.contains(cell));
        let mut bits = 0;
        for (place, cell) in by_weight.enumerate() {
            if (place as u32) < considered {
                bits |= 1 << cell;
            } else if R::ON {
                let (rank, considered) = (place as u8 + 1, considered as u8);
                let stub = Stub::Unimportant {
                    rank,
                    considered,
                    ranked: Ranked::Cells,
                };
                for spawn in EachSpawn::on(Cells::from_bits(1 << cell), self.search.possible) {
                    self.recorder.stub(spawn.edge(), stub);
                }
            }
        }
        Cells::from_bits(bits)
    }
}
