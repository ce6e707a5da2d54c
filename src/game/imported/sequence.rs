//! Games from their positions: finds the move and the new tile between each board and the next.
//!
//! Boards may leave a move open, as two moves can lead to the same board. The word of the move settles that, if the file
//! has one. A number has no meaning of its own: the order of the numbers is the one that fits all boards of the file.

use super::actions::{self, Order};
use super::{ImportError, ImportKind, ImportPlace, Imported, Missing, Reading, refused};
use crate::game::{Board, Move, Moves, Rank, Spawn, Step};
use crate::words;

/// A position of a game, as a file states it.
pub(super) struct Frame<B = Board> {
    pub(super) place: ImportPlace,
    pub(super) board: B,
    /// The word of the move from here, in normal form.
    pub(super) action: Option<String>,
    /// The moves that the name of the action beside its number may mean.
    pub(super) named: Option<Moves>,
    /// The next board, if the file has it beside this one.
    pub(super) next: Option<B>,
    /// Points of the move.
    pub(super) reward: Option<f64>,
    /// Points before the move, or after it.
    pub(super) score: Option<f64>,
}

impl<B> Frame<B> {
    pub(super) fn at(place: ImportPlace, board: B) -> Self {
        Self {
            place,
            board,
            action: None,
            named: None,
            next: None,
            reward: None,
            score: None,
        }
    }
}

/// The positions of one game.
pub(super) struct Sequence<B = Board> {
    pub(super) frames: Vec<Frame<B>>,
    /// Points at its end.
    pub(super) score: Option<f64>,
}

/// The moves that lead from a board to the next with one new tile, or that move nothing if the boards are the same.
fn leading(from: &Board, to: &Board) -> Moves {
    if from == to {
        return Moves::from_fn(|mv| from.slide(mv).is_none());
    }
    Moves::from_fn(|mv| spawn(from, mv, to).is_some())
}

/// The new tile if this move leads to the next board.
fn spawn(from: &Board, mv: Move, to: &Board) -> Option<Spawn> {
    if from.size() != to.size() {
        return None;
    }
    let after = from.slide(mv)?.after.board();
    let mut new = to.cells().filter(|&(cell, rank)| after.get(cell) != rank);
    let (cell, rank) = new.next()?;
    let is_new = after.get(cell).is_empty()
        && [Rank::TWO, Rank::FOUR].contains(&rank)
        && new.next().is_none();
    is_new.then_some(Spawn { cell, rank })
}

/// Positions as games: another begins with a board of at most two tiles that no move leads to.
pub(super) fn split(frames: Vec<Frame>) -> Vec<Vec<Frame>> {
    let mut games: Vec<Vec<Frame>> = Vec::new();
    for frame in frames {
        let begins = match games.last().and_then(|game| game.last()) {
            None => true,
            Some(previous) => begins_anew(previous, &frame.board),
        };
        match games.last_mut().filter(|_| !begins) {
            Some(game) => game.push(frame),
            None => games.push(vec![frame]),
        }
    }
    games
}

fn begins_anew(previous: &Frame, board: &Board) -> bool {
    let tiles = board.size().cells() as u32 - board.empty_count();
    let is_start =
        board.size() == previous.board.size() && tiles <= 2 && board.max_rank() <= Rank::FOUR;
    let is_apart = next_beside(previous).is_some_and(|next| next != *board);
    is_apart || is_start && leading(&previous.board, board).is_empty()
}

/// The next board beside this one. An afterstate is none: its new tile is unknown.
fn next_beside(frame: &Frame) -> Option<Board> {
    let slides = || Move::ALL.into_iter().filter_map(|mv| frame.board.slide(mv));
    frame
        .next
        .filter(|next| slides().all(|slide| slide.after.board() != *next))
}

/// A board, and the one that the file has next.
struct Link<'a> {
    frame: &'a Frame,
    /// With its place. `None` at the end of a game.
    next: Option<(ImportPlace, Board)>,
    /// The moves that may stand here.
    moves: Moves,
}

/// The games of a file. Each has at least one move.
pub(super) fn read(kind: ImportKind, games: &[Sequence]) -> Result<Vec<Imported>, ImportError> {
    let games: Vec<(&Sequence, Vec<Link>)> = games
        .iter()
        .map(|game| Ok((game, links(&game.frames)?)))
        .collect::<Result<_, ImportError>>()?;
    let links: Vec<&Link> = games.iter().flat_map(|(_, links)| links).collect();
    let (order, note) = order_of(&links)?;
    let notes: Vec<String> = actions::sentence(&order)
        .map(|order| format!("actions, as the boards show: {order}"))
        .into_iter()
        .chain(note)
        .collect();
    games
        .iter()
        .map(|(game, links)| played(kind, game, links, &order, &notes))
        .collect()
}

fn links(frames: &[Frame]) -> Result<Vec<Link<'_>>, ImportError> {
    let mut links = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let beside = next_beside(frame).map(|board| (frame.place, board));
        let below = frames.get(index + 1).map(|next| (next.place, next.board));
        if let (Some((_, beside)), Some((place, below))) = (beside, below)
            && beside != below
        {
            return Err(refused(
                place,
                format!("this board is {below}, but the previous board names {beside} as its next"),
            ));
        }
        let next = below.or(beside);
        let Some((place, board)) = next else {
            links.push(Link {
                frame,
                next: None,
                moves: frame.named.unwrap_or(Moves::ALL),
            });
            continue;
        };

        if board.size() != frame.board.size() {
            let reason = format!(
                "this board is {}, but the previous ones are {}",
                board.size(),
                frame.board.size()
            );
            return Err(refused(place, reason));
        }
        let moves = leading(&frame.board, &board);
        if moves.is_empty() {
            let reason = format!(
                "no move and one new tile lead from {} to {board}",
                frame.board
            );
            return Err(refused(place, reason));
        }
        let named = frame.named.unwrap_or(Moves::ALL);
        let agreeing = moves & named;
        if agreeing.is_empty() {
            let shown = shown(frame, Some(board), moves);
            let reason = format!(
                "the name of the action is {}, but {shown}: correct one",
                one_of(named)
            );
            return Err(refused(frame.place, reason));
        }
        let moves = agreeing;
        links.push(Link { frame, next, moves });
    }
    match (&links[..], frames) {
        ([Link { next: None, .. }], [only]) => Err(refused(only.place, ONE_BOARD)),
        _ => Ok(links),
    }
}

const ONE_BOARD: &str = "there is one board and no turn; a game is expected: one board per line, or a board and then turns such as left 2 r1c4";

/// The order of the actions that fits all boards, and a note if several do.
fn order_of(links: &[&Link]) -> Result<(Order, Option<String>), ImportError> {
    let mut words: Vec<String> = Vec::new();
    let mut places = Vec::new();
    for link in links {
        if let Some(word) = link
            .frame
            .action
            .as_ref()
            .filter(|word| !words.contains(word))
        {
            // Five are refused, and so are more.
            if words.len() == 5 {
                break;
            }
            words.push(word.clone());
            places.push(link.frame.place);
        }
    }
    if words.is_empty() {
        return Ok((Order::new(), None));
    }

    let orders = actions::orders(&words).map_err(|(word, reason)| refused(places[word], reason))?;
    let contradiction = |order: &Order| {
        links.iter().position(|link| {
            let mv = link
                .frame
                .action
                .as_ref()
                .and_then(|word| actions::meaning(order, word));
            mv.is_some_and(|mv| !link.moves.contains(mv))
        })
    };
    let contradictions: Vec<Option<usize>> = orders.iter().map(contradiction).collect();
    let mut fitting = orders
        .iter()
        .zip(&contradictions)
        .filter(|(_, contradiction)| contradiction.is_none());
    if let Some((order, _)) = fitting.next() {
        let taken = actions::sentence(order).unwrap_or_default();
        let note = fitting.next().map(|_| {
            format!("the boards fit several orders of the actions; this one is assumed: {taken}")
        });
        return Ok((order.clone(), note));
    }

    // The order that gets furthest shows the first place where every one is wrong.
    let furthest = contradictions.iter().flatten().max().copied().unwrap_or(0);
    let order = orders
        .iter()
        .zip(&contradictions)
        .find(|(_, contradiction)| **contradiction == Some(furthest));
    let (link, order) = (
        links[furthest],
        order.map(|(order, _)| order.clone()).unwrap_or_default(),
    );
    let word = link.frame.action.clone().unwrap_or_default();
    let meant = actions::meaning(&order, &word).map_or("", Move::name);
    let action = match actions::sentence(&order) {
        None => format!("the action is {word}"),
        Some(_) if orders.len() == 1 => format!("the action {word} is {meant}"),
        Some(said) => {
            format!(
                "no order of the actions fits: by the previous boards, {said}; here the action is {word}"
            )
        }
    };
    let shown = shown(link.frame, link.next.map(|(_, next)| next), link.moves);
    let remedy = if orders.len() == 1 {
        ": are the boards stored by columns?"
    } else {
        ""
    };
    Err(refused(
        link.frame.place,
        format!("{action}, but {shown}{remedy}"),
    ))
}

/// `left or right`
fn one_of(moves: Moves) -> String {
    moves
        .iter()
        .map(Move::name)
        .collect::<Vec<_>>()
        .join(" or ")
}

/// What a file shows of a move besides its word: the boards, or its name.
fn shown(frame: &Frame, next: Option<Board>, moves: Moves) -> String {
    match next {
        Some(next) if next == frame.board => {
            format!("{next} does not change, which is {}", one_of(moves))
        }
        Some(next) => format!(
            "the move from {} to {next} is {}",
            frame.board,
            one_of(moves)
        ),
        None => format!("its name is {}", one_of(moves)),
    }
}

/// One game, by the order of the actions.
fn played(
    kind: ImportKind,
    game: &Sequence,
    links: &[Link],
    order: &Order,
    notes: &[String],
) -> Result<Imported, ImportError> {
    let start = links
        .first()
        .ok_or_else(|| refused(None, ONE_BOARD))?
        .frame
        .board;
    let mut reading = Reading::begin(start);
    let mut notes = notes.to_vec();
    let (mut still, mut rewards) = (0, Vec::new());
    // Points of a slide at the end whose new tile is unknown.
    let mut last = 0;
    for link in links {
        let before = reading.at.score;
        let mv = link
            .frame
            .action
            .as_ref()
            .and_then(|word| actions::meaning(order, word));
        match link.next {
            Some((_, next)) if next == link.frame.board => still += 1,
            Some((place, next)) => {
                let mut leading = link.moves.iter();
                let open = leading.next();
                let mv = mv.or(open).filter(|mv| link.moves.contains(*mv));
                let step = mv.and_then(|mv| Some(Step { mv, spawn: spawn(&link.frame.board, mv, &next)? }));
                let step = step.ok_or_else(|| refused(place, format!("no move leads to {next}")))?;
                reading.play(step).map_err(|reason| refused(place, reason))?;
                let others: Vec<String> = leading.map(|mv| mv.to_string()).collect();
                if !others.is_empty() && link.frame.action.is_none() {
                    let (mv, others) = (step.mv, words::list(&others));
                    notes.push(format!("{place}: {mv} and {others} lead to the same board; {mv} is assumed"));
                }
            }
            None => notes.extend(mv.map(|mv| {
                let after = link.frame.board.slide(mv);
                let Some(slide) = after else {
                    return format!("{}: the last action, {}, moves nothing: left out", link.frame.place, mv.name());
                };
                last = u64::from(slide.reward);
                let points = words::plural(last, "point");
                format!(
                    "{}: the last action, {}, leads to {} with {points}; left out, because its new tile is unknown",
                    link.frame.place,
                    mv.name(),
                    slide.after.board()
                )
            })),
        }
        if link.next.is_some() {
            rewards.push((link.frame, reading.at.score - before));
        }
    }

    if still != 0 {
        notes.push(format!(
            "{} that moved nothing: left out",
            words::plural(still, "action")
        ));
    }
    notes.extend(wrong_rewards(&rewards));
    let scores = scores(links, &rewards, last);
    if let Scores::Contradict(place) = scores {
        notes.push(format!(
            "{place}: the score is not that of the moves; scores of the file are ignored"
        ));
    }
    let first = if let Scores::From(first) = scores {
        first
    } else {
        0
    };
    let reached = first + reading.at.score;
    if let Some(score) = game.score.filter(|&score| {
        ![reached, reached + last]
            .map(|sum| sum as f64)
            .contains(&score)
    }) {
        let reached = words::count(reached);
        notes.push(format!(
            "the file states a score of {score}, but its moves make {reached}"
        ));
    }

    let has_score = game.score.is_some() || matches!(scores, Scores::From(_));
    let missing = [
        Some(Missing::Spawns),
        (!has_score).then_some(Missing::Score),
        Some(Missing::Seed),
    ];
    Ok(reading.finish_from(kind, notes, first, missing.into_iter().flatten().collect()))
}

/// A note if rewards of the file are not the points of the moves.
fn wrong_rewards(rewards: &[(&Frame, u64)]) -> Option<String> {
    let given = rewards
        .iter()
        .filter_map(|&(frame, points)| Some((frame.place, frame.reward?, points)));
    let mut wrong = given.filter(|&(_, reward, points)| reward != points as f64);
    let (place, reward, points) = wrong.next()?;
    let count = words::plural(1 + wrong.count() as u64, "reward");
    let points = words::plural(points, "point");
    Some(format!(
        "{place}: the reward is {reward}, but the move makes {points}; {count} like this ignored"
    ))
}

/// What the scores of a file say.
#[derive(Clone, Copy)]
enum Scores {
    Missing,
    /// They follow from the moves if the game begins with this score.
    From(u64),
    Contradict(ImportPlace),
}

/// The largest score up to which floating-point numbers are exact.
const MAX_SCORE: f64 = 9_007_199_254_740_992.0;

/// The scores stand before each move, or after it. `last` are the points of a slide that is left out.
fn scores(links: &[Link], rewards: &[(&Frame, u64)], last: u64) -> Scores {
    let mut sum = 0;
    let mut points = rewards.iter().map(|&(_, points)| points);
    let given: Vec<(ImportPlace, f64, [u64; 2])> = links
        .iter()
        .filter_map(|link| {
            let before = sum;
            sum += points.next().unwrap_or(last);
            Some((link.frame.place, link.frame.score?, [before, sum]))
        })
        .collect();
    let Some(&(first_place, first, sums)) = given.first() else {
        return Scores::Missing;
    };

    let misfit = |side: usize, offset: f64| {
        given
            .iter()
            .find(|(_, score, sums)| *score != sums[side] as f64 + offset)
    };
    let fitting = [0, 1].into_iter().filter_map(|side| {
        let offset = first - sums[side] as f64;
        let is_score = (0.0..=MAX_SCORE).contains(&offset) && offset.fract() == 0.0;
        (is_score && misfit(side, offset).is_none()).then_some(offset as u64)
    });
    let fitting: Vec<u64> = fitting.collect();
    // A score may fit before its move and after it. Most games begin without points.
    if let Some(&score) = fitting
        .iter()
        .find(|&&score| score == 0)
        .or(fitting.first())
    {
        return Scores::From(score);
    }
    let misfit = misfit(0, first - sums[0] as f64);
    Scores::Contradict(misfit.map_or(first_place, |&(place, ..)| place))
}
