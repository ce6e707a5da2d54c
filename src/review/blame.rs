//! Which row of the player decided a move.
//!
//! A move that lost something was decided where the judge's best move fell: later rows chose among others. Of one that lost nothing
//! it is the row after which no other was left.

use crate::game::{Board, ByMove, Moment, Move, Moves, Record, Rules};
use crate::search::SearchOptions;
use crate::strategy::{LastResort, Observer, Player, Strategy, StrategyError};
use crate::task::CancelToken;

/// What made a player play a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Blame {
    /// The row, from 0, at which the other move fell.
    Row(u8),
    /// Every row kept the other move, too.
    LastResort,
    /// The strategy does not play this move: somebody else did, or a clock ended its search elsewhere.
    Another,
}

/// Where each move of a turn fell, the last resort for those that all rows kept; another player for moves that are not legal, and for all
/// where the strategy does not play the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fallen(pub(super) ByMove<Blame>);

impl Fallen {
    /// What decided for `mv` and against `best`, or against all others where they are one.
    pub fn blame(&self, mv: Move, best: Move) -> Blame {
        if best != mv {
            return self.0[best];
        }
        let others = Move::ALL.into_iter().filter(|&other| other != mv).map(|other| self.0[other]);
        others.filter(|&fell| fell != Blame::Another).max().unwrap_or(self.0[mv])
    }
}

/// Why nobody can be asked which row decided the moves of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDecider {
    #[error(
        "the record names no strategy, as of games that were played by hand and of those from elsewhere: which row decided is not known"
    )]
    Unnamed,
    #[error("the strategy that played cannot be asked which row decided: {0}")]
    Unfit(String),
}

/// A strategy that is asked again why it played as it did.
#[derive(Debug)]
pub struct Decider {
    strategy: Strategy,
    player: Player,
}

impl Decider {
    pub fn new(strategy: &Strategy, rules: Rules) -> Result<Self, StrategyError> {
        strategy.check_for(rules)?;
        Ok(Self { strategy: strategy.clone(), player: Player::new(strategy, rules) })
    }

    /// Who played a record, as its head says.
    pub fn of_record(record: &Record) -> Result<Self, NoDecider> {
        let text = record.strategy.as_ref().ok_or(NoDecider::Unnamed)?;
        let strategy: Strategy = text.parse().map_err(|error| NoDecider::Unfit(format!("{error}")))?;
        let decider = Self::new(&strategy, record.rules).map_err(|error| NoDecider::Unfit(error.to_string()))?;
        match decider.player.problem() {
            Some(problem) => Err(NoDecider::Unfit(problem.to_string())),
            None => Ok(decider),
        }
    }

    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The move it plays; `tie` draws an index below its argument for the last resort. `None` on a dead board or when stopped.
    pub(super) fn decide(
        &self,
        board: &Board,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        options: SearchOptions<'_>,
    ) -> Option<Move> {
        self.player.decide(board, score, tie, options, &mut ())
    }

    /// The moves that it may play, and what left them so few; `None` on a dead board and where it was asked to stop.
    pub fn choice(&self, before: &Moment, stop: &CancelToken) -> Option<(Moves, Blame)> {
        let mut trace = self.trace(before, stop)?;
        if self.strategy.last_resort == LastResort::First {
            trace.left = trace.left.first().into_iter().collect();
        }
        Some((trace.left, trace.row.and_then(|row| u8::try_from(row).ok()).map_or(Blame::LastResort, Blame::Row)))
    }

    /// Where the moves fell among which it chose `mv`; `None` where it was asked to stop.
    pub fn fallen(&self, before: &Moment, mv: Move, stop: &CancelToken) -> Option<Fallen> {
        let trace = self.trace(before, stop)?;
        let fell = |other| match trace.fell[other] {
            Some(row) => u8::try_from(row).map_or(Blame::Another, Blame::Row),
            None if trace.left.contains(other) => Blame::LastResort,
            None => Blame::Another,
        };
        Some(Fallen(ByMove::from_fn(|other| if trace.left.contains(mv) { fell(other) } else { Blame::Another })))
    }

    fn trace(&self, before: &Moment, stop: &CancelToken) -> Option<RowTrace> {
        let mut trace = RowTrace::default();
        let options = SearchOptions::on_one_core(stop);
        self.player.decide(&before.board, before.score, |_| 0, options, &mut trace)?;
        Some(trace)
    }

    /// What a thing that decided is called: the label of a row behind its number, the last resort, another player.
    pub fn name(&self, blame: Blame) -> String {
        match blame {
            Blame::Row(row) => self.strategy.numbered_label(usize::from(row)),
            Blame::LastResort => format!("Last resort ({})", self.strategy.last_resort.name()),
            Blame::Another => format!("Not a move of {}", self.strategy.label()),
        }
    }
}

/// The row that left a single move, at which row moves fell, and the moves that were left in the end.
#[derive(Default)]
struct RowTrace {
    row: Option<usize>,
    fell: ByMove<Option<usize>>,
    left: Moves,
}

impl Observer for RowTrace {
    type Recorder = ();

    fn criterion(&mut self, row: usize, seen: Moves, _values: impl FnOnce() -> ByMove<f64>, kept: Moves) {
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
