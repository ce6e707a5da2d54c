//! A weighted sum in place of a list of rows.
//!
//! A list of rows ranks, a sum weighs. Two sums are proposed for a list.
//!
//! - The *useful* one has small weights, learned on half of the games of a sample: a perceptron on pairs (a move that
//!   the list keeps beats one it removes), values scaled by how much they differ between the moves of a position,
//!   weights averaged over all steps (Freund and Schapire 1999; Collins 2002). It starts from weights that fall from
//!   row to row. Then one weight at a time is changed as long as the sum keeps the same moves more often. The other
//!   half measures the result.
//! - The *exact* one makes each weight larger than the whole range of all later rows, w = 1 + Σ later w · range,
//!   rounded up to a power of two. It exists for whole-numbered rows of one ply without tolerance, as long as sums stay
//!   exact enough.

use std::time::Duration;

use super::{Position, Sample, Share};
use crate::evaluator::Evaluator;
use crate::game::{ByMove, Moves, Rules};
use crate::math;
use crate::search::{Lookahead, ROUNDING, SearchOptions};
use crate::strategy::{ChoiceTrace, Criterion, Player, Prefer, Strategy, StrategyError, repeats};
use crate::task::CancelToken;
use crate::words;

/// Half a sample with fewer positions is too small for learning or testing.
const LEAST_POSITIONS: usize = 20;

/// How long strategies that search decide on the sample, for learning.
const SEARCHING: Duration = Duration::from_secs(10);

const EPOCHS: usize = 20;

/// By what factor the weight falls from row to row, in the start weights that are tried.
const FALLS: [f64; 4] = [1.0, 3.0, 10.0, 100.0];

/// Factors for one weight in the search for better ones.
const STEPS: [f64; 8] = [0.0, 0.3, 0.7, 0.9, 1.1, 1.4, 3.0, 10.0];

const ROUNDS: usize = 12;

/// A strategy of one row that weighs what another one ranks.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighing {
    /// One row, a `Sum` of the evaluators with weights of three digits, learned on half of the sample. The last row
    /// that counts has the weight 1; rows that prefer lower values have negative weights.
    pub strategy: Strategy,
    /// How often it keeps the same moves as the list on the other half.
    pub agreed: Share,
    /// The same on the half it was learned from.
    pub fitted: Share,
    /// A `Sum` in which each row outweighs all later ones; it keeps the same moves on the whole sample.
    pub exact: Result<Strategy, NoExactSum>,
    /// Rows whose learned weight is 0: they did not improve the sum.
    pub left_out: usize,
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum WeighError {
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error("a sum stands for two rows or more: this strategy has fewer that are on and say something")]
    TooFewRows,
    #[error(
        "{} looks ahead otherwise ({}) than {} ({}), and a sum has one lookahead: give all rows the same",
        .other.evaluator.label(), .other.lookahead.depth_text(), .first.evaluator.label(), .first.lookahead.depth_text()
    )]
    Lookaheads { first: Box<Criterion>, other: Box<Criterion> },
    #[error("it was stopped")]
    Stopped,
    #[error(
        "{} of the sample were decided, too few to learn weights from one half and to test them on the other: play more \
         games",
        words::plural(*.decided as u64, "position")
    )]
    TooFewPositions { decided: usize },
    #[error("no sum stands for these rows: {0}")]
    NoSum(StrategyError),
}

/// Why no sum ranks as a list does.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NoExactSum {
    #[error("what a search of a sum is worth is not the sum of searches")]
    Searches,
    #[error("{evaluator} has a tolerance, which a sum cannot have for one term")]
    Tolerance { evaluator: String },
    #[error("{evaluator} has values that are not whole numbers")]
    Fractions { evaluator: String },
    #[error(
        "its sums would reach {}, where a step of the last row is lost in the rounding",
        words::decimals_short(*.largest)
    )]
    Rounding { largest: f64 },
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error("weights by the ranges of the rows do not rank as the list does")]
    RanksOtherwise,
}

pub fn weigh(strategy: &Strategy, rules: Rules, sample: &Sample, stop: &CancelToken) -> Result<Weighing, WeighError> {
    let rows = rows_to_weigh(strategy, rules)?;
    let limit = (rows[0].lookahead != Lookahead::OnePly).then_some(SEARCHING);
    let lessons = stop.within(limit, |stop| Lessons::gather(strategy, &rows, rules, sample, stop));
    if stop.is_cancelled() {
        return Err(WeighError::Stopped);
    }
    let taught = lessons.taught().count();
    if taught.min(lessons.all.len() - taught) < LEAST_POSITIONS {
        return Err(WeighError::TooFewPositions { decided: lessons.all.len() });
    }

    let weights = lessons.learn(&rows, stop);
    let proposal = sum_of(strategy, &rows, &weights, "weighed");
    proposal.check(rules.size).map_err(WeighError::NoSum)?;
    let [fitted, agreed] = lessons.agreement(&Player::new(&proposal, rules), sample, stop, limit);
    let exact = lessons.exact(strategy, &rows, rules, sample, stop);
    let left_out = weights.iter().filter(|weight| **weight == 0.0).count();
    Ok(Weighing { strategy: proposal, agreed, fitted, exact, left_out })
}

/// The rows that a sum may replace: two or more with the same lookahead.
pub fn rows_to_weigh(strategy: &Strategy, rules: Rules) -> Result<Vec<&Criterion>, WeighError> {
    strategy.check_for(rules)?;
    let rows: Vec<&Criterion> = (0..strategy.criteria.len())
        .filter(|&row| repeats(&strategy.criteria, row).is_none())
        .map(|row| &strategy.criteria[row])
        .filter(|criterion| !criterion.off)
        .collect();
    let [first, _, ..] = rows.as_slice() else {
        return Err(WeighError::TooFewRows);
    };

    match rows.iter().find(|row| row.lookahead != first.lookahead) {
        Some(other) => {
            let [first, other] = [first, other].map(|row| Box::new((*row).clone()));
            Err(WeighError::Lookaheads { first, other })
        }
        None => Ok(rows),
    }
}

/// The sum of the rows as a strategy of one row; terms of weight 0 are left out.
fn sum_of(strategy: &Strategy, rows: &[&Criterion], weights: &[f64], how: &str) -> Strategy {
    let terms = rows.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
    let terms = terms.map(|(row, &weight)| (weight, row.evaluator.clone())).collect();
    let lookahead = rows.first().map(|row| row.lookahead.clone()).unwrap_or_default();
    Strategy {
        name: format!("{}, {how}", strategy.label()),
        note: String::new(),
        parent: Some(strategy.hash()),
        criteria: vec![Criterion { lookahead, ..Criterion::one_ply(Evaluator::Sum(terms)) }],
        last_resort: strategy.last_resort,
        rollout: strategy.rollout.clone(),
    }
}

struct Lesson {
    index: usize,
    legal: Moves,
    /// The moves that the list keeps.
    chosen: Moves,
    /// For each row the value of each legal move, larger is better.
    values: Vec<ByMove<f64>>,
    /// Whether it belongs to the half for learning.
    is_taught: bool,
}

/// The decisions of the list on a sample.
struct Lessons {
    all: Vec<Lesson>,
    /// How much the values of a row differ between the moves of a position, as root mean square; 1 for a constant row.
    scales: Vec<f64>,
}

impl Lessons {
    fn gather(strategy: &Strategy, rows: &[&Criterion], rules: Rules, sample: &Sample, stop: &CancelToken) -> Self {
        let player = Player::new(strategy, rules);
        // Bounds cannot be used as values.
        let plain = |row: &&Criterion| Criterion { lookahead: row.lookahead.without_alpha_beta(), ..(*row).clone() };
        let plain = Strategy { criteria: rows.iter().map(plain).collect(), ..strategy.clone() };
        let asked = Player::new(&plain, rules);
        let options = SearchOptions::on_one_core(stop);

        // Positions of one game resemble each other, so the sample is divided by games if there are several.
        let has = |odd: u64| sample.positions.iter().any(|position| position.game % 2 == odd);
        let by_game = has(0) && has(1);
        let mut all = Vec::new();

        // If time runs out early, both halves and all phases are still covered.
        for index in dealt(sample.positions.len()) {
            let position = &sample.positions[index];
            let legal = position.board.legal_moves();
            if legal.is_decided() {
                continue;
            }
            let signed = |row: usize| {
                let values = asked.criterion(row)?.values(&position.board, position.score, legal, options)?.to_real();
                let sign = if rows[row].prefer == Prefer::Higher { 1.0 } else { -1.0 };
                Some(ByMove::from_fn(|mv| sign * values[mv]))
            };
            let values: Option<Vec<ByMove<f64>>> = (0..rows.len()).map(signed).collect();
            let chosen = ChoiceTrace::of(&player, &position.board, position.score, options);
            let (Some(values), Some(chosen)) = (values, chosen) else { break };
            let is_taught = if by_game { position.game } else { index as u64 / 16 }.is_multiple_of(2);
            all.push(Lesson { index, legal, chosen, values, is_taught });
            if stop.is_cancelled() {
                break;
            }
        }

        all.sort_unstable_by_key(|lesson| lesson.index);
        let scales = (0..rows.len()).map(|row| scale(&all, row)).collect();
        Self { all, scales }
    }

    fn taught(&self) -> impl Iterator<Item = &Lesson> {
        self.all.iter().filter(|lesson| lesson.is_taught)
    }

    /// Signed weights of the rows, rounded to three digits; the last nonzero one is 1 or −1.
    fn learn(&self, criteria: &[&Criterion], stop: &CancelToken) -> Vec<f64> {
        let begun =
            FALLS.map(|fall| (0..self.scales.len()).map(|row| math::powi(fall, -(row as i32))).collect::<Vec<f64>>());
        let learned = begun.iter().map(|weights| self.perceptron(weights.clone()));
        let tried: Vec<Vec<f64>> =
            begun.iter().cloned().chain(learned).map(|weights| self.climb(weights, stop)).collect();
        // The first of equals.
        let best = tried.into_iter().rev().max_by_key(|weights| self.same(weights)).unwrap_or_default();
        let weights: Vec<f64> = best.iter().zip(&self.scales).map(|(weight, scale)| weight / scale).collect();
        let one = weights.iter().rev().find(|weight| **weight != 0.0).copied().unwrap_or(1.0);
        let signed = |weight: f64, row: &Criterion| if row.prefer == Prefer::Higher { weight } else { -weight };
        weights.iter().zip(criteria).map(|(weight, row)| signed(three_digits(weight / one), row)).collect()
    }

    /// The averaged weights of scaled values after some epochs. They are never negative: no row is reversed.
    fn perceptron(&self, mut weights: Vec<f64>) -> Vec<f64> {
        let mut sum = vec![0.0; self.scales.len()];
        for _ in 0..EPOCHS {
            for lesson in self.taught() {
                let fallen: Moves = lesson.legal.iter().filter(|&mv| !lesson.chosen.contains(mv)).collect();
                for (kept, fell) in lesson.chosen.iter().flat_map(|kept| fallen.iter().map(move |fell| (kept, fell))) {
                    let better = |row: usize| (lesson.values[row][kept] - lesson.values[row][fell]) / self.scales[row];
                    let margin: f64 = (0..self.scales.len()).map(|row| weights[row] * better(row)).sum();
                    if margin <= 0.0 {
                        (0..self.scales.len()).for_each(|row| weights[row] = (weights[row] + better(row)).max(0.0));
                    }
                }
                sum.iter_mut().zip(&weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        if sum.iter().all(|weight| *weight == 0.0) { weights } else { sum }
    }

    /// Changes one weight at a time as long as the sum then keeps the same moves more often.
    fn climb(&self, mut weights: Vec<f64>, stop: &CancelToken) -> Vec<f64> {
        let mut best = self.same(&weights);
        for _ in 0..ROUNDS {
            let before = best;
            for row in 0..self.scales.len() {
                for step in STEPS {
                    let old = weights[row];
                    weights[row] = old * step;
                    let same = self.same(&weights);
                    if best < same { best = same } else { weights[row] = old }
                }
            }
            if best == before || stop.is_cancelled() {
                break;
            }
        }
        weights
    }

    /// On how many positions of the learning half a sum with these weights of scaled values keeps the same moves.
    fn same(&self, weights: &[f64]) -> usize {
        if weights.iter().all(|weight| *weight == 0.0) {
            return 0;
        }
        let weights: Vec<f64> = weights.iter().zip(&self.scales).map(|(weight, scale)| weight / scale).collect();
        self.taught().filter(|lesson| lesson.left_by(&weights) == lesson.chosen).count()
    }

    /// How often a player keeps the same moves, on the learning half and on the other.
    fn agreement(&self, player: &Player, sample: &Sample, stop: &CancelToken, limit: Option<Duration>) -> [Share; 2] {
        let mut shares = [Share::default(); 2];
        stop.within(limit, |stop| {
            for place in dealt(self.all.len()) {
                let lesson = &self.all[place];
                let Position { board, score, .. } = &sample.positions[lesson.index];
                let options = SearchOptions::on_one_core(stop);
                let Some(choice) = ChoiceTrace::of(player, board, *score, options) else { break };
                shares[usize::from(!lesson.is_taught)].add(choice == lesson.chosen);
            }
        });
        shares
    }

    /// A sum that keeps the same moves everywhere on the sample, or why there is none.
    fn exact(
        &self,
        strategy: &Strategy,
        rows: &[&Criterion],
        rules: Rules,
        sample: &Sample,
        stop: &CancelToken,
    ) -> Result<Strategy, NoExactSum> {
        if rows.iter().any(|row| row.lookahead != Lookahead::OnePly) {
            return Err(NoExactSum::Searches);
        }
        if let Some(row) = rows.iter().find(|row| row.tolerance != 0.0) {
            return Err(NoExactSum::Tolerance { evaluator: row.evaluator.label() });
        }

        let mut weights = vec![0.0; self.scales.len()];
        let (mut later, mut largest) = (0.0, 0.0);
        for row in (0..self.scales.len()).rev() {
            let (mut range, mut most) = (0.0_f64, 0.0_f64);
            for lesson in &self.all {
                let values = &lesson.values[row];
                if lesson.legal.iter().any(|mv| values[mv].fract() != 0.0) {
                    return Err(NoExactSum::Fractions { evaluator: rows[row].evaluator.label() });
                }
                range = range.max(super::evidence::spread(values, lesson.legal));
                most = lesson.legal.iter().fold(most, |most, mv| most.max(values[mv].abs()));
            }
            let weight = power_of_two_above(later);
            weights[row] = if rows[row].prefer == Prefer::Higher { weight } else { -weight };
            later += weight * range;
            largest += weight * most;
        }

        // A step of the last row is 1; below this share of the sum it would count as rounding.
        if 0.5 < largest * ROUNDING {
            return Err(NoExactSum::Rounding { largest });
        }

        let exact = sum_of(strategy, rows, &weights, "exact sum");
        exact.check(rules.size)?;
        let shares = self.agreement(&Player::new(&exact, rules), sample, stop, None);
        if shares.iter().any(|share| share.same != share.n) || stop.is_cancelled() {
            return Err(NoExactSum::RanksOtherwise);
        }
        Ok(exact)
    }
}

impl Lesson {
    /// The moves that a sum with these weights keeps.
    fn left_by(&self, weights: &[f64]) -> Moves {
        let sum = |mv| self.values.iter().zip(weights).map(|(values, weight)| weight * values[mv]).sum::<f64>();
        let sums = ByMove::from_fn(sum);
        let best = self.legal.iter().map(|mv| sums[mv]).fold(f64::NEG_INFINITY, f64::max);
        let enough = best - best.abs() * ROUNDING;
        self.legal.iter().filter(|&mv| enough <= sums[mv]).collect()
    }
}

/// Numbers below `n` in an order that covers the whole range early: every sixteenth from 0, then from 1, and so on.
fn dealt(n: usize) -> impl Iterator<Item = usize> {
    (0..16).flat_map(move |first| (first..n).step_by(16))
}

/// The root mean square difference of the values from their mean over the moves of a position; 1 if they never differ.
fn scale(lessons: &[Lesson], row: usize) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for lesson in lessons.iter().filter(|lesson| lesson.is_taught) {
        let values = &lesson.values[row];
        let mean = lesson.legal.iter().map(|mv| values[mv]).sum::<f64>() / lesson.legal.len() as f64;
        for mv in lesson.legal {
            sum += math::squared(values[mv] - mean);
            n += 1.0;
        }
    }
    let scale = f64::sqrt(sum / f64::max(n, 1.0));
    if 0.0 < scale && scale.is_finite() { scale } else { 1.0 }
}

/// The smallest power of two above a number; 1 for 0.
fn power_of_two_above(number: f64) -> f64 {
    let mut power = 1.0;
    while power <= number {
        power *= 2.0;
    }
    power
}

/// Rounded to three significant digits.
fn three_digits(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return 0.0;
    }
    // Through the shortest text of the rounded number, so that no rounding digits follow.
    format!("{number:.2e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_three() {
        for (number, rounded) in
            [(0.0, 0.0), (1.0, 1.0), (-123.456, -123.0), (0.000_123_456, 0.000_123), (98_765.0, 98_800.0)]
        {
            assert_eq!(three_digits(number), rounded);
        }
    }

    #[test]
    fn powers_are_above() {
        for (number, power) in [(0.0, 1.0), (1.0, 2.0), (3.0, 4.0), (4.0, 8.0), (1000.0, 1024.0)] {
            assert_eq!(power_of_two_above(number), power);
        }
    }

    #[test]
    fn dealing_comes_to_every_place_once() {
        for n in [0, 1, 15, 16, 17, 100] {
            let mut places: Vec<usize> = dealt(n).collect();
            places.sort_unstable();
            assert_eq!(places, (0..n).collect::<Vec<_>>());
        }
    }
}
