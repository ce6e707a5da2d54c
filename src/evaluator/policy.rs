//! The value iteration of a `Policy`, and which of its values the policy uses.

use std::fmt;

use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::EvaluatorError;
use crate::game::Size;
use crate::process::{self, ProcessSpec, SpecError, library};
use crate::ron_text::is_default;
use crate::words;

/// The value of the features of a board, by value iteration ([`crate::process`]).
///
/// In RON it is the name of a saved value iteration, `Policy("course")`, or how to learn one,
/// `Policy(games: 10000, p4: 0.2)`. The latter is learned when a strategy first plays with it. That takes a second or
/// two, and the result is always the same.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FeaturePolicy {
    pub of: ProcessOf,
    pub by: PolicyBy,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ProcessOf {
    /// The name or the path of a file.
    Kept(String),
    Learnt(ProcessSpec),
}

impl Default for ProcessOf {
    fn default() -> Self {
        Self::Learnt(ProcessSpec::USUAL)
    }
}

/// The value of a slide. The Course paper takes Σ P · V; by the counted states that plays like random play, so we also
/// read V elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum PolicyBy {
    /// The value of the features of the board after the slide.
    #[default]
    After,
    /// The value of the slide in the state before it, from the counted transitions: Σ P(s, a, s′) · V(s′).
    State,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Policy", default, deny_unknown_fields)]
struct PolicyText {
    #[serde(skip_serializing_if = "is_default")]
    name: String,
    #[serde(skip_serializing_if = "is_default")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    p4: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    rounds: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    ends: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    discount: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    by: PolicyBy,
}

impl Default for PolicyText {
    fn default() -> Self {
        let name = String::new();
        let by = PolicyBy::After;
        Self {
            name,
            games: None,
            seed: None,
            p4: None,
            rounds: None,
            ends: None,
            discount: None,
            by,
        }
    }
}

/// A policy names a learned process, and describes one to learn.
#[derive(Debug, thiserror::Error)]
#[error("the value iteration {0:?} is already learned: leave out its name or its games")]
struct NamedAndDescribed(String);

impl PolicyText {
    fn of(policy: &FeaturePolicy) -> Self {
        let by = policy.by;
        match &policy.of {
            ProcessOf::Kept(name) => Self {
                name: name.clone(),
                by,
                ..Self::default()
            },
            ProcessOf::Learnt(ProcessSpec {
                games,
                seed,
                p4,
                rounds,
                ends,
                discount,
            }) => Self {
                name: String::new(),
                games: unusual(*games, ProcessSpec::USUAL.games),
                seed: unusual(*seed, ProcessSpec::USUAL.seed),
                p4: unusual(*p4, ProcessSpec::USUAL.p4),
                rounds: unusual(*rounds, ProcessSpec::USUAL.rounds),
                ends: unusual(*ends, ProcessSpec::USUAL.ends),
                discount: unusual(*discount, ProcessSpec::USUAL.discount),
                by,
            },
        }
    }

    fn policy(self) -> Result<FeaturePolicy, NamedAndDescribed> {
        let Self {
            name,
            games,
            seed,
            p4,
            rounds,
            ends,
            discount,
            by,
        } = self;
        let usual = ProcessSpec::USUAL;
        let describes = games.or(seed).or(rounds).is_some() || p4.or(ends).or(discount).is_some();
        let process = match name.as_str() {
            "" => ProcessOf::Learnt(ProcessSpec {
                games: games.unwrap_or(usual.games),
                seed: seed.unwrap_or(usual.seed),
                p4: p4.unwrap_or(usual.p4),
                rounds: rounds.unwrap_or(usual.rounds),
                ends: ends.unwrap_or(usual.ends),
                discount: discount.unwrap_or(usual.discount),
            }),
            _ if describes => {
                return Err(NamedAndDescribed(name));
            }
            _ => ProcessOf::Kept(name),
        };

        Ok(FeaturePolicy { of: process, by })
    }
}

fn unusual<T: Copy + PartialEq>(value: T, usual: T) -> Option<T> {
    (value != usual).then_some(value)
}

impl FeaturePolicy {
    /// What follows its name on the screen: `course`, `10,000 games, by state`.
    pub fn text(&self) -> String {
        let source = match &self.of {
            ProcessOf::Kept(name) => words::one_line(name),
            ProcessOf::Learnt(spec) => format!("of {}", spec.text()),
        };
        match self.by {
            PolicyBy::After => source,
            PolicyBy::State => format!("{source}, by state"),
        }
    }

    /// Checks how it is learned, if that is yet to come.
    pub fn check_spec(&self) -> Result<(), SpecError> {
        match &self.of {
            ProcessOf::Kept(_) => Ok(()),
            ProcessOf::Learnt(spec) => spec.check(),
        }
    }

    pub(super) fn check(&self, size: Size, is_alone: bool) -> Result<(), EvaluatorError> {
        process::check_size(size)?;
        self.check_spec()?;
        if let ProcessOf::Kept(name) = &self.of {
            library::info(name)?;
        }
        match self.by {
            PolicyBy::State if !is_alone => Err(EvaluatorError::PolicyInSum),
            _ => Ok(()),
        }
    }
}

impl Serialize for FeaturePolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self {
                of: ProcessOf::Kept(name),
                by: PolicyBy::After,
            } => serializer.serialize_str(name),
            policy => PolicyText::of(policy).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for FeaturePolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrSpec)
    }
}

struct NameOrSpec;

impl<'de> Visitor<'de> for NameOrSpec {
    type Value = FeaturePolicy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the name of a value iteration in quotes, or how to learn it, such as games: 10000",
        )
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<FeaturePolicy, E> {
        Ok(FeaturePolicy {
            of: ProcessOf::Kept(name.to_owned()),
            by: PolicyBy::After,
        })
    }

    fn visit_unit<E: de::Error>(self) -> Result<FeaturePolicy, E> {
        Ok(FeaturePolicy::default())
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<FeaturePolicy, M::Error> {
        let text = PolicyText::deserialize(MapAccessDeserializer::new(map))?;
        text.policy().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;

    #[test]
    fn a_policy_reads_back_as_it_is_written() {
        let spec = ProcessSpec {
            games: 300,
            p4: 0.2,
            ends: 0.0,
            discount: 0.99,
            ..ProcessSpec::USUAL
        };
        for (policy, text) in [
            (
                FeaturePolicy {
                    of: ProcessOf::Kept("course".to_owned()),
                    by: PolicyBy::After,
                },
                "Policy(\"course\")",
            ),
            (
                FeaturePolicy {
                    of: ProcessOf::Kept("course".to_owned()),
                    by: PolicyBy::State,
                },
                "Policy(name: \"course\", by: State)",
            ),
            (FeaturePolicy::default(), "Policy()"),
            (
                FeaturePolicy {
                    of: ProcessOf::Learnt(spec),
                    by: PolicyBy::State,
                },
                "Policy(games: 300, p4: 0.2, ends: 0.0, discount: 0.99, by: State)",
            ),
        ] {
            let evaluator = Evaluator::Policy(policy);
            assert_eq!(evaluator.to_string(), text);
            assert_eq!(text.parse(), Ok(evaluator));
        }
        assert_eq!(
            "Policy(name: \"x\")"
                .parse::<Evaluator>()
                .map(|read| read.to_string())
                .as_deref(),
            Ok("Policy(\"x\")")
        );
    }

    #[test]
    fn what_cannot_be_a_policy_gets_one_sentence() {
        let refused = |text: &str| {
            let read = text.parse::<Evaluator>().map_err(|error| error.to_string());
            read.and_then(|evaluator| {
                evaluator
                    .check(Size::FOUR)
                    .map_err(|error| error.to_string())
            })
            .expect_err(text)
        };

        for (text, words) in [
            ("Policy(name: \"x\", games: 3)", "is already learned"),
            ("Policy(game: 3)", "games"),
            ("Policy(3)", "the name of a value iteration"),
            ("Policy(games: 0)", "write 1 to 10,000,000 games"),
            ("Policy(rounds: 0)", "write 1 to 100"),
            ("Policy(p4: 2.0)", "not a probability"),
            ("Policy(ends: -1.0)", "not a count"),
            ("Policy(discount: 0.0)", "not possible"),
            (
                "Policy(\"not here\")",
                "make it with afterstate process --out not here",
            ),
            ("Sum([(1.0, Policy(by: State))])", "alone"),
        ] {
            let error = refused(text);
            assert!(error.contains(words), "{text}: {error}");
        }

        let size = "3x3".parse().expect("a size");
        let error = Evaluator::Policy(FeaturePolicy::default())
            .check(size)
            .expect_err("3x3")
            .to_string();
        assert!(error.contains("4x4"), "{error}");
    }
}
