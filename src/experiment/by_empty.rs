//! Decisions and the nodes of their searches by the number of empty cells: Fig. 8 of Solver.

use crate::stats::{Interval, mean_interval};

/// Of the searched decisions of a game, for each number of empty cells of the board to move, from 0: how many there are,
/// and their nodes. A forced move is a decision without nodes. Empty if the strategy does not search, and in games of
/// older programs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ByEmpty(Vec<(u32, u64)>);

impl ByEmpty {
    /// Bytes of each number of empty cells.
    pub(super) const BYTES: usize = 12;
    /// Numbers of empty cells on the largest board, with 0.
    const MOST: usize = 26;

    /// Adds a decision.
    pub fn add(&mut self, empty: usize, nodes: u64) {
        if self.0.len() <= empty {
            self.0.resize(empty + 1, (0, 0));
        }
        self.0[empty].0 += 1;
        self.0[empty].1 += nodes;
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the sums match the moves and nodes of the game. An empty one matches every game.
    pub(super) fn is_of(&self, moves: u32, nodes: u64) -> bool {
        let sums = self.0.iter().fold((0, 0), |sums, &(decisions, nodes)| {
            (sums.0 + u64::from(decisions), sums.1 + u128::from(nodes))
        });
        self.is_empty() || sums == (moves.into(), nodes.into())
    }

    /// The decisions (4 bytes) and nodes (8 bytes) of each number of empty cells, little-endian.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let bytes = |&(decisions, nodes): &(u32, u64)| {
            decisions
                .to_le_bytes()
                .into_iter()
                .chain(nodes.to_le_bytes())
        };
        self.0.iter().flat_map(bytes).collect()
    }

    /// Reads what [`bytes`](Self::bytes) wrote. `None` if these are not such bytes.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let entry = |bytes: &[u8]| {
            let (decisions, nodes) = bytes.split_first_chunk()?;
            Some((
                u32::from_le_bytes(*decisions),
                u64::from_le_bytes(nodes.try_into().ok()?),
            ))
        };
        let entries = bytes
            .chunks(Self::BYTES)
            .map(entry)
            .collect::<Option<Vec<_>>>()?;
        (entries.len() <= Self::MOST).then_some(Self(entries))
    }
}

/// The decisions of many games on boards with the same number of empty cells.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Decisions {
    /// Games with such a decision.
    pub games: u64,
    pub decisions: u64,
    pub nodes: u64,
    /// Sums over games: decisions squared, decisions times nodes, nodes squared.
    squares: [u128; 3],
}

impl Decisions {
    fn of_game(decisions: u32, nodes: u64) -> Self {
        let (d, n) = (u128::from(decisions), u128::from(nodes));
        Self {
            games: (decisions != 0).into(),
            decisions: decisions.into(),
            nodes,
            squares: [d * d, d * n, n * n],
        }
    }

    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.squares
            .iter_mut()
            .zip(other.squares)
            .for_each(|(ours, theirs)| *ours = ours.saturating_add(theirs));
    }

    /// Mean nodes of a decision. `None` without decisions.
    pub fn mean(&self) -> Option<f64> {
        (self.decisions != 0).then(|| self.nodes as f64 / self.decisions as f64)
    }

    /// The 95 % interval of the mean. Decisions of a game are alike, so games are the sample: the mean is the ratio of
    /// two sums over games. `None` below two games.
    pub fn interval(&self) -> Option<Interval> {
        let mean = self.mean()?;
        let [dd, dn, nn] = self.squares.map(|sum| sum as f64);
        let spread = (nn - 2.0 * mean * dn + mean * mean * dd).max(0.0);
        let freedom = self.games.checked_sub(1).filter(|freedom| *freedom != 0)?;
        let per_game = self.decisions as f64 / self.games as f64;
        let interval = mean_interval(
            self.games,
            mean,
            (spread / freedom as f64).sqrt() / per_game,
        )?;
        Some(Interval {
            low: interval.low.max(0.0),
            ..interval
        })
    }
}

/// The decisions of many games by the number of empty cells, from 0.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    by_empty: Vec<Decisions>,
    /// Games with decisions.
    pub(super) games: u64,
}

impl Sums {
    pub(super) const EMPTY: Self = Self {
        by_empty: Vec::new(),
        games: 0,
    };

    pub(super) fn merge(&mut self, other: &Self) {
        if self.by_empty.len() < other.by_empty.len() {
            self.by_empty
                .resize(other.by_empty.len(), Decisions::default());
        }
        self.by_empty
            .iter_mut()
            .zip(&other.by_empty)
            .for_each(|(ours, theirs)| ours.merge(theirs));
        self.games += other.games;
    }

    pub(super) fn nodes(&self) -> u64 {
        self.by_empty
            .iter()
            .fold(0, |sum, one| sum.saturating_add(one.nodes))
    }

    /// Each number of empty cells with a decision.
    pub(super) fn decided(&self) -> impl Iterator<Item = (usize, &Decisions)> {
        self.by_empty
            .iter()
            .enumerate()
            .filter(|(_, one)| one.decisions != 0)
    }
}

impl<'a> FromIterator<&'a ByEmpty> for Sums {
    fn from_iter<T: IntoIterator<Item = &'a ByEmpty>>(games: T) -> Self {
        let mut sums = Self::EMPTY;
        for game in games.into_iter().filter(|game| !game.is_empty()) {
            let by_empty = game
                .0
                .iter()
                .map(|&(decisions, nodes)| Decisions::of_game(decisions, nodes))
                .collect();
            sums.merge(&Self { by_empty, games: 1 });
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(decisions: &[(usize, u64)]) -> ByEmpty {
        let mut game = ByEmpty::default();
        decisions
            .iter()
            .for_each(|&(empty, nodes)| game.add(empty, nodes));
        game
    }

    #[test]
    fn bytes_are_read_as_they_were_written_and_others_refused() {
        let some = game(&[(3, 7), (0, u64::MAX - 9), (3, 2), (14, 0)]);
        let bytes = some.bytes();
        assert_eq!(
            (bytes.len(), ByEmpty::read(&bytes)),
            (15 * 12, Some(some.clone()))
        );
        assert_eq!(ByEmpty::read(&[]), Some(ByEmpty::default()));
        assert_eq!(
            [&bytes[1..], &[0; 27 * 12]].map(ByEmpty::read),
            [None, None]
        );
        assert!(
            some.is_of(4, u64::MAX) && !some.is_of(5, u64::MAX) && !some.is_of(4, u64::MAX - 1)
        );
        assert!(ByEmpty::default().is_of(5, 7));
    }

    #[test]
    fn games_are_the_sample_of_the_interval() {
        // By hand: nodes 10, 20 and 60 of 1, 2 and 3 decisions: the mean is 90/6 = 15, the rest −5, −10, 15, its squares
        // sum up to 350. The standard deviation is √(350/2), 2 decisions a game, t 4.3027 of 2 degrees of freedom.
        let games = [
            game(&[(4, 10)]),
            game(&[(4, 20), (4, 0)]),
            game(&[(4, 20), (4, 20), (4, 20), (5, 8)]),
        ];
        let sums: Sums = games.iter().collect();
        let decided: Vec<_> = sums.decided().collect();
        let (empty, four) = decided[0];
        assert_eq!(
            (empty, four.games, four.decisions, four.mean()),
            (4, 3, 6, Some(15.0))
        );
        let ends = four.interval().expect("three games");
        let half = 4.302_653 * (350.0_f64 / 2.0).sqrt() / 2.0 / 3.0_f64.sqrt();
        assert!(
            ends.low == 0.0 && (ends.high - 15.0 - half).abs() < 1e-4,
            "{ends:?} {half}"
        );
        assert_eq!(
            (decided[1].0, decided[1].1.mean(), decided[1].1.interval()),
            (5, Some(8.0), None)
        );
        assert_eq!((sums.nodes(), sums.games), (98, 3));

        let mut parts: Sums = games[1..].iter().collect();
        parts.merge(&games[..1].iter().collect());
        assert_eq!(parts, sums);
        // Games alike: the mean is as sure as can be.
        let alike = vec![game(&[(1, 5), (1, 6)]); 9];
        let interval = alike.iter().collect::<Sums>().by_empty[1]
            .interval()
            .expect("nine games");
        assert!(
            interval.half_width() < 1e-6 && interval.contains(5.5),
            "{interval:?}"
        );
    }
}
