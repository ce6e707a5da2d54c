//! The editor for the text of the strategy.
//!
//! Typed text changes the strategy as soon as it is a strategy that can be played. Until then the strategy stays unchanged. The
//! text also stays if other panels change the strategy; the user decides which one to use. One visit of the field is one undo
//! step.

use std::ops::{Range, RangeInclusive};

use egui::text::{CCursor, CCursorRange, CharIndex, LayoutJob, TextFormat};
use egui::text_edit::{TextEditOutput, TextEditState};
use egui::{
    Frame, Rect, RichText, ScrollArea, Shape, Stroke, StrokeKind, TextEdit, Ui, UiBuilder, pos2,
};

use super::data::{self, TokenKind};
use crate::ron_text::Mistake;
use crate::strategy::{SharedStrategy, Strategy, StrategyEdit};
use crate::workbench::command::{Commands, Panel, StrategyCommand, UndoStep};
use crate::workbench::kit::{Button, focus, small_print};
use crate::workbench::panels::Building;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Width of the column of line numbers.
const GUTTER: f32 = 34.0;
/// Maximum number of saved drafts of other strategies.
const MOST_DRAFTS: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Editor {
    text: String,
    /// The strategy of the last valid text.
    strategy: SharedStrategy,
    mistake: Option<Mistake>,
    /// The index of the strategy and the number of open ones, which reveal a switch to another strategy.
    shown: Option<(usize, usize)>,
    /// Unfinished texts of strategies that are not on screen.
    drafts: Vec<(SharedStrategy, String)>,
    /// Number of visits of the field.
    session: u64,
    /// The last position of the cursor, in characters.
    cursor: Option<usize>,
    /// The row whose lines were last shown.
    row: Option<usize>,
}

impl Editor {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        self.follow(doc);
        let theme = Theme::of(ui);
        let room = ui.available_rect_before_wrap();
        let comments = data::has_comments(&self.text);
        let foot = match (&self.mistake, comments) {
            (Some(_), _) => 84.0,
            (None, true) => 22.0,
            (None, false) => 0.0,
        };

        let area = room.with_max_y((room.bottom() - foot).max(room.top() + 60.0));
        ui.painter().rect_filled(area, theme::RADIUS_S, theme.bg2);
        let edge = if self.mistake.is_some() {
            theme.error
        } else {
            theme.line
        };
        ui.painter().rect_stroke(
            area,
            theme::RADIUS_S,
            Stroke::new(1.0, edge),
            StrokeKind::Inside,
        );
        let mut inside = ui.new_child(
            UiBuilder::new()
                .id_salt("editor")
                .max_rect(area.shrink(1.0)),
        );
        inside.set_clip_rect(area.shrink(1.0).intersect(ui.clip_rect()));
        self.field_ui(&mut inside, doc, building, commands);

        let below = Rect::from_min_max(pos2(room.left(), area.bottom() + 6.0), room.max);
        let mut inside = ui.new_child(UiBuilder::new().id_salt("mistake").max_rect(below));
        inside.spacing_mut().item_spacing.y = 4.0;
        if let Some(mistake) = &self.mistake {
            let words = format!("✗ {mistake}");
            inside.add(egui::Label::new(RichText::new(&words).color(theme.error)).truncate());
            small_print(
                &mut inside,
                "The strategy does not change until the text is valid",
                theme.text3,
            );
            let take = Button::new("Discard typed text").small();
            if inside
                .add(take)
                .on_hover_text("Show the current text of the strategy")
                .clicked()
            {
                self.take_over(&doc.strategy());
            }
        } else if comments {
            small_print(
                &mut inside,
                "Comments remain until the strategy is changed elsewhere",
                theme.text3,
            );
        }
        ui.allocate_rect(room, egui::Sense::hover());
    }

    /// Takes changes of other panels, unless the text is unfinished.
    fn follow(&mut self, doc: &Document) {
        let strategy = doc.strategy();
        let now = Some((doc.current(), doc.strategies().len()));
        if self.shown != now {
            if self.shown.is_some() && self.mistake.is_some() {
                self.drafts
                    .push((self.strategy.clone(), std::mem::take(&mut self.text)));
                let too_many = self.drafts.len().saturating_sub(MOST_DRAFTS);
                self.drafts.drain(..too_many);
            }
            self.shown = now;
            self.take_over(&strategy);
            if let Some(draft) = self.drafts.iter().position(|(own, _)| *own == strategy) {
                self.text = self.drafts.remove(draft).1;
                self.mistake = read(&self.text, doc).err();
            }
        } else if self.mistake.is_none() && self.strategy != strategy {
            self.take_over(&strategy);
        }
    }

    fn take_over(&mut self, strategy: &SharedStrategy) {
        self.text = strategy.pretty();
        self.strategy = strategy.clone();
        self.mistake = None;
        self.cursor = None;
    }

    fn field_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let area = ui.max_rect();
        let numbers = ui.painter().with_clip_rect(
            area.with_max_x(area.left() + GUTTER)
                .intersect(ui.clip_rect()),
        );
        let mut right = ui.new_child(
            UiBuilder::new()
                .id_salt("text")
                .max_rect(area.with_min_x(area.left() + GUTTER)),
        );
        right.set_clip_rect(right.max_rect().intersect(ui.clip_rect()));
        let count = doc.strategy().criteria.len();
        let output =
            ScrollArea::both()
                .id_salt("lines")
                .auto_shrink(false)
                .show(&mut right, |ui| {
                    let behind = ui.painter().add(Shape::Noop);
                    let theme = Theme::of(ui);
                    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _wrap: f32| {
                        ui.painter().layout_job(coloured(text.as_str(), theme))
                    };
                    let id = ui.scope_id().with("text of the strategy");
                    begin_at_start(ui, id);
                    let output = TextEdit::multiline(&mut self.text)
                        .id(id)
                        .font(theme::mono())
                        .frame(Frame::NONE)
                        .margin(egui::Margin::symmetric(2, 6))
                        .desired_width(f32::INFINITY)
                        .desired_rows(1)
                        .min_size(ui.available_size())
                        .layouter(&mut layouter)
                        .show(ui);

                    // The rows of the current text, including input of this frame.
                    let rows = data::rows(&self.text);
                    let selected = building.rows.selected().filter(|_| rows.len() == count);
                    let lines =
                        |row: &Range<usize>| lines_rect(&output, &data::lines_of(&self.text, row));
                    if let Some(rect) = selected.and_then(|row| lines(rows.get(row)?)) {
                        let wide = rect
                            .with_min_x(ui.clip_rect().left())
                            .with_max_x(ui.clip_rect().right());
                        ui.painter()
                            .set(behind, Shape::rect_filled(wide, 0, theme.accent_bg));
                        if self.row != selected && !output.response.response.has_focus() {
                            ui.scroll_to_rect(rect.with_max_x(rect.left() + 1.0), None);
                        }
                    }
                    if let Some(mistake) = &self.mistake {
                        underline(ui, &self.text, mistake, &output, theme);
                    }
                    (output, rows, selected)
                });

        let (output, rows, selected) = output.inner;
        self.row = selected;
        number_lines(&numbers, area.left(), &output, Theme::of(ui));
        let response = output
            .response
            .response
            .accessible_name("Text of the strategy");
        focus::home(&response, Panel::Text.area());
        self.hear(&response, doc, commands);
        let cursor = output
            .cursor_range
            .map(|range| range.primary.index.0)
            .filter(|_| response.has_focus());
        // Text typed in this frame becomes the strategy in the next one.
        if cursor != self.cursor && rows.len() == count {
            self.cursor = cursor;
            self.select_row(&rows, building);
        }
    }

    /// Handles typed text, and the start and end of a visit.
    fn hear(&mut self, response: &egui::Response, doc: &Document, commands: &mut Commands) {
        if response.gained_focus() {
            self.session += 1;
        }
        if response.changed() {
            match read(&self.text, doc) {
                Ok(strategy) => {
                    self.mistake = None;
                    self.strategy = strategy.clone().into();
                    let edit = StrategyEdit::Replace(Box::new(strategy));
                    commands.push(StrategyCommand::Edit(edit, UndoStep::Session(self.session)));
                }
                Err(mistake) => self.mistake = Some(mistake),
            }
        }
        if response.lost_focus() {
            // Ends the undo step.
            let strategy = if self.mistake.is_none() {
                self.strategy.clone()
            } else {
                doc.strategy()
            };
            commands.push(StrategyEdit::Replace(Box::new((*strategy).clone())));
        }
    }

    /// Selects the row that contains the cursor.
    fn select_row(&mut self, rows: &[Range<usize>], building: &mut Building) {
        let Some(at) = self.cursor else { return };
        let byte = self
            .text
            .char_indices()
            .nth(at)
            .map_or(self.text.len(), |(byte, _)| byte);
        let line = data::line_of(&self.text, byte);
        // Of several rows in one line, the one with the cursor, or else the first.
        let row = rows
            .iter()
            .position(|row| (row.start..=row.end).contains(&byte));
        let row = row.or_else(|| {
            rows.iter()
                .position(|row| data::lines_of(&self.text, row).contains(&line))
        });
        if let Some(&id) = row.and_then(|row| building.rows.ids.get(row)) {
            (building.rows.selected, building.rows.reveal) = (Some(id), Some(id));
            self.row = row;
        }
    }
}

/// The strategy of a text, if it can be played on the board on screen, or else the mistake, located at its row.
fn read(text: &str, doc: &Document) -> Result<Strategy, Mistake> {
    let strategy = Strategy::read_at(text)?;
    let size = doc.board().size();
    let Err(error) = strategy.check(size) else {
        return Ok(strategy);
    };
    let start = error
        .row()
        .and_then(|row| Some(data::rows(text).get(row)?.start))
        .unwrap_or_default();
    let line = data::line_of(text, start);
    let column = text[..start]
        .chars()
        .rev()
        .take_while(|&c| c != '\n')
        .count();
    Err(Mistake {
        line: line + 1,
        column: column + 1,
        reason: error.to_string(),
    })
}

fn coloured(text: &str, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let format = |color| TextFormat {
        font_id: theme::mono(),
        color,
        ..TextFormat::default()
    };
    let mut end = 0;
    for token in data::tokens(text) {
        let color = match token.kind {
            TokenKind::Comment | TokenKind::Sign(_) => theme.text3,
            TokenKind::Quoted => theme.ok,
            TokenKind::Number => theme.warn,
            TokenKind::Field => theme.text2,
            TokenKind::Name => theme.accent,
        };
        job.append(&text[end..token.at.start], 0.0, format(theme.text1));
        job.append(&text[token.at.clone()], 0.0, format(color));
        end = token.at.end;
    }
    job.append(&text[end..], 0.0, format(theme.text1));
    job
}

/// The area of lines on screen. Text does not wrap, so a line of text is a row of the galley.
fn lines_rect(output: &TextEditOutput, lines: &RangeInclusive<usize>) -> Option<Rect> {
    let (galley, at) = (&output.galley, output.galley_pos);
    let (first, last) = (
        galley.rows.get(*lines.start())?,
        galley.rows.get(*lines.end())?,
    );
    Some(Rect::from_min_max(
        pos2(at.x, at.y + first.min_y()),
        pos2(at.x + galley.size().x, at.y + last.max_y()),
    ))
}

fn number_lines(painter: &egui::Painter, left: f32, output: &TextEditOutput, theme: &Theme) {
    for (line, row) in output.galley.rows.iter().enumerate() {
        let y = output.galley_pos.y + row.min_y();
        if painter
            .clip_rect()
            .y_range()
            .intersects(egui::Rangef::new(y, y + 20.0))
        {
            let number = painter.layout_no_wrap((line + 1).to_string(), theme::mono(), theme.text3);
            painter.galley(
                pos2(left + GUTTER - 8.0 - number.size().x, y),
                number,
                theme.text3,
            );
        }
    }
}

fn underline(ui: &Ui, text: &str, mistake: &Mistake, output: &TextEditOutput, theme: &Theme) {
    let at = data::place(text, mistake.line, mistake.column);
    let word = data::word_at(text, at);
    let cursor = |byte: usize| CCursor::new(CharIndex(text[..byte].chars().count()));
    let start = output.galley.pos_from_cursor(cursor(word.start));
    let end = output.galley.pos_from_cursor(cursor(word.end));
    let y = output.galley_pos.y + start.bottom() - 1.0;
    let from = output.galley_pos.x + start.left();
    // If the word spans several lines, underline a short part of the first. A missing bracket has no width.
    let to = if end.top() == start.top() {
        output.galley_pos.x + end.left()
    } else {
        from
    };
    let to = to.max(from + 7.0);
    let steps = ((to - from) / 2.0).ceil() as usize;
    let wave = (0..=steps).map(|step| {
        pos2(
            from + 2.0 * step as f32,
            y + if step % 2 == 0 { 0.0 } else { 2.0 },
        )
    });
    ui.painter()
        .add(Shape::line(wave.collect(), Stroke::new(1.2, theme.error)));
}

/// Puts the cursor of a text without one at its start: at its end, the focus would scroll the starts of all lines away.
fn begin_at_start(ui: &Ui, id: egui::Id) {
    let mut state = TextEditState::load(ui.ctx(), id).unwrap_or_default();
    if state.cursor.char_range().is_none() {
        state
            .cursor
            .set_char_range(Some(CCursorRange::one(CCursor::default())));
        state.store(ui.ctx(), id);
    }
}
