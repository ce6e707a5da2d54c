//! `play`: one game, saved as a record.

use std::io::Write;

use serde::Serialize;

use super::args::PlayArgs;
use super::interrupt::Interrupt;
use super::table::json_line;
use super::values::Format;
use super::{Failure, estimate, input};
use crate::experiment::Plan;
use crate::game::{Record, Rules, Seed};
use crate::preset::Preset;
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, Outcome, Player, Strategy};
use crate::words;

pub(super) fn play(args: &PlayArgs, out: &mut impl Write) -> Result<(), Failure> {
    let strategy = input::strategy(&args.strategy)?;
    let rules = Rules {
        p4: args.p4,
        size: args.size,
        ..Rules::default()
    };
    strategy
        .check_for(rules)
        .map_err(|reason| Failure::usage(format!("--strategy {}: {reason}", strategy.label())))?;
    let player = Player::new(&strategy, rules);
    let interrupt = player.searches().then(Interrupt::catch);
    if interrupt.is_some() {
        let preset = Preset {
            rules,
            ..Preset::new("", [strategy.clone()])
        };
        let plan = Plan {
            games: 1,
            threads: Some(1),
            ..Plan::of_preset(&preset)
        };
        estimate::announce(&plan, "stops it and prints the game so far");
    }

    let _busy = interrupt.as_ref().map(Interrupt::busy);
    let options = interrupt
        .as_ref()
        .map_or_else(SearchOptions::default, |one| {
            SearchOptions::on_one_core(&one.stop)
        });
    let record = GameTrace::record(&player, Seed(args.seed), args.game, &strategy, options);
    write_game(args, &strategy, &record, out)?;
    let is_over = record
        .replay()
        .last()
        .is_none_or(|last| last.board.is_dead());
    if is_over {
        return Ok(());
    }
    let moves = words::plural(record.steps.len() as u64, "move");
    Err(Failure::Stopped(format!(
        " after {moves}; the game so far is printed"
    )))
}

fn write_game(
    args: &PlayArgs,
    strategy: &Strategy,
    record: &Record,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if args.format == Format::Text {
        write!(out, "{record}")?;
        return Ok(out.flush()?);
    }

    let Outcome {
        score,
        moves,
        largest,
    } = Outcome::of(record);
    let board = record
        .replay()
        .last()
        .map_or(record.start, |last| last.board);
    let game = GameJson {
        strategy: strategy.to_string(),
        seed: args.seed,
        game: args.game,
        score,
        largest: largest.tile(),
        moves,
        board: board.to_string(),
        record: record.to_string(),
    };
    json_line(out, &game)?;
    Ok(out.flush()?)
}

#[derive(Serialize)]
struct GameJson {
    strategy: String,
    seed: u64,
    game: u64,
    score: u32,
    largest: u64,
    moves: u32,
    board: String,
    record: String,
}
