//! A table of data: headers that sort, columns that fold and hide, cells as text, for [`crate::table::Table`].

use std::borrow::Cow;
use std::cmp::Ordering;

use egui::{
    Color32, FontId, Label, Popup, PopupCloseBehavior, Response, RichText, Role, Sense, Ui,
    WidgetInfo,
};

use super::button::Button;
use super::menu::menu_entry;
use super::table::{Sort, SortKey, Table, TableColumn, bar_width, width_of};
use crate::table::{Cell, Formats, Head, Table as Data};
use crate::words;
use crate::workbench::paper::on_paper;
use crate::workbench::theme::{self, Theme};

/// The rows of a table.
pub enum DataSource<'a> {
    /// A few rows, which the table sorts: the columns that people see.
    Few(Data),
    /// A list of any length, in its own order. Only the visible rows are read.
    Listed(DataList<'a>),
}

/// Sorted rows. The index of a row is its place.
pub struct DataList<'a> {
    pub heads: &'a [Head],
    pub len: usize,
    /// The cells of a row as text.
    pub cells: &'a dyn Fn(usize) -> Vec<String>,
}

impl DataSource<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Few(data) => data.rows.len(),
            Self::Listed(list) => list.len,
        }
    }
}

impl From<Data> for DataSource<'_> {
    fn from(data: Data) -> Self {
        Self::Few(data)
    }
}

/// The columns that people see.
pub struct DataTable<'a> {
    pub id: &'a str,
    /// The accessible name.
    pub name: &'a str,
    pub data: DataSource<'a>,
    /// By the indices of the columns that people see.
    pub sort: &'a mut Sort<usize>,
    pub gap: f32,
}

/// Space between a right-aligned number and the text next to it.
const INDENT: f32 = 6.0;

/// A shorter form of a column.
#[derive(Clone, Copy, Debug)]
pub struct NarrowColumn<'a> {
    pub column: usize,
    /// `None` keeps the title.
    pub title: Option<&'a str>,
    pub width: f32,
}

/// How the rows of a table behave, and how its columns use the room.
#[derive(Clone, Copy, Debug, Default)]
pub struct DataRows<'a> {
    pub selected: Option<usize>,
    /// The place of a row to scroll to.
    pub revealed: Option<usize>,
    /// The places of rows with a visible line above, because another group starts.
    pub apart: &'a [usize],
    pub are_draggable: bool,
    /// Rows that do nothing if they are pressed. Screen readers still walk through them.
    pub inert: &'a [usize],
    /// Columns that the user hid; see [`columns_menu`].
    pub hidden: &'a [usize],
    pub narrow: &'a [NarrowColumn<'a>],
    /// Columns that are left out if they do not fit, the first one first. A column with a narrow form is in it twice: it
    /// becomes narrow, then it is left out.
    pub folding: &'a [usize],
    /// Columns that take the remaining width, the first one first, up to this width of their own.
    pub wide: &'a [(usize, f32)],
    /// Whether the table is only as high as its rows.
    pub fits: bool,
    /// What each column with a title takes at most of the width that still remains.
    pub spare: f32,
    /// Columns of text with a space before it, because a number is next to it.
    pub indented: &'a [usize],
    /// Height to leave free below.
    pub below: f32,
}

impl DataRows<'_> {
    /// Leaves out the columns that are hidden, shortens or leaves out those that do not fit, and widens others.
    fn fit(&self, columns: &mut Vec<TableColumn>, room: f32, gap: f32) {
        columns.retain(|column| !self.hidden.contains(&column.key));
        // The width of a column after these folds, and its narrow form.
        let form = |column: &TableColumn, folds: &[bool]| {
            let narrow = self
                .narrow
                .iter()
                .find(|narrow| narrow.column == column.key);
            let folds = self
                .folding
                .iter()
                .zip(folds)
                .filter(|(key, is_folded)| **is_folded && **key == column.key);
            match (folds.count(), narrow) {
                (0, _) => Some((column.width, None)),
                (1, Some(narrow)) => Some((narrow.width, Some(narrow))),
                _ => None,
            }
        };
        let fits = |folds: &[bool]| {
            let widths = columns.iter().filter_map(|column| form(column, folds));
            widths.map(|(width, _)| width + gap).sum::<f32>() - gap <= room
        };

        let mut folds = vec![false; self.folding.len()];
        while let Some(next) = folds
            .iter()
            .position(|is_folded| !is_folded)
            .filter(|_| !fits(&folds))
        {
            folds[next] = true;
        }
        // A wide column may leave room for a narrow one.
        for fold in (0..folds.len()).rev() {
            folds[fold] = std::mem::take(&mut folds[fold]) && !fits(&folds);
        }

        columns.retain_mut(|column| {
            let Some((width, narrow)) = form(column, &folds) else {
                return false;
            };
            (column.width, column.is_narrow) = (width, narrow.is_some());
            column.indent = if self.indented.contains(&column.key) && !column.is_narrow {
                INDENT
            } else {
                0.0
            };
            if let Some(title) = narrow.and_then(|narrow| narrow.title) {
                column.title = title.to_owned();
            }
            true
        });
        for &(wide, most) in self.wide {
            let rest = (room - width_of(columns, gap)).max(0.0);
            for column in columns.iter_mut().filter(|column| column.key == wide) {
                column.width = (column.width + rest).min(most.max(column.width));
            }
        }
        let spare = (room - width_of(columns, gap)) / columns.len() as f32;
        let titled = columns.iter_mut().filter(|column| !column.title.is_empty());
        titled.for_each(|column| column.width += spare.clamp(0.0, self.spare).floor());
    }
}

/// The menu that shows or hides columns, and marks those that do not fit. `shown` are the columns that are seen.
pub fn columns_menu(
    ui: &mut Ui,
    hidden: &mut Vec<usize>,
    all: &[(usize, String)],
    shown: &[usize],
) {
    let has = all
        .iter()
        .filter(|(column, _)| shown.contains(column))
        .count();
    let text = format!("{has} of {} columns", all.len());
    let button = ui.add(Button::new(&text).quiet().small().name("Columns"));
    let button = button.on_hover_text("Choose the columns; columns that do not fit are hidden");

    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| column_choices(ui, hidden, all, shown));
}

/// The entries of such a menu, which stays open for several choices.
pub fn column_choices(
    ui: &mut Ui,
    hidden: &mut Vec<usize>,
    all: &[(usize, String)],
    shown: &[usize],
) {
    for (column, title) in all {
        let is_wanted = !hidden.contains(column);
        let no_room = if is_wanted && !shown.contains(column) {
            " (hidden: too narrow)"
        } else {
            ""
        };
        let text = format!("{title}{no_room}");
        let choice = ui.add(egui::Button::selectable(is_wanted, &text));
        choice.widget_info(|| WidgetInfo::selected(Role::MenuItemCheckBox, true, is_wanted, &text));
        if choice.clicked() {
            match is_wanted {
                true => hidden.push(*column),
                false => hidden.retain(|one| one != column),
            }
        }
    }
}

/// A cell to draw.
#[derive(Clone, Copy, Debug)]
pub struct DataCell<'a> {
    pub row: usize,
    pub column: usize,
    pub is_narrow: bool,
    pub text: &'a str,
}

impl DataCell<'_> {
    pub fn ui(self, ui: &mut Ui, color: Color32) -> Response {
        ui.add(Label::new(RichText::new(self.text).color(color)).truncate())
    }

    pub fn ui_in(self, ui: &mut Ui, font: FontId, color: Color32) -> Response {
        ui.add(Label::new(RichText::new(self.text).font(font).color(color)).truncate())
    }

    /// A right-aligned estimate with its half-width in gray.
    pub fn estimate_ui(self, ui: &mut Ui, font: FontId, color: Color32) -> Response {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (text, half) = self
            .text
            .split_at(self.text.find(" ±").unwrap_or(self.text.len()));
        let half = (!half.is_empty())
            .then(|| ui.label(RichText::new(half.trim()).color(Theme::of(ui).text3)));
        let value = Self { text, ..self }.ui_in(ui, font, color);
        half.map_or(value.clone(), |half| half.union(value))
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
        let inert: Vec<usize> = (0..self.data.len()).collect();
        let rows = DataRows {
            inert: &inert,
            ..DataRows::default()
        };
        self.show_rows(ui, rows, width, row_name, cell_ui, |_, _| {});
    }

    /// The same with cells drawn by `cell_ui`; `row_ui` gets each visible row by its index. Returns the columns that are
    /// seen.
    pub fn show_rows(
        self,
        ui: &mut Ui,
        rows: DataRows<'_>,
        width: impl Fn(&Ui, usize, &[Vec<String>]) -> f32,
        row_name: impl Fn(usize, &[String]) -> String,
        mut cell_ui: impl FnMut(&mut Ui, DataCell<'_>),
        mut row_ui: impl FnMut(usize, Response),
    ) -> Vec<usize> {
        let Self {
            id,
            name,
            data,
            sort,
            gap,
        } = self;
        let data = match data {
            DataSource::Few(data) => DataSource::Few(data.only(Formats::REPORT)),
            DataSource::Listed(list) => DataSource::Listed(list),
        };
        let len = data.len();
        let (heads, texts, order) = match &data {
            DataSource::Few(data) => (&*data.heads, data.texts(), row_order(data, sort)),
            DataSource::Listed(list) => (list.heads, Vec::new(), Vec::new()),
        };
        let columns = heads
            .iter()
            .enumerate()
            .map(|(key, head)| column_of(key, head, width(ui, key, &texts)));
        let mut columns: Vec<TableColumn> = columns.collect();
        let room = ui.available_width() - 4.0 - bar_width(ui, len, rows.below);
        rows.fit(&mut columns, room, gap);

        let mut part_ui = |ui: &mut Ui, columns: &[TableColumn], fits: bool| {
            let table = Table {
                id,
                name,
                columns,
                sort: &mut *sort,
                gap,
                below: rows.below,
                fits,
            };
            table.show(ui, len, rows.revealed, |row| {
                let place = row.index();
                let (index, cells): (usize, Cow<'_, [String]>) = match &data {
                    DataSource::Few(_) => (order[place], texts[order[place]].as_slice().into()),
                    DataSource::Listed(list) => (place, (list.cells)(place).into()),
                };
                let row = match () {
                    () if rows.inert.contains(&index) => {
                        row.sense(Sense::focusable_noninteractive())
                    }
                    () if rows.are_draggable => row.sense(Sense::click_and_drag()),
                    () => row,
                };
                let row = row.apart(rows.apart.contains(&place));
                let is_selected = rows.selected == Some(index);
                let response = row.show(&row_name(index, &cells), is_selected, |ui, column| {
                    let text = &cells[column.key];
                    cell_ui(
                        ui,
                        DataCell {
                            row: index,
                            column: column.key,
                            is_narrow: column.is_narrow,
                            text,
                        },
                    );
                });
                row_ui(index, response);
            });
        };
        if on_paper(ui) {
            for (number, columns) in below_each_other(&columns, ui.available_width(), gap)
                .iter()
                .enumerate()
            {
                ui.push_id(number, |ui| part_ui(ui, columns, true));
                ui.add_space(theme::SPACE_M);
            }
        } else {
            part_ui(ui, &columns, rows.fits);
        }
        columns.into_iter().map(|column| column.key).collect()
    }
}

fn column_of(key: usize, head: &Head, width: f32) -> TableColumn {
    TableColumn {
        key,
        title: head.capitalised(),
        about: words::capitalised(&head.about).into(),
        width,
        right: head.is_number(),
        indent: 0.0,
        is_narrow: false,
        // A column without a title does not sort.
        falls: (!head.title.is_empty()).then_some(head.falls),
    }
}

/// Splits the columns into as many tables as a page of this width needs; each has the first column and the width of the
/// page.
fn below_each_other(columns: &[TableColumn], width: f32, gap: f32) -> Vec<Vec<TableColumn>> {
    let Some((first, others)) = columns.split_first() else {
        return Vec::new();
    };
    let mut tables: Vec<Vec<TableColumn>> = Vec::new();
    for column in others {
        match tables
            .last_mut()
            .filter(|table| width_of(table, gap) + gap + column.width <= width)
        {
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

/// The columns of CSV, for the clipboard. Columns without a title have widgets instead of data.
pub fn csv_of(data: Data) -> String {
    data.only(Formats::CSV)
        .columns(|head| !head.title.is_empty())
        .csv()
}

/// The columns for people, also those that are hidden, for the clipboard.
fn markdown_of(data: Data) -> String {
    data.only(Formats::REPORT)
        .columns(|head| !head.title.is_empty())
        .markdown()
}

/// The entries of a menu that copy a table.
pub fn copy_entries(ui: &mut Ui, data: impl Fn() -> Data) {
    for (text, copied) in [
        ("Copy as CSV", csv_of as fn(_) -> _),
        ("Copy as Markdown", markdown_of),
    ] {
        if menu_entry(ui, text, None, Ok(())) {
            ui.copy_text(copied(data()));
            ui.close();
        }
    }
}

/// The sorted rows: numbers by value, texts without a number by letters, the missing ones last.
pub fn row_order(data: &Data, sort: &Sort<usize>) -> Vec<usize> {
    let compare = |a: usize, b: usize, key: SortKey<usize>| {
        let Some(head) = data.heads.get(key.by) else {
            return Ordering::Equal;
        };
        let cells = [a, b].map(|row| &data.rows[row][key.by]);
        let exactly = |[a, b]: [&Cell; 2]| match [a.value(), b.value()] {
            // A float would lose the last digits of a seed.
            [Cell::Whole(a), Cell::Whole(b)] => key.turn(a.cmp(b)),
            [Cell::Text(a) | Cell::Note(a), Cell::Text(b) | Cell::Note(b)] => {
                key.turn(by_letters(a, b))
            }
            [a, b] => (*a == Cell::Missing).cmp(&(*b == Cell::Missing)),
        };
        let [a, b] = cells.map(|cell| head.sort_value(cell));
        key.compare(a, b).then_with(|| exactly(cells))
    };
    let mut order: Vec<usize> = (0..data.rows.len()).collect();
    order.sort_by(|&a, &b| sort.order(|key| compare(a, b, key)));
    order
}

/// Small and capital letters together.
fn by_letters(a: &str, b: &str) -> Ordering {
    let letters = |text: &'_ str| {
        text.chars()
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    letters(a).cmp(&letters(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn rows_are_in_the_order_of_their_values_not_of_their_texts() {
        let columns = [
            Column::text("name", "name", "", |row: &(&'static str, Option<f64>)| {
                row.0
            }),
            Column::number("value", "value", "", |row: &(&'static str, Option<f64>)| {
                row.1
            }),
        ];
        let data = Data::of(
            &columns,
            [("b", Some(1000.0)), ("a", None), ("c", Some(9.0))],
        );
        let by = |key, falls| row_order(&data, &Sort::new(key, falls));
        assert_eq!((by(1, true), by(1, false)), (vec![0, 2, 1], vec![2, 0, 1]));
        assert_eq!((by(0, false), by(7, false)), (vec![1, 0, 2], vec![0, 1, 2]));
    }

    #[test]
    fn large_numbers_letters_and_sizes_are_sorted_exactly() {
        type Row = (u64, Option<&'static str>, f64);
        let columns = [
            Column::whole("seed", "seed", "", |row: &Row| row.0),
            Column::text("name", "name", "", |row: &Row| row.1),
            Column::number("difference", "difference", "", |row: &Row| row.2).by_size(),
        ];
        let data = Data::of(
            &columns,
            [
                (u64::MAX, Some("b"), -3.0),
                (u64::MAX - 1, None, 2.0),
                (7, Some("A"), -1.0),
            ],
        );
        let by = |key, falls| row_order(&data, &Sort::new(key, falls));
        assert_eq!((by(0, true), by(0, false)), (vec![0, 1, 2], vec![2, 1, 0]));
        assert_eq!(
            (by(1, true), by(1, false)),
            (vec![0, 2, 1], vec![2, 0, 1]),
            "a missing one is last"
        );
        assert_eq!((by(2, true), by(2, false)), (vec![0, 1, 2], vec![2, 1, 0]));
    }

    #[test]
    fn columns_fold_in_order_and_one_takes_the_rest() {
        let rows = DataRows {
            folding: &[2, 1],
            wide: &[(0, 70.0)],
            ..DataRows::default()
        };
        let fitted = |room: f32| {
            let mut columns: Vec<_> = (0..3).map(|key| column_of_width(key, 40.0)).collect();
            rows.fit(&mut columns, room, GAP);
            columns
                .iter()
                .map(|column| (column.key, column.width))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            fitted(200.0),
            [(0, 70.0), (1, 40.0), (2, 40.0)],
            "at most 70 wide"
        );
        assert_eq!(fitted(140.0), [(0, 44.0), (1, 40.0), (2, 40.0)]);
        assert_eq!(fitted(100.0), [(0, 52.0), (1, 40.0)]);
        assert_eq!(fitted(50.0), [(0, 50.0)]);
    }

    #[test]
    fn hidden_columns_are_left_out_and_a_narrow_one_takes_the_room_of_a_wide_one() {
        let fitted = |hidden: &[usize], room: f32| {
            let rows = DataRows {
                hidden,
                folding: &[2, 1],
                ..DataRows::default()
            };
            let widths = [40.0, 90.0, 30.0];
            let column = |(key, width): (usize, f32)| column_of_width(key, width);
            let mut columns: Vec<_> = widths.into_iter().enumerate().map(column).collect();
            rows.fit(&mut columns, room, GAP);
            columns.iter().map(|column| column.key).collect::<Vec<_>>()
        };
        assert_eq!(
            (fitted(&[], 500.0), fitted(&[1], 500.0)),
            (vec![0, 1, 2], vec![0, 2])
        );
        assert_eq!(
            (fitted(&[], 150.0), fitted(&[], 100.0), fitted(&[2], 100.0)),
            (vec![0, 1], vec![0, 2], vec![0])
        );
    }

    #[test]
    fn columns_become_narrow_before_they_are_left_out() {
        let fitted = |room: f32| {
            let narrow = [NarrowColumn {
                column: 1,
                title: Some("n"),
                width: 10.0,
            }];
            let rows = DataRows {
                narrow: &narrow,
                folding: &[1, 0, 1],
                ..DataRows::default()
            };
            let mut columns: Vec<_> = (0..3).map(|key| column_of_width(key, 40.0)).collect();
            rows.fit(&mut columns, room, GAP);
            columns
                .into_iter()
                .map(|column| (column.key, column.width, column.title))
                .collect::<Vec<_>>()
        };
        let column = |key, width, title: &str| (key, width, title.to_owned());
        let [first, wide, narrow, last] = [
            column(0, 40.0, ""),
            column(1, 40.0, ""),
            column(1, 10.0, "n"),
            column(2, 40.0, ""),
        ];
        assert_eq!(fitted(136.0), [first.clone(), wide.clone(), last.clone()]);
        assert_eq!(fitted(135.0), [first, narrow.clone(), last.clone()]);
        assert_eq!(fitted(105.0), [wide, last.clone()], "one without the other");
        assert_eq!(
            (fitted(58.0), fitted(57.0)),
            (vec![narrow, last.clone()], vec![last])
        );
    }

    const GAP: f32 = 8.0;

    fn column_of_width(key: usize, width: f32) -> TableColumn {
        let column = Column::text("", "", "", |_: &()| "");
        column_of(key, &column.head, width)
    }

    #[test]
    fn a_table_on_paper_loses_no_column() {
        let column = |key: usize| column_of_width(key, 40.0 + 7.0 * key as f32);
        let columns: Vec<TableColumn> = (0..14).map(column).collect();
        for width in [200.0, 311.5, 500.0, 5000.0] {
            let tables = below_each_other(&columns, width, GAP);
            let keys = |table: &Vec<TableColumn>| {
                table.iter().map(|column| column.key).collect::<Vec<_>>()
            };
            assert!(tables.iter().all(|table| keys(table)[0] == 0 && (width_of(table, GAP) - width).abs() < 0.01));
            let after: Vec<usize> = tables
                .iter()
                .flat_map(|table| keys(table).split_off(1))
                .collect();
            assert_eq!(after, (1..14).collect::<Vec<_>>(), "{width}");
            // No table could have taken the first column of the next one.
            assert!(tables.iter().all(|table| width_of(
                &table.iter().map(|c| column(c.key)).collect::<Vec<_>>(),
                GAP
            ) <= width));
        }

        assert_eq!(below_each_other(&columns, 5000.0, GAP).len(), 1);
    }
}
