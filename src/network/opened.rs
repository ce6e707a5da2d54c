//! Inspects a network: the content of its tables, and the contribution of each to the value of a board.

use super::{Network, Stage};
use crate::game::{Cell, Grid, Move, Position as _, Rows, Slides as _, Symmetry};

/// Values of a cell.
pub const LEVELS: usize = 16;

/// A weight in the sum of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// The index of its tuple in the shape.
    pub tuple: usize,
    /// The cells of the board that it uses, in the order of the tuple.
    pub cells: Vec<Cell>,
    pub weight: f32,
}

/// The breakdown of the value of a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// The board that is looked up: the given one or, if that is full and thus no afterstate, the one after its best
    /// slide.
    pub board: Grid,
    /// That slide and its reward.
    pub slide: Option<(Move, u32)>,
    /// The weights of the sum. Empty for a dead board.
    pub terms: Vec<Term>,
}

impl Reading {
    /// The contribution of a tuple, over all its images.
    pub fn of_tuple(&self, tuple: usize) -> f64 {
        self.terms
            .iter()
            .filter(|term| term.tuple == tuple)
            .map(|term| f64::from(term.weight))
            .sum()
    }

    pub fn reward(&self) -> u32 {
        self.slide.map_or(0, |(_, reward)| reward)
    }
}

/// The content of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableFacts {
    pub weights: u64,
    /// Weights that have changed since the start.
    pub touched: u64,
    /// The lowest and the highest of them.
    pub ends: Option<[f32; 2]>,
    /// The number of them in each of several equal intervals from the lowest to the highest.
    pub bins: Vec<u64>,
}

/// The values of the other cells of a tuple while two of them are varied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Others {
    /// All values that occurred: the mean of the touched weights.
    #[default]
    Met,
    /// Empty cells.
    Empty,
}

/// A table over two of its cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Heat {
    /// The mean weight for each value of the first and of the second cell. `None` if none was touched.
    pub means: Vec<Option<f64>>,
    /// The number of weights in each mean.
    pub counts: Vec<u64>,
}

impl Heat {
    pub fn at(&self, first: usize, second: usize) -> (Option<f64>, u64) {
        let place = LEVELS * first + second;
        (self.means[place], self.counts[place])
    }
}

impl Network {
    /// The breakdown of [`Network::to_come`] of a board: the reward of the slide, if there is one, plus the terms.
    /// `None` for a board of another size.
    pub fn reading(&self, board: &Grid) -> Option<Reading> {
        if board.size() != self.size() {
            return None;
        }
        if board.empty_count() != 0 {
            return Some(Reading {
                board: *board,
                slide: None,
                terms: self.terms(board),
            });
        }
        let Some((mv, reward, after)) = self.best_slide(board) else {
            return Some(Reading {
                board: *board,
                slide: None,
                terms: Vec::new(),
            });
        };
        Some(Reading {
            board: after,
            slide: Some((mv, reward)),
            terms: self.terms(&after),
        })
    }

    /// The slide with the largest reward + value; ties go to the first. `None` for a dead board.
    pub(super) fn best_slide(&self, board: &Grid) -> Option<(Move, u32, Grid)> {
        let slides = board.slides(Rows::shared())?;
        let mut best: Option<(f64, (Move, u32, Grid))> = None;
        for mv in slides.legal() {
            let (reward, after) = (slides.reward(mv), slides.after(mv));
            let worth = f64::from(reward) + self.of_grid(&after);
            if best.as_ref().is_none_or(|(most, _)| *most < worth) {
                best = Some((worth, (mv, reward, after)));
            }
        }
        best.map(|(_, slide)| slide)
    }

    /// The weights of an afterstate, tuple by tuple. Their sum is its value.
    pub fn terms(&self, board: &Grid) -> Vec<Term> {
        let shape = self.shape();
        let images: Vec<Symmetry> = match shape.is_symmetric() {
            true => Symmetry::of(shape.size).collect(),
            false => vec![Symmetry::IDENTITY],
        };

        let stage = self.stage_of(board);
        let tuples = shape.tuples().iter().enumerate();
        let terms = tuples
            .flat_map(|(tuple, cells)| images.iter().map(move |&image| (tuple, cells, image)));
        terms
            .map(|(tuple, numbers, image)| {
                let at =
                    |&cell: &u8| Cell::at(image.index(usize::from(cell), shape.size), shape.size);
                let cells: Vec<Cell> = numbers.cells().iter().map(at).collect();
                let rank = |cell: &Cell| usize::from(board.get(*cell).get().min(15));
                let index = cells
                    .iter()
                    .rev()
                    .fold(0, |index, cell| LEVELS * index + rank(cell));
                Term {
                    tuple,
                    cells,
                    weight: self.table(stage, tuple)[index],
                }
            })
            .collect()
    }

    /// The stage in which a board is looked up, from 0.
    pub fn stage_of(&self, board: &Grid) -> usize {
        Stage::of(self.shape().stages(), self.reader().word(board))
    }

    /// The weights of a tuple in a stage. The value of the first cell varies fastest.
    pub fn table(&self, stage: usize, tuple: usize) -> &[f32] {
        let shape = self.shape();
        let begin = shape.offsets().nth(tuple).unwrap_or(0) + stage as u64 * shape.stage_weights();
        let weights = shape.tuples().get(tuple).map_or(0, super::Tuple::weights);
        self.weights()
            .get(begin as usize..(begin + weights) as usize)
            .unwrap_or_default()
    }

    /// The initial value of each weight.
    pub fn initial(&self) -> f32 {
        self.info
            .header
            .manifest
            .as_ref()
            .map_or(0.0, |manifest| manifest.training.initial())
    }

    /// The facts about a table, with its touched weights in `bins` bins.
    pub fn facts(&self, stage: usize, tuple: usize, bins: usize) -> TableFacts {
        let (table, initial) = (self.table(stage, tuple), self.initial());
        let touched = || table.iter().copied().filter(|&weight| weight != initial);
        let ends = touched().fold(None, |ends: Option<[f32; 2]>, weight| {
            Some(ends.map_or([weight; 2], |[low, high]| {
                [low.min(weight), high.max(weight)]
            }))
        });
        let mut facts = TableFacts {
            weights: table.len() as u64,
            touched: 0,
            ends,
            bins: vec![0; bins.max(1)],
        };
        let [low, high] = ends.unwrap_or_default().map(f64::from);
        for weight in touched() {
            let share = (f64::from(weight) - low) / (high - low).max(f64::MIN_POSITIVE);
            let bin = ((share * bins as f64) as usize).min(facts.bins.len() - 1);
            facts.bins[bin] += 1;
            facts.touched += 1;
        }
        facts
    }

    /// A table over two of the cells of its tuple, by their positions in it.
    pub fn heat(
        &self,
        stage: usize,
        tuple: usize,
        [first, second]: [usize; 2],
        others: Others,
    ) -> Heat {
        let (table, initial) = (self.table(stage, tuple), self.initial());
        let mut sums = vec![0.0_f64; LEVELS * LEVELS];
        let mut counts = vec![0_u64; LEVELS * LEVELS];
        let own = 15_usize << (4 * first) | 15 << (4 * second);
        for (index, &weight) in table.iter().enumerate() {
            if weight == initial || others == Others::Empty && index & !own != 0 {
                continue;
            }
            let level = |place: usize| index >> (4 * place) & 15;
            let place = LEVELS * level(first) + level(second);
            sums[place] += f64::from(weight);
            counts[place] += 1;
        }
        let mean = |(&sum, &count): (&f64, &u64)| (count != 0).then(|| sum / count as f64);
        Heat {
            means: sums.iter().zip(&counts).map(mean).collect(),
            counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Rank, Size};
    use crate::network::{NetworkInfo, Shape};

    fn network(shape: Shape) -> Network {
        let weight = |place: u64| {
            if place.is_multiple_of(3) {
                0.0
            } else {
                (place * 37 % 101) as f32 - 50.0
            }
        };
        let weights = (0..shape.weights()).map(weight).collect();
        Network::new(NetworkInfo::of(shape, None, Vec::new()), weights)
    }

    #[test]
    fn the_terms_of_a_board_add_up_to_its_value() {
        for (size, tuples, symmetric, stages) in [
            ("4x4", "012345 48c0 f", true, &[64_u64, 512] as &[u64]),
            ("4x4", "0123 4567", false, &[]),
            ("3x3", "0134 048", true, &[]),
            ("2x3", "012 34", true, &[]),
        ] {
            let size: Size = size.parse().expect("a size");
            let network = network(Shape::new(size, tuples, symmetric, stages).expect("a shape"));
            for turn in 0..40_usize {
                let rank =
                    |index: usize| Rank::new((index * (turn + 3) % 11 * (turn % 2 + 1)) as u8 % 18);
                let board = (0..size.cells()).fold(Board::empty(size), |board, index| {
                    board.with(Cell::at(index, size), rank(index).expect("a rank"))
                });
                let grid = board.to_grid();
                let terms = network.terms(&grid);
                assert_eq!(terms.len(), network.shape().terms());
                let sum: f64 = terms.iter().map(|term| f64::from(term.weight)).sum();
                assert!((sum - network.of_grid(&grid)).abs() < 1e-6, "{board:?}");
            }
        }
    }

    #[test]
    fn a_reading_adds_up_to_what_a_board_has_to_come() {
        let network = network(
            Shape::new("2x2".parse().expect("a size"), "0123 01", true, &[]).expect("a shape"),
        );
        let mut kinds = [0; 3];
        for bits in 0..256_u32 {
            let board = (0..4).fold(Board::empty(network.size()), |board, place| {
                let rank = Rank::new((bits >> (2 * place) & 3) as u8).expect("a rank");
                board.with(Cell::at(place, network.size()), rank)
            });
            let grid = board.to_grid();
            let reading = network.reading(&grid).expect("of this size");
            let sum: f64 = (0..2).map(|tuple| reading.of_tuple(tuple)).sum();
            assert!(
                (f64::from(reading.reward()) + sum - network.to_come(&grid)).abs() < 1e-6,
                "{board}"
            );
            match reading.slide {
                Some((mv, reward)) => {
                    let slide = board.slide(mv).expect("legal");
                    assert_eq!(
                        (slide.reward, slide.after.board().to_grid()),
                        (reward, reading.board)
                    );
                    kinds[0] += 1;
                }
                None => kinds[1 + usize::from(reading.terms.is_empty())] += 1,
            }
        }

        // Of 81 full boards those without equal neighbors are dead.
        assert_eq!(kinds, [63, 175, 18]);
        assert!(network.reading(&Grid::empty(Size::FOUR)).is_none());
    }

    #[test]
    fn a_table_over_two_cells_is_the_mean_of_what_was_touched() {
        let network = network("012 345".parse().expect("a shape"));
        let heat = network.heat(0, 1, [2, 0], Others::Met);
        let table = network.table(0, 1);
        let (mut sum, mut count) = (0.0, 0);
        for middle in 0..16 {
            let weight = table[7 + 16 * middle + 256 * 4];
            if weight != 0.0 {
                (sum, count) = (sum + f64::from(weight), count + 1);
            }
        }

        let (mean, counted) = heat.at(4, 7);
        assert!(
            0 < count
                && counted == count
                && (mean.expect("touched") - sum / count as f64).abs() < 1e-9
        );
        let empty = network.heat(0, 1, [2, 0], Others::Empty);
        let alone = table[7 + 256 * 4];
        assert_eq!(
            empty.at(4, 7),
            (
                (alone != 0.0).then_some(f64::from(alone)),
                u64::from(alone != 0.0)
            )
        );
        let facts = network.facts(0, 1, 20);
        assert_eq!(
            (facts.weights, facts.bins.iter().sum::<u64>()),
            (4096, facts.touched)
        );
        assert_eq!(
            facts.touched,
            table.iter().filter(|weight| **weight != 0.0).count() as u64
        );
        assert_eq!(heat.counts.iter().sum::<u64>(), facts.touched);
    }
}
