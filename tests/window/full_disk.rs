//! Runs, trainings and reviews that cannot write their files, as on a full disk: they say why and keep what was saved.
//!
//! A limit on the size of files stands for the disk. It applies to the whole process, so each test runs in its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use afterstate::experiment::{Plan, Run, Runs, State};
use afterstate::review::{ChanceGoal, ChanceQuestion};
use afterstate::task::Work;
use afterstate::workbench::command::{ExperimentCommand, LearningCommand, ReviewCommand};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::common::{Drive as _, Window, apply, begin, document, open, until};
use crate::{learning, review};

/// Set in the process whose files are limited.
const LIMITED: &str = "AFTERSTATE_TEST_OF_LIMITED_FILES";

/// Larger than any other file of the window.
const LONG: u64 = 300_000;

#[test]
fn a_run_paused_by_a_full_disk_says_so_loses_nothing_and_resumes() {
    let name = "a_run_paused_by_a_full_disk_says_so_loses_nothing_and_resumes";
    limited(name, pause_and_resume);
}

#[test]
fn a_training_that_cannot_be_saved_says_so_and_keeps_its_file() {
    let name = "a_training_that_cannot_be_saved_says_so_and_keeps_its_file";
    limited(name, keep_the_saved_network);
}

#[test]
fn a_review_that_meets_a_full_disk_says_so_and_keeps_what_was_saved() {
    let name = "a_review_that_meets_a_full_disk_says_so_and_keeps_what_was_saved";
    limited(name, keep_the_saved_review);
}

/// Runs the test of this name in a process of its own, whose files it may limit.
fn limited(name: &str, test: fn()) {
    if std::env::var_os(LIMITED).is_some() {
        return test();
    }
    // A process that does not ignore the signal of the limit would die of it.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" --exact \"$1\" --nocapture"])
        .arg(std::env::current_exe().expect("this program"))
        .arg(format!("full_disk::{name}"))
        .env(LIMITED, "yes")
        .output()
        .expect("a shell");
    let said = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .concat();
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

/// Lets files grow up to this size; `None` lifts the limit.
fn limit_files(size: Option<u64>) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    setrlimit(
        Resource::Fsize,
        Rlimit {
            current: size.or(maximum),
            maximum,
        },
    )
    .expect("a lower limit is allowed");
}

/// The journal of the run, and its size.
fn journal(folder: &Path) -> Option<(PathBuf, u64)> {
    let entries = std::fs::read_dir(folder.join("journal")).ok()?.flatten();
    let sized = entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len())));
    sized.max_by_key(|(_, size)| *size)
}

fn work(window: &Window) -> Work {
    document(window)
        .last_run()
        .progress()
        .map(|progress| progress.work.clone())
        .unwrap_or_default()
}

/// The notices with this text.
fn notices_with<'a>(window: &'a Window, text: &str) -> Vec<&'a str> {
    let app = window.state().as_ref().expect("open");
    app.notices()
        .texts()
        .filter(|notice| notice.contains(text))
        .collect()
}

fn pause_and_resume() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ExperimentCommand::SetGames(1_000_000));
    begin(&mut window, ExperimentCommand::Run);
    let run_folder = |window: &Window| document(window).last_run().folder().map(Path::to_owned);
    until(&mut window, "a long journal", |window| {
        run_folder(window)
            .and_then(|folder| journal(&folder))
            .is_some_and(|(_, size)| LONG < size)
    });
    let run_folder = run_folder(&window).expect("a saved run");
    limit_files(journal(&run_folder).map(|(_, size)| size));

    // It pauses by itself, and says so once, in one sentence.
    until(&mut window, "trouble", |window| {
        work(window).trouble.is_some()
    });
    assert_eq!(document(&window).last_run().state(), Some(&State::Paused));
    let sentence = format!(
        "{}: games cannot be saved (File too large): the run waits until the disk has room",
        run_folder.display()
    );
    assert_eq!(work(&window).trouble.as_deref(), Some(&*sentence));
    window.pass(5.0);
    assert_eq!(notices_with(&window, "cannot be saved"), [&*sentence]);

    // The user pauses it, too. It stays paused when there is room, without losing a game, until Resume.
    begin(&mut window, ExperimentCommand::Pause);
    limit_files(None);
    until(&mut window, "room", |window| work(window).trouble.is_none());
    assert_eq!(document(&window).last_run().state(), Some(&State::Paused));
    window.settle();
    let saved = work(&window).done;
    window.get_by_role_and_label(Role::Button, "Resume").click();
    until(&mut window, "more games", |window| {
        saved + 100 < work(window).done
    });
    apply(&mut window, ExperimentCommand::Stop);
    assert_eq!(document(&window).last_run().state(), Some(&State::Stopped));

    // All games are on the disk, and are those of a run that was never paused.
    let run = document(&window).last_run().run.as_ref().expect("a run");
    let plan = run.plan().clone();
    let undisturbed = Run::start(Plan { games: 200, ..plan }, || {}).expect("a sound plan");
    undisturbed.wait();
    for (contestant, index) in itertools::iproduct!(0..4, 0..200) {
        let game = |run: &Run| run.games().game(contestant, index);
        assert!(
            game(run).is_some() && game(run) == game(&undisturbed),
            "game {index} of {contestant}"
        );
    }
    let saved = Runs::at(folder.path().join("runs"))
        .list()
        .into_iter()
        .find(|run| run.path == run_folder);
    assert_eq!(saved.map(|saved| saved.finished), Some(work(&window).done));
}

fn keep_the_saved_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = learning::look(folder.path());
    learning::begin(&mut window, "small", 10_000_000);
    until(&mut window, "it learns", |window| {
        0 < learning::games(window, "small")
    });
    let place = folder.path().join("networks/small.net");
    let before = std::fs::metadata(&place).expect("a first file").len();

    // Pausing saves, which ends the training: it waits for a full disk only.
    limit_files(Some(before / 2));
    begin(&mut window, LearningCommand::Pause("small".to_owned()));
    until(&mut window, "its end", |window| {
        document(window).trainings().live().is_empty()
    });
    let notices = notices_with(&window, &place.display().to_string());
    assert!(
        notices.len() == 1 && notices[0].contains("File too large"),
        "{notices:?}"
    );
    let saved = std::fs::metadata(&place).expect("still there");
    assert_eq!(saved.len(), before);

    limit_files(None);
    let button = window.get_by_role_and_label(Role::Button, "Resume training");
    button.click();
    until(&mut window, "it learns again", |window| {
        0 < learning::games(window, "small")
    });
}

fn keep_the_saved_review() {
    let folder = tempfile::tempdir().expect("a folder");
    let judged = |window: &mut Window| {
        apply(window, ReviewCommand::Game);
        let reviewed = document(window).review().expect("reviewed");
        reviewed.review.totals().expect("every position")
    };
    let mut window = review::shown(folder.path());
    let before = judged(&mut window);
    let [file] = &*review::files(folder.path()) else {
        panic!("a game has one file")
    };
    let bytes = || std::fs::read(file).expect("a saved review");
    let saved = bytes();

    limit_files(Some(64));
    let question = ChanceQuestion {
        goal: ChanceGoal::Survive,
        moves: 10,
        playouts: 20,
    };
    apply(&mut window, ReviewCommand::Chance(Some(question)));
    let reviewed = document(&window).review().expect("reviewed");
    let report = reviewed.report.as_ref().expect("every position");
    assert_ne!(report.played_on[0], 0, "the answers are shown");
    let notices = notices_with(&window, "The review was not saved: ");
    assert!(
        notices.len() == 1 && notices[0].contains("File too large"),
        "{notices:?}"
    );
    assert!(bytes() == saved, "the file is as it was");

    limit_files(None);
    drop(window);
    let mut window = review::shown(folder.path());
    assert_eq!(judged(&mut window), before);
}
