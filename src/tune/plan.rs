//! What is tuned, on scales of about 1.

use sha2::{Digest as _, Sha256};

use super::Search;
use super::race::{end_of, most_games};
use crate::game::Rules;
use crate::preset::{Item as _, Objective, Preset, Tuning};
use crate::strategy::{Setting, Strategy};

/// Generations that the games are laid out for.
const GENERATIONS: u64 = 40;

/// The fewest and the most games of the first round of a race.
const FIRST: (u64, u64) = (8, 4096);

/// How far from the start candidates lie at first, in units of the scale.
const STEP: f64 = 0.3;

/// Digits of a value that is tried: more say nothing, and a strategy is text.
const DIGITS: usize = 5;

/// A tuning that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct TunePlan {
    pub title: String,
    /// What it begins with.
    pub strategy: Strategy,
    pub rules: Rules,
    pub seed: u64,
    pub tuning: Tuning,
    settings: Vec<Setting>,
}

impl TunePlan {
    /// The tuning of a preset; the error is one sentence.
    pub fn of_preset(preset: &Preset) -> Result<Self, String> {
        if let Some(problem) = preset.check().first() {
            return Err(problem.to_string());
        }
        let (Some(tuning), [entry]) = (preset.tune.clone(), preset.strategies.as_slice()) else {
            return Err(
                "this preset tunes nothing: name settings, as in tune: (over: [(setting: \"weight of Score\")], \
                        games: 20000), or with --over"
                    .to_owned(),
            );
        };
        let settings = tuning.over.iter().map(|tuned| tuned.of(&entry.strategy)).collect::<Result<_, _>>()?;
        let (title, strategy) = (preset.title.clone(), entry.strategy.clone());
        let plan = Self { title, strategy, rules: preset.rules, seed: preset.seed, tuning, settings };
        if plan.is_spent(0) {
            let (games, candidates) = (plan.tuning.games, plan.search().population() as u64);
            let least = most_games(candidates, FIRST.0);
            return Err(format!("{games} games are too few for {candidates} candidates: write at least {least}"));
        }
        Ok(plan)
    }

    /// The same as a preset.
    pub fn preset(&self) -> Preset {
        let tune = Some(self.tuning.clone());
        let preset = Preset::new(self.title.clone(), [self.strategy.clone()]);
        Preset { rules: self.rules, seed: self.seed, tune, ..preset }
    }

    /// Whether another one, maybe of another title, plays the same games.
    pub fn is_same(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    /// Digits that two tunings share only if they play the same.
    pub fn identity(&self) -> String {
        let text = Preset { title: String::new(), ..self.preset() }.to_text();
        Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    pub fn objective(&self) -> Objective {
        self.tuning.objective
    }

    /// How far a setting reaches: what it is now, or where it may lie.
    fn scale(&self, place: usize) -> f64 {
        let tuned = &self.tuning.over[place];
        match (tuned.low, tuned.high) {
            (Some(low), Some(high)) if (high - low).is_finite() => high - low,
            _ if self.settings[place].value == 0.0 => 1.0,
            _ => self.settings[place].value.abs(),
        }
    }

    pub fn search(&self) -> Search {
        let start = (0..self.settings.len()).map(|place| self.settings[place].value / self.scale(place));
        Search { start: start.collect(), step: STEP, seed: self.seed }
    }

    /// The values of the settings at a point of the search: within their ends, of few digits.
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        let value = |(place, x): (usize, &f64)| {
            let tuned = &self.tuning.over[place];
            let value = (x * self.scale(place)).clamp(tuned.low.unwrap_or(f64::MIN), tuned.high.unwrap_or(f64::MAX));
            format!("{value:.DIGITS$e}").parse().unwrap_or(value)
        };
        point.iter().enumerate().map(value).collect()
    }

    /// The strategy with these values.
    pub fn with_values(&self, values: &[f64]) -> Strategy {
        let set = |strategy: Strategy, (setting, value): (&Setting, &f64)| {
            // All are real numbers that are finite.
            strategy.with_setting(setting, *value).unwrap_or(strategy)
        };
        self.settings.iter().zip(values).fold(self.strategy.clone(), set)
    }

    /// Games of the first round of each race.
    pub fn first_round(&self) -> u64 {
        let candidates = self.search().population() as u64;
        (self.tuning.games / (GENERATIONS * 2 * candidates)).clamp(FIRST.0, FIRST.1)
    }

    /// Whether another generation may be more than what is left of the games.
    pub fn is_spent(&self, games: u64) -> bool {
        self.tuning.games < games + most_games(self.search().population() as u64, self.first_round())
    }

    /// One beyond the last index that a choice may look at.
    pub fn last_index(&self) -> u64 {
        // A generation that plays this far has played at least so many games.
        end_of(self.tuning.games, self.first_round())
    }

    /// The seed of the verification: none of its games is one that something was chosen by.
    pub fn fresh_seed(&self) -> u64 {
        let (own, games) = (crate::game::Seed(self.seed), self.last_index().max(self.tuning.verification()));
        let seeds = (1..).map(|step| self.seed.wrapping_add(step));
        seeds.into_iter().find(|&seed| !own.shares_games(crate::game::Seed(seed), games)).unwrap_or(self.seed)
    }
}
