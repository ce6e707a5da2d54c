//! The first start of the program, and its guided tasks.

use afterstate::experiment::{Plan, Run, RunFolder, State};
use afterstate::preset::Preset;
use afterstate::search::NodeKind;
use afterstate::strategy::StrategyEdit;
use afterstate::workbench::command::{
    Command, ExperimentCommand, GameCommand, LearningCommand, Menu, Panel, ReviewCommand,
    StrategyCommand, TreeCommand, ViewCommand, Workspace,
};
use egui::{Key, accesskit::Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{
    Drive as _, Window, apply, begin, begin_in, document, keep_settings, open, open_as_it_is,
    open_new, until,
};
use crate::review::judge;

/// The first window, while its strategies play against each other.
fn playing(folder: &tempfile::TempDir, size: [f32; 2]) -> Window {
    keep_settings(folder.path());
    let mut window = begin_in(None, folder.path(), size, Vec::new());
    until(&mut window, "a decision", |window| {
        document(window).decision().is_some()
    });
    assert!(
        document(&window).busy().is_some(),
        "they play against each other"
    );
    window
}

/// Plays a few games instead of a hundred, which take a minute on a busy machine.
fn play_few(window: &mut Window) {
    apply(window, ExperimentCommand::SetGames(FEW_GAMES));
    apply(window, ExperimentCommand::Run);
    assert!(
        document(window)
            .results()
            .is_some_and(|run| run.state() == Some(&State::Done))
    );
}

const FEW_GAMES: u64 = 4;

/// The current step of a task, as a screen reader reads it: `step 2 of 5`.
fn at(window: &Window, task: &str) -> Option<String> {
    let notes = window
        .query_all_by_role(Role::Dialog)
        .filter_map(|node| node.accesskit_node().label());
    let mut here = notes.filter_map(|label| {
        Some(
            label
                .strip_prefix(task)?
                .trim_start_matches(", ")
                .to_owned(),
        )
    });
    here.next()
}

fn choices(window: &Window) -> usize {
    let choice = |node: &egui_kittest::Node<'_>| {
        let label = node.accesskit_node().label().unwrap_or_default();
        [
            "See why it moves: ",
            "Build a better one: ",
            "Watch one learn: ",
        ]
        .iter()
        .any(|name| label.starts_with(name))
    };
    window
        .query_all_by_role(Role::Button)
        .filter(choice)
        .count()
}

fn choose(window: &mut Window, task: &str) {
    window.click_part(&format!("{task}: "));
}

#[test]
fn the_first_look_is_a_move_that_looking_ahead_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let window = playing(&folder, [1600.0, 1000.0]);
    let doc = document(&window);
    let strategy = doc.strategy();
    assert!(
        strategy.criteria[0].lookahead.plies().is_none()
            && strategy.criteria[1].lookahead.plies().is_some()
    );
    let decision = doc.decision().expect("searched").clone();
    assert_eq!(
        decision.deciding(),
        Some(1),
        "the row that looks ahead decides"
    );
    assert_ne!(
        decision.kept[0],
        decision.legal(),
        "and the cheap row has struck a move"
    );
    let tree = decision.searches[1]
        .as_ref()
        .and_then(|searched| searched.tree.clone())
        .expect("recorded");
    for kind in [NodeKind::Max, NodeKind::Chance, NodeKind::Cut] {
        assert!(0 < tree.counts.of(kind), "{kind:?}");
    }

    let names: Vec<String> = doc
        .setup()
        .strategies
        .iter()
        .map(|entry| entry.strategy.label())
        .collect();
    assert_eq!(
        names,
        doc.strategies()
            .iter()
            .map(|open| open.label())
            .collect::<Vec<_>>()
    );
}

#[test]
fn what_was_open_is_not_replaced_by_a_first_look() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let window = open(folder.path());
    assert_eq!(document(&window).strategy().label(), "emr");
    assert_eq!(choices(&window), 0);
}

#[test]
fn the_first_window_offers_three_tasks_until_that_is_closed() {
    for size in [[1600.0, 1000.0], [1024.0, 700.0]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut window = playing(&folder, size);
        assert_eq!(choices(&window), 3, "{size:?}");
        let first = window.get_by_label_contains("See why it moves: ");
        assert!(
            first.accesskit_node().is_focused()
                && window.ctx.content_rect().contains_rect(first.rect())
        );
        window.key_press(Key::Escape);
        window.draw();
        assert_eq!(choices(&window), 0);
        assert!(
            document(&window).busy().is_some(),
            "Escape closed the card and did not stop the run"
        );
        apply(&mut window, ExperimentCommand::StopNow);
        apply(&mut window, ViewCommand::Workspace(Workspace::Learn));
        apply(&mut window, ViewCommand::StartHere);
        assert_eq!(choices(&window), 3, "it leads back to the overview");
        window.click("Close Start here");
        assert_eq!(choices(&window), 0);
    }
}

#[test]
fn a_task_leads_from_a_decision_to_its_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open_new(folder.path(), [1600.0, 1000.0]);
    // The first one has the focus.
    window.press_key(Key::Enter);
    let task = "See why it moves";
    assert_eq!(at(&window, task).as_deref(), Some("step 1 of 3"));
    assert_eq!(choices(&window), 0);
    apply(&mut window, TreeCommand::Child);
    assert_eq!(at(&window, task).as_deref(), Some("step 2 of 3"));
    window.press(ViewCommand::Workspace(Workspace::Search));
    assert_eq!(at(&window, task).as_deref(), Some("step 3 of 3"));
    apply(&mut window, TreeCommand::Child);
    assert_eq!(at(&window, task).as_deref(), Some("done"));
    window.get_by_label_contains("Why, below the tree, compares the best two moves tile by tile");
    window.click("Done");
    assert_eq!(at(&window, task), None);
}

#[test]
fn a_task_leads_from_a_bar_to_the_difference_of_an_edit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open_new(folder.path(), [1600.0, 1000.0]);
    play_few(&mut window);
    let own = document(&window).current();
    apply(&mut window, StrategyCommand::Open(Box::new(judge())));
    apply(&mut window, ReviewCommand::JudgeByStrategy);
    apply(&mut window, StrategyCommand::Select(own));
    let task = "Build a better one";
    choose(&mut window, task);
    assert_eq!(at(&window, task).as_deref(), Some("step 1 of 5"));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Games));
    assert_eq!(
        at(&window, task).as_deref(),
        Some("step 1 of 5"),
        "the list is that of the workspace"
    );
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    assert_eq!(at(&window, task).as_deref(), Some("step 2 of 5"));
    apply(&mut window, ReviewCommand::GameOfRun(1, 3));
    assert_eq!(at(&window, task).as_deref(), Some("step 3 of 5"));
    assert!(document(&window).review().is_some());
    assert_eq!(
        at(&window, task).as_deref(),
        Some("step 3 of 5"),
        "its worst move is on the board"
    );
    apply(&mut window, ReviewCommand::ShowRule(None));
    assert_eq!(at(&window, task).as_deref(), Some("step 4 of 5"));
    apply(&mut window, ReviewCommand::EditRule(None));
    assert_eq!(
        at(&window, task).as_deref(),
        Some("step 4 of 5"),
        "opening the row changes nothing"
    );
    apply(&mut window, StrategyEdit::RemoveRow(0));
    assert_eq!(at(&window, task).as_deref(), Some("step 5 of 5"));
    apply(&mut window, ReviewCommand::Rerun);
    assert_eq!(at(&window, task).as_deref(), Some("done"));
    window.get_by_label_contains(&format!("on the same {FEW_GAMES} games (95 % interval: "));
}

#[test]
fn a_task_leads_to_a_network_that_plays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open_new(folder.path(), [1600.0, 1000.0]);
    let task = "Watch one learn";
    choose(&mut window, task);

    window.press(ViewCommand::Workspace(Workspace::Learn));
    assert_eq!(at(&window, task).as_deref(), Some("step 2 of 5"));
    window.click("New training…");
    let minutes = window
        .get_by_label("Time limit in minutes")
        .accesskit_node()
        .numeric_value();
    assert_eq!(minutes, Some(1.0), "it takes a minute");

    window.get_by_label("Start training").click();
    until(&mut window, "it learns", |window| {
        at(window, task).as_deref() == Some("step 3 of 5")
    });
    let name = document(&window).trainings().live()[0].name.clone();
    until(&mut window, "some games", |window| {
        20 < document(window).trainings().games(&name)
    });

    apply(&mut window, LearningCommand::Stop(name.clone()));
    assert_eq!(at(&window, task).as_deref(), Some("step 4 of 5"));
    apply(&mut window, LearningCommand::Use(name));
    assert_eq!(at(&window, task).as_deref(), Some("step 5 of 5"));
    begin(&mut window, GameCommand::Autoplay);
    assert_eq!(at(&window, task).as_deref(), Some("done"));
}

#[test]
fn the_start_card_is_a_command_of_the_help_menu() {
    let start = Command::from(ViewCommand::StartHere);
    assert_eq!(start.menu(), Some(Menu::Help));
    assert!(Command::all().any(|command| *command == start));
}

#[test]
fn a_run_that_is_brought_along_is_shown_instead() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let preset = Preset {
        games: 10,
        ..Preset::new("Brought", ["r".parse().expect("letters")])
    };
    let (plan, run_folder) = (Plan::of_preset(&preset), folder.path().join("kept"));
    let run = Run::start_in(
        RunFolder::of_plan(&run_folder, &plan).expect("a folder"),
        plan,
        || {},
    )
    .expect("a sound plan");
    run.wait();
    let window = open_as_it_is(
        folder.path(),
        [1600.0, 1000.0],
        vec![run_folder.join("manifest.json")],
    );
    assert_eq!(document(&window).last_run().state(), Some(&State::Done));
    assert_eq!(
        (
            document(&window).setup().title.as_str(),
            document(&window).setup().games
        ),
        ("Brought", 10)
    );
}

#[test]
fn board_tree_and_experiment_are_seen_at_once_and_nothing_lies_over_a_node() {
    for size in [[1024.0, 700.0], [1600.0, 1000.0]] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let window = open_new(folder.path(), size);
        for panel in [
            Panel::Board,
            Panel::Decision,
            Panel::Tree,
            Panel::Experiment,
        ] {
            let pane = window.query_by_role_and_label(Role::Pane, panel.title());
            assert!(pane.is_some(), "{panel:?} in {size:?}");
        }
        let named = |node: egui_kittest::Node<'_>| {
            (
                node.accesskit_node().label().unwrap_or_default(),
                node.rect(),
            )
        };
        let items: Vec<(String, egui::Rect)> = window
            .query_all_by_role(Role::TreeItem)
            .map(named)
            .collect();
        let chips: Vec<(String, egui::Rect)> = window
            .query_all_by_label_contains("more spawns")
            .map(named)
            .collect();
        assert!(!chips.is_empty());
        for (name, chip) in &chips {
            // Lines are higher than their letters.
            let over = items
                .iter()
                .find(|(other, rect)| other != name && rect.shrink(3.0).intersects(*chip));
            assert!(over.is_none(), "{name} {chip:?} over {over:?} in {size:?}");
        }
    }
}

/// Visible texts, except the numbers on tiles of small boards.
fn words_in_sight(window: &Window) -> Vec<String> {
    /// Numbers on small boards are smaller than any other text.
    const SMALLEST: f32 = 9.5;
    let mut shapes: Vec<(egui::Rect, &egui::Shape)> = window
        .output()
        .shapes
        .iter()
        .map(|clipped| (clipped.clip_rect, &clipped.shape))
        .collect();
    let mut words = Vec::new();
    while let Some((clip, shape)) = shapes.pop() {
        match shape {
            egui::Shape::Vec(inner) => shapes.extend(inner.iter().map(|shape| (clip, shape))),
            egui::Shape::Text(text) if clip.intersects(text.visual_bounding_rect()) => {
                let is_small = text
                    .galley
                    .job
                    .sections
                    .iter()
                    .all(|section| section.format.font_id.size < SMALLEST);
                if !is_small {
                    words.extend(text.galley.text().split_whitespace().map(str::to_owned));
                }
            }
            _ => {}
        }
    }

    words.retain(|word| word.chars().any(char::is_alphanumeric));
    words
}

/// The names of everything that can be clicked or focused. Nodes of a tree, cells of boards, bars, and cells and rows
/// of tables are content, not controls.
fn controls(window: &Window) -> Vec<String> {
    let is_control = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        let is_content = matches!(
            node.role(),
            Role::TreeItem
                | Role::Tree
                | Role::Cell
                | Role::ColumnHeader
                | Role::Row
                | Role::Table
                | Role::ListBoxOption
                | Role::Image
                | Role::Pane
                | Role::ScrollView
        );
        let name = node.label().unwrap_or_default();
        let is_cell = name.starts_with('r') && name.as_bytes().get(2) == Some(&b'c');
        let is_row = name.contains(", value ") || name.contains(" more spawns");
        let acts = [
            egui::accesskit::Action::Click,
            egui::accesskit::Action::Focus,
        ];
        !is_content
            && !is_cell
            && !is_row
            && !node.is_hidden()
            && acts.iter().any(|&act| node.data().supports_action(act))
    };

    let named = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        format!("{:?} {}", node.role(), node.label().unwrap_or_default())
    };
    window.query_all_by(is_control).map(named).collect()
}

#[test]
fn the_first_screen_can_be_taken_in() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut window = open_new(folder.path(), [1600.0, 1000.0]);
    play_few(&mut window);
    let (words, controls) = (words_in_sight(&window), controls(&window));
    println!(
        "first screen: {} words and numbers, {} controls",
        words.len(),
        controls.len()
    );
    assert!(words.len() <= 400, "{} words: {words:?}", words.len());
    assert!(
        controls.len() <= 80,
        "{} controls: {controls:#?}",
        controls.len()
    );
}
