//! Counts of a search for each ply: nodes by kind, cut-offs, the transposition table, and the cost of a search that
//! ends there.
//!
//! The counts come from the recorded search that chose the move. They include nodes that the cap of the record leaves
//! out, and their sum over the plies is [`Tree::counts`]. One search has no time per ply: it visits nodes depth first,
//! and reading the clock at each node would mostly measure the clock. What can be measured is a separate search that
//! ends at the ply, on one core, from an empty table and without a record: [`PlyAlone`].

use std::fmt;
use std::io;

use serde::{Serialize, Serializer};
use strum::{IntoEnumIterator as _, VariantArray as _};

use super::again::PlyAlone;
use super::rule::{NodeKind, Rule};
use super::tree::{NodeCounts, Tree};
use crate::files::CsvRows;
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
        Self { table: Some(TableCounts::default()), ..Self::default() }
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
        Rule::iter().filter(|&rule| is_wanted(rule)).map(|rule| self.by(rule)).sum()
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.by_rule.iter_mut().zip(other.by_rule).for_each(|(sum, count)| *sum += count);
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

/// A number of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PlyNumber {
    Count(u64),
    /// A ratio of two counts.
    Ratio(f64),
    /// From 0 to 1.
    Share(f64),
    Millis(f64),
}

#[derive(Debug)]
pub struct PlyColumn {
    /// The name in exports.
    pub name: &'static str,
    /// The column title.
    pub title: &'static str,
    pub about: &'static str,
    read: Read,
}

/// How the value of a column is read off a row.
#[derive(Debug)]
enum Read {
    Count(fn(&PlyCounts) -> u64),
    Number(fn(&PlyTable, usize) -> Option<PlyNumber>),
}

use PlyNumber::{Count, Millis, Ratio, Share};

const STORES: &str = "Values stored in the table after a lookup found nothing, except for afterstates that several threads search together";

/// All columns, in the order of exports.
pub static PLY_COLUMNS: [PlyColumn; 18] = [
    number("ply", "Ply", "Slides and spawns from the root", |_, ply| Some(Count(ply as u64))),
    count("nodes", "Nodes", "Nodes that were searched, evaluated or answered by the table", PlyCounts::nodes),
    count("max", "Max", "Boards to move whose slides were searched", |row| row.of(NodeKind::Max)),
    count("chance", "Chance", "Afterstates whose spawns were averaged or added up", |row| row.of(NodeKind::Chance)),
    count("min", "Min", "Afterstates that take the value of the worst spawn", |row| row.of(NodeKind::Min)),
    count("leaf", "Leaf", "Boards evaluated at the end of the depth", |row| row.of(NodeKind::Leaf)),
    count("dead", "Dead", "Dead boards", |row| row.of(NodeKind::Dead)),
    number("branching", "Branching", "Nodes of the next ply per node here that has children", |table, ply| {
        table.branching(ply).map(Ratio)
    }),
    count("by_bounds", "Bound cuts", "Slides and spawns not searched because α reached β", |row| {
        row.by(Rule::OutOfBounds)
    }),
    count("by_reach", "Reach cuts", "Afterstates evaluated early because they are too improbable", |row| {
        row.by(Rule::TooImprobable)
    }),
    count("by_importance", "Spawn cuts", "Spawns not considered: unimportant cells, or not the worst", |row| {
        row.by(Rule::Unimportant)
    }),
    count("cut_offs", "Cut-offs", "Nodes where α reached β before all children were searched", |row| row.cut_offs),
    number("at_first", "By first", "Share of the cut-offs that needed only the first child", |table, ply| {
        table.rows.get(ply)?.first_share().map(Share)
    }),
    count("hits", "Hits", "Afterstates answered by the transposition table", |row| row.of(NodeKind::Cached)),
    number("stores", "Stores", STORES, |table, ply| Some(Count(table.rows.get(ply)?.table?.stores))),
    number("collisions", "Collisions", "Stores that replaced the value of another node", |table, ply| {
        Some(Count(table.rows.get(ply)?.table?.collisions))
    }),
    number("nodes_alone", "Nodes so far", "Nodes of a search that ends with this ply, on one core", |table, ply| {
        Some(Count(table.alone_at(ply)?.nodes))
    }),
    number(
        "ms_alone",
        "Time so far",
        "Time of that search without recording, measured now; for a short search the best of five",
        |table, ply| Some(Millis(table.alone_at(ply)?.time.as_secs_f64() * 1e3)),
    ),
];

const fn count(name: &'static str, title: &'static str, about: &'static str, read: fn(&PlyCounts) -> u64) -> PlyColumn {
    PlyColumn { name, title, about, read: Read::Count(read) }
}

const fn number(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    read: fn(&PlyTable, usize) -> Option<PlyNumber>,
) -> PlyColumn {
    PlyColumn { name, title, about, read: Read::Number(read) }
}

impl PlyColumn {
    /// The value in the row of a ply. `None` if there is none.
    pub fn of(&self, table: &PlyTable, ply: usize) -> Option<PlyNumber> {
        match self.read {
            Read::Count(read) => table.rows.get(ply).map(read).map(Count),
            Read::Number(read) => read(table, ply),
        }
    }

    /// Whether any row has a value other than 0.
    pub fn says_something(&self, table: &PlyTable) -> bool {
        (0..table.rows.len()).any(|ply| self.of(table, ply).is_some_and(|number| number.value() != 0.0))
    }
}

impl PlyNumber {
    pub fn value(self) -> f64 {
        match self {
            Count(count) => count as f64,
            Ratio(number) | Share(number) | Millis(number) => number,
        }
    }

    /// The value relative to `other`, and its text: a multiple for counts and times (`×1.32`), otherwise a difference,
    /// for shares in percentage points (`+3.1 pp`). `None` if the multiple is not finite.
    pub fn against(self, other: Self) -> Option<(f64, String)> {
        let difference = self.value() - other.value();
        match self {
            Count(_) | Millis(_) => {
                let times = self.value() / other.value();
                times.is_finite().then(|| (times, format!("×{}", words::three_digits(times))))
            }
            Ratio(_) => Some((difference, words::difference(difference))),
            Share(_) => Some((difference, format!("{} pp", words::difference(100.0 * difference)))),
        }
    }
}

/// For display: `1,204`, `3.42`, `91.3 %`, `0.84 ms`.
impl fmt::Display for PlyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Count(count) => f.write_str(&words::count(count)),
            Ratio(ratio) => f.write_str(&words::decimals(ratio, 2)),
            Share(share) => write!(f, "{} %", words::decimals(100.0 * share, 1)),
            Millis(ms) => write!(f, "{} ms", words::decimals(ms, if ms < 10.0 { 2 } else { 0 })),
        }
    }
}

impl Serialize for PlyNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Count(count) => serializer.serialize_u64(count),
            Ratio(number) | Share(number) | Millis(number) => serializer.serialize_f64(number),
        }
    }
}

impl PlyTable {
    pub fn of(tree: &Tree) -> Self {
        Self { rows: tree.plies().to_vec(), alone: Vec::new() }
    }

    fn alone_at(&self, ply: usize) -> Option<&PlyAlone> {
        self.alone.get(ply.checked_sub(1)?)
    }

    /// The number of nodes of the next ply per inner node of this one. `None` at the end of the depth.
    pub fn branching(&self, ply: usize) -> Option<f64> {
        let (row, next) = (self.rows.get(ply)?, self.rows.get(ply + 1)?);
        (row.inner() != 0).then(|| next.nodes() as f64 / row.inner() as f64)
    }

    /// All columns, one row per ply. Missing numbers are empty.
    pub fn csv(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut csv = CsvRows::new(&mut bytes);
        csv.row(PLY_COLUMNS.iter().map(|column| column.name))?;
        for ply in 0..self.rows.len() {
            csv.row(PLY_COLUMNS.iter().map(|column| match column.of(self, ply) {
                Some(Count(count)) => count.to_string(),
                Some(number) => number.value().to_string(),
                None => String::new(),
            }))?;
        }
        csv.flush()?;
        drop(csv);
        Ok(bytes)
    }
}

/// A list of objects, one per ply, with the names of the columns.
impl Serialize for PlyTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.rows.len()).map(|ply| PlyJson(self, ply)))
    }
}

struct PlyJson<'a>(&'a PlyTable, usize);

impl Serialize for PlyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(PLY_COLUMNS.iter().map(|column| (column.name, column.of(self.0, self.1))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_against_another_leads_back_to_it() {
        let numbers = [0.0, 0.25, 1.0, 3.0, 1204.0];
        for (one, other) in numbers.into_iter().flat_map(|one| numbers.map(|other| (one, other))) {
            let (counts, times) = ((Count(one as u64), Count(other as u64)), (Millis(one), Millis(other)));
            for (one, other) in [counts, times] {
                match one.against(other) {
                    Some((times, text)) => {
                        assert!((times * other.value() - one.value()).abs() < 1e-9 && text.starts_with('×'), "{text}");
                    }
                    None => assert_eq!(other.value(), 0.0),
                }
            }
            for (one, other) in [(Ratio(one), Ratio(other)), (Share(one), Share(other))] {
                let (more, _) = one.against(other).expect("a difference");
                assert_eq!(other.value() + more, one.value());
            }
        }
    }
}
