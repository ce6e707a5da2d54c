//! Values of flags: how they are read, and the messages if they cannot be read.

use std::ops::Range;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use strum::IntoEnumIterator as _;

use crate::experiment::ResultsFormat;
use crate::game::Move;
use crate::review::{Points, Thresholds};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
}

/// The format of printed results; `None` is a table for the terminal.
pub(super) type RunFormat = Option<ResultsFormat>;

pub(super) fn run_format() -> impl TypedValueParser<Value = RunFormat> {
    let printed = ResultsFormat::iter().filter_map(ResultsFormat::printed);
    let values = printed.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(std::iter::once("table".into()).chain(values)).map(|chosen| {
        ResultsFormat::iter()
            .find(|format| format.printed().is_some_and(|(name, _)| name == chosen))
    })
}

/// Reads whole numbers of a range, and names the range when it refuses.
pub(super) fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let number = text
            .parse()
            .ok()
            .filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| format!("write a whole number from {low} to {high}"))
    }
}

pub(super) fn indices(text: &str) -> Result<Range<u64>, String> {
    let range = text
        .split_once("..")
        .and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
    range
        .filter(|range| range.start < range.end)
        .ok_or_else(|| {
            "write the first game and the game after the last, such as 0..1000".to_owned()
        })
}

/// `85mm`, `8.5cm` or `85`, in millimeters.
pub(super) fn millimeters(text: &str) -> Result<f32, String> {
    let units = [("mm", 1.0), ("cm", 10.0), ("", 1.0)];
    let lengths = units
        .iter()
        .filter_map(|(unit, factor)| Some((text.trim().strip_suffix(unit)?, factor)));
    let mut read =
        lengths.filter_map(|(number, factor)| Some(number.trim().parse::<f32>().ok()? * factor));
    read.find(|length| length.is_finite())
        .ok_or_else(|| "write a length such as 85mm or 8.5cm".to_owned())
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.01..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("write seconds from 0.01 to 86400, such as 1 or 0.5".to_owned()),
    }
}

pub(super) fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if (0.0..=1.0).contains(&p) => Ok(p),
        _ => Err("write a probability from 0 to 1".to_owned()),
    }
}

pub(super) fn points(text: &str) -> Result<Points, String> {
    let points = text
        .trim()
        .parse()
        .ok()
        .and_then(Points::of)
        .filter(|&points| Points::ZERO < points);
    points.ok_or_else(|| "write points above 0, such as 500".to_owned())
}

pub(super) fn thresholds(text: &str) -> Result<Thresholds, String> {
    let numbers: Result<Vec<Points>, String> = text.split(',').map(points).collect();
    let &[inaccuracy, mistake, blunder] = numbers?.as_slice() else {
        return Err("write three numbers of points, such as 200,1000,5000".to_owned());
    };
    let thresholds = Thresholds {
        inaccuracy,
        mistake,
        blunder,
        chance: None,
    };
    thresholds
        .check()
        .map(|()| thresholds)
        .map_err(|error| error.to_string())
}

/// Percentage points, as thousandths.
pub(super) fn chance_thresholds(text: &str) -> Result<[u16; 3], String> {
    let thousandths = |part: &str| {
        let percent = part
            .trim()
            .parse()
            .ok()
            .filter(|percent: &f64| (0.1..=100.0).contains(percent));
        percent.map(|percent| (percent * 10.0).round() as u16)
    };
    match text
        .split(',')
        .map(thousandths)
        .collect::<Option<Vec<u16>>>()
        .as_deref()
    {
        Some(&[inaccuracy, mistake, blunder]) if inaccuracy <= mistake && mistake <= blunder => {
            Ok([inaccuracy, mistake, blunder])
        }
        _ => Err("write three rising percentages from 0.1 to 100, such as 2,5,10".to_owned()),
    }
}

pub(super) fn two_moves(text: &str) -> Result<[Move; 2], String> {
    let moves = text
        .split_once(',')
        .map(|(one, other)| (one.trim().parse().ok(), other.trim().parse().ok()));
    match moves {
        Some((Some(one), Some(other))) => Ok([one, other]),
        _ => Err("write two moves, such as left,up".to_owned()),
    }
}

pub(super) fn window_size(text: &str) -> Result<[f32; 2], String> {
    let side = |side: &str| {
        side.trim()
            .parse::<u16>()
            .ok()
            .filter(|side| (200..=16_384).contains(side))
            .map(f32::from)
    };
    text.split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| "write width x height from 200 to 16384, such as 1280x800".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_sense() {
        assert_eq!(window_size("1280x800"), Ok([1280.0, 800.0]));
        for text in ["", "x", "0x0", "1280", "99999x5", "-5x300"] {
            assert!(window_size(text).is_err(), "{text}");
        }
    }
}
