//! Games for learning, and games for testing.

use super::cells::Cell;
use crate::game::{
    ByMove, Cell as At, Crossed, CrossedSlides, GameSeed, Grid, Move, Packed, Position, Rank, Rows,
    Rules, Size, Slides,
};
use crate::network::greedy::{self, Afterstates, Game, Greedy, Left, Total as _};
use crate::network::{Places, Reader, Stage, Tables, Training, Weight, Word};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ended {
    pub(super) score: u64,
    pub(super) largest: Rank,
    pub(super) moves: u64,
}

/// A position whose afterstates a reader can look up.
trait Readable: Position {
    /// The ranks of the afterstate of a legal slide, four bits per cell in reading order. For a reader that covers all
    /// images any image will do.
    fn word(slides: &Self::Slides, mv: Move, reader: &Reader) -> u64;

    /// The board itself in its real orientation.
    fn own_word(&self, reader: &Reader) -> Word;
}

impl Readable for Crossed {
    #[inline(always)]
    fn word(slides: &Self::Slides, mv: Move, reader: &Reader) -> u64 {
        f32::word(slides, mv, reader)
    }

    fn own_word(&self, _reader: &Reader) -> Word {
        Word(self.packed().bits())
    }
}

impl Readable for Grid {
    fn word(slides: &Self::Slides, mv: Move, reader: &Reader) -> u64 {
        reader.word(&slides.after(mv))
    }

    fn own_word(&self, reader: &Reader) -> Word {
        Word(reader.word(self))
    }
}

/// The tables that a game is played with.
pub(super) struct Table<'a, W>(pub(super) Tables<'a, W>);

/// Memory of a game, reused for the next one.
#[derive(Default)]
pub(super) struct Space {
    /// The indices of the afterstates of the slides.
    after: Afterstates,
    /// The indices of the previous afterstate.
    before: Places,
    path: Vec<Step>,
    /// Each stage that the game entered, with the board of the entry.
    pub(super) entered: Vec<(usize, Word)>,
}

/// An afterstate of the game and the reward of the slide that led to it.
#[derive(Clone, Copy, Debug)]
struct Step {
    word: u64,
    reward: f32,
    /// The value when it was chosen.
    value: f32,
}

/// The chosen slide.
struct Chosen {
    mv: Move,
    reward: u32,
    value: f32,
}

/// The learning rate of one weight, and the form of the targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lesson {
    rate: f32,
    lambda: f32,
    steps: usize,
    backward: bool,
}

/// The start of a game, and what is recorded besides its end.
#[derive(Clone, Copy, Default)]
pub(super) struct Course<'a> {
    /// The start board, if it is not a new opening.
    pub(super) from: Option<Word>,
    /// The stages whose entries are recorded.
    pub(super) stages: &'a [Stage],
}

impl Lesson {
    pub(super) fn of(training: &Training, game: u64) -> Self {
        Self {
            rate: training.alpha_of(game) / training.network.terms() as f32,
            lambda: training.lambda,
            steps: training.horizon(),
            backward: training.backward,
        }
    }
}

impl<W: Cell> Table<'_, W> {
    /// Plays the game of this seed and learns from it.
    pub(super) fn learn(
        &self,
        lesson: Lesson,
        course: Course<'_>,
        seed: &GameSeed,
        rules: &Rules,
        space: &mut Space,
    ) -> Ended {
        space.entered.clear();
        if lesson.backward || lesson.steps != 1 {
            space.path.clear();
            let watch = Path {
                table: self,
                lesson,
            };
            return self.play(course, seed, rules, space, &watch);
        }
        self.play(
            course,
            seed,
            rules,
            space,
            &Next {
                table: self,
                rate: lesson.rate,
            },
        )
    }

    #[inline(always)]
    fn change(&self, places: &Places, by: f32) {
        for &place in places.as_slice() {
            self.0.weights[place as usize].change(by);
        }
    }
}

impl<W: Weight> Table<'_, W> {
    /// Plays the game of this seed without learning.
    pub(super) fn test(&self, seed: &GameSeed, rules: &Rules, space: &mut Space) -> Ended {
        let Some(board) = seed.crossed_opening(rules) else {
            return self.test_plainly(seed, rules, space);
        };
        let mut game = Game {
            seed: *seed,
            board,
            score: 0,
            moves: 0,
        };
        let left = greedy::play(self.0, rules, &Best, &mut game);
        let Game {
            board,
            score,
            moves,
            ..
        } = game;
        let mut state = State {
            score,
            moves: u64::from(moves),
            ..State::of(Course::default())
        };
        match left {
            Left::Over => state.ended(board.max_rank()),
            Left::TooLarge => self.play_to_end(
                board.to_board().to_grid(),
                &mut state,
                seed,
                rules,
                space,
                &Nothing,
            ),
        }
    }

    /// The same on boards of any size.
    fn test_plainly(&self, seed: &GameSeed, rules: &Rules, space: &mut Space) -> Ended {
        self.play(Course::default(), seed, rules, space, &Nothing)
    }

    fn play(
        &self,
        course: Course<'_>,
        seed: &GameSeed,
        rules: &Rules,
        space: &mut Space,
        watch: &impl Watch,
    ) -> Ended {
        let mut state = State::of(course);
        let opening = match course.from {
            Some(Word(bits)) => {
                (rules.size == Size::FOUR).then(|| Packed::from_bits(bits).crossed())
            }
            None => seed.crossed_opening(rules),
        };
        let grid = match opening
            .map(|opening| self.play_on(opening, &mut state, seed, rules, space, watch))
        {
            Some(Ok(ended)) => return ended,
            Some(Err(board)) => board.to_board().to_grid(),
            None => course.from.map_or_else(
                || seed.opening(rules).to_grid(),
                |word| grid_of(word, rules.size),
            ),
        };
        self.play_to_end(grid, &mut state, seed, rules, space, watch)
    }

    /// Plays on where every tile fits.
    fn play_to_end(
        &self,
        grid: Grid,
        state: &mut State<'_>,
        seed: &GameSeed,
        rules: &Rules,
        space: &mut Space,
        watch: &impl Watch,
    ) -> Ended {
        self.play_on(grid, state, seed, rules, space, watch)
            .unwrap_or_else(|board| state.ended(board.max_rank()))
    }

    /// Plays on until the game is over, or returns the position if a slide makes a tile that it cannot hold.
    #[inline(always)]
    fn play_on<P: Readable>(
        &self,
        mut board: P,
        state: &mut State<'_>,
        seed: &GameSeed,
        rules: &Rules,
        space: &mut Space,
        watch: &impl Watch,
    ) -> Result<Ended, P> {
        let rows = Rows::shared();
        loop {
            state.look(&board, self.0.reader, &mut space.entered);
            let Some(slides) = board.slides(rows) else {
                return Err(board);
            };
            let Some(chosen) = self.choose::<P>(&slides, &mut space.after) else {
                watch.over(state.last, space);
                return Ok(state.ended(board.max_rank()));
            };
            let word = || P::word(&slides, chosen.mv, self.0.reader);
            watch.chosen(&chosen, state.last, word, space);
            state.last = Some(chosen.value);
            state.score += u64::from(chosen.reward);
            board = seed.add_tile(slides.after(chosen.mv), state.moves as u32 + 2, rules.p4);
            state.moves += 1;
        }
    }

    #[inline(always)]
    fn choose<P: Readable>(&self, slides: &P::Slides, after: &mut Afterstates) -> Option<Chosen> {
        let legal = slides.legal();
        after.ask(self.0, legal, |mv| P::word(slides, mv, self.0.reader));
        best(slides, &after.values(self.0, legal))
    }

    fn value(&self, word: u64, places: &mut Places) -> f32 {
        self.0.reader.of_word(word, places);
        f32::of(self.0, places)
    }
}

/// The slide with the largest reward + value; ties go to the first.
#[inline(always)]
fn best(slides: &impl Slides, values: &ByMove<f32>) -> Option<Chosen> {
    let mut best: Option<(f32, Chosen)> = None;
    for mv in slides.legal() {
        let (value, reward) = (values[mv], slides.reward(mv));
        let worth = reward as f32 + value;
        if best.as_ref().is_none_or(|(most, _)| *most < worth) {
            best = Some((worth, Chosen { mv, reward, value }));
        }
    }
    best.map(|(_, chosen)| chosen)
}

/// Chooses [`best`].
struct Best;

impl Greedy for Best {
    type Value = f32;

    #[inline(always)]
    fn choose(&self, _game: &Game, slides: &CrossedSlides, values: &ByMove<f32>) -> Move {
        // There is a legal slide.
        best(slides, values).map_or(Move::Up, |chosen| chosen.mv)
    }
}

/// The state of a game.
struct State<'a> {
    course: Course<'a>,
    /// The stage of the previous board.
    stage: Option<usize>,
    /// The value of the previous afterstate when it was chosen.
    last: Option<f32>,
    score: u64,
    moves: u64,
}

impl<'a> State<'a> {
    fn of(course: Course<'a>) -> Self {
        Self {
            course,
            stage: None,
            last: None,
            score: 0,
            moves: 0,
        }
    }

    /// Checks whether a stage is entered.
    #[inline(always)]
    fn look<P: Readable>(&mut self, board: &P, reader: &Reader, entered: &mut Vec<(usize, Word)>) {
        if self.course.stages.is_empty() {
            return;
        }
        let word = board.own_word(reader);
        let stage = Stage::of(self.course.stages, word.0);
        if self.stage.is_some_and(|before| before < stage) {
            entered.push((stage, word));
        }
        self.stage = Some(stage);
    }

    fn ended(&self, largest: Rank) -> Ended {
        Ended {
            score: self.score,
            largest,
            moves: self.moves,
        }
    }
}

fn grid_of(Word(bits): Word, size: Size) -> Grid {
    let mut grid = Grid::empty(size);
    for index in 0..size.cells() {
        grid.set(
            At::at(index, size),
            Rank::clamped((bits >> (4 * index) & 15) as u8),
        );
    }
    grid
}

/// Called while a game is played.
trait Watch {
    /// A slide was chosen; its indices are in `space.after`.
    fn chosen(
        &self,
        chosen: &Chosen,
        last: Option<f32>,
        word: impl FnOnce() -> u64,
        space: &mut Space,
    );

    /// No slide is left.
    fn over(&self, last: Option<f32>, space: &mut Space);
}

/// Learns nothing.
struct Nothing;

impl Watch for Nothing {
    #[inline(always)]
    fn chosen(
        &self,
        _chosen: &Chosen,
        _last: Option<f32>,
        _word: impl FnOnce() -> u64,
        _space: &mut Space,
    ) {
    }

    #[inline(always)]
    fn over(&self, _last: Option<f32>, _space: &mut Space) {}
}

/// TD(0): each afterstate learns from the next one.
struct Next<'a, W> {
    table: &'a Table<'a, W>,
    rate: f32,
}

impl<W: Cell> Watch for Next<'_, W> {
    #[inline(always)]
    fn chosen(
        &self,
        chosen: &Chosen,
        last: Option<f32>,
        _word: impl FnOnce() -> u64,
        space: &mut Space,
    ) {
        if let Some(last) = last {
            let target = chosen.reward as f32 + chosen.value;
            self.table
                .change(&space.before, self.rate * (target - last));
        }
        space.before.copy(space.after.of(chosen.mv));
    }

    #[inline(always)]
    fn over(&self, last: Option<f32>, space: &mut Space) {
        if let Some(last) = last {
            self.table.change(&space.before, self.rate * (0.0 - last));
        }
    }
}

/// For targets that look further, or learning after the game.
struct Path<'a, W> {
    table: &'a Table<'a, W>,
    lesson: Lesson,
}

impl<W: Cell> Watch for Path<'_, W> {
    fn chosen(
        &self,
        chosen: &Chosen,
        _last: Option<f32>,
        word: impl FnOnce() -> u64,
        space: &mut Space,
    ) {
        space.path.push(Step {
            word: word(),
            reward: chosen.reward as f32,
            value: chosen.value,
        });
        let count = space.path.len();
        if !self.lesson.backward && self.lesson.steps < count {
            self.learn(count - 1 - self.lesson.steps, space);
        }
    }

    fn over(&self, _last: Option<f32>, space: &mut Space) {
        let (count, steps) = (space.path.len(), self.lesson.steps);
        match self.lesson.backward {
            false => (count.saturating_sub(steps)..count).for_each(|at| self.learn(at, space)),
            true if count <= steps || steps == 1 => self.back(space),
            true => (0..count).rev().for_each(|at| {
                self.learn(at, space);
                space.path[at].value = f32::of(self.table.0, &space.before);
            }),
        }
    }
}

impl<W: Cell> Path<'_, W> {
    /// Moves an afterstate towards its target. The target uses the values of later afterstates when they were chosen or
    /// had learned.
    fn learn(&self, at: usize, space: &mut Space) {
        let Space { path, before, .. } = space;
        let horizon = at.saturating_add(self.lesson.steps);
        let lambda = self.lesson.lambda;
        let mut target = 0.0;
        for (place, step) in path.iter().enumerate().take(horizon + 1).skip(at + 1).rev() {
            let lambda = if place == horizon { 0.0 } else { lambda };
            target = step.reward + lambda * target + (1.0 - lambda) * step.value;
        }
        let value = self.table.value(path[at].word, before);
        self.table
            .change(before, self.lesson.rate * (target - value));
    }

    /// All afterstates from the last to the first, each target from the previous one.
    fn back(&self, space: &mut Space) {
        let Space { path, before, .. } = space;
        // With a horizon of one slide nothing beyond the next afterstate counts.
        let lambda = if self.lesson.steps == 1 {
            0.0
        } else {
            self.lesson.lambda
        };
        let (mut target, mut reward, mut value) = (0.0, 0.0, 0.0);
        for step in path.iter().rev() {
            target = reward + lambda * target + (1.0 - lambda) * value;
            let now = self.table.value(step.word, before);
            self.table.change(before, self.lesson.rate * (target - now));
            (reward, value) = (step.reward, f32::of(self.table.0, before));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seed;
    use crate::network::Shape;

    #[test]
    fn games_that_test_are_those_that_are_learnt_from_without_learning() {
        for (size, tuples, symmetric, stages) in [
            ("4x4", "0123 0145 569a", true, &[][..]),
            ("4x4", "0123 0145", true, &[16, 64]),
            ("4x4", "0123 37bf", false, &[]),
            ("3x3", "0134", true, &[]),
            ("2x3", "0134 25", true, &[]),
        ] {
            let shape = Shape::new(size.parse().expect("a size"), tuples, symmetric, stages)
                .expect("a shape");
            let weight =
                |place: u32| (place.wrapping_mul(2_654_435_761) >> 9) as f32 / 7000.0 - 600.0;
            let weights: Vec<f32> = (0..shape.weights() as u32).map(weight).collect();
            let (reader, rules) = (Reader::new(&shape), Training::new(shape.clone(), 1).rules());
            let table = Table(Tables {
                reader: &reader,
                weights: &weights,
            });
            let mut space = Space::default();
            for game in 0..40 {
                let seed = Seed(6).game(game);
                let expected = table.test_plainly(&seed, &rules, &mut space);
                assert_eq!(
                    table.test(&seed, &rules, &mut space),
                    expected,
                    "{size} {tuples}"
                );
            }
        }
    }
}
