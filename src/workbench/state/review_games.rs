//! Background review of many games of a run: their moves, saved reviews, and pausing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::experiment::{Dealt, InMemory};
use crate::game::{Record, Seed};
use crate::review::{
    ChanceThresholds, Decider, Judge, Review, ReviewError, ReviewFolder, Session, Thresholds,
    Unsaved,
};
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, Player, Strategy};
use crate::task::{Control, Job, threads_for_window};
use crate::words;

/// Interval between progress reports. Each copies all results so far.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(300);

/// The games of one strategy of a run.
pub(super) struct Source {
    /// Index of the strategy in the run.
    pub(super) place: usize,
    pub(super) strategy: Strategy,
    pub(super) dealt: Dealt,
    pub(super) folder: Option<ReviewFolder>,
}

impl Source {
    /// A game with its moves: the saved ones, or else replayed if the strategy takes no time.
    fn record(&self, games: &InMemory, player: &Player, index: u64) -> Option<Record> {
        let Dealt { rules, seed, .. } = self.dealt;
        match games.moves(self.place, index) {
            Some(moves) => Some(Record::of_moves(
                &moves,
                rules,
                seed,
                index,
                Some(self.strategy.to_string()),
            )),
            None if self.strategy.takes_time() => None,
            None => Some(GameTrace::record(
                player,
                Seed(seed),
                index,
                &self.strategy,
                SearchOptions::default(),
            )),
        }
    }
}

/// Games, each with the index of its strategy in the run.
pub(super) type GamesOfPlaces = HashSet<(usize, u64)>;

/// What a worker needs to judge games of a run.
pub(super) struct GamesAsked {
    /// The number of the run, and its title.
    pub(super) runs: u64,
    pub(super) title: String,
    pub(super) games: Arc<InMemory>,
    /// At least one, all with the same rules.
    pub(super) sources: Vec<Source>,
    pub(super) indices: Vec<u64>,
    /// The subset of games to judge; `None` for all.
    pub(super) only: Option<GamesOfPlaces>,
    pub(super) judge: Strategy,
    /// The chance that classes moves besides points.
    pub(super) chance: Option<ChanceThresholds>,
    pub(super) unkept: Unsaved,
}

/// A completely judged game of a run.
pub(super) struct JudgedGame<'a> {
    /// Index of its source in `GamesAsked::sources`.
    pub(super) source: usize,
    pub(super) index: u64,
    pub(super) title: String,
    pub(super) review: &'a Review,
}

/// A game as passed to the caller of `GamesAsked::go`.
pub(super) enum GameOfRun<'a> {
    Judged(JudgedGame<'a>),
    /// Its moves were not saved, and a replay would take time.
    WithoutMoves,
}

impl GamesAsked {
    /// Begins to count the games.
    pub(super) fn begin(&self, control: &Control) {
        let games = self
            .only
            .as_ref()
            .map_or(self.indices.len() * self.sources.len(), HashSet::len);
        control.begin("", "game", games as u64);
    }

    pub(super) fn judge(&self) -> Result<Arc<Judge>, String> {
        Judge::of(&self.judge, self.sources[0].dealt.rules)
            .map(Arc::new)
            .map_err(|error| error.to_string())
    }

    /// The players in the order of the sources.
    pub(super) fn players(&self) -> Result<Vec<Arc<Decider>>, String> {
        let rules = self.sources[0].dealt.rules;
        let player = |source: &Source| Decider::new(&source.strategy, rules).map(Arc::new);
        self.sources
            .iter()
            .map(player)
            .collect::<Result<_, _>>()
            .map_err(|error| error.to_string())
    }

    /// Judges each game for all strategies before the next one, so that partial results stay comparable. `each` returns
    /// whether to continue, and reports the game as done.
    pub(super) fn go<T: Send + Sync>(
        &self,
        job: &Job<T>,
        judge: &Arc<Judge>,
        players: &[Arc<Decider>],
        mut each: impl FnMut(GameOfRun<'_>) -> Result<bool, String>,
    ) -> Result<(), String> {
        let (rules, control) = (judge.rules(), job.control());
        let replaying: Vec<Player> = self
            .sources
            .iter()
            .map(|source| Player::new(&source.strategy, rules))
            .collect();

        for &index in &self.indices {
            for (number, source) in self.sources.iter().enumerate() {
                if self
                    .only
                    .as_ref()
                    .is_some_and(|only| !only.contains(&(source.place, index)))
                {
                    continue;
                }
                if !control.pass() {
                    return Ok(());
                }
                let Some(record) = source.record(&self.games, &replaying[number], index) else {
                    if each(GameOfRun::WithoutMoves)? {
                        continue;
                    }
                    return Ok(());
                };
                let session = Session {
                    folder: source.folder.clone(),
                    ..self.session(judge, None)
                };
                let review = self.judged(control, &session, record, &players[number])?;
                if job.is_cancelled() || review.totals().is_err() {
                    return Ok(());
                }
                let title = format!("{}, game {}", source.strategy.label(), words::count(index));
                if !each(GameOfRun::Judged(JudgedGame {
                    source: number,
                    index,
                    title,
                    review: &review,
                }))? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// How all games are judged; each is saved in the folder of its source.
    pub(super) fn session(&self, judge: &Arc<Judge>, thresholds: Option<Thresholds>) -> Session {
        let unsaved = self.unkept.clone();
        Session {
            unsaved,
            chance: self.chance,
            thresholds,
            ..Session::of(judge.clone(), threads_for_window())
        }
    }

    /// Judges one game, starting from its saved review.
    fn judged(
        &self,
        control: &Control,
        session: &Session,
        record: Record,
        player: &Decider,
    ) -> Result<Review, String> {
        let game = words::count(record.game);
        let failed = |error: ReviewError| format!("game {game}: {error}");
        let mut review = session.review(record, control.token()).map_err(failed)?;
        if let Some(folder) = &session.folder {
            // An unreadable file is judged again and replaced.
            let _ = folder.read_into(&mut review, Some(player));
        }

        session
            .go_on(&mut review, Some(player), &control.of_step(), &mut |_| {})
            .map_err(failed)?;
        Ok(review)
    }
}
