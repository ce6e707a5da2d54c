//! What the panels of the search tree agree on: which tree is shown, which node is selected, what is folded, filtered and
//! stepped through.
//!
//! It is view state: undo does not reach it and no file keeps it. It follows the decision on the board; while the next one
//! is searched the old tree stays, and [`Inspection::is_old`] says so. What takes long (the self-check, filters, searches
//! of what was skipped) is done beside the window.

mod commands;
mod filter;
mod folding;
mod shown;
mod spans;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) use filter::Filter;
pub(crate) use folding::{Base, Folding, Line};
pub(crate) use shown::Shown;
pub(crate) use spans::Spans;
pub(crate) use spans::tint;

use crate::search::{Link, Lookahead, NodeId, NotSearched, Replay, Report, SearchOptions, Skipped, SpawnRule, Tree};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo, Tasks, threads_for_window};
use crate::workbench::command::TreeView;
use crate::workbench::state::{self, Document};

/// What became of a search below a cut.
#[derive(Debug)]
pub enum SkippedState {
    /// It goes on, since then.
    Searching(Instant),
    Done(Arc<Skipped>),
    Failed(String),
}

/// View state of the search tree, shared by all panels that show it.
#[derive(Debug)]
pub struct Inspection {
    pub view: TreeView,
    /// Which spawns are on the chosen line.
    rule: SpawnRule,
    /// The node under the pointer, in whichever panel.
    pub hovered: Option<NodeId>,
    /// Whether the whole tree is drawn in the corner.
    pub minimap: bool,
    pub filter: Filter,
    /// The replay of the search while it is stepped through.
    pub replay: Option<Replay>,
    /// Whether the replay runs by itself.
    pub replay_plays: bool,
    /// The nodes in the order of the rows, while a view shows one row for each: siblings are then the rows above and below.
    pub rows: Option<Arc<[NodeId]>>,
    /// Whether the board shows what each spawn is worth.
    pub spawn_map: bool,
    /// The tree of the position before the one whose tree is shown, if the game went from one to the other.
    before_move: Option<Shown>,
    shown: Option<Shown>,
    is_old: bool,
    wanted_row: Option<usize>,
    selected: NodeId,
    before: Vec<NodeId>,
    after: Vec<NodeId>,
    folding: Folding,
    line: Line,
    spans: Spans,
    version: u64,
    check: Latest<(), Option<Report>>,
    skipped: HashMap<NodeId, SkippedState>,
    skipping: Latest<NodeId, Result<Skipped, NotSearched>>,
    tasks: Tasks,
    /// The nodes below one as the columns list them.
    listed: Option<(NodeId, Vec<NodeId>)>,
    /// A click selected a node, so that its details should be seen.
    wants_details: bool,
}

impl Default for Inspection {
    fn default() -> Self {
        Self {
            view: TreeView::default(),
            rule: SpawnRule::Median,
            hovered: None,
            minimap: true,
            filter: Filter::default(),
            replay: None,
            replay_plays: false,
            rows: None,
            spawn_map: false,
            before_move: None,
            shown: None,
            is_old: false,
            wanted_row: None,
            selected: NodeId(0),
            before: Vec::new(),
            after: Vec::new(),
            folding: Folding::default(),
            line: Line::default(),
            spans: Spans::default(),
            version: 0,
            check: Latest::default(),
            skipped: HashMap::new(),
            skipping: Latest::default(),
            tasks: Tasks::default(),
            listed: None,
            wants_details: false,
        }
    }
}

/// Records up to here are checked while the window waits.
const CHECK_AT_ONCE: usize = 2_000;
/// Most nodes of a search below a cut that are kept.
const SKIPPED_CAP: usize = 100_000;

impl Inspection {
    /// Follows the document to another decision; every panel does so before it draws.
    pub fn follow(&mut self, doc: &Document) {
        self.is_old = doc.decision().is_none();
        let shown = doc.decided().and_then(|decided| Shown::of(decided, self.wanted_row));
        let key = |shown: &Option<Shown>| shown.as_ref().map(|shown| (shown.number, shown.row));
        if key(&shown) != key(&self.shown) {
            self.keep_before(doc, shown.as_ref());
            self.show(shown);
        }
        let played = doc.decided().map(|decided| doc.played_after(decided)).unwrap_or_default();
        if played != self.line.played {
            self.line.played = played;
            self.draw_line();
        }
        if doc.baseline().is_none() {
            self.rows = None;
        }
        self.tasks = doc.tasks().clone();
        self.poll();
    }

    /// Keeps the tree that is shown if `next` is of the position that a move led to from there.
    fn keep_before(&mut self, doc: &Document, next: Option<&Shown>) {
        let before = next.and_then(|next| doc.tree().node(next.node?).parent);
        // The numbers of two strategies do not belong together.
        let by = next.map(|next| next.strategy.hash());
        let is_before = |shown: &Option<Shown>| {
            let is_same = |shown: &Shown| shown.node == before && Some(shown.strategy.hash()) == by;
            before.is_some() && shown.as_ref().is_some_and(is_same)
        };
        if is_before(&self.shown) {
            self.before_move = self.shown.clone();
        } else if !is_before(&self.before_move) {
            self.before_move = None;
        }
    }

    fn show(&mut self, shown: Option<Shown>) {
        let before = std::mem::replace(&mut self.shown, shown);
        // A row that was asked for is one of that strategy.
        let by = |shown: &Option<Shown>| shown.as_ref().map(|shown| shown.strategy.hash());
        if by(&before) != by(&self.shown) {
            self.wanted_row = None;
        }
        // Nodes of the tree before are none of this one.
        self.hovered = None;
        self.rows = None;
        self.check.clear();
        self.skipped.clear();
        self.skipping.clear();
        self.listed = None;
        self.wants_details = false;
        let Some(Shown { tree, node, .. }) = &self.shown else {
            (self.replay, self.replay_plays) = (None, false);
            (self.selected, self.line.ids) = (NodeId(0), Vec::new());
            self.before.clear();
            self.after.clear();
            self.filter.follow(None);
            self.version += 1;
            return;
        };
        let tree = tree.clone();
        // Another strategy on the same board: what was selected is selected again, if it is there.
        let same_board = before.as_ref().filter(|before| before.node == *node && node.is_some());
        let again = |id: NodeId| tree.follow(&same_board?.tree.links_to(id));
        self.selected = again(self.selected).unwrap_or(tree.root());
        self.before = self.before.iter().filter_map(|&id| again(id)).collect();
        self.after = self.after.iter().filter_map(|&id| again(id)).collect();
        let runner_up = tree.second_best().and_then(|(_, second)| tree.follow(&[Link::Slide(second)]));
        self.folding = Folding::new(self.folding.base(), runner_up);
        (self.replay, self.replay_plays) = (self.replay.is_some().then(|| Replay::new(tree.clone())), false);
        self.spans = Spans::of(&tree);
        if tree.kept() <= CHECK_AT_ONCE {
            self.check.set((), Some(tree.check()));
        }
        self.filter.follow(Some(&tree));
        self.draw_line();
        let selected = self.selected;
        self.folding.reveal(&tree, &self.line, selected);
    }

    fn draw_line(&mut self) {
        if let Some(shown) = &self.shown {
            self.line.ids = shown.tree.line(self.rule, &self.line.played);
        }
        self.version += 1;
    }

    /// Takes what was found out beside the window.
    fn poll(&mut self) {
        let Some(shown) = &self.shown else { return };
        if !self.is_old {
            let tree = shown.tree.clone();
            self.check.ask((), &self.tasks, TaskInfo::silent(), move |job| tree.check_until(job.token()));
        }
        self.check.poll();
        self.filter.poll(&shown.tree, &self.tasks);
        if self.skipping.poll()
            && let Some(&id) = self.skipping.key()
        {
            let state = match (self.skipping.take(), self.skipping.failed()) {
                (Some(Ok(skipped)), _) => SkippedState::Done(Arc::new(skipped)),
                (Some(Err(error)), _) => SkippedState::Failed(error.to_string()),
                (None, Some(TaskError::Stopped { .. }) | None) => {
                    SkippedState::Failed("the search was stopped".to_owned())
                }
                (None, Some(reason)) => SkippedState::Failed(reason.to_string()),
            };
            self.skipped.insert(id, state);
        }
    }

    /// Where work beside the window is begun.
    pub(crate) fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    // What is shown

    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// The tree of a position of the game: the one that is shown, or that of the move before.
    pub fn tree_of(&self, position: state::NodeId) -> Option<&Arc<Tree>> {
        let known = [&self.shown, &self.before_move].into_iter().flatten();
        known.into_iter().find(|shown| shown.node == Some(position)).map(|shown| &shown.tree)
    }

    /// Whether the tree belongs to an earlier board, strategy or depth, while the next is searched.
    pub fn is_old(&self) -> bool {
        self.is_old
    }

    /// Shows the tree of another row of the strategy.
    pub fn show_row(&mut self, row: usize) {
        self.wanted_row = Some(row);
    }

    /// Grows with every change of what is drawn: tree, line, folding.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn folding(&self) -> &Folding {
        &self.folding
    }

    pub fn line(&self) -> &Line {
        &self.line
    }

    pub fn rule(&self) -> SpawnRule {
        self.rule
    }

    pub fn set_rule(&mut self, rule: SpawnRule) {
        if self.rule != rule {
            self.rule = rule;
            self.draw_line();
        }
    }

    /// What the self-check said; `None` until it is done.
    pub fn report(&self) -> Option<&Report> {
        self.check.value().and_then(Option::as_ref)
    }

    /// What a node is coloured by: its value against that of the node above, −1 to 1; see [`Inspection::spans`]. The root and
    /// nodes without a value are at 0.
    pub fn tint(&self, id: NodeId) -> f32 {
        let Some(Shown { tree, .. }) = &self.shown else { return 0.0 };
        self.spans.tint(tree, id, tree.depth(id) as usize)
    }

    /// The deviations at the ends of the colour scale; larger ones look alike.
    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Name for a file about what is shown, without its ending: `move-387-expectimax`.
    pub fn file_stem(&self) -> String {
        let Some(shown) = &self.shown else { return "tree".to_owned() };
        let place = shown.moves.map_or_else(|| "position".to_owned(), |moves| format!("move-{moves}"));
        let lookahead = match &shown.tree.subject().definition.lookahead {
            Lookahead::OnePly => "one-ply".to_owned(),
            lookahead @ Lookahead::DepthLimited(_) => lookahead.name().to_lowercase(),
        };
        format!("{place}-{lookahead}")
    }

    // The selection

    pub fn selected(&self) -> NodeId {
        self.selected
    }

    /// Selects a node and unfolds what is above it.
    pub fn select(&mut self, id: NodeId) {
        let Some(Shown { tree, .. }) = &self.shown else { return };
        let tree = tree.clone();
        if id != self.selected {
            self.before.push(self.selected);
            self.after.clear();
        }
        self.go(&tree, id);
    }

    /// The same for a click: its details come to the front.
    pub fn click(&mut self, id: NodeId) {
        self.select(id);
        self.wants_details = true;
    }

    fn go(&mut self, tree: &Tree, id: NodeId) {
        self.selected = id;
        if !self.folding.is_drawn(tree, &self.line, id) {
            self.folding.reveal(tree, &self.line, id);
            self.version += 1;
        }
    }

    fn back(&mut self) {
        let Some(shown) = &self.shown else { return };
        let tree = shown.tree.clone();
        if let Some(id) = self.before.pop() {
            self.after.push(self.selected);
            self.go(&tree, id);
        }
    }

    fn forward(&mut self) {
        let Some(shown) = &self.shown else { return };
        let tree = shown.tree.clone();
        if let Some(id) = self.after.pop() {
            self.before.push(self.selected);
            self.go(&tree, id);
        }
    }

    /// Says in which order the columns list what is below a node, so that the arrows walk it.
    pub fn list_siblings(&mut self, parent: NodeId, rows: impl ExactSizeIterator<Item = NodeId> + Clone) {
        let is_same = |(of, listed): &(NodeId, Vec<NodeId>)| *of == parent && rows.clone().eq(listed.iter().copied());
        if !self.listed.as_ref().is_some_and(is_same) {
            self.listed = Some((parent, rows.collect()));
        }
    }

    /// A sibling of the selected node among those that are drawn or, in the columns, listed, or in its ply the next drawn node.
    fn sibling(&self, step: isize) -> Option<NodeId> {
        if let Some(rows) = &self.rows {
            let place = rows.iter().position(|&id| id == self.selected)?;
            return rows.get(place.checked_add_signed(step)?).copied();
        }
        let tree = &self.shown.as_ref()?.tree;
        let parent = tree.parent(self.selected)?;
        let listed = self.listed.as_ref().filter(|(of, _)| self.view == TreeView::Columns && *of == parent);
        let shown = match listed {
            Some((_, rows)) => rows.clone(),
            None => self.folding.drawn(tree, &self.line, parent).shown,
        };
        let place = shown.iter().position(|&id| id == self.selected)?;
        shown.get(place.checked_add_signed(step)?).copied()
    }

    /// The child that a step to the right leads to: the one on the line, else the best.
    fn child(&self) -> Option<NodeId> {
        let tree = &self.shown.as_ref()?.tree;
        let best = || tree.best_child(self.selected);
        let first = || self.folding.drawn(tree, &self.line, self.selected).shown.first().copied();
        self.line.after(self.selected).or_else(best).or_else(first)
    }

    // Folding

    pub fn set_unfolded(&mut self, id: NodeId, unfolded: bool) {
        self.folding.set(id, unfolded);
        self.version += 1;
    }

    /// Whether what is below a node is drawn.
    pub fn is_unfolded(&self, id: NodeId) -> bool {
        let depth = self.shown.as_ref().map_or(0, |shown| shown.tree.depth(id));
        self.folding.is_unfolded(&self.line, id, depth)
    }

    /// Draws every spawn of a node, or only those that say most.
    pub fn toggle_all_spawns(&mut self, id: NodeId) {
        self.folding.set(id, true);
        self.folding.toggle_all_spawns(id);
        self.version += 1;
    }

    fn unfold_to(&mut self, base: Base) {
        let Some(shown) = &self.shown else { return };
        let tree = shown.tree.clone();
        let runner_up = tree.second_best().and_then(|(_, second)| tree.follow(&[Link::Slide(second)]));
        self.folding = Folding::new(base, runner_up);
        self.version += 1;
        // What is no longer drawn cannot stay selected.
        let mut selected = self.selected;
        while !self.folding.is_drawn(&tree, &self.line, selected)
            && let Some(parent) = tree.parent(selected)
        {
            selected = parent;
        }
        self.select(selected);
    }

    // What was skipped

    /// What became of the search below a cut; `None` if nobody asked.
    pub fn skipped(&self, id: NodeId) -> Option<&SkippedState> {
        self.skipped.get(&id)
    }

    fn search_skipped(&mut self, id: NodeId) {
        let Some(Shown { tree, .. }) = &self.shown else { return };
        let tree = tree.clone();
        let work = move |job: &Job<_>| {
            let options = SearchOptions { stop: job.token(), cores: threads_for_window() };
            tree.search_skipped(id, SKIPPED_CAP, options)
        };
        if let Some(old) = self.skipping.key().filter(|_| self.skipping.is_pending()) {
            self.skipped.remove(old);
        }
        self.skipping.clear();
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching what was skipped");
        self.skipping.ask(id, &self.tasks, info, work);
        self.skipped.insert(id, SkippedState::Searching(Instant::now()));
    }

    /// Holds the replay where it runs by itself; says whether it did.
    pub fn pause(&mut self) -> bool {
        std::mem::take(&mut self.replay_plays)
    }

    /// Whether the details of the node should come to the front, once.
    pub fn takes_details(&mut self) -> bool {
        std::mem::take(&mut self.wants_details)
    }

    /// How long until the next frame is due although nothing was pressed; `None` while nothing runs by itself.
    pub fn repaint_after(&self) -> Option<Duration> {
        (self.skipping.is_pending() || self.replay_plays).then_some(Duration::from_millis(100))
    }
}
