//! The estimated time of a run, in words.

use std::time::Duration;

use crate::experiment::{ByRules, Estimate, Spread};
use crate::words;

/// An estimate in words: `about 3 min, from 2 min to 5 min`, `at least 3 min (no game finished in the trial)`.
pub fn how_long(estimate: &Estimate) -> String {
    let Estimate {
        low, likely, high, ..
    } = *estimate;
    let time = |duration: Duration| words::time(duration.as_secs_f64());
    match high {
        Some(high) if estimate.rules == ByRules::Sooner => format!("up to {}", time(high)),
        None if estimate.rules == ByRules::Sooner => {
            format!("all games would take {}", at_least(&time(low)))
        }
        Some(high) if high < Duration::from_secs(1) => "less than 1 s".to_owned(),
        Some(high) if low < Duration::from_secs(1) => format!("up to {}", time(high)),
        Some(high) if time(low) == time(high) => format!("about {}", time(likely)),
        Some(high) => format!(
            "about {}, from {} to {}",
            time(likely),
            time(low),
            time(high)
        ),
        None => at_least(&time(low)),
    }
}

/// A lower bound and its reason.
fn at_least(time: &str) -> String {
    let bound = if time.starts_with("more") {
        time.to_owned()
    } else {
        format!("at least {time}")
    };
    format!("{bound} (no game finished in the trial)")
}

/// The games that the estimate covers, `all` if no rule ends the run before: `some 1,700 games of each strategy`.
pub fn games_estimated(estimate: &Estimate, all: u64) -> String {
    match estimate.rules {
        ByRules::All => words::plural(all, "game"),
        ByRules::Games(each) => format!(
            "about {} games per strategy",
            words::count(two_digits(each))
        ),
        ByRules::Sooner => format!("up to {}", words::plural(all, "game")),
    }
}

/// `10 %: 62, 5 %: 240, 2 %: 1,500, 1 %: 5,800`.
pub fn games_to_find(spread: &Spread) -> String {
    let part = |share: f64| {
        let games = spread
            .games_to_find(share)
            .map_or("–".to_owned(), |games| words::count(two_digits(games)));
        format!("{} %: {games}", 100.0 * share)
    };
    Spread::SHARES.map(part).join(", ")
}

/// What these numbers mean and what they are based on.
pub fn about_spread(spread: &Spread) -> String {
    let games = words::count(spread.games);
    let from = if spread.is_paired {
        format!("from the paired differences of {games} games")
    } else {
        format!("from {games} games of one strategy, for an independent one with the same spread")
    };
    format!("80 % power at the 5 % level; {from}")
}

/// Rounded up to two digits: a forecast is no more precise.
fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(1).ilog10().saturating_sub(1));
    number.div_ceil(unit) * unit
}
