//! `bench --against PROGRAM`: the same decisions by this program and by another one, in turn.
//!
//! Both decide on the 48 positions of strong play that `bench xiao` knows, as deep and with the same least probability of
//! reach, on one core, from empty tables at every position. A round is one after the other, each for about two seconds of
//! CPU time; what counts is the ratio, since both meet the same machine.
//!
//! # What the other program is asked
//!
//! It is started without arguments and reads its standard input until that ends:
//!
//! ```text
//! 1347023501231001 5 0.0001      board, plies, least probability of reach: one line a position
//! 1278013410130002 7 0.0001
//! go 40                          decide on all of them, 40 times over, then forget them
//! ```
//!
//! A board is sixteen ranks as hexadecimal digits in reading order; plies are slides and spawns, so that 5 are three slides
//! and the two spawns between them; afterstates less probable than the last number are evaluated where they stand. It
//! answers `go` with one line for each position, in their order, whose first word is `up`, `down`, `left`, `right` or `none`,
//! and then one line with the seconds of CPU time that all the decisions took:
//!
//! ```text
//! left
//! down
//! 0.0131
//! ```
//!
//! `benches/peers/nneonneo.cpp` answers so for nneonneo/2048-ai, in whose folder it is compiled; other programs need as few
//! lines.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::suites::{SUITES, Work, boards48};
use super::table::{json_line, table};
use super::terminal::tell;
use super::values::Format;
use super::{Failure, interrupt};
use crate::game::{Board, Move, Rules};
use crate::program::{ProgramError, Session};
use crate::search::SearchOptions;
use crate::strategy::{Observer, Player, Strategy};
use crate::task::cpu_time;
use crate::words;

/// CPU time of each program in a round.
const ROUND_TIME: Duration = Duration::from_secs(2);

/// How long the other program may take for the answers to one `go`: it is asked for two seconds of work, by its own account.
const PATIENCE: Duration = Duration::from_secs(600);

/// What is compared where no suite is named.
pub(super) const COMPARED: [&str; 4] = ["expectimax_3", "expectimax_5", "expectimax_7", "xiao"];

#[derive(Serialize)]
struct AgainstJson<'a> {
    against: &'a str,
    suites: Vec<Compared>,
}

#[derive(Serialize)]
struct Compared {
    name: &'static str,
    positions: usize,
    /// At how many of them both choose the same move.
    same_moves: usize,
    rounds: Vec<Round>,
    /// How many times as fast this program is, in the median round.
    ratio: f64,
}

/// CPU seconds for one pass over the positions.
#[derive(Clone, Copy, Serialize)]
struct Round {
    seconds: f64,
    seconds_of_other: f64,
    ratio: f64,
}

pub(super) fn against(
    program: &Path,
    suites: &[String],
    rounds: u32,
    format: Format,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if let Some(other) = suites.iter().find(|suite| !COMPARED.contains(&suite.as_str())) {
        let names = COMPARED.map(str::to_owned);
        return Err(Failure::usage(format!("{other} cannot be compared: --against knows {}", words::list(&names))));
    }
    let boards = boards48()?;
    let mut peer = Peer::start(program)?;
    let mut compared = Vec::new();
    for (name, work) in SUITES {
        let is_asked =
            if suites.is_empty() { COMPARED.contains(name) } else { suites.iter().any(|asked| asked == name) };
        let (true, Work::Games(text) | Work::Boards(text)) = (is_asked, work) else { continue };
        tell(&format!(
            "{name}: {} of about {} seconds each …",
            words::plural(u64::from(rounds), "round"),
            2 * ROUND_TIME.as_secs()
        ));
        compared.push(Compared::of(name, &text.parse()?, &boards, rounds, &mut peer)?);
    }
    if format == Format::Json {
        let against = program.to_string_lossy();
        return Ok(json_line(out, &AgainstJson { against: &against, suites: compared })?);
    }
    let header = ["suite", "µs a decision", "of the other", "ratio", "rounds", "same moves"];
    let rows = compared.iter().map(Compared::row);
    Ok(write!(out, "{}", table(header, rows, 1..=3))?)
}

impl Compared {
    fn of(
        name: &'static str,
        strategy: &Strategy,
        boards: &[Board],
        rounds: u32,
        peer: &mut Peer,
    ) -> Result<Self, Failure> {
        let player = Player::new(strategy, Rules::default());
        let questions = questions(strategy, boards);
        // Tables are built and pages are touched by the first pass, which says how many passes are a round.
        let moves = decide(&player, boards, 1).moves;
        let own_times = times(decide(&player, boards, 1).seconds);
        let theirs = peer.decide(&questions, 1)?;
        let their_times = times(theirs.seconds);
        let mut measured = Vec::new();
        for _ in 0..rounds {
            let seconds = decide(&player, boards, own_times).seconds / f64::from(own_times);
            let seconds_of_other = peer.decide(&questions, their_times)?.seconds / f64::from(their_times);
            measured.push(Round { seconds, seconds_of_other, ratio: seconds_of_other / seconds });
        }
        let same_moves = moves.iter().zip(&theirs.moves).filter(|(one, other)| one == other).count();
        let ratio = median(measured.iter().map(|round| round.ratio).collect());
        Ok(Self { name, positions: boards.len(), same_moves, rounds: measured, ratio })
    }

    fn row(&self) -> [String; 6] {
        let micros = |seconds: fn(&Round) -> f64| {
            let median = median(self.rounds.iter().map(seconds).collect());
            words::decimals(median / self.positions as f64 * 1e6, 1)
        };
        let rounds: Vec<String> = self.rounds.iter().map(|round| format!("{:.2}", round.ratio)).collect();
        [
            self.name.to_owned(),
            micros(|round| round.seconds),
            micros(|round| round.seconds_of_other),
            format!("{:.2}", self.ratio),
            rounds.join(" "),
            format!("{} of {}", self.same_moves, self.positions),
        ]
    }
}

/// What deciding on all positions some times over came to.
struct Pass {
    moves: Vec<Option<Move>>,
    seconds: f64,
}

/// Begins every search with an empty table, as the other program is taken to do.
struct Afresh;

impl Observer for Afresh {
    type Recorder = ();

    const CLEAN: bool = true;
    const IS_BLIND: bool = true;
}

fn decide(player: &Player, boards: &[Board], times: u32) -> Pass {
    let start = cpu_time();
    let mut moves = Vec::new();
    for _ in 0..times {
        moves = player.decide_each(boards, SearchOptions::default(), &mut Afresh);
    }
    Pass { moves, seconds: cpu_time().saturating_sub(start).as_secs_f64() }
}

/// How often a pass of so many seconds fits into a round, at least once.
fn times(seconds: f64) -> u32 {
    (ROUND_TIME.as_secs_f64() / seconds.max(1e-6)).ceil() as u32
}

/// Of at least one number.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// One line a position: board, plies and least reach of the one criterion that all [`COMPARED`] suites have.
fn questions(strategy: &Strategy, boards: &[Board]) -> Vec<String> {
    let Some(lookahead) = strategy.criteria.first().map(|criterion| &criterion.lookahead) else { return Vec::new() };
    let line = |board: &Board| {
        let plies = lookahead.plies()?.for_board(board);
        let digits =
            board.cells().map(|(_, rank)| char::from_digit(u32::from(rank.get()), 16)).collect::<Option<String>>()?;
        Some(format!("{digits} {plies} {}", lookahead.threshold().unwrap_or(0.0)))
    };
    boards.iter().filter_map(line).collect()
}

/// The other program, which ends with this one.
struct Peer(Session);

impl Peer {
    fn start(program: &Path) -> Result<Self, Failure> {
        interrupt::end_programs_first();
        let name = program.to_str().ok_or_else(|| Failure::could("the path of the other program is no text"))?;
        Session::open(&[name.to_owned()]).map(Self).map_err(|error| failed(&error))
    }

    fn decide(&mut self, questions: &[String], times: u32) -> Result<Pass, Failure> {
        let asked = format!("{}\ngo {times}\n", questions.join("\n"));
        let mut lines = self.0.ask_for(asked, questions.len() + 1, PATIENCE).map_err(|error| failed(&error))?;
        let line = lines.pop().unwrap_or_default();
        let seconds = line.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite() && 0.0 <= *seconds);
        let moves = lines.into_iter().map(|line| self.mv(line)).collect::<Result<_, _>>()?;
        let seconds = seconds.ok_or_else(|| failed(&self.0.wrong(line, "number of seconds".to_owned())))?;
        Ok(Pass { moves, seconds })
    }

    fn mv(&self, line: String) -> Result<Option<Move>, Failure> {
        let word = line.split_whitespace().next();
        match word.and_then(|word| Move::ALL.into_iter().find(|mv| mv.name() == word)) {
            None if word != Some("none") => {
                let expected = "line that begins with a move: up, down, left, right or none".to_owned();
                Err(failed(&self.0.wrong(line, expected)))
            }
            mv => Ok(mv),
        }
    }
}

fn failed(error: &ProgramError) -> Failure {
    Failure::could(format!("{error}; what is asked and answered stands in the README"))
}
