//! The library of strategies: files shared by several windows, and found again after a restart.

use std::fs;
use std::path::{Path, PathBuf};

use afterstate::preset::Collection;
use afterstate::strategy::{LastResort, Strategy, StrategyEdit};
use afterstate::workbench::command::{
    Command, FileCommand, LibraryCommand, Panel, StrategyCommand, ViewCommand, Workspace,
};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;

use crate::common::{Drive as _, Window, apply, document, open, until};

/// The window with the Library panel.
fn shown(folder: &Path) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    apply(&mut window, ViewCommand::ShowPanel(Panel::Library));
    window
}

fn strategy(name: &str, letters: &str) -> Strategy {
    Strategy {
        name: name.to_owned(),
        ..Strategy::from_letters(letters).expect("letters")
    }
}

fn library(window: &mut Window, command: LibraryCommand) {
    apply(window, Command::Library(command));
}

/// Opens a strategy and saves it; returns its file.
fn kept(window: &mut Window, name: &str, letters: &str) -> PathBuf {
    apply(
        window,
        StrategyCommand::Open(Box::new(strategy(name, letters))),
    );
    library(window, LibraryCommand::Save);
    document(window)
        .opened()
        .file()
        .expect("it is in a file")
        .path
        .clone()
}

fn notices(window: &Window) -> Vec<String> {
    window
        .state()
        .as_ref()
        .expect("open")
        .notices()
        .texts()
        .map(str::to_owned)
        .collect()
}

fn says(window: &Window, words: &str) -> bool {
    notices(window).iter().any(|text| text.contains(words))
}

fn entry(window: &mut Window, name: &str) {
    window.click_part(&format!("Saved {name}, "));
}

#[test]
fn what_was_saved_and_edited_is_found_again_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = {
        let mut window = shown(folder.path());
        let path = kept(&mut window, "Tidy", "emr");
        assert!(!document(&window).opened().is_edited());
        assert!(
            window
                .query_by_label_contains("Saved Tidy, emr, open")
                .is_some()
        );
        apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
        assert!(document(&window).opened().is_edited());
        let session = folder.path().join("session.ron");
        let written = |_: &Window| {
            fs::read_to_string(&session).is_ok_and(|text| text.contains("last_resort: First"))
        };
        until(&mut window, "writing the session", written);
        path
    };

    let mut window = shown(folder.path());
    let open = document(&window).opened().clone();
    assert_eq!(
        (open.name.as_str(), open.last_resort),
        ("Tidy", LastResort::First)
    );
    assert!(open.is_edited());
    assert_eq!(
        open.file().map(|file| file.path.clone()),
        Some(saved.clone())
    );
    assert_eq!(*open.origin.before, strategy("Tidy", "emr"));
    assert!(
        window
            .query_by_label_contains("Saved Tidy, emr, open, edited")
            .is_some()
    );

    // Without other changes it is saved without a conflict, and has its original as parent.
    library(&mut window, LibraryCommand::Save);
    let open = document(&window).opened().clone();
    assert!(!open.is_edited() && document(&window).conflict().is_none());
    assert_eq!(open.parent, Some(strategy("Tidy", "emr").hash()));
    assert_eq!(fs::read_to_string(&saved).expect("a file"), open.pretty());
    library(&mut window, LibraryCommand::OpenParent);
    assert_eq!(
        document(&window).strategy().hash(),
        strategy("Tidy", "emr").hash()
    );
}

#[test]
fn what_came_with_the_program_is_never_edited() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    window.click_part("Composition, ");
    assert!(window.query_by_label_contains("Saved emr, ").is_some());

    // An empty strategy plays like `r`, and a copy was made from `emr`: neither counts as the previous version.
    apply(&mut window, StrategyCommand::Select(0));
    apply(&mut window, StrategyCommand::Duplicate);
    assert!(!document(&window).opened().is_edited());
    apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
    assert!(document(&window).opened().is_edited());
    apply(&mut window, StrategyCommand::Select(0));
    apply(&mut window, StrategyCommand::Close);
    apply(&mut window, StrategyCommand::New);
    let criterion = strategy("", "er").criteria[0].clone();
    let marked = |window: &Window| window.query_all_by_label_contains(", open").count();
    let before = marked(&window);
    apply(&mut window, StrategyEdit::AddRow { at: 0, criterion });
    assert!(window.query_by_label_contains(", open, edited").is_none());
    assert_eq!(marked(&window), before);
}

#[test]
fn undo_after_saving_changes_the_strategy_and_not_what_is_known_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let path = kept(&mut window, "Tidy", "emr");
    apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
    library(&mut window, LibraryCommand::Save);
    apply(&mut window, Command::Undo);
    assert_eq!(document(&window).strategy().last_resort, LastResort::Random);
    assert!(
        document(&window).opened().is_edited(),
        "the file says otherwise"
    );
    library(&mut window, LibraryCommand::Save);
    assert!(document(&window).conflict().is_none());
    assert!(
        fs::read_to_string(path)
            .expect("a file")
            .contains("last_resort: Random")
    );
}

/// A strategy that is edited here while another process has written its file.
fn changed_elsewhere(folder: &Path) -> (Window, PathBuf, Strategy) {
    let mut window = shown(folder);
    let path = kept(&mut window, "Tidy", "emr");
    let theirs = strategy("Tidy", "mer");
    fs::write(&path, theirs.pretty()).expect("another window");
    apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
    library(&mut window, LibraryCommand::Save);
    assert!(
        window
            .query_by_role_and_label(egui::Role::Dialog, "The file of Tidy was changed elsewhere")
            .is_some()
    );
    assert!(
        window
            .query_by_label("last resort Random → First")
            .is_some(),
        "what was changed here"
    );
    assert!(
        window.query_by_label_contains("moved ").is_some(),
        "and there"
    );
    assert_eq!(
        fs::read_to_string(&path).expect("a file"),
        theirs.pretty(),
        "nothing was written"
    );
    (window, path, theirs)
}

#[test]
fn a_file_changed_elsewhere_is_kept_and_ours_saved_as_a_copy() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path, theirs) = changed_elsewhere(folder.path());
    window.press(LibraryCommand::SaveCopy);
    assert!(document(&window).conflict().is_none());
    assert_eq!(fs::read_to_string(&path).expect("a file"), theirs.pretty());
    let copy = document(&window)
        .opened()
        .file()
        .expect("a file")
        .path
        .clone();
    assert_ne!(copy, path);
    assert!(
        fs::read_to_string(copy)
            .expect("a file")
            .contains("last_resort: First")
    );
}

#[test]
fn a_file_changed_elsewhere_is_overwritten_when_asked_and_stays_as_a_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path, theirs) = changed_elsewhere(folder.path());
    window.press(LibraryCommand::Overwrite);
    assert!(
        fs::read_to_string(&path)
            .expect("a file")
            .contains("last_resort: First")
    );
    let version =
        Collection::<Strategy>::in_config(Some(folder.path())).kept_version(theirs.hash());
    assert_eq!(version.as_deref(), Some(&theirs));
}

#[test]
fn a_file_changed_elsewhere_is_opened_beside_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path, theirs) = changed_elsewhere(folder.path());
    let open = document(&window).strategies().len();
    window.press(LibraryCommand::OpenTheirs);
    assert_eq!(document(&window).strategies().len(), open + 1);
    assert_eq!(*document(&window).strategy(), theirs);
    assert_eq!(fs::read_to_string(&path).expect("a file"), theirs.pretty());
    let ours = document(&window)
        .strategies()
        .iter()
        .find(|open| open.last_resort == LastResort::First);
    assert!(
        ours.is_some_and(afterstate::workbench::state::Opened::is_edited),
        "ours is open and not saved"
    );
}

#[test]
fn escape_leaves_the_question_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut window, path, theirs) = changed_elsewhere(folder.path());
    window.press_key(Key::Escape);
    assert!(document(&window).conflict().is_none());
    assert_eq!(fs::read_to_string(&path).expect("a file"), theirs.pretty());
    assert!(document(&window).opened().is_edited());
}

#[test]
fn a_broken_file_is_listed_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let strategies = folder.path().join("strategies");
    fs::create_dir_all(&strategies).expect("made");
    fs::write(
        strategies.join("torn.ron"),
        "Strategy(\n  criteria: [(evaluator: Emty)]\n)",
    )
    .expect("written");
    // The window comes to the front.
    window.event(egui::Event::WindowFocused(true));
    window.settle();
    assert_eq!(
        window
            .query_all_by_label_contains("Saved ✗ torn.ron, line 2, column ")
            .count(),
        1
    );
    let path = strategies.join("torn.ron");
    library(&mut window, LibraryCommand::Open(path));
    assert!(
        says(&window, "torn.ron: line 2, column "),
        "{:?}",
        notices(&window)
    );
}

#[test]
fn a_kept_strategy_is_renamed_by_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let path = kept(&mut window, "Tidy", "emr");
    entry(&mut window, "Tidy");

    window.press_key(Key::F2);
    window
        .get_by_label("Name of the saved strategy")
        .type_text("Clean");
    window.settle();
    window.press_key(Key::Enter);

    assert!(!path.exists());
    let open = document(&window).opened().clone();
    assert_eq!(open.name, "Clean");
    assert!(!open.is_edited(), "the open one follows");
    assert_eq!(
        open.file().map(|file| file.path.clone()),
        Some(path.with_file_name("clean.ron"))
    );

    library(&mut window, LibraryCommand::Save);
    assert!(document(&window).conflict().is_none());
}

#[test]
fn a_kept_strategy_is_duplicated_and_the_copy_knows_the_original() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    kept(&mut window, "Tidy", "emr");
    entry(&mut window, "Tidy");
    window.click("Menu of Tidy");
    window.click("Duplicate");
    let open = document(&window).opened().clone();
    assert_eq!(open.name, "Tidy 2");
    assert_eq!(
        (open.file(), open.origin.before.name.as_str()),
        (None, "Tidy")
    );
    library(&mut window, LibraryCommand::Save);
    assert_eq!(document(&window).library().files().len(), 2);
}

#[test]
fn a_deleted_strategy_comes_back_by_undo() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let path = kept(&mut window, "Tidy", "emr");
    entry(&mut window, "Tidy");
    window.press_key(Key::Delete);
    assert!(!path.exists() && document(&window).library().files().is_empty());
    window.press_keys(Modifiers::COMMAND, Key::Z);
    assert!(path.exists());
    assert_eq!(document(&window).library().files().len(), 1);
    assert_eq!(
        document(&window).strategy().name,
        "Tidy",
        "nothing else was taken back"
    );
}

#[test]
fn nothing_is_written_before_what_it_was_made_from_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    kept(&mut window, "Tidy", "emr");
    apply(&mut window, StrategyEdit::SetLastResort(LastResort::First));
    let versions = folder.path().join("strategies/.versions");
    fs::write(&versions, "in the way").expect("written");
    library(&mut window, LibraryCommand::SaveCopy);
    assert!(
        says(&window, "this folder cannot be created"),
        "{:?}",
        notices(&window)
    );
    assert_eq!(document(&window).library().files().len(), 1);
    fs::remove_file(&versions).expect("removed");
    library(&mut window, LibraryCommand::SaveCopy);
    assert!(document(&window).conflict().is_none() && !document(&window).opened().is_edited());
    assert_eq!(
        document(&window).library().files().len(),
        2,
        "one file for one strategy"
    );
}

#[test]
fn what_is_found_gone_is_listed_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let failing: [fn(PathBuf) -> LibraryCommand; 2] = [LibraryCommand::Delete, |path| {
        LibraryCommand::Rename(path, "New".to_owned())
    }];
    for command in failing {
        let path = kept(&mut window, "Tidy", "emr");
        assert_eq!(document(&window).library().files().len(), 1);
        fs::remove_file(&path).expect("another window");
        library(&mut window, command(path));
        assert_eq!(document(&window).library().files().len(), 0);
    }

    apply(&mut window, FileCommand::SaveTitled("Mine".to_owned()));
    let path = document(&window).presets().files()[0].path.clone();
    fs::remove_file(&path).expect("another window");
    apply(&mut window, FileCommand::DeletePreset(path));
    assert_eq!(document(&window).presets().files().len(), 0);
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_at_library(window: &mut Window, files: &[PathBuf]) {
    let at = window.get_by_label("Find a strategy").rect().center();
    window.hover_at(at);
    window.settle();
    let files = files
        .iter()
        .map(|file| std::sync::Arc::new(Dropped(file.clone())) as egui::DroppedFileHandle);
    window.input_mut().dropped_files.extend(files);
    window.settle();
}

#[test]
fn files_dropped_onto_the_library_are_copied_into_it_and_broken_ones_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let (sound, broken) = (
        folder.path().join("friend.ron"),
        folder.path().join("broken.ron"),
    );
    fs::write(&sound, "(criteria: [(evaluator: Snake)])").expect("written");
    fs::write(&broken, "(criteria: [(evaluator: Snale)])").expect("written");
    let open = document(&window).strategies().len();
    drop_at_library(&mut window, &[sound, broken]);
    let names: Vec<PathBuf> = document(&window)
        .library()
        .files()
        .iter()
        .map(|file| file.path.clone())
        .collect();
    assert_eq!(names, [folder.path().join("strategies/friend.ron")]);
    assert!(
        says(&window, "broken.ron: line 1, column "),
        "{:?}",
        notices(&window)
    );
    assert_eq!(
        document(&window).strategies().len(),
        open,
        "copied, not opened"
    );
}

#[test]
fn a_shipped_strategy_is_found_opened_by_key_and_becomes_the_parent_of_what_is_made_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    window.click("Find a strategy");
    window
        .get_by_label("Find a strategy")
        .type_text("solver corner mini");
    window.settle();

    window
        .get_all_by_label_contains("Saved corner, ")
        .next()
        .expect("there")
        .focus();
    window.settle();
    window.press_key(Key::Enter);
    let shipped = document(&window).strategy();
    assert_eq!(shipped.name, "corner");
    assert_eq!(
        shipped.note.lines().count(),
        2,
        "it says where it comes from"
    );

    apply(&mut window, StrategyEdit::SetLastResort(LastResort::Random));
    library(&mut window, LibraryCommand::Save);
    assert_eq!(document(&window).strategy().parent, Some(shipped.hash()));
    let version =
        Collection::<Strategy>::in_config(Some(folder.path())).kept_version(shipped.hash());
    assert_eq!(
        version.map(|version| version.hash()),
        Some(shipped.hash()),
        "the parent can always be opened"
    );
}

#[test]
fn two_hundred_strategies_lay_out_only_what_can_be_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let strategies = folder.path().join("strategies");
    fs::create_dir_all(&strategies).expect("made");
    for number in 0..200 {
        let text = format!(
            "(name: \"own {number:03}\", criteria: [(evaluator: Empty, tolerance: {number}.5)])"
        );
        fs::write(strategies.join(format!("own-{number}.ron")), text).expect("written");
    }

    let mut window = shown(folder.path());
    assert_eq!(document(&window).library().files().len(), 200);
    assert!(window.query_by_label("Yours, 200").is_some());
    let drawn = window.query_all_by_label_contains("Saved own ").count();
    assert!((5..40).contains(&drawn), "{drawn}");
    // Keys move beyond the visible part, and the list follows.
    entry(&mut window, "own 000");
    for _ in 0..30 {
        window.press_key(Key::ArrowDown);
    }
    assert!(window.query_by_label_contains("Saved own 030, ").is_some());
}
