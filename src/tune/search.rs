//! CMA-ES by question and answer.
//!
//! The state of the search is what was asked for and what was told: it is played through again from the first generation
//! whenever the next is asked for, which takes moments. So the search needs no checkpoint but its answers.

use std::cell::{Cell, RefCell};

use cmaes::{CMAESOptions, DVector, Weights};

use crate::math;

/// A search for the least of a function of several numbers, each on a scale of about 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    pub start: Vec<f64>,
    /// How far from the start it looks at first.
    pub step: f64,
    pub seed: u64,
}

/// What a generation is to be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub points: Vec<Vec<f64>>,
    /// The middle of the distribution that they are drawn from.
    pub mean: Vec<f64>,
    /// How wide it is.
    pub step: f64,
}

impl Search {
    /// Points of a generation (Hansen's default).
    pub fn population(&self) -> usize {
        4 + (3.0 * math::ln(self.start.len() as f64)).floor() as usize
    }

    /// How many of them the next generation grows from: the better half.
    pub fn parents(&self) -> usize {
        self.population() / 2
    }

    /// The next generation, where `told` has a value for each point of each one before; less is better, and only their order
    /// counts. `None` of a start that is no start.
    pub fn ask(&self, told: &[Vec<f64>]) -> Option<Asked> {
        let answers: Vec<f64> = told.concat();
        let (count, points) = (Cell::new(0), RefCell::new(Vec::new()));
        let objective = |point: &DVector<f64>| {
            let index = count.replace(count.get() + 1);
            answers.get(index).copied().unwrap_or_else(|| {
                points.borrow_mut().push(point.as_slice().to_vec());
                0.0
            })
        };

        let options = CMAESOptions::new(self.start.clone(), self.step).population_size(self.population());
        // Candidates that are dropped early have no order among themselves, and negative weights would take one from them.
        let mut search = options.weights(Weights::Positive).seed(self.seed).build(objective).ok()?;
        // Its criteria of convergence look at values, and it is told ranks.
        told.iter().for_each(|_| drop(search.next()));
        let (mean, step) = (search.mean().as_slice().to_vec(), search.sigma());
        drop(search.next());
        drop(search);
        Some(Asked { points: points.into_inner(), mean, step })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_what_it_was_told() {
        let search = Search { start: vec![1.0, -2.0, 0.5], step: 0.3, seed: 7 };
        let mut told: Vec<Vec<f64>> = Vec::new();
        for _ in 0..12 {
            let asked = search.ask(&told).expect("a start");
            assert_eq!(asked.points.len(), search.population());
            assert_eq!(Some(&asked), search.ask(&told).as_ref());
            told.push(asked.points.iter().map(|point| point.iter().map(|x| x * x).sum()).collect());
        }

        let [first, last] = [&told[..1], &told].map(|told| search.ask(told).expect("a start").mean);
        let size = |point: &[f64]| point.iter().map(|x| x * x).sum::<f64>();
        assert!(size(&last) < 0.2 * size(&first), "{first:?} {last:?}");
        let other = Search { seed: 8, ..search };
        assert_ne!(
            other.ask(&[]).map(|asked| asked.points),
            Search { seed: 7, ..other.clone() }.ask(&[]).map(|asked| asked.points)
        );
    }
}
