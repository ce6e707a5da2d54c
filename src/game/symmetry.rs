//! The eight ways to turn and mirror a square board. A rectangle has four of them.

use super::{Board, Cell, Crossed, Move, Packed, Position as _, Size};

/// A symmetry of the square: rows and columns may be exchanged, then columns reversed, then rows reversed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symmetry {
    transposed: bool,
    columns_reversed: bool,
    rows_reversed: bool,
}

impl Symmetry {
    pub const IDENTITY: Self = Self {
        transposed: false,
        columns_reversed: false,
        rows_reversed: false,
    };

    /// Left to right.
    pub const MIRROR: Self = Self {
        columns_reversed: true,
        ..Self::IDENTITY
    };

    pub const ALL: [Self; 8] = {
        let mut all = [Self::IDENTITY; 8];
        let mut bits = 0;
        while bits < 8 {
            all[bits] = Self {
                transposed: bits & 1 == 1,
                columns_reversed: bits >> 1 & 1 == 1,
                rows_reversed: bits >> 2 & 1 == 1,
            };
            bits += 1;
        }
        all
    };

    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        // Exchanging rows and columns turns a reversal of one into one of the other.
        let (columns, rows) = match next.transposed {
            true => (self.rows_reversed, self.columns_reversed),
            false => (self.columns_reversed, self.rows_reversed),
        };
        Self {
            transposed: self.transposed ^ next.transposed,
            columns_reversed: columns ^ next.columns_reversed,
            rows_reversed: rows ^ next.rows_reversed,
        }
    }

    #[must_use]
    pub const fn inverse(self) -> Self {
        match self.transposed {
            true => Self {
                columns_reversed: self.rows_reversed,
                rows_reversed: self.columns_reversed,
                ..self
            },
            false => self,
        }
    }

    /// The symmetries of boards of this size: eight for a square, four otherwise. Those that every rectangle has come
    /// first.
    pub fn of(size: Size) -> impl Iterator<Item = Self> {
        [0, 4, 2, 6, 1, 5, 3, 7]
            .map(|index| Self::ALL[index])
            .into_iter()
            .filter(move |symmetry| symmetry.keeps(size))
    }

    pub const fn keeps(self, size: Size) -> bool {
        !self.transposed || size.rows() == size.cols()
    }

    /// Whether it is a rotation without a mirror.
    pub const fn is_turn(self) -> bool {
        !(self.transposed ^ self.columns_reversed ^ self.rows_reversed)
    }

    /// Whether it is the mirror at the diagonal from the upper left, or the identity.
    pub const fn keeps_diagonal(self) -> bool {
        !self.columns_reversed && !self.rows_reversed
    }

    /// The turn of a board of this size: clockwise by a quarter if it is a square, otherwise by a half.
    pub const fn turn(size: Size) -> Self {
        match size.rows() == size.cols() {
            true => Self {
                transposed: true,
                columns_reversed: true,
                rows_reversed: false,
            },
            false => Self {
                transposed: false,
                columns_reversed: true,
                rows_reversed: true,
            },
        }
    }

    /// The image of a cell on a board whose size it keeps.
    pub const fn cell(self, cell: Cell, size: Size) -> Cell {
        let (row, col) = if self.transposed {
            (cell.col, cell.row)
        } else {
            (cell.row, cell.col)
        };
        Cell {
            row: if self.rows_reversed {
                size.rows() as u8 - 1 - row
            } else {
                row
            },
            col: if self.columns_reversed {
                size.cols() as u8 - 1 - col
            } else {
                col
            },
        }
    }

    /// The image of a cell, both as indices in reading order.
    pub const fn index(self, index: usize, size: Size) -> usize {
        self.cell(Cell::at(index, size), size).index(size)
    }

    /// The image of a board whose size it keeps.
    pub fn image(self, board: &Board) -> Board {
        let size = board.size();
        board
            .cells()
            .fold(Board::empty(size), |image, (cell, rank)| {
                image.with(self.cell(cell, size), rank)
            })
    }

    /// A description of the symmetry, with clockwise rotations.
    pub const fn name(self) -> &'static str {
        match (self.transposed, self.columns_reversed, self.rows_reversed) {
            (false, false, false) => "as it was",
            (false, true, false) => "mirrored left to right",
            (false, false, true) => "mirrored top to bottom",
            (false, true, true) => "turned by a half",
            (true, true, false) => "turned by a quarter",
            (true, false, true) => "turned by three quarters",
            (true, false, false) => "mirrored at the diagonal from the upper left",
            (true, true, true) => "mirrored at the diagonal from the upper right",
        }
    }

    pub const fn mv(self, mv: Move) -> Move {
        let mv = match (self.transposed, mv) {
            (false, mv) => mv,
            (true, Move::Up) => Move::Left,
            (true, Move::Left) => Move::Up,
            (true, Move::Down) => Move::Right,
            (true, Move::Right) => Move::Down,
        };
        match mv {
            Move::Left if self.columns_reversed => Move::Right,
            Move::Right if self.columns_reversed => Move::Left,
            Move::Up if self.rows_reversed => Move::Down,
            Move::Down if self.rows_reversed => Move::Up,
            mv => mv,
        }
    }

    pub const fn board(self, board: Packed) -> Packed {
        let board = if self.transposed {
            board.transposed()
        } else {
            board
        };
        let board = if self.columns_reversed {
            board.columns_reversed()
        } else {
            board
        };
        if self.rows_reversed {
            board.rows_reversed()
        } else {
            board
        }
    }
}

impl Crossed {
    /// The canonical one of the eight images of this board: the least as a number.
    #[inline(always)]
    pub fn canonical(self) -> Self {
        let (rows, columns) = (self.packed(), self.transposed());
        let least = Packed::lesser(least_reversal(rows), least_reversal(columns));
        least.crossed_with_empty(self.empty_count())
    }

    pub fn to_canonical(self) -> Symmetry {
        let canonical = self.canonical().packed();
        let found = Symmetry::ALL
            .into_iter()
            .find(|symmetry| symmetry.board(self.packed()) == canonical);
        found.unwrap_or_default()
    }
}

/// The least of a board and its three reversals.
#[inline(always)]
const fn least_reversal(board: Packed) -> Packed {
    let upside_down = board.rows_reversed();
    let (mirrored, turned) = (board.columns_reversed(), upside_down.columns_reversed());
    Packed::lesser(
        Packed::lesser(board, upside_down),
        Packed::lesser(mirrored, turned),
    )
}

impl Packed {
    #[inline(always)]
    const fn lesser(a: Self, b: Self) -> Self {
        if b.bits() < a.bits() { b } else { a }
    }

    /// The board read from right to left.
    #[inline(always)]
    pub const fn columns_reversed(self) -> Self {
        let x = self.bits();
        let x = (x & 0x00FF_00FF_00FF_00FF) << 8 | x >> 8 & 0x00FF_00FF_00FF_00FF;
        Self::from_bits((x & 0x0F0F_0F0F_0F0F_0F0F) << 4 | x >> 4 & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// The board read from the last row to the first.
    #[inline(always)]
    pub const fn rows_reversed(self) -> Self {
        let x = self.bits();
        let x = (x & 0x0000_FFFF_0000_FFFF) << 16 | x >> 16 & 0x0000_FFFF_0000_FFFF;
        Self::from_bits(x.rotate_left(32))
    }
}

impl Cell {
    /// The cell's index in reading order on a board of this size.
    pub const fn index(self, size: Size) -> usize {
        self.row as usize * size.cols() + self.col as usize
    }

    /// The cell at an index in reading order. An index beyond the board gives a cell beyond it.
    pub const fn at(index: usize, size: Size) -> Self {
        Self {
            row: (index / size.cols()) as u8,
            col: (index % size.cols()) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rows, Seed, Slides as _};

    fn samples() -> impl Iterator<Item = Packed> {
        let seed = Seed(21).game(0);
        // Ranks below 15, so that every slide fits.
        (0..500).map(move |k| {
            Packed::from_bits(
                seed.place_draw(2 * k) & seed.place_draw(2 * k + 1) & 0x7777_7777_7777_7777,
            )
        })
    }

    #[test]
    fn a_turn_and_the_mirror_keep_every_size() {
        for size in Size::all() {
            let turn = Symmetry::turn(size);
            let name = if size.rows() == size.cols() {
                "turned by a quarter"
            } else {
                "turned by a half"
            };
            assert_eq!((turn.name(), turn.keeps(size)), (name, true), "{size}");
            assert_eq!(
                (Symmetry::MIRROR.name(), Symmetry::MIRROR.keeps(size)),
                ("mirrored left to right", true)
            );
        }
    }

    #[test]
    fn boards_cells_and_slides_turn_alike() {
        for board in samples() {
            let slides = board.crossed().slides(Rows::shared()).expect("small tiles");
            for symmetry in Symmetry::ALL {
                let turned = symmetry.board(board);
                for cell in Size::FOUR.iter() {
                    assert_eq!(
                        turned.get(symmetry.cell(cell, Size::FOUR)),
                        board.get(cell),
                        "{symmetry:?}"
                    );
                }
                let of_turned = turned
                    .crossed()
                    .slides(Rows::shared())
                    .expect("small tiles");
                for mv in Move::ALL {
                    let there = symmetry.mv(mv);
                    assert_eq!(
                        of_turned.legal().contains(there),
                        slides.legal().contains(mv)
                    );
                    assert_eq!(
                        of_turned.after(there).packed(),
                        symmetry.board(slides.after(mv).packed())
                    );
                }
            }
        }
    }

    #[test]
    fn boards_of_every_kind_turn_as_packed_ones_do() {
        for board in samples().take(50) {
            for symmetry in Symmetry::ALL {
                let image = symmetry.image(&board.crossed().to_board());
                assert_eq!(
                    image,
                    symmetry.board(board).crossed().to_board(),
                    "{}",
                    symmetry.name()
                );
            }
        }
    }

    #[test]
    fn symmetries_of_a_rectangle_keep_its_sides() {
        let board: Board = "2,4,8/16,32,64".parse().expect("a board");
        let images: Vec<String> = Symmetry::of(board.size())
            .map(|symmetry| symmetry.image(&board).to_string())
            .collect();
        assert_eq!(
            images,
            [
                "2,4,8/16,32,64",
                "16,32,64/2,4,8",
                "8,4,2/64,32,16",
                "64,32,16/8,4,2"
            ]
        );
        assert_eq!(Symmetry::of(Size::FOUR).count(), 8);
        assert_eq!(
            Symmetry::of(Size::FOUR)
                .filter(|symmetry| symmetry.is_turn())
                .count(),
            4
        );
    }

    #[test]
    fn symmetries_are_a_group() {
        for a in Symmetry::ALL {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            for b in Symmetry::ALL {
                for cell in Size::FOUR.iter() {
                    assert_eq!(
                        a.then(b).cell(cell, Size::FOUR),
                        b.cell(a.cell(cell, Size::FOUR), Size::FOUR)
                    );
                }
                for mv in Move::ALL {
                    assert_eq!(a.then(b).mv(mv), b.mv(a.mv(mv)));
                }
            }
        }
    }

    #[test]
    fn all_images_share_one_canonical_board() {
        for board in samples() {
            let canonical = board.crossed().canonical();
            assert_eq!(canonical, canonical.packed().crossed());
            let images = Symmetry::ALL.map(|symmetry| symmetry.board(board));
            assert_eq!(
                images.iter().map(|image| image.bits()).min(),
                Some(canonical.packed().bits())
            );
            for image in images {
                assert_eq!(image.crossed().canonical(), canonical);
                let symmetry = image.crossed().to_canonical();
                assert_eq!(symmetry.board(image), canonical.packed());
            }
        }
    }

    #[test]
    fn cells_count_in_reading_order() {
        for size in Size::all() {
            for (index, cell) in size.iter().enumerate() {
                assert_eq!(cell.index(size), index);
                assert_eq!(Cell::at(index, size), cell);
            }
        }
    }
}
