//! `practice`: a book of positions, additions to it, and questions from it.

use std::io::{BufRead, IsTerminal as _, Write};
use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;

use super::Failure;
use super::args::{JudgingArgs, PracticeArgs, PracticeTask};
use super::interrupt::Busy;
use super::review::{GameToReview, Reviewing};
use super::table::{cells, json_line, listed};
use super::terminal::tell;
use super::values::Format;
use crate::files;
use crate::game::{Board, Move};
use crate::practice::{Book, Kept, Question, Session};
use crate::prose;
use crate::review::Points;
use crate::table::Head;
use crate::words;

pub(super) fn practice(
    args: &PracticeArgs,
    answers: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let own = || files::config_dir().map(|folder| folder.join(Book::FILE));
    let path = args.book.clone().or_else(own);
    let path = path.ok_or_else(|| {
        Failure::could("this system has no settings folder: name a book with --book")
    })?;
    let book = Book::read(&path).map_err(Failure::could)?;
    match &args.task {
        PracticeTask::List { format } => list(&book, &path, *format, out)?,
        PracticeTask::Add(judging) => add(&path, judging, out)?,
        PracticeTask::Quiz { most, all } => {
            let most = most.and_then(|most| usize::try_from(most).ok());
            quiz(&book, &path, most, *all, answers, out)?;
        }
    }
    Ok(out.flush()?)
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// The positions that are due, the costliest first, then the others by their due time.
fn in_order(book: &Book, now: i64) -> Vec<&Kept> {
    let mut later: Vec<&Kept> = book
        .positions
        .iter()
        .filter(|position| now < position.due)
        .collect();
    later.sort_by_key(|position| position.due);
    book.due(now).chain(later).collect()
}

fn list(book: &Book, path: &Path, format: Format, out: &mut impl Write) -> Result<(), Failure> {
    let now = now();
    let (ordered, due) = (in_order(book, now), book.due(now).count());
    if format == Format::Json {
        let positions = ordered
            .iter()
            .map(|position| PositionJson::of(position, now))
            .collect();
        return Ok(json_line(
            out,
            &BookJson {
                book: path.display().to_string(),
                due,
                positions,
            },
        )?);
    }

    let all = words::plural(ordered.len() as u64, "position");
    writeln!(
        out,
        "{}: {all}, {} due",
        path.display(),
        words::count(due as u64)
    )?;
    if ordered.is_empty() {
        writeln!(out, "add mistakes with afterstate practice add GAME")?;
        return Ok(());
    }

    let row = |position: &&Kept| {
        let question = &position.question;
        cells![
            question.board.to_string(),
            if position.due <= now {
                "now".to_owned()
            } else {
                format!("in {}", words::time((position.due - now) as f64))
            },
            question.loss_then().map(Points::to_f64),
            format!("{} of {}", position.right, position.answers),
            words::one_line(&question.source),
        ]
    };
    let [board, due, from] = ["board", "due", "from"].map(Head::text);
    let heads = [
        board,
        due,
        Head::number("loss", 1),
        Head::whole("right"),
        from,
    ];
    write!(out, "{}", listed(heads, ordered.iter().map(row)))?;
    Ok(())
}

#[derive(Serialize)]
struct BookJson {
    book: String,
    due: usize,
    positions: Vec<PositionJson>,
}

#[derive(Serialize)]
struct PositionJson {
    board: String,
    values: std::collections::BTreeMap<&'static str, Option<Points>>,
    best: Vec<Move>,
    played: Option<Move>,
    loss: Option<Points>,
    mistake: Points,
    by_chance: bool,
    judge: String,
    source: String,
    is_due: bool,
    due: i64,
    interval: i64,
    answers: u32,
    right: u32,
}

impl PositionJson {
    fn of(position: &Kept, now: i64) -> Self {
        let Kept {
            question,
            interval,
            due,
            answers,
            right,
        } = position;
        Self {
            board: question.board.to_string(),
            values: question
                .values
                .iter()
                .map(|(mv, value)| (mv.name(), *value))
                .collect(),
            best: question.best(),
            played: question.played,
            loss: question.loss_then(),
            mistake: question.mistake,
            by_chance: question.by_chance,
            judge: question.judge.clone(),
            source: question.source.clone(),
            is_due: *due <= now,
            due: *due,
            interval: *interval,
            answers: *answers,
            right: *right,
        }
    }
}

/// The mistakes of games as they are found; if a book has no room for all, the costliest.
#[derive(Default)]
struct Found {
    mistakes: Vec<Question>,
    /// The number of all mistakes.
    all: u64,
}

impl Found {
    fn take(&mut self, mistakes: Vec<Question>) {
        self.all += mistakes.len() as u64;
        self.mistakes.extend(mistakes);
        if 2 * Book::MOST < self.mistakes.len() {
            self.sort();
            self.mistakes.truncate(Book::MOST);
        }
    }

    fn sort(&mut self) {
        self.mistakes
            .sort_by_key(|one| std::cmp::Reverse(one.loss_then()));
    }
}

fn add(path: &Path, judging: &JudgingArgs, out: &mut impl Write) -> Result<(), Failure> {
    let busy = Busy::begin();
    let mut reviewing = Reviewing::of(judging)?;
    let (mut mistakes, mut games) = (Found::default(), 0_u64);
    let mut left_out = Vec::new();
    for game in std::mem::replace(&mut reviewing.games, Box::new(std::iter::empty())) {
        let judged = game.and_then(
            |GameToReview {
                 record,
                 title,
                 player,
             }| {
                let player = player
                    .and_then(|place| reviewing.players.get(place))
                    .map(|(_, player)| player);
                Ok((reviewing.judged(record, player, &title, &busy.stop)?, title))
            },
        );
        // A move that was not searched to the requested depth is not a mistake yet.
        if busy.stop.is_cancelled() {
            break;
        }
        let (review, title) = match judged {
            Ok(judged) => judged,
            Err(Failure::Could(error)) => {
                left_out.push(error);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let Ok(thresholds) = reviewing.session.thresholds(&review) else {
            break;
        };
        mistakes.take(Question::mistakes(&review, &thresholds, &title));
        games += 1;
    }
    if games == 0 && !left_out.is_empty() {
        return Err(Failure::Could(left_out.swap_remove(0)));
    }

    if let Some(error) = left_out.first() {
        let count = words::plural(left_out.len() as u64, "game");
        tell(&format!("afterstate: {count} left out: {error}"));
    }
    mistakes.sort();
    let found = words::plural(mistakes.all, "mistake");

    // The window may have written it in the meantime.
    let mut book = Book::read(path).map_err(Failure::could)?;
    let new = book.add(mistakes.mistakes, now());
    files::make_folder(files::folder_of(path))?;
    book.write(path)?;
    let games = words::plural(games, "game");
    let all = words::plural(book.positions.len() as u64, "position");
    let full = if book.positions.len() == Book::MOST {
        ", the maximum"
    } else {
        ""
    };
    writeln!(
        out,
        "{found} in {games} by {}, {} new in {}, which now has {all}{full}",
        reviewing.session.judge.label(),
        words::count(new as u64),
        path.display()
    )?;
    if busy.stop.is_cancelled() {
        return Err(Failure::Stopped(format!(
            " after {games}; the same command resumes"
        )));
    }

    Ok(())
}

/// Asks until no question is left, the answers end or `q` comes; the book is written after each answer.
fn quiz(
    book: &Book,
    path: &Path,
    most: Option<usize>,
    all: bool,
    answers: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let positions = in_order(book, now())
        .into_iter()
        .filter(|position| all || position.due <= now());
    let questions: Vec<Question> = positions
        .take(most.unwrap_or(usize::MAX))
        .map(|position| position.question.clone())
        .collect();
    if questions.is_empty() {
        let all = words::plural(book.positions.len() as u64, "position");
        let why = match book.positions.len() {
            0 => "the book is empty: add mistakes with afterstate practice add GAME".to_owned(),
            _ => format!("none of the {all} of the book is due yet: --all practices them anyway"),
        };
        return Ok(writeln!(out, "{}: {why}", path.display())?);
    }

    let mut session = Session::new(questions);
    while let Some(question) = session.question().cloned() {
        let [done, all] = session.progress();
        writeln!(
            out,
            "\n{} of {}",
            words::count(done as u64 + 1),
            words::count(all as u64)
        )?;
        write!(out, "{}", drawn(&question.board))?;
        let Some(mv) = answer(&question, answers, out)? else {
            break;
        };
        let Some(answered) = session.guess(mv).cloned() else {
            break;
        };
        writeln!(out, "{}", prose::practice::verdict(&answered))?;
        writeln!(
            out,
            "Loss by {}; {}",
            words::one_line(&question.judge),
            words::one_line(&question.source)
        )?;
        // The window may have written it in the meantime.
        let mut book = Book::read(path).map_err(Failure::could)?;
        book.answered(&question.board, mv, now());
        book.write(path)?;
        session.go_on();
    }

    let summary = session.summary();
    if summary.answers != 0 {
        writeln!(
            out,
            "\n{}",
            words::capitalised(&prose::practice::summary(&summary))
        )?;
    }
    Ok(())
}

/// Reads the next legal move; `None` if the answers end.
fn answer(
    question: &Question,
    answers: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<Option<Move>, Failure> {
    loop {
        let moves: Vec<&str> = question.moves().into_iter().map(Move::name).collect();
        write!(out, "Which move ({})? ", moves.join(", "))?;
        out.flush()?;
        let mut line = String::new();
        let is_over = answers.read_line(&mut line).map_err(Failure::could)? == 0;
        if !std::io::stdin().is_terminal() {
            // Without a terminal, no typed line is displayed.
            writeln!(out, "{}", line.trim())?;
        }
        let text = line.trim().to_lowercase();
        if is_over || matches!(text.as_str(), "q" | "quit") {
            return Ok(None);
        }
        let named = |mv: &Move| !text.is_empty() && mv.name().starts_with(&text);
        match Move::ALL.into_iter().find(named) {
            Some(mv) if question.loss(mv).is_some() => return Ok(Some(mv)),
            Some(mv) => writeln!(out, "{mv} moves nothing here")?,
            None => writeln!(out, "Write one of {}, or q to end", words::list(&moves))?,
        }
    }
}

/// A board with aligned columns.
fn drawn(board: &Board) -> String {
    let width = board.max_rank().tile().to_string().len() + 2;
    let mut text = String::new();
    for (cell, rank) in board.cells() {
        let tile = if rank.is_empty() {
            ".".to_owned()
        } else {
            rank.tile().to_string()
        };
        text += &format!("{tile:>width$}");
        if usize::from(cell.col) + 1 == board.size().cols() {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ByMove;

    /// The output, and the book afterwards, when these lines are typed.
    fn typed(book: &Book, lines: &str, most: Option<usize>, all: bool) -> (String, Book) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.ron");
        book.write(&path).expect("written");
        let mut out = Vec::new();
        quiz(book, &path, most, all, &mut lines.as_bytes(), &mut out)
            .unwrap_or_else(|_| panic!("{lines}"));
        (
            String::from_utf8(out).expect("text"),
            Book::read(&path).expect("a book"),
        )
    }

    fn question(board: &str, values: [Option<i64>; 4], played: Move) -> Question {
        let points = |value: i64| Points::whole(value);
        Question {
            board: board.parse().expect(board),
            values: ByMove::new(values.map(|value| value.map(points))),
            played: Some(played),
            mistake: points(3),
            by_chance: false,
            judge: "Best play, exactly".to_owned(),
            source: "a game, move 1".to_owned(),
        }
    }

    fn book() -> Book {
        let mut book = Book::default();
        let cheap = question("2,4/4,0", [None, Some(10), None, Some(7)], Move::Right);
        let dear = question("2,2/4,0", [None, Some(9), Some(60), Some(20)], Move::Down);
        assert_eq!(book.add([cheap, dear], 0), 2);
        book
    }

    #[test]
    fn a_quiz_asks_the_dearest_first_takes_answers_and_writes_the_book() {
        let (said, after) = typed(&book(), "up\nleft\nrubbish\nd\n", None, false);
        for words in [
            "1 of 2\n  2  2\n  4  .\nWhich move (down, left, right)? ",
            "Up moves nothing here",
            "Left is best",
            "Write one of down and right, or q to end",
            "Down is best",
            "2 of 2 best, 0 mistakes, 0 points lost; previously 54 lost there",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        let counts: Vec<(u32, u32, i64)> = after
            .positions
            .iter()
            .map(|position| (position.answers, position.right, position.interval))
            .collect();
        assert_eq!(counts, [(1, 1, 86_400), (1, 1, 86_400)]);

        // No position is due any more; the flag includes all.
        let (said, same) = typed(&after, "", None, false);
        assert!(
            said.contains("none of the 2 positions of the book is due yet"),
            "{said}"
        );
        assert_eq!(same, after);
        let (said, _) = typed(&after, "left\n", Some(1), true);
        assert!(said.contains("1 of 1\n"), "{said}");
    }

    #[test]
    fn a_mistake_is_asked_again_and_what_was_answered_stays_where_it_is_left() {
        let (said, after) = typed(&book(), "down\ndown\nleft\nq\n", None, false);
        assert!(
            said.contains("Down loses 51 points, a mistake: Left is best"),
            "{said}"
        );
        assert!(said.contains("3 of 3\n  2  2\n"), "{said}");
        assert_eq!(
            (after.positions[1].answers, after.positions[1].right),
            (2, 1)
        );
        let (said, after) = typed(&book(), "", None, false);
        assert!(!said.contains("best"), "{said}");
        assert_eq!(after, book());
        assert!(
            typed(&Book::default(), "", None, false)
                .0
                .contains("the book is empty")
        );
    }

    #[test]
    fn a_list_has_all_positions_as_text_and_as_json() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.ron");
        for (format, words) in [
            (Format::Text, "2 positions, 2 due"),
            (
                Format::Json,
                "\"loss\":51,\"mistake\":3,\"by_chance\":false,\"judge\":\"Best play, exactly\"",
            ),
        ] {
            let mut out = Vec::new();
            list(&book(), &path, format, &mut out).unwrap_or_else(|_| panic!("{words}"));
            let text = String::from_utf8(out).expect("text");
            assert!(text.contains(words) && text.contains("2,4/4,0"), "{text}");
        }
    }
}
