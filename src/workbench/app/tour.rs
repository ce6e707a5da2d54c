//! The tour: five panels in turn, each with what to try there. The window stays in use below it.

use egui::{
    Area, Context, Frame, Id, Key, Modifiers, Order, Rect, RichText, Role, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

use crate::workbench::command::Panel;
use crate::workbench::kit::Button;
use crate::workbench::theme::{self, Theme};

const WIDTH: f32 = 320.0;
/// From the panel to the card.
const GAP: f32 = 12.0;

/// A panel, what it is, and what to try there.
const STEPS: [(Panel, &str, &str); 5] = [
    (
        Panel::Board,
        "A game at one of its moves",
        "The strategy plays it: Enter makes its move, arrows make yours, and the timeline goes back and forth. Another move \
         from here is a branch; nothing is lost. Board, Watch the Reference lets a strong network play a game.",
    ),
    (
        Panel::Decision,
        "Why this move",
        "A line for each direction, a column for each row of the strategy. A struck-out value is where a move fell, the framed \
         one decided, and the sentence below says it in words. Point at a line to see the board after it.",
    ),
    (
        Panel::Tree,
        "The search that chose it",
        "Every node the search looked at: M moves, C chance, X left out, with its value. Click one to see how its value arose; \
         the wheel zooms, a drag moves, F shows all.",
    ),
    (
        Panel::Strategy,
        "What can be changed",
        "The rows decide in order: the first keeps the best moves, the next sees only those. Drag a row to another place, or one \
         from the palette between them: the decision follows at once, and Ctrl Z takes it back.",
    ),
    (
        Panel::Experiment,
        "What it is worth",
        "Both strategies have played on the same seeds. Drag over bars and press List games, click a game and press Review: a judge \
         says which move lost most and which row decided it. Change that row, and rerun the same seeds.",
    ),
];

/// Where somebody is in the tour.
#[derive(Debug, Default)]
pub(super) struct Tour {
    step: usize,
    /// Whether the button that leads on has been given the keys.
    is_focused: bool,
}

/// What a frame of the tour asks for.
pub(super) enum Asked {
    Nothing,
    Show(Panel),
    End,
}

impl Tour {
    pub(super) fn panel(&self) -> Panel {
        STEPS[self.step].0
    }

    /// Draws the card beside `panel`, or in the middle of the screen.
    pub(super) fn show(&mut self, ctx: &Context, panel: Option<Rect>) -> Asked {
        if ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            return Asked::End;
        }
        let screen = ctx.content_rect();
        let theme = Theme::of_visuals(&ctx.global_style().visuals);
        let id = Id::unique("tour");
        let size = ctx.memory(|memory| memory.area_rect(id)).map_or(vec2(WIDTH, 180.0), |rect| rect.size());
        let at = match panel {
            // Beside it where there is room, else over its lower end.
            Some(panel) if panel.right() + GAP + size.x <= screen.right() => pos2(panel.right() + GAP, panel.top()),
            Some(panel) if screen.left() <= panel.left() - GAP - size.x => {
                pos2(panel.left() - GAP - size.x, panel.top())
            }
            Some(panel) => panel.right_bottom() - size - vec2(GAP, GAP),
            None => screen.center() - size / 2.0,
        };
        if let Some(panel) = panel {
            let painter = ctx.layer_painter(egui::LayerId::new(Order::Middle, Id::unique("tour outline")));
            painter.rect_stroke(panel, theme::RADIUS_M, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
        }
        let area = Area::new(id).order(Order::Foreground).fixed_pos(at).constrain_to(screen.shrink(GAP));
        let frame = Frame::popup(&ctx.global_style()).inner_margin(theme::PAD);
        let asked = area.show(ctx, |ui| frame.show(ui, |ui| self.card_ui(ui)).inner);
        let place = format!("Tour, {} of {}", self.step + 1, STEPS.len());
        asked.response.widget_info(|| WidgetInfo::labeled(Role::Dialog, true, &place));
        asked.inner
    }

    fn card_ui(&mut self, ui: &mut Ui) -> Asked {
        let theme = Theme::of(ui);
        let (_, title, text) = STEPS[self.step];
        ui.set_width(WIDTH - 2.0 * theme::PAD);
        ui.label(RichText::new(format!("Tour, {} of {}", self.step + 1, STEPS.len())).small().color(theme.text3));
        ui.heading(title);
        ui.add(egui::Label::new(text).wrap());
        ui.add_space(theme::SPACE_S);
        let mut asked = Asked::Nothing;
        ui.horizontal(|ui| {
            if ui.add(Button::new("End tour").quiet()).clicked() {
                asked = Asked::End;
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let is_last = self.step + 1 == STEPS.len();
                let next = ui.add(Button::new(if is_last { "Done" } else { "Next" }).accent());
                if !std::mem::replace(&mut self.is_focused, true) {
                    next.request_focus();
                }
                if next.clicked() {
                    asked = if is_last { Asked::End } else { self.go(self.step + 1) };
                }
                let about = if 0 < self.step { Ok("To the step before") } else { Err("This is the first step") };
                if Button::new("Back").show(ui, about).clicked() {
                    asked = self.go(self.step - 1);
                }
            });
        });
        asked
    }

    fn go(&mut self, step: usize) -> Asked {
        *self = Self { step, is_focused: false };
        Asked::Show(self.panel())
    }
}
