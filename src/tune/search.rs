//! CMA-ES in steps: it proposes points and receives their order.
//!
//! The search has no state besides its seed and the answers it was given: to propose a generation it is repeated from
//! the first, which takes moments. So a checkpoint consists of the answers alone.

use std::cell::{Cell, RefCell};

use cmaes::{CMAESOptions, DVector, Weights};

use crate::math;

/// A search for the minimum of a function of several numbers, each on a scale of about 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    pub start: Vec<f64>,
    /// The width of the first distribution around the start.
    pub step: f64,
    pub seed: u64,
}

/// A proposed generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    pub points: Vec<Vec<f64>>,
    /// The center of the distribution that they are drawn from.
    pub mean: Vec<f64>,
    /// The width of the distribution.
    pub step: f64,
}

impl Search {
    /// Points in a generation (Hansen's default).
    pub fn population(&self) -> usize {
        4 + (3.0 * math::ln(self.start.len() as f64)).floor() as usize
    }

    /// How many of them the next generation is derived from: the better half.
    pub fn parents(&self) -> usize {
        self.population() / 2
    }

    /// The next generation, where `results` has a value for each point of each previous one; less is better, and only
    /// their order counts. `None` if the start is not valid.
    pub fn ask(&self, results: &[Vec<f64>]) -> Option<Proposal> {
        let answers: Vec<f64> = results.concat();
        let (count, points) = (Cell::new(0), RefCell::new(Vec::new()));
        let objective = |point: &DVector<f64>| {
            let index = count.replace(count.get() + 1);
            answers.get(index).copied().unwrap_or_else(|| {
                points.borrow_mut().push(point.as_slice().to_vec());
                0.0
            })
        };

        let options =
            CMAESOptions::new(self.start.clone(), self.step).population_size(self.population());
        // Candidates that are dropped early have no order among themselves, and negative weights would need one.
        let mut search = options
            .weights(Weights::Positive)
            .seed(self.seed)
            .build(objective)
            .ok()?;
        // The results of its convergence criteria are ignored: they look at values, and the search is given ranks.
        results.iter().for_each(|_| drop(search.next()));
        let (mean, step) = (search.mean().as_slice().to_vec(), search.sigma());
        drop(search.next());
        drop(search);
        Some(Proposal {
            points: points.into_inner(),
            mean,
            step,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_what_it_was_told() {
        let search = Search {
            start: vec![1.0, -2.0, 0.5],
            step: 0.3,
            seed: 7,
        };
        let mut results: Vec<Vec<f64>> = Vec::new();
        for _ in 0..12 {
            let proposal = search.ask(&results).expect("a start");
            assert_eq!(proposal.points.len(), search.population());
            assert_eq!(Some(&proposal), search.ask(&results).as_ref());
            results.push(
                proposal
                    .points
                    .iter()
                    .map(|point| point.iter().map(|x| x * x).sum())
                    .collect(),
            );
        }

        let [first, last] =
            [&results[..1], &results].map(|results| search.ask(results).expect("a start").mean);
        let size = |point: &[f64]| point.iter().map(|x| x * x).sum::<f64>();
        assert!(size(&last) < 0.2 * size(&first), "{first:?} {last:?}");
        let other = Search { seed: 8, ..search };
        assert_ne!(
            other.ask(&[]).map(|proposal| proposal.points),
            Search {
                seed: 7,
                ..other.clone()
            }
            .ask(&[])
            .map(|proposal| proposal.points)
        );
    }
}
