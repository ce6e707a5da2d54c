//! The search tree of the current move: which tree it is, and moving and folding by keys.

use std::path::Path;

use afterstate::search::{Link, NodeId};
use afterstate::workbench::command::{Panel, ViewCommand};
use afterstate::workbench::panels::Inspection;
use afterstate::workbench::state::Thought;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{
    Drive as _, Window, apply, begin, begin_pasted, document, open_with, paste, tree_commands,
};

/// Takes some milliseconds.
const QUICK: &str =
    "(name: \"quick\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])";
const BOUNDED: &str = "(name: \"bounded\", criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))])";
/// Never ends within a test.
const ENDLESS: &str =
    "(name: \"endless\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])";
const BOARD: &str = "64,32,8,2/16,8,4,0/4,2,0,0/2,0,0,0";

fn open(folder: &Path) -> Window {
    let mut window = open_with(folder, [1600.0, 1000.0], Vec::new());
    paste(&mut window, BOARD);
    window
}

fn inspection(window: &Window) -> &Inspection {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection()
}

fn selected(window: &Window) -> NodeId {
    inspection(window).selected()
}

/// A window with a focused tree.
fn with_tree(folder: &Path, strategy: &str) -> Window {
    let mut window = open(folder);
    paste(&mut window, strategy);
    assert_eq!(document(&window).thought(), Thought::Settled);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window
}

#[test]
fn the_tree_on_screen_is_the_record_of_the_search_that_chose_the_move() {
    let folder = tempfile::tempdir().expect("a folder");
    for strategy in [QUICK, BOUNDED, "emr"] {
        let mut window = with_tree(folder.path(), strategy);
        for _ in 0..3 {
            let doc = document(&window);
            let decision = doc.decision().expect("settled");
            let shown = inspection(&window).shown().expect("a tree");
            assert_eq!(
                (shown.tree.subject().board, shown.tree.chosen),
                (doc.board(), decision.chosen)
            );
            if let Some(searched) = &decision.searches[shown.row] {
                let record = searched.tree.as_ref().expect("recorded");
                assert!(
                    std::sync::Arc::ptr_eq(record, &shown.tree),
                    "the record itself, not another search"
                );
            }
            for id in shown.tree.children(shown.tree.root()) {
                let Some(Link::Slide(mv)) = shown.tree.link(id) else {
                    panic!("slides follow the root")
                };
                let candidate = decision.moves[mv].as_ref().expect("legal");
                assert_eq!(shown.tree.value(id), candidate.values[shown.row]);
            }
            window.press_key(Key::Enter);
            assert_eq!(document(&window).thought(), Thought::Settled);
        }
    }
}

#[test]
fn arrows_walk_the_tree_while_it_has_the_keys_and_slide_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tree(folder.path(), QUICK);
    let board = document(&window).board();
    let tree = inspection(&window).shown().expect("a tree").tree.clone();

    window.press_key(Key::ArrowRight);
    let first = selected(&window);
    assert_eq!(
        tree.link(first),
        tree.chosen.map(Link::Slide),
        "the chosen move comes first"
    );
    window.press_key(Key::ArrowDown);
    assert_eq!(tree.parent(selected(&window)), Some(tree.root()));
    assert!(
        tree.value(selected(&window)) <= tree.value(first),
        "siblings follow by value"
    );
    window.press_key(Key::ArrowUp);
    assert_eq!(selected(&window), first);

    window.press_key(Key::ArrowRight);
    assert_eq!(tree.parent(selected(&window)), Some(first));
    window.press_key(Key::ArrowLeft);
    window.press_key(Key::ArrowLeft);
    assert_eq!(
        (selected(&window), document(&window).board()),
        (tree.root(), board)
    );

    apply(&mut window, ViewCommand::ShowPanel(Panel::Board));
    let legal = board.legal_moves();
    window.press_key(if legal.contains(afterstate::game::Move::Left) {
        Key::ArrowLeft
    } else {
        Key::ArrowRight
    });
    assert_ne!(document(&window).board(), board, "the board slides");
}

#[test]
fn what_was_selected_is_found_again_backwards_and_forwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tree(folder.path(), QUICK);
    let mut seen = vec![selected(&window)];
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowRight] {
        window.press_key(key);
        seen.push(selected(&window));
    }
    for &before in seen.iter().rev().skip(1) {
        window.press_keys(Modifiers::ALT, Key::ArrowLeft);
        assert_eq!(selected(&window), before);
    }

    for &after in &seen[1..] {
        window.press_keys(Modifiers::ALT, Key::ArrowRight);
        assert_eq!(selected(&window), after);
    }
}

#[test]
fn keys_fold_and_unfold_to_a_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tree(folder.path(), QUICK);
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    let drawn = |window: &Window| {
        let view = inspection(window);
        tree.ids()
            .filter(|&id| view.folding().is_drawn(&tree, view.line(), id))
            .count()
    };

    window.press_key(Key::Num1);
    assert_eq!(drawn(&window), 1 + tree.children(tree.root()).count());
    window.press_key(Key::Num2);
    let two = drawn(&window);
    assert!(1 + tree.children(tree.root()).count() < two);
    window.press_key(Key::Num9);
    assert_eq!(drawn(&window), tree.kept());
    window.press_key(Key::Home);
    window.press_key(Key::Backspace);
    assert_eq!(drawn(&window), 1, "the root is folded");
    window.press_key(Key::ArrowRight);
    assert_eq!(drawn(&window), tree.kept(), "a step to the right unfolds");
}

#[test]
fn the_old_tree_stays_while_the_next_is_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tree(folder.path(), QUICK);
    let before = inspection(&window).shown().expect("a tree").number;
    assert!(!inspection(&window).is_old);
    begin_pasted(&mut window, ENDLESS);
    let view = inspection(&window);
    assert_eq!(
        (view.shown().map(|shown| shown.number), view.is_old),
        (Some(before), true)
    );
    window.press_key(Key::Escape);
    assert!(
        matches!(document(&window).thought(), Thought::Stopped(_)),
        "Escape ends the search"
    );
}

#[test]
fn every_command_of_the_tree_can_be_asked_at_any_time() {
    let folder = tempfile::tempdir().expect("a folder");
    // A strategy without rows has no tree, and without lookahead the tree is small. In larger ones keys walk in between.
    for (strategy, walks) in [("r", false), ("emr", false), (QUICK, true), (BOUNDED, true)] {
        let mut window = with_tree(folder.path(), strategy);
        for command in tree_commands() {
            begin(&mut window, command);
            if walks {
                let modifiers = Modifiers::NONE;
                let key = |pressed| Event::Key {
                    key: Key::ArrowRight,
                    physical_key: None,
                    pressed,
                    repeat: false,
                    modifiers,
                };
                window.input_mut().events.extend([true, false].map(key));
                window.step();
            }
        }
    }
}

#[test]
fn escape_takes_messages_away_when_nothing_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tree(folder.path(), QUICK);
    let said = |window: &Window| {
        window
            .state()
            .as_ref()
            .expect("open")
            .notices()
            .texts()
            .count()
    };
    paste(&mut window, "neither a board nor a strategy");
    assert!(0 < said(&window));
    window.press_key(Key::Escape);
    assert_eq!(said(&window), 0);
}

#[test]
fn who_listens_follows_the_walk_through_the_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = with_tree(folder.path(), QUICK);
    let heard = |window: &Window| {
        let node = window
            .query_all_by_role(Role::TreeItem)
            .find(|node| node.accesskit_node().is_focused());
        node.map(|node| {
            (
                node.accesskit_node().label().unwrap_or_default(),
                node.accesskit_node().data().clone(),
            )
        })
    };
    let (name, root) = heard(&window).expect("the root is where the walk begins");
    assert!(name.starts_with("max node at the root, value "), "{name}");
    assert_eq!(
        (root.level(), root.is_expanded(), root.is_selected()),
        (Some(0), Some(true), Some(true))
    );
    window.press_key(Key::ArrowRight);
    let (name, first) = heard(&window).expect("the chosen move");
    assert!(name.starts_with("chance node after "), "{name}");
    assert_eq!((first.level(), first.position_in_set()), (Some(1), Some(0)));
    assert!(first.size_of_set().is_some_and(|size| 1 < size));
    assert_eq!(
        first.description(),
        Some("ply 1, below the max node at the root")
    );
    window.press_key(Key::ArrowDown);
    let (_, second) = heard(&window).expect("its sibling");
    assert_eq!(
        (second.level(), second.position_in_set()),
        (Some(1), Some(1))
    );
    window.press_key(Key::ArrowRight);
    assert_eq!(heard(&window).expect("a spawn").1.level(), Some(2));

    // A focused node passes the focus on.
    window
        .query_all_by_role(Role::TreeItem)
        .find(|node| node.accesskit_node().is_focused())
        .expect("there")
        .focus();
    window.settle();
    assert!(window.ctx.memory(egui::Memory::focused).is_some());
    window.press_key(Key::ArrowLeft);
    assert_eq!(heard(&window).expect("its parent").1.level(), Some(1));
    assert!(
        window.ctx.memory(egui::Memory::focused).is_some(),
        "the keyboard stays in the tree"
    );

    // After a click on the panel, no node has the focus.
    apply(&mut window, ViewCommand::ShowPanel(Panel::Board));
    let node = window
        .query_all_by_role(Role::TreeItem)
        .find(|node| node.accesskit_node().level() == Some(1));
    let at = node.expect("a move").rect().center();
    for is_down in [true, false] {
        window.hover_at(at);
        window.settle();
        if is_down {
            window.drag_at(at);
        } else {
            window.drop_at(at);
            window.settle();
        }
        window.settle();
    }

    window.press_key(Key::ArrowRight);
    assert_eq!(
        heard(&window).map(|(_, node)| node.level()),
        Some(Some(2)),
        "it is walked all the same"
    );

    // With the focus elsewhere, no tree node is announced.
    let focused = window.ctx.memory(egui::Memory::focused);
    window.ctx.memory_mut(|memory| {
        focused
            .into_iter()
            .for_each(|id| memory.surrender_focus(id));
    });
    apply(&mut window, ViewCommand::ShowPanel(Panel::Board));
    assert!(heard(&window).is_none());
}
