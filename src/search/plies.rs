//! Counts of a search for each ply: nodes by kind, cut-offs, the transposition table, and the cost of a search that
//! ends there.
//!
//! The counts come from the recorded search that chose the move. They include nodes that the cap of the record leaves
//! out, and their sum over the plies is [`Tree::counts`]. One search has no time per ply: it visits nodes depth first,
//! and reading the clock at each node would mostly measure the clock. What can be measured is a separate search that
//! ends at the ply, on one core, from an empty table and without a record: [`PlyAlone`].

use serde::{Serialize, Serializer};
use strum::{IntoEnumIterator as _, VariantArray as _};

use super::again::PlyAlone;
use super::rule::{NodeKind, Rule};
use super::tree::{NodeCounts, Tree};
use crate::table::{Cell, Column, Digits, Format, Kind, Table, Unit};
use crate::words;

/// The counts of the nodes of one ply.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlyCounts {
    pub(super) by_rule: [u64; Rule::VARIANTS.len()],
    /// Nodes at which α reached β before all children were searched.
    pub cut_offs: u64,
    /// How many of these needed only their first child.
    pub at_first: u64,
    /// `None` if the counts of the table are unknown: in a record that another program wrote.
    pub table: Option<TableCounts>,
}

/// Counts of stores into the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableCounts {
    /// Stored values. A lookup failed before each store, so hits plus stores are all lookups. Afterstates that several
    /// threads search together are not stored.
    pub stores: u64,
    /// How many stores evicted a value of this search with another board, score or depth.
    pub collisions: u64,
}

impl PlyCounts {
    /// For a search whose table is counted.
    pub(super) fn heard() -> Self {
        Self {
            table: Some(TableCounts::default()),
            ..Self::default()
        }
    }

    /// Nodes whose value, or lack of a value, comes from this rule.
    pub const fn by(&self, rule: Rule) -> u64 {
        self.by_rule[rule as usize]
    }

    pub fn of(&self, kind: NodeKind) -> u64 {
        self.sum(|rule| rule.kind() == kind)
    }

    /// Nodes that were searched, evaluated or answered by the table: all except stubs.
    pub fn nodes(&self) -> u64 {
        self.sum(|rule| !rule.is_stub())
    }

    /// All nodes, including stubs.
    pub(super) fn all(&self) -> u64 {
        self.sum(|_| true)
    }

    /// Nodes with children.
    pub fn inner(&self) -> u64 {
        self.sum(Rule::is_inner)
    }

    /// All nodes by kind, including stubs.
    pub fn counts(&self) -> NodeCounts {
        NodeCounts::of_rules(&self.by_rule)
    }

    /// The share of cut-offs that needed only the first child. `None` without cut-offs.
    pub fn first_share(&self) -> Option<f64> {
        (self.cut_offs != 0).then(|| self.at_first as f64 / self.cut_offs as f64)
    }

    fn sum(&self, is_wanted: impl Fn(Rule) -> bool) -> u64 {
        Rule::iter()
            .filter(|&rule| is_wanted(rule))
            .map(|rule| self.by(rule))
            .sum()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.by_rule
            .iter_mut()
            .zip(other.by_rule)
            .for_each(|(sum, count)| *sum += count);
        self.cut_offs += other.cut_offs;
        self.at_first += other.at_first;
        self.table = self.table.zip(other.table).map(|(own, other)| TableCounts {
            stores: own.stores + other.stores,
            collisions: own.collisions + other.collisions,
        });
    }
}

/// The plies of a search as rows of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlyTable {
    /// From the root, ply 0, to the end of the depth.
    pub rows: Vec<PlyCounts>,
    /// Separate searches to the first plies, as far as they were measured.
    pub alone: Vec<PlyAlone>,
}

const STORES: &str = "Values stored in the table after a lookup found nothing, except for afterstates that several threads search together";

/// A search, and a ply of it.
type Row<'a> = (&'a PlyTable, usize);

/// All columns, in the order of exports.
fn columns<'a>() -> [Column<'a, Row<'a>>; 18] {
    [
        Column::whole(
            "ply",
            "Ply",
            "Slides and spawns from the root",
            |&(_, ply): &Row<'_>| ply,
        ),
        count(
            "nodes",
            "Nodes",
            "Nodes that were searched, evaluated or answered by the table",
            PlyCounts::nodes,
        ),
        count(
            "max",
            "Max",
            "Boards to move whose slides were searched",
            |row| row.of(NodeKind::Max),
        ),
        count(
            "chance",
            "Chance",
            "Afterstates whose spawns were averaged or added up",
            |row| row.of(NodeKind::Chance),
        ),
        count(
            "min",
            "Min",
            "Afterstates that take the value of the worst spawn",
            |row| row.of(NodeKind::Min),
        ),
        count(
            "leaf",
            "Leaf",
            "Boards evaluated at the end of the depth",
            |row| row.of(NodeKind::Leaf),
        ),
        count("dead", "Dead", "Dead boards", |row| row.of(NodeKind::Dead)),
        Column::number(
            "branching",
            "Branching",
            "Nodes of the next ply per node here that has children",
            |&(table, ply): &Row<'_>| table.branching(ply),
        )
        .digits(Digits::Places(2)),
        count(
            "by_bounds",
            "Bound cuts",
            "Slides and spawns not searched because α reached β",
            |row| row.by(Rule::OutOfBounds),
        ),
        count(
            "by_reach",
            "Reach cuts",
            "Afterstates evaluated early because they are too improbable",
            |row| row.by(Rule::TooImprobable),
        ),
        count(
            "by_importance",
            "Spawn cuts",
            "Spawns not considered: unimportant cells, or not the worst",
            |row| row.by(Rule::Unimportant),
        ),
        count(
            "cut_offs",
            "Cut-offs",
            "Nodes where α reached β before all children were searched",
            |row| row.cut_offs,
        ),
        Column::number(
            "at_first",
            "By first",
            "Share of the cut-offs that needed only the first child",
            |&(table, ply): &Row<'_>| table.rows.get(ply)?.first_share(),
        )
        .digits(Digits::Places(1))
        .unit(Unit::PERCENT),
        count(
            "hits",
            "Hits",
            "Afterstates answered by the transposition table",
            |row| row.of(NodeKind::Cached),
        ),
        Column::whole("stores", "Stores", STORES, |&(table, ply): &Row<'_>| {
            Some(table.rows.get(ply)?.table?.stores)
        }),
        Column::whole(
            "collisions",
            "Collisions",
            "Stores that replaced the value of another node",
            |&(table, ply): &Row<'_>| Some(table.rows.get(ply)?.table?.collisions),
        ),
        Column::whole(
            "nodes_alone",
            "Nodes so far",
            "Nodes of a search that ends with this ply, on one core",
            |&(table, ply): &Row<'_>| Some(table.alone_at(ply)?.nodes),
        ),
        Column::number(
            "ms_alone",
            "Time so far",
            "Time of that search without recording, measured now; for a short search the best of five",
            |&(table, ply): &Row<'_>| {
                let secs = table.alone_at(ply)?.time.as_secs_f64();
                Some(Cell::shown(words::short_time(secs), secs * 1e3))
            },
        ),
    ]
}

fn count<'a>(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    read: fn(&PlyCounts) -> u64,
) -> Column<'a, Row<'a>> {
    Column::whole(key, title, about, move |&(table, ply): &Row<'_>| {
        table.rows.get(ply).map(read)
    })
}

impl PlyTable {
    pub fn of(tree: &Tree) -> Self {
        Self {
            rows: tree.plies().to_vec(),
            alone: Vec::new(),
        }
    }

    fn alone_at(&self, ply: usize) -> Option<&PlyAlone> {
        self.alone.get(ply.checked_sub(1)?)
    }

    /// The number of nodes of the next ply per inner node of this one. `None` at the end of the depth.
    pub fn branching(&self, ply: usize) -> Option<f64> {
        let (row, next) = (self.rows.get(ply)?, self.rows.get(ply + 1)?);
        (row.inner() != 0).then(|| next.nodes() as f64 / row.inner() as f64)
    }

    /// All columns, one row per ply.
    pub fn table(&self) -> Table {
        Table::of(&columns(), (0..self.rows.len()).map(|ply| (self, ply)))
    }

    /// The columns with a number other than 0.
    pub fn shown(&self) -> Table {
        self.table().without_zeros()
    }

    /// The shown columns relative to another search: counts and times as multiples, ratios and shares as differences. A
    /// multiple of 0 is missing.
    pub fn against(&self, other: &Self) -> Table {
        let (mut own, other) = (self.shown(), other.table());
        for (column, head) in own
            .heads
            .iter_mut()
            .enumerate()
            .filter(|(_, head)| head.key != "ply")
        {
            let is_multiple = head.kind == Kind::Whole || head.key == "ms_alone";
            let place = other.column(&head.key);
            for (row, cells) in own.rows.iter_mut().enumerate() {
                let before = place.and_then(|place| other.rows.get(row)?[place].sort_value());
                let pair = cells[column].sort_value().zip(before);
                let relative = pair.map(|(own, other)| {
                    if is_multiple {
                        own / other
                    } else {
                        own - other
                    }
                });
                cells[column] = relative.filter(|number| number.is_finite()).into();
            }

            let unit = if head.format.unit == Unit::PERCENT {
                " pp"
            } else {
                ""
            };
            let difference = Format {
                is_signed: true,
                unit: Unit {
                    suffix: unit,
                    ..head.format.unit
                },
                ..head.format
            };
            let times = Format {
                unit: Unit {
                    scale: 1.0,
                    suffix: "×",
                },
                ..Format::digits(Digits::Three)
            };
            (head.kind, head.format) = (Kind::Number, if is_multiple { times } else { difference });
        }
        own
    }
}

/// A list of objects, one per ply, with the names of the columns.
impl Serialize for PlyTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.table().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_numbers_lead_back_to_the_numbers() {
        let row = |nodes: u64, cut_offs: u64, at_first: u64| PlyCounts {
            by_rule: std::array::from_fn(|rule| {
                if rule == Rule::Evaluated as usize {
                    nodes
                } else {
                    0
                }
            }),
            cut_offs,
            at_first,
            table: None,
        };
        let search = |rows: &[PlyCounts]| PlyTable {
            rows: rows.to_vec(),
            alone: Vec::new(),
        };
        let one = search(&[row(1, 0, 0), row(1204, 8, 6), row(5, 1, 1)]);
        let other = search(&[row(1, 0, 0), row(301, 4, 2)]);
        let (own, others, relative) = (one.shown(), other.table(), one.against(&other));
        assert_eq!(
            own.titles().collect::<Vec<_>>(),
            relative.titles().collect::<Vec<_>>()
        );
        for (column, head) in relative.heads.iter().enumerate().skip(1) {
            for (ply, (cells, numbers)) in relative.rows.iter().zip(&own.rows).enumerate() {
                let before = others
                    .rows
                    .get(ply)
                    .and_then(|row| row[others.column(&head.key)?].sort_value());
                let back = cells[column]
                    .sort_value()
                    .zip(before)
                    .map(|(relative, before)| match head.format.is_signed {
                        true => before + relative,
                        false => before * relative,
                    });
                let has_base = before.is_some_and(|before| head.format.is_signed || before != 0.0);
                assert_eq!(
                    back,
                    numbers[column].sort_value().filter(|_| has_base),
                    "{} of ply {ply}",
                    head.key
                );
            }
        }
        let text = |key: &str| relative.texts()[1][relative.column(key).expect("a column")].clone();
        assert_eq!(
            [text("nodes"), text("cut_offs"), text("at_first")],
            ["4.00×", "2.00×", "+25.0 pp"]
        );
    }
}
