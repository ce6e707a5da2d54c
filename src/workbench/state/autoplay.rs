//! Autoplay: the strategy plays at a chosen speed.

use std::time::{Duration, Instant};

/// The available speeds, in moves per second; the last is as fast as frames and cores allow.
pub const SPEEDS: [f32; 9] = [1.0, 2.0, 4.0, 8.0, 12.0, 25.0, 50.0, 100.0, 1000.0];

/// Maximum number of moves between two frames, so that the window stays responsive.
const MOST_AT_ONCE: u32 = 50;

#[derive(Clone, Copy, Debug)]
pub struct Autoplay {
    next: Instant,
}

impl Autoplay {
    pub fn new(now: Instant) -> Self {
        Self { next: now }
    }

    /// The number of moves due at `now`, and the time until the next one.
    pub fn due(&mut self, now: Instant, speed: f32) -> (u32, Duration) {
        let period = period(speed);
        let mut due = 0;
        while self.next <= now && due < MOST_AT_ONCE {
            self.next += period;
            due += 1;
        }
        // Moves missed by a slow frame are skipped.
        self.next = self.next.max(now);
        (due, self.next.saturating_duration_since(now))
    }

    pub fn wait(&self, now: Instant) -> Duration {
        self.next.saturating_duration_since(now)
    }

    /// Records a move at `now`; the next is due one period later. A late frame does not slow the game down, and a late
    /// decision does not speed it up.
    pub fn played(&mut self, now: Instant, speed: f32) {
        /// Maximum delay between the request and the drawing of a frame.
        const FRAME: Duration = Duration::from_millis(20);
        let period = period(speed);
        let late = now.saturating_duration_since(self.next);
        self.next = if late < FRAME.min(period / 2) {
            self.next
        } else {
            now
        } + period;
    }
}

fn period(speed: f32) -> Duration {
    Duration::from_secs_f64(1.0 / f64::from(speed.clamp(0.1, 10_000.0)))
}

/// The next faster or slower of [`SPEEDS`].
pub fn changed(speed: f32, faster: bool) -> f32 {
    let next = if faster {
        SPEEDS.into_iter().find(|&other| speed < other)
    } else {
        SPEEDS.into_iter().rev().find(|&other| other < speed)
    };
    next.unwrap_or(speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_at_the_chosen_speed() {
        let start = Instant::now();
        let mut autoplay = Autoplay::new(start);
        assert_eq!(autoplay.due(start, 10.0), (1, Duration::from_millis(100)));
        assert_eq!(autoplay.due(start + Duration::from_millis(50), 10.0).0, 0);
        assert_eq!(autoplay.due(start + Duration::from_millis(300), 10.0).0, 3);
        let late = autoplay.due(start + Duration::from_secs(3600), 1000.0);
        assert_eq!(late.0, MOST_AT_ONCE);
        assert_eq!(
            autoplay.due(start + Duration::from_secs(3600), 1000.0).0,
            1,
            "what was missed is not made up"
        );
    }

    #[test]
    fn a_late_decision_is_not_made_up_for() {
        let start = Instant::now();
        let ms = Duration::from_millis;
        let mut autoplay = Autoplay::new(start);
        assert_eq!(autoplay.wait(start), Duration::ZERO);
        autoplay.played(start, 10.0);
        assert_eq!(autoplay.wait(start), ms(100));
        // A late frame keeps the pace.
        autoplay.played(start + ms(110), 10.0);
        assert_eq!(autoplay.wait(start + ms(110)), ms(90));
        // After a late decision, the next move is a whole period away.
        autoplay.played(start + ms(3290), 10.0);
        assert_eq!(autoplay.wait(start + ms(3290)), ms(100));
    }

    #[test]
    fn speeds_step_up_and_down_and_end() {
        assert_eq!(changed(8.0, true), 12.0);
        assert_eq!(changed(8.0, false), 4.0);
        assert_eq!(changed(1.0, false), 1.0);
        assert_eq!(changed(1000.0, true), 1000.0);
    }
}
