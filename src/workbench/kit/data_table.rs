//! A table of data: headers that sort, cells as text, for [`crate::table::Table`].

use std::cmp::Ordering;

use egui::{Label, RichText, Ui};

use super::table::{Sort, SortKey, Table, TableColumn, width_of};
use crate::table::{Formats, Table as Data};
use crate::workbench::paper::on_paper;
use crate::workbench::theme::{self, Theme};

/// The columns that people see, as texts in one color.
pub struct DataTable<'a> {
    pub id: &'a str,
    /// The accessible name.
    pub name: &'a str,
    pub data: Data,
    /// By the indices of the columns that people see.
    pub sort: &'a mut Sort<usize>,
    pub gap: f32,
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
        let Self { id, name, data, sort, gap } = self;
        let data = data.only(Formats::REPORT);
        let texts = data.texts();
        let columns = data.heads.iter().enumerate().map(|(key, head)| {
            let (title, about, width) = (head.capitalised(), head.about.clone(), width(ui, key, &texts));
            if head.is_number() {
                TableColumn::numbers(key, title, about, width)
            } else {
                TableColumn::words(key, title, about, width)
            }
        });
        let columns: Vec<TableColumn<usize>> = columns.collect();
        let order = order(&data, &texts, sort);
        let mut part_ui = |ui: &mut Ui, columns: &[TableColumn<usize>], fits: bool| {
            let table = Table { id, name, columns, sort, gap, below: 0.0, fits };
            table.show(ui, order.len(), |row| {
                let index = order[row.index()];
                row.show(&row_name(index, &texts[index]), false, |ui, column| {
                    let color = Theme::of(ui).text1;
                    ui.add(Label::new(RichText::new(&texts[index][column]).color(color)).truncate());
                });
            });
        };
        if !on_paper(ui) {
            return part_ui(ui, &columns, false);
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

/// The sorted rows: numbers by value, the missing ones last, texts by letters.
fn order(data: &Data, texts: &[Vec<String>], sort: &Sort<usize>) -> Vec<usize> {
    let compare = |a: usize, b: usize, key: SortKey<usize>| match data.heads.get(key.by) {
        None => Ordering::Equal,
        Some(head) if head.is_number() => {
            key.compare(data.rows[a][key.by].sort_value(), data.rows[b][key.by].sort_value())
        }
        Some(_) => key.turn(texts[a][key.by].cmp(&texts[b][key.by])),
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
        let by = |key, falls| order(&data, &data.texts(), &Sort::new(key, falls));
        assert_eq!((by(1, true), by(1, false)), (vec![0, 2, 1], vec![2, 0, 1]));
        assert_eq!((by(0, false), by(7, false)), (vec![1, 0, 2], vec![0, 1, 2]));
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
