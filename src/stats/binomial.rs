//! The exact binomial test: whether a counted share agrees with a probability.

use crate::math;

/// The two-sided *p* of `hits` hits among `count` if each has the probability `share`: the total probability of all
/// numbers of hits that are at most as likely as this one. `None` if nothing was counted or `share` is no probability.
pub fn binomial_test(hits: u64, count: u64, share: f64) -> Option<f64> {
    if count == 0 || count < hits || !(0.0..=1.0).contains(&share) {
        return None;
    }
    if share == 0.0 || share == 1.0 {
        let certain = if share == 0.0 { 0 } else { count };
        return Some(if hits == certain { 1.0 } else { 0.0 });
    }

    // Logarithms of the probabilities from 0 hits, each from the previous one, so that no term underflows.
    let (odds, n) = (math::ln(share / (1.0 - share)), count as f64);
    let next = |(k, log): (u64, f64)| {
        let log = log + math::ln((n - k as f64) / (k as f64 + 1.0)) + odds;
        (k < count).then_some((k + 1, log))
    };
    let logs: Vec<f64> =
        std::iter::successors(Some((0, n * math::ln(1.0 - share))), |&at| next(at))
            .map(|(_, log)| log)
            .collect();
    // Equally likely numbers differ by rounding.
    let most = logs[hits as usize] + 1e-7;
    let p = logs
        .iter()
        .filter(|log| **log <= most)
        .map(|log| math::exp(*log))
        .sum::<f64>();
    Some(p.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_has_the_values_of_tables() {
        // R: binom.test(hits, count, share)$p.value.
        for (hits, count, share, p) in [
            (5, 10, 0.5, 1.0),
            (2, 10, 0.5, 0.109_375),
            (0, 10, 0.5, 0.001_953_125),
            (682, 925, 0.75, 0.382_48),
            (3, 10, 0.1, 0.070_190_826_4),
        ] {
            let found = binomial_test(hits, count, share).expect("a test");
            assert!(
                (found - p).abs() < 1e-4 * p,
                "{hits} of {count}: {found}, not {p}"
            );
        }
        assert_eq!(
            [
                binomial_test(0, 0, 0.1),
                binomial_test(3, 2, 0.1),
                binomial_test(1, 2, 1.5)
            ],
            [None; 3]
        );
        assert_eq!(
            [
                binomial_test(0, 5, 0.0),
                binomial_test(1, 5, 0.0),
                binomial_test(5, 5, 1.0)
            ]
            .map(Option::unwrap),
            [1.0, 0.0, 1.0]
        );

        assert!(binomial_test(50_000, 100_000, 0.1).expect("a test") < 1e-300);
    }

    #[test]
    fn the_test_holds_its_level_and_halves_agree() {
        for (count, share) in [(40_u64, 0.1), (130, 0.1), (300, 0.5)] {
            // The probability of each number, as a plain product.
            let probability = |hits: u64| {
                (0..hits)
                    .map(|k| (count - k) as f64 / (k + 1) as f64 * share)
                    .product::<f64>()
                    * f64::powi(1.0 - share, (count - hits) as i32)
            };
            for level in [0.01, 0.05] {
                let is_refused =
                    |hits: &u64| binomial_test(*hits, count, share).expect("a test") <= level;
                let refused: f64 = (0..=count).filter(is_refused).map(probability).sum();
                assert!(
                    refused <= level && level / 4.0 < refused,
                    "{count} {share} {level}: {refused}"
                );
            }
        }
    }
}
