//! `bench`: how fast one core plays.
//!
//! Each suite plays games 0, 1, 2 … of seed 1 on this thread for about two seconds, only whole games, or decides on the
//! boards of a file. A network that learns plays a fixed number of games, since it is faster the less it knows. Time is
//! the CPU time of the thread, so that other work on the computer does not count.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::Failure;
use super::args::BenchArgs;
use super::suites::{SUITES, TRAINED, Work, boards48};
use super::table::{cells, json_line, listed};
use super::terminal::tell;
use super::values::Format;
use crate::evaluator::{Evaluator, OneNetwork};
use crate::game::{Board, Rules, Seed};
use crate::learning::{Learner, LearningError};
use crate::network::{Network, Shape, Training, library};
use crate::search::SearchOptions;
use crate::strategy::{Criterion, Player, Strategy};
use crate::table::{Digits, Head};
use crate::task::cpu_time;
use crate::words;

const SUITE_TIME: Duration = Duration::from_secs(2);

/// Games without a search between two clock readings: some milliseconds.
const GAMES_A_LOOK: u64 = 200;

#[derive(Serialize)]
struct BenchJson {
    suites: Vec<Suite>,
}

#[derive(Serialize)]
struct Suite {
    name: &'static str,
    unit: &'static str,
    count: u64,
    cpu_seconds: f64,
    per_second: f64,
    decisions: u64,
    decisions_per_second: f64,
    /// Nodes of the searches, leaves included; 0 if there is no search.
    nodes: u64,
    nodes_per_second: f64,
    /// Slides tried, four at each board to move of a search, legal or not: other programs call them moves generated.
    slides_tried: u64,
    slides_tried_per_second: f64,
}

pub(super) fn bench(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut suites = Vec::new();
    for (name, work) in SUITES {
        if args.suite.is_empty() || args.suite.iter().any(|wanted| wanted == name) {
            match work.measured(name) {
                Ok(suite) => suites.push(suite),
                // A request for all suites still gets the others.
                Err(Unmeasured::Memory(reason)) if args.suite.is_empty() => {
                    tell(&format!("{name} is skipped: {reason}"));
                }
                Err(Unmeasured::Memory(reason)) => {
                    return Err(Failure::could(format!("{name}: {reason}")));
                }
                Err(Unmeasured::Failed(failure)) => return Err(failure),
            }
        }
    }
    if args.format == Format::Json {
        return Ok(json_line(out, &BenchJson { suites })?);
    }

    let heads = [
        Head::text("suite"),
        Head::whole("count"),
        Head::number("CPU s", 2),
        Head::number("per s", Digits::Three),
        Head::whole("decisions per s"),
        Head::whole("nodes per s"),
        Head::whole("slides per s"),
    ];
    let searched = |rate: f64| (rate != 0.0).then_some(rate);
    let rows = suites.iter().map(|suite| {
        cells![
            suite.name,
            format!("{} {}", words::count(suite.count), suite.unit),
            suite.cpu_seconds,
            suite.per_second,
            suite.decisions_per_second,
            searched(suite.nodes_per_second),
            searched(suite.slides_tried_per_second),
        ]
    });

    Ok(write!(out, "{}", listed(heads, rows))?)
}

/// Why a suite has no numbers.
enum Unmeasured {
    /// The computer does not have enough memory.
    Memory(String),
    Failed(Failure),
}

impl From<Failure> for Unmeasured {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Work {
    fn measured(&self, name: &'static str) -> Result<Suite, Unmeasured> {
        let player = |text: &str| -> Result<Player, Failure> {
            let strategy: Strategy = text.parse()?;
            Ok(Player::new(&strategy, Rules::default()))
        };
        match self {
            Self::Games(text) => Ok(games(name, &player(text)?)),
            Self::Boards(text) => Ok(decisions(name, &player(text)?, &boards48()?)),
            Self::Training(network, rule) => {
                let shape: Shape = network.parse().map_err(Failure::could)?;
                trained(
                    name,
                    Training {
                        rule: *rule,
                        seed: 1,
                        ..Training::new(shape, TRAINED)
                    },
                )
            }
            Self::Greedy => {
                let network = library::shipped_network().map_err(Failure::could)?;
                Ok(greedy(name, network))
            }
        }
    }
}

/// All games of a training. Its weights are allocated before the measurement.
fn trained(name: &'static str, training: Training) -> Result<Suite, Unmeasured> {
    let games = training.games;
    let learner = Learner::new(training, String::new()).map_err(|error| match error {
        LearningError::Memory(error) => Unmeasured::Memory(error.to_string()),
        error => Unmeasured::Failed(Failure::could(error)),
    })?;
    let start = cpu_time();
    learner.learn_here();
    let elapsed = cpu_time().saturating_sub(start);
    Ok(Suite::of(
        name,
        "games",
        [games, learner.manifest().moves],
        elapsed,
        [0, 0],
    ))
}

/// Games of one ply by a network, as in a batch.
fn greedy(name: &'static str, network: Arc<Network>) -> Suite {
    let strategy = Strategy {
        criteria: vec![Criterion::one_ply(Evaluator::Network(name.to_owned()))],
        ..Strategy::default()
    };
    let player = Player::with_files(&strategy, Rules::default(), &OneNetwork(network));
    let mut next = 0;
    Suite::measured(name, "games", &player, || {
        let finish = player
            .greedy()
            .map(|greedy| greedy.play(Seed(1).game(next)));
        next += 1;
        [
            1,
            finish.map_or(0, |finish| u64::from(finish.outcome.moves)),
        ]
    })
}

/// Repeats `work`, which returns its units and decisions, for [`SUITE_TIME`]; returns the sums and the time.
fn repeated(mut work: impl FnMut() -> [u64; 2]) -> ([u64; 2], Duration) {
    let (mut done, start) = ([0, 0], cpu_time());
    loop {
        let [units, decisions] = work();
        done = [done[0] + units, done[1] + decisions];
        let elapsed = cpu_time().saturating_sub(start);
        if SUITE_TIME <= elapsed {
            return (done, elapsed);
        }
    }
}

/// Whole games, however long the last one is.
fn games(name: &'static str, player: &Player) -> Suite {
    // Games of a search take long enough to read the clock after each.
    let games_a_look = if player.searches() { 1 } else { GAMES_A_LOOK };
    let mut next = 0;
    Suite::measured(name, "games", player, || {
        let games = next..next + games_a_look;
        next = games.end;
        let mut moves = 0;
        if player.plays_by_turns() {
            let seeds = games.map(|index| (index, Seed(1).game(index)));
            player.play_each(seeds, |_, finish| moves += u64::from(finish.outcome.moves));
        } else {
            let play = |index| player.play(&Seed(1).game(index), SearchOptions::default(), &mut ());
            moves = games.map(|index| u64::from(play(index).moves)).sum();
        }
        [games_a_look, moves]
    })
}

/// All boards in turn, at least once. Only the transposition table remains from one round to the next, and it is too
/// small for the nodes of a round.
fn decisions(name: &'static str, player: &Player, boards: &[Board]) -> Suite {
    Suite::measured(name, "rounds", player, || {
        player.decide_each(boards, SearchOptions::default(), &mut ());
        [1, boards.len() as u64]
    })
}

impl Suite {
    /// Repeats `work`, which returns its units and decisions, for [`SUITE_TIME`].
    fn measured(
        name: &'static str,
        unit: &'static str,
        player: &Player,
        work: impl FnMut() -> [u64; 2],
    ) -> Self {
        // The first decision builds tables, outside the measurement.
        player.decide(
            &Seed(1).game(0).opening(&Rules::default()),
            0,
            |_| 0,
            SearchOptions::default(),
            &mut (),
        );
        let before = [player.nodes(), player.slides_tried()];
        let (done, elapsed) = repeated(work);
        let searched = [
            player.nodes() - before[0],
            player.slides_tried() - before[1],
        ];
        Self::of(name, unit, done, elapsed, searched)
    }

    /// Units and decisions in this CPU time; nodes and slides of searches.
    fn of(
        name: &'static str,
        unit: &'static str,
        [count, decisions]: [u64; 2],
        elapsed: Duration,
        [nodes, slides_tried]: [u64; 2],
    ) -> Self {
        // A clock may be too coarse to measure a time above 0.
        let cpu_seconds = elapsed.as_secs_f64().max(1e-9);
        Self {
            name,
            unit,
            count,
            cpu_seconds,
            per_second: count as f64 / cpu_seconds,
            decisions,
            decisions_per_second: decisions as f64 / cpu_seconds,
            nodes,
            nodes_per_second: nodes as f64 / cpu_seconds,
            slides_tried,
            slides_tried_per_second: slides_tried as f64 / cpu_seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{NetworkInfo, Update};

    #[test]
    fn trainings_and_greedy_games_are_counted_by_their_moves() {
        for rule in [Update::Td, Update::Tc] {
            let shape: Shape = "0145 4".parse().expect("a shape");
            let training = Training {
                rule,
                seed: 1,
                ..Training::new(shape.clone(), 12)
            };
            let learner = Learner::new(training.clone(), String::new()).expect("small");
            learner.learn_here();
            let suite = trained("own", training).unwrap_or_else(|_| panic!("small"));
            assert_eq!(
                (suite.count, suite.decisions),
                (12, learner.manifest().moves)
            );
            assert!(12 * 50 < suite.decisions, "{}", suite.decisions);
            assert!(
                (suite.decisions_per_second * suite.cpu_seconds / suite.decisions as f64 - 1.0)
                    .abs()
                    < 1e-9
            );
        }

        let shape: Shape = "0145 4".parse().expect("a shape");
        let count = shape.weights() as usize;
        let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), vec![0.0; count]);
        let network = Arc::new(network);
        let suite = greedy("own", network.clone());
        let strategy = "(criteria: [(evaluator: Network(\"own\"))])"
            .parse()
            .expect("a strategy");
        let player = Player::with_files(&strategy, Rules::default(), &OneNetwork(network));
        let moves = |game| {
            player
                .play(&Seed(1).game(game), SearchOptions::default(), &mut ())
                .moves
        };
        assert_eq!(
            suite.decisions,
            (0..suite.count)
                .map(|game| u64::from(moves(game)))
                .sum::<u64>()
        );
    }
}
