//! The strip: one row per direction, with its value, its loss and what decided.

use egui::{
    Align2, Color32, FontId, Painter, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::data::{DecisionData, StripRow};
use super::table::{COLUMN_GAP, COLUMN_STEP, Touched, measure};
use crate::workbench::kit::{Line, focus_ring};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Column widths: move, value, loss, reward; what decided takes the rest. Long values take more.
const MOVE: f32 = 72.0;
const VALUE: f32 = 62.0;
const LOSS: f32 = 50.0;
const WIDEST_VALUE: f32 = 118.0;
const REWARD: f32 = 58.0;
pub(crate) const HEADER: f32 = 20.0;

#[derive(Clone, Copy)]
pub(crate) struct StripLook {
    pub heads: bool,
    pub row: f32,
    /// Whether a press plays a legal move; false for an outdated strip, which describes another board.
    pub plays: bool,
    /// A prefix of each row's name for screen readers.
    pub prefix: &'static str,
}

/// Draws the strip over the whole width.
pub(crate) fn strip(ui: &mut Ui, data: &DecisionData, look: StripLook) -> Touched {
    let theme = Theme::of(ui);
    let (left, width) = (ui.cursor().left(), ui.available_width());
    let columns = StripColumns::of(ui, data, left, left + width);
    if look.heads {
        let (header, _) = ui.allocate_exact_size(vec2(width, HEADER), Sense::hover());
        let caption = |x: f32, align: Align2, text: &str| {
            ui.painter().text(
                pos2(x, header.center().y),
                align,
                text,
                theme::small(),
                theme.text3,
            );
        };
        caption(columns.name, Align2::LEFT_CENTER, "Move");
        caption(columns.value, Align2::RIGHT_CENTER, &data.value_header);
        caption(columns.loss, Align2::RIGHT_CENTER, "Loss");
        caption(columns.why, Align2::LEFT_CENTER, "What decided");
        if !data.value_about.is_empty() {
            let at = header.with_min_x(columns.name + MOVE);
            let at = at.with_max_x(
                columns
                    .reward
                    .map_or(header.right(), |reward| reward - REWARD),
            );
            ui.interact(at, ui.scope_id().with("row"), Sense::hover())
                .on_hover_text(&data.value_about);
        }
        if let Some(reward) = columns.reward {
            caption(reward, Align2::RIGHT_CENTER, "Reward");
            let at = header.with_max_x(reward).with_min_x(reward - 48.0);
            terms::tip(
                ui.interact(at, ui.scope_id().with("reward"), Sense::hover()),
                &terms::REWARD,
            );
        }
    }

    let mut touched = Touched::default();
    for row in &data.rows {
        let (rect, response) = ui.allocate_exact_size(vec2(width, look.row), Sense::click());
        let plays = row.legal && look.plays;
        response.widget_info(|| {
            WidgetInfo::labeled(
                Role::Button,
                plays,
                format!("{}{}", look.prefix, row.spoken()),
            )
        });
        if plays && response.hovered() {
            touched.hovered = Some(row.mv);
        }
        if plays && response.clicked() {
            touched.played = Some(row.mv);
        }
        paint_row(
            ui.painter(),
            theme,
            rect,
            &columns,
            row,
            plays && response.hovered(),
        );
        if response.has_focus() {
            focus_ring(ui, rect.shrink(1.0));
        }
        touched.moves.push((row.mv, response.clone()));
        // The board previews legal moves; a tooltip on the whole row would cover the next one.
        if !row.legal {
            response.on_hover_text(&row.why);
        } else if let Some(exact) = &row.exact {
            let number = rect
                .with_min_x(columns.name + MOVE)
                .with_max_x(columns.value);
            let number = ui.interact(
                number,
                ui.scope_id().with(("exact", row.mv)),
                Sense::hover(),
            );
            number.on_hover_text(format!("Exactly {exact}"));
        }
    }

    touched
}

/// Positions of the columns; numbers are aligned right.
struct StripColumns {
    name: f32,
    value: f32,
    loss: f32,
    why: f32,
    reward: Option<f32>,
}

impl StripColumns {
    /// In rows from `left` to `right`.
    fn of(ui: &Ui, data: &DecisionData, left: f32, right: f32) -> Self {
        // The width needed beyond the minimum.
        let more = |least: f32, text: fn(&StripRow) -> &String| {
            let widths = data
                .rows
                .iter()
                .map(|row| measure(ui, text(row), theme::strong()) + COLUMN_GAP);
            ((widths.fold(least, f32::max).min(WIDEST_VALUE) - least) / COLUMN_STEP).ceil()
                * COLUMN_STEP
        };
        let (wider_value, wider_loss) =
            (more(VALUE, |row| &row.value), more(LOSS, |row| &row.loss));
        let name = left + theme::SPACE_M;
        let value = name + MOVE + VALUE + wider_value;
        let loss = value + LOSS + wider_loss;
        // What decided is more important than the reward.
        let with_reward = 320.0 + wider_value + wider_loss <= right - left;
        Self {
            name,
            value,
            loss,
            why: loss + theme::SPACE_L,
            reward: with_reward.then_some(right - theme::SPACE_M),
        }
    }
}

fn paint_row(
    painter: &Painter,
    theme: &Theme,
    rect: Rect,
    columns: &StripColumns,
    row: &StripRow,
    hovered: bool,
) {
    let y = rect.center().y;
    if row.chosen || hovered {
        let fill = if row.chosen {
            theme.accent_bg
        } else {
            theme.bg3
        };
        painter.rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, fill);
    }

    if !row.chosen {
        painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.sep));
    }
    let left = |x: f32, text: &str, font: FontId, color: Color32| {
        painter.text(pos2(x, y), Align2::LEFT_CENTER, text, font, color);
    };
    let right = |x: f32, text: &str, font: FontId, color: Color32| {
        painter.text(
            pos2(x, y),
            Align2::RIGHT_CENTER,
            text,
            font,
            if text == "–" { theme.text3 } else { color },
        );
    };

    let color = if row.legal { theme.text1 } else { theme.text3 };
    let font = |other: FontId| if row.chosen { theme::strong() } else { other };
    left(columns.name, row.mv.arrow(), theme::body(), color);
    left(
        columns.name + 20.0,
        &row.mv.to_string(),
        font(theme::medium()),
        color,
    );
    right(columns.value, &row.value, font(theme::body()), theme.text1);
    right(columns.loss, &row.loss, theme::body(), theme.text2);
    let reward = columns.reward.filter(|_| row.legal);
    let end = reward.map_or(rect.right(), |reward| reward - REWARD + theme::SPACE_M);
    let why = Rect::from_x_y_ranges(columns.why..=end, rect.y_range());
    Line::new(painter, why, 0.0).start(&row.why, theme::body(), color);
    reward
        .into_iter()
        .for_each(|reward| right(reward, &row.reward, theme::body(), theme.text3));
}
