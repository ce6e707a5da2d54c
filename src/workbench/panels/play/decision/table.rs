//! The elimination table: moves by criterion. A value is struck through where the move fell, framed where it decided,
//! shaded where only ε kept it, hatched where it was not evaluated. A press shows its search tree.

use egui::scroll_area::ScrollBarVisibility;
use egui::{
    Align2, Color32, FontId, Rect, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};

use super::data::{DecisionData, StripRow};
use super::elimination::{EliminationCell, EliminationColumn};
use crate::game::Move;
use crate::workbench::kit::{
    Line, describe, elided, focus_ring, paint_hatch, painted_cell, table_within,
};
use crate::workbench::theme::{self, Theme};

/// Height of the header, two lines.
pub(super) const TABLE_HEADER: f32 = 36.0;
/// Width of the name of the move.
const MOVE: f32 = 72.0;
/// The minimum width of a column, the maximum width of its header with and without all columns, and the maximum width
/// of a column in a wide panel.
const COLUMN: f32 = 48.0;
const WIDEST_HEADS: [f32; 2] = [184.0, 68.0];
const WIDEST_COLUMN: f32 = 148.0;
/// Gap between values, and the step of column widths, so that one more digit moves nothing.
pub(super) const COLUMN_GAP: f32 = 12.0;
pub(super) const COLUMN_STEP: f32 = 8.0;
/// Gap between a value and the right edge of its column.
const CELL_PAD: f32 = 6.0;
/// Width of the button with the number of hidden columns.
const MORE: f32 = 44.0;

/// The user's input on the strip or the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// The legal move under the pointer.
    pub hovered: Option<Move>,
    /// The pressed move, to be played.
    pub played: Option<Move>,
    /// The pressed cell: row of the strategy and move.
    pub cell: Option<(usize, Move)>,
    /// The widgets of the moves, for context menus.
    pub moves: Vec<(Move, Response)>,
}

/// Width of a text.
pub(super) fn measure(ui: &Ui, text: &str, font: FontId) -> f32 {
    ui.painter()
        .layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
        .size()
        .x
}

/// Draws the table over the whole width. `all_columns` shows every column and scrolls; otherwise the least informative
/// columns are hidden. `trees` says which rows have a search tree to show; with `plays`, a press on a move plays it.
pub(super) fn table(
    ui: &mut Ui,
    data: &DecisionData,
    plays: bool,
    trees: &[bool],
    all_columns: &mut bool,
) -> Touched {
    let theme = Theme::of(ui);
    let mut touched = Touched::default();
    let width = ui.available_width();
    let height = TABLE_HEADER + data.rows.len() as f32 * theme::ROW;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let left = rect.left() + theme::SPACE_M + MOVE;
    let room = rect.right() - left;
    let widths = WIDEST_HEADS.map(|head| -> Vec<f32> {
        (0..data.columns.len())
            .map(|criterion| column_width(ui, data, criterion, head))
            .collect()
    });
    let shown = TableColumns::of(data, &widths, room, *all_columns);
    let size = (1 + data.rows.len(), 1 + shown.columns.len());
    let ui = &mut table_within(
        ui,
        rect,
        "elimination",
        "Elimination table: moves by row",
        size,
    );
    let line = |index: usize| {
        let top = rect.top() + TABLE_HEADER + index as f32 * theme::ROW;
        Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right(), top + theme::ROW))
    };

    let head = Rect::from_min_max(rect.min, pos2(left, rect.top() + TABLE_HEADER));
    painted_cell(
        ui,
        head,
        ui.scope_id().with("moves"),
        Role::ColumnHeader,
        Sense::hover(),
        (0, 0),
        || "Move".into(),
    );
    let at = head.left_bottom() + vec2(theme::SPACE_M, -4.0);
    ui.painter()
        .text(at, Align2::LEFT_BOTTOM, "Move", theme::small(), theme.text3);
    ui.painter().hline(
        rect.x_range(),
        rect.top() + TABLE_HEADER,
        Stroke::new(1.0, theme.sep),
    );
    for (index, row) in data.rows.iter().enumerate() {
        let line = line(index);
        move_ui(ui, line, index, left, row, plays, &mut touched);
        ui.painter()
            .hline(rect.x_range(), line.bottom(), Stroke::new(1.0, theme.sep));
    }
    more_ui(ui, rect, &shown, all_columns);

    let cells = Rect::from_min_max(
        pos2(left, rect.top()),
        pos2(left + shown.room, rect.bottom()),
    );
    let mut inside = ui.new_child(UiBuilder::new().id_salt("columns").max_rect(cells));
    inside.set_clip_rect(cells.expand2(vec2(0.0, 2.0)).intersect(ui.clip_rect()));
    let bar = match *all_columns {
        true => ScrollBarVisibility::VisibleWhenNeeded,
        false => ScrollBarVisibility::AlwaysHidden,
    };
    let area = ScrollArea::horizontal()
        .id_salt("columns")
        .auto_shrink(false)
        .scroll_bar_visibility(bar);
    area.show(&mut inside, |ui| {
        let (space, _) = ui.allocate_exact_size(vec2(shown.total, height), Sense::hover());
        let mut x = space.left();
        for (place, &(criterion, width)) in shown.columns.iter().enumerate() {
            let column = Rect::from_min_max(pos2(x, space.top()), pos2(x + width, space.bottom()));
            x += width;
            column_ui(ui, column, 1 + place, data, criterion, trees, &mut touched);
        }
    });
    touched
}

/// The visible columns and their widths.
struct TableColumns {
    /// Criterion and width.
    columns: Vec<(usize, f32)>,
    /// Number of hidden columns.
    hidden: usize,
    /// Whether not all columns fit.
    overflows: bool,
    /// Width of the visible part.
    room: f32,
    total: f32,
}

impl TableColumns {
    /// `widths` are for full headers, and for truncated ones.
    fn of(
        data: &DecisionData,
        [wide, narrow]: &[Vec<f32>; 2],
        room: f32,
        all_columns: bool,
    ) -> Self {
        let widths = if all_columns { wide } else { narrow };
        let all = widths.len();
        let total = |shown: &[usize]| {
            shown
                .iter()
                .map(|&criterion| widths[criterion])
                .sum::<f32>()
        };
        let everything: Vec<usize> = (0..all).collect();
        let overflows = room < total(&everything) && 1 < all;
        let room = if overflows { room - MORE } else { room };
        let criteria = if overflows && !all_columns {
            let fits = |shown: &Vec<usize>| shown.len() == 1 || total(shown) <= room;
            (1..all)
                .rev()
                .map(|most| data.most_telling(most))
                .find(fits)
                .unwrap_or_default()
        } else {
            everything
        };

        // Extra width first goes to truncated headers, then to all columns.
        let spare = (room - total(&criteria)).max(0.0);
        let lacking = |criterion: usize| wide[criterion] - widths[criterion];
        let lack: f32 = criteria.iter().map(|&criterion| lacking(criterion)).sum();
        let share = if spare < lack { spare / lack } else { 1.0 };
        let gain = (spare - lack).max(0.0) / criteria.len().max(1) as f32;
        let width = |criterion: usize| {
            let width = widths[criterion] + share * lacking(criterion);
            (width + gain).min(WIDEST_COLUMN.max(width))
        };
        let columns: Vec<(usize, f32)> = criteria
            .into_iter()
            .map(|criterion| (criterion, width(criterion)))
            .collect();
        let total = columns.iter().map(|(_, width)| width).sum();
        Self {
            hidden: all - columns.len(),
            columns,
            overflows,
            room: room.max(COLUMN),
            total,
        }
    }
}

/// Width of the header and the values of a criterion.
fn column_width(ui: &Ui, data: &DecisionData, criterion: usize, widest_head: f32) -> f32 {
    let column = &data.columns[criterion];
    let head =
        measure(ui, &column.name, theme::small()).max(measure(ui, &column.setting, theme::small()));
    let values = data
        .rows
        .iter()
        .filter_map(|row| row.cells.get(criterion)?.text());
    let widest = values
        .map(|text| measure(ui, text, theme::strong()))
        .fold(head.min(widest_head), f32::max);
    ((widest + COLUMN_GAP) / COLUMN_STEP)
        .ceil()
        .max(COLUMN / COLUMN_STEP)
        * COLUMN_STEP
}

/// The name of a move; without a strip, a press on it plays the move.
fn move_ui(
    ui: &Ui,
    line: Rect,
    index: usize,
    left: f32,
    row: &StripRow,
    plays: bool,
    touched: &mut Touched,
) {
    let theme = Theme::of(ui);
    let y = line.center().y;
    let head = line.with_max_x(left - theme::SPACE_S);
    let (role, sense) = if plays {
        (Role::Button, Sense::click())
    } else {
        (Role::RowHeader, Sense::hover())
    };
    let name = || {
        if plays || !row.legal {
            row.spoken()
        } else {
            row.mv.to_string()
        }
    };
    let response = painted_cell(
        ui,
        head,
        ui.scope_id().with(("play", row.mv)),
        role,
        sense,
        (1 + index, 0),
        name,
    );
    if plays {
        if row.legal && response.hovered() {
            touched.hovered = Some(row.mv);
            ui.painter()
                .rect_filled(head.shrink(1.0), theme::RADIUS_S, theme.bg4);
        }
        if row.legal && response.clicked() {
            touched.played = Some(row.mv);
        }
        if response.has_focus() {
            focus_ring(ui, head.shrink(2.0));
        }
        touched.moves.push((row.mv, response));
    }

    let name = format!("{} {}", row.mv.arrow(), row.mv);
    let font = if row.chosen {
        theme::strong()
    } else {
        theme::medium()
    };
    let color = if row.legal { theme.text1 } else { theme.text3 };
    ui.painter().text(
        pos2(line.left() + theme::SPACE_M, y),
        Align2::LEFT_CENTER,
        &name,
        font,
        color,
    );

    if !row.legal {
        let why = line.with_min_x(left + COLUMN_GAP);
        Line::new(ui.painter(), why, 0.0).start(&row.why, theme::body(), theme.text3);
    }
}

/// The button that shows all columns, or folds them again.
fn more_ui(ui: &Ui, rect: Rect, shown: &TableColumns, all_columns: &mut bool) {
    if !shown.overflows {
        return;
    }

    let theme = Theme::of(ui);
    let place = Rect::from_min_size(
        pos2(rect.right() - MORE + 8.0, rect.top() + 8.0),
        vec2(MORE - 8.0, theme::HIT),
    );
    let response = ui.interact(place, ui.scope_id().with("more columns"), Sense::click());
    let (text, name) = match *all_columns {
        true => ("fold".to_owned(), "Show fewer columns".to_owned()),
        false if shown.hidden == 1 => ("+1".to_owned(), "Show 1 more column".to_owned()),
        false => (
            format!("+{}", shown.hidden),
            format!("Show {} more columns", shown.hidden),
        ),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let hot = response.hovered() || response.has_focus();
    ui.painter().rect_filled(
        place,
        theme::RADIUS_S,
        if hot { theme.bg4 } else { theme.bg3 },
    );
    if response.has_focus() {
        focus_ring(ui, place);
    }

    ui.painter().text(
        place.center(),
        Align2::CENTER_CENTER,
        &text,
        theme::small(),
        theme.text1,
    );
    let about = match *all_columns {
        true => "Show only the most important columns".to_owned(),
        false => format!("{name} of lesser importance"),
    };
    if response.on_hover_text(about).clicked() {
        *all_columns = !*all_columns;
    }
}

/// The header and the cells of one criterion.
fn column_ui(
    ui: &Ui,
    rect: Rect,
    place: usize,
    data: &DecisionData,
    criterion: usize,
    trees: &[bool],
    touched: &mut Touched,
) {
    let theme = Theme::of(ui);
    let column = &data.columns[criterion];
    head_ui(
        ui,
        rect.with_max_y(rect.top() + TABLE_HEADER),
        place,
        column,
        criterion,
    );
    let right = rect.right() - CELL_PAD;
    let cells = data.rows.iter().enumerate().filter(|(_, row)| row.legal);
    let cells = cells.filter_map(|(index, row)| Some((index, row, row.cells.get(criterion)?)));
    let mut band: Option<Rect> = None;
    for (index, row, cell) in cells {
        let top = rect.top() + TABLE_HEADER + index as f32 * theme::ROW;
        let space = Rect::from_min_max(
            pos2(rect.left() + 3.0, top + 1.0),
            pos2(rect.right(), top + theme::ROW - 1.0),
        );
        let has_tree = cell.text().is_some() && trees.get(criterion) == Some(&true);
        let sense = if has_tree {
            Sense::click()
        } else {
            Sense::focusable_noninteractive() | Sense::HOVER
        };
        let (id, at) = (ui.scope_id().with((criterion, row.mv)), (1 + index, place));
        let response = painted_cell(ui, space, id, Role::Cell, sense, at, || {
            row.spoken_cell(column, cell)
        });
        if has_tree {
            describe(ui, id, |node| {
                node.set_description("Press to show its tree");
            });
        }

        if column.tolerated && matches!(cell, EliminationCell::Kept { .. }) {
            ui.painter().rect_filled(space, 0, theme.bg3);
            band = Some(band.map_or(space, |band| band.union(space)));
        }
        if has_tree && response.hovered() {
            ui.painter().rect_filled(space, theme::RADIUS_S, theme.bg4);
        }

        paint_cell(ui, theme, space, right, cell);
        if response.has_focus() {
            focus_ring(ui, space.shrink(2.0));
        }
        if response.clicked() && has_tree {
            touched.cell = Some((criterion, row.mv));
        }
        let text = row.spoken_cell(column, cell);
        let exact = cell
            .exact()
            .map(|exact| format!("\nExactly {exact}"))
            .unwrap_or_default();
        let click = if has_tree {
            "\nClick to show its tree"
        } else {
            ""
        };
        response.on_hover_text(format!("{text}{exact}{click}"));
    }

    if let Some(band) = band {
        // A bracket around the moves within ε of the best.
        let stroke = Stroke::new(1.5, theme.text3);
        let x = band.left() + 1.0;
        ui.painter().vline(x, band.y_range(), stroke);
        for y in [band.top() + 0.5, band.bottom() - 0.5] {
            ui.painter().hline(x..=x + 5.0, y, stroke);
        }
    }
}

fn head_ui(ui: &Ui, rect: Rect, place: usize, column: &EliminationColumn, criterion: usize) {
    let theme = Theme::of(ui);
    let EliminationColumn {
        name,
        setting,
        off,
        about,
        ..
    } = column;
    let sense = Sense::focusable_noninteractive() | Sense::HOVER;
    let (id, text) = (ui.scope_id().with(("head", criterion)), || {
        format!("{name}, {setting}")
    });
    let response = painted_cell(ui, rect, id, Role::ColumnHeader, sense, (0, place), text);
    let (right, lower) = (rect.right() - CELL_PAD, rect.bottom() - 4.0);
    let room = rect.width() - CELL_PAD;
    let color = if *off { theme.text3 } else { theme.text2 };
    let galley = elided(ui.painter(), name, theme::small(), color, room);
    let top = lower - 28.0;
    if *off {
        let stroke = Stroke::new(1.0, theme.text3);
        ui.painter().hline(
            right - galley.size().x..=right,
            top + galley.size().y / 2.0,
            stroke,
        );
    }

    ui.painter()
        .galley(pos2(right - galley.size().x, top), galley, color);
    let galley = elided(ui.painter(), setting, theme::small(), theme.text3, room);
    ui.painter().galley(
        pos2(right - galley.size().x, lower - galley.size().y),
        galley,
        theme.text3,
    );
    if response.has_focus() {
        focus_ring(ui, rect.shrink(3.0));
    }

    response.on_hover_text(about);
}

fn paint_cell(ui: &Ui, theme: &Theme, space: Rect, right: f32, cell: &EliminationCell) {
    let at = pos2(right, space.center().y);
    let write = |text: &str, font: FontId, color: Color32| {
        ui.painter()
            .text(at, Align2::RIGHT_CENTER, text, font, color)
    };

    match cell {
        EliminationCell::Kept {
            text,
            decided: true,
            ..
        } => {
            let frame =
                write(text, theme::strong(), theme.text1).expand2(vec2(CELL_PAD - 1.0, 1.0));
            ui.painter().rect_stroke(
                frame,
                theme::RADIUS_S,
                Stroke::new(2.0, theme.accent),
                StrokeKind::Inside,
            );
        }
        EliminationCell::Kept { text, .. } => drop(write(text, theme::body(), theme.text1)),
        EliminationCell::Fell { text, .. } => {
            let rect = write(text, theme::body(), theme.error);
            ui.painter().hline(
                rect.x_range().expand(1.0),
                rect.center().y,
                Stroke::new(1.5, theme.error),
            );
        }
        EliminationCell::Out => drop(write("–", theme::body(), theme.text3)),
        EliminationCell::NotNeeded => {
            paint_hatch(ui.painter(), space, theme.sep);
            write("–", theme::body(), theme.text3);
        }
        EliminationCell::Off => drop(write(
            "off",
            theme::small(),
            theme.text3.gamma_multiply(theme::STALE_ALPHA),
        )),
    }
}
