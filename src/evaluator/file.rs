//! Evaluators that depend on files or programs: solved tables, networks, learned processes and other programs.
//!
//! An evaluator names its file, but the content determines its play. So the hash of a strategy covers the SHA-256 of
//! each file, and compiling takes a [`Resolver`], which reads the files completely and verifies their checksums.
//!
//! # What if a file cannot be read?
//!
//! [`Evaluator::prove_files`] reports it before anything plays. If a file is damaged, missing or too large for the
//! memory later than that, the evaluator has no value, and a request for one aborts the work with an error message
//! ([`crate::task::no_answer`]).

use std::sync::Arc;

use super::{Evaluator, FeaturePolicy, ProcessOf, ProgramSpec};
use crate::kept::{Kept as _, KeptError};
use crate::network::{self, Network};
use crate::process::{self, Process, library::Learnt};
use crate::program::command;
use crate::solve::{self, Table};

/// Reads the files that evaluators refer to. Compiling an evaluator takes a resolver.
pub trait Resolver {
    /// A solved table, read completely and verified.
    fn solved(&self, name: &str) -> Result<Arc<Table>, KeptError>;

    /// A network, read completely and verified.
    fn network(&self, name: &str) -> Result<Arc<Network>, KeptError>;

    /// A process, which may be learned only on first use.
    fn process(&self, process: &ProcessOf) -> Result<Arc<Learnt>, KeptError>;
}

/// Returns this network for every network name, and finds nothing else.
#[derive(Clone, Debug)]
pub struct OneNetwork(pub Arc<Network>);

impl Resolver for OneNetwork {
    fn solved(&self, name: &str) -> Result<Arc<Table>, KeptError> {
        NoFiles.solved(name)
    }

    fn network(&self, _name: &str) -> Result<Arc<Network>, KeptError> {
        Ok(self.0.clone())
    }

    fn process(&self, process: &ProcessOf) -> Result<Arc<Learnt>, KeptError> {
        NoFiles.process(process)
    }
}

/// Finds nothing: for evaluators without files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn solved(&self, name: &str) -> Result<Arc<Table>, KeptError> {
        Err(KeptError::Missing {
            kind: Table::KIND,
            name: name.to_owned(),
        })
    }

    fn network(&self, name: &str) -> Result<Arc<Network>, KeptError> {
        Err(KeptError::Missing {
            kind: Network::KIND,
            name: name.to_owned(),
        })
    }

    fn process(&self, process: &ProcessOf) -> Result<Arc<Learnt>, KeptError> {
        match process {
            ProcessOf::Kept(name) => Err(KeptError::Missing {
                kind: Process::KIND,
                name: name.clone(),
            }),
            ProcessOf::Learnt(spec) => Ok(process::library::made(spec)),
        }
    }
}

/// Finds the user's own files by name, and any file by path.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnFiles;

impl Resolver for OwnFiles {
    fn solved(&self, name: &str) -> Result<Arc<Table>, KeptError> {
        solve::library::table(name)
    }

    fn network(&self, name: &str) -> Result<Arc<Network>, KeptError> {
        network::library::network(name)
    }

    fn process(&self, process: &ProcessOf) -> Result<Arc<Learnt>, KeptError> {
        match process {
            ProcessOf::Kept(name) => Ok(Arc::new(Learnt::ready(process::library::process(name)?))),
            ProcessOf::Learnt(_) => NoFiles.process(process),
        }
    }
}

/// A file that an evaluator reads, by name or path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reads<'a> {
    Solved(&'a str),
    Network(&'a str),
    Process(&'a str),
    /// A command, with the files that it names.
    Program(&'a ProgramSpec),
}

impl<'a> Reads<'a> {
    /// The kind of file.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Solved(_) => "solved table",
            Self::Network(_) => "network",
            Self::Process(_) => "process",
            Self::Program(_) => "program",
        }
    }

    /// Its name, its path or the command.
    pub fn name(self) -> String {
        match self {
            Self::Solved(name) | Self::Network(name) | Self::Process(name) => name.to_owned(),
            Self::Program(program) => command::written(&program.command),
        }
    }

    /// SHA-256 of the file, or of a command with its files, in hexadecimal digits.
    pub fn sha256(self) -> Result<String, KeptError> {
        match self {
            Self::Solved(name) => Ok(solve::library::info(name)?.sha256),
            Self::Network(name) => Ok(network::library::info(name)?.sha256),
            Self::Process(name) => Ok(process::library::info(name)?.sha256),
            Self::Program(program) => Ok(command::digest(&program.command)),
        }
    }

    /// Verifies the checksum of the file, unless that was done since its last change. A program has none.
    fn prove(self) -> Result<(), KeptError> {
        match self {
            Self::Solved(name) => solve::library::prove(name),
            Self::Network(name) => network::library::prove(name),
            Self::Process(name) => process::library::prove(name),
            Self::Program(_) => Ok(()),
        }
    }

    /// The same hash without waiting for large files of commands ([`command::digest_for_now`]).
    fn sha256_for_now(self) -> Result<String, KeptError> {
        match self {
            Self::Program(program) => Ok(command::digest_for_now(&program.command)),
            Self::Solved(_) | Self::Network(_) | Self::Process(_) => self.sha256(),
        }
    }
}

impl Evaluator {
    /// The files that it reads, in order.
    pub fn files(&self) -> Vec<Reads<'_>> {
        match self {
            Self::Solved(name) => vec![Reads::Solved(name)],
            Self::Network(name) => vec![Reads::Network(name)],
            Self::Policy(FeaturePolicy {
                of: ProcessOf::Kept(name),
                ..
            }) => vec![Reads::Process(name)],
            Self::Program(program) => vec![Reads::Program(program)],
            Self::Sum(terms) => terms.iter().flat_map(|(_, term)| term.files()).collect(),
            Self::Product(one, other) => [one.files(), other.files()].concat(),
            _ => Vec::new(),
        }
    }

    /// Reads all its files and verifies their checksums, as required before it evaluates. Files that were verified and
    /// have not changed since are not read again.
    pub fn prove_files(&self) -> Result<(), KeptError> {
        self.files().into_iter().try_for_each(Reads::prove)
    }

    /// The programs that it uses, in order.
    pub fn programs(&self) -> Vec<&ProgramSpec> {
        let program = |reads| {
            if let Reads::Program(program) = reads {
                Some(program)
            } else {
                None
            }
        };
        self.files().into_iter().filter_map(program).collect()
    }

    /// The policies in it, in order.
    pub fn policies(&self) -> Vec<&FeaturePolicy> {
        match self {
            Self::Policy(policy) => vec![policy],
            Self::Sum(terms) => terms.iter().flat_map(|(_, term)| term.policies()).collect(),
            Self::Product(one, other) => [one.policies(), other.policies()].concat(),
            _ => Vec::new(),
        }
    }

    /// SHA-256 of each file that it reads, in hexadecimal digits. Empty for a file that cannot be read. If `waits` is
    /// false, does not wait for large files.
    pub(crate) fn digests(&self, waits: bool) -> impl Iterator<Item = String> {
        let sha256 = if waits {
            Reads::sha256
        } else {
            Reads::sha256_for_now
        };
        self.files()
            .into_iter()
            .map(move |file| sha256(file).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::path::Path;

    use super::*;
    use crate::evaluator::PolicyBy;
    use crate::game::{Board, Rules, Seed, Size};
    use crate::network::{Encoding, NetworkInfo, Shape};
    use crate::process::ProcessSpec;
    use crate::search::SearchOptions;
    use crate::solve::{Goal, Question};
    use crate::strategy::{Criterion, Player, Strategy};
    use crate::task::{Control, NoAnswer};

    type Named = fn(String) -> Evaluator;

    /// A kind of file with a sample, and boards that its evaluator can evaluate.
    struct Sample {
        ending: &'static str,
        bytes: Vec<u8>,
        evaluator: Named,
        boards: Vec<Board>,
    }

    fn boards(texts: &[&str]) -> Vec<Board> {
        texts
            .iter()
            .map(|text| text.parse().expect("a board"))
            .collect()
    }

    fn network() -> Network {
        let shape: Shape = "012 5a".parse().expect("a shape");
        let weights = (0..shape.weights())
            .map(|place| (place * 37 % 1009) as f32 / 8.0 + 1.0)
            .collect();
        Network::new(NetworkInfo::of(shape, None, Vec::new()), weights)
    }

    fn samples(folder: &Path) -> Vec<Sample> {
        let path = folder.join("sample");
        let bytes = || std::fs::read(&path).expect("written");
        let usual = boards(&[
            "2,4,8,16/0,0,2,0/0,0,0,0/0,0,0,2",
            "2,2,4,8/0,16,16,2/4,0,0,64/2,4,8,128",
        ]);
        let as_network: Named = Evaluator::Network;
        let sample = |ending, evaluator, bytes, boards: &[Board]| Sample {
            ending,
            bytes,
            evaluator,
            boards: boards.to_vec(),
        };
        let mut all = Vec::new();
        for encoding in [Encoding::Whole, network().steps()] {
            network().write(&path, encoding).expect("writable");
            all.push(sample("net", as_network, bytes(), &usual));
        }

        let question = Question {
            size: "2x2".parse().expect("a size"),
            p4: 0.1,
            goal: Goal::Score,
        };
        question
            .solve(1, &Control::default())
            .expect("solved")
            .table
            .write(&path)
            .expect("writable");
        all.push(sample(
            "solved",
            Evaluator::Solved,
            bytes(),
            &boards(&["0,2/4,0", "2,0/0,8"]),
        ));
        let spec = ProcessSpec {
            games: 3,
            ..ProcessSpec::USUAL
        };
        spec.learn(None, 1, &Control::default())
            .expect("learnt")
            .write(&path)
            .expect("writable");
        let as_policy: Named = |name| {
            Evaluator::Policy(FeaturePolicy {
                of: ProcessOf::Kept(name),
                by: PolicyBy::After,
            })
        };
        all.push(sample("process", as_policy, bytes(), &usual));
        all
    }

    /// The values of an evaluator on boards, alone and in the games of a player, whether or not its file was verified
    /// before.
    fn values(evaluator: &Evaluator, boards: &[Board]) -> Result<Vec<u64>, String> {
        let criteria = vec![Criterion::one_ply(evaluator.clone())];
        let strategy = Strategy {
            criteria,
            ..Strategy::default()
        };
        let work = || {
            let mut found: Vec<u64> = boards
                .iter()
                .map(|board| evaluator.evaluate(board, 100).to_bits())
                .collect();
            let player = Player::new(
                &strategy,
                Rules {
                    size: boards[0].size(),
                    ..Rules::default()
                },
            );
            let played = player.play(&Seed(1).game(0), SearchOptions::default(), &mut ());
            found.push(u64::from(played.score));
            found
        };
        catch_unwind(AssertUnwindSafe(work)).map_err(|left| match left.downcast::<NoAnswer>() {
            Ok(no_answer) => no_answer.0,
            Err(_) => panic!("a panic is no sentence"),
        })
    }

    /// Damaged versions of a file: flipped bits at many places, and cut off at many lengths.
    fn damaged(whole: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> {
        let flipped = move |place: usize| {
            let mut bytes = whole.to_vec();
            bytes[place] ^= 1 << (place % 8);
            (format!("bit of byte {place}"), bytes)
        };
        let cut = move |length: usize| (format!("first {length} bytes"), whole[..length].to_vec());
        let step = (whole.len() / 150).max(1);
        let ends = [
            0,
            1,
            20,
            whole.len() - 33,
            whole.len() - 32,
            whole.len() - 1,
        ];
        (0..whole.len())
            .step_by(step)
            .map(flipped)
            .chain((0..whole.len()).step_by(3 * step).chain(ends).map(cut))
    }

    #[test]
    fn a_damaged_file_gives_a_sentence_or_the_same_values() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut number = 0;
        for Sample {
            ending,
            bytes: whole,
            evaluator,
            boards,
        } in samples(folder.path())
        {
            // A new name each time: two files with the same length and time look unchanged.
            let mut evaluator_of = |bytes: &[u8]| {
                number += 1;
                let path = folder.path().join(format!("{number}.{ending}"));
                std::fs::write(&path, bytes).expect("writable");
                evaluator(path.to_str().expect("UTF-8").to_owned())
            };

            let sound = evaluator_of(&whole);
            let expected = values(&sound, &boards).expect("sound");
            assert_eq!(
                (sound.check(boards[0].size()), sound.prove_files()),
                (Ok(()), Ok(()))
            );

            for (what, bytes) in damaged(&whole) {
                let one = evaluator_of(&bytes);
                let found = values(&one, &boards);
                let proved = one.prove_files();
                match found {
                    Ok(found) => assert_eq!(
                        (found, proved),
                        (expected.clone(), Ok(())),
                        "{ending}, {what}"
                    ),
                    Err(sentence) => {
                        assert!(
                            sentence.contains(&format!(".{ending}: ")) && !sentence.contains('\n'),
                            "{sentence}"
                        );
                        assert_eq!(
                            proved.map_err(|error| error.to_string()),
                            Err(sentence),
                            "{ending}, {what}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_in_use_stays_as_it_was_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.net");
        network().write(&path, Encoding::Whole).expect("writable");
        let evaluator = Evaluator::Network(path.to_str().expect("UTF-8").to_owned());
        let strategy = Strategy {
            criteria: vec![Criterion::one_ply(evaluator.clone())],
            ..Strategy::default()
        };
        let player = Player::new(&strategy, Rules::default());
        let play =
            |player: &Player| player.play(&Seed(1).game(0), SearchOptions::default(), &mut ());
        let before = play(&player);
        std::fs::remove_file(&path).expect("removed");
        assert_eq!(play(&player), before);
        // A player that starts now has no values.
        let gone = Player::new(&strategy, Rules::default());
        assert!(gone.problem().is_some_and(|problem| {
            problem
                .to_string()
                .contains("one.net: there is no such file")
        }));
        assert!(
            catch_unwind(AssertUnwindSafe(|| play(&gone))).is_err_and(|left| left.is::<NoAnswer>())
        );
        assert!(evaluator.check(Size::FOUR).is_err());
    }
}
