//! What best play is worth beside what was measured.

use crate::stats::Interval;
use crate::words;

/// "Best play is worth 2,641.87 points, by the table 2x4: er earns 12.0 to 12.9 % of that, emr 15.1 to 16.2 %"; of a mean
/// without an interval nothing is said.
pub fn of_best_play(value: f64, by: &str, means: impl IntoIterator<Item = (String, Option<Interval>)>) -> String {
    let share = |end: f64| words::decimals(100.0 * end / value, 1);
    let earned = means.into_iter().filter_map(|(label, interval)| {
        let Interval { low, high } = interval?;
        Some(format!("{label} {} to {} %", share(low), share(high)))
    });
    let earned: Vec<String> = earned.collect();
    let earned = if earned.is_empty() { String::new() } else { format!("; of that {}", earned.join(", ")) };
    format!("Best play is worth {} points exactly{by}{earned}", words::decimals(value, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_a_share_of_best_play_as_sure_as_it_is() {
        let means = [("er".to_owned(), Some(Interval { low: 100.0, high: 150.0 })), ("r".to_owned(), None)];
        assert_eq!(
            of_best_play(1000.0, ", by the table 2x4", means),
            "Best play is worth 1,000.00 points exactly, by the table 2x4; of that er 10.0 to 15.0 %"
        );
        assert_eq!(of_best_play(66.9641, "", []), "Best play is worth 66.96 points exactly");
    }
}
