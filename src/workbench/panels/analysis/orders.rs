//! Orders of the rows that decide alike.
//!
//! Every order is tried on the same positions; orders that left the same moves on all of them form a group. Equal
//! decisions on some positions do not prove equal games: *Confirm* plays some games and splits the group where they
//! part.

use egui::{
    Align2, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::analysis::{Group, Parting, Scope};
use crate::strategy::{Strategy, StrategyEdit};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, Line, SCROLL_BAR, empty, remark, rule, segmented};
use crate::workbench::panels::Building;
use crate::workbench::panels::analysis::parts::{ask, line_in, state_line};
use crate::workbench::panels::builder::{
    CONFIRMING, Compared, Confirmed, Known, Ordering, show_position,
};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Height of a group: its orders and its buttons.
const HEIGHT: f32 = 56.0;
/// Width of the group's size.
const SIZE: f32 = 44.0;
/// Maximum number of orders named; the rest are counted. The tooltip names as many more.
const MOST_NAMED: usize = 60;

pub(crate) fn ui(ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
    let ordering = &mut building.ordering;
    head(ui, doc, ordering);
    let failed = ordering
        .failed
        .as_ref()
        .map(|reason| format!("✗ Orders cannot be compared: {reason}").into());
    let summary = ordering.found.as_ref().map(|compared| {
        let rows = compared
            .strategy
            .criteria
            .iter()
            .filter(|criterion| !criterion.off)
            .count();
        RichText::new(said(rows, &compared.found)).font(theme::medium())
    });
    state_line(
        ui,
        theme::ROW,
        "Progress of the comparison",
        ordering.progress(),
        failed,
        summary,
    );
    let Some(compared) = ordering.found.clone() else {
        empty(
            ui,
            "Press Find to see which orders of the rows make a difference",
        );
        return;
    };

    let is_old = compared.strategy.hash() != doc.strategy().hash();
    if is_old {
        ui.set_opacity(theme::STALE_ALPHA);
    }

    let room = ui.available_rect_before_wrap();
    let with_bar = room.with_max_x(room.right() + SCROLL_BAR);
    let mut inside = ui.new_child(UiBuilder::new().id_salt("groups").max_rect(with_bar));
    let count = compared.found.orders.groups.len();
    let area = ScrollArea::vertical().id_salt("groups").auto_shrink(false);
    area.show_rows(&mut inside, HEIGHT, count, |ui, shown| {
        ui.set_max_width(ui.available_width() - SCROLL_BAR);
        for index in shown {
            group_ui(ui, &compared, index, is_old, doc, ordering, commands);
        }
    });
    ui.allocate_rect(room, Sense::hover());
}

fn head(ui: &mut Ui, doc: &Document, ordering: &mut Ordering) {
    ui.horizontal(|ui| {
        let state = Ordering::can_find(doc);
        let button = Button::new("Find").name("Find equal orders").accent();
        if ask(ui, button, state, "Try all orders of the rows on positions of several strategies and on constructed \
        positions") {
            ordering.find(doc);
        }
        let choices = [(Scope::Permutations, "All orders"), (Scope::Arrangements, "All subsets (Algorithm 3)")];
        segmented(ui, "Which orders", &mut ordering.scope, &choices).on_hover_text(
            "All orders of all rows, or also of every subset of them, as in Algorithm 3 of Kohler, Migler and Khosmood 2019",
        );
    });
}

/// "3 rows: 6 orders fall into 4 groups; within a group not separated by 2,000 positions".
fn said(rows: usize, found: &Compared) -> String {
    let Compared {
        orders, is_stopped, ..
    } = found;
    let number = |number: usize| words::count(number as u64);
    let compared = match orders.is_cut {
        true => format!("{} of {} orders", number(orders.orders), number(orders.all)),
        false => words::plural(orders.orders as u64, "order"),
    };
    let stopped = if *is_stopped { ", then stopped" } else { "" };
    let apart = format!(
        "separated by {}{stopped}",
        words::plural(orders.positions as u64, "position")
    );
    let groups = match orders.groups.len() {
        1 => format!("not {apart}"),
        groups if groups == orders.orders => format!("all {apart}"),
        groups => format!(
            "fall into {} groups; within a group not {apart}",
            number(groups)
        ),
    };
    format!("{}: {compared} {groups}", words::plural(rows as u64, "row"))
}

/// One group: its size, its orders, where it differs, and its buttons.
fn group_ui(
    ui: &mut Ui,
    compared: &Known<Compared>,
    index: usize,
    is_old: bool,
    doc: &Document,
    ordering: &mut Ordering,
    commands: &mut Commands,
) {
    let Some(group) = compared.found.orders.groups.get(index) else {
        return;
    };
    let theme = Theme::of(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let size = group.orders.len();
    let orders = names(group, MOST_NAMED);
    let title = format!(
        "Group {}, {}: {orders}",
        index + 1,
        words::plural(size as u64, "order")
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &title));
    let upper = rect.with_max_y(rect.top() + 26.0);
    let left = rect.left() + SIZE;
    let at = pos2(left - theme::SPACE_M, upper.center().y);
    ui.painter().text(
        at,
        Align2::RIGHT_CENTER,
        words::count(size as u64),
        theme::strong(),
        theme.text1,
    );
    let mut line = Line::new(
        ui.painter(),
        upper.with_min_x(left - theme::SPACE_S),
        theme::SPACE_S,
    );
    if index == 0 {
        line.clone()
            .end("current order", theme::small(), theme.accent);
        line.right = rect.right() - 78.0;
    }
    line.start(&orders, theme::mono(), theme.text1);
    response.on_hover_text(names(group, 2 * MOST_NAMED));

    let lower = Rect::from_min_max(pos2(left, upper.bottom()), rect.max - vec2(0.0, 4.0));
    let mut line = line_in(ui, ("group", index), lower);
    line.spacing_mut().item_spacing.x = theme::SPACE_M;
    buttons(&mut line, compared, index, group, is_old, doc, commands);
    confirm_ui(&mut line, index, group, doc, ordering);
    rule(ui, rect);
}

fn buttons(
    ui: &mut Ui,
    compared: &Known<Compared>,
    index: usize,
    group: &Group,
    is_old: bool,
    doc: &Document,
    commands: &mut Commands,
) {
    let first = group
        .orders
        .first()
        .map(|order| order.text(&group.base))
        .unwrap_or_default();
    if let Some(position) = &group.differs_at {
        let name = format!("Show me where {first} differs");
        let own = compared.strategy.label();
        let about = format!("Show a position where {first} and {own} leave different moves");
        if ui
            .add(Button::new("Show me").name(&name).small())
            .on_hover_text(about)
            .clicked()
        {
            let title = format!("where {first} and {own} differ");
            show_position(position.board, position.score, title, commands);
        }
    }

    let Some(order) = group.orders.first().filter(|_| index != 0) else {
        return;
    };
    let name = format!("Use the order {first}");
    let state = if is_old {
        Err("The strategy was edited: press Find again")
    } else {
        Ok(())
    };

    let about = format!("Put the rows in the order {first}; Undo restores the old order");
    if ask(ui, Button::new("Use").name(&name).small(), state, &about) {
        let other = order.of(&group.base);
        let now = doc.strategy();
        // A name of row letters follows the new order; any other name stays.
        let name = if now.letters().as_deref() == Some(now.name.as_str()) {
            other.name
        } else {
            now.name.clone()
        };
        let strategy = Strategy {
            criteria: other.criteria,
            name,
            ..(*now).clone()
        };
        commands.push(StrategyEdit::Replace(Box::new(strategy)));
    }
}

/// The button that plays games with all orders of the group, and the result.
fn confirm_ui(ui: &mut Ui, index: usize, group: &Group, doc: &Document, ordering: &mut Ordering) {
    let confirmed = ordering.confirmed(index);
    if 1 < group.orders.len() {
        confirm_button(ui, index, group, confirmed.as_ref(), doc, ordering);
    }

    let theme = Theme::of(ui);
    let (words, color) = match &confirmed {
        None => return,
        Some(Confirmed::Playing(games)) => (format!("{games} of {CONFIRMING} games"), theme.text2),
        Some(Confirmed::Failed(reason)) => (format!("✗ Cannot play: {reason}"), theme.error),
        Some(Confirmed::Tried { games, parted }) => {
            let words = outcome(*games, parted.as_ref(), group.orders.len());
            let color = if parted.is_some() || *games < CONFIRMING {
                theme.warn
            } else {
                theme.ok
            };
            (words, color)
        }
    };
    remark(ui, words, color);
}

fn confirm_button(
    ui: &mut Ui,
    index: usize,
    group: &Group,
    confirmed: Option<&Confirmed>,
    doc: &Document,
    ordering: &mut Ordering,
) {
    let is_playing = matches!(confirmed, Some(Confirmed::Playing(_)));
    let text = format!("Confirm on {CONFIRMING} shared games");
    let name = format!("{text}, group {}", index + 1);
    let button = Button::new(if confirmed.is_some() {
        "Confirm"
    } else {
        &text
    })
    .name(&name)
    .small();
    let state = if is_playing {
        Err("Playing; press Escape to stop")
    } else {
        Ok(())
    };
    let about = format!(
        "Play the same {CONFIRMING} games with each of the {} orders, and split the group where their moves differ",
        words::count(group.orders.len() as u64)
    );
    if ask(ui, button, state, &about) {
        ordering.confirm(index, doc);
    }
}

/// The result of the games: identical, parted from another group, or stopped.
fn outcome(games: u64, parted: Option<&(Parting, String)>, orders: usize) -> String {
    let parting = parted.map(|(parting, other)| {
        format!(
            "✗ differs from {other} in game {}",
            words::count(parting.game)
        )
    });
    let identical = format!("identical in {}", words::plural(games, "game"));
    let identical = match games {
        CONFIRMING.. => format!("✓ {identical}"),
        _ => format!("Stopped, {identical}"),
    };
    let played = (1 < orders).then_some(identical);
    parting
        .into_iter()
        .chain(played)
        .collect::<Vec<_>>()
        .join(" · ")
}

fn names(group: &Group, most: usize) -> String {
    let mut names: Vec<String> = group
        .orders
        .iter()
        .take(most)
        .map(|order| order.text(&group.base))
        .collect();
    let more = group.orders.len().saturating_sub(most);
    if more != 0 {
        names.push(format!("and {} more", words::count(more as u64)));
    }
    names.join(", ")
}
