//! `play`: one game, written down.

use std::io::Write;

use serde::Serialize;

use super::args::{Format, PlayArgs};
use super::{Failure, input};
use crate::game::{Rules, Seed};
use crate::strategy::{Outcome, Player};

pub(super) fn play(args: &PlayArgs, out: &mut impl Write) -> Result<(), Failure> {
    let strategy = input::strategy(&args.strategy)?;
    let rules = Rules::default();
    strategy
        .check(rules.size)
        .map_err(|reason| Failure::usage(format!("--strategy {}: {reason}", strategy.label())))?;
    let record = Player::new(&strategy, rules).record(Seed(args.seed), 0, &strategy);
    if args.format == Format::Text {
        write!(out, "{record}")?;
        return Ok(());
    }
    let Outcome { score, moves, largest } = Outcome::of(&record);
    let board = record.replay().last().map_or(record.start, |last| last.board);
    let game = GameJson {
        strategy: strategy.to_string(),
        seed: args.seed,
        score,
        largest: largest.tile(),
        moves,
        board: board.to_string(),
        record: record.to_string(),
    };
    serde_json::to_writer(&mut *out, &game)?;
    writeln!(out)?;
    Ok(())
}

#[derive(Serialize)]
struct GameJson {
    strategy: String,
    seed: u64,
    score: u32,
    largest: u64,
    moves: u32,
    /// The last board.
    board: String,
    /// The text of the game record.
    record: String,
}
