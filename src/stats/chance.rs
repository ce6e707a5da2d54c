//! Reproducible random numbers: resampling must not change a result between two calls.

use std::f64::consts::TAU;

use crate::math;

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Chance(pub(super) u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Strictly between 0 and 1.
    pub(super) fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Two independent normal numbers (Box and Muller 1958).
    pub(super) fn normals(&mut self) -> [f64; 2] {
        let radius = (-2.0 * math::ln(self.unit())).sqrt();
        let [sin, cos] = math::sin_cos(TAU * self.unit());
        [radius * cos, radius * sin]
    }
}
