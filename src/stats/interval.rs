//! Intervals of 95 %: Student's *t* for means, Wilson's for shares.

/// The 97.5 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Half the width: the "±" of the estimate.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// True if `value` lies within, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The 95 % interval of a mean: mean ± t·sd/√n with Student's *t* of n − 1 degrees of freedom, because below about 100 games
/// the normal one would be too narrow. `None` for fewer than two values.
pub fn mean_interval(count: u64, mean: f64, std_dev: f64) -> Option<Interval> {
    if count < 2 {
        return None;
    }
    let half = student_t_975(count - 1) * std_dev / (count as f64).sqrt();
    Some(Interval { low: mean - half, high: mean + half })
}

/// The 97.5 % quantile of Student's *t* with `freedom` degrees of freedom, to four digits or better: tabled up to 10; above,
/// the expansion in 1/freedom around the normal quantile (Abramowitz and Stegun 26.7.5).
pub fn student_t_975(freedom: u64) -> f64 {
    const TABLE: [f64; 11] = [
        f64::INFINITY,
        12.706_205,
        4.302_653,
        3.182_446,
        2.776_445,
        2.570_582,
        2.446_912,
        2.364_624,
        2.306_004,
        2.262_157,
        2.228_139,
    ];
    if let Some(&t) = usize::try_from(freedom).ok().and_then(|freedom| TABLE.get(freedom)) {
        return t;
    }
    let v = freedom as f64;
    let z = Z95;
    z + (z.powi(3) + z) / (4.0 * v)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * v.powi(3))
        + (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
            / (92_160.0 * v.powi(4))
}

/// The 95 % Wilson score interval of the share `hits` of `count` (Wilson 1927), which has a width even when no game or every
/// game reached the tile; `None` without any trial.
pub fn wilson(hits: u64, count: u64) -> Option<Interval> {
    if count == 0 {
        return None;
    }
    let n = count as f64;
    let share = hits.min(count) as f64 / n;
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the exact limits are 0 and 1; rounding must not cross them.
    Some(Interval {
        low: if hits == 0 { 0.0 } else { (centre - half).max(0.0) },
        high: if count <= hits { 1.0 } else { (centre + half).min(1.0) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_quantiles_match_the_tables() {
        for (freedom, t) in [(1, 12.7062), (9, 2.2622), (11, 2.2010), (20, 2.0860), (30, 2.0423), (120, 1.9799)] {
            assert!((student_t_975(freedom) - t).abs() < 1e-4, "{freedom}: {}", student_t_975(freedom));
        }
        assert!((student_t_975(u64::MAX) - Z95).abs() < 1e-12);
    }

    #[test]
    fn wilson_matches_published_values() {
        // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611.
        let i = wilson(81, 263).expect("trials");
        assert!((i.low - 0.2553).abs() < 1e-4 && (i.high - 0.3662).abs() < 1e-4, "{i:?}");
        let none = wilson(0, 20).expect("trials");
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 1e-4);
        assert_eq!(wilson(20, 20).expect("trials").high, 1.0);
        assert_eq!(wilson(0, 0), None);
    }
}
