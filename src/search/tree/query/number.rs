//! Numbers, ranges and comparisons of a query.

use super::super::super::ROUNDING;
use super::super::fields::{Field, Unit};
use crate::math;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compare {
    Equal,
    Differs,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// A number, or a range. Each end of a range may be open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Span {
    One(Number),
    Range(Option<Number>, Option<Number>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Number {
    pub(super) value: f64,
    /// The number of decimals; 0 if the number matches only itself.
    places: u8,
}

/// An `f64` has no more decimals than these.
const MOST_PLACES: usize = 17;

/// The minimum number of decimals of a probability on the screen.
const PLACES_OF_PROBABILITIES: u8 = 2;

impl Compare {
    /// The spellings. Of two with the same start the longer comes first.
    pub(super) const WRITTEN: [(&'static str, Self); 11] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("!=", Self::Differs),
        ("==", Self::Equal),
        ("≤", Self::AtMost),
        ("≥", Self::AtLeast),
        ("≠", Self::Differs),
        ("<", Self::Less),
        (">", Self::More),
        (":", Self::Equal),
        ("=", Self::Equal),
    ];

    /// The first spelling.
    pub(super) fn sign(self) -> &'static str {
        Self::WRITTEN
            .into_iter()
            .find(|&(_, written)| written == self)
            .map_or("", |(sign, _)| sign)
    }

    pub(super) fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Differs => a != b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::More => b < a,
            Self::AtLeast => b <= a,
        }
    }
}

impl Number {
    fn is(self, other: f64, field: &Field) -> bool {
        let slack = match self.places {
            0 => self.value.abs() * ROUNDING,
            places if field.is(Unit::Probability) => {
                0.5 * math::powi(0.1, i32::from(places.max(PLACES_OF_PROBABILITIES)))
            }
            places => 0.5 * math::powi(0.1, i32::from(places)),
        };
        (self.value - other).abs() <= slack * (1.0 + ROUNDING)
    }
}

impl Span {
    pub(super) fn contains(self, value: f64, field: &Field) -> bool {
        match self {
            Self::One(number) => number.is(value, field),
            Self::Range(from, to) => {
                from.is_none_or(|from| from.value <= value) && to.is_none_or(|to| value <= to.value)
            }
        }
    }
}

/// Reads a number: `812.4`, `5%`, `1e-4`.
pub(super) fn number(text: &str) -> Option<Number> {
    let plain = text.replace('−', "-");
    let (digits, scale) = match plain.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (plain.as_str(), 1.0),
    };
    // Words such as inf are not numbers here.
    if !digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
    {
        return None;
    }
    let value: f64 = digits
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())?;
    let is_exact = scale != 1.0 || digits.contains(['e', 'E']);
    let places = digits
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let places = if is_exact || MOST_PLACES < places {
        0
    } else {
        places as u8
    };
    Some(Number {
        value: value / scale,
        places,
    })
}
