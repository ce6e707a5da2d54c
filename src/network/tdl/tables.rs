//! The tables of a `.w` file, and what a file holds that is no table of a tuple.

use super::error::TablesError;
use super::packed::Input;
use crate::network::file::{LARGEST_WEIGHT, MemoryError, check_memory};
use crate::network::{Shape, Tuple};
use crate::task::reserve_large;
use crate::words;

/// The layout versions that are described in [`super`].
pub(super) const FILE: u8 = 0;
pub(super) const TABLE: u8 = 4;

/// The first byte of a file that does not end in `.w`: weights, or the cache of a search.
const WEIGHTS: u8 = b'w';
const CACHE: u8 = b'c';

/// Digits in the name of a table that has a stage.
pub(super) const STAGED_DIGITS: usize = 8;

/// Maximum number of tables, those of all stages.
const MOST_TABLES: u64 = 16 * Shape::MOST_TUPLES as u64;

/// The features of TDL2048+ besides tuples, by the names of their tables.
const FEATURES: [(&str, &str); 4] = [
    ("m@", "mono (whether the tiles of two lines rise or fall)"),
    ("num", "num (how many tiles of each size there are)"),
    ("merge", "merge (which lines have tiles to merge)"),
    ("max#", "max (the cells of the largest tile)"),
];

/// The tables of a file, in its order.
#[derive(Default)]
pub(super) struct Tables {
    /// The stage and the tuple of each.
    pub(super) names: Vec<(u32, String)>,
    /// All weights, those of the first table first.
    pub(super) weights: Vec<f32>,
}

impl Tables {
    pub(super) fn read(input: &mut Input<'_>) -> Result<Self, TablesError> {
        use TablesError::{Cache, Other, Several};
        let mut first = input.next_byte()?.ok_or(Other)?;
        if first == WEIGHTS {
            first = input.next_byte()?.ok_or(Other)?;
        }
        match first {
            FILE => {}
            CACHE => return Err(Cache),
            _ => return Err(Other),
        }
        let count = input.number::<4>().map_err(|error| {
            if error == TablesError::Early {
                Other
            } else {
                error
            }
        })?;
        if !(1..=MOST_TABLES).contains(&count) {
            return Err(Other);
        }

        let mut tables = Self::default();
        for _ in 0..count {
            tables.add(input)?;
        }
        match input.next_byte()? {
            None => Ok(tables),
            Some(WEIGHTS | FILE) if input.next_byte()?.is_some() => Err(Several),
            Some(_) => Err(Other),
        }
    }

    /// Reads a table.
    fn add(&mut self, input: &mut Input<'_>) -> Result<(), TablesError> {
        use TablesError::{HalfWeights, LongTuple, Other, TooMany};
        if input.number::<1>()? != u64::from(TABLE) {
            return Err(Other);
        }
        let mut name = [0; 8];
        input.fill(&mut name)?;
        let width = input.number::<2>()?;
        let length = input.number::<8>()?;
        let name = name_of(name, length).ok_or(Other)?;
        if let Some(&(_, feature)) = FEATURES.iter().find(|(begin, _)| name.starts_with(begin)) {
            return Err(TablesError::Feature { name, feature });
        }
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(TablesError::Unknown {
                name: words::one_line(&name),
            });
        }
        if Tuple::LONGEST < name.len() {
            return Err(LongTuple { name });
        }

        match width {
            4 | 8 => {}
            2 => return Err(HalfWeights),
            _ => return Err(Other),
        }
        let (stage, cells) = staged(&name, length);
        let needed = 1_u64 << (4 * cells.len());
        if length != needed {
            let found = words::plural(length, "weight");
            return Err(TablesError::Length {
                name,
                found,
                needed,
            });
        }
        let total = self.weights.len() as u64 + length;
        if Shape::MOST_WEIGHTS < total {
            return Err(TooMany(total));
        }

        let cells = cells.to_owned();
        self.add_weights(input, width as usize, length as usize)?;
        if !self.weights[(total - length) as usize..]
            .iter()
            .all(|weight| weight.abs() < LARGEST_WEIGHT)
        {
            return Err(TablesError::Weight { name });
        }
        self.names.push((stage, cells));
        skip_fields(input)
    }

    fn add_weights(
        &mut self,
        input: &mut Input<'_>,
        width: usize,
        length: usize,
    ) -> Result<(), TablesError> {
        /// Numbers that are read at once.
        const CHUNK: usize = 1 << 13;

        check_memory(4 * length as u64)?;
        if !reserve_large(&mut self.weights, length) {
            return Err(MemoryError::Refused.into());
        }
        let mut buffer = vec![0; width * CHUNK];
        for begin in (0..length).step_by(CHUNK) {
            let bytes = &mut buffer[..width * CHUNK.min(length - begin)];
            input.fill(bytes)?;
            match width {
                4 => self.weights.extend(
                    bytes
                        .as_chunks::<4>()
                        .0
                        .iter()
                        .map(|&bytes| f32::from_le_bytes(bytes)),
                ),
                _ => {
                    self.weights.extend(
                        bytes
                            .as_chunks::<8>()
                            .0
                            .iter()
                            .map(|&bytes| f64::from_le_bytes(bytes) as f32),
                    );
                }
            }
        }
        Ok(())
    }
}

/// Skips more fields of a table, such as coherences.
fn skip_fields(input: &mut Input<'_>) -> Result<(), TablesError> {
    loop {
        let width = input.number::<2>()?;
        if width == 0 {
            return Ok(());
        }
        let length = input.number::<8>()?;
        input.skip(width.checked_mul(length).ok_or(TablesError::Early)?)?;
    }
}

/// The name of a table: cells as digits, whose number is stated or follows from the length, or text.
fn name_of(name: [u8; 8], length: u64) -> Option<String> {
    let [a, b, c, d, low, high, 0, 0] = name else {
        let text = std::str::from_utf8(&name).ok()?;
        return Some(text.split(' ').next()?.to_owned());
    };
    let cells = u32::from_le_bytes([a, b, c, d]);
    let digits = match u16::from_le_bytes([low, high]) {
        0 => usize::try_from(length.checked_ilog2()? / 4).ok()?,
        digits => usize::from(digits),
    };
    // More than eight digits are refused, however many they are.
    let digits = digits.min(1 + Tuple::LONGEST);
    Some(format!("{cells:0digits$x}"))
}

/// The stage of a table, and its cells. With stages a name has eight digits: the cells at its end, and before them the
/// number of the stage, whose lowest digit comes first.
fn staged(name: &str, length: u64) -> (u32, &str) {
    let cells = (1..=Tuple::LONGEST).find(|&cells| length == 1 << (4 * cells));
    match cells {
        Some(cells) if name.len() == STAGED_DIGITS && cells < STAGED_DIGITS => {
            let (stage, cells) = name.split_at(STAGED_DIGITS - cells);
            let digits = stage.chars().rev().filter_map(|digit| digit.to_digit(16));
            (digits.fold(0, |stage, digit| stage << 4 | digit), cells)
        }
        _ => (0, name),
    }
}

/// The name of a table with a stage. `None` if the number of the stage has no room before the cells.
pub(super) fn staged_name(stage: u32, tuple: &Tuple) -> Option<String> {
    let cells = tuple.to_string();
    let digits = STAGED_DIGITS - cells.len();
    let stage: String = format!("{stage:0digits$x}").chars().rev().collect();
    Some(stage)
        .filter(|stage| digits != 0 && stage.len() == digits)
        .map(|stage| stage + &cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_table_has_its_stage_and_its_cells() {
        let shape: Shape = "012345 0123456 3".parse().expect("tuples");
        for (stage, tuple, name) in [
            (0, 0, Some("00012345")),
            (1, 0, Some("10012345")),
            (16, 0, Some("01012345")),
            (35, 0, Some("32012345")),
            (256, 0, None),
            (15, 1, Some("f0123456")),
            (16, 1, None),
            (0x123_4567, 2, Some("76543213")),
        ] {
            let tuple = &shape.tuples()[tuple];
            assert_eq!(
                staged_name(stage, tuple).as_deref(),
                name,
                "{stage} {tuple}"
            );
            if let Some(name) = name {
                assert_eq!(staged(name, tuple.weights()), (stage, &*tuple.to_string()));
            }
        }
    }
}
