//! The tree as tables side by side: the slides of the root, then the children of each node on the path to the
//! selection, and last the children of the selection. Lists every recorded node, independent of folding.

use egui::{
    Align, Align2, Color32, Id, Layout, Painter, Rangef, Rect, Role, ScrollArea, Sense, Stroke, Ui,
    UiBuilder, Vec2, pos2, vec2,
};

use super::frame::{Clarity, Moved, ViewFrame, clarity, follow_keys, replay_state};
use super::words::{difference, link_text, ply_name, reach, sentence_by_now, value_by_now};
use crate::search::{Link, NodeId, NodeView, Seen, Tree};
use crate::words;
use crate::workbench::command::{Commands, TreeCommand, node_commands};
use crate::workbench::kit::{
    LEGEND_RADIUS, Line, ListRow, Sort, Sorted, describe, describe_cell, elided, header, is_heard,
    paint_node, painted_cell, paragraph, scroll_across, table_within,
};
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::{Known, OfNode};
use crate::workbench::paper::on_paper;
use crate::workbench::theme::{self, Theme};

const BETWEEN: f32 = 16.0;
const CELL_GAP: f32 = 12.0;
/// Space before the first cell of a row.
const INSET: f32 = 8.0;
const TITLE: f32 = 20.0;
const BAR: f32 = 3.0;

/// A column of a table; rows can be sorted by all but the first two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum NodeColumn {
    Link,
    Kind,
    Value,
    Probability,
    Reach,
    Nodes,
    How,
}

impl NodeColumn {
    /// Width, title and meaning, left to right.
    const ALL: [(Self, f32, &'static str, &'static str); 7] = [
        (Self::Link, 52.0, "", ""),
        (Self::Kind, 18.0, "", ""),
        (
            Self::Value,
            84.0,
            "Value",
            "Value of the node; the bar shows its difference from the node above",
        ),
        (
            Self::Probability,
            44.0,
            "Prob.",
            "Probability of the spawn at the node above",
        ),
        (
            Self::Reach,
            60.0,
            "Reach",
            "Probability of reaching the node, as weighted by the search, if the player makes these moves",
        ),
        (
            Self::Nodes,
            66.0,
            "Nodes",
            "Nodes below, including cuts that were not searched and nodes that are not recorded",
        ),
        (Self::How, 156.0, "Origin", "How the value was obtained"),
    ];

    /// The text of a cell; the kind has a symbol instead.
    fn text(self, table: &ColumnTable, row: &NodeView, scene: &Listing<'_>) -> String {
        let knowledge = scene.inspection.known(row.id);
        match self {
            Self::Link => row.link.map(link_text).unwrap_or_default(),
            Self::Kind => row.kind.words().to_owned(),
            Self::Value if knowledge == Known::All && row.value.is_none() => "–".to_owned(),
            Self::Value => value_by_now(knowledge, scene.tree, row.id),
            Self::Probability => row
                .probability
                .map_or("–".to_owned(), |p| format!("{p:.3}")),
            Self::Reach => reach(row.reach),
            Self::Nodes => words::count(row.below),
            Self::How if knowledge == Known::All => how(table, row),
            Self::How => String::new(),
        }
    }
}

#[derive(Debug)]
struct ColumnTable {
    parent: NodeView,
    rows: Vec<NodeView>,
    /// The largest number of nodes below a row, for the bars.
    most: u64,
    /// The available width; columns after [`NodeColumn::Value`] that do not fit are left out.
    room: f32,
}

impl ColumnTable {
    /// All children, in the order of `Folding::drawn` or the user's order.
    fn of(tree: &Tree, id: NodeId, sort: Option<Sort<NodeColumn>>) -> Self {
        let parent = tree.node(id);
        let mut rows: Vec<NodeView> = tree.children(id).map(|child| tree.node(child)).collect();
        let worth = |row: &NodeView| row.value.unwrap_or(f64::NEG_INFINITY);
        let usual = Sort::new(
            NodeColumn::Value,
            id != tree.root() || tree.objective().higher,
        );
        let sort = sort.unwrap_or(usual).first();
        // A stable sort: ties stay in visiting order.
        rows.sort_by(|a, b| {
            sort.turn(match sort.by {
                NodeColumn::Link | NodeColumn::Kind => std::cmp::Ordering::Equal,
                NodeColumn::Value => worth(a).total_cmp(&worth(b)),
                NodeColumn::Probability => a
                    .probability
                    .unwrap_or(0.0)
                    .total_cmp(&b.probability.unwrap_or(0.0)),
                NodeColumn::Reach => a.reach.total_cmp(&b.reach),
                NodeColumn::Nodes => a.below.cmp(&b.below),
                NodeColumn::How => a
                    .kind
                    .name()
                    .cmp(b.kind.name())
                    .then_with(|| a.origin.text().cmp(&b.origin.text())),
            })
        });

        let most = rows.iter().map(|row| row.below).max().unwrap_or(0);
        Self {
            parent,
            rows,
            most,
            room: f32::INFINITY,
        }
    }

    /// Each column with its horizontal range; slides have no probability.
    fn columns(&self) -> impl Iterator<Item = (NodeColumn, Rangef)> + use<> {
        let of_spawns = matches!(
            self.rows.first().and_then(|row| row.link),
            Some(Link::Spawn(_))
        );
        let columns = NodeColumn::ALL.into_iter();
        let columns =
            columns.filter(move |(column, ..)| of_spawns || *column != NodeColumn::Probability);
        let placed = columns.scan(INSET, |x, (column, width, ..)| {
            let from = *x;
            *x += width + CELL_GAP;
            Some((column, Rangef::new(from, *x - CELL_GAP)))
        });
        let room = self.room;
        placed
            .filter(move |(column, cell)| *column <= NodeColumn::Value || cell.max + INSET <= room)
    }

    fn height(&self) -> f32 {
        let lines = 1 + self.rows.len() + usize::from(0 < self.parent.left_out);
        TITLE + lines as f32 * theme::ROW
    }

    fn width(&self) -> f32 {
        if self.rows.is_empty() {
            240.0
        } else {
            self.columns().last().map_or(0.0, |(_, cell)| cell.max) + INSET
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Columns {
    sort: Option<Sort<NodeColumn>>,
    /// From the root to the selection; cached while tree, selection and order stay.
    tables: Vec<ColumnTable>,
    key: Option<(u64, usize, NodeId, Option<Sort<NodeColumn>>)>,
    pub(super) frame: ViewFrame,
}

impl Columns {
    pub(super) fn ui(&mut self, ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
        let Some(shown) = inspection.shown() else {
            return;
        };
        let tree = shown.tree.clone();
        let selected = inspection.selected();
        let on_path: Vec<NodeId> = tree.path(selected);
        let key = Some((shown.number, shown.row, selected, self.sort));
        if self.key != key {
            self.key = key;
            self.tables = on_path
                .iter()
                .map(|&id| ColumnTable::of(&tree, id, self.sort))
                .collect();
        }

        // The arrows follow the listed order.
        if let Some(parent) = tree.parent(selected) {
            let depth = self.tables.len() - 2;
            inspection.list_siblings(parent, self.tables[depth].rows.iter().map(|row| row.id));
        }

        if inspection.is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }

        let is_asked =
            |command: &TreeCommand| !matches!(command, TreeCommand::ZoomIn | TreeCommand::ZoomOut);
        let is_asked = self.frame.take_requests().iter().any(is_asked);
        let moved = self.frame.follow((0, 0), selected) != Moved::Nothing || is_asked;
        let space = ui.available_rect_before_wrap();
        let is_paper = on_paper(ui);
        let mut pressed = None;
        scroll_across(ui, "columns", true, |ui| {
            let height = ui.available_height();
            // In print the tables are one below the other.
            let side_by_side = if is_paper {
                Layout::top_down(Align::Min)
            } else {
                Layout::left_to_right(Align::Min)
            };

            let last = self.tables.len().saturating_sub(2);
            ui.with_layout(side_by_side, |ui| {
                ui.spacing_mut().item_spacing = Vec2::splat(BETWEEN);
                for (depth, table) in self.tables.iter_mut().enumerate() {
                    table.room = if is_paper {
                        space.width()
                    } else {
                        f32::INFINITY
                    };
                    let height = if is_paper { table.height() } else { height };
                    let (rect, _) =
                        ui.allocate_exact_size(vec2(table.width(), height), Sense::hover());
                    // Shows the table with the selection and the next one.
                    if moved && last <= depth {
                        ui.scroll_to_rect(rect, None);
                    }
                    if !ui.is_rect_visible(rect) {
                        continue;
                    }
                    let builder = UiBuilder::new().id_salt(("table", depth)).max_rect(rect);
                    let mut inside = ui.new_child(builder.layout(Layout::top_down(Align::Min)));
                    let scene = Listing {
                        tree: &tree,
                        inspection,
                        path: &on_path,
                        moved,
                        sort: self.sort,
                    };
                    pressed = pressed.or(table_ui(&mut inside, table, depth, &scene, commands));
                    let line = rect.right() + BETWEEN / 2.0;
                    if !is_paper {
                        ui.painter().vline(
                            line,
                            rect.y_range(),
                            Stroke::new(1.0, Theme::of(ui).sep),
                        );
                    }
                }
            });
        });

        match pressed {
            Some(Pressed::Row(id)) => inspection.click(id),
            Some(Pressed::Header(by)) => {
                self.sort = match self.sort.and_then(|sort| sort.state(by)) {
                    Some(Sorted { falls: true, .. }) => Some(Sort::new(by, false)),
                    Some(_) => None,
                    None => Some(Sort::falling(by)),
                };
            }
            None => {}
        }
    }
}

struct Listing<'a> {
    tree: &'a Tree,
    inspection: &'a Inspection,
    path: &'a [NodeId],
    /// Whether the selection changed since the last frame.
    moved: bool,
    sort: Option<Sort<NodeColumn>>,
}

#[derive(Clone, Copy)]
enum Pressed {
    Row(NodeId),
    Header(NodeColumn),
}

fn table_ui(
    ui: &mut Ui,
    table: &ColumnTable,
    depth: usize,
    scene: &Listing<'_>,
    commands: &mut Commands,
) -> Option<Pressed> {
    let theme = Theme::of(ui);
    let mut pressed = None;
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    let (title, _) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::hover());
    let name = ply_name(depth + 1, scene.tree.is_turn(depth as u32 + 1));
    let above = table.parent.link.map_or(name.clone(), |link| {
        format!("{name} below {}", link_text(link))
    });
    let columns = table.columns().count();
    let ui = &mut table_within(
        ui,
        ui.max_rect(),
        "ply",
        &above,
        (1 + table.rows.len(), columns),
    );
    ui.add_space(TITLE);
    Line::new(ui.painter(), title, INSET).start(&above, theme::small(), theme.text2);
    if table.rows.is_empty() {
        let text = match table.parent.left_out {
            0 => format!("Nothing below: {}", table.parent.origin.text()),
            left_out => format!("{} below are not recorded", words::plural(left_out, "node")),
        };
        ui.horizontal(|ui| {
            ui.add_space(INSET);
            paragraph(ui, text, theme.text3);
        });
        return None;
    }

    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    for (number, (column, cell)) in table.columns().enumerate() {
        let (.., text, about) = NodeColumn::ALL[column as usize];
        if text.is_empty() {
            continue;
        }
        let rect = Rect::from_x_y_ranges(
            head.left() + cell.min..=head.left() + cell.max,
            head.y_range(),
        );
        let mut cell = ui.new_child(
            UiBuilder::new()
                .id_salt(text)
                .max_rect(rect)
                .layout(Layout::top_down(Align::Min)),
        );
        cell.spacing_mut().item_spacing.x = CELL_GAP;
        let usual = Sort::falling(NodeColumn::Value);
        let direction = scene.sort.unwrap_or(usual).state(column);
        let head = header(&mut cell, text, about, column != NodeColumn::How, direction);
        describe_cell(&cell, head.id, rect, (0, number));
        if head.clicked() {
            pressed = Some(Pressed::Header(column));
        }
    }

    let left_out = table.parent.left_out;
    let count = table.rows.len() + usize::from(0 < left_out);
    let chosen = table
        .rows
        .iter()
        .position(|row| scene.path.contains(&row.id));
    let mut area = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
    let room = ui.available_height();
    if let Some(place) = chosen.filter(|_| scene.moved && room < count as f32 * theme::ROW) {
        // egui limits the offset to the content.
        area =
            area.vertical_scroll_offset(((place as f32 + 0.5) * theme::ROW - room / 2.0).max(0.0));
    }

    area.show_rows(ui, theme::ROW, count, |ui, rows| {
        for place in rows {
            let Some(row) = table.rows.get(place) else {
                let text = format!("and {} more that are not recorded", words::count(left_out));
                ListRow::new(&text).inert().pad(INSET).show(ui, |line, _| {
                    line.start(&text, theme::body(), theme.text3);
                });
                continue;
            };

            let name = sentence_by_now(scene.inspection.known(row.id), scene.tree, row);
            let is_selected = row.id == scene.inspection.selected();
            // No table lists the root; while it is selected, its first child takes the focus.
            let root = scene.tree.root();
            let is_first =
                place == 0 && table.parent.id == root && scene.inspection.selected() == root;
            let list_row = ListRow::new(&name)
                .role(Role::Row)
                .selected(is_selected)
                .stop(is_selected || is_first);
            let (row_ui, response) =
                list_row.show_around(ui, Id::unique(row.id), |line, response| {
                    paint_row(&line.painter, theme, response.rect, table, row, scene);
                });
            describe(&row_ui, response.id, |node| node.set_row_index(1 + place));
            hear_cells(&row_ui, response.rect, 1 + place, table, row, scene);
            follow_keys(&response, scene.inspection.panel(), is_selected);
            let is_chosen = commands.context_menu(
                &response,
                &node_commands(),
                OfNode(scene.inspection, row.id),
            );
            if response.clicked() || is_chosen {
                pressed = Some(Pressed::Row(row.id));
            }

            response.on_hover_text_at_pointer(name);
        }
    });

    pressed
}

/// The cells of a row, for screen readers.
fn hear_cells(
    ui: &Ui,
    rect: Rect,
    place: usize,
    table: &ColumnTable,
    row: &NodeView,
    scene: &Listing<'_>,
) {
    if !is_heard(ui) {
        return;
    }
    for (number, (column, cell)) in table.columns().enumerate() {
        let rect = Rect::from_x_y_ranges(
            rect.left() + cell.min..=rect.left() + cell.max,
            rect.y_range(),
        );
        let (id, at) = (ui.scope_id().with(number), (place, number));
        painted_cell(ui, rect, id, Role::Cell, Sense::hover(), at, || {
            column.text(table, row, scene)
        });
    }
}

fn paint_row(
    painter: &Painter,
    theme: &Theme,
    rect: Rect,
    table: &ColumnTable,
    row: &NodeView,
    scene: &Listing<'_>,
) {
    let inspection = scene.inspection;
    if scene.path.contains(&row.id) && row.id != inspection.selected() {
        painter.rect_filled(rect, theme::RADIUS_S, theme.bg3);
    }

    if inspection.line().contains(row.id) {
        let mark = Rect::from_min_size(
            rect.left_top() + vec2(0.0, 3.0),
            vec2(3.0, rect.height() - 6.0),
        );
        painter.rect_filled(mark, 1, theme.accent);
    }

    let is_dim = clarity(inspection, row.id) != Clarity::Clear;
    let (first, second) = if is_dim {
        (theme.text3, theme.text3)
    } else {
        (theme.text1, theme.text2)
    };

    let mut painter = painter.clone();
    if is_dim {
        painter.multiply_opacity(theme::STALE_ALPHA);
    }

    let knowledge = inspection.known(row.id);
    let y = rect.center().y - 1.0;
    let bar = rect.bottom() - BAR - 1.0;
    for (column, cell) in table.columns() {
        let (from, to) = (rect.left() + cell.min, rect.left() + cell.max);
        let number = |text: &str, color: Color32, strong: bool| {
            let font = if strong {
                theme::strong()
            } else {
                theme::body()
            };
            painter.text(pos2(to, y), Align2::RIGHT_CENTER, text, font, color);
        };

        let share = |part: f64| {
            let length = (to - from) * part.clamp(0.0, 1.0) as f32;
            painter.rect_filled(
                Rect::from_x_y_ranges(to - length..=to, bar..=bar + BAR),
                0,
                theme.line,
            );
        };

        let text = column.text(table, row, scene);
        match column {
            NodeColumn::Link => drop(painter.text(
                pos2(from, y),
                Align2::LEFT_CENTER,
                text,
                theme::body(),
                first,
            )),
            NodeColumn::Kind => {
                let fill = (row.value.is_some() && knowledge == Known::All)
                    .then(|| theme.diverging(inspection.tint(row.id)));
                paint_node(
                    &painter,
                    theme,
                    row.kind,
                    pos2((from + to) / 2.0, rect.center().y),
                    LEGEND_RADIUS,
                    fill,
                );
                if replay_state(inspection, row.id) == Some(Seen::Open) {
                    painter.circle_filled(pos2(to + 3.0, rect.top() + 5.0), 2.5, theme.warn);
                }
            }
            NodeColumn::Value => {
                number(&text, first, inspection.line().contains(row.id));
                let middle = (from + to) / 2.0;
                let end = middle + (to - from) / 2.0 * inspection.tint(row.id);
                let bar = Rect::from_x_y_ranges(middle.min(end)..=middle.max(end), bar..=bar + BAR);
                painter.rect_filled(bar, 0, theme.diverging(inspection.tint(row.id).signum()));
                painter.vline(
                    middle,
                    bar.y_range().expand(1.0),
                    Stroke::new(1.0, theme.line),
                );
            }
            NodeColumn::Probability => {
                number(&text, second, false);
                share(row.probability.unwrap_or(0.0));
            }
            NodeColumn::Reach => {
                number(&text, second, false);
                share(if 0.0 < table.parent.reach {
                    row.reach / table.parent.reach
                } else {
                    0.0
                });
            }
            NodeColumn::Nodes => {
                number(&text, second, false);
                share(row.below as f64 / table.most.max(1) as f64);
            }
            NodeColumn::How => {
                let galley = elided(&painter, &text, theme::small(), second, to - from);
                painter.galley(pos2(from, y - galley.size().y / 2.0), galley, second);
            }
        }
    }
}

fn how(table: &ColumnTable, row: &NodeView) -> String {
    let off = row
        .value
        .zip(table.parent.value)
        .map(|(own, above)| own - above);
    match off.filter(|off| off.is_finite() && *off != 0.0) {
        Some(off) => format!("{}, {}", difference(off), row.origin.text()),
        None => row.origin.text(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::Rules;
    use crate::search::SearchOptions;
    use crate::strategy::{Decision, Player, Strategy};

    fn tree() -> Arc<Tree> {
        let text = "(criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(3)))])";
        let strategy: Strategy = text.parse().expect("a strategy");
        let board = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2"
            .parse()
            .expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            20_000,
        );
        decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.tree.clone())
            .expect("a record")
    }

    #[test]
    fn a_table_lists_every_child_in_the_order_that_is_asked_for() {
        let tree = tree();
        let id = tree.best_child(tree.root()).expect("a move");
        let all = tree.children(id).count();
        let keys = NodeColumn::ALL
            .into_iter()
            .map(|(column, ..)| column)
            .skip(2);
        for (by, falls) in keys.flat_map(|key| [(key, true), (key, false)]) {
            let table = ColumnTable::of(&tree, id, Some(Sort::new(by, falls)));
            assert_eq!(table.rows.len(), all);
            let number = |row: &NodeView| match by {
                NodeColumn::Value => row.value.expect("every spawn was searched"),
                NodeColumn::Probability => row.probability.expect("a spawn"),
                NodeColumn::Reach => row.reach,
                NodeColumn::Nodes => row.below as f64,
                _ => 0.0,
            };
            for two in table.rows.windows(2) {
                let (a, b) = (number(&two[0]), number(&two[1]));
                assert!(
                    if falls { b <= a } else { a <= b },
                    "{by:?} {falls}: {a} before {b}"
                );
            }
        }

        let usual = ColumnTable::of(&tree, id, None);
        let falling = ColumnTable::of(&tree, id, Some(Sort::falling(NodeColumn::Value)));
        assert_eq!(
            usual.rows, falling.rows,
            "the best first, as in the other views"
        );
    }
}
