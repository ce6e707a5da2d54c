//! The bar of the search tree, the icicle and the columns: one selection, one filter, one path.

use std::path::Path;

use afterstate::game::Move;
use afterstate::search::{Link, NodeId, NodeKind, Tree};
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, CompareCommand, Panel, TreeCommand, TreeView, ViewCommand, Workspace,
};
use afterstate::workbench::panels::Inspection;
use afterstate::workbench::state::Thought;
use egui::Key;
use egui::accesskit::{Role, Toggled};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, entry, open_with, paste};

const SEARCH: &str =
    "(name: \"three\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])";
const TWO_ROWS: &str = "(name: \"rows\", criteria: [\
    (evaluator: Empty, tolerance: 3.0), (evaluator: Snake, lookahead: Expectimax(plies: Fixed(5)))])";

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

fn inspection(window: &Window) -> &Inspection {
    app(window).inspection()
}

fn tree(window: &Window) -> &Tree {
    &inspection(window).shown().expect("a tree").tree
}

/// The window with a focused tree of a search.
fn open(folder: &Path, strategy: &str) -> Window {
    let mut window = open_with(folder, [1600.0, 1000.0], Vec::new());
    paste(&mut window, "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2");
    paste(&mut window, strategy);
    assert_eq!(document(&window).thought(), Thought::Settled);
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Tree));
    window
}

fn type_filter(window: &mut Window, text: &str) {
    apply(window, Command::Tree(TreeCommand::Find));
    window.event(egui::Event::Text(text.to_owned()));
    window.settle();
}

#[test]
fn keys_and_buttons_change_the_view_and_the_selection_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    window.press_key(Key::ArrowRight);
    window.press_key(Key::ArrowRight);
    let selected = inspection(&window).selected();
    assert_eq!(tree(&window).depth(selected), 2);
    for (key, view) in [
        (Key::I, TreeView::Icicle),
        (Key::C, TreeView::Columns),
        (Key::T, TreeView::Tree),
    ] {
        window.press_key(key);
        assert_eq!(inspection(&window).view, view);
        assert_eq!(inspection(&window).selected(), selected);
        window.click_role(Role::RadioButton, "Icicle");
        assert_eq!(inspection(&window).view, TreeView::Icicle);
    }

    // A click in one view selects the node in the others.
    apply(&mut window, Command::Tree(TreeCommand::UnfoldTo(2)));
    let up = tree(&window)
        .follow(&[Link::Slide(Move::Up)])
        .expect("a slide");
    let name = |node: &egui_kittest::Node<'_>| node.accesskit_node().label().unwrap_or_default();
    let bar = window
        .get_all_by_role(Role::TreeItem)
        .find(|node| name(node).contains("after up"))
        .expect("its bar");
    bar.click();
    window.settle();
    assert_eq!(inspection(&window).selected(), up);
    window.press_key(Key::C);
    let row = window
        .get_all_by_role(Role::Row)
        .find(|node| name(node).contains("after up"))
        .expect("its row");
    assert_eq!(row.accesskit_node().toggled(), Some(Toggled::True));
}

#[test]
fn numbers_unfold_to_a_ply_and_their_buttons_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    for (key, ply) in [(Key::Num1, 1_u8), (Key::Num2, 2), (Key::Num3, 3)] {
        window.press_key(key);
        let name = format!("Unfold to ply {ply}");
        let button = window.get_by_role_and_label(Role::RadioButton, &name);
        assert_eq!(
            button.accesskit_node().toggled(),
            Some(Toggled::True),
            "{name}"
        );
    }
    assert!(
        window
            .query_by_role_and_label(Role::RadioButton, "Unfold to ply 4")
            .is_none(),
        "it has three plies"
    );
    window.press_key(Key::I);
    let whole = window.get_all_by_role(Role::TreeItem).count();
    window.press_key(Key::Num1);
    let slides = window.get_all_by_role(Role::TreeItem).count();
    assert_eq!(slides, 1 + tree(&window).children(NodeId(0)).count());
    assert!(slides < whole);
}

#[test]
fn a_header_sorts_and_the_arrows_walk_what_is_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    window.press_key(Key::C);
    window.press_key(Key::ArrowRight);
    let slide = inspection(&window).selected();

    window.press_key(Key::ArrowRight);
    let all = tree(&window).children(slide).count();

    let walk = |window: &mut Window| {
        while inspection(window).can(TreeCommand::PreviousSibling).is_ok() {
            window.press_key(Key::ArrowUp);
        }
        let mut walked = vec![inspection(window).selected()];
        while inspection(window).can(TreeCommand::NextSibling).is_ok() {
            window.press_key(Key::ArrowDown);
            walked.push(inspection(window).selected());
        }
        walked
    };
    let walked = walk(&mut window);
    assert_eq!(walked.len(), all, "every spawn is listed");
    let values: Vec<f64> = walked
        .iter()
        .map(|&id| tree(&window).value(id).expect("searched"))
        .collect();
    assert!(values.is_sorted_by(|a, b| b <= a), "{values:?}");
    window.click_at(
        window
            .get_all_by_label("Sort by Reach")
            .last()
            .expect("the table of spawns")
            .rect()
            .center(),
    );
    assert!(
        0 < window
            .query_all_by_label("Sort by Reach, sorted, largest first")
            .count()
    );
    let walked = walk(&mut window);
    let reach: Vec<f64> = walked
        .iter()
        .map(|&id| tree(&window).node(id).reach)
        .collect();
    assert!(
        reach.is_sorted_by(|a, b| b <= a) && reach[all - 1] < reach[0],
        "{reach:?}"
    );
}

#[test]
fn columns_are_tables_with_numbered_rows_and_cells() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    window.press_key(Key::C);
    window.press_key(Key::ArrowRight);

    let slides = tree(&window).children(NodeId(0)).count();
    let tables = window.query_all_by_role(Role::Table);
    let mut tables = tables.filter(|node| {
        node.accesskit_node()
            .label()
            .unwrap_or_default()
            .contains("below")
    });
    let spawns = tables.next_back().expect("the table of spawns");
    let data = spawns.accesskit_node().data().clone();
    let below = tree(&window)
        .children(inspection(&window).selected())
        .count();
    assert!(slides < below);
    assert_eq!(
        (data.row_count(), data.column_count()),
        (Some(1 + below), Some(7))
    );

    let row = spawns.query_all_by_role(Role::Row).next().expect("a row");
    assert_eq!(row.accesskit_node().data().row_index(), Some(1));
    let cells: Vec<_> = row
        .query_all_by_role(Role::Cell)
        .map(|cell| cell.accesskit_node().data().clone())
        .collect();
    let places: Vec<_> = cells
        .iter()
        .map(|cell| (cell.row_index(), cell.column_index()))
        .collect();
    assert_eq!(
        places,
        (0..7)
            .map(|column| (Some(1), Some(column)))
            .collect::<Vec<_>>()
    );
    let best = tree(&window)
        .node(inspection(&window).selected())
        .value
        .expect("searched");
    assert!(
        best.is_finite() && cells[2].label().is_some_and(|text| text.contains('.')),
        "{cells:?}"
    );
}

#[test]
fn a_filter_is_counted_and_stepped_through() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);

    type_filter(&mut window, "depth:2 ");
    assert!(!inspection(&window).filter.matches().is_empty());
    let matches = inspection(&window).filter.matches().to_vec();
    let by_hand = tree(&window)
        .ids()
        .filter(|&id| tree(&window).depth(id) == 2)
        .count();
    assert_eq!(matches.len(), by_hand);
    assert!(
        window
            .query_by_label(&format!("Matches: {by_hand} found"))
            .is_some()
    );

    window.press_key(Key::Enter);
    assert_eq!(inspection(&window).selected(), matches[0]);
    assert!(
        window
            .query_by_label(&format!("Matches: 1 of {by_hand}"))
            .is_some()
    );
    window.press_key(Key::Enter);
    assert_eq!(inspection(&window).selected(), matches[1], "Enter goes on");
    window.click_role(Role::Button, "Previous match");
    assert_eq!(inspection(&window).selected(), matches[0]);

    apply(&mut window, Command::Tree(TreeCommand::Find));
    window.press_key(Key::Escape);
    assert_eq!(
        inspection(&window).filter.text,
        "",
        "Escape empties the box"
    );
    window.press_key(Key::Escape);
    window.press_key(Key::I);
    assert_eq!(
        inspection(&window).view,
        TreeView::Icicle,
        "and then leaves it"
    );
}

#[test]
fn a_wrong_filter_is_told_in_a_sentence_and_what_is_begun_is_completed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    type_filter(&mut window, "colour:red ");
    let error = inspection(&window)
        .filter
        .error()
        .expect("no such field")
        .text
        .clone();
    assert!(
        window.query_by_label(&format!("✗ {error}")).is_some(),
        "{error}"
    );
    type_filter(&mut window, "kind:chan");
    window.press_key(Key::Tab);
    assert_eq!(inspection(&window).filter.text, "kind:chance");
    assert!(!inspection(&window).filter.matches().is_empty());
    let chance = tree(&window).counts.of(NodeKind::Chance) as usize;
    assert_eq!(inspection(&window).filter.matches().len(), chance);
}

#[test]
fn the_way_leads_back_and_history_goes_both_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    let chosen = tree(&window).chosen.expect("it decided");
    window.press_key(Key::ArrowRight);
    window.press_key(Key::ArrowRight);
    let deep = inspection(&window).selected();

    window.click_role(Role::Link, &format!("{} {chosen}", chosen.arrow()));
    assert_eq!(
        inspection(&window).selected(),
        tree(&window)
            .follow(&[Link::Slide(chosen)])
            .expect("the slide")
    );
    let at = window
        .query_all_by_role_and_label(Role::Button, "Back")
        .next()
        .expect("a button")
        .rect()
        .center();
    window.click_at(at);
    assert_eq!(inspection(&window).selected(), deep);
    let at = window
        .query_all_by_role_and_label(Role::Button, "Forward")
        .next()
        .expect("a button")
        .rect()
        .center();
    window.click_at(at);
    assert_eq!(tree(&window).depth(inspection(&window).selected()), 1);
    window.click_role(Role::Link, "Move 1");
    assert_eq!(inspection(&window).selected(), NodeId(0));
}

#[test]
fn the_bar_says_what_was_searched_and_switches_between_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), TWO_ROWS);
    let shown = inspection(&window).shown().expect("a tree");
    assert_eq!((shown.row, shown.rows.as_slice()), (1, [0, 1].as_slice()));

    let definition = shown.definition_text();
    assert!(
        definition.starts_with("Expectimax of Snake · 5 plies"),
        "{definition}"
    );
    assert!(0 < window.query_all_by_label_contains(&definition).count());
    assert!(
        2_000 < tree(&window).kept(),
        "enough for a check on a worker"
    );
    let nodes = afterstate::words::count(tree(&window).kept() as u64);
    let check = format!("✓ self-check: {nodes} of {nodes} nodes verified");
    assert!(window.query_by_label(&check).is_some());
    assert!(window.query_by_label(&check).is_some(), "and it stays");

    window.click("Row of the strategy");
    window.click_at(entry(&window, "1 Empty").rect().center());
    assert_eq!(inspection(&window).shown().map(|shown| shown.row), Some(0));
    assert!(
        window
            .query_by_label_contains("looks one ply ahead")
            .is_none_or(|_| tree(&window).subject().plies == 1)
    );
}

#[test]
fn the_button_of_compare_lists_the_other_strategies() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    assert!(1 < document(&window).strategies().len());
    let other = (document(&window).current() + 1) % document(&window).strategies().len();
    let name = document(&window).strategies()[other].label();
    window.click_role(Role::Button, "Compare");
    window.click_at(entry(&window, &name).rect().center());
    assert_eq!(document(&window).baseline(), Some(other));
    let at = window
        .query_all_by_label("End comparison")
        .next()
        .expect("a button")
        .rect()
        .center();
    window.click_at(at);
    assert_eq!(document(&window).baseline(), None);
}

#[test]
fn a_node_has_its_menu_in_every_view_and_the_menu_is_of_that_node() {
    for view in TreeView::OF_NODES {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open(folder.path(), SEARCH);
        apply(&mut window, TreeCommand::View(view));
        apply(&mut window, TreeCommand::UnfoldTo(1));
        let other = tree(&window)
            .children(NodeId(0))
            .find(|&id| Some(id) != tree(&window).best_child(NodeId(0)));
        let other = other.expect("a second move");
        let Some(Link::Slide(mv)) = tree(&window).link(other) else {
            panic!("moves follow the root")
        };
        let name = format!("chance node after {}, ", mv.name().to_lowercase());
        let before = inspection(&window).selected();
        let at = window
            .query_all_by_label_contains(&name)
            .next()
            .expect("the node")
            .rect()
            .center();
        window.click_secondary_at(at);
        assert_eq!(
            inspection(&window).selected(),
            before,
            "a right click selects nothing: {view:?}"
        );
        // The root cannot be opened on the board: it is there.
        assert!(before == NodeId(0) && inspection(&window).can(TreeCommand::OpenOnBoard).is_err());
        let opens = entry(&window, "Open on the board").accesskit_node();
        assert!(!opens.is_disabled(), "it is judged for this node: {view:?}");
        window.click_at(entry(&window, "Unfold").rect().center());
        assert_eq!(inspection(&window).selected(), other, "{view:?}");
    }
}

#[test]
fn the_plies_of_a_search_are_timed_and_stand_above_those_of_a_second_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    apply(&mut window, TreeCommand::View(TreeView::Plies));
    let tree = tree(&window);
    let last = tree.plies().len() - 1;
    let nodes: u64 = tree
        .plies()
        .iter()
        .map(afterstate::search::PlyCounts::nodes)
        .sum();
    // The search limited to the last ply equals the recorded one.
    let name = format!(
        "Nodes so far {}, Time so far ",
        afterstate::words::count(nodes)
    );
    let is_last =
        |label: &str| label.starts_with(&format!("Ply {last}: Nodes ")) && label.contains(&name);
    assert!(
        window
            .query_all_by(|node| is_last(&node.label().unwrap_or_default()))
            .next()
            .is_some()
    );
    window.click_part("Copy CSV of the plies of ");
    let first = document(&window).current();
    paste(&mut window, TWO_ROWS);
    apply(&mut window, CompareCommand::With(Some(first)));
    assert!(document(&window).is_baseline_settled());
    assert_eq!(
        window
            .query_all_by_label_contains("Copy CSV of the plies of ")
            .count(),
        2
    );
    assert_eq!(window.query_all_by_label_contains("Ply 0: ").count(), 2);

    // Both have the same evaluator, so the strategy's name distinguishes them.
    for name in ["three", "rows"] {
        window.get_by_label(&format!("{name}: Expectimax of Snake"));
    }

    // The second one relative to the first.
    let nodes = |window: &Window, ply: usize| {
        let rows: Vec<String> = window
            .query_all_by(|node| {
                node.label()
                    .is_some_and(|label| label.starts_with(&format!("Ply {ply}: Nodes ")))
            })
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        rows.iter()
            .map(|row| row.split_once(": Nodes ").expect("nodes").1.to_owned())
            .collect::<Vec<_>>()
    };

    let before = nodes(&window, 2);
    window.click("Relative to the search above");
    let after = nodes(&window, 2);
    assert_eq!(after[0], before[0]);
    let count = |row: &String| {
        let digits: String = row.split(", ").next().expect("a number").replace(',', "");
        digits.parse::<f64>().expect("a count")
    };
    let times = count(&before[1]) / count(&before[0]);
    assert!(
        after[1].starts_with(&format!("{}×", afterstate::words::three_digits(times))),
        "{after:?} {times}"
    );
}

/// Changing the view does not focus the filter.
#[test]
fn another_view_leaves_the_keys_out_of_the_filter() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), SEARCH);
    let root = window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("max node at the root"))
        })
        .rect();
    let is_typing = |window: &Window| window.ctx.text_edit_focused();

    // It had the focus before.
    apply(&mut window, TreeCommand::Find);
    window.event(egui::Event::Text("kind:max".to_owned()));
    window.settle();
    assert!(is_typing(&window));
    let ground = root.center() + egui::vec2(0.0, root.height() / 2.0 + 80.0);
    for on_ground in [true, false] {
        for (key, view) in [
            (Key::I, TreeView::Icicle),
            (Key::C, TreeView::Columns),
            (Key::L, TreeView::Plies),
            (Key::T, TreeView::Tree),
            (Key::L, TreeView::Plies),
            (Key::I, TreeView::Icicle),
            (Key::T, TreeView::Tree),
        ] {
            if on_ground && inspection(&window).view == TreeView::Tree {
                window.hover_at(ground);
                window.step();
                window.drag_at(ground);
                window.step();
                window.drop_at(ground);
                window.settle();
            }
            window.press_key(key);
            assert_eq!(inspection(&window).view, view);
            assert!(
                !is_typing(&window),
                "{view:?} has the filter, from the ground: {on_ground}"
            );
        }
    }
}
