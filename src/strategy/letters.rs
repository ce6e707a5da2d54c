//! Compositions by their letters: `emr` is Empty, then Monotonicity, then Random.
//!
//! `g` Score, `e` Empty, `u` Uniformity, `m` Monotonicity; `r` at the end is the last resort `Random`, and letters
//! without it end in `First`. Kohler, Migler and Khosmood 2019.
//!
//! Their Algorithm 3 lists compositions: permute the letters, cut off each permutation after `r`, drop duplicates. With
//! k letters in addition to `r` that gives Σ k!/(k−j)! strategies over j from 0 to k: 65 for five letters.

use itertools::Itertools as _;

use super::{Criterion, LastResort, Strategy};
use crate::evaluator::Evaluator;
use crate::words;

/// Words and letters are quoted for display.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLettersError {
    #[error("a composition needs at least one of the letters g, e, u, m, r")]
    Nothing,
    #[error("letter {position} of {word} is {letter}: write compositions with g, e, u, m and r")]
    Unknown {
        word: String,
        letter: String,
        position: usize,
    },
    #[error("{word} has the letter {letter} twice: leave one out, it has no effect")]
    Repeated { word: String, letter: char },
    #[error("{word} has r before other letters: Random decides every tie, so it must be last")]
    AfterRandom { word: String },
}

/// The evaluator of a letter. `None` for `r` and for other letters.
fn evaluator(letter: char) -> Option<Evaluator> {
    Evaluator::palette()
        .into_iter()
        .find(|evaluator| evaluator.facts().letter == Some(letter))
}

/// A row for each letter except `r`, wherever it is.
fn rows(letters: &str) -> Result<Vec<Criterion>, ParseLettersError> {
    let word = || words::quoted(letters);
    if letters.is_empty() {
        return Err(ParseLettersError::Nothing);
    }
    let mut rows = Vec::new();
    for (index, (at, letter)) in letters.char_indices().enumerate() {
        let evaluator = evaluator(letter);
        if letter != 'r' && evaluator.is_none() {
            let letter = words::quoted(&letter.to_string());
            return Err(ParseLettersError::Unknown {
                word: word(),
                letter,
                position: index + 1,
            });
        }
        if letters[..at].contains(letter) {
            return Err(ParseLettersError::Repeated {
                word: word(),
                letter,
            });
        }
        rows.extend(evaluator.map(Criterion::one_ply));
    }

    Ok(rows)
}

impl Strategy {
    /// A fast and fairly good composition, for positions of all phases of a game.
    pub(crate) fn shallow() -> Self {
        Self::from_letters("em").unwrap_or_else(|_| unreachable!("e and m are letters"))
    }

    pub fn from_letters(letters: &str) -> Result<Self, ParseLettersError> {
        let criteria = rows(letters)?;
        let last_resort = match letters.chars().position(|letter| letter == 'r') {
            None => LastResort::First,
            Some(place) if place == criteria.len() => LastResort::Random,
            Some(_) => {
                return Err(ParseLettersError::AfterRandom {
                    word: words::quoted(letters),
                });
            }
        };
        Ok(Self {
            name: letters.to_owned(),
            criteria,
            last_resort,
            ..Self::default()
        })
    }

    /// The letters of a composition. `None` if a row is not plainly one ply of `g`, `e`, `u`, `m`, or occurs twice.
    pub fn letters(&self) -> Option<String> {
        let mut letters = String::new();
        for criterion in &self.criteria {
            let one = criterion.evaluator.facts().letter?;
            if *criterion != Criterion::one_ply(criterion.evaluator.clone())
                || letters.contains(one)
            {
                return None;
            }
            letters.push(one);
        }
        match self.last_resort {
            LastResort::Random => letters.push('r'),
            LastResort::First if letters.is_empty() => return None,
            LastResort::First => {}
            LastResort::FirstOf(_) => return None,
        }
        Some(letters)
    }
}

/// Why a set of letters has no compositions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    #[error(transparent)]
    Letters(#[from] ParseLettersError),
    #[error("the letters {0} lack r: every composition of Algorithm 3 ends with Random")]
    NoTerminal(String),
    #[error("{0} is there twice: leave one out, it has no effect")]
    Repeated(String),
    #[error("{evaluators} evaluators have too many orders: name at most {MOST_COMPOSED}")]
    TooMany { evaluators: usize },
}

/// The most evaluators that are composed: six have 1,957 orders of some of them, seven 13,700.
const MOST_COMPOSED: usize = 6;

/// Algorithm 3 over any evaluators, one ply each: every order of some of them, and then a random choice.
///
/// Shorter strategies come first, then the order of the evaluators counts. Those with letters are called by them.
pub fn compositions_of(evaluators: &[Evaluator]) -> Result<Vec<Strategy>, CompositionError> {
    let repeated = evaluators
        .iter()
        .enumerate()
        .find(|(at, one)| evaluators[..*at].contains(one));
    if let Some((_, one)) = repeated {
        return Err(CompositionError::Repeated(one.label()));
    }
    if MOST_COMPOSED < evaluators.len() {
        return Err(CompositionError::TooMany {
            evaluators: evaluators.len(),
        });
    }

    let composed = |rows: Vec<&Evaluator>| {
        let criteria = rows
            .iter()
            .map(|&one| Criterion::one_ply(one.clone()))
            .collect();
        let strategy = Strategy {
            criteria,
            last_resort: LastResort::Random,
            ..Strategy::default()
        };
        let name = strategy
            .letters()
            .unwrap_or_else(|| rows.iter().map(|one| one.label()).join(", "));
        Strategy { name, ..strategy }
    };
    Ok((0..=evaluators.len())
        .flat_map(|length| evaluators.iter().permutations(length))
        .map(composed)
        .collect())
}

/// The strategies of Algorithm 3 over these letters, shorter ones first, then in the order of the letters.
pub fn compositions(letters: &str) -> Result<Vec<Strategy>, CompositionError> {
    rows(letters)?;
    let (terminals, others): (String, String) = letters.chars().partition(|&letter| letter == 'r');
    if terminals.is_empty() {
        return Err(CompositionError::NoTerminal(words::quoted(letters)));
    }
    let words = (0..=others.chars().count()).flat_map(|length| others.chars().permutations(length));
    let words = words.map(|word| word.into_iter().chain(['r']).collect::<String>());
    Ok(words
        .map(|word| Strategy::from_letters(&word))
        .collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Algorithm 3 as printed: all permutations, cut off after the terminal evaluator, without duplicates.
    fn as_printed(letters: &str) -> BTreeSet<String> {
        fn permutations(rest: &str) -> Vec<String> {
            if rest.is_empty() {
                return vec![String::new()];
            }
            rest.char_indices()
                .flat_map(|(at, letter)| {
                    let others = format!("{}{}", &rest[..at], &rest[at + 1..]);
                    permutations(&others)
                        .into_iter()
                        .map(move |tail| format!("{letter}{tail}"))
                })
                .collect()
        }
        permutations(letters)
            .iter()
            .map(|word| word[..=word.find('r').expect("terminal")].to_owned())
            .collect()
    }

    #[test]
    fn letters_go_both_ways() {
        for letters in ["r", "emr", "geumr", "em", "u", "mr"] {
            let strategy = Strategy::from_letters(letters).expect(letters);
            assert_eq!(strategy.letters().as_deref(), Some(letters));
        }
        let emr = Strategy::from_letters("emr").expect("letters");
        assert_eq!(emr.criteria[0].evaluator, Evaluator::Empty);
        assert_eq!(emr.criteria[1].evaluator, Evaluator::Monotonicity);
        assert_eq!(emr.last_resort, LastResort::Random);
    }

    #[test]
    fn what_letters_cannot_say_has_none() {
        let mut strategy = Strategy::from_letters("emr").expect("letters");
        strategy.criteria[0].tolerance = 1.0;
        assert_eq!(strategy.letters(), None);
        strategy.criteria[0] = Criterion::one_ply(Evaluator::Inert);
        assert_eq!(strategy.letters(), None);
        strategy.criteria[0] = Criterion::one_ply(Evaluator::Monotonicity);
        assert_eq!(strategy.letters(), None, "a repeated row is no composition");
    }

    #[test]
    fn wrong_words_say_what_is_wrong() {
        for (word, part) in [
            ("", "at least one"),
            ("emx", "letter 3 of \"emx\" is \"x\""),
            ("emrr", "letter r twice"),
            ("eem", "letter e twice"),
            ("erm", "must be last"),
        ] {
            let error = Strategy::from_letters(word).expect_err(word).to_string();
            assert!(error.contains(part), "{word}: {error}");
        }
    }

    #[test]
    fn the_generated_set_is_that_of_the_printed_algorithm() {
        for (letters, count) in [("meugr", 65), ("emr", 5), ("r", 1), ("mr", 2), ("geur", 16)] {
            let generated = compositions(letters).expect(letters);
            let words: BTreeSet<String> = generated
                .iter()
                .map(|strategy| strategy.name.clone())
                .collect();
            assert_eq!(generated.len(), count);
            assert_eq!(words, as_printed(letters), "{letters}");
        }
    }

    #[test]
    fn any_evaluators_are_composed_as_letters_are() {
        let evaluators: Vec<Evaluator> = "meug".chars().filter_map(evaluator).collect();
        assert_eq!(
            compositions_of(&evaluators),
            Ok(compositions("meugr").expect("letters"))
        );

        let two = [Evaluator::Snake, Evaluator::Empty];
        let names: Vec<String> = compositions_of(&two)
            .expect("two")
            .into_iter()
            .map(|one| one.name)
            .collect();
        assert_eq!(names, ["r", "Snake", "er", "Snake, Empty", "Empty, Snake"]);
        let repeated = compositions_of(&[Evaluator::Snake, Evaluator::Snake]);
        assert_eq!(
            repeated,
            Err(CompositionError::Repeated("Snake".to_owned()))
        );
        assert!(compositions_of(&Evaluator::palette()[..7]).is_err());
        let most = compositions_of(&Evaluator::palette()[..MOST_COMPOSED]).expect("at most");
        let different: BTreeSet<&str> = most.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((most.len(), different.len()), (1957, 1957));
    }

    #[test]
    fn sets_without_one_terminal_are_refused() {
        for letters in ["em", "", "emrr", "eemr", "xr"] {
            assert!(compositions(letters).is_err(), "{letters}");
        }
    }
}
