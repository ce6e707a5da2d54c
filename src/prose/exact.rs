//! The value of best play compared with measured numbers, and the effort of exact computations.

use crate::analysis::ExactCost;
use crate::solve::{BestPlay, Goal};
use crate::stats::Interval;
use crate::words;

/// "Best play is worth 2,641.87 points exactly, by the table 2x4; of that er 12.0 to 12.9 %"; a number without an
/// interval is left out.
pub fn of_best_play(
    best: &BestPlay,
    measured: impl IntoIterator<Item = (String, Option<Interval>)>,
) -> String {
    let earned = measured.into_iter().filter_map(|(label, interval)| {
        let Interval { low, high } = interval?;
        Some(format!(
            "{label} {} to {} %",
            share(low, best),
            share(high, best)
        ))
    });
    let earned: Vec<String> = earned.collect();
    let earned = if earned.is_empty() {
        String::new()
    } else {
        format!("; shares of that: {}", earned.join(", "))
    };
    let by = best
        .table
        .as_ref()
        .map_or(String::new(), |table| format!(", from table {table}"));
    let value = match best.goal {
        Goal::Score => format!("is worth exactly {} points", words::decimals(best.value, 2)),
        Goal::Reach(rank) => format!(
            "reaches {rank} in exactly {} % of games",
            words::decimals(100.0 * best.value, 3)
        ),
    };
    format!("Best play {value}{by}{earned}")
}

/// A number as a percentage of that of best play: `12.9`.
pub fn share(number: f64, best: &BestPlay) -> String {
    words::decimals(100.0 * number / best.value, 1)
}

/// "at most 4,980,767 boards, at most 3 min on 2 threads".
pub fn exact_cost(cost: ExactCost, threads: usize) -> String {
    let threads = words::plural(threads as u64, "thread");
    match cost.boards.zip(cost.secs) {
        Some((boards, secs)) => {
            format!(
                "at most {}, at most {} on {threads}",
                words::plural(boards, "board"),
                words::time(secs)
            )
        }
        None => format!(
            "unknown number of boards, because boards with different scores are distinct, on {threads}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_a_share_of_best_play_as_sure_as_it_is() {
        let means = [
            (
                "er".to_owned(),
                Some(Interval {
                    low: 100.0,
                    high: 150.0,
                }),
            ),
            ("r".to_owned(), None),
        ];
        let best = BestPlay {
            goal: Goal::Score,
            value: 1000.0,
            table: Some("2x4".to_owned()),
        };
        assert_eq!(
            of_best_play(&best, means),
            "Best play is worth exactly 1,000.00 points, from table 2x4; shares of that: er 10.0 to 15.0 %"
        );
        let best = BestPlay {
            goal: Goal::Score,
            value: 66.9641,
            table: None,
        };
        assert_eq!(
            of_best_play(&best, []),
            "Best play is worth exactly 66.96 points"
        );
        let best = BestPlay {
            goal: Goal::Reach(crate::game::Rank::new(9).expect("a rank")),
            value: 0.736_774,
            ..best
        };
        assert_eq!(
            of_best_play(&best, []),
            "Best play reaches 512 in exactly 73.677 % of games"
        );
    }

    #[test]
    fn what_nobody_knows_is_not_estimated() {
        let cost = ExactCost {
            boards: Some(4_980_767),
            secs: Some(180.0),
        };
        assert_eq!(
            exact_cost(cost, 2),
            "at most 4,980,767 boards, at most 3 min on 2 threads"
        );
        assert!(
            exact_cost(
                ExactCost {
                    boards: None,
                    secs: None
                },
                1
            )
            .contains("unknown number")
        );
    }
}
