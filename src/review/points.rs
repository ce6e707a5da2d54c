//! Points in whole millionths, added without rounding.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Serialize, Serializer};

use crate::words;

/// A number of points in whole millionths. Sums and differences are exact, so printed parts add up to the last digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Points(i128);

impl Points {
    pub const ZERO: Self = Self(0);

    const PER_POINT: i128 = 1_000_000;

    /// No game on any board has half as many points. Larger numbers are no values.
    const MOST: f64 = (1_u64 << 34) as f64;

    /// The nearest millionth. `None` for NaN and for numbers that no game can reach.
    pub fn of(value: f64) -> Option<Self> {
        (value.abs() <= Self::MOST)
            .then(|| Self((value * Self::PER_POINT as f64).round_ties_even() as i128))
    }

    pub fn whole(points: impl Into<i128>) -> Self {
        Self(points.into() * Self::PER_POINT)
    }

    pub(super) const fn from_millionths(millionths: i64) -> Self {
        Self(millionths as i128)
    }

    /// `None` for sums beyond the range of a value.
    pub(super) fn millionths(self) -> Option<i64> {
        i64::try_from(self.0).ok()
    }

    /// The nearest `f64`, for pictures and means.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / Self::PER_POINT as f64
    }

    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// All digits for people: `−12.5`, `1,240`.
    pub fn text(self) -> String {
        words::exact(self.to_f64())
    }
}

impl fmt::Display for Points {
    /// All digits and no more: `-12.5`, `1240`, `0.000001`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (
            self.0.unsigned_abs() / 1_000_000,
            self.0.unsigned_abs() % 1_000_000,
        );
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = format!("{rest:06}");
        match digits.trim_end_matches('0') {
            "" => f.pad(&format!("{sign}{whole}")),
            digits => f.pad(&format!("{sign}{whole}.{digits}")),
        }
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Points {
    /// The number with this decimal text as its shortest form. Below nine billion points it is exact.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(self.0 / Self::PER_POINT) {
            Ok(whole) if self.0 % Self::PER_POINT == 0 => serializer.serialize_i64(whole),
            _ => serializer.serialize_f64(self.to_f64()),
        }
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Points {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Points {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_with_all_their_digits_and_read_back_as_the_same() {
        for (value, text) in [
            (0.0, "0"),
            (-12.5, "-12.5"),
            (1240.0, "1240"),
            (0.000_001, "0.000001"),
            (-0.000_000_4, "0"),
            (213_456.123_456_4, "213456.123456"),
        ] {
            let points = Points::of(value).expect(text);
            assert_eq!(points.to_string(), text);
            let json = serde_json::to_string(&points).expect("a number");
            assert_eq!(Points::of(json.parse().expect("a number")), Some(points));
        }
        assert_eq!(
            (
                Points::of(f64::NAN),
                Points::of(f64::INFINITY),
                Points::of(1e12)
            ),
            (None, None, None)
        );
    }

    #[test]
    fn sums_do_not_round() {
        let tenth = Points::of(0.1).expect("a number");
        assert_eq!((0..10).map(|_| tenth).sum::<Points>(), Points::whole(1));
        assert_eq!(
            -(Points::whole(3) - tenth),
            Points::of(-2.9).expect("a number")
        );
        assert_eq!(Points::whole(7).to_f64(), 7.0);
    }
}
