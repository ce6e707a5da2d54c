//! The differences of two strategies, game by game on the same seeds.
//!
//! Differences are stored relative to [`NO_DIFFERENCE`](crate::stats::NO_DIFFERENCE), so that bins, axis and brush work
//! as for scores. Identical games are counted separately: their bar would dwarf all others.

use crate::experiment::Run;
use crate::stats::{Interval, IntervalKind, PairedSums, Planned, ScoreCounts, offset_difference};
use crate::strategy::Outcome;
use crate::words;
use crate::workbench::panels::experiment::stack::MOST_AT_ONCE;
use crate::workbench::state::ExperimentRun;

/// The games of two strategies, added as they finish.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// The run, and the places of the two strategies in it.
    key: (u64, [usize; 2]),
    sums: PairedSums,
    /// Games with the same score, moves and largest tile.
    identical: u64,
    /// The other games: score of the first minus score of the second, relative to the zero above.
    pub scores: ScoreCounts,
    /// Increases when games are added.
    pub version: u64,
}

impl Differences {
    /// Adds newly finished games; true if more are left than fit in a frame.
    pub(super) fn follow(
        &mut self,
        last_run: &ExperimentRun,
        run: &Run,
        places: [usize; 2],
    ) -> bool {
        let games = run.games();
        let cut = places
            .iter()
            .any(|&place| games.counted_of(place) < self.sums.count());
        if self.key != (last_run.runs, places) || cut {
            *self = Self {
                key: (last_run.runs, places),
                version: self.version + 1,
                ..Self::default()
            };
        }

        let (from, mut differing) = (self.sums.count(), Vec::new());
        games.read_pairs(places, from, MOST_AT_ONCE, |pairs| {
            for (_, [one, other]) in pairs {
                self.sums.put(one.score, other.score);
                match one == other {
                    true => self.identical += 1,
                    false => differing.push(difference([one, other])),
                }
            }
        });
        let read = self.sums.count() - from;
        self.version += u64::from(0 < read);
        if !differing.is_empty() {
            self.scores.merge(&differing.into_iter().collect());
        }

        read == MOST_AT_ONCE
    }

    pub(super) fn places(&self) -> [usize; 2] {
        self.key.1
    }

    /// "All 1,000 games of a and b are identical", if they are.
    pub(super) fn all_alike(&self, [one, other]: [&str; 2]) -> Option<String> {
        let games = self.sums.count();
        let which = format!("of {one} and {other}");
        (0 < games && games == self.identical).then(|| {
            format!(
                "All {} {which} are identical: there is nothing to plot",
                words::plural(games, "game")
            )
        })
    }
}

/// The difference of one game, relative to the zero of differences.
pub(super) fn difference([one, other]: [Outcome; 2]) -> u32 {
    offset_difference(one.score, other.score)
}

/// The summary of the differences of two strategies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paired {
    /// "a − b".
    pub label: String,
    games: u64,
    identical: u64,
    pub mean: f64,
    pub interval: Option<Interval>,
    kind: IntervalKind,
}

impl Paired {
    /// `None` without a game.
    pub(super) fn new(
        found: &Differences,
        [one, other]: [&str; 2],
        planned: Planned,
    ) -> Option<Self> {
        let moments = found.sums.difference()?;
        Some(Self {
            label: format!("{one} − {other}"),
            games: moments.count,
            identical: found.identical,
            mean: moments.mean,
            interval: planned.difference_interval(&found.sums),
            kind: planned.kind(moments.count),
        })
    }

    /// "212 of 1,000 games identical".
    pub(super) fn alike_text(&self) -> String {
        format!(
            "{} of {} identical",
            words::count(self.identical),
            words::plural(self.games, "game")
        )
    }

    /// The label and the summary of the differences.
    pub(super) fn sentence(&self) -> String {
        format!("{}: {}", self.label, self.words())
    }

    /// The mean difference and its interval, as text.
    pub(super) fn words(&self) -> String {
        let places = usize::from(self.mean.abs() < 100.0);
        let value = |value: f64| words::signed(value, places);
        let interval = self
            .interval
            .map_or_else(String::new, |Interval { low, high }| {
                format!(
                    ", 95 % interval {} to {} ({})",
                    value(low),
                    value(high),
                    self.kind.promise()
                )
            });
        format!("{}; mean {}{interval}", self.alike_text(), value(self.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Plan;
    use crate::preset::Preset;
    use crate::stats::{Binning, NO_DIFFERENCE};

    #[test]
    fn bins_and_identical_games_are_all_games_in_common() {
        let strategies = ["emr", "er"].map(|text| text.parse().expect("letters"));
        let run = Run::start(
            Plan {
                games: 400,
                ..Plan::of_preset(&Preset::new("", strategies))
            },
            || {},
        );
        let run = run.expect("a sound plan");
        run.wait();
        let last = run.plan().contestants.len() - 1;
        for (places, sign) in [([0, last], 1.0), ([last, 0], -1.0)] {
            let mut found = Differences::default();
            assert!(!found.follow(&ExperimentRun::default(), &run, places));
            let [one, other] = places.map(|place| {
                run.snapshot().summaries[place]
                    .scores
                    .mean()
                    .expect("games")
            });
            let paired = Paired::new(&found, ["a", "b"], Planned(400)).expect("games");
            assert!(
                (paired.mean - (one - other)).abs() < 1e-9 && 0.0 < sign * paired.mean,
                "{paired:?}"
            );
            for width in [None, Some(12), Some(1000)] {
                let width = width.map(crate::stats::BinWidth::Points);
                let binning = Binning {
                    log2: false,
                    width,
                    whole: true,
                    pixels: 600.0,
                    seen: None,
                    zero: NO_DIFFERENCE,
                };
                let bins = binning.bins([&found.scores]).expect("differences");
                assert_eq!(
                    bins.histogram(&found.scores).iter().sum::<u64>() + found.identical,
                    400
                );
                let begins = |bin| bins.range(bin).start == NO_DIFFERENCE;
                assert!(
                    (0..bins.len()).any(begins),
                    "no bin holds both signs: {width:?}"
                );
            }
            let version = found.version;
            assert!(!found.follow(&ExperimentRun::default(), &run, places));
            assert_eq!(found.version, version, "nothing new");
        }

        let mut alike = Differences::default();
        alike.follow(&ExperimentRun::default(), &run, [0, 0]);
        assert_eq!(
            (alike.sums.count(), alike.all_alike(["a", "a"])),
            (0, None),
            "a strategy is no pair with itself"
        );
    }

    #[test]
    fn words_say_what_is_alike_and_what_the_interval_promises() {
        let mut found = Differences::default();
        for i in 0..1000_u32 {
            found
                .sums
                .put(4000 + if i < 212 { 0 } else { 4 * (i % 500) }, 4000);
        }
        found.identical = 212;
        let text = |planned| {
            Paired::new(&found, ["emr", "er"], Planned(planned))
                .expect("games")
                .sentence()
        };
        let whole = text(1000);
        assert!(
            whole.starts_with("emr − er: 212 of 1,000 games identical; mean +"),
            "{whole}"
        );
        assert!(whole.ends_with("(planned games reached)"), "{whole}");
        assert!(text(2000).ends_with("(valid at any time, whenever the run stops)"));
    }
}
