//! Reach rates as a table of bars: one row per strategy, one column per tile. A cell lists its games.

use egui::{Align2, Painter, Rect, Role, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

use super::data::{PlotData, Series, in_groups, percent};
use crate::experiment::Reach;
use crate::game::Rank;
use crate::stats::IntervalKind;
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Line, focus_ring, paint_key, painted_cell, table_within};
use crate::workbench::panels::experiment::games;
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::theme::{self, Theme};

/// Width of the names, smallest and largest.
const NAMES: (f32, f32) = (110.0, 190.0);
/// Width of a column, smallest ("0.016 %" fits) and largest.
const COLUMN: (f32, f32) = (66.0, 136.0);
/// Minimum column width at which "97.5 to 98.3" follows "97.9 %".
const WITH_INTERVAL: f32 = 128.0;
/// Height of a row, smallest and largest.
const PITCH: (f32, f32) = (32.0, 46.0);
const HEADER: f32 = 22.0;

/// The geometry of the cells.
struct Grid {
    whole: Rect,
    names: f32,
    column: f32,
    pitch: f32,
}

impl Grid {
    fn new(room: f32, height: f32, rows: usize, columns: usize) -> Self {
        let names = (0.24 * room).clamp(NAMES.0, NAMES.1);
        let column = ((room - names) / columns.max(1) as f32)
            .clamp(COLUMN.0, COLUMN.1)
            .floor();
        let pitch = ((height - HEADER - 4.0) / rows.max(1) as f32)
            .clamp(PITCH.0, PITCH.1)
            .floor();
        let size = vec2(
            (names + column * columns as f32).max(room),
            HEADER + pitch * rows as f32,
        );
        Self {
            whole: Rect::from_min_size(pos2(0.0, 0.0), size),
            names,
            column,
            pitch,
        }
    }

    fn row(&self, row: usize) -> Rect {
        let top = self.whole.top() + HEADER + self.pitch * row as f32;
        self.whole.with_min_y(top).with_max_y(top + self.pitch)
    }

    fn cell(&self, row: Rect, column: usize) -> Rect {
        let left = self.whole.left() + self.names + self.column * column as f32;
        Rect::from_x_y_ranges(left..=left + self.column - 12.0, row.y_range())
    }
}

/// Draws the ladder into the remaining space down to `height`; it scrolls if it does not fit.
pub(super) fn ladder_ui(
    ui: &mut Ui,
    data: &PlotData,
    view: &mut RunView,
    commands: &mut Commands,
    height: f32,
) {
    let rungs = data.ladder();
    let mut grid = Grid::new(ui.available_width(), height, data.rows.len(), rungs.len());
    ScrollArea::both()
        .id_salt("reach rates")
        .auto_shrink(false)
        .max_height(height)
        .show(ui, |ui| {
            grid.whole = ui.allocate_exact_size(grid.whole.size(), Sense::hover()).0;
            let places = (1 + data.rows.len(), 1 + rungs.len());
            let name = data.sentence("Reach rates", &data.rows);
            let ui = &mut table_within(ui, grid.whole, "ladder", &name, places);
            let seen = ui.clip_rect();

            for (number, (series, is_apart)) in in_groups(&data.rows).enumerate() {
                let row = grid.row(number);
                if row.intersects(seen) {
                    row_ui(ui, &grid, number, series, &rungs, view, commands);
                    part(ui.painter(), Theme::of(ui), row, is_apart);
                }
            }
            head_ui(ui, &grid, data, &rungs);
        });
}

/// The tiles above the columns; they stay visible while scrolling.
fn head_ui(ui: &Ui, grid: &Grid, data: &PlotData, rungs: &[usize]) {
    let (theme, painter) = (Theme::of(ui), ui.painter());
    let top = grid.whole.top().max(ui.clip_rect().top());
    let head = grid.whole.with_min_y(top).with_max_y(top + HEADER);
    if grid.whole.top() < top {
        painter.rect_filled(head, 0, theme.bg1);
    }
    let Some(first) = data.rows.first() else {
        return;
    };
    painter.text(
        head.left_center(),
        Align2::LEFT_CENTER,
        "Tile",
        theme::small(),
        theme.text3,
    );
    for (column, &rung) in rungs.iter().enumerate() {
        let Some(reach) = first.reach.get(rung) else {
            continue;
        };
        let cell = grid.cell(head, column);
        let (id, at) = (ui.scope_id().with(("tile", reach.tile)), (0, 1 + column));
        painted_cell(ui, cell, id, Role::ColumnHeader, Sense::hover(), at, || {
            reach.tile.to_string()
        });
        painter.text(
            cell.left_center(),
            Align2::LEFT_CENTER,
            reach.tile.to_string(),
            theme::strong(),
            theme.text1,
        );
    }
}

fn row_ui(
    ui: &Ui,
    grid: &Grid,
    number: usize,
    series: &Series,
    rungs: &[usize],
    view: &mut RunView,
    commands: &mut Commands,
) {
    let (theme, painter, row) = (Theme::of(ui), ui.painter(), grid.row(number));
    painter.hline(
        row.x_range(),
        row.top().round() + 0.5,
        Stroke::new(1.0, theme.sep),
    );
    if view.selected() == Some(series.place) {
        painter.rect_filled(
            row.shrink2(vec2(0.0, 1.0)),
            theme::RADIUS_S,
            theme.accent_bg,
        );
    }

    let name = row.with_max_x(row.left() + grid.names - 8.0);
    let (id, at) = (ui.scope_id().with(("row", series.place)), (1 + number, 0));
    let about = || format!("Select {}", series.name());
    let head = painted_cell(ui, name, id, Role::RowHeader, Sense::click(), at, about);
    if head.clicked() {
        view.toggle(series.place);
    }

    if head.has_focus() {
        focus_ring(ui, name.shrink(1.0));
    }

    paint_name(painter, theme, name, series);
    head.on_hover_text(series.name());
    for (column, &rung) in rungs.iter().enumerate() {
        let Some(reach) = series.reach.get(rung) else {
            continue;
        };
        let cell = grid.cell(row, column);
        if !cell.intersects(ui.clip_rect()) {
            continue;
        }
        let tile = Rank::of_tile(reach.tile);
        let is_listed =
            tile.is_some() && view.reached == tile && view.clicked == Some(series.place);
        if is_listed {
            let around = cell.expand2(vec2(5.0, -2.0));
            painter.rect_stroke(
                around,
                theme::RADIUS_S,
                Stroke::new(1.5, theme.accent),
                egui::StrokeKind::Inside,
            );
        }

        let id = ui.scope_id().with((series.place, reach.tile));
        let about = cell_text(series, reach);
        let response = painted_cell(
            ui,
            cell,
            id,
            Role::Cell,
            Sense::click(),
            (1 + number, 1 + column),
            || about.clone(),
        );
        if response.hovered() {
            painter.rect_filled(
                cell.expand2(vec2(5.0, -2.0)),
                theme::RADIUS_S,
                theme.bg4.gamma_multiply(0.5),
            );
        }
        if response.has_focus() {
            focus_ring(ui, cell.shrink2(vec2(-2.0, 2.0)));
        }

        if let Some(tile) = tile.filter(|_| response.clicked()) {
            view.list_reached(series.place, tile);
            games::go_to_list(ui.ctx(), commands);
        }
        response.on_hover_text(format!("{about}\nClick to list these games"));
        paint_cell(painter, theme, cell, series, reach);
    }
}

/// A line above a row where a new class of strategies starts.
pub(super) fn part(painter: &Painter, theme: &Theme, row: Rect, is_apart: bool) {
    if is_apart {
        painter.hline(
            row.x_range(),
            row.top().round() + 0.5,
            Stroke::new(1.0, theme.text3),
        );
    }
}

/// Mark, name and class of a strategy.
pub(super) fn paint_name(painter: &Painter, theme: &Theme, rect: Rect, series: &Series) {
    let key = Rect::from_center_size(
        pos2(rect.left() + 14.0, rect.center().y),
        vec2(28.0, theme::TAG),
    );
    paint_key(painter, key, theme.strategy(series.color));
    let mut line = Line::new(painter, rect, 0.0);
    if let Some(class) = &series.class {
        line.end(class, theme::small(), theme.text3);
        line.skip_end(4.0);
    }
    line.skip(34.0);
    line.start(&series.label, theme::medium(), theme.text1);
}

fn cell_text(series: &Series, reach: &Reach) -> String {
    let [low, high, share] = [reach.ci95.low, reach.ci95.high, reach.share].map(percent);
    let promise = match series.kind {
        IntervalKind::Anytime => format!(" ({})", series.kind.promise()),
        IntervalKind::Planned => String::new(),
    };

    let exact = series
        .exact_reach(reach.tile)
        .map(|share| format!(", {} % exactly", percent(share)));
    let taken = Rank::of_tile(reach.tile).and_then(|rank| {
        let (moves, seconds) = (
            series.summary.moves_reaching(rank)?.mean,
            series.summary.seconds_reaching(rank)?.mean,
        );
        let seconds = words::three_digits(seconds);
        Some(format!(
            " of {} moves and {seconds} s of CPU time on average",
            words::decimals(moves, 0)
        ))
    });

    format!(
        "{}: {share} % of {} reached {}, 95 % interval {low} to {high} %{promise}, {}{}{}",
        series.label,
        words::plural(series.games, "game"),
        reach.tile,
        words::plural(reach.games, "game"),
        taken.unwrap_or_default(),
        exact.unwrap_or_default(),
    )
}

/// The share with its interval, as numbers and as a bar with whiskers; a wedge marks the exact share.
pub(super) fn paint_cell(
    painter: &Painter,
    theme: &Theme,
    cell: Rect,
    series: &Series,
    reach: &Reach,
) {
    let [low, high, share] = [reach.ci95.low, reach.ci95.high, reach.share].map(percent);
    let offset = (cell.height() * 0.19).min(8.0);
    let baseline = cell.center().y - offset;
    let none = reach.games == 0;
    let (font, color) = if none {
        (theme::body(), theme.text3)
    } else {
        (theme::strong(), theme.text1)
    };
    let value = painter.text(
        pos2(cell.left(), baseline),
        Align2::LEFT_CENTER,
        format!("{share} %"),
        font,
        color,
    );
    if WITH_INTERVAL <= cell.width() + 12.0 {
        let interval = if none {
            format!("to {high}")
        } else {
            format!("{low} to {high}")
        };
        let at = pos2(value.right() + 5.0, baseline + 1.0);
        painter.text(
            at,
            Align2::LEFT_CENTER,
            interval,
            theme::small(),
            theme.text3,
        );
    }

    let y = cell.center().y + offset + 2.0;
    let track = Rect::from_min_max(pos2(cell.left(), y - 3.0), pos2(cell.right(), y + 3.0));
    painter.rect_filled(track, 2, theme.bg3);
    let x = |share: f64| track.left() + track.width() * share as f32;
    let mark = theme.strategy(series.color);
    if !none {
        let filled = track.with_max_x(x(reach.share).max(track.left() + 1.0));
        painter.rect_filled(filled, 2, mark.color.gamma_multiply(0.55));
    }
    let stroke = Stroke::new(1.2, theme.text1);
    painter.hline(x(reach.ci95.low)..=x(reach.ci95.high), y, stroke);
    for end in [reach.ci95.low, reach.ci95.high] {
        painter.vline(x(end), y - 3.5..=y + 3.5, stroke);
    }

    if let Some(exact) = series.exact_reach(reach.tile) {
        let tip = pos2(x(exact), y - 3.0);
        let wedge = vec![tip, tip + vec2(-3.5, -6.0), tip + vec2(3.5, -6.0)];
        painter.add(egui::Shape::convex_polygon(
            wedge,
            theme.text1,
            Stroke::NONE,
        ));
    }
}
