//! The filter box: a condition on nodes, with completions, errors in place, a count and steps through the matches.

use std::ops::Range;

use egui::text::{CCursor, CCursorRange};
use egui::{
    Align, Area, CompletionPopup, EventFilter, Frame, Key, Layout, Margin, Order, Popup, Rect,
    Response, RichText, Role, Sense, Stroke, StrokeKind, Suggestion, TextEdit, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::search::{Completion, Query};
use crate::words;
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{Button, focus};
use crate::workbench::panels::Inspection;
use crate::workbench::theme::{self, Theme};

/// The box takes the rest of the line, up to this width.
const WIDEST: f32 = 420.0;
const COUNT: f32 = 84.0;
const HINT: &str = "kind:cut depth>=3";

/// Draws the box into the rest of a right-to-left line, at its left end.
pub(super) fn ui(ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let space = ui.available_rect_before_wrap();
    let width = space.width().min(WIDEST);
    let rect = Rect::from_min_size(
        pos2(space.left(), space.center().y - theme::CONTROL / 2.0),
        vec2(width, theme::CONTROL),
    );
    ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg2);
    Icon::Search.paint(
        ui.painter(),
        pos2(rect.left() + 15.0, rect.center().y),
        theme.text2,
    );
    let inner = rect
        .with_min_x(rect.left() + 28.0)
        .with_max_x(rect.right() - 2.0);
    let builder = egui::UiBuilder::new()
        .id_salt("filter")
        .max_rect(inner)
        .layout(Layout::right_to_left(Align::Center));
    let mut ui = ui.new_child(builder);

    ui.spacing_mut().item_spacing.x = 0.0;
    help(&mut ui);
    if !inspection.filter.text.is_empty() {
        steps(&mut ui, theme, inspection, commands, width);
    }

    let (response, completes) = edit(&mut ui, theme, inspection, commands);
    let error = inspection.filter.error().cloned().filter(|_| !completes);
    let color = match (&error, response.has_focus()) {
        (Some(_), _) => theme.error,
        (None, true) => theme.accent,
        (None, false) => theme.line,
    };
    ui.painter().rect_stroke(
        rect,
        theme::RADIUS_S,
        Stroke::new(1.0, color),
        StrokeKind::Inside,
    );
    if let Some(error) = error {
        error_line(&ui, theme, rect, &error.text);
    }
}

fn edit(
    ui: &mut Ui,
    theme: &Theme,
    inspection: &mut Inspection,
    commands: &mut Commands,
) -> (Response, bool) {
    let id = ui.make_persistent_id("filter of the tree");
    if std::mem::take(&mut inspection.filter.wants_focus) {
        ui.memory_mut(|memory| memory.request_focus(id));
        let mut state = TextEdit::load_state(ui, id).unwrap_or_default();
        let all = CCursorRange::two(
            CCursor::new(0),
            CCursor::new(inspection.filter.text.chars().count()),
        );
        state.cursor.set_char_range(Some(all));
        state.store(ui, id);
    }
    let has_focus = ui.memory(|memory| memory.has_focus(id));
    let [enters, leaves] =
        [Key::Enter, Key::Escape].map(|key| has_focus && ui.input(|input| input.key_pressed(key)));
    let size = vec2(ui.available_width(), theme::CHIP);
    let wrong = inspection.filter.error().map(|error| error.at.clone());
    let text = &mut inspection.filter.text;
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: true,
        escape: true,
        tab: false,
    };
    let field = TextEdit::singleline(text)
        .font(theme::mono())
        .frame(Frame::NONE)
        .hint_text(RichText::new(HINT).font(theme::mono()).color(theme.text3))
        .desired_width(size.x)
        .min_size(size)
        .align(egui::Align2::LEFT_CENTER)
        .margin(Margin::symmetric(2, 3))
        .event_filter(filter)
        .return_key(None);

    // Characters that end a name or a value; `Query::completions` starts its replacement at the same characters.
    let ends = |c: char| c.is_whitespace() || ":=<>,|-!".contains(c);
    let popup = CompletionPopup::new(id)
        .word_boundary(ends)
        .align(egui::RectAlign::BOTTOM_START)
        .max_height(220.0);
    let output = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        popup.show(ui, field, |query| {
            suggestions(query.text, query.word, query.word_range.end.0, theme)
        })
    });
    let output = output.inner;
    let response = output.text_edit.response.response.clone();
    response.widget_info(|| WidgetInfo {
        label: Some("Tree filter".to_owned()),
        ..WidgetInfo::text_edit(true, &inspection.filter.text, &inspection.filter.text, HINT)
    });

    // While completions are offered, Tab accepts one.
    focus::own_keys(
        &response,
        EventFilter {
            tab: output.is_open,
            ..filter
        },
    );
    let accepted = output.accepted.is_some();
    if let Some(at) = wrong.filter(|_| !output.is_open && !accepted) {
        underline(ui, theme, &output.text_edit, &inspection.filter.text, at);
    }
    let was_open = output.is_open || accepted;
    if enters && !was_open {
        commands.push(Command::Tree(TreeCommand::NextMatch));
    }

    // The first Escape closes the list, the second clears the box, the third leaves it.
    if leaves && !was_open && response.has_focus() {
        if inspection.filter.text.is_empty() {
            response.surrender_focus();
            inspection.filter.close();
        } else {
            inspection.filter.text.clear();
        }
    }

    (response, output.is_open)
}

/// Completions at the cursor, given in characters; empty before the start of a word.
fn suggestions(text: &str, word: &str, cursor: usize, theme: &Theme) -> Vec<Suggestion> {
    let cursor = text
        .char_indices()
        .nth(cursor)
        .map_or(text.len(), |(at, _)| at);
    let before = &text[..cursor];
    // Here Enter goes to the next match, so it must not insert text.
    if word.is_empty() && before.chars().next_back().is_none_or(char::is_whitespace) {
        return Vec::new();
    }

    let mut completions = Query::completions(text, cursor);
    let replaces_word = |at: &Range<usize>| at.end == cursor && at.start + word.len() == cursor;
    completions.retain(|offer| replaces_word(&offer.replaces) && offer.insert != word);
    let suggestion = |offer: Completion| {
        let content = RichText::new(offer.insert.clone()).font(theme::mono());
        Suggestion::new(offer.insert)
            .content(content)
            .description(RichText::new(offer.about).small().color(theme.text3))
    };
    completions.into_iter().map(suggestion).collect()
}

fn underline(
    ui: &Ui,
    theme: &Theme,
    output: &egui::text_edit::TextEditOutput,
    text: &str,
    at: Range<usize>,
) {
    let place = |byte: usize| {
        let chars = text.char_indices().take_while(|&(at, _)| at < byte).count();
        output.galley_pos
            + output
                .galley
                .pos_from_cursor(CCursor::new(chars))
                .left_bottom()
                .to_vec2()
    };
    let (from, to) = (place(at.start), place(at.end));
    let y = from.y.round() + 0.5;
    ui.painter().hline(
        from.x..=to.x.max(from.x + 6.0),
        y,
        Stroke::new(2.0, theme.error),
    );
}

/// An error floats below the box, so that nothing moves.
fn error_line(ui: &Ui, theme: &Theme, rect: Rect, text: &str) {
    let text = format!("✗ {text}");
    let area = Area::new(ui.scope_id().with("filter error"))
        .order(Order::Foreground)
        .interactable(false);
    area.fixed_pos(rect.left_bottom() + vec2(0.0, 4.0))
        .show(ui.ctx(), |ui| {
            Frame::new()
                .fill(theme.bg3)
                .stroke(Stroke::new(1.0, theme.error))
                .corner_radius(theme::RADIUS_S)
                .inner_margin(Margin::symmetric(8, 4))
                .show(ui, |ui| {
                    ui.set_max_width(rect.width().max(360.0));
                    ui.label(RichText::new(text).color(theme.error));
                });
        });
}

fn steps(
    ui: &mut Ui,
    theme: &Theme,
    inspection: &mut Inspection,
    commands: &mut Commands,
    width: f32,
) {
    commands.when_clicked(
        &icon_button(ui, Icon::Close, "Clear filter", "Clear filter (Escape)"),
        Command::Tree(TreeCommand::ClearFilter),
    );
    for (icon, command) in [
        (Icon::ChevronDown, TreeCommand::NextMatch),
        (Icon::ChevronUp, TreeCommand::PreviousMatch),
    ] {
        commands.icon(ui, icon, Command::Tree(command), inspection.can(command));
    }

    if width < 260.0 || !inspection.filter.is_on() {
        return;
    }

    let filter = &inspection.filter;
    let text = match (
        filter.matches().binary_search(&inspection.selected()),
        filter.matches().len() as u64,
    ) {
        _ if filter.is_busy() => "searching".to_owned(),
        (Ok(place), all) => format!(
            "{} of {}",
            words::count(place as u64 + 1),
            words::count(all)
        ),
        (Err(_), 0) => "none".to_owned(),
        (Err(_), all) => format!("{} found", words::count(all)),
    };
    let galley = ui
        .painter()
        .layout_no_wrap(text.clone(), theme::small(), theme.text2);
    let (rect, response) = ui.allocate_exact_size(
        vec2(COUNT.max(galley.size().x + 8.0), theme::CHIP),
        Sense::hover(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Matches: {text}")));
    let at = pos2(
        rect.right() - 4.0 - galley.size().x,
        rect.center().y - galley.size().y / 2.0,
    );
    ui.painter().galley(at, galley, theme.text2);
}

fn help(ui: &mut Ui) {
    let button = ui
        .add(Button::new("?").quiet().small().name("Filter syntax"))
        .on_hover_text("Filter syntax");
    Popup::menu(&button)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            let theme = Theme::of(ui);
            ui.set_max_width(440.0);
            ui.label("Every word must match; a minus sign before a word excludes what it matches");
            ui.add_space(theme::SPACE_S);
            egui::ScrollArea::vertical()
                .max_height(420.0)
                .show(ui, |ui| {
                    let grid = egui::Grid::new("fields of the filter")
                        .spacing(vec2(theme::SPACE_L, theme::SPACE_S));
                    grid.num_columns(2).show(ui, |ui| {
                        for field in Query::help() {
                            ui.label(RichText::new(field.example).font(theme::mono()));
                            ui.label(RichText::new(field.word.about).color(theme.text2));
                            ui.end_row();
                        }
                    });
                });
        });
}
