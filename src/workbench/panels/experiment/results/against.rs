//! The difference of each strategy of a run to the baseline.
//!
//! Adds each pair of games once, as games finish.

use crate::experiment::{Apart, Common, Pair, Run, Standings};
use crate::stats::{Interval, Planned};
use crate::table::Cell;
use crate::words;
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::state::ExperimentRun;

/// Pairs of games added per frame: a millisecond or two.
const MOST_AT_ONCE: u64 = 400_000;

/// With fewer differing games, the spread of the differences is too uncertain.
const FEW: u64 = 10;

/// The differences of the strategies of the last run.
#[derive(Debug, Default)]
pub(super) struct Against {
    /// The run and the baseline of the pairs.
    key: (u64, usize),
    /// By contestant, minus the baseline.
    pairs: Vec<Pair>,
    /// Increases when pairs are added.
    pub version: u64,
}

impl Against {
    /// Adds newly finished games; true if more are left than fit in a frame.
    pub(super) fn follow(&mut self, last_run: &ExperimentRun, run: &Run, view: &RunView) -> bool {
        let baseline = view.baseline();
        let contestants = run.plan().contestants.len();
        let key = (last_run.runs, baseline);
        if self.key != key || self.pairs.len() != contestants {
            (self.key, self.pairs) = (key, vec![Pair::default(); contestants]);
        }
        let mut left = MOST_AT_ONCE;
        // Games of other seeds are not pairs.
        let paired = self
            .pairs
            .iter_mut()
            .enumerate()
            .filter(|(place, _)| view.in_common(*place) == Common::Tiles);
        for (contestant, pair) in paired {
            let before = pair.games();
            if run.games().follow([contestant, baseline], pair, left) {
                self.version += 1;
                return true;
            }
            left -= pair.games().saturating_sub(before);
        }

        false
    }

    /// By contestant, minus the baseline.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }
}

/// The mean difference of a strategy to the baseline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    /// The strategy minus the baseline.
    value: f64,
    /// Its 95 % interval.
    interval: Interval,
    /// Whether the interval excludes 0; once known, by the simultaneous intervals of all differences to the baseline.
    pub is_clear: bool,
    /// Whether the games share no seed, so that the difference is unpaired.
    pub is_apart: bool,
    /// All details, for a tooltip.
    pub about: String,
}

impl Difference {
    /// `None` below two pairs of games, or below fifty before the planned end.
    pub(super) fn new(
        pair: &Pair,
        place: usize,
        baseline: usize,
        planned: Planned,
        all: Option<&Standings>,
    ) -> Option<Self> {
        let (value, interval) = (pair.difference()?, pair.interval(planned)?);
        let at_once = all.and_then(|all| Some(all.against(baseline, place)?.with(interval)));
        Some(Self {
            value,
            interval,
            is_clear: !at_once.unwrap_or(interval).contains(0.0),
            is_apart: false,
            about: about(pair, planned, at_once.map(|at_once| at_once.half_width())).join("\n"),
        })
    }

    /// For strategies whose games share only the rules.
    pub(super) fn apart(apart: &Apart) -> Self {
        let [games, others] = apart.games.map(words::count);
        let freedom = words::decimals(apart.freedom, 1);
        let about = format!(
            "{} ± {}: Welch, {freedom} degrees of freedom\n{games} games here and {others} of the baseline, on other seeds",
            words::signed(apart.value, 1),
            words::decimals(apart.interval.half_width(), 1),
        );
        let (interval, is_clear) = (apart.interval, !apart.interval.contains(0.0));
        Self {
            value: apart.value,
            interval,
            is_clear,
            is_apart: true,
            about,
        }
    }

    pub(super) fn cell(&self) -> Cell {
        (self.value, Some(self.interval)).into()
    }
}

fn about(pair: &Pair, planned: Planned, at_once: Option<f64>) -> Vec<String> {
    let (games, identical) = (pair.games(), pair.identical());
    let half = |half: f64| words::decimals(half, 1);
    let mut lines = Vec::new();
    if let Some((value, interval)) = pair.difference().zip(pair.interval(planned)) {
        let pairs = words::plural(games, "game");
        lines.push(format!(
            "{} ± {}: {pairs} on the same seeds",
            words::signed(value, 1),
            half(interval.half_width())
        ));
    }
    if let Some(at_once) = at_once {
        lines.push(format!(
            "Simultaneous for all differences from the baseline: ± {}",
            half(at_once)
        ));
    }
    let percent = |share: f64| words::decimals(100.0 * share, 1);
    match games - identical {
        0 => {
            let may = pair.may_differ(planned).map_or(String::new(), percent);
            lines.push(format!(
                "All {} are identical; up to {may} % of other games may differ",
                words::plural(games, "game")
            ));
        }
        differing => {
            lines.push(format!(
                "{} of {} games are identical",
                words::count(identical),
                words::count(games)
            ));
            if differing < FEW {
                let which = if differing == 1 {
                    "1 game differs"
                } else {
                    &format!("{differing} games differ")
                };
                lines.push(format!(
                    "Only {which}: the interval rests on very little data"
                ));
            }
        }
    }

    if let (Some(correlation), Some(gain)) = (
        pair.scores.correlation(),
        pair.scores.gain().filter(|gain| gain.is_finite()),
    ) {
        let [correlation, gain] =
            [(correlation, 3), (gain, 1)].map(|(value, places)| words::decimals(value, places));
        lines.push(format!(
            "Correlation {correlation}: worth {gain} times as many games on other seeds"
        ));
    }

    if let Some(reach) = pair
        .telling_reach(planned)
        .filter(|reach| reach.difference != 0.0)
    {
        let [low, high] = [reach.ci95.low, reach.ci95.high].map(percent);
        let difference = words::signed(100.0 * reach.difference, 1);
        lines.push(format!(
            "{} reached: {difference} %, {low} to {high} %",
            words::count(reach.tile)
        ));
    }

    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Games;
    use crate::game::Rank;
    use crate::strategy::Outcome;
    use crate::table::{Digits, Format};

    fn pair(scores: impl Iterator<Item = [u32; 2]>) -> Pair {
        let scores: Vec<[u32; 2]> = scores.collect();
        let games = |side: usize| -> Games {
            let game = |scores: &[u32; 2]| {
                let score = scores[side];
                Outcome {
                    score,
                    largest: Rank::new(6 + (score / 1000) as u8).expect("a rank"),
                    moves: score / 8,
                }
            };
            scores.iter().map(game).collect()
        };
        Pair::of(&games(0), &games(1))
    }

    fn difference(pair: &Pair) -> Difference {
        Difference::new(pair, 1, 0, Planned(pair.games()), None).expect("games")
    }

    #[test]
    fn a_difference_says_what_it_rests_on() {
        let spread = |i: u32| 4 * (i.wrapping_mul(2_654_435_761) % 500);
        let edit = difference(&pair(
            (0..1000).map(|i| [spread(i) + if i == 7 { 900 } else { 0 }, spread(i)]),
        ));
        let format = Format {
            is_signed: true,
            ..Format::digits(Digits::Warranted)
        };
        let text = |difference: &Difference| difference.cell().with(format).to_string();
        assert!(!edit.is_clear && text(&edit) == "+0.9 ± 1.8", "{edit:?}");
        for part in [
            "999 of 1,000 games are identical",
            "Only 1 game differs",
            "Correlation 0.99",
            "times as many games on other seeds",
        ] {
            assert!(edit.about.contains(part), "{part}: {}", edit.about);
        }

        let same = difference(&pair((0..1000).map(|i| [spread(i); 2])));
        assert_eq!((same.is_clear, &*text(&same)), (false, "0 ± 0"));
        assert!(
            same.about
                .contains("All 1,000 games are identical; up to 0.4 % of other games may differ"),
            "{}",
            same.about
        );
        let other = difference(&pair(
            (0..1000).map(|i| [spread(i) + 500, spread(3 * i + 1)]),
        ));
        assert!(
            other.is_clear && other.about.contains(" of 1,000 games are identical"),
            "{}",
            other.about
        );
        assert!(other.about.contains("128 reached: +"), "{}", other.about);
        assert_eq!(
            Difference::new(&Pair::default(), 1, 0, Planned(5), None),
            None
        );
    }
}
