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
//! The file may be packed as `.xz` or `.gz`. One that does not end in `.w` has the letter `w` before its first byte.
//!
//! Its networks look at 4×4 boards in all eight images, except for those that list each image as a table of its own,
//! such as 8x4patt and 9x4patt. The file does not say which, but tables that are images of each other show it, because
//! no named network of eight images has two such tables. [`TdlFile::images`] decides otherwise.
//!
//! With stages (`-n 4x6patt@2 -@ 0,16384`) the file has all tables once more for each stage, and the name of a table
//! has the number of its stage: 00012345, 10012345. The file does not say where a stage begins: [`TdlFile::stages`]
//! does.
//!
//! A board has one value here, whatever came before it: that of its own stage (see [`Stage`]). Programs that keep the
//! stage of a game have two values for a board that reaches a stage. TDL2048+ compares the slides of a turn by the tables
//! of the stage before them, and advances after the slide, by one stage at most. It trains such a board in the tables of
//! the stage that it reaches, so the choice of a slide never reads what was learned about it.
//!
//! Its other features (`mono`, `num`) are not evaluated, and its data for continued learning is not imported.
//!
//! Compared with its own output in both directions (TDL2048+ of commit a99f620, greedy games; two standard errors are
//! about 320 points for the first and 400 for the second): 4x5patt after 5,000 games of this program's training has a
//! mean of 24,578 over 4,000 games here and of 24,275 over 4,000 there; after 3,000 games of its own TC 29,902 here and
//! 29,846 there.
//!
//! After 10,000 games of its TC each, with 95 % intervals, here and there (4,000 games there): 5x4patt 29,083 (28,647
//! to 29,525, 4,000 games) and 29,442 (29,012 to 29,873), 8x4patt 24,962 (24,357 to 25,571, 1,000 games) and 24,403
//! (24,098 to 24,708). The values of single boards are the same, in stages as well: see the tests.
//!
//! With stages, the same training, and the means of 10,000 greedy games:
//!
//! | 5x4patt with stages from | TDL2048+ | stage of the board before the slide | stage of each afterstate, as here |
//! | --- | --- | --- | --- |
//! | 1024 | 38,662 (38,103 to 39,220) | 38,866 (38,304 to 39,428) | 39,036 (38,471 to 39,601) |
//! | 1024, 1024+512 | 40,169 (39,652 to 40,686) | 40,443 (39,929 to 40,956) | 36,680 (36,164 to 37,196) |
//!
//! The last two columns are of a program that plays by the code of TDL2048+ except for the choice of the stage. So the
//! stage of the slides is the whole difference. This program itself has 38,303 (37,751 to 38,861) with the first network.

mod error;
mod packed;
mod tables;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::path::Path;

use self::error::TablesError;
use self::packed::Input;
use self::tables::{FILE, TABLE, Tables, staged_name};
use super::file::LARGEST_FILE;
use super::{Network, NetworkError, NetworkInfo, Shape, ShapeError, Stage, Tuple};
use crate::files::{self, WriteError};
use crate::game::{Size, Symmetry};
use crate::words;

/// What a `.w` file does not state about its network.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TdlFile {
    /// Where each stage after the first begins.
    pub stages: Vec<Stage>,
    /// How many images of a board each table reads. `None` is eight, or one if tables are images of each other.
    pub images: Option<TdlImages>,
}

/// How many images of a board each table reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TdlImages {
    One,
    Eight,
}

/// Why tables of a `.w` file are no network. The text follows the name of the file.
#[derive(Debug, thiserror::Error)]
enum ReadTdlError {
    #[error(transparent)]
    Tables(#[from] TablesError),
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(
        "it has {count} stages, but a .w file does not say where they begin: add --stages with a tile for each after the \
         first, such as --stages 16384"
    )]
    StagesMissing { count: usize },
    #[error("it has {}, but --stages names {named} after the first: name {}", words::plural(*.count as u64, "stage"), .count - 1)]
    StagesCount { count: usize, named: usize },
    #[error("it has no stages: leave out --stages")]
    NoStages,
    #[error(
        "its tables are not in the order of their stages with the same tuples in each: train it as -n 4x6patt@2"
    )]
    StagesOrder,
}

impl Network {
    /// Reads a `.w` file.
    pub fn read_tdl(path: &Path, file: &TdlFile) -> Result<Self, NetworkError> {
        let input = files::open_to_read(path)?;
        let refused = |error: ReadTdlError| NetworkError::Refused {
            path: path.to_owned(),
            reason: error.to_string(),
        };
        let (shape, weights) = read(input, file).map_err(refused)?;
        let mut info = NetworkInfo::of(shape, None, Vec::new());
        info.header.note = format!(
            "imported from {}, weights of TDL2048+",
            files::name_of(path)
        );
        Ok(Self::new(info, weights))
    }

    /// The names of the tables of a stage. `None` if they have no room for the stage.
    fn tdl_names(&self, stage: usize) -> Option<Vec<String>> {
        let tuples = self.shape().tuples();
        match self.shape().stages() {
            [] => Some(tuples.iter().map(Tuple::to_string).collect()),
            _ => tuples
                .iter()
                .map(|tuple| staged_name(stage as u32, tuple))
                .collect(),
        }
    }

    /// The options with which TDL2048+ plays it, `-n 0123 4567`, or why it cannot be written as a `.w` file.
    pub fn tdl_options(&self) -> Result<String, &'static str> {
        const NO_ROOM: &str =
            "the names of its tables have no room for its stages: use shorter tuples";
        let shape = self.shape();
        if shape.size != Size::FOUR {
            return Err("TDL2048+ plays on 4x4 boards only");
        }
        let images = |tuple: &Tuple| {
            if shape.is_symmetric() {
                String::new()
            } else {
                format!(":{tuple}")
            }
        };
        if shape.stages().is_empty() {
            let names: Vec<String> = shape
                .tuples()
                .iter()
                .map(|tuple| format!("{tuple}{}", images(tuple)))
                .collect();
            return Ok(format!("-n {}", names.join(" ")));
        }

        let mut names = Vec::new();
        for stage in 0..=shape.stages().len() {
            for (tuple, name) in shape
                .tuples()
                .iter()
                .zip(self.tdl_names(stage).ok_or(NO_ROOM)?)
            {
                let mark = &name[..name.len() - tuple.cells().len()];
                names.push(format!("{tuple}|{mark:0<8}{}", images(tuple)));
            }
        }
        let stages: String = shape
            .stages()
            .iter()
            .map(|stage| format!(",{}", stage.sum()))
            .collect();
        Ok(format!("-n '{}' -@ 0{stages}", names.join(" ")))
    }

    /// Writes the weights as a `.w` file, completely or not at all.
    pub fn write_tdl(&self, path: &Path) -> Result<(), WriteError> {
        files::write_with(path, |out| {
            let stages = self.shape().stages().len() + 1;
            out.write_all(&[FILE])?;
            out.write_all(&((stages * self.shape().tuples().len()) as u32).to_le_bytes())?;
            for stage in 0..stages {
                let names = self.tdl_names(stage).ok_or(io::ErrorKind::InvalidInput)?;
                for (place, name) in names.iter().enumerate() {
                    write_table(out, name, self.table(stage, place))?;
                }
            }
            Ok(())
        })
    }
}

/// Reads the shape and the weights of a network, those of the first stage first.
fn read(input: impl io::BufRead, file: &TdlFile) -> Result<(Shape, Vec<f32>), ReadTdlError> {
    let Tables { names, weights } = Tables::read(&mut Input::new(input, LARGEST_FILE)?)?;
    let count = names
        .iter()
        .map(|(stage, _)| *stage as usize + 1)
        .max()
        .unwrap_or(1);
    let tuples: Vec<&str> = names
        .iter()
        .filter(|(stage, _)| *stage == 0)
        .map(|(_, cells)| cells.as_str())
        .collect();
    let expected =
        (0..count as u32).flat_map(|stage| tuples.iter().map(move |cells| (stage, *cells)));
    if !expected.eq(names.iter().map(|(stage, cells)| (*stage, cells.as_str()))) {
        return Err(ReadTdlError::StagesOrder);
    }

    match (count, file.stages.len()) {
        (1, 0) => {}
        (1, _) => return Err(ReadTdlError::NoStages),
        (_, 0) => return Err(ReadTdlError::StagesMissing { count }),
        (_, named) if named != count - 1 => return Err(ReadTdlError::StagesCount { count, named }),
        _ => {}
    }
    let tuples = tuples.join(" ");
    let is_symmetric = match file.images {
        Some(images) => images == TdlImages::Eight,
        None => !has_images(Shape::new(Size::FOUR, &tuples, true, &[])?.tuples()),
    };
    let shape =
        Shape::new(Size::FOUR, &tuples, is_symmetric, &[])?.with_stages(file.stages.clone())?;
    Ok((shape, weights))
}

/// Whether the cells of two tuples are images of each other.
fn has_images(tuples: &[Tuple]) -> bool {
    let cells = |tuple: &Tuple, image: Symmetry| {
        let cell = |&cell: &u8| image.index(usize::from(cell), Size::FOUR);
        tuple
            .cells()
            .iter()
            .map(cell)
            .fold(0_u16, |cells, cell| cells | 1 << cell)
    };
    tuples.iter().enumerate().any(|(place, one)| {
        let is_image = |other: &Tuple| {
            Symmetry::of(Size::FOUR)
                .any(|image| cells(one, image) == cells(other, Symmetry::IDENTITY))
        };
        tuples[..place].iter().any(is_image)
    })
}

/// Writes a table whose name are digits.
fn write_table(out: &mut (impl Write + ?Sized), name: &str, weights: &[f32]) -> io::Result<()> {
    let digits = name.chars().filter_map(|digit| digit.to_digit(16));
    let cells = digits.fold(0_u32, |cells, digit| cells << 4 | digit);
    out.write_all(&[TABLE])?;
    out.write_all(&cells.to_le_bytes())?;
    [name.len() as u16, 0, 4]
        .iter()
        .try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
    out.write_all(&(weights.len() as u64).to_le_bytes())?;
    weights.chunks(1 << 14).try_for_each(|chunk| {
        let bytes: Vec<u8> = chunk
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect();
        out.write_all(&bytes)
    })?;
    out.write_all(&0_u16.to_le_bytes())
}
