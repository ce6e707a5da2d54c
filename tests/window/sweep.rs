//! Sweeps and tunings in the window: create from a row, run, inspect, open a point and a winner.

use afterstate::experiment::State;
use afterstate::preset::{Axis, Item as _, Preset, Tuning};
use afterstate::workbench::command::{
    ExperimentCommand, FileCommand, Panel, PictureFormat, Purpose, StrategyCommand, ViewCommand,
    Workspace,
};
use egui_kittest::kittest::{AccessKitNode, NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document, open, until};

const MIX: &str = "(name: \"mix\", criteria: [(evaluator: Sum([(1.0, Empty), (0.5, Score)]))])";

fn swept(folder: &std::path::Path, settings: &[&str]) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(MIX.parse().expect("a strategy"))),
    );
    for setting in settings {
        apply(&mut window, ExperimentCommand::Sweep((*setting).to_owned()));
    }
    apply(&mut window, ExperimentCommand::SetGames(20));
    window
}

fn run(window: &mut Window) {
    apply(window, ExperimentCommand::Run);
    assert!(
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    );
}

fn points(window: &Window, name: &str) -> Vec<String> {
    let is_point = |node: &AccessKitNode<'_>| {
        node.label()
            .is_some_and(|label| label.starts_with(name) && label.contains("95 % interval"))
    };
    let mut found: Vec<String> = window
        .query_all_by(is_point)
        .filter_map(|node| node.accesskit_node().label())
        .collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn a_setting_is_swept_from_its_strategy_and_a_point_lists_its_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = swept(folder.path(), &["weight of Score"]);
    let setup: &Preset = document(&window).setup();
    assert_eq!(
        (setup.strategies.len(), setup.title.as_str()),
        (6, "mix by weight of Score")
    );
    assert_eq!(
        setup.strategies[1].strategy.label(),
        "mix, weight of Score 0.125"
    );

    // Its values are a field of the set-up.
    let new: Axis = "weight of Score=0..1/3".parse().expect("an axis");
    apply(&mut window, ExperimentCommand::SetSweep(vec![new]));
    let names: Vec<String> = document(&window)
        .setup()
        .strategies
        .iter()
        .map(|one| one.strategy.label())
        .collect();
    assert_eq!(
        names,
        [
            "mix, weight of Score 0",
            "mix, weight of Score 0.5",
            "mix, weight of Score 1"
        ]
    );
    assert!(window.query_by_label("Values of weight of Score").is_some());
    run(&mut window);
    let found = points(&window, "mix, weight of Score ");
    assert_eq!(found.len(), 3, "{found:?}");
    let middle = found
        .iter()
        .find(|label| label.starts_with("mix, weight of Score 0.5: mean "))
        .expect("the middle one");
    assert!(middle.ends_with(", 20 games"), "{middle}");
    window.click(middle);
    assert!(
        window
            .query_by_label("20 games of mix, weight of Score 0.5")
            .is_some(),
        "its games are listed"
    );
}

#[test]
fn the_chance_of_a_4_is_swept_and_its_points_stand_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = swept(folder.path(), &["chance of a 4"]);
    let setup: &Preset = document(&window).setup();
    assert_eq!(
        (setup.strategies.len(), setup.title.as_str()),
        (5, "mix by chance of a 4")
    );
    let chances: Vec<Option<f64>> = setup.strategies.iter().map(|entry| entry.p4).collect();
    assert_eq!(chances, [0.0, 0.1, 0.2, 0.5, 1.0].map(Some));
    run(&mut window);
    assert_eq!(points(&window, "mix, chance of a 4 ").len(), 5);
    window.get_by_label_contains(
        "No difference where the rules differ from those of mix, chance of a 4 0",
    );

    // A game of it has the rules of its point.
    apply(&mut window, ExperimentCommand::OpenGame(4, 3));
    assert_eq!(document(&window).game().rules.p4, 1.0);
    // The saved set-up is read back unchanged, and matches a reopened run.
    assert!(
        !document(&window)
            .last_run()
            .is_stale(document(&window).setup())
    );
    let text = document(&window).setup().to_text();
    assert_eq!(
        Preset::from_text(&text).as_ref(),
        Ok(&**document(&window).setup())
    );
}

#[test]
fn two_settings_are_a_field_and_what_cannot_be_swept_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = swept(folder.path(), &["weight of Score", "tolerance"]);
    let over = |window: &Window| {
        document(window)
            .setup()
            .sweep
            .clone()
            .expect("a sweep")
            .over
            .len()
    };
    assert_eq!(
        (over(&window), document(&window).setup().strategies.len()),
        (2, 36)
    );
    let axes =
        ["weight of Score=0,1", "tolerance=0,3"].map(|text| text.parse::<Axis>().expect("an axis"));
    apply(&mut window, ExperimentCommand::SetSweep(axes.to_vec()));
    run(&mut window);
    let found = points(&window, "mix, weight of Score ");
    assert_eq!(found.len(), 4);
    // The exported figure has the names of both settings, and value and interval in each cell.
    let drawing = folder.path().join("field.svg");
    apply(
        &mut window,
        FileCommand::SaveTo(
            Purpose::SaveFigure(Panel::Experiment, PictureFormat::Svg),
            drawing.clone(),
        ),
    );
    let saved = std::fs::read_to_string(&drawing).expect("a drawing");
    for text in ["↓ weight of Score", "→ tolerance"] {
        assert!(saved.contains(text), "{text} in {saved}");
    }

    for point in found {
        // "mix, weight of Score 0, tolerance 3: mean score 1,147, 95 % interval 1,013 to 1,281, 20 games".
        let (_, numbers) = point.split_once("mean ").expect("a value");
        let (value, rest) = numbers.split_once(", 95 % interval ").expect("an interval");
        let (ends, _) = rest.rsplit_once(", ").expect("the games");
        for text in [value.rsplit(' ').next().expect("a number"), ends] {
            assert!(saved.contains(text), "{text} of {point} in {saved}");
        }
    }

    let many = ["weight of Score=0..9/15", "tolerance=0..3/15"]
        .map(|text| text.parse::<Axis>().expect("an axis"));
    apply(&mut window, ExperimentCommand::SetSweep(many.to_vec()));
    assert_eq!(document(&window).setup().strategies.len(), 4);
    assert!(
        window
            .query_all_by_label_contains("the limit is 200")
            .next()
            .is_some()
    );
}

#[test]
fn a_weight_is_tuned_from_its_strategy_and_the_winner_opened() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = swept(folder.path(), &[]);
    apply(
        &mut window,
        ExperimentCommand::TuneOver("weight of Score".to_owned()),
    );
    let tuning = document(&window).setup().tune.clone().expect("a tuning");
    apply(
        &mut window,
        ExperimentCommand::SetTuning(Tuning {
            games: 400,
            verify: Some(30),
            ..tuning
        }),
    );

    window.get_by_label("Tune").click();
    window.draw();
    assert!(document(&window).tuning().is_some(), "it has begun");
    assert!(
        document(&window)
            .can(&ExperimentCommand::Run.into())
            .is_err(),
        "one thing plays at a time"
    );

    until(&mut window, "the tuning ends", |window| {
        document(window)
            .tuning()
            .is_some_and(|tuning| !tuning.is_busy())
    });
    let tuning = document(&window).tuning().expect("a tuning");
    assert_eq!(
        (
            tuning.failure.as_deref(),
            tuning.verified().map(|one| one.games)
        ),
        (None, Some(30))
    );
    assert!(
        window
            .query_all_by_label_contains("Learning curve, winner ")
            .next()
            .is_some()
    );
    assert!(
        window
            .query_all_by_label_contains("fresh games each")
            .next()
            .is_some()
    );

    window.click("Open the winner as a strategy");
    assert_eq!(document(&window).strategy().name, "mix, tuned");
}
