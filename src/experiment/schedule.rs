//! The order in which the games of a run are played.

use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Plan;
use super::pace::Pace;
use crate::math;
use crate::task::lock;

/// The duration of a batch: long enough that handing it over costs nothing, short enough that bars grow smoothly.
const BATCH_SECS: f64 = 0.025;

/// The first batch of a strategy of one ply, before its speed is known. A search begins with a single game.
const FIRST_BATCH: u64 = 8;

/// The longest batch, so that the copy of a batch stays small.
const LONGEST_BATCH: u64 = 8192;

/// Games of one contestant that a worker plays in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The index of the contestant in the plan.
    pub contestant: usize,
    /// Indices of the games; at least one.
    pub games: Range<u64>,
}

/// Hands out the games of a run to its workers, each game once. It always picks the contestant that is furthest behind,
/// so that all distributions grow together. A batch takes about 25 ms.
pub struct Schedule {
    /// Games of each contestant, and one more than the last index.
    games: u64,
    end: u64,
    threads: u64,
    searches: Vec<bool>,
    /// The contestants that have games to play.
    plays: Vec<bool>,
    tickets: Mutex<Tickets>,
}

struct Tickets {
    /// The games of each contestant that were not handed out, the next ones last.
    open: Vec<Vec<Range<u64>>>,
    paces: Vec<Pace>,
}

impl Schedule {
    /// For the games of each contestant that are to be played, in order.
    pub fn new(plan: &Plan, open: Vec<Vec<Range<u64>>>) -> Self {
        let contestants = plan.contestants.len();
        let plays = open.iter().map(|ranges| !ranges.is_empty()).collect();
        let open: Vec<_> = open
            .into_iter()
            .map(|ranges| ranges.into_iter().rev().collect())
            .collect();
        Self {
            games: plan.indices().end - plan.indices().start,
            end: plan.indices().end,
            threads: plan.thread_count() as u64,
            searches: plan
                .contestants
                .iter()
                .map(|contestant| contestant.strategy.takes_time())
                .collect(),
            plays,
            tickets: Mutex::new(Tickets {
                open,
                paces: vec![Pace::default(); contestants],
            }),
        }
    }

    /// The next batch for a worker. `None` when all games have been handed out.
    pub fn next(&self) -> Option<Batch> {
        let mut tickets = lock(&self.tickets);
        let next = tickets
            .open
            .iter()
            .enumerate()
            .filter_map(|(place, ranges)| Some((place, ranges.last()?.clone())));
        let (contestant, Range { start, end: last }) = next.min_by_key(|(_, range)| range.start)?;
        let left = self.end - start;
        let wanted = match tickets.paces[contestant].secs_per_game() {
            Some(secs) => ((BATCH_SECS / secs.max(1e-9)) as u64).clamp(1, LONGEST_BATCH),
            None if self.searches[contestant] => 1,
            None => FIRST_BATCH,
        };

        // Shorter batches towards the end, so that all threads finish together.
        let fair = left.div_ceil(2 * self.threads);
        let end = last.min(start + wanted.min(fair));
        let ranges = &mut tickets.open[contestant];
        ranges.pop();
        if end < last {
            ranges.push(end..last);
        }
        Some(Batch {
            contestant,
            games: start..end,
        })
    }

    /// Records how long games of a contestant took without pauses, and when a worker began them.
    pub fn took(&self, contestant: usize, games: u64, begun: Instant, took: Duration) {
        lock(&self.tickets).paces[contestant].put(games, begun, took);
    }

    /// Seconds of work that are left, given the finished games of each contestant and its pace, and their uncertainty;
    /// the uncertainties of contestants are independent. `None` while a pace is unknown.
    pub fn secs_left(&self, finished: &[u64]) -> Option<(f64, f64)> {
        let tickets = lock(&self.tickets);
        let (mut sum, mut squares) = (0.0, 0.0);
        let playing = finished
            .iter()
            .zip(&tickets.paces)
            .zip(&self.plays)
            .filter(|(_, plays)| **plays);
        for ((&finished, pace), _) in playing {
            let left = self.games.saturating_sub(finished) as f64;
            if left == 0.0 {
                continue;
            }
            let secs = left * pace.secs_per_game()?;
            sum += secs;
            squares += math::squared(secs * pace.doubt());
        }
        Some((sum, squares.sqrt()))
    }

    /// Seconds per game of the slowest contestant. `None` while no pace is known.
    pub fn longest_game(&self) -> Option<f64> {
        lock(&self.tickets)
            .paces
            .iter()
            .filter_map(Pace::secs_per_game)
            .max_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Contestant;
    use crate::preset::Preset;

    #[test]
    fn every_game_is_given_out_once_and_strategies_grow_together() {
        let strategies = ["r", "emr"].map(|letters| letters.parse().expect("letters"));
        let plan = Plan {
            games: 500,
            threads: Some(2),
            ..Plan::of_preset(&Preset::new("", strategies))
        };
        let all = || std::iter::once(0..plan.games).collect();
        let schedule = Schedule::new(&plan, vec![all(), all()]);
        let mut given = [0; 2];
        assert_eq!(schedule.secs_left(&given), None);

        while let Some(Batch { contestant, games }) = schedule.next() {
            assert_eq!(games.start, given[contestant]);
            assert!(games.start <= given[1 - contestant] && games.start < games.end);
            given[contestant] = games.end;
            schedule.took(
                contestant,
                games.end - games.start,
                Instant::now(),
                Duration::from_millis(1) * (games.end - games.start) as u32,
            );
        }
        assert_eq!(given, [500; 2]);

        let (left, doubt) = schedule.secs_left(&[500, 400]).expect("a pace");
        assert!(
            (left - 0.1).abs() < 1e-9 && (0.004..0.02).contains(&doubt),
            "{left} {doubt}"
        );
        assert_eq!(schedule.secs_left(&[500, 500]), Some((0.0, 0.0)));
        let search = "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])";
        let one = Plan {
            contestants: vec![Contestant::new(search.parse().expect("a search"))],
            ..plan
        };
        assert_eq!(
            Schedule::new(&one, vec![vec![0..1, 5..500]]).next(),
            Some(Batch {
                contestant: 0,
                games: 0..1
            })
        );
    }
}
