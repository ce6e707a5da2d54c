//! Every change of the document, one command each.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use super::autoplay::{self, Autoplay};
use super::{Document, NodeId, Opened, Played, Setup};
use crate::experiment::{Plan, State};
use crate::game::{Board, Cell, Move, Rank, Record, Rules, Seed, Spawn, Step};
use crate::preset::Entry;
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, RowTransfer, Strategy, StrategyEdit};
use crate::words;
use crate::workbench::command::{Command, TreeCommand, UndoStep};
use crate::workbench::notice::Notices;

/// Whether a command makes sense now, else why not.
pub(super) fn can(doc: &Document, command: &Command) -> Result<(), Cow<'static, str>> {
    let busy = doc.lab.is_busy();
    let paused = doc.lab.state() == Some(&State::Paused);
    let requires = |condition: bool, reason: &'static str| if condition { Ok(()) } else { Err(Cow::Borrowed(reason)) };
    let editing = doc.content.editing.is_some();
    match command {
        Command::Undo if doc.deleted_last().is_some() => Ok(()),
        Command::Library(command) => doc.can_in_library(command),
        Command::Undo => requires(doc.history.undoes().is_some(), "Nothing to take back"),
        Command::Redo => requires(doc.history.redoes().is_some(), "Nothing was taken back"),
        Command::Slide(mv) if !editing => {
            requires(doc.node().board.slide(*mv).is_some(), "Nothing moves in this direction")
        }
        Command::Slide(_) => Err("The position editor is open: press Apply or Cancel first".into()),
        Command::Step | Command::Autoplay => {
            if command == &Command::Autoplay && doc.autoplay.is_some() {
                return Ok(());
            }
            requires(!editing, "The position editor is open: press Apply or Cancel first")?;
            requires(!doc.node().board.is_dead(), "The game is over: no slide is legal")?;
            match doc.strategy_problem() {
                Some(problem) => Err(format!("The strategy cannot play here: {problem}").into()),
                None => Ok(()),
            }
        }
        Command::Stop => {
            let searches = doc.thinker.since().is_some() || doc.rival_since().is_some() || doc.is_walking();
            let searches = searches || doc.timing.is_some();
            requires(busy || doc.autoplay.is_some() || editing || searches, "Nothing runs")
        }
        Command::Tree(TreeCommand::NextDisagreement | TreeCommand::PreviousDisagreement) => {
            requires(doc.rival().is_some(), "Choose a strategy to compare with first")
        }
        Command::Versus(command) => doc.can_versus(command),
        Command::CompareWith(Some(index)) => requires(*index < doc.strategies().len(), "There is no such strategy"),
        Command::Pin(command) => doc.can_pin(command),
        Command::SearchAgain => requires(doc.unanswered.is_some(), "No search was stopped"),
        Command::First | Command::Previous => requires(0 < doc.place(), "This is the first position"),
        Command::Next | Command::Last => requires(doc.place() + 1 < doc.line.len(), "This is the last position"),
        Command::PreviousBranch | Command::NextBranch => {
            requires(doc.fork().is_some(), "There is one line only: go back and play another move")
        }
        Command::NextStrategy | Command::PreviousStrategy => {
            requires(1 < doc.strategies().len(), "Only one strategy is open")
        }
        Command::AddToExperiment => {
            let strategy = doc.strategy();
            let is_same =
                |entry: &Entry| entry.strategy.hash() == strategy.hash() && entry.strategy.label() == strategy.label();
            requires(!doc.setup().strategies.iter().any(is_same), "It is in the experiment already")
        }
        Command::TransferRow(transfer) => {
            requires(transfer.edits(doc.strategies()).is_some(), "There is no such row")?;
            doc.strategies()[transfer.to.0].room_for_a_row().map_err(Cow::Borrowed)
        }
        Command::CloseStrategy => requires(1 < doc.strategies().len(), "This is the last open strategy"),
        Command::RunExperiment => {
            requires(!busy, "It runs already")?;
            requires(!doc.setup().strategies.is_empty(), "No strategy yet: drag one in, or press Add")?;
            match doc.plan().check() {
                Ok(()) => Ok(()),
                Err(error) => Err(error.to_string().into()),
            }
        }
        Command::PauseExperiment => requires(busy && !paused, "Nothing runs"),
        Command::ResumeExperiment => requires(paused, "Nothing is paused"),
        Command::CancelExperiment => requires(busy, "Nothing runs"),
        Command::ExportResults => requires(doc.lab.run().is_some(), "No results yet: run the experiment first"),
        Command::Save | Command::SaveAs => {
            requires(!doc.setup().strategies.is_empty(), "The experiment has no strategy to save yet")
        }
        _ => Ok(()),
    }
}

impl Document {
    /// Does a command that changes the document.
    pub fn apply(&mut self, command: &Command, notices: &mut Notices) {
        match command {
            Command::Undo => match self.deleted_last().cloned() {
                Some(restore) => self.apply(&restore, notices),
                None => self.undo(notices),
            },
            Command::Redo => self.redo(notices),

            Command::NewGame => {
                // Short enough to be typed again from a screenshot.
                let seed = u64::from(rand::random::<u32>() % 1_000_000);
                self.new_game(self.game().rules, seed);
            }
            Command::NewGameWith { rules, seed } => self.new_game(*rules, *seed),
            Command::Slide(mv) => {
                self.autoplay = None;
                self.play(*mv, &format!("slide {}", mv.name()), false);
            }
            Command::Step => {
                self.autoplay = None;
                self.search_again();
                if !self.strategy_step("step", false) {
                    self.step_waits = self.asked;
                }
            }
            Command::Autoplay => {
                self.history.finish();
                self.step_waits = None;
                self.search_again();
                self.autoplay = match self.autoplay {
                    Some(_) => None,
                    None => Some(Autoplay::new(Instant::now())),
                };
            }
            Command::Stop => self.stop(),
            Command::SearchAgain => self.search_again(),
            Command::First => self.go_to_place(0),
            Command::Previous => self.go_to_place(self.place().saturating_sub(1)),
            Command::Next => self.next(),
            Command::Last => self.go_to_place(usize::MAX),
            Command::GoTo(node) => self.go_to(*node),
            Command::PreviousBranch => self.branch(-1),
            Command::NextBranch => self.branch(1),
            Command::Faster => self.surroundings.autoplay_speed = autoplay::changed(self.autoplay_speed(), true),
            Command::Slower => self.surroundings.autoplay_speed = autoplay::changed(self.autoplay_speed(), false),
            Command::SetAutoplaySpeed(speed) => self.surroundings.autoplay_speed = *speed,
            Command::PlaceTile(spawn) => self.place_tile(*spawn, notices),
            Command::PlayLine { from, steps } => self.play_line(*from, steps),
            Command::CompareWith(index) => self.compare_with(*index),
            Command::Tree(TreeCommand::NextDisagreement) => self.walk_to_disagreement(true),
            Command::Tree(TreeCommand::PreviousDisagreement) => self.walk_to_disagreement(false),

            Command::EditPosition => match self.content.editing {
                None => {
                    self.autoplay = None;
                    self.content.editing = Some(self.node().board);
                }
                Some(_) => self.apply_edit(),
            },
            Command::EditCell(cell, rank) => self.edit_cell(*cell, *rank),
            Command::ClearEdit => self.content.editing = self.content.editing.map(|board| Board::empty(board.size())),
            Command::ApplyEdit => self.apply_edit(),
            Command::CancelEdit => self.content.editing = None,

            Command::SelectStrategy(index) => self.select_strategy(*index),
            Command::NextStrategy => self.select_strategy((self.current() + 1) % self.strategies().len()),
            Command::PreviousStrategy => {
                let all = self.strategies().len();
                self.select_strategy((self.current() + all - 1) % all);
            }
            Command::NewStrategy => {
                let strategy = Strategy { name: self.free_strategy_name("new strategy"), ..Strategy::default() };
                self.open_strategy("new strategy", strategy);
            }
            Command::DuplicateStrategy => {
                let strategy = self.strategy();
                let name = self.free_strategy_name(&strategy.label());
                let copy = Strategy { name, ..(*strategy).clone() };
                self.open_opened("duplicate strategy", Opened::made_from(copy, strategy));
            }
            Command::OpenStrategy(strategy) => {
                let open = self.strategies().iter().position(|open| *open.strategy == **strategy);
                match open {
                    Some(index) => self.content.current = index,
                    None => self.open_strategy("open strategy", (**strategy).clone()),
                }
            }
            Command::CloseStrategy => {
                self.record("close strategy");
                let current = self.current();
                self.content.strategies.remove(current);
                self.content.current = current.min(self.content.strategies.len() - 1);
            }
            Command::Edit(edit, step) => self.edit_strategy(edit, *step, notices),
            Command::TransferRow(transfer) => self.transfer_row(*transfer),

            Command::NewExperiment => {
                self.record("new experiment");
                self.content.setup = Setup::empty();
                self.content.saved_to = None;
            }
            Command::AddContestant(strategy) => self.add_contestant(strategy, notices),
            Command::AddToExperiment => self.add_contestant(&self.strategy(), notices),
            Command::RemoveContestant(index) => self.change_setup("remove a strategy", |entries| {
                (*index < entries.len()).then(|| entries.remove(*index)).is_some()
            }),
            Command::MoveContestant { from, to } => {
                self.change_setup("reorder strategies", |entries| move_item(entries, *from, *to));
            }
            Command::SetGames(games) => self.set_up("set games", |preset| preset.games = *games),
            Command::SetSeed(seed) => self.set_up("set seed", |preset| preset.seed = *seed),
            Command::SetRules(rules) => self.set_up("set rules", |preset| preset.rules = *rules),
            Command::SetTitle(title) => self.set_up("rename experiment", |preset| preset.title.clone_from(title)),
            Command::SetNote(note) => self.set_up("edit note", |preset| preset.note.clone_from(note)),
            Command::SetThreads(threads) => self.surroundings.threads = *threads,
            Command::RunExperiment => match self.run_experiment() {
                Ok(()) => {}
                Err(error) => notices.error(format!("The experiment cannot run: {error}")),
            },
            Command::PauseExperiment => self.lab.run().into_iter().for_each(crate::experiment::Run::pause),
            Command::ResumeExperiment => self.lab.run().into_iter().for_each(crate::experiment::Run::resume),
            Command::CancelExperiment => self.lab.run().into_iter().for_each(crate::experiment::Run::cancel),
            Command::OpenGame { entry, index } => self.open_game(*entry, *index, notices),

            Command::Library(command) => self.apply_to_library(command, notices),
            Command::Pin(command) => self.apply_to_pins(command, notices),
            Command::Versus(command) => self.apply_versus(command, notices),
            other => self.apply_to_files(other, notices),
        }
        self.refresh();
    }

    /// Remembers the present for undo.
    pub(super) fn record(&mut self, what: &str) {
        self.history.record(what, &self.content);
    }

    fn undo(&mut self, notices: &mut Notices) {
        self.autoplay = None;
        self.played = None;
        let pins = self.content.pinning.clone();
        if let Some(what) = self.history.undo(&mut self.content) {
            notices.info(format!("Taken back: {what}"));
            self.follow_pins(&pins, notices);
            self.tree.favour(self.content.cursor);
        }
    }

    fn redo(&mut self, notices: &mut Notices) {
        self.autoplay = None;
        self.played = None;
        let pins = self.content.pinning.clone();
        if let Some(what) = self.history.redo(&mut self.content) {
            notices.info(format!("Done again: {what}"));
            self.follow_pins(&pins, notices);
            self.tree.favour(self.content.cursor);
        }
    }

    /// Escape: leaves the editor, else ends autoplay and the search of a move, else the run.
    fn stop(&mut self) {
        if self.content.editing.take().is_some() {
            return;
        }
        let played = self.autoplay.take().is_some();
        self.step_waits = None;
        let searched = self.stop_search();
        let timed = self.timing.take().is_some();
        if self.stop_rival() || searched || played || timed {
            return;
        }
        self.lab.run().into_iter().for_each(crate::experiment::Run::cancel);
    }

    // The game

    fn new_game(&mut self, rules: Rules, seed: u64) {
        self.record("new game");
        self.autoplay = None;
        self.played = None;
        self.content.editing = None;
        self.content.cursor = self.tree.begin(rules, seed, 0, Seed(seed).game(0).opening(&rules), 0, "");
    }

    /// Slides and lets the game's seed place the tile.
    fn play(&mut self, mv: Move, what: &str, ongoing: bool) -> bool {
        let from = self.content.cursor;
        let Some(spawn) = self.tree.seeded_spawn(from, mv) else { return false };
        self.play_turn(Step { mv, spawn }, what, ongoing)
    }

    fn play_turn(&mut self, step: Step, what: &str, ongoing: bool) -> bool {
        let from = self.content.cursor;
        let before = self.tree.node(from).board;
        let Some(next) = self.tree.play(from, step) else { return false };
        if ongoing {
            self.history.record_ongoing(what, what, &self.content);
        } else {
            self.record(what);
        }
        self.content.cursor = next;
        self.played = Some(Played { before, step, at: Instant::now() });
        true
    }

    /// Lets the strategy make its move; false when there is none, or none yet.
    pub(super) fn strategy_step(&mut self, what: &str, ongoing: bool) -> bool {
        if self.content.editing.is_some() {
            return false;
        }
        self.refresh();
        let Some(mv) = self.decision().and_then(|decision| decision.chosen) else { return false };
        let played = self.play(mv, what, ongoing);
        self.refresh();
        played
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

    /// One move forward, drawn as a move.
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

    /// Puts the newest tile elsewhere: the same slide followed by another spawn, as a branch.
    fn place_tile(&mut self, spawn: Spawn, notices: &mut Notices) {
        let node = self.node();
        let (Some(parent), Some(step)) = (node.parent, node.step) else {
            notices.info("This position was not reached by a slide: use Edit to set its tiles");
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

    /// Plays turns from a position, as a branch where they were not played before.
    fn play_line(&mut self, from: NodeId, steps: &[Step]) {
        self.record("open a node of the search");
        self.autoplay = None;
        self.played = None;
        self.content.editing = None;
        self.content.cursor = from;
        for step in steps {
            match self.tree.play(self.content.cursor, *step) {
                Some(next) => self.content.cursor = next,
                None => break,
            }
        }
        self.tree.favour(self.content.cursor);
    }

    fn edit_cell(&mut self, cell: Cell, rank: Rank) {
        if let Some(board) = &mut self.content.editing {
            *board = board.with(cell, rank);
        }
    }

    /// Takes the edited board as the start of a new game.
    fn apply_edit(&mut self) {
        let Some(board) = self.content.editing.take() else { return };
        if board == self.node().board {
            return;
        }
        self.record("edit the position");
        let game = self.game();
        let (seed, index) = (game.seed, game.index);
        let rules = game.rules.on(board.size());
        self.played = None;
        self.content.cursor = self.tree.begin(rules, seed, index, board, 0, "edited position");
    }

    /// Begins a game at a pasted or opened position.
    pub(super) fn open_position(&mut self, board: Board, score: u64, title: &str) {
        self.record("open a position");
        self.autoplay = None;
        self.played = None;
        self.content.editing = None;
        let game = self.game();
        let rules = game.rules.on(board.size());
        let (seed, index) = (game.seed, game.index);
        self.content.cursor = self.tree.begin(rules, seed, index, board, score, title);
    }

    /// Puts a written game on the board, at the last position that left a choice.
    pub(super) fn open_record(&mut self, record: &Record, title: &str) {
        self.record("open a game");
        self.autoplay = None;
        self.played = None;
        self.content.editing = None;
        let end = self.tree.add_record(record, title);
        self.tree.favour(end);
        let line = self.tree.line_through(end);
        let last_choice = line.iter().rev().find(|&&id| 1 < self.tree.node(id).board.legal_moves().len());
        self.content.cursor = last_choice.copied().unwrap_or(end);
    }

    /// Plays a game of the run again and puts it on the board, at the last position that left a choice.
    fn open_game(&mut self, entry: usize, index: u64, notices: &mut Notices) {
        let Some(plan) = self.lab.plan() else { return };
        let Some(contestant) = plan.contestants.get(entry) else { return };
        let (strategy, rules, seed) = (contestant.strategy.clone(), plan.rules, plan.seed);
        let title = format!("{}, game {} of {}", strategy.label(), words::count(index), plan.title);
        let record = match self.lab.run().and_then(|run| run.moves(entry, index)) {
            Some(moves) => record_of(&moves, &strategy, rules, seed, index),
            None if strategy.looks_ahead() => {
                notices.warn(format!("The moves of game {} were not kept", words::count(index)));
                return;
            }
            None => GameTrace::record(
                &self.player(&strategy, rules),
                Seed(seed),
                index,
                &strategy,
                SearchOptions::default(),
            ),
        };
        self.open_record(&record, &title);
        // The strategy that played is the one to look at.
        match self.content.strategies.iter().position(|open| open.hash() == strategy.hash()) {
            Some(open) => self.content.current = open,
            None => {
                self.content.strategies.push(Opened::new(strategy));
                self.content.current = self.content.strategies.len() - 1;
            }
        }
        notices.info(format!("{title}, at its last choice"));
    }

    // Strategies

    pub(super) fn free_strategy_name(&self, name: &str) -> String {
        let taken: Vec<String> = self.strategies().iter().map(|strategy| strategy.label()).collect();
        super::lab::free_name(name, &taken)
    }

    /// Opens a strategy in the builder and makes it the current one.
    pub(super) fn open_strategy(&mut self, what: &str, strategy: Strategy) {
        self.open_opened(what, Opened::new(strategy));
    }

    /// The same for one whose origin is known.
    pub(super) fn open_opened(&mut self, what: &str, opened: Opened) {
        self.record(what);
        self.content.strategies.push(opened);
        self.content.current = self.content.strategies.len() - 1;
    }

    fn select_strategy(&mut self, index: usize) {
        if index < self.content.strategies.len() && index != self.content.current {
            self.content.current = index;
            self.history.finish();
        }
    }

    /// Changes the strategy on screen.
    fn edit_strategy(&mut self, edit: &StrategyEdit, step: UndoStep, notices: &mut Notices) {
        let current = self.current();
        let strategy = self.strategy();
        if let Err(reason) = edit.check(&strategy) {
            return notices.warn(reason);
        }
        let (after, rows) = edit.apply(&strategy);
        if after != *strategy || !rows.is_identity(strategy.criteria.len()) {
            match (edit, step) {
                (StrategyEdit::SetRow { row, .. }, _) => {
                    self.history.record_ongoing(&format!("row {current} {row}"), edit.name(), &self.content);
                }
                (_, UndoStep::Session(session)) => {
                    self.history.record_session(&format!("text {session}"), "edit the text", &self.content);
                }
                (_, UndoStep::Whole | UndoStep::Ongoing) => self.record(edit.name()),
            }
            self.content.strategies[current].change(after, &rows);
            // Who replaces the whole strategy names it as well.
            if !matches!(edit, StrategyEdit::Replace(_)) {
                self.rename_after_change(current);
            }
        }
        if step == UndoStep::Whole {
            self.history.finish();
        }
    }

    /// Takes a row from one open strategy to another; both sides are one step of undo.
    fn transfer_row(&mut self, transfer: RowTransfer) {
        let Some(edits) = transfer.edits(self.strategies()) else { return };
        self.record(transfer.name());
        for (index, edit) in edits {
            let (after, rows) = edit.apply(&self.content.strategies[index]);
            self.content.strategies[index].change(after, &rows);
            self.rename_after_change(index);
        }
        self.content.current = transfer.to.0;
    }

    /// A name that says what the rows are follows them.
    fn rename_after_change(&mut self, index: usize) {
        let Some(before) = self.history.before().and_then(|content| content.strategies.get(index)) else { return };
        let open = &mut self.content.strategies[index];
        let name = open.name_after(before);
        if name != open.name {
            Arc::make_mut(&mut open.strategy).name = name;
        }
    }

    // The experiment

    /// What a run would play.
    pub(super) fn plan(&self) -> Plan {
        Plan { threads: self.surroundings.threads, ..Plan::of_preset(self.setup()) }.in_background()
    }

    pub(super) fn run_experiment(&mut self) -> Result<(), crate::experiment::PlanError> {
        let wake = self.surroundings.wake.clone();
        self.lab.start(self.plan(), move || wake())
    }

    pub(super) fn poll_lab(&mut self, notices: &mut Notices) {
        let Some(state) = self.lab.poll() else { return };
        let finished = self.lab.progress().map_or(0, |progress| progress.finished);
        match state {
            State::Cancelled => notices.info(format!("Stopped, {} kept", words::plural(finished, "finished game"))),
            State::Failed(sentence) => notices.error(sentence),
            State::Running | State::Paused | State::Done => {}
        }
    }

    fn add_contestant(&mut self, strategy: &Strategy, notices: &mut Notices) {
        let mut setup = self.content.setup.clone();
        match setup.add(strategy) {
            Some(_) => {
                self.record("add a strategy to the experiment");
                self.content.setup = setup;
            }
            None => notices.info(format!("{} is in the experiment already", strategy.label())),
        }
    }

    fn change_setup(&mut self, what: &str, change: impl FnOnce(&mut Vec<Entry>) -> bool) {
        let mut setup = self.content.setup.clone();
        let mut changed = false;
        setup.change(|preset| changed = change(&mut preset.strategies));
        if changed {
            self.record(what);
            self.content.setup = setup;
        }
    }

    fn set_up(&mut self, what: &str, change: impl FnOnce(&mut crate::preset::Preset)) {
        let mut setup = self.content.setup.clone();
        setup.change(change);
        if setup != self.content.setup {
            self.history.record_ongoing(what, what, &self.content);
            self.content.setup = setup;
        }
    }
}

/// A game written out from its moves: the seed knows the tiles.
fn record_of(moves: &[Move], strategy: &Strategy, rules: Rules, seed: u64, index: u64) -> Record {
    let chance = Seed(seed).game(index);
    let start = chance.opening(&rules);
    let mut board = start;
    let steps = moves.iter().zip(2..).map_while(|(&mv, spawn)| {
        let after = board.slide(mv)?.after;
        let spawn = chance.spawn(spawn, &after.board(), rules.p4);
        board = after.spawn(spawn);
        Some(Step { mv, spawn })
    });
    let steps = steps.collect();
    Record { rules, seed: Some(seed), game: index, strategy: Some(strategy.to_string()), start, score: 0, steps }
}

/// Moves an item so that it stands before what is now at `to`; says whether anything changed.
fn move_item<T>(items: &mut Vec<T>, from: usize, to: usize) -> bool {
    if items.len() <= from || items.len() < to || to == from || to == from + 1 {
        return false;
    }
    let item = items.remove(from);
    items.insert(if from < to { to - 1 } else { to }, item);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Player;

    #[test]
    fn moves_and_the_seed_are_the_whole_game() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let rules = Rules::default();
        let record = GameTrace::record(&Player::new(&strategy, rules), Seed(5), 3, &strategy, SearchOptions::default());
        let moves: Vec<Move> = record.steps.iter().map(|step| step.mv).collect();
        assert_eq!(record_of(&moves, &strategy, rules, 5, 3), record);
    }
}
