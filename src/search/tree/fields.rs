//! The fields of a node that a query can name: one table for queries, completion and their help.
//!
//! To add a field, add a row, and a column in `export.rs` (or its name in the list of derived fields in the test
//! there). A field that is read off the board says `Unit::OfBoard`; for any other field, the board is not computed. Add
//! it to `fact` and to `NAMED` or `NUMBERED` of `tests/engine/inspection.rs` too.

use strum::VariantArray as _;

use super::node::Node;
use super::view::Place;
use super::{NodeId, Tree, TreeKind};
use crate::game::{Move, Spawn};
use crate::search::{Bound, Edge, NodeKind, Rule, Word};

/// A field of a node that a query can name.
#[derive(Debug)]
pub struct Field {
    pub word: Word,
    pub example: &'static str,
    pub trees: &'static [TreeKind],
    pub(super) values: Values,
}

/// The possible values of a field, and the function that reads it off a node.
#[derive(Debug)]
pub(super) enum Values {
    /// One of these words, by index.
    Words {
        words: &'static [Word],
        /// The start of a sentence that lists the words, such as `a kind is`; or the whole sentence if there are too
        /// many words.
        choice: &'static str,
        place: fn(&Visit<'_>) -> Option<usize>,
    },
    Number {
        unit: Unit,
        /// The most common comparison, offered with the field.
        usual: &'static str,
        number: fn(&Visit<'_>) -> Option<f64>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    Plain,
    /// Shown with at least two decimals.
    Probability,
    /// Read off the board, which takes longer than everything else.
    OfBoard,
    /// Like `OfBoard`, and one of the tiles.
    Tile,
}

/// All fields. Completion offers them in this order.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the path of a method has one lifetime, a field takes any"
)]
pub(super) static FIELDS: [Field; 22] = [
    field(
        "kind",
        &[],
        "What the node is: max, chance, min, leaf, dead, cut, cached",
        "kind:cut",
    )
    .words(&NodeKind::WORDS, "a kind is", |visit| {
        Some(visit.tree.kind(visit.id) as usize)
    }),
    field(
        "how",
        &["rule"],
        "The rule that gave its value or cut it",
        "how:bounds,reach",
    )
    .words(&Rule::WORDS, "a rule is", |visit| {
        Some(visit.node.rule() as usize)
    }),
    field("move", &[], "The slide that led here", "move:left").words(
        &MOVES,
        "a move is",
        |visit| visit.tree.slide(visit.id).map(Move::index),
    ),
    field(
        "under",
        &[],
        "The move at the root that leads here",
        "under:←",
    )
    .words(&MOVES, "a move is", |visit| visit.under.map(Move::index)),
    field("spawn", &[], "The new tile that led here", "spawn:4").words(
        &SPAWNS,
        "a new tile is",
        |visit| Some(usize::from(visit.spawn()?.rank.get() == 2)),
    ),
    field(
        "cell",
        &[],
        "The cell of that tile, row and column from 1",
        "cell:r1c4",
    )
    .words(
        &CELLS,
        "a cell is a row and a column from 1 to 5, such as r1c4",
        |visit| {
            visit
                .spawn()
                .map(|spawn| usize::from(spawn.cell.row) * COLUMNS + usize::from(spawn.cell.col))
        },
    ),
    field("depth", &[], "Plies from the root", "depth>=3")
        .number(">=", |visit| Some(f64::from(visit.depth))),
    field(
        "left",
        &["plies", "plies_left"],
        "Plies left to the end of the depth",
        "left:0",
    )
    .number("<", |visit| {
        Some(f64::from(visit.tree.plies_left(visit.id)))
    })
    .only(&[TreeKind::DepthLimited]),
    field(
        "reach",
        &[],
        "Probability of getting here, as the search counts it, given the moves",
        "reach<0.01",
    )
    .number("<", |visit| Some(visit.reach))
    .unit(Unit::Probability),
    field(
        "probability",
        &["p"],
        "Probability of the spawn that led here",
        "probability>=10%",
    )
    .number("<", |visit| visit.probability)
    .unit(Unit::Probability),
    field("value", &[], "Value of the node", "value<0").number("<", |visit| visit.node.value()),
    field(
        "loss",
        &[],
        "How much less a slide is worth than the best slide of its board",
        "loss>=100",
    )
    .number(">=", |visit| visit.loss()),
    field(
        "bound",
        &[],
        "Whether the value is exact, an upper or a lower bound",
        "bound:lower",
    )
    .words(&Bound::WORDS, "a bound is", |visit| {
        visit.node.value().map(|_| visit.node.bound() as usize)
    })
    .only(&[TreeKind::DepthLimited]),
    field("score", &[], "Points up to the node", "score>=1000")
        .number(">=", |visit| Some(visit.place().score as f64))
        .unit(Unit::OfBoard),
    field("empty", &[], "Empty cells of its board", "empty<4")
        .number("<", |visit| {
            Some(f64::from(visit.place().board.empty_count()))
        })
        .unit(Unit::OfBoard),
    field(
        "largest",
        &["max"],
        "Largest tile on its board",
        "largest>=2048",
    )
    .number(">=", |visit| {
        Some(visit.place().board.max_rank().tile() as f64)
    })
    .unit(Unit::Tile),
    field(
        "nodes",
        &["below"],
        "Nodes below it, cuts included",
        "nodes>=1000",
    )
    .number(">=", |visit| Some(visit.node.below() as f64)),
    field(
        "left_out",
        &[],
        "Children missing because the record is full",
        "left_out>0",
    )
    .number(">=", |visit| Some(visit.tree.left_out_at(visit.id) as f64)),
    field(
        "visits",
        &["playouts"],
        "Samples that went through it",
        "visits>=100",
    )
    .number(">=", |visit| {
        visit
            .tree
            .sample(visit.id)
            .map(|sample| sample.all.count() as f64)
    })
    .only(SAMPLED),
    field(
        "error",
        &["standard_error"],
        "Standard error of its mean; a growing tree has none",
        "error<10",
    )
    .number("<", |visit| visit.tree.standard_error(visit.id))
    .only(SAMPLED),
    field(
        "share",
        &[],
        "Its share of the samples through the node above",
        "share>=50%",
    )
    .number(">=", |visit| visit.tree.share_of_samples(visit.id))
    .unit(Unit::Probability)
    .only(SAMPLED),
    field(
        "order",
        &[],
        "Position in the order of visits, from 0",
        "order:100..200",
    )
    .number(":", |visit| Some(visit.node.order() as f64)),
];

const SAMPLED: &[TreeKind] = &[TreeKind::Sampled];

const MOVES: [Word; 4] = [
    Word::new("up", &["↑"], "a slide toward the first row"),
    Word::new("down", &["↓"], "a slide toward the last row"),
    Word::new("left", &["←"], "a slide toward the first column"),
    Word::new("right", &["→"], "a slide toward the last column"),
];

const SPAWNS: [Word; 2] = [
    Word::new("2", &[], "a new 2"),
    Word::new("4", &[], "a new 4"),
];

/// The cells of the largest board, row by row.
const CELLS: [Word; 25] = {
    const NAMES: [&str; 25] = [
        "r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r2c1", "r2c2", "r2c3", "r2c4", "r2c5", "r3c1",
        "r3c2", "r3c3", "r3c4", "r3c5", "r4c1", "r4c2", "r4c3", "r4c4", "r4c5", "r5c1", "r5c2",
        "r5c3", "r5c4", "r5c5",
    ];
    let mut cells = [Word::new("", &[], "row and column, from 1"); 25];
    let mut place = 0;
    while place < cells.len() {
        cells[place].name = NAMES[place];
        place += 1;
    }
    cells
};

const COLUMNS: usize = 5;

/// A row of the table for a number. Its number is still missing for every node.
const fn field(
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    example: &'static str,
) -> Field {
    let values = Values::Number {
        unit: Unit::Plain,
        usual: ":",
        number: |_| None,
    };
    Field {
        word: Word::new(name, aliases, about),
        example,
        trees: TreeKind::VARIANTS,
        values,
    }
}

impl Field {
    const fn words(
        mut self,
        words: &'static [Word],
        choice: &'static str,
        place: fn(&Visit<'_>) -> Option<usize>,
    ) -> Self {
        self.values = Values::Words {
            words,
            choice,
            place,
        };
        self
    }

    const fn number(mut self, usual: &'static str, number: fn(&Visit<'_>) -> Option<f64>) -> Self {
        self.values = Values::Number {
            unit: Unit::Plain,
            usual,
            number,
        };
        self
    }

    const fn unit(mut self, kind: Unit) -> Self {
        if let Values::Number { unit, .. } = &mut self.values {
            *unit = kind;
        }
        self
    }

    const fn only(mut self, trees: &'static [TreeKind]) -> Self {
        self.trees = trees;
        self
    }

    pub(super) fn of(text: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.word.is(text))
    }

    /// The words that the field can be. `None` for a number.
    pub(super) fn its_words(&self) -> Option<&'static [Word]> {
        match self.values {
            Values::Words { words, .. } => Some(words),
            Values::Number { .. } => None,
        }
    }

    pub(super) fn is(&self, wanted: Unit) -> bool {
        matches!(self.values, Values::Number { unit, .. } if unit == wanted)
    }

    pub(super) const fn usual_comparison(&self) -> &'static str {
        match self.values {
            Values::Words { .. } => ":",
            Values::Number { usual, .. } => usual,
        }
    }
}

impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

/// A node with the values that are derived on the way to it.
pub(super) struct Visit<'a> {
    pub(super) tree: &'a Tree,
    pub(super) id: NodeId,
    pub(super) node: &'a Node,
    pub(super) parent: Option<NodeId>,
    /// Edges up to the root.
    pub(super) depth: u32,
    /// The move at the root that leads here. `None` at the root itself.
    pub(super) under: Option<Move>,
    pub(super) reach: f64,
    pub(super) probability: Option<f64>,
    pub(super) place: Option<Place>,
}

impl Visit<'_> {
    fn spawn(&self) -> Option<Spawn> {
        self.tree.spawn(self.id)
    }

    fn place(&self) -> Place {
        self.place.unwrap_or_else(|| self.tree.place(self.id))
    }

    /// How much less the slide that led here is worth than the best slide of the parent. `None` if no slide led here,
    /// or if one of the two has no value.
    fn loss(&self) -> Option<f64> {
        let parent = self.parent.filter(|_| self.tree.slide(self.id).is_some())?;
        let loss = self.tree.best_below(parent)? - self.node.value()?;
        Some(if self.tree.wants_least(parent) {
            -loss
        } else {
            loss
        })
    }
}

impl Tree {
    /// The value of a turn's best slide. This is the value of the turn, except where that is the mean over all samples.
    pub fn best_below(&self, id: NodeId) -> Option<f64> {
        match self.rule(id) {
            Rule::MovesTried => self
                .children(id)
                .filter_map(|child| self.value(child))
                .reduce(f64::max),
            _ => self.value(id),
        }
    }

    pub fn has(&self, field: &Field) -> bool {
        field.trees.contains(&self.search_kind())
    }

    /// The root if `above` is `None`, otherwise a child of `above`.
    pub(super) fn visit(
        &self,
        id: NodeId,
        above: Option<&Visit<'_>>,
        place: Option<Place>,
    ) -> Visit<'_> {
        let (node, reach) = (self.at(id), self.subject.reach);
        let root = Visit {
            tree: self,
            id,
            node,
            parent: None,
            depth: 0,
            under: None,
            reach,
            probability: None,
            place,
        };
        let Some(above) = above else { return root };
        let reach = |from| self.reach_below(from, above.node.considered(), node);
        Visit {
            parent: Some(above.id),
            depth: above.depth + 1,
            under: if above.depth == 0 {
                self.slide(id)
            } else {
                above.under
            },
            reach: reach(above.reach),
            probability: matches!(node.edge(), Some(Edge::Spawn { .. })).then(|| reach(1.0)),
            ..root
        }
    }
}
