//! The shipped presets, inside the binary, and their strategies one by one and by source.

use std::collections::HashSet;
use std::sync::LazyLock;

use strum::{EnumIter, IntoEnumIterator as _};

use super::{Entry, Item as _, Preset, PresetError, Published};
use crate::game::Rules;
use crate::strategy::{SharedStrategy, Strategy, StrategyHash};
use crate::words;

/// A preset of the folder `presets/`, with the content of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The name of the file without `.ron`, as in `afterstate run`.
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(Shipped { name: $name, text: include_str!(concat!("../../presets/", $name, ".ron")) }),*]
    };
}

impl Shipped {
    /// All presets, first the one that the window opens with.
    pub const ALL: &[Self] = shipped![
        "first-look",
        "quick-start",
        "composition-table-1",
        "composition-table-2",
        "composition-table-1-inert",
        "composition-table-2-inert",
        "composition-all-65",
        "composition-all-65-inert",
        "solver-expectimax",
        "solver-alpha-beta",
        "solver-figure-4",
        "solver-third-level",
        "solver-mixes",
        "tutorial",
        "course-table-1",
        "course-table-2",
        "course-table-3",
        "course-table-4",
        "course-figure-8",
        "course-matrices",
        "course-pruning",
        "assignment-table-1",
        "assignment-table-2",
        "assignment-figure-1",
        "xiao",
        "ovolve",
        "monte-carlo",
        "sweep-solver-figures-8-9",
        "sweep-solver-figure-11",
        "sweep-solver-figure-12",
        "sweep-solver-order-of-moves",
        "sweep-course-table-4",
        "sweep-course-pruning",
        "sweep-assignment-table-2",
        "sweep-assignment-figure-1",
        "tune-xiao",
    ];

    /// The shipped preset with this name; `.ron` is optional.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".ron").unwrap_or(name);
        Self::ALL
            .iter()
            .copied()
            .find(|shipped| shipped.name == name)
    }

    /// The published numbers in the first shipped preset that has the same strategy with the same name, if there is
    /// one.
    pub fn published(strategy: &Strategy, rules: Rules) -> Option<Published> {
        let same = |entry: &Entry| {
            entry.strategy.hash() == strategy.hash() && entry.strategy.label() == strategy.label()
        };
        static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
            Shipped::ALL
                .iter()
                .filter_map(|shipped| shipped.preset().ok())
                .collect()
        });
        let presets = PRESETS
            .iter()
            .filter(|preset| preset.rules == rules)
            .flat_map(|preset| &preset.strategies);
        presets
            .filter(|entry| entry.published.is_some())
            .find(|entry| same(entry))?
            .published
            .clone()
    }

    /// The preset. It cannot fail in a tested program: the tests read every shipped file.
    pub fn preset(self) -> Result<Preset, PresetError> {
        Preset::from_text(self.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter)]
pub enum Source {
    /// Kohler, Migler and Khosmood 2019.
    Composition,
    Solver,
    Course,
    /// Molla, Garen, Ripoll and Beckhauser 2025.
    Assignment,
    /// The expectimax tutorial, with the constants of Xiao's solver.
    Tutorial,
    /// Xiao, Vermaelen and Moravčík.
    Xiao,
    Ovolve,
    /// Rodgers and Levine 2014, and playouts.
    MonteCarlo,
    /// The program itself.
    FirstLook,
}

impl Source {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Composition => "Composition",
            Self::Solver => "Solver",
            Self::Course => "Course",
            Self::Assignment => "Assignment",
            Self::Tutorial => "Tutorial",
            Self::Xiao => "Xiao",
            Self::Ovolve => "ovolve",
            Self::MonteCarlo => "Monte Carlo",
            Self::FirstLook => "First look",
        }
    }

    pub const fn citation(self) -> &'static str {
        match self {
            Self::Composition => {
                "Kohler, Migler and Khosmood, Composition of Basic Heuristics for the Game 2048, FDG 2019"
            }
            Self::Solver => "Fried, Goldberger and Gavorova, 2048 solver, Hebrew University",
            Self::Course => "Course paper",
            Self::Assignment => {
                "Molla, Garen, Ripoll and Beckhauser, A.I. Solution to Solve the Game of 2048, DTU 2025"
            }
            Self::Tutorial => "An expectimax tutorial; constants of Xiao's solver",
            Self::Xiao => "Xiao, Vermaelen and Moravčík, 2048-AI, nneonneo/2048-ai",
            Self::Ovolve => "ovolve, 2048-AI, 2014",
            Self::MonteCarlo => "Our reading of Rodgers and Levine 2014, and playouts",
            Self::FirstLook => "Made for the first look at this program, not published",
        }
    }

    /// The presets with its strategies. Among strategies with equal play the first one counts.
    const fn presets(self) -> &'static [&'static str] {
        match self {
            Self::Composition => &["composition-all-65"],
            Self::Solver => &[
                "solver-expectimax",
                "solver-alpha-beta",
                "solver-third-level",
                "solver-mixes",
            ],
            Self::Course => &[
                "course-table-1",
                "course-table-2",
                "course-table-3",
                "course-table-4",
                "course-matrices",
                "course-pruning",
            ],
            Self::Assignment => &[
                "assignment-table-1",
                "assignment-table-2",
                "assignment-figure-1",
            ],
            Self::Tutorial => &["tutorial"],
            Self::Xiao => &["xiao"],
            Self::Ovolve => &["ovolve"],
            Self::MonteCarlo => &["monte-carlo"],
            Self::FirstLook => &["first-look"],
        }
    }
}

/// A shipped strategy. Its note has two lines: what it does and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct ShippedStrategy {
    pub source: Source,
    pub preset: &'static str,
    /// The strategy, named as in that preset.
    pub strategy: SharedStrategy,
    pub hash: StrategyHash,
}

impl ShippedStrategy {
    /// All shipped strategies by source, without duplicates in play.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<ShippedStrategy>> = LazyLock::new(|| {
            let mut seen = HashSet::new();
            let strategies_of = |source: Source| {
                source
                    .presets()
                    .iter()
                    .flat_map(move |preset| of_preset(source, preset))
            };
            Source::iter()
                .flat_map(strategies_of)
                .filter(|shipped| seen.insert(shipped.hash))
                .collect()
        });
        &ALL
    }
}

fn of_preset(source: Source, preset: &'static str) -> Vec<ShippedStrategy> {
    let read = Shipped::named(preset).and_then(|shipped| shipped.preset().ok());
    let entries = read.map(|preset| preset.strategies).unwrap_or_default();
    let shipped = |entry: Entry| {
        let note = note(source, preset, &entry);
        let hash = entry.strategy.hash();
        ShippedStrategy {
            source,
            preset,
            hash,
            strategy: Strategy {
                note,
                ..entry.strategy
            }
            .into(),
        }
    };
    entries.into_iter().map(shipped).collect()
}

/// What the strategy does, and on the second line its source and the published mean, which may be for another reading.
fn note(source: Source, preset: &str, entry: &Entry) -> String {
    let published = entry.published.as_ref().and_then(|published| {
        let games = published
            .games
            .map(|games| format!(" of {}", words::plural(games, "game")))
            .unwrap_or_default();
        let mean = format!("mean {}{games}", words::value(published.mean?));
        Some(match published.reading.as_str() {
            "" => format!("; published {mean}"),
            reading => format!("; published {mean}, for another reading: {reading}"),
        })
    });
    let published = published.unwrap_or_default();
    format!(
        "{}.\n{}, preset {preset}{published}.",
        entry.strategy.described(),
        source.citation()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::game::{Board, Symmetry};
    use crate::preset::PositionSet;

    #[test]
    fn the_name_of_a_mix_tells_the_weight_that_its_description_tells() {
        let mixes = ShippedStrategy::all()
            .iter()
            .filter(|shipped| shipped.preset == "solver-mixes");
        let mixes: Vec<_> = mixes
            .filter(|shipped| shipped.strategy.name.ends_with("score"))
            .collect();
        assert_eq!(mixes.len(), 10);
        for shipped in mixes {
            let name = shipped.strategy.name.as_str();
            let (_, weight) = name.split_once(" + ").expect("a sum");
            let expected = match weight {
                "score" => "+ Score".to_owned(),
                "1/2 score" => "+ 0.5 × Score".to_owned(),
                "1/4 score" => "+ 0.25 × Score".to_owned(),
                whole => format!("+ {} × Score", whole.trim_end_matches(" score")),
            };
            let note = &shipped.strategy.note;
            assert!(note.contains(&expected), "{name}: {note}");
        }
    }

    #[test]
    fn every_one_plays_what_a_preset_plays_under_its_name_and_no_two_alike() {
        let all = ShippedStrategy::all();
        let mut hashes = HashSet::new();
        for shipped in all {
            let preset = Shipped::named(shipped.preset)
                .expect("shipped")
                .preset()
                .expect("sound");
            let entry = preset
                .strategies
                .iter()
                .find(|entry| {
                    entry.strategy.name == shipped.strategy.name
                        && entry.strategy.hash() == shipped.hash
                })
                .expect("the preset has it");
            assert_eq!(entry.strategy.criteria, shipped.strategy.criteria);
            assert_eq!(shipped.strategy.check(preset.rules.size), Ok(()));
            assert_eq!(
                shipped.strategy.note.lines().count(),
                2,
                "{}",
                shipped.strategy.note
            );
            assert!(
                hashes.insert(shipped.hash),
                "{} is there twice",
                shipped.strategy.name
            );
        }

        for source in Source::iter() {
            assert!(
                all.iter().any(|shipped| shipped.source == source),
                "{}",
                source.name()
            );
        }
    }

    #[test]
    fn a_strategy_cites_the_source_of_its_own_preset() {
        for (preset, source) in [
            ("tutorial", "An expectimax tutorial"),
            ("xiao", "Xiao"),
            ("ovolve", "ovolve"),
            ("monte-carlo", "Our reading"),
        ] {
            let mut of_preset = ShippedStrategy::all()
                .iter()
                .filter(|shipped| shipped.preset == preset)
                .peekable();
            assert!(of_preset.peek().is_some(), "{preset}");
            for shipped in of_preset {
                let cited = shipped.strategy.note.lines().nth(1).expect("two lines");
                assert!(cited.starts_with(source), "{cited}");
            }
        }
    }

    #[test]
    fn the_limits_of_the_tutorial_are_the_empty_cells_or_the_distinct_tiles_and_at_most_3() {
        let preset = Shipped::named("tutorial")
            .expect("shipped")
            .preset()
            .expect("sound");
        let plies = |name: &str, board: &Board| {
            let mut entries = preset.strategies.iter();
            let entry = entries
                .find(|entry| entry.strategy.name == name)
                .expect("a row");
            entry.strategy.criteria[0]
                .lookahead
                .plies()
                .expect("a search")
                .for_board(board)
        };
        for digits in [
            "1000000000000001",
            "1212121212121234",
            "1212121212121230",
            "1212121212121200",
            "1111111111111111",
        ] {
            let board = Board::of_digits(digits).expect(digits);
            let distinct = board
                .cells()
                .map(|(_, rank)| rank)
                .filter(|rank| !rank.is_empty())
                .collect::<HashSet<_>>();
            let plies_at = |limit: u32| 2 * limit.min(3) + 1;
            assert_eq!(
                plies("limit of empty cells", &board),
                plies_at(board.empty_count()),
                "{digits}"
            );
            assert_eq!(
                plies("limit of distinct tiles", &board),
                plies_at(distinct.len() as u32),
                "{digits}"
            );
        }
    }

    #[test]
    fn the_mirrored_m_of_the_assignment_is_its_m_on_the_mirrored_board() {
        let preset = Shipped::named("assignment-figure-1")
            .expect("shipped")
            .preset()
            .expect("sound");
        let entry = preset
            .strategies
            .iter()
            .find(|entry| entry.strategy.name == "expectimax, M mirrored");
        let row = entry.expect("a row").strategy.criteria[0].evaluator.clone();
        let Evaluator::Sum(terms) = row else {
            panic!("{row}")
        };
        let mut formulas = terms
            .iter()
            .filter(|(_, term)| matches!(term, Evaluator::Formula(_)));
        let (_, mirrored) = formulas.next().expect("M");
        for pin in &PositionSet::shipped().positions {
            let image = Symmetry::MIRROR.image(&pin.board);
            assert_eq!(
                mirrored.evaluate(&pin.board, 0),
                Evaluator::MonotoneSum.evaluate(&image, 0),
                "{}",
                pin.board
            );
        }
    }

    #[test]
    fn no_strategy_of_a_shipped_preset_is_missing() {
        let hashes: HashSet<StrategyHash> = ShippedStrategy::all()
            .iter()
            .map(|shipped| shipped.hash)
            .collect();
        let is_swept = |name: &str| {
            ["sweep-", "tune-"]
                .iter()
                .any(|begin| name.starts_with(begin))
        };
        for shipped in Shipped::ALL
            .iter()
            .filter(|one| !one.name.ends_with("-inert") && !is_swept(one.name))
        {
            for entry in shipped.preset().expect("sound").strategies {
                assert!(
                    hashes.contains(&entry.strategy.hash()),
                    "{} of {}",
                    entry.strategy.label(),
                    shipped.name
                );
            }
        }
    }

    #[test]
    fn the_note_says_what_it_does() {
        let emr = ShippedStrategy::all()
            .iter()
            .find(|shipped| shipped.strategy.name == "emr")
            .expect("emr");
        assert!(
            emr.strategy
                .note
                .starts_with("Empty, then Monotonicity; ties at random.\nKohler"),
            "{}",
            emr.strategy.note
        );
        assert!(
            emr.strategy
                .note
                .contains("; published mean 3,947.8 of 1,000 games"),
            "{}",
            emr.strategy.note
        );
    }

    #[test]
    fn a_mean_that_was_published_for_another_row_is_not_called_its_own() {
        let mut readings = 0;
        for shipped in ShippedStrategy::all() {
            let preset = Shipped::named(shipped.preset)
                .expect("shipped")
                .preset()
                .expect("sound");
            let entry = preset
                .strategies
                .iter()
                .find(|entry| entry.strategy.hash() == shipped.hash)
                .expect("its entry");
            let Some(published) = entry
                .published
                .as_ref()
                .filter(|published| published.mean.is_some())
            else {
                continue;
            };
            let is_own = !shipped.strategy.note.contains(", for another reading: ");
            assert_eq!(
                is_own,
                published.reading.is_empty(),
                "{}",
                shipped.strategy.note
            );
            readings += usize::from(!is_own);
        }
        // Table I averaged, all of Table II, and of Table III everything except the two rows before.
        assert!(20 <= readings, "{readings}");
    }
}
