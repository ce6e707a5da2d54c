//! Why one root move has a higher value than another, in words.

use super::{a_spawn, at_most};
use crate::game::Spawn;
use crate::search::{Bar, BarKind, Bound, Comparison, Leaves, Pairing, TermRow, Terms, Why};
use crate::words;

/// The most terms that a sentence names.
const MOST_NAMED: usize = 4;

/// The heading of the chart.
pub fn heading(why: &Why) -> String {
    let [better, other] = names(why);
    let parts = match why.pairing {
        Pairing::Spawns | Pairing::Mean => ", by spawn",
        Pairing::Worst => ", by the worst spawn",
        Pairing::Terms => ", by term",
        Pairing::Whole => "",
    };
    format!("{better} minus {other}{parts}")
}

/// What the bars mean.
pub fn caption(why: &Why) -> String {
    let [better, other] = names(why);
    match why.pairing {
        Pairing::Spawns => format!(
            "{better} minus {other}, one bar per spawn: {} × (value after {better} − value after {other}). Both leave the \
             same cells empty, so each spawn is compared with itself.",
            weight_name(why)
        ),
        Pairing::Mean => format!(
            "{better} minus {other}, one bar per spawn after {better}: {} × (value − {}). The empty cells of the two \
             boards differ, so each spawn is compared with the same number.",
            weight_name(why),
            mean_name(why)
        ),
        Pairing::Worst => {
            format!(
                "{better} minus {other}, one bar: the search assumes the worst spawn, so the others do not matter."
            )
        }
        Pairing::Terms => {
            format!(
                "{better} minus {other}, one bar per term of the evaluator: no spawn was searched."
            )
        }
        Pairing::Whole => format!("{better} minus {other}, one bar: the spawns are not recorded."),
    }
}

/// Two sentences: how the spawns make the difference, and how the terms at the leaves do.
pub fn sentences(why: &Why) -> [String; 2] {
    // Single spawns have too few samples for a sentence.
    let tail = if why.is_sampled {
        String::new()
    } else {
        tail(why)
    };
    [format!("{}{tail}.", head(why)), leaves_sentence(why)]
}

fn names(why: &Why) -> [String; 2] {
    [why.better, why.other].map(|mv| mv.to_string())
}

fn weight_name(why: &Why) -> &'static str {
    match () {
        () if why.is_sampled => "share of the samples",
        () if why.is_sum => "chance of the tile",
        () => "probability",
    }
}

/// What single spawns are compared with.
fn mean_name(why: &Why) -> String {
    let [_, other] = names(why);
    if why.is_sum {
        format!("a cell's share of the sum after {other}")
    } else {
        format!("the mean after {other}")
    }
}

/// `The mean of the samples after Left is 123.7 ± 12.0 more than after Up, on the same draws (± one standard error)`.
fn head_of_samples(why: &Why) -> String {
    let [better, other] = names(why);
    if why.is_equal() {
        return format!(
            "The means of the samples after {better} and {other} are both {}",
            value(why.values[0])
        );
    }
    let more = if 0.0 < why.difference() {
        "more"
    } else {
        "less"
    };
    let by = amount(why.difference());
    let error = why
        .lead
        .as_ref()
        .and_then(|lead| Some((lead, lead.standard_error?)));

    match error {
        Some((lead, error)) => {
            let draws = if lead.is_paired {
                ", on the same draws"
            } else {
                ""
            };
            let error = amount(error);
            format!(
                "The mean of the samples after {better} is {by} ± {error} {more} than after {other}{draws} (± one standard error)"
            )
        }
        None => format!(
            "The mean of the samples after {better} is {by} {more} than after {other}, a difference with an unknown error"
        ),
    }
}

/// `Left is worth at least 123.7 more than Up`.
fn head(why: &Why) -> String {
    if why.is_sampled {
        return head_of_samples(why);
    }
    let [better, other] = names(why);
    let [of_better, of_other] = why.bounds;
    let no_less = of_better != Bound::Upper && of_other != Bound::Lower;
    let no_more = of_better != Bound::Lower && of_other != Bound::Upper;
    if !no_less && !no_more {
        return format!(
            "Bounds on the values of {better} and {other} do not say which is worth more"
        );
    }

    if why.is_equal() {
        return match (no_less, no_more) {
            (true, true) => format!(
                "{better} and {other} are both worth {}",
                value(why.values[0])
            ),
            (true, false) => format!("{better} is worth at least as much as {other}"),
            (false, _) => format!("{better} is worth at most as much as {other}"),
        };
    }

    let is_more = 0.0 < why.difference();
    let bound = match (no_less, no_more) {
        (true, true) => "",
        (is_least, _) if is_least == is_more => "at least ",
        _ => "at most ",
    };
    let by = match why.difference().abs() {
        size @ 0.05.. => words::decimals(size, places(why)),
        size => amount(size),
    };
    let head = format!(
        "{better} is worth {bound}{by} {} than {other}",
        if is_more { "more" } else { "less" }
    );
    let objective = if why.objective.higher {
        ""
    } else {
        " (less is better)"
    };
    let is_tie = !why.is_favourable() && why.difference().abs() <= why.objective.tolerance;
    let tie = if is_tie {
        format!(
            ", which is within the tolerance of {}",
            words::decimals_short(why.objective.tolerance)
        )
    } else {
        String::new()
    };

    format!("{head}{objective}{tie}")
}

fn tail(why: &Why) -> String {
    let [better, other] = names(why);
    match why.pairing {
        Pairing::Spawns | Pairing::Mean => why
            .comparison
            .map(|comparison| comparison_text(why, &comparison))
            .unwrap_or_default(),
        Pairing::Worst => match &why.deciding {
            [one, two] if !one.is_empty() && !two.is_empty() => format!(
                ", because {} after {better}, {}, and {} after {other}, {}",
                worst_name(one),
                leaves(why, 0),
                worst_name(two),
                leaves(why, 1)
            ),
            _ => ", but the spawns that decide are not recorded".to_owned(),
        },
        Pairing::Terms => " on the boards after the move".to_owned(),
        Pairing::Whole => ", but the spawns behind this are not recorded".to_owned(),
    }
}

/// `a 4 at r2c3, leaves at most 800`.
fn leaves(why: &Why, index: usize) -> String {
    let spawns = &why.deciding[index];
    let bound = at_most(why.bounds[index]);
    let value = words::decimals(why.values[index], places(why));
    match spawns.as_slice() {
        [spawn] => format!("{}, leaves {bound}{value}", a_spawn(*spawn)),
        [spawn, ..] => format!("{}, leaves {bound}{value} on average", spawn.cell),
        [] => format!("leaves {bound}{value}"),
    }
}

fn comparison_text(why: &Why, comparison: &Comparison) -> String {
    let [better, other] = names(why);
    let Comparison {
        spawns,
        is_complete,
        better: good,
        worse: bad,
        worst,
    } = *comparison;
    let is_paired = why.pairing == Pairing::Spawns;
    let its = if is_paired { "the" } else { "its" };
    let recorded = if is_complete { "" } else { " in the record" };
    // The subject and the verb for this number of spawns.
    let some = |number: u32| match (number, spawns) {
        (1, 1) => format!("{its} only spawn{recorded} is"),
        (2, 2) => format!("both of {its} spawns{recorded} are"),
        (number, all) if number == all => format!("every one of {its} {all} spawns{recorded} is"),
        (1, all) => format!("1 of {its} {all} spawns{recorded} is"),
        (number, all) => format!("{number} of {its} {all} spawns{recorded} are"),
    };

    let than = if is_paired {
        format!("after {better} than after {other}")
    } else {
        format!("than {}", mean_name(why))
    };
    let good_text = || format!("{} better {than}", some(good));
    let bad_text = || format!("{} worse {than}", some(bad));
    if why.is_equal() {
        return match (good, bad) {
            (0, 0) if is_paired => ", and every spawn is worth the same after both".to_owned(),
            (0, 0) => format!(", and no spawn differs from {}", mean_name(why)),
            _ => format!(": {}, and {}", good_text(), bad_text()),
        };
    }

    let against = if why.is_favourable() { bad } else { good };
    if against == 0 {
        return format!(
            ", and {}",
            if why.is_favourable() {
                good_text()
            } else {
                bad_text()
            }
        );
    }
    if !why.is_favourable() {
        return format!(", although {}", good_text());
    }
    let named = match worst {
        Some((spawn, by)) if bad == 1 => format!(": {}, by {}", a_spawn(spawn), amount(by)),
        Some((spawn, by)) => format!(", worst of all {}, by {}", a_spawn(spawn), amount(by)),
        None => String::new(),
    };

    format!(", although {}{named}", bad_text())
}

fn leaves_sentence(why: &Why) -> String {
    let terms = match &why.terms {
        Ok(terms) => terms,
        Err(reason) => return reason.to_string(),
    };
    let [better, other] = names(why);
    if let ([row], [0.0, 0.0]) = (terms.rows.as_slice(), terms.zero) {
        return format!("Only {} is counted at the leaves.", term_text(row));
    }

    let largest = terms
        .rows
        .iter()
        .flat_map(|row| row.means)
        .fold(0.0, |most: f64, mean| most.max(mean.abs()));
    // Differences that come from rounding of the sums do not count.
    let mut rows: Vec<&TermRow> = terms
        .rows
        .iter()
        .filter(|row| largest * 1e-9 < row.difference().abs())
        .collect();
    rows.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
    let unnamed = rows.len().saturating_sub(MOST_NAMED);
    rows.truncate(MOST_NAMED);
    let (more, less): (Vec<&TermRow>, Vec<&TermRow>) =
        rows.iter().partition(|row| 0.0 < row.difference());
    let list = |rows: Vec<&TermRow>, word: &str| {
        let item = |row: &TermRow| {
            let from = if row.weight == 1.0 { "" } else { "from " };
            format!(
                "{} {word} {from}{}",
                amount(row.difference()),
                term_text(row)
            )
        };
        words::list(&rows.into_iter().map(item).collect::<Vec<_>>())
    };
    let mut text = match (more.is_empty(), less.is_empty()) {
        (true, true) => format!("as much of every term as {other}"),
        (false, true) => list(more, "more"),
        (true, false) => list(less, "less"),
        (false, false) => format!("{}, but {}", list(more, "more"), list(less, "less")),
    };

    if unnamed != 0 {
        let s = if unnamed == 1 { "s" } else { "" };
        text += &format!(
            "; {} matter{s} less",
            words::plural(unnamed as u64, "other term")
        );
    }
    text += &zero_text(why, terms);

    match terms.leaves {
        Leaves::Slides => format!("After the move {better} has {text}."),
        Leaves::Mean => format!("At the deciding leaves {better} expects {text}."),
        Leaves::Sum => {
            format!("Added up over the spawns, {better} has {text} at the deciding leaves.")
        }
        Leaves::Worst => format!("At the deciding leaf {better} has {text}."),
    }
}

/// How often boards occur whose terms do not count.
fn zero_text(why: &Why, terms: &Terms) -> String {
    let [better, other] = names(why);
    let [one, two] = terms.zero.map(words::small_probability);
    match (terms.zero, terms.leaves) {
        ([0.0, 0.0], _) | (_, Leaves::Sum | Leaves::Slides) => String::new(),
        ([_, 0.0], Leaves::Worst) => format!("; the board after {better} counts 0 by rule"),
        ([0.0, _], Leaves::Worst) => format!("; the board after {other} counts 0 by rule"),
        (_, Leaves::Worst) => "; both boards count 0 by rule".to_owned(),
        ([_, 0.0], _) => {
            format!("; only {better} leads to boards that count 0, with probability {one}")
        }
        ([0.0, _], _) => {
            format!("; only {other} leads to boards that count 0, with probability {two}")
        }
        _ => format!(
            "; boards that count 0 come with probability {one} after {better} and {two} after {other}"
        ),
    }
}

/// The text under a bar: `2 r1c4`, `all 4s`, `Score`, `not recorded`.
pub fn bar_label(bar: &Bar) -> String {
    match (&bar.what, bar.spawns.as_slice()) {
        (BarKind::Fours, _) => "all 4s".to_owned(),
        (BarKind::Term(label), _) => label.clone(),
        (BarKind::NotRecorded, _) => "not recorded".to_owned(),
        (BarKind::Spawn | BarKind::Worst, [spawn]) => format!("{} {}", spawn.rank, spawn.cell),
        (BarKind::Spawn | BarKind::Worst, [spawn, ..]) => format!("2 or 4 {}", spawn.cell),
        (BarKind::Spawn | BarKind::Worst, []) => "worst spawn".to_owned(),
    }
}

/// A term with its weight, unless that is 1: `50 × Empty`.
pub fn term_text(row: &TermRow) -> String {
    if row.weight == 1.0 {
        return row.label.clone();
    }
    format!("{} × {}", words::decimals_short(row.weight), row.label)
}

fn worst_name(spawns: &[Spawn]) -> &'static str {
    if spawns.len() == 1 {
        "the worst spawn"
    } else {
        "the worst cell"
    }
}

/// The decimals at which the written bars add up to the written difference, and the difference fits the written values;
/// 0 if all are whole.
pub fn places(why: &Why) -> usize {
    let ([better, other], difference) = (why.values, why.difference());
    let amounts: Vec<f64> = why.bars.iter().map(|bar| bar.amount).collect();
    let of_bars = if amounts.is_empty() {
        0
    } else {
        words::places_of_sum(&amounts, difference)
    };
    of_bars.max(words::places_of_sum(&[other, difference], better))
}

/// The size of a difference with its significant digits: `123.7`, `0.031`.
fn amount(difference: f64) -> String {
    let size = difference.abs();
    if 0.05 <= size || size == 0.0 {
        value(size)
    } else {
        words::small_probability(size)
    }
}

/// A value without decimals that come from rounding.
fn value(value: f64) -> String {
    let whole = value.round();
    words::value(if (value - whole).abs() <= whole.abs() * 1e-9 {
        whole
    } else {
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Move, Rank};
    use crate::search::{NoTerms, Objective};

    /// A textbook example: 14 spawns after Left, all better than the mean after Up.
    fn left_and_up() -> Why {
        let row = |label: &str, means| TermRow {
            label: label.to_owned(),
            weight: 1.0,
            means,
        };
        Why {
            better: Move::Left,
            other: Move::Up,
            values: [8759.25, 8635.55],
            bounds: [Bound::Exact; 2],
            objective: Objective {
                higher: true,
                tolerance: 0.0,
            },
            pairing: Pairing::Mean,
            is_sum: false,
            is_sampled: false,
            lead: None,
            bars: Vec::new(),
            comparison: Some(Comparison {
                spawns: 14,
                is_complete: true,
                better: 14,
                worse: 0,
                worst: None,
            }),
            deciding: [Vec::new(), Vec::new()],
            terms: Ok(Terms {
                rows: vec![
                    row("Score", [6110.5, 6032.4]),
                    row("Corner", [2648.75, 2603.15]),
                ],
                zero: [0.0; 2],
                leaves: Leaves::Mean,
            }),
        }
    }

    fn four(row: u8, col: u8) -> Spawn {
        Spawn {
            cell: Cell::new(row, col),
            rank: Rank::FOUR,
        }
    }

    fn first(why: &Why) -> String {
        let [first, _] = sentences(why);
        first
    }

    fn second(why: &Why) -> String {
        let [_, second] = sentences(why);
        second
    }

    #[test]
    fn the_first_sentence_says_how_the_spawns_make_the_difference() {
        let why = left_and_up();
        assert_eq!(
            first(&why),
            "Left is worth 123.7 more than Up, and every one of its 14 spawns is better than the mean after Up."
        );
        let compared = |spawns, better, worse, worst| {
            Some(Comparison {
                spawns,
                better,
                worse,
                worst,
                is_complete: true,
            })
        };
        let some = Why {
            comparison: compared(14, 12, 2, Some((four(1, 2), 20.13))),
            ..why.clone()
        };
        assert_eq!(
            first(&some),
            "Left is worth 123.7 more than Up, although 2 of its 14 spawns are worse than the mean after Up, worst of all \
             a 4 at r2c3, by 20.1."
        );

        let pairs = Why {
            pairing: Pairing::Spawns,
            comparison: compared(2, 1, 1, Some((four(1, 2), 0.031))),
            ..why.clone()
        };
        assert_eq!(
            first(&pairs),
            "Left is worth 123.7 more than Up, although 1 of the 2 spawns is worse after Left than after Up: a 4 at r2c3, \
             by 0.031."
        );

        let equal = Why {
            values: [5.0; 2],
            comparison: compared(2, 0, 0, None),
            ..why.clone()
        };
        assert_eq!(
            first(&equal),
            "Left and Up are both worth 5, and no spawn differs from the mean after Up."
        );
        let least = Why {
            objective: Objective {
                higher: false,
                tolerance: 200.0,
            },
            comparison: compared(2, 0, 2, None),
            ..why
        };
        assert_eq!(
            first(&least),
            "Left is worth 123.7 more than Up (less is better), which is within the tolerance of 200, and both of its \
             spawns are worse than the mean after Up."
        );
    }

    #[test]
    fn where_the_worst_counts_the_first_sentence_names_what_decides() {
        let deciding = [
            vec![four(1, 2)],
            vec![Spawn {
                cell: Cell::new(0, 0),
                rank: Rank::TWO,
            }],
        ];
        let why = Why {
            pairing: Pairing::Worst,
            values: [812.0, 800.0],
            deciding,
            comparison: None,
            ..left_and_up()
        };
        assert_eq!(
            first(&why),
            "Left is worth 12 more than Up, because the worst spawn after Left, a 4 at r2c3, leaves 812, and the worst \
             spawn after Up, a 2 at r1c1, leaves 800."
        );

        // Left's value may be a lower bound or Up's an upper bound: the difference is at least so large. The other way
        // round it is at most so large.
        for (bounds, values, head) in [
            (
                [Bound::Exact, Bound::Upper],
                [812.0, 800.0],
                "Left is worth at least 12 more than Up, ",
            ),
            (
                [Bound::Lower, Bound::Exact],
                [812.0, 800.0],
                "Left is worth at least 12 more than Up, ",
            ),
            (
                [Bound::Upper, Bound::Exact],
                [812.0, 800.0],
                "Left is worth at most 12 more than Up, ",
            ),
            (
                [Bound::Upper, Bound::Exact],
                [800.0, 812.0],
                "Left is worth at least 12 less than Up, ",
            ),
            (
                [Bound::Exact, Bound::Upper],
                [800.0, 812.0],
                "Left is worth at most 12 less than Up, ",
            ),
            (
                [Bound::Exact, Bound::Upper],
                [800.0, 800.0],
                "Left is worth at least as much as Up, ",
            ),
            (
                [Bound::Upper, Bound::Lower],
                [800.0, 800.0],
                "Left is worth at most as much as Up, ",
            ),
            (
                [Bound::Upper; 2],
                [812.0, 800.0],
                "Bounds on the values of Left and Up do not say which is worth more, ",
            ),
        ] {
            let why = Why {
                bounds,
                values,
                ..why.clone()
            };
            assert!(first(&why).starts_with(head), "{}", first(&why));
        }
    }

    #[test]
    fn the_second_sentence_says_what_the_leaves_are_made_of() {
        let why = left_and_up();
        assert_eq!(
            second(&why),
            "At the deciding leaves Left expects 78.1 more Score and 45.6 more Corner."
        );
        let Ok(terms) = &why.terms else {
            panic!("told")
        };
        let sentence = |terms: Terms| {
            second(&Why {
                terms: Ok(terms),
                ..why.clone()
            })
        };
        let mut mixed = terms.clone();
        mixed.rows[1] = TermRow {
            label: "Empty".to_owned(),
            weight: 50.0,
            means: [100.0, 250.0],
        };
        mixed.zero = [0.0, 0.9];
        assert_eq!(
            sentence(mixed),
            "At the deciding leaves Left expects 78.1 more Score, but 150 less from 50 × Empty; only Up leads to \
             boards that count 0, with probability 0.90."
        );

        let one = Terms {
            rows: terms.rows[..1].to_vec(),
            ..terms.clone()
        };
        assert_eq!(sentence(one), "Only Score is counted at the leaves.");
        let slides = Terms {
            leaves: Leaves::Slides,
            ..terms.clone()
        };
        assert_eq!(
            sentence(slides),
            "After the move Left has 78.1 more Score and 45.6 more Corner."
        );
        for reason in [NoTerms::LeftOut, NoTerms::NotInRecord, NoTerms::Bound] {
            let text = second(&Why {
                terms: Err(reason),
                ..why.clone()
            });
            assert!(
                text.starts_with("The terms at the leaves are unknown: ") && text.ends_with('.'),
                "{text}"
            );
        }
    }
}
