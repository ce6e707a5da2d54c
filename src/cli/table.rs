//! Tables for people: columns without lines.

use std::ops::RangeInclusive;

use comfy_table::{CellAlignment, Table};

/// Columns without lines.
pub(super) fn plain_table() -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table
}

/// Right-aligns columns of numbers.
pub(super) fn align_numbers(table: &mut Table, columns: RangeInclusive<usize>) {
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The table as text, without the padding at both ends of a line.
pub(super) fn printed(table: &Table) -> String {
    table.trim_fmt().lines().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line).trim_end())).collect()
}
