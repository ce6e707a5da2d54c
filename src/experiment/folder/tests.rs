use std::time::{Duration, SystemTime};

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::experiment::manifest::NEWEST;
use crate::experiment::{Contestant, Decisions, EndReason, Run, State};
use crate::files::Sha256;
use crate::game::{Board, Rank, Size};
use crate::preset::{Entry, HalfWidth, StopRule, Sweep};
use crate::strategy::Outcome;
use crate::task::CancelToken;

const SEARCH: &str =
    "(name: \"search\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])";

pub(super) fn plan(games: u64, threads: usize) -> Plan {
    let contestant = |text: &str| Contestant::new(text.parse().expect("a strategy"));
    let preset = Preset::new("Two", []);
    let contestants = ["emr", "r", SEARCH].map(contestant).into();
    Plan {
        games,
        contestants,
        threads: Some(threads),
        ..Plan::of_preset(&preset)
    }
}

/// Plays a plan in a folder to its end.
pub(super) fn play(folder: &Path, plan: Plan) -> Run {
    let run = Run::start_in(
        RunFolder::of_plan(folder, &plan).expect("a folder"),
        plan,
        || {},
    )
    .expect("a sound plan");
    run.wait();
    assert_eq!(run.progress().work.trouble, None);
    run
}

/// The nodes by empty cells of its searches, which have no tables and so the same nodes always.
fn by_empty(folder: &Path) -> Vec<(usize, Decisions)> {
    let results = RunFolder::open(folder)
        .expect("a folder")
        .sums()
        .expect("sound");
    results.contestants[2]
        .summary
        .nodes_by_empty()
        .expect("kept")
}

/// The files, with their paths, that must be the same however the games were played.
pub(super) fn sealed(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let tables = ["games", "moves"]
        .into_iter()
        .flat_map(|kind| files_in(&folder.join(kind)));
    let file = |path: PathBuf| {
        let name = path
            .strip_prefix(folder)
            .expect("below")
            .to_string_lossy()
            .into_owned();
        (name, fs::read(path).expect("readable"))
    };
    tables.map(file).collect()
}

pub(super) fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A game of `moves` moves with `fours` 4s: its board has the sum of its tiles in binary digits.
pub(super) fn possible(index: u64, moves: u32, fours: u32) -> Game {
    let size = Size::FOUR;
    let sum = 2 * (u64::from(moves) + 2) + 2 * u64::from(fours);
    let digits = (1..64_u8).filter(|digit| sum >> digit & 1 == 1);
    let ranks = digits.map(|digit| Rank::new(digit).expect("a rank"));
    let board = size
        .iter()
        .zip(ranks)
        .fold(Board::empty(size), |board, (cell, rank)| {
            board.with(cell, rank)
        });
    let score = arm::sums(&board)[1] - 4 * i128::from(fours);
    let outcome = Outcome {
        score: score as u32,
        moves,
        largest: board.max_rank(),
    };
    let finish = Finish {
        outcome,
        board,
        nodes: 0,
    };
    Game {
        index,
        finish,
        cpu: Some(Duration::ZERO),
        moves: Vec::new(),
        by_empty: ByEmpty::default(),
    }
}

/// A folder in which one thread played all games without interruption.
pub(super) fn whole(games: u64) -> tempfile::TempDir {
    let folder = temporary();
    assert_eq!(play(folder.path(), plan(games, 1)).state(), State::Done);
    folder
}

#[test]
fn a_folder_holds_what_was_played_and_nothing_is_played_again() {
    let folder = whole(60);
    let run = Run::start(plan(60, 2), || {}).expect("a sound plan");
    run.wait();
    let again = play(folder.path(), plan(60, 2));
    assert!(
        again
            .results()
            .contestants
            .iter()
            .zip(run.results().contestants)
            .all(|(a, b)| a.games == b.games)
    );
    assert!((0..60).all(|index| again.games().moves(2, index) == run.games().moves(2, index)));
    assert!(again.games().moves(2, 59).is_some() && again.games().moves(0, 59).is_none());

    let nodes = |run: &Run| -> Vec<u64> {
        run.results()
            .contestants
            .iter()
            .map(|one| one.summary.cost.nodes)
            .collect()
    };
    let results = run.results();
    for (one, again) in results.contestants.iter().zip(again.results().contestants) {
        let by_empty = one.summary.nodes_by_empty().expect("kept");
        assert_eq!(again.summary.nodes_by_empty().as_ref(), Ok(&by_empty));
        let sums = by_empty.iter().fold([0; 2], |[d, n], (_, one)| {
            [d + one.decisions, n + one.nodes]
        });
        let moves: u64 = one
            .games
            .iter()
            .map(|(_, game)| u64::from(game.moves))
            .sum();
        assert_eq!(
            sums,
            if one.summary.cost.nodes == 0 {
                [0; 2]
            } else {
                [moves, one.summary.cost.nodes]
            }
        );
    }
    assert!(
        nodes(&run) == nodes(&again) && nodes(&run)[0] == 0 && 0 < nodes(&run)[2],
        "{:?}",
        nodes(&run)
    );
    let opened = RunFolder::open(folder.path()).expect("a folder");
    let played: Vec<u64> = opened
        .manifest
        .history
        .iter()
        .map(|stint| stint.games)
        .collect();
    assert_eq!(played, [180, 0], "the second found all games there");
    assert_eq!(opened.manifest.end_reason, EndReason::AllGames);
    let record = &opened.manifest.strategies[2];
    assert!(
        record.finished == 60
            && 0.0 < record.cpu_secs.expect("measured")
            && 0 < record.nodes.expect("counted")
    );
    assert!(!folder.path().join(JOURNALS).exists() && !folder.path().join(HISTORY).exists());
}

#[test]
fn sealed_tables_are_the_same_bytes_however_the_games_were_played() {
    const GAMES: u64 = 36;
    const FOLDERS: u64 = 4;
    let expected = whole(GAMES);
    let (expected, decisions) = (sealed(expected.path()), by_empty(expected.path()));
    assert_eq!((expected.len(), decisions.len()), (6, 15));

    for threads in [2, 7, 64] {
        let folder = temporary();
        play(folder.path(), plan(GAMES, threads));
        assert!(sealed(folder.path()) == expected, "{threads} threads");
    }

    // Extended, and stopped in between.
    let folder = temporary();
    play(folder.path(), plan(8, 2));
    let plan_of_all = plan(GAMES, 2);
    let opened = RunFolder::of_plan(folder.path(), &plan_of_all).expect("a folder");
    let mut run = Run::start_in(opened, plan_of_all, || {}).expect("a sound plan");
    run.stop();
    run.wait();
    run = run.go_on(|| {}).expect("a sound plan");
    run.cancel();
    run.wait();
    run = run.go_on(|| {}).expect("a sound plan");
    run.wait();
    assert_eq!(run.state(), State::Done);
    assert!(sealed(folder.path()) == expected && by_empty(folder.path()) == decisions);

    // In parts, all into one folder.
    let part = |shard: u64, shards: u64| Plan {
        part: Some(GAMES * shard / shards..GAMES * (shard + 1) / shards),
        ..plan(GAMES, 2)
    };
    for shards in [3, GAMES] {
        let one = temporary();
        for shard in (0..shards).rev() {
            play(one.path(), part(shard, shards));
        }
        assert!(
            sealed(one.path()) == expected && by_empty(one.path()) == decisions,
            "{shards} shards"
        );
    }

    // Each part into its own folder, merged in any order.
    let others: Vec<_> = (0..FOLDERS).map(|_| temporary()).collect();
    for (shard, folder) in (0..).zip(&others) {
        play(folder.path(), part(shard, FOLDERS));
    }
    let merged = temporary();
    let mut target = RunFolder::of_plan(merged.path(), &plan(GAMES, 1)).expect("a folder");
    let open = |folder: &tempfile::TempDir| RunFolder::open(folder.path()).expect("a folder");
    for folder in others.iter().skip(1).chain(&others[..1]) {
        target.merge(&[open(folder)]).expect("merged");
    }
    assert!(sealed(merged.path()) == expected && by_empty(merged.path()) == decisions);
    let manifest = RunFolder::open(merged.path()).expect("a folder").manifest;
    assert_eq!(
        (manifest.history.len() as u64, manifest.end_reason),
        (FOLDERS, EndReason::AllGames)
    );
}

#[test]
fn a_rule_that_drops_games_drops_their_nodes() {
    let folder = temporary();
    let until = vec![StopRule::HalfWidth(HalfWidth::Percent(25.0))];
    let run = play(
        folder.path(),
        Plan {
            until,
            ..plan(2000, 2)
        },
    );
    assert!(
        matches!(run.state(), State::RuleMet { each: Some(games), .. } if games < 1000),
        "{:?}",
        run.state()
    );
    let summary = &run.results().contestants[2].summary;
    assert_eq!(summary.nodes_by_empty(), Ok(by_empty(folder.path())));
    assert!(
        summary
            .nodes_by_empty()
            .is_ok_and(|means| !means.is_empty())
    );
}

/// A search swept over the chance of a 4: never, the default, always.
fn swept(games: u64, threads: usize) -> Plan {
    let over = vec!["chance of a 4=0,0.1,1".parse().expect("an axis")];
    let bases = ["emr", SEARCH]
        .map(|text| Entry::new(text.parse().expect("a strategy")))
        .to_vec();
    let preset = Preset::of_sweep(
        "Fours",
        Sweep {
            over,
            bases,
            ..Sweep::default()
        },
    )
    .expect("a sweep");
    Plan {
        games,
        threads: Some(threads),
        ..Plan::of_preset(&preset)
    }
}

#[test]
fn a_sweep_over_the_chance_of_a_4_is_a_run_for_each_chance_game_for_game() {
    let folder = temporary();
    let run = play(folder.path(), swept(30, 2));
    let chances = [0.0, 0.1, 1.0];
    for (at, p4) in chances.into_iter().enumerate() {
        let mut alone = plan(30, 1);
        alone.rules.p4 = p4;
        let alone = Run::start(alone, || {}).expect("a sound plan");
        alone.wait();
        let (alone, swept) = (alone.results(), run.results());
        for (ours, theirs) in [(at, 0), (3 + at, 2)] {
            let [one, other] = [&swept.contestants[ours], &alone.contestants[theirs]];
            assert!(
                one.rules.p4 == p4 && one.games == other.games,
                "{p4} {}",
                one.strategy.name
            );
        }
    }

    // Only games with the same spawns are compared.
    let results = run.results();
    let compared = results.comparisons().expect("several");
    assert!(
        (0..6).all(|place| compared.pair(place).is_some() == (place == 3))
            && compared.standings.is_none()
    );
    assert!(compared.sentences().iter().any(|text| {
        text.contains("where the probability of a 4 differs from that of emr, chance")
    }));
    let points = results.swept().expect("a sweep");
    assert_eq!(points.lines[1].contestants, [Some(3), Some(4), Some(5)]);
    assert_eq!(results.sweep_steps(&points, 4), [None]);

    // A folder records the chance of each strategy, however its games were played.
    let opened = RunFolder::open(folder.path()).expect("a folder");
    let own = |manifest: &Manifest| {
        manifest
            .strategies
            .iter()
            .map(|record| record.p4)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        own(&opened.manifest),
        [Some(0.0), None, Some(1.0), Some(0.0), None, Some(1.0)]
    );
    let texts = [opened.manifest.p4_text(), opened.manifest.fours_text()];
    assert_eq!(
        (opened.manifest.format, texts.each_ref().map(String::as_str)),
        (NEWEST, ["0 to 1", "0 to 100 % fours"])
    );
    let verified = opened
        .verify(40, &mut rand::make_rng(), &CancelToken::new())
        .expect("games");
    assert!(verified.len() == 40 && verified.iter().all(Verified::is_same));
    let merged = temporary();
    let mut target = RunFolder::of_plan(merged.path(), &swept(30, 1)).expect("a folder");
    for part in [11..30, 0..11] {
        let folder = temporary();
        play(
            folder.path(),
            Plan {
                part: Some(part),
                ..swept(30, 1)
            },
        );
        target
            .merge(&[RunFolder::open(folder.path()).expect("a folder")])
            .expect("merged");
    }
    assert!(sealed(merged.path()) == sealed(folder.path()));

    let stopped = temporary();
    let opened = RunFolder::of_plan(stopped.path(), &swept(30, 1)).expect("a folder");
    let mut begun = Run::start_in(opened, swept(30, 1), || {}).expect("a sound plan");
    begun.cancel();
    begun.wait();
    begun = begun.go_on(|| {}).expect("a sound plan");
    begun.wait();
    assert!(begun.state() == State::Done && sealed(stopped.path()) == sealed(folder.path()));
    // Games with the default chance have the same key as without a sweep, so the two kinds of runs can share games.
    assert_eq!(
        Arm::of(&swept(30, 1), 4).file(),
        Arm::of(&plan(30, 1), 2).file()
    );
    let other = RunFolder::of_plan(
        folder.path(),
        &Plan {
            sweep: None,
            ..plan(30, 1)
        },
    )
    .expect_err("another run");
    assert!(
        other.to_string().contains("its strategies are different"),
        "{other}"
    );
}

#[test]
fn a_manifest_of_a_later_program_is_refused() {
    let folder = temporary();
    RunFolder::of_plan(folder.path(), &swept(2, 1)).expect("a folder");
    let path = folder.path().join(MANIFEST);
    let text = fs::read_to_string(&path)
        .expect("written")
        .replace("\"format\": 4", "\"format\": 5");
    fs::write(&path, text).expect("written");
    let error = RunFolder::open(folder.path())
        .expect_err("later")
        .to_string();
    assert!(
        error.contains("this manifest has format 5, this program reads up to 4: update afterstate"),
        "{error}"
    );
}

#[test]
fn games_of_a_killed_process_are_there() {
    let expected = whole(40);
    let mut folder = temporary();
    let plan = plan(40, 1);
    let keeper = Keeper::begin(
        RunFolder::of_plan(folder.path(), &plan).expect("a folder"),
        &plan,
    )
    .expect("begun");
    let there = RunFolder::open(expected.path())
        .expect("a folder")
        .games()
        .expect("games");
    let arms: Vec<Arm> = (0..plan.contestants.len())
        .map(|place| Arm::of(&plan, place))
        .collect();
    for (place, arm) in arms.iter().enumerate() {
        // Every third game is missing.
        let games = there
            .games_of(arm)
            .expect("games")
            .map(|game| game.expect("a game"));
        games
            .filter(|game| game.index % 3 != 1)
            .for_each(|game| keeper.put(place, &[game], || false).expect("written"));
    }

    // The state after a process was killed while writing: the end of a block is missing.
    let playing = std::mem::replace(&mut folder, temporary());
    for path in files_in(playing.path()) {
        let to = folder
            .path()
            .join(path.strip_prefix(playing.path()).expect("below"));
        match path.is_dir() {
            false => drop(fs::copy(&path, &to).expect("copied")),
            true => fs::create_dir(&to).expect("made"),
        }
        for file in files_in(&path) {
            fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copied");
        }
    }
    let journal = files_in(&folder.path().join(JOURNALS)).remove(0);
    let bytes = fs::read(&journal).expect("readable");
    fs::write(&journal, &bytes[..bytes.len() - 5]).expect("writable");
    let rest = RunFolder::open(folder.path())
        .expect("a folder")
        .games()
        .expect("games");
    let counts: Vec<usize> = arms
        .iter()
        .map(|arm| rest.games_of(arm).expect("games").count())
        .collect();
    assert_eq!(counts, [27, 27, 26]);

    // Files and tables that were being written.
    fs::create_dir_all(folder.path().join("parts/.host-1-0/games")).expect("made");
    for name in [
        "journal/.afterstate-a1B2c3",
        "history/.afterstate-d4E5f6",
        "parts/.host-1-0/games/0.parquet",
    ] {
        fs::write(folder.path().join(name), "half").expect("writable");
    }
    let run = play(folder.path(), plan);
    assert_eq!(run.state(), State::Done);
    assert!(sealed(folder.path()) == sealed(expected.path()));
    assert_eq!(by_empty(folder.path()), by_empty(expected.path()));

    for name in [JOURNALS, HISTORY, PARTS] {
        assert!(!folder.path().join(name).exists(), "{name} is left");
    }
    let manifest = RunFolder::open(folder.path()).expect("a folder").manifest;
    assert!(
        manifest
            .history
            .iter()
            .all(|stint| 0.0 < stint.elapsed_secs),
        "{:?}",
        manifest.history
    );
    let ends: Vec<&EndReason> = manifest.history.iter().map(|stint| &stint.end).collect();
    assert!(
        ends.contains(&&EndReason::Running { games: 0 }) && ends.contains(&&EndReason::AllGames),
        "{ends:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_over_has_no_journal_open() {
    let folder = temporary();
    let plan = plan(10, 1);
    let keeper = Keeper::begin(
        RunFolder::of_plan(folder.path(), &plan).expect("a folder"),
        &plan,
    )
    .expect("begun");
    let journals = fs::canonicalize(folder.path())
        .expect("a folder")
        .join(JOURNALS);
    let is_open = || {
        let mut open = files_in(Path::new("/proc/self/fd"))
            .into_iter()
            .filter_map(|file| fs::read_link(file).ok());
        open.any(|file| file.starts_with(&journals))
    };
    assert!(is_open());
    keeper.end(EndReason::AllGames, Duration::ZERO);
    assert!(!is_open());
}

#[test]
fn a_part_reads_nothing_of_the_others() {
    let expected = whole(90);
    let folder = temporary();
    let part = |part| Plan {
        part: Some(part),
        ..plan(90, 1)
    };
    // Another process is playing, so the files are not merged.
    let elsewhere = Keeper::begin(
        RunFolder::of_plan(folder.path(), &part(60..90)).expect("a folder"),
        &part(60..90),
    );
    let elsewhere = elsewhere.expect("begun");
    play(folder.path(), part(0..30));
    let [theirs, ours] =
        [JOURNALS, PARTS].map(|kind| files_in(&folder.path().join(kind)).remove(0));
    let aside = folder.path().join("aside");
    fs::rename(&theirs, &aside).expect("moved");
    fs::create_dir(&theirs).expect("made");
    let opened = RunFolder::open(folder.path()).expect("a folder");
    let first = &opened.arms()[0];
    let games = opened
        .games_in(10..20)
        .expect("none of theirs is read")
        .games_of(first)
        .expect("games");
    assert_eq!(
        games
            .map(|game| game.expect("a game").index)
            .collect::<Vec<_>>(),
        (0..30).collect::<Vec<_>>()
    );
    assert!(opened.games_in(10..61).is_err());

    fs::remove_dir(&theirs).expect("removed");
    fs::rename(&aside, &theirs).expect("moved back");
    let table = ours.join("games").join(format!("{}.parquet", first.file()));
    let whole = fs::read(&table).expect("readable");
    fs::write(&table, "torn").expect("writable");
    assert_eq!(
        opened
            .games_in(30..90)
            .expect("opened")
            .games_of(first)
            .expect("none of ours is read")
            .count(),
        0
    );
    assert!(
        opened
            .games_in(29..90)
            .expect("opened")
            .games_of(first)
            .is_err()
    );

    fs::write(&table, whole).expect("writable");
    drop((elsewhere, opened));
    play(folder.path(), part(30..90));
    assert!(sealed(folder.path()) == sealed(expected.path()));
}

#[test]
fn another_run_and_other_files_are_left_alone() {
    let folder = whole(10);
    let refused = |plan: &Plan| {
        RunFolder::of_plan(folder.path(), plan)
            .expect_err("another run")
            .to_string()
    };
    assert!(
        refused(&Plan {
            seed: 2,
            ..plan(10, 1)
        })
        .ends_with("(its seed is 1, not 2); choose another folder")
    );
    let mut others = plan(10, 1);
    others.contestants.pop();
    assert!(refused(&others).contains("its strategies are different"));
    let mut others = plan(10, 1);
    others.rules.p4 = 0.2;
    assert!(refused(&others).contains("its rules are different"));
    let notes = temporary();
    fs::write(notes.path().join("notes.txt"), "mine").expect("writable");
    let error = RunFolder::of_plan(notes.path(), &plan(10, 1))
        .expect_err("not a run")
        .to_string();
    assert!(
        error.contains("it contains notes.txt but no manifest.json"),
        "{error}"
    );
    let error = RunFolder::open(notes.path())
        .expect_err("not a run")
        .to_string();
    assert!(
        error.contains("there is no such file; name the folder of a run"),
        "{error}"
    );
}

#[test]
fn what_two_files_say_differently_is_not_merged() {
    let (folder, other) = (whole(12), temporary());
    let plan = plan(12, 1);
    let lied = RunFolder::of_plan(other.path(), &plan).expect("a folder");
    let arm = Arm::of(&plan, 1);
    let games = RunFolder::open(folder.path())
        .expect("a folder")
        .games()
        .expect("games")
        .games_of(&arm)
        .expect("games");
    let mut games = games.collect::<Result<Vec<Game>>>().expect("games");
    games[7] = Game {
        index: 7,
        ..games[8].clone()
    };
    tables::write(other.path(), &arm, games.into_iter().map(Ok)).expect("written");
    let mut target = RunFolder::open(folder.path()).expect("a folder");
    let error = target
        .merge(&[lied])
        .expect_err("they disagree")
        .to_string();
    assert!(
        error.starts_with("r, game 7: two files disagree about it"),
        "{error}"
    );
    assert!(
        sealed(folder.path()) == sealed(whole(12).path()),
        "nothing was written"
    );
}

/// The threads of a run that has ended have its folder until they end, too.
fn wait_until_released(folder: &Path) {
    while RunFolder::is_played(folder).expect("locks") {
        std::thread::yield_now();
    }
}

#[test]
fn only_a_run_that_plays_is_listed_as_running() {
    let (folder, plan) = (temporary(), plan(20, 2));
    let listed = || {
        KeptRun::at(folder.path().to_owned())
            .manifest
            .expect("a manifest")
            .end_reason
    };
    let played = |plan: &Plan| {
        let opened = RunFolder::of_plan(folder.path(), plan).expect("a folder");
        let run = Run::start_in(opened, plan.clone(), || {}).expect("a sound plan");
        run.wait();
        run
    };

    // Runs whose results stay in memory, as in a window, and the same again, which plays nothing.
    let first = played(&plan);
    assert_eq!(listed(), EndReason::AllGames);
    let again = played(&plan);
    // The results of the first keep the files of the second from being merged.
    assert!(
        folder.path().join(HISTORY).exists() && RunFolder::is_played(folder.path()).expect("locks")
    );
    assert_eq!(listed(), EndReason::AllGames);
    drop((first, again));

    let reader = RunFolder::open(folder.path()).expect("a folder");
    let more = played(&Plan {
        games: 30,
        ..plan.clone()
    });
    assert_eq!((more.state(), listed()), (State::Done, EndReason::AllGames));

    // A killed run counts as running only while another process locks the folder.
    let mut killed = Stint::begun(&plan, "killed", 9);
    killed.games = 2;
    fs::write(
        folder.path().join(HISTORY).join("killed.json"),
        serde_json::to_vec(&killed).expect("JSON"),
    )
    .expect("written");
    assert_eq!(listed(), EndReason::Running { games: 92 });
    drop((reader, more));
    wait_until_released(folder.path());
    assert_eq!(listed(), EndReason::Cancelled { games: 92 });
}

#[test]
fn a_lock_that_fails_is_an_error_and_no_sign_of_a_player() {
    let (folder, other) = (whole(5), whole(5));
    let lock = folder.path().join(LOCK);
    fs::remove_file(&lock).expect("a lock");
    fs::create_dir(&lock).expect("made");
    let words = format!("{}: ", lock.display());
    for error in [
        RunFolder::open(folder.path())
            .map(drop)
            .expect_err("no lock"),
        RunFolder::is_played(folder.path())
            .map(drop)
            .expect_err("no lock"),
    ] {
        assert!(
            error.to_string().starts_with(&words) && error.to_string().contains("directory"),
            "{error}"
        );
    }

    // The list of runs shows the error in place of how a run ended.
    let stint = folder.path().join(HISTORY);
    fs::create_dir(&stint).expect("made");
    let begun = Stint::begun(&plan(5, 1), "one", 1);
    fs::write(
        stint.join("one.json"),
        serde_json::to_vec(&begun).expect("JSON"),
    )
    .expect("written");
    let listed = KeptRun::at(folder.path().to_owned());
    assert!(
        listed
            .manifest
            .expect_err("no lock")
            .to_string()
            .starts_with(&words)
    );

    // Without a missing file another process counts as playing.
    wait_until_released(other.path());
    let open = RunFolder::open(other.path()).expect("a folder");
    assert!(RunFolder::is_played(other.path()).expect("locks"));
    drop(open);
    assert!(!RunFolder::is_played(other.path()).expect("locks"));
}

#[test]
fn a_run_warns_where_the_file_system_has_no_locks() {
    let (folder, plan) = (temporary(), plan(5, 1));
    let opened = || RunFolder::of_plan(folder.path(), &plan).expect("a folder");
    let warning = files::Lock::Unsupported.warning(folder.path());
    assert_eq!(opened().warning(), None);
    let unlocked = files::without_locks(opened);
    assert_eq!(unlocked.warning(), warning.as_deref());
    let run = Run::start_in(unlocked, plan.clone(), || {}).expect("a sound plan");
    run.wait();
    assert_eq!(
        (run.state(), run.warning()),
        (State::Done, warning.as_deref())
    );
    let locked = Run::start_in(opened(), plan.clone(), || {}).expect("a sound plan");
    assert_eq!(locked.warning(), None);
}

#[test]
fn a_disk_without_room_lets_the_run_wait() {
    let folder = temporary();
    let plan = plan(30, 2);
    let opened = RunFolder::of_plan(folder.path(), &plan).expect("a folder");
    let keeper = Keeper::begin(opened, &plan).expect("begun");

    // An unwritable journal stands for a full disk.
    let full = Path::new("/dev/full");
    if !full.exists() {
        println!("skipped: there is no /dev/full here");
        return;
    }
    keeper.write_to(File::options().write(true).open(full).expect("opened"));
    let give_up = CancelToken::new();
    let game = Game {
        index: 0,
        finish: Finish {
            outcome: Outcome {
                score: 8,
                moves: 2,
                largest: Rank::FOUR,
            },
            board: Board::empty(plan.rules.size).with(crate::game::Cell::new(0, 0), Rank::FOUR),
            nodes: 0,
        },
        cpu: Some(Duration::ZERO),
        moves: Vec::new(),
        by_empty: ByEmpty::default(),
    };

    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| keeper.put(0, &[game], || give_up.is_cancelled()));
        let trouble = (0..200_000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            keeper.trouble()
        });
        let is_waiting = !waiting.is_finished();
        give_up.cancel();
        let trouble = trouble.expect("trouble");
        assert!(
            trouble.contains("games cannot be saved (No space left on device)") && is_waiting,
            "{trouble}"
        );
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn tables_and_journals_are_read_as_they_were_written(
        games in vec((0..1_u64 << 40, 0..60_000_u32, any::<u32>(), proptest::option::of(any::<u32>()), any::<u64>(), vec(0..4_usize, 0..9)), 1..40),
        torn in 0..200_usize,
    ) {
        let size = Size::FOUR;
        let arm = Arm::of(&plan(1, 1), 0);
        let game = |(index, moves, fours, cpu, nodes, made): (u64, u32, u32, Option<u32>, u64, Vec<usize>)| {
            let moves = if made.is_empty() { moves } else { made.len() as u32 };
            let mut game = possible(index, moves, fours % (moves + 3));
            game.moves = made.into_iter().map(|place| Move::ALL[place]).collect();
            game.cpu = cpu.map(|cpu| Duration::from_nanos(u64::from(cpu)));
            game.finish.nodes = cpu.map_or(0, |_| nodes >> 1);
            if game.cpu.is_some() {
                let all = |place| if place == 0 { game.finish.nodes } else { 0 };
                (0..game.moves.len()).for_each(|place| game.by_empty.add(place * 3 % 26, all(place)));
            }
            game
        };

        let mut games: Vec<Game> = games.into_iter().map(game).collect();
        games.sort_by_key(|game| game.index);
        games.dedup_by_key(|game| game.index);
        let folder = temporary();
        let path = folder.path().join("one.journal");
        let names = ["a", "b"].map(Sha256::of);
        let mut journal = journal::Journal::create(&path, size, &names).expect("made");
        for games in games.chunks(3) {
            journal.add(1, games).expect("written");
        }
        let read = journal::read(&path).expect("read").expect("there");
        prop_assert!(read[1].1 == games && read[0].1.is_empty());

        // Cut off anywhere: whole blocks are read, and a cut-off head is no error.
        let bytes = fs::read(&path).expect("read");
        fs::write(&path, &bytes[..bytes.len().saturating_sub(torn)]).expect("written");
        if let Some((_, whole)) = journal::read(&path).expect("read").expect("there").get(1) {
            prop_assert!(games.starts_with(whole) && (whole.len() % 3 == 0 || whole.len() == games.len()));
        }
        tables::write(folder.path(), &arm, games.iter().cloned().map(Ok)).expect("written");
        let read = tables::read(folder.path(), &arm, &(0..u64::MAX), u64::MAX, &Verifier::default()).expect("opened");
        let read: Vec<Game> = read.map(|game| game.expect("a game")).collect();
        prop_assert_eq!(read, games);
    }
}

#[test]
fn a_deleted_run_comes_back_whole_until_it_is_removed_for_good() {
    let place = tempfile::tempdir().expect("a folder");
    let runs = Runs::at(place.path().join("runs"));
    let plan = Plan {
        games: 3,
        ..Plan::of_preset(&Preset::new("Gone", ["r".parse().expect("letters")]))
    };
    let run = Run::start_in(
        runs.folder_of(&plan).expect("a folder"),
        plan.clone(),
        || {},
    )
    .expect("a sound plan");
    run.wait();
    let path = run.folder().expect("kept").to_owned();
    let refused = runs
        .delete(&path)
        .expect_err("this process holds it")
        .to_string();
    assert!(
        refused.contains("it is running: stop it first"),
        "{refused}"
    );
    drop(run);
    wait_until_released(&path);
    RunNotes {
        tags: vec!["kept".to_owned()],
        ..RunNotes::default()
    }
    .write(&path)
    .expect("written");
    let all = |folder: &Path| {
        let mut files: Vec<(String, u64)> = files_in(folder)
            .into_iter()
            .map(|path| {
                (
                    crate::files::name_of(&path),
                    path.metadata().map_or(0, |data| data.len()),
                )
            })
            .collect();
        files.sort();
        files
    };
    let before = all(&path);
    let deleted = runs.delete(&path).expect("moved");
    assert!(
        !path.exists() && runs.list().is_empty() && runs.games_of(&plan).expect("read").is_none()
    );

    let later = |days: u64| SystemTime::now() + Duration::from_secs(days * 24 * 3600);
    runs.empty_trash(later(29)).expect("nothing is old");
    runs.restore(&deleted).expect("back");
    assert_eq!((all(&path), runs.list().len()), (before, 1));
    assert_eq!(runs.list()[0].notes.tags, ["kept"]);

    // Another run has taken its place.
    let deleted = runs.delete(&path).expect("moved");
    drop(
        Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan"),
    );
    let refused = runs.restore(&deleted).expect_err("taken").to_string();
    assert!(refused.contains("another run exists there"), "{refused}");
    runs.empty_trash(later(TRASH_DAYS + 1)).expect("removed");
    assert!(!deleted.trash.exists() && path.exists());
}

#[test]
fn a_run_is_read_again_only_when_its_files_have_changed() {
    let place = tempfile::tempdir().expect("a folder");
    let runs = Runs::at(place.path());
    let plan = Plan {
        games: 3,
        ..Plan::of_preset(&Preset::new("Seen", ["r".parse().expect("letters")]))
    };
    let run = Run::start_in(
        runs.folder_of(&plan).expect("a folder"),
        plan.clone(),
        || {},
    )
    .expect("a sound plan");
    run.wait();
    let seen = runs.list().remove(0);
    assert!(seen.is_current() && seen.bytes().is_some_and(|bytes| 0 < bytes));
    RunNotes {
        note: "x".to_owned(),
        ..RunNotes::default()
    }
    .write(&seen.path)
    .expect("written");
    assert!(!seen.is_current());
    let seen = runs.list().remove(0);
    assert!(seen.is_current() && seen.notes.note == "x");
    std::fs::create_dir(seen.path.join(HISTORY)).expect("made");
    assert!(!seen.is_current(), "another process plays");
}

/// A process may be killed after each of the three files of a strategy was put in place.
#[test]
fn tables_that_were_being_replaced_are_read_as_they_were_before() {
    let arm = Arm::of(&plan(1, 1), 0);
    let game = |index: u64| {
        let mut game = possible(index, 1 + (index % 5) as u32, (index % 3) as u32);
        game.moves = (0..game.finish.outcome.moves as usize)
            .map(|place| Move::ALL[(index as usize + place) % 4])
            .collect();
        (game.cpu, game.finish.nodes) = (Some(Duration::from_nanos(index)), 3 * index);
        game
    };
    let (before, after, place) = (temporary(), temporary(), temporary());

    // Several row groups, whose ends are at different games.
    let (few, all) = (|index: &u64| index % 7 < 4, 0..140_000_u64);
    let write = |root: &Path, games: &mut dyn Iterator<Item = u64>| {
        tables::write(root, &arm, games.map(|index| Ok(game(index)))).expect("written");
    };
    write(before.path(), &mut all.clone().filter(few));
    write(after.path(), &mut all.clone());
    let put = |from: &Path, kind: &str| {
        let file = |root: &Path| root.join(kind).join(format!("{}.parquet", arm.file()));
        fs::create_dir_all(place.path().join(kind)).expect("made");
        fs::copy(file(from), file(place.path())).expect("copied");
    };
    let read = |indices: Range<u64>| -> Vec<Game> {
        let games = tables::read(place.path(), &arm, &indices, u64::MAX, &Verifier::default())
            .expect("opened");
        games
            .map(|game| game.expect("read"))
            .filter(|game| indices.contains(&game.index))
            .collect()
    };

    put(after.path(), "moves");
    put(after.path(), "costs");
    assert!(
        tables::span(place.path(), &arm, &Verifier::default())
            .expect("looked")
            .is_none(),
        "no games yet, whatever lies beside them"
    );

    ["games", "costs", "moves"]
        .iter()
        .for_each(|kind| put(before.path(), kind));
    for kind in ["moves", "costs"] {
        put(after.path(), kind);
        for indices in [0..140_000, 130_000..131_000] {
            let expected: Vec<Game> = indices.clone().filter(few).map(game).collect();
            assert!(read(indices.clone()) == expected, "{kind}: {indices:?}");
        }
    }
    put(after.path(), "games");
    assert!(read(0..140_000) == all.map(game).collect::<Vec<_>>());
}

#[test]
fn a_run_gets_the_newest_format_and_exported_results_keep_theirs() {
    let manifest = Manifest::planned(&swept(30, 1));
    for (format, renewed) in [(1, 1), (2, NEWEST), (NEWEST - 1, NEWEST), (NEWEST, NEWEST)] {
        let mut manifest = Manifest {
            format,
            ..manifest.clone()
        };
        manifest.renew();
        assert_eq!(manifest.format, renewed);
    }
}
