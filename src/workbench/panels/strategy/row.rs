//! One row of the stack: a card that says what it does, and unfolds to change it.

use egui::{
    Align2, DragAndDrop, DragValue, EventFilter, Key, Modifiers, Popup, Rect, Response, RichText, Role, Sense, Shape,
    Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::data::{Evidence, Fate, RowData, fitting, lookahead_notes, named, terms};
use super::dragging::Dragged;
use crate::evaluator::{Evaluator, Weights};
use crate::game::{Move, Size};
use crate::search::{Cut, Lookahead, Plies};
use crate::strategy::{Criterion, Prefer};
use crate::words;
use crate::workbench::command::{Command, Commands};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::panels::building::Rows;
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{Button, drop_down, focus_ring, paint_hatch, segmented};

/// Height of a folded row.
pub const HEAD: f32 = 62.0;
/// Where the name begins.
pub const NAME: f32 = 46.0;
/// Width of the labels of an unfolded row.
const LABEL: f32 = 76.0;

/// A row and how it is shown now.
pub struct Shown<'a> {
    /// Its place, from 0.
    pub index: usize,
    /// How many rows there are.
    pub count: usize,
    /// The row itself.
    pub criterion: &'a Criterion,
    /// Its words.
    pub row: &'a RowData,
    /// Whether keys refer to it.
    pub selected: bool,
    /// Whether the pointer carries it.
    pub lifted: bool,
    /// How much of what it did is seen: less while that is of a board before.
    pub alpha: f32,
    /// Of the board on screen.
    pub size: Size,
}

/// Draws the card; returns its rectangle.
pub fn ui(ui: &mut Ui, rows: &mut Rows, shown: &Shown<'_>, commands: &mut Commands) -> Rect {
    let uid = rows.views[shown.index].uid;
    let target = ui.cursor().top() - ui.min_rect().top();
    let id = ui.scope_id().with(("row", uid));
    let seconds = theme::Motion::of(ui).row;
    let drawn = ui.ctx().animate_value_with_time(id.with("top"), target, seconds);
    // Only what moves past others slides; what unfolds above is not followed late.
    let moved = egui::emath::TSTransform::from_translation(vec2(0.0, drawn - target));
    ui.push_id(("row", uid), |ui| {
        if shown.lifted {
            ui.set_opacity(theme::DRAG_SOURCE_ALPHA);
        }
        ui.with_visual_transform(moved, |ui| card(ui, rows, shown, commands)).inner
    })
    .inner
}

fn card(ui: &mut Ui, rows: &mut Rows, shown: &Shown<'_>, commands: &mut Commands) -> Rect {
    let theme = Theme::of(ui);
    let index = shown.index;
    let background = ui.painter().add(Shape::Noop);
    let outline = ui.painter().add(Shape::Noop);
    ui.spacing_mut().item_spacing.y = 0.0;
    let (head, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD), Sense::click_and_drag());
    let name = format!("Row {} {}", index + 1, shown.row.name);
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), shown.selected, &name));
    interact(ui, &response, rows, shown);
    if ui.is_rect_visible(head) {
        paint_head(ui, head, &response, shown);
    }
    head_buttons(ui, head, rows, shown, commands);

    let view = rows.views[index];
    let mut state =
        egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), ui.scope_id().with("open"), false);
    let unfolds = view.open && !state.is_open();
    state.set_open(view.open);
    let unfolds = unfolds || view.open && state.openness(ui.ctx()) < 1.0;
    state.show_body_unindented(ui, |ui| {
        let space = ui
            .available_rect_before_wrap()
            .with_min_x(head.left() + NAME - 30.0)
            .with_max_x(head.right() - theme::SPACE_M);
        let inside = ui.scope_builder(UiBuilder::new().max_rect(space), |ui| {
            ui.spacing_mut().item_spacing.y = theme::SPACE_M;
            ui.add_space(theme::SPACE_M);
            settings_ui(ui, shown, commands);
        });
        let used = inside.response.rect;
        ui.allocate_rect(Rect::from_min_max(used.min, used.max + vec2(0.0, theme::SPACE_M + 2.0)), Sense::hover());
    });
    let bottom = ui.min_rect().bottom().max(head.bottom());
    let card = Rect::from_min_max(head.min, pos2(head.right(), bottom));
    // Only the head of an unfolded row is filled: its controls stand on the surface of a card.
    let mut fills = vec![Shape::rect_filled(card, theme::RADIUS_M, theme.bg2)];
    if shown.selected {
        let corner = if head.bottom() < bottom { 0 } else { theme::RADIUS_M };
        let corners = egui::CornerRadius { sw: corner, se: corner, ..egui::CornerRadius::same(theme::RADIUS_M) };
        fills.push(Shape::rect_filled(head, corners, theme.accent_bg));
    }
    ui.painter().set(background, Shape::Vec(fills));
    if unfolds {
        // What was asked for is seen whole.
        ui.scroll_to_rect(card, None);
    }
    let stroke = match (&shown.row.problem, &shown.row.evidence) {
        (Some(_), _) => Stroke::new(1.0, theme.error),
        (None, Evidence::Decided(_)) => Stroke::new(2.0, theme.accent),
        _ if response.hovered() => Stroke::new(1.0, theme.line),
        _ => Stroke::new(1.0, theme.sep),
    };
    ui.painter().set(outline, Shape::rect_stroke(card, theme::RADIUS_M, stroke, StrokeKind::Inside));
    if response.has_focus() {
        focus_ring(ui, head.shrink(3.0));
    }
    card
}

/// Selecting, folding, dragging and moving by key.
fn interact(ui: &Ui, response: &Response, rows: &mut Rows, shown: &Shown<'_>) {
    let index = shown.index;
    let view = rows.views[index];
    if response.drag_started() {
        DragAndDrop::set_payload(ui.ctx(), Dragged::Row { uid: view.uid, index });
    }
    if response.clicked() {
        // The first click selects, the next one folds, as does Enter.
        if rows.selected == Some(view.uid) {
            rows.views[index].open ^= true;
        }
        rows.selected = Some(view.uid);
        response.request_focus();
    }
    if rows.focus == Some(view.uid) {
        rows.focus = None;
        response.request_focus();
        response.scroll_to_me(None);
    }
    if response.gained_focus() {
        rows.selected = Some(view.uid);
    }
    if response.has_focus() {
        // Otherwise egui takes the arrows and Escape for itself.
        let filter = EventFilter { vertical_arrows: true, escape: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let (up, down, escape) = ui.input_mut(|input| {
            (
                input.consume_key(Modifiers::NONE, Key::ArrowUp),
                input.consume_key(Modifiers::NONE, Key::ArrowDown),
                input.key_pressed(Key::Escape),
            )
        });
        if up && 0 < index {
            rows.select(index - 1);
        }
        if down && index + 1 < shown.count {
            rows.select(index + 1);
        }
        if up || down {
            ui.ctx().request_repaint();
        }
        if escape {
            response.surrender_focus();
        }
    }
}

fn paint_head(ui: &Ui, head: Rect, response: &Response, shown: &Shown<'_>) {
    let theme = Theme::of(ui);
    let painter = ui.painter();
    let row = shown.row;
    let hot = response.hovered() || response.has_focus();
    Icon::Grip.paint(painter, pos2(head.left() + 12.0, head.center().y), if hot { theme.text1 } else { theme.text3 });
    let number = (shown.index + 1).to_string();
    painter.text(
        pos2(head.left() + 32.0, head.center().y),
        Align2::CENTER_CENTER,
        number,
        theme::strong(),
        theme.text3,
    );
    let left = head.left() + NAME;
    let upper = head.right() - 2.0 * theme::HIT - theme::SPACE_M;
    let text = |text: &str, font, color, right: f32| {
        let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width((right - left).max(1.0));
        painter.layout_job(job)
    };
    let needed = row.evidence != Evidence::NotNeeded;
    let ink = if needed { theme.text1 } else { theme.text2 };
    let name = text(&row.name, theme::strong(), ink, upper);
    let beside_name = left + name.size().x;
    painter.galley(pos2(left, head.top() + 6.0), name, ink);
    let settings = text(&row.settings, theme::small(), theme.text2, upper);
    let beside = left + settings.size().x;
    painter.galley(pos2(left, head.top() + 25.0), settings, theme.text2);
    let mut faded = painter.clone();
    faded.multiply_opacity(shown.alpha);
    // Beside the name if there is room, else beside the settings; a number is shown whole or not at all.
    let search = painter.layout_no_wrap(row.search.clone(), theme::small(), theme.text3);
    let at = upper - search.size().x;
    if beside_name + theme::SPACE_M < at {
        faded.galley(pos2(at, head.top() + 9.0), search, theme.text3);
    } else if beside + theme::SPACE_M < at {
        faded.galley(pos2(at, head.top() + 25.0), search, theme.text3);
    }

    let line = head.top() + 41.0;
    let right = head.right() - theme::SPACE_M;
    if let Some(problem) = &row.problem {
        let words = text(&format!("✗ {problem}"), theme::small(), theme.error, right);
        painter.galley(pos2(left, line), words, theme.error);
        return;
    }
    if let Some(earlier) = row.repeats {
        let middle = pos2(left + 7.0, line + 7.0);
        Icon::Warning.paint(painter, middle, theme.warn);
        let words = format!("separates nothing: row {} did it", earlier + 1);
        painter.text(pos2(left + 18.0, line), Align2::LEFT_TOP, words, theme::small(), theme.warn);
        return;
    }
    let color = match &row.evidence {
        Evidence::Decided(_) => theme.accent,
        Evidence::Kept(_) => theme.text1,
        Evidence::NotNeeded | Evidence::Unknown => theme.text3,
    };
    let painter = &faded;
    let slots = Rect::from_min_max(pos2(right - 80.0, line - 1.0), pos2(right, line + 15.0));
    let words = text(&row.evidence.text(), theme::small(), color, slots.left() - theme::SPACE_S);
    painter.galley(pos2(left, line), words, color);
    match row.evidence.fates() {
        None => paint_hatch(painter, slots, theme.sep),
        Some(fates) => {
            for (index, mv) in Move::ALL.into_iter().enumerate() {
                let center = pos2(slots.left() + 10.0 + 20.0 * index as f32, slots.center().y);
                match fates[mv] {
                    Fate::Absent => {
                        painter.circle_filled(center, 1.5, theme.sep);
                    }
                    fate => {
                        let kept = fate == Fate::Kept;
                        let (font, color) =
                            if kept { (theme::strong(), theme.text1) } else { (theme::body(), theme.text3) };
                        painter.text(center, Align2::CENTER_CENTER, mv.arrow(), font, color);
                        if !kept {
                            let stroke = Stroke::new(1.0, theme.error);
                            painter.line_segment([center + vec2(-6.0, 4.0), center + vec2(6.0, -4.0)], stroke);
                        }
                    }
                }
            }
        }
    }
}

fn head_buttons(ui: &mut Ui, head: Rect, rows: &mut Rows, shown: &Shown<'_>, commands: &mut Commands) {
    let (index, number) = (shown.index, shown.index + 1);
    let corner = pos2(head.right() - theme::SPACE_S, head.top() + theme::SPACE_S);
    let space = Rect::from_two_pos(corner, corner + vec2(-2.0 * theme::HIT, theme::HIT));
    let layout = egui::Layout::right_to_left(egui::Align::Center);
    let mut inside = ui.new_child(UiBuilder::new().id_salt("head").max_rect(space).layout(layout));
    inside.spacing_mut().item_spacing.x = 0.0;
    let button = icon_button(&mut inside, Icon::Menu, &format!("Menu of row {number}"), "");
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(180.0);
        let mut entry = |ui: &mut Ui, text: &str, keys: Option<String>, wish: Result<Command, &str>| {
            let mut item = egui::Button::new(text);
            if let Some(keys) = keys {
                item = item.shortcut_text(keys);
            }
            let response = ui.add_enabled(wish.is_ok(), item);
            match wish {
                Ok(command) if response.clicked() => {
                    commands.push(command);
                    ui.close();
                }
                Ok(_) => {}
                Err(reason) => {
                    response.on_disabled_hover_text(reason);
                }
            }
        };
        let up =
            if 0 < index { Ok(Command::MoveRow { from: index, to: index - 1 }) } else { Err("It is the first row") };
        let last = index + 1 == shown.count;
        let down = if last { Err("It is the last row") } else { Ok(Command::MoveRow { from: index, to: index + 2 }) };
        let copy = super::most_rows(shown.count)
            .map(|()| Command::AddRow { at: index + 1, criterion: shown.criterion.clone() });
        entry(ui, "Move up", Command::RowUp.keys(), up);
        entry(ui, "Move down", Command::RowDown.keys(), down);
        entry(ui, "Duplicate row", None, copy);
        ui.separator();
        entry(ui, "Remove row", Command::RemoveSelectedRow.keys(), Ok(Command::RemoveRow(index)));
    });
    let view = &mut rows.views[index];
    let (icon, words) = if view.open { (Icon::ChevronDown, "Fold") } else { (Icon::ChevronRight, "Unfold") };
    if icon_button(&mut inside, icon, &format!("{words} row {number}"), "").clicked() {
        view.open ^= true;
    }
    // Over everything but the buttons: what the row saw.
    if !shown.row.values.is_empty() {
        let evidence = head.with_min_y(head.bottom() - 24.0).with_min_x(head.right() - 92.0);
        let hover = inside.interact(evidence, inside.scope_id().with("evidence"), Sense::hover());
        let search = &shown.row.search;
        let lines = [shown.row.values.as_str(), search.as_str()];
        hover.on_hover_text(lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"));
    }
}

/// Asks for a change of the row while it is being made, and for its end.
fn change(shown: &Shown<'_>, commands: &mut Commands, criterion: Criterion, ongoing: bool) {
    commands.push(Command::SetRow { row: shown.index, criterion, ongoing });
}

fn labelled(ui: &mut Ui, label: &str, content: impl FnOnce(&mut Ui)) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL, theme::CONTROL), Sense::hover());
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, label, theme::body(), theme.text3);
        content(ui);
    });
}

fn settings_ui(ui: &mut Ui, shown: &Shown<'_>, commands: &mut Commands) {
    let criterion = shown.criterion;
    labelled(ui, "Evaluator", |ui| {
        if let Some(evaluator) = kinds(ui, "Evaluator", &criterion.evaluator, Evaluator::palette(), shown.size) {
            change(shown, commands, Criterion { evaluator, ..criterion.clone() }, false);
        }
        about(ui, criterion.evaluator.about());
    });
    match &criterion.evaluator {
        Evaluator::Sum(terms) => sum_ui(ui, shown, terms, commands),
        Evaluator::Weights(weights) => weights_ui(ui, shown, weights, commands),
        _ => {}
    }
    labelled(ui, "Lookahead", |ui| {
        if let Some(lookahead) = lookahead_kinds(ui, &criterion.lookahead) {
            change(shown, commands, Criterion { lookahead, ..criterion.clone() }, false);
        }
    });
    if criterion.lookahead.plies().is_some() {
        labelled(ui, "Depth", |ui| match criterion.lookahead.plies() {
            Some(&Plies::Fixed(mut plies)) if !criterion.lookahead.deepens() => {
                let drag = DragValue::new(&mut plies).range(1..=Plies::DEEPEST).speed(0.03).suffix(" plies");
                let response = ui.add_sized(vec2(76.0, theme::CONTROL), drag).accessible_name("Plies");
                let response =
                    response.on_hover_text("A ply is a slide or a spawn; one more takes some ten times as long");
                if let Some(ongoing) = number_change(&response) {
                    let lookahead = criterion.lookahead.with_plies(plies);
                    change(shown, commands, Criterion { lookahead, ..criterion.clone() }, ongoing);
                }
                about(ui, &criterion.depth_text());
            }
            _ => {
                ui.add(egui::Label::new(criterion.depth_text()).truncate());
            }
        });
        for note in lookahead_notes(&criterion.lookahead) {
            labelled(ui, "", |ui| about(ui, &note));
        }
    }
    labelled(ui, "Prefer", |ui| {
        let mut prefer = criterion.prefer;
        if segmented(ui, "Prefer", &mut prefer, &[(Prefer::Higher, "Higher"), (Prefer::Lower, "Lower")]).changed() {
            change(shown, commands, Criterion { prefer, ..criterion.clone() }, false);
        }
    });
    labelled(ui, "Tolerance ε", |ui| {
        let mut tolerance = criterion.tolerance;
        let drag = DragValue::new(&mut tolerance).range(0.0..=1e12).speed(0.1).max_decimals(6);
        let response = ui.add_sized(vec2(76.0, theme::CONTROL), drag).accessible_name("Tolerance");
        let response = response.on_hover_text("How far from the best a value may lie and still be kept");
        if let Some(ongoing) = number_change(&response) {
            change(shown, commands, Criterion { tolerance, ..criterion.clone() }, ongoing);
        }
        about(ui, "kept if this close to the best");
    });
}

/// Whether a number changed: `Some(true)` while a drag or typing goes on, `Some(false)` at its end.
fn number_change(response: &Response) -> Option<bool> {
    let ends = response.drag_stopped() || response.lost_focus();
    let goes_on = !ends && (response.dragged() || response.has_focus());
    (response.changed() || ends).then_some(goes_on)
}

fn about(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).text3;
    ui.add(egui::Label::new(RichText::new(text).small().color(color)).truncate());
}

/// A drop-down of what looks ahead; depth and cuts stay as far as they make sense.
fn lookahead_kinds(ui: &mut Ui, now: &Lookahead) -> Option<Lookahead> {
    let mut chosen = None;
    let has_bounds = now.cuts().contains(&Cut::AlphaBeta);
    let text = match now {
        Lookahead::OnePly => "One ply",
        _ if has_bounds => "Alpha-beta",
        _ => now.name(),
    };
    let combo = drop_down("Lookahead", text.to_owned(), 118.0).show_ui(ui, |ui| {
        let averages = || match now {
            Lookahead::Expectimax(_) => now.clone(),
            Lookahead::OnePly | Lookahead::Minimax(_) => now.twin(),
        };
        let bounded = || match now {
            Lookahead::Minimax(_) if has_bounds => now.clone(),
            Lookahead::Minimax(_) => now.twin().twin(),
            Lookahead::OnePly | Lookahead::Expectimax(_) => averages().twin(),
        };
        let unbounded = || match bounded() {
            Lookahead::Minimax(mut search) => {
                search.cuts.retain(|cut| *cut != Cut::AlphaBeta);
                Lookahead::Minimax(search)
            }
            other => other,
        };
        let kinds: [(&str, &str, &dyn Fn() -> Lookahead); 4] = [
            ("One ply", "The board after the slide itself", &|| Lookahead::OnePly),
            ("Expectimax", "Spawns are averaged by their probabilities", &averages),
            ("Minimax", "The worst spawn counts", &unbounded),
            ("Alpha-beta", "Minimax without what cannot change the choice", &bounded),
        ];
        for (text, about, lookahead) in kinds {
            let lookahead = lookahead();
            if ui.selectable_label(lookahead == *now, text).on_hover_text(about).clicked() && lookahead != *now {
                chosen = Some(lookahead);
            }
        }
    });
    combo.response.accessible_name("Lookahead").on_hover_text("How the evaluator becomes a value of each move");
    chosen
}

/// A drop-down of evaluators.
fn kinds(ui: &mut Ui, name: &str, now: &Evaluator, all: Vec<Evaluator>, size: Size) -> Option<Evaluator> {
    let mut chosen = None;
    let selected = |evaluator: &Evaluator| match now {
        Evaluator::Sum(_) => matches!(evaluator, Evaluator::Sum(_)),
        _ if name == "Evaluator" => evaluator.name() == now.name(),
        _ => evaluator.label() == now.label(),
    };
    let text =
        if matches!(now, Evaluator::Sum(_)) || name == "Evaluator" { now.name().to_owned() } else { now.label() };
    // Room for the cross of a term.
    let width = (ui.available_width() - 40.0).clamp(60.0, 118.0);
    let combo = drop_down(name, text, width).truncate().show_ui(ui, |ui| {
        for evaluator in all {
            let text = if name == "Evaluator" { evaluator.name().to_owned() } else { evaluator.label() };
            let on = selected(&evaluator);
            if ui.selectable_label(on, text).on_hover_text(evaluator.about()).clicked() && !on {
                chosen = Some(fitting(&evaluator, size));
            }
        }
    });
    let _ = combo.response.accessible_name(name);
    chosen
}

fn sum_ui(ui: &mut Ui, shown: &Shown<'_>, now: &[(f64, Evaluator)], commands: &mut Commands) {
    let with = |terms: Vec<(f64, Evaluator)>| Criterion { evaluator: Evaluator::Sum(terms), ..shown.criterion.clone() };
    for (index, (weight, evaluator)) in now.iter().enumerate() {
        let number = index + 1;
        labelled(ui, if index == 0 { "Terms" } else { "" }, |ui| {
            ui.push_id(index, |ui| {
                let mut value = *weight;
                let speed = (value.abs() * 0.01).max(0.1);
                let drag = DragValue::new(&mut value).speed(speed).range(-1e12..=1e12).max_decimals(6);
                let response = ui.add_sized(vec2(52.0, theme::CONTROL), drag);
                let response = response.accessible_name(format!("Weight of term {number}"));
                if let Some(ongoing) = number_change(&response) {
                    let mut terms = now.to_vec();
                    terms[index].0 = value;
                    change(shown, commands, with(terms), ongoing);
                }
                ui.label(RichText::new("×").color(Theme::of(ui).text3));
                if let Some(other) = kinds(ui, &format!("Term {number}"), evaluator, terms(shown.size), shown.size) {
                    let mut terms = now.to_vec();
                    terms[index].1 = other;
                    change(shown, commands, with(terms), false);
                }
                let enabled = 1 < now.len();
                let reason = if enabled { "" } else { "A sum needs a term: remove the row instead" };
                let cross = ui
                    .add_enabled_ui(enabled, |ui| {
                        icon_button(ui, Icon::Close, &format!("Remove term {number}"), reason)
                    })
                    .inner;
                if cross.clicked() {
                    let mut terms = now.to_vec();
                    terms.remove(index);
                    change(shown, commands, with(terms), false);
                }
            });
        });
    }
    labelled(ui, "", |ui| {
        if ui.add(Button::new("Add term").icon(Icon::Plus).small()).clicked() {
            let unused = terms(shown.size).into_iter().find(|term| now.iter().all(|(_, old)| old != term));
            let mut terms = now.to_vec();
            terms.push((1.0, unused.unwrap_or(Evaluator::Empty)));
            change(shown, commands, with(terms), false);
        }
    });
}

fn weights_ui(ui: &mut Ui, shown: &Shown<'_>, now: &Weights, commands: &mut Commands) {
    let size = shown.size;
    let with = |weights: Weights| Criterion { evaluator: Evaluator::Weights(weights), ..shown.criterion.clone() };
    let presets: Vec<(usize, Weights)> =
        [Weights::A, Weights::B, Weights::C].into_iter().enumerate().filter(|(_, w)| w.check(size).is_ok()).collect();
    let fits = now.values().len() == size.cells();
    labelled(ui, "Weights", |ui| {
        let mut choice = presets.iter().find(|(_, preset)| preset == now).map(|&(index, _)| index);
        let names = ["a", "b", "c"];
        let mut choices: Vec<(Option<usize>, &str)> =
            presets.iter().map(|&(index, _)| (Some(index), names[index])).collect();
        if !fits || choices.is_empty() || choice.is_none() {
            choices.push((None, "own"));
        }
        if 1 < choices.len() && segmented(ui, "Weights preset", &mut choice, &choices).changed() {
            if let Some((_, preset)) = presets.iter().find(|(index, _)| Some(*index) == choice) {
                change(shown, commands, with(preset.clone()), false);
            }
        } else if choices.len() == 1 {
            about(ui, "presets are for 4 × 4");
        }
    });
    if !fits {
        labelled(ui, "", |ui| about(ui, "these weights are for a board of another size"));
        return;
    }
    labelled(ui, "", |ui| {
        let cell = ((ui.available_width() - 3.0 * (size.cols() as f32 - 1.0)) / size.cols() as f32).clamp(34.0, 64.0);
        matrix(
            ui,
            shown,
            now.values(),
            vec2(cell.floor(), 28.0),
            |values, ongoing, commands| {
                change(shown, commands, with(named(values)), ongoing);
            },
            commands,
        );
    });
}

fn matrix(
    ui: &mut Ui,
    shown: &Shown<'_>,
    values: &[f64],
    cell: egui::Vec2,
    mut edit: impl FnMut(Vec<f64>, bool, &mut Commands),
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    // Weights that double from cell to cell are told apart on a logarithmic scale.
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let level = |value: f64| ((1.0 + value.abs()).ln() / (1.0 + largest).ln().max(1e-9)) as f32;
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        for (row, line) in values.chunks(shown.size.cols()).enumerate() {
            ui.horizontal(|ui| {
                for (col, weight) in line.iter().enumerate() {
                    let mut value = *weight;
                    let fill = theme.sequential(level(value));
                    let ink = theme::text_on(fill);
                    let visuals = &mut ui.visuals_mut().widgets;
                    for state in [&mut visuals.inactive, &mut visuals.hovered, &mut visuals.active] {
                        (state.weak_bg_fill, state.bg_fill) = (fill, fill);
                        state.fg_stroke.color = ink;
                    }
                    visuals.inactive.bg_stroke = Stroke::NONE;
                    ui.spacing_mut().button_padding.x = 2.0;
                    let speed = (value.abs() * 0.02).max(0.1);
                    let drag = DragValue::new(&mut value)
                        .speed(speed)
                        .range(-1e12..=1e12)
                        .custom_formatter(|value, _| words::decimals_short((value * 1e3).round() / 1e3));
                    let response = ui.add_sized(cell, drag);
                    let response = response.accessible_name(format!("Weight row {} column {}", row + 1, col + 1));
                    if let Some(ongoing) = number_change(&response) {
                        let mut values = values.to_vec();
                        values[row * shown.size.cols() + col] = value;
                        edit(values, ongoing, commands);
                    }
                }
            });
        }
    });
}
