//! The current game: play, navigate, and edit positions.

use std::borrow::Cow;
use std::time::Instant;

use super::autoplay::{self, Autoplay};
use super::effect::{Effect, Effects};
use super::{Document, Game, NodeId, NoteRequest, Played, Spent};
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

impl Document {
    pub(super) fn can_in_game(&self, command: &GameCommand) -> Result<(), Cow<'static, str>> {
        let editing = self.content.editing.is_some();
        match command {
            GameCommand::Slide(mv) => {
                requires(!editing, EDITS)?;
                requires(self.node().board.legal_moves().contains(*mv), "No tile moves in this direction")
            }
            GameCommand::Autoplay if self.autoplay.is_some() => Ok(()),
            GameCommand::Step | GameCommand::Autoplay => {
                requires(!editing, EDITS)?;
                requires(!self.node().board.is_dead(), "The game is over: no move is legal")?;
                match self.strategy_problem() {
                    Some(problem) => Err(format!("The strategy cannot play here: {problem}").into()),
                    None => Ok(()),
                }
            }
            GameCommand::Watch => requires(!editing, EDITS),
            GameCommand::SearchAgain => requires(self.decider.search.failed().is_some(), "No search was stopped"),
            GameCommand::First | GameCommand::Previous => requires(0 < self.place(), "This is the first position"),
            GameCommand::Next | GameCommand::Last => {
                requires(self.place() + 1 < self.line.len(), "This is the last position")
            }
            GameCommand::PreviousBranch | GameCommand::NextBranch => {
                requires(self.fork().is_some(), "There is only one branch: go back and play another move")
            }
            GameCommand::PreviousGame | GameCommand::NextGame => {
                let games = self.tree.siblings(self.line[0]).len();
                requires(1 < games, "There is only one game: press New, or open one of an experiment")
            }
            GameCommand::ApplyEdit | GameCommand::TurnEdit | GameCommand::MirrorEdit => {
                requires(editing, "The position editor is not open: choose Edit position first")
            }
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
                self.autoplay = None;
                self.play(*mv, &format!("move {}", mv.name()), false);
            }
            GameCommand::Step => {
                self.autoplay = None;
                self.search_again();
                if !self.strategy_step("step", false) {
                    self.step_waits = self.decider.searches();
                }
            }
            GameCommand::Autoplay => {
                self.history.finish();
                self.step_waits = None;
                self.search_again();
                self.autoplay = match self.autoplay {
                    Some(_) => None,
                    None => Some(Autoplay::new(Instant::now())),
                };
            }
            GameCommand::Watch => {
                let criteria = vec![Criterion::one_ply(Evaluator::Network(library::REFERENCE.to_owned()))];
                self.open_or_select(&Strategy { name: "Reference".to_owned(), criteria, ..Strategy::default() });
                self.new_game(Rules::default(), short_seed());
                self.refresh();
                self.autoplay = Some(Autoplay::new(Instant::now()));
                effects.push(Effect::ShowPanel(Panel::Board));
            }
            GameCommand::SearchAgain => self.search_again(),
            GameCommand::Faster => self.surroundings.autoplay_speed = autoplay::changed(self.autoplay_speed(), true),
            GameCommand::Slower => self.surroundings.autoplay_speed = autoplay::changed(self.autoplay_speed(), false),
            GameCommand::SetSpeed(speed) => self.surroundings.autoplay_speed = *speed,
            GameCommand::SetRecordCap(cap) => self.set_record_cap(*cap),
            GameCommand::SetSearchThreads(threads) => self.surroundings.search_threads = *threads,
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
            GameCommand::EditPosition if self.content.editing.is_none() => {
                self.autoplay = None;
                self.content.editing = Some(self.node().board);
            }
            GameCommand::EditPosition | GameCommand::ApplyEdit => self.apply_edit(effects),
            GameCommand::EditCell(cell, rank) => self.edit_cell(*cell, *rank),
            GameCommand::RefuseTile(digits) => {
                effects.warn(format!(
                    "{digits} is not a tile: tiles are 2, 4, 8 and so on up to 131072, and 0 empties a cell"
                ));
            }
            GameCommand::ClearEdit => {
                self.content.editing = self.content.editing.map(|board| Board::empty(board.size()));
            }
            GameCommand::TurnEdit => self.edit_image("turn the edited board", Symmetry::turn),
            GameCommand::MirrorEdit => self.edit_image("mirror the edited board", |_| Symmetry::MIRROR),
            GameCommand::CancelEdit => self.content.editing = None,
            GameCommand::EditNote(node) => {
                node.iter().for_each(|node| self.go_to(*node));
                let number = self.note_request.map_or(0, |request| request.number + 1);
                self.note_request = Some(NoteRequest { node: self.cursor(), number });
                effects.push(Effect::ShowPanel(Panel::Moves));
            }
            GameCommand::SetNote(node, text) => self.tree.set_note(*node, text),
        }
    }

    fn new_game(&mut self, rules: Rules, seed: u64) {
        self.leave_board("new game");
        self.content.cursor = self.tree.begin(rules, seed, 0, Seed(seed).game(0).opening(&rules), 0, "");
    }

    /// Plays a move. All moves of one autoplay are one step of undo.
    fn play(&mut self, mv: Move, what: &str, ongoing: bool) -> bool {
        let from = self.content.cursor;
        let before = self.tree.node(from).board;
        let Some((step, next)) = self.tree.slide(from, mv) else { return false };
        if ongoing {
            self.history.record_session(what, what, &self.content);
        } else {
            self.record(what);
        }
        self.content.cursor = next;
        self.played = Some(Played { before, step, at: Instant::now() });
        true
    }

    /// Plays the strategy's move; false if there is none, or none yet.
    pub(super) fn strategy_step(&mut self, what: &str, ongoing: bool) -> bool {
        if self.content.editing.is_some() {
            return false;
        }

        self.refresh();
        let Some(mv) = self.decision().and_then(|decision| decision.chosen) else { return false };
        self.tree.begun_by(self.content.cursor, &*self.content.strategies[self.current()].strategy);
        let spent = self.decision().and_then(|decision| {
            let searches = || decision.searches.iter().flatten();
            let plies = searches().map(|searched| searched.plies).max()?;
            Some(Spent { plies, elapsed: searches().map(|searched| searched.elapsed).sum() })
        });
        let from = self.content.cursor;
        let played = self.play(mv, what, ongoing);
        if let Some(spent) = spent.filter(|_| played) {
            self.spent.insert(from, (mv, spent));
            self.measured += 1;
        }
        self.refresh();
        played
    }

    /// The number of the decision on the board, from 1, whether or not it was made.
    pub fn move_number(&self) -> u64 {
        self.place() as u64 + 1
    }

    /// The cost of move number `index` of the line, from 0; `None` if a search did not play it here.
    pub fn spent_at(&self, index: usize) -> Option<Spent> {
        let (from, next) = (self.line.get(index)?, self.line.get(index + 1)?);
        let (mv, spent) = self.spent.get(from)?;
        (self.tree.node(*next).step?.mv == *mv).then_some(*spent)
    }

    /// The number of measured moves.
    pub fn measured(&self) -> u64 {
        self.measured
    }

    pub(super) fn go_to(&mut self, node: NodeId) {
        self.autoplay = None;
        self.played = None;
        self.content.editing = None;
        self.history.finish();
        self.content.cursor = node;
        self.tree.favour(node);
    }

    fn go_to_place(&mut self, place: usize) {
        if let Some(&node) = self.line.get(place.min(self.line.len().saturating_sub(1))) {
            self.go_to(node);
        }
    }

    /// One move forward, with its animation.
    fn next(&mut self) {
        let Some(&node) = self.line.get(self.place() + 1) else { return };
        let before = self.node().board;
        self.go_to(node);
        self.played = self.node().step.map(|step| Played { before, step, at: Instant::now() });
    }

    /// Goes to another branch at the last fork, or from the start of a game to another game.
    fn branch(&mut self, by: isize) {
        let Some(fork) = self.fork() else { return };
        let (at, all) = self.tree.place_among_siblings(fork);
        let to = (at as isize + by).rem_euclid(all as isize) as usize;
        self.go_to(self.tree.siblings(fork)[to]);
    }

    /// Moves the newest tile: the same slide with another spawn, as a branch.
    fn place_tile(&mut self, spawn: Spawn, effects: &mut Effects) {
        let node = self.node();
        let (Some(parent), Some(step)) = (node.parent, node.step) else {
            effects.info("This position was not reached by a move: use Edit position to set its tiles");
            return;
        };
        let after = self.tree.node(parent).board.slide(step.mv).map(|slide| slide.after.board());
        if after.is_none_or(|after| !after.get(spawn.cell).is_empty()) {
            return;
        }
        self.record("place a tile");
        self.autoplay = None;
        self.played = None;
        if let Some(next) = self.tree.play(parent, Step { mv: step.mv, spawn }) {
            self.content.cursor = next;
        }
    }

    /// Plays turns from a position, as a branch if they are new.
    fn play_line(&mut self, from: NodeId, steps: &[Step]) {
        self.leave_board("open a node of the search");
        self.content.cursor = self.tree.play_on(from, steps);
        self.tree.favour(self.content.cursor);
    }

    fn play_record(&mut self, record: &Record, title: &str) {
        self.leave_board("open a node of an opened tree");
        self.content.cursor = self.tree.add_record(record, title);
        self.tree.favour(self.content.cursor);
    }

    fn edit_cell(&mut self, cell: Cell, rank: Rank) {
        if let Some(board) = &mut self.content.editing {
            *board = board.with(cell, rank);
        }
    }

    /// Turns or mirrors the edited board.
    fn edit_image(&mut self, what: &str, symmetry: impl Fn(Size) -> Symmetry) {
        if let Some(board) = self.content.editing {
            self.record(what);
            self.content.editing = Some(symmetry(board.size()).image(&board));
        }
    }

    /// Starts a new game from the edited board.
    fn apply_edit(&mut self, effects: &mut Effects) {
        let Some(board) = self.content.editing.take() else { return };
        if board == self.node().board {
            return;
        }
        self.record("edit the position");
        self.played = None;
        self.begin_at(board, 0, "edited position");
        self.doubt_board(effects);
    }

    /// Warns if the current position is unreachable in a game.
    pub(super) fn doubt_board(&self, effects: &mut Effects) {
        if let Err(reason) = self.game().rules.check_board(&self.node().board) {
            effects.warn(format!("This position cannot occur: {reason}"));
        }
    }

    /// Starts a game from a position, with the seed and rules of the current game.
    fn begin_at(&mut self, board: Board, score: u64, title: &str) {
        let Game { rules, seed, index, .. } = *self.game();
        self.content.cursor = self.tree.begin(rules.from_opening().on(board.size()), seed, index, board, score, title);
    }

    /// Records a step of undo, and ends everything that runs on the board.
    fn leave_board(&mut self, what: &str) {
        self.record(what);
        self.autoplay = None;
        self.played = None;
        self.content.editing = None;
    }

    pub(super) fn open_position(&mut self, board: Board, score: u64, title: &str) {
        self.leave_board("open a position");
        self.begin_at(board, score, title);
    }

    /// Puts a recorded game on the board, at the last position with a choice.
    pub(super) fn open_record(&mut self, record: &Record, title: &str) {
        self.leave_board("open a game");
        let end = self.tree.add_record(record, title);
        self.tree.favour(end);
        self.show_last_choice(end);
    }

    /// Goes to the next or previous game; wraps around.
    fn go_to_game(&mut self, forward: bool, effects: &mut Effects) {
        let (place, games) = self.tree.place_among_siblings(self.line[0]);
        let other = (place + if forward { 1 } else { games - 1 }) % games;
        let start = self.tree.siblings(self.line[0])[other];
        self.leave_board("go to another game");
        self.show_last_choice(start);
        let title = &self.tree.game_of(start).title;
        let title = if title.is_empty() { String::new() } else { format!(": {title}") };
        effects.info(format!("Game {} of {}{title}", words::count(other as u64 + 1), words::count(games as u64)));
    }

    /// Shows the last position with a choice on the line through `id`.
    fn show_last_choice(&mut self, id: NodeId) {
        let line = self.tree.line_through(id);
        let end = line.last().copied().unwrap_or(id);
        let last_choice = line.iter().rev().find(|&&id| 1 < self.tree.node(id).board.legal_moves().len());
        self.content.cursor = last_choice.copied().unwrap_or(end);
    }
}
