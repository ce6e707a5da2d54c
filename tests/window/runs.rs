//! The panel of the runs that are kept, in a window that is not drawn: found and used by its accessible names.

use std::path::{Path, PathBuf};

use afterstate::experiment::{Plan, Run, RunNotes, Runs, State};
use afterstate::preset::Preset;
use afterstate::workbench::command::{Arrangement, Command, Panel, SelectionCommand, ViewCommand};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Window, apply, document, entry, open, open_with, until};

/// Plays a run into the place of runs of a window with its settings in `folder`; its own folder.
fn keep(folder: &Path, title: &str, letters: &[&str], seed: u64, games: u64) -> PathBuf {
    let strategies = letters.iter().map(|letters| letters.parse().expect("letters"));
    let preset = Preset { seed, games, ..Preset::new(title, strategies) };
    keep_preset(folder, &preset)
}

fn keep_preset(folder: &Path, preset: &Preset) -> PathBuf {
    let (runs, plan) = (Runs::at(folder.join("runs")), Plan { threads: Some(1), ..Plan::of_preset(preset) });
    let run = Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan");
    run.wait();
    run.folder().expect("kept").to_owned()
}

/// A window with the runs in sight.
fn look(folder: &Path) -> Window {
    let mut window = open(folder);
    until(&mut window, "the run of the session", |window| {
        document(window).last_run.state().is_none_or(State::has_ended)
    });
    apply(&mut window, ViewCommand::Arrange(Arrangement::Experiment));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    until(&mut window, "the list", |window| window.query_by_role_and_label(Role::Table, "Runs").is_some());
    settle(&mut window);
    window
}

/// Until nothing is read any more.
fn settle(window: &mut Window) {
    window.run_steps(3);
    until(window, "all is read", |window| !document(window).kept_runs().is_reading());
}

/// The rows of the table from top to bottom, by title.
fn titles(window: &Window) -> Vec<String> {
    let mut rows: Vec<(f32, String)> = window
        .query_all_by_role(Role::Row)
        .filter_map(|row| {
            let name = row.accesskit_node().label()?;
            let title = name.strip_prefix("Run ")?.split(',').next()?.to_owned();
            Some((row.rect().top(), title))
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, title)| title).collect()
}

fn row<'a>(window: &'a Window, title: &'a str) -> egui_kittest::Node<'a> {
    let name = format!("Run {title}, ");
    window.get_by(move |node| node.role() == Role::Row && node.label().is_some_and(|label| label.starts_with(&name)))
}

fn press(window: &mut Window, key: egui::Key) {
    window.key_press(key);
    window.run_steps(3);
}

fn type_into(window: &mut Window, role: Role, field: &str, text: &str) {
    window.get_by_role_and_label(role, field).focus();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.get_by_role_and_label(role, field).type_text(text);
    window.run_steps(3);
}

#[test]
fn a_run_is_deleted_and_comes_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = keep(folder.path(), "First", &["r", "er"], 1, 4);
    keep(folder.path(), "Second", &["emr"], 1, 3);
    let mut window = look(folder.path());
    let before = titles(&window);
    assert!(before.contains(&"First".to_owned()) && before.contains(&"Second".to_owned()), "{before:?}");
    row(&window, "First").click();
    window.run_steps(3);
    press(&mut window, egui::Key::Delete);
    settle(&mut window);
    assert!(!titles(&window).contains(&"First".to_owned()) && !first.exists());
    apply(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(titles(&window), before);
    assert!(first.join("manifest.json").exists());
    // By its menu, and by the button of the notice.
    row(&window, "First").click_secondary();
    window.run_steps(3);
    entry(&window, "Delete").click();
    settle(&mut window);
    assert!(!first.exists());
    window.get_by_role_and_label(Role::Button, "Undo").click();
    settle(&mut window);
    assert_eq!(titles(&window), before);
}

#[test]
fn a_run_that_is_shown_is_deleted_and_shown_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = keep(folder.path(), "Shown", &["r", "er"], 1, 4);
    let mut window = look(folder.path());
    row(&window, "Shown").focus();
    window.run_steps(2);
    press(&mut window, egui::Key::Enter);
    until(&mut window, "it is shown", |window| document(window).setup().title == "Shown");
    assert_eq!(document(&window).run_on_screen(), Some(&*path));
    apply(&mut window, SelectionCommand::DeleteRun);
    settle(&mut window);
    assert!(!path.exists() && document(&window).results().is_none());
    apply(&mut window, Command::Undo);
    settle(&mut window);
    until(&mut window, "it is shown again", |window| {
        document(window).results().is_some_and(|run| run.state() == Some(&State::Done))
    });
}

#[test]
fn a_stopped_run_is_opened_and_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let preset = Preset { games: 1_000_000, ..Preset::new("Long", ["emr".parse().expect("letters")]) };
    let runs = Runs::at(folder.path().join("runs"));
    let plan = Plan { threads: Some(1), ..Plan::of_preset(&preset) };
    let run = Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan");
    while run.progress().finished < 50 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    run.stop();
    run.wait();
    let finished = run.progress().finished;
    drop(run);
    let mut window = look(folder.path());
    row(&window, "Long").click();
    window.run_steps(3);
    window.get_by_label_contains("Stopped after ");
    window.get_by_role_and_label(Role::Button, "Open run").click();
    let games = |window: &Window| document(window).results().and_then(|run| run.progress()).map_or(0, |of| of.finished);
    until(&mut window, "its games", |window| games(window) == finished);
    window.get_by_role_and_label(Role::Button, "Resume").click();
    until(&mut window, "more games", |window| finished < games(window));
    apply(&mut window, afterstate::workbench::command::ExperimentCommand::Stop);
    until(&mut window, "it stops", |window| document(window).last_run.state() == Some(&State::Stopped));
}

#[test]
fn runs_are_found_by_words_and_described() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = keep(folder.path(), "First", &["r", "er"], 77, 4);
    keep(folder.path(), "Second", &["emr"], 1, 3);
    let manifest = std::fs::read(path.join("manifest.json")).expect("readable");
    let mut window = look(folder.path());
    row(&window, "First").click();
    window.run_steps(3);
    press(&mut window, egui::Key::F2);
    type_into(&mut window, Role::TextInput, "Tags of the run", "thesis, night");
    press(&mut window, egui::Key::Enter);
    type_into(&mut window, Role::MultilineTextInput, "Note of the run", "Two lines");
    row(&window, "Second").click();
    settle(&mut window);
    let notes = RunNotes::of(&path);
    assert_eq!((notes.tags, notes.note.as_str()), (vec!["thesis".to_owned(), "night".to_owned()], "Two lines"));
    assert_eq!(std::fs::read(path.join("manifest.json")).expect("readable"), manifest);
    window.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::F);
    window.run_steps(4);
    for (query, found) in [("night", "First"), ("two LINES", "First"), ("77", "First"), ("second", "Second")] {
        type_into(&mut window, Role::TextInput, "Find a run", query);
        assert_eq!(titles(&window), [found], "{query}");
    }
    type_into(&mut window, Role::TextInput, "Find a run", "nothing has this");
    window.get_by_label("No run has these words");
    // Another window finds it by the same words.
    drop(window);
    let mut window = look(folder.path());
    type_into(&mut window, Role::TextInput, "Find a run", "thesis");
    assert_eq!(titles(&window), ["First"]);
    press(&mut window, egui::Key::ArrowDown);
    press(&mut window, egui::Key::Enter);
    until(&mut window, "it is shown", |window| document(window).setup().title == "First");
}

#[test]
fn many_runs_are_walked_by_keys_at_every_size() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 0..40 {
        keep(folder.path(), &format!("Run number {seed} with a title that is longer than any column"), &["r"], seed, 1);
    }
    for size in [[1024.0, 700.0], [1600.0, 1000.0], [2560.0, 1440.0]] {
        let mut window = open_with(folder.path(), size, Vec::new());
        apply(&mut window, ViewCommand::Arrange(Arrangement::Experiment));
        apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
        until(&mut window, "all runs", |window| {
            document(window).kept_runs().runs().is_some_and(|runs| 40 <= runs.len())
        });
        settle(&mut window);
        window.get_by_label_contains("41 runs, ");
        let chosen = |window: &Window| {
            let row = window.query_all_by_role(Role::Row).find(|row| row.accesskit_node().is_focused());
            row.and_then(|row| row.accesskit_node().label())
        };
        for _ in 0..30 {
            press(&mut window, egui::Key::ArrowDown);
        }
        let name = chosen(&window).expect("a row has the keys");
        let table = window.get_by_role_and_label(Role::Table, "Runs").rect();
        let place = window.get_by_role_and_label(Role::Row, &name).rect();
        assert!(table.expand(2.0).contains_rect(place), "{size:?}: {place:?} in {table:?}");
        window.get_by_role_and_label(Role::TextInput, "Tags of the run");
    }
}

#[test]
fn an_empty_place_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("settings.ron"), "(version: 1)").expect("writable");
    let mut window = crate::common::open_as_it_is(folder.path(), [1600.0, 1000.0], Vec::new());
    apply(&mut window, afterstate::workbench::command::ExperimentCommand::New);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    settle(&mut window);
    for run in std::fs::read_dir(folder.path().join("runs")).into_iter().flatten().flatten() {
        std::fs::remove_dir_all(run.path()).expect("removed");
    }
    apply(&mut window, ViewCommand::ShowPanel(Panel::Experiment));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    settle(&mut window);
    window.get_by_label_contains("every run is kept in");
}
