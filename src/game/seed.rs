//! The random draws of game `i`.
//!
//! The randomness in game `i` of an experiment depends only on the experiment's seed and on `i`: not on threads, not on
//! time, not on other games. Three separate streams answer three questions, so that no answer affects another: *where*
//! spawn `k` appears, *which* tile it is, and *how* a tie at move `k` is broken. So two strategies that make the same
//! moves in game `i` see the same spawns.
//!
//! # The generator, exactly
//!
//! SplitMix64 (Steele, Lea and Flood 2014; `splitmix64.c` of Vigna): output number `k`, counted from 0, of a
//! stream with key `x` is `mix(x + (k + 1)·φ)` in 64-bit arithmetic with φ = `0x9e3779b97f4a7c15` and
//!
//! ```text
//! mix(z):  z ← (z ⊕ z≫30) · 0xbf58476d1ce4e5b9;  z ← (z ⊕ z≫27) · 0x94d049bb133111eb;  z ⊕ z≫31
//! ```
//!
//! - The experiment's key is output 0 of the stream with key *seed*.
//! - The keys of *place*, *value* and *tie* of game `i` are outputs 0, 1 and 2 of the stream with key *experiment's
//!   key* + `i`.
//! - Spawn `k` (0 and 1 are the first two tiles, spawn `m + 2` follows slide `m`) is on empty cell number ⌊u·n / 2⁶⁴⌋
//!   of the `n` empty cells in reading order, u = output `k` of *place*. It is a 4 if the upper 53 bits of output `k`
//!   of *value*, as a fraction of 2⁵³, are below `p4`.
//! - A tie between `n` moves at move `m` takes number ⌊u·n / 2⁶⁴⌋ in the order up, down, left, right, u = output `m` of
//!   *tie*.
//!
//! # The first spawn of games from a position
//!
//! Many games from a given board ([`Rules::start`]) are played to value its moves. In these games the tile after the
//! first slide is *stratified*: among any number of games each cell and each tile comes nearly as often as expected.
//! With key `s`, output 1 of the stream with key *seed*, game `i` uses the fraction `f` of `s + i·φ` in place of both
//! draws of spawn 2 (Weyl's sequence of the golden ratio: among any `N` consecutive games the share in an interval is
//! off by at most about log N / N). `f` below `p4` is a 4 on cell ⌊f/p4·n⌋, otherwise a 2 on cell ⌊(f − p4)/(1 −
//! p4)·n⌋. It is the same for every first slide, and in each game alone it is as uniform as any draw.
//!
//! The draws of a search on a board, with its own number as the seed, are those of game *number of the draw* of the
//! experiment with the seed [`Seed::of_board`]. They depend on nothing else, so the same board gets the same draws in
//! every game and without one.
//!
//! The generator is counter-based, so any draw can be computed at any time: replaying a game from its middle needs no
//! state.

use super::{Board, Crossed, Packed, Position, Rank, Rules, Size, Spawn};

/// Name of the generator in manifests and game records.
pub const GENERATOR: &str = "splitmix64, streams place/value/tie per game, version 1";

const PHI: u64 = 0x9e37_79b9_7f4a_7c15;

/// Output number `k` of the SplitMix64 stream with this key.
///
/// Written out because the constructor of `rand_xoshiro` is not inlined: the calls cost random play 2 %. The tests
/// compare the two.
#[inline(always)]
fn output(key: u64, k: u64) -> u64 {
    let z = key.wrapping_add(k.wrapping_add(1).wrapping_mul(PHI));
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// ⌊u·n / 2⁶⁴⌋: a number below `n`, uniform up to 2⁻⁵⁹ for the `n` of this game.
#[inline(always)]
fn below(u: u64, n: u32) -> u32 {
    ((u128::from(u) * u128::from(n)) >> 64) as u32
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seed(pub u64);

impl Seed {
    pub fn game(self, index: u64) -> GameSeed {
        let key = output(self.0, 0).wrapping_add(index);
        GameSeed {
            place: output(key, 0),
            value: output(key, 1),
            tie: output(key, 2),
            first: None,
        }
    }

    /// The same with a first spawn that is stratified over the games of this seed.
    pub fn stratified_game(self, index: u64) -> GameSeed {
        GameSeed {
            first: Some(output(self.0, 1).wrapping_add(index.wrapping_mul(PHI))),
            ..self.game(index)
        }
    }

    /// Whether any of the first `games` games is also one of the first `games` games of another seed.
    pub fn shares_games(self, other: Self, games: u64) -> bool {
        let [one, other] = [self, other].map(|seed| output(seed.0, 0));
        one.wrapping_sub(other) < games || other.wrapping_sub(one) < games
    }

    /// The seed of the draws of a search on a board. The key starts from this seed and the number of rows; each cell in
    /// reading order replaces it by output *rank* of its stream.
    #[must_use]
    pub fn of_board(self, board: &Board) -> Self {
        let begun = output(self.0, board.size().rows() as u64);
        Self(
            board
                .cells()
                .fold(begun, |key, (_, rank)| output(key, u64::from(rank.get()))),
        )
    }
}

/// The random draws of one game: the keys of its three streams.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GameSeed {
    place: u64,
    value: u64,
    tie: u64,
    /// The stratified draw in place of both draws of the first spawn.
    first: Option<u64>,
}

/// The index of the spawn after the first slide: 0 and 1 are the first two tiles.
const FIRST: u32 = 2;

/// The upper 53 bits of a draw as a fraction; both operations are exact.
#[inline(always)]
fn fraction(draw: u64) -> f64 {
    (draw >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

impl GameSeed {
    /// Draw `k` of the stream for cells.
    #[inline(always)]
    pub fn place_draw(&self, k: u32) -> u64 {
        output(self.place, u64::from(k))
    }

    /// Draw `k` of the stream for tiles.
    #[inline(always)]
    pub fn value_draw(&self, k: u32) -> u64 {
        output(self.value, u64::from(k))
    }

    #[inline(always)]
    pub fn rank(&self, k: u32, p4: f64) -> Rank {
        if fraction(self.value_draw(k)) < p4 {
            Rank::FOUR
        } else {
            Rank::TWO
        }
    }

    /// The empty cell of spawn `k`: one of `n` in reading order, from 0. `n` must not be 0.
    #[inline(always)]
    pub fn place(&self, k: u32, n: u32) -> u32 {
        below(self.place_draw(k), n)
    }

    /// Adds spawn `k` to a position with at least one empty cell.
    #[inline(always)]
    pub fn add_tile<P: Position>(&self, position: P, k: u32, p4: f64) -> P {
        if let (FIRST, Some(fraction)) = (k, self.first_fraction()) {
            let (nth, rank) = stratum(fraction, position.empty_count(), p4);
            return position.with_tile_on_empty(nth, rank);
        }
        let nth = self.place(k, position.empty_count());
        position.with_tile_on_empty(nth, self.rank(k, p4))
    }

    /// Spawn `k` on a board. Panics if the board is full, which an afterstate never is.
    pub fn spawn(&self, k: u32, board: &Board, p4: f64) -> Spawn {
        let empty = board.empty_cells();
        if let (FIRST, Some(fraction)) = (k, self.first_fraction()) {
            let (nth, rank) = stratum(fraction, empty.len() as u32, p4);
            return Spawn {
                cell: empty[nth as usize],
                rank,
            };
        }
        let nth = self.place(k, empty.len() as u32);
        Spawn {
            cell: empty[nth as usize],
            rank: self.rank(k, p4),
        }
    }

    /// The index of one of `n` tied moves at move `m`. `n` must not be 0.
    #[inline(always)]
    pub fn tie(&self, m: u32, n: usize) -> usize {
        below(output(self.tie, u64::from(m)), n as u32) as usize
    }

    /// The position of the first spawn among all possible ones, from 0 to 1: below `p4` are the 4s in the order of the
    /// cells, then the 2s. `None` if it is not stratified.
    #[inline(always)]
    pub fn first_fraction(&self) -> Option<f64> {
        self.first.map(fraction)
    }

    /// [`Self::opening`] in the form for playing. `None` if that needs a grid.
    pub fn crossed_opening(&self, rules: &Rules) -> Option<Crossed> {
        match &rules.start {
            Some(start) => start.as_packed().map(Packed::crossed),
            None if rules.size == Size::FOUR => Some(self.add_tile(
                self.add_tile(Packed::EMPTY.crossed(), 0, rules.p4),
                1,
                rules.p4,
            )),
            None => None,
        }
    }

    /// The first board: that of the rules, otherwise spawns 0 and 1 on an empty one.
    pub fn opening(&self, rules: &Rules) -> Board {
        if let Some(start) = rules.start {
            return start;
        }
        (0..2).fold(Board::empty(rules.size), |board, k| {
            let Spawn { cell, rank } = self.spawn(k, &board, rules.p4);
            board.with(cell, rank)
        })
    }
}

/// The empty cell, from 0, and the tile of a stratified first spawn. `n` must not be 0.
fn stratum(fraction: f64, n: u32, p4: f64) -> (u32, Rank) {
    let (rank, within) = if fraction < p4 {
        (Rank::FOUR, fraction / p4)
    } else {
        (Rank::TWO, (fraction - p4) / (1.0 - p4))
    };
    (((within * f64::from(n)) as u32).min(n - 1), rank)
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _};
    use rand_xoshiro::SplitMix64;

    use super::*;

    /// The definition in the module's text, from an independent generator that returns one number after another.
    fn defined(key: u64, k: u64) -> u64 {
        SplitMix64::seed_from_u64(key.wrapping_add(k.wrapping_mul(PHI))).next_u64()
    }

    #[test]
    fn draws_are_those_of_the_text() {
        for (seed, index) in [(0, 0), (7, 3), (u64::MAX, u64::MAX), (2048, 1 << 40)] {
            let game = Seed(seed).game(index);
            let key = defined(seed, 0).wrapping_add(index);
            let mut stream = SplitMix64::seed_from_u64(key);
            assert!((0..100).all(|k| output(key, k) == stream.next_u64()));
            for k in [0, 1, 2, 1000] {
                assert_eq!(game.place_draw(k), defined(defined(key, 0), u64::from(k)));
                assert_eq!(game.value_draw(k), defined(defined(key, 1), u64::from(k)));
                let tie = (u128::from(defined(defined(key, 2), u64::from(k))) * 3) >> 64;
                assert_eq!(game.tie(k, 3), tie as usize);
            }
        }
        // First outputs of the published splitmix64.c for the seed 1234567.
        assert_eq!(output(1_234_567, 0), 6_457_827_717_110_365_317);
        assert_eq!(output(1_234_567, 1), 3_203_168_211_198_807_973);
    }

    #[test]
    fn every_board_and_every_seed_has_draws_of_its_own() {
        let texts = [
            "2,0/0,0",
            "0,2/0,0",
            "4,0/0,0",
            "2,2/0,0",
            "2,0,0/0,0,0",
            "2,0/0,0/0,0",
            "0,0/0,0",
        ];
        let boards = texts.map(|text| text.parse::<Board>().expect(text));
        let seeds: Vec<Seed> = (0..9)
            .flat_map(|seed| boards.map(|board| Seed(seed).of_board(&board)))
            .collect();
        assert!(
            seeds
                .iter()
                .enumerate()
                .all(|(place, seed)| !seeds[..place].contains(seed))
        );
        let expected = [2, 1, 0, 0, 0].into_iter().fold(7, defined);
        assert_eq!(Seed(7).of_board(&boards[0]), Seed(expected));
    }

    #[test]
    fn certain_tiles_are_certain() {
        let game = Seed(5).game(9);
        for k in 0..2000 {
            assert_eq!(game.rank(k, 0.0), Rank::TWO);
            assert_eq!(game.rank(k, 1.0), Rank::FOUR);
        }
    }

    #[test]
    fn fours_come_as_often_as_asked() {
        let n = 200_000;
        let fours = (0..n)
            .filter(|&k| Seed(3).game(1).rank(k, 0.1) == Rank::FOUR)
            .count();
        let sd = (f64::from(n) * 0.1 * 0.9).sqrt();
        assert!(
            (fours as f64 - f64::from(n) * 0.1).abs() < 4.0 * sd,
            "{fours}"
        );
    }

    #[test]
    fn first_spawns_from_a_position_come_as_often_as_they_should() {
        let after: Board = "0,2,0,0/8,4,0,0/2,0,0,0/4,8,2,16".parse().expect("a board");
        let cells = after.empty_count();
        for (seed, p4) in [(1, 0.1), (2, 0.5), (3, 0.0), (4, 1.0)] {
            let rules = Rules {
                p4,
                start: Some(after),
                ..Rules::default()
            };
            for games in [50_u32, 400, 5000] {
                let mut counts = std::collections::HashMap::new();
                for index in 0..u64::from(games) {
                    let game = rules.chance(Seed(seed), index);
                    assert_eq!(game.opening(&rules), after);
                    let spawn = game.spawn(2, &after, p4);
                    assert_eq!(
                        game.add_tile(after.to_grid(), 2, p4).to_board(),
                        after.with(spawn.cell, spawn.rank)
                    );
                    // All other draws are unchanged.
                    assert_eq!(
                        game.spawn(3, &after, p4),
                        Seed(seed).game(index).spawn(3, &after, p4)
                    );
                    *counts.entry(spawn).or_insert(0) += 1;
                }
                for cell in after.empty_cells() {
                    for (rank, share) in [(Rank::FOUR, p4), (Rank::TWO, 1.0 - p4)] {
                        let expected = f64::from(games) * share / f64::from(cells);
                        let count =
                            f64::from(counts.get(&Spawn { cell, rank }).copied().unwrap_or(0));
                        assert!(
                            (count - expected).abs() <= 3.0,
                            "{count} of {expected} {rank} on {cell}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_fast_spawn_and_the_plain_one_agree_on_every_size() {
        for size in Size::all() {
            for index in 0..200 {
                let game = Seed(4).game(index);
                let board = game.opening(&Rules {
                    size,
                    ..Rules::default()
                });
                assert_eq!(
                    board.cells().filter(|(_, rank)| !rank.is_empty()).count(),
                    2
                );
                if board.empty_count() == 0 {
                    continue;
                }
                let spawn = game.spawn(2, &board, 0.1);
                let plain = board.with(spawn.cell, spawn.rank);
                assert_eq!(game.add_tile(board.to_grid(), 2, 0.1).to_board(), plain);
                if let Some(packed) = board.as_packed() {
                    assert_eq!(game.add_tile(packed.crossed(), 2, 0.1).to_board(), plain);
                }
            }
        }

        let start = |text: &str| Rules {
            start: Some(text.parse().expect("a board")),
            ..Rules::default()
        };
        let small = Rules {
            size: Size::new(3, 3).expect("a size"),
            ..Rules::default()
        };
        for (rules, is_crossed) in [
            (Rules::default(), true),
            (
                Rules {
                    p4: 0.7,
                    ..Rules::default()
                },
                true,
            ),
            (start("2,0,0,4/0,0,0,0/0,8,0,0/0,0,0,0"), true),
            (start("65536,0,0,4/0,0,0,0/0,8,0,0/0,0,0,0"), false),
            (small, false),
        ] {
            let game = Seed(4).game(7);
            let crossed = game.crossed_opening(&rules).map(Crossed::to_board);
            assert_eq!(
                crossed,
                is_crossed.then(|| game.opening(&rules)),
                "{rules:?}"
            );
        }
    }
}
