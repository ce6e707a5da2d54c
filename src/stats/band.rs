//! A simultaneous confidence band for a distribution function: how far the share of values up to *x* may be from that
//! of the sample, for all *x*.
//!
//! Dvoretzky, Kiefer and Wolfowitz 1956 with the constant of Massart 1990: after *n* values
//!
//! ```text
//! P( sup |Fₙ(x) − F(x)| > ε ) ≤ 2 exp(−2nε²),   ε = √( ln(2/α) / (2n) ),   α = 0.05
//! ```
//!
//! This is for a planned *n*. While values come, the band holds at all sizes simultaneously (Howard and Ramdas 2022,
//! Sequential estimation of quantiles with applications to A/B testing and best-arm identification, Bernoulli 28):
//!
//! ```text
//! ε = 0.85 √( (ln ln(e·t) + 0.8 ln(1612/α)) / t )
//! ```
//!
//! For repeated values, such as scores, both are conservative.

use super::{IntervalKind, Planned};
use crate::math;

const ALPHA: f64 = 0.05;

impl Planned {
    /// Half the height of the 95 % band after `count` values, as a share. `None` without values.
    pub fn band(self, count: u64) -> Option<f64> {
        let n = (0 < count).then_some(count as f64)?;
        let half = match self.kind(count) {
            IntervalKind::Planned => (math::ln(2.0 / ALPHA) / (2.0 * n)).sqrt(),
            IntervalKind::Anytime => {
                0.85 * ((math::ln(1.0 + math::ln(n)) + 0.8 * math::ln(1612.0 / ALPHA)) / n).sqrt()
            }
        };
        Some(half.min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_shrinks_with_the_root_of_the_values_and_is_wider_before_the_planned_end() {
        assert_eq!(Planned(10).band(0), None);
        let planned = Planned(1000).band(1000).expect("values");
        assert!((planned - 0.042_947).abs() < 1e-5, "1.358 / √n: {planned}");
        let early = Planned(1001).band(1000).expect("values");
        assert!((1.9..2.2).contains(&(early / planned)), "{early}");
        assert_eq!(Planned(1000).band(1), Some(1.0));
    }
}
