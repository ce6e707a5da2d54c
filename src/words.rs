//! Numbers and lists in readable form.
//!
//! The minus sign is `−`, thousands are separated by commas, and values have one decimal unless they are whole.

pub mod escape;

use std::time::{SystemTime, UNIX_EPOCH};

/// A whole number with thousands separated: `12,345`.
pub fn count(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", count(thousands), number % 1000),
    }
}

/// A value of an evaluator: whole numbers without decimals, others with one; `8,759.2`, `−4`.
pub fn value(value: f64) -> String {
    if value.is_finite() && value == value.trunc() {
        decimals(value, 0)
    } else {
        decimals(value, 1)
    }
}

/// A value with all its decimals, next to which a rounded one is shown: `30.2041015625`.
pub fn exact(value: f64) -> String {
    // Digits from the sixteenth on are rounding errors of sums: 19.464000000000002.
    let rounded = format!("{:.14e}", value.abs())
        .parse()
        .unwrap_or(value.abs());
    let text = f64::to_string(&rounded);
    match text.split_once('.') {
        _ if !value.is_finite() || 1e15 <= value.abs() => decimals(value, 0),
        None => decimals(value, 0),
        Some((_, fraction)) => decimals(value, fraction.len()),
    }
}

/// A value as it was computed: whole numbers without decimals, others with the digits of [`exact`] if there are few,
/// otherwise with one decimal, or with two significant digits if one decimal would give 0: `8,759.2`, `0.001`,
/// `0.00033`.
pub fn all_digits(value: f64) -> String {
    const FEW: usize = 6;
    let text = exact(value);
    let decimals_of = text
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    if decimals_of <= FEW || !value.is_finite() {
        return text;
    }
    let places = if value.abs() < 0.05 {
        1 + (-value.abs().log10()).ceil().min(300.0) as usize
    } else {
        1
    };
    decimals(value, places)
}

/// Numbers closer than this share of their size differ by rounding alone.
const ROUNDING: f64 = 1e-9;

/// The most decimals of a column; numbers that differ by less look alike.
const MOST_PLACES: usize = 6;

/// The decimals for numbers that are compared with each other: none if all are whole, otherwise enough that different
/// numbers look different.
pub fn places(values: impl IntoIterator<Item = f64>) -> usize {
    let mut values: Vec<f64> = values
        .into_iter()
        .filter(|value| value.is_finite())
        .collect();
    if values.iter().all(|value| value.fract() == 0.0) {
        return 0;
    }
    values.sort_unstable_by(f64::total_cmp);
    let differ = |pair: &&[f64]| {
        ROUNDING * pair[0].abs().max(pair[1].abs()).max(ROUNDING) < pair[1] - pair[0]
    };
    let reads_alike = |places: &usize| {
        values
            .windows(2)
            .filter(differ)
            .any(|pair| decimals(pair[0], *places) == decimals(pair[1], *places))
    };
    (1..MOST_PLACES)
        .find(|places| !reads_alike(places))
        .unwrap_or(MOST_PLACES)
}

/// The decimals that the parts of a sum need to add up as written; at least those of [`places`].
pub fn places_of_sum(parts: &[f64], sum: f64) -> usize {
    let least = places(parts.iter().copied().chain([sum]));
    let adds_up = |places: &usize| {
        let unit = 10_f64.powi(*places as i32);
        let written = |value: f64| (written(value, *places) * unit).round();
        parts.iter().map(|part| written(*part)).sum::<f64>() == written(sum)
    };
    (least..=MOST_PLACES).find(adds_up).unwrap_or(least)
}

/// A value rounded to this many decimals.
pub fn written(value: f64, places: usize) -> f64 {
    format!("{value:.places$}").parse().unwrap_or(value)
}

/// A number with this many decimals and thousands separated.
pub fn decimals(value: f64, places: usize) -> String {
    if value.is_nan() {
        return "–".to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "−∞" } else { "∞" }.to_owned();
    }
    let text = format!("{:.places$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_negative = value < 0.0 && text.bytes().any(|byte| byte != b'0' && byte != b'.');
    let (sign, point) = (
        if is_negative { "−" } else { "" },
        if fraction.is_empty() { "" } else { "." },
    );
    match whole.parse() {
        Ok(number) => format!("{sign}{}{point}{fraction}", count(number)),
        // Beyond u64 (1.8e19) digits are not worth grouping.
        Err(_) => format!("{sign}{:.3e}", value.abs()),
    }
}

/// A difference with its sign and one decimal, or with two significant digits if one decimal would give 0: `+4.1`,
/// `−28.2`, `+0.00098`, `0.0`. Less than a billionth is rounding.
pub fn difference(value: f64) -> String {
    signed(
        if value.abs() < 1e-9 { 0.0 } else { value },
        places_of_size(value.abs()),
    )
}

/// A size of differences, without a sign, with the decimals of [`difference`]: `4.1`, `0.00098`.
pub fn size(value: f64) -> String {
    decimals(value, places_of_size(value))
}

fn places_of_size(size: f64) -> usize {
    if (1e-9..0.05).contains(&size) {
        (-size.log10()).ceil() as usize + 1
    } else {
        1
    }
}

/// A difference in its shortest form: `+4`, `−28`, `0`; `≈0` if it is not zero but would be shown as zero.
pub fn short_difference(value: f64) -> String {
    let text = signed(value, 0);
    if text == "0" && 1e-9 <= value.abs() {
        "≈0".to_owned()
    } else {
        text
    }
}

/// A number with its sign and this many decimals; zero has no sign: `+910`, `−12`, `0`.
pub fn signed(value: f64, places: usize) -> String {
    let text = decimals(value, places);
    let is_nought = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if 0.0 < value && !is_nought {
        format!("+{text}")
    } else {
        text
    }
}

/// A number from 0 up in three digits, or more if it is larger: `0.000421`, `12.3`, `1,240`.
pub fn three_digits(value: f64) -> String {
    let digits = if 0.0 < value && value.is_finite() {
        value.log10().floor() as i32
    } else {
        0
    };
    decimals(value, (2 - digits).clamp(0, 7) as usize)
}

/// A setting in its shortest form: `0`, `0.5`, `12`.
pub fn decimals_short(value: f64) -> String {
    value.to_string().replace('-', "−")
}

/// A probability with as many decimals as it needs, at least two: `0.10`, `0.125`.
pub fn probability(value: f64) -> String {
    let text = format!("{value:.4}");
    // A difference of rounding below 0.
    let text = text
        .strip_prefix('-')
        .filter(|text| *text == "0.0000")
        .unwrap_or(&text);
    let short = text.trim_end_matches('0');
    text[..short.len().max("0.00".len())].to_owned()
}

/// The share of 4s among new tiles: `10 % fours`, `12.5 % fours`.
pub fn fours(p4: f64) -> String {
    fours_between([p4; 2])
}

/// The same where it differs: `0 to 100 % fours`.
pub fn fours_between([least, most]: [f64; 2]) -> String {
    let ends = [least, most].map(fours_percent);
    let range = if ends[0] == ends[1] {
        ends[0].clone()
    } else {
        ends.join(" to ")
    };
    format!("{range} % fours")
}

/// A share of 4s in percent, with as many decimals as it needs, at most four: `10`, `12.5`.
pub fn fours_percent(p4: f64) -> String {
    let text = decimals(100.0 * p4, 4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A probability with two significant digits, however small: `0.25`, `0.000072`; `0` if it is not rounded.
pub fn small_probability(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(0.0..0.01).contains(&value) {
        return probability(value);
    }
    let places = (-value.log10()).ceil() as usize + 1;
    let text = format!("{value:.places$}");
    text.trim_end_matches('0').to_owned()
}

/// Distinguishes things of the same name: for each, the facts in which they differ, as few as necessary, in order. They
/// may still be alike if all facts are.
pub fn telling<const N: usize>(facts: &[[String; N]]) -> Vec<Vec<String>> {
    let tell = |chosen: &[usize]| {
        let distinct: std::collections::HashSet<Vec<&String>> = facts
            .iter()
            .map(|item| chosen.iter().map(|&fact| &item[fact]).collect())
            .collect();
        distinct.len()
    };
    let mut chosen: Vec<usize> = Vec::new();
    if let Some(alone) = (0..N).find(|&fact| tell(&[fact]) == facts.len()) {
        chosen.push(alone);
    } else {
        for fact in 0..N {
            let with = [chosen.as_slice(), &[fact]].concat();
            if tell(&chosen) < tell(&with) {
                chosen = with;
            }
        }
    }

    facts
        .iter()
        .map(|item| chosen.iter().map(|&fact| item[fact].clone()).collect())
        .collect()
}

/// `a`, `a and b`, `a, b and c`.
pub fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// Foreign text inside a sentence: in quotes, [escaped](escape()), cut off after 40 characters.
pub fn quoted(text: &str) -> String {
    quoted_to(40, text)
}

/// The same, cut off after this many characters.
pub fn quoted_to(longest: usize, text: &str) -> String {
    let shown = escaped(text.chars().take(longest));
    let more = if text.chars().nth(longest).is_some() {
        "…"
    } else {
        ""
    };
    format!("\"{shown}{more}\"")
}

/// Foreign text as it appears between quotation marks, each character through [`escape()`].
pub fn escaped(text: impl IntoIterator<Item = char>) -> String {
    text.into_iter().map(escape).collect()
}

/// A character of foreign text as it appears between quotation marks. Characters that are invisible, break the line,
/// change the direction of writing or end the quotation become escapes of Rust: `\n`, `\"`, `\u{202e}`.
pub fn escape(letter: char) -> String {
    match letter {
        '\'' => letter.to_string(),
        _ if is_blank_letter(letter) || is_right_to_left(letter) => {
            letter.escape_unicode().to_string()
        }
        _ => letter.escape_debug().to_string(),
    }
}

/// Whether Unicode counts a character as a letter or symbol although it has no ink.
fn is_blank_letter(letter: char) -> bool {
    matches!(
        letter,
        '\u{115f}'
            | '\u{1160}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
            | '\u{13441}'
            | '\u{13442}'
            | '\u{1d159}'
    )
}

/// Whether a character belongs to a script that is written from right to left, which would reorder the text around it.
fn is_right_to_left(letter: char) -> bool {
    matches!(letter,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Text of other programs, shortened to fit into a sentence.
pub fn shortened(text: &str) -> String {
    shortened_to(200, text)
}

/// Text of other programs on one line: a space for each control character.
pub fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Text without control characters, and with `…` for what follows after this many characters.
pub fn shortened_to(longest: usize, text: &str) -> String {
    let mut shown: String = one_line(text).chars().take(longest).collect();
    if text.chars().nth(longest).is_some() {
        shown.push('…');
    }
    shown
}

/// A time in readable form: `8 s`, `12 min`, `3.5 h`, `40 days`.
pub fn time(secs: f64) -> String {
    if 1000.0 * 31_557_600.0 < secs {
        return "more than 1,000 years".to_owned();
    }
    let (value, unit) = match secs {
        _ if secs < 90.0 => (secs.max(1.0), "s"),
        _ if secs < 5400.0 => (secs / 60.0, "min"),
        _ if secs < 48.0 * 3600.0 => (secs / 3600.0, "h"),
        _ => (secs / 86_400.0, "days"),
    };
    let places = usize::from(value < 9.95 && unit != "s" && 0.05 < (value - value.round()).abs());
    format!("{} {unit}", decimals(value, places))
}

/// A time that may be short, with three significant digits: `1.23 µs`, `45.6 ms`, `7.89 s`, `12 min`.
pub fn short_time(secs: f64) -> String {
    if 60.0 <= secs {
        return time(secs);
    }
    let (value, unit) = match secs {
        _ if secs < 1e-3 => (secs * 1e6, "µs"),
        _ if secs < 1.0 => (secs * 1e3, "ms"),
        _ => (secs, "s"),
    };
    let places = match value {
        _ if value < 10.0 => 2,
        _ if value < 100.0 => 1,
        _ => 0,
    };
    format!("{} {unit}", decimals(value, places))
}

/// `1 game`, `2 games`, `12,000 games`.
pub fn plural(number: u64, one: &str) -> String {
    // A strategy, strategies; a day, days.
    let stem = one
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match (number, stem) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{} {stem}ies", count(number)),
        (_, None) => format!("{} {one}s", count(number)),
    }
}

pub fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// A file size: `12 bytes`, `3.4 MiB`.
pub fn bytes(number: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match units.into_iter().find(|&(_, shift)| 1 << shift <= number) {
        Some((unit, shift)) => format!(
            "{} {unit}",
            decimals(number as f64 / f64::from(1_u32 << shift), 1)
        ),
        None => plural(number, "byte"),
    }
}

/// A time in UTC to the second, as `2026-11-20T12:30:00Z`; times before 1970 become 1970.
pub fn rfc_3339(time: SystemTime) -> String {
    let seconds = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 1970 in eras of 400 years from 1 March (Howard Hinnant, chrono-compatible low-level date algorithms).
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_never_hides_behind_its_decimals() {
        for (value, text) in [
            (4.14, "+4.1"),
            (-28.2, "−28.2"),
            (0.05, "+0.1"),
            (0.049, "+0.049"),
            (-0.00098, "−0.00098"),
            (0.0, "0.0"),
            (3e-13, "0.0"),
            (f64::INFINITY, "+∞"),
        ] {
            assert_eq!(difference(value), text);
        }
        assert_eq!([4.14, 0.00098, 0.0].map(size), ["4.1", "0.00098", "0.0"]);
        assert_eq!(
            [4.14, -28.2, 0.0022, -0.4, 0.0].map(short_difference),
            ["+4", "−28", "≈0", "≈0", "0"]
        );
    }

    #[test]
    fn numbers_that_differ_read_differently_in_a_column() {
        for (values, expected) in [
            (vec![], 0),
            (vec![4.0, 12.0], 0),
            (vec![4.5, 12.0], 1),
            (vec![30.2, 30.2], 1),
            (vec![30.2141, 30.1962], 2),
            (vec![2650.5, 2650.25], 1),
            (vec![2650.52, 2650.48, 7.0], 2),
            (vec![2650.54, 2650.46, 2650.51], 2),
            (vec![1.0, 1.0 + 1e-12, 0.5], 1),
            (vec![1.0, 1.000_000_1], MOST_PLACES),
            (vec![f64::NAN, f64::INFINITY, 0.5], 1),
        ] {
            assert_eq!(places(values.clone()), expected, "{values:?}");
        }

        assert_eq!(places_of_sum(&[2.56, 2.56], 5.12), 2, "2.6 + 2.6 = 5.1");
        assert_eq!(places_of_sum(&[2.5, 2.5], 5.0), 1);
        assert_eq!(places_of_sum(&[3.0, 4.0], 7.0), 0);
        assert_eq!(
            [30.204_101_562_5, -3.0, 0.1, 1e300].map(exact),
            ["30.2041015625", "−3", "0.1", "1.000e300"]
        );
        assert_eq!(
            [0.1 + 0.2, 19.464_000_000_000_002].map(exact),
            ["0.3", "19.464"],
            "what rounding left behind"
        );
    }

    #[test]
    fn probabilities_keep_two_decimals() {
        assert_eq!(
            [0.1, 0.0, 1.0, 0.125].map(probability),
            ["0.10", "0.00", "1.00", "0.125"]
        );
        let small = [0.0, 0.45, 0.000_072_49, 0.0001, 1e-12].map(small_probability);
        assert_eq!(small, ["0", "0.45", "0.000072", "0.0001", "0.000000000001"]);
    }

    #[test]
    fn numbers_are_grouped_and_signed() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (999.0, "999"),
            (1000.0, "1,000"),
            (-1_234_567.0, "−1,234,567"),
            (8759.25, "8,759.2"),
            (-0.04, "0.0"),
            (f64::NEG_INFINITY, "−∞"),
            (1e300, "1.000e300"),
        ] {
            assert_eq!(value(number), text);
        }
        assert_eq!(decimals(12.345, 2), "12.35");
    }

    #[test]
    fn sizes_have_units_of_their_size() {
        assert_eq!(
            [1, 1023, 3_565_158, 5 << 30].map(bytes),
            ["1 byte", "1,023 bytes", "3.4 MiB", "5.0 GiB"]
        );
    }

    #[test]
    fn small_numbers_keep_three_digits() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.000_421, "0.000421"),
            (0.5, "0.500"),
            (12.34, "12.3"),
            (100.0, "100"),
            (1240.0, "1,240"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }

    #[test]
    fn short_times_have_three_digits() {
        for (secs, text) in [
            (840e-9, "0.84 µs"),
            (1.234e-6, "1.23 µs"),
            (45.6e-6, "45.6 µs"),
            (456e-6, "456 µs"),
            (7.89e-3, "7.89 ms"),
            (48e-3, "48.0 ms"),
            (1.5, "1.50 s"),
            (12.0, "12.0 s"),
            (720.0, "12 min"),
        ] {
            assert_eq!(short_time(secs), text);
        }
    }

    #[test]
    fn fours_are_a_share_in_percent() {
        for (p4, text) in [
            (0.1, "10 % fours"),
            (0.0, "0 % fours"),
            (1.0, "100 % fours"),
            (0.07, "7 % fours"),
            (0.125, "12.5 % fours"),
            (1.0 / 3.0, "33.3333 % fours"),
        ] {
            assert_eq!(fours(p4), text);
        }
        assert_eq!(fours_between([0.2, 0.5]), "20 to 50 % fours");
    }

    #[test]
    fn a_probability_has_no_sign() {
        for value in [0.0, -0.0, -1e-12, 1e-12, 1.0] {
            for text in [probability(value), small_probability(value)] {
                assert!(!text.starts_with('-'), "{value:?}: {text}");
            }
        }
        assert_eq!(
            [-0.0, -1e-9, 0.125].map(probability),
            ["0.00", "0.00", "0.125"]
        );
    }

    #[test]
    fn values_that_are_small_are_not_0() {
        for (value, text) in [
            (0.0, "0"),
            (-4.0, "−4"),
            (0.001, "0.001"),
            (-0.25, "−0.25"),
            (8759.2, "8,759.2"),
            (1.0 / 3.0, "0.3"),
            (1.0 / 3000.0, "0.00033"),
            (123.0 / 7.0, "17.6"),
            (1e-12, "0.0000000000010"),
            (f64::INFINITY, "∞"),
        ] {
            assert_eq!(all_digits(value), text);
        }
    }

    #[test]
    fn times_have_the_unit_that_people_use() {
        for (secs, text) in [
            (0.0, "1 s"),
            (8.4, "8 s"),
            (89.0, "89 s"),
            (90.0, "1.5 min"),
            (120.0, "2 min"),
            (754.0, "13 min"),
            (5400.0, "1.5 h"),
            (36_000.0, "10 h"),
            (864_000.0, "10 days"),
            (1e9, "11,574 days"),
            (f64::INFINITY, "more than 1,000 years"),
        ] {
            assert_eq!(time(secs), text);
        }
    }

    #[test]
    fn foreign_text_stays_short_and_harmless() {
        assert_eq!(quoted("13"), "\"13\"");
        assert_eq!(
            quoted("a\0\u{1b}[2J\n\"b\""),
            "\"a\\0\\u{1b}[2J\\n\\\"b\\\"\""
        );
        let hidden = "\u{202e}\u{200b}\u{a0}\u{3164}\u{2800}\u{e0041}\u{301}א";
        assert_eq!(
            quoted(hidden),
            r#""\u{202e}\u{200b}\u{a0}\u{3164}\u{2800}\u{e0041}\u{301}\u{5d0}""#
        );
        assert_eq!(quoted("it's grün"), "\"it's grün\"");
        assert_eq!(quoted(&"ü".repeat(40)).chars().count(), 42);
        assert_eq!(quoted(&"ü".repeat(41)).chars().count(), 43);
    }

    #[test]
    fn lists_end_in_and() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(plural(1, "game"), "1 game");
        assert_eq!(plural(12_000, "game"), "12,000 games");
    }
}
