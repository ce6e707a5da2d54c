//! Sums of probabilities.

/// The probability of one of several events that exclude each other. Rounding never takes it out of 0 to 1, and no event
/// at all has the probability 0, without a sign: an empty sum of floating point numbers is −0.
pub fn total_probability(parts: impl IntoIterator<Item = f64>) -> f64 {
    parts
        .into_iter()
        .fold(0.0, |sum, part| sum + part)
        .clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_sum_of_probabilities_is_one(weights in vec(1e-9..1.0_f64, 0..40), some in 0..40_usize) {
            let all: f64 = weights.iter().fold(0.0, |sum, weight| sum + weight);
            let parts = || weights.iter().map(|weight| weight / all);
            let whole = total_probability(parts());
            prop_assert!((0.0..=1.0).contains(&whole) && whole.is_sign_positive(), "{whole}");
            let expected = if weights.is_empty() { 0.0 } else { 1.0 };
            prop_assert!((whole - expected).abs() < 1e-12);
            let part = total_probability(parts().take(some));
            prop_assert!(part <= whole && part.is_sign_positive());
        }
    }

    #[test]
    fn nothing_has_the_probability_nought() {
        let none = total_probability([]);
        assert!(none == 0.0 && none.is_sign_positive());
        assert_eq!(total_probability([0.5, 0.5, f64::EPSILON]), 1.0);
    }
}
