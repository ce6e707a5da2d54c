//! A reviewed game as a table with a row per move: for CSV, and for the other formats of tables.

use super::Reviewed;
use crate::columns::{Cell, Column, Head, Kind, cells, heads};
use crate::files::csv_text;
use crate::game::Move;
use crate::review::{ChanceAt, Class, Points, Verdict};
use crate::stats::Interval;

/// A reviewed move.
pub(super) struct Row<'a> {
    reviewed: &'a Reviewed<'a>,
    verdict: Verdict,
}

impl Row<'_> {
    fn value(&self, mv: Move) -> Cell {
        Cell::number(self.verdict.look.values[mv].map(Points::to_f64))
    }

    fn chance(&self) -> Option<&ChanceAt> {
        self.reviewed
            .review
            .chance_by(self.verdict.index, &self.reviewed.report.thresholds)
    }

    fn chance_interval(&self) -> Option<Interval> {
        self.chance().and_then(ChanceAt::interval)
    }
}

fn points(points: Points) -> Cell {
    Cell::Number(points.to_f64())
}

/// A share with six decimals.
fn share(share: Option<f64>) -> Cell {
    Cell::number(share.map(|share| (share * 1e6).round() / 1e6))
}

/// The columns.
pub(super) fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Kind::{Number, Text, Whole};
    vec![
        Column::new("game", Text, "title of the game", |row| {
            Cell::text(Some(row.reviewed.title))
        }),
        Column::new(
            "strategy",
            Text,
            "strategy that played, if it is known",
            |row| Cell::text(row.reviewed.player.map(|player| player.strategy().label())),
        ),
        Column::new(
            "seed",
            Text,
            "seed of the new tiles, if there is one",
            |row| Cell::text(row.reviewed.review.record().seed),
        ),
        Column::new("judge", Text, "strategy that judges", |row| {
            Cell::text(Some(row.reviewed.review.judge().strategy().label()))
        }),
        Column::new("move", Whole, "number of the move, from 1", |row| {
            Cell::count(row.verdict.index as u64 + 1)
        }),
        Column::new("board", Text, "board before the move", |row| {
            Cell::text(Some(row.verdict.before.board))
        }),
        Column::new("score", Whole, "points before the move", |row| {
            Cell::count(row.verdict.before.score)
        }),
        Column::new("empty", Whole, "empty cells of the board", |row| {
            Cell::count(row.verdict.before.board.empty_count().into())
        }),
        Column::new("largest", Whole, "largest tile of the board", |row| {
            Cell::count(row.verdict.before.board.max_rank().tile())
        }),
        Column::new("played", Text, "move that was played", |row| {
            Cell::text(Some(row.verdict.mv.name()))
        }),
        Column::new("best", Text, "first of the judge's best moves", |row| {
            Cell::text(Some(row.verdict.best.name()))
        }),
        Column::new(
            "up",
            Number,
            "judge's value of up in points, if it is legal",
            |row| row.value(Move::Up),
        ),
        Column::new("down", Number, "the same for down", |row| {
            row.value(Move::Down)
        }),
        Column::new("left", Number, "the same for left", |row| {
            row.value(Move::Left)
        }),
        Column::new("right", Number, "the same for right", |row| {
            row.value(Move::Right)
        }),
        Column::new("plies", Whole, "plies that the judge searched", |row| {
            Cell::count(row.verdict.look.plies.into())
        }),
        Column::new("loss", Number, "points less than the best move", |row| {
            points(row.verdict.loss)
        }),
        Column::new(
            "class",
            Text,
            "inaccuracy, mistake or blunder, if it is one",
            |row| {
                let class = row
                    .reviewed
                    .review
                    .class(row.verdict.index, &row.reviewed.report.thresholds);
                Cell::text(class.map(Class::name))
            },
        ),
        Column::new(
            "decided_by",
            Text,
            "row of the strategy that decided, if it is known",
            |row| {
                Cell::text(
                    Some(row.reviewed.rule(row.verdict.index)).filter(|rule| !rule.is_empty()),
                )
            },
        ),
        Column::new("reward", Number, "points of the move", |row| {
            points(row.verdict.reward)
        }),
        Column::new(
            "mean",
            Number,
            "judge's value after the move, over all new tiles",
            |row| points(row.verdict.look.mean),
        ),
        Column::new("tile", Whole, "new tile: 2 or 4", |row| {
            Cell::count(row.verdict.spawn.rank.tile())
        }),
        Column::new("cell", Text, "cell of the new tile", |row| {
            Cell::text(Some(row.verdict.spawn.cell))
        }),
        Column::new("next", Number, "judge's value of the next board", |row| {
            points(row.verdict.look.next)
        }),
        Column::new(
            "luck",
            Number,
            "points by which the new tile is better than the mean",
            |row| points(row.verdict.luck),
        ),
        Column::new(
            "residual",
            Number,
            "points by which the judge contradicts itself",
            |row| points(row.verdict.residual),
        ),
        Column::new(
            "chance_loss",
            Number,
            "loss of the chance, with --chance",
            |row| share(row.chance().map(ChanceAt::loss)),
        ),
        Column::new(
            "chance_low",
            Number,
            "lower end of its 95 % interval",
            |row| share(row.chance_interval().map(|ends| ends.low)),
        ),
        Column::new(
            "chance_high",
            Number,
            "upper end of its 95 % interval",
            |row| share(row.chance_interval().map(|ends| ends.high)),
        ),
        Column::new("note", Text, "note on the position", |row| {
            Cell::text(row.reviewed.review.record().notes.get(&row.verdict.index))
        }),
    ]
}

/// The heads of the columns of a table of reviewed moves.
pub fn review_heads() -> Vec<Head> {
    heads(&columns())
}

impl Reviewed<'_> {
    /// The rows of a table of reviewed moves, with a cell for each of [`review_heads`].
    pub fn rows(&self) -> impl Iterator<Item = Vec<Cell>> {
        let columns = columns();
        let verdicts = (0..self.review.moves()).filter_map(move |index| self.review.verdict(index));
        verdicts.map(move |verdict| {
            cells(
                &columns,
                &Row {
                    reviewed: self,
                    verdict,
                },
            )
        })
    }
}

pub(super) fn csv(reviewed: &Reviewed<'_>) -> String {
    let head = review_heads()
        .iter()
        .map(|head| head.name.to_owned())
        .collect();
    let row = |cells: Vec<Cell>| cells.iter().map(Cell::csv_text).collect::<Vec<_>>();
    csv_text(std::iter::once(head).chain(reviewed.rows().map(row)))
}
