//! What every concern shares: the content that undo restores, the games, the line on the board, the decision there, the
//! tasks and the surroundings of the window.
//!
//! Its fields are private. Concerns read them with getters, and change them with the methods here.

mod decider;
mod history;
mod line;

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

pub use decider::{Decided, Question, RECORD_CAP, RECORD_CAPS, Thought};
pub(super) use decider::{Decider, DecisionKey};
use history::History;
use line::GameLine;
pub use line::{Instantaneous, Spent};

use super::colors::Colors;
use super::{ExperimentId, Opened, OriginFile, Pinning};
use crate::experiment::{Plan, Runs};
use crate::game::game_tree::{Game, GameTree, Node, NodeId};
use crate::game::{Board, Rules};
use crate::preset::Preset;
use crate::strategy::{Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::{Tasks, threads_for_cli};
use crate::workbench::command::Command;
use crate::workbench::state::effect::Effects;

/// The state that undo and redo restore.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub cursor: NodeId,
    /// Strategies open in the builder; never empty.
    pub strategies: Vec<Opened>,
    /// The current strategy, which plays and is shown; an index of `strategies`.
    pub current: usize,
    pub setup: Arc<Preset>,
    pub experiment: ExperimentId,
    /// The user's preset file that the experiment was opened from or saved to; saving again replaces only this file.
    pub saved_to: Option<OriginFile>,
    /// The board of the position editor while it is open.
    pub editing: Option<Board>,
    /// The set of pinned positions, and this window's changes of such sets.
    pub pinning: Pinning,
    /// The number of the tree with the last added search; the panels of the tree own the trees.
    pub(super) searched_on: Option<u64>,
    /// Undo restores the colors of strategies.
    pub(super) colors: RefCell<Rc<Colors>>,
}

/// What the window gives the document: folders, threads, and ways to wake it.
pub struct Surroundings {
    /// Called from workers when there is something new to draw, soon.
    pub wake: Arc<dyn Fn() + Send + Sync>,
    /// Called from workers when a result that the window waits for is ready.
    pub wake_at_once: Arc<dyn Fn() + Send + Sync>,
    /// Folder of settings and presets; without one nothing can be saved by name.
    pub config_dir: Option<PathBuf>,
    /// The folder of runs; without one they are lost when the window closes.
    pub runs: Option<Runs>,
    /// Worker threads of an experiment; `None` leaves one core to the window.
    pub threads: Option<usize>,
    /// Autoplay in moves per second.
    pub autoplay_speed: f32,
    /// Maximum number of nodes in the record of a search, 32 bytes each. The least probable ones are left out and
    /// counted.
    pub record_cap: usize,
    /// Threads of one decision; `None` uses those of an experiment if set, else all cores.
    pub search_threads: Option<usize>,
    /// Whether the current game is judged in the background.
    pub judge_in_background: bool,
}

/// See the module docs.
pub struct Core {
    content: Content,
    history: History<Content>,
    /// The command that restores the last deleted file, and the version of the history then.
    deleted: Option<(Command, u64)>,
    tree: GameTree,
    line: GameLine,
    decider: Decider,
    players: RefCell<HashMap<(StrategyHash, String), Arc<Player>>>,
    /// The number of decisions so far.
    decisions: Cell<u64>,
    tasks: Tasks,
    surroundings: Surroundings,
}

/// The cache key of a player.
fn player_key(strategy: StrategyHash, rules: Rules) -> (StrategyHash, String) {
    (strategy, format!("{rules:?}"))
}

/// What undo restores, and its steps.
impl Core {
    pub(super) fn new(content: Content, tree: GameTree, surroundings: Surroundings) -> Self {
        Self {
            content,
            history: History::default(),
            deleted: None,
            tree,
            line: GameLine::default(),
            decider: Decider::default(),
            players: RefCell::default(),
            decisions: Cell::new(0),
            tasks: Tasks::new(surroundings.wake_at_once.clone()),
            surroundings,
        }
    }

    pub(super) fn content(&self) -> &Content {
        &self.content
    }

    /// Changes the content without a step of undo; see [`Core::record`].
    pub(super) fn content_mut(&mut self) -> &mut Content {
        &mut self.content
    }

    /// Makes the changes that follow a step of undo.
    pub(super) fn record(&mut self, what: &str) {
        self.history.record(what, &self.content);
    }

    /// Like [`Core::record`], for a drag or the typing in one field: see [`History::record_ongoing`].
    pub(super) fn record_ongoing(&mut self, what: &str) {
        self.history.record_ongoing(what, &self.content);
    }

    /// Like [`Core::record`], until [`Core::end_step`]: see [`History::record_session`].
    pub(super) fn record_session(&mut self, key: &str, what: &str) {
        self.history.record_session(key, what, &self.content);
    }

    /// Makes the next change a part of the last step.
    pub(super) fn join_step(&mut self, what: &str) {
        self.history.join(what);
    }

    /// Ends an ongoing step: the next change is a new one.
    pub(super) fn end_step(&mut self) {
        self.history.finish();
    }

    /// Ends an ongoing step of undo: the next change, even of the same field, is a new one.
    pub(super) fn end_edit(&mut self) {
        self.history.end_edit();
    }

    /// Takes a step of undo or redo; returns its name.
    pub(super) fn step_in_history(&mut self, back: bool) -> Option<String> {
        self.history.step(back, &mut self.content)
    }

    /// The content before the last step.
    pub(super) fn before(&self) -> Option<&Content> {
        self.history.past().next()
    }

    /// The contents before the past steps, newest first.
    pub(super) fn past(&self) -> impl Iterator<Item = &Content> {
        self.history.past()
    }

    /// All contents to which undo and redo lead.
    pub(super) fn others(&self) -> impl Iterator<Item = &Content> {
        self.history.states()
    }

    /// Reports a deleted file, and lets undo restore it until the next change.
    pub(super) fn has_deleted(
        &mut self,
        label: &str,
        restore: impl Into<Command>,
        effects: &mut Effects,
    ) {
        let restore = restore.into();
        self.deleted = Some((restore.clone(), self.history.version));
        effects.info_with(format!("Deleted {label}"), "Undo", restore);
    }

    /// The command that restores the last deleted file, unless something changed since.
    pub(super) fn deleted_last(&self) -> Option<&Command> {
        let (restore, version) = self.deleted.as_ref()?;
        (*version == self.history.version).then_some(restore)
    }

    pub(super) fn has_restored(
        &mut self,
        what: &str,
        result: Result<(), impl ToString>,
        effects: &mut Effects,
    ) {
        self.deleted = None;
        if effects.accept(result).is_some() {
            effects.info(format!("Restored {what}"));
        }
    }

    /// Changes file information in all states of undo and redo.
    pub(super) fn amend(&mut self, change: impl FnMut(&mut Content)) {
        std::iter::once(&mut self.content)
            .chain(self.history.states_mut())
            .for_each(change);
    }

    /// The names of the steps that undo and redo would take.
    pub fn undo_texts(&self) -> (Option<&str>, Option<&str>) {
        (self.history.undoes(), self.history.redoes())
    }

    /// The number of the tree with added searches.
    pub fn searched_on(&self) -> Option<u64> {
        self.content.searched_on
    }

    /// The strategies open in the builder; never empty.
    pub fn strategies(&self) -> &[Opened] {
        &self.content.strategies
    }

    /// The index of the current strategy in [`Core::strategies`].
    pub fn current(&self) -> usize {
        self.content
            .current
            .min(self.content.strategies.len().saturating_sub(1))
    }

    /// The current strategy, which plays and is shown.
    pub fn strategy(&self) -> SharedStrategy {
        self.content.strategies[self.current()].strategy.clone()
    }

    pub fn opened(&self) -> &Opened {
        &self.content.strategies[self.current()]
    }

    pub fn setup(&self) -> &Arc<Preset> {
        &self.content.setup
    }

    pub fn experiment(&self) -> ExperimentId {
        self.content.experiment
    }

    /// The board of the position editor while it is open.
    pub fn editing(&self) -> Option<Board> {
        self.content.editing
    }

    /// The index of a strategy's color if it already has one, for places that only mention strategies.
    pub fn known_mark(&self, hash: StrategyHash) -> Option<usize> {
        self.content.colors.borrow().known(hash)
    }

    pub(super) fn colors(&self) -> RefMut<'_, Colors> {
        RefMut::map(self.content.colors.borrow_mut(), Rc::make_mut)
    }

    /// A copy, which costs nothing until one changes.
    pub(super) fn colors_now(&self) -> Rc<Colors> {
        self.content.colors.borrow().clone()
    }

    pub(super) fn set_colors(&mut self, colors: Colors) {
        self.content.colors.replace(Rc::new(colors));
    }
}

/// The games, and the position on the board.
impl Core {
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    pub(super) fn tree_mut(&mut self) -> &mut GameTree {
        &mut self.tree
    }

    /// Shows the branch with the cursor where the game forks.
    pub(super) fn favour_cursor(&mut self) {
        self.tree.favour(self.content.cursor);
    }

    /// Notes the folder of the run from which the game on the board comes.
    pub(super) fn set_run(&mut self, folder: Option<&Path>) {
        self.tree.set_run(self.content.cursor, folder);
    }

    /// Notes that the current strategy plays the game on the board, unless another one has.
    pub(super) fn note_player(&mut self) {
        let strategy = self.strategy();
        self.tree.begun_by(self.content.cursor, &*strategy);
    }

    /// Other games, at one of their positions: drops everything computed for the previous ones.
    pub(super) fn replace_games(&mut self, tree: GameTree, at: NodeId) {
        (self.tree, self.content.cursor) = (tree, at);
        self.line.forget();
        self.decider = Decider::default();
    }

    pub fn cursor(&self) -> NodeId {
        self.content.cursor
    }

    pub fn node(&self) -> &Node {
        self.tree.node(self.content.cursor)
    }

    pub fn game(&self) -> &Game {
        self.tree.game_of(self.content.cursor)
    }

    /// The current board: the one being edited, else the one at the cursor.
    pub fn board(&self) -> Board {
        self.content.editing.unwrap_or(self.node().board)
    }

    /// The last fork before the cursor, where another branch was played, or the start of a game if there are several
    /// games.
    pub fn fork(&self) -> Option<NodeId> {
        let at_start = || Some(self.cursor()).filter(|&id| 1 < self.tree.siblings(id).len());
        self.tree.fork(self.cursor()).or_else(|| {
            if self.node().parent.is_none() {
                at_start()
            } else {
                None
            }
        })
    }

    /// Warns if the current position is unreachable in a game.
    pub(super) fn doubt_board(&self, effects: &mut Effects) {
        if let Err(reason) = self.game().rules.check_board(&self.node().board) {
            effects.warn(format!("This position cannot occur: {reason}"));
        }
    }
}

/// The surroundings.
impl Core {
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }

    pub(super) fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    pub(super) fn surroundings_mut(&mut self) -> &mut Surroundings {
        &mut self.surroundings
    }

    /// The folder of settings and own files, if there is one.
    pub fn config_dir(&self) -> Option<&Path> {
        self.surroundings.config_dir.as_deref()
    }

    /// Autoplay in moves per second.
    pub fn autoplay_speed(&self) -> f32 {
        self.surroundings.autoplay_speed
    }

    /// Maximum number of nodes in the record of a search.
    pub fn record_cap(&self) -> usize {
        self.surroundings.record_cap
    }

    /// The user's choice of threads for one decision.
    pub fn chosen_search_threads(&self) -> Option<usize> {
        self.surroundings.search_threads
    }

    /// Threads of one decision. They run at low priority, so that the window needs no core of its own.
    pub fn search_threads(&self) -> usize {
        self.surroundings
            .search_threads
            .unwrap_or_else(|| self.usual_search_threads())
    }

    /// The default number of threads for one decision.
    pub fn usual_search_threads(&self) -> usize {
        self.threads().unwrap_or_else(threads_for_cli)
    }

    /// Whether the game on the board is judged without a request.
    pub fn judges_in_background(&self) -> bool {
        self.surroundings.judge_in_background
    }

    /// Worker threads of the next run; `None` leaves one core to the window.
    pub fn threads(&self) -> Option<usize> {
        self.surroundings.threads
    }

    /// The plan for running a preset.
    pub fn plan_of(&self, preset: &Preset) -> Plan {
        Plan {
            threads: self.surroundings.threads,
            ..Plan::of_preset(preset)
        }
        .in_background()
    }

    /// A cached player of a strategy for some rules.
    pub(super) fn player(&self, strategy: &Strategy, rules: Rules) -> Arc<Player> {
        // Weight tables take megabytes, so the cache is small.
        const MOST: usize = 32;
        let mut players = self.players.borrow_mut();
        let key = player_key(strategy.hash(), rules);
        if MOST <= players.len() && !players.contains_key(&key) {
            players.clear();
        }
        let make = || Arc::new(Player::new(strategy, rules));
        let player = players.entry(key).or_insert_with(make);
        if player.problem().is_some() {
            // Its file may be valid by now.
            *player = make();
        }
        player.clone()
    }

    /// Why the player of a strategy cannot play: a file that it reads is damaged, missing or too large for the memory.
    fn player_problem(&self, strategy: StrategyHash, rules: Rules) -> Option<String> {
        let players = self.players.borrow();
        players
            .get(&player_key(strategy, rules))?
            .problem()
            .map(ToString::to_string)
    }
}
