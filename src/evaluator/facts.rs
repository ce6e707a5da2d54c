//! Everything that is said about a kind of evaluator, in one table.
//!
//! Names, the palette of the builder, its pictures, the glossary, and the letters of compositions are read from it. That no
//! kind lacks a row is what the compiler sees to; [`Evaluator::palette`] has one of each kind, as a test makes sure of.

use super::Evaluator;

/// What there is to say about a kind of evaluator, whatever its parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// As RON and the command line write it.
    pub name: &'static str,
    /// What it measures, in a few words.
    pub about: &'static str,
    /// What it means, in two lines of the glossary.
    pub lines: [&'static str; 2],
    pub formula: &'static str,
    /// Who published it, with the section.
    pub source: &'static str,
    /// The letter of a composition.
    pub letter: Option<char>,
    /// How the palette offers it by itself; `None` of those that are nothing without parameters.
    pub palette: Option<Offer>,
    /// What it looks at on sixteen cells in reading order: a level from 0 to 6 each, or `.` for a hollow one. Empty where the
    /// parameters say it.
    pub picture: &'static str,
    /// Whether a board and its rotations and reflections always have the same value; of those with parameters whether it may
    /// be so.
    pub is_symmetric: bool,
}

/// A tile of the palette.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Two lines that explain it, the first short enough to stand below the name.
    pub lines: [&'static str; 2],
    /// Who published it; may be empty.
    pub source: &'static str,
}

impl Offer {
    const fn new(short: &'static str, long: &'static str, source: &'static str) -> Option<Self> {
        Some(Self { lines: [short, long], source })
    }
}

/// Who published evaluators and searches, as the palette names them.
pub(crate) mod source {
    pub(crate) const KOHLER: &str = "Kohler, Migler and Khosmood, FDG 2019";
    pub(crate) const SOLVER: &str = "Fried, Goldberger and Gavorova, 2048 solver";
    pub(crate) const ASSIGNMENT: &str = "Molla, Garen, Ripoll and Beckhauser, DTU 2025";
}
use source::{ASSIGNMENT, KOHLER, SOLVER};

impl Evaluator {
    /// The row of the table.
    pub const fn facts(&self) -> &'static Facts {
        match self {
            Self::Score => {
                const {
                    &Facts {
                        name: "Score",
                        about: "points so far",
                        lines: [
                            "Points so far, those of the slide included",
                            "Alone it is greedy play: the largest merge is taken",
                        ],
                        formula: "v = s",
                        source: "Kohler, Migler and Khosmood 2019, letter g",
                        letter: Some('g'),
                        palette: Offer::new(
                            "points so far",
                            "Takes the largest merge; alone it is greedy play",
                            KOHLER,
                        ),
                        picture: "5511111111111111",
                        is_symmetric: true,
                    }
                }
            }
            Self::Empty => {
                const {
                    &Facts {
                        name: "Empty",
                        about: "number of empty cells",
                        lines: [
                            "Number of empty cells after the slide",
                            "More room, later death; merges are what makes room",
                        ],
                        formula: "v = number of empty cells",
                        source: "Kohler, Migler and Khosmood 2019, letter e",
                        letter: Some('e'),
                        palette: Offer::new("number of empty cells", "Keeps room for the tiles to come", KOHLER),
                        picture: "1..1.1..1.....11",
                        is_symmetric: true,
                    }
                }
            }
            Self::Uniformity => {
                const {
                    &Facts {
                        name: "Uniformity",
                        about: "Σ (tiles of a value)³",
                        lines: [
                            "Many tiles of the same value",
                            "The cube rewards large groups; empty cells are no value",
                        ],
                        formula: "v = Σ (tiles of a value)³",
                        source: "Kohler, Migler and Khosmood 2019, letter u",
                        letter: Some('u'),
                        palette: Offer::new("Σ (tiles of a value)³", "Likes many tiles of the same value", KOHLER),
                        picture: "1114114416116611",
                        is_symmetric: true,
                    }
                }
            }
            Self::Monotonicity => {
                const {
                    &Facts {
                        name: "Monotonicity",
                        about: "ordered pairs of neighbours, best turn",
                        lines: [
                            "Pairs of neighbours in order, counted in the best of four turns",
                            "At most 24 on 4 × 4; an empty cell is 0",
                        ],
                        formula: "v = max over turns of #(a ≥ b)",
                        source: "Kohler, Migler and Khosmood 2019, Algorithm 2, letter m",
                        letter: Some('m'),
                        palette: Offer::new(
                            "ordered pairs of 24, best turn",
                            "Counts neighbours that fall in the same direction",
                            KOHLER,
                        ),
                        picture: "6543543243213211",
                        is_symmetric: true,
                    }
                }
            }
            Self::Difference => {
                const {
                    &Facts {
                        name: "Difference",
                        about: "−Σ |a − b| of neighbours",
                        lines: ["Small steps between neighbours", "0 is best: every step counts against the board"],
                        formula: "v = −Σ |a − b|",
                        source: "Fried, Goldberger and Gavorova, 2048 solver",
                        letter: None,
                        palette: Offer::new(
                            "−Σ |a − b| of neighbours",
                            "Likes neighbours that are nearly equal",
                            SOLVER,
                        ),
                        picture: "6543554344333332",
                        is_symmetric: true,
                    }
                }
            }
            Self::MaxTile => {
                const {
                    &Facts {
                        name: "MaxTile",
                        about: "largest tile",
                        lines: [
                            "The largest tile",
                            "Changes only when the largest two merge, so it ties nearly always",
                        ],
                        formula: "v = largest tile",
                        source: "Fried, Goldberger and Gavorova, 2048 solver",
                        letter: None,
                        palette: Offer::new("largest tile", "Likes the largest tile to grow, wherever it lies", SOLVER),
                        picture: "1111116111111111",
                        is_symmetric: true,
                    }
                }
            }
            Self::Corner => {
                const {
                    &Facts {
                        name: "Corner",
                        about: "large tiles in one corner",
                        lines: [
                            "Large tiles in one corner, none in the opposite one",
                            "Weights fall towards the far corner; the best of four turns counts",
                        ],
                        formula: "v = max over turns of Σ w · tile",
                        source: "Fried, Goldberger and Gavorova, 2048 solver, Fig. 2",
                        letter: None,
                        palette: Offer::new(
                            "gradient, best of 4 turns",
                            "Large tiles in one corner, none in the opposite one",
                            SOLVER,
                        ),
                        picture: "2346123411230112",
                        is_symmetric: true,
                    }
                }
            }
            Self::Snake => {
                const {
                    &Facts {
                        name: "Snake",
                        about: "tiles fall along a folded path",
                        lines: [
                            "Tiles fall along a folded path that begins in a corner",
                            "Each step along the path halves the weight; best of eight symmetries",
                        ],
                        formula: "v = max of Σ 2^k · tile / 2¹³",
                        source: "Fried, Goldberger and Gavorova, 2048 solver, Fig. 3",
                        letter: None,
                        palette: Offer::new(
                            "folded path, best of 8",
                            "Tiles fall along a path from a corner, doubled each step",
                            SOLVER,
                        ),
                        picture: "6655344432220011",
                        is_symmetric: true,
                    }
                }
            }
            Self::Lines(_) => {
                const {
                    &Facts {
                        name: "Lines",
                        about: "empty cells, merges, order of each line",
                        lines: [
                            "What is good and bad along each row and column",
                            "Room and merges count for it, disorder and many tiles against it",
                        ],
                        formula: "Σ fixed + empty·e + merges·m − mono·min(falls, rises) − sum·Σ r^p",
                        source: "Tutorial; constants of Xiao, nneonneo/2048-ai",
                        letter: None,
                        palette: None,
                        picture: "5555111155551111",
                        is_symmetric: true,
                    }
                }
            }
            Self::Weights(_) => {
                const {
                    &Facts {
                        name: "Weights",
                        about: "Σ weight × tile",
                        lines: ["A weight for each cell", "As it stands: a turned board has another value"],
                        formula: "v = Σ w · tile",
                        source: "Course paper, Figs. 3 to 5",
                        letter: None,
                        palette: None,
                        picture: "",
                        is_symmetric: true,
                    }
                }
            }
            Self::MonotoneSum => {
                const {
                    &Facts {
                        name: "MonotoneSum",
                        about: "Σ a of neighbours with a ≥ b",
                        lines: [
                            "Tiles that stand before smaller ones",
                            "Large tiles in order count most; not the same for turned boards",
                        ],
                        formula: "v = Σ a over pairs with a ≥ b",
                        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 3",
                        letter: None,
                        palette: Offer::new(
                            "Σ a of neighbours with a ≥ b",
                            "Large tiles before small ones, in reading order",
                            ASSIGNMENT,
                        ),
                        picture: "6421431121111111",
                        is_symmetric: false,
                    }
                }
            }
            Self::Smoothness => {
                const {
                    &Facts {
                        name: "Smoothness",
                        about: "−Σ |a − b| of neighbours",
                        lines: [
                            "Small steps between neighbours",
                            "The same number as Difference, under its other name",
                        ],
                        formula: "v = −Σ |a − b|",
                        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as described",
                        letter: None,
                        palette: Offer::new(
                            "−Σ |a − b| of neighbours",
                            "The number of Difference, as the assignment calls it",
                            ASSIGNMENT,
                        ),
                        picture: "6543554344333332",
                        is_symmetric: true,
                    }
                }
            }
            Self::SmoothnessPrinted => {
                const {
                    &Facts {
                        name: "SmoothnessPrinted",
                        about: "the same, |a − b + 1| across",
                        lines: [
                            "Smoothness with the equation as it is printed",
                            "Horizontal pairs carry a 1 too much, so turned boards differ",
                        ],
                        formula: "v = −Σ |a − b + 1| − Σ |a − b|",
                        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as printed",
                        letter: None,
                        palette: Offer::new(
                            "the same, |a − b + 1| across",
                            "Smoothness with the equation as it is printed",
                            ASSIGNMENT,
                        ),
                        picture: "3456345523442333",
                        is_symmetric: false,
                    }
                }
            }
            Self::CornerBonus => {
                const {
                    &Facts {
                        name: "CornerBonus",
                        about: "± largest tile, in a corner or not",
                        lines: [
                            "Whether a corner holds the largest tile",
                            "It is worth that tile in a corner, and minus that tile elsewhere",
                        ],
                        formula: "v = ±largest tile",
                        source: "Molla, Garen, Ripoll and Beckhauser 2025, equation 5",
                        letter: None,
                        palette: Offer::new(
                            "± largest tile, in a corner or not",
                            "Rewards the largest tile in a corner, and only there",
                            ASSIGNMENT,
                        ),
                        picture: "6113111111113113",
                        is_symmetric: true,
                    }
                }
            }
            Self::Sum(_) => {
                const {
                    &Facts {
                        name: "Sum",
                        about: "Σ weight × evaluator",
                        lines: [
                            "Several aims at once, traded against each other",
                            "A weight says how many points of one make up for one of another",
                        ],
                        formula: "v = Σ weight · evaluator",
                        source: "Fried, Goldberger and Gavorova, 2048 solver; Molla, Garen, Ripoll and Beckhauser 2025",
                        letter: None,
                        palette: None,
                        picture: "5522552233113311",
                        is_symmetric: true,
                    }
                }
            }
            Self::Product(..) => {
                const {
                    &Facts {
                        name: "Product",
                        about: "evaluator × evaluator",
                        lines: ["One evaluator times another", "Such as points times where the tiles lie"],
                        formula: "v = evaluator · evaluator",
                        source: "Course paper, Table III",
                        letter: None,
                        palette: None,
                        picture: "5225255225525225",
                        is_symmetric: true,
                    }
                }
            }
            Self::Inert => {
                const {
                    &Facts {
                        name: "Inert",
                        about: "0, keeps every move",
                        lines: [
                            "The same for every board",
                            "Keeps every move: it stands for a row that never separates two",
                        ],
                        formula: "v = 0",
                        source: "Afterstate, for the tables of Composition",
                        letter: None,
                        palette: Offer::new(
                            "0, keeps every move",
                            "Stands for a row that never separates two moves",
                            "",
                        ),
                        picture: "1111111111111111",
                        is_symmetric: true,
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::Error;
    use serde::de::{Deserialize as _, Deserializer, Error as _, Visitor};

    use super::*;

    /// Refuses everything and says which variants an enum has.
    struct Variants;

    impl<'de> Deserializer<'de> for Variants {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
            Err(Error::custom("not an enum"))
        }
        fn deserialize_enum<V: Visitor<'de>>(
            self,
            _name: &'static str,
            variants: &'static [&'static str],
            _visitor: V,
        ) -> Result<V::Value, Error> {
            Err(Error::custom(variants.join(" ")))
        }
        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map struct identifier ignored_any
        }
    }

    #[test]
    fn the_palette_has_one_of_each_kind_and_the_table_tells_of_each() {
        let variants = Evaluator::deserialize(Variants).expect_err("no data").to_string();
        let mut kinds: Vec<&str> = variants.split(' ').collect();
        let palette = Evaluator::palette();
        let mut names: Vec<&str> = palette.iter().map(Evaluator::name).collect();
        kinds.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, kinds);
        for evaluator in &palette {
            let facts = evaluator.facts();
            assert!(evaluator.to_string().starts_with(facts.name), "{evaluator}");
            let texts = [facts.about, facts.lines[0], facts.lines[1], facts.formula, facts.source];
            assert!(texts.iter().all(|text| !text.is_empty()), "{evaluator}");
            let levels = facts.picture.chars().filter(|level| matches!(level, '0'..='6' | '.')).count();
            assert!(levels == facts.picture.len() && matches!(levels, 0 | 16), "{evaluator}");
        }
        let letters: String = palette.iter().filter_map(|evaluator| evaluator.facts().letter).collect();
        assert_eq!(letters, "geum");
    }
}
