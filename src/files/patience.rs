//! How writes wait for a disk that has no room.
//!
//! Long work keeps what it has done in memory until the disk takes it again. Without a terminal, as in a batch
//! system, it gives up after a while, so that the job ends and can be resumed.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::words;

/// How often a pause checks whether to end.
const LOOK: Duration = Duration::from_millis(50);

/// The pause before the next attempt.
const PAUSE: Duration = Duration::from_secs(2);

/// How long a write waits for a disk that has no room. The default is without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Patience(pub Option<Duration>);

/// The reason of an error that [`is_full`](super::is_full) or `is_without_room` finds.
pub const DISK_IS_FULL: &str = "the disk is full";

impl Patience {
    /// For work without a terminal or a window.
    pub const UNWATCHED: Self = Self(Some(Duration::from_secs(10 * 60)));

    /// Repeats a write until it succeeds, fails for another reason than `is_full`, or fails for longer than this. `wait`
    /// gets the error and a pause; it waits, and returns true to end the attempts. The result is then `None`.
    pub fn until_room<T, E>(
        self,
        mut write: impl FnMut() -> Result<T, E>,
        is_full: impl Fn(&E) -> bool,
        mut wait: impl FnMut(&E, Duration) -> bool,
    ) -> Result<Option<T>, E> {
        let since = Instant::now();
        loop {
            match write() {
                Ok(written) => return Ok(Some(written)),
                Err(error)
                    if is_full(&error) && self.0.is_none_or(|limit| since.elapsed() < limit) =>
                {
                    let pause = self.0.map_or(PAUSE, |limit| {
                        limit.saturating_sub(since.elapsed()).min(PAUSE)
                    });
                    if wait(&error, pause) {
                        return Ok(None);
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Why work waits: `who`, such as the run, cannot save `what`, such as games.
    pub fn waits(self, path: &Path, what: &str, who: &str, why: &str) -> String {
        let path = path.display();
        let limit = self.0.map_or(String::new(), |limit| {
            format!(", at most {}", words::time(limit.as_secs_f64()))
        });
        format!(
            "{path}: {what} cannot be saved ({why}): {who} waits until the disk has room{limit}"
        )
    }

    /// Why work gave up: none of `what` could be saved.
    pub fn is_over(self, path: &Path, what: &str, why: &str) -> String {
        let path = path.display();
        let limit = self.0.map_or(String::new(), |limit| {
            format!(" for {}", words::time(limit.as_secs_f64()))
        });
        let remedy = "make room on the disk and run the same command again to resume";
        format!("{path}: no {what} could be saved{limit} ({why}): {remedy}")
    }
}

/// Sleeps for a pause; true as soon as the work has ended. `is_ended` is called again and again.
pub fn sleep_unless(pause: Duration, mut is_ended: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + pause;
    while Instant::now() < until && !is_ended() {
        std::thread::sleep(LOOK.min(pause));
    }
    is_ended()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_repeated_while_the_disk_is_full() {
        let patience = |millis: u64| Patience(Some(Duration::from_millis(millis)));
        let after = |failures: u32, patience: Patience, mut wait: Box<dyn FnMut() -> bool>| {
            let mut tries = 0;
            let write = || {
                tries += 1;
                if failures < tries {
                    Ok("written")
                } else {
                    Err("full")
                }
            };
            let found = patience.until_room(write, |error| *error == "full", |_, _| wait());
            (found, tries)
        };
        assert_eq!(
            after(
                0,
                Patience::default(),
                Box::new(|| panic!("no reason to wait"))
            ),
            (Ok(Some("written")), 1)
        );
        assert_eq!(
            after(3, Patience::default(), Box::new(|| false)),
            (Ok(Some("written")), 4)
        );
        assert_eq!(
            after(3, Patience::default(), Box::new(|| true)),
            (Ok(None), 1)
        );
        assert_eq!(
            after(3, patience(0), Box::new(|| panic!("no time to wait"))),
            (Err("full"), 1)
        );

        let (found, tries) = after(u32::MAX, patience(20), Box::new(|| false));
        assert!(found == Err("full") && 1 < tries, "{tries}");
        let other = Patience::default().until_room(
            || Err::<(), _>("denied"),
            |error| *error == "full",
            |_, _| false,
        );
        assert_eq!(other, Err("denied"));
    }

    #[test]
    fn a_pause_ends_with_the_limit() {
        let limit = Duration::from_millis(300);
        let mut pauses = Vec::new();
        let wait = |_: &(), pause: Duration| {
            pauses.push(pause);
            true
        };
        assert_eq!(
            Patience(Some(limit)).until_room(|| Err::<(), ()>(()), |()| true, wait),
            Ok(None)
        );
        assert!(
            matches!(pauses[..], [pause] if pause <= limit),
            "{pauses:?}"
        );
    }
}
