//! Stop rules as a line of text: in presets, manifests and on the command line.
//!
//! ```text
//! half-width=2%                                 every mean is known to ± 2 % of itself; without % in points
//! sprt=0..100                                   difference of the mean scores: H0 is 0, H1 is 100 points
//! sprt=0.5..0.6,reach=2048                      of the pairs in which one of both reaches 2048, the share that is won
//! sprt=0..100,alpha=0.01,beta=0.2,against=er    how often H1 and H0 may be wrong; less which strategy
//! minutes=30
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, EnumIter};

use crate::game::Rank;
use crate::words;

/// The longest time limit, a year.
const MOST_MINUTES: f64 = 525_600.0;

/// The default error rates.
const USUAL_ERROR: f64 = 0.05;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, EnumDiscriminants)]
#[serde(try_from = "String", into = "String")]
#[strum_discriminants(name(StopKind), derive(EnumIter))]
pub enum StopRule {
    /// Ends when the 95 % confidence sequence of every mean score has at most this half-width.
    HalfWidth(HalfWidth),
    /// Ends when the sequential probability ratio test has decided between every strategy and another one.
    Sprt(SprtRule),
    Minutes(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HalfWidth {
    Points(f64),
    /// Of the mean.
    Percent(f64),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SprtRule {
    /// Tests the share of pairs in which exactly one of the two reaches this tile; `None` tests the mean difference of
    /// the scores.
    pub reach: Option<Rank>,
    pub h0: f64,
    pub h1: f64,
    pub alpha: f64,
    pub beta: f64,
    /// The strategy that all others are compared with. `None` is the first.
    pub against: Option<String>,
}

impl SprtRule {
    /// For scores, with the default error rates.
    pub fn of_scores(h0: f64, h1: f64) -> Self {
        Self {
            reach: None,
            h0,
            h1,
            alpha: USUAL_ERROR,
            beta: USUAL_ERROR,
            against: None,
        }
    }

    /// The claim of H1 or H0 about a strategy: `scores at least 100 points more than er`.
    pub fn claim(&self, is_h1: bool, other: &str) -> String {
        let bound = if is_h1 == (self.h0 < self.h1) {
            "at least"
        } else {
            "at most"
        };
        let number = if is_h1 { self.h1 } else { self.h0 };
        match self.reach {
            None => format!(
                "scores {bound} {} points more than {other}",
                words::decimals_short(number)
            ),
            Some(_) => format!(
                "wins {bound} {} % of the pairs that differ from {other}",
                percent(number)
            ),
        }
    }
}

impl StopRule {
    /// Whether the rule uses the scores. Then all games before a look must be finished, and no interval is the planned
    /// one.
    pub fn looks_at_scores(&self) -> bool {
        match self {
            Self::HalfWidth(_) | Self::Sprt(_) => true,
            Self::Minutes(_) => false,
        }
    }

    /// The test among some rules. There is at most one.
    pub fn test(rules: &[Self]) -> Option<&SprtRule> {
        rules.iter().find_map(|rule| {
            if let Self::Sprt(test) = rule {
                Some(test)
            } else {
                None
            }
        })
    }

    /// The time limit in minutes among some rules.
    pub fn minutes(rules: &[Self]) -> Option<f64> {
        rules.iter().find_map(|rule| {
            if let Self::Minutes(minutes) = rule {
                Some(*minutes)
            } else {
                None
            }
        })
    }

    /// Whether two rules are of the same kind, so that one suffices.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// `± 2 %`, `GSPRT 0 to 100 points`, `SPRT of 2048, 50 to 60 %`, `30 min`.
    pub fn label(&self) -> String {
        match self {
            Self::HalfWidth(aim) => aim.label(),
            Self::Sprt(SprtRule {
                reach: None,
                h0,
                h1,
                ..
            }) => {
                format!(
                    "GSPRT {} points",
                    [h0, h1]
                        .map(|points| words::decimals_short(*points))
                        .join(" to ")
                )
            }
            Self::Sprt(SprtRule {
                reach: Some(rank),
                h0,
                h1,
                ..
            }) => {
                format!(
                    "SPRT of {rank}, {} %",
                    [h0, h1].map(|share| percent(*share)).join(" to ")
                )
            }
            Self::Minutes(minutes) => format!("{minutes} min"),
        }
    }

    /// The first problem of rules for strategies with these names, and the place of the rule. `None` if they are valid.
    pub fn problem(
        rules: &[Self],
        names: &[String],
        have_same_tiles: bool,
    ) -> Option<(usize, StopRuleProblem)> {
        rules.iter().enumerate().find_map(|(place, rule)| {
            if rules[..place].iter().any(|earlier| earlier.is_like(rule)) {
                return Some((place, StopRuleProblem::Repeated(rule.clone())));
            }
            let Self::Sprt(rule) = rule else { return None };
            if names.len() < 2 {
                return Some((place, StopRuleProblem::OneStrategy));
            }
            if !have_same_tiles {
                return Some((place, StopRuleProblem::OtherTiles));
            }
            let against = rule
                .against
                .as_ref()
                .filter(|against| !names.contains(against))?;
            Some((place, StopRuleProblem::Against(against.clone())))
        })
    }
}

impl HalfWidth {
    /// `± 2 %`, `± 50`.
    pub fn label(self) -> String {
        match self {
            Self::Points(points) => format!("± {points}"),
            Self::Percent(percent) => format!("± {percent} %"),
        }
    }
}

impl fmt::Display for StopRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HalfWidth(HalfWidth::Points(points)) => write!(f, "half-width={points}"),
            Self::HalfWidth(HalfWidth::Percent(percent)) => write!(f, "half-width={percent}%"),
            Self::Minutes(minutes) => write!(f, "minutes={minutes}"),
            Self::Sprt(SprtRule {
                reach,
                h0,
                h1,
                alpha,
                beta,
                against,
            }) => {
                write!(f, "sprt={h0}..{h1}")?;
                reach
                    .iter()
                    .try_for_each(|rank| write!(f, ",reach={}", rank.tile()))?;
                for (name, error) in [("alpha", alpha), ("beta", beta)] {
                    if *error != USUAL_ERROR {
                        write!(f, ",{name}={error}")?;
                    }
                }
                against
                    .iter()
                    .try_for_each(|against| write!(f, ",against={against}"))
            }
        }
    }
}

impl From<StopRule> for String {
    fn from(rule: StopRule) -> Self {
        rule.to_string()
    }
}

/// Why a rule does not fit the strategies of an experiment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StopRuleProblem {
    #[error("{0}: there is already a rule of this kind; leave one out")]
    Repeated(StopRule),
    #[error("a test needs two strategies: add another one, or leave the rule out")]
    OneStrategy,
    #[error(
        "a test compares games on the same tiles, and the probability of a 4 is not the same for all: leave the rule out"
    )]
    OtherTiles,
    #[error("against: no strategy is called {}; name one of the experiment", words::quoted(.0))]
    Against(String),
}

/// Why a text is not a stop rule. Each message names the part and the remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseStopRuleError {
    #[error(
        "{} is not a rule: write half-width=50, half-width=2%, sprt=0..100 or minutes=30",
        words::quoted(.0)
    )]
    Unknown(String),
    #[error("{part}: {} is not a number", words::quoted(.text))]
    NoNumber { part: &'static str, text: String },
    #[error("half-width: {0} is not a width: write a number above 0, such as 50 or 2%")]
    HalfWidth(f64),
    #[error("minutes: {0} is not a time: write a number above 0, at most {MOST_MINUTES} (a year)")]
    Minutes(f64),
    #[error("sprt: {}: write H0..H1, such as 0..100", words::quoted(.0))]
    NoHypotheses(String),
    #[error("sprt: H0 and H1 are both {0}: write two different numbers")]
    SameHypotheses(f64),
    #[error(
        "sprt: with reach, H0 and H1 are shares of the pairs in which only one strategy reaches the tile: write \
         numbers between 0 and 1, such as 0.5..0.6"
    )]
    NoShares,
    #[error("sprt: there is no {}; after H0..H1, write reach, alpha, beta or against", words::quoted(.0))]
    UnknownPart(String),
    #[error("reach: {} is not a tile; write one such as 2048", words::quoted(.0))]
    Reach(String),
    #[error("{part}: {error} is not an error probability: write a number above 0 and below 0.5")]
    ErrorRate { part: &'static str, error: f64 },
}

impl TryFrom<String> for StopRule {
    type Error = ParseStopRuleError;

    fn try_from(text: String) -> Result<Self, ParseStopRuleError> {
        text.parse()
    }
}

impl FromStr for StopRule {
    type Err = ParseStopRuleError;

    fn from_str(text: &str) -> Result<Self, ParseStopRuleError> {
        let unknown = |text: &str| ParseStopRuleError::Unknown(text.to_owned());
        let (kind, value) = text.split_once('=').ok_or_else(|| unknown(text))?;

        match kind.trim() {
            "half-width" => {
                let (number, percent) = match value.trim().strip_suffix('%') {
                    Some(number) => (number, true),
                    None => (value, false),
                };
                let number = number_of(number, "half-width")?;
                if number <= 0.0 {
                    return Err(ParseStopRuleError::HalfWidth(number));
                }
                Ok(Self::HalfWidth(if percent {
                    HalfWidth::Percent(number)
                } else {
                    HalfWidth::Points(number)
                }))
            }
            "minutes" => {
                let minutes = number_of(value, "minutes")?;
                let is_sound = 0.0 < minutes && minutes <= MOST_MINUTES;
                is_sound
                    .then_some(Self::Minutes(minutes))
                    .ok_or(ParseStopRuleError::Minutes(minutes))
            }
            "sprt" => Ok(Self::Sprt(sprt(value)?)),
            other => Err(unknown(other)),
        }
    }
}

/// A share in percent, without the noise of binary fractions.
fn percent(share: f64) -> String {
    words::decimals_short((100.0 * share * 1e6).round() / 1e6)
}

fn number_of(text: &str, part: &'static str) -> Result<f64, ParseStopRuleError> {
    let number = text
        .trim()
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ParseStopRuleError::NoNumber {
        part,
        text: text.to_owned(),
    })
}

fn sprt(text: &str) -> Result<SprtRule, ParseStopRuleError> {
    // A name may contain anything, so it comes last.
    let (text, against) = match text.split_once(",against=") {
        Some((text, against)) => (text, Some(against.to_owned())),
        None => (text, None),
    };

    let mut parts = text.split(',');
    let range = parts.next().unwrap_or_default();
    let (h0, h1) = range
        .split_once("..")
        .ok_or_else(|| ParseStopRuleError::NoHypotheses(range.to_owned()))?;
    let mut rule = SprtRule {
        against,
        ..SprtRule::of_scores(number_of(h0, "sprt, H0")?, number_of(h1, "sprt, H1")?)
    };
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        match name.trim() {
            "alpha" => rule.alpha = number_of(value, "alpha")?,
            "beta" => rule.beta = number_of(value, "beta")?,
            "reach" => {
                let rank = value
                    .trim()
                    .parse()
                    .ok()
                    .and_then(Rank::of_tile)
                    .filter(|rank| Rank::FOUR <= *rank);
                rule.reach = Some(rank.ok_or_else(|| ParseStopRuleError::Reach(value.to_owned()))?);
            }
            other => return Err(ParseStopRuleError::UnknownPart(other.to_owned())),
        }
    }

    let SprtRule {
        reach,
        h0,
        h1,
        alpha,
        beta,
        ..
    } = rule;
    for (part, error) in [("alpha", alpha), ("beta", beta)] {
        if !(1e-9..0.5).contains(&error) {
            return Err(ParseStopRuleError::ErrorRate { part, error });
        }
    }

    let is_share = |share: f64| 0.0 < share && share < 1.0;
    match () {
        () if h0 == h1 => Err(ParseStopRuleError::SameHypotheses(h0)),
        () if reach.is_some() && !(is_share(h0) && is_share(h1)) => {
            Err(ParseStopRuleError::NoShares)
        }
        () => Ok(rule),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_they_are_read() {
        for text in [
            "half-width=2%",
            "half-width=50",
            "minutes=0.5",
            "sprt=0..100",
            "sprt=0.5..0.6,reach=2048",
            "sprt=-50..50,alpha=0.01,beta=0.2,against=a, b=c",
        ] {
            let rule: StopRule = text.parse().expect(text);
            assert_eq!(rule.to_string(), text);
        }
        let spaced: StopRule = "sprt=0 .. 100, alpha = 0.05".parse().expect("a rule");
        assert_eq!(spaced.to_string(), "sprt=0..100");
    }

    #[test]
    fn what_is_wrong_is_named_with_a_remedy() {
        for (text, part) in [
            ("2%", "write half-width=50"),
            ("width=3", "\"width\" is not a rule"),
            ("half-width=0", "above 0"),
            ("half-width=x", "half-width: \"x\" is not a number"),
            ("minutes=0", "above 0"),
            ("minutes=inf", "not a number"),
            ("sprt=5", "H0..H1"),
            ("sprt=5..5", "write two different numbers"),
            ("sprt=0..x", "sprt, H1: \"x\" is not a number"),
            ("sprt=0..1,reach=2048", "numbers between 0 and 1"),
            ("sprt=0..1,reach=7", "not a tile"),
            ("sprt=0..1,gamma=7", "there is no \"gamma\""),
            ("sprt=0..1,alpha=0", "error probability"),
            ("sprt=0..1,beta=0.5", "error probability"),
        ] {
            let problem = text.parse::<StopRule>().expect_err(text).to_string();
            assert!(problem.contains(part), "{text}: {problem}");
        }

        let rules = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| text.parse().expect("a rule"))
                .collect::<Vec<StopRule>>()
        };
        let names = ["er".to_owned(), "emr".to_owned()];
        let problem =
            |texts: &[&str], names: &[String]| StopRule::problem(&rules(texts), names, true);
        assert_eq!(
            problem(&["sprt=0..9,against=emr", "minutes=1"], &names),
            None
        );

        let apart = StopRule::problem(&rules(&["half-width=9", "sprt=0..9"]), &names, false)
            .expect("no pairs");
        assert!(apart == (1, StopRuleProblem::OtherTiles), "{apart:?}");
        assert_eq!(
            problem(&["minutes=1", "minutes=2"], &names).map(|(place, _)| place),
            Some(1)
        );
        assert!(
            problem(&["sprt=0..9"], &names[..1])
                .is_some_and(|(_, problem)| problem == StopRuleProblem::OneStrategy)
        );
        assert!(
            problem(&["sprt=0..9,against=x"], &names)
                .is_some_and(|(_, problem)| problem.to_string().contains("\"x\""))
        );
    }
}
