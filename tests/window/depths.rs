//! The Depths panel: on this board, and over the pinned positions.

use afterstate::workbench::command::{
    ExperimentCommand, Panel, PictureFormat, StrategyCommand, ViewCommand, Workspace,
};
use afterstate::workbench::state::figure::FigureOptions;
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::common::{Drive as _, apply, document, open, paste, type_into, until};

#[test]
fn a_move_is_followed_from_depth_to_depth_and_a_depth_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"snake\", criteria: [(evaluator: Snake, \
         lookahead: Expectimax(plies: Fixed(3), cuts: [Reach(0.0001)]))])",
    );
    paste(&mut window, "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32");
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Depths));
    until(&mut window, "three depths and one more", |window| {
        window
            .query_by_label_contains("Plies: Right at 1 to 4; same move at all 4 values")
            .is_some()
    });
    let figure = FigureOptions {
        width: 400.0,
        format: PictureFormat::Svg,
        ..FigureOptions::default()
    };
    let app = window.state_mut().as_mut().expect("open");
    let drawn =
        String::from_utf8(app.draw(Panel::Depths, &figure).expect("a figure")).expect("text");
    let caption = drawn
        .lines()
        .find(|line| line.contains(". Afterstate "))
        .expect("a caption");
    assert!(
        caption.contains("Depths of snake at move 1")
            && caption.contains("; plies 1, 2, 3 and 4 with "),
        "{caption}"
    );
    assert!(caption.contains(" nodes. "), "{caption}");
    // The decision changes one ply deeper.
    type_into(&mut window, "Values of the setting", "4,5,6,7");
    window.key_press(Key::Enter);
    until(&mut window, "seven plies", |window| {
        window
            .query_by_label_contains("Right at 4 to 6 and Down at 7")
            .is_some()
    });
    assert!(window.query_by_label("plies 6: Right").is_some());
    window.click("plies 7: Down, new");
    window.click("Open with plies 7");
    let opened = document(&window).strategy();
    assert_eq!(opened.label(), "snake, plies 7");
    assert_eq!(
        opened.setting("plies").map(|setting| setting.value),
        Ok(7.0)
    );

    // Over positions it is a share with its interval.
    window.get_by_label("All pinned").click();
    type_into(&mut window, "Values of the setting", "1,2");
    window.key_press(Key::Enter);
    let all = document(&window).pins().positions.len();
    let said = format!("with two or more moves, of {all} pinned");
    until(&mut window, "the pinned positions", |window| {
        window.query_by_label_contains(&said).is_some()
    });
    assert!(
        window
            .query_by_label_contains("plies 2: changes ")
            .is_some()
    );
    // The positions are listed, and one of them is put on the board.
    window.click("Positions");
    window.click_at(
        window
            .get_by(|node| {
                node.label()
                    .is_some_and(|label| label.starts_with("No. 1, Position opening, 1 "))
            })
            .rect()
            .center(),
    );
    assert!(window.query_by_label_contains("No. 1: plies").is_some());
    window.click("Put on the board");
    assert_eq!(
        document(&window).board(),
        document(&window).pins().positions[0].board
    );
    paste(&mut window, "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32");

    // A depth that the limit cuts short does not count.
    let limited =
        "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(20), nodes: 5000))])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(limited.parse().expect("a strategy"))),
    );
    window.get_by_label("This board").click();
    type_into(&mut window, "Values of the setting", "5,6,7,8");
    window.key_press(Key::Enter);
    until(&mut window, "one depth that was reached", |window| {
        window
            .query_by_label_contains("its limit stopped the search after 5 plies at 3 of 4 values")
            .is_some()
    });
    assert!(
        window
            .query_by_label("plies 8: Right, not reached")
            .is_some()
    );

    // Invalid values are reported, and nothing is searched.
    for (typed, said) in [
        ("2,1,3", "values must rise or fall, each only once"),
        ("1..8", "write 1,2,4, or from, to"),
    ] {
        type_into(&mut window, "Values of the setting", typed);
        window.press_key(Key::Enter);
        assert!(window.query_by_label_contains(said).is_some(), "{typed}");
    }
    // A range of whole numbers, and a descending one.
    type_into(&mut window, "Values of the setting", "5..1/3");
    window.key_press(Key::Enter);
    until(&mut window, "three depths downwards", |window| {
        window
            .query_by_label_contains("same move at all 3 values")
            .is_some()
    });
    assert!(
        window
            .query_by_label_contains("Plies: Right at 5 to 1")
            .is_some()
    );
    let none = "r".parse().expect("letters");
    apply(&mut window, StrategyCommand::Open(Box::new(none)));
    assert!(
        window
            .query_by_label_contains("r has no setting to vary")
            .is_some()
    );
}

#[test]
fn a_network_is_asked_at_odd_depths_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    let network = "Strategy(name: \"net\", criteria: [(evaluator: Network(\"reference\"), \
         lookahead: Expectimax(plies: Fixed(3), cuts: [Reach(0.01)]))])";
    paste(&mut window, network);
    paste(&mut window, "8,8,128,512/2,16,32,256/0,4,16,64/0,2,8,32");
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Depths));
    // It evaluates afterstates: an even depth ends with a spawn.
    until(&mut window, "three depths", |window| {
        window
            .query_all_by_label_contains("plies 5: ")
            .next()
            .is_some()
    });
    assert!(
        window
            .query_by_label_contains("evaluates afterstates")
            .is_none()
    );
    apply(&mut window, ExperimentCommand::Sweep("plies".to_owned()));
    let plies = |setting: &afterstate::preset::Axis| setting.values.clone();
    let sweep = document(&window).setup().sweep.clone().expect("a sweep");
    assert_eq!(
        sweep.over.iter().map(plies).collect::<Vec<_>>(),
        [[1.0, 3.0, 5.0]]
    );
}

#[test]
fn what_is_typed_right_after_a_click_into_a_field_is_for_the_field() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    paste(
        &mut window,
        "Strategy(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(3)))])",
    );
    apply(&mut window, ViewCommand::Workspace(Workspace::Search));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Depths));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Board));
    let field = window
        .get_by_role_and_label(Role::TextInput, "Values of the setting")
        .rect()
        .center();
    let moves = document(&window).line().len();

    // A slow frame gets all events at once.
    let button = |pressed| egui::Event::PointerButton {
        pos: field,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };

    let key = |key| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let typed = [
        key(Key::Enter),
        key(Key::ArrowLeft),
        key(Key::End),
        egui::Event::Text(",7".to_owned()),
    ];
    let events = [
        egui::Event::PointerMoved(field),
        button(true),
        button(false),
    ]
    .into_iter()
    .chain(typed);
    window.input_mut().events.extend(events);
    window.settle();
    let field = window.get_by_role_and_label(Role::TextInput, "Values of the setting");
    assert!(field.accesskit_node().is_focused());
    assert_eq!(field.accesskit_node().value().as_deref(), Some("1,2,3,4,7"));
    assert_eq!(document(&window).line().len(), moves, "nothing was played");
}
