//! A run that cannot write its journal, as on a full disk: it pauses, says why, loses nothing and can be resumed.
//!
//! A limit on the size of files stands for the disk. It is one of the process, so the test runs in its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use afterstate::experiment::{Plan, Run, Runs, State};
use afterstate::task::Work;
use afterstate::workbench::command::ExperimentCommand;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::common::{Drive as _, Window, apply, begin, document, open, until};

/// Set in the process whose files are limited.
const LIMITED: &str = "AFTERSTATE_TEST_OF_LIMITED_FILES";

/// Larger than any other file of the window.
const LONG: u64 = 300_000;

#[test]
fn a_run_paused_by_a_full_disk_says_so_loses_nothing_and_resumes() {
    if std::env::var_os(LIMITED).is_some() {
        return pause_and_resume();
    }
    // A process that does not ignore the signal of the limit would die of it.
    let name = "full_disk::a_run_paused_by_a_full_disk_says_so_loses_nothing_and_resumes";
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; exec \"$0\" --exact \"$1\" --nocapture"])
        .arg(std::env::current_exe().expect("this program"))
        .arg(name)
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
    let app = window.state().as_ref().expect("open");
    let said = app
        .notices()
        .texts()
        .filter(|text| text.contains("cannot be saved"))
        .collect::<Vec<_>>();
    assert_eq!(said, [&*sentence]);

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
