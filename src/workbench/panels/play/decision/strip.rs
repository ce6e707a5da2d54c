//! The strip: one row a direction, with its value, its loss and what became of it.

use egui::{Align2, Color32, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::data::{DecisionData, StripRow};
use super::table::{COLUMN_STEP, Touched, text_at};
use crate::workbench::kit::{elided, focus_ring};
use crate::workbench::theme::{self, Theme};

/// Widths: move, value, loss, reward; what decided takes the rest. Long values take more.
const MOVE: f32 = 72.0;
const VALUE: f32 = 62.0;
const LOSS: f32 = 50.0;
const WIDEST_VALUE: f32 = 118.0;
const REWARD: f32 = 58.0;
/// Between the values of two columns.
const COLUMN_GAP: f32 = 12.0;
/// Height of the heads.
pub(crate) const HEADER: f32 = 20.0;

/// How the strip is drawn.
#[derive(Clone, Copy)]
pub(crate) struct StripLook {
    /// Whether the columns have heads.
    pub heads: bool,
    pub row: f32,
    /// Whether a legal move can be pressed: what an old row says is of another board, it plays nothing on this one.
    pub plays: bool,
    /// Before the name of each row for screen readers.
    pub prefix: &'static str,
}

/// Draws the strip over the whole width.
pub(crate) fn strip(ui: &mut Ui, data: &DecisionData, look: StripLook) -> Touched {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    let widths = StripWidths::of(ui, data);
    if look.heads {
        let (header, _) = ui.allocate_exact_size(vec2(width, HEADER), Sense::hover());
        let columns = StripColumns::of(header, widths);
        let caption = |x: f32, align: Align2, text: &str| {
            text_at(ui, pos2(x, header.center().y), align, text, theme::small(), theme.text3)
        };
        caption(columns.name, Align2::LEFT_CENTER, "Move");
        caption(columns.value, Align2::RIGHT_CENTER, &data.value_header);
        caption(columns.loss, Align2::RIGHT_CENTER, "Loss");
        caption(columns.why, Align2::LEFT_CENTER, "What decided");
        if let Some(reward) = columns.reward {
            caption(reward, Align2::RIGHT_CENTER, "Reward");
        }
    }
    let mut touched = Touched::default();
    for row in &data.rows {
        let (rect, response) = ui.allocate_exact_size(vec2(width, look.row), Sense::click());
        let plays = row.legal && look.plays;
        response.widget_info(|| WidgetInfo::labeled(Role::Button, plays, format!("{}{}", look.prefix, row.spoken())));
        if plays && response.hovered() {
            touched.hovered = Some(row.mv);
        }
        if plays && response.clicked() {
            touched.played = Some(row.mv);
        }
        paint_row(ui, theme, rect, widths, row, plays && response.hovered());
        if response.has_focus() {
            focus_ring(ui, rect.shrink(1.0));
        }
        // Legal moves show where they lead on the board: a tip would cover the next row.
        if !row.legal {
            response.on_hover_text(&row.why);
        }
    }
    touched
}

/// How wide the numbers are.
#[derive(Clone, Copy)]
struct StripWidths {
    value: f32,
    loss: f32,
}

impl StripWidths {
    fn of(ui: &Ui, data: &DecisionData) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = &String>, least: f32| {
            let widths = texts.map(|text| {
                ui.painter().layout_no_wrap(text.clone(), theme::strong(), Color32::PLACEHOLDER).size().x + COLUMN_GAP
            });
            let widest = widths.fold(least, f32::max).min(WIDEST_VALUE);
            least + ((widest - least) / COLUMN_STEP).ceil() * COLUMN_STEP
        };
        Self {
            value: widest(&mut data.rows.iter().map(|row| &row.value), VALUE),
            loss: widest(&mut data.rows.iter().map(|row| &row.loss), LOSS),
        }
    }
}

/// Where the columns are; numbers end at theirs.
struct StripColumns {
    name: f32,
    value: f32,
    loss: f32,
    why: f32,
    reward: Option<f32>,
}

impl StripColumns {
    fn of(row: Rect, widths: StripWidths) -> Self {
        let name = row.left() + theme::SPACE_M;
        let value = name + MOVE + widths.value;
        let loss = value + widths.loss;
        // What decided is worth more than the points.
        let with_reward = 320.0 + (widths.value - VALUE) + (widths.loss - LOSS) <= row.width();
        Self {
            name,
            value,
            loss,
            why: loss + theme::SPACE_L,
            reward: with_reward.then_some(row.right() - theme::SPACE_M),
        }
    }
}

fn paint_row(ui: &Ui, theme: &Theme, rect: Rect, widths: StripWidths, row: &StripRow, hovered: bool) {
    let columns = StripColumns::of(rect, widths);
    let y = rect.center().y;
    if row.chosen {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, theme.accent_bg);
    } else if hovered && row.legal {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, theme.bg3);
    }
    if !row.chosen {
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.sep));
    }
    let right = |x: f32| -> (Pos2, Align2) { (pos2(x, y), Align2::RIGHT_CENTER) };
    let name = if row.legal { theme.text1 } else { theme.text3 };
    text_at(ui, pos2(columns.name, y), Align2::LEFT_CENTER, row.mv.arrow(), theme::body(), name);
    let font = if row.chosen { theme::strong() } else { theme::medium() };
    text_at(ui, pos2(columns.name + 20.0, y), Align2::LEFT_CENTER, &row.mv.to_string(), font, name);
    let number = if row.chosen { theme::strong() } else { theme::body() };
    let (at, align) = right(columns.value);
    text_at(ui, at, align, &row.value, number, if row.value == "–" { theme.text3 } else { theme.text1 });
    let (at, align) = right(columns.loss);
    text_at(ui, at, align, &row.loss, theme::body(), if row.loss == "–" { theme.text3 } else { theme.text2 });
    let reward = columns.reward.filter(|_| row.legal);
    let end = reward.map_or(rect.right(), |reward| reward - REWARD + theme::SPACE_M);
    let color = if row.legal { theme.text1 } else { theme.text3 };
    let galley = elided(ui.painter(), &row.why, theme::body(), color, end - columns.why);
    let at = pos2(columns.why, y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, theme.text1);
    if let Some(reward) = reward {
        let (at, align) = right(reward);
        text_at(ui, at, align, &row.reward, theme::body(), theme.text3);
    }
}
