//! Formulas: errors appear while typing, and a valid formula plays at once.

use afterstate::evaluator::Evaluator;
use afterstate::strategy::Strategy;
use afterstate::workbench::command::StrategyCommand;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::builder::Window;
use crate::common::Drive as _;

const FIELD: &str = "Formula";

fn unfolded(formula: &str) -> Window {
    let mut window = Window::sized([1600.0, 1200.0]);
    let text = format!("Strategy(name: \"own\", criteria: [(evaluator: Formula({formula:?}))])");
    let strategy: Strategy = text.parse().expect(&text);
    window.apply(StrategyCommand::Open(Box::new(strategy)));
    window.click("Unfold row 1");
    window
}

/// Replaces the text of the field by pasting.
fn write(window: &mut Window, text: &str) {
    field(window).focus();
    window.harness.settle();
    window.harness.press_keys(Modifiers::COMMAND, Key::A);
    window.harness.event(egui::Event::Paste(text.to_owned()));
    window.harness.settle();
}

fn field(window: &Window) -> egui_kittest::Node<'_> {
    window
        .harness
        .get_by(|node| node.label().as_deref() == Some(FIELD) && node.value().is_some())
}

fn formula(window: &Window) -> String {
    match &window.strategy().criteria[0].evaluator {
        Evaluator::Formula(formula) => formula.text().to_owned(),
        other => panic!("{other} is no formula"),
    }
}

fn shows(window: &Window, text: &str) -> bool {
    window
        .harness
        .query_all_by(|node| {
            node.label()
                .or(node.value())
                .is_some_and(|label| label.contains(text))
        })
        .next()
        .is_some()
}

#[test]
fn a_formula_with_a_mistake_is_told_and_mended() {
    let mut window = unfolded("empty");
    let board = window.app().document().board();
    let undone = window.app().document().undo_texts().0.map(str::to_owned);
    assert!(
        shows(&window, &format!("This board {}", board.empty_count())),
        "its value on the board on screen"
    );

    write(&mut window, "1000");
    assert_eq!(formula(&window), "1000");
    write(&mut window, "1000 / emty");
    assert!(shows(
        &window,
        "Character 8: there is no \"emty\": did you mean empty?"
    ));
    assert_eq!(
        formula(&window),
        "empty",
        "the row plays by what it was when the field was entered"
    );
    assert!(shows(
        &window,
        "The row uses empty until the formula is valid"
    ));

    write(&mut window, "1000 / empty");
    assert!(shows(
        &window,
        "Character 8: this may be 0, which cannot divide: write max(1, …) around it"
    ));
    write(&mut window, "1000 * max(1, empty)");
    assert!(!shows(&window, "Character"), "nothing is wrong any more");
    assert_eq!(formula(&window), "1000 * max(1, empty)");
    assert!(
        shows(&window, "slower in searches"),
        "a largest number is no sum over lines"
    );

    window.press(Key::Escape);
    window.undo();
    assert_eq!(
        formula(&window),
        "empty",
        "a visit of the field is one step"
    );
    assert_eq!(
        window.app().document().undo_texts().0.map(str::to_owned),
        undone
    );
}

#[test]
fn what_is_typed_and_wrong_can_be_discarded() {
    let mut window = unfolded("empty + score");
    write(&mut window, "empty +");
    assert!(shows(
        &window,
        "Character 8: the text ends, but a value is needed there"
    ));
    window.click("Discard typed text");
    assert_eq!(field(&window).value().as_deref(), Some("empty + score"));
    assert!(!shows(&window, "Character"));
}

#[test]
fn examples_and_words_are_put_in_by_a_click() {
    let mut window = unfolded("empty");
    window.click("Examples of formulas");
    window.click("Snake");
    assert!(
        formula(&window).contains("max(images"),
        "{}",
        formula(&window)
    );
    write(&mut window, "1 + ");
    window.click("Words of formulas");
    window.click("Word score");
    assert_eq!(formula(&window), "1 + score");
}
