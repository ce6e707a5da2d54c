//! Tables: columns with title, width and alignment, headers that sort, rows that can be selected.
//!
//! [`Table`] is a scrolling table of widgets; [`header`], [`rule`] and [`Sort`] are its parts, for tables that paint
//! their own rows.

use std::borrow::Cow;
use std::cmp::Ordering;

use egui::accesskit::SortDirection;
use egui::{
    Align, Align2, Color32, Id, Layout, Rangef, Rect, Response, Role, Sense, Stroke, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};
use egui_extras::{Column as Width, TableBuilder};

use super::accessible::{bounds, describe};
use super::focus;
use super::panel::{SCROLL_BAR, scroll_across};
use crate::workbench::theme::{self, Theme, focus_ring};

/// A column that sorts the rows, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey<K> {
    pub by: K,
    /// Whether values are in descending order.
    pub falls: bool,
}

impl<K> SortKey<K> {
    pub fn turn(&self, order: Ordering) -> Ordering {
        if self.falls { order.reverse() } else { order }
    }

    /// The order of two values; a missing value comes last in either direction.
    pub fn compare(&self, a: Option<f64>, b: Option<f64>) -> Ordering {
        match (a, b) {
            (Some(a), Some(b)) => self.turn(a.total_cmp(&b)),
            (a, b) => b.is_some().cmp(&a.is_some()),
        }
    }

    /// A number for each value, with the order of [`Self::compare`].
    pub fn rank(&self, value: Option<f64>) -> u64 {
        const SIGN: u64 = 1 << 63;
        let rank = |bits: u64| if bits & SIGN == 0 { bits | SIGN } else { !bits };
        let turned = |rank: u64| if self.falls { !rank } else { rank };
        value.map_or(u64::MAX, |value| turned(rank(value.to_bits())))
    }
}

/// The columns that sort the rows: ties in the first are sorted by the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort<K> {
    first: SortKey<K>,
    then: [Option<SortKey<K>>; MOST_KEYS - 1],
}

/// A fourth key would not be visible.
pub const MOST_KEYS: usize = 3;

/// The state shown in the header of a sorted column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorted {
    pub falls: bool,
    /// The index of the key, from 1, and the number of keys.
    pub place: [usize; 2],
}

impl<K: Copy + PartialEq> Sort<K> {
    pub const fn new(by: K, falls: bool) -> Self {
        Self {
            first: SortKey { by, falls },
            then: [const { None }; MOST_KEYS - 1],
        }
    }

    /// Descending order.
    pub const fn falling(by: K) -> Self {
        Self::new(by, true)
    }

    /// Up to `MOST_KEYS` of these keys; `None` without any.
    pub fn of(keys: impl IntoIterator<Item = SortKey<K>>) -> Option<Self> {
        let mut keys = keys.into_iter();
        let SortKey { by, falls } = keys.next()?;
        let mut sort = Self::new(by, falls);
        keys.for_each(|key| sort.add(key));
        Some(sort)
    }

    pub fn first(&self) -> SortKey<K> {
        self.first
    }

    pub fn keys(&self) -> impl Iterator<Item = SortKey<K>> {
        std::iter::once(self.first).chain(self.then.into_iter().flatten())
    }

    /// For [`header`]: how the column is sorted, if it is.
    pub fn state(&self, by: K) -> Option<Sorted> {
        let place = self.keys().position(|key| key.by == by)?;
        Some(Sorted {
            falls: self.keys().nth(place)?.falls,
            place: [place + 1, self.keys().count()],
        })
    }

    /// Handles a click on a header: a new column starts with the direction `falls`, the same column reverses. With
    /// `adds`, the other keys stay in front of a new one.
    pub fn pick(&mut self, by: K, falls: bool, adds: bool) {
        let present = self.keys().find(|key| key.by == by);
        match present {
            Some(key) if adds => {
                let turned = self.keys().map(|one| SortKey {
                    falls: one.falls != (one.by == key.by),
                    ..one
                });
                let turned: Vec<SortKey<K>> = turned.collect();
                *self = Self::of(turned).unwrap_or(*self);
            }
            None if adds => self.add(SortKey { by, falls }),
            _ => {
                *self = Self::new(
                    by,
                    if self.first.by == by {
                        !self.first.falls
                    } else {
                        falls
                    },
                );
            }
        }
    }

    fn add(&mut self, key: SortKey<K>) {
        let is_new = self.keys().all(|other| other.by != key.by);
        if let Some(free) = self
            .then
            .iter_mut()
            .find(|then| then.is_none())
            .filter(|_| is_new)
        {
            *free = Some(key);
        }
    }

    /// The ranks of a row, given its value in a column: rows are in the order of their ranks.
    pub fn ranks(&self, value: impl Fn(K) -> Option<f64>) -> [u64; MOST_KEYS] {
        let mut ranks = [0; MOST_KEYS];
        ranks
            .iter_mut()
            .zip(self.keys())
            .for_each(|(rank, key)| *rank = key.rank(value(key.by)));
        ranks
    }

    /// The order of two rows, given the order by a single key.
    pub fn order(&self, by: impl FnMut(SortKey<K>) -> Ordering) -> Ordering {
        self.keys()
            .map(by)
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl<K: Copy + PartialEq + Default> Default for Sort<K> {
    fn default() -> Self {
        Self::new(K::default(), false)
    }
}

#[derive(Clone, Debug)]
pub(super) struct TableColumn {
    /// Its index.
    pub key: usize,
    pub title: String,
    /// The meaning of a value, for the tooltip of the header.
    pub about: Cow<'static, str>,
    pub width: f32,
    pub right: bool,
    /// Indent of left-aligned text.
    pub indent: f32,
    /// Whether its cells have a shorter form.
    pub is_narrow: bool,
    /// The direction of the first click on the header: descending or ascending; `None` has no clickable header.
    pub falls: Option<bool>,
}

/// A table of widgets in the remaining space; a wider one scrolls horizontally.
pub(super) struct Table<'a> {
    pub id: &'a str,
    /// The accessible name.
    pub name: &'a str,
    pub columns: &'a [TableColumn],
    pub sort: &'a mut Sort<usize>,
    pub gap: f32,
    /// Height to leave free below.
    pub below: f32,
    /// Whether it is only as high as its rows, and a last column of text takes the remaining width.
    pub fits: bool,
}

pub(super) struct TableRow<'a, 't, 'r> {
    row: egui_extras::TableRow<'t, 'r>,
    columns: &'a [TableColumn],
    /// Its horizontal range, and the visible part of it.
    across: Rangef,
    seen: Rangef,
    /// Whether a new group of rows starts here.
    is_apart: bool,
    is_selected: bool,
    sense: Sense,
}

/// The height for the rows below the titles: a whole number of them, so that none is cut at rest.
fn height_for_rows(ui: &Ui, below: f32) -> f32 {
    let rows = ((ui.available_height() - below) / theme::ROW + 0.01).floor() - 1.0;
    rows.max(1.0) * theme::ROW
}

/// Width of the scroll bar of a table with this number of rows and this height below it; 0 if it needs none.
pub fn bar_width(ui: &Ui, rows: usize, below: f32) -> f32 {
    let height = height_for_rows(ui, below);
    if height < rows as f32 * theme::ROW {
        SCROLL_BAR
    } else {
        0.0
    }
}

/// The total width of columns that are `gap` apart.
pub(super) fn width_of(columns: &[TableColumn], gap: f32) -> f32 {
    columns.iter().map(|column| column.width + gap).sum::<f32>() - gap
}

/// The width of a column that fits the longest of these texts.
pub fn width_for(ui: &Ui, texts: impl IntoIterator<Item = String>, least: f32) -> f32 {
    let longest = texts
        .into_iter()
        .max_by_key(|text| text.chars().count())
        .unwrap_or_default();
    let galley = ui
        .painter()
        .layout_no_wrap(longest, theme::strong(), Color32::PLACEHOLDER);
    galley.size().x.ceil().max(least)
}

/// The height of a table with this number of rows, including titles and the bar below.
pub fn height_of(rows: usize) -> f32 {
    theme::ROW * (rows as f32 + 1.0) + SCROLL_BAR
}

impl Table<'_> {
    /// Draws the header and the visible rows; scrolls to the row `revealed`, counted from 0, if it is hidden.
    pub(super) fn show(
        self,
        ui: &mut Ui,
        rows: usize,
        revealed: Option<usize>,
        mut row_ui: impl FnMut(TableRow<'_, '_, '_>),
    ) {
        let width = width_of(self.columns, self.gap);
        if width < ui.available_width() + 1.0 {
            return self.whole_ui(ui, rows, revealed, &mut row_ui);
        }
        scroll_across(ui, (self.id, "across"), !self.fits, |ui| {
            ui.set_width(width + bar_width(ui, rows, self.below));
            self.whole_ui(ui, rows, revealed, &mut row_ui);
        });
    }

    fn whole_ui(
        self,
        ui: &mut Ui,
        rows: usize,
        revealed: Option<usize>,
        row_ui: &mut impl FnMut(TableRow<'_, '_, '_>),
    ) {
        // The header is a row as well.
        let mut inside = table_within(
            ui,
            ui.available_rect_before_wrap(),
            self.id,
            self.name,
            (rows + 1, self.columns.len()),
        );
        self.rows_ui(&mut inside, rows, revealed, row_ui);
        ui.advance_cursor_after_rect(inside.min_rect());
    }

    fn rows_ui(
        self,
        ui: &mut Ui,
        rows: usize,
        revealed: Option<usize>,
        row_ui: &mut impl FnMut(TableRow<'_, '_, '_>),
    ) {
        let Self {
            id,
            name: _,
            columns,
            sort,
            gap,
            below,
            fits,
        } = self;
        ui.spacing_mut().item_spacing = vec2(gap, 0.0);
        let across = ui.available_rect_before_wrap().x_range();
        let seen = across.intersection(ui.clip_rect().x_range());
        let height = height_for_rows(ui, below);
        // A table within a longer text then leaves scrolling to that, and screen readers reach its rows out of sight.
        let is_whole = fits && rows as f32 * theme::ROW <= height;

        // Next to the values, not over them.
        ui.spacing_mut().scroll.floating_allocated_width = bar_width(ui, rows, below);
        let mut builder = TableBuilder::new(ui)
            .id_salt(id)
            .auto_shrink([false, fits])
            .vscroll(!is_whole)
            .min_scrolled_height(0.0)
            .max_scroll_height(height)
            .cell_layout(Layout::left_to_right(Align::Center));
        if let Some(row) = revealed {
            builder = builder.scroll_to_row(row, None);
        }

        for (index, column) in columns.iter().enumerate() {
            // Columns of numbers do not stretch.
            let takes_rest = fits && index + 1 == columns.len() && !column.right;
            let width = if takes_rest {
                Width::remainder().at_least(column.width)
            } else {
                Width::exact(column.width)
            };
            builder = builder.column(width.clip(true));
        }

        let table = builder.header(theme::ROW, |row| {
            let mut row = TableRow {
                row,
                columns,
                across,
                seen,
                is_apart: false,
                is_selected: false,
                sense: Sense::CLICK,
            };
            let titles = UiBuilder::new()
                .accessibility_role(Role::Row)
                .accessibility_label("Titles");
            row.cells_ui(&titles, 0, |ui, column, number| {
                column.header_ui(ui, sort, number);
            });
        });
        let mut of_data = |row: egui_extras::TableRow<'_, '_>| {
            row_ui(TableRow {
                row,
                columns,
                across,
                seen,
                is_apart: false,
                is_selected: false,
                sense: Sense::click(),
            });
        };
        table.body(|mut body| {
            if is_whole {
                (0..rows).for_each(|_| body.row(theme::ROW, &mut of_data));
            } else {
                body.rows(theme::ROW, rows, of_data);
            }
        });
    }
}

impl TableColumn {
    /// The title as a table cell.
    fn header_ui(&self, ui: &mut Ui, sort: &mut Sort<usize>, number: usize) {
        if self.falls.is_none() || 0.0 < self.indent {
            rule(ui, ui.max_rect());
            ui.add_space(self.indent);
        }
        let Some(falls) = self.falls else { return };
        let about = format!(
            "{}\nClick to sort; click with Shift to sort by a further column",
            self.about
        );
        let response = header(ui, &self.title, &about, self.right, sort.state(self.key));
        describe_cell(ui, response.id, response.rect, (0, number));
        if response.clicked() {
            sort.pick(self.key, falls, ui.input(|input| input.modifiers.shift));
        }
    }
}

impl TableRow<'_, '_, '_> {
    pub(super) fn index(&self) -> usize {
        self.row.index()
    }

    /// Draws a visible line above the row if a new group starts here.
    #[must_use]
    pub(super) fn apart(self, is_apart: bool) -> Self {
        Self { is_apart, ..self }
    }

    /// Makes the row sense more or less than clicks and the focus.
    #[must_use]
    pub(super) fn sense(self, sense: Sense) -> Self {
        Self { sense, ..self }
    }

    /// Draws the cells; returns the response of the whole row, which has this name.
    pub(super) fn show(
        mut self,
        name: &str,
        selected: bool,
        mut cell_ui: impl FnMut(&mut Ui, &TableColumn),
    ) -> Response {
        self.row.set_selected(selected);
        self.is_selected = selected;
        let builder = UiBuilder::new()
            .accessibility_role(Role::Row)
            .sense(self.sense);
        let is_apart = self.is_apart;
        let shown = self.cells_ui(&builder, self.index() + 1, |ui, column, _| {
            rule(ui, ui.max_rect());
            if is_apart {
                let above = ui.max_rect().translate(vec2(0.0, -ui.max_rect().height()));
                rule_in(ui, above, Theme::of(ui).text3);
            }
            if column.right {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    cell_ui(ui, column);
                });
            } else {
                if 0.0 < column.indent {
                    ui.add_space(column.indent);
                }
                cell_ui(ui, column);
            }
        });

        let response = shown.unwrap_or_else(|| self.row.response());
        if selected {
            focus::selected(&response);
        }

        response.widget_info(|| WidgetInfo {
            selected: self.sense.senses_click().then_some(selected),
            ..WidgetInfo::labeled(Role::Row, true, name)
        });
        response
    }

    /// Draws the cells within the row's accessible node; `place` counts from 0, the header.
    fn cells_ui(
        &mut self,
        builder: &UiBuilder,
        place: usize,
        mut cell_ui: impl FnMut(&mut Ui, &TableColumn, usize),
    ) -> Option<Response> {
        let (across, is_selected, mut row_ui) =
            ([self.across, self.seen], self.is_selected, None::<Ui>);
        // A title is a cell itself.
        let role = if place == 0 {
            Role::GenericContainer
        } else {
            Role::Cell
        };

        for (number, column) in self.columns.iter().enumerate() {
            self.row.col(|ui| {
                let row_ui = row_ui.get_or_insert_with(|| {
                    row_within(ui, builder.clone(), place, is_selected, across)
                });
                let cell = UiBuilder::new()
                    .id_salt(number)
                    .max_rect(ui.max_rect())
                    .layout(*ui.layout());
                let mut inside =
                    row_ui.new_child(cell.accessibility_role(role).style(ui.style().clone()));
                inside.set_clip_rect(ui.clip_rect());
                describe_cell(&inside, inside.unique_id(), ui.max_rect(), (place, number));
                cell_ui(&mut inside, column, number);
            });
        }

        row_ui.map(|row_ui| {
            let response = Response {
                rect: row_ui.min_rect(),
                ..row_ui.response()
            };
            // Over the fill of each cell of a selected row.
            if is_selected {
                Theme::of(&row_ui).selected_edge(row_ui.painter(), response.rect);
            }
            if response.has_focus() {
                focus_ring(&row_ui, response.rect.shrink(3.0));
            }
            response
        })
    }
}

/// The `Ui` of the row whose first cell is `cell`.
fn row_within(
    cell: &mut Ui,
    builder: UiBuilder,
    place: usize,
    is_selected: bool,
    [across, seen]: [Rangef; 2],
) -> Ui {
    let rect = Rect::from_x_y_ranges(across, cell.max_rect().y_range());
    let clip = Rect::from_x_y_ranges(seen, cell.clip_rect().y_range());
    let mut row = cell.new_child(builder.id_salt("row").max_rect(rect));
    row.set_clip_rect(clip);
    row.set_min_size(rect.size());
    // The cells of a selected row have their own fill, and a row that does nothing has none.
    if row.response().hovered() && row.response().sense.senses_click() && !is_selected {
        let fill = row.visuals().widgets.hovered.bg_fill;
        row.painter().rect_filled(rect, 0, fill);
    }
    describe(&row, row.unique_id(), |node| {
        node.set_row_index(place);
        node.set_bounds(bounds(rect));
    });
    row
}

/// The `Ui` of a table with this number of rows, including the header, and columns. It is one tab stop; rows and cells
/// are drawn into it.
pub fn table_within(
    ui: &mut Ui,
    rect: Rect,
    id: &str,
    name: &str,
    (rows, columns): (usize, usize),
) -> Ui {
    let builder = UiBuilder::new()
        .id_salt(id)
        .max_rect(rect)
        .accessibility_role(Role::Table);
    let inside = ui.new_child(builder.accessibility_label(name));
    describe(&inside, inside.unique_id(), |node| {
        node.set_row_count(rows);
        node.set_column_count(columns);
        node.set_bounds(bounds(rect));
    });
    focus::group(&inside);
    inside
}

/// A cell painted by its table; see [`describe_cell`] for its place.
pub fn painted_cell(
    ui: &Ui,
    rect: Rect,
    id: Id,
    role: Role,
    sense: Sense,
    place: (usize, usize),
    name: impl Fn() -> String,
) -> Response {
    let response = ui.interact(rect, id, sense);
    response.widget_info(|| WidgetInfo::labeled(role, true, name()));
    describe_cell(ui, id, rect, place);
    response
}

/// Reports the place of a cell to screen readers: its row, where 0 is the header, and its column.
pub fn describe_cell(ui: &Ui, id: Id, rect: Rect, (row, column): (usize, usize)) {
    describe(ui, id, |node| {
        node.set_row_index(row);
        node.set_column_index(column);
        node.set_bounds(bounds(rect));
    });
}

/// Fills a cell with the title of its column.
pub fn header(
    ui: &mut Ui,
    title: &str,
    about: &str,
    right: bool,
    sorted: Option<Sorted>,
) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
    let (order, arrow) = match sorted.map(|sorted| sorted.falls) {
        Some(true) => (", sorted, largest first", " ↓"),
        Some(false) => (", sorted, smallest first", " ↑"),
        None => ("", ""),
    };

    let [which, arrow_number] = match sorted.map(|sorted| sorted.place) {
        Some([place, keys]) if 1 < keys => [format!(", key {place} of {keys}"), place.to_string()],
        _ => [String::new(), String::new()],
    };
    let name = format!("Sort by {title}{order}{which}");
    response.widget_info(|| {
        WidgetInfo::selected(Role::ColumnHeader, ui.is_enabled(), sorted.is_some(), &name)
    });
    describe(ui, response.id, |node| {
        match sorted.map(|sorted| sorted.falls) {
            Some(true) => node.set_sort_direction(SortDirection::Descending),
            Some(false) => node.set_sort_direction(SortDirection::Ascending),
            None => {}
        }
    });

    let color = if sorted.is_some() || response.hovered() {
        theme.text1
    } else {
        theme.text3
    };
    let galley = ui.painter().layout_no_wrap(
        format!("{title}{arrow}{arrow_number}"),
        theme::small(),
        Color32::PLACEHOLDER,
    );
    let (align, x) = if right {
        (Align2::RIGHT_CENTER, rect.right())
    } else {
        (Align2::LEFT_CENTER, rect.left())
    };
    let at = align.anchor_size(pos2(x, rect.center().y), galley.size());
    ui.painter().galley(at.min, galley, color);
    rule(ui, rect);
    if response.has_focus() {
        // Cells clip their content; the ring extends sideways like the rule, but not above or below the cell.
        let (space, clip) = (vec2(ui.spacing().item_spacing.x / 2.0, 0.0), ui.clip_rect());
        ui.set_clip_rect(clip.expand2(space));
        focus_ring(ui, rect.expand2(space).shrink(4.0));
        ui.set_clip_rect(clip);
    }

    response.on_hover_text(about)
}

/// The line under a cell, up to the middle of the gap between columns, so that the lines of a row meet.
pub fn rule(ui: &Ui, cell: Rect) {
    rule_in(ui, cell, Theme::of(ui).sep);
}

/// Fills a cell and half of the gap on each side, so that the fills of a row touch.
pub fn fill_cell(ui: &Ui, color: Color32) {
    let space = vec2(ui.spacing().item_spacing.x / 2.0, 0.0);
    let mut painter = ui.painter().clone();
    // Cells clip their content; the fill extends beyond.
    painter.set_clip_rect(ui.clip_rect().expand2(space));
    painter.rect_filled(ui.max_rect().expand2(space), 0, color);
}

fn rule_in(ui: &Ui, cell: Rect, color: Color32) {
    let space = ui.spacing().item_spacing.x / 2.0;
    let mut painter = ui.painter().clone();
    // Cells clip their content; the line extends beyond.
    painter.set_clip_rect(ui.clip_rect().expand2(vec2(space + 1.0, 1.0)));
    let stroke = Stroke::new(1.0, color);
    painter.hline(
        cell.left() - space..=cell.right() + space,
        cell.bottom().round() - 0.5,
        stroke,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_click_turns_the_order_and_what_has_no_value_stays_last() {
        let mut sort = Sort::falling('a');
        let values = [Some(2.0), None, Some(3.0)];
        let sorted = |sort: &Sort<char>| {
            let mut order = [0, 1, 2];
            order.sort_by(|&a: &usize, &b| sort.order(|key| key.compare(values[a], values[b])));
            order
        };
        let falls = |sort: &Sort<char>, by| sort.state(by).map(|sorted| sorted.falls);
        assert_eq!(
            (sorted(&sort), falls(&sort, 'a'), sort.state('b')),
            ([2, 0, 1], Some(true), None)
        );
        sort.pick('a', true, false);
        assert_eq!((sorted(&sort), falls(&sort, 'a')), ([0, 2, 1], Some(false)));
        sort.pick('b', false, false);
        assert_eq!(sort, Sort::new('b', false));
    }

    #[test]
    fn ranks_of_values_are_in_their_order() {
        let values = [
            None,
            Some(-2.5),
            Some(-0.0),
            Some(0.0),
            Some(1.0),
            Some(1e300),
        ];
        for (falls, a, b) in itertools::iproduct!([false, true], values, values) {
            let key = SortKey { by: (), falls };
            assert_eq!(
                key.rank(a).cmp(&key.rank(b)),
                key.compare(a, b),
                "{a:?} {b:?} {falls}"
            );
        }
    }

    #[test]
    fn further_columns_order_what_the_first_leaves_equal() {
        let mut sort = Sort::falling('a');
        sort.pick('b', false, true);
        let rows = [[1.0, 5.0], [2.0, 4.0], [1.0, 3.0]];
        let sorted = |sort: &Sort<char>| {
            let mut order = [0, 1, 2];
            let value = |row: usize, by| Some(rows[row][usize::from(by == 'b')]);
            order.sort_by(|&a: &usize, &b| {
                sort.order(|key| key.compare(value(a, key.by), value(b, key.by)))
            });
            order
        };

        assert_eq!(sorted(&sort), [1, 2, 0]);
        assert_eq!(
            sort.state('b'),
            Some(Sorted {
                falls: false,
                place: [2, 2]
            })
        );
        sort.pick('b', false, true);
        assert_eq!(
            (sorted(&sort), sort.keys().count()),
            ([1, 0, 2], 2),
            "turned round where it is"
        );

        sort.pick('c', true, true);
        sort.pick('d', true, true);
        assert_eq!(
            sort.keys().map(|key| key.by).collect::<String>(),
            "abc",
            "there is no fourth"
        );
        sort.pick('b', true, false);
        assert_eq!(sort, Sort::falling('b'), "a click alone begins anew");
        assert_eq!(
            Sort::of(
                [SortKey {
                    by: 'b',
                    falls: true
                }; 2]
            ),
            Some(sort),
            "each once"
        );
    }
}
