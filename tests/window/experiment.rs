//! The panels Experiment, Results and Games in a window without a display, driven by accessible names.

use std::time::Duration;

use afterstate::experiment::{ResultsFormat, State};
use afterstate::preset::CHANCE_OF_A_4;
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, ExperimentCommand, FileCommand, Panel, PictureFormat, PresetSource, Purpose,
    ViewCommand, Workspace,
};
use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use strum::IntoEnumIterator as _;

use crate::common::{
    self, Drive as _, Opened, TOOLTIP, apply, begin, begin_all, button, entry, keep_session,
    keep_settings, open_in, rows, type_into, until,
};

struct Window {
    app: Option<App>,
    folder: tempfile::TempDir,
}

impl Window {
    fn app(&self) -> &App {
        self.app.as_ref().expect("shown once")
    }
}

impl Opened for Window {
    fn opened(&self) -> Option<&App> {
        self.app.as_ref()
    }

    fn place(&mut self) -> &mut Option<App> {
        &mut self.app
    }
}

/// Games per strategy of the finished run in a new window.
const GAMES: u64 = 1000;

fn open(size: [f32; 2]) -> Harness<'static, Window> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    keep_session(folder.path(), GAMES);
    keep_settings(folder.path());
    let path = folder.path().to_owned();
    let mut window = open_in(Window { app: None, folder }, &path, size, Vec::new());
    assert!(has_ended(&window), "the first run ends");
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    window
}

fn has_ended(window: &Harness<'_, Window>) -> bool {
    window
        .state()
        .app()
        .document()
        .last_run()
        .state()
        .is_some_and(State::has_ended)
}

fn plot(window: &Harness<'_, Window>) -> (egui::Rect, String) {
    let plot = window.get_by(|node| {
        node.label()
            .is_some_and(|label| label.starts_with("Histogram of scores"))
    });
    (
        plot.rect(),
        plot.accesskit_node().label().unwrap_or_default(),
    )
}

/// Presses the button of a command whose work the test watches.
#[track_caller]
fn start(window: &mut Harness<'_, Window>, command: ExperimentCommand) {
    button(window, command).click();
    window.draw();
}

#[track_caller]
fn drag(window: &mut Harness<'_, Window>, from: egui::Pos2, to: egui::Pos2) {
    window.hover_at(from);
    window.settle();
    common::drag(window, from, to);
}

#[test]
fn a_finished_run_is_a_table_sorted_by_any_column() {
    let mut window = open([1600.0, 1000.0]);
    assert_eq!(rows(&window), ["emr", "mr", "er", "r"]);
    window.click("Sort by Mean ± 95 %, sorted, largest first");
    assert_eq!(rows(&window), ["r", "er", "mr", "emr"]);
    window.click("Sort by Strategy");
    assert_eq!(rows(&window), ["emr", "er", "mr", "r"]);
}

#[test]
fn strategies_are_ranked_and_compared_with_a_baseline_game_by_game() {
    let mut window = open([2560.0, 1440.0]);
    until(&mut window, "the ranks", |window| {
        window
            .query_by_label_contains("Ranks have 95 % confidence")
            .is_some()
    });
    window.get_by_label_contains("Sort by Rank of 4");
    window.click("Sort by Rank of 4");
    assert_eq!(rows(&window)[0], "emr");
    window.get_by_label_contains("all 6 pairs together: paired differences of 1,000 games");

    let half_widths = |window: &Harness<'_, Window>| {
        let half = window
            .query_all_by_label_contains("± ")
            .map(|node| node.accesskit_node().label().unwrap_or_default());
        half.collect::<Vec<_>>()
    };
    let before = half_widths(&window);
    window.click_secondary_at(window.get_by_label("Row mr").rect().center());
    window.click("Use as baseline");
    until(&mut window, "another baseline", |window| {
        window
            .query_by_label_contains("Against mr ± 95 %")
            .is_some()
    });
    assert_ne!(half_widths(&window), before);

    // A restored experiment has its baseline again; until then the values of the sweep have the focus.
    apply(
        &mut window,
        ExperimentCommand::Sweep(CHANCE_OF_A_4.to_owned()),
    );
    assert!(
        window
            .query_by_label_contains("Against mr ± 95 %")
            .is_none()
    );
    let values = window.get_by_role_and_label(Role::TextInput, "Values of chance of a 4");
    assert!(values.accesskit_node().is_focused());
    apply(&mut window, Command::Undo);
    until(&mut window, "the baseline", |window| {
        window
            .query_by_label_contains("Against mr ± 95 %")
            .is_some()
    });
}

#[test]
fn columns_of_the_results_are_chosen_and_those_without_room_are_told() {
    let mut window = open([1600.0, 1000.0]);
    let has = |window: &Harness<'_, Window>, title: &str| {
        window
            .query_all_by_label_contains(&format!("Sort by {title}"))
            .next()
            .is_some()
    };
    assert!(has(&window, "Median"));
    window.click("Columns");
    assert!(
        window
            .query_all_by_label_contains(" (hidden: too narrow)")
            .next()
            .is_some(),
        "some do not fit"
    );
    window.click("Median");
    assert!(!has(&window, "Median"));
    window.click("Median");
    assert!(has(&window, "Median"));
}

#[test]
fn copies_of_the_results_compare_with_the_pinned_strategy() {
    let mut window = open([1600.0, 1000.0]);
    let copied = |window: &mut Harness<'_, Window>, format: ResultsFormat| {
        let ctx = window.ctx.clone();
        let app = window.state_mut().app.as_mut().expect("open");
        app.apply(&ctx, FileCommand::CopyResults(format));
        let text = common::copied(app, &ctx);
        window.step();
        text
    };

    let second = window
        .state()
        .app()
        .document()
        .last_run()
        .plan()
        .expect("a run")
        .contestants[1]
        .strategy
        .label();
    let before = copied(&mut window, ResultsFormat::Markdown).expect("a table");
    assert!(!before.contains(&format!("against {second}")), "{before}");
    window.click_secondary_at(
        window
            .get_by_label(&format!("Row {second}"))
            .rect()
            .center(),
    );
    window.click("Use as baseline");
    let after = copied(&mut window, ResultsFormat::Markdown).expect("a table");
    assert!(
        after.contains(&format!("| against {second} |")) && after.contains("| median | Q1 to Q3 |"),
        "{after}"
    );
    let tex = copied(&mut window, ResultsFormat::Latex).expect("a table");
    assert!(
        tex.contains("siunitx") && tex.contains(&format!("differences are relative to {second}")),
        "{tex}"
    );
    let tabs = copied(&mut window, ResultsFormat::Tabs).expect("a table");
    assert!(
        tabs.starts_with("strategy\tgames\tmean\t") && tabs.contains("\tbaseline\t"),
        "{tabs}"
    );
}

#[test]
fn a_run_is_set_up_started_paused_and_stopped() {
    let mut window = open([1600.0, 1000.0]);
    type_into(&mut window, "Games per strategy", "1,000,000");
    assert_eq!(window.state().app().document().setup().games, 1_000_000);
    window.get_by_label("Set-up changed since this run");
    start(&mut window, ExperimentCommand::Run);
    until(&mut window, "some games", |window| {
        window
            .state()
            .app()
            .document()
            .last_run()
            .progress()
            .is_some_and(|progress| 100 < progress.work.done)
    });
    window.press(ExperimentCommand::Pause);
    until(&mut window, "it holds", |window| {
        window.state().app().document().last_run().state() == Some(&State::Paused)
    });

    // Active games end and are shown; then nothing changes.
    until(&mut window, "rest", |window| {
        let viewports = &window.output().viewport_output;
        viewports[&egui::ViewportId::ROOT].repaint_delay == Duration::MAX
    });

    start(&mut window, ExperimentCommand::Resume);
    window.press(ExperimentCommand::Stop);
    let last_run = window.state().app().document().last_run();
    assert_eq!(last_run.state(), Some(&State::Stopped));
    let snapshot = last_run.snapshot.as_ref().expect("numbers");
    let saved_games: u64 = snapshot
        .summaries
        .iter()
        .map(|summary| summary.games())
        .sum();
    assert!(100 < saved_games && saved_games < 4_000_000);
    assert_eq!(rows(&window).len(), 4);
}

#[test]
fn a_run_ends_by_the_rule_of_its_set_up_and_a_gauge_says_how_far_it_is() {
    let mut window = open([1600.0, 1000.0]);
    let rules = |window: &Harness<'_, Window>| {
        let until = &window.state().app().document().setup().until;
        until.iter().map(ToString::to_string).collect::<Vec<_>>()
    };

    window.click("Stop rule");
    assert!(
        window
            .query_by_label_contains("from the paired differences of")
            .is_some(),
        "how many games are needed"
    );
    window.click("Half-width");
    assert_eq!(rules(&window), ["half-width=2%"]);
    window.click("Test");
    window.click("points");
    assert_eq!(rules(&window), ["half-width=50", "sprt=0..100"]);
    window.get_by_label("points of difference");
    window.click("Test");
    assert_eq!(rules(&window), ["half-width=50"]);
    window.press_key(egui::Key::Escape);
    apply(
        &mut window,
        ExperimentCommand::SetStopRules(vec!["half-width=30%".parse().expect("a rule")]),
    );
    type_into(&mut window, "Games per strategy", "100,000");
    start(&mut window, ExperimentCommand::Run);
    until(&mut window, "a gauge", |window| {
        window.query_by_label("Gauge of ± 30 %").is_some()
    });
    window.settle();
    let last_run = window.state().app().document().last_run();
    let Some(State::RuleMet {
        sentence,
        each: Some(each),
    }) = last_run.state().cloned()
    else {
        panic!("{:?}", last_run.state())
    };

    assert!(
        sentence.contains("is within ± 30 % after") && (20..100_000).contains(&each),
        "{sentence}"
    );
    let counts = last_run
        .snapshot
        .as_ref()
        .expect("numbers")
        .summaries
        .iter()
        .map(|summary| summary.games());
    assert!(
        counts.clone().all(|count| count == each),
        "{:?}",
        counts.collect::<Vec<_>>()
    );
    assert!(window.query_by_label_contains("Stop rule met").is_some());
    assert!(
        window
            .query_by_label_contains("valid at any time, whenever the run stops")
            .is_some()
    );
}

#[test]
fn a_wrong_number_says_what_is_right() {
    let mut window = open([1600.0, 1000.0]);
    type_into(&mut window, "Games per strategy", "0");
    window.get_by_label("✗ Games: type a whole number from 1 to 10,000,000");
    assert_eq!(window.state().app().document().setup().games, 1000);
    type_into(&mut window, "Games per strategy", "500");
    assert_eq!(window.state().app().document().setup().games, 500);
}

#[test]
fn the_legend_hides_and_shows() {
    let mut window = open([2560.0, 1440.0]);
    assert!(plot(&window).1.contains("er 1,000 games"));
    window.click_role(Role::CheckBox, "er");
    assert!(
        !plot(&window).1.contains("; er 1,000 games"),
        "{}",
        plot(&window).1
    );
    window.click("Show er");
    assert!(plot(&window).1.contains("er 1,000 games"));
}

#[test]
fn letters_and_removal_change_who_plays() {
    let mut window = open([1600.0, 1000.0]);
    type_into(&mut window, "Strategy by letters", "gemr");
    let names = |window: &Harness<'_, Window>| -> Vec<String> {
        let setup = window.state().app().document().setup();
        setup
            .strategies
            .iter()
            .map(|entry| entry.strategy.label())
            .collect()
    };
    assert_eq!(names(&window), ["r", "er", "mr", "emr", "gemr"]);
    type_into(&mut window, "Strategy by letters", "gx");
    assert_eq!(names(&window).len(), 5);
    assert!(window.query_by_label_contains("✗ letter 2 of").is_some());
    window.press(ExperimentCommand::Remove(1));
    assert_eq!(names(&window), ["r", "mr", "emr", "gemr"]);

    let (from, to) = (
        window.get_by_label("Contestant gemr").rect().left_center() + egui::vec2(10.0, 0.0),
        window.get_by_label("Contestant r").rect().left_top() + egui::vec2(10.0, 4.0),
    );
    drag(&mut window, from, to);
    assert_eq!(names(&window), ["gemr", "r", "mr", "emr"]);
}

#[test]
fn a_dropped_strategy_takes_part() {
    let mut window = open([1600.0, 1000.0]);
    let strategy = "gur"
        .parse::<afterstate::strategy::Strategy>()
        .expect("letters")
        .into();
    let at = plot(&window).0.center();
    window.hover_at(at);
    window.drag_at(egui::pos2(1500.0, 800.0));
    window.step();
    egui::DragAndDrop::set_payload(
        &window.ctx,
        afterstate::workbench::panels::drag::StrategyDrag(strategy),
    );
    window.hover_at(at);
    window.step();
    window.drop_at(at);
    window.settle();
    let setup = window.state().app().document().setup();
    assert_eq!(
        setup
            .strategies
            .last()
            .map(|entry| entry.strategy.label())
            .as_deref(),
        Some("gur")
    );
}

#[test]
fn a_brush_lists_its_games_and_one_opens_on_the_board() {
    let mut window = open([1600.0, 1000.0]);
    let (rect, _) = plot(&window);
    let at = |share: f32| {
        egui::pos2(
            rect.left() + 48.0 + (rect.width() - 62.0) * share,
            rect.center().y,
        )
    };
    drag(&mut window, at(0.30), at(0.36));
    let key = egui::Key::Enter;
    window.get_by_label("List games").focus();
    window.settle();
    window.press_key(key);
    window.get_by_label("List games of all scores");

    // The list gets the focus, wherever it was in the panel.
    for _ in 0..2 {
        let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
        let focused = window
            .query_all_by(is_focused)
            .last()
            .and_then(|node| node.accesskit_node().label());
        assert!(
            focused
                .as_ref()
                .is_some_and(|label| label.starts_with("Game ")),
            "{focused:?}"
        );
        window.get_by_label("List games of all scores").focus();
        window.settle();
        window.get_by_label("List games").focus();
        window.settle();
        window.press_key(key);
    }

    let listed = |window: &Harness<'_, Window>| -> Vec<(u64, u64)> {
        let number = |text: &str| text.replace(',', "").parse().expect("a number");
        let names = window
            .get_all_by_role(Role::Row)
            .filter_map(|row| row.accesskit_node().label());
        let parts = names.filter_map(|name| {
            let (game, score) = name.strip_prefix("Game ")?.split_once(", score ")?;
            Some((number(game), number(score)))
        });
        parts.collect()
    };
    let games = listed(&window);
    assert!(!games.is_empty());
    assert!(
        games
            .iter()
            .all(|&(_, score)| (2500..5500).contains(&score)),
        "{games:?}"
    );
    window.click("Sort by Score");
    let games = listed(&window);
    assert!(
        games.windows(2).all(|pair| pair[1].1 <= pair[0].1),
        "{games:?}"
    );
    let (game, score) = games[0];
    let group = |number: u64| afterstate::words::count(number);
    window.click(&format!("Game {}, score {}", group(game), group(score)));
    window.click("Open on the board");
    let document = window.state().app().document();
    assert_eq!(document.game().index, game);
    let end = *document.line().last().expect("a line");
    assert_eq!(
        document.tree().node(end).score,
        score,
        "the whole game is there"
    );

    // Back at the list, everything is as before.
    apply(&mut window, ViewCommand::ShowPanel(Panel::Games));
    assert_eq!(listed(&window), games);
    assert!(
        !window
            .get_by_label("Open on the board")
            .accesskit_node()
            .is_disabled(),
        "the game is chosen still"
    );
}

#[test]
fn every_size_of_window_shows_the_run() {
    for size in [[1024.0, 700.0], [2560.0, 1440.0], [640.0, 480.0]] {
        let mut window = open(size);
        if size[0] < 900.0 {
            window.click_role(Role::Tab, "Experiment");
        }
        let (rect, _) = plot(&window);
        assert!(
            150.0 < rect.width() && 80.0 < rect.height(),
            "{size:?}: {rect}"
        );
        for kind in ["ECDF", "Ladder", "Box", "Paired"] {
            window.click(kind);
        }
    }
}

#[test]
fn arrows_move_a_brush_and_delete_lets_it_go() {
    let mut window = open([1600.0, 1000.0]);
    window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Histogram of scores"))
        })
        .focus();
    window.settle();
    window.press_key(egui::Key::ArrowRight);
    window.get_by_label("Clear the score range");
    window.press_key(egui::Key::Delete);
    assert!(window.query_by_label("Clear the score range").is_none());
}

#[test]
fn the_bins_of_a_histogram_are_read_walked_and_pressed() {
    let mut window = open([1600.0, 1000.0]);
    let bins = |window: &Harness<'_, Window>| -> Vec<(String, bool, bool)> {
        let bins = window
            .query_all_by_role(Role::ListBoxOption)
            .map(|node| node.accesskit_node());
        bins.map(|bin| {
            (
                bin.label().unwrap_or_default(),
                bin.is_selected() == Some(true),
                bin.is_focused(),
            )
        })
        .collect()
    };
    let all = bins(&window);
    let games = |text: &str| -> u64 {
        let own = text
            .split("emr ")
            .nth(1)
            .expect("its games")
            .split(' ')
            .next()
            .expect("a number");
        own.replace(',', "").parse().expect("a number")
    };

    let setup = window.state().app().document().setup().games;
    assert_eq!(
        all.iter().map(|(text, ..)| games(text)).sum::<u64>(),
        setup,
        "every game is in a bin: {all:?}"
    );
    assert!(
        all[0].0.starts_with("100 to 199: "),
        "narrow enough for the shape of random play: {all:?}"
    );
    window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Histogram of scores"))
        })
        .focus();
    window.settle();

    let mut press = |key| {
        window.press_key(key);
        let bins = bins(&window);
        let chosen = |bin: &&(String, bool, bool)| bin.1;
        assert_eq!(bins.iter().filter(chosen).count(), 1, "{bins:?}");
        assert!(
            bins.iter()
                .all(|(_, is_selected, is_focused)| is_selected == is_focused),
            "{bins:?}"
        );
        bins.iter().position(|bin| bin.1)
    };
    let first = press(egui::Key::ArrowRight).expect("a bin");
    assert_eq!(press(egui::Key::ArrowRight), Some(first + 1));
    assert_eq!(press(egui::Key::End), Some(all.len() - 1));
    assert_eq!(press(egui::Key::Home), Some(0));
    window.get_by_label(&all[first].0).click_accesskit();
    window.settle();
    assert!(bins(&window)[first].1, "who listens can press one");
}

#[test]
fn nodes_by_empty_cells_are_a_line_per_strategy_that_searches() {
    let mut window = open([1600.0, 1000.0]);
    assert!(
        window.query_by_label("Nodes").is_none(),
        "nothing was searched"
    );
    let path = window.state().folder.path().join("deep.ron");
    let preset = r#"(version: 1, seed: 3, games: 6, strategies: [
        (strategy: (name: "deep", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])),
        (strategy: (name: "quick", criteria: [(evaluator: Empty)])),
    ])"#;
    std::fs::write(&path, preset).expect("written");
    apply(
        &mut window,
        FileCommand::OpenPreset(PresetSource::File(path)),
    );
    apply(&mut window, ExperimentCommand::Run);
    until(&mut window, "the end of the run", has_ended);
    window.click_role(Role::RadioButton, "Nodes");
    let run = window.state().app().document().last_run();
    let nodes = run.snapshot.as_ref().expect("a run").summaries[0]
        .nodes_by_empty()
        .expect("kept");
    let cells = window
        .query_all_by_role(Role::Cell)
        .filter_map(|node| node.accesskit_node().label());
    let cells: Vec<String> = cells
        .filter(|label| label.contains(" empty cell"))
        .collect();
    assert!(
        cells.len() == nodes.len() && cells.iter().all(|label| label.starts_with("deep, ")),
        "{cells:?}"
    );
    for (cell, (empty, one)) in cells.iter().zip(nodes) {
        let begin = format!("deep, {empty} empty cell");
        assert!(
            cell.starts_with(&begin) && cell.contains(&format!(", n {} decision", one.decisions)),
            "{cell}"
        );
    }
}

#[test]
fn reach_rates_are_a_table_with_numbered_cells() {
    let mut window = open([1600.0, 1000.0]);
    window.click_role(Role::RadioButton, "Ladder");
    let is_table = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        node.role() == Role::Table
            && node
                .label()
                .is_some_and(|label| label.starts_with("Reach rates"))
    };
    let table = window.get_by(is_table);
    let (rows, columns) = (
        table.accesskit_node().data().row_count(),
        table.accesskit_node().data().column_count(),
    );
    let cells = table
        .query_all_by_role(Role::Cell)
        .map(|cell| cell.accesskit_node().data().clone());
    let places: Vec<_> = cells
        .map(|cell| (cell.row_index(), cell.column_index()))
        .collect();
    let wanted = (1..rows.expect("counted"))
        .flat_map(|row| (1..columns.expect("counted")).map(move |c| (row, c)));
    assert_eq!(
        places,
        wanted
            .map(|(row, column)| (Some(row), Some(column)))
            .collect::<Vec<_>>()
    );
    assert_eq!(rows, Some(5), "tiles and four strategies");
    assert_eq!(
        table.query_all_by_role(Role::RowHeader).count(),
        rows.expect("counted") - 1
    );

    // One tab stop, walked by arrows.
    table
        .query_all_by_role(Role::Cell)
        .next()
        .expect("a cell")
        .focus();
    window.settle();
    window.press_key(egui::Key::ArrowRight);
    let focused = window
        .get_by(|node| node.is_focused() && !node.is_hidden())
        .accesskit_node()
        .data()
        .clone();
    assert_eq!(
        (focused.row_index(), focused.column_index()),
        (Some(1), Some(2))
    );

    // A cell lists its games, also by keyboard.
    let text = focused.label().expect("a name").to_owned();
    window.press_key(egui::Key::Enter);
    let chip = window
        .get_by_label("List games of all tiles")
        .accesskit_node()
        .value()
        .unwrap_or_default();
    assert!(
        text.contains(&format!(
            " reached {}",
            chip.split(' ').next().expect("a tile")
        )),
        "{text}: {chip}"
    );
    let games = text
        .rsplit(", ")
        .next()
        .and_then(|part| part.split(" of ").next())
        .expect("the number of games")
        .to_owned();
    window.get_by_label_contains(&format!(
        "{games} of {}",
        text.split(':').next().expect("a name")
    ));
    window.click("List games of all tiles");
    assert!(window.query_by_label("List games of all tiles").is_none());
}

#[test]
fn keys_zoom_a_plot_that_has_the_keyboard() {
    let mut window = open([1600.0, 1000.0]);
    let name = |window: &Harness<'_, Window>| {
        let plot = window.get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Histogram of scores"))
        });
        plot.accesskit_node().label().unwrap_or_default()
    };

    let press = |window: &mut Harness<'_, Window>, key| {
        window.press_key(key);
    };

    let whole = name(&window);
    window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Histogram of scores"))
        })
        .focus();
    window.settle();
    press(&mut window, egui::Key::Plus);
    let enlarged = name(&window);
    assert!(enlarged.contains("Enlarged: scores "), "{enlarged}");
    press(&mut window, egui::Key::PageDown);
    assert_ne!(name(&window), enlarged);
    press(&mut window, egui::Key::Num0);
    assert_eq!(name(&window), whole);
    press(&mut window, egui::Key::Plus);
    press(&mut window, egui::Key::Minus);
    press(&mut window, egui::Key::Minus);
    assert_eq!(name(&window), whole, "no further out than all of it");
}

#[test]
fn a_deep_experiment_pauses_stops_at_once_and_its_games_open() {
    let mut window = open([1600.0, 1000.0]);
    for preset in ["course-table-1", "assignment-table-1", "solver-expectimax"] {
        apply(
            &mut window,
            FileCommand::OpenPreset(PresetSource::Shipped(preset)),
        );
        let published = window
            .state()
            .app()
            .document()
            .setup()
            .strategies
            .iter()
            .any(|entry| entry.published.is_some());
        assert!(published, "{preset}");
    }

    // One strategy that never ends and a quick one. The first game belongs to the former, so it is active when the
    // latter finishes a game, however little time the workers get.
    apply(&mut window, ExperimentCommand::New);
    apply(&mut window, ExperimentCommand::SetThreads(Some(2)));
    for strategy in [
        "(name: \"endless\", criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])",
        "(name: \"quick\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2)))])",
    ] {
        apply(
            &mut window,
            ExperimentCommand::Add(Box::new(strategy.parse().expect(strategy))),
        );
    }

    begin(&mut window, ExperimentCommand::Run);
    until(&mut window, "the quick strategy has played", |window| {
        window
            .state()
            .app()
            .document()
            .last_run()
            .progress()
            .is_some_and(|progress| 1 <= progress.work.done)
    });

    assert!(
        window.query_by_label_contains("no estimate yet").is_some(),
        "the other has not finished a game"
    );
    apply(&mut window, ExperimentCommand::Pause);
    assert_eq!(
        window.state().app().document().last_run().state(),
        Some(&State::Paused)
    );
    // The game of the slow strategy would take minutes.
    begin(&mut window, ExperimentCommand::Stop);
    window.get_by_label_contains("Stopping: games in play");
    window.press(ExperimentCommand::StopNow);
    assert!(
        window
            .state()
            .app()
            .document()
            .last_run()
            .games_in(0, 0..=u32::MAX)
            .is_empty(),
        "it was not waited for"
    );
    assert!(
        window
            .query_by_label_contains("Stopped at once: biased")
            .is_some()
    );
    let doc = window.state().app().document();
    assert_eq!(doc.last_run().state(), Some(&State::Cancelled));
    let [first, ..] = doc.last_run().games_in(1, 0..=u32::MAX)[..] else {
        panic!("finished games are kept")
    };
    let moves = doc
        .last_run()
        .run
        .as_ref()
        .and_then(|run| run.games().game(1, first))
        .expect("finished")
        .moves;
    apply(&mut window, ExperimentCommand::OpenGame(1, first));
    let doc = window.state().app().document();
    assert_eq!(doc.line().len() as u32, moves + 1);
    assert_eq!(doc.strategy().label(), "quick");
}

/// A point of the plot at these shares of its width and height, from the upper left.
fn plot_at(window: &Harness<'_, Window>, across: f32, down: f32) -> egui::Pos2 {
    let rect = plot(window).0;
    egui::pos2(
        rect.left() + 48.0 + (rect.width() - 62.0) * across,
        rect.top() + rect.height() * down,
    )
}

/// Clicks several times, with one frame per click.
fn clicks(window: &mut Harness<'_, Window>, at: egui::Pos2, times: usize) {
    window.hover_at(at);
    window.settle();
    for _ in 0..times {
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            // Press and release in one frame: queued events get one frame each, too slow for a double click.
            let event = egui::Event::PointerButton {
                pos: at,
                button,
                pressed,
                modifiers,
            };
            window.input_mut().events.push(event);
        }
        window.step();
    }
    window.settle();
}

/// "420 games of emr" without the number, and the brushed scores.
fn listed(window: &Harness<'_, Window>) -> (String, Option<String>) {
    let is_head = |text: String| text.contains(" games of ") && !text.contains("games of 1,");
    let head = window
        .get_by(|node| node.value().is_some_and(is_head))
        .accesskit_node()
        .value()
        .unwrap_or_default();
    let chip = window
        .query_by_label("List games of all scores")
        .map(|chip| chip.accesskit_node().value());
    (
        head.split(" of ").nth(1).unwrap_or_default().to_owned(),
        chip.map(Option::unwrap_or_default),
    )
}

#[test]
fn games_are_listed_of_the_strategy_that_was_clicked_or_selected_or_is_on_the_board() {
    let mut window = open([1600.0, 1000.0]);
    let (from, to) = (plot_at(&window, 0.08, 0.5), plot_at(&window, 0.3, 0.5));
    drag(&mut window, from, to);
    window.click("List games");
    window.get_by_label_contains("games of emr");
    // On the axis only the lowest bar is near: low scores are those of random play.
    let low = plot_at(&window, 0.06, 0.84);
    clicks(&mut window, low, 1);
    assert!(
        window.query_by_label_contains("games of emr").is_none(),
        "another bar was clicked"
    );
    window.click("Choose the strategy whose games are listed");
    window.click_at(entry(&window, "mr").rect().center());
    window.get_by_label_contains("games of mr");
}

#[test]
fn the_head_of_the_games_wraps_where_it_is_narrow() {
    let head = |size: [f32; 2]| {
        let mut window = open(size);
        let (from, to) = (plot_at(&window, 0.08, 0.5), plot_at(&window, 0.3, 0.5));
        drag(&mut window, from, to);
        window.click("List games");
        let title = window
            .get_by(|node| {
                node.value()
                    .is_some_and(|text| text.contains(" games of emr"))
            })
            .rect();
        let parts = [
            "List games of all scores",
            "Choose the strategy whose games are listed",
            "Review the listed games",
            "Open on the board",
        ];
        [
            vec![title],
            parts.map(|part| window.get_by_label(part).rect()).to_vec(),
        ]
        .concat()
    };
    let parts = head([2560.0, 1440.0]);
    assert!(
        parts.iter().all(|part| part.top() < parts[4].bottom()),
        "one line has room: {parts:?}"
    );
    let parts = head([1600.0, 1000.0]);
    for (place, part) in parts.iter().enumerate() {
        assert!(
            parts[..place]
                .iter()
                .all(|other| !other.shrink(1.0).intersects(*part)),
            "{parts:?}"
        );
    }

    assert!(parts[0].bottom() < parts[4].top(), "two lines: {parts:?}");
}

#[test]
fn a_narrow_list_of_games_has_its_menus_in_one() {
    let mut window = open([1150.0, 760.0]);
    let (from, to) = (plot_at(&window, 0.08, 0.5), plot_at(&window, 0.3, 0.5));
    drag(&mut window, from, to);
    window.click("List games");
    let title = window
        .get_by(|node| {
            node.value()
                .is_some_and(|text| text.contains(" games of emr"))
        })
        .rect();
    let table = window.get_by_role_and_label(Role::Table, "Games").rect();
    assert!(
        table.width() < 400.0 && table.top() - title.top() < 75.0,
        "two lines: {title:?} {table:?}"
    );
    assert!(window.query_by_label("Review the listed games").is_none());

    window.click("More for the listed games");
    for text in ["Review these games", "Copy as CSV"] {
        entry(&window, text);
    }
    // The menu bar has an entry of this name, too.
    let chooser = window
        .query_all_by_role_and_label(Role::MenuItem, "Strategy")
        .last()
        .expect("an entry")
        .rect();
    window.click_at(chooser.center());
    window.click_at(entry(&window, "mr").rect().center());
    window.get_by_label_contains("games of mr");
}

#[test]
fn the_set_up_shows_its_settings_and_its_first_strategies_in_the_default_layout() {
    for size in [[1600.0, 1000.0], [1366.0, 768.0]] {
        let mut window = open(size);
        if window.query_by_label("Show set-up").is_some() {
            window.click("Show set-up");
        }
        let panel = window.get_by_label("Hide set-up").rect();
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        let bottom = screen.bottom() - 24.0;
        for label in [
            "Games per strategy",
            "Seed of the experiment",
            "Contestant r",
            "Contestant er",
        ] {
            let rect = window.get_by_label(label).rect();
            assert!(
                panel.bottom() <= rect.top() && rect.bottom() <= bottom,
                "{label} at {rect:?} in {size:?}"
            );
        }
    }
}

#[test]
fn the_bar_of_the_results_covers_no_value() {
    /// Width of a bar.
    const BAR: f32 = 10.0;
    let mut window = open([1366.0, 640.0]);
    // Strategies with identical games share a row.
    for letters in [
        "ur", "gr", "egr", "eur", "mer", "mgr", "mur", "ger", "gmr", "uer", "umr", "emur",
    ] {
        apply(
            &mut window,
            ExperimentCommand::Add(Box::new(letters.parse().expect("letters"))),
        );
    }

    apply(&mut window, ExperimentCommand::SetGames(20));
    apply(&mut window, ExperimentCommand::Run);
    let table = window.get_by_role_and_label(Role::Table, "Results");
    let rows = table
        .query_all_by_role(Role::Row)
        .map(|row| row.rect().height())
        .sum::<f32>();
    assert!(
        rows + 24.0 > table.rect().height() - 24.0,
        "there is a bar: {rows} in {}",
        table.rect()
    );
    let edge = table
        .query_all_by_role(Role::Cell)
        .map(|cell| cell.rect().right())
        .fold(0.0, f32::max);
    assert!(
        edge <= table.rect().right() - BAR + 0.1,
        "{edge} in {}",
        table.rect()
    );
}

#[test]
fn what_is_cut_below_the_results_has_one_tooltip() {
    let mut window = open([640.0, 480.0]);
    apply(&mut window, ExperimentCommand::SetGames(1500));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Results));
    let footnote = "The set-up changed since this run";
    let at = window
        .get_all_by_label_contains(footnote)
        .next()
        .expect("the line")
        .rect()
        .left_center()
        + egui::vec2(20.0, 0.0);
    let seen = |window: &Harness<'_, Window>| window.query_all_by_label_contains(footnote).count();
    window.hover_at(at - egui::vec2(0.0, 60.0));
    window.settle();
    assert_eq!(seen(&window), 1, "the line");
    window.hover_at(at);
    window.pass(TOOLTIP);
    assert_eq!(seen(&window), 2, "the line and its one tooltip");
}

#[test]
fn a_double_click_and_a_rerun_leave_brush_list_and_chosen_game() {
    let mut window = open([1600.0, 1000.0]);
    let (from, to) = (plot_at(&window, 0.3, 0.5), plot_at(&window, 0.36, 0.5));
    drag(&mut window, from, to);
    window.click("List games");
    let before = listed(&window);
    assert!(before.1.is_some());
    let game = window
        .get_all_by_role(Role::Row)
        .filter_map(|row| row.accesskit_node().label());
    let game = game
        .into_iter()
        .find(|name| name.starts_with("Game "))
        .expect("a game");
    window.click(&game);
    let elsewhere = plot_at(&window, 0.1, 0.8);
    clicks(&mut window, elsewhere, 2);
    assert_eq!(
        listed(&window),
        before,
        "a double click shows all scores and brushes nothing"
    );
    let chosen = |window: &Harness<'_, Window>| {
        !window
            .get_by_label("Open on the board")
            .accesskit_node()
            .is_disabled()
    };
    assert!(chosen(&window));

    // Another strategy and another number of games change bins and places.
    apply(&mut window, ExperimentCommand::SetGames(1500));
    apply(
        &mut window,
        ExperimentCommand::Add(Box::new("gur".parse().expect("letters"))),
    );
    apply(&mut window, ExperimentCommand::Run);
    assert_eq!(listed(&window), before);
    assert!(
        chosen(&window),
        "game {game} of the same seeds is chosen still"
    );
}

#[test]
fn bars_brush_whole_bins_and_curves_exact_scores() {
    let mut window = open([1600.0, 1000.0]);
    let (from, to) = (plot_at(&window, 0.313, 0.5), plot_at(&window, 0.377, 0.5));
    let mut brushed: Vec<[f64; 2]> = Vec::new();
    for kind in ["Histogram", "ECDF", "Box"] {
        window.click(kind);
        drag(&mut window, from, to);
        let chip = window.get_by_label("Clear the score range");
        let scores = chip
            .accesskit_node()
            .value()
            .expect("scores")
            .replace(',', "");
        let ends: Vec<f64> = scores
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|end| end.parse().ok())
            .collect();
        let [from, to] = ends[..] else {
            panic!("{scores}")
        };
        brushed.push([from, to]);
        window.click("Clear the score range");
    }

    let [[low, high], curves @ ..] = &brushed[..] else {
        panic!("three plots")
    };
    assert!(
        low % 100.0 == 0.0 && (high + 1.0) % 100.0 == 0.0,
        "{brushed:?}"
    );
    assert!(
        curves
            .iter()
            .all(|[from, to]| (from % 100.0, to % 100.0) != (0.0, 99.0)),
        "{brushed:?}"
    );
    let [from, to] = curves[0];
    assert!(
        *low <= from && to <= *high,
        "the bins are those under the hand: {brushed:?}"
    );
}

#[test]
fn scores_are_drawn_as_asked_for_and_a_new_run_shows_all_of_them() {
    let mut window = open([1600.0, 1000.0]);
    let name = |window: &Harness<'_, Window>| plot(window).1;
    assert!(
        name(&window).contains(", bins of 100: "),
        "{}",
        name(&window)
    );
    window.click("Bins and axis of the plots");
    let tick = |window: &mut Harness<'_, Window>, label: &str| {
        window.click_role(Role::CheckBox, label);
    };
    tick(&mut window, "Logarithmic axis");
    assert!(
        name(&window).contains(" bins per doubling: "),
        "{}",
        name(&window)
    );
    let options = window
        .query_all_by_role(Role::ListBoxOption)
        .map(|node| node.accesskit_node().label());
    assert!(
        options
            .flatten()
            .any(|label| label.starts_with("1,024 to ")),
        "a power of two begins a bin"
    );
    tick(&mut window, "Logarithmic axis");
    tick(&mut window, "Automatic bin width");
    tick(&mut window, "Stack by largest tile");
    window.press_key(egui::Key::Escape);
    window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Histogram of scores"))
        })
        .focus();
    window.settle();
    window.press_key(egui::Key::Plus);
    assert!(
        name(&window).contains("Enlarged: scores "),
        "{}",
        name(&window)
    );
    assert!(
        name(&window).contains(", bins of 100: "),
        "the width that was asked for: {}",
        name(&window)
    );
    window.click("Box");
    let boxes = |window: &Harness<'_, Window>| -> Vec<(String, bool)> {
        let nodes = window
            .query_all_by_role(Role::ListBoxOption)
            .map(|node| node.accesskit_node());
        nodes
            .map(|node| {
                (
                    node.label().unwrap_or_default(),
                    node.is_selected() == Some(true),
                )
            })
            .collect()
    };
    assert_eq!(boxes(&window).len(), 4);
    window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Quantiles of scores"))
        })
        .focus();
    window.settle();
    for place in [0, 1] {
        window.press_key(egui::Key::ArrowDown);
        let selected: Vec<bool> = boxes(&window).iter().map(|one| one.1).collect();
        assert_eq!(
            selected.iter().position(|&is| is),
            Some(place),
            "the arrows walk the boxes"
        );
    }

    // Enter lists the games of the selected strategy.
    let chosen = boxes(&window)[1]
        .0
        .split(':')
        .next()
        .expect("a name")
        .to_owned();
    window.press_key(egui::Key::Enter);
    window.get_by_label_contains(&format!("1,000 games of {chosen}"));
    window.click("Histogram");

    // The same plot as a figure.
    let folder = window.state().folder.path().to_owned();
    for format in [PictureFormat::Svg, PictureFormat::Png] {
        let path = folder.join("plot").with_extension(format.ending());
        apply(
            &mut window,
            FileCommand::SaveTo(Purpose::SaveFigure(Panel::Experiment, format), path.clone()),
        );
        until(&mut window, "a picture", |_| path.exists());
    }

    let text = std::fs::read_to_string(folder.join("plot.svg")).expect("a drawing");
    let lacks = |part: &&str| !text.contains(part);
    let wanted = [
        "bins of 100",
        "1,000 games each, on the same seeds; seed 1, 4 × 4, 10 % fours",
        "by the largest tile",
    ];
    assert_eq!(
        wanted.iter().find(|part| lacks(part)),
        None,
        "{}",
        &text[..600]
    );
    assert!(
        text.contains("fill=\"#ffffff\""),
        "white paper, though the window is dark"
    );
    for (kind, caption) in [
        (
            "ECDF",
            "Band: 95 % for the whole curve at once, ± 4.3 points with n = 1,000 (DKW)",
        ),
        (
            "Ladder",
            "Share of games in % that reached a tile, with 95 % intervals (Wilson)",
        ),
        ("Box", "Boxes: quartiles. Whiskers: 5 % and 95 %"),
    ] {
        window.click(kind);
        let path = folder.join(kind).with_extension("svg");
        apply(
            &mut window,
            FileCommand::SaveTo(
                Purpose::SaveFigure(Panel::Experiment, PictureFormat::Svg),
                path.clone(),
            ),
        );
        until(&mut window, "a drawing", |_| path.exists());
        let text = std::fs::read_to_string(&path).expect("a drawing");
        assert!(
            text.contains(caption) && text.contains("aria-label=\"emr\""),
            "{kind}: {}",
            &text[..600]
        );
    }

    window.click("Histogram");
    let picture = image::open(folder.join("plot.png"))
        .expect("a picture")
        .to_rgb8();
    // 85 mm at 300 dpi.
    assert!(
        picture.width() == 1004 && picture.height() < 1500 && picture.get_pixel(3, 3).0 == [255; 3]
    );
    let inks = picture.pixels().filter(|pixel| pixel.0 != [255; 3]).count();
    assert!(
        inks * 50 > picture.pixels().len(),
        "{inks} pixels are drawn"
    );
    apply(&mut window, ExperimentCommand::SetGames(500));
    apply(&mut window, ExperimentCommand::Run);
    assert!(!name(&window).contains("Enlarged"), "{}", name(&window));
}

#[test]
fn an_opened_preset_is_shown_before_it_runs_and_undo_brings_the_results_back() {
    let mut window = open([1600.0, 1000.0]);
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    apply(
        &mut window,
        FileCommand::OpenPreset(PresetSource::Shipped("course-table-1")),
    );
    let title = window.state().app().document().setup().title.clone();
    window.get_by_label(&title);
    assert!(
        window
            .query_by_label_contains("Histogram of scores")
            .is_none(),
        "an empty plot"
    );
    assert!(rows(&window).is_empty());
    window.get_by_label("Run");
    until(&mut window, "an estimate", |window| {
        let words = ["less than", "about", "up to", "at least"];
        words
            .iter()
            .any(|words| window.query_all_by_label_contains(words).next().is_some())
    });
    apply(&mut window, Command::Undo);
    assert!(plot(&window).1.contains("emr 1,000 games"));
}

#[test]
fn opening_the_file_of_the_experiment_on_screen_keeps_its_results() {
    let mut window = open([1600.0, 1000.0]);
    let shown = rows(&window);
    assert!(!shown.is_empty());
    apply(&mut window, ExperimentCommand::SetTitle("Mine".to_owned()));
    apply(&mut window, FileCommand::Save);
    let recent = window.state().app().document().recent().to_vec();
    assert_eq!(recent.len(), 1, "a saved preset is a recent file");
    apply(&mut window, FileCommand::OpenFiles(recent));
    assert_eq!(rows(&window), shown);
    assert_eq!(window.state().app().document().setup().title, "Mine");
}

#[test]
fn a_new_experiment_and_a_dropped_strategy_are_seen_in_every_layout() {
    for size in [[1600.0, 1000.0], [1024.0, 700.0], [800.0, 600.0]] {
        let mut window = open(size);
        for workspace in Workspace::iter() {
            begin_all(
                &mut window,
                [
                    ViewCommand::Workspace(workspace).into(),
                    ExperimentCommand::New.into(),
                ],
            );
            window.settle();
            window.get_by_label("Drop a strategy here");
            window.get_by_label("New experiment");
            apply(
                &mut window,
                ExperimentCommand::Add(Box::new("gur".parse().expect("letters"))),
            );
            window.get_by_label("Contestant gur");
            begin_all(
                &mut window,
                [
                    ExperimentCommand::SetGames(2).into(),
                    ExperimentCommand::Run.into(),
                ],
            );
            window.settle();
            apply(
                &mut window,
                ExperimentCommand::Add(Box::new("emr".parse().expect("letters"))),
            );
            window.get_by_label("Contestant emr");
        }
    }
}

#[test]
fn an_edited_strategy_keeps_its_colour_and_says_that_it_is_edited() {
    use afterstate::workbench::command::StrategyCommand;
    use afterstate::workbench::theme::HUES;
    let mut window = open([1600.0, 1000.0]);
    let mark = |window: &Harness<'_, Window>| {
        let doc = window.state().app().document();
        doc.color_index(doc.strategy().hash())
    };

    let solver = "(name: \"mine\", criteria: [(evaluator: Empty), (evaluator: Snake)])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(solver.parse().expect(solver))),
    );
    apply(&mut window, ExperimentCommand::AddCurrent);
    let before = mark(&window);

    apply(
        &mut window,
        afterstate::strategy::StrategyEdit::RemoveRow(0),
    );
    assert_eq!(mark(&window) % HUES, before % HUES);
    assert_eq!(
        window.state().app().document().strategy().label(),
        "mine",
        "a person has named it"
    );
    apply(&mut window, ExperimentCommand::AddCurrent);
    window.get_by_label("Contestant mine (edited)");
    let doc = window.state().app().document();
    let of_setup = |place: usize| doc.color_index(doc.setup().strategies[place].strategy.hash());
    let last = doc.setup().strategies.len() - 1;
    assert_eq!(mark(&window), of_setup(last));
    assert_eq!(
        mark(&window) % HUES,
        before % HUES,
        "the open strategy keeps its color in the plot"
    );
    assert_ne!(
        of_setup(last - 1) % HUES,
        before % HUES,
        "and the version before the edit gets another"
    );
    apply(&mut window, Command::Undo);
    apply(&mut window, Command::Undo);
    assert_eq!(window.state().app().document().strategy().criteria.len(), 2);
    assert_eq!(mark(&window), before);
}

#[test]
fn escape_holds_a_run_and_never_ends_it_and_a_stopped_one_goes_on() {
    let mut window = open([1600.0, 1000.0]);
    apply(&mut window, ExperimentCommand::SetGames(1_000_000));
    begin(&mut window, ExperimentCommand::Run);
    begin(
        &mut window,
        afterstate::workbench::command::GameCommand::Autoplay,
    );
    let state =
        |window: &Harness<'_, Window>| window.state().app().document().last_run().state().cloned();
    let texts = |window: &Harness<'_, Window>| {
        let texts = window
            .state()
            .app()
            .notices()
            .texts()
            .map(str::to_owned)
            .collect::<Vec<_>>();
        texts.last().cloned().unwrap_or_default()
    };

    window.key_press(egui::Key::Escape);
    window.draw();
    assert_eq!(
        (texts(&window).as_str(), state(&window)),
        ("Autoplay stopped", Some(State::Running))
    );
    window.key_press(egui::Key::Escape);
    until(&mut window, "it holds", |window| {
        state(window) == Some(State::Paused)
    });
    assert_eq!(texts(&window), "The run is paused. Resume continues it.");
    for _ in 0..3 {
        window.press_key(egui::Key::Escape);
    }

    assert_eq!(state(&window), Some(State::Paused));
    // What needs another run says so, and offers Resume.
    let edit = afterstate::strategy::StrategyEdit::MoveRow { from: 1, to: 0 };
    apply(&mut window, edit);
    let test = afterstate::workbench::command::CompareCommand::TestAgainstPrevious;
    for command in [Command::from(ExperimentCommand::Run), test.into()] {
        let refused = window
            .state()
            .app()
            .can(&command)
            .expect_err("a run is paused");
        assert_eq!(
            refused,
            "The run is paused. Press Resume to continue or Stop to end it"
        );
        apply(&mut window, command);
        assert_eq!(texts(&window), refused);
        let notice = window.get_by_role_and_label(Role::Pane, "Status bar");
        notice.get_by_label("Resume").click();
        until(&mut window, "it continues", |window| {
            state(window) == Some(State::Running)
        });
        apply(&mut window, ExperimentCommand::Pause);
        until(&mut window, "it is paused again", |window| {
            state(window) == Some(State::Paused)
        });
    }
    apply(&mut window, ExperimentCommand::New);
    let refused = window
        .state()
        .app()
        .can(&ExperimentCommand::Run.into())
        .expect_err("another run is paused");
    assert!(refused.contains("\" is paused. Press Resume"), "{refused}");
    apply(&mut window, Command::Undo);
    apply(&mut window, ExperimentCommand::Stop);
    let finished = |window: &Harness<'_, Window>| {
        window
            .state()
            .app()
            .document()
            .last_run()
            .progress()
            .map_or(0, |progress| progress.work.done)
    };
    let before = finished(&window);
    start(&mut window, ExperimentCommand::Resume);
    until(&mut window, "more games", |window| {
        before < finished(window)
    });
    assert_eq!(state(&window), Some(State::Running));
}

#[test]
fn one_drag_is_one_step_of_undo_however_long_it_takes() {
    let mut window = open([1600.0, 1000.0]);
    apply(&mut window, ExperimentCommand::New);
    let p4 = |window: &Harness<'_, Window>| window.state().app().document().setup().rules.p4;
    let field = window
        .get_by_role_and_label(Role::SpinButton, "Probability of a 4")
        .rect()
        .center();
    let drag = |window: &mut Harness<'_, Window>, pause: Duration| {
        window.drag_at(field);
        for by in [10.0, 20.0, 30.0] {
            window.draw();
            window.hover_at(field + egui::vec2(by, 0.0));
            std::thread::sleep(pause);
        }
        window.draw();
        window.drop_at(field + egui::vec2(30.0, 0.0));
        window.settle();
        p4(window)
    };
    let start = p4(&window);
    // The pause between two changes does not split a step, and a drag right after it is another one.
    let first = drag(&mut window, Duration::from_millis(2100));
    let second = drag(&mut window, Duration::ZERO);
    assert!(start < first && first < second, "{start} {first} {second}");
    for before in [first, start] {
        apply(&mut window, Command::Undo);
        assert_eq!(p4(&window), before);
    }
}

fn slow() -> ExperimentCommand {
    let strategy =
        "(name: \"slow\", criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(2)))])";
    ExperimentCommand::Add(Box::new(strategy.parse().expect("a strategy")))
}

#[test]
fn results_are_opened_beside_a_run_that_goes_on() {
    let mut window = open([1600.0, 1000.0]);
    let doc = |window: &Harness<'_, Window>| -> (bool, Option<State>, String) {
        let doc = window.state().app().document();
        let playing = doc.playing().and_then(|run| run.state().cloned());
        (doc.results().is_some(), playing, doc.setup().title.clone())
    };

    let first = window
        .state()
        .app()
        .document()
        .last_run()
        .run
        .as_ref()
        .and_then(|run| run.folder().map(ToOwned::to_owned));
    let (first, title) = (first.expect("kept"), doc(&window).2);
    apply(&mut window, ExperimentCommand::New);
    apply(&mut window, slow());
    apply(&mut window, ExperimentCommand::SetGames(1_000_000));
    begin(&mut window, ExperimentCommand::Run);
    let finished = |window: &Harness<'_, Window>| {
        let playing = window.state().app().document().playing();
        playing
            .and_then(|run| run.progress())
            .map_or(0, |progress| progress.work.done)
    };
    until(&mut window, "some games", |window| 5 < finished(window));
    begin(
        &mut window,
        FileCommand::OpenFiles(vec![first.join("manifest.json")]),
    );
    until(&mut window, "the results", |window| {
        plot(window).1.contains("emr 1,000 games")
    });
    assert_eq!(
        doc(&window),
        (true, Some(State::Running), title),
        "nothing was stopped"
    );
    let before = finished(&window);
    until(&mut window, "it continues", |window| {
        before + 5 < finished(window)
    });
    assert!(
        window
            .state()
            .app()
            .can(&ExperimentCommand::Run.into())
            .expect_err("one at a time")
            .contains("slow")
    );
    let busy = window.state().app().document().busy().unwrap_or_default();
    assert!(
        busy.contains("Playing ") && busy.contains(" games of slow"),
        "{busy}"
    );

    // Its buttons are visible, and a link to it.
    window.get_by_label("Pause");
    start(&mut window, ExperimentCommand::ShowPlaying);
    let (shown, playing, title) = doc(&window);
    assert_eq!(
        (shown, playing, title.as_str()),
        (true, Some(State::Running), "slow")
    );
    begin(&mut window, Command::Undo);
    begin(&mut window, ExperimentCommand::Pause);
    until(&mut window, "it holds", |window| {
        doc(window).1 == Some(State::Paused)
    });
    apply(&mut window, ExperimentCommand::StopNow);
    until(&mut window, "it stops", |window| doc(window).1.is_none());
    assert!(window.query_by_label("Show the active run").is_none());
    apply(&mut window, Command::Undo);
    assert_eq!(doc(&window).2, "slow");
    window.get_by_label("Resume");
}

#[test]
fn a_run_says_that_it_is_held_and_what_its_buttons_do() {
    let mut window = open([1600.0, 1000.0]);
    let can_run =
        |window: &Harness<'_, Window>| window.state().app().can(&ExperimentCommand::Run.into());
    assert!(
        can_run(&window)
            .expect_err("nothing is left")
            .contains("enter more games")
    );
    apply(&mut window, ExperimentCommand::New);
    apply(&mut window, slow());
    apply(&mut window, ExperimentCommand::SetGames(1_000_000));
    begin(&mut window, ExperimentCommand::Run);

    // Below the plot, and below the results once there are some.
    let says = |window: &Harness<'_, Window>, text: &str| {
        window.query_all_by_label_contains(text).next().is_some()
    };
    until(&mut window, "some games", |window| {
        says(window, "Running, not final")
    });
    apply(&mut window, ExperimentCommand::Pause);
    until(&mut window, "it holds", |window| {
        says(window, "Paused, not final")
    });
    assert!(!says(&window, "Running, not final"));
    apply(&mut window, ExperimentCommand::StopNow);

    // Resume would play the rest of the same plan.
    window.get_by_label("Resume");
    assert!(window.query_by_label("Run").is_none() && window.query_by_label("Run again").is_none());
    apply(&mut window, ExperimentCommand::SetGames(999_999));
    window.get_by_label("Resume");
    window.get_by_label("Run");
}

#[test]
fn the_folder_of_a_run_is_opened_as_a_file_is() {
    let window = open([1600.0, 1000.0]);
    let run = window
        .state()
        .app()
        .document()
        .last_run()
        .run
        .as_ref()
        .and_then(|run| run.folder().map(ToOwned::to_owned));
    let (run, elsewhere) = (run.expect("kept"), tempfile::tempdir().expect("a folder"));
    let mut other = common::open_with(elsewhere.path(), [1600.0, 1000.0], vec![run]);
    common::until(&mut other, "reading", |window| {
        let results = common::document(window)
            .results()
            .and_then(|run| run.state().cloned());
        results == Some(State::Done)
    });
    assert_eq!(
        common::document(&other).setup().title,
        window.state().app().document().setup().title
    );
    common::apply(
        &mut other,
        FileCommand::OpenFiles(vec![elsewhere.path().to_owned()]),
    );
    let said: Vec<String> = other
        .state()
        .as_ref()
        .expect("open")
        .notices()
        .texts()
        .map(str::to_owned)
        .collect();
    assert!(
        said.last()
            .is_some_and(|text| text.contains("this folder holds no run")),
        "{said:?}"
    );
}

/// The number before a word in a text.
fn number_before(text: &str, word: &str) -> u64 {
    let before = text
        .split(word)
        .next()
        .and_then(|part| part.rsplit(' ').next())
        .unwrap_or_default();
    before
        .replace(',', "")
        .parse()
        .unwrap_or_else(|_| panic!("no number before {word:?}: {text}"))
}

#[test]
fn differences_of_two_strategies_are_binned_walked_and_listed() {
    let mut window = open([1600.0, 1000.0]);
    window.click_role(Role::RadioButton, "Paired");
    let image = |window: &Harness<'_, Window>| {
        let is_it = |node: &egui_kittest::Node<'_>| {
            node.accesskit_node()
                .label()
                .is_some_and(|label| label.starts_with("Histogram of differences"))
        };
        let plot = window
            .get_all_by_role(Role::Image)
            .find(is_it)
            .expect("differences");
        (
            plot.rect(),
            plot.accesskit_node().label().unwrap_or_default(),
        )
    };
    let (_, text) = image(&window);
    assert!(
        text.contains(" of 1,000 games identical; mean ")
            && text.contains("(planned games reached)"),
        "{text}"
    );
    let identical = number_before(&text, " of 1,000 games identical");
    let bins = |window: &Harness<'_, Window>| -> Vec<(String, bool)> {
        let bins = window
            .query_all_by_role(Role::ListBoxOption)
            .filter_map(|node| {
                let access_node = node.accesskit_node();
                Some((
                    access_node
                        .label()
                        .filter(|label| label.starts_with("Difference "))?,
                    access_node.is_selected() == Some(true),
                ))
            });
        bins.collect()
    };
    let all = bins(&window);
    assert!(
        all.iter()
            .any(|(label, _)| label.starts_with("Difference −")),
        "{all:?}"
    );
    let games = all
        .iter()
        .map(|(label, _)| number_before(label, " game"))
        .sum::<u64>();
    assert_eq!(
        games + identical,
        1000,
        "every game is in a bar or identical"
    );
    // The arrows move over bars from the mean; Enter lists the games of one.
    window
        .get_all_by_role(Role::Image)
        .find(|node| node.rect() == image(&window).0)
        .expect("the plot")
        .focus();
    window.settle();
    window.press_key(egui::Key::ArrowLeft);
    let (label, _) = bins(&window)
        .into_iter()
        .find(|(_, selected)| *selected)
        .expect("a bar is brushed");
    let count = number_before(&label, " game");
    window.press_key(egui::Key::Enter);
    let rows: Vec<String> = window
        .query_all_by_role(Role::Row)
        .filter_map(|row| {
            row.accesskit_node()
                .label()
                .filter(|label| label.contains(", difference "))
        })
        .collect();
    assert!(!rows.is_empty() && rows.len() as u64 <= count, "{rows:?}");
    window.get_by_label_contains(&format!("{} of ", afterstate::words::plural(count, "game")));

    // The largest difference opens at the parting, with the other game as a branch.
    let size = |row: &String| -> u64 {
        let difference = row.split(", difference ").nth(1).expect("a difference");
        difference
            .replace(['+', '−', ','], "")
            .parse()
            .expect("a number")
    };

    assert!(
        rows.windows(2).all(|pair| size(&pair[1]) <= size(&pair[0])),
        "{rows:?}"
    );
    // Its row has the focus, and Enter opens it.
    window.press_key(egui::Key::Enter);
    let document = window.state().app().document();
    let scores = document
        .tree()
        .node(document.cursor())
        .children
        .iter()
        .map(|&child| {
            let line = document.tree().line_through(child);
            document.tree().node(*line.last().expect("a line")).score
        });
    let scores: Vec<u64> = scores.collect();
    assert_eq!(
        (scores.len(), scores[0].abs_diff(scores[1])),
        (2, size(&rows[0])),
        "both games go on from here"
    );
    assert!(
        window
            .query_all_by_label_contains(" at move ")
            .next()
            .is_some(),
        "a move is named"
    );
    apply(&mut window, ViewCommand::ShowPanel(Panel::Games));

    // Back at the scores nothing is brushed.
    window.click_role(Role::RadioButton, "Histogram");
    assert!(window.query_by_label_contains("all scores").is_some());
}

#[test]
fn a_right_click_on_a_plot_opens_its_menu_and_leaves_the_scores_alone() {
    let mut window = open([1600.0, 1000.0]);
    let is_brushed = |window: &Harness<'_, Window>| window.query_by_label("List games").is_some();
    assert!(!is_brushed(&window));
    window.click_secondary_at(
        window
            .get_by(|node| {
                node.label()
                    .is_some_and(|label| label.starts_with("Histogram of scores"))
            })
            .rect()
            .center(),
    );
    assert!(!is_brushed(&window));
    entry(&window, "Show games");
}

/// Each line of the set-up is a tab stop, from its title to the strategies.
#[test]
fn tab_walks_the_whole_set_up() {
    let mut window = open([1600.0, 1000.0]);
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(
        &mut window,
        ExperimentCommand::Sweep(CHANCE_OF_A_4.to_owned()),
    );
    window
        .get_by_role_and_label(Role::TextInput, "Title of the experiment")
        .focus();
    window.settle();

    for name in [
        "Games per strategy",
        "Values of chance of a 4",
        "Stop rule",
        "Seed of the experiment",
        "Size of the board",
        "End of games",
        "Worker threads",
        "Contestant emr, chance of a 4 0",
        "Add a strategy",
        "Strategy by letters",
    ] {
        window.press_key(egui::Key::Tab);
        let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
        let focused = window
            .query_all_by(is_focused)
            .next()
            .expect("something has the keys");
        assert_eq!(focused.accesskit_node().label().as_deref(), Some(name));
    }
}
