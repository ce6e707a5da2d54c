//! What can be asked of a judge about games, and to train the eye.

use crate::game::Move;
use crate::review::{ChanceQuestion, ReviewFormat, Thresholds};

/// What can be asked about the game on the board as a judge sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewCommand {
    /// Reviews the line on the board, or goes on with that.
    Game,
    Stop,
    NextMistake,
    LastMistake,
    /// The strategy that plays judges from now on.
    JudgeByStrategy,
    JudgeAsUsual,
    /// The strategy that played judges its own worst moves: what an edit of it can win there.
    JudgeByPlayer,
    /// Judges the game on the board beside everything else, or does not.
    InBackground,
    Thresholds(Thresholds),
    /// Classes moves by a chance, too, or by points alone; what it asks is played on.
    Chance(Option<ChanceQuestion>),
    /// Shows the search tree of the judge at a position, by its place in the line; `None` for the one on the board.
    ShowTree(Option<usize>),
    /// Goes to the row of the player that decided there.
    ShowRule(Option<usize>),
    /// Unfolds that row, to be changed.
    EditRule(Option<usize>),
    /// Plays the seeds of the game with the strategy that plays now against the one that played it.
    Rerun,
    /// The losses of the legal moves stand on the board.
    Arrows,
    /// Asks for a file for the review.
    Export(ReviewFormat),
    /// Puts a game of the run on screen on the board, by the place of its strategy and its number, and reviews it.
    GameOfRun(usize, u64),
    /// Reviews these games of the run on screen, of the strategies at these places.
    Games {
        places: Vec<usize>,
        games: Vec<u64>,
    },
    /// Holds the review of games, or goes on with it.
    HoldGames,
    StopGames,
    /// Puts one of their worst moves on the board, by its place among them.
    ShowWorst(usize),
    /// Asks for a file for what was found over the games.
    ExportGames(ReviewFormat),
    /// Sets the strategy that plays against the one that played the reviewed game.
    Minds,
    /// Sets the strategy that plays against those that played the games that are reviewed.
    MindsOfGames,
    /// Holds that, or goes on with it.
    HoldMinds,
    StopMinds,
    /// Puts a disagreement over games of a run on the board, by its pair and its place in that.
    ShowDisagreement(usize, usize),
    /// Plays on from the positions of the game.
    Death,
}

/// What can be done to train the eye.
#[derive(Clone, Debug, PartialEq)]
pub enum PracticeCommand {
    /// Asks for each move of the reviewed game from here on.
    Game,
    /// Asks for the positions of the book that are due.
    Book,
    /// Takes the mistakes of the reviewed game into the book.
    Collect,
    /// The same of all games that are reviewed.
    CollectGames,
    Guess(Move),
    /// Goes on to the next position.
    Next,
    /// Ends it before all positions are answered.
    End,
}
