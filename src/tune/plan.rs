//! The settings that are tuned, on scales of about 1.
//!
//! A setting is searched on the scale asinh(value / fine) / unit: linear near 0 and logarithmic farther out. Weights
//! act by their ratios, and good ones may be a tenth or ten times of the start value. On a linear scale one step of the
//! search is too long for the first and too short for the second; here it is about the same fraction of any value.
//! `fine` is a tenth of the start value or of a sixth of the range, whichever is smaller. `unit` is 1 (a factor of e),
//! or a sixth of the range if that is less: a narrow range is searched linearly.
//!
//! Points beyond a bound are reflected at it, so that the objective is not flat there and the center of the
//! distribution does not drift away (Hansen, *The CMA evolution strategy: a tutorial*, 2016, on boundaries). A fifth of
//! the games is reserved for the last race, among the best centers.

use super::Generation;
use super::Search;
use super::race::{end_of, most_games};
use crate::files::Sha256;
use crate::game::Rules;
use crate::math;
use crate::preset::{Item as _, Objective, Preset, Problem, TunedError, Tuning};
use crate::strategy::{Setting, Strategy};

/// The number of generations that the games are planned for.
const GENERATIONS: u64 = 40;

/// The fewest and the most games of the first round of a race.
const FIRST: (u64, u64) = (8, 4096);

/// The last race may play one game in this many.
const LAST_RACE: u64 = 5;

/// The most centers in the last race; the center of the last distribution is one of them.
const FINALISTS: usize = 8;

/// The least width of a range in units of the search.
const UNITS: f64 = 6.0;

/// The part of a typical value below which its scale is linear.
const FINE: f64 = 0.1;

/// The width of the first distribution, in units of the search: values differ by a half.
const STEP: f64 = 0.5;

/// Significant digits of a candidate's value: more make no difference, and a strategy is text.
const DIGITS: usize = 5;

/// A tuning that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    pub title: String,
    /// The strategy that it begins with.
    pub strategy: Strategy,
    pub rules: Rules,
    pub seed: u64,
    pub tuning: Tuning,
    settings: Vec<Setting>,
}

/// Why a preset cannot be tuned, in one sentence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TunePlanError {
    #[error(transparent)]
    Problem(#[from] Problem),
    #[error(
        "this preset tunes nothing: name settings, as in tune: (over: [(setting: \"weight of Score\")], games: 20000), \
         or with --over"
    )]
    Nothing,
    #[error(transparent)]
    Setting(#[from] TunedError),
    #[error("{games} games are too few for {candidates} candidates: write at least {least}")]
    TooFewGames {
        games: u64,
        candidates: u64,
        least: u64,
    },
}

impl TunePlan {
    /// The tuning of a preset.
    pub fn of_preset(preset: &Preset) -> Result<Self, TunePlanError> {
        if let Some(problem) = preset.check().into_iter().next() {
            return Err(problem.into());
        }
        let (Some(tuning), [entry]) = (preset.tune.clone(), preset.strategies.as_slice()) else {
            return Err(TunePlanError::Nothing);
        };
        let settings = tuning
            .over
            .iter()
            .map(|tuned| tuned.of(&entry.strategy))
            .collect::<Result<_, _>>()?;
        let (title, strategy) = (preset.title.clone(), entry.strategy.clone());
        let plan = Self {
            title,
            strategy,
            rules: preset.rules,
            seed: preset.seed,
            tuning,
            settings,
        };
        if plan.is_spent(0) {
            let (games, candidates) = (plan.tuning.games, plan.search().population() as u64);
            let least = most_games(candidates, FIRST.0);
            return Err(TunePlanError::TooFewGames {
                games,
                candidates,
                least,
            });
        }

        Ok(plan)
    }

    /// The same as a preset.
    pub fn preset(&self) -> Preset {
        let tune = Some(self.tuning.clone());
        let preset = Preset::new(self.title.clone(), [self.strategy.clone()]);
        Preset {
            rules: self.rules,
            seed: self.seed,
            tune,
            ..preset
        }
    }

    /// Whether another plan plays the same games; the title may differ.
    pub fn is_same(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// Digits that two tunings share only if they play the same games.
    pub fn identity(&self) -> String {
        let text = Preset {
            title: String::new(),
            ..self.preset()
        }
        .to_text();
        Sha256::of(text).to_string()[..16].to_owned()
    }

    /// The SHA-256 of the strategy with the files that it reads.
    pub(super) fn strategy_sha256(&self) -> Sha256 {
        self.strategy.sha256()
    }

    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    pub fn objective(&self) -> Objective {
        self.tuning.objective
    }

    fn scale(&self, place: usize) -> Scale {
        Scale::new(
            self.settings[place].value,
            self.tuning.over[place].low,
            self.tuning.over[place].high,
        )
    }

    pub fn search(&self) -> Search {
        let start = (0..self.settings.len())
            .map(|place| self.scale(place).point(self.settings[place].value));
        Search {
            start: start.collect(),
            step: STEP,
            seed: self.seed,
        }
    }

    /// The values of the settings at a point of the search: reflected at their bounds and rounded.
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        point
            .iter()
            .enumerate()
            .map(|(place, x)| self.scale(place).value(*x))
            .collect()
    }

    /// The values of the last race, without duplicates: the last center, and the centers that looked best, as many as
    /// there are games left for.
    pub(super) fn finalists(
        &self,
        generations: &[Generation],
        last: Vec<f64>,
        games: u64,
    ) -> Vec<Vec<f64>> {
        let left = self.tuning.games.saturating_sub(games);
        let most = (1..=FINALISTS)
            .rev()
            .find(|&count| most_games(count as u64, FIRST.0) <= left)
            .unwrap_or(1);
        let mut best: Vec<&Generation> = generations.iter().collect();
        // The later of equals.
        best.sort_by(|a, b| b.mean.total_cmp(&a.mean).then(b.indices.cmp(&a.indices)));
        let mut finalists = vec![last];
        for one in best {
            if finalists.len() < most && !finalists.contains(&one.centre) {
                finalists.push(one.centre.clone());
            }
        }
        finalists
    }

    /// Games of the first round of the last race with this many finalists, after `games` games; `None` if too few are
    /// left.
    pub(super) fn last_round(&self, games: u64, finalists: usize) -> Option<u64> {
        let of_each = self.tuning.games.saturating_sub(games) / most_games(finalists as u64, 1);
        (2 <= finalists && FIRST.0 <= of_each).then_some(of_each)
    }

    /// The strategy with these values.
    pub fn with_values(&self, values: &[f64]) -> Strategy {
        let set = |strategy: Strategy, (setting, value): (&Setting, &f64)| {
            // All are finite real numbers.
            strategy.with_setting(setting, *value).unwrap_or(strategy)
        };
        self.settings
            .iter()
            .zip(values)
            .fold(self.strategy.clone(), set)
    }

    /// Games of the first round of each race.
    pub fn first_round(&self) -> u64 {
        let candidates = self.search().population() as u64;
        (self.tuning.games / (GENERATIONS * 2 * candidates)).clamp(FIRST.0, FIRST.1)
    }

    /// Whether another generation may need more games than are left, apart from those of the last race.
    pub fn is_spent(&self, games: u64) -> bool {
        let generation = most_games(self.search().population() as u64, self.first_round());
        // At least one generation.
        let last_race =
            (self.tuning.games / LAST_RACE).min(self.tuning.games.saturating_sub(generation));
        self.tuning.games - last_race < games + generation
    }

    /// One beyond the last index that a choice may use.
    pub fn last_index(&self) -> u64 {
        // A generation that plays this far has played at least this many games.
        end_of(self.tuning.games, self.first_round())
    }

    /// The seed of the verification: it shares no game with those that a choice used.
    pub fn fresh_seed(&self) -> u64 {
        let (own, games) = (
            crate::game::Seed(self.seed),
            self.last_index().max(self.tuning.verification()),
        );
        let seeds = (1..).map(|step| self.seed.wrapping_add(step));
        seeds
            .into_iter()
            .find(|&seed| !own.shares_games(crate::game::Seed(seed), games))
            .unwrap_or(self.seed)
    }
}

/// The scale that a setting is searched on.
#[derive(Clone, Copy, Debug)]
struct Scale {
    low: Option<f64>,
    high: Option<f64>,
    /// The scale is linear for values well below this.
    fine: f64,
    /// This many units of asinh(value / fine) are 1 in the search.
    unit: f64,
}

impl Scale {
    fn new(start: f64, low: Option<f64>, high: Option<f64>) -> Self {
        let ends = low
            .zip(high)
            .filter(|(low, high)| low < high && (high - low).is_finite());
        let typical = [
            Some(start.abs()).filter(|&start| start != 0.0),
            ends.map(|(low, high)| (high - low) / UNITS),
        ];
        let fine = FINE
            * typical
                .into_iter()
                .flatten()
                .reduce(f64::min)
                .unwrap_or(1.0);
        let range =
            ends.map(|(low, high)| (math::asinh(high / fine) - math::asinh(low / fine)) / UNITS);
        Self {
            low,
            high,
            fine,
            unit: range.unwrap_or(1.0).min(1.0),
        }
    }

    fn point(&self, value: f64) -> f64 {
        math::asinh(value / self.fine) / self.unit
    }

    fn value(&self, point: f64) -> f64 {
        let point = reflected(
            point,
            self.low.map(|low| self.point(low)),
            self.high.map(|high| self.point(high)),
        );
        let value = (self.fine * math::sinh(self.unit * point)).clamp(f64::MIN, f64::MAX);
        let short = format!("{value:.DIGITS$e}").parse().unwrap_or(value);
        // Rounding may go beyond a bound.
        short.clamp(self.low.unwrap_or(f64::MIN), self.high.unwrap_or(f64::MAX))
    }
}

/// A number reflected into its bounds, as light between mirrors.
fn reflected(value: f64, low: Option<f64>, high: Option<f64>) -> f64 {
    match (low, high) {
        (Some(low), Some(high)) if low < high => {
            let (width, beyond) = (high - low, (value - low).rem_euclid(2.0 * (high - low)));
            low + if beyond <= width {
                beyond
            } else {
                2.0 * width - beyond
            }
        }
        (Some(low), _) if value < low => 2.0 * low - value,
        (_, Some(high)) if high < value => 2.0 * high - value,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_a_bound_is_reflected() {
        for (value, low, high, expected) in [
            (3.0, Some(0.0), Some(10.0), 3.0),
            (-3.0, Some(0.0), Some(10.0), 3.0),
            (13.0, Some(0.0), Some(10.0), 7.0),
            (23.0, Some(0.0), Some(10.0), 3.0),
            (-13.0, Some(0.0), Some(10.0), 7.0),
            (-3.0, Some(-1.0), None, 1.0),
            (5.0, None, Some(4.0), 3.0),
            (1e9, None, None, 1e9),
        ] {
            assert_eq!(
                reflected(value, low, high),
                expected,
                "{value} {low:?} {high:?}"
            );
        }
    }

    #[test]
    fn a_step_of_the_search_is_a_part_of_the_value_and_of_a_narrow_range() {
        for (start, low, high) in [
            (47.0, Some(0.0), Some(400.0)),
            (0.0, Some(0.0), Some(2.0)),
            (105.0, Some(100.0), Some(110.0)),
            (-3.0, Some(-8.0), Some(8.0)),
            (0.5, None, None),
            (0.0, None, Some(9.0)),
            (2.0, Some(-1.0), None),
        ] {
            let scale = Scale::new(start, low, high);
            assert!(
                (scale.value(scale.point(start)) - start).abs() <= 1e-5 * start.abs(),
                "{scale:?}"
            );
            let points =
                (-400..=400).map(|step| scale.value(scale.point(start) + f64::from(step) / 10.0));
            let (low, high) = (low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX));
            assert!(
                points
                    .into_iter()
                    .all(|value| (low..=high).contains(&value)),
                "{scale:?}"
            );
        }

        let wide = Scale::new(47.0, Some(0.0), Some(400.0));
        for value in [20.0, 47.0, 94.0] {
            let factor = wide.value(wide.point(value) + STEP) / value;
            assert!((1.5..1.7).contains(&factor), "{factor} at {value}");
        }

        let narrow = Scale::new(105.0, Some(100.0), Some(110.0));
        for value in [101.0, 105.0, 109.0] {
            let step = narrow.value(narrow.point(value) + STEP) - value;
            assert!((0.75..0.92).contains(&step), "{step} at {value}");
        }
    }
}
