//! Walks through the window by its accessibility tree: what a screen reader finds, a test can press.

use std::path::Path;

use eframe::App as _;
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::{App, Options};
use crate::workbench::command::Panel;
use crate::workbench::theme::ThemeChoice;

type Window = Harness<'static, Option<App>>;

fn window(folder: &Path, size: [f32; 2]) -> Window {
    let options = Options { config_dir: Some(folder.to_owned()), theme: Some(ThemeChoice::Dark), ..Options::default() };
    let frame = move |ui: &mut egui::Ui, app: &mut Option<App>| match app {
        Some(app) => {
            let mut frame = eframe::Frame::_new_kittest();
            app.logic(ui.ctx(), &mut frame);
            app.ui(ui, &mut frame);
        }
        // Fonts are there from the next frame on.
        None => *app = Some(App::new(ui.ctx(), options.clone())),
    };
    let mut window = Harness::builder().with_size(size).build_ui_state(frame, None);
    window.run_steps(3);
    window
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn is_open(window: &Window, panel: Panel) -> bool {
    let tab = window.get_by_role_and_label(Role::Tab, panel.title());
    tab.accesskit_node().toggled() == Some(Toggled::True)
}

fn said(window: &Window) -> Vec<String> {
    window.state().iter().flat_map(|app| app.notices().texts()).map(str::to_owned).collect()
}

#[test]
fn every_panel_has_a_tab_at_every_size() {
    let folder = folder();
    for size in [[1600.0, 1000.0], [1024.0, 700.0], [800.0, 500.0]] {
        let window = window(folder.path(), size);
        for panel in Panel::all() {
            window.get_by_role_and_label(Role::Tab, panel.title());
        }
    }
}

#[test]
fn a_command_is_found_by_letters_and_run_with_enter() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, "Find a command").type_text("reset lay");
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert!(said(&window).contains(&"Layout reset".to_owned()));
    assert!(window.query_by_role_and_label(Role::TextInput, "Find a command").is_none());
}

#[test]
fn a_reset_of_the_layout_can_be_taken_back() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    window.get_by_role_and_label(Role::Tab, "Games").click();
    window.run_steps(2);
    assert!(is_open(&window, Panel::Games));
    window.get_by_label("Menu of Games").click();
    window.run_steps(2);
    window.get_by_label("Reset layout").click();
    window.run_steps(2);
    assert!(is_open(&window, Panel::Results));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert!(is_open(&window, Panel::Games));
}

#[test]
fn letters_typed_into_a_field_are_no_commands() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(2);
    window.key_press(Key::Questionmark);
    window.run_steps(2);
    assert!(window.query_by_label("Page down").is_none());
    window.key_press(Key::Escape);
    window.run_steps(2);
    window.key_press(Key::Questionmark);
    window.run_steps(2);
    window.get_by_label("Page down");
}

#[test]
fn a_theme_chosen_in_the_menu_is_remembered() {
    let folder = folder();
    let mut first = window(folder.path(), [1600.0, 1000.0]);
    first.get_by_label("View").click();
    first.run_steps(2);
    first.get_by_label_contains("Light theme").click();
    first.run_steps(2);
    if let Some(app) = first.state_mut() {
        app.on_exit(None);
    }
    let (settings, news) = crate::workbench::state::settings::Settings::load(folder.path());
    assert_eq!((settings.theme, news), (ThemeChoice::Light, None));
}

#[test]
fn broken_settings_are_reported_and_the_window_opens() {
    let folder = folder();
    std::fs::write(folder.path().join("settings.ron"), "not settings").expect("written");
    let window = window(folder.path(), [1600.0, 1000.0]);
    assert!(said(&window)[0].contains("settings.ron.bad"));
}
