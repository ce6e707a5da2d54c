//! What best play leads to: lines after each move, and what is to be expected at their ends.

use afterstate::workbench::command::{Arrangement, Panel, ViewCommand};
use egui_kittest::kittest::Queryable as _;

use super::common::{apply, open, paste, until};

#[test]
fn lines_are_listed_after_each_move_and_their_ends_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"snake\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(5)))])",
    );
    paste(&mut window, "3379145802460135");
    apply(&mut window, ViewCommand::Arrange(Arrangement::Play));
    apply(&mut window, ViewCommand::ShowPanel(Panel::BestPlay));
    until(&mut window, "the lines after the chosen move", |window| {
        window.query_by_label_contains("12 of 42 lines, most probable first").is_some()
    });
    assert!(window.query_by_label_contains("Median: Right, ").is_some());
    let line = window.get_all_by_label_contains("1: Right, 2 at ").next().expect("the first line");
    line.click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("Line 1: probability ").is_some());
    window.get_by_label("Worst").click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("12 of 42 lines, worst ends first").is_some());
    window.get_by_label("Ends").click();
    window.run_steps(3);
    assert!(window.query_by_label_contains("Distribution after Right: no line is dead within the depth").is_some());
    assert!(window.query_by_label("Evaluators at the ends").is_some());
}
