//! A choice of a few options: as segments, or in a drop-down.

use std::sync::Arc;

use egui::{
    Color32, ComboBox, CornerRadius, EventFilter, Galley, InnerResponse, Key, Rect, Response, Role,
    Sense, Stroke, StrokeKind, Ui, WidgetInfo, WidgetText, vec2,
};

use super::focus;
use super::menu::{menu_choice, note_drop_down, open_menu};
use crate::workbench::icon::Icon;
use crate::workbench::paper::{left_out, on_paper};
use crate::workbench::theme::{self, Theme};

#[derive(Clone, Debug)]
pub struct Segment<'a> {
    pub text: &'a str,
    /// The accessible name.
    pub name: &'a str,
    pub selected: bool,
    pub tip: String,
}

/// Shows the options side by side, or in a drop-down if they do not fit; the response is `changed` when the user picks
/// another one.
pub fn segmented<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    choices: &[(T, &str)],
) -> Response {
    let segments: Vec<_> = choices
        .iter()
        .map(|(_, text)| segment_galley(ui, text))
        .collect();
    let room = ui.max_rect().width();
    if room < segments_width(&segments, PADDING) {
        let before = *value;
        let text = choices
            .iter()
            .find(|(choice, _)| *choice == before)
            .map_or("", |(_, text)| text);
        let all = choices
            .iter()
            .map(|&(choice, text)| (choice, text.to_owned()));
        let mut response = self::choice(ui, name, value, text.to_owned(), room.min(FOLDED), all);
        if *value != before {
            response.mark_changed();
        }
        return response;
    }
    segmented_if(ui, name, value, choices, true)
}

/// Width of the drop-down in place of segments.
const FOLDED: f32 = 140.0;

fn segment_galley(ui: &Ui, text: &str) -> Arc<Galley> {
    ui.painter()
        .layout_no_wrap(text.to_owned(), theme::body(), Color32::PLACEHOLDER)
}

/// Padding around the text of a segment.
const PADDING: f32 = 8.0;

fn segment_width(galley: &Galley, padding: f32) -> f32 {
    (galley.size().x + 2.0 * padding).max(theme::HIT).round()
}

fn segments_width(galleys: &[Arc<Galley>], padding: f32) -> f32 {
    galleys
        .iter()
        .map(|galley| segment_width(galley, padding))
        .sum::<f32>()
        + 2.0
}

/// The width of segments with these texts and this padding, in points.
pub fn segments_need(ui: &Ui, texts: &[&str], padding: f32) -> f32 {
    segments_width(
        &texts
            .iter()
            .map(|text| segment_galley(ui, text))
            .collect::<Vec<_>>(),
        padding,
    )
}

/// Segments that may be disabled; they can still have the focus, so that the tooltip can be read.
pub fn segmented_if<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    choices: &[(T, &str)],
    enabled: bool,
) -> Response {
    let segment = |&(choice, text): &(T, _)| Segment {
        text,
        name: text,
        selected: *value == choice,
        tip: String::new(),
    };
    let segments: Vec<Segment<'_>> = choices.iter().map(segment).collect();
    let (mut response, parts) = segments_if(ui, name, &segments, theme::HIT, PADDING, enabled);
    let pressed = parts.iter().position(Response::clicked);
    if let Some(&(choice, _)) = pressed
        .and_then(|place| choices.get(place))
        .filter(|(choice, _)| *value != *choice)
    {
        *value = choice;
        response.mark_changed();
    }
    response
}

/// Segments whose options are commands, selected or not; returns a response for each.
pub fn segments_ui(ui: &mut Ui, name: &str, segments: &[Segment<'_>]) -> (Response, Vec<Response>) {
    segments_if(ui, name, segments, theme::HIT, PADDING, true)
}

/// Segments of commands that are higher and have this padding.
pub fn segments_tall(
    ui: &mut Ui,
    name: &str,
    segments: &[Segment<'_>],
    padding: f32,
) -> (Response, Vec<Response>) {
    segments_if(ui, name, segments, theme::SWITCHER, padding, true)
}

fn segments_if(
    ui: &mut Ui,
    name: &str,
    segments: &[Segment<'_>],
    height: f32,
    padding: f32,
    enabled: bool,
) -> (Response, Vec<Response>) {
    if on_paper(ui) {
        return (left_out(ui), Vec::new());
    }

    let sense = if enabled {
        Sense::click()
    } else {
        Sense::focusable_noninteractive()
    };
    let enabled = enabled && ui.is_enabled();
    let theme = Theme::of(ui);
    let galleys: Vec<_> = segments
        .iter()
        .map(|segment| segment_galley(ui, segment.text))
        .collect();
    let widths: Vec<f32> = galleys
        .iter()
        .map(|galley| segment_width(galley, padding))
        .collect();
    let size = vec2(segments_width(&galleys, padding), height);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::RadioGroup, enabled, name));
    ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg2);
    let mut left = rect.left() + 1.0;
    let mut parts = Vec::with_capacity(segments.len());
    for ((segment, galley), width) in segments.iter().zip(galleys).zip(widths) {
        let part = Rect::from_min_size(
            egui::pos2(left, rect.top() + 1.0),
            vec2(width, height - 2.0),
        );
        left += width;
        let hit = part.expand2(vec2(0.0, 1.0));
        let Segment {
            text,
            name,
            selected,
            ref tip,
        } = *segment;
        let part_response = ui.interact(hit, response.id.with(text), sense);
        part_response
            .widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, selected, name));
        focus::choice(&part_response, response.id, selected);
        let fill = match (selected, enabled && part_response.hovered()) {
            (true, _) => Some(theme.accent_bg),
            (false, true) => Some(theme.bg4),
            (false, false) => None,
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(part, CornerRadius::same(3), fill);
        }

        if selected {
            let outline = Stroke::new(1.0, theme.accent);
            ui.painter()
                .rect_stroke(part, CornerRadius::same(3), outline, StrokeKind::Inside);
        }

        if part_response.has_focus() {
            theme::focus_ring(ui, part.shrink(1.0));
        }
        let at = part.center() - galley.size() / 2.0;
        let color = match (enabled, selected) {
            (false, _) => theme.text3,
            (true, true) => theme.text1,
            (true, false) => theme.text2,
        };
        ui.painter().galley(at, galley, color);
        parts.push(if tip.is_empty() {
            part_response
        } else {
            part_response.on_hover_text(tip)
        });
    }

    ui.painter().rect_stroke(
        rect,
        theme::RADIUS_S,
        Stroke::new(1.0, theme.line),
        StrokeKind::Inside,
    );
    (response, parts)
}

/// A drop-down of this width; [`DropDown::show_ui`] fills it with [`menu_choice`] entries, and `accessible_name` of its
/// response names it.
pub fn drop_down(id: &str, selected: impl Into<WidgetText>, width: f32) -> DropDown {
    let list = ComboBox::from_id_salt(id.to_owned())
        .selected_text(selected)
        .width(width);
    DropDown(list.icon(|ui, rect, _, _| {
        Icon::ChevronDown.paint(ui.painter(), rect.center(), Theme::of(ui).text2);
    }))
}

/// Enter, Space and the up and down arrows open it; see [`super::menu_keys`] for the keys inside.
pub struct DropDown(ComboBox<'static>);

impl DropDown {
    /// Truncates long text with "…".
    pub fn truncate(self) -> Self {
        Self(self.0.truncate())
    }

    /// A longer list scrolls.
    pub fn height(self, height: f32) -> Self {
        Self(self.0.height(height))
    }

    pub fn show_ui<R>(
        self,
        ui: &mut Ui,
        content: impl FnOnce(&mut Ui) -> R,
    ) -> InnerResponse<Option<R>> {
        if on_paper(ui) {
            return InnerResponse::new(None, left_out(ui));
        }

        let shown = self.0.show_ui(ui, content);
        let response = &shown.response;
        if shown.inner.is_some() {
            note_drop_down(response);
        }
        if response.has_focus() {
            theme::focus_ring(ui, response.rect);
            if shown.inner.is_none() {
                let filter = EventFilter {
                    vertical_arrows: true,
                    ..EventFilter::default()
                };
                focus::own_keys(response, filter);
                let opens = [Key::ArrowDown, Key::ArrowUp]
                    .map(|key| ui.input(|input| input.key_pressed(key)));
                if opens.contains(&true) {
                    open_menu(ui.ctx(), response.id);
                }
            }
        }

        shown
    }
}

/// A drop-down that sets `value` to one of `choices`, each with its text; `text` is that of the current one.
pub fn choice<T: PartialEq>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    text: String,
    width: f32,
    choices: impl IntoIterator<Item = (T, String)>,
) -> Response {
    let shown = drop_down(name, text, width)
        .height(420.0)
        .show_ui(ui, |ui| {
            for (choice, text) in choices {
                if menu_choice(ui, *value == choice, text).clicked() {
                    *value = choice;
                }
            }
        });
    shown.response.accessible_name(name)
}

/// Fills a drop-down with a few values and selects `value`; returns the picked one.
pub fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    drop_down: DropDown,
    value: T,
    choices: impl IntoIterator<Item = T>,
    text: impl Fn(T) -> String,
) -> (Response, Option<T>) {
    let mut picked = None;
    let shown = drop_down.show_ui(ui, |ui| {
        for choice in choices {
            if menu_choice(ui, choice == value, text(choice)).clicked() {
                picked = Some(choice);
            }
        }
    });
    (shown.response, picked)
}
