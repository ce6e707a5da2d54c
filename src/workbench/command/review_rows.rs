//! The rows of reviews and practice in the table of commands, and the texts of their buttons with data.

use egui::{Key, KeyboardShortcut};

use super::keys::{plain, shift, slide_keys};
use super::panel::Panel;
use super::review_commands::{PracticeCommand, ReviewCommand};
use super::row::{CommandRow, Menu};
use crate::game::Move;
use crate::review::ReviewFormat;

pub(super) fn review(rows: &mut Vec<CommandRow>) {
    use ReviewCommand as C;
    let row = |command, text, about| Menu::Board.row(command, text, about);
    let key = |command, text, about, key| {
        row(command, text, about)
            .key(key)
            .only_in(Panel::Review)
            .repeats()
    };
    let step =
        |command, (text, about): (&'static str, &'static str), keys: [KeyboardShortcut; 2]| {
            let [letter, digit] = keys;
            row(command, text, about)
                .key(letter)
                .key(digit)
                .only_in(Panel::Review)
        };

    let next = "Go to the next move that is a mistake or worse; the key works on the board and in the review";
    let last = "Go to the previous move that is a mistake or worse";
    rows.extend([
        row(C::Game, "Review game", "Judge every move and tile of the game: loss and luck, in points").begins_group(),
        row(C::Stop, "Stop the review", "Save what is judged so far; Review game resumes it"),
        row(
            C::InBackground,
            "Judge in the background",
            "Judge each game on the board automatically, on one core at low priority, while no experiment runs",
        ),
        key(C::NextMistake, "Next mistake", next, plain(Key::N)),
        key(C::LastMistake, "Previous mistake", last, shift(Key::N)),
        row(
            C::JudgeByStrategy,
            "Judge with this strategy",
            "Use the strategy that plays as the judge, if its values are points to come",
        ),
        row(
            C::JudgeAsUsual,
            "Use the default judge",
            "Judge with the solved table of these boards, or with the Reference network",
        ),
        row(
            C::JudgeByPlayer,
            "Judge with own play",
            "Let the strategy that played continue after its worst moves, to show what an edit can win",
        ),
        row(C::Arrows, "Losses on the board", "Draw an arrow for each legal move, with the judge's loss"),
        step(C::ShowTree(None), TREE, [plain(Key::T), plain(Key::Num1)]).begins_group(),
        step(C::ShowRule(None), RULE, [plain(Key::R), plain(Key::Num2)]),
        step(C::EditRule(None), EDIT, [shift(Key::R), plain(Key::Num3)]),
        step(
            C::Rerun,
            (
                "Rerun on the same seeds",
                "Play all games of this seed with the current strategy and with the one that played, and compare them",
            ),
            [plain(Key::G), plain(Key::Num4)],
        ),
        row(
            C::Minds,
            "Second opinion",
            "Show where the current strategy chooses another move than the one that played, and what that is worth",
        ),
        row(
            C::MindsOfGames,
            "Second opinion on all games",
            "Show where the current strategy chooses other moves in the reviewed games, and what that is worth",
        ),
        row(C::HoldMinds, "Pause the second opinion", "Pause or resume it"),
        row(C::StopMinds, "Stop the second opinion", "Keep the results of the games so far"),
        row(C::Death, "Estimate survival", "Risk of losing within 50 moves, and the last position that could be saved"),
        row(C::HoldGames, "Pause the review of games", "Pause or resume it"),
        row(
            C::StopGames,
            "Stop the review of games",
            "Save what is judged so far; the same games are not judged again",
        ),
        row(C::Export(ReviewFormat::Html), "Export review as HTML…", "One file with pictures of the boards"),
        row(C::Export(ReviewFormat::Markdown), "Export review as Markdown…", "Tables as plain text"),
        row(C::Export(ReviewFormat::Csv), "Export review as CSV…", "One row per move"),
        row(C::Export(ReviewFormat::Json), "Export review as JSON…", "All data, for programs"),
    ]);
}

pub(super) fn practice(rows: &mut Vec<CommandRow>) {
    use PracticeCommand as C;
    let row = |command, text, about| Menu::Board.row(command, text, about);
    rows.extend([
        row(C::Game, "Predict this game", "Choose each move of the reviewed game before the judge's answer is shown"),
        row(C::Book, "Practice due positions", "Choose moves on the positions of the book that are due"),
        row(
            C::Collect,
            "Add mistakes to the book",
            "Add the mistakes of the reviewed game to the practice book, which asks for them again",
        ),
        row(
            C::CollectGames,
            "Add mistakes of all games to the book",
            "Add the mistakes of all reviewed games to the practice book, which asks for them again",
        ),
        row(C::End, "End practice", "Skip the remaining positions and show losses again"),
        row(C::Next, "Next question", "Go to the next position after the answer")
            .key(plain(Key::Enter))
            .key(plain(Key::N))
            .only_in(Panel::Practice),
    ]);

    rows.extend(Move::ALL.map(|mv| {
        let (arrow, letter) = slide_keys(mv);
        let about = "Choose this move in the practice; the keys work in its panel";
        row(C::Guess(mv), CHOOSE[mv.index()], about)
            .key(plain(arrow))
            .key(plain(letter))
            .only_in(Panel::Practice)
    }));
}

/// The texts of the links from a move to its search tree and deciding row.
const TREE: (&str, &str) = (
    "Judge's tree",
    "Show the judge's search of this position: the played move, the best move and the loss between them",
);
const RULE: (&str, &str) = (
    "Deciding row",
    "Go to the row of the strategy that rejected the better move",
);
const EDIT: (&str, &str) = (
    "Edit row",
    "Unfold the row that rejected the better move, to edit it",
);

/// The names of the choices in practice, in the order of [`Move::ALL`].
const CHOOSE: [&str; 4] = ["Choose up", "Choose down", "Choose left", "Choose right"];

/// Text and tooltip of a button whose command no menu lists.
pub(super) fn unlisted(command: &ReviewCommand) -> (&'static str, &'static str) {
    match command {
        ReviewCommand::Thresholds(_) => (
            "Set thresholds",
            "Set the loss from which a move is an inaccuracy, a mistake or a blunder",
        ),
        ReviewCommand::Chance(Some(_)) => (
            "Play out moves",
            "Play games from the moves that lost points, to class them by their loss of this chance, too",
        ),
        ReviewCommand::Chance(None) => ("Class by points", "Class moves by lost points only"),
        ReviewCommand::ShowTree(_) => TREE,
        ReviewCommand::ShowRule(_) => RULE,
        ReviewCommand::Games { .. } => (
            "Review these games",
            "Judge the listed games, to see where the strategy loses",
        ),
        ReviewCommand::ExportGames(_) => ("Export", "Save the findings over all games as one file"),
        ReviewCommand::ShowDisagreement(..) => (
            "Show disagreement",
            "Put the position on the board, with the review of its game",
        ),
        ReviewCommand::EditRule(_) => EDIT,
        _ => ("", ""),
    }
}
