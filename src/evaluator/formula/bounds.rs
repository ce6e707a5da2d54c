//! Bounds on the value of each part of a formula, on boards of a size.
//!
//! Every part that could be NaN or too large is refused before play, so a formula has a number on every board. Each
//! part is bounded separately, so `x - x` may be any difference of two numbers like x. After a condition (the branches
//! of `if`, the second operand of `and` and `or`, the elements of a filtered list, `tiles`) the parts that it compares
//! have narrower ranges (`assumed.rs`).

use super::Formula;
use super::assumed::{Assumed, Known, Outcomes, not_empty, of_second};
use super::error::{Refusal, Wrong};
use super::node::{Extreme, Fact, Fold, FoldKind, Kind, List, Node, SLOTS, Slot, Source, Thing};
use super::range::Range;
use super::tree::Operator;
use crate::game::{Rank, Size};
use crate::math;

/// Bounds of a formula on boards of this size, or why it cannot be evaluated on some of them.
pub(super) fn of(node: &Node, size: Size) -> Result<Range, Refusal> {
    let mut bounds = Bounds::new(size);
    let range = bounds.of(node)?;
    if Formula::MOST_STEPS < bounds.steps {
        return Err(Refusal {
            at: node.at,
            wrong: Wrong::TooLongToCount(bounds.steps),
        });
    }
    Ok(range)
}

/// Maximum number of steps for a board of this size. `None` if it cannot be evaluated on some of them.
pub(super) fn steps(node: &Node, size: Size) -> Option<u64> {
    let mut bounds = Bounds::new(size);
    bounds.of(node).is_ok().then_some(bounds.steps)
}

/// The minimum and maximum number of elements of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Length {
    least: usize,
    most: usize,
}

impl Length {
    const fn of(len: usize) -> Self {
        Self {
            least: len,
            most: len,
        }
    }
}

struct Bounds<'a> {
    size: Size,
    names: [Range; SLOTS],
    /// What the enclosing conditions say.
    assumed: Assumed<'a>,
    /// Maximum number of values that are computed for one board.
    steps: u64,
}

type Found<T> = Result<T, Refusal>;

impl<'a> Bounds<'a> {
    fn new(size: Size) -> Self {
        Self {
            size,
            names: [Range::whole(0.0, 0.0); SLOTS],
            assumed: Assumed::default(),
            steps: 0,
        }
    }

    fn of(&mut self, node: &'a Node) -> Found<Range> {
        if is_condition(node) {
            self.outcomes(node)?;
            return Ok(Range::TRUTH);
        }

        self.steps = self.steps.saturating_add(1);
        let range = match &node.kind {
            Kind::Number(number) => Range::of(*number),
            // A game score stays far below this: it is below 2³².
            Kind::Score => Range::whole(0.0, math::powi(2.0, 60)),
            Kind::Named(slot) => self.names[usize::from(*slot)],
            Kind::OfCell(fact, thing) => {
                self.thing(thing)?;
                let (rows, cols) = (self.size.rows() as f64, self.size.cols() as f64);
                match fact {
                    Fact::Tile => Range::whole(0.0, Rank::MAX.tile() as f64),
                    Fact::Rank => Range::whole(0.0, f64::from(Rank::MAX.get())),
                    Fact::Row => Range::whole(1.0, rows),
                    Fact::Column => Range::whole(1.0, cols),
                }
            }
            Kind::Merges(list) => Range::whole(0.0, self.list(list, 0)?.0.most as f64),
            Kind::Negative(one) => {
                let one = self.of(one)?;
                Range {
                    low: -one.high,
                    high: -one.low,
                    ..one
                }
            }
            Kind::Function(function, one) => {
                let range = self.of(one)?;
                function
                    .range(range)
                    .map_err(|wrong| Refusal { at: one.at, wrong })?
            }
            Kind::Sum(terms) => {
                let mut sum = Range::of(0.0);
                for (is_taken_away, term) in terms {
                    let term = self.of(term)?;
                    let [low, high] = if *is_taken_away {
                        [-term.high, -term.low]
                    } else {
                        term.ends()
                    };
                    let is_whole = sum.is_whole && term.is_whole;
                    sum = Range {
                        is_whole,
                        ..Range::between(sum.low + low, sum.high + high)
                    };
                }
                sum
            }
            Kind::Two(two, operands) => {
                let ranges = [self.of(&operands[0])?, self.of(&operands[1])?];
                two.range(ranges)
                    .map_err(|wrong| Refusal { at: node.at, wrong })?
            }
            Kind::If(three) => {
                let Outcomes { holds, fails } = self.outcomes(&three[0])?;
                let one = self.assuming(&holds, |bounds| bounds.of(&three[1]))?;
                one.with(self.assuming(&fails, |bounds| bounds.of(&three[2]))?)
            }
            Kind::Extreme(extreme, all) => {
                let all = all
                    .iter()
                    .map(|one| self.of(one))
                    .collect::<Found<Vec<_>>>()?;
                let (lows, highs) = (
                    all.iter().map(|one| one.low),
                    all.iter().map(|one| one.high),
                );
                let [low, high] = match extreme {
                    Extreme::Least => [Range::over(lows).low, Range::over(highs).low],
                    Extreme::Most => [Range::over(lows).high, Range::over(highs).high],
                };
                let leaves_out_zero = all.iter().all(|one| !one.has_zero());
                Range {
                    low,
                    high,
                    is_whole: all.iter().all(|one| one.is_whole),
                    leaves_out_zero,
                }
            }
            Kind::Fold(fold) => self.of_fold(node.at, fold)?,
            Kind::Let(slot, two) => {
                self.names[usize::from(*slot)] = self.of(&two[0])?;
                self.of(&two[1])?
            }
            Kind::Not(_) => Range::TRUTH,
        };

        let range = self.assumed.narrowed(node, range);
        let is_small = |end: f64| end.abs() < Formula::LARGEST;
        if !(is_small(range.low) && is_small(range.high)) {
            return Err(Refusal {
                at: node.at,
                wrong: Wrong::TooLarge,
            });
        }

        Ok(range)
    }

    /// What is known if a condition holds, and if it fails.
    fn outcomes(&mut self, node: &'a Node) -> Found<Outcomes<'a>> {
        if !is_condition(node) {
            self.of(node)?;
            return Ok(Outcomes::default());
        }
        self.steps = self.steps.saturating_add(1);
        match &node.kind {
            Kind::Not(one) => {
                let Outcomes { holds, fails } = self.outcomes(one)?;
                Ok(Outcomes {
                    holds: fails,
                    fails: holds,
                })
            }
            // The second operand is evaluated only if the first does not decide.
            Kind::Two(Operator::And, two) => {
                let first = self.outcomes(&two[0])?.holds;
                let second = self
                    .assuming(&first, |bounds| bounds.outcomes(&two[1]))?
                    .holds;
                Ok(Outcomes {
                    holds: [first, second].concat(),
                    ..Outcomes::default()
                })
            }
            Kind::Two(Operator::Or, two) => {
                let first = self.outcomes(&two[0])?.fails;
                let second = self
                    .assuming(&first, |bounds| bounds.outcomes(&two[1]))?
                    .fails;
                Ok(Outcomes {
                    fails: [first, second].concat(),
                    ..Outcomes::default()
                })
            }
            Kind::Two(operator, two) => {
                let ranges = [self.of(&two[0])?, self.of(&two[1])?];
                Ok(Outcomes::of(*operator, [&two[0], &two[1]], ranges))
            }
            _ => Ok(Outcomes::default()),
        }
    }

    /// Bounds a part that is evaluated only if all this is known.
    fn assuming<T>(
        &mut self,
        assumptions: &[Known<'a>],
        look: impl FnOnce(&mut Self) -> Found<T>,
    ) -> Found<T> {
        let before = self.assumed.add(assumptions);
        let found = look(self);
        self.assumed.forget(before);
        found
    }

    fn of_fold(&mut self, at: u32, fold: &'a Fold) -> Found<Range> {
        let (mut slot, mut length, mut assumptions) = (fold.slot, None::<Length>, Vec::new());
        for list in &fold.lists {
            let (own, of_elements) = self.list(list, slot)?;
            assumptions.extend(of_elements);
            if let List::Numbers(numbers) = list {
                let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
                let leaves_out_zero = !numbers.contains(&0.0);
                self.names[usize::from(slot)] = Range {
                    is_whole,
                    leaves_out_zero,
                    ..Range::over(numbers.iter().copied())
                };
            }
            slot += list.names();
            length = Some(match length {
                None => own,
                Some(other) if own.least != own.most || other.least != other.most => {
                    return Err(Refusal {
                        at,
                        wrong: Wrong::Length,
                    });
                }
                Some(other) if own != other => {
                    return Err(Refusal {
                        at,
                        wrong: Wrong::Lengths {
                            one: other.most,
                            other: own.most,
                        },
                    });
                }
                Some(other) => other,
            });
        }

        let Length { least, most } = length.unwrap_or(Length::of(0));
        let before = std::mem::take(&mut self.steps);
        let each = self.assuming(&assumptions, |bounds| bounds.of(&fold.body))?;
        self.steps = self
            .steps
            .saturating_mul(most as u64)
            .saturating_add(before);
        let times = |end: f64| [least as f64 * end, most as f64 * end];
        let or_nothing = |range: Range| {
            if least == 0 {
                range.with(Range::of(0.0))
            } else {
                range
            }
        };
        let range = match fold.kind {
            FoldKind::Sum => Range {
                is_whole: each.is_whole,
                ..Range::between(
                    Range::over(times(each.low)).low,
                    Range::over(times(each.high)).high,
                )
            },
            FoldKind::Product => {
                let largest = math::powi(each.largest().max(1.0), most as i32);
                let low = if 0.0 <= each.low {
                    math::powi(each.low.min(1.0), most as i32)
                } else {
                    -largest
                };
                let leaves_out_zero = each.is_whole && !each.has_zero();
                Range {
                    low,
                    high: largest,
                    is_whole: each.is_whole,
                    leaves_out_zero,
                }
            }
            FoldKind::Mean => or_nothing(Range {
                is_whole: false,
                leaves_out_zero: false,
                ..each
            }),
            FoldKind::Least | FoldKind::Most => or_nothing(each),
            FoldKind::Count if each.has_zero() => Range::whole(0.0, most as f64),
            FoldKind::Count => Range::whole(least as f64, most as f64),
            FoldKind::Any | FoldKind::All => Range::TRUTH,
        };

        let is_rounded = matches!(
            fold.kind,
            FoldKind::Sum | FoldKind::Product | FoldKind::Mean
        );
        Ok(if is_rounded { range.widened() } else { range })
    }

    /// The length of a list, and what is known about an element whose names start at `slot`.
    fn list(&mut self, list: &'a List, slot: Slot) -> Found<(Length, Vec<Known<'a>>)> {
        self.steps = self.steps.saturating_add(1);
        match list {
            List::OfBoard(source, thing) => {
                self.thing(thing)?;
                Ok((self.length_of(*source), Vec::new()))
            }
            List::OfLine(line) => {
                self.thing(line)?;
                let (rows, cols) = (self.size.rows(), self.size.cols());
                let length = match line {
                    Thing::Nth(list, _) if list.0.source() == Some(Source::Rows) => {
                        Length::of(cols)
                    }
                    Thing::Nth(list, _) if list.0.source() == Some(Source::Columns) => {
                        Length::of(rows)
                    }
                    _ => Length {
                        least: rows.min(cols),
                        most: rows.max(cols),
                    },
                };
                Ok((length, Vec::new()))
            }
            List::Tiles(list) => {
                let (length, mut assumptions) = self.list(list, slot)?;
                assumptions.extend(not_empty(slot));
                Ok((Length { least: 0, ..length }, assumptions))
            }
            List::Pairs(list) => {
                let (Length { least, most }, mut assumptions) = self.list(list, slot)?;
                assumptions.extend(of_second(&assumptions, slot));
                Ok((
                    Length {
                        least: least.saturating_sub(1),
                        most: most.saturating_sub(1),
                    },
                    assumptions,
                ))
            }
            List::Filter(filter) => {
                let (list, own_slot, condition) = &**filter;
                let (length, mut assumptions) = self.list(list, *own_slot)?;
                let before = std::mem::take(&mut self.steps);
                let holds = self
                    .assuming(&assumptions, |bounds| bounds.outcomes(condition))?
                    .holds;
                self.steps = self
                    .steps
                    .saturating_mul(length.most as u64)
                    .saturating_add(before);
                assumptions.extend(holds);
                // Conditions only apply if the elements get the names that the conditions use.
                if *own_slot != slot {
                    assumptions.clear();
                }
                Ok((Length { least: 0, ..length }, assumptions))
            }
            List::Numbers(numbers) => Ok((Length::of(numbers.len()), Vec::new())),
        }
    }

    /// The number of elements on a board.
    fn length_of(&self, source: Source) -> Length {
        let (rows, cols) = (self.size.rows(), self.size.cols());
        let is_square = rows == cols;
        Length::of(match source {
            Source::Cells => self.size.cells(),
            Source::Rows => rows,
            Source::Columns => cols,
            Source::Lines => rows + cols,
            Source::Pairs => rows * (cols - 1) + cols * (rows - 1),
            Source::Images if is_square => 8,
            Source::Images | Source::Turns if is_square => 4,
            Source::Images => 4,
            Source::Turns => 2,
        })
    }

    /// Refuses an index beyond the list, such as the fifth cell of four.
    fn thing(&mut self, thing: &'a Thing) -> Found<()> {
        let Thing::Nth(list, nth) = thing else {
            return Ok(());
        };
        let (list, at) = &**list;
        let (Length { least, most }, _) = self.list(list, 0)?;
        let place = nth.unsigned_abs() as usize;
        let wrong = match () {
            () if place <= least => return Ok(()),
            () if most < place => Wrong::Beyond {
                nth: *nth,
                len: most,
                size: self.size,
            },
            () => Wrong::MayBeShort(*nth),
        };
        Err(Refusal { at: *at, wrong })
    }
}

/// Whether a part is a comparison or joins conditions.
fn is_condition(node: &Node) -> bool {
    use Operator::{Over, Power, Remainder, Times};
    match &node.kind {
        Kind::Not(_) => true,
        Kind::Two(operator, _) => !matches!(operator, Times | Over | Remainder | Power),
        _ => false,
    }
}
