//! Exact play on small boards: the value of every board, without playing a game.
//!
//! A [`Question`] is a size, how often a 4 comes, and the goal: the most points ([`Goal::Score`]) or the best chance of
//! a tile ([`Goal::Reach`]). [`Question::solve`] answers it for every board that games can reach, [`Table`] stores the
//! answer, and [`walk()`] follows any other policy together with the probability of each board.
//!
//! # How
//!
//! A slide keeps the sum of all tiles, a new tile adds 2 or 4. So no board occurs twice in a game, and the value of a
//! board depends on boards of the next two sums: first all boards are enumerated, sum by sum, then they are valued from
//! the last sum to the first. One board represents all its symmetric images, eight on a square and four on a rectangle.
//!
//! # What a value is
//!
//! For points, the value of an afterstate (after the slide, before the new tile) is the mean of the points *still to
//! come* under best play; the reward of the slide that led there is not included. The value of a board to move is the
//! maximum over its slides of reward + value of the afterstate, that of a dead board is 0, and that of the game is the
//! mean over its openings of two tiles. These are the values of Yamashita, Kaneko and Nakayashiki 2022 and of Kaneko
//! and Yamashita 2025. For a tile, a board with that tile has value 1 and is not continued, a dead one without it has
//! value 0.
//!
//! # Known results
//!
//! Boards to move and afterstates, symmetric images counted once: 110 and 67 on 2×2, 21,752 and 14,883 on 2×3,
//! 4,980,767 and 3,406,686 on 2×4, 48,713,519 and 31,431,374 on 3×3, dead boards included. The last numbers, with
//! 7,388,502 dead boards and *about 5,470* points from the first board, are those of Yamashita, Kaneko and Nakayashiki
//! (`shuymst/solving_2048_on_3x3_board`). Tatham gives the chance of 256, 512 and 1024 on 3×3 as 0.99571, 0.73677 and
//! 0.01134; Lees-Miller (*The Mathematics of 2048*, 2018) that of 32 on 2×2 as about 8 %. Counted in the same way, 3×4
//! has 1,152,817,492,752 boards (Kaneko and Yamashita, *Strongly Solving 2048 4×3*, 2025), which is beyond this
//! program.

mod layers;
pub mod library;
mod shape;
mod table;
mod values;
mod walk;

use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::game::{Board, Moves, Rank, Rules, RulesError, Size};
use crate::task::{CancelToken, Control, ThreadsError, in_pool};
use crate::words;

pub use library::BestPlay;
pub use table::{Table, TableError, TableInfo};
pub use walk::{Fate, Walk, walk};

/// This many boards are solved, or followed, in a moment: those of 2×3.
pub const AT_ONCE: u64 = 100_000;

/// The goal of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "GoalText", into = "GoalText")]
pub enum Goal {
    /// The most points, on average.
    Score,
    /// The best chance of a tile of this rank.
    Reach(Rank),
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Goal")]
enum GoalText {
    Score,
    Reach(u64),
}

impl From<Goal> for GoalText {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Score => Self::Score,
            Goal::Reach(rank) => Self::Reach(rank.tile()),
        }
    }
}

/// This number is on no tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a tile")]
struct NotATile(u64);

impl TryFrom<GoalText> for Goal {
    type Error = NotATile;

    fn try_from(text: GoalText) -> Result<Self, NotATile> {
        match text {
            GoalText::Score => Ok(Self::Score),
            GoalText::Reach(tile) => Rank::of_tile(tile).map(Self::Reach).ok_or(NotATile(tile)),
        }
    }
}

impl Goal {
    pub const fn tile(self) -> Option<Rank> {
        match self {
            Self::Score => None,
            Self::Reach(rank) => Some(rank),
        }
    }

    /// For example `the expected score` or `the probability of 512`.
    pub fn text(self) -> String {
        match self {
            Self::Score => "the expected score".to_owned(),
            Self::Reach(rank) => format!("the probability of {rank}"),
        }
    }
}

/// The command that solves boards for points and names the table after its rules.
pub fn command(size: Size, p4: f64) -> String {
    match p4 == Rules::USUAL_P4 {
        true => format!("afterstate solve --size {size} --out {size}"),
        false => format!("afterstate solve --size {size} --p4 {p4} --out {size}-{p4}"),
    }
}

/// What is solved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question {
    pub size: Size,
    /// Probability that a new tile is a 4.
    pub p4: f64,
    pub goal: Goal,
}

/// Numbers of boards, symmetric images counted once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Boards to move, dead ones included.
    pub states: u64,
    pub afterstates: u64,
    /// Boards to move with each symmetric image counted.
    pub images: u64,
}

impl Bound {
    /// For whole games on boards of this size; `None` if the size is too large to solve.
    pub fn of(size: Size) -> Option<Self> {
        let (states, afterstates, images) = match (size.rows(), size.cols()) {
            (2, 2) => (110, 67, 662),
            (2, 3) | (3, 2) => (21_752, 14_883, 85_844),
            (2, 4) | (4, 2) => (4_980_767, 3_406_686, 19_920_382),
            (3, 3) => (48_713_519, 31_431_374, 388_921_077),
            _ => return None,
        };
        Some(Self {
            states,
            afterstates,
            images,
        })
    }

    /// The most memory that solving takes, in bytes: one number for each board, a number and a value for each
    /// afterstate, and some more for the current layer.
    pub const fn memory(self) -> u64 {
        8 * self.states + 20 * self.afterstates + (64 << 20)
    }

    /// The approximate size of a table on disk, in bytes.
    pub const fn on_disk(self) -> u64 {
        7 * self.afterstates
    }
}

impl Question {
    /// Returns why it cannot be solved, if so.
    pub fn check(&self) -> Result<(), SolveError> {
        check_size(self.size)?;
        if !(0.0..=1.0).contains(&self.p4) {
            return Err(RulesError::P4(self.p4).into());
        }
        if let Some(rank) = self.goal.tile() {
            Rules::read_stop_at(rank.tile(), self.size)?;
        }
        Ok(())
    }

    /// The most boards of any question of this size; with a tile as the goal, or without 2 or 4 among new tiles, there
    /// are fewer.
    pub fn bound(&self) -> Bound {
        Bound::of(self.size).unwrap_or(Bound {
            states: 0,
            afterstates: 0,
            images: 0,
        })
    }

    /// A name for its table: `3x3`, `3x3-512`, `2x3-p4-0.25`.
    pub fn name(&self) -> String {
        let goal = self
            .goal
            .tile()
            .map_or(String::new(), |rank| format!("-{rank}"));
        let p4 = if self.p4 == Rules::USUAL_P4 {
            String::new()
        } else {
            format!("-p4-{}", self.p4)
        };
        format!("{}{goal}{p4}", self.size)
    }

    /// Answers it. The result does not depend on the number of threads.
    pub fn solve(&self, threads: usize, control: &Control) -> Result<Solution, SolveError> {
        self.check()?;
        in_pool(threads, || values::solve(self, control))?
    }
}

#[cfg(test)]
impl Question {
    /// The values of every board that games from one board reach. The table has no others, so it must not be used as
    /// the table of this size.
    pub(crate) fn solve_from(
        &self,
        board: &Board,
        control: &Control,
    ) -> Result<Solution, SolveError> {
        self.check()?;
        let rules = layers::Rules::of(self);
        let key = rules.shape.key(board).expect("a board of this size");
        let sum = rules.shape.tile_sum(key);
        let first = [(rules.shape.canonical(key), 1.0)];
        in_pool(1, || {
            values::solve_from(self, rules, &first, &(sum..=sum), control)
        })?
    }
}

/// The time per board on one thread, measured on a question that takes a moment; 0 if it was stopped.
pub fn secs_per_board(stop: &CancelToken) -> f64 {
    let Some(size) = Size::new(2, 3) else {
        return 0.0;
    };
    let started = Instant::now();
    let solved = Question {
        size,
        p4: Rules::USUAL_P4,
        goal: Goal::Score,
    }
    .solve(1, &Control::quiet(stop));
    solved.map_or(0.0, |solved| {
        started.elapsed().as_secs_f64() / solved.table.info.states as f64
    })
}

/// Refuses boards that are too large.
pub fn check_size(size: Size) -> Result<Bound, SolveError> {
    Bound::of(size).ok_or(SolveError::Size { size })
}

fn go_on(control: &Control) -> Result<(), SolveError> {
    if control.pass() {
        Ok(())
    } else {
        Err(SolveError::Stopped)
    }
}

/// A first board of games, one for all its symmetric images.
#[derive(Clone, PartialEq, Debug)]
pub struct Opening {
    pub board: Board,
    /// Of the board and its images together.
    pub probability: f64,
    pub value: f64,
    pub best: Moves,
}

/// All boards with the same sum of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    pub sum: u64,
    pub states: u64,
    pub afterstates: u64,
    /// Boards without a legal slide, among the states.
    pub dead: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// The value of the game, before its first tile.
    pub value: f64,
    /// The most probable first.
    pub openings: Vec<Opening>,
    pub layers: Vec<Layer>,
    pub table: Table,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    #[error(
        "a {size} board is too large to be solved: the largest is 3x3 with 48,713,519 boards; play games on it with \
         run --size {size}"
    )]
    Size { size: Size },
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error(
        "more than {} boards have the same sum of tiles, which is too many: choose a smaller board",
        words::count(*most)
    )]
    TooMany { most: u64 },
    #[error("it was stopped")]
    Stopped,
}

#[cfg(test)]
mod tests;
