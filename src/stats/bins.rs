//! One histogram rule for all runs of a plot.
//!
//! Width: Freedman and Diaconis, 2·IQR·n^(−1/3), for each run; the smallest of these widths, so that no run hides its
//! shape in the bins of another, rounded down to a nice width. It is at most an eighth of the range, and at least two
//! pixels of the visible part. Bins begin at a multiple of the width. On a logarithmic axis the rule is the same for
//! log₂ of the scores, and a bin is a half, a third, a quarter … of a doubling.
//!
//! Scores of 2048 are multiples of 4, and bins of 10 would show a comb that is not in the data. So the nice widths are
//! those of 1, 2, 2.5, 5 · 10ᵏ that are divisible by 4 (20, 100, 200, 500 …), plus 4, 8 and 40, which fill the gaps
//! below 100. Parts of a doubling begin at the next multiple of 4.
//!
//! One game can be as long as ten others. Scores above the 99.9 % quantile of every run are one bin, the tail, if that
//! gives the others at least a tenth more room.

use std::ops::Range;

use super::ScoreCounts;
use crate::math;

/// The width of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinWidth {
    /// Points, a multiple of 4.
    Points(u32),
    /// This many bins per doubling of the score.
    PerDoubling(u32),
}

/// The settings of a histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binning {
    /// Whether the axis is logarithmic.
    pub log2: bool,
    /// Overrides the rule, but never below two pixels.
    pub width: Option<BinWidth>,
    /// Whether to show all scores, without a tail.
    pub whole: bool,
    /// Pixels for the visible part of the scores.
    pub pixels: f64,
    /// The visible length, in scores or doublings. `None` for everything except the tail.
    pub seen: Option<f64>,
    /// The start of a bin: 0, or the score that represents 0.
    pub zero: u32,
}

/// Half-open intervals of scores, shared by all runs of one plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bins {
    /// The lowest score of each bin, ascending.
    starts: Vec<u32>,
    /// The highest score of the last bin.
    last: u32,
    width: BinWidth,
    has_tail: bool,
    zero: u32,
}

impl Binning {
    /// Few games would get very wide bins. About this many bins still show their distribution.
    const FEWEST: f64 = 8.0;
    /// Narrower bins could not be distinguished.
    const PIXELS: f64 = 2.0;
    /// A limit for memory.
    const MOST: f64 = 16_384.0;

    /// The position of a score on the axis.
    fn at(&self, score: u32) -> f64 {
        if self.log2 {
            math::log2(f64::from(score.max(4)))
        } else {
            f64::from(score)
        }
    }

    /// Bins for all `runs` together. `None` while there is no score.
    pub fn bins<'a>(&self, runs: impl IntoIterator<Item = &'a ScoreCounts>) -> Option<Bins> {
        let (mut rule, mut ends, mut highest_usual) = (f64::INFINITY, None::<(u32, u32)>, 0);
        for run in runs {
            let (Some(low), Some(high), Some([lower, _, upper])) =
                (run.min(), run.max(), run.quartiles())
            else {
                continue;
            };
            let [lower, upper] = [lower, upper].map(|score| self.at(score as u32));
            rule = rule.min(2.0 * (upper - lower) / math::cbrt(run.count() as f64));
            ends = Some(ends.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
            highest_usual = highest_usual.max(usual(run).unwrap_or(high));
        }

        let (low, high) = ends?;
        let length = |to: u32| self.at(to) - self.at(low);
        let has_tail = !self.whole && 1.1 * length(highest_usual) < length(high);
        let top = if has_tail { highest_usual } else { high };
        let pixels = self.pixels.max(1.0);
        let seen = self
            .seen
            .unwrap_or_else(|| length(top))
            .max(f64::MIN_POSITIVE);
        let least = (Self::PIXELS * seen / pixels).max(length(top) / Self::MOST);
        let rule = rule.min(length(top) / Self::FEWEST);
        let width = match self.width {
            Some(BinWidth::Points(width)) if !self.log2 => {
                self.points(f64::from(width.next_multiple_of(4)), least)
            }
            Some(BinWidth::PerDoubling(parts)) if self.log2 => {
                self.parts(1.0 / f64::from(parts.max(1)), least)
            }
            _ if self.log2 => self.parts(rule, least),
            _ => {
                let nice = nice_widths()
                    .take_while(|&width| f64::from(width) <= rule)
                    .last()
                    .unwrap_or(4);
                self.points(f64::from(nice), least)
            }
        };

        let mut bins = Bins::covering(low, top, width, self.zero);
        if has_tail {
            // The bins before the tail are whole.
            bins.starts.push(bins.last + 1);
            bins.has_tail = true;
        }

        bins.last = bins.last.max(high);
        Some(bins)
    }

    /// A width, or the next nice one that is wide enough to see.
    fn points(&self, width: f64, least: f64) -> BinWidth {
        let nice = || {
            nice_widths()
                .find(|&width| least <= f64::from(width))
                .unwrap_or(u32::MAX / 4 * 4)
        };
        BinWidth::Points(if least <= width { width as u32 } else { nice() })
    }

    /// The parts of a doubling of at most this width, unless they are too narrow to see.
    fn parts(&self, width: f64, least: f64) -> BinWidth {
        let fits = |&parts: &u32| least <= 1.0 / f64::from(parts);
        let wanted = PARTS
            .into_iter()
            .find(|&parts| 1.0 / f64::from(parts) <= width)
            .unwrap_or(PARTS[PARTS.len() - 1]);
        let seen = PARTS.into_iter().rev().find(fits).unwrap_or(1);
        BinWidth::PerDoubling(wanted.min(seen))
    }
}

/// The lowest score that at most a thousandth of the games exceed.
fn usual(run: &ScoreCounts) -> Option<u32> {
    run.nth((run.count() - run.count() / 1000).checked_sub(1)?)
}

/// Possible numbers of bins per doubling.
const PARTS: [u32; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

impl Bins {
    /// Bins of a given width that cover `low` and `high`.
    fn covering(low: u32, high: u32, width: BinWidth, zero: u32) -> Self {
        let (starts, last) = match width {
            BinWidth::Points(width) => {
                let offset = zero % width;
                let [first, last] =
                    [low, high].map(|score| score.saturating_sub(offset) / width * width + offset);
                (
                    (first..=last).step_by(width as usize).collect(),
                    last.saturating_add(width - 1),
                )
            }
            BinWidth::PerDoubling(parts) => {
                // The first bin has all scores below 8.
                let edge = |part: u32| {
                    let score = math::pow(2.0, f64::from(part) / f64::from(parts));
                    (score / 4.0).ceil().min(f64::from(u32::MAX / 4)) as u32 * 4
                };
                let mut starts = vec![0];
                let mut edges = (2 * parts + 1..=32 * parts)
                    .map(edge)
                    .filter(|&edge| 8 <= edge);
                let next = loop {
                    let Some(edge) = edges.next() else {
                        break u32::MAX;
                    };
                    if high < edge {
                        break edge;
                    }
                    if starts.last() != Some(&edge) {
                        starts.push(edge);
                    }
                };
                let first = starts.partition_point(|&start| start <= low) - 1;
                (
                    starts.split_off(first),
                    if next == u32::MAX { next } else { next - 1 },
                )
            }
        };
        Self {
            starts,
            last,
            width,
            has_tail: false,
            zero,
        }
    }

    /// Width of every bin except the tail.
    pub fn width(&self) -> BinWidth {
        self.width
    }

    /// The score that represents 0.
    pub fn zero(&self) -> u32 {
        self.zero
    }

    #[allow(clippy::len_without_is_empty, reason = "there is always a bin")]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// The index of the tail, which is the last bin, if there is one.
    pub fn tail(&self) -> Option<usize> {
        self.has_tail.then(|| self.len() - 1)
    }

    /// The scores of bin `index`, with its lower end and without its upper end.
    pub fn range(&self, index: usize) -> Range<u32> {
        let end = self
            .starts
            .get(index + 1)
            .copied()
            .unwrap_or_else(|| self.last.saturating_add(1));
        self.starts[index]..end
    }

    /// The bin of `score`, if there is one.
    pub fn index_of(&self, score: u32) -> Option<usize> {
        let index = self
            .starts
            .partition_point(|&start| start <= score)
            .checked_sub(1)?;
        (score <= self.last).then_some(index)
    }

    /// The number of scores of `run` in each bin. Scores outside all bins are left out.
    pub fn histogram(&self, run: &ScoreCounts) -> Vec<u64> {
        let mut bars = vec![0; self.len()];
        let mut index = 0;
        for (score, count) in run.iter().skip_while(|&(score, _)| score < self.starts[0]) {
            if self.last < score {
                break;
            }
            while self
                .starts
                .get(index + 1)
                .is_some_and(|&start| start <= score)
            {
                index += 1;
            }
            bars[index] += count;
        }
        bars
    }
}

/// All nice widths, ascending.
pub fn nice_widths() -> impl Iterator<Item = u32> {
    let decades = (0..8).flat_map(|decade| {
        let base = 100 * 10u64.pow(decade);
        [base, 2 * base, 5 * base / 2, 5 * base]
    });
    [4, 8, 20, 40].into_iter().chain(
        decades
            .filter(|width| width % 4 == 0)
            .filter_map(|width| u32::try_from(width).ok()),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::chance::Chance;
    use super::*;

    const PLAIN: Binning = Binning {
        log2: false,
        width: None,
        whole: false,
        pixels: 800.0,
        seen: None,
        zero: 0,
    };

    fn points(bins: &Bins) -> u32 {
        let BinWidth::Points(width) = bins.width() else {
            panic!("{bins:?}")
        };
        width
    }

    #[test]
    fn widths_are_nice_and_hold_the_same_number_of_possible_scores() {
        let widths: Vec<u32> = nice_widths().take(11).collect();
        assert_eq!(
            widths,
            [4, 8, 20, 40, 100, 200, 500, 1000, 2000, 2500, 5000]
        );
        assert!(nice_widths().all(|width| width % 4 == 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn bins_sum_to_all_games_and_their_edges_are_multiples_of_4(
            runs in proptest::collection::vec(proptest::collection::vec(0..100_000_u32, 1..1500), 1..4),
            far in prop::option::of(100_000..3_000_000_u32),
            log2 in any::<bool>(),
            whole in any::<bool>(),
            wanted in prop::option::of(1..5000_u32),
            pixels in 50.0..3000.0_f64,
            zoom in prop::option::of(0.01..1.0_f64),
        ) {
            let mut runs: Vec<Vec<u32>> =
                runs.iter().map(|run| run.iter().map(|score| score / 4 * 4).collect()).collect();
            runs[0].extend(far.map(|score| score / 4 * 4));
            let counts: Vec<ScoreCounts> = runs.iter().map(|run| run.iter().copied().collect()).collect();
            let width = wanted.map(|width| if log2 { BinWidth::PerDoubling(width) } else { BinWidth::Points(width) });
            let whole_length = if log2 { 17.0 } else { 100_000.0 };
            let binning = Binning { log2, width, whole, pixels, seen: zoom.map(|zoom| zoom * whole_length), zero: 0 };
            let bins = binning.bins(&counts).expect("scores");
            for (run, counts) in runs.iter().zip(&counts) {
                let bars = bins.histogram(counts);
                prop_assert_eq!(bars.iter().sum::<u64>(), run.len() as u64);
                let counted = |index| run.iter().filter(|&&score| bins.index_of(score) == Some(index)).count() as u64;
                prop_assert!((0..bins.len()).step_by(1 + bins.len() / 20).all(|index| bars[index] == counted(index)));
            }

            prop_assert!((0..bins.len()).all(|index| bins.range(index).start.is_multiple_of(4)));
            prop_assert!((1..bins.len()).all(|index| bins.range(index - 1).end == bins.range(index).start));
            if let BinWidth::Points(width) = bins.width() {
                prop_assert_eq!(width % 4, 0);
            }
            prop_assert!(!whole || bins.tail().is_none());
        }
    }

    /// A run of `count` games whose scores have two peaks.
    fn two_peaks(count: usize) -> ScoreCounts {
        let mut chance = Chance(3);
        let mut score = || {
            let middle = if chance.unit() < 0.55 { 700.0 } else { 1300.0 };
            4 * (middle / 4.0 + 25.0 * chance.normals()[0]).max(0.0).round() as u32
        };
        (0..count).map(|_| score()).collect()
    }

    #[test]
    fn the_narrowest_run_decides_and_its_peaks_are_seen_beside_a_wide_one() {
        let random = two_peaks(10_000);
        let wide: ScoreCounts = (0..10_000_u32)
            .map(|i| 4 * (i.wrapping_mul(2_654_435_761) % 2500))
            .collect();
        let alone = points(&PLAIN.bins([&random]).expect("scores"));
        let bins = PLAIN.bins([&random, &wide]).expect("scores");
        assert!(
            alone <= 40 && points(&bins) <= 40,
            "{alone} {}",
            points(&bins)
        );
        let bars = bins.histogram(&random);
        let at = |score| bars[bins.index_of(score).expect("a bin")];
        assert!(2 * at(1000) < at(700).min(at(1300)), "a valley");
    }

    #[test]
    fn a_bin_is_two_pixels_at_least_and_zooming_in_makes_it_narrower() {
        let run = two_peaks(200_000);
        let length = f64::from(run.max().expect("scores") - run.min().expect("scores"));
        let width = |pixels, seen| {
            points(
                &Binning {
                    pixels,
                    seen,
                    ..PLAIN
                }
                .bins([&run])
                .expect("scores"),
            )
        };
        for pixels in [100.0, 300.0, 900.0] {
            let bin = f64::from(width(pixels, None)) * pixels / length;
            assert!((2.0..16.0).contains(&bin), "{bin} of {pixels}");
        }
        assert!(width(100.0, Some(length / 8.0)) < width(100.0, None));
        assert_eq!(
            width(1e6, None),
            20,
            "the rule: no narrower than what the games can tell"
        );
    }

    #[test]
    fn one_long_game_of_many_does_not_press_the_others_into_one_bar() {
        let counts = |far: usize| -> ScoreCounts {
            (0..5000_u32)
                .map(|i| 400 + 4 * (i % 500))
                .chain(std::iter::repeat_n(1_600_000, far))
                .collect()
        };
        let run = counts(1);
        let bins = PLAIN.bins([&run]).expect("scores");
        let tail = bins.tail().expect("a tail");
        let bars = bins.histogram(&run);
        assert_eq!((bars[tail], bars.iter().sum::<u64>()), (1, 5001));
        assert!(bars.iter().all(|&bar| bar < 500), "{bars:?}");
        assert!(bins.range(tail).contains(&1_600_000) && bins.range(tail).start <= 2500);
        let whole = Binning {
            whole: true,
            ..PLAIN
        }
        .bins([&run])
        .expect("scores");
        assert_eq!(whole.tail(), None);
        // More than a thousandth of the games are no tail.
        assert_eq!(PLAIN.bins([&counts(6)]).expect("scores").tail(), None);

        // Neither are scores that take no room.
        assert_eq!(PLAIN.bins([&two_peaks(300)]).expect("scores").tail(), None);
    }

    #[test]
    fn bins_of_a_logarithm_are_parts_of_a_doubling() {
        let run: ScoreCounts = (0..10_000_u32)
            .map(|i| 4 * (1 + i.wrapping_mul(2_654_435_761) % 20_000))
            .collect();
        let bins = Binning {
            log2: true,
            ..PLAIN
        }
        .bins([&run])
        .expect("scores");
        let BinWidth::PerDoubling(parts) = bins.width() else {
            panic!("{bins:?}")
        };
        assert!((2..=64).contains(&parts), "{parts}");
        for power in 6..16 {
            let index = bins.index_of(1 << power).expect("a bin");
            assert_eq!(
                bins.range(index).start,
                1 << power,
                "every power of two begins a bin"
            );
        }
        let binning = Binning {
            log2: true,
            width: Some(BinWidth::PerDoubling(1)),
            ..PLAIN
        };
        let bins = binning.bins([&run]).expect("scores");
        assert_eq!(
            bins.range(bins.index_of(40_000).expect("a bin")),
            32_768..65_536
        );
    }

    #[test]
    fn extremes_do_not_break_the_rule() {
        assert_eq!(PLAIN.bins([&ScoreCounts::EMPTY]), None);
        for log2 in [false, true] {
            let binning = Binning { log2, ..PLAIN };
            let one: ScoreCounts = [1096].into_iter().collect();
            let bins = binning.bins([&one]).expect("a score");
            assert_eq!((bins.len(), bins.histogram(&one)), (1, vec![1]));
            let wide: ScoreCounts = [0, u32::MAX].into_iter().collect();
            let bins = binning.bins([&wide]).expect("scores");
            assert_eq!(bins.histogram(&wide).iter().sum::<u64>(), 2);
        }
    }
}
