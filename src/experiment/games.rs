//! All games of one strategy, by index.

use std::ops::RangeInclusive;

use crate::game::Rank;
use crate::strategy::Outcome;

/// The games of one strategy; those not played, or not yet, are holes.
///
/// Score, moves and rank of the largest tile as three numbers: 12 bytes a game, and memory that no game has been
/// written to is not taken from the system. A rank of 0, which no finished game has, marks a hole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games(Vec<[u32; 3]>);

impl Games {
    /// Room for games 0 to `len` − 1, none of them finished.
    pub fn unplayed(len: usize) -> Self {
        Self(vec![[0; 3]; len])
    }

    /// Outcome `index`, if it is finished.
    pub fn get(&self, index: u64) -> Option<Outcome> {
        let &[score, moves, largest] = self.0.get(usize::try_from(index).ok()?)?;
        let largest = Rank::new(u8::try_from(largest).ok()?).filter(|rank| !rank.is_empty())?;
        Some(Outcome { score, largest, moves })
    }

    /// Finished games with their index, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Outcome)> + '_ {
        (0..self.0.len() as u64).filter_map(|index| Some((index, self.get(index)?)))
    }

    /// Indices of the finished games with a score in `scores`, in order.
    pub fn in_scores(&self, scores: RangeInclusive<u32>) -> Vec<u64> {
        self.iter().filter(|(_, game)| scores.contains(&game.score)).map(|(index, _)| index).collect()
    }

    /// Writes finished games from place `first` on.
    pub(super) fn put(&mut self, first: u64, games: &[Outcome]) {
        let first = first as usize;
        for (place, game) in self.0[first..first + games.len()].iter_mut().zip(games) {
            *place = [game.score, game.moves, u32::from(game.largest.get())];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_stay_holes() {
        let game = Outcome { score: 1096, largest: Rank::FOUR, moves: 118 };
        let mut games = Games::unplayed(10);
        games.put(3, &[game, Outcome { score: 8, ..game }]);
        assert_eq!(games.get(3), Some(game));
        assert_eq!((games.get(2), games.get(5), games.get(99)), (None, None, None));
        assert_eq!(games.iter().map(|(index, _)| index).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(games.in_scores(9..=2000), [3]);
    }
}
