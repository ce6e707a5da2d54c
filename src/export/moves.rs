//! Games as a table with a row per move.

use std::sync::Arc;

use crate::columns::{Cell, Column, Kind};
use crate::game::{ByMove, Moment, Move, Record, Step};
use crate::strategy::{Decision, Player};

/// A move of a game.
#[derive(Clone, Debug)]
pub struct MoveRow {
    run: Arc<str>,
    strategy: Option<Arc<str>>,
    seed: Option<u64>,
    game: u64,
    /// From 1.
    number: usize,
    before: Moment,
    step: Step,
    reward: u32,
    values: ByMove<Option<f64>>,
}

/// A game whose moves are rows.
pub struct GameRows<'a> {
    /// The run, or the file of the record.
    pub run: Arc<str>,
    /// The name of the strategy. `None` if the game names none.
    pub strategy: Option<Arc<str>>,
    /// The number of the game.
    pub game: u64,
    pub record: &'a Record,
    /// The strategy that gives the moves their values. Without one they have none.
    pub player: Option<&'a Player>,
}

impl GameRows<'_> {
    /// The rows, in the order of the moves.
    pub fn rows(&self) -> impl Iterator<Item = MoveRow> {
        let moments = self.record.replay();
        moments
            .into_iter()
            .zip(&self.record.steps)
            .enumerate()
            .filter_map(move |(index, (before, &step))| {
                Some(MoveRow {
                    run: self.run.clone(),
                    strategy: self.strategy.clone(),
                    seed: self.record.seed,
                    game: self.game,
                    number: index + 1,
                    before,
                    step,
                    reward: before.board.slide(step.mv)?.reward,
                    values: self
                        .player
                        .map(|player| values(player, &before))
                        .unwrap_or_default(),
                })
            })
    }
}

/// The value of each legal move by the row that decides, or by the last row that was needed if none decides.
fn values(player: &Player, before: &Moment) -> ByMove<Option<f64>> {
    let decision = Decision::now(player, &before.board, before.score, |_| 0);
    let last = (0..player.row_count())
        .rev()
        .find(|&row| decision.was_needed(row));
    let Some(row) = decision.deciding().or(last) else {
        return ByMove::default();
    };
    ByMove::from_fn(|mv| {
        decision.moves[mv]
            .as_ref()
            .and_then(|candidate| candidate.values.get(row).copied().flatten())
    })
}

/// The columns of a table of moves.
pub const MOVES: &[Column<MoveRow>] = &[
    Column::new(
        "run",
        Kind::Text,
        "folder of the run, or file of the game",
        |row| Cell::Text(row.run.to_string()),
    ),
    Column::new(
        "strategy",
        Kind::Text,
        "strategy that played; missing if the game names none",
        |row| Cell::text(row.strategy.as_deref()),
    ),
    Column::new(
        "seed",
        Kind::Text,
        "seed of the new tiles, as text since it may take 64 bits; missing if they have none",
        |row| Cell::text(row.seed),
    ),
    Column::new(
        "game",
        Kind::Whole,
        "number of the game under its seed, or in its file, from 0",
        |row| Cell::count(row.game),
    ),
    Column::new(
        "move",
        Kind::Whole,
        "number of the move in its game, from 1",
        |row| Cell::count(row.number as u64),
    ),
    Column::new(
        "board",
        Kind::Text,
        "board before the move: tiles, rows separated by /",
        |row| Cell::text(Some(row.before.board)),
    ),
    Column::new("score", Kind::Whole, "points before the move", |row| {
        Cell::count(row.before.score)
    }),
    Column::new("action", Kind::Text, "up, down, left or right", |row| {
        Cell::text(Some(row.step.mv.name()))
    }),
    Column::new("reward", Kind::Whole, "points of the move", |row| {
        Cell::count(row.reward.into())
    }),
    Column::new("value_up", Kind::Number, UP, |row| {
        Cell::number(row.values[Move::Up])
    }),
    Column::new("value_down", Kind::Number, OTHER, |row| {
        Cell::number(row.values[Move::Down])
    }),
    Column::new("value_left", Kind::Number, OTHER, |row| {
        Cell::number(row.values[Move::Left])
    }),
    Column::new("value_right", Kind::Number, OTHER, |row| {
        Cell::number(row.values[Move::Right])
    }),
    Column::new(
        "spawn",
        Kind::Whole,
        "new tile after the move: 2 or 4",
        |row| Cell::count(row.step.spawn.rank.tile()),
    ),
    Column::new(
        "spawn_cell",
        Kind::Text,
        "cell of the new tile, such as r1c4",
        |row| Cell::text(Some(row.step.spawn.cell)),
    ),
];

const UP: &str = "value of the move by the row of the strategy that decided, with --values; missing for illegal moves and \
                  those dropped before";
const OTHER: &str = "the same for this move";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{TableFile, cells, heads, read_parquet};
    use crate::game::{Board, Rules, Seed};
    use crate::strategy::{GameTrace, Strategy};

    #[test]
    fn a_table_of_moves_is_the_game() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let player = Player::new(&strategy, Rules::default());
        let record = GameTrace::record(&player, Seed(5), 2, &strategy, Default::default());
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("moves.parquet");
        let mut table = TableFile::create(&path, heads(MOVES)).expect("a table");
        let game = GameRows {
            run: "a run".into(),
            strategy: Some("emr".into()),
            game: 2,
            record: &record,
            player: Some(&player),
        };
        game.rows()
            .for_each(|row| table.row(cells(MOVES, &row)).expect("writable"));
        assert_eq!(table.finish().expect("writable"), record.steps.len() as u64);

        // The rows alone give the game.
        let rows = read_parquet(&path);
        let moments = record.replay();
        for ((row, step), pair) in rows.iter().zip(&record.steps).zip(moments.windows(2)) {
            let said = format!(
                "{} {} {}",
                row["action"].as_str().expect("a move"),
                row["spawn"],
                row["spawn_cell"].as_str().expect("a cell")
            );
            assert_eq!(said.parse(), Ok(*step));
            assert_eq!(
                row["board"].as_str().map(str::parse::<Board>),
                Some(Ok(pair[0].board))
            );
            assert_eq!(
                row["score"].as_u64().zip(row["reward"].as_u64()),
                Some((pair[0].score, pair[1].score - pair[0].score))
            );
            assert_eq!((&row["seed"], &row["game"]), (&"5".into(), &2.into()));
        }
        assert_eq!(
            rows.last().map(|row| &row["move"]),
            Some(&record.steps.len().into())
        );

        // The best value is that of the move that was played, and illegal moves have none.
        let mut with_values = 0;
        for row in game.rows() {
            let own = row.values[row.step.mv];
            let best = row
                .values
                .iter()
                .filter_map(|(_, value)| *value)
                .fold(f64::NEG_INFINITY, f64::max);
            assert!(own.is_none_or(|own| own == best), "{row:?}");
            assert!(
                row.values
                    .iter()
                    .all(|(mv, value)| value.is_none() || row.before.board.slide(mv).is_some())
            );
            with_values += usize::from(own.is_some());
        }
        assert!(record.steps.len() < 2 * with_values);
        let without = GameRows {
            player: None,
            ..game
        };
        assert!(without.rows().all(|row| row.values == ByMove::default()));
    }
}
