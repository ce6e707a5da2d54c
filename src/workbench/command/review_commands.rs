//! The commands of reviews and practice.

use crate::game::Move;
use crate::review::{ChanceQuestion, ReviewFormat, Thresholds};

/// Commands of the review of the current game and of games.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewCommand {
    /// Reviews the current line, or resumes its review.
    Game,
    Stop,
    NextMistake,
    LastMistake,
    /// Makes the current strategy the judge.
    JudgeByStrategy,
    JudgeAsUsual,
    /// Makes the player judge its own worst moves, to show what an edit of it can win there.
    JudgeByPlayer,
    /// Turns background judging of the current game on or off.
    InBackground,
    Thresholds(Thresholds),
    /// Classifies moves by the chance of a goal as well, or by points only; the chance requires playing games.
    Chance(Option<ChanceQuestion>),
    /// Shows the judge's search tree at a position, by its index in the line; `None` for the current one.
    ShowTree(Option<usize>),
    /// Selects the player's row that decided there.
    ShowRule(Option<usize>),
    /// Unfolds that row for editing.
    EditRule(Option<usize>),
    /// Plays the seeds of the game with the current strategy against the one that played it.
    Rerun,
    /// Shows the losses of the legal moves on the board.
    Arrows,
    /// Requests a file for the review.
    Export(ReviewFormat),
    /// Opens and reviews a game of the shown run, by the place of its strategy and its number.
    GameOfRun(usize, u64),
    /// Reviews these games of the shown run, for the strategies at these places.
    Games {
        places: Vec<usize>,
        games: Vec<u64>,
    },
    /// Pauses or resumes the review of games.
    HoldGames,
    StopGames,
    /// Puts one of their worst moves on the board, by its index.
    ShowWorst(usize),
    /// Requests a file for the review of games.
    ExportGames(ReviewFormat),
    /// Compares the current strategy with the one that played the reviewed game.
    Minds,
    /// Compares the current strategy with those that played the reviewed games.
    MindsOfGames,
    /// Pauses or resumes that comparison.
    HoldMinds,
    StopMinds,
    /// Puts a disagreement over games of a run on the board, by its pair and its index in the pair.
    ShowDisagreement(usize, usize),
    /// Plays games from the positions of the game, to estimate survival.
    Death,
}

/// Commands of practice.
#[derive(Clone, Debug, PartialEq)]
pub enum PracticeCommand {
    /// Practices each move of the reviewed game from here on.
    Game,
    /// Practices the due positions of the book.
    Book,
    /// Adds the mistakes of the reviewed game to the book.
    Collect,
    /// Adds the mistakes of all reviewed games to the book.
    CollectGames,
    Guess(Move),
    /// Goes to the next position.
    Next,
    /// Ends the session before all positions are answered.
    End,
}
