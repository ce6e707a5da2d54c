//! Trees beside that of the decision: one that was opened from a file, and ones that were searched on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Inspection, Shown};
use crate::files;
use crate::search::{Effect, Grafted, NodeId, NotSearched, NotUncut, SearchOptions, Tree, TreeReadError, Uncut};
use crate::strategy::{Decision, SharedStrategy};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo, TaskState, Tasks};

/// Most nodes of a search that is put into a record.
const GRAFT_CAP: usize = 500_000;
/// Decisions have smaller numbers.
const FIRST_NUMBER: u64 = 1 << 40;

/// A tree with one search more in it, what that changed at the root, and where the node is from which it was searched on.
type Grown = (Arc<Tree>, Option<Effect>, NodeId);

/// Nodes of all trees together that are kept to be gone back to: 512 MiB.
const MOST_KEPT: usize = 1 << 24;

/// What is shown in place of the search of the board, and what was put into it.
#[derive(Debug, Default)]
pub(super) struct Changed {
    opening: Latest<PathBuf, Result<Arc<Tree>, String>>,
    opened: Option<(PathBuf, Shown)>,
    /// The tree that they belong to: decision and row.
    base: Option<(u64, usize)>,
    /// Each with one search more in it, and its own number.
    grown: Vec<(u64, Arc<Tree>, Option<Effect>)>,
    /// So many before those are not kept any more.
    forgotten: usize,
    growing: Latest<(u64, NodeId), Result<Grown, NotSearched>>,
    uncut: Latest<(u64, usize), Result<Uncut, NotUncut>>,
    /// How many numbers were given.
    given: u64,
}

/// What there is to say about trees beside that of the decision.
pub(crate) enum ChangedState<'a> {
    Opening(&'a Path),
    /// It could not be opened.
    Refused(&'a Path, String),
    Opened(&'a Path),
    /// So many searches were put into it, and what the last of them changed at the root.
    Grown(usize, Option<Effect>),
    SearchingOn,
    NotSearchedOn(String),
    SearchingUncut,
    Uncut(&'a Uncut),
    NotUncut(String),
}

impl Changed {
    fn number(&mut self) -> u64 {
        self.given += 1;
        FIRST_NUMBER + self.given
    }

    /// Drops the oldest trees until all together have so many nodes; the one that is shown stays. Going back from the oldest that
    /// is kept leads to the search itself.
    fn forget(&mut self, most: usize) {
        let kept = self.grown.iter().rev().scan(0_usize, |nodes, (_, tree, _)| {
            *nodes = nodes.saturating_add(tree.kept());
            Some(*nodes)
        });
        let kept = kept.take_while(|&nodes| nodes <= most).count().max(1);
        let dropped = self.grown.len().saturating_sub(kept);
        self.grown.drain(..dropped);
        self.forgotten += dropped;
    }
}

/// The sentence of what failed, or the answer.
fn settled<'a, T, E: ToString>(state: &TaskState<'a, Result<T, E>>) -> Option<Result<&'a T, String>> {
    match *state {
        TaskState::Done(Ok(found)) | TaskState::Partial(Ok(found)) => Some(Ok(found)),
        TaskState::Done(Err(error)) | TaskState::Partial(Err(error)) => Some(Err(error.to_string())),
        TaskState::Failed(TaskError::Stopped { .. }) => Some(Err("the search was stopped".to_owned())),
        TaskState::Failed(error) => Some(Err(error.to_string())),
        TaskState::Idle | TaskState::Pending { .. } => None,
    }
}

impl Inspection {
    /// Opens a record from a file, beside the window.
    pub fn open_file(&mut self, path: &Path, tasks: &Tasks) {
        let (name, file) = (files::name_of(path), path.to_owned());
        let info = TaskInfo::asked(TaskGroup::File, format!("Opening {name}"));
        // The same file again is read again.
        self.changed.opening.clear();
        self.changed.opening.ask(path.to_owned(), tasks, info, move |job: &Job<_>| {
            let mut lines = files::open_to_read(&file).map_err(|error| error.to_string())?;
            match Tree::read(&mut lines, job.token()) {
                Ok(tree) => Ok(Arc::new(tree)),
                Err(TreeReadError::Stopped) => Err("reading was stopped".to_owned()),
                Err(error) => Err(error.to_string()),
            }
        });
    }

    /// Back to the search of the board.
    pub(crate) fn close_file(&mut self) {
        self.changed.opening.clear();
        self.changed.opened = None;
    }

    pub fn is_opened(&self) -> bool {
        self.changed.opened.is_some()
    }

    pub(super) fn opened_from(&self) -> Option<&Path> {
        self.changed.opened.as_ref().map(|(path, _)| path.as_path())
    }

    /// Whether there is a file to close.
    pub(super) fn can_close(&self) -> bool {
        self.is_opened() || !matches!(self.changed.opening.state(), TaskState::Idle)
    }

    pub(super) fn is_grown(&self) -> bool {
        !self.changed.grown.is_empty()
    }

    /// What is shown in place of the search of the board.
    pub(super) fn changed_from(&mut self, of_board: Option<Shown>) -> Option<Shown> {
        self.poll_opening();
        let base = self.changed.opened.as_ref().map(|(_, shown)| shown.clone()).or(of_board);
        let key = base.as_ref().map(|shown| (shown.number, shown.row));
        if key != self.changed.base {
            self.changed.base = key;
            self.changed.grown.clear();
            self.changed.forgotten = 0;
            self.changed.growing.clear();
            self.changed.uncut.clear();
        }
        match self.changed.grown.last() {
            Some((number, tree, _)) => base.map(|shown| Shown { number: *number, tree: tree.clone(), ..shown }),
            None => base,
        }
    }

    fn poll_opening(&mut self) {
        if !self.changed.opening.poll() {
            return;
        }
        let Some(Ok(tree)) = self.changed.opening.value() else { return };
        let tree = tree.clone();
        let path = self.changed.opening.key().cloned().unwrap_or_default();
        let (searched, strategy) = match Decision::of_record(&tree) {
            Some((decision, strategy)) => (decision.searches.into_iter().next().flatten(), strategy),
            None => Default::default(),
        };
        let number = self.changed.number();
        let strategy = SharedStrategy::from(strategy);
        let shown = Shown {
            number,
            row: 0,
            tree,
            strategy,
            searched,
            moves: None,
            node: None,
            rows: vec![0],
            struck: Vec::new(),
        };
        self.changed.opened = Some((path, shown));
    }

    /// Searches on from the selected node.
    pub(super) fn search_on(&mut self) {
        let Some(Shown { tree, number, .. }) = &self.shown else { return };
        let (tree, number, id, threads) = (tree.clone(), *number, self.selected, self.threads);
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching on from a node");
        self.changed.growing.clear();
        self.changed.growing.ask((number, id), &self.tasks, info, move |job: &Job<_>| {
            let options = SearchOptions::on_cores(job.token(), threads);
            let Grafted { tree, effect, node, .. } = tree.search_on(id, Tree::USUAL_MORE, GRAFT_CAP, options)?;
            Ok((Arc::new(tree), effect, node))
        });
    }

    pub(super) fn search_uncut(&mut self) {
        let Some(Shown { tree, number, row, .. }) = &self.shown else { return };
        let (tree, key, threads) = (tree.clone(), (*number, *row), self.threads);
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching without cuts");
        self.changed.uncut.clear();
        self.changed.uncut.ask(key, &self.tasks, info, move |job: &Job<_>| {
            Uncut::of(&tree, SearchOptions::on_cores(job.token(), threads))
        });
    }

    /// Takes the search out again that was put in last.
    pub(super) fn take_back(&mut self) {
        self.changed.grown.pop();
        if self.changed.grown.is_empty() {
            self.changed.forgotten = 0;
        }
        self.changed.growing.clear();
        self.changed.uncut.clear();
    }

    /// Puts in what was found; the tree is then another one.
    pub(super) fn poll_changed(&mut self) {
        self.changed.uncut.poll();
        if !self.changed.growing.poll() {
            return;
        }
        let Some(Ok((tree, effect, node))) = self.changed.growing.value() else { return };
        let (tree, effect, node) = (tree.clone(), *effect, *node);
        let number = self.changed.number();
        // Of another tree by now.
        let is_of_this = self.shown.as_ref().map(|shown| shown.number) == self.changed.growing.key().map(|key| key.0);
        self.changed.growing.clear();
        if is_of_this {
            self.changed.grown.push((number, tree, effect));
            self.changed.forget(MOST_KEPT);
            self.changed.uncut.clear();
            self.unfolds = Some(node);
        }
    }

    /// What there is to say above the tree.
    pub(crate) fn changed(&self) -> Vec<ChangedState<'_>> {
        let changed = &self.changed;
        let mut said = Vec::new();
        if let Some(path) = changed.opening.key() {
            match settled(&changed.opening.state()) {
                Some(Err(reason)) => said.push(ChangedState::Refused(path, reason)),
                None if changed.opening.is_pending() => said.push(ChangedState::Opening(path)),
                _ => {}
            }
        }
        said.extend(changed.opened.as_ref().map(|(path, _)| ChangedState::Opened(path)));
        said.extend(
            changed
                .grown
                .last()
                .map(|(_, _, effect)| ChangedState::Grown(changed.forgotten + changed.grown.len(), *effect)),
        );
        match settled(&changed.growing.state()) {
            Some(Err(reason)) => said.push(ChangedState::NotSearchedOn(reason)),
            None if changed.growing.is_pending() => said.push(ChangedState::SearchingOn),
            _ => {}
        }
        match settled(&changed.uncut.state()) {
            Some(Ok(uncut)) => said.push(ChangedState::Uncut(uncut)),
            Some(Err(reason)) => said.push(ChangedState::NotUncut(reason)),
            None if changed.uncut.is_pending() => said.push(ChangedState::SearchingUncut),
            None => {}
        }
        said
    }

    /// Which file could not be opened, and why.
    pub(crate) fn refused(&self) -> Option<String> {
        self.changed().into_iter().find_map(|said| match said {
            ChangedState::Refused(path, reason) => Some(format!("{}: {reason}", files::name_of(path))),
            _ => None,
        })
    }

    pub(super) fn is_changing(&self) -> bool {
        let changed = &self.changed;
        changed.opening.is_pending() || changed.growing.is_pending() || changed.uncut.is_pending()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::panels::tree::tests::tree;

    #[test]
    fn trees_to_go_back_to_are_bounded_by_their_nodes_and_the_shown_one_stays() {
        let tree = tree("(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])");
        let all = |changed: &Changed| (changed.grown.len(), changed.forgotten);
        for (trees, kept) in [(5, 3), (2, 2), (1, 1)] {
            let mut changed = Changed::default();
            changed.grown.extend((0..trees).map(|number| (number, tree.clone(), None)));
            changed.forget(3 * tree.kept());
            assert_eq!(all(&changed), (kept, trees as usize - kept));
            assert_eq!(changed.grown.last().map(|(number, ..)| *number), Some(trees - 1));
            changed.forget(0);
            assert_eq!(all(&changed), (1, trees as usize - 1));
        }
    }
}
