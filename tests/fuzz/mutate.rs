//! The fuzzer: sound texts, what is done to them, and what must hold of a parser.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Texts of a short run.
const FEW: u64 = 2_000;

/// No text takes longer, on a busy machine and without optimisation.
const LONG: Duration = Duration::from_secs(100);

const LONGEST_TEXT: usize = 8_192;

/// Texts that are mutated further.
const MOST_KEPT: usize = 2_000;

/// Ways through a parser that are told apart.
const MOST_OUTCOMES: usize = 100_000;

/// What numbers become.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "2",
    "-1",
    "17",
    "18",
    "26",
    "64",
    "255",
    "256",
    "65536",
    "131072",
    "262144",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "0.1",
    "1.0",
    ".5",
    "1e-320",
    "1e308",
    "1e999",
    "NaN",
    "inf",
    "-inf",
    "0x1F",
    "1_000",
    "٣",
];

/// What is put in.
const WORDS: &[&str] = &[
    "\0",
    "\u{1b}]0;t\u{7}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}2J",
    "\u{a0}",
    "\u{feff}",
    "\u{202e}",
    "\r",
    "\r\n",
    "\n",
    "\t",
    " ",
    "é",
    "漢",
    "👾",
    "\u{fffd}",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "'",
    "\\",
    "\\u{1b}",
    "\\u{d800}",
    "/*",
    "*/",
    "//",
    "r#\"",
    "\"#",
    ",",
    ":",
    ";",
    "/",
    ".",
    "..",
    "|",
    "-",
    "!",
    "=",
    "!=",
    "<=",
    "%",
    "Some(",
    "None",
    "()",
    "true",
    "#![enable(implicit_some)]",
    "version: 1,",
];

/// A parser as the fuzzer sees it: reads a text, checks what it read, and says why it read nothing.
pub(crate) type Target = fn(&str) -> Result<(), String>;

struct Fuzzer {
    random: u64,
    corpus: Vec<String>,
    outcomes: HashSet<String>,
}

/// Tries a parser on mutations of these texts.
pub(crate) fn fuzz(seeds: &[&str], target: Target) {
    let until = std::env::var("AFTERSTATE_FUZZ_SECS").ok().map(|secs| {
        let secs = secs
            .parse()
            .expect("AFTERSTATE_FUZZ_SECS is a number of seconds");
        Instant::now() + Duration::from_secs_f64(secs)
    });
    let random = std::env::var("AFTERSTATE_FUZZ_SEED")
        .map_or(1, |seed| seed.parse().expect("a seed is a number"));
    let corpus: Vec<String> = seeds.iter().map(|&seed| seed.to_owned()).collect();
    let mut fuzzer = Fuzzer {
        random,
        corpus,
        outcomes: HashSet::new(),
    };
    for seed in seeds {
        fuzzer.try_one(seed, target);
    }
    let mut tried = 0;
    while until.map_or(tried < FEW, |until| Instant::now() < until) {
        let text = fuzzer.mutated();
        fuzzer.try_one(&text, target);
        tried += 1;
    }

    println!("{tried} texts, {} outcomes", fuzzer.outcomes.len());
}

impl Fuzzer {
    fn try_one(&mut self, text: &str, target: Target) {
        let begun = Instant::now();
        let Ok(outcome) = catch_unwind(AssertUnwindSafe(|| target(text))) else {
            panic!("the text that did it: {text:?}");
        };
        assert!(
            begun.elapsed() < LONG,
            "it takes {:?}: {text:?}",
            begun.elapsed()
        );
        let reason = outcome.err().unwrap_or_default();
        if !reason.is_empty() {
            let odd = reason.chars().find(|c| c.is_control());
            assert!(
                odd.is_none() && reason.chars().count() < 2_000,
                "{reason:?} is no sentence, of {text:?}"
            );
        }
        // A text that is read in pieces of a new length stands for a new way through the parser, too.
        let kind = if reason.is_empty() {
            format!("read, {}", text.len().max(1).ilog2())
        } else {
            shape(&reason)
        };
        if self.outcomes.len() < MOST_OUTCOMES
            && self.outcomes.insert(kind)
            && self.corpus.len() < MOST_KEPT
        {
            self.corpus.push(text.to_owned());
        }
    }

    /// SplitMix64, as a place below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn mutated(&mut self) -> String {
        let which = self.below(self.corpus.len());
        let mut text: Vec<char> = self.corpus[which].chars().collect();
        for _ in 0..=self.below(4) {
            self.mutate(&mut text);
        }
        text.truncate(LONGEST_TEXT);
        text.into_iter().collect()
    }

    fn mutate(&mut self, text: &mut Vec<char>) {
        let at = self.below(text.len() + 1);
        let length = 1 << self.below(8);
        let length = self.below(length) + 1;
        let end = (at + length).min(text.len());

        match self.below(8) {
            0 => drop(text.splice(at..at, self.one_of(WORDS).chars())),
            1 => drop(text.splice(at..end, self.one_of(WORDS).chars())),
            2 => drop(text.drain(at..end)),
            3 => {
                let times = 1 << self.below(7);
                let piece: Vec<char> = text[at..end]
                    .iter()
                    .copied()
                    .cycle()
                    .take((end - at) * times)
                    .collect();
                drop(text.splice(at..at, piece));
            }
            4 => {
                let other = self.below(self.corpus.len());
                let other: Vec<char> = self.corpus[other].chars().collect();
                let from = self.below(other.len() + 1);
                let to = (from + length).min(other.len());
                drop(text.splice(at..end, other[from..to].iter().copied()));
            }
            5 | 6 => {
                let is_digit = |c: &char| c.is_ascii_digit() || *c == '.';
                let Some(begin) = text
                    .iter()
                    .skip(at)
                    .position(is_digit)
                    .map(|found| at + found)
                else {
                    return;
                };
                let digits = text[begin..].iter().take_while(|c| is_digit(c)).count();
                drop(text.splice(begin..begin + digits, self.one_of(NUMBERS).chars()));
            }
            _ => {
                if let Some(c) = text.get_mut(at) {
                    *c = match self.below(3) {
                        0 if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                        0 => c.to_ascii_uppercase(),
                        1 => char::from_u32(*c as u32 + 1).unwrap_or('0'),
                        _ => char::from_u32((*c as u32).saturating_sub(1)).unwrap_or('0'),
                    };
                }
            }
        }
    }
}

/// A sentence without what it quotes and counts.
fn shape(reason: &str) -> String {
    let before = reason.split('"').next().unwrap_or_default();
    let behind = reason.rsplit('"').next().unwrap_or_default();
    [before, behind]
        .concat()
        .chars()
        .filter(|c| !c.is_ascii_digit())
        .collect()
}
