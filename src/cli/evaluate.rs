//! `evaluate`: what evaluators give for a board.

use std::io::Write;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::args::{EvaluateArgs, Format};
use super::{Failure, analyze, input};
use crate::evaluator::Evaluator;
use crate::game::Size;
use crate::words;

pub(super) fn evaluate(args: &EvaluateArgs, out: &mut impl Write) -> Result<(), Failure> {
    let asked: Vec<Evaluator> = args
        .evaluator
        .iter()
        .map(|text| text.parse().map_err(|error| Failure::usage(format!("--evaluator {text}: {error}"))))
        .collect::<Result<_, _>>()?;
    let mut first = true;
    input::for_each_board(&args.board, |board, score| {
        let evaluators = if asked.is_empty() { usual(board.size()) } else { asked.clone() };
        for evaluator in &evaluators {
            evaluator
                .check(board.size())
                .map_err(|reason| Failure::usage(format!("--evaluator {evaluator}: {reason}")))?;
        }
        let values =
            evaluators.iter().map(|evaluator| (evaluator.to_string(), evaluator.evaluate(&board, score))).collect();
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
                write!(out, "{}score {}\n\n", analyze::drawing(&board), words::count(score))?;
                let mut table = super::run::plain_table();
                for (name, value) in values {
                    table.add_row([name, words::value(value)]);
                }
                super::run::align_numbers(&mut table, 1..=1);
                write!(out, "{}", super::run::printed(&table))?;
            }
        }
        Ok(())
    })
}

/// Every kind that needs no parameters and fits the size.
fn usual(size: Size) -> Vec<Evaluator> {
    let plain = |evaluator: &Evaluator| evaluator.to_string() == evaluator.name() && *evaluator != Evaluator::Inert;
    Evaluator::palette().into_iter().filter(plain).filter(|evaluator| evaluator.check(size).is_ok()).collect()
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
