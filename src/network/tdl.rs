//! Weights of another program: the `.w` files of TDL2048+ (Guei, *TDL2048+*, 2021).
//!
//! All numbers are little-endian:
//!
//! ```text
//! u8 0, u32 tables
//! each table:  u8 4
//!              u32 cells as hexadecimal digits, u16 how many, u16 0      or eight bytes of text, padded with blanks
//!              u16 bytes of a number, u64 numbers, the weights           the first cell counts fastest
//!              u16 bytes of a number, u64 numbers, the numbers           more fields, such as coherences, until
//!              u16 0
//! ```
//!
//! Its networks look at 4×4 boards in all eight images, except for those that list each image as a table of its own,
//! such as 8x4patt and 9x4patt. The file does not say which, but tables that are images of each other show it, because
//! no network of eight images has two such tables. Files with such tables are refused. Its data for continued learning
//! is not imported.
//!
//! Compared with its own output in both directions (TDL2048+ of commit a99f620, greedy games; two standard errors are
//! about 320 points for the first and 400 for the second): 4x5patt after 5,000 games of this program's training has a
//! mean of 24,578 over 4,000 games here and of 24,275 over 4,000 there; after 3,000 games of its own TC 29,902 here and
//! 29,846 there.

use std::io::{self, Write};
use std::path::Path;

use super::file::{LARGEST_FILE, LARGEST_WEIGHT, check_memory};
use super::{Network, NetworkError, NetworkInfo, Shape, Tuple};
use crate::files::{self, WriteError};
use crate::game::{Size, Symmetry};
use crate::words;

/// The layout versions that are described here.
const FILE: u8 = 0;
const TABLE: u8 = 4;

/// Reads a file from start to end. `None` at its end.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(count).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn number<const N: usize>(&mut self) -> Option<u64> {
        let bytes = self.take(N as u64)?;
        Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}

/// A table as stored in a file.
struct RawTable<'a> {
    cells: String,
    /// Bytes per number.
    width: u64,
    weights: &'a [u8],
}

impl Network {
    /// Reads a `.w` file.
    pub fn read_tdl(path: &Path) -> Result<Self, NetworkError> {
        let refused = |reason: String| NetworkError::Refused { path: path.to_owned(), reason };
        let bytes = files::read_bytes(path, LARGEST_FILE)?;
        let tables = tables(&bytes).map_err(|error| refused(error.to_string()))?;
        let names: Vec<&str> = tables.iter().map(|table| table.cells.as_str()).collect();
        let shape = Shape::new(Size::FOUR, &names.join(" "), true, &[]).map_err(|error| refused(error.to_string()))?;
        if let Some([one, other]) = images(shape.tuples()) {
            return Err(refused(format!(
                "its tables {one} and {other} are images of each other (as in 8x4patt): export a network whose weights \
                 TDL2048+ shares over all eight images, such as 4x6patt"
            )));
        }

        check_memory(shape.weights() * 4).map_err(|error| refused(error.to_string()))?;
        let mut weights: Vec<f32> = Vec::with_capacity(shape.weights() as usize);
        for (table, tuple) in tables.iter().zip(shape.tuples()) {
            if table.weights.len() as u64 != tuple.weights() * table.width {
                let found = words::count(table.weights.len() as u64 / table.width);
                let wanted = words::count(tuple.weights());
                return Err(refused(format!("its table {tuple} has {found} weights, but the tuple needs {wanted}")));
            }
            match table.width {
                4 => weights.extend(table.weights.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))),
                _ => weights
                    .extend(table.weights.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes) as f32)),
            }
        }
        if !weights.iter().all(|weight| weight.abs() < LARGEST_WEIGHT) {
            return Err(refused("a weight is too large or not a number".to_owned()));
        }

        let mut info = NetworkInfo::of(shape, None, Vec::new());
        info.header.note = format!("imported from {}, weights of TDL2048+", files::name_of(path));
        Ok(Self::new(info, weights))
    }

    /// Why it cannot be written as a `.w` file, if it cannot.
    pub fn tdl_problem(&self) -> Option<&'static str> {
        let shape = self.shape();
        match () {
            () if shape.size != Size::FOUR => Some("TDL2048+ plays on 4x4 boards only"),
            () if !shape.is_symmetric() => {
                Some("it does not share its weights over the eight images, as TDL2048+ does")
            }
            () if !shape.stages().is_empty() => Some("it has stages, which a .w file cannot hold"),
            () => None,
        }
    }

    /// Writes the weights as a `.w` file, completely or not at all.
    pub fn write_tdl(&self, path: &Path) -> Result<(), WriteError> {
        files::write_with(path, |out| {
            out.write_all(&[FILE])?;
            out.write_all(&(self.shape().tuples().len() as u32).to_le_bytes())?;
            let tables = self.shape().tuples().iter().enumerate();
            tables.into_iter().try_for_each(|(place, tuple)| {
                // A tuple has at most eight digits.
                let cells = tuple.cells().iter().fold(0_u32, |cells, &cell| cells << 4 | u32::from(cell));
                out.write_all(&[TABLE])?;
                out.write_all(&cells.to_le_bytes())?;
                [tuple.cells().len() as u16, 0, 4]
                    .iter()
                    .try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
                out.write_all(&tuple.weights().to_le_bytes())?;
                write_floats(out, self.table(0, place))?;
                out.write_all(&0_u16.to_le_bytes())
            })
        })
    }
}

/// Two tuples whose cells are images of each other, if there are any.
fn images(tuples: &[Tuple]) -> Option<[&Tuple; 2]> {
    let cells = |tuple: &Tuple, image: Symmetry| {
        let cell = |&cell: &u8| image.index(usize::from(cell), Size::FOUR);
        tuple.cells().iter().map(cell).fold(0_u16, |cells, cell| cells | 1 << cell)
    };
    let of_others =
        tuples.iter().enumerate().flat_map(|(place, one)| tuples[..place].iter().map(move |other| [other, one]));
    of_others.into_iter().find(|[one, other]| {
        Symmetry::of(Size::FOUR).any(|image| cells(one, image) == cells(other, Symmetry::IDENTITY))
    })
}

fn write_floats(out: &mut (impl Write + ?Sized), weights: &[f32]) -> io::Result<()> {
    weights.chunks(1 << 14).try_for_each(|chunk| {
        let bytes: Vec<u8> = chunk.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        out.write_all(&bytes)
    })
}

/// Why a file has no tables that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum TablesError {
    #[error("this file of weights ends early: restore a copy")]
    Early,
    #[error("this is not a file of weights of TDL2048+, or its version is not supported")]
    Other,
    #[error("its weights have 16 bits: let TDL2048+ write weights of 32 bits")]
    HalfWeights,
}

/// The tables of a file.
fn tables(bytes: &[u8]) -> Result<Vec<RawTable<'_>>, TablesError> {
    use TablesError::{Early, HalfWeights, Other};
    let mut rest = Bytes(bytes);
    if rest.number::<1>() != Some(FILE.into()) {
        return Err(Other);
    }

    let count = rest.number::<4>().ok_or(Other)?;
    if !(1..=Shape::MOST_TUPLES as u64).contains(&count) {
        return Err(Other);
    }

    let mut tables = Vec::new();
    for _ in 0..count {
        if rest.number::<1>().ok_or(Early)? != u64::from(TABLE) {
            return Err(Other);
        }
        let name = rest.take(8).ok_or(Early)?;
        let width = rest.number::<2>().ok_or(Early)?;
        let length = rest.number::<8>().ok_or(Early)?;
        if width == 2 {
            return Err(HalfWeights);
        }
        if width != 4 && width != 8 {
            return Err(Other);
        }

        let cells = cells(name, length).ok_or(Other)?;
        let weights = length.checked_mul(width).and_then(|size| rest.take(size)).ok_or(Early)?;
        loop {
            let field = rest.number::<2>().ok_or(Early)?;
            if field == 0 {
                break;
            }
            let length = rest.number::<8>().ok_or(Early)?;
            field.checked_mul(length).and_then(|size| rest.take(size)).ok_or(Early)?;
        }

        tables.push(RawTable { cells, width, weights });
    }

    if rest.0.is_empty() { Ok(tables) } else { Err(Other) }
}

/// The name of a table: cells as digits, whose number is stated or follows from the length, or text.
fn cells(name: &[u8], length: u64) -> Option<String> {
    let [a, b, c, d, low, high, 0, 0] = *name else {
        let text = std::str::from_utf8(name).ok()?;
        return Some(text.trim_end().to_owned());
    };
    let digits = match u16::from_le_bytes([low, high]) {
        0 => usize::try_from(length.checked_ilog2()? / 4).ok()?,
        digits => usize::from(digits),
    };
    let cells = u32::from_le_bytes([a, b, c, d]);
    (digits <= 8).then(|| format!("{cells:0digits$x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(tuples: &str) -> Network {
        let shape: Shape = tuples.parse().expect("tuples");
        let weights = (0..shape.weights()).map(|place| (place * 37 % 1009) as f32 / 8.0 - 40.0).collect();
        Network::new(NetworkInfo::of(shape, None, Vec::new()), weights)
    }

    /// The layout byte by byte, as TDL2048+ writes it.
    #[test]
    fn a_file_is_read_as_it_is_laid_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("own.w");
        let network = network("01 5a");
        network.write_tdl(&path).expect("writable");
        let floats = |place: usize| network.table(0, place).iter().flat_map(|weight| weight.to_le_bytes());
        let head = |name: u8| [4, name, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        let mut expected = vec![0, 2, 0, 0, 0];
        for (name, place) in [(0x01, 0), (0x5a, 1)] {
            expected.extend(head(name));
            expected.extend(floats(place));
            expected.extend([0, 0]);
        }
        assert_eq!(std::fs::read(&path).expect("readable"), expected);

        let read = Network::read_tdl(&path).expect("a network");
        assert_eq!((read.shape(), read.weights()), (network.shape(), network.weights()));

        // With coherences, as text, in 64 bits, and without the number of cells.
        let mut other = vec![0, 2, 0, 0, 0, 4];
        other.extend(b"01      ");
        other.extend([8, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        other.extend(network.table(0, 0).iter().flat_map(|weight| f64::from(*weight).to_le_bytes()));
        other.extend([4, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
        other.extend([7; 4 * 512]);
        other.extend([0, 0]);
        let mut second = head(0x5a);
        second[5] = 0;
        other.extend(second);
        other.extend(floats(1));
        other.extend([0, 0]);
        std::fs::write(&path, &other).expect("writable");
        let read = Network::read_tdl(&path).expect("a network");
        assert_eq!((read.shape(), read.weights()), (network.shape(), network.weights()));
    }

    /// `8x4patt` and `9x4patt` of TDL2048+ use each table once, all others use all tables in eight images.
    #[test]
    fn tables_that_are_images_of_each_other_are_not_read_in_eight_images() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("once.w");
        for tuples in [
            "0123 4567 89ab cdef 048c 159d 26ae 37bf",
            "0145 1256 2367 4589 569a 67ab 89cd 9ade abef",
            "012 048",
            "01 5a 32",
        ] {
            network(tuples).write_tdl(&path).expect("writable");
            let error = Network::read_tdl(&path).expect_err(tuples).to_string();
            assert!(error.contains("once.w: its tables ") && !error.contains('\n'), "{error}");
        }

        for shape in super::super::NAMED.iter().filter(|shape| shape.symmetric) {
            let shape = Shape::new(Size::FOUR, shape.tuples, true, &[]).expect("a shape");
            assert_eq!(images(shape.tuples()), None, "{}", shape.label());
        }
    }

    #[test]
    fn what_is_no_file_of_weights_is_refused_in_one_sentence() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("odd.w");
        network("01 5a").write_tdl(&path).expect("writable");
        let whole = std::fs::read(&path).expect("readable");
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("writable");
            let error = Network::read_tdl(&path).expect_err("refused").to_string();
            assert!(error.contains("odd.w: ") && !error.contains('\n'), "{error}");
            error
        };

        for cut in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
            refused(&whole[..cut]);
        }
        let changed = |place: usize, bytes: &[u8]| {
            let mut changed = whole.clone();
            changed[place..place + bytes.len()].copy_from_slice(bytes);
            refused(&changed)
        };

        for (place, bytes, words) in [
            (0, &[1][..], "this is not a file of weights of TDL2048+"),
            (1, &[0xFF; 4], "this is not a file of weights of TDL2048+"),
            (6, &[0x11], "the tuple 11 names a cell twice"),
            (10, &[1], "its table 1 has 256 weights, but the tuple needs 16"),
            (10, &[9], "this is not a file"),
            (14, &[2], "its weights have 16 bits"),
            (16, &[0xFF; 8], "ends early"),
            (16, &[0, 0, 0, 0, 0, 0, 0, 0x20], "ends early"),
            (24, &f32::NAN.to_le_bytes(), "too large or not a number"),
        ] {
            let error = changed(place, bytes);
            assert!(error.contains(words), "{place}: {error}");
        }

        refused(&[&whole[..], &[0]].concat());
        let staged =
            Shape::named("5x4patt").expect("named").with_stages(vec!["512".parse().expect("a stage")]).expect("sound");
        let weights = vec![0.0; staged.weights() as usize];
        let staged = Network::new(NetworkInfo::of(staged, None, Vec::new()), weights);
        assert!(staged.tdl_problem().is_some_and(|reason| reason.contains("stages")));
        assert_eq!(network("01").tdl_problem(), None);
    }
}
