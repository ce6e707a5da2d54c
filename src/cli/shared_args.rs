//! Arguments of several commands: where runs are saved, and what ends one.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::experiment::Runs;
use crate::game::{CellOrder, ReadAs};
use crate::preset::{ParseStopRuleError, StopRule};

#[derive(Debug, ClapArgs)]
pub(super) struct UntilArgs {
    /// Stop early: half-width=2% (of every mean; or in points), sprt=H0..H1[,reach=TILE][,alpha=A][,beta=B] (difference to
    /// the baseline in points), minutes=N; may be given several times; 'all' plays all games
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

/// How to read an ambiguous board.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(super) struct ReadArgs {
    /// Order of the cells in a board given as a 64-bit integer with four bits for each cell
    #[arg(long, value_name = "ORDER")]
    cells: Option<Cells>,
    /// Read the numbers of the board as exponents of tiles: 11 is 2048
    #[arg(long)]
    exponents: bool,
    /// Read a board given as one number as a 64-bit integer in decimal digits
    #[arg(long)]
    decimal: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Cells {
    /// First cell in the lowest four bits: nneonneo, TDL2048+, aszczepanski
    Low,
    /// First cell in the highest four bits: ziap, macroxue, 2048EndgameTablebase; digits in reading order
    High,
}

impl From<ReadArgs> for ReadAs {
    fn from(
        ReadArgs {
            cells,
            exponents,
            decimal,
        }: ReadArgs,
    ) -> Self {
        let cells = cells.map(|cells| match cells {
            Cells::Low => CellOrder::Low,
            Cells::High => CellOrder::High,
        });
        Self {
            cells,
            exponents,
            decimal,
        }
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
    if text == "all" {
        Ok(Until::All)
    } else {
        text.parse().map(Until::Rule)
    }
}
