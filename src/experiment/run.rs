//! Runs a plan.
//!
//! Workers take batches of games from a [`Schedule`](super::Schedule) and pass outcomes to
//! [`InMemory`](super::InMemory). Outcome `i` depends only on the seed and on `i`, so results are the same on any
//! number of threads.
//!
//! [`Run::snapshot`] shares each summary; while a snapshot is alive, the next batch copies it.
//!
//! *Pause* interrupts a searched game between two moves, *Stop* lets it finish, *Cancel* abandons it. The moves of
//! searched games are saved.

use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::manifest::Results;
use super::workers::{Progress, Shared, Snapshot, State, Written};
use super::{Games, InMemory, Keeper, Plan, PlanError, RunFolder};
use crate::strategy::Outcome;
use crate::task::{self, Threads, lock};

/// An experiment that is running. Dropping it cancels it.
pub struct Run {
    shared: Arc<Shared>,
}

impl Run {
    /// Starts to play. Worker threads call `wake` whenever there is news, including the end.
    pub fn start(plan: Plan, wake: impl Fn() + Send + Sync + 'static) -> Result<Self, PlanError> {
        plan.check()?;
        plan.check_to_play()?;
        Games::check_room(&plan)?;
        Self::work(Arc::new(Shared::new(plan, Written::Nowhere, wake)))
    }

    /// Like `start`, in a folder: its games are not played again, and new games are written there as
    /// they end.
    pub fn start_in(
        folder: RunFolder,
        plan: Plan,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, PlanError> {
        plan.check()?;
        plan.check_to_play()?;
        Games::check_room(&plan)?;
        let keeper = Keeper::begin(folder, &plan)?;
        Self::work(Arc::new(Shared::new(plan, Written::By(keeper), wake)))
    }

    /// Opens a folder without playing. [`go_on`](Self::go_on) plays the rest.
    pub fn open(
        folder: &RunFolder,
        plan: Plan,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, PlanError> {
        plan.check()?;
        Games::check_room(&plan)?;
        let shared = Shared::new(plan, Written::Only(folder.path().to_owned()), wake);
        shared.drain.cancel();
        if folder.end_reason()?.caution().is_some() {
            shared.cancel();
        }
        Self::work(Arc::new(shared))
    }

    /// Plays the remaining games of this stopped run. The new run has the finished games of both.
    pub fn go_on(&self, wake: impl Fn() + Send + Sync + 'static) -> Result<Self, PlanError> {
        self.plan().check_to_play()?;
        let folder = self.folder().map(RunFolder::open).transpose()?;
        // A folder records the files that were used. A run that was opened from it may have been opened after they
        // changed.
        let changed = match &folder {
            Some(folder) => folder
                .arms()
                .iter()
                .find(|arm| arm.is_changed())
                .map(|arm| &arm.strategy),
            None => self.shared.changed().map(|one| &one.strategy),
        };
        if let Some(strategy) = changed {
            return Err(PlanError::Changed {
                name: strategy.label(),
            });
        }
        let written = match folder {
            Some(folder) => Written::By(Keeper::begin(folder, self.plan())?),
            None => Written::Nowhere,
        };
        Self::work(Arc::new(Shared::after(&self.shared, written, wake)))
    }

    /// The folder that games are written into.
    pub fn folder(&self) -> Option<&Path> {
        match &self.shared.written {
            Written::Nowhere => None,
            Written::Only(folder) => Some(folder),
            Written::By(keeper) => Some(keeper.path()),
        }
    }

    /// What to take care of while games are written into a folder on a file system without locks.
    pub fn warning(&self) -> Option<&str> {
        match &self.shared.written {
            Written::By(keeper) => keeper.warning(),
            Written::Nowhere | Written::Only(_) => None,
        }
    }

    /// A finished run with these games and this duration.
    pub(super) fn of_games(
        plan: Plan,
        games: &[Vec<(u64, Outcome)>],
        elapsed: Duration,
    ) -> Result<Self, PlanError> {
        plan.check()?;
        Ok(Self {
            shared: Arc::new(Shared::of_games(plan, games, elapsed)),
        })
    }

    /// Shows the strategies of several runs together under these names. It shares their games, including new ones, and
    /// plays none itself. The plan is that of the first run except for the strategies. `None` without a run.
    pub fn side_by_side(runs: &[&Self], names: &[String]) -> Option<Self> {
        let all = runs.iter().flat_map(|run| &run.plan().contestants).cloned();
        let named = all.zip(names).map(|(mut contestant, name)| {
            contestant.strategy.name.clone_from(name);
            contestant
        });
        let plan = Plan {
            contestants: named.collect(),
            ..runs.first()?.plan().clone()
        };
        let sinks: Vec<&InMemory> = runs.iter().map(|run| &**run.games()).collect();
        let shared = Shared::of_others(plan, Arc::new(InMemory::side_by_side(&sinks)));
        Some(Self {
            shared: Arc::new(shared),
        })
    }

    fn work(shared: Arc<Shared>) -> Result<Self, PlanError> {
        let threads = Threads {
            count: shared.plan.thread_count(),
            low_priority: shared.plan.low_priority,
        };
        let (worker, closer) = (shared.clone(), shared.clone());
        task::spawn(threads, move || worker.work(), move |end| closer.close(end))?;
        Ok(Self { shared })
    }

    pub fn plan(&self) -> &Plan {
        &self.shared.plan
    }

    /// Pauses every worker after its game, or after the move that it searches.
    pub fn pause(&self) {
        // The lock prevents the end from coming in between.
        let end = lock(&self.shared.end);
        if end.is_none() && self.shared.control.is_open() {
            self.shared.control.pause();
            lock(&self.shared.clock).stop();
        }
    }

    pub fn resume(&self) {
        let end = lock(&self.shared.end);
        if end.is_none() && self.shared.control.is_paused() {
            lock(&self.shared.clock).go_on();
            self.shared.control.resume();
        }
    }

    /// Whether it was paused, and can be resumed.
    pub fn is_paused(&self) -> bool {
        self.shared.control.is_paused()
    }

    /// Begins no more games. The run ends when those in play are finished; without them the summaries would lack long
    /// games.
    pub fn stop(&self) {
        let end = lock(&self.shared.end);
        if end.is_none() {
            self.shared.stop();
        }
    }

    /// Stops at once. Finished games are saved. Games of one ply in play are finished, searches are abandoned.
    pub fn cancel(&self) {
        self.shared.cancel();
    }

    pub fn state(&self) -> State {
        self.shared.state()
    }

    /// The progress of the run. Reads counters only.
    pub fn progress(&self) -> Progress {
        let state = self.shared.state();
        self.shared.progress(state, self.shared.sink.finished())
    }

    pub fn snapshot(&self) -> Snapshot {
        // Read before the summaries: a run that ends in between must not be called done if its last games are missing.
        let state = self.shared.state();
        let finished = self.shared.sink.finished();
        let (progress, summaries) = (
            self.shared.progress(state, finished),
            self.shared.sink.summaries(),
        );
        Snapshot {
            progress,
            summaries,
            planned: self.plan().planned(),
        }
    }

    pub fn games(&self) -> &Arc<InMemory> {
        &self.shared.sink
    }

    /// Waits for the end, at most for `timeout`. Returns whether it has come.
    pub fn wait_for(&self, timeout: Duration) -> bool {
        let end = lock(&self.shared.end);
        let (end, _) = self
            .shared
            .ended
            .wait_timeout_while(end, timeout, |end| end.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        end.is_some()
    }

    /// Waits for the end without a time limit.
    pub fn wait(&self) {
        let end = lock(&self.shared.end);
        drop(
            self.shared
                .ended
                .wait_while(end, |end| end.is_none())
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// All results so far with a copy of all games; at the end, the final results.
    pub fn results(&self) -> Results {
        self.results_elsewhere()()
    }

    /// Like `results`, but copies later, in portions, wherever the returned function is called.
    pub fn results_elsewhere(&self) -> impl FnOnce() -> Results + Send + use<> {
        let shared = self.shared.clone();
        move || shared.results_with(InMemory::copied)
    }

    /// Like [`results`](Self::results), without the copy, which takes most of the memory of a large run. Ends the run.
    pub fn into_results(self) -> Results {
        self.cancel();
        self.wait();
        self.shared.results_with(InMemory::taken)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::time::Instant;

    use super::*;
    use crate::experiment::{
        Contestant, Decided, EndReason, FULL, Play, Summary, set_full_for_games,
    };
    use crate::files::Patience;
    use crate::game::{GameSeed, Rules, Seed};
    use crate::strategy::Finish;
    use crate::task::CancelToken;

    fn plan(letters: &[&str], games: u64, threads: usize) -> Plan {
        Plan {
            title: String::new(),
            rules: Rules::default(),
            seed: 7,
            games,
            part: None,
            until: Vec::new(),
            contestants: letters
                .iter()
                .map(|text| Contestant::new(text.parse().expect("a strategy")))
                .collect(),
            sweep: None,
            threads: Some(threads),
            low_priority: false,
        }
    }

    fn games_of(run: &Run) -> Vec<Games> {
        run.results()
            .contestants
            .into_iter()
            .map(|contestant| contestant.games)
            .collect()
    }

    fn finish(score: u32) -> Finish {
        let outcome = Outcome {
            score,
            largest: crate::game::Rank::FOUR,
            moves: score,
        };
        Finish {
            outcome,
            board: crate::game::Board::EMPTY,
            nodes: 0,
        }
    }

    /// The summary of the games up to the first missing one.
    fn complete(games: &Games) -> Summary {
        let outcomes: Vec<Outcome> = (0..).map_while(|index| games.get(index)).collect();
        Summary::of_games(&outcomes, Duration::ZERO)
    }

    /// A file that changes during a run changes neither its games nor the recorded hash.
    #[test]
    fn a_manifest_names_the_files_that_were_played_by() {
        use crate::network::{Encoding, Network, NetworkInfo, Shape};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.net");
        let write = |weight: f32| {
            let shape: Shape = "0123 5a".parse().expect("a shape");
            let weights = vec![weight; shape.weights() as usize];
            let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
            network
                .write(&path, Encoding::Whole)
                .expect("writable")
                .sha256
        };
        let sha256 = write(1.0);
        let text = format!(
            "(criteria: [(evaluator: Network({:?}))])",
            path.to_str().expect("UTF-8")
        );
        let plan = plan(&[&text], 400, 1);
        let (written_sha256, before) = (
            plan.contestants[0].strategy.sha256(),
            plan.contestants[0].strategy.hash().to_string(),
        );
        let run = Run::start(plan.clone(), || {}).expect("sound");
        assert_ne!(write(2.0), sha256);
        run.wait();

        match run.state() {
            // It was changed before the first game.
            State::Failed(reason) => assert!(
                reason.contains("has changed since the run began"),
                "{reason}"
            ),
            state => {
                assert_eq!(state, State::Done);
                let record = run.results().manifest.strategies.remove(0);
                assert_eq!((record.sha256, record.hash), (Some(written_sha256), before));
                assert_eq!(
                    record.files.first().map(|file| file.sha256),
                    Some(sha256.parse().ok())
                );
            }
        }

        // A damaged file is refused before a worker begins.
        let bytes = std::fs::read(&path).expect("readable");
        std::fs::write(&path, &bytes[..bytes.len() - 1]).expect("writable");
        let refused = Run::start(plan, || {}).err().expect("damaged").to_string();
        assert!(
            refused.contains("one.net: this network is damaged ("),
            "{refused}"
        );
    }

    #[test]
    fn results_are_equal_on_any_number_of_threads() {
        let runs: Vec<Run> = [1, 2, 7]
            .into_iter()
            .map(|threads| {
                Run::start(plan(&["r", "emr", "er"], 300, threads), || {}).expect("a sound plan")
            })
            .collect();
        for run in &runs {
            run.wait();
            assert_eq!(run.state(), State::Done);
        }
        let first = games_of(&runs[0]);
        assert_eq!(first[1].iter().count(), 300);

        for run in &runs[1..] {
            assert!(games_of(run) == first);
            for (a, b) in run
                .snapshot()
                .summaries
                .iter()
                .zip(runs[0].snapshot().summaries)
            {
                assert_eq!(a.scores, b.scores);
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
        while run.progress().work.done < 100 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let before = run.progress();
        assert!(before.left.is_some() && before.state == State::Running);
        run.cancel();
        run.wait();
        assert_eq!(run.state(), State::Cancelled);
        let results = run.results();
        let finished: u64 = results
            .contestants
            .iter()
            .map(|contestant| contestant.games.iter().count() as u64)
            .sum();
        assert!(before.work.done <= finished && finished < 2_000_000);
        assert_eq!(
            results.manifest.end_reason,
            EndReason::Cancelled { games: finished }
        );

        for contestant in &results.contestants {
            assert_eq!(
                complete(&contestant.games).scores,
                contestant.summary.scores
            );
        }
        let all = run.games().games_in(0, 0..=u32::MAX);
        assert_eq!(all.len() as u64, results.contestants[0].summary.games());
    }

    #[test]
    fn a_stopped_run_goes_on_and_finds_what_it_would_have_found() {
        let whole = Run::start(plan(&["emr", "r"], 3000, 2), || {}).expect("a sound plan");
        whole.wait();
        let mut run = Run::start(plan(&["emr", "r"], 3000, 2), || {}).expect("a sound plan");
        for finished in [200, 900] {
            while run.progress().work.done < finished {
                std::thread::sleep(Duration::from_millis(1));
            }
            run.cancel();
            run.wait();
            let before = run.progress();
            run = run.go_on(|| {}).expect("a sound plan");
            assert!(
                before.work.done <= run.progress().work.done
                    && before.elapsed <= run.progress().elapsed
            );
        }
        run.wait();
        assert_eq!(run.state(), State::Done);
        assert!(games_of(&run) == games_of(&whole));

        let scores = |run: &Run| {
            run.snapshot()
                .summaries
                .iter()
                .map(|summary| summary.scores.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(scores(&run), scores(&whole));
    }

    #[test]
    fn a_run_fails_when_the_disk_stays_full_and_is_resumed() {
        // An unwritable journal stands for a full disk.
        let full = Path::new(FULL);
        if !full.exists() {
            println!("skipped: there is no {FULL} here");
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let plan = plan(&["r", "er"], 300, 2);
        let opened = || RunFolder::of_plan(folder.path(), &plan).expect("a folder");
        let patience = Patience(Some(Duration::from_millis(20)));
        set_full_for_games(true);
        let run =
            Run::start_in(opened().waiting(patience), plan.clone(), || {}).expect("a sound plan");
        set_full_for_games(false);
        run.wait();
        let State::Failed(sentence) = run.state() else {
            panic!("{:?}", run.state())
        };
        let path = folder.path().display();
        // On the second attempt the device reports a different error than a disk does.
        let [begin, end] = [
            format!("{path}: no games could be saved for 1 s ("),
            "): make room on the disk and run the same command again to resume".to_owned(),
        ];
        assert!(
            sentence.starts_with(&begin) && sentence.ends_with(&end),
            "{sentence}"
        );
        drop(run);

        let resumed = Run::start_in(opened(), plan.clone(), || {}).expect("a sound plan");
        resumed.wait();
        assert_eq!(resumed.state(), State::Done);
        let whole = Run::start(plan, || {}).expect("a sound plan");
        whole.wait();
        assert!(games_of(&resumed) == games_of(&whole));
    }

    #[test]
    fn results_without_a_copy_are_the_results() {
        let run = || Run::start(plan(&["r", "er"], 200, 2), || {}).expect("a sound plan");
        let (copied, moved) = (run(), run());
        copied.wait();
        moved.wait();
        let games = |results: Results| {
            results
                .contestants
                .into_iter()
                .map(|contestant| contestant.games)
                .collect::<Vec<_>>()
        };
        assert!(games(copied.results()) == games(moved.into_results()));
        let cut_short = Run::start(plan(&["emr"], 1_000_000, 2), || {})
            .expect("a sound plan")
            .into_results();
        let contestant = &cut_short.contestants[0];
        let finished = contestant.games.iter().count() as u64;
        assert_eq!(
            cut_short.manifest.end_reason,
            EndReason::Cancelled { games: finished }
        );
        assert!(contestant.summary.games() <= finished);
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
            assert_eq!(run.results().manifest.end_reason, EndReason::AllGames);
        }
    }

    #[test]
    fn a_long_game_is_given_up_and_short_ones_are_kept() {
        /// Every other game lasts until it is stopped.
        #[derive(Debug)]
        struct Endless;
        impl Play for Endless {
            fn play_told(
                &self,
                seed: GameSeed,
                stop: &CancelToken,
                _: &mut dyn FnMut(Decided),
            ) -> Option<Finish> {
                if seed == Seed(7).game(0) || seed == Seed(7).game(1) {
                    return Some(finish(8));
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
        // The first batch of a search is a single game, so it is counted while longer ones are still in play.
        let late = Instant::now() + Duration::from_secs(60);
        while run.progress().work.done == 0 {
            assert!(Instant::now() < late, "no game ends");
            std::thread::sleep(Duration::from_millis(1));
        }
        run.cancel();
        assert!(run.wait_for(Duration::from_secs(1000)), "the games go on");
        assert_eq!(run.state(), State::Cancelled);
        let indices: Vec<u64> = games_of(&run)[0].iter().map(|(index, _)| index).collect();
        assert!(indices == [0] || indices == [0, 1], "{indices:?}");
    }

    /// Plays for as long as its score says: a third of the games is short, the others are long.
    #[derive(Debug)]
    struct Slow;

    impl Slow {
        const MEAN: f64 = (4.0 + 2.0 * 28.0) / 3.0;

        /// Score of a game, and its time in milliseconds.
        fn score(seed: GameSeed) -> u32 {
            let place = (0..3000)
                .find(|&index| Seed(7).game(index) == seed)
                .expect("a game of the run");
            // Long and short games follow no pattern.
            if place * 2_654_435_761 % 4_294_967_296 < 4_294_967_296 / 3 {
                4
            } else {
                28
            }
        }
    }

    impl Play for Slow {
        fn play_told(
            &self,
            seed: GameSeed,
            stop: &CancelToken,
            _: &mut dyn FnMut(Decided),
        ) -> Option<Finish> {
            let score = Self::score(seed);
            for _ in 0..score {
                std::thread::sleep(Duration::from_millis(1));
                if stop.is_cancelled() {
                    return None;
                }
            }
            Some(finish(score))
        }
    }

    /// A run of such games on eight threads. A search begins with single games.
    fn slow() -> Run {
        let mut plan = plan(&["r"], 3000, 8);
        plan.contestants[0].stand_in = Some(Arc::new(Slow));
        plan.contestants[0].strategy.criteria = vec![crate::strategy::Criterion {
            lookahead: crate::search::Lookahead::DepthLimited(Default::default()),
            ..crate::strategy::Criterion::one_ply(crate::evaluator::Evaluator::Empty)
        }];
        Run::start(plan, || {}).expect("a sound plan")
    }

    #[test]
    fn a_stop_lets_games_in_play_end_and_does_not_prefer_short_ones() {
        let (mut stopped, mut cancelled) = (Vec::new(), Vec::new());
        for after in (10..50).step_by(2) {
            let runs = [slow(), slow()];
            std::thread::sleep(Duration::from_millis(after));
            runs[0].stop();
            runs[1].cancel();
            runs.iter().for_each(Run::wait);
            assert_eq!(
                runs.each_ref().map(Run::state),
                [State::Stopped, State::Cancelled]
            );
            let [whole, cut] = runs
                .each_ref()
                .map(|run| run.snapshot().summaries[0].clone());
            let games = &games_of(&runs[0])[0];
            assert_eq!(complete(games).scores, whole.scores);
            assert_eq!(
                games.iter().count() as u64,
                whole.games(),
                "there is no hole"
            );
            stopped.push(whole);
            let EndReason::Cancelled { .. } = runs[1].results().manifest.end_reason else {
                panic!("abandoned")
            };
            cancelled.push((cut, games_of(&runs[1])));
        }

        let mean = |sums: &[Arc<Summary>]| {
            let (scores, games) = sums.iter().fold((0.0, 0.0), |(scores, games), sum| {
                let n = sum.games() as f64;
                (scores + n * sum.scores.mean().unwrap_or(0.0), games + n)
            });
            scores / games
        };

        // About 500 games with a deviation of 11.3: three standard errors are 1.5.
        let found = mean(&stopped);
        assert!(
            (found - Slow::MEAN).abs() < 1.5,
            "{found} for {}",
            Slow::MEAN
        );
        let all: Vec<f64> = cancelled
            .iter()
            .flat_map(|(_, games)| {
                games[0]
                    .iter()
                    .map(|(_, game)| f64::from(game.score))
                    .collect::<Vec<f64>>()
            })
            .collect();
        let biased = all.iter().sum::<f64>() / all.len() as f64;
        assert!(
            biased < Slow::MEAN - 1.5,
            "what is cut off are the long ones: {biased}"
        );
    }

    #[test]
    fn a_paused_run_stops_and_a_stopping_one_can_be_cut_short() {
        let run = slow();
        std::thread::sleep(Duration::from_millis(15));
        run.pause();
        run.stop();
        assert!(run.wait_for(Duration::from_secs(1000)), "it is not paused");
        assert_eq!(run.state(), State::Stopped);
        let run = slow();
        std::thread::sleep(Duration::from_millis(6));
        run.stop();
        assert_eq!(run.state(), State::Stopping);
        run.cancel();
        run.wait();
        assert_eq!(run.state(), State::Cancelled);
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
        assert_eq!(
            (run.state(), run.progress().work.done),
            (State::Paused, before.work.done)
        );
        assert_eq!(run.progress().elapsed, before.elapsed);
        run.resume();
        run.wait();
        assert_eq!(run.state(), State::Done);
        let summary = run.snapshot().summaries[0].clone();
        assert!(
            summary.cost.time < Duration::from_millis(1900),
            "a pause is no work"
        );

        for index in 0..2 {
            let moves = run.games().moves(0, index).expect("kept");
            assert_eq!(
                moves.len() as u32,
                run.games().game(0, index).expect("finished").moves
            );
        }
        assert_eq!(run.games().moves(0, 2), None);
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
        #[derive(Debug)]
        struct Unlucky(AtomicU64);
        impl Play for Unlucky {
            fn play_told(
                &self,
                _: GameSeed,
                _: &CancelToken,
                _: &mut dyn FnMut(Decided),
            ) -> Option<Finish> {
                let played = self.0.fetch_add(1, Ordering::Relaxed);
                assert_ne!(played, 40, "out of luck");
                Some(finish(8))
            }
        }

        let mut plan = plan(&["r", "er"], 1000, 2);
        plan.contestants[1].stand_in = Some(Arc::new(Unlucky(AtomicU64::new(0))));
        let run = Run::start(plan, || {}).expect("a sound plan");
        assert!(
            run.wait_for(Duration::from_secs(1000)),
            "a failed run must not hang"
        );
        let State::Failed(sentence) = run.state() else {
            panic!("{:?}", run.state())
        };
        assert!(
            sentence.starts_with("er failed in game ") && sentence.contains("out of luck"),
            "{sentence}"
        );
        assert!(40 <= run.progress().finished_by_contestant[1]);
        assert_eq!(
            run.snapshot().summaries[1].scores,
            complete(&games_of(&run)[1]).scores
        );
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
    #[test]
    fn a_stop_rule_leaves_the_same_games_on_any_number_of_threads() {
        let ruled = |threads: usize, rule: &str| {
            let until = vec![rule.parse().expect("a rule")];
            let run = Run::start(
                Plan {
                    until,
                    ..plan(&["er", "emr"], 20_000, threads)
                },
                || {},
            )
            .expect("a sound plan");
            run.wait();
            run
        };
        for rule in ["half-width=3%", "sprt=0..400", "sprt=0.5..0.7,reach=256"] {
            let runs = [1, 2, 7].map(|threads| ruled(threads, rule));
            let State::RuleMet {
                sentence,
                each: Some(each),
            } = runs[0].state()
            else {
                panic!("{rule}: {:?}", runs[0].state())
            };
            let first = games_of(&runs[0]);
            let count = first[0].iter().count();
            assert!(
                each == count as u64 && count < 20_000 && first[1].iter().count() == count,
                "{rule}: {count}"
            );
            for run in &runs {
                assert_eq!(
                    run.state(),
                    State::RuleMet {
                        sentence: sentence.clone(),
                        each: Some(each)
                    }
                );
                assert!(games_of(run) == first, "{rule}");
                let snapshot = run.snapshot();
                assert_eq!(snapshot.progress.work.done, 2 * count as u64);
                assert!(
                    snapshot
                        .summaries
                        .iter()
                        .all(|summary| summary.games() == count as u64)
                );
                let results = run.results();
                let end = EndReason::RuleMet {
                    games: 2 * each,
                    each: Some(each),
                    sentence: sentence.clone(),
                };
                assert_eq!(results.manifest.end_reason, end);
                // A rule that checks scores to end a run has no planned look.
                assert!(
                    results
                        .interval_sentence()
                        .is_some_and(|promise| promise.contains("valid at any time"))
                );
            }
        }
    }

    #[test]
    fn a_strategy_that_stands_twice_is_played_once() {
        let mut twice = plan(&["er", "emr", "er"], 300, 2);
        twice.contestants[2].strategy.name = "again".to_owned();
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("run");
        let run = Run::start_in(
            RunFolder::of_plan(&path, &twice).expect("a folder"),
            twice.clone(),
            || {},
        );
        let run = run.expect("a sound plan");
        run.wait();
        let games = games_of(&run);
        assert!(run.state() == State::Done && games[0] == games[2] && games[0] != games[1]);
        drop(run);
        let folder = RunFolder::open(&path).expect("a folder");
        assert_eq!(
            folder
                .manifest
                .history
                .iter()
                .map(|stint| stint.games)
                .sum::<u64>(),
            600
        );
        assert!(
            folder
                .manifest
                .strategies
                .iter()
                .all(|record| record.finished == 300)
        );

        let read = Run::start_in(folder, twice, || {}).expect("a sound plan");
        read.wait();
        assert!(games_of(&read) == games && read.progress().read == [900, 0]);
    }

    #[test]
    fn minutes_end_a_run_as_stop_does() {
        let until = vec!["minutes=0.01".parse().expect("a rule")];
        let run = Run::start(
            Plan {
                until,
                ..plan(&["emr", "r"], 500_000, 2)
            },
            || {},
        )
        .expect("a sound plan");
        assert!(run.wait_for(Duration::from_secs(1000)));
        let State::RuleMet {
            sentence,
            each: None,
        } = run.state()
        else {
            panic!("{:?}", run.state())
        };
        assert!(
            sentence.starts_with("stopped by the time limit of 0.01 min"),
            "{sentence}"
        );
        let results = run.results();
        for contestant in &results.contestants {
            // No holes: the games in play were finished.
            assert_eq!(
                contestant.games.iter().count() as u64,
                contestant.summary.games()
            );
        }
        let before = run.progress().work.done;
        let on = run.go_on(|| {}).expect("a sound plan");
        assert!(on.wait_for(Duration::from_secs(1000)));
        assert!(
            before < on.progress().work.done
                && matches!(on.state(), State::RuleMet { each: None, .. })
        );
    }

    #[test]
    fn a_rule_that_is_never_met_plays_all_games_and_one_of_a_part_is_refused() {
        let until = vec!["half-width=0.5".parse().expect("a rule")];
        let whole = Plan {
            until,
            ..plan(&["er", "emr"], 300, 2)
        };
        let run = Run::start(whole.clone(), || {}).expect("a sound plan");
        run.wait();
        assert_eq!(run.state(), State::Done);
        assert!(
            run.results().interval_sentence().is_some(),
            "each look could have been the last"
        );
        let part = Plan {
            part: Some(0..100),
            ..whole
        };
        let refused = part.check().expect_err("a part").to_string();
        assert!(
            refused.contains("half-width=0.5 needs all games"),
            "{refused}"
        );
    }
}
