//! The risk of losing along a game, as a sentence and a table.

use serde::Serialize;

use super::Section;
use crate::review::{Death, DeathAt, Judge};
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
        let row = |at: &DeathAt| {
            let interval = at.interval();
            let ends = interval
                .map_or_else(String::new, |ends| format!("{:.1} to {:.1}", 100.0 * ends.low, 100.0 * ends.high));
            vec![
                words::count(at.index as u64 + 1),
                format!("{:.1}", 100.0 * at.chance()),
                ends,
                words::count(at.died),
                words::count(at.playouts),
            ]
        };

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
                header: vec!["before move", "died, %", "95 %", "died", "games"],
                rows: death.at.iter().map(row).collect(),
                numbers: vec![0, 1, 2, 3, 4],
                ..Section::default()
            },
        ]
    }

    /// One JSON object on one line.
    pub fn json(&self, title: &str) -> serde_json::Result<String> {
        let one = |at: &DeathAt| AtJson {
            before_move: at.index + 1,
            died: at.died,
            games: at.playouts,
            interval: at.interval().map(|interval| [interval.low, interval.high]),
        };
        let death = self.death;
        serde_json::to_string(&DeathJson {
            title,
            judge: self.judge.strategy().label(),
            moves: death.moves,
            within: death.question.moves,
            last_survived: death.last_survived().map(|at| at.index + 1),
            positions: death.at.iter().map(one).collect(),
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
    positions: Vec<AtJson>,
}

#[derive(Serialize)]
struct AtJson {
    before_move: usize,
    died: u64,
    games: u64,
    interval: Option<[f64; 2]>,
}
