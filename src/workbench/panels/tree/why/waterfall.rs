//! The waterfall: bars that stack from the other move's value to the better one's.

use egui::{
    Align2, Color32, FontId, Painter, Rangef, Rect, Role, ScrollArea, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::data::{self, DrawnBar};
use crate::prose;
use crate::search::Why;
use crate::words;
use crate::workbench::kit::{elided, focus_ring, small_print};
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::words::{bounded, difference as signed, title};
use crate::workbench::theme::{self, Theme};

/// The narrowest bar with its space.
const NARROW: f32 = 88.0;
const BROAD: f32 = 132.0;
/// Share of the space that is bar.
const INK: f32 = 0.88;
/// Room for two lines of words under the bars and for the amount above them.
const UNDER: f32 = 36.0;
const OVER: f32 = 18.0;

/// View state: whether all bars are shown, which scrolls.
#[derive(Debug, Default)]
pub(super) struct Waterfall {
    unfolded: bool,
}

impl Waterfall {
    pub(super) fn fold(&mut self) {
        self.unfolded = false;
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, why: &Why, inspection: &mut Inspection) {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        small_print(ui, prose::why::caption(why), theme.text2);
        let space = ui.available_size();
        let fit = ((space.x / NARROW).floor() as usize).saturating_sub(2).max(2);
        let steps = data::steps(why, if self.unfolded { usize::MAX } else { fit });
        let slot = (space.x / (steps.len() as f32 + 2.0)).clamp(NARROW.min(space.x / 4.0), BROAD.max(space.x / 12.0));
        let width = slot * (steps.len() as f32 + 2.0);
        ScrollArea::horizontal().id_salt("bars").auto_shrink(false).show(ui, |ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(width.min(width.max(space.x)), space.y), Sense::hover());
            self.bars(ui, Rect::from_min_size(rect.min, vec2(width, rect.height())), slot, why, &steps, inspection);
        });
    }

    fn bars(&mut self, ui: &mut Ui, rect: Rect, slot: f32, why: &Why, steps: &[DrawnBar], inspection: &mut Inspection) {
        let theme = Theme::of(ui);
        let difference = why.difference();
        let chart =
            Chart::new(ui, rect, slot, steps.iter().flat_map(|step| [step.from, step.to()]).chain([difference]));
        let zero = chart.y(0.0).round() - 0.5;
        ui.painter().hline(rect.x_range(), zero, Stroke::new(1.0, theme.line));

        // The other move: the line that the bars stand on.
        ui.painter().rect_filled(Rect::from_x_y_ranges(chart.ink(0), zero - 1.5..=zero + 0.5), 0, theme.text2);
        chart.words(0, [&title(why.other), &bounded(why.values[1], why.bounds[1])]);
        for (index, step) in steps.iter().enumerate() {
            let place = index + 1;
            let bar = chart.bar(place, step.from, step.to());
            let fill = theme.diverging(if step.amount < 0.0 { -0.7 } else { 0.7 });
            chart.dotted(place, step.from);
            let hit = Rect::from_min_max(
                pos2(rect.left() + slot * place as f32, bar.top().min(rect.bottom() - UNDER) - OVER),
                pos2(rect.left() + slot * (place as f32 + 1.0), rect.bottom()),
            );
            let response = ui.interact(hit, ui.scope_id().with(("bar", step.bars.first())), Sense::click());
            let sentence = data::sentence(why, step);
            response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &sentence));
            let node = step.bars.first().and_then(|&bar| why.bars.get(bar)?.nodes.first().copied());
            if response.hovered() {
                ui.painter().rect_filled(hit, theme::RADIUS_S, theme.bg2);
            }
            ui.painter().rect_filled(bar, 2, fill);
            if !step.is_gathered() && node == Some(inspection.selected()) {
                ui.painter().rect_stroke(bar, 2, Stroke::new(2.0, theme.accent), egui::StrokeKind::Outside);
            }
            chart.amount(bar, &signed(step.amount));
            chart.words(place, [&step.label, &step.product]);
            if response.has_focus() {
                focus_ring(ui, hit.shrink(2.0));
            }
            if response.clicked() {
                if step.is_gathered() {
                    self.unfolded = true;
                } else if let Some(node) = node {
                    inspection.click(node);
                }
            }
            response.on_hover_text(sentence);
        }
        // The better move: what all bars add up to.
        let last = steps.len() + 1;
        let bar = chart.bar(last, 0.0, difference);
        chart.dotted(last, difference);
        ui.painter().rect_filled(bar, 2, theme.accent);
        let response = ui.interact(bar, ui.scope_id().with("difference"), Sense::hover());
        let sum = format!("{} minus {}: {}", why.better, why.other, words::decimals(difference, 1));
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sum));
        let sign = if why.is_bound() { format!("{}, a bound", signed(difference)) } else { signed(difference) };
        chart.amount(bar, &sign);
        chart.words(last, [&title(why.better), &bounded(why.values[0], why.bounds[0])]);
    }
}

/// Where bars stand, one a slot.
struct Chart {
    painter: Painter,
    theme: &'static Theme,
    rect: Rect,
    slot: f32,
    /// The lowest value, and from there to the highest.
    least: f64,
    span: f64,
}

impl Chart {
    /// With room for these values and 0.
    fn new(ui: &Ui, rect: Rect, slot: f32, values: impl Iterator<Item = f64>) -> Self {
        let (least, most) = values.fold((0.0_f64, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        let span = (most - least).max(f64::MIN_POSITIVE);
        Self { painter: ui.painter().clone(), theme: Theme::of(ui), rect, slot, least, span }
    }

    fn y(&self, value: f64) -> f32 {
        let top = self.rect.top() + OVER;
        let bottom = (self.rect.bottom() - UNDER).max(top + 8.0);
        bottom - ((value - self.least) / self.span) as f32 * (bottom - top)
    }

    fn ink(&self, place: usize) -> Rangef {
        let middle = self.rect.left() + self.slot * (place as f32 + 0.5);
        Rangef::point(middle).expand(self.slot * INK / 2.0)
    }

    fn bar(&self, place: usize, from: f64, to: f64) -> Rect {
        let (a, b) = (self.y(from), self.y(to));
        Rect::from_x_y_ranges(self.ink(place), a.min(b)..=a.max(b).max(a.min(b) + 2.0))
    }

    /// What leads from the bar before at a value.
    fn dotted(&self, place: usize, value: f64) {
        let y = self.y(value);
        let ends = [pos2(self.ink(place - 1).max, y), pos2(self.ink(place).min, y)];
        self.painter.extend(Shape::dashed_line(&ends, Stroke::new(1.0, self.theme.text3), 2.0, 2.0));
    }

    fn words(&self, place: usize, [first, second]: [&str; 2]) {
        let (center, top) = (self.ink(place).center(), self.rect.bottom() - UNDER);
        let put = |y: f32, text: &str, font: FontId, color: Color32| {
            let galley = elided(&self.painter, text, font, color, self.slot - 4.0);
            self.painter.galley(pos2(center - galley.size().x / 2.0, y), galley, color);
        };
        put(top + 3.0, first, theme::medium(), self.theme.text1);
        put(top + 20.0, second, theme::small(), self.theme.text2);
    }

    fn amount(&self, bar: Rect, text: &str) {
        let at = bar.center_top() - vec2(0.0, 2.0);
        self.painter.text(at, Align2::CENTER_BOTTOM, text, theme::strong(), self.theme.text1);
    }
}
