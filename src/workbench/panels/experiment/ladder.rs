//! Reach rates as a table of bars: a row per tile, a column per strategy.

use egui::{Align2, Rect, Role, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

use super::data::{PlotData, Series, percent};
use crate::experiment::Reach;
use crate::stats::IntervalKind;
use crate::words;
use crate::workbench::kit::{Line, focus_ring, paint_key, painted_cell, table_within};
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::theme::{self, Theme};

const TILE: f32 = 62.0;
/// Narrowest column: "97.9" beside "97.5 to 98.3".
const COLUMN: f32 = 120.0;
const HEADER: f32 = 26.0;

/// Draws the ladder into the space that is left down to `height`; it scrolls when it does not fit.
pub(super) fn ladder_ui(ui: &mut Ui, data: &PlotData, view: &mut RunView, height: f32) {
    let theme = Theme::of(ui);
    let rungs = data.ladder();
    let room = ui.available_width();
    let column = ((room - TILE) / data.series.len().max(1) as f32).clamp(COLUMN, 180.0);
    let pitch = ((height - HEADER - 4.0) / rungs.len().max(1) as f32).clamp(34.0, 52.0).floor();
    let size = vec2(TILE + column * data.series.len() as f32, HEADER + pitch * rungs.len() as f32);
    ScrollArea::both().id_salt("reach rates").auto_shrink(false).max_height(height).show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(size.x.max(room), size.y), Sense::hover());
        let places = (1 + rungs.len(), 1 + data.series.len());
        let ui = &mut table_within(ui, rect, ("ladder", &data.sentence("Reach rates")), places);
        let painter = ui.painter().clone();
        let head = rect.top() + HEADER / 2.0;
        painter.text(pos2(rect.left(), head), Align2::LEFT_CENTER, "Tile", theme::small(), theme.text3);
        for (index, series) in data.series.iter().enumerate() {
            let left = rect.left() + TILE + column * index as f32;
            let name = Rect::from_min_size(pos2(left, rect.top()), vec2(column - 8.0, HEADER));
            let (id, kind) = (ui.scope_id().with(("column", series.place)), (Role::ColumnHeader, Sense::click()));
            let head = painted_cell(ui, name, id, kind, (0, 1 + index), || format!("Select {}", series.label));
            if view.selected() == Some(series.place) {
                let whole = Rect::from_min_size(pos2(left - 6.0, rect.top()), vec2(column, size.y));
                painter.rect_filled(whole, theme::RADIUS_S, theme.accent_bg);
            }
            if head.clicked() {
                view.toggle(series.place);
            }
            if head.has_focus() {
                focus_ring(ui, name.shrink(1.0));
            }
            let key = Rect::from_min_size(pos2(left, rect.top() + 4.0), vec2(28.0, theme::TAG));
            paint_key(&painter, key, theme.strategy(series.color));
            let mut line = Line::new(&painter, name, 0.0);
            line.skip(34.0);
            line.start(&series.label, theme::medium(), theme.text1);
            head.on_hover_text(&series.label);
        }
        for (row, &rung) in rungs.iter().enumerate() {
            let top = rect.top() + HEADER + pitch * row as f32;
            painter.hline(rect.left()..=rect.left() + size.x, top.round() + 0.5, Stroke::new(1.0, theme.sep));
            let middle = pos2(rect.left(), top + pitch / 2.0);
            for (index, series) in data.series.iter().enumerate() {
                let Some(reach) = series.reach.get(rung) else { continue };
                if index == 0 {
                    let tile = Rect::from_min_size(pos2(rect.left(), top), vec2(TILE, pitch));
                    let (id, kind) = (ui.scope_id().with(("tile", reach.tile)), (Role::RowHeader, Sense::hover()));
                    painted_cell(ui, tile, id, kind, (1 + row, 0), || reach.tile.to_string());
                    painter.text(middle, Align2::LEFT_CENTER, reach.tile.to_string(), theme::strong(), theme.text1);
                }
                let left = rect.left() + TILE + column * index as f32;
                let cell = Rect::from_min_size(pos2(left, top), vec2(column - 14.0, pitch));
                cell_ui(ui, (cell, (1 + row, 1 + index)), series, reach);
            }
        }
    });
}

fn cell_ui(ui: &Ui, (cell, place): (Rect, (usize, usize)), series: &Series, reach: &Reach) {
    let (theme, painter) = (Theme::of(ui), ui.painter());
    let [low, high, share] = [reach.ci95.low, reach.ci95.high, reach.share].map(percent);
    let promise = match series.kind {
        IntervalKind::Anytime => format!(" ({})", series.kind.promise()),
        IntervalKind::Planned => String::new(),
    };
    let sentence = format!(
        "{}: {share} % of {} reached {}, 95 % interval {low} to {high} %{promise}, {}",
        series.label,
        words::plural(series.games, "game"),
        reach.tile,
        words::plural(reach.games, "game"),
    );
    let (id, sense) =
        (ui.scope_id().with((series.place, reach.tile)), Sense::focusable_noninteractive() | Sense::HOVER);
    let response = painted_cell(ui, cell, id, (Role::Cell, sense), place, || sentence.clone());
    if response.has_focus() {
        focus_ring(ui, cell.shrink2(vec2(-2.0, 2.0)));
    }
    response.on_hover_text(&sentence);
    let baseline = cell.center().y - 7.0;
    let none = reach.games == 0;
    let (font, color) = if none { (theme::body(), theme.text3) } else { (theme::strong(), theme.text1) };
    let value = painter.text(pos2(cell.left(), baseline), Align2::LEFT_CENTER, &share, font, color);
    let interval = if none { format!("to {high}") } else { format!("{low} to {high}") };
    let at = pos2(value.right() + 5.0, baseline + 1.0);
    painter.text(at, Align2::LEFT_CENTER, interval, theme::small(), theme.text3);
    let y = cell.center().y + 9.0;
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
}
