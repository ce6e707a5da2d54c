//! The words of a cell.

use super::Rank;

/// Why a word is no rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    Tile,
    /// A power of two above every tile.
    TooLarge,
    Exponent,
}

/// Words of an empty cell, in lower case, besides the number 0.
const EMPTY: [&str; 16] = [
    "", ".", "·", "_", "-", "–", "—", "x", "o", "*", "#", "null", "none", "nil", "nan", "empty",
];

/// How programs shorten 65536 and the tiles above it, and those tiles as ranks.
const THOUSANDS: [(&str, u8); 4] = [("65k", 16), ("131k", 17), ("262k", 18), ("524k", 19)];

pub(super) fn is_empty(word: &str) -> bool {
    EMPTY.iter().any(|empty| empty.eq_ignore_ascii_case(word))
}

/// The rank of a word: of a tile, or of its exponent.
pub(super) fn rank(word: &str, is_exponent: bool) -> Result<Rank, Refusal> {
    if is_empty(word) {
        return Ok(Rank::EMPTY);
    }
    if is_exponent {
        let digit = || match word.as_bytes() {
            [letter @ (b'a'..=b'h' | b'A'..=b'H')] => {
                Some(u64::from(letter.to_ascii_lowercase() - b'a') + 10)
            }
            _ => None,
        };
        let exponent = number(word)
            .or_else(digit)
            .and_then(|exponent| u8::try_from(exponent).ok());
        return exponent.and_then(Rank::new).ok_or(Refusal::Exponent);
    }

    let power = word.strip_prefix("2^").or_else(|| word.strip_prefix("2**"));
    if let Some(exponent) = power.and_then(number) {
        let rank = u8::try_from(exponent)
            .ok()
            .filter(|&exponent| exponent != 0)
            .and_then(Rank::new);
        return rank.ok_or(if exponent == 0 {
            Refusal::Tile
        } else {
            Refusal::TooLarge
        });
    }
    if let Some(&(_, rank)) = THOUSANDS
        .iter()
        .find(|(short, _)| short.eq_ignore_ascii_case(word))
    {
        return Rank::new(rank).ok_or(Refusal::TooLarge);
    }
    let (digits, factor) = match word.strip_suffix(['k', 'K']) {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => (digits, 1024),
        _ => (word, 1),
    };
    let Some(tile) = number(digits).and_then(|number| number.checked_mul(factor)) else {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        return Err(if is_number {
            Refusal::TooLarge
        } else {
            Refusal::Tile
        });
    };
    Rank::of_tile(tile).ok_or(if Rank::MAX.tile() < tile {
        Refusal::TooLarge
    } else {
        Refusal::Tile
    })
}

/// A whole number, also as a floating-point number: `16`, `16.`, `16.0`, `1.6e+01`.
pub(super) fn number(word: &str) -> Option<u64> {
    /// Whole numbers up to here are exact in floating point.
    const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok();
    }
    let is_float = word
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    let value = word.parse::<f64>().ok().filter(|_| is_float)?;
    ((0.0..EXACT).contains(&value) && value.fract() == 0.0).then_some(value as u64)
}
