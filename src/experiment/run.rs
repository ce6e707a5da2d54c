//! A plan at work.
//!
//! Worker threads take chunks of games, always from the strategy that is furthest behind, so that all distributions
//! grow together and can be compared while they do. A chunk is as long as some 25 ms of play, at least a game; its games and their sum
//! are handed over under a short lock of that strategy alone. Outcome `i` depends on the plan's seed and on `i`, never on
//! the thread or the chunk, so the results are the same on any number of threads, and after any pause.
//!
//! Looking is cheap: [`Run::progress`] reads counters, [`Run::snapshot`] takes a reference to each sum; the next chunk
//! copies a sum that someone still looks at instead of changing it.
//!
//! A game of a deep search may take minutes. A pause holds such a game between two moves; cancelling gives it up in its
//! middle, and nothing of it counts. Its moves are kept, because nobody wants to search them again to look at them.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::{Games, Manifest, Plan, PlanError, Play, StopRule, Summary};
use crate::game::{Move, Seed};
use crate::preset::Published;
use crate::strategy::{Outcome, Player, Strategy};
use crate::task::CancelToken;
use crate::task::{self, Gate, Threads, lock, panic_message};

/// How long a chunk should take: long enough that handing over costs nothing, short enough that bars grow smoothly.
const CHUNK_SECS: f64 = 0.025;

/// Games of the first chunk of a strategy of one ply, before its speed is known; a search begins with a single game.
const FIRST_CHUNK: u64 = 8;

/// The longest chunk, so that the copy of a chunk stays small.
const LONGEST_CHUNK: u64 = 8192;

/// Moves of searched games that are kept, of all contestants; a move is a byte.
const MOST_KEPT_MOVES: u64 = 100_000_000;

/// An experiment that is being played. Dropping it cancels it.
pub struct Run {
    shared: Arc<Shared>,
    events: Mutex<mpsc::Receiver<Event>>,
}

/// What happened since the last look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Games of a contestant were finished.
    Played {
        /// Which contestant, by its place in the plan.
        entry: usize,
        games: Range<u64>,
    },
    /// The run has ended; nothing follows.
    Ended(State),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    /// Waiting for [`Run::resume`].
    Paused,
    Done,
    /// Stopped; finished games are kept.
    Cancelled,
    /// A worker panicked: what happened, in a sentence. Finished games are kept.
    Failed(String),
}

impl State {
    /// True once nothing more will be played.
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Failed(_))
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub state: State,
    /// Games finished, of all contestants.
    pub finished: u64,
    /// Games asked for, of all contestants.
    pub total: u64,
    /// Games finished by each contestant.
    pub finished_by_entry: Vec<u64>,
    /// Time since the start, pauses left out; it stands still after the end.
    pub elapsed: Duration,
    /// Games finished per second of `elapsed`, all threads together.
    pub games_per_second: f64,
    /// A range for the time still needed; `None` until every contestant has finished a game, and after the end.
    pub left: Option<(Duration, Duration)>,
}

#[derive(Clone, Debug)]
pub struct Snapshot {
    /// How far the run is.
    pub progress: Progress,
    /// One sum per contestant, in the order of the plan.
    pub entries: Vec<EntrySnapshot>,
}

/// The sum of one contestant.
#[derive(Clone, Debug)]
pub struct EntrySnapshot {
    pub label: String,
    /// Its games so far. Two snapshots between which nothing was played share it (`Arc::ptr_eq`).
    pub summary: Arc<Summary>,
}

/// What a run left: sums, games and the way to get them again.
#[derive(Clone, Debug)]
pub struct Results {
    pub manifest: Manifest,
    /// One entry per contestant, in the order of the plan.
    pub entries: Vec<EntryResult>,
}

#[derive(Clone, Debug)]
pub struct EntryResult {
    pub strategy: Strategy,
    /// What was published about it.
    pub published: Option<Published>,
    /// The sum of its games.
    pub summary: Arc<Summary>,
    pub games: Games,
}

impl Run {
    /// Starts to play. `wake` is called from worker threads whenever there is something new to see, also at the end.
    ///
    /// # Errors
    /// The plan cannot be played, or the system gives no threads.
    pub fn start(plan: Plan, wake: impl Fn() + Send + Sync + 'static) -> Result<Self, PlanError> {
        plan.check()?;
        let players = plan.contestants.iter().map(|contestant| {
            contestant.stand_in.clone().unwrap_or_else(|| Arc::new(Player::new(&contestant.strategy, plan.rules)))
        });
        let (tell, events) = mpsc::channel();
        let entries = || plan.contestants.iter();
        let shared = Arc::new(Shared {
            players: players.collect(),
            tickets: Mutex::new(Tickets {
                next: entries().map(|_| 0).collect(),
                secs_per_game: entries().map(|_| None).collect(),
            }),
            entries: entries()
                .map(|_| Entry {
                    finished: AtomicU64::new(0),
                    sums: Mutex::new(Sums {
                        moves: HashMap::new(),
                        games: Games::unplayed(plan.games as usize),
                        summary: Arc::new(Summary::EMPTY),
                    }),
                })
                .collect(),
            kept_moves: AtomicU64::new(0),
            gate: Gate::default(),
            stop: CancelToken::new(),
            clock: Mutex::new(Clock {
                started: SystemTime::now(),
                running_since: Some(Instant::now()),
                before: Duration::ZERO,
            }),
            failure: Mutex::new(None),
            end: Mutex::new(None),
            ended: Condvar::new(),
            tell,
            wake: Box::new(wake),
            plan,
        });
        let threads = Threads { count: shared.plan.thread_count(), low_priority: shared.plan.low_priority };
        let (worker, closer) = (shared.clone(), shared.clone());
        task::spawn(threads, move || worker.work(), move |end| closer.close(end))?;
        Ok(Self { shared, events: Mutex::new(events) })
    }

    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// Lets every worker wait: after its game, or after the move that it searches.
    pub fn pause(&self) {
        // The lock keeps the end from coming in between.
        let end = lock(&self.shared.end);
        if end.is_none() && self.shared.gate.is_open() {
            self.shared.gate.pause();
            lock(&self.shared.clock).stop();
        }
    }

    /// Goes on after a pause.
    pub fn resume(&self) {
        let end = lock(&self.shared.end);
        if end.is_none() && self.shared.gate.is_paused() {
            lock(&self.shared.clock).go_on();
            self.shared.gate.resume();
        }
    }

    /// Stops; finished games are kept. Games of one ply that are being played are finished, searches are given up.
    pub fn cancel(&self) {
        self.shared.cancel();
    }

    pub fn state(&self) -> State {
        self.shared.state()
    }

    /// What happened since the last call; a window need not read them, [`snapshot`](Self::snapshot) has it all.
    pub fn events(&self) -> Vec<Event> {
        lock(&self.events).try_iter().collect()
    }

    /// How far the run is; reads counters only.
    pub fn progress(&self) -> Progress {
        let state = self.shared.state();
        self.shared.progress(state, &self.shared.finished_by_entry())
    }

    pub fn snapshot(&self) -> Snapshot {
        // Before the sums: a run that ends meanwhile must not be called done beside sums that lack its last games.
        let state = self.shared.state();
        let entries: Vec<EntrySnapshot> = self
            .shared
            .entries
            .iter()
            .zip(&self.shared.plan.contestants)
            .map(|(entry, contestant)| EntrySnapshot {
                label: contestant.strategy.label(),
                summary: lock(&entry.sums).summary.clone(),
            })
            .collect();
        let finished: Vec<u64> = entries.iter().map(|entry| entry.summary.games()).collect();
        Snapshot { progress: self.shared.progress(state, &finished), entries }
    }

    /// Outcome `index` of a contestant, if it is finished.
    pub fn game(&self, entry: usize, index: u64) -> Option<Outcome> {
        lock(&self.shared.entries.get(entry)?.sums).games.get(index)
    }

    /// The moves of game `index` of a contestant; `None` unless it is finished and was searched.
    pub fn moves(&self, entry: usize, index: u64) -> Option<Arc<[Move]>> {
        lock(&self.shared.entries.get(entry)?.sums).moves.get(&index).cloned()
    }

    /// Indices of the finished games of a contestant with a score in `scores`, in order. Goes through all games: some
    /// milliseconds for a million.
    pub fn games_in(&self, entry: usize, scores: RangeInclusive<u32>) -> Vec<u64> {
        self.shared.entries.get(entry).map_or_else(Vec::new, |entry| lock(&entry.sums).games.in_scores(scores))
    }

    /// Waits for the end, at most for `timeout`; true if it has come.
    pub fn wait_for(&self, timeout: Duration) -> bool {
        let end = lock(&self.shared.end);
        let (end, _) = self
            .shared
            .ended
            .wait_timeout_while(end, timeout, |end| end.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        end.is_some()
    }

    /// Waits for the end, however long it takes.
    pub fn wait(&self) {
        let end = lock(&self.shared.end);
        drop(self.shared.ended.wait_while(end, |end| end.is_none()).unwrap_or_else(PoisonError::into_inner));
    }

    /// Everything so far, with a copy of all games; at the end, everything there is.
    pub fn results(&self) -> Results {
        self.results_with(|games| games.clone())
    }

    /// Like [`results`](Self::results) without the copy, which in a large run is most of the memory. Ends the run, if it
    /// still plays.
    pub fn into_results(self) -> Results {
        self.cancel();
        self.wait();
        self.results_with(std::mem::take)
    }

    fn results_with(&self, games: impl Fn(&mut Games) -> Games) -> Results {
        // Before the sums, as in `snapshot`.
        let state = self.state();
        let entries: Vec<EntryResult> = self
            .shared
            .entries
            .iter()
            .zip(&self.shared.plan.contestants)
            .map(|(entry, contestant)| {
                let mut sums = lock(&entry.sums);
                EntryResult {
                    strategy: contestant.strategy.clone(),
                    published: contestant.published.clone(),
                    summary: sums.summary.clone(),
                    games: games(&mut sums.games),
                }
            })
            .collect();
        let finished = || entries.iter().map(|entry| entry.summary.games());
        let games = finished().sum();
        let stop_rule = match state {
            State::Running | State::Paused => StopRule::Running { games },
            State::Done => StopRule::AllGames,
            State::Cancelled => StopRule::Cancelled { games },
            State::Failed(message) => StopRule::Failed { games, message },
        };
        let (started, elapsed) = {
            let clock = lock(&self.shared.clock);
            (clock.started, clock.elapsed())
        };
        let manifest = Manifest::new(&self.shared.plan, started, elapsed, finished(), stop_rule);
        Results { manifest, entries }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// What the owner and the workers share.
struct Shared {
    plan: Plan,
    players: Vec<Arc<dyn Play>>,
    tickets: Mutex<Tickets>,
    entries: Vec<Entry>,
    /// How many moves of searched games are kept.
    kept_moves: AtomicU64,
    gate: Gate,
    /// Raised together with the end of the gate, for games that look at it on their way.
    stop: CancelToken,
    clock: Mutex<Clock>,
    /// The first panic, in a sentence.
    failure: Mutex<Option<String>>,
    end: Mutex<Option<State>>,
    ended: Condvar,
    tell: mpsc::Sender<Event>,
    wake: Box<dyn Fn() + Send + Sync>,
}

struct Entry {
    finished: AtomicU64,
    sums: Mutex<Sums>,
}

struct Sums {
    games: Games,
    /// Of games that were searched.
    moves: HashMap<u64, Arc<[Move]>>,
    summary: Arc<Summary>,
}

/// Which games are taken, and how long games take.
struct Tickets {
    next: Vec<u64>,
    secs_per_game: Vec<Option<f64>>,
}

struct Clock {
    started: SystemTime,
    running_since: Option<Instant>,
    before: Duration,
}

impl Clock {
    fn elapsed(&self) -> Duration {
        self.before + self.running_since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn stop(&mut self) {
        self.before = self.elapsed();
        self.running_since = None;
    }

    fn go_on(&mut self) {
        self.running_since.get_or_insert_with(Instant::now);
    }
}

impl Shared {
    /// What each worker thread does.
    fn work(&self) {
        while self.gate.pass()
            && let Some((entry, mut games)) = self.next_chunk()
        {
            while !games.is_empty() {
                if !self.gate.pass() {
                    return;
                }
                games.start += self.play_while_open(entry, games.clone());
            }
        }
    }

    /// The next games of the contestant that is furthest behind.
    fn next_chunk(&self) -> Option<(usize, Range<u64>)> {
        let mut tickets = lock(&self.tickets);
        let (entry, start) = tickets.next.iter().copied().enumerate().min_by_key(|&(_, next)| next)?;
        let left = self.plan.games - start;
        if left == 0 {
            return None;
        }
        let wanted = match tickets.secs_per_game[entry] {
            Some(secs) => ((CHUNK_SECS / secs.max(1e-9)) as u64).clamp(1, LONGEST_CHUNK),
            None if self.plan.contestants[entry].strategy.looks_ahead() => 1,
            None => FIRST_CHUNK,
        };
        // Towards the end shorter chunks, so that all threads finish together.
        let fair = left.div_ceil(2 * self.plan.thread_count() as u64);
        let end = start + wanted.min(fair);
        tickets.next[entry] = end;
        Some((entry, start..end))
    }

    /// Plays games in order until the gate closes; returns how many were finished.
    fn play_while_open(&self, entry: usize, games: Range<u64>) -> u64 {
        let player = &*self.players[entry];
        let seed = Seed(self.plan.seed);
        let mut played = Vec::with_capacity((games.end - games.start) as usize);
        let at = Cell::new(games.start);
        let held = Cell::new(Duration::ZERO);
        let started = Instant::now();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            for index in games.clone() {
                if !self.gate.is_open() {
                    break;
                }
                at.set(index);
                let mut moves = Vec::new();
                let outcome = player.play_told(seed.game(index), &self.stop, &mut |mv| {
                    moves.push(mv);
                    if !self.gate.is_open() {
                        let since = Instant::now();
                        self.gate.pass();
                        held.set(held.get() + since.elapsed());
                    }
                });
                let Some(outcome) = outcome else { break };
                played.push(outcome);
                self.keep_moves(entry, index, moves);
            }
        }));
        let finished = played.len() as u64;
        if 0 < finished {
            let worker_time = started.elapsed().saturating_sub(held.get());
            self.hand_over(entry, games.start, &played, worker_time);
        }
        if let Err(panic) = caught {
            let name = self.plan.contestants[entry].strategy.label();
            let message = panic_message(&*panic);
            self.fail(format!("{name} failed in game {}: {message}", at.get()));
        }
        finished
    }

    /// Keeps the moves of a searched game, while there is room.
    fn keep_moves(&self, entry: usize, index: u64, moves: Vec<Move>) {
        let room = self.kept_moves.fetch_add(moves.len() as u64, Ordering::Relaxed) < MOST_KEPT_MOVES;
        if room && !moves.is_empty() {
            lock(&self.entries[entry].sums).moves.insert(index, moves.into());
        }
    }

    fn hand_over(&self, entry: usize, first: u64, played: &[Outcome], worker_time: Duration) {
        let share = Summary::of_games(played, worker_time);
        {
            let mut sums = lock(&self.entries[entry].sums);
            sums.games.put(first, played);
            Arc::make_mut(&mut sums.summary).merge(&share);
        }
        let finished = played.len() as u64;
        self.entries[entry].finished.fetch_add(finished, Ordering::Relaxed);
        lock(&self.tickets).secs_per_game[entry] = Some(worker_time.as_secs_f64() / finished as f64);
        // Nobody listens any more once the run is dropped.
        let _ = self.tell.send(Event::Played { entry, games: first..first + finished });
        (self.wake)();
    }

    fn fail(&self, sentence: String) {
        lock(&self.failure).get_or_insert(sentence);
        self.cancel();
    }

    fn cancel(&self) {
        self.gate.cancel();
        self.stop.cancel();
    }

    /// Called once, when the last worker has gone home.
    fn close(&self, end: Result<(), String>) {
        if let Err(message) = end {
            self.fail(format!("a worker failed: {message}"));
        }
        let finished: u64 = self.finished_by_entry().iter().sum();
        let state = match lock(&self.failure).take() {
            Some(sentence) => State::Failed(sentence),
            None if finished == self.plan.total_games() => State::Done,
            None => State::Cancelled,
        };
        {
            let mut end = lock(&self.end);
            lock(&self.clock).stop();
            // The event first: whoever waited for the end finds it.
            let _ = self.tell.send(Event::Ended(state.clone()));
            *end = Some(state);
        }
        self.ended.notify_all();
        (self.wake)();
    }

    fn state(&self) -> State {
        if let Some(end) = lock(&self.end).clone() {
            return end;
        }
        if self.gate.is_paused() { State::Paused } else { State::Running }
    }

    fn finished_by_entry(&self) -> Vec<u64> {
        self.entries.iter().map(|entry| entry.finished.load(Ordering::Relaxed)).collect()
    }

    fn progress(&self, state: State, finished_by_entry: &[u64]) -> Progress {
        let finished = finished_by_entry.iter().sum();
        let elapsed = lock(&self.clock).elapsed();
        let seconds = elapsed.as_secs_f64();
        Progress {
            left: if state.has_ended() { None } else { self.left(finished_by_entry) },
            state,
            finished,
            total: self.plan.total_games(),
            finished_by_entry: finished_by_entry.to_vec(),
            elapsed,
            games_per_second: if 0.0 < seconds { finished as f64 / seconds } else { 0.0 },
        }
    }

    /// Remaining games of each contestant at the pace of its last chunk, shared among the threads; give or take 15 %,
    /// and more while few games are finished.
    fn left(&self, finished_by_entry: &[u64]) -> Option<(Duration, Duration)> {
        let tickets = lock(&self.tickets);
        let mut seconds = 0.0;
        for (&finished, secs_per_game) in finished_by_entry.iter().zip(&tickets.secs_per_game) {
            seconds += (self.plan.games - finished) as f64 * (*secs_per_game)?;
        }
        seconds /= self.plan.thread_count() as f64;
        let fewest = finished_by_entry.iter().copied().min()?.max(1);
        let doubt = (0.15 + 1.0 / (fewest as f64).sqrt()).min(0.9);
        let duration = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Some((duration(seconds * (1.0 - doubt)), duration(seconds * (1.0 + doubt))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::experiment::Contestant;
    use crate::game::{GameSeed, Rules};

    fn plan(letters: &[&str], games: u64, threads: usize) -> Plan {
        Plan {
            title: String::new(),
            rules: Rules::default(),
            seed: 7,
            games,
            contestants: letters.iter().map(|text| Contestant::new(text.parse().expect("a strategy"))).collect(),
            threads: Some(threads),
            low_priority: false,
        }
    }

    fn games_of(run: &Run) -> Vec<Games> {
        run.results().entries.into_iter().map(|entry| entry.games).collect()
    }

    #[test]
    fn results_are_equal_on_any_number_of_threads() {
        let runs: Vec<Run> = [1, 2, 7]
            .into_iter()
            .map(|threads| Run::start(plan(&["r", "emr", "er"], 300, threads), || {}).expect("a sound plan"))
            .collect();
        for run in &runs {
            run.wait();
            assert_eq!(run.state(), State::Done);
        }
        let first = games_of(&runs[0]);
        assert_eq!(first[1].iter().count(), 300);
        for run in &runs[1..] {
            assert!(games_of(run) == first);
            for (a, b) in run.snapshot().entries.iter().zip(runs[0].snapshot().entries) {
                assert_eq!(a.summary.scores(), b.summary.scores());
            }
        }
    }

    #[test]
    fn a_pause_changes_nothing_but_the_time() {
        let straight = Run::start(plan(&["r", "er"], 2000, 2), || {}).expect("a sound plan");
        straight.wait();
        let paused = Run::start(plan(&["r", "er"], 2000, 2), || {}).expect("a sound plan");
        for _ in 0..5 {
            paused.pause();
            std::thread::sleep(Duration::from_millis(10));
            if paused.state() == State::Paused {
                assert!(!paused.wait_for(Duration::from_millis(1)));
            }
            paused.resume();
            std::thread::sleep(Duration::from_millis(2));
        }
        paused.wait();
        assert!(games_of(&paused) == games_of(&straight));
    }

    #[test]
    fn cancelling_keeps_finished_games() {
        let run = Run::start(plan(&["emr", "r"], 1_000_000, 2), || {}).expect("a sound plan");
        while run.progress().finished < 100 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let before = run.progress();
        assert!(before.left.is_some() && before.state == State::Running);
        run.cancel();
        run.wait();
        assert_eq!(run.state(), State::Cancelled);
        let results = run.results();
        let finished: u64 = results.entries.iter().map(|entry| entry.summary.games()).sum();
        assert!(before.finished <= finished && finished < 2_000_000);
        assert_eq!(results.manifest.stop_rule, StopRule::Cancelled { games: finished });
        for entry in &results.entries {
            let again: Vec<Outcome> = entry.games.iter().map(|(_, game)| game).collect();
            assert_eq!(Summary::of_games(&again, Duration::ZERO).scores(), entry.summary.scores());
        }
        let all = run.games_in(0, 0..=u32::MAX);
        assert_eq!(all.len() as u64, results.entries[0].summary.games());
    }

    #[test]
    fn results_without_a_copy_are_the_results() {
        let run = || Run::start(plan(&["r", "er"], 200, 2), || {}).expect("a sound plan");
        let (copied, moved) = (run(), run());
        copied.wait();
        moved.wait();
        let games = |results: Results| results.entries.into_iter().map(|entry| entry.games).collect::<Vec<_>>();
        assert!(games(copied.results()) == games(moved.into_results()));
        let cut_short = Run::start(plan(&["emr"], 1_000_000, 2), || {}).expect("a sound plan").into_results();
        let entry = &cut_short.entries[0];
        assert_eq!(cut_short.manifest.stop_rule, StopRule::Cancelled { games: entry.summary.games() });
        assert_eq!(entry.games.iter().count() as u64, entry.summary.games());
    }

    #[test]
    fn the_clock_stands_still_after_the_end() {
        for _ in 0..200 {
            let run = Run::start(plan(&["r"], 4, 2), || {}).expect("a sound plan");
            run.pause();
            run.resume();
            run.wait();
            run.resume();
            run.pause();
            run.resume();
            let before = run.progress().elapsed;
            std::thread::sleep(Duration::from_micros(100));
            assert_eq!(run.progress().elapsed, before);
            assert_eq!(run.results().manifest.stop_rule, StopRule::AllGames);
        }
    }

    #[test]
    fn a_long_game_is_given_up_and_short_ones_are_kept() {
        /// Every other game lasts until it is told to stop.
        struct Endless;
        impl Play for Endless {
            fn play(&self, _: GameSeed) -> Outcome {
                Outcome { score: 8, largest: crate::game::Rank::FOUR, moves: 2 }
            }

            fn play_until(&self, seed: GameSeed, stop: &CancelToken) -> Option<Outcome> {
                if seed == Seed(7).game(0) || seed == Seed(7).game(1) {
                    return Some(self.play(seed));
                }
                while !stop.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                None
            }
        }
        let mut plan = plan(&["r"], 100, 2);
        plan.contestants[0].stand_in = Some(Arc::new(Endless));
        plan.contestants[0].strategy.criteria = vec![crate::strategy::Criterion {
            lookahead: crate::search::Lookahead::DepthLimited(Default::default()),
            ..crate::strategy::Criterion::one_ply(crate::evaluator::Evaluator::Empty)
        }];
        let run = Run::start(plan, || {}).expect("a sound plan");
        // The first chunk of a search is a single game, so that it is counted while longer ones go on.
        for _ in 0..5000 {
            if 0 < run.progress().finished {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(0 < run.progress().finished);
        let asked = Instant::now();
        run.cancel();
        assert!(run.wait_for(Duration::from_secs(10)), "the games go on");
        assert!(asked.elapsed() < Duration::from_secs(5));
        assert_eq!(run.state(), State::Cancelled);
        let kept: Vec<u64> = games_of(&run)[0].iter().map(|(index, _)| index).collect();
        assert!(kept == [0] || kept == [0, 1], "{kept:?}");
    }

    #[test]
    fn a_pause_holds_a_searched_game_between_two_moves() {
        let text = "(criteria: [(evaluator: Snake, lookahead: Expectimax(time_ms: 5))])";
        let mut plan = plan(&[text], 2, 1);
        plan.rules.stop_at = crate::game::Rank::of_tile(16);
        let run = Run::start(plan.clone(), || {}).expect("a sound plan");
        std::thread::sleep(Duration::from_millis(20));
        run.pause();
        // Both games take some hundred milliseconds, and neither ends during the pause.
        std::thread::sleep(Duration::from_millis(100));
        let before = run.progress();
        std::thread::sleep(Duration::from_secs(2));
        assert_eq!((run.state(), run.progress().finished), (State::Paused, before.finished));
        assert_eq!(run.progress().elapsed, before.elapsed);
        run.resume();
        run.wait();
        assert_eq!(run.state(), State::Done);
        let summary = run.snapshot().entries[0].summary.clone();
        assert!(summary.worker_time() < Duration::from_millis(1900), "a pause is no work");
        for index in 0..2 {
            let moves = run.moves(0, index).expect("kept");
            assert_eq!(moves.len() as u32, run.game(0, index).expect("finished").moves);
        }
        assert_eq!(run.moves(0, 2), None);
    }

    #[test]
    fn dropping_a_run_sends_the_workers_home() {
        struct Bell(Arc<AtomicBool>);
        impl Drop for Bell {
            fn drop(&mut self) {
                self.0.store(true, Ordering::SeqCst);
            }
        }
        let gone = Arc::new(AtomicBool::new(false));
        let bell = Bell(gone.clone());
        let run = Run::start(plan(&["emr"], 10_000_000, 2), move || {
            let _ = &bell;
        })
        .expect("a sound plan");
        drop(run);
        for _ in 0..500 {
            if gone.load(Ordering::SeqCst) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the workers are still there after five seconds");
    }

    #[test]
    fn a_panic_becomes_a_failed_run_with_a_sentence() {
        struct Unlucky(AtomicU64);
        impl Play for Unlucky {
            fn play(&self, _: GameSeed) -> Outcome {
                let played = self.0.fetch_add(1, Ordering::Relaxed);
                assert_ne!(played, 40, "out of luck");
                Outcome { score: 8, largest: crate::game::Rank::FOUR, moves: 2 }
            }
        }
        let mut plan = plan(&["r", "er"], 1000, 2);
        plan.contestants[1].stand_in = Some(Arc::new(Unlucky(AtomicU64::new(0))));
        let run = Run::start(plan, || {}).expect("a sound plan");
        assert!(run.wait_for(Duration::from_secs(60)), "a failed run must not hang");
        let State::Failed(sentence) = run.state() else { panic!("{:?}", run.state()) };
        assert!(sentence.starts_with("er failed in game ") && sentence.contains("out of luck"), "{sentence}");
        assert!(40 <= run.snapshot().entries[1].summary.games());
        assert!(run.events().contains(&Event::Ended(run.state())));
    }

    #[test]
    fn strategies_grow_together() {
        let run = Run::start(plan(&["r", "emr"], 4000, 1), || {}).expect("a sound plan");
        run.wait();
        let mut ahead = 0i64;
        for event in run.events() {
            if let Event::Played { entry, games } = event {
                let played = (games.end - games.start) as i64;
                ahead += if entry == 0 { played } else { -played };
                assert!(ahead.unsigned_abs() <= LONGEST_CHUNK);
            }
        }
        assert_eq!(ahead, 0);
    }

    #[test]
    fn impossible_plans_are_refused() {
        for (plan, words) in [
            (plan(&[], 10, 1), "no strategy"),
            (plan(&["r"], 0, 1), "0 games"),
            (plan(&["r"], 11_000_000, 1), "too many"),
            (plan(&["r"], 10, 0), "0 threads"),
        ] {
            let error = Run::start(plan, || {}).err().expect("refused");
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
