//! Lookaheads as data: the depth of a criterion, its rules for spawns and dead boards, and its cuts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::evaluator::{Evaluator, EvaluatorError, Weights};
use crate::game::{Rank, Size};
use crate::ron_text::{self, Mistake, is_default};
use crate::words;

use super::depth::Plies;
use super::sampled::{AveragedText, MctsText, Method, MonteCarloText, Sampled, SampledText};

/// How an evaluator becomes a value of each legal move.
///
/// ```
/// # use afterstate_engine::search::{DepthLimited, Lookahead, Plies, SpawnValue};
/// let lookahead: Lookahead = "Minimax(plies: Fixed(4))".parse()?;
/// let search = DepthLimited { plies: Some(Plies::Fixed(4)), spawn: SpawnValue::Min, ..DepthLimited::default() };
/// assert_eq!(lookahead, Lookahead::DepthLimited(search));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "LookaheadText", into = "LookaheadText")]
pub enum Lookahead {
    /// The evaluator's value of the afterstate itself: one slide, no spawn.
    #[default]
    OnePly,
    /// All slides and spawns up to a depth: an expectimax or a minimax, depending on the value of its spawn nodes.
    DepthLimited(DepthLimited),
    /// Means of samples: playouts, a tree that grows by playouts, or searches with spawns drawn in advance.
    Sampled(Box<Sampled>),
}

/// A search of all slides and spawns up to a depth. At the player's turns the best slide counts.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(rename = "Expectimax", default, deny_unknown_fields)]
pub struct DepthLimited {
    /// The depth. The default is [`Plies::default`], or as deep as a limit in time or nodes allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<Plies>,
    #[serde(skip_serializing_if = "is_default")]
    pub spawn: SpawnValue,
    #[serde(skip_serializing_if = "is_default")]
    pub dead: Dead,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<Cut>,
    /// Deepens one ply at a time within this time in milliseconds, up to `plies`. Not reproducible. The depth is found
    /// in that time without a record, and the search is then repeated for the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Deepens one ply at a time until this many nodes are searched, up to `plies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Boards whose largest tile is at least this are searched with halved tiles; see [`Lookahead::downgraded`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub downgrade: Option<u64>,
}

/// A lookahead in RON: the name of the variant is the kind of search.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename = "Lookahead")]
enum LookaheadText {
    OnePly,
    Expectimax(DepthLimited),
    Minimax(#[serde(with = "MinimaxText")] DepthLimited),
    MonteCarlo(MonteCarloText),
    AveragedSearch(AveragedText),
    Mcts(MctsText),
}

/// A minimax, which has only one value of spawn nodes.
#[derive(Serialize, Deserialize)]
#[serde(
    remote = "DepthLimited",
    rename = "Minimax",
    default = "DepthLimited::minimax",
    deny_unknown_fields
)]
struct MinimaxText {
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Plies>,
    #[serde(skip)]
    spawn: SpawnValue,
    #[serde(skip_serializing_if = "is_default")]
    dead: Dead,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<Cut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    downgrade: Option<u64>,
}

impl From<LookaheadText> for Lookahead {
    fn from(text: LookaheadText) -> Self {
        match text {
            LookaheadText::OnePly => Self::OnePly,
            LookaheadText::Expectimax(search) | LookaheadText::Minimax(search) => {
                Self::DepthLimited(search)
            }
            LookaheadText::MonteCarlo(text) => Self::Sampled(Box::new(text.into())),
            LookaheadText::AveragedSearch(text) => Self::Sampled(Box::new(text.into())),
            LookaheadText::Mcts(text) => Self::Sampled(Box::new(text.into())),
        }
    }
}

impl From<Lookahead> for LookaheadText {
    fn from(lookahead: Lookahead) -> Self {
        match lookahead {
            Lookahead::OnePly => Self::OnePly,
            Lookahead::DepthLimited(search) if search.spawn == SpawnValue::Min => {
                Self::Minimax(search)
            }
            Lookahead::DepthLimited(search) => Self::Expectimax(search),
            Lookahead::Sampled(sampled) => match SampledText::from(*sampled) {
                SampledText::MonteCarlo(text) => Self::MonteCarlo(text),
                SampledText::Averaged(text) => Self::AveragedSearch(text),
                SampledText::Mcts(text) => Self::Mcts(text),
            },
        }
    }
}

/// The value of a spawn node. [`SpawnValue::Min`] makes a minimax, the others an expectimax.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum SpawnValue {
    /// The mean over empty cells of the mean over 2 and 4.
    #[default]
    Mean,
    /// The sum over empty cells of the mean over 2 and 4, as in the Tutorial's pseudocode.
    Sum,
    /// The least over empty cells of the mean over 2 and 4. Course paper.
    MinCell,
    /// The mean over 2 and 4 of the least over empty cells: the tile is drawn, then it comes where it hurts most. The
    /// Course paper has chance nodes and an opponent, and does not say which of them comes first.
    MeanOfMin,
    #[serde(skip)]
    Min,
}

/// The value of a board without a legal slide, with or without plies left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Dead {
    #[default]
    Evaluate,
    /// 0. If all slides of a board are worth less, the board is worth 0 as well. Tutorial, Xiao.
    Zero,
    /// [`Dead::LOST`], whatever the evaluator says. ovolve.
    Lost,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Cut {
    /// Cuts branches that cannot change the choice at the root, by bounds on the values. Only for minimax.
    AlphaBeta,
    /// Afterstates with a reach probability below this are evaluated without search. Xiao: 0.0001.
    Reach(f64),
    /// Spawns are considered only on the min(levels left, empty cells, k) empty cells of largest weight; equal weights
    /// count in reading order. Levels left is half the plies left at the spawn, including the spawn, rounded up. Course
    /// paper, with the weights of the snake.
    ImportantCells {
        #[serde(default = "course_k")]
        k: u32,
        #[serde(default = "course_weights")]
        weights: Weights,
    },
    /// Considers only the spawns with the largest islands − smoothness, where islands are groups of adjacent equal
    /// tiles and smoothness is [`Evaluator::RankSmoothness`]: the opponent of a minimax chooses among what looks worst.
    /// ovolve.
    WorstSpawns,
}

impl Dead {
    /// Lower than the value of any board in evaluators that count in ranks.
    pub const LOST: f64 = -10_000.0;

    /// The value at which the maximum over slides starts.
    #[inline(always)]
    pub(super) const fn least_of_slides(self) -> f64 {
        match self {
            Self::Evaluate | Self::Lost => f64::NEG_INFINITY,
            Self::Zero => 0.0,
        }
    }
}

impl Cut {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AlphaBeta => "AlphaBeta",
            Self::Reach(_) => "Reach",
            Self::ImportantCells { .. } => "ImportantCells",
            Self::WorstSpawns => "WorstSpawns",
        }
    }

    /// A short description: `reach ≥ 0.01`.
    pub fn text(&self) -> String {
        match self {
            Self::AlphaBeta => "alpha-beta".to_owned(),
            Self::Reach(threshold) => format!("reach ≥ {}", words::small_probability(*threshold)),
            Self::ImportantCells { k, .. } => format!("at most {k} important cells"),
            Self::WorstSpawns => "worst spawns".to_owned(),
        }
    }
}

fn course_k() -> u32 {
    4
}

/// Section III.C prunes with the snake-shaped matrix.
fn course_weights() -> Weights {
    Weights::C
}

impl DepthLimited {
    pub fn minimax() -> Self {
        Self {
            spawn: SpawnValue::Min,
            ..Self::default()
        }
    }
}

impl Lookahead {
    /// The name in RON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::OnePly => "OnePly",
            Self::DepthLimited(DepthLimited {
                spawn: SpawnValue::Min,
                ..
            }) => "Minimax",
            Self::DepthLimited(_) => "Expectimax",
            Self::Sampled(sampled) => sampled.name(),
        }
    }

    /// The name in sentences.
    pub const fn spoken(&self) -> &'static str {
        match self {
            Self::OnePly => "One ply",
            Self::DepthLimited(_) => self.name(),
            Self::Sampled(sampled) => sampled.spoken(),
        }
    }

    pub const fn depth_limited(&self) -> Option<&DepthLimited> {
        match self {
            Self::DepthLimited(search) => Some(search),
            Self::OnePly | Self::Sampled(_) => None,
        }
    }

    pub const fn depth_limited_mut(&mut self) -> Option<&mut DepthLimited> {
        match self {
            Self::DepthLimited(search) => Some(search),
            Self::OnePly | Self::Sampled(_) => None,
        }
    }

    pub const fn sampled(&self) -> Option<&Sampled> {
        match self {
            Self::Sampled(sampled) => Some(sampled),
            Self::OnePly | Self::DepthLimited(_) => None,
        }
    }

    pub const fn sampled_mut(&mut self) -> Option<&mut Sampled> {
        match self {
            Self::Sampled(sampled) => Some(sampled),
            Self::OnePly | Self::DepthLimited(_) => None,
        }
    }

    /// Whether it searches beyond the afterstate, so that a move takes more than a microsecond.
    pub const fn searches(&self) -> bool {
        !matches!(self, Self::OnePly)
    }

    /// Whether the worst spawn counts at its spawn nodes.
    pub const fn is_minimax(&self) -> bool {
        matches!(
            self,
            Self::DepthLimited(DepthLimited {
                spawn: SpawnValue::Min,
                ..
            })
        )
    }

    /// Whether bounds cut branches. Alpha-beta is only for minimax.
    pub fn has_window(&self) -> bool {
        self.is_minimax() && self.cuts().contains(&Cut::AlphaBeta)
    }

    pub fn cuts(&self) -> &[Cut] {
        self.depth_limited().map_or(&[], |search| &search.cuts)
    }

    pub fn threshold(&self) -> Option<f64> {
        self.cuts().iter().find_map(|cut| match cut {
            Cut::Reach(threshold) => Some(*threshold),
            _ => None,
        })
    }

    pub fn dead(&self) -> Dead {
        self.depth_limited()
            .map_or(Dead::Evaluate, |search| search.dead)
    }

    /// Whether it deepens ply by ply until it reaches a limit.
    pub fn deepens(&self) -> bool {
        self.depth_limited()
            .is_some_and(|search| search.time_ms.or(search.nodes).is_some())
    }

    /// Whether the value of a move depends on the other requested moves.
    pub fn minds_the_others(&self) -> bool {
        self.deepens() || self.sampled().is_some_and(Sampled::minds_the_others)
    }

    /// The depth. `None` for one ply and for sampling.
    pub fn plies(&self) -> Option<&Plies> {
        let unsaid = if self.deepens() {
            &Plies::Fixed(Plies::DEEPEST)
        } else {
            &Plies::Fixed(Plies::USUAL)
        };
        Some(self.depth_limited()?.plies.as_ref().unwrap_or(unsaid))
    }

    /// Whether the evaluator only gets boards after a slide, except for dead boards and cuts.
    pub fn ends_with_a_slide(&self) -> bool {
        let plies = match self {
            Self::OnePly => return true,
            // A playout ends with a spawn, but its value may not come from the evaluator.
            Self::Sampled(sampled) => match &sampled.method {
                Method::Averaged { plies } => plies,
                _ => return !sampled.asks_evaluator(),
            },
            Self::DepthLimited(_) => self.plies().unwrap_or(&Plies::Fixed(Plies::USUAL)),
        };
        let all_odd = match plies {
            Plies::Fixed(plies) => plies % 2 == 1,
            Plies::ByEmpty(steps) => steps.iter().all(|(_, plies)| plies % 2 == 1),
            // Each is 2d + 1 plies.
            Plies::ByDistinct { .. } => true,
        };
        all_odd && !self.deepens()
    }

    /// The name of a search of an evaluator: `Empty`, `Expectimax of Empty`.
    pub fn label(&self, evaluator: &Evaluator) -> String {
        match self {
            Self::OnePly => evaluator.label(),
            Self::DepthLimited(_) => format!("{} of {}", self.name(), evaluator.label()),
            Self::Sampled(sampled) => {
                format!("{} of {}", sampled.spoken(), sampled.subject(evaluator))
            }
        }
    }

    /// The depth in layers (`2 moves + 2 spawns`), or a description of the samples.
    pub fn depth_text(&self) -> String {
        let search = match self {
            Self::OnePly => return "one ply".to_owned(),
            Self::DepthLimited(search) => search,
            Self::Sampled(sampled) => return sampled.text(),
        };
        let halved = search
            .downgrade
            .map(|tile| format!(", halved from {tile}"))
            .unwrap_or_default();
        if !self.deepens() {
            return self.plies().map_or_else(String::new, Plies::text) + &halved;
        }
        let limits = self.limits_text().unwrap_or_default();
        let at_most = search
            .plies
            .as_ref()
            .map(|plies| format!(", at most {}", plies.text()))
            .unwrap_or_default();
        format!("as deep as {limits} allow{at_most}{halved}")
    }

    /// The limits of a search that deepens: `200 ms`, `200 ms and 5,000 nodes`. `None` for others.
    pub fn limits_text(&self) -> Option<String> {
        let search = self.depth_limited().filter(|_| self.deepens())?;
        let time = search.time_ms.map(|time| format!("{time} ms"));
        let limits = time
            .into_iter()
            .chain(search.nodes.map(|nodes| words::plural(nodes, "node")));
        Some(words::list(&limits.collect::<Vec<String>>()))
    }

    /// The same depth, limits and cuts with the other kind of spawn nodes: expectimax becomes minimax and back. A
    /// minimax gets alpha-beta, which changes no choice; an expectimax loses it. Other lookaheads become an expectimax
    /// of the default depth.
    pub fn twin(&self) -> Self {
        let mut twin = self.without_alpha_beta();
        let Some(search) = twin.depth_limited_mut() else {
            return Self::DepthLimited(DepthLimited::default());
        };
        search.spawn = if self.is_minimax() {
            SpawnValue::Mean
        } else {
            SpawnValue::Min
        };
        // The worst spawns are a choice of the opponent; a mean over them has no meaning.
        search.cuts.retain(|cut| *cut != Cut::WorstSpawns);
        if search.spawn == SpawnValue::Min {
            search.cuts.insert(0, Cut::AlphaBeta);
        }
        twin
    }

    /// The lookahead without alpha-beta.
    #[must_use]
    pub fn without_alpha_beta(&self) -> Self {
        let mut lookahead = self.clone();
        if let Some(search) = lookahead.depth_limited_mut() {
            search.cuts.retain(|cut| *cut != Cut::AlphaBeta);
        }
        lookahead
    }

    /// Whether the same board always gets the same values. A time limit cannot promise that.
    pub fn is_reproducible(&self) -> bool {
        match self {
            Self::OnePly => true,
            Self::DepthLimited(search) => search.time_ms.is_none(),
            Self::Sampled(sampled) => sampled.time_ms.is_none(),
        }
    }

    /// Checks the lookahead for boards of this size.
    pub fn check(&self, size: Size) -> Result<(), LookaheadError> {
        let search = match self {
            Self::OnePly => return Ok(()),
            Self::DepthLimited(search) => search,
            Self::Sampled(sampled) => return sampled.check(),
        };
        self.plies().map_or(Ok(()), Plies::check)?;
        match search {
            DepthLimited {
                time_ms: Some(0), ..
            } => return Err(LookaheadError::NoTime),
            DepthLimited { nodes: Some(0), .. } => return Err(LookaheadError::NoNodes),
            DepthLimited {
                downgrade: Some(tile),
                ..
            } if Rank::of_tile(*tile).is_none_or(|rank| rank < Rank::FOUR) => {
                return Err(LookaheadError::NotDowngraded { tile: *tile });
            }
            _ => {}
        }

        for cut in &search.cuts {
            match cut {
                Cut::Reach(threshold) if !(0.0..=1.0).contains(threshold) => {
                    return Err(LookaheadError::NoProbability {
                        threshold: *threshold,
                    });
                }
                Cut::ImportantCells { k: 0, .. } => return Err(LookaheadError::NoCells),
                Cut::ImportantCells { weights, .. } => {
                    weights.check(size).map_err(LookaheadError::CellWeights)?;
                }
                Cut::WorstSpawns if !self.is_minimax() => return Err(LookaheadError::WorstOfMeans),
                Cut::WorstSpawns
                    if search
                        .cuts
                        .iter()
                        .any(|cut| matches!(cut, Cut::ImportantCells { .. })) =>
                {
                    return Err(LookaheadError::SpawnsTwice);
                }
                Cut::AlphaBeta | Cut::Reach(_) | Cut::WorstSpawns => {}
            }
            if 1 < search
                .cuts
                .iter()
                .filter(|other| other.name() == cut.name())
                .count()
            {
                return Err(LookaheadError::CutTwice { cut: cut.name() });
            }
        }

        Ok(())
    }
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LookaheadError {
    #[error("0 plies search nothing: write at least 1")]
    NoPlies,
    #[error("{plies} plies are too many: write at most {}", Plies::DEEPEST)]
    TooManyPlies { plies: u32 },
    #[error("ByEmpty needs at least one pair (empty cells, plies), such as (0, 5)")]
    NoPairs,
    #[error("the pairs of ByEmpty must go from many empty cells to few, each number once")]
    UnsortedPairs,
    #[error("at_least is {at_least}, but at_most is {at_most}: at_least must not be larger")]
    AtLeastAboveAtMost { at_least: u32, at_most: u32 },
    #[error("at_least is {at_least}, but the limit is {} moves", Plies::DEEPEST / 2)]
    TooManyMoves { at_least: u32 },
    #[error("time_ms is 0: write at least 1")]
    NoTime,
    #[error("nodes is 0: write at least 1")]
    NoNodes,
    #[error("downgrade is {tile}: write the first tile to halve, a power of 2 from 4 to {}", Rank::MAX.tile())]
    NotDowngraded { tile: u64 },
    #[error("Reach is {threshold}: write a probability from 0 to 1")]
    NoProbability { threshold: f64 },
    #[error("k of ImportantCells is 0: write at least 1")]
    NoCells,
    #[error("ImportantCells: {0}")]
    CellWeights(EvaluatorError),
    #[error("the cut {cut} appears twice: leave one out")]
    CutTwice { cut: &'static str },
    #[error("WorstSpawns works only with Minimax: leave it out or search with Minimax")]
    WorstOfMeans,
    #[error("ImportantCells and WorstSpawns both select spawns: leave one out")]
    SpawnsTwice,
    #[error("{name} is 0: write at least 1")]
    NoSamples { name: &'static str },
    #[error(
        "{name} is {samples}: write at most {}",
        words::count(Sampled::MOST_SAMPLES)
    )]
    TooManySamples { name: &'static str, samples: u64 },
    #[error("until: Moves(0) plays nothing: write at least Moves(1)")]
    NoPlayoutMoves,
    #[error("Reach({tile}): not a tile: write a power of 2 from 4 to {}", Rank::MAX.tile())]
    NoSuchTile { tile: u64 },
    #[error("exploration is {exploration}: write a finite number of 0 or more")]
    Exploration { exploration: f64 },
    #[error("sure_by is {errors}: write a number of standard errors above 0, such as 2")]
    SureBy { errors: f64 },
    #[error(
        "Mcts cannot use sure_by, because the means of a tree have no standard error: leave it out, and limit \
         playouts, nodes or time_ms"
    )]
    SureByOfTree,
    #[error("not a lookahead: {0}")]
    Unreadable(#[from] Mistake),
}

impl fmt::Display for Lookahead {
    /// The RON text on one line, such as `Expectimax(plies: Fixed(4))`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ron_text::one_line(self).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Lookahead {
    type Err = LookaheadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(ron_text::read(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_look_as_far_and_are_sound() {
        for text in [
            "Expectimax(plies: Fixed(4))",
            "Expectimax(cuts: [AlphaBeta, Reach(0.01)], dead: Zero)",
            "Expectimax(nodes: 1000, spawn: Sum)",
            "Minimax(plies: ByEmpty([(8, 3), (0, 5)]), cuts: [AlphaBeta])",
            "Minimax(cuts: [ImportantCells(k: 4, weights: \"a\")])",
            "Minimax(cuts: [WorstSpawns])",
        ] {
            let lookahead: Lookahead = text.parse().expect("a lookahead");
            let twin = lookahead.twin();
            assert_ne!(twin.is_minimax(), lookahead.is_minimax());
            let limits = |lookahead: &Lookahead| {
                lookahead
                    .depth_limited()
                    .map(|search| (search.time_ms, search.nodes))
            };
            assert_eq!(
                (twin.plies(), limits(&twin)),
                (lookahead.plies(), limits(&lookahead)),
                "{text}"
            );
            assert_eq!(twin.check(Size::FOUR), Ok(()), "{text}");
            assert_eq!(twin.twin().twin(), twin, "{text}");
        }
        assert_eq!(
            Lookahead::OnePly.twin(),
            Lookahead::DepthLimited(DepthLimited::default())
        );
    }

    #[test]
    fn texts_are_those_of_the_documentation() {
        for text in [
            "OnePly",
            "Expectimax(plies: Fixed(4))",
            "Expectimax()",
            "Minimax(plies: ByEmpty([(8, 3), (4, 4), (0, 5)]), cuts: [AlphaBeta])",
            "Expectimax(plies: ByDistinct(offset: -2, at_least: 3), dead: Zero, cuts: [Reach(0.0001)])",
            "Expectimax(plies: ByDistinct(offset: -2, at_least: 3, at_most: 5), spawn: Sum)",
            "Expectimax(plies: Fixed(6), spawn: MinCell, cuts: [ImportantCells(k: 4, weights: \"a\")])",
            "Expectimax(time_ms: 50)",
            "Minimax(nodes: 1000)",
            "Minimax(plies: Fixed(5), dead: Lost, cuts: [AlphaBeta, WorstSpawns])",
            "Expectimax(plies: Fixed(5), downgrade: 32768)",
            "Minimax(nodes: 1000, downgrade: 65536)",
        ] {
            let lookahead: Lookahead = text.parse().expect(text);
            assert_eq!(lookahead.to_string(), text);
            assert_eq!(lookahead.check(Size::FOUR), Ok(()), "{text}");
        }
        let spelt_out: Lookahead =
            "Expectimax(plies: Fixed(4), spawn: Mean, dead: Evaluate, cuts: [])"
                .parse()
                .expect("as in the documentation");
        assert_eq!(spelt_out.to_string(), "Expectimax(plies: Fixed(4))");
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        for (text, reason) in [
            ("Expectimax(plies: Fixed(0))", "0 plies"),
            ("Expectimax(plies: Fixed(64))", "64 plies"),
            ("Expectimax(plies: ByEmpty([]))", "at least one pair"),
            (
                "Expectimax(plies: ByEmpty([(4, 3), (8, 5)]))",
                "from many empty cells to few",
            ),
            (
                "Expectimax(plies: ByDistinct(at_least: 5, at_most: 3))",
                "at_least must not be larger",
            ),
            ("Expectimax(cuts: [Reach(NaN)])", "Reach is NaN"),
            (
                "Expectimax(cuts: [Reach(0.1), Reach(0.2)])",
                "Reach appears twice",
            ),
            (
                "Expectimax(cuts: [ImportantCells(k: 0)])",
                "k of ImportantCells is 0",
            ),
            (
                "Expectimax(cuts: [ImportantCells(weights: [1, 2])])",
                "Weights has 2 numbers",
            ),
            ("Minimax(time_ms: 0)", "time_ms is 0"),
            ("Expectimax(cuts: [WorstSpawns])", "search with Minimax"),
            (
                "Minimax(cuts: [WorstSpawns, ImportantCells()])",
                "leave one out",
            ),
            (
                "Expectimax(plies: ByDistinct(at_least: 40))",
                "at_least is 40",
            ),
        ] {
            let error = text
                .parse::<Lookahead>()
                .expect(text)
                .check(Size::FOUR)
                .expect_err(text)
                .to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn misspelt_fields_are_refused_at_every_level() {
        for text in [
            "Expectimax(cuts: [ImportantCells(k: 6, weigths: \"c\")])",
            "Expectimax(plies: ByDistinct(ofset: 5))",
            "Expectimax(ply: Fixed(3))",
            "Minimax(spawn: Mean)",
            "Expectimax(spawn: Min)",
        ] {
            assert!(text.parse::<Lookahead>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_deepens_as_far_as_the_plies_allow() {
        let plies = |text: &str| text.parse::<Lookahead>().expect(text).plies().cloned();
        assert_eq!(
            plies("Expectimax(nodes: 9)"),
            Some(Plies::Fixed(Plies::DEEPEST))
        );
        assert_eq!(
            plies("Expectimax(plies: Fixed(3), nodes: 9)"),
            Some(Plies::Fixed(3))
        );
        assert_eq!(plies("Expectimax()"), Some(Plies::default()));
    }
}
