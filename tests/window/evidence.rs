//! The Evidence panel: counts of the rows, and findings.

use afterstate::analysis::{Evidence, Example, FindingKind};
use afterstate::strategy::{Player, StrategyEdit};
use afterstate::task::Control;
use afterstate::workbench::App;
use afterstate::workbench::command::{ExperimentCommand, Panel, ViewCommand};
use egui::Key;
use egui::accesskit::{Action, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::common::{Drive as _, Window, apply, begin, begin_pasted, document, open, paste, until};

const ODD: &str = "Strategy(name: \"odd\", criteria: [(evaluator: Empty), (evaluator: Monotonicity), \
    (evaluator: Weights(\"a\")), (evaluator: Uniformity, tolerance: 1e12), (evaluator: Empty)])";

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

fn evidence(window: &Window) -> Option<&Evidence> {
    app(window)
        .building()
        .evidence(&app(window).document().strategy())
}

#[test]
fn the_last_batch_is_counted_as_it_was_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"mine\", criteria: [(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Snake)])",
    );

    apply(&mut window, ViewCommand::ShowPanel(Panel::Evidence));
    assert!(
        window
            .get_by_label("Last batch")
            .accesskit_node()
            .is_disabled(),
        "the run did not play it"
    );
    let mine = document(&window).strategy();
    apply(
        &mut window,
        ExperimentCommand::Add(Box::new((*mine).clone())),
    );
    apply(&mut window, ExperimentCommand::SetGames(30));
    apply(&mut window, ExperimentCommand::SetSeed(5));
    apply(&mut window, ExperimentCommand::Run);
    window.click("Last batch");
    let expected = Evidence::gather(
        &Player::new(&mine, document(&window).setup().rules),
        5,
        30,
        None,
        &Control::default(),
    );

    let found = evidence(&window).expect("counted").clone();
    assert_eq!(
        Evidence {
            took: expected.took,
            took_whole: expected.took_whole,
            ..found
        },
        expected
    );
    // The table shows the same.
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / expected.decisions as f64);

    for (row, name) in ["1 Empty", "2 Monotonicity", "3 Snake"]
        .into_iter()
        .enumerate()
    {
        let row = &expected.rows[row];
        let line = format!(
            "{name}: reached {}, decided {}, tie {}, moves left {:.2}",
            share(row.asked),
            share(row.decided),
            share(row.passed),
            row.mean_left().expect("reached")
        );
        window.get_by_label(&line);
    }

    // The last resort has no example, so its row is no button; a row leads to a decision that it ended.
    let last = format!("then Random: decided {}", share(expected.last_resort));
    let acts = |window: &Window, row: &str| {
        let row = window.get_by_role_and_label(Role::Row, row);
        let row = row.accesskit_node();
        [Action::Click, Action::Focus].map(|action| row.data().supports_action(action))
    };
    let before = document(&window).board();
    window.click(&last);
    assert_eq!(
        (document(&window).board(), acts(&window, &last)),
        (before, [false, true])
    );
    let second = window
        .get_by_label_contains("2 Monotonicity: reached")
        .accesskit_node()
        .label()
        .expect("a name");
    assert_eq!(acts(&window, &second), [true, true]);
    window.click(&second);
    let example = expected.rows[1].example.expect("it decided");
    assert_eq!(
        (document(&window).board(), document(&window).node().score),
        (example.board, example.score)
    );
}

#[test]
fn findings_are_shown_where_they_can_be_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, ODD);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Evidence));
    window.click("One second");
    let findings = app(&window)
        .building()
        .sampling
        .findings
        .clone()
        .expect("found")
        .found;
    for (row, kind) in [
        (2, FindingKind::NotSymmetric),
        (3, FindingKind::TolerantBeyondRange),
        (4, FindingKind::Repeats),
    ] {
        assert!(
            findings
                .iter()
                .any(|finding| (finding.row, finding.kind) == (row, kind)),
            "{kind:?}: {findings:?}"
        );
    }

    window.click_role(Role::RadioButton, &format!("Findings {}", findings.len()));
    let tolerant = findings
        .iter()
        .find(|finding| finding.kind == FindingKind::TolerantBeyondRange)
        .expect("found");
    let Some(Example::Position { board, score }) = tolerant.example else {
        panic!("{tolerant:?}")
    };

    window.click("Show me where, Row 4 Uniformity");
    assert_eq!(
        (document(&window).board(), document(&window).node().score),
        (board, score)
    );
    apply(&mut window, ViewCommand::ShowPanel(Panel::Evidence));
    let crooked = findings
        .iter()
        .find(|finding| finding.kind == FindingKind::NotSymmetric)
        .expect("found");
    let Some(Example::Pair {
        image,
        values,
        symmetry,
        ..
    }) = &crooked.example
    else {
        panic!("{crooked:?}")
    };
    window.click("Show me the two boards, Row 3 Weights a");
    assert_ne!(values.0, values.1);
    let caption = format!("{}: ", symmetry.name());
    window.click_at(
        window
            .get_by(|node| {
                node.label()
                    .is_some_and(|label| label.starts_with(&caption))
            })
            .rect()
            .center(),
    );
    assert_eq!(document(&window).board(), *image);
}

#[test]
fn an_edited_strategy_is_sampled_again_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Evidence));
    window.click("One second");
    let rows = evidence(&window).expect("counted").rows.len();
    let copied = document(&window).strategy().criteria[0].clone();
    begin(
        &mut window,
        StrategyEdit::AddRow {
            at: rows,
            criterion: copied,
        },
    );
    assert!(
        evidence(&window).is_none(),
        "nothing is said of another strategy"
    );
    until(&mut window, "the second sample", |window| {
        evidence(window).is_some()
    });
    assert_eq!(evidence(&window).expect("counted").rows.len(), rows + 1);
    until(&mut window, "the cost", |window| {
        let hash = document(window).strategy().hash();
        app(window)
            .building()
            .sampling
            .price
            .as_ref()
            .is_some_and(|price| price.strategy.hash() == hash)
    });

    window.click_role(Role::RadioButton, "Cost");
    assert!(
        window
            .query_by_label_contains("Decisions per second")
            .is_some()
    );
    assert!(window.query_by_label_contains("games take ").is_some());
}

#[test]
fn escape_ends_a_sample_with_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    begin_pasted(
        &mut window,
        "Strategy(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])",
    );
    begin(&mut window, ViewCommand::ShowPanel(Panel::Evidence));
    window.get_by_label("One second").click();
    window.draw();
    assert!(app(&window).building().sampling.progress().is_some());
    for _ in 0..3 {
        window.key_press(Key::Escape);
        window.draw();
    }
    window.settle();
    assert!(evidence(&window).is_none(), "no decision was made");
}
