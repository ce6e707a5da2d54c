//! Trees other than the decision's: one opened from a file, and trees with added searches.
//!
//! The document contains the number of the shown tree, so that undo and redo cover added searches; the trees themselves
//! are here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Inspection, Shown};
use crate::files;
use crate::game::Board;
use crate::search::{
    Effect, Grafted, NodeId, NotSearched, NotUncut, SearchOptions, Tree, TreeReadError, Uncut,
};
use crate::strategy::{Decision, SharedStrategy, StrategyHash};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo, TaskState, Tasks};
use crate::workbench::panels::tree::words as names;
use crate::workbench::state;

/// Maximum number of nodes of an added search.
const GRAFT_CAP: usize = 500_000;
/// Numbers of decisions are smaller.
const FIRST_NUMBER: u64 = 1 << 40;

/// A tree with an added search, its effect at the root, the node it starts from, and the number of nodes that rules
/// left out.
type Grown = (Arc<Tree>, Option<Effect>, NodeId, u64);

/// Maximum number of nodes of all trees available to undo: 512 MiB, and at most as much in unused capacity.
const MOST_KEPT: usize = 1 << 24;

/// The tree shown in place of the search of the board, and the searches added to it.
#[derive(Debug, Default)]
pub(super) struct Changed {
    opening: Latest<PathBuf, Result<Arc<Tree>, String>>,
    opened: Option<(PathBuf, Shown)>,
    /// The search that is shown, or that others were added to.
    base: Option<Base>,
    /// Oldest first.
    grown: Vec<Growth>,
    /// The number in the document, and whether that tree is shown; it may belong to another search.
    at: Option<u64>,
    is_grown: bool,
    growing: Latest<(u64, NodeId), Result<Grown, NotSearched>>,
    uncut: Latest<(u64, usize), Result<Uncut, NotUncut>>,
    /// The last number given.
    given: u64,
}

/// The identity of a search to which others were added. A repeated search with the same values is equal.
#[derive(Clone, PartialEq, Debug)]
struct Base {
    file: Option<u64>,
    node: Option<state::NodeId>,
    board: Board,
    strategy: StrategyHash,
    row: usize,
    /// The values of its root moves.
    values: Vec<Option<f64>>,
}

impl Base {
    fn of(shown: &Shown) -> Self {
        let tree = &shown.tree;
        Self {
            file: Some(shown.number).filter(|&number| FIRST_NUMBER < number),
            node: shown.node,
            board: tree.subject().board,
            strategy: shown.strategy.hash(),
            row: shown.row,
            values: tree
                .children(tree.root())
                .map(|id| tree.value(id))
                .collect(),
        }
    }

    /// Its value of the root move that leads to a node.
    fn value_of(&self, tree: &Tree, id: NodeId) -> Option<f64> {
        let child = *tree.path(id).get(1)?;
        let place = tree
            .children(tree.root())
            .position(|other| other == child)?;
        self.values.get(place).copied().flatten()
    }
}

/// A tree with an added search.
#[derive(Debug)]
struct Growth {
    number: u64,
    /// The previous number in the document.
    before: Option<u64>,
    base: Base,
    tree: Arc<Tree>,
    /// The effect at the root, relative to the base.
    effect: Option<Effect>,
    /// Nodes that the last search left out by rules.
    still_cut: u64,
    /// Number of searches added.
    count: usize,
}

/// The state of the trees other than the decision's.
pub(crate) enum ChangedState<'a> {
    Opening(&'a Path),
    /// It could not be opened.
    Refused(&'a Path, String),
    Opened(&'a Path),
    /// The number of searches added, the effect of the last one at the root, and the number of nodes it left out by
    /// rules.
    Grown {
        count: usize,
        effect: Option<Effect>,
        still_cut: u64,
    },
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

    /// The shown tree, if it has added searches.
    fn growth(&self) -> Option<&Growth> {
        self.grown
            .iter()
            .find(|growth| self.is_grown && Some(growth.number) == self.at)
    }

    /// Switches to the tree with the document's number, if it belongs to this search.
    fn turn_to(&mut self, base: Option<Base>, at: Option<u64>) {
        let of_base =
            |growth: &Growth| Some(growth.number) == at && Some(&growth.base) == base.as_ref();
        let is_grown = self.grown.iter().any(of_base);
        if base != self.base || (at, is_grown) != (self.at, self.is_grown) {
            self.growing.clear();
            self.uncut.clear();
        }
        (self.base, self.at, self.is_grown) = (base, at, is_grown);
    }

    /// Drops the oldest trees until the total number of nodes is at most `most`; always keeps the newest. Undoing to a
    /// dropped tree shows the search itself.
    fn forget(&mut self, most: usize) {
        let totals = self.grown.iter().rev().scan(0_usize, |nodes, growth| {
            *nodes = nodes.saturating_add(growth.tree.kept());
            Some(*nodes)
        });
        let count = totals.take_while(|&nodes| nodes <= most).count().max(1);
        self.grown.drain(..self.grown.len().saturating_sub(count));
    }
}

/// The result or the error message; `None` while it is running.
fn settled<'a, T, E: ToString>(
    state: &TaskState<'a, Result<T, E>>,
) -> Option<Result<&'a T, String>> {
    match *state {
        TaskState::Done(Ok(found)) | TaskState::Partial(Ok(found)) => Some(Ok(found)),
        TaskState::Done(Err(error)) | TaskState::Partial(Err(error)) => {
            Some(Err(error.to_string()))
        }
        TaskState::Failed(TaskError::Stopped { .. }) => {
            Some(Err("the search was stopped".to_owned()))
        }
        TaskState::Failed(error) => Some(Err(error.to_string())),
        TaskState::Idle | TaskState::Pending { .. } => None,
    }
}

impl Inspection {
    /// Opens a record from a file, on a worker.
    pub fn open_file(&mut self, path: &Path, tasks: &Tasks) {
        let (name, file) = (files::name_of(path), path.to_owned());
        let info = TaskInfo::asked(TaskGroup::File, format!("Opening {name}"));
        // Reads the file again, even if it is the same one.
        self.changed.opening.clear();
        self.changed
            .opening
            .ask(path.to_owned(), tasks, info, move |job: &Job<_>| {
                let mut lines = files::open_to_read(&file).map_err(|error| error.to_string())?;
                match Tree::read(&mut lines, job.token()) {
                    Ok(tree) => Ok(Arc::new(tree)),
                    Err(TreeReadError::Stopped) => Err("reading was stopped".to_owned()),
                    Err(error) => Err(error.to_string()),
                }
            });
    }

    /// Returns to the search of the board.
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
        self.changed.growth().is_some()
    }

    /// The tree to show in place of the search of the board; `at` is the document's number of a tree with added
    /// searches.
    pub(super) fn changed_from(
        &mut self,
        of_board: Option<Shown>,
        at: Option<u64>,
    ) -> Option<Shown> {
        self.poll_opening();
        let base = self
            .changed
            .opened
            .as_ref()
            .map(|(_, shown)| shown.clone())
            .or(of_board);
        self.changed.turn_to(base.as_ref().map(Base::of), at);
        match self.changed.growth() {
            Some(growth) => base.map(|shown| Shown {
                number: growth.number,
                tree: growth.tree.clone(),
                ..shown
            }),
            None => base,
        }
    }

    fn poll_opening(&mut self) {
        if !self.changed.opening.poll() {
            return;
        }

        let Some(Ok(tree)) = self.changed.opening.value() else {
            return;
        };
        let tree = tree.clone();
        let path = self.changed.opening.key().cloned().unwrap_or_default();
        let (searched, strategy) = match Decision::of_record(&tree) {
            Some((decision, strategy)) => {
                (decision.searches.into_iter().next().flatten(), strategy)
            }
            None => Default::default(),
        };

        let number = self.changed.number();
        let strategy = SharedStrategy::from(strategy);
        let shown = Shown {
            number,
            base: number,
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

    /// Starts a deeper search from the selected node.
    pub(super) fn search_on(&mut self) {
        let Some(Shown { tree, number, .. }) = &self.shown else {
            return;
        };
        let (tree, number, id, threads) = (tree.clone(), *number, self.selected, self.threads);
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching deeper from a node");
        self.changed.growing.clear();
        self.changed
            .growing
            .ask((number, id), &self.tasks, info, move |job: &Job<_>| {
                let options = SearchOptions::on_cores(job.token(), threads);
                let found = tree.search_on(id, Tree::USUAL_MORE, GRAFT_CAP, options)?;
                let Grafted {
                    tree,
                    effect,
                    node,
                    still_cut,
                    ..
                } = found;
                Ok((Arc::new(tree), effect, node, still_cut))
            });
    }

    pub(super) fn search_uncut(&mut self) {
        let Some(Shown {
            tree, number, row, ..
        }) = &self.shown
        else {
            return;
        };
        let (tree, key, threads) = (tree.clone(), (*number, *row), self.threads);
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching without cuts");
        self.changed.uncut.clear();
        self.changed
            .uncut
            .ask(key, &self.tasks, info, move |job: &Job<_>| {
                Uncut::of(&tree, SearchOptions::on_cores(job.token(), threads))
            });
    }

    /// The number in the document before the last search was added.
    pub fn before_searched_on(&self) -> Option<u64> {
        self.changed.growth()?.before
    }

    /// Takes a finished added search: the number for the document, and a description.
    pub fn take_grown(&mut self) -> Option<(u64, String)> {
        if !self.changed.growing.poll() {
            return None;
        }

        let &(number_then, from) = self.changed.growing.key()?;
        let Some(Ok((tree, effect, node, still_cut))) = self.changed.growing.value() else {
            return None;
        };
        let (tree, effect, node, still_cut) = (tree.clone(), *effect, *node, *still_cut);
        self.changed.growing.clear();
        // Another tree may be shown by now.
        let shown = self
            .shown
            .as_ref()
            .filter(|shown| shown.number == number_then)?;
        let base = self.changed.base.clone()?;
        let what = format!("search deeper from {}", names::number(&shown.tree, from));
        // Relative to the original search, whatever was added since.
        let effect = effect.map(|effect| Effect {
            before: base.value_of(&tree, node).unwrap_or(effect.before),
            ..effect
        });

        let count = 1 + self.changed.growth().map_or(0, |growth| growth.count);
        let (number, before) = (self.changed.number(), self.changed.at);
        self.changed.grown.push(Growth {
            number,
            before,
            base,
            tree,
            effect,
            still_cut,
            count,
        });
        self.changed.forget(MOST_KEPT);
        self.unfolds = Some(node);
        Some((number, what))
    }

    pub(super) fn poll_uncut(&mut self) {
        self.changed.uncut.poll();
    }

    /// The states to show above the tree.
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
        said.extend(
            changed
                .opened
                .as_ref()
                .map(|(path, _)| ChangedState::Opened(path)),
        );
        said.extend(changed.growth().map(
            |&Growth {
                 count,
                 effect,
                 still_cut,
                 ..
             }| ChangedState::Grown {
                count,
                effect,
                still_cut,
            },
        ));
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

    /// The file that could not be opened, and why.
    pub(crate) fn refused(&self) -> Option<String> {
        self.changed().into_iter().find_map(|said| match said {
            ChangedState::Refused(path, reason) => {
                Some(format!("{}: {reason}", files::name_of(path)))
            }
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
    fn trees_to_go_back_to_are_bounded_by_their_nodes_and_the_newest_stays() {
        let tree = tree("(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])");
        let base = Base {
            file: None,
            node: None,
            board: tree.subject().board,
            strategy: SharedStrategy::default().hash(),
            row: 0,
            values: Vec::new(),
        };

        let growth = |number: u64| Growth {
            number,
            before: number.checked_sub(1),
            base: base.clone(),
            tree: tree.clone(),
            effect: None,
            still_cut: 0,
            count: number as usize + 1,
        };

        for (trees, expected) in [(5, 3), (2, 2), (1, 1)] {
            let mut changed = Changed::default();
            changed.grown.extend((0..trees).map(growth));
            changed.forget(3 * tree.kept());
            assert_eq!(changed.grown.len(), expected);
            let shows = |changed: &mut Changed, at| {
                changed.turn_to(Some(base.clone()), at);
                changed.growth().map(|growth| growth.number)
            };
            assert_eq!(shows(&mut changed, Some(trees - 1)), Some(trees - 1));
            changed.forget(0);
            assert_eq!(changed.grown.len(), 1);
            assert_eq!(
                shows(&mut changed, Some(trees)),
                None,
                "one that is not kept"
            );
            assert_eq!(shows(&mut changed, None), None);
            changed.turn_to(
                Some(Base {
                    row: 1,
                    ..base.clone()
                }),
                Some(trees - 1),
            );
            assert!(changed.growth().is_none(), "another row");
        }
    }
}
