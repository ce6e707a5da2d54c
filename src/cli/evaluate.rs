//! `evaluate`: the values of evaluators on a board.

use std::io::Write;

use serde::Serialize;
use serde::ser::Serializer;

use super::Failure;
use super::args::EvaluateArgs;
use super::input::{self, BoardFailure};
use super::table::{cells, json_line, listed};
use super::values::Format;
use crate::evaluator::Evaluator;
use crate::game::{Rules, Size};
use crate::table::Head;
use crate::words;

/// An evaluator and the name of its value.
type Named = (String, Evaluator);

pub(super) fn evaluate(args: &EvaluateArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut named: Vec<Named> = Vec::new();
    for text in &args.evaluator {
        let evaluator: Evaluator = text.parse().map_err(|error| {
            Failure::usage(format!("--evaluator {}: {error}", words::quoted(text)))
        })?;
        let name = evaluator.to_string();
        // An evaluator that is given twice has one value.
        if !named.iter().any(|(other, _)| *other == name) {
            named.push((name, evaluator));
        }
    }

    let mut first = true;
    input::for_each_board(&args.board, Rules::USUAL_P4, out, |out, board, score| {
        for (name, evaluator) in &named {
            let misfit = |error| BoardFailure::Misfit(format!("--evaluator {name}: {error}"));
            evaluator.check(board.size()).map_err(misfit)?;
        }
        let evaluators = if named.is_empty() {
            usual(board.size())
        } else {
            named.clone()
        };
        let values = evaluators
            .into_iter()
            .map(|(name, evaluator)| (name, evaluator.evaluate(&board, score)))
            .collect();
        match args.format {
            Format::Json => json_line(
                out,
                &ValuesJson {
                    board: board.to_string(),
                    score,
                    values,
                },
            )?,
            Format::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(out)?;
                }
                write!(out, "{}score {}\n\n", board.drawing(), words::count(score))?;
                let rows = values
                    .into_iter()
                    .map(|(name, value)| cells![name, words::all_digits(value)]);
                write!(out, "{}", listed([Head::text(""), Head::whole("")], rows))?;
            }
        }
        Ok(())
    })
}

/// [`Evaluator::usual`] by their plain names.
fn usual(size: Size) -> Vec<Named> {
    Evaluator::usual(size)
        .into_iter()
        .map(|evaluator| (evaluator.name().to_owned(), evaluator))
        .collect()
}

#[derive(Serialize)]
struct ValuesJson {
    board: String,
    score: u64,
    #[serde(serialize_with = "in_order")]
    values: Vec<(String, f64)>,
}

/// One object, in the order of the flags.
fn in_order<S: Serializer>(values: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}
