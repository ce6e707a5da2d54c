//! Tests with run files that were changed, cut off or swapped: reading gives the same numbers or one sentence.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::SeedableRng as _;

use super::tests::{plan, play, possible, sealed, temporary, whole};
use super::*;
use crate::game::Rank;
use crate::task::CancelToken;

type Row = (u64, Finish, Vec<Move>);
type Numbers = Vec<Vec<Row>>;

/// All games of a folder except for their costs, after reading its summary.
fn games_of(folder: &Path) -> Result<Numbers> {
    games_in(&RunFolder::open(folder)?)
}

fn games_in(opened: &RunFolder) -> Result<Numbers> {
    opened.sums()?;
    let there = opened.games()?;
    let row = |game: Game| -> Row {
        (
            game.index,
            Finish {
                nodes: 0,
                ..game.finish
            },
            game.moves,
        )
    };
    let rows = |arm: &Arm| -> Result<Vec<Row>> {
        there.games_of(arm)?.map(|game| game.map(row)).collect()
    };
    opened.arms().iter().map(rows).collect()
}

/// The games and the manifest.
fn numbers(folder: &Path) -> Result<(Numbers, String)> {
    let opened = RunFolder::open(folder)?;
    Ok((games_in(&opened)?, format!("{:?}", opened.manifest)))
}

/// Reads a folder. A panic fails the test; an error must be one sentence that names a file of the folder.
fn said<T>(
    folder: &Path,
    what: &str,
    read: impl FnOnce() -> Result<T>,
) -> std::result::Result<T, String> {
    let done = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| panic!("{what}: a panic"));
    done.map_err(|error| {
        let sentence = error.to_string();
        let is_one = sentence.lines().count() == 1 && sentence.contains(&*folder.to_string_lossy());
        assert!(is_one, "{what}: {sentence}");
        sentence
    })
}

/// All files below a folder, except for locks.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let below = |path: PathBuf| {
        if path.is_dir() {
            files_below(&path)
        } else {
            vec![path]
        }
    };
    files_in(folder).into_iter().flat_map(below).collect()
}

/// A file with one bit flipped at each of many places, and cut off at many lengths.
fn damages(bytes: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
    let flip = move |place: usize| {
        let mut changed = bytes.to_vec();
        changed[place] ^= 1 << (place / 3 % 8);
        (format!("bit of byte {place}"), changed)
    };
    let cut = move |length: usize| (format!("cut to {length} bytes"), bytes[..length].to_vec());
    (0..bytes.len())
        .step_by(59)
        .map(flip)
        .chain((0..bytes.len()).step_by(499).map(cut))
}

/// Changes a file, runs `look`, and restores the file.
fn change<T>(path: &Path, bytes: &[u8], look: impl FnOnce() -> T) -> T {
    let before = fs::read(path).expect("readable");
    fs::write(path, bytes).expect("writable");
    let seen = look();
    fs::write(path, before).expect("writable");
    seen
}

#[test]
fn a_damaged_file_leaves_the_same_numbers_or_one_sentence() {
    let folder = whole(6);
    let path = folder.path();
    let expected = numbers(path).expect("sound");
    let mut refused = 0;
    for file in files_below(path) {
        let name = file
            .strip_prefix(path)
            .expect("below")
            .to_string_lossy()
            .into_owned();
        for (damage, bytes) in damages(&fs::read(&file).expect("readable")) {
            let what = format!("{name}, {damage}");
            match change(&file, &bytes, || said(path, &what, || numbers(path))) {
                Ok(found) => assert!(found == expected, "{what}: other numbers"),
                Err(_) => {
                    assert!(
                        !name.starts_with("costs"),
                        "{what}: only the costs are lost"
                    );
                    refused += 1;
                }
            }
        }
    }

    assert!(50 < refused, "{refused} were refused");
    assert_eq!(numbers(path).expect("sound"), expected);
}

#[test]
fn a_damaged_file_of_an_older_run_is_no_panic() {
    let folder = whole(4);
    let path = folder.path();
    make_old(path);
    assert!(numbers(path).is_ok());
    let mut changed = 0;
    for file in files_below(path) {
        for (damage, bytes) in damages(&fs::read(&file).expect("readable")) {
            let what = format!("{}, {damage}", file.display());
            let read = || change(&file, &bytes, || said(path, &what, || numbers(path)));
            changed += usize::from(read().is_err());
        }
    }
    assert!(30 < changed, "{changed} were refused");
}

/// Removes what older programs did not write.
fn make_old(folder: &Path) {
    fs::remove_dir_all(folder.join(checksums::CHECKSUMS)).expect("removed");
    let manifest = folder.join(MANIFEST);
    let text = fs::read_to_string(&manifest).expect("readable");
    let (rest, _) = text.rsplit_once(",\n  \"checksum\"").expect("a sum");
    fs::write(&manifest, format!("{rest}\n}}\n")).expect("writable");
}

#[test]
fn an_older_run_opens_and_is_not_verified() {
    let folder = whole(5);
    let path = folder.path();
    let expected = numbers(path).expect("sound");
    let opened = RunFolder::open(path).expect("a folder");
    opened.sums().expect("sound");
    assert!(opened.tables_not_verified().is_empty());
    drop(opened);
    make_old(path);
    assert_eq!(numbers(path).expect("sound"), expected);

    let opened = RunFolder::open(path).expect("a folder");
    opened.sums().expect("sound");
    assert_eq!(opened.tables_not_verified().len(), 9);
    drop(opened);
    // New games upgrade the folder.
    play(path, plan(7, 1));
    let opened = RunFolder::open(path).expect("a folder");
    opened.sums().expect("sound");
    assert!(opened.tables_not_verified().is_empty() && sealed(path) == sealed(whole(7).path()));
}

#[test]
fn a_journal_that_was_damaged_has_no_other_games() {
    let (expected, folder) = (whole(5), temporary());
    let plan = plan(5, 1);
    let all = games_of(expected.path()).expect("sound");
    let keeper = Keeper::begin(
        RunFolder::of_plan(folder.path(), &plan).expect("a folder"),
        &plan,
    )
    .expect("begun");
    let there = RunFolder::open(expected.path())
        .expect("a folder")
        .games()
        .expect("games");
    for place in 0..plan.contestants.len() {
        let games = there
            .games_of(&Arm::of(&plan, place))
            .expect("games")
            .collect::<Result<Vec<_>>>()
            .expect("games");
        games
            .chunks(2)
            .for_each(|games| keeper.put(place, games, || false).expect("written"));
    }

    let path = folder.path();
    assert_eq!(games_of(path).expect("sound"), all);
    let journal = files_in(&path.join(JOURNALS)).remove(0);
    let (mut refused, mut fewer) = (0, 0);
    for (damage, bytes) in damages(&fs::read(&journal).expect("readable")) {
        match change(&journal, &bytes, || said(path, &damage, || games_of(path))) {
            Ok(found) => {
                fewer += usize::from(found != all);
                let is_one = |(found, all): (&Vec<Row>, &Vec<Row>)| {
                    found.iter().all(|game| all.contains(game))
                };
                assert!(found.iter().zip(&all).all(is_one), "{damage}: other games");
            }
            Err(_) => refused += 1,
        }
    }

    assert!(0 < refused && 0 < fewer, "{refused} {fewer}");
}

#[test]
fn a_journal_with_games_that_no_run_has_is_refused_and_nothing_is_destroyed() {
    let sound = plan(5, 1);
    let foreign = Plan {
        seed: 9,
        contestants: vec![sound.contestants[0].clone()],
        ..sound.clone()
    };
    let mut of_another = foreign.clone();
    of_another.contestants[0].strategy = "er".parse().expect("letters");

    for (index, plan, part) in [
        (
            1 << 63,
            &foreign,
            "a run cannot have game 9223372036854775808",
        ),
        (
            5,
            &foreign,
            "it has game 5, but the games of this run end before 5",
        ),
        (
            1,
            &of_another,
            "it has games of a strategy that is not in this run",
        ),
    ] {
        let folder = temporary();
        let mut into = RunFolder::of_plan(folder.path(), &sound).expect("a folder");
        let journals = folder.path().join(JOURNALS);
        fs::create_dir(&journals).expect("made");
        let path = journals.join("x-0.journal");
        let key = Arm::of(plan, 0).key;
        let mut journal = journal::Journal::create(&path, plan.rules.size, &[key]).expect("made");
        journal.add(0, &[possible(index, 3, 0)]).expect("written");
        let before = fs::read(&path).expect("readable");
        let error = into.merge(&[]).expect_err(part).to_string();
        assert!(
            error.contains("x-0.journal: ") && error.contains(part),
            "{error}"
        );
        assert_eq!(fs::read(&path).expect("it is still there"), before);
        assert!(files_in(&folder.path().join("games")).is_empty(), "{part}");
    }
}

/// The tables of a strategy of [`plan`] in a separate folder, with checksums.
fn with_games(place: usize, games: Vec<Game>) -> tempfile::TempDir {
    let folder = temporary();
    drop(RunFolder::of_plan(folder.path(), &plan(5, 1)).expect("a folder"));
    tables::write(
        folder.path(),
        &Arm::of(&plan(5, 1), place),
        games.into_iter().map(Ok),
    )
    .expect("written");
    folder
}

#[test]
fn rows_rise_in_their_range_and_are_possible_games() {
    let sound = |index| possible(index, 3, 1);
    assert_eq!(
        games_of(with_games(0, (0..5).map(sound).collect()).path()).expect("sound")[0].len(),
        5
    );
    let mut other_score = sound(1);
    other_score.finish.outcome.score += 4;

    let mut other_moves = sound(1);
    other_moves.finish.outcome.moves += 1;
    let mut other_tile = sound(1);
    other_tile.finish.outcome.largest = Rank::FOUR;
    let mut few_moves = sound(1);
    few_moves.moves = vec![Move::ALL[0]; 8];

    for (one, part) in [
        (sound(0), "the indices of its rows do not increase at 0"),
        (sound(7), "row 7 is not among the games that it names"),
        (
            other_score,
            "has 20 points, which is impossible with 3 moves to ",
        ),
        (other_moves, "points, which is impossible with 4 moves to "),
        (other_tile, "4 is not the largest tile of "),
        (few_moves, "the moves of game 1 are not in it"),
    ] {
        let folder = with_games(0, vec![sound(0), one]);
        let error = said(folder.path(), part, || games_of(folder.path())).expect_err(part);
        assert!(
            error.contains(".parquet: this table is damaged (") && error.contains(part),
            "{error}"
        );
        assert!(error.contains("restore a copy, or delete"), "{error}");
    }
}

#[test]
fn tables_of_another_seed_or_strategy_or_of_other_rules_are_refused() {
    let folder = whole(5);
    let path = folder.path();
    let arms: Vec<Arm> = (0..3).map(|place| Arm::of(&plan(5, 1), place)).collect();
    let place = |root: &Path, kind: &str, arm: &Arm| {
        root.join(kind).join(format!("{}.parquet", arm.file()))
    };
    let refused = |part: &str| {
        make_old_sums(path);
        let error = said(path, part, || games_of(path)).expect_err(part);
        assert!(error.contains(part), "{error}");
    };

    let [first, second] = [0, 1].map(|arm| place(path, "games", &arms[arm]));
    let (one, other) = (
        fs::read(&first).expect("readable"),
        fs::read(&second).expect("readable"),
    );
    fs::write(&first, &other).expect("writable");
    fs::write(&second, &one).expect("writable");
    refused("it has games of a strategy other than emr");
    fs::write(&first, &one).expect("writable");
    fs::write(&second, &other).expect("writable");
    let elsewhere = temporary();

    for (plan, part) in [
        (
            Plan {
                seed: 2,
                ..plan(5, 1)
            },
            "it has games of seed 2, not 1",
        ),
        (
            Plan {
                rules: crate::game::Rules {
                    p4: 0.2,
                    ..plan(5, 1).rules
                },
                ..plan(5, 1)
            },
            "it has games with different rules",
        ),
    ] {
        let folder = elsewhere
            .path()
            .join(plan.seed.to_string() + &plan.rules.p4.to_string());
        play(&folder, plan);
        fs::copy(place(&folder, "games", &arms[0]), &first).expect("copied");
        refused(part);
    }
}

/// Removes the checksums, so that only the metadata of the tables can reveal a swap.
fn make_old_sums(folder: &Path) {
    let _ = fs::remove_dir_all(folder.join(checksums::CHECKSUMS));
}

#[test]
fn costs_that_are_missing_or_damaged_are_lost_alone() {
    let folder = whole(6);
    let path = folder.path();
    let expected = games_of(path).expect("sound");
    let results = RunFolder::open(path)
        .expect("a folder")
        .sums()
        .expect("sound");
    assert!(
        results
            .contestants
            .iter()
            .all(|one| one.summary.whole_cost().is_some())
    );

    let table = path
        .join("costs")
        .join(format!("{}.parquet", Arm::of(&plan(6, 1), 2).file()));
    fs::write(&table, "torn").expect("writable");
    for lost in ["its SHA-256 does not match", "there is no such file"] {
        assert_eq!(games_of(path).expect("sound"), expected);
        let opened = RunFolder::open(path).expect("a folder");
        let results = opened.sums().expect("sound");
        let costs = results
            .contestants
            .iter()
            .map(|one| one.summary.whole_cost().is_some())
            .collect::<Vec<_>>();
        assert_eq!(
            (costs, opened.lost_costs().len()),
            (vec![true, true, false], 1)
        );
        assert!(
            opened.lost_costs()[0].contains(lost),
            "{:?}",
            opened.lost_costs()
        );
        assert_eq!(results.contestants[2].summary.nodes_by_empty(), Err(0));
        let _ = fs::remove_file(&table);
    }

    // New games have costs. The total is still unknown, and never shown as 0.
    play(path, plan(8, 1));
    let opened = RunFolder::open(path).expect("a folder");
    let results = opened.sums().expect("sound");
    assert!(
        results.contestants[2].summary.whole_cost().is_none() && opened.lost_costs().is_empty()
    );
    assert_eq!(opened.manifest.strategies[2].cpu_secs, None);
    assert!(
        opened.manifest.strategies[0].cpu_secs.is_some() && sealed(path) == sealed(whole(8).path())
    );
}

#[test]
fn nodes_by_empty_cells_that_are_not_those_of_the_game_are_refused() {
    let folder = whole(4);
    let path = folder.path();
    let arm = Arm::of(&plan(4, 1), 2);
    let there = RunFolder::open(path)
        .expect("a folder")
        .games()
        .expect("games");
    let mut games: Vec<Game> = there
        .games_of(&arm)
        .expect("games")
        .collect::<Result<_>>()
        .expect("sound");
    games[1].by_empty.add(3, 0);
    tables::write(path, &arm, games.iter().cloned().map(Ok)).expect("written");
    let opened = RunFolder::open(path).expect("a folder");
    let results = opened.sums().expect("only the costs are lost");
    assert_eq!(
        (
            results.contestants[2].summary.whole_cost(),
            opened.lost_costs().len()
        ),
        (None, 1)
    );

    let journal = path.join("one.journal");
    let mut writing = journal::Journal::create(&journal, arm.rules.size, &[arm.key]).expect("made");
    writing.add(0, &games).expect("written");
    let refused = journal::read(&journal)
        .expect_err("another number of moves")
        .to_string();
    assert!(
        refused.contains("one of its games is unreadable"),
        "{refused}"
    );
}

/// A process may be killed after each file that is put in place.
#[test]
fn whoever_is_killed_while_tables_are_replaced_leaves_those_that_read() {
    let arm = Arm::of(&plan(9, 1), 0);
    let game = |index: u64| possible(index, 2 + (index % 3) as u32, 1);
    let read = |root: &Path| -> Vec<Game> {
        let games = tables::read(root, &arm, &(0..u64::MAX), u64::MAX, &Verifier::default())
            .expect("opened");
        games.collect::<Result<_>>().expect("as they were written")
    };
    let games_in = |indices: Range<u64>| indices.map(game).collect::<Vec<_>>();

    for (is_old, killed_after) in itertools::iproduct!([false, true], 1..=4) {
        let folder = temporary();
        let root = folder.path();
        tables::write(root, &arm, (0..4).map(|index| Ok(game(index)))).expect("written");
        if is_old {
            make_old_sums(root);
        }
        let steps = std::cell::Cell::new(0);
        let killed = || {
            steps.set(steps.get() + 1);
            let is_end = steps.get() == killed_after;
            if is_end {
                Err(FolderError::Disagree {
                    strategy: String::new(),
                    index: 0,
                })
            } else {
                Ok(())
            }
        };
        let error = tables::write_watched(root, &arm, (0..9).map(|index| Ok(game(index))), &killed);
        assert!(error.is_err() && steps.get() == killed_after);
        assert_eq!(
            read(root),
            games_in(if killed_after == 4 { 0..9 } else { 0..4 }),
            "{killed_after}"
        );
        // The next write completes what was begun.
        tables::write(root, &arm, (0..9).map(|index| Ok(game(index)))).expect("written");
        assert_eq!(read(root), games_in(0..9));
        let sums =
            fs::read_to_string(checksums::Checksums::path(root, &arm.file())).expect("readable");
        assert_eq!(sums.lines().count(), 3, "{sums}");
    }
}

#[test]
fn a_hash_of_a_manifest_is_64_digits_and_names_no_place_elsewhere() {
    let folder = whole(2);
    let path = folder.path();
    make_old(path);
    let text = fs::read_to_string(path.join(MANIFEST)).expect("readable");
    let digits = RunFolder::open(path).expect("a folder").manifest.strategies[1]
        .sha256
        .expect("written")
        .to_string();
    let outside = temporary();
    let absolute = outside.path().join("x").to_string_lossy().into_owned();

    for hash in [
        "abc",
        "../../../x",
        "",
        &absolute,
        &format!("{}é{}", &digits[..15], &digits[17..]),
        &digits[1..],
    ] {
        let changed = text.replace(&digits, hash);
        let error = change(&path.join(MANIFEST), changed.as_bytes(), || {
            said(path, hash, || games_of(path))
        });
        let error = error.expect_err(hash);
        assert!(
            error.contains("manifest.json: ")
                && error.contains("is not a SHA-256: write its 64 hexadecimal"),
            "{error}"
        );
        let into = change(&path.join(MANIFEST), changed.as_bytes(), || {
            RunFolder::open(path).and_then(|mut into| into.merge(&[]))
        });
        assert!(into.is_err() && files_below(outside.path()).is_empty());
    }
}

#[test]
fn a_strategy_whose_text_was_edited_is_refused() {
    let folder = whole(2);
    let path = folder.path();
    make_old(path);
    let text = fs::read_to_string(path.join(MANIFEST)).expect("readable");
    assert!(text.contains("plies: Fixed(2)"), "{text}");
    let changed = text.replace("plies: Fixed(2)", "plies: Fixed(3)");
    let error = change(&path.join(MANIFEST), changed.as_bytes(), || {
        said(path, "text", || games_of(path))
    });
    let error = error.expect_err("another text");
    assert!(
        error.contains("manifest.json: the text of \"search\" does not match its SHA-256"),
        "{error}"
    );
    // A name and a note do not change what is played.
    let renamed = text.replace("name: \\\"search\\\"", "name: \\\"found\\\"");
    assert!(
        renamed != text
            && change(&path.join(MANIFEST), renamed.as_bytes(), || games_of(path)
                .is_ok())
    );
}

#[test]
fn verify_compares_moves() {
    let folder = whole(4);
    let path = folder.path();
    let arm = Arm::of(&plan(4, 1), 2);
    let opened = RunFolder::open(path).expect("a folder");
    let mut chance = rand::rngs::SmallRng::seed_from_u64(1);
    let same = |verified: &[Verified]| verified.iter().filter(|one| one.is_same()).count();
    let verified = opened
        .verify(12, &mut chance, &CancelToken::new())
        .expect("games");
    assert_eq!((verified.len(), same(&verified)), (12, 12));

    let mut games = opened
        .games()
        .expect("games")
        .games_of(&arm)
        .expect("games")
        .collect::<Result<Vec<Game>>>()
        .expect("games");
    let other = Move::ALL
        .into_iter()
        .find(|mv| *mv != games[1].moves[5])
        .expect("four moves");
    games[1].moves[5] = other;
    tables::write(path, &arm, games.into_iter().map(Ok)).expect("written");
    let verified = opened
        .verify(12, &mut chance, &CancelToken::new())
        .expect("games");
    let wrong: Vec<_> = verified.iter().filter(|one| !one.is_same()).collect();
    assert_eq!(
        (
            wrong.len(),
            wrong[0].kept.index,
            wrong[0].first_difference()
        ),
        (1, 1, Some(5))
    );
    assert!(wrong[0].has_same_end());
}

#[test]
fn a_clock_that_was_set_back_does_not_change_the_order() {
    let folder = temporary();
    play(folder.path(), plan(2, 1));
    play(folder.path(), plan(3, 1));
    let mut manifest = RunFolder::open(folder.path()).expect("a folder").manifest;
    let numbers = |manifest: &Manifest| {
        manifest
            .history
            .iter()
            .map(|stint| stint.sequence)
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(&manifest), [Some(1), Some(2)]);

    // The second process began before the first, by its clock; older processes wrote no number.
    manifest.history[1].started = "2001-01-01T00:00:00Z".to_owned();
    manifest.history[1].end = EndReason::RuleMet {
        games: 9,
        each: Some(2),
        sentence: "the last".to_owned(),
    };
    let old = |name: &str, started: &str| Stint {
        name: name.to_owned(),
        sequence: None,
        started: started.to_owned(),
        end: EndReason::RuleMet {
            games: 3,
            each: Some(1),
            sentence: "older".to_owned(),
        },
        ..manifest.history[0].clone()
    };

    let older = [
        old("late", "2090-01-01T00:00:00Z"),
        old("early", "1990-01-01T00:00:00Z"),
    ];
    manifest.games = 10;
    manifest.add_history(older);
    assert_eq!(numbers(&manifest), [None, None, Some(1), Some(2)]);
    assert_eq!(manifest.history[0].name, "early");
    assert!(
        matches!(&manifest.end_reason, EndReason::RuleMet { sentence, .. } if sentence == "the last")
    );
    assert_eq!(manifest.next_sequence(&[]), 3);
}
