//! Between which numbers the value of each part of a formula lies, on boards of a size.
//!
//! Whatever could be no number or too large is refused before anybody plays by it, so that a formula has a number on every
//! board. The bounds are those of interval arithmetic: every part is taken by itself, so that `x - x` may be anything that
//! two numbers like x differ by.

use super::Formula;
use super::error::{Refusal, Wrong};
use super::node::{Extreme, Fact, Fold, FoldKind, Function, Kind, List, Node, SLOTS, Source, Thing, power};
use super::tree::Operator;
use crate::game::{Rank, Size};
use crate::math;

/// The least and the largest number that may come out, both included.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Bounds of a formula on boards of this size; why it may be asked on none otherwise.
pub(super) fn of(node: &Node, size: Size) -> Result<Range, Refusal> {
    let mut bounds = Bounds { size, names: [Range::of(0.0); SLOTS], steps: 0 };
    let range = bounds.of(node)?;
    if Formula::MOST_STEPS < bounds.steps {
        return Err(Refusal { at: node.at, wrong: Wrong::TooLongToCount(bounds.steps) });
    }
    Ok(range)
}

/// How many steps a board of this size takes at most; `None` where it may be asked on none.
pub(super) fn steps(node: &Node, size: Size) -> Option<u64> {
    let mut bounds = Bounds { size, names: [Range::of(0.0); SLOTS], steps: 0 };
    bounds.of(node).is_ok().then_some(bounds.steps)
}

impl Range {
    const TRUTH: Self = Self { low: 0.0, high: 1.0 };

    const fn of(number: f64) -> Self {
        Self { low: number, high: number }
    }

    /// The least that holds all these numbers.
    fn over(numbers: impl IntoIterator<Item = f64>) -> Self {
        let nothing = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
        numbers.into_iter().fold(nothing, |range, number| Self {
            // What is no number makes both ends none.
            low: if number.is_nan() || range.low.is_nan() { f64::NAN } else { range.low.min(number) },
            high: if number.is_nan() || range.high.is_nan() { f64::NAN } else { range.high.max(number) },
        })
    }

    /// A little wider, for what is rounded on the way; 0 stays, since nothing is rounded there.
    fn widened(self) -> Self {
        let part = |end: f64| end.abs() * 1e-12;
        Self { low: self.low - part(self.low), high: self.high + part(self.high) }
    }

    fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }

    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn corners(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self::over(self.ends().into_iter().flat_map(|one| other.ends().map(|other| of(one, other))))
    }

    fn largest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }
}

/// The fewest and the most elements of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Length {
    least: usize,
    most: usize,
}

impl Length {
    const fn of(len: usize) -> Self {
        Self { least: len, most: len }
    }
}

struct Bounds {
    size: Size,
    names: [Range; SLOTS],
    /// At most so many values are counted out for one board.
    steps: u64,
}

type Found<T> = Result<T, Refusal>;

impl Bounds {
    fn of(&mut self, node: &Node) -> Found<Range> {
        self.steps = self.steps.saturating_add(1);
        let refuse = |wrong: Wrong| Err(Refusal { at: node.at, wrong });
        let range = match &node.kind {
            Kind::Number(number) => Range::of(*number),
            // A game score stays below 2³².
            Kind::Score => Range { low: 0.0, high: math::powi(2.0, 60) },
            Kind::Named(slot) => self.names[usize::from(*slot)],
            Kind::OfCell(fact, thing) => {
                self.thing(thing)?;
                let (rows, cols) = (self.size.rows() as f64, self.size.cols() as f64);
                match fact {
                    Fact::Tile => Range { low: 0.0, high: Rank::MAX.tile() as f64 },
                    Fact::Rank => Range { low: 0.0, high: f64::from(Rank::MAX.get()) },
                    Fact::Row => Range { low: 1.0, high: rows },
                    Fact::Column => Range { low: 1.0, high: cols },
                }
            }
            Kind::Merges(list) => Range { low: 0.0, high: self.length(list)?.most as f64 },
            Kind::Negative(one) => {
                let one = self.of(one)?;
                Range { low: -one.high, high: -one.low }
            }
            Kind::Not(one) => {
                self.of(one)?;
                Range::TRUTH
            }
            Kind::Function(function, one) => {
                let range = self.of(one)?;
                function.range(range).map_err(|wrong| Refusal { at: one.at, wrong })?
            }
            Kind::Sum(terms) => {
                let mut sum = Range::of(0.0);
                for (is_taken_away, term) in terms {
                    let term = self.of(term)?;
                    sum = match is_taken_away {
                        false => Range { low: sum.low + term.low, high: sum.high + term.high },
                        true => Range { low: sum.low - term.high, high: sum.high - term.low },
                    };
                }
                sum
            }
            Kind::Two(two, operands) => {
                let ranges = [self.of(&operands[0])?, self.of(&operands[1])?];
                two.range(ranges).map_err(|wrong| Refusal { at: node.at, wrong })?
            }
            Kind::If(three) => {
                self.of(&three[0])?;
                self.of(&three[1])?.with(self.of(&three[2])?)
            }
            Kind::Extreme(extreme, all) => {
                let all = all.iter().map(|one| self.of(one)).collect::<Found<Vec<_>>>()?;
                let (lows, highs) = (all.iter().map(|one| one.low), all.iter().map(|one| one.high));
                match extreme {
                    Extreme::Least => Range { low: Range::over(lows).low, high: Range::over(highs).low },
                    Extreme::Most => Range { low: Range::over(lows).high, high: Range::over(highs).high },
                }
            }
            Kind::Fold(fold) => self.of_fold(node.at, fold)?,
            Kind::Let(slot, two) => {
                self.names[usize::from(*slot)] = self.of(&two[0])?;
                self.of(&two[1])?
            }
        };
        let is_small = |end: f64| end.abs() < Formula::LARGEST;
        if !(is_small(range.low) && is_small(range.high)) {
            return refuse(Wrong::TooLarge);
        }
        Ok(range)
    }

    fn of_fold(&mut self, at: u32, fold: &Fold) -> Found<Range> {
        let mut slot = usize::from(fold.slot);
        let mut length: Option<Length> = None;
        for list in &fold.lists {
            let own = self.length(list)?;
            if let List::Numbers(numbers) = list {
                self.names[slot] = Range::over(numbers.iter().copied());
            }
            slot += if list.brings_pairs() { 2 } else { 1 };
            length = Some(match length {
                None => own,
                Some(other) if own.least != own.most || other.least != other.most => {
                    return Err(Refusal { at, wrong: Wrong::Length });
                }
                Some(other) if own != other => {
                    return Err(Refusal { at, wrong: Wrong::Lengths { one: other.most, other: own.most } });
                }
                Some(other) => other,
            });
        }
        let Length { least, most } = length.unwrap_or(Length::of(0));
        let before = std::mem::take(&mut self.steps);
        let each = self.of(&fold.body)?;
        self.steps = self.steps.saturating_mul(most as u64).saturating_add(before);
        let times = |end: f64| [least as f64 * end, most as f64 * end];
        let or_nothing = |range: Range| if least == 0 { range.with(Range::of(0.0)) } else { range };
        let range = match fold.kind {
            FoldKind::Sum => Range { low: Range::over(times(each.low)).low, high: Range::over(times(each.high)).high },
            FoldKind::Product => {
                let largest = math::powi(each.largest().max(1.0), most as i32);
                let low = if 0.0 <= each.low { math::powi(each.low.min(1.0), most as i32) } else { -largest };
                Range { low, high: largest }
            }
            FoldKind::Mean | FoldKind::Least | FoldKind::Most => or_nothing(each),
            FoldKind::Count => Range { low: 0.0, high: most as f64 },
            FoldKind::Any | FoldKind::All => Range::TRUTH,
        };
        let is_rounded = matches!(fold.kind, FoldKind::Sum | FoldKind::Product | FoldKind::Mean);
        Ok(if is_rounded { range.widened() } else { range })
    }

    fn length(&mut self, list: &List) -> Found<Length> {
        self.steps = self.steps.saturating_add(1);
        let (rows, cols) = (self.size.rows(), self.size.cols());
        let is_square = rows == cols;
        Ok(match list {
            List::OfBoard(source, thing) => {
                self.thing(thing)?;
                Length::of(match source {
                    Source::Cells => self.size.cells(),
                    Source::Rows => rows,
                    Source::Columns => cols,
                    Source::Lines => rows + cols,
                    Source::Pairs => rows * (cols - 1) + cols * (rows - 1),
                    Source::Images => {
                        if is_square {
                            8
                        } else {
                            4
                        }
                    }
                    Source::Turns => {
                        if is_square {
                            4
                        } else {
                            2
                        }
                    }
                })
            }
            List::OfLine(line) => {
                self.thing(line)?;
                match line {
                    Thing::Nth(list, _) if list.0.source() == Some(Source::Rows) => Length::of(cols),
                    Thing::Nth(list, _) if list.0.source() == Some(Source::Columns) => Length::of(rows),
                    _ => Length { least: rows.min(cols), most: rows.max(cols) },
                }
            }
            List::Tiles(list) => Length { least: 0, ..self.length(list)? },
            List::Pairs(list) => {
                let Length { least, most } = self.length(list)?;
                Length { least: least.saturating_sub(1), most: most.saturating_sub(1) }
            }
            List::Filter(filter) => {
                let Length { most, .. } = self.length(&filter.0)?;
                let before = std::mem::take(&mut self.steps);
                self.of(&filter.2)?;
                self.steps = self.steps.saturating_mul(most as u64).saturating_add(before);
                Length { least: 0, most }
            }
            List::Numbers(numbers) => Length::of(numbers.len()),
        })
    }

    /// Refuses the fifth cell of four.
    fn thing(&mut self, thing: &Thing) -> Found<()> {
        let Thing::Nth(list, nth) = thing else { return Ok(()) };
        let (list, at) = &**list;
        let Length { least, most } = self.length(list)?;
        let place = nth.unsigned_abs() as usize;
        let wrong = match () {
            () if place <= least => return Ok(()),
            () if most < place => Wrong::Beyond { nth: *nth, len: most, size: self.size },
            () => Wrong::MayBeShort(*nth),
        };
        Err(Refusal { at: *at, wrong })
    }
}

impl Function {
    fn range(self, range: Range) -> Result<Range, Wrong> {
        let low = range.low;
        match self {
            Self::Sqrt if low < 0.0 => return Err(Wrong::Domain { name: "sqrt", low, remedy: "0" }),
            Self::Ln if low <= 0.0 => return Err(Wrong::Domain { name: "ln", low, remedy: "1" }),
            Self::Log2 if low <= 0.0 => return Err(Wrong::Domain { name: "log2", low, remedy: "1" }),
            _ => {}
        }
        // All others rise from one end to the other.
        Ok(match self {
            Self::Abs if range.has_zero() => Range { low: 0.0, high: range.largest() },
            Self::Sqrt | Self::Ln | Self::Log2 | Self::Exp => {
                Range::over(range.ends().map(|end| self.of(end))).widened()
            }
            _ => Range::over(range.ends().map(|end| self.of(end))),
        })
    }
}

impl Operator {
    fn range(self, [one, other]: [Range; 2]) -> Result<Range, Wrong> {
        match self {
            Self::Times => Ok(one.corners(other, |a, b| a * b)),
            Self::Over | Self::Remainder if other.has_zero() => Err(Wrong::DivisionByZero),
            Self::Over => Ok(one.corners(other, |a, b| a / b)),
            Self::Remainder => Ok(Range { low: 0.0, high: other.largest() }),
            Self::Power => power_range(one, other),
            Self::Equal | Self::Unequal | Self::Less | Self::AtMost | Self::And | Self::Or => Ok(Range::TRUTH),
        }
    }
}

fn power_range(base: Range, exponent: Range) -> Result<Range, Wrong> {
    if exponent.low < 0.0 && base.has_zero() {
        return Err(Wrong::PowerOfZero);
    }
    let corners = base.corners(exponent, power).widened();
    if 0.0 <= base.low {
        // In each of both it rises or falls from one end to the other. 0 to the power of 0 is 1.
        let jumps = base.low == 0.0 && exponent.low == 0.0;
        return Ok(if jumps { corners.with(Range::TRUTH) } else { corners });
    }
    if exponent.low != exponent.high || exponent.low.fract() != 0.0 {
        return Err(Wrong::PowerOfNegative(base.low));
    }
    Ok(if base.has_zero() { corners.with(Range::of(0.0)) } else { corners })
}
