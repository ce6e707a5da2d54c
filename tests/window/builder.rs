//! The Strategy and Presets panels, driven through the accessibility tree like a user.

use afterstate::preset::{Collection, Item as _, Preset, SaveTo};
use afterstate::strategy::{LastResort, Strategy, StrategyEdit};
use afterstate::workbench::App;
use afterstate::workbench::command::{
    Command, ExperimentCommand, FileCommand, GameCommand, LibraryCommand, Panel, PresetSource,
    Purpose, StrategyCommand, ViewCommand, Workspace,
};
use egui::{Key, Modifiers, Pos2, accesskit::Role, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use tempfile::TempDir;

use crate::common::{self, Drive as _};

/// The window and its folder, with helpers for user actions.
pub(crate) struct Window {
    pub harness: Harness<'static, Option<App>>,
    pub folder: TempDir,
}

impl Window {
    pub(crate) fn new() -> Self {
        Self::sized([1600.0, 1000.0])
    }

    pub(crate) fn sized(size: [f32; 2]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self {
            harness: common::open_with(folder.path(), size, Vec::new()),
            folder,
        }
    }

    #[track_caller]
    pub(crate) fn settle(&mut self) {
        self.harness.settle();
    }

    pub(crate) fn app(&self) -> &App {
        self.harness
            .state()
            .as_ref()
            .expect("the first frame made it")
    }

    #[track_caller]
    pub(crate) fn apply(&mut self, command: impl Into<Command>) {
        common::apply(&mut self.harness, command);
    }

    pub(crate) fn strategy(&self) -> Strategy {
        (*self.app().document().strategy()).clone()
    }

    /// The rows by their evaluators.
    pub(crate) fn rows(&self) -> Vec<String> {
        self.strategy()
            .criteria
            .iter()
            .map(|row| row.evaluator.label())
            .collect()
    }

    #[track_caller]
    pub(crate) fn click(&mut self, label: &str) {
        self.harness.click(label);
    }

    #[track_caller]
    pub(crate) fn press(&mut self, key: Key) {
        self.harness.press_key(key);
    }

    pub(crate) fn center(&self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).rect().center()
    }

    pub(crate) fn carry(&mut self, from: Pos2, to: Pos2) {
        common::carry(&mut self.harness, from, to);
    }

    pub(crate) fn drop_at(&mut self, to: Pos2) {
        self.harness.drop_at(to);
        self.settle();
    }

    pub(crate) fn drag(&mut self, from: Pos2, to: Pos2) {
        self.carry(from, to);
        self.drop_at(to);
    }

    pub(crate) fn undo(&mut self) {
        self.apply(Command::Undo);
    }
}

#[test]
fn a_row_dragged_above_another_goes_there_and_undo_takes_it_back() {
    let mut window = Window::new();
    assert_eq!(window.rows(), ["Empty", "Monotonicity"]);
    let (from, to) = (
        window.center("Row 2 Monotonicity"),
        window.center("Row 1 Empty"),
    );
    window.drag(from, pos2(to.x, to.y - 12.0));
    assert_eq!(window.rows(), ["Monotonicity", "Empty"]);
    assert_eq!(window.strategy().label(), "mer");
    window.undo();
    assert_eq!(window.rows(), ["Empty", "Monotonicity"]);
    assert_eq!(
        window.app().document().undo_texts().0,
        None,
        "one drag is one step"
    );
}

#[test]
fn a_chip_of_the_palette_drops_between_two_rows() {
    let mut window = Window::new();
    let (from, above) = (
        window.center("Palette Score"),
        window.harness.get_by_label("Row 1 Empty").rect(),
    );
    window.drag(from, pos2(above.center().x, above.bottom() + 4.0));
    assert_eq!(window.rows(), ["Empty", "Score", "Monotonicity"]);
    window.undo();
    assert_eq!(window.rows(), ["Empty", "Monotonicity"]);
}

#[test]
fn a_row_dragged_out_of_the_stack_is_removed_and_escape_keeps_it() {
    let mut window = Window::new();
    let from = window.center("Row 1 Empty");
    window.carry(from, pos2(700.0, 500.0));
    window.press(Key::Escape);
    window.drop_at(pos2(700.0, 500.0));
    assert_eq!(window.rows(), ["Empty", "Monotonicity"]);
    let from = window.center("Row 1 Empty");
    window.drag(from, pos2(700.0, 500.0));
    assert_eq!(window.rows(), ["Monotonicity"]);
    window.undo();
    assert_eq!(window.rows(), ["Empty", "Monotonicity"]);
}

#[test]
fn the_menu_of_a_row_does_what_dragging_does() {
    let mut window = Window::new();
    window.click("Menu of row 1");
    window.click("Move down");
    assert_eq!(window.rows(), ["Monotonicity", "Empty"]);
    window.click("Menu of row 1");
    window.click("Duplicate row");
    assert_eq!(window.rows(), ["Monotonicity", "Monotonicity", "Empty"]);
    window.click("Menu of row 3");
    window.click("Remove row");
    assert_eq!(window.rows(), ["Monotonicity", "Monotonicity"]);
}

#[test]
fn keys_select_move_and_remove_rows() {
    let mut window = Window::new();
    window.click("Row 1 Empty");
    window.press(Key::ArrowDown);
    window.harness.press_keys(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(window.rows(), ["Monotonicity", "Empty"]);
    window.press(Key::Delete);
    assert_eq!(
        window.rows(),
        ["Empty"],
        "the row that moved was the selected one"
    );
}

#[test]
fn the_key_a_opens_a_list_and_enter_adds() {
    let mut window = Window::new();
    window.click("Row 1 Empty");
    window.press(Key::A);
    window
        .harness
        .get_by_role_and_label(Role::TextInput, "Find a row to add")
        .type_text("uni");
    window.settle();
    window.press(Key::Enter);
    assert_eq!(window.rows(), ["Empty", "Uniformity", "Monotonicity"]);
    window.press(Key::A);
    window.press(Key::Escape);
    assert!(window.harness.query_by_label("Find a row to add").is_none());
    assert_eq!(window.rows().len(), 3);
}

#[test]
fn a_composition_is_named_by_its_letters_or_as_edited() {
    let mut window = Window::new();
    let plain = window.strategy().criteria[0].clone();
    let mut tolerant = plain.clone();
    tolerant.tolerance = 2.0;
    window.apply(StrategyCommand::set_row(0, tolerant, false));
    assert_eq!(window.strategy().name, "emr (edited)");
    window.apply(StrategyCommand::set_row(0, plain, false));
    assert_eq!(window.strategy().name, "emr");
}

#[test]
fn a_strategy_is_renamed_in_place() {
    let mut window = Window::new();
    window.press(Key::F2);
    window
        .harness
        .get_by_role_and_label(Role::TextInput, "Strategy name")
        .type_text("tidy");
    window.settle();
    window.press(Key::Enter);
    assert_eq!(window.strategy().name, "tidy");
    window.press(Key::F2);
    window
        .harness
        .get_by_role_and_label(Role::TextInput, "Strategy name")
        .type_text("other");
    window.settle();
    window.press(Key::Escape);
    assert_eq!(window.strategy().name, "tidy");
    assert_eq!(
        window.app().notices().texts().count(),
        0,
        "Escape only left the field"
    );
    window.undo();
    assert_eq!(window.strategy().name, "emr");
}

#[test]
fn a_dragged_tolerance_is_one_step_of_undo() {
    let mut window = Window::new();
    window.click("Unfold row 2");
    let from = window.center("Tolerance");
    window.drag(from, pos2(from.x + 60.0, from.y));
    let tolerance = window.strategy().criteria[1].tolerance;
    assert!(0.0 < tolerance, "{tolerance}");
    window.undo();
    assert_eq!(window.strategy().criteria[1].tolerance, 0.0);
    assert_eq!(window.app().document().undo_texts().0, None);
}

#[test]
fn the_settings_of_a_row_and_the_last_resort_change_the_strategy() {
    let mut window = Window::sized([1600.0, 1200.0]);
    window.click("Unfold row 1");
    window.click("Lower");
    assert_eq!(
        window.strategy().criteria[0].prefer,
        afterstate::strategy::Prefer::Lower
    );
    window.click("First");
    assert_eq!(window.strategy().last_resort, LastResort::First);
    window.click("Fold row 1");
    assert!(window.harness.query_by_label("Lower").is_none());
}

#[test]
fn a_matrix_of_another_size_offers_one_that_fits() {
    let mut window = Window::new();
    window.apply(StrategyCommand::Open(Box::new(
        r#"Strategy(name: "w", criteria: [(evaluator: Weights("b"))])"#
            .parse()
            .expect("a strategy"),
    )));
    let rules = afterstate::game::Rules {
        size: "3x3".parse().expect("a size"),
        ..Default::default()
    };
    window.apply(GameCommand::NewWith(rules, 1));
    assert!(window.app().document().strategy_problem().is_some());
    window.click("Use weights for 3 × 3");
    assert_eq!(window.app().document().strategy_problem(), None);
}

#[test]
fn several_strategies_are_open_and_each_can_be_shown_and_closed() {
    let mut window = Window::new();
    window.apply(ViewCommand::Workspace(Workspace::Build));
    window.click("Open strategy er");
    assert_eq!(window.strategy().label(), "er");
    window.click("Strategy menu");
    window.harness.press(StrategyCommand::Duplicate);
    assert_eq!(window.strategy().label(), "er 2");
    window.harness.press(StrategyCommand::Close);
    assert_eq!(window.app().document().strategies().len(), 3);
    window.harness.press(StrategyCommand::New);
    assert!(window.rows().is_empty());
    let stack = window
        .harness
        .get_by_label("Drag a row from the palette, or press A");
    assert!(
        stack.accesskit_node().is_focused(),
        "the keys are where the first row goes"
    );
    window.press(Key::Enter);
    window.harness.get_by_label("Find a row to add");
}

#[test]
fn open_strategies_of_one_name_are_told_apart() {
    let mut window = Window::new();
    window.apply(ViewCommand::Workspace(Workspace::Build));
    for letters in ["emr", "er"] {
        let strategy = Strategy {
            name: "same".to_owned(),
            ..Strategy::from_letters(letters).expect("letters")
        };
        window.apply(StrategyCommand::Open(Box::new(strategy)));
    }
    window.harness.get_by_label("Open strategy same");
    window.harness.get_by_label("Open strategy same (2)");
}

/// Tab enters an unfolded row from its own header, whatever is unfolded above it, and leaves it the same way.
#[test]
fn tab_leads_from_a_row_into_its_own_settings() {
    let mut window = Window::new();
    window.apply(ViewCommand::Workspace(Workspace::Build));
    window.apply(StrategyCommand::Open(Box::new(
        "emr".parse().expect("letters"),
    )));
    let rows = window.rows().len();
    assert_eq!(rows, 2);
    for row in 1..=rows {
        window.click(&format!("Unfold row {row}"));
    }

    for (row, name) in [(2, "Row 2 Monotonicity"), (1, "Row 1 Empty")] {
        window.harness.get_by_label(name).focus();
        window.settle();
        window.press(Key::Tab);
        let place = |window: &Window, name: &str| window.harness.get_by_label(name).rect();
        let focused = |window: &Window| {
            let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
            let mut all = window.harness.query_all_by(is_focused);
            all.next().expect("something has the keys").rect()
        };
        let [first, second] =
            ["Row 1 Empty", "Row 2 Monotonicity"].map(|name| place(&window, name));
        let field = focused(&window);
        let is_within = if row == 1 {
            first.bottom() < field.top() && field.bottom() < second.top()
        } else {
            second.bottom() < field.top()
        };
        assert!(is_within, "Tab enters row {row}: {field:?}");
        window.harness.press_keys(Modifiers::SHIFT, Key::Tab);
        assert_eq!(
            focused(&window),
            place(&window, name),
            "and Shift Tab leaves it"
        );
    }
}

#[test]
fn a_changed_strategy_is_added_to_the_experiment_once() {
    let mut window = Window::new();
    window.apply(ViewCommand::Workspace(Workspace::Build));
    let before = window.app().document().setup().strategies.len();
    window.apply(StrategyEdit::AddRow {
        at: 0,
        criterion: window.strategy().criteria[1].clone(),
    });
    window.click("Strategy menu");
    window.harness.press(ExperimentCommand::AddCurrent);
    assert_eq!(window.app().document().setup().strategies.len(), before + 1);
}

#[test]
fn a_preset_is_saved_deleted_brought_back_and_opened() {
    let mut window = Window::sized([800.0, 600.0]);
    window.apply(ViewCommand::ShowPanel(Panel::Presets));
    window.apply(ExperimentCommand::SetTitle("Mine".to_owned()));
    window.harness.press(FileCommand::Save);
    assert_eq!(window.app().document().presets().files().len(), 1);
    window.click("Preset Mine");
    window.click("Delete preset");
    assert_eq!(window.app().document().presets().files().len(), 0);
    window.click("Undo");
    assert_eq!(window.app().document().presets().files().len(), 1);
    // The key undoes the deletion, and nothing else.
    window.click("Preset Mine");
    window.click("Delete preset");
    window.harness.press_keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.app().document().presets().files().len(), 1);
    assert_eq!(window.app().document().setup().title, "Mine");

    window.apply(ExperimentCommand::SetTitle("Other".to_owned()));
    window.click("Preset Mine");
    window.click("Open preset");
    assert_eq!(window.app().document().setup().title, "Mine");
    assert_eq!(
        window.harness.query_all_by_label("Preset Mine").count(),
        0,
        "the experiment is to the front"
    );
    window.apply(ViewCommand::ShowPanel(Panel::Presets));
    window.click("Preset Mine");
    window.click("Preset Composition: all 65 strategies");
    window
        .harness
        .press(FileCommand::OpenPreset(PresetSource::Shipped(
            "composition-all-65",
        )));
    assert_eq!(window.app().document().setup().strategies.len(), 65);
}

#[test]
fn a_preset_that_nobody_named_is_asked_for_its_title_once() {
    let mut window = Window::sized([1024.0, 700.0]);
    let presets = window.folder.path().join("presets");
    window.apply(ExperimentCommand::New);
    for letters in ["emr", "gu"] {
        window.apply(ExperimentCommand::Add(Box::new(
            letters.parse().expect("letters"),
        )));
    }

    assert_eq!(window.app().document().setup().title, "emr against gu");
    window.apply(FileCommand::Save);
    window.click("Cancel");
    assert!(
        !presets.exists()
            && window
                .harness
                .query_all_by_label("Save the experiment")
                .count()
                == 0
    );

    // The proposed title is selected: typing replaces it.
    window.apply(FileCommand::Save);
    assert_eq!(
        window.harness.get_by_label("Title").value().as_deref(),
        Some("emr against gu")
    );
    window.harness.get_by_label("Title").type_text("Two orders");
    window.harness.settle();
    window.harness.press_key(Key::Enter);
    let text = || std::fs::read_to_string(presets.join("two-orders.ron")).expect("a file");
    assert!(text().contains("title: \"Two orders\""));
    // It has a title now: changes of strategies keep it, and saving asks nothing.
    window.apply(ExperimentCommand::Remove(0));
    window.apply(FileCommand::Save);
    assert!(
        window
            .harness
            .query_all_by_label("Save the experiment")
            .count()
            == 0
    );
    assert!(text().contains("Two orders") && !text().contains("emr"));
}

#[test]
fn a_shipped_title_goes_with_the_strategies_it_speaks_of() {
    let mut window = Window::sized([1024.0, 700.0]);
    let title = |window: &Window| window.app().document().setup().title.clone();
    let shipped = title(&window);
    window.apply(ExperimentCommand::Add(Box::new(
        "meugr".parse().expect("letters"),
    )));
    assert_eq!(title(&window), format!("{shipped} (edited)"));
    while 1 < window.app().document().setup().strategies.len() {
        window.apply(ExperimentCommand::Remove(0));
    }
    assert_eq!(title(&window), "meugr");
    window.apply(FileCommand::Save);
    assert!(
        0 < window
            .harness
            .query_all_by_label("Save the experiment")
            .count(),
        "it has no name yet"
    );
}

/// The experiment, saved as Mine and changed here, while another process has changed its file.
fn preset_changed_elsewhere() -> (Window, std::path::PathBuf, String) {
    let mut window = Window::sized([800.0, 600.0]);
    window.apply(ExperimentCommand::SetTitle("Mine".to_owned()));
    window.apply(FileCommand::Save);
    let path = window.folder.path().join("presets/mine.ron");
    window.apply(ExperimentCommand::SetSeed(5));
    window.apply(FileCommand::Save);
    assert!(
        window.app().document().conflict().is_none(),
        "what this window wrote itself is replaced"
    );
    let theirs = Preset {
        games: 77,
        ..Preset::clone(window.app().document().setup())
    }
    .to_text();
    std::fs::write(&path, &theirs).expect("another window");
    window.apply(ExperimentCommand::SetSeed(6));
    window.apply(FileCommand::Save);
    for label in [
        "The file of Mine was changed elsewhere",
        "games changed",
        "seed changed",
    ] {
        assert!(
            window
                .harness
                .query_by_role_and_label(Role::Label, label)
                .is_some(),
            "{label}"
        );
    }

    assert_eq!(
        std::fs::read_to_string(&path).expect("a file"),
        theirs,
        "nothing was written"
    );
    (window, path, theirs)
}

#[test]
fn a_preset_changed_elsewhere_is_asked_about_and_not_overwritten() {
    let (mut window, path, theirs) = preset_changed_elsewhere();
    window.harness.press(LibraryCommand::SaveCopy);
    assert!(window.app().document().conflict().is_none());
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), theirs);
    let copy = std::fs::read_to_string(path.with_file_name("mine-2.ron")).expect("a copy");
    assert!(copy.contains("seed: 6"), "{copy}");

    let (mut window, path, theirs) = preset_changed_elsewhere();
    window.harness.press(LibraryCommand::Overwrite);
    assert!(
        std::fs::read_to_string(&path)
            .expect("a file")
            .contains("seed: 6")
    );
    let trash = std::fs::read_to_string(path.with_file_name(".trash").join("mine.ron"));
    assert_eq!(trash.expect("theirs is kept"), theirs);
    window.apply(ExperimentCommand::SetSeed(7));
    window.apply(FileCommand::Save);
    assert!(
        window.app().document().conflict().is_none(),
        "the file is known again"
    );

    let (mut window, path, theirs) = preset_changed_elsewhere();
    window.harness.press(LibraryCommand::OpenTheirs);
    assert_eq!(window.app().document().setup().to_text(), theirs);
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), theirs);
}

#[test]
fn what_was_saved_and_then_undone_is_saved_again_without_a_question() {
    let mut window = Window::sized([800.0, 600.0]);
    window.apply(ExperimentCommand::SetTitle("Mine".to_owned()));
    window.apply(FileCommand::Save);
    window.apply(ExperimentCommand::SetSeed(5));
    window.apply(FileCommand::Save);
    window.apply(Command::Undo);
    assert_ne!(window.app().document().setup().seed, 5);
    window.apply(FileCommand::Save);
    assert!(
        window.app().document().conflict().is_none(),
        "this window wrote the file itself"
    );
    let text =
        std::fs::read_to_string(window.folder.path().join("presets/mine.ron")).expect("a file");
    assert_eq!(text, window.app().document().setup().to_text());
}

#[test]
fn a_preset_stays_in_its_file_whatever_the_file_is_called_and_however_it_was_opened() {
    let mut window = Window::sized([800.0, 600.0]);
    let presets = window.folder.path().join("presets");
    let listed = || {
        let files = std::fs::read_dir(&presets)
            .expect("a folder")
            .map(|file| file.expect("listed").file_name());
        let mut names: Vec<String> = files
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.retain(|name| name.ends_with(".ron"));
        names.sort();
        names
    };
    std::fs::create_dir_all(&presets).expect("made");
    // The plain name is taken by a preset with another title.
    std::fs::write(
        presets.join("mine.ron"),
        "(version: 1, title: \"Mine!\", seed: 1, games: 1, strategies: [])",
    )
    .expect("written");
    window.apply(ExperimentCommand::SetTitle("Mine".to_owned()));
    for seed in 5..9 {
        window.apply(ExperimentCommand::SetSeed(seed));
        window.apply(FileCommand::Save);
        assert_eq!(listed(), ["mine-2.ron", "mine.ron"]);
    }
    let text = |name: &str| std::fs::read_to_string(presets.join(name)).expect("a file");
    assert!(text("mine-2.ron").contains("seed: 8"));

    // Opened as a file, by another path.
    window.apply(ExperimentCommand::New);
    window.apply(FileCommand::OpenFiles(vec![
        presets.join("../presets/mine-2.ron"),
    ]));
    window.apply(ExperimentCommand::SetSeed(9));
    window.apply(FileCommand::Save);
    assert_eq!(listed(), ["mine-2.ron", "mine.ron"]);
    assert!(text("mine-2.ron").contains("seed: 9"));

    // Saving as another file makes that file the target.
    let other = window.folder.path().join("elsewhere.ron");
    window.apply(FileCommand::SaveTo(Purpose::SavePreset, other.clone()));
    window.apply(ExperimentCommand::SetSeed(10));
    window.apply(FileCommand::Save);
    assert!(
        std::fs::read_to_string(&other)
            .expect("a file")
            .contains("seed: 10")
    );
    std::fs::write(&other, text("mine.ron")).expect("another program");
    window.apply(FileCommand::Save);
    assert!(window.app().document().conflict().is_some());
    window.harness.press(LibraryCommand::Overwrite);
    assert!(
        std::fs::read_to_string(&other)
            .expect("a file")
            .contains("seed: 10")
    );
    // Another title makes another preset.
    window.apply(ExperimentCommand::SetTitle("Yours".to_owned()));
    window.apply(FileCommand::Save);
    assert_eq!(listed(), ["mine-2.ron", "mine.ron", "yours.ron"]);
}

#[test]
fn a_file_is_read_as_the_command_line_reads_it() {
    let mut window = Window::sized([800.0, 600.0]);
    let preset = Preset::new(
        "From\nelsewhere",
        [Strategy::from_letters("er").expect("letters")],
    )
    .to_text();
    let terms = format!(
        "(criteria: [(evaluator: Sum([{}]))])",
        "(1.0, Score),".repeat(100_000)
    );
    let files = [
        (
            "old-mac.ron",
            format!("\u{feff}// mine\r{}", preset.replace('\n', "\r")),
        ),
        ("unknown.txt", "[package]".to_owned()),
        ("terms.ron", terms.clone()),
        ("torn.net", "(format: \"afterstate network\", ".to_owned()),
    ];
    let folder = window.folder.path().to_owned();
    // All messages: background work may report too.
    let open = |window: &mut Window, name: &str| {
        window.apply(FileCommand::OpenFiles(vec![folder.join(name)]));
        window
            .app()
            .notices()
            .texts()
            .collect::<Vec<_>>()
            .join("\n")
    };

    for (name, text) in &files {
        std::fs::write(folder.join(name), text).expect("written");
    }

    open(&mut window, "old-mac.ron");
    assert_eq!(window.app().document().setup().title, "From\nelsewhere");
    let said = open(&mut window, "unknown.txt");
    assert!(
        said.contains("unknown.txt: this is not a preset, strategy, position or game record"),
        "{said}"
    );
    assert!(open(&mut window, "terms.ron").contains("at most 1,000 in all"));
    assert!(open(&mut window, "torn.net").contains("torn.net: "));
    std::fs::copy("assets/reference.net", folder.join("mine.net")).expect("copied");
    let said = open(&mut window, "mine.net");
    assert!(
        said.contains("Network \"mine\" opened as a strategy"),
        "{said}"
    );
    assert!(
        window
            .app()
            .document()
            .strategy()
            .to_string()
            .contains("mine.net")
    );
    window.apply(FileCommand::Pasted(terms));
    let said: Vec<&str> = window.app().notices().texts().collect();
    assert!(
        said.iter()
            .any(|text| text.contains("clipboard") && text.contains("at most 1,000 in all")),
        "{said:?}"
    );
    if cfg!(unix) {
        window.apply(FileCommand::OpenFiles(vec!["/dev/zero".into()]));
        assert!(
            window
                .app()
                .notices()
                .texts()
                .any(|text| text.contains("/dev/zero: this is a pipe or a device"))
        );
    }
}

#[test]
fn exported_results_are_opened_with_their_games_and_recent_files_from_the_menu() {
    let mut window = Window::sized([1000.0, 700.0]);
    let strategies = ["r", "er"].map(|letters| Strategy::from_letters(letters).expect("letters"));
    let preset = Preset {
        games: 30,
        ..Preset::new("Two ways", strategies)
    };
    let own = window.folder.path().join("two.ron");
    std::fs::write(&own, preset.to_text()).expect("written");
    window.apply(FileCommand::OpenFiles(vec![own.clone()]));
    window.apply(ExperimentCommand::Run);
    let results = window
        .app()
        .document()
        .results()
        .and_then(|last_run| last_run.snapshot.clone());
    assert_eq!(
        results.expect("played").progress.state,
        afterstate::experiment::State::Done
    );
    let sums = |window: &Window| {
        let said: Vec<&str> = window.app().notices().texts().collect();
        let last_run = window.app().document().results();
        let last_run = last_run.unwrap_or_else(|| panic!("no results: {said:?}"));
        last_run
            .snapshot
            .as_ref()
            .expect("sums")
            .summaries
            .iter()
            .map(|summary| summary.scores.mean())
            .collect::<Vec<_>>()
    };
    let before = sums(&window);
    let folder = window.folder.path().join("results");
    window.apply(FileCommand::SaveTo(Purpose::ExportResults, folder.clone()));
    assert!(
        window
            .app()
            .notices()
            .texts()
            .any(|text| text.starts_with("Saved the results to "))
    );
    for name in ["results.json", "games.csv", "summary.csv", "manifest.json"] {
        window.apply(ExperimentCommand::New);
        assert!(window.app().document().results().is_none());
        window.apply(FileCommand::OpenFiles(vec![folder.join(name)]));
        assert_eq!(sums(&window), before, "{name}");
        assert_eq!(window.app().document().setup().title, "Two ways");
    }
    std::fs::remove_file(folder.join("manifest.json")).expect("removed");
    window.apply(FileCommand::OpenFiles(vec![folder.join("games.csv")]));
    let says = |window: &Window, words: &str| {
        window
            .app()
            .notices()
            .texts()
            .any(|text| text.contains(words))
    };
    assert!(says(
        &window,
        "the other files of the results do not describe the experiment"
    ));

    // Opened files are in the menu, the last one first, also after a restart.
    assert_eq!(
        window.app().document().recent()[0],
        folder.join("manifest.json")
    );
    window.click("File");
    window.click("Open recent");
    window.harness.click_part("two.ron");
    assert_eq!(window.app().document().recent()[0], own);
}

#[test]
fn a_broken_preset_says_why_instead_of_vanishing() {
    let mut window = Window::sized([800.0, 900.0]);
    let presets = window.folder.path().join("presets");
    std::fs::create_dir_all(&presets).expect("made");
    std::fs::write(presets.join("torn.ron"), "(version: 1, title: \"x").expect("written");
    let sound = Preset::new("Sound", [Strategy::from_letters("er").expect("letters")]);
    Collection::in_config(Some(window.folder.path()))
        .save(SaveTo::New, &sound)
        .expect("saved");
    window.apply(FileCommand::ListPresets);
    window.apply(ViewCommand::ShowPanel(Panel::Presets));
    window.click("Preset ✗ torn.ron");
    let says = window
        .harness
        .query_all_by_label_contains("torn.ron: line 1")
        .count();
    assert_eq!(says, 1);
    assert!(window.harness.query_by_label("Preset Sound").is_some());
}

#[test]
fn every_width_has_the_whole_panel() {
    for size in [[1024.0, 700.0], [2560.0, 1440.0], [800.0, 600.0]] {
        let mut window = Window::sized(size);
        window.apply(ViewCommand::Workspace(Workspace::Build));
        window.apply(ViewCommand::ShowPanel(Panel::Strategy));
        for label in [
            "Row 1 Empty",
            "Row 2 Monotonicity",
            "Last resort",
            "Add to experiment",
        ] {
            assert!(
                window.harness.query_by_label(label).is_some(),
                "{label} at {size:?}"
            );
        }
        let adds = ["Palette Score", "Add row"];
        assert!(
            adds.iter()
                .any(|label| window.harness.query_by_label(label).is_some()),
            "{size:?}"
        );
    }
}

#[test]
fn a_row_looks_further_ahead_and_the_tree_follows() {
    let mut window = Window::sized([1600.0, 1200.0]);
    window.click("Unfold row 1");

    for (kind, plies) in [("Expectimax", 3), ("Alpha-beta", 3), ("One ply", 1)] {
        window.click("Lookahead");
        window.click(kind);
        let row = &window.strategy().criteria[0];
        assert_eq!(row.lookahead.plies().is_some(), kind != "One ply");
        let decided = window.app().document().decided().expect("decided").clone();
        let tree = decided.trees[0].as_ref().expect("row 1 was asked");
        assert_eq!(
            (tree.subject().plies, &tree.subject().definition.lookahead),
            (plies, &row.lookahead),
            "{kind}"
        );
    }
}
