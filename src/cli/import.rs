//! `import`: games that other programs wrote down, as game records.

use std::io::Write;

use serde::Serialize;

use super::Failure;
use super::game_args::ImportArgs;
use super::table::json_line;
use super::terminal::tell;
use super::values::Format;
use crate::files::{self, LARGEST_FILE};
use crate::game::Imported;
use crate::preset::TextKind;
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
    for note in &imported.notes {
        tell(&format!("{}: {note}", args.file.display()));
    }
    let record = imported.record.to_string();
    if let Some(folder) = &args.out {
        files::make_folder(folder)?;
        let name = words::one_line(&files::name_of(&args.file));
        let copy = folder.join(&name);
        if copy.exists() && files::read_bytes(&copy, LARGEST_FILE)? != bytes {
            return Err(Failure::could(format!(
                "{}: another file of this name was imported here: rename one, or give another folder with --out",
                copy.display()
            )));
        }
        // The game stands beside what it was read from, byte by byte as it was.
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
    notes: &'a [String],
    record: &'a str,
}
