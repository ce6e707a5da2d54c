//! How often the window is drawn while games are played.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::task::lock;

/// Who starts a run watches its bars grow; who waits for a long one reads numbers now and then. A frame costs more than the
/// games that end meanwhile.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<Option<Burst>>);

/// News without a break.
#[derive(Clone, Copy, Debug)]
struct Burst {
    began: Instant,
    last: Instant,
}

impl Pace {
    /// Thirty frames a second are enough for growing bars.
    const QUICK: Duration = Duration::from_millis(33);
    /// Three frames a second.
    const STEADY: Duration = Duration::from_millis(330);
    /// So long bars are watched.
    const WATCHED: Duration = Duration::from_secs(3);
    /// A longer break begins anew.
    const BREAK: Duration = Duration::from_secs(1);

    /// How long news of this moment may wait for the next frame.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let mut burst = lock(&self.0);
        let goes_on = burst.filter(|burst| now.saturating_duration_since(burst.last) < Self::BREAK);
        let Burst { began, .. } = *burst.insert(Burst { began: goes_on.map_or(now, |burst| burst.began), last: now });
        if now.saturating_duration_since(began) < Self::WATCHED { Self::QUICK } else { Self::STEADY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_seconds_are_drawn_often_and_a_long_run_three_times_a_second() {
        let (pace, start) = (Pace::default(), Instant::now());
        let at = |millis| pace.wait(start + Duration::from_millis(millis));
        assert!((0..2900).step_by(100).all(|millis| at(millis) == Pace::QUICK));
        assert!((3000..60_000).step_by(100).all(|millis| at(millis) == Pace::STEADY));
        assert!((250..=500).contains(&Pace::STEADY.as_millis()), "two to four a second");
        assert_eq!(at(62_000), Pace::QUICK, "another run, or one that was held");
    }
}
