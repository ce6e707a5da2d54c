//! A rerun plays all games of the experiment, reusing those on disk.

use std::path::Path;

use afterstate::experiment::State;
use afterstate::game::Seed;
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy, StrategyEdit};
use afterstate::workbench::command::{
    ExperimentCommand, GameCommand, ReviewCommand, StrategyCommand, ViewCommand, Workspace,
};

use crate::common::{Window, apply, begin, document, open, until};

/// A strategy that searches, so that its games take time.
const SEARCHING: &str = "(name: \"searching\", criteria: [(evaluator: Empty, lookahead: Expectimax(plies: Fixed(2))), (evaluator: Snake)])";

/// The window with a reviewed game of a searching strategy, and an experiment with this number of its games; then a row
/// of the strategy is removed.
fn edited(folder: &Path, games: u64, plays: bool) -> Window {
    let mut window = open(folder);
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    let judge: Strategy = "(name: \"quick\", criteria: [(evaluator: Network(\"reference\"))])"
        .parse()
        .expect("a judge");
    apply(&mut window, StrategyCommand::Open(Box::new(judge)));
    apply(&mut window, ReviewCommand::JudgeByStrategy);
    let strategy: Strategy = SEARCHING.parse().expect("a strategy");
    apply(&mut window, ExperimentCommand::New);
    apply(
        &mut window,
        ExperimentCommand::Add(Box::new(strategy.clone())),
    );
    apply(&mut window, ExperimentCommand::SetSeed(7));
    apply(&mut window, ExperimentCommand::SetGames(games));
    if plays {
        apply(&mut window, ExperimentCommand::Run);
        assert!(ended(&window));
    }

    let player = Player::new(&strategy, document(&window).game().rules);
    let record = Box::new(GameTrace::record(
        &player,
        Seed(7),
        2,
        &strategy,
        SearchOptions::default(),
    ));
    apply(
        &mut window,
        GameCommand::PlayRecord(record, "a game".to_owned()),
    );
    apply(&mut window, GameCommand::First);
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());

    apply(&mut window, ReviewCommand::EditRule(Some(0)));
    apply(&mut window, StrategyEdit::RemoveRow(1));
    window
}

fn ended(window: &Window) -> bool {
    document(window)
        .results()
        .is_some_and(|run| run.state().is_some_and(State::has_ended))
}

#[test]
fn a_rerun_plays_the_games_of_the_experiment_however_long_they_take() {
    let folder = tempfile::tempdir().expect("a folder");
    // Hours of work.
    let mut window = edited(folder.path(), 100_000, false);
    begin(&mut window, ReviewCommand::Rerun);
    until(&mut window, "the rerun", |window| {
        document(window).results().is_some()
    });
    let plan = document(&window)
        .results()
        .and_then(|run| run.plan())
        .expect("a plan")
        .clone();
    assert_eq!(
        (plan.games, plan.seed, plan.contestants.len()),
        (100_000, 7, 2)
    );
    apply(&mut window, ExperimentCommand::StopNow);
    assert!(ended(&window));
}

#[test]
fn a_rerun_reads_the_games_that_are_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = edited(folder.path(), 4, true);
    apply(&mut window, ReviewCommand::Rerun);
    assert!(ended(&window));
    let run = document(&window).results().expect("it ran");
    let progress = run.progress().expect("it ran");
    assert_eq!(
        (
            run.plan().expect("a plan").games,
            progress.work.done,
            progress.read
        ),
        (4, 8, [0, 4])
    );
}
