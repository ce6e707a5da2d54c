//! The Best play panel: lines after each move, and the expectations at their ends.

use afterstate::workbench::command::{Panel, ViewCommand, Workspace};
use egui::{Event, Modifiers, MouseWheelUnit, TouchPhase, vec2};
use egui_kittest::kittest::Queryable as _;

use super::common::{Drive as _, Window, apply, open, open_with, paste, until};

#[test]
fn lines_are_listed_after_each_move_and_their_ends_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"snake\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(5)))])",
    );

    paste(&mut window, "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32");
    apply(&mut window, ViewCommand::Workspace(Workspace::Overview));
    apply(&mut window, ViewCommand::ShowPanel(Panel::BestPlay));
    until(&mut window, "the lines after the chosen move", |window| {
        window
            .query_by_label_contains("12 of 42 lines, most probable first")
            .is_some()
    });

    assert!(window.query_by_label_contains("Median: Right, ").is_some());
    let line = window
        .get_all_by_label_contains("1: Right, 2 at ")
        .next()
        .expect("the first line");
    line.click();
    window.settle();
    assert!(
        window
            .query_by_label_contains("Line 1: probability ")
            .is_some()
    );
    window.click("Worst");
    assert!(
        window
            .query_by_label_contains("12 of 42 lines, worst ends first")
            .is_some()
    );
    window.click("Ends");
    assert!(
        window
            .query_by_label_contains(
                "Distribution after Right: no line of best play ends on a dead board"
            )
            .is_some()
    );
    assert!(window.query_by_label("Evaluators at the ends").is_some());
}

#[test]
fn a_small_panel_scrolls_to_its_columns_boards_and_curves() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [1024.0, 700.0], Vec::new());
    paste(
        &mut window,
        "Strategy(name: \"snake\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(7)))])",
    );
    paste(&mut window, "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32");
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, ViewCommand::ShowPanel(Panel::BestPlay));
    until(&mut window, "the lines", |window| {
        window
            .query_by_label("Copy the line with its boards")
            .is_some()
    });
    let boards = window
        .query_all_by_label_contains("2 at r1c1, value 2,654.1")
        .count();
    assert!(boards != 0, "the boards of the line");
    window.click("Ends");
    assert!(window.query_by_label("Sort by Boards").is_some());
    assert!(
        window
            .query_by_label_contains("Each move has its own scale")
            .is_some(),
        "2,654.094 to 2,654.172 is no bar"
    );

    apply(&mut window, ViewCommand::ShowPanel(Panel::Depths));
    until(&mut window, "eight depths", |window| {
        window
            .query_by_label_contains("the last of 8 values")
            .is_some()
    });
    assert!(
        window
            .query_by_label("Values of Down and Right for each value of plies")
            .is_some()
    );
    let left = |window: &Window| window.get_by_label("Sort by Cached").rect().left();
    let before = left(&window);
    window.get_by_label("Sort by Depth").hover();
    window.settle();
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(-300.0, 0.0),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.settle();
    assert!(
        left(&window) < before,
        "{before}: the table scrolls sideways"
    );
}

#[test]
fn the_line_of_a_minimax_has_the_worst_tiles() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"worst\", criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4)))])",
    );
    paste(&mut window, "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32");
    apply(&mut window, ViewCommand::Workspace(Workspace::Overview));
    apply(&mut window, ViewCommand::ShowPanel(Panel::BestPlay));
    until(&mut window, "the lines", |window| {
        window
            .query_by_label_contains("Worst tiles: probability ")
            .is_some()
    });
    assert!(window.query_by_label_contains("Median tiles").is_none());
}
