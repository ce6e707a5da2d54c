//! The flags of `texts`.

use clap::{Args as ClapArgs, ValueEnum};

use super::values::whole;
use crate::preset::MOST_GAMES;
use crate::task::MOST_THREADS;

#[derive(Debug, ClapArgs)]
#[command(after_help = TEXTS_HELP)]
pub(super) struct TextsArgs {
    /// A text such as Solver, a shipped preset, or a claim such as solver/snake-mean [default: all texts]
    #[arg(required_if_eq("rerun", "true"))]
    pub(super) name: Option<String>,
    /// Measure the claims anew by their presets and commands, instead of using the recorded figures
    #[arg(long)]
    pub(super) rerun: bool,
    /// Games of each strategy, instead of the preset's number
    #[arg(long, value_name = "N", requires = "rerun", allow_negative_numbers = true, value_parser = whole(1, MOST_GAMES))]
    pub(super) games: Option<u64>,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "T", requires = "rerun", allow_negative_numbers = true,
        value_parser = whole(1, MOST_THREADS as u64))]
    pub(super) threads: Option<u64>,
    /// What to print
    #[arg(long, default_value = "text")]
    pub(super) format: TextsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TextsFormat {
    /// A paragraph for each claim
    Text,
    /// A list of objects, one for each claim
    Json,
    /// The section of the user guide
    Markdown,
    /// The figures, as presets/claims/measured.ron records them
    Ron,
}

const TEXTS_HELP: &str = "\
A claim is compatible if our figures are within 10 % of the published number (10 points for a share), or show the order
that it states. It differs if a test says so at 5 %, corrected for all tests of the claim (Holm). Otherwise the games
cannot tell. A claim without a verdict says why. Only the strategies of a claim are played again.";
