//! `bench`: how fast one core plays.
//!
//! Each suite plays games 0, 1, 2 … of seed 1 on this thread for about two seconds, whole games, or decides on the boards
//! of a file. Time is the CPU time of the thread, so that other work on the machine does not count.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::Failure;
use super::args::BenchArgs;
use super::suites::{SUITES, Work};
use super::table::{json_line, table};
use super::values::Format;
use crate::game::{Board, Rules, Seed};
use crate::search::SearchOptions;
use crate::strategy::{Player, Strategy};
use crate::task::cpu_time;
use crate::words;

const SUITE_TIME: Duration = Duration::from_secs(2);

/// Games without a search between two looks at the clock: some milliseconds.
const GAMES_A_LOOK: u64 = 200;

#[derive(Serialize)]
struct BenchJson {
    suites: Vec<Suite>,
}

#[derive(Serialize)]
struct Suite {
    name: &'static str,
    unit: &'static str,
    count: u64,
    cpu_seconds: f64,
    per_second: f64,
    decisions: u64,
    decisions_per_second: f64,
    /// Nodes of the searches, leaves included; 0 where nothing is searched.
    nodes: u64,
    nodes_per_second: f64,
    /// Slides tried, four at each board to move of a search, legal or not: what peers call moves generated.
    slides_tried: u64,
    slides_tried_per_second: f64,
}

pub(super) fn bench(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut suites = Vec::new();
    for (name, work) in SUITES {
        if args.suite.is_empty() || args.suite.iter().any(|asked| asked == name) {
            suites.push(work.measured(name)?);
        }
    }
    if args.format == Format::Json {
        return Ok(json_line(out, &BenchJson { suites })?);
    }
    let header = ["suite", "count", "CPU s", "per s", "decisions per s", "nodes per s", "slides per s"];
    let searched = |rate: f64| if rate == 0.0 { "–".to_owned() } else { words::decimals(rate, 0) };
    let rows = suites.iter().map(|suite| {
        [
            suite.name.to_owned(),
            format!("{} {}", words::count(suite.count), suite.unit),
            format!("{:.2}", suite.cpu_seconds),
            words::decimals(suite.per_second, if suite.per_second < 100.0 { 2 } else { 0 }),
            words::decimals(suite.decisions_per_second, 0),
            searched(suite.nodes_per_second),
            searched(suite.slides_tried_per_second),
        ]
    });
    Ok(write!(out, "{}", table(header, rows, 1..=6))?)
}

/// Positions of strong play, one rank a hexadecimal digit in reading order.
const BOARDS: &str = include_str!("../../assets/boards48.txt");

impl Work {
    fn measured(&self, name: &'static str) -> Result<Suite, Failure> {
        let (Self::Games(text) | Self::Boards(text)) = self;
        let strategy: Strategy = text.parse()?;
        let player = Player::new(&strategy, Rules::default());
        match self {
            Self::Games(_) => Ok(games(name, &player)),
            Self::Boards(_) => {
                let boards = BOARDS.split_whitespace().map(str::parse).collect::<Result<Vec<Board>, _>>()?;
                Ok(decisions(name, &player, &boards))
            }
        }
    }
}

/// Whole games, however long the last one is.
fn games(name: &'static str, player: &Player) -> Suite {
    // Games of a search take long enough to look at the clock after each.
    let games_a_look = if player.searches() { 1 } else { GAMES_A_LOOK };
    let mut next = 0;
    Suite::measured(name, "games", player, || {
        let games = next..next + games_a_look;
        next = games.end;
        let moves = |index| player.play(&Seed(1).game(index), SearchOptions::default(), &mut ()).moves;
        [games_a_look, games.map(|index| u64::from(moves(index))).sum()]
    })
}

/// All boards in turn, at least once. Nothing is kept from one round to the next but the transposition table, which is
/// too small to hold a round.
fn decisions(name: &'static str, player: &Player, boards: &[Board]) -> Suite {
    Suite::measured(name, "rounds", player, || {
        for board in boards {
            player.decide(board, 0, |_| 0, SearchOptions::default(), &mut ());
        }
        [1, boards.len() as u64]
    })
}

impl Suite {
    /// Repeats `work`, which says how many units and decisions it was, for [`SUITE_TIME`].
    fn measured(name: &'static str, unit: &'static str, player: &Player, mut work: impl FnMut() -> [u64; 2]) -> Self {
        // Tables are built by the first decision, outside the measurement.
        player.decide(&Seed(1).game(0).opening(&Rules::default()), 0, |_| 0, SearchOptions::default(), &mut ());
        let before = [player.nodes(), player.slides_tried()];
        let (mut count, mut decisions) = (0, 0);
        let start = cpu_time();
        let elapsed = loop {
            let [done, decided] = work();
            (count, decisions) = (count + done, decisions + decided);
            let elapsed = cpu_time().saturating_sub(start);
            if SUITE_TIME <= elapsed {
                break elapsed;
            }
        };
        let cpu_seconds = elapsed.as_secs_f64();
        let (nodes, slides_tried) = (player.nodes() - before[0], player.slides_tried() - before[1]);
        Self {
            name,
            unit,
            count,
            cpu_seconds,
            per_second: count as f64 / cpu_seconds,
            decisions,
            decisions_per_second: decisions as f64 / cpu_seconds,
            nodes,
            nodes_per_second: nodes as f64 / cpu_seconds,
            slides_tried,
            slides_tried_per_second: slides_tried as f64 / cpu_seconds,
        }
    }
}
