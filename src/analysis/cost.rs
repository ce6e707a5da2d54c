//! The time of a decision, and the size of its search trees.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Position, Sample};
use crate::game::Seed;
use crate::search::{Objective, Search, SearchOptions, SearchResult};
use crate::strategy::{ChoiceTrace, Observer, Player, Strategy};
use crate::task::{CancelToken, cpu_time};

/// The most positions on which a search is timed.
const MOST_POSITIONS: usize = 1000;

/// How long games are played to find them, at most; they take some milliseconds.
const SAMPLING: Duration = Duration::from_millis(200);

/// The CPU time of decisions with two or more legal moves, on one core, independent of other work on the computer.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    pub decisions: u64,
    /// Mean; if no decision was finished, how long the first had taken when time was up.
    pub per_decision: Duration,
    /// 10th and 90th percentile: over decisions if the player searches, otherwise over means of games, since clocks are
    /// coarse.
    pub spread: (Duration, Duration),
    /// Mean number of searched nodes, leaves included; `None` for a player that does not search.
    pub nodes_per_decision: Option<f64>,
}

impl Cost {
    /// Decisions per second; `None` if none was finished.
    pub fn per_second(&self) -> Option<f64> {
        let secs = self.per_decision.as_secs_f64();
        (self.decisions != 0 && 0.0 < secs).then(|| 1.0 / secs)
    }
}

/// Times decisions for at most `limit`: of a search on mixed positions of shallow games, otherwise in whole games.
pub fn cost(player: &Player, sample_seed: u64, limit: Duration, stop: &CancelToken) -> Cost {
    if !player.searches() {
        return stop.within(Some(limit), |stop| of_games(player, sample_seed, stop));
    }
    let shallow = Player::new(&Strategy::shallow(), player.rules());
    let sample = Sample::play(&shallow, sample_seed, MOST_POSITIONS, SAMPLING, stop);
    stop.within(Some(limit), |stop| of_searches(player, &sample, stop))
}

fn of_games(player: &Player, seed: u64, stop: &CancelToken) -> Cost {
    let (mut decisions, mut took, mut means) = (0, Duration::ZERO, Vec::new());
    for game in 0.. {
        let started = cpu_time();
        let outcome = player.play(&Seed(seed).game(game), SearchOptions::default(), &mut ());
        let elapsed = cpu_time().saturating_sub(started);
        decisions += u64::from(outcome.moves);
        took += elapsed;
        means.extend((outcome.moves != 0).then(|| elapsed / outcome.moves));
        if stop.is_cancelled() {
            break;
        }
    }
    Cost {
        decisions,
        per_decision: mean(took, decisions),
        spread: percentiles(means),
        nodes_per_decision: None,
    }
}

fn of_searches(player: &Player, sample: &Sample, stop: &CancelToken) -> Cost {
    let (mut took, mut times, before) = (Duration::ZERO, Vec::new(), player.nodes());
    let mut nodes = 0;
    for position in mixed(&sample.positions) {
        let started = cpu_time();
        let choice = ChoiceTrace::of(
            player,
            &position.board,
            position.score,
            SearchOptions::on_one_core(stop),
        );
        let elapsed = cpu_time().saturating_sub(started);
        if choice.is_none() {
            if times.is_empty() {
                return Cost {
                    per_decision: elapsed,
                    spread: (elapsed, elapsed),
                    ..Cost::default()
                };
            }
            break;
        }
        nodes = player.nodes() - before;
        took += elapsed;
        times.push(elapsed);
    }

    let decisions = times.len() as u64;
    let nodes_per_decision = (decisions != 0).then(|| nodes as f64 / decisions as f64);
    Cost {
        decisions,
        per_decision: mean(took, decisions),
        spread: percentiles(times),
        nodes_per_decision,
    }
}

/// Search trees of decisions that begin with empty transposition tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TreeSize {
    pub decisions: u64,
    /// Nodes of all of them, leaves included.
    pub nodes: u64,
}

impl TreeSize {
    /// Nodes of one decision. `None` without decisions.
    pub fn mean(self) -> Option<f64> {
        (self.decisions != 0).then(|| self.nodes as f64 / self.decisions as f64)
    }
}

/// The sizes of the trees on these positions by the number of empty cells, rising: Figs. 7 and 8 of Solver. If cancelled,
/// on those so far. Empty for a player that does not search.
pub fn tree_sizes(
    player: &Player,
    positions: &[Position],
    stop: &CancelToken,
) -> BTreeMap<u32, TreeSize> {
    let mut sizes = BTreeMap::<u32, TreeSize>::new();
    for position in positions
        .iter()
        .filter(|_| player.searches())
        .take_while(|_| !stop.is_cancelled())
    {
        let mut counted = NodesTrace(0);
        let options = SearchOptions::on_one_core(stop);
        if player
            .decide(
                &position.board,
                position.score,
                |_| 0,
                options,
                &mut counted,
            )
            .is_some()
        {
            let size = sizes.entry(position.board.empty_count()).or_default();
            size.decisions += 1;
            size.nodes += counted.0;
        }
    }
    sizes
}

/// Counts the nodes of a decision as a game searches it.
struct NodesTrace(u64);

impl Observer for NodesTrace {
    type Recorder = ();

    const CLEAN: bool = true;
    const IS_BLIND: bool = true;

    fn searched(
        &mut self,
        _row: usize,
        _search: &Search,
        _objective: Objective,
        found: &SearchResult,
        _recorder: (),
    ) {
        self.0 += found.nodes;
    }
}

/// In the order of the van der Corput sequence, in which every prefix is spread over the whole.
fn mixed<T>(items: &[T]) -> impl Iterator<Item = &T> {
    let bits = usize::BITS - items.len().saturating_sub(1).leading_zeros();
    (0..1_usize << bits).filter_map(move |index| {
        let reversed = if bits == 0 {
            0
        } else {
            index.reverse_bits() >> (usize::BITS - bits)
        };
        items.get(reversed)
    })
}

fn mean(took: Duration, count: u64) -> Duration {
    if count == 0 {
        Duration::ZERO
    } else {
        Duration::from_secs_f64(took.as_secs_f64() / count as f64)
    }
}

fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let at = |share: usize| {
        times
            .get((times.len().saturating_sub(1) * share + 50) / 100)
            .copied()
            .unwrap_or_default()
    };
    (at(10), at(90))
}
