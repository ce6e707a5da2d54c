//! The progress of a run, and its threads: each plays the games that the schedule hands out and passes them to the
//! sink.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use super::folder::{Arm, FolderError, Game, Keeper, RunFolder, Sources};
use super::manifest::{ContestantRecord, ContestantResult, Manifest, Results};
use super::schedule::{Batch, Schedule};
use super::sink::InMemory;
use super::stop::{Gauge, Watch};
use super::{ByEmpty, Contestant, Decided, EndReason, Games, Plan, PlanError, Play, Summary};
use crate::files::Sha256;
use crate::game::{GameSeed, Seed};
use crate::preset::StopRule;
use crate::stats::Planned;
use crate::strategy::{Finish, Outcome, Player};
use crate::task::{self, CancelToken, Control, Work, WorkState, WorkerPanic, lock, panic_message};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    Paused,
    /// Stop was requested: batches in play, about 25 ms or one game, are finished.
    Stopping,
    Done,
    /// Stopped, with the games in play finished.
    Stopped,
    /// Stopped at once: games in play were abandoned, which are the long ones.
    Cancelled,
    /// A stop rule was met; the sentence has its numbers.
    RuleMet {
        sentence: String,
        /// The number of games of each contestant that the decision is based on. `None` if the time limit ended the
        /// run, which can then continue.
        each: Option<u64>,
    },
    /// A worker panicked, with a sentence about the cause. Finished games are saved.
    Failed(String),
}

impl State {
    pub fn has_ended(&self) -> bool {
        matches!(
            self,
            Self::Done | Self::Stopped | Self::Cancelled | Self::RuleMet { .. } | Self::Failed(_)
        )
    }

    fn of_work(&self) -> WorkState {
        match self {
            Self::Running => WorkState::Running,
            Self::Paused => WorkState::Paused,
            Self::Stopping => WorkState::Stopping,
            Self::Done | Self::RuleMet { .. } => WorkState::Done,
            Self::Stopped | Self::Cancelled => WorkState::Stopped,
            Self::Failed(message) => WorkState::Failed(message.clone()),
        }
    }

    /// The end reason for a manifest, after `games` finished games.
    pub(super) fn end_reason(&self, games: u64) -> EndReason {
        match self {
            Self::Running | Self::Paused | Self::Stopping => EndReason::Running { games },
            Self::Done => EndReason::AllGames,
            Self::Stopped => EndReason::Stopped { games },
            Self::Cancelled => EndReason::Cancelled { games },
            Self::RuleMet { sentence, each } => EndReason::RuleMet {
                games,
                each: *each,
                sentence: sentence.clone(),
            },
            Self::Failed(message) => EndReason::Failed {
                games,
                message: message.clone(),
            },
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The games of all contestants.
    pub work: Work,
    pub state: State,
    pub finished_by_contestant: Vec<u64>,
    /// How many of the finished games were read instead of played: from the folder of the run, and from other runs.
    pub read: [u64; 2],
    /// Time since the start without pauses. It stops at the end.
    pub elapsed: Duration,
    /// Games per second on all threads. During the run it is for the remaining games, at the pace of each strategy; at
    /// the end it is for the games that were played, per second of `elapsed`.
    pub games_per_second: f64,
    /// A range for the remaining time; while stopping, the time until the games in play are over. `None` until every
    /// contestant has finished a game, and after the end.
    pub left: Option<(Duration, Duration)>,
    /// The progress of each stop rule.
    pub gauges: Vec<Gauge>,
}

#[derive(Clone, Debug)]
pub struct Snapshot {
    pub progress: Progress,
    /// Each contestant's games up to the first missing one. Without that limit, quick games would be overrepresented,
    /// and with them their scores. Snapshots between which nothing was played share the summaries (`Arc::ptr_eq`).
    pub summaries: Vec<Arc<Summary>>,
    /// The planned number of games of each contestant.
    pub planned: Planned,
}

/// Where the games of a run are on disk.
pub(super) enum Written {
    Nowhere,
    /// In this folder, and no process is playing.
    Only(PathBuf),
    By(Arc<Keeper>),
}

/// A player that plays no game.
#[derive(Debug)]
struct NeverPlays;

impl Play for NeverPlays {
    fn play_told(
        &self,
        _: GameSeed,
        _: &CancelToken,
        _: &mut dyn FnMut(Decided),
    ) -> Option<Finish> {
        None
    }
}

/// For each contestant, the first one with the same strategy and the same missing games.
fn alike(plan: &Plan, sink: &InMemory) -> Vec<usize> {
    let played: Vec<Option<Sha256>> = plan
        .contestants
        .iter()
        .map(|one| one.played_text(plan.rules))
        .collect();
    let first = |place: usize| {
        played
            .iter()
            .position(|other| other.is_some() && *other == played[place])
    };
    let firsts: Vec<usize> = (0..played.len())
        .map(|place| first(place).unwrap_or(place))
        .collect();
    if firsts
        .iter()
        .enumerate()
        .all(|(place, first)| place == *first)
    {
        return firsts;
    }
    let missing = sink.missing();
    let source = |(place, first): (usize, usize)| {
        if missing[place] == missing[first] {
            first
        } else {
            place
        }
    };
    firsts.into_iter().enumerate().map(source).collect()
}

/// Data shared by the owner of a run and its workers.
pub(super) struct Shared {
    pub(super) plan: Plan,
    players: Vec<Arc<dyn Play>>,
    /// For each contestant the first one with the same strategy, which plays for all of them.
    alike: Vec<usize>,
    /// The hash of what each contestant plays, taken when the run began.
    played: Vec<Option<Sha256>>,
    /// The same in the form of manifests. Files may change during the run.
    begun: Vec<ContestantRecord>,
    /// Created by the first worker after it has read the games of the folder.
    schedule: OnceLock<Schedule>,
    pub(super) sink: Arc<InMemory>,
    pub(super) written: Written,
    pub(super) control: Control,
    /// Set when no more batches are to begin. The batches in play leave no gaps between the games.
    pub(super) drain: CancelToken,
    watch: Watch,
    /// Games that were read from the folder of the run, and from other runs.
    read: [AtomicU64; 2],
    is_time_over: AtomicBool,
    pub(super) clock: Mutex<Clock>,
    /// The first panic, as a sentence.
    failure: Mutex<Option<String>>,
    pub(super) end: Mutex<Option<State>>,
    pub(super) ended: Condvar,
    wake: Box<dyn Fn() + Send + Sync>,
}

/// Measures the time of a run without its pauses.
pub(super) struct Clock {
    pub(super) started: SystemTime,
    running_since: Option<Instant>,
    before: Duration,
    /// The time that previous runs had taken.
    others: Duration,
}

impl Clock {
    fn start() -> Self {
        let (before, others) = (Duration::ZERO, Duration::ZERO);
        Self {
            started: SystemTime::now(),
            running_since: Some(Instant::now()),
            before,
            others,
        }
    }

    /// Continues the clock of another run.
    fn after(other: &Self) -> Self {
        let before = other.elapsed();
        Self {
            started: other.started,
            before,
            others: before,
            running_since: Some(Instant::now()),
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.before
            + self
                .running_since
                .map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The time of this run, without that of the run that it continues.
    fn own(&self) -> Duration {
        self.elapsed().saturating_sub(self.others)
    }

    pub(super) fn stop(&mut self) {
        self.before = self.elapsed();
        self.running_since = None;
    }

    pub(super) fn go_on(&mut self) {
        self.running_since.get_or_insert_with(Instant::now);
    }
}

impl Shared {
    pub(super) fn new(
        plan: Plan,
        written: Written,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let sink = Arc::new(InMemory::new(&plan));
        Self::with(plan, sink, written, Clock::start(), wake)
    }

    /// The state of a run that plays the remaining games of another run.
    pub(super) fn after(
        other: &Self,
        written: Written,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let clock = Clock::after(&lock(&other.clock));
        let read = other
            .read
            .each_ref()
            .map(|read| AtomicU64::new(read.load(Ordering::Relaxed)));
        Self {
            read,
            ..Self::with(other.plan.clone(), other.sink.clone(), written, clock, wake)
        }
    }

    /// The first contestant whose files have changed since the run began.
    pub(super) fn changed(&self) -> Option<&Contestant> {
        let mut both = self.plan.contestants.iter().zip(&self.played);
        both.find(|(one, then)| one.played_text(self.plan.rules) != **then)
            .map(|(one, _)| one)
    }

    /// The state of a finished run: each contestant's games in order, and its duration.
    pub(super) fn of_games(plan: Plan, games: &[Vec<(u64, Outcome)>], elapsed: Duration) -> Self {
        let clock = Clock {
            before: elapsed,
            running_since: None,
            ..Clock::start()
        };
        let total = games.iter().map(Vec::len).sum::<usize>().max(1) as f64;
        let sink = Arc::new(InMemory::new(&plan));
        for (contestant, games) in games.iter().enumerate() {
            for part in games.chunk_by(|(a, _), (b, _)| a + 1 == *b) {
                let outcomes: Vec<Outcome> = part.iter().map(|(_, outcome)| *outcome).collect();
                // The time of each strategy was not recorded, so all games count the same.
                let share = elapsed.mul_f64(part.len() as f64 / total) * plan.thread_count() as u32;
                sink.put(
                    contestant,
                    part[0].0,
                    &outcomes,
                    Summary::of_games(&outcomes, share),
                );
            }
        }
        let shared = Self::with(plan, sink, Written::Nowhere, clock, || {});
        shared.cancel();
        shared.close(Ok(()));
        shared
    }

    /// The state of games that other runs play. There is nothing left to do.
    pub(super) fn of_others(mut plan: Plan, sink: Arc<InMemory>) -> Self {
        // A stand-in avoids the preparation of players.
        plan.contestants
            .iter_mut()
            .for_each(|contestant| contestant.stand_in = Some(Arc::new(NeverPlays)));
        let clock = Clock {
            before: Duration::ZERO,
            running_since: None,
            ..Clock::start()
        };
        let shared = Self::with(plan, sink, Written::Nowhere, clock, || {});
        *lock(&shared.end) = Some(State::Done);
        shared
    }

    fn with(
        plan: Plan,
        sink: Arc<InMemory>,
        written: Written,
        clock: Clock,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let players = plan.contestants.iter().map(|contestant| {
            contestant.stand_in.clone().unwrap_or_else(|| {
                Arc::new(Player::new(
                    &contestant.strategy,
                    contestant.rules(plan.rules),
                ))
            })
        });
        Self {
            alike: alike(&plan, &sink),
            played: plan
                .contestants
                .iter()
                .map(|one| one.played_text(plan.rules))
                .collect(),
            begun: Manifest::planned(&plan).strategies,
            players: players.collect(),
            schedule: OnceLock::new(),
            sink,
            written,
            control: Control::default(),
            drain: CancelToken::new(),
            watch: Watch::new(&plan),
            read: Default::default(),
            is_time_over: AtomicBool::new(false),
            clock: Mutex::new(clock),
            failure: Mutex::new(None),
            end: Mutex::new(None),
            ended: Condvar::new(),
            wake: Box::new(wake),
            plan,
        }
    }

    /// All results so far. `sums` copies the games of the strategies with their summaries, or takes them.
    pub(super) fn results_with(
        &self,
        sums: impl FnOnce(&InMemory) -> Vec<(Arc<Summary>, Games)>,
    ) -> Results {
        // Read before the summaries: a run that ends in between must not be called done if its last games are missing.
        let state = self.state();
        let sums = sums(&self.sink).into_iter();
        let result = |(contestant, (summary, games)): (&Contestant, _)| ContestantResult {
            strategy: contestant.strategy.clone(),
            rules: contestant.rules(self.plan.rules),
            published: contestant.published.clone(),
            summary,
            games,
        };

        let contestants: Vec<ContestantResult> =
            self.plan.contestants.iter().zip(sums).map(result).collect();
        let finished = self.sink.finished();
        let end_reason = state.end_reason(finished.iter().sum());
        let (started, elapsed) = {
            let clock = lock(&self.clock);
            (clock.started, clock.elapsed())
        };
        let mut manifest = Manifest::new(&self.plan, started, elapsed, finished, end_reason);
        for (record, begun) in manifest.strategies.iter_mut().zip(&self.begun) {
            let ContestantRecord {
                hash,
                sha256,
                files,
                ..
            } = begun.clone();
            (record.hash, record.sha256, record.files) = (hash, sha256, files);
        }

        Results::new(manifest, contestants)
    }

    /// The schedule. The first caller reads the games of the folder, and the others wait.
    fn schedule(&self) -> &Schedule {
        let made = || {
            if let Err(error) = self.read_games() {
                self.fail(error.to_string());
            }
            // The players have read their files by now: are they still the recorded ones?
            if let Some(one) = self.changed().filter(|_| !self.drain.is_cancelled()) {
                self.fail(
                    PlanError::Changed {
                        name: one.strategy.label(),
                    }
                    .to_string(),
                );
            }
            self.follow_rules(true);
            let mut missing = self.sink.missing();
            missing
                .iter_mut()
                .enumerate()
                .filter(|(place, _)| self.alike[*place] != *place)
                .for_each(|(_, ranges)| ranges.clear());
            let schedule = Schedule::new(&self.plan, missing);
            for (contestant, summary) in self
                .sink
                .summaries()
                .iter()
                .enumerate()
                .filter(|(_, summary)| summary.games() != 0)
            {
                if let Some(cost) = summary.whole_cost() {
                    schedule.took(contestant, summary.games(), Instant::now(), cost.time);
                }
            }
            schedule
        };
        self.schedule.get_or_init(made)
    }

    /// Reads the games of the folder that are not in memory yet. Games of other runs are also written into it.
    fn read_games(&self) -> Result<(), FolderError> {
        let mut reader = None;
        // Its own games first.
        let sources = match &self.written {
            Written::Nowhere => return Ok(()),
            Written::Only(folder) => {
                let folder = RunFolder::open(folder)?;
                let sources = vec![folder.games()?];
                reader = Some(folder);
                sources
            }
            Written::By(keeper) => keeper.games()?.into(),
        };
        let arm = |contestant: usize| match &reader {
            Some(folder) => folder.arm_of(&self.plan, contestant),
            None => Arm::of(&self.plan, contestant),
        };

        for contestant in
            (0..self.plan.contestants.len()).filter(|&place| self.alike[place] == place)
        {
            for (from, there) in sources.iter().enumerate() {
                self.read_games_of(contestant, there, &arm(contestant), |games| {
                    let alike = self
                        .alike
                        .iter()
                        .filter(|played| **played == contestant)
                        .count();
                    self.read[from].fetch_add((games.len() * alike) as u64, Ordering::Relaxed);
                    if from != 0 {
                        self.keep(contestant, games);
                    }
                })?;
            }
        }

        Ok(())
    }

    fn read_games_of(
        &self,
        contestant: usize,
        there: &Sources,
        arm: &Arm,
        taken: impl Fn(&[Game]),
    ) -> Result<(), FolderError> {
        const MOST_AT_ONCE: usize = 8192;
        let indices = self.plan.indices();
        let is_missing = |game: &Game| {
            indices.contains(&game.index) && self.sink.game(contestant, game.index).is_none()
        };
        let mut games: Vec<Game> = Vec::new();
        let put = |games: &mut Vec<Game>| {
            if let Some(first) = games.first().map(|game| game.index) {
                self.put(contestant, first, games);
                taken(games);
                games.clear();
            }
        };

        for game in there.games_of(arm)? {
            let game = game?;
            let follows = games.last().is_none_or(|last| last.index + 1 == game.index);
            if !follows || games.len() == MOST_AT_ONCE {
                put(&mut games);
            }
            if is_missing(&game) {
                games.push(game);
            }
        }

        put(&mut games);
        Ok(())
    }

    /// Writes games of a contestant, if the run writes games.
    fn keep(&self, contestant: usize, games: &[Game]) {
        if let Written::By(keeper) = &self.written
            && let Err(sentence) = keeper.put(contestant, games, || self.control.is_stopped())
        {
            self.fail(sentence);
        }
    }

    /// Takes consecutive games of a contestant.
    fn put(&self, contestant: usize, first: u64, games: &[Game]) {
        let outcomes: Vec<Outcome> = games.iter().map(|game| game.finish.outcome).collect();
        let sum = Summary::of_kept(games);
        for (like, _) in self
            .alike
            .iter()
            .enumerate()
            .filter(|(_, played)| **played == contestant)
        {
            for game in games {
                self.sink
                    .put_moves(like, game.index, &game.moves, &game.by_empty);
            }
            self.sink.put(like, first, &outcomes, sum.clone());
        }
    }

    pub(super) fn work(&self) {
        let schedule = self.schedule();
        while self.control.pass()
            && !self.is_over_by_time()
            && !self.drain.is_cancelled()
            && let Some(mut batch) = schedule.next()
        {
            while !batch.games.is_empty() {
                if !self.control.pass() {
                    return;
                }
                batch.games.start += self.play_while_open(&batch);
            }
        }
    }

    /// Plays games in order until the run is paused or cancelled. Returns how many were finished.
    fn play_while_open(&self, Batch { contestant, games }: &Batch) -> u64 {
        let player = &*self.players[*contestant];
        let seed = Seed(self.plan.seed);
        let mut played: Vec<Game> = Vec::with_capacity((games.end - games.start) as usize);
        let at = Cell::new(games.start);
        let paused = Cell::new(Duration::ZERO);
        let started = Instant::now();
        let mut before = task::cpu_time();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let mut open = games
                .clone()
                .take_while(|_| self.control.is_open())
                .inspect(|&index| at.set(index));
            let mut seeds = open
                .by_ref()
                .map(|index| (index, self.plan.rules.chance(seed, index)));
            let put = &mut |index, finish| {
                let (moves, by_empty) = (Vec::new(), ByEmpty::default());
                played.push(Game {
                    index,
                    finish,
                    cpu: Some(Duration::ZERO),
                    moves,
                    by_empty,
                });
            };
            if player.play_each(&mut seeds, put) {
                return;
            }

            for index in open {
                let (mut moves, mut by_empty) = (Vec::new(), ByEmpty::default());
                let finish = player.play_told(
                    self.plan.rules.chance(seed, index),
                    self.control.token(),
                    &mut |step| {
                        moves.push(step.mv);
                        by_empty.add(step.empty as usize, step.nodes);
                        if !self.control.is_open() {
                            let since = Instant::now();
                            self.control.pass();
                            paused.set(paused.get() + since.elapsed());
                        }
                    },
                );
                let Some(finish) = finish else { break };
                // Games of one ply take less time than it takes to read the clock: they share the time of the batch.
                let mut cpu = Duration::ZERO;
                if !moves.is_empty() {
                    let now = task::cpu_time();
                    cpu = now.saturating_sub(before);
                    before = now;
                }
                played.push(Game {
                    index,
                    finish,
                    cpu: Some(cpu),
                    moves,
                    by_empty,
                });
            }
        }));

        // If games were played alternately and one failed, an earlier one may be missing.
        played.sort_by_key(|game| game.index);
        let whole = played
            .iter()
            .zip(games.clone())
            .take_while(|(game, index)| game.index == *index)
            .count();
        played.truncate(whole);
        let finished = played.len() as u64;
        if 0 < finished {
            let took = started.elapsed().saturating_sub(paused.get());
            self.schedule().took(*contestant, finished, started, took);
            let rest = task::cpu_time().saturating_sub(before) / played.len() as u32;
            played
                .iter_mut()
                .filter(|game| game.moves.is_empty())
                .for_each(|game| game.cpu = Some(rest));
            self.put(*contestant, games.start, &played);
            self.follow_rules(false);
            self.keep(*contestant, &played);
            (self.wake)();
        }

        if let Err(panic) = caught {
            let name = self.plan.contestants[*contestant].strategy.label();
            let message = panic_message(&*panic);
            self.fail(format!("{name} failed in game {}: {message}", at.get()));
        }

        finished
    }

    /// Checks the rules on the games that all contestants have. If a rule is met, no more batches begin.
    fn follow_rules(&self, waits: bool) {
        if !self.plan.until.iter().any(StopRule::looks_at_scores) {
            return;
        }
        let counted = self.sink.counted();
        if self.watch.follow(waits, counted, &|contestant, places| {
            self.sink.kept(contestant, places)
        }) {
            self.drain.cancel();
        }
    }

    /// The time limit of the run and the time it has used, in minutes.
    fn minutes(&self) -> Option<[f64; 2]> {
        let most = StopRule::minutes(&self.plan.until)?;
        Some([most, lock(&self.clock).own().as_secs_f64() / 60.0])
    }

    fn is_over_by_time(&self) -> bool {
        let is_over = self.minutes().is_some_and(|[most, passed]| most <= passed);
        if is_over && !self.drain.is_cancelled() {
            self.is_time_over.store(true, Ordering::Relaxed);
            self.drain.cancel();
        }
        is_over
    }

    /// The rule that ended the run. Games beyond its decision are dropped.
    fn rule_met(&self) -> Option<State> {
        self.follow_rules(true);
        if let Some(met) = self.watch.met() {
            self.sink.cut(met.games);
            return Some(State::RuleMet {
                sentence: met.sentence,
                each: Some(met.games),
            });
        }
        let [most, _] = self
            .minutes()
            .filter(|_| self.is_time_over.load(Ordering::Relaxed))?;
        let is_whole = self.sink.finished().iter().sum::<u64>() == self.plan.total_games();
        let sentence = format!(
            "stopped by the time limit of {most} min; another run may stop after more or fewer games"
        );
        (!is_whole && !self.control.is_stopped()).then_some(State::RuleMet {
            sentence,
            each: None,
        })
    }

    fn fail(&self, sentence: String) {
        lock(&self.failure).get_or_insert(sentence);
        self.cancel();
    }

    pub(super) fn cancel(&self) {
        self.control.stop();
    }

    /// Called once, when the last worker has ended.
    pub(super) fn close(&self, end: Result<(), WorkerPanic>) {
        if let Err(panic) = end {
            self.fail(format!("a worker failed: {panic}"));
        }

        let failure = lock(&self.failure).take();
        let met = if failure.is_none() {
            self.rule_met()
        } else {
            None
        };
        let finished: u64 = self.sink.finished().iter().sum();
        let state = match failure.map(State::Failed).or(met) {
            Some(state) => state,
            None if finished == self.plan.total_games() => State::Done,
            None if !self.control.is_stopped() => State::Stopped,
            None => State::Cancelled,
        };
        if let Written::By(keeper) = &self.written {
            keeper.end(state.end_reason(finished), lock(&self.clock).elapsed());
        }
        {
            let mut end = lock(&self.end);
            lock(&self.clock).stop();
            *end = Some(state);
        }

        self.ended.notify_all();
        (self.wake)();
    }

    pub(super) fn state(&self) -> State {
        if let Some(end) = lock(&self.end).clone() {
            return end;
        }
        match () {
            () if self.control.is_paused() || self.trouble().is_some() => State::Paused,
            () if self.drain.is_cancelled() => State::Stopping,
            () => State::Running,
        }
    }

    /// Why the run waits for the disk.
    fn trouble(&self) -> Option<String> {
        match &self.written {
            Written::By(keeper) => keeper.trouble(),
            Written::Nowhere | Written::Only(_) => None,
        }
    }

    pub(super) fn progress(&self, state: State, finished_by_contestant: Vec<u64>) -> Progress {
        let finished: u64 = finished_by_contestant.iter().sum();
        let elapsed = lock(&self.clock).elapsed();
        let read = self
            .read
            .each_ref()
            .map(|read| read.load(Ordering::Relaxed));
        let work = self
            .schedule
            .get()
            .and_then(|schedule| schedule.secs_left(&finished_by_contestant));
        let total = self.plan.total_games();

        // The rate that the remaining games will have: the first games to finish are the quick ones.
        let secs = work
            .filter(|(secs, _)| 0.0 < *secs && !state.has_ended())
            .map(|(secs, _)| secs);
        let games_per_second = match secs {
            Some(secs) => {
                total.saturating_sub(finished) as f64 * self.plan.thread_count() as f64 / secs
            }
            None if elapsed.is_zero() => 0.0,
            None => finished.saturating_sub(read[0] + read[1]) as f64 / elapsed.as_secs_f64(),
        };

        let time = self
            .minutes()
            .map(|[most, passed]| Gauge::of_time(most, passed));
        Progress {
            gauges: self.watch.gauges().into_iter().chain(time).collect(),
            left: if state.has_ended() {
                None
            } else {
                self.left(work)
            },
            work: Work {
                unit: "game",
                done: finished,
                total,
                state: state.of_work(),
                trouble: self.trouble(),
                ..Work::default()
            },
            state,
            finished_by_contestant,
            read,
            elapsed,
            games_per_second,
        }
    }

    /// Begins no more batches. Those in play are finished, even if they were paused.
    pub(super) fn stop(&self) {
        self.drain.cancel();
        lock(&self.clock).go_on();
        self.control.resume();
    }

    /// The remaining work with its uncertainty, divided by the threads, ±10 % for other load on the machine.
    fn left(&self, work: Option<(f64, f64)>) -> Option<(Duration, Duration)> {
        if self.drain.is_cancelled() {
            // The games in play are anywhere between their first and their last move.
            let longest = Duration::try_from_secs_f64(self.schedule.get()?.longest_game()?)
                .unwrap_or(Duration::MAX);
            return Some((Duration::ZERO, longest));
        }
        let (secs, doubt) = work?;
        let threads = self.plan.thread_count() as f64;
        let duration =
            |secs: f64| Duration::try_from_secs_f64(secs / threads).unwrap_or(Duration::MAX);
        // By the first games alone, almost no time could be left.
        let low = (0.9 * secs - doubt).max(0.1 * secs);
        Some((duration(low), duration(1.1 * secs + doubt)))
    }
}
