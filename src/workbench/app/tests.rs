//! Drives the window through its accessibility tree: what a screen reader finds, a test can press.

use std::path::Path;
use std::time::{Duration, Instant};

use eframe::App as _;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use strum::IntoEnumIterator as _;

use super::{App, Options};
use crate::experiment::State;
use crate::game::{Board, Rules};
use crate::workbench::command::{
    Command, ExperimentCommand, GameCommand, Panel, ViewCommand, Workspace,
};
use crate::workbench::state::layout::{Class, Layout};
use crate::workbench::state::{Document, Session};
use crate::workbench::theme::ThemeChoice;

type Window = Harness<'static, Option<App>>;

fn window(folder: &Path, size: [f32; 2]) -> Window {
    let options = Options {
        config_dir: Some(folder.to_owned()),
        theme: Some(ThemeChoice::Dark),
        ..Options::default()
    };
    let frame = move |ui: &mut egui::Ui, app: &mut Option<App>| match app {
        Some(app) => {
            let mut frame = eframe::Frame::_new_kittest();
            app.logic(ui.ctx(), &mut frame);
            app.ui(ui, &mut frame);
        }
        // Fonts are available from the next frame on.
        None => *app = Some(App::new(ui.ctx(), options.clone())),
    };
    let mut window = Harness::builder()
        .with_size(size)
        .build_ui_state(frame, None);
    window.run_steps(3);
    window
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn is_open(window: &Window, panel: Panel) -> bool {
    window
        .query_by_role_and_label(Role::Pane, panel.title())
        .is_some()
}

fn said(window: &Window) -> Vec<String> {
    window
        .state()
        .iter()
        .flat_map(|app| app.notices().texts())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_panel_of_a_workspace_has_a_title_or_a_tab_at_every_size() {
    let folder = folder();
    for size in [[1600.0, 1000.0], [1024.0, 700.0], [800.0, 500.0]] {
        let mut window = window(folder.path(), size);
        for workspace in Workspace::iter() {
            apply(&mut window, ViewCommand::Workspace(workspace));
            for panel in Layout::first(workspace, Class::of(size.into())).panels() {
                let title = panel.title();
                // A title, a tab, or an entry in the list of tabs that do not fit.
                let has = |role| window.query_by_role_and_label(role, title).is_some();
                let is_listed = |list: egui_kittest::Node<'_>| {
                    let name = list.accesskit_node().label().unwrap_or_default();
                    name.trim_start_matches("More panels: ")
                        .split(", ")
                        .any(|listed| listed == title)
                };
                let is_there = has(Role::Heading)
                    || has(Role::Tab)
                    || window
                        .query_all_by_label_contains("More panels: ")
                        .any(is_listed);
                assert!(is_there, "{title} in {workspace:?} at {size:?}");
            }
        }
    }
}

#[test]
fn back_leads_through_the_workspaces_that_were_left() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    let at = |window: &Window| {
        let app = window.state().as_ref().expect("open");
        (app.settings.layouts.workspace, app.focused)
    };
    assert!(
        window
            .state()
            .as_ref()
            .is_some_and(|app| app.can(&ViewCommand::Back.into()).is_err())
    );
    // Starts from the card for new users, and later from a panel that both workspaces have.
    for workspace in [
        Workspace::Build,
        Workspace::Experiment,
        Workspace::Review,
        Workspace::Learn,
        Workspace::Search,
    ] {
        apply(&mut window, ViewCommand::Workspace(workspace));
        window.run_steps(8);
        assert_eq!(at(&window), (workspace, workspace.main()));
    }

    for _ in 0..5 {
        apply(&mut window, ViewCommand::Back);
    }

    apply(&mut window, ViewCommand::ShowPanel(Panel::Results));
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Why));
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    assert_eq!(
        at(&window),
        (Workspace::Build, Panel::Strategy),
        "the main panel has the keys"
    );
    window.key_press_modifiers(Modifiers::ALT, Key::ArrowLeft);
    window.run_steps(3);
    assert_eq!(at(&window), (Workspace::Search, Panel::Why));
    apply(&mut window, ViewCommand::Back);
    assert_eq!(at(&window), (Workspace::Overview, Panel::Results));
    assert!(
        window
            .state()
            .as_ref()
            .is_some_and(|app| app.can(&ViewCommand::Back.into()).is_err())
    );
}

#[test]
fn a_command_is_found_by_letters_and_run_with_enter() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(2);
    window
        .get_by_role_and_label(Role::TextInput, "Find a command")
        .type_text("reset work");
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(2);
    assert!(said(&window).contains(&"Overview was reset".to_owned()));
    assert!(
        window
            .query_by_role_and_label(Role::TextInput, "Find a command")
            .is_none()
    );
}

#[test]
fn a_reset_of_the_layout_can_be_taken_back() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    window.get_by_role_and_label(Role::Tab, "Compare").click();
    window.run_steps(2);
    assert!(is_open(&window, Panel::Compare));
    window.get_by_label("Menu of Compare").click();
    window.run_steps(2);
    window.get_by_label("Reset workspace").click();
    window.run_steps(2);
    assert!(is_open(&window, Panel::Tree) && !is_open(&window, Panel::Compare));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert!(is_open(&window, Panel::Compare));
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

/// Shift is released before `/`, so `?` is pressed and `/` is released.
#[test]
fn a_key_works_again_where_shift_was_released_first() {
    let folder = folder();
    let mut window = window(folder.path(), [1600.0, 1000.0]);
    let slash = |key, pressed| egui::Event::Key {
        key,
        physical_key: Some(Key::Slash),
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };

    for _ in 0..2 {
        window.event(slash(Key::Questionmark, true));
        window.run_steps(4);
        window.get_by_label("Page down");
        window.event(slash(Key::Slash, false));
        window.key_press(Key::Escape);
        window.run_steps(6);
        assert!(window.query_by_label("Page down").is_none());
    }
}

#[test]
fn a_theme_chosen_in_the_menu_is_remembered() {
    let folder = folder();
    let mut first = window(folder.path(), [1600.0, 1000.0]);
    first.get_by_label("View").click();
    first.run_steps(2);
    first.get_by_label_contains("Theme").click();
    first.run_steps(3);
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

/// Draws frames until a condition holds, with a time limit.
fn until(window: &mut Window, what: &str, is: impl Fn(&Window) -> bool) {
    let late = Instant::now() + Duration::from_secs(60);
    while !is(window) {
        assert!(Instant::now() < late, "{what} did not happen");
        window.step();
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn apply(window: &mut Window, command: impl Into<Command>) {
    let ctx = window.ctx.clone();
    window
        .state_mut()
        .as_mut()
        .expect("the window is open")
        .apply(&ctx, command);
    window.run_steps(2);
}

fn document(window: &Window) -> &Document {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .document()
}

fn leave(mut window: Window) {
    window
        .state_mut()
        .as_mut()
        .expect("the window is open")
        .on_exit(None);
}

/// Plays a legal move; returns the resulting board.
fn play(window: &mut Window, number: usize) -> Board {
    let legal = document(window).board().legal_moves();
    apply(
        window,
        GameCommand::Slide(legal.nth(number % legal.len()).expect("a move")),
    );
    document(window).board()
}

fn session(folder: &Path) -> String {
    std::fs::read_to_string(Session::path(folder)).unwrap_or_default()
}

const WIDE: [f32; 2] = [1600.0, 1000.0];

#[test]
fn games_and_branches_are_there_again_although_nobody_said_goodbye() {
    let folder = folder();
    let mut first = window(folder.path(), WIDE);
    apply(&mut first, GameCommand::NewWith(Rules::default(), 11));
    let [.., branch] = [0, 1, 0].map(|number| play(&mut first, number));
    apply(&mut first, GameCommand::First);
    let board = play(&mut first, 1);
    assert_ne!(board, branch);
    until(&mut first, "writing the game down", |_| {
        session(folder.path()).contains("branches: [(0, ")
    });
    // Simulates a kill: it saves nothing more.
    drop(first);
    let mut again = window(folder.path(), WIDE);
    assert_eq!(
        (document(&again).board(), document(&again).place()),
        (board, 1)
    );
    apply(&mut again, GameCommand::PreviousBranch);
    apply(&mut again, GameCommand::Last);
    assert_eq!(
        (document(&again).board(), document(&again).place()),
        (branch, 3)
    );
}

#[test]
fn a_run_is_there_again_although_nobody_said_goodbye_and_goes_on() {
    let folder = folder();
    let mut first = window(folder.path(), WIDE);
    apply(&mut first, ExperimentCommand::StopNow);
    until(&mut first, "stopping the first look", has_ended);
    let strategy =
        "(name: \"slow\", criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(2)))])";
    apply(&mut first, ExperimentCommand::New);
    apply(
        &mut first,
        ExperimentCommand::Add(Box::new(strategy.parse().expect("a strategy"))),
    );
    apply(&mut first, ExperimentCommand::SetGames(100_000));
    apply(&mut first, ExperimentCommand::Run);
    let finished = |window: &Window| {
        document(window)
            .last_run()
            .progress()
            .map_or(0, |progress| progress.work.done)
    };
    until(&mut first, "some games", |window| {
        document(window)
            .last_run()
            .progress()
            .is_some_and(|progress| progress.work.total == 100_000 && 20 < progress.work.done)
    });

    until(&mut first, "writing the run down", |_| {
        session(folder.path()).contains("run: ")
    });
    let before = finished(&first);

    // Simulates a kill: it saves nothing more.
    drop(first);
    let mut again = window(folder.path(), WIDE);
    until(&mut again, "reading", has_ended);
    let last_run = document(&again).last_run();
    assert!(
        (before..100_000).contains(&finished(&again)),
        "{} of {before}",
        finished(&again)
    );
    assert_eq!(
        last_run
            .plan()
            .map(|plan| plan.contestants[0].strategy.label())
            .as_deref(),
        Some("slow")
    );
    assert_eq!(
        last_run.state(),
        Some(&State::Cancelled),
        "games in play were lost"
    );
    until(&mut again, "a calm line", |window| {
        said(window).iter().any(|text| {
            text.contains("was interrupted") && text.contains("Resume plays them again")
        })
    });

    apply(&mut again, ExperimentCommand::Resume);
    let there = finished(&again);
    until(&mut again, "going on", |window| {
        there + 10 < finished(window)
    });
    apply(&mut again, ExperimentCommand::StopNow);
    until(&mut again, "stopping", has_ended);
    // Its games are in memory with the searched moves.
    apply(&mut again, ExperimentCommand::OpenGame(0, 0));
    assert!(document(&again).game().title.starts_with("slow, game 0"));
    leave(again);
    let third = window(folder.path(), WIDE);
    assert_eq!(
        document(&third).last_run().plan().map(|plan| plan.games),
        Some(100_000)
    );
}

fn has_ended(window: &Window) -> bool {
    document(window)
        .last_run()
        .state()
        .is_some_and(State::has_ended)
}

#[test]
fn an_idle_window_leaves_what_another_wrote_and_a_busy_one_keeps_it_aside() {
    let folder = folder();
    let settings =
        || std::fs::read_to_string(folder.path().join("settings.ron")).unwrap_or_default();
    let (idle, mut other) = (
        window(folder.path(), [1300.0, 800.0]),
        window(folder.path(), WIDE),
    );
    play(&mut other, 0);
    apply(&mut other, ViewCommand::Larger);
    leave(other);
    let written = (session(folder.path()), settings());
    assert!(!written.0.is_empty() && !written.1.is_empty());
    let mut busy = window(folder.path(), WIDE);

    leave(idle);
    assert!((session(folder.path()), settings()) == written);

    // Now this window has changes, and a third one saves first.
    play(&mut busy, 0);
    let mut third = window(folder.path(), WIDE);
    play(&mut third, 1);
    leave(third);
    let theirs = session(folder.path());
    until(&mut busy, "saving", |window| {
        said(window)
            .iter()
            .any(|text| text.contains("session.ron.other"))
    });
    assert!(session(folder.path()) != theirs);
    assert!(
        std::fs::read_to_string(folder.path().join("session.ron.other")).expect("kept") == theirs
    );
}

#[test]
fn what_cannot_be_written_is_tried_again_and_asked_about_before_the_window_closes() {
    let folder = folder();
    let config = folder.path().join("config");
    // A file in place of the folder.
    std::fs::write(&config, "").expect("written");
    let mut window = window(&config, WIDE);
    apply(&mut window, ViewCommand::Larger);
    play(&mut window, 0);
    until(&mut window, "telling", |window| {
        said(window)
            .iter()
            .any(|text| text.contains("are not saved: "))
    });

    let close = |window: &mut Window| {
        let root = window
            .input_mut()
            .viewports
            .entry(egui::ViewportId::ROOT)
            .or_default();
        root.events.push(egui::ViewportEvent::Close);
        window.step();
        let root = window
            .input_mut()
            .viewports
            .entry(egui::ViewportId::ROOT)
            .or_default();
        root.events.clear();
        let commands = &window.output().viewport_output[&egui::ViewportId::ROOT].commands;
        let stays = commands.contains(&egui::ViewportCommand::CancelClose);
        window.run_steps(2);
        stays
    };

    assert!(close(&mut window), "it asks first");
    window.get_by_role_and_label(Role::Dialog, "The session cannot be saved");
    window.get_by_label("Cancel").click();
    window.run_steps(2);
    assert!(window.query_by_label("Quit without saving").is_none());
    std::fs::remove_file(&config).expect("removed");
    until(&mut window, "trying again", |_| {
        !session(&config).is_empty() && config.join("settings.ron").exists()
    });
    assert!(
        said(&window)
            .iter()
            .any(|text| text.contains("are saved again"))
    );
    assert!(!close(&mut window));
}
