//! Numbers about samples: exact score distributions, intervals, confidence sequences, pairs, comparisons, histogram bins.
//!
//! A leaf: nothing here knows of 2048 beyond the fact that scores are whole numbers. Counts and sums are kept as
//! integers, so that results do not depend on the order in which worker threads deliver them.

mod bins;
mod chance;
mod compare;
mod counts;
#[cfg(test)]
mod coverage;
mod interval;
mod joint;
mod paired;
mod sequence;
mod student;

pub use bins::Bins;
pub use compare::{Comparison, Moments, Share, Verdict, compare_means, compare_shares};
pub use counts::ScoreCounts;
pub use interval::{Interval, Z95, mean_interval, paired_shares, skewed_mean_interval, welch, wilson};
pub use joint::{Joint, JointSums, RankSet};
pub use paired::PairedSums;
pub use sequence::{IntervalKind, Planned};
pub use student::{student_t, student_t_975};
