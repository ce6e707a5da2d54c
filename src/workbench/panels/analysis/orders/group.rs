//! One group of orders: how many, which, where it differs, and what can be done with it.

use egui::{Align2, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::analysis::{Confirmation, Group};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, elided, rule};
use crate::workbench::panels::analysis::parts::line_in;
use crate::workbench::panels::builder::{CONFIRMING, Compared, Confirmed, Known, Ordering, show_position};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Height of a group: its orders, and what can be done with them.
pub(super) const HEIGHT: f32 = 56.0;
/// Room for its size.
const SIZE: f32 = 44.0;
/// More are counted, not named: the tooltip has as many again.
const MOST_NAMED: usize = 60;

pub(super) fn ui(
    ui: &mut Ui,
    known: &Known<Compared>,
    index: usize,
    is_old: bool,
    doc: &Document,
    ordering: &mut Ordering,
    commands: &mut Commands,
) {
    let Some(group) = known.found.orders.groups.get(index) else { return };
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let size = group.orders.len();
    let orders = names(group, MOST_NAMED);
    let is_own = index == 0;
    let title = format!("Group {}, {}: {orders}", index + 1, words::plural(size as u64, "order"));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &title));
    let upper = rect.with_max_y(rect.top() + 26.0);
    let middle = upper.center().y;
    let number = pos2(rect.left() + SIZE - theme::SPACE_M, middle);
    ui.painter().text(number, Align2::RIGHT_CENTER, words::count(size as u64), theme::strong(), theme.text1);
    let left = rect.left() + SIZE;
    let room = rect.right() - left - if is_own { 78.0 } else { theme::SPACE_S };
    let galley = elided(ui.painter(), &orders, theme::mono(), theme.text1, room);
    ui.painter().galley(pos2(left, middle - galley.size().y / 2.0), galley, theme.text1);
    if is_own {
        let at = pos2(rect.right() - theme::SPACE_S, middle);
        ui.painter().text(at, Align2::RIGHT_CENTER, "this stack", theme::small(), theme.accent);
    }
    response.on_hover_text(names(group, 2 * MOST_NAMED));

    let lower = Rect::from_min_max(pos2(left, upper.bottom()), rect.max - vec2(0.0, 4.0));
    let mut line = line_in(ui, ("group", index), lower);
    line.spacing_mut().item_spacing.x = theme::SPACE_M;
    buttons(&mut line, known, index, group, is_old, doc, commands);
    confirm_ui(&mut line, index, group, doc, ordering);
    rule(ui, rect);
}

fn buttons(
    ui: &mut Ui,
    known: &Known<Compared>,
    index: usize,
    group: &Group,
    is_old: bool,
    doc: &Document,
    commands: &mut Commands,
) {
    let first = group.orders.first().map(|order| order.text(&group.base)).unwrap_or_default();
    if let Some(position) = &group.differs_at {
        let name = format!("Show me where {first} differs");
        let own = known.strategy.label();
        let about = format!("Put a position on the board on which {first} and {own} leave different moves");
        if ui.add(Button::new("Show me").name(&name).small()).on_hover_text(about).clicked() {
            let title = format!("where {first} and {own} differ");
            show_position(position.board, position.score, title, commands);
        }
    }
    let Some(order) = group.orders.first().filter(|_| index != 0) else { return };
    let name = format!("Use the order {first}");
    let button = Button::new("Use").name(&name).small();
    let response = ui.add_enabled(!is_old, button);
    let response = response.on_disabled_hover_text("The strategy was edited since: press Find");
    if response.on_hover_text(format!("Put the rows into the order {first}; Undo takes it back")).clicked() {
        let other = order.of(&group.base);
        let now = doc.strategy();
        // Letters name what they are; any other name stays with its strategy.
        let name = if now.letters().as_deref() == Some(now.name.as_str()) { other.name } else { now.name.clone() };
        let strategy = crate::strategy::Strategy { criteria: other.criteria, name, ..(*now).clone() };
        commands.push(crate::strategy::StrategyEdit::Replace(Box::new(strategy)));
    }
}

/// The button that plays games under all orders of the group, and what came of it.
fn confirm_ui(ui: &mut Ui, index: usize, group: &Group, doc: &Document, ordering: &mut Ordering) {
    let theme = Theme::of(ui);
    if group.orders.len() < 2 {
        return;
    }
    let confirmed = ordering.confirmed(index);
    let is_playing = matches!(confirmed, Some(Confirmed::Playing(_)));
    let text = format!("Confirm on {CONFIRMING} shared games");
    let name = format!("{text}, group {}", index + 1);
    let button = Button::new(if confirmed.is_some() { "Confirm" } else { &text }).name(&name).small();
    let response = ui.add_enabled(!is_playing, button);
    let about = format!(
        "Play the same {CONFIRMING} games under each of the {} orders and compare them move for move",
        words::count(group.orders.len() as u64)
    );
    if response.on_hover_text(about).on_disabled_hover_text("It is playing; Escape stops it").clicked() {
        ordering.confirm(index, doc);
    }
    let (words, color) = match &confirmed {
        None => return,
        Some(Confirmed::Playing(games)) => (format!("{games} of {CONFIRMING} games"), theme.text2),
        Some(Confirmed::Failed(reason)) => (format!("✗ It cannot be played: {reason}"), theme.error),
        Some(Confirmed::Tried(confirmation)) => match said(confirmation, group) {
            Ok(words) => (words, theme.ok),
            Err(words) => (words, theme.warn),
        },
    };
    ui.add(egui::Label::new(RichText::new(&words).small().color(color)).truncate()).on_hover_text(&words);
}

/// What games have shown: that they are identical, or the first that differs.
fn said(confirmation: &Confirmation, group: &Group) -> Result<String, String> {
    let games = words::plural(confirmation.games, "game");
    match confirmation.differing {
        Some((order, game)) => {
            let text = |place: usize| group.orders.get(place).map(|order| order.text(&group.base)).unwrap_or_default();
            Err(format!("✗ {} and {} differ in game {}", text(0), text(order), words::count(game)))
        }
        None if confirmation.games < CONFIRMING => Err(format!("Stopped, identical in {games}")),
        None => Ok(format!("✓ identical in {games}")),
    }
}

fn names(group: &Group, most: usize) -> String {
    let mut names: Vec<String> = group.orders.iter().take(most).map(|order| order.text(&group.base)).collect();
    let more = group.orders.len().saturating_sub(most);
    if more != 0 {
        names.push(format!("and {} more", words::count(more as u64)));
    }
    names.join(", ")
}
