//! Values that an evaluator keeps in a file, has to compute first or asks for: solved tables, networks, learnt processes and other
//! programs.
//!
//! An evaluator names its file; what it plays by is the content. So the hash of a strategy covers the SHA-256 of each file, and
//! compiling takes a [`Resolver`], which finds them.

use std::sync::Arc;

use super::{Evaluator, FeaturePolicy, ProcessOf, ProgramSpec};
use crate::kept::KeptError;
use crate::network::{self, Network};
use crate::process;
use crate::process::library::Learnt;
use crate::program::command;
use crate::solve::{self, Table};

/// Finds the files that evaluators refer to. Compiling an evaluator takes one.
pub trait Resolver {
    /// A solved table; `None` where there is none, which checking a strategy tells before it plays.
    fn solved(&self, name: &str) -> Option<Arc<Table>>;

    /// The same of a network.
    fn network(&self, name: &str) -> Option<Arc<Network>>;

    /// A process, or what will be one when it is first asked.
    fn process(&self, of: &ProcessOf) -> Option<Arc<Learnt>>;
}

/// Takes one network for whatever network is named, and finds nothing else.
#[derive(Clone, Debug)]
pub struct OneNetwork(pub Arc<Network>);

impl Resolver for OneNetwork {
    fn solved(&self, name: &str) -> Option<Arc<Table>> {
        NoFiles.solved(name)
    }

    fn network(&self, _name: &str) -> Option<Arc<Network>> {
        Some(self.0.clone())
    }

    fn process(&self, of: &ProcessOf) -> Option<Arc<Learnt>> {
        NoFiles.process(of)
    }
}

/// Finds nothing: for evaluators that are all there is to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn solved(&self, _name: &str) -> Option<Arc<Table>> {
        None
    }

    fn network(&self, _name: &str) -> Option<Arc<Network>> {
        None
    }

    fn process(&self, of: &ProcessOf) -> Option<Arc<Learnt>> {
        match of {
            ProcessOf::Kept(_) => None,
            ProcessOf::Learnt(spec) => Some(process::library::made(spec)),
        }
    }
}

/// Finds the user's own files by their names, and any by their paths.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnFiles;

impl Resolver for OwnFiles {
    fn solved(&self, name: &str) -> Option<Arc<Table>> {
        solve::library::table(name).ok()
    }

    fn network(&self, name: &str) -> Option<Arc<Network>> {
        network::library::network(name).ok()
    }

    fn process(&self, of: &ProcessOf) -> Option<Arc<Learnt>> {
        match of {
            ProcessOf::Kept(name) => process::library::process(name).ok().map(|kept| Arc::new(Learnt::ready(kept))),
            ProcessOf::Learnt(_) => NoFiles.process(of),
        }
    }
}

/// A file that an evaluator reads, by its name or path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reads<'a> {
    Solved(&'a str),
    Network(&'a str),
    Process(&'a str),
    /// A command, with the files that it names.
    Program(&'a ProgramSpec),
}

impl<'a> Reads<'a> {
    /// What kind of file it is.
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

    /// The same without waiting for large files of commands ([`command::digest_for_now`]).
    fn sha256_for_now(self) -> Result<String, KeptError> {
        match self {
            Self::Program(program) => Ok(command::digest_for_now(&program.command)),
            Self::Solved(_) | Self::Network(_) | Self::Process(_) => self.sha256(),
        }
    }
}

impl Evaluator {
    /// The files that it reads, one after the other.
    pub fn files(&self) -> Vec<Reads<'_>> {
        match self {
            Self::Solved(name) => vec![Reads::Solved(name)],
            Self::Network(name) => vec![Reads::Network(name)],
            Self::Policy(FeaturePolicy { of: ProcessOf::Kept(name), .. }) => vec![Reads::Process(name)],
            Self::Program(program) => vec![Reads::Program(program)],
            Self::Sum(terms) => terms.iter().flat_map(|(_, term)| term.files()).collect(),
            Self::Product(one, other) => [one.files(), other.files()].concat(),
            _ => Vec::new(),
        }
    }

    /// The programs that it asks, one after the other.
    pub fn programs(&self) -> Vec<&ProgramSpec> {
        let program = |reads| if let Reads::Program(program) = reads { Some(program) } else { None };
        self.files().into_iter().filter_map(program).collect()
    }

    /// The policies in it, one after the other.
    pub fn policies(&self) -> Vec<&FeaturePolicy> {
        match self {
            Self::Policy(policy) => vec![policy],
            Self::Sum(terms) => terms.iter().flat_map(|(_, term)| term.policies()).collect(),
            Self::Product(one, other) => [one.policies(), other.policies()].concat(),
            _ => Vec::new(),
        }
    }

    /// SHA-256 of each file that it reads, in hexadecimal digits; empty where there is none. `waits` for large files, or takes what
    /// there is for now.
    pub(crate) fn digests(&self, waits: bool) -> impl Iterator<Item = String> {
        let sha256 = if waits { Reads::sha256 } else { Reads::sha256_for_now };
        self.files().into_iter().map(move |file| sha256(file).unwrap_or_default())
    }
}
