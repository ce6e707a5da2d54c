//! Compares strategies of several runs.
//!
//! | in common | the difference |
//! | --- | --- |
//! | rules and seed | between games with the same index, as within a run: [`Pair`](super::Pair) |
//! | rules | between two independent samples: Welch, [`Apart`] |
//! | neither | none: scores under different rules are not comparable |

use super::Summary;
use crate::game::Rules;
use crate::stats::{Interval, Planned, welch};

/// How the games of a strategy were dealt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dealt {
    pub rules: Rules,
    pub seed: u64,
    /// The planned number of games of the strategy.
    pub games: u64,
    /// The number of games from which intervals are those of the planned end.
    pub planned: Planned,
}

/// What the games of two strategies have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Common {
    /// Game `i` of one has the same spawns as game `i` of the other.
    Tiles,
    /// Only the rules.
    Rules,
    Nothing,
}

impl Dealt {
    pub fn in_common(&self, other: &Self) -> Common {
        match () {
            () if self.rules != other.rules => Common::Nothing,
            () if self.seed != other.seed => Common::Rules,
            () => Common::Tiles,
        }
    }
}

/// The mean difference of two strategies whose games have only the rules in common, first minus second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    pub value: f64,
    /// 95 %. If a side has not played its planned games, it is wider by as much as the intervals of that side are.
    pub interval: Interval,
    /// Degrees of freedom (Satterthwaite).
    pub freedom: f64,
    /// The number of games of each side.
    pub games: [u64; 2],
}

impl Apart {
    /// `None` if a side has less than two games, or is unfinished with too few games for a confidence sequence.
    pub fn of(sides: [(&Summary, Planned); 2]) -> Option<Self> {
        let [a, b] = [sides[0].0.scores.moments()?, sides[1].0.scores.moments()?];
        let found = welch(a, b)?;
        let value = a.mean - b.mean;
        let [one, other] = sides.map(|(summary, planned)| planned.widening(summary.games()));
        let half = found.interval.half_width() * one?.max(other?);
        Some(Self {
            value,
            interval: Interval::around(value, half),
            freedom: found.freedom,
            games: [a.count, b.count],
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Rank;
    use crate::strategy::Outcome;

    fn summary(scores: impl IntoIterator<Item = u32>) -> Summary {
        let game = |score| Outcome {
            score,
            largest: Rank::FOUR,
            moves: 1,
        };
        Summary::of_games(
            &scores.into_iter().map(game).collect::<Vec<_>>(),
            Duration::ZERO,
        )
    }

    #[test]
    fn rules_come_before_seeds() {
        let dealt = |p4, seed| Dealt {
            rules: Rules {
                p4,
                ..Rules::default()
            },
            seed,
            games: 5,
            planned: Planned(5),
        };
        assert_eq!(dealt(0.1, 1).in_common(&dealt(0.1, 1)), Common::Tiles);
        assert_eq!(dealt(0.1, 1).in_common(&dealt(0.1, 2)), Common::Rules);
        assert_eq!(dealt(0.1, 1).in_common(&dealt(0.2, 1)), Common::Nothing);
        let other = Dealt {
            rules: Rules {
                stop_at: Rank::of_tile(512),
                ..Rules::default()
            },
            ..dealt(0.1, 1)
        };
        assert_eq!(dealt(0.1, 1).in_common(&other), Common::Nothing);
    }

    #[test]
    fn samples_that_have_nothing_in_common_have_the_interval_of_welch() {
        // Means 12 and 20, variances 48 and 8 of 3 and 5 values.
        let (a, b) = (summary([8, 8, 20]), summary([16, 20, 20, 20, 24]));
        let apart = |planned: [u64; 2]| {
            Apart::of([(&a, Planned(planned[0])), (&b, Planned(planned[1]))]).expect("games")
        };
        let [va, vb] = [48.0 / 3.0, 8.0 / 5.0_f64];
        let freedom = (va + vb).powi(2) / (va * va / 2.0 + vb * vb / 4.0);
        let whole = apart([3, 5]);
        assert_eq!((whole.value, whole.games), (-8.0, [3, 5]));
        assert!((whole.freedom - freedom).abs() < 1e-9, "{whole:?}");

        let half = crate::stats::student_t_975(freedom) * (va + vb).sqrt();
        assert!((whole.interval.half_width() - half).abs() < 1e-9);
        // One side is unfinished: its interval must be valid at any time, which takes more than a few games.
        assert_eq!(Apart::of([(&a, Planned(3)), (&b, Planned(50))]), None);
        let many = summary((0..60).map(|i| 16 + 4 * (i % 3)));
        let half = |planned| {
            Apart::of([(&a, Planned(3)), (&many, planned)])
                .expect("games")
                .interval
                .half_width()
        };
        let [early, end] = [Planned(100), Planned(60)].map(half);
        let wider = Planned(100).widening(60).expect("enough");
        assert!(
            1.5 * end < early && (early - end * wider).abs() < 1e-9,
            "{early} {end}"
        );
        assert_eq!(
            Apart::of([(&summary([8]), Planned(1)), (&b, Planned(5))]),
            None
        );
    }
}
