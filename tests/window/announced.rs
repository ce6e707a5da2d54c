//! Announcements for screen readers: live regions of the accessibility tree.

use std::path::Path;

use afterstate::prose;
use afterstate::workbench::command::{ExperimentCommand, GameCommand, TreeCommand};
use egui::Key;
use egui::accesskit::{Live, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, begin, document, open, paste, until};

/// The last announcements, each with its node.
fn told(window: &Window) -> Vec<(u128, Live, String)> {
    let by_role = |role| window.query_all_by_role(role);
    let nodes = by_role(Role::Status)
        .chain(by_role(Role::Alert))
        .map(|node| node.accesskit_node());
    nodes
        .map(|node| {
            (
                node.id().into(),
                node.live(),
                node.label().unwrap_or_default(),
            )
        })
        .collect()
}

fn says(window: &Window, text: &str) -> bool {
    told(window).iter().any(|(.., label)| label.contains(text))
}

/// Opens the window after its first run, whose end would be announced between other events.
fn open_calm(folder: &Path) -> Window {
    let window = open(folder);
    assert!(!document(&window).last_run().is_busy());
    window
}

fn open_on(folder: &Path, board: &str) -> Window {
    let mut window = open_calm(folder);
    paste(&mut window, board);
    window
}

#[test]
fn a_move_is_told_with_its_points_and_its_tile() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_calm(folder.path());
    assert!(
        !says(&window, "score"),
        "what was open at the start is no news: {:?}",
        told(&window)
    );
    paste(&mut window, "2,2,4,4/0,0,0,0/0,0,0,0/0,0,0,0");
    assert!(says(&window, "Move 1, score 0"), "{:?}", told(&window));
    // A player makes more than one move per second.
    window.press_key(Key::ArrowLeft);
    let spawn = document(&window).node().step.expect("a move").spawn;
    assert!(
        says(&window, &format!("Left, 12 points, new {spawn}")),
        "{:?}",
        told(&window)
    );
    window.press_key(Key::PageUp);
    assert!(says(&window, "Move 1 of 1, score 0"), "{:?}", told(&window));
}

#[test]
fn what_was_told_stands_for_readers_that_ask_late_and_goes_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), "2,2,4,4/0,0,0,0/0,0,0,0/0,0,0,0");
    // At once, as each stays for a limited time.
    for key in [Key::ArrowLeft, Key::PageUp] {
        window.key_press(key);
        window.step();
    }
    let back = "Move 1 of 1, score 0";
    assert!(
        says(&window, "Left, 12 points") && says(&window, back),
        "{:?}",
        told(&window)
    );
    window.pass(3.0);
    assert!(
        says(&window, back),
        "nothing has been told since: {:?}",
        told(&window)
    );
    window.press_key(Key::PageDown);
    let messages = told(&window);
    assert!(
        messages.len() == 1 && messages[0].2.starts_with("Left, 12 points"),
        "{messages:?}"
    );
}

#[test]
fn the_end_of_a_game_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(
        folder.path(),
        "8,16,32,64/16,32,64,128/32,64,128,256/0,8,4,16",
    );
    window.press_key(Key::ArrowLeft);
    assert!(document(&window).node().board.is_dead());
    assert!(
        says(&window, "The game is over with"),
        "{:?}",
        told(&window)
    );
}

#[test]
fn the_same_message_twice_is_told_twice_and_an_error_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0");
    let nothing_moves = |window: &mut Window| {
        apply(window, GameCommand::Slide(afterstate::game::Move::Up));
        told(window).pop().expect("told")
    };
    let (first, live, text) = nothing_moves(&mut window);
    assert_eq!(
        (live, text.as_str()),
        (Live::Polite, "No tile moves in this direction")
    );
    window.pass(1.0);
    assert_eq!(
        told(&window).last().expect("still there").0,
        first,
        "told once, not in every frame"
    );
    assert_ne!(
        nothing_moves(&mut window).0,
        first,
        "another node is another telling"
    );
    paste(&mut window, "2,0,0,4/0,8,0,0/0,0,0,0,0/0,0,16,2");
    let (_, live, text) = told(&window).pop().expect("told");
    assert!(
        live == Live::Assertive && text.contains("row 3 has 5 cells"),
        "{live:?} {text}"
    );
}

#[test]
fn autoplay_is_told_once_a_second_and_where_it_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_calm(folder.path());
    apply(&mut window, GameCommand::SetSpeed(1000.0));
    begin(&mut window, GameCommand::Autoplay);
    assert!(says(&window, "Autoplay started"), "{:?}", told(&window));

    // Collects all announcements, because each stays for a limited time.
    let mut heard = std::collections::BTreeMap::new();
    let begun = window.ctx.input(|input| input.time);
    until(&mut window, "the game ends", |window| {
        heard.extend(told(window).into_iter().map(|(id, _, text)| (id, text)));
        !document(window).is_playing() && heard.values().any(|text| text == "Autoplay stopped")
    });
    let secs = window.ctx.input(|input| input.time) - begun;
    let is_of_a_move = |text: &&String| text.contains(", new ");
    let tellings = heard.values().filter(is_of_a_move).count();
    assert!(
        tellings as f64 <= secs + 2.0,
        "{tellings} tellings in {secs} s"
    );
    let is_heard = |text: &str| heard.values().any(|heard| heard.contains(text));
    assert!(
        is_heard(" moves, the last ") && is_heard("The game is over with"),
        "{heard:?}"
    );
}

#[test]
fn what_a_search_chose_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    paste(
        &mut window,
        "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4)))])",
    );
    let doc = document(&window);
    let sentence = prose::decision::sentence(doc.decision().expect("settled"), &doc.strategy());
    assert!(
        says(&window, &format!("deep has decided: {sentence}")),
        "{:?}",
        told(&window)
    );
}

#[test]
fn the_end_of_a_run_is_told_with_who_leads() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_calm(folder.path());
    let has_ended = |window: &Window| !document(window).last_run().is_busy();
    apply(&mut window, ExperimentCommand::SetGames(30));
    begin(&mut window, ExperimentCommand::Run);
    assert!(
        says(&window, "Playing ") || has_ended(&window),
        "{:?}",
        told(&window)
    );
    until(&mut window, "the run ends", has_ended);
    assert!(
        says(&window, "games finished. ") && says(&window, " a mean of "),
        "{:?}",
        told(&window)
    );
}

#[test]
fn each_step_through_a_search_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    apply(&mut window, TreeCommand::StepThrough);
    assert!(
        says(&window, "Stepping through the search. Step "),
        "{:?}",
        told(&window)
    );
    apply(&mut window, TreeCommand::ReplayBegin);
    assert!(
        says(&window, "Step 0 of ") && says(&window, "The search begins"),
        "{:?}",
        told(&window)
    );
    apply(&mut window, TreeCommand::ReplayStep);
    assert!(says(&window, "Step 1 of "), "{:?}", told(&window));
    apply(&mut window, TreeCommand::StepThrough);
    assert!(
        says(&window, "Stepping through the search has ended"),
        "{:?}",
        told(&window)
    );
}
