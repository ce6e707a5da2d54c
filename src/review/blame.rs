//! Finds the row of the player that decided a move.
//!
//! For a move with a loss it is the row that dropped the judge's best move; later rows chose among others. For a move
//! without a loss it is the row after which no other move was left.

use crate::game::{Board, ByMove, Moment, Move, Moves, Record, Rules};
use crate::search::SearchOptions;
use crate::strategy::{Observer, Player, Strategy, StrategyError};
use crate::task::CancelToken;

/// The reason why a player played a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Blame {
    /// The row, from 0, that dropped the other move.
    Row(u8),
    /// Every row kept the other move as well.
    LastResort,
    /// The strategy does not play this move: another player did, or a time limit ended its search at another point.
    Another,
}

/// The row that dropped each move of a turn, the last resort for moves that all rows kept. Another player for moves
/// that are not legal, and for all moves if the strategy does not play the move of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fallen(pub(super) ByMove<Blame>);

impl Fallen {
    /// What decided for `mv` and against `best`, or against all others if the two are equal.
    pub fn blame(&self, mv: Move, best: Move) -> Blame {
        if best != mv {
            return self.0[best];
        }
        let others = Move::ALL
            .into_iter()
            .filter(|&other| other != mv)
            .map(|other| self.0[other]);
        others
            .filter(|&fell| fell != Blame::Another)
            .max()
            .unwrap_or(self.0[mv])
    }
}

/// Why the deciding row of the moves of a game is unknown.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDecider {
    #[error(
        "the record names no strategy (the game was played by hand or imported), so the deciding rows are unknown"
    )]
    Unnamed,
    #[error("the strategy that played cannot be run, so the deciding rows are unknown: {0}")]
    Unfit(String),
}

/// A strategy that can explain its moves.
#[derive(Debug)]
pub struct Decider {
    strategy: Strategy,
    player: Player,
}

impl Decider {
    pub fn new(strategy: &Strategy, rules: Rules) -> Result<Self, StrategyError> {
        strategy.check_for(rules)?;
        Ok(Self {
            strategy: strategy.clone(),
            player: Player::new(strategy, rules),
        })
    }

    /// The strategy in the head of a record.
    pub fn of_record(record: &Record) -> Result<Self, NoDecider> {
        let text = record.strategy.as_ref().ok_or(NoDecider::Unnamed)?;
        let strategy: Strategy = text
            .parse()
            .map_err(|error| NoDecider::Unfit(format!("{error}")))?;
        let decider = Self::new(&strategy, record.rules)
            .map_err(|error| NoDecider::Unfit(error.to_string()))?;
        match decider.player.problem() {
            Some(problem) => Err(NoDecider::Unfit(problem.to_string())),
            None => Ok(decider),
        }
    }

    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The move it plays. `tie` draws an index below its argument for the last resort. `None` on a dead board or if
    /// stopped.
    pub(super) fn decide(
        &self,
        board: &Board,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        options: SearchOptions<'_>,
    ) -> Option<Move> {
        self.player.decide(board, score, tie, options, &mut ())
    }

    /// The moves that it may play, and what dropped the others. `None` on a dead board or if stopped.
    pub fn choice(&self, before: &Moment, stop: &CancelToken) -> Option<(Moves, Blame)> {
        let mut trace = self.trace(before, stop)?;
        trace.left = self.strategy.last_resort.of(trace.left);
        Some((
            trace.left,
            trace
                .row
                .and_then(|row| u8::try_from(row).ok())
                .map_or(Blame::LastResort, Blame::Row),
        ))
    }

    /// The rows that dropped the moves when it chose `mv`. `None` if it was stopped.
    pub fn fallen(&self, before: &Moment, mv: Move, stop: &CancelToken) -> Option<Fallen> {
        let trace = self.trace(before, stop)?;
        let fell = |other| match trace.fell[other] {
            Some(row) => u8::try_from(row).map_or(Blame::Another, Blame::Row),
            None if trace.left.contains(other) => Blame::LastResort,
            None => Blame::Another,
        };
        Some(Fallen(ByMove::from_fn(|other| {
            if trace.left.contains(mv) {
                fell(other)
            } else {
                Blame::Another
            }
        })))
    }

    fn trace(&self, before: &Moment, stop: &CancelToken) -> Option<RowTrace> {
        let mut trace = RowTrace::default();
        let options = SearchOptions::on_one_core(stop);
        self.player
            .decide(&before.board, before.score, |_| 0, options, &mut trace)?;
        Some(trace)
    }

    /// The name of what decided: the number and label of a row, the last resort, or another player.
    pub fn name(&self, blame: Blame) -> String {
        match blame {
            Blame::Row(row) => self.strategy.numbered_label(usize::from(row)),
            Blame::LastResort => format!("Last resort ({})", self.strategy.last_resort),
            Blame::Another => format!("Not a move of {}", self.strategy.label()),
        }
    }
}

/// The row that left a single move, the rows that dropped moves, and the remaining moves.
#[derive(Default)]
struct RowTrace {
    row: Option<usize>,
    fell: ByMove<Option<usize>>,
    left: Moves,
}

impl Observer for RowTrace {
    type Recorder = ();

    fn criterion(
        &mut self,
        row: usize,
        seen: Moves,
        _values: impl FnOnce() -> ByMove<f64>,
        kept: Moves,
    ) {
        if kept.is_decided() && !seen.is_decided() {
            self.row = Some(row);
        }
        for mv in seen.iter().filter(|&mv| !kept.contains(mv)) {
            self.fell[mv] = Some(row);
        }
    }

    fn last_resort(&mut self, among: Moves) {
        self.left = among;
    }
}
