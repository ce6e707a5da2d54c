//! Damaged files: whatever a flipped bit or a lost end does to a file that the program reads, a command prints the numbers of
//! the undamaged file or one sentence, never other numbers.
//!
//! The program itself makes each kind of file once, with a command that reads it. Then bits are flipped, the end is cut off
//! and blocks are blanked. `cargo test` damages each file once in each of these ways and flips more bits. With
//! `AFTERSTATE_FUZZ_SECS`, each kind is damaged for that time; with `AFTERSTATE_FUZZ_SEED`, at other places.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Damages per kind where nothing says for how long: a cut, a blank and flipped bits.
const FEW: usize = 8;

/// Fields of the output that tell the time something took, which no two runs share.
const TIMES: [&str; 4] = ["seconds", "seconds_per_move", "seconds_reaching", "ms"];

const NETWORK: &str = "Strategy(name: \"n\", criteria: [(evaluator: Network(\"./a.net\"))])";
const SOLVED: &str = "Strategy(name: \"s\", criteria: [(evaluator: Solved(\"./a.table\"))])";
const POLICY: &str = "Strategy(name: \"p\", criteria: [(evaluator: Policy(\"./a.process\"))])";

/// A kind of file: how it is made, which file is damaged, and the command that reads it.
struct Kind {
    make: &'static [&'static [&'static str]],
    /// A command that is killed while it plays, after those.
    killed: Option<&'static [&'static str]>,
    /// A file, or a folder: then its first file by name.
    file: &'static str,
    read: &'static [&'static str],
    /// Whether the output may lack what the file holds: a lost cost table loses only the costs.
    without: &'static [&'static str],
}

const KIND: Kind = Kind {
    make: &[],
    killed: None,
    file: "",
    read: &[],
    without: &[],
};
const RUN: &[&str] = &[
    "run",
    "--size",
    "2x3",
    "--strategy",
    "emr",
    "--games",
    "40",
    "--seed",
    "3",
    "--out",
    "run",
];
const SOLVE: &[&str] = &["solve", "--size", "2x3", "--out", "./a.table"];
const REVIEW: &[&str] = &[
    "review",
    "run",
    "--judge",
    SOLVED,
    "--games",
    "0..3",
    "--threads",
    "1",
    "--format",
    "json",
];
const SUMMARY: &[&str] = &["summary", "run", "--format", "json"];

#[test]
fn a_damaged_network_is_refused() {
    const TRAIN: &[&str] = &[
        "train",
        "--size",
        "2x3",
        "--network",
        "012 345",
        "--games",
        "200",
        "--threads",
        "1",
        "--out",
        "./a.net",
    ];
    let read = &[
        "run",
        "--size",
        "2x3",
        "--strategy",
        NETWORK,
        "--games",
        "20",
        "--threads",
        "1",
        "--format",
        "json",
    ];
    Kind {
        make: &[TRAIN],
        file: "a.net",
        read,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_solved_table_is_refused() {
    let read = &[
        "run",
        "--size",
        "2x3",
        "--strategy",
        SOLVED,
        "--games",
        "20",
        "--threads",
        "1",
        "--format",
        "json",
    ];
    Kind {
        make: &[SOLVE],
        file: "a.table",
        read,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_process_is_refused() {
    const LEARN: &[&str] = &[
        "process",
        "--games",
        "30",
        "--rounds",
        "1",
        "--seed",
        "1",
        "--out",
        "./a.process",
    ];
    let read = &[
        "run",
        "--strategy",
        POLICY,
        "--games",
        "5",
        "--threads",
        "1",
        "--format",
        "json",
    ];
    Kind {
        make: &[LEARN],
        file: "a.process",
        read,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_table_of_games_is_refused() {
    Kind {
        make: &[RUN],
        file: "run/games",
        read: SUMMARY,
        ..KIND
    }
    .damage();
}

#[test]
fn a_run_does_not_grow_from_damaged_games() {
    let read = &[
        "run",
        "run",
        "--games",
        "60",
        "--threads",
        "1",
        "--format",
        "json",
    ];
    Kind {
        make: &[RUN],
        file: "run/games",
        read,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_table_of_moves_is_refused() {
    Kind {
        make: &[SOLVE, RUN],
        file: "run/moves",
        read: REVIEW,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_table_of_costs_loses_the_costs_alone() {
    Kind {
        make: &[RUN],
        file: "run/costs",
        read: SUMMARY,
        without: &["nodes_per_move", "nodes_by_empty"],
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_manifest_is_refused() {
    Kind {
        make: &[RUN],
        file: "run/manifest.json",
        read: SUMMARY,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_journal_loses_no_number() {
    const DEEP: &str =
        "(name: \"deep\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(3)))])";
    let killed: &[&str] = &[
        "run",
        "--size",
        "2x3",
        "--strategy",
        DEEP,
        "--games",
        "3000",
        "--seed",
        "3",
        "--out",
        "run",
    ];
    let read = &["run", "run", "--threads", "1", "--format", "json"];
    // A busy machine may leave out exact means, which have a limit in time.
    Kind {
        killed: Some(killed),
        file: "run/journal",
        read,
        without: &["exact"],
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_review_is_made_again_or_refused() {
    Kind {
        make: &[SOLVE, RUN, REVIEW],
        file: "run/reviews",
        read: REVIEW,
        ..KIND
    }
    .damage();
}

#[test]
fn a_damaged_book_is_refused() {
    const ADD: &[&str] = &[
        "practice", "add", "run", "--judge", SOLVED, "--book", "./a.ron",
    ];
    let read = &["practice", "list", "--book", "./a.ron"];
    Kind {
        make: &[SOLVE, RUN, ADD],
        file: "a.ron",
        read,
        ..KIND
    }
    .damage();
}

/// A folder in which the program runs and finds all its data.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn output(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("the program starts")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_afterstate"));
        command.args(args).current_dir(self.path());
        for home in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(home, self.path().join("home"));
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

impl Kind {
    fn damage(&self) {
        let original = Place::new();
        for args in self.make {
            let output = original.output(args);
            assert!(
                output.status.success(),
                "{args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        if let Some(args) = self.killed {
            let mut program = original.command(args).spawn().expect("the program starts");
            while !fs::read_dir(original.path().join(self.file))
                .is_ok_and(|files| files.flatten().any(|file| is_long(&file)))
            {
                assert!(
                    program.try_wait().expect("a status").is_none(),
                    "{args:?} ended before it was killed"
                );
                std::thread::sleep(Duration::from_millis(1));
            }
            program.kill().expect("killed");
            program.wait().expect("a status");
        }
        let bytes =
            fs::read(file_at(&original.path().join(self.file))).expect("the file that was made");
        let (_, expected) = self.outcome(&original, None);
        let expected = expected.expect("the undamaged file is read");

        let (mut random, end) = (Random::from_environment(), end());
        let mut tried = 0;
        while end.map_or(tried < FEW, |end| Instant::now() < end) {
            let (how, damaged) = random.damaged(&bytes, tried);
            let (output, found) = self.outcome(&original, Some(&damaged));
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                !errors.contains("panicked"),
                "{}, {how}: {errors}",
                self.file
            );
            match found {
                Some(found) => assert_eq!(
                    found, expected,
                    "{}, {how}: other numbers; {errors}",
                    self.file
                ),
                None => {
                    let last = errors.lines().last().unwrap_or_default();
                    assert!(
                        last.starts_with("afterstate: "),
                        "{}, {how}: no sentence: {errors}",
                        self.file
                    );
                    assert!(
                        matches!(output.status.code(), Some(1 | 2)),
                        "{}, {how}: {:?}",
                        self.file,
                        output.status
                    );
                }
            }
            tried += 1;
        }
    }

    /// What the command prints in a copy of the folder, with these bytes in place of the file; `None` where it fails.
    fn outcome(&self, original: &Place, damaged: Option<&[u8]>) -> (Output, Option<String>) {
        let place = Place::new();
        copy(original.path(), place.path());
        if let Some(damaged) = damaged {
            fs::write(file_at(&place.path().join(self.file)), damaged).expect("writable");
        }
        let output = place.output(self.read);
        let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        let found = output.status.success().then(|| self.numbers(&text));
        (output, found)
    }

    /// The output without what differs from run to run: one JSON value, one per line, or text.
    fn numbers(&self, text: &str) -> String {
        let cleaned = |text: &str| {
            let mut value = serde_json::from_str::<Value>(text).ok()?;
            self.clean(&mut value);
            Some(value.to_string())
        };
        let line = |line: &str| cleaned(line).unwrap_or_else(|| line.to_owned());
        cleaned(text).unwrap_or_else(|| text.lines().map(line).collect::<Vec<_>>().join("\n"))
    }

    fn clean(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| {
                    !TIMES.contains(&name.as_str()) && !self.without.contains(&name.as_str())
                });
                fields.values_mut().for_each(|value| self.clean(value));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.clean(value)),
            _ => {}
        }
    }
}

/// Whether a journal has some games.
fn is_long(file: &fs::DirEntry) -> bool {
    file.metadata().is_ok_and(|metadata| 2_000 < metadata.len())
}

/// The file itself, or the first one in a folder by name.
fn file_at(path: &Path) -> PathBuf {
    if path.is_file() {
        return path.to_owned();
    }
    let inside = fs::read_dir(path)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let is_hidden = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'))
    };
    file_at(
        &inside
            .filter(|path| !is_hidden(path))
            .min()
            .expect("a file"),
    )
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target).expect("writable");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("writable");
        }
    }
}

fn end() -> Option<Instant> {
    let seconds = std::env::var("AFTERSTATE_FUZZ_SECS").ok()?;
    let seconds = seconds
        .parse()
        .expect("AFTERSTATE_FUZZ_SECS is a number of seconds");
    Some(Instant::now() + Duration::from_secs_f64(seconds))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn from_environment() -> Self {
        Self(
            std::env::var("AFTERSTATE_FUZZ_SEED")
                .map_or(1, |seed| seed.parse().expect("a seed is a number")),
        )
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// The file with something wrong, and what. Of eight damages in a row one is a cut and one a blank.
    fn damaged(&mut self, bytes: &[u8], number: usize) -> (String, Vec<u8>) {
        let mut damaged = bytes.to_vec();
        let at = self.below(bytes.len());
        let how = match number % 8 {
            0 => {
                damaged.truncate(at);
                format!("cut off at byte {at} of {}", bytes.len())
            }
            1 => {
                let end = bytes.len().min(at + 64);
                damaged[at..end].fill(0);
                format!("zeros in {at}..{end}")
            }
            _ => {
                let bit = self.below(8);
                damaged[at] ^= 1 << bit;
                format!("bit {bit} of byte {at} flipped")
            }
        };

        (how, damaged)
    }
}
