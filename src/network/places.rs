//! Computes the table indices of the weights of a board.
//!
//! On 4×4 a board is a word of sixteen ranks. An image of it costs a few shifts, and a run of adjacent cells is
//! extracted from a word at once: `012345` is one mask, and `45689a` two masks and an or, for all images together. A
//! tuple may be extracted from any of the images as long as all are covered, so the image with the fewest runs is used.
//! A run that begins at cell c of the board and at position p of its tuple is aligned in the images shifted down by c −
//! p cells. Tuples have few such differences (8x6patt has six in fifteen runs), so the images are shifted once for
//! each.

use super::{Shape, Stage, Tuple};
use crate::game::{Cell, Grid, Packed, Size, Symmetry};

/// Maximum number of weights in the sum of a board.
const MOST: usize = Shape::MOST_TUPLES * 8;

/// The table indices of the weights of a board.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    count: usize,
    at: [u32; MOST],
}

impl Default for Places {
    fn default() -> Self {
        Self {
            count: 0,
            at: [0; MOST],
        }
    }
}

impl Places {
    #[inline(always)]
    pub fn as_slice(&self) -> &[u32] {
        &self.at[..self.count.min(MOST)]
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Copies the indices of another board.
    #[inline(always)]
    pub fn copy(&mut self, other: &Self) {
        self.count = other.count;
        let from = other.as_slice();
        self.at[..from.len()].copy_from_slice(from);
    }
}

/// Adjacent cells of a tuple that are adjacent on the board as well: `board >> 4 * cells & mask`.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    cells: u32,
    mask: u32,
}

#[derive(Clone, Debug)]
struct Cut {
    offset: u32,
    /// `cells` of a run is an index into [`Cuts::cells`].
    runs: [Run; Tuple::LONGEST],
    count: usize,
}

/// How the tuples are extracted from a 4×4 board.
#[derive(Clone, Debug)]
struct Cuts {
    /// The shifts of images in cells, in rising order; at most sixteen.
    cells: Vec<u32>,
    cuts: Vec<Cut>,
}

/// Computes the indices of boards for a shape.
#[derive(Clone, Debug)]
pub struct Reader {
    size: Size,
    images: usize,
    cuts: Option<Cuts>,
    /// For each tuple the start of its table, and for each image the shift of the word of ranks for each cell.
    plain: Vec<(u32, Vec<Vec<u32>>)>,
    stages: Vec<Stage>,
    stage_weights: u32,
}

impl Reader {
    pub fn new(shape: &Shape) -> Self {
        let images: Vec<Symmetry> = match shape.is_symmetric() {
            true => Symmetry::of(shape.size).collect(),
            false => vec![Symmetry::IDENTITY],
        };

        let shifts = |tuple: &Tuple, image: Symmetry| -> Vec<u32> {
            tuple
                .cells()
                .iter()
                .map(|&cell| 4 * image.index(usize::from(cell), shape.size) as u32)
                .collect()
        };
        let of_tuple = |tuple: &Tuple| -> Vec<Vec<u32>> {
            images.iter().map(|&image| shifts(tuple, image)).collect()
        };
        let offsets = shape.offsets().map(|offset| offset as u32);
        let plain: Vec<(u32, Vec<Vec<u32>>)> =
            offsets.zip(shape.tuples().iter().map(of_tuple)).collect();
        let cuts = (shape.size == Size::FOUR)
            .then(|| Cuts::of(&plain))
            .flatten();
        Self {
            size: shape.size,
            images: shape.images(),
            cuts,
            plain,
            stages: shape.stages().to_vec(),
            // With further stages it is less than half of 2³².
            stage_weights: shape.stage_weights() as u32,
        }
    }

    pub fn is_symmetric(&self) -> bool {
        1 < self.images
    }

    /// The indices of a board given by its ranks, four bits per cell in reading order.
    #[inline(always)]
    pub fn of_word(&self, bits: u64, places: &mut Places) {
        let mut count = 0;
        self.each_row(bits, |row| {
            if let Some(at) = places.at.get_mut(count..count + row.len()) {
                at.copy_from_slice(row);
                count += row.len();
            }
        });
        places.count = count;
    }

    /// The number of indices that [`Self::each_row`] passes at a time.
    #[inline(always)]
    pub fn row_len(&self) -> usize {
        if self.cuts.is_some() && self.images == 8 {
            8
        } else {
            1
        }
    }

    /// The same, passed in portions: all images of a tuple, or a single one.
    #[inline(always)]
    pub fn each_row(&self, bits: u64, mut take: impl FnMut(&[u32])) {
        let stage = if self.stages.is_empty() {
            0
        } else {
            self.stage(bits)
        };
        match (&self.cuts, self.images) {
            (Some(cuts), 8) => cuts.each_row(&images(bits), stage, |row| take(&row)),
            (Some(cuts), 1) => cuts.each_row(&[bits], stage, |row| take(&row)),
            _ => self.one_by_one(bits, stage, |place| take(&[place])),
        }
    }

    /// The indices of a board of the size of the shape. A tile above 32768 counts as 32768.
    pub fn of_grid(&self, board: &Grid, places: &mut Places) {
        self.of_word(self.word(board), places);
    }

    /// The ranks of a board of the size of the shape, four bits per cell in reading order. Larger ranks count as 15.
    pub fn word(&self, board: &Grid) -> u64 {
        word(board, self.size)
    }

    /// By definition, cell by cell.
    fn one_by_one(&self, bits: u64, stage: u32, mut take: impl FnMut(u32)) {
        for (offset, images) in &self.plain {
            for shifts in images {
                let index = shifts
                    .iter()
                    .rev()
                    .fold(0, |index, shift| index << 4 | (bits >> shift & 15));
                take(stage + offset + index as u32);
            }
        }
    }

    /// The start of the weights of the stage of a board.
    fn stage(&self, bits: u64) -> u32 {
        Stage::of(&self.stages, bits) as u32 * self.stage_weights
    }
}

/// Four bits per cell in reading order.
fn word(board: &Grid, size: Size) -> u64 {
    (0..size.cells()).fold(0, |bits, index| {
        let rank = board.get(Cell::at(index, size)).get().min(15);
        bits | u64::from(rank) << (4 * index)
    })
}

/// The eight images of a board.
#[inline(always)]
fn images(bits: u64) -> [u64; 8] {
    let both = |board: Packed| {
        let turned = board.columns_reversed();
        [board, turned, board.rows_reversed(), turned.rows_reversed()].map(Packed::bits)
    };
    let board = Packed::from_bits(bits);
    let ([a, b, c, d], [e, f, g, h]) = (both(board), both(board.transposed()));
    [a, b, c, d, e, f, g, h]
}

impl Cuts {
    /// `None` if a tuple can only be assembled cell by cell.
    fn of(plain: &[(u32, Vec<Vec<u32>>)]) -> Option<Self> {
        let fewest = |(offset, images): &(u32, Vec<Vec<u32>>)| {
            let runs = images
                .iter()
                .filter_map(|shifts| runs(shifts))
                .min_by_key(Vec::len)?;
            Some((*offset, runs))
        };

        let of_tuples: Vec<(u32, Vec<Run>)> = plain.iter().map(fewest).collect::<Option<_>>()?;
        let mut cells: Vec<u32> = of_tuples
            .iter()
            .flat_map(|(_, runs)| runs.iter().map(|run| run.cells))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let placed = |run: &Run| Run {
            cells: cells.partition_point(|cells| *cells < run.cells) as u32,
            ..*run
        };
        let cut = |(offset, runs): &(u32, Vec<Run>)| Cut {
            offset: *offset,
            runs: std::array::from_fn(|place| runs.get(place).map(placed).unwrap_or_default()),
            count: runs.len(),
        };
        let cuts = of_tuples.iter().map(cut).collect();
        Some(Self { cells, cuts })
    }

    #[inline(always)]
    fn each_row<const N: usize>(&self, images: &[u64; N], stage: u32, take: impl FnMut([u32; N])) {
        // Room for as many shifts as needed, rounded up, because it is cleared each time.
        match self.cells.len() {
            0..=4 => self.each_of::<4, N>(images, stage, take),
            5..=8 => self.each_of::<8, N>(images, stage, take),
            _ => self.each_of::<16, N>(images, stage, take),
        }
    }

    #[inline(always)]
    fn each_of<const S: usize, const N: usize>(
        &self,
        images: &[u64; N],
        stage: u32,
        mut take: impl FnMut([u32; N]),
    ) {
        let mut shifted = [[0; N]; S];
        for (shifted, cells) in shifted.iter_mut().zip(&self.cells) {
            for (shifted, image) in shifted.iter_mut().zip(images) {
                *shifted = (image >> (4 * (cells & 15))) as u32;
            }
        }
        for cut in &self.cuts {
            let indices = match cut.runs.get(..cut.count) {
                Some(&[one]) => cut_out(&shifted, [one]),
                Some(&[one, two]) => cut_out(&shifted, [one, two]),
                Some(&[one, two, three]) => cut_out(&shifted, [one, two, three]),
                // Unused runs have an empty mask.
                _ => cut_out(&shifted, cut.runs),
            };
            let offset = cut.offset.wrapping_add(stage);
            take(indices.map(|index| offset.wrapping_add(index)));
        }
    }
}

/// The indices of all images. The same mask for each image is one instruction for four of them.
#[inline(always)]
fn cut_out<const S: usize, const N: usize, const R: usize>(
    shifted: &[[u32; N]; S],
    runs: [Run; R],
) -> [u32; N] {
    let mut indices = [0; N];
    for run in runs {
        // S is a power of two, and the index is below it.
        let images = &shifted[run.cells as usize & (S - 1)];
        for (index, image) in indices.iter_mut().zip(images) {
            *index |= image & run.mask;
        }
    }
    indices
}

/// The runs of a tuple, from the shifts of its cells. `None` if one would have to be shifted up.
fn runs(shifts: &[u32]) -> Option<Vec<Run>> {
    let mut runs: Vec<Run> = Vec::new();
    for (place, &shift) in shifts.iter().enumerate() {
        let to = 4 * place as u32;
        let cells = shift.checked_sub(to)? / 4;
        match runs.last_mut() {
            Some(run) if run.cells == cells => run.mask |= 15 << to,
            _ => runs.push(Run {
                cells,
                mask: 15 << to,
            }),
        }
    }
    Some(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Position as _, Rank, Seed};
    use crate::network::NAMED;

    fn boards() -> impl Iterator<Item = u64> {
        let seed = Seed(3).game(0);
        (0..500).map(move |k| {
            seed.place_draw(2 * k)
                & if k % 2 == 0 {
                    seed.place_draw(2 * k + 1)
                } else {
                    u64::MAX
                }
        })
    }

    #[test]
    fn cuts_find_the_places_that_the_definition_has() {
        let odd = [
            "f",
            "0c3f",
            "fedcba98",
            "5a69 0123 c84",
            "04152637",
            "0 2 4 6 8",
        ];
        let shapes = NAMED
            .iter()
            .map(|named| named.name)
            .chain(odd)
            .map(|text| text.parse::<Shape>().expect(text));
        for shape in shapes
            .chain([Shape::new(Size::FOUR, "0123 a9 f0", false, &[64, 1024]).expect("a shape")])
        {
            let reader = Reader::new(&shape);
            let mut places = Places::default();
            for bits in boards() {
                reader.of_word(bits, &mut places);
                let (mut fast, mut plain) = (places.as_slice().to_vec(), Vec::new());
                reader.one_by_one(bits, reader.stage(bits), |place| plain.push(place));
                // The images come in another order.
                fast.sort_unstable();
                plain.sort_unstable();
                assert_eq!(fast, plain, "{} {bits:x}", shape.label());
                assert_eq!(fast.len(), shape.terms());
                assert!(fast.iter().all(|&place| u64::from(place) < shape.weights()));
            }
        }
    }

    #[test]
    fn images_share_their_places_and_large_tiles_count_as_the_largest_that_fits() {
        for (size, tuples) in [("4x4", "012345"), ("3x3", "0124 48"), ("2x3", "012 035")] {
            let size: Size = size.parse().expect("a size");
            let reader = Reader::new(&Shape::new(size, tuples, true, &[]).expect("a shape"));
            let places = |board: &Board| {
                let mut places = Places::default();
                reader.of_grid(&board.to_grid(), &mut places);
                let mut places = places.as_slice().to_vec();
                places.sort_unstable();
                places
            };
            let board = (0..size.cells()).fold(Board::empty(size), |board, index| {
                board.with(
                    Cell::at(index, size),
                    Rank::new((index * 5 % 7) as u8).expect("a rank"),
                )
            });
            assert!(Symmetry::of(size).all(|image| places(&image.image(&board)) == places(&board)));
            let with = |rank: u8| board.with(Cell::at(1, size), Rank::new(rank).expect("a rank"));
            assert_eq!(places(&with(17)), places(&with(15)));
            assert_ne!(places(&with(14)), places(&with(15)));
        }
        assert_eq!(Grid::empty(Size::FOUR).empty_count(), 16);
    }
}
