//! Texts that only the window reads: its settings, what was open, and whatever is pasted.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use afterstate::ron_text;
use afterstate::workbench::command::{Command, FileCommand};
use afterstate::workbench::state::effect::{Effect, Effects};
use afterstate::workbench::state::settings::Settings;
use afterstate::workbench::state::{Document, Session, Surroundings};

use crate::mutate::fuzz;
use crate::parsers::{BOARDS, POSITIONS, PRESETS, RECORDS, STRATEGIES};

const SETTINGS: &[&str] = &[
    "(version: 1, theme: Dark, scale: 1.25, motion: false, spawn_map: true, autoplay_speed: 20.0, threads: Some(3))",
    "(version: 9, scale: -1.0)",
];

fn in_folder<T>(name: &str, text: &str, read: impl FnOnce(&Path) -> T) -> T {
    static FOLDER: LazyLock<tempfile::TempDir> =
        LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));
    let folder = FOLDER.path().join(name);
    fs::create_dir_all(&folder).expect("writable");
    fs::write(folder.join(format!("{name}.ron")), text).expect("writable");
    let read = read(&folder);
    // What could not be read was set aside there.
    fs::remove_dir_all(&folder).expect("writable");
    read
}

#[test]
fn settings() {
    fuzz(SETTINGS, |text| {
        let (settings, news) = in_folder("settings", text, Settings::load);
        let written = ron::to_string(&settings).expect("settings have a text");
        let (again, none) = in_folder("settings", &written, Settings::load);
        assert_eq!((again, none), (settings, None), "{written}");
        news.map_or(Ok(()), Err)
    });
}

#[test]
fn sessions() {
    let small = "(version: 1, strategies: [(name: \"a\", criteria: [(evaluator: Empty)])], origins: [(before: Some((name: \"b\")))], current: 0, preset: \"(version: 1, seed: 1, games: 1, strategies: [(strategy: ())])\", saved_to: Some(\"a.ron\"), game: Some(\"afterstate game record 1\\nsize: 2x2\\nstart: 2,0/0,2\\n\\n1 up 2 r2c1\\n\"), place: 1, positions: None, marks: {7: 1})";
    let seeds = [include_str!("../data/session.ron"), small];
    fuzz(&seeds, |text| {
        let session = ron_text::read::<Session>(text).map_err(|error| error.to_string())?;
        let written = ron_text::one_line(&session).expect("a session has a text");
        let again = ron_text::read::<Session>(&written)
            .map(|again| ron_text::one_line(&again).expect("a text"));
        assert_eq!(again.as_deref(), Ok(&*written));
        // What it holds may be unsound in itself. That takes longer to see, so that a part of them is opened.
        static READ: AtomicUsize = AtomicUsize::new(0);
        if !READ.fetch_add(1, Ordering::Relaxed).is_multiple_of(16) {
            return Ok(());
        }
        let notices = in_folder("session", text, |folder| {
            let mut document = document(Some(folder));
            let mut effects = Effects::default();
            document.restore(&mut effects);
            assert!(!document.session().strategies.is_empty(), "{text:?}");
            effects.list
        });
        notices.into_iter().find_map(told).map_or(Ok(()), Err)
    });
}

#[test]
fn pasted_texts() {
    let seeds: Vec<&str> = [BOARDS, STRATEGIES, RECORDS, PRESETS, POSITIONS].concat();
    fuzz(&seeds, |text| {
        OPEN.with_borrow_mut(|(pastes, open)| {
            // Undo and branches grow.
            *pastes += 1;
            if pastes.is_multiple_of(64) {
                *open = document(None);
            }
            let before = open.session();
            let effects = open.apply(&Command::File(FileCommand::Pasted(text.to_owned())));
            let session = open.session();
            assert!(!session.strategies.is_empty(), "{text:?}");
            if effects.has_error() {
                assert_eq!(session, before, "what is refused changes nothing: {text:?}");
                return effects.list.into_iter().find_map(told).map_or(Ok(()), Err);
            }
            if effects.is_question() {
                assert_eq!(
                    session, before,
                    "nothing changes before the answer: {text:?}"
                );
                return Ok(());
            }
            let _ = open.apply(&Command::Undo);
            assert_eq!(
                open.session().strategies,
                before.strategies,
                "undo brings back what was there: {text:?}"
            );
            Ok(())
        })
    });
}

thread_local! {
    static OPEN: RefCell<(usize, Document)> = RefCell::new((0, document(None)));
}

fn document(config_dir: Option<&Path>) -> Document {
    Document::new(Surroundings {
        wake: Arc::new(|| {}),
        wake_at_once: Arc::new(|| {}),
        config_dir: config_dir.map(Path::to_owned),
        runs: None,
        threads: Some(1),
        autoplay_speed: 8.0,
        record_cap: afterstate::workbench::state::RECORD_CAP,
        search_threads: None,
        judge_in_background: false,
    })
}

fn told(effect: Effect) -> Option<String> {
    match effect {
        Effect::Notice(notice) => Some(notice.text),
        _ => None,
    }
}
