//! Why the strategy moves as it does: one row a direction, the elimination table, one sentence.

pub mod data;

use egui::{
    Align2, Color32, FontId, Pos2, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use self::data::{Cell, DecisionData, StripRow};
use crate::game::Move;
use crate::workbench::command::{Command, Commands};
use crate::workbench::document::{Decided, Document, TELL_AFTER, Thought};
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{Button, elided, empty, paint_hatch};

/// Widths of the strip: move, value, loss, reward; what decided takes the rest. Long values take more.
const MOVE: f32 = 72.0;
const VALUE: f32 = 62.0;
const LOSS: f32 = 50.0;
const WIDEST_VALUE: f32 = 118.0;
const REWARD: f32 = 58.0;
/// Height of the header of the strip.
const HEADER: f32 = 20.0;
/// Height of the line about the search.
const LINE: f32 = 26.0;
/// Height of the header of the table, two lines.
const TABLE_HEADER: f32 = 36.0;
/// The narrowest column of the table, and the widest where there is room.
const COLUMN: f32 = 48.0;
const WIDEST_COLUMN: f32 = 126.0;
/// Between the values of two columns; widths are multiples of the second, so that a digit more moves nothing.
const COLUMN_GAP: f32 = 12.0;
const COLUMN_STEP: f32 = 8.0;
/// The sentence: the space before it, a line of it, and the two lines that most take.
const SENTENCE_GAP: f32 = theme::SPACE_M + theme::SPACE_S;
const SENTENCE_LINE: f32 = 19.0;
const SENTENCE: f32 = 2.0 * SENTENCE_LINE;
/// Room for the number of columns that are not shown.
const MORE: f32 = 34.0;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct DecisionPanel {
    /// The move under the pointer, for the board to show.
    pub hovered: Option<Move>,
}

impl DecisionPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        self.hovered = None;
        let strategy = doc.strategy();
        let thought = doc.thought();
        if let Thought::Impossible(reason) = &thought {
            let name = strategy.label();
            let plays = doc.strategy_problem().is_none();
            empty(ui, &if plays { reason.clone() } else { format!("{name} cannot play here: {reason}") });
            return;
        }
        let decided = doc.decided();
        let age = match (&thought, decided) {
            (Thought::Settled, _) => Age::Current,
            (_, Some(_)) => Age::Old,
            (_, None) => Age::Unknown,
        };
        let data = match decided {
            Some(decided) if age == Age::Current => DecisionData::new(&decided.decision, &strategy),
            Some(decided) => DecisionData::new(&decided.decision, &decided.strategy),
            None => DecisionData::unknown(&doc.board()),
        };
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let room = ui.clip_rect().bottom() - theme::PAD - ui.cursor().top();
            // In a low panel the line about the search stands where the heads of the columns are.
            let headless = strategy.looks_ahead() && room < LINE + HEADER + 4.0 * theme::HIT;
            // The rows give way so that the sentence is seen; its place is the same for short ones.
            let line = if strategy.looks_ahead() { LINE } else { 0.0 };
            let table_height =
                if data.columns.is_empty() { 0.0 } else { theme::SPACE_L + TABLE_HEADER + 4.0 * theme::ROW };
            let others = line + HEADER + table_height + SENTENCE_GAP;
            let is_tight = room < others + 4.0 * theme::ROW_TALL + SENTENCE
                && others + 4.0 * theme::HIT + SENTENCE_LINE - theme::SPACE_L <= room;
            if strategy.looks_ahead() {
                let height = if is_tight { theme::TAG } else { LINE };
                search_line(ui, doc, &thought, decided, &data, commands, height);
            }
            ui.set_opacity(alpha(&thought));
            let highest = if is_tight { theme::HIT } else { theme::ROW_TALL };
            self.strip(ui, doc, commands, &data, age, Heights { headless, highest });
            if !data.columns.is_empty() {
                ui.add_space(if is_tight { theme::SPACE_M } else { theme::SPACE_L });
                table(ui, &data);
            }
            ui.add_space(SENTENCE_GAP);
            sentence(ui, &data);
        });
    }

    fn strip(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        commands: &mut Commands,
        data: &DecisionData,
        age: Age,
        heights: Heights,
    ) {
        let theme = Theme::of(ui);
        let width = ui.available_width();
        let header = if heights.headless { 0.0 } else { HEADER };
        let (header, _) = ui.allocate_exact_size(vec2(width, header), Sense::hover());
        let widths = Widths::of(ui, data);
        let columns = Columns::of(header, widths);
        let caption = |x: f32, align: Align2, text: &str| {
            text_at(ui, pos2(x, header.center().y), align, text, theme::small(), theme.text3)
        };
        if !heights.headless {
            caption(columns.name, Align2::LEFT_CENTER, "Move");
            caption(columns.value, Align2::RIGHT_CENTER, &data.value_header);
            caption(columns.loss, Align2::RIGHT_CENTER, "Loss");
            caption(columns.why, Align2::LEFT_CENTER, "What decided");
            if let Some(reward) = columns.reward {
                caption(reward, Align2::RIGHT_CENTER, "Reward");
            }
        }
        // Four rows without scrolling, even in a low panel.
        let room = (ui.clip_rect().bottom() - theme::PAD - header.bottom()) / 4.0;
        let height = room.floor().clamp(theme::HIT, heights.highest);
        for row in &data.rows {
            let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
            // What an old row says is of another board: it plays nothing on this one.
            let plays = row.legal && age != Age::Old;
            let old = if age == Age::Old { "Old: " } else { "" };
            response.widget_info(|| WidgetInfo::labeled(Role::Button, plays, format!("{old}{}", row.spoken())));
            if plays && response.hovered() {
                self.hovered = Some(row.mv);
            }
            if response.clicked() && plays && doc.editing().is_none() {
                commands.push(Command::Slide(row.mv));
            }
            paint_strip_row(ui, theme, rect, widths, row, plays && response.hovered());
            if response.has_focus() {
                crate::workbench::widget::focus_ring(ui, rect.shrink(1.0));
            }
            // Legal moves show where they lead on the board: a tip would cover the next row.
            if !row.legal {
                response.on_hover_text(&row.why);
            }
        }
    }
}

/// How much room the strip has.
#[derive(Clone, Copy)]
struct Heights {
    /// No heads of columns.
    headless: bool,
    /// A row is at most as high.
    highest: f32,
}

/// Whose the values are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Age {
    /// Of the board on screen.
    Current,
    /// Of a board or strategy before.
    Old,
    /// There are none yet.
    Unknown,
}

/// Old values fade, but not for a search that is over in a moment.
pub fn alpha(thought: &Thought) -> f32 {
    match thought {
        Thought::Settled | Thought::Impossible(_) => 1.0,
        Thought::Stopped(_) => theme::STALE_ALPHA,
        Thought::Searching(elapsed) => {
            let share = ((elapsed.as_secs_f32() - 0.05) / (TELL_AFTER.as_secs_f32() - 0.05)).clamp(0.0, 1.0);
            egui::lerp(1.0..=theme::STALE_ALPHA, share)
        }
    }
}

/// How deep was searched, or that it is being done; `height` points high whatever it says.
fn search_line(
    ui: &mut Ui,
    doc: &Document,
    thought: &Thought,
    decided: Option<&Decided>,
    data: &DecisionData,
    commands: &mut Commands,
    height: f32,
) {
    let theme = Theme::of(ui);
    let old = decided.map(|decided| {
        let place = decided.moves.map_or("an edited board".to_owned(), |moves| format!("move {moves}"));
        format!("below: {} at {place}", decided.strategy.label())
    });
    let with_old = |text: String| match &old {
        Some(old) => format!("{text} · {old}"),
        None => text,
    };
    let (text, color, command) = match thought {
        Thought::Searching(elapsed) if TELL_AFTER <= *elapsed => {
            let then = if doc.is_step_waiting() { ", then moves" } else { "" };
            (with_old(format!("Searching {:.1} s{then}", elapsed.as_secs_f32())), theme.text1, Some(Command::Stop))
        }
        Thought::Stopped(after) => {
            let text = format!("Stopped after {:.1} s", after.as_secs_f32());
            (with_old(text), theme.text1, Some(Command::SearchAgain))
        }
        Thought::Settled if data.searches.is_empty() => ("No search was needed".to_owned(), theme.text3, None),
        Thought::Settled | Thought::Searching(_) | Thought::Impossible(_) => {
            (data.searches.first().cloned().unwrap_or_default(), theme.text2, None)
        }
    };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let mut inside = ui.new_child(
        egui::UiBuilder::new()
            .id_salt("search line")
            .max_rect(rect.with_min_x(rect.left() + theme::SPACE_M))
            .layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    let command_words = command.is_some();
    if let Some(command) = command {
        let button = Button::new(command.text()).small();
        commands.show(&mut inside, button, command, Ok(()));
    }
    inside.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
        let label = egui::Label::new(egui::RichText::new(&text).small().color(color)).truncate();
        let response = ui.add(label);
        let hint = match thought {
            Thought::Searching(_) => "Escape stops the search; Enter lets it move as soon as it is done".to_owned(),
            Thought::Stopped(_) => "Enter searches again and moves".to_owned(),
            _ => data.searches.join("\n"),
        };
        if !hint.is_empty() {
            // The words may be cut short.
            let hint = if command_words { format!("{text}\n{hint}") } else { hint };
            response.on_hover_text(hint);
        }
    });
}

/// How wide the numbers of the strip are.
#[derive(Clone, Copy)]
struct Widths {
    value: f32,
    loss: f32,
}

impl Widths {
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

/// Where the columns of the strip are; numbers end at theirs.
struct Columns {
    name: f32,
    value: f32,
    loss: f32,
    why: f32,
    reward: Option<f32>,
}

impl Columns {
    fn of(row: Rect, widths: Widths) -> Self {
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

fn text_at(ui: &Ui, at: Pos2, align: Align2, text: &str, font: FontId, color: Color32) -> Rect {
    ui.painter().text(at, align, text, font, color)
}

fn paint_strip_row(ui: &Ui, theme: &Theme, rect: Rect, widths: Widths, row: &StripRow, hovered: bool) {
    let columns = Columns::of(rect, widths);
    let y = rect.center().y;
    if row.chosen {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, theme.accent_bg);
    } else if hovered && row.legal {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, theme.bg3);
    }
    if !row.chosen {
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.sep));
    }
    let name = if row.legal { theme.text1 } else { theme.text3 };
    text_at(ui, pos2(columns.name, y), Align2::LEFT_CENTER, row.mv.arrow(), theme::body(), name);
    let font = if row.chosen { theme::strong() } else { theme::medium() };
    text_at(ui, pos2(columns.name + 20.0, y), Align2::LEFT_CENTER, &row.mv.to_string(), font, name);
    let number = if row.chosen { theme::strong() } else { theme::body() };
    text_at(
        ui,
        pos2(columns.value, y),
        Align2::RIGHT_CENTER,
        &row.value,
        number,
        if row.value == "–" { theme.text3 } else { theme.text1 },
    );
    text_at(
        ui,
        pos2(columns.loss, y),
        Align2::RIGHT_CENTER,
        &row.loss,
        theme::body(),
        if row.loss == "–" { theme.text3 } else { theme.text2 },
    );
    let reward = columns.reward.filter(|_| row.legal);
    let end = reward.map_or(rect.right(), |reward| reward - REWARD + theme::SPACE_M);
    let color = if row.legal { theme.text1 } else { theme.text3 };
    let galley = elided(ui.painter(), &row.why, theme::body(), color, end - columns.why);
    let at = pos2(columns.why, y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, theme.text1);
    if let Some(reward) = reward {
        text_at(ui, pos2(reward, y), Align2::RIGHT_CENTER, &row.reward, theme::body(), theme.text3);
    }
}

fn table(ui: &mut Ui, data: &DecisionData) {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    let room = width - MOVE - theme::SPACE_M;
    let all = data.columns.len();
    let widths: Vec<f32> = (0..all).map(|criterion| column_width(ui, data, criterion)).collect();
    let total = |shown: &[usize]| shown.iter().map(|&criterion| widths[criterion]).sum::<f32>();
    let (shown, room) = (1..=all)
        .rev()
        .map(|most| (data.most_telling(most), if most < all { room - MORE } else { room }))
        .find(|(shown, room)| shown.len() == 1 || total(shown) <= *room)
        .unwrap_or_default();
    let gain = (room - total(&shown)) / shown.len().max(1) as f32;
    let mut end = theme::SPACE_M + MOVE;
    // The width of each shown column and its right end, from the left of a row.
    let places: Vec<(f32, f32)> = shown
        .iter()
        .map(|&criterion| {
            let width = (widths[criterion] + gain).min(WIDEST_COLUMN.max(widths[criterion])).min(room);
            end += width;
            (width, end)
        })
        .collect();
    let right_of = |rect: Rect, index: usize| rect.left() + places[index].1 - 6.0;

    let (header, response) = ui.allocate_exact_size(vec2(width, TABLE_HEADER), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Elimination table: moves by criterion"));
    let lower = header.bottom() - 4.0;
    text_at(ui, pos2(header.left() + theme::SPACE_M, lower), Align2::LEFT_BOTTOM, "Move", theme::small(), theme.text3);
    for (index, title) in shown.iter().map(|&criterion| &data.columns[criterion]).enumerate() {
        let x = right_of(header, index);
        let galley = elided(ui.painter(), &title.name, theme::small(), theme.text2, places[index].0 - 6.0);
        ui.painter().galley(pos2(x - galley.size().x, lower - 28.0), galley, theme.text2);
        let galley = elided(ui.painter(), &title.setting, theme::small(), theme.text3, places[index].0 - 6.0);
        ui.painter().galley(pos2(x - galley.size().x, lower - galley.size().y), galley, theme.text3);
    }
    let hidden = all - shown.len();
    if 0 < hidden {
        let x = header.right() - theme::SPACE_M;
        text_at(ui, pos2(x, lower), Align2::RIGHT_BOTTOM, &format!("+{hidden}"), theme::small(), theme.text3);
        let columns = if hidden == 1 { "1 more column" } else { &format!("{hidden} more columns") };
        response.on_hover_text(format!("{columns} in which less happened: widen the panel"));
    }
    ui.painter().hline(header.x_range(), header.bottom(), Stroke::new(1.0, theme.sep));
    for row in &data.rows {
        let (rect, response) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, row.spoken_cells(&data.columns)));
        let y = rect.center().y;
        let name = format!("{} {}", row.mv.arrow(), row.mv);
        let font = if row.chosen { theme::strong() } else { theme::medium() };
        let color = if row.legal { theme.text1 } else { theme.text3 };
        text_at(ui, pos2(rect.left() + theme::SPACE_M, y), Align2::LEFT_CENTER, &name, font, color);
        if !row.legal {
            text_at(
                ui,
                pos2(rect.left() + theme::SPACE_M + MOVE + 12.0, y),
                Align2::LEFT_CENTER,
                &row.why,
                theme::body(),
                theme.text3,
            );
        }
        let cells = shown.iter().filter_map(|&criterion| row.cells.get(criterion).filter(|_| row.legal));
        for (index, cell) in cells.enumerate() {
            let right = right_of(rect, index);
            let space = Rect::from_min_max(
                pos2(right - places[index].0 + 6.0, rect.top() + 1.0),
                pos2(right + 6.0, rect.bottom() - 1.0),
            );
            paint_cell(ui, theme, space, right, cell);
        }
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.sep));
    }
}

/// Room for the head and the values of a criterion.
fn column_width(ui: &Ui, data: &DecisionData, criterion: usize) -> f32 {
    let measure =
        |text: &str, font: FontId| ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x;
    let title = &data.columns[criterion];
    let head = measure(&title.name, theme::small()).max(measure(&title.setting, theme::small()));
    let values = data.rows.iter().filter_map(|row| match row.cells.get(criterion)? {
        Cell::Kept { text, .. } | Cell::Fell { text } => Some(measure(text, theme::strong())),
        Cell::Out | Cell::NotNeeded => None,
    });
    let widest = values.fold(head.min(WIDEST_COLUMN - COLUMN_GAP), f32::max);
    ((widest + COLUMN_GAP) / COLUMN_STEP).ceil().max(COLUMN / COLUMN_STEP) * COLUMN_STEP
}

fn paint_cell(ui: &Ui, theme: &Theme, space: Rect, right: f32, cell: &Cell) {
    let at = pos2(right, space.center().y);
    match cell {
        Cell::Kept { text, decided } => {
            let font = if *decided { theme::strong() } else { theme::body() };
            let rect = text_at(ui, at, Align2::RIGHT_CENTER, text, font, theme.text1);
            if *decided {
                let frame = rect.expand2(vec2(6.0, 2.0));
                ui.painter().rect_stroke(frame, theme::RADIUS_S, Stroke::new(2.0, theme.accent), StrokeKind::Outside);
            }
        }
        Cell::Fell { text } => {
            let rect = text_at(ui, at, Align2::RIGHT_CENTER, text, theme::body(), theme.error);
            ui.painter().hline(rect.x_range().expand(1.0), rect.center().y, Stroke::new(1.5, theme.error));
        }
        Cell::Out => {
            text_at(ui, at, Align2::RIGHT_CENTER, "–", theme::body(), theme.text3);
        }
        Cell::NotNeeded => {
            paint_hatch(ui.painter(), space, theme.sep);
            text_at(ui, at, Align2::RIGHT_CENTER, "–", theme::body(), theme.text3);
        }
    }
}

fn sentence(ui: &mut Ui, data: &DecisionData) {
    let theme = Theme::of(ui);
    // A comparison stays on one line.
    let text = data.sentence.replace(" = ", "\u{a0}=\u{a0}").replace(" > ", "\u{a0}>\u{a0}");
    ui.label(egui::RichText::new(text).color(theme.text1).line_height(Some(SENTENCE_LINE)));
}
