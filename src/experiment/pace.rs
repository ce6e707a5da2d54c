//! The duration of the games of one contestant.
//!
//! The first games build tables and fill caches; for a strategy of one ply they take as long as thousands of later
//! ones. They count only until there are others. Older games count less and less, so the pace is that of the last half
//! minute or of the last fifty games, whichever is longer.

use std::time::{Duration, Instant};

/// The window that counts in full.
const WINDOW_SECS: f64 = 30.0;
const WINDOW_GAMES: f64 = 50.0;

/// A longer batch is not cold, however early it began: tables are built in less time.
const LONGEST_COLD: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    cold: Sum,
    warm: Sum,
    /// When the first batch ended. Batches that began before are cold as well.
    warm_since: Option<Instant>,
}

/// Games and their total seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    games: f64,
    secs: f64,
}

impl Pace {
    /// Adds games of a worker that began at `begun` and took `took` without pauses.
    pub(super) fn put(&mut self, games: u64, begun: Instant, took: Duration) {
        let is_cold = took < LONGEST_COLD && self.warm_since.is_none_or(|since| begun < since);
        self.warm_since.get_or_insert_with(Instant::now);
        let (games, secs) = (games as f64, took.as_secs_f64());
        let sum = if is_cold {
            &mut self.cold
        } else {
            &mut self.warm
        };
        let window = WINDOW_SECS.max(WINDOW_GAMES * secs / games.max(1.0));
        let weight = 1.0 - (secs / window).min(0.5);
        *sum = Sum {
            games: weight * sum.games + games,
            secs: weight * sum.secs + secs,
        };
    }

    /// Seconds per game; `None` before the first.
    pub(super) fn secs_per_game(&self) -> Option<f64> {
        let Sum { games, secs } = self.counted();
        (0.0 < games).then(|| secs / games)
    }

    /// The relative uncertainty of the pace, which falls with the number of games.
    pub(super) fn doubt(&self) -> f64 {
        1.0 / self.counted().games.max(1.0).sqrt()
    }

    fn counted(&self) -> Sum {
        if 0.0 < self.warm.games {
            self.warm
        } else {
            self.cold
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cold_start_is_forgotten() {
        let mut pace = Pace::default();
        assert_eq!(pace.secs_per_game(), None);
        let begun = Instant::now();
        // Two threads begin together, and tables are built for half a second.
        pace.put(8, begun, Duration::from_millis(500));
        pace.put(8, begun, Duration::from_millis(510));
        assert!(0.06 < pace.secs_per_game().expect("games") && 0.2 < pace.doubt());
        pace.put(100, Instant::now(), Duration::from_millis(25));
        assert_eq!(pace.secs_per_game(), Some(0.000_25));
        assert!((pace.doubt() - 0.1).abs() < 1e-12);
    }

    #[test]
    fn long_games_are_never_cold_and_the_pace_follows_the_machine() {
        let mut pace = Pace::default();
        let begun = Instant::now();
        pace.put(1, begun, Duration::from_secs(10));
        pace.put(1, begun, Duration::from_secs(20));
        assert!((14.0..16.0).contains(&pace.secs_per_game().expect("games")));
        for _ in 0..500 {
            pace.put(1, Instant::now(), Duration::from_secs(30));
        }
        assert!((29.5..=30.0).contains(&pace.secs_per_game().expect("games")));
        assert!((0.1..0.2).contains(&pace.doubt()), "{}", pace.doubt());
    }
}
