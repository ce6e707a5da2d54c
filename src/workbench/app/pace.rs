//! The frame rate of the window during a run.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::task::lock;

/// Users watch the bars of a new run grow, but only glance at a long one. A frame costs more than the games that finish
/// meanwhile.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<Option<Burst>>);

/// Updates without a break.
#[derive(Clone, Copy, Debug)]
struct Burst {
    began: Instant,
    last: Instant,
}

impl Pace {
    /// Thirty frames per second are enough for growing bars.
    const QUICK: Duration = Duration::from_millis(33);
    /// Three frames per second.
    const STEADY: Duration = Duration::from_millis(330);
    /// The time for which bars are watched.
    const WATCHED: Duration = Duration::from_secs(3);
    /// A longer break starts a new burst.
    const BREAK: Duration = Duration::from_secs(1);

    /// The maximum delay of an update at this time.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let mut burst = lock(&self.0);
        let goes_on = burst.filter(|burst| now.saturating_duration_since(burst.last) < Self::BREAK);
        let Burst { began, .. } = *burst.insert(Burst {
            began: goes_on.map_or(now, |burst| burst.began),
            last: now,
        });
        if now.saturating_duration_since(began) < Self::WATCHED {
            Self::QUICK
        } else {
            Self::STEADY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_seconds_are_drawn_often_and_a_long_run_three_times_a_second() {
        let (pace, start) = (Pace::default(), Instant::now());
        let at = |millis| pace.wait(start + Duration::from_millis(millis));
        assert!(
            (0..2900)
                .step_by(100)
                .all(|millis| at(millis) == Pace::QUICK)
        );
        assert!(
            (3000..60_000)
                .step_by(100)
                .all(|millis| at(millis) == Pace::STEADY)
        );
        assert!(
            (250..=500).contains(&Pace::STEADY.as_millis()),
            "two to four a second"
        );
        assert_eq!(at(62_000), Pace::QUICK, "another run, or a resumed one");
    }
}
