//! The background work of a review: judging the game on the board, and own play after its worst moves.
//!
//! Both use one core at low priority, and wait while an experiment runs, because its games are timed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::effect::Effects;
use super::reviewed::{ReviewTold, Reviewed, TELL_EVERY, folder_of};
use super::{Core, Document, ExperimentRun, NodeId, Reviewing};
use crate::game::{Move, Rules};
use crate::review::{Judge, Look, OwnPlay, Review, Session};
use crate::task::{Job, Latest, TaskError, TaskInfo, lock};

/// Time without a change before a line is judged.
const QUIET: Duration = Duration::from_millis(300);

/// Below this mean score the judge misleads: it expects scores that the strategy never reaches.
const WEAK: f64 = 20_000.0;

/// Minimum number of games for a mean.
const FEWEST_GAMES: u64 = 10;

/// The state of background judging of the game on the board.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// The running work was started in the background, not by a command.
    is_at_work: bool,
    /// It was stopped for an experiment, and resumes after it.
    waits: bool,
    /// The line on the board is judged again, although it has a review.
    again: bool,
    /// The line on the board, and since when it is there.
    line: Option<(Vec<NodeId>, Instant)>,
    made: Option<(String, Rules, Made)>,
}

/// A judge, created on first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Made(Arc<Mutex<Option<Arc<Judge>>>>);

impl Made {
    pub(super) fn get(
        &self,
        make: impl FnOnce() -> Result<Arc<Judge>, String>,
    ) -> Result<Arc<Judge>, String> {
        let mut made = lock(&self.0);
        if let Some(judge) = &*made {
            return Ok(judge.clone());
        }
        let judge = make()?;
        *made = Some(judge.clone());
        Ok(judge)
    }
}

impl Beside {
    pub(super) fn is_at_work(&self) -> bool {
        self.is_at_work
    }

    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    pub(super) fn begins(&mut self, beside: bool) {
        (self.is_at_work, self.waits, self.again) = (beside, false, false);
    }

    /// The judge for this strategy with its cache. With `anew`, a new judge that reads its files again.
    pub(super) fn judge(&mut self, strategy: &str, rules: Rules, anew: bool) -> Made {
        match &self.made {
            Some((made_strategy, made_rules, made))
                if made_strategy == strategy && *made_rules == rules && !anew =>
            {
                made.clone()
            }
            _ => {
                let made = Made::default();
                self.made = Some((strategy.to_owned(), rules, made.clone()));
                made
            }
        }
    }
}

/// The strategy's own play after its moves.
#[derive(Debug, Default)]
pub(super) struct OwnPlaying {
    /// Whether own play judges, as the user chose; `None` uses it for weak strategies.
    pub(super) wanted: Option<bool>,
    /// Whether the worst moves are played out, too, and not only the current one: set by a requested review.
    pub(super) asks_worst: bool,
    /// Whether own play judges, as of the last frame.
    judges: bool,
    latest: Latest<OwnKey, ReviewTold>,
}

/// The line, the judge, and the moves to play out, each with the judge's best move.
type OwnKey = (Vec<NodeId>, String, Vec<(usize, Option<Move>)>);

impl OwnPlaying {
    /// Why there is no result, in one sentence.
    pub(super) fn problem(&self) -> Option<String> {
        match (self.latest.known(), self.latest.failed()) {
            (Some(Err(reason)), _) => Some(reason.clone()),
            (None, Some(error)) if !matches!(error, TaskError::Stopped { .. }) => {
                Some(error.to_string())
            }
            _ => None,
        }
    }
}

/// What other concerns say about background work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// An experiment runs and is not paused.
    pub(super) runs: bool,
    /// Autoplay moves the board.
    pub(super) plays: bool,
    /// Own play judges the game on the board.
    pub(super) by_player: bool,
}

impl Reviewing {
    /// Starts the background work that is due. Returns when to poll again.
    pub(super) fn work_in_background(
        &mut self,
        core: &Core,
        conditions: Conditions,
    ) -> Option<Duration> {
        self.play_own_in_background(core, conditions);
        self.judge_in_background(core, conditions)
    }

    /// Judges the line on the board once it stops changing. Returns when to poll again.
    fn judge_in_background(&mut self, core: &Core, conditions: Conditions) -> Option<Duration> {
        let is_known = self
            .latest
            .key()
            .is_some_and(|(line, _)| core.is_line(line));
        if !self.latest.is_pending() {
            self.beside.is_at_work = false;
        }

        if conditions.runs {
            if self.beside.is_at_work && !self.beside.waits {
                self.beside.waits = true;
                self.latest.stop();
            }
            return None;
        }

        let asks_again = self.beside.waits || self.beside.again;
        let resumes = is_known && asks_again && !self.latest.is_pending();
        let is_asked = self.latest.is_pending() && !self.beside.is_at_work;
        let can_judge = 1 < core.line().len() && core.editing().is_none() && !conditions.plays;
        if is_asked || !can_judge || is_known && !resumes {
            return None;
        }

        let since = match &self.beside.line {
            Some((line, since)) if core.is_line(line) => since.elapsed(),
            _ => {
                self.beside.line = Some((core.line().to_vec(), Instant::now()));
                Duration::ZERO
            }
        };
        if since < QUIET {
            return Some(QUIET - since);
        }

        if self.judging(core).is_err() || self.begin(core, true).is_err() {
            // The boards have no judge; the panel says so.
            let key = (core.line().to_vec(), String::new());
            self.latest.set(key, Err(String::new()));
        }
        None
    }

    /// Discards the review and stops its work.
    pub(super) fn forget(&mut self) {
        self.latest.cancel();
        self.own.latest.cancel();
        self.beside.begins(false);
    }

    /// Switches background judging on or off: judges an incomplete review, or stops the running work.
    pub(super) fn switch_background(&mut self, core: &mut Core, effects: &mut Effects) {
        let judges = !core.judges_in_background();
        core.surroundings_mut().judge_in_background = judges;
        if judges {
            self.beside.again = self.of_line(core).is_none_or(|reviewed| !reviewed.is_whole);
        } else if self.beside.is_at_work {
            (self.beside.waits, self.beside.again) = (false, false);
            self.latest.stop();
        }
        effects.info(match judges {
            true => "Games on the board are judged in the background",
            false => {
                "Games on the board are no longer judged in the background: press Judge this game"
            }
        });
    }

    /// Starts own play for the current move first, then for the worst moves.
    fn play_own_in_background(&mut self, core: &Core, conditions: Conditions) {
        self.own.judges = conditions.by_player;
        let waits = conditions.runs || self.latest.is_pending() || conditions.plays;
        let is_asked = self.own.wanted == Some(true) || core.judges_in_background();
        if waits || !is_asked || !self.own.judges {
            if self.own.latest.is_pending() {
                self.own.latest.cancel();
            }
            return;
        }

        let Some(reviewed) = self.of_line(core) else {
            return;
        };
        let (Ok(player), Some(report)) = (&reviewed.player, &reviewed.report) else {
            return;
        };
        let review = &reviewed.review;
        let is_open = |index: &usize| !review.has_own_play(*index);
        let here = Some(core.place()).filter(is_open);
        let mut moves: Vec<usize> = here.into_iter().collect();
        if self.own.asks_worst || self.own.wanted == Some(true) {
            let worst = report.worst.iter().map(|worst| worst.verdict.index);
            moves.extend(worst.filter(|index| is_open(index) && Some(*index) != here));
        }

        let best = |index: usize| (index, review.look(index).and_then(Look::best));
        let own = &self.own.latest;
        let of_line = own
            .key()
            .filter(|(line, judge, _)| core.is_line(line) && *judge == review.judge().sha256());
        let first = here.map(best);
        let is_at_it = own.is_pending()
            && of_line.is_some_and(|(.., requested)| {
                first.is_none_or(|first| requested.first() == Some(&first))
            });
        let was_asked = of_line.is_some_and(|(.., requested)| {
            moves
                .iter()
                .map(|&index| best(index))
                .eq(requested.iter().copied())
        });
        if moves.is_empty() || is_at_it || was_asked {
            return;
        }

        let review_folder = folder_of(core);
        let unsaved = self.unkept.clone();
        let requested = moves.iter().map(|&index| best(index)).collect();
        let key = (
            core.line().to_vec(),
            review.judge().sha256().to_owned(),
            requested,
        );
        let (player, reviewed) = (player.clone(), reviewed.clone());
        let work = move |job: &Job<ReviewTold>| -> ReviewTold {
            let mut review = reviewed.review.clone();
            let with_review = |review: &Review| {
                Arc::new(Reviewed {
                    review: review.clone(),
                    ..(*reviewed).clone()
                })
            };
            let session = Session {
                folder: review_folder,
                unsaved,
                ..Session::of(review.judge().clone(), 1)
            };
            let mut tell = |review: &Review| job.tell_every(TELL_EVERY, || Ok(with_review(review)));
            let answered =
                session.ask_player(&mut review, (&player, &moves), job.control(), &mut tell);
            answered.map_err(|error| error.to_string())?;
            Ok(with_review(&review))
        };

        let info = TaskInfo::silent().answering_when_stopped();
        self.own.latest.ask(key, core.tasks(), info, work);
    }

    /// Adds new results of own play to the review.
    pub(super) fn poll_own_play(&mut self, core: &Core) {
        if !self.own.latest.poll() {
            return;
        }
        let own = &self.own.latest;
        let Some(Ok(found)) = own
            .known()
            .filter(|_| own.key().is_some_and(|(line, ..)| core.is_line(line)))
        else {
            return;
        };
        let found = found.clone();
        let Some(shown) = self.of_line(core).cloned() else {
            return;
        };
        if self.latest.is_pending() {
            return;
        }
        let mut review = shown.review.clone();
        review.take_over(&found.review, true);
        let Some(key) = self.latest.key().cloned() else {
            return;
        };
        self.latest.set(
            key,
            Ok(Arc::new(Reviewed {
                review,
                ..(*shown).clone()
            })),
        );
    }
}

impl Document {
    /// The text of the status bar.
    pub(super) fn judging_words(&self) -> Option<String> {
        if self.plays_own()
            && let Some(Ok(player)) = self.review().map(|reviewed| &reviewed.player)
        {
            return Some(format!(
                "{} plays games from both moves",
                player.strategy().label()
            ));
        }
        let is_at_work = self.reviewing.beside.is_at_work && self.reviewing.latest.is_pending();
        if !is_at_work || !self.judges_in_background() {
            return None;
        }

        Some(format!("Judging: {}", self.review()?.work.text()))
    }

    /// The mean score of the strategy that played the game on the board, and its number of games: from a run, else from this game
    /// alone.
    pub fn mean_of_player(&self) -> Option<(f64, u64)> {
        let reviewed = self.review()?;
        let hash = reviewed.player.as_ref().ok()?.strategy().hash();
        let of_run = |run: &ExperimentRun| {
            let place = run
                .plan()?
                .contestants
                .iter()
                .position(|one| one.strategy.hash() == hash)?;
            let scores = &run.snapshot.as_ref()?.summaries.get(place)?.scores;
            Some((scores.mean()?, scores.count())).filter(|(_, games)| FEWEST_GAMES <= *games)
        };
        // The score of an unfinished game says nothing.
        let last = reviewed
            .review
            .moments()
            .last()
            .filter(|last| last.board.is_dead());
        let of_game = last.map(|last| (last.score as f64, 1));
        self.shown()
            .and_then(of_run)
            .or_else(|| of_run(&self.runs.last))
            .or(of_game)
    }

    /// Whether own play judges, as of the last frame.
    pub fn judges_by_player(&self) -> bool {
        self.reviewing.own.judges && self.review().is_some()
    }

    /// Whether own play is to judge: as the user chose, else if the strategy is weak.
    pub(super) fn is_to_judge_itself(&self) -> bool {
        let is_known = self
            .review()
            .is_some_and(|reviewed| reviewed.player.is_ok());
        let is_weak = || self.mean_of_player().is_some_and(|(mean, _)| mean < WEAK);
        is_known && self.reviewing.own.wanted.unwrap_or_else(is_weak)
    }

    /// The result of own play for the move at this place, if it judges and is known.
    pub fn own_play(&self, index: usize) -> Option<&OwnPlay> {
        if !self.judges_by_player() {
            return None;
        }
        self.review()?.review.own_play(index)
    }

    /// Whether own play is running.
    pub fn plays_own(&self) -> bool {
        self.reviewing.own.latest.is_pending()
    }
}
