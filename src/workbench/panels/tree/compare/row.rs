//! A row of the comparison: one path with the results of both searches and their difference.

use egui::{
    Align2, Color32, FontId, Painter, Rangef, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::ROOMY;
use super::pair::{Nodes, Pair, PairedRow, Path, Said};
use crate::search::{NodeId, NodeKind};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{elided, paint_node};
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::frame::{node_widget, ring_focused};
use crate::workbench::panels::tree::words::{link_of, more_spawns};
use crate::workbench::theme::{self, Theme};

const NAMES: f32 = 20.0;
const SIGN: f32 = 8.0;
const INDENT: f32 = 14.0;
/// Width of the difference: number, bar and mark.
pub(super) const MIDDLE: f32 = 164.0;

#[derive(Debug)]
pub(super) struct RowParts {
    width: f32,
    left: Rangef,
    middle: Rangef,
    /// The outline of the right record, if it fits.
    right: Option<Rangef>,
    values: Rangef,
}

impl RowParts {
    pub(super) fn of(x: f32, width: f32) -> Self {
        // The scroll bar floats over the right end.
        let width = width - theme::SPACE_M;
        let range = |from: f32, to: f32| Rangef::new(x + from, x + to);
        if ROOMY <= width {
            let side = (width - MIDDLE) / 2.0;
            let right = range(width - side, width);
            let middle = range(side, width - side);
            return Self {
                width,
                left: range(0.0, side),
                middle,
                right: Some(right),
                values: right,
            };
        }
        let quarter = width * 0.24;
        let left = width - 2.0 * quarter;
        let middle = range(left, left + quarter);
        Self {
            width,
            left: range(0.0, left),
            middle,
            right: None,
            values: range(width - quarter, width),
        }
    }

    /// The bar of the difference, between a number and a mark.
    fn bar(&self) -> Rangef {
        Rangef::new(self.middle.min + 52.0, self.middle.max - 24.0)
    }

    pub(super) fn names_ui(&self, ui: &mut Ui, pair: &Pair) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(self.width, NAMES), Sense::hover());
        let put = |x: f32, align: Align2, text: &str| {
            ui.painter().text(
                pos2(x, rect.center().y),
                align,
                text,
                theme::small(),
                theme.text3,
            );
        };
        put(self.left.min + 18.0, Align2::LEFT_CENTER, "Path");
        put(self.left.max - 8.0, Align2::RIGHT_CENTER, "First value");
        put(
            self.bar().center(),
            Align2::CENTER_CENTER,
            pair.difference_name(),
        );
        if let Some(right) = self.right {
            put(right.min + 18.0, Align2::LEFT_CENTER, "Path");
        }

        put(self.values.max - 8.0, Align2::RIGHT_CENTER, "Second value");
        ui.painter().hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, theme.sep),
        );
        let unit = match pair.same_units {
            true => "The second value minus the first value, where both are exact",
            false => {
                "The two evaluators use different units, so their values cannot be subtracted. The standing of a node is its \
                 value minus that of the node above, as a share of the best minus the worst value at the root. This column is the \
                 second standing minus the first standing"
            }
        };

        response.on_hover_text(format!(
            "{unit}. A full bar is ±{}. A frame marks what each search prefers; ≠ marks boards where the preferences differ.",
            pair.difference_text(pair.span).trim_start_matches('+')
        ));
    }

    /// Draws one path; true if the user folds or unfolds it.
    pub(super) fn row_ui(
        &self,
        ui: &mut Ui,
        pair: &Pair,
        path: Path,
        inspection: &mut Inspection,
    ) -> bool {
        let theme = Theme::of(ui);
        let Path {
            nodes,
            depth,
            has_below,
            is_open,
        } = path;
        let [a, b] = nodes;
        let (rect, _) = ui.allocate_exact_size(vec2(self.width, theme::ROW), Sense::hover());
        let is_selected = a == Some(inspection.selected());
        let paired = pair.told(nodes, |id| inspection.known(id));
        let key = ui.scope_id().with(("row", a, b));
        let name = || pair.sentence(nodes, &paired);
        // The focus ring is above the row's fill.
        let fill = ui.painter().add(egui::Shape::Noop);
        let response = node_widget(
            ui,
            rect,
            rect.shrink(2.0),
            key,
            inspection.panel(),
            is_selected,
            name,
        );
        if is_selected || response.hovered() {
            let color = if is_selected {
                theme.accent_bg
            } else {
                theme.bg3
            };
            ui.painter()
                .set(fill, egui::Shape::rect_filled(rect, theme::RADIUS_S, color));
        }
        let mut folds = response.double_clicked() && has_below;
        let chevron_side = usize::from(a.is_none() && self.right.is_some());
        for (half, side) in [(Some(self.left), 0), (self.right, 1)] {
            let Some(half) = half else { continue };
            let x = half.min + 4.0 + depth as f32 * INDENT;
            if has_below && side == chevron_side {
                folds |= chevron_ui(
                    ui,
                    pos2(x + 6.0, rect.center().y),
                    ("fold", a, b, side),
                    is_open,
                );
            }
            self.outline_ui(
                ui,
                pair,
                nodes,
                side,
                pos2(x, rect.center().y),
                &paired,
                half.max,
            );
        }
        if self.right.is_none() {
            let at = pos2(self.values.min, rect.center().y);
            paired.said[1].ui(ui.painter(), theme, at, self.values.max, paired.is_best[1]);
        }
        self.difference_ui(ui, rect, pair, &paired);
        ui.painter().hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, theme.sep),
        );

        if response.hovered() {
            inspection.hovered = a;
        }
        if paired.said.iter().any(|said| said.exact.is_some()) {
            let exact = |said: &Said| said.exact.clone().unwrap_or_else(|| "none".to_owned());
            let [left, right] = [0, 1].map(|side| exact(&paired.said[side]));
            response
                .clone()
                .on_hover_text_at_pointer(format!("first {left}, second {right}"));
        }
        let Some(a) = a else {
            return folds || response.clicked() && has_below && !response.double_clicked();
        };
        if response.clicked() {
            inspection.click(a);
        }
        folds
    }

    /// Sign, link and value of one record at `at`, or why it has none.
    #[expect(
        clippy::too_many_arguments,
        reason = "what one half of a row is painted from, passed on once"
    )]
    fn outline_ui(
        &self,
        ui: &Ui,
        pair: &Pair,
        nodes: Nodes,
        side: usize,
        at: egui::Pos2,
        paired: &PairedRow,
        right: f32,
    ) {
        let theme = Theme::of(ui);
        let is_best = paired.is_best[side];
        let mut left = at.x + 14.0;
        if let Some(id) = nodes[side] {
            let tint = paired
                .difference
                .map(|difference| theme.diverging((difference / pair.span) as f32));
            let center = at + vec2(14.0 + SIGN, 0.0);
            paint_node(
                ui.painter(),
                theme,
                pair.tree(side).kind(id),
                center,
                SIGN,
                tint.filter(|_| side == 1),
            );
            let link = link_of(pair.tree(side), id);
            left = paint_link(
                ui.painter(),
                theme,
                at + vec2(20.0 + 2.0 * SIGN, 0.0),
                &link,
                is_best,
            );
        } else if let (Some(id), None) = (nodes[1], self.right) {
            // If the other record has no outline, its path is here.
            left = paint_link(
                ui.painter(),
                theme,
                at + vec2(12.0, 0.0),
                &link_of(pair.tree(1), id),
                false,
            ) + 4.0;
        }
        paired.said[side].ui(ui.painter(), theme, pos2(left, at.y), right, is_best);
    }

    fn difference_ui(&self, ui: &Ui, row: Rect, pair: &Pair, paired: &PairedRow) {
        let theme = Theme::of(ui);
        let painter = ui.painter();
        let y = row.center().y;
        let bar = self.bar();
        if let Some(difference) = paired.difference {
            let text = pair.difference_text(difference);
            painter.text(
                pos2(bar.min - 8.0, y),
                Align2::RIGHT_CENTER,
                text,
                theme::small(),
                theme.text2,
            );
            let t = (difference / pair.span).clamp(-1.0, 1.0) as f32;
            let end = bar.center() + t * bar.span() / 2.0;
            let filled = Rect::from_x_y_ranges(
                bar.center().min(end)..=bar.center().max(end),
                y - 4.0..=y + 4.0,
            );
            painter.rect_filled(filled, 1, theme.diverging(t));
        }
        if 0.0 < bar.span() {
            painter.vline(
                bar.center(),
                y - 7.0..=y + 7.0,
                Stroke::new(1.0, theme.line),
            );
        }

        if paired.disagree {
            let at = pos2(self.middle.max - 12.0, y);
            painter.text(at, Align2::CENTER_CENTER, "≠", theme::strong(), theme.warn);
        }
    }

    /// The number of hidden spawns, or a button back to the few most informative ones.
    pub(super) fn more_ui(
        &self,
        ui: &mut Ui,
        parent: NodeId,
        depth: u32,
        count: u64,
        inspection: &mut Inspection,
    ) {
        let theme = Theme::of(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(self.width, theme::ROW), Sense::hover());
        let text = if count == 0 {
            "Fewer spawns".to_owned()
        } else {
            more_spawns(count)
        };
        let galley = ui
            .painter()
            .layout_no_wrap(text.clone(), theme::small(), theme.text2);
        let x = self.left.min + 18.0 + depth as f32 * INDENT;
        let pill = Rect::from_min_size(
            pos2(x, rect.top() + 3.0),
            vec2(galley.size().x + 16.0, theme::TAG),
        );
        let response = ui.interact(
            pill.expand(3.0),
            ui.scope_id().with(("more", parent)),
            Sense::click(),
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &text));
        let fill = if response.hovered() {
            theme.bg4
        } else {
            theme.bg3
        };
        ui.painter().rect_filled(pill, theme::TAG / 2.0, fill);
        ring_focused(ui, &response, pill);
        ui.painter()
            .galley(pill.center() - galley.size() / 2.0, galley, theme.text2);
        ui.painter().hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, theme.sep),
        );

        if response.clicked() {
            inspection.toggle_all_spawns(parent);
        }
    }
}

/// A small arrow that folds and unfolds; true if it was pressed.
fn chevron_ui(
    ui: &Ui,
    center: egui::Pos2,
    key: impl std::hash::Hash + std::fmt::Debug,
    is_open: bool,
) -> bool {
    let theme = Theme::of(ui);
    let hit = Rect::from_center_size(center, vec2(18.0, theme::ROW));
    let chevron = ui.interact(hit, ui.scope_id().with(key), Sense::click());
    let name = if is_open { "Fold" } else { "Unfold" };
    chevron.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    ring_focused(ui, &chevron, hit.shrink(2.0));
    let icon = if is_open {
        Icon::ChevronDown
    } else {
        Icon::ChevronRight
    };
    icon.paint(
        ui.painter(),
        center,
        if chevron.hovered() {
            theme.text1
        } else {
            theme.text3
        },
    );
    chevron.clicked()
}

/// The link to a node, framed if it is preferred; returns its right end.
fn paint_link(painter: &Painter, theme: &Theme, at: egui::Pos2, link: &str, is_best: bool) -> f32 {
    let (font, color) = if is_best {
        (theme::strong(), theme.text1)
    } else {
        (theme::body(), theme.text2)
    };
    let rect = painter.text(at + vec2(4.0, 0.0), Align2::LEFT_CENTER, link, font, color);
    if is_best {
        let plate = Rect::from_center_size(rect.center(), vec2(rect.width() + 8.0, theme::TAG));
        painter.rect_stroke(
            plate,
            theme::RADIUS_S,
            Stroke::new(1.0, theme.text2),
            egui::StrokeKind::Inside,
        );
    }
    rect.right() + 4.0
}

impl Said {
    /// The note and the value, aligned right; or a dash and the reason at the left.
    fn ui(&self, painter: &Painter, theme: &Theme, at: egui::Pos2, right: f32, is_best: bool) {
        let put = |x: f32, text: &str, font: FontId, ink: Color32, room: f32| {
            let galley = elided(painter, text, font, ink, room);
            painter.galley(pos2(x, at.y - galley.size().y / 2.0), galley, ink);
        };
        if self.is_missing {
            return put(
                at.x,
                &format!("– {}", self.note),
                theme::small(),
                theme.text3,
                right - at.x - theme::SPACE_M,
            );
        }
        let font = if is_best {
            theme::strong()
        } else {
            theme::body()
        };
        let text = self.value.as_deref().unwrap_or("–");
        let value = painter.text(
            pos2(right - 8.0, at.y),
            Align2::RIGHT_CENTER,
            text,
            font,
            theme.text1,
        );
        let room = value.left() - at.x - 2.0 * theme::SPACE_M;
        if !self.note.is_empty() && 24.0 < room {
            let ink = if self.is_cut {
                theme.kind(NodeKind::Cut)
            } else {
                theme.text3
            };
            put(at.x + theme::SPACE_M, &self.note, theme::small(), ink, room);
        }
    }
}
