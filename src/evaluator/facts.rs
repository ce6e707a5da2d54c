//! The facts about every kind of evaluator, in one table.
//!
//! Names, the palette of the builder, its pictures, the glossary, and the letters of compositions come from it. The
//! compiler ensures that every kind has a row; a test ensures that [`Evaluator::palette`] has one of each kind.

use super::Evaluator;

/// The facts about a kind of evaluator, whatever its parameters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The name in RON and on the command line.
    pub name: &'static str,
    pub about: &'static str,
    /// Its meaning, in two lines for the glossary.
    pub lines: [&'static str; 2],
    pub formula: &'static str,
    /// The publication, with the section.
    pub source: &'static str,
    pub letter: Option<char>,
    /// The tile in the palette. `None` for kinds without meaning unless they have parameters.
    pub palette: Option<Offer>,
    /// The cells that it considers, as sixteen characters: a level from 0 to 6 or `.` each. Empty if it depends on
    /// parameters.
    pub picture: &'static str,
    /// Whether all images of a board have the same value. For kinds with parameters, whether that is possible.
    pub is_symmetric: bool,
}

/// A tile of the palette.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Two lines that explain it. The first is short enough for the space below the name.
    pub lines: [&'static str; 2],
    /// The publication; may be empty.
    pub source: &'static str,
}

impl Facts {
    const fn new(name: &'static str, about: &'static str, picture: &'static str) -> Self {
        let (lines, formula, source) = (["", ""], "", "");
        Self {
            name,
            about,
            lines,
            formula,
            source,
            letter: None,
            palette: None,
            picture,
            is_symmetric: true,
        }
    }

    const fn meaning(self, first: &'static str, second: &'static str) -> Self {
        Self {
            lines: [first, second],
            ..self
        }
    }

    const fn formula(self, formula: &'static str, source: &'static str) -> Self {
        Self {
            formula,
            source,
            ..self
        }
    }

    const fn letter(self, letter: char) -> Self {
        Self {
            letter: Some(letter),
            ..self
        }
    }

    /// Offered with `about` as the first line.
    const fn offered(self, long: &'static str, source: &'static str) -> Self {
        self.offered_as(self.about, long, source)
    }

    const fn offered_as(
        self,
        short: &'static str,
        long: &'static str,
        source: &'static str,
    ) -> Self {
        Self {
            palette: Some(Offer {
                lines: [short, long],
                source,
            }),
            ..self
        }
    }

    const fn not_symmetric(self) -> Self {
        Self {
            is_symmetric: false,
            ..self
        }
    }
}

/// The sources of evaluators and searches, as the palette names them.
pub(crate) mod source {
    pub(crate) const KOHLER: &str = "Kohler, Migler and Khosmood, FDG 2019";
    pub(crate) const SOLVER: &str = "Fried, Goldberger and Gavorova, 2048 solver";
    pub(crate) const COURSE: &str = "Course paper on minimax and expectimax";
    pub(crate) const ASSIGNMENT: &str = "Molla, Garen, Ripoll and Beckhauser, DTU 2025";
    pub(crate) const OVOLVE: &str = "ovolve, 2048-AI, 2014";
}
use source::{ASSIGNMENT, COURSE, KOHLER, OVOLVE, SOLVER};

impl Evaluator {
    pub const fn facts(&self) -> Facts {
        match self {
            Self::Score => Facts::new("Score", "points so far", "5511111111111111")
                .meaning(
                    "Points so far, including those of the slide",
                    "Alone it plays greedily: it takes the largest merge",
                )
                .formula("v = s", "Kohler, Migler and Khosmood 2019, letter g")
                .letter('g')
                .offered("Takes the largest merge; alone it plays greedily", KOHLER),
            Self::Empty => Facts::new("Empty", "number of empty cells", "1..1.1..1.....11")
                .meaning("Number of empty cells after the slide", "More room means a longer game; merges make room")
                .formula("v = number of empty cells", "Kohler, Migler and Khosmood 2019, letter e")
                .letter('e')
                .offered("Keeps room for the tiles to come", KOHLER),
            Self::Uniformity => Facts::new("Uniformity", "Σ (tiles of a value)³", "1114114416116611")
                .meaning("Many tiles of the same value", "The cube rewards large groups; empty cells do not count")
                .formula("v = Σ (tiles of a value)³", "Kohler, Migler and Khosmood 2019, letter u")
                .letter('u')
                .offered("Prefers many tiles of the same value", KOHLER),
            Self::Monotonicity => {
                Facts::new("Monotonicity", "ordered neighbor pairs, best turn", "6543543243213211")
                    .meaning(
                        "Neighboring pairs in order, in the best of the four turns of the board",
                        "At most 24 on 4 × 4; an empty cell counts as 0",
                    )
                    .formula(
                        "v = max over turns of #(a ≥ b)",
                        "Kohler, Migler and Khosmood 2019, Algorithm 2, letter m",
                    )
                    .letter('m')
                    .offered_as(
                        "ordered pairs of 24, best turn",
                        "Counts neighbors that fall in the same direction",
                        KOHLER,
                    )
            }
            Self::Difference => Facts::new("Difference", "−Σ |a − b| of neighbors", "6543554344333332")
                .meaning("Small steps between neighbors", "0 is best: every step lowers the value")
                .formula("v = −Σ |a − b|", "Fried, Goldberger and Gavorova, 2048 solver")
                .offered("Prefers neighbors that are nearly equal", SOLVER),
            Self::DifferenceOfTiles => {
                Facts::new("DifferenceOfTiles", "−Σ |a − b| of adjacent tiles", "6543554344333332")
                    .meaning(
                        "Small steps between adjacent tiles; a tile beside an empty cell costs nothing",
                        "The other reading of Difference: its text says adjacent tiles",
                    )
                    .formula(
                        "v = −Σ |a − b| over pairs of tiles",
                        "Fried, Goldberger and Gavorova, 2048 solver, section C.3 read by the letter",
                    )
                    .offered("Prefers adjacent tiles that are nearly equal; empty cells do not count", SOLVER)
            }
            Self::MaxTile => Facts::new("MaxTile", "largest tile", "1111116111111111")
                .meaning("The largest tile", "Changes only when the two largest merge, so moves nearly always tie")
                .formula("v = largest tile", "Fried, Goldberger and Gavorova, 2048 solver")
                .offered("Rewards a larger largest tile, in any cell", SOLVER),
            Self::Corner => Facts::new("Corner", "large tiles in one corner", "2346123411230112")
                .meaning(
                    "Large tiles in one corner, none in the opposite one",
                    "Weights fall toward the opposite corner; the best of four turns counts",
                )
                .formula("v = max over turns of Σ w · tile", "Fried, Goldberger and Gavorova, 2048 solver, Fig. 2")
                .offered_as("gradient, best of 4 turns", "Large tiles in one corner, none in the opposite one", SOLVER),
            Self::Edges => Facts::new("Edges", "Σ tile on the edge of the board", "6666611661166666")
                .meaning(
                    "Large tiles on the edge of the board, not in the middle",
                    "Composition and Course say that Xiao's solver rewards them, without a weight",
                )
                .formula(
                    "v = Σ tile over the cells on the edge",
                    "Kohler, Migler and Khosmood 2019, section 2.3; Course paper, section II",
                )
                .offered("Keeps large tiles out of the middle; mix it with others in a sum", COURSE),
            Self::Snake => Facts::new("Snake", "tiles fall along a folded path", "6655344432220011")
                .meaning(
                    "Tiles fall along a folded path that begins in a corner",
                    "Each step halves the weight, best of eight; the published grid is lost, this one is ours",
                )
                .formula("v = max of Σ 2^k · tile / 2¹³", "Fried, Goldberger and Gavorova, 2048 solver, section C.6; the grid of its Fig. 3 is lost, this one is ours")
                .offered_as(
                    "folded path, best of 8",
                    "Tiles fall along a path from a corner, doubled each step",
                    SOLVER,
                ),
            Self::Lines(_) => Facts::new("Lines", "empty cells, merges, order of each line", "5555111155551111")
                .meaning(
                    "Scores each row and column for order, merges and room",
                    "Room and merges raise the value, disorder and large tiles lower it",
                )
                .formula(
                    "Σ fixed + empty·e + merges·m − mono·min(falls, rises) − sum·Σ r^p",
                    "Tutorial; constants of Xiao, nneonneo/2048-ai",
                ),
            Self::Weights(_) => Facts::new("Weights", "Σ weight × tile", "")
                .meaning("A weight for each cell", "Not symmetric: a turned board has a different value")
                .formula("v = Σ w · tile", "Course paper, Figs. 3 to 5; the figures are lost, the numbers of a, b and c are ours"),
            Self::MonotoneSum => Facts::new("MonotoneSum", "Σ a of neighbors with a ≥ b", "6421431121111111")
                .meaning(
                    "Adds up the tiles that precede no larger neighbor",
                    "Large tiles in order count most; a turned board has a different value",
                )
                .formula("v = Σ a over pairs with a ≥ b", "Molla, Garen, Ripoll and Beckhauser 2025, equation 3")
                .offered("Large tiles before small ones, in reading order", ASSIGNMENT)
                .not_symmetric(),
            Self::Smoothness => Facts::new("Smoothness", "−Σ |a − b| of neighbors", "6543554344333332")
                .meaning("Small steps between neighbors", "The same value as Difference, under another name")
                .formula("v = −Σ |a − b|", "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as described")
                .offered("The same value as Difference, under the name of the assignment", ASSIGNMENT),
            Self::SmoothnessPrinted => {
                Facts::new("SmoothnessPrinted", "the same, |a − b + 1| across", "3456345523442333")
                    .meaning(
                        "Smoothness with the equation as printed",
                        "Horizontal pairs have an extra 1, so turned boards differ",
                    )
                    .formula(
                        "v = −Σ |a − b + 1| − Σ |a − b|",
                        "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as printed",
                    )
                    .offered("Smoothness with the equation as printed", ASSIGNMENT)
                    .not_symmetric()
            }
            Self::CornerBonus => Facts::new("CornerBonus", "± largest tile, in a corner or not", "6113111111113113")
                .meaning(
                    "Checks whether a corner holds the largest tile",
                    "Equals that tile in a corner, and minus that tile elsewhere",
                )
                .formula("v = ±largest tile", "Molla, Garen, Ripoll and Beckhauser 2025, equation 5")
                .offered("Rewards the largest tile in a corner, penalizes it elsewhere", ASSIGNMENT),
            Self::RankSmoothness => Facts::new("RankSmoothness", "−Σ |rank steps| to the next tile", "6655665544333322")
                .meaning(
                    "Small steps between tiles, counted in doublings",
                    "Compares each tile with the next one to the right and below, across empty cells",
                )
                .formula("v = −Σ |rank a − rank b|", "ovolve, 2048-AI, smoothness")
                .offered("Prefers tiles that few merges make equal", OVOLVE),
            Self::RankMonotonicity => {
                Facts::new("RankMonotonicity", "−rank steps against the order", "6654665455434432")
                    .meaning(
                        "Rows that all rise in one direction, and the same for columns",
                        "Counts the doublings against the better direction; 0 is best",
                    )
                    .formula("v = −min(falls, rises) of rows − the same of columns", "ovolve, 2048-AI, monotonicity2")
                    .offered("Prefers rows and columns that only rise or only fall", OVOLVE)
            }
            Self::LogEmpty => Facts::new("LogEmpty", "ln of the number of empty cells", "1..1.1..1.....11")
                .meaning("Logarithm of the number of empty cells", "The last empty cells count most")
                .formula("v = ln(number of empty cells); a full board ln ½", "ovolve, 2048-AI; the value of a full board is ours")
                .offered("Keeps room; the last empty cells count most", OVOLVE),
            Self::MaxRank => Facts::new("MaxRank", "log₂ of the largest tile", "1111116111111111")
                .meaning("Rank of the largest tile: 11 for 2048", "Grows by one when the two largest merge")
                .formula("v = log₂(largest tile)", "ovolve, 2048-AI, maxValue")
                .offered("Rewards doubling the largest tile", OVOLVE),
            Self::HasTile(_) => Facts::new("HasTile", "1 with the tile on the board, else 0", "1111116111111111")
                .meaning(
                    "Checks whether a tile has been made",
                    "The mean over spawns is a probability; a large weight makes the tile a goal",
                )
                .formula("v = 1 if largest tile ≥ t, else 0", "ovolve, 2048-AI, where making 2048 wins")
                .offered("Makes a tile a goal; a search sees it within its depth", OVOLVE),
            Self::Sum(_) => Facts::new("Sum", "Σ weight × evaluator", "5522552233113311")
                .meaning(
                    "Combines several aims",
                    "Weights set how much of one aim is worth how much of another",
                )
                .formula(
                    "v = Σ weight · evaluator",
                    "Fried, Goldberger and Gavorova, 2048 solver; Molla, Garen, Ripoll and Beckhauser 2025",
                ),
            Self::Product(..) => Facts::new("Product", "evaluator × evaluator", "5225255225525225")
                .meaning("One evaluator times another", "For example the score times weights of cells")
                .formula("v = evaluator · evaluator", "Course paper, Table III"),
            Self::Solved(_) => Facts::new("Solved", "exact value from a solved table", "6666655554443332")
                .meaning(
                    "The exact value of a board under best play",
                    "Read from a table made by solve, for boards up to 3 × 3",
                )
                .formula("v = s + E[points to come], or P(tile)", "Afterstate, sum of tiles by sum of tiles")
                .offered("Best play on small boards, or the true values to test a search", ""),
            Self::Network(_) => Facts::new("Network", "estimate of a trained network", "6655665544443333")
                .meaning(
                    "Points so far plus the points to come estimated by an n-tuple network",
                    "Adds up the entries of a few tables, each for a group of cells, over all images",
                )
                .formula(
                    "v = s + Σ w(tiles on the cells)",
                    "Szubert and Jaśkowski 2014; Jaśkowski 2018; Guei, Chen and Wu 2021",
                )
                .offered("Values that a network learned from games", "Szubert and Jaśkowski, CIG 2014"),
            Self::Policy(_) => Facts::new("Policy", "value of features, learned by games", "6453453433342231")
                .meaning(
                    "Points to come, from monotone lines, empty cells and merges",
                    "Value iteration over 34,560 states of features, counted in games of random play",
                )
                .formula("v = V(features)", "Course paper, Algorithm 2 and Table IV")
                .offered("Value iteration over features of the board, learned at first use", COURSE)
                .not_symmetric(),
            Self::Formula(_) => Facts::new("Formula", "your own expression", "")
                .meaning(
                    "Any expression of rows, columns, cells and counts of the board after the slide",
                    "As fast as Lines if it is a sum over lines",
                )
                .formula("v = your expression", "Afterstate; for the language see the guide, Formulas")
                .offered("Write it yourself: sums, maxima and counts over rows, columns and cells", ""),
            Self::Program(_) => Facts::new("Program", "answer of another program", "")
                .meaning(
                    "A number from another program: it reads boards as JSON lines and answers with numbers",
                    "For evaluators in Python or any other language; the setting seconds limits each answer",
                )
                .formula("v = answer of the program", "Afterstate; for the messages see the guide, Program protocol")
                .offered("Calls your own program with lines of JSON", "")
                .not_symmetric(),
            Self::Inert => Facts::new("Inert", "0, keeps every move", "1111111111111111")
                .meaning("The same for every board", "Keeps every move: a placeholder for a row that never separates two")
                .formula("v = 0", "Afterstate, for the tables of Composition")
                .offered("A placeholder for a row that never separates two moves", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::value::Error;
    use serde::de::{Deserialize as _, Deserializer, Error as _, Visitor};

    use super::*;

    /// Refuses everything and reports the variants of an enum.
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
        let variants = Evaluator::deserialize(Variants)
            .expect_err("no data")
            .to_string();
        let mut kinds: Vec<&str> = variants.split(' ').collect();
        let palette = Evaluator::palette();
        let mut names: Vec<&str> = palette.iter().map(Evaluator::name).collect();
        kinds.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, kinds);

        for evaluator in &palette {
            let facts = evaluator.facts();
            assert!(evaluator.to_string().starts_with(facts.name), "{evaluator}");
            let texts = [
                facts.about,
                facts.lines[0],
                facts.lines[1],
                facts.formula,
                facts.source,
            ];
            assert!(texts.iter().all(|text| !text.is_empty()), "{evaluator}");
            let levels = facts
                .picture
                .chars()
                .filter(|level| matches!(level, '0'..='6' | '.'))
                .count();
            assert!(
                levels == facts.picture.len() && matches!(levels, 0 | 16),
                "{evaluator}"
            );
        }
        let letters: String = palette
            .iter()
            .filter_map(|evaluator| evaluator.facts().letter)
            .collect();
        assert_eq!(letters, "geum");
    }
}
