//! Quantiles of Student's *t* and of the normal distribution.
//!
//! A quantile is where the tail probability has fallen to the given value. It falls ever more slowly, so Newton's steps
//! from below never overshoot. (The inverse of Student's *t* in `statrs` does not terminate above about 14 million
//! degrees of freedom.)

use statrs::distribution::{Continuous as _, ContinuousCDF as _, Normal, StudentsT};

use crate::math;

/// From here the expansion around the normal quantile is exact to ten digits.
const EXPANDED_FROM: f64 = 1000.0;

/// The value that Student's *t* with `freedom` degrees of freedom exceeds with probability `tail`, at most ½. `freedom`
/// need not be whole. Infinite if it is nearly 0.
pub fn student_t(freedom: f64, tail: f64) -> f64 {
    if EXPANDED_FROM <= freedom {
        return expanded(freedom, normal(tail));
    }
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if 0.01 <= freedom => exceeded(tail, |t| student.sf(t), |t| student.pdf(t)),
        _ => f64::INFINITY,
    }
}

/// The 97.5 % quantile of Student's *t*, for intervals of 95 %.
pub fn student_t_975(freedom: f64) -> f64 {
    student_t(freedom, 0.025)
}

/// The probability that Student's *t* with `freedom` degrees of freedom exceeds `value`.
pub(super) fn student_tail(freedom: f64, value: f64) -> f64 {
    // Beyond that the two agree to six digits, and the sum in `statrs` takes ever more terms.
    if 1e7 <= freedom {
        return normal_tail(value);
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(0.5, |student| student.sf(value))
}

/// The value that a standard normal number exceeds with probability `tail`.
pub(super) fn normal(tail: f64) -> f64 {
    -Normal::standard().inverse_cdf(tail)
}

/// The probability that a standard normal number exceeds `value`.
pub(super) fn normal_tail(value: f64) -> f64 {
    Normal::standard().sf(value)
}

/// Where `above`, which falls from ½ at 0 with slope `density`, equals `tail`.
fn exceeded(tail: f64, above: impl Fn(f64) -> f64, density: impl Fn(f64) -> f64) -> f64 {
    let mut low = 0.0;
    let mut next = 1.0;
    while tail < above(next) {
        (low, next) = (next, 2.0 * next);
        if f64::MAX < next {
            return f64::INFINITY;
        }
    }

    for _ in 0..100 {
        let step = (above(low) - tail) / density(low);
        if !(1e-14 * low..).contains(&step) {
            break;
        }
        low += step;
    }
    low
}

/// Abramowitz and Stegun 26.7.5, in powers of 1/freedom.
fn expanded(freedom: f64, z: f64) -> f64 {
    let v = freedom;
    z + (math::powi(z, 3) + z) / (4.0 * v)
        + (5.0 * math::powi(z, 5) + 16.0 * math::powi(z, 3) + 3.0 * z) / (96.0 * v * v)
        + (3.0 * math::powi(z, 7) + 19.0 * math::powi(z, 5) + 17.0 * math::powi(z, 3) - 15.0 * z)
            / (384.0 * math::powi(v, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_the_tables() {
        // Fisher and Yates, table III, with the digits of R's qt.
        for (freedom, tail, t) in [
            (1.0, 0.025, 12.706_204_74),
            (2.0, 0.025, 4.302_652_73),
            (5.0, 0.025, 2.570_581_84),
            (10.0, 0.025, 2.228_138_85),
            (30.0, 0.025, 2.042_272_46),
            (120.0, 0.025, 1.979_930_41),
            (4.0, 0.0005, 8.610_301_58),
            (20.0, 0.005, 2.845_339_71),
            (9.0, 0.05, 1.833_112_93),
        ] {
            let found = student_t(freedom, tail);
            assert!((found - t).abs() < 1e-7, "{freedom} {tail}: {found}");
        }
        for (tail, z) in [
            (0.025, super::super::Z95),
            (0.005, 2.575_829_303_549),
            (1e-6, 4.753_424_308_823),
        ] {
            assert!((normal(tail) - z).abs() < 1e-9, "{tail}: {}", normal(tail));
            assert!((normal_tail(z) / tail - 1.0).abs() < 1e-9);
        }
        // With one and two degrees there are formulas: cot πp, and (1 − 2p)·√(2/(4p(1 − p))).
        for tail in [0.4_f64, 0.1, 0.001, 1e-6] {
            assert!(
                (student_t(1.0, tail) * (std::f64::consts::PI * tail).tan() - 1.0).abs() < 1e-9,
                "{tail}"
            );
            let two = (1.0 - 2.0 * tail) * (0.5 / (tail * (1.0 - tail))).sqrt();
            assert!((student_t(2.0, tail) / two - 1.0).abs() < 1e-9, "{tail}");
        }
    }

    #[test]
    fn every_freedom_has_a_quantile_and_more_freedom_a_smaller_one() {
        let freedoms = (0..800).map(|step| 0.02 * 1.05_f64.powi(step));
        let quantiles: Vec<f64> = freedoms.map(student_t_975).collect();
        assert!(
            quantiles
                .windows(2)
                .all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)),
            "{quantiles:?}"
        );
        for tail in [0.025, 1e-6] {
            let step = student_t(EXPANDED_FROM - 1e-9, tail) - student_t(EXPANDED_FROM, tail);
            assert!(step.abs() < 1e-8, "{tail}: {step}");
        }
        assert_eq!(
            (student_t_975(0.0), student_t_975(f64::NAN)),
            (f64::INFINITY, f64::INFINITY)
        );
        assert!((student_t_975(f64::MAX) - super::super::Z95).abs() < 1e-9);
    }
}
