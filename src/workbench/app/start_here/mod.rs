//! The start card for new users: three tasks below the search tree, and the guide of the chosen one.

mod guide;

use egui::{
    Rect, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2,
    vec2,
};
use strum::IntoEnumIterator as _;

pub(super) use guide::{Guide, Next, Seen, Task};

use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{elided, focus, part};
use crate::workbench::theme::{self, Theme};

/// Height of the card with descriptions, and with titles only.
const HEIGHTS: [f32; 2] = [156.0, 88.0];
/// Minimum height of a tree with the high card.
const LOW_TREE: f32 = 420.0;
/// Minimum width of a task with a readable description.
const LEAST_CHOICE: f32 = 200.0;
const HEAD: f32 = 28.0;

#[derive(Debug, Default)]
pub(super) enum StartHere {
    #[default]
    Closed,
    /// The three tasks; `is_focused` once the first one has had the focus.
    Choices {
        is_focused: bool,
    },
    Task(Guide),
}

/// The user's action on the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CardAction {
    Close,
    Begin(Task),
}

impl StartHere {
    pub(super) fn offers(&self) -> bool {
        matches!(self, Self::Choices { .. })
    }

    /// The card's part of the tree panel; `None` without tasks, or if it does not fit.
    pub(super) fn place(&self, tree: Rect) -> Option<Rect> {
        let choice = (tree.width() - 4.0 * theme::PAD - 2.0 * theme::SPACE_M) / 3.0;
        let height = HEIGHTS[usize::from(tree.height() < LOW_TREE || choice < LEAST_CHOICE)];
        let is_there = self.offers() && 2.0 * height <= tree.height();
        is_there.then(|| {
            tree.shrink(theme::PAD)
                .with_min_y(tree.bottom() - theme::PAD - height)
        })
    }

    /// Draws the tasks at their place.
    pub(super) fn ui(&mut self, ui: &mut Ui, rect: Rect) -> Option<CardAction> {
        let Self::Choices { is_focused } = self else {
            return None;
        };
        let theme = Theme::of(ui);
        ui.painter().rect_filled(rect, theme::RADIUS_M, theme.bg2);
        ui.painter().rect_stroke(
            rect,
            theme::RADIUS_M,
            Stroke::new(1.0, theme.line),
            StrokeKind::Inside,
        );
        let inner = rect.shrink2(vec2(theme::PAD, theme::SPACE_M));
        let mut inside = ui.new_child(UiBuilder::new().id_salt("start here").max_rect(inner));
        part(&inside, Role::Group, "Start here");
        let mut action = None;
        let head = inner.with_max_y(inner.top() + HEAD);
        let mut line = inside.new_child(
            UiBuilder::new()
                .id_salt("title")
                .max_rect(head)
                .layout(egui::Layout::right_to_left(egui::Align::Center)),
        );
        if icon_button(
            &mut line,
            Icon::Close,
            "Close Start here",
            "Help, Start here brings it back",
        )
        .clicked()
        {
            action = Some(CardAction::Close);
        }

        line.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.label(RichText::new("Start here").font(theme::strong_of(15.0)));
        });

        let row = inner.with_min_y(head.bottom() + theme::SPACE_S);
        let width = ((row.width() - 2.0 * theme::SPACE_M) / 3.0).floor();
        let mut choices = inside.new_child(UiBuilder::new().id_salt("choices").max_rect(row));
        focus::group(&choices);
        for (place, task) in Task::iter().enumerate() {
            let left = row.left() + place as f32 * (width + theme::SPACE_M);
            let response = choice(
                &mut choices,
                Rect::from_min_size(pos2(left, row.top()), vec2(width, row.height())),
                task,
            );
            if place == 0 && !std::mem::replace(is_focused, true) {
                response.request_focus();
            }
            if response.clicked() {
                action = Some(CardAction::Begin(task));
            }
        }

        action
    }
}

/// One of the tasks: an icon, a title, and a description if it fits.
fn choice(ui: &mut Ui, rect: Rect, task: Task) -> Response {
    let theme = Theme::of(ui);
    let response = ui.interact(rect, ui.scope_id().with(task), Sense::click());
    let name = format!("{}: {}", task.title(), task.about());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let is_hot = response.hovered() || response.has_focus();
    ui.painter().rect_filled(
        rect,
        theme::RADIUS_S,
        if is_hot { theme.bg4 } else { theme.bg3 },
    );
    if response.has_focus() {
        theme::focus_ring(ui, rect);
    }

    let has_line =
        LEAST_CHOICE <= rect.width() && theme::CONTROL + 2.0 * theme::SPACE_M < rect.height();
    let inner = rect.shrink(theme::SPACE_M);
    let top = if has_line {
        inner.top() + 8.0
    } else {
        rect.center().y
    };
    task.icon()
        .paint(ui.painter(), pos2(inner.left() + 10.0, top), theme.text1);
    let title = elided(
        ui.painter(),
        task.title(),
        theme::strong(),
        theme.text1,
        inner.width() - 28.0,
    );
    ui.painter().galley(
        pos2(inner.left() + 28.0, top - title.size().y / 2.0),
        title,
        theme.text1,
    );
    if has_line {
        let about = ui.painter().layout(
            task.about().to_owned(),
            theme::body(),
            theme.text2,
            inner.width() - 8.0,
        );
        ui.painter()
            .galley(pos2(inner.left() + 4.0, top + 16.0), about, theme.text2);
    }

    if has_line {
        response
    } else {
        response.on_hover_text(task.about())
    }
}
