//! Greedy play: whole games by a network at one ply.
//!
//! Most of the time of a move goes to memory access: some two hundred weights of 8x6patt, spread over half a gigabyte.
//! So the indices of the weights of all afterstates of a turn are computed first, and the weights are prefetched
//! ([`Afterstates::ask`]). Playing two games alternately, so that one continues while the other waits for its weights,
//! was slower: the prefetches of both exceed the nearest cache.
//!
//! Batches of strategies, test games of a network and `bench` all play this way. They differ in how weights are summed
//! ([`Total`]) and which slide is chosen ([`Greedy`]). Networks that learn prefetch their memory this way as well. The
//! games are those of the plain ways to play and to decide, to the last bit.

use super::{Places, Reader, Weight};
use crate::game::{
    ByMove, Crossed, CrossedSlides, GameSeed, Move, Moves, Position as _, Rows, Rules, Slides as _,
};
use crate::task::prefetch;

/// Weights, and the reader of boards for them.
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

// A derived `Copy` would require `W: Copy`.
impl<W> Copy for Tables<'_, W> {}

/// The table indices of the afterstates of a turn.
#[derive(Clone, Debug, Default)]
pub struct Afterstates([Places; 4]);

impl Afterstates {
    /// Computes the indices of the afterstates of these slides from their ranks, four bits per cell, and prefetches all
    /// of their weights before the first is read.
    #[inline(always)]
    pub fn ask<W>(&mut self, tables: Tables<'_, W>, slides: Moves, word: impl Fn(Move) -> u64) {
        for mv in slides {
            let places = &mut self.0[mv as usize];
            tables.reader.of_word(word(mv), places);
            for &place in places.as_slice() {
                prefetch(tables.weights, place as usize);
            }
        }
    }

    /// The value after each of these slides, which were requested before; 0 for the others.
    #[inline(always)]
    pub fn values<T: Total, W: Weight>(&self, tables: Tables<'_, W>, slides: Moves) -> ByMove<T> {
        let mut values = ByMove::new([T::default(); 4]);
        for mv in slides {
            values[mv] = T::of(tables, &self.0[mv as usize]);
        }
        values
    }

    /// The indices of one slide.
    #[inline(always)]
    pub fn of(&self, mv: Move) -> &Places {
        &self.0[mv as usize]
    }
}

/// How the weights of a board are summed, and from which of its images it is read. Both affect the rounding of the sum.
pub trait Total: Copy + Default {
    /// The ranks of the afterstate of a slide, four bits per cell.
    fn word(slides: &CrossedSlides, mv: Move, reader: &Reader) -> u64;

    fn of<W: Weight>(tables: Tables<'_, W>, places: &Places) -> Self;
}

/// As in learning. A reader that covers all images gets the afterstate as the slide made it, transposed or not.
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

/// As in strategies: the value that the evaluator gives the board in its real orientation.
impl Total for f64 {
    #[inline(always)]
    fn word(slides: &CrossedSlides, mv: Move, _reader: &Reader) -> u64 {
        slides.after(mv).packed().bits()
    }

    #[inline(always)]
    fn of<W: Weight>(Tables { reader, weights }: Tables<'_, W>, places: &Places) -> Self {
        let mut sum = 0.0;
        if reader.row_len() == 8 {
            for row in places.as_slice().as_chunks::<8>().0 {
                sum += of_row(weights, row);
            }
        } else {
            for row in places.as_slice().as_chunks::<1>().0 {
                sum += of_row(weights, row);
            }
        }
        sum
    }
}

/// The sum over the images of one tuple.
#[inline(always)]
pub(super) fn of_row<W: Weight>(weights: &[W], row: &[u32]) -> f64 {
    // Two separate chains: an addition takes longer than a request for the next weight.
    let (pairs, odd) = row.as_chunks::<2>();
    let [mut even, mut other] = [0.0, 0.0];
    for &[one, two] in pairs {
        even += f64::from(weights[one as usize].value());
        other += f64::from(weights[two as usize].value());
    }
    odd.iter()
        .map(|&place| f64::from(weights[place as usize].value()))
        .sum::<f64>()
        + (even + other)
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

/// A policy that decides by the values of afterstates alone.
pub trait Greedy {
    type Value: Total;

    /// Chooses one of at least two slides, given the points to come after each.
    fn choose(&self, game: &Game, slides: &CrossedSlides, values: &ByMove<Self::Value>) -> Move;
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    Over,
    /// At a slide that makes a tile too large for a packed board. The game continues on a grid.
    TooLarge,
}

/// Plays a game on a 4×4 board to its end, or as far as a packed board can hold it.
pub fn play<W: Weight, G: Greedy>(
    tables: Tables<'_, W>,
    rules: &Rules,
    by: &G,
    game: &mut Game,
) -> Left {
    let rows = Rows::shared();
    let mut after = Afterstates::default();
    loop {
        if rules
            .stop_at
            .is_some_and(|rank| rank <= game.board.max_rank())
        {
            return Left::Over;
        }
        let Some(slides) = game.board.slides(rows) else {
            return Left::TooLarge;
        };
        let legal = slides.legal();
        let Some(only) = legal.first() else {
            return Left::Over;
        };
        let mv = if legal.is_decided() {
            only
        } else {
            after.ask(tables, legal, |mv| {
                G::Value::word(&slides, mv, tables.reader)
            });
            by.choose(game, &slides, &after.values(tables, legal))
        };
        // Spawns 0 and 1 are the opening.
        game.board = game
            .seed
            .add_tile(slides.after(mv), game.moves + 2, rules.p4);
        game.score = game.score.saturating_add(u64::from(slides.reward(mv)));
        game.moves += 1;
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
                let board =
                    Packed::from_bits(seed.place_draw(0) & seed.place_draw(1) & seed.place_draw(2))
                        .crossed();
                let Some(slides) = board.slides(Rows::shared()) else {
                    continue;
                };
                let legal = slides.legal();
                after.ask(network.tables(), legal, |mv| {
                    f64::word(&slides, mv, network.reader())
                });
                let values: ByMove<f64> = after.values(network.tables(), legal);
                let at_once = network.after_slides(&slides, legal);
                for mv in legal {
                    let value = network.of_packed(slides.after(mv).packed().bits());
                    assert_eq!(
                        values[mv].to_bits(),
                        value.to_bits(),
                        "{tuples} {board:?} {mv}"
                    );
                    assert_eq!(at_once[mv].to_bits(), value.to_bits());
                }
                after.ask(network.tables(), legal, |mv| {
                    f32::word(&slides, mv, network.reader())
                });
                let rounded: ByMove<f32> = after.values(network.tables(), legal);
                let near = |mv| (f64::from(rounded[mv]) - values[mv]).abs() < 1e-5 * 64.0 * 4e6;
                assert!(legal.iter().all(near), "{tuples} {board:?}");
            }
        }
    }
}
