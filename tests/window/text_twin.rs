//! The strategy as text: valid text changes it, other changes rewrite the text, and errors change nothing.

use std::path::Path;

use afterstate::evaluator::Evaluator;
use afterstate::strategy::{Criterion, LastResort, Strategy, StrategyEdit};
use afterstate::workbench::command::{
    Command, FileCommand, LibraryCommand, Panel, StrategyCommand, ViewCommand, Workspace,
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::common::{Drive as _, Window, apply, document, open};

const FIELD: &str = "Text of the strategy";

fn shown(folder: &Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Text));
    window
}

fn text(window: &Window) -> String {
    window.get_by_label(FIELD).value().unwrap_or_default()
}

/// Replaces the text of the field like a user: select all and paste.
fn write(window: &mut Window, text: &str) {
    window.get_by_label(FIELD).focus();
    window.settle();
    window.press_keys(Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Paste(text.to_owned()));
    window.settle();
}

/// Leaves the field.
fn leave(window: &mut Window) {
    window.press_key(Key::Escape);
}

fn strategy(window: &Window) -> Strategy {
    (*document(window).strategy()).clone()
}

#[test]
fn what_is_typed_is_played_and_one_visit_is_one_step_of_undo() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let before = strategy(&window);
    assert_eq!(text(&window), before.pretty());
    let snake: Strategy = "Strategy(name: \"s\", criteria: [(evaluator: Snake)])"
        .parse()
        .expect("a strategy");
    write(&mut window, &snake.pretty());
    assert_eq!(strategy(&window), snake);
    let decided = document(&window)
        .decision()
        .expect("one ply is decided at once")
        .moves
        .iter()
        .count();
    assert_eq!(decided, 4);
    let two = Strategy {
        last_resort: LastResort::First,
        ..snake.clone()
    };
    write(&mut window, &two.pretty());
    assert_eq!(strategy(&window), two);
    leave(&mut window);
    apply(&mut window, Command::Undo);
    assert_eq!(strategy(&window), before, "both changes were one visit");
    assert_eq!(text(&window), before.pretty());
    apply(&mut window, Command::Redo);
    assert_eq!(strategy(&window), two);

    // Another visit is another step.
    write(&mut window, &snake.pretty());
    leave(&mut window);
    apply(&mut window, Command::Undo);
    assert_eq!(strategy(&window), two);
}

#[test]
fn letters_are_a_strategy_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    write(&mut window, "gmr");
    assert_eq!(
        strategy(&window),
        Strategy::from_letters("gmr").expect("letters")
    );
    assert_eq!(text(&window), "gmr", "what is typed stays as it is typed");
}

#[test]
fn changes_of_the_stack_rewrite_the_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let row = Criterion::one_ply(Evaluator::Corner);
    apply(
        &mut window,
        StrategyEdit::AddRow {
            at: 0,
            criterion: row,
        },
    );
    assert_eq!(text(&window), strategy(&window).pretty());
    assert!(text(&window).contains("Corner"));
}

#[test]
fn a_mistake_is_told_with_line_and_column_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let before = strategy(&window);
    let wrong = "Strategy(\n  criteria: [(evaluator: Emty)],\n)";
    let place = Strategy::read_at(wrong).expect_err("wrong");
    write(&mut window, wrong);
    assert_eq!(strategy(&window), before);
    let words = format!("✗ line 2, column {}: ", place.column);
    assert_eq!(window.query_all_by_label_contains(&words).count(), 1);
    assert!(
        window
            .query_by_label("The strategy does not change until the text is valid")
            .is_some()
    );

    // Changes of the stack apply, and the unfinished text stays.
    apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
    assert_eq!(strategy(&window).last_resort, LastResort::First);
    assert_eq!(text(&window), wrong);
    window.click("Discard typed text");
    assert_eq!(text(&window), strategy(&window).pretty());
    assert_eq!(window.query_all_by_label_contains("✗ line").count(), 0);
}

#[test]
fn an_unfinished_text_waits_while_another_strategy_is_on_screen() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    write(&mut window, "Strategy(criteria: [");
    leave(&mut window);
    apply(&mut window, StrategyCommand::Select(1));
    assert_eq!(text(&window), strategy(&window).pretty());
    apply(&mut window, StrategyCommand::Select(0));
    assert_eq!(text(&window), "Strategy(criteria: [");
    assert_eq!(
        window
            .query_all_by_label_contains("✗ line 1, column ")
            .count(),
        1
    );
    // Once complete, it plays.
    write(&mut window, "Strategy(criteria: [])");
    assert!(strategy(&window).criteria.is_empty());
    assert_eq!(window.query_all_by_label_contains("✗ line").count(), 0);
}

#[test]
fn what_reads_well_but_cannot_be_played_here_is_told_at_its_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let before = strategy(&window);
    write(
        &mut window,
        "Strategy(\n  criteria: [\n    (evaluator: Empty),\n    (evaluator: Weights([1, 2])),\n  ],\n)",
    );
    assert_eq!(strategy(&window), before);
    assert_eq!(
        window
            .query_all_by_label_contains("✗ line 4, column 5: row 2: Weights has 2 numbers")
            .count(),
        1
    );
}

#[test]
fn the_cursor_selects_the_row_it_stands_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let selected = |window: &Window| {
        window
            .state()
            .as_ref()
            .expect("open")
            .building()
            .rows
            .selected()
    };
    write(
        &mut window,
        "Strategy(criteria: [\n(evaluator: Empty),\n(evaluator: Score),\n(evaluator: Snake)])",
    );
    assert_eq!(
        selected(&window),
        Some(2),
        "pasted, the cursor is at the end"
    );
    for row in [1, 0] {
        window.press_key(Key::ArrowUp);
        assert_eq!(selected(&window), Some(row));
    }
}

#[test]
fn comments_stay_while_they_can_and_their_end_is_announced() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let commented = "// the best so far\nStrategy(criteria: [(evaluator: Snake)])";
    write(&mut window, commented);
    assert_eq!(text(&window), commented);
    assert!(
        window
            .query_by_label("Comments remain until the strategy is changed elsewhere")
            .is_some()
    );
    apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
    assert!(!text(&window).contains("//"));
}

#[test]
fn the_clipboard_goes_in_place_of_the_strategy_or_opens_as_a_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let open = document(&window).strategies().len();
    window.click("Paste");
    window.click("Replace this strategy");

    // The answer of the system.
    window.event(egui::Event::Paste("gr".to_owned()));
    window.settle();
    assert_eq!(document(&window).strategies().len(), open);
    assert_eq!(
        strategy(&window),
        Strategy::from_letters("gr").expect("letters")
    );
    apply(&mut window, FileCommand::PasteOver);
    window.event(egui::Event::Paste("(criteria: [(".to_owned()));
    window.settle();
    assert_eq!(
        strategy(&window),
        Strategy::from_letters("gr").expect("letters"),
        "no strategy, no change"
    );
    window.event(egui::Event::Paste("ur".to_owned()));
    window.settle();
    assert_eq!(document(&window).strategies().len(), open + 1);
}

#[test]
fn the_difference_is_told_in_words_and_in_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    window.click("Difference");
    assert!(
        window
            .query_by_label("No difference from the opened version")
            .is_some()
    );
    apply(&mut window, StrategyEdit::MoveRow { from: 1, to: 0 });
    assert!(window.query_by_label_contains("moved ").is_some());
    assert!(window.query_by_label("Removed: name: \"emr\",").is_some());
    assert!(window.query_by_label("Added: name: \"mer\",").is_some());
    window.click("From parent");
    assert!(
        window
            .query_by_label_contains("This strategy has no parent")
            .is_some()
    );
    apply(&mut window, Command::Library(LibraryCommand::Save));
    assert!(
        window
            .query_by_label_contains("compared with its parent")
            .is_some()
    );
}

#[test]
fn the_field_takes_back_what_was_typed_in_it_and_not_what_was_done_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    let before = strategy(&window);
    apply(&mut window, StrategyEdit::RemoveRow(0));
    let removed = strategy(&window);

    // The shortcut focuses the text.
    window.press_keys(
        Modifiers {
            command: true,
            shift: true,
            ..Modifiers::NONE
        },
        Key::T,
    );
    window.event(egui::Event::Text("# ".to_owned()));
    window.settle();
    assert!(text(&window).contains("# "), "{}", text(&window));
    assert_eq!(strategy(&window), removed, "a mistake changes nothing");
    window.press_keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(
        (text(&window), strategy(&window)),
        (removed.pretty(), removed)
    );
    leave(&mut window);
    window.press_keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(
        (text(&window), strategy(&window)),
        (before.pretty(), before)
    );
}
