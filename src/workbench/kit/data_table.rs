//! A table of data: headers that sort, cells as text, for [`crate::table::Table`].

use std::cmp::Ordering;

use egui::{Color32, Label, Response, RichText, Ui};

use super::table::{Sort, SortKey, Table, TableColumn, bar_width, width_of};
use crate::table::{Formats, Table as Data};
use crate::workbench::paper::on_paper;
use crate::workbench::theme::{self, Theme};

/// The columns that people see.
pub struct DataTable<'a> {
    pub id: &'a str,
    /// The accessible name.
    pub name: &'a str,
    pub data: Data,
    /// By the indices of the columns that people see.
    pub sort: &'a mut Sort<usize>,
    pub gap: f32,
}

/// How the rows of a table behave, and how its columns use the room.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataRows<'a> {
    pub selected: Option<usize>,
    pub are_draggable: bool,
    /// Columns that are left out if they do not fit, the first one first.
    pub folding: &'a [usize],
    /// A column that takes the remaining width, and the most that it takes.
    pub wide: Option<(usize, f32)>,
    /// Whether the table is only as high as its rows.
    pub fits: bool,
    /// Height to leave free below.
    pub below: f32,
}

impl DataRows<'_> {
    /// Leaves out the columns that do not fit, or widens one.
    fn fit(&self, columns: &mut Vec<TableColumn<usize>>, (room, gap): (f32, f32)) {
        for fold in self.folding {
            if room < width_of(columns, gap) {
                columns.retain(|column| column.key != *fold);
            }
        }
        if let Some((wide, most)) = self.wide {
            let rest = (room - width_of(columns, gap)).clamp(0.0, most);
            columns.iter_mut().filter(|column| column.key == wide).for_each(|column| column.width += rest);
        }
    }
}

/// A cell to draw.
#[derive(Clone, Copy, Debug)]
pub struct DataCell<'a> {
    pub row: usize,
    pub column: usize,
    pub text: &'a str,
}

impl DataCell<'_> {
    pub fn ui(self, ui: &mut Ui, color: Color32) -> Response {
        ui.add(Label::new(RichText::new(self.text).color(color)).truncate())
    }
}

impl DataTable<'_> {
    /// `width` is that of a column by its index and its cells; `row_name` is the accessible name of a row by its index and
    /// its cells.
    pub fn show(
        self,
        ui: &mut Ui,
        width: impl Fn(&Ui, usize, &[Vec<String>]) -> f32,
        row_name: impl Fn(usize, &[String]) -> String,
    ) {
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| drop(cell.ui(ui, Theme::of(ui).text1));
        self.show_rows(ui, DataRows::default(), width, row_name, cell_ui, |_, _| {});
    }

    /// The same with cells drawn by `cell_ui`; `row_ui` gets each visible row by its index.
    pub fn show_rows(
        self,
        ui: &mut Ui,
        rows: DataRows<'_>,
        width: impl Fn(&Ui, usize, &[Vec<String>]) -> f32,
        row_name: impl Fn(usize, &[String]) -> String,
        mut cell_ui: impl FnMut(&mut Ui, DataCell<'_>),
        mut row_ui: impl FnMut(usize, Response),
    ) {
        let Self { id, name, data, sort, gap } = self;
        let data = data.only(Formats::REPORT);
        let texts = data.texts();
        let columns = data.heads.iter().enumerate().map(|(key, head)| {
            let (title, about, width) = (head.capitalised(), head.about.clone(), width(ui, key, &texts));
            let column = match head.is_number() {
                true => TableColumn::numbers(key, title, about, width),
                false => TableColumn::words(key, title, about, width),
            };
            // A column without a title does not sort.
            TableColumn { falls: column.falls.filter(|_| !head.title.is_empty()), ..column }
        });
        let mut columns: Vec<TableColumn<usize>> = columns.collect();
        let order = row_order(&data, sort);
        let room = ui.available_width() - 4.0 - bar_width(ui, order.len(), rows.below);
        rows.fit(&mut columns, (room, gap));

        let mut part_ui = |ui: &mut Ui, columns: &[TableColumn<usize>], fits: bool| {
            let table = Table { id, name, columns, sort: &mut *sort, gap, below: rows.below, fits };
            table.show(ui, order.len(), |row| {
                let index = order[row.index()];
                let row = if rows.are_draggable { row.draggable() } else { row };
                let is_selected = rows.selected == Some(index);
                let response = row.show(&row_name(index, &texts[index]), is_selected, |ui, column| {
                    cell_ui(ui, DataCell { row: index, column, text: &texts[index][column] });
                });
                row_ui(index, response);
            });
        };
        if !on_paper(ui) {
            return part_ui(ui, &columns, rows.fits);
        }
        for (number, columns) in below_each_other(&columns, (ui.available_width(), gap)).iter().enumerate() {
            ui.push_id(number, |ui| part_ui(ui, columns, true));
            ui.add_space(theme::SPACE_M);
        }
    }
}

/// Splits the columns into as many tables as a page of this width needs; each has the first column and the width of the
/// page.
fn below_each_other(columns: &[TableColumn<usize>], (width, gap): (f32, f32)) -> Vec<Vec<TableColumn<usize>>> {
    let Some((first, others)) = columns.split_first() else { return Vec::new() };
    let mut tables: Vec<Vec<TableColumn<usize>>> = Vec::new();
    for column in others {
        match tables.last_mut().filter(|table| width_of(table, gap) + gap + column.width <= width) {
            Some(table) => table.push(column.clone()),
            None => tables.push(vec![first.clone(), column.clone()]),
        }
    }
    for table in &mut tables {
        let gaps = gap * (table.len() - 1) as f32;
        let share = (width - gaps) / (width_of(table, gap) - gaps);
        table.iter_mut().for_each(|column| column.width *= share);
    }
    tables
}

/// The columns of CSV, for the clipboard.
pub fn csv_of(data: Data) -> String {
    data.only(Formats::CSV).csv()
}

/// The sorted rows: numbers by value, the missing ones last, texts without a number by letters.
pub fn row_order(data: &Data, sort: &Sort<usize>) -> Vec<usize> {
    let texts = data.texts();
    let compare = |a: usize, b: usize, key: SortKey<usize>| {
        let Some(head) = data.heads.get(key.by) else { return Ordering::Equal };
        match [a, b].map(|row| data.rows[row][key.by].sort_value()) {
            [None, None] if !head.is_number() => key.turn(texts[a][key.by].cmp(&texts[b][key.by])),
            [a, b] => key.compare(a, b),
        }
    };
    let mut order: Vec<usize> = (0..data.rows.len()).collect();
    order.sort_by(|&a, &b| sort.order(|key| compare(a, b, key)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn rows_are_in_the_order_of_their_values_not_of_their_texts() {
        let columns = [
            Column::text("name", "name", "", |row: &(&'static str, Option<f64>)| row.0),
            Column::number("value", "value", "", |row: &(&'static str, Option<f64>)| row.1),
        ];
        let data = Data::of(&columns, [("b", Some(1000.0)), ("a", None), ("c", Some(9.0))]);
        let by = |key, falls| row_order(&data, &Sort::new(key, falls));
        assert_eq!((by(1, true), by(1, false)), (vec![0, 2, 1], vec![2, 0, 1]));
        assert_eq!((by(0, false), by(7, false)), (vec![1, 0, 2], vec![0, 1, 2]));
    }

    #[test]
    fn columns_fold_in_order_and_one_takes_the_rest() {
        let rows = DataRows { folding: &[2, 1], wide: Some((0, 30.0)), ..DataRows::default() };
        let fitted = |room: f32| {
            let mut columns: Vec<_> = (0..3).map(|key| TableColumn::words(key, "", "", 40.0)).collect();
            rows.fit(&mut columns, (room, GAP));
            columns.iter().map(|column| (column.key, column.width)).collect::<Vec<_>>()
        };
        assert_eq!(fitted(200.0), [(0, 70.0), (1, 40.0), (2, 40.0)], "at most 30 wider");
        assert_eq!(fitted(140.0), [(0, 44.0), (1, 40.0), (2, 40.0)]);
        assert_eq!(fitted(100.0), [(0, 52.0), (1, 40.0)]);
        assert_eq!(fitted(50.0), [(0, 50.0)]);
    }

    const GAP: f32 = 8.0;

    #[test]
    fn a_table_on_paper_loses_no_column() {
        let column = |key: usize| TableColumn {
            key,
            title: key.to_string(),
            about: "".into(),
            width: 40.0 + 7.0 * key as f32,
            right: true,
            indent: 0.0,
            falls: None,
        };
        let columns: Vec<TableColumn<usize>> = (0..14).map(column).collect();
        for width in [200.0, 311.5, 500.0, 5000.0] {
            let tables = below_each_other(&columns, (width, GAP));
            let keys = |table: &Vec<TableColumn<usize>>| table.iter().map(|column| column.key).collect::<Vec<_>>();
            assert!(tables.iter().all(|table| keys(table)[0] == 0 && (width_of(table, GAP) - width).abs() < 0.01));
            let after: Vec<usize> = tables.iter().flat_map(|table| keys(table).split_off(1)).collect();
            assert_eq!(after, (1..14).collect::<Vec<_>>(), "{width}");
            // No table could have taken the first column of the next one.
            assert!(
                tables
                    .iter()
                    .all(|table| width_of(&table.iter().map(|c| column(c.key)).collect::<Vec<_>>(), GAP) <= width)
            );
        }

        assert_eq!(below_each_other(&columns, (5000.0, GAP)).len(), 1);
    }
}
