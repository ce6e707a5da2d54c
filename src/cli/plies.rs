//! `analyze --plies`: what the search did on each of its plies, and what a search costs that ends there.

use std::path::Path;

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::input::BoardFailure;
use super::table::table;
use super::why::searching_row;
use crate::files;
use crate::search::{PLY_COLUMNS, PlyAlone, PlyColumn, PlyTable, SearchOptions, TreeKind};
use crate::strategy::{Decision, Strategy};

pub(super) struct PliesRequest<'a> {
    /// The row whose search it is, from 0.
    row: usize,
    /// Where the numbers go instead of the output.
    file: Option<(&'a Path, PliesFormat)>,
}

#[derive(Clone, Copy)]
enum PliesFormat {
    Json,
    Csv,
}

impl<'a> PliesRequest<'a> {
    /// What the flags ask for; refused before anything is searched if it cannot be.
    pub(super) fn of(args: &'a AnalyzeArgs, strategy: &Strategy) -> Result<Option<Self>, Failure> {
        let Some(file) = &args.plies else { return Ok(None) };
        let row = searching_row(args, strategy, "--plies")?;
        let Some(path) = file.as_deref() else { return Ok(Some(Self { row, file: None })) };
        let ends = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        let format = match () {
            () if args.has_input() => {
                return Err(Failure::usage("--plies=FILE is written for one board: give the board instead of -"));
            }
            () if ends("json") => PliesFormat::Json,
            () if ends("csv") => PliesFormat::Csv,
            () => {
                let path = path.display();
                let sentence = format!("--plies={path}: plies are written as .json or .csv: end the name with one");
                return Err(Failure::usage(sentence));
            }
        };
        Ok(Some(Self { row, file: Some((path, format)) }))
    }

    /// Counts and measures, and writes the file; `None` where nothing was searched by depth.
    pub(super) fn tell(
        &self,
        decision: &Decision,
        options: SearchOptions<'_>,
    ) -> Result<Option<PliesJson>, BoardFailure> {
        let searched = decision.searches.get(self.row).and_then(Option::as_ref);
        let tree = searched.and_then(|searched| searched.tree.as_deref());
        let Some(tree) = tree.filter(|tree| tree.search_kind() == TreeKind::DepthLimited) else { return Ok(None) };
        let alone = PlyAlone::measure(tree, options, |_| ());
        if options.stop.is_cancelled() {
            return Err(BoardFailure::Stopped);
        }
        let table = PlyTable { alone: alone.unwrap_or_default(), ..PlyTable::of(tree) };
        if let Some((path, format)) = self.file {
            let bytes = match format {
                PliesFormat::Json => serde_json::to_vec(&table)?,
                PliesFormat::Csv => table.csv()?,
            };
            files::write_with(path, |out| out.write_all(&bytes))?;
        }
        let file = self.file.map(|(path, _)| path.display().to_string());
        Ok(Some(PliesJson { row: self.row, file, plies: table }))
    }

    /// Said where there is nothing to count.
    pub(super) const NOTHING: &'static str =
        "There is nothing to count ply by ply: this row searched nothing by depth.";
}

#[derive(Serialize)]
pub(super) struct PliesJson {
    row: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    plies: PlyTable,
}

impl PliesJson {
    /// The table without the columns that say nothing.
    pub(super) fn text(&self) -> String {
        let columns: Vec<&PlyColumn> = PLY_COLUMNS.iter().filter(|column| column.says_something(&self.plies)).collect();
        let cell = |ply: usize, column: &PlyColumn| {
            column.of(&self.plies, ply).map_or_else(|| "–".to_owned(), |number| number.to_string())
        };
        let rows =
            (0..self.plies.rows.len()).map(|ply| columns.iter().map(|column| cell(ply, column)).collect::<Vec<_>>());
        let header: Vec<&str> = columns.iter().map(|column| column.title).collect();
        let written = self.file.as_ref().map(|file| format!("\nWritten to {file}\n")).unwrap_or_default();
        format!("\n{}{written}", table(header, rows, 0..columns.len()))
    }
}
