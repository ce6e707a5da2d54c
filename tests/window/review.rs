//! The panel that says where a game was lost.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use afterstate::game::{Record, Seed};
use afterstate::review::{Judge, Points, Review, Thresholds};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy};
use afterstate::task::CancelToken;
use afterstate::workbench::command::{Arrangement, CompareCommand, Panel, ReviewCommand, StrategyCommand, ViewCommand};
use egui_kittest::kittest::Queryable as _;

use crate::common::{Window, apply, document, open, until};

/// A judge that takes no time in a test.
fn judge() -> Strategy {
    "(name: \"quick\", criteria: [(evaluator: Network(\"reference\"))])".parse().expect("a strategy")
}

fn game(window: &Window) -> Record {
    let (doc, strategy) = (document(window), "emr".parse::<Strategy>().expect("letters"));
    let rules = doc.game().rules;
    GameTrace::record(&Player::new(&strategy, rules), Seed(7), 2, &strategy, SearchOptions::default())
}

/// The window with a game of `emr` from its start on the board, and the quick judge.
fn shown(folder: &Path) -> Window {
    let mut window = open(folder);
    let own = document(&window).current();
    apply(&mut window, ViewCommand::Arrange(Arrangement::Experiment));
    apply(&mut window, StrategyCommand::Open(Box::new(judge())));
    apply(&mut window, ReviewCommand::JudgeByStrategy);
    apply(&mut window, StrategyCommand::Select(own));
    let record = Box::new(game(&window));
    apply(&mut window, CompareCommand::ShowGame { record, moves: 0, branch: None, title: "a game".to_owned() });
    apply(&mut window, ViewCommand::ShowPanel(Panel::Review));
    window
}

/// Files of reviews below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| {
            let is_one = path.extension().is_some_and(|ending| ending == "review");
            if path.is_dir() { files(&path) } else { Vec::from_iter(is_one.then_some(path)) }
        })
        .collect()
}

#[test]
fn a_game_is_reviewed_its_mistakes_are_walked_and_its_thresholds_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    window.get_by_label("Review game").click();
    until(&mut window, "the review", |window| {
        document(window).review().is_some() && !document(window).reviewing().is_working()
    });
    assert!(window.query_by_label("It adds up to the last digit").is_some());
    // The same as the engine says without a window.
    let record = game(&window);
    let mut plain = Review::new(record.clone(), Arc::new(Judge::of(&judge(), record.rules).expect("a judge")));
    plain.deepen_mistakes(&CancelToken::new()).expect("a value");
    plain.go_on(None, 1, &CancelToken::new(), &mut |_, _, _| {}).expect("values");
    let shown = document(&window).review().expect("reviewed").clone();
    assert_eq!(shown.review.totals(), plain.totals());
    let report = shown.report.as_ref().expect("every position");
    let totals = report.totals;
    let split =
        format!("{} = start {} + luck {} − loss {}", totals.final_score, totals.start_value, totals.luck, totals.loss);
    let split = split.replace('-', "−");
    assert!(window.query_by_label_contains(&split).is_some(), "{split}");
    // N goes through the mistakes in order, Shift N back.
    let mistakes: Vec<usize> =
        (1..plain.moves()).filter(|&index| report.thresholds.mistake <= plain.loss(index).expect("judged")).collect();
    assert!(2 < mistakes.len(), "{mistakes:?}");
    window.get_by_label_contains("Review of ").click();
    window.run_steps(2);
    apply(&mut window, afterstate::workbench::command::GameCommand::First);
    for &mistake in &mistakes[..3] {
        window.key_press(egui::Key::N);
        window.run_steps(3);
        assert_eq!(document(&window).place(), mistake);
    }
    window.key_press_modifiers(egui::Modifiers::SHIFT, egui::Key::N);
    window.run_steps(3);
    assert_eq!(document(&window).place(), mistakes[1]);
    // A click on the worst move puts it on the board.
    let worst = report.worst[0].verdict;
    window.get_by_label_contains(&format!("Move {} ", worst.index + 1)).click();
    window.run_steps(3);
    assert_eq!((document(&window).place(), document(&window).board()), (worst.index, worst.before.board));
    // Other thresholds class the same losses otherwise.
    let thresholds = Thresholds { mistake: worst.loss, blunder: worst.loss + Points::whole(1), ..report.thresholds };
    apply(&mut window, ReviewCommand::Thresholds(thresholds));
    let classes = document(&window).review().expect("reviewed").report.as_ref().expect("every position").classes;
    assert_eq!(classes.of(afterstate::review::Class::Blunder), 0);
    assert!(classes.of(afterstate::review::Class::Mistake) < report.classes.of(afterstate::review::Class::Mistake));
    // Its tree and its row are one press away.
    apply(&mut window, ReviewCommand::ShowTree(worst.index));
    assert_eq!(document(&window).place(), worst.index);
    apply(&mut window, ReviewCommand::ShowRule(worst.index));
    // Another line has no review, and says so.
    apply(&mut window, afterstate::workbench::command::GameCommand::New);
    assert!(document(&window).review().is_none());
    assert!(document(&window).can(&ReviewCommand::NextMistake.into()).is_err());
}

#[test]
fn what_was_judged_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let review = |window: &mut Window| {
        apply(window, ReviewCommand::Game);
        until(window, "the review", |window| {
            document(window).review().is_some() && !document(window).reviewing().is_working()
        });
        document(window).review().expect("reviewed").review.totals()
    };
    let mut window = shown(folder.path());
    let before = review(&mut window);
    drop(window);
    let kept = files(folder.path());
    assert_eq!(kept.len(), 1, "{kept:?}");
    let bytes = std::fs::read(&kept[0]).expect("a file");
    let mut window = shown(folder.path());
    assert_eq!(review(&mut window), before);
    assert_eq!(std::fs::read(&kept[0]).expect("a file"), bytes);
    assert!(document(&window).can(&ReviewCommand::Stop.into()).is_err());
    // A strategy whose values are no points is refused in one sentence.
    let refused = document(&window).can(&ReviewCommand::JudgeByStrategy.into()).expect_err("emr is no judge");
    assert!(refused.contains("cannot judge"), "{refused}");
}
