//! The shape of a network: which cells it looks at together.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Stage;
use crate::game::Size;
use crate::words;

/// Cells whose tiles are looked up together, in the written order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tuple(Vec<u8>);

impl Tuple {
    /// Maximum number of cells per tuple: 16⁸ weights are 16 GiB.
    pub const LONGEST: usize = 8;

    pub fn cells(&self) -> &[u8] {
        &self.0
    }

    /// Combinations of sixteen values per cell.
    pub fn weights(&self) -> u64 {
        1 << (4 * self.0.len())
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|cell| write!(f, "{cell:x}"))
    }
}

/// Why tuples cannot form a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    #[error("{} is not a tuple: write 1 to {} cells as hexadecimal digits in reading order, such as 012345", words::quoted(.0), Tuple::LONGEST)]
    Tuple(String),
    #[error("the tuple {tuple} names a cell twice")]
    Twice { tuple: Tuple },
    #[error("the tuple {tuple} names cell {cell:x}, but the cells of a {size} board end at {:x}", .size.cells() - 1)]
    Cell { tuple: Tuple, cell: u8, size: Size },
    #[error(
        "no network for {size} boards: a network has at most 16 cells, one hexadecimal digit each"
    )]
    Size { size: Size },
    #[error(
        "a network cannot have {count} tuples: write 1 to {}",
        Shape::MOST_TUPLES
    )]
    Count { count: usize },
    #[error(
        "{weights} weights are too many: at most {} are allowed",
        words::count(Shape::MOST_WEIGHTS)
    )]
    Weights { weights: String },
    #[error(
        "stages begin at tiles from 4 to 32768, or at several such as 16384+8192, each larger than the previous one"
    )]
    Stages,
}

/// The tuples, stages and symmetry of a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "ShapeText", into = "ShapeText")]
pub struct Shape {
    pub size: Size,
    tuples: Vec<Tuple>,
    symmetric: bool,
    stages: Vec<Stage>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Shape", deny_unknown_fields)]
struct ShapeText {
    #[serde(default = "four", skip_serializing_if = "is_four")]
    size: Size,
    tuples: String,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    symmetric: bool,
    /// The start of each further stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stages: Vec<Stage>,
}

fn four() -> Size {
    Size::FOUR
}

fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_four(size: &Size) -> bool {
    *size == Size::FOUR
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_yes(yes: &bool) -> bool {
    *yes
}

/// A named shape.
#[derive(Clone, Copy, Debug)]
pub struct NamedShape {
    pub name: &'static str,
    pub tuples: &'static str,
    pub symmetric: bool,
    /// The publication.
    pub source: &'static str,
}

const STRAIGHT_AND_SQUARE: &str =
    "0123 4567 89ab cdef 048c 159d 26ae 37bf 0145 1256 2367 4589 569a 67ab 89cd 9ade abef";

/// All named shapes.
pub const NAMED: [NamedShape; 7] = [
    NamedShape {
        name: "4x6patt",
        tuples: "012345 456789 012456 45689a",
        symmetric: true,
        source: "Yeh, Wu, Hsueh, Chang, Liang and Chiang, Multistage temporal difference learning for 2048-like games, 2017",
    },
    NamedShape {
        name: "5x6patt",
        tuples: "012345 456789 89abcd 012456 45689a",
        symmetric: true,
        source: "Guei, TDL2048+, 2021",
    },
    NamedShape {
        name: "8x6patt",
        tuples: "012456 456789 012345 234569 01259a 345678 134567 01489a",
        symmetric: true,
        source: "Matsuzaki, Systematic selection of n-tuple networks with consideration of interinfluence for game 2048, 2016",
    },
    NamedShape {
        name: "4x5patt",
        tuples: "01234 45678 01245 45689",
        symmetric: true,
        source: "Guei, TDL2048+, 2021",
    },
    NamedShape {
        name: "5x4patt",
        tuples: "0123 4567 0145 1256 569a",
        symmetric: true,
        source: "the rows and squares of Szubert and Jaśkowski, with weights shared by all images",
    },
    NamedShape {
        name: "17x4",
        tuples: STRAIGHT_AND_SQUARE,
        symmetric: false,
        source: "Szubert and Jaśkowski, Temporal difference learning of n-tuple networks for the game 2048, 2014",
    },
    NamedShape {
        name: "2x4+2x6",
        tuples: "0123 4567 012456 45689a",
        symmetric: true,
        source: "Szubert and Jaśkowski 2014: two straight 4-tuples and two rectangular 6-tuples under symmetric sampling",
    },
];

impl Shape {
    pub const MOST_TUPLES: usize = 32;
    /// Table indices have 32 bits.
    pub const MOST_WEIGHTS: u64 = 1 << 32;

    /// With stages that begin at tiles with these sums; see [`Stage::of_sum`].
    pub fn new(
        size: Size,
        tuples: &str,
        symmetric: bool,
        stages: &[u64],
    ) -> Result<Self, ShapeError> {
        let stages: Option<Vec<Stage>> = stages.iter().map(|&tiles| Stage::of_sum(tiles)).collect();
        Self::of(size, tuples, symmetric, stages.ok_or(ShapeError::Stages)?)
    }

    fn of(
        size: Size,
        tuples: &str,
        symmetric: bool,
        stages: Vec<Stage>,
    ) -> Result<Self, ShapeError> {
        if 16 < size.cells() {
            return Err(ShapeError::Size { size });
        }
        let read = |text: &str| -> Result<Tuple, ShapeError> {
            let cells = text
                .chars()
                .map(|digit| digit.to_digit(16).map(|cell| cell as u8))
                .collect::<Option<Vec<u8>>>();
            let cells = cells.filter(|cells| (1..=Tuple::LONGEST).contains(&cells.len()));
            let tuple = Tuple(cells.ok_or_else(|| ShapeError::Tuple(text.to_owned()))?);
            if let Some(&cell) = tuple
                .0
                .iter()
                .find(|&&cell| size.cells() <= usize::from(cell))
            {
                return Err(ShapeError::Cell { tuple, cell, size });
            }
            let is_twice = tuple
                .0
                .iter()
                .enumerate()
                .any(|(place, cell)| tuple.0[..place].contains(cell));
            if is_twice {
                Err(ShapeError::Twice { tuple })
            } else {
                Ok(tuple)
            }
        };

        let tuples: Vec<Tuple> = tuples
            .split_whitespace()
            .map(read)
            .collect::<Result<_, _>>()?;
        if tuples.is_empty() || Self::MOST_TUPLES < tuples.len() {
            return Err(ShapeError::Count {
                count: tuples.len(),
            });
        }
        if !stages.is_sorted_by(|a, b| a < b) {
            return Err(ShapeError::Stages);
        }

        let shape = Self {
            size,
            tuples,
            symmetric,
            stages,
        };
        if Self::MOST_WEIGHTS < shape.weights() {
            return Err(ShapeError::Weights {
                weights: words::count(shape.weights()),
            });
        }
        Ok(shape)
    }

    /// One of [`NAMED`].
    pub fn named(name: &str) -> Option<Self> {
        let named = NAMED.iter().find(|named| named.name == name)?;
        Self::new(Size::FOUR, named.tuples, named.symmetric, &[]).ok()
    }

    /// Its name without stages.
    pub fn name(&self) -> Option<&'static str> {
        let is_it = |named: &&NamedShape| {
            named.symmetric == self.symmetric && named.tuples == self.tuples_text()
        };
        NAMED
            .iter()
            .filter(|_| self.size == Size::FOUR)
            .find(is_it)
            .map(|named| named.name)
    }

    pub fn with_stages(self, stages: Vec<Stage>) -> Result<Self, ShapeError> {
        Self::of(self.size, &self.tuples_text(), self.symmetric, stages)
    }

    pub fn tuples(&self) -> &[Tuple] {
        &self.tuples
    }

    pub fn tuples_text(&self) -> String {
        self.tuples
            .iter()
            .map(Tuple::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Whether the images of a board are read as well, with the same weights.
    pub fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    /// The start of each stage after the first.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Weights of one stage.
    pub fn stage_weights(&self) -> u64 {
        self.tuples.iter().map(Tuple::weights).sum()
    }

    pub fn weights(&self) -> u64 {
        self.stage_weights() * (self.stages.len() as u64 + 1)
    }

    /// The start of each tuple's table within a stage.
    pub fn offsets(&self) -> impl Iterator<Item = u64> {
        self.tuples.iter().scan(0, |end, tuple| {
            let begin = *end;
            *end += tuple.weights();
            Some(begin)
        })
    }

    /// The number of weights in the sum of one board.
    pub fn terms(&self) -> usize {
        self.tuples.len() * self.images()
    }

    /// The number of images that are read.
    pub fn images(&self) -> usize {
        match (self.symmetric, self.size.rows() == self.size.cols()) {
            (false, _) => 1,
            (true, true) => 8,
            (true, false) => 4,
        }
    }

    /// `4x6patt`, or its tuples; with its stages.
    pub fn label(&self) -> String {
        let name = self
            .name()
            .map_or_else(|| self.tuples_text(), str::to_owned);
        match self.stages.as_slice() {
            [] => name,
            stages => {
                let from: Vec<String> = stages.iter().map(Stage::to_string).collect();
                format!("{name}, stages from {}", words::list(&from))
            }
        }
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    /// A name, or tuples for 4×4 boards that share weights.
    fn from_str(text: &str) -> Result<Self, ShapeError> {
        Self::named(text.trim()).map_or_else(|| Self::new(Size::FOUR, text, true, &[]), Ok)
    }
}

impl TryFrom<ShapeText> for Shape {
    type Error = ShapeError;

    fn try_from(text: ShapeText) -> Result<Self, ShapeError> {
        match Self::named(&text.tuples) {
            Some(named) if text.size == Size::FOUR => named.with_stages(text.stages),
            _ => Self::of(text.size, &text.tuples, text.symmetric, text.stages),
        }
    }
}

impl From<Shape> for ShapeText {
    fn from(shape: Shape) -> Self {
        Self {
            size: shape.size,
            tuples: shape.tuples_text(),
            symmetric: shape.symmetric,
            stages: shape.stages,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_shapes_have_the_weights_that_are_published() {
        for (name, weights, terms) in [
            ("4x6patt", 4 << 24, 32),
            ("5x6patt", 5 << 24, 40),
            ("8x6patt", 8 << 24, 64),
            ("4x5patt", 4 << 20, 32),
            ("5x4patt", 5 << 16, 40),
            ("17x4", 17 << 16, 17),
            ("2x4+2x6", (2 << 16) + (2 << 24), 32),
        ] {
            let shape: Shape = name.parse().expect(name);
            assert_eq!(
                (shape.weights(), shape.terms(), shape.name()),
                (weights, terms, Some(name))
            );
            let text = crate::ron_text::one_line(&shape).expect("text");
            assert_eq!(
                crate::ron_text::read::<Shape>(&text).as_ref(),
                Ok(&shape),
                "{text}"
            );
        }

        let stages = ["8192", "16384", "8192+16384"].map(|text| text.parse().expect("a stage"));
        let staged = Shape::named("4x5patt")
            .expect("named")
            .with_stages(stages.to_vec())
            .expect("sound");
        assert_eq!(staged.weights(), 4 * (4 << 20));
        assert_eq!(
            staged.label(),
            "4x5patt, stages from 8192, 16384 and 16384+8192"
        );
        let text = crate::ron_text::one_line(&staged).expect("text");
        assert!(
            text.contains(r#"stages: [8192, 16384, "16384+8192"]"#)
                || text.contains(r#"stages:[8192,16384,"16384+8192"]"#),
            "{text}"
        );

        assert_eq!(crate::ron_text::read::<Shape>(&text).as_ref(), Ok(&staged));
    }

    #[test]
    fn what_is_no_network_is_refused_in_one_sentence() {
        for (size, tuples, stages, words) in [
            (
                "4x4",
                "0123 45x",
                &[] as &[u64],
                "\"45x\" is not a tuple: write 1 to 8 cells",
            ),
            ("4x4", "012345678", &[], "is not a tuple"),
            ("4x4", "0120", &[], "the tuple 0120 names a cell twice"),
            (
                "3x3",
                "0129",
                &[],
                "the tuple 0129 names cell 9, but the cells of a 3x3 board end at 8",
            ),
            ("4x5", "01", &[], "no network for 4x5 boards"),
            ("4x4", "", &[], "a network cannot have 0 tuples"),
            (
                "4x4",
                "01234567 12345678",
                &[],
                "8,589,934,592 weights are too many",
            ),
            ("4x4", "01", &[2048, 1024], "stages begin at tiles"),
            ("4x4", "01", &[3], "stages begin at tiles"),
        ] {
            let error = Shape::new(size.parse().expect("a size"), tuples, true, stages)
                .expect_err(words)
                .to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{error}");
        }
    }
}
