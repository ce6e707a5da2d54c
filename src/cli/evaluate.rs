//! `evaluate`: what evaluators give for a board.

use std::io::Write;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::Failure;
use super::args::{EvaluateArgs, Format};
use super::input::{self, BoardFailure};
use crate::evaluator::Evaluator;
use crate::game::Size;
use crate::words;

/// An evaluator and the name of its value.
type Named = (String, Evaluator);

pub(super) fn evaluate(args: &EvaluateArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut asked: Vec<Named> = Vec::new();
    for text in &args.evaluator {
        let evaluator: Evaluator =
            text.parse().map_err(|error| Failure::usage(format!("--evaluator {}: {error}", words::quoted(text))))?;
        let name = evaluator.to_string();
        // Asked for twice it still has one value.
        if !asked.iter().any(|(other, _)| *other == name) {
            asked.push((name, evaluator));
        }
    }
    let mut first = true;
    input::for_each_board(&args.board, out, |out, board, score| {
        for (name, evaluator) in &asked {
            let misfit = |error| BoardFailure::Misfit(format!("--evaluator {name}: {error}"));
            evaluator.check(board.size()).map_err(misfit)?;
        }
        let evaluators = if asked.is_empty() { usual(board.size()) } else { asked.clone() };
        let values =
            evaluators.into_iter().map(|(name, evaluator)| (name, evaluator.evaluate(&board, score))).collect();
        match args.format {
            Format::Json => {
                let values = ValuesJson { board: board.to_string(), score, values: Values(values) };
                serde_json::to_writer(&mut *out, &values)?;
                writeln!(out)?;
            }
            Format::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(out)?;
                }
                write!(out, "{}score {}\n\n", board.drawing(), words::count(score))?;
                let mut table = super::table::plain_table();
                for (name, value) in values {
                    table.add_row([name, words::value(value)]);
                }
                super::table::align_numbers(&mut table, 1..=1);
                write!(out, "{}", super::table::printed(&table))?;
            }
        }
        Ok(())
    })
}

/// Every kind with its default parameters, by its bare name; those whose defaults do not fit the size are left out, and
/// so is `Sum`, which has no value of its own.
fn usual(size: Size) -> Vec<Named> {
    Evaluator::palette()
        .into_iter()
        .filter(|evaluator| !matches!(evaluator, Evaluator::Sum(_) | Evaluator::Product(..)))
        .filter(|evaluator| evaluator.check(size).is_ok())
        .map(|evaluator| (evaluator.name().to_owned(), evaluator))
        .collect()
}

#[derive(Serialize)]
struct ValuesJson {
    board: String,
    score: u64,
    values: Values,
}

/// In the order asked for.
struct Values(Vec<(String, f64)>);

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
