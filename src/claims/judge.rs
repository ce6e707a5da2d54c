//! The verdict on a claim, computed from our figures.
//!
//! Published numbers are tested as in the results of a run. An order, a ratio and a gain are tested by the 95 % intervals
//! of both sides, as if they were independent ([`Difference::of_estimates`]); on the same seeds that is cautious. A claim
//! with several tests is *compatible* if all of them are, and *differs* if one does after Holm's correction.

use std::cmp::Ordering;

use itertools::Itertools as _;

use super::{Because, Claim, Figure, Gain, Kind, Measured, Text};
use crate::experiment::{Quantity, Tested};
use crate::math;
use crate::preset::{Entry, Preset, PresetError, Published, Shipped};
use crate::stats::{
    Difference, Interval, LEAST_GAMES, MARGIN, Moments, PublishedNumber, TooFew, Verdict, holm,
};

/// A claim with its tests.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    pub text: &'a Text,
    pub claim: &'a Claim,
    pub tests: Vec<Test>,
    /// `None` if nothing can be tested with the figures that there are.
    pub verdict: Option<Verdict>,
    /// The figures of its rows, each with its measurement.
    pub figures: Vec<(&'a Measured, &'a Figure)>,
}

/// One test of a claim.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// A published number of a row.
    Number { row: String, tested: Tested },
    /// Two sides compared.
    Compared(Compared),
    /// Two texts that must be equal.
    Exact { published: String, measured: String },
}

/// Two rows: the first one should have more, or their ratio is the claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    pub names: [String; 2],
    pub what: Quantity,
    /// The values of both sides; for gains their gains.
    pub values: [f64; 2],
    /// The published ratio of both, if that is the claim.
    pub ratio: Option<f64>,
    /// First minus second; for ratios and factors, as a difference of logarithms to the published one.
    pub difference: Difference,
    pub verdict: Verdict,
}

impl Test {
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Number { tested, .. } => tested.verdict,
            Self::Compared(compared) => compared.verdict,
            Self::Exact {
                published,
                measured,
            } if published == measured => Verdict::Compatible,
            Self::Exact { .. } => Verdict::Differs,
        }
    }
}

impl Compared {
    /// The measured ratio of both sides with its 95 % interval, where a ratio is the claim.
    pub fn measured_ratio(&self) -> Option<(f64, Interval)> {
        let published = self.ratio?;
        let scaled = |log: f64| published * math::exp(log);
        let Interval { low, high } = self.difference.interval;
        Some((
            scaled(self.difference.value),
            Interval {
                low: scaled(low),
                high: scaled(high),
            },
        ))
    }
}

/// A value with its 95 % interval.
type Estimate = (f64, Interval);

impl<'a> Judged<'a> {
    /// The verdict on a claim by these measurements.
    pub fn of(
        text: &'a Text,
        claim: &'a Claim,
        measured: &'a [Measured],
    ) -> Result<Self, PresetError> {
        let shipped = claim.preset();
        let find = |row: &str| Measured::find(measured, claim.by.first()?, row);
        let preset = shipped.map(Shipped::preset).transpose()?;
        let rows = rows_of(&claim.kind, preset.as_ref());
        let figures: Vec<_> = rows.iter().filter_map(|row| find(row)).collect();
        let figure = |row: &str| find(row).map(|(_, figure)| figure);

        let tests = match &claim.kind {
            Kind::Published { .. } => published_tests(&rows, preset.as_ref(), &figure),
            Kind::Number {
                row,
                what,
                value,
                games,
            } => number_test(row, *what, *value, *games, &figure),
            Kind::Above { what, pairs, order } => order_tests(*what, pairs, order, &figure),
            Kind::Ratio {
                what,
                of,
                to,
                value,
            } => ratio_test(*what, [of, to], *value, &figure),
            Kind::GainsMost { what, by, pairs } => gain_tests(*what, *by, pairs, &figure),
            Kind::Exact {
                published,
                measured,
            } => {
                vec![Test::Exact {
                    published: published.clone(),
                    measured: measured.clone(),
                }]
            }
            Kind::Stated => Vec::new(),
        };
        // Part of an order is not the order.
        let is_whole = rows
            .iter()
            .all(|row| figure(row).is_some_and(|figure| has_number(&claim.kind, figure)));
        let verdict = all_of(&tests).filter(|verdict| is_whole || *verdict == Verdict::Differs);
        Ok(Self {
            text,
            claim,
            tests,
            verdict,
            figures,
        })
    }

    /// Why there is no verdict or another result. A compatible claim needs no reason.
    pub fn because(&self) -> Option<&'a Because> {
        self.claim
            .because
            .as_ref()
            .filter(|_| self.verdict != Some(Verdict::Compatible))
    }
}

impl Claim {
    /// The rows of its preset that it is about.
    pub fn rows(&self) -> Result<Vec<String>, PresetError> {
        let preset = self.preset().map(Shipped::preset).transpose()?;
        Ok(rows_of(&self.kind, preset.as_ref()))
    }
}

/// One verdict of several.
fn all_of(tests: &[Test]) -> Option<Verdict> {
    let verdicts: Vec<Verdict> = tests.iter().map(Test::verdict).collect();
    let cannot = verdicts
        .iter()
        .find(|verdict| matches!(verdict, Verdict::CannotTell(_)));
    match verdicts.contains(&Verdict::Differs) {
        _ if verdicts.is_empty() => None,
        true => Some(Verdict::Differs),
        false => Some(cannot.copied().unwrap_or(Verdict::Compatible)),
    }
}

/// Whether the figure of a row has what a claim compares. Of published numbers those that were recorded count.
fn has_number(kind: &Kind, figure: &Figure) -> bool {
    match kind {
        Kind::Above { what, .. } | Kind::Ratio { what, .. } | Kind::GainsMost { what, .. } => {
            figure.estimate(*what).is_some()
        }
        Kind::Published { .. } | Kind::Number { .. } | Kind::Exact { .. } | Kind::Stated => true,
    }
}

/// The rows that a claim is about.
fn rows_of(kind: &Kind, preset: Option<&Preset>) -> Vec<String> {
    match kind {
        Kind::Published { rows } if rows.is_empty() => {
            let with_numbers = |entry: &&Entry| entry.published.is_some();
            let entries = preset.map(|preset| preset.strategies.iter().filter(with_numbers));
            entries
                .into_iter()
                .flatten()
                .map(|entry| entry.strategy.label())
                .collect()
        }
        Kind::Published { rows } => rows.clone(),
        Kind::Number { row, .. } => vec![row.clone()],
        Kind::Above { pairs, order, .. } => [pairs.concat(), order.concat()].concat(),
        Kind::Ratio { of, to, .. } => vec![of.clone(), to.clone()],
        Kind::GainsMost { pairs, .. } => pairs.concat(),
        Kind::Exact { .. } | Kind::Stated => Vec::new(),
    }
}

fn published_tests<'a>(
    rows: &[String],
    preset: Option<&Preset>,
    figure: &impl Fn(&str) -> Option<&'a Figure>,
) -> Vec<Test> {
    let published = |row: &str| -> Option<Published> {
        let mut entries = preset?.strategies.iter();
        entries
            .find(|entry| entry.strategy.label() == row)?
            .published
            .clone()
    };
    let row_tests = |row: &String| -> Vec<(String, Tested)> {
        let Some((published, figure)) = published(row).zip(figure(row)) else {
            return Vec::new();
        };
        numbers_of(&published, figure)
            .into_iter()
            .map(|tested| (row.clone(), tested))
            .collect()
    };
    corrected(rows.iter().flat_map(row_tests).collect())
}

fn number_test<'a>(
    row: &str,
    what: Quantity,
    value: f64,
    games: Option<u64>,
    figure: &impl Fn(&str) -> Option<&'a Figure>,
) -> Vec<Test> {
    let tested = figure(row).and_then(|figure| number(figure, what, value, games, None));
    corrected(
        tested
            .into_iter()
            .map(|tested| (row.to_owned(), tested))
            .collect(),
    )
}

/// Tests of published numbers, corrected for all of them.
fn corrected(mut tested: Vec<(String, Tested)>) -> Vec<Test> {
    Tested::correct(tested.iter_mut().map(|(_, tested)| tested));
    tested
        .into_iter()
        .map(|(row, tested)| Test::Number { row, tested })
        .collect()
}

/// The published numbers of a row that were also measured.
fn numbers_of(published: &Published, figure: &Figure) -> Vec<Tested> {
    let mean = published
        .mean
        .and_then(|mean| number(figure, Quantity::Mean, mean, published.games, published.sd));
    let reach = published.reach.iter();
    let reach = reach.filter_map(|&(tile, share)| {
        number(figure, Quantity::Reach(tile), share, published.games, None)
    });
    let moves = published
        .moves_reaching
        .iter()
        .filter_map(|&(tile, moves)| {
            // The published mean is of the games that reached the tile.
            let (_, share) = published.reach.iter().find(|(other, _)| *other == tile)?;
            let passed = published
                .games
                .map(|games| (games as f64 * share).round() as u64);
            number(figure, Quantity::MovesReaching(tile), moves, passed, None)
        });
    mean.into_iter().chain(moves).chain(reach).collect()
}

/// One published number against ours. `None` if ours was not recorded.
fn number(
    figure: &Figure,
    what: Quantity,
    value: f64,
    games: Option<u64>,
    sd: Option<f64>,
) -> Option<Tested> {
    let published_number = games
        .filter(|&games| 0 < games)
        .map(|count| PublishedNumber { value, count });
    let has_spread = |moments: &Moments| moments.std_dev.is_some();
    let of_moments = |moments: Moments| {
        let difference = published_number.and_then(|published_number| {
            Difference::of_means(moments, None, 1.0, published_number, sd)
        });
        let fewest = if sd.is_some() {
            [2, 2]
        } else {
            [LEAST_GAMES, 1]
        };
        Tested::new(
            what,
            [value, moments.mean],
            difference,
            moments.count,
            games,
            fewest,
        )
    };
    match what {
        Quantity::Mean => figure.moments().filter(has_spread).map(of_moments),
        Quantity::MovesReaching(tile) => figure
            .moves_reaching(tile)
            .filter(has_spread)
            .map(of_moments),
        Quantity::Reach(tile) => {
            let hits = figure.reached(tile)?;
            let difference = published_number.and_then(|published_number| {
                Difference::of_shares(hits, figure.games, 1.0, published_number)
            });
            let share = hits as f64 / figure.games as f64;
            Some(Tested::new(
                what,
                [value, share],
                difference,
                figure.games,
                games,
                [1, 1],
            ))
        }
        Quantity::Deviation
        | Quantity::Median
        | Quantity::Max
        | Quantity::Moves
        | Quantity::SecondsReaching(_)
        | Quantity::SecondsPerMove => None,
    }
}

fn order_tests<'a>(
    what: Quantity,
    pairs: &[[String; 2]],
    order: &[Vec<String>],
    figure: &impl Fn(&str) -> Option<&'a Figure>,
) -> Vec<Test> {
    let estimate = |row: &String| figure(row)?.estimate(what);
    let between = |groups: &[Vec<String>]| -> Vec<[String; 2]> {
        groups[0]
            .iter()
            .cartesian_product(&groups[1])
            .map(|(higher, lower)| [higher.clone(), lower.clone()])
            .collect()
    };
    let compared = pairs
        .iter()
        .cloned()
        .chain(order.windows(2).flat_map(between))
        .filter_map(|names| {
            let sides = [estimate(&names[0])?, estimate(&names[1])?];
            Some(compared(
                names,
                what,
                sides,
                Difference::of_estimates(sides[0], sides[1]),
            ))
        });
    ordered(compared.collect())
}

fn gain_tests<'a>(
    what: Quantity,
    by: Gain,
    pairs: &[[String; 2]],
    figure: &impl Fn(&str) -> Option<&'a Figure>,
) -> Vec<Test> {
    let gain = |[from, to]: &[String; 2]| -> Option<Estimate> {
        let [from, to] = [from, to].map(|row| figure(row).and_then(|figure| figure.estimate(what)));
        let Difference {
            value, interval, ..
        } = match by {
            Gain::Difference => Difference::of_estimates(to?, from?),
            Gain::Factor => Difference::of_estimates(logarithm(to?)?, logarithm(from?)?),
        };
        Some((value, interval))
    };
    let Some((most, others)) = pairs.split_first() else {
        return Vec::new();
    };
    let compared = others.iter().filter_map(|other| {
        let sides = [gain(most)?, gain(other)?];
        let difference = Difference::of_estimates(sides[0], sides[1]);
        let shown = match by {
            Gain::Difference => sides,
            Gain::Factor => sides.map(|(value, interval)| (math::exp(value), interval)),
        };
        Some(compared(
            [most[1].clone(), other[1].clone()],
            what,
            shown,
            difference,
        ))
    });
    ordered(compared.collect())
}

fn ratio_test<'a>(
    what: Quantity,
    [of, to]: [&String; 2],
    value: f64,
    figure: &impl Fn(&str) -> Option<&'a Figure>,
) -> Vec<Test> {
    let estimate = |row: &String| figure(row).and_then(|figure| figure.estimate(what));
    let test = || {
        let sides = [estimate(of)?, estimate(to)?];
        let ratio = Difference::of_estimates(logarithm(sides[0])?, logarithm(sides[1])?);
        let published = math::ln(value);
        // Against the published ratio, which counts as exact.
        let exact = (
            published,
            Interval {
                low: published,
                high: published,
            },
        );
        let difference = Difference::of_estimates((ratio.value, ratio.interval), exact);
        let margin = math::ln(1.0 + MARGIN);
        // "Differ little" is no claim of equality, which enough games refute for any two strategies.
        let is_little = published == 0.0
            && -margin <= difference.interval.low
            && difference.interval.high <= margin;
        let verdict = if is_little {
            Verdict::Compatible
        } else {
            Verdict::of(&difference, difference.p, margin)
        };
        let one = compared([of.clone(), to.clone()], what, sides, difference);
        Some(Test::Compared(Compared {
            ratio: Some(value),
            verdict,
            ..one
        }))
    };
    test().into_iter().collect()
}

fn compared(
    names: [String; 2],
    what: Quantity,
    sides: [Estimate; 2],
    difference: Difference,
) -> Compared {
    let values = sides.map(|(value, _)| value);
    Compared {
        names,
        what,
        values,
        ratio: None,
        difference,
        verdict: Verdict::CannotTell(TooFew::Ours),
    }
}

/// The verdicts on comparisons whose first side should be above the second one.
fn ordered(mut compared: Vec<Compared>) -> Vec<Test> {
    let p: Vec<f64> = compared.iter().map(|one| one.difference.p).collect();
    for (one, p) in compared.iter_mut().zip(holm(&p)) {
        let Difference {
            value, interval, ..
        } = one.difference;
        one.verdict = match value.total_cmp(&0.0) {
            Ordering::Less if p <= 0.05 => Verdict::Differs,
            Ordering::Greater if 0.0 < interval.low => Verdict::Compatible,
            _ => Verdict::CannotTell(TooFew::Ours),
        };
    }
    compared.into_iter().map(Test::Compared).collect()
}

/// The logarithm of a positive value; its interval may reach 0.
fn logarithm((value, interval): Estimate) -> Option<Estimate> {
    let log = |number: f64| {
        if 0.0 < number {
            math::ln(number)
        } else {
            f64::NEG_INFINITY
        }
    };
    (0.0 < value).then(|| {
        (
            log(value),
            Interval {
                low: log(interval.low),
                high: log(interval.high),
            },
        )
    })
}
