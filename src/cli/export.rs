//! `export`: games, solved tables and networks as tables for other programs.

use std::io::Write;
use std::path::Path;

use super::Failure;
use super::args::ExportArgs;
use super::game_file::GameFile;
use super::review::{no_such_game, replayed};
use super::table::{create_table, listed};
use super::terminal::tell;
use crate::columns::{Column, Head, Kind, cells, heads};
use crate::experiment::{RunFolder, run_folder};
use crate::export::{GameRows, MOVES, SOLVED, WEIGHTS, solved_rows, weight_rows, write_npy};
use crate::files::{self, LARGEST_FILE};
use crate::game::Record;
use crate::kept::Kept as _;
use crate::network::{self, Network};
use crate::review::{Decider, review_heads};
use crate::solve::{self, Table};
use crate::strategy::{Player, Strategy};
use crate::table::{Cell, Head as Titled};
use crate::words;

pub(super) fn export(args: &ExportArgs, out: &mut impl Write) -> Result<(), Failure> {
    let (Some(what), Some(to)) = (&args.what, &args.out) else {
        return columns(out);
    };
    let runs = args.kept.place();
    let path = runs
        .as_ref()
        .map_or_else(|| what.clone(), |runs| runs.named(what));
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let is_run_flag = args.games.is_some() || args.strategy.is_some();
    let run = run_folder(&path);
    if is_run_flag && run.is_none() {
        let reason =
            "--games and --strategy select games of a run, and this is none: leave them out";
        return Err(Failure::usage(format!("{}: {reason}", path.display())));
    }
    let has_moves = !matches!(
        ending.as_deref(),
        Some(solve::library::ENDING | network::library::ENDING)
    );
    if args.values && run.is_none() && !has_moves {
        let reason = "--values computes values of moves, and this has none: leave it out";
        return Err(Failure::usage(format!("{}: {reason}", path.display())));
    }
    files::check_place(to)?;
    let rows = match (run, ending.as_deref()) {
        (Some(folder), _) => run_table(args, &RunFolder::open(folder)?, to)?,
        (None, Some(solve::library::ENDING)) => {
            let table = Table::read(&path)?;
            write_rows(SOLVED, to, solved_rows(&table))?
        }
        (None, Some(network::library::ENDING)) => {
            let network = Network::read(&path)?;
            if to
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
            {
                write_npy(&network, to)?;
                network.weights().len() as u64
            } else {
                write_rows(WEIGHTS, to, weight_rows(&network))?
            }
        }
        (None, _) => game_table(args, &path, to)?,
    };
    tell(&format!("{}: {}", to.display(), words::plural(rows, "row")));
    Ok(out.flush()?)
}

/// Prints the columns of all tables.
fn columns(out: &mut impl Write) -> Result<(), Failure> {
    let tables: [(&str, Vec<Head>); 4] = [
        ("games and runs, a row per move", heads(MOVES)),
        ("reviews (review --table), a row per move", review_heads()),
        ("solved tables, a row per afterstate", heads(SOLVED)),
        ("networks, a row per weight", heads(WEIGHTS)),
    ];
    for (index, (name, heads)) in tables.into_iter().enumerate() {
        let rows = heads
            .iter()
            .map(|head| [head.name, kind_name(head.kind), head.about].map(Cell::from));
        let table = listed(["column", "kind", "meaning"].map(Titled::text), rows);
        let break_before = if index == 0 { "" } else { "\n" };
        write!(out, "{break_before}{name}\n\n{table}")?;
    }
    Ok(out.flush()?)
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Whole => "whole number",
        Kind::Number => "number",
    }
}

fn write_rows<R>(
    columns: &[Column<R>],
    to: &Path,
    rows: impl Iterator<Item = R>,
) -> Result<u64, Failure> {
    let mut table = create_table(to, heads(columns))?;
    for row in rows {
        table.row(cells(columns, &row))?;
    }
    Ok(table.finish()?)
}

/// The moves of the games of a run.
fn run_table(args: &ExportArgs, folder: &RunFolder, to: &Path) -> Result<u64, Failure> {
    let mut table = create_table(to, heads(MOVES))?;
    let run = files::name_of(folder.path());
    let names: Vec<String> = folder
        .arms()
        .iter()
        .map(|arm| arm.strategy.label())
        .collect();
    if let Some(name) = args.strategy.as_ref().filter(|name| !names.contains(name)) {
        let (name, names) = (words::quoted(name), words::list(&names));
        return Err(Failure::usage(format!(
            "--strategy: no strategy of this run is called {name}: it has {names}"
        )));
    }

    let sources = folder.games()?;
    let wanted = args.games.clone().unwrap_or(0..u64::MAX);
    let mut has_games = false;
    for (arm, label) in folder.arms().iter().zip(&names) {
        if args.strategy.as_ref().is_some_and(|name| name != label) {
            continue;
        }
        let player = args.values.then(|| Player::new(&arm.strategy, arm.rules));
        for game in sources.games_of(arm)? {
            let game = game?;
            if !wanted.contains(&game.index) {
                continue;
            }
            has_games = true;
            let title = format!("{label}, game {}", words::count(game.index));
            let record = replayed(&arm.strategy, arm.rules, folder.preset.seed, &game, &title)?;
            let rows = GameRows {
                run: run.as_str().into(),
                strategy: Some(label.as_str().into()),
                game: game.index,
                record: &record,
                player: player.as_ref(),
            };
            for row in rows.rows() {
                table.row(cells(MOVES, &row))?;
            }
        }
    }
    if args.games.is_some() && !has_games {
        return Err(no_such_game(folder.path()));
    }
    Ok(table.finish()?)
}

/// The moves of a game record, or of the games of another program.
fn game_table(args: &ExportArgs, path: &Path, to: &Path) -> Result<u64, Failure> {
    let refused = |reason: String| Failure::could(format!("{}: {reason}", path.display()));
    let bytes = files::read_bytes(path, LARGEST_FILE)?;
    let records: Vec<Record> = match GameFile::read(path, &bytes)? {
        GameFile::Record { record, .. } => vec![record],
        GameFile::Games(games) => games
            .into_iter()
            .zip(0..)
            .map(|(game, number)| Record {
                game: number,
                ..game.record
            })
            .collect(),
        other => {
            let expected = "a run, a game record, a game of another program, a .solved table or a .net network";
            return Err(other.refusal(path, expected));
        }
    };

    let mut table = create_table(to, heads(MOVES))?;
    let name = files::name_of(path);
    for record in &records {
        let label = |text: &String| {
            text.parse::<Strategy>()
                .map_or_else(|_| text.clone(), |strategy| strategy.label())
        };
        let decider = args.values.then(|| Decider::of_record(record)).transpose();
        let decider = decider.map_err(|error| refused(format!("--values: {error}")))?;
        let player = decider.map(|decider| Player::new(decider.strategy(), record.rules));
        let rows = GameRows {
            run: name.as_str().into(),
            strategy: record.strategy.as_ref().map(|text| label(text).into()),
            game: record.game,
            record,
            player: player.as_ref(),
        };
        for row in rows.rows() {
            table.row(cells(MOVES, &row))?;
        }
    }
    Ok(table.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_has_every_column_with_its_meaning() {
        let page = include_str!("../guide/reference-tables.md");
        let mut printed = Vec::new();
        columns(&mut printed).expect("memory");
        let printed = String::from_utf8(printed).expect("UTF-8");
        for head in [heads(MOVES), review_heads(), heads(SOLVED), heads(WEIGHTS)].concat() {
            let row = format!(
                "| `{}` | {} | {} |",
                head.name,
                kind_name(head.kind),
                head.about
            );
            assert!(page.contains(&row), "{row}");
            assert!(printed.contains(head.about), "{row}");
        }
        let rows = page.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(
            rows,
            MOVES.len() + review_heads().len() + SOLVED.len() + WEIGHTS.len()
        );
    }
}
