//! How often evaluators tie, as a table.

use super::share_columns;
use crate::analysis::{Share, Ties};
use crate::table::{Column, Table};

/// A row for each evaluator. People see the shares; programs also get what they are shares of.
pub fn ties_table(ties: &[Ties]) -> Table {
    let share = |key, titles, of_title, share: fn(&Ties) -> Share| {
        share_columns(key, titles, of_title, move |one: &&Ties| Some(share(one)))
    };
    let mut columns = vec![Column::text(
        "evaluator",
        "evaluator",
        "Evaluator, one slide ahead",
        |one: &&Ties| one.evaluator.label(),
    )];
    columns.extend(share(
        "tied",
        [
            "tied",
            "Turns with several best moves, of those with two or more legal ones, 95 % interval",
        ],
        "turns with a choice",
        |one| one.tied,
    ));
    columns.extend(share(
        "opposite",
        [
            "opposite tie",
            "Pairs of a slide and its opposite, both legal, with equal values, 95 % interval",
        ],
        "pairs",
        |one| one.opposite,
    ));
    columns.extend(share(
        "harmful",
        [
            "only harmful",
            "Turns where each legal slide lowers the value of the board, 95 % interval",
        ],
        "turns",
        |one| one.harmful,
    ));
    // The numbers of positions are the same in every row.
    Table::of(&columns, ties).for_people(|head| !head.key.ends_with("_of"))
}
