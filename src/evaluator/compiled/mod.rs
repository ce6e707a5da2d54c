//! Evaluators compiled for millions of boards per second.
//!
//! Sums are flattened first, however they are nested. All terms that decompose into lines are scaled, summed into one
//! set of tables, and looked up line by line; the other terms are evaluated separately. On grids all terms are computed
//! by definition.
//!
//! Whole numbers agree with the definition exactly. Sums are added in another order and differ by rounding, but both
//! forms give a board and its mirror image the same value to the last bit if the evaluator does.

mod ceiling;
mod counts;
mod gradients;
mod line_sums;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hint::black_box;
use std::ops::Index;
use std::sync::Arc;

pub use ceiling::{Ceilings, Lasting};
use counts::{ORDERED_PAIRS, OrderedPairs, RANK_ORDER, RankOrder};
use gradients::{CORNER, SNAKE};
pub use gradients::{CornerTable, SnakePaths, SnakeTable};
pub use line_sums::LineTables;
use line_sums::{LineSum, LineTerm};

use super::program::{Asking, CachedProgram};
use super::{Evaluator, Formula, OwnFiles, PolicyBy, Resolver, definition, terms};
use crate::game::{
    Board, ByMove, Crossed, CrossedSlides, Grid, GridSlides, Move, Moves, Position, Rank,
    Slides as _,
};
use crate::kept::KeptError;
use crate::network::Network;
use crate::process::State;
use crate::process::library::Learnt;
use crate::program::may_wait;
use crate::solve::{Goal, Table};
use crate::task::no_answer;

/// Evaluates positions of one representation.
pub trait Evaluate<P: Position> {
    /// Value of a position at this score.
    fn value(&self, position: P, score: u64) -> f64;

    /// Value of the position after each slide in `left`, given the score before it. Other moves may have any value.
    fn values(&self, slides: &P::Slides, left: Moves, score: u64) -> Values {
        Values::Real(by_move(left, |mv| {
            self.value(
                slides.after(mv),
                score.saturating_add(u64::from(slides.reward(mv))),
            )
        }))
    }
}

/// The values of the moves of one turn.
///
/// Whole numbers stay integers until they are read: comparing four floats takes longer than sliding a board.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    Whole(ByMove<i64>),
    /// Anything else.
    Real(ByMove<f64>),
}

impl Values {
    /// As [`Evaluate::value`] returns them.
    #[inline(always)]
    pub fn to_real(self) -> ByMove<f64> {
        match self {
            Self::Whole(values) => ByMove::from_fn(|mv| values[mv] as f64),
            Self::Real(values) => values,
        }
    }
}

/// An evaluator ready to play.
#[derive(Debug)]
pub struct Compiled(Form);

#[derive(Debug)]
enum Form {
    Score,
    Empty,
    Uniformity,
    Monotonicity(&'static OrderedPairs),
    Inert,
    MaxTile,
    CornerBonus,
    RankMonotonicity(&'static RankOrder),
    LogEmpty,
    MaxRank,
    /// Counts 1 if the board has this rank or a larger one.
    HasTile(u8),
    Corner(&'static CornerTable),
    Snake(&'static SnakeTable),
    Lines(LineSum),
    Sum(Box<Sum>),
    Product(Box<[Form; 2]>),
    Solved(Arc<Table>),
    Network(Arc<Network>),
    Policy(Arc<Learnt>, PolicyBy),
    /// The part that belongs neither to lines nor to the score.
    Formula(Formula),
    Program(Arc<CachedProgram>),
    /// A file that it needs cannot be read.
    Unreadable(Box<KeptError>),
}

/// The terms that decompose into lines, and weight and form of each other term.
#[derive(Debug)]
struct Sum {
    lines: Option<LineSum>,
    beside: Vec<(f64, Form)>,
}

impl Evaluator {
    /// Prepares it for play. Tables of lines, 512 KiB each, are built for the first packed board.
    pub fn compile(&self, files: &dyn Resolver) -> Compiled {
        Compiled(Form::new(self, files))
    }

    /// The value of `board` at this score.
    ///
    /// This is the definition, computed term by term; [`Compiled`] is what plays. Weights beyond the board do not count
    /// ([`Evaluator::check`] refuses them).
    pub fn evaluate(&self, board: &Board, score: u64) -> f64 {
        match self {
            Self::Sum(terms) => terms
                .iter()
                .map(|(weight, term)| weight * term.evaluate(board, score))
                .sum(),
            Self::Product(one, other) => one.evaluate(board, score) * other.evaluate(board, score),
            one => Form::new(one, &OwnFiles).value(board.to_grid(), score),
        }
    }
}

/// An evaluator whose value follows from one sum over the rows of a 4×4 board, one over its columns, and the score.
#[derive(Clone, Copy, Debug)]
pub struct ByLines<'a> {
    pub lines: LineForm<'a>,
    /// The weights of the lines and of the score. `None` if the value is that of the lines.
    pub weights: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug)]
pub enum LineForm<'a> {
    /// One table for all lines.
    One(&'a [f64; 1 << 16]),
    Each(&'a LineTables),
    /// Columns do not count.
    Rows(&'a LineTables),
    Snake(&'static SnakeTable),
    Corner(&'static CornerTable),
}

impl Compiled {
    /// The evaluator as sums over lines. `None` if it is more than that, and for `Empty` and `Inert` alone, which need
    /// no table.
    pub fn by_lines(&self) -> Option<ByLines<'_>> {
        if let Some(lines) = self.0.as_lines() {
            return Some(ByLines {
                lines,
                weights: None,
            });
        }
        let Form::Sum(sum) = &self.0 else { return None };
        // Two numbers have the same sum in either order.
        let (lines, weights) = match (&sum.lines, sum.beside.as_slice()) {
            (Some(lines), [(score, Form::Score)]) => (lines.form(), [1.0, *score]),
            (
                None,
                [(score, Form::Score), (weight, form)] | [(weight, form), (score, Form::Score)],
            ) => (form.as_lines()?, [*weight, *score]),
            (None, [(weight, form)]) => (form.as_lines()?, [*weight, 0.0]),
            _ => return None,
        };
        Some(ByLines {
            lines,
            weights: Some(weights),
        })
    }

    /// Whether it uses other programs, so that a value takes time and a batch takes hardly longer.
    pub fn asks(&self) -> bool {
        self.0.asks()
    }

    /// Why it has no values: a file that it reads is missing, damaged or too large for the memory.
    pub fn problem(&self) -> Option<&KeptError> {
        self.0.problem()
    }

    /// Requests the values of positions from other programs in batches, for later lookup.
    pub fn ask_ahead(&self, positions: &[(Grid, u64)]) {
        self.0.ask_ahead(positions);
    }

    /// The network, if it is the whole evaluator.
    #[inline(always)]
    pub fn network(&self) -> Option<&Network> {
        let Form::Network(network) = &self.0 else {
            return None;
        };
        Some(network)
    }
}

impl Form {
    fn new(evaluator: &Evaluator, files: &dyn Resolver) -> Self {
        match evaluator {
            Evaluator::Score => Self::Score,
            Evaluator::Empty => Self::Empty,
            Evaluator::Uniformity => Self::Uniformity,
            Evaluator::Monotonicity => Self::Monotonicity(&ORDERED_PAIRS),
            Evaluator::Inert => Self::Inert,
            Evaluator::MaxTile => Self::MaxTile,
            Evaluator::CornerBonus => Self::CornerBonus,
            Evaluator::RankMonotonicity => Self::RankMonotonicity(&RANK_ORDER),
            Evaluator::LogEmpty => Self::LogEmpty,
            Evaluator::MaxRank => Self::MaxRank,
            // A number that is no tile is never on a board.
            Evaluator::HasTile(tile) => {
                Self::HasTile(Rank::of_tile(*tile).map_or(u8::MAX, Rank::get))
            }
            Evaluator::Corner => Self::Corner(&CORNER),
            Evaluator::Snake => Self::Snake(&SNAKE),
            Evaluator::Solved(name) => files
                .solved(name)
                .map_or_else(Self::unreadable, Self::Solved),
            Evaluator::Network(name) => files
                .network(name)
                .map_or_else(Self::unreadable, Self::Network),
            Evaluator::Policy(policy) => files
                .process(&policy.of)
                .map_or_else(Self::unreadable, |learnt| Self::Policy(learnt, policy.by)),
            Evaluator::Program(program) => Self::Program(program.asked()),
            Evaluator::Product(one, other) => Self::Product(Box::new(
                [one, other].map(|factor| Self::new(factor, files)),
            )),
            Evaluator::Sum(_)
            | Evaluator::Difference
            | Evaluator::Edges
            | Evaluator::DifferenceOfTiles
            | Evaluator::Formula(_)
            | Evaluator::Lines(_)
            | Evaluator::Weights(_)
            | Evaluator::MonotoneSum
            | Evaluator::Smoothness
            | Evaluator::RankSmoothness
            | Evaluator::SmoothnessPrinted => Self::sum(evaluator, files),
        }
    }

    fn unreadable(error: KeptError) -> Self {
        Self::Unreadable(Box::new(error))
    }

    /// Why it has no values: a file that it reads cannot be read.
    fn problem(&self) -> Option<&KeptError> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::Sum(sum) => sum.beside.iter().find_map(|(_, form)| form.problem()),
            Self::Product(factors) => factors.iter().find_map(Self::problem),
            _ => None,
        }
    }

    fn asks(&self) -> bool {
        match self {
            // Requesting a value aborts the work, which the thread of the window must not do.
            Self::Program(_) | Self::Unreadable(_) => true,
            Self::Sum(sum) => sum.beside.iter().any(|(_, form)| form.asks()),
            Self::Product(factors) => factors.iter().any(Self::asks),
            _ => false,
        }
    }

    fn ask_ahead(&self, positions: &[Asking]) {
        match self {
            Self::Program(program) => drop(program.values(positions)),
            Self::Sum(sum) => sum
                .beside
                .iter()
                .for_each(|(_, form)| form.ask_ahead(positions)),
            Self::Product(factors) => factors
                .iter()
                .for_each(|factor| factor.ask_ahead(positions)),
            _ => {}
        }
    }

    fn as_lines(&self) -> Option<LineForm<'_>> {
        match self {
            Self::Lines(lines) => Some(lines.form()),
            Self::Snake(table) => Some(LineForm::Snake(table)),
            Self::Corner(table) => Some(LineForm::Corner(table)),
            _ => None,
        }
    }

    /// The flattened terms of a sum. Anything else is a sum of one term.
    fn sum(evaluator: &Evaluator, files: &dyn Resolver) -> Self {
        let mut terms = Vec::new();
        flatten(1.0, evaluator, &mut terms);
        let (mut lines, mut beside) = (Vec::new(), Vec::new());

        // Tables for empty cells alone would be slower than counting.
        let has_tables = terms
            .iter()
            .any(|(_, term)| **term != Evaluator::Empty && LineTerm::new(term).is_some());
        for (weight, evaluator) in terms {
            if let Evaluator::Formula(formula) = evaluator {
                lines.extend(LineTerm::new(evaluator).map(|term| (weight, term)));
                let score = formula.score_weight();
                beside.extend((score != 0.0).then_some((weight * score, Self::Score)));
                beside.extend(
                    formula
                        .has_rest()
                        .then(|| (weight, Self::Formula(formula.clone()))),
                );
                continue;
            }
            match LineTerm::new(evaluator).filter(|_| has_tables) {
                Some(term) => lines.push((weight, term)),
                None => beside.push((weight, Self::new(evaluator, files))),
            }
        }

        let lines = has_tables.then(|| LineSum::new(lines));
        match (lines, beside.as_mut_slice()) {
            (None, []) => Self::Inert,
            (Some(lines), []) => Self::Lines(lines),
            (None, [(1.0, _)]) => beside.remove(0).1,
            (lines, _) => Self::Sum(Box::new(Sum { lines, beside })),
        }
    }
}

/// Every term of a sum and of nested sums, with its weight. Terms that are always 0 are left out.
fn flatten<'a>(weight: f64, evaluator: &'a Evaluator, terms: &mut Vec<(f64, &'a Evaluator)>) {
    match evaluator {
        Evaluator::Sum(inner)
            if weight == 1.0 || inner.iter().all(|(own, _)| terms::keeps(weight, *own)) =>
        {
            for (own, term) in inner {
                flatten(weight * own, term, terms);
            }
        }
        Evaluator::Inert => {}
        _ => terms.push((weight, evaluator)),
    }
}

impl Evaluate<Crossed> for Compiled {
    #[inline(always)]
    fn value(&self, board: Crossed, score: u64) -> f64 {
        match &self.0 {
            Form::Lines(lines) => lines.tables().value(board),
            Form::Snake(table) => table.paths(board).value(),
            Form::Corner(table) => table.of_board(board.packed()) as f64,
            form => form.value(board, score),
        }
    }

    #[inline(always)]
    fn values(&self, slides: &CrossedSlides, left: Moves, score: u64) -> Values {
        Evaluate::<Crossed>::values(&self.0, slides, left, score)
    }
}

impl Evaluate<Crossed> for Form {
    #[inline(never)]
    fn value(&self, board: Crossed, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => f64::from(counts::uniformity(board.packed())),
            Self::Monotonicity(pairs) => f64::from(pairs.largest(board.packed())),
            Self::Inert => 0.0,
            Self::MaxTile => counts::max_tile(board.packed()) as f64,
            Self::CornerBonus => counts::corner_bonus(board.packed()) as f64,
            Self::RankMonotonicity(order) => order.value(board.packed(), board.transposed()),
            Self::LogEmpty => definition::log_empty(board.empty_count()),
            Self::MaxRank => f64::from(counts::max_rank(board.packed())),
            Self::HasTile(rank) => f64::from(*rank <= counts::max_rank(board.packed())),
            Self::Corner(table) => table.of_board(board.packed()) as f64,
            Self::Snake(table) => table.paths(board).value(),
            Self::Lines(lines) => lines.tables().value(board),
            Self::Sum(sum) => sum.value(board, score),
            Self::Product(factors) => {
                factors[0].value(board, score) * factors[1].value(board, score)
            }
            Self::Solved(table) => solved(table, &board.packed().into(), score),
            Self::Network(network) => score as f64 + network.to_come_of(board),
            Self::Policy(learnt, _) => {
                worth(learnt, State::of_packed(board.packed(), board.transposed()))
            }
            Self::Formula(formula) => formula.rest(&board.packed().into(), score),
            Self::Program(program) => program.value(board.packed().into(), score),
            Self::Unreadable(error) => no_value(error),
        }
    }

    /// A slide and its opposite merge the same tiles, so evaluators that depend only on *which* tiles exist have one
    /// value for both. No evaluator without weights depends on whether the board is transposed.
    #[inline(always)]
    fn values(&self, slides: &CrossedSlides, left: Moves, score: u64) -> Values {
        match self {
            // Beyond 2⁵³, which no game reaches, a score is rounded like any float.
            Self::Score if score < 1 << 52 => {
                by_axis(|mv| (score + u64::from(slides.reward(mv))) as i64)
            }
            Self::Score => Values::Real(by_move(left, |mv| {
                score.saturating_add(u64::from(slides.reward(mv))) as f64
            })),
            Self::Empty => by_axis(|mv| i64::from(slides.empty_count(mv))),
            Self::Uniformity => by_axis(|mv| i64::from(counts::uniformity(slides.as_slid(mv)))),
            // Computes all four, because a branch on `left` mispredicts too often. The black box keeps the compiler
            // from transposing four boards before the loop over the rows of a strategy, for rows that may not need it.
            Self::Monotonicity(pairs) => Values::Whole(ByMove::new(
                pairs.largest_after(black_box(slides)).map(i64::from),
            )),
            Self::Inert => Values::Whole(ByMove::new([0; 4])),
            _ => Values::Real(further_values(self, slides, left, score)),
        }
    }
}

/// A separate function, because a sum may contain sums: otherwise everything is inlined into the loop that plays.
/// [`Values`] in memory would slow that loop down by a quarter.
#[inline(never)]
fn further_values(form: &Form, slides: &CrossedSlides, left: Moves, score: u64) -> ByMove<f64> {
    match form {
        Form::MaxTile => by_axis(|mv| counts::max_tile(slides.as_slid(mv))).to_real(),
        Form::CornerBonus => ByMove::from_fn(|mv| counts::corner_bonus(slides.as_slid(mv)) as f64),
        Form::RankMonotonicity(order) => ByMove::from_fn(|mv| {
            let board = slides.as_slid(mv);
            order.value(board, board.transposed())
        }),
        Form::LogEmpty => {
            let (along, across) = (slides.empty_count(Move::Up), slides.empty_count(Move::Left));
            ByMove::new([along, along, across, across].map(definition::log_empty))
        }
        Form::MaxRank => by_axis(|mv| i64::from(counts::max_rank(slides.as_slid(mv)))).to_real(),
        Form::HasTile(rank) => {
            by_axis(|mv| i64::from(*rank <= counts::max_rank(slides.as_slid(mv)))).to_real()
        }
        Form::Corner(table) => ByMove::from_fn(|mv| table.of_board(slides.as_slid(mv)) as f64),
        Form::Snake(table) => ByMove::from_fn(|mv| table.of_board(slides.as_slid(mv))),
        Form::Lines(lines) => ByMove::new(lines.tables().values(slides)),
        Form::Sum(sum) => sum.values(slides, left, score),
        Form::Product(factors) => {
            let values = |form| Evaluate::<Crossed>::values(form, slides, left, score).to_real();
            let (one, other) = (values(&factors[0]), values(&factors[1]));
            ByMove::from_fn(|mv| one[mv] * other[mv])
        }
        Form::Solved(table) => by_move(left, |mv| {
            solved(
                table,
                &slides.after(mv).packed().into(),
                score.saturating_add(u64::from(slides.reward(mv))),
            )
        }),
        Form::Network(network) => {
            let to_come = network.after_slides(slides, left);
            by_move(left, |mv| {
                score.saturating_add(u64::from(slides.reward(mv))) as f64 + to_come[mv]
            })
        }
        Form::Formula(formula) => by_move(left, |mv| {
            formula.rest(
                &slides.after(mv).packed().into(),
                score.saturating_add(u64::from(slides.reward(mv))),
            )
        }),
        Form::Unreadable(error) => ByMove::new([no_value(error); 4]),
        Form::Program(program) => {
            let after = |mv: Move| {
                let score = score.saturating_add(u64::from(slides.reward(mv)));
                (slides.after(mv).packed().into(), score)
            };
            asked_by_move(program, left, after)
        }
        Form::Policy(learnt, PolicyBy::After) => by_move(left, |mv| {
            let after = slides.after(mv);
            worth(learnt, State::of_packed(after.packed(), after.transposed()))
        }),
        Form::Policy(learnt, PolicyBy::State) => {
            let before = slides.before();
            actions(
                learnt,
                State::of_packed(before.packed(), before.transposed()),
            )
        }
        Form::Score | Form::Empty | Form::Uniformity | Form::Monotonicity(_) | Form::Inert => {
            Evaluate::<Crossed>::values(form, slides, left, score).to_real()
        }
    }
}

impl Sum {
    fn value(&self, board: Crossed, score: u64) -> f64 {
        let lines = self
            .lines
            .as_ref()
            .map_or(0.0, |lines| lines.tables().value(board));
        self.beside.iter().fold(lines, |sum, (weight, form)| {
            sum + weight * form.value(board, score)
        })
    }

    fn values(&self, slides: &CrossedSlides, left: Moves, score: u64) -> ByMove<f64> {
        let lines = self
            .lines
            .as_ref()
            .map_or([0.0; 4], |lines| lines.tables().values(slides));
        self.beside
            .iter()
            .fold(ByMove::new(lines), |sum, (weight, form)| {
                let values = Evaluate::<Crossed>::values(form, slides, left, score).to_real();
                ByMove::from_fn(|mv| sum[mv] + weight * values[mv])
            })
    }

    fn of_grid(&self, board: Grid, score: u64) -> f64 {
        let lines = self
            .lines
            .as_ref()
            .map_or(0.0, |lines| lines.of_grid(&board));
        self.beside.iter().fold(lines, |sum, (weight, form)| {
            sum + weight * form.value(board, score)
        })
    }
}

/// The same count for a slide and its opposite.
#[inline(always)]
fn by_axis(count: impl Fn(Move) -> i64) -> Values {
    let (along, across) = (count(Move::Up), count(Move::Left));
    Values::Whole(ByMove::new([along, along, across, across]))
}

/// A value for each move in a set.
#[inline(always)]
fn by_move(left: Moves, value: impl Fn(Move) -> f64) -> ByMove<f64> {
    let mut values = ByMove::new([0.0; 4]);
    for mv in left {
        values[mv] = value(mv);
    }
    values
}

/// The program's values of the moves in a set, from one request.
fn asked_by_move(
    program: &CachedProgram,
    left: Moves,
    after: impl Fn(Move) -> Asking,
) -> ByMove<f64> {
    let positions: Vec<Asking> = left.iter().map(after).collect();
    let mut values = ByMove::new([0.0; 4]);
    for (mv, value) in left.iter().zip(program.values(&positions)) {
        values[mv] = value;
    }
    values
}

impl Evaluate<Grid> for Compiled {
    fn value(&self, board: Grid, score: u64) -> f64 {
        self.0.value(board, score)
    }

    fn values(&self, slides: &GridSlides, left: Moves, score: u64) -> Values {
        if let Form::Policy(learnt, PolicyBy::State) = &self.0 {
            return Values::Real(actions(learnt, State::of_grid(&slides.before())));
        }
        if self.asks() {
            let after = |mv: Move| {
                (
                    slides.after(mv),
                    score.saturating_add(u64::from(slides.reward(mv))),
                )
            };
            self.ask_ahead(&left.iter().map(after).collect::<Vec<_>>());
        }
        Values::Real(by_move(left, |mv| {
            self.value(
                slides.after(mv),
                score.saturating_add(u64::from(slides.reward(mv))),
            )
        }))
    }
}

impl Evaluate<Grid> for Form {
    fn value(&self, board: Grid, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => definition::uniformity(&board),
            Self::Monotonicity(_) => f64::from(definition::ordered_pairs(&board)),
            Self::Inert => 0.0,
            Self::MaxTile => definition::max_tile(&board) as f64,
            Self::CornerBonus => definition::corner_bonus(&board) as f64,
            Self::RankMonotonicity(_) => definition::rank_monotonicity(&board),
            Self::LogEmpty => definition::log_empty(board.empty_count()),
            Self::MaxRank => f64::from(board.max_rank().get()),
            Self::HasTile(rank) => f64::from(*rank <= board.max_rank().get()),
            Self::Corner(_) => definition::corner(&board) as f64,
            Self::Snake(_) => definition::snake(&board),
            Self::Lines(lines) => lines.of_grid(&board),
            Self::Sum(sum) => sum.of_grid(board, score),
            Self::Product(factors) => {
                factors[0].value(board, score) * factors[1].value(board, score)
            }
            Self::Solved(table) => solved(table, &board, score),
            Self::Network(network) => score as f64 + network.to_come(&board),
            Self::Policy(learnt, _) => worth(learnt, State::of_grid(&board)),
            Self::Formula(formula) => formula.rest(&board, score),
            Self::Program(program) => program.value(board, score),
            Self::Unreadable(error) => no_value(error),
        }
    }
}

/// Points to come from a state.
fn worth(learnt: &Learnt, state: State) -> f64 {
    learnt
        .get()
        .map_or_else(|error| no_value(&error), |process| process.value(state))
}

/// Points to come after each slide in a state.
fn actions(learnt: &Learnt, state: State) -> ByMove<f64> {
    ByMove::from_fn(|mv| {
        learnt.get().map_or_else(
            |error| no_value(&error),
            |process| process.action(state, mv),
        )
    })
}

/// Aborts the work with the reason why there is no value. NaN on a thread that must not wait.
#[cold]
fn no_value(reason: &impl std::error::Error) -> f64 {
    if may_wait() {
        no_answer(reason.to_string())
    } else {
        f64::NAN
    }
}

/// The value of an afterstate. A board that is no afterstate counts as one to move.
fn solved(table: &Table, board: &Grid, score: u64) -> f64 {
    let points = if table.info.question.goal == Goal::Score {
        score as f64
    } else {
        0.0
    };
    points
        + table
            .afterstate_of_grid(board)
            .or_else(|| table.board_of_grid(board))
            .unwrap_or(f64::NAN)
}

/// A value of each of the 65,536 rows. Clones share it.
#[derive(Clone)]
struct RowTable<T>(Arc<[T; 1 << 16]>);

impl<T> RowTable<T> {
    fn new(value: impl Fn(u16) -> T) -> Self {
        let values: Arc<[T]> = (0..=u16::MAX).map(value).collect();
        Self(
            values
                .try_into()
                .unwrap_or_else(|_| unreachable!("there are 65536 rows")),
        )
    }

    /// Whether both are the same table in memory.
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Index<u16> for RowTable<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, row: u16) -> &T {
        &self.0[usize::from(row)]
    }
}

impl<T> fmt::Debug for RowTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowTable(65536 rows)")
    }
}
