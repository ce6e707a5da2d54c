//! Every command with every kind of file: a refusal names the file and the right reason, and written files follow the
//! rules of the system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A folder with a file of every kind, in which the program runs.
struct Place(tempfile::TempDir);

const PRESET: &str =
    "(version: 1, title: \"T\", seed: 3, games: 5, strategies: [(strategy: (name: \"r\"))])";

const SEARCH: &str = "(criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])";

impl Place {
    /// A folder without files.
    fn empty() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn new() -> Self {
        let place = Self::empty();
        let write =
            |name: &str, bytes: &[u8]| fs::write(place.path(name), bytes).expect("writable");
        write("preset.ron", PRESET.as_bytes());
        write("set.ron", include_bytes!("../presets/positions/forty.ron"));
        write("letters.txt", b"emr\n");
        write("board.txt", b"2,2/0,0\n");
        write("moves.txt", b"2,2/0,0\nleft 2 r2c1\n");
        write(
            "any.json",
            b"{\"name\": \"package\", \"version\": \"1.0.0\"}\n",
        );
        write("empty.txt", b"");
        write("some.toml", b"[package]\n");
        write("bytes.dat", b"\0\xff\xfe\x01");
        fs::create_dir(place.path("folder")).expect("made");
        write("record.txt", &place.done(&["play", "--strategy", "er"]));
        place.done(&["run", "--strategy", "er", "--games", "5", "--out", "run"]);
        place.done(&[
            "analyze",
            "2,2/0,0",
            "--strategy",
            SEARCH,
            "--tree",
            "tree.json",
        ]);
        place.done(&["solve", "--size", "2x2", "--out", "table.solved"]);
        place.done(&[
            "train",
            "--network",
            "012 345",
            "--games",
            "20",
            "--threads",
            "1",
            "--out",
            "net.net",
        ]);

        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.0.path());
        command
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"));
        command
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null());
        command
    }

    fn output(&self, args: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_afterstate"), args)
            .output()
            .expect("the program starts")
    }

    fn done(&self, args: &[&str]) -> Vec<u8> {
        let output = self.output(args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
        output.stdout
    }

    /// The sentence of a refusal, which is one line.
    fn refused(&self, args: &[&str]) -> String {
        let output = self.output(args);
        let said = text(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{args:?}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{args:?}: {said}");
        said
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Kinds of files that no command below accepts in place of another, with their names in messages.
const KINDS: [(&str, &str); 13] = [
    ("record.txt", "this is a game record"),
    ("preset.ron", "this is a preset"),
    ("set.ron", "this is a set of positions"),
    ("letters.txt", "this is a strategy"),
    ("board.txt", "this is a position"),
    ("moves.txt", "this is a game of another program"),
    ("tree.json", "this is a recorded search"),
    ("run/results.json", "this is a file of results of a run"),
    ("any.json", "this is JSON, but not a file of Afterstate"),
    ("empty.txt", "this file is empty"),
    ("some.toml", "this is "),
    ("bytes.dat", "not a text file (byte 1 is not UTF-8)"),
    ("folder", "this"),
];

/// A command that reads a file, the kinds that it reads, and whether its message names the other kinds.
struct Reader {
    args: &'static [&'static str],
    reads: &'static [&'static str],
    names_kinds: bool,
}

const READERS: [Reader; 12] = [
    Reader {
        args: &["run", "FILE", "--games", "2"],
        reads: &["preset.ron"],
        names_kinds: true,
    },
    Reader {
        args: &["estimate", "FILE"],
        reads: &["preset.ron"],
        names_kinds: true,
    },
    Reader {
        args: &["play", "--strategy", "FILE"],
        reads: &["preset.ron", "letters.txt"],
        names_kinds: true,
    },
    Reader {
        args: &["review", "FILE"],
        reads: &["record.txt", "moves.txt"],
        names_kinds: true,
    },
    Reader {
        args: &["review", "FILE", "--games", "0..1"],
        reads: &["record.txt", "moves.txt"],
        names_kinds: true,
    },
    Reader {
        args: &["import", "FILE"],
        reads: &["moves.txt", "board.txt", "some.toml", "bytes.dat"],
        names_kinds: true,
    },
    Reader {
        args: &["check", "FILE"],
        reads: &[
            "record.txt",
            "preset.ron",
            "set.ron",
            "letters.txt",
            "board.txt",
            "moves.txt",
        ],
        names_kinds: true,
    },
    Reader {
        args: &["train", "./FILE"],
        reads: &[],
        names_kinds: false,
    },
    Reader {
        args: &["networks", "./FILE"],
        reads: &[],
        names_kinds: false,
    },
    Reader {
        args: &["analyze", "--open", "FILE"],
        reads: &["tree.json"],
        names_kinds: false,
    },
    Reader {
        args: &["practice", "list", "--book", "FILE"],
        reads: &["some.toml"],
        names_kinds: true,
    },
    Reader {
        args: &["summary", "FILE"],
        reads: &[],
        names_kinds: false,
    },
];

#[test]
fn every_refusal_of_a_file_names_it_and_what_it_is() {
    let place = Place::new();
    let mut wrong = Vec::new();
    for Reader {
        args,
        reads,
        names_kinds,
    } in READERS
    {
        let call = |file: &str| {
            let args: Vec<String> = args.iter().map(|arg| arg.replace("FILE", file)).collect();
            args
        };
        let refused = |file: &str| {
            let args = call(file);
            place.refused(&args.iter().map(String::as_str).collect::<Vec<_>>())
        };

        for (file, kind) in KINDS.into_iter().filter(|(file, _)| !reads.contains(file)) {
            let said = refused(file);
            if !said.contains(file) || (names_kinds && !said.contains(kind)) {
                wrong.push(format!("{args:?} with {file}: {said}"));
            }
            for jargon in ["os error", "External", "struct ", "EOF", "another process"] {
                assert!(!said.contains(jargon), "{args:?} with {file}: {said}");
            }
        }

        // A missing book counts as an empty one.
        if args[0] != "practice" {
            let said = refused("nowhere.ron");
            if !said.contains("nowhere.ron: there is no such") {
                wrong.push(format!("{args:?} of nothing: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());

    let said = place.refused(&["review", "record.txt", "--games", "0..1"]);
    assert!(said.contains("record.txt: this is a single game"), "{said}");
    let said = place.refused(&["networks", "net.dat"]);
    assert!(
        said.contains("there is no network \"net.dat\"") && !said.contains("./net.dat"),
        "{said}"
    );

    let said = place.refused(&["networks", "record.txt"]);
    assert!(said.contains("write ./record.txt for that file"), "{said}");
}

#[test]
fn what_is_wrong_in_the_folder_of_a_run_is_named() {
    let place = Place::new();
    let copy = |name: &str| {
        let copied = Command::new("cp")
            .args(["-r", "run", name])
            .current_dir(place.0.path())
            .status();
        assert!(copied.expect("cp").success());
        place.path(name)
    };
    let table = |folder: &Path, kind: &str| {
        let mut files = fs::read_dir(folder.join(kind)).expect("a folder");
        files.next().expect("a table").expect("an entry").path()
    };
    let cut = copy("cut");
    fs::write(table(&cut, "games"), "PAR1").expect("writable");
    let said = place.refused(&["summary", "cut"]);
    let name = table(&cut, "games")
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    assert!(
        said.contains(&format!("cut/games/{name}: this table is damaged (")),
        "{said}"
    );
    assert!(
        said.contains("restore a copy, or delete this file"),
        "{said}"
    );

    fs::create_dir(place.path("bare")).expect("made");
    for (manifest, reason) in [("", "EOF"), ("{\"a\": 1}", "missing field `program`")] {
        fs::write(place.path("bare/manifest.json"), manifest).expect("writable");
        for command in ["summary", "run", "review", "verify"] {
            let said = place.refused(&[command, "bare"]);
            let words = "bare/manifest.json: this is not the manifest of a run, or it is damaged (";
            assert!(said.contains(words) && said.contains(reason), "{said}");
        }
    }
    for args in [
        &["review", "run", "--games", "70..80"][..],
        &["export", "run", "--games", "70..80", "--out", "none.csv"],
    ] {
        let said = place.refused(args);
        assert!(
            said.contains("run: no game of this run has such a number"),
            "{said}"
        );
    }
    assert!(!place.path("none.csv").exists());
    let said = place.refused(&["summary", "/dev/null"]);
    assert!(
        said.contains("/dev/null: this is not the folder of a run"),
        "{said}"
    );
}

/// The program run by a user without write permission: this user, or the user nobody if this is the superuser.
#[cfg(unix)]
fn without_rights(place: &Place, args: &[&str]) -> Option<Output> {
    let program = env!("CARGO_BIN_EXE_afterstate");
    if fs::write(place.path("run/probe"), "").is_err() {
        return Some(place.output(args));
    }
    fs::remove_file(place.path("run/probe")).expect("removed");
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let reads = place
        .command("setpriv", &[&nobody[..], &["test", "-x", program]].concat())
        .status();
    let is_able = reads.is_ok_and(|status| status.success());
    is_able.then(|| {
        place
            .command("setpriv", &[&nobody[..], &[program], args].concat())
            .output()
            .expect("the program starts")
    })
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_not_called_played() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    place.done(&["run", "--strategy", "er", "--games", "5", "--out", "other"]);
    fs::set_permissions(place.0.path(), fs::Permissions::from_mode(0o755)).expect("ours");
    let change = |how: &str| {
        let changed = Command::new("chmod")
            .args(["-R", how, "run"])
            .current_dir(place.0.path())
            .status();
        assert!(changed.expect("chmod").success());
    };
    change("a-w,a+rX");
    let refused = without_rights(&place, &["merge", "run", "other"]);
    let read = without_rights(&place, &["summary", "run"]);
    change("u+w");
    let (Some(refused), Some(read)) = (refused, read) else {
        println!("skipped: nobody cannot run the program here");
        return;
    };
    assert_eq!(read.status.code(), Some(0), "{}", text(&read.stderr));
    let said = text(&refused.stderr);
    assert_eq!(
        said,
        "afterstate: run: cannot be written (Permission denied); choose another folder\n"
    );
    assert_eq!(refused.status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn new_files_have_the_permissions_that_the_umask_leaves() {
    use std::os::unix::fs::PermissionsExt as _;

    fn modes(folder: &Path, found: &mut Vec<(PathBuf, bool, u32)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let data = entry.metadata().expect("data");
            found.push((
                entry.path(),
                data.is_dir(),
                data.permissions().mode() & 0o777,
            ));
            if data.is_dir() {
                modes(&entry.path(), found);
            }
        }
    }
    let place = Place::empty();
    // The first moves of a game: each of them is judged.
    let game = text(&place.done(&["play", "--strategy", "er"]));
    let game: Vec<&str> = game.lines().take(20).collect();
    fs::write(place.path("record.txt"), game.join("\n")).expect("writable");
    fs::write(place.path("moves.txt"), "2,2/0,0\nleft 2 r2c1\n").expect("writable");
    for mask in [0o027, 0o002] {
        let under = |args: &[&str]| {
            let script = format!("umask {mask:03o}; exec \"$0\" \"$@\"");
            let args = [&["-c", &script, env!("CARGO_BIN_EXE_afterstate")], args].concat();
            let output = place.command("sh", &args).output().expect("a shell");
            assert_eq!(
                output.status.code(),
                Some(0),
                "{args:?}: {}",
                text(&output.stderr)
            );
        };

        let name = |what: &str| format!("of-{mask:03o}/{what}");
        let folder = place.path(&format!("of-{mask:03o}"));
        under(&[
            "run",
            "--strategy",
            "er",
            "emr",
            "--games",
            "5",
            "--out",
            &name("run"),
        ]);
        under(&[
            "run",
            "--strategy",
            "er",
            "emr",
            "--games",
            "9",
            "--shard",
            "0/2",
            "--out",
            &name("parts"),
        ]);
        under(&["review", "record.txt", "--reviews", &name("reviews")]);
        under(&["import", "moves.txt", "--out", &name("games")]);
        under(&[
            "train",
            "--network",
            "012 345",
            "--games",
            "20",
            "--threads",
            "1",
            "--out",
            &name("net.net"),
        ]);
        under(&["solve", "--size", "2x2", "--out", &name("table.solved")]);
        under(&[
            "analyze",
            "2,2/0,0",
            "--strategy",
            SEARCH,
            "--tree",
            &name("tree.json"),
        ]);
        let mut found = Vec::new();
        modes(&folder, &mut found);
        assert!(20 < found.len(), "{found:?}");

        for (path, is_folder, mode) in found {
            let whole = if is_folder { 0o777 } else { 0o666 };
            assert_eq!(
                format!("{mode:o}"),
                format!("{:o}", whole & !mask),
                "{} under {mask:o}",
                path.display()
            );
        }
    }
}

#[test]
fn a_training_that_is_killed_at_once_leaves_its_setup() {
    let place = Place::new();
    let args = [
        "train",
        "--network",
        "0123 0145",
        "--seed",
        "4",
        "--games",
        "1000000",
        "--threads",
        "1",
        "--out",
        "new.net",
    ];
    let mut child = place
        .command(env!("CARGO_BIN_EXE_afterstate"), &args)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");

    let begun = Instant::now();
    while !place.path("new.net").exists() && begun.elapsed() < Duration::from_secs(400) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it learns");
    child.wait().expect("it ended");
    let header: Value =
        serde_json::from_slice(&place.done(&["networks", "./new.net", "--format", "json"]))
            .expect("JSON");
    assert_eq!(
        (
            &header["manifest"]["games"],
            &header["manifest"]["training"]["seed"]
        ),
        (&0.into(), &"4".into())
    );

    // The file alone is enough to continue, and gives the same network as one uninterrupted training.
    place.done(&["train", "./new.net", "--games", "30", "--threads", "1"]);
    let whole = ["--games", "30", "--threads", "1", "--out", "whole.net"];
    place.done(
        &[
            &["train", "--network", "0123 0145", "--seed", "4"][..],
            &whole,
        ]
        .concat(),
    );
    for name in ["new", "whole"] {
        place.done(&[
            "networks",
            &format!("./{name}.net"),
            "--export",
            &format!("{name}.w"),
        ]);
    }
    assert!(
        fs::read(place.path("new.w")).expect("weights")
            == fs::read(place.path("whole.w")).expect("weights")
    );
}
