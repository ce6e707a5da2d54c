//! Strategies as text and hash.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::Digest as _;

use super::{Criterion, LastResort, ParseLettersError, Strategy, policy};
use crate::evaluator::{Evaluator, ProgramSpec, Reads};
use crate::files::Sha256;
use crate::program::{ProgramError, command, may_wait};
use crate::ron_text::{self, Mistake};

/// Longer lines are broken.
const LONGEST_LINE: usize = 92;
const INDENT: &str = "        ";
const ROW: &str = "        (";

/// The first 64 bits of the SHA-256 of its text without name, note and parent, and of the files that it reads. Shown as
/// seven digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StrategyHash(pub u64);

impl StrategyHash {
    fn of(digest: [u8; 32]) -> Self {
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self(u64::from_be_bytes(first))
    }
}

impl fmt::Display for StrategyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:07x}", self.0 >> 36))
    }
}

impl Serialize for StrategyHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for StrategyHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = Some(&text)
            .filter(|text| text.len() == 16 && text.chars().all(|digit| digit.is_ascii_hexdigit()));
        digits
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .map(Self)
            .ok_or_else(|| {
                let text = crate::words::quoted(&text);
                de::Error::custom(format!(
                    "{text} is not the hash of a strategy: write its 16 hexadecimal digits"
                ))
            })
    }
}

impl Strategy {
    /// The hash of its play; name, note and parent do not count. On a thread that [must not wait](may_wait), it is
    /// provisional until the large files of a command [were read](Self::is_read).
    pub fn hash(&self) -> StrategyHash {
        StrategyHash::of(self.digest(may_wait()))
    }

    /// The [`hash`](Self::hash) of all its files, however long that takes, for files on disk.
    pub fn hash_of_files(&self) -> StrategyHash {
        StrategyHash::of(self.digest(true))
    }

    /// The full SHA-256; [`hash_of_files`](Self::hash_of_files) is its start. It identifies a strategy in files on disk.
    pub fn sha256(&self) -> Sha256 {
        self.digest(true).into()
    }

    /// Whether a SHA-256 belongs to this strategy, given its recorded text and the digests of its files. Reads no file.
    /// An earlier version may have written other defaults; then it is compared with the recorded text. `None` if a
    /// digest was not recorded.
    pub fn has_sha256(
        &self,
        sha256: Sha256,
        text: &str,
        recorded: &dyn Fn(Reads<'_>) -> Option<String>,
    ) -> Option<bool> {
        let of_files = |evaluator: &Evaluator| {
            evaluator
                .files()
                .into_iter()
                .map(recorded)
                .collect::<Vec<_>>()
        };
        let digests = self
            .digests(&of_files)
            .into_iter()
            .collect::<Option<Vec<_>>>()?;
        let is_of = |text: &str| Sha256::from(digest_of(text, &digests)) == sha256;
        Some(
            is_of(&self.nameless().to_string())
                || self.without_name(text).is_some_and(|text| is_of(&text)),
        )
    }

    /// A recorded text without name, note and parent.
    fn without_name(&self, text: &str) -> Option<String> {
        let unnamed = Self {
            criteria: Vec::new(),
            last_resort: LastResort::default(),
            rollout: None,
            ..self.clone()
        };
        let [own, none] = [&unnamed, &Self::default()].map(ToString::to_string);
        let (start, rest) = none.split_once('(')?;
        let named = own.strip_suffix(rest)?;
        Some(format!("{start}({}", text.strip_prefix(named)?))
    }

    /// Whether [`hash`](Self::hash) is the same on every thread.
    pub fn is_read(&self) -> bool {
        let judge = self
            .rollout
            .as_ref()
            .and_then(|rollout| rollout.judge.as_ref());
        let is_read = |row: &Criterion| {
            let policy = policy::policy_of(&row.lookahead)
                .and_then(Result::ok)
                .filter(policy::plays_on);
            let mut programs = row.evaluator.programs().into_iter();
            programs.all(|program| command::is_read(&program.command))
                && policy.iter().all(Self::is_read)
        };
        self.criteria.iter().chain(judge).all(is_read)
    }

    fn digest(&self, waits: bool) -> [u8; 32] {
        digest_of(
            &self.nameless().to_string(),
            &self.digests(&|evaluator| evaluator.digests(waits).collect()),
        )
    }

    /// A copy without the parts that have no influence on play.
    fn nameless(&self) -> Self {
        let (criteria, rollout) = (self.criteria.clone(), self.rollout.clone());
        Self {
            criteria,
            last_resort: self.last_resort,
            rollout,
            ..Self::default()
        }
    }

    /// The programs that it uses: those of active rows, of their playouts and of its judge.
    pub fn programs(&self) -> Vec<ProgramSpec> {
        let judge = self
            .rollout
            .as_ref()
            .and_then(|rollout| rollout.judge.as_ref());
        self.criteria
            .iter()
            .chain(judge)
            .flat_map(Criterion::programs)
            .collect()
    }

    /// Returns an error if one of its programs may not run here.
    pub fn check_allowed(&self) -> Result<(), ProgramError> {
        self.programs()
            .iter()
            .try_for_each(ProgramSpec::check_allowed)
    }

    /// Maps the files of its rows and its judge, each followed by the files of the policies of their playouts.
    fn digests<T>(&self, of_files: &dyn Fn(&Evaluator) -> Vec<T>) -> Vec<T> {
        let of_row = |row: &Criterion| {
            let policy = policy::policy_of(&row.lookahead)
                .and_then(Result::ok)
                .filter(policy::plays_on);
            let of_policy = policy.iter().flat_map(|policy| policy.digests(of_files));
            of_files(&row.evaluator)
                .into_iter()
                .chain(of_policy)
                .collect::<Vec<_>>()
        };
        let judge = self
            .rollout
            .as_ref()
            .and_then(|rollout| rollout.judge.as_ref());
        self.criteria.iter().chain(judge).flat_map(of_row).collect()
    }

    /// Reads the same text as [`FromStr`], and reports the position of an error. Lines and columns are those of the
    /// whole text.
    pub fn read_at(text: &str) -> Result<Self, Mistake> {
        if text.contains('(') {
            return ron_text::read(text);
        }
        let blanks = &text[..text.len() - text.trim_start().len()];
        let line = blanks.matches('\n').count() + 1;
        let column = blanks.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Self::from_letters(text.trim()).map_err(|error| Mistake {
            line,
            column,
            reason: error.to_string(),
        })
    }

    /// The text with one row per line. A longer row has each field on its own line.
    pub fn pretty(&self) -> String {
        // A plain tree of numbers and words always has a text.
        let Ok(text) = ron_text::pretty(self, 2) else {
            return self.to_string();
        };
        let mut rows = self.criteria.iter();
        let mut in_rows = false;
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                in_rows = (in_rows || line == "    criteria: [") && line != "    ],";
                let row = if in_rows && line.starts_with(ROW) {
                    rows.next()
                } else {
                    None
                };
                let broken = row.filter(|_| LONGEST_LINE < line.chars().count());
                let broken = broken.and_then(|row| ron_text::pretty(row, 1).ok());
                broken.map_or_else(
                    || line.to_owned(),
                    |row| format!("{INDENT}{},", row.replace('\n', &format!("\n{INDENT}"))),
                )
            })
            .collect();

        format!("Strategy{}", lines.join("\n"))
    }
}

/// The SHA-256 of a text and of the digests of files. The files of a row that is off do not count, but its text does.
fn digest_of(text: &str, of_files: &[String]) -> [u8; 32] {
    let mut hash = sha2::Sha256::new_with_prefix(text);
    of_files.iter().for_each(|digest| hash.update(digest));
    hash.finalize().into()
}

impl fmt::Display for Strategy {
    /// The RON text on one line, without defaults except the last resort.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Strategy{}",
            crate::ron_text::one_line(self).map_err(|_| fmt::Error)?
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseStrategyError {
    /// A word of letters, but not a composition.
    #[error(transparent)]
    Letters(#[from] ParseLettersError),
    /// RON text with an error.
    #[error("not a strategy: {0}")]
    Ron(#[from] Mistake),
}

impl FromStr for Strategy {
    type Err = ParseStrategyError;

    /// Reads letters (`emr`) or RON (`Strategy(criteria: […], last_resort: Random)`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if !text.contains('(') {
            return Ok(Self::from_letters(text)?);
        }
        Ok(ron_text::read(text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::compositions;

    #[test]
    fn texts_are_those_of_the_documentation() {
        let emr: Strategy = "emr".parse().expect("letters");
        assert_eq!(
            emr.to_string(),
            "Strategy(name: \"emr\", criteria: [(evaluator: Empty), (evaluator: Monotonicity)], last_resort: Random)"
        );
        let text = "Strategy(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), prefer: Higher, tolerance: 0.0)], last_resort: First)";
        let sum: Strategy = text.parse().expect("as in the documentation");
        assert_eq!(
            sum.to_string(),
            "Strategy(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]))], last_resort: First)"
        );
    }

    #[test]
    fn every_text_reads_back_to_an_equal_strategy() {
        for strategy in compositions("meugr").expect("letters") {
            assert_eq!(strategy.to_string().parse(), Ok(strategy.clone()));
            assert_eq!(
                strategy.pretty().parse(),
                Ok(strategy.clone()),
                "{}",
                strategy.pretty()
            );
        }

        // Rows of any length, and a note that looks like a row.
        let row = "(evaluator: Sum([(1, Score), (1, Corner)]), lookahead: Expectimax(plies: Fixed(7), cuts: [Reach(0.01)]))";
        let note = "        (evaluator: Empty, tolerance: 0.123456789123456789), and more so that it is long enough to be broken";
        let text = format!(
            "(note: \"\n    criteria: [\n{note}\n    ],\n\", criteria: [(evaluator: Empty), {row}, {row}])"
        );
        let long: Strategy = text.parse().expect("a strategy");
        assert_eq!(long.pretty().parse(), Ok(long.clone()), "{}", long.pretty());
        assert!(
            long.pretty()
                .contains("\n            lookahead: Expectimax("),
            "{}",
            long.pretty()
        );
        let odd = "(name: \"a \\\"b\\\"\", criteria: [(evaluator: Weights(\"a\"), prefer: Lower, tolerance: 0.5)])";
        let strategy: Strategy = odd.parse().expect("a strategy");
        assert_eq!(strategy.pretty().parse(), Ok(strategy));
    }

    #[test]
    fn the_hash_is_of_what_it_does() {
        let all = compositions("meugr").expect("letters");
        let mut hashes: Vec<_> = all.iter().map(Strategy::hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 65);
        let renamed = Strategy {
            name: "other".to_owned(),
            ..all[7].clone()
        };
        assert_eq!(renamed.hash(), all[7].hash());
    }

    #[test]
    fn a_sha256_is_that_of_the_strategy_or_of_its_recorded_text() {
        let name = r#"name: "a \"b\"", note: "(name: \"x\", )", parent: "0123456789abcdef", "#;
        let text = &format!("Strategy({name}criteria: [(evaluator: Empty)], last_resort: Random)");
        let strategy: Strategy = text.parse().expect("a strategy");
        assert_eq!(&strategy.to_string(), text);
        let has = |sha256, text: &str| strategy.has_sha256(sha256, text, &|_| None);
        assert_eq!(has(strategy.sha256(), text), Some(true));
        assert_eq!(has(Sha256::of("another"), text), Some(false));
        // A default that an earlier version wrote.
        let older = text.replace("Empty)", "Empty, tolerance: 0.0)");
        let sha256 = Sha256::of(
            "Strategy(criteria: [(evaluator: Empty, tolerance: 0.0)], last_resort: Random)",
        );
        assert_eq!(
            (has(sha256, &older), has(sha256, text)),
            (Some(true), Some(false))
        );
        let network: Strategy = "(criteria: [(evaluator: Network(\"reference\"))])"
            .parse()
            .expect("a strategy");
        assert_eq!(
            network.has_sha256(network.sha256(), &network.to_string(), &|_| None),
            None
        );
        assert_eq!(
            network.has_sha256(network.sha256(), "", &|file| file.sha256().ok()),
            Some(true)
        );
    }

    #[test]
    fn the_place_of_a_mistake_is_that_in_the_whole_text() {
        for (text, place) in [
            ("Strategy(\n  critera: []\n)", (2, 3)),
            ("\n\n  (last_resort: Last)", (3, 17)),
            ("(note: \"ä→\", critera: [])", (1, 14)),
            ("\n exr", (2, 2)),
        ] {
            let mistake = Strategy::read_at(text).expect_err(text);
            assert_eq!((mistake.line, mistake.column), place, "{text}: {mistake}");
        }
        let emr = Strategy::from_letters("emr").expect("letters");
        assert_eq!(Strategy::read_at(" emr\n"), Ok(emr.clone()));
        assert_eq!(
            Strategy::read_at(&format!("\n// mine\n{}", emr.pretty())),
            Ok(emr)
        );
    }

    #[test]
    fn mistakes_name_line_and_column() {
        for (text, parts) in [
            (
                "Strategy(criteria: [(evaluator: Emty)])",
                ["line 1, column", "Emty"],
            ),
            ("Strategy(\n  critera: []\n)", ["line 2, column", "critera"]),
            ("Strategy(criteria: [", ["line 1, column", ""]),
        ] {
            let error = text.parse::<Strategy>().expect_err(text).to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
            assert!(!error.contains('\n'));
        }
    }

    #[test]
    fn a_strategy_is_another_one_when_the_table_that_its_playouts_read_is() {
        use crate::solve::{Goal, Question};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("2x2.solved");
        let policy = format!(
            "(criteria: [(evaluator: Solved({:?}))])",
            path.to_str().expect("a path")
        );
        let text = format!(
            "(criteria: [(evaluator: Score, lookahead: MonteCarlo(policy: Strategy({policy:?})))])"
        );
        let strategy: Strategy = text.parse().expect("a strategy");
        let size = "2x2".parse().expect("a size");
        let hashes = [0.1, 0.5].map(|p4| {
            let solution = Question {
                size,
                p4,
                goal: Goal::Score,
            }
            .solve(1, &crate::task::Control::default())
            .expect("a small board");
            solution.table.write(&path).expect("writable");
            assert_eq!(strategy.check(size), Ok(()), "{p4}");
            strategy.hash()
        });
        assert_ne!(hashes[0], hashes[1]);
    }
}
