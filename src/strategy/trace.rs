//! The observer interface of decisions and games.

use crate::game::{
    Board, ByMove, GameSeed, Moment, Move, Moves, Notes, Record, Rules, Seed, Spawn, Step,
};
use crate::search::{Objective, Recorder, Search, SearchOptions, SearchResult};

use super::{Player, Strategy};

/// Sees every value of decisions and every turn of games. Batches use `()`, which compiles to nothing.
pub trait Observer {
    type Recorder: Recorder + Default;

    /// Whether searches begin with empty tables, so that they visit the same nodes every time.
    const CLEAN: bool = false;

    /// Whether only the move matters, and no value.
    const IS_BLIND: bool = false;

    /// A game is about to decide. Returning `false` ends it here.
    #[inline(always)]
    fn turn(&mut self, _turn: impl FnOnce() -> Turn) -> bool {
        true
    }
    /// The recorder of the search of criterion number `row`.
    #[inline(always)]
    fn recorder(&mut self, _row: usize, _search: &Search) -> Self::Recorder {
        Self::Recorder::default()
    }
    #[inline(always)]
    fn searched(
        &mut self,
        _row: usize,
        _search: &Search,
        _objective: Objective,
        _found: &SearchResult,
        _recorder: Self::Recorder,
    ) {
    }
    /// Criterion number `row` gave `values` to the moves in `seen` and kept `kept`.
    #[inline(always)]
    fn criterion(
        &mut self,
        _row: usize,
        _seen: Moves,
        _values: impl FnOnce() -> ByMove<f64>,
        _kept: Moves,
    ) {
    }
    /// The moves that the last resort decides between.
    #[inline(always)]
    fn last_resort(&mut self, _among: Moves) {}
    #[inline(always)]
    fn moved(&mut self, _mv: Move, _spawn: impl FnOnce() -> Spawn) {}
}

impl Observer for () {
    type Recorder = ();

    const IS_BLIND: bool = true;
}

/// A position of a game in which a decision is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    pub board: Board,
    pub score: u64,
    /// Slides of this game before it.
    pub moves: u32,
    /// At least one.
    pub legal: Moves,
}

/// Stores the moves that the last resort decides between.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChoiceTrace(pub Moves);

impl ChoiceTrace {
    /// The moves that the last resort would draw from. `None` on a dead board, and if it was stopped.
    pub fn of(
        player: &Player,
        board: &Board,
        score: u64,
        options: SearchOptions<'_>,
    ) -> Option<Moves> {
        let mut trace = Self::default();
        player
            .decide(board, score, |_| 0, options, &mut trace)
            .map(|_| trace.0)
    }
}

impl Observer for ChoiceTrace {
    type Recorder = ();

    fn last_resort(&mut self, among: Moves) {
        self.0 = among;
    }
}

#[derive(Clone, Debug, Default)]
pub struct GameTrace(pub Vec<Step>);

impl Observer for GameTrace {
    type Recorder = ();

    fn moved(&mut self, mv: Move, spawn: impl FnOnce() -> Spawn) {
        self.0.push(Step { mv, spawn: spawn() });
    }
}

impl GameTrace {
    /// The positions of a game of [`Strategy::shallow`].
    pub(crate) fn shallow(rules: Rules) -> Vec<Moment> {
        let strategy = Strategy::shallow();
        Self::record(
            &Player::new(&strategy, rules),
            Seed(1),
            0,
            &strategy,
            SearchOptions::default(),
        )
        .replay()
    }

    /// The record of a game, or of its beginning if a search was stopped. Its head names `strategy`.
    pub fn record(
        player: &Player,
        seed: Seed,
        game: u64,
        strategy: &Strategy,
        options: SearchOptions<'_>,
    ) -> Record {
        let game_seed: GameSeed = player.rules().chance(seed, game);
        let mut trace = Self::default();
        player.play(&game_seed, options, &mut trace);
        Record {
            rules: player.rules(),
            seed: Some(seed.0),
            game,
            strategy: Some(strategy.to_string()),
            start: game_seed.opening(&player.rules()),
            score: 0,
            steps: trace.0,
            notes: Notes::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_the_seed_are_the_whole_game() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let rules = Rules::default();
        let record = GameTrace::record(
            &Player::new(&strategy, rules),
            Seed(5),
            3,
            &strategy,
            SearchOptions::default(),
        );
        let moves: Vec<Move> = record.steps.iter().map(|step| step.mv).collect();
        assert_eq!(
            Record::of_moves(&moves, rules, 5, 3, record.strategy.clone()),
            record
        );
    }
}
