//! The race of a generation: all candidates play the same games, and a candidate that is surely in the worse half stops
//! playing.

use std::ops::Range;

use crate::math;
use crate::stats::{Interval, mean_interval, student_t};

/// Plays the games of candidates.
pub trait Arena {
    /// The result of each candidate in the games of these indices, in order; more is better. `None` if it was stopped.
    fn play(&mut self, candidates: &[Vec<f64>], indices: Range<u64>) -> Option<Vec<Vec<f64>>>;
}

/// The result of a race.
#[derive(Clone, Debug, PartialEq)]
pub struct Raced {
    /// The place of each candidate, the best 0; those that were dropped last come before those that were dropped first.
    pub places: Vec<f64>,
    /// The results of the center of the distribution, which plays the first round but does not race.
    pub centre: Vec<f64>,
    /// The mean of the best candidate; too high, as it is the best of several.
    pub best: f64,
    /// Games of all candidates together.
    pub games: u64,
    /// Candidates that were dropped before the last round.
    pub dropped: usize,
    /// One beyond the last index that was played.
    pub end: u64,
}

/// Rounds of a race: each doubles the games of the remaining candidates.
const ROUNDS: u32 = 3;

/// The probability, over all rounds of a race together, that some candidate of the better half is dropped.
const ERROR: f64 = 0.05;

/// The most games of a race with this many candidates and games in the first round.
pub(super) const fn most_games(candidates: u64, first: u64) -> u64 {
    (candidates << (ROUNDS - 1)) * first + first
}

/// One beyond the last index that a race may play.
pub(super) const fn end_of(start: u64, first: u64) -> u64 {
    start + (first << (ROUNDS - 1))
}

/// Races candidates from index `start` on, with `first` games in the first round, to find the best `keep`. The center
/// plays the first round too. `None` if it was stopped.
pub fn race(
    arena: &mut dyn Arena,
    centre: &[f64],
    candidates: &[Vec<f64>],
    keep: usize,
    start: u64,
    first: u64,
) -> Option<Raced> {
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); candidates.len()];
    let mut alive: Vec<usize> = (0..candidates.len()).collect();
    // From the first that was dropped to the last; within a round the worst first.
    let mut out: Vec<usize> = Vec::new();
    let (mut of_centre, mut games, mut at) = (Vec::new(), 0, start);
    for round in 0..ROUNDS {
        let end = start + (first << round);
        let mut playing: Vec<Vec<f64>> = alive
            .iter()
            .map(|&index| candidates[index].clone())
            .collect();
        playing.extend((round == 0).then(|| centre.to_vec()));
        let mut played = arena.play(&playing, at..end)?;
        games += playing.len() as u64 * (end - at);
        if round == 0 {
            of_centre = played.pop()?;
        }

        alive
            .iter()
            .zip(played)
            .for_each(|(&index, more)| scores[index].extend(more));
        at = end;
        alive.sort_by(|&a, &b| {
            mean(&scores[b])
                .total_cmp(&mean(&scores[a]))
                .then(a.cmp(&b))
        });
        if round + 1 == ROUNDS || alive.len() <= keep {
            break;
        }

        // Candidates are compared with the last one that would be kept, on the same games.
        let edge = alive[keep - 1];
        let error = ERROR / (f64::from(ROUNDS - 1) * candidates.len() as f64);
        let (better, worse): (Vec<usize>, Vec<usize>) = alive.iter().partition(|&&index| {
            index == edge || !is_surely_below(&scores[index], &scores[edge], error)
        });
        out.extend(worse.into_iter().rev());
        alive = better;
        if alive.len() <= keep {
            break;
        }
    }

    let dropped = out.len();
    let order: Vec<usize> = alive.iter().copied().chain(out.into_iter().rev()).collect();
    let mut places = vec![0.0; candidates.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(place, &index)| places[index] = place as f64);
    let best = order
        .first()
        .map_or(f64::NAN, |&index| mean(&scores[index]));
    Some(Raced {
        places,
        centre: of_centre,
        best,
        games,
        dropped,
        end: at,
    })
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Whether a candidate is below another by the paired differences of their games, with this error probability.
fn is_surely_below(one: &[f64], other: &[f64], error: f64) -> bool {
    let differences: Vec<f64> = one
        .iter()
        .zip(other)
        .map(|(one, other)| one - other)
        .collect();
    let count = differences.len() as f64;
    2.0 <= count
        && mean(&differences) + student_t(count - 1.0, error) * std_dev(&differences) / count.sqrt()
            < 0.0
}

fn std_dev(values: &[f64]) -> f64 {
    let middle = mean(values);
    (values
        .iter()
        .map(|value| math::squared(value - middle))
        .sum::<f64>()
        / (values.len() as f64 - 1.0))
        .sqrt()
}

/// The mean with its 95% interval; no interval for a single value.
pub(super) fn mean_with_interval(values: &[f64]) -> (f64, Option<Interval>) {
    (
        mean(values),
        mean_interval(values.len() as u64, mean(values), std_dev(values)),
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::tune::Search;

    /// Candidates have a known value; each game adds noise that all games of its index share, and noise of its own.
    pub(in crate::tune) struct Known<F> {
        pub worth: F,
        pub shared: f64,
        pub own: f64,
    }

    fn noise(a: u64, b: u64) -> f64 {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        (a, b).hash(&mut hasher);
        // A sum of uniform numbers is close enough to normal.
        (0..12)
            .map(|part| ((hasher.finish() >> (part * 5)) & 31) as f64 / 31.0)
            .sum::<f64>()
            - 6.0
    }

    impl<F: Fn(&[f64]) -> f64> Arena for Known<F> {
        fn play(&mut self, candidates: &[Vec<f64>], indices: Range<u64>) -> Option<Vec<Vec<f64>>> {
            let results = |candidate: &Vec<f64>| {
                let worth = (self.worth)(candidate);
                let id = candidate
                    .iter()
                    .fold(0, |id: u64, x| id.rotate_left(9) ^ x.to_bits());
                indices
                    .clone()
                    .map(|game| worth + self.shared * noise(game, 0) + self.own * noise(game, id))
                    .collect()
            };
            Some(candidates.iter().map(results).collect())
        }
    }

    fn tuned(arena: &mut dyn Arena, search: &Search, generations: u64, first: u64) -> Vec<f64> {
        let mut results = Vec::new();
        let mut at = 0;
        for _ in 0..generations {
            let proposal = search.ask(&results).expect("a start");
            let raced = race(
                arena,
                &proposal.mean,
                &proposal.points,
                search.parents(),
                at,
                first,
            )
            .expect("not stopped");
            assert!(
                raced.games <= most_games(search.population() as u64, first)
                    && raced.end <= end_of(at, first)
            );
            at = raced.end;
            results.push(raced.places);
        }
        search.ask(&results).expect("a start").mean
    }

    #[test]
    fn the_optimum_of_a_quadratic_is_found_with_noise_and_without() {
        let best = [2.0, -1.0, 0.5];
        let worth = |point: &[f64]| {
            -point
                .iter()
                .zip(best)
                .map(|(x, best)| math::squared(x - best))
                .sum::<f64>()
        };
        let search = Search {
            start: vec![0.0; 3],
            step: 0.5,
            seed: 3,
        };
        let away = |point: Vec<f64>| -worth(&point);
        let plain = tuned(
            &mut Known {
                worth,
                shared: 0.0,
                own: 0.0,
            },
            &search,
            60,
            2,
        );
        assert!(away(plain) < 1e-6);
        let noisy = tuned(
            &mut Known {
                worth,
                shared: 3.0,
                own: 0.3,
            },
            &search,
            60,
            8,
        );
        assert!(away(noisy.clone()) < 0.1, "{noisy:?}");
    }

    #[test]
    fn a_race_drops_who_is_surely_worse_and_keeps_the_order_of_the_rest() {
        let worth = |point: &[f64]| point[0];
        let mut arena = Known {
            worth,
            shared: 5.0,
            own: 0.2,
        };
        let candidates: Vec<Vec<f64>> = [0.0, 9.0, 3.0, 8.0, 1.0, 2.0].map(|x| vec![x]).to_vec();
        let raced = race(&mut arena, &[4.0], &candidates, 2, 100, 8).expect("not stopped");
        assert_eq!(
            (
                raced.dropped,
                raced.places[1],
                raced.places[3],
                raced.centre.len()
            ),
            (4, 0.0, 1.0, 8)
        );
        assert_eq!(
            (raced.games, raced.end),
            (7 * 8, 108),
            "who is to be kept is known after a round"
        );
        let mut places = raced.places.clone();
        places.sort_by(f64::total_cmp);
        assert_eq!(places, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        // If no candidate is better, all play to the end, apart from the allowed errors.
        let mut level = Known {
            worth: |_: &[f64]| 0.0,
            shared: 1.0,
            own: 1.0,
        };
        let dropped = |start| {
            race(&mut level, &[4.0], &candidates, 3, start, 16)
                .expect("not stopped")
                .dropped
        };
        assert!((0..40).map(|race| race * 64).map(dropped).sum::<usize>() < 8);
    }

    #[test]
    fn the_interval_of_the_verification_holds_and_that_of_the_choice_would_not() {
        // Seven candidates with the same value: whichever is chosen, its value is 0.
        let candidates: Vec<Vec<f64>> = (0..7).map(|index| vec![f64::from(index)]).collect();
        let (mut covered, mut too_high) = (0, 0);
        let runs = 400_u64;
        for run in 0..runs {
            let mut arena = Known {
                worth: |_: &[f64]| 0.0,
                shared: 1.0,
                own: 1.0,
            };
            let raced =
                race(&mut arena, &[-1.0], &candidates, 3, run * 1000, 16).expect("not stopped");
            let winner = raced
                .places
                .iter()
                .position(|&place| place == 0.0)
                .expect("a winner");
            let fresh = arena
                .play(
                    &candidates[winner..=winner],
                    run * 1000 + 500..run * 1000 + 600,
                )
                .expect("games");
            let (_, interval) = mean_with_interval(&fresh[0]);
            covered += u64::from(interval.expect("games").contains(0.0));
            too_high += u64::from(0.0 < raced.best);
        }

        assert!(
            (0.92..=0.98).contains(&(covered as f64 / runs as f64)),
            "{covered} of {runs}"
        );
        assert!(
            0.6 < too_high as f64 / runs as f64,
            "{too_high} of {runs}: the best of a choice looks better than it is"
        );
    }
}
