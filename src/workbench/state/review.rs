//! The review of the game on the board: computed in the background, saved in a file, and shown while it is incomplete.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::effect::{Effect, Effects};
use super::review_background::{Beside, Conditions, OwnPlaying};
use super::review_rerun::Rerun;
use super::reviewed::{ReviewTold, Reviewed, TELL_EVERY, folder_of};
use super::{Core, Document, MoreReviews, NodeId};
use crate::experiment::State;
use crate::review::{
    Blame, ChanceQuestion, ChanceThresholds, Class, Decider, Judge, Look, Points, Report, Review,
    ReviewFolder, Session, Stage, Thresholds, Unsaved,
};
use crate::strategy::Strategy;
use crate::task::{
    CancelToken, Job, Latest, TaskError, TaskGroup, TaskInfo, TaskState, threads_for_window,
};
use crate::words;
use crate::workbench::command::{Panel, Purpose, ReviewCommand, Workspace, requires};

/// Why losses are hidden.
const HIDDEN: &str = "Practice asks for a move: choose one, or end the practice";

#[derive(Debug, Default)]
pub struct Reviewing {
    pub(super) latest: Latest<(Vec<NodeId>, String), ReviewTold>,
    /// The state of background judging.
    pub(super) beside: Beside,
    /// The strategy's own play after its moves.
    pub(super) own: OwnPlaying,
    /// The last step of the path that was taken, from 1, and its position.
    pub(super) step: Option<(NodeId, u8)>,
    /// The line whose worst move the board follows, and the position it put on the board last. Reset when the review ends or the
    /// user moves elsewhere.
    to_worst: Option<(Vec<NodeId>, NodeId)>,
    pub(super) rerun: Option<Rerun>,
    /// `None` for the usual judge of the rules.
    pub(super) judge: Option<Strategy>,
    /// `None` derives the thresholds from the start of each game.
    pub(super) thresholds: Option<Thresholds>,
    /// The chance that classes moves besides points.
    pub(super) chance: Option<ChanceThresholds>,
    pub(super) unkept: Unsaved,
    /// Whether the board hides the losses of the legal moves.
    hides_arrows: bool,
    /// Further analyses of judged games.
    pub(super) more: MoreReviews,
}

impl Reviewing {
    /// The review, and the positions it covers.
    pub fn shown(&self) -> Option<(&[NodeId], &Arc<Reviewed>)> {
        let (line, _) = self.latest.key()?;
        Some((line, self.latest.known()?.as_ref().ok()?))
    }

    /// The review of the line on the board; `None` without one, or if it covers another line.
    pub fn of_line(&self, core: &Core) -> Option<&Arc<Reviewed>> {
        self.shown()
            .filter(|(line, _)| core.is_line(line))
            .map(|(_, reviewed)| reviewed)
    }

    /// The thresholds that class the losses of that review; `None` until every position was judged once.
    pub fn thresholds_of(&self, core: &Core) -> Option<Thresholds> {
        Some(self.of_line(core)?.report.as_ref()?.thresholds)
    }

    /// The chance that classes moves besides points, if one is set.
    pub fn chance(&self) -> Option<ChanceThresholds> {
        self.chance
    }

    /// The thresholds of a game, as a function of the worth of its start.
    pub(super) fn thresholds_for(&self) -> impl Fn(Points) -> Thresholds + Send + use<> {
        let (set, chance) = (self.thresholds, self.chance);
        move |start| Thresholds {
            chance,
            ..set.unwrap_or_else(|| Thresholds::usual(start))
        }
    }

    /// Whether the board shows the losses of the legal moves.
    pub fn shows_arrows(&self) -> bool {
        !self.hides_arrows
    }

    pub fn is_working(&self) -> bool {
        self.latest.is_pending()
    }

    /// The number of the judge's work if the user paused it, in the status bar.
    pub fn paused(&self) -> Option<u64> {
        self.latest.paused()
    }

    /// The judge that replaces the usual one.
    pub fn own_judge(&self) -> Option<&Strategy> {
        self.judge.as_ref()
    }

    /// The strategy that judges games with the current rules, or why there is none.
    pub(super) fn judging(&self, core: &Core) -> Result<Cow<'_, Strategy>, String> {
        match &self.judge {
            Some(judge) => Ok(Cow::Borrowed(judge)),
            None => Judge::usual(core.game().rules)
                .map(Cow::Owned)
                .map_err(|error| error.to_string()),
        }
    }

    /// Whether background judging waits for an experiment.
    pub fn waits(&self) -> bool {
        self.beside.waits()
    }

    /// Why own play has no result, in one sentence.
    pub fn own_problem(&self) -> Option<String> {
        self.own.problem()
    }

    /// Whether a requested review is running.
    pub fn is_asked(&self) -> bool {
        self.is_working() && !self.beside.is_at_work()
    }

    /// Why there is no review, in one sentence.
    pub fn problem(&self) -> Option<String> {
        if let Some(Err(reason)) = self.latest.known() {
            // An empty reason means that no review was saved, which is not a problem.
            return Some(reason.clone()).filter(|reason| !reason.is_empty());
        }
        match self.latest.state() {
            TaskState::Failed(TaskError::Stopped { .. }) => None,
            TaskState::Failed(error) if self.latest.known().is_none() => Some(error.to_string()),
            _ => None,
        }
    }
}

impl Reviewing {
    /// Judges the line on the board because the user asked for it.
    pub(super) fn request(&mut self, core: &Core) -> Result<(), String> {
        self.own.asks_worst = true;
        self.begin(core, false)
    }

    /// Another judge, `None` for the usual one. Discards the review, so that old results do not appear under the new
    /// judge.
    fn judge_by(&mut self, judge: Option<Strategy>) {
        let is_other = judge.is_some() || self.judge.is_some();
        (self.judge, self.own.wanted) = (judge, Some(false));
        if is_other {
            self.forget();
        }
    }

    /// The strategy that played judges by its own play.
    fn judge_by_player(&mut self) {
        self.own.wanted = Some(true);
    }

    fn toggle_arrows(&mut self) {
        self.hides_arrows = !self.hides_arrows;
    }

    fn set_thresholds(&mut self, core: &Core, thresholds: Thresholds) {
        // Changing a percentage does not fix the thresholds in points, which depend on each game.
        let points = |limits: Thresholds| [limits.inaccuracy, limits.mistake, limits.blunder];
        if self.thresholds_of(core).map(points) != Some(points(thresholds)) {
            self.thresholds = Some(thresholds);
        }
        self.chance = thresholds.chance;
        self.class_again();
    }

    /// Classes moves by the answers to a question, too; judges again if the review does not answer it.
    fn ask_chance(&mut self, core: &Core, question: Option<ChanceQuestion>) -> Result<(), String> {
        // Questions that the review already answers cost no work.
        let is_known = |reviewed: &Arc<Reviewed>| {
            question.is_none_or(|wanted| reviewed.review.answers(&wanted))
        };
        let is_open = self
            .of_line(core)
            .is_some_and(|reviewed| !is_known(reviewed));
        let with_question = |question| match self.chance {
            Some(thresholds) => ChanceThresholds {
                question,
                ..thresholds
            },
            None => ChanceThresholds::usual(question),
        };
        self.chance = question.map(with_question);
        let is_begun = self.beside.is_at_work() && question.is_some();
        if is_open || is_begun {
            return self.begin(core, !is_open);
        }
        self.class_again();
        Ok(())
    }

    /// Notes that a step of the path was taken at a position, from 1.
    pub(super) fn take_step(&mut self, node: NodeId, step: u8) {
        self.step = Some((node, step));
    }

    /// Follows the worst move from the position on the board, until [`Reviewing::stop_following`].
    pub(super) fn follow_worst(&mut self, core: &Core) {
        self.to_worst = Some((core.line().to_vec(), core.cursor()));
    }

    /// From now on, a better candidate for the worst move no longer moves the board.
    pub(super) fn stop_following(&mut self) {
        self.to_worst = None;
    }

    /// Takes new results. Returns the worst move of a game opened for its review, to be put on the board. While the review
    /// runs, the board follows the worst move.
    fn poll(&mut self, core: &Core, effects: &mut Effects) -> Option<NodeId> {
        if let Some(reason) = self.unkept.take_news() {
            effects.warn(format!("The review was not saved: {reason}"));
        }
        self.more.poll();
        let mut worst = None;
        if self.latest.poll() {
            self.class_again();
            worst = self.next_worst(core);
        }
        self.poll_own_play(core);
        worst
    }

    /// The worst move, if the board follows it and shows another position.
    fn next_worst(&mut self, core: &Core) -> Option<NodeId> {
        let (line, left) = self.to_worst.take()?;
        if line != core.line() || left != core.cursor() {
            return None;
        }
        let report = self
            .of_line(core)
            .and_then(|reviewed| reviewed.report.as_ref());
        let worst = report
            .and_then(|report| report.worst.first())
            .map(|worst| worst.verdict.index);
        let next = worst
            .and_then(|index| core.line().get(index))
            .copied()
            .filter(|&node| node != left);
        if self.is_working() {
            self.to_worst = Some((line, next.unwrap_or(left)));
        }
        next
    }

    /// Classes losses again if the thresholds have changed.
    fn class_again(&mut self) {
        let Some((key, Some(Ok(reviewed)))) =
            self.latest.key().map(|key| (key, self.latest.known()))
        else {
            return;
        };
        let Some(start) = reviewed.review.look(0).map(Look::worth) else {
            return;
        };
        let thresholds = self.thresholds_for()(start);
        if self.latest.is_pending()
            || reviewed
                .report
                .as_ref()
                .is_none_or(|report| report.thresholds == thresholds)
        {
            return;
        }
        let classed = Reviewed {
            report: Report::of(&reviewed.review, thresholds).ok(),
            ..(**reviewed).clone()
        };
        let key = key.clone();
        self.latest.set(key, Ok(Arc::new(classed)));
    }

    /// Judges the line on the board with the window's threads, or `beside` it in the background on one core. If background
    /// judging is off, `beside` only reads a saved review.
    pub(super) fn begin(&mut self, core: &Core, beside: bool) -> Result<(), String> {
        let strategy = self.judging(core)?.into_owned();
        let rules = core.game().rules;
        let end = core.line().last().copied().unwrap_or(core.cursor());
        let record = core.tree().record(end);
        let review_folder = folder_of(core);
        let only_reads = beside && !core.judges_in_background();
        let (thresholds, chance) = (self.thresholds_for(), self.chance);
        let unsaved = self.unkept.clone();
        let key = (core.line().to_vec(), strategy.to_string());

        // The review on screen may not be saved yet, and without a folder it never is.
        let shown = self.of_line(core).cloned();
        // In the background the judge is reused, with its cache of boards that lines share. A requested review makes a new judge,
        // which reads its files again.
        let made = self.beside.judge(&key.1, rules, !beside);
        // In the background, an unfinished game is not saved: each of its moves would write a file.
        let is_over = core.tree().node(end).board.is_dead() || core.game().run.is_some();
        let writes = !beside || is_over;

        // Allows the same key again, as a stopped review can continue.
        self.latest.cancel();
        self.beside.begins(beside);
        let info = match beside {
            true => TaskInfo::silent().answering_when_stopped(),
            false => TaskInfo::asked(TaskGroup::Panel, "Reviewing the game")
                .pausable()
                .answering_when_stopped(),
        };
        let threads = if beside { 1 } else { threads_for_window() };

        let work = move |job: &Job<ReviewTold>| -> ReviewTold {
            if only_reads && !review_folder.as_ref().is_some_and(ReviewFolder::is_there) {
                return Err(String::new());
            }
            let judge = made.get(|| {
                Judge::of(&strategy, rules)
                    .map(Arc::new)
                    .map_err(|error| error.to_string())
            })?;
            let player = Decider::of_record(&record).map(Arc::new);
            let decider = player.as_deref().ok();
            let folder = review_folder.clone().filter(|_| writes);
            let session = Session {
                folder,
                unsaved,
                chance,
                ..Session::of(judge, threads)
            };
            let mut review = session
                .review(record, job.token())
                .map_err(|error| error.to_string())?;
            if let Some(shown) = &shown {
                let players = [shown.player.as_deref().ok(), decider]
                    .map(|one| Some(one?.strategy().sha256()));
                review.take_over(&shown.review, players[0] == players[1]);
            }

            if let Some(review_folder) = &review_folder {
                let read = review_folder.read_into(&mut review, decider);
                // An unreadable file is judged again and replaced.
                if only_reads {
                    read.map_err(|error| error.to_string())?;
                }
            }

            let report = |review: &Review| {
                let start = review.look(0).map(Look::worth)?;
                Report::of(review, thresholds(start)).ok()
            };
            let reviewed = |review: &Review, is_whole: bool| {
                let (report, review, player, work) = (
                    report(review),
                    review.clone(),
                    player.clone(),
                    job.control().work(),
                );
                Reviewed {
                    review,
                    report,
                    player,
                    work,
                    is_whole,
                }
            };

            job.control()
                .begin(Stage::First.words(), "position", review.moves() as u64 + 1);
            job.control().report(review.looked() as u64);
            if only_reads {
                return match review.looked() {
                    0 => Err(String::new()),
                    _ => Ok(Arc::new(reviewed(&review, review.is_whole()))),
                };
            }

            let tell = |review: &Review| {
                job.tell_every(TELL_EVERY, || Ok(Arc::new(reviewed(review, false))));
            };
            // The known part is shown while the work continues; that on screen may not be saved yet.
            if review.looked() != 0 {
                tell(&review);
                session.save(&review, decider);
            }

            session
                .go_on(&mut review, decider, job.control(), &mut |review| {
                    tell(review);
                })
                .map_err(|error| error.to_string())?;
            Ok(Arc::new(reviewed(&review, !job.is_cancelled())))
        };
        self.latest.ask(key, core.tasks(), info, work);
        Ok(())
    }
}

/// Goes to the review workspace if work has begun, else shows the panel only.
pub(super) fn show_review(panel: Panel, has_begun: bool, effects: &mut Effects) {
    effects.push(if has_begun {
        Effect::GoTo(Workspace::Review, panel)
    } else {
        Effect::ShowPanel(panel)
    });
}

impl Document {
    pub fn reviewing(&self) -> &Reviewing {
        &self.reviewing
    }

    /// The strategy that judges games with the current rules, or why there is none.
    pub fn judging(&self) -> Result<Cow<'_, Strategy>, String> {
        self.reviewing.judging(self)
    }

    /// The review of the line on the board; `None` without one, or if it covers another line.
    pub fn review(&self) -> Option<&Arc<Reviewed>> {
        self.reviewing.of_line(self)
    }

    /// The thresholds that class the losses on screen; `None` until every position was judged once.
    pub fn thresholds(&self) -> Option<Thresholds> {
        self.reviewing.thresholds_of(self)
    }

    pub(super) fn can_review(&self, command: &ReviewCommand) -> Result<(), Cow<'static, str>> {
        match command {
            ReviewCommand::Game => {
                requires(
                    !self.reviewing.is_asked(),
                    "A review is running: stop it first, or wait until it ends",
                )?;
                requires(1 < self.line().len(), "No move was played in this game")?;
                let judge = self.judging()?;
                Judge::of(&judge, self.game().rules)
                    .map(drop)
                    .map_err(|error| error.to_string().into())
            }
            ReviewCommand::Stop => requires(self.reviewing.is_working(), "No review is running"),
            ReviewCommand::NextMistake | ReviewCommand::LastMistake => {
                requires(!self.hides_losses(), HIDDEN)?;
                requires(self.thresholds().is_some(), "Review the game first")
            }
            ReviewCommand::JudgeByStrategy => Judge::of(&self.strategy(), self.game().rules)
                .map(drop)
                .map_err(|error| {
                    format!("{} cannot judge: {error}", self.strategy().label()).into()
                }),
            ReviewCommand::JudgeAsUsual => {
                let is_usual = self.reviewing.judge.is_none() && !self.judges_by_player();
                requires(!is_usual, "The default judge is already used")
            }
            ReviewCommand::JudgeByPlayer => {
                self.reviewed_player(0)?;
                requires(
                    !self.judges_by_player(),
                    "The player's own play is already used",
                )
            }
            ReviewCommand::Thresholds(thresholds) => {
                thresholds.check().map_err(|error| error.to_string().into())
            }
            ReviewCommand::Chance(_) => requires(
                !self.reviewing.is_asked(),
                "A review is running: stop it first, or wait until it ends",
            ),
            ReviewCommand::ShowTree(index) => {
                requires(!self.hides_losses(), HIDDEN)?;
                self.reviewed_move(self.place_or(*index)).map(drop)
            }
            ReviewCommand::ShowRule(index) | ReviewCommand::EditRule(index) => {
                requires(!self.hides_losses(), HIDDEN)?;
                let index = self.place_or(*index);
                let player = self.reviewed_player(index)?.strategy();
                let is_told = self.row_on_board(index).is_some()
                    || self
                        .review()
                        .is_some_and(|reviewed| reviewed.review.blame(index).is_some());
                requires(
                    is_told || !player.takes_time() || !self.reviewing.is_working(),
                    "The review has not found the deciding row here yet",
                )
            }
            ReviewCommand::Arrows | ReviewCommand::InBackground => Ok(()),
            ReviewCommand::GameOfRun(..) => requires(
                self.shown().is_some(),
                "No results yet: run the experiment first",
            ),
            ReviewCommand::Games { games, .. } => {
                requires(!games.is_empty(), "No game is listed")?;
                requires(
                    !self.more_reviews().reviews_games(),
                    "Games are being reviewed: stop the review first, or wait until it ends",
                )
            }
            ReviewCommand::HoldGames | ReviewCommand::StopGames => requires(
                self.more_reviews().reviews_games(),
                "No games are being reviewed",
            ),
            ReviewCommand::ShowWorst(_) | ReviewCommand::ExportGames(_) => requires(
                self.more_reviews().games().is_some(),
                "No games are reviewed yet",
            ),
            ReviewCommand::Minds => {
                requires(
                    !self.more_reviews().is_working(),
                    "Another analysis of games is running: wait until it ends",
                )?;
                self.reviewing.two_minds(self).map(drop).map_err(Cow::Owned)
            }
            ReviewCommand::MindsOfGames => {
                requires(
                    !self.more_reviews().is_working(),
                    "Another analysis of games is running: wait until it ends",
                )?;
                self.minds_of_games().map(drop).map_err(Cow::Owned)
            }
            ReviewCommand::HoldMinds | ReviewCommand::StopMinds => requires(
                self.more_reviews().asks_minds_of_games(),
                "No games are being compared",
            ),
            ReviewCommand::ShowDisagreement(..) => requires(
                self.minds().is_some_and(|found| found.is_of_run()),
                "No games were compared yet",
            ),
            ReviewCommand::Death => {
                requires(
                    !self.more_reviews().is_working(),
                    "Another analysis of games is running: wait until it ends",
                )?;
                requires(1 < self.line().len(), "No move was played in this game")?;
                let judge = self.judging()?;
                Judge::of(&judge, self.game().rules)
                    .map(drop)
                    .map_err(|error| error.to_string().into())
            }
            ReviewCommand::Export(_) => {
                requires(self.thresholds().is_some(), "Review the game first")
            }
            ReviewCommand::Rerun => {
                self.rerun_setup()?;
                self.requires_no_run()
            }
        }
    }

    pub(super) fn apply_to_review(&mut self, command: &ReviewCommand, effects: &mut Effects) {
        match command {
            ReviewCommand::Game => {
                let begun = self.reviewing.request(&self.core);
                if effects.accept(begun).is_some() {
                    effects.push(Effect::GoTo(Workspace::Review, Panel::Review));
                }
            }
            ReviewCommand::Stop => self.reviewing.latest.stop(),
            ReviewCommand::NextMistake | ReviewCommand::LastMistake => {
                self.go_to_mistake(*command == ReviewCommand::NextMistake, effects);
            }
            ReviewCommand::JudgeByStrategy => {
                self.reviewing
                    .judge_by(Some(Strategy::clone(&self.strategy())));
                effects.info(format!("{} is the judge now", self.strategy().label()));
            }
            ReviewCommand::JudgeAsUsual => self.reviewing.judge_by(None),
            ReviewCommand::JudgeByPlayer => self.reviewing.judge_by_player(),
            ReviewCommand::InBackground => {
                self.reviewing.switch_background(&mut self.core, effects);
            }
            ReviewCommand::Thresholds(thresholds) => {
                self.reviewing.set_thresholds(&self.core, *thresholds);
            }
            ReviewCommand::Chance(question) => {
                let begun = self.reviewing.ask_chance(&self.core, *question);
                effects.accept(begun);
            }
            ReviewCommand::ShowTree(index) => {
                let index = self.place_or(*index);
                if let Some(&node) = self.line().get(index) {
                    self.go_to(node);
                    self.reviewing.take_step(node, 1);
                    effects.push(Effect::ShowPanel(Panel::JudgeTree));
                }
            }
            ReviewCommand::ShowRule(index) | ReviewCommand::EditRule(index) => {
                let (index, unfolds) = (
                    self.place_or(*index),
                    matches!(command, ReviewCommand::EditRule(_)),
                );
                if let Some(row) = self.turn_to_player(index) {
                    self.reviewing
                        .take_step(self.cursor(), if unfolds { 3 } else { 2 });
                    effects.push(Effect::ShowPanel(Panel::Strategy));
                    effects.push(Effect::SelectRow { row, unfolds });
                }
            }
            ReviewCommand::Games { places, games } => {
                let begun = self.begin_games(places, games.clone());
                if effects.accept(begun).is_some() {
                    effects.push(Effect::GoTo(Workspace::Review, Panel::ReviewedGames));
                }
            }
            ReviewCommand::GameOfRun(place, index) => {
                self.review_of_run((*place, *index), None, effects);
            }
            ReviewCommand::HoldGames => self.reviewing.more.hold_games(),
            ReviewCommand::StopGames => self.reviewing.more.stop_games(),
            ReviewCommand::ShowWorst(number) => {
                self.show_worst(*number, effects);
            }
            ReviewCommand::ExportGames(format) => {
                effects.ask_for_file(
                    Purpose::SaveGames(*format),
                    format!("review-of-games.{}", format.ending()),
                );
            }
            ReviewCommand::Minds => {
                let begun = self.reviewing.begin_minds(&self.core);
                show_review(
                    Panel::SecondOpinion,
                    effects.accept(begun).is_some(),
                    effects,
                );
            }
            ReviewCommand::MindsOfGames => {
                let begun = self.begin_minds_of_games();
                if effects.accept(begun).is_some() {
                    effects.push(Effect::GoTo(Workspace::Review, Panel::SecondOpinion));
                }
            }
            ReviewCommand::HoldMinds => self.reviewing.more.hold_minds(),
            ReviewCommand::StopMinds => self.reviewing.more.stop_minds(),
            ReviewCommand::ShowDisagreement(pair, number) => {
                self.show_disagreement(*pair, *number, effects);
            }
            ReviewCommand::Death => {
                let begun = self.reviewing.begin_death(&self.core);
                show_review(Panel::Survival, effects.accept(begun).is_some(), effects);
            }
            ReviewCommand::Arrows => self.reviewing.toggle_arrows(),
            ReviewCommand::Export(format) => {
                let (index, seed) = (self.game().index, self.game().seed);
                let name = format!("review-game-{index}-seed-{seed}.{}", format.ending());
                effects.ask_for_file(Purpose::SaveReview(*format), name);
            }
            ReviewCommand::Rerun => self.rerun_game(effects),
        }
    }

    /// The review with the current notes.
    pub fn review_with_notes(&self) -> Option<Arc<Reviewed>> {
        let mut reviewed = self.review()?.clone();
        let positions = self.line().len().min(reviewed.review.moves() + 1);
        Arc::make_mut(&mut reviewed)
            .review
            .set_notes(self.tree().notes_on(&self.line()[..positions]));
        Some(reviewed)
    }

    /// The given place in the line, else that of the board.
    fn place_or(&self, index: Option<usize>) -> usize {
        index.unwrap_or_else(|| self.place())
    }

    /// The strategy that played the reviewed game, if the game has a move at this place.
    pub(super) fn reviewed_player(&self, index: usize) -> Result<&Arc<Decider>, Cow<'static, str>> {
        let player = &self.reviewed_move(index)?.player;
        player
            .as_ref()
            .map_err(|reason| words::capitalised(&reason.to_string()).into())
    }

    /// Whether the open strategy is an edit of this one.
    fn is_edit_of(&self, player: &Strategy) -> bool {
        let (hash, open) = (player.hash(), self.opened());
        let before = std::iter::once(&open.origin.before).chain(&open.played);
        open.hash() != hash
            && (open.parent == Some(hash) || before.into_iter().any(|one| one.hash() == hash))
    }

    /// Puts a position of the reviewed game on the board. Opens the strategy that played it, unless an edit of it is open.
    /// Returns the row that decided, or the first row if none did.
    fn turn_to_player(&mut self, index: usize) -> Option<usize> {
        let player = self.reviewed_player(index).ok()?.clone();
        let before = self.review()?.review.moments()[index];
        let mv = self.review()?.review.record().steps.get(index)?.mv;
        self.go_to(*self.line().get(index)?);
        let best = self.review()?.review.look(index)?.best()?;

        if self.is_edit_of(player.strategy()) {
            // The open edit stays. If it also rejects the better move, its rejecting row is returned.
            let fell = self
                .decision()
                .and_then(|decision| decision.moves[best].as_ref()?.fell_at);
            let rows = self.strategy().criteria.len();
            let row = match self.review()?.review.blame(index) {
                Some(Blame::Row(row)) => usize::from(row),
                _ => 0,
            };
            return Some(fell.unwrap_or(row).min(rows.saturating_sub(1)));
        }

        self.turn_to(player.strategy().clone());
        // A slow strategy does not decide on the window's thread: the review knows the deciding rows of moves with a loss.
        let review = &self.review()?.review;
        if let Some(row) = self.row_on_board(index) {
            return Some(row);
        }
        let fallen = || {
            (!player.strategy().takes_time())
                .then(|| player.fallen(&before, mv, &CancelToken::new()))
        };
        let blame = review
            .blame(index)
            .or_else(|| review.blame_by(index, &fallen().flatten()?));
        Some(match blame {
            Some(Blame::Row(row)) => usize::from(row),
            Some(Blame::LastResort | Blame::Another) | None => 0,
        })
    }

    /// The row that rejects the better move, if this place is on the board and the strategy that played it has decided there.
    fn row_on_board(&self, index: usize) -> Option<usize> {
        let reviewed = self.review().filter(|_| index == self.place())?;
        let verdict = reviewed
            .review
            .verdict(index)
            .filter(|verdict| Points::ZERO < verdict.loss)?;
        let player = reviewed.player.as_ref().ok()?.strategy().hash();
        let decision = self
            .decision()
            .filter(|_| player == self.strategy().hash())?;
        decision.moves[verdict.best].as_ref()?.fell_at
    }

    /// The review of the line on the board, if the line has a move at this place.
    fn reviewed_move(&self, index: usize) -> Result<&Arc<Reviewed>, Cow<'static, str>> {
        self.review()
            .filter(|_| index + 1 < self.line().len())
            .ok_or(Cow::Borrowed("Review the game first"))
    }

    /// Takes new results, goes to the worst move if the board follows it, and judges in the background. Returns after what
    /// time to poll again even without results.
    pub(super) fn poll_review(&mut self, effects: &mut Effects) -> Option<Duration> {
        if let Some(worst) = self.reviewing.poll(&self.core, effects) {
            self.go_to(worst);
        }
        let conditions = Conditions {
            runs: self
                .playing()
                .is_some_and(|run| run.state() != Some(&State::Paused)),
            plays: self.is_playing(),
            by_player: self.is_to_judge_itself(),
        };
        self.reviewing.work_in_background(&self.core, conditions)
    }

    /// Goes to the next or the previous move that is a mistake or worse.
    fn go_to_mistake(&mut self, forward: bool, effects: &mut Effects) {
        let (Some(reviewed), Some(thresholds)) = (self.review(), self.thresholds()) else {
            return;
        };
        let is_mistake =
            |index: &usize| Some(Class::Mistake) <= reviewed.review.class(*index, &thresholds);
        let (place, moves) = (self.place(), reviewed.review.moves());
        let found = match forward {
            true => (place + 1..moves).find(is_mistake),
            false => (0..place.min(moves)).rev().find(is_mistake),
        };

        match found {
            Some(index) => self.go_to(self.line()[index]),
            None => effects.info(match forward {
                true => "No mistake follows this position",
                false => "No mistake precedes this position",
            }),
        }
    }
}
