//! The search as nodes and edges: accessible sentences, clicks, folding, and moving by keys.

use std::path::Path;

use afterstate::search::{Link, NodeId, NodeKind};
use afterstate::words;
use afterstate::workbench::command::{Command, Panel, TreeCommand, TreeView, ViewCommand};
use afterstate::workbench::panels::Inspection;
use afterstate::workbench::state::Thought;
use egui::accesskit::Role;
use egui::{Pos2, Rect, Shape};
use egui_kittest::kittest::{AccessKitNode, NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, open, open_with, paste};

const SEARCH: &str = "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(4), cuts: [Reach(0.05)]))])";
const POSITION: &str = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2";

fn inspection(window: &Window) -> &Inspection {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection()
}

fn searched(folder: &Path) -> Window {
    searched_by(folder, SEARCH)
}

fn searched_by(folder: &Path, strategy: &str) -> Window {
    let mut window = open(folder);
    for text in [POSITION, strategy] {
        paste(&mut window, text);
    }
    assert_eq!(document(&window).thought(), Thought::Settled);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window
}

fn nodes(window: &Window) -> Vec<String> {
    window
        .query_all_by_role(Role::TreeItem)
        .filter_map(|node| node.accesskit_node().label())
        .collect()
}

/// Moves to a node by keys.
fn walk_to(window: &mut Window, id: NodeId) {
    let tree = inspection(window).shown().expect("a tree").tree.clone();
    apply(window, Command::Tree(TreeCommand::Root));

    for two in tree.path(id).windows(2) {
        if tree.kind(two[0]) == NodeKind::Chance
            && !inspection(window).folding().shows_all_spawns(two[0])
        {
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
    assert!(
        nodes
            .iter()
            .any(|node| node.starts_with("max node at the root, value ")),
        "{nodes:?}"
    );
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    for &id in inspection(&window).line().ids.iter().take(3) {
        let value = afterstate::words::decimals(tree.value(id).expect("on the line"), 1);
        assert!(
            nodes
                .iter()
                .any(|node| node.contains(&format!("value {value}, "))),
            "{value} in {nodes:?}"
        );
    }
}

#[test]
fn a_click_selects_and_a_pill_shows_all_spawns() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let before = nodes(&window).len();
    let at = window
        .get_all_by_label_contains("more spawns")
        .next()
        .expect("a pill")
        .rect()
        .center();
    window.click_at(at);
    assert!(before < nodes(&window).len());
    let at = window
        .get_all_by_label_contains("chance node after ")
        .next()
        .expect("a slide")
        .rect()
        .center();
    window.click_at(at);
    let selected = inspection(&window).selected();
    let tree = &inspection(&window).shown().expect("a tree").tree;
    assert_eq!(
        (tree.kind(selected), tree.depth(selected)),
        (NodeKind::Chance, 1)
    );
}

#[test]
fn a_move_that_was_struck_out_says_what_it_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    // Up moves without a merge and leaves the 4 empty cells; left merges three pairs.
    let two_rows = "(name: \"two\", criteria: [(evaluator: Empty, tolerance: 1.0), (evaluator: Monotonicity)])";
    let window = searched_by(folder.path(), two_rows);
    let nodes = nodes(&window);
    assert!(
        nodes.contains(&"Up: not searched, row 1: 4 < 7 − ε 1".to_owned()),
        "{nodes:?}"
    );
}

#[test]
fn from_far_away_the_line_and_the_selection_keep_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let near = nodes(&window).len();
    for _ in 0..20 {
        apply(&mut window, Command::Tree(TreeCommand::ZoomOut));
    }
    let far = nodes(&window);
    let line = inspection(&window).line().ids.clone();
    assert!(far.len() < near && far.len() <= line.len(), "{far:?}");
    assert!(
        far.iter()
            .any(|node| node.starts_with("max node at the root, value ")),
        "{far:?}"
    );
    let last = far.last().expect("the root at least").clone();
    window.click(&last);
    assert!(
        inspection(&window).selected() != NodeId(0)
            && line.contains(&inspection(&window).selected())
    );
}

/// The painted texts, and the ends of lines.
fn painted(window: &Window) -> (Vec<String>, Vec<[Pos2; 2]>) {
    let (mut texts, mut lines) = (Vec::new(), Vec::new());
    let mut rest: Vec<&Shape> = window
        .output()
        .shapes
        .iter()
        .map(|clipped| &clipped.shape)
        .collect();
    while let Some(shape) = rest.pop() {
        match shape {
            Shape::Vec(shapes) => rest.extend(shapes),
            Shape::Text(text) => texts.push(text.galley.text().to_owned()),
            Shape::LineSegment { points, .. } => lines.push(*points),
            _ => {}
        }
    }
    (texts, lines)
}

#[test]
fn far_out_there_are_edges_and_the_names_of_root_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    apply(&mut window, Command::Tree(TreeCommand::UnfoldAll));
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    let moves: Vec<String> = tree
        .children(NodeId(0))
        .map(|id| {
            let Some(Link::Slide(mv)) = tree.link(id) else {
                panic!("moves follow the root")
            };
            format!(
                "{} {}",
                mv.arrow(),
                words::value(tree.value(id).expect("searched"))
            )
        })
        .collect();
    let are_named = |texts: &[String]| moves.iter().filter(|text| texts.contains(text)).count();
    assert_eq!(
        are_named(&painted(&window).0),
        0,
        "near by each node has its own text"
    );

    // First each node is a dot, then each column a bar.
    let (mut dots, mut bars) = (false, false);
    for _ in 0..40 {
        apply(&mut window, Command::Tree(TreeCommand::ZoomOut));
        let (texts, lines) = painted(&window);
        if are_named(&texts) == 0 {
            continue;
        }
        let from_one = |a: &[Pos2; 2]| {
            lines
                .iter()
                .filter(|b| a[0] == b[0] && a[1] != b[1])
                .count()
        };
        assert!(
            moves.len() <= lines.iter().map(from_one).max().unwrap_or(0) + 1,
            "an edge to each root move"
        );
        if nodes(&window).is_empty() {
            bars = true;
        } else {
            dots = true;
        }
    }

    assert!(dots && bars, "dots {dots}, bars {bars}");
}

#[test]
fn tree_and_icicle_order_moves_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    apply(&mut window, Command::Tree(TreeCommand::UnfoldTo(1)));
    let names = |window: &Window, along: fn(Rect) -> f32| -> Vec<String> {
        let nodes = window
            .query_all_by_role(Role::TreeItem)
            .filter(|node| node.accesskit_node().level() == Some(1));
        let mut nodes: Vec<(f32, String)> = nodes
            .map(|node| {
                (
                    along(node.rect()),
                    node.accesskit_node().label().unwrap_or_default(),
                )
            })
            .collect();
        nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = |name: String| name.split(',').next().unwrap_or_default().to_owned();
        nodes.into_iter().map(|(_, name)| first(name)).collect()
    };
    let in_tree = names(&window, |rect| rect.center().y);

    apply(&mut window, TreeCommand::View(TreeView::Icicle));
    let in_icicle = names(&window, |rect| rect.center().x);

    assert!(2 < in_tree.len());
    assert_eq!(in_tree, in_icicle);
    let tree = &inspection(&window).shown().expect("a tree").tree;
    let recorded: Vec<f64> = tree
        .children(NodeId(0))
        .filter_map(|id| tree.value(id))
        .collect();
    assert!(
        !recorded.is_sorted_by(|a, b| b <= a),
        "the order of the search is another: {recorded:?}"
    );
}

#[test]
fn nothing_covers_the_selected_node() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    let ground = window
        .get_by_role_and_label(Role::Image, "Minimap: drag to move the view")
        .rect();
    let (mut made_room, mut cards) = (false, 0);
    let skipped = |id: &NodeId| matches!(tree.kind(*id), NodeKind::Cut | NodeKind::Cached);
    let below = tree.ids().filter(|&id| tree.depth(id) == 1);
    let cuts = tree.ids().filter(skipped).step_by(7).take(8);
    for id in below.chain(cuts).collect::<Vec<_>>() {
        walk_to(&mut window, id);
        window.settle();
        let selected = window
            .query_all_by_role(Role::TreeItem)
            .find(|node| node.accesskit_node().is_selected() == Some(true));
        let node = selected.expect("it is in sight").rect();
        let corner = ["Minimap", "Legend"].map(|name| {
            let is_it = |node: &AccessKitNode<'_>| {
                node.role() == Role::Image
                    && node.label().is_some_and(|label| label.starts_with(name))
            };
            window.get_by(is_it).rect()
        });
        made_room |= corner[0].top() != ground.top();
        let card = ["Search what was skipped", "Go to the stored node"]
            .map(|name| window.query_by_label(name));
        let card: Vec<Rect> = card
            .into_iter()
            .flatten()
            .map(|button| button.rect())
            .collect();
        cards += usize::from(!card.is_empty());
        for part in corner.into_iter().chain(card) {
            assert!(!part.intersects(node), "{part:?} covers {id:?} at {node:?}");
        }
    }

    assert!(made_room, "minimap and legend gave way at least once");
    assert!(0 < cards, "and cards were shown");
}

#[test]
fn folding_takes_nodes_out_of_the_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    apply(&mut window, Command::Tree(TreeCommand::UnfoldTo(1)));
    let slides = inspection(&window)
        .shown()
        .expect("a tree")
        .tree
        .children(NodeId(0))
        .count();
    assert_eq!(nodes(&window).len(), 1 + slides);
    let at = window
        .get_all_by_label_contains("Unfold the chance node")
        .next()
        .expect("an arrow")
        .rect()
        .center();
    window.click_at(at);
    assert!(1 + slides < nodes(&window).len());
}

#[test]
fn a_cut_says_why_and_can_be_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = searched(folder.path());
    let tree = inspection(&window).shown().expect("a tree").tree.clone();
    let cut = tree
        .ids()
        .find(|&id| tree.kind(id) == NodeKind::Cut)
        .expect("a cut");
    walk_to(&mut window, cut);
    assert_eq!(inspection(&window).selected(), cut);
    assert!(
        window
            .query_by_label_contains("Cut: reach probability ")
            .is_some()
    );
    window.click("Search what was skipped");
    assert!(window.query_by_label_contains("Searched: ").is_some());
}

/// In a tree with fewer plies the columns are farther apart; the selection still stays in place.
#[test]
fn unfolding_to_any_ply_leaves_the_root_in_sight() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [1024.0, 700.0], Vec::new());
    let deep = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(7)))])";
    for text in ["8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32", deep] {
        paste(&mut window, text);
    }

    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));

    let root = |window: &Window| {
        let is_root = |node: &egui_kittest::Node<'_>| {
            node.accesskit_node()
                .label()
                .is_some_and(|label| label.starts_with("max node at the root"))
        };
        window
            .query_all_by_role(Role::TreeItem)
            .find(is_root)
            .map(|node| node.rect().left())
    };
    let before = root(&window).expect("in sight");
    for ply in [1, 4, 2, 1, 7, 1] {
        apply(&mut window, TreeCommand::UnfoldTo(ply));
        let left = root(&window).unwrap_or_else(|| panic!("out of sight at ply {ply}"));
        assert!(
            (left - before).abs() < 60.0,
            "from {before} to {left} at ply {ply}"
        );
    }
}
