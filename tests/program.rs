//! Other programs as evaluators: their values count like this program's own, and whatever they do ends in a sentence.
//!
//! The other programs are this one, called with `--speak` and a name of [`speak`], so that the tests need nothing else
//! and run wherever it was built; a test harness would print between the lines. The one in Python needs `python3`.

#[cfg(unix)]
mod signals;

use std::io::{BufRead as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use afterstate::evaluator::{Evaluator, ProgramSpec};
use afterstate::experiment::{Plan, Run, RunFolder, State};
use afterstate::game::{Board, Move, Rank, Rules, Seed, Size};
use afterstate::preset::Preset;
use afterstate::program::permission;
use afterstate::search::SearchOptions;
use afterstate::strategy::{Decision, GameTrace, Outcome, Player, Strategy};
use afterstate::task::{CancelToken, TaskInfo, Tasks};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, kind, rest @ ..] = arguments.as_slice()
        && flag == "--speak"
    {
        return speak(kind, rest);
    }
    permission::allow_all();
    let filters: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    for (name, test) in TESTS {
        if filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str())) {
            let since = Instant::now();
            test();
            println!(
                "test {name} ... ok ({:.1} s)",
                since.elapsed().as_secs_f64()
            );
        }
    }
}

const TESTS: &[(&str, fn())] = &[
    (
        "a_program_plays_what_its_evaluator_plays",
        a_program_plays_what_its_evaluator_plays,
    ),
    (
        "searches_of_a_program_are_those_of_its_evaluator",
        searches_of_a_program_are_those_of_its_evaluator,
    ),
    (
        "the_program_of_the_readme_is_corner",
        the_program_of_the_readme_is_corner,
    ),
    (
        "whatever_a_program_does_ends_in_one_sentence",
        whatever_a_program_does_ends_in_one_sentence,
    ),
    (
        "who_reads_nothing_is_not_written_to_for_ever",
        who_reads_nothing_is_not_written_to_for_ever,
    ),
    (
        "who_is_stopped_waits_no_longer",
        who_is_stopped_waits_no_longer,
    ),
    (
        "what_has_failed_is_not_asked_again",
        what_has_failed_is_not_asked_again,
    ),
    (
        "programs_end_with_their_children",
        programs_end_with_their_children,
    ),
    (
        "no_program_outlives_a_command",
        no_program_outlives_a_command,
    ),
    (
        "a_run_keeps_what_it_has_and_goes_on",
        a_run_keeps_what_it_has_and_goes_on,
    ),
    (
        "what_is_kept_is_read_whatever_became_of_its_files",
        what_is_kept_is_read_whatever_became_of_its_files,
    ),
    ("threads_do_not_change_games", threads_do_not_change_games),
    ("a_task_tells_the_sentence", a_task_tells_the_sentence),
    (
        "files_are_in_the_hash_and_a_changed_one_is_told",
        files_are_in_the_hash_and_a_changed_one_is_told,
    ),
    (
        "nothing_runs_that_was_not_allowed",
        nothing_runs_that_was_not_allowed,
    ),
    ("a_command_is_named_escaped", a_command_is_named_escaped),
    (
        "permission_is_for_the_content_that_is_started",
        permission_is_for_the_content_that_is_started,
    ),
    (
        "commands_tell_what_a_program_did",
        commands_tell_what_a_program_did,
    ),
];

// The other programs.

/// Answers lines as `kind` does.
fn speak(kind: &str, rest: &[String]) {
    let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let say = |line: &str| {
        let mut out = std::io::stdout().lock();
        // The reader may be gone.
        let _ = out
            .write_all(line.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush());
    };

    let sleep = || loop {
        std::thread::sleep(Duration::from_secs(60));
    };

    match kind {
        "evaluate" => {
            let evaluator: Evaluator = rest[0].parse().expect("an evaluator");
            lines.for_each(|line| say(&answer(&evaluator, &line)));
        }
        // The same for this many lines.
        "tires" => {
            let count = rest[0].parse().expect("a number");
            lines
                .by_ref()
                .take(count)
                .for_each(|line| say(&answer(&Evaluator::Empty, &line)));
            eprintln!("Traceback\n  line 3\nTiredError: {count} lines are enough");
            std::process::exit(3);
        }
        // The same while a file exists that no word of the command names.
        "needs" => {
            assert!(Path::new(&rest[0]).join("data").exists(), "no data");
            lines.for_each(|line| say(&answer(&Evaluator::Empty, &line)));
        }
        "marks" => {
            std::fs::write(&rest[0], std::process::id().to_string()).expect("writable");
            lines.for_each(|line| say(&answer(&Evaluator::Empty, &line)));
        }
        "parent" => {
            let own = std::env::current_exe().expect("a path");
            let mut child = Command::new(own)
                .args(["--speak", "marks", &rest[0]])
                .stdin(Stdio::piped())
                .spawn()
                .expect("a child");
            // It waits for lines that do not come.
            let _held = child.stdin.take();
            let _ = child.wait();
        }
        // The same for a child that leads its own process group.
        "outside" => {
            let own = std::env::current_exe().expect("a path");
            let mut child = Command::new(own);
            child
                .args(["--speak", "lingers", &rest[0]])
                .stdin(Stdio::null());
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(&mut child, 0);
            let _ = child.spawn().expect("a child").wait();
        }
        // Ignores the end of its input.
        "lingers" => {
            std::fs::write(&rest[0], std::process::id().to_string()).expect("writable");
            lines.for_each(|line| say(&answer(&Evaluator::Empty, &line)));
            sleep();
        }
        "silent" => {
            std::fs::write(&rest[0], std::process::id().to_string()).expect("writable");
            sleep();
        }
        // Uses a program that lingers, on a thread that continues, and panics.
        "panics" => {
            let _all = afterstate::program::EndAll;
            permission::allow_all();
            let (sender, receiver) = std::sync::mpsc::channel();
            let by_program = Evaluator::Program(program("lingers", &[&rest[0]], 60.0));
            std::thread::spawn(move || {
                sender
                    .send(by_program.evaluate(&"2,0/0,2".parse::<Board>().expect("a board"), 0))
                    .expect("the receiver waits");
                sleep();
            });
            panic!("it says {}", receiver.recv().expect("a number"));
        }
        // Uses a script that it may change.
        "consents" => consents(&rest[0]),
        "loops" => lines.for_each(|_| {
            loop {
                std::hint::spin_loop();
            }
        }),
        "sleeps" => sleep(),
        // Answers a line once it has seen the next.
        "lags" => {
            let mut before: Option<String> = None;
            for line in lines {
                if let Some(before) = before.replace(line) {
                    say(&answer(&Evaluator::Empty, &before));
                }
            }
        }
        "twice" => lines.for_each(|line| {
            let answer = answer(&Evaluator::Empty, &line);
            say(&format!("{answer}\n{answer}"));
        }),
        "floods" => lines.for_each(|_| {
            let part = [b'1'; 4096];
            while std::io::stdout().write_all(&part).is_ok() {}
        }),
        "chatters" => loop {
            say("[1]");
        },
        // Writes answers in time without reading, for a while.
        "deaf" => {
            for _ in 0..600 {
                say("[1]");
                std::thread::sleep(Duration::from_millis(4));
            }
            sleep();
        }
        // Ends, and leaves a child that keeps its output open.
        "leaves" => {
            let own = std::env::current_exe().expect("a path");
            Command::new(own)
                .args(["--speak", "sleeps"])
                .spawn()
                .expect("a child");
            std::process::exit(4)
        }
        "binary" => lines.for_each(|_| {
            let _ = std::io::stdout()
                .write_all(b"\xff\xfe\n")
                .and_then(|()| std::io::stdout().flush());
        }),
        "says" => lines.for_each(|_| say(&rest[0])),
        "dies" => {}
        other => panic!("{other} is no kind"),
    }
}

fn answer(evaluator: &Evaluator, line: &str) -> String {
    let positions: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let value = |position: &serde_json::Value| {
        let board: Board = position["board"]
            .as_str()
            .and_then(|board| board.parse().ok())
            .expect("a board");
        evaluator.evaluate(&board, position["score"].as_u64().expect("a score"))
    };
    let positions = positions.as_array().expect("a list");
    assert!((1..=64).contains(&positions.len()), "{}", positions.len());
    serde_json::to_string(&positions.iter().map(value).collect::<Vec<f64>>()).expect("numbers")
}

// The callers.

fn own() -> String {
    std::env::current_exe()
        .expect("a path")
        .to_string_lossy()
        .into_owned()
}

fn speaking(kind: &str, rest: &[&str]) -> Vec<String> {
    [own().as_str(), "--speak", kind]
        .into_iter()
        .chain(rest.iter().copied())
        .map(str::to_owned)
        .collect()
}

fn program(kind: &str, rest: &[&str], seconds: f64) -> ProgramSpec {
    ProgramSpec {
        command: speaking(kind, rest),
        seconds,
    }
}

/// A strategy of one row; `EVALUATOR` in its text is replaced by the evaluator.
fn strategy(row: &str, evaluator: &Evaluator) -> Strategy {
    let text = format!(
        "Strategy(criteria: [{}])",
        row.replace("EVALUATOR", &evaluator.to_string())
    );
    text.parse().expect(&text)
}

const ONE_PLY: &str = "(evaluator: EVALUATOR)";

fn a_program_plays_what_its_evaluator_plays() {
    for (evaluator, size) in [
        ("Corner", "4x4"),
        ("Sum([(1.0, Score), (50.0, Empty)])", "3x3"),
        ("Product(MonotoneSum, Snake)", "2x4"),
    ] {
        let plain: Evaluator = evaluator.parse().expect(evaluator);
        let by_program = Evaluator::Program(program("evaluate", &[evaluator], 60.0));
        let rules = Rules {
            size: size.parse().expect(size),
            stop_at: Rank::of_tile(256),
            ..Rules::default()
        };
        // Alone, and in a sum beside an evaluator with a table.
        let beside = |one: &Evaluator| {
            Evaluator::Sum(vec![(2.0, one.clone()), (0.5, Evaluator::Difference)])
        };
        for pair in [
            [plain.clone(), by_program.clone()],
            [beside(&plain), beside(&by_program)],
        ] {
            let games = pair.map(|evaluator| {
                let strategy = strategy(ONE_PLY, &evaluator);
                let player = Player::new(&strategy, rules);
                GameTrace::record(&player, Seed(7), 1, &strategy, SearchOptions::default()).steps
            });
            assert!(10 < games[0].len());
            assert_eq!(games[0], games[1], "{evaluator} on {size}");
        }
    }
}

fn searches_of_a_program_are_those_of_its_evaluator() {
    let board: Board = "2,0,0,4/0,8,0,0/0,0,32,0/0,64,16,2"
        .parse()
        .expect("a board");
    let small: Board = "2,4,0/0,8,4/0,0,16".parse().expect("a board");
    for evaluator in ["Corner", "Sum([(1.0, Score), (50.0, Empty)])"] {
        let plain: Evaluator = evaluator.parse().expect(evaluator);
        let by_program = Evaluator::Program(program("evaluate", &[evaluator], 60.0));
        for lookahead in [
            "Expectimax(plies: Fixed(2))",
            "Expectimax(plies: Fixed(3))",
            "Expectimax(plies: Fixed(5), cuts: [Reach(0.02)])",
            "Minimax(plies: Fixed(3), cuts: [AlphaBeta])",
            "Minimax(plies: Fixed(4), dead: Lost, cuts: [AlphaBeta])",
        ] {
            let row = format!("(evaluator: EVALUATOR, lookahead: {lookahead})");
            for board in [board, small] {
                let rules = Rules {
                    size: board.size(),
                    ..Rules::default()
                };
                let [one, other] = [&plain, &by_program].map(|evaluator| {
                    let player = Player::new(&strategy(&row, evaluator), rules);
                    Decision::of(
                        &player,
                        (&board, 96),
                        |_| 0,
                        SearchOptions {
                            cores: 2,
                            ..SearchOptions::default()
                        },
                        100_000,
                    )
                });

                let values = |decision: &Decision| {
                    Move::ALL.map(|mv| {
                        decision.moves[mv]
                            .as_ref()
                            .and_then(|candidate| candidate.values[0])
                    })
                };

                for (one, other) in values(&one).into_iter().zip(values(&other)) {
                    let (Some(one), Some(other)) = (one, other) else {
                        assert_eq!(one.is_some(), other.is_some(), "{evaluator} by {lookahead}");
                        continue;
                    };
                    assert!(
                        (one - other).abs() <= 1e-9 * one.abs().max(1.0),
                        "{evaluator} by {lookahead}: {one} {other}"
                    );
                }
            }
        }
    }
}

fn the_program_of_the_readme_is_corner() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no python3 here");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/presets/programs/evaluate.py");
    let command = vec!["python3".to_owned(), script.to_owned()];
    let by_program = Evaluator::Program(ProgramSpec {
        command,
        seconds: 60.0,
    });
    let strategy = strategy(
        "(evaluator: EVALUATOR, lookahead: Expectimax(plies: Fixed(2)))",
        &by_program,
    );
    let rules = Rules {
        stop_at: Rank::of_tile(64),
        ..Rules::default()
    };
    let record = GameTrace::record(
        &Player::new(&strategy, rules),
        Seed(1),
        0,
        &strategy,
        SearchOptions::default(),
    );
    let moments = record.replay();
    assert!(10 < moments.len());
    for moment in moments {
        assert_eq!(
            by_program.evaluate(&moment.board, 5),
            Evaluator::Corner.evaluate(&moment.board, 5),
            "{}",
            moment.board
        );
    }
}

fn whatever_a_program_does_ends_in_one_sentence() {
    let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
    let position = board.to_grid();
    for (kind, rest, sentence) in [
        (
            "loops",
            "",
            "no answer within 0.7 s: fix it, or allow more seconds",
        ),
        ("sleeps", "", "no answer within 0.7 s"),
        ("lags", "", "no answer within 0.7 s"),
        ("parent", "/", "no answer within 0.7 s"),
        (
            "says",
            "[NaN]",
            "answered \"[NaN]\", which is not a list of 1 finite number, such as [0.5]",
        ),
        (
            "says",
            "[1e999]",
            "answered \"[1e999]\", which is not a list",
        ),
        (
            "says",
            "[-2e18]",
            "answered \"[-2e18]\", which is not a list",
        ),
        ("says", "[]", "answered \"[]\", which is not a list"),
        ("says", "[1, 2]", "answered \"[1, 2]\", which is not a list"),
        ("says", "3", "answered \"3\", which is not a list"),
        ("says", "", "answered \"\", which is not a list"),
        ("says", "hello", "answered \"hello\", which is not a list"),
        ("floods", "", "printed a line longer than 1.0 MiB"),
        ("binary", "", "printed a line that is not UTF-8"),
        ("leaves", "", "ended with exit code 4 before it answered"),
        ("dies", "", "ended with exit code 0 before it answered"),
        (
            "tires",
            "0",
            "ended with exit code 3 before it answered; its error output ends with \"TiredError: 0 lines are enough\"",
        ),
    ] {
        // A child of a test that runs at the same time must not write here.
        let file = tempfile::NamedTempFile::new().expect("a file");
        let rest = if kind == "parent" {
            file.path().to_string_lossy().into_owned()
        } else {
            rest.to_owned()
        };
        // Enough for a slow start, and no longer than needed for one that never answers.
        let seconds = if sentence.contains("0.7 s") {
            0.7
        } else {
            60.0
        };
        let since = Instant::now();
        let error = program(kind, &[&rest], seconds)
            .try_on(&position, 12)
            .expect_err(kind)
            .to_string();
        assert!(error.contains(sentence), "{kind}: {error}");
        assert!(!error.contains('\n'), "{kind}: {error}");
        assert!(since.elapsed() < Duration::from_secs(55), "{kind}");
    }

    for kind in ["twice", "chatters"] {
        let by_program = Evaluator::Program(program(kind, &[], 60.0));
        let all = std::panic::catch_unwind(|| {
            (0..1000)
                .map(|score| by_program.evaluate(&board, score))
                .sum::<f64>()
        });
        let error =
            afterstate::task::panic_message(&*all.expect_err("it says more than it is asked"));
        assert!(
            error.contains("without a request: it must print one line for each line it reads"),
            "{error}"
        );
    }

    let spec = ProgramSpec {
        command: vec!["/no/such/program".to_owned()],
        seconds: 1.0,
    };
    let error = spec
        .try_on(&position, 0)
        .expect_err("nothing is there")
        .to_string();
    assert!(
        error.contains("cannot be started (No such file or directory)") || cfg!(not(unix)),
        "{error}"
    );
}

fn who_reads_nothing_is_not_written_to_for_ever() {
    // Long lines, which more than fill a pipe before the last answer.
    let board: Board = ["65536,32768,16384,8192"; 4]
        .join("/")
        .parse()
        .expect("a board");
    let by_program = Evaluator::Program(program("deaf", &[], 2.0));
    let since = Instant::now();
    let all = std::panic::catch_unwind(|| {
        (0..1000)
            .map(|score| by_program.evaluate(&board, score))
            .sum::<f64>()
    });
    let error = afterstate::task::panic_message(&*all.expect_err("it does not answer all"));
    assert!(
        error.contains("no answer within 2 s") || error.contains("without a request"),
        "{error}"
    );
    assert!(
        since.elapsed() < Duration::from_secs(250),
        "{:?}",
        since.elapsed()
    );
}

fn who_is_stopped_waits_no_longer() {
    let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
    let by_program = Evaluator::Program(program("sleeps", &[], 300.0));
    for row in [
        ONE_PLY,
        "(evaluator: EVALUATOR, lookahead: Expectimax(plies: Fixed(3)))",
    ] {
        let player = Player::new(&strategy(row, &by_program), Rules::default());
        let (stop, since) = (CancelToken::new(), Instant::now());
        let decided = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                stop.cancel();
            });
            let options = SearchOptions::on_cores(&stop, 2);
            player.decide(&board, 0, |_| 0, options, &mut ())
        });
        assert_eq!(decided, None);
        assert!(
            since.elapsed() < Duration::from_secs(250),
            "{:?}",
            since.elapsed()
        );
    }

    // The games are abandoned like those of a search, and the run has not failed.
    let run = Run::start(plan([strategy(ONE_PLY, &by_program)], 4, 2), || {}).expect("it begins");
    run.cancel();
    run.wait();
    assert_eq!(run.state(), State::Cancelled);
}

fn what_has_failed_is_not_asked_again() {
    let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
    let by_program = Evaluator::Program(program("sleeps", &[], 0.5));
    let player = Player::new(&strategy(ONE_PLY, &by_program), Rules::default());
    let since = Instant::now();
    for _ in 0..200 {
        let decided = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            player.decide(&board, 0, |_| 0, SearchOptions::default(), &mut ())
        }));
        let sentence = afterstate::task::panic_message(&*decided.expect_err("no answer"));
        assert!(sentence.contains("no answer within 0.5 s"), "{sentence}");
    }
    // This many late answers would take 100 seconds; one takes half a second, however busy the computer is.
    assert!(
        since.elapsed() < Duration::from_secs(90),
        "{:?}",
        since.elapsed()
    );
}

/// Whether a process with this number runs.
#[cfg(unix)]
fn runs(id: &str) -> bool {
    let state = Command::new("ps")
        .args(["-o", "stat=", "-p", id])
        .output()
        .expect("ps");
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

#[cfg(not(unix))]
fn runs(_id: &str) -> bool {
    false
}

fn ends(id: &str) {
    let since = Instant::now();
    while runs(id) {
        assert!(since.elapsed() < Duration::from_secs(250), "{id} runs on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The content of a file once it is not empty.
fn written(path: &Path) -> String {
    let since = Instant::now();
    loop {
        if let Some(text) = std::fs::read_to_string(path)
            .ok()
            .filter(|text| !text.is_empty())
        {
            return text;
        }
        assert!(
            since.elapsed() < Duration::from_secs(250),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn programs_end_with_their_children() {
    let folder = tempfile::tempdir().expect("a folder");
    let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
    // A program that is no longer used.
    let mark = folder.path().join("one");
    let spec = program("marks", &[&mark.to_string_lossy()], 60.0);
    let asking = std::thread::spawn(move || {
        let player = Player::new(
            &strategy(ONE_PLY, &Evaluator::Program(spec)),
            Rules::default(),
        );
        assert!(
            player
                .decide(&board, 0, |_| 0, SearchOptions::default(), &mut ())
                .is_some()
        );
        let id = written(&mark);
        assert!(runs(&id) || cfg!(not(unix)), "it waits for the next line");
        id
    });
    ends(&asking.join().expect("no panic"));

    // The child of a late program.
    let mark = folder.path().join("child");
    let path = mark.to_string_lossy().into_owned();
    let late =
        std::thread::spawn(move || program("parent", &[&path], 4.0).try_on(&board.to_grid(), 0));
    let id = written(&mark);
    assert!(late.join().expect("no panic").is_err());
    ends(&id);

    // A child that left the group, if the system reports the parents of processes.
    if cfg!(target_os = "linux") {
        let mark = folder.path().join("outside");
        let path = mark.to_string_lossy().into_owned();
        assert!(
            program("outside", &[&path], 2.0)
                .try_on(&board.to_grid(), 0)
                .is_err()
        );
        ends(&written(&mark));
    }
}

/// However a command ends, its child programs end too, even those that ignore the end of their input.
#[cfg(unix)]
fn no_program_outlives_a_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";
    let evaluator = |kind: &str, mark: &Path| {
        Evaluator::Program(program(kind, &[&mark.to_string_lossy()], 300.0)).to_string()
    };
    // Its work is done.
    let mark = folder.path().join("done");
    let output = afterstate(&[
        "evaluate",
        board,
        "--allow-programs",
        "--evaluator",
        &evaluator("lingers", &mark),
    ]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    ends(&written(&mark));

    // A signal comes while it waits: once when that ends the command at once, and once when the command gives what it
    // has.
    let row = |kind: &str, mark: &Path, more: &str| {
        format!(
            "Strategy(criteria: [(evaluator: {}{more})])",
            evaluator(kind, mark)
        )
    };
    let search = ", lookahead: Expectimax(plies: Fixed(3))";
    for (name, signal, command) in [
        ("evaluate", "INT", "evaluate"),
        ("one ply", "TERM", "analyze"),
        ("search", "INT", "analyze"),
        ("play", "INT", "play"),
    ] {
        let mark = folder.path().join(name);
        let strategy = row("silent", &mark, if name == "search" { search } else { "" });
        let evaluator = evaluator("silent", &mark);
        let arguments: &[&str] = match command {
            "evaluate" => &["evaluate", board, "--evaluator", &evaluator],
            "analyze" => &["analyze", board, "--strategy", &strategy],
            _ => &["play", "--strategy", &strategy],
        };
        let mut asking = signals::interruptible(env!("CARGO_BIN_EXE_afterstate"));
        asking.args(arguments).arg("--allow-programs");
        let mut asking = asking
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let id = written(&mark).trim().to_owned();
        assert!(runs(&id), "{name}");
        let own = asking.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", signal, &own])
                .status()
                .expect("kill")
                .success()
        );
        assert_eq!(asking.wait().expect("it ends").code(), Some(130), "{name}");
        ends(&id);
    }

    // It panics.
    let mark = folder.path().join("panic");
    let command = speaking("panics", &[&mark.to_string_lossy()]);
    let panicked = Command::new(&command[0])
        .args(&command[1..])
        .stderr(Stdio::null())
        .status()
        .expect("it starts");
    assert_eq!(panicked.code(), Some(101));

    ends(&written(&mark));
}

#[cfg(not(unix))]
fn no_program_outlives_a_command() {}

fn plan(strategies: impl IntoIterator<Item = Strategy>, games: u64, threads: usize) -> Plan {
    let rules = Rules {
        size: "3x3".parse::<Size>().expect("a size"),
        ..Rules::default()
    };
    let preset = Preset {
        rules,
        games,
        seed: 5,
        ..Preset::new("programs", strategies)
    };
    Plan {
        threads: Some(threads),
        ..Plan::of_preset(&preset)
    }
}

fn a_run_keeps_what_it_has_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    std::fs::write(&data, "").expect("writable");
    let named = |name: &str, evaluator: &Evaluator| Strategy {
        name: name.to_owned(),
        ..strategy(ONE_PLY, evaluator)
    };
    let tires = named(
        "tired",
        &Evaluator::Program(program("tires", &["700"], 60.0)),
    );
    let run = Run::start(plan([tires], 40, 1), || {}).expect("it begins");
    run.wait();
    let State::Failed(sentence) = run.state() else {
        panic!("{:?}", run.state())
    };
    assert!(
        sentence.starts_with("tired failed in game ") && sentence.contains("TiredError: 700 lines"),
        "{sentence}"
    );

    let finished = run.progress().work.done;
    assert!(0 < finished && finished < 40, "{finished}");

    // A file that it needs is missing when its second program starts, and exists again later: the games are the same in
    // the end.
    let needs = named(
        "data",
        &Evaluator::Program(program("needs", &[&folder.path().to_string_lossy()], 60.0)),
    );
    let whole =
        Run::start(plan([named("data", &Evaluator::Empty)], 12, 1), || {}).expect("it begins");
    whole.wait();
    std::fs::remove_file(&data).expect("it is there");
    let failed = Run::start(plan([needs], 12, 1), || {}).expect("it begins");
    failed.wait();
    assert!(
        matches!(failed.state(), State::Failed(_)),
        "{:?}",
        failed.state()
    );
    std::fs::write(&data, "").expect("writable");
    let mended = failed.go_on(|| {}).expect("it continues");
    mended.wait();
    assert_eq!(mended.state(), State::Done);
    assert_eq!(scores(&mended), scores(&whole));
}

fn what_is_kept_is_read_whatever_became_of_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (script, path) = (folder.path().join("weights.txt"), folder.path().join("run"));
    std::fs::write(&script, "1").expect("writable");
    let by_program = Evaluator::Program(program(
        "evaluate",
        &["Empty", &script.to_string_lossy()],
        60.0,
    ));
    let plan = plan([strategy(ONE_PLY, &by_program)], 12, 1);
    let part = Plan {
        part: Some(0..5),
        ..plan.clone()
    };
    let run = Run::start_in(
        RunFolder::of_plan(&path, &plan).expect("a folder"),
        part,
        || {},
    )
    .expect("it begins");
    run.wait();
    let saved = scores(&run);
    assert_eq!(saved.iter().flatten().count(), 5);
    drop(run);
    let memory = Run::start(plan.clone(), || {}).expect("it begins");
    memory.wait();
    let verified = |folder: &RunFolder| {
        let chance = &mut rand::SeedableRng::seed_from_u64(1);
        folder
            .verify(3, chance, &CancelToken::new())
            .expect("it can be read")
            .len()
    };
    assert_eq!(verified(&RunFolder::open(&path).expect("a run")), 3);
    std::fs::write(&script, "12").expect("writable");

    // Its saved games are still there.
    let changed = RunFolder::open(&path).expect("a run");
    assert!(changed.arms()[0].is_changed());
    assert_eq!(
        changed.sums().expect("it can be read").contestants[0]
            .summary
            .games(),
        5
    );
    let opened = Run::open(&changed, plan.clone(), || {}).expect("it can be read");
    opened.wait();
    assert_eq!(scores(&opened), saved);
    // Nothing is played beside them or compared with them.
    assert_eq!(verified(&changed), 0);

    let refused_to = |run: Result<Run, afterstate::experiment::PlanError>| {
        let sentence = run.err().expect("another strategy").to_string();
        assert!(
            sentence.contains("has changed since the run began, so it is another strategy"),
            "{sentence}"
        );
    };
    refused_to(opened.go_on(|| {}));
    refused_to(memory.go_on(|| {}));
    assert!(
        RunFolder::of_plan(&path, &plan)
            .is_err_and(|error| error.to_string().contains("has changed since"))
    );
    drop(changed);
    refused(
        &["verify", &path.to_string_lossy(), "--allow-programs"],
        &["no game can be verified", "has changed or is missing"],
    );

    // As it was.
    std::fs::write(&script, "1").expect("writable");
    assert_eq!(verified(&RunFolder::open(&path).expect("a run")), 3);
    assert!(opened.go_on(|| {}).is_ok());
}

fn scores(run: &Run) -> Vec<Option<Outcome>> {
    (0..12).map(|game| run.games().game(0, game)).collect()
}

fn threads_do_not_change_games() {
    let text = "Sum([(1.0, MonotoneSum), (0.1, Score)])";
    let evaluators = [
        text.parse().expect(text),
        Evaluator::Program(program("evaluate", &[text], 60.0)),
    ];
    let [one, many, plain] = [
        (&evaluators[1], 1),
        (&evaluators[1], 4),
        (&evaluators[0], 2),
    ]
    .map(|(evaluator, threads)| {
        let run = Run::start(plan([strategy(ONE_PLY, evaluator)], 12, threads), || {})
            .expect("it begins");
        run.wait();
        assert_eq!(run.state(), State::Done);
        scores(&run)
    });
    assert_eq!(one, many);
    assert_eq!(one, plain);
}

fn a_task_tells_the_sentence() {
    let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
    let by_program = Evaluator::Program(program("says", &["no"], 60.0));
    let row = "(evaluator: EVALUATOR, lookahead: Expectimax(plies: Fixed(3)))";
    let player = Arc::new(Player::new(&strategy(row, &by_program), Rules::default()));
    let mut task = Tasks::default().begin(TaskInfo::silent(), move |job| {
        let options = SearchOptions::on_cores(job.token(), 4);
        player.decide(&board, 0, |_| 0, options, &mut ())
    });
    let error = task
        .wait(Duration::from_secs(250))
        .expect("it ends")
        .expect_err("no answer")
        .to_string();
    assert!(
        error.contains("answered \"no\", which is not a list of"),
        "{error}"
    );
}

fn files_are_in_the_hash_and_a_changed_one_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("weights.txt");
    let name = path.to_string_lossy().into_owned();
    std::fs::write(&path, "1").expect("writable");
    let by_program = Evaluator::Program(program("evaluate", &["Empty", &name], 60.0));
    let strategy = strategy(ONE_PLY, &by_program);
    let (hash, player) = (strategy.hash(), Player::new(&strategy, Rules::default()));
    std::fs::write(&path, "12").expect("writable");
    assert_ne!(strategy.hash(), hash, "another file, another strategy");
    let board: Board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2".parse().expect("a board");
    let decide =
        |player: &Player| player.decide(&board, 0, |_| 0, SearchOptions::default(), &mut ());
    let decided = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| decide(&player)));
    let sentence = afterstate::task::panic_message(&*decided.expect_err("no answer"));
    assert!(
        sentence.ends_with("changed while it was in use (a file of its command): start again"),
        "{sentence}"
    );
    assert!(
        decide(&Player::new(&strategy, Rules::default())).is_some(),
        "read again"
    );
}

// The command line.

fn afterstate(arguments: &[&str]) -> Output {
    let data = tempfile::tempdir().expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_afterstate"))
        .args(arguments)
        .env("XDG_DATA_HOME", data.path())
        .env("XDG_CONFIG_HOME", data.path().join("config"))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn refused(arguments: &[&str], words: &[&str]) {
    let output = afterstate(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    let sentence = error.lines().last().unwrap_or_default();
    assert!(
        sentence.starts_with("afterstate: ") && !error.contains("panicked"),
        "{arguments:?}: {error}"
    );
    for word in words {
        assert!(
            sentence.contains(word),
            "{arguments:?}: \"{word}\" is not in: {sentence}"
        );
    }
}

fn nothing_runs_that_was_not_allowed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("mark");
    let by_program = Evaluator::Program(program("marks", &[&mark.to_string_lossy()], 60.0));
    let text = strategy(ONE_PLY, &by_program).to_string();
    let file = folder.path().join("strategy.ron");
    std::fs::write(&file, &text).expect("writable");
    let file = file.to_string_lossy().into_owned();
    let board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";
    let hint = ["is not allowed to run", "--allow-programs"];
    refused(&["play", "--strategy", &text], &hint);
    refused(&["run", "--strategy", &text, "--games", "2"], &hint);
    refused(&["analyze", board, "--strategy", &file], &hint);
    refused(
        &["evaluate", board, "--evaluator", &by_program.to_string()],
        &hint,
    );
    let checked = afterstate(&["check", &file]);
    assert_eq!(
        checked.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&checked.stderr)
    );
    assert!(!mark.exists(), "it was started");

    let value = afterstate(&[
        "evaluate",
        board,
        "--evaluator",
        &by_program.to_string(),
        "--allow-programs",
        "--format",
        "json",
    ]);
    let json: serde_json::Value = serde_json::from_slice(&value.stdout).expect("JSON");
    assert_eq!(json["values"][by_program.to_string()], 11.0, "{json}");
    assert!(mark.exists());

    ends(&written(&mark));
}

/// The permissions of a process that allows nothing at first.
fn consents(folder: &str) {
    let [script, mark] = ["evaluate.sh", "mark"].map(|name| Path::new(folder).join(name));
    let answers = r#"while read -r line; do echo "$line" | sed -e 's/{[^}]*}/7/g'; done"#;
    let write = |text: &str| std::fs::write(&script, text).expect("writable");
    write(answers);
    let command = vec!["sh".to_owned(), script.to_string_lossy().into_owned()];
    let spec = ProgramSpec {
        command: command.clone(),
        seconds: 60.0,
    };
    let board: Board = "2,0/0,2".parse().expect("a board");
    let ask = || {
        spec.try_on(&board.to_grid(), 0)
            .map_err(|error| error.to_string())
    };
    assert!(ask().is_err_and(|error| error.contains("is not allowed to run")));

    permission::allow(permission::Fingerprint::of(&command).expect("readable"));
    assert_eq!(ask(), Ok(7.0));
    write(&format!("touch '{}'\n{answers}", mark.display()));
    let error = ask().expect_err("another script");
    assert!(
        error.contains("changed since it was allowed (\"") && error.contains("evaluate.sh\")"),
        "{error}"
    );
    assert!(!mark.exists(), "it was started");
    write(answers);
    assert_eq!(ask(), Ok(7.0), "as it was");

    // A running program continues; no other one is started.
    let evaluator = Evaluator::Program(spec.clone());
    let strategy = strategy(ONE_PLY, &evaluator);
    let player = Player::new(
        &strategy,
        Rules {
            size: board.size(),
            ..Rules::default()
        },
    );
    assert!(
        player
            .decide(&board, 0, |_| 0, SearchOptions::default(), &mut ())
            .is_some()
    );
}

#[cfg(unix)]
fn permission_is_for_the_content_that_is_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = speaking("consents", &[&folder.path().to_string_lossy()]);
    let output = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[cfg(not(unix))]
fn permission_is_for_the_content_that_is_started() {}

fn a_command_is_named_escaped() {
    let command = ["sh", "-c", "exit 3 #\n\nAfterstate checked it\u{202e}.", ""]
        .map(str::to_owned)
        .to_vec();
    let by_program = Evaluator::Program(ProgramSpec {
        command,
        seconds: 60.0,
    });
    let named = r#"the program sh -c "exit 3 #\n\nAfterstate checked it\u{202e}." "" "#;
    let board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";
    for more in [&[][..], &["--allow-programs"]] {
        refused(
            &[
                &["evaluate", board, "--evaluator", &by_program.to_string()],
                more,
            ]
            .concat(),
            &[named],
        );
        refused(
            &[
                &[
                    "play",
                    "--strategy",
                    &strategy(ONE_PLY, &by_program).to_string(),
                ],
                more,
            ]
            .concat(),
            &[named],
        );
    }
}

fn commands_tell_what_a_program_did() {
    let text = |kind: &str, rest: &[&str]| {
        strategy(ONE_PLY, &Evaluator::Program(program(kind, rest, 20.0))).to_string()
    };
    let tired = [
        "ended with exit code 3 before it answered",
        "TiredError: 30 lines",
    ];
    refused(
        &[
            "play",
            "--allow-programs",
            "--strategy",
            &text("tires", &["30"]),
        ],
        &tired,
    );
    refused(
        &[
            "run",
            "--allow-programs",
            "--strategy",
            &text("tires", &["30"]),
            "--games",
            "3",
        ],
        &tired,
    );
    let nan = ["answered \"[NaN]\", which is not a list of"];
    let board = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";
    refused(
        &[
            "analyze",
            board,
            "--allow-programs",
            "--strategy",
            &text("says", &["[NaN]"]),
        ],
        &nan,
    );
}
