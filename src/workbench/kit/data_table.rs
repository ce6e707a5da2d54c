//! A table of data: headers that sort, cells as text, for [`crate::table::Table`].

use std::cmp::Ordering;

use egui::{Label, RichText, Ui};

use super::table::{Sort, SortKey, Table, TableColumn};
use crate::table::{Formats, Table as Data};
use crate::workbench::theme::Theme;

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
        let table = Table { id, name, columns: &columns, sort, gap, below: 0.0, fits: false };
        table.show(ui, order.len(), |row| {
            let index = order[row.index()];
            row.show(&row_name(index, &texts[index]), false, |ui, column| {
                let color = Theme::of(ui).text1;
                ui.add(Label::new(RichText::new(&texts[index][column]).color(color)).truncate());
            });
        });
    }
}

/// The columns of CSV, for the clipboard.
pub fn csv_of(data: Data) -> Option<String> {
    String::from_utf8(data.only(Formats::CSV).csv().ok()?).ok()
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
}
