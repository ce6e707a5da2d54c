//! Measuring how often two strategies agree, beside the window: a sample of A's games first, then both decide on it, in an order
//! in which any beginning is spread over all phases.

use std::sync::Arc;
use std::time::Duration;

use crate::analysis::{Agreement, Position, Sample, agreement_told};
use crate::strategy::Player;
use crate::task::Job;

/// Most positions of a sample.
const MOST_POSITIONS: usize = 20_000;
/// Seed of the sample: the same sample every time.
pub(super) const SEED: u64 = 1;
/// What is known so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measured {
    /// Positions of the sample; 0 while it is being played.
    pub positions: usize,
    /// Games they come from.
    pub games: u64,
    /// Over those that both have decided; every disagreement is kept.
    pub agreement: Agreement,
}

impl Measured {
    /// The share of the work that is done, 0 to 1.
    pub(super) fn progress(&self) -> f32 {
        if self.positions == 0 { 0.0 } else { self.agreement.all.n as f32 / self.positions as f32 }
    }
}

/// A plays for `limit`, then both decide.
pub(super) fn measure(players: &[Arc<Player>; 2], limit: Duration, job: &Job<Measured>) -> Measured {
    let sample = Sample::play(&players[0], SEED, MOST_POSITIONS, limit, job.token());
    let (positions, games) = (sample.positions.len(), sample.games);
    let mut measured = Measured { positions, games, agreement: Agreement::default() };
    job.tell(measured.clone());
    let [a, b] = players;
    let positions = spread(&sample.positions);
    measured.agreement = agreement_told([a, b], &positions, usize::MAX, job.token(), |agreement| {
        job.tell_now_and_then(|| Measured { agreement: agreement.clone(), ..measured.clone() });
    });
    measured
}

/// The same positions in another order, always the same one: steps of the golden section through all of them.
fn spread(positions: &[Position]) -> Vec<Position> {
    let n = positions.len();
    let coprime = |step: &usize| gcd(*step, n) == 1;
    let golden = ((n as f64 * 0.618_034) as usize).max(1);
    let step = (golden..).find(coprime).unwrap_or(1);
    (0..n).map(|index| positions[(index * step) % n]).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::agreement;
    use crate::game::Rules;
    use crate::strategy::Strategy;
    use crate::task::CancelToken;

    #[test]
    fn what_is_told_grows_to_the_agreement_of_the_whole_sample() {
        let player = |letters: &str| {
            let strategy: Strategy = letters.parse().expect("letters");
            Player::new(&strategy, Rules::default())
        };
        let (a, b, stop) = (player("emr"), player("mer"), CancelToken::new());
        let sample = Sample::play(&a, SEED, 150, Duration::from_secs(30), &stop);
        let whole = agreement(&a, &b, &sample, &stop);
        assert!(whole.disagreements.len() < 150 && 0 < whole.all.same && whole.all.same < whole.all.n);
        let mut told = Vec::new();
        let positions = spread(&sample.positions);
        let mut found = agreement_told([&a, &b], &positions, usize::MAX, &stop, |so_far| told.push(so_far.all));
        assert!(told.iter().zip(1..).all(|(share, n)| share.n == n), "one position after the other");
        assert_eq!(told.last(), Some(&whole.all));
        found.disagreements.sort_by_key(|position| (position.game, position.moves));
        assert_eq!(found, whole);
    }

    #[test]
    fn the_order_is_another_one_of_the_same_positions() {
        let position = |moves: u32| {
            let board = "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board");
            Position { board, score: 0, game: 0, moves, left: 0 }
        };
        for n in [0_u32, 1, 2, 7, 100, 101] {
            let positions: Vec<Position> = (0..n).map(position).collect();
            let mut moves: Vec<u32> = spread(&positions).iter().map(|position| position.moves).collect();
            if 50 < n {
                let first: u32 = moves[..20].iter().filter(|&&moves| moves < n / 2).count() as u32;
                assert!((8..=12).contains(&first), "{moves:?}");
            }
            moves.sort_unstable();
            assert_eq!(moves, (0..n).collect::<Vec<u32>>());
        }
    }
}
