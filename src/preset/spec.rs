//! Presets as plain data, to and from text.

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::tree::{Field, Node};
use super::{Entry, Item, Preset, StopRule, Sweep, Tuning};
use crate::game::{Rank, Rules, Size};
use crate::ron_text::{self, Mistake};
use crate::words;

/// The maximum size of a preset file: 8 MiB, about 50,000 strategies.
pub const LARGEST_PRESET: u64 = 8 << 20;

/// The published numbers of a strategy. Missing numbers are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Standard deviation of the scores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Tiles with the share of games that reached them, from 0 to 1: `[(1024, 0.98), (2048, 0.71)]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<(u64, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<f64>,
    /// Mean moves of the games that reached a tile: `[(2048, 969.0)]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves_reaching: Vec<(u64, f64)>,
    /// Mean seconds of the games that reached a tile, on the authors' machine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seconds_reaching: Vec<(u64, f64)>,
    /// Mean seconds per move, on the authors' machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_per_move: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// What the publication leaves open or does differently from the strategy in the preset: `printed for minimax`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reading: String,
}

/// A field that this version does not know, preserved as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The path to its struct, from the preset or from its entry.
    way: Vec<Step>,
    name: String,
    /// The value as RON on one line.
    value: String,
}

impl Unknown {
    /// The path to the field, such as `strategy.criteria[0].colour`.
    pub fn path(&self) -> String {
        let step = |step: &Step| match step {
            Step::Field(name) => format!(".{name}"),
            Step::Item(index) => format!("[{index}]"),
        };
        let path: String = self.way.iter().map(step).collect();
        format!("{path}.{}", self.name)
            .trim_start_matches('.')
            .to_owned()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Field(&'static str),
    Item(usize),
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PresetError {
    /// The text is not readable as a preset.
    #[error(transparent)]
    Syntax(#[from] Mistake),
    /// Written by a newer version of the program.
    #[error(
        "this preset has version {version}, this program reads up to {}: update afterstate to open it",
        Preset::VERSION
    )]
    Newer { version: u64 },
    /// No version of the format has this number.
    #[error(
        "version: there is no version {version} of presets; write version: {}",
        Preset::VERSION
    )]
    NoSuchVersion { version: u64 },
    #[error("{}", Problem::list(.0))]
    Problems(Vec<Problem>),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {reason}")]
pub struct Problem {
    /// The path to the value, such as `strategies[2].criteria[0].tolerance`.
    pub path: String,
    /// The problem, and what would be valid.
    pub reason: String,
}

impl Problem {
    pub(super) fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            reason: reason.into(),
        }
    }

    /// Maximum number of problems in one message.
    pub const MOST_LISTED: usize = 20;

    /// The first problems on one line.
    pub(super) fn list(problems: &[Self]) -> String {
        let more = problems.len().saturating_sub(Self::MOST_LISTED) as u64;
        let more = (0 < more).then(|| format!("and {} more", words::count(more)));
        problems
            .iter()
            .take(Self::MOST_LISTED)
            .map(ToString::to_string)
            .chain(more)
            .join("; ")
    }
}

/// A preset as plain data, before validation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename = "Preset", deny_unknown_fields)]
pub(super) struct Spec {
    pub(super) version: u64,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) note: String,
    #[serde(default, skip_serializing_if = "RulesSpec::is_usual")]
    pub(super) rules: RulesSpec,
    /// Accepted here as well; the preset has it among the rules.
    #[serde(default, skip_serializing)]
    pub(super) stop_at: Option<u64>,
    pub(super) seed: u64,
    pub(super) games: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) until: Vec<StopRule>,
    /// A sweep without `bases` applies to the strategies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sweep: Option<Sweep>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tune: Option<Tuning>,
    pub(super) strategies: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Rules", default, deny_unknown_fields)]
pub(super) struct RulesSpec {
    #[serde(skip_serializing_if = "is_usual_size")]
    pub(super) size: String,
    #[serde(skip_serializing_if = "is_usual_p4")]
    pub(super) p4: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stop_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<String>,
}

impl RulesSpec {
    fn of(
        Rules {
            size,
            p4,
            stop_at,
            start,
        }: Rules,
    ) -> Self {
        let start = start.map(|start| start.to_string());
        Self {
            size: size.to_string(),
            p4,
            stop_at: stop_at.map(Rank::tile),
            start,
        }
    }

    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

fn is_usual_size(size: &String) -> bool {
    *size == RulesSpec::default().size
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_usual_p4(p4: &f64) -> bool {
    *p4 == RulesSpec::default().p4
}

impl Default for RulesSpec {
    fn default() -> Self {
        Self::of(Rules::default())
    }
}

impl Spec {
    pub(super) fn of(preset: &Preset) -> Self {
        let strategies = preset.listed();
        let without_bases = |sweep: &Sweep| {
            let is_listed = std::ptr::eq(strategies, sweep.bases.as_slice());
            Sweep {
                bases: if is_listed {
                    Vec::new()
                } else {
                    sweep.bases.clone()
                },
                ..sweep.clone()
            }
        };
        Self {
            version: u64::from(Preset::VERSION),
            title: preset.title.clone(),
            note: preset.note.clone(),
            rules: RulesSpec::of(preset.rules),
            stop_at: None,
            seed: preset.seed,
            games: preset.games,
            until: preset.until.clone(),
            sweep: preset.sweep.as_ref().map(without_bases),
            tune: preset.tune.clone(),
            strategies: strategies.to_vec(),
        }
    }

    /// Whether the strategies are the bases of a sweep.
    pub(super) fn is_short(&self) -> bool {
        self.sweep
            .as_ref()
            .is_some_and(|sweep| sweep.bases.is_empty())
    }

    /// The sweep with its bases.
    pub(super) fn whole_sweep(&self) -> Option<Sweep> {
        let sweep = self.sweep.clone()?;
        Some(if sweep.bases.is_empty() {
            Sweep {
                bases: self.strategies.clone(),
                ..sweep
            }
        } else {
            sweep
        })
    }

    /// The preset for a spec without problems.
    fn build(self, size: Size, unknown: Vec<Unknown>) -> Preset {
        let stop_at = self.rules.stop_at.or(self.stop_at).and_then(Rank::of_tile);
        let mut preset = Preset {
            title: self.title,
            note: self.note,
            rules: Rules {
                size,
                p4: self.rules.p4,
                stop_at,
                start: self.rules.start.and_then(|text| text.parse().ok()),
            },
            seed: self.seed,
            games: self.games,
            until: self.until,
            strategies: self.strategies,
            sweep: None,
            tune: self.tune,
            unknown: Vec::new(),
        };

        for mut unknown in unknown {
            // Fields of an entry move with the entry.
            if let [Step::Field("strategies"), Step::Item(index), ..] = unknown.way[..]
                && let Some(entry) = preset.strategies.get_mut(index)
            {
                unknown.way.drain(..2);
                entry.unknown.push(unknown);
            } else {
                preset.unknown.push(unknown);
            }
        }

        if let Some(sweep) = self.sweep {
            let is_short = sweep.bases.is_empty();
            let sweep = if is_short {
                Sweep {
                    bases: preset.strategies.clone(),
                    ..sweep
                }
            } else {
                sweep
            };
            if let Some(points) = sweep.expand().ok().filter(|_| is_short) {
                preset.strategies = points;
            }
            preset.sweep = Some(sweep);
        }

        preset
    }
}

/// The structs of a preset and their fields, in writing order.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Preset,
    Rules,
    Entry,
    Strategy,
    Criterion,
    Published,
    /// A value that its own reader checks.
    Plain,
}

impl Shape {
    pub(super) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Preset => &[
                "version",
                "title",
                "note",
                "rules",
                "stop_at",
                "seed",
                "games",
                "until",
                "sweep",
                "tune",
                "strategies",
            ],
            Self::Rules => &["size", "p4", "stop_at", "start"],
            Self::Entry => &["strategy", "p4", "published"],
            Self::Strategy => &[
                "name",
                "note",
                "parent",
                "criteria",
                "last_resort",
                "rollout",
            ],
            Self::Criterion => &["evaluator", "lookahead", "prefer", "tolerance", "off"],
            Self::Published => &[
                "mean",
                "sd",
                "median",
                "max",
                "reach",
                "moves",
                "moves_reaching",
                "seconds_reaching",
                "seconds_per_move",
                "games",
                "source",
                "reading",
            ],
            Self::Plain => &[],
        }
    }

    /// A field by its name, with the shape of its value, or of the items in it.
    fn field(self, name: &str) -> Option<(&'static str, Self)> {
        let name = *self.fields().iter().find(|own| **own == name)?;
        let inner = match (self, name) {
            (Self::Preset, "rules") => Self::Rules,
            (Self::Preset, "strategies") => Self::Entry,
            (Self::Entry, "strategy") => Self::Strategy,
            (Self::Entry, "published") => Self::Published,
            (Self::Strategy, "criteria") => Self::Criterion,
            _ => Self::Plain,
        };
        Some((name, inner))
    }
}

impl Preset {
    /// A preset that may be incomplete: without strategies, or with rules that one of them cannot play by.
    pub fn draft(text: &str) -> Result<Self, PresetError> {
        let may_be = |path: &str| {
            let ends = [".evaluator", ".lookahead", ".strategy", ".name"];
            ["strategies", "games"].contains(&path)
                || path.starts_with("until[")
                || ends.iter().any(|end| path.ends_with(end))
        };
        Self::from_text_unless(text, |problem| !may_be(&problem.path))
    }

    /// The preset, unless it has a problem for which `counts` returns true.
    fn from_text_unless(
        text: &str,
        counts: impl Fn(&Problem) -> bool,
    ) -> Result<Self, PresetError> {
        let (mut unknown, mut understood) = (Vec::new(), text.to_owned());
        if let Some(tree) = Node::parse(text) {
            if let Some(version) = tree.field("version").and_then(|field| field.value.number()) {
                check_version(version)?;
            }
            take_unknown(
                &tree,
                Shape::Preset,
                &mut Vec::new(),
                &mut understood,
                &mut unknown,
            );
            // They are written at the ends of their structs, so their order among structs is lost.
            unknown.sort_by(|a, b| a.way.cmp(&b.way));
        }

        let spec: Spec = ron_text::read(&understood)?;
        check_version(spec.version)?;
        let problems = spec.check();
        match spec.rules.size.parse() {
            Ok(size) if !problems.iter().any(&counts) => Ok(spec.build(size, unknown)),
            _ => Err(PresetError::Problems(problems)),
        }
    }
}

impl Item for Preset {
    const FOLDER: &'static str = "presets";
    const LARGEST: u64 = LARGEST_PRESET;

    type Error = PresetError;

    fn from_text(text: &str) -> Result<Self, PresetError> {
        Self::from_text_unless(text, |_| true)
    }

    /// The preset as text: fixed order of fields, defaults omitted, unknown fields in their structs.
    fn to_text(&self) -> String {
        let text = ron_text::options()
            .to_string(&Spec::of(self))
            .expect("plain data without maps always has a RON form");
        // Only a value nested deeper than any reader accepts has no tree. It is written on one line.
        let Some(mut tree) = Node::parse(&text) else {
            return text + "\n";
        };
        for unknown in &self.unknown {
            put_back(&mut tree, Shape::Preset, &unknown.way, unknown);
        }
        for (index, entry) in self.listed().iter().enumerate() {
            for unknown in &entry.unknown {
                let way = [
                    &[Step::Field("strategies"), Step::Item(index)],
                    &unknown.way[..],
                ]
                .concat();
                put_back(&mut tree, Shape::Preset, &way, unknown);
            }
        }
        tree.print()
    }

    fn label(&self) -> String {
        self.title.clone()
    }

    fn renamed(&self, name: &str) -> Self {
        Self {
            title: name.to_owned(),
            ..self.clone()
        }
    }
}

fn check_version(version: u64) -> Result<(), PresetError> {
    match version {
        0 => Err(PresetError::NoSuchVersion { version }),
        _ if u64::from(Preset::VERSION) < version => Err(PresetError::Newer { version }),
        _ => Ok(()),
    }
}

/// Finds the fields that are not in the table and blanks them in `text`, so that all other text keeps its line and
/// column.
fn take_unknown(
    node: &Node,
    shape: Shape,
    way: &mut Vec<Step>,
    text: &mut String,
    found: &mut Vec<Unknown>,
) {
    match node {
        Node::Struct(_, fields) => {
            for field in fields {
                if let Some((name, inner)) = shape.field(&field.name) {
                    way.push(Step::Field(name));
                    take_unknown(&field.value, inner, way, text, found);
                    way.pop();
                } else if !matches!(shape, Shape::Plain) {
                    found.push(Unknown {
                        way: way.clone(),
                        name: field.name.clone(),
                        value: field.value.inline(),
                    });
                    blank(text, field);
                }
            }
        }
        // `Some(…)` around an optional struct.
        Node::Tuple(name, items) if name == "Some" => {
            items
                .iter()
                .for_each(|item| take_unknown(item, shape, way, text, found));
        }
        Node::List(items) => {
            for (index, item) in items.iter().enumerate() {
                way.push(Step::Item(index));
                take_unknown(item, shape, way, text, found);
                way.pop();
            }
        }
        Node::Tuple(..) | Node::Map(_) | Node::Atom(_) => {}
    }
}

fn blank(text: &mut String, field: &Field) {
    // The same number of bytes, so that the positions of later fields stay right.
    let blanks: String = text[field.span.clone()]
        .bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect();
    text.replace_range(field.span.clone(), &blanks);
}

/// Adds an unknown field at the end of its struct. Creates omitted rules; if an item is gone, so is the field.
fn put_back(node: &mut Node, shape: Shape, way: &[Step], unknown: &Unknown) {
    let Some((step, rest)) = way.split_first() else {
        let value =
            Node::parse(&unknown.value).unwrap_or_else(|| Node::Atom(unknown.value.clone()));
        match node {
            Node::Struct(_, fields) => fields.push(Field::new(&unknown.name, value)),
            Node::Tuple(name, items) if items.is_empty() => {
                *node = Node::Struct(std::mem::take(name), vec![Field::new(&unknown.name, value)]);
            }
            _ => {}
        }
        return;
    };
    match (step, node) {
        (Step::Item(index), Node::List(items)) => {
            if let Some(item) = items.get_mut(*index) {
                put_back(item, shape, rest, unknown);
            }
        }
        (Step::Field(name), Node::Struct(_, fields)) => {
            let Some((_, inner)) = shape.field(name) else {
                return;
            };
            if !fields.iter().any(|field| field.name == *name) {
                if !matches!(inner, Shape::Rules) {
                    return;
                }
                fields.push(Field::new(name, Node::Tuple(String::new(), Vec::new())));
                let place =
                    |field: &Field| shape.fields().iter().position(|own| *own == field.name);
                fields.sort_by_key(|field| place(field).unwrap_or(usize::MAX));
            }
            if let Some(field) = fields.iter_mut().find(|field| field.name == *name) {
                put_back(&mut field.value, inner, rest, unknown);
            }
        }
        _ => {}
    }
}
