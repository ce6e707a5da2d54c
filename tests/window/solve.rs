//! The Solve panel: small boards exactly, and value iteration over features.

use afterstate::evaluator::Evaluator;
use afterstate::game::Size;
use afterstate::process::ProcessSpec;
use afterstate::solve::{Goal, Question};
use afterstate::workbench::command::{
    Command, GameCommand, Panel, SolveCommand, ViewCommand, Workspace,
};
use egui_kittest::kittest::Queryable as _;

use crate::common::{
    Drive as _, Window, apply, begin, begin_all, document, open, type_into, until,
};

/// The window with the Solve panel.
fn shown(folder: &std::path::Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Solve));
    window
}

#[test]
fn a_small_board_is_solved_kept_deleted_and_brought_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    // The cost is shown first.
    assert!(
        window
            .query_by_label_contains("At most 48,713,519 boards, 1.0 GiB of memory")
            .is_some()
    );
    let size: Size = "2x2".parse().expect("a size");
    let solve = SolveCommand::Board(Question {
        size,
        p4: 0.1,
        goal: Goal::Score,
    });
    apply(&mut window, solve);
    assert!(!document(&window).solving().tables().is_empty());
    assert!(
        window
            .query_by_label_contains("2x2: the expected score 66.9641")
            .is_some()
    );
    let file = folder.path().join("solved/2x2.solved");
    assert!(file.exists());
    // The game on the board is one of 4x4: the table offers a game of its own.
    assert_eq!(document(&window).board().size(), Size::FOUR);
    window.click("Play with table 2x2");
    assert_eq!(document(&window).board().size(), size);
    let plays = document(&window).strategy().criteria[0].evaluator.clone();
    assert_eq!(plays, Evaluator::Solved("2x2".to_owned()));
    window.click("Delete table 2x2");
    assert!(!file.exists() && document(&window).solving().tables().is_empty());
    apply(&mut window, Command::Undo);
    assert!(file.exists() && document(&window).solving().tables().len() == 1);

    // A too large board gets one sentence.
    let large = SolveCommand::Board(Question {
        size: Size::FOUR,
        p4: 0.1,
        goal: Goal::Score,
    });
    let refused = document(&window).can(&large.into()).expect_err("too large");
    assert!(refused.contains("too large to be solved"), "{refused}");
}

#[test]
fn what_runs_is_listed_paused_resumed_and_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let size: Size = "2x4".parse().expect("a size");
    let solve = SolveCommand::Board(Question {
        size,
        p4: 0.1,
        goal: Goal::Score,
    });
    begin_all(&mut window, [solve.into(), SolveCommand::Hold.into()]);
    until(&mut window, "the list", |window| {
        !document(window).all_running().is_empty()
    });
    let running = document(&window).all_running();
    let [solving] = &running[..] else {
        panic!("{running:?}")
    };
    assert!(solving.is_paused && solving.work.title == "Solving 2x4");
    window.get_by_label("Running work");

    begin(&mut window, solving.hold.clone());
    assert!(!document(&window).solving().is_paused());
    begin(&mut window, solving.stop.clone());
    until(&mut window, "its end", |window| {
        document(window).solving().board().is_none()
    });
    assert!(document(&window).all_running().is_empty());
    assert!(document(&window).can(&solving.stop).is_err());
}

#[test]
fn the_process_is_learnt_looked_at_and_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    window.click("Value iteration");
    let spec = ProcessSpec {
        games: 30,
        p4: 0.2,
        ..ProcessSpec::USUAL
    };
    apply(&mut window, SolveCommand::Learn(spec));
    assert!(document(&window).solving().learnt().is_some());
    assert!(
        window
            .query_by_label_contains("30 games of random play")
            .is_some()
    );
    assert!(
        window
            .query_by_label_contains(" of 34,560 states seen")
            .is_some()
    );
    assert!(
        window
            .query_by_label_contains("Largest change of a value in each sweep")
            .is_some()
    );
    let cells = window
        .query_all_by_label_contains("possible merges ")
        .count();
    assert!(9 * 15 <= cells, "{cells}");
    window.click("Open the policy as a strategy");
    let plays = document(&window).strategy().criteria[0]
        .evaluator
        .to_string();
    assert_eq!(plays, "Policy(games: 30, p4: 0.2)");

    // Saved under a name, it plays by that name.
    let refused = document(&window)
        .can(&SolveCommand::KeepProcess("a/b".to_owned()).into())
        .expect_err("a path");
    assert!(
        refused.contains("cannot name a value iteration"),
        "{refused}"
    );
    type_into(&mut window, "Name of the value iteration", "mine");
    let file = folder.path().join("processes/mine.process");
    assert!(file.exists());
    // On other boards it offers a game of its own.
    let small = afterstate::game::Rules {
        size: "2x3".parse().expect("a size"),
        ..document(&window).game().rules
    };
    apply(&mut window, GameCommand::NewWith(small, 1));
    window.click("Play with value iteration mine");
    assert_eq!(document(&window).board().size(), Size::FOUR);
    assert_eq!(
        document(&window).strategy().criteria[0]
            .evaluator
            .to_string(),
        "Policy(\"mine\")"
    );
    let again = document(&window)
        .can(&SolveCommand::KeepProcess("mine".to_owned()).into())
        .expect_err("taken");
    assert!(again.contains("choose another name"), "{again}");
    window.click("Delete value iteration mine");
    assert!(!file.exists() && document(&window).solving().processes().is_empty());
    apply(&mut window, Command::Undo);
    assert!(file.exists() && document(&window).solving().processes().len() == 1);

    // Another window shows the saved process.
    let before = document(&window)
        .solving()
        .learnt()
        .expect("learnt")
        .clone();
    drop(window);
    let mut window = shown(folder.path());
    window.click("Value iteration");
    window.click("Show value iteration mine");
    let learnt = document(&window).solving().learnt().expect("shown").clone();
    assert_eq!(
        (learnt.spec, &learnt.visits, &learnt.sha256),
        (before.spec, &before.visits, &before.sha256)
    );
    let wrong = SolveCommand::Learn(ProcessSpec { games: 0, ..spec });
    assert!(document(&window).can(&wrong.into()).is_err());
}
