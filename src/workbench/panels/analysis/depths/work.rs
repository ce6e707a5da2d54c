//! The request of the depths panel, answered by a worker; it reports each value when it is ready.

use std::sync::Arc;

use crate::analysis::{Changes, Response, Varied};
use crate::game::{Board, Rules};
use crate::search::SearchOptions;
use crate::strategy::{Setting, SharedStrategy, StrategyHash};
use crate::task::{Job, Latest, TaskGroup, TaskInfo};
use crate::workbench::state::Document;

/// Where to decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Over {
    #[default]
    Board,
    Pinned,
}

/// The number of a strategy to vary, and its values.
pub(super) struct VariedSetting<'a> {
    pub(super) strategy: &'a SharedStrategy,
    pub(super) setting: &'a Setting,
    pub(super) values: Vec<f64>,
}

/// Boards with their scores.
type Positions = Vec<(Board, u64)>;

/// The key of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    strategy: StrategyHash,
    pub(super) path: String,
    pub(super) values: Vec<f64>,
    rules: Rules,
    over: Over,
    positions: Positions,
}

#[derive(Clone, Debug)]
pub(super) enum Answered {
    /// Decisions on the current board; may be partial.
    Board(Response),
    Pinned(Pinned),
    /// The number cannot take this value.
    Refused(String),
}

/// Decisions on the pinned positions; may be partial.
#[derive(Clone, Debug, Default)]
pub(super) struct Pinned {
    pub(super) changes: Changes,
    /// For the first positions, in order.
    pub(super) responses: Vec<Arc<Response>>,
    /// Number of positions.
    pub(super) all: usize,
}

/// Requests a new answer if anything changed.
pub(super) fn follow(
    found: &mut Latest<Question, Answered>,
    over: Over,
    varied: &VariedSetting<'_>,
    doc: &Document,
) {
    let positions: Positions = match over {
        Over::Board => vec![(doc.board(), doc.node().score)],
        Over::Pinned => doc
            .pins()
            .positions
            .iter()
            .map(|pin| (pin.board, pin.score))
            .collect(),
    };
    let (strategy, path) = (varied.strategy.hash(), varied.setting.path.clone());
    let question = Question {
        strategy,
        path,
        values: varied.values.clone(),
        rules: doc.rules_here(),
        over,
        positions,
    };
    if !found.is_asked(&question) {
        let (strategy, own_question) = (varied.strategy.clone(), question.clone());
        let words = format!("Deciding with each {}", varied.setting.name);
        let info = TaskInfo::asked(TaskGroup::Panel, words).answering_when_stopped();
        found.ask(
            question,
            doc.tasks(),
            info,
            move |job: &Job<_>| match over {
                Over::Board => on_board(&strategy, &own_question, job),
                Over::Pinned => on_pinned(&strategy, &own_question, job),
            },
        );
    }

    found.poll();
}

fn on_board(strategy: &SharedStrategy, question: &Question, job: &Job<Answered>) -> Answered {
    let varied = match Varied::new(strategy, &question.path, &question.values, question.rules) {
        Ok(varied) => varied,
        Err(error) => return Answered::Refused(error.to_string()),
    };

    let Some((board, score)) = question.positions.first() else {
        return Answered::Board(Response::default());
    };
    let mut part = Response::default();
    let options = SearchOptions::on_one_core(job.token());
    let found = varied.respond(
        question.rules,
        (board, *score),
        |_| 0,
        options,
        |step| {
            part.steps.push(step.clone());
            job.tell(Answered::Board(part.clone()));
        },
    );
    Answered::Board(found)
}

fn on_pinned(strategy: &SharedStrategy, question: &Question, job: &Job<Answered>) -> Answered {
    let mut pinned = Pinned {
        all: question.positions.len(),
        ..Pinned::default()
    };
    for (board, score) in &question.positions {
        let rules = question.rules.on(board.size());
        let varied = match Varied::new(strategy, &question.path, &question.values, rules) {
            Ok(varied) => varied,
            Err(error) => return Answered::Refused(error.to_string()),
        };
        let options = SearchOptions::on_one_core(job.token());
        let found = varied.respond(rules, (board, *score), |_| 0, options, |_| {});
        if job.is_cancelled() {
            break;
        }
        pinned.changes.take(&found, question.values.len());
        pinned.responses.push(Arc::new(found));
        job.tell_now_and_then(|| Answered::Pinned(pinned.clone()));
    }

    Answered::Pinned(pinned)
}
