//! Networks in training: start, pause, resume after a restart, test, and play.

use std::path::Path;

use afterstate::learning::Training;
use afterstate::network::{Shape, library};
use afterstate::preset::Item as _;
use afterstate::workbench::command::{
    Command, LearningCommand, Panel, SelectionCommand, ViewCommand, Workspace,
};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{self, Drive as _, Window, apply, document, drag, open, type_into, until};

/// A window that shows the networks.
pub(crate) fn look(folder: &Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Learn));
    assert!(document(&window).trainings().kept().is_some());
    window
}

/// Starts a small training that takes seconds, on one thread.
pub(crate) fn begin(window: &mut Window, name: &str, games: u64) {
    let shape: Shape = "012 145".parse().expect("tuples");
    let training = Training {
        every: 20,
        seed: 3,
        ..Training::new(shape, games)
    };
    let command = LearningCommand::Start {
        name: name.to_owned(),
        training: Box::new(training),
        threads: Some(1),
    };
    common::begin(window, command);
}

pub(crate) fn games(window: &Window, name: &str) -> u64 {
    document(window).trainings().games(name)
}

/// Presses a button whose work the test watches.
fn start(window: &mut Window, button: &str) {
    window.get_by_role_and_label(Role::Button, button).click();
    window.draw();
}

#[test]
fn a_network_learns_is_held_and_goes_on_in_another_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = look(folder.path());
    // The shipped network is listed and cannot be changed.
    window.get_by_label_contains("Network reference, 4x6patt, TC(0), 150,010 games, shipped");
    window.get_by_label_contains("Ships with the program, trained on 150,010 games;");
    window.get_by_role_and_label(Role::Button, "Copy command of the training of reference");
    let delete = LearningCommand::Delete("reference".to_owned()).into();
    assert!(
        document(&window)
            .can(&delete)
            .is_err_and(|reason| reason.contains("ships with the program and cannot be changed"))
    );
    assert!(
        window
            .query_by_role_and_label(Role::Button, "Resume training")
            .is_none()
    );
    window.get_by_role_and_label(Role::Button, "Train the strong reference");
    window.click_role(Role::Button, "New training…");
    type_into(&mut window, "Name of the network", "small");
    type_into(&mut window, "Tuples of the network", "0123 45x");
    window.get_by_label_contains("is not a tuple");
    assert!(
        window
            .query_by_role_and_label(Role::Button, "Start training")
            .is_none()
    );
    type_into(&mut window, "Tuples of the network", "012 145");
    window.get_by_label_contains("8,192 weights; ");
    type_into(&mut window, "Learning rate schedule", "20:0.5 5");
    window.get_by_label_contains(
        "\"5\" is not a step of the rate schedule: write games and a rate, such as 100000:0.1",
    );
    assert!(
        window
            .query_by_role_and_label(Role::Button, "Start training")
            .is_none()
    );
    type_into(&mut window, "Learning rate schedule", "20:0.5 50:0.25");
    start(&mut window, "Start training");
    until(&mut window, "it learns", |window| {
        0 < games(window, "small")
    });
    window.press(LearningCommand::Pause("small".to_owned()));
    until(&mut window, "it is paused", |window| {
        window.query_by_label_contains("Paused · ").is_some()
    });
    let paused_at = games(&window, "small");

    window.pass(2.0);
    assert_eq!(games(&window, "small"), paused_at);
    start(&mut window, "Resume training");
    until(&mut window, "it continues", |window| {
        paused_at < games(window, "small")
    });
    until(&mut window, "a curve", |window| {
        window
            .query_by_label_contains("Learning curve, mean score: small ")
            .is_some()
    });

    let schedule = |window: &Window| {
        let info = document(window)
            .trainings()
            .find("small")
            .and_then(|saved| saved.info.clone().ok());
        info.and_then(|info| info.header.manifest.clone())
            .map(|manifest| manifest.training.schedule)
    };

    // The window closes during the training.
    drop(window);
    let mut window = look(folder.path());
    let saved_games = games(&window, "small");
    assert!(paused_at < saved_games && document(&window).trainings().live().is_empty());
    assert_eq!(schedule(&window), Some(vec![(20, 0.5), (50, 0.25)]));
    window.get_by_label_contains(" of 100,000 games · ");
    window.get_by_label_contains("Learning curve, mean score: small ");
    start(&mut window, "Resume training");
    until(&mut window, "it continues from there", |window| {
        saved_games < games(window, "small")
    });
    window.press(LearningCommand::Stop("small".to_owned()));
    assert!(document(&window).trainings().live().is_empty());
    assert!(
        window
            .query_all_by_label_contains("and Resume continues")
            .next()
            .is_some()
    );
}

#[test]
fn a_reference_of_ones_own_begins_from_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = look(folder.path());
    assert!(
        !document(&window)
            .trainings()
            .curve(library::REFERENCE)
            .is_empty()
    );
    begin(&mut window, library::REFERENCE, 1_000_000);
    assert!(
        document(&window)
            .trainings()
            .curve(library::REFERENCE)
            .len()
            < 50,
        "not that of the one that ships"
    );
    until(&mut window, "it learns", |window| {
        (20..100_000).contains(&games(window, library::REFERENCE))
    });
    apply(
        &mut window,
        LearningCommand::Stop(library::REFERENCE.to_owned()),
    );
    assert!(
        window
            .query_all_by_label_contains("Stopped after ")
            .next()
            .is_some()
    );
    assert!(
        document(&window)
            .trainings()
            .find(library::REFERENCE)
            .is_some_and(|saved| !saved.ships)
    );

    // Deleting it makes room for the shipped network.
    apply(
        &mut window,
        LearningCommand::Delete(library::REFERENCE.to_owned()),
    );
    assert!(
        document(&window)
            .trainings()
            .find(library::REFERENCE)
            .is_some_and(|saved| saved.ships)
    );
}

#[test]
fn a_network_that_has_learnt_is_tested_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = look(folder.path());
    begin(&mut window, "tiny", 120);
    window.settle();
    let all = document(&window).trainings();
    assert!(all.live().is_empty() && all.find("tiny").is_some_and(|saved| saved.info.is_ok()));
    for shown in [
        "Learning curve, mean score: tiny 6 points",
        "All 120 games played",
    ] {
        assert!(window.query_by_label_contains(shown).is_some(), "{shown}");
    }
    apply(
        &mut window,
        LearningCommand::Test {
            name: "tiny".to_owned(),
            games: 20,
        },
    );
    window.get_by_label_contains("Test after 120 training games: mean ");
    let test = &document(&window).trainings().tests("tiny")[0];
    assert_eq!((test.scores.n, test.at.games), (20, 120));

    // The views of its content.
    for (view, shown) in [
        ("Tables", "Tuple 012 over cells 0 and 1: "),
        ("Board", "Tuple 145: "),
        ("Game", "Points that tiny expects along the game, "),
    ] {
        window.click_role(Role::RadioButton, view);
        assert!(window.query_by_label_contains(shown).is_some(), "{view}");
    }

    window.click_role(Role::RadioButton, "Curve");
    // Resume continues it with more games.
    apply(
        &mut window,
        LearningCommand::Resume {
            name: "tiny".to_owned(),
            games: Some(160),
        },
    );
    let all = document(&window).trainings();
    assert!(all.live().is_empty() && all.games("tiny") == 160);

    // It works like any other evaluator.
    window.press(LearningCommand::Use("tiny".to_owned()));
    assert!(document(&window).decision().is_some());
    assert_eq!(document(&window).strategy().label(), "tiny");
    let path = library::folder_in(folder.path()).join("tiny.net");
    assert!(
        document(&window)
            .strategy()
            .to_text()
            .contains(&*path.to_string_lossy())
    );
    // A second request opens the same strategy.
    let open = document(&window).strategies().len();
    apply(&mut window, SelectionCommand::UseNetwork);
    assert_eq!(document(&window).strategies().len(), open);
}

#[test]
fn what_tuples_add_is_drawn_from_copy_to_copy_while_a_network_learns() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = look(folder.path());
    begin(&mut window, "grows", 1_000_000);
    until(&mut window, "it learns", |window| {
        20 < games(window, "grows")
    });
    window
        .get_by_role_and_label(Role::RadioButton, "Board")
        .click();
    let drawn = "Contribution of each tuple on this board, from ";
    until(&mut window, "two copies", |window| {
        window.query_by_label_contains(drawn).is_some()
    });
    apply(&mut window, LearningCommand::Stop("grows".to_owned()));
    assert!(document(&window).trainings().live().is_empty());
    // The panel may switch to the saved file and read it.
    assert!(
        window.query_by_label_contains(drawn).is_some(),
        "what is kept"
    );
}

#[test]
fn a_network_is_deleted_and_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = look(folder.path());
    for name in ["first", "second"] {
        begin(&mut window, name, 40);
    }

    window.settle();
    let all = document(&window).trainings();
    assert!(all.live().is_empty());
    assert!(
        all.kept()
            .is_some_and(|saved| saved.len() == 3 && saved.iter().all(|one| one.info.is_ok()))
    );

    let row = |window: &Window, name: &str| {
        let name = format!("Network {name}, ");
        let is_it = |row: &egui_kittest::Node<'_>| {
            row.accesskit_node()
                .label()
                .is_some_and(|label| label.starts_with(&name))
        };
        window
            .query_all_by_role(Role::Row)
            .find(is_it)
            .map(|row| row.rect())
    };
    assert!(row(&window, "first").is_some() && row(&window, "second").is_some());
    window.get_by_label_contains("first 2 points");
    window.click_role(Role::CheckBox, "Curve of first");
    assert!(window.query_by_label_contains("first 2 points").is_none());
    apply(&mut window, LearningCommand::Delete("first".to_owned()));
    assert!(document(&window).trainings().find("first").is_none());
    assert!(row(&window, "first").is_none());
    apply(&mut window, Command::Undo);
    assert!(document(&window).trainings().find("first").is_some());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Learning));
    assert!(row(&window, "first").is_some());
}

#[test]
fn a_damaged_network_says_so_and_another_name_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let networks = library::folder_in(folder.path());
    std::fs::create_dir_all(&networks).expect("made");
    std::fs::write(
        networks.join("broken.net"),
        "(format: \"afterstate network\", version: 1, shape: ",
    )
    .expect("written");
    let mut window = look(folder.path());
    window.get_by_label_contains("Network broken, ");
    window.get_by_label_contains("broken.net: ");
    begin(&mut window, "broken", 40);
    window.settle();
    assert!(document(&window).trainings().live().is_empty());
    let refused = "A network of this name exists";
    assert!(window.query_all_by_label_contains(refused).next().is_some());
}

#[test]
fn a_network_is_dragged_from_its_list_into_a_strategy() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = look(folder.path());
    let strategy = |window: &Window| {
        let document = document(window);
        document.strategies()[document.current()].strategy.clone()
    };
    let before = strategy(&window).criteria.len();
    let row = window.get_by_role_and_label(
        Role::Row,
        "Network reference, 4x6patt, TC(0), 150,010 games, shipped",
    );
    let (from, first) = (
        row.rect().center(),
        window.get_by_label("Row 1 Empty").rect(),
    );
    let to = egui::pos2(first.center().x, first.top() + 4.0);
    drag(&mut window, from, to);
    let after = strategy(&window);
    assert_eq!(after.criteria.len(), before + 1);
    assert_eq!(after.criteria[0].label(), "Network reference");
}
