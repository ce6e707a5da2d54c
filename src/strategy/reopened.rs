//! Reconstructs the decision of a record.

use std::sync::Arc;
use std::time::Duration;

use super::{Candidate, Criterion, Decision, Prefer, Searched, Strategy};
use crate::game::{ByMove, Move, Moves};
use crate::search::{ROUNDING, Start, Tree};

impl Decision {
    /// The name of the search of a row whose evaluator belongs to the program that wrote the record.
    pub fn foreign_label(&self, row: usize) -> Option<String> {
        let tree = self.searches.get(row)?.as_ref()?.tree.as_ref()?;
        (!tree.knows_evaluator()).then(|| tree.label())
    }

    /// The decision at the root of a record, and a strategy of the one row that was searched. Earlier rows may have
    /// dropped moves: those have no value and are not among the choice. `None` if the root is no decision.
    pub fn of_record(tree: &Arc<Tree>) -> Option<(Self, Strategy)> {
        let subject = tree.subject();
        let Start::Choice {
            objective,
            moves: compared,
        } = subject.start
        else {
            return None;
        };
        let definition = &subject.definition;
        let criterion = Criterion {
            evaluator: definition.evaluator.clone(),
            lookahead: definition.lookahead.clone(),
            prefer: if objective.higher {
                Prefer::Higher
            } else {
                Prefer::Lower
            },
            tolerance: objective.tolerance,
            off: false,
        };

        let strategy = Strategy {
            name: tree.label(),
            criteria: vec![criterion],
            ..Strategy::default()
        };
        let board = tree.decided_on();
        let child = |mv: Move| {
            tree.children(tree.root())
                .find(|&child| tree.slide(child) == Some(mv))
        };
        let value = |mv: Move| {
            child(mv)
                .and_then(|child| tree.value(child))
                .filter(|_| compared.contains(mv))
        };
        let sign = objective.sign();
        let best = compared
            .iter()
            .filter_map(value)
            .map(|value| sign * value)
            .fold(f64::NEG_INFINITY, f64::max);
        let enough = best - objective.tolerance - best.abs() * ROUNDING;
        let kept = Moves::from_fn(|mv| value(mv).is_some_and(|value| enough <= sign * value));
        let moves = ByMove::from_fn(|mv| {
            let slide = board.slide(mv)?;
            let fell = compared.contains(mv) && !kept.contains(mv);
            let after = slide.after.board();
            Some(Candidate {
                mv,
                reward: slide.reward,
                after,
                values: vec![value(mv)],
                fell_at: fell.then_some(0),
            })
        });

        let counts = tree.counts;
        let bounds =
            ByMove::from_fn(|mv| child(mv).map(|child| tree.bound(child)).unwrap_or_default());
        let searched = definition.lookahead.searches().then(|| Searched {
            plies: subject.plies,
            counts,
            nodes: (counts.total() - counts.stubs()).saturating_add(tree.elsewhere),
            bounds,
            elapsed: Duration::ZERO,
            shared_by: None,
            playouts: tree.playouts.clone(),
            lower: tree.halved_from.map(|_| subject.board),
            tree: Some(Arc::clone(tree)),
        });

        let (score, chosen) = (subject.score, tree.chosen);
        let decision = Self {
            board,
            score,
            moves,
            kept: vec![kept],
            choice: kept,
            chosen,
            searches: vec![searched],
        };
        Some((decision, strategy))
    }
}
