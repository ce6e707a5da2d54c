//! The strategy playing on by itself at a chosen speed.

use std::time::{Duration, Instant};

/// Moves per second that can be chosen; the last is as fast as frames and cores allow.
pub const SPEEDS: [f32; 9] = [1.0, 2.0, 4.0, 8.0, 12.0, 25.0, 50.0, 100.0, 1000.0];

/// Most moves made between two frames, so that the window stays responsive at any speed.
const MOST_AT_ONCE: u32 = 50;

/// A clock that says how many moves are due.
#[derive(Clone, Copy, Debug)]
pub struct Autoplay {
    next: Instant,
}

impl Autoplay {
    /// Starts with a move at once.
    pub fn new(now: Instant) -> Self {
        Self { next: now }
    }

    /// Moves due at `now`, and how long to wait for the one after them.
    pub fn due(&mut self, now: Instant, speed: f32) -> (u32, Duration) {
        let period = Duration::from_secs_f64(1.0 / f64::from(speed.clamp(0.1, 10_000.0)));
        let mut due = 0;
        while self.next <= now && due < MOST_AT_ONCE {
            self.next += period;
            due += 1;
        }
        // Moves that a slow frame missed are not made up for later.
        self.next = self.next.max(now);
        (due, self.next.saturating_duration_since(now))
    }
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
        assert_eq!(autoplay.due(start + Duration::from_secs(3600), 1000.0).0, 1, "what was missed is not made up");
    }

    #[test]
    fn speeds_step_up_and_down_and_end() {
        assert_eq!(changed(8.0, true), 12.0);
        assert_eq!(changed(8.0, false), 4.0);
        assert_eq!(changed(1.0, false), 1.0);
        assert_eq!(changed(1000.0, true), 1000.0);
    }
}
