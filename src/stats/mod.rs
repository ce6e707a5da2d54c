//! Numbers about samples: exact score distributions, intervals, confidence sequences, comparisons, histogram bins.
//!
//! A leaf: nothing here knows of 2048 beyond the fact that scores are whole numbers. Counts and sums are kept as
//! integers, so that results do not depend on the order in which worker threads deliver them.

mod bins;
mod compare;
mod counts;
mod interval;
mod sequence;

pub use bins::Bins;
pub use compare::{Comparison, Moments, Share, Verdict, compare_means, compare_shares};
pub use counts::ScoreCounts;
pub use interval::{Interval, Z95, mean_interval, student_t_975, wilson};
pub use sequence::{IntervalKind, Planned};
