//! The judge's search of the position on the board, recorded in the background for the sentence and the tree.

use std::sync::Arc;

use crate::game::{Moment, Move};
use crate::search::{SearchOptions, Tree, Why};
use crate::task::{Job, Latest, TaskInfo};
use crate::workbench::state::Document;

/// Maximum number of recorded nodes. The two compared moves and the spawns after them come first.
const MOST_NODES: usize = 200_000;

/// The position, the judge, its lookahead in plies, and the two compared moves.
type JudgedKey = (Moment, String, u32, [Move; 2]);

/// A search by the judge, and why its best move beats the played move.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) tree: Arc<Tree>,
    pub(super) why: Option<Why>,
    /// Unique per search.
    pub(super) number: u64,
}

#[derive(Debug, Default)]
pub(super) struct JudgedHere {
    judged: Latest<JudgedKey, Option<Arc<Judged>>>,
    number: u64,
}

impl JudgedHere {
    /// Requests the search of the position on the board, and takes a finished result.
    pub(super) fn follow(&mut self, doc: &Document) {
        let verdict = doc
            .review()
            .and_then(|reviewed| Some((reviewed, reviewed.review.verdict(doc.place())?)));
        let Some((reviewed, verdict)) = verdict.filter(|_| !doc.hides_losses()) else {
            self.judged.cancel();
            return;
        };

        let judge = reviewed.review.judge().clone();
        let (before, plies, moves) = (
            verdict.before,
            verdict.look.plies,
            [verdict.mv, verdict.best],
        );
        let key = (before, judge.sha256().to_owned(), plies, moves);

        if !self.judged.is_asked(&key) {
            self.number += 1;
            let number = self.number;
            self.judged.ask(
                key,
                doc.tasks(),
                TaskInfo::silent(),
                move |job: &Job<Option<Arc<Judged>>>| {
                    let options = SearchOptions::on_one_core(job.token());
                    let tree = judge.tree(&before, plies, options, MOST_NODES)?;
                    let [played, best] = moves;
                    let why = if played == best {
                        None
                    } else {
                        tree.why(played, best)
                    };
                    Some(Arc::new(Judged { tree, why, number }))
                },
            );
        }
        self.judged.poll();
    }

    /// The search of the position on the board; `None` until it is finished.
    pub(super) fn known(&self) -> Option<&Arc<Judged>> {
        self.judged.known()?.as_ref()
    }

    /// Why there is no search, in one sentence.
    pub(super) fn problem(&self) -> Option<String> {
        match (self.judged.known(), self.judged.failed()) {
            (Some(None), _) => Some("The judge did not search this position".to_owned()),
            (None, Some(error)) => Some(format!("The judge's search failed: {error}")),
            _ => None,
        }
    }

    pub(super) fn is_searching(&self) -> bool {
        self.judged.is_pending()
    }
}
