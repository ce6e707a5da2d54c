//! Measuring how often two strategies agree, beside the window: a sample of A's games first, then both decide on it, in an order
//! in which any beginning is spread over all phases.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::analysis::{Agreement, Position, Sample, Share, agreement};
use crate::strategy::Player;
use crate::task::CancelToken;
use crate::task::lock;
use crate::workbench::errand::{Errand, Wake};

/// Most positions of a sample.
const MOST_POSITIONS: usize = 20_000;
/// Seed of the sample: the same sample every time.
pub(super) const SEED: u64 = 1;
/// So many positions are decided between two looks at the window; fewer than an [`Agreement`] keeps disagreements.
const CHUNK: usize = 100;
/// The window is told so often.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// What is known so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measured {
    /// Positions of the sample; 0 while it is being played.
    pub positions: usize,
    /// Games they come from.
    pub games: u64,
    /// Over those that both have decided; every disagreement is kept.
    pub agreement: Agreement,
    /// Whether there will be no more.
    pub is_done: bool,
}

impl Measured {
    /// The share of the work that is done, 0 to 1.
    pub(super) fn progress(&self) -> f32 {
        if self.positions == 0 { 0.0 } else { self.agreement.all.n as f32 / self.positions as f32 }
    }
}

/// A measurement that goes on or is over.
#[derive(Debug)]
pub(super) struct Measuring {
    shared: Arc<Mutex<Measured>>,
    errand: Option<Errand<()>>,
}

impl Measuring {
    /// Begins: A plays for `limit`, then both decide.
    pub(super) fn begin(players: [Arc<Player>; 2], limit: Duration, wake: Wake) -> Self {
        let shared = Arc::new(Mutex::new(Measured::default()));
        let (theirs, tell) = (shared.clone(), wake.clone());
        let errand = Errand::send(wake, move |stop| measure(&players, limit, stop, &theirs, &*tell));
        Self { shared, errand: Some(errand) }
    }

    /// What is known so far; an error is what went wrong.
    pub(super) fn poll(&mut self) -> Result<Measured, String> {
        if let Some(answer) = self.errand.as_ref().and_then(Errand::poll) {
            self.errand = None;
            answer?;
        }
        Ok(lock(&self.shared).clone())
    }

    pub(super) fn is_busy(&self) -> bool {
        self.errand.is_some()
    }

    /// Ends it; what is known stays.
    pub(super) fn stop(&mut self) -> bool {
        self.errand.take().is_some()
    }
}

fn measure(players: &[Arc<Player>; 2], limit: Duration, stop: &CancelToken, shared: &Mutex<Measured>, tell: &dyn Fn()) {
    let write = |change: &dyn Fn(&mut Measured)| change(&mut lock(shared));
    let sample = Sample::play(&players[0], SEED, MOST_POSITIONS, limit, stop);
    let (positions, games) = (sample.positions.len(), sample.games);
    write(&|measured| (measured.positions, measured.games) = (positions, games));
    let mut told = Instant::now();
    for chunk in spread(&sample.positions).chunks(CHUNK) {
        if stop.is_cancelled() {
            break;
        }
        let part = Sample { positions: chunk.to_vec(), ..Sample::default() };
        let found = agreement(&players[0], &players[1], &part, stop);
        write(&|measured| merge(&mut measured.agreement, &found));
        if TELL_EVERY <= told.elapsed() {
            tell();
            told = Instant::now();
        }
    }
    write(&|measured| measured.is_done = true);
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

/// Adds what was found on other positions.
pub(super) fn merge(into: &mut Agreement, more: &Agreement) {
    let add = |a: Share, b: Share| Share { same: a.same + b.same, n: a.n + b.n };
    into.all = add(into.all, more.all);
    into.compatible = add(into.compatible, more.compatible);
    into.by_empty = merged(&into.by_empty, &more.by_empty, add);
    into.by_largest = merged(&into.by_largest, &more.by_largest, add);
    into.disagreements.extend(&more.disagreements);
}

fn merged<K: Ord + Copy>(a: &[(K, Share)], b: &[(K, Share)], add: impl Fn(Share, Share) -> Share) -> Vec<(K, Share)> {
    let mut sums: BTreeMap<K, Share> = BTreeMap::new();
    for &(key, share) in a.iter().chain(b) {
        let sum = sums.entry(key).or_default();
        *sum = add(*sum, share);
    }
    sums.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::strategy::Strategy;

    #[test]
    fn parts_add_up_to_the_whole_sample() {
        let player = |letters: &str| {
            let strategy: Strategy = letters.parse().expect("letters");
            Player::new(&strategy, Rules::default())
        };
        let (a, b, stop) = (player("emr"), player("mer"), CancelToken::new());
        let sample = Sample::play(&a, SEED, 150, Duration::from_secs(30), &stop);
        let whole = agreement(&a, &b, &sample, &stop);
        assert!(whole.disagreements.len() < 150 && 0 < whole.all.same && whole.all.same < whole.all.n);
        let mut sum = Agreement::default();
        for part in spread(&sample.positions).chunks(40) {
            let part = Sample { positions: part.to_vec(), ..Sample::default() };
            merge(&mut sum, &agreement(&a, &b, &part, &stop));
        }
        let in_order = |mut agreement: Agreement| {
            agreement.disagreements.sort_by_key(|position| (position.game, position.moves));
            agreement
        };
        assert_eq!(in_order(sum), in_order(whole));
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
