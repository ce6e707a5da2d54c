//! The same decisions by this program and by another one, in turn, on one core.
//!
//! ```text
//! cargo bench --bench peers -- ./nneonneo                          3, 5 and 7 plies and Xiao's rule, three rounds each
//! cargo bench --bench peers -- ./nneonneo expectimax_5 --rounds 5
//! ```
//!
//! Both decide on the 48 positions of `assets/boards48.txt`, to the same depth and with the same least reach
//! probability, with empty tables at every position. A round is two seconds of CPU time for each, one program after the
//! other. The result is the ratio of the times, because both run on the same computer.
//!
//! # Protocol
//!
//! The peer starts without arguments and reads its standard input to the end:
//!
//! ```text
//! 1347023501231001 5 0.0001      board, plies, least probability of reach: one line per position
//! 1278013410130002 7 0.0001
//! go 40                          decide on all of them, 40 times over, then forget them
//! ```
//!
//! A board is sixteen ranks as hexadecimal digits in reading order. Plies are slides and spawns: 5 plies are three
//! slides and the two spawns between them. An afterstate with a smaller probability than the last number is evaluated
//! at once. The answer to `go` is one line for each position, in order, whose first word is `up`, `down`, `left`,
//! `right` or `none`, and then one line with the CPU time in seconds of all these decisions. `nneonneo.cpp` beside this
//! file implements the protocol for nneonneo/2048-ai.

use std::path::PathBuf;
use std::time::Duration;

use afterstate::game::{Board, Move, Rules};
use afterstate::program::Session;
use afterstate::search::SearchOptions;
use afterstate::strategy::{Observer, Player, Strategy};
use afterstate::task::cpu_time;
use anyhow::{Context as _, anyhow};
use clap::Parser;

const BOARDS: &str = include_str!("../../assets/boards48.txt");

/// The reach probability below which both programs evaluate an afterstate at once.
const LEAST_REACH: &str = "0.0001";

/// The names of `afterstate bench`, and the plies of each.
const SUITES: [(&str, &str); 4] = [
    ("expectimax_3", "Fixed(3)"),
    ("expectimax_5", "Fixed(5)"),
    ("expectimax_7", "Fixed(7)"),
    ("xiao", "ByDistinct()"),
];

/// CPU time of each program in a round.
const ROUND_TIME: Duration = Duration::from_secs(2);

/// How long the peer may take for one `go`, which is two seconds of work.
const PATIENCE: Duration = Duration::from_secs(600);

/// Compare the speed of searches with another program
#[derive(Parser)]
struct Args {
    /// Program that speaks the protocol at the top of benches/peers/main.rs
    peer: PathBuf,
    /// Suites to compare [default: all]
    #[arg(value_parser = SUITES.map(|(name, _)| name))]
    suites: Vec<String>,
    /// Rounds per suite
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Cargo passes this flag to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let program = args
        .peer
        .to_str()
        .context("the path of the peer is not valid Unicode")?;
    let mut peer = Peer(Session::open(&[program.to_owned()])?);
    let boards: Vec<Board> = BOARDS
        .split_whitespace()
        .map(Board::of_digits)
        .collect::<Option<_>>()
        .context("assets/boards48.txt has another board")?;

    println!("suite         µs per decision  of the peer  ratio  same moves  rounds");
    for (name, plies) in SUITES {
        if args.suites.is_empty() || args.suites.iter().any(|suite| suite == name) {
            println!("{}", compare(name, plies, &boards, args.rounds, &mut peer)?);
        }
    }
    Ok(())
}

/// One line of the table.
fn compare(
    name: &str,
    plies: &str,
    boards: &[Board],
    rounds: u32,
    peer: &mut Peer,
) -> anyhow::Result<String> {
    let strategy: Strategy = format!(
        "(criteria: [(evaluator: Lines(), lookahead: Expectimax(plies: {plies}, dead: Zero, cuts: [Reach({LEAST_REACH})]))], \
         last_resort: First)"
    )
    .parse()?;
    let player = Player::new(&strategy, Rules::default());
    let questions = questions(&strategy, boards)?;

    // The first pass builds tables and touches pages. The second gives the number of passes in a round.
    let own = decide(&player, boards, 1);
    let own_passes = passes(decide(&player, boards, 1).seconds);
    let theirs = peer.decide(&questions, 1)?;
    let their_passes = passes(theirs.seconds);

    let (mut seconds, mut seconds_of_peer, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let own = decide(&player, boards, own_passes).seconds / f64::from(own_passes);
        let their = peer.decide(&questions, their_passes)?.seconds / f64::from(their_passes);
        seconds.push(own);
        seconds_of_peer.push(their);
        ratios.push(their / own);
    }

    let same_moves = own
        .moves
        .iter()
        .zip(&theirs.moves)
        .filter(|(one, other)| one == other)
        .count();
    let micros = |seconds: &[f64]| median(seconds) / boards.len() as f64 * 1e6;
    let each: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
    Ok(format!(
        "{name:<12}  {:>15.1}  {:>11.1}  {:>5.2}  {:>10}  {}",
        micros(&seconds),
        micros(&seconds_of_peer),
        median(&ratios),
        format!("{same_moves} of {}", boards.len()),
        each.join(" ")
    ))
}

/// The moves of one pass over the positions, and the CPU seconds of all passes.
struct Pass {
    moves: Vec<Option<Move>>,
    seconds: f64,
}

/// Starts every search with an empty table, as the peer does.
struct Fresh;

impl Observer for Fresh {
    type Recorder = ();

    const CLEAN: bool = true;
    const IS_BLIND: bool = true;
}

fn decide(player: &Player, boards: &[Board], passes: u32) -> Pass {
    let start = cpu_time();
    let mut moves = Vec::new();
    for _ in 0..passes {
        moves = player.decide_each(boards, SearchOptions::default(), &mut Fresh);
    }
    Pass {
        moves,
        seconds: cpu_time().saturating_sub(start).as_secs_f64(),
    }
}

/// How many passes of this length fill a round, at least one.
fn passes(seconds: f64) -> u32 {
    (ROUND_TIME.as_secs_f64() / seconds.max(1e-6)).ceil() as u32
}

/// The upper median of at least one number.
fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// One line per position.
fn questions(strategy: &Strategy, boards: &[Board]) -> anyhow::Result<Vec<String>> {
    let plies = strategy.criteria[0]
        .lookahead
        .plies()
        .context("every suite searches to a depth")?;
    let question = |board: &Board| {
        let digits: Option<String> = board
            .cells()
            .map(|(_, rank)| char::from_digit(u32::from(rank.get()), 16))
            .collect();
        let digits = digits.context("every tile fits a hexadecimal digit")?;
        Ok(format!("{digits} {} {LEAST_REACH}", plies.for_board(board)))
    };
    boards.iter().map(question).collect()
}

/// The other program. It ends with this one.
struct Peer(Session);

impl Peer {
    fn decide(&mut self, questions: &[String], passes: u32) -> anyhow::Result<Pass> {
        let request = format!("{}\ngo {passes}\n", questions.join("\n"));
        let mut lines = self.0.ask_for(request, questions.len() + 1, PATIENCE)?;
        let last = lines.pop().context("the peer answered nothing")?;
        let seconds: f64 = last
            .trim()
            .parse()
            .map_err(|_| anyhow!("the peer answered \"{last}\" in place of its CPU seconds"))?;
        anyhow::ensure!(
            seconds.is_finite() && 0.0 <= seconds,
            "the peer answered {seconds} CPU seconds"
        );
        Ok(Pass {
            moves: lines
                .iter()
                .map(|line| read_move(line))
                .collect::<Result<_, _>>()?,
            seconds,
        })
    }
}

fn read_move(line: &str) -> anyhow::Result<Option<Move>> {
    match line.split_whitespace().next() {
        Some("none") => Ok(None),
        word => Move::ALL
            .into_iter()
            .find(|mv| Some(mv.name()) == word)
            .map(Some)
            .ok_or_else(|| {
                anyhow!("the peer answered \"{line}\" in place of up, down, left, right or none")
            }),
    }
}
