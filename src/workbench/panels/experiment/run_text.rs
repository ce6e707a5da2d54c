//! The progress of the run as text.

use std::time::Duration;

use crate::experiment::{Progress, State};
use crate::words;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunText {
    /// "30,400 of 35,000 games".
    pub count: String,
    /// The widest text of `count`, so that nothing next to it moves.
    pub widest: String,
    /// From 0 to 1.
    pub share: f32,
    /// "1,240 games/s", empty before the speed is known.
    pub speed: String,
    /// "2:25 to 2:38 left", or how it ended.
    pub rest: String,
    pub failure: Option<String>,
}

impl RunText {
    pub(super) fn new(progress: &Progress) -> Self {
        // Games saved by a stop rule are not missing.
        let total = match &progress.state {
            State::RuleMet { each: Some(_), .. } => progress.work.done,
            _ => progress.work.total,
        };

        let read = progress.read.iter().sum::<u64>().min(progress.work.done);
        let all = words::plural(total, "game");
        let of_all = if progress.work.done == total && progress.state.has_ended() {
            all.clone()
        } else {
            format!("{} of {all}", words::count(progress.work.done))
        };

        let took = match read {
            0 => format!(" in {}", clock(progress.elapsed, false)),
            read if read == progress.work.done => ", all games reused".to_owned(),
            read => format!(
                " in {}, {} reused",
                clock(progress.elapsed, false),
                words::plural(read, "game")
            ),
        };

        let rest = match &progress.state {
            State::Running => match progress.left {
                None => "no estimate yet".to_owned(),
                Some((_, longest)) if !progress.gauges.is_empty() => {
                    format!("at most {} left", clock(longest, true))
                }
                Some(time) => left(time),
            },
            State::Paused => "Paused".to_owned(),
            State::Done => format!("✓ Done{took}"),
            State::Stopping => match progress.left {
                Some((_, longest)) => format!(
                    "Stopping: games in play end in about {}",
                    clock(longest, true)
                ),
                None => "Stopping: finishing the games in play".to_owned(),
            },
            State::Stopped => "Stopped, finished games saved".to_owned(),
            State::Cancelled => "Stopped at once: biased".to_owned(),
            State::RuleMet { .. } => format!("✓ Stop rule met{took}"),
            State::Failed(_) => "✗ Failed".to_owned(),
        };

        let speed = progress.games_per_second;
        let failure = if let State::Failed(sentence) = &progress.state {
            Some(sentence.clone())
        } else {
            None
        };
        Self {
            widest: if progress.state.has_ended() {
                of_all.clone()
            } else {
                format!("{} of {all}", words::count(total))
            },
            count: of_all,
            share: (progress.work.done as f64 / total.max(1) as f64) as f32,
            speed: if 0.0 < speed {
                format!("{} games/s", round_speed(speed))
            } else {
                String::new()
            },
            rest,
            failure,
        }
    }
}

/// Three digits are as precise as a speed is, and as much as one can read while it changes.
fn round_speed(speed: f64) -> String {
    if speed < 10.0 {
        return words::decimals(speed, 1);
    }
    let unit = 10f64.powf((speed.log10().floor() - 2.0).max(0.0));
    words::decimals((speed / unit).round() * unit, 0)
}

/// "2:25 to 2:38 left".
fn left((low, high): (Duration, Duration)) -> String {
    let (low, high) = (clock(low, true), clock(high, true));
    if low == high {
        format!("{low} left")
    } else {
        format!("{low} to {high} left")
    }
}

/// Minutes and seconds, with hours if needed; short times that do not count down have a decimal.
fn clock(time: Duration, counts_down: bool) -> String {
    let secs = time.as_secs_f64();
    if !counts_down && secs < 0.095 {
        return format!("{:.0} ms", (1000.0 * secs).max(1.0));
    }
    if !counts_down && secs < 59.95 {
        return format!("{secs:.1} s");
    }
    if counts_down && 48.0 * 3600.0 <= secs {
        return words::time(secs);
    }
    let whole = secs.round() as u64;
    let (hours, minutes, secs) = (whole / 3600, whole / 60 % 60, whole % 60);
    if 0 < hours {
        format!("{hours}:{minutes:02}:{secs:02}")
    } else {
        format!("{minutes}:{secs:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Work;

    #[test]
    fn the_run_bar_says_how_far_and_how_long() {
        let mut progress = Progress {
            work: Work {
                unit: "game",
                done: 30_400,
                total: 35_000,
                ..Work::default()
            },
            state: State::Running,
            finished_by_contestant: vec![15_200; 2],
            read: [0; 2],
            elapsed: Duration::from_secs(20),
            games_per_second: 1234.5,
            left: Some((Duration::from_secs(145), Duration::from_secs(158))),
            gauges: Vec::new(),
        };
        let text = RunText::new(&progress);
        assert_eq!(
            (text.count.as_str(), text.rest.as_str()),
            ("30,400 of 35,000 games", "2:25 to 2:38 left")
        );
        assert_eq!(text.speed, "1,230 games/s");
        progress.left = Some((Duration::from_millis(3700), Duration::from_millis(4200)));
        assert_eq!(RunText::new(&progress).rest, "0:04 left");
        progress.state = State::Failed("A worker stopped".to_owned());
        assert_eq!(
            RunText::new(&progress).failure.as_deref(),
            Some("A worker stopped")
        );
        progress.state = State::Done;
        assert_eq!(RunText::new(&progress).rest, "✓ Done in 20.0 s");
        progress.elapsed = Duration::from_micros(43_200);
        assert_eq!(RunText::new(&progress).rest, "✓ Done in 43 ms");
        progress.read = [400, 0];
        assert_eq!(
            RunText::new(&progress).rest,
            "✓ Done in 43 ms, 400 games reused"
        );
        progress.read = [30_000, 400];
        let rule = State::RuleMet {
            sentence: String::new(),
            each: Some(15_200),
        };
        progress.state = rule;

        // A run that ended by its rule is complete.
        let text = RunText::new(&progress);
        assert_eq!((text.count.as_str(), text.share), ("30,400 games", 1.0));
        assert_eq!(text.rest, "✓ Stop rule met, all games reused");
    }
}
