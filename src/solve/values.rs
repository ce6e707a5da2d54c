//! The value of each board, from the last layer to the first.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::layers::{OPENINGS, Rules};
use super::table::{Table, TableLayer};
use super::{Goal, Layer, Opening, Question, Solution, SolveError, go_on};
use crate::game::{Move, Moves};
use crate::stats::total_probability;
use crate::task::Control;

/// Values that differ by no more than this count as equal.
const ROUNDING: f64 = 1e-12;

/// Boards in order, with their values.
#[derive(Debug, Default)]
struct Valued {
    keys: Vec<u64>,
    values: Vec<f64>,
}

impl Valued {
    fn value(&self, key: u64) -> f64 {
        // Every board that is looked up follows one of an earlier layer, so it was enumerated.
        self.keys
            .binary_search(&key)
            .map_or(0.0, |place| self.values[place])
    }
}

/// The values of every board that games can reach. `Err` if it was cancelled.
pub(super) fn solve(question: &Question, control: &Control) -> Result<Solution, SolveError> {
    let rules = Rules::of(question);
    let openings = rules.openings();
    solve_from(question, rules, &openings, &OPENINGS, control)
}

/// The same for games that begin with these boards, whose sums lie in this range.
pub(super) fn solve_from(
    question: &Question,
    rules: Rules,
    openings: &[(u64, f64)],
    first: &RangeInclusive<u64>,
    control: &Control,
) -> Result<Solution, SolveError> {
    let mut layers = enumerate(question, &rules, openings, first, control)?;
    let backward = Backward {
        rules: &rules,
        goal: question.goal,
    };
    let total: u64 = layers.iter().map(|(_, states)| states.len() as u64).sum();
    let mut counted: Vec<Layer> = Vec::with_capacity(layers.len());
    let mut table: Vec<TableLayer<f64>> = Vec::with_capacity(layers.len());
    let mut opened: Vec<Opening> = Vec::with_capacity(openings.len());
    let (mut next, mut after_next) = (Valued::default(), Valued::default());

    control.begin("valuing", "board", total);
    while let Some((sum, keys)) = layers.pop() {
        go_on(control)?;
        let afters = backward.afterstates(&keys, &next, &after_next);
        let (values, dead) = backward.states(&keys, &afters);
        let states = Valued { keys, values };
        control.add(states.keys.len() as u64);
        counted.push(Layer {
            sum,
            states: states.keys.len() as u64,
            afterstates: afters.keys.len() as u64,
            dead,
        });
        if first.contains(&sum) {
            let here = openings
                .iter()
                .filter(|&&(key, _)| rules.shape.tile_sum(key) == sum);
            opened.extend(
                here.map(|&(key, probability)| {
                    backward.opening(key, probability, &states, &afters)
                }),
            );
        }
        table.push(TableLayer {
            sum,
            keys: afters.keys,
            values: afters.values,
        });
        (next, after_next) = (states, next);
    }

    counted.reverse();
    table.reverse();
    opened.sort_by(|a, b| {
        b.probability
            .total_cmp(&a.probability)
            .then_with(|| b.value.total_cmp(&a.value))
    });
    let value = backward.rounded(
        opened
            .iter()
            .map(|opening| opening.probability * opening.value)
            .sum(),
    );
    let states = counted.iter().map(|layer| layer.states).sum();
    let dead = counted.iter().map(|layer| layer.dead).sum();
    let table = Table::of(*question, rules.shape, value, [states, dead], table);
    Ok(Solution {
        value,
        openings: opened,
        layers: counted,
        table,
    })
}

/// All boards to move, by the sums of their tiles.
fn enumerate(
    question: &Question,
    rules: &Rules,
    openings: &[(u64, f64)],
    first: &RangeInclusive<u64>,
    control: &Control,
) -> Result<Vec<(u64, Vec<u64>)>, SolveError> {
    let mut layers: Vec<(u64, Vec<u64>)> = Vec::new();
    let (mut two_below, mut four_below): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    control.begin("finding", "board", question.bound().states);
    for sum in (*first.start()..).step_by(2) {
        go_on(control)?;
        let states = rules.states(sum, openings, &two_below, &four_below);
        let afters = rules.afterstates(&states);
        control.add(states.len() as u64);
        let is_over = states.is_empty()
            && two_below.is_empty()
            && four_below.is_empty()
            && !first.contains(&sum);
        if is_over {
            break;
        }
        layers.push((sum, states));
        (two_below, four_below) = (afters, two_below);
    }

    Ok(layers)
}

struct Backward<'a> {
    rules: &'a Rules,
    goal: Goal,
}

impl Backward<'_> {
    fn points(&self, reward: u32) -> f64 {
        match self.goal {
            Goal::Score => f64::from(reward),
            Goal::Reach(_) => 0.0,
        }
    }

    /// A value without what rounding has added to a probability.
    fn rounded(&self, value: f64) -> f64 {
        match self.goal {
            Goal::Score => value,
            Goal::Reach(_) => total_probability([value]),
        }
    }

    /// The afterstates of some boards, each with its mean over new tiles.
    fn afterstates(&self, states: &[u64], next: &Valued, after_next: &Valued) -> Valued {
        let keys = self.rules.afterstates(states);
        let shape = &self.rules.shape;
        let value = |&after: &u64| {
            let (mut sum, mut cells) = (0.0, 0);
            for cell in shape.empty(after) {
                cells += 1;
                for (rank, probability) in self.rules.spawns() {
                    let key = after | (cell * rank);
                    let layer = if rank == 1 { next } else { after_next };
                    let value = if self.rules.is_won(key) {
                        1.0
                    } else {
                        layer.value(shape.canonical(key))
                    };
                    sum += probability * value;
                }
            }
            sum / f64::from(cells.max(1))
        };

        let values = keys.par_iter().with_min_len(256).map(value).collect();
        Valued { keys, values }
    }

    /// The values of the best slides, and how many boards have none.
    fn states(&self, states: &[u64], afters: &Valued) -> (Vec<f64>, u64) {
        let best = |&key: &u64| {
            self.slides(key, afters)
                .map(|(_, value)| value)
                .reduce(f64::max)
        };
        let best: Vec<Option<f64>> = states.par_iter().with_min_len(256).map(best).collect();
        let dead = best.iter().filter(|value| value.is_none()).count() as u64;
        (
            best.into_iter().map(|value| value.unwrap_or(0.0)).collect(),
            dead,
        )
    }

    fn slides(&self, key: u64, afters: &Valued) -> impl Iterator<Item = (Move, f64)> {
        self.rules.shape.legal(key).map(|(mv, slid)| {
            let is_won = self.rules.is_won(slid.key);
            let later = if is_won {
                1.0
            } else {
                afters.value(self.rules.shape.canonical(slid.key))
            };
            (mv, self.points(slid.reward) + later)
        })
    }

    fn opening(&self, key: u64, probability: f64, states: &Valued, afters: &Valued) -> Opening {
        let board = self.rules.shape.board(key);
        if self.rules.is_won(key) {
            return Opening {
                board,
                probability,
                value: 1.0,
                best: Moves::NONE,
            };
        }
        let value = self.rounded(states.value(key));
        let enough = value - value.abs() * ROUNDING;
        let best = self
            .slides(key, afters)
            .filter(|&(_, other)| enough <= other)
            .map(|(mv, _)| mv)
            .collect();
        Opening {
            board,
            probability,
            value,
            best,
        }
    }
}
