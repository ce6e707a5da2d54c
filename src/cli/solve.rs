//! `solve`: exact play on small boards, and the exact results of strategies there.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::Failure;
use super::input;
use super::interrupt::Busy;
use super::made_args::{SolveArgs, SolveFormat};
use super::table::{cells, json_line, listed, terminal};
use super::terminal::{disk_patience, tell};
use super::watch::Bar;
use crate::analysis::{Exact, ExactError};
use crate::files::{self, CsvRows, WriteError};
use crate::game::{Move, Moves, Rank, Rules};
use crate::kept::{self, Kept as _, KeptError, Kind, Saving};
use crate::prose::exact_cost;
use crate::solve::{self, AT_ONCE, BestPlay, Fate, Goal, Question, Solution, SolveError, Table};
use crate::strategy::Strategy;
use crate::table::{Column, Digits, Formats, Head, Kind as ColumnKind, Table as Data, Unit};
use crate::task::{CancelToken, Control, threads_for_cli};
use crate::words;

/// First boards that are printed as text; JSON has all of them.
const PRINTED: usize = 8;

/// Columns of tiles in the table of strategies.
const TILES: usize = 4;

pub(super) fn solve(args: &SolveArgs, out: &mut impl Write) -> Result<(), Failure> {
    let goal = match args.reach {
        None => Goal::Score,
        Some(tile) => Goal::Reach(
            Rules::read_stop_at(tile, args.size)
                .map_err(|why| Failure::usage(format!("--reach: {why}")))?,
        ),
    };
    let question = Question {
        size: args.size,
        p4: args.p4,
        goal,
    };
    question
        .check()
        .map_err(|error| Failure::usage(format!("--size {}: {error}", args.size)))?;
    let threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok())
        .unwrap_or_else(threads_for_cli);
    let busy = Busy::begin();
    let request = SolveRequest {
        args,
        question: &question,
        threads,
        stop: &busy.stop,
    };
    if args.strategy.is_empty() {
        request.best_play(out)
    } else {
        request.strategies(out)
    }
}

/// The request, the threads and the cancellation flag.
#[derive(Clone, Copy)]
struct SolveRequest<'a> {
    args: &'a SolveArgs,
    question: &'a Question,
    threads: usize,
    stop: &'a CancelToken,
}

/// The place of a file with a name, checked to be writable before the work that produces it.
pub(super) fn place(
    kind: &'static Kind,
    name: Option<&str>,
    bytes: u64,
) -> Result<Option<PathBuf>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let path = match kind.path_of(name) {
        Ok(path) => path,
        Err(error @ KeptError::Name { .. }) => {
            return Err(Failure::usage(format!("--out: {error}")));
        }
        Err(_) => {
            return Err(Failure::could(
                "this system has no data folder: give --out a path",
            ));
        }
    };
    if kind.is_named(name) {
        files::make_folder(files::folder_of(&path))?;
    }
    files::check_place(&path)?;
    files::check_room(&path, bytes)?;
    Ok(Some(path))
}

/// Writes the file of a long calculation. Waits while the disk has no room, until that is stopped.
pub(super) fn save<T>(
    path: &Path,
    control: &Control,
    write: impl FnMut() -> Result<T, WriteError>,
) -> Result<T, Failure> {
    let saving = Saving {
        path,
        what: "the result",
        who: "the program",
        patience: disk_patience(),
    };
    let saved = saving.until_room(control, write, WriteError::is_without_room)?;
    saved.ok_or_else(|| Failure::Stopped(" before the result was saved".to_owned()))
}

impl SolveRequest<'_> {
    fn best_play(self, out: &mut impl Write) -> Result<(), Failure> {
        let SolveRequest {
            args,
            question,
            threads,
            stop,
        } = self;
        let bound = question.bound();
        let path = place(Table::KIND, args.out.as_deref(), bound.on_disk())?;
        if AT_ONCE < bound.states {
            let secs = solve::secs_per_board(stop) * bound.states as f64 / threads as f64;
            let on_disk = path
                .as_ref()
                .map(|_| format!(", about {} on disk", words::bytes(bound.on_disk())));
            tell(&format!(
                "{}: at most {}, {} of memory{}, about {} on {}; Ctrl-C cancels",
                question.size,
                words::plural(bound.states, "board"),
                words::bytes(bound.memory()),
                on_disk.unwrap_or_default(),
                words::time(secs),
                words::plural(threads as u64, "thread"),
            ));
        }

        let bar = Bar::new();
        let control = bar.control("", stop);
        let solution = question.solve(threads, &control).map_err(failure)?;
        if let Some(path) = &path {
            save(path, &control, || solution.table.write(path))?;
        }
        drop(bar);

        match args.format {
            SolveFormat::Text => out.write_all(text(question, &solution).as_bytes())?,
            SolveFormat::Json => json_line(out, &solution_json(question, &solution))?,
            SolveFormat::Csv => {
                let mut csv = CsvRows::new(&mut *out);
                csv.row(["sum", "states", "afterstates", "dead"])?;
                for layer in &solution.layers {
                    csv.row(
                        [layer.sum, layer.states, layer.afterstates, layer.dead]
                            .map(|number| number.to_string()),
                    )?;
                }
                csv.flush()?;
            }
        }
        if let Some(path) = path {
            tell(&format!("{}: saved", path.display()));
        }

        Ok(())
    }
}

fn failure(error: SolveError) -> Failure {
    match error {
        SolveError::Stopped => Failure::Stopped(" before the board was solved".to_owned()),
        error => Failure::could(error),
    }
}

/// For `5,468.4868`, `0.736774000`.
fn places(goal: Goal) -> usize {
    if goal == Goal::Score { 4 } else { 9 }
}

fn text(question: &Question, solution: &Solution) -> String {
    let rules = Rules {
        size: question.size,
        p4: question.p4,
        stop_at: None,
        ..Rules::default()
    };
    let info = &solution.table.info;
    let mut text = format!(
        "{}: {} under best play is {}\n{} to move ({} dead), {} in {}\n\n",
        rules.about(),
        question.goal.text(),
        words::decimals(solution.value, places(question.goal)),
        words::plural(info.states, "board"),
        words::count(info.dead),
        words::plural(info.afterstates, "afterstate"),
        words::plural(solution.layers.len() as u64, "layer"),
    );

    let rows = solution.openings.iter().take(PRINTED).map(|opening| {
        let best = words::list(&move_names(opening.best));
        cells![
            opening.board.to_string(),
            opening.probability,
            opening.value,
            best
        ]
    });

    let probability = Head::number("probability", Digits::Probability);
    let value = Head::number("value", places(question.goal));
    text += &listed(
        [
            Head::text("first board"),
            probability,
            value,
            Head::text("best moves"),
        ],
        rows,
    );
    if PRINTED < solution.openings.len() {
        text += &format!("and {} more\n", solution.openings.len() - PRINTED);
    }
    text
}

fn move_names(moves: Moves) -> Vec<&'static str> {
    moves.iter().map(Move::name).collect()
}

fn solution_json(question: &Question, solution: &Solution) -> Value {
    let opening = |opening: &crate::solve::Opening| {
        json!({
            "board": opening.board.to_string(), "probability": opening.probability, "value": opening.value,
            "best": move_names(opening.best),
        })
    };
    let layer = |layer: &crate::solve::Layer| json!({ "sum": layer.sum, "states": layer.states, "afterstates": layer.afterstates, "dead": layer.dead });
    json!({
        "size": question.size.to_string(), "p4": question.p4, "reach": question.goal.tile().map(Rank::tile),
        "value": solution.value, "states": solution.table.info.states, "dead": solution.table.info.dead,
        "afterstates": solution.table.info.afterstates,
        "openings": solution.openings.iter().map(opening).collect::<Vec<_>>(),
        "layers": solution.layers.iter().map(layer).collect::<Vec<_>>(),
    })
}

impl SolveRequest<'_> {
    fn strategies(self, out: &mut impl Write) -> Result<(), Failure> {
        let SolveRequest {
            args,
            question,
            threads,
            stop,
        } = self;
        let rules = Rules {
            size: question.size,
            p4: question.p4,
            stop_at: None,
            ..Rules::default()
        };
        let solve = |text: &String| -> Result<(Strategy, Exact), Failure> {
            let strategy = input::strategy(text)?;
            let exact = Exact::of(&strategy, rules).map_err(|error| refused(&strategy, &error))?;
            Ok((strategy, exact))
        };

        let solved: Vec<(Strategy, Exact)> =
            args.strategy.iter().map(solve).collect::<Result<_, _>>()?;
        let best =
            BestPlay::of(question, kept::config_dir().as_deref(), stop)?.map(|best| best.value);
        let mut found: Vec<(Strategy, Fate)> = Vec::new();
        for (strategy, exact) in solved {
            announce(&strategy, &exact, threads, stop);
            let fate = exact.fate(threads, &Bar::new().control(strategy.label(), stop));
            found.push((strategy, fate.map_err(failure)?));
        }

        match args.format {
            SolveFormat::Text => Ok(out.write_all(fates_text(question, best, &found).as_bytes())?),
            SolveFormat::Json => Ok(json_line(out, &fates_json(question, best, &found))?),
            SolveFormat::Csv => Ok(fates_table(question, best, &found)
                .only(Formats::CSV)
                .write_csv(out, true)?),
        }
    }
}

fn refused(strategy: &Strategy, error: &ExactError) -> Failure {
    Failure::usage(format!("--strategy {}: {error}", strategy.label()))
}

fn announce(strategy: &Strategy, exact: &Exact, threads: usize, stop: &CancelToken) {
    let is_small = exact.at_most().is_some_and(|boards| boards < AT_ONCE);
    if is_small && !strategy.looks_ahead() {
        return;
    }
    let cost = exact.cost(threads, stop);
    if cost.secs.is_none_or(|secs| 2.0 <= secs) {
        tell(&format!(
            "{}: {}; Ctrl-C cancels",
            strategy.label(),
            exact_cost(cost, threads)
        ));
    }
}

/// The tiles that get a column, the smallest first.
fn tiles(question: &Question, found: &[(Strategy, Fate)], most: usize) -> Vec<Rank> {
    if let Some(rank) = question.goal.tile() {
        return vec![rank];
    }
    let mut tiles: Vec<Rank> = found
        .iter()
        .flat_map(|(_, fate)| &fate.largest)
        .map(|&(rank, _)| rank)
        .collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles.split_off(tiles.len().saturating_sub(most))
}

/// A row for each strategy.
fn fates_table(question: &Question, best: Option<f64>, found: &[(Strategy, Fate)]) -> Data {
    type Row<'a> = &'a (Strategy, Fate);
    let shown = tiles(question, found, TILES);
    let value_of = |fate: &Fate| {
        question
            .goal
            .tile()
            .map_or(fate.mean, |rank| fate.reach(rank))
    };
    let number = |key: &str, places: usize, get: fn(&Fate) -> f64| {
        Column::titled(ColumnKind::Number, key, move |row: &Row<'_>| get(&row.1))
            .digits(Digits::Places(places))
    };
    let mut columns = vec![
        Column::titled(ColumnKind::Text, "strategy", |row: &Row<'_>| row.0.label()),
        number("mean", 4, |fate| fate.mean),
        number("sd", 2, |fate| fate.sd),
        number("moves", 2, |fate| fate.moves),
        Column::titled(ColumnKind::Whole, "boards", |row: &Row<'_>| row.1.boards)
            .only(Formats::CSV),
    ];
    columns.extend(tiles(question, found, usize::MAX).into_iter().map(|tile| {
        let people = if shown.contains(&tile) {
            Formats::PEOPLE
        } else {
            Formats::CSV
        };
        Column::number(
            format!("reach_{tile}"),
            tile.to_string(),
            "",
            move |row: &Row<'_>| row.1.reach(tile),
        )
        .digits(Digits::Probability)
        .only(Formats::CSV.and(people))
    }));
    columns.extend(best.map(|best| {
        Column::titled(ColumnKind::Number, "of best play", move |row: &Row<'_>| {
            value_of(&row.1) / best
        })
        .unit(Unit::PERCENT)
        .digits(Digits::Places(2))
        .only(Formats::PEOPLE)
    }));
    Data::of(&columns, found)
}

fn fates_text(question: &Question, best: Option<f64>, found: &[(Strategy, Fate)]) -> String {
    let rules = Rules {
        size: question.size,
        p4: question.p4,
        stop_at: None,
        ..Rules::default()
    };
    let table = terminal(fates_table(question, best, found));
    let mut text = format!("{}: exact, without playing\n\n{table}", rules.about());
    if let Some(best) = best {
        text += &format!(
            "\n{} under best play is {}\n",
            words::capitalised(&question.goal.text()),
            words::decimals(best, places(question.goal))
        );
    }

    text
}

fn fates_json(question: &Question, best: Option<f64>, found: &[(Strategy, Fate)]) -> Value {
    let entry = |(strategy, fate): &(Strategy, Fate)| {
        let by_tile = |number: &dyn Fn(Rank, f64) -> f64| -> Map<String, Value> {
            fate.largest
                .iter()
                .map(|&(rank, share)| (rank.to_string(), json!(number(rank, share))))
                .collect()
        };
        json!({
            "name": strategy.label(), "strategy": strategy.to_string(), "mean": fate.mean, "sd": fate.sd,
            "moves": fate.moves, "boards": fate.boards, "largest": by_tile(&|_, share| share),
            "reach": by_tile(&|rank, _| fate.reach(rank)),
        })
    };
    json!({
        "size": question.size.to_string(), "p4": question.p4, "reach": question.goal.tile().map(Rank::tile),
        "best": best, "entries": found.iter().map(entry).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Table;

    #[test]
    fn a_table_is_read_back_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("2x2.solved");
        let question = Question {
            size: "2x2".parse().expect("a size"),
            p4: 0.1,
            goal: Goal::Score,
        };
        let solution = question.solve(1, &Control::default()).expect("small");
        solution.table.write(&path).expect("writable");
        assert_eq!(
            Table::read(&path).map(|table| table.info.value),
            Ok(solution.value)
        );
        let text = text(&question, &solution);
        assert!(
            text.starts_with("2 × 2, 10 % fours: the expected score under best play is 66.9641\n"),
            "{text}"
        );
    }
}
