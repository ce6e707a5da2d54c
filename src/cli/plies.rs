//! `analyze --plies`: what the search did on each of its plies, and the cost of a search that ends there.

use std::path::Path;

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::input::{self, BoardFailure};
use super::table::{listed, terminal};
use super::why::searching_row;
use crate::files;
use crate::search::{PlyAlone, PlyTable, SearchOptions, Tree, TreeKind};
use crate::strategy::{Decision, Player, Strategy};
use crate::table::{Cell, Head, Kind};

pub(super) struct PliesRequest<'a> {
    /// The row of the search, from 0.
    row: usize,
    /// The file that gets the numbers instead of the output.
    file: Option<(&'a Path, PliesFormat)>,
    /// Another strategy, and its row that searches, from 0.
    beside: Option<(Strategy, usize)>,
}

#[derive(Clone, Copy)]
enum PliesFormat {
    Json,
    Csv,
}

impl<'a> PliesRequest<'a> {
    /// The request of the flags; refused before the search if it is not possible.
    pub(super) fn of(args: &'a AnalyzeArgs, strategy: &Strategy) -> Result<Option<Self>, Failure> {
        let Some(file) = &args.plies else {
            return Ok(None);
        };
        let row = searching_row(args, strategy, "--plies")?;
        let beside = args.beside.as_deref().map(|text| {
            let other = input::strategy(text)?;
            let row = other
                .criteria
                .iter()
                .position(|row| row.lookahead.searches() && !row.off);
            let none = || {
                Failure::usage(format!(
                    "--beside: no row of {} searches, so it has no plies",
                    other.label()
                ))
            };
            let row = row.ok_or_else(none)?;
            Ok::<_, Failure>((other, row))
        });

        let beside = beside.transpose()?;
        let Some(path) = file.as_deref() else {
            return Ok(Some(Self {
                row,
                file: None,
                beside,
            }));
        };
        let ends = |ending: &str| {
            path.extension()
                .is_some_and(|own| own.eq_ignore_ascii_case(ending))
        };
        let format = match () {
            () if args.has_input() => {
                return Err(Failure::usage(
                    "--plies=FILE needs a single board: give the board instead of -",
                ));
            }
            () if ends("json") => PliesFormat::Json,
            () if ends("csv") => PliesFormat::Csv,
            () => {
                let path = path.display();
                let sentence = format!("--plies={path}: end the name with .json or .csv");
                return Err(Failure::usage(sentence));
            }
        };

        Ok(Some(Self {
            row,
            file: Some((path, format)),
            beside,
        }))
    }

    /// Counts and measures, and writes the file; `None` if nothing was searched by depth.
    pub(super) fn tell(
        &self,
        decision: &Decision,
        options: SearchOptions<'_>,
    ) -> Result<Option<PliesJson>, BoardFailure> {
        let searched = decision.searches.get(self.row).and_then(Option::as_ref);
        let tree = searched.and_then(|searched| searched.tree.as_deref());
        let Some(tree) = tree.filter(|tree| tree.search_kind() == TreeKind::DepthLimited) else {
            return Ok(None);
        };
        let beside = self.beside.as_ref().map(|(other, row)| {
            let rules = tree.subject().definition.rules;
            other
                .check_for(rules)
                .map_err(|reason| BoardFailure::Misfit(format!("--beside: {reason}")))?;
            let player = Player::new(other, rules);
            let decision = Decision::of(
                &player,
                (&decision.board, decision.score),
                |_| 0,
                options,
                1,
            );
            let tree = decision
                .searches
                .get(*row)
                .and_then(Option::as_ref)
                .and_then(|own| own.tree.clone());
            let tree = tree
                .filter(|tree| tree.search_kind() == TreeKind::DepthLimited)
                .ok_or_else(|| {
                    BoardFailure::Could(format!(
                        "--beside: {} does no search by depth on this board",
                        other.label()
                    ))
                })?;
            Ok::<_, BoardFailure>(BesideJson {
                strategy: other.label(),
                row: *row,
                plies: measured(&tree, options)?,
            })
        });

        let beside = beside.transpose()?;
        let table = measured(tree, options)?;
        if let Some((path, format)) = self.file {
            let bytes = match format {
                PliesFormat::Json => serde_json::to_vec(&table)?,
                PliesFormat::Csv => table.table().csv().into_bytes(),
            };
            files::write_with(path, |out| out.write_all(&bytes))?;
        }

        let file = self.file.map(|(path, _)| path.display().to_string());
        Ok(Some(PliesJson {
            row: self.row,
            file,
            told: tree.counts_are_told(),
            plies: table,
            beside,
        }))
    }

    /// Printed if there is nothing to count.
    pub(super) const NOTHING: &'static str =
        "There are no plies to count: this row did no search by depth.";
}

/// The counts of a search on each ply, and the costs of searches that end earlier.
fn measured(tree: &Tree, options: SearchOptions<'_>) -> Result<PlyTable, BoardFailure> {
    let alone = PlyAlone::measure(tree, options, |_| ());
    if options.stop.is_cancelled() {
        return Err(BoardFailure::Stopped);
    }
    Ok(PlyTable {
        alone: alone.unwrap_or_default(),
        ..PlyTable::of(tree)
    })
}

/// The same for another strategy on the same board.
#[derive(Serialize)]
struct BesideJson {
    strategy: String,
    row: usize,
    plies: PlyTable,
}

#[derive(Serialize)]
pub(super) struct PliesJson {
    row: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Whether the counts are those of an opened file, which its nodes do not show.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    told: bool,
    plies: PlyTable,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<BesideJson>,
}

impl PliesJson {
    /// The tables without the columns that have no information.
    pub(super) fn text(&self) -> String {
        let written = self
            .file
            .as_ref()
            .map(|file| format!("\nWritten to {file}\n"))
            .unwrap_or_default();
        let note = if self.told {
            "The counts are those of the file, which lacks some of the nodes\n"
        } else {
            ""
        };
        let beside = self.beside.as_ref().map(|beside| {
            let BesideJson {
                strategy,
                row,
                plies,
            } = beside;
            let difference = differences(&self.plies, plies);
            format!(
                "\n{strategy}, row {}\n{}\nDifference of the counts\n{difference}",
                row + 1,
                terminal(plies.shown())
            )
        });
        format!(
            "\n{}{note}{}{written}",
            terminal(self.plies.shown()),
            beside.unwrap_or_default()
        )
    }
}

/// How much larger the counts of the second are, ply by ply; a ply that one of them lacks counts as zero there.
fn differences(one: &PlyTable, other: &PlyTable) -> String {
    let (tables, shown) = (
        [one, other].map(PlyTable::table),
        [one, other].map(PlyTable::shown),
    );
    let is_listed = |head: &Head| shown.iter().any(|shown| shown.column(&head.key).is_some());
    let listed_heads = tables[0].heads.iter().enumerate();
    let columns: Vec<(usize, &Head)> = listed_heads
        .filter(|(_, head)| head.kind == Kind::Whole && head.key != "ply" && is_listed(head))
        .collect();

    let rows = (0..one.rows.len().max(other.rows.len())).map(|ply| {
        let tables = &tables;
        let by = move |&(column, _): &(usize, &Head)| {
            let count = |side: usize| {
                tables[side]
                    .rows
                    .get(ply)
                    .map_or(Some(0.0), |row| row[column].sort_value())
            };
            Cell::from(count(1).zip(count(0)).map(|(others, own)| others - own))
        };
        [ply.into()].into_iter().chain(columns.iter().map(by))
    });
    let titles = columns.iter().map(|(_, head)| Head::signed(&head.title, 0));
    listed([Head::whole("Ply")].into_iter().chain(titles), rows)
}
