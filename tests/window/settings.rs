//! Every setting of a row can be changed in place, and every change is one step of undo.

use afterstate::strategy::{Criterion, Strategy};
use afterstate::workbench::command::StrategyCommand;
use egui::{Pos2, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::builder::Window;
use crate::common::{Drive as _, entry};

/// Opens a strategy with one row and unfolds it.
fn unfold(window: &mut Window, criterion: &str) -> Criterion {
    let name = format!("s{}", window.app().document().strategies().len());
    let text = format!("Strategy(name: \"{name}\", criteria: [{criterion}])");
    let strategy: Strategy = text.parse().expect(&text);
    window.apply(StrategyCommand::Open(Box::new(strategy)));
    window.click("Unfold row 1");
    // Folding takes some frames.
    window.harness.settle();
    window.strategy().criteria[0].clone()
}

fn now(window: &Window) -> Criterion {
    window.strategy().criteria[0].clone()
}

/// Drags a number to the right, in several steps.
fn pull(window: &mut Window, from: Pos2) {
    let harness = &mut window.harness;
    harness.drag_at(from);
    harness.step();
    for across in [11.0, 27.0, 44.0] {
        harness.hover_at(pos2(from.x + across, from.y));
        harness.step();
    }
    harness.drop_at(pos2(from.x + 44.0, from.y));
    harness.settle();
}

fn tall() -> Window {
    Window::sized([1600.0, 1900.0])
}

#[test]
fn every_number_is_dragged_in_one_step() {
    let by_empty =
        "(evaluator: Empty, lookahead: Expectimax(plies: ByEmpty([(8, 1), (4, 2), (0, 3)])))";
    let by_distinct = "(evaluator: Empty, lookahead: Expectimax(plies: ByDistinct(offset: -6, at_least: 0, at_most: 1)))";
    let limits = "(evaluator: Empty, lookahead: Minimax(plies: Fixed(2), time_ms: 5, nodes: 100))";
    let cuts = "(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2), cuts: [Reach(0.0001), \
        ImportantCells(k: 2, weights: \"b\")]))";
    let sum = "(evaluator: Sum([(1, Score), (1, Sum([(2, Empty)]))]))";
    let flat = "(evaluator: Score, lookahead: MonteCarlo(playouts: 3, until: Moves(4), sure_by: 2, time_ms: 5))";
    let cases: &[(&str, &[&str])] = &[
        (
            flat,
            &[
                "Samples",
                "Standard errors ahead",
                "Moves of a playout",
                "Limit of Time",
                "Seed of the samples",
            ],
        ),
        (
            "(evaluator: Score, lookahead: Mcts(playouts: 9, nodes: 99))",
            &["Samples", "Exploration", "Limit of Nodes"],
        ),
        (
            "(evaluator: Score, lookahead: AveragedSearch(searches: 3, plies: Fixed(2)))",
            &["Samples", "Plies"],
        ),
        ("(evaluator: Empty)", &["Tolerance"]),
        (
            "(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))",
            &["Plies"],
        ),
        (
            by_empty,
            &[
                "Empty cells of step 1",
                "Empty cells of step 3",
                "Plies of step 1",
            ],
        ),
        (by_distinct, &["Offset", "At least", "At most"]),
        (limits, &["Limit of Time", "Limit of Nodes"]),
        (cuts, &["Minimum reach", "Maximum cells"]),
        (sum, &["Weight of term 2", "Weight of term 2, slider"]),
        (
            "(evaluator: Product(Score, Sum([(1, Empty)])))",
            &["Weight of term 1"],
        ),
        (
            "(evaluator: Lines())",
            &[
                "Lines fixed",
                "Lines empty",
                "Lines merges",
                "Lines monotonicity",
                "Lines monotonicity power",
                "Lines sum",
                "Lines sum power",
                "Lines pairs",
                "Lines tiles",
            ],
        ),
        ("(evaluator: Weights(\"a\"))", &["Weight row 2 column 3"]),
    ];

    let mut window = tall();
    for (text, labels) in cases {
        let before = unfold(&mut window, text);
        let undone = window.app().document().undo_texts().0.map(str::to_owned);
        for label in *labels {
            let from = window.center(label);
            pull(&mut window, from);
            let after = now(&window);
            assert_ne!(after, before, "{label} of {text}");
            assert_eq!(
                after.check(window.app().document().board().size()),
                Ok(()),
                "{label}"
            );
            let written = Strategy {
                criteria: vec![after.clone()],
                ..Strategy::default()
            };
            assert_eq!(written.to_string().parse(), Ok(written.clone()), "{label}");
            window.undo();
            assert_eq!(now(&window), before, "{label} in one step");
            assert_eq!(
                window.app().document().undo_texts().0.map(str::to_owned),
                undone
            );
        }
    }
}

#[test]
fn every_choice_is_made_from_its_list() {
    let samples = |kind: &str, inside: &str| {
        format!("(evaluator: Score, lookahead: {kind}(playouts: 3{inside}))")
    };
    let expectimax = |inside: &str| format!("(evaluator: Empty, lookahead: Expectimax({inside}))");
    let mut cases = [
        (
            expectimax("plies: Fixed(2)"),
            "Spawn node",
            "Sum",
            expectimax("plies: Fixed(2), spawn: Sum"),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Spawn node",
            "Worst cell",
            expectimax("plies: Fixed(2), spawn: MinCell"),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Spawn node",
            "Worst of each",
            expectimax("plies: Fixed(2), spawn: MeanOfMin"),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Dead board",
            "Zero",
            expectimax("plies: Fixed(2), dead: Zero"),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Dead board",
            "Lost",
            expectimax("plies: Fixed(2), dead: Lost"),
        ),
        (
            samples("MonteCarlo", ", policy: Strategy(\"emr\")"),
            "Policy",
            "Random",
            samples("MonteCarlo", ""),
        ),
        (
            samples("MonteCarlo", ""),
            "Until",
            "Moves",
            samples("MonteCarlo", ", until: Moves(20)"),
        ),
        (
            samples("MonteCarlo", ""),
            "Playout value",
            "Score",
            samples("MonteCarlo", ", of: Score"),
        ),
        (
            samples("Mcts", ", of: Score"),
            "Playout value",
            "Reach",
            samples("Mcts", ", of: Reach(2048)"),
        ),
        (
            samples("Mcts", ", of: Reach(2048)"),
            "Tile to reach",
            "512",
            samples("Mcts", ", of: Reach(512)"),
        ),
        (
            samples("Mcts", ""),
            "Nodes of the tree",
            "Open loop",
            samples("Mcts", ", tree: OpenLoop"),
        ),
        (
            "(evaluator: HasTile(2048))".to_owned(),
            "Tile to look for",
            "512",
            "(evaluator: HasTile(512))".to_owned(),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Depth",
            "By empty cells",
            expectimax("plies: ByEmpty([(8, 2), (4, 3), (0, 4)])"),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Depth",
            "By tiles",
            expectimax("plies: ByDistinct(offset: -2, at_least: 1)"),
        ),
        (
            expectimax("plies: ByEmpty([(0, 2)])"),
            "Depth",
            "Fixed",
            expectimax("plies: Fixed(3)"),
        ),
        (
            expectimax("plies: Fixed(2), nodes: 50"),
            "Depth",
            "By the limit",
            expectimax("nodes: 50"),
        ),
        (
            expectimax("plies: Fixed(2), cuts: [ImportantCells(k: 2, weights: \"a\")]"),
            "Weights of cells",
            "c",
            expectimax("plies: Fixed(2), cuts: [ImportantCells(k: 2, weights: \"c\")]"),
        ),
        (
            expectimax("plies: Fixed(2)"),
            "Lookahead",
            "Alpha-beta",
            "(evaluator: Empty, lookahead: Minimax(plies: Fixed(2), cuts: [AlphaBeta]))".to_owned(),
        ),
        (
            "(evaluator: Empty)".to_owned(),
            "Evaluator",
            "Snake",
            "(evaluator: Snake)".to_owned(),
        ),
        (
            "(evaluator: Sum([(1, Score)]))".to_owned(),
            "Term 1",
            "MaxTile",
            "(evaluator: Sum([(1, MaxTile)]))".to_owned(),
        ),
        (
            "(evaluator: Product(Score, Empty))".to_owned(),
            "Factor 2",
            "Snake",
            "(evaluator: Product(Score, Snake))".to_owned(),
        ),
    ];

    // Choices of one strategy follow each other, so that it is opened once.
    cases.sort_by(|one, other| one.0.cmp(&other.0));
    let mut window = tall();
    let mut opened = String::new();
    for (before, list, choice, after) in cases {
        if opened != before {
            unfold(&mut window, &before);
            opened = before;
        }
        let unchanged = now(&window);
        window.click(list);
        window
            .harness
            .click_at(entry(&window.harness, choice).rect().center());
        let wanted: Strategy = format!("Strategy(criteria: [{after}])")
            .parse()
            .expect(&after);
        assert_eq!(now(&window), wanted.criteria[0], "{choice} of {list}");
        window.undo();
        assert_eq!(now(&window), unchanged, "{choice} of {list} in one step");
    }
}

#[test]
fn every_switch_goes_on_and_off_again() {
    let minimax =
        |inside: &str| format!("(evaluator: Empty, lookahead: Minimax(plies: Fixed(2){inside}))");
    let cases = [
        ("Alpha-beta cut", ", cuts: [AlphaBeta]"),
        ("Worst spawns", ", cuts: [WorstSpawns]"),
        ("Reach below", ", cuts: [Reach(0.0001)]"),
        (
            "Important cells",
            ", cuts: [ImportantCells(k: 4, weights: \"a\")]",
        ),
        ("Nodes", ", nodes: 20000"),
        ("Time", ", time_ms: 50"),
    ];

    let mut window = tall();
    let off = unfold(&mut window, &minimax(""));
    for (label, inside) in cases {
        let wanted: Strategy = format!("Strategy(criteria: [{}])", minimax(inside))
            .parse()
            .expect(inside);
        window.click(label);
        assert_eq!(now(&window), wanted.criteria[0], "{label}");
        window.click(label);
        assert_eq!(now(&window), off, "{label} off again");
    }

    let sampling = unfold(
        &mut window,
        "(evaluator: Score, lookahead: MonteCarlo(playouts: 3))",
    );
    window.click("Until sure");
    let sure =
        "Strategy(criteria: [(evaluator: Score, lookahead: MonteCarlo(playouts: 3, sure_by: 2))])";
    assert_eq!(
        now(&window),
        sure.parse::<Strategy>().expect(sure).criteria[0]
    );
    window.click("Until sure");
    assert_eq!(now(&window), sampling, "off again");
    let off = unfold(&mut window, &minimax(""));
    window.click("Off");
    assert_eq!(
        now(&window),
        Criterion {
            off: true,
            ..off.clone()
        }
    );
    window.click("On");
    assert_eq!(now(&window), off);
}

#[test]
fn terms_and_steps_are_added_moved_set_back_and_removed() {
    let mut window = tall();
    unfold(&mut window, "(evaluator: Sum([(3, Score), (1, Empty)]))");
    let text = |window: &Window| now(window).evaluator.to_string();
    window.click("Move term 1");
    window.click("Move down");
    assert_eq!(text(&window), "Sum([(1.0, Empty), (3.0, Score)])");
    window.click("Reset Weight of term 2");
    assert_eq!(text(&window), "Sum([(1.0, Empty), (1.0, Score)])");
    window.click("Add term");
    assert_eq!(
        text(&window),
        "Sum([(1.0, Empty), (1.0, Score), (1.0, Uniformity)])"
    );
    window.click("Remove term 1");
    assert_eq!(text(&window), "Sum([(1.0, Score), (1.0, Uniformity)])");

    unfold(
        &mut window,
        "(evaluator: Empty, lookahead: Expectimax(plies: ByEmpty([(4, 2), (0, 3)])))",
    );
    let depth = |window: &Window| now(window).lookahead.to_string();
    window.click("Add step");
    assert_eq!(
        depth(&window),
        "Expectimax(plies: ByEmpty([(6, 1), (4, 2), (0, 3)]))"
    );
    window.click("Remove step 2");
    assert_eq!(
        depth(&window),
        "Expectimax(plies: ByEmpty([(6, 1), (0, 3)]))"
    );

    unfold(&mut window, "(evaluator: Lines(empty: 300, sum: 1))");
    window.click("Reset Lines empty");
    assert_eq!(text(&window), "Lines(sum: 1.0)");
    window.click("Reset to Xiao's");
    assert_eq!(text(&window), "Lines()");
}

#[test]
fn what_cannot_be_played_says_so_at_its_row() {
    let mut window = tall();
    unfold(
        &mut window,
        "(evaluator: Empty, lookahead: Expectimax(plies: ByEmpty([(4, 3), (8, 2)])))",
    );
    let reason = "the pairs of ByEmpty must go from many empty cells to few";
    let labels = window.harness.query_all_by_label_contains(reason);
    assert!(
        1 <= labels
            .filter(|node| !node.accesskit_node().is_hidden())
            .count()
    );
}
