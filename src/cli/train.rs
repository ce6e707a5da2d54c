//! `train`: a network that learns by playing.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::interrupt::Busy;
use super::made_args::TrainArgs;
use super::slurm::quoted;
use super::table::{cells, json_line, listed};
use super::terminal::{disk_patience, is_watched, tell};
use super::values::Format;
use super::watch::Bar;
use super::{Failure, input};
use crate::files;
use crate::learning::{
    Learner, LearningError, Place, Progress, Session, ShippedTraining, Training,
};
use crate::network::{Manifest, NetworkError, Point, Scores, Shape, library};
use crate::table::{self, Cell, Head};
use crate::task::{CancelToken, Threads, WorkState, threads_for_cli};
use crate::words;

/// How often progress is printed without a progress bar.
const SAY: Duration = Duration::from_secs(30);

/// Rows of the printed curve; JSON has all points.
const PRINTED: usize = 20;

/// Columns of tiles.
const TILES: usize = 4;

pub(super) fn train(args: &TrainArgs, out: &mut impl Write) -> Result<(), Failure> {
    let count = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok())
        .unwrap_or_else(threads_for_cli);
    let (learner, place) = begun(args)?;
    let training = learner.training();
    let on_disk = training.network.weights() * 4 / 8;
    files::check_room(place.path(), on_disk)?;
    let path = place.path().to_owned();
    let limit = learner.manifest().left_secs().filter(|left| 0.0 < *left);
    tell(&format!(
        "{}: {} weights, {} of memory, {} on {}{}; Ctrl-C stops, and the same command resumes",
        training.network.label(),
        words::count(training.network.weights()),
        words::bytes(training.memory()),
        words::plural(training.games, "game"),
        words::plural(count as u64, "thread"),
        limit.map_or_else(String::new, |left| format!(
            ", at most {}",
            words::time(left)
        )),
    ));

    let busy = Busy::begin();
    let session = Session::start(
        learner.clone(),
        place.waiting(disk_patience()),
        Threads {
            count,
            low_priority: false,
        },
    )
    .map_err(failure)?;
    session.warning().into_iter().for_each(tell);
    attend(&session, &busy.stop);
    let state = session.control().work().state;
    drop(session);
    if let WorkState::Failed(reason) = state {
        return Err(Failure::could(reason));
    }

    let (manifest, curve) = (learner.manifest(), learner.curve());
    match args.format {
        Format::Json => json_line(
            out,
            &TrainJson {
                path: &path,
                manifest: &manifest,
                curve: &curve,
            },
        )?,
        Format::Text => out.write_all(text(&manifest, &curve).as_bytes())?,
    }
    out.flush()?;

    match manifest.is_finished() {
        true => {
            let over = manifest
                .training
                .minutes
                .filter(|_| manifest.ran_out_of_time());
            let over = over.map_or_else(String::new, |minutes| {
                let [games, all] = [manifest.games, manifest.training.games].map(words::count);
                let time = words::time(60.0 * minutes);
                format!(", stopped by the time limit of {time} after {games} of {all} games; resume with --games")
            });
            tell(&format!("{}: saved{over}", path.display()));
            Ok(())
        }
        false => {
            let games = words::plural(manifest.games, "game");
            let is_reference =
                library::path_of(library::REFERENCE).is_ok_and(|reference| reference == path);
            let (name, meanwhile) = match is_reference {
                true => (
                    library::REFERENCE.to_owned(),
                    "; until it is finished, the shipped network is used",
                ),
                false => (path.display().to_string(), ""),
            };
            Err(Failure::Stopped(format!(
                "; {games} are saved, afterstate train {name} resumes{meanwhile}"
            )))
        }
    }
}

fn failure(error: LearningError) -> Failure {
    match error {
        LearningError::Training { .. }
        | LearningError::Another { .. }
        | LearningError::Network(NetworkError::Name { .. } | NetworkError::Missing { .. }) => {
            Failure::usage(error)
        }
        error => Failure::could(error),
    }
}

/// The learner, new or from its file, and where it is saved.
fn begun(args: &TrainArgs) -> Result<(Learner, Place), Failure> {
    let named = args.what.as_ref().filter(|what| is_network(what));
    if let Some(name) = named {
        if args.out.is_some() || args.changes_anything() {
            let reason = "only --games can change in a started training: use --network and --out to train another network";
            return Err(Failure::usage(format!("{name}: {reason}")));
        }
        let path = library::path_of(name)?;
        library::info(name)?;
        let place = Place::of(name).map_err(failure)?;
        let learner = Learner::open(&path).map_err(failure)?;
        if let Some(games) = args.games {
            learner.set_games(games);
            learner.add_command(&command());
        }
        return Ok((learner, place));
    }

    let training = asked(args)?;
    let strong = args
        .what
        .as_ref()
        .filter(|what| what.trim_end_matches(".ron") == ShippedTraining::STRONG);
    let reference = strong.map(|_| library::REFERENCE.to_owned());
    let out = args.out.as_ref().or(reference.as_ref()).ok_or_else(|| {
        Failure::usage(
            "name the network with --out NAME: it is saved every minute, and strategies use it as Network(\"NAME\")",
        )
    })?;

    let place = Place::of(out).map_err(failure)?;
    let learner = if place.path().exists() {
        let learner = Learner::open(place.path()).map_err(failure)?;
        let Training {
            title,
            note,
            games,
            minutes,
            ..
        } = training.clone();
        // Another title or note, more games or more time do not make another training.
        if (Training {
            title,
            note,
            games,
            minutes,
            ..learner.training()
        }) != training
        {
            let reason = "it contains a network with different settings".to_owned();
            return Err(failure(LearningError::Another {
                path: place.path().to_owned(),
                reason,
            }));
        }
        let (previous, minutes) = (learner.training(), training.minutes);
        if previous.games != training.games {
            learner.set_games(training.games);
        }
        // More games alone remove an old limit, which this command sets.
        learner.set_minutes(minutes);
        if (previous.games, previous.minutes) != (training.games, minutes) {
            learner.add_command(&command());
        }
        learner
    } else {
        Learner::new(training, command()).map_err(failure)?
    };

    Ok((learner, place))
}

/// The command line, for a shell.
fn command() -> String {
    let is_plain = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_./,=+".contains(c))
    };
    let word = |word: String| if is_plain(&word) { word } else { quoted(&word) };
    let words = std::env::args_os()
        .skip(1)
        .map(|arg| word(arg.to_string_lossy().into_owned()));
    ["afterstate".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a text names an existing network to continue.
fn is_network(what: &str) -> bool {
    !library::is_named(what) || library::path_of(what).is_ok_and(|path| path.exists())
}

/// The training that the flags describe.
fn asked(args: &TrainArgs) -> Result<Training, Failure> {
    let shape = |text: &str| -> Result<Shape, Failure> {
        text.parse()
            .map_err(|error| Failure::usage(format!("--network: {error}")))
    };
    let mut training = match (&args.what, &args.network) {
        (Some(what), None) => input::training(what)?,
        (None, Some(network)) => Training::new(shape(network)?, 100_000),
        (Some(_), Some(_)) => {
            return Err(Failure::usage(
                "the preset already names the network: give the preset or --network, not both",
            ));
        }
        (None, None) => {
            return Err(Failure::usage(
                "name what to train: --network 4x6patt, a preset, or the network to resume; see train --help",
            ));
        }
    };

    if let Some(size) = args.size {
        let network = &training.network;
        training.network = Shape::new(size, &network.tuples_text(), network.is_symmetric(), &[])
            .map_err(|error| Failure::usage(format!("--size: {error}")))?;
    }

    if !args.stages.is_empty() {
        let staged = training.network.clone().with_stages(args.stages.clone());
        training.network = staged.map_err(|error| Failure::usage(format!("--stages: {error}")))?;
    }
    training.games = args.games.unwrap_or(training.games);
    training.rule = args.rule.unwrap_or(training.rule);
    training.alpha = args.alpha.or(training.alpha);
    if !args.schedule.is_empty() {
        training.schedule.clone_from(&args.schedule);
    }
    training.optimistic = args.optimistic.unwrap_or(training.optimistic);
    training.lambda = args.lambda.unwrap_or(training.lambda);
    training.steps = args.steps.or(training.steps);

    // With λ = 0 a target would not look that far.
    if args.lambda.is_none() && training.lambda == 0.0 && args.steps.is_some_and(|steps| 1 < steps)
    {
        training.lambda = 1.0;
    }
    training.backward |= args.backward;
    training.restarts = args.restarts.unwrap_or(training.restarts);
    training.minutes = args.minutes.or(training.minutes);
    training.p4 = args.p4.unwrap_or(training.p4);
    training.seed = args.seed.unwrap_or(training.seed);
    training.every = args.every.unwrap_or(training.every);
    training.tests = args.tests.unwrap_or(training.tests);
    match training.problems().first() {
        Some((field, reason)) => Err(Failure::usage(format!("{field}: {reason}"))),
        None => Ok(training),
    }
}

/// Shows the progress until the end.
fn attend(session: &Session, stop: &CancelToken) {
    let bar = Bar::new();
    let mut said = std::time::Instant::now();
    let mut before: Option<(f64, u64, u64)> = None;
    while !session.control().wait_for(Duration::from_millis(200)) {
        if stop.is_cancelled() {
            session.control().stop();
        }
        let progress = session.progress();
        let about = line(&progress, before);
        bar.show(&progress.work, &about);
        if SAY <= said.elapsed() {
            if !is_watched() {
                tell(&format!("{}, {about}", progress.work.text()));
            }
            said = std::time::Instant::now();
            before = Some((progress.secs, progress.work.done, progress.moves));
        }
    }
}

/// `2.1 million moves/s, 640 games/s; the last 1,000: mean 80,123, 2048 91.2 %, 4096 55.0 %`; speeds since `before`.
fn line(progress: &Progress, before: Option<(f64, u64, u64)>) -> String {
    let (secs, games, moves) = before.unwrap_or((0.0, 0, 0));
    let secs = (progress.secs - secs).max(1e-9);
    let speed = |now: u64, before: u64| words::count(((now - before) as f64 / secs) as u64);
    let mut line = format!(
        "{} moves/s, {} games/s",
        speed(progress.moves, moves),
        speed(progress.work.done, games)
    );
    if let Some(mean) = progress.recent.mean() {
        let recent = &progress.recent;
        let tiles = tiles(&[recent]);
        let rates = tiles.iter().map(|&tile| {
            format!(
                ", {tile} {}",
                rate(recent, tile).with(table::Format::percent(1))
            )
        });
        line += &format!(
            "; the last {}: mean {}",
            words::count(recent.n),
            words::decimals(mean, 0)
        );
        line.extend(rates);
    }
    line
}

fn rate(scores: &Scores, tile: u64) -> Cell {
    (scores.reached(tile) as f64 / scores.n as f64).into()
}

/// The largest tiles that some of the games reached.
fn tiles(all: &[&Scores]) -> Vec<u64> {
    let mut tiles: Vec<u64> = all
        .iter()
        .flat_map(|scores| &scores.largest)
        .map(|&(tile, _)| tile)
        .collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles.split_off(tiles.len().saturating_sub(TILES))
}

#[derive(Serialize)]
struct TrainJson<'a> {
    path: &'a Path,
    manifest: &'a Manifest,
    curve: &'a [Point],
}

fn text(manifest: &Manifest, curve: &[Point]) -> String {
    let step = curve.len().div_ceil(PRINTED).max(1);
    // The last point is always included.
    let shown: Vec<&Point> = curve
        .iter()
        .rev()
        .step_by(step)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let has_tests = curve.iter().any(|point| point.tested.is_some());
    let learnt: Vec<&Scores> = shown.iter().map(|point| &point.learnt).collect();
    let tiles = tiles(&learnt);
    let heads = ["games", "moves", "time", "n", "mean", "± one SE"].map(Head::whole);
    let heads = heads
        .into_iter()
        .chain(tiles.iter().map(|tile| Head::percent(tile.to_string(), 1)));
    let heads = heads.chain(has_tests.then(|| Head::whole("mean of tests")));
    let rows = shown.iter().map(|point| {
        let Scores { n, .. } = point.learnt;
        let learnt = [point.learnt.mean(), point.learnt.standard_error()];
        let own = cells![
            point.games,
            point.moves,
            words::time(point.secs),
            n,
            learnt[0],
            learnt[1]
        ];
        let rates = tiles.iter().map(move |&tile| rate(&point.learnt, tile));
        let tested = has_tests.then(|| point.tested.as_ref().and_then(Scores::mean).into());
        own.into_iter().chain(rates).chain(tested)
    });

    let mut text = format!(
        "{}, {}\n\n",
        manifest.training.network.label(),
        manifest.rule
    );
    text += &listed(heads, rows);
    text += "\neach row covers the n games before it, in which the network learned; tests are games without learning\n";
    if manifest.training.restarts != 0 {
        text += "games that restarted at a stage count in games and moves, but not in n and the means\n";
    }
    if 1 < manifest.threads {
        text +=
            "with more than one thread, the same training gives a different network each time\n";
    }
    if manifest.ran_out_of_time() {
        text += "the time limit allows more games on a faster machine: the same training may give a different network\n";
    }

    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use clap::Parser;

    use super::*;
    use crate::game::{Board, Move, Seed};

    #[derive(Parser)]
    struct Called {
        #[command(flatten)]
        args: TrainArgs,
    }

    fn called(flags: &str) -> Result<Training, Failure> {
        let words = ["train", "--size", "2x3", "--network", "01"]
            .into_iter()
            .chain(flags.split_whitespace());
        asked(&Called::try_parse_from(words).expect(flags).args)
    }

    /// N-step TD of afterstates with a table of whole boards: the textbook's sum of n rewards and the value n slides
    /// later, without λ.
    fn n_step(training: &Training, n: usize) -> HashMap<Board, f64> {
        let mut values: HashMap<Board, f64> = HashMap::new();
        let rules = training.rules();
        for game in 0..training.games {
            let seed = Seed(training.seed).game(game);
            let mut board = seed.opening(&rules);
            let (mut chain, mut rewards): (Vec<Board>, Vec<f64>) = Default::default();
            let learn =
                |values: &mut HashMap<Board, f64>, chain: &[Board], goal: f64, at: usize| {
                    let value = values.entry(chain[at]).or_default();
                    *value += f64::from(training.alpha.expect("given")) * (goal - *value);
                };

            loop {
                let mut best: Option<(f64, f64, f64, Board)> = None;
                for slide in Move::ALL.into_iter().filter_map(|mv| board.slide(mv)) {
                    let (after, reward) = (slide.after.board(), f64::from(slide.reward));
                    let value = values.get(&after).copied().unwrap_or(0.0);
                    if best
                        .as_ref()
                        .is_none_or(|best| best.0 + 1e-5 < reward + value)
                    {
                        best = Some((reward + value, reward, value, after));
                    }
                }
                let Some((_, reward, value, after)) = best else {
                    break;
                };
                chain.push(after);
                rewards.push(reward);
                if n < chain.len() {
                    let at = chain.len() - 1 - n;
                    let goal = rewards[at + 1..].iter().sum::<f64>() + value;
                    learn(&mut values, &chain, goal, at);
                }
                let spawn = seed.spawn(chain.len() as u32 + 1, &after, rules.p4);
                board = after.with(spawn.cell, spawn.rank);
            }

            for at in chain.len().saturating_sub(n)..chain.len() {
                let goal = rewards[at + 1..].iter().sum::<f64>();
                learn(&mut values, &chain, goal, at);
            }
        }

        values
    }

    #[test]
    fn steps_alone_learn_what_a_plain_n_step_learner_learns() {
        let weights = |training: Training| {
            // A weight for each board, without symmetric images.
            let network = Shape::new(training.network.size, "012345", false, &[]).expect("a shape");
            let training = Training {
                network,
                ..training
            };
            let learner = Learner::new(training, String::new()).expect("sound");
            learner.learn_here();
            learner.network()
        };

        for n in [2, 3, 7] {
            let training =
                called(&format!("--rule td --alpha 0.25 --games 60 --steps {n}")).expect("sound");
            assert_eq!((training.lambda, training.steps), (1.0, Some(n)));
            let network = weights(training.clone());
            let plain = n_step(&training, n as usize);
            assert!(100 < plain.len(), "{}", plain.len());
            for (board, value) in plain {
                let found = network.of_grid(&board.to_grid());
                assert!(
                    (found - value).abs() < 1e-3 * (1.0 + value.abs()),
                    "{n} steps, {board}: {found}, not {value}"
                );
            }
            let next = called("--rule td --alpha 0.25 --games 60").expect("sound");
            assert_ne!(
                network.weights(),
                weights(next).weights(),
                "{n} steps are not TD(0)"
            );
        }

        let weights_with =
            |flags: &str| weights(called(&format!("--rule td --games 60 {flags}")).expect("sound"));
        assert_eq!(
            weights_with("--steps 1").weights(),
            weights_with("").weights(),
            "one step is TD(0)"
        );
    }

    #[test]
    fn the_manifest_states_the_rule_in_force_and_contradictory_flags_are_refused() {
        for (flags, rule) in [
            ("", "TC(0)"),
            ("--steps 1", "TC(0)"),
            ("--steps 3", "3-step TC"),
            ("--steps 3 --backward", "backward 3-step TC"),
            ("--lambda 0.5 --rule td", "TD(0.5), 5 slides ahead"),
            ("--lambda 0.5 --steps 3", "TC(0.5), 3 slides ahead"),
            ("--lambda 1 --steps 3", "3-step TC"),
        ] {
            let learner = Learner::new(called(flags).expect(flags), String::new()).expect("sound");
            assert_eq!(learner.manifest().rule, rule, "{flags}");
        }
        for flags in [
            "--lambda .5 --steps 1",
            "--lambda 0 --steps 3",
            "--lambda 0 --steps 2 --backward",
        ] {
            let Err(Failure::Usage(error)) = called(flags) else {
                panic!("{flags}")
            };
            let error = error.to_string();
            assert!(
                error.starts_with("steps: ") && !error.contains('\n'),
                "{error}"
            );
        }
    }

    #[test]
    fn a_training_of_an_earlier_version_stays_td_0_and_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.net");
        let training = Training {
            games: 20,
            ..called("--rule td").expect("sound")
        };
        let learner = Learner::new(training.clone(), String::new()).expect("sound");
        learner.learn_here();

        // The content of a file written with `--steps 3`.
        let network = learner.network();
        let mut info = network.info.clone();
        let manifest = info.header.manifest.as_mut().expect("trained");
        (manifest.training.steps, manifest.rule) = (Some(3), String::new());
        let old = crate::network::Network::new(info, network.weights().to_vec());
        old.write(&path, crate::network::Encoding::Whole)
            .expect("writable");
        let opened = Learner::open(&path).expect("an old file opens");
        assert_eq!(
            opened.manifest().rule,
            "TD(0) (λ is 0, so its 3 steps have no effect)"
        );
        opened.set_games(21);
        opened.learn_here();
        assert_eq!(opened.manifest().games, 21);
    }
}
