//! View state that the panels of the search tree share: the shown tree, the selected node, folding, filter and replay.
//!
//! It is not saved, and undo covers only added searches. During the next search the old tree stays, and
//! [`Inspection::is_old`] is set. Workers do slow work.

mod changed;
mod commands;
mod filter;
mod folding;
mod spans;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::game::Move;
use crate::search::{
    Cut, Link, Lookahead, NodeId, NotSearched, Replay, Report, SearchOptions, Seen, Skipped,
    SpawnRule, Tree, TreeKind,
};
use crate::strategy::{Decision, Prefer, Searched, SharedStrategy, Strategy};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo, TaskState, Tasks};
use crate::words;
use crate::workbench::command::{Command, Panel, TreeCommand, TreeView, node_commands};
use crate::workbench::panels::tree::bar::record;
use crate::workbench::panels::tree::words as names;
use crate::workbench::state::{self, Decided, Document};
pub(crate) use changed::ChangedState;
pub(crate) use commands::OfNode;
pub(crate) use filter::Filter;
pub(crate) use folding::{Base, Folding, Line, by_worth};
pub(crate) use spans::{Spans, tint};

/// The state of a search below a cut.
#[derive(Debug)]
pub enum SkippedState<'a> {
    /// Running since then.
    Searching(Instant),
    Done(&'a Skipped),
    Failed(String),
}

/// What is known about a node at the current step of the replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Known {
    /// The whole record.
    All,
    /// The node is open: its value by the part searched so far.
    SoFar(Option<f64>),
    /// The search has not reached it.
    Nothing,
}

/// View state of the search tree, shared by all panels that show it.
#[derive(Debug, Default)]
pub struct Inspection {
    pub view: TreeView,
    /// The rule for the spawns of the chosen line.
    rule: SpawnRule,
    /// The node under the pointer, in any panel.
    pub hovered: Option<NodeId>,
    /// Whether the minimap is hidden.
    pub hides_minimap: bool,
    pub filter: Filter,
    pub replay: Option<Replay>,
    /// Whether the replay plays.
    pub replay_plays: bool,
    /// The nodes in row order, while a view has one row per node: the rows above and below are then the siblings.
    pub rows: Option<Arc<[NodeId]>>,
    /// Whether the board shows the value of each spawn.
    pub spawn_map: bool,
    /// The tree of the previous position, if the game went from there to the shown one.
    before_move: Option<Shown>,
    shown: Option<Shown>,
    /// Whether the tree belongs to an earlier board, strategy or depth, during the next search.
    pub is_old: bool,
    /// Whether the search of another strategy is shown next to it.
    pub is_compared: bool,
    /// The requested row of the strategy.
    pub wanted_row: Option<usize>,
    selected: NodeId,
    before: Vec<NodeId>,
    after: Vec<NodeId>,
    folding: Folding,
    line: Line,
    /// The deviations at the ends of the color scale; larger ones look alike.
    pub spans: Spans,
    /// Increases with every change of tree, line or folding.
    pub version: u64,
    check: Latest<(), Option<Report>>,
    /// Trees other than the decision's.
    changed: changed::Changed,
    /// The node to unfold in the next tree, because its descendants are new.
    unfolds: Option<NodeId>,
    /// Searches below cuts that the user requested.
    skipped: HashMap<NodeId, Latest<(), Result<Skipped, NotSearched>>>,
    pub tasks: Tasks,
    /// Number of search threads.
    threads: usize,
    /// The children of a node in the order of the columns.
    listed: Option<(NodeId, Vec<NodeId>)>,
    /// A click selected a node: show its details.
    pub wants_details: bool,
    /// Whether the tools of the tree are in menus, as in all workspaces but Search.
    pub is_brief: bool,
    /// The panel of the judge's tree; `None` for the search tree.
    panel: Option<Panel>,
    /// The review's text about two root moves, for a judge's tree.
    pub judged: Option<JudgedMoves>,
}

/// Two moves of a reviewed position in the tree of the judge.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMoves {
    pub played: Move,
    pub best: Move,
    /// Their difference: `−21,948 (39 %)`; empty if they are the same move.
    pub loss: String,
}

/// Records up to this size are checked within the frame.
const CHECK_AT_ONCE: usize = 2_000;
/// Maximum number of recorded nodes of a search below a cut.
const SKIPPED_CAP: usize = 100_000;

impl Inspection {
    /// The caption of a figure of a search panel.
    pub(crate) fn caption(
        &self,
        panel: Panel,
        doc: &Document,
        of_selection: bool,
    ) -> Option<String> {
        let shown = self.shown()?;
        let tree = &shown.tree;
        let what = match panel {
            Panel::Tree => Command::Tree(TreeCommand::View(self.view)).text(),
            panel => panel.title(),
        };
        let below = match tree.link(self.selected) {
            Some(link) if of_selection && panel == Panel::Tree => {
                format!(" below the {}", names::link_words(link))
            }
            _ => String::new(),
        };
        let is_beside = panel == Panel::Tree && self.is_compared;
        let beside = is_beside
            .then(|| Shown::of(doc.baseline_decided()?, None))
            .flatten();
        let beside = beside.map(|other| format!("; compared with {}", other.caption()));
        let (text, board) = (shown.caption(), &tree.node(tree.root()).board);
        Some(format!(
            "{what}{below} of {text}{}; board {board}",
            beside.unwrap_or_default()
        ))
    }

    /// The view state of the judge's tree.
    pub fn of_judge() -> Self {
        Self {
            panel: Some(Panel::JudgeTree),
            is_brief: true,
            ..Self::default()
        }
    }

    /// The commands of a node.
    pub(crate) fn node_commands(&self) -> Vec<Command> {
        let all = node_commands().into_iter();
        match self.panel() {
            Panel::JudgeTree => all
                .filter(|one| matches!(one, Command::Tree(one) if one.is_of_judge()))
                .collect(),
            _ => all.collect(),
        }
    }

    /// The panel of the tree's nodes.
    pub fn panel(&self) -> Panel {
        self.panel.unwrap_or(Panel::Tree)
    }

    /// Follows the document to another decision; every panel calls it before it draws.
    pub fn follow(&mut self, doc: &Document) {
        let of_board = doc
            .decided()
            .and_then(|decided| Shown::of(decided, self.wanted_row));
        let shown = self.changed_from(of_board, doc.searched_on());
        self.is_old = doc.decision().is_none() && !self.is_opened();
        self.is_compared = doc.baseline().is_some() && !self.is_opened();
        let key = |shown: &Option<Shown>| shown.as_ref().map(|shown| (shown.number, shown.row));
        if key(&shown) != key(&self.shown) {
            self.keep_before(doc, shown.as_ref());
            self.show(shown);
        }

        // An opened record belongs to no position of the game.
        let decided = doc.decided().filter(|_| !self.is_opened());
        let played = decided
            .map(|decided| doc.played_after(decided))
            .unwrap_or_default();
        if played != self.line.played {
            self.line.played = played;
            self.draw_line();
        }

        if !self.is_compared {
            self.rows = None;
        }
        (self.tasks, self.threads) = (doc.tasks().clone(), doc.search_threads());
        self.poll();
    }

    /// Shows the search of a judge, with the moves played after its position.
    pub fn follow_judge(
        &mut self,
        doc: &Document,
        shown: Option<Shown>,
        judged: Option<JudgedMoves>,
        played: Vec<Link>,
    ) {
        self.judged = judged;
        self.is_old = false;
        let key = |shown: &Option<Shown>| shown.as_ref().map(|shown| shown.number);
        if key(&shown) != key(&self.shown) {
            self.show(shown);
        }
        if played != self.line.played {
            self.line.played = played;
            self.draw_line();
        }
        (self.tasks, self.threads) = (doc.tasks().clone(), doc.search_threads());
        self.poll();
    }

    /// The second move to unfold: the played one, else the second best.
    fn beside_best(&self, tree: &Tree) -> Option<NodeId> {
        let played = self
            .judged
            .as_ref()
            .filter(|judged| judged.played != judged.best);
        played
            .and_then(|judged| tree.follow(&[Link::Slide(judged.played)]))
            .or_else(|| runner_up(tree))
    }

    /// Keeps the shown tree if a move leads from its position to that of `next`.
    fn keep_before(&mut self, doc: &Document, next: Option<&Shown>) {
        let before = next.and_then(|next| doc.tree().node(next.node?).parent);
        // Values of two strategies do not compare.
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
        // A requested row belongs to its strategy.
        let by = |shown: &Option<Shown>| shown.as_ref().map(|shown| shown.strategy.hash());
        if by(&before) != by(&self.shown) {
            self.wanted_row = None;
        }

        // Nodes of the previous tree are invalid.
        (self.hovered, self.rows, self.listed, self.wants_details) = (None, None, None, false);
        self.check.clear();
        self.skipped.clear();
        self.filter.follow();
        let Some(Shown { tree, node, .. }) = &self.shown else {
            (self.replay, self.replay_plays) = (None, false);
            (self.selected, self.line) = (NodeId(0), Line::default());
            self.before.clear();
            self.after.clear();
            self.version += 1;
            return;
        };

        let tree = tree.clone();
        // For another strategy on the same board, keeps the selection if the node exists.
        let is_same = |before: &&Shown| {
            before.node == *node
                && (node.is_some() || before.tree.subject().board == tree.subject().board)
        };

        let same_board = before.as_ref().filter(is_same);
        let again = |id: NodeId| tree.follow(&same_board?.tree.links_to(id));
        // The same search, with a search added or removed.
        let same_search = same_board.filter(|before| {
            self.shown
                .as_ref()
                .is_some_and(|shown| shown.base == before.base)
        });
        let nearest = |id: NodeId| same_search?.tree.path(id).into_iter().rev().find_map(again);
        self.selected = again(self.selected)
            .or_else(|| nearest(self.selected))
            .unwrap_or(tree.root());
        self.before = self.before.iter().filter_map(|&id| again(id)).collect();
        self.after = self.after.iter().filter_map(|&id| again(id)).collect();
        let folding = Folding::new(self.folding.base, self.beside_best(&tree));
        self.folding = if same_search.is_some() {
            self.folding.carried(&folding, again)
        } else {
            folding
        };
        let steps = self.replay.is_some()
            && tree.search_kind() == TreeKind::DepthLimited
            && tree.graft_count() == 0;
        (self.replay, self.replay_plays) = (steps.then(|| Replay::new(tree.clone())), false);
        self.spans = Spans::of(&tree);
        if tree.kept() <= CHECK_AT_ONCE && !self.is_opened() {
            self.check.set((), Some(tree.check()));
        }

        self.draw_line();
        let selected = self.selected;
        self.folding.reveal(&tree, &self.line, selected);
        if self.unfolds.take() == Some(selected) {
            self.folding.set(selected, true);
        }
    }

    fn draw_line(&mut self) {
        if let Some(shown) = &self.shown {
            self.line.ids = shown.tree.line(self.rule, &self.line.played);
            self.line.beyond = shown.tree.line_beyond(&self.line.ids, self.rule);
        }
        self.version += 1;
    }

    /// Takes the results of workers.
    fn poll(&mut self) {
        self.poll_skipped();
        self.poll_uncut();
        let Some(shown) = &self.shown else { return };
        if !self.is_old {
            let tree = shown.tree.clone();
            self.check
                .ask((), &self.tasks, TaskInfo::silent(), move |job| {
                    tree.check_until(job.token())
                });
        }
        self.check.poll();
        self.filter.poll(&shown.tree, &self.tasks);
    }

    /// Takes the results of searches below cuts; works without a visible panel.
    pub fn poll_skipped(&mut self) {
        for search in self.skipped.values_mut() {
            search.poll();
        }
    }

    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// The search of a position of the game: the shown one, or that of the previous move. An opened search matches
    /// every position with its board, score and probability of a 4.
    pub fn search_of(&self, doc: &Document, position: state::NodeId) -> Option<&Shown> {
        let (node, p4) = (
            doc.tree().node(position),
            doc.tree().game_of(position).rules.p4,
        );
        let is_of = |shown: &&Shown| match shown.node {
            Some(own) => own == position,
            None if self.is_opened() => {
                let subject = shown.tree.subject();
                let is_same = (shown.tree.decided_on(), subject.score) == (node.board, node.score);
                is_same && subject.definition.rules.p4 == p4
            }
            None => false,
        };
        [&self.shown, &self.before_move]
            .into_iter()
            .flatten()
            .find(is_of)
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

    /// The result of the self-check; `None` until it is done.
    pub fn report(&self) -> Option<&Report> {
        self.check.value().and_then(Option::as_ref)
    }

    /// What is known about a node: everything, or what the search knew at the current step of the replay.
    pub(crate) fn known(&self, id: NodeId) -> Known {
        match &self.replay {
            None => Known::All,
            Some(replay) => match replay.state_of(id) {
                Seen::Done => Known::All,
                Seen::Ahead => Known::Nothing,
                Seen::Open => {
                    let open = replay.now().open;
                    Known::SoFar(
                        open.iter()
                            .find(|frame| frame.id == id)
                            .and_then(|frame| frame.running),
                    )
                }
            },
        }
    }

    /// The tint of a node: its value relative to its parent, −1 to 1; see `Spans`. 0 for the root and for nodes without
    /// a value.
    pub fn tint(&self, id: NodeId) -> f32 {
        let Some(Shown { tree, .. }) = &self.shown else {
            return 0.0;
        };
        if self
            .replay
            .as_ref()
            .is_some_and(|replay| replay.state_of(id) != Seen::Done)
        {
            return 0.0;
        }
        self.spans.tint(tree, id, tree.depth(id) as usize)
    }

    /// A file name for the shown tree, without extension: `move-387-expectimax`.
    pub fn file_stem(&self) -> String {
        let Some(shown) = &self.shown else {
            return "tree".to_owned();
        };
        let place = shown.moves.map_or_else(
            || "position".to_owned(),
            |moves| format!("move-{}", moves + 1),
        );
        let lookahead = match &shown.tree.subject().definition.lookahead {
            Lookahead::OnePly => "one-ply".to_owned(),
            lookahead => lookahead.name().to_lowercase(),
        };
        format!("{place}-{lookahead}")
    }

    pub fn selected(&self) -> NodeId {
        self.selected
    }

    /// Selects a node and unfolds its ancestors.
    pub fn select(&mut self, id: NodeId) {
        if id != self.selected {
            self.before.push(self.selected);
            self.after.clear();
        }
        self.go(id);
    }

    /// Selects a clicked node and shows its details.
    pub fn click(&mut self, id: NodeId) {
        self.select(id);
        self.wants_details = true;
    }

    fn go(&mut self, id: NodeId) {
        let Some(Shown { tree, .. }) = &self.shown else {
            return;
        };
        self.selected = id;
        if !self.folding.is_drawn(tree, &self.line, id) {
            self.folding.reveal(tree, &self.line, id);
            self.version += 1;
        }
    }

    /// Sets the order in which the columns list the children of a node, for the arrow keys.
    pub fn list_siblings(
        &mut self,
        parent: NodeId,
        rows: impl ExactSizeIterator<Item = NodeId> + Clone,
    ) {
        let is_same = |(listed_parent, listed): &(NodeId, Vec<NodeId>)| {
            *listed_parent == parent && rows.clone().eq(listed.iter().copied())
        };
        if !self.listed.as_ref().is_some_and(is_same) {
            self.listed = Some((parent, rows.collect()));
        }
    }

    /// A sibling of the selected node: among the rows, in the order of the columns, or among the drawn ones.
    fn sibling(&self, from: NodeId, step: isize) -> Option<NodeId> {
        if let Some(rows) = &self.rows {
            let place = rows.iter().position(|&id| id == from)?;
            return rows.get(place.checked_add_signed(step)?).copied();
        }
        let tree = &self.shown.as_ref()?.tree;
        let parent = tree.parent(from)?;
        let listed = self.listed.as_ref().filter(|(listed_parent, _)| {
            self.view == TreeView::Columns && *listed_parent == parent
        });
        let shown = match listed {
            Some((_, rows)) => rows.clone(),
            None => self.folding.drawn(tree, &self.line, parent).shown,
        };
        let place = shown.iter().position(|&id| id == from)?;
        shown.get(place.checked_add_signed(step)?).copied()
    }

    /// The child to move to from a node: the one on the line, else the best.
    fn child(&self, from: NodeId) -> Option<NodeId> {
        let tree = &self.shown.as_ref()?.tree;
        let best = || tree.best_child(from);
        let first = || {
            self.folding
                .drawn(tree, &self.line, from)
                .shown
                .first()
                .copied()
        };
        self.line.onward(from).or_else(best).or_else(first)
    }

    pub fn set_unfolded(&mut self, id: NodeId, unfolded: bool) {
        self.folding.set(id, unfolded);
        self.version += 1;
    }

    pub fn is_unfolded(&self, id: NodeId) -> bool {
        let depth = self.shown.as_ref().map_or(0, |shown| shown.tree.depth(id));
        self.folding.is_unfolded(&self.line, id, depth)
    }

    /// Shows all spawns of a node, or only the most informative ones.
    pub fn toggle_all_spawns(&mut self, id: NodeId) {
        self.folding.set(id, true);
        self.folding.toggle_all_spawns(id);
        self.version += 1;
    }

    /// Draws with only the plies unfolded that fit on a page, then restores the folding.
    pub(crate) fn within<R>(&mut self, plies: usize, draw: impl FnOnce(&mut Self) -> R) -> R {
        let Some(folding) = self.folding.within(plies) else {
            return draw(self);
        };
        let before = (std::mem::replace(&mut self.folding, folding), self.version);
        self.version += 1;
        let drawn = draw(self);
        (self.folding, self.version) = before;
        drawn
    }

    fn unfold_to(&mut self, base: Base) {
        let Some(Shown { tree, .. }) = &self.shown else {
            return;
        };
        self.folding = Folding::new(base, self.beside_best(tree));
        self.version += 1;
        // A node that is no longer drawn cannot stay selected.
        let mut selected = self.selected;
        while !self.folding.is_drawn(tree, &self.line, selected)
            && let Some(parent) = tree.parent(selected)
        {
            selected = parent;
        }
        self.select(selected);
    }

    /// The state of the search below a cut; `None` without a request.
    pub fn skipped(&self, id: NodeId) -> Option<SkippedState<'_>> {
        Some(match self.skipped.get(&id)?.state() {
            TaskState::Idle => return None,
            TaskState::Pending { since } => SkippedState::Searching(since),
            TaskState::Partial(Ok(skipped)) | TaskState::Done(Ok(skipped)) => {
                SkippedState::Done(skipped)
            }
            TaskState::Partial(Err(error)) | TaskState::Done(Err(error)) => {
                SkippedState::Failed(error.to_string())
            }
            TaskState::Failed(TaskError::Stopped { .. }) => {
                SkippedState::Failed("the search was stopped".to_owned())
            }
            TaskState::Failed(error) => SkippedState::Failed(error.to_string()),
        })
    }

    fn search_skipped(&mut self, id: NodeId) {
        let Some(Shown { tree, .. }) = &self.shown else {
            return;
        };
        let (tree, threads) = (tree.clone(), self.threads);
        let work = move |job: &Job<_>| {
            let options = SearchOptions::on_cores(job.token(), threads);
            tree.search_skipped(id, SKIPPED_CAP, options)
        };
        self.skipped
            .retain(|&other, search| other != id && !search.is_pending());
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching the skipped nodes");
        self.skipped
            .entry(id)
            .or_default()
            .ask((), &self.tasks, info, work);
    }

    /// The time until the next frame without input; `None` if nothing is running.
    pub fn repaint_after(&self) -> Option<Duration> {
        let is_searching = self.skipped.values().any(Latest::is_pending);
        (is_searching || self.is_changing() || self.replay_plays)
            .then_some(Duration::from_millis(100))
    }
}

fn runner_up(tree: &Tree) -> Option<NodeId> {
    tree.second_best()
        .and_then(|(_, second)| tree.follow(&[Link::Slide(second)]))
}

#[derive(Clone, Debug)]
pub struct Shown {
    /// Unique for each decision, and for each search added to its tree.
    pub number: u64,
    /// The number of the decision.
    pub base: u64,
    /// The searched row of the strategy, from 0.
    pub row: usize,
    pub tree: Arc<Tree>,
    pub strategy: SharedStrategy,
    /// The cost of the search; `None` for one ply.
    pub searched: Option<Searched>,
    /// Moves of the game up to the root; `None` for a board of the position editor.
    pub moves: Option<u32>,
    /// The position of the root in the game; `None` likewise.
    pub node: Option<state::NodeId>,
    pub rows: Vec<usize>,
    /// The moves that an earlier row struck out, and why: `row 1: 18 < 21 − ε 1`.
    pub struck: Vec<(Move, String)>,
}

impl Shown {
    /// The tree of a decision: that of the wanted row if it has one, else of the deciding row, else of the last
    /// evaluated row.
    pub fn of(decided: &Decided, wanted: Option<usize>) -> Option<Self> {
        let has = |row: usize| decided.trees.get(row).is_some_and(Option::is_some);
        let rows: Vec<usize> = (0..decided.trees.len()).filter(|&row| has(row)).collect();

        // The deciding row, else the last that searched, else the last evaluated.
        let searches = |row: &usize| decided.decision.searches[*row].is_some();
        let usual = || {
            decided.decision.deciding().filter(|&row| has(row)).or(rows
                .iter()
                .rev()
                .copied()
                .find(searches))
        };
        let row = wanted
            .filter(|&row| has(row))
            .or_else(usual)
            .or(rows.last().copied())?;
        Some(Self {
            number: decided.number,
            base: decided.number,
            row,
            tree: decided.trees[row].clone()?,
            strategy: decided.strategy.clone(),
            searched: decided.decision.searches[row].clone(),
            moves: decided.moves,
            node: decided.node,
            rows,
            struck: struck(&decided.decision, &decided.strategy, row),
        })
    }

    /// Depth and number of nodes, for a caption.
    pub fn facts(&self) -> String {
        record::facts(self).join(", ").replace(" · ", ", ")
    }

    /// The facts after the strategy's name, unless they start with it.
    pub fn caption(&self) -> String {
        let (label, mut facts) = (self.strategy.label(), self.facts());
        if let Some(threads) = self
            .searched
            .as_ref()
            .and_then(|searched| searched.shared_by)
        {
            facts.push_str(&format!(" on {threads} threads"));
        }
        if facts.starts_with(&format!("{label}, ")) {
            facts
        } else {
            format!("{label}: {facts}")
        }
    }

    /// Evaluator, lookahead, depth and rules: everything that determines the values.
    pub fn definition_text(&self) -> String {
        let mut parts = vec![self.tree.label(), names::how_far(&self.tree)];
        let lookahead = &self.tree.subject().definition.lookahead;
        parts.extend(
            lookahead
                .limits_text()
                .map(|limits| format!("limited to {limits}")),
        );
        parts.extend(lookahead.cuts().iter().map(Cut::text));
        parts.join(" · ")
    }
}

/// The moves struck out before a row was evaluated, with the comparison that they lost.
fn struck(decision: &Decision, strategy: &Strategy, row: usize) -> Vec<(Move, String)> {
    let fell = Move::ALL.into_iter().filter_map(|mv| {
        let (fell_at, text) = fell(decision, strategy, mv).filter(|(fell_at, _)| *fell_at < row)?;
        Some((mv, format!("row {}: {text}", fell_at + 1)))
    });
    fell.collect()
}

/// The row, from 0, at which a move was struck out, with the comparison that it lost: `18 < 21 − ε 1`.
pub(crate) fn fell(decision: &Decision, strategy: &Strategy, mv: Move) -> Option<(usize, String)> {
    let fell_at = decision.moves[mv].as_ref()?.fell_at?;
    let value_of = |mv: Move| decision.moves[mv].as_ref()?.values[fell_at];
    let criterion = strategy.criteria.get(fell_at)?;
    let lower = criterion.prefer == Prefer::Lower;
    let best = Move::ALL
        .into_iter()
        .filter_map(value_of)
        .reduce(if lower { f64::min } else { f64::max })?;
    let (sign, side) = if lower { ('>', '+') } else { ('<', '−') };
    let tolerance = match criterion.tolerance {
        0.0 => String::new(),
        tolerance => format!(" {side} ε {}", words::decimals_short(tolerance)),
    };
    let value = value_of(mv)?;
    let places = words::places([value, best]);
    let [value, best] = [value, best].map(|value| words::decimals(value, places));
    Some((fell_at, format!("{value} {sign} {best}{tolerance}")))
}
