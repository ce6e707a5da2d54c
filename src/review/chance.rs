//! What a move cost in another unit than points: the chance to survive, or to reach the next tile.
//!
//! The move that was played and the one that the judge holds best are each played on by the judge, one move ahead, `n` times for
//! `k` moves at most, both on the same tiles (game `i` of each draws the same). What is counted is in how many of those games the
//! goal was reached with each, and with both; the loss is the difference of the two shares, with Newcombe's 95 % interval for pairs.
//! A move is classed by the *lower end* of that interval: where the games do not tell two moves apart, it costs nothing. Each interval
//! holds by itself: of a hundred moves that cost nothing a few seem to cost something.
//!
//! It is the chance of *this* play within so many moves and nothing more: a deeper search may survive where it dies. Asked are moves
//! that lost points; of the last [`LAST`](ChanceQuestion::LAST) moves of a game all of them, of those before the
//! [`BEFORE`](ChanceQuestion::BEFORE) that lost most.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::death::{Goal, SEED, reaches};
use super::playout::{NoMove, Playout};
use crate::game::{Board, Moment, Move};
use crate::stats::{Interval, Planned};
use crate::strategy::Player;
use crate::task::CancelToken;
use crate::words;

/// What is to come about when a move is played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ChanceGoal {
    /// Not to be dead after so many moves.
    Survive,
    /// A tile larger than any on the board within so many moves.
    NextTile,
}

impl ChanceGoal {
    pub const ALL: [Self; 2] = [Self::Survive, Self::NextTile];

    pub const fn name(self) -> &'static str {
        ["survive", "next-tile"][self as usize]
    }
}

/// What is asked of moves that lost points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceQuestion {
    pub goal: ChanceGoal,
    /// Within how many moves, that one included; at least 1.
    pub moves: u32,
    /// How many games are played on with each of the two moves, at least 1.
    pub playouts: u64,
}

/// Why a text is no question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "write survive or next-tile, within how many moves (1 to {}) and, if wanted, of how many games (1 to {}), such as survive:50 or next-tile:500:400",
    ChanceQuestion::MOST_MOVES,
    ChanceQuestion::MOST_PLAYOUTS
)]
pub struct ParseChanceQuestionError;

impl ChanceQuestion {
    /// How many of the last moves of a game are played on wherever they lost points.
    pub const LAST: usize = 100;
    /// How many of those before.
    pub const BEFORE: usize = 100;
    pub const MOST_MOVES: u32 = 10_000;
    pub const MOST_PLAYOUTS: u64 = 10_000;

    /// Within 50 moves, by 200 games with each move.
    pub const fn usual(goal: ChanceGoal) -> Self {
        Self { goal, moves: 50, playouts: 200 }
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
        let start = Moment { board: *board, score: 0 };
        let mut at = ChanceAt { best, games: self.playouts, reached: [0; 2], both: 0 };

        for game in 0..self.playouts {
            let chance = SEED.game(game);
            let with = |mv| {
                let playout = Playout { start, first: Some(mv), chance: &chance, p4, stop };
                reaches(&playout, player, self.moves, goal)
            };
            let (Some(played), Some(best)) = (with(played)?, with(best)?) else { return Ok(None) };
            at.reached[0] += u64::from(played);
            at.reached[1] += u64::from(best);
            at.both += u64::from(played && best);
        }
        Ok(Some(at))
    }
}

impl fmt::Display for ChanceQuestion {
    /// `survive:50:200`, as it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.goal.name(), self.moves, self.playouts)
    }
}

impl FromStr for ChanceQuestion {
    type Err = ParseChanceQuestionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.trim().split(':');
        let name = parts.next().unwrap_or_default();
        let goal = ChanceGoal::ALL.into_iter().find(|goal| goal.name() == name).ok_or(ParseChanceQuestionError)?;
        let mut question = Self::usual(goal);
        if let Some(moves) = parts.next() {
            let moves = moves.parse().ok().filter(|moves| (1..=Self::MOST_MOVES).contains(moves));
            question.moves = moves.ok_or(ParseChanceQuestionError)?;
        }
        if let Some(playouts) = parts.next() {
            let playouts = playouts.parse().ok().filter(|playouts| (1..=Self::MOST_PLAYOUTS).contains(playouts));
            question.playouts = playouts.ok_or(ParseChanceQuestionError)?;
        }
        if parts.next().is_some() { Err(ParseChanceQuestionError) } else { Ok(question) }
    }
}

/// What playing on found of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChanceAt {
    /// The move that was played on beside the one of the game.
    pub best: Move,
    /// How many games with each.
    pub games: u64,
    /// In how many the goal was reached, with the move of the game and with the best one.
    pub reached: [u64; 2],
    /// In how many with both, on the same tiles.
    pub both: u64,
}

impl ChanceAt {
    /// With the move of the game and with the best one, from 0 to 1.
    pub fn chances(&self) -> [f64; 2] {
        self.reached.map(|reached| reached as f64 / self.games.max(1) as f64)
    }

    /// By how much the chance is less than with the best move; negative where it is more.
    pub fn loss(&self) -> f64 {
        let [played, best] = self.chances();
        best - played
    }

    /// The 95 % interval of that.
    pub fn interval(&self) -> Option<Interval> {
        let [played, best] = self.reached;
        Planned(self.games).paired_shares(self.both, [best, played], self.games)
    }
}

/// What playing on found of the moves of a game, by what was asked: who goes back to a question has its answers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Chances(Vec<(ChanceQuestion, ChancesOf)>);

/// What playing on found of moves, by their numbers from 0.
pub(super) type ChancesOf = BTreeMap<usize, ChanceAt>;

impl Chances {
    /// How many questions are kept: a few kilobytes each.
    pub(super) const MOST: usize = 16;

    /// What was asked, and what was found; what was asked first comes first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &(ChanceQuestion, ChancesOf)> {
        self.0.iter()
    }

    pub(super) fn at(&self, question: &ChanceQuestion, index: usize) -> Option<&ChanceAt> {
        self.0.iter().find(|(asked, _)| asked == question)?.1.get(&index)
    }

    /// Takes an answer; where there is no room for another question, those to the one that was asked first go.
    pub(super) fn put(&mut self, question: ChanceQuestion, index: usize, at: ChanceAt) {
        let place = self.0.iter().position(|(asked, _)| *asked == question).unwrap_or_else(|| {
            while Self::MOST <= self.0.len() {
                self.0.remove(0);
            }
            self.0.push((question, ChancesOf::new()));
            self.0.len() - 1
        });
        self.0[place].1.insert(index, at);
    }

    /// Takes over what others found besides, and where an answer of its own does not hold any more; where there is no room for all
    /// questions, theirs go first.
    pub(super) fn take_over(&mut self, others: &Self, holds: impl Fn(usize, &ChanceAt) -> bool) {
        let mut own = std::mem::take(&mut self.0);
        let asked: Vec<ChanceQuestion> = own.iter().map(|(question, _)| *question).collect();
        let mut all = others.0.clone();
        for (question, answers) in &mut all {
            let Some(place) = own.iter().position(|(asked, _)| asked == question) else { continue };
            for (index, at) in own.remove(place).1 {
                if holds(index, &at) || !answers.contains_key(&index) {
                    answers.insert(index, at);
                }
            }
        }
        all.extend(own);
        let mut over = all.len().saturating_sub(Self::MOST);
        all.retain(|(question, _)| {
            let goes = over != 0 && !asked.contains(question);
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
        let asked = |moves: usize| ChanceQuestion { goal: ChanceGoal::Survive, moves: moves as u32 + 1, playouts: 10 };
        let at = |reached: usize| ChanceAt { best: Move::Up, games: 10, reached: [reached as u64 % 10, 10], both: 0 };
        let mut chances = Chances::default();
        for number in 0..Chances::MOST {
            chances.put(asked(number), 7, at(number));
        }
        for number in 0..Chances::MOST {
            assert_eq!(chances.at(&asked(number), 7), Some(&at(number)));
            assert_eq!(chances.at(&asked(number), 8), None);
        }
        chances.put(asked(Chances::MOST), 8, at(3));
        assert_eq!((chances.at(&asked(0), 7), chances.at(&asked(1), 7)), (None, Some(&at(1))));
        assert_eq!(chances.at(&asked(Chances::MOST), 8), Some(&at(3)));
        assert_eq!(chances.iter().count(), Chances::MOST);

        // However many there were.
        let many = (0..=2 * Chances::MOST).map(|number| (asked(number), ChancesOf::from([(7, at(number))])));
        let mut many: Chances = many.collect();
        many.put(asked(99), 7, at(1));
        assert_eq!(many.iter().count(), Chances::MOST);
    }

    #[test]
    fn what_others_found_is_taken_over_and_gives_way_first() {
        let asked = |moves: usize| ChanceQuestion { goal: ChanceGoal::Survive, moves: moves as u32 + 1, playouts: 10 };
        let at = |best: Move| ChanceAt { best, games: 10, reached: [1, 10], both: 0 };
        let of = |numbers: std::ops::Range<usize>, index: usize, best: Move| -> Chances {
            numbers.map(|number| (asked(number), ChancesOf::from([(index, at(best))]))).collect()
        };
        let mut both = of(0..2, 7, Move::Up);
        both.take_over(&of(1..3, 8, Move::Down), |_, _| true);
        let found = |number: usize| [7, 8].map(|index| both.at(&asked(number), index).map(|at| at.best));
        assert_eq!(
            [0, 1, 2].map(found),
            [[Some(Move::Up), None], [Some(Move::Up), Some(Move::Down)], [None, Some(Move::Down)]]
        );

        // One that holds is taken for one that does not.
        let holds = |_: usize, at: &ChanceAt| at.best == Move::Down;
        let (mut old, new) = (of(0..1, 7, Move::Up), of(0..1, 7, Move::Down));
        old.take_over(&new, holds);
        assert_eq!(old, new);
        old.take_over(&of(0..1, 7, Move::Up), holds);
        assert_eq!(old, new);

        let mut full = of(0..Chances::MOST, 7, Move::Up);
        let own = full.clone();
        full.take_over(&of(Chances::MOST..Chances::MOST + 3, 7, Move::Up), |_, _| true);
        assert_eq!(full, own);
    }

    #[test]
    fn questions_are_read_as_they_are_written() {
        for text in ["survive:50:200", "next-tile:500:400", "survive:1:1"] {
            let question: ChanceQuestion = text.parse().expect(text);
            assert_eq!(question.to_string(), text);
        }
        assert_eq!("survive".parse(), Ok(ChanceQuestion::usual(ChanceGoal::Survive)));
        for wrong in ["", "live:5", "survive:0", "survive:x", "survive:5:0", "survive:5:5:5", "survive:10001"] {
            assert_eq!(wrong.parse::<ChanceQuestion>(), Err(ParseChanceQuestionError), "{wrong}");
        }
    }
}
