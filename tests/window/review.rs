//! The Review panel: where a game was lost.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use afterstate::experiment::{Pair, State};
use afterstate::game::{Record, Rules, Seed};
use afterstate::practice::Book;
use afterstate::review::{
    Blame, ChanceGoal, ChanceQuestion, Decider, Judge, OwnPlay, Points, Review, ReviewFolder,
    Thresholds,
};
use afterstate::search::SearchOptions;
use afterstate::strategy::{GameTrace, Player, Strategy};
use afterstate::task::{CancelToken, Control};
use afterstate::words;
use afterstate::workbench::command::{
    Command, ExperimentCommand, GameCommand, Panel, PracticeCommand, ReviewCommand,
    StrategyCommand, ViewCommand, Workspace,
};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{
    Drive as _, Window, apply, begin, begin_all, begin_in, document, entry, open, open_as_it_is,
    until,
};

/// A judge that is fast enough for a test.
pub(crate) fn judge() -> Strategy {
    "(name: \"quick\", criteria: [(evaluator: Network(\"reference\"))])"
        .parse()
        .expect("a strategy")
}

fn game(window: &Window) -> Record {
    let (doc, strategy) = (
        document(window),
        "emr".parse::<Strategy>().expect("letters"),
    );
    let rules = doc.game().rules;
    GameTrace::record(
        &Player::new(&strategy, rules),
        Seed(7),
        2,
        &strategy,
        SearchOptions::default(),
    )
}

/// The window with a game of `emr` at its start, and the fast judge.
pub(crate) fn shown(folder: &Path) -> Window {
    let mut window = open(folder);
    let own = document(&window).current();
    apply(&mut window, ViewCommand::Workspace(Workspace::Experiment));
    apply(&mut window, StrategyCommand::Open(Box::new(judge())));
    apply(&mut window, ReviewCommand::JudgeByStrategy);
    apply(&mut window, StrategyCommand::Select(own));
    let record = Box::new(game(&window));
    apply(
        &mut window,
        GameCommand::PlayRecord(record, "a game".to_owned()),
    );
    apply(&mut window, GameCommand::First);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Review));
    window
}

#[test]
fn a_review_that_cannot_be_kept_is_shown_and_says_so_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    // A file blocks the folder of the reviews.
    std::fs::write(folder.path().join("reviews"), "").expect("written");
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());
    window.settle();
    let said: Vec<String> = window
        .state()
        .as_ref()
        .expect("open")
        .notices()
        .texts()
        .map(str::to_owned)
        .collect();
    assert_eq!(
        said.iter()
            .filter(|text| text.starts_with("The review was not saved: "))
            .count(),
        1,
        "{said:?}"
    );
}

#[test]
fn a_paused_review_resumes_by_the_button_of_its_panel() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    // A judge that takes seconds, so that it is still at work when it is paused.
    let slow =
        "(criteria: [(evaluator: Network(\"reference\"), lookahead: Expectimax(plies: Fixed(5)))])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(slow.parse().expect("a strategy"))),
    );
    begin_all(
        &mut window,
        [
            ReviewCommand::JudgeByStrategy.into(),
            ReviewCommand::Game.into(),
        ],
    );
    let review = |window: &Window| {
        document(window)
            .all_running()
            .into_iter()
            .find(|one| one.work.title == "Reviewing the game")
    };
    until(&mut window, "the work", |window| review(window).is_some());
    let hold = review(&window).expect("at work").hold;
    begin(&mut window, hold);
    assert!(review(&window).is_some_and(|one| one.is_paused));
    until(&mut window, "the button", |window| {
        window
            .query_by_role_and_label(Role::Button, "Resume")
            .is_some_and(|button| !button.accesskit_node().is_disabled())
    });

    window.get_by_role_and_label(Role::Button, "Resume").click();
    until(&mut window, "the rest", |window| {
        review(window).is_none_or(|one| !one.is_paused)
    });
    apply(&mut window, ReviewCommand::Stop);
}

/// The names of table rows, top down.
fn rows_of(window: &Window) -> Vec<String> {
    let rows = window.query_all_by_role(Role::Row);
    let mut rows: Vec<(f32, String)> = rows
        .filter_map(|row| Some((row.rect().top(), row.accesskit_node().label()?)))
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, name)| name).collect()
}

/// Files of reviews below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    entries
        .flat_map(|path| {
            let is_one = path.extension().is_some_and(|ending| ending == "review");
            if path.is_dir() {
                files(&path)
            } else {
                Vec::from_iter(is_one.then_some(path))
            }
        })
        .collect()
}

#[test]
fn a_game_is_reviewed_its_mistakes_are_walked_and_its_thresholds_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    window.press(ReviewCommand::Game);
    assert!(document(&window).review().is_some());

    // The engine gives the same result.
    let record = game(&window);
    let mut plain = Review::new(
        record.clone(),
        Arc::new(Judge::of(&judge(), record.rules).expect("a judge")),
    );
    plain.deepen_mistakes(&CancelToken::new()).expect("a value");
    plain
        .go_on(None, 1, &Control::default(), &mut |_| {})
        .expect("values");
    let shown = document(&window).review().expect("reviewed").clone();
    assert_eq!(shown.review.totals(), plain.totals());
    let report = shown.report.as_ref().expect("every position");
    let totals = report.totals;
    // The menu of the panel has the sum, in whole points.
    window.click("Menu of Review");
    window.click_at(entry(&window, "Score as luck and loss").rect().center());
    for (points, what) in [
        (
            totals.start_score + totals.start_value,
            "expected at the start",
        ),
        (totals.final_score, "final score"),
    ] {
        let line = format!("{} {what}", words::decimals(points.to_f64(), 0));
        assert!(window.query_by_label_contains(&line).is_some(), "{line}");
    }

    assert!(
        window
            .query_by_label_contains("the exact parts add up to the score")
            .is_some()
    );
    window.press_key(egui::Key::Escape);
    window.press_key(egui::Key::Escape);
    // N goes through the mistakes in order, Shift N back.
    let mistakes: Vec<usize> = (1..plain.moves())
        .filter(|&index| report.thresholds.mistake <= plain.loss(index).expect("judged"))
        .collect();

    assert!(2 < mistakes.len(), "{mistakes:?}");
    window.click_part("Lanes of the game");
    apply(&mut window, GameCommand::First);
    for &mistake in &mistakes[..3] {
        window.press_key(egui::Key::N);
        assert_eq!(document(&window).place(), mistake);
    }

    window.press_keys(egui::Modifiers::SHIFT, egui::Key::N);
    assert_eq!(document(&window).place(), mistakes[1]);
    // A click on the worst move puts it on the board.
    let worst = report.worst[0].verdict;
    apply(&mut window, ViewCommand::ShowPanel(Panel::Worst));
    window.click_part(&format!(
        "Move {}: {} instead of",
        worst.index + 1,
        worst.mv
    ));
    assert_eq!(
        (document(&window).place(), document(&window).board()),
        (worst.index, worst.before.board)
    );
    // Other thresholds classify the same losses differently.
    let thresholds = Thresholds {
        mistake: worst.loss,
        blunder: worst.loss + Points::whole(1),
        ..report.thresholds
    };
    apply(&mut window, ReviewCommand::Thresholds(thresholds));
    let classes = document(&window)
        .review()
        .expect("reviewed")
        .report
        .as_ref()
        .expect("every position")
        .classes;
    assert_eq!(classes.of(afterstate::review::Class::Blunder), 0);
    assert!(
        classes.of(afterstate::review::Class::Mistake)
            < report.classes.of(afterstate::review::Class::Mistake)
    );
    // Its tree and its row are one press away.
    apply(&mut window, ReviewCommand::ShowTree(Some(worst.index)));
    assert_eq!(document(&window).place(), worst.index);
    apply(&mut window, ReviewCommand::ShowRule(Some(worst.index)));
    // Another line has no review, and says so.
    apply(&mut window, GameCommand::New);
    assert!(document(&window).review().is_none());
    assert!(
        document(&window)
            .can(&ReviewCommand::NextMistake.into())
            .is_err()
    );
}

#[test]
fn what_was_judged_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let review = |window: &mut Window| {
        apply(window, ReviewCommand::Game);
        assert!(document(window).review().is_some());
        document(window).review().expect("reviewed").review.totals()
    };

    let mut window = shown(folder.path());
    let before = review(&mut window);
    drop(window);
    let saved = files(folder.path());
    assert_eq!(saved.len(), 1, "{saved:?}");
    let bytes = std::fs::read(&saved[0]).expect("a file");
    let mut window = shown(folder.path());
    assert_eq!(review(&mut window), before);
    assert_eq!(std::fs::read(&saved[0]).expect("a file"), bytes);
    assert!(document(&window).can(&ReviewCommand::Stop.into()).is_err());

    // A strategy whose values are not points is refused in one sentence. The session may have been kept with another one.
    apply(
        &mut window,
        StrategyCommand::Open(Box::new("emr".parse().expect("letters"))),
    );
    let refused = document(&window)
        .can(&ReviewCommand::JudgeByStrategy.into())
        .expect_err("emr is no judge");
    assert!(refused.contains("cannot judge"), "{refused}");
}

#[test]
fn the_strategy_that_played_says_which_row_decided_whichever_is_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let other = "(name: \"other\", criteria: [(evaluator: Snake), (evaluator: Smoothness)])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(other.parse().expect("a strategy"))),
    );
    apply(&mut window, ReviewCommand::Game);
    let done = |window: &Window| {
        document(window).review().is_some() && !document(window).reviewing().is_working()
    };
    assert!(done(&window));

    // As in the engine: the strategy named in the record decides.
    let record = game(&window);
    let player = Decider::of_record(&record).expect("emr");
    let shown = document(&window).review().expect("reviewed").clone();
    let report = shown.report.as_ref().expect("every position");
    for one in &report.worst {
        let fallen = player
            .fallen(&one.verdict.before, one.verdict.mv, &CancelToken::new())
            .expect("it is not stopped");
        let blame = fallen.blame(one.verdict.mv, one.verdict.best);
        assert_eq!(one.blame, Some(blame));
        assert_ne!(blame, Blame::Another, "emr has played it");
    }

    let first = report.by_rule.first().expect("it lost something");
    apply(&mut window, ViewCommand::ShowPanel(Panel::Worst));
    assert!(
        window
            .query_by_label_contains(&format!("{} decided", player.name(first.blame)))
            .is_some()
    );
    assert!(window.query_by_label_contains("Snake decided").is_none());
    // Its row belongs to the strategy that played.
    apply(
        &mut window,
        ReviewCommand::ShowRule(Some(report.worst[0].verdict.index)),
    );
    assert_eq!(document(&window).strategy().label(), "emr");
    // A game played by the user has no deciding row.
    apply(&mut window, GameCommand::New);
    for _ in 0..3 {
        let mv = document(&window)
            .board()
            .legal_moves()
            .first()
            .expect("a move");
        apply(&mut window, GameCommand::Slide(mv));
    }

    apply(&mut window, ReviewCommand::Game);
    assert!(done(&window));
    assert!(
        window
            .query_by_label_contains("The record names no strategy")
            .is_some()
    );
    let refused = document(&window)
        .can(&ReviewCommand::ShowRule(Some(0)).into())
        .expect_err("there is no strategy to ask");
    assert!(refused.contains("unknown"), "{refused}");
    assert!(
        !document(&window)
            .tree()
            .record(document(&window).cursor())
            .to_string()
            .contains("strategy:")
    );
}

#[test]
fn reviews_of_a_run_are_kept_with_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(
        &mut window,
        ExperimentCommand::Add(Box::new("er".parse().expect("letters"))),
    );
    apply(&mut window, ExperimentCommand::SetGames(3));
    apply(&mut window, ExperimentCommand::Run);
    assert!(
        document(&window)
            .results()
            .is_some_and(|run| run.state().is_some_and(State::has_ended))
    );

    // In one step from the list, whatever is on the board.
    apply(&mut window, GameCommand::New);
    apply(&mut window, ReviewCommand::GameOfRun(0, 1));
    assert_eq!(document(&window).game().index, 1);
    assert!(document(&window).review().is_some());

    let run = document(&window)
        .results()
        .and_then(|run| run.folder())
        .expect("runs are kept")
        .to_owned();
    let saved = files(folder.path());
    assert_eq!(saved.len(), 1, "{saved:?}");
    assert!(saved[0].starts_with(&run), "{saved:?} is not in {run:?}");
    // The worst move is put on the board automatically.
    let worst = document(&window)
        .review()
        .expect("reviewed")
        .report
        .as_ref()
        .expect("every position")
        .worst[0]
        .verdict;
    assert_eq!(document(&window).place(), worst.index);
    let review = &document(&window).review().expect("reviewed").review;
    let beside = ReviewFolder::of_games(Some(&run), None).expect("a folder of a run");
    assert_eq!(beside.path_of(review), saved[0]);
    // A deleted run gets no reviews.
    assert_eq!(ReviewFolder::of_games(Some(&run.join("none")), None), None);
}

#[test]
fn losses_stand_on_the_board_and_the_way_goes_on_from_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());
    let shown = document(&window).review().expect("reviewed").clone();
    let worst = shown.report.as_ref().expect("every position").worst[0].verdict;
    let node = document(&window).line()[worst.index];
    apply(&mut window, GameCommand::GoTo(node));

    // An arrow for each legal move, with the judge's loss.
    for mv in worst.before.board.legal_moves() {
        let loss = worst.look.loss(mv).expect("legal");
        let said = if loss == Points::ZERO {
            "judged best".to_owned()
        } else {
            format!("{mv}: loses ")
        };
        assert!(window.query_by_label_contains(&said).is_some(), "{said}");
    }

    // The sentence names the move, and after a deeper search a tile.
    let sentence = format!("Move {}: {} loses ", worst.index + 1, worst.mv);
    assert!(
        window.query_by_label_contains(&sentence).is_some(),
        "{sentence}"
    );

    // Without arrows there are no labels.
    apply(&mut window, ReviewCommand::Arrows);
    assert!(window.query_by_label_contains("judged best").is_none());
    apply(&mut window, ReviewCommand::Arrows);
    // A click plays the best move, as a branch.
    let label = format!("{}: judged best", worst.best);
    window.click_part(&label);
    assert_eq!(
        document(&window).node().step.map(|step| step.mv),
        Some(worst.best)
    );
    apply(&mut window, GameCommand::GoTo(node));
    let end = *shown.review.moments().last().expect("a board");
    let line = document(&window).tree().line_through(node);
    assert!(
        line.len() < shown.review.moments().len()
            || document(&window).tree().node(line[line.len() - 1]).board != end.board
    );
}

#[test]
fn the_row_that_decided_is_edited_and_the_same_seeds_are_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());
    let worst = document(&window)
        .review()
        .expect("reviewed")
        .report
        .as_ref()
        .expect("every position")
        .worst[0]
        .verdict;
    // Without a change there is nothing to rerun.
    apply(&mut window, ReviewCommand::EditRule(Some(worst.index)));
    assert_eq!(document(&window).strategy().label(), "emr");
    let refused = document(&window)
        .can(&ReviewCommand::Rerun.into())
        .expect_err("the same strategy");
    assert!(refused.contains("edit a row"), "{refused}");
    apply(
        &mut window,
        afterstate::strategy::StrategyEdit::RemoveRow(0),
    );
    apply(&mut window, ViewCommand::Workspace(Workspace::Build));
    apply(&mut window, ReviewCommand::Rerun);
    assert!(
        document(&window)
            .results()
            .is_some_and(|run| run.state().is_some_and(State::has_ended))
    );

    assert!(
        window
            .query_by_role_and_label(Role::Pane, "Last rerun")
            .is_some(),
        "its result is in front"
    );
    let plan = document(&window)
        .results()
        .and_then(|run| run.plan())
        .expect("it ran")
        .clone();
    assert_eq!(
        (plan.seed, plan.contestants.len()),
        (7, 2),
        "the seed of the game"
    );
    assert!(2 < plan.games, "the game is among them");

    // The panel shows the result like the games do, and the rerun of the reviewed game.
    let run = document(&window).rerun().expect("a rerun").1;
    let games = run.run.as_ref().expect("played").games();
    let mut pair = Pair::default();
    while games.follow([0, 1], &mut pair, u64::MAX) {}
    let difference = words::signed(pair.difference().expect("games"), 0);
    let [after, before] =
        [0, 1].map(|place| words::count(games.game(place, 2).expect("played").score.into()));
    assert!(window.query_by_label(&difference).is_some(), "{difference}");
    assert!(
        window
            .query_by_label(&format!("Game 2: {before} → {after}"))
            .is_some()
    );
    // One undo takes back the experiment and the edit; the result stays on screen.
    let seed = document(&window).setup().seed;
    let edited = document(&window).strategy().label();
    apply(&mut window, Command::Undo);
    assert_eq!(document(&window).strategy().label(), "emr");
    assert_ne!(document(&window).setup().seed, seed);
    assert!(window.query_by_label(&difference).is_some());
    apply(&mut window, Command::Redo);
    assert_eq!(
        (
            document(&window).setup().seed,
            document(&window).strategy().label()
        ),
        (seed, edited)
    );
    apply(&mut window, Command::Undo);
    assert!(window.query_by_label(&difference).is_some());
}

#[test]
fn a_note_on_a_move_is_typed_marked_in_the_list_and_saved_with_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Review));
    let field = |window: &Window| {
        window
            .query_by_role_and_label(Role::TextInput, "Note on move 3")
            .is_some()
    };
    let third = document(&window).line()[2];
    assert!(!field(&window), "no field without a note");

    apply(&mut window, GameCommand::EditNote(Some(third)));
    assert_eq!((document(&window).cursor(), field(&window)), (third, true));
    window.event(egui::Event::Text("why not down".to_owned()));
    window.settle();
    assert_eq!(
        document(&window)
            .tree()
            .note(third)
            .map(ToString::to_string)
            .as_deref(),
        Some("why not down")
    );
    assert!(
        rows_of(&window)
            .iter()
            .any(|row| row.starts_with("Move 3,") && row.ends_with(", note: why not down"))
    );

    // The record, and what is opened again.
    let record = document(&window).tree().record(third);
    assert_eq!(
        record.notes.get(&2).map(String::as_str),
        Some("why not down")
    );
    assert!(format!("{:?}", document(&window).session()).contains("why not down"));
    apply(&mut window, GameCommand::First);
    assert!(!field(&window));
    apply(&mut window, GameCommand::SetNote(third, String::new()));
    assert!(document(&window).tree().note(third).is_none());
    assert!(rows_of(&window).iter().all(|row| !row.contains("note:")));
}

#[test]
fn the_moves_of_a_game_are_listed_with_what_each_lost_and_branches_beside_the_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Review));
    let listed = |window: &Window| -> Vec<String> {
        rows_of(window)
            .into_iter()
            .filter(|name| name.starts_with("Move "))
            .collect()
    };
    assert!(
        listed(&window)
            .iter()
            .all(|name| name.ends_with(", not judged")),
        "{:?}",
        listed(&window)
    );
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());

    apply(&mut window, GameCommand::First);
    let review = document(&window).review().expect("reviewed").review.clone();
    let names = listed(&window);
    assert!(4 < names.len());
    for (index, name) in names.iter().enumerate() {
        let verdict = review.verdict(index).expect("judged");
        let loss = match verdict.loss {
            Points::ZERO => "best".to_owned(),
            loss => format!("loses {}", words::value(loss.to_f64())),
        };
        let begins = format!(
            "Move {}, {}, then {}, {loss}",
            index + 1,
            verdict.mv,
            verdict.spawn
        );
        assert!(name.starts_with(&begins), "{name}: {begins}");
    }

    // A click shows the board before the move.
    window.click(&names[3]);
    assert_eq!(document(&window).place(), 3);

    // Another move there is a branch of the list; a click enters it.
    let other = document(&window)
        .board()
        .legal_moves()
        .into_iter()
        .find(|&mv| mv != review.record().steps[3].mv);
    let line = document(&window).line().to_vec();
    apply(&mut window, GameCommand::Slide(other.expect("a choice")));
    let branch = document(&window).cursor();
    apply(
        &mut window,
        GameCommand::GoTo(*line.last().expect("an end")),
    );
    apply(&mut window, GameCommand::GoTo(line[3]));
    let name = listed(&window)
        .into_iter()
        .find(|name| name.ends_with(", branch"))
        .expect("a branch");
    assert!(
        name.starts_with(&format!("Move 4, {}", other.expect("a choice"))),
        "{name}"
    );
    window.click(&name);
    assert_eq!(document(&window).cursor(), branch);
}

#[test]
fn the_judge_says_how_far_it_is_in_every_width_and_a_click_goes_to_the_worst_move() {
    fn is_whole(shape: &egui::Shape, text: &str) -> bool {
        match shape {
            egui::Shape::Vec(inner) => inner.iter().any(|shape| is_whole(shape, text)),
            egui::Shape::Text(shown) => shown.galley.text() == text && !shown.galley.elided,
            _ => false,
        }
    }

    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ReviewCommand::Game);
    until(&mut window, "the review", |window| {
        document(window)
            .review()
            .is_some_and(|reviewed| reviewed.is_whole)
    });
    let review = document(&window).review().expect("reviewed").clone();
    let text = format!(
        "· all {} moves judged",
        words::count(review.review.moves() as u64)
    );
    let worst = review.report.as_ref().expect("every position").worst[0]
        .verdict
        .index;

    for size in [[1024.0, 700.0], [1280.0, 800.0], [1600.0, 1000.0]] {
        window.set_size(size.into());
        apply(&mut window, ViewCommand::Workspace(Workspace::Overview));
        apply(&mut window, ViewCommand::Workspace(Workspace::Review));
        window.settle();
        let shapes = &window.output().shapes;
        assert!(
            shapes.iter().any(|clipped| is_whole(&clipped.shape, &text)),
            "{text} at {size:?}"
        );
    }

    // The timeline needs the height of a large window.
    apply(&mut window, ViewCommand::Workspace(Workspace::Overview));
    apply(&mut window, GameCommand::First);
    window
        .get_by_label(&format!(
            "Go to the worst move, {}",
            words::count(worst as u64 + 1)
        ))
        .click();
    window.settle();
    assert_eq!(document(&window).place(), worst);
}

#[test]
fn losses_are_hidden_while_a_move_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ViewCommand::Workspace(Workspace::Review));
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());

    apply(&mut window, GameCommand::First);
    let losses = |window: &Window| {
        rows_of(window)
            .iter()
            .filter(|name| name.contains(", loses "))
            .count()
    };
    assert!(
        0 < losses(&window)
            && window
                .query_by_label_contains("Lanes of the game")
                .is_some()
    );
    apply(&mut window, PracticeCommand::Game);
    assert_eq!(losses(&window), 0);
    assert!(
        window
            .query_by_label_contains("Lanes of the game")
            .is_none()
    );
    let question = document(&window)
        .practising()
        .session()
        .and_then(|session| session.question())
        .expect("a question")
        .clone();
    for panel in [
        Panel::Worst,
        Panel::JudgeTree,
        Panel::ReviewedGames,
        Panel::SecondOpinion,
        Panel::Survival,
    ] {
        apply(&mut window, ViewCommand::ShowPanel(panel));
        assert!(
            0 < window
                .query_all_by_label_contains("Hidden until you choose a move")
                .count(),
            "{panel:?}"
        );
    }

    for command in [
        ReviewCommand::NextMistake,
        ReviewCommand::ShowRule(None),
        ReviewCommand::ShowTree(None),
    ] {
        assert!(
            document(&window)
                .can(&command.into())
                .expect_err("it would tell")
                .contains("Practice asks for a move")
        );
    }

    apply(&mut window, PracticeCommand::Guess(question.moves()[0]));
    assert_eq!(losses(&window), 0, "they would tell the next answers");
    assert!(
        window
            .query_all_by_label_contains("judged best")
            .next()
            .is_some(),
        "this answer is given"
    );
    // Other games are not hidden, nor is this one after the practice.
    apply(&mut window, PracticeCommand::Next);
    assert!(document(&window).hides_losses());
    apply(&mut window, GameCommand::New);
    assert!(!document(&window).hides_losses());
    apply(&mut window, GameCommand::PreviousGame);
    assert!(document(&window).hides_losses());
    apply(&mut window, PracticeCommand::End);
    assert!(
        !document(&window).hides_losses()
            && document(&window).can(&PracticeCommand::End.into()).is_err()
    );
    window.settle();
    assert!(0 < losses(&window));
}

#[test]
fn the_strategy_that_played_judges_its_own_moves_where_it_is_weak() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ReviewCommand::Game);
    let done = |window: &Window| {
        document(window).review().is_some() && !document(window).reviewing().is_working()
    };
    assert!(done(&window));

    // The chosen judge judges alone; the player judges on request.
    assert!(!document(&window).judges_by_player());
    apply(&mut window, ReviewCommand::JudgeByPlayer);
    let worst = document(&window)
        .review()
        .expect("reviewed")
        .report
        .as_ref()
        .expect("every position")
        .worst[0]
        .verdict;
    let node = document(&window).line()[worst.index];
    apply(&mut window, GameCommand::GoTo(node));
    assert!(
        document(&window)
            .review()
            .expect("reviewed")
            .review
            .has_own_play(worst.index)
    );

    // As in the engine.
    let record = game(&window);
    let player = Decider::of_record(&record).expect("emr");
    let moves = [worst.mv, worst.best];
    let plain = OwnPlay::ask(
        &player,
        &worst.before,
        moves,
        record.rules,
        &CancelToken::new(),
    );
    let plain = plain.expect("it moves").expect("not stopped");
    assert_eq!(document(&window).own_play(worst.index), Some(&plain));
    assert!(plain.games() <= OwnPlay::MOST && 50 <= plain.games());
    let said = afterstate::prose::review::own_play("emr", worst.mv, &plain);
    assert!(window.query_by_label(&said).is_some(), "{said}");
    // It is saved and read again.
    let of_worst = |window: &Window| {
        document(window)
            .review()
            .expect("reviewed")
            .review
            .own_play(worst.index)
            .cloned()
    };
    assert!(!document(&window).plays_own());
    assert_eq!(of_worst(&window), Some(plain.clone()));
    drop(window);
    let mut window = shown(folder.path());
    apply(&mut window, ReviewCommand::Game);
    assert!(done(&window));
    assert_eq!(of_worst(&window), Some(plain));
}

#[test]
fn a_game_on_the_board_is_judged_in_the_background_and_shown_at_once_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = begin_in(None, folder.path(), [1600.0, 1000.0], Vec::new());
    assert!(document(&window).judges_in_background());
    begin(&mut window, ExperimentCommand::StopNow);
    short_game(&mut window);
    let place = document(&window).place();
    let judged = |window: &Window| {
        document(window)
            .review()
            .is_some_and(|reviewed| reviewed.report.is_some())
    };
    until(&mut window, "its review", |window| {
        judged(window) && !document(window).reviewing().is_working()
    });
    assert_eq!(
        document(&window).place(),
        place,
        "the board stays where it was"
    );
    assert!(document(&window).review().expect("reviewed").is_whole);
    let totals = document(&window)
        .review()
        .expect("reviewed")
        .review
        .totals()
        .expect("judged");
    assert!(window.query_by_label_contains("Timeline").is_some());

    // Turned off, and remembered; existing reviews are read.
    apply(&mut window, ReviewCommand::InBackground);
    assert!(!document(&window).judges_in_background());
    let ctx = window.ctx.clone();
    window.state_mut().as_mut().expect("open").close(&ctx);
    drop(window);
    let mut window = open_as_it_is(folder.path(), [1600.0, 1000.0], Vec::new());
    assert!(!document(&window).judges_in_background());
    until(&mut window, "the review that was kept", judged);
    assert_eq!(
        document(&window)
            .review()
            .expect("reviewed")
            .review
            .totals(),
        Ok(totals)
    );
    // A line without a review stays so.
    apply(&mut window, GameCommand::New);
    let mv = document(&window)
        .board()
        .legal_moves()
        .first()
        .expect("a move");
    apply(&mut window, GameCommand::Slide(mv));
    assert!(!judged(&window));
    // Turned on again it is judged, although its review was looked up before.
    begin(&mut window, ReviewCommand::InBackground);
    until(&mut window, "its review", judged);
}

/// Puts a short finished game on the board.
fn short_game(window: &mut Window) {
    let strategy: Strategy = "emr".parse().expect("letters");
    let start = "2,4,8,16/32,64,128,256/2,4,8,16/32,64,4,4"
        .parse()
        .expect("a board");
    let rules = Rules {
        start: Some(start),
        ..document(window).game().rules
    };
    let record = GameTrace::record(
        &Player::new(&strategy, rules),
        Seed(7),
        2,
        &strategy,
        SearchOptions::default(),
    );
    assert!(
        (1..60).contains(&record.steps.len()),
        "{}",
        record.steps.len()
    );
    let record = Box::new(record);
    begin(
        window,
        GameCommand::PlayRecord(record, "a short game".to_owned()),
    );
    begin(window, GameCommand::First);
}

#[test]
fn the_background_judge_waits_for_an_experiment_and_hears_of_another_judge() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    begin(&mut window, ReviewCommand::InBackground);
    // During a run nothing is judged …
    begin(&mut window, ExperimentCommand::SetGames(1_000_000));
    begin(&mut window, ExperimentCommand::Run);
    short_game(&mut window);
    let games = |window: &Window| {
        document(window)
            .last_run()
            .progress()
            .map_or(0, |progress| progress.work.done)
    };
    let before = games(&window);
    until(&mut window, "many more games", |window| {
        before + 500 < games(window)
    });
    assert!(document(&window).last_run().is_busy());
    let judged = document(&window)
        .review()
        .map(|reviewed| (reviewed.work.clone(), reviewed.review.moves()));
    assert_eq!(judged, None);

    // … but during its pause.
    apply(&mut window, ExperimentCommand::Pause);
    let judged = |window: &Window| {
        document(window)
            .review()
            .is_some_and(|reviewed| reviewed.is_whole)
    };
    until(&mut window, "its review", judged);
    let by = |window: &Window| {
        document(window)
            .review()
            .expect("reviewed")
            .review
            .judge()
            .strategy()
            .label()
    };
    assert_eq!(by(&window), "quick");
    apply(&mut window, ExperimentCommand::StopNow);
    // After a change of the judge, the old review does not count.
    begin_all(&mut window, [ReviewCommand::JudgeAsUsual.into()]);
    assert!(document(&window).review().is_none() || by(&window) == "Reference");
    until(&mut window, "the review by the usual judge", judged);
    assert_eq!(by(&window), "Reference");
    assert!(
        document(&window)
            .can(&ReviewCommand::JudgeAsUsual.into())
            .is_err()
    );
}

#[test]
fn the_games_of_a_run_are_reviewed_held_and_lead_to_their_worst_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    for letters in ["er", "r"] {
        apply(
            &mut window,
            ExperimentCommand::Add(Box::new(letters.parse().expect("letters"))),
        );
    }

    apply(&mut window, ExperimentCommand::SetGames(4));
    apply(&mut window, ExperimentCommand::Run);
    assert!(
        document(&window)
            .results()
            .is_some_and(|run| run.state().is_some_and(State::has_ended))
    );

    // In one frame: later the games may be judged already.
    let review = ReviewCommand::Games {
        places: vec![0, 1],
        games: vec![3, 1],
    };
    begin_all(
        &mut window,
        [review.into(), ReviewCommand::HoldGames.into()],
    );
    assert!(document(&window).more_reviews().is_paused());
    apply(&mut window, ReviewCommand::HoldGames);
    assert!(!document(&window).more_reviews().reviews_games());
    let games = document(&window)
        .more_reviews()
        .games()
        .expect("reviewed")
        .clone();
    assert_eq!(
        ([games.work.done, games.work.total], games.without_moves),
        ([4, 4], 0)
    );
    let titles: Vec<&str> = games
        .several
        .games
        .iter()
        .map(|game| game.title.as_str())
        .collect();
    let arms = document(&window)
        .results()
        .expect("a run")
        .arms()
        .map(|arm| arm.strategy.label());
    let names: Vec<String> = arms.take(2).collect();
    let expected = [3, 1].map(|game| {
        names
            .iter()
            .map(|name| format!("{name}, game {game}"))
            .collect::<Vec<_>>()
    });
    assert_eq!(titles, expected.concat());
    assert!(window.query_by_label_contains("Means per game").is_some());
    assert!(
        window
            .query_by_label_contains("Shares of moves by loss")
            .is_some(),
        "the losses as a plot"
    );
    // Their mistakes form a book.
    window.press(PracticeCommand::CollectGames);
    let book = Book::read(&folder.path().join("practice.ron")).expect("a book");
    assert!(games.several.worst.iter().take(5).all(|one| {
        book.positions
            .iter()
            .any(|book| book.question.board == one.verdict().before.board)
    }));

    // A strategy is compared with both over all of these games: pause, resume, and open a board.
    let other = "(name: \"other\", criteria: [(evaluator: Snake)])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(other.parse().expect("a strategy"))),
    );
    begin_all(
        &mut window,
        [
            ReviewCommand::MindsOfGames.into(),
            ReviewCommand::HoldMinds.into(),
        ],
    );
    assert!(document(&window).more_reviews().are_minds_paused());
    apply(&mut window, ReviewCommand::HoldMinds);
    assert!(!document(&window).more_reviews().asks_minds());
    let minds = document(&window).minds().expect("asked").clone();
    assert_eq!(
        ([minds.work.done, minds.work.total], minds.pairs.len()),
        ([4, 4], 2)
    );
    for (place, pair) in minds.pairs.iter().enumerate() {
        assert_eq!((pair.minds.games, pair.title(0)), (2, titles[place]));
    }
    let widest = minds.pairs[0].minds.widest[0];
    let name = format!(
        "{}, move {}: ",
        minds.pairs[0].title(widest.game),
        widest.index + 1
    );
    window.click_part(&name);
    assert_eq!(
        (document(&window).place(), document(&window).board()),
        (widest.index, widest.before.board)
    );
    assert!(document(&window).review().is_some());
    apply(&mut window, ViewCommand::ShowPanel(Panel::ReviewedGames));
    // A press on a board goes to that move, and its review is ready: it was saved with the run.
    let one = games.several.worst[0];
    let name = format!("{}, move {}: ", titles[one.game], one.verdict().index + 1);
    assert!(window.query_by_label_contains(&name).is_some(), "{name}");
    apply(&mut window, ReviewCommand::ShowWorst(0));
    assert_eq!(
        (document(&window).place(), document(&window).board()),
        (one.verdict().index, one.verdict().before.board)
    );
    assert!(document(&window).review().is_some());

    assert_eq!(
        document(&window)
            .review()
            .expect("reviewed")
            .review
            .loss(one.verdict().index),
        Some(one.verdict().loss)
    );
}

#[test]
fn moves_are_classed_by_the_chance_to_survive_too_and_a_line_sets_the_threshold() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let done = |window: &Window| {
        document(window).review().is_some() && !document(window).reviewing().is_working()
    };
    apply(&mut window, ReviewCommand::Game);
    assert!(done(&window));
    let before = document(&window)
        .review()
        .expect("reviewed")
        .report
        .clone()
        .expect("every position");
    assert_eq!(before.played_on[0], 0);
    let question = ChanceQuestion {
        goal: ChanceGoal::Survive,
        moves: 10,
        playouts: 20,
    };
    apply(&mut window, ReviewCommand::Chance(Some(question)));
    assert!(done(&window));
    let reviewed = document(&window).review().expect("reviewed").clone();
    let report = reviewed.report.as_ref().expect("every position");
    assert_eq!(
        report.thresholds,
        Thresholds {
            chance: report.thresholds.chance,
            ..before.thresholds
        }
    );
    assert_eq!(
        report.thresholds.chance.map(|chance| chance.question),
        Some(question)
    );
    assert!(0 < report.played_on[0] && report.played_on[0] <= report.played_on[1]);
    apply(&mut window, ViewCommand::ShowPanel(Panel::Worst));
    assert!(
        window
            .query_by_label_contains("The judge played out ")
            .is_some()
    );
    apply(&mut window, ViewCommand::ShowPanel(Panel::Review));

    // At a classified move, the sentence says how many games survived.
    let index = (0..reviewed.review.moves())
        .find(|&index| reviewed.review.chance_at(index, &question).is_some());
    let node = document(&window).line()[index.expect("a move")];
    apply(&mut window, GameCommand::GoTo(node));
    assert!(
        window
            .query_by_label_contains("Of 20 games each on the same tiles")
            .is_some()
    );

    // By points only, by another chance, and back: known answers are not computed again.
    apply(&mut window, ReviewCommand::Chance(None));
    let report = document(&window)
        .review()
        .expect("reviewed")
        .report
        .clone()
        .expect("every position");
    assert_eq!((report.classes, report.played_on[0]), (before.classes, 0));
    let classes = reviewed.report.as_ref().expect("every position").classes;
    let other = ChanceQuestion {
        moves: 2,
        ..question
    };
    apply(&mut window, ReviewCommand::Chance(Some(other)));
    assert!(done(&window));
    begin_all(&mut window, [ReviewCommand::Chance(Some(question)).into()]);
    assert!(!document(&window).reviewing().is_working());
    let back = document(&window)
        .review()
        .expect("reviewed")
        .report
        .clone()
        .expect("every position");
    assert_eq!(
        (
            back.classes,
            back.thresholds.chance.map(|chance| chance.question)
        ),
        (classes, Some(question))
    );
    apply(&mut window, ReviewCommand::Chance(None));

    // The line across the losses shows its threshold, and can be dragged.
    let name = format!(
        "A mistake loses {} points or more",
        words::value(report.thresholds.mistake.to_f64())
    );
    let line = window.get_by_label(&name).rect();
    window.drag_at(line.center());
    window.settle();
    for step in [-4.0, -8.0, -12.0] {
        window.hover_at(line.center() + egui::vec2(0.0, step));
        window.step();
    }

    window.drop_at(line.center() + egui::vec2(0.0, -12.0));
    window.settle();
    let set = document(&window).thresholds().expect("reviewed");
    assert!(
        report.thresholds.mistake < set.mistake,
        "{} and {}",
        report.thresholds.mistake,
        set.mistake
    );
}

#[test]
fn two_minds_and_the_chance_to_die_are_asked_of_the_game_on_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());

    let other = "(name: \"other\", criteria: [(evaluator: Snake)])";
    apply(
        &mut window,
        StrategyCommand::Open(Box::new(other.parse().expect("a strategy"))),
    );
    apply(&mut window, ReviewCommand::Minds);
    let minds = document(&window).minds().expect("asked").pairs[0]
        .minds
        .clone();
    assert!(0 < minds.disagreed);
    assert!(
        window
            .query_by_label_contains("They play different moves at")
            .is_some()
    );
    let widest = minds.widest[0];
    window.click_part(&format!("Move {}: ", widest.index + 1));
    assert_eq!(document(&window).place(), widest.index);
    // Early positions are shown while others are being played.
    begin(&mut window, ReviewCommand::Death);
    until(&mut window, "the playouts", |window| {
        document(window).death().is_some()
    });

    let death = document(&window).death().expect("asked").death.clone();
    assert!(!death.at.is_empty() && death.at[0].index == 0);
    assert!(
        window
            .query_by_label_contains("Risk of losing within 50 moves along the game")
            .is_some()
    );
}
