//! Opens the window without a display and drives it like a user.

use std::path::Path;
use std::time::{Duration, Instant};

use afterstate::workbench::command::Menu;
use afterstate::workbench::command::{Command, TreeCommand};
use afterstate::workbench::state::Document;
use afterstate::workbench::theme::ThemeChoice;
use afterstate::workbench::{App, Options};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{AccessKitNode, NodeT as _, Queryable as _};

/// Only a hanging test takes this long, even on a busy machine.
pub(crate) const HANG: Duration = Duration::from_secs(1000);

/// The window between two frames.
pub(crate) type Window = Harness<'static, Option<App>>;

/// The session of tests without a first look: a game of `emr`, which decides at once.
const SESSION: &str = include_str!("../data/session.ron");

/// Puts that session into a folder without one.
pub(crate) fn keep_session(folder: &Path) {
    let session = folder.join("session.ron");
    if !session.exists() {
        std::fs::write(session, SESSION).expect("writable");
    }
}

/// Turns off background judging: other tests need no network.
fn keep_settings(folder: &Path) {
    let settings = folder.join("settings.ron");
    if !settings.exists() {
        std::fs::write(settings, "(version: 1, judge_in_background: false)").expect("writable");
    }
}

/// Opens the window with its settings in `folder`.
pub(crate) fn open(folder: &Path) -> Window {
    open_with(folder, [1600.0, 1000.0], Vec::new())
}

/// Opens the window with a size and files to open.
pub(crate) fn open_with(folder: &Path, size: [f32; 2], files: Vec<std::path::PathBuf>) -> Window {
    keep_session(folder);
    keep_settings(folder);
    open_as_it_is(folder, size, files)
}

/// Opens the window with the content of `folder`, which may be empty.
pub(crate) fn open_as_it_is(folder: &Path, size: [f32; 2], files: Vec<std::path::PathBuf>) -> Window {
    let options =
        Options { config_dir: Some(folder.to_owned()), theme: Some(ThemeChoice::Dark), files, ..Options::default() };
    let frame = move |ui: &mut egui::Ui, app: &mut Option<App>| match app {
        Some(app) => {
            app.poll(ui.ctx());
            app.show(ui);
        }
        // Fonts are available from the next frame on.
        None => *app = Some(App::new(ui.ctx(), options.clone())),
    };
    let mut window = Harness::builder().with_size(size).build_ui_state(frame, None);
    window.run_steps(3);
    window
}

/// The document of the window.
pub(crate) fn document(window: &Window) -> &Document {
    window.state().as_ref().expect("the window is open").document()
}

/// All commands of the Tree menu, except those that open the system's file dialog.
pub(crate) fn tree_commands() -> Vec<Command> {
    let asks = |command: &Command| matches!(command, Command::Tree(TreeCommand::Save(_)));
    Command::all().filter(|command| command.menu() == Some(Menu::Tree) && !asks(command)).cloned().collect()
}

/// Applies a command, like a menu.
pub(crate) fn apply(window: &mut Window, command: impl Into<Command>) {
    apply_at_once(window, [command.into()]);
}

/// Applies commands within one frame, before results of the first one can arrive.
pub(crate) fn apply_at_once<const N: usize>(window: &mut Window, commands: [Command; N]) {
    let ctx = window.ctx.clone();
    let app: &mut App = window.state_mut().as_mut().expect("the window is open");
    commands.into_iter().for_each(|command| app.apply(&ctx, command));
    window.run_steps(3);
}

/// An entry of an open menu or drop-down.
pub(crate) fn entry<'a, T>(window: &'a Harness<'_, T>, label: &'a str) -> egui_kittest::Node<'a> {
    use egui::accesskit::Role::{MenuItem, MenuItemCheckBox, MenuItemRadio};
    let is_it = move |node: &AccessKitNode<'_>| {
        matches!(node.role(), MenuItem | MenuItemCheckBox | MenuItemRadio) && node.label().as_deref() == Some(label)
    };
    window.get_by(is_it)
}

/// The tab of a panel, or its title if it is alone in its place.
pub(crate) fn title<'a, T>(window: &'a Harness<'_, T>, panel: &'a str) -> egui_kittest::Node<'a> {
    let is_it = move |node: &AccessKitNode<'_>| {
        let of_panel = |parent: AccessKitNode<'_>| {
            let label = parent.label().unwrap_or_default();
            parent.role() == Role::TabList || label == format!("Title of {panel}")
        };
        node.label().as_deref() == Some(panel) && node.parent().is_some_and(of_panel)
    };
    window.get_by(is_it)
}

/// Pastes a position or a strategy.
pub(crate) fn paste(window: &mut Window, text: &str) {
    window.event(egui::Event::Paste(text.to_owned()));
    window.run_steps(2);
}

/// Draws frames until a condition holds, with a time limit.
pub(crate) fn until(window: &mut Window, what: &str, mut is: impl FnMut(&Window) -> bool) {
    let late = Instant::now() + HANG;
    while !is(window) {
        assert!(Instant::now() < late, "{what} did not happen");
        window.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    window.run_steps(2);
}

/// Replaces the text of a field.
pub(crate) fn type_into<S>(window: &mut Harness<'_, S>, field: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, field).focus();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.get_by_role_and_label(Role::TextInput, field).type_text(text);
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
}

/// The names of table rows, top down.
pub(crate) fn rows<S>(window: &Harness<'_, S>) -> Vec<String> {
    let mut rows: Vec<(f32, String)> = window
        .query_all_by_role(Role::Row)
        .filter_map(|row| {
            let name = row.accesskit_node().label()?;
            Some((row.rect().top(), name.strip_prefix("Row ")?.to_owned()))
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, name)| name).collect()
}

/// Drags with the pointer, in steps.
pub(crate) fn drag(window: &mut Window, from: egui::Pos2, to: egui::Pos2) {
    window.drag_at(from);
    window.run_steps(2);
    for step in 1..=8 {
        window.hover_at(from + (to - from) * (step as f32 / 8.0));
        window.step();
    }
    window.drop_at(to);
    window.run_steps(4);
}

/// The text copied to the clipboard, once its worker is done.
pub(crate) fn copied(app: &mut App, ctx: &egui::Context) -> Option<String> {
    let text = || {
        ctx.output(|output| match output.commands.last() {
            Some(egui::OutputCommand::CopyText(text)) => Some(text.clone()),
            _ => None,
        })
    };
    for _ in 0..12_000 {
        if let Some(text) = text() {
            return Some(text);
        }
        std::thread::sleep(Duration::from_millis(5));
        app.poll(ctx);
    }
    None
}
