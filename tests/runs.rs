//! Runs on disk, as a user handles them: saved, continued, killed, split, merged, verified and summed up.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
#[cfg(unix)]
use std::time::Duration;

use serde_json::Value;

/// Two strategies, one of which searches; a game takes some milliseconds.
const PRESET: &str = r#"(version: 1, title: "Kept", seed: 3, games: 60, strategies: [
    (strategy: (name: "emr", criteria: [(evaluator: Empty), (evaluator: Monotonicity)])),
    (strategy: (name: "deep", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])),
])"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("p.ron"), PRESET).expect("writable");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The program in this place; runs without a folder flag are saved in `data`.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
        command
            .args(args)
            .current_dir(self.0.path())
            .env("XDG_DATA_HOME", self.path("data"));
        command
    }

    fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program starts")
    }

    fn done(&self, args: &[&str]) -> String {
        let output = self.output(args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn refused(&self, code: i32, args: &[&str], words: &str) {
        let output = self.output(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(
            said.contains(words) && said.lines().count() == 1,
            "{args:?}: {said}"
        );
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.done(args)).expect("JSON")
    }

    fn manifest(&self, folder: &str) -> Value {
        let text = fs::read_to_string(self.path(folder).join("manifest.json")).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The tables of games and moves of a folder.
    fn tables(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<PathBuf> = ["games", "moves"]
            .iter()
            .flat_map(|kind| list(&self.path(folder).join(kind)))
            .collect();
        files.sort();
        let read = |path: PathBuf| {
            let bytes = fs::read(&path).expect("readable");
            (
                path.strip_prefix(self.path(folder))
                    .expect("below")
                    .to_owned(),
                bytes,
            )
        };
        files.into_iter().map(read).collect()
    }
}

fn list(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// Copies a folder and what is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for path in list(from) {
        let to = to.join(name_of(&path));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("copied");
        }
    }
}

#[test]
fn nodes_by_empty_cells_are_in_every_format_and_those_of_older_runs_are_said_to_be_unknown() {
    let place = Place::new();
    place.done(&["run", "p.ron", "--games", "9", "--out", "new"]);
    let entry = &place.json(&["summary", "new", "--format", "json"])["entries"][1];
    let rows = entry["nodes_by_empty"].as_array().expect("kept");
    let sum = |key: &str| -> u64 {
        rows.iter()
            .map(|row| row[key].as_u64().expect("a number"))
            .sum()
    };
    let moves = 9.0 * entry["moves_per_game"].as_f64().expect("a number");
    assert!((sum("decisions") as f64 - moves).abs() < 1e-6, "{rows:?}");
    let number = |value: &Value| value.as_f64().expect("a number");
    let all: f64 = rows
        .iter()
        .map(|row| number(&row["decisions"]) * number(&row["nodes"]["value"]))
        .sum();
    let per_move = entry["nodes_per_move"].as_f64().expect("a number");
    assert!(
        (all / moves - per_move).abs() < 1e-9 * per_move,
        "{all} {moves} {per_move}"
    );
    assert!(
        rows.iter()
            .any(|row| row["nodes"]["ci95"][0].as_f64() < row["nodes"]["value"].as_f64())
    );

    let nodes = |format: &str| place.done(&["summary", "new", "--nodes", "--format", format]);
    let [table, csv, markdown, latex] = ["table", "csv", "markdown", "latex"].map(nodes);
    let titles = table
        .lines()
        .next()
        .expect("a line")
        .split_whitespace()
        .collect::<Vec<_>>();
    assert_eq!(
        titles,
        ["strategy", "empty", "cells", "games", "decisions", "nodes"],
        "{table}"
    );
    assert!(
        csv.starts_with("name,empty,games,decisions,nodes,nodes_low,nodes_high\ndeep,"),
        "{csv}"
    );
    assert_eq!(
        [csv.lines().count(), markdown.lines().count()],
        [rows.len() + 1, rows.len() + 2],
        "{csv}{markdown}"
    );
    assert!(
        latex.matches("\\\\\n").count() == rows.len() + 1
            && nodes("json").contains("\"empty\": 0,"),
        "{latex}"
    );
    let plain = place.done(&["run", "--strategy", "er", "--games", "2", "--nodes"]);
    assert_eq!(plain, "nothing was searched in this run\n");

    // Of an older program, one whole and one that was killed in its third game.
    copy(Path::new("tests/older"), &place.path("older"));
    for (folder, games) in [("older/played", 4), ("older/killed", 2)] {
        let json = place.json(&["summary", folder, "--format", "json"]);
        let entry = &json["entries"][0];
        assert!(
            entry["games"] == games && entry["nodes_per_move"].as_f64() > Some(1.0),
            "{json}"
        );
        assert!(entry["nodes_by_empty"].is_null(), "{json}");
        let said = format!("not kept in {games} of {games} games");
        assert!(
            place.done(&["summary", folder, "--nodes"]).contains(&said),
            "{said}"
        );
        // More games have theirs, which are not those of all.
        let printed = place.done(&["run", folder, "--games", "6", "--nodes"]);
        assert!(
            printed.contains(&format!("not kept in {games} of 6 games")),
            "{printed}"
        );
        assert_eq!(place.manifest(folder)["format"], 4);
    }
    assert_eq!(place.tables("older/played"), place.tables("older/killed"));
}

#[test]
fn a_run_is_kept_and_what_is_there_is_never_played_again() {
    let place = Place::new();
    let first = place.json(&["run", "p.ron", "--format", "json"]);
    assert_eq!(place.json(&["run", "p.ron", "--format", "json"]), first);
    let runs = place.json(&["runs", "--format", "json"]);
    assert_eq!(runs.as_array().map(Vec::len), Some(1), "{runs}");
    assert_eq!(
        (&runs[0]["title"], &runs[0]["games"], &runs[0]["finished"]),
        (&"Kept".into(), &60.into(), &120.into())
    );
    let folder = runs[0]["path"].as_str().expect("a path").to_owned();
    let name = name_of(Path::new(&folder));
    assert_eq!(
        place.json(&["summary", &name, "--format", "json"])["entries"][0]["games"],
        60
    );
    let parent = Path::new(&folder)
        .parent()
        .expect("a place")
        .to_string_lossy()
        .into_owned();
    fs::rename(&parent, place.path("moved")).expect("moved");
    place.done(&["verify", &name, "--runs", "moved", "--games", "2"]);
    place.refused(2, &["summary", &name], "there is no such run");
    fs::rename(place.path("moved"), &parent).expect("moved back");
    let stderr_of =
        |args: &[&str]| String::from_utf8_lossy(&place.output(args).stderr).into_owned();
    assert!(
        stderr_of(&["run", "p.ron"]).contains(&format!("0 games played, 120 reused from {folder}"))
    );
    // More of the same are the next games.
    assert!(
        stderr_of(&["run", "p.ron", "--games", "+15"])
            .contains(&format!("30 games played, 120 reused from {folder}"))
    );
    place.done(&["run", &folder, "--games", "+5"]);
    place.done(&["run", &format!("{folder}/manifest.json")]);
    let history = &place.manifest(&folder)["history"];
    let played: Vec<u64> = history
        .as_array()
        .expect("a list")
        .iter()
        .map(|stint| stint["games"].as_u64().expect("a number"))
        .collect();
    assert_eq!(played, [120, 0, 0, 30, 10, 0]);
    let sums = place.json(&["summary", &folder, "--format", "json"]);
    assert_eq!(sums["entries"][1]["games"], 80);
    assert_eq!(
        sums["entries"][1]["against"],
        place.json(&["run", &folder, "--format", "json"])["entries"][1]["against"]
    );

    // Games of another run that are the same are reused.
    let reused = stderr_of(&[
        "run",
        "--strategy",
        "emr",
        "--seed",
        "3",
        "--games",
        "80",
        "--out",
        "one",
    ]);
    assert!(
        reused.contains("0 games played, 80 reused from other runs"),
        "{reused}"
    );

    // The output of a part does not claim to be the whole run.
    let part = [
        "run",
        "--strategy",
        "er",
        "--games",
        "60",
        "--shard",
        "0/3",
        "--out",
        "part",
    ];
    assert!(
        place
            .done(&part)
            .contains("\n20 of 60 games of each strategy on 4x4")
    );
    let latex = place.done(&[&part[..], &["--format", "latex"]].concat());
    assert!(
        latex.contains("\\caption{20 of 60 games of each strategy on 4x4, "),
        "{latex}"
    );
    let reused: Value = place.manifest("one");
    assert_eq!(reused["strategies"][0]["finished"], 80);
    let one = |kind: &str| {
        place
            .path("one")
            .join(kind)
            .join(name_of(&list(&place.path("one").join(kind))[0]))
    };
    assert_eq!(
        fs::read(one("games")).ok(),
        fs::read(
            Path::new(&folder)
                .join("games")
                .join(name_of(&one("games")))
        )
        .ok()
    );

    // Sums from the disk equal those of the run.
    let strip = |mut value: Value| {
        value["threads"] = Value::Null;
        for entry in value["entries"].as_array_mut().expect("entries") {
            entry["seconds"] = Value::Null;
        }
        value
    };
    let (run, sums) = (
        ["run", &folder, "--format", "json"],
        ["summary", &folder, "--format", "json"],
    );
    assert_eq!(
        strip(place.json(&run))["entries"][0]["reach"],
        strip(place.json(&sums))["entries"][0]["reach"]
    );
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

#[test]
fn tags_and_notes_are_written_and_listed() {
    let place = Place::new();
    place.done(&["run", "p.ron", "--games", "2"]);
    let name = name_of(Path::new(
        place.json(&["runs", "--format", "json"])[0]["path"]
            .as_str()
            .expect("a path"),
    ));
    assert!(!place.done(&["runs"]).contains("tags"));
    place.done(&[
        "runs",
        &name,
        "--tags",
        "thesis, night,thesis",
        "--note",
        "Two\nlines",
    ]);
    let listed = place.done(&["runs"]);
    assert!(
        listed.contains("tags") && listed.contains("thesis, night") && listed.contains("Two lines"),
        "{listed}"
    );
    place.done(&["runs", &name, "--tags", ""]);
    let run = place.json(&["runs", &name, "--format", "json"]);
    assert_eq!(
        (&run[0]["tags"], &run[0]["note"]),
        (&Value::Null, &"Two\nlines".into())
    );
    place.refused(
        2,
        &["runs", "no-such-run", "--tags", "x"],
        "there is no such run: give a folder",
    );
    assert_eq!(
        place.output(&["runs", "--tags", "x"]).status.code(),
        Some(2)
    );
}

#[test]
fn parts_of_a_run_merge_to_the_whole_in_any_order() {
    let place = Place::new();
    place.done(&["run", "p.ron", "--out", "whole", "--threads", "1"]);
    for shard in ["2/3", "0/3", "1/3"] {
        place.done(&["run", "p.ron", "--shard", shard, "--out", "one"]);
        place.done(&[
            "run",
            "p.ron",
            "--shard",
            shard,
            "--out",
            &format!("part-{}", &shard[..1]),
        ]);
    }
    place.done(&["run", "p.ron", "--indices", "10..20", "--out", "part-0"]);
    let merged = place.done(&["merge", "merged", "part-1", "part-0", "part-2"]);
    assert_eq!(merged, "emr: 60 of 60 games\ndeep: 60 of 60 games\n");
    assert!(
        place.tables("one") == place.tables("whole"),
        "into one folder"
    );
    assert!(place.tables("merged") == place.tables("whole"), "merged");
    assert!(
        place
            .done(&["verify", "merged", "--seed", "5"])
            .starts_with("20 games replayed (chosen by seed 5): all match")
    );
    place.refused(
        1,
        &["merge", "merged", "part-0", "merged"],
        "cannot be merged into itself",
    );

    // All at once, into a folder that does not exist yet.
    let begin = |shard: &str| {
        place
            .command(&["run", "p.ron", "--shard", shard, "--out", "at-once"])
            .output()
    };
    let ended = std::thread::scope(|scope| {
        let begin = &begin;
        let begun =
            ["0/5", "1/5", "2/5", "3/5", "4/5"].map(|shard| scope.spawn(move || begin(shard)));
        begun.map(|one| one.join().expect("no panic").expect("the program starts"))
    });

    for output in ended {
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert!(place.tables("at-once") == place.tables("whole"), "at once");

    // A run with other rules, and a part that does not exist.
    place.done(&[
        "run", "p.ron", "--games", "5", "--p4", "0.2", "--out", "other",
    ]);
    place.refused(
        1,
        &["merge", "merged", "other"],
        "this is the folder of another run (its rules are different)",
    );
    place.refused(
        1,
        &["run", "p.ron", "--seed", "4", "--out", "merged"],
        "its seed is 3, not 4",
    );
    place.refused(
        2,
        &["run", "p.ron", "--indices", "50..61"],
        "games 50 to 61 are not all among 60 games",
    );
    for flags in [
        ["--shard", "3/3"],
        ["--shard", "1"],
        ["--indices", "5..5"],
        ["--games", "+0"],
    ] {
        let output = place.output(&[&["run", "p.ron"], &flags[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
    }
}

#[test]
fn what_is_wrong_in_a_folder_is_found() {
    let place = Place::new();
    place.done(&["run", "p.ron", "--out", "a"]);
    place.done(&["run", "p.ron", "--seed", "4", "--out", "b"]);
    // Games of another seed under the same name.
    fs::remove_dir_all(place.path("a/games")).expect("removed");
    fs::rename(place.path("b/games"), place.path("a/games")).expect("renamed");
    for kind in ["costs", "moves"] {
        fs::remove_dir_all(place.path("a").join(kind)).expect("removed");
        fs::rename(place.path("b").join(kind), place.path("a").join(kind)).expect("renamed");
    }

    for command in ["verify", "summary"] {
        place.refused(1, &[command, "a"], "its SHA-256 does not match checksums/");
    }
    // Older programs wrote no checksums, but the tables name their seed.
    fs::remove_dir_all(place.path("a/checksums")).expect("removed");
    place.refused(1, &["verify", "a"], "it has games of seed 4, not 3");

    // A table that was cut off.
    let table = list(&place.path("a/games")).remove(0);
    let bytes = fs::read(&table).expect("readable");
    fs::write(&table, &bytes[..bytes.len() / 2]).expect("writable");
    for command in ["verify", "summary"] {
        place.refused(1, &[command, "a"], "this table is damaged (");
    }
}

#[test]
fn a_changed_table_is_refused_by_whoever_reads_it() {
    let place = Place::new();
    place.done(&["run", "p.ron", "--games", "12", "--out", "lib/a"]);
    place.done(&["run", "p.ron", "--games", "12", "--out", "b"]);
    let before = place.json(&["summary", "lib/a", "--format", "json"]);
    for table in list(&place.path("lib/a/games")) {
        let sound = fs::read(&table).expect("readable");
        let mut bytes = sound.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&table, bytes).expect("writable");
        let refused = |args: &[&str]| {
            let output = place.output(args);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
            let sentence = said.lines().last().unwrap_or_default();
            let names = sentence.contains(&format!(
                "games/{}: this table is damaged (its SHA-256",
                name_of(&table)
            ));
            assert!(
                names && sentence.contains("restore a copy, or delete this file"),
                "{args:?}: {said}"
            );
            assert!(!said.contains("panicked"), "{said}");
        };

        refused(&["summary", "lib/a"]);
        refused(&["verify", "lib/a"]);
        refused(&["run", "lib/a", "--games", "+1"]);
        refused(&["run", "p.ron", "--games", "13", "--out", "lib/a"]);
        refused(&["merge", "m", "lib/a", "b"]);
        refused(&["merge", "lib/a"]);
        refused(&[
            "review",
            "lib/a",
            "--judge",
            "(criteria: [(evaluator: Network(\"reference\"))])",
            "--games",
            "0..1",
        ]);

        // Games of another run.
        refused(&[
            "run", "p.ron", "--games", "14", "--runs", "lib", "--out", "other",
        ]);
        let _ = fs::remove_dir_all(place.path("m"));
        let _ = fs::remove_dir_all(place.path("other"));
        fs::write(&table, sound).expect("writable");
    }

    let mut after = place.json(&["summary", "lib/a", "--format", "json"]);
    assert_eq!(after["entries"][1]["games"], 12);
    after["games"] = before["games"].clone();
    assert_eq!(after["entries"][1]["mean"], before["entries"][1]["mean"]);

    // A damaged table of costs loses only the times of its games.
    let costs = list(&place.path("lib/a/costs")).remove(0);
    fs::write(&costs, "torn").expect("writable");
    let lost = place.json(&["summary", "lib/a", "--format", "json"]);
    let seconds: Vec<bool> = (0..2)
        .map(|arm| lost["entries"][arm]["seconds"].is_null())
        .collect();
    assert_eq!(
        seconds.iter().filter(|is_null| **is_null).count(),
        1,
        "{lost}"
    );
    assert_eq!(lost["entries"][0]["mean"], before["entries"][0]["mean"]);

    place.refused(1, &["verify", "lib/a"], "the time of its games is unknown");
}

#[test]
fn verify_fails_where_a_file_of_one_strategy_was_changed() {
    let place = Place::new();
    place.done(&[
        "train",
        "--network",
        "012 345",
        "--games",
        "20",
        "--threads",
        "1",
        "--out",
        "x.net",
    ]);
    let network = "Strategy(name: \"net\", criteria: [(evaluator: Network(\"x.net\"))])";
    place.done(&[
        "run",
        "--strategy",
        network,
        "--strategy",
        "r",
        "--games",
        "3",
        "--out",
        "a",
    ]);
    assert!(place.done(&["verify", "a"]).contains("all match"));
    place.done(&[
        "train",
        "--network",
        "012 345",
        "--games",
        "40",
        "--threads",
        "1",
        "--out",
        "y.net",
    ]);
    fs::rename(place.path("y.net"), place.path("x.net")).expect("renamed");
    place.refused(
        1,
        &["verify", "a"],
        "The other 3 games match (chosen by seed ",
    );
}

/// A run that is killed at any moment loses no finished game, and gives the same result when it is continued.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_goes_on_to_the_same_end() {
    let place = Place::new();
    let kills = std::env::var("AFTERSTATE_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(8_u64);
    let games = (100 * kills).to_string();
    let run = ["run", "p.ron", "--games", &games, "--out", "out"];
    let mut finished = 0;
    for kill in 0..kills {
        let mut child = place
            .command(&run)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        // Some are killed while they begin, most while they play.
        let saved_games = || {
            let journals = fs::read_dir(place.path("out/journal"))
                .into_iter()
                .flatten()
                .flatten();
            journals
                .map(|journal| journal.metadata().map_or(0, |data| data.len()))
                .sum::<u64>()
        };

        let before = saved_games();
        while kill % 4 != 0
            && saved_games() < before + 1000
            && child.try_wait().expect("a child").is_none()
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(37 * kill % 400));
        child.kill().expect("it is ours");
        child.wait().expect("it ends");

        if place.path("out/manifest.json").exists() {
            let runs = place.json(&["runs", "--runs", ".", "--format", "json"]);
            let end = &runs[0]["stop_rule"]["reason"];
            assert!(
                end != "running" || runs[0]["finished"] == 0,
                "no run plays: {runs}"
            );
            let now = place.json(&["summary", "out", "--format", "json"]);
            let now = [0, 1]
                .iter()
                .map(|&arm| now["entries"][arm]["games"].as_u64().expect("a number"))
                .sum();
            assert!(finished <= now, "{now} games of {finished} are left");
            finished = now;
        }
    }

    assert!(0 < finished, "all were killed before a game was over");
    place.done(&run);
    place.done(&[
        "run",
        "p.ron",
        "--games",
        &games,
        "--runs",
        "elsewhere",
        "--out",
        "whole",
        "--threads",
        "1",
    ]);
    assert!(place.tables("out") == place.tables("whole"));
    assert!(!place.path("out/journal").exists() && !place.path("out/history").exists());
}

/// A review that is killed at any moment keeps its judgments, and gives the same result when it is continued.
#[cfg(unix)]
#[test]
fn a_review_that_is_killed_goes_on_to_the_same_end() {
    const GAMES: usize = 6;
    let place = Place::new();
    place.done(&["run", "p.ron", "--games", "6", "--out", "out"]);
    let judge =
        "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
    let review = |reviews: &'static str| {
        let review = [
            "review",
            "out",
            "--strategy",
            "emr",
            "--judge",
            judge,
            "--reviews",
            reviews,
        ];
        [&review[..], &["--threads", "1", "--format", "json"]].concat()
    };

    // Each judge has a folder; a file that is being written is hidden.
    let saved_games = || {
        let judges = fs::read_dir(place.path("killed/reviews"))
            .into_iter()
            .flatten()
            .flatten();
        let files =
            judges.flat_map(|judge| fs::read_dir(judge.path()).into_iter().flatten().flatten());
        files
            .filter(|file| {
                file.path()
                    .extension()
                    .is_some_and(|ending| ending == "review")
            })
            .count()
    };

    let mut before = 0;
    for wanted in [0, 1, 2, 4] {
        let mut command = place.command(&review("killed"));
        let mut child = command
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        while saved_games() < wanted && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        // In the middle of the next game.
        std::thread::sleep(Duration::from_millis(30));
        child.kill().expect("it is ours");
        child.wait().expect("it ends");
        let now = saved_games();
        assert!(
            wanted.max(before) <= now && now < GAMES,
            "{now} reviews after {before}"
        );
        before = now;
    }

    let output = place.output(&review("killed"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !said.contains("judged again"),
        "a file is damaged: {said}"
    );
    assert_eq!(
        (
            saved_games(),
            String::from_utf8_lossy(&output.stdout).lines().count()
        ),
        (GAMES, GAMES)
    );
    assert!(
        String::from_utf8(output.stdout).ok() == Some(place.done(&review("whole"))),
        "it says something else"
    );
}

/// A stand-in for Slurm: `sbatch` runs a job at once, `scontrol` records its arguments.
#[cfg(unix)]
fn stand_in(place: &Place) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let bin = place.path("bin");
    fs::create_dir(&bin).expect("made");
    let sbatch = r#"#!/bin/bash
for script; do :; done
echo "$@" >>"$HOME/asked"
tasks=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
for task in $(seq 0 "${tasks:-0}"); do SLURM_ARRAY_TASK_ID=$task bash "$script" >>"$HOME/log"; done
echo 17"#;
    for (name, text) in [
        ("sbatch", sbatch),
        ("scontrol", "#!/bin/sh\necho \"$@\" >>\"$HOME/asked\""),
    ] {
        fs::write(bin.join(name), text).expect("writable");
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).expect("executable");
    }
    format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").expect("a path")
    )
}

#[cfg(unix)]
#[test]
fn a_cluster_plays_the_parts_of_a_run() {
    // A path that shells, and patterns of Slurm, would split.
    let place = Place::new();
    let path = stand_in(&place);
    let odd = "it's 100 % \"mine\"";
    let slurm = [
        "slurm", "p.ron", "--out", odd, "--tasks", "3", "--cpus", "2", "--time", "1:00:00",
    ];
    let submit = place.done(&[&slurm[..], &["--sbatch=--partition=long"]].concat());
    let parts = fs::read_to_string(place.path(odd).join("slurm/parts.sbatch")).expect("a script");
    let options: Vec<&str> = parts
        .lines()
        .filter_map(|line| line.strip_prefix("#SBATCH "))
        .collect();

    for option in [
        "--job-name=kept",
        "--array=0-2",
        "--cpus-per-task=2",
        "--time=1:00:00",
        "--partition=long",
        "--requeue",
    ] {
        assert!(options.contains(&option), "{option}: {options:?}");
    }
    let untitled = PRESET.replace("title: \"Kept\", ", "title: \"\", ");
    fs::write(place.path("untitled.ron"), untitled).expect("writable");
    place.done(&["slurm", "untitled.ron", "--out", "untitled", "--tasks", "3"]);
    let named = fs::read_to_string(place.path("untitled/slurm/parts.sbatch")).expect("a script");
    assert!(named.contains("#SBATCH --job-name=afterstate\n"), "{named}");
    assert!(
        place
            .done(&["slurm", "--help"])
            .contains("required unless PRESET is such a folder")
    );
    assert!(
        parts.contains(r#"it's 100 %% \"mine\"/slurm/part-%a.log""#),
        "{parts}"
    );

    let shell = |script: &str| {
        let mut command = Command::new("bash");
        command
            .args(["-c", script])
            .current_dir(place.path("."))
            .env("PATH", &path)
            .env("HOME", place.path("."));
        command
            .env("XDG_DATA_HOME", place.path("data"))
            .env("SLURM_JOB_ID", "40");
        command
    };
    let output = shell(&submit).output().expect("a shell");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("job 17 plays, job 17 merges"));

    let said = fs::read_to_string(place.path("asked")).expect("asked");
    assert!(
        said.contains("--dependency=afterany:17") && !said.contains("requeue"),
        "{said}"
    );
    assert!(
        fs::read_to_string(place.path("log"))
            .expect("a log")
            .contains("deep: 60 of 60 games")
    );
    place.done(&["run", "p.ron", "--runs", "elsewhere", "--out", "whole"]);
    assert!(place.tables(odd) == place.tables("whole"));

    // At the time limit the task is requeued. After a kill as well, but not forever.
    place.done(&[
        "slurm", "p.ron", "--games", "100000", "--out", "long", "--tasks", "2",
    ]);
    for (signal, restarts, code, again) in [
        ("USR1", 0, 130, true),
        ("KILL", 0, 137, true),
        ("KILL", 10, 137, false),
    ] {
        fs::write(place.path("asked"), "").expect("writable");
        let mut task = shell("SLURM_ARRAY_TASK_ID=1 exec bash long/slurm/parts.sbatch");
        let mut task = task
            .env("SLURM_RESTART_COUNT", restarts.to_string())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a shell");
        let playing = || {
            let mut pgrep = Command::new("pgrep");
            let found = pgrep
                .args(["-P", &task.id().to_string(), "-f", "shard"])
                .output()
                .expect("pgrep");
            String::from_utf8_lossy(&found.stdout)
                .trim()
                .parse::<u32>()
                .ok()
        };

        let child = (0..600).find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            // Its journal exists, so it handles signals.
            playing().filter(|_| place.path("long/journal").exists())
        });
        let child = child.expect("a part is played");
        std::thread::sleep(Duration::from_millis(300));
        let whom = if signal == "USR1" { task.id() } else { child };
        Command::new("kill")
            .args([&format!("-{signal}"), &whom.to_string()])
            .status()
            .expect("kill");
        assert_eq!(task.wait().expect("it ends").code(), Some(code), "{signal}");

        let requests = fs::read_to_string(place.path("asked")).expect("asked");
        assert_eq!(requests == "requeue 40\n", again, "{signal}: {requests}");
    }
    place.refused(
        2,
        &["slurm", "p.ron", "--tasks", "3"],
        "--out DIR is missing: name a folder for the run",
    );
    place.refused(
        2,
        &["slurm", "p.ron", "--out", "o", "--tasks", "61"],
        "61 tasks for 60 games",
    );
    place.refused(
        2,
        &[
            "slurm", "p.ron", "--out", "o", "--tasks", "2", "--time", "1\n2",
        ],
        "must be a single line",
    );
    place.refused(
        1,
        &[
            "slurm", "p.ron", "--out", "whole", "--tasks", "2", "--seed", "9",
        ],
        "its seed is 3, not 9",
    );
    assert!(!place.path("o").exists());
}
