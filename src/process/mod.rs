//! The game as a Markov decision process of features: 34,560 states instead of all 4×4 boards.
//!
//! This follows Section III.D and Table IV of the Course paper. A board is reduced to its [`Features`]. Games are
//! played to count how often a slide in one state led to another, and the points that followed a state ([`Counts`]).
//! Value iteration then gives each state its value in points to come ([`ProcessSpec::learn`]). A [`Process`] stores the
//! result.
//!
//! # What the text says, and what is ours
//!
//! ```text
//! P(s, a, s′) = times that a led from s to s′ / times that a was taken in s
//! R(s)        = points that followed s / times that s came up
//! V(s)        ← R(s) + max over a of Σ P(s, a, s′) · V(s′)        until it has converged more than 15 times in a row
//! ```
//!
//! The text assigns the reward in R(s) by the three features, without numbers: by our reading it is the points of the
//! slide. A sweep has converged if no value changes by more than 0.001, which is our limit. The text does not say which
//! games are counted, nor how many: we use 10,000 games of random play. States and slides that rarely come up may form
//! a cycle in which points add up without limit. So each slide gets one extra game end (`ends`), or later points count
//! less (`discount`). The policy plays arg max Σ P(s, a, s′) · V(s′). The text leaves open what s′ is: a state of the
//! process, the board after the slide, or the boards after the new tile. The first scores no better than random play.
//! Which of the other two fits the published results depends on the number of counted games, which is our choice: with
//! 1,000 to 100,000 games the board after the slide scores 3,127 to 7,158 against the published 5,668.

mod counts;
mod features;
mod file;
mod heat;
mod iteration;
pub mod library;

use serde::{Deserialize, Serialize};

use crate::game::{Board, Move, Rules, Size};
use crate::task::{Control, ThreadsError, in_pool};
use crate::words;

pub use counts::Counts;
pub use features::{Features, State};
pub use file::{ProcessError, ProcessInfo};
pub use heat::{Feature, HeatCell};
pub use iteration::Solved;

/// How a process is learned.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProcessSpec {
    /// Games in each round.
    #[serde(skip_serializing_if = "is_usual::<0>")]
    pub games: u64,
    #[serde(skip_serializing_if = "is_default_seed")]
    pub seed: u64,
    /// Probability that a new tile is a 4.
    #[serde(skip_serializing_if = "is_usual_number::<0>")]
    pub p4: f64,
    /// After the first round, games are played with the policy learned from the rounds before, and are added to the
    /// counts.
    #[serde(skip_serializing_if = "is_usual::<1>")]
    pub rounds: u64,
    /// Extra game ends counted for each observed slide.
    #[serde(skip_serializing_if = "is_usual_number::<1>")]
    pub ends: f64,
    /// What a point is worth that comes one slide later.
    #[serde(skip_serializing_if = "is_usual_number::<2>")]
    pub discount: f64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_usual<const PLACE: usize>(number: &u64) -> bool {
    *number == [ProcessSpec::USUAL.games, ProcessSpec::USUAL.rounds][PLACE]
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_default_seed(seed: &u64) -> bool {
    *seed == ProcessSpec::USUAL.seed
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_usual_number<const PLACE: usize>(number: &f64) -> bool {
    *number
        == [
            ProcessSpec::USUAL.p4,
            ProcessSpec::USUAL.ends,
            ProcessSpec::USUAL.discount,
        ][PLACE]
}

impl Default for ProcessSpec {
    fn default() -> Self {
        Self::USUAL
    }
}

/// The move on a board, given the points so far and `(i, m)`: move number `m` of game `i`.
type Choose<'a> = dyn Fn(&Board, u64, (u64, u32)) -> Option<Move> + Sync + 'a;

/// The policy that plays the first round.
pub struct Teacher<'a> {
    /// `random play`, or the strategy as text.
    pub name: String,
    /// Chooses at move number `m` of game `i`; `None` ends the game.
    pub choose: &'a Choose<'a>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    #[error(
        "{games} games: write 1 to {} games for all rounds together",
        words::count(ProcessSpec::MOST_GAMES)
    )]
    Games { games: u64 },
    #[error("{rounds} rounds: write 1 to {}", ProcessSpec::MOST_ROUNDS)]
    Rounds { rounds: u64 },
    #[error("p4: {0} is not a probability: write a number from 0 to 1")]
    P4(f64),
    #[error("ends: {0} is not a count: write a number from 0 up, such as 1")]
    Ends(f64),
    #[error("discount: {0} is not possible: write a number above 0 and at most 1")]
    Discount(f64),
    #[error("value iteration works on 4x4 boards only, not {size}")]
    Size { size: Size },
}

/// Why nothing was learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error("it was stopped")]
    Stopped,
}

impl ProcessSpec {
    pub const USUAL: Self = Self {
        games: 10_000,
        seed: 1,
        p4: Rules::USUAL_P4,
        rounds: 1,
        ends: 1.0,
        discount: 1.0,
    };

    /// The most games of all rounds together: some minutes of work.
    pub const MOST_GAMES: u64 = 10_000_000;

    pub const MOST_ROUNDS: u64 = 100;

    /// Returns what is wrong with the specification, if anything.
    pub fn check(&self) -> Result<(), SpecError> {
        let Self {
            games,
            seed: _,
            p4,
            rounds,
            ends,
            discount,
        } = *self;
        if !(1..=Self::MOST_ROUNDS).contains(&rounds) {
            return Err(SpecError::Rounds { rounds });
        }

        let games = games.saturating_mul(rounds);
        if !(1..=Self::MOST_GAMES).contains(&games) {
            return Err(SpecError::Games { games });
        }
        if !(0.0..=1.0).contains(&p4) {
            return Err(SpecError::P4(p4));
        }
        if !(0.0..f64::INFINITY).contains(&ends) {
            return Err(SpecError::Ends(ends));
        }
        if !(0.0 < discount && discount <= 1.0) {
            return Err(SpecError::Discount(discount));
        }
        Ok(())
    }

    /// For example `10,000 games` or `3 × 10,000 games, 20 % fours`.
    pub fn text(&self) -> String {
        let rounds = if self.rounds == 1 {
            String::new()
        } else {
            format!("{} × ", self.rounds)
        };
        let mut text = format!("{rounds}{}", words::plural(self.games, "game"));
        if self.p4 != Self::USUAL.p4 {
            text += &format!(", {}", words::fours(self.p4));
        }
        if self.seed != Self::USUAL.seed {
            text += &format!(", seed {}", self.seed);
        }
        if self.ends != Self::USUAL.ends {
            text += &format!(", ends {}", words::exact(self.ends));
        }
        if self.discount != Self::USUAL.discount {
            text += &format!(", discount {}", words::exact(self.discount));
        }
        text
    }

    /// Counts games and values the states; without a teacher the first games are random. The result does not depend on
    /// the number of threads.
    pub fn learn(
        &self,
        teacher: Option<&Teacher<'_>>,
        threads: usize,
        control: &Control,
    ) -> Result<Process, LearnError> {
        self.check()?;
        in_pool(threads, || self.learn_here(teacher, control))?
    }

    fn learn_here(
        &self,
        teacher: Option<&Teacher<'_>>,
        control: &Control,
    ) -> Result<Process, LearnError> {
        let mut counts = Counts::default();
        let mut solved: Option<Solved> = None;
        for round in 0..self.rounds {
            counts = counts.with_round(self, round, teacher, solved.as_ref(), control)?;
            solved = Some(Solved::of(&counts, self.ends, self.discount, control)?);
        }

        let teacher = teacher.map_or_else(|| RANDOM.to_owned(), |teacher| teacher.name.clone());
        let solved = solved.unwrap_or_default();
        Ok(Process {
            spec: *self,
            teacher,
            visits: counts.visits(),
            moves: counts.moves(),
            solved,
            sha256: String::new(),
        })
    }
}

/// The name of the policy that plays the first games by default.
pub const RANDOM: &str = "random play";

/// A process with the values of its states.
#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    pub spec: ProcessSpec,
    /// The policy that played the first games.
    pub teacher: String,
    /// How often a slide was made in each state.
    pub visits: Vec<u64>,
    /// Slides that were counted.
    pub moves: u64,
    pub solved: Solved,
    /// SHA-256 of the file in hexadecimal digits; empty if the process does not come from a file.
    pub sha256: String,
}

impl Process {
    /// The number of states in which a slide was made.
    pub fn seen(&self) -> u64 {
        self.visits.iter().filter(|&&visits| visits != 0).count() as u64
    }

    /// The points to come from a state; 0 if no slide was made there.
    pub fn value(&self, state: State) -> f64 {
        self.solved.values[state.index()]
    }

    /// The points to come after a slide in a state; 0 if it was never made.
    pub fn action(&self, state: State, mv: Move) -> f64 {
        self.solved.actions[state.index()][mv.index()]
    }
}

impl Process {
    /// The points to come after a slide in a state; `None` if it was never made. A process read from a file does not
    /// know that.
    pub fn action_made(&self, state: State, mv: Move) -> Option<f64> {
        let worth = self.action(state, mv);
        (worth.to_bits() != iteration::NEVER_MADE.to_bits()).then_some(worth)
    }
}

/// Refuses boards that have no such features.
pub fn check_size(size: Size) -> Result<(), SpecError> {
    if size == Size::FOUR {
        Ok(())
    } else {
        Err(SpecError::Size { size })
    }
}

/// Learns in the way of `run` and the window when a strategy needs the process.
fn learn_now(spec: &ProcessSpec) -> Result<Process, LearnError> {
    let threads = crate::task::threads_for_cli();
    // On a new thread: a pool thread that waits for another pool takes up other work of its own pool, which may wait
    // for this process.
    std::thread::scope(|scope| {
        let learnt = scope
            .spawn(move || spec.learn(None, threads, &Control::default()))
            .join();
        learnt.unwrap_or(Err(LearnError::Stopped))
    })
}

fn go_on(control: &Control) -> Result<(), LearnError> {
    if control.pass() {
        Ok(())
    } else {
        Err(LearnError::Stopped)
    }
}

#[cfg(test)]
mod tests;
