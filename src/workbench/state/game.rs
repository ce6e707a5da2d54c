//! The current game: play, navigate, and edit positions.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::autoplay::{self, Autoplay};
use super::core::DecisionKey;
use super::effect::{Effect, Effects};
use super::{Document, Game, NodeId, Spent, Thought};
use crate::evaluator::Evaluator;
use crate::game::{Board, Cell, Move, Rank, Record, Rules, Seed, Size, Spawn, Step, Symmetry};
use crate::network::library;
use crate::strategy::{Criterion, Strategy};
use crate::words;
use crate::workbench::command::{GameCommand, Panel, requires};

const EDITS: &str = "The position editor is open: press Apply or Cancel first";

/// Short enough to type from a screenshot.
fn short_seed() -> u64 {
    u64::from(rand::random::<u32>() % 1_000_000)
}

/// A turn whose tiles slide on the board.
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

/// What moves on the board.
#[derive(Default)]
pub(super) struct OnBoard {
    autoplay: Option<Autoplay>,
    /// The last played turn, if the board shows its result.
    played: Option<Played>,
    /// The strategy moves here as soon as it has decided.
    step_waits: Option<DecisionKey>,
    note_request: Option<NoteRequest>,
}

impl OnBoard {
    /// Ends autoplay and the motion of tiles: another position is shown.
    pub(super) fn leave(&mut self) {
        (self.autoplay, self.played) = (None, None);
    }

    /// Ends autoplay and a waiting step; true if autoplay was on.
    pub(super) fn stop(&mut self) -> bool {
        self.step_waits = None;
        self.autoplay.take().is_some()
    }

    /// Waits for the decision of this position alone.
    pub(super) fn turn_to(&mut self, key: DecisionKey) {
        self.step_waits.take_if(|waiting| *waiting != key);
    }
}

impl Document {
    /// The last played turn, if the board shows its result.
    pub fn played(&self) -> Option<Played> {
        self.on_board.played
    }

    /// The note that was requested last.
    pub fn note_request(&self) -> Option<NoteRequest> {
        self.on_board.note_request
    }

    pub fn is_playing(&self) -> bool {
        self.on_board.autoplay.is_some()
    }

    pub fn is_step_waiting(&self) -> bool {
        self.on_board.step_waits.is_some()
    }

    /// Makes the step that waits for its decision, if that is there and the position the same.
    pub(super) fn poll_step(&mut self) {
        let Some(key) = self.on_board.step_waits.take() else {
            return;
        };
        let applies = key == self.decision_key() && self.search_failure().is_none();
        if applies && !self.strategy_step("step", false) {
            self.on_board.step_waits = self.searches().filter(|searched| *searched == key);
        }
    }

    /// Plays the moves that are due; returns the time until the next one.
    pub(super) fn poll_autoplay(&mut self) -> Option<Duration> {
        let mut autoplay = self.on_board.autoplay?;
        if self.strategy().takes_time() {
            return self.poll_patient_autoplay(autoplay);
        }
        let (due, wait) = autoplay.due(Instant::now(), self.surroundings().autoplay_speed);
        self.on_board.autoplay = Some(autoplay);
        for _ in 0..due {
            if !self.strategy_step("Autoplay", true) {
                self.on_board.autoplay = None;
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
                    self.on_board.autoplay = None;
                }
                return None;
            }
            autoplay.played(now, self.surroundings().autoplay_speed);
            self.on_board.autoplay = Some(autoplay);
            if AT_ONCE < begun.elapsed() {
                return Some(Duration::ZERO);
            }
        }
    }

    pub(super) fn can_in_game(&self, command: &GameCommand) -> Result<(), Cow<'static, str>> {
        let editing = self.content().editing.is_some();
        match command {
            GameCommand::Slide(mv) => {
                requires(!editing, EDITS)?;
                requires(
                    self.node().board.legal_moves().contains(*mv),
                    "No tile moves in this direction",
                )
            }
            GameCommand::Autoplay if self.on_board.autoplay.is_some() => Ok(()),
            GameCommand::Step | GameCommand::Autoplay => {
                requires(!editing, EDITS)?;
                requires(
                    !self.node().board.is_dead(),
                    "The game is over: no move is legal",
                )?;
                match self.strategy_problem() {
                    Some(problem) => {
                        Err(format!("The strategy cannot play here: {problem}").into())
                    }
                    None => Ok(()),
                }
            }
            GameCommand::Watch => requires(!editing, EDITS),
            GameCommand::SearchAgain => {
                requires(self.search_failure().is_some(), "No search was stopped")
            }
            GameCommand::First | GameCommand::Previous => {
                requires(0 < self.place(), "This is the first position")
            }
            GameCommand::Next | GameCommand::Last => requires(
                self.place() + 1 < self.line().len(),
                "This is the last position",
            ),
            GameCommand::PreviousBranch | GameCommand::NextBranch => requires(
                self.fork().is_some(),
                "There is only one branch: go back and play another move",
            ),
            GameCommand::PreviousGame | GameCommand::NextGame => {
                let games = self.tree().siblings(self.line()[0]).len();
                requires(
                    1 < games,
                    "There is only one game: press New, or open one of an experiment",
                )
            }
            GameCommand::ApplyEdit | GameCommand::TurnEdit | GameCommand::MirrorEdit => requires(
                editing,
                "The position editor is not open: choose Edit position first",
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_game(&mut self, command: &GameCommand, effects: &mut Effects) {
        match command {
            GameCommand::New => {
                self.new_game(self.game().rules.from_opening(), short_seed());
            }
            GameCommand::NewWith(rules, seed) => self.new_game(*rules, *seed),
            GameCommand::Slide(mv) => {
                self.on_board.autoplay = None;
                self.play(*mv, &format!("move {}", mv.name()), false);
            }
            GameCommand::Step => {
                self.on_board.autoplay = None;
                self.search_again();
                if !self.strategy_step("step", false) {
                    self.on_board.step_waits = self.searches();
                }
            }
            GameCommand::Autoplay => {
                self.core.end_step();
                self.on_board.step_waits = None;
                self.search_again();
                self.on_board.autoplay = match self.on_board.autoplay {
                    Some(_) => None,
                    None => Some(Autoplay::new(Instant::now())),
                };
            }
            GameCommand::Watch => {
                let criteria = vec![Criterion::one_ply(Evaluator::Network(
                    library::REFERENCE.to_owned(),
                ))];
                self.core.open_or_select(&Strategy {
                    name: "Reference".to_owned(),
                    criteria,
                    ..Strategy::default()
                });
                self.new_game(Rules::default(), short_seed());
                self.refresh();
                self.on_board.autoplay = Some(Autoplay::new(Instant::now()));
                effects.push(Effect::ShowPanel(Panel::Board));
            }
            GameCommand::SearchAgain => self.search_again(),
            GameCommand::Faster => self.set_speed(autoplay::changed(self.autoplay_speed(), true)),
            GameCommand::Slower => self.set_speed(autoplay::changed(self.autoplay_speed(), false)),
            GameCommand::SetSpeed(speed) => self.set_speed(*speed),
            GameCommand::SetRecordCap(cap) => self.set_record_cap(*cap),
            GameCommand::SetSearchThreads(threads) => {
                self.core.surroundings_mut().search_threads = *threads;
            }
            GameCommand::First => self.go_to_place(0),
            GameCommand::Previous => self.go_to_place(self.place().saturating_sub(1)),
            GameCommand::Next => self.next(),
            GameCommand::Last => self.go_to_place(usize::MAX),
            GameCommand::PreviousBranch => self.branch(-1),
            GameCommand::NextBranch => self.branch(1),
            GameCommand::PreviousGame => self.go_to_game(false, effects),
            GameCommand::NextGame => self.go_to_game(true, effects),
            GameCommand::GoTo(node) => self.go_to(*node),
            GameCommand::PlaceTile(spawn) => self.place_tile(*spawn, effects),
            GameCommand::PlayLine(from, steps) => self.play_line(*from, steps),
            GameCommand::PlayRecord(record, title) => self.play_record(record, title),
            GameCommand::EditPosition if self.content().editing.is_none() => {
                self.on_board.autoplay = None;
                self.core.content_mut().editing = Some(self.node().board);
            }
            GameCommand::EditPosition | GameCommand::ApplyEdit => self.apply_edit(effects),
            GameCommand::EditCell(cell, rank) => self.edit_cell(*cell, *rank),
            GameCommand::RefuseTile(digits) => {
                effects.warn(format!(
                    "{digits} is not a tile: tiles are 2, 4, 8 and so on up to 131072, and 0 empties a cell"
                ));
            }
            GameCommand::ClearEdit => {
                self.core.content_mut().editing = self
                    .content()
                    .editing
                    .map(|board| Board::empty(board.size()));
            }
            GameCommand::TurnEdit => self.edit_image("turn the edited board", Symmetry::turn),
            GameCommand::MirrorEdit => {
                self.edit_image("mirror the edited board", |_| Symmetry::MIRROR);
            }
            GameCommand::CancelEdit => self.core.content_mut().editing = None,
            GameCommand::EditNote(node) => {
                node.iter().for_each(|node| self.go_to(*node));
                let number = self
                    .on_board
                    .note_request
                    .map_or(0, |request| request.number + 1);
                self.on_board.note_request = Some(NoteRequest {
                    node: self.cursor(),
                    number,
                });
                effects.push(Effect::ShowPanel(Panel::Moves));
            }
            GameCommand::SetNote(node, text) => self.core.tree_mut().set_note(*node, text),
        }
    }

    fn set_speed(&mut self, speed: f32) {
        self.core.surroundings_mut().autoplay_speed = speed;
    }

    fn new_game(&mut self, rules: Rules, seed: u64) {
        self.leave_board("new game");
        self.core.content_mut().cursor =
            self.core
                .tree_mut()
                .begin(rules, seed, 0, Seed(seed).game(0).opening(&rules), 0, "");
    }

    /// Plays a move. All moves of one autoplay are one step of undo.
    fn play(&mut self, mv: Move, what: &str, ongoing: bool) -> bool {
        let from = self.content().cursor;
        let before = self.tree().node(from).board;
        let Some((step, next)) = self.core.tree_mut().slide(from, mv) else {
            return false;
        };
        if ongoing {
            self.core.record_session(what, what);
        } else {
            self.core.record(what);
        }
        self.core.content_mut().cursor = next;
        self.on_board.played = Some(Played {
            before,
            step,
            at: Instant::now(),
        });
        true
    }

    /// Plays the strategy's move; false if there is none, or none yet.
    pub(super) fn strategy_step(&mut self, what: &str, ongoing: bool) -> bool {
        if self.content().editing.is_some() {
            return false;
        }

        self.refresh();
        let Some(mv) = self.decision().and_then(|decision| decision.chosen) else {
            return false;
        };
        self.core.note_player();
        let spent = self.decision().and_then(|decision| {
            let searches = || decision.searches.iter().flatten();
            let plies = searches().map(|searched| searched.plies).max()?;
            Some(Spent {
                plies,
                elapsed: searches().map(|searched| searched.elapsed).sum(),
            })
        });
        let from = self.content().cursor;
        let played = self.play(mv, what, ongoing);
        if let Some(spent) = spent.filter(|_| played) {
            self.core.note_spent(from, mv, spent);
        }
        self.refresh();
        played
    }

    pub(super) fn go_to(&mut self, node: NodeId) {
        self.on_board.leave();
        self.core.content_mut().editing = None;
        self.core.end_step();
        self.core.content_mut().cursor = node;
        self.core.tree_mut().favour(node);
    }

    fn go_to_place(&mut self, place: usize) {
        if let Some(&node) = self
            .line()
            .get(place.min(self.line().len().saturating_sub(1)))
        {
            self.go_to(node);
        }
    }

    /// One move forward, with its animation.
    fn next(&mut self) {
        let Some(&node) = self.line().get(self.place() + 1) else {
            return;
        };
        let before = self.node().board;
        self.go_to(node);
        self.on_board.played = self.node().step.map(|step| Played {
            before,
            step,
            at: Instant::now(),
        });
    }

    /// Goes to another branch at the last fork, or from the start of a game to another game.
    fn branch(&mut self, by: isize) {
        let Some(fork) = self.fork() else { return };
        let (at, all) = self.tree().place_among_siblings(fork);
        let to = (at as isize + by).rem_euclid(all as isize) as usize;
        self.go_to(self.tree().siblings(fork)[to]);
    }

    /// Moves the newest tile: the same slide with another spawn, as a branch.
    fn place_tile(&mut self, spawn: Spawn, effects: &mut Effects) {
        let node = self.node();
        let (Some(parent), Some(step)) = (node.parent, node.step) else {
            effects.info(
                "This position was not reached by a move: use Edit position to set its tiles",
            );
            return;
        };
        let after = self
            .tree()
            .node(parent)
            .board
            .slide(step.mv)
            .map(|slide| slide.after.board());
        if after.is_none_or(|after| !after.get(spawn.cell).is_empty()) {
            return;
        }
        self.core.record("place a tile");
        self.on_board.leave();
        if let Some(next) = self
            .core
            .tree_mut()
            .play(parent, Step { mv: step.mv, spawn })
        {
            self.core.content_mut().cursor = next;
        }
    }

    /// Plays turns from a position, as a branch if they are new.
    fn play_line(&mut self, from: NodeId, steps: &[Step]) {
        self.leave_board("open a node of the search");
        self.core.content_mut().cursor = self.core.tree_mut().play_on(from, steps);
        self.core.favour_cursor();
    }

    fn play_record(&mut self, record: &Record, title: &str) {
        self.leave_board("open a node of an opened tree");
        self.core.content_mut().cursor = self.core.tree_mut().add_record(record, title);
        self.core.favour_cursor();
    }

    fn edit_cell(&mut self, cell: Cell, rank: Rank) {
        if let Some(board) = &mut self.core.content_mut().editing {
            *board = board.with(cell, rank);
        }
    }

    /// Turns or mirrors the edited board.
    fn edit_image(&mut self, what: &str, symmetry: impl Fn(Size) -> Symmetry) {
        if let Some(board) = self.content().editing {
            self.core.record(what);
            self.core.content_mut().editing = Some(symmetry(board.size()).image(&board));
        }
    }

    /// Starts a new game from the edited board.
    fn apply_edit(&mut self, effects: &mut Effects) {
        let Some(board) = self.core.content_mut().editing.take() else {
            return;
        };
        if board == self.node().board {
            return;
        }
        self.core.record("edit the position");
        self.on_board.played = None;
        self.begin_at(board, 0, "edited position");
        self.doubt_board(effects);
    }

    /// Starts a game from a position, with the seed and rules of the current game.
    fn begin_at(&mut self, board: Board, score: u64, title: &str) {
        let Game {
            rules, seed, index, ..
        } = *self.game();
        self.core.content_mut().cursor = self.core.tree_mut().begin(
            rules.from_opening().on(board.size()),
            seed,
            index,
            board,
            score,
            title,
        );
    }

    /// Records a step of undo, and ends everything that runs on the board.
    fn leave_board(&mut self, what: &str) {
        self.core.record(what);
        self.on_board.leave();
        self.core.content_mut().editing = None;
    }

    pub(super) fn open_position(&mut self, board: Board, score: u64, title: &str) {
        self.leave_board("open a position");
        self.begin_at(board, score, title);
    }

    /// Puts a recorded game on the board, at the last position with a choice.
    pub(super) fn open_record(&mut self, record: &Record, title: &str) {
        self.leave_board("open a game");
        let end = self.core.tree_mut().add_record(record, title);
        self.core.tree_mut().favour(end);
        self.show_last_choice(end);
    }

    /// Goes to the next or previous game; wraps around.
    fn go_to_game(&mut self, forward: bool, effects: &mut Effects) {
        let (place, games) = self.tree().place_among_siblings(self.line()[0]);
        let other = (place + if forward { 1 } else { games - 1 }) % games;
        let start = self.tree().siblings(self.line()[0])[other];
        self.leave_board("go to another game");
        self.show_last_choice(start);
        let title = &self.tree().game_of(start).title;
        let title = if title.is_empty() {
            String::new()
        } else {
            format!(": {title}")
        };
        effects.info(format!(
            "Game {} of {}{title}",
            words::count(other as u64 + 1),
            words::count(games as u64)
        ));
    }

    /// Shows the last position with a choice on the line through `id`.
    fn show_last_choice(&mut self, id: NodeId) {
        let line = self.tree().line_through(id);
        let end = line.last().copied().unwrap_or(id);
        let last_choice = line
            .iter()
            .rev()
            .find(|&&id| 1 < self.tree().node(id).board.legal_moves().len());
        self.core.content_mut().cursor = last_choice.copied().unwrap_or(end);
    }
}
