//! The risk of losing along a game, as a sentence and a table.

use serde::Serialize;

use super::Section;
use crate::review::{Death, DeathAt, Judge};
use crate::table::{Column, Digits, Formats, Spread, Table, Unit};
use crate::words;

/// The risk of losing along a game, with the judge that plays on.
#[derive(Clone, Copy, Debug)]
pub struct ReviewedDeath<'a> {
    pub judge: &'a Judge,
    pub death: &'a Death,
}

impl ReviewedDeath<'_> {
    /// `The last checked position that could still be saved is before move 510 of 522, …`.
    pub fn sentence(&self) -> String {
        let (death, moves) = (self.death, words::count(self.death.moves as u64));
        let within = words::plural(u64::from(death.question.moves), "move");
        match death.last_survived() {
            Some(at) if at.index == death.moves => format!(
                "The game was abandoned after {}. From there the judge still survives {within} more often than not: {} \
                 of {} games died",
                words::plural(death.moves as u64, "move"),
                words::count(at.died),
                words::count(at.playouts),
            ),
            Some(at) => {
                let before = (death.moves - at.index) as u64;
                format!(
                    "The last checked position that could still be saved is before move {} of {moves}, {} before the \
                     end. From there the judge survives {within} more often than not: {} of {} games died",
                    words::count(at.index as u64 + 1),
                    words::plural(before, "move"),
                    words::count(at.died),
                    words::count(at.playouts),
                )
            }
            None => format!(
                "No checked position could be saved: from none of {} does the judge survive {within} more often than \
                 not",
                words::plural(death.at.len() as u64, "position")
            ),
        }
    }

    pub fn sections(&self) -> Vec<Section> {
        let death = self.death;
        let how = format!(
            "{} plays on, looking one move ahead: {} from each position, at most {} each, on the same tiles, with 95 % \
             intervals",
            self.judge.strategy().label(),
            words::plural(death.question.playouts, "game"),
            words::plural(u64::from(death.question.moves), "move"),
        );

        vec![
            Section { sentences: vec![self.sentence(), how], ..Section::default() },
            Section {
                title: format!("Risk of losing within {}", words::plural(u64::from(death.question.moves), "move")),
                table: self.table("").only(Formats::PEOPLE),
                ..Section::default()
            },
        ]
    }

    /// A row for each position of the game with this title.
    pub fn table(&self, title: &str) -> Table {
        type Row<'a> = &'a DeathAt;
        let within = self.death.question.moves;
        let columns = [
            Column::text("game", "game", "title of the game", |_: &Row<'_>| title).only(Formats::CSV),
            Column::whole("before_move", "before move", "number of the move", |at: &Row<'_>| at.index + 1),
            Column::whole("within", "within", "moves that are played on", |_: &Row<'_>| within).only(Formats::CSV),
            Column::whole("died", "died", "games that died", |at: &Row<'_>| at.died),
            Column::whole("games", "games", "games that were played on", |at: &Row<'_>| at.playouts),
            Column::estimate("chance", "risk", "share of games that died", |at: &Row<'_>| (at.chance(), at.interval()))
                .end_keys(["low", "high"].map(str::to_owned))
                .unit(Unit::PERCENT)
                .digits(Digits::Places(1))
                .spread(Spread::Ends)
                .only(Formats::CSV.and(Formats::PEOPLE)),
            Column::interval("interval", "95 %", "95 % interval of the chance", |at: &Row<'_>| at.interval())
                .only(Formats::JSON),
        ];
        Table::of(&columns, &self.death.at)
    }

    /// One JSON object on one line.
    pub fn json(&self, title: &str) -> serde_json::Result<String> {
        let death = self.death;
        serde_json::to_string(&DeathJson {
            title,
            judge: self.judge.strategy().label(),
            moves: death.moves,
            within: death.question.moves,
            last_survived: death.last_survived().map(|at| at.index + 1),
            positions: self.table(title).only(Formats::JSON),
        })
    }
}

#[derive(Serialize)]
struct DeathJson<'a> {
    title: &'a str,
    judge: String,
    moves: usize,
    within: u32,
    last_survived: Option<usize>,
    positions: Table,
}
