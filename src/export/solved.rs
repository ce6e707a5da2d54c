//! Solved tables as tables with a row per board.

use crate::columns::{Cell, Column, Kind};
use crate::game::Board;
use crate::solve::Table;

/// A board of a solved table, after a slide and before the new tile.
#[derive(Clone, Copy, Debug)]
pub struct SolvedRow {
    afterstate: Board,
    value: f64,
}

/// The rows, by the sum of their tiles.
pub fn solved_rows(table: &Table) -> impl Iterator<Item = SolvedRow> + '_ {
    table
        .afterstates()
        .map(|(afterstate, value)| SolvedRow { afterstate, value })
}

/// The columns of a solved table.
pub const SOLVED: &[Column<SolvedRow>] = &[
    Column::new(
        "afterstate",
        Kind::Text,
        "board after a slide, before the new tile; one of its symmetric images",
        |row| Cell::text(Some(row.afterstate)),
    ),
    Column::new("sum", Kind::Whole, "sum of its tiles", |row| {
        Cell::count(row.afterstate.tile_sum())
    }),
    Column::new(
        "value",
        Kind::Number,
        "points to come with best play, or the chance to reach the tile",
        |row| Cell::Number(row.value),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;
    use crate::solve::{Goal, Question};
    use crate::task::Control;

    #[test]
    fn every_row_is_what_the_table_says_of_the_board() {
        let question = Question {
            size: Size::new(2, 2).expect("a size"),
            p4: 0.1,
            goal: Goal::Score,
        };
        let solution = question.solve(1, &Control::default()).expect("small");
        let table = solution.table;
        let mut rows = 0;
        for row in solved_rows(&table) {
            assert_eq!(table.afterstate(&row.afterstate), Some(row.value));
            rows += 1;
        }
        assert_eq!(rows, table.info.afterstates);
    }
}
