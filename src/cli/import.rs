//! `import`: games of other programs, converted to game records.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use serde::Serialize;

use super::Failure;
use super::game_args::ImportArgs;
use super::game_file::GameFile;
use super::table::json_line;
use super::terminal::tell;
use super::values::Format;
use crate::files::{self, LARGEST_FILE};
use crate::game::{Fours, Imported, Missing};
use crate::preset::TextKind;
use crate::prose::{fours_sentence, imported_sentence, missing_sentence};
use crate::words;

pub(super) fn import(args: &ImportArgs, out: &mut impl Write) -> Result<(), Failure> {
    let bytes = files::read_bytes(&args.file, LARGEST_FILE)?;
    let mut games = match GameFile::read(&args.file, &bytes)? {
        GameFile::Games(games) => games,
        // As a game it is refused with what is wrong in it.
        GameFile::Text(TextKind::Board, _) | GameFile::Binary(_) => {
            GameFile::games(&args.file, &bytes)?
        }
        GameFile::Text(TextKind::Unknown, text) if !text.trim().is_empty() => {
            GameFile::games(&args.file, &bytes)?
        }
        other => return Err(other.refusal(&args.file, "a game of another program")),
    };
    if let Some(p4) = args.p4 {
        let given = games
            .into_iter()
            .map(|game| game.with_p4(p4))
            .collect::<Result<_, _>>();
        games = given.map_err(|error| Failure::usage(format!("--p4: {error}")))?;
    }
    let chosen = chosen(args, &games)?;
    tell_notes(args, &games, &chosen);

    if let Some(folder) = &args.out {
        save(args, folder, &bytes, &games, &chosen)?;
    }
    match args.format {
        Format::Text if args.out.is_none() => {
            let game = &games[chosen.start];
            out.write_all(game.record.to_string().as_bytes())?;
        }
        Format::Text => writeln!(
            out,
            "{}: {}",
            args.file.display(),
            imported_sentence(&games[chosen])
        )?,
        Format::Json => {
            for number in chosen {
                json_line(out, &ImportedJson::of(&games[number], number + 1))?;
            }
        }
    }

    Ok(out.flush()?)
}

/// The indices of the games to import. A text has one.
fn chosen(args: &ImportArgs, games: &[Imported]) -> Result<Range<usize>, Failure> {
    let count = games.len();
    let refused = |reason: String| Failure::usage(format!("{}: {reason}", args.file.display()));
    match args.game {
        Some(number) if count < number as usize => Err(refused(format!(
            "--game {number}: this file holds {}",
            words::plural(count as u64, "game")
        ))),
        Some(number) => Ok(number as usize - 1..number as usize),
        None if count == 1 || args.out.is_some() || args.format == Format::Json => Ok(0..count),
        None => {
            let count = words::plural(count as u64, "game");
            Err(refused(format!(
                "this file holds {count}: choose one with --game, or write all with --out DIR"
            )))
        }
    }
}

/// Reports what the games lack. A note on all of them is printed once.
fn tell_notes(args: &ImportArgs, games: &[Imported], chosen: &Range<usize>) {
    let file = args.file.display();
    let [first, others @ ..] = &games[chosen.clone()] else {
        return;
    };
    let is_common = |note: &&String| others.iter().all(|game| game.notes.contains(note));
    let common: Vec<&String> = first.notes.iter().filter(is_common).collect();
    for note in &common {
        tell(&format!("{file}: {note}"));
    }
    for number in chosen.clone() {
        for note in games[number]
            .notes
            .iter()
            .filter(|note| !common.contains(note))
        {
            tell(&format!("{file}: game {}: {note}", number + 1));
        }
    }
    let missing = missing_sentence(&first.missing);
    for sentence in missing
        .into_iter()
        .chain([fours_sentence(&first.fours_with(others))])
    {
        tell(&format!("{file}: {sentence}"));
    }
}

/// Writes the records beside a copy of their source, unchanged byte by byte.
fn save(
    args: &ImportArgs,
    folder: &Path,
    bytes: &[u8],
    games: &[Imported],
    chosen: &Range<usize>,
) -> Result<(), Failure> {
    files::make_folder(folder)?;
    let name = words::one_line(&files::name_of(&args.file));
    let copy = folder.join(&name);
    if copy.exists() && files::read_bytes(&copy, LARGEST_FILE)? != bytes {
        return Err(Failure::could(format!(
            "{}: a different file with this name was imported here: rename one, or give another folder with --out",
            copy.display()
        )));
    }
    files::write(&copy, bytes)?;
    for number in chosen.clone() {
        let number_in_name = if games.len() == 1 {
            String::new()
        } else {
            format!(".{}", number + 1)
        };
        let path = folder.join(format!("{name}{number_in_name}.game.txt"));
        files::write(&path, games[number].record.to_string().as_bytes())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct ImportedJson<'a> {
    /// The number of the game in its file, from 1.
    game: usize,
    kind: &'static str,
    moves: usize,
    score: u64,
    p4: PFour,
    notes: &'a [String],
    /// What the file does not state.
    missing: Vec<&'static str>,
    record: String,
}

impl<'a> ImportedJson<'a> {
    fn of(imported: &'a Imported, game: usize) -> Self {
        let missing = imported.missing.iter().map(|missing| match missing {
            Missing::Spawns => "spawns",
            Missing::Score => "score",
            Missing::Seed => "seed",
        });
        Self {
            game,
            kind: imported.kind.text(),
            moves: imported.record.steps.len(),
            score: imported.record.replay().last().map_or(0, |last| last.score),
            p4: PFour::of(&imported.fours()),
            notes: &imported.notes,
            missing: missing.collect(),
            record: imported.record.to_string(),
        }
    }
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
        let &Fours {
            p4,
            is_assumed,
            fours: count,
            spawns,
            p,
        } = fours;
        Self {
            value: p4,
            assumed: is_assumed,
            fours: count,
            spawns,
            p,
            agrees: !fours.disagrees(),
        }
    }
}
