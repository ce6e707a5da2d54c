//! The node panel, the Why panel and the spawn map agree with the record.

use std::path::Path;
use std::sync::Arc;

use afterstate::prose;
use afterstate::search::{Link, NodeId, NodeKind, Origin, Tree};
use afterstate::words;
use afterstate::workbench::command::{
    Command, FileCommand, GameCommand, Panel, TreeCommand, ViewCommand, Workspace,
};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use strum::IntoEnumIterator as _;

use crate::common::{Drive as _, Window, apply, document, open_with};

const REACH: &str = "(name: \"reach\", criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), \
    lookahead: Expectimax(plies: Fixed(5), cuts: [Reach(0.02)]))])";
const ALPHA_BETA: &str = "(name: \"bounds\", criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4), cuts: [AlphaBeta]))])";
/// A crowded board, so that few tiles can appear and trees stay small.
const BOARD: &str = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2";

/// The window with a settled decision in the Search workspace.
fn open(folder: &Path, strategy: &str) -> Window {
    let mut window = open_with(folder, [1600.0, 1000.0], Vec::new());
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, FileCommand::Pasted(BOARD.to_owned()));
    apply(&mut window, FileCommand::Pasted(strategy.to_owned()));
    assert!(document(&window).decision().is_some());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Why));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Node));
    window
}

fn tree(window: &Window) -> Arc<Tree> {
    let app = window.state().as_ref().expect("the window is open");
    app.inspection().shown().expect("a tree").tree.clone()
}

fn selected(window: &Window) -> NodeId {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection()
        .selected()
}

/// Selects a node like a user: by keys from the root.
fn select(window: &mut Window, id: NodeId) {
    let tree = tree(window);
    apply(window, Command::Tree(TreeCommand::Root));
    for id in tree.path(id).into_iter().skip(1) {
        let Some(link) = tree.link(id) else { continue };
        let name = match link {
            Link::Slide(mv) => format!(" node {} {mv}, ", mv.arrow()),
            Link::Spawn(spawn) => format!(" node {} {}, ", spawn.rank, spawn.cell),
        };
        let rows = window.query_all_by_label_contains(&name).count();
        assert!(0 < rows, "a row for{name}");
        window
            .query_all_by_label_contains(&name)
            .next()
            .expect("counted")
            .click_accesskit();
        window.settle();
        assert_eq!(selected(window), id);
    }
}

#[test]
fn the_sheet_says_what_the_record_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), REACH);
    let tree = tree(&window);
    let line = tree.line(Default::default(), &[]);
    for &id in &line[..3] {
        select(&mut window, id);
        let node = tree.node(id);
        let value = words::decimals(node.value.expect("searched"), 1);
        // The cells of the table of its children may say the same.
        let values = window.query_all_by_label(&value).count();
        assert!(0 < values, "{value}");
        let [number, last] = [node.order, tree.counts.total() - 1].map(words::count);
        let number = format!("node {number} (0 is the first, {last} the last)");
        assert!(window.query_by_label(&number).is_some(), "{number}");
        assert!(
            window
                .query_by_label(
                    "not used: expectimax takes the mean of all spawns, so α and β cut nothing"
                )
                .is_some()
        );
        for child in tree.children(id) {
            let below = format!(", {} below", words::count(tree.below(child)));
            assert!(0 < window.query_all_by_label_contains(&below).count());
        }
    }

    let counts = tree.counts;
    // One count: of the record, of its kinds, of the nodes below the root, and of the check.
    let all: u64 = NodeKind::iter().map(|kind| counts.of(kind)).sum();
    assert_eq!(
        (all, tree.kept() as u64, tree.check().nodes),
        (tree.below(tree.root()) + 1, all, all)
    );
    let size = format!("{} nodes", words::count(all));
    assert!(
        0 < window.query_all_by_label_contains(&size).count(),
        "{size}"
    );
    for kind in [NodeKind::Max, NodeKind::Chance, NodeKind::Cut] {
        let text = format!("{} {} nodes", words::count(counts.of(kind)), kind.name());
        assert!(window.query_by_label(&text).is_some(), "{text}");
    }

    let cut = format!(
        "Cut by reach probability below 0.02: {}",
        words::count(counts.of(NodeKind::Cut))
    );
    assert!(window.query_by_label_contains(&cut).is_some());
    assert!(
        window
            .query_by_label_contains("every value equals its recomputed value")
            .is_some()
    );

    // The way back.
    window
        .query_all_by_label("Back")
        .next()
        .expect("a button")
        .click_accesskit();
    window.settle();
    assert_ne!(selected(&window), line[2]);
}

#[test]
fn what_was_skipped_is_searched_and_told_with_its_effect() {
    for (strategy, reason) in [(REACH, "Cut: reach probability "), (ALPHA_BETA, "Cut: α ")] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open(folder.path(), strategy);
        let tree = tree(&window);
        let cut = tree.nodes().find(|node| {
            matches!(
                node.origin,
                Origin::TooImprobable { .. } | Origin::OutOfBounds { .. }
            )
        });
        let cut = cut.expect("something was cut");
        select(&mut window, cut.id);
        assert!(
            0 < window.query_all_by_label_contains(reason).count(),
            "{reason}"
        );
        let button = window
            .query_all_by_label("Search what was skipped")
            .next()
            .expect("a button");
        button.click_accesskit();
        window.settle();
        let stop = afterstate::task::CancelToken::new();
        let order = afterstate::search::SearchOptions::on_one_core(&stop);
        let found = tree
            .search_skipped(cut.id, 100, order)
            .expect("it was skipped");
        let value = format!("Searched: {}", words::decimals(found.value, 1));
        assert!(
            0 < window.query_all_by_label_contains(&value).count(),
            "{value}"
        );
        let effect = found.effect.expect("nothing was left out");
        let sentence = if effect.changes_choice {
            "the choice would change to"
        } else {
            "the choice stays"
        };
        assert!(
            0 < window.query_all_by_label_contains(sentence).count(),
            "{sentence}"
        );
    }
}

#[test]
fn a_node_opens_on_the_board_as_a_branch() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), REACH);
    let tree = tree(&window);
    let board = tree
        .ids()
        .find(|&id| tree.depth(id) == 2 && tree.value(id).is_some())
        .expect("a spawn");
    let before = document(&window).cursor();
    select(&mut window, board);
    let wanted = tree.node(board).board;
    window
        .query_all_by_role_and_label(Role::Button, "Open on the board")
        .next()
        .expect("a button")
        .click_accesskit();
    window.settle();
    assert_eq!(
        (document(&window).board(), document(&window).node().parent),
        (wanted, Some(before))
    );
}

#[test]
fn the_bars_add_up_and_each_selects_its_node() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), REACH);
    let tree = tree(&window);
    let (better, other) = tree.second_best().expect("two moves");
    let why = tree.why(better, other).expect("two values");
    assert!((why.bars.iter().map(|bar| bar.amount).sum::<f64>() - why.difference()).abs() < 1e-6);
    let sum = format!(
        "{better} minus {other}: {}",
        words::decimals(why.difference(), prose::why::places(&why))
    );
    assert!(window.query_by_label(&sum).is_some(), "{sum}");
    let [first, _] = prose::why::sentences(&why);
    assert!(window.query_by_label(&first).is_some(), "{first}");

    // The largest bar is never combined with others.
    let largest = why
        .bars
        .iter()
        .max_by(|a, b| a.amount.abs().total_cmp(&b.amount.abs()))
        .expect("a bar");
    let label = format!("{}: ", prose::why::bar_label(largest));
    window
        .query_all_by_label_contains(&label)
        .next()
        .expect("its bar")
        .click_accesskit();
    window.settle();
    assert_eq!(selected(&window), largest.nodes[0]);
}

#[test]
fn the_spawn_map_shows_each_spawn_beside_the_mean_and_places_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path(), REACH);
    apply(&mut window, ViewCommand::Workspace(Workspace::Overview));
    let tree = tree(&window);
    let chosen = tree.chosen.expect("a move");
    let map = tree
        .spawn_map(tree.follow(&[Link::Slide(chosen)]).expect("searched"))
        .expect("spawns");
    let start = document(&window).cursor();
    apply(&mut window, GameCommand::Slide(chosen));
    assert!(document(&window).decision().is_some());
    let half = |spawn: afterstate::game::Spawn| {
        format!("{} at {} after {chosen}: ", spawn.rank, spawn.cell)
    };
    let came = document(&window).node().step.expect("a move").spawn;
    let (other, outcome) = map
        .outcomes()
        .find(|(spawn, _)| spawn.cell != came.cell)
        .expect("another cell");
    assert!(
        window.query_by_label_contains(&half(other)).is_none(),
        "off until it is asked for"
    );
    apply(&mut window, ViewCommand::SpawnMap);
    let label = format!(
        "{}{}, ",
        half(other),
        words::exact(outcome.value.expect("searched"))
    );
    assert!(window.query_by_label_contains(&label).is_some(), "{label}");
    let places = words::places([map.mean, map.best, map.worst]).max(1);
    let mean = format!(
        "mean {}, best {}",
        words::decimals(map.mean, places),
        words::decimals(map.best, places)
    );
    assert!(window.query_by_label_contains(&mean).is_some(), "{mean}");
    window
        .query_all_by_label_contains(&half(other))
        .next()
        .expect("its half")
        .click_accesskit();
    window.settle();
    let node = document(&window).node();
    assert_eq!(
        (node.parent, node.step.map(|step| step.spawn)),
        (Some(start), Some(other))
    );

    // After going back, values are still relative to the mean of the same slide.
    assert!(document(&window).decision().is_some());
    assert!(
        window.query_by_label_contains(&half(came)).is_some()
            || map.outcomes().all(|(spawn, _)| spawn != came)
    );
    apply(&mut window, ViewCommand::SpawnMap);
    assert!(window.query_by_label_contains(&half(came)).is_none());
}

#[test]
fn the_way_of_the_means_is_drawn_where_samples_were_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(
        folder.path(),
        "(criteria: [(evaluator: Score, lookahead: MonteCarlo(playouts: 60))])",
    );
    let playouts = tree(&window).playouts.clone().expect("samples");
    assert!(2 < playouts.curve.len());
    let best = tree(&window).chosen.expect("a move");
    let picture = format!(
        "Values of the moves after {} samples: ",
        words::count(playouts.total())
    );
    let pictures: Vec<String> = window
        .query_all_by_role(Role::Image)
        .filter_map(|image| egui_kittest::kittest::NodeT::accesskit_node(&image).label())
        .collect();
    let drawn = pictures
        .iter()
        .find(|label| label.starts_with(&picture))
        .unwrap_or_else(|| panic!("{pictures:?}"));
    let estimate =
        prose::decision::estimate(playouts.of_each[best].mean(), playouts.standard_error(best));
    assert!(drawn.contains(&format!("{best} {estimate}")), "{drawn}");

    // The cells of the decision show the same.
    apply(&mut window, ViewCommand::ShowPanel(Panel::Decision));
    assert!(
        window
            .query_all_by_label_contains(&estimate)
            .next()
            .is_some(),
        "{estimate}"
    );
}

#[test]
fn what_a_network_reads_on_a_node_is_a_sum_of_its_tuples() {
    use afterstate::network::{Encoding, Network, NetworkInfo, Shape};
    let folder = tempfile::tempdir().expect("a folder");
    let shape: Shape = "0123 0145".parse().expect("tuples");
    let weights = (0..shape.weights())
        .map(|place| (place * 37 % 1009) as f32 / 8.0)
        .collect();
    let network = Network::new(NetworkInfo::of(shape, None, Vec::new()), weights);
    let path = folder.path().join("small.net");
    network.write(&path, Encoding::Whole).expect("writable");
    let strategy = format!(
        "(name: \"net\", criteria: [(evaluator: Sum([(0.5, Network({path:?})), (1.0, Empty)]), lookahead: Expectimax(plies: Fixed(3)))])"
    );
    let mut window = open(folder.path(), &strategy);
    let tree = tree(&window);
    let line = tree.line(Default::default(), &[]);
    let id = line[3];
    select(&mut window, id);
    let node = tree.node(id);
    let reading = network
        .reading(&node.board.to_grid())
        .expect("of this size");
    let sums = [0, 1].map(|tuple| reading.of_tuple(tuple));
    let value = sums[0] + sums[1] + node.score as f64 + f64::from(reading.reward());
    let [first, second, all, value_text] =
        [sums[0], sums[1], sums[0] + sums[1], value].map(|sum| words::decimals(sum, 1));

    window.get_by_label("Weights read by small");
    window.get_by_label(&format!("Tuple 0123: {first}"));
    window.get_by_label(&format!("Sum {all}"));
    window.get_by_label_contains(&format!(" = {value_text}, multiplied by 0.5"));
    assert!(
        (0.5 * value + f64::from(node.board.empty_count()) - node.value.expect("searched")).abs()
            < 1e-6
    );

    // A click shows the cells of the tuple.
    let images = |window: &Window| window.query_all_by_label_contains("Image 0145: ").count();
    assert_eq!(images(&window), 0);
    window
        .get_by_label(&format!("Tuple 0145: {second}"))
        .click_accesskit();
    window.settle();
    assert!(
        0 < images(&window)
            && window
                .query_all_by_label_contains("Image 0123: ")
                .next()
                .is_none()
    );
    assert_eq!(window.query_all_by_label_contains("Image ").count(), 8);
}
