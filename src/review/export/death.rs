//! The risk of losing along a game, as a sentence and a table.

use serde::Serialize;

use super::Section;
use crate::review::{Death, DeathAt, Judge};
use crate::table::{Column, Digits, Formats, Spread, Table, Unit};
use crate::words;

/// The risk of losing along a game, with the judge that plays from its positions.
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
        let lost = |at: &DeathAt| {
            format!(
                "{} of {}",
                words::count(at.died),
                words::plural(at.playouts, "game")
            )
        };
        match death.last_survived() {
            Some(at) if at.index == death.moves => format!(
                "The game was abandoned after {}. From there the judge still survives {within} more often than not: it \
                 loses {}",
                words::plural(death.moves as u64, "move"),
                lost(at),
            ),
            Some(at) => {
                let before = (death.moves - at.index) as u64;
                format!(
                    "The last checked position that could still be saved is before move {} of {moves}, {} before the \
                     end. From there the judge survives {within} more often than not: it loses {}",
                    words::count(at.index as u64 + 1),
                    words::plural(before, "move"),
                    lost(at),
                )
            }
            None => format!(
                "No checked position could be saved: from each of {}, the judge loses at least half of its games \
                 within {within}",
                words::plural(death.at.len() as u64, "position")
            ),
        }
    }

    pub fn sections(&self) -> Vec<Section> {
        let death = self.death;
        let how = format!(
            "{} plays {} from each position, looking one move ahead, on the same tiles and for at most {} each. The \
             results have 95 % intervals",
            self.judge.strategy().label(),
            words::plural(death.question.playouts, "game"),
            words::plural(u64::from(death.question.moves), "move"),
        );

        vec![
            Section {
                sentences: vec![self.sentence(), how],
                ..Section::default()
            },
            Section {
                title: format!(
                    "Risk of losing within {}",
                    words::plural(u64::from(death.question.moves), "move")
                ),
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
            Column::text("game", "game", "title of the game", |_: &Row<'_>| title)
                .only(Formats::CSV),
            Column::whole(
                "before_move",
                "before move",
                "number of the move",
                |at: &Row<'_>| at.index + 1,
            ),
            Column::whole(
                "within",
                "within",
                "most moves of a game from the position",
                |_: &Row<'_>| within,
            )
            .only(Formats::CSV),
            Column::whole("died", "lost", "games that were lost", |at: &Row<'_>| {
                at.died
            }),
            Column::whole(
                "games",
                "games",
                "games from the position",
                |at: &Row<'_>| at.playouts,
            ),
            Column::estimate(
                "chance",
                "risk",
                "share of games that were lost",
                |at: &Row<'_>| (at.chance(), at.interval()),
            )
            .end_keys(["low", "high"].map(str::to_owned))
            .unit(Unit::PERCENT)
            .digits(Digits::Places(1))
            .spread(Spread::Ends)
            .only(Formats::CSV.and(Formats::PEOPLE)),
            Column::interval(
                "interval",
                "95 %",
                "95 % interval of the chance",
                |at: &Row<'_>| at.interval(),
            )
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
