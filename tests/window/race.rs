//! Two strategies race on one seed.

use afterstate::game::{Record, Seed};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player};
use afterstate::workbench::command::{Command, CompareCommand, Panel, ViewCommand};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Window, apply, document, open, paste, until};

/// Opens the race of `emr` and `mr`, without animations.
fn race(folder: &std::path::Path) -> Window {
    let mut window = open(folder);
    until(&mut window, "the end of the first run", |window| document(window).busy().is_none());
    apply(&mut window, ViewCommand::Motion);
    apply(&mut window, CompareCommand::With(Some(1)));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Compare));
    window.get_by_label("Race").click();
    window.run_steps(2);
    window
}

fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

fn has(window: &Window, part: &str) -> bool {
    window.query_all_by_label_contains(part).next().is_some()
}

fn records(window: &Window) -> [Record; 2] {
    let doc = document(window);
    [0, 1].map(|index: usize| {
        let strategy = &doc.strategies()[index].strategy;
        GameTrace::record(&Player::new(strategy, doc.game().rules), Seed(1), 0, strategy, SearchOptions::default())
    })
}

#[test]
fn it_parts_where_the_records_do_and_the_games_go_onto_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = race(folder.path());
    let [a, b] = records(&window);
    let parted = a.steps.iter().zip(&b.steps).position(|(a, b)| a.mv != b.mv).expect("they part");
    assert!(has(&window, "press Play"));
    click(&mut window, "Play the race");
    until(&mut window, "the moves", |window| {
        window.query_by_label("To the parting").is_some_and(|node| !node.accesskit_node().is_disabled())
    });
    click(&mut window, "To the parting");
    let banner = format!("Part at move {}: A {}, B {}", parted + 1, a.steps[parted].mv, b.steps[parted].mv);
    assert!(has(&window, &banner), "{banner}");
    let at = a.replay()[parted];
    for letter in ["A", "B"] {
        let label = format!("{letter}, {}: {}", if letter == "A" { "emr" } else { "mr" }, at.board);
        assert!(has(&window, &label), "{label}");
    }
    click(&mut window, "One move on");
    for (letter, name, record) in [("A", "emr", &a), ("B", "mr", &b)] {
        let label = format!("{letter}, {name}: {}", record.replay()[parted + 1].board);
        assert!(has(&window, &label), "{label}");
    }
    click(&mut window, "One move back");

    click(&mut window, "Open the parting");
    let doc = document(&window);
    assert_eq!((doc.board(), doc.node().moves as usize), (at.board, parted));
    let choices: Vec<_> = doc.node().children.iter().filter_map(|&child| doc.tree.node(child).step).collect();
    assert_eq!(choices, [a.steps[parted], b.steps[parted]], "both games go on from there");
    let line = &doc.line;
    let end = doc.tree.node(*line.last().expect("positions"));
    assert_eq!(end.moves as usize, a.steps.len(), "the line is A's");

    click(&mut window, "Open B's game");
    let doc = document(&window);
    let end = doc.tree.node(*doc.line.last().expect("positions"));
    let last = *b.replay().last().expect("positions");
    assert_eq!((end.board, end.score), (last.board, last.score));
}

#[test]
fn it_plays_to_both_ends_and_begins_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = race(folder.path());
    let [a, b] = records(&window);
    click(&mut window, "Speed of the race");
    click(&mut window, "1000 /s");
    click(&mut window, "Play the race");
    let [last_a, last_b] = [&a, &b].map(|record| *record.replay().last().expect("positions"));
    until(&mut window, "the end", |window| {
        has(window, &format!("A, emr: {}", last_a.board)) && has(window, &format!("B, mr: {}", last_b.board))
    });
    until(&mut window, "the pause", |window| window.query_by_label("Play the race").is_some());
    assert!(has(&window, "ends ") && has(&window, " ahead"));
    click(&mut window, "Reset the race");
    assert!(has(&window, &format!("A, emr: {}", a.start)) && has(&window, &format!("B, mr: {}", b.start)));
}

#[test]
fn escape_pauses_it_and_ends_a_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = race(folder.path());
    paste(&mut window, "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(6)))])");
    apply(&mut window, Command::Stop);
    click(&mut window, "Play the race");
    until(&mut window, "some moves", |window| !has(window, "move 0"));
    // Each Escape stops one thing, including the race, until nothing is left.
    let can_stop = |window: &Window| window.state().as_ref().expect("open").can(&Command::Stop).is_ok();
    let mut stopped = 0;
    while can_stop(&window) {
        apply(&mut window, Command::Stop);
        stopped += 1;
        assert!(stopped < 10, "something starts again");
    }

    assert!(window.query_by_label("Play the race").is_some());
    assert!(document(&window).busy().is_none(), "nothing runs any more");
}

#[test]
fn another_seed_is_another_race() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = race(folder.path());
    let rules = document(&window).game().rules;
    let opening = |seed: u64| format!("A, emr: {}", Seed(seed).game(0).opening(&rules));
    assert!(has(&window, &opening(1)));
    window.get_by_label("Seed of the race").focus();
    window.run_steps(3);
    window.get_by_label("Seed of the race").type_text("7");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
    let seed = (2..100).find(|&seed| has(&window, &opening(seed)));
    assert!(seed.is_some(), "the boards show the opening of the new seed");
}
