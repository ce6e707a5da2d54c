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
        Self { name, about, lines, formula, source, letter: None, palette: None, picture, is_symmetric: true }
    }

    const fn meaning(self, first: &'static str, second: &'static str) -> Self {
        Self { lines: [first, second], ..self }
    }

    const fn formula(self, formula: &'static str, source: &'static str) -> Self {
        Self { formula, source, ..self }
    }

    const fn letter(self, letter: char) -> Self {
        Self { letter: Some(letter), ..self }
    }

    /// Offered with `about` as the first line.
    const fn offered(self, long: &'static str, source: &'static str) -> Self {
        self.offered_as(self.about, long, source)
    }

    const fn offered_as(self, short: &'static str, long: &'static str, source: &'static str) -> Self {
        Self { palette: Some(Offer { lines: [short, long], source }), ..self }
    }

    const fn not_symmetric(self) -> Self {
        Self { is_symmetric: false, ..self }
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
                    "Points so far, those of the slide included",
                    "Alone it is greedy play: the largest merge is taken",
                )
                .formula("v = s", "Kohler, Migler and Khosmood 2019, letter g")
                .letter('g')
                .offered("Takes the largest merge; alone it is greedy play", KOHLER),
            Self::Empty => Facts::new("Empty", "number of empty cells", "1..1.1..1.....11")
                .meaning("Number of empty cells after the slide", "More room, later death; merges are what makes room")
                .formula("v = number of empty cells", "Kohler, Migler and Khosmood 2019, letter e")
                .letter('e')
                .offered("Keeps room for the tiles to come", KOHLER),
            Self::Uniformity => Facts::new("Uniformity", "Σ (tiles of a value)³", "1114114416116611")
                .meaning("Many tiles of the same value", "The cube rewards large groups; empty cells are no value")
                .formula("v = Σ (tiles of a value)³", "Kohler, Migler and Khosmood 2019, letter u")
                .letter('u')
                .offered("Likes many tiles of the same value", KOHLER),
            Self::Monotonicity => {
                Facts::new("Monotonicity", "ordered pairs of neighbours, best turn", "6543543243213211")
                    .meaning(
                        "Pairs of neighbours in order, counted in the best of four turns",
                        "At most 24 on 4 × 4; an empty cell is 0",
                    )
                    .formula(
                        "v = max over turns of #(a ≥ b)",
                        "Kohler, Migler and Khosmood 2019, Algorithm 2, letter m",
                    )
                    .letter('m')
                    .offered_as(
                        "ordered pairs of 24, best turn",
                        "Counts neighbours that fall in the same direction",
                        KOHLER,
                    )
            }
            Self::Difference => Facts::new("Difference", "−Σ |a − b| of neighbours", "6543554344333332")
                .meaning("Small steps between neighbours", "0 is best: every step counts against the board")
                .formula("v = −Σ |a − b|", "Fried, Goldberger and Gavorova, 2048 solver")
                .offered("Likes neighbours that are nearly equal", SOLVER),
            Self::MaxTile => Facts::new("MaxTile", "largest tile", "1111116111111111")
                .meaning("The largest tile", "Changes only when the largest two merge, so it ties nearly always")
                .formula("v = largest tile", "Fried, Goldberger and Gavorova, 2048 solver")
                .offered("Likes the largest tile to grow, wherever it lies", SOLVER),
            Self::Corner => Facts::new("Corner", "large tiles in one corner", "2346123411230112")
                .meaning(
                    "Large tiles in one corner, none in the opposite one",
                    "Weights fall towards the far corner; the best of four turns counts",
                )
                .formula("v = max over turns of Σ w · tile", "Fried, Goldberger and Gavorova, 2048 solver, Fig. 2")
                .offered_as("gradient, best of 4 turns", "Large tiles in one corner, none in the opposite one", SOLVER),
            Self::Snake => Facts::new("Snake", "tiles fall along a folded path", "6655344432220011")
                .meaning(
                    "Tiles fall along a folded path that begins in a corner",
                    "Each step halves the weight, best of eight; the printed grid is lost, this one is ours",
                )
                .formula("v = max of Σ 2^k · tile / 2¹³", "Fried, Goldberger and Gavorova, 2048 solver, section C.6; the grid of its Fig. 3 is lost, this one is ours")
                .offered_as(
                    "folded path, best of 8",
                    "Tiles fall along a path from a corner, doubled each step",
                    SOLVER,
                ),
            Self::Lines(_) => Facts::new("Lines", "empty cells, merges, order of each line", "5555111155551111")
                .meaning(
                    "What is good and bad along each row and column",
                    "Room and merges count for it, disorder and many tiles against it",
                )
                .formula(
                    "Σ fixed + empty·e + merges·m − mono·min(falls, rises) − sum·Σ r^p",
                    "Tutorial; constants of Xiao, nneonneo/2048-ai",
                ),
            Self::Weights(_) => Facts::new("Weights", "Σ weight × tile", "")
                .meaning("A weight for each cell", "As it stands: a turned board has another value")
                .formula("v = Σ w · tile", "Course paper, Figs. 3 to 5; the figures are lost, the numbers of a, b and c are ours"),
            Self::MonotoneSum => Facts::new("MonotoneSum", "Σ a of neighbours with a ≥ b", "6421431121111111")
                .meaning(
                    "Tiles that stand before smaller ones",
                    "Large tiles in order count most; not the same for turned boards",
                )
                .formula("v = Σ a over pairs with a ≥ b", "Molla, Garen, Ripoll and Beckhauser 2025, equation 3")
                .offered("Large tiles before small ones, in reading order", ASSIGNMENT)
                .not_symmetric(),
            Self::Smoothness => Facts::new("Smoothness", "−Σ |a − b| of neighbours", "6543554344333332")
                .meaning("Small steps between neighbours", "The same number as Difference, under its other name")
                .formula("v = −Σ |a − b|", "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as described")
                .offered("The number of Difference, as the assignment calls it", ASSIGNMENT),
            Self::SmoothnessPrinted => {
                Facts::new("SmoothnessPrinted", "the same, |a − b + 1| across", "3456345523442333")
                    .meaning(
                        "Smoothness with the equation as it is printed",
                        "Horizontal pairs carry a 1 too much, so turned boards differ",
                    )
                    .formula(
                        "v = −Σ |a − b + 1| − Σ |a − b|",
                        "Molla, Garen, Ripoll and Beckhauser 2025, equation 4 as printed",
                    )
                    .offered("Smoothness with the equation as it is printed", ASSIGNMENT)
                    .not_symmetric()
            }
            Self::CornerBonus => Facts::new("CornerBonus", "± largest tile, in a corner or not", "6113111111113113")
                .meaning(
                    "Whether a corner holds the largest tile",
                    "It is worth that tile in a corner, and minus that tile elsewhere",
                )
                .formula("v = ±largest tile", "Molla, Garen, Ripoll and Beckhauser 2025, equation 5")
                .offered("Rewards the largest tile in a corner, and only there", ASSIGNMENT),
            Self::RankSmoothness => Facts::new("RankSmoothness", "−Σ |rank steps| to the next tile", "6655665544333322")
                .meaning(
                    "Small steps between tiles, counted in doublings",
                    "The next tile to the right and below, however many empty cells lie between",
                )
                .formula("v = −Σ |rank a − rank b|", "ovolve, 2048-AI, smoothness")
                .offered("Likes tiles that few merges make equal", OVOLVE),
            Self::RankMonotonicity => {
                Facts::new("RankMonotonicity", "−rank steps against the order", "6654665455434432")
                    .meaning(
                        "Rows that all run one way, and columns that do",
                        "Counts the doublings against the better way; 0 is best",
                    )
                    .formula("v = −min(falls, rises) of rows − the same of columns", "ovolve, 2048-AI, monotonicity2")
                    .offered("Likes rows and columns that rise or fall throughout", OVOLVE)
            }
            Self::LogEmpty => Facts::new("LogEmpty", "ln of the number of empty cells", "1..1.1..1.....11")
                .meaning("Logarithm of the number of empty cells", "The last empty cells count most")
                .formula("v = ln(number of empty cells); a full board ln ½", "ovolve, 2048-AI; of a full board ours")
                .offered("Keeps room, the more the less there is", OVOLVE),
            Self::MaxRank => Facts::new("MaxRank", "log₂ of the largest tile", "1111116111111111")
                .meaning("Rank of the largest tile: 11 for 2048", "One more when the largest two merge, whatever they are")
                .formula("v = log₂(largest tile)", "ovolve, 2048-AI, maxValue")
                .offered("Likes the largest tile to double", OVOLVE),
            Self::HasTile(_) => Facts::new("HasTile", "1 with the tile on the board, else 0", "1111116111111111")
                .meaning(
                    "Whether a tile has been made",
                    "The mean over spawns is a probability; much weight makes the tile a goal",
                )
                .formula("v = 1 if largest tile ≥ t, else 0", "ovolve, 2048-AI, where a made 2048 is a won game")
                .offered("Makes a tile a goal; a search sees it as far as it looks", OVOLVE),
            Self::Sum(_) => Facts::new("Sum", "Σ weight × evaluator", "5522552233113311")
                .meaning(
                    "Several aims at once, traded against each other",
                    "A weight says how many points of one make up for one of another",
                )
                .formula(
                    "v = Σ weight · evaluator",
                    "Fried, Goldberger and Gavorova, 2048 solver; Molla, Garen, Ripoll and Beckhauser 2025",
                ),
            Self::Product(..) => Facts::new("Product", "evaluator × evaluator", "5225255225525225")
                .meaning("One evaluator times another", "Such as points times where the tiles lie")
                .formula("v = evaluator · evaluator", "Course paper, Table III"),
            Self::Solved(_) => Facts::new("Solved", "exact worth, by a solved table", "6666655554443332")
                .meaning(
                    "What a board is worth under best play, exactly",
                    "Read from a table that solve makes, of boards up to 3 × 3",
                )
                .formula("v = s + E[points to come], or P(tile)", "Afterstate, sum of tiles by sum of tiles")
                .offered("Best play on small boards, or the ground truth of a search", ""),
            Self::Network(_) => Facts::new("Network", "what a trained network expects", "6655665544443333")
                .meaning(
                    "The points so far, and those that an n-tuple network expects to come",
                    "A table for each of a few groups of cells, read in all images and added up",
                )
                .formula(
                    "v = s + Σ w(tiles on the cells)",
                    "Szubert and Jaśkowski 2014; Jaśkowski 2018; Guei, Chen and Wu 2021",
                )
                .offered("What games have taught a network", "Szubert and Jaśkowski, CIG 2014"),
            Self::Policy(_) => Facts::new("Policy", "worth of features, learnt from games", "6453453433342231")
                .meaning(
                    "Points to come by monotone lines, empty cells and merges",
                    "Value iteration over 34,560 states of features, counted in games of random play",
                )
                .formula("v = V(features)", "Course paper, Algorithm 2 and Table IV")
                .offered("Value iteration over features of the board, learnt when first asked", COURSE)
                .not_symmetric(),
            Self::Formula(_) => Facts::new("Formula", "an expression of your own", "")
                .meaning(
                    "Any number of rows, columns, cells and counts of the board after the slide, as you type it",
                    "Looked up as quickly as Lines where it is a sum over lines",
                )
                .formula("v = what you type", "Afterstate; language and words in the guide, Formulas")
                .offered("Type it: sums, largest and counts over rows, columns and cells", ""),
            Self::Program(_) => Facts::new("Program", "what another program says", "")
                .meaning(
                    "A number from another program: boards go out as lines of JSON, numbers come back",
                    "For evaluators in Python or anything else; each line has as long as its seconds say",
                )
                .formula("v = what the program says", "Afterstate; messages in the guide, Program protocol")
                .offered("Asks a program of yours, in lines of JSON", "")
                .not_symmetric(),
            Self::Inert => Facts::new("Inert", "0, keeps every move", "1111111111111111")
                .meaning("The same for every board", "Keeps every move: it stands for a row that never separates two")
                .formula("v = 0", "Afterstate, for the tables of Composition")
                .offered("Stands for a row that never separates two moves", ""),
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
