//! Two strategies on the same position.

use afterstate::search::Matched;
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, CompareCommand, GameCommand, Panel, StrategyCommand, TreeCommand, TreeView,
    ViewCommand, Workspace,
};
use afterstate::workbench::state::Thought;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, open, paste};

const EXPECTIMAX: &str =
    "(name: \"mean\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])";
const MINIMAX: &str = "(name: \"least\", criteria: [(evaluator: Empty, lookahead: Minimax(plies: Fixed(3), cuts: [AlphaBeta]))])";

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

fn settle(window: &mut Window) {
    window.settle();
    let doc = document(window);
    assert!(
        doc.thought() == Thought::Settled && doc.is_baseline_settled() && !doc.seeks_disagreement()
    );
}

fn open_both(folder: &std::path::Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    paste(&mut window, MINIMAX);
    paste(&mut window, EXPECTIMAX);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window.press_key(Key::V);
    settle(&mut window);
    window
}

#[test]
fn a_key_sets_the_next_strategy_that_searches_beside_the_one_that_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    let doc = document(&window);
    assert_eq!(
        (
            doc.strategy().name.as_str(),
            doc.strategies()[doc.baseline().expect("set")].name.as_str()
        ),
        ("mean", "least")
    );

    assert!(window.query_by_label_contains("Plays: mean").is_some());
    assert!(window.query_by_label_contains("Compared: least").is_some());
    let shown = app(&window)
        .inspection()
        .shown()
        .expect("a tree")
        .tree
        .clone();
    let theirs = doc
        .baseline_decided()
        .and_then(|decided| decided.trees[0].clone())
        .expect("a tree");
    let matched = Matched::new(shown.clone(), theirs.clone());
    let sentence = match shown.chosen == theirs.chosen {
        true => "Both choose",
        false => "They differ",
    };
    assert!(window.query_by_label_contains(sentence).is_some());
    let shared = format!(
        "{} nodes in both",
        afterstate::words::count(matched.shared() as u64)
    );
    assert!(
        window.query_by_label_contains(&shared).is_some(),
        "{shared}"
    );
    window.press_key(Key::V);
    assert_eq!(document(&window).baseline(), None);
    assert!(window.query_by_label_contains("Compared: ").is_none());
}

#[test]
fn two_searches_stand_as_trees_and_the_other_views_wait_until_there_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    let views = |window: &Window| {
        let is_there = |view: &str| {
            window
                .query_all_by_role_and_label(Role::RadioButton, view)
                .next()
                .is_some()
        };
        ["Tree", "Icicle", "Columns", "Per ply"].map(is_there)
    };
    assert_eq!(views(&window), [true, false, false, true]);
    for view in [TreeView::Icicle, TreeView::Columns] {
        apply(&mut window, TreeCommand::View(view));
        assert_eq!(app(&window).inspection().view, TreeView::Tree);
        let reason = "Two searches are being compared";
        assert!(window.query_all_by_label_contains(reason).next().is_some());
    }

    apply(&mut window, Command::Tree(TreeCommand::Compare));
    assert_eq!(views(&window), [true; 4]);
    apply(&mut window, TreeCommand::View(TreeView::Icicle));
    assert_eq!(app(&window).inspection().view, TreeView::Icicle);
}

#[test]
fn the_second_strategy_stays_the_same_one_until_it_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    let rival = |window: &Window| {
        let doc = document(window);
        doc.baseline()
            .map(|index| doc.strategies()[index].name.clone())
    };

    let close = |window: &mut Window, name: &str| {
        let doc = document(window);
        let index = doc
            .strategies()
            .iter()
            .position(|strategy| strategy.name == name)
            .expect(name);
        apply(window, StrategyCommand::Select(index));
        apply(window, StrategyCommand::Close);
    };

    let first = document(&window).strategies()[0].name.clone();
    close(&mut window, &first);
    assert_eq!(
        rival(&window).as_deref(),
        Some("least"),
        "another one was closed"
    );
    apply(&mut window, Command::Undo);
    assert_eq!(
        rival(&window).as_deref(),
        Some("least"),
        "another one was opened again"
    );
    let index = document(&window).baseline().expect("set");
    apply(&mut window, StrategyCommand::Select(index));
    apply(
        &mut window,
        afterstate::strategy::StrategyEdit::Rename("renamed".to_owned()),
    );
    assert_eq!(rival(&window).as_deref(), Some("renamed"));
    close(&mut window, "renamed");
    assert_eq!(rival(&window), None);
}

#[test]
fn the_only_strategy_is_compared_with_its_twin_which_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    paste(&mut window, EXPECTIMAX);
    let (before, current) = (
        document(&window).strategies().len(),
        document(&window).current(),
    );
    apply(&mut window, Command::Tree(TreeCommand::Compare));
    settle(&mut window);
    let doc = document(&window);
    assert_eq!(
        (doc.strategies().len(), doc.current(), doc.baseline()),
        (before + 1, current, Some(before))
    );
    let twin = &doc.strategies()[before];
    assert_eq!(twin.name, "mean as minimax");
    assert!(twin.criteria[0].lookahead.is_minimax());
    assert_eq!(
        twin.criteria[0].lookahead.depth_text(),
        doc.strategy().criteria[0].lookahead.depth_text()
    );
}

#[test]
fn arrows_walk_the_rows_and_folding_is_that_of_the_left_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    let rows = app(&window).inspection().rows.clone().expect("rows");
    assert!(4 < rows.len());
    assert_eq!(app(&window).inspection().selected(), rows[0]);
    for &row in &rows[1..4] {
        window.press_key(Key::ArrowDown);
        assert_eq!(app(&window).inspection().selected(), row);
    }

    window.press_key(Key::ArrowUp);
    assert_eq!(app(&window).inspection().selected(), rows[2]);
    window.press_key(Key::Home);
    window.press_key(Key::Backspace);
    assert_eq!(
        app(&window)
            .inspection()
            .rows
            .as_ref()
            .map(|rows| rows.len()),
        Some(1),
        "the root alone"
    );
    window.press_key(Key::U);
    assert_eq!(
        app(&window)
            .inspection()
            .rows
            .as_ref()
            .map(|rows| rows.len()),
        Some(rows.len())
    );
}

#[test]
fn the_walk_comes_to_a_position_on_which_no_move_suits_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    apply(&mut window, GameCommand::First);
    settle(&mut window);
    let first = document(&window).cursor();

    apply(
        &mut window,
        Command::Compare(CompareCommand::NextDisagreement),
    );
    settle(&mut window);
    let doc = document(&window);
    assert_ne!(
        doc.cursor(),
        first,
        "the two differ somewhere in a game of four hundred moves"
    );
    let ours = doc.decision().expect("settled").choice;
    let theirs = doc.baseline_decided().expect("settled").decision.choice;
    assert!((ours & theirs).is_empty(), "{ours:?} {theirs:?}");
    assert!(window.query_by_label_contains("They differ").is_some());
    let second = document(&window).cursor();

    apply(
        &mut window,
        Command::Compare(CompareCommand::NextDisagreement),
    );
    settle(&mut window);
    assert_ne!(document(&window).cursor(), second);
    apply(
        &mut window,
        Command::Compare(CompareCommand::PreviousDisagreement),
    );
    settle(&mut window);
    assert_eq!(document(&window).cursor(), second, "there and back");
}

/// The accessible names of the comparison's rows.
fn rows(window: &Window) -> Vec<String> {
    let named = window.query_all_by_label_contains(": first ");
    named
        .filter_map(|row| row.accesskit_node().label())
        .collect()
}

fn says(window: &Window, words: &str) -> bool {
    0 < window.query_all_by_label_contains(words).count()
}

/// The number after a word in the name of a row.
fn number(row: &str, word: &str) -> Option<f64> {
    let (_, behind) = row.split_once(&format!("{word} "))?;
    let number: String = behind.chars().take_while(|c| !matches!(c, ' ')).collect();
    number
        .trim_end_matches(',')
        .replace(',', "")
        .replace('−', "-")
        .trim_start_matches('+')
        .parse()
        .ok()
}

#[test]
fn a_difference_is_the_difference_of_the_values_or_named_for_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    paste(
        &mut window,
        "(name: \"empty\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(3)))])",
    );
    let mean = |window: &Window| {
        document(window)
            .strategies()
            .iter()
            .position(|strategy| strategy.name == "mean")
            .expect("open")
    };
    let index = mean(&window);
    apply(&mut window, CompareCommand::With(Some(index)));
    settle(&mut window);

    // With two evaluators the difference is not a difference of values, and its column says so.
    let all = rows(&window);
    assert!(
        all.iter()
            .any(|row| row.contains(", change of standing ") && row.ends_with(" %")),
        "{all:?}"
    );
    assert!(
        !all.iter()
            .any(|row| row.contains("difference") || row.contains("second − first")),
        "{all:?}"
    );
    // With one evaluator, the shown values have the shown difference.
    paste(
        &mut window,
        "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(1)))])",
    );
    let index = mean(&window);
    apply(&mut window, CompareCommand::With(Some(index)));
    settle(&mut window);
    let mut judged = 0;
    for row in rows(&window) {
        let Some(difference) = number(&row, "second − first") else {
            continue;
        };
        let (Some(left), Some(right)) = (number(&row, ": first"), number(&row, ", second")) else {
            continue;
        };
        assert!((right - left - difference).abs() < 0.11, "{row}");
        judged += 1;
    }

    assert!(0 < judged, "{:?}", rows(&window));
}

#[test]
fn stepping_through_the_left_search_shows_what_it_knows_by_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_both(folder.path());
    assert!(says(&window, "they differ at"));

    window.press_key(Key::P);
    let all = rows(&window);
    assert!(
        !all.is_empty() && all.iter().all(|row| row.contains(": first , second ")),
        "{all:?}"
    );
    assert!(!says(&window, "they differ at"));
    assert!(!says(&window, "Both choose") && !says(&window, "They differ"));
    assert!(says(&window, "Plays: mean, step 0 of "));

    apply(&mut window, Command::Tree(TreeCommand::ReplayNextChange));
    let all = rows(&window);
    assert!(all[0].contains(" so far, second "), "{all:?}");
    assert!(says(&window, " leads with "));

    apply(&mut window, Command::Tree(TreeCommand::ReplayEnd));
    assert!(says(&window, "they differ at"));
}
