//! The program as a user drives it: arguments and standard input in, text, JSON and exit codes out.

#[cfg(unix)]
mod signals;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

const BOARD: &str = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";

const PRESET: &str = r#"(version: 1, title: "T", seed: 3, games: 20, strategies: [
    (strategy: (name: "er", criteria: [(evaluator: Empty)])),
    (strategy: (name: "r"), published: (mean: 1093.87, sd: 539.75, games: 1000)),
])"#;

/// A strategy whose decisions depend on the speed of the machine.
const TIMED: &str = "(criteria: [(evaluator: Empty, lookahead: Expectimax(time_ms: 5))])";

/// The program, without saved runs and settings of this user.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
    command
        .env("XDG_DATA_HOME", data("home"))
        .env("XDG_CONFIG_HOME", data("home"));
    command
}

fn afterstate(args: &[&str]) -> Output {
    with_input(args, "")
}

/// A folder for runs of one call of the tests.
fn data(name: &str) -> String {
    format!(
        "{}/{name}-{}",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    )
}

fn with_input(args: &[&str], input: &str) -> Output {
    // Runs are saved, and saved games are not played again: each call begins without any.
    let data = tempfile::tempdir().expect("a temporary folder");
    let mut child = program()
        .args(args)
        .env("XDG_DATA_HOME", data.path())
        .env("XDG_CONFIG_HOME", data.path().join("config"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");

    // A command that refuses early closes its input.
    let _ = child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Standard output of a command that must succeed without any text on standard error.
fn done(args: &[&str]) -> String {
    let output = afterstate(args);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{args:?}: {}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stderr), "", "{args:?}");
    text(&output.stdout)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&done(args)).expect("JSON")
}

/// One sentence on standard error, nothing on standard output, this exit code.
fn refused(args: &[&str], code: i32, words: &[&str]) {
    judge_refusal(args, &afterstate(args), code, words);
}

fn judge_refusal(args: &[&str], output: &Output, code: i32, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    assert!(
        error.starts_with("afterstate: ") && error.ends_with('\n'),
        "{args:?}: {error}"
    );
    assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
    assert!(
        error.len() < 500 && !error.contains("panicked"),
        "{args:?}: {error}"
    );
    for word in words {
        assert!(
            error.contains(word),
            "{args:?}: \"{word}\" is not in: {error}"
        );
    }
}

fn in_folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("writable");
    }
    folder
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn analyze_says_everything_about_a_decision() {
    let decision = json(&[
        "analyze",
        BOARD,
        "--strategy",
        "emr",
        "--score",
        "12",
        "--format",
        "json",
    ]);
    assert_eq!(
        (decision["board"].as_str(), decision["score"].as_u64()),
        (Some(BOARD), Some(12))
    );
    let moves = decision["moves"].as_array().expect("moves");
    let names: Vec<&str> = moves.iter().filter_map(|mv| mv["move"].as_str()).collect();
    assert_eq!(names, ["up", "down", "left", "right"]);

    for mv in moves {
        assert_eq!(mv["legal"], true);
        assert_eq!(mv["reward"], 0);
        assert_eq!(mv["values"].as_array().map(Vec::len), Some(2));
        assert!(
            mv["afterstate"]
                .as_str()
                .is_some_and(|board| board.matches('/').count() == 3)
        );
    }
    assert_eq!(
        (&moves[0]["fell_at"], &moves[1]["fell_at"]),
        (&Value::Null, &Value::from(1))
    );
    assert_eq!(
        decision["kept"],
        serde_json::json!([["up", "down", "left", "right"], ["up"]])
    );
    assert_eq!(
        (&decision["choice"], &decision["move"]),
        (&serde_json::json!(["up"]), &Value::from("up"))
    );
    let text = done(&["analyze", BOARD, "--strategy", "emr"]);
    assert!(
        text.contains("Up beat Down at Monotonicity (23 > 22) after a tie at Empty"),
        "{text}"
    );
}

const SEARCH: &str =
    "(criteria: [(evaluator: Weights(\"c\"), lookahead: Expectimax(plies: Fixed(3)))])";

const PRUNED: &str = "(criteria: [(evaluator: Empty, tolerance: 20), (evaluator: Weights(\"c\"), lookahead: \
                      Minimax(plies: Fixed(4), cuts: [AlphaBeta]))], last_resort: First)";

#[test]
fn analyze_counts_what_a_search_looked_at() {
    let decision = json(&["analyze", BOARD, "--strategy", SEARCH, "--format", "json"]);
    let nodes = &decision["nodes"][0];
    // Four slides, eleven empty cells on each afterstate, two tiles on each cell.
    assert_eq!(
        (&nodes["chance"], &nodes["max"], &nodes["dead"]),
        (&4.into(), &89.into(), &0.into())
    );
    assert_eq!(
        (&nodes["min"], &nodes["cut"], &nodes["cached"]),
        (&0.into(), &0.into(), &0.into())
    );
    assert!(
        nodes["leaf"]
            .as_u64()
            .is_some_and(|leaves| (160..=352).contains(&leaves)),
        "{nodes}"
    );
    assert_eq!(decision["plies"], serde_json::json!([3]));
    assert!(decision.get("tree").is_none());

    for mv in decision["moves"].as_array().expect("moves") {
        assert_eq!(mv["bounds"], serde_json::json!(["exact"]));
    }
    let two = json(&["analyze", BOARD, "--strategy", PRUNED, "--format", "json"]);
    assert_eq!(
        (&two["nodes"][0], &two["plies"][0]),
        (&Value::Null, &Value::Null)
    );
    assert!(
        two["nodes"][1]["cut"].as_u64().is_some_and(|cut| 0 < cut),
        "{}",
        two["nodes"]
    );
    let bounds: Vec<&str> = two["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|mv| mv["bounds"][1].as_str())
        .collect();
    assert!(
        bounds.contains(&"upper") && bounds.contains(&"exact"),
        "{bounds:?}"
    );
    let text = done(&["analyze", BOARD, "--strategy", PRUNED]);
    assert!(
        text.contains("2. Minimax of Weights c: 2 moves + 2 spawns, ")
            && text.contains(" nodes searched in "),
        "{text}"
    );
    assert!(
        text.contains("≤ ") && text.contains(" at Minimax of Weights c, 2 moves + 2 spawns ("),
        "{text}"
    );

    // Threads change only the time.
    let values = |threads: &str| {
        let decision = json(&[
            "analyze",
            BOARD,
            "--strategy",
            SEARCH,
            "--threads",
            threads,
            "--format",
            "json",
        ]);
        (decision["moves"].clone(), decision["move"].clone())
    };
    assert_eq!(values("1"), values("2"));
    let one_ply = json(&["analyze", BOARD, "--strategy", "er", "--format", "json"]);
    assert_eq!(
        (&one_ply["nodes"], &one_ply["plies"]),
        (&serde_json::json!([null]), &serde_json::json!([null]))
    );
}

#[test]
fn analyze_writes_the_tree_it_searched() {
    let folder = in_folder(&[]);
    let file = path(&folder, "tree.json");
    let call = [
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        "--tree",
        &file,
        "--format",
        "json",
    ];
    let decision = json(&call);
    let tree = &decision["tree"];
    assert_eq!(
        (&tree["row"], &tree["plies"], &tree["left_out"]),
        (&0.into(), &3.into(), &0.into())
    );
    assert_eq!(
        (&tree["check"]["sound"], &tree["check"]["flaws"]),
        (&true.into(), &serde_json::json!([]))
    );
    let lines: Vec<Value> = fs::read_to_string(&file)
        .expect("written")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    let total: u64 = decision["nodes"][0]
        .as_object()
        .expect("counts")
        .values()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!((lines.len() as u64, &tree["kept"]), (total, &total.into()));
    let root = &lines[0];
    assert_eq!(
        (&root["id"], &root["parent"], &root["kind"]),
        (&0.into(), &Value::Null, &"max".into())
    );
    assert_eq!(
        (&root["reach"], &root["board"], &root["order"]),
        (&1.0.into(), &BOARD.into(), &0.into())
    );
    assert_eq!(
        (&root["nodes"], &root["plies_left"]),
        (&(total - 1).into(), &3.into())
    );
    assert!(root.get("move").is_none() && root.get("spawn").is_none());
    for line in &lines {
        for field in [
            "probability",
            "reach",
            "board",
            "value",
            "how",
            "plies_left",
            "order",
            "nodes",
        ] {
            assert!(line.get(field).is_some(), "{field}: {line}");
        }
    }
    let slides: Vec<&Value> = lines.iter().filter(|line| line["parent"] == 0).collect();
    for (slide, mv) in slides
        .iter()
        .zip(decision["moves"].as_array().expect("moves"))
    {
        assert_eq!(
            (&slide["move"], &slide["value"]),
            (&mv["move"], &mv["values"][0])
        );
        assert_eq!(
            (&slide["how"]["by"], &slide["kind"]),
            (&"mean".into(), &"chance".into())
        );
    }
    let spawn = lines
        .iter()
        .find(|line| line.get("spawn").is_some())
        .expect("a spawn");
    assert_eq!(spawn["spawn"]["tile"], 2);
    assert!(
        (spawn["probability"].as_f64().expect("a number") - 0.9 / 11.0).abs() < 1e-12,
        "{spawn}"
    );

    let capped = json(&[call.as_slice(), &["--nodes", "50"]].concat());
    let recorded = capped["tree"]["kept"].as_u64().expect("a number");
    assert!(
        recorded <= 50
            && recorded + capped["tree"]["left_out"].as_u64().expect("a number") == total
    );
    assert_eq!(
        fs::read_to_string(&file).expect("written").lines().count() as u64,
        recorded
    );
    assert_eq!(
        capped["nodes"], decision["nodes"],
        "counts do not depend on the cap"
    );

    for (name, begins, line) in [
        (
            "tree.csv",
            "id,parent,kind,move,row,col,tile,",
            "0,,max,,,,,,1,\"2,0,0,4/",
        ),
        ("tree.DOT", "digraph search {", "  n0 -> n1 [label=\"↑\"];"),
        (
            "tree.efg",
            "EFG 2 R \"Expectimax",
            "\" 1 1 \"n0\" { \"up\" ",
        ),
    ] {
        let file = path(&folder, name);
        let text = done(&["analyze", BOARD, "--strategy", SEARCH, "--tree", &file]);
        assert!(
            text.ends_with(&format!(
                "{name} holds {total} nodes; the self-check found no errors\n"
            )),
            "{text}"
        );
        let written = fs::read_to_string(&file).expect("written");
        assert!(
            written.starts_with(begins) && written.contains(line),
            "{}",
            &written[..500]
        );
    }
    let second = path(&folder, "second.json");
    let row = json(&[
        "analyze",
        BOARD,
        "--strategy",
        PRUNED,
        "--row",
        "2",
        "--tree",
        &second,
        "--format",
        "json",
    ]);
    assert_eq!(
        (&row["tree"]["row"], &row["tree"]["check"]["sound"]),
        (&1.into(), &true.into())
    );
    assert!(
        fs::read_to_string(&second)
            .expect("written")
            .contains("\"by\":\"alpha_beta\",\"alpha\":")
    );
    let names: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names.len(), 5, "nothing else is left: {names:?}");
}

#[test]
fn analyze_decides_at_every_value_of_a_setting() {
    // The issue's own example: more plies, another move.
    let board = "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32";
    let at = |plies: u32| {
        format!(
            "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed({plies}), cuts: [Reach(0.0001)]))])"
        )
    };
    let (three, over) = (at(3), "plies=4,5,6,7");
    let found = json(&[
        "analyze",
        board,
        "--strategy",
        &three,
        "--over",
        over,
        "--format",
        "json",
    ]);
    for (step, plies) in found["steps"].as_array().expect("steps").iter().zip(4..) {
        let own = json(&[
            "analyze",
            board,
            "--strategy",
            &at(plies),
            "--format",
            "json",
        ]);
        assert_eq!(
            (&step["move"], &step["nodes"], &step["choice"]),
            (&own["move"], &own["nodes"][0], &own["choice"])
        );
        let values: Vec<&Value> = own["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|mv| &mv["values"][0])
            .collect();
        assert_eq!(
            step["values"]
                .as_array()
                .expect("values")
                .iter()
                .collect::<Vec<_>>(),
            values
        );
        assert_eq!(step["changes"], plies == 7, "{step}");
    }
    assert_eq!(
        (
            found["steps"].as_array().map(Vec::len),
            &found["stable_from"]
        ),
        (Some(4), &Value::Null)
    );
    let text = done(&["analyze", board, "--strategy", &three, "--over", over]);
    assert!(
        text.contains(
            "plies: Right at 4 to 6 and Down at 7; the move changes at the last value, so it may change again"
        ),
        "{text}"
    );

    // A depth that a limit ends does not count: without the limit Down is played from 7 plies on.
    let limited =
        "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(20), nodes: 5000))])";
    let deep = "plies=4,5,6,8,10";
    let found = json(&[
        "analyze",
        board,
        "--strategy",
        limited,
        "--over",
        deep,
        "--format",
        "json",
    ]);
    let column = |what: &str| {
        found["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .map(|step| step[what].clone())
            .collect()
    };
    let (reached, plies): (Value, Value) = (column("reached"), column("plies"));
    assert_eq!(
        (reached, plies),
        (
            [true, true, false, false, false].to_vec().into(),
            [4, 5, 5, 5, 5].to_vec().into()
        )
    );
    assert_eq!(
        (&found["stable_from"], &found["steps"][3]["changes"]),
        (&4.0.into(), &false.into())
    );
    let text = done(&["analyze", board, "--strategy", limited, "--over", deep]);
    let sentence = "plies: Right at 4 to 5; same move at all 2 values that were reached; its limit stopped the search after 5 \
                    plies at 3 of 5 values";
    assert!(
        text.contains(sentence) && text.matches(", limit").count() == 3,
        "{text}"
    );
    let shares = with_input(
        &["analyze", "-", "--strategy", limited, "--over", deep],
        &format!("{board}\n"),
    );
    let shares = String::from_utf8(shares.stdout).expect("text");
    assert!(
        shares.contains("a board does not count at a depth") && shares.contains("move changes"),
        "{shares}"
    );

    let input = format!("{board}\n2,4/4,0\n{board}\n");
    let shares = with_input(
        &[
            "analyze",
            "-",
            "--strategy",
            &three,
            "--over",
            over,
            "--format",
            "json",
        ],
        &input,
    );
    let shares = String::from_utf8(shares.stdout).expect("text");
    let last: Value = serde_json::from_str(shares.lines().last().expect("lines")).expect("JSON");
    let changed: Vec<&Value> = last["changed"]
        .as_array()
        .expect("shares")
        .iter()
        .map(|share| &share["boards"])
        .collect();
    let boards = last["boards"].as_u64().expect("boards");
    assert_eq!(
        (shares.lines().count(), changed[0], changed[3].as_u64()),
        (4, &Value::Null, Some(2)),
        "{last}"
    );
    assert!(
        (2..=3).contains(&boards) && last["stable"][3].is_null(),
        "{last}"
    );

    refused(
        &["analyze", board, "--strategy", "emr", "--over", "plies=1,2"],
        2,
        &["--over", "it has tolerance"],
    );
    refused(
        &[
            "analyze",
            board,
            "--strategy",
            &three,
            "--over",
            "plies=0.5",
        ],
        2,
        &["whole number"],
    );
    // A range of a whole number is rounded; values may fall.
    let values = |over: &str| {
        let found = json(&[
            "analyze",
            board,
            "--strategy",
            limited,
            "--over",
            over,
            "--format",
            "json",
        ]);
        found["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .map(|step| step["value"].clone())
            .collect::<Value>()
    };
    assert_eq!(
        values("nodes=100..10000/5,log").to_string(),
        "[100.0,316.0,1000.0,3162.0,10000.0]"
    );
    assert_eq!(values("plies=3,1").to_string(), "[3.0,1.0]");
    refused(
        &[
            "analyze",
            board,
            "--strategy",
            &three,
            "--over",
            "plies=1,2",
            "--why",
        ],
        2,
        &["--over"],
    );
}

#[test]
fn analyze_says_why_a_move_is_worth_more() {
    let number = |value: &Value| value.as_f64().expect("a number");
    for strategy in [SEARCH, PRUNED] {
        let decision = json(&[
            "analyze",
            BOARD,
            "--strategy",
            strategy,
            "--why",
            "--format",
            "json",
        ]);
        let why = &decision["why"];
        assert_eq!(why["better"], decision["move"]);
        let difference = number(&why["values"][0]) - number(&why["values"][1]);
        let bars = why["bars"].as_array().expect("bars");
        let sum: f64 = bars.iter().map(|bar| number(&bar["amount"])).sum();
        assert!(!bars.is_empty() && (sum - difference).abs() < 1e-9, "{why}");
        let text = done(&["analyze", BOARD, "--strategy", strategy, "--why"]);
        for sentence in why["sentences"].as_array().expect("sentences") {
            assert!(text.contains(sentence.as_str().expect("text")), "{text}");
        }
    }

    let turned = json(&[
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        "--why=right,up",
        "--format",
        "json",
    ]);
    assert_eq!(
        (&turned["why"]["better"], &turned["why"]["other"]),
        (&"right".into(), &"up".into())
    );
    let one_move = "0,2,4,8/0,4,2,4/0,8,4,2/0,2,8,4";
    let nothing = json(&[
        "analyze",
        one_move,
        "--strategy",
        SEARCH,
        "--why",
        "--format",
        "json",
    ]);
    assert_eq!(nothing["why"], Value::Null);
    assert!(
        done(&["analyze", one_move, "--strategy", SEARCH, "--why"])
            .contains("no two moves to compare")
    );

    for (strategy, why, words) in [
        ("emr", "--why", &["--why: no row of emr searches"][..]),
        (SEARCH, "--why=left", &["write two moves, such as left,up"]),
        (SEARCH, "--why=left,left", &["two different moves"]),
    ] {
        refused(&["analyze", BOARD, "--strategy", strategy, why], 2, words);
    }
    refused(
        &[
            "analyze",
            one_move,
            "--strategy",
            SEARCH,
            "--why=left,right",
        ],
        2,
        &["right is not legal"],
    );
}

#[test]
fn ends_of_best_play_that_differ_read_differently() {
    let call = |search: &str| {
        let strategy = format!("(criteria: [(evaluator: Snake, lookahead: {search})])");
        let call = [
            "analyze",
            "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32",
            "--strategy",
            &strategy,
            "--lines=12",
            "--leaves",
        ];
        (
            json(&[call.as_slice(), &["--format", "json"]].concat()),
            done(&call),
        )
    };
    let (found, text) = call("Expectimax(plies: Fixed(7))");
    let moves = found["best_play"]["lines"]["moves"]
        .as_array()
        .expect("moves");
    let is_line = |line: &&str| {
        line.split_whitespace()
            .next()
            .is_some_and(|first| first.parse::<u32>().is_ok())
    };
    let mut rows = text
        .lines()
        .skip_while(|line| !line.starts_with("line"))
        .filter(is_line);
    for of_move in moves {
        let lines = of_move["lines"].as_array().expect("lines");
        let values: Vec<(f64, &str)> = lines
            .iter()
            .map(|line| {
                let row = rows.next().expect("a row for each line");
                (
                    line["value"].as_f64().expect("a number"),
                    row.split_whitespace().nth(2).expect("an end"),
                )
            })
            .collect();
        for (a, b) in values
            .iter()
            .flat_map(|a| values.iter().map(move |b| (a, b)))
        {
            assert!((a.0 - b.0).abs() < 2e-6 || a.1 != b.1, "{a:?} {b:?}");
        }
    }

    assert!(
        text.contains("Down: no line of best play ends on a dead board, the middle half of the ends is worth 2,654.1"),
        "{text}"
    );
    assert!(
        text.contains("median") && !text.contains("worst tiles"),
        "{text}"
    );

    let (_, text) = call("Minimax(plies: Fixed(4))");
    assert!(
        text.contains("worst tiles") && !text.contains("median"),
        "{text}"
    );
}

#[test]
fn a_tree_that_was_written_is_opened_and_told_like_a_live_one() {
    let folder = in_folder(&[]);
    let (file, again) = (path(&folder, "tree.json"), path(&folder, "again.json"));
    for strategy in [
        SEARCH,
        "(criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))])",
    ] {
        let more = [
            "--why",
            "--plies",
            "--lines=2",
            "--leaves",
            "--format",
            "json",
        ];
        let live = json(
            &[
                &["analyze", BOARD, "--strategy", strategy, "--tree", &file],
                &more[..],
            ]
            .concat(),
        );
        let open = json(&[&["analyze", "--open", &file, "--tree", &again], &more[..]].concat());
        assert_eq!(
            fs::read(&file).expect("written"),
            fs::read(&again).expect("written"),
            "to the last byte"
        );
        for key in [
            "board",
            "score",
            "moves",
            "kept",
            "choice",
            "move",
            "nodes",
            "plies",
            "why",
            "best_play",
        ] {
            assert_eq!(open[key], live[key], "{key} of {strategy}");
        }
        let plies = |report: &Value| {
            report["per_ply"]["plies"]
                .as_array()
                .expect("plies")
                .clone()
        };
        for (open, live) in plies(&open).iter().zip(plies(&live)) {
            for key in [
                "nodes",
                "max",
                "leaf",
                "cut_offs",
                "at_first",
                "hits",
                "stores",
                "collisions",
                "nodes_alone",
            ] {
                assert_eq!(open[key], live[key], "{key} of {strategy}");
            }
        }
        let nodes: u64 = plies(&live)
            .iter()
            .map(|ply| ply["nodes"].as_u64().expect("a count"))
            .sum();
        assert_eq!(
            plies(&live).last().map(|ply| ply["nodes_alone"].as_u64()),
            Some(Some(nodes))
        );
        let text = done(&["analyze", "--open", &file]);
        assert!(
            text.contains(" searched earlier\n") && text.contains("played"),
            "{text}"
        );
    }

    let csv = path(&folder, "plies.csv");
    let printed = done(&[
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        &format!("--plies={csv}"),
    ]);
    assert!(
        printed.contains("Branching") && printed.contains("Written to "),
        "{printed}"
    );
    assert!(
        fs::read_to_string(&csv)
            .expect("written")
            .starts_with("ply,nodes,max,chance,")
    );
    refused(
        &["analyze", BOARD, "--strategy", SEARCH, "--plies=plies.txt"],
        2,
        &[".json or .csv"],
    );
    refused(
        &[
            "analyze",
            "-",
            "--strategy",
            SEARCH,
            &format!("--plies={csv}"),
        ],
        2,
        &["a single board"],
    );
    let text = fs::read_to_string(&file).expect("written");
    fs::write(&file, &text[..text.len() - 40]).expect("writable");
    refused(
        &["analyze", "--open", &file],
        1,
        &["--open", "tree.json: line ", "middle of a node"],
    );
    fs::write(&file, "2,0,0,4").expect("writable");
    refused(
        &["analyze", "--open", &file],
        1,
        &["tree.json: line 1: this is no"],
    );
    refused(
        &["analyze", "--open", &path(&folder, "none.json")],
        1,
        &["none.json"],
    );
    refused(&["analyze", BOARD, "--open", &file], 2, &["--open"]);

    let cut = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4), cuts: [Reach(0.05)]))])";
    let uncut = json(&[
        "analyze",
        BOARD,
        "--strategy",
        cut,
        "--uncut",
        "--format",
        "json",
    ]);
    let whole = json(&[
        "analyze",
        BOARD,
        "--strategy",
        &cut.replace("Reach(0.05)", ""),
        "--format",
        "json",
    ]);
    for own in uncut["uncut"]["moves"].as_array().expect("moves") {
        let first_values = |report: &Value| {
            let all = report["moves"].as_array().expect("moves").clone();
            all.iter()
                .find(|mv| mv["move"] == own["move"])
                .map(|mv| mv["values"][0].clone())
        };
        assert_eq!(
            (Some(own["before"].clone()), Some(own["after"].clone())),
            (first_values(&uncut), first_values(&whole))
        );
    }
    assert!(done(&["analyze", BOARD, "--strategy", cut, "--uncut"]).contains("Without cuts ("));

    let remedy = "this search has no cuts: leave the flag out, or add a cut to the lookahead, such as cuts: [Reach(0.03)]";
    refused(
        &["analyze", BOARD, "--strategy", SEARCH, "--uncut"],
        2,
        &["--uncut: row 1 of ", remedy],
    );
}

#[test]
fn a_record_that_is_searched_on_at_every_cut_has_the_values_without_cuts() {
    let folder = in_folder(&[]);
    let (file, grown) = (path(&folder, "tree.json"), path(&folder, "grown.json"));
    let cut = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4), cuts: [Reach(0.05)]))])";
    done(&["analyze", BOARD, "--strategy", cut, "--tree", &file]);
    let nodes: Vec<Value> = fs::read_to_string(&file)
        .expect("written")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a node"))
        .collect();
    let cuts: Vec<String> = nodes
        .iter()
        .filter(|node| node["how"]["by"] == "reach")
        .map(|node| node["id"].to_string())
        .collect();
    assert!(10 < cuts.len(), "{}", cuts.len());

    // In any order of the ids.
    let report = json(&[
        "analyze",
        "--open",
        &file,
        "--search-on",
        &cuts.join(","),
        "--tree",
        &grown,
        "--format",
        "json",
    ]);
    let found = report["search_on"].as_array().expect("what was found");
    assert_eq!(found.len(), cuts.len());
    assert!(found.iter().all(
        |one| one["nodes"].as_u64().is_some_and(|nodes| 0 < nodes) && one["value"].is_number()
    ));
    let whole = json(&[
        "analyze",
        BOARD,
        "--strategy",
        &cut.replace("Reach(0.05)", ""),
        "--format",
        "json",
    ]);
    let values = |report: &Value| -> Vec<Option<f64>> {
        report["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|mv| mv["values"][0].as_f64())
            .collect()
    };
    for (own, without) in values(&report).into_iter().zip(values(&whole)) {
        let same = own
            .zip(without)
            .is_none_or(|(own, without)| (own - without).abs() <= 1e-9 * without.abs());
        assert!(
            same && own.is_some() == without.is_some(),
            "{own:?} {without:?}"
        );
    }

    let again = json(&["analyze", "--open", &grown, "--format", "json"]);
    assert_eq!(
        (&again["moves"], again.get("search_on")),
        (&report["moves"], None)
    );
    let text = done(&["analyze", "--open", &file, "--search-on", &cuts[0]]);
    assert!(
        text.starts_with(&format!("Node {} is worth ", cuts[0]))
            && text.contains(", searched with "),
        "{text}"
    );
    refused(
        &["analyze", "--open", &file, "--search-on", "999999"],
        2,
        &["--search-on 999999", "nodes 0 to"],
    );
    refused(
        &["analyze", "--open", &file, "--search-on", "0"],
        1,
        &["--search-on 0", "nothing was skipped"],
    );
    refused(
        &["analyze", BOARD, "--strategy", cut, "--search-on", "1"],
        2,
        &["--open"],
    );
}

#[test]
fn plies_stand_beside_those_of_another_strategy() {
    let other = "(name: \"deeper\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4)))])";
    let beside = json(&[
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        "--plies",
        "--beside",
        other,
        "--format",
        "json",
    ]);
    let alone = json(&[
        "analyze",
        BOARD,
        "--strategy",
        other,
        "--plies",
        "--format",
        "json",
    ]);
    let counts = |plies: &Value| -> Vec<Vec<Value>> {
        let rows = plies.as_array().expect("plies").iter();
        rows.map(|ply| {
            ["ply", "nodes", "leaf", "hits", "stores"]
                .map(|key| ply[key].clone())
                .to_vec()
        })
        .collect()
    };
    let (own, others) = (
        &beside["per_ply"]["plies"],
        &beside["per_ply"]["beside"]["plies"],
    );
    assert_eq!(counts(others), counts(&alone["per_ply"]["plies"]));
    assert_eq!(beside["per_ply"]["beside"]["strategy"], "deeper");

    let text = done(&[
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        "--plies",
        "--beside",
        other,
    ]);
    let (_, differences) = text
        .split_once("Difference of the counts\n")
        .expect("differences");
    let row = differences
        .lines()
        .find(|line| line.trim_start().starts_with("1 "))
        .expect("the first ply");
    let nodes = |plies: &Value| plies[1]["nodes"].as_f64().expect("a count");
    let by = row
        .split_whitespace()
        .nth(1)
        .expect("nodes")
        .replace(',', "")
        .replace('−', "-");
    assert_eq!(
        by.parse::<f64>().ok(),
        Some(nodes(others) - nodes(own)),
        "{row}"
    );
    refused(
        &["analyze", BOARD, "--strategy", SEARCH, "--beside", other],
        2,
        &["--plies"],
    );
    refused(
        &[
            "analyze",
            BOARD,
            "--strategy",
            SEARCH,
            "--plies",
            "--beside",
            "emr",
        ],
        2,
        &["no row of emr searches"],
    );
}

#[cfg(feature = "gui")]
#[test]
fn figures_need_no_display_and_are_as_wide_as_asked() {
    // A small tree, and a strategy that decides at once.
    let search =
        "(criteria: [(evaluator: Weights(\"c\"), lookahead: Expectimax(plies: Fixed(2)))])";
    let quick = "(criteria: [(evaluator: Empty)])";
    let folder = in_folder(&[
        ("position.txt", BOARD.as_bytes()),
        ("strategy.ron", quick.as_bytes()),
    ]);
    let [tree, position, strategy] =
        ["tree.json", "position.txt", "strategy.ron"].map(|name| path(&folder, name));
    done(&["analyze", BOARD, "--strategy", search, "--tree", &tree]);
    for (what, files) in [
        ("plies", vec![&*tree]),
        ("board", vec![&*position, &*strategy]),
    ] {
        let out = path(&folder, &format!("{what}.svg"));
        let flags = [
            "--out",
            &out,
            "--width",
            "12cm",
            "--caption",
            "A caption of mine",
        ];
        done(&[&["figure", what], &files[..], &flags].concat());
        let text = fs::read_to_string(&out).expect("written");
        assert!(
            text.contains("width=\"120mm\"") && text.contains("A caption of mine"),
            "{what}"
        );
    }

    let plain = path(&folder, "plain.svg");
    done(&["figure", "board", &position, &strategy, "--out", &plain]);
    for settings in [
        "(version: 1, theme: Dark, scale: 1.5, spawn_map: true)",
        "(version: 1",
    ] {
        let own = in_folder(&[("settings.ron", settings.as_bytes())]);
        let out = path(&folder, "own.svg");
        let own = own.path().to_string_lossy();
        done(&[
            "figure",
            "board",
            &position,
            &strategy,
            "--out",
            &out,
            "--config-dir",
            &own,
        ]);
        assert_eq!(
            fs::read(&out).ok(),
            fs::read(&plain).ok(),
            "{settings}: the settings of a user change no figure"
        );
    }

    let [pdf, png] = ["a.pdf", "a.png"].map(|name| path(&folder, name));
    done(&["figure", "tree", &tree, "--out", &pdf, "--no-caption"]);
    assert!(fs::read(&pdf).expect("written").starts_with(b"%PDF-"));
    done(&[
        "figure", "why", &tree, "--out", &png, "--dpi", "200", "--dark",
    ]);
    assert!(fs::read(&png).expect("written").starts_with(b"\x89PNG"));

    let none = path(&folder, "none.json");
    for (args, code, words) in [
        (
            ["tree", &tree, "--out", "a.gif"],
            2,
            "figures are .pdf, .svg or .png files",
        ),
        (["tree", &none, "--out", &pdf], 1, "no such file"),
        (["moon", &tree, "--out", &pdf], 2, "moon"),
    ] {
        refused(&[&["figure"], &args[..]].concat(), code, &[words]);
    }
    refused(
        &["figure", "tree", &tree, "--out", &pdf, "--width", "5mm"],
        2,
        &["20 to 1000 mm wide"],
    );
    refused(
        &["figure", "tree", &tree, "--out", &pdf, "--width", "wide"],
        2,
        &["such as 85mm"],
    );
    refused(
        &["figure", "tree", &tree, "--out", &pdf, "--dpi", "200"],
        2,
        &["--dpi works only for a .png"],
    );
    refused(
        &["figure", "ecdf", &tree, "--out", &pdf],
        1,
        &["no games to plot"],
    );
    fs::write(&tree, "{\"id\":0,\"how\":1,\"head\":2}").expect("writable");
    refused(&["figure", "tree", &tree, "--out", &pdf], 1, &["tree.json"]);
}

#[cfg(feature = "gui")]
#[test]
fn figures_are_of_the_files_and_lack_nothing() {
    let folder = in_folder(&[
        ("position.txt", BOARD.as_bytes()),
        ("strategy.ron", SEARCH.as_bytes()),
    ]);
    let [tree, position, strategy, out] =
        ["tree.json", "position.txt", "strategy.ron", "out.svg"].map(|name| path(&folder, name));
    done(&[
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        "--score",
        "1234",
        "--tree",
        &tree,
    ]);
    let drawn = |args: &[&str]| {
        let flags = ["--out", &out, "--width", "300mm"];
        done(&[&["figure"], args, &flags].concat());
        fs::read_to_string(&out).expect("written")
    };

    // The board of the tree with its score, and no game that the window begins with.
    let board = drawn(&["board", &tree]);
    assert!(
        board.contains(BOARD)
            && board.contains("aria-label=\"1,234\"")
            && board.contains("Board at move 1, "),
        "{board}"
    );

    // The spawns of the chosen move, from the record as well as from the strategy that wrote it.
    for files in [vec![&*tree], vec![&*position, &*strategy]] {
        let map = drawn(&[&["board", "--spawns"], &files[..]].concat());
        for part in [
            "; spawns after Up valued by ",
            "Expectimax",
            "3 plies",
            " nodes",
            "Up: mean ",
        ] {
            assert!(map.contains(part), "{part} is not in {map}");
        }
        assert!(!map.contains("point at"), "{map}");
    }
    for what in ["tree", "why", "icicle", "decision"] {
        let text = drawn(&[what, &position, &strategy]);
        let caption = text
            .lines()
            .find(|line| line.contains(". Afterstate "))
            .expect("a caption");
        assert!(
            caption.contains("3 plies") && caption.contains(" nodes"),
            "{what}: {caption}"
        );
        assert!(
            !caption.contains(" ms") && !caption.contains("thread"),
            "{what}: {caption}"
        );
    }

    for (args, words) in [
        (
            &["board", &position, "--spawns"][..],
            "at least 2 plies ahead",
        ),
        (&["board", &strategy], "the files contain no board"),
        (
            &["decision", &tree],
            "the files contain no board to decide on",
        ),
        (&["why", &strategy], "the files contain no search"),
        (&["results", &position, &strategy], "there are no results"),
    ] {
        refused(&[&["figure"], args, &["--out", &out]].concat(), 1, &[words]);
    }
}

#[test]
fn a_tree_of_another_program_is_told_by_what_it_says_and_what_does_not_follow_is_named() {
    let folder = in_folder(&[]);
    let [file, foreign, false_one] =
        ["tree.json", "foreign.json", "false.json"].map(|name| path(&folder, name));
    let live = json(&[
        "analyze",
        BOARD,
        "--strategy",
        SEARCH,
        "--tree",
        &file,
        "--format",
        "json",
    ]);
    let best = live["move"].as_str().expect("a move");
    let best = format!("{}{}", best[..1].to_uppercase(), &best[1..]);
    let written = fs::read_to_string(&file).expect("written");
    let mut lines = written
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .collect::<Vec<_>>();
    let text_of = |lines: &[Value]| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    // Its evaluator is its own, and it does not contain the played move.
    let head = lines[0]["head"].as_object_mut().expect("a head");
    head.insert("program".to_owned(), "Other 1.0".into());
    assert!(head.remove("evaluator").is_some() && head.remove("chosen").is_some());
    fs::write(&foreign, text_of(&lines)).expect("writable");
    let printed = done(&["analyze", "--open", &foreign, "--why", "--plies"]);
    assert!(
        printed.contains(&format!(
            "{best} is best in the record, which does not name the played move"
        )),
        "{printed}"
    );
    assert!(
        printed.contains("Expectimax of the evaluator of Other 1.0") && !printed.contains("Inert"),
        "{printed}"
    );
    assert!(
        printed.contains(" best") && !printed.contains("board is empty"),
        "{printed}"
    );

    // A leaf contradicts the node above it.
    let leaf = lines
        .iter()
        .position(|line| line["how"]["by"] == "evaluated")
        .expect("a leaf");
    lines[leaf]["value"] = 99999.into();
    fs::write(&false_one, text_of(&lines)).expect("writable");
    let output = afterstate(&["analyze", "--open", &false_one]);
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success() && said.contains(" is best in the record"),
        "{said}"
    );

    let above = format!("node {}: its value is ", lines[leaf]["parent"]);
    assert!(
        error.starts_with("afterstate: --open ") && error.lines().count() == 1,
        "{error}"
    );
    assert!(
        error.contains("its values are inconsistent") && error.contains(&above),
        "{error}"
    );
    let again = path(&folder, "again.json");
    let printed = text(&afterstate(&["analyze", "--open", &false_one, "--tree", &again]).stdout);
    assert!(
        printed.contains("do not follow from the nodes below") && !printed.contains("report"),
        "{printed}"
    );
}

#[test]
fn boards_with_halved_tiles_are_marked_in_json() {
    let folder = in_folder(&[]);
    let file = path(&folder, "tree.json");
    let board = "32768,16384,4096,8/2,0,0,0/0,0,0,0/0,0,4096,2";
    let strategy = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2), downgrade: 32768))])";
    let report = json(&[
        "analyze",
        board,
        "--strategy",
        strategy,
        "--tree",
        &file,
        "--format",
        "json",
    ]);
    let halved = "16384,8192,4096,8/2,0,0,0/0,0,0,0/0,0,4096,2";
    assert_eq!(
        (&report["board"], &report["halved"]),
        (&board.into(), &serde_json::json!([halved]))
    );
    let text = fs::read_to_string(&file).expect("written");
    let root: Value =
        serde_json::from_str(text.lines().next().expect("a root")).expect("an object");
    assert_eq!(
        (&root["board"], &root["head"]["halved_from"]),
        (&halved.into(), &board.into())
    );
    let open = json(&["analyze", "--open", &file, "--format", "json"]);
    assert_eq!(
        (&open["board"], &open["halved"], &open["move"]),
        (&report["board"], &report["halved"], &report["move"])
    );
    let plain = json(&["analyze", BOARD, "--strategy", strategy, "--format", "json"]);
    assert!(plain.get("halved").is_none());
}

#[test]
fn trees_that_cannot_be_written_are_refused() {
    let folder = in_folder(&[]);
    let file = path(&folder, "tree.json");
    let tree = |strategy: &str, board: &str, more: &[&str], code, words: &[&str]| {
        let args = [&["analyze", board, "--strategy", strategy], more].concat();
        refused(&args, code, words);
    };

    tree(
        SEARCH,
        BOARD,
        &["--tree", &path(&folder, "tree.txt")],
        2,
        &["tree.txt", ".json, .dot, .csv or .efg"],
    );
    tree(
        SEARCH,
        BOARD,
        &["--tree", &path(&folder, "tree")],
        2,
        &[".json, .dot, .csv or .efg"],
    );
    tree(
        "emr",
        BOARD,
        &["--tree", &file],
        2,
        &["--tree: no row of emr searches"],
    );
    tree(
        SEARCH,
        BOARD,
        &["--tree", &file, "--row", "2"],
        2,
        &["--row 2: ", "has 1 row"],
    );
    let game = path(&folder, "tree.efg");
    tree(
        PRUNED,
        BOARD,
        &["--tree", &game],
        1,
        &["tree.efg: a game needs the value of every node, but alpha-beta"],
    );
    tree(
        PRUNED,
        BOARD,
        &["--tree", &file, "--row", "1"],
        2,
        &["--row 1: ", "one ply"],
    );
    tree(SEARCH, BOARD, &["--row", "1"], 2, &["--tree"]);
    tree(
        SEARCH,
        BOARD,
        &["--tree", &file, "--nodes", "0"],
        2,
        &["whole number from 1"],
    );
    tree(SEARCH, "-", &["--tree", &file], 2, &["a single board"]);
    tree(
        SEARCH,
        "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2",
        &["--tree", &file],
        1,
        &["nothing was searched", "dead"],
    );
    let one_move = "0,2,4,8/0,4,2,4/0,8,4,2/0,2,8,4";
    tree(
        SEARCH,
        one_move,
        &["--tree", &file],
        1,
        &["nothing was searched", "a single legal move"],
    );
    tree(
        SEARCH,
        BOARD,
        &["--tree", &path(&folder, "no/tree.json")],
        1,
        &["no/tree.json: cannot be written"],
    );
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[cfg(unix)]
#[test]
fn a_long_game_is_printed_as_far_as_it_got() {
    let folder = in_folder(&[]);
    let deep = "(criteria: [(evaluator: Lines(), lookahead: Expectimax(plies: ByDistinct()))])";
    let mut child = interruptible()
        .args(["play", "--strategy", deep])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    BufReader::new(child.stderr.as_mut().expect("piped"))
        .read_line(&mut said)
        .expect("text");
    assert!(
        said.starts_with("estimated time: ")
            && said.ends_with("stops it and prints the game so far\n"),
        "{said}"
    );
    until_it_catches(2, &child);
    std::thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("every Unix has kill");
    assert!(kill.success());

    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    fs::write(folder.path().join("game.txt"), &output.stdout).expect("writable");
    assert!(done(&["check", &path(&folder, "game.txt")]).contains("game record of "));
}

#[test]
fn a_search_without_end_is_announced_and_stopped_by_ctrl_c() {
    let folder = in_folder(&[]);
    let endless = "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(30)))])";
    let mut child = interruptible()
        .args([
            "analyze",
            BOARD,
            "--strategy",
            endless,
            "--tree",
            &path(&folder, "tree.json"),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("piped"));
    errors.read_line(&mut said).expect("text");
    assert!(
        said.starts_with("afterstate: Expectimax of Empty, 15 moves + 15 spawns, takes "),
        "{said}"
    );
    assert!(said.ends_with("; Ctrl-C stops it\n"), "{said}");

    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("every Unix has kill");
    assert!(kill.success());

    let started = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if Duration::from_secs(500) < started.elapsed() {
            child.kill().expect("it is still there");
            panic!("Ctrl-C did not end the search");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    said.clear();
    errors.read_line(&mut said).expect("text");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(130), String::new())
    );
    assert_eq!(
        said,
        "afterstate: stopped by Ctrl-C before a decision was made\n"
    );
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn illegal_moves_and_dead_boards_are_said() {
    let corner = json(&["analyze", "4,2/2,0", "--strategy", "er", "--format", "json"]);
    assert_eq!(corner["moves"][0]["legal"], false);
    assert_eq!(corner["moves"][0]["values"], serde_json::json!([null]));
    assert_eq!(corner["moves"][0]["afterstate"], Value::Null);
    let dead = json(&[
        "analyze",
        "2,4/4,2",
        "--strategy",
        "emr",
        "--format",
        "json",
    ]);
    assert_eq!(
        (&dead["move"], &dead["choice"]),
        (&Value::Null, &serde_json::json!([]))
    );
    assert_eq!(dead["kept"], serde_json::json!([[], []]));
    assert!(
        done(&["analyze", "2,4/4,2", "--strategy", "emr"])
            .contains("The game is over: no cell is empty")
    );
}

#[test]
fn every_notation_of_boards_and_strategies_is_read() {
    let first = done(&["analyze", BOARD, "--strategy", "er", "--format", "json"]);
    let ron = "Strategy(name: \"x\", criteria: [(evaluator: Empty)], last_resort: Random)";
    let folder = in_folder(&[
        ("strategy.ron", ron.as_bytes()),
        ("preset.ron", b"(version: 1, seed: 1, games: 1, strategies: [(strategy: (criteria: [(evaluator: Empty)]))])"),
    ]);
    for board in [
        BOARD,
        "[[2,0,0,4],[0,8,0,0],[0,0,0,0],[0,0,16,2]]",
        "2 0 0 4 0 8 0 0 0 0 0 0 0 0 16 2",
        "2 . . 4\n. 8 . .\n. . . .\n. . 16 2",
    ] {
        for strategy in [
            "er",
            ron,
            &path(&folder, "strategy.ron"),
            &path(&folder, "preset.ron"),
        ] {
            assert_eq!(
                done(&["analyze", board, "--strategy", strategy, "--format", "json"]),
                first
            );
        }
    }
}

/// A board of several public programs, and the 64-bit integers of it with either order of cells.
const PRINTED: &str = "16,128,256,1024/16,8,2,0/8,2,0,0/0,4,0,0";
const LOW_WORD: &str = "0x002000130134a874";

#[test]
fn a_text_with_several_boards_is_refused_with_all_of_them_and_read_with_a_flag() {
    refused(
        &["evaluate", LOW_WORD],
        2,
        &[
            PRINTED,
            "(--cells low)",
            "(--cells high)",
            "add the flag of the right one",
        ],
    );
    for args in [
        &["evaluate", LOW_WORD, "--cells", "low"][..],
        &[
            "evaluate",
            "9007280879347828",
            "--decimal",
            "--cells",
            "low",
        ],
        &[
            "evaluate",
            "4,7,8,10/4,3,1,0/3,1,0,0/0,2,0,0",
            "--exponents",
        ],
        &[
            "analyze",
            "478a431031000200",
            "--strategy",
            "er",
            "--cells",
            "high",
        ],
    ] {
        let found = json(&[args, &["--format", "json"]].concat());
        assert_eq!(found["board"], PRINTED, "{args:?}");
    }
    let rollout = ["rollout", "0x4303", "--decimal", "--strategy", "er"];
    refused(&rollout, 2, &["is not a 64-bit integer in decimal digits"]);
    refused(
        &["evaluate", "4,7,8,10/4,3,1,0/3,1,0,0/0,2,0,0"],
        2,
        &["\"7\" is not a tile", "add --exponents"],
    );

    let folder = in_folder(&[("word", LOW_WORD.as_bytes()), ("saved", SAVED.as_bytes())]);
    refused(
        &["check", &path(&folder, "word")],
        1,
        &[PRINTED, "(--cells low)"],
    );
    assert!(done(&["check", &path(&folder, "word"), "--cells", "low"]).contains(PRINTED));
    assert!(done(&["check", &path(&folder, "saved")]).contains("position 2,0/0,4"));
}

/// A saved game of the web game, whose cells are columns.
const SAVED: &str = r#"{"grid":{"size":2,"cells":[[{"position":{"x":0,"y":0},"value":2},null],[null,{"position":{"x":1,"y":1},"value":4}]]},"score":12,"over":false}"#;

#[test]
fn the_score_of_a_saved_game_counts_and_another_one_is_refused() {
    assert_eq!(json(&["evaluate", SAVED, "--format", "json"])["score"], 12);
    assert_eq!(
        json(&["evaluate", SAVED, "--score", "12", "--format", "json"])["score"],
        12
    );
    let sentence =
        "--score 0: the text of the board has the score 12; correct one, or leave out --score";
    refused(&["evaluate", SAVED, "--score", "0"], 2, &[sentence]);
    let output = with_input(&["evaluate", "-", "--score", "0"], SAVED);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains(&format!("standard input: line 1: {sentence}")),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn what_is_given_in_place_of_a_board_is_named() {
    let folder = in_folder(&[("board", BOARD.as_bytes())]);
    refused(
        &["evaluate", "xiao"],
        2,
        &["a preset of this name exists: use afterstate run xiao"],
    );
    refused(
        &["evaluate", "emr"],
        2,
        &["this is a strategy: give it with --strategy"],
    );
    refused(
        &["evaluate", &path(&folder, "board")],
        2,
        &["board is a file", "to read its boards, write - <"],
    );
}

#[test]
fn boards_of_several_lines_end_at_a_blank_line_of_standard_input() {
    let printed = include_str!("data/boards/numpy.txt");
    let framed = include_str!("data/boards/frame.txt");
    let input = format!("{printed}\n{BOARD}\t7\n{framed}\n\n2 4\n. .\n");
    let output = with_input(
        &["evaluate", "-", "--evaluator", "Empty", "--format", "json"],
        &input,
    );
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let lines = text(&output.stdout);
    let boards: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["board"].clone())
        .collect();
    assert_eq!(boards, [PRINTED, BOARD, PRINTED, "2,4/0,0"]);

    for (input, words) in [
        (
            "2 0 0 4\n0 8 0 1\n\n",
            "standard input: lines 1 to 2: row 2, cell 4: \"1\" is not a tile",
        ),
        (
            "2,4/4,2\n\n2 0 0 4\n",
            "standard input: line 3: one line has 4 values",
        ),
    ] {
        let output = with_input(&["evaluate", "-"], input);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            text(&output.stderr).contains(words),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn boards_from_standard_input_give_a_line_each_in_order() {
    let input = format!("{BOARD}\n2 0 0 4 0 8 0 0 0 0 0 0 0 0 16 2\t40\n\n2,4/4,2\t8\r\n");
    let output = with_input(
        &["analyze", "-", "--strategy", "emr", "--format", "json"],
        &input,
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));

    let lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let scores: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["score"].as_u64())
        .collect();
    assert_eq!(scores, [0, 40, 8]);
    assert_eq!(
        (&lines[1]["board"], &lines[2]["move"]),
        (&Value::from(BOARD), &Value::Null)
    );
    let output = with_input(
        &["evaluate", "-", "--evaluator", "Empty", "--format", "json"],
        &input,
    );
    assert_eq!(text(&output.stdout).lines().count(), 3);

    for (input, words) in [
        ("2,4/4,2\nnonsense\n", ["line 2", "nonsense"]),
        ("2,4/4,2\n2,4/4,2\tx\n", ["line 2", "\"x\" is not a score"]),
        (
            "\u{feff}2,4/4,2\n2,2,2/2,2,2\n",
            ["line 2", "--evaluator Weights"],
        ),
    ] {
        let weights = "Weights([1.0, 2.0, 3.0, 4.0])";
        let output = with_input(
            &["evaluate", "-", "--evaluator", weights, "--format", "json"],
            input,
        );
        assert_eq!(output.status.code(), Some(1));
        let error = text(&output.stderr);
        assert!(
            error.lines().count() == 1 && words.iter().all(|word| error.contains(word)),
            "{error}"
        );
        assert_eq!(
            text(&output.stdout).lines().count(),
            1,
            "what was read before stays"
        );
    }
}

#[test]
fn a_program_may_wait_for_the_answer_about_one_board_before_it_asks_about_the_next() {
    let mut child = program()
        .args(["analyze", "-", "--strategy", "er", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for _ in 0..3 {
            input.write_all(b"2,4/4,2\n").expect("it listens");
            let mut line = String::new();
            output.read_line(&mut line).expect("it answers");
            sender.send(line).expect("the test waits");
        }
    });

    for _ in 0..3 {
        let line = receiver
            .recv_timeout(Duration::from_secs(500))
            .unwrap_or_else(|_| {
                child.kill().expect("it still waits");
                panic!("no answer before the end of the input");
            });
        assert!(line.starts_with("{\"board\":\"2,4/4,2\""), "{line}");
    }

    child.wait().expect("it ends with its input");
}

#[test]
fn evaluate_gives_numbers_by_name() {
    let all = json(&["evaluate", BOARD, "--score", "7", "--format", "json"]);
    assert_eq!(
        all["values"],
        serde_json::json!({
            "Score": 7.0, "Empty": 11.0, "Uniformity": 11.0, "Monotonicity": 18.0, "Difference": -92.0,
            "DifferenceOfTiles": -14.0, "MaxTile": 16.0, "Corner": 24.0, "Edges": 24.0,
            "Snake": 40.03369140625, "Lines": all["values"]["Lines"], "Weights": 72.0,
            "MonotoneSum": 40.0, "Smoothness": -92.0, "SmoothnessPrinted": -98.0, "CornerBonus": -16.0, "RankSmoothness": all["values"]["RankSmoothness"],
            "RankMonotonicity": all["values"]["RankMonotonicity"], "LogEmpty": afterstate::math::ln(11.0), "MaxRank": 4.0, "HasTile": 0.0,
            "Inert": 0.0, "Network": 53175.0
        })
    );

    let small = json(&["evaluate", "2,4/4,2", "--format", "json"]);
    let names: Vec<&str> = small["values"]
        .as_object()
        .expect("values")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names.len(), 21, "{names:?}");
    assert!(!names.contains(&"Weights"), "Weights a does not fit 2x2");
    let twice = done(&[
        "evaluate",
        BOARD,
        "--evaluator",
        "Empty",
        "--evaluator",
        "Empty",
        "--format",
        "json",
    ]);
    assert_eq!(
        twice.matches("Empty").count(),
        1,
        "a key of JSON must not come twice: {twice}"
    );
    let sum = "Sum([(1.0, Score), (50.0, Empty)])";
    let one = json(&[
        "evaluate",
        BOARD,
        "--score",
        "7",
        "--evaluator",
        sum,
        "--format",
        "json",
    ]);
    assert_eq!(one["values"], serde_json::json!({ sum: 557.0 }));
    assert!(done(&["evaluate", BOARD]).contains("Monotonicity"));

    // Fixed values and empty cells of the four rows and the four columns alone.
    let lines = json(&[
        "evaluate",
        BOARD,
        "--evaluator",
        "Lines(fixed: 1, empty: 10, merges: 0, monotonicity: 0, sum: 0)",
        "--format",
        "json",
    ]);
    let values: Vec<f64> = lines["values"]
        .as_object()
        .expect("values")
        .values()
        .filter_map(Value::as_f64)
        .collect();
    assert_eq!(values, [8.0 + 10.0 * 2.0 * 11.0]);
}

/// Removes times, which depend on the computer; everything else depends on the games.
fn forget_times(results: &mut Value) {
    for entry in results["entries"].as_array_mut().expect("entries") {
        for field in ["seconds", "seconds_per_move", "seconds_reaching"] {
            assert!(!entry[field].is_null(), "{field}");
            entry[field] = Value::Null;
        }
    }
}

#[test]
fn run_gives_the_documented_fields_and_equal_numbers_again() {
    let folder = in_folder(&[("p.ron", PRESET.as_bytes())]);
    let args =
        |threads| ["run", "PRESET", "--threads", threads, "--format", "json"].map(str::to_owned);
    let run = |threads| {
        let mut args = args(threads);
        args[1] = path(&folder, "p.ron");
        let mut results = json(&args.iter().map(String::as_str).collect::<Vec<_>>());
        results["threads"] = Value::Null;
        forget_times(&mut results);
        results
    };
    let results = run("1");
    assert_eq!(
        (&results["title"], &results["seed"], &results["games"]),
        (&"T".into(), &"3".into(), &20.into())
    );
    let entry = &results["entries"][1];
    assert_eq!((&entry["name"], &entry["games"]), (&"r".into(), &20.into()));

    for field in ["mean", "sd", "se", "median", "min", "max", "moves_per_game"] {
        assert!(entry[field].is_number(), "{field}");
    }
    assert!(entry["ci95"][0].as_f64() < entry["ci95"][1].as_f64());
    assert!(
        entry["reach"]["2048"]["share"].is_number() && entry["reach"]["131072"]["ci95"].is_array()
    );

    // The publication has no standard deviation, and 20 games are too few to use ours instead.
    assert_eq!(
        entry["published"]["verdicts"]["mean"]["verdict"],
        "cannot tell"
    );
    assert_eq!(results["entries"][0]["published"], Value::Null);
    assert_eq!(run("2"), results);
    assert_eq!(run("7"), results);
}

#[test]
fn a_run_ends_by_its_stop_rule_whatever_the_threads() {
    let run = |threads: &str, more: &[&str]| {
        let args = [
            "run",
            "--strategy",
            "er",
            "emr",
            "--games",
            "20000",
            "--threads",
            threads,
        ];
        afterstate(&[&args, more].concat())
    };
    let parsed = |output: &Output| serde_json::from_slice::<Value>(&output.stdout).expect("JSON");
    let test = [
        "--until",
        "sprt=0..400,alpha=0.01",
        "--baseline",
        "er",
        "--format",
        "json",
    ];
    let [one, four] = ["1", "4"].map(|threads| run(threads, &test));
    let (one, four) = (parsed(&one), parsed(&four));
    let end = one["stop_rule"]["sentence"]
        .as_str()
        .expect("a sentence")
        .to_owned();
    assert!(
        end.starts_with("GSPRT: rejects H0 (emr scores at most 0 points more than er) after ")
            && end.contains(" ≥ 4.55"),
        "{end}"
    );
    assert_eq!(one["stop_rule"], four["stop_rule"]);

    let each = one["stop_rule"]["each"].as_u64().expect("a number");
    assert!(
        (100..20_000).contains(&each) && one["entries"][1]["games"] == each,
        "{each}"
    );
    assert_eq!(one["entries"][1]["against"], four["entries"][1]["against"]);
    assert_eq!(
        (&one["entries"][1]["ci95_kind"], &one["baseline"]),
        (&"anytime".into(), &"er".into())
    );
    let printed = text(&run("2", &["--until", "half-width=4%", "--until", "minutes=60"]).stdout);
    assert!(
        printed.contains("half-width: ± ") && printed.contains(" is within ± 4 % after "),
        "{printed}"
    );
    assert!(
        printed.contains("95 % intervals are valid at any time, whenever the run stops"),
        "{printed}"
    );

    for (rule, word) in [
        (
            "half-width=abc",
            "'--until <RULE>': half-width: \"abc\" is not",
        ),
        ("sprt=0", "H0..H1"),
        ("5%", "half-width=2%"),
        ("minutes=0", "above 0"),
    ] {
        let output = run("1", &["--until", rule]);
        assert!(
            output.status.code() == Some(2) && text(&output.stderr).contains(word),
            "{}",
            text(&output.stderr)
        );
    }

    let shard = [
        "run",
        "--strategy",
        "er",
        "emr",
        "--until",
        "half-width=2%",
        "--shard",
        "0/2",
    ];
    refused(
        &shard,
        2,
        &[
            "needs all games, but a part plays only some",
            "leave out the rule",
        ],
    );
    let alone = ["run", "--strategy", "er", "--until", "sprt=0..9"];
    refused(&alone, 2, &["a test needs two strategies: add another one"]);
    let twice = [
        "run",
        "--strategy",
        "er",
        "--until",
        "minutes=1",
        "--until",
        "minutes=2",
    ];
    refused(&twice, 2, &["already a rule of this kind"]);
}

#[test]
fn an_estimate_says_how_long_and_how_many_games_differences_take() {
    let printed = done(&[
        "estimate",
        "--strategy",
        "er",
        "r",
        "--games",
        "500",
        "--threads",
        "1",
    ]);
    assert!(
        printed.starts_with("time: ") && printed.contains(", for 1,000 games on 1 thread\n"),
        "{printed}"
    );
    assert!(
        printed.contains("needed to show a difference of means: 10 %: ")
            && printed.contains(", 1 %: "),
        "{printed}"
    );
    assert!(
        printed.contains("80 % power at the 5 % level; from the paired differences of "),
        "{printed}"
    );
    let until = |rule: &str| {
        let printed = done(&[
            "estimate",
            "--strategy",
            "er",
            "r",
            "--games",
            "9000000",
            "--until",
            rule,
            "--threads",
            "1",
        ]);
        printed.lines().next().unwrap_or_default().to_owned()
    };
    let [width, test, long] = ["half-width=5%", "sprt=0..400", "all"].map(until);

    // On a busy computer the trial may be too short for an estimate of the end.
    let is_ended =
        width.contains(", for about ") && width.ends_with(" games per strategy on 1 thread");
    assert!(
        is_ended || width.ends_with(", for up to 18,000,000 games on 1 thread"),
        "{width}"
    );
    assert!(
        test.contains("time: up to ") && test.ends_with(", for up to 18,000,000 games on 1 thread"),
        "{test}"
    );
    assert!(
        long.ends_with(", for 18,000,000 games on 1 thread"),
        "{long}"
    );
    let alone = done(&["estimate", "--strategy", "r"]);
    assert!(
        alone.contains(" games of one strategy, for an independent one with the same spread"),
        "{alone}"
    );
    refused(
        &["estimate", "--strategy", "r", "--threads", "0"],
        2,
        &["threads"],
    );
}

#[test]
fn a_kept_run_remembers_its_stop_rule_and_what_it_found() {
    let (data, folder) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let out = folder.path().join("run").display().to_string();
    let run = |args: &[&str]| {
        let output = program()
            .args(args)
            .env("XDG_DATA_HOME", data.path())
            .output()
            .expect("the program runs");
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    };
    let ruled = run(&[
        "run",
        "--strategy",
        "r",
        "er",
        "--games",
        "5000",
        "--until",
        "half-width=6%",
        "--out",
        &out,
    ]);
    let end = ruled
        .lines()
        .find(|line| line.starts_with("half-width: "))
        .expect("how it ended")
        .to_owned();
    let manifest = fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["until"], serde_json::json!(["half-width=6%"]));
    let each = manifest["stop_rule"]["each"].as_u64().expect("a number");

    // The same command again plays nothing, and the summary counts no more games than the rule did.
    for args in [["run", &out], ["summary", &out]] {
        let printed = run(&args);
        assert!(
            printed.contains(&end) && printed.contains(&format!("  {each}  ")),
            "{args:?}: {printed}"
        );
    }

    let all = run(&["run", &out, "--until", "all"]);
    assert!(
        !all.contains("half-width: ") && all.contains("5,000"),
        "{all}"
    );
    let manifest = fs::read_to_string(format!("{out}/manifest.json")).expect("a manifest");
    assert!(
        !manifest.contains("half-width=6%\"") && manifest.contains("rule_met"),
        "{manifest}"
    );
}

#[test]
fn strategies_of_a_run_are_compared_game_by_game_and_all_at_once() {
    let twin = "(name: \"twin\", criteria: [(evaluator: Empty), (evaluator: Monotonicity)])";
    let run = |format| {
        [
            "run",
            "--strategy",
            "r",
            "er",
            "emr",
            twin,
            "--games",
            "300",
            "--baseline",
            "er",
            "--format",
            format,
        ]
    };
    let results = json(&run("json"));
    assert_eq!(
        (&results["baseline"], &results["ranks"]["places"]),
        (&"er".into(), &3.into())
    );
    assert_eq!(
        results["ranks"]["identical"],
        serde_json::json!([["emr", "twin"]])
    );
    let entry = |place: usize| &results["entries"][place];
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!(
        (0..4).all(|place| entry(place)["rank"][0].as_u64() <= entry(place)["rank"][1].as_u64())
    );
    assert_eq!(
        (&entry(0)["rank"], &entry(2)["rank"]),
        (&serde_json::json!([3, 3]), &entry(3)["rank"])
    );
    assert_eq!(
        (&entry(1)["against"], &entry(0)["against"]["games"]),
        (&Value::Null, &300.into())
    );

    let against = &entry(2)["against"];
    let apart = number(&entry(2)["mean"]) - number(&entry(1)["mean"]);
    assert!((number(&against["difference"]) - apart).abs() < 1e-6);
    let half = |ends: &str| number(&against[ends][1]) - number(&against[ends][0]);
    assert!(half("ci95") < half("ci95_at_once") && number(&against["correlation"]) < 0.5);
    assert!(
        against["reach"]["512"]["ci95"][0].as_f64()
            <= against["reach"]["512"]["difference"].as_f64()
    );

    let table = done(&run("table"));
    for part in [
        "against er",
        "3 of 3",
        "emr and twin played the same 300 games and count as one",
        "all 3 pairs together",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(
        done(&run("markdown")).contains("| er |") && done(&run("csv")).contains(",against_gain")
    );
    assert!(done(&run("latex")).contains("differences are relative to er on the same seeds"));
    refused(
        &["run", "--strategy", "er", "emr", "--baseline", "err"],
        2,
        &["no strategy is called", "mean er?"],
    );
}

#[test]
fn run_takes_shipped_presets_and_strategies() {
    for name in [
        "quick-start",
        "composition-table-1",
        "composition-table-2",
        "composition-table-1-inert",
        "composition-all-65",
    ] {
        let table = done(&["run", name, "--games", "4", "--seed", "9"]);
        assert!(table.contains("seed 9"), "{table}");
    }
    let table = done(&["run", "composition-table-1", "--games", "3000"]);
    assert!(
        table.contains("compatible")
            && table.contains("differs")
            && table.contains("after Holm's correction for 20 tests"),
        "{table}"
    );

    let csv = done(&[
        "run",
        "--strategy",
        "er",
        "--strategy",
        "Strategy(name: \"a, b\")",
        "--games",
        "5",
        "--format",
        "csv",
    ]);
    assert!(
        csv.lines().count() == 3 && csv.contains("\"a, b\""),
        "{csv}"
    );
    assert!(
        done(&[
            "run",
            "--strategy",
            "er",
            "--games",
            "1",
            "--format",
            "markdown"
        ])
        .contains("| er | 1 |")
    );
    let listed = done(&[
        "run",
        "--strategy",
        "er",
        "emr",
        "--games",
        "2",
        "--format",
        "csv",
    ]);
    assert_eq!(
        listed.lines().count(),
        3,
        "several strategies behind one flag: {listed}"
    );
    let one = json(&[
        "run",
        "--strategy",
        "er",
        "--games",
        "1",
        "--format",
        "json",
    ]);
    assert_eq!(
        (&one["entries"][0]["sd"], &one["entries"][0]["ci95"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn games_stop_at_a_tile_by_flag_and_by_preset() {
    let folder = in_folder(&[
        (
            "rule.ron",
            PRESET
                .replace("seed: 3", "rules: (stop_at: 64), seed: 3")
                .as_bytes(),
        ),
        (
            "field.ron",
            PRESET.replace("seed: 3", "seed: 3, stop_at: 64").as_bytes(),
        ),
        ("plain.ron", PRESET.as_bytes()),
        (
            "small.ron",
            PRESET
                .replace("seed: 3", "rules: (size: \"2x2\"), stop_at: 64, seed: 3")
                .as_bytes(),
        ),
    ]);
    let out = path(&folder, "out");
    let csv = |args: &[&str]| {
        let whole = done(&[&["run"], args, &["--format", "json"]].concat());
        let mut results: Value = serde_json::from_str(&whole).expect("JSON");
        forget_times(&mut results);
        results
    };
    let by_rule = csv(&[&path(&folder, "rule.ron"), "--out", &out]);
    assert_eq!(by_rule["stop_at"], 64);
    assert_eq!(by_rule["entries"][1]["reach"]["128"]["share"], 0.0);
    assert!(by_rule["entries"][1]["reach"]["64"]["share"].as_f64() > Some(0.5));
    assert_eq!(csv(&[&path(&folder, "field.ron")]), by_rule);

    // Also by flag; then published results of whole games are not compared.
    let by_flag = afterstate(&[
        "run",
        &path(&folder, "plain.ron"),
        "--stop-at",
        "64",
        "--format",
        "json",
    ]);
    assert_eq!(
        text(&by_flag.stderr),
        "note: the published games were not stopped at 64, so there is no comparison\n"
    );
    let by_flag: Value = serde_json::from_str(&text(&by_flag.stdout)).expect("JSON");
    for (flag, rule) in by_flag["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .zip(by_rule["entries"].as_array().expect("entries"))
    {
        assert!(flag["published"].is_null());
        assert_eq!(
            (&flag["mean"], &flag["reach"]),
            (&rule["mean"], &rule["reach"])
        );
    }
    assert!(
        by_rule["entries"]
            .as_array()
            .expect("entries")
            .iter()
            .any(|entry| !entry["published"].is_null())
    );
    let whole = csv(&[&path(&folder, "plain.ron")]);
    assert!(whole["stop_at"].is_null() && whole["entries"][1]["reach"]["128"]["share"] != 0.0);
    let manifest = fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a file");
    assert!(manifest.contains("\"stop_at\": 64"), "{manifest}");
    let table = done(&["run", &path(&folder, "field.ron")]);
    assert!(
        table.contains("20 games of each strategy on 4x4, each stopped at 64, 10 % fours"),
        "{table}"
    );

    for (tile, words) in [
        ("63", "--stop-at: 63 is not a tile to stop at"),
        ("2", "--stop-at"),
        ("many", "--stop-at"),
        ("262144", "never holds 262144"),
    ] {
        refused(&["run", "--strategy", "er", "--stop-at", tile], 2, &[words]);
    }

    refused(
        &["check", &path(&folder, "small.ron")],
        1,
        &["stop_at: a 2x2 board never holds 64"],
    );
}

#[test]
fn published_numbers_of_every_kind_are_judged() {
    let preset = |published: &str, games: u64| {
        format!(
            "(version: 1, seed: 3, games: {games}, strategies: [(strategy: (name: \"r\"), published: ({published}))])"
        )
    };
    let run = |published: &str, games: u64| {
        let folder = in_folder(&[("p.ron", preset(published, games).as_bytes())]);
        let file = path(&folder, "p.ron");
        (
            json(&["run", &file, "--format", "json"]),
            done(&["run", &file]),
            done(&["run", &file, "--format", "markdown"]),
        )
    };
    let (measured, ..) = run("", 1000);
    let entry = &measured["entries"][0];
    let share = entry["reach"]["128"]["share"].as_f64().expect("a share");
    assert!(
        entry["published"]["mean"].is_null() && entry["published"]["verdicts"]["mean"].is_null()
    );

    // Shares near the measured one, far from it, and zero; a mean without its standard deviation.
    let published = format!(
        "mean: 1095, reach: [(128, {share}), (64, {}), (4096, 0)], moves: 118.4, games: 1000",
        0.2
    );
    let (results, table, report) = run(&published, 1000);
    let row = &results["entries"][0]["published"];
    let verdict = |what: &str| {
        row["verdicts"][what]["verdict"]
            .as_str()
            .expect("a verdict")
    };
    let words = ["mean", "moves", "reach_128", "reach_64", "reach_4096"].map(verdict);
    assert_eq!(
        words,
        [
            "compatible",
            "compatible",
            "compatible",
            "differs",
            "compatible"
        ]
    );
    assert_eq!(
        (&row["verdicts"]["reach_128"]["difference"], &row["moves"]),
        (&0.0.into(), &118.4.into())
    );
    for text in [&table, &report] {
        for words in [
            "reached 128",
            "reached 64",
            "reached 4096",
            "moves/game",
            "118.4",
            "the measured one is used",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
    let line = table
        .lines()
        .find(|line| line.contains("reached 64"))
        .expect("a line");
    assert!(
        line.contains("20.0 %") && line.ends_with("differs"),
        "{line}"
    );

    // Twenty games are too few to compare with a half.
    let (results, ..) = run(&published, 20);
    let verdict = &results["entries"][0]["published"]["verdicts"]["reach_128"];
    assert_eq!(
        (&verdict["verdict"], &verdict["reason"]),
        (&"cannot tell".into(), &"20 games are too few".into())
    );

    // Five published games are too few as well, and an unknown number allows no comparison.
    let reason = |published: &str| {
        let (results, ..) = run(published, 1000);
        results["entries"][0]["published"]["verdicts"]["reach_128"]["reason"].clone()
    };
    assert_eq!(
        reason("reach: [(128, 0.6)], games: 5"),
        "the published 5 games are too few"
    );
    assert_eq!(
        reason("reach: [(128, 0.6)]"),
        "the source does not state the number of games"
    );
    // A row without a mean needs no column for it.
    let (_, table, _) = run("reach: [(64, 0.9)], games: 100", 20);
    assert!(
        !table
            .lines()
            .any(|line| line.starts_with("strategy") && line.contains("games/s  published")),
        "{table}"
    );
    assert!(table.contains("reached 64"), "{table}");
}

/// A preset of one search with short games.
const SEARCH_PRESET: &str = r#"(version: 1, title: "S", seed: 3, games: 2, stop_at: 16, strategies: [
    (strategy: (name: "s", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])),
])"#;

#[test]
fn the_time_of_searches_is_estimated_before_they_play() {
    let folder = in_folder(&[("s.ron", SEARCH_PRESET.as_bytes())]);
    let output = afterstate(&["run", &path(&folder, "s.ron"), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(
        said.starts_with("estimated time: ") && said.lines().count() == 1,
        "{said}"
    );
    assert!(
        said.contains("for 2 games on ")
            && said.contains("Ctrl-C finishes and saves the games in play"),
        "{said}"
    );
    serde_json::from_slice::<Value>(&output.stdout).expect("JSON alone on standard output");
    // Games of one ply end before a forecast could be read.
    done(&["run", "quick-start", "--games", "100"]);
}

#[test]
fn what_is_probably_not_meant_is_said_and_played() {
    let odd = SEARCH_PRESET.replace(
        "plies: Fixed(2)",
        "plies: ByEmpty([(8, 2), (4, 1)]), cuts: [AlphaBeta, Reach(0.5)]",
    );
    let folder = in_folder(&[
        ("odd.ron", odd.as_bytes()),
        (
            "sum.ron",
            b"(criteria: [(evaluator: Sum([(1e9, Score), (1, Empty)]))])",
        ),
        (
            "wrong.ron",
            SEARCH_PRESET.replace("Fixed(2)", "Fixed(99)").as_bytes(),
        ),
    ]);
    let said = done(&["check", &path(&folder, "odd.ron")]);
    let place = "odd.ron: warning: strategies[0].strategy.criteria[0].lookahead: ";
    assert_eq!(said.matches(place).count(), 3, "{said}");

    for words in [
        "ByEmpty has no pair for fewer than 4 empty cells",
        "AlphaBeta has no effect",
        "Reach(0.5)",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let said = done(&["check", &path(&folder, "sum.ron")]);
    assert!(
        said.contains("sum.ron: warning: criteria[0].evaluator: 1 · Empty of the Sum only counts"),
        "{said}"
    );
    let output = afterstate(&["run", &path(&folder, "odd.ron"), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert_eq!(
        said.lines()
            .filter(|line| line.starts_with("warning: strategies[0].strategy."))
            .count(),
        3,
        "{said}"
    );
    refused(
        &["check", &path(&folder, "wrong.ron")],
        1,
        &["strategies[0].strategy.criteria[0].lookahead: 99 plies"],
    );
}

#[test]
fn run_writes_its_folder_and_the_manifest_tells_how() {
    let folder = in_folder(&[]);
    let out = path(&folder, "new/results");
    done(&["run", "quick-start", "--games", "10", "--out", &out]);
    let mut names: Vec<_> = fs::read_dir(&out)
        .expect("a folder")
        .map(|file| file.expect("a file").file_name())
        .collect();
    names.sort();
    let tables = [
        "checksums",
        "columns.csv",
        "costs",
        "games",
        "games.csv",
        "manifest.json",
        "moves",
        "results.json",
        "summary.csv",
    ];
    assert_eq!(
        names
            .iter()
            .filter(|name| *name != ".lock")
            .collect::<Vec<_>>(),
        tables
    );

    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).expect("a file");
    let manifest: Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
    assert_eq!(
        (&manifest["seed"], &manifest["program"]),
        (&"1".into(), &"afterstate".into())
    );
    assert_eq!(manifest["stop_rule"]["reason"], "all_games");
    assert!(
        manifest["strategies"][3]["strategy"]
            .as_str()
            .is_some_and(|text| text.contains("Monotonicity"))
    );
    assert_eq!(read("games.csv").lines().count(), 41);
    assert_eq!(read("summary.csv").lines().count(), 5);

    serde_json::from_str::<Value>(&read("results.json")).expect("JSON");
}

#[test]
fn play_writes_a_record_that_checks() {
    let record = done(&["play", "--strategy", "er", "--seed", "5"]);
    let folder = in_folder(&[("game.txt", record.as_bytes())]);
    assert!(done(&["check", &path(&folder, "game.txt")]).contains("game record of"));
    let game = json(&[
        "play",
        "--strategy",
        "er",
        "--seed",
        "5",
        "--format",
        "json",
    ]);
    assert_eq!(game["record"], record);
    let first = json(&[
        "run",
        "--strategy",
        "er",
        "--seed",
        "5",
        "--games",
        "1",
        "--format",
        "json",
    ]);
    assert_eq!(first["entries"][0]["max"], game["score"]);
    assert!(
        game["board"]
            .as_str()
            .is_some_and(|board| board.contains('/'))
    );
}

#[test]
fn rollout_says_what_each_move_is_worth_on_any_number_of_threads() {
    let args = |more: &[&'static str]| {
        [
            &["rollout", "2,4/2,0", "--strategy", "r", "--games", "300"],
            more,
        ]
        .concat()
    };
    let one = json(&args(&["--format", "json", "--threads", "1"]));
    assert_eq!(one, json(&args(&["--format", "json", "--threads", "7"])));
    let moves = one["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 3, "{one}");
    let mean = |entry: &Value| entry["mean"].as_f64().expect("a mean");
    assert!(
        moves
            .windows(2)
            .all(|pair| mean(&pair[1]) <= mean(&pair[0])),
        "{one}"
    );
    assert_eq!(
        (moves[0]["to_best"].is_null(), moves[1]["games"].as_u64()),
        (true, Some(300))
    );

    let off =
        mean(&moves[1]) - mean(&moves[0]) - moves[1]["to_best"].as_f64().expect("a difference");
    assert!(off.abs() < 0.5, "{off}");
    let table = done(&args(&[]));
    assert!(
        table.starts_with("Rollout of 2,4/2,0 by r\n\nmove "),
        "{table}"
    );
    assert!(
        table.contains("game i of every move draws the same tiles"),
        "{table}"
    );
    assert_eq!(done(&args(&["--format", "csv"])).lines().count(), 4);
    refused(&args(&["--judge", "emr"]), 2, &["--moves"]);
    refused(
        &args(&["--moves", "3", "--judge", "emr"]),
        2,
        &["--judge: a judge needs exactly one row"],
    );
    refused(
        &["rollout", "2,4/4,2", "--strategy", "r"],
        2,
        &["rules.start", "where nothing moves"],
    );
}

#[test]
fn import_writes_a_record_beside_the_file_as_it_is() {
    let folder = in_folder(&[
        ("verse.txt", b"4x4-0_00000k001"),
        ("boards.txt", b"2,2/0,0\n4,0/2,0\n"),
        ("bad.txt", b"2,2/0,0\n4,0/2,0\n2,2/2,2\n"),
        ("none.bin", b"\xff\xfe\x00"),
    ]);
    let out = path(&folder, "games");
    // Standard error reports what the file lacks.
    let imported = |args: &[&str]| {
        let output = afterstate(&[&["import"][..], args].concat());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
        [text(&output.stdout), text(&output.stderr)]
    };
    let [said, assumed] = imported(&[&path(&folder, "verse.txt"), "--out", &out]);
    assert!(said.contains("a game of 2048verse, 1 move"), "{said}");
    assert!(
        assumed.contains("10 % is assumed, which agrees: 0 of 1 spawn is a 4"),
        "{assumed}"
    );
    assert_eq!(
        fs::read(format!("{out}/verse.txt")).expect("kept"),
        b"4x4-0_00000k001"
    );

    let record = format!("{out}/verse.txt.game.txt");
    assert!(done(&["check", &record]).contains("game record of 1 move"));
    assert!(done(&["check", &path(&folder, "boards.txt")]).contains("a list of boards, 1 move"));
    let read = json_of(&["import", &path(&folder, "boards.txt"), "--format", "json"]);
    assert_eq!(
        (read["moves"].as_u64(), read["score"].as_u64()),
        (Some(1), Some(4))
    );

    let p4 = &read["p4"];
    assert_eq!(
        (
            p4["value"].as_f64(),
            p4["assumed"].as_bool(),
            p4["agrees"].as_bool()
        ),
        (Some(0.1), Some(true), Some(true))
    );
    assert!(imported(&[&path(&folder, "boards.txt"), "--p4", "0.5"])[0].contains("\np4: 0.5\n"));
    refused(
        &["import", &path(&folder, "boards.txt"), "--p4", "1.5"],
        2,
        &["--p4"],
    );
    refused(
        &["import", &path(&folder, "bad.txt")],
        1,
        &["bad.txt: line 3: no move and one new tile lead from"],
    );
    refused(
        &["import", &path(&folder, "none.bin")],
        1,
        &["none.bin: byte 0: neither text"],
    );
    refused(
        &["import", &path(&folder, "missing.txt")],
        1,
        &["missing.txt"],
    );
}

#[test]
fn import_reports_the_order_of_actions_and_writes_each_game_of_a_file() {
    let folder = in_folder(&[
        (
            "moves.csv",
            b"game,board,action\na,2 0/2 0,0\na,4 0/2 0,\nb,0 0/2 2,3\nb,2 0/4 0,1\nb,0 2/2 4,\n",
        ),
        ("wrong.csv", b"board,action\n2 0/2 0,left\n4 0/2 0,\n"),
        ("a.json", b"{\"a\": 1}\n"),
        ("empty.txt", b""),
    ]);
    refused(
        &["import", &path(&folder, "empty.txt")],
        1,
        &["empty.txt: this file is empty"],
    );
    let file = path(&folder, "moves.csv");
    let output = afterstate(&["import", &file, "--game", "2"]);
    let said = text(&output.stderr);
    assert!(
        said.contains("actions, as the boards show: 0 is up, 1 is right, 3 is left"),
        "{said}"
    );
    assert!(
        said.contains("the file states no new tiles (its boards show them), no score (it counts from 0) and no seed")
    );
    assert!(text(&output.stdout).contains("\n1 left 2 r1c1\n2 right 2 r2c1\n"));
    refused(
        &["import", &file, "--game", "3"],
        2,
        &["--game 3: this file holds 2 games"],
    );
    refused(
        &["import", &file],
        2,
        &["this file holds 2 games: choose one with --game, or write all with --out DIR"],
    );
    refused(
        &["review", &file],
        1,
        &["moves.csv: this file holds 2 games"],
    );
    assert!(done(&["check", &file]).contains("2 games (a game of a data set in CSV), 3 moves"));

    let out = path(&folder, "games");
    assert_eq!(
        afterstate(&["import", &file, "--out", &out]).status.code(),
        Some(0)
    );
    for (game, moves) in [(1, "1 move"), (2, "2 moves")] {
        assert!(done(&["check", &format!("{out}/moves.csv.{game}.game.txt")]).contains(moves));
    }
    let lines = text(&afterstate(&["import", &file, "--format", "json"]).stdout);
    assert_eq!(lines.lines().count(), 2);
    refused(
        &["import", &path(&folder, "wrong.csv")],
        1,
        &["wrong.csv: line 2: the action is left, but the move from"],
    );
    for command in ["import", "check", "review"] {
        refused(
            &[command, &path(&folder, "a.json")],
            1,
            &["this is JSON, but not a file of Afterstate"],
        );
    }
}

#[test]
fn export_refuses_what_is_no_table_and_says_how_to_name_one() {
    // The second file is in UTF-16 without a byte order mark.
    let wide: Vec<u8> = "2,2/0,0\n4,0/2,0\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let folder = in_folder(&[
        ("game.txt", b"2,2/0,0\n4,0/2,0\n"),
        ("wide.txt", &wide[..]),
        ("a.json", b"{\"a\": 1}\n"),
    ]);
    let [game, to] = [path(&folder, "game.txt"), path(&folder, "moves.csv")];
    for game in [path(&folder, "wide.txt"), game.clone()] {
        let output = afterstate(&["export", &game, "--out", &to]);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), format!("{to}: 1 row\n"))
        );
    }
    let table = fs::read_to_string(&to).expect("a table");
    assert!(
        table.starts_with("run,strategy,seed,game,move,board,score,action,reward,"),
        "{table}"
    );
    assert!(
        table.ends_with("\ngame.txt,,,0,1,\"2,2/0,0\",0,left,4,,,,,2,r2c1\n"),
        "{table}"
    );
    assert!(done(&["export", "--columns"]).contains("spawn_cell"));

    refused(
        &["export", &game, "--out", &path(&folder, "a.xlsx")],
        2,
        &["end the name of a table in .parquet, .csv or .jsonl"],
    );
    refused(
        &["export", &game, "--out", &path(&folder, "a.npy")],
        2,
        &[".parquet, .csv or .jsonl"],
    );
    refused(
        &["export", &game, "--out", &to, "--games", "0..1"],
        2,
        &["--games and --strategy select games of a run"],
    );
    refused(
        &["export", &game, "--out", &to, "--values"],
        1,
        &["--values: "],
    );
    let table = path(&folder, "no.solved");
    refused(
        &["export", &table, "--out", &to, "--values"],
        2,
        &["--values computes values of moves"],
    );
    refused(
        &["export", &path(&folder, "a.json"), "--out", &to],
        1,
        &["this is JSON, but not a file of Afterstate"],
    );
    refused(
        &["export", &path(&folder, "no.txt"), "--out", &to],
        1,
        &["no.txt: there is no such file"],
    );
}

#[test]
fn strategies_lists_compositions() {
    assert_eq!(
        json(&["strategies", "--format", "json"])
            .as_array()
            .map(Vec::len),
        Some(65)
    );
    assert_eq!(done(&["strategies", "--letters", "emr"]).lines().count(), 5);
    refused(&["strategies", "--letters", "em"], 2, &["r"]);
    refused(&["strategies", "--letters", "eemr"], 2, &["twice"]);
    refused(&["strategies", "--letters", "xyz"], 2, &["x"]);
}

#[test]
fn any_evaluators_are_composed_and_played_and_the_best_come_first() {
    let flags = ["--games", "40", "--threads", "1", "--format", "json"];
    let composed = ["run", "--compositions", "Snake", "e"];
    let sorted = json(&[&composed[..], &flags, &["--sort"]].concat());
    let played = json(&[&composed[..], &flags].concat());
    let entries = |run: &Value| run["entries"].as_array().expect("entries").clone();
    let names = |run: &Value| {
        entries(run)
            .iter()
            .map(|one| one["name"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&played),
        ["r", "Snake", "er", "Snake, Empty", "Empty, Snake"]
    );
    assert!(names(&sorted) != names(&played), "random play is the worst");
    let means: Vec<f64> = entries(&sorted)
        .iter()
        .map(|one| one["mean"].as_f64().expect("a mean"))
        .collect();
    assert!(means.is_sorted_by(|one, other| other <= one), "{means:?}");
    let mean = |run: &Value, name: &str| {
        entries(run)
            .iter()
            .find(|one| one["name"] == name)
            .map(|one| one["mean"].clone())
    };
    assert!(
        names(&played)
            .iter()
            .filter_map(Value::as_str)
            .all(|name| mean(&sorted, name) == mean(&played, name))
    );

    refused(
        &["run", "--compositions", "Snake", "Snake"],
        2,
        &["Snake is there twice"],
    );
    refused(
        &["run", "--compositions", "Snak"],
        2,
        &["--compositions", "Snake"],
    );
    refused(
        &["run", "sweep-solver-figure-12", "--sort"],
        2,
        &["--sort: the rows of a sweep"],
    );
}

#[test]
fn study_counts_what_the_rows_did_and_shows_what_is_odd() {
    let odd = "(criteria: [(evaluator: Empty), (evaluator: MonotoneSum), (evaluator: Empty, prefer: Lower), \
               (evaluator: Score, off: true)])";
    let study = json(&[
        "study",
        odd,
        "--seconds",
        "0.1",
        "--seed",
        "4",
        "--format",
        "json",
    ]);
    assert_eq!(
        (&study["seed"], &study["orders"], &study["against"]),
        (&"4".into(), &Value::Null, &Value::Null)
    );
    let evidence = &study["evidence"];
    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value}"));
    let rows = evidence["rows"].as_array().expect("rows");
    let decided: u64 = rows.iter().map(|row| number(&row["decided"])).sum();
    assert_eq!(
        decided + number(&evidence["last_resort"]),
        number(&evidence["decisions"])
    );
    assert_eq!(rows[0]["asked"], evidence["decisions"]);
    assert_eq!(
        (rows.len(), &rows[3]["asked"], &rows[3]["off"]),
        (4, &0.into(), &true.into())
    );

    let findings = study["findings"].as_array().expect("findings");
    let kinds: Vec<_> = findings
        .iter()
        .map(|finding| (number(&finding["row"]), &finding["kind"]))
        .collect();
    assert_eq!(
        kinds,
        [(1, &"not_symmetric".into()), (2, &"repeats".into())]
    );
    let values = findings[0]["example"]["values"]
        .as_array()
        .expect("two values");
    for (name, value) in [("board", &values[0]), ("image", &values[1])] {
        let board = findings[0]["example"][name].as_str().expect("a board");
        let evaluated = json(&[
            "evaluate",
            board,
            "--evaluator",
            "MonotoneSum",
            "--format",
            "json",
        ]);
        assert_eq!(&evaluated["values"]["MonotoneSum"], value);
    }

    let text = done(&["study", odd, "--seconds", "0.1"]);
    for words in [
        " of seed 1",
        "Score, off",
        "Random, last resort",
        "Row 3 repeats row 1",
        "\n  and ",
        "µs per decision",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn study_compares_orders_and_strategies() {
    let flags = [
        "--seconds",
        "0.2",
        "--positions",
        "300",
        "--orders",
        "--against",
        "emr",
    ];
    let study = json(&[&["study", "emur", "--format", "json"][..], &flags].concat());
    let orders = &study["orders"];
    assert_eq!(
        (&study["positions"], &orders["compared"], &orders["all"]),
        (&300.into(), &6.into(), &6.into())
    );
    assert_eq!(orders["groups"][0]["names"][0], "emur");

    let against = &study["against"];
    let apart = against["disagreements"]
        .as_array()
        .expect("positions")
        .len() as u64;
    assert_eq!(
        against["same"]["same"].as_u64().map(|same| same + apart),
        Some(300)
    );
    assert_eq!(against["same"]["n"], 300);
    let deep = |plies: u32| {
        format!("(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed({plies})))])")
    };
    let trees = [
        "--seconds",
        "0.2",
        "--positions",
        "40",
        "--trees",
        "--format",
        "json",
    ];
    let trees = json(&[&["study", &deep(1), "--against", &deep(2)][..], &trees].concat());
    for one in trees["trees"].as_array().expect("rows") {
        assert!(one["nodes"].as_f64() < one["against"].as_f64(), "{one}");
    }
    refused(
        &["study", "emr", "--trees"],
        2,
        &["--trees: no row of emr searches"],
    );

    let ties = json(&[
        "study",
        "em",
        "--seconds",
        "0.2",
        "--positions",
        "300",
        "--ties",
        "--format",
        "json",
    ]);
    let ties = ties["ties"].as_array().expect("evaluators");
    let ties_of = |name: &str| {
        ties.iter()
            .find(|one| one["evaluator"] == name)
            .unwrap_or_else(|| panic!("{name}: {ties:?}"))
    };
    // A slide and its opposite merge the same pairs, and no slide takes room away.
    assert_eq!(
        (
            &ties_of("Empty")["opposite"]["share"],
            &ties_of("Empty")["harmful"]["share"]
        ),
        (&1.0.into(), &0.0.into())
    );
    let share = |name: &str| ties_of(name)["tied"]["share"].as_f64().expect("a share");
    assert!(
        share("Snake") < share("Corner") && share("Corner") < share("MaxTile"),
        "{ties:?}"
    );
    assert_eq!(
        share("Empty"),
        1.0,
        "a move ties with its opposite, or with nothing to choose"
    );
    let text = done(&[&["study", "emur"][..], &flags].concat());
    for words in ["6 orders in", "emur and emr leave the same moves on"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let subsets = done(&["study", "emur", "--seconds", "0.1", "--subsets"]);
    assert!(subsets.contains("16 orders in"), "{subsets}");
}

#[test]
fn solve_says_what_a_small_board_is_worth_and_keeps_its_table() {
    let solved = json(&["solve", "--size", "2x3", "--format", "json"]);
    assert_eq!(
        (&solved["states"], &solved["afterstates"]),
        (&Value::from(21_752), &Value::from(14_883))
    );
    let value = solved["value"].as_f64().expect("a number");
    assert!((value - 480.2583).abs() < 1e-4, "{value}");
    let openings = solved["openings"].as_array().expect("a list");
    let weighed =
        |opening: &Value| Some(opening["probability"].as_f64()? * opening["value"].as_f64()?);
    let mean: f64 = openings.iter().filter_map(weighed).sum();
    assert!((mean - value).abs() < 1e-9, "{mean}");
    assert!(
        openings[0]["best"]
            .as_array()
            .is_some_and(|moves| !moves.is_empty())
    );

    let layers = done(&["solve", "--size", "2x2", "--format", "csv"]);
    assert!(
        layers.starts_with("sum,states,afterstates,dead\n4,"),
        "{layers}"
    );
    assert!(
        layers
            .lines()
            .last()
            .is_some_and(|last| last.starts_with("60,")),
        "no tiles of 64: {layers}"
    );
    let text = done(&["solve", "--size", "2x2", "--reach", "32"]);
    assert!(
        text.starts_with("2 × 2, 10 % fours: the probability of 32 under best play is 0.08"),
        "{text}"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = path(&folder, "small.solved");
    let output = afterstate(&["solve", "--size", "2x2", "--out", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", text_of(&output));
    assert!(
        text_of(&output).ends_with("small.solved: saved\n"),
        "{}",
        text_of(&output)
    );
    assert!(
        fs::read(&file)
            .is_ok_and(|bytes| bytes.starts_with(b"(format: \"afterstate solved table\""))
    );
}

#[test]
fn a_run_on_a_small_board_is_judged_by_what_is_exact() {
    let text = done(&[
        "run",
        "--strategy",
        "er",
        "gr",
        "--size",
        "2x2",
        "--games",
        "2000",
    ]);
    assert!(
        text.contains("exact") && text.contains("of the exact number"),
        "{text}"
    );
    let row = |start: &str| {
        text.lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_default()
            .to_owned()
    };
    assert!(row("er        mean").ends_with("compatible"), "{text}");
    assert!(
        text.lines()
            .filter(|line| line.ends_with("compatible"))
            .count()
            >= 6,
        "{text}"
    );
    assert!(!text.contains(" differs\n"), "{text}");
    assert!(
        text.contains("Best play is worth exactly 66.96 points; shares of that: er 3"),
        "{text}"
    );
    let large = done(&["run", "--strategy", "er", "--games", "20"]);
    assert!(!large.contains("exact number"), "{large}");
}

#[test]
fn a_solved_table_is_an_evaluator_by_its_name() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let call = |args: &[&str]| {
        let mut command = program();
        let command = command
            .args(args)
            .env("XDG_CONFIG_HOME", config.path())
            .env("XDG_DATA_HOME", config.path());
        command.output().expect("the program ends")
    };
    let row = "(criteria: [(evaluator: Solved(\"small\"))])";
    let missing = call(&["play", "--size", "2x2", "--strategy", row]);
    assert_eq!(missing.status.code(), Some(2), "{}", text_of(&missing));
    assert!(
        text_of(&missing)
            .contains("there is no solved table \"small\": make it with afterstate solve"),
        "{}",
        text_of(&missing)
    );
    assert_eq!(
        call(&["solve", "--size", "2x2", "--out", "small"])
            .status
            .code(),
        Some(0)
    );
    assert!(
        config
            .path()
            .join("afterstate/solved/small.solved")
            .exists()
    );
    assert_eq!(
        call(&["play", "--size", "2x2", "--strategy", row])
            .status
            .code(),
        Some(0)
    );

    let found = call(&[
        "solve",
        "--size",
        "2x2",
        "--strategy",
        row,
        "--format",
        "json",
    ]);
    let found: Value = serde_json::from_slice(&found.stdout).expect("JSON");
    let (mean, best) = (found["entries"][0]["mean"].as_f64(), found["best"].as_f64());
    assert!(
        (mean.expect("a number") - best.expect("a number")).abs() < 1e-4,
        "{found}"
    );
    let other = call(&["play", "--strategy", row]);
    assert!(
        text_of(&other).contains("is a table of 2x2 boards, not 4x4 boards"),
        "{}",
        text_of(&other)
    );

    let file = config.path().join("afterstate/solved/small.solved");
    let sound = call(&["check", file.to_str().expect("UTF-8")]);
    let what = "solved table of 2x2 boards, the expected score, 10 % fours, 67 afterstates\n";
    assert!(
        text(&sound.stdout).ends_with(what),
        "{}",
        text(&sound.stdout)
    );
    let worth = call(&[
        "evaluate",
        "2,2/0,0",
        "--score",
        "8",
        "--evaluator",
        "Solved(\"small\")",
    ]);
    assert_eq!(worth.status.code(), Some(0), "{}", text_of(&worth));
}

#[test]
fn a_table_of_another_chance_of_a_4_is_refused_with_the_command_that_makes_one() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let call = |args: &[&str]| {
        let mut command = program();
        let command = command
            .args(args)
            .env("XDG_CONFIG_HOME", config.path())
            .env("XDG_DATA_HOME", config.path());
        command.output().expect("the program ends")
    };
    assert_eq!(
        call(&["solve", "--size", "2x2", "--out", "small"])
            .status
            .code(),
        Some(0)
    );

    let row = "(criteria: [(evaluator: Sum([(2.0, Solved(\"small\"))]))])";
    let playout = "(criteria: [(evaluator: Score, lookahead: MonteCarlo(playouts: 5, policy: \
        Strategy(\"(criteria: [(evaluator: Solved(\\\"small\\\"))])\")))])";
    let searching = row.replace("]))]", "]), lookahead: Expectimax(plies: Fixed(3)))]");
    let other = "(criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(3)))])";
    let preset = path(&config, "preset.ron");
    let content = format!(
        "(version: 1, title: \"T\", seed: 3, games: 5, rules: (size: \"2x2\", p4: 0.5), strategies: [(strategy: {row})])"
    );
    fs::write(&preset, content).expect("writable");
    for strategy in [row, playout] {
        assert_eq!(
            call(&["play", "--size", "2x2", "--strategy", strategy])
                .status
                .code(),
            Some(0),
            "{strategy}"
        );
    }
    for args in [
        vec!["play", "--size", "2x2", "--p4", "0.5", "--strategy", row],
        vec![
            "play",
            "--size",
            "2x2",
            "--p4",
            "0.5",
            "--strategy",
            playout,
        ],
        vec![
            "run",
            "--size",
            "2x2",
            "--p4",
            "0.5",
            "--strategy",
            row,
            "--games",
            "5",
        ],
        vec!["run", &preset],
        vec!["check", &preset],
        vec!["analyze", "2,2/0,0", "--p4", "0.5", "--strategy", row],
        vec![
            "analyze",
            "2,2/0,0",
            "--p4",
            "0.5",
            "--strategy",
            &searching,
            "--leaves",
        ],
        vec![
            "analyze",
            "2,2/0,0",
            "--p4",
            "0.5",
            "--strategy",
            other,
            "--beside",
            &searching,
            "--plies",
        ],
        vec!["solve", "--size", "2x2", "--p4", "0.5", "--strategy", row],
    ] {
        let output = call(&args);
        let printed = text_of(&output) + &text(&output.stdout);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{args:?}: {printed}"
        );
        let sentence = "Solved(\"small\") is a table for games with 10 % fours, but these games \
            have 50 % fours: make one with afterstate solve --size 2x2 --p4 0.5 --out 2x2-0.5";
        assert!(printed.contains(sentence), "{args:?}: {printed}");
    }

    let game = call(&["play", "--size", "2x2", "--p4", "0.5", "--strategy", "er"]);
    let file = path(&config, "game.txt");
    fs::write(&file, &game.stdout).expect("writable");
    let unjudged = call(&["review", &file]);
    assert!(
        text_of(&unjudged).contains("(afterstate solve --size 2x2 --p4 0.5 --out 2x2-0.5)"),
        "{}",
        text_of(&unjudged)
    );

    // The suggested command works.
    assert_eq!(
        call(&["solve", "--size", "2x2", "--p4", "0.5", "--out", "2x2-0.5"])
            .status
            .code(),
        Some(0)
    );
    let own = row.replace("small", "2x2-0.5");
    assert_eq!(
        call(&["play", "--size", "2x2", "--p4", "0.5", "--strategy", &own])
            .status
            .code(),
        Some(0)
    );
    let judged = call(&["review", &file]);
    assert_eq!(judged.status.code(), Some(0), "{}", text_of(&judged));
}

#[test]
fn a_network_is_trained_goes_on_and_plays_as_if_it_had_never_stopped() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let call = |args: &[&str]| {
        let mut command = program();
        let command = command
            .args(args)
            .env("XDG_CONFIG_HOME", config.path())
            .env("XDG_DATA_HOME", config.path());
        command.output().expect("the program ends")
    };
    let done = |args: &[&str]| {
        let output = call(args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text_of(&output)
        );
        text(&output.stdout)
    };
    let train = [
        "train",
        "--network",
        "5x4patt",
        "--seed",
        "3",
        "--threads",
        "1",
        "--every",
        "50",
    ];
    let train_with = |rest: &[&'static str]| [&train[..], rest].concat();
    let curve = done(&train_with(&[
        "--games", "400", "--tests", "5", "--format", "json", "--out", "whole",
    ]));
    let curve: Value = serde_json::from_str(&curve).expect("JSON");
    assert_eq!(curve["curve"].as_array().map(Vec::len), Some(8), "{curve}");
    done(&train_with(&[
        "--games", "100", "--tests", "5", "--out", "parts",
    ]));
    done(&["train", "parts", "--games", "400", "--threads", "1"]);
    let rates = [
        "--games",
        "100",
        "--schedule",
        "50:0.5,80:0.1",
        "--format",
        "json",
        "--out",
        "rates",
    ];
    let rates: Value = serde_json::from_str(&done(&train_with(&rates))).expect("JSON");
    let schedule = &rates["manifest"]["training"]["schedule"];
    assert_eq!(
        *schedule,
        serde_json::json!([[50, 0.5], [80, 0.1]]),
        "{rates}"
    );

    // The same command with more time continues.
    let timed = |minutes: &'static str| {
        let printed = done(&train_with(&[
            "--games",
            "10000000",
            "--minutes",
            minutes,
            "--out",
            "timed",
            "--format",
            "json",
        ]));
        let report: Value = serde_json::from_str(&printed).expect("JSON");
        report["curve"]
            .as_array()
            .and_then(|curve| curve.last()?["games"].as_u64())
            .expect("games")
    };
    assert!(timed("0.005") < timed("0.02"));

    // The same weights decide the same games.
    let game = |name: &str| {
        let row = format!("(criteria: [(evaluator: Network(\"{name}\"))], last_resort: First)");
        let game: Value =
            serde_json::from_str(&done(&["play", "--strategy", &row, "--format", "json"]))
                .expect("JSON");
        (game["score"].clone(), game["moves"].clone())
    };
    assert_eq!(game("whole"), game("parts"));
    assert!(
        500 < game("whole").0.as_u64().expect("a score"),
        "{:?}",
        game("whole")
    );
    let listed = done(&["networks"]);
    assert!(
        ["whole", "parts", "reference"]
            .iter()
            .all(|name| listed.contains(name)),
        "{listed}"
    );
    let file = config.path().join("afterstate/networks/whole.net");
    let sound = done(&["check", file.to_str().expect("UTF-8")]);
    assert!(
        sound.contains("5x4patt") && sound.contains("400 games"),
        "{sound}"
    );
    let preset = done(&["check", "presets/trainings/train-4x5.ron"]);
    assert!(
        preset.contains("training ") && preset.contains("of 4x5patt, "),
        "{preset}"
    );

    // A smaller copy is smaller, and plays.
    let small = config.path().join("afterstate/networks/small.net");
    done(&[
        "networks",
        "whole",
        "--small",
        small.to_str().expect("UTF-8"),
        "--bytes",
        "20000",
    ]);
    assert!(
        fs::metadata(&small).expect("a file").len() < fs::metadata(&file).expect("a file").len()
    );
    assert!(0 < game("small").0.as_u64().expect("a score"));

    // To the layout of another program and back.
    let weights = config.path().join("whole.w");
    let weights = weights.to_str().expect("UTF-8");
    done(&["networks", "whole", "--export", weights]);
    done(&["networks", "--import", weights, "--out", "back"]);
    assert_eq!(game("back"), game("whole"));
    let bytes = fs::read(&file).expect("a file");
    let torn = config.path().join("torn.net");
    fs::write(&torn, &bytes[..bytes.len() / 2]).expect("writable");
    for args in [
        train_with(&["--rule", "td", "--games", "400", "--out", "whole"]),
        train_with(&["--games", "0", "--out", "none"]),
        train_with(&["--games", "10"]),
        train_with(&["--schedule", "50-0.5", "--out", "none"]),
        train_with(&["--schedule", "80:0.1,50:0.5", "--out", "none"]),
        vec!["train", "whole", "--schedule", "500:0.1"],
        vec!["train", "--network", "01z3", "--out", "none"],
        vec![
            "play",
            "--strategy",
            "(criteria: [(evaluator: Network(\"none\"))])",
        ],
        vec!["check", torn.to_str().expect("UTF-8")],
        vec![
            "networks",
            "--import",
            torn.to_str().expect("UTF-8"),
            "--out",
            "none",
        ],
        vec!["networks", "--import", weights, "--out", "whole"],
        vec!["networks", "none", "--export", weights],
    ] {
        let refused = call(&args);
        assert!(
            refused.status.code().is_some_and(|code| 0 < code),
            "{args:?}: {}",
            text_of(&refused)
        );
        assert!(
            !text_of(&refused).contains("panicked"),
            "{args:?}: {}",
            text_of(&refused)
        );
    }
}

#[test]
fn an_unreadable_network_is_named_with_the_reason_and_the_others_are_listed() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let folder = config.path().join("afterstate/networks");
    fs::create_dir_all(&folder).expect("writable");
    fs::write(folder.join("notes.net"), "bought in May\n").expect("writable");
    for format in ["text", "json"] {
        let mut command = program();
        let command = command
            .args(["networks", "--format", format])
            .env("XDG_CONFIG_HOME", config.path());
        let output = command.output().expect("the program ends");
        let (listed, note) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{note}");
        assert!(
            listed.contains("reference") && !listed.contains("notes"),
            "{listed}"
        );
        assert!(
            note.starts_with("note: network \"notes\": ") && note.lines().count() == 1,
            "{note}"
        );
        assert!(
            note.contains("notes.net: this is not a network; "),
            "{note}"
        );
    }
}

#[test]
fn a_process_is_learnt_and_played_by_its_name() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let call = |args: &[&str]| {
        let mut command = program();
        let command = command
            .args(args)
            .env("XDG_CONFIG_HOME", config.path())
            .env("XDG_DATA_HOME", config.path());
        command.output().expect("the program ends")
    };
    let row = "(criteria: [(evaluator: Policy(\"small\"))])";
    let missing = call(&["play", "--strategy", row]);
    assert_eq!(missing.status.code(), Some(2), "{}", text_of(&missing));
    assert!(
        text_of(&missing).contains("make it with afterstate process --out small"),
        "{}",
        text_of(&missing)
    );
    let learn = ["process", "--games", "50", "--p4", "0.2"];
    let learnt = call(&[&learn[..], &["--out", "small"]].concat());
    assert_eq!(learnt.status.code(), Some(0), "{}", text_of(&learnt));
    let said = text(&learnt.stdout);
    assert!(
        said.starts_with("50 games of random play, ") && said.contains(" of 34,560 states seen"),
        "{said}"
    );
    assert!(
        said.contains("converged in ") && said.contains("possible merges and empty cells (across)"),
        "{said}"
    );

    // Saved or described, the games are the same.
    let play = |row: &str| call(&["play", "--p4", "0.2", "--strategy", row]);
    let by_name = play(row);
    assert_eq!(by_name.status.code(), Some(0), "{}", text_of(&by_name));
    let moves = |output: &Output| {
        text(&output.stdout)
            .lines()
            .filter(|line| !line.contains("Policy"))
            .count()
    };
    let described = play("(criteria: [(evaluator: Policy(games: 50, p4: 0.2))])");
    assert_eq!(moves(&by_name), moves(&described));
    let file = config.path().join("afterstate/processes/small.process");
    let sound = call(&["check", file.to_str().expect("UTF-8")]);
    let what = text(&sound.stdout);
    assert!(
        what.contains("value iteration over 50 games, 20 % fours by random play, "),
        "{what}"
    );

    let numbers = call(&[&learn[..], &["--threads", "3", "--format", "json"]].concat());
    let numbers: Value = serde_json::from_slice(&numbers.stdout).expect("JSON");
    let seen = numbers["seen"].as_u64().expect("a count");
    assert!(
        numbers["converged"] == true && numbers["states"] == 34560,
        "{numbers}"
    );
    let states = call(&[&learn[..], &["--threads", "1", "--format", "csv"]].concat());
    assert_eq!(
        text(&states.stdout).lines().count() as u64,
        seen + 1,
        "a row a state below the titles"
    );
    let taught = call(
        &[
            &learn[..],
            &["--play", "emr", "--rounds", "2", "--format", "json"],
        ]
        .concat(),
    );
    let taught: Value = serde_json::from_slice(&taught.stdout).expect("JSON");
    assert_eq!(
        (taught["play"].as_str(), taught["rounds"].as_u64()),
        (Some("emr"), Some(2))
    );

    for (args, words) in [
        (["--ends", "-1"], "not a count"),
        (["--discount", "0"], "not possible"),
        (["--out", ".x"], "cannot name a value iteration"),
    ] {
        let wrong = call(&[&learn[..], &args].concat());
        assert_eq!(wrong.status.code(), Some(2), "{}", text_of(&wrong));
        assert!(text_of(&wrong).contains(words), "{}", text_of(&wrong));
    }
}

fn text_of(output: &Output) -> String {
    text(&output.stderr)
}

#[test]
fn solve_says_what_strategies_earn_without_a_game() {
    let args = [
        "solve",
        "--size",
        "2x2",
        "--strategy",
        "er",
        "--strategy",
        "r",
        "--format",
        "json",
    ];
    let found = json(&args);
    let entries = found["entries"].as_array().expect("a list");
    let mean = |entry: &Value| entry["mean"].as_f64().expect("a number");
    let best = found["best"].as_f64().expect("a number");
    assert!(
        mean(&entries[1]) < mean(&entries[0]) && mean(&entries[0]) < best,
        "{found}"
    );

    let played = json(&[
        "run",
        "--strategy",
        "er",
        "--size",
        "2x2",
        "--games",
        "2000",
        "--format",
        "json",
    ]);
    let (measured, se) = (
        played["entries"][0]["mean"].as_f64(),
        played["entries"][0]["se"].as_f64(),
    );
    let (measured, se) = (measured.expect("a number"), se.expect("a number"));
    assert!(
        (measured - mean(&entries[0])).abs() < 4.0 * se,
        "{measured} {found}"
    );
    let text = done(&["solve", "--size", "2x2", "--strategy", "er", "r"]);
    assert!(
        text.starts_with("2 × 2, 10 % fours: exact, without playing\n"),
        "{text}"
    );
    assert!(
        text.contains("The expected score under best play is 66.9641"),
        "{text}"
    );
    assert!(
        done(&[
            "solve",
            "--size",
            "2x2",
            "--strategy",
            "er",
            "--format",
            "csv"
        ])
        .starts_with("strategy,mean,sd,moves,")
    );
}

#[test]
fn check_reports_every_problem_and_keeps_quiet_about_none() {
    let folder = in_folder(&[
        ("good.ron", PRESET.as_bytes()),
        (
            "more.ron",
            PRESET.replace("seed: 3", "seed: 3, colour: Red").as_bytes(),
        ),
        (
            "bad.ron",
            PRESET
                .replace("games: 20", "games: 0, rules: (p4: 2.0)")
                .as_bytes(),
        ),
    ]);
    assert!(
        done(&["check", &path(&folder, "good.ron")])
            .contains("preset \"T\", 2 strategies × 20 games")
    );
    assert!(done(&["check", &path(&folder, "more.ron")]).contains("more.ron: colour: "));
    refused(
        &["check", &path(&folder, "bad.ron")],
        1,
        &["bad.ron: rules.p4: ", "bad.ron: games: "],
    );
    let entries = "(strategy: (criteria: [(evaluator: Empty, tolerance: -1)])),".repeat(3000);
    fs::write(
        folder.path().join("many.ron"),
        format!("(version: 1, seed: 1, games: 1, strategies: [{entries}])"),
    )
    .expect("writable");
    for command in ["check", "run"] {
        let error = text(&afterstate(&[command, &path(&folder, "many.ron")]).stderr);
        assert!(
            error.ends_with("; and 5,979 more\n") && error.len() < 5000,
            "{error}"
        );
    }

    let output = afterstate(&[
        "check",
        &path(&folder, "bad.ron"),
        &path(&folder, "good.ron"),
        &path(&folder, "none"),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 1, "the sound one");
    assert_eq!(
        text(&output.stderr).lines().count(),
        2,
        "a sentence for each of the others"
    );
}

const FORTY: &str = include_str!("../presets/positions/forty.ron");

#[test]
fn every_kind_of_file_is_told_from_the_others() {
    let record = done(&["play", "--strategy", "er"]);
    let folder = in_folder(&[
        ("letters", b"emr\n"),
        ("bare", b"Strategy(last_resort: First)"),
        (
            "named",
            b"// mine\nStrategy(name: \"my version: 2\", criteria: [(evaluator: Empty)])",
        ),
        (
            "marked",
            b"\xef\xbb\xbfStrategy(criteria: [(evaluator: Empty)])",
        ),
        (
            "three",
            b"(criteria: [(evaluator: Weights([1, 2, 3, 4, 5, 6, 7, 8, 9]))])",
        ),
        (
            "wrong",
            b"(criteria: [(evaluator: Empty, tolerance: -1.0)])",
        ),
        ("position", BOARD.as_bytes()),
        ("record", record.as_bytes()),
        ("marked-record", format!("\u{feff}{record}").as_bytes()),
        ("preset", PRESET.as_bytes()),
        ("set", FORTY.as_bytes()),
        (
            "old-mac-set",
            format!("\u{feff}{}", FORTY.replace('\n', "\r")).as_bytes(),
        ),
        (
            "windows-record",
            format!("\r\n{}", record.replace('\n', "\r\n")).as_bytes(),
        ),
        (
            "old-mac-preset",
            format!("// mine\r{}", PRESET.replace('\n', "\r")).as_bytes(),
        ),
        (
            "many-terms",
            format!(
                "(criteria: [(evaluator: Sum([{}]))])",
                "(1.0, Score),".repeat(100_000)
            )
            .as_bytes(),
        ),
        ("unknown", b"[package]"),
        (
            "broken-set",
            b"(version: 1, title: \"x\", positions: [\n(board: \"2,4/4,2\")])",
        ),
    ]);

    for (name, kind) in [
        ("letters", "strategy emr"),
        ("bare", "strategy "),
        ("named", "strategy my version: 2"),
        ("marked", "strategy er"),
        ("three", "strategy "),
        ("position", "position 2,0,0,4/"),
        ("record", "game record of "),
        ("marked-record", "game record of "),
        ("preset", "preset \"T\""),
        ("set", "set of positions \"Forty positions\", 40 positions"),
        (
            "old-mac-set",
            "set of positions \"Forty positions\", 40 positions",
        ),
        ("windows-record", "game record of "),
        ("old-mac-preset", "preset \"T\""),
    ] {
        let said = done(&["check", &path(&folder, name)]);
        assert!(said.contains(&format!("{name}: {kind}")), "{name}: {said}");
        let output = afterstate(&["play", "--strategy", &path(&folder, name)]);
        let plays = ["letters", "bare", "named", "marked"].contains(&name);
        assert_eq!(
            output.status.success(),
            plays,
            "{name}: {}",
            text(&output.stderr)
        );
    }

    fs::write(folder.path().join("no-tile"), "2,0/0,3").expect("writable");
    refused(
        &["check", &path(&folder, "no-tile")],
        1,
        &["no-tile: row 2, cell 2: \"3\" is not a tile"],
    );
    refused(
        &["check", &path(&folder, "unknown")],
        1,
        &["unknown: this is not a preset, strategy, position or game record"],
    );

    let too_many = [
        "it has 100,000 terms",
        "at most 1,000 in all: leave some out",
    ];
    refused(&["check", &path(&folder, "many-terms")], 1, &too_many);
    refused(
        &["play", "--strategy", &path(&folder, "many-terms")],
        1,
        &too_many,
    );
    if cfg!(unix) {
        for command in [
            &["check", "/dev/zero"][..],
            &["run", "/dev/zero"],
            &["play", "--strategy", "/dev/zero"],
        ] {
            refused(
                command,
                1,
                &["/dev/zero: this is a pipe or a device; name a file"],
            );
        }
    }

    refused(
        &["check", &path(&folder, "wrong")],
        1,
        &["wrong: row 1: the tolerance is -1"],
    );
    refused(
        &["check", &path(&folder, "broken-set")],
        1,
        &["broken-set: line 2, column", "the game is over"],
    );
    refused(
        &["run", &path(&folder, "set")],
        1,
        &["set: this is a set of positions: open it in the window"],
    );
    refused(
        &["play", "--strategy", &path(&folder, "set")],
        1,
        &["this is a set of positions"],
    );
    refused(
        &["run", &path(&folder, "bare")],
        1,
        &["bare: this is a strategy: give it with --strategy"],
    );
    refused(
        &["play", "--strategy", &path(&folder, "position")],
        1,
        &["this is a position"],
    );
    refused(
        &["play", "--strategy", &path(&folder, "preset")],
        1,
        &["this preset has 2 strategies"],
    );
    refused(
        &["play", "--strategy", &path(&folder, "three")],
        2,
        &["--strategy", "row 1: Weights has 9 numbers"],
    );
}

#[test]
fn what_others_wrote_cannot_move_the_cursor() {
    refused(&["run", "no\u{1b}[2Jfile.ron"], 1, &["no [2Jfile"]);
    refused(&["run", "--strategy", "\u{7}"], 2, &["\\u{7}"]);
    // Window title, clipboard and a forged line: in a title, a name, a field and a path.
    let evil = r"\u{1b}]0;owned\u{7}\u{1b}]52;c;cm0=\u{7}\u{9b}2J\nerror: none\ttab";
    let strategy = format!(
        r#"(name: "={evil}", criteria: [(evaluator: Empty), (evaluator: Empty), (evaluator: Inert)])"#
    );
    let preset = format!(
        r#"(version: 1, title: "{evil}", seed: 3, games: 2, other: 1, strategies: [
            (strategy: {strategy}, published: (mean: 1.0, games: 10, source: "{evil}")),
            (strategy: (name: "+1", criteria: [(evaluator: Empty)])),
        ])"#
    );

    let name = "p\u{1b}]0;x\u{7}\n.ron";
    let folder = in_folder(&[
        (name, preset.as_bytes()),
        ("s.ron", format!("Strategy{strategy}").as_bytes()),
    ]);
    let (preset, strategy) = (path(&folder, name), path(&folder, "s.ron"));
    let tree = path(&folder, "t\u{1b}]0;x\n.json");
    let searching = format!(
        r#"(name: "{evil}", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(3)))])"#
    );

    for args in [
        &["run", &preset][..],
        &["run", &preset, "--format", "csv"],
        &["run", &preset, "--format", "json"],
        &["run", &preset, "--format", "markdown"],
        &["run", &preset, "--stop-at", "64"],
        &["check", &preset, &strategy],
        &["analyze", BOARD, "--strategy", &strategy],
        &[
            "analyze",
            BOARD,
            "--strategy",
            &searching,
            "--tree",
            &tree,
            "--why",
        ],
        &[
            "study",
            &strategy,
            "--seconds",
            "0.1",
            "--orders",
            "--against",
            &searching,
        ],
        &["play", "--strategy", &strategy],
        &["play", "--strategy", &preset],
        &["check", "\u{9b}2J"],
    ] {
        let output = afterstate(args);
        for said in [text(&output.stdout), text(&output.stderr)] {
            let odd = said.chars().find(|&c| c.is_control() && c != '\n');
            assert_eq!(odd, None, "{args:?}: {said:?}");
            assert!(
                !said.lines().any(|line| line.starts_with("error: none")),
                "{args:?}: {said:?}"
            );
        }
    }
}

#[test]
fn every_published_claim_has_a_verdict_or_a_reason() {
    let list = json(&["texts", "--format", "json"]);
    let claims = list.as_array().expect("a list");
    for claim in claims {
        assert!(
            claim["verdict"].is_string() || claim["because"]["reason"].is_string(),
            "{claim}"
        );
        assert!(
            !claim["by"].as_array().expect("commands").is_empty(),
            "{claim}"
        );
    }
    let count = |args: &[&str]| json(args).as_array().expect("a list").len();
    let solver = claims
        .iter()
        .filter(|claim| claim["text"] == "Solver")
        .count();
    assert!(0 < solver && solver < claims.len());
    assert_eq!(count(&["texts", "solver", "--format", "json"]), solver);
    assert_eq!(
        done(&["texts"]).matches("  verdict    ").count(),
        claims.len()
    );
    refused(
        &["texts", "solvr"],
        2,
        &["\"solvr\" is not a text", "did you mean Solver?"],
    );
}

#[test]
fn a_claim_is_measured_anew_by_what_repeats_it() {
    let args = [
        "texts",
        "composition/table-1",
        "--rerun",
        "--games",
        "60",
        "--threads",
        "1",
        "--format",
        "json",
    ];
    let claim = &json(&args)[0];
    let figures = claim["figures"].as_array().expect("figures");
    let run = json(&[
        "run",
        "composition-table-1",
        "--games",
        "60",
        "--threads",
        "1",
        "--format",
        "json",
    ]);
    for (figure, entry) in figures
        .iter()
        .zip(run["entries"].as_array().expect("strategies"))
    {
        assert_eq!(
            (&figure["row"], &figure["mean"]),
            (&entry["name"], &entry["mean"])
        );
        assert_eq!(figure["games"], 60);
    }
    assert_eq!(
        (figures.len(), claim["tests"].as_array().map(Vec::len)),
        (5, Some(5))
    );

    let claim = &json(&["texts", "solver/figure-1", "--rerun", "--format", "json"])[0];
    assert_eq!(
        (&claim["verdict"], &claim["tests"][0]["measured"]),
        (&"compatible".into(), &"7".into())
    );
    let reason = "nothing to measure; to repeat it: afterstate train";
    refused(&["texts", "networks/17x4", "--rerun"], 2, &[reason]);
}

#[test]
fn a_board_that_never_comes_up_is_answered_with_a_word() {
    let notice =
        |reason: &str| format!("afterstate: {reason}; the answer is for the board as given\n");
    for (args, reason) in [
        (
            &["evaluate", "64,0/0,0"][..],
            "a 2x2 board never holds 64, its largest tile is 32",
        ),
        (
            &["analyze", "64,0/0,0", "--strategy", "er"],
            "a 2x2 board never holds 64, its largest tile is 32",
        ),
        (
            &["analyze", "32,0/0,0", "--strategy", "er", "--p4", "0"],
            "a 2x2 board never holds 32, its largest tile is 16",
        ),
        (
            &[
                "evaluate",
                "262144,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2",
                "--format",
                "json",
            ],
            "a 4x4 board never holds 262144, its largest tile is 131072",
        ),
    ] {
        let output = afterstate(args);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), notice(reason)),
            "{args:?}"
        );
        assert!(text(&output.stdout).contains(&args[1][..2]), "{args:?}");
    }

    // Games that begin there say the same sentence.
    let reason =
        "a 2x2 board never holds 64, its largest tile is 32; the answer is for the board as given";
    let preset = "(version: 1, title: \"64\", rules: (size: \"2x2\", start: \"64,0/0,2\"), seed: 1, games: 2,
        tune: (over: [(setting: \"weight of Score\")], games: 2000),
        strategies: [(strategy: (name: \"s\", criteria: [(evaluator: Sum([(1.0, Score), (1.0, Empty)]))]))])";
    let started = in_folder(&[("from64.ron", preset.as_bytes())]);
    let (file, tuned) = (path(&started, "from64.ron"), path(&started, "tuned"));
    for args in [
        &["rollout", "64,0/0,2", "--strategy", "er", "--games", "2"][..],
        &["run", &file],
        &["estimate", &file],
        &["tune", &file, "--out", &tuned],
    ] {
        let said = text(&afterstate(args).stderr);
        assert_eq!(said.matches(reason).count(), 1, "{args:?}: {said}");
    }
    assert!(done(&["check", &file]).contains(&format!("warning: rules.start: {reason}")));

    let output = with_input(
        &["analyze", "-", "--strategy", "er"],
        "2,0/0,2\n32,32/0,0\n",
    );
    let reason = "standard input: line 2: a 2x2 board never holds 2 tiles of 32 or more";
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), notice(reason))
    );

    let folder = in_folder(&[("odd", b"64,0/0,0")]);
    assert!(
        done(&["check", &path(&folder, "odd")])
            .contains("odd: warning: a 2x2 board never holds 64")
    );
    assert_eq!(text(&afterstate(&["evaluate", "32,16/8,4"]).stderr), "");
}

#[cfg(target_os = "linux")]
#[test]
fn games_that_memory_does_not_hold_are_refused() {
    let script = "ulimit -v 400000; exec \"$0\" run --strategy r er mr gr ur emr --games 10000000 --threads 1";
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script, env!("CARGO_BIN_EXE_afterstate")])
        .env("XDG_DATA_HOME", data("home"));
    let output = shell.output().expect("sh");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let reason = "10,000,000 games per strategy (strategies: 6) need 457.8 MiB of memory, which is not available";
    assert!(
        said.lines()
            .last()
            .is_some_and(|line| line.contains(reason)),
        "{said}"
    );
}

#[cfg(all(target_os = "linux", feature = "gui"))]
#[test]
fn a_window_that_memory_does_not_hold_is_refused() {
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "ulimit -v 700000; exec \"$0\"",
        env!("CARGO_BIN_EXE_afterstate"),
    ]);
    let output = shell
        .env("XDG_CONFIG_HOME", data("home"))
        .output()
        .expect("sh");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let reason = "The window cannot be opened: it needs 950 MB of address space, and ";
    assert!(
        said.lines().count() == 1 && said.contains(reason) && said.contains("ulimit -v unlimited"),
        "{said}"
    );
}

#[test]
fn no_cell_of_a_csv_is_a_formula() {
    let preset = PRESET
        .replace("\"er\"", "\"=er\"")
        .replace("\"r\"", "\"-1\"");
    let folder = in_folder(&[("p.ron", preset.as_bytes())]);
    let (file, out) = (path(&folder, "p.ron"), path(&folder, "out"));
    let summary = done(&["run", &file, "--format", "csv", "--out", &out]);
    let names: Vec<&str> = summary
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(names, ["'=er", "-1"], "{summary}");
    assert!(
        summary.contains(",-"),
        "a negative number stays one: {summary}"
    );
    let games = fs::read_to_string(folder.path().join("out/games.csv")).expect("a file");
    assert!(
        games
            .lines()
            .nth(1)
            .is_some_and(|line| line.starts_with("'=er,0,")),
        "{games}"
    );
}

#[test]
fn a_picture_that_cannot_be_saved_is_refused() {
    let folder = in_folder(&[("file", b"")]);
    let picture = path(&folder, "none/picture.png");
    refused(
        &["--screenshot", &picture],
        1,
        &["picture.png: cannot be written (No such file or directory)"],
    );
    refused(
        &["--screenshot", folder.path().to_str().expect("UTF-8")],
        1,
        &["cannot be written"],
    );
}

#[test]
fn bench_measures_the_suites_it_is_asked_for() {
    let suites = json(&["bench", "emr_games", "alpha_beta_4", "--format", "json"]);
    let suites = suites["suites"].as_array().expect("suites");
    let names: Vec<_> = suites
        .iter()
        .filter_map(|suite| suite["name"].as_str())
        .collect();
    assert_eq!(names, ["emr_games", "alpha_beta_4"]);
    for suite in suites {
        let number = |field: &str| suite[field].as_f64().expect("a number");
        let is_rate = |rate: &str, count: &str| {
            (number(rate) * number("cpu_seconds") / number(count) - 1.0).abs() < 1e-9
        };
        assert!(is_rate("per_second", "count") && is_rate("decisions_per_second", "decisions"));
        assert_eq!(suite["unit"], "games");
        assert_eq!(0.0 < number("nodes"), suite["name"] == "alpha_beta_4");
    }
    let names = [
        "random_games",
        "expectimax_3",
        "expectimax_5",
        "expectimax_7",
        "xiao",
        "snake_4",
    ];
    refused(&["bench", "expectimax_4"], 2, &names);
}

#[test]
fn a_growing_tree_has_visits_and_means_and_no_error() {
    let board = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128";
    let strategy = |lookahead: &str| {
        format!("Strategy(criteria: [(evaluator: Score, lookahead: {lookahead})])")
    };
    for (lookahead, has_errors) in [
        ("Mcts(playouts: 200)", false),
        ("MonteCarlo(playouts: 50)", true),
    ] {
        let args = ["analyze", "--strategy", &strategy(lookahead), board];
        let text = done(&args);
        assert_eq!(text.contains('±'), has_errors, "{text}");
        let decision = json(&[&args[..], &["--format", "json"]].concat());
        let moves = decision["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .filter(|entry| entry["legal"] == true);
        for sample in moves.map(|entry| &entry["samples"][0]) {
            assert!(
                sample["count"].as_u64() > Some(0) && sample["mean"].is_number(),
                "{sample}"
            );
            assert_eq!(sample["standard_error"].is_number(), has_errors, "{sample}");
        }
    }

    // It is never sure, so files with this setting are refused with place and remedy.
    let sure = strategy("Mcts(playouts: 200, sure_by: 2)");
    refused(
        &["analyze", "--strategy", &sure, board],
        2,
        &["row 1: Mcts cannot use sure_by", "leave it out"],
    );
    let preset = format!(
        "(version: 1, seed: 3, games: 2, strategies: [(strategy: {})])",
        &sure["Strategy".len()..]
    );
    let folder = in_folder(&[("p.ron", preset.as_bytes())]);
    let file = path(&folder, "p.ron");
    refused(
        &["run", &file],
        1,
        &["p.ron: strategies[0].strategy.criteria[0].lookahead: Mcts cannot use sure_by"],
    );
}

#[test]
fn wrong_usage_is_one_sentence_and_exit_code_two() {
    for (args, words) in [
        (&["run"][..], &["--strategy"][..]),
        (
            &["run", "quick-start", "--strategy", "er"],
            &["cannot be used with"],
        ),
        (&["run", "quick-start", "--games", "0"], &["--games"]),
        (
            &["run", "quick-start", "--games", "99999999999"],
            &["--games"],
        ),
        (
            &["run", "quick-start", "--games", "many"],
            &["--games", "many"],
        ),
        (&["run", "quick-start", "--threads", "0"], &["--threads"]),
        (
            &["run", "quick-start", "--games", "-1"],
            &["--games", "from 1 to 10000000"],
        ),
        (
            &["run", "quick-start", "--seed", "-1"],
            &["--seed", "from 0 to 18446744073709551615"],
        ),
        (
            &["run", "quick-start", "--seed", "18446744073709551616"],
            &["--seed"],
        ),
        (
            &["analyze", BOARD, "--strategy", "er", "--score", "-1"],
            &["--score", "whole number"],
        ),
        (
            &["analyze", BOARD, "--strategy", "er", "--p4", "-0.1"],
            &["--p4", "from 0 to 1"],
        ),
        (
            &["analyze", BOARD, "--strategy", "er", "--p4", "nan"],
            &["--p4", "from 0 to 1"],
        ),
        (
            &["evaluate", BOARD, "--evaluator", "nope.ron"],
            &["--evaluator", "\"nope.ron\" is not a name"],
        ),
        (&["run", "quick-start", "--format", "yaml"], &["yaml"]),
        (
            &["solve", "--size", "3x4"],
            &["--size 3x4: a 3x4 board is too large to be solved: the largest is 3x3"],
        ),
        (
            &["solve", "--size", "4x4", "--strategy", "er"],
            &["--size 4x4: a 4x4 board is too large"],
        ),
        (
            &["solve", "--size", "2x2", "--reach", "64"],
            &["--reach: a 2x2 board never holds 64"],
        ),
        (
            &["solve", "--size", "2x2", "--p4", "2"],
            &["--p4", "from 0 to 1"],
        ),
        (
            &["solve", "--size", "2x2", "--out", ".hidden"],
            &["--out: \".hidden\" cannot name a solved table"],
        ),
        (
            &["solve", "--size", "2x2", "--strategy", TIMED],
            &["--strategy", "row 1: it has a time limit"],
        ),
        (
            &["solve", "--size", "2x2", "--strategy", "er", "--out", "x"],
            &["cannot be used with"],
        ),
        (
            &["rnu", "quick-start", "--games", "10"],
            &["rnu is neither a command nor a file: did you mean run?"],
        ),
        (
            &["strategies", "--letters", "mrugex"],
            &["letter 6 of \"mrugex\" is \"x\""],
        ),
        (
            &["strategies", "--letters", "ererg"],
            &["\"ererg\" has the letter e twice"],
        ),
        (
            &[
                "study",
                "em",
                "--seconds",
                "9000",
                "--against",
                "r",
                "--score",
            ],
            &["--score"],
        ),
        (
            &["study", TIMED, "--seconds", "9000", "--orders"],
            &["--orders: row 1 has a time limit"],
        ),
        (
            &["study", TIMED, "--seconds", "9000", "--subsets"],
            &["--orders: row 1 has a time limit"],
        ),
        (&["study", "emx"], &["STRATEGY", "letter 3"]),
        (&["study", "emr", "--against", "rr"], &["--against", "r"]),
        (
            &["study", "emr", "--seconds", "0"],
            &["--seconds", "from 0.01 to 86400"],
        ),
        (
            &["study", "emr", "--positions", "0"],
            &["--positions", "from 1 to 1000000"],
        ),
        (
            &["study", "(criteria: [(evaluator: Weights([1.0]))])"],
            &["STRATEGY", "row 1", "Weights has 1 number"],
        ),
        (
            &["run", "--strategy", "er", "--strategy", "er"],
            &["two strategies are called er"],
        ),
        (&["run", "--strategy", "err"], &["--strategy", "r"]),
        (&["run", "--strategy", "rr"], &["--strategy", "r"]),
        (&["run", "--strategy", "eem"], &["--strategy", "twice"]),
        (&["run", "--strategy", "em r"], &["--strategy"]),
        (&["run", "--strategy", ""], &["--strategy"]),
        (
            &[
                "run",
                "--strategy",
                "Strategy(criteria: [(evaluator: Emty)])",
            ],
            &["line 1, column", "Emty"],
        ),
        (
            &[
                "run",
                "--strategy",
                "Strategy(criteria: [(evaluator: Empty, tolerance: -1.0)])",
            ],
            &["tolerance"],
        ),
        (
            &["run", "--strategy", "Strategy(criteria: [("],
            &["line 1, column"],
        ),
        (&["analyze"], &["<BOARD>"]),
        (&["analyze", BOARD], &["--strategy"]),
        (&["analyze", "", "--strategy", "er"], &["board"]),
        (
            &[
                "analyze",
                "2,0,0,4/0,8/0,0,0,0/0,0,16,2",
                "--strategy",
                "er",
            ],
            &["row 2 has 2 cells"],
        ),
        (
            &[
                "analyze",
                "2,0,0,5/0,8,0,0/0,0,0,0/0,0,16,2",
                "--strategy",
                "er",
            ],
            &["row 1, cell 4", "\"5\" is not a tile"],
        ),
        (&["analyze", "12345", "--strategy", "er"], &["12345"]),
        (&["analyze", "-2", "--strategy", "er"], &["-2"]),
        (
            &["analyze", BOARD, "--strategy", "er", "--score", "-3"],
            &["-3"],
        ),
        (
            &["analyze", BOARD, "--strategy", "er", "--p4", "1.5"],
            &["--p4", "from 0 to 1"],
        ),
        (
            &["analyze", BOARD, "--strategy", "er", "--p4", "NaN"],
            &["--p4"],
        ),
        (
            &[
                "analyze",
                "2,4/4,2",
                "--strategy",
                "Strategy(criteria: [(evaluator: Weights(\"a\"))])",
            ],
            &["16 numbers", "2x2"],
        ),
        (
            &["evaluate", BOARD, "--evaluator", "Snek"],
            &["there is no \"Snek\": did you mean Snake? Known are Score, Empty,"],
        ),
        (
            &["evaluate", BOARD, "--evaluator", "Lines(emty: 1)"],
            &["there is no field \"emty\": did you mean empty?"],
        ),
        (
            &["evaluate", BOARD, "--evaluator", "Lines(sum: NaN)"],
            &["the sum of Lines is NaN, but it must be a finite number"],
        ),
        (
            &["evaluate", BOARD, "--evaluator", "Product(Score)"],
            &["1 value in these brackets"],
        ),
        (
            &[
                "evaluate",
                BOARD,
                "--evaluator",
                "Product(Score, Weights([1]))",
            ],
            &["Weights has 1 number, but a 4x4 board"],
        ),
        (
            &["evaluate", BOARD, "--evaluator", "Weights([1.0])"],
            &["--evaluator"],
        ),
        (&["play"], &["--strategy"]),
        (&["play", "--strategy", "er", "--seed", "x"], &["--seed"]),
        (&["check"], &["<FILE>"]),
        (&["--size", "big"], &["--size", "1280x800"]),
        (&["--theme", "pink"], &["--theme", "pink"]),
        (
            &["--theme", "dark", "run", "quick-start"],
            &["run is a command"],
        ),
        (&["--no-such-flag"], &["--no-such-flag"]),
        (
            &["run", "quick-start", "--no-such-flag"],
            &["--no-such-flag"],
        ),
    ] {
        refused(args, 2, words);
    }
}

#[test]
fn every_shipped_preset_is_listed_and_checked_under_its_name() {
    let list = done(&["run", "--list"]);
    let mut names: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let files = fs::read_dir("presets")
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path());
    let files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .collect();
    let mut stems: Vec<&str> = files
        .iter()
        .filter_map(|path| path.file_stem()?.to_str())
        .collect();
    names.sort_unstable();
    stems.sort_unstable();
    assert_eq!(names, stems);
    refused(
        &["run", "composition-table-12"],
        2,
        &["did you mean composition-table-1?", "run --list"],
    );
    refused(&["run"], 2, &["run --list"]);
}

#[test]
fn bad_files_are_one_sentence_and_exit_code_one() {
    let whole = fs::read("presets/composition-table-1.ron").expect("a shipped preset");
    let huge = vec![b' '; 10 << 20];
    let mut garbage: Vec<u8> = (0..5000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    garbage[0] = 0xff;
    let files: [(&str, &[u8], &str); 9] = [
        ("truncated.ron", &whole[..whole.len() / 2], "line "),
        ("huge.ron", &huge, "larger than 8 MiB"),
        ("garbage.ron", &garbage, "not a text file"),
        ("newer.ron", b"(version: 2, everything: New(1), strategies: Other)", "update afterstate"),
        ("zero.ron", b"(version: 1, seed: 1, games: 0, strategies: [(strategy: ())])", "games: 0 games"),
        ("none.ron", b"(version: 1, seed: 1, games: 1, strategies: [])", "strategies: there is no strategy"),
        ("twice.ron", b"(version: 1, seed: 1, games: 1, strategies: [(strategy: (name: \"a\")), (strategy: (name: \"a\"))])", "strategies[1].strategy.name"),
        ("tolerance.ron", b"(version: 1, seed: 1, games: 1, strategies: [(strategy: (criteria: [(evaluator: Empty, tolerance: NaN)]))])", "strategies[0].strategy.criteria[0].tolerance"),
        ("size.ron", b"(version: 1, rules: (size: \"1x9\"), seed: 1, games: 1, strategies: [(strategy: ())])", "rules.size"),
    ];

    let folder = in_folder(&files.map(|(name, bytes, _)| (name, bytes)));
    for (name, _, words) in files {
        let file = path(&folder, name);
        for args in [&["run", &file][..], &["check", &file]] {
            refused(args, 1, &[name, words]);
        }
    }

    let other = in_folder(&[
        ("empty.ron", b""),
        ("nul.ron", b"\0\0\0"),
        ("some.toml", b"[package]\nname = \"a (b)\"\n"),
    ]);
    for name in ["empty.ron", "nul.ron", "some.toml"] {
        let is = if name == "empty.ron" {
            "this file is empty; "
        } else {
            "this is not "
        };
        refused(
            &["run", &path(&other, name)],
            1,
            &[name, is, "a preset, which begins with ("],
        );
        let kinds = if name == "empty.ron" {
            "a preset, a strategy, a position"
        } else {
            "preset, strategy, position"
        };
        refused(&["check", &path(&other, name)], 1, &[name, is, kinds]);
        refused(
            &["play", "--strategy", &path(&other, name)],
            1,
            &[name, is, "a strategy in letters such as emr"],
        );
    }

    let missing = path(&folder, "missing.ron");
    for args in [
        &["run", &missing][..],
        &["check", &missing],
        &["play", "--strategy", &missing],
        &[&missing],
    ] {
        refused(args, 1, &["missing.ron", "there is no such file"]);
    }
    refused(
        &["run", folder.path().to_str().expect("UTF-8")],
        1,
        &["this is a folder"],
    );
    refused(&["run", "no-such-preset"], 2, &["run --list"]);
    for command in ["runs", "summary", "verify"] {
        refused(
            &[command, "no-such-run"],
            2,
            &["no-such-run: there is no such run: give a folder, or a name that"],
        );
        refused(
            &[command, &missing],
            1,
            &["missing.ron: there is no such run"],
        );
        refused(
            &[command, &path(&other, "some.toml")],
            1,
            &["some.toml: this is not the folder of a run"],
        );
        refused(
            &[command, "x", "--no-such-flag"],
            2,
            &[&format!("see {command} --help")],
        );
    }
    refused(
        &["anlyze"],
        2,
        &["anlyze is neither a command nor a file: did you mean analyze?"],
    );
    refused(&["some-file"], 1, &["some-file", "see --help"]);
    refused(
        &["play", "--strategy", &path(&folder, "garbage.ron")],
        1,
        &["not a text file"],
    );
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_anything_is_played() {
    let folder = in_folder(&[("file", b"")]);
    // Ten million games would take hours.
    refused(
        &[
            "run",
            "quick-start",
            "--games",
            "10000000",
            "--out",
            &path(&folder, "file/below"),
        ],
        1,
        &["file/below", "folder"],
    );
}

#[test]
fn without_a_display_the_headless_commands_are_named() {
    refused(
        &[],
        1,
        &["every command of afterstate --help works without a window"],
    );
    let help = done(&["--help"]);
    for word in [
        "run",
        "analyze",
        "evaluate",
        "play",
        "strategies",
        "check",
        "bench",
        "--config-dir",
        "--theme",
        "--size",
        "--screenshot",
    ] {
        assert!(help.contains(word), "{word}");
    }

    assert!(done(&["--version"]).starts_with("afterstate "));
}

#[test]
fn a_folder_named_like_a_shipped_preset_does_not_hide_it() {
    let folder = in_folder(&[]);
    fs::create_dir(folder.path().join("quick-start")).expect("writable");
    let output = program()
        .args(["run", "quick-start", "--games", "1", "--runs", "here"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// The program with the default handling of Ctrl-C.
#[cfg(unix)]
fn interruptible() -> Command {
    let mut command = signals::interruptible(env!("CARGO_BIN_EXE_afterstate"));
    command
        .env("XDG_DATA_HOME", data("home"))
        .env("XDG_CONFIG_HOME", data("home"));
    command
}

/// Waits until the journal of a run has games.
#[cfg(unix)]
fn until_games_are_kept(out: &str, child: &mut Child) {
    let started = Instant::now();
    let journal = Path::new(out).join("journal");
    let bytes = || {
        fs::read_dir(&journal)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.metadata().map_or(0, |data| data.len()))
            .sum::<u64>()
    };
    while bytes() < 10_000 {
        assert_eq!(child.try_wait().expect("a child"), None, "it ended before");
        assert!(
            started.elapsed() < Duration::from_secs(500),
            "no game is kept"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a program catches a signal, so that on a slow machine none comes too early. Without `/proc` it waits a second.
#[cfg(unix)]
fn until_it_catches(signal: u32, child: &std::process::Child) {
    let status = format!("/proc/{}/status", child.id());
    let caught = || {
        let status = fs::read_to_string(&status).ok()?;
        let signals = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(signals.trim(), 16).ok()
    };
    let started = Instant::now();
    while let Some(signals) = caught() {
        if signals & 1 << (signal - 1) != 0 {
            return;
        }
        assert!(
            started.elapsed() < Duration::from_secs(500),
            "it does not catch signal {signal}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_secs(1));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_and_keeps_its_games() {
    let folder = in_folder(&[]);
    let out = path(&folder, "out");
    let mut child = interruptible()
        .args([
            "run",
            "--strategy",
            "emr",
            "--games",
            "10000000",
            "--format",
            "json",
            "--out",
            &out,
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    until_games_are_kept(&out, &mut child);
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("every Unix has kill");
    assert!(kill.success());

    let started = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if Duration::from_secs(500) < started.elapsed() {
            child.kill().expect("it is still there");
            panic!("Ctrl-C did not end the run");
        }
        std::thread::sleep(Duration::from_millis(20));
    }

    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(
        text(&output.stderr).contains("stopped by Ctrl-C"),
        "{}",
        text(&output.stderr)
    );
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let counted = results["entries"][0]["games"].as_u64().expect("a number");
    let manifest = fs::read_to_string(Path::new(&out).join("manifest.json")).expect("a file");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let finished = manifest["strategies"][0]["finished"]
        .as_u64()
        .expect("a number");
    assert!(
        0 < counted && counted <= finished && finished < 10_000_000,
        "{counted} of {finished}"
    );
    assert_eq!(
        manifest["stop_rule"],
        serde_json::json!({"reason": "stopped", "games": finished})
    );
    let games = fs::read_to_string(Path::new(&out).join("games.csv")).expect("a file");
    assert_eq!(games.lines().count() as u64, finished + 1);
}

#[cfg(unix)]
fn signal(name: &str, child: &Child) {
    let kill = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .expect("every Unix has kill");
    assert!(kill.success(), "{name}");
}

#[cfg(unix)]
#[test]
fn whatever_asks_a_run_to_end_keeps_its_games_however_often_it_asks() {
    let folder = in_folder(&[]);
    for (asks, name) in [
        (["-TERM", "-TERM"], "SIGTERM"),
        (["-HUP", "-HUP"], "SIGHUP"),
        (["-INT", "-INT"], "Ctrl-C"),
    ] {
        let out = path(&folder, name);
        let mut child = interruptible()
            .args([
                "run",
                "--strategy",
                "r",
                "--games",
                "10000000",
                "--format",
                "json",
                "--out",
                &out,
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        until_games_are_kept(&out, &mut child);
        asks.iter().for_each(|ask| signal(ask, &child));
        let output = child.wait_with_output().expect("the program ends");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{name}: {said}");
        assert!(
            said.contains(&format!("stopped by {name}; "))
                && said.contains(" finished games are saved"),
            "{said}"
        );
        let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let counted = results["entries"][0]["games"].as_u64().expect("a number");
        let games = fs::read_to_string(Path::new(&out).join("games.csv")).expect("a file");
        assert!(
            0 < counted && counted < games.lines().count() as u64,
            "{name}: {counted}"
        );
        let entries = fs::read_dir(&out)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name());
        let hidden: Vec<_> = entries
            .filter(|name| name.to_string_lossy().starts_with('.'))
            .collect();
        assert_eq!(hidden, [".lock"], "{name}: no temporary file is left");
    }
}

#[cfg(unix)]
#[test]
fn results_that_are_being_written_are_written_to_the_end() {
    let mut child = interruptible()
        .args([
            "run",
            "composition-all-65",
            "--games",
            "2",
            "--format",
            "json",
            "--runs",
            &data("written"),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");

    // The output is more than a pipe takes, and is not read yet. Saved games are merged before they are printed.
    let is_over = || {
        let runs = fs::read_dir(data("written"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        runs.filter(|run| run.join("games").exists())
            .any(|run| !run.join("journal").exists())
    };
    let started = Instant::now();
    while !is_over() {
        assert!(
            started.elapsed() < Duration::from_secs(500),
            "the run does not end"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    signal("-INT", &child);
    signal("-INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(
        child.try_wait().expect("a child").is_none(),
        "it waits for a reader"
    );

    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), String::new())
    );
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(results["entries"].as_array().map(Vec::len), Some(65));
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_shall_outlive_its_terminal_does() {
    let script = "trap '' HUP; exec \"$0\" run --strategy r --games 20000 --format json";
    let child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_afterstate")])
        .env("XDG_DATA_HOME", data("home"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("every Unix has sh");
    // The program, not the shell, catches SIGTERM; then it has looked at SIGHUP, too.
    until_it_catches(15, &child);
    signal("-HUP", &child);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(results["entries"][0]["games"], 20_000);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_game_in_the_middle_of_a_deep_search() {
    let deep =
        "(name: \"deep\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(20)))])";
    let mut child = interruptible()
        .args([
            "run",
            "--strategy",
            "er",
            deep,
            "--games",
            "5",
            "--format",
            "json",
            "--runs",
            &data("deep"),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        stderr
            .lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    // The run begins once its time is estimated.
    let mut said = lines
        .recv_timeout(Duration::from_secs(500))
        .expect("an estimate");
    until_it_catches(2, &child);
    std::thread::sleep(Duration::from_millis(1500));
    let started = Instant::now();

    // A single signal lets the game finish, which would take a lifetime.
    signal("-INT", &child);
    std::thread::sleep(Duration::from_millis(500));
    signal("-INT", &child);
    let output = child.wait_with_output().expect("the program ends");
    assert!(
        started.elapsed() < Duration::from_secs(500),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(output.status.code(), Some(130));

    lines.iter().for_each(|line| said += &format!("\n{line}"));
    assert!(
        said.contains("estimated time: at least") && said.contains("Ctrl-C again abandons them"),
        "{said}"
    );
    assert!(said.contains("means are too low"), "{said}");
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        results["entries"][1]["games"], 0,
        "no game of that depth is finished"
    );
    assert!(
        0 < results["entries"][0]["games"].as_u64().expect("a number"),
        "others are kept"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_study_and_prints_what_it_found() {
    let row =
        |evaluator| format!("(evaluator: {evaluator}, lookahead: Expectimax(plies: Fixed(20)))");
    let slow = &format!("(criteria: [{}, {}])", row("Empty"), row("Score"));
    let child = interruptible()
        .args([
            "study",
            slow,
            "--seconds",
            "1000",
            "--orders",
            "--against",
            "emr",
            "--format",
            "json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    until_it_catches(2, &child);
    std::thread::sleep(Duration::from_millis(1000));
    let started = Instant::now();
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("every Unix has kill");
    assert!(kill.success());

    let output = child.wait_with_output().expect("the program ends");
    assert!(
        started.elapsed() < Duration::from_secs(500),
        "{:?}",
        started.elapsed()
    );
    assert_eq!(output.status.code(), Some(130));
    assert!(
        text(&output.stderr).contains("the results so far are printed"),
        "{}",
        text(&output.stderr)
    );
    let study: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&study["evidence"]["games"], &study["evidence"]["is_cut"]),
        (&1.into(), &true.into())
    );
    assert_eq!(study["orders"], Value::Null);
}

#[cfg(unix)]
#[test]
fn results_are_printed_even_if_the_folder_fails_at_the_end() {
    let folder = in_folder(&[]);
    // A folder in the place of a file: the error appears only at the end.
    done(&[
        "run",
        "--strategy",
        "er",
        "--games",
        "3",
        "--out",
        &path(&folder, "out"),
    ]);
    fs::remove_file(folder.path().join("out/games.csv")).expect("removed");
    fs::create_dir_all(folder.path().join("out/games.csv/in the way")).expect("writable");
    let output = afterstate(&[
        "run",
        "--strategy",
        "er",
        "--games",
        "3",
        "--out",
        &path(&folder, "out"),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("games.csv: cannot be written"),
        "{}",
        text(&output.stderr)
    );
    assert!(
        text(&output.stdout).contains("3 games of each strategy"),
        "{}",
        text(&output.stdout)
    );
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = program()
        .args([
            "run",
            "composition-all-65",
            "--games",
            "50",
            "--format",
            "json",
            "--runs",
            &data("pipe"),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), String::new())
    );
}

const MIX: &str = "(name: \"mix\", criteria: [(evaluator: Sum([(1.0, Empty), (0.5, Score)]))])";

#[test]
fn a_sweep_is_written_played_and_told_by_setting() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, run) = (folder.path().join("sweep.ron"), folder.path().join("run"));
    let (file, run) = (file.to_str().expect("UTF-8"), run.to_str().expect("UTF-8"));
    let preset = done(&[
        "sweep",
        MIX,
        "--over",
        "weight of Score=0..1/3",
        "--games",
        "20",
    ]);
    fs::write(file, &preset).expect("written");
    assert!(
        done(&["check", file])
            .contains("sweep \"mix by weight of Score\", 3 points over weight of Score × 20 games")
    );

    let table = text(&afterstate(&["run", file, "--out", run]).stdout);
    let head = table
        .lines()
        .find(|line| line.contains("to previous value"))
        .expect("a table by setting");
    assert!(
        head.contains("strategy") && head.contains("weight of Score"),
        "{table}"
    );

    let of_run: Value = serde_json::from_slice(
        &afterstate(&[
            "run",
            "--strategy",
            MIX,
            "--over",
            "weight of Score=0,0.5,1",
            "--games",
            "20",
            "--format",
            "json",
        ])
        .stdout,
    )
    .expect("JSON");
    let of_folder = json(&["summary", run, "--format", "json"]);
    for (one, other) in
        (0..3).map(|place| (&of_run["entries"][place], &of_folder["entries"][place]))
    {
        assert_eq!(
            (&one["mean"], &one["sweep"]),
            (&other["mean"], &other["sweep"])
        );
    }
    let entry = &of_folder["entries"][1];
    assert_eq!(
        (
            &entry["name"],
            &entry["sweep"]["settings"]["weight of Score"]
        ),
        (&"mix, weight of Score 0.5".into(), &0.5.into())
    );

    let means = [0, 1].map(|place| {
        of_folder["entries"][place]["mean"]
            .as_f64()
            .expect("a mean")
    });
    let step = &entry["sweep"]["steps"]["weight of Score"];
    assert!(
        (step["difference"].as_f64().expect("a step") - (means[1] - means[0])).abs() < 1e-6,
        "{step}"
    );
    assert!(done(&["summary", run, "--format", "csv"]).contains(",mix,weight of Score,0.5,,,"));
    refused(
        &["sweep", MIX, "--over", "weight of Sore=0,1"],
        2,
        &["--over", "did you mean weight of Score?", "tolerance"],
    );
    refused(
        &[
            "sweep",
            MIX,
            "--over",
            "weight of Score=0..9/150",
            "--over",
            "tolerance=0,1",
        ],
        2,
        &["the limit is 200"],
    );
    refused(
        &["run", "--strategy", MIX, "--over", "stop_at=512,1024"],
        2,
        &["stop_at is the same for all games of a run"],
    );
    refused(
        &["run", "--strategy", MIX, "--over", "p4=0,1.1"],
        2,
        &["1.1 is not a probability"],
    );
    refused(
        &["run", "sweep-solver-figure-12", "--over", "plies=1,2"],
        2,
        &["is already a sweep"],
    );
}

#[test]
fn the_chance_of_a_4_is_swept_as_a_run_for_each_chance() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = folder.path().join("run");
    let run = run.to_str().expect("UTF-8");
    let over = ["--over", "chance of a 4=0,0.1,1", "--games", "20"];
    let swept = afterstate(&[&["run", "--strategy", "emr", "--out", run][..], &over].concat());
    let table = text(&swept.stdout);
    assert!(
        table.contains("0 to 100 % fours")
            && table.contains("no rank where the probability of a 4"),
        "{table}"
    );

    let of_folder = json(&["summary", run, "--format", "json"]);
    for (place, p4) in [0.0, 0.1, 1.0].into_iter().enumerate() {
        let alone = [
            "run",
            "--strategy",
            "emr",
            "--p4",
            &p4.to_string(),
            "--games",
            "20",
            "--format",
            "json",
        ];
        let alone: Value = serde_json::from_slice(&afterstate(&alone).stdout).expect("JSON");
        let [one, other] = [&of_folder["entries"][place], &alone["entries"][0]];
        let numbers =
            |entry: &Value| ["p4", "mean", "sd", "max", "reach"].map(|field| entry[field].clone());
        assert_eq!((numbers(one), &one["p4"]), (numbers(other), &p4.into()));
        assert_eq!(
            (&one["against"], &one["rank"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(&one["sweep"]["steps"]["chance of a 4"], &Value::Null);
    }
    assert!(done(&["verify", run]).contains("all match"));
    refused(
        &[
            &["run", "--strategy", "emr", "--until", "sprt=0..100"][..],
            &over,
        ]
        .concat(),
        2,
        &["on the same tiles"],
    );
    refused(
        &["review", run, "--games", "0..1"],
        2,
        &["choose one of them with --strategy"],
    );
}

#[test]
fn a_tuning_is_kept_in_its_folder_and_its_winner_is_measured_on_fresh_seeds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("tuning");
    let out = out.to_str().expect("UTF-8");
    let output = afterstate(&[
        "tune",
        MIX,
        "--over",
        "weight of Score=0..4",
        "--games",
        "600",
        "--verify",
        "40",
        "--out",
        out,
        "--format",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));

    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(
        found["generations"]
            .as_array()
            .is_some_and(|all| 2 <= all.len()),
        "{found}"
    );
    let verified = &found["verified"];
    assert_eq!(
        (&verified["games"], &found["seed"]),
        (&40.into(), &"1".into())
    );
    assert_ne!(verified["seed"], found["seed"]);
    // Continuing a finished tuning gives the same result; the games of winner and start are an ordinary run.
    assert_eq!(json_of(&["tune", out, "--format", "json"]), found);

    let run = json(&[
        "summary",
        &format!("{out}/verification"),
        "--format",
        "json",
    ]);
    assert_eq!(run["entries"][0]["mean"], verified["winner"]["value"]);
    assert_eq!(run["entries"][1]["name"], "mix");

    let printed = text(&afterstate(&["tune", out]).stdout);
    assert!(
        printed.contains("fresh games each") && printed.contains("weight of Score"),
        "{printed}"
    );
    refused(
        &["tune", out, "--games", "900"],
        2,
        &["settings of a started tuning are fixed", "--out"],
    );
    refused(
        &["tune", MIX, "--games", "900", "--out", out],
        2,
        &["tune.over: no setting"],
    );
    refused(
        &["tune", MIX, "--over", "weight of Score"],
        2,
        &["--out DIR"],
    );
    refused(
        &["tune", MIX, "--over", "tolerence", "--out", out],
        2,
        &["did you mean tolerance?"],
    );
    refused(
        &["tune", MIX, "--over", "weight of Empty", "--out", out],
        1,
        &["does not belong to this tuning"],
    );
}

/// A training that is killed repeatedly continues from its last checkpoint and gives the same network.
#[test]
fn a_training_that_is_killed_goes_on_to_the_same_network() {
    let config = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| config.path().join(name).to_str().expect("UTF-8").to_owned();
    let train = |name: &str, games: u64| {
        let mut command = program();
        command.args([
            "train",
            "--network",
            "0123 0145",
            "--seed",
            "4",
            "--threads",
            "1",
            "--every",
            "100",
        ]);
        command.args([
            "--games",
            &games.to_string(),
            "--out",
            &file(name),
            "--format",
            "json",
        ]);
        command
            .env("XDG_CONFIG_HOME", config.path())
            .stderr(Stdio::null())
            .stdout(Stdio::piped());
        command
    };

    let mut kills = 0;
    for games in [100, 200, 300, 400] {
        // With a checkpoint, and games after it that are lost.
        let output = train("killed.net", games)
            .output()
            .expect("the program ends");
        assert_eq!(output.status.code(), Some(0));
        let before = fs::read(file("killed.net")).expect("a checkpoint");
        let mut child = train("killed.net", 1_000_000)
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(150 + 70 * games / 100));
        child.kill().expect("it learns");
        child.wait().expect("it ended");
        kills += usize::from(fs::read(file("killed.net")).expect("whole") == before);
    }
    assert_eq!(
        kills, 4,
        "no checkpoint is due within a second, and none is torn"
    );

    let end = |name: &str| -> Value {
        let output = train(name, 500).output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0));
        let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let weights = file(&format!("{name}.w"));
        let mut export = program();
        let done = export
            .args(["networks", &file(name), "--export", &weights])
            .output()
            .expect("the program ends");
        assert_eq!(done.status.code(), Some(0));
        serde_json::json!({ "curve": found["curve"].as_array().expect("points").iter().map(|point| point["learnt"].clone()).collect::<Vec<_>>(), "moves": found["manifest"]["moves"] })
    };
    assert_eq!(end("killed.net"), end("whole.net"));

    let weights = |name: &str| fs::read(file(&format!("{name}.w"))).expect("written");
    assert!(
        weights("killed.net") == weights("whole.net"),
        "the same weights, bit by bit"
    );
}

/// A tuning that is killed between and within generations and during the verification gives the same result.
#[test]
fn a_tuning_that_is_killed_goes_on_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [whole, killed] = ["whole", "killed"].map(|name| path(&folder, name));
    let tune = |out: &str| {
        let mut command = program();
        command.args([
            "tune",
            MIX,
            "--over",
            "weight of Score=0..4",
            "--games",
            "1500",
            "--verify",
            "400",
        ]);
        command
            .args(["--threads", "1", "--format", "json", "--out", out])
            .stderr(Stdio::null());
        command
    };

    let found = |out: &str| -> Value {
        let output = tune(out).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{out}");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let generations = || {
        let state = fs::read(format!("{killed}/tuning.json")).unwrap_or_default();
        let state: Value = serde_json::from_slice(&state).unwrap_or_default();
        state["generations"].as_array().map_or(0, Vec::len)
    };

    let (mut kills, mut before) = (0, 0);
    while kills < 4 {
        let mut child = tune(&killed)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let started = Instant::now();
        let goes_on =
            |child: &mut std::process::Child| child.try_wait().expect("a child").is_none();
        // The last one is killed during the verification, if the computer is slow enough to catch it.
        let is_far = |generations: usize| {
            if kills < 3 {
                before < generations
            } else {
                Path::new(&killed).join("winner.ron").exists()
            }
        };
        while goes_on(&mut child) && !is_far(generations()) {
            assert!(
                started.elapsed() < Duration::from_secs(500),
                "it does not get on"
            );
            std::thread::sleep(Duration::from_millis(3));
        }
        std::thread::sleep(Duration::from_millis(17 * kills));
        // It may have ended in the meantime.
        let _ended = child.kill();
        child.wait().expect("it ended");
        (kills, before) = (kills + 1, generations());
    }
    assert!(2 <= before, "it was killed before it had got anywhere");

    let (resumed, uninterrupted) = (found(&killed), found(&whole));
    for field in ["generations", "verified", "winner", "seed"] {
        assert_eq!(resumed[field], uninterrupted[field], "{field}");
    }
    assert!(
        uninterrupted["generations"]
            .as_array()
            .is_some_and(|all| 4 < all.len())
            && uninterrupted["verified"].is_object()
    );
}

/// JSON of a command that may also print notes.
fn json_of(args: &[&str]) -> Value {
    serde_json::from_slice(&afterstate(args).stdout).expect("JSON")
}

/// Millionths of a point, exact for the text of a JSON number.
fn millionths(value: &Value) -> i128 {
    let number = value.as_f64().expect("a number");
    // A double holds every number with six decimals below nine billion.
    (number * 1e6).round() as i128
}

#[test]
fn a_reviewed_game_adds_up_to_the_last_digit_and_is_not_judged_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let game = done(&["play", "--strategy", "emr", "--seed", "7", "--game", "2"]);
    fs::write(path("a.txt"), &game).expect("written");
    let judge =
        "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(3)))])";
    let review = |format: &str, threads: &str| {
        let (file, reviews) = (path("a.txt"), path("kept"));
        done(&[
            "review",
            &file,
            "--judge",
            judge,
            "--format",
            format,
            "--reviews",
            &reviews,
            "--threads",
            threads,
        ])
    };
    let json = review("json", "2");
    let read: Value = serde_json::from_str(&json).expect("JSON");
    let moves = read["moves"].as_array().expect("moves");
    let (mut loss, mut luck, mut residual, mut rewards) = (0, 0, 0, 0);

    for (index, one) in moves.iter().enumerate() {
        let values: Vec<i128> = one["values"]
            .as_object()
            .expect("four")
            .values()
            .filter(|value| !value.is_null())
            .map(millionths)
            .collect();
        let best = *values.iter().max().expect("a legal move");
        let played = millionths(&one["values"][one["move"].as_str().expect("a move")]);

        // The last board is dead.
        let next = moves.get(index + 1).map_or(0, |next| {
            let values = next["values"]
                .as_object()
                .expect("four")
                .values()
                .filter(|value| !value.is_null());
            values.map(millionths).max().expect("a legal move")
        });

        let amount = |field: &str| millionths(&one[field]);
        assert_eq!(amount("loss"), best - played);
        assert_eq!(amount("luck"), amount("next") - amount("mean"));
        assert_eq!(
            amount("residual"),
            next - amount("next") + amount("mean") - (played - amount("reward"))
        );
        loss += amount("loss");
        luck += amount("luck");
        residual += amount("residual");
        rewards += amount("reward");
    }

    let totals = |field: &str| millionths(&read["totals"][field]);
    assert_eq!(
        (totals("loss"), totals("luck"), totals("residual")),
        (loss, luck, residual)
    );
    assert_eq!(totals("final_score"), rewards);
    assert_eq!(totals("start_value") + luck - loss + residual, rewards);
    assert_eq!(read["adds_up"], true);

    let end = game.lines().last().expect("an end line");
    assert!(
        end.contains(&format!("score {},", rewards / 1_000_000)),
        "{end}"
    );
    // Every move that lost something was decided by a row of emr.
    assert!(
        moves
            .iter()
            .all(|one| (millionths(&one["loss"]) == 0) == one["decided_by"].is_null())
    );
    assert_eq!(
        review("json", "1"),
        json,
        "neither threads nor what is kept change a digit"
    );
    assert!(review("text", "1").contains("add up exactly to the final score"));
    assert_eq!(review("csv", "1").lines().count(), moves.len() + 1);
    assert!(review("markdown", "1").contains("## Worst moves"));
    let html = review("html", "1");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    assert!(10 < html.matches("<svg").count());

    // A game that was cut off between two turns is judged as far as it goes, with a note.
    let cut: Vec<&str> = game.lines().take(30).collect();
    fs::write(path("cut.txt"), cut.join("\n") + "\n").expect("written");
    let doubt = "cut.txt: it has no end line, so its last turns may be missing";
    let printed = text(&afterstate(&["review", &path("cut.txt"), "--judge", judge]).stderr);
    assert!(printed.contains(doubt), "{printed}");
    let checked = done(&["check", &path("cut.txt")]);
    assert!(
        checked.contains("cut.txt: warning: it has no end line"),
        "{checked}"
    );
    assert!(!done(&["check", &path("a.txt")]).contains("warning"));
}

#[test]
fn a_player_judges_its_own_worst_moves_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let game = done(&["play", "--strategy", "emr", "--seed", "5"]);
    fs::write(path("a.txt"), &game).expect("written");
    let judge = "(criteria: [(evaluator: Network(\"reference\"))])";
    let review = |folder: &str, threads: &str, own_play: &str, format: &str| {
        let (file, reviews) = (path("a.txt"), path(folder));
        let args = [
            "review",
            &file,
            "--judge",
            judge,
            "--reviews",
            &reviews,
            "--threads",
            threads,
            "--format",
            format,
        ];
        done(&[&args[..], &["--own-play", own_play]].concat())
    };
    let json = review("one", "1", "3", "json");
    assert_eq!(review("other", "2", "3", "json"), json);
    let own_plays = |json: &str| -> Vec<Value> {
        let read: Value = serde_json::from_str(json).expect("JSON");
        let moves = read["moves"].as_array().expect("moves").iter();
        moves
            .filter(|one| !one["own_play"].is_null())
            .cloned()
            .collect()
    };
    assert_eq!(own_plays(&json).len(), 3, "the worst three");

    for one in own_plays(&json) {
        let own = &one["own_play"];
        let (games, gain) = (
            own["games"].as_u64().expect("games"),
            own["gain"].as_f64().expect("a gain"),
        );
        let [low, high] = [0, 1].map(|end| own["interval"][end].as_f64().expect("fifty games"));
        assert_eq!(own["against"], one["best"]);
        assert!(
            (50..=200).contains(&games) && low <= gain && gain <= high,
            "{own}"
        );
        // It stops as soon as the two can be told apart, and not before.
        assert_eq!(games < 200, 0.0 < low || high < 0.0, "{own}");
    }

    // Known games are not played again, and a larger request adds to them.
    let more = review("one", "2", "5", "json");
    assert_eq!(own_plays(&more).len(), 5);
    assert!(
        own_plays(&json)
            .iter()
            .all(|one| own_plays(&more).contains(one))
    );
    assert!(review("one", "2", "3", "text").contains("Own play of emr: gain of the judge's move"));

    // Without a strategy in the record there is no player to ask.
    let unnamed: String = game
        .lines()
        .filter(|line| !line.starts_with("strategy:"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(path("b.txt"), unnamed).expect("written");
    let refused = afterstate(&[
        "review",
        &path("b.txt"),
        "--judge",
        judge,
        "--own-play",
        "1",
    ]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("--own-play: the record names no strategy"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn a_run_is_reviewed_game_by_game_and_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run").display().to_string();
    let _ = afterstate(&[
        "run",
        "--strategy",
        "emr",
        "er",
        "--games",
        "3",
        "--seed",
        "5",
        "--out",
        &run,
    ]);
    let judge = "(criteria: [(evaluator: Network(\"reference\"))])";
    let text = done(&["review", &run, "--judge", judge, "--games", "0..2"]);
    assert!(
        text.contains("4 games, judged by") && text.contains("Worst moves of all games"),
        "{text}"
    );
    let lines = done(&[
        "review",
        &run,
        "--judge",
        judge,
        "--strategy",
        "er",
        "--format",
        "json",
    ]);
    assert_eq!(lines.lines().count(), 3);
    assert!(
        Path::new(&run).join("reviews").is_dir(),
        "reviews are kept beside the games"
    );

    for line in lines.lines() {
        let game: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(game["adds_up"], true);
    }

    for (args, code, reason) in [
        (
            vec!["review", &run, "--strategy", "mer"],
            2,
            "it has emr and er",
        ),
        (
            vec!["review", &run, "--games", "70..80"],
            1,
            "no game of this run",
        ),
        (
            vec!["review", &run, "--judge", "emr"],
            2,
            "a judge needs exactly one row",
        ),
        (
            vec!["review", &run, "--thresholds", "5,4,3"],
            2,
            "none below the previous one",
        ),
        (
            vec!["review", "there/is.none"],
            1,
            "no such game record or run",
        ),
    ] {
        let output = afterstate(&args);
        let said = self::text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(reason) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn the_book_takes_what_is_a_mistake_by_the_class_in_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(
        path("a.txt"),
        done(&["play", "--strategy", "emr", "--seed", "7", "--game", "2"]),
    )
    .expect("written");
    let (game, reviews, book) = (path("a.txt"), path("kept"), path("book.ron"));
    let judge = "(criteria: [(evaluator: Network(\"reference\"))])";
    // No move is a mistake by points, only by its chance.
    let judging = [
        &*game,
        "--judge",
        judge,
        "--reviews",
        &reviews,
        "--thresholds",
        "900000,900000,900000",
    ];
    let chance = ["--chance", "survive:8:60", "--chance-thresholds", "1,3,100"];
    let run_with = |before: &[&str], more: &[&str]| done(&[before, &judging[..], more].concat());
    assert!(
        run_with(&["practice", "--book", &book, "add"], &[]).starts_with("0 mistakes in 1 game")
    );

    let said = run_with(&["practice", "--book", &book, "add"], &chance);
    let review: Value = serde_json::from_str(&run_with(
        &["review"],
        &[&chance[..], &["--format", "json"]].concat(),
    ))
    .expect("JSON");
    let is_mistake = |one: &&Value| {
        matches!(one["class"].as_str(), Some("mistake" | "blunder"))
            && one["loss"].as_f64() != Some(0.0)
    };
    let mistakes = review["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter(is_mistake)
        .count();
    assert!(
        0 < mistakes && said.starts_with(&format!("{mistakes} mistake")),
        "{mistakes}: {said}"
    );
}

#[test]
fn a_review_is_asked_for_two_minds_and_for_its_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.txt");
    let game = game.to_str().expect("a path");
    fs::write(
        game,
        done(&["play", "--strategy", "emr", "--seed", "7", "--game", "2"]),
    )
    .expect("written");
    let reviews = folder.path().to_str().expect("a path");
    let judge = "(criteria: [(evaluator: Network(\"reference\"))])";
    let base = ["review", game, "--judge", judge, "--reviews", reviews];
    let with = |more: &[&'static str]| -> Vec<String> {
        base.iter()
            .chain(more)
            .map(|part| (*part).to_owned())
            .collect()
    };
    let asked_of = |more: &[&'static str]| {
        let args = with(more);
        done(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let json =
        |more: &[&'static str]| -> Value { serde_json::from_str(&asked_of(more)).expect("JSON") };
    let found = json(&["--against", "er", "--format", "json"]);
    let [positions, disagreed] =
        ["positions", "disagreed"].map(|name| found[name].as_u64().expect(name));
    assert_eq!(disagreed, 0, "er leaves every move that emr leaves");

    let gaps: Vec<f64> = found["disagreements"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["gap"].as_f64().expect("points").abs())
        .collect();
    assert!(
        gaps.windows(2).all(|pair| pair[1] <= pair[0]),
        "the widest first"
    );
    // Both named: the same as with the player of the game.
    assert_eq!(
        json(&["--against", "emr", "--against", "er", "--format", "json"])["disagreements"],
        found["disagreements"]
    );

    let differs = found["differs"].as_f64().expect("a number");
    assert!(
        0.0 < differs && differs < positions as f64,
        "{differs} of {positions}"
    );
    let printed = asked_of(&["--against", "er"]);
    assert!(
        printed.contains("they share no move")
            && printed.contains("hold for positions of these games"),
        "{printed}"
    );

    // Saved judgments and rows remain when another command looks deeper and has other questions.
    let rows = |review: &Value| -> BTreeMap<usize, [Value; 2]> {
        let moves = review["moves"]
            .as_array()
            .expect("moves")
            .iter()
            .enumerate();
        let decided = moves.filter(|(_, one)| !one["decided_by"].is_null());
        decided
            .map(|(at, one)| (at, ["best", "decided_by"].map(|name| one[name].clone())))
            .collect()
    };
    let whole = json(&["--format", "json"]);
    assert!(!rows(&whole).is_empty());
    let deeper = json(&["--deeper", "1", "--against", "er", "--format", "json"]);
    assert_ne!(deeper["disagreements"], found["disagreements"]);
    let again = json(&["--no-rows", "--format", "json"]);
    assert_eq!(
        again["plies"], whole["plies"],
        "other depths are another review"
    );
    assert_eq!(
        whole["judge"]["deepen_from"], whole["thresholds"]["mistake"],
        "as in the window"
    );
    let (whole, again) = (rows(&whole), rows(&again));
    assert!(again.keys().eq(whole.keys()), "nobody else was asked");
    let same: Vec<_> = again
        .iter()
        .filter(|(at, [best, _])| *best == whole[at][0])
        .collect();
    assert!(
        !same.is_empty() && same.into_iter().all(|(at, row)| *row == whole[at]),
        "where the best move is the same"
    );
    let death = json(&["--death", "2", "--format", "json"]);
    let last = death["positions"]
        .as_array()
        .expect("a list")
        .last()
        .expect("positions")
        .clone();
    assert_eq!(
        (last["died"].clone(), death["within"].as_u64()),
        (last["games"].clone(), Some(2))
    );
    assert!(asked_of(&["--death", "1", "--format", "html"]).starts_with("<!doctype html>"));
}

#[test]
fn the_program_writes_its_manual_and_completions_and_says_its_version() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let man = path(&folder, "man");
    done(&["manual", &man]);
    let page = |name: &str| fs::read_to_string(format!("{man}/{name}.1")).expect("a page");
    assert!(
        page("afterstate").contains("afterstate\\-run(1)"),
        "{}",
        page("afterstate")
    );
    assert!(page("afterstate-run").contains("shard"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            done(&["completions", shell]).contains("strategies"),
            "{shell}"
        );
    }

    let version = done(&["--version"]);
    let start = concat!("afterstate ", env!("CARGO_PKG_VERSION"), " (");
    assert!(
        version.starts_with(start)
            && version.contains(std::env::consts::ARCH)
            && version.ends_with(")\n"),
        "{version}"
    );
}
