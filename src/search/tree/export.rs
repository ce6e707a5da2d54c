//! Trees as files: JSON for programs, DOT for Graphviz, CSV for spreadsheets, EFG for Gambit.

use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::{Link, NodeKind, NodeView, Origin, Tree, efg};
use crate::game::Move;
use crate::words;

/// How a tree is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeFormat {
    /// One object a node, one node a line.
    Json,
    Dot,
    Csv,
    /// A game for Gambit: small trees without alpha-beta, see [`Tree::can_write`].
    Efg,
}

impl TreeFormat {
    pub const ALL: [Self; 4] = [Self::Json, Self::Dot, Self::Csv, Self::Efg];

    /// How the names of such files end.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Dot => "dot",
            Self::Csv => "csv",
            Self::Efg => "efg",
        }
    }

    /// The format that the ending of a file's name asks for.
    ///
    /// # Errors
    ///
    /// The name ends otherwise; the text says how it may end.
    pub fn of_path(path: &Path) -> Result<Self, String> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ending.parse().map_err(|()| {
            format!(
                "{}: a tree is written as .json, .dot, .csv or .efg: end the name of the file with one",
                path.display()
            )
        })
    }
}

impl FromStr for TreeFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|format| format.ending().eq_ignore_ascii_case(text)).ok_or(())
    }
}

/// As many nodes are written to guess the size of the file.
const SAMPLES: usize = 512;

impl Tree {
    /// Whether the tree can be written so.
    ///
    /// # Errors
    ///
    /// The format cannot express it; the sentence says why.
    pub fn can_write(&self, format: TreeFormat) -> Result<(), String> {
        match format {
            TreeFormat::Json | TreeFormat::Dot | TreeFormat::Csv => Ok(()),
            TreeFormat::Efg => efg::refusal(self).map_or(Ok(()), Err),
        }
    }

    /// Writes every node that is kept.
    ///
    /// # Errors
    ///
    /// The writer fails, or the format cannot express the tree, which [`Tree::can_write`] says before.
    pub fn write(&self, format: TreeFormat, out: &mut dyn Write) -> io::Result<()> {
        self.can_write(format).map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, reason))?;
        match format {
            TreeFormat::Json => self.nodes().try_for_each(|node| json_line(&node, out)),
            TreeFormat::Dot => {
                writeln!(out, "digraph search {{")?;
                writeln!(out, "  node [fontname=\"sans-serif\", fontsize=10];")?;
                writeln!(out, "  edge [fontname=\"sans-serif\", fontsize=9];")?;
                self.nodes().try_for_each(|node| dot_lines(&node, out))?;
                writeln!(out, "}}")
            }
            TreeFormat::Csv => {
                let mut csv = csv::Writer::from_writer(out);
                csv.write_record(CSV_HEADER)?;
                self.nodes().try_for_each(|node| csv.write_record(csv_row(&node)))?;
                csv.flush()
            }
            TreeFormat::Efg => efg::write(self, out),
        }
    }

    /// About how many bytes that takes, from a sample of the nodes.
    pub fn estimated_size(&self, format: TreeFormat) -> u64 {
        let step = self.kept().div_ceil(SAMPLES).max(1);
        let mut bytes = Vec::new();
        let mut samples = 0;
        for id in self.ids().step_by(step) {
            let node = self.node(id);
            // Writing to memory does not fail.
            let _ = match format {
                TreeFormat::Json => json_line(&node, &mut bytes),
                TreeFormat::Dot => dot_lines(&node, &mut bytes),
                TreeFormat::Csv => {
                    bytes.extend(csv_row(&node).join(",").bytes());
                    Ok(())
                }
                TreeFormat::Efg => efg::node_lines(self, &node, true, &mut bytes),
            };
            samples += 1;
        }
        bytes.len() as u64 * self.kept() as u64 / samples.max(1)
    }
}

#[derive(Serialize)]
struct NodeJson {
    id: u32,
    parent: Option<u32>,
    kind: &'static str,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spawn: Option<SpawnJson>,
    probability: Option<f64>,
    reach: f64,
    board: String,
    score: u64,
    value: Option<f64>,
    bound: Option<&'static str>,
    evaluation: Option<f64>,
    how: HowJson,
    plies_left: u32,
    order: u64,
    nodes: u64,
    left_out: u64,
}

#[derive(Serialize)]
struct SpawnJson {
    /// Row and column from 0.
    cell: [u8; 2],
    tile: u64,
}

/// The rule and its numbers.
struct HowJson(Origin);

impl Serialize for HowJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("by", by(&self.0))?;
        match self.0 {
            Origin::TooImprobable { reach, threshold } => {
                map.serialize_entry("reach", &reach)?;
                map.serialize_entry("threshold", &threshold)?;
            }
            Origin::OutOfBounds { alpha, beta } => {
                map.serialize_entry("alpha", &finite(alpha))?;
                map.serialize_entry("beta", &finite(beta))?;
            }
            Origin::Unimportant { rank, considered } => {
                map.serialize_entry("rank", &rank)?;
                map.serialize_entry("considered", &considered)?;
            }
            Origin::Stored { node, plies } => {
                map.serialize_entry("node", &node)?;
                map.serialize_entry("plies", &plies)?;
            }
            _ => {}
        }
        map.end()
    }
}

/// JSON has no infinity; a bound that is not there is null.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

/// The rule in one word.
const fn by(origin: &Origin) -> &'static str {
    match origin {
        Origin::MaxOf => "max",
        Origin::MeanOf => "mean",
        Origin::SumOf => "sum",
        Origin::LeastMeanOf => "least_mean",
        Origin::MinOf => "min",
        Origin::Evaluated => "evaluated",
        Origin::Dead => "dead",
        Origin::TooImprobable { .. } => "reach",
        Origin::OutOfBounds { .. } => "alpha_beta",
        Origin::Unimportant { .. } => "important_cells",
        Origin::Stored { .. } => "table",
    }
}

fn json_line(node: &NodeView, out: &mut dyn Write) -> io::Result<()> {
    let (mv, spawn) = match node.link {
        Some(Link::Slide(mv)) => (Some(mv.name()), None),
        Some(Link::Spawn(spawn)) => {
            (None, Some(SpawnJson { cell: [spawn.cell.row, spawn.cell.col], tile: spawn.rank.tile() }))
        }
        None => (None, None),
    };
    let json = NodeJson {
        id: node.id.0,
        parent: node.parent.map(|parent| parent.0),
        kind: node.kind.name(),
        mv,
        spawn,
        probability: node.probability,
        reach: node.reach,
        board: node.board.to_string(),
        score: node.score,
        value: node.value,
        bound: node.value.map(|_| node.bound.name()),
        evaluation: node.evaluation,
        how: HowJson(node.origin),
        plies_left: node.plies_left,
        order: node.order,
        nodes: node.below,
        left_out: node.left_out,
    };
    serde_json::to_writer(&mut *out, &json)?;
    out.write_all(b"\n")
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
    let value = node.value.map(|value| format!("\\n{}{}", node.bound.sign(), words::value(value))).unwrap_or_default();
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
    let (Some(parent), Some(link)) = (node.parent, node.link) else { return Ok(()) };
    let label = match (link, node.probability) {
        (Link::Slide(mv), _) => mv.arrow().to_owned(),
        (Link::Spawn(spawn), Some(p)) if p != 0.0 => format!("{} at {}\\n{p:.4}", spawn.rank.tile(), spawn.cell),
        (Link::Spawn(spawn), _) => format!("{} at {}", spawn.rank.tile(), spawn.cell),
    };
    writeln!(out, "  n{} -> n{} [label=\"{label}\"];", parent.0, node.id.0)
}

const CSV_HEADER: [&str; 19] = [
    "id",
    "parent",
    "kind",
    "move",
    "row",
    "col",
    "tile",
    "probability",
    "reach",
    "board",
    "score",
    "value",
    "bound",
    "evaluation",
    "how",
    "plies_left",
    "order",
    "nodes",
    "left_out",
];

fn csv_row(node: &NodeView) -> [String; 19] {
    let or_nothing = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    let spawn = match node.link {
        Some(Link::Spawn(spawn)) => Some(spawn),
        _ => None,
    };
    let mv: Option<Move> = match node.link {
        Some(Link::Slide(mv)) => Some(mv),
        _ => None,
    };
    [
        node.id.0.to_string(),
        node.parent.map(|parent| parent.0.to_string()).unwrap_or_default(),
        node.kind.name().to_owned(),
        mv.map(|mv| mv.name().to_owned()).unwrap_or_default(),
        spawn.map(|spawn| spawn.cell.row.to_string()).unwrap_or_default(),
        spawn.map(|spawn| spawn.cell.col.to_string()).unwrap_or_default(),
        spawn.map(|spawn| spawn.rank.tile().to_string()).unwrap_or_default(),
        or_nothing(node.probability),
        node.reach.to_string(),
        node.board.to_string(),
        node.score.to_string(),
        or_nothing(node.value),
        node.value.map(|_| node.bound.name().to_owned()).unwrap_or_default(),
        or_nothing(node.evaluation),
        node.origin.text(),
        node.plies_left.to_string(),
        node.order.to_string(),
        node.below.to_string(),
        node.left_out.to_string(),
    ]
}
