//! The replay of a search: its keys and texts, and its agreement with the record.

use std::path::Path;

use afterstate::prose;
use afterstate::search::{Replay, ReplayEvent, Seen};
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, Panel, TreeCommand, TreeView, ViewCommand, Workspace,
};
use afterstate::workbench::state::Thought;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, begin, document, open, paste, until};

const ALPHA_BETA: &str = "(name: \"ab\", criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(3), cuts: [AlphaBeta]))])";

fn open_on(folder: &Path, strategy: &str) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    paste(&mut window, "2,4,8,16/0,0,0,0/0,4,0,0/0,0,0,2");
    paste(&mut window, strategy);
    assert_eq!(document(&window).thought(), Thought::Settled);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window
}

fn replay(window: &Window) -> &Replay {
    let app: &App = window.state().as_ref().expect("the window is open");
    app.inspection()
        .replay
        .as_ref()
        .expect("it is stepped through")
}

fn plays(window: &Window) -> bool {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection()
        .replay_plays
}

/// Checks that the texts and the selected node match the instant.
fn agrees(window: &Window) {
    let replay = replay(window);
    let moment = replay.now();
    let sentence = prose::replay::sentence(&moment, replay.tree());
    assert!(
        window
            .query_by_role_and_label(Role::Label, &sentence)
            .is_some(),
        "{sentence}"
    );
    let inspection = window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection();
    match moment.event {
        ReplayEvent::Enter(id) | ReplayEvent::Leave(id) => assert_eq!(inspection.selected(), id),
        ReplayEvent::Begin | ReplayEvent::End => {
            assert_eq!(inspection.selected(), replay.tree().root());
        }
    }
    let open = window
        .query_all_by_label_contains("Open ")
        .filter(|node| node.accesskit_node().role() == Role::Button);
    let open: Vec<String> = open
        .filter_map(|node| node.accesskit_node().label())
        .filter(|label| label.ends_with("done"))
        .collect();
    assert_eq!(open.len(), moment.open.len(), "{open:?}");
}

#[test]
fn each_key_moves_the_tape_as_its_method_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), ALPHA_BETA);
    assert!(window.query_by_label("Step of the search").is_none());
    window.press_key(Key::P);
    assert_eq!(replay(&window).at(), 0);
    agrees(&window);
    let mut expected = replay(&window).clone();
    type Wind = fn(&mut Replay) -> bool;
    let steps: [(Key, Wind); 10] = [
        (Key::Period, Replay::step),
        (Key::Period, Replay::step),
        (Key::Period, Replay::step),
        (Key::Comma, Replay::back),
        (Key::G, Replay::step_over),
        (Key::K, Replay::to_next_cut),
        (Key::Period, Replay::step),
        (Key::H, Replay::to_next_change),
        (Key::G, Replay::step_over),
        (Key::K, Replay::to_next_cut),
    ];

    for (key, method) in steps {
        method(&mut expected);
        window.press_key(key);
        assert_eq!(replay(&window).at(), expected.at(), "{key:?}");
        agrees(&window);
    }

    apply(&mut window, Command::Tree(TreeCommand::ReplayOut));
    expected.step_out();
    assert_eq!(replay(&window).at(), expected.at());
    apply(&mut window, Command::Tree(TreeCommand::ReplayPreviousCut));
    expected.to_previous_cut();
    assert_eq!(replay(&window).at(), expected.at());
    apply(&mut window, Command::Tree(TreeCommand::ReplayEnd));
    agrees(&window);
    assert!(
        replay(&window)
            .tree()
            .ids()
            .all(|id| replay(&window).state_of(id) == Seen::Done)
    );
    apply(&mut window, Command::Tree(TreeCommand::ReplayBegin));
    assert!(
        replay(&window)
            .tree()
            .ids()
            .all(|id| replay(&window).state_of(id) == Seen::Ahead)
    );
    window.press_key(Key::P);
    assert!(
        window.query_by_label("Step of the search").is_none(),
        "the bar is gone"
    );
}

#[test]
fn stepping_leaves_the_history_of_the_selection_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), ALPHA_BETA);
    window.press_key(Key::P);
    for _ in 0..5 {
        window.press_key(Key::Period);
    }
    let app = window.state().as_ref().expect("the window is open");
    assert!(app.can(&Command::Tree(TreeCommand::Back)).is_err());
}

#[test]
fn playing_goes_on_by_itself_and_escape_halts_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), ALPHA_BETA);
    window.press_key(Key::P);
    window
        .get_by_role_and_label(Role::Button, "Play the search")
        .click();
    window.step();
    assert!(plays(&window));
    until(&mut window, "three instants", |window| {
        3 <= replay(window).at()
    });
    window.press_key(Key::Escape);
    assert!(!plays(&window));
    let halted = replay(&window).at();
    window.pass(3.0);
    assert_eq!(replay(&window).at(), halted);
    agrees(&window);

    // It stops at the end, and playing again restarts it.
    apply(&mut window, Command::Tree(TreeCommand::ReplayEnd));
    begin(&mut window, Command::Tree(TreeCommand::ReplayPlay));
    assert!(plays(&window) && replay(&window).at() < 10);
}

#[test]
fn an_open_node_is_selected_by_its_chip() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_on(folder.path(), ALPHA_BETA);
    window.press_key(Key::P);
    for _ in 0..3 {
        window.press_key(Key::Period);
    }
    let frames = replay(&window).now().open;
    assert_eq!(frames.len(), 3, "the root, a slide and a spawn");
    window.click_part("Open min node");
    let inspection = window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection();
    assert_eq!(inspection.selected(), frames[1].id);
    assert_eq!(replay(&window).at(), 3, "the replay stays");
}

#[test]
fn the_icicle_and_the_columns_show_what_is_known_at_the_instant() {
    for (view, role) in [
        (TreeView::Icicle, Role::TreeItem),
        (TreeView::Columns, Role::Row),
        (TreeView::Tree, Role::TreeItem),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open_on(folder.path(), ALPHA_BETA);
        apply(&mut window, Command::Tree(TreeCommand::View(view)));
        apply(&mut window, Command::Tree(TreeCommand::UnfoldTo(2)));
        let names = |window: &Window| -> Vec<String> {
            let items = window
                .query_all_by_role(role)
                .filter_map(|node| node.accesskit_node().label());
            items.filter(|name| name.contains("reach")).collect()
        };
        let is_known = |name: &String| name.contains("value ") && !name.contains(" so far");
        assert!(names(&window).iter().any(is_known), "{:?}", names(&window));
        window.press_key(Key::P);
        assert!(
            !names(&window).is_empty() && !names(&window).iter().any(is_known),
            "{view:?} {:?}",
            names(&window)
        );
        // One root move has been searched, others have not.
        apply(&mut window, Command::Tree(TreeCommand::ReplayNextChange));
        let slides: Vec<String> = names(&window)
            .into_iter()
            .filter(|name| name.contains("min node after "))
            .collect();
        let ahead = slides
            .iter()
            .filter(|name| name.contains("not reached yet"))
            .count();
        assert!(0 < ahead && ahead < slides.len(), "{view:?} {slides:?}");
        apply(&mut window, Command::Tree(TreeCommand::ReplayEnd));
        assert!(names(&window).iter().any(is_known));
    }
}
