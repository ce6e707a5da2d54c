//! Opens the window without a display and drives it as a person would.

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

/// Longer than anything takes on a busy machine: only what hangs reaches it.
pub(crate) const HANG: Duration = Duration::from_secs(1000);

/// The window between two frames.
pub(crate) type Window = Harness<'static, Option<App>>;

/// What was open last time, for tests that do not ask for a first look: a game of `emr`, which decides at once.
const SESSION: &str = include_str!("../data/session.ron");

/// Puts that into a folder that has no session of its own.
pub(crate) fn keep_session(folder: &Path) {
    let session = folder.join("session.ron");
    if !session.exists() {
        std::fs::write(session, SESSION).expect("writable");
    }
}

/// Settings of a window that judges no game by itself: tests of other things need no network.
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

/// The same with a size and files to open.
pub(crate) fn open_with(folder: &Path, size: [f32; 2], files: Vec<std::path::PathBuf>) -> Window {
    keep_session(folder);
    keep_settings(folder);
    open_as_it_is(folder, size, files)
}

/// Opens the window with what is in `folder`, which may be nothing.
pub(crate) fn open_as_it_is(folder: &Path, size: [f32; 2], files: Vec<std::path::PathBuf>) -> Window {
    let options =
        Options { config_dir: Some(folder.to_owned()), theme: Some(ThemeChoice::Dark), files, ..Options::default() };
    let frame = move |ui: &mut egui::Ui, app: &mut Option<App>| match app {
        Some(app) => {
            app.poll(ui.ctx());
            app.show(ui);
        }
        // Fonts are there from the next frame on.
        None => *app = Some(App::new(ui.ctx(), options.clone())),
    };
    let mut window = Harness::builder().with_size(size).build_ui_state(frame, None);
    window.run_steps(3);
    window
}

/// What is open in the window.
pub(crate) fn document(window: &Window) -> &Document {
    window.state().as_ref().expect("the window is open").document()
}

/// Every command in the menu of the search tree but those that ask for a file, which a dialog of the system does.
pub(crate) fn tree_commands() -> Vec<Command> {
    let asks = |command: &Command| matches!(command, Command::Tree(TreeCommand::Save(_)));
    Command::all().filter(|command| command.menu() == Some(Menu::Tree) && !asks(command)).cloned().collect()
}

/// Does a command as a menu would.
pub(crate) fn apply(window: &mut Window, command: impl Into<Command>) {
    apply_at_once(window, [command.into()]);
}

/// Does commands within one frame: nothing that the first one begins is known to have ended before the last one is done.
pub(crate) fn apply_at_once<const N: usize>(window: &mut Window, commands: [Command; N]) {
    let ctx = window.ctx.clone();
    let app: &mut App = window.state_mut().as_mut().expect("the window is open");
    commands.into_iter().for_each(|command| app.apply(&ctx, command));
    window.run_steps(3);
}

/// An entry of what is open: a menu, or a drop-down.
pub(crate) fn entry<'a, T>(window: &'a Harness<'_, T>, label: &'a str) -> egui_kittest::Node<'a> {
    use egui::accesskit::Role::{MenuItem, MenuItemCheckBox, MenuItemRadio};
    let is_it = move |node: &AccessKitNode<'_>| {
        matches!(node.role(), MenuItem | MenuItemCheckBox | MenuItemRadio) && node.label().as_deref() == Some(label)
    };
    window.get_by(is_it)
}

/// The tab of a panel, or its title where it is alone in its place.
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

/// Draws frames until something is true; it must be soon.
pub(crate) fn until(window: &mut Window, what: &str, mut is: impl FnMut(&Window) -> bool) {
    let late = Instant::now() + HANG;
    while !is(window) {
        assert!(Instant::now() < late, "{what} did not happen");
        window.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    window.run_steps(2);
}

/// Writes a text into a field in place of what stands there.
pub(crate) fn type_into<S>(window: &mut Harness<'_, S>, field: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, field).focus();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.get_by_role_and_label(Role::TextInput, field).type_text(text);
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
}

/// The rows of tables by their names, from top to bottom.
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

/// The text that is put into the clipboard once what makes it beside the window is done.
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
