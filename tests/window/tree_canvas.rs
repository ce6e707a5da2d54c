//! The search as nodes and edges: read by its sentences, pressed, folded and walked by keys.

use std::path::Path;
use std::time::{Duration, Instant};

use afterstate::search::{NodeId, NodeKind};
use afterstate::workbench::command::{Command, Panel, TreeCommand, ViewCommand};
use afterstate::workbench::panels::Inspection;
use afterstate::workbench::state::Thought;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Window, apply, document, open};

const SEARCH: &str =
    "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4), cuts: [Reach(0.05)]))])";
const POSITION: &str = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2";

fn inspection(window: &Window) -> &Inspection {
    window.state().as_ref().expect("the window is open").inspection()
}

fn searched(folder: &Path) -> Window {
    searched_by(folder, SEARCH)
}

fn searched_by(folder: &Path, strategy: &str) -> Window {
    let mut window = open(folder);
    for text in [POSITION, strategy] {
        window.event(egui::Event::Paste(text.to_owned()));
        window.run_steps(2);
    }
    let late = Instant::now() + Duration::from_secs(60);
    while document(&window).thought() != Thought::Settled {
        assert!(Instant::now() < late, "the search does not end");
        window.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window
}

fn nodes(window: &Window) -> Vec<String> {
    window.query_all_by_role(Role::TreeItem).filter_map(|node| node.accesskit_node().label()).collect()
}

/// Goes down to a node by the keys of the walk.
fn walk_to(window: &mut Window, id: NodeId) {
    let tree = inspection(window).shown().expect("a tree").tree.clone();
    apply(window, Command::Tree(TreeCommand::Root));
    for two in tree.path(id).windows(2) {
        if tree.kind(two[0]) == NodeKind::Chance && !inspection(window).folding().shows_all_spawns(two[0]) {
            apply(window, Command::Tree(TreeCommand::AllSpawns));
        }
        apply(window, Command::Tree(TreeCommand::Child));
        for step in [TreeCommand::PreviousSibling, TreeCommand::NextSibling] {
            loop {
                let before = inspection(window).selected();
                if before == two[1] {
                    break;
                }
                apply(window, Command::Tree(step));
                if inspection(window).selected() == before {
                    break;
                }
            }
        }
        assert_eq!(inspection(window).selected(), two[1]);
    }
}

#[test]
fn every_node_in_view_says_what_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let window = searched(folder.path());
    let nodes = nodes(&window);
    assert!(nodes.iter().any(|node| node.starts_with("max node at the root, value ")), "{nodes:?}");
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    for &id in inspection(&window).line().ids.iter().take(3) {
        let value = afterstate::words::decimals(tree.value(id).expect("on the line"), 1);
        assert!(nodes.iter().any(|node| node.contains(&format!("value {value}, "))), "{value} in {nodes:?}");
    }
}

#[test]
fn a_click_selects_and_a_pill_shows_all_spawns() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let before = nodes(&window).len();
    window.get_all_by_label_contains("more spawns").next().expect("a pill").click();
    window.run_steps(3);
    assert!(before < nodes(&window).len());
    window.get_all_by_label_contains("chance node after ").next().expect("a slide").click();
    window.run_steps(3);
    let selected = inspection(&window).selected();
    let tree = &inspection(&window).shown().expect("a tree").tree;
    assert_eq!((tree.kind(selected), tree.depth(selected)), (NodeKind::Chance, 1));
}

#[test]
fn a_move_that_was_struck_out_says_what_it_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    // Up moves without a merge and leaves the 4 empty cells; left merges three pairs.
    let two_rows = "(name: \"two\", criteria: [(evaluator: Empty, tolerance: 1.0), (evaluator: Monotonicity)])";
    let window = searched_by(folder.path(), two_rows);
    let nodes = nodes(&window);
    assert!(nodes.contains(&"Up: not searched, row 1: 4 < 7 − ε 1".to_owned()), "{nodes:?}");
}

#[test]
fn from_far_away_the_line_and_the_selection_keep_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let near = nodes(&window).len();
    for _ in 0..20 {
        apply(&mut window, Command::Tree(TreeCommand::ZoomOut));
        window.run_steps(12);
    }
    let far = nodes(&window);
    let line = inspection(&window).line().ids.clone();
    assert!(far.len() < near && far.len() <= line.len(), "{far:?}");
    assert!(far.iter().any(|node| node.starts_with("max node at the root, value ")), "{far:?}");
    let last = far.last().expect("the root at least").clone();
    window.get_by_label(&last).click();
    window.run_steps(3);
    assert!(inspection(&window).selected() != NodeId(0) && line.contains(&inspection(&window).selected()));
}

#[test]
fn folding_takes_nodes_out_of_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    apply(&mut window, Command::Tree(TreeCommand::UnfoldTo(1)));
    let slides = inspection(&window).shown().expect("a tree").tree.children(NodeId(0)).count();
    assert_eq!(nodes(&window).len(), 1 + slides);
    window.get_all_by_label_contains("Unfold the chance node").next().expect("an arrow").click();
    window.run_steps(3);
    assert!(1 + slides < nodes(&window).len());
}

#[test]
fn a_cut_says_why_and_can_be_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    let cut = tree.ids().find(|&id| tree.kind(id) == NodeKind::Cut).expect("a cut");
    walk_to(&mut window, cut);
    assert_eq!(inspection(&window).selected(), cut);
    assert!(window.query_by_label_contains("Cut: reach probability ").is_some());
    window.get_by_label("Search what was skipped").click();
    let late = Instant::now() + Duration::from_secs(60);
    while window.query_by_label_contains("Searched: ").is_none() {
        assert!(Instant::now() < late, "it is not searched");
        window.step();
        std::thread::sleep(Duration::from_millis(5));
    }
}
