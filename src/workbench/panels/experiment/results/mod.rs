//! The table of the run: a row per strategy, sortable, with intervals and published numbers.

mod data;

use egui::{Align, Layout, Response, RichText, Role, Sense, Ui, WidgetInfo, vec2};
use egui_extras::{Column as Width, TableBuilder, TableRow};

use crate::stats::Verdict;
use crate::words;
use crate::workbench::command::{Command, Commands};
use crate::workbench::document::Document;
use crate::workbench::icon::{Icon, icon_button, icon_label};
use crate::workbench::panels::experiment::lab_view::{LabView, Refresh, Stamp};
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{empty, header, mark_key, progress, rule};
use data::{Column, Row, Table};

/// Between columns.
const SPACE: f32 = 10.0;

/// What a column may gain where there is more room than the table needs.
const MOST_SPARE: f32 = 36.0;
/// Widths are multiples of this, so that a digit more or less moves nothing.
const WIDTH_STEP: f32 = 8.0;
/// A longer name is cut.
const WIDEST_NAME: f32 = 230.0;
/// Between numbers that end here and words that begin here.
const BEFORE_WORDS: f32 = 6.0;
/// Room for "not distinguishable".
const WORDS: f32 = 104.0;

/// View state of the panel.
#[derive(Debug)]
pub(crate) struct ResultsPanel {
    sort: Column,
    descending: bool,
    refresh: Refresh,
    table: Table,
    widths: Widths,
}

/// Widths of the columns of one run; they only grow, so that nothing moves while games are played.
#[derive(Debug, Default)]
struct Widths {
    run: u64,
    scale: f32,
    of: [f32; Column::ALL.len()],
}

impl Widths {
    fn follow(&mut self, ui: &Ui, run: u64, games: u64, table: &Table) {
        let scale = ui.pixels_per_point();
        if self.run != run || self.scale != scale {
            *self = Self { run, scale, of: Column::ALL.map(Column::least) };
        }
        let measure = |text: String, font: egui::FontId| {
            ui.painter().layout_no_wrap(text, font, egui::Color32::PLACEHOLDER).size().x
        };
        for (column, width) in Column::ALL.into_iter().zip(&mut self.of) {
            // The arrow of the sorted column has its room too.
            let arrow = if is_right(column) { " ↓" } else { "" };
            let header = measure(column.title(&table.baseline) + arrow, theme::small());
            let values = table.rows.iter().map(|row| match column {
                Column::Eye => 0.0,
                Column::Strategy => (40.0 + measure(row.label.clone(), theme::medium())).min(WIDEST_NAME),
                Column::Games => measure(words::count(games), theme::body()),
                Column::Mean => {
                    measure(row.text(column), theme::strong())
                        + row.error_text().map_or(0.0, |text| 4.0 + measure(text, theme::body()))
                }
                Column::Verdict => BEFORE_WORDS + 66.0 + measure(row.text(column), theme::body()),
                _ => measure(row.text(column), theme::body()),
            });
            let widest = values.fold(header, f32::max);
            *width = width.max((widest / WIDTH_STEP).ceil() * WIDTH_STEP);
        }
    }

    fn of(&self, column: Column) -> f32 {
        Column::ALL.into_iter().zip(self.of).find_map(|(one, width)| (one == column).then_some(width)).unwrap_or(0.0)
    }
}

impl Default for ResultsPanel {
    fn default() -> Self {
        Self {
            sort: Column::Mean,
            descending: true,
            refresh: Refresh::default(),
            table: Table::default(),
            widths: Widths::default(),
        }
    }
}

/// What was asked for in the table, done after it is drawn.
enum Wish {
    Show(usize, bool),
    Select(usize),
    Pin(usize),
    Open(usize),
}

impl ResultsPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, view: &mut LabView, commands: &mut Commands) {
        view.follow(doc);
        let (Some(snapshot), Some(plan)) = (doc.lab().snapshot(), doc.lab().plan()) else {
            empty(ui, "Run an experiment: one row per strategy appears here");
            return;
        };
        let stamp = Stamp::of(doc, view.version());
        if self.refresh.is_due(stamp) {
            self.table = self.refresh.run(stamp, || Table::new(snapshot, plan, view));
            self.widths.follow(ui, doc.lab().runs(), plan.games, &self.table);
        }
        let (room, widths) = (ui.available_width() - 4.0, &self.widths);
        let pin = 18.0;
        let width = |column| widths.of(column) + if column == Column::Strategy { pin } else { 0.0 };
        let columns = Column::fitting(room, SPACE, self.table.has_published, width);
        let mut spare = room - columns.iter().map(|&column| width(column) + SPACE).sum::<f32>() + SPACE;
        // Words where there is room for them; else the grey number says it.
        let unclear = self.table.rows.iter().any(|row| row.against.is_some_and(|one| !one.is_clear()));
        let words = unclear && columns.contains(&Column::Against) && WORDS <= spare;
        if words {
            spare -= WORDS;
        }
        let gain = (spare / columns.len() as f32).clamp(0.0, MOST_SPARE).floor();
        let width = |column| {
            let words = if words && column == Column::Against { WORDS } else { 0.0 };
            width(column) + words + if column == Column::Eye { 0.0 } else { gain }
        };
        let order = self.table.sorted(self.sort, self.descending, view);
        let footnote = footnote(doc, &self.table);
        let mut wish = None;
        ui.spacing_mut().item_spacing = vec2(SPACE, 0.0);
        let note_height = 22.0;
        let body_height = ui.available_height() - note_height - theme::ROW;
        let mut builder = TableBuilder::new(ui)
            .id_salt("results")
            .sense(Sense::click())
            .auto_shrink([false, true])
            .min_scrolled_height(0.0)
            .max_scroll_height(body_height.max(theme::ROW))
            .cell_layout(Layout::left_to_right(Align::Center));
        for &column in &columns {
            let last = columns.last() == Some(&column);
            let width = width(column);
            builder =
                builder.column(if last { Width::remainder().at_least(width) } else { Width::exact(width) }.clip(true));
        }
        let (sort, descending, table) = (self.sort, self.descending, &self.table);
        let mut resort = None;
        builder
            .header(theme::ROW, |mut row| {
                for &column in &columns {
                    row.col(|ui| {
                        let title = column.title(&table.baseline);
                        let sorted = (sort == column).then_some(descending);
                        if column == Column::Eye {
                            rule(ui, ui.max_rect());
                            return;
                        }
                        if column == Column::Verdict {
                            rule(ui, ui.max_rect());
                            ui.add_space(BEFORE_WORDS);
                        }
                        if header(ui, &title, column.about(), is_right(column), sorted).clicked() {
                            resort = Some(column);
                        }
                    });
                }
            })
            .body(|body| {
                body.rows(theme::ROW, order.len(), |mut table_row| {
                    let row = &table.rows[order[table_row.index()]];
                    row_ui(&mut table_row, row, &columns, words, view, &mut wish);
                });
            });
        if let Some(column) = resort {
            // Numbers are most interesting from above, names from A.
            self.descending = if self.sort == column { !self.descending } else { column != Column::Strategy };
            self.sort = column;
        }
        ui.add_space(theme::SPACE_S);
        ui.add(egui::Label::new(RichText::new(&footnote).small().color(Theme::of(ui).text3)).truncate())
            .on_hover_text(&footnote);
        match wish {
            Some(Wish::Show(place, shown)) => view.show(place, shown),
            Some(Wish::Select(place)) => {
                let again = view.selected() == Some(place);
                view.select((!again).then_some(place));
            }
            Some(Wish::Pin(place)) => view.pin(place),
            Some(Wish::Open(place)) => {
                if let Some(contestant) = plan.contestants.get(place) {
                    commands.push(Command::OpenStrategy(Box::new(contestant.strategy.clone())));
                }
            }
            None => {}
        }
    }
}

fn is_right(column: Column) -> bool {
    !matches!(column, Column::Eye | Column::Strategy | Column::Verdict)
}

/// What the table does not say by itself.
fn footnote(doc: &Document, table: &Table) -> String {
    let mut parts = Vec::new();
    if doc.lab().is_busy() {
        parts.push("Running, not final".to_owned());
    } else if doc.is_stale() {
        parts.push("The set-up changed since this run".to_owned());
    }
    if !table.neighbours.is_empty() {
        parts.push(table.neighbours.clone());
    }
    if table.has_published {
        parts.push("✓ within 2 standard errors of the published number, ✗ beyond 3".to_owned());
    }
    parts.join(". ")
}

fn row_ui(
    table_row: &mut TableRow<'_, '_>,
    row: &Row,
    columns: &[Column],
    words: bool,
    view: &LabView,
    wish: &mut Option<Wish>,
) {
    let selected = view.selected() == Some(row.place);
    let pinned = view.baseline() == row.place;
    let shown = view.contenders().get(row.place).is_some_and(|one| one.shown);
    table_row.set_selected(selected);
    for &column in columns {
        table_row.col(|ui| {
            rule(ui, ui.max_rect());
            if column == Column::Eye {
                let (icon, name) = if shown { (Icon::Eye, "Hide") } else { (Icon::EyeOff, "Show") };
                let name = format!("{name} {}", row.label);
                if icon_button(ui, icon, &name, "Show or hide in the plots").clicked() {
                    *wish = Some(Wish::Show(row.place, !shown));
                }
                return;
            }
            if is_right(column) {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| value_ui(ui, row, column, pinned, words));
            } else if column == Column::Strategy {
                ui.spacing_mut().item_spacing.x = 6.0;
                mark_key(ui, &row.label, Theme::of(ui).strategy(row.slot));
                let room = ui.available_width() - if pinned { 20.0 } else { 0.0 };
                ui.scope(|ui| {
                    ui.set_max_width(room);
                    ui.add(
                        egui::Label::new(RichText::new(&row.label).font(theme::medium()).color(Theme::of(ui).text1))
                            .truncate(),
                    );
                });
                if pinned {
                    icon_label(ui, Icon::Pin, Theme::of(ui).accent);
                }
            } else {
                ui.add_space(BEFORE_WORDS);
                value_ui(ui, row, column, pinned, words);
            }
        });
    }
    let response = table_row.response();
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, selected, format!("Row {}", row.label)));
    if response.double_clicked() {
        *wish = Some(Wish::Open(row.place));
    } else if response.clicked() {
        *wish = Some(Wish::Select(row.place));
    }
    response.context_menu(|ui| {
        if ui.button("Open in builder").clicked() {
            *wish = Some(Wish::Open(row.place));
        }
        if ui.add_enabled(!pinned, egui::Button::new("Pin as baseline")).clicked() {
            *wish = Some(Wish::Pin(row.place));
        }
        if ui.button(if shown { "Hide in the plots" } else { "Show in the plots" }).clicked() {
            *wish = Some(Wish::Show(row.place, !shown));
        }
    });
}

/// A value, then what is less important; in right-aligned cells the last comes first.
fn value_ui(ui: &mut Ui, row: &Row, column: Column, pinned: bool, words: bool) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = 4.0;
    let strong = |ui: &mut Ui, text: String| ui.label(RichText::new(text).font(theme::strong()).color(theme.text1));
    let plain = |ui: &mut Ui, text: String| ui.label(RichText::new(text).color(theme.text1));
    let grey = |ui: &mut Ui, text: String| ui.label(RichText::new(text).color(theme.text3));
    match column {
        Column::Eye | Column::Strategy => {}
        Column::Mean => {
            if let Some(error) = row.error_text() {
                grey(ui, error);
            }
            strong(ui, row.text(column));
        }
        Column::Against if pinned => {
            grey(ui, "baseline".to_owned());
        }
        Column::Against => match row.against {
            Some(difference) => {
                grey(ui, format!("± {}", words::decimals(difference.half, 0)));
                if difference.is_clear() {
                    plain(ui, difference.value_text());
                } else {
                    let value = grey(ui, difference.value_text());
                    if words {
                        ui.label(RichText::new("not distinguishable").small().color(theme.text3));
                    } else {
                        value.on_hover_text("Not distinguishable: 0 lies within the interval");
                    }
                }
            }
            None => {
                grey(ui, "–".to_owned());
            }
        },
        Column::Verdict if row.running => {
            progress(ui, &format!("Games of {}", row.label), row.done, 36.0);
            ui.label(RichText::new("running, not final").small().color(theme.text3));
        }
        Column::Verdict => verdict_ui(ui, theme, row),
        _ => match row.text(column) {
            none if none == "–" => {
                grey(ui, none);
            }
            text => {
                plain(ui, text);
            }
        },
    }
}

fn verdict_ui(ui: &mut Ui, theme: &Theme, row: &Row) {
    let Some(judgement) = &row.judgement else {
        ui.label(RichText::new("–").color(theme.text3));
        return;
    };
    let response = match judgement.verdict {
        Verdict::Agrees => ui.label(RichText::new("✓ agrees").color(theme.ok)),
        Verdict::Differs => ui.label(RichText::new("✗ differs").color(theme.error)),
        Verdict::Doubtful => {
            icon_label(ui, Icon::Warning, theme.warn);
            ui.label(RichText::new("doubtful").color(theme.warn))
        }
        Verdict::TooFew => ui.label(RichText::new("too few games").color(theme.text3)),
    };
    let numbers = ui.label(RichText::new(judgement.difference_text()).color(theme.text2));
    let _: Response = response.union(numbers).on_hover_text(&judgement.about);
}
