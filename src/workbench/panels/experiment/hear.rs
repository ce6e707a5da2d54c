//! The accessible text of a plot: nodes for screen readers, and the tooltip under the pointer.

use std::ops::RangeInclusive;

use egui::accesskit::Action;
use egui::{
    Pos2, Rect, Response, RichText, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::data::{Series, Unit, percent, scores_text};
use super::differences::Paired;
use super::frame::{Frame, PlotShape};
use crate::stats::IntervalKind;
use crate::words;
use crate::workbench::kit::{describe, is_heard, mark_key};
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::theme::{self, Theme};

/// Accessible nodes of the visible bins or steps, with the value of every strategy. Pressing one brushes it. While the
/// plot has the focus, the screen reader reads the node at the end of the brush, which the arrows move.
pub(super) fn hear_bins(ui: &mut Ui, plot: &Response, frame: Frame<'_>, view: &mut RunView) {
    if !is_heard(ui) {
        return;
    }

    let data = frame.data;
    let builder = UiBuilder::new()
        .id_salt("bins")
        .max_rect(frame.inner)
        .accessibility_role(Role::ListBox);
    let inside = ui.new_child(
        builder.accessibility_label(if frame.shape == PlotShape::Curve {
            "Steps"
        } else {
            "Bins"
        }),
    );
    let brushed = view
        .brush
        .as_ref()
        .map(|scores| [*scores.start(), *scores.end()].map(|at| data.bin_at(at.into())));
    for bin in frame.seen_bins() {
        let (scores, id) = (data.scores_of(bin), inside.scope_id().with(bin));
        let [left, right] = frame.span(&scores);
        let response = inside.interact(
            frame.inner.with_min_x(left).with_max_x(right),
            id,
            Sense::hover(),
        );
        let is_brushed = brushed.is_some_and(|[first, last]| (first..=last).contains(&bin));
        response.widget_info(|| {
            let end = f64::from(*scores.end());
            let one = |series: &Series| {
                format!("{} {}", series.label, value_text(frame, series, bin, None))
            };
            let values: Vec<String> = data.series.iter().map(one).collect();
            let name = format!("{}: {}", head_text(frame, &scores, end), values.join(", "));
            WidgetInfo::selected(Role::ListBoxOption, true, is_brushed, name)
        });
        describe(&inside, id, |node| {
            node.set_selected(is_brushed);
            node.add_action(Action::Click);
        });
        if ui.input(|input| input.has_accesskit_action_request(id, Action::Click)) {
            (view.brush, view.reached) = (Some(scores), None);
        }
        if plot.has_focus() && brushed.is_some_and(|[_, last]| last == bin) {
            describe(&inside, plot.id, |node| {
                node.set_active_descendant(id.accesskit_id());
            });
        }
    }
}

/// Accessible nodes of the boxes; pressing one selects its strategy, as the up and down arrows do.
pub(super) fn hear_boxes(ui: &mut Ui, frame: Frame<'_>, view: &mut RunView) {
    if !is_heard(ui) {
        return;
    }

    let builder = UiBuilder::new()
        .id_salt("boxes")
        .max_rect(frame.inner)
        .accessibility_role(Role::ListBox);
    let inside = ui.new_child(builder.accessibility_label("Boxes"));
    for (series, row) in frame.boxes() {
        let id = inside.scope_id().with(series.place);
        let response = inside.interact(row, id, Sense::hover());
        let is_selected = view.selected() == Some(series.place);
        response.widget_info(|| {
            let name = format!("{}: {}", series.name(), value_text(frame, series, 0, None));
            WidgetInfo::selected(Role::ListBoxOption, true, is_selected, name)
        });
        describe(&inside, id, |node| {
            node.set_selected(is_selected);
            node.add_action(Action::Click);
        });
        if ui.input(|input| input.has_accesskit_action_request(id, Action::Click)) {
            view.select(Some(series.place));
        }
    }
}

/// The heading of the values: a bin, or the scores up to one.
fn head_text(
    Frame { shape, data, .. }: Frame<'_>,
    scores: &RangeInclusive<u32>,
    score: f64,
) -> String {
    match shape {
        PlotShape::Curve => format!("At most {}", words::count(score.max(0.0) as u64)),
        PlotShape::Boxes => "5 %, quartiles, 95 %, mean".to_owned(),
        PlotShape::Bars | PlotShape::Own => match data.axis.no_difference() {
            Some(zero) => format!("Difference {}", scores_text(scores, zero)),
            None => scores_text(scores, 0),
        },
    }
}

pub(super) fn hover(ui: &Ui, response: &Response, frame: Frame<'_>, pointer: Pos2) {
    /// Height of a line of the tooltip, and of the rest of it.
    const LINE: f32 = 20.0;
    const REST: f32 = 90.0;
    let theme = Theme::of(ui);
    let Frame { shape, data, .. } = frame;
    let score = frame.score(pointer.x);
    let bin = data.bin_at(score);

    // The strategy whose games a click would list.
    let at_pointer = frame.series_at(pointer).or(frame.selected);
    let scores = data.scores_of(bin);
    let x = pointer.x.round() + 0.5;
    if shape == PlotShape::Curve {
        ui.painter()
            .vline(x, frame.inner.y_range(), Stroke::new(1.0, theme.line));
    } else if shape == PlotShape::Bars {
        let [left, right] = frame.span(&scores);
        let column = Rect::from_x_y_ranges(left..=right, frame.inner.y_range());
        ui.painter()
            .rect_filled(column, 0, theme.text3.gamma_multiply(0.10));
    }

    if ui.input(|input| input.pointer.any_down()) {
        return;
    }

    let all = shape.drawn(data);
    // As many as fit on the screen, including the one at the pointer.
    let most = ((ui.ctx().content_rect().height() / 2.0 - REST) / LINE).max(3.0) as usize;
    let at = all
        .iter()
        .position(|series| Some(series.place) == at_pointer)
        .unwrap_or(0);
    let first = at
        .saturating_sub(most / 2)
        .min(all.len().saturating_sub(most));
    let listed = &all[first..all.len().min(first + most)];
    let mut tooltip = egui::Tooltip::for_widget(response).at_pointer().gap(16.0);
    tooltip.popup = tooltip.popup.open(true);
    tooltip.show(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 2.0);
        ui.label(RichText::new(head_text(frame, &scores, score)).font(theme::strong()));
        let values = listed.iter().map(|series| {
            let text = value_text(frame, series, bin, Some(score));
            let font = if at_pointer == Some(series.place) {
                theme::strong()
            } else {
                theme::medium()
            };
            let name = ui
                .painter()
                .layout_no_wrap(series.label.clone(), font, theme.text1);
            let value = ui
                .painter()
                .layout_no_wrap(text.clone(), theme::body(), theme.text1);
            (series, name, value, text)
        });

        let values: Vec<_> = values.collect();
        let names = values
            .iter()
            .map(|(_, name, ..)| name.size().x)
            .fold(0.0, f32::max);
        let numbers = values
            .iter()
            .map(|(_, _, value, _)| value.size().x)
            .fold(0.0, f32::max);
        for (series, name, value, text) in &values {
            ui.horizontal(|ui| {
                ui.set_height(theme::TAG);
                mark_key(ui, &series.label, theme.strategy(series.color));
                let (rect, row) = ui
                    .allocate_exact_size(vec2(names + 16.0 + numbers, theme::TAG), Sense::hover());
                row.widget_info(|| {
                    WidgetInfo::labeled(Role::Label, true, format!("{} {text}", series.label))
                });
                let top = |height: f32| rect.center().y - height / 2.0;
                ui.painter().galley(
                    pos2(rect.left(), top(name.size().y)),
                    name.clone(),
                    theme.text1,
                );
                let at = pos2(rect.right() - value.size().x, top(value.size().y));
                ui.painter().galley(at, value.clone(), theme.text1);
            });
        }

        for line in below(frame, bin)
            .into_iter()
            .chain(more(all.len() - listed.len()))
        {
            ui.label(RichText::new(line).small().color(theme.text3));
        }
    });
}

fn more(left_out: usize) -> Option<String> {
    (0 < left_out).then(|| format!("and {} more", words::count(left_out as u64)))
}

/// The lines below the values: the parts of a stacked bar, or the meaning of a band.
fn below(frame: Frame<'_>, bin: usize) -> Vec<String> {
    let data = frame.data;
    match frame.shape {
        PlotShape::Bars if data.paired.is_some() => {
            data.paired.iter().map(Paired::alike_text).collect()
        }
        PlotShape::Bars => {
            let Some((series, stack)) = data.stacked() else {
                return Vec::new();
            };
            let parts = stack.parts.iter().rev().filter(|(_, bars)| 0 < bars[bin]);
            let parts: Vec<String> = parts
                .map(|(rank, bars)| format!("{}: {}", rank.tile(), words::count(bars[bin])))
                .collect();
            let text = format!("{} by largest tile – {}", series.label, parts.join(", "));
            (!parts.is_empty()).then_some(text).into_iter().collect()
        }
        PlotShape::Curve => band_text(&data.series).into_iter().collect(),
        PlotShape::Boxes | PlotShape::Own => Vec::new(),
    }
}

/// Describes the bands around the curves.
pub(super) fn band_text(series: &[Series]) -> Option<String> {
    let widest = series.iter().max_by(|a, b| a.band.total_cmp(&b.band))?;
    let fewest = series.iter().map(|series| series.games).min()?;
    let half = words::decimals(100.0 * widest.band, if widest.band < 0.01 { 2 } else { 1 });
    let promise = match series.iter().map(|series| series.kind).min()? {
        IntervalKind::Planned => "DKW",
        kind @ IntervalKind::Anytime => kind.promise(),
    };
    let n = words::count(fewest);
    Some(format!(
        "Band: 95 % for the whole curve at once, ± {half} points with n = {n} ({promise})"
    ))
}

/// The value of a strategy at a bin; in a cumulative plot at the score, or at the end of the bin without one.
fn value_text(
    Frame { shape, data, .. }: Frame<'_>,
    series: &Series,
    bin: usize,
    score: Option<f64>,
) -> String {
    match shape {
        PlotShape::Bars | PlotShape::Own => {
            let games = words::plural(series.bars[bin], "game");
            match data.unit {
                Unit::Games => games,
                Unit::Share => {
                    let share = percent(series.bars[bin] as f64 / series.games.max(1) as f64);
                    format!("{share} %, {games} of {}", words::count(series.games))
                }
            }
        }
        PlotShape::Curve => {
            let upto =
                || series.bars[..=bin].iter().sum::<u64>() as f64 / series.games.max(1) as f64;
            let share = score.map_or_else(upto, |score| series.at_most(score));
            let [low, high] =
                [share - series.band, share + series.band].map(|at| percent(at.clamp(0.0, 1.0)));
            format!("{} %, {low} to {high} %", percent(share))
        }
        PlotShape::Boxes => {
            let [p5, p25, p50, p75, p95] = series.quantiles.map(|score| words::decimals(score, 0));
            format!(
                "{p5}, {p25}, {p50}, {p75}, {p95}, mean {}",
                words::decimals(series.mean, 0)
            )
        }
    }
}
