//! Statistics of samples: exact score distributions, intervals, confidence sequences, pairs, verdicts, histogram bins,
//! bands of distributions.
//!
//! It depends on nothing else: the only assumption about 2048 is that scores are whole numbers. Counts and sums are
//! integers, so results do not depend on the order in which worker threads deliver them.

mod band;
mod binomial;
mod bins;
mod chance;
mod classes;
mod counts;
#[cfg(test)]
mod coverage;
mod interval;
mod joint;
mod looks;
mod paired;
mod probability;
mod running;
mod sequence;
mod sprt;
mod strata;
mod student;
mod verdict;

pub use binomial::binomial_test;
pub use bins::{BinWidth, Binning, Bins, nice_widths};
pub use classes::{class_letters, classes};
pub use counts::{Moments, ScoreCounts};
pub use interval::{Interval, Welch, Z95, mean_interval, skewed_mean_interval, welch, wilson};
pub use joint::{Joint, JointSums, RankSet};
pub use looks::{PairedLooks, chance_beyond};
pub use paired::{NO_DIFFERENCE, PairedSums, offset_difference};
pub use probability::total_probability;
pub use running::RunningMean;
pub use sequence::{IntervalKind, Planned};
pub use sprt::{Hypothesis, Sprt, next_look, pairs_to_find};
pub use strata::StratifiedMean;
pub use student::{student_t, student_t_975};
pub use verdict::{
    Difference, LEAST_GAMES, MARGIN, PublishedNumber, TooFew, Verdict, fewest_of_deviations, holm,
};
