//! Compares learning with its plainest form, with exact values, and with itself.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::learner::FIRST;
use super::*;
use crate::game::{Board, Cell, Move, Rank, Seed, Size, Spawn, Symmetry};
use crate::kept::Kept as _;
use crate::network::{Network, Shape, Stage, Update};
use crate::solve::{Goal, Question};
use crate::task::{Control, Threads, WorkState};

const ALONE: Threads = Threads {
    count: 1,
    low_priority: false,
};

fn training(size: &str, tuples: &str, games: u64) -> Training {
    let shape = Shape::new(size.parse().expect("a size"), tuples, true, &[]).expect("a shape");
    Training {
        seed: 5,
        every: 50,
        ..Training::new(shape, games)
    }
}

fn learnt(training: &Training, threads: usize) -> Learner {
    let learner = Learner::new(training.clone(), String::new()).expect("sound");
    let threads = Threads {
        count: threads,
        low_priority: false,
    };
    learner
        .learn(threads, &|| false, Duration::from_secs(600))
        .expect("learnt");
    learner
}

/// Stage and tuple, and the tiles on its cells.
type Key = ([usize; 2], Vec<u8>);

/// TD and TC by definition: a map from (tuple, tiles) to a weight, with boards drawn cell by cell and whole paths
/// stored.
struct Plain<'a> {
    training: &'a Training,
    weights: HashMap<Key, [f64; 3]>,
    /// The values of the afterstates of the game when they were chosen, or after they had learned.
    targets: HashMap<usize, f64>,
    /// The stage in which the last game began, and for each stage after the first the boards of its entries.
    began: usize,
    entered: Vec<Vec<Board>>,
}

impl Plain<'_> {
    fn stage(&self, board: &Board) -> usize {
        let size = self.training.network.size;
        let tile = |cell: usize| board.get(Cell::at(cell, size)).tile();
        // The sums of the tiles from each tile of the stage.
        let is_reached = |stage: &Stage| {
            let tiles: Vec<u64> = stage
                .to_string()
                .split('+')
                .map(|tile| tile.parse().expect("a tile"))
                .collect();
            tiles.iter().all(|least| {
                let counted: u64 = (0..size.cells())
                    .map(tile)
                    .filter(|tile| least <= tile)
                    .sum();
                tiles.iter().filter(|tile| least <= *tile).sum::<u64>() <= counted
            })
        };
        self.training
            .network
            .stages()
            .iter()
            .rposition(is_reached)
            .map_or(0, |place| place + 1)
    }

    fn keys(&self, board: &Board) -> Vec<Key> {
        let (shape, stage) = (&self.training.network, self.stage(board));
        let mut keys = Vec::new();
        for image in Symmetry::of(shape.size)
            .filter(|image| shape.is_symmetric() || *image == Symmetry::IDENTITY)
        {
            let ranks = image.image(board).to_grid();
            for (number, tuple) in shape.tuples().iter().enumerate() {
                let tiles = tuple
                    .cells()
                    .iter()
                    .map(|&cell| ranks.ranks()[usize::from(cell)].get())
                    .collect();
                keys.push(([stage, number], tiles));
            }
        }
        keys
    }

    fn value(&self, board: &Board) -> f64 {
        let initial = f64::from(self.training.initial());
        self.keys(board)
            .iter()
            .map(|key| self.weights.get(key).map_or(initial, |entry| entry[0]))
            .sum()
    }

    fn change(&mut self, board: &Board, error: f64, game: u64) {
        let keys = self.keys(board);
        let by = error * f64::from(self.training.alpha_of(game)) / keys.len() as f64;
        for key in keys {
            let initial = f64::from(self.training.initial());
            let [weight, sum, size] = self.weights.entry(key).or_insert([initial, 0.0, 0.0]);
            let rate = if self.training.rule == Update::Td || *size == 0.0 {
                1.0
            } else {
                sum.abs() / *size
            };
            *weight += by * rate;
            *sum += by;
            *size += by.abs();
        }
    }

    /// Plays a game and learns from its afterstates and rewards as they come. Returns the score.
    fn play(&mut self, game: u64) -> u64 {
        let (rules, seed) = (self.training.rules(), Seed(self.training.seed).game(game));
        let mut board = seed.opening(&rules);
        let stages = self.training.network.stages().len();
        self.began = if self.training.restarts == 0 {
            0
        } else {
            (self.began + 1) % (stages + 1)
        };
        self.entered.resize(stages + 1, Vec::new());
        let boards = &self.entered[self.began];
        let recent = &boards[boards.len().saturating_sub(self.training.restarts as usize)..];
        if recent.is_empty() {
            self.began = 0;
        } else {
            board = recent[seed.place(0, recent.len() as u32) as usize];
        }

        let began = self.began;
        let mut path: Vec<(Board, f64)> = Vec::new();
        let mut chosen_value = 0.0;
        let horizon = self.training.horizon();
        loop {
            let slides = Move::ALL.into_iter().filter_map(|mv| board.slide(mv));
            let worth = |slide: crate::game::Slide| {
                let after = slide.after.board();
                let value = self.value(&after);
                (
                    f64::from(slide.reward) + value,
                    after,
                    f64::from(slide.reward),
                    value,
                )
            };

            // Ties are broken with the precision of 32 bits.
            let best = slides.map(worth).reduce(|best, next| {
                if best.0 < next.0 - 1e-6 * next.0.abs() {
                    next
                } else {
                    best
                }
            });
            let Some((_, after, reward, value)) = best else {
                break;
            };
            if !self.training.backward && horizon == 1 {
                if let Some((before, _)) = path.last().copied() {
                    self.change(&before, reward + value - chosen_value, game);
                }
                chosen_value = value;
            }
            self.targets.insert(path.len(), value);
            path.push((after, reward));
            if !self.training.backward && 1 < horizon && horizon < path.len() {
                self.towards(&path, path.len() - 1 - horizon, game);
            }
            let spawn: Spawn = seed.spawn(path.len() as u32 + 1, &after, rules.p4);
            let next = after.with(spawn.cell, spawn.rank);
            if self.stage(&board) < self.stage(&next) {
                let stage = self.stage(&next);
                self.entered[stage].push(next);
            }

            board = next;
        }

        // A board that entered a stage may be dead.
        let Some(last) = path.len().checked_sub(1) else {
            return 0;
        };
        if self.training.backward {
            (0..=last)
                .rev()
                .for_each(|at| self.towards(&path, at, game));
        } else if horizon == 1 {
            self.change(&path[last].0.clone(), -chosen_value, game);
        } else {
            ((last + 1).saturating_sub(horizon)..=last)
                .for_each(|at| self.towards(&path, at, game));
        }

        // The score of a restarted game does not count.
        if began == 0 {
            path.iter().map(|(_, reward)| *reward as u64).sum()
        } else {
            0
        }
    }

    /// The truncated λ-return by definition: Σ over k of (1 − λ)·λᵏ⁻¹ times the k-step return; the longest one gets the
    /// rest of the weight.
    fn towards(&mut self, path: &[(Board, f64)], at: usize, game: u64) {
        let (lambda, last) = (f64::from(self.training.lambda), path.len() - 1);
        let longest = self.training.horizon().min(last - at + 1);
        let of_steps = |steps: usize| {
            let rewards: f64 = path[at + 1..=(at + steps).min(last)]
                .iter()
                .map(|(_, reward)| reward)
                .sum();
            rewards
                + if at + steps <= last {
                    self.targets[&(at + steps)]
                } else {
                    0.0
                }
        };
        let shorter = (1..longest)
            .map(|k| (1.0 - lambda) * lambda.powi(k as i32 - 1) * of_steps(k))
            .sum::<f64>();
        let target = shorter + lambda.powi(longest as i32 - 1) * of_steps(longest);
        let error = target - self.value(&path[at].0);
        self.change(&path[at].0.clone(), error, game);
        self.targets.insert(at, self.value(&path[at].0));
    }
}

/// Adds three stages that begin at tiles most games make.
fn staged(base: &Training, restarts: u32) -> Training {
    let stages = if base.network.size.cells() == 4 {
        ["8", "8+4", "16"]
    } else {
        ["16", "16+8", "32"]
    };
    let stages = stages.map(|text| text.parse().expect("a stage")).to_vec();
    Training {
        network: base.network.clone().with_stages(stages).expect("sound"),
        restarts,
        ..base.clone()
    }
}

#[test]
fn weights_are_those_of_the_plain_rules() {
    // Images of an afterstate have the same value except for rounding, which the plain form does not reproduce. So on
    // larger boards no images are read.
    let once = |size: &str, tuples: &str, games| {
        let shape = Shape::new(size.parse().expect("a size"), tuples, false, &[]).expect("a shape");
        Training {
            network: shape,
            ..training(size, tuples, games)
        }
    };
    for base in [
        training("2x2", "0123", 120),
        once("3x3", "0134 012 4578", 4),
        once("2x3", "0134 012", 12),
    ] {
        for (name, training) in [
            (
                "TD",
                Training {
                    rule: Update::Td,
                    ..base.clone()
                },
            ),
            ("TC", base.clone()),
            (
                "optimistic",
                Training {
                    optimistic: 500.0,
                    ..base.clone()
                },
            ),
            (
                "schedule",
                Training {
                    rule: Update::Td,
                    schedule: vec![(5, 0.5), (9, 0.01)],
                    ..base.clone()
                },
            ),
            (
                "TD(λ)",
                Training {
                    rule: Update::Td,
                    lambda: 0.5,
                    ..base.clone()
                },
            ),
            (
                "3 steps",
                Training {
                    lambda: 1.0,
                    steps: Some(3),
                    ..base.clone()
                },
            ),
            (
                "backward",
                Training {
                    rule: Update::Td,
                    backward: true,
                    ..base.clone()
                },
            ),
            (
                "backward TD(λ)",
                Training {
                    rule: Update::Td,
                    backward: true,
                    lambda: 0.7,
                    ..base.clone()
                },
            ),
            ("stages", staged(&base, 0)),
            (
                "restarts",
                Training {
                    rule: Update::Td,
                    ..staged(&base, 3)
                },
            ),
            (
                "backward restarts",
                Training {
                    backward: true,
                    ..staged(&base, 3)
                },
            ),
            (
                "backward 4 steps",
                Training {
                    backward: true,
                    lambda: 0.7,
                    steps: Some(4),
                    ..base.clone()
                },
            ),
        ] {
            let mut plain = Plain {
                training: &training,
                weights: HashMap::new(),
                targets: HashMap::new(),
                began: 0,
                entered: Vec::new(),
            };
            let scores: u64 = (0..training.games).map(|game| plain.play(game)).sum();
            let learner = learnt(&training, 1);
            let curve = learner.curve();
            let sum: f64 = curve.iter().map(|point| point.learnt.sum).sum();
            // Restarted games are not part of the curve.
            let counted: u64 = curve.iter().map(|point| point.learnt.n).sum();
            assert_eq!(counted < training.games, training.restarts != 0, "{name}");
            assert_eq!(sum, scores as f64, "{name} on {}", training.network.size);

            let network = learner.network();
            let boards = (0..400).map(|index| {
                let seed = Seed(99).game(index);
                let size = training.network.size;
                size.iter()
                    .enumerate()
                    .fold(Board::empty(size), |board, (place, cell)| {
                        board.with(
                            cell,
                            Rank::new((seed.place_draw(place as u32) % 5) as u8).expect("a rank"),
                        )
                    })
            });
            let mut touched = 0;
            for board in boards {
                let (value, expected) = (network.of_grid(&board.to_grid()), plain.value(&board));
                touched += usize::from(expected != f64::from(training.optimistic));
                assert!(
                    (value - expected).abs() < 1e-3 * (1.0 + expected.abs()),
                    "{name} {board}: {value} {expected}"
                );
            }

            assert!(3 < touched, "{name} touched {touched}");
        }
    }
}

/// A table of whole boards can represent every value: greedy play learns the values of best play where it goes.
#[test]
fn values_converge_to_those_of_best_play() {
    let question = Question {
        size: "2x2".parse().expect("a size"),
        p4: 0.1,
        goal: Goal::Score,
    };
    let exact = question.solve(1, &Control::default()).expect("small");
    for (rule, alpha) in [(Update::Tc, None), (Update::Td, Some(0.1))] {
        let training = Training {
            rule,
            alpha,
            // Falling rates average out the randomness.
            schedule: if rule == Update::Td {
                vec![(20_000, 0.02), (40_000, 0.004)]
            } else {
                Vec::new()
            },
            optimistic: 120.0,
            ..training("2x2", "0123", 60_000)
        };
        let network = learnt(&training, 1).network();
        let (mut off, mut weight) = (0.0, 0.0);
        for opening in &exact.openings {
            let slides = Move::ALL
                .into_iter()
                .filter_map(|mv| opening.board.slide(mv));
            let worth = |slide: crate::game::Slide| {
                f64::from(slide.reward) + network.of_grid(&slide.after.board().to_grid())
            };
            let value = slides.map(worth).fold(f64::NEG_INFINITY, f64::max);
            off += opening.probability * (value - opening.value);
            weight += opening.probability;
        }
        assert!((weight - 1.0_f64).abs() < 1e-9);
        // Best play is worth 66.96.
        assert!(f64::abs(off) < 1.5, "{rule:?}: {off}");
    }
}

#[test]
fn a_training_makes_the_same_network_however_often_it_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stopped.net");
    for (rule, restarts) in [(Update::Td, 0), (Update::Tc, 0), (Update::Tc, 5)] {
        // A small network, since it is written at each stop.
        let training = Training {
            rule,
            tests: 3,
            ..training("4x4", "012 345", 300)
        };
        let stages: &[&str] = if restarts == 0 {
            &[]
        } else {
            &["64", "128", "128+64"]
        };
        let stages = stages
            .iter()
            .map(|text| text.parse().expect("a stage"))
            .collect();
        let network = training.network.clone().with_stages(stages).expect("sound");
        let training = Training {
            network,
            restarts,
            ..training
        };
        let whole = learnt(&training, 1);
        let mut learner = Learner::new(training.clone(), String::new()).expect("sound");
        let mut stops = 0;
        while !learner.is_finished() {
            // It is stopped after every 17 games.
            let polls = AtomicU64::new(0);
            let halts = || 17 <= polls.fetch_add(1, Ordering::Relaxed);
            learner
                .learn(ALONE, &halts, Duration::from_secs(600))
                .expect("learnt");
            learner.write(&path).expect("writable");
            learner = Learner::open(&path).expect("a network");
            stops += 1;
        }
        assert!(10 < stops, "{stops} stops");
        assert_eq!(learner.network().weights(), whole.network().weights());
        assert_eq!(learner.manifest().restarts, whole.manifest().restarts);
        assert_eq!(
            learner.manifest().restarts.boards.len(),
            if restarts == 0 { 0 } else { 3 }
        );

        let without_time = |learner: &Learner| {
            let curve = learner.curve().into_iter();
            curve
                .map(|point| crate::network::Point { secs: 0.0, ..point })
                .collect::<Vec<_>>()
        };

        assert_eq!(without_time(&learner), without_time(&whole));
        assert_eq!(learner.curve().len(), 6);
        assert!(
            learner
                .curve()
                .iter()
                .all(|point| point.tested.as_ref().is_some_and(|tested| tested.n == 3))
        );

        // With more games it continues like a training that had them from the start.
        learner.set_games(350);
        learner
            .learn(ALONE, &|| false, Duration::from_secs(600))
            .expect("learnt");
        let longer = learnt(
            &Training {
                games: 350,
                ..training
            },
            1,
        );
        assert_eq!(learner.network().weights(), longer.network().weights());
    }
}

#[test]
fn a_training_ends_when_its_time_is_over_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder
        .path()
        .join("timed.net")
        .to_str()
        .expect("a path")
        .to_owned();
    let path = std::path::Path::new(&name);
    let training = Training {
        minutes: Some(0.4 / 60.0),
        ..training("4x4", "0123 0145", 10_000_000)
    };
    let learner = Learner::new(training.clone(), String::new()).expect("sound");
    let session =
        Session::start(learner, Place::of(&name).expect("a place"), ALONE).expect("started");
    assert!(session.control().wait_for(Duration::from_secs(1000)));
    assert_eq!(session.control().work().state, WorkState::Done);
    drop(session);
    let learner = Learner::open(path).expect("a network");
    let manifest = learner.manifest();
    assert!(learner.is_finished() && manifest.ran_out_of_time() && !manifest.is_reproducible());
    assert!((0.4..30.0).contains(&manifest.secs), "{}", manifest.secs);
    assert!(0 < manifest.games && manifest.games < training.games);
    assert_eq!(
        learner.curve().last().map(|point| point.games),
        Some(manifest.games)
    );

    // It does not continue by itself, but does when games are added.
    learner
        .learn(ALONE, &|| false, Duration::from_secs(60))
        .expect("learnt");
    assert_eq!(learner.manifest().games, manifest.games);
    learner.set_games(manifest.games + 5);
    learner
        .learn(ALONE, &|| false, Duration::from_secs(60))
        .expect("learnt");
    assert_eq!(
        (learner.manifest().games, learner.training().minutes),
        (manifest.games + 5, None)
    );
}

#[test]
fn a_training_warns_where_the_file_system_has_no_locks() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder
        .path()
        .join("shared.net")
        .to_str()
        .expect("a path")
        .to_owned();
    let place = || Place::of(&name).expect("a place");
    let learner = Learner::new(training("2x2", "0123", 5), String::new()).expect("sound");
    let warning = |place: Place| {
        let session = Session::start(learner.clone(), place, ALONE).expect("started");
        session.warning().map(str::to_owned)
    };
    assert_eq!(warning(place()), None);
    let expected = crate::files::Lock::Unsupported.warning(std::path::Path::new(&name));
    assert_eq!(warning(crate::files::without_locks(place)), expected);
}

#[test]
fn a_training_waits_for_a_full_disk_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder
        .path()
        .join("full.net")
        .to_str()
        .expect("a path")
        .to_owned();
    let path = std::path::Path::new(&name);
    let begun = |patience: Duration, is_full: bool| {
        let learner = Learner::new(training("2x2", "0123", 5), String::new()).expect("sound");
        crate::files::set_full(folder.path(), false);
        // A new training fails at once on a full disk; only what it has learned is worth waiting for.
        learner.write(path).expect("written");
        crate::files::set_full(folder.path(), is_full);
        let place = Place::of(&name)
            .expect("a place")
            .waiting(crate::files::Patience(Some(patience)));
        Session::start(learner, place, ALONE).expect("started")
    };

    let session = begun(Duration::from_secs(600), true);
    let trouble = (0..200_000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(5));
        session.control().work().trouble
    });
    assert!(!session.control().work().state.has_ended());
    crate::files::set_full(folder.path(), false);
    assert!(session.control().wait_for(Duration::from_secs(1000)));
    let work = session.control().work();
    assert_eq!((work.state, work.trouble), (WorkState::Done, None));
    let begin =
        format!("{name}: progress cannot be saved (the disk is full): the training waits until ");
    assert!(
        trouble
            .as_ref()
            .is_some_and(|trouble| trouble.starts_with(&begin)),
        "{trouble:?}"
    );
    drop(session);
    assert_eq!(Learner::open(path).expect("a network").manifest().games, 5);

    let session = begun(Duration::from_millis(20), true);
    assert!(session.control().wait_for(Duration::from_secs(1000)));
    let WorkState::Failed(reason) = session.control().work().state else {
        panic!("{:?}", session.progress())
    };
    assert!(
        reason.starts_with(&format!(
            "{name}: no progress could be saved for 1 s (the disk is full): "
        )),
        "{reason}"
    );
    drop(session);

    // A training that should stop does not wait.
    let session = begun(Duration::from_secs(600), true);
    session.control().stop();
    assert!(session.control().wait_for(Duration::from_secs(1000)));
    let work = session.control().work();
    assert!(matches!(work.state, WorkState::Failed(_)), "{work:?}");
}

#[test]
fn more_threads_learn_as_well_and_say_so() {
    // Small enough for every seed to learn it: on 4x4 boards some need ten times the games of others.
    let training = training("2x3", "012345", 3000);
    let [alone, two] = [1, 2].map(|threads| learnt(&training, threads));
    let mean = |learner: &Learner| {
        let last = learner.curve().split_off(50);
        last.iter()
            .filter_map(|point| point.learnt.mean())
            .sum::<f64>()
            / last.len() as f64
    };
    assert!(alone.manifest().is_reproducible() && !two.manifest().is_reproducible());
    assert_eq!((two.manifest().games, two.curve().len()), (3000, 60));
    // Random play has a quarter of that. With so few shared weights, races lose some of what is learned.
    assert!(
        (0.55..1.6).contains(&(mean(&two) / mean(&alone))),
        "{} {}",
        mean(&two),
        mean(&alone)
    );
    assert!(150.0 < mean(&alone), "{}", mean(&alone));
}

#[test]
fn one_thread_learns_from_the_first_games_of_every_training() {
    let weights = |games: u64, threads: usize| {
        let learner = learnt(&training("3x3", "0123 3456", games), threads);
        let bits: Vec<u32> = learner
            .network()
            .weights()
            .iter()
            .map(|weight| weight.to_bits())
            .collect();
        (bits, learner.manifest().is_reproducible())
    };
    let alone = weights(FIRST, 1);
    for threads in [2, 5] {
        assert_eq!(weights(FIRST, threads), alone);
        assert!(!weights(FIRST + 1, threads).1);
    }
    assert_ne!(weights(FIRST + 1, 1).0, alone.0);
}

#[test]
fn a_session_is_paused_stopped_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder
        .path()
        .join("watched.net")
        .to_str()
        .expect("a path")
        .to_owned();
    let training = training("4x4", "0123 0145", 1_000_000);
    let learner = Learner::new(training, String::new()).expect("sound");
    let session =
        Session::start(learner, Place::of(&name).expect("a place"), ALONE).expect("started");
    let until = |what: &dyn Fn(&Progress) -> bool| {
        for _ in 0..2000 {
            let progress = session.progress();
            if what(&progress) {
                return progress;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it never came: {:?}", session.progress());
    };

    let begun =
        until(&|progress| 20 < progress.work.done && progress.work.state == WorkState::Running);
    assert_eq!(begun.saved, 1, "the new file");
    assert!(matches!(Place::of(&name), Err(LearningError::Busy(_))));
    session.control().pause();
    let paused = until(&|progress| progress.work.part.is_empty());
    assert_eq!(
        (paused.work.state, begun.saved < paused.saved),
        (WorkState::Paused, true)
    );
    // A paused training is in its file, and can be played with.
    let saved = Network::read(std::path::Path::new(&name)).expect("written");
    assert_eq!(saved.weights(), session.network().weights());

    std::thread::sleep(Duration::from_millis(120));
    assert_eq!(session.progress().work.done, paused.work.done);
    session.control().resume();
    let on = until(&|progress| paused.work.done + 20 < progress.work.done);
    assert!(0 < on.recent.n && on.recent.n <= 1000);
    session.save();
    session.control().stop();
    assert!(session.control().wait_for(Duration::from_secs(1000)));
    assert_eq!(session.control().work().state, WorkState::Stopped);

    let games = session.progress().work.done;
    drop(session);
    let learner = Learner::open(std::path::Path::new(&name)).expect("a network");
    assert_eq!(learner.manifest().games, games);
    learner.set_games(games + 1);
    let session =
        Session::start(learner, Place::of(&name).expect("free again"), ALONE).expect("started");
    assert!(session.control().wait_for(Duration::from_secs(1000)));
    assert_eq!(session.control().work().state, WorkState::Done);
    assert_eq!(Size::FOUR.cells(), 16);
}

#[test]
fn what_cannot_learn_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.net");
    let small = learnt(&training("2x2", "0123", 5), 1).network();
    small.write(&path, small.steps()).expect("writable");
    let error = Learner::open(&path).expect_err("small").to_string();
    assert!(
        error.contains("it is a small copy") && !error.contains('\n'),
        "{error}"
    );
    let mut bare = small.clone();
    bare.info.header.manifest = None;
    bare.write(&path, crate::network::Encoding::Whole)
        .expect("writable");
    let error = Learner::open(&path).expect_err("bare").to_string();
    assert!(
        error.contains("does not state how it was trained"),
        "{error}"
    );
    let large = Training::new(
        Shape::new(Size::FOUR, "01234567", true, &[]).expect("a shape"),
        1,
    );
    assert_eq!(large.memory(), 12 << 32);

    if crate::task::memory_available().is_some_and(|free| free < large.memory()) {
        let error = Learner::new(large, String::new())
            .expect_err("too large")
            .to_string();
        assert!(
            error.starts_with("its weights need 48.0 GiB of memory, but"),
            "{error}"
        );
    }
}
