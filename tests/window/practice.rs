//! Practice: moves are chosen before the answer is shown, and mistakes come again.

use afterstate::game::Move;
use afterstate::practice::{Book, Question};
use afterstate::prose;
use afterstate::review::Points;
use afterstate::workbench::command::{
    ExperimentCommand, GameCommand, Panel, PracticeCommand, ReviewCommand,
};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::common::{Drive as _, Window, apply, document};
use crate::review::shown;

fn asked(window: &Window) -> Question {
    document(window)
        .practising()
        .session()
        .expect("a session")
        .question()
        .expect("a question")
        .clone()
}

fn by_loss(question: &Question) -> Vec<Move> {
    let mut moves = question.moves();
    moves.sort_by_key(|&mv| question.loss(mv));
    moves
}

const fn key(mv: Move) -> egui::Key {
    [egui::Key::W, egui::Key::S, egui::Key::A, egui::Key::D][mv.index()]
}

#[test]
fn a_reviewed_game_is_predicted_and_its_mistakes_come_again_from_the_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    assert!(
        document(&window)
            .can(&PracticeCommand::Game.into())
            .is_err(),
        "it is not judged"
    );
    apply(&mut window, ReviewCommand::Game);
    assert!(document(&window).review().is_some());

    apply(&mut window, GameCommand::First);
    apply(&mut window, PracticeCommand::Game);
    let announces = |window: &Window, text: &str| {
        window.query_all_by_role(Role::Status).any(|node| {
            node.accesskit_node()
                .label()
                .is_some_and(|label| label.contains(text))
        })
    };
    assert!(
        announces(&window, "Question 1 of "),
        "a screen reader hears of the question"
    );

    // A click: the move with the largest loss.
    let question = asked(&window);
    assert!(
        window
            .query_by_label(&format!("Position to answer: {}", question.board))
            .is_some()
    );
    assert!(
        window.query_by_label_contains("Loss by").is_none(),
        "the answer is not shown before"
    );
    assert_eq!(question.board, document(&window).board());
    assert!(
        window.query_by_label_contains("judged best").is_none(),
        "nor is it on the board"
    );
    let worst = *by_loss(&question).last().expect("moves");
    window.click_at(
        window
            .get_by_label(&format!("Choose {}", worst.name()))
            .rect()
            .center(),
    );
    let answer = document(&window)
        .practising()
        .session()
        .expect("a session")
        .answer()
        .expect("an answer")
        .clone();
    assert_eq!(
        (answer.guess, Some(answer.loss)),
        (worst, question.loss(worst))
    );
    let session = document(&window).practising().session().expect("a session");
    assert!(
        announces(
            &window,
            &prose::practice::verdict(session.answer().expect("an answer"))
        ),
        "and of the judge's answer"
    );

    assert!(window.query_by_label_contains("Loss by quick").is_some());
    assert!(0 < window.query_all_by_label_contains("judged best").count());
    window.press(PracticeCommand::Next);

    // The keys: the best move of the next position, then on.
    let question = asked(&window);
    let best = by_loss(&question)[0];
    window.press_key(key(best));
    let summary = document(&window)
        .practising()
        .session()
        .expect("a session")
        .summary();
    assert_eq!((summary.answers, summary.loss), (2, answer.loss));
    window.press_key(egui::Key::N);
    assert_eq!(
        document(&window).place(),
        0,
        "the board on screen stays where it was"
    );
    asked(&window);
    // Starting by its focused button: an arrow then chooses a move, instead of moving to the next button.
    window.get_by_label("Predict this game").focus();
    window.settle();
    window.press_key(egui::Key::Enter);
    let first = asked(&window);
    let arrow = [
        egui::Key::ArrowUp,
        egui::Key::ArrowDown,
        egui::Key::ArrowLeft,
        egui::Key::ArrowRight,
    ];
    window.press_key(arrow[by_loss(&first)[0].index()]);
    assert!(
        document(&window)
            .practising()
            .session()
            .expect("a session")
            .answer()
            .is_some()
    );
    // Mistakes of the game go into the book, the most expensive first.
    apply(&mut window, PracticeCommand::Collect);
    let reviewed = document(&window).review().expect("reviewed").clone();
    let report = reviewed.report.as_ref().expect("every position");
    let book = Book::read(&folder.path().join("practice.ron")).expect("a book");
    assert!(3 < book.positions.len());
    let losses: Vec<Points> = book
        .due(i64::MAX)
        .filter_map(|position| position.question.loss_then())
        .collect();
    assert!(losses.windows(2).all(|pair| pair[1] <= pair[0]));
    assert!(losses.iter().all(|loss| report.thresholds.mistake <= *loss));
    apply(&mut window, PracticeCommand::Book);
    let dearest = asked(&window);
    assert_eq!(dearest.loss_then(), Some(losses[0]));
    apply(&mut window, PracticeCommand::Guess(by_loss(&dearest)[0]));
    let book = Book::read(&folder.path().join("practice.ron")).expect("a book");
    let answered = book
        .positions
        .iter()
        .find(|one| one.question.board == dearest.board)
        .expect("kept");
    assert_eq!(
        (answered.answers, answered.right, answered.interval),
        (1, 1, 86_400)
    );
}

#[test]
fn a_position_is_rolled_out_from_the_board_into_the_results() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut window = shown(folder.path());
    let board = document(&window).board();
    assert_eq!(
        document(&window).can(&ExperimentCommand::RollOut.into()),
        Ok(())
    );

    // It asks for the number of games, the length and the judge.
    apply(&mut window, ExperimentCommand::RollOut);
    assert_ne!(
        document(&window).setup().rules.start,
        Some(board),
        "nothing is played before it is answered"
    );
    window.click("A number of moves");
    assert!(window.query_by_label("Judge of games cut off").is_some());
    window.click("Roll out");
    assert_eq!(document(&window).setup().rules.start, Some(board));
    let rollouts = || {
        document(&window)
            .setup()
            .strategies
            .iter()
            .map(|entry| entry.strategy.rollout.clone())
            .collect::<Vec<_>>()
    };
    assert!(rollouts().iter().all(|one| {
        one.as_ref()
            .is_some_and(|one| one.moves == Some(20) && one.judge.is_some())
    }));
    assert!(
        document(&window)
            .last_run()
            .state()
            .is_some_and(afterstate::experiment::State::has_ended)
    );

    let doc = document(&window);
    assert_eq!(doc.setup().rules.start, Some(board));
    let names: Vec<String> = doc
        .setup()
        .strategies
        .iter()
        .map(|entry| entry.strategy.label())
        .collect();
    let moves: Vec<String> = board
        .legal_moves()
        .into_iter()
        .map(|mv| mv.to_string())
        .collect();
    assert_eq!(names, moves);
    let run = doc.last_run().run.as_ref().expect("a run").results();
    assert!(
        afterstate::experiment::RolloutValues::of(&run)
            .is_some_and(|values| values.moves.len() == moves.len())
    );

    // A game of it starts there with its first move.
    apply(&mut window, ExperimentCommand::OpenGame(1, 7));
    let doc = document(&window);
    assert_eq!(doc.tree().node(doc.line()[0]).board, board);
    assert_eq!(
        doc.tree()
            .node(doc.line()[1])
            .step
            .map(|step| step.mv.to_string()),
        Some(moves[1].clone())
    );
    // A new game starts with two tiles.
    apply(&mut window, GameCommand::New);
    assert_eq!(document(&window).game().rules.start, None);
    assert_eq!(
        document(&window)
            .board()
            .cells()
            .filter(|(_, rank)| !rank.is_empty())
            .count(),
        2
    );
    // The table treats games as independent draws; the intervals by strata are below.
    apply(
        &mut window,
        afterstate::workbench::command::ViewCommand::ShowPanel(Panel::Results),
    );
    assert!(
        window
            .query_by_label_contains("Points still to come, stratified by the first tile")
            .is_some()
    );
}
