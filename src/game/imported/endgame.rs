//! `.rpl` of 2048EndgameTablebase: records of 25 bytes, lowest byte first.
//!
//! | bytes | |
//! | --- | --- |
//! | 0 to 7 | the board before the turn: four bits a cell, the first cell in the highest, each the rank |
//! | 8 | the turn: bit 7 whether the table forced it, bits 5 and 6 the slide (left, right, up, down), bits 1 to 4 the cell of the new tile, bit 0 whether it is a 4 |
//! | 9 to 24 | four numbers of four bytes: the chance of success after left, right, up, down, in 4·10⁹ths |
//!
//! Cells of new tiles are counted in reading order, except by one intermediate version of the program, which counted
//! them from the lowest four bits of the board. Each board shows where the previous tile came, so only one of the two
//! fits all turns. The last record ends the file: the board after the last turn or 0, 88, 666666666, 233333333,
//! 314159265, 987654321. On smaller boards the cells outside are 15: for 2x4 the first and the last row, for 3x4 the
//! last row, for 3x3 the last row and the last column. (`engine_core/replay_utils.py` and `backend/analysis_core.py` of
//! game-difficulty/2048EndgameTablebase.)
//!
//! In replays of endgames 15 is also every tile that is too large for the table, and two of them do not merge. A turn
//! that would merge them is refused.

use super::{ImportError, ImportKind, ImportPlace, Imported, Reading, refused};
use crate::game::{Board, Cell, Grid, Move, Rank, Size, Spawn, Step};

const RECORD: usize = 25;

/// The last record without its board.
const END: [u8; RECORD - 8] = {
    let mut end = [0; RECORD - 8];
    end[0] = 88;
    let numbers: [u32; 4] = [666_666_666, 233_333_333, 314_159_265, 987_654_321];
    let mut place = 0;
    while place < 16 {
        end[place + 1] = numbers[place / 4].to_le_bytes()[place % 4];
        place += 1;
    }
    end
};

const MOVES: [Move; 4] = [Move::Left, Move::Right, Move::Up, Move::Down];

/// The end from which the cells of new tiles are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counted {
    InReadingOrder,
    FromTheLast,
}

impl Counted {
    pub(super) const ALL: [Self; 2] = [Self::InReadingOrder, Self::FromTheLast];

    /// The nibble of a cell counted from the lowest one, and the other way round.
    const fn place(self, number: usize) -> usize {
        match self {
            Self::InReadingOrder => 15 - number,
            Self::FromTheLast => number,
        }
    }
}

/// The part of the sixteen cells in use: its size, its first row, and the cells outside as a board has them.
const PARTS: [((u8, u8), u8, u64); 3] = [
    ((2, 4), 1, 0xffff_0000_0000_ffff),
    ((3, 3), 0, 0x000f_000f_000f_ffff),
    ((3, 4), 0, 0x0000_0000_0000_ffff),
];

/// Whether a file consists of whole records and ends with the last one.
pub(super) fn is_replay(bytes: &[u8]) -> bool {
    bytes.len().is_multiple_of(RECORD) && bytes.ends_with(&END)
}

pub(super) fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    let [usual, other] = Counted::ALL.map(|counted| read_counted(bytes, counted));
    match (usual, other) {
        (Err(_), Ok(other)) => Ok(other),
        // The board at the end shows where the last tile came.
        (Ok(usual), Ok(other)) if !usual.notes.is_empty() && other.notes.is_empty() => Ok(other),
        // The right way of counting is the one that gets further.
        (Err(usual), Err(other)) if usual.place < other.place => Err(other),
        (usual, _) => usual,
    }
}

fn read_counted(bytes: &[u8], counted: Counted) -> Result<Imported, ImportError> {
    let records: Vec<&[u8]> = bytes.chunks_exact(RECORD).collect();
    let Some((end, turns)) = records.split_last() else {
        return Err(refused(None, "the file has no record"));
    };
    let Some(first) = turns.first() else {
        return Err(refused(
            None,
            "the file has no turn before its final record",
        ));
    };
    let part = Part::of(board_bits(first));
    let start = part
        .board(board_bits(first))
        .ok_or_else(|| refused(ImportPlace::Byte(0), OUTSIDE))?;
    let mut reading = Reading::begin(start);
    for (index, turn) in turns.iter().enumerate() {
        let at = index * RECORD;
        let board = part
            .board(board_bits(turn))
            .ok_or_else(|| refused(ImportPlace::Byte(at), OUTSIDE))?;
        if board != reading.at.board {
            let reason = format!(
                "the previous turns lead to {}, but the board of turn {} is {board}: some are missing, or two tiles that are \
                 too large for its table have merged",
                reading.at.board,
                index + 1
            );
            return Err(refused(ImportPlace::Byte(at), reason));
        }
        let change = turn[8];
        let spawn = part
            .cell(counted.place(usize::from(change >> 1 & 15)))
            .map(|cell| Spawn {
                cell,
                rank: if change & 1 == 0 {
                    Rank::TWO
                } else {
                    Rank::FOUR
                },
            });
        let wrong = |reason: String| {
            refused(
                ImportPlace::Byte(at + 8),
                format!("turn {}: {reason}", index + 1),
            )
        };
        let spawn = spawn.ok_or_else(|| wrong("its tile is outside the board".to_owned()))?;
        reading
            .play(Step {
                mv: MOVES[usize::from(change >> 5 & 3)],
                spawn,
            })
            .map_err(wrong)?;
    }

    let (last, reached) = (board_bits(end), reading.at.board);
    let is_reached = last == 0 || part.board(last) == Some(reached);
    let note = format!("the turns lead to {reached}, which is not the board in its last record");
    Ok(reading.finish(
        ImportKind::Endgame,
        Vec::from_iter((!is_reached).then_some(note)),
    ))
}

const OUTSIDE: &str = "a cell outside the board is not 15, as it is in the first record";

fn board_bits(record: &[u8]) -> u64 {
    record
        .iter()
        .take(8)
        .rev()
        .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// The cells in use.
struct Part {
    size: Size,
    first_row: u8,
    outside: u64,
}

impl Part {
    /// From the first board: the cells outside are all 15, and no other cell is.
    fn of(bits: u64) -> Self {
        let fifteens = (0..16)
            .filter(|place| bits >> (4 * place) & 15 == 15)
            .fold(0, |all, place| all | 15 << (4 * place));
        let part = PARTS
            .into_iter()
            .find(|(_, _, outside)| *outside == fifteens);
        let ((rows, cols), first_row, outside) = part.unwrap_or(((4, 4), 0, 0));
        Self {
            size: Size::new(rows, cols).unwrap_or(Size::FOUR),
            first_row,
            outside,
        }
    }

    fn board(&self, bits: u64) -> Option<Board> {
        let mut grid = Grid::empty(self.size);
        for cell in self.size.iter() {
            let place = 15 - (usize::from(cell.row + self.first_row) * 4 + usize::from(cell.col));
            grid.set(cell, Rank::new((bits >> (4 * place) & 15) as u8)?);
        }
        (bits & self.outside == self.outside).then(|| Board::from_grid(grid))
    }

    /// The cell of a nibble, counted from the lowest. `None` outside.
    fn cell(&self, place: usize) -> Option<Cell> {
        let index = (15 - place) as u8;
        let cell = Cell::new((index / 4).checked_sub(self.first_row)?, index % 4);
        self.size.contains(cell).then_some(cell)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Record;

    /// A game as such a file. `None` for sizes that the format does not have.
    pub(in crate::game::imported) fn written(record: &Record) -> Option<Vec<u8>> {
        written_as(record, Counted::InReadingOrder)
    }

    /// With the board at its end, and every second turn forced.
    fn written_as(record: &Record, counted: Counted) -> Option<Vec<u8>> {
        let size = record.rules.size;
        let part = match (size.rows(), size.cols()) {
            (4, 4) => Part {
                size,
                first_row: 0,
                outside: 0,
            },
            (rows, cols) => {
                let part = PARTS
                    .into_iter()
                    .find(|(shape, ..)| *shape == (rows as u8, cols as u8))?;
                Part {
                    size,
                    first_row: part.1,
                    outside: part.2,
                }
            }
        };

        let place =
            |cell: Cell| 15 - (usize::from(cell.row + part.first_row) * 4 + usize::from(cell.col));
        let bits = |board: Board| {
            let cells = board.cells();
            cells
                .fold(part.outside, |all, (cell, rank)| {
                    all | u64::from(rank.get()) << (4 * place(cell))
                })
                .to_le_bytes()
        };

        let moments = record.replay();
        let mut bytes = Vec::new();
        for (index, (moment, step)) in moments.iter().zip(&record.steps).enumerate() {
            bytes.extend(bits(moment.board));
            let mv = MOVES.iter().position(|&mv| mv == step.mv).expect("a move");
            let cell = counted.place(place(step.spawn.cell));
            bytes.push(
                ((index % 2) << 7
                    | mv << 5
                    | cell << 1
                    | usize::from(step.spawn.rank == Rank::FOUR)) as u8,
            );
            bytes.extend([0; 16]);
        }
        bytes.extend(bits(moments.last()?.board));
        bytes.extend(END);
        Some(bytes)
    }

    #[test]
    fn cells_are_counted_as_the_boards_say_and_the_last_one_by_the_board_at_the_end() {
        for size in ["2x4", "3x3", "3x4", "4x4"] {
            for moves in [1, 2, 40] {
                let record = crate::game::imported::tests::game(size, moves);
                for counted in Counted::ALL {
                    let mut bytes = written_as(&record, counted).expect(size);
                    let read = read(&bytes).expect(size);
                    assert_eq!(
                        (&read.record, read.notes),
                        (&record, Vec::new()),
                        "{size}, {moves} moves, {counted:?}"
                    );
                    // A final board that no turn leads to is reported. Without one the cell of the last tile is counted
                    // as usual.
                    let end = bytes.len() - RECORD;
                    bytes[end] ^= 1;
                    let notes = super::read(&bytes).expect(size).notes;
                    assert!(
                        matches!(&notes[..], [note] if note.contains("last record")),
                        "{notes:?}"
                    );
                    bytes[end..end + 8].fill(0);
                    assert!(super::read(&bytes).expect(size).notes.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_broken_turn_is_told_by_its_byte_however_cells_are_counted() {
        let record = crate::game::imported::tests::game("4x4", 40);
        for counted in Counted::ALL {
            let mut bytes = written_as(&record, counted).expect("4x4");
            bytes[38 * RECORD..][..8].fill(0xbb);
            let error = read(&bytes).expect_err("another board").to_string();
            assert!(
                error.starts_with(&format!("byte {}: ", 38 * RECORD)),
                "{counted:?}: {error}"
            );
        }
    }

    #[test]
    fn a_replay_by_hand_is_read() {
        // 2 and 2 in the first row slide left; a 4 comes on the last cell, number 15 in reading order.
        let mut bytes = 0x1100_0000_0000_0000_u64.to_le_bytes().to_vec();
        bytes.push(15 << 1 | 1);
        bytes.extend([0; 16]);
        bytes.extend([0; 8]);
        bytes.push(88);
        for number in [666_666_666_u32, 233_333_333, 314_159_265, 987_654_321] {
            bytes.extend(number.to_le_bytes());
        }
        let read = read(&bytes).expect("a replay").record;
        assert_eq!(read.start.to_string(), "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0");
        assert_eq!(
            read.replay()
                .last()
                .map(|last| last.board.to_string())
                .as_deref(),
            Some("4,0,0,0/0,0,0,0/0,0,0,0/0,0,0,4")
        );

        let none = super::read(&bytes[25..]).expect_err("no turn").to_string();
        assert_eq!(none, "the file has no turn before its final record");
    }
}
