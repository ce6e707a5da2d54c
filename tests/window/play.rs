//! Play, watch, go back, branch, edit.

use afterstate::game::{Board, Move, Rules, Size};
use afterstate::prose;
use afterstate::search::SearchOptions;
use afterstate::strategy::GameTrace;
use afterstate::workbench::command::{Command, ExperimentCommand, GameCommand};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, begin, document, open, open_with, paste, until};

fn board(window: &Window) -> Board {
    document(window).board()
}

/// A key that plays a legal move.
fn legal_key(window: &Window) -> (Key, Move) {
    let mv = board(window)
        .legal_moves()
        .first()
        .expect("the game is not over");
    let key = match mv {
        Move::Up => Key::ArrowUp,
        Move::Down => Key::ArrowDown,
        Move::Left => Key::ArrowLeft,
        Move::Right => Key::ArrowRight,
    };
    (key, mv)
}

#[test]
fn a_first_start_shows_a_game_and_why_it_goes_on_as_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let window = open(folder.path());
    let doc = document(&window);
    assert!(
        20 < doc.line().len() && 0 < doc.place(),
        "a game in its middle"
    );
    let decision = doc.decision().expect("emr plays on every board").clone();
    let sentence = prose::decision::sentence(&decision, &doc.strategy());
    let shown = window.query_all_by_role(Role::Label).any(|node| {
        let text = format!("{node:?}").replace("\\u{a0}", " ");
        text.contains(&sentence)
    });
    assert!(shown, "the sentence is on screen: {sentence}");
}

#[test]
fn arrows_slide_and_letters_do_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let (key, mv) = legal_key(&window);
    let before = board(&window);
    let expected = before.slide(mv).expect("legal");
    window.press_key(key);
    let node = document(&window).node();
    assert_eq!(node.step.map(|step| step.mv), Some(mv));
    assert_eq!(
        expected.after.spawn(node.step.expect("a step").spawn),
        node.board
    );
    let letter = match board(&window).legal_moves().first().expect("legal") {
        Move::Up => Key::W,
        Move::Down => Key::S,
        Move::Left => Key::A,
        Move::Right => Key::D,
    };

    let before = board(&window);
    window.press_key(letter);
    assert_ne!(board(&window), before);
}

#[test]
fn enter_plays_what_the_strip_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    for _ in 0..5 {
        let chosen = document(&window).decision().expect("a decision").chosen;
        window.press_key(Key::Enter);
        assert_eq!(document(&window).node().step.map(|step| step.mv), chosen);
    }
}

#[test]
fn a_row_of_the_strip_plays_its_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let (_, mv) = legal_key(&window);
    let label = window
        .query_all_by_role(Role::Button)
        .filter_map(|node| egui_kittest::kittest::NodeT::accesskit_node(&node).label())
        .find(|label| label.starts_with(&format!("{mv}, value")))
        .expect("a row for each legal move");
    window.click(&label);
    assert_eq!(document(&window).node().step.map(|step| step.mv), Some(mv));
}

#[test]
fn going_back_and_playing_on_makes_a_branch_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let start = document(&window).cursor();
    let moves: Vec<Move> = board(&window).legal_moves().iter().collect();
    assert!(1 < moves.len());
    window.press_key(Key::PageDown);
    let old = document(&window).cursor();

    window.press_key(Key::PageUp);
    assert_eq!(document(&window).cursor(), start);
    let played = document(&window).tree().node(old).step.expect("a step").mv;
    let other = moves
        .into_iter()
        .find(|&mv| mv != played)
        .expect("another move");
    window.press_key(match other {
        Move::Up => Key::ArrowUp,
        Move::Down => Key::ArrowDown,
        Move::Left => Key::ArrowLeft,
        Move::Right => Key::ArrowRight,
    });

    let new = document(&window).cursor();
    assert_eq!(document(&window).tree().siblings(new), [old, new]);
    window.press_key(Key::OpenBracket);
    assert_eq!(document(&window).cursor(), old);
    window.press_key(Key::CloseBracket);
    assert_eq!(document(&window).cursor(), new);
    window.press_keys(egui::Modifiers::COMMAND, Key::Z);
    assert_eq!(
        document(&window).cursor(),
        start,
        "undo takes the move back"
    );
    window.press_keys(egui::Modifiers::COMMAND, Key::Y);
    assert_eq!(document(&window).cursor(), new, "redo does it again");
}

#[test]
fn an_empty_cell_takes_the_new_tile_when_it_is_clicked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let node = document(&window).node();
    let step = node.step.expect("in the middle of a game");
    let cell = node.board.empty_cells()[0];
    let old = document(&window).cursor();
    window.click(&format!("{cell} empty"));
    let node = document(&window).node();
    let placed = node.step.expect("a step");
    assert_eq!((placed.mv, placed.spawn.cell), (step.mv, cell));
    assert_eq!(
        document(&window).tree().siblings(old).len(),
        2,
        "the tile that came is kept as a branch"
    );
}

#[test]
fn the_editor_sets_tiles_and_escape_leaves_the_board_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let before = board(&window);
    let cell = before.empty_cells()[0];
    window.press_key(Key::E);
    assert_eq!(document(&window).editing(), Some(before));

    window.click(&format!("{cell} empty"));
    window.click(&format!("{cell} tile 2"));
    assert_eq!(document(&window).board().get(cell).tile(), 4);
    window.press_key(Key::Escape);
    assert_eq!(board(&window), before);

    window.press_key(Key::E);
    window.click(&format!("{cell} empty"));
    window.press(GameCommand::ApplyEdit);
    assert_eq!(board(&window).get(cell).tile(), 2);
    assert_eq!(
        document(&window).place(),
        0,
        "an edited position begins a line of its own"
    );
}

#[test]
fn the_editor_takes_tiles_as_numbers_and_its_buttons_are_in_sight_at_every_size() {
    for size in [
        [1024.0, 700.0],
        [1366.0, 768.0],
        [1600.0, 1000.0],
        [853.0, 480.0],
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open_with(folder.path(), size, Vec::new());
        window.press_key(Key::E);
        // The first cell has the focus at the start; arrows move it.
        for keys in [
            &[Key::Num1, Key::Num2, Key::Num8][..],
            &[Key::ArrowRight, Key::Num0],
        ] {
            keys.iter().for_each(|&key| window.press_key(key));
        }
        let tiles: Vec<u64> = board(&window)
            .cells()
            .map(|(_, rank)| rank.tile())
            .collect();
        assert_eq!(tiles[..2], [128, 0], "{size:?}");
        for button in ["Clear", "Cancel", "Apply"] {
            let rect = window.get_by_role_and_label(Role::Button, button).rect();
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
            assert!(
                screen.contains_rect(rect),
                "{button} at {rect:?} in {size:?}"
            );
        }
        window.press(GameCommand::ApplyEdit);
        assert_eq!(document(&window).editing(), None);
        assert_eq!(
            board(&window).cells().map(|(_, rank)| rank.tile()).next(),
            Some(128)
        );
    }
}

#[test]
fn a_dead_board_says_once_that_the_game_is_over_and_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2");
    let over =
        "The game is over: no cell is empty and no neighbors are equal, so no move is possible";
    assert_eq!(window.query_all_by_label(over).count(), 1);
    assert_eq!(window.query_all_by_label_contains("llegal").count(), 0);
    paste(&mut window, "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4");
    assert_eq!(window.query_all_by_label(over).count(), 0);
}

#[test]
fn pasted_text_becomes_a_position_a_strategy_or_one_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let paste = |window: &mut Window, text: &str| {
        window.event(egui::Event::Paste(text.to_owned()));
        window.settle();
    };
    paste(&mut window, "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2");
    assert_eq!(
        board(&window).to_string(),
        "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2"
    );
    paste(&mut window, "gemr");
    assert_eq!(
        document(&window).strategy().letters().as_deref(),
        Some("gemr")
    );
    let said = |window: &Window| {
        let app = window.state().as_ref().expect("open");
        app.notices().texts().map(str::to_owned).collect::<Vec<_>>()
    };

    let board_before = board(&window);
    paste(&mut window, "2,0,0,4/0,8,0,0/0,0,0,0,0/0,0,16,2");
    assert!(
        said(&window)
            .iter()
            .any(|text| text.contains("row 3 has 5 cells")),
        "{:?}",
        said(&window)
    );
    assert_eq!(board(&window), board_before);
}

#[test]
fn a_dead_board_says_so_and_steps_are_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("dead.txt");
    std::fs::write(&file, "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2\n").expect("a file");
    let mut window = open_with(folder.path(), [1600.0, 1000.0], vec![file]);
    assert!(board(&window).is_dead());
    let before = document(&window).cursor();
    window.press_key(Key::Enter);
    window.press_key(Key::Space);
    assert_eq!(document(&window).cursor(), before);
    assert!(!document(&window).is_playing());
}

#[test]
fn autoplay_plays_to_the_end_and_is_one_step_of_undo() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let start = document(&window).cursor();
    for _ in 0..8 {
        window.press_key(Key::Plus);
    }

    window.press_key(Key::Space);
    assert!(document(&window).node().board.is_dead());
    assert!(!document(&window).is_playing());
    window.press_keys(egui::Modifiers::COMMAND, Key::Z);
    assert_eq!(document(&window).cursor(), start);
}

#[test]
fn what_is_open_is_open_again_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    window.event(egui::Event::Paste(
        "(name: \"mine\", criteria: [(evaluator: Empty, tolerance: 2.0)])".to_owned(),
    ));
    window.settle();
    let mine = document(&window).strategy();
    assert_eq!(mine.name, "mine");
    let session = folder.path().join("session.ron");
    let before = std::fs::read_to_string(&session).ok();
    until(&mut window, "writing the session", |_| {
        std::fs::read_to_string(&session).ok() != before
    });
    drop(window);
    let window = open(folder.path());
    assert_eq!(document(&window).strategy(), mine);
}

#[test]
fn an_experiment_is_there_again_as_it_was_and_without_results_of_another() {
    // One that takes long, one that cannot run with its strategies, and one without any strategy.
    let on_five = ExperimentCommand::SetRules(Rules {
        size: Size::new(5, 5).expect("a size"),
        ..Rules::default()
    });
    let matrix = "(name: \"matrix\", criteria: [(evaluator: Weights(\"a\"))])"
        .parse()
        .expect("a strategy");
    let experiments: [&[ExperimentCommand]; 3] = [
        &[ExperimentCommand::SetGames(77_777)],
        &[
            ExperimentCommand::New,
            ExperimentCommand::Add(Box::new(matrix)),
            on_five,
        ],
        &[ExperimentCommand::New],
    ];

    for commands in experiments {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open(folder.path());
        let session = folder.path().join("session.ron");
        let before = std::fs::read_to_string(&session).ok();
        for command in commands {
            apply(&mut window, command.clone());
        }
        let setup = document(&window).setup().clone();
        until(&mut window, "writing the session", |_| {
            std::fs::read_to_string(&session).ok() != before
        });
        drop(window);
        let window = open(folder.path());
        assert_eq!(*document(&window).setup(), setup);
        // Results shown next to the edited set-up are shown again, marked as outdated.
        let last_run = &document(&window).last_run();
        let is_edited = setup.games == 77_777;
        assert_eq!(
            (last_run.run.is_some(), last_run.is_stale(&setup)),
            (is_edited, is_edited)
        );
    }
}

#[test]
fn a_typed_seed_starts_its_game_with_enter_or_new() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let type_seed = |window: &mut Window, text: &str| {
        if window
            .query_by_role_and_label(Role::TextInput, "Seed")
            .is_none()
        {
            window.click_role(Role::Button, "New game");
        }
        window
            .get_by_role_and_label(Role::TextInput, "Seed")
            .focus();
        window.settle();
        window.press_keys(egui::Modifiers::COMMAND, Key::A);
        window
            .get_by_role_and_label(Role::TextInput, "Seed")
            .type_text(text);
        window.settle();
    };

    type_seed(&mut window, "42");
    window.press_key(Key::Enter);
    assert_eq!(
        (document(&window).game().seed, document(&window).place()),
        (42, 0)
    );
    type_seed(&mut window, "9");
    window.click("New");
    assert_eq!(document(&window).game().seed, 9);
    let start = document(&window).cursor();

    type_seed(&mut window, "abc");
    window.press_key(Key::Enter);
    assert_eq!(
        document(&window).cursor(),
        start,
        "what is no number starts nothing"
    );
    assert!(window.query_by_label("✗ a whole number").is_some());
}

#[test]
fn a_game_record_opens_at_its_last_choice() {
    let folder = tempfile::tempdir().expect("a folder");
    let strategy: afterstate::strategy::Strategy = "emr".parse().expect("letters");
    let player = afterstate::strategy::Player::new(&strategy, afterstate::game::Rules::default());
    let record = GameTrace::record(
        &player,
        afterstate::game::Seed(3),
        0,
        &strategy,
        SearchOptions::default(),
    );
    let file = folder.path().join("game.txt");
    std::fs::write(&file, record.to_string()).expect("a file");
    let window = open_with(folder.path(), [1600.0, 1000.0], vec![file]);
    let doc = document(&window);
    assert_eq!(doc.line().len(), record.steps.len() + 1);
    assert!(1 < board(&window).legal_moves().len());
    let later = &doc.line()[doc.place() + 1..];
    assert!(
        later
            .iter()
            .all(|&node| doc.tree().node(node).board.legal_moves().len() < 2)
    );
}

#[test]
fn far_down_a_branch_the_fork_is_still_told_and_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let old = document(&window).line()[document(&window).place() + 1];
    let (key, mv) = legal_key(&window);
    let played = document(&window).tree().node(old).step.expect("a step").mv;
    if mv == played {
        let cell = document(&window).board().empty_cells()[0];
        window.click(&format!("{cell} empty"));
    } else {
        window.press_key(key);
    }

    let fork = document(&window).fork().expect("a fork");
    for _ in 0..3 {
        window.press_key(Key::Enter);
    }

    assert_eq!(document(&window).fork(), Some(fork));
    assert!(window.query_by_label("branch 2 of 2").is_some());
    window.press_key(Key::OpenBracket);
    assert_ne!(document(&window).cursor(), fork);
    assert!(
        document(&window)
            .tree()
            .siblings(fork)
            .contains(&document(&window).cursor())
    );
}

#[derive(Debug)]
struct Dropped(std::path::PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_text_with_several_boards_asks_which_one_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let before = board(&window);
    let printed = "16,128,256,1024/16,8,2,0/8,2,0,0/0,4,0,0";
    let word = "0x002000130134a874";

    paste(&mut window, word);
    assert!(
        window
            .query_all_by_label("Which board is it?")
            .next()
            .is_some()
    );
    assert_eq!(
        window.query_all_by_label(printed).count(),
        1,
        "both boards are drawn"
    );
    assert_eq!(board(&window), before, "nothing is chosen yet");
    window.press_key(Key::Escape);
    assert_eq!(window.query_all_by_label("Which board is it?").count(), 0);
    assert_eq!(board(&window), before);

    paste(&mut window, word);
    window.click("Open board 2: First cell in the lowest four bits");
    assert_eq!(board(&window).to_string(), printed);
    apply(&mut window, Command::Undo);
    assert_eq!(board(&window), before);

    // By its number; a board of exponents has one.
    paste(&mut window, "4,7,8,10/4,3,1,0/3,1,0,0/0,2,0,0");
    window.press_key(Key::Num1);
    assert_eq!(board(&window).to_string(), printed);
    assert_eq!(window.query_all_by_label("Which board is it?").count(), 0);
}

#[test]
fn the_edited_board_is_turned_and_mirrored_and_undone() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(&mut window, "2,4,8,16/0,0,0,32/0,0,0,0/0,0,0,0");
    apply(&mut window, GameCommand::EditPosition);
    window.press(GameCommand::TurnEdit);
    let edited = |window: &Window| {
        document(window)
            .editing()
            .map(|board| board.to_string())
            .unwrap_or_default()
    };
    assert_eq!(edited(&window), "0,0,0,2/0,0,0,4/0,0,0,8/0,0,32,16");
    window.press(GameCommand::MirrorEdit);
    assert_eq!(edited(&window), "2,0,0,0/4,0,0,0/8,0,0,0/16,32,0,0");
    apply(&mut window, Command::Undo);
    apply(&mut window, Command::Undo);
    assert_eq!(edited(&window), "2,4,8,16/0,0,0,32/0,0,0,0/0,0,0,0");

    paste(&mut window, "2,4,8/0,0,16");
    apply(&mut window, GameCommand::EditPosition);
    apply(&mut window, GameCommand::TurnEdit);
    assert_eq!(
        edited(&window),
        "16,0,0/8,4,2",
        "a rectangle is turned by a half"
    );
}

#[test]
fn a_file_dropped_onto_the_window_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("position.txt");
    std::fs::write(&file, "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2").expect("a file");
    let mut window = open(folder.path());
    window
        .input_mut()
        .dropped_files
        .push(std::sync::Arc::new(Dropped(file)));
    window.settle();
    assert_eq!(
        board(&window).to_string(),
        "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2"
    );
}

#[test]
fn tabs_that_do_not_fit_stand_in_a_list_and_the_menu_of_a_panel_holds_its_commands() {
    use afterstate::workbench::command::{Panel, ViewCommand};
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [800.0, 600.0], Vec::new());
    window.settle();
    let tabs = |window: &Window| -> Vec<(egui::Rect, String)> {
        let tabs = window.query_all_by_role(egui::accesskit::Role::Tab);
        tabs.map(|tab| (tab.rect(), tab.accesskit_node().label().unwrap_or_default()))
            .collect()
    };

    for panel in Panel::all() {
        apply(&mut window, ViewCommand::ShowPanel(panel));
        assert!(
            tabs(&window)
                .iter()
                .any(|(_, title)| title == panel.title()),
            "the open one is in sight: {panel:?}"
        );
    }

    assert!(tabs(&window).iter().all(|(rect, _)| rect.right() <= 800.0));
    let listed = window.query_all_by_label_contains("More panels: ").count();
    assert!(0 < listed, "a bar has no room for all");
    apply(&mut window, ViewCommand::ShowPanel(Panel::Games));
    window.click("Menu of Games");
    window.get_by_label_contains("Export results…");
}

#[test]
fn a_message_stands_in_the_status_bar_and_covers_nothing() {
    use afterstate::workbench::command::FileCommand;
    for size in [[1600.0, 1000.0], [1024.0, 700.0]] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut window = open_with(folder.path(), size, Vec::new());
        apply(&mut window, FileCommand::CopyPosition);
        apply(&mut window, FileCommand::CopyRecord);
        let said = window
            .get_by_role_and_label(Role::Label, "Game record copied")
            .rect();
        let close = window.get_by_label("Close message").rect();
        for rect in [said, close] {
            assert!(
                size[1] - 26.0 <= rect.center().y && rect.right() <= size[0],
                "{rect} at {size:?}"
            );
        }
        window.click("Other messages");
        window.get_by_role_and_label(Role::Label, "Position copied");
    }
}

#[test]
fn moves_of_the_decision_and_the_timeline_have_menus() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let legal = board(&window).legal_moves().iter().next().expect("a move");
    let entries = |window: &Window, name: &str| window.query_all_by_label_contains(name).count();
    let (again, edit) = (
        entries(&window, "Search again"),
        entries(&window, "Edit position"),
    );

    let at = window
        .query_all_by_label_contains(&format!("{legal}, value "))
        .next()
        .expect("its row")
        .rect()
        .center();
    window.click_secondary_at(at);
    assert_eq!(
        entries(&window, "Search again"),
        again + 1,
        "what the panel does"
    );
    window.press_key(egui::Key::Escape);
    let before = document(&window).cursor();
    let at = window
        .query_all_by_label_contains("Timeline, move ")
        .next()
        .expect("the timeline")
        .rect()
        .center();
    window.click_secondary_at(at);
    assert_eq!(document(&window).cursor(), before, "a menu goes nowhere");
    assert_eq!(
        entries(&window, "Edit position"),
        edit + 1,
        "what the board does"
    );
}

#[test]
fn a_strategy_reaches_a_panel_whose_tab_has_no_room() {
    use afterstate::workbench::command::{Panel, ViewCommand, Workspace};
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open_with(folder.path(), [640.0, 480.0], Vec::new());
    apply(&mut window, ViewCommand::Workspace(Workspace::Review));
    for panel in [Panel::Experiment, Panel::Board] {
        apply(&mut window, ViewCommand::ShowPanel(panel));
    }

    let open = |window: &Window| -> Vec<String> {
        let tabs = window.query_all_by_role(Role::Tab);
        let open = tabs.filter(|tab| {
            let tab = tab.accesskit_node();
            tab.is_selected() == Some(true) || tab.toggled() == Some(egui::accesskit::Toggled::True)
        });
        open.filter_map(|tab| tab.accesskit_node().label())
            .collect()
    };
    let listed = window
        .query_all_by_label_contains("More panels: ")
        .next()
        .expect("a list of tabs");
    let names = listed.accesskit_node().label().expect("a name");
    assert!(
        names.contains("Experiment") && !open(&window).contains(&"Experiment".to_owned()),
        "{names}"
    );
    let at = listed.rect().center();
    let strategy = "gur"
        .parse::<afterstate::strategy::Strategy>()
        .expect("letters")
        .into();
    window.hover_at(egui::pos2(300.0, 300.0));
    window.drag_at(egui::pos2(300.0, 300.0));
    window.step();
    egui::DragAndDrop::set_payload(
        &window.ctx,
        afterstate::workbench::panels::drag::StrategyDrag(strategy),
    );
    for _ in 0..4 {
        window.hover_at(at);
        window.step();
    }

    assert!(
        open(&window).contains(&"Experiment".to_owned()),
        "{:?}",
        open(&window)
    );
}

#[test]
fn a_newcomer_watches_the_reference_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let (open, begun) = (
        document(&window).strategies().len(),
        document(&window).line().len(),
    );
    assert!(1 < begun, "another game is on the board");
    begin(&mut window, GameCommand::Watch);
    let doc = document(&window);
    assert_eq!(
        (doc.strategy().label(), doc.strategies().len()),
        ("Reference".to_owned(), open + 1)
    );
    assert!(
        doc.strategy()
            .to_string()
            .contains("Network(\"reference\")")
            && doc.line().len() < 10
    );
    // It plays until it is stopped.
    until(&mut window, "it plays", |window| {
        2 < document(window).line().len()
    });
    apply(&mut window, GameCommand::Autoplay);
    let moves = document(&window).line().len();
    window.pass(1.0);
    assert_eq!(document(&window).line().len(), moves);
}

#[test]
fn games_that_were_left_are_a_key_away_also_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    assert!(
        document(&window)
            .can(&GameCommand::NextGame.into())
            .is_err(),
        "there is one game"
    );

    // The first board identifies a game.
    let game = |window: &Window| {
        let doc = document(window);
        doc.tree().node(doc.line()[0]).board
    };
    let left = game(&window);
    // A game of a random seed may begin with the same board.
    apply(&mut window, GameCommand::NewWith(Rules::default(), 2));
    let new = game(&window);
    assert_ne!(left, new);
    apply(&mut window, GameCommand::PreviousGame);
    assert_eq!(game(&window), left);
    window
        .query_all_by_label_contains("Game 1 of 2")
        .next()
        .expect("it says which");
    apply(&mut window, GameCommand::NextGame);
    assert_eq!(game(&window), new);
    // With the second game on the board.
    let is_written = |text: String| text.contains(&new.to_string()) && text.contains("at: (1, ");
    until(&mut window, "the session is written", |_| {
        std::fs::read_to_string(folder.path().join("session.ron")).is_ok_and(is_written)
    });

    drop(window);
    let mut window = open(folder.path());
    assert_eq!(game(&window), new);
    apply(&mut window, GameCommand::PreviousGame);
    assert_eq!(game(&window), left);
}

#[test]
fn a_right_click_on_a_cell_opens_a_menu_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let before = board(&window);
    let cell = before.empty_cells()[0];
    window.click_secondary_at(
        window
            .get_by_label(&format!("{cell} empty"))
            .rect()
            .center(),
    );
    assert_eq!(board(&window), before);
    crate::common::entry(&window, "Put a 4 here").click();
    window.settle();
    assert_eq!(board(&window).get(cell).tile(), 4);
}

#[test]
fn the_keys_of_the_board_are_its_own_while_a_control_of_another_panel_has_the_keyboard() {
    use afterstate::workbench::command::{Panel, ViewCommand};
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let focused = |window: &Window| {
        let focused = window
            .query_all_by(|node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused())
            .last();
        focused.map(|node| {
            (
                node.accesskit_node().role(),
                node.accesskit_node().label().unwrap_or_default(),
            )
        })
    };

    let mut tried = Vec::new();
    for panel in Panel::all().filter(|&panel| panel != Panel::Board) {
        apply(&mut window, ViewCommand::ShowPanel(panel));
        let Some((role, name)) =
            focused(&window).filter(|(role, _)| !matches!(role, Role::Pane | Role::Window))
        else {
            continue;
        };
        let before = (document(&window).cursor(), document(&window).line().len());
        for key in [
            Key::W,
            Key::A,
            Key::S,
            Key::D,
            Key::ArrowUp,
            Key::ArrowDown,
            Key::ArrowLeft,
            Key::ArrowRight,
        ] {
            // Several keys within a frame, but not both that lead back and forth.
            let event = |pressed| Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            };
            window.input_mut().events.extend([true, false].map(event));
            if matches!(key, Key::D | Key::ArrowLeft | Key::ArrowRight) {
                window.settle();
            }
            assert_eq!(
                (document(&window).cursor(), document(&window).line().len()),
                before,
                "{panel:?}: {role:?} {name}"
            );
        }
        tried.push(panel);
        window.press_key(Key::Escape);
        window.press_key(Key::Escape);
    }

    assert!(15 < tried.len(), "{tried:?}");
    // Without an overlay the keys play.
    apply(&mut window, ViewCommand::ShowPanel(Panel::Board));
    let (key, _) = legal_key(&window);
    let before = document(&window).cursor();
    window.press_key(key);
    assert_ne!(document(&window).cursor(), before);
}
