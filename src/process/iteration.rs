//! Value iteration over the states that came up.
//!
//! Each sweep goes through the states in order and uses the newest values of the others (Gauss-Seidel), so that it
//! converges at least as fast as with the values of the sweep before. All values start at 0, and a state in which no
//! slide was made stays at 0.
//!
//! # How far the values are off
//!
//! A small last change does not mean a small error: where hundreds of steps follow, as many small changes add up. Let w
//! be at least 1 in each state and at least 1 + γ Σ P(s, a, s′) w(s′) for each slide. It bounds the number of steps
//! still to come. If no value changes by more than r, none is farther than r·w from its value in the counted process
//! (Bertsekas, *Dynamic Programming and Optimal Control* II, weighted sup-norm contractions). The same sweeps count the
//! steps: when no number of steps T(s) rises by more than ε < 1, T/(1 − ε) is such a w.

use super::{Counts, LearnError, State, go_on};
use crate::game::{Move, Moves};
use crate::task::Control;
use crate::words;

/// A sweep that changes no value by more than this number of points has converged. The text states no limit.
const CONVERGED: f64 = 1e-3;

/// Value iteration ends after this many converged sweeps in a row: "until it consecutively converged for more than 15
/// times".
const IN_A_ROW: u64 = 16;

/// The most sweeps: without ends and discount the points may add up without limit.
const MOST_SWEEPS: u64 = 3000;

/// The value of a slide that was never made. No sum gives a negative 0, so it differs from slides that earn nothing.
/// Files store the usual 0 instead.
pub(super) const NEVER_MADE: f64 = -0.0;

/// The values of the states.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The points to come in each state.
    pub values: Vec<f64>,
    /// The points to come after each slide, in the order of [`Move::ALL`]; 0 if it was never made.
    pub actions: Vec<[f64; 4]>,
    /// The largest change of a value in each sweep.
    pub residuals: Vec<f64>,
    /// Whether the last sweeps changed no value by more than a thousandth of a point.
    pub has_converged: bool,
    /// A bound in points on the error of each value in the counted process; `None` if points may add up without limit,
    /// and in files of versions that did not compute it.
    pub error: Option<f64>,
}

impl Default for Solved {
    fn default() -> Self {
        let (values, actions) = (vec![0.0; State::COUNT], vec![[NEVER_MADE; 4]; State::COUNT]);
        Self {
            values,
            actions,
            residuals: Vec::new(),
            has_converged: true,
            error: None,
        }
    }
}

/// A slide in a state: where it leads, and with what probability.
struct Action {
    mv: Move,
    next: std::ops::Range<usize>,
}

/// A state in which slides were made.
struct Seen {
    state: State,
    reward: f64,
    actions: std::ops::Range<usize>,
}

/// The counts as probabilities.
struct Model {
    seen: Vec<Seen>,
    actions: Vec<Action>,
    next: Vec<(State, f64)>,
}

impl Model {
    fn of(counts: &Counts, ends: f64) -> Self {
        let (steps, visits) = (counts.steps(), counts.visits());
        let mut model = Self {
            seen: Vec::new(),
            actions: Vec::new(),
            next: Vec::with_capacity(steps.len()),
        };
        for of_action in steps.chunk_by(|((a, mv, _), _), ((b, other, _), _)| (a, mv) == (b, other))
        {
            let Some(&((state, mv, _), _)) = of_action.first() else {
                continue;
            };
            let taken = of_action.iter().map(|(_, count)| count).sum::<u64>() as f64 + ends;
            let begin = model.next.len();
            model.next.extend(
                of_action
                    .iter()
                    .map(|&((_, _, to), count)| (to, count as f64 / taken)),
            );
            model.actions.push(Action {
                mv,
                next: begin..model.next.len(),
            });
            let last = model.actions.len();
            match model.seen.last_mut() {
                Some(seen) if seen.state == state => seen.actions.end = last,
                _ => {
                    let reward = counts.points(state) as f64 / visits[state.index()].max(1) as f64;
                    model.seen.push(Seen {
                        state,
                        reward,
                        actions: last - 1..last,
                    });
                }
            }
        }

        model
    }
}

/// Counting of the steps to come ends when a sweep adds no more than this to any state.
const LAST_RISE: f64 = 0.01;

impl Model {
    /// A bound on the discounted number of steps to come in any state under any policy; `None` if it does not converge.
    fn most_steps(&self, discount: f64, control: &Control) -> Result<Option<f64>, LearnError> {
        let mut steps = vec![0.0_f64; State::COUNT];
        for _ in 0..MOST_SWEEPS {
            go_on(control)?;
            let mut rise = 0.0_f64;
            for seen in &self.seen {
                let after = |action: &Action| {
                    let next = self.next[action.next.clone()].iter();
                    1.0 + discount
                        * next
                            .map(|&(state, p)| p * steps[state.index()])
                            .sum::<f64>()
                };
                let most = self.actions[seen.actions.clone()]
                    .iter()
                    .map(after)
                    .fold(0.0, f64::max);
                rise = rise.max(most - steps[seen.state.index()]);
                steps[seen.state.index()] = most;
            }
            if rise <= LAST_RISE {
                return Ok(Some(steps.into_iter().fold(0.0, f64::max) / (1.0 - rise)));
            }
        }
        Ok(None)
    }
}

impl Solved {
    pub fn of(
        counts: &Counts,
        ends: f64,
        discount: f64,
        control: &Control,
    ) -> Result<Self, LearnError> {
        let model = Model::of(counts, ends);
        let mut solved = Self {
            has_converged: false,
            ..Self::default()
        };
        let mut in_a_row = 0;
        control.begin("", "sweep", 0);
        while (solved.residuals.len() as u64) < MOST_SWEEPS {
            go_on(control)?;
            let residual = solved.sweep(&model, discount);
            solved.residuals.push(residual);
            control.add(1);
            control.set_part(format!("largest change {}", words::value(residual)));
            in_a_row = if residual <= CONVERGED {
                in_a_row + 1
            } else {
                0
            };
            if IN_A_ROW <= in_a_row {
                solved.has_converged = true;
                solved.error = model
                    .most_steps(discount, control)?
                    .map(|steps| steps * residual);
                break;
            }
        }

        Ok(solved)
    }

    /// Returns the largest change of a value.
    fn sweep(&mut self, model: &Model, discount: f64) -> f64 {
        let mut residual = 0.0_f64;
        for seen in &model.seen {
            let mut best = f64::NEG_INFINITY;
            for action in &model.actions[seen.actions.clone()] {
                let next = &model.next[action.next.clone()];
                let later: f64 = next
                    .iter()
                    .map(|&(state, p)| p * self.values[state.index()])
                    .sum();
                let value = seen.reward + discount * later;
                self.actions[seen.state.index()][action.mv.index()] = value;
                best = best.max(value);
            }
            let value = &mut self.values[seen.state.index()];
            residual = residual.max((best - *value).abs());
            *value = best;
        }
        residual
    }

    /// The slide with the highest value in a state, by the process alone; `tie` picks one of `n`.
    pub(super) fn best(
        &self,
        state: State,
        legal: Moves,
        tie: impl FnOnce(usize) -> usize,
    ) -> Option<Move> {
        let worth = |mv: Move| self.actions[state.index()][mv.index()];
        let most = legal.iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
        let among: Moves = legal.iter().filter(|&mv| worth(mv) == most).collect();
        among.nth(tie(among.len().max(1)))
    }
}
