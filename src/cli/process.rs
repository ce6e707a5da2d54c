//! `process`: the values of features of boards, by value iteration over counts from games.

use std::io::Write;

use serde_json::{Value, json};

use super::interrupt::Busy;
use super::made_args::{ProcessArgs, SolveFormat};
use super::solve::{place, save};
use super::table::{json_line, listed};
use super::terminal::tell;
use super::watch::Bar;
use super::{Failure, input};
use crate::files::CsvRows;
use crate::game::{Board, Move, Rules, Seed, Size};
use crate::kept::Kept as _;
use crate::process::{Feature, LearnError, Process, ProcessSpec, State, Teacher};
use crate::prose;
use crate::search::SearchOptions;
use crate::strategy::Player;
use crate::table::Head;
use crate::task::{Control, threads_for_cli};

/// The approximate size of a value iteration on disk, in bytes.
const ON_DISK: u64 = 2 << 20;

pub(super) fn process(args: &ProcessArgs, out: &mut impl Write) -> Result<(), Failure> {
    let ProcessArgs {
        games,
        rounds,
        seed,
        p4,
        ends,
        discount,
        ..
    } = *args;
    let spec = ProcessSpec {
        games,
        seed,
        p4,
        rounds,
        ends,
        discount,
    };
    spec.check()
        .map_err(|error| Failure::usage(error.to_string()))?;
    let path = place(Process::KIND, args.out.as_deref(), ON_DISK)?;
    let busy = Busy::begin();
    let threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok())
        .unwrap_or_else(threads_for_cli);
    let bar = Bar::new();
    let control = bar.control("", &busy.stop);
    let learnt = learn(args, &spec, threads, &control)?;
    if let Some(path) = &path {
        save(path, &control, || learnt.write(path))?;
    }
    drop(bar);

    match args.format {
        SolveFormat::Text => out.write_all(text(&learnt).as_bytes())?,
        SolveFormat::Json => json_line(out, &as_json(&learnt))?,
        SolveFormat::Csv => states(&learnt, out)?,
    }
    if let Some(path) = path {
        tell(&format!("{}: written", path.display()));
    }

    Ok(())
}

fn learn(
    args: &ProcessArgs,
    spec: &ProcessSpec,
    threads: usize,
    control: &Control,
) -> Result<Process, Failure> {
    let learnt = match &args.play {
        None => spec.learn(None, threads, control),
        Some(text) => {
            let strategy = input::strategy(text)?;
            strategy
                .check(Size::FOUR)
                .map_err(|error| Failure::usage(format!("--play {}: {error}", strategy.label())))?;
            let player = Player::new(
                &strategy,
                Rules {
                    p4: spec.p4,
                    ..Rules::default()
                },
            );
            let options = SearchOptions {
                stop: control.token(),
                ..SearchOptions::default()
            };
            let choose = |board: &Board, score: u64, (game, number): (u64, u32)| {
                let seed = Seed(spec.seed).game(game);
                player.decide(
                    board,
                    score,
                    |among| seed.tie(number, among),
                    options,
                    &mut (),
                )
            };
            spec.learn(
                Some(&Teacher {
                    name: strategy.label(),
                    choose: &choose,
                }),
                threads,
                control,
            )
        }
    };
    learnt.map_err(|error| match error {
        LearnError::Stopped => Failure::Stopped(" before anything was learned".to_owned()),
        error => Failure::could(error),
    })
}

fn text(learnt: &Process) -> String {
    let [down, across] = [Feature::Merges, Feature::Empty];
    let heads = std::iter::once("merges".to_owned())
        .chain((0..across.levels()).map(|level| across.level_text(level)));
    let rows = learnt
        .heat([down, across])
        .into_iter()
        .enumerate()
        .map(|(level, row)| {
            std::iter::once(down.level_text(level).into())
                .chain(row.into_iter().map(|cell| cell.mean().into()))
        });
    format!(
        "{}\n\npoints to come by {} and {} (across), other features averaged by visits\n\n{}",
        prose::process::lines(learnt).join("\n"),
        down.name(),
        across.name(),
        listed(heads.map(Head::whole), rows),
    )
}

fn as_json(learnt: &Process) -> Value {
    let ProcessSpec {
        games,
        seed,
        p4,
        rounds,
        ends,
        discount,
    } = learnt.spec;
    let solved = &learnt.solved;
    json!({
        "games": games, "rounds": rounds, "seed": seed, "p4": p4, "ends": ends, "discount": discount,
        "play": learnt.teacher, "moves": learnt.moves, "states": State::COUNT, "seen": learnt.seen(),
        "converged": solved.has_converged, "error": solved.error, "residuals": solved.residuals,
    })
}

fn states(learnt: &Process, out: &mut impl Write) -> Result<(), Failure> {
    let mut csv = CsvRows::new(&mut *out);
    let slides = Move::ALL.map(|mv| mv.name().to_owned());
    let columns = ["state", "monotone", "empty", "merges", "visits", "value"].map(str::to_owned);
    csv.row(columns.into_iter().chain(slides))?;
    for state in State::all().filter(|state| learnt.visits[state.index()] != 0) {
        let features = state.features();
        let counts = [
            u64::from(features.empty),
            u64::from(features.merges),
            learnt.visits[state.index()],
        ];
        let made = Move::ALL.map(|mv| learnt.action_made(state, mv));
        let worth = [Some(learnt.value(state))].into_iter().chain(made);
        // Rows 1 to 4, then columns 1 to 4.
        let flags = (0..8)
            .map(|line| {
                if features.monotone >> line & 1 == 1 {
                    'x'
                } else {
                    '.'
                }
            })
            .collect::<String>();
        let counts = counts.map(|count| count.to_string());
        let cells = [state.index().to_string(), flags].into_iter().chain(counts);
        csv.row(
            cells.chain(
                worth.map(|worth| worth.map_or_else(String::new, |worth| worth.to_string())),
            ),
        )?;
    }

    Ok(csv.flush()?)
}
