//! `bench`: how fast one core plays.
//!
//! Each suite plays games 0, 1, 2 … of seed 1 on this thread for about two seconds. Time is the CPU time of the thread,
//! so that other work on the machine does not count.

use std::io::Write;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

use super::Failure;
use super::args::{BenchArgs, Format};
use crate::game::{Rules, Seed};
use crate::strategy::{Player, Strategy};
use crate::words;

/// CPU time of a suite.
const SUITE_TIME: Duration = Duration::from_secs(2);

/// Games between two looks at the clock: some milliseconds.
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
    /// Slides of all games.
    #[serde(skip)]
    moves: u64,
}

pub(super) fn bench(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    let suites = vec![games("random_games", "r")?, games("emr_games", "emr")?];
    if args.format == Format::Json {
        serde_json::to_writer(&mut *out, &BenchJson { suites })?;
        writeln!(out)?;
        return Ok(());
    }
    let mut table = super::run::plain_table();
    table.set_header(["suite", "count", "CPU s", "per s", "moves per s"]);
    for suite in &suites {
        table.add_row([
            suite.name.to_owned(),
            format!("{} {}", words::count(suite.count), suite.unit),
            format!("{:.2}", suite.cpu_seconds),
            words::decimals(suite.per_second, 0),
            words::decimals(suite.moves as f64 / suite.cpu_seconds, 0),
        ]);
    }
    super::run::align_numbers(&mut table, 1..=4);
    write!(out, "{}", super::run::printed(&table))?;
    Ok(())
}

fn games(name: &'static str, letters: &str) -> Result<Suite, Failure> {
    let strategy: Strategy = letters.parse()?;
    let player = Player::new(&strategy, Rules::default());
    let seed = Seed(1);
    // Tables are built by the first game, outside the measurement.
    player.play(&seed.game(0));
    let (mut count, mut moves) = (0, 0);
    let start = cpu_time();
    let elapsed = loop {
        for index in count..count + GAMES_A_LOOK {
            moves += u64::from(player.play(&seed.game(index)).moves);
        }
        count += GAMES_A_LOOK;
        let elapsed = cpu_time().saturating_sub(start);
        if SUITE_TIME <= elapsed {
            break elapsed;
        }
    };
    let cpu_seconds = elapsed.as_secs_f64();
    Ok(Suite { name, unit: "games", count, cpu_seconds, per_second: count as f64 / cpu_seconds, moves })
}

/// CPU time of this thread since it began.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
