//! Ranges of numbers, and the operators and functions on them.
//!
//! This is interval arithmetic. Each end is rounded like the value; where several roundings follow each other, the
//! range is slightly wider.

use super::Formula;
use super::error::Wrong;
use super::node::{Function, power};
use super::tree::Operator;

/// The least and the largest possible number, both included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether all numbers are whole.
    pub(super) is_whole: bool,
    /// Whether 0 is excluded, even if it lies between the ends.
    pub(super) leaves_out_zero: bool,
}

/// The smallest absolute value of a divisor.
const LEAST_DIVISOR: f64 = 1.0 / Formula::LARGEST;

impl Range {
    /// 1 or 0.
    pub(super) const TRUTH: Self = Self::whole(0.0, 1.0);

    pub(super) const fn between(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            is_whole: false,
            leaves_out_zero: false,
        }
    }

    /// A range of whole numbers.
    pub(super) const fn whole(low: f64, high: f64) -> Self {
        Self {
            is_whole: true,
            ..Self::between(low, high)
        }
    }

    pub(super) fn of(number: f64) -> Self {
        Self {
            is_whole: number.fract() == 0.0,
            ..Self::between(number, number)
        }
    }

    /// The smallest range that contains all these numbers.
    pub(super) fn over(numbers: impl IntoIterator<Item = f64>) -> Self {
        let nothing = Self::between(f64::INFINITY, f64::NEG_INFINITY);
        numbers.into_iter().fold(nothing, |range, number| Self {
            // NaN makes both ends NaN.
            low: if number.is_nan() || range.low.is_nan() {
                f64::NAN
            } else {
                range.low.min(number)
            },
            high: if number.is_nan() || range.high.is_nan() {
                f64::NAN
            } else {
                range.high.max(number)
            },
            is_whole: range.is_whole,
            leaves_out_zero: range.leaves_out_zero,
        })
    }

    /// Slightly wider, to allow for intermediate rounding. An end at 0 stays, because 0 is exact.
    pub(super) fn widened(self) -> Self {
        let part = |end: f64| end.abs() * 1e-12;
        Self {
            low: self.low - part(self.low),
            high: self.high + part(self.high),
            ..self
        }
    }

    pub(super) fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Where quotients by these numbers, and powers of them, may be largest: the ends, and the numbers next to 0.
    fn turning_points(self) -> [f64; 4] {
        match self.low < 0.0 && 0.0 < self.high && self.leaves_out_zero {
            true => [self.low, -self.least_size(), self.least_size(), self.high],
            false => [self.low, self.low, self.high, self.high],
        }
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            is_whole: self.is_whole && other.is_whole,
            leaves_out_zero: !self.has_zero() && !other.has_zero(),
        }
    }

    /// The intersection. If it is empty, this range: such a part is never evaluated.
    pub(super) fn narrowed_to(self, other: Self) -> Self {
        let (mut low, mut high) = (self.low.max(other.low), self.high.min(other.high));
        let is_whole = self.is_whole || other.is_whole;
        let leaves_out_zero = self.leaves_out_zero || other.leaves_out_zero;
        if is_whole {
            (low, high) = (low.ceil(), high.floor());
        }
        if leaves_out_zero {
            let next = if is_whole { 1.0 } else { f64::from_bits(1) };
            low = if low == 0.0 { next } else { low };
            high = if high == 0.0 { -next } else { high };
        }
        if low <= high {
            Self {
                low,
                high,
                is_whole,
                leaves_out_zero,
            }
        } else {
            self
        }
    }

    fn corners(self, other: Self, operation: impl Fn(f64, f64) -> f64) -> Self {
        let operation = &operation;
        let others = other.turning_points();
        Self::over(
            self.turning_points()
                .into_iter()
                .flat_map(|one| others.map(|other| operation(one, other))),
        )
    }

    pub(super) fn largest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// The absolute value of the number nearest to 0.
    fn least_size(self) -> f64 {
        match () {
            () if 0.0 < self.low => self.low,
            () if self.high < 0.0 => -self.high,
            () if !self.leaves_out_zero => 0.0,
            () if self.is_whole => 1.0,
            () => f64::from_bits(1),
        }
    }

    pub(super) fn has_zero(self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high && !self.leaves_out_zero
    }
}

impl Function {
    pub(super) fn range(self, range: Range) -> Result<Range, Wrong> {
        let Range { low, is_whole, .. } = range;
        match self {
            Self::Sqrt if low < 0.0 => {
                return Err(Wrong::Domain {
                    name: "sqrt",
                    low,
                    remedy: "0",
                });
            }
            Self::Ln if low <= 0.0 => {
                return Err(Wrong::Domain {
                    name: "ln",
                    low,
                    remedy: "1",
                });
            }
            Self::Log2 if low <= 0.0 => {
                return Err(Wrong::Domain {
                    name: "log2",
                    low,
                    remedy: "1",
                });
            }
            _ => {}
        }

        // All others rise from one end to the other.
        let risen = Range::over(range.ends().map(|end| self.of(end)));
        Ok(match self {
            Self::Abs => Range {
                is_whole,
                ..Range::between(range.least_size(), range.largest())
            },
            Self::Sqrt | Self::Ln | Self::Log2 | Self::Exp => risen.widened(),
            Self::Floor | Self::Ceil | Self::Round => Range {
                is_whole: true,
                leaves_out_zero: is_whole && range.leaves_out_zero,
                ..risen
            },
            Self::Sign => Range {
                is_whole: true,
                leaves_out_zero: range.leaves_out_zero,
                ..risen
            },
        })
    }
}

impl Operator {
    pub(super) fn range(self, [one, other]: [Range; 2]) -> Result<Range, Wrong> {
        match self {
            Self::Times => {
                let is_whole = one.is_whole && other.is_whole;
                let leaves_out_zero = is_whole && !one.has_zero() && !other.has_zero();
                Ok(Range {
                    is_whole,
                    leaves_out_zero,
                    ..one.corners(other, |a, b| a * b)
                })
            }
            Self::Over | Self::Remainder if other.has_zero() => Err(Wrong::DivisionByZero),
            Self::Over | Self::Remainder if other.least_size() < LEAST_DIVISOR => {
                Err(Wrong::NearZero)
            }
            Self::Over => Ok(one.corners(other, |a, b| a / b)),
            Self::Remainder => Ok(Range {
                is_whole: one.is_whole && other.is_whole,
                ..Range::between(0.0, other.largest())
            }),
            Self::Power => power_range(one, other),
            Self::Equal | Self::Unequal | Self::Less | Self::AtMost | Self::And | Self::Or => {
                Ok(Range::TRUTH)
            }
        }
    }
}

fn power_range(base: Range, exponent: Range) -> Result<Range, Wrong> {
    if exponent.low < 0.0 && base.has_zero() {
        return Err(Wrong::PowerOfZero);
    }
    let is_whole = base.is_whole && exponent.is_whole && 0.0 <= exponent.low;
    let leaves_out_zero = is_whole && !base.has_zero();
    let corners = Range {
        is_whole,
        leaves_out_zero,
        ..base.corners(exponent, power).widened()
    };
    if 0.0 <= base.low {
        // In each argument it rises or falls from one end to the other. 0 to the power of 0 is 1.
        let jumps = base.low == 0.0 && exponent.low == 0.0;
        return Ok(if jumps {
            corners.with(Range::TRUTH)
        } else {
            corners
        });
    }
    if exponent.low != exponent.high || exponent.low.fract() != 0.0 {
        return Err(Wrong::PowerOfNegative(base.low));
    }
    Ok(if base.has_zero() {
        corners.with(Range::of(0.0))
    } else {
        corners
    })
}
