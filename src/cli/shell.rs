//! Completions for a shell, and pages of the manual, as packages ship them: both are made from the flags themselves.

use std::io::Write;

use clap::{Command, CommandFactory as _};

use super::Failure;
use super::args::{Args, CompletionsArgs, ManualArgs};
use crate::files::{self, WriteError};

fn described() -> Command {
    Args::command().name("afterstate")
}

pub(super) fn completions(args: &CompletionsArgs, out: &mut impl Write) -> Result<(), Failure> {
    // The generator panics if its output fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut described(), "afterstate", &mut script);
    Ok(out.write_all(&script)?)
}

pub(super) fn manual(args: &ManualArgs, out: &mut impl Write) -> Result<(), Failure> {
    files::make_folder(&args.folder)?;
    clap_mangen::generate_to(described(), &args.folder).map_err(|source| WriteError::File {
        path: args.folder.clone(),
        source,
    })?;
    writeln!(out, "{}", args.folder.join("afterstate.1").display())?;
    Ok(())
}
