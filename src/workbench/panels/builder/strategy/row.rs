//! One row of the stack: a card that shows what the row does, and unfolds to edit it.

use egui::{
    Align2, Color32, DragAndDrop, EventFilter, Key, Modifiers, Painter, Popup, Rect, Response,
    Role, ScrollArea, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::data::{self, MoveFate, RowData, RowEffect, lookahead_notes};
use super::settings;
use crate::game::Move;
use crate::preset::CHANCE_OF_A_4;
use crate::strategy::{Criterion, RowTransfer, Setting, Strategy, StrategyEdit};
use crate::words;
use crate::workbench::command::{
    Command, Commands, ExperimentCommand, Panel, SelectionCommand, StrategyCommand,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{elided, focus, focus_ring, menu_entry, paint_hatch, part, submenu};
use crate::workbench::panels::builder::{RowDrag, Rows};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Height of a folded row in a stack of ordinary width.
pub(super) const LOW: f32 = 44.0;
/// Height of a folded row if its effect needs a line of its own.
pub(super) const TALL: f32 = 62.0;
/// From this width on, a stack has low rows.
const BROAD: f32 = 440.0;
/// From this width on, rows show the fate of each move as an arrow.
const WIDE: f32 = 520.0;
const WORDS: f32 = 128.0;
/// Height of the strip with the rejection of the better move.
const STRIP: f32 = 26.0;
pub(super) const NAME: f32 = 46.0;
/// Maximum number of other strategies in the menu; the others can be reached by dragging.
const MOST_OTHERS: usize = 6;

pub(super) struct StackRow<'a> {
    pub index: usize,
    pub criterion: &'a Criterion,
    pub row: RowData,
    /// Whether keyboard commands act on this row.
    pub selected: bool,
    pub lifted: bool,
    /// The text if the row rejects the better move of a reviewed position.
    pub rejects: Option<String>,
    /// Opacity of its effect, lower while that belongs to an earlier board.
    pub alpha: f32,
    /// The open strategies, for moving rows between them.
    pub doc: &'a Document,
}

/// Draws the card; returns its rectangle.
pub(super) fn ui(
    ui: &mut Ui,
    rows: &mut Rows,
    shown: &StackRow<'_>,
    commands: &mut Commands,
) -> Rect {
    let id = rows.ids[shown.index];
    let target = ui.cursor().top() - ui.min_rect().top();
    let place = ui.scope_id().with(("row", id));
    let seconds = theme::Motion::of(ui).row;
    let drawn = ui
        .ctx()
        .animate_value_with_time(place.with("top"), target, seconds);
    // The row slides to a new place among the others.
    let moved = egui::emath::TSTransform::from_translation(vec2(0.0, drawn - target));
    ui.push_id(("row", id), |ui| {
        if shown.lifted {
            ui.set_opacity(theme::DRAG_SOURCE_ALPHA);
        }
        ui.with_visual_transform(moved, |ui| card(ui, rows, shown, commands))
            .inner
    })
    .inner
}

fn card(ui: &mut Ui, rows: &mut Rows, shown: &StackRow<'_>, commands: &mut Commands) -> Rect {
    let theme = Theme::of(ui);
    let index = shown.index;
    let background = ui.painter().add(Shape::Noop);
    let outline = ui.painter().add(Shape::Noop);
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let (_, head) = ui.allocate_space(vec2(width, if width < BROAD { TALL } else { LOW }));
    // The id follows the row, so that a moved row keeps the focus.
    let response = ui.interact(head, ui.scope_id().with("head"), Sense::click_and_drag());
    let rejects = shown
        .rejects
        .as_ref()
        .map_or_else(String::new, |text| format!(". {text}"));
    let name = format!("Row {} {}{rejects}", index + 1, shown.criterion.label());
    response
        .widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), shown.selected, &name));
    interact(ui, &response, rows, shown);
    response.context_menu(|ui| menu_ui(ui, shown, commands));
    if ui.is_rect_visible(head) {
        paint_head(ui, head, &response, shown);
    }
    head_buttons(ui, head, rows, shown, commands);
    if let Some(text) = &shown.rejects {
        rejects_ui(ui, text);
    }

    let is_open = rows.is_open(rows.ids[index]);
    let mut state = egui::collapsing_header::CollapsingState::load_with_default_open(
        ui.ctx(),
        ui.scope_id().with("open"),
        false,
    );
    let unfolds = is_open && !state.is_open();
    state.set_open(is_open);
    let unfolds = unfolds || is_open && state.openness(ui.ctx()) < 1.0;
    state.show_body_unindented(ui, |ui| {
        let space = ui
            .available_rect_before_wrap()
            .with_min_x(
                head.left()
                    + if head.height() < TALL {
                        NAME - 22.0
                    } else {
                        NAME - 30.0
                    },
            )
            .with_max_x(head.right() - theme::SPACE_M);
        let inside = ui.scope_builder(UiBuilder::new().max_rect(space), |ui| {
            // Fields and sliders use arrow keys themselves, so they are not part of the list.
            focus::apart(ui);
            focus::leads_into(response.id, ui);
            part(ui, Role::Group, &format!("Settings of row {}", index + 1));
            ui.spacing_mut().item_spacing.y = theme::SPACE_M;
            ui.add_space(theme::SPACE_M);
            let (board, score) = (&shown.doc.board(), shown.doc.node().score);
            let on = settings::On {
                board,
                score,
                trial: &rows.trial,
                tasks: shown.doc.tasks(),
            };
            settings::ui(ui, index, shown.criterion, on, commands);
        });
        let used = inside.response.rect;
        ui.allocate_rect(
            Rect::from_min_max(used.min, used.max + vec2(0.0, theme::SPACE_M + 2.0)),
            Sense::hover(),
        );
    });

    let bottom = ui.min_rect().bottom().max(head.bottom());
    let card = Rect::from_min_max(head.min, pos2(head.right(), bottom));
    // Only the head of an unfolded row has the fill of the selection; its controls have that of a card.
    let mut fills = vec![Shape::rect_filled(card, theme::RADIUS_M, theme.bg2)];
    if shown.selected {
        let corner = if head.bottom() < bottom {
            0
        } else {
            theme::RADIUS_M
        };
        let corners = egui::CornerRadius {
            sw: corner,
            se: corner,
            ..egui::CornerRadius::same(theme::RADIUS_M)
        };
        fills.push(Shape::rect_filled(head, corners, theme.accent_bg));
    }
    ui.painter().set(background, Shape::Vec(fills));
    if unfolds {
        // Scrolls the whole unfolded row into view.
        ui.scroll_to_rect(card, None);
    }

    let stroke = match (&shown.row.problem, &shown.row.effect) {
        (Some(_), _) => Stroke::new(1.0, theme.error),
        (None, RowEffect::Asked { decides: true, .. }) => Stroke::new(2.0, theme.accent),
        _ if theme.high_contrast && shown.selected => Stroke::new(2.0, theme.accent),
        _ if response.hovered() => Stroke::new(1.0, theme.line),
        _ => Stroke::new(1.0, theme.sep),
    };
    ui.painter().set(
        outline,
        Shape::rect_stroke(card, theme::RADIUS_M, stroke, StrokeKind::Inside),
    );
    if response.has_focus() {
        focus_ring(ui, head.shrink(3.0));
    }
    card
}

/// The strip below the head of a row that rejects the better move.
fn rejects_ui(ui: &mut Ui, text: &str) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), STRIP), Sense::hover());
    ui.painter().rect_filled(
        rect.shrink2(vec2(1.0, 0.0)),
        0,
        theme.error.gamma_multiply(0.18),
    );
    let text = elided(
        ui.painter(),
        &format!("✗ {text}"),
        theme::strong_of(12.0),
        theme.error,
        rect.width() - 24.0,
    );
    let at = pos2(rect.left() + 14.0, rect.center().y - text.size().y / 2.0);
    ui.painter().galley(at, text, theme.error);
}

/// Handles selection, folding, dragging and keys.
fn interact(ui: &Ui, response: &Response, rows: &mut Rows, shown: &StackRow<'_>) {
    let index = shown.index;
    let id = rows.ids[index];
    if response.drag_started() {
        let doc = shown.doc;
        let what = RowDrag::Row {
            strategy: doc.current(),
            source: doc.strategy(),
            row: index,
        };
        DragAndDrop::set_payload(ui.ctx(), what);
    }

    let by_space = response.has_focus() && ui.input(|input| input.key_pressed(Key::Space));
    if response.clicked() && by_space {
        rows.drags = Some(index);
    } else if response.clicked() {
        // The first click selects, the next one folds, as Enter does.
        if rows.selected == Some(id) {
            rows.fold_or_unfold(id);
        }
        rows.selected = Some(id);
        response.request_focus();
    }
    if rows.focus == Some(id) {
        rows.focus = None;
        response.request_focus();
        response.scroll_to_me(None);
    }
    if response.gained_focus() {
        rows.selected = Some(id);
    }

    // The panel's focus enters at the selected row, or else at the first.
    if shown.selected || index == 0 && rows.selected().is_none() {
        focus::home(response, Panel::Strategy.area());
    }
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter {
        vertical_arrows: true,
        horizontal_arrows: true,
        ..EventFilter::default()
    };
    focus::own_keys(response, filter);
    focus::walks_itself(response);

    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (folds, unfolds) = (pressed(Key::ArrowLeft), pressed(Key::ArrowRight));
    if folds || unfolds {
        rows.set_open(id, unfolds);
    }
    let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
    if up && 0 < index {
        rows.select(index - 1);
    }
    if down {
        rows.select(index + 1);
    }
    if up || down {
        ui.ctx().request_repaint();
    }
}

struct Head<'a> {
    painter: &'a Painter,
    theme: &'static Theme,
    rect: Rect,
    left: f32,
    shown: &'a StackRow<'a>,
}

fn paint_head(ui: &Ui, rect: Rect, response: &Response, shown: &StackRow<'_>) {
    let (theme, painter) = (Theme::of(ui), ui.painter());
    let hot = response.hovered() || response.has_focus();
    Icon::Grip.paint(
        painter,
        pos2(rect.left() + 12.0, rect.center().y),
        if hot { theme.text1 } else { theme.text3 },
    );
    let at = pos2(rect.left() + 32.0, rect.center().y);
    painter.text(
        at,
        Align2::CENTER_CENTER,
        (shown.index + 1).to_string(),
        theme::strong(),
        theme.text3,
    );
    let head = Head {
        painter,
        theme,
        rect,
        left: rect.left() + NAME,
        shown,
    };
    if rect.height() < TALL {
        head.low();
    } else {
        head.tall();
    }
}

impl Head<'_> {
    /// Paints the name and the settings, cut at `right`. Returns their right ends.
    fn title(&self, right: f32) -> [f32; 2] {
        let Self {
            painter,
            theme,
            rect,
            left,
            shown: StackRow { criterion, row, .. },
        } = *self;
        let dim = criterion.off || row.effect == RowEffect::NotNeeded && row.over_games.is_none();
        let ink = if dim { theme.text2 } else { theme.text1 };
        let name = elided(
            painter,
            &criterion.label(),
            theme::strong(),
            ink,
            right - left,
        );
        let settings = elided(
            painter,
            &data::settings(criterion),
            theme::small(),
            theme.text2,
            right - left,
        );
        let ends = [left + name.size().x, left + settings.size().x];
        let corner = pos2(left, rect.top() + 5.0);
        if criterion.off {
            let y = corner.y + name.size().y / 2.0 + 1.0;
            painter.hline(left..=ends[0], y, Stroke::new(1.0, theme.text3));
        }
        painter.galley(corner, name, ink);
        painter.galley(pos2(left, rect.top() + 24.0), settings, theme.text2);
        ends
    }

    /// A problem of the row, or else a warning that it is redundant.
    fn remark(&self) -> Option<(String, Color32, bool)> {
        let row = &self.shown.row;
        if let Some(problem) = &row.problem {
            return Some((format!("✗ {problem}"), self.theme.error, false));
        }
        let earlier = row.repeats?;
        Some((
            format!("no effect: row {} already does this", earlier + 1),
            self.theme.warn,
            true,
        ))
    }

    /// The effect in words: over many games if known, else on this board.
    fn evidence(&self) -> (String, Color32, bool) {
        let (row, theme) = (&self.shown.row, self.theme);
        if self.shown.criterion.off {
            return ("off".to_owned(), theme.text3, false);
        }
        if let Some(over) = &row.over_games {
            return (
                over.text.clone(),
                if over.idle { theme.warn } else { theme.text2 },
                over.idle,
            );
        }
        let color = match &row.effect {
            RowEffect::Asked { decides, .. } => {
                if *decides {
                    theme.accent
                } else {
                    theme.text1
                }
            }
            RowEffect::Unknown | RowEffect::NotNeeded => theme.text3,
        };
        (row.effect.text(), color, false)
    }

    /// Paints text that ends at `right`, after a warning triangle if it warns. Returns its left end.
    fn right_text(&self, text: &str, color: Color32, warns: bool, right: f32, middle: f32) -> f32 {
        let room = right - self.left - 120.0;
        let galley = elided(self.painter, text, theme::small(), color, room);
        let at = pos2(right - galley.size().x, middle - galley.size().y / 2.0);
        self.painter.galley(at, galley, color);
        if !warns {
            return at.x;
        }
        Icon::Warning.paint(self.painter, pos2(at.x - 12.0, middle), color);
        at.x - 20.0
    }

    /// A painter that is dimmed while results belong to an earlier board.
    fn faded(&self) -> Painter {
        let mut painter = self.painter.clone();
        painter.multiply_opacity(self.shown.alpha);
        painter
    }

    /// A row in two lines, with its effect at the right.
    fn low(&self) {
        let Self {
            rect,
            theme,
            shown: StackRow { row, criterion, .. },
            ..
        } = *self;
        let right = rect.right() - 2.0 * theme::HIT - theme::SPACE_M - theme::SPACE_S;
        let middle = rect.center().y;
        let (text, color, warns) = self.remark().unwrap_or_else(|| self.evidence());
        let faded = self.faded();
        let painter = if row.over_games.is_none() {
            &faded
        } else {
            self.painter
        };
        let mut end = Head { painter, ..*self }.right_text(&text, color, warns, right, middle);
        if row.problem.is_none() && !criterion.off && WIDE <= rect.width() {
            // The arrows form one column, whatever the length of the text.
            let slots = Rect::from_min_size(
                pos2(end.min(right - WORDS) - 92.0, middle - 8.0),
                vec2(80.0, 16.0),
            );
            paint_fates(&faded, theme, slots, &row.effect);
            end = slots.left();
        }
        let ends = self.title(end - theme::SPACE_M);
        // Nodes and time come after the name if there is room.
        let search = faded.layout_no_wrap(row.search.clone(), theme::small(), theme.text3);
        if !row.search.is_empty() && ends[0] + theme::SPACE_L + search.size().x < end {
            faded.galley(
                pos2(ends[0] + theme::SPACE_M, rect.top() + 8.0),
                search,
                theme.text3,
            );
        }
    }

    /// A row with a third line for its effect.
    fn tall(&self) {
        let Self {
            rect,
            theme,
            left,
            shown: StackRow { row, criterion, .. },
            ..
        } = *self;
        let upper = rect.right() - 2.0 * theme::HIT - theme::SPACE_M;
        let ends = self.title(upper);
        let faded = self.faded();
        // Beside the name if there is room, else beside the settings. A number is never cut.
        let search = faded.layout_no_wrap(row.search.clone(), theme::small(), theme.text3);
        let at = upper - search.size().x;
        let free = ends
            .into_iter()
            .zip([8.0, 24.0])
            .find(|(end, _)| end + theme::SPACE_M < at);
        if let Some((_, top)) = free {
            faded.galley(pos2(at, rect.top() + top), search, theme.text3);
        }

        let line = rect.top() + 41.0;
        let right = rect.right() - theme::SPACE_M;
        let slots = Rect::from_min_max(pos2(right - 80.0, line - 1.0), pos2(right, line + 15.0));
        let alone = row.problem.is_some();
        if !alone && !criterion.off {
            paint_fates(&faded, theme, slots, &row.effect);
        }

        let (words, color, warns) = self.remark().unwrap_or_else(|| self.evidence());
        let end = if alone {
            right
        } else {
            slots.left() - theme::SPACE_S
        };
        let shift = if warns { 18.0 } else { 0.0 };
        if warns {
            Icon::Warning.paint(self.painter, pos2(left + 7.0, line + 7.0), color);
        }
        let painter = if row.over_games.is_some() || warns || alone {
            self.painter
        } else {
            &faded
        };
        let words = elided(painter, &words, theme::small(), color, end - left - shift);
        painter.galley(pos2(left + shift, line), words, color);
    }
}

/// The fate of each move: an arrow, struck out if the move was rejected.
fn paint_fates(painter: &Painter, theme: &Theme, slots: Rect, evidence: &RowEffect) {
    let RowEffect::Asked { fates, .. } = evidence else {
        return paint_hatch(painter, slots, theme.sep);
    };
    for (index, mv) in Move::ALL.into_iter().enumerate() {
        let center = pos2(slots.left() + 10.0 + 20.0 * index as f32, slots.center().y);
        let (font, color) = match fates[mv] {
            MoveFate::Absent => {
                painter.circle_filled(center, 1.5, theme.sep);
                continue;
            }
            MoveFate::Kept => (theme::strong(), theme.text1),
            MoveFate::Fell => (theme::body(), theme.text3),
        };
        painter.text(center, Align2::CENTER_CENTER, mv.arrow(), font, color);
        if fates[mv] == MoveFate::Fell {
            let stroke = Stroke::new(1.0, theme.error);
            painter.line_segment([center + vec2(-6.0, 4.0), center + vec2(6.0, -4.0)], stroke);
        }
    }
}

fn head_buttons(
    ui: &mut Ui,
    head: Rect,
    rows: &mut Rows,
    shown: &StackRow<'_>,
    commands: &mut Commands,
) {
    let (index, number) = (shown.index, shown.index + 1);
    let inset = if head.height() < TALL {
        (head.height() - theme::HIT) / 2.0
    } else {
        theme::SPACE_S
    };
    let corner = pos2(head.right() - theme::SPACE_S, head.top() + inset);
    let space = Rect::from_two_pos(corner, corner + vec2(-2.0 * theme::HIT, theme::HIT));
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut inside = ui.new_child(
        UiBuilder::new()
            .id_salt("head")
            .max_rect(space)
            .layout(layout),
    );
    inside.spacing_mut().item_spacing.x = 0.0;
    let button = icon_button(
        &mut inside,
        Icon::Menu,
        &format!("Menu of row {number}"),
        "",
    );
    Popup::menu(&button).show(|ui| menu_ui(ui, shown, commands));
    let id = rows.ids[index];
    let (icon, words) = if rows.is_open(id) {
        (Icon::ChevronDown, "Fold")
    } else {
        (Icon::ChevronRight, "Unfold")
    };
    if icon_button(&mut inside, icon, &format!("{words} row {number}"), "").clicked() {
        rows.fold_or_unfold(id);
    }

    // A tooltip over the effect: values, nodes, and how the row searches.
    let (low, right) = (
        head.height() < TALL,
        head.right() - 2.0 * theme::HIT - theme::SPACE_M,
    );
    let evidence = if low {
        Rect::from_min_max(pos2(right - 200.0, head.top()), pos2(right, head.bottom()))
    } else {
        head.with_min_y(head.bottom() - 24.0)
            .with_min_x(head.right() - 92.0)
    };
    let here = if low {
        shown.row.effect.text()
    } else {
        String::new()
    };
    let mut lines = vec![here, shown.row.values.clone(), shown.row.search.clone()];
    lines.extend(lookahead_notes(&shown.criterion.lookahead));
    lines.retain(|line| !line.is_empty() && line != "–");
    if !lines.is_empty() {
        let hover = inside.interact(evidence, inside.scope_id().with("evidence"), Sense::hover());
        hover.on_hover_text(lines.join("\n"));
    }
}

fn menu_ui(ui: &mut Ui, shown: &StackRow<'_>, commands: &mut Commands) {
    let (index, criterion, strategy) = (shown.index, shown.criterion, shown.doc.strategy());
    ui.set_min_width(180.0);
    let mut entry = |ui: &mut Ui,
                     text: &str,
                     key: Option<SelectionCommand>,
                     request: Result<StrategyCommand, &str>| {
        let keys = key.and_then(|key| Command::from(key).keys());
        if menu_entry(
            ui,
            text,
            keys.as_deref(),
            request.as_ref().map(|_| ()).map_err(|reason| *reason),
        ) {
            request
                .into_iter()
                .for_each(|command| commands.push(command));
        }
    };

    let moved = |to: usize| Ok(StrategyEdit::MoveRow { from: index, to }.into());
    let up = if 0 < index {
        moved(index - 1)
    } else {
        Err("It is the first row")
    };
    let down = if index + 1 < strategy.criteria.len() {
        moved(index + 2)
    } else {
        Err("It is the last row")
    };
    let copy = StrategyEdit::AddRow {
        at: index + 1,
        criterion: criterion.clone(),
    };
    entry(ui, "Move up", Some(SelectionCommand::RowUp), up);
    entry(ui, "Move down", Some(SelectionCommand::RowDown), down);
    entry(
        ui,
        "Duplicate row",
        None,
        copy.check(&strategy).map(|()| copy.into()),
    );
    let switched = Criterion {
        off: !criterion.off,
        ..criterion.clone()
    };
    let words = if criterion.off {
        "Switch on"
    } else {
        "Switch off"
    };
    entry(
        ui,
        words,
        None,
        Ok(StrategyCommand::set_row(index, switched, false)),
    );

    let current = shown.doc.current();
    let others = shown
        .doc
        .strategies()
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != current)
        .take(MOST_OTHERS);
    for (verb, copies) in [("Move", false), ("Copy", true)] {
        for (other, strategy) in others.clone() {
            let transfer = RowTransfer {
                from: (current, index),
                to: (other, strategy.criteria.len()),
                copies,
            };
            let request = strategy
                .room_for_a_row()
                .map(|()| StrategyCommand::TransferRow(transfer));
            entry(
                ui,
                &format!("{verb} to {}", strategy.label()),
                None,
                request,
            );
        }
    }
    ui.separator();
    entry(
        ui,
        "Remove row",
        Some(SelectionCommand::RemoveRow),
        Ok(StrategyEdit::RemoveRow(index).into()),
    );
    ui.separator();
    submenu(ui, "Sweep", |ui| {
        settings_ui(ui, &strategy, index, commands, false);
    });
    submenu(ui, "Tune", |ui| {
        settings_ui(ui, &strategy, index, commands, true);
    });
}

/// The numbers of a row, for a sweep or for tuning.
fn settings_ui(ui: &mut Ui, strategy: &Strategy, row: usize, commands: &mut Commands, tunes: bool) {
    let path = format!("criteria[{row}].");
    ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
        let fits =
            |setting: &Setting| setting.path.starts_with(&path) && !(tunes && setting.is_whole);
        for setting in strategy.settings().into_iter().filter(fits) {
            if menu_entry(
                ui,
                &format!("{}…", words::capitalised(&setting.name)),
                None,
                Ok(()),
            ) {
                let command = if tunes {
                    ExperimentCommand::TuneOver
                } else {
                    ExperimentCommand::Sweep
                };
                commands.push(command(setting.path));
            }
        }
        // Not a number of the row, but it changes the value of every row.
        if !tunes
            && menu_entry(
                ui,
                &format!("{}…", words::capitalised(CHANCE_OF_A_4)),
                None,
                Ok(()),
            )
        {
            commands.push(ExperimentCommand::Sweep(CHANCE_OF_A_4.to_owned()));
        }
    });
}
