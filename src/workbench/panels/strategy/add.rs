//! The list that the key A opens: evaluators to choose from without a mouse.

use egui::{
    Area, Context, Id, Key, Modifiers, Order, Pos2, RichText, Role, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use crate::evaluator::Evaluator;
use crate::game::Size;
use crate::workbench::theme::{self, Theme};

/// The open list.
#[derive(Debug, Default)]
pub struct Adding {
    query: String,
    chosen: usize,
    shown: bool,
}

/// What became of the list in this frame.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// It stays.
    Open,
    /// It goes.
    Closed,
    /// It goes, and this is to be added.
    Chosen(Evaluator),
}

impl Adding {
    /// Draws the list below `corner`; `at` is where the row will go among `rows`.
    pub fn show(&mut self, ctx: &Context, corner: Pos2, width: f32, at: usize, rows: usize, size: Size) -> Step {
        let mut step = Step::Open;
        let area = Area::new(Id::unique("add criterion")).order(Order::Foreground).fixed_pos(corner).constrain(true);
        let shown = area.show(ctx, |ui| {
            egui::Frame::popup(ui.style()).inner_margin(8).show(ui, |ui| {
                ui.set_width(width - 18.0);
                step = self.ui(ui, at, rows, size);
            });
        });
        let outside = ctx.input(|input| {
            let pressed = input.pointer.any_pressed();
            pressed && input.pointer.interact_pos().is_some_and(|pos| !shown.response.rect.contains(pos))
        });
        if step == Step::Open && outside && self.shown {
            step = Step::Closed;
        }
        self.shown = true;
        step
    }

    fn ui(&mut self, ui: &mut Ui, at: usize, rows: usize, size: Size) -> Step {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = 2.0;
        let found: Vec<Evaluator> = find(&self.query);
        let (steps, enter, escape) = ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize;
            let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize;
            let enter = input.consume_key(Modifiers::NONE, Key::Enter);
            (down - up, enter, input.consume_key(Modifiers::NONE, Key::Escape))
        });
        if escape {
            return Step::Closed;
        }
        let edit = TextEdit::singleline(&mut self.query)
            .hint_text("Find an evaluator")
            .desired_width(f32::INFINITY)
            .align(egui::Align2::LEFT_CENTER)
            .min_size(vec2(0.0, theme::CONTROL))
            // Escape closes the list instead of stopping what runs.
            .event_filter(egui::EventFilter {
                escape: true,
                horizontal_arrows: true,
                vertical_arrows: true,
                tab: false,
            });
        let edit = ui.add(edit).accessible_name("Find an evaluator");
        if !edit.has_focus() {
            // Not every frame: that would forget the filter of keys.
            edit.request_focus();
        }
        if edit.changed() {
            self.chosen = 0;
        }
        self.chosen = self.chosen.saturating_add_signed(steps).min(found.len().saturating_sub(1));
        let place = if at == rows { "last".to_owned() } else { format!("as row {}", at + 1) };
        ui.label(RichText::new(format!("Goes in {place}. Enter adds, Escape closes")).small().color(theme.text3));
        ui.add_space(theme::SPACE_S);
        if found.is_empty() {
            ui.label(RichText::new("No evaluator has this name").color(theme.text3));
        }
        let mut chosen = enter.then_some(self.chosen);
        for (index, evaluator) in found.iter().enumerate() {
            if line(ui, evaluator, index == self.chosen) {
                chosen = Some(index);
            }
        }
        match chosen.and_then(|index| found.get(index)) {
            Some(evaluator) => Step::Chosen(super::fitting(evaluator, size)),
            None => Step::Open,
        }
    }
}

fn find(query: &str) -> Vec<Evaluator> {
    let query = query.trim().to_lowercase();
    let mut found = Evaluator::palette();
    found.retain(|evaluator| evaluator.name().to_lowercase().contains(&query));
    // What begins with it comes first.
    found.sort_by_key(|evaluator| !evaluator.name().to_lowercase().starts_with(&query));
    found
}

fn line(ui: &mut Ui, evaluator: &Evaluator, chosen: bool) -> bool {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
    let name = format!("Add {}", evaluator.name());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, &name));
    if chosen || response.hovered() {
        ui.painter().rect_filled(rect, theme::RADIUS_S, if chosen { theme.accent_bg } else { theme.bg4 });
    }
    let name = ui.painter().layout_no_wrap(evaluator.name().to_owned(), theme::body(), theme.text1);
    let left = rect.left() + theme::SPACE_M;
    let room = rect.right() - theme::SPACE_M - (left + 96.0);
    let mut job = egui::text::LayoutJob::simple_singleline(evaluator.about().to_owned(), theme::small(), theme.text3);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(1.0));
    let about = ui.painter().layout_job(job);
    let middle = rect.center().y;
    ui.painter().galley(pos2(left, middle - name.size().y / 2.0), name, theme.text1);
    ui.painter().galley(pos2(left + 96.0, middle - about.size().y / 2.0 + 1.0), about, theme.text3);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_the_letters_comes_first() {
        let names = |query| find(query).iter().map(Evaluator::name).collect::<Vec<_>>();
        assert_eq!(names("mo"), ["Monotonicity", "MonotoneSum", "Smoothness", "SmoothnessPrinted"]);
        assert_eq!(names("sum"), ["Sum", "MonotoneSum"]);
        assert_eq!(names("").len(), Evaluator::palette().len());
        assert!(names("zzz").is_empty());
    }
}
