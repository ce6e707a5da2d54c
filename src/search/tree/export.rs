//! Trees as files: JSON for programs, DOT for Graphviz, CSV for spreadsheets, EFG for Gambit.
//!
//! To add one: a variant here, a row in `workbench/command/tree_rows.rs`, the help of `--tree` in `cli/args.rs`.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use strum::{EnumIter, IntoEnumIterator as _, VariantArray as _};

use super::super::rule::NodeKind;
use super::efg::{self, NotAGame};
use super::grafts::Graft;
use super::head::Head;
use super::{Link, NodeView, Origin, Tree, TreeKind};
use crate::files::CsvRows;
use crate::game::Spawn;
use crate::search::{Ranked, Sample};
use crate::stats::RunningMean;
use crate::words;

#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumIter)]
pub enum TreeFormat {
    /// One object per node, one node per line.
    Json,
    Csv,
    Dot,
    /// A game for Gambit: small trees without alpha-beta. See [`Tree::can_write`].
    Efg,
}

impl TreeFormat {
    pub const fn ending(self) -> &'static str {
        ["json", "csv", "dot", "efg"][self as usize]
    }

    /// The format for the ending of a file's name.
    pub fn of_path(path: &Path) -> Result<Self, UnknownEnding> {
        let ending = path.extension().unwrap_or_default();
        let found = Self::iter().find(|format| ending.eq_ignore_ascii_case(format.ending()));
        found.ok_or_else(|| UnknownEnding {
            path: path.to_owned(),
        })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: a tree is written as .json, .dot, .csv or .efg: end the name of the file with one", .path.display())]
pub struct UnknownEnding {
    pub path: PathBuf,
}

/// The number of nodes that are written to estimate the size of the file.
const SAMPLES: usize = 512;

impl Tree {
    pub fn can_write(&self, format: TreeFormat) -> Result<(), NotAGame> {
        match format {
            TreeFormat::Json | TreeFormat::Dot | TreeFormat::Csv => Ok(()),
            TreeFormat::Efg => efg::check(self),
        }
    }

    /// Writes every node of the record. Fails if the writer fails or if the tree [cannot be written](Tree::can_write).
    pub fn write(&self, format: TreeFormat, out: &mut dyn Write) -> io::Result<()> {
        self.can_write(format)
            .map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
        let kind = self.search_kind();
        match format {
            TreeFormat::Json => self.nodes().try_for_each(|node| {
                let head = (node.id == self.root()).then(|| Head::of(self));
                json_line(kind, &node, head, out)
            }),
            TreeFormat::Dot => {
                writeln!(out, "digraph search {{")?;
                writeln!(out, "  node [fontname=\"sans-serif\", fontsize=10];")?;
                writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=9];")?;
                self.nodes().try_for_each(|node| dot_lines(&node, out))?;
                writeln!(out, "}}")
            }
            TreeFormat::Csv => {
                let mut csv = CsvRows::new(out);
                csv.row(columns(kind, |column| column.in_csv).map(|column| column.name))?;
                self.nodes()
                    .try_for_each(|node| csv.row(csv_row(kind, &node)))?;
                csv.flush()
            }
            TreeFormat::Efg => efg::write(self, out),
        }
    }

    /// The approximate size of the output in bytes, from a sample of the nodes.
    pub fn estimated_size(&self, format: TreeFormat) -> u64 {
        let samples = self.ids().step_by(self.kept().div_ceil(SAMPLES).max(1));
        let (kind, number, mut bytes) = (self.search_kind(), samples.len() as u64, Vec::new());
        for id in samples {
            let node = self.node(id);
            // Writing to memory does not fail.
            let _ = match format {
                TreeFormat::Json => json_line(kind, &node, None, &mut bytes),
                TreeFormat::Dot => dot_lines(&node, &mut bytes),
                TreeFormat::Csv => {
                    bytes.extend(csv_row(kind, &node).join(",").bytes());
                    Ok(())
                }
                TreeFormat::Efg => efg::node_lines(self, &node, true, &mut bytes),
            };
        }
        let head = match format {
            TreeFormat::Json => {
                serde_json::to_vec(&Head::of(self)).map_or(0, |head| head.len() as u64)
            }
            _ => 0,
        };

        head + bytes.len() as u64 * self.kept() as u64 / number.max(1)
    }
}

enum Cell {
    /// Null in JSON, empty in CSV.
    Nothing,
    /// Empty in CSV; JSON leaves out the key.
    Absent,
    Text(Cow<'static, str>),
    Whole(u64),
    Number(f64),
    Spawn(Spawn),
    Origin(Origin),
    Graft(Graft),
    Sample(Sample),
}

struct Column {
    name: &'static str,
    in_json: bool,
    in_csv: bool,
    trees: &'static [TreeKind],
    get: fn(&NodeView) -> Cell,
}

static COLUMNS: [Column; 26] = [
    both("id", |node| Cell::Whole(node.id.0.into())),
    both("parent", |node| {
        node.parent
            .map_or(Cell::Nothing, |parent| Cell::Whole(parent.0.into()))
    }),
    both("kind", |node| Cell::Text(node.kind.name().into())),
    both("move", |node| match node.link {
        Some(Link::Slide(mv)) => Cell::Text(mv.name().into()),
        _ => Cell::Absent,
    }),
    json("spawn", |node| {
        node.spawn().map_or(Cell::Absent, Cell::Spawn)
    }),
    csv("row", |node| {
        some(node.spawn(), |spawn| Cell::Whole(spawn.cell.row.into()))
    }),
    csv("col", |node| {
        some(node.spawn(), |spawn| Cell::Whole(spawn.cell.col.into()))
    }),
    csv("tile", |node| {
        some(node.spawn(), |spawn| Cell::Whole(spawn.rank.tile()))
    }),
    both("probability", |node| some(node.probability, Cell::Number)),
    both("reach", |node| Cell::Number(node.reach)),
    both("board", |node| Cell::Text(node.board.to_string().into())),
    both("score", |node| Cell::Whole(node.score)),
    both("value", |node| some(node.value, Cell::Number)),
    both("bound", |node| {
        node.value
            .map_or(Cell::Nothing, |_| Cell::Text(node.bound.name().into()))
    })
    .only(DEPTH_LIMITED),
    both("evaluation", |node| some(node.evaluation, Cell::Number)),
    json("how", |node| Cell::Origin(node.origin)),
    csv("how", |node| Cell::Text(node.origin.text().into())),
    both("plies_left", |node| Cell::Whole(node.plies_left.into())).only(DEPTH_LIMITED),
    both("visits", |node| {
        Cell::Whole(node.sample.map_or(0, |sample| sample.all.count()))
    })
    .only(SAMPLED),
    json("samples", |node| {
        node.sample.map_or(Cell::Absent, Cell::Sample)
    })
    .only(SAMPLED),
    both("standard_error", |node| {
        some(node.standard_error, Cell::Number)
    })
    .only(SAMPLED),
    both("share", |node| some(node.share, Cell::Number)).only(SAMPLED),
    both("order", |node| Cell::Whole(node.order)),
    both("nodes", |node| Cell::Whole(node.below)),
    both("left_out", |node| Cell::Whole(node.left_out)),
    json("grafted", |node| {
        node.graft.map_or(Cell::Absent, Cell::Graft)
    })
    .only(DEPTH_LIMITED),
];

const DEPTH_LIMITED: &[TreeKind] = &[TreeKind::DepthLimited];
const SAMPLED: &[TreeKind] = &[TreeKind::Sampled];

const fn both(name: &'static str, get: fn(&NodeView) -> Cell) -> Column {
    Column {
        name,
        in_json: true,
        in_csv: true,
        trees: TreeKind::VARIANTS,
        get,
    }
}

const fn json(name: &'static str, get: fn(&NodeView) -> Cell) -> Column {
    Column {
        in_csv: false,
        ..both(name, get)
    }
}

const fn csv(name: &'static str, get: fn(&NodeView) -> Cell) -> Column {
    Column {
        in_json: false,
        ..both(name, get)
    }
}

fn some<T>(value: Option<T>, cell: fn(T) -> Cell) -> Cell {
    value.map_or(Cell::Nothing, cell)
}

impl Column {
    const fn only(mut self, trees: &'static [TreeKind]) -> Self {
        self.trees = trees;
        self
    }
}

/// The columns of one format (JSON or CSV) in a record of this kind.
fn columns(
    kind: TreeKind,
    is_wanted: fn(&Column) -> bool,
) -> impl Iterator<Item = &'static Column> {
    COLUMNS
        .iter()
        .filter(move |column| is_wanted(column) && column.trees.contains(&kind))
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing | Self::Absent => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(number) => serializer.serialize_u64(*number),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Spawn(spawn) => SpawnJson::of(*spawn).serialize(serializer),
            Self::Origin(origin) => serialize_origin(origin, serializer),
            Self::Graft(graft) => graft.serialize(serializer),
            Self::Sample(sample) => SampleJson::of(sample).serialize(serializer),
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing | Self::Absent => Ok(()),
            Self::Text(text) => f.write_str(text),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Spawn(spawn) => write!(f, "{spawn}"),
            Self::Origin(origin) => f.write_str(&origin.text()),
            Self::Graft(graft) => write!(f, "{}", graft.plies),
            Self::Sample(sample) => write!(f, "{}", sample.all.count()),
        }
    }
}

#[derive(Serialize)]
pub struct SpawnJson {
    /// Row and column, counted from 0.
    cell: [u8; 2],
    tile: u64,
}

impl SpawnJson {
    pub fn of(spawn: Spawn) -> Self {
        Self {
            cell: [spawn.cell.row, spawn.cell.col],
            tile: spawn.rank.tile(),
        }
    }
}

/// The samples through a node, to the last bit. Without samples that began or ended there, `own` is left out.
#[derive(Serialize)]
struct SampleJson {
    all: RunningMean,
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<RunningMean>,
}

impl SampleJson {
    fn of(sample: &Sample) -> Self {
        Self {
            all: sample.all,
            own: Some(sample.own).filter(|own| own.count() != 0),
        }
    }
}

fn serialize_origin<S: Serializer>(origin: &Origin, serializer: S) -> Result<S::Ok, S::Error> {
    // JSON has no infinity. An infinite bound is null.
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("by", origin.rule().export_name())?;

    match *origin {
        Origin::TooImprobable { reach, threshold } => {
            map.serialize_entry("reach", &reach)?;
            map.serialize_entry("threshold", &threshold)?;
        }
        Origin::OutOfBounds { alpha, beta } => {
            map.serialize_entry("alpha", &finite(alpha))?;
            map.serialize_entry("beta", &finite(beta))?;
        }
        Origin::Unimportant {
            rank,
            considered,
            ranked,
        } => {
            map.serialize_entry("rank", &rank)?;
            map.serialize_entry("considered", &considered)?;
            if ranked == Ranked::Spawns {
                map.serialize_entry("of", "spawns")?;
            }
        }
        Origin::Stored { node, plies } => {
            map.serialize_entry("node", &node)?;
            map.serialize_entry("plies", &plies)?;
        }
        _ => {}
    }

    map.end()
}

/// A node as one object without its absent keys. The root also has the head of the record.
struct NodeJson<'a>(TreeKind, &'a NodeView, Option<Head>);

impl Serialize for NodeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = columns(self.0, |column| column.in_json)
            .map(|column| (column.name, (column.get)(self.1)));
        let mut map = serializer.serialize_map(None)?;
        for (name, cell) in cells.filter(|(_, cell)| !matches!(cell, Cell::Absent)) {
            map.serialize_entry(name, &cell)?;
        }
        if let Some(head) = &self.2 {
            map.serialize_entry("head", head)?;
        }
        map.end()
    }
}

fn json_line(
    kind: TreeKind,
    node: &NodeView,
    head: Option<Head>,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &NodeJson(kind, node, head))?;
    out.write_all(b"\n")
}

fn csv_row(kind: TreeKind, node: &NodeView) -> Vec<String> {
    columns(kind, |column| column.in_csv)
        .map(|column| (column.get)(node).to_string())
        .collect()
}

fn dot_lines(node: &NodeView, out: &mut dyn Write) -> io::Result<()> {
    let (shape, style) = match node.kind {
        NodeKind::Max => ("triangle", "solid"),
        NodeKind::Chance => ("circle", "solid"),
        NodeKind::Min => ("invtriangle", "solid"),
        NodeKind::Leaf => ("box", "solid"),
        NodeKind::Dead => ("octagon", "bold"),
        NodeKind::Cut => ("box", "dotted"),
        NodeKind::Cached => ("ellipse", "dashed"),
    };
    let value = node
        .value
        .map(|value| format!("\\n{}{}", node.bound.sign(), words::value(value)))
        .unwrap_or_default();
    let reason = match node.kind {
        NodeKind::Cut => format!("\\n{}", node.origin.text()),
        _ => String::new(),
    };
    let missing = match node.left_out {
        0 => String::new(),
        left_out => format!("\\n{} left out", words::count(left_out)),
    };
    writeln!(
        out,
        "  n{} [shape={shape}, style={style}, label=\"{}{value}{reason}{missing}\"];",
        node.id.0,
        node.kind.name()
    )?;

    let (Some(parent), Some(link)) = (node.parent, node.link) else {
        return Ok(());
    };
    let label = match (link, node.probability) {
        (Link::Slide(mv), _) => mv.arrow().to_owned(),
        (Link::Spawn(spawn), Some(p)) if p != 0.0 => {
            format!("{} at {}\\n{p:.4}", spawn.rank.tile(), spawn.cell)
        }
        (Link::Spawn(spawn), _) => format!("{} at {}", spawn.rank.tile(), spawn.cell),
    };

    writeln!(
        out,
        "  n{} -> n{} [label=\"{label}\"];",
        parent.0, node.id.0
    )
}

#[cfg(test)]
mod tests {
    use super::super::fields::FIELDS;
    use super::*;

    #[test]
    fn what_can_be_asked_of_a_node_itself_is_exported() {
        // Derived from the nodes above or from the board, or parts of a spawn.
        let derived = ["under", "depth", "loss", "empty", "largest", "cell"];
        for field in FIELDS
            .iter()
            .filter(|field| !derived.contains(&field.word.name))
        {
            let is_exported = COLUMNS.iter().any(|column| field.word.is(column.name));
            assert!(is_exported, "{} is not exported", field.word.name);
        }
        for column in &COLUMNS {
            let fields: Vec<_> = FIELDS
                .iter()
                .filter(|field| field.word.is(column.name))
                .collect();
            assert!(
                fields.iter().all(|field| field.trees == column.trees),
                "{}",
                column.name
            );
        }
    }
}
