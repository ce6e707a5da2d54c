//! Small windows and large text, which are equivalent: a window of 2560 × 1440 at 300 % has 853 × 480 points.

use afterstate::workbench::command::{Command, HelpSheet, Panel, ViewCommand, Workspace};
use afterstate::workbench::theme::ThemeChoice;
use egui::{Pos2, Rect, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use itertools::Itertools as _;
use strum::IntoEnumIterator as _;

use crate::common::{Drive as _, Window, apply, open_new, open_with, title, until};

const SMALL: [[f32; 2]; 2] = [[853.0, 480.0], [640.0, 400.0]];

fn in_sight(window: &Window, size: [f32; 2], role: Role, label: &str) -> Rect {
    let rect = window.get_by_role_and_label(role, label).rect();
    assert!(
        Rect::from_min_size(Pos2::ZERO, size.into()).contains_rect(rect),
        "{label} at {rect:?} in {size:?}"
    );
    rect
}

#[test]
fn sheets_and_the_search_of_commands_fit_into_small_windows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for size in SMALL {
        let mut window = open_with(folder.path(), size, Vec::new());
        for sheet in [
            HelpSheet::Shortcuts,
            HelpSheet::Glossary,
            HelpSheet::Guide,
            HelpSheet::About,
        ] {
            apply(&mut window, ViewCommand::Help(sheet));
            in_sight(&window, size, Role::Button, "Close");
            window.press_key(egui::Key::Escape);
            assert!(
                window
                    .query_by_role_and_label(Role::Button, "Close")
                    .is_none(),
                "{sheet:?} is closed"
            );
        }
        apply(&mut window, ViewCommand::FindCommand);
        in_sight(&window, size, Role::TextInput, "Find a command");
        window.settle();
        let sheet = window
            .ctx
            .memory(|memory| memory.area_rect(egui::Id::unique("find a command")))
            .expect("a sheet");
        // As many rows as fit.
        assert!(
            size[1] - 200.0 < sheet.height() && sheet.bottom() < size[1],
            "{sheet:?} in {size:?}"
        );
    }
}

#[test]
fn menus_and_what_stands_beside_them_do_not_overlap() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for size in SMALL.into_iter().chain([[1024.0, 700.0]]) {
        let window = open_new(folder.path(), size);
        let help = in_sight(&window, size, Role::MenuItem, "Help");
        let switcher = window.query_by_role_and_label(Role::RadioGroup, "Workspace");
        let switcher =
            switcher.or_else(|| window.query_by_role_and_label(Role::ComboBox, "Workspace"));
        assert!(
            help.right() < switcher.expect("the workspaces").rect().left(),
            "in {size:?}"
        );
    }
}

#[test]
fn the_sentence_of_a_decision_is_seen_whole_in_a_low_window() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sizes = [[1024.0, 700.0], [1280.0, 800.0], [1366.0, 768.0]];
    for (size, workspace) in sizes
        .into_iter()
        .cartesian_product([Workspace::Overview, Workspace::Build])
    {
        let mut window = open_new(folder.path(), size);
        apply(&mut window, ViewCommand::Workspace(workspace));
        // A message to screen readers may say it, too.
        let sentence = |window: &Window| {
            let mut found = window.query_all_by_label_contains("beat Up at");
            found
                .find(|node| node.accesskit_node().role() == Role::Label)
                .map(|node| node.rect())
        };
        until(&mut window, "the decision", |window| {
            sentence(window).is_some()
        });
        let sentence = sentence(&window).expect("seen before");
        let table = window
            .get_by_role_and_label(Role::Table, "Elimination table: moves by row")
            .rect();
        assert!(table.bottom() < sentence.top(), "in {size:?}");
        assert!(
            sentence.bottom() <= size[1] - 24.0 - 8.0,
            "{sentence:?} in {size:?}"
        );
    }
}

#[test]
fn every_theme_is_chosen_by_command_and_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open_with(folder.path(), [1280.0, 800.0], Vec::new());
    for choice in ThemeChoice::iter() {
        apply(&mut window, ViewCommand::Theme(choice));
        let text = Command::from(ViewCommand::Theme(choice)).text();
        assert!(
            window.query_by_label(text).is_some(),
            "the status bar says {text}"
        );
    }
}

#[test]
fn every_panel_is_drawn_at_every_scale() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for scale in [0.75, 1.0, 1.5, 2.0, 3.0] {
        let size = [1280.0 / scale, 800.0 / scale];
        let mut window = open_with(folder.path(), size, Vec::new());
        for panel in Panel::all() {
            apply(&mut window, ViewCommand::ShowPanel(panel));
            let tab = title(&window, panel.title()).rect();
            assert!(
                Rect::from_min_size(Pos2::ZERO, size.into()).contains_rect(tab),
                "{panel:?} at {tab:?} in {size:?}"
            );
            assert!(20.0 < tab.width(), "{panel:?} at {scale}");
            for list in window.query_all_by_label_contains("More panels: ") {
                let list = list.rect();
                let tabs = window.query_all_by_role(Role::Tab).map(|tab| tab.rect());
                let mut before = tabs.filter(|tab| {
                    tab.y_range().contains(list.center().y) && tab.left() < list.left()
                });
                assert!(
                    before.all(|tab| tab.right() <= list.left()),
                    "a tab is cut beside {panel:?} at {scale}"
                );
            }
        }
    }
}
