//! Output of commands: tables as text, lines of JSON for programs.

use std::io::Write;

use comfy_table::{CellAlignment, Row, Table};
use serde::Serialize;

/// A table without lines, with right-aligned `numbers`, without padding at both ends of a line.
pub(super) fn table<R: Into<Row>>(
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    numbers: impl IntoIterator<Item = usize>,
) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let header = header.into();
    if header.cell_count() != 0 {
        table.set_header(header);
    }
    table.add_rows(rows);
    for index in numbers {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt().lines().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line).trim_end())).collect()
}

/// One object on one line.
pub(super) fn json_line(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(writeln!(out)?)
}
