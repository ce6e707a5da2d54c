//! What is asked of judged games besides the one on the board: many of a run, two strategies on one, how near its end was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::effect::{Effect, Effects};
use super::{Arm, Document, NodeId};
use crate::experiment::{Dealt, InMemory};
use crate::game::{Record, Seed};
use crate::review::{
    Blame, ChanceThresholds, Death, DeathQuestion, Decider, Judge, Minds, Report, Review, ReviewFolder, ReviewedDeath,
    ReviewedGames, ReviewedMinds, Section, Several, Thresholds,
};
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, Player, Strategy};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, TaskState, threads_for_window};
use crate::words;
use crate::workbench::command::{Panel, ReviewSheet};

/// How often it is told how far it is.
const TELL_EVERY: Duration = Duration::from_millis(300);

/// How long a held review waits before it looks whether it goes on.
const HELD: Duration = Duration::from_millis(30);

/// Games of a run as far as they are reviewed.
#[derive(Clone, Debug)]
pub struct GamesReviewed {
    pub several: Several,
    /// By the place of the strategy in the run.
    pub players: Vec<(usize, Arc<Decider>)>,
    pub judge: String,
    /// What the run is called.
    pub run: String,
    /// How many games are done, of how many.
    pub done: [usize; 2],
    /// Games whose moves were not kept.
    pub without_moves: usize,
    runs: u64,
}

impl GamesReviewed {
    /// What a row of a player is called, by the name of the player.
    pub fn rule(&self, player: &str, blame: Blame) -> String {
        let known = self.players.iter().find(|(_, known)| known.strategy().label() == player);
        known.map_or_else(String::new, |(_, known)| known.name(blame))
    }

    /// What there is to read.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is of one lifetime, the closure of any")]
    pub fn sections(&self) -> Vec<Section> {
        self.written(|written| written.sections())
    }

    /// All that is known of them, to be written.
    pub fn written<R>(&self, read: impl FnOnce(&ReviewedGames<'_>) -> R) -> R {
        let rules = |player: &str, blame: Blame| self.rule(player, blame);
        read(&ReviewedGames { title: &self.run, judge: &self.judge, games: &self.several, rules: &rules })
    }
}

/// Two strategies on the game that was on the board.
#[derive(Clone, Debug)]
pub struct MindsFound {
    pub minds: Minds,
    players: [Arc<Decider>; 2],
    judge: String,
    title: String,
}

impl MindsFound {
    pub fn sections(&self) -> Vec<Section> {
        let players = [&*self.players[0], &*self.players[1]];
        let titles = std::slice::from_ref(&self.title);
        ReviewedMinds { judge: &self.judge, minds: &self.minds, players, titles }.sections()
    }
}

/// The chance to die along the game that was on the board.
#[derive(Clone, Debug)]
pub struct DeathFound {
    pub death: Death,
    pub done: [usize; 2],
    judge: Arc<Judge>,
}

impl DeathFound {
    /// Which position could be survived last, in one sentence.
    pub fn sentence(&self) -> String {
        let sentence = ReviewedDeath { judge: &self.judge, death: &self.death }.sentence();
        match self.done {
            [done, all] if done < all => {
                format!(
                    "So far, of {} of {} positions: {}",
                    words::count(done as u64),
                    words::count(all as u64),
                    words::uncapitalised(&sentence)
                )
            }
            _ => sentence,
        }
    }

    /// What is known of it, for people.
    pub fn sections(&self) -> Vec<Section> {
        ReviewedDeath { judge: &self.judge, death: &self.death }.sections()
    }
}

type Told<T> = Result<Arc<T>, String>;

/// What was asked of judged games, as far as it is known.
#[derive(Debug, Default)]
pub struct MoreReviews {
    games: Latest<u64, Told<GamesReviewed>>,
    minds: Latest<(Vec<NodeId>, String), Told<MindsFound>>,
    death: Latest<Vec<NodeId>, Told<DeathFound>>,
    asked: u64,
    is_held: Arc<AtomicBool>,
}

impl MoreReviews {
    pub fn games(&self) -> Option<&Arc<GamesReviewed>> {
        self.games.known()?.as_ref().ok()
    }

    pub fn reviews_games(&self) -> bool {
        self.games.is_pending()
    }

    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    pub fn asks_minds(&self) -> bool {
        self.minds.is_pending()
    }

    pub fn plays_on(&self) -> bool {
        self.death.is_pending()
    }

    /// Whether two strategies are being compared, or games played on.
    pub fn is_working(&self) -> bool {
        self.asks_minds() || self.plays_on()
    }

    pub(super) fn stop_games(&self) {
        self.games.stop();
    }

    pub(super) fn hold_games(&self) {
        self.is_held.store(!self.is_held(), Ordering::Relaxed);
    }

    pub(super) fn poll(&mut self) {
        self.games.poll();
        self.minds.poll();
        self.death.poll();
    }

    /// Why there is nothing to show on a sheet, in one sentence.
    pub fn problem(&self, sheet: ReviewSheet) -> Option<String> {
        fn of<K: PartialEq, T>(latest: &Latest<K, Told<T>>) -> Option<String> {
            if let Some(Err(reason)) = latest.known() {
                return Some(reason.clone());
            }
            match latest.state() {
                TaskState::Failed(error) if latest.known().is_none() => Some(error.to_string()),
                _ => None,
            }
        }
        match sheet {
            ReviewSheet::Game => None,
            ReviewSheet::Games => of(&self.games),
            ReviewSheet::Minds => of(&self.minds),
            ReviewSheet::Death => of(&self.death),
        }
    }
}

/// Games of one strategy of a run.
struct Source {
    place: usize,
    strategy: Strategy,
    dealt: Dealt,
    folder: Option<ReviewFolder>,
}

impl Source {
    /// A game with its moves: those that were kept, or played again where that takes no time.
    fn record(&self, games: &InMemory, player: &Player, index: u64) -> Option<Record> {
        let Dealt { rules, seed, .. } = self.dealt;
        match games.moves(self.place, index) {
            Some(moves) => Some(Record::of_moves(&moves, rules, seed, index, Some(self.strategy.to_string()))),
            None if self.strategy.looks_ahead() => None,
            None => Some(GameTrace::record(player, Seed(seed), index, &self.strategy, SearchOptions::default())),
        }
    }
}

impl Document {
    pub fn more_reviews(&self) -> &MoreReviews {
        &self.more_reviews
    }

    /// What two strategies do on the line on the board.
    pub fn minds(&self) -> Option<&Arc<MindsFound>> {
        let (line, _) = self.more_reviews.minds.key().filter(|(line, _)| *line == self.line)?;
        debug_assert_eq!(line.len(), self.line.len());
        self.more_reviews.minds.known()?.as_ref().ok()
    }

    /// The chance to die along the line on the board.
    pub fn death(&self) -> Option<&Arc<DeathFound>> {
        self.more_reviews.death.key().filter(|line| **line == self.line)?;
        self.more_reviews.death.known()?.as_ref().ok()
    }

    /// Reviews these games of the run on screen, of each of these strategies by their places.
    pub(super) fn begin_games(&mut self, places: &[usize], indices: Vec<u64>) -> Result<(), String> {
        let shown = self.shown().ok_or("No run is shown: run the experiment first")?;
        let run = shown.run.as_ref().ok_or("No run is shown: run the experiment first")?;
        let (games, runs, title) = (run.games().clone(), shown.runs, shown.title().to_owned());
        let own = self.surroundings.runs.clone();
        let config = self.config_dir().map(ReviewFolder::within);
        let source = |place: &usize| {
            let Arm { strategy, dealt, folder, .. } = shown.arm(*place)?;
            let folder = ReviewFolder::of_games(folder.as_deref(), own.as_ref()).or_else(|| config.clone());
            Some(Source { place: *place, strategy, dealt, folder })
        };
        let sources: Vec<Source> = places.iter().filter_map(source).collect();
        let rules = sources.first().ok_or("There is no such strategy in this run")?.dealt.rules;
        if sources.iter().any(|source| source.dealt.rules != rules) {
            return Err(
                "The games of these strategies have other rules each, and one judge judges all: review them one by one"
                    .to_owned(),
            );
        }
        let judge = match &self.reviewing.judge {
            Some(judge) => judge.clone(),
            None => Judge::usual(rules).map_err(|error| error.to_string())?,
        };
        let (set, chance) = (self.reviewing.thresholds, self.reviewing.chance);
        let held = self.more_reviews.is_held.clone();
        held.store(false, Ordering::Relaxed);
        self.more_reviews.asked += 1;
        let info = TaskInfo::asked(TaskGroup::Panel, "Reviewing games").answering_when_stopped();
        let work = move |job: &Job<Told<GamesReviewed>>| {
            let asked = GamesAsked { games, sources, indices, judge, set, chance, held, title, runs };
            asked.work(job).map(Arc::new)
        };
        let key = self.more_reviews.asked;
        self.more_reviews.games.ask(key, &self.tasks, info, work);
        Ok(())
    }

    /// Puts one of the worst moves of the reviewed games on the board, with its review.
    pub(super) fn show_worst(&mut self, number: usize, effects: &mut Effects) {
        let found = self.more_reviews.games().and_then(|games| {
            let one = games.several.worst.get(number)?;
            let verdict = one.verdict();
            Some((games.runs, games.several.games[one.game].of_run?, verdict.index, verdict.before.board))
        });
        let Some((runs, (place, index), at, board)) = found else { return };
        if self.shown().is_none_or(|shown| shown.runs != runs) {
            return effects.warn("Another run is shown by now: open the one that was reviewed first");
        }
        self.apply_to_experiment(&crate::workbench::command::ExperimentCommand::OpenGame(place, index), effects);
        self.line = self.tree.line_through(self.cursor());
        // What could not be opened has said why.
        let Some(&node) = self.line.get(at).filter(|&&node| self.tree.node(node).board == board) else { return };
        self.go_to(node);
        let begun = self.begin_review();
        effects.accept(begun);
        effects.push(Effect::ShowPanel(Panel::Review));
    }

    /// The strategy that played the game on the board, and the one that plays now.
    pub(super) fn two_minds(&self) -> Result<[Arc<Decider>; 2], String> {
        let reviewed = self.review().filter(|reviewed| reviewed.report.is_some()).ok_or("Review the game first")?;
        let player = reviewed.player.as_ref().map_err(|reason| words::capitalised(&reason.to_string()))?;
        let other = self.strategy();
        if other.hash() == player.strategy().hash() {
            return Err(format!("{} played this game itself: open the strategy to set against it", other.label()));
        }
        let other = Decider::new(&other, self.game().rules).map_err(|error| error.to_string())?;
        Ok([player.clone(), Arc::new(other)])
    }

    pub(super) fn begin_minds(&mut self) -> Result<(), String> {
        let players = self.two_minds()?;
        let review = self.review().ok_or("Review the game first")?.review.clone();
        let (judge, title) = (review.judge().label(), self.game().title.to_string());
        let key = (self.line.clone(), players[1].strategy().to_string());
        let info = TaskInfo::asked(TaskGroup::Panel, "Asking two strategies");
        self.more_reviews.minds.cancel();
        self.more_reviews.minds.ask(key, &self.tasks, info, move |job: &Job<Told<MindsFound>>| {
            let mut minds = Minds::default();
            let asked = [&*players[0], &*players[1]];
            minds
                .add(&review, asked, threads_for_window(), job.token(), &mut |_| {})
                .map_err(|error| error.to_string())?;
            Ok(Arc::new(MindsFound { minds, players, judge, title }))
        });
        Ok(())
    }

    pub(super) fn begin_death(&mut self) -> Result<(), String> {
        let judge = self.judging()?.into_owned();
        let judge = Arc::new(Judge::of(&judge, self.game().rules).map_err(|error| error.to_string())?);
        let moments = self.tree.record(self.line.last().copied().unwrap_or(self.cursor())).replay();
        let info = TaskInfo::asked(TaskGroup::Panel, "Playing on from the game").answering_when_stopped();
        self.more_reviews.death.cancel();
        self.more_reviews.death.ask(self.line.clone(), &self.tasks, info, move |job: &Job<Told<DeathFound>>| {
            let mut shown = Instant::now();
            let of = |death: &Death, done| DeathFound { death: death.clone(), done, judge: judge.clone() };
            let mut told = |death: &Death, done: [usize; 2]| {
                if TELL_EVERY < shown.elapsed() {
                    job.tell(Ok(Arc::new(of(death, done))));
                    shown = Instant::now();
                }
            };
            let question = DeathQuestion::default();
            let death = Death::of(&moments, &judge, question, threads_for_window(), job.token(), &mut told);
            let death = death.map_err(|error| error.to_string())?;
            let done = [death.at.len(), Death::looked_at(moments.len())];
            Ok(Arc::new(of(&death, done)))
        });
        Ok(())
    }
}

/// What a worker needs to review games of a run.
struct GamesAsked {
    games: Arc<InMemory>,
    sources: Vec<Source>,
    indices: Vec<u64>,
    judge: Strategy,
    set: Option<Thresholds>,
    chance: Option<ChanceThresholds>,
    held: Arc<AtomicBool>,
    title: String,
    runs: u64,
}

impl GamesAsked {
    /// Game by game, of all strategies before the next one, so that they stay side by side.
    fn work(&self, job: &Job<Told<GamesReviewed>>) -> Result<GamesReviewed, String> {
        let rules = self.sources[0].dealt.rules;
        let judge = Arc::new(Judge::of(&self.judge, rules).map_err(|error| error.to_string())?);
        let mut players = Vec::new();
        for source in &self.sources {
            let decider = Decider::new(&source.strategy, rules).map_err(|error| error.to_string())?;
            players.push((source.place, Arc::new(decider)));
        }
        let replaying: Vec<Player> = self.sources.iter().map(|source| Player::new(&source.strategy, rules)).collect();
        let mut found = GamesReviewed {
            several: Several::default(),
            players,
            judge: judge.label(),
            run: self.title.clone(),
            done: [0, self.indices.len() * self.sources.len()],
            without_moves: 0,
            runs: self.runs,
        };
        let (mut thresholds, mut shown) = (self.set, Instant::now());
        for &index in &self.indices {
            for (number, source) in self.sources.iter().enumerate() {
                let Some(record) = source.record(&self.games, &replaying[number], index) else {
                    found.without_moves += 1;
                    found.done[0] += 1;
                    continue;
                };
                let decider = found.players[number].1.clone();
                let mut review = Review::new(record, judge.clone());
                review.chance = self.chance.map(|chance| chance.question);
                if let Some(folder) = &source.folder {
                    // What cannot be read is judged again and replaced.
                    let _ = folder.read_into(&mut review, Some(&decider));
                }
                let mut told = |_: &Review, _, _: [usize; 2]| self.wait(job);
                // As the review of one game does: the numbers are the same in both.
                let deepened = review.deepen_mistakes(job.token());
                let judged =
                    deepened.and_then(|()| review.go_on(Some(&decider), threads_for_window(), job.token(), &mut told));
                if let Some(folder) = &source.folder {
                    // Without a place to write it is judged again another time.
                    let _ = folder.write(&review, Some(&decider));
                }
                judged.map_err(|error| format!("game {}: {error}", words::count(index)))?;
                if job.is_cancelled() {
                    return Ok(found);
                }
                let Ok(totals) = review.totals() else { return Ok(found) };
                let thresholds = *thresholds.get_or_insert_with(|| Thresholds::usual(totals.start_value));
                let thresholds = Thresholds { chance: self.chance, ..thresholds };
                let report = Report::of(&review, thresholds).map_err(|error| error.to_string())?;
                let label = source.strategy.label();
                let title = format!("{label}, game {}", words::count(index));
                found.several.add(title, label, Some((source.place, index)), &report);
                found.done[0] += 1;
                if TELL_EVERY < shown.elapsed() {
                    job.tell(Ok(Arc::new(found.clone())));
                    shown = Instant::now();
                }
            }
        }
        Ok(found)
    }

    /// Waits while the review is held.
    fn wait(&self, job: &Job<Told<GamesReviewed>>) {
        while self.held.load(Ordering::Relaxed) && !job.is_cancelled() {
            std::thread::sleep(HELD);
        }
    }
}
