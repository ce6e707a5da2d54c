//! Follows the games of a policy board by board, with the probability of each board.
//!
//! The boards of one sum of tiles pass their probabilities on to those of the next two sums. Each probability comes
//! with two more numbers, the first two moments of the number of 4s that came. The points of a game are determined by
//! its board except for 4 for each such tile, so mean and deviation of the final scores are exact, too.

use rayon::prelude::*;

use super::layers::{OPENINGS, Rules};
use super::{Bound, Goal, Question, SolveError, go_on};
use crate::game::{Board, Moves, Rank};
use crate::stats::total_probability;
use crate::task::{Control, in_pool};

/// Boards with a lower probability are left out: all of them together would change a mean by less than 10⁻¹⁶ points.
const LEAST: f64 = 1e-30;

/// The most boards of one sum, each with its successors: about a gigabyte.
const MOST: u64 = 20_000_000;

/// How games are followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walk {
    /// Its goal says where games end: at a tile, or nowhere.
    pub question: Question,
    /// Whether the policy treats all symmetric images of a board alike, so that one represents all.
    pub is_symmetric: bool,
    /// Whether the move may depend on the points so far: a board with different points is then a different place.
    pub minds_points: bool,
}

/// The exact result of following the games.
#[derive(Clone, PartialEq, Debug)]
pub struct Fate {
    /// Mean of the final scores.
    pub mean: f64,
    pub sd: f64,
    /// Slides in a game, on average.
    pub moves: f64,
    /// The largest tile at the end, with its probability.
    pub largest: Vec<(Rank, f64)>,
    /// Boards to move that were followed.
    pub boards: u64,
}

impl Fate {
    /// The probability of a tile of at least this rank.
    pub fn reach(&self, rank: Rank) -> f64 {
        let reached = self.largest.iter().filter(|(largest, _)| rank <= *largest);
        total_probability(reached.map(|(_, probability)| *probability))
    }
}

/// A board, and the number of 4s that came if that matters.
type Place = (u64, u32);

/// Probability of a place, and Σ over paths to it of probability × 4s and × their square.
#[derive(Clone, Copy, Debug)]
struct Mass {
    at: Place,
    p: f64,
    fours: f64,
    squares: f64,
}

impl Mass {
    fn times(self, weight: f64) -> Self {
        Self {
            p: weight * self.p,
            fours: weight * self.fours,
            squares: weight * self.squares,
            ..self
        }
    }

    /// After one more 4.
    fn with_four(self) -> Self {
        Self {
            fours: self.fours + self.p,
            squares: self.squares + 2.0 * self.fours + self.p,
            ..self
        }
    }
}

/// The mass of games that ended, by their last boards.
#[derive(Clone, Copy, Debug)]
struct End {
    largest: u8,
    p: f64,
    score: f64,
    square: f64,
    moves: f64,
}

/// Follows games in which each move is drawn with equal probability from those that `moves` returns. An empty set ends
/// the game, as does a board without a legal slide. `None` from it stops the walk.
pub fn walk(
    way: &Walk,
    moves: impl Fn(&Board, u64) -> Option<Moves> + Sync,
    threads: usize,
    control: &Control,
) -> Result<Fate, SolveError> {
    way.question.check()?;
    control.begin("following", "board", way.at_most().unwrap_or(0));
    in_pool(threads, || {
        Walker {
            way,
            rules: Rules::of(&way.question),
            moves: &moves,
        }
        .walk(control)
    })?
}

struct Walker<'a, M> {
    way: &'a Walk,
    rules: Rules,
    moves: &'a M,
}

impl<M: Fn(&Board, u64) -> Option<Moves> + Sync> Walker<'_, M> {
    fn walk(&self, control: &Control) -> Result<Fate, SolveError> {
        let (mut next, mut after_next) = (Vec::new(), Vec::new());
        let mut sums = Sums::default();
        let openings = self.openings();
        for sum in (*OPENINGS.start()..).step_by(2) {
            go_on(control)?;
            let is_here = |mass: &&Mass| self.rules.shape.tile_sum(mass.at.0) == sum;
            next.extend(openings.iter().filter(is_here));
            let here = merged(std::mem::take(&mut next));
            if here.is_empty() && after_next.is_empty() && !OPENINGS.contains(&sum) {
                break;
            }
            if MOST < here.len() as u64 {
                return Err(SolveError::TooMany { most: MOST });
            }
            sums.boards += here.len() as u64;
            control.report(sums.boards);
            let (afters, ended) = self.slide(&here, control)?;
            ended.iter().for_each(|end| sums.add(end));
            next = std::mem::take(&mut after_next);
            let (mut twos, mut fours) = self.spawn(&afters);
            next.append(&mut twos);
            after_next.append(&mut fours);
        }

        Ok(sums.fate())
    }

    fn openings(&self) -> Vec<Mass> {
        let cells = f64::from(self.rules.shape.cells());
        let empty = Mass {
            at: (0, 0),
            p: 1.0,
            fours: 0.0,
            squares: 0.0,
        };
        let one_tile = |mass: Mass| {
            let spawns = self.rules.spawns();
            self.rules
                .shape
                .empty(mass.at.0)
                .flat_map(move |cell| spawns.clone().map(move |spawn| (mass, cell, spawn)))
        };
        let first =
            one_tile(empty).map(|(mass, cell, spawn)| self.spawned(mass, cell, spawn, cells));
        let both = first
            .flat_map(one_tile)
            .map(|(mass, cell, spawn)| self.spawned(mass, cell, spawn, cells - 1.0));
        // Reduced to one image only now: the second tile may come to any cell.
        merged(both.map(|mass| self.turned(mass)).collect())
    }

    fn spawned(&self, mass: Mass, cell: u64, (rank, probability): (u64, f64), cells: f64) -> Mass {
        let mass = if rank == 2 { mass.with_four() } else { mass };
        let fours = if rank == 2 && self.way.minds_points {
            mass.at.1 + 1
        } else {
            mass.at.1
        };
        Mass {
            at: (mass.at.0 | (cell * rank), fours),
            ..mass
        }
        .times(probability / cells)
    }

    fn turned(&self, mass: Mass) -> Mass {
        let (key, fours) = mass.at;
        let key = if self.way.is_symmetric {
            self.rules.shape.canonical(key)
        } else {
            key
        };
        Mass {
            at: (key, fours),
            ..mass
        }
    }

    /// The results of the moves on these boards, and the games that end there.
    fn slide(&self, here: &[Mass], control: &Control) -> Result<(Vec<Mass>, Vec<End>), SolveError> {
        let shape = &self.rules.shape;
        let of_one = |mass: &Mass| -> Result<(Vec<Mass>, Option<End>), SolveError> {
            go_on(control)?;
            let (key, fours) = mass.at;
            let is_over = self.rules.is_won(key) || shape.legal(key).next().is_none();
            let moves = if is_over {
                Some(Moves::NONE)
            } else {
                self.drawn(key, fours)
            };
            let moves = moves.ok_or(SolveError::Stopped)?;
            if moves.is_empty() {
                return Ok((Vec::new(), Some(self.end(mass))));
            }
            let share = 1.0 / moves.len() as f64;
            let slid = shape.legal(key).filter(|(mv, _)| moves.contains(*mv));
            let after = |key| {
                self.turned(Mass {
                    at: (key, fours),
                    ..mass.times(share)
                })
            };
            Ok((slid.map(|(_, slid)| after(slid.key)).collect(), None))
        };

        let done: Vec<_> = here
            .par_iter()
            .with_min_len(16)
            .map(of_one)
            .collect::<Result<_, _>>()?;
        let (afters, ends): (Vec<Vec<Mass>>, Vec<Option<End>>) = done.into_iter().unzip();
        Ok((
            merged(afters.concat()),
            ends.into_iter().flatten().collect(),
        ))
    }

    fn drawn(&self, key: u64, fours: u32) -> Option<Moves> {
        let points = self
            .rules
            .shape
            .potential(key)
            .saturating_sub(4 * u64::from(fours));
        (self.moves)(&self.rules.shape.board(key), points)
    }

    fn end(&self, mass: &Mass) -> End {
        let shape = &self.rules.shape;
        let (key, most) = (mass.at.0, shape.potential(mass.at.0) as f64);
        let tiles = shape.tile_sum(key) as f64 / 2.0;
        End {
            largest: shape.largest(key),
            p: mass.p,
            score: most * mass.p - 4.0 * mass.fours,
            square: most * most * mass.p - 8.0 * most * mass.fours + 16.0 * mass.squares,
            // Each 4 counts as two new tiles of 2, and the first two tiles come before the first slide.
            moves: (tiles - 2.0) * mass.p - mass.fours,
        }
    }

    /// Adds new tiles to afterstates: the results for sums two and four higher.
    fn spawn(&self, afters: &[Mass]) -> (Vec<Mass>, Vec<Mass>) {
        let by = |rank: u64| -> Vec<Mass> {
            let Some(spawn) = self.rules.spawns().find(|&(other, _)| other == rank) else {
                return Vec::new();
            };
            let next = |&mass: &Mass| {
                let empty: Vec<u64> = self.rules.shape.empty(mass.at.0).collect();
                let cells = empty.len() as f64;
                empty
                    .into_iter()
                    .map(move |cell| self.turned(self.spawned(mass, cell, spawn, cells)))
            };
            merged(
                afters
                    .par_iter()
                    .with_min_len(256)
                    .flat_map_iter(next)
                    .collect(),
            )
        };
        (by(1), by(2))
    }
}

/// In order, without duplicates and without very improbable places.
fn merged(mut masses: Vec<Mass>) -> Vec<Mass> {
    // Stable, so that sums do not depend on the number of threads.
    masses.par_sort_by_key(|mass| mass.at);
    masses.dedup_by(|next, previous| {
        let is_same = next.at == previous.at;
        if is_same {
            previous.p += next.p;
            previous.fours += next.fours;
            previous.squares += next.squares;
        }
        is_same
    });
    masses.retain(|mass| LEAST <= mass.p);
    masses
}

/// Sums over all games that ended.
#[derive(Debug, Default)]
struct Sums {
    score: f64,
    square: f64,
    moves: f64,
    largest: [f64; 16],
    boards: u64,
}

impl Sums {
    fn add(&mut self, end: &End) {
        self.score += end.score;
        self.square += end.square;
        self.moves += end.moves;
        self.largest[usize::from(end.largest)] += end.p;
    }

    fn fate(self) -> Fate {
        let Self {
            score: mean,
            square,
            moves,
            largest,
            boards,
        } = self;
        let ranks = (0..).map(Rank::clamped).zip(largest);
        let largest = ranks.filter(|&(_, probability)| probability != 0.0);
        let largest = largest
            .map(|(rank, probability)| (rank, total_probability([probability])))
            .collect();
        Fate {
            mean,
            sd: (square - mean * mean).max(0.0).sqrt(),
            moves,
            largest,
            boards,
        }
    }
}

impl Walk {
    /// A walk over whole games.
    pub fn to_the_end(size: crate::game::Size, p4: f64) -> Self {
        let question = Question {
            size,
            p4,
            goal: Goal::Score,
        };
        Self {
            question,
            is_symmetric: false,
            minds_points: false,
        }
    }

    /// The most boards to move that are followed; `None` if boards with different points are different, since their
    /// number is unknown.
    pub fn at_most(&self) -> Option<u64> {
        let bound = Bound::of(self.question.size).filter(|_| !self.minds_points)?;
        Some(if self.is_symmetric {
            bound.states
        } else {
            bound.images
        })
    }
}
