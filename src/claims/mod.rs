//! Published claims about 2048: the commands that repeat them, our figures, and the verdict.
//!
//! A [`Text`] is a file of `presets/claims/` with its [`Claim`]s. Figures are in one place, `presets/claims/measured.ron`, by
//! preset and row ([`Measured`]), so several claims rest on the same games. [`Judged::of`] computes the verdict from both,
//! by the statistics of the results of runs; no file holds a verdict. A claim that cannot be tested, or that our figures
//! do not confirm, has a reason ([`Because`]).
//!
//! The command `texts` prints them, and measures them anew. The page *Sources* of the user guide lists them.
//!
//! To add one: the claim in the file of its text; its figures in `measured.ron`, as `afterstate texts ID --rerun --format
//! ron` prints them; then the last section of `src/guide/sources.md`, as `afterstate texts --format markdown` prints it.

mod judge;
mod measured;

use std::sync::LazyLock;

use serde::Deserialize;

use crate::experiment::Quantity;
use crate::preset::Shipped;
use crate::ron_text::{self, Mistake};

pub use judge::{Compared, Judged, Test};
pub use measured::{Figure, Measured};

/// A text, or a group of published players, and its claims.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// The short name: `Solver`.
    pub name: String,
    pub citation: String,
    /// What holds for all its claims; may be empty.
    #[serde(default)]
    pub note: String,
    /// In the order of the text.
    pub claims: Vec<Claim>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The name within its text: `snake-mean`.
    pub id: String,
    /// The section, table or figure.
    pub place: String,
    /// The claim in our words.
    pub says: String,
    pub kind: Kind,
    /// What repeats it: names of shipped presets, and commands, which begin with `afterstate`. The first one has the rows of
    /// `kind`.
    pub by: Vec<String>,
    /// How we read what the text leaves open, and what else was found; may be empty.
    #[serde(default)]
    pub reading: String,
    /// Why no verdict is possible, or why we find something else.
    #[serde(default)]
    pub because: Option<Because>,
}

/// What kind of statement a claim is. Rows are names of strategies of the first thing that repeats it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Kind {
    /// The published numbers of these rows; of all rows of the preset if there are none. The preset has the numbers.
    Published {
        #[serde(default)]
        rows: Vec<String>,
    },
    /// A number that no preset has.
    Number {
        row: String,
        what: Quantity,
        value: f64,
        /// Number of published games, if the text says it.
        games: Option<u64>,
    },
    /// The first row of each pair is above the second one. Rows in groups: each row of a group is above each row of the
    /// next group.
    Above {
        what: Quantity,
        #[serde(default)]
        pairs: Vec<[String; 2]>,
        #[serde(default)]
        order: Vec<Vec<String>>,
    },
    /// The ratio of the values of two rows. 1 stands for "differ little": any ratio within the margin.
    Ratio {
        what: Quantity,
        of: String,
        to: String,
        value: f64,
    },
    /// From one row to another the first pair gains more than each other pair.
    GainsMost {
        what: Quantity,
        by: Gain,
        pairs: Vec<[String; 2]>,
    },
    /// A number or word that the command prints.
    Exact { published: String, measured: String },
    /// A statement without numbers.
    Stated,
}

/// How a gain is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Gain {
    Difference,
    Factor,
}

/// Why there is no verdict, or why our result is another one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Because {
    /// The figure or number is lost in our copy of the text.
    Lost(String),
    /// The text allows several readings.
    Ambiguous(String),
    /// The text contradicts itself, or its description does not give its numbers.
    Contradiction(String),
    /// The result depends on a constant that the text leaves open.
    Free(String),
    /// Too few games, here or there.
    FewGames(String),
    /// Of our games only the mean was recorded, without its spread.
    NoSpread(String),
    /// Takes too long.
    NotRun(String),
    /// Nothing to measure: a rule or an algorithm, and how the program follows it.
    NoNumber(String),
    /// None of the above explains it.
    Unknown(String),
}

impl Because {
    /// The kind in words.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Lost(_) => "lost in the text",
            Self::Ambiguous(_) => "ambiguous text",
            Self::Contradiction(_) => "contradiction in the text",
            Self::Free(_) => "free constant",
            Self::FewGames(_) => "too few games",
            Self::NoSpread(_) => "spread not recorded",
            Self::NotRun(_) => "not run",
            Self::NoNumber(_) => "no number",
            Self::Unknown(_) => "unexplained",
        }
    }

    pub fn reason(&self) -> &str {
        match self {
            Self::Lost(reason)
            | Self::Ambiguous(reason)
            | Self::Contradiction(reason)
            | Self::Free(reason)
            | Self::FewGames(reason)
            | Self::NoSpread(reason)
            | Self::NotRun(reason)
            | Self::NoNumber(reason)
            | Self::Unknown(reason) => reason,
        }
    }
}

macro_rules! texts {
    ($($file:literal),* $(,)?) => {
        &[$(include_str!(concat!("../../presets/claims/", $file, ".ron"))),*]
    };
}

/// The files of the texts, in list order.
const FILES: &[&str] = texts![
    "composition",
    "solver",
    "tutorial",
    "course",
    "assignment",
    "networks"
];

impl Text {
    /// All texts in list order. An error is a fault of the program, which a test excludes.
    pub fn all() -> Result<&'static [Self], Mistake> {
        static ALL: LazyLock<Result<Vec<Text>, Mistake>> =
            LazyLock::new(|| FILES.iter().map(|text| ron_text::read(text)).collect());
        ALL.as_deref().map_err(Clone::clone)
    }

    /// The name of a claim among those of all texts: `solver/snake-mean`.
    pub fn full_id(&self, claim: &Claim) -> String {
        format!("{}/{}", self.name.to_lowercase(), claim.id)
    }

    /// The claims that a name means, each with its text: those of a text, those that a preset repeats, or a single one.
    pub fn named(name: &str) -> Result<Vec<(&'static Self, &'static Claim)>, Mistake> {
        let is_meant = |text: &Self, claim: &Claim| {
            text.name.eq_ignore_ascii_case(name)
                || text.full_id(claim).eq_ignore_ascii_case(name)
                || claim.by.iter().any(|by| by == name)
        };
        Ok(Self::each()?
            .into_iter()
            .filter(|(text, claim)| is_meant(text, claim))
            .collect())
    }

    /// All claims, each with its text.
    pub fn each() -> Result<Vec<(&'static Self, &'static Claim)>, Mistake> {
        Ok(Self::all()?
            .iter()
            .flat_map(|text| text.claims.iter().map(move |claim| (text, claim)))
            .collect())
    }
}

impl Claim {
    /// The preset whose rows the claim is about.
    pub fn preset(&self) -> Option<Shipped> {
        Shipped::named(self.by.first()?)
    }

    /// The command that prints what the claim says, without the name of the program.
    pub fn command(&self) -> Option<&str> {
        self.by.iter().find_map(|by| by.strip_prefix("afterstate "))
    }

    /// The commands that repeat it: `afterstate run solver-figure-4`.
    pub fn commands(&self) -> Vec<String> {
        let run = |by: &String| match Shipped::named(by) {
            Some(shipped) if shipped.name.starts_with("tune-") => {
                format!("afterstate tune {by} --out {by}")
            }
            Some(_) => format!("afterstate run {by}"),
            None => by.clone(),
        };
        self.by.iter().map(run).collect()
    }
}

#[cfg(test)]
mod tests;
