//! Logarithms, exponentials and powers of floats that are the same to the last bit on every machine.
//!
//! The methods of `f64` (`ln`, `exp`, `powf` …) call the C library of the system, and those differ in the last bit;
//! `powi` is not specified exactly either. One bit can change the move in a near tie, and then the game. So everything
//! that may affect a decision, a game, a training, a stop or a saved number uses these functions; `tests/layers.rs`
//! finds violations. The functions are those of the crate `libm`, a port of musl's, and [`powi`].
//!
//! Two crates still call the system: `statrs` for quantiles, in intervals and in rules that end a run, and `cmaes` for
//! the candidates of a tuning. Neither chooses a move.
//!
//! Operations that IEEE 754 rounds correctly remain methods of `f64`: `sqrt`, `abs`, `floor`, `ceil`, `round`,
//! `rem_euclid`, and the four basic operations. The compiler does not fuse a product and a sum into one rounding unless
//! code requests it (`mul_add`), whatever instructions a processor has.

/// The natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The natural logarithm of a count, from a table for up to 25, the cells of the largest board. −∞ for 0.
#[inline]
pub fn ln_of(count: u32) -> f64 {
    LOGARITHMS
        .get(count as usize)
        .copied()
        .unwrap_or_else(|| ln(f64::from(count)))
}

/// The logarithm to base 2; a whole number for a power of 2.
pub fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// The logarithm to base 10.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}

/// e to the power of `x`.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// The hyperbolic sine.
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}

/// The inverse of the hyperbolic sine.
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// A power with any exponent.
pub fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// A power with a whole exponent, computed by repeated squaring; the reciprocal of that if the exponent is negative.
#[inline]
pub fn powi(base: f64, exponent: i32) -> f64 {
    let (mut square, mut left, mut product) = (base, exponent.unsigned_abs(), 1.0);
    while left != 0 {
        if left % 2 == 1 {
            product *= square;
        }
        left /= 2;
        square *= square;
    }
    if exponent < 0 { 1.0 / product } else { product }
}

/// The square of a number.
#[inline]
pub const fn squared(x: f64) -> f64 {
    x * x
}

/// The largest power of 2 that is no larger than a positive, normal number.
pub const fn power_of_2_at_most(x: f32) -> f32 {
    // The sign and the mantissa become 0.
    f32::from_bits(x.to_bits() & 0x7f80_0000)
}

/// The cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// The length of the vector (`x`, `y`).
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// Sine and cosine.
pub fn sin_cos(x: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(x);
    [sin, cos]
}

/// `ln` of 0 to 25.
const LOGARITHMS: [f64; 26] = [
    f64::NEG_INFINITY,
    0.0,
    std::f64::consts::LN_2,
    1.0986122886681096,
    1.3862943611198906,
    1.6094379124341003,
    1.791759469228055,
    1.9459101490553132,
    2.0794415416798357,
    2.1972245773362196,
    std::f64::consts::LN_10,
    2.3978952727983707,
    2.4849066497880004,
    2.5649493574615367,
    2.639057329615259,
    2.70805020110221,
    2.772588722239781,
    2.833213344056216,
    2.8903717578961645,
    2.9444389791664403,
    2.995732273553991,
    3.044522437723423,
    3.091042453358316,
    3.1354942159291497,
    3.1780538303479458,
    3.2188758248682006,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of this implementation on x86-64 Linux; every other machine has the same.
    #[test]
    fn golden_bits_are_the_same_on_every_machine() {
        for (value, bits) in [
            (ln(3.0), 0x3ff1_93ea_7aad_030a),
            (ln(1e-300), 0xc085_9634_47f8_7fb5),
            (ln(1e6), 0x402b_a18a_998f_ffa0),
            (log2(3.0), 0x3ff9_5c01_a39f_bd68),
            (log2(1e9), 0x403d_e5b8_eaa8_d7e0),
            (log10(7.0), 0x3feb_0b0b_0b78_cc3f),
            (exp(1.0), 0x4005_bf0a_8b14_576a),
            (exp(-0.7), 0x3fdf_c80d_b9dd_5542),
            (exp(300.1), 0x5afe_f839_024b_01d6),
            (pow(7.0, 3.5), 0x408c_5bf1_0c89_ab81),
            (pow(26.0, 1.3), 0x4051_4645_4e82_08b4),
            (pow(11.0, -0.4), 0x3fd8_8699_c886_f7be),
            (powi(1.1, 63), 0x4079_543d_b1e4_7a99),
            (powi(0.3, -17), 0x41c7_13d7_1ac1_c96c),
            (cbrt(2.5), 0x3ff5_b720_9557_b0ee),
            (sinh(2.5), 0x4018_3368_cdb0_b6d3),
            (sinh(-0.3), 0xbfd3_7d42_af54_b926),
            (asinh(47.0), 0x4012_2c73_214d_a858),
            (asinh(-0.2), 0xbfc9_6ead_72fe_8b33),
            (hypot(3.1, 4.7), 0x4016_8566_e3aa_6849),
            (sin_cos(1.0)[0], 0x3fea_ed54_8f09_0cee),
        ] {
            assert_eq!(
                value.to_bits(),
                bits,
                "{value:?} has the bits {:#018x}",
                value.to_bits()
            );
        }
    }

    #[test]
    fn the_table_of_logarithms_is_that_of_the_function() {
        for count in 0..200 {
            assert_eq!(
                ln_of(count).to_bits(),
                ln(f64::from(count)).to_bits(),
                "{count}"
            );
        }
    }

    #[test]
    fn powers_of_2_and_whole_powers_are_exact() {
        for exponent in 0..64 {
            let power = powi(2.0, exponent);
            assert_eq!(
                (power, log2(power)),
                ((1_u64 << exponent) as f64, f64::from(exponent))
            );
            assert_eq!(powi(0.5, exponent), 1.0 / power);
            for x in [
                power as f32,
                power as f32 * 1.5,
                (power as f32 * 2.0).next_down(),
            ] {
                assert_eq!(power_of_2_at_most(x), power as f32, "{x}");
            }
        }
        for base in -25..=25_i64 {
            for exponent in 0..11 {
                assert_eq!(
                    powi(base as f64, exponent),
                    base.pow(exponent as u32) as f64,
                    "{base} ^ {exponent}"
                );
            }
        }
        assert_eq!(
            [powi(0.0, 0), powi(3.0, i32::MIN), powi(0.0, -1)],
            [1.0, 0.0, f64::INFINITY]
        );
    }
}
