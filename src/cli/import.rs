//! `import`: games of other programs, converted to game records.

use std::io::Write;

use serde::Serialize;

use super::Failure;
use super::game_args::ImportArgs;
use super::table::json_line;
use super::terminal::tell;
use super::values::Format;
use crate::files::{self, LARGEST_FILE};
use crate::game::{Fours, Imported};
use crate::preset::TextKind;
use crate::prose::fours_sentence;
use crate::words;

pub(super) fn import(args: &ImportArgs, out: &mut impl Write) -> Result<(), Failure> {
    let bytes = files::read_bytes(&args.file, LARGEST_FILE)?;
    let refused = |reason: String| Failure::could(format!("{}: {reason}", args.file.display()));
    if let Ok(text) = std::str::from_utf8(&bytes) {
        match TextKind::of(text) {
            TextKind::Imported | TextKind::Board => {}
            TextKind::Unknown if !text.trim().is_empty() => {}
            kind => return Err(refused(kind.refusal(text, "a game of another program"))),
        }
    }

    let read = Imported::read(&bytes);
    let imported = read.map_err(|error| Failure::could(format!("{}, {error}", args.file.display())))?;
    let imported = match args.p4 {
        Some(p4) => imported.with_p4(p4).map_err(|error| Failure::usage(format!("--p4: {error}")))?,
        None => imported,
    };
    let fours = imported.fours();
    for note in imported.notes.iter().chain([&fours_sentence(&fours)]) {
        tell(&format!("{}: {note}", args.file.display()));
    }
    let record = imported.record.to_string();
    if let Some(folder) = &args.out {
        files::make_folder(folder)?;
        let name = words::one_line(&files::name_of(&args.file));
        let copy = folder.join(&name);
        if copy.exists() && files::read_bytes(&copy, LARGEST_FILE)? != bytes {
            return Err(Failure::could(format!(
                "{}: a different file with this name was imported here: rename one, or give another folder with --out",
                copy.display()
            )));
        }
        // The record is saved next to a copy of its source, unchanged byte by byte.
        files::write(&copy, &bytes)?;
        files::write(&folder.join(format!("{name}.game.txt")), record.as_bytes())?;
    }

    match args.format {
        Format::Text if args.out.is_none() => out.write_all(record.as_bytes())?,
        Format::Text => {
            let moves = words::plural(imported.record.steps.len() as u64, "move");
            writeln!(out, "{}: {}, {moves}", args.file.display(), imported.kind.text())?;
        }
        Format::Json => {
            let end = imported.record.replay();
            json_line(
                out,
                &ImportedJson {
                    kind: imported.kind.text(),
                    moves: imported.record.steps.len(),
                    p4: PFour::of(&fours),
                    score: end.last().map_or(0, |last| last.score),
                    notes: &imported.notes,
                    record: &record,
                },
            )?;
        }
    }

    Ok(out.flush()?)
}

#[derive(Serialize)]
struct ImportedJson<'a> {
    kind: &'static str,
    moves: usize,
    score: u64,
    p4: PFour,
    notes: &'a [String],
    record: &'a str,
}

#[derive(Serialize)]
struct PFour {
    value: f64,
    assumed: bool,
    fours: u64,
    spawns: u64,
    /// The p-value of the binomial test.
    p: Option<f64>,
    agrees: bool,
}

impl PFour {
    fn of(fours: &Fours) -> Self {
        let &Fours { p4, is_assumed, fours: count, spawns, p } = fours;
        Self { value: p4, assumed: is_assumed, fours: count, spawns, p, agrees: !fours.disagrees() }
    }
}
