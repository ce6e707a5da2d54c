//! Practice: the user chooses a move before the judge's answer is shown, in a reviewed game or in the book.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::SystemTime;

use super::effect::{Effect, Effects};
use super::{Core, Document, NodeId, Reviewing};
use crate::game::Move;
use crate::practice::{Book, Question, Session};
use crate::prose;
use crate::words;
use crate::workbench::command::{Panel, PracticeCommand, requires};

#[derive(Debug, Default)]
pub struct Practising {
    session: Option<Session>,
    /// Whether the session practices the book, so that answers schedule the next repetition.
    is_of_book: bool,
    /// The first position of the practiced game.
    game: Option<NodeId>,
    /// `None` before it is read.
    book: Option<Book>,
}

impl Practising {
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    pub fn is_of_book(&self) -> bool {
        self.is_of_book
    }

    /// The book, if it was read.
    pub fn book(&self) -> Option<&Book> {
        self.book.as_ref()
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

impl Document {
    pub fn practising(&self) -> &Practising {
        &self.practising
    }

    /// Whether losses and flags are hidden, because they would reveal answers: during practice of this game, or of this
    /// board.
    pub fn hides_losses(&self) -> bool {
        let Some(session) = self
            .practising
            .session
            .as_ref()
            .filter(|session| !session.is_over())
        else {
            return false;
        };
        let is_here = session
            .question()
            .is_some_and(|question| question.board == self.board());
        self.line().first() == self.practising.game.as_ref() || is_here
    }

    /// Whether the arrows on the board are hidden: like losses, except on the position answered last.
    pub fn hides_arrows(&self) -> bool {
        let answer = self.practising.session.as_ref().and_then(Session::answer);
        self.hides_losses() && answer.is_none_or(|answer| answer.question.board != self.board())
    }
}

impl Practising {
    /// Whether a command applies now, else why not.
    pub(super) fn can(
        &self,
        core: &Core,
        reviewing: &Reviewing,
        command: &PracticeCommand,
    ) -> Result<(), Cow<'static, str>> {
        let session = self.session.as_ref();
        match command {
            PracticeCommand::Game | PracticeCommand::Collect => {
                let is_reviewed = reviewing.thresholds_of(core).is_some();
                requires(
                    is_reviewed,
                    "Judge this game first: every move needs a judgment",
                )
            }
            PracticeCommand::CollectGames => {
                let games = reviewing
                    .more
                    .games()
                    .filter(|games| !games.several.games.is_empty());
                requires(
                    games.is_some(),
                    "No games are reviewed yet: press Review in the Games panel",
                )
            }
            PracticeCommand::Book => Ok(()),
            PracticeCommand::Guess(mv) => {
                let question = session
                    .and_then(Session::question)
                    .ok_or("There is no question to answer")?;
                requires(
                    question.loss(*mv).is_some(),
                    "No tile moves in this direction",
                )
            }
            PracticeCommand::End => requires(session.is_some(), "Practice is not running"),
            PracticeCommand::Next => requires(
                session.and_then(Session::answer).is_some(),
                "No answer is shown: choose a move first",
            ),
        }
    }

    pub(super) fn apply(
        &mut self,
        core: &Core,
        reviewing: &Reviewing,
        command: &PracticeCommand,
        effects: &mut Effects,
    ) {
        match command {
            PracticeCommand::Game => {
                let questions = questions_of_game(core, reviewing);
                if questions.is_empty() {
                    effects.info("No position of this game has a choice of moves");
                    return;
                }
                self.session = Some(Session::new(questions));
                (self.is_of_book, self.game) = (false, core.line().first().copied());
                effects.push(Effect::ShowPanel(Panel::Practice));
            }
            PracticeCommand::Collect => self.collect_mistakes(core, reviewing, effects),
            PracticeCommand::CollectGames => {
                if let Some(games) = reviewing.more.games() {
                    let (found, origin) = (
                        games.mistakes(),
                        words::plural(games.several.games.len() as u64, "game"),
                    );
                    self.take_in(core, found, &origin, effects);
                }
            }
            PracticeCommand::Book => {
                let Some(book) = self.opened_book(core, effects) else {
                    return;
                };
                let (session, all) = (Session::of_book(book, now()), book.positions.len());
                if session.is_over() {
                    effects.info(match all {
                        0 => "The book is empty: Add mistakes to the book adds those of a reviewed game".to_owned(),
                        _ => format!("None of the {} in the book is due yet", words::plural(all as u64, "position")),
                    });
                }
                if session.is_over() {
                    // An unfinished session continues.
                    return effects.push(Effect::ShowPanel(Panel::Practice));
                }
                self.session = Some(session);
                (self.is_of_book, self.game) = (true, None);
                effects.push(Effect::ShowPanel(Panel::Practice));
            }
            PracticeCommand::Guess(mv) => self.guess(core, *mv, effects),
            PracticeCommand::End => {
                if let Some(session) = self
                    .session
                    .take()
                    .filter(|session| session.summary().answers != 0)
                {
                    effects.info(format!(
                        "Practice ended. {}",
                        prose::practice::summary(&session.summary())
                    ));
                }
            }
            PracticeCommand::Next => self.session.iter_mut().for_each(Session::go_on),
        }
    }

    fn collect_mistakes(&mut self, core: &Core, reviewing: &Reviewing, effects: &mut Effects) {
        let (Some(reviewed), Some(thresholds)) = (
            reviewing.of_line(core).cloned(),
            reviewing.thresholds_of(core),
        ) else {
            return;
        };
        let found = Question::mistakes(&reviewed.review, &thresholds, &source(core));
        self.take_in(core, found, "this game", effects);
    }

    /// Adds mistakes to the book; `origin` describes their source.
    fn take_in(&mut self, core: &Core, found: Vec<Question>, origin: &str, effects: &mut Effects) {
        let count = found.len();
        let Some(book) = self.opened_book(core, effects) else {
            return;
        };
        let new = book.add(found, now());
        let all = book.positions.len();
        self.write_book(core, effects);
        let mistakes = words::plural(count as u64, "mistake");
        let full = if all == Book::MOST {
            ", and the book is full"
        } else {
            ""
        };
        effects.info(format!(
            "{mistakes} of {origin}, {new} new to the book, which has {}{full}",
            words::plural(all as u64, "position")
        ));
    }

    fn guess(&mut self, core: &Core, mv: Move, effects: &mut Effects) {
        let Some(answered) = self
            .session
            .as_mut()
            .and_then(|session| session.guess(mv))
            .cloned()
        else {
            return;
        };
        let of_book = self.is_of_book;
        if !of_book && !answered.question.is_mistake(mv) {
            return;
        }

        let Some(book) = self.opened_book(core, effects) else {
            return;
        };
        if of_book {
            book.answered(&answered.question.board, mv, now());
        } else {
            // A wrong answer comes again; whether it is due to chance is only known for the move of the game.
            let by_chance = answered.question.by_chance && answered.question.played == Some(mv);
            book.add(
                [Question {
                    played: Some(mv),
                    by_chance,
                    ..answered.question
                }],
                now(),
            );
        }
        self.write_book(core, effects);
    }

    /// The book as on disk, because another process may have written it. An unreadable book is reported and not
    /// overwritten.
    fn opened_book(&mut self, core: &Core, effects: &mut Effects) -> Option<&mut Book> {
        if let Some(file) = book_file(core) {
            self.book = Some(effects.accept(Book::read(&file))?);
        } else if self.book.is_none() {
            effects.warn(
                "This system has no folder for settings: the book is lost when the window closes",
            );
            self.book = Some(Book::default());
        }
        self.book.as_mut()
    }

    fn write_book(&self, core: &Core, effects: &mut Effects) {
        if let (Some(file), Some(book)) = (book_file(core), &self.book) {
            effects.accept(book.write(&file));
        }
    }
}

/// The positions of the reviewed game from the cursor on; all if none is left.
fn questions_of_game(core: &Core, reviewing: &Reviewing) -> Vec<Question> {
    let (Some(reviewed), Some(thresholds)) =
        (reviewing.of_line(core), reviewing.thresholds_of(core))
    else {
        return Vec::new();
    };
    let (review, source) = (&reviewed.review, source(core));
    let from = |from: usize| -> Vec<Question> {
        let questions = from..review.moves();
        questions
            .filter_map(|index| Question::of(review, index, &thresholds, &source))
            .collect()
    };
    let questions = from(core.place());
    if questions.is_empty() {
        from(0)
    } else {
        questions
    }
}

/// The title of the current game.
fn source(core: &Core) -> String {
    let title = words::one_line(&core.game().title);
    if title.is_empty() {
        "A game played here".to_owned()
    } else {
        title
    }
}

fn book_file(core: &Core) -> Option<PathBuf> {
    Some(core.config_dir()?.join(Book::FILE))
}
