//! `strategies`: every composition of some letters (Algorithm 3 of Kohler, Migler and Khosmood).

use std::io::Write;

use super::Failure;
use super::args::{Format, StrategiesArgs};
use crate::strategy::{Strategy, compositions};

pub(super) fn strategies(args: &StrategiesArgs, out: &mut impl Write) -> Result<(), Failure> {
    let all = compositions(&args.letters).map_err(|error| Failure::usage(format!("--letters: {error}")))?;
    let letters: Vec<String> = all.iter().map(Strategy::label).collect();
    match args.format {
        Format::Json => {
            serde_json::to_writer(&mut *out, &letters)?;
            writeln!(out)?;
        }
        Format::Text => {
            for word in letters {
                writeln!(out, "{word}")?;
            }
        }
    }
    Ok(())
}
