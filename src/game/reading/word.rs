//! One word: a 64-bit integer with four bits for each rank, or one digit for each rank.

use super::{Board, CellOrder, Grid, ParseBoardError, Rank, ReadAs, Reading, Size};

/// Digits of ranks on a 4×4 board.
const DIGITS: usize = 16;

/// Endings of integers in source code.
const SUFFIXES: [&str; 7] = ["ull", "llu", "u64", "i64", "ul", "ll", "l"];

pub(super) fn readings(word: &str, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    if word.is_empty() {
        return Err(ParseBoardError::Nothing);
    }
    let refused = || ParseBoardError::Word(word.to_owned());
    let lower = word.to_ascii_lowercase();
    let is_decimal =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(digits) = lower.strip_prefix("0x") {
        let digits = bare(digits);
        if read_as.decimal {
            return Err(ParseBoardError::Integer {
                word: word.to_owned(),
                digits: "decimal",
            });
        }
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ParseBoardError::Integer {
                word: word.to_owned(),
                digits: "hexadecimal",
            });
        }
        let bits = u64::from_str_radix(&digits, 16)
            .map_err(|_| ParseBoardError::TooManyBits(word.to_owned()))?;
        return Ok(of_bits(bits, false, read_as));
    }

    let lower = lower.replace(['_', '\''], "");
    let decimal = bare(&lower);
    let (sign, digits) = match decimal.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", decimal.as_str()),
    };
    let has_ending = lower.len() != decimal.len();
    // More digits than ranks: only an integer.
    let is_long = is_decimal(digits) && DIGITS < digits.len() + sign.len();
    if read_as.decimal || is_long || (is_decimal(digits) && has_ending) {
        if !is_decimal(digits) {
            return Err(ParseBoardError::Integer {
                word: word.to_owned(),
                digits: "decimal",
            });
        }
        let bits = match sign {
            "" => digits.parse::<u64>().ok(),
            // Languages without unsigned integers write the upper half as negative numbers.
            _ => decimal.parse::<i64>().ok().map(i64::cast_unsigned),
        };
        let bits = bits.ok_or_else(|| ParseBoardError::TooManyBits(word.to_owned()))?;
        return Ok(of_bits(bits, true, read_as));
    }

    let Some(board) = of_digits(&lower) else {
        let is_number = is_decimal(digits) && sign.is_empty();
        return Err(if is_number {
            ParseBoardError::Number(word.to_owned())
        } else {
            refused()
        });
    };
    let Ok(bits) = u64::from_str_radix(&lower, 16) else {
        // The digits g and h have no four bits.
        return match read_as.cells {
            Some(CellOrder::Low) => Err(ParseBoardError::Integer {
                word: word.to_owned(),
                digits: "hexadecimal",
            }),
            _ => Ok(vec![Reading::of(board)]),
        };
    };
    let mut found = of_bits(bits, false, read_as);
    if read_as.cells.is_none()
        && let Ok(bits) = lower.parse::<u64>()
    {
        found.extend(of_bits(bits, true, read_as));
    }
    Ok(found)
}

/// Digits without separators and the ending of source code.
fn bare(digits: &str) -> String {
    let digits = SUFFIXES
        .iter()
        .find_map(|suffix| digits.strip_suffix(suffix))
        .unwrap_or(digits);
    digits.replace(['_', '\''], "")
}

/// The boards of these bits, one for each order that is still open.
fn of_bits(bits: u64, decimal: bool, read_as: &ReadAs) -> Vec<Reading> {
    let orders = [CellOrder::High, CellOrder::Low].into_iter();
    let orders = orders.filter(|&order| read_as.cells.is_none_or(|chosen| chosen == order));
    let reading = |order| {
        let chosen_by = ReadAs {
            cells: Some(order),
            decimal,
            ..ReadAs::default()
        };
        Reading::of(of_word(bits, order)).chosen_by(chosen_by)
    };
    orders.map(reading).collect()
}

fn of_word(bits: u64, order: CellOrder) -> Board {
    let mut grid = Grid::empty(Size::FOUR);
    for (index, cell) in Size::FOUR.iter().enumerate() {
        let place = match order {
            CellOrder::Low => index,
            CellOrder::High => DIGITS - 1 - index,
        };
        grid.set(cell, Rank::clamped((bits >> (4 * place) & 15) as u8));
    }
    Board::from_grid(grid)
}

pub(super) fn of_digits(digits: &str) -> Option<Board> {
    if digits.len() != DIGITS {
        return None;
    }
    let mut grid = Grid::empty(Size::FOUR);
    for (cell, digit) in Size::FOUR.iter().zip(digits.chars()) {
        // Up to h: 17, the largest rank on 4×4.
        grid.set(cell, Rank::new(digit.to_digit(18)? as u8)?);
    }
    Some(Board::from_grid(grid))
}
