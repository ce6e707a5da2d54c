//! Output for programs contains what is known, and nothing more.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const BOARD: &str = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128";

const SAMPLED: &str = "(criteria: [(evaluator: Score, lookahead: MonteCarlo(playouts: 60))])";

fn done(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_afterstate"))
        .args(args)
        .current_dir(folder)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_CONFIG_HOME", folder.join("config"))
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&done(folder, &[args, &["--format", "json"]].concat())).expect("JSON")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// The rows of CSV by the names of their columns.
fn rows(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = |record: csv::StringRecord| {
        header
            .iter()
            .map(str::to_owned)
            .zip(record.iter().map(str::to_owned))
            .collect()
    };
    reader
        .records()
        .map(|record| row(record.expect("a row")))
        .collect()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn values_of_samples_are_called_sampled_and_have_their_errors() {
    let place = folder();
    let decision = json(place.path(), &["analyze", BOARD, "--strategy", SAMPLED]);
    let moves = decision["moves"].as_array().expect("moves");
    let lead = &decision["leads"][0];
    let mean = |name: &Value| {
        let entry = moves.iter().find(|mv| mv["move"] == *name).expect("a move");
        number(&entry["samples"][0]["mean"])
    };
    assert_eq!(decision["forced"], false);
    for mv in moves.iter().filter(|mv| mv["legal"] == true) {
        assert_eq!(mv["bounds"], serde_json::json!(["sampled"]));
        assert!(0.0 < number(&mv["samples"][0]["standard_error"]), "{mv}");
    }
    let difference = mean(&lead["best"]) - mean(&lead["second"]);
    assert!(
        (number(&lead["difference"]) - difference).abs() < 1e-9 * difference.abs().max(1.0),
        "{lead}"
    );
    assert_eq!(
        (&lead["best"], &lead["paired"]),
        (&decision["move"], &true.into())
    );
    assert!(0.0 < number(&lead["standard_error"]), "{lead}");

    // A search has bounds as before, and no samples.
    let searched = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])";
    let decision = json(place.path(), &["analyze", BOARD, "--strategy", searched]);
    assert_eq!(
        (decision.get("leads"), &decision["moves"][0]["bounds"][0]),
        (None, &"exact".into())
    );
}

#[test]
fn the_only_legal_move_is_said_to_be_forced() {
    let place = folder();
    for (board, legal) in [("0,2/0,4", 1), ("2,4/0,8", 2)] {
        let decision = json(place.path(), &["analyze", board, "--strategy", "emr"]);
        let moves = decision["moves"].as_array().expect("moves").iter();
        let moves: Vec<&Value> = moves.filter(|mv| mv["legal"] == true).collect();
        assert_eq!(
            (moves.len(), &decision["forced"]),
            (legal, &(legal == 1).into()),
            "{decision}"
        );
        // Without a choice no row is evaluated.
        let is_asked = moves.iter().any(|mv| mv["values"][0].is_number());
        assert_eq!(is_asked, 1 < legal, "{decision}");
    }
}

#[test]
fn shares_of_samples_are_no_probabilities() {
    let place = folder();
    let why = &json(
        place.path(),
        &["analyze", BOARD, "--strategy", SAMPLED, "--why"],
    )["why"];
    assert_eq!(why["bounds"], serde_json::json!(["sampled", "sampled"]));
    let bars = why["bars"].as_array().expect("bars");
    assert!(
        bars.iter()
            .all(|bar| bar.get("probability").is_none() && bar["share"].is_number()),
        "{why}"
    );
    let shares: f64 = bars.iter().map(|bar| number(&bar["share"])).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    assert!(0.0 < number(&why["lead"]["standard_error"]), "{why}");
    let text = done(
        place.path(),
        &["analyze", BOARD, "--strategy", SAMPLED, "--why"],
    );
    assert!(
        text.contains("The mean of the samples after ") && text.contains(" ± "),
        "{text}"
    );
    let sentences = text
        .split("The mean of the samples after ")
        .nth(1)
        .expect("sentences");
    assert!(
        !sentences.contains("probability") && !sentences.contains("is worth"),
        "{sentences}"
    );

    let searched = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])";
    let why = &json(
        place.path(),
        &["analyze", BOARD, "--strategy", searched, "--why"],
    )["why"];
    assert!(
        why.get("lead").is_none() && why["bars"][0]["probability"].is_number(),
        "{why}"
    );
}

#[test]
fn numbers_of_samples_have_errors_and_no_conclusions() {
    let place = folder();
    let args = [
        "analyze",
        BOARD,
        "--strategy",
        SAMPLED,
        "--over",
        "playouts=10,40,160",
    ];
    let found = json(place.path(), &args);
    assert_eq!(found["stable_from"], Value::Null);
    for step in found["steps"].as_array().expect("steps") {
        assert!(
            step["changes"].is_null() && step["lead"]["standard_error"].is_number(),
            "{step}"
        );
        let bounds: BTreeSet<&str> = step["bounds"]
            .as_array()
            .expect("bounds")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(bounds, BTreeSet::from(["sampled"]));
        let count = step["samples"]
            .as_array()
            .expect("samples")
            .iter()
            .find_map(|one| one["count"].as_u64());
        assert_eq!(
            count,
            step["value"].as_f64().map(|value| value as u64),
            "{step}"
        );
    }
    let text = done(place.path(), &args);
    assert!(
        text.contains(" ± ") && text.contains("other samples may choose differently"),
        "{text}"
    );
    assert!(
        !text.contains("same move") && !text.contains("changes"),
        "{text}"
    );

    // Depths of a search are reported as before.
    let searched = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(1)))])";
    let found = json(
        place.path(),
        &[
            "analyze",
            BOARD,
            "--strategy",
            searched,
            "--over",
            "plies=1,2,3",
        ],
    );
    assert!(
        found["steps"][1]["changes"].is_boolean() && found["steps"][1].get("lead").is_none(),
        "{found}"
    );
}

#[test]
fn a_row_of_a_review_says_which_game_it_is_of() {
    let place = folder();
    done(
        place.path(),
        &[
            "run",
            "--strategy",
            "er",
            "r",
            "--games",
            "2",
            "--seed",
            "9",
            "--size",
            "2x3",
            "--out",
            "run",
        ],
    );
    done(
        place.path(),
        &["solve", "--size", "2x3", "--out", "./table.solved"],
    );
    let judge = "(name: \"me, the judge\", criteria: [(evaluator: Solved(\"./table.solved\"))])";
    let text = done(
        place.path(),
        &["review", "run", "--judge", judge, "--format", "csv"],
    );
    let rows = rows(&text);
    let distinct = |name: &str| {
        rows.iter()
            .map(|row| row[name].clone())
            .collect::<BTreeSet<String>>()
    };
    assert_eq!(
        distinct("strategy"),
        BTreeSet::from(["er", "r"].map(str::to_owned))
    );
    assert_eq!(
        (distinct("seed"), distinct("judge")),
        (
            BTreeSet::from(["9".to_owned()]),
            BTreeSet::from(["me, the judge".to_owned()])
        )
    );
    assert_eq!(distinct("game").len(), 4, "{:?}", distinct("game"));

    let games = json_lines(place.path(), &["review", "run", "--judge", judge]);
    let moves: usize = games
        .iter()
        .map(|game| game["moves"].as_array().expect("moves").len())
        .sum();
    assert_eq!(rows.len(), moves);
}

/// The values of all keys `seed` in a JSON value.
fn seeds(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(all) => all.iter().flat_map(seeds).collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| {
                if key == "seed" {
                    vec![value]
                } else {
                    seeds(value)
                }
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_seed_is_text_in_the_output_of_every_command() {
    let place = folder();
    // One more than what floating point numbers hold.
    let seed = "9007199254740993";
    let small = ["--size", "2x3"];
    let run = [
        "run",
        "--strategy",
        "er",
        "--games",
        "2",
        "--seed",
        seed,
        "--size",
        "2x3",
        "--out",
        "run",
    ];
    done(place.path(), &run);
    done(
        place.path(),
        &[&["solve", "--out", "./table.solved"][..], &small].concat(),
    );
    let mix = "(criteria: [(evaluator: Sum([(1.0, Empty), (0.5, Score)]))])";
    let judge = "(criteria: [(evaluator: Solved(\"./table.solved\"))])";
    let tune = [
        "tune",
        mix,
        "--over",
        "weight of Score=0..4",
        "--games",
        "200",
        "--verify",
        "20",
        "--out",
        "tuned",
    ];
    let train = [
        "train",
        "--network",
        "01",
        "--size",
        "2x2",
        "--games",
        "5",
        "--threads",
        "1",
        "--out",
        "./new.net",
    ];
    let of_seed = |args: &[&'static str]| [args, &["--seed", seed]].concat();
    for args in [
        of_seed(&["play", "--strategy", "er"]),
        run.to_vec(),
        vec!["summary", "run"],
        of_seed(&["rollout", "2,4/2,0", "--strategy", "r", "--games", "20"]),
        of_seed(&["study", "er", "--seconds", "0.1"]),
        of_seed(&["process", "--games", "50"]),
        of_seed(&tune),
        of_seed(&train),
        vec!["networks", "./new.net"],
        vec!["review", "run", "--judge", judge],
        vec!["runs", "--runs", "."],
    ] {
        let text = done(place.path(), &[&args[..], &["--format", "json"]].concat());
        let found: Vec<Value> = serde_json::Deserializer::from_str(&text)
            .into_iter()
            .collect::<Result<_, _>>()
            .expect("JSON");
        let all: Vec<&Value> = found.iter().flat_map(seeds).collect();
        assert!(
            all.iter().all(|value| value.is_string()) && all.contains(&&seed.into()),
            "{args:?}: {all:?}"
        );
    }
}

#[test]
fn tables_of_moves_hold_the_games_of_a_run_and_their_reviews() {
    let place = folder();
    let done = |args: &[&str]| done(place.path(), args);
    let text = |name: &str| std::fs::read_to_string(place.path().join(name)).expect(name);
    done(&[
        "run",
        "--strategy",
        "er",
        "r",
        "--games",
        "3",
        "--seed",
        "9",
        "--size",
        "2x3",
        "--out",
        "run",
    ]);
    done(&["export", "run", "--out", "moves.csv"]);
    done(&["export", "run", "--out", "moves.jsonl"]);
    done(&["export", "run", "--out", "moves.parquet"]);

    // The rewards of a game are its score, and its last row is its last move.
    let moves = rows(&text("moves.csv"));
    let games = rows(&text("run/games.csv"));
    assert_eq!(games.len(), 6);
    for game in &games {
        let of_game = |row: &&std::collections::BTreeMap<String, String>| {
            row["strategy"] == game["name"] && row["game"] == game["game"]
        };
        let rewards: u64 = moves
            .iter()
            .filter(of_game)
            .map(|row| row["reward"].parse::<u64>().expect("points"))
            .sum();
        assert_eq!(rewards.to_string(), game["score"]);
        assert_eq!(
            moves.iter().rfind(of_game).map(|row| &row["move"]),
            Some(&game["moves"])
        );
    }
    let lines: Vec<Value> = text("moves.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), moves.len());
    for (line, row) in lines.iter().zip(&moves) {
        assert_eq!(
            (line["board"].as_str(), line["seed"].as_str()),
            (Some(&*row["board"]), Some("9"))
        );
        assert!(line["value_up"].is_null());
    }
    assert!(
        std::fs::read(place.path().join("moves.parquet"))
            .expect("a file")
            .starts_with(b"PAR1")
    );

    done(&[
        "export",
        "run",
        "--out",
        "some.csv",
        "--games",
        "1..2",
        "--strategy",
        "er",
        "--values",
    ]);
    let some = rows(&text("some.csv"));
    assert!(
        some.iter()
            .all(|row| row["game"] == "1" && row["strategy"] == "er")
    );
    assert!(some.iter().any(|row| !row["value_left"].is_empty()));
    let taken: Vec<&String> = moves
        .iter()
        .filter(|row| row["game"] == "1" && row["strategy"] == "er")
        .map(|row| &row["board"])
        .collect();
    assert!(some.iter().map(|row| &row["board"]).eq(taken));

    done(&["solve", "--size", "2x3", "--out", "./table.solved"]);
    let judge = "(criteria: [(evaluator: Solved(\"./table.solved\"))])";
    let printed = done(&[
        "review",
        "run",
        "--judge",
        judge,
        "--format",
        "csv",
        "--table",
        "review.csv",
    ]);
    assert_eq!(text("review.csv"), printed);
    done(&["export", "table.solved", "--out", "solved.csv"]);
    let start = rows(&text("solved.csv"));
    assert!(start.iter().all(|row| row["value"].parse::<f64>().is_ok()) && 1000 < start.len());
}

fn json_lines(folder: &Path, args: &[&str]) -> Vec<Value> {
    let text = done(folder, &[args, &["--format", "json"]].concat());
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn small_boards_have_their_own_tiles_and_exact_numbers() {
    let place = folder();
    let run = |format: &str| {
        let args = [
            "run",
            "--strategy",
            "er",
            "r",
            "--games",
            "40",
            "--size",
            "2x3",
            "--out",
            "run",
            "--format",
            format,
        ];
        done(place.path(), &args)
    };
    let found: Value = serde_json::from_str(&run("json")).expect("JSON");
    let tiles = |reach: &Value| {
        let mut tiles: Vec<u64> = reach
            .as_object()
            .expect("tiles")
            .keys()
            .map(|tile| tile.parse().expect("a tile"))
            .collect();
        tiles.sort_unstable();
        tiles
    };
    for entry in found["entries"].as_array().expect("entries") {
        assert_eq!(tiles(&entry["reach"]), [8, 16, 32, 64, 128]);
        let [mean, best] = [&entry["exact"]["mean"], &found["best_play"]["value"]].map(number);
        assert!(0.0 < mean && mean < best, "{entry}");
        assert!(
            entry["exact"]["verdicts"]["mean"]["verdict"].is_string(),
            "{entry}"
        );
    }
    let summary = rows(&run("csv"));
    for (row, entry) in summary
        .iter()
        .zip(found["entries"].as_array().expect("entries"))
    {
        assert_eq!(
            row["exact_mean"].parse::<f64>().ok(),
            entry["exact"]["mean"].as_f64()
        );
        assert_eq!(
            row["reach_16"].parse::<f64>().ok(),
            entry["reach"]["16"]["share"].as_f64()
        );
        assert!(!row.contains_key("reach_2048") && row.contains_key("reach_8"));
        let exact = |tile: u64| row[&format!("exact_reach_{tile}")].parse::<f64>().ok();
        assert_eq!(exact(32), entry["exact"]["reach"]["32"].as_f64());
    }
    let columns =
        std::fs::read_to_string(place.path().join("run/columns.csv")).expect("a dictionary");
    assert!(
        columns.contains("exact_reach_16") && !columns.contains("2048"),
        "{columns}"
    );
    for format in ["table", "markdown", "latex"] {
        let text = run(format);
        assert!(
            !text.contains("2048") && !text.contains("1024"),
            "{format}: {text}"
        );
        assert!(text.contains("exact"), "{format}: {text}");
    }

    // A board of the usual size has its usual columns, without exact numbers.
    let args = ["run", "--strategy", "er", "--games", "5", "--format"];
    let usual: Value =
        serde_json::from_str(&done(place.path(), &[&args[..], &["json"]].concat())).expect("JSON");
    let reach = tiles(&usual["entries"][0]["reach"]);
    assert_eq!(
        (reach.first(), reach.last(), reach.len()),
        (Some(&64), Some(&131_072), 12)
    );
    assert!(
        usual.get("best_play").is_none() && usual["entries"][0].get("exact").is_none(),
        "{usual}"
    );
    assert!(done(place.path(), &[&args[..], &["markdown"]].concat()).contains("| 2048 |"));
}

#[test]
fn small_values_are_not_printed_as_0() {
    let place = folder();
    let board = "2,0/0,0";
    let text = done(
        place.path(),
        &[
            "evaluate",
            board,
            "--evaluator",
            "Product(Empty, Formula(\"0.001 / 3\"))",
        ],
    );
    assert!(text.contains(" 0.001\n"), "{text}");
}

#[test]
fn what_a_process_never_saw_is_empty() {
    let place = folder();
    let table = rows(&done(
        place.path(),
        &["process", "--games", "30", "--format", "csv"],
    ));
    let worth = |row: &std::collections::BTreeMap<String, String>| {
        ["up", "down", "left", "right"].map(|mv| row[mv].parse::<f64>().ok())
    };
    let never = table
        .iter()
        .filter(|row| worth(row).iter().any(Option::is_none))
        .count();
    assert!(
        0 < never && never < table.len(),
        "{never} of {}",
        table.len()
    );
    for row in &table {
        let best = worth(row)
            .into_iter()
            .flatten()
            .fold(f64::NEG_INFINITY, f64::max);
        let value: f64 = row["value"].parse().expect("a number");
        assert!(
            (best - value).abs() <= 1e-2,
            "the value of a state is that of its best slide: {row:?}"
        );
    }
}
