//! A program in a row: it runs only after consent, a button tries it, and errors are reported.
//!
//! The programs use `sh`; without it nothing is tested.

use afterstate::evaluator::Evaluator;
use afterstate::program::command;
use afterstate::program::permission::{self, Fingerprint};
use afterstate::strategy::Strategy;
use afterstate::workbench::command::{
    Command, ExperimentCommand, FileCommand, GameCommand, HelpSheet, Panel, StrategyCommand,
    ViewCommand, Workspace,
};
use afterstate::workbench::state::Thought;
use egui_kittest::kittest::Queryable as _;

use crate::builder::Window;
use crate::common::{Drive as _, TOOLTIP};

/// Answers each line with the number 7 for each board; the trailing comment distinguishes programs of different tests.
const SEVENS: &str = r#"while read -r line; do echo "$line" | sed -e 's/{[^}]*}/7/g'; done #"#;

fn has_shell() -> bool {
    let is_there = std::process::Command::new("sh")
        .args(["-c", "echo | sed -e s/a/b/"])
        .output()
        .is_ok();
    if !is_there {
        println!("skipped: there is no sh here");
    }
    is_there
}

fn shell(script: &str, name: &str) -> Vec<String> {
    ["sh".to_owned(), "-c".to_owned(), format!("{script} {name}")].to_vec()
}

const TITLE: &str = "Run this program?";

fn allow(command: &[String]) {
    permission::allow(Fingerprint::of(command).expect("readable"));
}

fn strategy(command: &[String]) -> Strategy {
    let text = format!(
        "Strategy(name: \"own\", criteria: [(evaluator: Program(command: {command:?}, seconds: 20))])"
    );
    text.parse().expect(&text)
}

fn opened(command: &[String]) -> Window {
    opened_in([1600.0, 1200.0], command)
}

fn opened_in(size: [f32; 2], command: &[String]) -> Window {
    let mut window = Window::sized(size);
    window.apply(StrategyCommand::Open(Box::new(strategy(command))));
    window
}

fn shows(window: &Window, text: &str) -> bool {
    let mut found = window.harness.query_all_by(|node| {
        node.label()
            .or(node.value())
            .is_some_and(|label| label.contains(text))
    });
    found.next().is_some()
}

#[test]
fn a_program_runs_once_it_was_allowed() {
    if !has_shell() {
        return;
    }

    let words = shell(SEVENS, "allowed");
    let mut window = opened(&words);
    assert!(shows(&window, TITLE));
    assert!(
        shows(&window, &command::shown(&words)),
        "the command is shown in full"
    );
    window.click("Not now");
    assert!(!shows(&window, TITLE), "it is asked once");
    assert!(!permission::is_allowed(&words));
    assert!(
        window
            .app()
            .can(&GameCommand::Step.into())
            .is_err_and(|reason| reason.contains("is not allowed to run"))
    );

    window.apply(ViewCommand::ShowPanel(Panel::Pinned));
    assert!(shows(&window, "No. 1, opening: cannot be decided"));
    window.click("Unfold row 1");
    window.click("Allow this program…");
    window.click("Allow");
    assert!(permission::is_allowed(&words));
    assert_eq!(window.app().can(&GameCommand::Step.into()), Ok(()));
    // The pinned positions are decided as well.
    assert!(shows(&window, "No. 1, opening: Up"));
    window.click("Try the program");
    assert!(shows(&window, "This board 7, answered in "));
}

#[test]
fn a_command_is_typed_and_what_it_does_wrong_is_told() {
    if !has_shell() {
        return;
    }

    let words = shell("read -r line; echo '[NaN]' #", "wrong");
    allow(&words);
    allow(&["sh", "-c", "exit 3"].map(str::to_owned));
    let mut window = opened(&words);
    window.click("Unfold row 1");
    assert!(shows(&window, "answered \"[NaN]\", which is not a list of"));
    let field = |window: &Window| command_of(window);

    window
        .harness
        .get_by_label("Command of the program")
        .focus();
    window.harness.settle();
    window
        .harness
        .press_keys(egui::Modifiers::COMMAND, egui::Key::A);
    window
        .harness
        .event(egui::Event::Paste("sh -c 'exit 3".to_owned()));
    window.harness.settle();
    window.harness.press_key(egui::Key::Enter);
    assert!(shows(&window, "A quotation mark is not closed: close it"));
    assert_eq!(field(&window), words, "the row plays by what it was");
    window.harness.event(egui::Event::Paste("'".to_owned()));
    window.harness.settle();
    window.harness.press_key(egui::Key::Enter);
    assert_eq!(field(&window), ["sh", "-c", "exit 3"]);
    assert!(shows(&window, "ended with exit code 3 before it answered"));
}

fn command_of(window: &Window) -> Vec<String> {
    match &window.strategy().criteria[0].evaluator {
        Evaluator::Program(program) => program.command.clone(),
        other => panic!("{other} is no program"),
    }
}

#[test]
fn who_mends_a_program_that_has_failed_searches_again_with_it() {
    if !has_shell() {
        return;
    }

    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("evaluate.sh");
    // It answers once and exits.
    std::fs::write(
        &script,
        "read -r line; echo \"$line\" | sed -e 's/{[^}]*}/7/g'; exit 3",
    )
    .expect("writable");
    let words = ["sh".to_owned(), script.to_string_lossy().into_owned()];
    allow(&words);
    let mut window = opened(&words);
    assert!(shows(&window, "draws one of "));
    window.apply(GameCommand::Step);
    assert!(shows(&window, "ended with exit code 3 before it answered"));
    assert!(
        !shows(&window, "draws one of "),
        "what it said of the board before is not said of this one"
    );
    window.apply(ViewCommand::Workspace(Workspace::Build));
    window.apply(ViewCommand::ShowPanel(Panel::Pinned));
    assert!(shows(&window, "✗ Cannot decide: the program sh"));
    let hash = |window: &Window| {
        window
            .app()
            .document()
            .strategy()
            .hash_of_files()
            .to_string()
    };
    let before = hash(&window);
    assert!(shows(&window, &before));
    std::fs::write(&script, SEVENS).expect("writable");
    window.apply(GameCommand::SearchAgain);

    // Now it counts as another program.
    assert!(shows(&window, TITLE));
    assert!(!permission::is_allowed(&words));
    window.click("Allow");
    assert!(shows(&window, "draws one of "));
    assert_eq!(window.app().document().thought(), Thought::Settled);
    assert!(hash(&window) != before && shows(&window, &hash(&window)) && !shows(&window, &before));
    assert!(shows(&window, "No. 40, "));
    assert!(!shows(&window, "✗ Cannot decide"));
    assert!(shows(&window, "No. 1, opening: Up"));
}

#[test]
fn what_was_changed_on_disk_is_another_strategy_for_who_comes_back() {
    if !has_shell() {
        return;
    }

    let folder = tempfile::tempdir().expect("a folder");
    let [script, weights] = ["evaluate.sh", "weights"].map(|name| folder.path().join(name));
    std::fs::write(&script, SEVENS).expect("writable");

    // More than the window reads without a worker.
    std::fs::write(&weights, vec![1; 3 << 20]).expect("writable");
    let words = [&script, &weights].map(|path| path.to_string_lossy().into_owned());
    let words = [["sh".to_owned()].to_vec(), words.to_vec()].concat();
    allow(&words);
    let mut window = opened(&words);
    window.apply(ViewCommand::Workspace(Workspace::Build));
    let file_hash = |window: &Window| {
        assert!(window.app().document().strategy().is_read());
        let hash = window
            .app()
            .document()
            .strategy()
            .hash_of_files()
            .to_string();
        assert!(shows(window, &hash), "{hash}");
        hash
    };
    let before = file_hash(&window);
    let color = |window: &Window| {
        window
            .app()
            .document()
            .color_index(window.app().document().strategy().hash())
    };
    let color_before = color(&window);
    std::fs::write(&weights, vec![2; (3 << 20) + 1]).expect("writable");
    window.harness.event(egui::Event::WindowFocused(true));
    window.harness.settle();
    assert_ne!(file_hash(&window), before);
    assert_eq!(
        color(&window),
        color_before,
        "it is the same row in the same colour"
    );
}

#[test]
fn consent_shows_what_it_is_about_and_keeps_its_buttons_in_reach() {
    let claim = "exit 0\n\n\nAfterstate has checked this program.\u{202e} It is safe to allow.\n";

    // 1024×700 at 100 % and at 300 %, and a wide window.
    for (size, name) in [
        ([1024.0, 700.0], "small"),
        ([341.0, 233.0], "large letters"),
        ([1600.0, 1200.0], "wide"),
    ] {
        let words = shell(&format!("{claim}{}", "faked ".repeat(500)), name);
        let mut window = opened_in(size, &words);
        let shown = command::shown(&words);
        assert!(!shown.contains(['\n', '\u{202e}']) && 3000 < shown.len());

        let box_of = window
            .harness
            .get_by(|node| node.value().is_some_and(|text| text == shown))
            .rect();
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        for button in ["Allow", "Not now"] {
            let rect = window.harness.get_by_label(button).rect();
            assert!(
                screen.contains_rect(rect) && 20.0 < rect.height(),
                "{button} at {rect} of {screen}"
            );
            assert!(box_of.left() < rect.left(), "{button}");
        }

        window.click("Not now");
        assert!(
            !shows(&window, TITLE) && !permission::is_allowed(&words),
            "{name}"
        );
    }
}

#[test]
fn no_tooltip_covers_a_dialog() {
    let words = shell("exit 0 #", "tooltip");
    let is_covered = |window: &Window| {
        let layers = window
            .harness
            .ctx
            .memory(|memory| memory.areas().visible_layer_ids());
        layers
            .into_iter()
            .any(|layer| layer.order == egui::Order::Tooltip)
    };

    let dialogs: [Command; 6] = [
        StrategyCommand::AskToRun(words).into(),
        ViewCommand::Help(HelpSheet::About).into(),
        ViewCommand::FindCommand.into(),
        ViewCommand::Figure(Some(Panel::Board)).into(),
        ExperimentCommand::RollOut.into(),
        FileCommand::SaveAs.into(),
    ];

    let mut window = Window::new();
    let at = window.center("Find a command");
    for dialog in dialogs {
        window.harness.hover_at(at);
        window.harness.pass(TOOLTIP);
        assert!(is_covered(&window), "a tooltip is there to begin with");
        window.apply(dialog.clone());
        window.harness.pass(TOOLTIP);
        let is_open = window
            .harness
            .ctx
            .memory(|memory| memory.top_modal_layer().is_some());
        assert!(is_open && !is_covered(&window), "{dialog:?}");
        window.press(egui::Key::Escape);
        assert!(
            window
                .harness
                .ctx
                .memory(|memory| memory.top_modal_layer().is_none()),
            "{dialog:?}"
        );
        window.harness.hover_at(at + egui::vec2(1.0, 0.0));
        window.harness.pass(TOOLTIP);
        assert!(is_covered(&window), "and again once the dialog is closed");
    }
}

#[test]
fn what_was_requested_starts_once_its_program_is_allowed() {
    if !has_shell() {
        return;
    }

    let programs = ["first run", "second run"].map(|name| shell(SEVENS, name));
    let mut window = Window::sized([1600.0, 1200.0]);
    window.apply(ExperimentCommand::New);
    for words in &programs {
        window.apply(ExperimentCommand::Add(Box::new(strategy(words))));
    }
    window.apply(ExperimentCommand::SetGames(1));
    window.apply(ExperimentCommand::Run);
    // One program after the other.
    for words in &programs {
        assert!(shows(&window, TITLE) && shows(&window, &command::shown(words)));
        assert!(window.app().document().results().is_none() && !shows(&window, "cannot run"));
        window.click("Allow");
    }

    assert!(!shows(&window, TITLE));
    assert!(
        window.app().document().results().is_some(),
        "Run was not pressed again"
    );
    window.apply(ExperimentCommand::StopNow);
}

#[test]
fn pinned_positions_are_decided_whatever_the_strategy_before_may_run() {
    if !has_shell() {
        return;
    }
    let mut window = opened(&shell(SEVENS, "never allowed"));
    window.click("Not now");
    window.apply(ViewCommand::ShowPanel(Panel::Pinned));
    assert!(shows(&window, "No. 1, opening: cannot be decided"));
    let row = strategy(&shell(SEVENS, "allowed after an edit")).criteria[0].clone();
    window.apply(StrategyCommand::set_row(0, row, false));
    assert!(shows(&window, TITLE));
    window.click("Allow");
    assert!(shows(&window, "No. 1, opening: Up"));
}
