//! Tuning: numbers of a strategy, an objective and a number of games.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::spec::Problem;
use crate::game::Rank;
use crate::ron_text::is_default;
use crate::strategy::{Setting, SettingError, Strategy};
use crate::words;

/// `tune: (over: [(setting: "Lines merges")], games: 20000)` of a preset with one strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    pub over: Vec<Tuned>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub objective: Objective,
    /// Games for the search, over all candidates.
    pub games: u64,
    /// Games of the winner, and of the initial strategy, on seeds that were not used for the search. The default is a
    /// tenth of `games`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<u64>,
}

/// A setting to tune, named as in [`Strategy::setting`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    pub setting: String,
    /// The lower and the upper limit of tried values. The default is unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// The objective to maximize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Objective {
    #[default]
    Mean,
    /// The share of games that reach a tile.
    Reach(u64),
}

/// Minimum number of games for a search.
pub const LEAST_TUNING: u64 = 200;

/// Maximum number of settings that are tuned together.
const MOST_TUNED: usize = 32;

impl Tuning {
    /// Verification games of the winner, and of the initial strategy.
    pub fn verification(&self) -> u64 {
        self.verify.unwrap_or((self.games / 10).max(100))
    }

    /// The problems that prevent tuning, with their places.
    pub(super) fn check(&self, strategies: &[&Strategy]) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut require = |is_sound: bool, path: &str, reason: String| {
            problems.extend((!is_sound).then(|| Problem::new(format!("tune.{path}"), reason)));
        };
        let [strategy] = strategies else {
            let count = strategies.len();
            return vec![Problem::new(
                "tune",
                format!("{count} strategies: name only one to tune"),
            )];
        };
        let (count, games, verify) = (self.over.len(), self.games, self.verification());
        require(
            0 < count,
            "over",
            "no setting: name at least one".to_owned(),
        );
        require(
            count <= MOST_TUNED,
            "over",
            format!("{count} settings are too many: the limit is {MOST_TUNED}"),
        );
        require(
            LEAST_TUNING <= games,
            "games",
            format!("{games} games are too few: write at least {LEAST_TUNING}"),
        );
        require(
            games <= super::MOST_GAMES_IN_ALL,
            "games",
            format!(
                "above the limit of {} games",
                words::count(super::MOST_GAMES_IN_ALL)
            ),
        );
        require(
            (2..=super::MOST_GAMES).contains(&verify),
            "verify",
            format!(
                "write a number from 2 to {}",
                words::count(super::MOST_GAMES)
            ),
        );

        if let Objective::Reach(tile) = self.objective {
            let is_tile = Rank::of_tile(tile).is_some_and(|rank| Rank::FOUR < rank);
            require(
                is_tile,
                "objective",
                format!("{tile} is not a tile that can be reached: write 8, 16, 32 …"),
            );
        }
        let reproducible = strategy.is_reproducible();
        require(
            reproducible,
            "over",
            "games with a time limit differ each time: limit nodes instead".to_owned(),
        );
        let mut seen = HashSet::new();
        for (index, tuned) in self.over.iter().enumerate() {
            let path = format!("over[{index}]");
            match tuned.of(strategy) {
                Err(error) => require(false, &path, error.to_string()),
                Ok(setting) => require(
                    seen.insert(setting.path),
                    &path,
                    format!("{} appears twice", tuned.setting),
                ),
            }
        }

        problems
    }
}

/// Why a setting cannot be tuned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TunedError {
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("{0} is a whole number, and only real numbers can be tuned: sweep it instead")]
    Whole(String),
    #[error("low {low} is not below high {high}")]
    NoRange { low: f64, high: f64 },
    #[error("{name} starts at {value}, which is not between {low} and {high}")]
    OutOfRange {
        name: String,
        value: f64,
        low: f64,
        high: f64,
    },
    #[error("{} is not a range: write 'weight of Score' or 'weight of Score=0..4'", words::quoted(.0))]
    Range(String),
}

/// The text is not an objective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write mean, or reach:2048 for the share of games that reach a tile")]
pub struct ParseObjectiveError;

impl Tuned {
    /// The setting with its current value, or why it cannot be tuned.
    pub fn of(&self, strategy: &Strategy) -> Result<Setting, TunedError> {
        let setting = strategy.setting(&self.setting)?;
        let (low, high) = (
            self.low.unwrap_or(f64::NEG_INFINITY),
            self.high.unwrap_or(f64::INFINITY),
        );
        if setting.is_whole {
            return Err(TunedError::Whole(setting.name));
        }
        if low.is_nan() || high.is_nan() || high <= low {
            return Err(TunedError::NoRange { low, high });
        }
        if !(low..=high).contains(&setting.value) {
            let Setting { name, value, .. } = setting;
            return Err(TunedError::OutOfRange {
                name,
                value,
                low,
                high,
            });
        }
        Ok(setting)
    }
}

impl FromStr for Tuned {
    type Err = TunedError;

    /// Reads `weight of Score` and `weight of Score=0..4`.
    fn from_str(text: &str) -> Result<Self, TunedError> {
        let Some((setting, range)) = text.rsplit_once('=') else {
            return Ok(Self {
                setting: text.trim().to_owned(),
                ..Self::default()
            });
        };
        let ends = range
            .split_once("..")
            .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        let Some((low, high)) = ends else {
            return Err(TunedError::Range(range.to_owned()));
        };
        Ok(Self {
            setting: setting.trim().to_owned(),
            low: Some(low),
            high: Some(high),
        })
    }
}

impl FromStr for Objective {
    type Err = ParseObjectiveError;

    /// Reads `mean` and `reach:2048`.
    fn from_str(text: &str) -> Result<Self, ParseObjectiveError> {
        let tile = text.strip_prefix("reach:").map(str::parse);
        match (text, tile) {
            ("mean", _) => Ok(Self::Mean),
            (_, Some(Ok(tile))) => Ok(Self::Reach(tile)),
            _ => Err(ParseObjectiveError),
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean score"),
            Self::Reach(tile) => write!(f, "share of games that reach {tile}"),
        }
    }
}
