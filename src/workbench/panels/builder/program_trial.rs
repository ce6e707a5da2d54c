//! The trial of a program on the board on screen: one question, its answer and the time it took.

use std::time::Instant;

use crate::evaluator::ProgramSpec;
use crate::game::Board;
use crate::task::{Latest, TaskGroup, TaskInfo, TaskState, Tasks};
use crate::words;

/// The program, the board and the score.
type Question = (ProgramSpec, Board, u64);

/// The value with its time in seconds, or why there is none.
type Answer = Result<(f64, f64), String>;

#[derive(Debug, Default)]
pub struct ProgramTrial {
    answer: Latest<Question, Answer>,
    /// A command that the user wants to allow.
    pub to_allow: Option<Vec<String>>,
}

impl ProgramTrial {
    /// Starts a query of a program about a board, even if the same query was answered before.
    pub fn begin(&mut self, program: &ProgramSpec, (board, score): (&Board, u64), tasks: &Tasks) {
        let (program, board) = (program.clone(), *board);
        let info = TaskInfo::asked(TaskGroup::Panel, "Trying a program");
        self.answer.clear();
        self.answer
            .ask((program.clone(), board, score), tasks, info, move |_| {
                let since = Instant::now();
                let value = program
                    .try_on(&board.to_grid(), score)
                    .map_err(|error| error.to_string())?;
                Ok((value, since.elapsed().as_secs_f64()))
            });
    }

    /// The answer for this board as a sentence; the error says why there is none.
    pub fn told(
        &mut self,
        program: &ProgramSpec,
        (board, score): (&Board, u64),
    ) -> Option<Result<String, String>> {
        self.answer.poll();
        if !self.answer.is_asked(&(program.clone(), *board, score)) {
            return None;
        }
        Some(match self.answer.state() {
            TaskState::Idle => return None,
            TaskState::Pending { .. } | TaskState::Partial(_) => {
                Ok("Waiting for the program…".to_owned())
            }
            TaskState::Done(Ok((value, secs))) => {
                let took = words::decimals_short((secs * 1e4).round() / 10.0);
                Ok(format!(
                    "This board {}, answered in {took} ms including the start",
                    words::value(*value)
                ))
            }
            TaskState::Done(Err(reason)) => Err(words::capitalised(reason)),
            TaskState::Failed(error) => Err(words::capitalised(&error.to_string())),
        })
    }
}
