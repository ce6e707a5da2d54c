//! Numbers about samples: exact score distributions, intervals, comparisons, histogram bins.
//!
//! A leaf: nothing here knows of 2048 beyond the fact that scores are whole numbers. Counts and sums are kept as
//! integers, so that results do not depend on the order in which worker threads deliver them.
//!
//! - [`ScoreCounts`] is the whole distribution of a run: every score with how often it came. Median and quartiles are
//!   exact, and two halves merge into the same distribution in either order.
//! - [`mean_interval`] is a Student *t* interval, [`wilson`] the interval of a share.
//! - [`compare_means`] sets a measured mean beside a published one and says in a word what the difference means;
//!   [`compare_shares`] does so for a share.
//! - [`Bins`] is the one rule by which several runs share a histogram.

mod bins;
mod compare;
mod counts;
mod interval;

pub use bins::Bins;
pub use compare::{Comparison, Moments, Share, Verdict, compare_means, compare_shares};
pub use counts::ScoreCounts;
pub use interval::{Interval, Z95, mean_interval, student_t_975, wilson};
