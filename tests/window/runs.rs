//! The Runs panel in a window without a display, driven by accessible names.

use std::path::{Path, PathBuf};

use afterstate::experiment::{Plan, ResultsFormat, Run, RunNotes, Runs, State};
use afterstate::preset::Preset;
use afterstate::strategy::Strategy;
use afterstate::workbench::command::{
    Command, ExperimentCommand, FileCommand, Panel, RunsCommand, SelectionCommand, ViewCommand,
    Workspace,
};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, entry, open_new, open_with, rows, until};

/// Plays a run into the folder of runs of a window with its settings in `folder`; returns the folder of the run.
fn keep(folder: &Path, title: &str, letters: &[&str], seed: u64, games: u64) -> PathBuf {
    let strategies = letters
        .iter()
        .map(|letters| letters.parse().expect("letters"));
    let preset = Preset {
        seed,
        games,
        ..Preset::new(title, strategies)
    };
    keep_preset(folder, &preset)
}

fn keep_preset(folder: &Path, preset: &Preset) -> PathBuf {
    let (runs, plan) = (
        Runs::at(folder.join("runs")),
        Plan {
            threads: Some(1),
            ..Plan::of_preset(preset)
        },
    );
    let run =
        Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan");
    run.wait();
    run.folder().expect("kept").to_owned()
}

/// A window that shows the runs.
fn look(folder: &Path) -> Window {
    look_at(folder, [1600.0, 1000.0])
}

fn look_at(folder: &Path, size: [f32; 2]) -> Window {
    let mut window = open_with(folder, size, Vec::new());
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    assert!(
        window
            .query_by_role_and_label(Role::Table, "Runs")
            .is_some()
    );
    window.settle();
    window
}

/// The titles of the table rows, top down.
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
    window.get_by(move |node| {
        node.role() == Role::Row && node.label().is_some_and(|label| label.starts_with(&name))
    })
}

fn type_into(window: &mut Window, role: Role, field: &str, text: &str) {
    window.get_by_role_and_label(role, field).focus();
    window.settle();
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.get_by_role_and_label(role, field).type_text(text);
    window.settle();
}

#[test]
fn a_run_is_deleted_and_comes_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = keep(folder.path(), "First", &["r", "er"], 1, 4);
    keep(folder.path(), "Second", &["emr"], 1, 3);
    let mut window = look(folder.path());
    let before = titles(&window);
    assert!(
        before.contains(&"First".to_owned()) && before.contains(&"Second".to_owned()),
        "{before:?}"
    );
    window.click_at(row(&window, "First").rect().center());
    window.press_key(egui::Key::Delete);
    window.settle();
    assert!(!titles(&window).contains(&"First".to_owned()) && !first.exists());
    apply(&mut window, Command::Undo);
    window.settle();
    assert_eq!(titles(&window), before);
    assert!(first.join("manifest.json").exists());

    // By its menu, and by the button of the notice.
    assert!(
        !row(&window, "First")
            .accesskit_node()
            .is_selected()
            .unwrap_or_default()
    );
    window.click_secondary_at(row(&window, "First").rect().center());
    assert!(
        !row(&window, "First")
            .accesskit_node()
            .is_selected()
            .unwrap_or_default(),
        "a right click selects nothing"
    );
    window.click_at(entry(&window, "Tags and note").rect().center());
    assert!(
        window
            .get_by_role_and_label(Role::TextInput, "Tags of the run")
            .accesskit_node()
            .is_focused()
    );
    window.press_key(egui::Key::Escape);
    assert!(
        row_with_keys(&window).is_some_and(|name| name.starts_with("Run First")),
        "it is about this run"
    );
    window.click_secondary_at(row(&window, "First").rect().center());
    window.click_at(entry(&window, "Delete").rect().center());
    assert!(!first.exists());
    window.click_role(Role::Button, "Undo");
    assert_eq!(titles(&window), before);
}

#[test]
fn a_run_that_is_shown_is_deleted_and_shown_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = keep(folder.path(), "Shown", &["r", "er"], 1, 4);
    let mut window = look(folder.path());

    row(&window, "Shown").focus();
    window.settle();
    window.press_key(egui::Key::Enter);
    until(&mut window, "it is shown", |window| {
        document(window).setup().title == "Shown"
    });
    assert_eq!(document(&window).run_on_screen(), Some(&*path));
    until(&mut window, "its games are read", |window| {
        document(window).last_run().state() == Some(&State::Done)
    });

    apply(&mut window, SelectionCommand::DeleteRun);
    window.settle();
    assert!(!path.exists() && document(&window).results().is_none());

    apply(&mut window, Command::Undo);
    window.settle();
    until(&mut window, "it is shown again", |window| {
        document(window)
            .results()
            .is_some_and(|run| run.state() == Some(&State::Done))
    });
}

#[test]
fn a_stopped_run_is_opened_and_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let preset = Preset {
        games: 1_000_000,
        ..Preset::new("Long", ["emr".parse().expect("letters")])
    };
    let runs = Runs::at(folder.path().join("runs"));
    let plan = Plan {
        threads: Some(1),
        ..Plan::of_preset(&preset)
    };
    let run =
        Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {}).expect("a sound plan");
    while run.progress().work.done < 50 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }

    run.stop();
    run.wait();
    let finished = run.progress().work.done;
    drop(run);
    let mut window = look(folder.path());
    window.click_at(row(&window, "Long").rect().center());
    assert!(window.query_by_label_contains("Stopped after ").is_some());
    window
        .get_by_role_and_label(Role::Button, "Open run")
        .click();
    let games = |window: &Window| {
        document(window)
            .results()
            .and_then(|run| run.progress())
            .map_or(0, |progress| progress.work.done)
    };
    until(&mut window, "its games", |window| {
        games(window) == finished
            && window
                .query_by_role_and_label(Role::Button, "Resume")
                .is_some()
    });

    window.get_by_role_and_label(Role::Button, "Resume").click();
    until(&mut window, "more games", |window| finished < games(window));
    apply(&mut window, ExperimentCommand::Stop);
    assert_eq!(document(&window).last_run().state(), Some(&State::Stopped));
}

#[test]
fn runs_are_found_by_words_and_described() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = keep(folder.path(), "First", &["r", "er"], 77, 4);
    keep(folder.path(), "Second", &["emr"], 1, 3);
    let manifest = std::fs::read(path.join("manifest.json")).expect("readable");
    let mut window = look(folder.path());
    window.click_at(row(&window, "First").rect().center());
    window.press_key(egui::Key::F2);
    type_into(
        &mut window,
        Role::TextInput,
        "Tags of the run",
        "thesis, night",
    );
    window.press_key(egui::Key::Enter);
    type_into(
        &mut window,
        Role::MultilineTextInput,
        "Note of the run",
        "Two lines",
    );
    window.click_at(row(&window, "Second").rect().center());
    let notes = RunNotes::of(&path);
    assert_eq!(
        (notes.tags, notes.note.as_str()),
        (vec!["thesis".to_owned(), "night".to_owned()], "Two lines")
    );
    assert_eq!(
        std::fs::read(path.join("manifest.json")).expect("readable"),
        manifest
    );
    window.press_keys(
        egui::Modifiers::COMMAND | egui::Modifiers::SHIFT,
        egui::Key::F,
    );
    for (query, found) in [
        ("night", "First"),
        ("two LINES", "First"),
        ("77", "First"),
        ("second", "Second"),
    ] {
        type_into(&mut window, Role::TextInput, "Find a run", query);
        assert_eq!(titles(&window), [found], "{query}");
    }

    type_into(
        &mut window,
        Role::TextInput,
        "Find a run",
        "nothing has this",
    );
    window.get_by_label("Nothing found");

    // Another window finds it by the same words.
    drop(window);
    let mut window = look(folder.path());
    type_into(&mut window, Role::TextInput, "Find a run", "thesis");
    assert_eq!(titles(&window), ["First"]);
    window.press_key(egui::Key::ArrowDown);
    window.press_key(egui::Key::Enter);
    until(&mut window, "it is shown", |window| {
        document(window).setup().title == "First"
    });
}

#[test]
fn the_list_is_sorted_by_a_click_and_hides_columns_also_after_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (title, seed, games) in [
        ("First", 9_007_199_254_740_993, 4),
        ("Second", 9_007_199_254_740_992, 7),
    ] {
        keep(folder.path(), title, &["r"], seed, games);
    }
    let mut window = look(folder.path());
    type_into(&mut window, Role::TextInput, "Find a run", "r");
    let own = |window: &Window| -> Vec<String> {
        titles(window)
            .into_iter()
            .filter(|title| ["First", "Second"].contains(&&**title))
            .collect()
    };
    window.click("Sort by Seed");
    assert_eq!(
        own(&window),
        ["Second", "First"],
        "the smallest first, to the last digit"
    );
    window.click("Sort by Seed, sorted, smallest first");
    assert_eq!(own(&window), ["First", "Second"]);
    window.click("Sort by Games");
    assert_eq!(own(&window), ["Second", "First"], "the largest first");

    let has = |window: &Window| {
        window
            .query_all_by_label_contains("Sort by Seed")
            .next()
            .is_some()
    };
    window.click("Menu of the list of runs");
    for copies in ["Copy as CSV", "Copy as Markdown"] {
        entry(&window, copies);
    }
    window.click_at(entry(&window, "Seed").rect().center());
    assert!(!has(&window));
    window.press_key(egui::Key::Escape);
    until(&mut window, "the settings are written", |_| {
        std::fs::read_to_string(folder.path().join("settings.ron"))
            .is_ok_and(|text| text.contains("\"seed\""))
    });

    drop(window);
    let mut window = look(folder.path());
    assert!(!has(&window), "hidden still");
    window.click("Menu of the list of runs");
    window.click_at(entry(&window, "Seed").rect().center());
    assert!(has(&window));
}

#[test]
fn many_runs_are_walked_by_keys_at_every_size() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 0..32 {
        keep(
            folder.path(),
            &format!("Run number {seed} with a title that is longer than any column"),
            &["r"],
            seed,
            1,
        );
    }

    // Below the end of the table where it is low.
    for (size, steps) in [([1024.0, 700.0], 30), ([2560.0, 1440.0], 8)] {
        let mut window = open_with(folder.path(), size, Vec::new());
        apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
        apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
        window.settle();
        window.get_by_label_contains("33 runs, ");
        let chosen = |window: &Window| {
            let row = window
                .query_all_by_role(Role::Row)
                .find(|row| row.accesskit_node().is_focused());
            row.and_then(|row| row.accesskit_node().label())
        };
        for _ in 0..steps {
            window.press_key(egui::Key::ArrowDown);
        }
        let name = chosen(&window).expect("a row has the keys");
        let table = window.get_by_role_and_label(Role::Table, "Runs").rect();
        let place = window.get_by_role_and_label(Role::Row, &name).rect();
        assert!(
            table.expand(2.0).contains_rect(place),
            "{size:?}: {place:?} in {table:?}"
        );
        window.get_by_role_and_label(Role::TextInput, "Tags of the run");
    }
}

#[test]
fn an_empty_place_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open_new(folder.path(), [1600.0, 1000.0]);
    apply(&mut window, ExperimentCommand::New);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    window.settle();
    for run in std::fs::read_dir(folder.path().join("runs"))
        .into_iter()
        .flatten()
        .flatten()
    {
        std::fs::remove_dir_all(run.path()).expect("removed");
    }
    apply(&mut window, ViewCommand::ShowPanel(Panel::Experiment));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    window.settle();
    window.get_by_label_contains("Runs are saved in");
}

/// Wide enough for all columns of the results.
const WIDE: [f32; 2] = [2400.0, 1200.0];

/// The strategies of the table of results.
fn strategies(window: &Window) -> Vec<String> {
    let rows = window
        .query_all_by_role(Role::Row)
        .filter_map(|row| row.accesskit_node().label());
    let mut rows: Vec<String> = rows
        .filter_map(|name| Some(name.strip_prefix("Row ")?.to_owned()))
        .collect();
    rows.sort();
    rows
}

fn halves(window: &Window) -> Vec<String> {
    let all = window
        .query_all_by_label_contains("± ")
        .filter_map(|node| node.accesskit_node().value());
    all.filter(|half| half.starts_with('±')).collect()
}

#[test]
fn runs_of_one_seed_are_compared_in_pairs_and_of_others_by_welch() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = keep(folder.path(), "First", &["r", "er"], 1, 40);
    let second = keep(folder.path(), "Second", &["emr"], 1, 60);
    let third = keep(folder.path(), "Third", &["er"], 2, 50);
    let mut other = Preset {
        games: 30,
        ..Preset::new("Other rules", ["mr".parse().expect("letters")])
    };
    other.rules.p4 = 0.5;
    let other = keep_preset(folder.path(), &other);
    let mut window = look_at(folder.path(), WIDE);
    apply(&mut window, RunsCommand::Open(first.clone()));
    let summaries = |window: &Window| {
        let shown = document(window)
            .shown()
            .and_then(|shown| shown.snapshot.clone());
        shown.map_or_else(Vec::new, |shown| {
            shown
                .summaries
                .iter()
                .map(|summary| summary.games())
                .collect()
        })
    };
    until(&mut window, "its games", |window| {
        summaries(window) == [40, 40]
    });
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    window
        .get_by_role_and_label(Role::Button, "Pin Second")
        .click();
    until(&mut window, "those of both", |window| {
        summaries(window) == [40, 40, 60]
    });
    let ranks = "paired differences of 40 games";
    until(&mut window, "ranks of all", |window| {
        window.query_by_label_contains(ranks).is_some()
    });
    window.get_by_label_contains("Sort by Rank of 3");
    assert_eq!(strategies(&window), ["emr", "er", "r"]);
    window.get_by_label_contains("Side by side: First and Second");
    assert!(
        halves(&window).iter().all(|half| !half.ends_with('W')),
        "{:?}",
        halves(&window)
    );

    // A copy has all of them.
    let ctx = window.ctx.clone();
    let copies = FileCommand::CopyResults(ResultsFormat::Tabs);
    let app = window.state_mut().as_mut().expect("open");
    app.apply(&ctx, copies);
    let copied = crate::common::copied(app, &ctx).expect("a table");
    let rows: Vec<&str> = copied
        .lines()
        .skip(1)
        .map(|line| line.split('\t').next().unwrap_or_default())
        .collect();
    assert_eq!(rows, ["First", "First", "Second"], "{copied}");
    window.settle();
    // Another seed: only the rules in common, and a name clash.
    window.click_at(row(&window, "Third").rect().center());
    window.press_key(egui::Key::P);
    until(&mut window, "those of three", |window| {
        summaries(window) == [40, 40, 60, 50]
    });
    assert_eq!(
        strategies(&window),
        ["First · er", "Third · er", "emr", "r"]
    );
    window.get_by_label_contains(
        "W: Welch, as the seed differs from that of r; all other differences are paired",
    );
    assert_eq!(
        halves(&window)
            .iter()
            .filter(|half| half.ends_with('W'))
            .count(),
        1,
        "{:?}",
        halves(&window)
    );
    assert!(
        window.query_by_label_contains("Sort by Rank of").is_none(),
        "they are not of the same games"
    );
    // Other rules: no difference.
    apply(&mut window, RunsCommand::Pin(other.clone()));
    until(&mut window, "those of four", |window| {
        summaries(window) == [40, 40, 60, 50, 30]
    });
    window.get_by_label_contains("No difference where the rules differ from those of r");
    let marks: Vec<usize> = {
        let document = document(&window);
        let shown = document.shown().expect("runs");
        shown
            .arms()
            .map(|arm| document.color_index(arm.strategy.hash()))
            .collect()
    };
    assert_eq!(marks[1], marks[3], "one strategy in two runs");

    // A game of a pinned run has its own seed and rules.
    for (place, seed, p4) in [(3, 2, 0.1), (4, 1, 0.5)] {
        let at = |window: &Window| {
            let document = document(window);
            let end = *document.line().last().expect("a line");
            (
                document.game().seed,
                document.game().rules.p4,
                document.game().index,
                document.tree().node(end).score,
            )
        };
        let games = document(&window)
            .shown()
            .and_then(|shown| shown.run.as_ref())
            .map(|run| run.games().clone());
        let score = games
            .and_then(|games| games.game(place, 7))
            .expect("played")
            .score;
        apply(&mut window, ExperimentCommand::OpenGame(place, 7));
        assert_eq!(at(&window), (seed, p4, 7, score.into()));
    }

    // Pins survive a restart.
    let mut pinned = vec![second, third.clone(), other.clone()];
    assert_eq!(document(&window).pinned_runs().collect::<Vec<_>>(), pinned);
    until(&mut window, "the session is written", |_| {
        let session =
            std::fs::read_to_string(folder.path().join("session.ron")).unwrap_or_default();
        session.contains("other-rules")
    });

    drop(window);
    let mut window = open_with(folder.path(), WIDE, Vec::new());
    until(&mut window, "they are shown again", |window| {
        summaries(window) == [40, 40, 60, 50, 30]
    });
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    window.settle();
    // A deleted run is not pinned, and all runs can be unpinned.
    apply(&mut window, RunsCommand::Delete(other));
    pinned.pop();
    assert_eq!(document(&window).pinned_runs().collect::<Vec<_>>(), pinned);
    apply(&mut window, RunsCommand::Unpin(third));
    until(&mut window, "two are left", |window| {
        summaries(window) == [40, 40, 60]
    });
    window.get_by_label("Unpin all runs").click();
    until(&mut window, "one is left", |window| {
        summaries(window) == [40, 40]
    });
}

#[test]
fn pinned_runs_are_shown_without_a_run_on_screen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = keep(folder.path(), "Same", &["er"], 5, 20);
    let second = keep(folder.path(), "Same", &["er"], 6, 20);
    let mut window = look_at(folder.path(), WIDE);
    apply(&mut window, ExperimentCommand::New);
    apply(&mut window, RunsCommand::Pin(first));
    apply(&mut window, RunsCommand::Pin(second));
    until(&mut window, "both", |window| {
        strategies(window) == ["seed 5 · er", "seed 6 · er"]
    });
    until(&mut window, "the difference", |window| {
        halves(window).iter().any(|half| half.ends_with('W'))
    });
    assert!(document(&window).results().is_none());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Experiment));
    window.get_by_label_contains("Histogram of scores");
}

#[test]
fn only_what_differs_between_set_ups_is_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = keep(folder.path(), "First", &["r", "er"], 1, 4);
    keep(folder.path(), "Second", &["er"], 3, 4);
    let mut window = look(folder.path());
    apply(&mut window, RunsCommand::Open(first));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    window.settle();
    window.click_at(row(&window, "Second").rect().center());
    window.click("Differences");
    window.get_by_role_and_label(Role::Table, "Differences of set-ups");
    window.get_by_role_and_label(Role::Row, "seed: 1; 3");
    window.get_by_role_and_label(Role::Row, "strategy r: plays; –");
    for same in ["games: ", "board: ", "strategy er: "] {
        assert!(window.query_by_label_contains(same).is_none(), "{same}");
    }

    window.click_at(row(&window, "First").rect().center());
    window.get_by_role_and_label(Role::TextInput, "Tags of the run");
}

/// The name of the focused row.
fn row_with_keys(window: &Window) -> Option<String> {
    let row = window
        .query_all_by_role(Role::Row)
        .find(|row| row.accesskit_node().is_focused());
    row.and_then(|row| row.accesskit_node().label())
}

#[test]
fn the_keys_reach_the_fields_and_stay_with_the_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = keep(folder.path(), "Same", &["r", "er"], 1, 4);
    keep(folder.path(), "Same", &["emr"], 1, 3);
    let mut window = open_with(folder.path(), [1600.0, 1000.0], Vec::new());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    assert!(
        window
            .query_by_role_and_label(Role::Table, "Runs")
            .is_some()
    );
    window.settle();
    assert!(
        window
            .query_by_role_and_label(Role::TextInput, "Tags of the run")
            .is_none(),
        "no run is chosen"
    );

    // By a click, and by arrows.
    window.click_at(row(&window, "Same, 1 strategy").rect().center());
    assert!(row_with_keys(&window).is_some_and(|name| name.starts_with("Run Same, 1 strategy")));
    for _ in 0..4 {
        window.press_key(egui::Key::ArrowUp);
    }

    while !row_with_keys(&window)
        .is_some_and(|name| name.starts_with("Run Same, 2 strategies, 8 games"))
    {
        window.press_key(egui::Key::ArrowDown);
    }

    window.press_key(egui::Key::P);
    assert_eq!(document(&window).pinned_runs().count(), 1);
    assert!(row_with_keys(&window).is_some_and(|name| name.starts_with("Run Same, 2 strategies")));
    window.press_key(egui::Key::P);
    assert_eq!(document(&window).pinned_runs().count(), 0);
    window.press_key(egui::Key::F2);
    let typed = |window: &mut Window, text: &str| {
        window.event(egui::Event::Text(text.to_owned()));
        window.settle();
    };
    typed(&mut window, "night");
    window.press_key(egui::Key::Tab);
    typed(&mut window, "a note ");
    window.press_key(egui::Key::Escape);
    assert!(
        row_with_keys(&window).is_some_and(|name| name.starts_with("Run Same, 2 strategies")),
        "back in the list"
    );
    window.settle();
    let notes = RunNotes::of(&path);
    assert_eq!(
        (notes.tags, notes.note.as_str()),
        (vec!["night".to_owned()], "a note")
    );

    // Text is saved after a pause, and its trailing blank stays for the next word.
    window.press_key(egui::Key::F2);
    window.press_key(egui::Key::Tab);
    window.press_key(egui::Key::End);
    typed(&mut window, " that goes on ");
    until(&mut window, "it is written", |_| {
        RunNotes::of(&path).note == "a note that goes on"
    });
    window.settle();
    typed(&mut window, "and is not lost");
    // The window closes.
    let ctx = window.ctx.clone();
    window.state_mut().as_mut().expect("open").close(&ctx);
    assert_eq!(
        RunNotes::of(&path).note,
        "a note that goes on and is not lost"
    );
}

/// A title given after the run is the title of the run everywhere.
#[test]
fn a_title_travels_to_the_run_and_what_is_damaged_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = keep(folder.path(), "r against er", &["r", "er"], 1, 4);
    let mut window = look(folder.path());
    apply(&mut window, RunsCommand::Open(path.clone()));
    until(&mut window, "it is on screen", |window| {
        document(window).last_run().state() == Some(&State::Done)
    });
    apply(
        &mut window,
        FileCommand::SaveTitled("Dead boards matter".to_owned()),
    );
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    window.settle();
    until(&mut window, "the list says it", |window| {
        titles(window).contains(&"Dead boards matter".to_owned())
    });
    assert_eq!(
        document(&window).results().expect("a run").title(),
        "Dead boards matter"
    );
    assert_eq!(RunNotes::of(&path).title, "Dead boards matter");

    // Changing tags keeps the title, and the next window finds it.
    let tags = RunNotes {
        tags: vec!["talk".to_owned()],
        ..RunNotes::of(&path)
    };
    apply(
        &mut window,
        RunsCommand::Describe(path.clone(), tags.clone()),
    );
    let ctx = window.ctx.clone();
    window.state_mut().as_mut().expect("open").close(&ctx);
    drop(window);
    let mut window = look(folder.path());
    apply(&mut window, RunsCommand::Open(path.clone()));
    until(&mut window, "it is on screen", |window| {
        document(window).last_run().state() == Some(&State::Done)
    });
    assert_eq!(
        (&*document(&window).setup().title, RunNotes::of(&path)),
        ("Dead boards matter", tags.clone())
    );

    // An unreadable file is not overwritten.
    let file = path.join("notes.json");
    std::fs::write(&file, "{ \"tags\": [").expect("written");
    apply(&mut window, RunsCommand::Describe(path, tags));
    assert_eq!(
        std::fs::read_to_string(&file).expect("there"),
        "{ \"tags\": ["
    );
    let said: Vec<String> = window
        .state()
        .as_ref()
        .expect("open")
        .notices()
        .texts()
        .map(str::to_owned)
        .collect();
    assert!(
        said.iter()
            .any(|text| text.contains("notes.json") && text.contains("Repair or remove")),
        "{said:?}"
    );
}

#[test]
fn runs_that_begin_meanwhile_leave_the_keys_with_the_chosen_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    keep(folder.path(), "Chosen", &["r"], 1, 1);
    let mut window = open_with(folder.path(), [1024.0, 700.0], Vec::new());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Runs));
    assert!(
        window
            .query_by_role_and_label(Role::Table, "Runs")
            .is_some()
    );
    window.settle();
    window.click_at(row(&window, "Chosen").rect().center());
    window.press_key(egui::Key::F2);

    // Many more rows than fit above it.
    for seed in 0..24 {
        keep(folder.path(), "Later", &["r"], seed, 1);
    }

    apply(&mut window, RunsCommand::List);
    window.settle();
    assert!(row_with_keys(&window).is_none());
    window.press_key(egui::Key::Escape);
    // The list scrolls to it.
    window.settle();
    assert!(row_with_keys(&window).is_some_and(|name| name.starts_with("Run Chosen")));
}

#[test]
fn a_list_that_is_read_meanwhile_leaves_the_keys_in_the_field() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    keep(folder.path(), "Chosen", &["r"], 1, 1);
    let mut window = look(folder.path());
    for steps in 0..4 {
        window.click_at(row(&window, "Chosen").rect().center());
        window.key_press(egui::Key::F2);
        (0..steps).for_each(|_| window.step());

        // The next frame takes everything that has been read.
        let ctx = window.ctx.clone();
        keep(folder.path(), "Later", &["r"], 2 + steps as u64, 1);
        window
            .state_mut()
            .as_mut()
            .expect("open")
            .apply(&ctx, RunsCommand::List);
        std::thread::sleep(std::time::Duration::from_millis(300));
        window.settle();

        let listed = |window: &Window| document(window).kept_runs().runs().map_or(0, <[_]>::len);
        until(&mut window, "it is listed", |window| {
            steps + 2 <= listed(window)
        });
        let tags = window.get_by_role_and_label(Role::TextInput, "Tags of the run");
        assert!(tags.accesskit_node().is_focused(), "after {steps} frames");
        window.press_key(egui::Key::Escape);
    }
}

#[test]
fn a_run_that_grew_says_over_which_games_its_result_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    keep(folder.path(), "Grown", &["r", "er"], 1, 4);
    keep(folder.path(), "Grown", &["r", "er"], 1, 9);
    let window = look(folder.path());
    let name = row(&window, "Grown").accesskit_node().label();
    assert_eq!(
        name.as_deref(),
        Some("Run Grown, 18 games, all played, 4 games from before")
    );
    let mut window = window;
    window.click_at(row(&window, "Grown").rect().center());
    window.get_by_label("The result covers games 0 to 8 of each strategy");
    window.get_by_label_contains("Previously it covered 4 games of each");
}

#[test]
fn a_run_that_another_process_begins_appears_while_the_list_is_looked_at() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = look(folder.path());
    keep(folder.path(), "From elsewhere", &["er"], 1, 6);
    let is_listed = |window: &Window| titles(window).iter().any(|title| title == "From elsewhere");
    assert!(!is_listed(&window));
    until(&mut window, "the run", is_listed);
}

fn the_same_as(letters: &str) -> Strategy {
    Strategy {
        name: "the same".to_owned(),
        ..letters.parse().expect("letters")
    }
}

#[test]
fn strategies_that_played_alike_have_one_row_until_they_are_parted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [er, mr] = ["er", "mr"].map(|letters| letters.parse().expect("letters"));
    let preset = Preset {
        games: 6,
        ..Preset::new("Alike", [er, mr, the_same_as("er")])
    };
    let alike = keep_preset(folder.path(), &preset);
    let mut window = look_at(folder.path(), WIDE);
    apply(&mut window, RunsCommand::Open(alike));
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    until(&mut window, "one row", |window| {
        window.query_all_by_label("er = the same").next().is_some()
    });
    assert_eq!(
        rows(&window)
            .iter()
            .filter(|name| ["er", "mr", "the same"].contains(&&***name))
            .count(),
        2
    );

    window.click_secondary_at(window.get_by_label("Row er").rect().center());
    window.click_at(
        entry(&window, "Separate strategies with the same games")
            .rect()
            .center(),
    );
    window.get_by_label("Row the same");

    window.click_secondary_at(window.get_by_label("Row er").rect().center());
    window.click_at(
        entry(&window, "Merge strategies with the same games")
            .rect()
            .center(),
    );
    assert!(window.query_by_label("Row the same").is_none());
}

#[test]
fn a_view_of_pairs_says_why_there_is_nothing_to_draw() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let alone = keep(folder.path(), "Alone", &["er"], 1, 6);
    let other = keep(folder.path(), "Other tiles", &["mr"], 2, 6);
    let preset = Preset {
        games: 6,
        ..Preset::new("Alike", ["er".parse().expect("letters"), the_same_as("er")])
    };
    let alike = keep_preset(folder.path(), &preset);

    let mut window = look_at(folder.path(), WIDE);
    apply(&mut window, RunsCommand::Open(alone.clone()));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Experiment));
    window.click("Paired");
    window
        .get_by_label_contains("Differences need two strategies: add another, or pin a second run");

    apply(&mut window, RunsCommand::Pin(other));
    until(&mut window, "why", |window| {
        window
            .query_all_by_label_contains("have no games in common")
            .next()
            .is_some()
    });
    let reason = "mr and er have no games in common because they differ in seed or rules";
    assert!(window.query_all_by_label_contains(reason).next().is_some());

    apply(&mut window, RunsCommand::UnpinAll);
    apply(&mut window, RunsCommand::Open(alike));
    until(&mut window, "all alike", |window| {
        window
            .query_by_label_contains("there is nothing to plot")
            .is_some()
    });
    window.get_by_label_contains("All 6 games of the same and er are identical");
}

/// A small trained network, in the folder of a window.
fn train(folder: &Path, name: &str, seed: u64, until: u64) -> PathBuf {
    use afterstate::learning::{Learner, Training};
    use afterstate::task::Threads;
    let networks = afterstate::network::library::folder_in(folder);
    std::fs::create_dir_all(&networks).expect("made");
    let training = Training {
        seed,
        every: 10,
        ..Training::new("012 145".parse().expect("tuples"), until)
    };
    let learner = Learner::new(training, String::new()).expect("sound");
    let alone = Threads {
        count: 1,
        low_priority: false,
    };
    learner
        .learn(alone, &|| false, std::time::Duration::from_secs(60))
        .expect("learnt");
    learner.set_games(100_000);
    let path = networks.join(format!("{name}.net"));
    learner.write(&path).expect("written");
    path
}

fn training<'a>(window: &'a Window, name: &'a str) -> Option<egui_kittest::Node<'a>> {
    let name = format!("Training {name}, ");
    let is_it = move |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        node.role() == Role::Row && node.label().is_some_and(|label| label.starts_with(&name))
    };
    window.query_by(is_it)
}

#[test]
fn trainings_are_runs_like_others() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    keep(folder.path(), "Played", &["r", "er"], 1, 4);
    let path = train(folder.path(), "quick", 7, 20);
    train(folder.path(), "slow", 8, 10);
    let mut window = look(folder.path());
    until(&mut window, "trainings are listed", |window| {
        training(window, "slow").is_some()
    });
    assert_eq!(
        training(&window, "quick")
            .and_then(|row| row.accesskit_node().label())
            .as_deref(),
        Some("Training quick, 20 of 100,000 games, stopped")
    );

    // Tags and note, which the search finds.
    training(&window, "quick").expect("listed").click();
    window.settle();
    window.get_by_label_contains("The last 10 games have a mean of ");
    window.press_key(egui::Key::F2);
    type_into(&mut window, Role::TextInput, "Tags of the run", "thesis");
    window.press_key(egui::Key::Enter);
    until(&mut window, "the tags are listed", |window| {
        document(window)
            .trainings()
            .find("quick")
            .is_some_and(|saved| saved.notes.tags == ["thesis"])
    });

    assert_eq!(RunNotes::of(&path).tags, ["thesis"]);
    for (query, found) in [
        ("thesis", [true, false]),
        ("training 8", [false, true]),
        ("012", [true, true]),
    ] {
        type_into(&mut window, Role::TextInput, "Find a run", query);
        assert_eq!(
            ["quick", "slow"].map(|name| training(&window, name).is_some()),
            found,
            "{query}"
        );
        assert!(titles(&window).is_empty(), "{query}");
    }

    type_into(&mut window, Role::TextInput, "Find a run", "");
    // Pinned trainings are compared.
    training(&window, "slow").expect("listed").click();
    window.settle();
    window.click_role(Role::Button, "Pin run");
    assert!(document(&window).trainings().is_pinned("slow"));
    window.get_by_role_and_label(Role::Button, "Unpin all runs");
    training(&window, "quick").expect("listed").click();
    window.settle();
    window.click_role(Role::RadioButton, "Differences");
    window.get_by_role_and_label(Role::Row, "seed: 8; 7");
    window.click_role(Role::RadioButton, "About");
    // Deleted and restored with its notes.
    training(&window, "quick").expect("listed").focus();
    window.settle();
    window.press_key(egui::Key::Delete);
    until(&mut window, "it is gone", |window| {
        training(window, "quick").is_none()
    });
    assert!(!path.exists() && RunNotes::of(&path).tags.is_empty());
    apply(&mut window, Command::Undo);
    until(&mut window, "it is back", |window| {
        training(window, "quick").is_some()
    });
    assert_eq!(RunNotes::of(&path).tags, ["thesis"]);
    // It resumes, and Enter opens its panel.
    training(&window, "quick").expect("listed").click();
    window.settle();
    window
        .get_by_role_and_label(Role::Button, "Resume training")
        .click();
    until(&mut window, "it learns", |window| {
        20 < document(window).trainings().games("quick")
    });
    training(&window, "quick").expect("listed").focus();
    window.draw();
    window.key_press(egui::Key::Enter);
    until(&mut window, "the panel", |window| {
        window
            .query_by_label_contains("Learning curve, mean score: quick ")
            .is_some()
    });

    let pause = window.query_by_role_and_label(Role::Button, "Pause training");
    assert!(pause.is_some(), "it is the one that was opened");
}
