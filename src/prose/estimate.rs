//! How long a run will take, in words.

use std::time::Duration;

use crate::experiment::Estimate;
use crate::words;

/// An estimate in words: `about 3 min, from 2 min to 5 min`.
pub fn how_long(estimate: &Estimate) -> String {
    let Estimate { low, likely, high } = *estimate;
    let time = |duration: Duration| words::time(duration.as_secs_f64());
    match high {
        Some(high) if high < Duration::from_secs(1) => "less than 1 s".to_owned(),
        Some(high) if low < Duration::from_secs(1) => format!("at most some {}", time(high)),
        Some(high) if time(low) == time(high) => format!("about {}", time(likely)),
        Some(high) => format!("about {}, from {} to {}", time(likely), time(low), time(high)),
        None => format!("more than {}", time(low)),
    }
}
