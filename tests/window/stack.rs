//! Every drag of the builder and its keyboard equivalent: both lead to the same strategy in one step of undo.

use afterstate::preset::Shipped;
use afterstate::strategy::{Criterion, Strategy};
use afterstate::workbench::command::{
    Command, ExperimentCommand, LibraryCommand, Panel, StrategyCommand, ViewCommand, Workspace,
};
use egui::{Key, Modifiers, Pos2, Rect, accesskit, pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::builder::Window;
use crate::common::{Drive as _, TOOLTIP, document, until};

fn open(strategy: &str) -> Window {
    let mut window = Window::new();
    window.apply(StrategyCommand::Open(Box::new(
        strategy.parse().expect("a strategy"),
    )));
    window
}

fn build(strategy: &str) -> Window {
    let mut window = open(strategy);
    window.apply(ViewCommand::Workspace(Workspace::Build));
    window
}

fn row(window: &Window, index: usize) -> Rect {
    let name = format!("Row {} {}", index + 1, window.rows()[index]);
    window.harness.get_by_label(&name).rect()
}

/// A point that means "before row `at`".
fn slot(window: &Window, at: usize) -> Pos2 {
    let rows = window.rows().len();
    match at {
        at if at < rows => row(window, at).center() - vec2(0.0, 14.0),
        _ => row(window, rows - 1).center() + vec2(0.0, 14.0),
    }
}

fn focus_row(window: &mut Window, index: usize) {
    let name = format!("Row {} {}", index + 1, window.rows()[index]);
    window.harness.get_by_label(&name).focus();
    window.settle();
}

fn texts(window: &Window) -> Vec<String> {
    window
        .app()
        .document()
        .strategies()
        .iter()
        .map(|open| open.strategy.to_string())
        .collect()
}

fn said(window: &Window) -> String {
    window
        .app()
        .building()
        .drag
        .announcement
        .clone()
        .unwrap_or_default()
}

/// Checks that undo and redo restore both sides in one step.
fn is_one_step(window: &mut Window, before: &[String]) {
    let after = texts(window);
    assert_ne!(after, before);
    window.undo();
    assert_eq!(texts(window), before, "one step back");
    window.apply(Command::Redo);
    assert_eq!(texts(window), after, "one step forth");
    window.undo();
}

#[test]
fn every_row_goes_to_every_place_by_mouse_as_by_key() {
    let mut window = open("emur");
    let before = texts(&window);
    for from in 0..3 {
        for position in (0..3).filter(|position| *position != from) {
            let at = if from < position {
                position + 1
            } else {
                position
            };
            let (start, end) = (row(&window, from).center(), slot(&window, at));
            window.drag(start, end);
            let by_mouse = texts(&window);
            is_one_step(&mut window, &before);

            focus_row(&mut window, from);
            window.press(Key::Space);
            let (key, steps) = if position < from {
                (Key::ArrowUp, from - position)
            } else {
                (Key::ArrowDown, position - from)
            };
            for _ in 0..steps {
                window.press(key);
            }
            assert_eq!(
                texts(&window),
                before,
                "nothing is changed before it is dropped"
            );
            let proposal = window
                .app()
                .building()
                .drag
                .proposal
                .clone()
                .expect("it would move");
            window.press(Key::Space);
            assert_eq!(texts(&window), by_mouse, "row {from} to {position}");
            assert_eq!(
                proposal.strategy.hash(),
                window.strategy().hash(),
                "{}",
                proposal.words
            );
            is_one_step(&mut window, &before);
        }
    }
}

#[test]
fn alt_with_an_arrow_is_the_same_as_lifting_by_one() {
    let mut window = open("emur");
    focus_row(&mut window, 1);
    window.harness.press_keys(Modifiers::ALT, Key::ArrowDown);
    assert_eq!(window.rows(), ["Empty", "Uniformity", "Monotonicity"]);
    assert_eq!(said(&window), "Monotonicity, row 3 of 3");
    window.undo();
    assert_eq!(window.rows(), ["Empty", "Monotonicity", "Uniformity"]);
}

#[test]
fn what_is_lifted_is_said_and_shown_and_escape_puts_it_back() {
    let mut window = open("emur");
    let before = texts(&window);
    focus_row(&mut window, 2);
    window.press(Key::Space);
    assert!(
        !window.app().document().is_playing(),
        "Space lifts; the game does not run away"
    );
    assert_eq!(
        said(&window),
        "Uniformity lifted, row 3 of 3. Arrow keys move it, Space drops it, Escape puts it back"
    );

    let live = |window: &Window, text: &str| {
        let nodes = window.harness.query_all_by_label(text);
        nodes
            .filter(|node| node.accesskit_node().live() == accesskit::Live::Polite)
            .count()
    };
    assert_eq!(live(&window, &said(&window)), 1, "a screen reader hears it");
    window.press(Key::ArrowUp);
    assert_eq!(said(&window), "Uniformity, row 2 of 3");
    assert_eq!(live(&window, "Uniformity, row 2 of 3"), 1);
    let words = window
        .app()
        .building()
        .drag
        .proposal
        .as_ref()
        .map(|proposal| proposal.words.clone());
    assert_eq!(
        words.as_deref(),
        Some("Uniformity moves above Monotonicity")
    );
    window.press(Key::Escape);
    assert_eq!(texts(&window), before);
    assert_eq!(
        (
            said(&window).as_str(),
            &window.app().building().drag.proposal
        ),
        ("Uniformity is put back", &None)
    );

    // The focus is back at the row.
    window.press(Key::Delete);
    assert_eq!(window.rows(), ["Empty", "Monotonicity"]);
}

#[test]
fn escape_ends_a_drag_and_a_new_row_that_was_lifted() {
    let mut window = build("emur");
    let before = texts(&window);
    let (from, to) = (window.center("Palette Snake"), slot(&window, 1));
    window.carry(from, to);
    let proposal = window
        .app()
        .building()
        .drag
        .proposal
        .clone()
        .expect("it would be added");
    assert_eq!(proposal.words, "Snake is added as row 2");
    window.press(Key::Escape);
    window.drop_at(to);
    assert_eq!(
        (texts(&window), &window.app().building().drag.proposal),
        (before.clone(), &None)
    );

    window.harness.get_by_label("Palette Snake").focus();
    window.settle();
    window.press(Key::Space);
    assert_eq!(
        said(&window),
        "Snake lifted, row 4 of 4. Arrow keys move it, Space drops it, Escape puts it back"
    );
    window.press(Key::Escape);
    assert_eq!(
        (texts(&window), said(&window).as_str()),
        (before, "Snake is not added")
    );
}

#[test]
fn a_new_row_goes_to_every_place_by_mouse_as_by_key() {
    let mut window = build("emur");
    let before = texts(&window);
    for at in 0..=3 {
        let (from, to) = (window.center("Palette Snake"), slot(&window, at));
        window.drag(from, to);
        let by_mouse = texts(&window);
        is_one_step(&mut window, &before);

        // Without a selection it is added at the end.
        window.harness.get_by_label("Palette Snake").focus();
        window.settle();
        window.press(Key::Space);
        window.press(Key::End);
        for _ in at..3 {
            window.press(Key::ArrowUp);
        }
        window.press(Key::Enter);
        assert_eq!(texts(&window), by_mouse, "as row {at}");
        is_one_step(&mut window, &before);
    }

    let outside = pos2(1400.0, 860.0);
    let from = window.center("Palette Snake");
    window.drag(from, outside);
    assert_eq!(texts(&window), before, "outside nothing happens");
}

#[test]
fn a_row_is_taken_out_by_mouse_as_by_key() {
    let mut window = open("emur");
    let before = texts(&window);
    let from = row(&window, 1).center();
    window.carry(from, pos2(700.0, 500.0));
    let words = window
        .app()
        .building()
        .drag
        .proposal
        .as_ref()
        .map(|proposal| proposal.words.clone());
    assert_eq!(words.as_deref(), Some("row 2 is removed"));
    window.drop_at(pos2(700.0, 500.0));
    let by_mouse = texts(&window);
    is_one_step(&mut window, &before);
    focus_row(&mut window, 1);
    window.press(Key::Delete);
    assert_eq!(texts(&window), by_mouse);
    is_one_step(&mut window, &before);
}

/// Drags a row over the tab of another strategy until that opens.
fn carry_to_other(window: &mut Window, from: Pos2, tab: &str) {
    let over = window.center(tab);
    window.carry(from, over);
    until(&mut window.harness, "the tab opens", |window| {
        format!("Open strategy {}", document(window).strategy().label()) == tab
    });
}

#[test]
fn a_row_goes_to_another_open_strategy_by_mouse_as_by_key() {
    for copies in [false, true] {
        let mut window = open("ur");
        let before = texts(&window);
        let home = window.app().document().current();
        let modifiers = if copies {
            Modifiers::COMMAND
        } else {
            Modifiers::NONE
        };
        let from = row(&window, 0).center();
        carry_to_other(&mut window, from, "Open strategy emr");
        let to = slot(&window, 1);
        window
            .harness
            .event(egui::Event::ModifiersChanged(modifiers));
        window.harness.hover_at(to);
        window.harness.settle();
        let words = window
            .app()
            .building()
            .drag
            .proposal
            .as_ref()
            .map(|proposal| proposal.words.clone());
        let verb = if copies { "is copied" } else { "comes" };
        assert_eq!(words, Some(format!("Uniformity {verb} from ur as row 2")));
        window.drop_at(to);
        window
            .harness
            .event(egui::Event::ModifiersChanged(Modifiers::NONE));
        assert_eq!(window.rows(), ["Empty", "Uniformity", "Monotonicity"]);
        let by_mouse = texts(&window);
        let left = &window.app().document().strategies()[home].criteria;
        assert_eq!(left.len(), usize::from(copies));
        is_one_step(&mut window, &before);

        window.apply(StrategyCommand::Select(home));
        focus_row(&mut window, 0);
        window.press(Key::Space);
        window.harness.press_keys(Modifiers::COMMAND, Key::PageDown);
        assert_eq!(window.strategy().label(), "emr");
        window.press(Key::Home);
        window.press(Key::ArrowDown);
        window.harness.press_keys(modifiers, Key::Space);
        assert_eq!(texts(&window), by_mouse);
        is_one_step(&mut window, &before);
    }
}

#[test]
fn a_row_that_is_let_go_beside_another_strategy_goes_home() {
    let mut window = open("ur");
    let before = texts(&window);
    let home = window.app().document().current();
    let from = row(&window, 0).center();
    carry_to_other(&mut window, from, "Open strategy emr");
    window.drop_at(pos2(700.0, 500.0));
    assert_eq!(
        (texts(&window), window.app().document().current()),
        (before.clone(), home)
    );

    focus_row(&mut window, 0);
    window.press(Key::Space);
    window.press(Key::ArrowRight);
    assert_ne!(window.app().document().current(), home);
    window.press(Key::Escape);
    assert_eq!(
        (texts(&window), window.app().document().current()),
        (before, home)
    );
}

#[test]
fn a_strategy_plays_on_the_board_by_mouse_as_by_key() {
    let mut window = Window::new();
    let (from, board) = (window.center("Open strategy mr"), pos2(200.0, 300.0));
    window.drag(from, board);
    assert_eq!(window.strategy().label(), "mr");
    window.click("Open strategy emr");
    window.harness.press_keys(Modifiers::COMMAND, Key::PageDown);
    assert_eq!(window.strategy().label(), "mr");
    window.harness.press_keys(Modifiers::COMMAND, Key::PageUp);
    assert_eq!(window.strategy().label(), "emr");
}

#[test]
fn a_strategy_joins_the_experiment_by_mouse_as_by_key() {
    let mut window = open("uger");
    let count = |window: &Window| window.app().document().setup().strategies.len();
    let before = count(&window);
    let (from, to) = (window.center("Open strategy uger"), pos2(700.0, 800.0));
    window.drag(from, to);
    assert_eq!(count(&window), before + 1);
    window.undo();
    assert_eq!(count(&window), before);
    window.harness.press_keys(Modifiers::COMMAND, Key::E);
    assert_eq!(count(&window), before + 1);
    assert!(
        window
            .app()
            .can(&ExperimentCommand::AddCurrent.into())
            .is_err(),
        "once is enough"
    );
}

/// The best mix of the Solver, from its preset.
fn solver() -> Criterion {
    let preset = Shipped::named("solver-mixes")
        .expect("shipped")
        .preset()
        .expect("sound");
    let entry = preset
        .strategies
        .into_iter()
        .find(|entry| entry.strategy.name == "corner + score");
    entry.expect("the published row").strategy.criteria[0].clone()
}

#[test]
fn the_mix_of_the_solver_is_built_by_mouse_alone() {
    let mut window = Window::sized([1600.0, 1200.0]);
    window.apply(ViewCommand::Workspace(Workspace::Build));
    window.click("New strategy");
    window.click("Fold One ply, 25");
    let empty = window.center("Drag a row from the palette, or press A");
    let from = window.center("Palette Expectimax");
    window.drag(from, empty);
    window.click("Unfold row 1");
    let plies = |window: &Window| window.strategy().criteria[0].lookahead.plies().cloned();
    let from = window.center("Plies");
    // Slowly, until the depth is 4.
    window.harness.drag_at(from);

    let mut x = 0.0;
    while plies(&window) != solver().lookahead.plies().cloned() {
        assert!(x < 200.0, "{:?}", plies(&window));
        x += 4.0;
        window.harness.hover_at(from + vec2(x, 0.0));
        window.harness.step();
    }

    window.drop_at(from + vec2(x, 0.0));
    assert_eq!(window.strategy().criteria, [solver()]);
}

/// Presses Tab until a widget with this name has the focus.
fn tab_to(window: &mut Window, name: &str) {
    for _ in 0..200 {
        window.press(Key::Tab);
        let mut there = window.harness.query_all_by_label(name);
        if there.any(|node| node.accesskit_node().is_focused()) {
            return;
        }
    }
    panic!("{name} cannot be reached");
}

fn run_command(window: &mut Window, words: &str) {
    window.harness.press_keys(Modifiers::COMMAND, Key::K);
    window.harness.event(egui::Event::Text(words.to_owned()));
    window.settle();
    window.press(Key::Enter);
}

#[test]
fn the_mix_of_the_solver_is_built_by_keyboard_alone() {
    let mut window = Window::sized([1600.0, 1200.0]);
    run_command(&mut window, "workspace build");
    run_command(&mut window, "new strategy");
    run_command(&mut window, "add row");

    window
        .harness
        .event(egui::Event::Text("expectimax".to_owned()));
    window.settle();
    window.press(Key::Enter);
    assert_eq!(window.rows(), ["Corner + Score"]);
    tab_to(&mut window, "Row 1 Expectimax of Corner + Score");
    window.press(Key::Enter);

    tab_to(&mut window, "Plies");
    window.press(Key::Backspace);
    window.harness.press_keys(Modifiers::COMMAND, Key::A);
    window.harness.event(egui::Event::Text("4".to_owned()));
    window.settle();
    window.press(Key::Enter);
    assert_eq!(window.strategy().criteria, [solver()]);
}

#[test]
fn a_stack_of_twenty_rows_is_walked_and_reordered_by_key() {
    let letters = ["Score", "Empty", "Monotonicity", "Uniformity", "Snake"];
    let rows: Vec<String> = (0..20)
        .map(|row| format!("(evaluator: {}, tolerance: {row})", letters[row % 5]))
        .collect();
    let mut window = open(&format!(
        "Strategy(name: \"twenty\", criteria: [{}])",
        rows.join(", ")
    ));
    let before: Vec<f64> = window
        .strategy()
        .criteria
        .iter()
        .map(|row| row.tolerance)
        .collect();
    focus_row(&mut window, 0);
    window.press(Key::Space);
    window.press(Key::End);
    window.press(Key::Space);
    let after: Vec<f64> = window
        .strategy()
        .criteria
        .iter()
        .map(|row| row.tolerance)
        .collect();
    assert_eq!(after[..19], before[1..]);
    assert_eq!(after[19], before[0]);
    // It is visible in its new place.
    let last = row(&window, 19);
    let panel = window.harness.ctx.content_rect();
    assert!(panel.contains_rect(last), "{last:?}");
}

#[test]
fn a_chip_of_the_palette_has_a_tooltip() {
    let mut window = build("er");
    let how = "Drag it into the stack, or double-click";
    let seen = |window: &Window| window.harness.query_all_by_label_contains(how).count();
    let at = window.center("Palette Snake");
    window.harness.hover_at(at - egui::vec2(0.0, 300.0));
    window.settle();
    assert_eq!(seen(&window), 0);
    window.harness.hover_at(at);
    window.harness.pass(TOOLTIP);
    assert_eq!(seen(&window), 1, "one tooltip");
}

#[test]
fn the_palette_is_searched_and_walked_by_key() {
    let mut window = build("er");
    window.harness.get_by_label("Find a row").focus();
    window.settle();
    window.harness.event(egui::Event::Text("snake".to_owned()));
    window.settle();
    assert!(window.harness.query_by_label("Palette Score").is_none());
    window.press(Key::ArrowDown);
    window.press(Key::Enter);
    assert_eq!(window.rows(), ["Empty", "Snake"]);
    // Headings are also stops: they fold.
    let is_item = |window: &Window| {
        let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
        let focused = window.harness.query_all_by(is_focused).next();
        focused
            .and_then(|node| node.accesskit_node().label())
            .is_some_and(|label| label.starts_with("Palette "))
    };

    window.press(Key::ArrowDown);
    for _ in 0..3 {
        if !is_item(&window) {
            window.press(Key::ArrowDown);
        }
    }

    window.press(Key::Enter);
    assert_eq!(window.rows().len(), 3, "the next one that was found");
    window.click("Find a row");
    window.press(Key::Escape);
    assert!(window.harness.query_by_label("Palette Score").is_some());
    window.click("Fold One ply, 25");
    assert!(window.harness.query_by_label("Palette Score").is_none());
}

#[test]
fn rows_of_kept_strategies_are_in_the_palette() {
    let mut window = build(
        "Strategy(name: \"mine\", criteria: [(evaluator: Empty, tolerance: 3.0), (evaluator: Snake)])",
    );
    assert!(
        window
            .harness
            .query_by_label("Palette Empty of mine")
            .is_none()
    );
    window.apply(Command::Library(LibraryCommand::Save));
    window.harness.get_by_label("Find a row").focus();
    window.settle();
    window.harness.event(egui::Event::Text("mine".to_owned()));
    window.settle();
    assert!(
        window
            .harness
            .query_by_label("Palette Snake of mine")
            .is_none(),
        "the catalogue has it"
    );
    window.press(Key::Enter);
    assert_eq!(window.rows(), ["Empty", "Snake", "Empty"]);
    assert_eq!(window.strategy().criteria[2].tolerance, 3.0);
}

#[test]
fn a_note_is_written_and_kept_in_one_step() {
    let mut window = build("mur");
    window.click("Strategy menu");
    window.click("Add a note");
    window
        .harness
        .event(egui::Event::Text("order first".to_owned()));
    window.settle();
    window.press(Key::Enter);
    assert_eq!(window.strategy().note, "order first");
    let hash = Strategy {
        note: String::new(),
        ..window.strategy()
    }
    .hash();
    assert_eq!(window.strategy().hash(), hash, "it does not count");
    window.undo();
    assert_eq!(window.strategy().note, "");
}

#[test]
fn rows_switch_off_and_on_and_are_sent_to_other_strategies_from_their_menu() {
    let mut window = open("mur");
    window.click("Menu of row 1");
    window.click("Switch off");
    assert!(window.strategy().criteria[0].off);
    window.click("Menu of row 1");
    window.click("Switch on");
    assert!(!window.strategy().criteria[0].off);
    window.click("Menu of row 2");
    window.click("Copy to er");
    assert_eq!(window.rows(), ["Empty", "Uniformity"]);
    window.apply(ViewCommand::ShowPanel(Panel::Strategy));
}

#[test]
fn a_panel_that_is_called_by_key_has_the_keyboard_at_once() {
    let mut window = Window::new();
    window.apply(ViewCommand::Workspace(Workspace::Build));
    let board = window.app().document().board();
    window.harness.press_keys(Modifiers::COMMAND, Key::Num3);
    window.press(Key::ArrowDown);
    window.press(Key::ArrowRight);
    assert!(
        window.harness.query_by_label("Fold row 2").is_some(),
        "the second row is selected and unfolded"
    );
    window.press(Key::ArrowLeft);
    assert!(window.harness.query_by_label("Unfold row 2").is_some());
    window.press(Key::Space);
    assert!(
        window.app().building().drag.key.is_some(),
        "Space lifts the row"
    );
    window.press(Key::Escape);

    // A row can be added wherever the focus is in the builder.
    window.harness.press_keys(
        Modifiers {
            command: true,
            shift: true,
            ..Modifiers::NONE
        },
        Key::A,
    );
    window.press(Key::Escape);
    window.press(Key::A);
    window
        .harness
        .get_by_label("Find a row to add")
        .type_text("uni");
    window.settle();
    window.press(Key::Enter);
    window.press(Key::ArrowRight);
    let added = window
        .rows()
        .iter()
        .position(|row| row == "Uniformity")
        .expect("it was added");
    assert!(
        window
            .harness
            .query_by_label(&format!("Fold row {}", added + 1))
            .is_some(),
        "it has the keyboard"
    );
    let doc = window.app().document();
    assert!(
        doc.board() == board && !doc.is_playing(),
        "nothing was played"
    );
}
