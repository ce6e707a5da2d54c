//! Networks, solved tables and processes that are damaged or too large for the memory: the program as a user calls it.

use std::fs;
use std::process::{Command, Output};

const BOARD: &str = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn text_of(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// Commands that need values of an evaluator: in a row, in a sum, in a search, in a playout and as a judge.
fn commands(evaluator: &str, size: &str, tuned: &str) -> Vec<Vec<String>> {
    let row = format!("(evaluator: {evaluator})");
    let (alone, second) = (
        format!("(criteria: [{row}])"),
        format!("(name: \"n\", criteria: [(evaluator: Empty), {row}])"),
    );
    let sum = format!("Sum([(1.0, Empty), (0.5, {evaluator})])");
    let product = format!("Product(Empty, {evaluator})");
    let search =
        format!("(criteria: [(evaluator: {sum}, lookahead: Expectimax(plies: Fixed(3)))])");
    let sampled = format!(
        "(criteria: [(evaluator: Score, lookahead: MonteCarlo(playouts: 2, policy: Strategy({alone:?})))])"
    );
    let (board, game) = if size == "2x2" {
        ("2,0/0,4", "2x2.txt")
    } else {
        (BOARD, "4x4.txt")
    };
    let mut all = vec![
        vec!["run", "preset.ron"],
        vec!["run", "--size", size, "--games", "5", "--strategy", &second],
        vec![
            "estimate",
            "--size",
            size,
            "--games",
            "5",
            "--strategy",
            &second,
        ],
        vec!["rollout", board, "--games", "2", "--strategy", &alone],
    ];

    for strategy in [&alone, &second, &search, &sampled] {
        all.push(vec!["play", "--size", size, "--strategy", strategy]);
        all.push(vec!["analyze", board, "--strategy", strategy]);
    }

    for evaluator in [evaluator, &sum, &product] {
        all.push(vec!["evaluate", board, "--evaluator", evaluator]);
    }
    if !evaluator.starts_with("Policy") {
        let judged = [
            "rollout",
            board,
            "--games",
            "2",
            "--moves",
            "2",
            "--strategy",
            "emr",
            "--judge",
            &alone,
        ];
        all.push(judged.to_vec());
        all.push(vec!["review", game, "--judge", &alone]);
    }

    if size == "2x2" {
        all.push(vec!["solve", "--size", "2x2", "--strategy", &alone]);
    } else {
        all.push(vec!["study", &second, "--seconds", "0.1"]);
        all.push(vec!["process", "--games", "3", "--play", &alone]);
        all.push(vec![
            "tune",
            &search,
            "--over",
            "weight of Empty",
            "--games",
            "400",
            "--out",
            tuned,
        ]);
    }
    all.into_iter()
        .map(|args| args.into_iter().map(str::to_owned).collect())
        .collect()
}

/// The files of a strategy are checked before anything plays, judges, sums or solves.
#[test]
fn no_command_plays_by_a_damaged_file() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let call = |args: &[String]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
        let command = command
            .args(args)
            .env("XDG_CONFIG_HOME", config.path())
            .env("XDG_DATA_HOME", config.path());
        command
            .current_dir(config.path())
            .output()
            .expect("the program ends")
    };
    let done = |line: &str| {
        let output = call(
            &line
                .split(' ')
                .map(|word| word.replace('_', " "))
                .collect::<Vec<_>>(),
        );
        assert_eq!(
            output.status.code(),
            Some(0),
            "{line}: {}",
            text_of(&output)
        );
        output.stdout
    };

    done("train --network 012_345 --games 300 --threads 1 --seed 4 --out good");
    done("solve --size 2x2 --out good");
    done("process --games 20 --out good");
    for size in ["2x2", "4x4"] {
        let game = done(&format!("play --strategy emr --size {size}"));
        fs::write(config.path().join(format!("{size}.txt")), game).expect("writable");
    }

    let kinds = [
        ("networks/good.net", "Network(\"good\")", "4x4"),
        ("solved/good.solved", "Solved(\"good\")", "2x2"),
        ("processes/good.process", "Policy(\"good\")", "4x4"),
    ];

    for (file, evaluator, size) in kinds {
        let path = config.path().join("afterstate").join(file);
        let sound = fs::read(&path).expect("written");
        let strategy = format!("(strategy: (criteria: [(evaluator: {evaluator})]))");
        let preset = format!(
            "(version: 1, rules: (size: {size:?}), seed: 3, games: 4, strategies: [{strategy}])"
        );
        fs::write(config.path().join("preset.ron"), preset).expect("writable");
        for args in commands(evaluator, size, &format!("sound-{}", &evaluator[..3])) {
            let output = call(&args);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{args:?}: {}",
                text_of(&output)
            );
        }
        let mut damaged = sound.clone();
        damaged[sound.len() - 40] ^= 4;
        fs::write(&path, &damaged).expect("writable");
        for args in commands(evaluator, size, &format!("damaged-{}", &evaluator[..3])) {
            let output = call(&args);
            let printed = text(&output.stderr);
            assert!(
                matches!(output.status.code(), Some(1 | 2)),
                "{args:?}: {}",
                text_of(&output)
            );
            assert_eq!(text(&output.stdout), "", "{args:?}");
            assert!(
                printed.lines().count() == 1 && printed.contains("is damaged ("),
                "{args:?}: {printed}"
            );
        }
        fs::write(&path, &sound).expect("writable");
        done(&format!("check {}", path.display()));
    }
}

/// If the weights of the shipped network do not fit the memory, nothing is played with it.
#[cfg(target_os = "linux")]
#[test]
fn a_network_that_the_memory_does_not_hold_plays_nothing() {
    let row = "(criteria: [(evaluator: Network(\"reference\"))])";
    for kibibytes in [200_000, 250_000, 300_000] {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "ulimit -v \"$0\"; exec \"$@\"",
            &kibibytes.to_string(),
            env!("CARGO_BIN_EXE_afterstate"),
        ]);
        let output = command
            .args(["play", "--strategy", row, "--seed", "3"])
            .output()
            .expect("a shell");
        let printed = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout).as_str()),
            (Some(1), ""),
            "{kibibytes}: {printed}"
        );
        assert!(
            printed.contains("of memory, but only") && printed.lines().count() == 1,
            "{kibibytes}: {printed}"
        );
    }
}
