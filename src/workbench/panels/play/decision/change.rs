//! The decision on the current board with the edit that is being dragged.

use super::elimination::bounded;
use crate::game::{Board, Move, Moves};
use crate::strategy::{Decision, LastResort, SharedStrategy, Strategy};
use crate::task::{Job, Latest, TaskInfo, TaskState};
use crate::workbench::panels::builder::Proposal;
use crate::workbench::state::{Decided, Document, NodeId, TELL_AFTER};

/// The strategy and board of a decision.
pub(super) type PreviewKey = (SharedStrategy, NodeId, Board);

/// The sentence about the proposed edit, or why there is none. `None` without a proposal, and briefly while a search is
/// running; a long search runs on a worker.
pub(super) fn follow(
    preview: &mut Latest<PreviewKey, Result<Decision, String>>,
    doc: &Document,
    proposal: Option<&Proposal>,
    now: Option<&Decided>,
) -> Option<String> {
    let Some(proposal) = proposal else {
        preview.clear();
        return None;
    };
    let key = (proposal.strategy.clone(), doc.cursor(), doc.board());
    if !preview.is_asked(&key) {
        match doc.question(&proposal.strategy) {
            Err(reason) => preview.set(key, Err(reason)),
            Ok(question) if question.is_quick() => {
                preview.set(key, Ok(question.decide(&Default::default(), 0)));
            }
            Ok(question) => {
                let work = move |job: &Job<_>| Ok(question.decide(job.token(), 0));
                preview.ask(key, doc.tasks(), TaskInfo::silent(), work);
            }
        }
    }

    preview.poll();
    let said = match preview.state() {
        TaskState::Idle => return None,
        TaskState::Pending { since } if since.elapsed() < TELL_AFTER => return None,
        TaskState::Pending { .. } => "searching".to_owned(),
        TaskState::Partial(Ok(after)) | TaskState::Done(Ok(after)) => match now {
            Some(now) => sentence([&now.decision, after], [&now.strategy, &proposal.strategy]),
            None => alone(after, &proposal.strategy),
        },
        TaskState::Partial(Err(reason)) | TaskState::Done(Err(reason)) => cannot(reason),
        TaskState::Failed(error) => cannot(&error.to_string()),
    };

    Some(format!("With the change: {said}"))
}

fn cannot(reason: &str) -> String {
    format!("the strategy could not play here: {reason}")
}

/// Compares two decisions on one board: "Left again, at row 1. Right would be rejected there too (8,492.6)."
pub(super) fn sentence([before, after]: [&Decision; 2], strategies: [&Strategy; 2]) -> String {
    if after.chosen.is_none() {
        return "no move is legal".to_owned();
    }

    let how = match before.choice == after.choice {
        true => "again".to_owned(),
        false => format!("instead of {}", either(before.choice)),
    };
    let head = format!(
        "{} {how}{}",
        either(after.choice),
        place(after, strategies[1])
    );
    // Moves that fall by another criterion than before, whatever the row numbers are now.
    let fell_by = |decision: &Decision, strategy: &Strategy, mv: Move| {
        let row = decision.moves[mv].as_ref()?.fell_at?;
        Some((row, strategy.criteria[row].clone()))
    };
    let fallen: Vec<(Move, usize, bool)> = Move::ALL
        .into_iter()
        .filter_map(|mv| {
            let (row, criterion) = fell_by(after, strategies[1], mv)?;
            let then = fell_by(before, strategies[0], mv);
            Some((mv, row, then.is_none_or(|(_, then)| then != criterion)))
        })
        .collect();
    let others = fallen
        .iter()
        .filter(|(.., is_new)| *is_new)
        .filter_map(|&(mv, row, _)| {
            let value = after.moves[mv].as_ref()?.values[row]?;
            let too = if fallen
                .iter()
                .any(|&(_, other, is_new)| other == row && !is_new)
            {
                " too"
            } else {
                ""
            };
            let at = match after.deciding() == Some(row) {
                true => format!("there{too}"),
                false => format!("at row {}{too}", row + 1),
            };
            Some(format!(
                " {mv} would be rejected {at} ({}).",
                bounded(after.bound(row, mv), value)
            ))
        });

    format!("{head}.{}", others.collect::<String>())
}

/// "Left, at row 1": the sentence without a decision to compare with.
fn alone(decision: &Decision, strategy: &Strategy) -> String {
    format!("{}{}.", either(decision.choice), place(decision, strategy))
}

/// What decided: ", at row 1".
fn place(decision: &Decision, strategy: &Strategy) -> String {
    match (decision.deciding(), strategy.last_resort) {
        _ if decision.legal().len() < 2 => ", the only legal move".to_owned(),
        (Some(row), _) => format!(", at row {}", row + 1),
        (None, LastResort::Random) => ", drawn at random".to_owned(),
        (None, LastResort::First | LastResort::FirstOf(_)) => {
            ", first in the order of moves".to_owned()
        }
    }
}

pub(crate) fn either(moves: Moves) -> String {
    let names: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    names.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed};
    use crate::search::SearchOptions;
    use crate::strategy::GameTrace;
    use crate::strategy::Player;

    fn decide(text: &str, board: &str) -> (Strategy, Decision) {
        let strategy: Strategy = text.parse().expect(text);
        let decision = Decision::now(
            &Player::new(&strategy, Rules::default()),
            &board.parse().expect(board),
            0,
            |_| 0,
        );
        (strategy, decision)
    }

    #[test]
    fn it_says_what_stays_and_who_falls_elsewhere() {
        let board = "8,4,2,2/0,0,0,0/0,0,0,0/0,0,0,0";
        let (emr, before) = decide("emr", board);
        let (mer, after) = decide("mer", board);
        assert_eq!(
            sentence([&before, &after], [&emr, &mer]),
            "Left again, at row 2."
        );
        let (er, less) = decide("er", board);
        assert_eq!(
            sentence([&before, &less], [&emr, &er]),
            "Left or Right instead of Left, drawn at random."
        );
        assert_eq!(alone(&less, &er), "Left or Right, drawn at random.");
        assert_eq!(
            sentence([&before, &before], [&emr, &emr]),
            "Left again, at row 2."
        );
    }

    #[test]
    fn again_is_said_exactly_where_the_choice_is_the_same() {
        let (a, b): (Strategy, Strategy) =
            ("emr".parse().expect("emr"), "muer".parse().expect("muer"));
        let [first, second] = [&a, &b].map(|strategy| Player::new(strategy, Rules::default()));
        let (mut same, mut other) = (0, 0);
        for moment in GameTrace::record(&first, Seed(8), 0, &a, SearchOptions::default()).replay() {
            let decisions = [&first, &second]
                .map(|player| Decision::now(player, &moment.board, moment.score, |_| 0));
            if decisions[0].chosen.is_none() {
                continue;
            }
            let said = sentence([&decisions[0], &decisions[1]], [&a, &b]);
            let is_same = decisions[0].choice == decisions[1].choice;
            assert_eq!(said.contains(" again"), is_same, "{said}");
            assert_eq!(said.contains(" instead of "), !is_same, "{said}");
            let mut expected = Vec::new();
            for mv in decisions[1].legal() {
                let criterion = |side: usize| {
                    let row = decisions[side].moves[mv]
                        .as_ref()
                        .and_then(|candidate| candidate.fell_at)?;
                    Some(&[&a, &b][side].criteria[row])
                };
                if criterion(1).is_some() && criterion(0) != criterion(1) {
                    expected.push(format!("{mv} would be rejected"));
                }
            }
            assert_eq!(
                said.matches(" would be rejected").count(),
                expected.len(),
                "{said}"
            );
            assert!(
                expected.iter().all(|phrase| said.contains(phrase)),
                "{said} {expected:?}"
            );
            (same, other) = (same + u32::from(is_same), other + u32::from(!is_same));
        }

        assert!(0 < same && 0 < other, "{same} {other}");
    }
}
