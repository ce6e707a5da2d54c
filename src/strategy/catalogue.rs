//! The rows that the palette offers for strategies.
//!
//! An [`Item`] is a whole [`Criterion`]. Items of one ply cover every kind of [`Evaluator`].
//!
//! To add one, write a line into the table of its group.

use std::sync::LazyLock;

use super::Criterion;
use crate::evaluator::source::{ASSIGNMENT, COURSE, OVOLVE, SOLVER};
use crate::evaluator::{self, EXAMPLES, Evaluator, FeaturePolicy, ProgramSpec};
use crate::network;
use crate::ron_text;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// An evaluator of the afterstate.
    OnePly,
    Searches,
    /// Several evaluators in one, and weights of cells and lines.
    Sums,
    Sources,
    /// A row of a saved strategy.
    Own,
}

impl Group {
    /// All groups with their headings, in the order of the palette.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::OnePly, "One ply"),
        (Self::Searches, "Searches"),
        (Self::Sums, "Sums and matrices"),
        (Self::Sources, "From the sources"),
        (Self::Own, "From your library"),
    ];
}

/// A row of the palette.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub group: Group,
    /// The name of the evaluator or of the search, or the title of a published strategy.
    pub name: String,
    /// The row itself, for a 4×4 board.
    pub criterion: Criterion,
    /// Two lines that explain it. The first is short enough for the space below the name.
    pub lines: [String; 2],
    /// The source; may be empty.
    pub source: String,
}

impl Item {
    /// Whether the letters of a search occur in its name, its explanation, its source or the heading of its group. Case
    /// does not matter.
    pub fn matches(&self, query: &str) -> bool {
        let [first, second] = &self.lines;
        let evaluator = self.criterion.evaluator.label();
        let heading = Group::ALL
            .iter()
            .find(|(group, _)| *group == self.group)
            .map_or("", |(_, heading)| *heading);
        let texts = [
            self.name.as_str(),
            first,
            second,
            &self.source,
            &evaluator,
            heading,
        ];
        let query = query.trim().to_lowercase();
        query
            .split_whitespace()
            .all(|word| texts.iter().any(|text| text.to_lowercase().contains(word)))
    }

    /// The built-in items, group by group.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Item>> = LazyLock::new(|| {
            let searches = SEARCHES.map(|row| {
                item(Group::Searches, row, |text| {
                    format!("({MIX}, lookahead: {text})")
                })
            });
            let sums =
                SUMS.map(|row| item(Group::Sums, row, |text| format!("(evaluator: {text})")));
            let sources = SOURCES.map(|row| item(Group::Sources, row, str::to_owned));
            one_ply()
                .chain(searches)
                .chain(sums)
                .chain(sources)
                .collect()
        });
        &ALL
    }

    /// The items that a search finds: names that begin with it first, then in the order of the catalogue.
    pub fn find(query: &str) -> Vec<&'static Self> {
        let begins = query.trim().to_lowercase();
        let mut found: Vec<&Item> = Self::all()
            .iter()
            .filter(|item| item.matches(query))
            .collect();
        let rank = |item: &Item| {
            let name = item.name.to_lowercase();
            (!name.starts_with(&begins), !name.contains(&begins))
        };
        found.sort_by_key(|item| rank(item));
        found
    }
}

/// Name, the variable part of the row in RON, two lines, source.
type Row = (&'static str, &'static str, [&'static str; 2], &'static str);

fn item(group: Group, (name, row, lines, source): Row, whole: impl Fn(&str) -> String) -> Item {
    let criterion =
        ron_text::read(&whole(row)).unwrap_or_else(|error| unreachable!("{row}: {error}"));
    Item {
        group,
        name: name.to_owned(),
        criterion,
        lines: lines.map(str::to_owned),
        source: source.to_owned(),
    }
}

const TUTORIAL: &str = "An expectimax tutorial; constants of Xiao's solver";
const XIAO: &str = "Xiao, Vermaelen and Moravčík, 2048-AI";

fn one_ply() -> impl Iterator<Item = Item> {
    use Evaluator::{
        Corner, CornerBonus, Difference, DifferenceOfTiles, Edges, Empty, Formula, HasTile, Inert,
        LogEmpty, MaxRank, MaxTile, MonotoneSum, Monotonicity, Network, Policy, Program,
        RankMonotonicity, RankSmoothness, Score, Smoothness, SmoothnessPrinted, Snake, Solved,
        Uniformity,
    };

    let first = [
        Score,
        Empty,
        Monotonicity,
        Uniformity,
        Difference,
        Snake,
        Corner,
        MaxTile,
    ];
    let item = |evaluator: Evaluator| {
        let facts = evaluator.facts();
        facts.palette.map(|offer| Item {
            group: Group::OnePly,
            name: facts.name.to_owned(),
            criterion: Criterion::one_ply(evaluator),
            lines: offer.lines.map(str::to_owned),
            source: offer.source.to_owned(),
        })
    };

    let further = [
        DifferenceOfTiles,
        Edges,
        MonotoneSum,
        Smoothness,
        SmoothnessPrinted,
        CornerBonus,
    ];
    let ovolve = [
        RankMonotonicity,
        RankSmoothness,
        LogEmpty,
        MaxRank,
        HasTile(2048),
    ];
    let files = [
        Solved("3x3".to_owned()),
        Network(network::library::REFERENCE.to_owned()),
    ];
    let formula = Formula(evaluator::Formula::new(EXAMPLES[0].text));
    let own = [
        Policy(FeaturePolicy::default()),
        formula,
        Program(ProgramSpec::default()),
    ];
    first
        .into_iter()
        .chain(further)
        .chain(ovolve)
        .chain([Inert])
        .chain(files)
        .chain(own)
        .filter_map(item)
}

/// The evaluator of the palette's searches: large tiles in a corner, and points.
const MIX: &str = "evaluator: Sum([(1, Corner), (1, Score)])";

/// Lookaheads for [`MIX`].
const SEARCHES: [Row; 9] = [
    (
        "Expectimax",
        "Expectimax(plies: Fixed(3))",
        [
            "mean over spawns",
            "Two moves and the spawn between them, averaged by probability",
        ],
        SOLVER,
    ),
    (
        "Minimax",
        "Minimax(plies: Fixed(3))",
        [
            "worst spawn",
            "Expects the most harmful tile, in the most harmful cell",
        ],
        COURSE,
    ),
    (
        "Alpha-beta",
        "Minimax(plies: Fixed(3), cuts: [AlphaBeta])",
        [
            "minimax, with cuts",
            "Minimax that skips what cannot change the choice",
        ],
        SOLVER,
    ),
    (
        "Deeper when full",
        "Expectimax(plies: ByEmpty([(8, 3), (4, 4), (0, 5)]))",
        [
            "plies by empty cells",
            "3 plies with 8 empty cells or more, 5 below 4; the rule is ours",
        ],
        "",
    ),
    (
        "Deeper with tiles",
        "Expectimax(plies: ByDistinct(offset: -2, at_least: 1, at_most: 2), cuts: [Reach(0.0001)])",
        [
            "plies by distinct tiles",
            "Expectimax that searches deeper when the board has more different tiles",
        ],
        XIAO,
    ),
    (
        "Node limit",
        "Expectimax(nodes: 20000)",
        [
            "deepens until 20,000 nodes",
            "Deepens ply by ply until the node limit; the same moves on any machine",
        ],
        "",
    ),
    (
        "Monte Carlo",
        "MonteCarlo(playouts: 100)",
        [
            "mean of 100 random games",
            "Plays on at random from each move, on the same spawns; the evaluator values the last board",
        ],
        "",
    ),
    (
        "Tree of playouts",
        "Mcts(playouts: 400)",
        [
            "a tree grown by playouts",
            "UCT: grows where results are good; 400 playouts in total",
        ],
        "",
    ),
    (
        "Averaged searches",
        "AveragedSearch(searches: 20, plies: Fixed(5))",
        [
            "depth-limited, spawns drawn",
            "Searches up to a depth with one randomly drawn spawn per ply, averaged over 20 draws",
        ],
        "Rodgers and Levine 2014, our reading",
    ),
];

/// Evaluators of rows of one ply.
const SUMS: [Row; 9] = [
    (
        "Sum",
        "Sum([(1, Score), (50, Empty)])",
        [
            "weight × evaluator, added up",
            "Combines several aims; weights set their relative worth",
        ],
        SOLVER,
    ),
    (
        "Corner + Score",
        "Sum([(1, Corner), (1, Score)])",
        [
            "two evaluators at equal weight",
            "Large tiles in a corner, and points; the Solver mixed them with weights that are lost",
        ],
        SOLVER,
    ),
    (
        "Room and edges",
        "Sum([(1, Edges), (270, Empty)])",
        [
            "empty cells, large tiles at the edge",
            "What Course says of Xiao's solver; the weights are ours",
        ],
        COURSE,
    ),
    (
        "Assignment's H",
        "Sum([(1, Score), (50, Empty), (10, MonotoneSum), (5, SmoothnessPrinted), (10, CornerBonus)])",
        [
            "five terms with weights",
            "Score, room, order, smoothness and the corner",
        ],
        ASSIGNMENT,
    ),
    (
        "Product",
        r#"Product(Score, Weights("a"))"#,
        [
            "evaluator × evaluator",
            "One value times another, such as the score times weights of cells",
        ],
        COURSE,
    ),
    (
        "Weights a",
        r#"Weights("a")"#,
        [
            "Σ weight × tile, 6 to 0",
            "A diagonal gradient; the figure is lost, the numbers are ours",
        ],
        COURSE,
    ),
    (
        "Weights b",
        r#"Weights("b")"#,
        [
            "Σ weight × tile, 64 to 1",
            "The diagonal doubled each step; the figure is lost, the numbers are ours",
        ],
        COURSE,
    ),
    (
        "Weights c",
        r#"Weights("c")"#,
        [
            "Σ weight × tile, a snake",
            "A folded path doubled each step, 32,768 to 1; the figure is lost, the numbers are ours",
        ],
        COURSE,
    ),
    (
        "Lines",
        "Lines()",
        [
            "merges, order, empty, per line",
            "Scores each row and column for order, merges and room",
        ],
        XIAO,
    ),
];

/// Rows from publications, as the shipped presets play them. If a text leaves something open, the second line says what
/// is ours.
const SOURCES: [Row; 11] = [
    (
        "Solver's Snake",
        "(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4)))",
        [
            "expectimax of 4 plies",
            "Published mean 45,000, 2048 in 90 of 100 games; the grid of its weights is lost",
        ],
        SOLVER,
    ),
    (
        "Solver's Corner and Score",
        "(evaluator: Sum([(1, Corner), (1, Score)]), lookahead: Expectimax(plies: Fixed(4)))",
        [
            "Corner + Score, expectimax of 4 plies",
            "The Solver's best mix has mean 55,000 at an unpublished weight; 1 : 1 is ours",
        ],
        SOLVER,
    ),
    (
        "Solver's Snake, alpha-beta",
        "(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))",
        [
            "the worst spawn, 4 plies",
            "Two moves and two spawns, skipping what cannot change the choice",
        ],
        SOLVER,
    ),
    (
        "Solver's third level",
        "(evaluator: Corner, lookahead: Expectimax(plies: ByEmpty([(7, 4), (0, 6)])))",
        [
            "Corner, 6 plies when crowded",
            "Two plies more with six or fewer empty cells",
        ],
        SOLVER,
    ),
    (
        "Tutorial's line score",
        "(evaluator: Lines(), lookahead: Expectimax(dead: Zero))",
        ["expectimax of 3 plies, mean", "A dead board is worth 0"],
        TUTORIAL,
    ),
    (
        "Tutorial's line score, sum",
        "(evaluator: Lines(), lookahead: Expectimax(spawn: Sum, dead: Zero))",
        [
            "expectimax of 3 plies, sum",
            "The pseudocode adds up the spawns without dividing",
        ],
        TUTORIAL,
    ),
    (
        "Course's minimax",
        "(evaluator: Score, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))",
        [
            "score, two moves and two spawns",
            "Published mean 9,346 of 100 games, a 4 in one of five spawns",
        ],
        COURSE,
    ),
    (
        "Course's weighted score",
        "(evaluator: Product(Score, Weights(\"c\")), \
         lookahead: Expectimax(plies: Fixed(8), cuts: [ImportantCells(k: 4, weights: \"c\")]))",
        [
            "score × weights c, 8 plies",
            "Pruned to the 4 most important cells; slow",
        ],
        COURSE,
    ),
    (
        "Assignment's expectimax",
        "(evaluator: Sum([(1, Score), (50, Empty), (10, MonotoneSum), (5, SmoothnessPrinted), (10, CornerBonus)]), \
         lookahead: Expectimax(plies: ByEmpty([(8, 3), (4, 4), (0, 5)])))",
        [
            "H, 3 to 5 plies by empty cells",
            "Published: 5 of 5 games reached 2048; the depth rule is ours",
        ],
        ASSIGNMENT,
    ),
    (
        "ovolve's minimax",
        "(evaluator: Sum([(0.1, RankSmoothness), (1, RankMonotonicity), (2.7, LogEmpty), (1, MaxRank), (10000, HasTile(2048))]), \
         lookahead: Minimax(plies: Fixed(5), dead: Lost, cuts: [AlphaBeta, WorstSpawns]))",
        [
            "worst spawns alone, 5 plies",
            "2048 in about 90 % according to its author, who searched for 100 ms",
        ],
        OVOLVE,
    ),
    (
        "Xiao's solver",
        "(evaluator: Lines(), \
         lookahead: Expectimax(plies: ByDistinct(offset: -2, at_least: 3, at_most: 63), dead: Zero, cuts: [Reach(0.0001)]))",
        [
            "lines, depth by distinct tiles",
            "Mean 439,046 of 100 games, reimplemented by Kohler and others; a move may take a second",
        ],
        XIAO,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;
    use crate::preset::Shipped;
    use crate::strategy::Strategy;

    #[test]
    fn every_item_can_be_played_and_reads_back() {
        // A solved table exists only after the user has solved the board.
        for item in Item::all()
            .iter()
            .filter(|item| item.criterion.evaluator.files().is_empty())
        {
            assert_eq!(item.criterion.check(Size::FOUR), Ok(()), "{}", item.name);
            let strategy = Strategy {
                criteria: vec![item.criterion.clone()],
                ..Strategy::default()
            };
            assert_eq!(
                strategy.to_string().parse(),
                Ok(strategy.clone()),
                "{}",
                item.name
            );
            assert_eq!(strategy.lint(Size::FOUR), [], "{}", item.name);
        }
    }

    #[test]
    fn no_two_items_are_the_same_row_or_have_the_same_name() {
        let all = Item::all();
        for (index, item) in all.iter().enumerate() {
            for other in &all[..index] {
                assert_ne!(item.name, other.name);
                // A published row may equal an item above.
                if item.group != Group::Sources || other.group == Group::Sources {
                    assert_ne!(
                        item.criterion, other.criterion,
                        "{} and {}",
                        item.name, other.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_kind_of_evaluator_and_of_search_is_there() {
        let all = Item::all();
        for evaluator in Evaluator::palette() {
            let is_there = |item: &Item| {
                item.criterion == Criterion::one_ply(evaluator.clone()) && !item.lines[0].is_empty()
            };
            assert!(all.iter().any(is_there), "{evaluator}");
        }
        for kind in [
            "Expectimax",
            "Minimax",
            "MonteCarlo",
            "Mcts",
            "AveragedSearch",
        ] {
            assert!(all.iter().any(
                |item| item.group == Group::Searches && item.criterion.lookahead.name() == kind
            ));
        }
        let groups: Vec<Group> = all.iter().map(|item| item.group).collect();
        let place = |group: &Group| Group::ALL.iter().position(|(other, _)| other == group);
        assert!(groups.is_sorted_by_key(place), "groups stand together");
    }

    #[test]
    fn what_is_called_published_is_played_by_a_shipped_preset() {
        let presets: Vec<_> = Shipped::ALL
            .iter()
            .map(|shipped| shipped.preset().expect(shipped.name))
            .collect();
        let rows: Vec<&Criterion> = presets
            .iter()
            .flat_map(|preset| &preset.strategies)
            .flat_map(|entry| &entry.strategy.criteria)
            .collect();
        for item in Item::all()
            .iter()
            .filter(|item| item.group == Group::Sources)
        {
            assert!(
                rows.contains(&&item.criterion),
                "{} is in no preset",
                item.name
            );
        }
    }

    #[test]
    fn a_search_finds_by_name_explanation_and_source_and_the_name_comes_first() {
        let names = |query| {
            Item::find(query)
                .iter()
                .map(|item| item.name.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(names("mono")[..2], ["Monotonicity", "MonotoneSum"]);
        assert_eq!(names("sum")[0], "Sum");
        assert!(names("worst spawn").contains(&"Minimax"));
        assert!(names("xiao").contains(&"Lines"));
        let mut searches = Item::all()
            .iter()
            .filter(|item| item.group == Group::Searches);
        assert!(searches.all(|item| names("searches").contains(&item.name.as_str())));
        assert_eq!(names("").len(), Item::all().len());
        assert!(names("zzz").is_empty());
    }
}
