//! One histogram rule for all runs of a plot.
//!
//! Width: Freedman and Diaconis, 2·IQR·n^(−1/3), for each run; the median of the runs' widths, so that neither the
//! narrowest nor the widest run decides; at most an eighth of the whole range; rounded up to the next nice width, and
//! further until all runs fit into [`Bins::MOST`] bins. Bins begin at a multiple of the width.
//!
//! Scores of 2048 are multiples of 4, and bins of 10 would show a comb that is not in the data. Nice widths are therefore
//! those of 1, 2, 2.5, 5 · 10ᵏ that 4 divides (20, 100, 200, 500 …), and 4, 8 and 40, which fill the gaps below 100.

use std::ops::Range;

use super::ScoreCounts;

/// Equal half-open intervals of scores, shared by all runs of one plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bins {
    first: u32,
    width: u32,
    len: usize,
}

impl Bins {
    /// The most bins a plot gets; more are narrower than a bar can be drawn.
    pub const MOST: usize = 120;

    /// Few games would get very wide bins; this many (about) still show where they lie.
    const FEWEST: f64 = 8.0;

    /// Bins for `runs` together; `None` while there is no score.
    pub fn for_runs<'a>(runs: impl IntoIterator<Item = &'a ScoreCounts>) -> Option<Self> {
        let mut widths = Vec::new();
        let mut ends: Option<(u32, u32)> = None;
        for run in runs {
            let (Some(low), Some(high), Some([lower, _, upper])) = (run.min(), run.max(), run.quartiles()) else {
                continue;
            };
            widths.push(2.0 * (upper - lower) / (run.count() as f64).cbrt());
            ends = Some(ends.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        }
        let (low, high) = ends?;
        widths.sort_by(f64::total_cmp);
        let wanted = widths[widths.len() / 2].min(f64::from(high - low) / Self::FEWEST);
        nice_widths()
            .filter(|&width| wanted <= f64::from(width))
            .map(|width| Self::covering(low, high, width))
            .find(|bins| bins.len <= Self::MOST)
    }

    /// Bins of a given width that cover `low` and `high`.
    fn covering(low: u32, high: u32, width: u32) -> Self {
        let (first, last) = (low / width, high / width);
        Self { first: first * width, width, len: (last - first) as usize + 1 }
    }

    /// Width of every bin, in points.
    pub fn width(&self) -> u32 {
        self.width
    }

    #[allow(clippy::len_without_is_empty, reason = "there is always a bin")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The scores of bin `index`: from its lower end up to, without, its upper end.
    pub fn range(&self, index: usize) -> Range<u32> {
        let start = self.first.saturating_add(self.width.saturating_mul(index as u32));
        start..start.saturating_add(self.width)
    }

    /// The bin that holds `score`, if any does.
    pub fn index_of(&self, score: u32) -> Option<usize> {
        let index = (score.checked_sub(self.first)? / self.width) as usize;
        (index < self.len).then_some(index)
    }

    /// How many scores of `run` each bin holds; scores outside all bins are left out.
    pub fn histogram(&self, run: &ScoreCounts) -> Vec<u64> {
        let mut bars = vec![0; self.len];
        for (score, count) in run.iter() {
            if let Some(index) = self.index_of(score) {
                bars[index] += count;
            }
        }
        bars
    }
}

/// All nice widths, ascending.
fn nice_widths() -> impl Iterator<Item = u32> {
    let decades = (0..8).flat_map(|decade| {
        let base = 100 * 10u64.pow(decade);
        [base, 2 * base, 5 * base / 2, 5 * base]
    });
    [4, 8, 20, 40]
        .into_iter()
        .chain(decades.filter(|width| width % 4 == 0).filter_map(|width| u32::try_from(width).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_nice_and_hold_the_same_number_of_possible_scores() {
        let widths: Vec<u32> = nice_widths().take(11).collect();
        assert_eq!(widths, [4, 8, 20, 40, 100, 200, 500, 1000, 2000, 2500, 5000]);
        assert!(nice_widths().all(|width| width % 4 == 0));
    }

    #[test]
    fn runs_share_bins_that_cover_them_all() {
        let a: ScoreCounts = (0..1000).map(|i| 400 + 4 * (i % 300)).collect();
        let b: ScoreCounts = (0..1000).map(|i| 2000 + 4 * (i % 1000)).collect();
        let bins = Bins::for_runs([&a, &b]).expect("scores");
        assert!(bins.len() <= Bins::MOST);
        assert_eq!(bins.histogram(&a).iter().sum::<u64>(), 1000);
        assert_eq!(bins.histogram(&b).iter().sum::<u64>(), 1000);
        assert!(bins.range(0).contains(&400));
        assert_eq!(bins.index_of(bins.range(3).start), Some(3));
    }

    #[test]
    fn extremes_do_not_break_the_rule() {
        assert_eq!(Bins::for_runs([&ScoreCounts::EMPTY]), None);
        let one: ScoreCounts = [1096].into_iter().collect();
        let bins = Bins::for_runs([&one]).expect("a score");
        assert_eq!((bins.len(), bins.histogram(&one)), (1, vec![1]));
        let wide: ScoreCounts = [0, u32::MAX].into_iter().collect();
        let bins = Bins::for_runs([&wide]).expect("scores");
        assert_eq!(bins.histogram(&wide).iter().sum::<u64>(), 2);
    }
}
