//! The keyboard focus: tab stops, arrow keys in groups, and where the focus moves when something closes or vanishes.

use afterstate::workbench::command::{Panel, StrategyCommand, ViewCommand, Workspace};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _, by};
use strum::IntoEnumIterator as _;

use crate::common::{
    Drive as _, Window, apply, carry, document, open, open_new, open_with, paste, title,
};

/// Role, name and place of the focused widget.
fn focused(window: &Window) -> (Role, String, Rect) {
    let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
    let node = window.query_all(by().predicate(is_focused)).next();
    let Some(node) = node else {
        return (Role::Window, String::new(), Rect::NOTHING);
    };
    (
        node.accesskit_node().role(),
        node.accesskit_node().label().unwrap_or_default(),
        node.rect(),
    )
}

fn name(window: &Window) -> String {
    focused(window).1
}

fn focus(window: &mut Window, label: &str) {
    window.get_by_label(label).focus();
    window.settle();
    assert_eq!(name(window), label);
}

/// The window of these tests.
const WHOLE: Rect = Rect {
    min: Pos2::ZERO,
    max: Pos2::new(1600.0, 1000.0),
};

/// All tab stops in one round, starting at the first menu.
fn stops(window: &mut Window) -> Vec<(Role, String, Rect)> {
    let mut stops: Vec<(Role, String, Rect)> = Vec::new();
    for _ in 0..300 {
        let events = [true, false].map(|pressed| Event::Key {
            key: Key::Tab,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        });
        window.input_mut().events.extend(events);
        window.step();
        let mut stop = focused(window);
        // It may have to come into sight first.
        if stop.1.is_empty() || !WHOLE.contains_rect(stop.2) {
            window.settle();
            stop = focused(window);
        }
        let is_first = stop.1 == "File";
        if is_first && !stops.is_empty() {
            return stops;
        }
        if is_first || !stops.is_empty() {
            stops.push(stop);
        }
    }
    panic!("Tab does not come round: {stops:#?}");
}

#[test]
fn tab_stops_a_few_times_at_what_is_named_and_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    for (layout, most) in Workspace::iter().zip([45, 45, 45, 50, 50, 50]) {
        apply(&mut window, ViewCommand::Workspace(layout));
        let stops = stops(&mut window);
        for (role, name, rect) in &stops {
            assert!(
                !name.is_empty(),
                "{layout:?}: {role:?} at {rect:?} has no name"
            );
            assert!(
                WHOLE.contains_rect(*rect) && rect.is_positive(),
                "{layout:?}: {name} cannot be seen: {rect:?}"
            );
        }
        assert!(
            stops.len() <= most,
            "{layout:?}: {} stops: {stops:#?}",
            stops.len()
        );
    }
}

#[test]
fn the_keys_of_a_panel_give_it_the_keyboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    for panel in Panel::all() {
        apply(&mut window, ViewCommand::ShowPanel(panel));
        let (role, name, _) = focused(&window);
        assert!(
            role != Role::Window && !name.is_empty(),
            "{panel:?} has not the keyboard: {role:?} {name}"
        );
    }
    window.press_keys(Modifiers::COMMAND, Key::Num1);
    assert!(name(&window).starts_with("Position"), "{}", name(&window));
    let before = document(&window).place();
    for key in [Key::ArrowLeft, Key::ArrowDown, Key::ArrowRight] {
        window.press_key(key);
    }
    assert_ne!(document(&window).place(), before, "arrows play there");
}

#[test]
fn leaving_a_panel_and_coming_back_keeps_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    focus(&mut window, "Row 2 Monotonicity");
    let mut seen = Vec::new();
    loop {
        window.press_key(Key::F6);
        let now = name(&window);
        if now == "Row 2 Monotonicity" || 12 < seen.len() {
            break;
        }
        seen.push(now);
    }

    assert!((3..12).contains(&seen.len()), "{seen:?}");
    window.press_keys(Modifiers::SHIFT, Key::F6);
    assert_eq!(Some(&name(&window)), seen.last());
    window.press_keys(Modifiers::COMMAND, Key::Num3);
    assert_eq!(name(&window), "Row 2 Monotonicity");
}

#[test]
fn what_closes_gives_the_keyboard_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let row = "Row 2 Monotonicity";
    focus(&mut window, row);
    for (modifiers, key, opened) in [
        (Modifiers::COMMAND, Key::K, "Find a command"),
        (Modifiers::NONE, Key::F1, "Find a word"),
    ] {
        window.press_keys(modifiers, key);
        assert_eq!(name(&window), opened);
        window.press_key(Key::Escape);
        assert_eq!(name(&window), row, "after {opened}");
    }

    // A menu, walked with the arrows.
    focus(&mut window, "Menu of row 1");
    window.press_key(Key::Enter);
    window.press_key(Key::ArrowDown);
    assert_ne!(name(&window), "Menu of row 1");
    window.press_key(Key::Escape);
    assert_eq!(name(&window), "Menu of row 1");

    // A drop-down.
    focus(&mut window, "Autoplay speed");
    window.press_key(Key::Enter);
    window.press_key(Key::ArrowDown);
    window.press_key(Key::Escape);
    assert_eq!(name(&window), "Autoplay speed");
}

#[test]
fn a_field_gives_the_keyboard_back_to_where_it_was_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let row = "Row 2 Monotonicity";
    for key in [Key::Escape, Key::Enter] {
        focus(&mut window, row);
        window.press_key(Key::F2);
        assert_eq!(focused(&window).0, Role::TextInput, "{}", name(&window));
        window.press_key(key);
        assert_eq!(name(&window), row, "after {key:?}");
    }
    // A number can be typed again after Enter.
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    focus(&mut window, "Seed of the experiment");
    window.press_key(Key::Enter);
    assert_eq!(name(&window), "Seed of the experiment");
}

#[test]
fn a_row_that_moves_or_goes_leaves_the_keyboard_in_the_list() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    focus(&mut window, "Row 2 Monotonicity");
    window.press_keys(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(name(&window), "Row 1 Monotonicity");
    window.press_key(Key::Delete);
    assert_eq!(name(&window), "Row 1 Empty");
    apply(&mut window, afterstate::workbench::command::Command::Undo);
    assert!(name(&window).starts_with("Row "), "{}", name(&window));
    apply(&mut window, StrategyCommand::Open(Box::default()));
    assert_ne!(focused(&window).0, Role::Window);
}

#[test]
fn what_is_only_read_scrolls_by_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [900.0, 565.0], Vec::new());
    paste(
        &mut window,
        "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])",
    );
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));

    for (panel, read) in [(Panel::Node, "Node details"), (Panel::Why, "Explanation")] {
        apply(&mut window, ViewCommand::ShowPanel(panel));
        let view = window.get_by_role_and_label(Role::ScrollView, read).rect();
        // The lowest visible text moves first and farthest.
        let label =
            |node: &egui_kittest::Node<'_>| node.accesskit_node().value().unwrap_or_default();
        let texts = window
            .query_all_by_role(Role::Label)
            .filter(|text| view.contains(text.rect().center()));
        let text = texts
            .map(|text| label(&text))
            .rfind(|text| !text.is_empty())
            .expect("something to read");
        let top = |window: &Window| -> Option<f32> {
            let texts = window
                .query_all_by_role(Role::Label)
                .filter(|node| label(node) == text);
            texts
                .filter(|text| view.x_range().contains(text.rect().center().x))
                .map(|text| text.rect().top())
                .next()
        };
        let before = top(&window).expect("it is seen");
        focus(&mut window, read);
        for (key, is_there) in [
            (Key::ArrowDown, false),
            (Key::Home, true),
            (Key::End, false),
        ] {
            window.press_key(key);
            assert_eq!(
                top(&window) == Some(before),
                is_there,
                "{read} after {key:?}"
            );
        }
        assert_eq!(name(&window), read);
    }
}

#[test]
fn what_is_off_is_reached_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    window.press_key(Key::F10);
    window.event(egui::Event::Text("open r".to_owned()));
    window.settle();
    assert_eq!(name(&window), "Open recent");
    window.get_by_label("Nothing was opened or saved yet");
    window.press_key(Key::Escape);
    window.press_key(Key::Escape);

    // During a drag by keys, the comparison is fixed.
    apply(&mut window, ViewCommand::ShowPanel(Panel::Pinned));
    focus(&mut window, "Row 2 Monotonicity");
    let from = window.get_by_label("Row 2 Monotonicity").rect().center();
    let to = window.get_by_label("Row 1 Empty").rect().center() - egui::vec2(0.0, 12.0);
    carry(&mut window, from, to);
    let off = window.get_by_role_and_label(Role::RadioButton, "Since saved");
    assert!(off.accesskit_node().is_disabled());
    off.focus();
    window.settle();
    assert_eq!(name(&window), "Since saved");
}

#[test]
fn at_first_the_keys_are_those_of_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let window = open_new(folder.path(), [1366.0, 768.0]);
    assert_ne!(focused(&window).0, Role::Window);
}

#[test]
fn a_click_hits_where_it_was_made_however_slow_the_frame() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    let is_shown =
        |window: &Window, panel| title(window, panel).accesskit_node().is_selected() == Some(true);
    for (clicked, then) in [("Presets", "Evidence"), ("Evidence", "Presets")] {
        let [at, elsewhere] = [clicked, then].map(|panel| title(&window, panel).rect().center());
        let event = |pressed| egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let moved = egui::Event::PointerMoved;
        window
            .input_mut()
            .events
            .extend([moved(at), event(true), event(false), moved(elsewhere)]);
        window.settle();
        assert!(
            is_shown(&window, clicked) && !is_shown(&window, then),
            "{clicked}"
        );
    }
}
