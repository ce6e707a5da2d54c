//! `analyze --uncut`: the same decision without the cuts of the search, and what they changed.

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::input::BoardFailure;
use super::table::{cells, listed};
use super::why::searching_row;
use crate::prose;
use crate::search::{NotUncut, SearchOptions, Uncut, UncutMove};
use crate::strategy::{Decision, Strategy};
use crate::table::Head;
use crate::words;

pub(super) struct UncutRequest {
    /// The row of the search, from 0.
    row: usize,
}

impl UncutRequest {
    /// The request of the flags; refused before the search if it is not possible.
    pub(super) fn of(args: &AnalyzeArgs, strategy: &Strategy) -> Result<Option<Self>, Failure> {
        if !args.uncut {
            return Ok(None);
        }
        let row = searching_row(args, strategy, "--uncut")?;
        match strategy.criteria[row].lookahead.cuts() {
            [] => Err(Failure::usage(format!(
                "--uncut: row {} of {}: {}: leave the flag out, or add a cut to the lookahead, such as cuts: [Reach(0.03)]",
                row + 1,
                strategy.label(),
                NotUncut::NoCuts
            ))),
            _ => Ok(Some(Self { row })),
        }
    }

    /// Searches again; `None` if nothing was searched.
    pub(super) fn tell(
        &self,
        decision: &Decision,
        options: SearchOptions<'_>,
    ) -> Result<Option<UncutJson>, BoardFailure> {
        let searched = decision.searches.get(self.row).and_then(Option::as_ref);
        let Some(tree) = searched.and_then(|searched| searched.tree.as_deref()) else {
            return Ok(None);
        };
        match Uncut::of(tree, options) {
            Ok(uncut) => Ok(Some(UncutJson::of(self.row, uncut))),
            Err(NotUncut::Stopped) => Err(BoardFailure::Stopped),
            Err(reason) => Err(BoardFailure::Could(format!(
                "--uncut: {reason}: leave the flag out"
            ))),
        }
    }

    /// Printed if there is nothing to search again.
    pub(super) const NOTHING: &'static str =
        "There is no search to repeat without cuts: this row searched nothing.";
}

#[derive(Serialize)]
pub(super) struct UncutJson {
    row: usize,
    nodes: u64,
    changes_choice: bool,
    moves: Vec<UncutMoveJson>,
    #[serde(skip)]
    uncut: Uncut,
}

#[derive(Serialize)]
struct UncutMoveJson {
    #[serde(rename = "move")]
    mv: &'static str,
    before: f64,
    bound: &'static str,
    after: f64,
}

impl UncutJson {
    fn of(row: usize, uncut: Uncut) -> Self {
        let of_move = |own: &UncutMove| UncutMoveJson {
            mv: own.mv.name(),
            before: own.before,
            bound: own.bound.name(),
            after: own.after,
        };
        let moves = uncut.moves.iter().map(of_move).collect();
        Self {
            row,
            nodes: uncut.nodes,
            changes_choice: uncut.changes_choice,
            moves,
            uncut,
        }
    }

    pub(super) fn text(&self) -> String {
        let moves = &self.uncut.moves;
        let places = prose::uncut::places(moves);
        let rows = moves.iter().map(|own| {
            let before = format!(
                "{}{}",
                own.bound.sign(),
                words::decimals(own.before, places)
            );
            // The difference of the two numbers as written.
            let [with, without] =
                [own.before, own.after].map(|value| words::written(value, places));
            let by = own.difference().map(|_| without - with);
            cells![
                format!("{} {}", own.mv.arrow(), own.mv),
                before,
                own.after,
                by
            ]
        });
        let [with, without] = ["with cuts", "without"].map(|title| Head::number(title, places));
        let table = listed(
            [
                Head::text("move"),
                with,
                without,
                Head::signed("changed by", places),
            ],
            rows,
        );
        format!("\n{}\n{table}", prose::uncut::sentence(&self.uncut))
    }
}
