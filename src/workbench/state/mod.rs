//! The state of the window: the document that panels show, and what is saved of it.
//!
//! Panels read a [`Document`] and push commands; `App::apply` passes those that change it to [`Document::apply`], the
//! only place where it changes. Undo covers [`Content`], which is small and cheap to copy; positions are in the
//! [`GameTree`], which only grows. Active experiments and files on disk are separate: undo does not stop a batch.

pub mod autoplay;
mod baseline;
pub mod change;
mod colors;
mod compare;
pub mod copying;
mod decider;
pub mod effect;
mod experiment;
mod experiment_run;
pub mod figure;
mod files;
mod game;
mod history;
mod kept_runs;
pub mod layout;
mod library;
mod opened;
mod own_files;
mod pinned;
mod pinned_runs;
mod played_runs;
mod practice;
mod reread;
mod review;
mod review_background;
mod review_games;
mod review_minds;
mod review_more;
mod review_rerun;
mod reviewed;
mod running;
pub mod saving;
mod session;
pub mod settings;
mod solving;
mod start;
mod strategies;
mod training;
mod tuning;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use autoplay::Autoplay;
use colors::{Colors, Live};
use compare::Comparing;
pub use decider::{Decided, Question, RECORD_CAP, RECORD_CAPS};
use decider::{Decider, PATIENCE};
use effect::Effects;
pub use experiment_run::{Arm, ExperimentId, ExperimentRun};
use history::History;
pub use kept_runs::KeptRuns;
pub use opened::{Opened, Origin, OriginFile, RowId};
pub use own_files::Conflict;
use own_files::OwnFiles;
pub use pinned::Pinning;
use pinned_runs::PinnedRuns;
use played_runs::PlayedRuns;
pub use practice::Practising;
pub use review::Reviewing;
pub use review_minds::{MindsFound, MindsPair};
pub use review_more::{DeathFound, GamesReviewed, MoreReviews};
pub use review_rerun::Rerun;
pub use reviewed::Reviewed;
pub use running::Running;
pub use session::Session;
pub use solving::{KeptFile, Solving};
pub use start::OpenNow;
pub use training::{KeptNetwork, LiveTraining, NetworkTest, Snapshot, Trainings};
pub use tuning::TuneRun;

use crate::experiment::Runs;
pub use crate::game::game_tree::{Game, GameId, GameTree, Node, NodeId};
use crate::game::{Board, Move, Moves, Rules, Step};
use crate::preset::Preset;
use crate::search::Link;
use crate::strategy::{Decision, Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::{TaskError, TaskGroup, TaskInfo, Tasks, threads_for_cli};
use crate::words;

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
    searched_on: Option<u64>,
    /// Undo restores the colors of strategies.
    colors: RefCell<Rc<Colors>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    pub before: Board,
    pub step: Step,
    pub at: Instant,
}

/// A request to write a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteRequest {
    pub node: NodeId,
    /// The number of the request, so that a second one for the same position differs.
    number: u64,
}

/// What a strategy spent on a move that it searched and played here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// In its deepest row.
    pub plies: u32,
    /// In all its rows.
    pub elapsed: Duration,
}

/// One position of the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instantaneous {
    pub node: NodeId,
    pub empty: u32,
    /// Whether the move played from here differs from the strategy's choice; `None` at the end of the line and while
    /// unknown.
    pub off: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thought {
    /// The decision is for this position and strategy.
    Settled,
    /// Searching for this long.
    Searching(Duration),
    /// The search was stopped after this time.
    Stopped(Duration),
    Impossible(String),
}

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

/// The state of the workbench that panels read and commands change.
pub struct Document {
    content: Content,
    history: History<Content>,
    pub tree: GameTree,
    runs: PlayedRuns,
    note_request: Option<NoteRequest>,
    kept_runs: KeptRuns,
    pinned_runs: PinnedRuns,
    rereading: reread::Rereading,
    tuning: Option<TuneRun>,
    solving: Solving,
    reviewing: Reviewing,
    more_reviews: MoreReviews,
    practising: Practising,
    trainings: Trainings,
    own_files: OwnFiles,
    /// The time of a clipboard request that is to replace the current strategy.
    pastes_over: Option<Instant>,
    /// The strategy to export, while the user chooses a file.
    to_export: Option<SharedStrategy>,
    autoplay: Option<Autoplay>,
    /// The last played turn, if the board shows its result.
    pub played: Option<Played>,
    players: RefCell<HashMap<(StrategyHash, String), Arc<Player>>>,
    decider: Decider,
    /// The strategy moves here as soon as it has decided.
    step_waits: Option<DecisionKey>,
    comparing: Comparing,
    decisions: Cell<u64>,
    /// The positions from the start of the game through the cursor to the end of the line.
    pub line: Vec<NodeId>,
    off: HashMap<(NodeId, StrategyHash), Moves>,
    /// The strategy whose choices are known along the whole line.
    filled: Option<StrategyHash>,
    /// By the position before the move, with the move.
    spent: HashMap<NodeId, (Move, Spent)>,
    measured: u64,
    surroundings: Surroundings,
    pub tasks: Tasks,
}

pub use crate::task::TELL_AFTER;

type DecisionKey = (NodeId, Option<Board>, StrategyHash);

/// The cache key of a player.
fn player_key(strategy: StrategyHash, rules: Rules) -> (StrategyHash, String) {
    (strategy, format!("{rules:?}"))
}

impl Document {
    pub fn cursor(&self) -> NodeId {
        self.content.cursor
    }

    /// The note that was requested last.
    pub fn note_request(&self) -> Option<NoteRequest> {
        self.note_request
    }

    pub fn node(&self) -> &Node {
        self.tree.node(self.content.cursor)
    }

    pub fn game(&self) -> &Game {
        self.tree.game_of(self.content.cursor)
    }

    /// The folder of settings and own files, if there is one.
    pub fn config_dir(&self) -> Option<&Path> {
        self.surroundings.config_dir.as_deref()
    }

    /// The current board: the one being edited, else the one at the cursor.
    pub fn board(&self) -> Board {
        self.content.editing.unwrap_or(self.node().board)
    }

    /// The board of the position editor while it is open.
    pub fn editing(&self) -> Option<Board> {
        self.content.editing
    }

    /// The index of the cursor in `line`.
    pub fn place(&self) -> usize {
        (self.node().moves as usize).min(self.line.len().saturating_sub(1))
    }

    pub fn timeline(&self) -> impl Iterator<Item = Instantaneous> + '_ {
        let hash = self.strategy().hash();
        (0..self.line.len()).map(move |index| {
            let node = self.line[index];
            let next = self.line.get(index + 1).and_then(|&next| self.tree.node(next).step);
            let off = next.and_then(|step| Some(!self.off.get(&(node, hash))?.contains(step.mv)));
            Instantaneous { node, empty: self.tree.node(node).board.empty_count(), off }
        })
    }

    /// Whether the current strategy would not make the move at a place of the line; `None` if unknown.
    pub fn is_off(&self, index: usize) -> Option<bool> {
        let (node, next) = (self.line.get(index)?, self.line.get(index + 1)?);
        let step = self.tree.node(*next).step?;
        Some(!self.off.get(&(*node, self.strategy().hash()))?.contains(step.mv))
    }

    /// Whether this is the current line. The last position of a line determines it.
    fn is_line(&self, line: &[NodeId]) -> bool {
        line.len() == self.line.len() && line.last() == self.line.last()
    }

    /// The number of moves for which that is known, over all strategies.
    pub fn known_off(&self) -> usize {
        self.off.len()
    }

    pub fn is_playing(&self) -> bool {
        self.autoplay.is_some()
    }

    /// Autoplay in moves per second.
    pub fn autoplay_speed(&self) -> f32 {
        self.surroundings.autoplay_speed
    }

    /// The strategies open in the builder; never empty.
    pub fn strategies(&self) -> &[Opened] {
        &self.content.strategies
    }

    /// The index of the current strategy in [`Document::strategies`].
    pub fn current(&self) -> usize {
        self.content.current.min(self.content.strategies.len().saturating_sub(1))
    }

    /// The current strategy, which plays and is shown.
    pub fn strategy(&self) -> SharedStrategy {
        self.content.strategies[self.current()].strategy.clone()
    }

    pub fn opened(&self) -> &Opened {
        &self.content.strategies[self.current()]
    }

    /// Its decision on the current board; `None` if it cannot play on this size, and during a search.
    pub fn decision(&self) -> Option<&Rc<Decision>> {
        self.decider.settled(self.decision_key()).map(|decided| &decided.decision)
    }

    /// The decision to show: the one for the current board, else the previous one; see [`Document::thought`].
    pub fn decided(&self) -> Option<&Decided> {
        self.decider.decided.as_ref()
    }

    pub fn thought(&self) -> Thought {
        if self.decision().is_some() {
            return Thought::Settled;
        }
        if let Some(problem) = self.strategy_problem() {
            return Thought::Impossible(problem);
        }
        match self.decider.search.failed() {
            Some(TaskError::Stopped { after }) => Thought::Stopped(*after),
            Some(reason) => Thought::Impossible(format!("The search failed: {reason}")),
            None => Thought::Searching(self.decider.search.since().map(|since| since.elapsed()).unwrap_or_default()),
        }
    }

    pub fn is_step_waiting(&self) -> bool {
        self.step_waits.is_some()
    }

    fn decision_key(&self) -> DecisionKey {
        self.key_of(self.strategy().hash())
    }

    fn key_of(&self, strategy: StrategyHash) -> DecisionKey {
        (self.content.cursor, self.content.editing, strategy)
    }

    pub fn strategy_problem(&self) -> Option<String> {
        let checked = self.strategy().check_to_play(self.rules_here()).err().map(|error| error.to_string());
        checked.or_else(|| self.player_problem(self.strategy().hash(), self.rules_here()))
    }

    /// Why the player of a strategy cannot play: a file that it reads is damaged, missing or too large for the memory.
    fn player_problem(&self, strategy: StrategyHash, rules: Rules) -> Option<String> {
        let players = self.players.borrow();
        players.get(&player_key(strategy, rules))?.problem().map(ToString::to_string)
    }

    /// The index of a strategy's color, line and marker; constant while it is open, set up or played.
    pub fn color_index(&self, hash: StrategyHash) -> usize {
        let known = self.known_mark(hash);
        known.unwrap_or_else(|| Rc::make_mut(&mut self.content.colors.borrow_mut()).of(hash, || self.live(None)))
    }

    /// The index of a strategy's color if it already has one, for places that only mention strategies.
    pub fn known_mark(&self, hash: StrategyHash) -> Option<usize> {
        self.content.colors.borrow().known(hash)
    }

    /// The hashes of the strategies that are open, set up or played, except the open one at index `but`.
    fn live(&self, but: Option<usize>) -> Live {
        let open = self.strategies().iter().enumerate().filter(|&(index, _)| Some(index) != but);
        let set_up = self.setup().strategies.iter().map(|entry| entry.strategy.hash());
        let runs = [Some(&self.runs.last), self.shown()].into_iter().flatten();
        let planned = runs.filter_map(ExperimentRun::plan).flat_map(|plan| &plan.contestants);
        let played = planned.map(|contestant| contestant.strategy.hash());
        open.map(|(_, open)| open.hash()).chain(set_up).chain(played).collect()
    }

    /// Gives strategies of the experiment that share a color one each. An open strategy keeps its color, else the earlier one does.
    fn part_colours(&mut self) {
        let live = self.live(None);
        let mut hashes: Vec<StrategyHash> = self.setup().strategies.iter().map(|entry| entry.strategy.hash()).collect();
        hashes.sort_by_key(|&hash| !self.strategies().iter().any(|open| open.hash() == hash));
        let colors = Rc::make_mut(self.content.colors.get_mut());
        for (place, &hash) in hashes.iter().enumerate() {
            colors.of(hash, || live.clone());
            colors.part(hash, &hashes[..place], &live);
        }
    }

    /// A cached player of a strategy for some rules.
    fn player(&self, strategy: &Strategy, rules: Rules) -> Arc<Player> {
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

    /// A run, and the baseline for its files and copies.
    pub fn compared_with(&self) -> (u64, usize) {
        self.runs.compared_with
    }

    /// The last run of this window, whichever experiment is set up now.
    pub fn last_run(&self) -> &ExperimentRun {
        &self.runs.last
    }

    /// For a bench, which puts a run of millions of games there.
    #[doc(hidden)]
    pub fn last_run_mut(&mut self) -> &mut ExperimentRun {
        &mut self.runs.last
    }

    pub fn setup(&self) -> &Arc<Preset> {
        &self.content.setup
    }

    pub fn experiment(&self) -> ExperimentId {
        self.content.experiment
    }

    /// The last run of the current set-up; `None` before its first run.
    pub fn results(&self) -> Option<&ExperimentRun> {
        Some(&self.runs.last)
            .filter(|last_run| last_run.run.is_some() && last_run.experiment == self.content.experiment)
    }

    /// The active run, shown or in the background.
    pub fn playing(&self) -> Option<&ExperimentRun> {
        self.runs.busy()
    }

    /// The active run, if it is of another experiment than the set-up.
    pub fn playing_beside(&self) -> Option<&ExperimentRun> {
        self.playing().filter(|run| run.experiment != self.content.experiment)
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
        self.surroundings.search_threads.unwrap_or_else(|| self.usual_search_threads())
    }

    /// The default number of threads for one decision.
    pub fn usual_search_threads(&self) -> usize {
        self.threads().unwrap_or_else(threads_for_cli)
    }

    /// Worker threads of the next run; `None` leaves one core to the window.
    pub fn threads(&self) -> Option<usize> {
        self.surroundings.threads
    }

    /// The last fork before the cursor, where another branch was played, or the start of a game if there are several
    /// games.
    pub fn fork(&self) -> Option<NodeId> {
        let at_start = || Some(self.cursor()).filter(|&id| 1 < self.tree.siblings(id).len());
        self.tree.fork(self.cursor()).or_else(|| if self.node().parent.is_none() { at_start() } else { None })
    }

    /// The names of the steps that undo and redo would take.
    pub fn undo_texts(&self) -> (Option<&str>, Option<&str>) {
        (self.history.undoes(), self.history.redoes())
    }

    /// Takes results of workers and plays due moves; once before each frame. Returns the time until the next frame.
    pub fn poll(&mut self, effects: &mut Effects) -> Option<Duration> {
        self.runs.poll(self.content.experiment, effects);
        self.poll_pinned(effects);
        self.poll_runs(effects);
        self.poll_emptying(effects);
        self.poll_rereading();
        self.poll_tuning(effects);
        self.poll_solving(effects);
        let judging = self.poll_review(effects);
        self.more_reviews.poll();
        let training = self.poll_trainings(effects);
        let mut again = self.fill_timeline();
        self.poll_decision();
        self.poll_baseline(effects);
        self.poll_timing(effects);
        if let Some(key) = self.step_waits.take() {
            // If it still applies: moves, keeps waiting, or was stopped.
            if key == self.decision_key()
                && self.decider.search.failed().is_none()
                && !self.strategy_step("step", false)
            {
                self.step_waits = self.decider.searches().filter(|searched| *searched == key);
            }
        }

        let since = self.decider.search.since().or_else(|| self.baseline_since());
        let searching = since.map(|since| {
            // First old values fade, then the elapsed time counts in tenths of a second.
            Duration::from_millis(if since.elapsed() < TELL_AFTER { 33 } else { 100 })
        });

        for wait in
            [self.poll_autoplay(), searching, training, judging, self.playing().and_then(ExperimentRun::changes_in)]
                .into_iter()
                .flatten()
        {
            again = Some(again.map_or(wait, |again| again.min(wait)));
        }

        again
    }

    fn poll_autoplay(&mut self) -> Option<Duration> {
        let mut autoplay = self.autoplay?;
        if self.strategy().takes_time() {
            return self.poll_patient_autoplay(autoplay);
        }
        let (due, wait) = autoplay.due(Instant::now(), self.surroundings.autoplay_speed);
        self.autoplay = Some(autoplay);
        for _ in 0..due {
            if !self.strategy_step("Autoplay", true) {
                self.autoplay = None;
                return None;
            }
        }
        Some(wait)
    }

    /// Autoplay of a strategy that searches: plays a move when it is due and decided.
    fn poll_patient_autoplay(&mut self, mut autoplay: Autoplay) -> Option<Duration> {
        /// Time limit for moves between two frames.
        const AT_ONCE: Duration = Duration::from_millis(6);

        let begun = Instant::now();
        loop {
            let now = Instant::now();
            let wait = autoplay.wait(now);
            if !wait.is_zero() {
                return Some(wait);
            }

            if !self.strategy_step("Autoplay", true) {
                // The result wakes the window.
                if !matches!(self.thought(), Thought::Searching(_)) {
                    self.autoplay = None;
                }
                return None;
            }
            autoplay.played(now, self.surroundings.autoplay_speed);
            self.autoplay = Some(autoplay);
            if AT_ONCE < begun.elapsed() {
                return Some(Duration::ZERO);
            }
        }
    }

    /// Determines for a few milliseconds which moves of the line the strategy would not make.
    fn fill_timeline(&mut self) -> Option<Duration> {
        /// Long games take several frames.
        const AT_ONCE: Duration = Duration::from_millis(3);
        let strategy = self.strategy();
        // Searches are too slow to run for every position; only decisions that were shown are known.
        let rules = self.game().rules;
        let cannot = strategy.check_to_play(rules).is_err() || self.player_problem(strategy.hash(), rules).is_some();
        if cannot || strategy.takes_time() {
            return None;
        }

        let hash = strategy.hash();
        if self.filled == Some(hash) {
            return None;
        }
        let unknown: Vec<NodeId> =
            self.line.iter().copied().filter(|&node| !self.off.contains_key(&(node, hash))).collect();
        if unknown.is_empty() {
            self.filled = Some(hash);
            return None;
        }
        let player = self.player(&strategy, self.game().rules);
        if player.problem().is_some() {
            return None;
        }

        let start = Instant::now();
        for node in unknown {
            if AT_ONCE < start.elapsed() {
                return Some(Duration::ZERO);
            }
            let position = self.tree.node(node);
            let choice = Decision::now(&player, &position.board, position.score, |_| 0).choice;
            self.off.insert((node, hash), choice);
        }

        None
    }

    /// Updates everything that depends on position and strategy; searches run on workers.
    fn refresh(&mut self) {
        self.runs.show(self.content.experiment);
        self.follow_pinned();
        self.refresh_decision();
        self.refresh_baseline();
    }

    fn refresh_decision(&mut self) {
        (self.line, self.filled) = (self.tree.line_through(self.content.cursor), None);
        let strategy = self.strategy();
        let key = self.decision_key();
        self.step_waits.take_if(|waiting| *waiting != key);
        if strategy.check_to_play(self.rules_here()).is_err() {
            self.decider = Decider::default();
            return;
        }

        let mut decider = std::mem::take(&mut self.decider);
        let info = || {
            let threads = words::plural(self.search_threads() as u64, "thread");
            TaskInfo::asked(TaskGroup::Board, format!("Searching a move on up to {threads}"))
        };
        let has_decided = self.decide(&mut decider, &strategy, PATIENCE, info);
        self.decider = decider;
        if has_decided {
            self.note_choice();
        }
    }

    fn poll_decision(&mut self) {
        let mut decider = std::mem::take(&mut self.decider);
        let has_decided = self.take_decision(&mut decider, &self.strategy());
        self.decider = decider;
        if has_decided {
            self.note_choice();
        }
    }

    fn note_choice(&mut self) {
        if let Some(Decided { decision, node: Some(node), key: (.., hash), .. }) = self.decider.decided.as_ref() {
            self.off.insert((*node, *hash), decision.choice);
        }
    }

    /// The slides and spawns played after the position of a decision, along the current line.
    pub fn played_after(&self, decided: &Decided) -> Vec<Link> {
        let place = decided.node.and_then(|node| self.line.iter().position(|&id| id == node));
        let steps =
            place.into_iter().flat_map(|place| &self.line[place + 1..]).filter_map(|&id| self.tree.node(id).step);
        steps.flat_map(|step| [Link::Slide(step.mv), Link::Spawn(step.spawn)]).collect()
    }

    /// Repeats the shown searches with another limit on recorded nodes.
    fn set_record_cap(&mut self, cap: usize) {
        if self.surroundings.record_cap != cap {
            self.surroundings.record_cap = cap;
            self.decider.decided = None;
            self.decider.search.clear();
            self.refresh();
        }
    }

    /// Restarts a stopped search, with the current content of files.
    pub(super) fn search_again(&mut self) {
        self.look_at_files_again();
        if self.decider.search.failed().is_some() {
            // A new player starts a failed program again.
            self.players.borrow_mut().clear();
        }
        self.decider.search.retry();
        self.refresh();
    }

    /// The text of the status bar during work; `None` if idle.
    pub fn busy(&self) -> Option<String> {
        let busy = self.playing().and_then(ExperimentRun::progress).map(|progress| {
            let verb = if progress.state == crate::experiment::State::Paused { "Paused" } else { "Playing" };
            let (finished, total) = (words::count(progress.work.done), words::count(progress.work.total));
            let of = self
                .playing_beside()
                .map_or(String::new(), |run| format!(" of {}", words::shortened_to(40, run.title())));
            format!("{verb} {finished} of {total} games{of}")
        });
        let (board, others): (Vec<_>, Vec<_>) =
            self.tasks.words().into_iter().partition(|(group, _)| *group == TaskGroup::Board);
        let judging = self.judging_words();
        let words = |told: Vec<(TaskGroup, String)>| told.into_iter().map(|(_, words)| words);
        let busy: Vec<String> =
            words(board).chain(busy).chain(self.training_words()).chain(words(others)).chain(judging).collect();
        (!busy.is_empty()).then(|| busy.join(" · "))
    }

    /// Everything that runs now, as text. If nothing runs, only the user can change the state. Paused work does not
    /// count.
    pub fn running(&self) -> Vec<String> {
        let runs = self.runs.all().chain(self.pinned_runs.all());
        let runs = runs.filter(|run| run.is_busy() && run.state() != Some(&crate::experiment::State::Paused));
        let trainings = self.trainings.live().iter().filter(|live| !live.is_paused());
        let board = [(self.is_playing(), "Autoplay"), (self.is_step_waiting(), "A step waiting for its decision")];
        let board = board.into_iter().filter(|(runs, _)| *runs).map(|(_, words)| words.to_owned());
        let runs = runs.map(|run| format!("The run of {}", run.title()));
        let trainings = trainings.map(|live| format!("The training of {}", live.name));
        board.chain(runs).chain(trainings).chain(self.tasks.all_words()).collect()
    }
}
