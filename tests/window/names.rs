//! Everything that can be focused or pressed has a name, in every layout and with every overlay open.

use std::fmt::Write as _;

use afterstate::workbench::command::{
    Command, HelpSheet, Menu, Panel, TreeCommand, TreeView, ViewCommand, Workspace,
};
use egui::Key;
use egui::accesskit::{Action, Role, SortDirection};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use strum::IntoEnumIterator as _;

use crate::common::{
    Drive as _, Window, apply, begin, begin_in, document, open, open_new, open_with, paste, until,
};

/// The path from the window to a node, by roles and names.
fn path(node: &Node<'_>) -> String {
    let own = node.accesskit_node();
    let mut parts = vec![format!("{:?} {:?}", own.role(), own.bounding_box())];
    let mut above = own.parent();
    while let Some(node) = above {
        if let Some(name) = node
            .label()
            .or(Some(String::new()))
            .filter(|_| node.role() != Role::GenericContainer)
        {
            parts.push(format!("{:?} {name:?}", node.role()));
        }
        above = node.parent();
    }
    parts.reverse();
    parts.join(" > ")
}

/// Everything that can be focused or pressed without a name.
fn unnamed(window: &Window) -> String {
    let mut list = String::new();
    for node in window.query_all_by(|_| true) {
        let own = node.accesskit_node();
        let acts =
            own.data().supports_action(Action::Focus) || own.data().supports_action(Action::Click);
        let name = own
            .label()
            .or_else(|| own.value().filter(|_| own.role() == Role::Label));
        let named = name.is_some_and(|name| !name.trim().is_empty());
        if acts && !named && own.role() != Role::Window && !own.is_hidden() {
            let _ = writeln!(list, "{}", path(&node));
        }
    }
    list
}

fn all_named(window: &Window, what: &str) {
    let unnamed = unnamed(window);
    assert!(unnamed.is_empty(), "{what}:\n{unnamed}");
}

#[test]
fn every_control_has_a_name_in_every_layout() {
    let folder = tempfile::tempdir().expect("a folder");
    for size in [[1600.0, 1000.0], [1024.0, 700.0], [800.0, 500.0]] {
        let mut window = open_with(folder.path(), size, Vec::new());
        for workspace in Workspace::iter() {
            apply(&mut window, ViewCommand::Workspace(workspace));
            all_named(&window, &format!("{workspace:?} at {size:?}"));
        }
    }
}

#[test]
fn every_control_of_every_panel_has_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_new(folder.path(), [1600.0, 1000.0]);
    for panel in Panel::all() {
        apply(&mut window, ViewCommand::ShowPanel(panel));
        all_named(&window, panel.title());
    }
    for view in TreeView::iter() {
        apply(&mut window, TreeCommand::View(view));
        all_named(&window, &format!("{view:?}"));
    }
    apply(&mut window, TreeCommand::StepThrough);
    all_named(&window, "steps through the search");
}

#[test]
fn every_control_of_menus_sheets_and_dialogs_has_a_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    for menu in Menu::iter() {
        window.click_at(
            window
                .get_by_role_and_label(Role::MenuBar, "Menu bar")
                .get_by_role_and_label(Role::MenuItem, menu.text())
                .rect()
                .center(),
        );
        all_named(&window, menu.text());
        window.press_key(Key::Escape);
    }

    for sheet in [
        HelpSheet::Shortcuts,
        HelpSheet::Glossary,
        HelpSheet::Guide,
        HelpSheet::About,
    ] {
        apply(&mut window, ViewCommand::Help(sheet));
        all_named(&window, &format!("{sheet:?}"));
        window.press_key(Key::Escape);
    }

    for command in [ViewCommand::FindCommand, ViewCommand::StartHere] {
        apply(&mut window, command);
        all_named(&window, Command::from(command).text());
        window.press_key(Key::Escape);
    }
}

#[test]
fn tables_have_rows_and_cells_with_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = begin_in(None, folder.path(), [1600.0, 1000.0], Vec::new());
    begin(&mut window, ViewCommand::ShowPanel(Panel::Results));
    until(&mut window, "a game of each", |window| {
        window.query_all_by_role(Role::Row).count() == 3
    });
    let table = window.get_by_role_and_label(Role::Table, "Results");
    let header = window.get_by_role_and_label(
        Role::ColumnHeader,
        "Sort by Mean ± 95 %, sorted, largest first",
    );
    let data = |node: &Node<'_>| node.accesskit_node().data().clone();
    let column = data(&header).column_index().expect("a column");
    assert_eq!(
        (data(&header).row_index(), data(&header).sort_direction()),
        (Some(0), Some(SortDirection::Descending))
    );
    assert_eq!(data(&table).row_count(), Some(3));
    assert!(
        data(&table)
            .column_count()
            .is_some_and(|columns| column < columns)
    );
    let rows: Vec<Node<'_>> = window.query_all_by_role(Role::Row).collect();
    assert_eq!(
        rows.iter()
            .map(|row| data(row).row_index())
            .collect::<Vec<_>>(),
        [Some(0), Some(1), Some(2)]
    );

    for row in &rows[1..] {
        let cells: Vec<Node<'_>> = row.query_all_by_role(Role::Cell).collect();
        assert_eq!(
            cells.len(),
            data(&table).column_count().unwrap_or_default(),
            "cells are in their row"
        );
        let mean = cells
            .iter()
            .find(|cell| data(cell).column_index() == Some(column))
            .expect("a mean");
        let text = mean.accesskit_node().label().unwrap_or_default();
        let is_read = text == "–" || text.starts_with(|letter: char| letter.is_ascii_digit());
        assert!(is_read, "the mean, then its error: {text}");
        assert_eq!(data(mean).row_index(), data(row).row_index());
    }
}

#[test]
fn panels_tabs_and_the_lines_between_have_names_and_a_line_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let panel = window.get_by_role_and_label(Role::Pane, "Board");
    assert!(
        panel.query_by_label("Autoplay").is_some(),
        "what is in a panel is within it"
    );
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    let tabs = window.get_by_role_and_label(Role::TabList, "Tabs: Palette, Library and Presets");
    assert_eq!(tabs.query_all_by_role(Role::Tab).count(), 3);
    let tab = tabs.get_by_role_and_label(Role::Tab, "Palette");
    assert_eq!(tab.accesskit_node().data().is_selected(), Some(true));
    apply(&mut window, ViewCommand::Workspace(Workspace::Overview));
    window.get_by_role_and_label(Role::MenuBar, "Menu bar");
    window.get_by_role_and_label(Role::Pane, "Status bar");

    let line = "Between Board and Decision";
    let share = |window: &Window| {
        window
            .get_by_role_and_label(Role::Splitter, line)
            .accesskit_node()
            .numeric_value()
            .expect("percent")
    };
    let before = share(&window);
    window.get_by_label(line).increment_accesskit();
    window.settle();
    assert!(before < share(&window), "{before} {}", share(&window));
    window.get_by_label(line).focus();
    window.settle();
    for _ in 0..4 {
        window.press_key(Key::ArrowUp);
    }
    assert!(share(&window) < before, "{before} {}", share(&window));
    window.get_by_label(line).set_value_accesskit(50.0);
    window.settle();
    assert!((share(&window) - 50.0).abs() <= 1.0, "{}", share(&window));
}

#[test]
fn a_dialog_has_a_name_and_keeps_the_rest_out_of_reach() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::Help(HelpSheet::Glossary));
    let dialog = window.get_by_role_and_label(Role::Dialog, "Glossary");
    assert!(dialog.accesskit_node().data().is_modal());
    assert!(dialog.query_by_label("Close").is_some());
}

#[test]
fn a_row_has_one_name_wherever_it_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let text = "(name: \"two\", criteria: [(evaluator: Empty), \
        (evaluator: Monotonicity, lookahead: Expectimax(plies: Fixed(2)))])";
    paste(&mut window, text);
    paste(&mut window, "2,4,8,16/0,0,0,0/2,0,0,4/0,0,0,2");
    assert!(
        document(&window)
            .decision()
            .is_some_and(|now| now.deciding() == Some(1))
    );

    for (place, name) in [
        (
            "head of the table",
            "2 Expectimax of Monotonicity, ε 0 · 1 move + 1 spawn",
        ),
        ("cell of the table", ", Expectimax of Monotonicity: "),
        (
            "sentence",
            " at Expectimax of Monotonicity, 1 move + 1 spawn (",
        ),
        ("card of the builder", "Row 2 Expectimax of Monotonicity"),
        ("head of the tree", "Expectimax of Monotonicity · 2 plies"),
    ] {
        assert!(
            window.query_all_by_label_contains(name).next().is_some(),
            "{place}: {name}"
        );
    }

    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    let row = window.get_by_label("Row of the strategy");
    assert_eq!(
        row.accesskit_node().value().as_deref(),
        Some("2 Expectimax of Monotonicity")
    );
    let rows = |window: &Window| {
        let labels = window
            .query_all_by_label_contains("Monotonicity")
            .filter_map(|node| node.accesskit_node().label());
        labels
            .filter(|label| label.starts_with("Row 2") || label.starts_with("2 "))
            .collect::<Vec<_>>()
    };
    assert!(
        rows(&window)
            .iter()
            .all(|label| label.contains("Expectimax of Monotonicity")),
        "{:?}",
        rows(&window)
    );
}
