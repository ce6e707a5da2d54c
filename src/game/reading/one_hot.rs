//! One-hot arrays: for each cell a list of channels. The channel of its tile is 1, the others are 0.
//!
//! The channels are the last dimension, as in TensorFlow, or the first one, as in PyTorch. The first channel is the empty
//! cell, so that channel *k* is the tile 2ᵏ, or it is the tile 2, and empty cells have no channel. If every cell has
//! exactly one channel, both are possible.

use super::rows::{Row, bits};
use super::{Board, Grid, ParseBoardError, Rank, ReadAs, Reading, Size};

/// The channels of each cell in reading order.
type Channels = Vec<Vec<bool>>;

/// Rows, columns and channels, in this order or with the channels first.
pub(super) fn of_blocks(
    blocks: &[Vec<Row<'_>>],
    read_as: &ReadAs,
) -> Result<Vec<Reading>, ParseBoardError> {
    let array: Option<Vec<Channels>> = blocks
        .iter()
        .map(|block| block.iter().map(|row| bits(row)).collect())
        .collect();
    let array = array.ok_or(ParseBoardError::Shape)?;
    let (height, width) = (array.len(), array.first().map_or(0, Vec::len));
    let depth = array
        .first()
        .and_then(|block| block.first())
        .map_or(0, Vec::len);
    if array
        .iter()
        .any(|block| block.len() != width || block.iter().any(|row| row.len() != depth))
    {
        return Err(ParseBoardError::Shape);
    }

    let last = || array.concat();
    let first = || {
        let cells = (0..width).flat_map(|row| (0..depth).map(move |col| (row, col)));
        cells
            .map(|(row, col)| array.iter().map(|block| block[row][col]).collect())
            .collect()
    };
    of_orders(
        [(size(height, width), &last), (size(width, depth), &first)],
        read_as,
    )
}

/// Cells and channels, or channels and cells, of a square board. `None` if the lists are no such array.
pub(super) fn of_cells(
    rows: &[Row<'_>],
    read_as: &ReadAs,
) -> Option<Result<Vec<Reading>, ParseBoardError>> {
    let array: Channels = rows.iter().map(|row| bits(row)).collect::<Option<_>>()?;
    let (height, width) = (array.len(), array.first()?.len());
    let has_tiles = array.iter().flatten().any(|&bit| bit);
    if !has_tiles || array.iter().any(|row| row.len() != width) || (height <= 5 && width <= 5) {
        return None;
    }
    let side = |cells: usize| (2..=5).find(|side| side * side == cells);
    let square = |cells| side(cells).and_then(|side| size(side, side));
    let last = || array.clone();
    let first = || {
        (0..width)
            .map(|cell| array.iter().map(|row| row[cell]).collect())
            .collect()
    };
    Some(of_orders(
        [(square(height), &last), (square(width), &first)],
        read_as,
    ))
}

fn size(rows: usize, cols: usize) -> Option<Size> {
    Size::new(u8::try_from(rows).ok()?, u8::try_from(cols).ok()?)
}

fn of_orders(
    orders: [(Option<Size>, &dyn Fn() -> Channels); 2],
    read_as: &ReadAs,
) -> Result<Vec<Reading>, ParseBoardError> {
    let mut found = Vec::new();
    let mut refused = None;
    for (size, cells) in orders {
        let Some(size) = size else { continue };
        match of_channels(size, &cells()) {
            Ok(readings) => found.extend(readings),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    if read_as.exponents {
        found.retain(|reading| reading.chosen_by.is_some());
    }
    if found.is_empty() {
        Err(refused.unwrap_or(ParseBoardError::Shape))
    } else {
        Ok(found)
    }
}

/// With the empty cell as the first channel, if every cell has a channel, and with the tile 2 as the first one.
fn of_channels(size: Size, cells: &[Vec<bool>]) -> Result<Vec<Reading>, ParseBoardError> {
    let marks = |cell: &[bool]| cell.iter().filter(|&&bit| bit).count();
    for (place, channels) in size.iter().zip(cells) {
        let (row, cell) = (usize::from(place.row) + 1, usize::from(place.col) + 1);
        let marks = marks(channels);
        if 1 < marks {
            return Err(ParseBoardError::Channels { row, cell, marks });
        }
    }

    let has_all = cells.iter().all(|cell| marks(cell) == 1);
    let board = |first: usize| {
        let mut grid = Grid::empty(size);
        for (place, channels) in size.iter().zip(cells) {
            let channel = channels
                .iter()
                .position(|&bit| bit)
                .map(|channel| channel + first);
            let rank = channel.map_or(Some(Rank::EMPTY), |channel| {
                u8::try_from(channel).ok().and_then(Rank::new)
            });
            grid.set(place, rank?);
        }
        Some(Board::from_grid(grid))
    };
    let exponents = ReadAs {
        exponents: true,
        ..ReadAs::default()
    };
    let with_empty = board(0)
        .filter(|_| has_all)
        .map(|board| Reading::of(board).chosen_by(exponents));
    let found: Vec<Reading> = with_empty
        .into_iter()
        .chain(board(1).map(Reading::of))
        .collect();
    if found.is_empty() {
        Err(ParseBoardError::Shape)
    } else {
        Ok(found)
    }
}
