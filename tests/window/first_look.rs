//! What somebody sees who has never opened the program, and the tour of it.

use afterstate::experiment::{Plan, Run, RunFolder, State};
use afterstate::preset::Preset;
use afterstate::search::NodeKind;
use afterstate::workbench::command::{Command, ExperimentCommand, Menu, Panel, ViewCommand};
use egui::{Key, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Window, apply, document, open, open_as_it_is, until};

fn fresh(folder: &tempfile::TempDir, size: [f32; 2]) -> Window {
    open_as_it_is(folder.path(), size, Vec::new())
}

fn stop_run(window: &mut Window) {
    apply(window, ExperimentCommand::Stop);
}

/// The tour's place, as a screen reader says it.
fn tour_step(window: &Window) -> Option<String> {
    let card = window.query_all_by_role(Role::Dialog).find_map(|node| node.accesskit_node().label());
    card.filter(|label| label.starts_with("Tour, "))
}

#[test]
fn the_first_look_is_a_move_that_looking_ahead_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = fresh(&folder, [1600.0, 1000.0]);
    until(&mut window, "a decision", |window| document(window).decision().is_some());
    let doc = document(&window);
    let strategy = doc.strategy();
    assert!(strategy.criteria[0].lookahead.plies().is_none() && strategy.criteria[1].lookahead.plies().is_some());
    let decision = doc.decision().expect("searched").clone();
    assert_eq!(decision.deciding(), Some(1), "the row that looks ahead decides");
    assert_ne!(decision.kept[0], decision.legal(), "and the cheap row has struck a move");
    let tree = decision.searches[1].as_ref().and_then(|searched| searched.tree.clone()).expect("recorded");
    for kind in [NodeKind::Max, NodeKind::Chance, NodeKind::Cut] {
        assert!(0 < tree.counts.of(kind), "{kind:?}");
    }
    let names: Vec<String> = doc.setup().strategies.iter().map(|entry| entry.strategy.label()).collect();
    assert_eq!(names, doc.strategies().iter().map(|open| open.label()).collect::<Vec<_>>());
    assert!(doc.busy().is_some(), "they play against each other");
    stop_run(&mut window);
}

#[test]
fn what_was_open_is_not_replaced_by_a_first_look() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let window = open(folder.path());
    assert_eq!(document(&window).strategy().label(), "emr");
    assert!(window.query_by_label_contains("New here?").is_none());
}

#[test]
fn the_tour_goes_through_five_panels_by_keys_and_ends_without_stopping_the_run() {
    for size in [[1600.0, 1000.0], [1024.0, 700.0]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut window = fresh(&folder, size);
        window.get_by_label_contains("New here?").click();
        window.run_steps(3);
        for step in 1..=5 {
            assert_eq!(tour_step(&window), Some(format!("Tour, {step} of 5")));
            let card = window.query_all_by_role(Role::Dialog).next().expect("the card").rect();
            assert!(window.ctx.content_rect().contains_rect(card), "{size:?}, step {step}: {card:?}");
            // The button that leads on has the keys.
            window.key_press(Key::Enter);
            window.run_steps(4);
        }
        assert_eq!(tour_step(&window), None, "the last button ends it");
        assert!(window.query_by_label_contains("New here?").is_none());
        apply(&mut window, ViewCommand::Tour);
        window.get_by_label("Next").click();
        window.run_steps(3);
        // The search tree has one as well.
        let back = window.query_all_by_label("Back").find(|node| !node.accesskit_node().is_disabled());
        back.expect("the tour's").click();
        window.run_steps(3);
        assert_eq!(tour_step(&window).as_deref(), Some("Tour, 1 of 5"));
        assert!(document(&window).busy().is_some());
        window.key_press(Key::Escape);
        window.run_steps(3);
        assert_eq!(tour_step(&window), None);
        assert!(document(&window).busy().is_some(), "Escape ended the tour, not the run");
        stop_run(&mut window);
    }
}

#[test]
fn the_tour_is_a_command_of_the_help_menu() {
    let tour = Command::from(ViewCommand::Tour);
    assert_eq!(tour.menu(), Some(Menu::Help));
    assert!(Command::all().any(|command| *command == tour));
}

#[test]
fn a_run_that_is_brought_along_is_shown_instead() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let preset = Preset { games: 10, ..Preset::new("Brought", ["r".parse().expect("letters")]) };
    let (plan, kept) = (Plan::of_preset(&preset), folder.path().join("kept"));
    let run = Run::start_in(RunFolder::of_plan(&kept, &plan).expect("a folder"), plan, || {}).expect("a sound plan");
    run.wait();
    let mut window = open_as_it_is(folder.path(), [1600.0, 1000.0], vec![kept.join("manifest.json")]);
    until(&mut window, "reading", |window| document(window).last_run.state() == Some(&State::Done));
    assert_eq!((document(&window).setup().title.as_str(), document(&window).setup().games), ("Brought", 10));
}

#[test]
fn board_tree_and_experiment_are_seen_at_once_and_nothing_lies_over_a_node() {
    for size in [[1024.0, 700.0], [1600.0, 1000.0]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut window = fresh(&folder, size);
        for panel in [Panel::Board, Panel::Decision, Panel::Tree, Panel::Experiment] {
            let tab = window.get_by_role_and_label(Role::Tab, panel.title());
            let is_shown = tab.accesskit_node().is_selected() == Some(true)
                || tab.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True);
            assert!(is_shown, "{panel:?} in {size:?}");
        }
        until(&mut window, "the tree", |window| window.query_all_by_label_contains("more spawns").next().is_some());
        window.run_steps(12);
        let named = |node: egui_kittest::Node<'_>| (node.accesskit_node().label().unwrap_or_default(), node.rect());
        let items: Vec<(String, egui::Rect)> = window.query_all_by_role(Role::TreeItem).map(named).collect();
        let chips: Vec<(String, egui::Rect)> = window.query_all_by_label_contains("more spawns").map(named).collect();
        assert!(!chips.is_empty());
        for (name, chip) in &chips {
            // Lines are higher than their letters.
            let over = items.iter().find(|(other, rect)| other != name && rect.shrink(3.0).intersects(*chip));
            assert!(over.is_none(), "{name} {chip:?} over {over:?} in {size:?}");
        }
        stop_run(&mut window);
    }
}
