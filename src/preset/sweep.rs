//! A sweep: one or two settings of some strategies, each with a list of values.
//!
//! It is a short form for many strategies, which then run like any others:
//!
//! ```text
//! sweep: (over: [(setting: "weight of Score", name: "score", values: [0.0, 0.5, 1.0])]),
//! strategies: [(strategy: (name: "corner", criteria: [(evaluator: Sum([(1.0, Corner), (0.0, Score)]))]))],
//! ```
//!
//! plays `corner, score 0`, `corner, score 0.5` and `corner, score 1`. [`Setting`](crate::strategy::Setting) lists the
//! names; `chance of a 4` is a rule of the games, which each point has for itself. Values are a list, or `from: 0.25,
//! to: 4.0, steps: 5` in equal steps, or in equal ratios with `log: true`. Settings that vary along with it are in
//! `along`. If the file lists the strategies one by one, because some were added or removed, the swept ones are in
//! `bases`.

use std::fmt;
use std::str::FromStr;

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::spec::Problem;
use super::{Entry, Published};
use crate::math;
use crate::ron_text::is_default;
use crate::strategy::{Setting, SettingError, Strategy};
use crate::words;

/// One or two settings, their values, and the strategies they belong to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    pub over: Vec<Axis>,
    /// The published numbers of its points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<PublishedPoint>,
    /// The strategies that are swept. A published number of one of them does not belong to a known point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<Entry>,
}

/// A setting and its values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The name of the setting, as in [`Strategy::setting`].
    pub setting: String,
    /// The name on axes and in strategy names. If empty, it is the setting.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Whether neighbors have a constant ratio instead of a constant distance.
    #[serde(default, skip_serializing_if = "is_default")]
    pub log: bool,
    /// Settings that vary with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<Along>,
}

/// A setting with one value for each value of another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Along {
    pub setting: String,
    pub values: Vec<f64>,
}

/// The published numbers of a point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedPoint {
    /// Name of the strategy; may be empty if there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub strategy: String,
    /// The value of each setting.
    pub at: Vec<f64>,
    pub row: Published,
}

/// Why an axis has no values, or a value cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AxisError {
    #[error("no values: write values: [0, 1, 2], or from, to and steps")]
    NoValues,
    #[error("write both from and to")]
    OneEnd,
    #[error("write either values, or from, to and steps, not both")]
    ValuesAndRange,
    #[error("{0} values are too many: the limit is {MOST_POINTS}")]
    TooManyValues(usize),
    #[error("{0} is not a finite number")]
    NotFinite(f64),
    #[error("values must rise or fall, each only once")]
    Unsorted,
    #[error("steps is missing: write the number of values")]
    NoSteps,
    #[error("steps is {0}: write a number of values from 2 to {MOST_POINTS}")]
    Steps(u32),
    #[error("from {from} to {to} is not a range: write two different numbers")]
    NoRange { from: f64, to: f64 },
    #[error("with log: true, values must be above 0, but {0} is not")]
    LogBegins(f64),
    #[error("{along} has fewer values than {setting}")]
    FewerValues { along: String, setting: String },
    #[error("{0} is the same for all games of a run: run the sweep once for each")]
    SameForAll(String),
    #[error("{0} is not a probability: write numbers from 0 to 1")]
    NoProbability(f64),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("{WHOLE_EXAMPLE}")]
    NoAxis,
    #[error("{} is not a number: {example}", words::quoted(.text))]
    NoNumber { text: String, example: &'static str },
    #[error("{} lacks the number of values: {example}", words::quoted(.text))]
    NoCount { text: String, example: &'static str },
    #[error("{} is not a number of values", words::quoted(.0))]
    Count(String),
}

/// The format of an axis as text.
const WHOLE_EXAMPLE: &str = "write a setting and its values: 'weight of Score=0..4/9' (from, to, how many), \
                             'weight of Score=0.25..4/5,log' or 'weight of Score=0,0.5,1'";

/// The format of its values.
const VALUES_EXAMPLE: &str = "write 1,2,4, or from, to and how many: 1..8/8, 100..10000/5,log";

/// Maximum number of points of all strategies of a sweep.
pub const MOST_POINTS: usize = 200;

/// From this size on, plus or minus one of a count, such as nodes or playouts, hardly makes a difference.
const LEAST_COUNT: f64 = 20.0;

/// The only rule of the game that is a setting, with its aliases.
const CHANCE: [&str; 3] = [CHANCE_OF_A_4, "p4", "rules.p4"];

/// The setting for the probability of a 4.
pub const CHANCE_OF_A_4: &str = "chance of a 4";

/// Rules that are the same for a whole run.
const SAME: [&str; 5] = ["size", "rules.size", "stop_at", "rules.stop_at", "seed"];

impl Axis {
    pub fn name(&self) -> &str {
        if self.name.is_empty() {
            &self.setting
        } else {
            &self.name
        }
    }

    /// Some values of a setting of a strategy, or of the chance of a 4; or why there are none.
    pub fn of(strategy: &Strategy, setting: &str) -> Result<Self, AxisError> {
        if is_among(&CHANCE, setting) {
            return Ok(Self {
                setting: setting.to_owned(),
                values: vec![0.0, 0.1, 0.2, 0.5, 1.0],
                ..Self::default()
            });
        }
        Ok(Self::around(strategy, &strategy.setting(setting)?))
    }

    /// Some values around that of a setting, without those that the strategy cannot play with. For counts, values that
    /// make a difference, from a tenth to ten times.
    pub fn around(strategy: &Strategy, setting: &Setting) -> Self {
        let Setting {
            value, is_whole, ..
        } = *setting;
        let mut values: Vec<f64> = match (is_whole, value == 0.0) {
            (true, _) if LEAST_COUNT <= value && !setting.is_depth() => {
                [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0]
                    .map(|factor| (factor * value).round())
                    .to_vec()
            }
            (true, _) => (-2..=2)
                .map(|step| value + f64::from(step))
                .filter(|&value| 1.0 <= value)
                .collect(),
            (false, true) => vec![0.0, 0.5, 1.0, 2.0, 5.0, 10.0],
            (false, false) => [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]
                .map(|factor| factor * value)
                .to_vec(),
        };
        values.retain(|&value| strategy.allows(setting, value));
        values.push(value);
        values.sort_by(f64::total_cmp);
        values.dedup();
        Self {
            setting: setting.name.clone(),
            values,
            ..Self::default()
        }
    }

    /// The values for a setting. Those of a range are rounded if the setting is a whole number, without duplicates.
    pub fn values_of(&self, is_whole: bool) -> Result<Vec<f64>, AxisError> {
        let mut values = self.values()?;
        if is_whole && self.values.is_empty() {
            values.iter_mut().for_each(|value| *value = value.round());
            values.dedup();
        }
        Ok(values)
    }

    /// The values in the written order, or why there are none.
    pub fn values(&self) -> Result<Vec<f64>, AxisError> {
        let Self {
            values,
            from,
            to,
            steps,
            log,
            ..
        } = self;
        let values = match (values.as_slice(), from, to) {
            ([], None, None) => return Err(AxisError::NoValues),
            ([], &Some(from), &Some(to)) => self.range(from, to)?,
            ([], ..) => return Err(AxisError::OneEnd),
            (_, None, None) if steps.is_none() && !log => values.clone(),
            _ => return Err(AxisError::ValuesAndRange),
        };
        if MOST_POINTS < values.len() {
            return Err(AxisError::TooManyValues(values.len()));
        }

        match values.iter().find(|value| !value.is_finite()) {
            Some(&value) => Err(AxisError::NotFinite(value)),
            None if !values.is_sorted_by(|a, b| a < b) && !values.is_sorted_by(|a, b| b < a) => {
                Err(AxisError::Unsorted)
            }
            None => Ok(values),
        }
    }

    fn range(&self, from: f64, to: f64) -> Result<Vec<f64>, AxisError> {
        let steps = self.steps.ok_or(AxisError::NoSteps)?;
        if steps < 2 || MOST_POINTS < steps as usize {
            return Err(AxisError::Steps(steps));
        }
        if !(from.is_finite() && to.is_finite() && from != to) {
            return Err(AxisError::NoRange { from, to });
        }
        let least = from.min(to);
        if self.log && least <= 0.0 {
            return Err(AxisError::LogBegins(least));
        }

        let value = |step: u32| {
            let share = f64::from(step) / f64::from(steps - 1);
            let value = if self.log {
                from * math::pow(to / from, share)
            } else {
                from + (to - from) * share
            };
            // As people write them: 0.3, not 0.30000000000000004.
            match step {
                0 => from,
                _ if step == steps - 1 => to,
                _ => format!("{value:.9e}").parse().unwrap_or(value),
            }
        };

        Ok((0..steps).map(value).collect())
    }

    /// Sets the setting, and those along with it, of a strategy or of the rules of its games, to one of the values.
    fn set(&self, entry: Entry, index: usize, value: f64) -> Result<Entry, AxisError> {
        let first = set(entry, &self.setting, value)?;
        self.along.iter().try_fold(first, |entry, along| {
            let (name, setting) = (along.setting.clone(), self.setting.clone());
            let value = along.values.get(index).ok_or(AxisError::FewerValues {
                along: name,
                setting,
            })?;
            set(entry, &along.setting, *value)
        })
    }
}

fn is_among(names: &[&str], name: &str) -> bool {
    names
        .iter()
        .any(|one| one.eq_ignore_ascii_case(name.trim()))
}

fn set(entry: Entry, name: &str, value: f64) -> Result<Entry, AxisError> {
    if is_among(&SAME, name) {
        return Err(AxisError::SameForAll(name.to_owned()));
    }
    if is_among(&CHANCE, name) {
        return match (0.0..=1.0).contains(&value) {
            true => Ok(Entry {
                p4: Some(value),
                ..entry
            }),
            false => Err(AxisError::NoProbability(value)),
        };
    }
    let setting = entry.strategy.setting(name)?;
    let strategy = entry.strategy.with_setting(&setting, value)?;
    Ok(Entry { strategy, ..entry })
}

impl FromStr for Axis {
    type Err = AxisError;

    /// Reads `weight of Score=0..4/9`, `…=0.25..4/5,log` and `…=0,0.5,1`.
    fn from_str(text: &str) -> Result<Self, AxisError> {
        let (setting, values) = text.rsplit_once('=').ok_or(AxisError::NoAxis)?;
        Self::read(setting, values, WHOLE_EXAMPLE)
    }
}

impl Axis {
    /// Reads the values after the name of a setting: `0..4/9`, `0.25..4/5,log` or `0,0.5,1`.
    pub fn of_values(setting: &str, values: &str) -> Result<Self, AxisError> {
        Self::read(setting, values, VALUES_EXAMPLE)
    }

    fn read(setting: &str, values: &str, example: &'static str) -> Result<Self, AxisError> {
        let (setting, values) = (setting.trim().to_owned(), values.trim());
        let number = |text: &str| {
            text.trim().parse::<f64>().map_err(|_| AxisError::NoNumber {
                text: text.to_owned(),
                example,
            })
        };
        let axis = match values.split_once("..") {
            Some((from, rest)) => {
                let (rest, log) = rest
                    .strip_suffix(",log")
                    .map_or((rest, false), |rest| (rest, true));
                let no_count = || AxisError::NoCount {
                    text: values.to_owned(),
                    example,
                };
                let (to, steps) = rest.split_once('/').ok_or_else(no_count)?;
                let steps = steps
                    .trim()
                    .parse()
                    .map_err(|_| AxisError::Count(steps.to_owned()))?;
                Self {
                    from: Some(number(from)?),
                    to: Some(number(to)?),
                    steps: Some(steps),
                    log,
                    ..Self::default()
                }
            }
            None => Self {
                values: values.split(',').map(number).try_collect()?,
                ..Self::default()
            },
        };

        let axis = Self { setting, ..axis };
        axis.values().map(|_| axis)
    }
}

impl fmt::Display for Axis {
    /// The format that [`FromStr`] reads, without settings along.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=", self.setting)?;
        match (self.from, self.to, self.steps) {
            (Some(from), Some(to), Some(steps)) => {
                write!(
                    f,
                    "{from}..{to}/{steps}{}",
                    if self.log { ",log" } else { "" }
                )
            }
            _ => write!(f, "{}", self.values.iter().format(",")),
        }
    }
}

impl Sweep {
    /// The values of one of the settings. Those of a range are rounded if it is a whole number of some strategy.
    fn values(&self, axis: &Axis) -> Result<Vec<f64>, AxisError> {
        let is_whole = |base: &Entry| {
            base.strategy
                .setting(&axis.setting)
                .is_ok_and(|setting| setting.is_whole)
        };
        axis.values_of(self.bases.iter().any(is_whole))
    }

    /// The same in ascending order.
    pub fn rising(&self, axis: &Axis) -> Result<Vec<f64>, AxisError> {
        let mut values = self.values(axis)?;
        values.sort_by(f64::total_cmp);
        Ok(values)
    }

    /// The values of the settings at each point of a strategy, ascending; the last setting varies fastest.
    pub fn points(&self) -> Result<Vec<Vec<f64>>, Problem> {
        let axes = self.over.iter().enumerate().map(|(index, axis)| {
            self.rising(axis)
                .map_err(|error| Problem::new(format!("sweep.over[{index}]"), error.to_string()))
        });
        Ok(axes
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .multi_cartesian_product()
            .collect())
    }

    /// The strategies of the sweep: all points of each base.
    pub fn expand(&self) -> Result<Vec<Entry>, Problem> {
        if !(1..=2).contains(&self.over.len()) {
            let count = self.over.len();
            return Err(Problem::new(
                "sweep.over",
                format!("{count} settings: a sweep varies one or two"),
            ));
        }
        let points = self.points()?;
        let all = points.len().saturating_mul(self.bases.len());
        if MOST_POINTS < all {
            let reason =
                format!("{all} points of all strategies are too many: the limit is {MOST_POINTS}");
            return Err(Problem::new("sweep.over", reason));
        }

        let mut entries = Vec::with_capacity(all);
        for base in &self.bases {
            for at in &points {
                entries.push(Entry {
                    published: self.published_at(&base.strategy, at),
                    ..self.point(base, at)?
                });
            }
        }

        let mut published = self.published.iter().enumerate();
        match published.find(|(_, one)| {
            !points.contains(&one.at) || !self.bases.iter().any(|base| one.is_of(&base.strategy))
        }) {
            None => Ok(entries),
            Some((index, one)) => {
                let reason = format!("{}{:?} is not a point of the sweep", one.strategy, one.at);
                Err(Problem::new(format!("sweep.published[{index}]"), reason))
            }
        }
    }

    /// A strategy at a point, with a name for the point.
    fn point(&self, base: &Entry, at: &[f64]) -> Result<Entry, Problem> {
        let mut entry = Entry {
            p4: base.p4,
            ..Entry::new(base.strategy.clone())
        };
        for (place, (axis, &value)) in self.over.iter().zip(at).enumerate() {
            let index = self
                .values(axis)
                .ok()
                .and_then(|values| values.iter().position(|one| *one == value));
            let set = axis.set(entry, index.unwrap_or_default(), value);
            entry = set
                .map_err(|error| Problem::new(format!("sweep.over[{place}]"), error.to_string()))?;
        }
        let settings = self
            .over
            .iter()
            .zip(at)
            .map(|(axis, value)| format!(", {} {value}", axis.name()));
        entry.strategy.name = base.strategy.label() + &settings.collect::<String>();
        Ok(entry)
    }

    fn published_at(&self, base: &Strategy, at: &[f64]) -> Option<Published> {
        self.published
            .iter()
            .find(|one| one.at == at && one.is_of(base))
            .map(|one| one.row.clone())
    }
}

impl PublishedPoint {
    fn is_of(&self, base: &Strategy) -> bool {
        self.strategy.is_empty() || self.strategy == base.label()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Item as _, Preset, PresetError};

    const TEXT: &str = r#"(
    version: 1,
    title: "A sweep",
    seed: 1,
    games: 10,
    sweep: (over: [(setting: "weight of Score", name: "score", values: [0.0, 0.5])]),
    strategies: [
        (strategy: (name: "corner", criteria: [(evaluator: Sum([(1.0, Corner), (0.0, Score)]))], last_resort: First)),
        (strategy: (name: "snake", criteria: [(evaluator: Sum([(1.0, Snake), (0.0, Score)]))], last_resort: First)),
    ],
)
"#;

    fn problem(text: &str) -> String {
        match Preset::from_text(text) {
            Err(PresetError::Problems(problems)) => problems[0].to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_sweep_is_read_as_the_strategies_that_it_stands_for_and_written_as_it_was() {
        let preset = Preset::from_text(TEXT).expect("a sweep");
        let names: Vec<&str> = preset
            .strategies
            .iter()
            .map(|entry| entry.strategy.name.as_str())
            .collect();
        assert_eq!(
            names,
            [
                "corner, score 0",
                "corner, score 0.5",
                "snake, score 0",
                "snake, score 0.5"
            ]
        );
        assert_eq!(preset.to_text(), TEXT);
        let plain: Strategy =
            "(criteria: [(evaluator: Sum([(1.0, Corner), (0.5, Score)]))], last_resort: First)"
                .parse()
                .expect("a strategy");
        assert_eq!(preset.strategies[1].strategy.sha256(), plain.sha256());
        // A strategy outside the sweep stays, and so do the points.
        let mut more = preset.clone();
        more.strategies
            .push(Entry::new("r".parse().expect("letters")));
        let again = Preset::from_text(&more.to_text()).expect("what was written");
        assert_eq!(again, more);
        assert_eq!((again.strategies.len(), again.sweep), (5, preset.sweep));
    }

    #[test]
    fn a_setting_is_gone_through_upwards_and_in_whole_numbers_where_it_is_one() {
        let search = TEXT.replace(
            "Score)]))",
            "Score)]), lookahead: Expectimax(plies: Fixed(4), nodes: 5000))",
        );
        let over = |axis: &str| {
            search.replace(
                "(setting: \"weight of Score\", name: \"score\", values: [0.0, 0.5])",
                axis,
            )
        };
        let values = |axis: &str| {
            let preset = Preset::from_text(&over(axis)).expect(axis);
            let sweep = preset.sweep.expect("a sweep");
            sweep.points().expect("points").concat()
        };

        assert_eq!(
            values("(setting: \"nodes\", from: 100, to: 10000, steps: 5, log: true)"),
            [100.0, 316.0, 1000.0, 3162.0, 10000.0]
        );
        assert_eq!(
            values("(setting: \"plies\", values: [3, 2, 1])"),
            [1.0, 2.0, 3.0]
        );
        let strategy = &Preset::from_text(&search).expect("a preset").strategies[0].strategy;
        let around = |setting: &str| Axis::of(strategy, setting).expect(setting).values;
        assert_eq!(
            around("nodes"),
            [500.0, 1000.0, 2500.0, 5000.0, 10_000.0, 25_000.0, 50_000.0]
        );
        assert_eq!(around("plies"), [2.0, 3.0, 4.0, 5.0, 6.0]);
        // A network evaluates afterstates: only odd depths end with one.
        let network = "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
        let network: Strategy = network.parse().expect("a strategy");
        assert_eq!(
            Axis::of(&network, "plies").expect("a depth").values,
            [1.0, 3.0, 5.0]
        );
    }

    #[test]
    fn unknown_fields_of_what_is_swept_are_kept() {
        let text = TEXT.replace(
            "last_resort: First)),",
            "last_resort: First, icon: 1), pinned: true),",
        );
        let preset = Preset::from_text(&text).expect("a sweep");
        assert_eq!(preset.unknown_paths().len(), 4);
        let again = Preset::from_text(&preset.to_text()).expect("what was written");
        assert_eq!(
            (again.unknown_paths(), again.to_text()),
            (preset.unknown_paths(), preset.to_text())
        );
    }

    #[test]
    fn values_are_a_list_or_a_range() {
        let values = |text: &str| text.parse::<Axis>().and_then(|axis| axis.values());
        assert_eq!(values("plies=1,3,5"), Ok(vec![1.0, 3.0, 5.0]));
        assert_eq!(values("x=0..1/11").map(|all| all[3]), Ok(0.3));
        assert_eq!(
            values("x=0.25..4/5,log"),
            Ok(vec![0.25, 0.5, 1.0, 2.0, 4.0])
        );

        for (text, reason) in [
            ("x", "write a setting and its values"),
            ("x=", "is not a number"),
            ("x=1..1/3", "is not a range"),
            ("x=1..8", "\"1..8\" lacks the number of values"),
            ("x=0..4/1", "from 2 to 200"),
            ("x=0..4/500", "from 2 to 200"),
            ("x=0..4/5,log", "must be above 0"),
            ("x=1,1", "values must rise or fall, each only once"),
            ("x=2,1,3", "values must rise or fall, each only once"),
            ("x=NaN", "NaN is not a finite number"),
        ] {
            let error = values(text).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert_eq!(values("x=0.1..0.001/3,log"), Ok(vec![0.1, 0.01, 0.001]));
        assert_eq!(values("x=3,1"), Ok(vec![3.0, 1.0]));
        let whole = |text: &str| text.parse::<Axis>().and_then(|axis| axis.values_of(true));
        assert_eq!(
            whole("x=100..1000000/9,log").map(|all| all[..3].to_vec()),
            Ok(vec![100.0, 316.0, 1000.0])
        );
        assert_eq!(whole("x=1..3/9"), Ok(vec![1.0, 2.0, 3.0]), "each once");
        assert_eq!(
            whole("x=0.5,1"),
            Ok(vec![0.5, 1.0]),
            "what is written is kept, to be refused where it is set"
        );
        let error = Axis::of_values("x", "1..8")
            .expect_err("how many?")
            .to_string();
        assert!(
            error.contains("write 1,2,4") && !error.contains("setting"),
            "{error}"
        );

        for text in ["weight of Score=0..4/9", "x=0.25..4/5,log", "x=0,0.5,1"] {
            assert_eq!(
                text.parse::<Axis>().map(|axis| axis.to_string()).as_deref(),
                Ok(text)
            );
        }
    }

    #[test]
    fn what_cannot_be_swept_is_one_sentence_that_names_the_place() {
        let over = |with: &str| TEXT.replace("setting: \"weight of Score\"", with);
        for (text, reason) in [
            (
                over("setting: \"weight of Sore\""),
                "sweep.over[0]: there is no setting \"weight of Sore\" in corner (did you mean",
            ),
            (
                over("setting: \"stop_at\""),
                "sweep.over[0]: stop_at is the same for all games of a run",
            ),
            (
                over("setting: \"p4\"").replace("0.5]", "1.5]"),
                "sweep.over[0]: 1.5 is not a probability: write numbers from 0 to 1",
            ),
            (
                TEXT.replace("values: [0.0, 0.5]", ""),
                "sweep.over[0]: no values",
            ),
            (
                TEXT.replace("values: [0.0, 0.5]", "from: 0, to: 1, steps: 101"),
                "202 points of all strategies are too many",
            ),
            (
                TEXT.replace(
                    "over: [(setting: \"weight of Score\", name: \"score\", values: [0.0, 0.5])]",
                    "over: []",
                ),
                "0 settings: a sweep varies one or two",
            ),
            (
                TEXT.replace(
                    "]),\n    strat",
                    "], published: [(at: [0.7], row: (mean: 1.0))]),\n    strat",
                ),
                "sweep.published[0]: [0.7] is not a point of the sweep",
            ),
            (
                over(
                    "along: [(setting: \"weight of Corner\", values: [1.0])], setting: \"weight of Score\"",
                ),
                "weight of Corner has fewer values than weight of Score",
            ),
        ] {
            let problem = problem(&text);
            assert!(problem.contains(reason), "{problem}");
        }

        let deep = TEXT.replace(
            "Score)]))]",
            "Score)]), lookahead: Expectimax(plies: Fixed(2)))]",
        );
        let deep = deep.replace(
            "\"weight of Score\", name: \"score\", values: [0.0, 0.5]",
            "\"plies\", values: [0, 2]",
        );
        assert_eq!(
            problem(&deep),
            "sweep.over: corner, plies 0: 0 plies search nothing: write at least 1"
        );
    }
}
