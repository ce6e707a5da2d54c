//! The state of the window: the document that panels show, and what is saved of it.
//!
//! Panels read a [`Document`] and push commands; `App::apply` passes those that change it to [`Document::apply`], the
//! only place where it changes. It consists of its [`Core`], which every concern reads, and of one struct per concern,
//! which only its own methods change. What begins a run, puts a game on the board or changes several concerns is a
//! method of the document. Undo covers [`Content`], which is small and cheap to copy; positions are in the
//! [`GameTree`], which only grows. Active experiments and files on disk are separate: undo does not stop a batch.

pub mod autoplay;
mod baseline;
pub mod change;
mod colors;
mod compare;
pub mod copying;
mod core;
pub mod effect;
mod experiment;
mod experiment_run;
pub mod figure;
mod files;
mod game;
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

use std::ops::Deref;
use std::time::Duration;

use colors::Live;
use compare::Comparing;
pub use core::{
    Content, Core, Decided, Instantaneous, Question, RECORD_CAP, RECORD_CAPS, Spent, Surroundings,
    Thought,
};
use effect::Effects;
pub use experiment_run::{Arm, ExperimentId, ExperimentRun};
use game::OnBoard;
pub use game::{NoteRequest, Played};
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
use tuning::Tunings;

pub use crate::game::game_tree::{Game, GameId, GameTree, Node, NodeId};
use crate::strategy::StrategyHash;
use crate::task::TaskGroup;
use crate::words;
use crate::workbench::command::CompareCommand;

/// The state of the workbench that panels read and commands change. It derefs to its core for reading.
pub struct Document {
    core: Core,
    on_board: OnBoard,
    runs: PlayedRuns,
    kept_runs: KeptRuns,
    pinned_runs: PinnedRuns,
    rereading: reread::Rereading,
    tunings: Tunings,
    solving: Solving,
    reviewing: Reviewing,
    practising: Practising,
    trainings: Trainings,
    own_files: OwnFiles,
    comparing: Comparing,
}

impl Deref for Document {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.core
    }
}

pub use crate::task::TELL_AFTER;

impl Document {
    /// The index of a strategy's color, line and marker; constant while it is open, set up or played.
    pub fn color_index(&self, hash: StrategyHash) -> usize {
        let color = self.known_mark(hash);
        color.unwrap_or_else(|| self.colors().of(hash, || self.live(None)))
    }

    /// The hashes of the strategies that are open, set up or played, except the open one at index `but`.
    fn live(&self, but: Option<usize>) -> Live {
        let open = self
            .strategies()
            .iter()
            .enumerate()
            .filter(|&(index, _)| Some(index) != but);
        let set_up = self
            .setup()
            .strategies
            .iter()
            .map(|entry| entry.strategy.hash());
        let runs = [Some(&self.runs.last), self.shown()].into_iter().flatten();
        let planned = runs
            .filter_map(ExperimentRun::plan)
            .flat_map(|plan| &plan.contestants);
        let played = planned.map(|contestant| contestant.strategy.hash());
        open.map(|(_, open)| open.hash())
            .chain(set_up)
            .chain(played)
            .collect()
    }

    /// Gives strategies of the experiment that share a color one each. An open strategy keeps its color, else the earlier one does.
    fn part_colours(&mut self) {
        let live = self.live(None);
        let mut hashes: Vec<StrategyHash> = self
            .setup()
            .strategies
            .iter()
            .map(|entry| entry.strategy.hash())
            .collect();
        hashes.sort_by_key(|&hash| !self.strategies().iter().any(|open| open.hash() == hash));
        let mut colors = self.core.colors();
        for (place, &hash) in hashes.iter().enumerate() {
            colors.of(hash, || live.clone());
            colors.part(hash, &hashes[..place], &live);
        }
    }

    pub fn solving(&self) -> &Solving {
        &self.solving
    }

    pub fn trainings(&self) -> &Trainings {
        &self.trainings
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

    /// The last run of the current set-up; `None` before its first run.
    pub fn results(&self) -> Option<&ExperimentRun> {
        self.runs.of(self.experiment())
    }

    /// The active run, shown or in the background.
    pub fn playing(&self) -> Option<&ExperimentRun> {
        self.runs.busy()
    }

    /// The active run, if it is of another experiment than the set-up.
    pub fn playing_beside(&self) -> Option<&ExperimentRun> {
        self.playing()
            .filter(|run| run.experiment != self.experiment())
    }

    /// Takes results of workers and plays due moves; once before each frame. Returns the time until the next frame.
    pub fn poll(&mut self, effects: &mut Effects) -> Option<Duration> {
        self.runs.poll(self.experiment(), effects);
        self.pinned_runs.poll(effects);
        self.follow_pinned();
        if self.runs.name(&self.core, effects) {
            self.kept_runs.list(&self.core);
        }
        self.kept_runs.poll(&self.core, &self.runs, effects);
        let reread = self.rereading.poll(&self.core);
        self.hand_colors_on(&reread);
        self.tunings.poll(effects);
        self.solving.poll(&self.core, effects);
        let judging = self.poll_review(effects);
        let training = self.trainings.poll(&self.core, effects);
        let mut again = self.core.fill_timeline();
        self.core.poll_decision();
        if let Some(node) = self.comparing.poll(&self.core, effects) {
            self.go_to(node);
            self.refresh();
        }
        if let Some(setup) = self.comparing.poll_timing(effects) {
            self.start_beside(CompareCommand::TestAgainstPrevious.into(), setup, effects);
        }
        self.poll_step();

        let since = self.search_since().or_else(|| self.baseline_since());
        let searching = since.map(|since| {
            // First old values fade, then the elapsed time counts in tenths of a second.
            Duration::from_millis(if since.elapsed() < TELL_AFTER {
                33
            } else {
                100
            })
        });

        for wait in [
            self.poll_autoplay(),
            searching,
            training,
            judging,
            self.playing().and_then(ExperimentRun::changes_in),
        ]
        .into_iter()
        .flatten()
        {
            again = Some(again.map_or(wait, |again| again.min(wait)));
        }

        again
    }

    /// Updates everything that depends on position and strategy; searches run on workers.
    fn refresh(&mut self) {
        self.runs.show(self.experiment());
        self.follow_pinned();
        self.core.refresh_decision();
        self.on_board.turn_to(self.decision_key());
        self.comparing.refresh(&self.core);
    }

    /// Repeats the shown searches with another limit on recorded nodes.
    fn set_record_cap(&mut self, cap: usize) {
        if self.surroundings().record_cap != cap {
            self.core.surroundings_mut().record_cap = cap;
            self.core.forget_decision();
            self.refresh();
        }
    }

    /// Restarts a stopped search, with the current content of files.
    pub(super) fn search_again(&mut self) {
        self.look_at_files_again();
        self.core.retry_search();
        self.refresh();
    }

    /// The text of the status bar during work; `None` if idle.
    pub fn busy(&self) -> Option<String> {
        let busy = self
            .playing()
            .and_then(ExperimentRun::progress)
            .map(|progress| {
                let verb = if progress.state == crate::experiment::State::Paused {
                    "Paused"
                } else {
                    "Playing"
                };
                let (finished, total) = (
                    words::count(progress.work.done),
                    words::count(progress.work.total),
                );
                let of_title = self.playing_beside().map_or(String::new(), |run| {
                    format!(" of {}", words::shortened_to(40, run.title()))
                });
                format!("{verb} {finished} of {total} games{of_title}")
            });
        let (board, others): (Vec<_>, Vec<_>) = self
            .tasks()
            .words()
            .into_iter()
            .partition(|(group, _)| *group == TaskGroup::Board);
        let judging = self.judging_words();
        let words =
            |messages: Vec<(TaskGroup, String)>| messages.into_iter().map(|(_, words)| words);
        let busy: Vec<String> = words(board)
            .chain(busy)
            .chain(self.trainings.words())
            .chain(words(others))
            .chain(judging)
            .collect();
        (!busy.is_empty()).then(|| busy.join(" · "))
    }

    /// Everything that runs now, as text. If nothing runs, only the user can change the state. Paused work does not
    /// count.
    pub fn running(&self) -> Vec<String> {
        let runs = self.runs.all().chain(self.pinned_runs.all());
        let runs = runs
            .filter(|run| run.is_busy() && run.state() != Some(&crate::experiment::State::Paused));
        let trainings = self
            .trainings
            .live()
            .iter()
            .filter(|live| !live.is_paused());
        let board = [
            (self.is_playing(), "Autoplay"),
            (self.is_step_waiting(), "A step waiting for its decision"),
        ];
        let board = board
            .into_iter()
            .filter(|(runs, _)| *runs)
            .map(|(_, words)| words.to_owned());
        let runs = runs.map(|run| format!("The run of {}", run.title()));
        let trainings = trainings.map(|live| format!("The training of {}", live.name));
        board
            .chain(runs)
            .chain(trainings)
            .chain(self.tasks().all_words())
            .collect()
    }
}
