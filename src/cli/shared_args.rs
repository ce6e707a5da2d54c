//! Arguments of several commands: where runs are saved, and what ends one.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::experiment::Runs;
use crate::preset::{ParseStopRuleError, StopRule};

#[derive(Debug, ClapArgs)]
pub(super) struct UntilArgs {
    /// Stop early: half-width=2% (of every mean; or in points), sprt=H0..H1[,reach=TILE][,alpha=A][,beta=B] (difference to
    /// the baseline in points), minutes=N; may be given several times; all plays all games
    #[arg(long, value_name = "RULE", value_parser = until)]
    pub(super) until: Vec<Until>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct KeptArgs {
    /// Folder of saved runs [default: the data folder of the system]
    #[arg(long, value_name = "DIR")]
    pub(super) runs: Option<PathBuf>,
}

impl KeptArgs {
    pub(super) fn place(&self) -> Option<Runs> {
        self.runs.clone().map(Runs::at).or_else(Runs::of_system)
    }
}

/// What ends a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Until {
    /// All its games, whatever the preset says.
    All,
    Rule(StopRule),
}

fn until(text: &str) -> Result<Until, ParseStopRuleError> {
    if text == "all" { Ok(Until::All) } else { text.parse().map(Until::Rule) }
}
