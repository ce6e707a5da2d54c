//! The value of every afterstate of a solved question, in memory and as a file.
//!
//! A file starts with one line of RON about its content. Then comes each layer: the numbers of its boards as
//! differences, seven bits in each byte with the eighth for "more follows", and a value of four bytes each, lowest
//! first. The file ends with the SHA-256 of everything before.
//!
//! Values are integer multiples of a power of two with which the largest fits 32 bits: on 3×3 of 2⁻¹⁸ points, below
//! 0.000004.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::{Bound, Goal, Question};
use crate::files::{self, WriteError};
use crate::game::{Board, Grid, Moves, Size};
use crate::kept::{Kept, KeptError, Kind};
use crate::math;

pub(super) static KIND: Kind = Kind {
    name: "solved table",
    format: "afterstate solved table",
    version: 1,
    ending: "solved",
    folder: "solved",
    // Five times the header of 3×3.
    longest_header: 1 << 17,
    example: "3x3",
    made_by: "afterstate solve --out writes one",
    again: "solve the board again",
    make: "afterstate solve --size {name} --out {name}",
};

/// Why a table cannot be loaded. The text names the file and the remedy.
pub type TableError = KeptError;

/// Afterstates of one sum of tiles in order, with their values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct TableLayer<V> {
    pub(super) sum: u64,
    pub(super) keys: Vec<u64>,
    pub(super) values: Vec<V>,
}

/// What the first line of a file says about a table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableInfo {
    pub question: Question,
    /// The value of the game, before its first tile.
    pub value: f64,
    /// Boards to move that games reach, symmetric images counted once.
    pub states: u64,
    /// Those without a legal slide.
    pub dead: u64,
    pub afterstates: u64,
    /// SHA-256 of the file in hexadecimal digits; empty if the table does not come from a file.
    pub sha256: String,
}

#[derive(Clone, Debug)]
pub struct Table {
    pub info: TableInfo,
    shape: Shape,
    /// Values are stored as multiples of this.
    step: f64,
    layers: Vec<TableLayer<u32>>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (&self.info, self.step, &self.layers) == (&other.info, other.step, &other.layers)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    size: Size,
    p4: f64,
    goal: Goal,
    value: f64,
    states: u64,
    dead: u64,
    /// A step is 2 to the power of minus this.
    bits: i32,
    /// Sum of tiles, and number of afterstates.
    layers: Vec<(u64, u64)>,
}

impl Table {
    pub(super) fn of(
        question: Question,
        shape: Shape,
        value: f64,
        [states, dead]: [u64; 2],
        layers: Vec<TableLayer<f64>>,
    ) -> Self {
        let largest = layers
            .iter()
            .flat_map(|layer| &layer.values)
            .copied()
            .fold(1.0, f64::max);
        let bits = 31 - math::log2(largest).ceil() as i32;
        let step = math::powi(0.5, bits);
        let steps = |layer: TableLayer<f64>| TableLayer {
            sum: layer.sum,
            keys: layer.keys,
            values: layer
                .values
                .iter()
                .map(|value| (value / step).round() as u32)
                .collect(),
        };
        let layers: Vec<TableLayer<u32>> = layers.into_iter().map(steps).collect();
        let afterstates = layers.iter().map(|layer| layer.keys.len() as u64).sum();
        let info = TableInfo {
            question,
            value,
            states,
            dead,
            afterstates,
            sha256: String::new(),
        };
        Self {
            info,
            shape,
            step,
            layers,
        }
    }

    /// The most that a value may differ from the exact one.
    pub fn precision(&self) -> f64 {
        self.step / 2.0
    }

    /// The value of this board after a slide, before the new tile; `None` if no game reaches it.
    pub fn afterstate(&self, board: &Board) -> Option<f64> {
        self.value_of(self.shape.key(board)?)
    }

    /// The same for a board that may be of another size.
    pub fn afterstate_of_grid(&self, grid: &Grid) -> Option<f64> {
        if grid.size() != self.shape.size() {
            return None;
        }
        self.value_of(self.shape.grid_key(grid)?)
    }

    /// Every afterstate with its value, by the sum of its tiles; symmetric images once.
    pub fn afterstates(&self) -> impl Iterator<Item = (Board, f64)> + '_ {
        self.layers.iter().flat_map(move |layer| {
            let value = move |(&key, &value): (&u64, &u32)| {
                (self.shape.board(key), f64::from(value) * self.step)
            };
            layer.keys.iter().zip(&layer.values).map(value)
        })
    }

    fn value_of(&self, key: u64) -> Option<f64> {
        if self.is_won(key) {
            return Some(1.0);
        }
        let sum = self.shape.tile_sum(key);
        let layer = &self.layers[self
            .layers
            .binary_search_by_key(&sum, |layer| layer.sum)
            .ok()?];
        let place = layer.keys.binary_search(&self.shape.canonical(key)).ok()?;
        Some(f64::from(layer.values[place]) * self.step)
    }

    fn is_won(&self, key: u64) -> bool {
        self.info
            .question
            .goal
            .tile()
            .is_some_and(|rank| rank.get() <= self.shape.largest(key))
    }

    /// The value of this board with the player to move: the maximum over its slides of reward and afterstate, 0 on a
    /// dead board; `None` if no game reaches it.
    pub fn board(&self, board: &Board) -> Option<f64> {
        let key = self.shape.key(board)?;
        if self.is_won(key) {
            return Some(1.0);
        }
        let mut best = None;
        for (_, slid) in self.shape.legal(key) {
            let value = self.slide_value(slid.key, slid.reward)?;
            best = Some(best.map_or(value, |best: f64| best.max(value)));
        }
        Some(best.unwrap_or(0.0))
    }

    /// The same for a board that may be of another size.
    pub fn board_of_grid(&self, grid: &Grid) -> Option<f64> {
        self.board(&Board::from_grid(*grid))
    }

    fn slide_value(&self, after: u64, reward: u32) -> Option<f64> {
        let points = if self.info.question.goal == Goal::Score {
            f64::from(reward)
        } else {
            0.0
        };
        Some(points + self.value_of(after)?)
    }

    /// The value of each legal slide, including its reward; `None` if no game reaches it.
    pub fn slides(&self, board: &Board) -> Option<crate::game::ByMove<Option<f64>>> {
        let key = self.shape.key(board)?;
        let mut values = crate::game::ByMove::default();
        for (mv, slid) in self.shape.legal(key) {
            values[mv] = Some(self.slide_value(slid.key, slid.reward)?);
        }
        Some(values)
    }

    /// The slides with the highest value.
    pub fn best(&self, board: &Board) -> Option<Moves> {
        let values = self.slides(board)?;
        let most = values
            .iter()
            .filter_map(|(_, value)| *value)
            .fold(f64::NEG_INFINITY, f64::max);
        Some(Moves::from_fn(|mv| values[mv] == Some(most)))
    }

    /// Writes the whole file or nothing; returns the information that a reader of the file gets.
    pub fn write(&self, path: &Path) -> Result<TableInfo, WriteError> {
        let TableInfo {
            question: Question { size, p4, goal },
            value,
            states,
            dead,
            ..
        } = self.info;
        let layers = self
            .layers
            .iter()
            .map(|layer| (layer.sum, layer.keys.len() as u64))
            .collect();
        let (format, version, bits) = (
            KIND.format.to_owned(),
            KIND.version,
            -math::log2(self.step) as i32,
        );
        let header = Header {
            format,
            version,
            size,
            p4,
            goal,
            value,
            states,
            dead,
            bits,
            layers,
        };
        let sha256 = KIND.write(path, &header, |out| self.write_layers(out))?;
        Ok(TableInfo {
            sha256,
            ..self.info.clone()
        })
    }

    fn write_layers(&self, out: &mut dyn Write) -> io::Result<()> {
        for layer in &self.layers {
            let mut bytes = Vec::with_capacity(7 * layer.keys.len());
            let mut before = 0;
            for &key in &layer.keys {
                let mut rest = key - before;
                before = key;
                while 0x80 <= rest {
                    bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
            }
            layer
                .values
                .iter()
                .for_each(|value| bytes.extend(value.to_le_bytes()));
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, TableError> {
        let damaged = |what| KIND.damaged(path, what);
        let (header, body, sha256): (Header, _, _) = KIND.split(path, bytes)?;
        let info = info_of(path, &header, sha256)?;
        let question = info.question;
        let shape = Shape::new(question.size);
        let mut rest = body;
        let mut layers = Vec::with_capacity(header.layers.len());
        for &(sum, count) in &header.layers {
            layers.push(read_layer(&mut rest, &shape, sum, count).map_err(
                |error| match error {
                    LayerError::Memory => KeptError::Memory {
                        kind: &KIND,
                        path: path.to_owned(),
                    },
                    LayerError::Unsound => damaged("a layer is invalid"),
                },
            )?);
        }
        if !rest.is_empty() || !layers.is_sorted_by(|a, b| a.sum < b.sum) {
            return Err(damaged("a layer is invalid"));
        }

        Ok(Self {
            info,
            shape,
            step: math::powi(0.5, header.bits),
            layers,
        })
    }
}

impl Bound {
    /// The most afterstates of a table.
    const LARGEST: u64 = 31_431_374;
}

impl Kept for Table {
    type Info = TableInfo;

    const KIND: &'static Kind = &KIND;

    fn read_info(path: &Path) -> Result<TableInfo, KeptError> {
        let (header, sha256) = KIND.read_header(path)?;
        info_of(path, &header, sha256)
    }

    fn read(path: &Path) -> Result<Self, KeptError> {
        let most = KIND.longest_header + Bound::LARGEST * 14;
        let bytes = files::read_bytes(path, most)?;
        Self::from_bytes(path, &bytes)
    }

    fn info(&self) -> TableInfo {
        self.info.clone()
    }

    fn sha256(info: &TableInfo) -> &str {
        &info.sha256
    }
}

fn info_of(path: &Path, header: &Header, sha256: String) -> Result<TableInfo, TableError> {
    let damaged = |what| KIND.damaged(path, what);
    let question = Question {
        size: header.size,
        p4: header.p4,
        goal: header.goal,
    };
    question
        .check()
        .map_err(|_| damaged("its first line is invalid"))?;
    let afterstates = header
        .layers
        .iter()
        .try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count));
    let bound = question.bound();
    let afterstates = afterstates
        .filter(|&count| count <= bound.afterstates)
        .ok_or_else(|| damaged("its first line states more boards than are possible"))?;
    let Header {
        value,
        states,
        dead,
        bits,
        ..
    } = *header;
    if bound.states < states || !value.is_finite() || !(0..=31).contains(&bits) {
        return Err(damaged("its first line is invalid"));
    }
    Ok(TableInfo {
        question,
        value,
        states,
        dead,
        afterstates,
        sha256,
    })
}

/// Why a layer was not read.
enum LayerError {
    Unsound,
    Memory,
}

fn read_layer(
    rest: &mut &[u8],
    shape: &Shape,
    sum: u64,
    count: u64,
) -> Result<TableLayer<u32>, LayerError> {
    use LayerError::{Memory, Unsound};
    // A board takes at least five bytes, so no more memory is allocated than the file justifies.
    let count = usize::try_from(count).ok().filter(|count| {
        count
            .checked_mul(5)
            .is_some_and(|bytes| bytes <= rest.len())
    });
    let count = count.ok_or(Unsound)?;
    let most = 1_u64 << (4 * shape.cells());
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    keys.try_reserve_exact(count).map_err(|_| Memory)?;
    values.try_reserve_exact(count).map_err(|_| Memory)?;
    let mut before = 0_u64;
    for place in 0..count {
        let difference = read_number(rest).ok_or(Unsound)?;
        let key = before
            .checked_add(difference)
            .filter(|&key| key < most && (place == 0 || before < key));
        let key = key
            .filter(|&key| shape.tile_sum(key) == sum)
            .ok_or(Unsound)?;
        keys.push(key);
        before = key;
    }

    let (bytes, behind) = rest.split_at_checked(4 * count).ok_or(Unsound)?;
    *rest = behind;
    values.extend(
        bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes)),
    );
    Ok(TableLayer { sum, keys, values })
}

fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..9 {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        number |= u64::from(byte & 0x7F) << (7 * place);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
