//! Summaries of many reviewed games: where a strategy loses points, with intervals over games.
//!
//! A game is one draw, because the moves of one game are not independent. So the interval of a loss per move is that of
//! a ratio of two sums over games (Cochran, *Sampling Techniques*, 6.4: residuals of each game about the ratio), with
//! Student's quantile.
//!
//! Luck has the mean 0 by construction: that of each spawn is a value minus its exact mean over all spawns, given the
//! slide. So final score minus luck has the mean of the final score, and often a narrower interval. How much narrower
//! is measured, not guaranteed.

use std::collections::BTreeMap;

use super::classes::ByClass;
use super::game::{Totals, Verdict};
use super::losses::LossCounts;
use super::report::{MoveReport, Report};
use super::{Blame, Points};
use crate::math;
use crate::stats::{Interval, RunningMean, ScoreCounts, mean_interval, student_t_975};

/// The summary of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSum {
    /// The title of the game.
    pub title: String,
    /// The name of the player; empty if it is unknown.
    pub player: String,
    /// The index of its strategy and of the game in its run, if it has one.
    pub of_run: Option<(usize, u64)>,
    pub totals: Totals,
    pub moves: usize,
    pub classes: ByClass,
}

/// A sum over moves divided by their number, drawn game by game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PerMove {
    games: u64,
    /// Sums of loss, moves, loss², loss · moves and moves² over the games.
    loss: f64,
    moves: f64,
    loss2: f64,
    product: f64,
    moves2: f64,
}

impl PerMove {
    pub(super) fn add(&mut self, loss: Points, moves: u64) {
        let (loss, moves) = (loss.to_f64(), moves as f64);
        self.games += 1;
        self.loss += loss;
        self.moves += moves;
        self.loss2 += loss * loss;
        self.product += loss * moves;
        self.moves2 += moves * moves;
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    pub fn moves(&self) -> f64 {
        self.moves
    }

    /// `None` without moves.
    pub fn mean(&self) -> Option<f64> {
        (0.0 < self.moves).then(|| self.loss / self.moves)
    }

    /// The 95 % interval. `None` below two games.
    pub fn interval(&self) -> Option<Interval> {
        let (mean, games) = (self.mean()?, self.games as f64);
        if self.games < 2 {
            return None;
        }
        let squares = self.loss2 - 2.0 * mean * self.product + mean * mean * self.moves2;
        let error = (squares.max(0.0) * games / (games - 1.0)).sqrt() / self.moves;
        Some(Interval::around(mean, student_t_975(games - 1.0) * error))
    }
}

/// The sums over the games for one largest tile, or for one number of empty cells.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PhaseSum {
    pub loss: Points,
    pub luck: Points,
    pub per_move: PerMove,
}

/// The losses of moves that one row of a strategy decided.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RuleSum {
    pub moves: u64,
    pub loss: Points,
    pub classes: ByClass,
    /// The sum of the squared losses per game.
    squares: f64,
}

impl RuleSum {
    /// The mean loss per game and its 95 % interval, over all `games` of its player. No interval below two games.
    pub fn loss_of_a_game(&self, games: u64) -> (f64, Option<Interval>) {
        let (loss, count) = (self.loss.to_f64(), games.max(1) as f64);
        let mean = loss / count;
        let variance = (self.squares - count * mean * mean).max(0.0) / (count - 1.0);
        (
            mean,
            if games < 2 {
                None
            } else {
                mean_interval(games, mean, variance.sqrt())
            },
        )
    }
}

/// A bad move of one of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorstMove {
    /// The index of its game.
    pub game: usize,
    pub report: MoveReport,
}

/// Summaries of reviewed games, added one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Several {
    pub games: Vec<GameSum>,
    pub worst: Vec<WorstMove>,
    pub by_largest: BTreeMap<u64, PhaseSum>,
    pub by_empty: BTreeMap<u64, PhaseSum>,
    /// By player and by what decided.
    pub by_rule: BTreeMap<(String, Blame), RuleSum>,
    /// How many moves lost how much, by player.
    pub losses: BTreeMap<String, LossCounts>,
}

/// The sums over the games of one player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayerSum {
    pub player: String,
    pub score: RunningMean,
    /// The same scores, for the interval of their mean.
    pub scores: ScoreCounts,
    pub loss: RunningMean,
    pub luck: RunningMean,
    pub residual: RunningMean,
    /// Final score minus luck.
    pub adjusted: RunningMean,
    pub per_move: PerMove,
}

impl WorstMove {
    pub fn verdict(&self) -> &Verdict {
        &self.report.verdict
    }
}

impl Several {
    /// Maximum number of stored worst moves.
    pub const WORST: usize = 100;

    /// Maximum number of them per game, so that one game that is lost as a whole does not hide the others.
    pub const WORST_OF_A_GAME: usize = 10;

    /// Adds a game with this title. `of_run` is the index of its strategy and of the game in its run.
    pub fn add(
        &mut self,
        title: String,
        player: String,
        of_run: Option<(usize, u64)>,
        report: &Report,
    ) {
        let game = self.games.len();
        *self.losses.entry(player.clone()).or_default() += report.losses;
        for (phases, sums) in [
            (&report.by_largest, &mut self.by_largest),
            (&report.by_empty, &mut self.by_empty),
        ] {
            for phase in phases {
                let sum = sums.entry(phase.key).or_default();
                sum.loss += phase.loss;
                sum.luck += phase.luck;
                sum.per_move.add(phase.loss, phase.moves);
            }
        }

        for rule in &report.by_rule {
            let sum = self
                .by_rule
                .entry((player.clone(), rule.blame))
                .or_default();
            sum.moves += rule.moves;
            sum.loss += rule.loss;
            sum.classes += rule.classes;
            sum.squares += math::squared(rule.loss.to_f64());
        }

        self.worst.extend(
            report
                .worst
                .iter()
                .take(Self::WORST_OF_A_GAME)
                .map(|&report| WorstMove { game, report }),
        );
        self.worst.sort_by_key(|one| {
            (
                std::cmp::Reverse(one.report.verdict.loss),
                one.game,
                one.report.verdict.index,
            )
        });
        self.worst.truncate(Self::WORST);
        let (totals, moves, classes) = (report.totals, report.moves, report.classes);
        self.games.push(GameSum {
            title,
            player,
            of_run,
            totals,
            moves,
            classes,
        });
    }

    /// Sums for each player, in the order of their first games.
    pub fn players(&self) -> Vec<PlayerSum> {
        let mut players: Vec<PlayerSum> = Vec::new();
        for game in &self.games {
            let place = players
                .iter()
                .position(|other| other.player == game.player)
                .unwrap_or_else(|| {
                    players.push(PlayerSum {
                        player: game.player.clone(),
                        ..PlayerSum::default()
                    });
                    players.len() - 1
                });
            let (sum, totals) = (&mut players[place], game.totals);
            sum.score.add(totals.final_score.to_f64());
            sum.loss.add(totals.loss.to_f64());
            sum.luck.add(totals.luck.to_f64());
            sum.residual.add(totals.residual.to_f64());
            sum.adjusted
                .add((totals.final_score - totals.luck).to_f64());
            sum.per_move.add(totals.loss, game.moves as u64);
        }

        for sum in &mut players {
            let own = self.games.iter().filter(|game| game.player == sum.player);
            // Scores are whole and below 2³².
            sum.scores = own
                .map(|game| game.totals.final_score.to_f64() as u32)
                .collect();
        }
        players
    }
}

impl PlayerSum {
    /// How many times as many games would give an interval this narrow without the correction for luck. `None` below
    /// two games.
    pub fn gain(&self) -> Option<f64> {
        let (plain, adjusted) = (self.score.std_dev()?, self.adjusted.std_dev()?);
        (0.0 < adjusted).then(|| math::squared(plain / adjusted))
    }
}

/// The 95 % interval of a mean over games. `None` below two.
pub fn interval_of(mean: &RunningMean) -> Option<Interval> {
    mean_interval(mean.count(), mean.mean(), mean.std_dev()?)
}
