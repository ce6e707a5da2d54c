//! A program that is tried on the board on screen: one question, its answer and how long that took.

use std::time::Instant;

use crate::evaluator::ProgramSpec;
use crate::game::Board;
use crate::task::{Latest, TaskGroup, TaskInfo, TaskState, Tasks};
use crate::words;

/// What is asked: the program as text, board and score.
type Question = (ProgramSpec, Board, u64);

/// What it said, with the seconds that took, or why it said nothing.
type Answer = Result<(f64, f64), String>;

#[derive(Debug, Default)]
pub struct ProgramTrial {
    asked: Latest<Question, Answer>,
    /// A command that is to be allowed.
    pub to_allow: Option<Vec<String>>,
}

impl ProgramTrial {
    /// Asks a program about a board, also what it was asked before.
    pub fn begin(&mut self, program: &ProgramSpec, (board, score): (&Board, u64), tasks: &Tasks) {
        let (program, board) = (program.clone(), *board);
        let info = TaskInfo::asked(TaskGroup::Panel, "Trying a program");
        self.asked.clear();
        self.asked.ask((program.clone(), board, score), tasks, info, move |_| {
            let since = Instant::now();
            let value = program.try_on(&board.to_grid(), score).map_err(|error| error.to_string())?;
            Ok((value, since.elapsed().as_secs_f64()))
        });
    }

    /// What came of it on this board, in a sentence; an error is why nothing did.
    pub fn told(&mut self, program: &ProgramSpec, (board, score): (&Board, u64)) -> Option<Result<String, String>> {
        self.asked.poll();
        if !self.asked.is_asked(&(program.clone(), *board, score)) {
            return None;
        }
        Some(match self.asked.state() {
            TaskState::Idle => return None,
            TaskState::Pending { .. } | TaskState::Partial(_) => Ok("It is asked …".to_owned()),
            TaskState::Done(Ok((value, secs))) => {
                let took = words::decimals_short((secs * 1e4).round() / 10.0);
                Ok(format!("This board {}, answered in {took} ms with its start", words::value(*value)))
            }
            TaskState::Done(Err(reason)) => Err(words::capitalised(reason)),
            TaskState::Failed(error) => Err(words::capitalised(&error.to_string())),
        })
    }
}
