//! Everything works by keyboard: menus, drop-downs, tooltips, the timeline, the board editor, lists.

use afterstate::experiment::State;
use afterstate::review::MoveReport;
use afterstate::workbench::command::{
    ExperimentCommand, FileCommand, GameCommand, Panel, ReviewCommand, StrategyCommand,
    TreeCommand, TreeView, ViewCommand, Workspace,
};
use afterstate::workbench::panels::Inspection;
use egui::accesskit::{Action, ActionData, Role, Toggled};
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, TOOLTIP, Window, apply, document, entry, open, title, until};

const SEARCHES: &str = "Strategy(criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(3)))], last_resort: First)";

fn inspection(window: &Window) -> &Inspection {
    window
        .state()
        .as_ref()
        .expect("the window is open")
        .inspection()
}

fn types(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.settle();
}

/// The name of the focused widget.
fn focused(window: &Window) -> String {
    let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
    let all = window.query_all_by(is_focused);
    all.last()
        .and_then(|node| node.accesskit_node().label())
        .unwrap_or_default()
}

fn is_shown(window: &Window, label: &str) -> bool {
    window.query_all_by_label(label).next().is_some()
}

fn focus(window: &mut Window, label: &str) {
    window.get_by_label(label).focus();
    window.settle();
}

#[test]
fn f10_and_arrows_walk_the_menus_and_escape_goes_back_step_by_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    window.get_by_label("Menu of Decision").focus();
    window.settle();
    window.press_key(Key::F10);
    assert_eq!(focused(&window), "File");
    assert!(is_shown(&window, "Save as…"));
    window.press_key(Key::ArrowDown);
    assert_eq!(focused(&window), "Open…");
    window.press_key(Key::ArrowRight);
    assert_eq!(focused(&window), "Undo");
    window.press_key(Key::ArrowLeft);
    window.press_key(Key::ArrowLeft);
    assert_eq!(focused(&window), "Start here", "round the bar");
    for _ in 0..2 {
        window.press_key(Key::ArrowLeft);
    }

    assert_eq!(focused(&window), "Show as", "the menu of the tree");
    window.press_key(Key::ArrowRight);
    assert_eq!(focused(&window), "Tree");
    window.press_key(Key::ArrowDown);
    assert_eq!(focused(&window), "Icicle");
    window.press_key(Key::Escape);
    assert_eq!(focused(&window), "Show as");
    window.press_key(Key::Escape);
    assert_eq!(
        (focused(&window).as_str(), is_shown(&window, "Show as")),
        ("Tree", false),
        "its title"
    );
    window.press_key(Key::Escape);
    assert_eq!(focused(&window), "Menu of Decision");
}

#[test]
fn alt_alone_opens_the_menus_and_alt_with_a_key_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let alt = |window: &mut Window, is_down: bool| {
        window.event(Event::ModifiersChanged(if is_down {
            Modifiers::ALT
        } else {
            Modifiers::NONE
        }));
        window.settle();
    };
    alt(&mut window, true);
    window.press_keys(Modifiers::ALT, Key::ArrowUp);
    alt(&mut window, false);
    assert!(!is_shown(&window, "Save as…"));

    // Ctrl Alt with a key, releasing Ctrl first.
    for modifiers in [
        Modifiers::CTRL,
        Modifiers::CTRL | Modifiers::ALT,
        Modifiers::ALT,
        Modifiers::NONE,
    ] {
        window.event(Event::ModifiersChanged(modifiers));
        window.settle();
    }

    assert!(!is_shown(&window, "Save as…"));
    let before = focused(&window);
    alt(&mut window, true);
    alt(&mut window, false);
    assert!(is_shown(&window, "Save as…"));
    assert_eq!(focused(&window), "File");
    alt(&mut window, true);
    alt(&mut window, false);
    assert!(!is_shown(&window, "Save as…"));
    assert_eq!(focused(&window), before);
}

#[test]
fn letters_home_and_end_find_an_entry_and_enter_runs_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let before = focused(&window);
    window.press_key(Key::F10);
    for _ in 0..2 {
        window.press_key(Key::ArrowRight);
    }

    assert_eq!(focused(&window), "View");
    window.press_key(Key::ArrowDown);
    types(&mut window, "lar");
    assert_eq!(focused(&window), "Larger", "it begins with these letters");
    window.press_key(Key::Home);
    assert_eq!(focused(&window), "Workspace Overview");
    // Letters that come later begin another word.
    window.pass(1.5);
    types(&mut window, "theme");
    assert_eq!(focused(&window), "Theme");
    window.press_key(Key::ArrowRight);
    types(&mut window, "light");
    assert_eq!(focused(&window), "Light theme", "in the menu beside it");
    window.press_key(Key::Enter);
    assert!(!is_shown(&window, "Larger"), "it closes");
    assert!(!window.ctx.global_style().visuals.dark_mode);
    assert_eq!(focused(&window), before);
}

#[test]
fn menus_are_menus_to_who_listens() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());

    let is_title = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        let parent = node.parent().map(|parent| parent.role());
        parent == Some(Role::MenuBar) && node.role() == Role::MenuItem
    };
    let titles = |window: &Window| -> Vec<(String, Option<bool>)> {
        let titles = window
            .query_all_by(is_title)
            .map(|title| title.accesskit_node());
        titles
            .map(|title| {
                (
                    title.label().unwrap_or_default(),
                    title.data().is_expanded(),
                )
            })
            .collect()
    };
    assert_eq!(titles(&window).len(), 8);
    assert!(
        titles(&window)
            .iter()
            .all(|(_, is_open)| *is_open == Some(false))
    );
    window.press_key(Key::F10);
    window.press_key(Key::ArrowRight);
    window.press_key(Key::ArrowRight);
    let open: Vec<String> = titles(&window)
        .into_iter()
        .filter(|(_, is_open)| *is_open == Some(true))
        .map(|t| t.0)
        .collect();
    assert_eq!(open, ["View"]);
    assert_eq!(
        entry(&window, "Larger").accesskit_node().role(),
        Role::MenuItem
    );
    let theme = entry(&window, "Theme");
    assert_eq!(
        theme.accesskit_node().data().has_popup(),
        Some(egui::accesskit::HasPopup::Menu)
    );
    let buttons = window
        .query_all_by_role(Role::Menu)
        .flat_map(|menu| menu.query_all_by_role(Role::Button).collect::<Vec<_>>());
    let buttons: Vec<_> = buttons
        .filter_map(|button| button.accesskit_node().label())
        .collect();
    assert!(buttons.is_empty(), "{buttons:?}");
    let motion = entry(
        &window,
        afterstate::workbench::command::Command::from(ViewCommand::Motion).text(),
    );
    assert_eq!(
        (
            motion.accesskit_node().role(),
            motion.accesskit_node().toggled()
        ),
        (Role::MenuItemCheckBox, Some(Toggled::True))
    );
}

#[test]
fn undo_names_what_it_takes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let first = |window: &mut Window| {
        window.press_key(Key::F10);
        window.press_key(Key::ArrowRight);
        window.press_key(Key::ArrowDown);
        let names = (focused(window), {
            window.press_key(Key::ArrowDown);
            focused(window)
        });
        for _ in 0..3 {
            window.press_key(Key::Escape);
        }
        names
    };

    assert_eq!(first(&mut window), ("Undo".to_owned(), "Redo".to_owned()));
    focus(&mut window, "Row 2 Monotonicity");
    window.press_key(Key::Delete);
    let what = document(&window)
        .undo_texts()
        .0
        .expect("a row went")
        .to_owned();

    assert_eq!(
        first(&mut window),
        (format!("Undo: {what}"), "Redo".to_owned())
    );
    apply(&mut window, afterstate::workbench::command::Command::Undo);
    assert_eq!(
        first(&mut window),
        ("Undo".to_owned(), format!("Redo: {what}"))
    );
    apply(&mut window, ViewCommand::ResetWorkspace);
    assert_eq!(first(&mut window).0, "Undo: arrange the panels");
}

#[test]
fn an_entry_that_is_off_is_reached_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    window.press_key(Key::F10);
    window.press_key(Key::ArrowRight);
    window.press_key(Key::ArrowDown);
    types(&mut window, "redo");
    assert_eq!(focused(&window), "Redo");
    assert!(window.get_by_label("Redo").accesskit_node().is_disabled());
    let reason = document(&window)
        .can(&afterstate::workbench::command::Command::Redo)
        .expect_err("nothing to redo");
    window.pass(TOOLTIP);
    window.get_by_label(&reason);
    window.press_key(Key::Enter);
    assert!(is_shown(&window, "Redo"), "it cannot be chosen");
}

#[test]
fn a_tooltip_comes_to_what_has_the_keyboard_and_goes_with_the_next_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let about = |window: &Window| {
        window
            .query_all_by_label_contains("Show all that is unfolded")
            .next()
            .is_some()
    };
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    focus(&mut window, "Fit");
    window.pass(TOOLTIP);
    assert!(about(&window));
    window.press_key(Key::Tab);
    assert!(!about(&window));
    // A focus set by the mouse shows no tooltip by itself.
    assert!(!focused(&window).is_empty());
}

#[test]
fn no_tooltip_covers_what_a_command_leads_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    until(&mut window, "the end", |window| {
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    });
    let about = |window: &Window| {
        window
            .query_all_by_label_contains("Click to sort; click with Shift")
            .next()
            .is_some()
    };
    apply(&mut window, ViewCommand::ShowPanel(Panel::Results));
    window.pass(TOOLTIP);
    assert!(
        focused(&window).starts_with("Sort by Strategy"),
        "{}",
        focused(&window)
    );
    assert!(!about(&window));
    window.press_key(Key::ArrowRight);
    window.pass(TOOLTIP);
    assert!(about(&window), "somebody went on to {}", focused(&window));
}

#[test]
fn a_drop_down_opens_at_its_choice_finds_by_letters_and_closes_on_enter() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ExperimentCommand::New);
    let size = |window: &Window| document(window).setup().rules.size.to_string();
    assert_eq!(size(&window), "4x4");
    window.settle();

    focus(&mut window, "Size of the board");
    window.press_key(Key::Enter);
    assert_eq!(focused(&window), "4 × 4");
    window.press_key(Key::ArrowUp);
    assert_ne!(focused(&window), "4 × 4");

    window.press_key(Key::Escape);
    assert_eq!(
        (focused(&window).as_str(), size(&window).as_str()),
        ("Size of the board", "4x4")
    );
    assert!(!is_shown(&window, "5 × 5"));

    window.press_key(Key::ArrowDown);
    assert_eq!(focused(&window), "4 × 4", "an arrow opens it, too");
    types(&mut window, "5 × 5");
    assert_eq!(focused(&window), "5 × 5");
    window.press_key(Key::Enter);
    assert_eq!(
        (focused(&window).as_str(), size(&window).as_str()),
        ("Size of the board", "5x5")
    );
    assert!(!is_shown(&window, "4 × 4"));
}

#[test]
fn the_menu_key_opens_the_menu_of_the_focus_else_of_the_panel() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(&mut window, ExperimentCommand::New);
    apply(
        &mut window,
        ExperimentCommand::Add(Box::new("emr".parse().expect("letters"))),
    );
    window
        .get_by(|node| {
            node.label()
                .is_some_and(|label| label.starts_with("Contestant "))
        })
        .focus();
    window.settle();

    window.press_keys(Modifiers::SHIFT, Key::F10);
    assert_eq!(focused(&window), "Open strategy");
    window.press_key(Key::Escape);
    assert!(
        focused(&window).starts_with("Contestant "),
        "{}",
        focused(&window)
    );

    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    focus(&mut window, "Fit");
    window.press_key(Key::Menu);
    assert!(
        is_shown(&window, "Reset workspace"),
        "the menu of its panel"
    );
}

#[test]
fn the_timeline_is_a_slider_over_the_moves_of_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let timeline = |window: &Window| {
        let node = window.get_by_role(Role::Slider);
        let node = node.accesskit_node();
        (
            node.numeric_value(),
            node.min_numeric_value(),
            node.max_numeric_value(),
            node.numeric_value_step(),
        )
    };

    apply(&mut window, GameCommand::Last);
    let last = document(&window).line().len() - 1;
    let ends = |place: usize| (Some(place as f64), Some(0.0), Some(last as f64), Some(1.0));
    assert_eq!(timeline(&window), ends(last));
    window.get_by_role(Role::Slider).focus();
    window.settle();
    for (key, place) in [
        (Key::ArrowLeft, last - 1),
        (Key::PageUp, last - 11),
        (Key::ArrowRight, last - 10),
        (Key::Home, 0),
        (Key::PageDown, 10),
        (Key::End, last),
    ] {
        window.press_key(key);
        assert_eq!(
            (document(&window).place(), timeline(&window)),
            (place, ends(place)),
            "{key:?}"
        );
    }

    let node = window.get_by_role(Role::Slider).accesskit_node().locate().0;
    let ask = |window: &mut Window, action, data| {
        let request = egui::accesskit::ActionRequest {
            action,
            target_tree: egui::accesskit::TreeId::ROOT,
            target_node: node,
            data,
        };
        window.event(Event::AccessKitActionRequest(request));
        window.settle();
    };
    ask(
        &mut window,
        Action::SetValue,
        Some(ActionData::NumericValue(4.0)),
    );
    assert_eq!(document(&window).place(), 4);
    ask(&mut window, Action::Decrement, None);
    assert_eq!(document(&window).place(), 3);
}

#[test]
fn the_board_editor_raises_and_lowers_the_cell_that_has_the_keyboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, GameCommand::EditPosition);
    apply(&mut window, GameCommand::ClearEdit);
    let speed = document(&window).autoplay_speed();
    focus(&mut window, "r1c1 empty");
    for (key, name) in [
        (Key::Plus, "r1c1 tile 2"),
        (Key::Equals, "r1c1 tile 4"),
        (Key::Minus, "r1c1 tile 2"),
        (Key::Delete, "r1c1 empty"),
        (Key::Minus, "r1c1 tile 131072"),
    ] {
        window.press_key(key);
        assert_eq!(focused(&window), name, "{key:?}");
    }

    assert_eq!(
        document(&window).autoplay_speed(),
        speed,
        "the keys are the cell's"
    );
}

#[test]
fn enter_applies_the_board_editor_and_what_is_no_tile_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let notice = |window: &Window| {
        let texts: Vec<_> = window
            .state()
            .as_ref()
            .expect("open")
            .notices()
            .texts()
            .map(str::to_owned)
            .collect();
        texts.last().cloned().unwrap_or_default()
    };

    for (modifiers, on_cell) in [(Modifiers::NONE, true), (Modifiers::COMMAND, false)] {
        apply(&mut window, GameCommand::EditPosition);
        apply(&mut window, GameCommand::ClearEdit);
        focus(&mut window, "r1c1 empty");
        for key in [Key::Num1, Key::Num2, Key::Num8] {
            window.press_key(key);
        }
        window.press_key(Key::ArrowRight);
        window.press_key(Key::Num7);
        assert!(
            notice(&window).starts_with("7 is not a tile"),
            "{}",
            notice(&window)
        );
        window.press_key(Key::Num1);
        window.press_key(Key::Num0);
        window.press_key(Key::ArrowLeft);
        assert!(
            notice(&window).starts_with("10 is not a tile"),
            "{}",
            notice(&window)
        );
        if !on_cell {
            focus(&mut window, "Clear");
        }
        window.press_keys(modifiers, Key::Enter);
        assert_eq!(document(&window).editing(), None);
        let tiles: Vec<u64> = document(&window)
            .board()
            .cells()
            .map(|(_, rank)| rank.tile())
            .collect();
        assert_eq!(tiles[..3], [128, 0, 0]);
    }
}

#[test]
fn a_drop_down_that_the_pointer_opened_goes_on_by_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ExperimentCommand::New);
    for (key, size) in [(Key::ArrowDown, "4x5"), (Key::ArrowUp, "4x4")] {
        window.click("Size of the board");
        assert!(is_shown(&window, "3 × 4"), "{size}");
        window.press_key(key);
        window.press_key(Key::Enter);
        assert_eq!(document(&window).setup().rules.size.to_string(), size);
        assert_eq!(focused(&window), "Size of the board");
    }
}

#[test]
fn contestants_are_moved_and_taken_out_and_the_baseline_is_pinned_by_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, ExperimentCommand::New);
    for letters in ["emr", "gur", "gemr"] {
        apply(
            &mut window,
            ExperimentCommand::Add(Box::new(letters.parse().expect("letters"))),
        );
    }

    apply(&mut window, ExperimentCommand::SetGames(20));
    let order = |window: &Window| {
        let strategies = document(window)
            .setup()
            .strategies
            .iter()
            .map(|entry| entry.strategy.label());
        strategies.collect::<Vec<_>>().join(" ")
    };

    focus(&mut window, "Contestant gemr");
    window.press_keys(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(
        (order(&window).as_str(), focused(&window).as_str()),
        ("emr gemr gur", "Contestant gemr")
    );
    window.press_keys(Modifiers::ALT, Key::ArrowUp);
    window.press_keys(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(order(&window), "gemr emr gur");
    window.press_keys(Modifiers::ALT, Key::ArrowDown);
    assert_eq!(
        (order(&window).as_str(), focused(&window).as_str()),
        ("emr gemr gur", "Contestant gemr")
    );
    window.press_key(Key::Delete);
    assert_eq!(
        (order(&window).as_str(), focused(&window).as_str()),
        ("emr gur", "Contestant gur")
    );
    let ended = |window: &Window| {
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    };
    until(&mut window, "the end of what was open", ended);
    apply(&mut window, ExperimentCommand::Run);
    until(&mut window, "the end", |window| {
        ended(window)
            && document(window)
                .last_run()
                .progress()
                .is_some_and(|run| run.work.done == 40)
    });

    apply(&mut window, ViewCommand::ShowPanel(Panel::Results));
    until(&mut window, "the rows", |window| {
        is_shown(window, "Row gur")
    });
    let against = |window: &Window, label: &str| {
        let title = format!("Against {label}");
        window.query_all_by_label_contains(&title).next().is_some()
            || window
                .query_all_by_label_contains(&format!("− {label}"))
                .next()
                .is_some()
    };
    assert!(!against(&window, "gur"));
    focus(&mut window, "Row gur");
    window.press_key(Key::B);
    assert!(
        against(&window, "gur"),
        "{:?}",
        window
            .query_all_by_role(Role::ColumnHeader)
            .map(|node| node.accesskit_node().label())
            .collect::<Vec<_>>()
    );
}

#[test]
fn f3_and_the_question_mark_work_from_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    for label in ["Decision", "New game", "Run experiment"] {
        if !is_shown(&window, label) {
            continue;
        }
        window
            .query_all_by_label(label)
            .next()
            .expect("seen")
            .focus();
        window.settle();

        window.press_key(Key::F3);
        assert!(
            focused(&window).contains("ilter"),
            "{label}: {}",
            focused(&window)
        );
        window.press_key(Key::Escape);

        window
            .query_all_by_label(label)
            .next()
            .expect("seen")
            .focus();
        window.settle();
        window.press_key(Key::Questionmark);
        assert!(is_shown(&window, "Keyboard shortcuts"), "{label}");
        window.press_key(Key::Escape);
    }
}

#[test]
fn a_tree_is_one_stop_and_arrows_walk_its_nodes_in_every_view() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    apply(&mut window, FileCommand::Pasted(SEARCHES.to_owned()));
    until(&mut window, "the tree", |window| {
        inspection(window)
            .shown()
            .is_some_and(|shown| 20 < shown.tree.kept())
    });

    for view in TreeView::OF_NODES {
        apply(&mut window, TreeCommand::View(view));
        apply(&mut window, TreeCommand::Root);
        apply(&mut window, TreeCommand::Child);
        // Another panel has the focus.
        window.get_by_label("Menu of Board").focus();
        window.settle();
        apply(&mut window, ViewCommand::ShowPanel(Panel::Board));
        let board = document(&window).board();
        let is_node = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
            let is_row =
                node.role() == Role::Row && !node.label().unwrap_or_default().starts_with("Row ");
            (node.role() == Role::TreeItem || view == TreeView::Columns && is_row)
                && node.toggled() == Some(Toggled::True)
        };

        let first = inspection(&window).selected();
        window
            .query_all_by(|node| is_node(node))
            .last()
            .expect("a selected node")
            .focus();
        window.settle();
        for (key, below) in [
            (Key::ArrowRight, true),
            (Key::ArrowLeft, false),
            (Key::ArrowDown, false),
        ] {
            let before = inspection(&window).selected();
            window.press_key(key);
            let now = inspection(&window).selected();
            assert_ne!(now, before, "{view:?} {key:?}");
            let tree = inspection(&window).shown().expect("a tree").tree.clone();
            assert_eq!(tree.parent(now) == Some(before), below, "{view:?} {key:?}");
            let name = focused(&window);
            let selected = window
                .query_all_by(|node| is_node(node) && node.is_focused())
                .count();
            assert_eq!(
                selected, 1,
                "the selected node has the keyboard in {view:?} after {key:?}, not {name}"
            );
        }

        assert_ne!(inspection(&window).selected(), first);
        assert_eq!(
            document(&window).board(),
            board,
            "the board has not heard of it"
        );
    }
}

#[test]
fn a_panel_is_moved_beside_another_by_its_menu_and_undo_puts_it_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let tab = |window: &Window, panel: &str| title(window, panel).rect();
    apply(&mut window, ViewCommand::ShowPanel(Panel::Decision));
    let (board, decision) = (tab(&window, "Board"), tab(&window, "Decision"));
    assert!(board.top() < decision.top(), "below the board at first");

    window.press_keys(Modifiers::COMMAND, Key::M);
    types(&mut window, "move");
    assert_eq!(focused(&window), "Move");
    window.press_key(Key::ArrowRight);
    assert_eq!(focused(&window), "To the left of");
    window.press_key(Key::ArrowRight);
    types(&mut window, "search");
    assert_eq!(focused(&window), "Search tree");
    window.press_key(Key::Enter);

    let (tree, moved) = (tab(&window, "Search tree"), tab(&window, "Decision"));
    assert!(
        moved.top() == tree.top() && moved.right() < tree.left(),
        "{moved} {tree}"
    );
    apply(&mut window, afterstate::workbench::command::Command::Undo);
    assert_eq!(tab(&window, "Decision"), decision);
}

#[test]
fn sheets_scroll_by_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    window.press_key(Key::F1);
    let top = |window: &Window| {
        let words = window.query_all_by_role(Role::Label);
        words.map(|node| node.rect().top()).fold(0.0, f32::max)
    };
    let before = top(&window);
    for (key, scrolls) in [
        (Key::PageDown, true),
        (Key::PageUp, false),
        (Key::ArrowDown, true),
    ] {
        window.press_key(key);
        assert_eq!(
            top(&window) < before,
            scrolls,
            "{key:?}: {} {before}",
            top(&window)
        );
    }
}

#[test]
fn a_line_between_panels_moves_finely_with_shift_and_to_its_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let line = "Between Board and Decision";
    let at = |window: &Window| title(window, "Decision").rect().top();
    focus(&mut window, line);
    let before = at(&window);

    window.press_key(Key::ArrowUp);
    assert_eq!(before - at(&window), 16.0);
    window.press_keys(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(before - at(&window), 12.0);
    let place = document(&window).place();
    window.press_key(Key::Home);
    let top = at(&window);
    window.press_key(Key::ArrowUp);
    assert_eq!(at(&window), top, "no smaller");
    window.press_key(Key::End);
    assert!(before < at(&window));
    assert_eq!(document(&window).place(), place, "the keys are the line's");
}

/// Presses Tab until the name of the focused widget starts with `name`.
fn tab_to(window: &mut Window, name: &str) {
    let mut met = Vec::new();
    for _ in 0..60 {
        if focused(window).starts_with(name) {
            return;
        }
        window.press_key(Key::Tab);
        met.push(focused(window));
    }
    panic!("no {name} by Tab, but {met:?}");
}

#[test]
fn keys_alone_lead_from_a_bar_to_the_rule_that_decided_and_to_a_rerun() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    until(&mut window, "the end", |window| {
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    });
    let before = (
        document(&window).last_run().runs,
        document(&window).game().index,
    );

    // A bar …
    window.press_keys(Modifiers::COMMAND, Key::Num4);
    tab_to(&mut window, "Histogram of scores");
    window.press_key(Key::ArrowRight);
    window.press_key(Key::ArrowRight);
    window.press_key(Key::Enter);

    // … lists its games; open one …
    assert!(
        focused(&window).starts_with("Game "),
        "{}",
        focused(&window)
    );
    window.press_key(Key::ArrowDown);
    window.press_key(Key::Enter);
    until(&mut window, "the game", |window| {
        document(window).game().index != before.1
    });
    // … search at a move and walk its nodes …
    window.press_keys(Modifiers::COMMAND, Key::Num8);
    until(&mut window, "the tree", |window| {
        inspection(window).shown().is_some()
    });
    window.press_key(Key::ArrowRight);
    let node = inspection(&window).selected();
    assert_ne!(node.0, 0, "a node below the root");
    // … go to the deciding row and move it behind the next one …
    window.press_keys(Modifiers::COMMAND, Key::Num3);
    tab_to(&mut window, "Row 1 ");
    [Key::Space, Key::ArrowDown, Key::Space]
        .into_iter()
        .for_each(|key| window.press_key(key));
    assert_eq!(document(&window).strategy().label(), "mer");
    // … and play on the same seeds against the previous version.
    window.press_keys(Modifiers::COMMAND, Key::T);
    until(&mut window, "the rerun", |window| {
        document(window).last_run().runs != before.0
    });
    let plan = document(&window).last_run().plan().expect("a plan").clone();
    assert_eq!((plan.contestants.len(), plan.seed), (2, 1));
}

/// By keys only, goes from a bar to the worst move of one of its games.
fn worst_move_by_keys(window: &mut Window) -> MoveReport {
    until(window, "the end", |window| {
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    });
    // A judge that is fast enough for a test.
    let own = document(window).current();
    let judge = "(name: \"quick\", criteria: [(evaluator: Network(\"reference\"))])"
        .parse()
        .expect("a strategy");
    apply(window, StrategyCommand::Open(Box::new(judge)));
    apply(window, ReviewCommand::JudgeByStrategy);
    apply(window, StrategyCommand::Select(own));

    // A bar lists its games; review one …
    window.press_keys(Modifiers::COMMAND, Key::Num4);
    tab_to(window, "Histogram of scores");
    [Key::ArrowRight, Key::ArrowRight, Key::Enter, Key::ArrowDown]
        .into_iter()
        .for_each(|key| window.press_key(key));
    assert!(focused(window).starts_with("Game "), "{}", focused(window));
    window.press_keys(Modifiers::SHIFT, Key::Enter);
    assert!(document(window).review().is_some());

    window.settle();
    // … its worst move is on the board, and the lanes have the focus …
    let worst = document(window)
        .review()
        .expect("reviewed")
        .report
        .as_ref()
        .expect("every position")
        .worst[0];
    let place = worst.verdict.index;
    assert_eq!(document(window).place(), place);
    let is_there = |name: &str| {
        let number = afterstate::words::count(place as u64 + 1);
        name.starts_with("Lanes of the game") && name.ends_with(&format!("move {number}"))
    };
    assert!(is_there(&focused(window)), "{}", focused(window));

    // … leave them and return; their arrows move along the game …
    window.press_key(Key::Tab);
    assert!(!is_there(&focused(window)), "{}", focused(window));
    window.press_keys(Modifiers::SHIFT, Key::Tab);
    assert!(is_there(&focused(window)), "{}", focused(window));
    window.press_key(Key::ArrowLeft);
    assert_eq!(document(window).place(), place - 1);
    window.press_key(Key::ArrowRight);
    assert_eq!(document(window).place(), place);
    worst
}

#[test]
fn keys_alone_lead_from_a_bar_to_the_worst_move_its_row_and_the_same_seeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let worst = worst_move_by_keys(&mut window);
    let before = document(&window).last_run().runs;
    let player = document(&window).review().expect("reviewed").player.clone();

    // … the row that rejected the better move has the focus, says so, and unfolds for editing …
    window.press_key(Key::R);
    let player = player.expect("the record names it");
    assert_eq!(
        document(&window).strategy().hash(),
        player.strategy().hash()
    );
    let (row, rejects) = match worst.blame {
        Some(afterstate::review::Blame::Row(row)) => (usize::from(row), true),
        _ => (0, false),
    };
    let is_row = |name: &str| name.starts_with(&format!("Row {} ", row + 1));
    assert!(is_row(&focused(&window)), "{}", focused(&window));
    assert_eq!(
        focused(&window).contains("Rejected the better move "),
        rejects,
        "{}",
        focused(&window)
    );
    window.press_keys(Modifiers::SHIFT, Key::R);
    assert!(is_row(&focused(&window)), "{}", focused(&window));
    window.press_key(Key::Delete);
    assert_eq!(
        document(&window).strategy().criteria.len() + 1,
        player.strategy().criteria.len()
    );

    // … and both versions play the same seeds.
    window.press_key(Key::G);
    until(&mut window, "the rerun", |window| {
        document(window).last_run().runs != before
    });
    let plan = document(&window).last_run().plan().expect("a plan").clone();
    assert_eq!(
        (plan.contestants.len(), plan.seed),
        (2, document(&window).game().seed)
    );
}

#[test]
fn a_key_opens_the_tree_of_the_judge_and_gives_it_the_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    worst_move_by_keys(&mut window);
    window.press_key(Key::T);
    // The judge searches on a worker; then its tree appears and can be walked from the root.
    let is_node = |window: &Window| {
        let is_it = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
            node.is_focused() && node.role() == Role::TreeItem
        };
        window.query_all_by(is_it).next().is_some()
    };

    until(&mut window, "the tree", is_node);
    let root = focused(&window);
    window.press_key(Key::ArrowRight);
    assert_ne!(focused(&window), root, "a node below the root");
    assert!(
        inspection(&window).selected().0 == 0,
        "the search of the player stays where it was"
    );
    // The keys of the review work here, and T is a key of the tree.
    window.press_key(Key::ArrowLeft);
    assert_eq!(focused(&window), root);
}
