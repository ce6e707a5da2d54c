//! The Row panel: the matrix that the user paints, and what a row without one looks at.

use std::path::Path;

use afterstate::evaluator::{Evaluator, Weights};
use afterstate::game::Rules;
use afterstate::strategy::Strategy;
use afterstate::workbench::command::{
    Command, FileCommand, GameCommand, Panel, PictureFormat, Purpose, StrategyCommand, ViewCommand,
    Workspace,
};
use egui::{Key, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, drag, open, until};

/// The window with details of the first row of a strategy.
fn shown(folder: &Path, size: &str, row: &str) -> Window {
    let mut window = open(folder);
    let rules = Rules {
        size: size.parse().expect("a size"),
        ..Rules::default()
    };
    apply(&mut window, GameCommand::NewWith(rules, 1));
    let strategy: Strategy = format!("Strategy(name: \"w\", criteria: [{row}])")
        .parse()
        .expect(row);
    apply(&mut window, StrategyCommand::Open(Box::new(strategy)));
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Row));
    // Focusing a row in the stack selects it.
    let label = document(&window).strategy().criteria[0].label();
    window.get_by_label(&format!("Row 1 {label}")).focus();
    window.settle();
    window
}

fn values(window: &Window) -> Vec<f64> {
    match &document(window).strategy().criteria[0].evaluator {
        Evaluator::Weights(weights) => weights.values().to_vec(),
        other => panic!("{other} is no matrix"),
    }
}

fn cell(window: &mut Window, row: usize, col: usize) {
    window.click(&format!("Cell row {row} column {col}"));
}

fn choose(window: &mut Window, label: &str) {
    window.click_role(Role::RadioButton, label);
}

fn type_number(window: &mut Window, number: &str) {
    for c in number.chars() {
        window.event(egui::Event::Text(c.to_string()));
        window.settle();
    }
    window.press_key(Key::Enter);
}

const A: &str = "(evaluator: Weights(\"a\"))";

#[test]
fn a_typed_weight_goes_to_all_cells_that_are_painted_together() {
    // By the symmetries: the mirror at the diagonal, the four quarter turns, all eight.
    for (paint, cells) in [
        ("One", vec![1]),
        ("Diagonal", vec![1, 4]),
        ("4 turns", vec![1, 7, 14, 8]),
        ("8 ways", vec![1, 2, 4, 7, 8, 11, 13, 14]),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = shown(folder.path(), "4x4", A);
        choose(&mut window, paint);
        cell(&mut window, 1, 2);
        type_number(&mut window, "12.5");
        let expected: Vec<f64> = Weights::A
            .values()
            .iter()
            .enumerate()
            .map(|(index, &weight)| if cells.contains(&index) { 12.5 } else { weight })
            .collect();
        assert_eq!(values(&window), expected, "{paint}");
        apply(&mut window, Command::Undo);
        assert_eq!(
            document(&window).strategy().criteria[0].evaluator,
            Evaluator::Weights(Weights::A),
            "{paint}"
        );
        assert_eq!(
            document(&window).undo_texts().0,
            Some("open strategy"),
            "one step"
        );
    }
}

#[test]
fn arrows_walk_over_the_cells_and_escape_gives_up_what_is_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path(), "4x4", A);
    cell(&mut window, 1, 1);
    for key in [
        Key::ArrowRight,
        Key::ArrowDown,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowLeft,
    ] {
        window.press_key(key);
    }

    assert!(window.query_by_label("Selected, row 3 column 1").is_some());
    window.event(egui::Event::Text("9".to_owned()));
    // The field in the cell has the focus from the next frame on.
    window.settle();
    window.press_key(Key::Escape);
    assert_eq!(values(&window), Weights::A.values());
    type_number(&mut window, "7");
    assert_eq!(values(&window)[8], 7.0, "the cell has the keys again");
}

#[test]
fn a_drag_over_cells_paints_them_in_one_step_of_undo() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path(), "4x4", A);
    let center = |window: &Window, col: usize| {
        window
            .get_by_label(&format!("Cell row 2 column {col}"))
            .rect()
            .center()
    };
    let (from, to) = (center(&window, 1), center(&window, 4));
    drag(&mut window, from, to);
    assert_eq!(values(&window)[4..8], [5.0; 4]);
    assert_eq!(values(&window)[..4], Weights::A.values()[..4]);
    apply(&mut window, Command::Undo);
    assert_eq!(values(&window), Weights::A.values());
}

#[test]
fn presets_and_reset_change_the_whole_matrix() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path(), "4x4", A);
    for (preset, weights) in [("b", Weights::B), ("c", Weights::C), ("a", Weights::A)] {
        choose(&mut window, preset);
        assert_eq!(
            document(&window).strategy().criteria[0].evaluator,
            Evaluator::Weights(weights)
        );
    }
    choose(&mut window, "Snake");
    assert_eq!(values(&window)[..5], [4.0, 2.0, 1.0, 0.5, 8.0 / 256.0]);
    window.click("Reset the matrix");
    assert_eq!(values(&window), Weights::A.values());
}

#[test]
fn numbers_are_pasted_in_rows_and_mistakes_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(
        folder.path(),
        "2x3",
        "(evaluator: Weights([1, 2, 3, 4, 5, 6]))",
    );
    window.click("Paste a matrix");
    window.event(egui::Event::Paste("1 2 3".to_owned()));
    window.settle();
    assert_eq!(
        window
            .query_all_by_label_contains("3 numbers in the clipboard, but a 2x3 board has 6 cells")
            .count(),
        1
    );
    window.event(egui::Event::Paste("\n-4 5 6.5".to_owned()));
    window.settle();
    assert_eq!(values(&window), [1.0, 2.0, 3.0, -4.0, 5.0, 6.5]);
}

#[test]
fn every_size_has_its_cells_and_a_matrix_of_another_size_the_way_out() {
    for size in ["2x2", "3x5", "5x5"] {
        let folder = tempfile::tempdir().expect("a folder");
        let cells = size
            .split('x')
            .map(|side| side.parse::<usize>().expect("a side"))
            .product::<usize>();
        let zeros = vec!["0"; cells].join(", ");
        let mut window = shown(
            folder.path(),
            size,
            &format!("(evaluator: Weights([{zeros}]))"),
        );
        assert_eq!(
            window.query_all_by_label_contains("Cell row ").count(),
            cells,
            "{size}"
        );
        choose(&mut window, "8 ways");
        cell(&mut window, 1, 1);
        type_number(&mut window, "3");
        let symmetric = Weights::Matrix(values(&window));
        assert!(
            symmetric.is_symmetric(size.parse().expect("a size")),
            "{size}"
        );
        assert_eq!(
            values(&window).iter().sum::<f64>(),
            12.0,
            "the four corners"
        );
        apply(&mut window, GameCommand::NewWith(Rules::default(), 1));
        window.click("Fit weights to 4 × 4");
        assert_eq!(values(&window), Weights::A.values());
    }
}

#[test]
fn two_boards_show_that_turns_have_other_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path(), "4x4", A);
    window.click("Show me");
    let worth = |window: &Window, which: &str| -> String {
        window
            .get_by_label_contains(&format!("{which}, worth "))
            .accesskit_node()
            .label()
            .unwrap_or_default()
    };
    assert_ne!(
        worth(&window, "This board").rsplit(' ').next(),
        worth(&window, "Its image").rsplit(' ').next()
    );
    // A matrix that is invariant under all turns has no warning.
    let ones = vec!["1"; 16].join(", ");
    let folder = tempfile::tempdir().expect("a folder");
    let window = shown(
        folder.path(),
        "4x4",
        &format!("(evaluator: Weights([{ones}]))"),
    );
    assert!(window.query_by_label_contains("Not symmetric").is_none());
}

#[test]
fn each_matrix_of_a_row_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let row = "(evaluator: Sum([(1, Empty), (2, Weights(\"b\"))]), lookahead: Expectimax(plies: Fixed(2), cuts: \
               [ImportantCells(k: 3, weights: \"a\")]))";
    let mut window = shown(folder.path(), "4x4", row);
    choose(&mut window, "Important cells");
    cell(&mut window, 4, 4);
    type_number(&mut window, "9");
    let strategy = document(&window).strategy();
    let text = strategy.to_string();
    assert!(text.contains("Weights(\"b\")"), "{text}");
    assert!(text.contains("3.0, 2.0, 1.0, 9.0]"), "{text}");
}

#[test]
fn a_row_without_a_matrix_says_what_it_looks_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let window = shown(folder.path(), "4x4", "(evaluator: Corner)");
    assert!(
        window
            .query_by_label_contains("Weights that count here: ")
            .is_some()
    );
    let value = document(&window).board();
    let value = Evaluator::Corner.evaluate(&value, 0);
    let words = format!("Corner {}", afterstate::words::decimals(value, 1));
    assert!(window.query_by_label(&words).is_some(), "{words}");
    let folder = tempfile::tempdir().expect("a folder");
    let window = shown(
        folder.path(),
        "4x4",
        "(evaluator: Sum([(1, Score), (50, Empty)]))",
    );
    let empty = f64::from(document(&window).board().empty_count());
    let words = format!(
        "Empty 50 {} {}",
        afterstate::words::decimals(empty, 1),
        afterstate::words::decimals(50.0 * empty, 1)
    );
    assert!(window.query_by_label(&words).is_some(), "{words}");
}

#[test]
fn the_grids_of_a_strategy_are_a_picture_with_their_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let play = |window: &mut Window, text: &str| {
        apply(
            window,
            StrategyCommand::Open(Box::new(text.parse().expect("a strategy"))),
        );
    };
    let sum = "(name: \"both\", criteria: [(evaluator: Sum([(1, Snake), (2, Corner), (1, Weights(\"a\"))]))])";
    play(&mut window, sum);
    let written = |window: &mut Window, format: PictureFormat| {
        let path = folder.path().join(format!("grids.{}", format.ending()));
        apply(
            window,
            FileCommand::SaveTo(Purpose::SaveFigure(Panel::Row, format), path.clone()),
        );
        until(window, "the grids are written", |_| path.exists());
        std::fs::read(&path).expect("a picture")
    };
    let drawing = String::from_utf8(written(&mut window, PictureFormat::Svg)).expect("text");
    for text in [
        "Grids of both",
        "Snake",
        "Corner",
        "Term 3, Weights a",
        "Afterstate ",
    ] {
        assert!(drawing.contains(text), "{text}");
    }

    assert!(written(&mut window, PictureFormat::Png).starts_with(b"\x89PNG"));
}
