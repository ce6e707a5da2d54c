//! Nodes by a condition in words: `kind:cut depth>=3 reach<0.01 -move:left`.
//!
//! ```text
//! query       terms between blanks; all of them must hold, so that nothing at all holds for every node
//! term        field comparison value; a - or ! before it turns it round
//! comparison  :  =  !=  <  <=  >  >=
//! value       a name, a number, a range 2..5 (both ends included, either may be left out),
//!             or several of them with | or , between, of which one must fit
//! ```
//!
//! [`Query::help`] lists the fields. Capitals do not count.
//!
//! # What holds of a node that has no such number?
//!
//! No comparison: a cut without a value is neither above nor below 0, nor different from it. Turned round, a term holds
//! wherever it did not, so `-value>0` finds the cuts as well.
//!
//! # When are two numbers equal?
//!
//! A number with decimals stands for all that are written so: `value:812.4` finds 812.43, which the screen shows as 812.4.
//! Probabilities are shown with two decimals at least, and are compared so. Whole numbers, percentages and powers of ten
//! mean exactly themselves.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::super::ROUNDING;
use super::super::recorder::{Bound, Edge, How};
use super::node::Node;
use super::recorder::reach_of;
use super::view::Place;
use super::{Link, NodeId, NodeKind, NodeView, Origin, Tree};
use crate::game::{Board, Move};
use crate::ron_text::nearest;
use crate::task::CancelToken;
use crate::words;

/// A condition on nodes, read from text with [`FromStr`] and written back with [`fmt::Display`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    terms: Vec<Term>,
}

/// Why a text is no query.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct QueryError {
    /// The bytes of the text that are wrong.
    pub at: Range<usize>,
    /// One sentence that names them and says what to write instead.
    pub text: String,
}

/// A way to go on with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What to write.
    pub insert: String,
    /// The bytes that it takes the place of.
    pub replaces: Range<usize>,
    pub about: &'static str,
}

/// A field that a query may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldHelp {
    pub name: &'static str,
    pub about: &'static str,
    pub example: &'static str,
}

/// What a query may want to know of the nodes above one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Around {
    /// Edges up to the root.
    pub depth: u32,
    /// The move at the root that leads here; `None` at the root itself.
    pub under: Option<Move>,
    /// How much less the slide that led here is worth than the best at the node above; `None` where no slide did, or one of
    /// the two has no value.
    pub loss: Option<f64>,
}

/// A field, a comparison and a value.
#[derive(Clone, PartialEq, Debug)]
struct Term {
    turned_round: bool,
    field: Field,
    test: Test,
}

#[derive(Clone, PartialEq, Debug)]
enum Test {
    /// One of the names of the field, by their places; with `differs` none of them.
    Names { names: u32, differs: bool },
    /// One of the numbers and ranges; with `differs` none of them.
    Numbers { any: Vec<Span>, differs: bool },
    /// On one side of a number.
    Order { order: Compare, than: Number },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compare {
    Equal,
    Differs,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// A number, or a range with both ends.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Span {
    One(Number),
    Range(Option<Number>, Option<Number>),
}

/// A number as it was written.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Number {
    value: f64,
    /// Decimals, 0 where it means exactly itself.
    places: u8,
}

/// More decimals than an `f64` has do not say anything.
const MOST_PLACES: usize = 17;

/// Decimals that probabilities have at least on the screen.
const PLACES_OF_PROBABILITIES: u8 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Kind,
    How,
    Move,
    Under,
    Spawn,
    Cell,
    Depth,
    Left,
    Reach,
    Probability,
    Value,
    Loss,
    Bound,
    Score,
    Empty,
    Largest,
    Nodes,
    LeftOut,
    Order,
}

/// A name that a field may have, what else it is called, and what it means.
type Name = (&'static str, &'static [&'static str], &'static str);

const KINDS: &[Name] = &[
    ("max", &[], "the player chooses a slide"),
    ("chance", &[], "a tile appears, values are averaged or added up"),
    ("min", &[], "a tile appears, the worst counts"),
    ("leaf", &[], "evaluated at the end of the depth"),
    ("dead", &[], "a dead board"),
    ("cut", &[], "not searched, or evaluated where it stands, by a rule"),
    ("cached", &[], "a value from the transposition table"),
];

const RULES: &[Name] = &[
    ("max", &[], "the largest of its slides"),
    ("mean", &[], "the mean of its spawns"),
    ("sum", &[], "the sum over its cells"),
    ("least_mean", &[], "the least mean of its cells"),
    ("min", &[], "the least of its spawns"),
    ("evaluated", &[], "the evaluator, at the end of the depth"),
    ("dead", &[], "a dead board, by the evaluator or 0"),
    ("reach", &[], "cut: too improbable to be reached"),
    ("bounds", &["alpha_beta"], "cut: α reached β"),
    ("unimportant", &["important_cells"], "cut: not among the most important cells"),
    ("stored", &["table"], "from the transposition table"),
];

const MOVES: &[Name] = &[
    ("up", &["↑"], "a slide towards the first row"),
    ("down", &["↓"], "a slide towards the last row"),
    ("left", &["←"], "a slide towards the first column"),
    ("right", &["→"], "a slide towards the last column"),
];

const SPAWNS: &[Name] = &[("2", &[], "a new 2"), ("4", &[], "a new 4")];

const BOUNDS: &[Name] = &[
    ("exact", &[], "the value itself"),
    ("upper", &[], "the value is at most this"),
    ("lower", &[], "the value is at least this"),
];

/// Rows first; the places of the largest board.
const CELLS: &[Name] = &{
    const NAMES: [&str; 25] = [
        "r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r2c1", "r2c2", "r2c3", "r2c4", "r2c5", "r3c1", "r3c2", "r3c3", "r3c4",
        "r3c5", "r4c1", "r4c2", "r4c3", "r4c4", "r4c5", "r5c1", "r5c2", "r5c3", "r5c4", "r5c5",
    ];
    let mut cells: [Name; 25] = [("", &[], "row and column, from 1"); 25];
    let mut place = 0;
    while place < cells.len() {
        cells[place].0 = NAMES[place];
        place += 1;
    }
    cells
};

/// Columns in [`CELLS`].
const COLUMNS: usize = 5;

const TILES: [&str; 17] = [
    "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "32768", "65536",
    "131072",
];

/// As long as this, what somebody wrote is repeated in a sentence.
const LONGEST_SHOWN: usize = 40;

impl Field {
    const ALL: [Self; 19] = [
        Self::Kind,
        Self::How,
        Self::Move,
        Self::Under,
        Self::Spawn,
        Self::Cell,
        Self::Depth,
        Self::Left,
        Self::Reach,
        Self::Probability,
        Self::Value,
        Self::Loss,
        Self::Bound,
        Self::Score,
        Self::Empty,
        Self::Largest,
        Self::Nodes,
        Self::LeftOut,
        Self::Order,
    ];

    const fn help(self) -> &'static FieldHelp {
        &HELP[self as usize]
    }

    const fn name(self) -> &'static str {
        self.help().name
    }

    const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::How => &["rule"],
            Self::Left => &["plies", "plies_left"],
            Self::Probability => &["p"],
            Self::Largest => &["max"],
            Self::Nodes => &["below"],
            _ => &[],
        }
    }

    fn of(text: &str) -> Option<Self> {
        let is_named = |field: &Self| {
            let names = [field.name()].into_iter().chain(field.aliases().iter().copied());
            names.into_iter().any(|name| name.eq_ignore_ascii_case(text))
        };
        Self::ALL.into_iter().find(is_named)
    }

    /// The names it may have, of a field that is no number.
    const fn names(self) -> Option<&'static [Name]> {
        match self {
            Self::Kind => Some(KINDS),
            Self::How => Some(RULES),
            Self::Move | Self::Under => Some(MOVES),
            Self::Spawn => Some(SPAWNS),
            Self::Cell => Some(CELLS),
            Self::Bound => Some(BOUNDS),
            _ => None,
        }
    }

    /// The names in a sentence: `a kind is max, chance or cut`.
    fn choice(self) -> String {
        let what = match self {
            Self::Kind => "a kind is",
            Self::How => "a rule is",
            Self::Move | Self::Under => "a move is",
            Self::Spawn => "a new tile is",
            Self::Cell => return "a cell is a row and a column from 1 to 5, such as r1c4".to_owned(),
            _ => "a bound is",
        };
        let names: Vec<&str> = self.names().unwrap_or_default().iter().map(|name| name.0).collect();
        format!("{what} {}", either(&names))
    }

    const fn is_probability(self) -> bool {
        matches!(self, Self::Reach | Self::Probability)
    }

    /// The comparison that is asked for most, offered with the field.
    const fn usual_comparison(self) -> &'static str {
        match self {
            Self::Reach | Self::Probability | Self::Value | Self::Left | Self::Empty => "<",
            Self::Depth | Self::Loss | Self::Score | Self::Largest | Self::Nodes | Self::LeftOut => ">=",
            _ => ":",
        }
    }
}

const HELP: &[FieldHelp; 19] = &[
    FieldHelp {
        name: "kind",
        about: "What the node is: max, chance, min, leaf, dead, cut, cached",
        example: "kind:cut",
    },
    FieldHelp { name: "how", about: "The rule that gave its value, or cut it", example: "how:bounds,reach" },
    FieldHelp { name: "move", about: "The slide that led here", example: "move:left" },
    FieldHelp { name: "under", about: "The move at the root that leads here", example: "under:←" },
    FieldHelp { name: "spawn", about: "The new tile that led here", example: "spawn:4" },
    FieldHelp { name: "cell", about: "The cell of that tile, row and column from 1", example: "cell:r1c4" },
    FieldHelp { name: "depth", about: "Plies from the root", example: "depth>=3" },
    FieldHelp { name: "left", about: "Plies left to the end of the depth", example: "left:0" },
    FieldHelp { name: "reach", about: "Probability to come here if the player plays along", example: "reach<0.01" },
    FieldHelp { name: "probability", about: "Probability of the spawn that led here", example: "probability>=10%" },
    FieldHelp { name: "value", about: "Value of the node", example: "value<0" },
    FieldHelp { name: "loss", about: "How much less a slide is worth than the best beside it", example: "loss>=100" },
    FieldHelp { name: "bound", about: "Whether the value is exact, an upper or a lower bound", example: "bound:lower" },
    FieldHelp { name: "score", about: "Points up to the node", example: "score>=1000" },
    FieldHelp { name: "empty", about: "Empty cells of its board", example: "empty<4" },
    FieldHelp { name: "largest", about: "Largest tile on its board", example: "largest>=2048" },
    FieldHelp { name: "nodes", about: "Nodes below it", example: "nodes>=1000" },
    FieldHelp {
        name: "left_out",
        about: "Nodes missing right below it because the record is full",
        example: "left_out>0",
    },
    FieldHelp { name: "order", about: "Number in the order of the visit, from 0", example: "order:100..200" },
];

impl Compare {
    /// As they may be written; of two that begin alike the longer first.
    const WRITTEN: [(&'static str, Self); 11] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("!=", Self::Differs),
        ("==", Self::Equal),
        ("≤", Self::AtMost),
        ("≥", Self::AtLeast),
        ("≠", Self::Differs),
        ("<", Self::Less),
        (">", Self::More),
        (":", Self::Equal),
        ("=", Self::Equal),
    ];

    const fn sign(self) -> &'static str {
        match self {
            Self::Equal => ":",
            Self::Differs => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
        }
    }

    fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Differs => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => b < a,
            Self::AtLeast => b <= a,
        }
    }
}

impl Number {
    fn is(self, other: f64, field: Field) -> bool {
        let slack = match self.places {
            0 => self.value.abs() * ROUNDING,
            places if field.is_probability() => 0.5 * 0.1_f64.powi(i32::from(places.max(PLACES_OF_PROBABILITIES))),
            places => 0.5 * 0.1_f64.powi(i32::from(places)),
        };
        (self.value - other).abs() <= slack * (1.0 + ROUNDING)
    }
}

impl Span {
    fn contains(self, value: f64, field: Field) -> bool {
        match self {
            Self::One(number) => number.is(value, field),
            Self::Range(from, to) => {
                from.is_none_or(|from| from.value <= value) && to.is_none_or(|to| value <= to.value)
            }
        }
    }
}

/// What is asked of a node, each when it is asked.
trait Facts {
    fn kind(&self) -> NodeKind;
    /// The place of the rule in [`RULES`].
    fn rule(&self) -> usize;
    fn link(&self) -> Option<Link>;
    fn around(&self) -> Around;
    fn plies_left(&self) -> u32;
    fn reach(&self) -> f64;
    fn probability(&self) -> Option<f64>;
    fn value(&self) -> Option<f64>;
    fn bound(&self) -> Bound;
    fn score(&self) -> u64;
    fn board(&self) -> Board;
    fn nodes(&self) -> u64;
    fn left_out(&self) -> u64;
    fn order(&self) -> u64;
}

/// A node with what its view says.
struct Viewed<'a>(&'a NodeView, &'a Around);

impl Facts for Viewed<'_> {
    fn kind(&self) -> NodeKind {
        self.0.kind
    }

    fn rule(&self) -> usize {
        match self.0.origin {
            Origin::MaxOf => 0,
            Origin::MeanOf => 1,
            Origin::SumOf => 2,
            Origin::LeastMeanOf => 3,
            Origin::MinOf => 4,
            Origin::Evaluated => 5,
            Origin::Dead => 6,
            Origin::TooImprobable { .. } => 7,
            Origin::OutOfBounds { .. } => 8,
            Origin::Unimportant { .. } => 9,
            Origin::Stored { .. } => 10,
        }
    }

    fn link(&self) -> Option<Link> {
        self.0.link
    }

    fn around(&self) -> Around {
        *self.1
    }

    fn plies_left(&self) -> u32 {
        self.0.plies_left
    }

    fn reach(&self) -> f64 {
        self.0.reach
    }

    fn probability(&self) -> Option<f64> {
        self.0.probability
    }

    fn value(&self) -> Option<f64> {
        self.0.value
    }

    fn bound(&self) -> Bound {
        self.0.bound
    }

    fn score(&self) -> u64 {
        self.0.score
    }

    fn board(&self) -> Board {
        self.0.board
    }

    fn nodes(&self) -> u64 {
        self.0.below
    }

    fn left_out(&self) -> u64 {
        self.0.left_out
    }

    fn order(&self) -> u64 {
        self.0.order
    }
}

/// A node on the way through a record.
struct Passed<'a> {
    tree: &'a Tree,
    id: NodeId,
    node: &'a Node,
    parent: Option<NodeId>,
    depth: u32,
    under: Option<Move>,
    reach: f64,
    probability: Option<f64>,
    /// If the query asks for boards.
    place: Option<Place>,
}

impl Facts for Passed<'_> {
    fn kind(&self) -> NodeKind {
        self.tree.kind(self.id)
    }

    fn rule(&self) -> usize {
        super::node::number_of(self.node.how())
    }

    fn link(&self) -> Option<Link> {
        self.tree.link(self.id)
    }

    fn around(&self) -> Around {
        Around { depth: self.depth, under: self.under, loss: self.tree.loss(self.parent, self.id) }
    }

    fn plies_left(&self) -> u32 {
        self.tree.subject.plies.saturating_sub(self.depth)
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    fn probability(&self) -> Option<f64> {
        self.probability
    }

    fn value(&self) -> Option<f64> {
        self.node.value()
    }

    fn bound(&self) -> Bound {
        self.node.bound()
    }

    fn score(&self) -> u64 {
        self.place.map_or(self.tree.subject.score, |place| place.score)
    }

    fn board(&self) -> Board {
        self.place.map_or(self.tree.subject.board, |place| place.board)
    }

    fn nodes(&self) -> u64 {
        self.node.below()
    }

    fn left_out(&self) -> u64 {
        self.tree.left_out_at(self.id)
    }

    fn order(&self) -> u64 {
        self.node.order()
    }
}

impl Query {
    /// Whether nothing is asked, so that every node matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a node is what is asked for. `around` comes from [`Tree::around`].
    pub fn matches(&self, view: &NodeView, around: &Around) -> bool {
        self.holds(&Viewed(view, around))
    }

    /// The fields, for a help text.
    pub fn help() -> &'static [FieldHelp] {
        HELP
    }

    /// How a text may go on where the cursor stands, a place in bytes: fields where a word begins, values behind a
    /// comparison. What fits best comes first.
    pub fn completions(text: &str, cursor: usize) -> Vec<Completion> {
        let mut cursor = cursor.min(text.len());
        while !text.is_char_boundary(cursor) {
            cursor -= 1;
        }
        let blank_before = text[..cursor].rfind(char::is_whitespace);
        let mut start = blank_before.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        if text[start..cursor].starts_with(['-', '!']) {
            start += 1;
        }
        let word = &text[start..cursor];
        let name = &word[..name_len(word)];
        // To the end of the word that the cursor stands in.
        let end = cursor + name_len(&text[cursor..]);
        let Some((sign, order)) = comparison(&word[name.len()..]) else {
            return if name.len() == word.len() { fields(name, start..end) } else { Vec::new() };
        };
        let Some(field) = Field::of(name) else { return Vec::new() };
        let values = start + name.len() + sign.len();
        let begun = text[values..cursor].rfind([',', '|']).map_or(values, |at| values + at + 1);
        let begun_name = text[begun..cursor].to_lowercase();
        let replaces = begun..end;
        let offer =
            |name: &'static str, about| Completion { insert: name.to_owned(), replaces: replaces.clone(), about };
        match field.names() {
            Some(names) if matches!(order, Compare::Equal | Compare::Differs) => {
                let fits = |name: &&Name| {
                    name.0.starts_with(&begun_name) || name.1.iter().any(|alias| alias.starts_with(&begun_name))
                };
                names.iter().filter(fits).map(|name| offer(name.0, name.2)).collect()
            }
            None if field == Field::Largest => {
                let fits = TILES.into_iter().filter(|tile| tile.starts_with(&begun_name));
                fits.map(|tile| offer(tile, "a tile")).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether boards are asked for, which take longer than everything else.
    fn asks_for_boards(&self) -> bool {
        self.terms.iter().any(|term| matches!(term.field, Field::Score | Field::Empty | Field::Largest))
    }

    #[inline(always)]
    fn holds(&self, facts: &impl Facts) -> bool {
        self.terms.iter().all(|term| term.holds(facts) != term.turned_round)
    }
}

/// Fields that begin so, then comparisons if one is complete.
fn fields(begun: &str, replaces: Range<usize>) -> Vec<Completion> {
    let begun = begun.to_lowercase();
    let mut found = Vec::new();
    if let Some(field) = Field::of(&begun).filter(|field| field.names().is_none()) {
        for (sign, about) in [
            ("<", "less than"),
            ("<=", "at most"),
            (">", "more than"),
            (">=", "at least"),
            (":", "equal, or in a range such as 2..5"),
            ("!=", "different from"),
        ] {
            found.push(Completion { insert: format!("{}{sign}", field.name()), replaces: replaces.clone(), about });
        }
    }
    let begins = |name: &&str| name.starts_with(&begun);
    let named = Field::ALL.into_iter().filter(|field| begins(&field.name()));
    let aliased = Field::ALL.into_iter().filter(|field| !begins(&field.name()) && field.aliases().iter().any(begins));
    let is_begun = |field: &Field| found.is_empty() || Field::of(&begun) != Some(*field);
    let offered: Vec<Completion> = named
        .chain(aliased)
        .filter(is_begun)
        .map(|field| Completion {
            insert: format!("{}{}", field.name(), field.usual_comparison()),
            replaces: replaces.clone(),
            about: field.help().about,
        })
        .collect();
    found.extend(offered);
    found
}

impl Term {
    #[inline(always)]
    fn holds(&self, facts: &impl Facts) -> bool {
        match &self.test {
            Test::Names { names, differs } => {
                place_of_name(self.field, facts).is_some_and(|place| (names >> place & 1 == 1) != *differs)
            }
            Test::Numbers { any, differs } => number_of(self.field, facts)
                .is_some_and(|number| any.iter().any(|span| span.contains(number, self.field)) != *differs),
            Test::Order { order, than } => {
                number_of(self.field, facts).is_some_and(|number| order.holds(number, than.value))
            }
        }
    }
}

/// Which of the names of a field a node has.
#[inline(always)]
fn place_of_name(field: Field, facts: &impl Facts) -> Option<usize> {
    let spawn = || match facts.link() {
        Some(Link::Spawn(spawn)) => Some(spawn),
        _ => None,
    };
    match field {
        Field::Kind => NodeKind::ALL.into_iter().position(|kind| kind == facts.kind()),
        Field::How => Some(facts.rule()),
        Field::Move => match facts.link() {
            Some(Link::Slide(mv)) => Some(mv.index()),
            _ => None,
        },
        Field::Under => facts.around().under.map(Move::index),
        Field::Spawn => spawn().map(|spawn| usize::from(spawn.rank.get() == 2)),
        Field::Cell => spawn().map(|spawn| usize::from(spawn.cell.row) * COLUMNS + usize::from(spawn.cell.col)),
        Field::Bound => facts.value().and_then(|_| Bound::ALL.into_iter().position(|bound| bound == facts.bound())),
        _ => None,
    }
}

/// The number that a field is at a node.
#[inline(always)]
fn number_of(field: Field, facts: &impl Facts) -> Option<f64> {
    match field {
        Field::Depth => Some(f64::from(facts.around().depth)),
        Field::Left => Some(f64::from(facts.plies_left())),
        Field::Reach => Some(facts.reach()),
        Field::Probability => facts.probability(),
        Field::Value => facts.value(),
        Field::Loss => facts.around().loss,
        Field::Score => Some(facts.score() as f64),
        Field::Empty => Some(f64::from(facts.board().empty_count())),
        Field::Largest => Some(facts.board().max_rank().tile() as f64),
        Field::Nodes => Some(facts.nodes() as f64),
        Field::LeftOut => Some(facts.left_out() as f64),
        Field::Order => Some(facts.order() as f64),
        _ => None,
    }
}

/// Nodes between two looks at the flag.
const NODES_A_LOOK: u32 = 1 << 14;

impl Tree {
    /// All nodes that match, in the order of the visit; those found so far when it was stopped.
    pub fn find(&self, query: &Query, stop: &CancelToken) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut places = query.asks_for_boards().then(|| self.places(false));
        let mut above: Vec<Above> = Vec::new();
        for id in self.ids() {
            if id.0.is_multiple_of(NODES_A_LOOK) && stop.is_cancelled() {
                break;
            }
            let node = self.at(id);
            while above.last().is_some_and(|above| above.end <= id.0) {
                above.pop();
            }
            let mut passed = Passed {
                tree: self,
                id,
                node,
                parent: None,
                depth: 0,
                under: None,
                reach: self.subject.reach,
                probability: None,
                place: places.as_mut().and_then(Iterator::next).map(|(_, place)| place),
            };
            if let Some(above) = above.last() {
                passed.parent = Some(above.id);
                passed.depth = above.depth + 1;
                passed.under = match above.depth {
                    0 => self.slide(id),
                    _ => above.under,
                };
                (passed.reach, passed.probability) = self.reach_below(above, node);
            }
            if query.holds(&passed) {
                found.push(id);
            }
            if node.kept_below != 0 {
                let Passed { depth, under, reach, .. } = passed;
                let end = id.0 + 1 + node.kept_below;
                above.push(Above { end, id, depth, under, reach, considered: node.considered() });
            }
        }
        found
    }

    /// What [`Query::matches`] needs to know of the nodes above one.
    pub fn around(&self, id: NodeId) -> Around {
        let path = self.path(id);
        Around {
            depth: path.len() as u32 - 1,
            under: path.get(1).and_then(|&id| self.slide(id)),
            loss: self.loss(self.parent(id), id),
        }
    }

    fn slide(&self, id: NodeId) -> Option<Move> {
        match self.at(id).edge() {
            Some(Edge::Slide(mv)) => Some(mv),
            _ => None,
        }
    }

    fn loss(&self, parent: Option<NodeId>, id: NodeId) -> Option<f64> {
        let parent = parent.filter(|_| self.slide(id).is_some())?;
        let loss = self.value(parent)? - self.value(id)?;
        Some(if self.wants_least(parent) { -loss } else { loss })
    }

    /// Reach and probability of a node right below another.
    fn reach_below(&self, above: &Above, node: &Node) -> (f64, Option<f64>) {
        let edge = node.edge();
        match edge {
            Some(Edge::Spawn { .. }) if matches!(node.how(), How::Unimportant { .. }) => (0.0, Some(0.0)),
            Some(Edge::Spawn { .. }) => {
                let of = |parent| reach_of(parent, edge, above.considered, self.probability());
                (of(above.reach), Some(of(1.0)))
            }
            Some(Edge::Slide(_)) | None => (above.reach, None),
        }
    }
}

/// An inner node on the way down.
struct Above {
    /// Behind the last node below it.
    end: u32,
    id: NodeId,
    depth: u32,
    under: Option<Move>,
    reach: f64,
    considered: u32,
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut reader = Reader { text, at: 0 };
        let mut terms = Vec::new();
        while reader.skip_blanks() {
            terms.push(reader.term()?);
        }
        Ok(Self { terms })
    }
}

/// Reads a text from the left.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether anything is left behind them.
    fn skip_blanks(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at < self.text.len()
    }

    fn error(&self, at: Range<usize>, remedy: &str) -> QueryError {
        let wrong = &self.text[at.clone()];
        let mut shown: String =
            wrong.chars().take(LONGEST_SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if wrong.chars().nth(LONGEST_SHOWN).is_some() {
            shown.push('…');
        }
        QueryError { at, text: format!("`{shown}`: {remedy}") }
    }

    fn word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())]
    }

    fn term(&mut self) -> Result<Term, QueryError> {
        let start = self.at;
        let mut turned_round = false;
        while self.rest().starts_with(['-', '!', '−']) && !self.rest().starts_with("!=") {
            turned_round = !turned_round;
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
        }
        let name_at = self.at;
        let name = &self.rest()[..name_len(self.rest())];
        if name.is_empty() {
            let end = self.at + self.word().len();
            return Err(self.error(start..end.max(start + 1), "a field stands first, such as kind:cut or depth>=3"));
        }
        self.at += name.len();
        let behind_name = self.at;
        self.skip_blanks();
        let Some((sign, order)) = comparison(self.rest()) else {
            self.at = behind_name;
            let end = (name_at + name.len() + self.word().len()).max(behind_name);
            return Err(self.error(name_at..end, &without_comparison(&self.text[name_at..end])));
        };
        let Some(field) = Field::of(name) else {
            return Err(self.error(name_at..behind_name, &unknown_field(name)));
        };
        self.at += sign.len();
        self.skip_blanks();
        let value_at = self.at;
        let value = self.word();
        self.at += value.len();
        let whole = start..self.at;
        let example = field.help().example;
        if value.is_empty() {
            let remedy = match field.names() {
                Some(_) => format!("what it is to be is missing: {}", field.choice()),
                None => format!("the number is missing, such as {example}"),
            };
            let end = self.text[..whole.end].trim_end().len();
            return Err(self.error(start..end, &remedy));
        }
        let test = match (field.names(), order) {
            (Some(names), Compare::Equal | Compare::Differs) => {
                let mut set = 0;
                for (at, item) in items(value, value_at) {
                    let is_meant = |name: &Name| {
                        let mut all = [name.0].into_iter().chain(name.1.iter().copied());
                        all.any(|name| name.eq_ignore_ascii_case(item))
                    };
                    let Some(place) = names.iter().position(is_meant) else {
                        let shown = start..at.end.max(value_at);
                        return Err(self.error(shown, &unknown_name(field, names, item)));
                    };
                    set |= 1 << place;
                }
                Test::Names { names: set, differs: order == Compare::Differs }
            }
            (Some(_), _) => {
                return Err(self.error(whole, &format!("{} has no order, write {example}", field.name())));
            }
            (None, Compare::Equal | Compare::Differs) => {
                self.check_thousands(value, value_at)?;
                let any = items(value, value_at).map(|(at, item)| self.span(field, item, start..at.end));
                Test::Numbers { any: any.collect::<Result<_, _>>()?, differs: order == Compare::Differs }
            }
            (None, order) => {
                if value.contains(['|', ',']) {
                    let remedy =
                        format!("{} compares with one number, without commas, such as {example}", order.sign());
                    return Err(self.error(whole, &remedy));
                }
                match self.span(field, value, whole.clone())? {
                    Span::One(than) => Test::Order { order, than },
                    Span::Range(..) => {
                        let remedy = format!("a range stands behind a colon: {}:{value}", field.name());
                        return Err(self.error(whole, &remedy));
                    }
                }
            }
        };
        Ok(Term { turned_round, field, test })
    }

    /// `8,759.2` could be one number or two.
    fn check_thousands(&self, value: &str, value_at: usize) -> Result<(), QueryError> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        for (comma, _) in value.match_indices(',') {
            let before = value[..comma].bytes().rev().take_while(u8::is_ascii_digit).count();
            if (1..=3).contains(&before) && digits(&value[comma + 1..]) == 3 {
                let at = value_at..value_at + value.len();
                let (one, several) = (value.replace(',', ""), value.replace(',', "|"));
                let remedy = format!("write {one} if it is one number, {several} if it is several");
                return Err(self.error(at, &remedy));
            }
        }
        Ok(())
    }

    fn span(&self, field: Field, item: &str, at: Range<usize>) -> Result<Span, QueryError> {
        let wrong = || {
            let FieldHelp { name, example, .. } = field.help();
            self.error(at.clone(), &format!("{name} is a number, such as {example}"))
        };
        let Some((from, to)) = item.split_once("..") else {
            return number(item).map(Span::One).ok_or_else(wrong);
        };
        let to = to.strip_prefix('=').unwrap_or(to);
        let end = |text: &str| match text {
            "" => Ok(None),
            text => number(text).map(Some).ok_or_else(wrong),
        };
        let (from, to) = (end(from)?, end(to)?);
        match (from, to) {
            (None, None) => Err(self.error(at, "a range needs an end, such as 2..5, 2.. or ..5")),
            (Some(a), Some(b)) if b.value < a.value => Err(self.error(at, "the smaller end of a range stands first")),
            _ => Ok(Span::Range(from, to)),
        }
    }
}

/// The items of a list, with where they stand.
fn items(list: &str, at: usize) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut next = at;
    list.split(['|', ',']).map(move |item| {
        let start = next;
        next += item.len() + 1;
        (start..start + item.len(), item)
    })
}

fn number(text: &str) -> Option<Number> {
    let plain = text.replace('−', "-");
    let (digits, scale) = match plain.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (plain.as_str(), 1.0),
    };
    // Words such as inf are no numbers here.
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) {
        return None;
    }
    let value: f64 = digits.parse().ok().filter(|value: &f64| value.is_finite())?;
    let is_exact = scale != 1.0 || digits.contains(['e', 'E']);
    let places = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let places = if is_exact || MOST_PLACES < places { 0 } else { places as u8 };
    Some(Number { value: value / scale, places })
}

/// The length of the name with which a text begins.
fn name_len(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// The comparison with which a text begins, as it is written there.
fn comparison(text: &str) -> Option<(&'static str, Compare)> {
    Compare::WRITTEN.into_iter().find(|(sign, _)| text.starts_with(sign))
}

fn unknown_field(name: &str) -> String {
    let names: Vec<&str> = Field::ALL
        .into_iter()
        .flat_map(|field| [field.name()].into_iter().chain(field.aliases().iter().copied()))
        .collect();
    match nearest(name, &names) {
        Some(meant) => format!("there is no such field, did you mean {meant}?"),
        None => {
            let names: Vec<&str> = Field::ALL.into_iter().map(Field::name).collect();
            format!("there is no such field, known are {}", words::list(&names))
        }
    }
}

fn unknown_name(field: Field, names: &[Name], item: &str) -> String {
    let known: Vec<&str> = names.iter().map(|name| name.0).collect();
    match nearest(item, &known).filter(|_| field != Field::Cell && field != Field::Spawn) {
        Some(meant) => format!("did you mean {meant}? {}", capitalised(&field.choice())),
        None => field.choice(),
    }
}

/// What to write instead of a lone word.
fn without_comparison(word: &str) -> String {
    let lower = word.to_lowercase();
    if let Some(field) = Field::of(&lower).filter(|_| lower != "max") {
        return format!("say what it is to be, such as {}", field.help().example);
    }
    for field in [Field::Kind, Field::Move, Field::How, Field::Cell, Field::Bound] {
        let names = field.names().unwrap_or_default();
        if let Some(name) = names.iter().find(|name| name.0 == lower || name.1.contains(&lower.as_str())) {
            return format!("say of what, such as {}:{}", field.name(), name.0);
        }
    }
    "a term is a field, a comparison and a value, such as kind:cut or depth>=3".to_owned()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// `a, b or c`.
fn either(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

impl fmt::Display for Query {
    /// In a form that is read back as the same query.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, term) in self.terms.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { " " })?;
            write!(f, "{term}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |differs: bool| if differs { Compare::Differs } else { Compare::Equal }.sign();
        f.write_str(if self.turned_round { "-" } else { "" })?;
        f.write_str(self.field.name())?;
        match &self.test {
            Test::Names { names, differs } => {
                let all = self.field.names().unwrap_or_default().iter().enumerate();
                let chosen: Vec<&str> =
                    all.filter(|(place, _)| names >> place & 1 == 1).map(|(_, name)| name.0).collect();
                write!(f, "{}{}", sign(*differs), chosen.join(","))
            }
            Test::Numbers { any, differs } => {
                let any: Vec<String> = any.iter().map(ToString::to_string).collect();
                // Commas could be taken for those of thousands.
                write!(f, "{}{}", sign(*differs), any.join("|"))
            }
            Test::Order { order, than } => write!(f, "{}{than}", order.sign()),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: &Option<Number>| end.map(|end| end.to_string()).unwrap_or_default();
        match self {
            Self::One(number) => write!(f, "{number}"),
            Self::Range(from, to) => write!(f, "{}..{}", end(from), end(to)),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Whole numbers are written out up to here.
        const LONG: f64 = 1e15;
        match (self.places, self.value) {
            (0, value) if value == value.trunc() && value.abs() < LONG => write!(f, "{value}"),
            (0, value) => write!(f, "{value:e}"),
            (places, value) => write!(f, "{value:.0$}", usize::from(places)),
        }
    }
}
