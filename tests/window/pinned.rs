//! Pinned positions: the effect of an edit on them, the user's sets, and the board.

use std::path::{Path, PathBuf};

use afterstate::game::{Board, Moves, Rules};
use afterstate::preset::{Item as _, PositionSet, Stored};
use afterstate::strategy::{Decision, Player, Strategy, StrategyEdit};
use afterstate::workbench::App;
use afterstate::workbench::command::{Command, LibraryCommand, PinCommand, ViewCommand, Workspace};
use egui::accesskit::Role;
use egui::{Key, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;

use super::common::{Drive as _, Window, apply, begin_pasted, carry, document, open, paste, until};

fn built(folder: &Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    window
}

fn app(window: &Window) -> &App {
    window.state().as_ref().expect("the window is open")
}

/// The moves that a strategy leaves to its last resort on each position.
fn choices(strategy: &Strategy, set: &PositionSet) -> Vec<Moves> {
    let choice = |board: &Board, score| {
        let rules = Rules::default().on(board.size());
        Decision::now(&Player::new(strategy, rules), board, score, |_| 0).choice
    };
    set.positions
        .iter()
        .map(|pin| choice(&pin.board, pin.score))
        .collect()
}

fn differing(a: &Strategy, b: &Strategy) -> usize {
    let set = PositionSet::shipped();
    choices(a, &set)
        .iter()
        .zip(choices(b, &set))
        .filter(|(a, b)| **a != *b)
        .count()
}

fn said(window: &Window, words: &str) {
    assert!(window.query_by_label(words).is_some(), "{words}");
}

fn loaded(path: &Path) -> PositionSet {
    (*Stored::<PositionSet>::load(path).expect("sound").item).clone()
}

fn files(folder: &Path) -> Vec<String> {
    let Ok(listed) = std::fs::read_dir(folder.join("positions")) else {
        return Vec::new();
    };
    let names = listed
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".ron")).collect();
    names.sort();
    names
}

#[test]
fn an_edit_is_tried_on_the_pinned_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"three\", criteria: [(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Snake)])",
    );
    let before = document(&window).strategy();
    assert!(
        window
            .query_by_label_contains("40 positions edit the strategy")
            .is_some()
    );
    apply(&mut window, StrategyEdit::MoveRow { from: 2, to: 0 });
    let after = document(&window).strategy();
    let changed = differing(&before, &after);
    assert!(0 < changed && changed < 40, "{changed}");
    said(
        &window,
        &format!("{changed} of 40 changed by the last edit"),
    );
    window.get_by_role_and_label(Role::RadioButton, &format!("Same {}", 40 - changed));

    // Each board shows both moves.
    window.click_role(Role::RadioButton, &format!("Changed {changed}"));
    assert_eq!(
        window.query_all_by_label_contains(", before ").count(),
        changed
    );
    assert_eq!(window.query_all_by_label_contains(", as before").count(), 0);

    // A second edit is compared with the first one, and with the opened strategy.
    apply(&mut window, StrategyEdit::RemoveRow(2));
    let last = document(&window).strategy();
    said(
        &window,
        &format!(
            "{} of 40 changed by the last edit",
            differing(&after, &last)
        ),
    );
    window.click_role(Role::RadioButton, "Since saved");
    said(
        &window,
        &format!(
            "{} of 40 changed since it was saved",
            differing(&before, &last)
        ),
    );
    apply(&mut window, Command::Undo);
    apply(&mut window, Command::Undo);
    assert!(
        window
            .query_by_label_contains("40 positions no change since it was saved")
            .is_some()
    );
}

#[test]
fn a_row_that_is_carried_says_what_it_would_change_before_it_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    paste(
        &mut window,
        "Strategy(name: \"three\", criteria: [(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Snake)])",
    );

    let now = document(&window).strategy();
    let grip =
        |row: &str| -> Pos2 { window.get_by_label(row).rect().left_center() + vec2(14.0, 0.0) };
    let (from, first) = (
        grip("Row 3 Snake"),
        window.get_by_label("Row 1 Empty").rect(),
    );
    let to = pos2(from.x, first.top() + 3.0);
    carry(&mut window, from, to);
    let mut proposed = (*now).clone();
    proposed.criteria.rotate_right(1);
    let changed = differing(&now, &proposed);
    assert_eq!(document(&window).strategy(), now, "nothing was dropped");
    let tried = |window: &Window| {
        app(window)
            .building()
            .changes
            .is_some_and(|changes| changes.decided == 40)
    };
    until(&mut window, "trying", tried);
    let changes = app(&window).building().changes.expect("it is tried");
    assert_eq!(
        (changes.changed, changes.decided, changes.all),
        (changed, 40, 40)
    );
    assert_eq!(
        changes.text(),
        format!("changes {changed} of 40 pinned positions")
    );
    assert!(
        window
            .query_by_label_contains(&format!("Changes {changed} of 40 if "))
            .is_some()
    );
    assert_eq!(
        window.query_all_by_label_contains(", before ").count(),
        changed
    );
    window.drop_at(to);
    window.settle();
    assert_eq!(document(&window).strategy().criteria, proposed.criteria);
    assert_eq!(app(&window).building().changes, None, "nothing is carried");
    said(
        &window,
        &format!("{changed} of 40 changed by the last edit"),
    );
}

#[test]
fn pinning_makes_a_set_of_ones_own_and_undo_takes_its_file_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    let (board, score) = (document(&window).board(), document(&window).node().score);
    window.press_key(Key::P);
    let pins = document(&window).pins();
    assert_eq!(pins.positions.len(), 41);
    assert_eq!(pins.place(&board, score), Some(40));
    assert_eq!(document(&window).position_sets().files().len(), 1);
    assert_eq!(files(folder.path()), ["my-positions.ron"]);
    assert_eq!(
        PositionSet::shipped().positions.len(),
        40,
        "what came with the program stays"
    );
    assert!(
        app(&window)
            .notices()
            .texts()
            .any(|text| text.contains("your copy of the shipped set"))
    );
    // A board is pinned only once.
    window.press_key(Key::P);
    assert_eq!(document(&window).pins().positions.len(), 41);

    apply(&mut window, Command::Pin(PinCommand::Unpin(0)));
    assert_eq!(document(&window).pins().positions.len(), 40);
    let read = loaded(&folder.path().join("positions/my-positions.ron"));
    assert_eq!(read, *document(&window).pins(), "saved at once");
    apply(&mut window, Command::Undo);
    assert_eq!(*document(&window).pins(), *pins);
    assert_eq!(
        loaded(&folder.path().join("positions/my-positions.ron")),
        *pins
    );
    apply(&mut window, Command::Undo);
    assert_eq!(document(&window).pins().positions.len(), 40);
    assert!(document(&window).own_set().is_none() && files(folder.path()).is_empty());
    apply(&mut window, Command::Redo);
    assert_eq!(*document(&window).pins(), *pins);
    assert_eq!(files(folder.path()), ["my-positions.ron"]);
}

#[test]
fn taking_back_something_else_leaves_sets_of_other_windows_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    apply(&mut window, StrategyEdit::MoveRow { from: 1, to: 0 });
    std::fs::create_dir_all(folder.path().join("positions")).expect("made");
    let other = folder.path().join("positions/other.ron");
    std::fs::write(&other, PositionSet::shipped().to_text()).expect("written");
    apply(&mut window, Command::Pin(PinCommand::ListSets));
    assert_eq!(document(&window).position_sets().files().len(), 1);
    apply(&mut window, Command::Undo);
    assert_eq!(files(folder.path()), ["other.ron"]);
    assert_eq!(document(&window).position_sets().files().len(), 1);
}

#[test]
fn ideal_boards_become_a_set_of_ones_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    apply(&mut window, Command::Pin(PinCommand::AddIdealBoards));
    let (path, set) = document(&window).own_set().expect("an own set");
    assert_eq!(
        (&**set, &loaded(path)),
        (&PositionSet::ideal(), &PositionSet::ideal())
    );
    apply(&mut window, Command::Undo);
    assert!(document(&window).own_set().is_none());
}

#[test]
fn a_set_that_cannot_be_deleted_stays_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    apply(&mut window, Command::Pin(PinCommand::CopySet));
    std::fs::write(folder.path().join("positions/.trash"), "in the way").expect("written");
    apply(&mut window, Command::Pin(PinCommand::DeleteSet));
    assert!(
        app(&window)
            .notices()
            .texts()
            .any(|text| text.contains("this folder cannot be created"))
    );
    assert_eq!(document(&window).position_sets().files().len(), 1);
    assert!(document(&window).own_set().is_some(), "it is still chosen");
}

/// An own set that is changed here while another process has written its file.
fn changed_elsewhere(folder: &Path) -> (Window, PathBuf) {
    let mut window = built(folder);
    apply(&mut window, Command::Pin(PinCommand::CopySet));
    apply(
        &mut window,
        Command::Pin(PinCommand::Rename("Mine".to_owned())),
    );
    let path = document(&window)
        .own_set()
        .expect("an own set")
        .0
        .to_owned();
    std::fs::write(&path, PositionSet::empty("theirs").to_text()).expect("another window");
    apply(&mut window, Command::Pin(PinCommand::Unpin(0)));
    for label in [
        "The file of Mine was changed elsewhere",
        "called theirs",
        "40 positions fewer",
        "1 position fewer",
    ] {
        assert!(
            window.query_by_role_and_label(Role::Label, label).is_some(),
            "{label}"
        );
    }
    assert_eq!(loaded(&path).title, "theirs", "nothing was written");
    (window, path)
}

#[test]
fn a_set_changed_elsewhere_is_asked_about_and_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path) = changed_elsewhere(folder.path());
    window.press(LibraryCommand::SaveCopy);
    assert!(document(&window).conflict().is_none());
    assert_eq!(loaded(&path).title, "theirs");
    let (copy, set) = document(&window).own_set().expect("the copy is chosen");
    assert_ne!(copy, path);
    assert_eq!((set.title.as_str(), set.positions.len()), ("Mine", 39));
    assert_eq!(loaded(copy), **set);

    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path) = changed_elsewhere(folder.path());
    window.press(LibraryCommand::Overwrite);
    assert_eq!(
        (
            loaded(&path).title.as_str(),
            document(&window).pins().positions.len()
        ),
        ("Mine", 39)
    );
    let trash: Vec<_> = std::fs::read_dir(path.with_file_name(".trash"))
        .expect("a trash")
        .collect();
    assert_eq!(trash.len(), 1, "theirs is kept");
    apply(&mut window, Command::Undo);
    assert_eq!(loaded(&path).title, "theirs");

    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path) = changed_elsewhere(folder.path());
    window.press(LibraryCommand::OpenTheirs);
    assert_eq!(
        (
            document(&window).pins().title.as_str(),
            loaded(&path).title.as_str()
        ),
        ("theirs", "theirs")
    );
    // It is not deleted unseen either.
    std::fs::write(&path, PositionSet::empty("theirs again").to_text()).expect("another window");
    apply(&mut window, Command::Pin(PinCommand::DeleteSet));
    assert_eq!(loaded(&path).title, "theirs again");
    assert!(
        app(&window)
            .notices()
            .texts()
            .any(|text| text.contains("another window has changed this set"))
    );
    assert_eq!(document(&window).pins().title, "theirs again");
}

#[test]
fn a_set_of_ones_own_is_there_after_a_restart_and_a_broken_one_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    let session = || std::fs::read_to_string(folder.path().join("session.ron")).ok();
    let before = session();
    apply(&mut window, Command::Pin(PinCommand::CopySet));
    apply(
        &mut window,
        Command::Pin(PinCommand::Rename("Mine".to_owned())),
    );
    apply(&mut window, Command::Pin(PinCommand::Unpin(3)));
    let mine = document(&window).pins();
    assert_eq!((mine.title.as_str(), mine.positions.len()), ("Mine", 39));
    until(&mut window, "saving", |_| session() != before);
    drop(window);
    std::fs::write(
        folder.path().join("positions/broken.ron"),
        "(version: 1,\n title: 7)",
    )
    .expect("written");
    let mut window = built(folder.path());
    assert_eq!(*document(&window).pins(), *mine);
    let broken: Vec<_> = document(&window)
        .position_sets()
        .files()
        .iter()
        .filter(|own| own.read().is_err())
        .collect();
    assert_eq!(
        (broken.len(), broken[0].label().as_str()),
        (1, "broken.ron")
    );
    window.click("Set of positions");
    assert!(
        window
            .query_by_label_contains("✗ broken: line 2, column")
            .is_some()
    );
    window.click("Forty positions, 40");
    assert_eq!(document(&window).pins().positions.len(), 40);

    // Undo restores a deleted set.
    let path = folder.path().join("positions/forty-positions-copy.ron");
    apply(&mut window, Command::Pin(PinCommand::Choose(Some(path))));
    apply(&mut window, Command::Pin(PinCommand::DeleteSet));
    assert_eq!(document(&window).position_sets().sound().count(), 0);
    assert_eq!(files(folder.path()), ["broken.ron"]);
    apply(&mut window, Command::Undo);
    assert_eq!(*document(&window).pins(), *mine);
}

#[test]
fn a_pinned_position_goes_on_the_board_by_click_and_by_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    let start = document(&window).cursor();
    let set = PositionSet::shipped();
    window.click_part("No. 2, opening: ");
    assert_eq!(
        (document(&window).board(), document(&window).node().score),
        (set.positions[1].board, set.positions[1].score)
    );

    apply(&mut window, Command::Undo);
    assert_eq!(document(&window).cursor(), start);
    window.get_by_label_contains("No. 3, opening: ").focus();
    window.settle();
    window.press_key(Key::Enter);
    assert_eq!(document(&window).board(), set.positions[2].board);

    // The same works without the panel.
    window.get_by_label_contains("No. 3, opening: ").focus();
    window.settle();
    window.press_key(Key::Delete);
    assert_eq!(document(&window).pins().positions.len(), 39);
    assert_eq!(
        document(&window)
            .pins()
            .place(&set.positions[2].board, set.positions[2].score),
        None
    );
}

#[test]
fn a_position_that_a_strategy_does_not_fit_says_so_and_does_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    paste(
        &mut window,
        "Positions(version: 1, title: \"two\", positions: [(board: \"2,4,8/0,0,0/2,0,0\"), (board: \"2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0\")])",
    );
    assert_eq!(document(&window).pins().title, "two");
    paste(
        &mut window,
        "Strategy(criteria: [(evaluator: Weights(\"a\")), (evaluator: Empty)])",
    );
    apply(&mut window, StrategyEdit::MoveRow { from: 1, to: 0 });
    window.get_by_label("No. 1, opening: cannot be decided");
    assert!(
        window
            .query_by_label_contains(" of 1 changed by the last edit")
            .is_some()
    );
}

#[test]
fn deep_decisions_come_one_by_one_and_escape_stops_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = built(folder.path());
    begin_pasted(
        &mut window,
        "Strategy(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])",
    );
    until(&mut window, "deciding", |window| {
        window.query_by_label_contains("of 40 decided").is_some()
    });
    // The first Escape may stop the search of the board.
    until(&mut window, "stopping", |window| {
        app(window).can(&Command::Stop).is_ok()
    });
    for _ in 0..3 {
        window.key_press(Key::Escape);
        window.draw();
    }

    window.get_by_label_contains("Stopped, 0 of 40 decided");
    window.get_by_label("Resume deciding").click();
    window.draw();
    until(&mut window, "going on", |window| {
        window.query_by_label_contains("Stopped, 0 of 40").is_none()
            && window.query_by_label_contains("0 of 40 decided").is_some()
    });
}
