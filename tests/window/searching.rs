//! Strategies that search: the window stays responsive.

use std::path::Path;
use std::time::{Duration, Instant};

use afterstate::workbench::command::{Command, GameCommand, ViewCommand, Workspace};
use afterstate::workbench::state::Thought;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;

use crate::common::{
    Drive as _, Window, apply, begin, begin_pasted, document, open_with, paste, until,
};

/// Takes some milliseconds.
const QUICK: &str =
    "(name: \"quick\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])";
/// Never ends within a test.
const ENDLESS: &str =
    "(name: \"endless\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])";

fn open(folder: &Path) -> Window {
    open_with(folder, [1600.0, 1000.0], Vec::new())
}

/// Presses a key while work goes on.
fn watch(window: &mut Window, key: Key) {
    window.key_press(key);
    window.draw();
}

fn thought(window: &Window) -> Thought {
    document(window).thought()
}

fn searches(window: &Window) -> bool {
    matches!(thought(window), Thought::Searching(_))
}

/// A board with several legal moves, on which forty plies take forever.
fn wide_board(window: &mut Window) {
    paste(window, "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2");
}

#[test]
fn a_decision_comes_without_blocking_the_window() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    wide_board(&mut window);
    paste(&mut window, QUICK);
    assert_eq!(thought(&window), Thought::Settled);
    let doc = document(&window);
    let decision = doc.decision().expect("settled");
    assert_eq!(
        (decision.board, decision.searches[0].is_some()),
        (doc.board(), true)
    );
    assert!(
        0 < window
            .query_all_by_label_contains("2 moves + 1 spawn · ")
            .count(),
        "depth, nodes and time are shown"
    );
    assert!(
        window
            .query_by_label_contains("Row 1 Expectimax of Snake")
            .is_some()
    );
}

#[test]
fn while_it_searches_the_window_says_so_and_escape_ends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    // A workspace in which the decision panel shows its lines.
    apply(&mut window, ViewCommand::Workspace(Workspace::Learn));
    wide_board(&mut window);
    let before = document(&window)
        .decided()
        .expect("emr decides at once")
        .decision
        .clone();

    // The search never ends, so the old decision stays.
    begin_pasted(&mut window, ENDLESS);
    assert!(searches(&window));
    assert!(
        document(&window).decision().is_none(),
        "an old decision is not this strategy's"
    );
    let shown = document(&window).decided().expect("the old one stays");
    assert_eq!(
        (shown.strategy.label().as_str(), &shown.decision),
        ("emr", &before)
    );
    let said = |window: &Window, secs: u32| {
        window
            .query_all_by_label_contains(&format!("Searching {secs}"))
            .count()
    };
    until(&mut window, "the words", |window| {
        (0..10).any(|secs| 0 < said(window, secs))
    });
    assert!(
        window
            .query_by_label_contains("below: emr at move 1")
            .is_some()
    );
    assert!(0 < window.query_all_by_label_contains("Old: ").count());
    let busy = document(&window).busy().expect("cores are busy");
    assert!(busy.starts_with("Searching a move on up to"), "{busy}");
    let cursor = document(&window).cursor();

    window.press_key(Key::Escape);
    assert!(matches!(thought(&window), Thought::Stopped(_)));
    assert_eq!(
        document(&window)
            .busy()
            .filter(|busy| busy.starts_with("Searching")),
        None
    );
    assert!(window.query_by_label_contains("Stopped after").is_some());
    assert_eq!(document(&window).cursor(), cursor);
    let again = window
        .query_all_by_role_and_label(Role::Button, "Search again")
        .next();
    again
        .expect("below the decision and above the tree")
        .click();
    window.draw();
    assert!(searches(&window));
}

#[test]
fn another_position_or_strategy_ends_the_search_of_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    wide_board(&mut window);
    begin_pasted(&mut window, ENDLESS);
    assert!(searches(&window));
    paste(&mut window, "emr");
    assert_eq!(
        thought(&window),
        Thought::Settled,
        "one ply decides at once"
    );
    begin(&mut window, Command::Undo);
    assert!(searches(&window));

    // A single move needs no search.
    begin_pasted(&mut window, "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,8");
    let doc = document(&window);
    let legal = doc.board().legal_moves();
    paste(&mut window, QUICK);
    assert_eq!(thought(&window), Thought::Settled);
    assert!(
        legal.contains(
            document(&window)
                .decision()
                .and_then(|decision| decision.chosen)
                .expect("a move")
        )
    );
}

#[test]
fn enter_waits_for_the_decision_and_then_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    wide_board(&mut window);

    // Long enough to wait for, short enough for a test.
    begin_pasted(
        &mut window,
        "(criteria: [(evaluator: Snake, lookahead: Expectimax(time_ms: 400))])",
    );
    let start = document(&window).cursor();
    watch(&mut window, Key::Enter);
    assert!(document(&window).is_step_waiting() && document(&window).cursor() == start);
    until(&mut window, "the move", |window| {
        document(window).cursor() != start
    });
    assert_eq!(document(&window).node().parent, Some(start));
    assert!(
        !document(&window).is_step_waiting(),
        "one press is one move"
    );
    let next = document(&window).cursor();
    window.settle();
    assert_eq!(
        (thought(&window), document(&window).cursor()),
        (Thought::Settled, next)
    );
    assert!(
        window
            .query_by_label_contains(" · limited to 400 ms · ")
            .is_some(),
        "the limit is named with the search"
    );
}

#[test]
fn a_move_of_ones_own_takes_back_the_wish_to_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    wide_board(&mut window);
    begin_pasted(&mut window, ENDLESS);
    watch(&mut window, Key::Enter);
    assert!(document(&window).is_step_waiting());
    watch(&mut window, Key::ArrowDown);
    assert!(!document(&window).is_step_waiting() && searches(&window));
}

#[test]
fn autoplay_moves_whenever_it_has_decided_and_never_too_fast() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    wide_board(&mut window);
    paste(&mut window, QUICK);
    apply(&mut window, GameCommand::SetSpeed(25.0));
    let begun = Instant::now();

    watch(&mut window, Key::Space);
    until(&mut window, "ten moves", |window| {
        10 <= document(window).node().moves
    });
    assert!(
        Duration::from_millis(9 * 40 - 60) <= begun.elapsed(),
        "{:?}",
        begun.elapsed()
    );
    assert!(document(&window).is_playing());
    window.press_key(Key::Space);
    assert!(!document(&window).is_playing());
    apply(&mut window, Command::Undo);
    assert_eq!(
        document(&window).node().moves,
        0,
        "autoplay is one step of undo"
    );

    // Autoplay waits for a decision, and Escape stops both.
    begin_pasted(&mut window, ENDLESS);
    watch(&mut window, Key::Space);
    assert!(document(&window).is_playing() && searches(&window));
    window.press_key(Key::Escape);
    assert!(!document(&window).is_playing());
    assert!(matches!(thought(&window), Thought::Stopped(_)));
}

#[test]
fn only_positions_that_were_searched_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, QUICK);
    assert_eq!(thought(&window), Thought::Settled);
    let checked = document(&window)
        .timeline()
        .filter(|moment| moment.off.is_some())
        .count();
    assert_eq!(checked, 1, "of a whole game");
}

#[test]
fn another_tolerance_keeps_the_lookahead() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    wide_board(&mut window);
    paste(&mut window, QUICK);
    let before = document(&window).strategy().criteria[0].lookahead.clone();
    window.click("Unfold row 1");
    assert!(
        window.query_by_label("Lookahead").is_some()
            && window.query_by_label("2 moves + 1 spawn").is_some()
    );
    // The card is higher than the panel.
    window.get_by_label("Lower").scroll_to_me();
    window.settle();
    window.click("Lower");
    let row = document(&window).strategy().criteria[0].clone();
    assert_eq!(
        (row.prefer, row.lookahead),
        (afterstate::strategy::Prefer::Lower, before)
    );
}
