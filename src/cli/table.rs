//! Output of commands: tables as text, lines of JSON for programs, tables as files.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::{CellAlignment, Table};
use serde::Serialize;
use serde_json::ser::Formatter;

use super::Failure;
use crate::columns::{Head as FileHead, TableError, TableFile};
use crate::files;
use crate::table::{self as data, Cell, Formats, Head};

/// The cells of a row.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { [$($crate::table::Cell::from($cell)),*] };
}
pub(super) use cells;

/// A table for the terminal alone, with the cells of each row in the order of the heads. A row may end early.
pub(super) fn listed<R: IntoIterator<Item = Cell>>(
    heads: impl IntoIterator<Item = Head>,
    rows: impl IntoIterator<Item = R>,
) -> String {
    let rows = rows
        .into_iter()
        .map(|row| row.into_iter().collect())
        .collect();
    terminal(data::Table {
        heads: heads.into_iter().collect(),
        rows,
    })
}

/// The columns of a table that the terminal has, without lines, and without padding at both ends of a line.
pub(super) fn terminal(data: data::Table) -> String {
    let data = data.only(Formats::TERMINAL);
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    if data.titles().any(|title| !title.is_empty()) {
        table.set_header(data.titles());
    }
    table.add_rows(data.texts());
    for index in data.numbers() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
        .trim_fmt()
        .lines()
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line).trim_end()))
        .collect()
}

/// One object on one line. Seeds are text.
pub(super) fn json_line(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut *out,
        SeedsAsText::default(),
    ))?;
    Ok(writeln!(out)?)
}

/// Compact JSON in which the number of each key `seed` is text, whatever it belongs to: programs in which numbers are
/// floating point read no seed above 2⁵³.
#[derive(Default)]
struct SeedsAsText {
    /// The key of the value to come; empty in a list.
    key: String,
    is_in_key: bool,
}

impl Formatter for SeedsAsText {
    fn write_u64<W: ?Sized + Write>(&mut self, out: &mut W, value: u64) -> io::Result<()> {
        if self.key == "seed" {
            write!(out, "\"{value}\"")
        } else {
            write!(out, "{value}")
        }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        (self.key, self.is_in_key) = (String::new(), true);
        if first { Ok(()) } else { out.write_all(b",") }
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_in_key = false;
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if self.is_in_key {
            self.key.push_str(fragment);
        }
        out.write_all(fragment.as_bytes())
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.key.clear();
        Ok(())
    }
}

/// Begins the file of a table, at a place that can be written.
pub(super) fn create_table(to: &Path, heads: Vec<FileHead>) -> Result<TableFile, Failure> {
    files::check_place(to)?;
    match TableFile::create(to, heads) {
        Err(error @ TableError::Ending { .. }) => Err(Failure::usage(error)),
        table => Ok(table?),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn seeds_are_text_and_all_else_is_as_usual() {
        let line = |value: &serde_json::Value| {
            let mut out = Vec::new();
            json_line(&mut out, value).expect("JSON");
            String::from_utf8(out).expect("UTF-8")
        };
        let value = json!({
            "a": [{"seed": u64::MAX}, 5, {"seed": null}, {"seed": "x"}], "seed": 3, "seeds": 4, "b\"": {"z": [1, -2, 0.5, "t"]},
        });
        let text = value
            .to_string()
            .replace(&u64::MAX.to_string(), &format!("\"{}\"", u64::MAX));
        assert_eq!(
            line(&value),
            text.replace("\"seed\":3", "\"seed\":\"3\"") + "\n"
        );
    }
}
