//! Names and colors stay with a strategy through everything that happens to it.

use std::collections::BTreeMap;
use std::path::Path;

use afterstate::experiment::State;
use afterstate::preset::Preset;
use afterstate::strategy::{Strategy, StrategyEdit};
use afterstate::workbench::command::{
    Command, CompareCommand, ExperimentCommand, FileCommand, StrategyCommand,
};
use afterstate::workbench::theme::HUES;

use crate::common::{Window, apply, document, open, until};

/// The color of the strategy on screen after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Color {
    Same,
    /// Of the same hue; another dash and marker tell it from the original, which stays in an experiment.
    SameHue,
    /// No open strategy has it.
    Own,
    /// The one that the strategy of this name had before.
    Of(&'static str),
}

use Color::{Of, Own, Same, SameHue};

fn color(window: &Window, strategy: &Strategy) -> usize {
    document(window).color_index(strategy.hash())
}

/// Name and color of the strategy on screen.
fn here(window: &Window) -> (String, usize) {
    let strategy = document(window).strategy();
    (strategy.label(), color(window, &strategy))
}

/// The colors of the other open strategies, by their names.
fn others(window: &Window) -> BTreeMap<String, usize> {
    let doc = document(window);
    let beside = doc
        .strategies()
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != doc.current());
    beside
        .map(|(_, open)| (open.label(), color(window, open)))
        .collect()
}

/// The colors of the set-up, by the names of its strategies.
fn contestants(setup: &Preset, window: &Window) -> BTreeMap<String, usize> {
    setup
        .strategies
        .iter()
        .map(|entry| (entry.strategy.label(), color(window, &entry.strategy)))
        .collect()
}

fn run_ends(window: &mut Window) {
    until(window, "the end of the run", |window| {
        document(window)
            .last_run()
            .state()
            .is_some_and(State::has_ended)
    });
}

/// Closes the window once its session is written, and opens it again.
fn restart(mut window: Window, folder: &Path) -> Window {
    let session = folder.join("session.ron");
    let is_written = |window: &Window| {
        let text = std::fs::read_to_string(&session).unwrap_or_default();
        let strategy = document(window).strategy();
        text.contains(&format!(
            "{}: {}",
            strategy.hash().0,
            color(window, &strategy)
        ))
    };
    until(&mut window, "writing the session", is_written);
    drop(window);
    open(folder)
}

#[test]
fn names_and_colours_stay_with_a_strategy_whatever_happens() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = open(folder.path());
    run_ends(&mut window);
    let mine =
        "(name: \"mine\", criteria: [(evaluator: Empty), (evaluator: Snake), (evaluator: Score)])";
    let mine: Strategy = mine.parse().expect("a strategy");
    apply(&mut window, StrategyCommand::Open(Box::new(mine)));
    apply(&mut window, StrategyEdit::Rename("ours".to_owned()));
    let copied = Strategy {
        name: "ours 2".to_owned(),
        ..(*document(&window).strategy()).clone()
    };
    let (copied, _) = StrategyEdit::RemoveRow(2).apply(&copied);

    let edit = |edit: StrategyEdit| Command::from(StrategyCommand::from(edit));
    let run = |command: ExperimentCommand| Command::from(command);
    let test = Command::from(CompareCommand::TestAgainstPrevious);
    let sweep = run(ExperimentCommand::Sweep("tolerance".to_owned()));
    let rename = |name: &str| edit(StrategyEdit::Rename(name.to_owned()));
    let mut colors = BTreeMap::from([here(&window)]);
    for (event, command, name, expected) in [
        ("undo of a rename", Command::Undo, "mine", Same),
        ("redo of a rename", Command::Redo, "ours", Same),
        ("edit", edit(StrategyEdit::RemoveRow(0)), "ours", Same),
        ("undo of an edit", Command::Undo, "ours", Same),
        ("redo of an edit", Command::Redo, "ours", Same),
        ("undo once more", Command::Undo, "ours", Same),
        (
            "duplicate",
            StrategyCommand::Duplicate.into(),
            "ours 2",
            Same,
        ),
        (
            "edit of a copy",
            edit(StrategyEdit::RemoveRow(2)),
            "ours 2",
            Own,
        ),
        ("close", StrategyCommand::Close.into(), "ours", Of("ours")),
        (
            "new strategy",
            StrategyCommand::New.into(),
            "new strategy",
            Own,
        ),
        (
            "close of that",
            StrategyCommand::Close.into(),
            "ours",
            Of("ours"),
        ),
        (
            "open again",
            StrategyCommand::Open(Box::new(copied)).into(),
            "ours 2",
            Of("ours 2"),
        ),
        (
            "close again",
            StrategyCommand::Close.into(),
            "ours",
            Of("ours"),
        ),
        ("new experiment", run(ExperimentCommand::New), "ours", Same),
        (
            "added to an experiment",
            run(ExperimentCommand::AddCurrent),
            "ours",
            Same,
        ),
        ("games", run(ExperimentCommand::SetGames(10)), "ours", Same),
        ("run", run(ExperimentCommand::Run), "ours", Same),
        (
            "edit beside its run",
            edit(StrategyEdit::RemoveRow(0)),
            "ours",
            SameHue,
        ),
        ("rename after that", rename("theirs"), "theirs", Same),
        ("test", test.clone(), "theirs", Same),
        ("undo of the test", Command::Undo, "theirs", Same),
        ("test again", test, "theirs", Same),
        (
            "second edit",
            edit(StrategyEdit::RemoveRow(1)),
            "theirs",
            SameHue,
        ),
        ("sweep", sweep, "theirs", Same),
        ("undo of the sweep", Command::Undo, "theirs", Same),
        ("redo of the sweep", Command::Redo, "theirs", Same),
    ] {
        let (before, beside) = (here(&window), others(&window));
        apply(&mut window, command);
        run_ends(&mut window);
        let (now, color) = here(&window);
        assert_eq!(now, name, "{event}");
        let is_expected = match expected {
            Same => color == before.1,
            SameHue => color % HUES == before.1 % HUES,
            Own => !others(&window).values().any(|&other| other == color) && color != before.1,
            Of(name) => Some(&color) == colors.get(name),
        };
        assert!(
            is_expected,
            "{event}: {color} after {before:?}, {expected:?}, known {colors:?}"
        );
        for (other, color) in others(&window) {
            let before = beside.get(&other).or(colors.get(&other));
            assert!(
                before.is_none_or(|before| *before == color),
                "{event}: {other} was {before:?}, is {color}"
            );
        }
        // Strategies in one plot have different hues, as long as there are hues left.
        let hues: Vec<usize> = contestants(document(&window).setup(), &window)
            .values()
            .map(|at| at % HUES)
            .collect();
        let distinct = hues.iter().collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!(distinct, hues.len().min(HUES), "{event}: {hues:?}");
        colors.insert(now, color);
    }

    // A restart, and the run of the test that is opened after it.
    let shown = document(&window)
        .last_run()
        .folder()
        .expect("a folder")
        .to_owned();
    let played = |window: &Window| {
        let plan = document(window)
            .last_run()
            .plan()
            .expect("a run")
            .contestants
            .clone();
        plan.iter()
            .map(|one| (one.strategy.label(), color(window, &one.strategy)))
            .collect::<BTreeMap<_, _>>()
    };
    let before = (here(&window), others(&window), played(&window));
    let mut window = restart(window, folder.path());
    assert_eq!(
        (here(&window), others(&window)),
        (before.0.clone(), before.1.clone()),
        "restart"
    );
    apply(
        &mut window,
        FileCommand::OpenFiles(vec![shown.join("manifest.json")]),
    );
    let is_shown = |window: &Window| {
        let folder = document(window).results().and_then(|run| run.folder());
        folder.and_then(Path::file_name) == shown.file_name()
    };
    until(&mut window, "the run", is_shown);
    assert_eq!(
        (here(&window), others(&window), played(&window)),
        before,
        "an opened run"
    );
}
