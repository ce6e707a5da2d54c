//! Greedy play: one ply by a network alone, some games at a time.
//!
//! What a move of it takes is the memory: some two hundred weights of 8x6patt, all over half a gigabyte. So where the weights of
//! all afterstates of a turn stand is found first, and the memory is asked for each of them without waiting ([`Afterstates::ask`]);
//! and until they have come another game is gone on with, of which the weights were asked for before ([`play`]). Games know
//! nothing of each other: each is what it would be by itself, to the last bit, as the plain ways to play and to decide are held
//! against.
//!
//! Batches of strategies, games that test a network and `bench` all play so; what differs between them is how weights are added
//! up ([`Total`]) and which slide is taken ([`Greedy`]). Networks that learn ask for their memory so, too, in one game at a time.

use super::{Places, Reader, Weight};
use crate::game::{ByMove, Crossed, CrossedSlides, GameSeed, Move, Moves, Position as _, Rows, Rules, Slides as _};
use crate::task::prefetch;

/// Games at a time on one thread: the weights of one come from memory while places of the others are found.
const AT_A_TIME: usize = 2;

/// Weights, and where a board is read in them.
#[derive(Debug)]
pub struct Tables<'a, W> {
    pub reader: &'a Reader,
    pub weights: &'a [W],
}

impl<W> Clone for Tables<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

// Whether weights can be copied is no matter.
impl<W> Copy for Tables<'_, W> {}

/// Where the weights of the afterstates of a turn stand.
#[derive(Clone, Debug, Default)]
pub struct Afterstates([Places; 4]);

impl Afterstates {
    /// Finds the places of the afterstates of these slides by their ranks, four bits a cell, and asks the memory for all of them
    /// before the first is read.
    #[inline(always)]
    pub fn ask<W>(&mut self, tables: Tables<'_, W>, slides: Moves, word: impl Fn(Move) -> u64) {
        for mv in slides {
            let places = &mut self.0[mv as usize];
            tables.reader.of_word(word(mv), places);
            places.as_slice().iter().for_each(|&place| prefetch(tables.weights, place as usize));
        }
    }

    /// What comes after each of these slides, which were asked for; 0 for the others.
    #[inline(always)]
    pub fn values<T: Total, W: Weight>(&self, tables: Tables<'_, W>, slides: Moves) -> ByMove<T> {
        let mut values = ByMove::new([T::default(); 4]);
        for mv in slides {
            values[mv] = T::of(tables, &self.0[mv as usize]);
        }
        values
    }

    /// Those of one slide.
    #[inline(always)]
    pub fn of(&self, mv: Move) -> &Places {
        &self.0[mv as usize]
    }
}

/// How the weights of a board are added up, and which of its images it is read by: both decide how the sum is rounded.
pub trait Total: Copy + Default {
    /// The ranks of the afterstate of a slide, four bits a cell.
    fn word(slides: &CrossedSlides, mv: Move, reader: &Reader) -> u64;

    fn of<W: Weight>(tables: Tables<'_, W>, places: &Places) -> Self;
}

/// As networks learn. Of a reader that takes all images the afterstate comes as the slide made it, transposed or not.
impl Total for f32 {
    #[inline(always)]
    fn word(slides: &CrossedSlides, mv: Move, reader: &Reader) -> u64 {
        match reader.is_symmetric() {
            true => slides.as_slid(mv).bits(),
            false => slides.after(mv).packed().bits(),
        }
    }

    #[inline(always)]
    fn of<W: Weight>(Tables { weights, .. }: Tables<'_, W>, places: &Places) -> Self {
        let mut sums = [0.0_f32; 4];
        let (fours, rest) = places.as_slice().as_chunks::<4>();
        for four in fours {
            for (sum, &place) in sums.iter_mut().zip(four) {
                *sum += weights[place as usize].value();
            }
        }
        for &place in rest {
            sums[0] += weights[place as usize].value();
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }
}

/// As strategies play: the value that the evaluator gives the board as it lies.
impl Total for f64 {
    #[inline(always)]
    fn word(slides: &CrossedSlides, mv: Move, _reader: &Reader) -> u64 {
        slides.after(mv).packed().bits()
    }

    #[inline(always)]
    fn of<W: Weight>(Tables { reader, weights }: Tables<'_, W>, places: &Places) -> Self {
        let mut sum = 0.0;
        match reader.row_len() {
            8 => places.as_slice().as_chunks::<8>().0.iter().for_each(|row| sum += of_row(weights, row)),
            _ => places.as_slice().as_chunks::<1>().0.iter().for_each(|row| sum += of_row(weights, row)),
        }
        sum
    }
}

/// What the images of one tuple add up to.
#[inline(always)]
pub(super) fn of_row<W: Weight>(weights: &[W], row: &[u32]) -> f64 {
    // Not in one chain: an addition takes longer than asking for the next weight.
    let (pairs, odd) = row.as_chunks::<2>();
    let [mut even, mut other] = [0.0, 0.0];
    for &[one, two] in pairs {
        even += f64::from(weights[one as usize].value());
        other += f64::from(weights[two as usize].value());
    }
    odd.iter().map(|&place| f64::from(weights[place as usize].value())).sum::<f64>() + (even + other)
}

/// A game at a turn.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    pub seed: GameSeed,
    pub board: Crossed,
    pub score: u64,
    /// Slides so far.
    pub moves: u32,
}

/// Who plays by the values of afterstates alone.
pub trait Greedy {
    type Value: Total;

    /// One of at least two slides, by the points to come after each.
    fn choose(&self, game: &Game, slides: &CrossedSlides, values: &ByMove<Self::Value>) -> Move;
}

/// How a game was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    Over,
    /// At a slide that makes a tile which a packed board cannot hold: whoever plays on a grid goes on.
    TooLarge,
}

/// Plays games on 4×4 boards until `next` gives no other, some at a time. Each is told when it is left, with its number in the order
/// in which they were begun: a long one is told after shorter ones that were begun later.
pub fn play<W: Weight, G: Greedy>(
    tables: Tables<'_, W>,
    rules: &Rules,
    by: &G,
    next: impl FnMut() -> Option<Game>,
    ended: impl FnMut(usize, &Game, Left),
) {
    let mut hall = Hall { tables, rules, rows: Rows::shared(), by, next, ended, begun: 0 };
    let mut lanes: Vec<Lane> = Vec::with_capacity(AT_A_TIME);
    while lanes.len() < AT_A_TIME
        && let Some(lane) = hall.opened()
    {
        lanes.push(lane);
    }
    lanes.iter_mut().for_each(|lane| hall.ask(lane));
    while !lanes.is_empty() {
        for place in 0..lanes.len() {
            let lane = &mut lanes[place];
            if !hall.turn(lane) && !hall.begin(lane) {
                lanes.swap_remove(place);
                break;
            }
            hall.ask(lane);
        }
    }
}

/// A game at a turn.
struct Lane {
    number: usize,
    game: Game,
    slides: CrossedSlides,
    after: Afterstates,
}

/// Where games are played.
struct Hall<'a, W, G, N, E> {
    tables: Tables<'a, W>,
    rules: &'a Rules,
    rows: &'static Rows,
    by: &'a G,
    next: N,
    ended: E,
    begun: usize,
}

impl<W: Weight, G: Greedy, N: FnMut() -> Option<Game>, E: FnMut(usize, &Game, Left)> Hall<'_, W, G, N, E> {
    /// A lane with the next game that has a turn, if there is one.
    fn opened(&mut self) -> Option<Lane> {
        let (number, game, slides) = self.next_with_turn()?;
        Some(Lane { number, game, slides, after: Afterstates::default() })
    }

    /// Plays the next game that has a turn in a lane whose game is over; false where there is none.
    fn begin(&mut self, lane: &mut Lane) -> bool {
        let Some((number, game, slides)) = self.next_with_turn() else { return false };
        (lane.number, lane.game, lane.slides) = (number, game, slides);
        true
    }

    fn next_with_turn(&mut self) -> Option<(usize, Game, CrossedSlides)> {
        loop {
            let game = (self.next)()?;
            let number = self.begun;
            self.begun += 1;
            match self.slides(&game) {
                Ok(slides) => return Some((number, game, slides)),
                Err(left) => (self.ended)(number, &game, left),
            }
        }
    }

    /// Makes the slide of a turn and goes to the next; false where the game was left.
    #[inline(always)]
    fn turn(&mut self, lane: &mut Lane) -> bool {
        let Lane { game, slides, after, .. } = lane;
        let legal = slides.legal();
        let mv = match legal.first().filter(|_| legal.is_decided()) {
            Some(only) => only,
            None => self.by.choose(game, slides, &after.values(self.tables, legal)),
        };
        // Spawns 0 and 1 are the opening.
        game.board = game.seed.add_tile(slides.after(mv), game.moves + 2, self.rules.p4);
        game.score = game.score.saturating_add(u64::from(slides.reward(mv)));
        game.moves += 1;
        match self.slides(game) {
            Ok(slides) => lane.slides = slides,
            Err(left) => {
                (self.ended)(lane.number, game, left);
                return false;
            }
        }
        true
    }

    /// The slides of a turn, at least one legal.
    #[inline(always)]
    fn slides(&self, game: &Game) -> Result<CrossedSlides, Left> {
        if self.rules.stop_at.is_some_and(|rank| rank <= game.board.max_rank()) {
            return Err(Left::Over);
        }
        let slides = game.board.slides(self.rows).ok_or(Left::TooLarge)?;
        if slides.legal().is_empty() { Err(Left::Over) } else { Ok(slides) }
    }

    /// Asks for what the turn of a lane is decided by. One legal slide needs nothing.
    #[inline(always)]
    fn ask(&self, Lane { slides, after, .. }: &mut Lane) {
        let legal = slides.legal();
        if !legal.is_decided() {
            after.ask(self.tables, legal, |mv| G::Value::word(slides, mv, self.tables.reader));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Packed, Seed, Size};
    use crate::network::{Network, NetworkInfo, Shape};

    #[test]
    fn what_was_asked_for_is_what_the_network_says_to_the_last_bit() {
        for (tuples, symmetric, stages) in [
            ("012345 456789", true, &[][..]),
            ("0123 0145 569a", true, &[64, 256]),
            ("0123 37bf 0145", false, &[]),
            ("02 5a 8f 0f 3c 1b 4d e1", true, &[]),
            ("fb73 0", true, &[]),
        ] {
            let shape = Shape::new(Size::FOUR, tuples, symmetric, stages).expect("a shape");
            let weight = |place: u32| (place.wrapping_mul(2_654_435_761) >> 7) as f32 / 3.0 - 4e6;
            let weights = (0..shape.weights() as u32).map(weight).collect();
            let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
            let mut after = Afterstates::default();
            for number in 0..200 {
                let seed = Seed(number).game(0);
                let board = Packed::from_bits(seed.place_draw(0) & seed.place_draw(1) & seed.place_draw(2)).crossed();
                let Some(slides) = board.slides(Rows::shared()) else { continue };
                let legal = slides.legal();
                after.ask(network.tables(), legal, |mv| f64::word(&slides, mv, network.reader()));
                let values: ByMove<f64> = after.values(network.tables(), legal);
                let at_once = network.after_slides(&slides, legal);
                for mv in legal {
                    let value = network.of_packed(slides.after(mv).packed().bits());
                    assert_eq!(values[mv].to_bits(), value.to_bits(), "{tuples} {board:?} {mv}");
                    assert_eq!(at_once[mv].to_bits(), value.to_bits());
                }
                after.ask(network.tables(), legal, |mv| f32::word(&slides, mv, network.reader()));
                let rounded: ByMove<f32> = after.values(network.tables(), legal);
                let near = |mv| (f64::from(rounded[mv]) - values[mv]).abs() < 1e-5 * 64.0 * 4e6;
                assert!(legal.iter().all(near), "{tuples} {board:?}");
            }
        }
    }
}
