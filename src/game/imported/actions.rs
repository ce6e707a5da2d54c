//! Words and numbers for moves in files of other programs.
//!
//! Names and letters have one meaning: `up`, `U`, `w`, `↑`. Numbers have none: programs count the moves in different
//! orders. So every order of the numbers in a file is tried, and the boards or the rules decide: [`orders`] lists them.

use itertools::Itertools as _;

use crate::game::{Move, Moves};
use crate::words;

/// What each word of a file stands for.
pub(super) type Order = Vec<(String, Move)>;

/// The words of the moves, in the order of [`Move::ALL`].
const NAMED: [[&str; 4]; 4] = [
    ["up", "down", "left", "right"],
    ["u", "d", "l", "r"],
    ["w", "s", "a", "d"],
    ["↑", "↓", "←", "→"],
];

/// Orders of the moves that programs count in. They come first where the boards fit several.
const COUNTED: [[Move; 4]; 4] = [
    [Move::Up, Move::Right, Move::Down, Move::Left],
    [Move::Up, Move::Down, Move::Left, Move::Right],
    [Move::Left, Move::Up, Move::Right, Move::Down],
    [Move::Left, Move::Right, Move::Up, Move::Down],
];

/// A word in the form in which words are compared: lowercase, and `3` for `3.0`.
pub(super) fn normal(word: &str) -> String {
    let word = word.trim().to_lowercase();
    match word.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => {
            whole.to_owned()
        }
        _ => word,
    }
}

/// Whether a word is the name or the letter of a move.
pub(super) fn is_named(word: &str) -> bool {
    !named(word).is_empty()
}

/// The moves that a name or a letter may mean: `d` is down, and right of w a s d.
pub(super) fn named(word: &str) -> Moves {
    let word = normal(word);
    let moves = NAMED
        .iter()
        .flat_map(|names| names.iter().zip(Move::ALL))
        .filter(|(name, _)| **name == word);
    let moves: Vec<Move> = moves.map(|(_, mv)| mv).collect();
    Moves::from_fn(|mv| moves.contains(&mv))
}

/// Whether a word says that there is no move.
pub(super) fn is_none(word: &str) -> bool {
    ["", "-1", "none", "null", "nan"].contains(&&*normal(word))
}

/// Everything that the distinct words of a file, in their normal form, may stand for, the usual first. The error is the
/// place of a word that is no move, and the reason.
pub(super) fn orders(words: &[String]) -> Result<Vec<Order>, (usize, String)> {
    let named = NAMED.iter().filter_map(|names| {
        let mv = |word: &String| {
            Some((
                word.clone(),
                Move::ALL[names.iter().position(|name| name == word)?],
            ))
        };
        words.iter().map(mv).collect::<Option<Order>>()
    });
    let named: Vec<Order> = named.collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let is_number = |word: &String| word.parse::<u32>().is_ok();
    if !words.iter().all(is_number) {
        // The first word decides what the others have to be.
        let is_wrong = |word: &String| {
            if is_named(&words[0]) {
                !is_named(word)
            } else {
                !is_number(word)
            }
        };
        let wrong = words.iter().position(is_wrong).unwrap_or(words.len() - 1);
        return Err((wrong, refusal(&words[wrong])));
    }
    if let Some(fifth) = words.get(4) {
        return Err((
            4,
            format!("{fifth} is a fifth number of a move, but there are four moves"),
        ));
    }

    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let rank = |moves: &[Move]| {
        let counts_from = |first: usize, order: &[Move; 4]| {
            let mut pairs = numbers.iter().zip(moves);
            pairs.all(|(number, &mv)| {
                number
                    .checked_sub(first)
                    .and_then(|number| order.get(number))
                    == Some(&mv)
            })
        };
        let fits = |first: usize| COUNTED.iter().position(|order| counts_from(first, order));
        fits(0).or_else(|| fits(1)).unwrap_or(COUNTED.len())
    };
    let moves = Move::ALL
        .into_iter()
        .permutations(words.len())
        .sorted_by_key(|moves| rank(moves));
    Ok(moves
        .map(|moves| words.iter().cloned().zip(moves).collect())
        .collect())
}

/// The reason why a word is not a move.
pub(super) fn refusal(word: &str) -> String {
    let word = words::quoted(word);
    format!(
        "{word} is not a move: write up, down, left or right, letters (u d l r or w a s d), or four numbers"
    )
}

/// What a word stands for.
pub(super) fn meaning(order: &[(String, Move)], word: &str) -> Option<Move> {
    order.iter().find(|(own, _)| own == word).map(|&(_, mv)| mv)
}

/// `0 is up, 1 is right`. `None` if the words are the names of the moves.
pub(super) fn sentence(order: &[(String, Move)]) -> Option<String> {
    let said: Vec<String> = order
        .iter()
        .sorted()
        .map(|(word, mv)| format!("{word} is {}", mv.name()))
        .collect();
    (!order.iter().all(|(word, mv)| word == mv.name())).then(|| said.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_mean_one_move_and_numbers_any() {
        let words = |text: &str| text.split(' ').map(normal).collect::<Vec<_>>();
        for (text, said) in [
            ("Up LEFT down right", None),
            ("U L D R", Some("d is down, l is left, r is right, u is up")),
            ("w a s d", Some("a is left, d is right, s is down, w is up")),
            ("↑ →", Some("↑ is up, → is right")),
        ] {
            let orders = orders(&words(text)).expect(text);
            assert_eq!(
                (orders.len(), sentence(&orders[0]).as_deref()),
                (1, said),
                "{text}"
            );
        }
        assert_eq!(
            orders(&words("d")).map(|orders| orders.len()),
            Ok(2),
            "down, and right of w a s d"
        );

        for (text, first) in [
            ("3.0 0 1 2", "0 is up, 1 is right, 2 is down, 3 is left"),
            ("4 1 2 3", "1 is up, 2 is right, 3 is down, 4 is left"),
            ("7 9", "7 is up, 9 is down"),
        ] {
            let words = words(text);
            let orders = orders(&words).expect(text);
            let count = if words.len() == 4 { 24 } else { 12 };
            assert_eq!(
                (orders.len(), sentence(&orders[0]).as_deref()),
                (count, Some(first)),
                "{text}"
            );
            assert!(orders.iter().all_unique(), "{text}");
        }

        for (text, at, reason) in [
            ("up 3", 1, "\"3\" is not a move"),
            ("0 x", 1, "\"x\" is not a move"),
            ("u w", 1, "\"w\" is not a move"),
            ("0 1 2 3 4", 4, "4 is a fifth number"),
        ] {
            let (place, error) = orders(&words(text)).expect_err(text);
            assert!(
                place == at && error.starts_with(reason),
                "{text}: {place}: {error}"
            );
        }
    }
}
