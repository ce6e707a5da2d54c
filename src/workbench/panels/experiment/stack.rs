//! The scores of one strategy by the largest tile of the game, added as games finish.

use crate::experiment::Run;
use crate::game::Rank;
use crate::stats::ScoreCounts;
use crate::workbench::state::ExperimentRun;

/// Games added per frame: a millisecond or two.
pub(super) const MOST_AT_ONCE: u64 = 400_000;

#[derive(Debug, Default)]
pub(super) struct ByLargest {
    /// The run, and the place of the strategy in it.
    key: (u64, usize),
    /// Number of games added.
    read: u64,
    /// Indexed by rank.
    scores: Vec<ScoreCounts>,
    /// Increases when games are added.
    pub version: u64,
}

impl ByLargest {
    /// Adds newly finished games of a strategy; true if more are left than fit in a frame.
    pub(super) fn follow(&mut self, last_run: &ExperimentRun, run: &Run, place: usize) -> bool {
        if self.key != (last_run.runs, place) || run.games().counted_of(place) < self.read {
            *self = Self {
                key: (last_run.runs, place),
                version: self.version + 1,
                ..Self::default()
            };
        }
        let mut scores = vec![Vec::new(); usize::from(Rank::MAX.get()) + 1];
        let read = run
            .games()
            .read(place, self.read, MOST_AT_ONCE, |_, games| {
                games
                    .map(|game| scores[usize::from(game.largest.get())].push(game.score))
                    .count() as u64
            });
        let read = read.unwrap_or(0);
        if 0 < read {
            self.read += read;
            self.version += 1;
            self.scores.resize(scores.len(), ScoreCounts::EMPTY);
            for (sum, scores) in self
                .scores
                .iter_mut()
                .zip(scores)
                .filter(|(_, scores)| !scores.is_empty())
            {
                sum.merge(&scores.into_iter().collect());
            }
        }

        read == MOST_AT_ONCE
    }

    pub(super) fn place(&self) -> usize {
        self.key.1
    }

    /// The scores by largest tile, smallest tile first, without empty ones.
    pub(super) fn scores(&self) -> impl Iterator<Item = (Rank, &ScoreCounts)> {
        let ranks = self
            .scores
            .iter()
            .zip(0..)
            .filter(|(scores, _)| 0 < scores.count());
        ranks.filter_map(|(scores, rank)| Some((Rank::new(rank)?, scores)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Plan;
    use crate::preset::Preset;
    use crate::stats::Binning;

    #[test]
    fn the_parts_of_a_bar_sum_to_the_bar() {
        let strategy = "emr".parse().expect("letters");
        let run = Run::start(
            Plan {
                games: 400,
                ..Plan::of_preset(&Preset::new("", [strategy]))
            },
            || {},
        );
        let run = run.expect("a sound plan");
        run.wait();
        let mut by_largest = ByLargest::default();
        assert!(!by_largest.follow(&ExperimentRun::default(), &run, 0));
        let all = run.snapshot().summaries[0].scores.clone();
        let binning = Binning {
            log2: false,
            width: None,
            whole: false,
            pixels: 300.0,
            seen: None,
            zero: 0,
        };
        let bins = binning.bins([&all]).expect("scores");
        let mut sums = vec![0; bins.len()];
        for (_, scores) in by_largest.scores() {
            bins.histogram(scores)
                .iter()
                .zip(&mut sums)
                .for_each(|(part, sum)| *sum += part);
        }

        assert_eq!(sums, bins.histogram(&all));
        let largest: Vec<u64> = by_largest.scores().map(|(rank, _)| rank.tile()).collect();
        assert!(1 < largest.len() && largest.is_sorted(), "{largest:?}");
        let version = by_largest.version;
        assert!(!by_largest.follow(&ExperimentRun::default(), &run, 0));
        assert_eq!(by_largest.version, version, "nothing new");
    }
}
