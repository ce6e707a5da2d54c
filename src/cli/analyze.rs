//! `analyze`: the decision of a strategy on a board, with everything that led to it.

use std::io::Write;

use serde::Serialize;

use super::Failure;
use super::args::{AnalyzeArgs, Format};
use super::input::{self, BoardFailure};
use crate::game::{Move, Moves, Rules, Seed};
use crate::strategy::{Decision, Player, Strategy};
use crate::words;

pub(super) fn analyze(args: &AnalyzeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let strategy = input::strategy(&args.strategy)?;
    let mut compiled: Option<Player> = None;
    let mut first = true;
    input::for_each_board(&args.board, out, |out, board, score| {
        let rules = Rules { size: board.size(), p4: args.p4, ..Rules::default() };
        // Boards of one size share a player.
        let player = match compiled.take() {
            Some(player) if player.rules() == rules => player,
            _ => {
                strategy
                    .check(rules.size)
                    .map_err(|reason| BoardFailure::Misfit(format!("--strategy {}: {reason}", strategy.label())))?;
                Player::new(&strategy, rules)
            }
        };
        let seed = Seed(args.seed).game(0);
        let decision = player.decide(&board, score, |n| seed.tie(0, n));
        compiled = Some(player);
        match args.format {
            Format::Json => {
                serde_json::to_writer(&mut *out, &DecisionJson::of(&decision))?;
                writeln!(out)?;
            }
            Format::Text => {
                if !std::mem::take(&mut first) {
                    writeln!(out)?;
                }
                write!(out, "{}", text(&decision, &strategy))?;
            }
        }
        Ok(())
    })
}

#[derive(Serialize)]
struct DecisionJson {
    board: String,
    score: u64,
    moves: Vec<MoveJson>,
    kept: Vec<Vec<&'static str>>,
    choice: Vec<&'static str>,
    #[serde(rename = "move")]
    chosen: Option<&'static str>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: &'static str,
    legal: bool,
    reward: Option<u32>,
    afterstate: Option<String>,
    values: Vec<Option<f64>>,
    fell_at: Option<usize>,
}

impl DecisionJson {
    fn of(decision: &Decision) -> Self {
        let names = |moves: Moves| moves.iter().map(Move::name).collect();
        let moves = decision.moves.iter().map(|(mv, candidate)| match candidate {
            Some(candidate) => MoveJson {
                mv: mv.name(),
                legal: true,
                reward: Some(candidate.reward),
                afterstate: Some(candidate.after.to_string()),
                values: candidate.values.clone(),
                fell_at: candidate.fell_at,
            },
            None => MoveJson {
                mv: mv.name(),
                legal: false,
                reward: None,
                afterstate: None,
                values: vec![None; decision.kept.len()],
                fell_at: None,
            },
        });
        Self {
            board: decision.board.to_string(),
            score: decision.score,
            moves: moves.collect(),
            kept: decision.kept.iter().map(|&moves| names(moves)).collect(),
            choice: names(decision.choice),
            chosen: decision.chosen.map(Move::name),
        }
    }
}

/// Board, elimination table and sentence.
fn text(decision: &Decision, strategy: &Strategy) -> String {
    let mut text = decision.board.drawing();
    text += &format!("score {}, strategy {}\n\n", words::count(decision.score), strategy.label());
    let mut table = super::run::plain_table();
    let criteria = strategy.criteria.iter().enumerate();
    let headers = criteria.map(|(row, criterion)| format!("{}. {}", row + 1, criterion.evaluator.label()));
    table.set_header(["move".to_owned(), "reward".to_owned()].into_iter().chain(headers).chain([String::new()]));
    for (mv, candidate) in decision.moves.iter() {
        let mut row = vec![format!("{} {mv}", mv.arrow())];
        match candidate {
            None => {
                row.push("–".to_owned());
                row.extend(strategy.criteria.iter().map(|_| String::new()));
                row.push("illegal: nothing would move".to_owned());
            }
            Some(candidate) => {
                row.push(words::count(u64::from(candidate.reward)));
                for (index, value) in candidate.values.iter().enumerate() {
                    let fell = if candidate.fell_at == Some(index) { " ✗" } else { "  " };
                    row.push(value.map_or_else(String::new, |value| words::value(value) + fell));
                }
                row.push(if decision.chosen == Some(mv) {
                    "played".to_owned()
                } else if let Some(fell_at) = candidate.fell_at {
                    format!("fell at {}", fell_at + 1)
                } else {
                    "kept to the end".to_owned()
                });
            }
        }
        table.add_row(row);
    }
    super::run::align_numbers(&mut table, 1..=strategy.criteria.len() + 1);
    text += &super::run::printed(&table);
    text + "\n" + &decision.sentence(strategy) + "\n"
}
