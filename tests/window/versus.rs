//! An edited strategy against its previous version, and two strategies side by side.

use afterstate::analysis::{Sample, agreement};
use afterstate::experiment::State;
use afterstate::strategy::{Player, Strategy, StrategyEdit};
use afterstate::task::CancelToken;
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, CompareCommand, ExperimentCommand, GameCommand, Panel, StrategyCommand, ViewCommand,
};
use afterstate::workbench::state::Thought;
use afterstate::workbench::theme::HUES;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, begin, document, drag, open, paste, until};

fn test_it() -> Command {
    Command::Compare(CompareCommand::TestAgainstPrevious)
}

fn run_ends(window: &mut Window) {
    window.settle();
    assert!(
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    );
}

fn settle(window: &mut Window) {
    window.settle();
    let doc = document(window);
    assert!(
        doc.thought() == Thought::Settled && doc.is_baseline_settled() && !doc.seeks_disagreement()
    );
}

/// Opens the comparison of `emr` with `mr`.
fn compare(folder: &std::path::Path) -> Window {
    let mut window = open(folder);
    run_ends(&mut window);
    apply(&mut window, CompareCommand::With(Some(1)));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Compare));
    settle(&mut window);
    window
}

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

/// The text of a label that contains `part`, or the name of another part of the window.
fn label_containing(window: &Window, part: &str) -> Option<String> {
    let node = window.query_all_by_label_contains(part).next()?;
    let node = node.accesskit_node();
    node.label().or_else(|| node.value())
}

#[test]
fn a_test_plays_both_on_the_same_seeds_and_compares_with_the_previous_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    run_ends(&mut window);
    assert!(app(&window).can(&test_it()).is_err(), "nothing was changed");
    apply(&mut window, StrategyEdit::MoveRow { from: 1, to: 0 });
    let (setup, games) = (
        document(&window).setup().clone(),
        document(&window).setup().games,
    );
    let shown: Vec<_> = setup
        .strategies
        .iter()
        .map(|entry| entry.strategy.hash())
        .collect();
    let shown: Vec<_> = shown
        .into_iter()
        .chain(
            document(&window)
                .strategies()
                .iter()
                .map(afterstate::workbench::state::Opened::hash),
        )
        .collect();
    let colors = |window: &Window| {
        shown
            .iter()
            .map(|&hash| document(window).color_index(hash))
            .collect::<Vec<_>>()
    };
    let before = colors(&window);

    apply(&mut window, test_it());
    run_ends(&mut window);
    let doc = document(&window);
    let plan = doc.last_run().plan().expect("it ran");
    let names: Vec<String> = plan
        .contestants
        .iter()
        .map(|contestant| contestant.strategy.label())
        .collect();
    assert_eq!(names, ["mer", "emr, before"]);
    let hashes: Vec<_> = plan
        .contestants
        .iter()
        .map(|contestant| contestant.strategy.hash())
        .collect();
    assert_eq!(
        hashes,
        [doc.strategy().hash(), doc.opened().origin.before.hash()]
    );
    assert_eq!(
        (plan.seed, plan.games, plan.rules),
        (setup.seed, games, setup.rules)
    );
    assert!(
        label_containing(&window, "Against emr, before").is_some(),
        "the previous one is the baseline"
    );
    assert!(!doc.last_run().is_stale(doc.setup()));
    apply(&mut window, Command::Undo);
    assert_eq!(
        *document(&window).setup(),
        setup,
        "one step takes the experiment back"
    );
    assert_eq!(
        document(&window).strategy().label(),
        "mer",
        "and the strategy stays"
    );
    window.settle();
    assert_eq!(colors(&window), before, "with all colours");
    apply(&mut window, Command::Redo);
    let [now, earlier] =
        [hashes[0], hashes[1]].map(|hash| document(&window).color_index(hash) % HUES);
    assert_ne!(now, earlier, "and done again with two");
}

#[test]
fn there_is_no_test_of_what_plays_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    run_ends(&mut window);
    apply(&mut window, StrategyEdit::Rename("other".to_owned()));
    let reason = app(&window).can(&test_it()).expect_err("it plays alike");
    assert!(reason.contains("plays as before"), "{reason}");
    let parent: Strategy = "mr".parse().expect("letters");
    let child = Strategy {
        name: "child".to_owned(),
        parent: Some(parent.hash()),
        ..(*document(&window).strategy()).clone()
    };
    apply(&mut window, StrategyCommand::Open(Box::new(child)));
    assert_eq!(app(&window).can(&test_it()), Ok(()), "its parent is open");
    assert_eq!(
        document(&window).previous().map(|previous| previous.hash()),
        Ok(parent.hash())
    );
}

#[test]
fn what_was_begun_with_no_rows_is_tested_against_what_was_played_or_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    run_ends(&mut window);
    apply(&mut window, StrategyCommand::New);
    let add = |window: &mut Window, evaluator: &str| {
        let rows = document(window).strategy().criteria.len();
        let row =
            afterstate::strategy::Criterion::one_ply(evaluator.parse().expect("an evaluator"));
        apply(
            window,
            StrategyEdit::AddRow {
                at: rows,
                criterion: row,
            },
        );
    };
    add(&mut window, "Empty");

    // The initial empty list of rows plays at random, which is not a useful test.
    let reason = app(&window)
        .can(&test_it())
        .expect_err("nothing was before");
    assert!(reason.contains("run it or save it"), "{reason}");
    let first = document(&window).strategy().hash();
    apply(&mut window, ExperimentCommand::AddCurrent);
    apply(&mut window, ExperimentCommand::Run);
    run_ends(&mut window);
    add(&mut window, "Monotonicity");
    assert_eq!(
        document(&window).previous().map(|previous| previous.hash()),
        Ok(first)
    );
    let second = document(&window).strategy().hash();
    apply(&mut window, test_it());
    run_ends(&mut window);
    let plan = document(&window).last_run().plan().expect("it ran");
    let hashes: Vec<_> = plan
        .contestants
        .iter()
        .map(|contestant| contestant.strategy.hash())
        .collect();
    assert_eq!(hashes, [second, first]);

    // The next edit is tested against the version played last.
    add(&mut window, "Uniformity");
    assert_eq!(
        document(&window).previous().map(|previous| previous.hash()),
        Ok(second)
    );
}

#[test]
fn a_test_of_searches_is_timed_first_and_escape_gives_it_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    run_ends(&mut window);
    paste(
        &mut window,
        "(name: \"deep\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])",
    );
    let mut shallow = document(&window).strategy().criteria[0].clone();
    shallow.tolerance = 2.0;
    apply(&mut window, StrategyCommand::set_row(0, shallow, false));
    let before = document(&window).setup().clone();

    begin(&mut window, test_it());
    assert!(app(&window).can(&test_it()).is_err(), "it is being timed");
    apply(&mut window, Command::Stop);
    assert_eq!(
        (
            document(&window).last_run().is_busy(),
            document(&window).setup() == &before
        ),
        (false, true)
    );
    begin(&mut window, test_it());
    until(&mut window, "the start", |window| {
        document(window).last_run().is_busy()
    });
    let games = document(&window).setup().games;
    assert!((10..=before.games).contains(&games), "{games} games");
    apply(&mut window, ExperimentCommand::Stop);
    run_ends(&mut window);
}

#[test]
fn both_decisions_stand_side_by_side_with_a_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = compare(folder.path());
    apply(&mut window, GameCommand::First);
    settle(&mut window);
    apply(
        &mut window,
        Command::Compare(CompareCommand::NextDisagreement),
    );
    settle(&mut window);
    let doc = document(&window);
    let choices = [
        doc.decision(),
        doc.baseline_decided().map(|decided| &decided.decision),
    ]
    .map(|decision| decision.expect("settled").choice);
    assert!((choices[0] & choices[1]).is_empty());
    let text = label_containing(&window, "They differ: A chooses").expect("the verdict");
    for mv in choices[0].iter().chain(choices[1].iter()) {
        assert!(text.contains(&mv.to_string()), "{text}");
    }

    for letter in ["A", "B"] {
        assert_eq!(
            window
                .query_all_by_label_contains(&format!("{letter}: "))
                .filter(|node| node
                    .accesskit_node()
                    .label()
                    .is_some_and(|label| label.contains(", value ") || label.contains("illegal")))
                .count(),
            4
        );
    }
}

#[test]
fn the_previous_version_is_opened_beside_and_what_plays_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, StrategyEdit::RemoveRow(0));
    let before = document(&window).opened().origin.before.clone();
    apply(&mut window, ViewCommand::ShowPanel(Panel::Compare));
    window.click("Compare with previous");
    let doc = document(&window);
    let rival = &doc.strategies()[doc.baseline().expect("set")];
    assert_eq!(
        (rival.hash(), rival.name.as_str()),
        (before.hash(), "emr, before")
    );
    assert_eq!(doc.current(), 0);
    apply(&mut window, Command::Undo);
    assert_eq!(document(&window).baseline(), None);
}

#[test]
fn the_agreement_is_that_of_the_study_and_a_row_leads_to_a_disagreement() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = compare(folder.path());
    window.click("Agreement");
    window.click("Measure");
    let doc = document(&window);
    let rules = doc.game().rules;
    let [a, b] = [0, 1].map(|index: usize| Player::new(&doc.strategies()[index].strategy, rules));
    let stop = CancelToken::new();
    let sample = Sample::play(&a, 1, 20_000, crate::common::HANG, &stop);
    let whole = agreement(&a, &b, &sample, &stop);
    assert_eq!(
        whole.all.n, 20_000,
        "one second is enough for all positions"
    );

    let name = |phase: &str, share: afterstate::analysis::Share| {
        let (value, interval) = (
            share.value().expect("some"),
            share.interval().expect("some"),
        );
        let percent = |value: f64| format!("{:.1}", value * 100.0);
        let interval = format!("{} to {}", percent(interval.low), percent(interval.high));
        format!(
            "{phase}: {} % the same, {interval}, of {}",
            percent(value),
            share.n
        )
    };
    let all = name("all", whole.all);
    // On a busy machine, one second may not be enough.
    for _ in 0..20 {
        if window.query_by_label(&all).is_some() {
            break;
        }
        window.click("Measure again");
    }

    assert!(window.query_by_label(&all).is_some(), "{all}");
    let (&empty, &share) = whole
        .by_empty
        .iter()
        .find(|(_, share)| share.same < share.n)
        .expect("they differ");
    let row = name(&format!("{empty} empty"), share);
    until(&mut window, "the row where they differ", |window| {
        window.query_by_label(&row).is_some()
    });
    window.get_by_label(&row).click();
    settle(&mut window);
    let doc = document(&window);
    assert_eq!(doc.board().empty_count(), empty);
    let choices = [
        doc.decision(),
        doc.baseline_decided().map(|decided| &decided.decision),
    ]
    .map(|decision| decision.expect("settled").choice);
    assert_ne!(choices[0], choices[1]);
    let first = doc.board();
    if 1 < share.n - share.same {
        window.get_by_label(&row).click();
        settle(&mut window);
        assert_ne!(document(&window).board(), first, "the next one");
    }
}

#[test]
fn a_strategy_dropped_onto_the_panel_becomes_b() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::ShowPanel(Panel::Compare));
    let strategy = document(&window).strategies()[2].strategy.clone();
    let from = window.get_by_label("Open strategy er").rect().center();
    let to = window
        .get_by_label("Choose B above, or drop a strategy here")
        .rect()
        .center();
    drag(&mut window, from, to);
    let doc = document(&window);
    assert_eq!(
        doc.baseline().map(|index| doc.strategies()[index].hash()),
        Some(strategy.hash())
    );
}
