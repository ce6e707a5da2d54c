//! The elimination table of the Decision panel, read and pressed through its accessibility tree.

use afterstate::game::Move;
use afterstate::prose;
use afterstate::search::Link;
use afterstate::solve::{Goal, Question};
use afterstate::strategy::{Decision, Strategy};
use afterstate::task::Control;
use afterstate::words;
use afterstate::workbench::App;
use afterstate::workbench::command::{GameCommand, ViewCommand};
use afterstate::workbench::state::Thought;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, carry, document, open, open_with, paste};

const MIXED: &str = "(name: \"mixed\", criteria: [(evaluator: Monotonicity, tolerance: 4), (evaluator: Uniformity, off: true), \
    (evaluator: Snake, lookahead: Expectimax(plies: Fixed(2))), (evaluator: Empty), (evaluator: Score)], last_resort: First)";

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

/// The expected text of the cell of a move and a row.
fn expected(decision: &Decision, strategy: &Strategy, row: usize, mv: Move) -> String {
    let criterion = &strategy.criteria[row];
    let label = strategy.row_label(row);
    let candidate = decision.moves[mv].as_ref().expect("a legal move");
    let state = match candidate.values[row] {
        _ if criterion.off => "off".to_owned(),
        Some(value) => {
            let column = || {
                Move::ALL
                    .iter()
                    .filter_map(|&mv| decision.moves[mv].as_ref()?.values[row])
            };
            let best = column().fold(f64::MIN, f64::max);
            let what = match () {
                () if candidate.fell_at == Some(row) => "rejected",
                () if decision.deciding() == Some(row) && decision.chosen == Some(mv) => "decided",
                () if value < best => "kept within ε",
                () => "kept",
            };
            format!(
                "{}, {what}",
                words::decimals(value, words::places(column()))
            )
        }
        None if candidate.fell_at.is_some_and(|fell| fell < row) && decision.was_needed(row) => {
            "already out".to_owned()
        }
        None => "not needed".to_owned(),
    };

    format!("{mv}, {label}: {state}")
}

#[test]
fn where_the_board_is_solved_true_losses_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let question = Question {
        size: "2x2".parse().expect("a size"),
        p4: 0.1,
        goal: Goal::Score,
    };
    let solution = question
        .solve(1, &Control::default())
        .expect("a small board");

    std::fs::create_dir(folder.path().join("solved")).expect("made");
    solution
        .table
        .write(&folder.path().join("solved/tiny.solved"))
        .expect("writable");
    let mut window = open(folder.path());
    assert!(
        window
            .query_by_label_contains("Exact values from")
            .is_none(),
        "4 × 4 is not solved"
    );
    paste(&mut window, "2,8/2,0");
    let board = document(&window).board();
    assert_eq!(board.to_string(), "2,8/2,0");
    let said = prose::decision::true_losses(&board, "tiny", &solution.table);
    assert!(
        said.starts_with("Exact values from table tiny: ") && said.contains(" loses "),
        "{said}"
    );
    assert!(window.query_by_label(&said).is_some(), "{said}");
    paste(&mut window, "2,2,0/0,0,0");
    assert!(
        window
            .query_by_label_contains("Exact values from")
            .is_none(),
        "another size"
    );
}

#[test]
fn every_cell_says_what_the_player_decided_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [2560.0, 1440.0], Vec::new());
    paste(&mut window, MIXED);
    let (mut tolerated, mut off, mut searched) = (0, 0, 0);
    for _ in 0..12 {
        apply(&mut window, GameCommand::Next);
        assert_eq!(document(&window).thought(), Thought::Settled);
        if window.query_by_label("Show fewer columns").is_none()
            && let Some(more) = window.query_by_label_contains("Show ").filter(|node| {
                node.accesskit_node()
                    .label()
                    .is_some_and(|label| label.contains("more column"))
            })
        {
            more.click();
            window.settle();
        }

        let doc = document(&window);
        let (decision, strategy) = (doc.decision().expect("settled").clone(), doc.strategy());
        if decision.legal().len() < 2 {
            continue;
        }

        for row in 0..strategy.criteria.len() {
            for mv in decision.legal() {
                let cell = expected(&decision, &strategy, row, mv);
                assert!(window.query_by_label(&cell).is_some(), "{cell}");
                tolerated += u32::from(cell.ends_with("within ε"));
                off += u32::from(cell.ends_with(": off"));
                searched +=
                    u32::from(cell.contains(", Expectimax of ") && !cell.ends_with("needed"));
            }
        }
    }

    assert!(
        0 < tolerated && 0 < off && 0 < searched,
        "{tolerated} {off} {searched}"
    );
}

#[test]
fn pressing_a_cell_shows_the_tree_of_its_row_at_that_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [2560.0, 1440.0], Vec::new());
    paste(&mut window, MIXED);
    assert_eq!(document(&window).thought(), Thought::Settled);
    let (mut one_ply, mut deep) = (false, false);
    for _ in 0..60 {
        if one_ply && deep {
            break;
        }

        apply(&mut window, GameCommand::Next);
        assert_eq!(document(&window).thought(), Thought::Settled);
        let doc = document(&window);
        let (decision, strategy) = (doc.decision().expect("settled").clone(), doc.strategy());
        for row in [0, 2] {
            let fell = decision.legal().iter().find(|&mv| {
                let candidate = decision.moves[mv].as_ref().expect("legal");
                candidate.values[row].is_some() && decision.chosen != Some(mv)
            });
            let Some(mv) = fell else { continue };
            let cell = expected(&decision, &strategy, row, mv);
            let Some(node) = window.query_by_label(&cell) else {
                continue;
            };
            node.click();
            window.settle();
            let inspection = app(&window).inspection();
            let shown = inspection.shown().expect("a tree");
            assert_eq!(shown.row, row);
            assert_eq!(
                Some(inspection.selected()),
                shown.tree.follow(&[Link::Slide(mv)]),
                "{cell}"
            );
            assert_eq!(shown.tree.subject().plies, if row == 0 { 1 } else { 2 });
            one_ply |= row == 0;
            deep |= row == 2;
        }
    }

    assert!(one_ply && deep, "both kinds of cells were pressed");
}

#[test]
fn twenty_rows_fold_and_unfold() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let names = ["Empty", "Monotonicity", "Uniformity", "Score", "Snake"];
    let rows: Vec<String> = (0..20)
        .map(|row| format!("(evaluator: {}, tolerance: 1000000)", names[row % 5]))
        .collect();
    paste(
        &mut window,
        &format!("(name: \"long\", criteria: [{}])", rows.join(", ")),
    );
    assert_eq!(document(&window).thought(), Thought::Settled);

    // Other tables also have headers.
    let heads = |window: &Window| {
        window
            .query_all_by_label_contains(", ε 1000000 · one ply")
            .count()
    };
    let folded = heads(&window);
    assert!((1..20).contains(&folded), "{folded} columns");
    window.click(&format!("Show {} more columns", 20 - folded));
    assert_eq!(heads(&window), 20);
    window.click("Show fewer columns");
    assert_eq!(heads(&window), folded);
}

#[test]
fn the_head_of_a_row_says_how_far_it_looks_and_what_it_tolerates() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [2560.0, 1440.0], Vec::new());
    paste(&mut window, MIXED);
    assert_eq!(document(&window).thought(), Thought::Settled);
    let heads = window.query_all(egui_kittest::kittest::By::new().role(Role::ColumnHeader));
    let heads: Vec<String> = heads
        .filter_map(|node| node.accesskit_node().label())
        .collect();
    assert!(
        heads.contains(&"1 Monotonicity, ε 4 · one ply".to_owned()),
        "{heads:?}"
    );
}

#[test]
fn a_low_and_wide_panel_shows_the_table_whose_moves_can_be_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(
        &mut window,
        ViewCommand::Workspace(afterstate::workbench::command::Workspace::Build),
    );
    assert_eq!(document(&window).thought(), Thought::Settled);
    assert!(
        window
            .query_by_label("Elimination table: moves by row")
            .is_some()
    );
    let doc = document(&window);
    let before = (
        doc.cursor(),
        doc.decision()
            .and_then(|decision| decision.chosen)
            .expect("a move"),
    );
    let row = window.query_all(egui_kittest::kittest::By::new().role(Role::Button));
    let row = row.into_iter().find(|node| {
        node.accesskit_node()
            .label()
            .is_some_and(|label| label.starts_with(&format!("{}, value", before.1)))
    });
    row.expect("the move is a button").click();
    window.settle();
    let doc = document(&window);
    assert_eq!(doc.tree().node(doc.cursor()).parent, Some(before.0));
    assert_eq!(doc.node().step.map(|step| step.mv), Some(before.1));
}

#[test]
fn a_change_that_is_being_dragged_says_what_it_would_decide() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    assert_eq!(document(&window).thought(), Thought::Settled);
    assert!(
        window
            .query_by_label_contains("With the change: ")
            .is_none()
    );
    let from = window.get_by_label("Row 2 Monotonicity").rect().center();
    let to = window.get_by_label("Row 1 Empty").rect().center() - egui::vec2(0.0, 12.0);
    carry(&mut window, from, to);
    let text = window
        .query_by_label_contains("With the change: ")
        .map(|node| node.accesskit_node());
    let text = text
        .and_then(|node| node.label().or_else(|| node.value()))
        .expect("a sentence");
    let before = document(&window).decision().expect("settled").choice;
    window.drop_at(to);
    window.settle();
    assert_eq!(document(&window).thought(), Thought::Settled);
    let after = document(&window).decision().expect("settled").clone();
    assert_eq!(document(&window).strategy().label(), "mer");
    assert_eq!(text.contains(" again"), before == after.choice, "{text}");
    for mv in after.choice {
        assert!(text.contains(&mv.to_string()), "{text}");
    }

    assert!(
        window
            .query_by_label_contains("With the change: ")
            .is_none(),
        "it is made"
    );
}

#[test]
fn who_listens_finds_a_table_with_numbered_rows_and_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    let window = open_with(folder.path(), [2560.0, 1440.0], Vec::new());
    assert_eq!(document(&window).thought(), Thought::Settled);
    let doc = document(&window);
    let (decision, strategy) = (doc.decision().expect("settled").clone(), doc.strategy());
    let table = window.get_by_role_and_label(Role::Table, "Elimination table: moves by row");
    let data = table.accesskit_node().data().clone();
    assert_eq!(
        (data.row_count(), data.column_count()),
        (Some(5), Some(1 + strategy.criteria.len()))
    );
    for mv in decision.legal() {
        for row in 0..strategy.criteria.len() {
            let cell = table
                .get_by_label(&expected(&decision, &strategy, row, mv))
                .accesskit_node()
                .data()
                .clone();
            let place = 1 + Move::ALL
                .iter()
                .position(|&other| other == mv)
                .expect("a move");
            assert_eq!(
                (cell.role(), cell.row_index(), cell.column_index()),
                (Role::Cell, Some(place), Some(1 + row))
            );
        }
    }

    assert_eq!(
        table.query_all_by_role(Role::ColumnHeader).count(),
        1 + strategy.criteria.len()
    );
}

#[test]
fn cells_are_walked_with_the_keyboard_and_enter_shows_the_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [2560.0, 1440.0], Vec::new());
    assert_eq!(document(&window).thought(), Thought::Settled);
    let doc = document(&window);
    let (decision, strategy) = (doc.decision().expect("settled").clone(), doc.strategy());
    let mv = decision.chosen.expect("a move");
    window
        .get_by_label(&expected(&decision, &strategy, 0, mv))
        .focus();
    window.settle();
    window.press_key(Key::Enter);
    let inspection = app(&window).inspection();
    assert_eq!(inspection.shown().map(|shown| shown.row), Some(0));
}
