//! The text about two strategies on the same games.

use serde::Serialize;

use super::sections::{count_column, move_column, points_column, text_column};
use super::{Picture, Section};
use crate::game::{Move, Moves};
use crate::review::{Decider, Disagreement, Minds, Points};
use crate::table::Table;
use crate::words;

/// Two strategies on the same games, with the titles of the games.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedMinds<'a> {
    /// `Reference, 3 moves + 2 spawns`.
    pub judge: &'a str,
    pub minds: &'a Minds,
    pub players: [&'a Decider; 2],
    /// One per compared game.
    pub titles: &'a [String],
}

impl ReviewedMinds<'_> {
    /// The names of the two.
    pub fn names(&self) -> [String; 2] {
        let [one, other] = self.players.map(|player| player.strategy().label());
        if one == other {
            [format!("{one} (1)"), format!("{other} (2)")]
        } else {
            [one, other]
        }
    }

    pub fn sections(&self) -> Vec<Section> {
        vec![self.head(), self.widest()]
    }

    fn head(&self) -> Section {
        let (minds, [one, other]) = (self.minds, self.names());
        let share = 100.0 * minds.differs / minds.positions.max(1) as f64;
        let mut sentences = vec![
            format!("{one} and {other}, judged by {}", self.judge),
            format!(
                "They play different moves at {share:.1} % of {} of {}, averaged over the draws of last resorts. At \
                 {}, they share no move",
                words::plural(minds.positions, "position"),
                words::plural(minds.games as u64, "game"),
                words::count(minds.disagreed),
            ),
            format!(
                "The move of {one} is worth more at {}, that of {other} at {}",
                words::count(minds.better[0]),
                words::count(minds.better[1]),
            ),
        ];

        if let Some(mean) = minds.difference.mean() {
            let interval = minds.difference.interval();
            let off = interval.map_or_else(
                || ", without an interval, which needs two games".to_owned(),
                |interval| {
                    format!(
                        " (95 %, over games: ± {})",
                        words::decimals(interval.half_width(), 2)
                    )
                },
            );
            let more = words::signed(mean, 2);
            sentences.push(format!(
                "Mean difference in loss per position, {other} minus {one}: {more} points{off}"
            ));
            sentences.push(
                "These numbers hold for positions of these games. A strategy that plays its own games reaches other \
                 positions"
                    .to_owned(),
            );
        }

        Section {
            sentences,
            ..Section::default()
        }
    }

    fn widest(&self) -> Section {
        type Row<'a> = &'a Disagreement;
        let choice = |title: &str, side: usize| {
            text_column(title, move |one: &Row<'_>| {
                format!(
                    "{} ({})",
                    names(one.choices[side]),
                    self.players[side].name(one.blames[side])
                )
            })
        };
        let columns = [
            text_column("game", |one: &Row<'_>| self.titles[one.game].clone()),
            move_column("move", |one: &Row<'_>| one.index),
            points_column("gap", 1, |one: &Row<'_>| one.gap().to_f64()).signed(),
            choice("first", 0),
            choice("second", 1),
            text_column("best", |one: &Row<'_>| one.best.to_string()),
            count_column("plies", |one: &Row<'_>| one.plies.into()),
            text_column("board", |one: &Row<'_>| one.before.board.to_string()),
        ];

        let picture = |one: &Disagreement| {
            let [played, other] = one.choices.map(Moves::first);
            Picture {
                board: one.before.board,
                played,
                other,
            }
        };

        let widest = &self.minds.widest;
        let none = widest
            .is_empty()
            .then(|| "They play the same moves at every position of these games".to_owned());
        Section {
            title: "Widest disagreements".to_owned(),
            sentences: none.into_iter().collect(),
            table: Table::of(&columns, widest),
            pictures: widest.iter().map(picture).collect(),
            arrows: ["first", "second"],
        }
    }

    /// One JSON object on one line.
    pub fn json(&self) -> serde_json::Result<String> {
        let one = |one: &Disagreement| DisagreementJson {
            game: &self.titles[one.game],
            number: one.index + 1,
            board: one.before.board.to_string(),
            score: one.before.score,
            choices: one
                .choices
                .map(|moves| moves.iter().map(Move::name).collect()),
            losses: one.losses,
            gap: one.gap(),
            decided_by: [0, 1].map(|side| self.players[side].name(one.blames[side])),
            best: one.best.name(),
            plies: one.plies,
        };
        let minds = self.minds;
        serde_json::to_string(&MindsJson {
            judge: self.judge,
            strategies: self.players.map(|player| player.strategy().to_string()),
            games: minds.games,
            positions: minds.positions,
            disagreed: minds.disagreed,
            differs: minds.differs,
            better: minds.better,
            difference: minds.difference.mean(),
            interval: minds
                .difference
                .interval()
                .map(|interval| [interval.low, interval.high]),
            disagreements: minds.widest.iter().map(one).collect(),
        })
    }
}

/// `Left`, or `Left or Up` if the last resort would draw.
fn names(moves: Moves) -> String {
    let names: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    names.join(" or ")
}

#[derive(Serialize)]
struct MindsJson<'a> {
    judge: &'a str,
    strategies: [String; 2],
    games: usize,
    positions: u64,
    disagreed: u64,
    differs: f64,
    better: [u64; 2],
    difference: Option<f64>,
    interval: Option<[f64; 2]>,
    disagreements: Vec<DisagreementJson<'a>>,
}

#[derive(Serialize)]
struct DisagreementJson<'a> {
    game: &'a str,
    number: usize,
    board: String,
    score: u64,
    choices: [Vec<&'static str>; 2],
    losses: [Points; 2],
    gap: Points,
    decided_by: [String; 2],
    best: &'static str,
    plies: u32,
}
