//! How often each row decided.

use std::time::{Duration, Instant};

use super::Position;
use crate::game::{ByMove, Move, Moves, Seed, Spawn};
use crate::search::SearchOptions;
use crate::strategy::{Observer, Player, Turn};
use crate::task::{CancelToken, Control};

/// What the rows of a strategy did in some games. Shares refer to [`decisions`](Self::decisions).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Seed of the games; their numbers are 0 to `games` − 1.
    pub seed: u64,
    /// Games that were played, the last one perhaps in part.
    pub games: u64,
    /// Whether time ran out within the last game.
    pub is_cut: bool,
    /// Turns with two or more legal moves.
    pub decisions: u64,
    /// Turns with one legal move, where no row is evaluated.
    pub forced: u64,
    pub rows: Vec<RowEvidence>,
    /// Decisions that every row left open, so that the last resort chose.
    pub last_resort: u64,
    pub took: Duration,
    /// The part of this for games that were played to their end.
    pub took_whole: Duration,
}

/// What one row did. A row that is off is never evaluated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowEvidence {
    pub asked: u64,
    /// Of these, those that it ended with one move left.
    pub decided: u64,
    /// Of these, those where it kept all moves it was given: a tie.
    pub passed: u64,
    /// Moves left after it, summed over the decisions that reached it.
    pub left: u64,
    /// The first decision that it ended.
    pub example: Option<Position>,
    /// The first decision where it kept all moves it was given.
    pub tie: Option<Position>,
    /// The largest difference between the values of one decision; with alpha-beta, as far as it is known.
    pub widest: f64,
}

impl RowEvidence {
    /// Mean number of moves left after it; `None` if it was never reached.
    pub fn mean_left(&self) -> Option<f64> {
        (self.asked != 0).then(|| self.left as f64 / self.asked as f64)
    }
}

impl Evidence {
    /// Games that were played to their end.
    pub fn whole_games(&self) -> u64 {
        self.games - u64::from(self.is_cut).min(self.games)
    }

    /// Plays games 0 to `games` − 1 of `seed` until time is up or it is stopped; a decision that this interrupts is not
    /// counted.
    pub fn gather(
        player: &Player,
        seed: u64,
        games: u64,
        limit: Option<Duration>,
        control: &Control,
    ) -> Self {
        let started = Instant::now();
        control.begin("", "game", if games == u64::MAX { 0 } else { games });
        control.token().within(limit, |stop| {
            let mut tally = EvidenceTrace::new(player, seed, stop);
            while tally.evidence.games < games && !stop.is_cancelled() {
                let game = tally.evidence.games;
                tally.evidence.games += 1;
                tally.evidence.is_cut = false;
                player.play(
                    &Seed(seed).game(game),
                    SearchOptions::on_one_core(stop),
                    &mut tally,
                );
                // A decision that began and was not made.
                tally.evidence.is_cut = tally.at.take().is_some();
                if !tally.evidence.is_cut && !stop.is_cancelled() {
                    tally.evidence.took_whole = started.elapsed();
                }
                control.report(tally.evidence.games);
            }
            let mut evidence = tally.evidence;
            evidence.took = started.elapsed();
            evidence
        })
    }

    /// What the rows did on some positions; stops early if cancelled.
    pub(super) fn on<'a>(
        player: &Player,
        positions: impl Iterator<Item = &'a Position>,
        stop: &CancelToken,
    ) -> Self {
        let mut trace = EvidenceTrace::new(player, 0, stop);
        for position in positions.take_while(|_| !stop.is_cancelled()) {
            trace.begin(*position, position.board.legal_moves());
            let options = SearchOptions::on_one_core(stop);
            if player
                .decide(&position.board, position.score, |_| 0, options, &mut trace)
                .is_some()
            {
                trace.decided();
            }
        }
        trace.evidence
    }
}

/// Counts what happens in games. The observations of a decision are buffered until it is made.
struct EvidenceTrace<'a> {
    evidence: Evidence,
    /// The position of the current decision, and its legal moves.
    at: Option<(Position, Moves)>,
    /// Row, moves it was given, moves it kept, difference between its best and worst value.
    rows: Vec<(usize, Moves, Moves, f64)>,
    choice: Moves,
    stop: &'a CancelToken,
}

impl<'a> EvidenceTrace<'a> {
    fn new(player: &Player, seed: u64, stop: &'a CancelToken) -> Self {
        let rows = vec![RowEvidence::default(); player.row_count()];
        let evidence = Evidence {
            seed,
            rows,
            ..Evidence::default()
        };
        Self {
            evidence,
            at: None,
            rows: Vec::new(),
            choice: Moves::NONE,
            stop,
        }
    }

    fn begin(&mut self, position: Position, legal: Moves) {
        self.rows.clear();
        self.at = Some((position, legal));
    }

    fn decided(&mut self) {
        let Some((position, legal)) = self.at.take() else {
            return;
        };
        if legal.is_decided() {
            self.evidence.forced += 1;
            return;
        }
        self.evidence.decisions += 1;
        self.evidence.last_resort += u64::from(!self.choice.is_decided());

        for &(row, seen, kept, spread) in &self.rows {
            let Some(row) = self.evidence.rows.get_mut(row) else {
                continue;
            };
            row.asked += 1;
            row.left += kept.len() as u64;
            row.widest = row.widest.max(spread);
            if kept.is_decided() {
                row.decided += 1;
                row.example.get_or_insert(position);
            }
            if kept == seen {
                row.passed += 1;
                row.tie.get_or_insert(position);
            }
        }
    }
}

impl Observer for EvidenceTrace<'_> {
    type Recorder = ();

    fn criterion(
        &mut self,
        row: usize,
        seen: Moves,
        values: impl FnOnce() -> ByMove<f64>,
        kept: Moves,
    ) {
        self.rows.push((row, seen, kept, spread(&values(), seen)));
    }
    fn last_resort(&mut self, among: Moves) {
        self.choice = among;
    }

    fn turn(&mut self, turn: impl FnOnce() -> Turn) -> bool {
        let Turn {
            board,
            score,
            moves,
            legal,
        } = turn();
        self.begin(
            Position {
                board,
                score,
                game: self.evidence.games - 1,
                moves,
                left: 0,
            },
            legal,
        );
        !self.stop.is_cancelled()
    }

    fn moved(&mut self, _mv: Move, _spawn: impl FnOnce() -> Spawn) {
        self.decided();
    }
}

/// The largest minus the smallest of the values of some moves; 0 if there are none.
pub(super) fn spread(values: &ByMove<f64>, among: Moves) -> f64 {
    let (low, high) = among
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), mv| {
            (low.min(values[mv]), high.max(values[mv]))
        });
    if low <= high { high - low } else { 0.0 }
}
