//! The cost of a move in a probability instead of points: that of surviving, or of reaching the next tile.
//!
//! The judge plays out the played move and its own best move, one move ahead, in `n` games of at most `k` moves each,
//! on the same spawns (game `i` of each has the same draws). Counted are the games that reach the goal with each move,
//! and with both. The loss is the difference of the two shares, with Newcombe's 95 % interval for pairs. A move is
//! classified by the *lower end* of that interval: if the games do not tell two moves apart, it costs nothing. Each
//! interval is valid by itself: of a hundred moves that cost nothing a few seem to cost something.
//!
//! The probability is that of *this* play within this many moves: a deeper search may survive where it dies. Only moves
//! that lost points are examined: all of the last [`LAST`](ChanceQuestion::LAST) moves of a game, and of those before
//! the [`BEFORE`](ChanceQuestion::BEFORE) that lost most.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoEnumIterator as _};

use super::death::{Goal, SEED, reaches};
use super::playout::{NoMove, Playout};
use crate::game::{Board, Moment, Move};
use crate::stats::{Interval, Planned};
use crate::strategy::Player;
use crate::task::CancelToken;
use crate::words;

/// The goal of the playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, EnumIter)]
pub enum ChanceGoal {
    /// Not to be dead after `moves` moves.
    Survive,
    /// A tile larger than any on the board within `moves` moves.
    NextTile,
}

impl ChanceGoal {
    pub const fn name(self) -> &'static str {
        ["survive", "next-tile"][self as usize]
    }
}

/// The question about moves that lost points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceQuestion {
    pub goal: ChanceGoal,
    /// Number of moves, including the move itself; at least 1.
    pub moves: u32,
    /// Number of games with each of the two moves, at least 1.
    pub playouts: u64,
}

/// Why a text is no question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "write survive or next-tile, the moves (1 to {}) and optionally the games (1 to {}), such as survive:50 or \
     next-tile:500:400",
    ChanceQuestion::MOST_MOVES,
    ChanceQuestion::MOST_PLAYOUTS
)]
pub struct ParseChanceQuestionError;

impl ChanceQuestion {
    /// The last moves of a game, which all get playouts if they lost points.
    pub const LAST: usize = 100;
    /// The number of earlier moves that get playouts.
    pub const BEFORE: usize = 100;
    pub const MOST_MOVES: u32 = 10_000;
    pub const MOST_PLAYOUTS: u64 = 10_000;

    /// Within 50 moves, with 200 games for each move.
    pub const fn usual(goal: ChanceGoal) -> Self {
        Self {
            goal,
            moves: 50,
            playouts: 200,
        }
    }

    /// `chance to survive 50 moves`, `chance to reach the next tile within 500 moves`.
    pub fn text(&self) -> String {
        let moves = words::plural(u64::from(self.moves), "move");
        match self.goal {
            ChanceGoal::Survive => format!("chance to survive {moves}"),
            ChanceGoal::NextTile => format!("chance to reach the next tile within {moves}"),
        }
    }

    /// Plays two moves of a board on; `None` if stopped.
    pub(super) fn ask(
        &self,
        player: &Player,
        board: &Board,
        [played, best]: [Move; 2],
        p4: f64,
        stop: &CancelToken,
    ) -> Result<Option<ChanceAt>, NoMove> {
        let goal = match self.goal {
            ChanceGoal::Survive => Goal::Survive,
            ChanceGoal::NextTile => Goal::Above(board.max_rank()),
        };
        let start = Moment {
            board: *board,
            score: 0,
        };
        let mut at = ChanceAt {
            best,
            games: self.playouts,
            reached: [0; 2],
            both: 0,
        };

        for game in 0..self.playouts {
            let chance = SEED.game(game);
            let with = |mv| {
                let playout = Playout {
                    start,
                    first: Some(mv),
                    chance: &chance,
                    p4,
                    stop,
                };
                reaches(&playout, player, self.moves, goal)
            };
            let (Some(played), Some(best)) = (with(played)?, with(best)?) else {
                return Ok(None);
            };
            at.reached[0] += u64::from(played);
            at.reached[1] += u64::from(best);
            at.both += u64::from(played && best);
        }
        Ok(Some(at))
    }
}

impl fmt::Display for ChanceQuestion {
    /// `survive:50:200`, the input format.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.goal.name(), self.moves, self.playouts)
    }
}

impl FromStr for ChanceQuestion {
    type Err = ParseChanceQuestionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.trim().split(':');
        let name = parts.next().unwrap_or_default();
        let goal = ChanceGoal::iter()
            .find(|goal| goal.name() == name)
            .ok_or(ParseChanceQuestionError)?;
        let mut question = Self::usual(goal);
        if let Some(moves) = parts.next() {
            let moves = moves
                .parse()
                .ok()
                .filter(|moves| (1..=Self::MOST_MOVES).contains(moves));
            question.moves = moves.ok_or(ParseChanceQuestionError)?;
        }
        if let Some(playouts) = parts.next() {
            let playouts = playouts
                .parse()
                .ok()
                .filter(|playouts| (1..=Self::MOST_PLAYOUTS).contains(playouts));
            question.playouts = playouts.ok_or(ParseChanceQuestionError)?;
        }
        if parts.next().is_some() {
            Err(ParseChanceQuestionError)
        } else {
            Ok(question)
        }
    }
}

/// The result of the playouts of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChanceAt {
    /// The move that was compared with the one of the game.
    pub best: Move,
    /// Number of games with each.
    pub games: u64,
    /// How many reached the goal, with the move of the game and with the best one.
    pub reached: [u64; 2],
    /// How many reached it with both, on the same spawns.
    pub both: u64,
}

impl ChanceAt {
    /// With the move of the game and with the best one, from 0 to 1.
    pub fn chances(&self) -> [f64; 2] {
        self.reached
            .map(|reached| reached as f64 / self.games.max(1) as f64)
    }

    /// How much lower the probability is than with the best move; negative if it is higher.
    pub fn loss(&self) -> f64 {
        let [played, best] = self.chances();
        best - played
    }

    /// The 95 % interval of the loss.
    pub fn interval(&self) -> Option<Interval> {
        let [played, best] = self.reached;
        Planned(self.games).paired_shares(self.both, [best, played], self.games)
    }
}

/// The results of playouts for the moves of a game, by question, so that returning to a question needs no new playouts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Chances(Vec<(ChanceQuestion, ChancesOf)>);

/// The results of playouts by move index, from 0.
pub(super) type ChancesOf = BTreeMap<usize, ChanceAt>;

impl Chances {
    /// Maximum number of stored questions, a few kilobytes each.
    pub(super) const MOST: usize = 16;

    /// The questions and their answers, the oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(ChanceQuestion, ChancesOf)> {
        self.0.iter()
    }

    pub(super) fn at(&self, question: &ChanceQuestion, index: usize) -> Option<&ChanceAt> {
        self.0
            .iter()
            .find(|(other, _)| other == question)?
            .1
            .get(&index)
    }

    /// Adds an answer. If there is no room for another question, drops the oldest one.
    pub(super) fn put(&mut self, question: ChanceQuestion, index: usize, at: ChanceAt) {
        let place = self
            .0
            .iter()
            .position(|(other, _)| *other == question)
            .unwrap_or_else(|| {
                while Self::MOST <= self.0.len() {
                    self.0.remove(0);
                }
                self.0.push((question, ChancesOf::new()));
                self.0.len() - 1
            });
        self.0[place].1.insert(index, at);
    }

    /// Merges the answers of others, including those that replace invalid ones of its own. If there is no room for all
    /// questions, drops theirs first.
    pub(super) fn take_over(&mut self, others: &Self, holds: impl Fn(usize, &ChanceAt) -> bool) {
        let mut own = std::mem::take(&mut self.0);
        let questions: Vec<ChanceQuestion> = own.iter().map(|(question, _)| *question).collect();
        let mut all = others.0.clone();
        for (question, answers) in &mut all {
            let Some(place) = own.iter().position(|(other, _)| other == question) else {
                continue;
            };
            for (index, at) in own.remove(place).1 {
                if holds(index, &at) || !answers.contains_key(&index) {
                    answers.insert(index, at);
                }
            }
        }
        all.extend(own);
        let mut over = all.len().saturating_sub(Self::MOST);
        all.retain(|(question, _)| {
            let goes = over != 0 && !questions.contains(question);
            over -= usize::from(goes);
            !goes
        });

        self.0 = all;
    }
}

impl FromIterator<(ChanceQuestion, ChancesOf)> for Chances {
    fn from_iter<I: IntoIterator<Item = (ChanceQuestion, ChancesOf)>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_by_what_was_asked_and_the_first_question_gives_way() {
        let question_at = |moves: usize| ChanceQuestion {
            goal: ChanceGoal::Survive,
            moves: moves as u32 + 1,
            playouts: 10,
        };
        let at = |reached: usize| ChanceAt {
            best: Move::Up,
            games: 10,
            reached: [reached as u64 % 10, 10],
            both: 0,
        };
        let mut chances = Chances::default();
        for number in 0..Chances::MOST {
            chances.put(question_at(number), 7, at(number));
        }
        for number in 0..Chances::MOST {
            assert_eq!(chances.at(&question_at(number), 7), Some(&at(number)));
            assert_eq!(chances.at(&question_at(number), 8), None);
        }
        chances.put(question_at(Chances::MOST), 8, at(3));
        assert_eq!(
            (
                chances.at(&question_at(0), 7),
                chances.at(&question_at(1), 7)
            ),
            (None, Some(&at(1)))
        );
        assert_eq!(chances.at(&question_at(Chances::MOST), 8), Some(&at(3)));
        assert_eq!(chances.iter().count(), Chances::MOST);

        // However many there were.
        let many = (0..=2 * Chances::MOST)
            .map(|number| (question_at(number), ChancesOf::from([(7, at(number))])));
        let mut many: Chances = many.collect();
        many.put(question_at(99), 7, at(1));
        assert_eq!(many.iter().count(), Chances::MOST);
    }

    #[test]
    fn what_others_found_is_taken_over_and_gives_way_first() {
        let question_at = |moves: usize| ChanceQuestion {
            goal: ChanceGoal::Survive,
            moves: moves as u32 + 1,
            playouts: 10,
        };
        let at = |best: Move| ChanceAt {
            best,
            games: 10,
            reached: [1, 10],
            both: 0,
        };
        let chances = |numbers: std::ops::Range<usize>, index: usize, best: Move| -> Chances {
            numbers
                .map(|number| (question_at(number), ChancesOf::from([(index, at(best))])))
                .collect()
        };
        let mut both = chances(0..2, 7, Move::Up);
        both.take_over(&chances(1..3, 8, Move::Down), |_, _| true);
        let found = |number: usize| {
            [7, 8].map(|index| both.at(&question_at(number), index).map(|at| at.best))
        };
        assert_eq!(
            [0, 1, 2].map(found),
            [
                [Some(Move::Up), None],
                [Some(Move::Up), Some(Move::Down)],
                [None, Some(Move::Down)]
            ]
        );

        // A valid answer replaces an invalid one.
        let holds = |_: usize, at: &ChanceAt| at.best == Move::Down;
        let (mut old, new) = (chances(0..1, 7, Move::Up), chances(0..1, 7, Move::Down));
        old.take_over(&new, holds);
        assert_eq!(old, new);
        old.take_over(&chances(0..1, 7, Move::Up), holds);
        assert_eq!(old, new);

        let mut full = chances(0..Chances::MOST, 7, Move::Up);
        let own = full.clone();
        full.take_over(
            &chances(Chances::MOST..Chances::MOST + 3, 7, Move::Up),
            |_, _| true,
        );
        assert_eq!(full, own);
    }

    #[test]
    fn questions_are_read_as_they_are_written() {
        for text in ["survive:50:200", "next-tile:500:400", "survive:1:1"] {
            let question: ChanceQuestion = text.parse().expect(text);
            assert_eq!(question.to_string(), text);
        }
        assert_eq!(
            "survive".parse(),
            Ok(ChanceQuestion::usual(ChanceGoal::Survive))
        );
        for wrong in [
            "",
            "live:5",
            "survive:0",
            "survive:x",
            "survive:5:0",
            "survive:5:5:5",
            "survive:10001",
        ] {
            assert_eq!(
                wrong.parse::<ChanceQuestion>(),
                Err(ParseChanceQuestionError),
                "{wrong}"
            );
        }
    }
}
