//! Every composition of a set of letters.
//!
//! Kohler, Migler and Khosmood 2019, Algorithm 3: permute all evaluators, cut each permutation off behind its terminal
//! evaluator, keep what is new. Only `r` is terminal. With k other letters that gives Σ k!/(k−j)! strategies over j
//! from 0 to k: 65 for the five letters.

use super::{ParseLettersError, Strategy};
use crate::words;

/// Why a set of letters has no compositions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// The letters themselves are wrong.
    #[error(transparent)]
    Letters(#[from] ParseLettersError),
    #[error(
        "the letters {} lack r: every composition of Algorithm 3 ends in the one terminal evaluator, Random",
        words::quoted(.0)
    )]
    NoTerminal(String),
}

/// The strategies of Algorithm 3 over these letters, shorter ones first, then in the order of the letters given.
///
/// # Errors
///
/// Unknown or repeated letters, and sets without `r`.
pub fn compositions(letters: &str) -> Result<Vec<Strategy>, CompositionError> {
    let others: String = letters.chars().filter(|&letter| letter != 'r').collect();
    if letters.chars().filter(|&letter| letter == 'r').count() != 1 {
        // Refuses repeated letters, among them a second r, in the words of a composition.
        let terminals: String = letters.chars().filter(|&letter| letter == 'r').collect();
        Strategy::from_letters(&format!("{others}{terminals}"))?;
        return Err(CompositionError::NoTerminal(letters.to_owned()));
    }
    Strategy::from_letters(&format!("{others}r"))?;
    let mut words = vec![String::new()];
    let mut all = Vec::new();
    while !words.is_empty() {
        all.extend(words.iter().map(|word| format!("{word}r")));
        words = words
            .iter()
            .flat_map(|word| {
                others.chars().filter(|&letter| !word.contains(letter)).map(move |letter| format!("{word}{letter}"))
            })
            .collect();
    }
    Ok(all.iter().map(|word| Strategy::from_letters(word)).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Algorithm 3 as printed: all permutations, cut off behind the terminal evaluator, without repetitions.
    fn as_printed(letters: &str) -> BTreeSet<String> {
        fn permutations(rest: &str) -> Vec<String> {
            if rest.is_empty() {
                return vec![String::new()];
            }
            rest.char_indices()
                .flat_map(|(at, letter)| {
                    let others = format!("{}{}", &rest[..at], &rest[at + 1..]);
                    permutations(&others).into_iter().map(move |tail| format!("{letter}{tail}"))
                })
                .collect()
        }
        permutations(letters).iter().map(|word| word[..=word.find('r').expect("terminal")].to_owned()).collect()
    }

    #[test]
    fn the_generated_set_is_that_of_the_printed_algorithm() {
        for (letters, count) in [("meugr", 65), ("emr", 5), ("r", 1), ("mr", 2), ("geur", 16)] {
            let generated = compositions(letters).expect(letters);
            let words: BTreeSet<String> = generated.iter().map(|strategy| strategy.name.clone()).collect();
            assert_eq!(generated.len(), count);
            assert_eq!(words, as_printed(letters), "{letters}");
        }
    }

    #[test]
    fn sets_without_one_terminal_are_refused() {
        for letters in ["em", "", "emrr", "eemr", "xr"] {
            assert!(compositions(letters).is_err(), "{letters}");
        }
    }
}
