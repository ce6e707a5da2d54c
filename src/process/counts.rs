//! How often a slide in a state led to another state, counted in games.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{LearnError, ProcessSpec, Solved, State, Teacher, go_on};
use crate::game::{Board, GameSeed, Move, Moves, Rules, Seed};
use crate::task::Control;

/// Games between two checks for a pause or a stop.
const BLOCK: u64 = 64;

/// The counts of all games.
#[derive(Clone, PartialEq, Debug)]
pub struct Counts {
    /// By state, slide and the state at the next slide.
    steps: HashMap<(State, Move, State), u64>,
    /// The points of all slides in a state.
    points: Vec<u64>,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            steps: HashMap::new(),
            points: vec![0; State::COUNT],
        }
    }
}

impl Counts {
    /// Counts a slide.
    pub fn add(&mut self, from: State, mv: Move, to: State, points: u64) {
        *self.steps.entry((from, mv, to)).or_default() += 1;
        self.points[from.index()] += points;
    }

    fn merged(mut self, other: Self) -> Self {
        if self.steps.len() < other.steps.len() {
            return other.merged(self);
        }
        for (step, count) in other.steps {
            *self.steps.entry(step).or_default() += count;
        }
        self.points
            .iter_mut()
            .zip(other.points)
            .for_each(|(points, more)| *points += more);
        self
    }

    /// All counted slides.
    pub fn moves(&self) -> u64 {
        self.steps.values().sum()
    }

    /// How often a slide was made in each state.
    pub fn visits(&self) -> Vec<u64> {
        let mut visits = vec![0; State::COUNT];
        self.steps
            .iter()
            .for_each(|((from, ..), count)| visits[from.index()] += count);
        visits
    }

    pub(super) fn points(&self, state: State) -> u64 {
        self.points[state.index()]
    }

    /// Every step with its count, in order.
    pub(super) fn steps(&self) -> Vec<((State, Move, State), u64)> {
        let mut steps: Vec<_> = self
            .steps
            .iter()
            .map(|(&step, &count)| (step, count))
            .collect();
        steps.sort_unstable_by_key(|&((from, mv, to), _)| (from, mv.index(), to));
        steps
    }

    /// Adds the games of one more round.
    pub(super) fn with_round(
        self,
        spec: &ProcessSpec,
        round: u64,
        teacher: Option<&Teacher<'_>>,
        learnt: Option<&Solved>,
        control: &Control,
    ) -> Result<Self, LearnError> {
        let first = round * spec.games;
        control.begin("", "game", spec.games * spec.rounds);
        control.report(first);
        let block = |counts: Self, block: u64| {
            if !control.pass() {
                return counts;
            }
            let games =
                first + block * BLOCK..(first + (block + 1) * BLOCK).min(first + spec.games);
            let count = games.end - games.start;
            let counts = games.fold(counts, |counts, game| {
                counts.with_game(spec, game, teacher, learnt)
            });
            control.add(count);
            counts
        };

        let blocks = (0..spec.games.div_ceil(BLOCK)).into_par_iter();
        let round = blocks
            .fold(Self::default, block)
            .reduce(Self::default, Self::merged);
        go_on(control)?;
        Ok(self.merged(round))
    }

    fn with_game(
        mut self,
        spec: &ProcessSpec,
        game: u64,
        teacher: Option<&Teacher<'_>>,
        learnt: Option<&Solved>,
    ) -> Self {
        let (seed, rules) = (
            Seed(spec.seed).game(game),
            Rules {
                p4: spec.p4,
                ..Rules::default()
            },
        );
        let mut board = seed.opening(&rules);
        let (mut score, mut number) = (0_u64, 0_u32);
        let state_of = |board: &Board| State::of_board(board);
        while let Some(state) = state_of(&board) {
            let legal = board.legal_moves();
            let random = || random(legal, &seed, number);
            let mv = match (learnt, teacher) {
                _ if legal.is_empty() => None,
                (Some(learnt), _) => learnt.best(state, legal, |among| seed.tie(number, among)),
                (None, Some(teacher)) => (teacher.choose)(&board, score, (game, number)),
                (None, None) => random(),
            };
            let Some((mv, slide)) = mv.and_then(|mv| Some((mv, board.slide(mv)?))) else {
                break;
            };
            let spawn = seed.spawn(number + 2, &slide.after.board(), spec.p4);
            board = slide.after.spawn(spawn);
            let Some(next) = state_of(&board) else { break };
            self.add(state, mv, next, u64::from(slide.reward));
            score += u64::from(slide.reward);
            number += 1;
        }

        self
    }
}

fn random(legal: Moves, seed: &GameSeed, number: u32) -> Option<Move> {
    legal.nth(seed.tie(number, legal.len()))
}
