//! What the panels of the search tree agree on: which tree is shown, which node is selected, what is folded, filtered and
//! stepped through.
//!
//! It is view state: undo does not reach it and no file keeps it. It follows the decision on the board; while the next one
//! is searched the old tree stays, and [`Inspection::is_old`] says so. What takes long (the self-check, filters, searches
//! of what was skipped) is done by errands beside the window.

mod filter;
mod folding;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) use filter::Filter;
pub(crate) use folding::{Base, Folding, Line};

use crate::game::{Move, Step};
use crate::search::{
    Cut, Link, Lookahead, NodeId, NotSearched, Replay, ReplayEvent, Report, SearchOptions, Skipped, SpawnRule, Tree,
    layers,
};
use crate::strategy::{Decision, Prefer, Searched, Strategy};
use crate::task::threads_for_window;
use crate::words;
use crate::workbench::command::{Command, Commands, TreeCommand, TreeView};
use crate::workbench::document::{self, Decided, Document};
use crate::workbench::errand::{Errand, Wake};
use crate::workbench::layout::Panel;

/// The tree that is shown and whose it is.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Another number for each decision.
    pub number: u64,
    /// The row of the strategy whose search it is, from 0.
    pub row: usize,
    pub tree: Arc<Tree>,
    pub strategy: Arc<Strategy>,
    /// What the search took; `None` for one ply.
    pub searched: Option<Searched>,
    /// Moves of the game up to the root; `None` for a board of the position editor.
    pub moves: Option<u32>,
    /// The position of the root in the game; `None` likewise.
    pub node: Option<document::NodeId>,
    /// The rows that have a tree.
    pub rows: Vec<usize>,
    /// The moves that a row before this one struck out, and why: `row 1: 18 < 21 − ε 1`.
    pub struck: Vec<(Move, String)>,
}

impl Shown {
    /// The tree of a decision: that of the wanted row if it has one, else of the row that decided, else of the last that
    /// was asked.
    pub fn of(decided: &Decided, wanted: Option<usize>) -> Option<Self> {
        let has = |row: usize| decided.trees.get(row).is_some_and(Option::is_some);
        let rows: Vec<usize> = (0..decided.trees.len()).filter(|&row| has(row)).collect();
        // The row that decided, else the last that searched, else the last that was asked.
        let searches = |row: &usize| decided.decision.searches[*row].is_some();
        let usual =
            || decided.decision.deciding().filter(|&row| has(row)).or(rows.iter().rev().copied().find(searches));
        let row = wanted.filter(|&row| has(row)).or_else(usual).or(rows.last().copied())?;
        Some(Self {
            number: decided.number,
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

    /// Evaluator, lookahead, layers and rules: what the numbers depend on.
    pub fn definition_text(&self) -> String {
        let subject = self.tree.subject();
        let lookahead = &subject.definition.lookahead;
        let name = if *lookahead == Lookahead::OnePly { "One-ply" } else { lookahead.name() };
        let mut parts = vec![name.to_owned(), subject.definition.evaluator.label()];
        parts.push(format!(
            "{} = {}",
            words::plural(u64::from(subject.plies), "ply").replace("plys", "plies"),
            layers(subject.plies)
        ));
        parts.extend(lookahead.cuts().iter().map(Cut::text));
        parts.join(" · ")
    }
}

/// The moves struck out before a row was asked, with the comparison that they lost.
fn struck(decision: &Decision, strategy: &Strategy, row: usize) -> Vec<(Move, String)> {
    let fell = Move::ALL.into_iter().filter_map(|mv| {
        let fell_at = decision.moves[mv].as_ref()?.fell_at.filter(|&fell_at| fell_at < row)?;
        let value_of = |mv: Move| decision.moves[mv].as_ref()?.values[fell_at];
        let criterion = &strategy.criteria[fell_at];
        let lower = criterion.prefer == Prefer::Lower;
        let best = Move::ALL.into_iter().filter_map(value_of).reduce(if lower { f64::min } else { f64::max })?;
        let (sign, side) = if lower { ('>', '+') } else { ('<', '−') };
        let tolerance = match criterion.tolerance {
            0.0 => String::new(),
            tolerance => format!(" {side} ε {}", words::decimals_short(tolerance)),
        };
        let value = words::value(value_of(mv)?);
        Some((mv, format!("row {}: {value} {sign} {}{tolerance}", fell_at + 1, words::value(best))))
    });
    fell.collect()
}

/// What became of a search below a cut.
#[derive(Debug)]
pub enum SkippedState {
    /// It goes on, since then.
    Searching(Instant),
    Done(Arc<Skipped>),
    /// It gave nothing, for this reason.
    Failed(String),
}

/// View state of the search tree, shared by all panels that show it.
#[derive(Debug)]
pub struct Inspection {
    /// How the tree is drawn.
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
    check: Option<Errand<Option<Report>>>,
    report: Option<Report>,
    skipped: HashMap<NodeId, SkippedState>,
    skipping: Option<(NodeId, Errand<Result<Skipped, NotSearched>>)>,
    /// The nodes below one as the columns list them.
    listed: Option<(NodeId, Vec<NodeId>)>,
    /// A click selected a node, so that its sheet should be seen.
    wants_sheet: bool,
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
            check: None,
            report: None,
            skipped: HashMap::new(),
            skipping: None,
            listed: None,
            wants_sheet: false,
        }
    }
}

/// As many values of a ply are looked at to find the span of its colours.
const SAMPLES: usize = 4096;
/// Deviations above this share of all are drawn alike.
const SPAN_QUANTILE: f64 = 0.95;
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
        if doc.rival().is_none() {
            self.rows = None;
        }
        self.poll(&doc.wake());
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
        (self.check, self.report) = (None, None);
        self.skipped.clear();
        self.skipping = None;
        self.listed = None;
        self.wants_sheet = false;
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
            self.report = Some(tree.check());
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

    /// Takes what errands have found.
    fn poll(&mut self, wake: &Wake) {
        let Some(shown) = &self.shown else { return };
        if self.report.is_none() && self.check.is_none() && !self.is_old {
            let tree = shown.tree.clone();
            self.check = Some(Errand::send(wake.clone(), move |stop| tree.check_until(stop)));
        }
        // An errand answers once: asked again it would say that it has ended.
        if self.report.is_none()
            && let Some(answer) = self.check.as_ref().and_then(Errand::poll)
        {
            self.report = answer.ok().flatten();
        }
        self.filter.poll(&shown.tree, wake);
        if let Some((id, errand)) = &self.skipping
            && let Some(answer) = errand.poll()
        {
            let state = match answer {
                Ok(Ok(skipped)) => SkippedState::Done(Arc::new(skipped)),
                Ok(Err(error)) => SkippedState::Failed(error.to_string()),
                Err(reason) => SkippedState::Failed(reason),
            };
            self.skipped.insert(*id, state);
            self.skipping = None;
        }
    }

    // What is shown

    /// The tree and whose it is; `None` before the first decision.
    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// The tree of a position of the game: the one that is shown, or that of the move before.
    pub fn tree_of(&self, position: document::NodeId) -> Option<&Arc<Tree>> {
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

    /// Which spawns are on the chosen line.
    pub fn rule(&self) -> SpawnRule {
        self.rule
    }

    /// Takes other spawns for the chosen line.
    pub fn set_rule(&mut self, rule: SpawnRule) {
        if self.rule != rule {
            self.rule = rule;
            self.draw_line();
        }
    }

    /// What the self-check said; `None` until it is done.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
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
            lookahead => lookahead.name().to_lowercase(),
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

    /// The same for a click: its sheet comes to the front.
    pub fn click(&mut self, id: NodeId) {
        self.select(id);
        self.wants_sheet = true;
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

    /// Folds or unfolds a node.
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

    fn search_skipped(&mut self, id: NodeId, wake: Wake) {
        let Some(Shown { tree, .. }) = &self.shown else { return };
        let tree = tree.clone();
        let work =
            move |stop: &_| tree.search_skipped(id, SKIPPED_CAP, SearchOptions { stop, cores: threads_for_window() });
        if let Some((old, _)) = self.skipping.replace((id, Errand::send(wake, work))) {
            self.skipped.remove(&old);
        }
        self.skipped.insert(id, SkippedState::Searching(Instant::now()));
    }

    /// What errands do that take long enough to be told, in words.
    pub fn busy(&self) -> Option<String> {
        let tell = |since: Instant| document::TELL_AFTER <= since.elapsed();
        if self.skipping.as_ref().is_some_and(|(_, errand)| tell(errand.since())) {
            return Some("Searching what was skipped".to_owned());
        }
        self.filter.is_busy().then(|| "Filtering the tree".to_owned())
    }

    /// Ends errands that a person asked for; says whether there were any.
    pub fn stop(&mut self) -> bool {
        if let Some((id, _)) = self.skipping.take() {
            self.skipped.insert(id, SkippedState::Failed("the search was stopped".to_owned()));
            return true;
        }
        std::mem::take(&mut self.replay_plays)
    }

    /// Whether [`Inspection::stop`] has something to end.
    pub fn can_stop(&self) -> bool {
        self.skipping.is_some() || self.replay_plays
    }

    /// Whether the sheet of the node should come to the front, once.
    pub fn takes_sheet(&mut self) -> bool {
        std::mem::take(&mut self.wants_sheet)
    }

    // Commands

    /// Whether a command makes sense now, else why not.
    pub fn can(&self, command: TreeCommand) -> Result<(), &'static str> {
        let requires = |condition: bool, reason| if condition { Ok(()) } else { Err(reason) };
        let no_tree = "No search yet: play, or press Enter";
        let Some(Shown { tree, node, .. }) = &self.shown else { return Err(no_tree) };
        match command {
            TreeCommand::Parent => requires(tree.parent(self.selected).is_some(), "This is the root"),
            TreeCommand::Child | TreeCommand::Unfold | TreeCommand::Fold => {
                requires(tree.kept_below(self.selected) != 0, "Nothing is recorded below this node")
            }
            TreeCommand::PreviousSibling => requires(self.sibling(-1).is_some(), "This is the first of its siblings"),
            TreeCommand::NextSibling => requires(self.sibling(1).is_some(), "This is the last of its siblings"),
            TreeCommand::Back => requires(!self.before.is_empty(), "Nothing was selected before"),
            TreeCommand::Forward => requires(!self.after.is_empty(), "Nothing was selected after"),
            TreeCommand::NextMatch | TreeCommand::PreviousMatch => {
                requires(self.filter.is_on(), "There is no filter: type one, such as kind:cut")?;
                requires(!self.filter.matches().is_empty(), "No node of this tree matches the filter")
            }
            TreeCommand::ClearFilter => requires(!self.filter.text.is_empty(), "There is no filter"),
            TreeCommand::OpenOnBoard => {
                requires(node.is_some(), "The position editor is open: press Apply or Cancel first")?;
                requires(tree.parent(self.selected).is_some(), "This board is on the board")
            }
            TreeCommand::SearchSkipped => requires(
                tree.is_skipped(self.selected),
                "Nothing was skipped here: select a cut, a cached node or one with nodes left out",
            ),
            TreeCommand::JumpToStored => {
                requires(self.stored().is_some(), "The value of this node does not come from a recorded one")
            }
            TreeCommand::ReplayPlay
            | TreeCommand::ReplayStep
            | TreeCommand::ReplayBack
            | TreeCommand::ReplayOver
            | TreeCommand::ReplayOut
            | TreeCommand::ReplayPreviousCut
            | TreeCommand::ReplayNextCut
            | TreeCommand::ReplayNextChange
            | TreeCommand::ReplayBegin
            | TreeCommand::ReplayEnd => requires(self.replay.is_some(), "Press Step through first"),
            _ => Ok(()),
        }
    }

    /// The node whose value the selected one took from the table.
    pub fn stored(&self) -> Option<NodeId> {
        let tree = &self.shown.as_ref()?.tree;
        match tree.node(self.selected).origin {
            crate::search::Origin::Stored { node, .. } => node,
            _ => None,
        }
    }

    /// Does a command of the tree, but for those of the picture and of files, which the panel and the window do.
    pub fn wish(&mut self, command: TreeCommand, doc: &Document, commands: &mut Commands) {
        let Some(shown) = self.shown.clone() else { return };
        let tree = &shown.tree;
        match command {
            TreeCommand::View(view) => self.view = view,
            TreeCommand::Minimap => self.minimap = !self.minimap,
            TreeCommand::Parent => tree.parent(self.selected).into_iter().for_each(|id| self.select(id)),
            TreeCommand::Child => {
                self.set_unfolded(self.selected, true);
                self.child().into_iter().for_each(|id| self.select(id));
            }
            TreeCommand::PreviousSibling => self.sibling(-1).into_iter().for_each(|id| self.select(id)),
            TreeCommand::NextSibling => self.sibling(1).into_iter().for_each(|id| self.select(id)),
            TreeCommand::Root => self.select(tree.root()),
            TreeCommand::Back => self.back(),
            TreeCommand::Forward => self.forward(),
            TreeCommand::Fold => self.set_unfolded(self.selected, false),
            TreeCommand::Unfold => self.set_unfolded(self.selected, true),
            TreeCommand::UnfoldTo(ply) => self.unfold_to(Base::Ply(ply)),
            TreeCommand::UnfoldAll => self.unfold_to(Base::Everything),
            TreeCommand::AllSpawns => self.toggle_all_spawns(self.selected),
            TreeCommand::Find => self.filter.wants_focus = true,
            TreeCommand::NextMatch => self.filter.next(self.selected).into_iter().for_each(|id| self.select(id)),
            TreeCommand::PreviousMatch => {
                self.filter.previous(self.selected).into_iter().for_each(|id| self.select(id));
            }
            TreeCommand::ClearFilter => self.filter.clear(),
            TreeCommand::ShowNode => commands.push(Command::ShowPanel(Panel::Node)),
            TreeCommand::OpenOnBoard => {
                if let Some(command) = self.line_to_play(self.selected) {
                    commands.push(command);
                }
            }
            TreeCommand::SearchSkipped => self.search_skipped(self.selected, doc.wake()),
            TreeCommand::JumpToStored => self.stored().into_iter().for_each(|id| self.select(id)),
            TreeCommand::Rule(rule) => self.set_rule(rule),
            TreeCommand::StepThrough => {
                self.replay = match self.replay {
                    Some(_) => None,
                    None => Some(Replay::new(tree.clone())),
                };
                self.replay_plays = false;
            }
            TreeCommand::ReplayPlay => self.replay_plays = !self.replay_plays,
            TreeCommand::ReplayStep => self.wind(Replay::step),
            TreeCommand::ReplayBack => self.wind(Replay::back),
            TreeCommand::ReplayOver => self.wind(Replay::step_over),
            TreeCommand::ReplayOut => self.wind(Replay::step_out),
            TreeCommand::ReplayPreviousCut => self.wind(Replay::to_previous_cut),
            TreeCommand::ReplayNextCut => self.wind(Replay::to_next_cut),
            TreeCommand::ReplayNextChange => self.wind(Replay::to_next_change),
            TreeCommand::ReplayBegin => self.wind(|replay| replay.seek(0)),
            TreeCommand::ReplayEnd => self.wind(|replay| replay.seek(replay.len())),
            _ => {}
        }
    }

    /// Winds the replay and selects the node it comes to. The history of the selection does not follow it: thousands of steps
    /// would bury what was chosen by hand.
    pub fn wind(&mut self, wind: impl FnOnce(&mut Replay) -> bool) {
        let Some(replay) = &mut self.replay else { return };
        if !wind(replay) {
            return;
        }
        let tree = replay.tree().clone();
        let id = match replay.event() {
            ReplayEvent::Begin | ReplayEvent::End => tree.root(),
            ReplayEvent::Enter(id) | ReplayEvent::Leave(id) => id,
        };
        self.go(&tree, id);
    }

    /// The turns from the root to a node, to be played as a branch. An afterstate is followed by the spawn that the line's
    /// rule takes there.
    pub fn line_to_play(&self, id: NodeId) -> Option<Command> {
        let shown = self.shown.as_ref()?;
        let tree = &shown.tree;
        let mut links = tree.links_to(id);
        if let Some(Link::Slide(_)) = links.last() {
            let worth = |child: &NodeId| tree.value(*child).is_some();
            let next = self.line.after(id).or_else(|| tree.representatives(id, None, None).into_iter().find(worth));
            // A leaf has no spawns below it: the first empty cell and a 2 unless only 4s come, which can be moved by a click.
            let spawn = next.and_then(|next| tree.link(next)).or_else(|| {
                let board = tree.node(id).board;
                let cell = *board.empty_cells().first()?;
                let is_two = tree.subject().definition.rules.p4 < 1.0;
                let rank = if is_two { crate::game::Rank::TWO } else { crate::game::Rank::FOUR };
                Some(Link::Spawn(crate::game::Spawn { cell, rank }))
            });
            links.extend(spawn);
        }
        let steps = links.chunks(2).filter_map(|two| match two {
            [Link::Slide(mv), Link::Spawn(spawn)] => Some(Step { mv: *mv, spawn: *spawn }),
            _ => None,
        });
        Some(Command::PlayLine { from: shown.node?, steps: steps.collect() })
    }

    /// How long until the next frame is due although nothing was pressed; `None` while nothing runs by itself.
    pub fn repaint_after(&self) -> Option<Duration> {
        (self.skipping.is_some() || self.replay_plays).then_some(Duration::from_millis(100))
    }
}

/// A node's value against that of the node above.
///
/// Where spawns are added up, that is the sum over many cells: each is then set against the mean of its siblings.
fn deviation(tree: &Tree, id: NodeId) -> Option<f64> {
    let parent = tree.parent(id)?;
    let above = if tree.adds_up(parent) {
        let values = || tree.children(parent).filter_map(|child| tree.value(child));
        values().sum::<f64>() / values().count().max(1) as f64
    } else {
        tree.value(parent)?
    };
    let deviation = tree.value(id)? - above;
    deviation.is_finite().then_some(deviation)
}

/// A node's value against that of the node above, −1 to 1, where `span` is the deviation at the ends of the colour scale; 0
/// for the root and nodes without a value.
pub(crate) fn tint(tree: &Tree, id: NodeId, span: f64) -> f32 {
    deviation(tree, id).map_or(0.0, |deviation| (deviation / span).clamp(-1.0, 1.0) as f32)
}

/// The deviation at the ends of the colour scale.
///
/// Slides have one scale a ply, so that losses compare. The spawns of a node have a scale of their own, which ends at the
/// largest deviation among them: a bad slide costs far more than a bad spawn, and with one scale for all of them the spawns
/// after the first slide would look alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans(Arc<[f64]>);

impl Spans {
    /// Of the values of a tree; of wide plies a sample tells.
    pub fn of(tree: &Tree) -> Self {
        let mut spans = vec![1.0];
        let mut level = vec![tree.root()];
        loop {
            let step = level.len().div_ceil(SAMPLES).max(1);
            level = level.iter().step_by(step).flat_map(|&id| tree.children(id)).collect();
            if level.is_empty() {
                return Self(spans.into());
            }
            let sizes = level.iter().filter_map(|&id| deviation(tree, id)).map(f64::abs);
            let mut sizes: Vec<f64> = sizes.filter(|&size| 0.0 < size).collect();
            if sizes.is_empty() {
                spans.push(1.0);
                continue;
            }
            let place = ((sizes.len() - 1) as f64 * SPAN_QUANTILE).ceil() as usize;
            spans.push(*sizes.select_nth_unstable_by(place, f64::total_cmp).1);
        }
    }

    /// That of the slides of a ply; of the root and of what is not recorded it is 1.
    pub fn at(&self, depth: usize) -> f64 {
        self.0.get(depth).copied().unwrap_or(1.0)
    }

    /// That of the nodes below a node, which lie `depth` plies below the root.
    pub fn below(&self, tree: &Tree, parent: NodeId, depth: usize) -> f64 {
        let is_spawn = tree.children(parent).next().is_some_and(|id| matches!(tree.link(id), Some(Link::Spawn(_))));
        if !is_spawn {
            return self.at(depth);
        }
        let largest = tree.children(parent).filter_map(|id| deviation(tree, id)).map(f64::abs).fold(0.0, f64::max);
        if largest == 0.0 { 1.0 } else { largest }
    }

    /// A node's value against that of the node above, −1 to 1; 0 for the root and nodes without a value. The node lies
    /// `depth` plies below the root.
    pub fn tint(&self, tree: &Tree, id: NodeId, depth: usize) -> f32 {
        tree.parent(id).map_or(0.0, |parent| tint(tree, id, self.below(tree, parent, depth)))
    }
}
