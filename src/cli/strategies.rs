//! `strategies`: every composition of some letters (Algorithm 3 of Kohler, Migler and Khosmood).

use std::io::Write;

use super::Failure;
use super::args::StrategiesArgs;
use super::table::json_line;
use super::values::Format;
use crate::strategy::{Strategy, compositions};

pub(super) fn strategies(args: &StrategiesArgs, out: &mut impl Write) -> Result<(), Failure> {
    let all = compositions(&args.letters)
        .map_err(|error| Failure::usage(format!("--letters: {error}")))?;
    let letters: Vec<String> = all.iter().map(Strategy::label).collect();
    match args.format {
        Format::Json => Ok(json_line(out, &letters)?),
        Format::Text => letters
            .iter()
            .try_for_each(|word| Ok(writeln!(out, "{word}")?)),
    }
}
