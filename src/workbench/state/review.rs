//! The review of the game on the board: worked at beside the window, kept in a file, shown as far as it is.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::effect::{Effect, Effects};
use super::review_games::Unkept;
use super::{Document, NodeId};
use crate::preset::Preset;
use crate::review::{
    Blame, ChanceThresholds, Class, Decider, Judge, Look, NoDecider, Points, Report, Review, ReviewFolder, Stage,
    Thresholds,
};
use crate::strategy::Strategy;
use crate::task::{CancelToken, Job, Latest, TaskGroup, TaskInfo, TaskState, threads_for_window};
use crate::words;
use crate::workbench::command::{CompareCommand, Panel, Purpose, ReviewCommand, ReviewSheet, Workspace, requires};

/// How often it is shown how far it is: a long game is summed up anew each time.
const TELL_EVERY: Duration = Duration::from_millis(150);

/// A review as far as it is.
#[derive(Clone, Debug)]
pub struct Reviewed {
    pub review: Review,
    /// `None` before every position was looked at once.
    pub report: Option<Report>,
    /// Who played, where the record says so.
    pub player: Result<Arc<Decider>, NoDecider>,
    pub stage: Stage,
    /// Positions of this stage that are done, of how many.
    pub done: [usize; 2],
}

/// What a worker tells; a sentence where the judge has no value.
type ReviewTold = Result<Arc<Reviewed>, String>;

#[derive(Debug, Default)]
pub struct Reviewing {
    latest: Latest<(Vec<NodeId>, String), ReviewTold>,
    /// `None` for the usual one of the boards.
    pub(super) judge: Option<Strategy>,
    /// `None` for those of the start of each game.
    pub(super) thresholds: Option<Thresholds>,
    /// What moves are classed by besides points.
    pub(super) chance: Option<ChanceThresholds>,
    shows: ReviewSheet,
    pub(super) unkept: Unkept,
    /// Whether the losses of the legal moves are not wanted on the board.
    hides_arrows: bool,
}

impl Reviewing {
    /// The review, and the positions it is of.
    pub fn shown(&self) -> Option<(&[NodeId], &Arc<Reviewed>)> {
        let (line, _) = self.latest.key()?;
        Some((line, self.latest.known()?.as_ref().ok()?))
    }

    /// What moves are classed by besides points, where that was chosen.
    pub fn chance(&self) -> Option<ChanceThresholds> {
        self.chance
    }

    /// The thresholds of a game whose start is worth so much.
    pub(super) fn thresholds_for(&self) -> impl Fn(Points) -> Thresholds + Send + use<> {
        let (set, chance) = (self.thresholds, self.chance);
        move |start| Thresholds { chance, ..set.unwrap_or_else(|| Thresholds::usual(start)) }
    }

    /// What the panel shows.
    pub fn sheet(&self) -> ReviewSheet {
        self.shows
    }

    /// Whether the losses of the legal moves stand on the board.
    pub fn shows_arrows(&self) -> bool {
        !self.hides_arrows
    }

    pub fn is_working(&self) -> bool {
        self.latest.is_pending()
    }

    /// Why there is no review, in one sentence.
    pub fn problem(&self) -> Option<String> {
        if let Some(Err(reason)) = self.latest.known() {
            return Some(reason.clone());
        }
        match self.latest.state() {
            TaskState::Failed(error) if self.latest.known().is_none() => Some(error.to_string()),
            _ => None,
        }
    }
}

/// Goes to the workspace for it, or only to the panel where nothing was begun.
pub(super) fn show_review(has_begun: bool, effects: &mut Effects) {
    let panel = Panel::Review;
    effects.push(if has_begun { Effect::GoTo(Workspace::Review, panel) } else { Effect::ShowPanel(panel) });
}

impl Document {
    pub fn reviewing(&self) -> &Reviewing {
        &self.reviewing
    }

    /// The strategy that judges games on the boards that are played on; else why there is none.
    pub fn judging(&self) -> Result<Cow<'_, Strategy>, String> {
        match &self.reviewing.judge {
            Some(judge) => Ok(Cow::Borrowed(judge)),
            None => Judge::usual(self.game().rules).map(Cow::Owned).map_err(|error| error.to_string()),
        }
    }

    /// The review of the line on the board; `None` where it was not asked for and where another line is on the board.
    pub fn review(&self) -> Option<&Arc<Reviewed>> {
        self.reviewing.shown().filter(|(line, _)| *line == self.line).map(|(_, reviewed)| reviewed)
    }

    /// The thresholds by which losses on screen are classed; `None` before every position was looked at once.
    pub fn thresholds(&self) -> Option<Thresholds> {
        Some(self.review()?.report.as_ref()?.thresholds)
    }

    pub(super) fn can_review(&self, command: &ReviewCommand) -> Result<(), Cow<'static, str>> {
        match command {
            ReviewCommand::Game => {
                requires(!self.reviewing.is_working(), "A review is under way: stop it first, or let it end")?;
                requires(1 < self.line.len(), "No move was played in this game")?;
                let judge = self.judging()?;
                Judge::of(&judge, self.game().rules).map(drop).map_err(|error| error.to_string().into())
            }
            ReviewCommand::Stop => requires(self.reviewing.is_working(), "No review is under way"),
            ReviewCommand::NextMistake | ReviewCommand::LastMistake => {
                requires(self.thresholds().is_some(), "Review the game first")
            }
            ReviewCommand::JudgeByStrategy => Judge::of(&self.strategy(), self.game().rules)
                .map(drop)
                .map_err(|error| format!("{} cannot judge: {error}", self.strategy().label()).into()),
            ReviewCommand::JudgeAsUsual => requires(self.reviewing.judge.is_some(), "The usual judge judges already"),
            ReviewCommand::Thresholds(thresholds) => thresholds.check().map_err(Cow::Owned),
            ReviewCommand::Chance(_) => {
                requires(!self.reviewing.is_working(), "A review is under way: stop it first, or let it end")
            }
            ReviewCommand::ShowTree(index) => self.reviewed_move(self.place_or(*index)).map(drop),
            ReviewCommand::ShowRule(index) | ReviewCommand::EditRule(index) => {
                let index = self.place_or(*index);
                let player = self.reviewed_player(index)?.strategy();
                let is_told = self.review().is_some_and(|reviewed| reviewed.review.blame(index).is_some());
                requires(
                    is_told || !player.takes_time() || !self.reviewing.is_working(),
                    "The review is still finding which row decided here",
                )
            }
            ReviewCommand::Arrows | ReviewCommand::Sheet(_) => Ok(()),
            ReviewCommand::GameOfRun(..) => {
                requires(self.shown().is_some(), "No results yet: run the experiment first")
            }
            ReviewCommand::Games { games, .. } => {
                requires(!games.is_empty(), "No game is listed")?;
                requires(
                    !self.more_reviews().reviews_games(),
                    "Games are being reviewed: stop that first, or let it end",
                )
            }
            ReviewCommand::HoldGames | ReviewCommand::StopGames => {
                requires(self.more_reviews().reviews_games(), "No games are being reviewed")
            }
            ReviewCommand::ShowWorst(_) | ReviewCommand::ExportGames(_) => {
                requires(self.more_reviews().games().is_some(), "No games are reviewed yet")
            }
            ReviewCommand::Minds => {
                requires(!self.more_reviews().is_working(), "One question at a time: this is being worked at")?;
                self.two_minds().map(drop).map_err(Cow::Owned)
            }
            ReviewCommand::MindsOfGames => {
                requires(!self.more_reviews().is_working(), "One question at a time: this is being worked at")?;
                self.minds_of_games().map(drop).map_err(Cow::Owned)
            }
            ReviewCommand::HoldMinds | ReviewCommand::StopMinds => {
                requires(self.more_reviews().asks_minds_of_games(), "No games are being asked about")
            }
            ReviewCommand::ShowDisagreement(..) => {
                requires(self.minds().is_some_and(|found| found.is_of_run()), "No games were asked about yet")
            }
            ReviewCommand::Death => {
                requires(!self.more_reviews().is_working(), "One question at a time: this is being worked at")?;
                requires(1 < self.line.len(), "No move was played in this game")?;
                let judge = self.judging()?;
                Judge::of(&judge, self.game().rules).map(drop).map_err(|error| error.to_string().into())
            }
            ReviewCommand::Export(_) => requires(self.thresholds().is_some(), "Review the game first"),
            ReviewCommand::Rerun => {
                self.rerun_setup()?;
                self.requires_no_run()
            }
        }
    }

    pub(super) fn apply_to_review(&mut self, command: &ReviewCommand, effects: &mut Effects) {
        match command {
            ReviewCommand::Game => {
                let begun = self.begin_review();
                if effects.accept(begun).is_some() {
                    effects.push(Effect::GoTo(Workspace::Review, Panel::Review));
                }
            }
            ReviewCommand::Stop => self.reviewing.latest.stop(),
            ReviewCommand::NextMistake | ReviewCommand::LastMistake => {
                self.go_to_mistake(*command == ReviewCommand::NextMistake, effects);
            }
            ReviewCommand::JudgeByStrategy => {
                self.reviewing.judge = Some((*self.strategy()).clone());
                effects.info(format!("{} judges from now on", self.strategy().label()));
            }
            ReviewCommand::JudgeAsUsual => self.reviewing.judge = None,
            ReviewCommand::Thresholds(thresholds) => {
                // Setting a percentage leaves the points to the start of each game.
                let points = |of: Thresholds| [of.inaccuracy, of.mistake, of.blunder];
                if self.thresholds().map(points) != Some(points(*thresholds)) {
                    self.reviewing.thresholds = Some(*thresholds);
                }
                self.reviewing.chance = thresholds.chance;
                self.class_again();
            }
            ReviewCommand::Chance(question) => {
                // What was asked before is known, and costs nothing.
                let is_known = |reviewed: &Arc<Reviewed>| question.is_none_or(|asked| reviewed.review.answers(&asked));
                let is_open = self.review().is_some_and(|reviewed| !is_known(reviewed));
                let kept = |question| match self.reviewing.chance {
                    Some(thresholds) => ChanceThresholds { question, ..thresholds },
                    None => ChanceThresholds::usual(question),
                };
                self.reviewing.chance = question.map(kept);
                if is_open {
                    let begun = self.begin_review();
                    effects.accept(begun);
                } else {
                    self.class_again();
                }
            }
            ReviewCommand::ShowTree(index) => {
                let index = self.place_or(*index);
                let plies_and_judge = self.review().and_then(|reviewed| {
                    let judge = reviewed.review.judge();
                    Some(judge.at_depth(reviewed.review.look(index)?.plies))
                });
                if let (Some(judge), Some(&node)) = (plies_and_judge, self.line.get(index)) {
                    self.go_to(node);
                    self.apply_to_comparison(&CompareCommand::Beside(Box::new(judge)), effects);
                    effects.push(Effect::ShowPanel(Panel::Tree));
                }
            }
            ReviewCommand::ShowRule(index) => {
                if self.turn_to_player(self.place_or(*index)).is_some() {
                    effects.push(Effect::ShowPanel(Panel::Decision));
                }
            }
            ReviewCommand::EditRule(index) => {
                if let Some(row) = self.turn_to_player(self.place_or(*index)) {
                    effects.push(Effect::ShowPanel(Panel::Strategy));
                    effects.push(Effect::SelectRow(row));
                }
            }
            ReviewCommand::Games { places, games } => {
                let begun = self.begin_games(places, games.clone());
                if effects.accept(begun).is_some() {
                    self.reviewing.shows = ReviewSheet::Games;
                    effects.push(Effect::GoTo(Workspace::Review, Panel::Review));
                }
            }
            ReviewCommand::GameOfRun(place, index) => {
                self.reviewing.shows = ReviewSheet::Game;
                self.review_of_run((*place, *index), None, effects);
            }
            ReviewCommand::HoldGames => self.more_reviews.hold_games(),
            ReviewCommand::StopGames => self.more_reviews.stop_games(),
            ReviewCommand::ShowWorst(number) => {
                self.reviewing.shows = ReviewSheet::Game;
                self.show_worst(*number, effects);
            }
            ReviewCommand::ExportGames(format) => {
                effects.ask_for_file(Purpose::SaveGames(*format), format!("review-of-games.{}", format.ending()));
            }
            ReviewCommand::Minds => {
                self.reviewing.shows = ReviewSheet::Minds;
                let begun = self.begin_minds();
                show_review(effects.accept(begun).is_some(), effects);
            }
            ReviewCommand::MindsOfGames => {
                self.reviewing.shows = ReviewSheet::Minds;
                let begun = self.begin_minds_of_games();
                if effects.accept(begun).is_some() {
                    effects.push(Effect::GoTo(Workspace::Review, Panel::Review));
                }
            }
            ReviewCommand::HoldMinds => self.more_reviews.hold_minds(),
            ReviewCommand::StopMinds => self.more_reviews.stop_minds(),
            ReviewCommand::ShowDisagreement(pair, number) => {
                self.reviewing.shows = ReviewSheet::Game;
                self.show_disagreement(*pair, *number, effects);
            }
            ReviewCommand::Death => {
                self.reviewing.shows = ReviewSheet::Death;
                let begun = self.begin_death();
                show_review(effects.accept(begun).is_some(), effects);
            }
            ReviewCommand::Sheet(sheet) => self.reviewing.shows = *sheet,
            ReviewCommand::Arrows => self.reviewing.hides_arrows = !self.reviewing.hides_arrows,
            ReviewCommand::Export(format) => {
                let (index, seed) = (self.game().index, self.game().seed);
                let name = format!("review-game-{index}-seed-{seed}.{}", format.ending());
                effects.ask_for_file(Purpose::SaveReview(*format), name);
            }
            ReviewCommand::Rerun => match self.rerun_setup() {
                Ok(setup) => {
                    self.start_beside(ReviewCommand::Rerun.into(), setup, effects);
                    effects.push(Effect::ShowPanel(Panel::Results));
                    // Last, so that the histogram is seen also where both are tabs of one place.
                    effects.push(Effect::ShowPanel(Panel::Experiment));
                }
                Err(reason) => effects.warn(reason),
            },
        }
    }

    /// This place in the line, else that of the board.
    fn place_or(&self, index: Option<usize>) -> usize {
        index.unwrap_or_else(|| self.place())
    }

    /// The strategy that played the reviewed game, if a move has this place in it.
    fn reviewed_player(&self, index: usize) -> Result<&Arc<Decider>, Cow<'static, str>> {
        let player = &self.reviewed_move(index)?.player;
        player.as_ref().map_err(|reason| words::capitalised(&reason.to_string()).into())
    }

    /// Puts a position of the reviewed game on the board, and the strategy that played it to work; the row that decided, the first
    /// one where that is none of them.
    fn turn_to_player(&mut self, index: usize) -> Option<usize> {
        let player = self.reviewed_player(index).ok()?.clone();
        let before = self.review()?.review.moments()[index];
        let mv = self.review()?.review.record().steps.get(index)?.mv;
        self.go_to(*self.line.get(index)?);
        self.turn_to(player.strategy().clone());
        // One that takes time is not asked on the window's thread: the review has asked it where the move lost something.
        let review = &self.review()?.review;
        let asked = || (!player.strategy().takes_time()).then(|| player.fallen(&before, mv, &CancelToken::new()));
        let blame = review.blame(index).or_else(|| review.blame_by(index, &asked().flatten()?));
        Some(match blame {
            Some(Blame::Row(row)) => usize::from(row),
            Some(Blame::LastResort | Blame::Another) | None => 0,
        })
    }

    /// The experiment that plays the seeds of the reviewed game with the strategy as it is now and as it was.
    fn rerun_setup(&self) -> Result<Preset, Cow<'static, str>> {
        let player = self.reviewed_player(0)?;
        if player.strategy().hash() == self.strategy().hash() {
            let label = player.strategy().label();
            return Err(format!("{label} played this game as it is: change a row of it first").into());
        }
        let game = self.game();
        let begun = self.line.first().map(|&node| self.tree.node(node).board);
        if begun != Some(game.chance().opening(&game.rules)) {
            return Err("This game does not begin as its seed says, so that no run plays it again".into());
        }
        let setup = self.test_of(player.strategy())?;
        // As many games as are set up, and this one among them.
        let games = setup.games.max(game.index.saturating_add(1));
        let mut setup = Preset { seed: game.seed, games, ..setup };
        setup.set_rules(game.rules);
        self.plan_of(&setup).check().map_err(|error| error.to_string())?;
        Ok(setup)
    }

    /// The review of the line on the board, if a move has this place in it.
    fn reviewed_move(&self, index: usize) -> Result<&Arc<Reviewed>, Cow<'static, str>> {
        self.review().filter(|_| index + 1 < self.line.len()).ok_or(Cow::Borrowed("Review the game first"))
    }

    pub(super) fn poll_review(&mut self, effects: &mut Effects) {
        if let Some(reason) = self.reviewing.unkept.take_news() {
            effects.warn(format!("The review is not kept: {reason}"));
        }
        if self.reviewing.latest.poll() {
            self.class_again();
        }
    }

    /// Classes losses by the thresholds that were set, if any were.
    fn class_again(&mut self) {
        let Some((key, Some(Ok(reviewed)))) =
            self.reviewing.latest.key().map(|key| (key, self.reviewing.latest.known()))
        else {
            return;
        };
        let Some(start) = reviewed.review.look(0).map(Look::worth) else { return };
        let thresholds = self.reviewing.thresholds_for()(start);
        if self.reviewing.latest.is_pending() || reviewed.report.as_ref().is_none_or(|of| of.thresholds == thresholds) {
            return;
        }
        let classed = Reviewed { report: Report::of(&reviewed.review, thresholds).ok(), ..(**reviewed).clone() };
        let key = key.clone();
        self.reviewing.latest.set(key, Ok(Arc::new(classed)));
    }

    pub(super) fn begin_review(&mut self) -> Result<(), String> {
        let strategy = self.judging()?.into_owned();
        let rules = self.game().rules;
        let end = self.line.last().copied().unwrap_or(self.cursor());
        let record = self.tree.record(end);
        let kept = ReviewFolder::of_games(self.game().run.as_deref(), self.surroundings.runs.as_ref());
        let kept = kept.or_else(|| self.config_dir().map(ReviewFolder::within));
        let (thresholds, chance) = (self.reviewing.thresholds_for(), self.reviewing.chance);
        let unkept = self.reviewing.unkept.clone();
        let key = (self.line.clone(), strategy.to_string());
        // What is on screen may not be written yet, and where there is no place for it never is.
        let shown = self.review().cloned();
        // The same may be asked again: more of it is known by now.
        self.reviewing.latest.cancel();
        let info = TaskInfo::asked(TaskGroup::Panel, "Reviewing the game").answering_when_stopped();
        let work = move |job: &Job<ReviewTold>| -> ReviewTold {
            let judge = Judge::of(&strategy, rules).map_err(|error| error.to_string())?;
            let player = Decider::of_record(&record).map(Arc::new);
            let asked = player.as_deref().ok();
            let mut review = Review::new(record, Arc::new(judge));
            review.chance = chance.map(|chance| chance.question);
            review.deepen_mistakes(job.token()).map_err(|error| error.to_string())?;
            if let Some(shown) = &shown {
                let players = [shown.player.as_deref().ok(), asked].map(|one| Some(one?.strategy().sha256()));
                review.take_over(&shown.review, players[0] == players[1]);
            }
            if let Some(kept) = &kept {
                // What cannot be read is judged again and replaced.
                let _ = kept.read_into(&mut review, asked);
            }
            let report = |review: &Review| {
                let start = review.look(0).map(Look::worth)?;
                Report::of(review, thresholds(start)).ok()
            };
            let of = |review: &Review, stage: Stage, done: [usize; 2]| {
                let (report, review, player) = (report(review), review.clone(), player.clone());
                Arc::new(Reviewed { review, report, player, stage, done })
            };
            let mut written = Instant::now();
            let mut told = |review: &Review, stage: Stage, done: [usize; 2]| {
                job.tell_every(TELL_EVERY, || Ok(of(review, stage, done)));
                if ReviewFolder::WRITE_EVERY < written.elapsed() {
                    unkept.keep(kept.as_ref(), review, asked);
                    written = Instant::now();
                }
            };
            // What was kept is shown while the work goes on.
            if review.looked() != 0 {
                told(&review, Stage::First, [review.looked(), review.moves() + 1]);
            }
            let judged = review.go_on(asked, threads_for_window(), job.token(), &mut told);
            unkept.keep(kept.as_ref(), &review, asked);
            judged.map_err(|error| error.to_string())?;
            let moves = review.moves();
            Ok(of(&review, Stage::Chances, [moves, moves]))
        };
        self.reviewing.latest.ask(key, &self.tasks, info, work);
        Ok(())
    }

    /// Goes to the next or the last move from here that is a mistake or worse.
    fn go_to_mistake(&mut self, forward: bool, effects: &mut Effects) {
        let (Some(reviewed), Some(thresholds)) = (self.review(), self.thresholds()) else { return };
        let is_mistake = |index: &usize| Some(Class::Mistake) <= reviewed.review.class(*index, &thresholds);
        let (place, moves) = (self.place(), reviewed.review.moves());
        let found = match forward {
            true => (place + 1..moves).find(is_mistake),
            false => (0..place.min(moves)).rev().find(is_mistake),
        };
        match found {
            Some(index) => self.go_to(self.line[index]),
            None => effects.info(match forward {
                true => "No mistake comes after this position",
                false => "No mistake lies before this position",
            }),
        }
    }
}
