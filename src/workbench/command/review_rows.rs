//! The rows of reviews and practice in the table of commands, and the texts of their buttons with data.

use egui::Key;

use super::keys::{plain, shift, slide_keys};
use super::panel::Panel;
use super::review_commands::{PracticeCommand, ReviewCommand};
use super::row::{CommandRow, Menu};
use crate::game::Move;
use crate::review::ReviewFormat;

pub(super) fn review(rows: &mut Vec<CommandRow>) {
    use ReviewCommand as C;
    let row = |command, text, about| Menu::Board.row(command, text, about);
    let key = |command, text, about, key| row(command, text, about).key(key).only_in(Panel::Review).repeats();
    let step = |command, (text, about): (&'static str, &'static str), key| {
        row(command, text, about).key(key).only_in(Panel::Review)
    };

    let next = "Go to the next move that is a mistake or worse; the key works on the board and in the review";
    let last = "Go to the move before this one that is a mistake or worse";
    rows.extend([
        row(C::Game, "Review game", "Let a judge say what each move lost and what each tile was worth, in points")
            .begins_group(),
        row(C::Stop, "Stop the review", "Keep what is judged so far; Review game resumes it"),
        row(
            C::InBackground,
            "Judge in the background",
            "Judge each game on the board by itself, on one core at low priority, while no experiment runs",
        ),
        key(C::NextMistake, "Next mistake", next, plain(Key::N)),
        key(C::LastMistake, "Previous mistake", last, shift(Key::N)),
        row(
            C::JudgeByStrategy,
            "Judge by this strategy",
            "Let the strategy that plays judge, if its values are points to come",
        ),
        row(C::JudgeAsUsual, "Judge as usual", "Let the solved table of these boards judge, or the Reference network"),
        row(
            C::JudgeByPlayer,
            "Judge with own play",
            "Let the strategy that played play its worst moves on by itself: what an edit of it can win there",
        ),
        row(C::Arrows, "Losses on the board", "Draw an arrow for each legal move, with what the judge says it loses"),
        step(C::ShowTree(None), TREE, plain(Key::T)).begins_group(),
        step(C::ShowRule(None), RULE, plain(Key::R)),
        step(C::EditRule(None), EDIT, shift(Key::R)),
        step(
            C::Rerun,
            (
                "Rerun on the same seeds",
                "Play the seeds of this game with the strategy that plays now, against the one that played it",
            ),
            plain(Key::G),
        ),
        row(
            C::Minds,
            "Second opinion",
            "Where the strategy that plays would move otherwise than the one that played this game, and what that is worth",
        ),
        row(
            C::MindsOfGames,
            "Second opinion on all games",
            "Where the strategy that plays would move otherwise in the games that are reviewed, and what that is worth",
        ),
        row(C::HoldMinds, "Pause the second opinion", "Pause it, or resume it"),
        row(C::StopMinds, "Stop the second opinion", "Keep what is found over the games so far"),
        row(C::Death, "Estimate survival", "Risk of losing within 50 moves, and the last position that could be saved"),
        row(C::HoldGames, "Pause the review of games", "Hold it, or go on with it"),
        row(C::StopGames, "Stop the review of games", "Keep what is judged; the same games are not judged again"),
        row(C::Export(ReviewFormat::Html), "Export review as HTML…", "One file with the boards as pictures"),
        row(C::Export(ReviewFormat::Markdown), "Export review as Markdown…", "Tables as text"),
        row(C::Export(ReviewFormat::Csv), "Export review as CSV…", "A row a move"),
        row(C::Export(ReviewFormat::Json), "Export review as JSON…", "Everything, for programs"),
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
            "Take the mistakes of the reviewed game into the book: they come again",
        ),
        row(
            C::CollectGames,
            "Add mistakes of all games to the book",
            "Take the mistakes of all games that are reviewed into the book: they come again",
        ),
        row(C::End, "End practice", "Leave the positions that are not answered; losses are shown again"),
        row(C::Next, "Next question", "Go on with the practice after the answer was shown")
            .key(plain(Key::Enter))
            .key(plain(Key::N))
            .only_in(Panel::Practice),
    ]);

    rows.extend(Move::ALL.map(|mv| {
        let (arrow, letter) = slide_keys(mv);
        let about = "Choose this move in the practice; the keys work there";
        row(C::Guess(mv), CHOOSE[mv.index()], about).key(plain(arrow)).key(plain(letter)).only_in(Panel::Practice)
    }));
}

/// The texts of the links from a move to its search tree and deciding row.
const TREE: (&str, &str) = (
    "Judge's tree",
    "Show the judge's search of this position: the move that was played, the best move, and the loss between them",
);
const RULE: (&str, &str) = ("Deciding row", "Go to the row of the strategy that rejected the better move");
const EDIT: (&str, &str) = ("Edit row", "Unfold the row that rejected the better move, to change it");

/// The names of the choices in practice, in the order of [`Move::ALL`].
const CHOOSE: [&str; 4] = ["Choose up", "Choose down", "Choose left", "Choose right"];

/// Text and tooltip of a button whose command no menu lists.
pub(super) fn unlisted(command: &ReviewCommand) -> (&'static str, &'static str) {
    match command {
        ReviewCommand::Thresholds(_) => {
            ("Set thresholds", "From which loss on a move is an inaccuracy, a mistake or a blunder")
        }
        ReviewCommand::Chance(Some(_)) => (
            "Play moves on",
            "Let the judge play on from moves that lost points: what they cost of this chance classes them, too",
        ),
        ReviewCommand::Chance(None) => ("Class by points", "Class moves by the points that they lose alone"),
        ReviewCommand::ShowTree(_) => TREE,
        ReviewCommand::ShowRule(_) => RULE,
        ReviewCommand::Games { .. } => {
            ("Review these games", "Judge the games that are listed: where does the strategy lose?")
        }
        ReviewCommand::ExportGames(_) => ("Export", "Save what was found over all games as one file"),
        ReviewCommand::ShowDisagreement(..) => {
            ("Show disagreement", "Put the position on the board, with the review of its game")
        }
        ReviewCommand::EditRule(_) => EDIT,
        _ => ("", ""),
    }
}
