//! Searches by sampling as data: what one sample is, how many are drawn, and when to stop early.

use serde::{Deserialize, Serialize};

use crate::evaluator::Evaluator;
use crate::game::Rank;
use crate::ron_text::is_default;
use crate::search::{LookaheadError, Plies, layers};
use crate::words;

/// A search whose values are means of samples.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampled {
    pub method: Method,
    /// Maximum number of samples: of each move, or in total where a tree grows. The default is
    /// [`Method::usual_samples`], or as many as a limit in time or nodes allows.
    pub samples: Option<u64>,
    /// Limit in visited positions. Only where a tree grows.
    pub nodes: Option<u64>,
    /// Time limit in milliseconds. Not reproducible.
    pub time_ms: Option<u64>,
    /// Ends before its limits once it is sure of the best move. The unit is the certainty of this many standard errors
    /// at a single look: the chance that it ever stops at a move that is not better than all others is at most that of
    /// a normal number this far from its mean, 4.6 % at 2, 0.27 % at 3. This holds over all looks and all moves
    /// together. Each other move is compared with the best by a confidence sequence of their paired differences
    /// (Waudby-Smith and others 2021) from fifty differences on, which assumes finite variance; shares that reach a
    /// tile are compared by an exact one. Not for a tree, whose means have no known error.
    pub sure_by: Option<f64>,
    /// All draws of the samples depend only on this and on the board.
    pub seed: u64,
}

/// What is sampled, and where.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// Every legal move gets the same number of playouts with the same draws.
    Flat(Playout),
    /// Every legal move gets the same number of depth-limited searches in which one spawn per ply was drawn in advance.
    /// Rodgers and Levine 2014 average searches of limited depth.
    Averaged { plies: Plies },
    /// Monte Carlo tree search: UCT, with a playout from where the tree ends.
    Tree(Growth),
}

/// How a tree grows.
#[derive(Clone, PartialEq, Debug)]
pub struct Growth {
    pub nodes_by: NodesBy,
    /// c of UCB, in units of the standard deviation of the results below a node.
    pub exploration: f64,
    pub playout: Playout,
}

/// What a node of a growing tree represents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum NodesBy {
    /// A board: spawns have their own nodes.
    #[default]
    ClosedLoop,
    /// The moves that led there, whatever spawns came in between.
    OpenLoop,
}

/// A game from a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Playout {
    pub policy: Policy,
    pub until: Until,
    pub of: Worth,
}

/// The policy that makes the moves of a playout.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Policy {
    /// Uniformly random legal moves.
    #[default]
    Random,
    /// A strategy as letters, `"emr"`, or as the RON text of one that does not sample itself.
    Strategy(String),
}

/// Where a playout ends if the game does not end before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Until {
    #[default]
    End,
    /// After this many moves of the policy.
    Moves(u32),
}

/// The value of the last position of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Worth {
    /// The value of the row's evaluator.
    #[default]
    Evaluator,
    /// The score of the game, whatever the evaluator of the row.
    Score,
    /// 1 if the position has a tile at least this large, otherwise 0. The mean is the share of playouts that reach the
    /// tile.
    Reach(u64),
}

impl Playout {
    fn text(&self) -> String {
        let by = match &self.policy {
            Policy::Random => "random".to_owned(),
            Policy::Strategy(text) if text.len() < 12 => text.clone(),
            Policy::Strategy(_) => "a strategy's".to_owned(),
        };
        match self.until {
            Until::End => format!("{by} playouts to the end"),
            Until::Moves(moves) => format!(
                "{by} playouts of {}",
                words::plural(u64::from(moves), "move")
            ),
        }
    }

    fn check(&self) -> Result<(), LookaheadError> {
        match (self.until, self.of) {
            (Until::Moves(0), _) => Err(LookaheadError::NoPlayoutMoves),
            (_, Worth::Reach(tile)) if tile < 4 || Rank::of_tile(tile).is_none() => {
                Err(LookaheadError::NoSuchTile { tile })
            }
            _ => Ok(()),
        }
    }
}

impl Method {
    /// The default number of samples.
    pub const fn usual_samples(&self) -> u64 {
        match self {
            Self::Flat(_) => 200,
            Self::Averaged { .. } => 100,
            Self::Tree(_) => 1000,
        }
    }

    pub const fn playout(&self) -> Option<&Playout> {
        match self {
            Self::Flat(playout) | Self::Tree(Growth { playout, .. }) => Some(playout),
            Self::Averaged { .. } => None,
        }
    }

    pub const fn playout_mut(&mut self) -> Option<&mut Playout> {
        match self {
            Self::Flat(playout) | Self::Tree(Growth { playout, .. }) => Some(playout),
            Self::Averaged { .. } => None,
        }
    }
}

impl Sampled {
    /// Maximum number of samples: a minute of flat random playouts.
    pub const MOST_SAMPLES: u64 = 10_000_000;

    /// The default plies of each averaged search: three moves and the spawns between them.
    pub const USUAL_PLIES: u32 = 5;

    pub const fn of(method: Method) -> Self {
        Self {
            method,
            samples: None,
            nodes: None,
            time_ms: None,
            sure_by: None,
            seed: 0,
        }
    }

    pub fn flat() -> Self {
        Self::of(Method::Flat(Playout::default()))
    }

    pub const fn averaged() -> Self {
        Self::of(Method::Averaged {
            plies: Plies::Fixed(Self::USUAL_PLIES),
        })
    }

    pub fn tree() -> Self {
        Self::of(Method::Tree(Growth::default()))
    }

    /// The name in RON.
    pub const fn name(&self) -> &'static str {
        match self.method {
            Method::Flat(_) => "MonteCarlo",
            Method::Averaged { .. } => "AveragedSearch",
            Method::Tree(_) => "Mcts",
        }
    }

    /// The name in sentences.
    pub const fn spoken(&self) -> &'static str {
        match self.method {
            Method::Flat(_) => "Monte Carlo",
            Method::Averaged { .. } => "Averaged search",
            Method::Tree(_) => "MCTS",
        }
    }

    /// The word for one sample in sentences.
    pub const fn sample_word(&self) -> &'static str {
        match self.method {
            Method::Averaged { .. } => "search",
            Method::Flat(_) | Method::Tree(_) => "playout",
        }
    }

    /// `1,200 playouts`, `1 search`.
    pub fn count_text(&self, samples: u64) -> String {
        match (self.sample_word(), samples) {
            ("search", 1) => "1 search".to_owned(),
            ("search", _) => format!("{} searches", words::count(samples)),
            (word, _) => words::plural(samples, word),
        }
    }

    /// What the means are means of, in a row with this evaluator.
    pub fn subject(&self, evaluator: &Evaluator) -> String {
        match self.method.playout().map(|playout| playout.of) {
            Some(Worth::Score) => "Score".to_owned(),
            Some(Worth::Reach(tile)) => format!("reaching {tile}"),
            Some(Worth::Evaluator) | None => evaluator.label(),
        }
    }

    /// Whether the evaluator of the row is used at all.
    pub fn asks_evaluator(&self) -> bool {
        self.method
            .playout()
            .is_none_or(|playout| playout.of == Worth::Evaluator)
    }

    pub fn most_samples(&self) -> u64 {
        let is_limited = self.time_ms.is_some() || self.nodes.is_some();
        self.samples.unwrap_or(if is_limited {
            Self::MOST_SAMPLES
        } else {
            self.method.usual_samples()
        })
    }

    /// A description: `200 random playouts to the end for each move`.
    pub fn text(&self) -> String {
        let time = self.time_ms.map(|time| format!("{time} ms"));
        let limits: Vec<String> = time
            .into_iter()
            .chain(self.nodes.map(|nodes| words::plural(nodes, "node")))
            .collect();
        let count = if limits.is_empty() {
            words::count(self.most_samples()) + " "
        } else {
            String::new()
        };
        let mut text = match &self.method {
            Method::Flat(playout) => format!("{count}{} for each move", playout.text()),
            Method::Averaged {
                plies: Plies::Fixed(plies),
            } => {
                format!("{count}searches of {} for each move", layers(*plies))
            }
            Method::Averaged { plies } => {
                format!("{count}searches of {} for each move", plies.text())
            }
            Method::Tree(growth) => {
                let tree = match growth.nodes_by {
                    NodesBy::ClosedLoop => "a tree of boards",
                    NodesBy::OpenLoop => "a tree of moves",
                };
                format!("{count}{} from {tree}", growth.playout.text())
            }
        };

        if !limits.is_empty() {
            text += &format!(", for {}", words::list(&limits));
            text += &self
                .samples
                .map(|most| format!(", at most {}", words::count(most)))
                .unwrap_or_default();
        }
        if let Some(errors) = self.sure_by {
            text += &format!(
                ", or until the best leads by {} standard errors",
                words::decimals_short(errors)
            );
        }

        text
    }

    pub(super) fn check(&self) -> Result<(), LookaheadError> {
        match *self {
            Self {
                samples: Some(0), ..
            } => {
                return Err(LookaheadError::NoSamples {
                    name: self.samples_field(),
                });
            }
            Self {
                samples: Some(samples),
                ..
            } if Self::MOST_SAMPLES < samples => {
                return Err(LookaheadError::TooManySamples {
                    name: self.samples_field(),
                    samples,
                });
            }
            Self { nodes: Some(0), .. } => return Err(LookaheadError::NoNodes),
            Self {
                time_ms: Some(0), ..
            } => return Err(LookaheadError::NoTime),
            Self {
                method: Method::Tree(_),
                sure_by: Some(_),
                ..
            } => return Err(LookaheadError::SureByOfTree),
            Self {
                sure_by: Some(errors),
                ..
            } if !(errors.is_finite() && 0.0 < errors) => {
                return Err(LookaheadError::SureBy { errors });
            }
            _ => {}
        }
        match &self.method {
            Method::Flat(playout) => playout.check(),
            Method::Averaged { plies } => plies.check(),
            Method::Tree(Growth { exploration, .. })
                if !(exploration.is_finite() && 0.0 <= *exploration) =>
            {
                Err(LookaheadError::Exploration {
                    exploration: *exploration,
                })
            }
            Method::Tree(growth) => growth.playout.check(),
        }
    }

    /// The RON field with the number of samples.
    const fn samples_field(&self) -> &'static str {
        match self.method {
            Method::Averaged { .. } => "searches",
            Method::Flat(_) | Method::Tree(_) => "playouts",
        }
    }

    /// Whether the value of a move depends on the other requested moves: if a tree grows for all of them together, or
    /// if sampling waits for the second best.
    pub(super) const fn minds_the_others(&self) -> bool {
        matches!(self.method, Method::Tree(_)) || self.sure_by.is_some() || self.time_ms.is_some()
    }
}

impl Default for Growth {
    fn default() -> Self {
        Self {
            nodes_by: NodesBy::ClosedLoop,
            exploration: Self::USUAL_EXPLORATION,
            playout: Playout::default(),
        }
    }
}

impl Growth {
    /// The factor of UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002), which also uses the deviation of the results as
    /// its unit.
    pub const USUAL_EXPLORATION: f64 = 1.0;
}

/// `MonteCarlo(…)` in RON.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename = "MonteCarlo", default, deny_unknown_fields)]
pub(super) struct MonteCarloText {
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    policy: Policy,
    #[serde(skip_serializing_if = "is_default")]
    until: Until,
    #[serde(skip_serializing_if = "is_default")]
    of: Worth,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure_by: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    seed: u64,
}

/// `AveragedSearch(…)` in RON.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename = "AveragedSearch", default, deny_unknown_fields)]
pub(super) struct AveragedText {
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Plies>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure_by: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    seed: u64,
}

/// `Mcts(…)` in RON.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename = "Mcts", default, deny_unknown_fields)]
pub(super) struct MctsText {
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<u64>,
    #[serde(skip_serializing_if = "is_default")]
    tree: NodesBy,
    #[serde(skip_serializing_if = "Option::is_none")]
    exploration: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    policy: Policy,
    #[serde(skip_serializing_if = "is_default")]
    until: Until,
    #[serde(skip_serializing_if = "is_default")]
    of: Worth,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sure_by: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    seed: u64,
}

impl From<MonteCarloText> for Sampled {
    fn from(text: MonteCarloText) -> Self {
        let MonteCarloText {
            playouts,
            policy,
            until,
            of,
            time_ms,
            sure_by,
            seed,
        } = text;
        let method = Method::Flat(Playout { policy, until, of });
        Self {
            samples: playouts,
            time_ms,
            sure_by,
            seed,
            ..Self::of(method)
        }
    }
}

impl From<AveragedText> for Sampled {
    fn from(text: AveragedText) -> Self {
        let AveragedText {
            searches,
            plies,
            time_ms,
            sure_by,
            seed,
        } = text;
        let method = Method::Averaged {
            plies: plies.unwrap_or(Plies::Fixed(Self::USUAL_PLIES)),
        };
        Self {
            samples: searches,
            time_ms,
            sure_by,
            seed,
            ..Self::of(method)
        }
    }
}

impl From<MctsText> for Sampled {
    fn from(text: MctsText) -> Self {
        let MctsText {
            playouts,
            tree,
            exploration,
            policy,
            until,
            of,
            nodes,
            time_ms,
            sure_by,
            seed,
        } = text;
        let playout = Playout { policy, until, of };
        let exploration = exploration.unwrap_or(Growth::USUAL_EXPLORATION);
        let method = Method::Tree(Growth {
            nodes_by: tree,
            exploration,
            playout,
        });
        Self {
            samples: playouts,
            nodes,
            time_ms,
            sure_by,
            seed,
            ..Self::of(method)
        }
    }
}

/// The RON text of any search by sampling.
pub(super) enum SampledText {
    MonteCarlo(MonteCarloText),
    Averaged(AveragedText),
    Mcts(MctsText),
}

impl From<Sampled> for SampledText {
    fn from(sampled: Sampled) -> Self {
        let Sampled {
            method,
            samples,
            nodes,
            time_ms,
            sure_by,
            seed,
        } = sampled;
        match method {
            Method::Flat(Playout { policy, until, of }) => Self::MonteCarlo(MonteCarloText {
                playouts: samples,
                policy,
                until,
                of,
                time_ms,
                sure_by,
                seed,
            }),
            Method::Averaged { plies } => {
                let plies =
                    Some(plies).filter(|plies| *plies != Plies::Fixed(Sampled::USUAL_PLIES));
                Self::Averaged(AveragedText {
                    searches: samples,
                    plies,
                    time_ms,
                    sure_by,
                    seed,
                })
            }
            Method::Tree(Growth {
                nodes_by: tree,
                exploration,
                playout: Playout { policy, until, of },
            }) => {
                let exploration = Some(exploration).filter(|&c| c != Growth::USUAL_EXPLORATION);
                let playouts = samples;
                Self::Mcts(MctsText {
                    playouts,
                    tree,
                    exploration,
                    policy,
                    until,
                    of,
                    nodes,
                    time_ms,
                    sure_by,
                    seed,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::evaluator::Evaluator;
    use crate::game::Size;
    use crate::search::Lookahead;

    #[test]
    fn texts_are_those_of_the_documentation() {
        for text in [
            "MonteCarlo()",
            "MonteCarlo(playouts: 100, until: Moves(20), of: Score)",
            "MonteCarlo(playouts: 2000, policy: Strategy(\"emr\"), of: Reach(2048), sure_by: 2.0)",
            "MonteCarlo(time_ms: 50, seed: 7)",
            "AveragedSearch()",
            "AveragedSearch(searches: 20, plies: Fixed(7))",
            "AveragedSearch(plies: ByEmpty([(8, 3), (0, 5)]), sure_by: 3.0)",
            "Mcts()",
            "Mcts(playouts: 500, tree: OpenLoop, exploration: 0.5, until: Moves(10))",
            "Mcts(nodes: 100000)",
            "Mcts(time_ms: 20)",
        ] {
            let lookahead: Lookahead = text.parse().expect(text);
            assert_eq!(lookahead.to_string(), text);
            assert_eq!(lookahead.check(Size::FOUR), Ok(()), "{text}");
            assert!(
                lookahead.plies().is_none()
                    && lookahead.sampled().is_some()
                    && !lookahead.is_minimax()
            );
            assert_eq!(
                lookahead.is_reproducible(),
                !text.contains("time_ms"),
                "{text}"
            );
        }

        let spelt_out = "MonteCarlo(playouts: 200, policy: Random, until: End, of: Evaluator)";
        let lookahead: Lookahead = spelt_out.parse().expect("as in the documentation");
        assert_eq!(lookahead.to_string(), "MonteCarlo(playouts: 200)");
    }

    #[test]
    fn what_cannot_be_sampled_is_refused() {
        for (text, reason) in [
            ("MonteCarlo(playouts: 0)", "playouts is 0"),
            ("Mcts(playouts: 20000000)", "at most 10,000,000"),
            ("AveragedSearch(searches: 0)", "searches is 0"),
            ("AveragedSearch(plies: Fixed(0))", "0 plies"),
            ("MonteCarlo(until: Moves(0))", "Moves(0)"),
            ("MonteCarlo(of: Reach(1000))", "Reach(1000)"),
            ("MonteCarlo(of: Reach(2))", "Reach(2)"),
            ("Mcts(exploration: -1)", "exploration is -1"),
            ("Mcts(exploration: NaN)", "exploration is NaN"),
            ("MonteCarlo(sure_by: 0)", "sure_by is 0"),
            ("Mcts(sure_by: 2)", "cannot use sure_by"),
            ("Mcts(playouts: 500, sure_by: 0)", "cannot use sure_by"),
            ("Mcts(nodes: 0)", "nodes is 0"),
            ("MonteCarlo(time_ms: 0)", "time_ms is 0"),
        ] {
            let error = text
                .parse::<Lookahead>()
                .expect(text)
                .check(Size::FOUR)
                .expect_err(text)
                .to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for text in [
            "MonteCarlo(playout: 5)",
            "Mcts(tree: Closed)",
            "MonteCarlo(nodes: 7)",
            "AveragedSearch(until: End)",
        ] {
            assert!(text.parse::<Lookahead>().is_err(), "{text}");
        }
    }

    #[test]
    fn labels_say_what_is_averaged_and_how() {
        for (text, label, depth) in [
            (
                "MonteCarlo()",
                "Monte Carlo of Empty",
                "200 random playouts to the end for each move",
            ),
            (
                "MonteCarlo(policy: Strategy(\"emr\"), of: Reach(2048), until: Moves(1))",
                "Monte Carlo of reaching 2048",
                "200 emr playouts of 1 move for each move",
            ),
            (
                "Mcts(of: Score)",
                "MCTS of Score",
                "1,000 random playouts to the end from a tree of boards",
            ),
            (
                "Mcts(nodes: 5000, tree: OpenLoop)",
                "MCTS of Empty",
                "random playouts to the end from a tree of moves, for 5,000 nodes",
            ),
            (
                "AveragedSearch(sure_by: 2)",
                "Averaged search of Empty",
                "100 searches of 3 moves + 2 spawns for each move, or until the best leads by 2 standard errors",
            ),
        ] {
            let lookahead: Lookahead = text.parse().expect(text);
            assert_eq!(
                (
                    lookahead.label(&Evaluator::Empty).as_str(),
                    lookahead.depth_text().as_str()
                ),
                (label, depth)
            );
        }
    }
}
