//! The result of a rollout, in words.

use crate::experiment::RolloutValues;
use crate::words;

/// Which moves may be the best by these games.
pub fn contenders(values: &RolloutValues) -> String {
    let contenders: Vec<String> = values
        .contenders()
        .iter()
        .map(ToString::to_string)
        .collect();
    match contenders.as_slice() {
        [only] if values.moves.len() == 1 => format!("{only} is the only move"),
        [best] => {
            format!("{best} is the best move: every other is worth less (simultaneous intervals)")
        }
        several => format!(
            "these games find no difference between {}",
            words::list(several)
        ),
    }
}

/// The gain from stratifying by the first tile; `None` if it is not known for any move.
pub fn gain(values: &RolloutValues) -> Option<String> {
    let gains = || values.moves.iter().filter_map(|first| first.gain);
    let (least, most) = gains().reduce(f64::min).zip(gains().reduce(f64::max))?;
    let range = if most - least < 0.05 {
        words::decimals(most, 2)
    } else {
        [least, most]
            .map(|gain| words::decimals(gain, 2))
            .join(" to ")
    };
    Some(format!(
        "without stratification by the first tile, the same precision needs {range} times as many games"
    ))
}

/// The moves with their points to come and 95% intervals, and how much less than the best each has, stratum by stratum:
/// `Left 1,240.5 (1,201.2 to 1,279.8), Up 95.5 less (40.1 to 150.9)`.
pub fn moves(values: &RolloutValues) -> Option<String> {
    let ends = |interval: Option<crate::stats::Interval>, sign: f64| {
        interval.map_or_else(String::new, |interval| {
            let mut ends = [sign * interval.low, sign * interval.high];
            ends.sort_by(f64::total_cmp);
            format!(
                " ({})",
                ends.map(|end| words::decimals(end, 1)).join(" to ")
            )
        })
    };
    let (best, others) = values.moves.split_first()?;
    let mean = words::decimals(best.value?.mean, 1);
    let best = format!("{} {mean}{}", best.mv, ends(best.ci95, 1.0));
    let others = others.iter().filter_map(|first| {
        let less = words::decimals(-first.to_best?.mean, 1);
        Some(format!(
            "{} {less} less{}",
            first.mv,
            ends(first.to_best_ci95, -1.0)
        ))
    });
    Some(words::list(
        &[best].into_iter().chain(others).collect::<Vec<_>>(),
    ))
}
