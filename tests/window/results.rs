//! The table of results: order and columns, also after a restart.

use std::path::Path;

use afterstate::experiment::State;
use afterstate::game::Rules;
use afterstate::workbench::command::{ExperimentCommand, ViewCommand, Workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{
    Drive as _, Window, apply, document, keep_session, open_with, rows, type_into, until,
};

fn open(folder: &Path, size: [f32; 2]) -> Window {
    keep_session(folder, 1000);
    let mut window = open_with(folder, size, Vec::new());
    assert!(
        document(&window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    );
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    window
}

/// The titles of the columns of the results, left to right.
fn titles(window: &Window) -> Vec<String> {
    let panel = window.get_by_role_and_label(Role::Pane, "Results");
    let mut titles: Vec<(f32, String)> = panel
        .query_all_by_role(Role::ColumnHeader)
        .filter_map(|title| {
            let name = title.accesskit_node().label()?;
            Some((
                title.rect().left(),
                name.strip_prefix("Sort by ")?.split(',').next()?.to_owned(),
            ))
        })
        .collect();
    titles.sort_by(|a, b| a.0.total_cmp(&b.0));
    titles.into_iter().map(|(_, title)| title).collect()
}

#[test]
fn results_are_sorted_by_several_columns_and_stay_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open(folder.path(), [1600.0, 1000.0]);
    let shift = |window: &mut Window, title: &str| {
        window.get_by_label(title).focus();
        window.settle();
        window.press_keys(egui::Modifiers::SHIFT, egui::Key::Enter);
    };

    window.click("Sort by n");
    shift(&mut window, "Sort by Mean ± 95 %");
    assert_eq!(
        rows(&window),
        ["emr", "mr", "er", "r"],
        "all have played as many games"
    );
    window.get_by_label("Sort by n, sorted, largest first, key 1 of 2");
    shift(
        &mut window,
        "Sort by Mean ± 95 %, sorted, largest first, key 2 of 2",
    );
    assert_eq!(rows(&window), ["r", "er", "mr", "emr"]);
    window.get_by_label("Sort by Mean ± 95 %, sorted, smallest first, key 2 of 2");
    window.click("Row er");
    window.click("Columns");
    window.click("Median");
    window.press_key(egui::Key::Escape);
    window.click("ECDF");
    let before = titles(&window);
    assert!(!before.contains(&"Median".to_owned()), "{before:?}");
    until(&mut window, "the settings are written", |_| {
        std::fs::read_to_string(folder.path().join("settings.ron"))
            .is_ok_and(|text| text.contains("\"ECDF\""))
    });

    drop(window);
    let mut window = open(folder.path(), [1600.0, 1000.0]);
    assert_eq!(
        (rows(&window), titles(&window)),
        (["r", "er", "mr", "emr"].map(str::to_owned).to_vec(), before)
    );
    window.get_by_label_contains("Cumulative shares of scores");
    let selected = window.get_by_label("Row er").accesskit_node().toggled();
    assert_eq!(
        selected,
        Some(egui::accesskit::Toggled::True),
        "it is selected"
    );
    window.click("Sort by n, sorted, largest first, key 1 of 2");
    window.get_by_label("Sort by n, sorted, smallest first");
}

#[test]
fn ranks_are_named_where_no_column_says_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open(folder.path(), [2560.0, 1440.0]);
    assert!(
        window
            .query_by_label_contains("Ranks have 95 % confidence")
            .is_some()
    );
    assert!(
        window.query_by_label_contains("Ranking of 4").is_none(),
        "the column says it"
    );
    window.click("Columns");
    window.click("Rank of 4");
    window
        .get_by_label_contains("Ranking of 4 (95 % confidence, n = 1,000): 1 emr, 2 mr, 3 er, 4 r");
}

#[test]
fn who_is_not_told_apart_is_named_with_the_number_of_games() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open(folder.path(), [1600.0, 1000.0]);
    apply(&mut window, ExperimentCommand::SetSeed(2));
    apply(&mut window, ExperimentCommand::SetGames(3));
    apply(&mut window, ExperimentCommand::Run);
    let sentence = "No difference found at n = 3 (95 %): ";
    assert!(window.query_by_label_contains(sentence).is_some());
    let says = |text: &str| window.query_all_by_label_contains(text).next().is_some();
    assert!(
        !says("Ranking of 4") && !says("Ranks have 95 %"),
        "three games leave every place open"
    );
}

#[test]
fn rows_stand_in_classes_in_the_results_and_in_the_plots() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open(folder.path(), [2560.0, 1440.0]);
    assert!(
        window
            .query_by_label_contains("Ranks have 95 % confidence")
            .is_some()
    );
    window.click("Ladder");
    let cells = window.query_all_by_label_contains("100 games reached 64, 95 % interval");
    let labels: Vec<String> = cells
        .filter_map(|cell| cell.accesskit_node().label())
        .collect();
    assert!(
        labels
            .iter()
            .all(|cell| cell.contains(" moves and ") && cell.contains(" s of CPU time on average")),
        "{labels:?}"
    );

    assert!(window.query_by_label("Select emr").is_some());
    window.click("Sort by Class");
    assert_eq!(rows(&window)[0], "emr");
    window.settle();
    window.get_by_label("Select emr, class a");
    window.click("Box");
    window.get_by_label_contains("emr, class a: ");
}

#[test]
fn columns_keep_their_places_while_games_are_played() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open(folder.path(), [1600.0, 1000.0]);
    type_into(&mut window, "Games per strategy", "1,000,000");
    window.get_by_label("Run").click();
    window.draw();
    let finished = |window: &Window| {
        document(window)
            .last_run()
            .progress()
            .map_or(0, |progress| progress.work.done)
    };
    let mut before: Option<Vec<String>> = None;
    for games in [5, 40, 400, 1500] {
        until(&mut window, "more games", |window| {
            games <= finished(window)
        });
        let now = titles(&window);
        assert_eq!(
            *before.get_or_insert(now.clone()),
            now,
            "after {games} games"
        );
    }
    let rests = |window: &Window| {
        window
            .query_by_label_contains("Running, not final: differences of ")
            .is_some()
    };
    until(&mut window, "what the differences rest on", rests);
    window.press(ExperimentCommand::Stop);
}

#[test]
fn a_small_board_has_exact_means_beside_the_measured_ones() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open(folder.path(), [2560.0, 1440.0]);
    let seen =
        |window: &Window, text: &str| window.query_all_by_label_contains(text).next().is_some();
    let run = |window: &mut Window, size: &str| {
        let rules = Rules {
            size: size.parse().expect("a size"),
            ..Rules::default()
        };
        apply(window, ExperimentCommand::SetRules(rules));
        apply(window, ExperimentCommand::SetGames(400));
        apply(window, ExperimentCommand::Run);
        assert!(
            document(window)
                .last_run()
                .plan()
                .is_some_and(|plan| plan.rules.size.to_string() == size)
        );
        assert!(
            document(window)
                .last_run()
                .state()
                .is_some_and(State::has_ended)
        );
    };

    assert!(
        !titles(&window).contains(&"Exact mean".to_owned()),
        "4x4 is not solved"
    );
    run(&mut window, "2x2");
    assert!(titles(&window).contains(&"Exact mean".to_owned()));
    window.click("Columns");
    assert!(
        seen(&window, "Of best"),
        "it has a column, with room or without"
    );
    window.press_key(egui::Key::Escape);
    assert!(seen(&window, "Best play is worth exactly 66.96 points"));
    assert!(
        seen(&window, "✓ compatible") || seen(&window, "? cannot tell"),
        "a verdict"
    );
    window.click("Ladder");
    assert!(
        seen(&window, " % exactly"),
        "the ladder has the exact share"
    );

    // Expensive numbers need a request, and the button shows their cost.
    run(&mut window, "2x4");
    assert!(seen(&window, "4 strategies: at most 19,923,068 boards"));
    assert!(
        !titles(&window).contains(&"Exact mean".to_owned()),
        "nothing of 2x2"
    );
    window.get_by_label("Find exact means").click();
    until(&mut window, "it is being found", |window| {
        seen(window, "0 of 4 strategies")
    });
    window.click("Stop finding exact numbers");
    assert!(seen(&window, "Find exact means"), "it is stopped");
}
