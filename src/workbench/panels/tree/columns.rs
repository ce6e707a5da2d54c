//! The tree as tables side by side: the slides of the root, what is below the one on the way to the selection, and so on to
//! what is below the selection itself. Every recorded node is listed, whatever is folded elsewhere.

use std::sync::Arc;

use egui::{
    Align, Align2, Color32, Layout, Pos2, Rect, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::frame::{Clarity, Moved, ViewFrame, clarity, replay_state};
use super::words::{difference, link_text, ply_name, reach, sentence_of, value};
use crate::search::{Link, NodeId, NodeView, Seen, Tree};
use crate::words;
use crate::workbench::command::{Commands, TreeCommand};
use crate::workbench::kit::{LEGEND_RADIUS, elided, focus_ring, header, paint_node};
use crate::workbench::panels::Inspection;
use crate::workbench::theme::{self, Theme};

/// Between the tables.
const BETWEEN: f32 = 16.0;
/// Between the cells of a row.
const CELL_GAP: f32 = 12.0;
/// Room of a row before its first cell.
const INSET: f32 = 8.0;
/// Height of the name of the ply above a table.
const TITLE: f32 = 20.0;
/// Height of the bars in the cells.
const BAR: f32 = 3.0;

/// What rows can be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Value,
    Probability,
    Reach,
    Nodes,
    How,
}

/// An order that a person asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sort {
    key: Key,
    falling: bool,
}

/// A column of a table, with its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Link,
    Kind,
    By(Key),
}

impl Field {
    /// Slides have no probability.
    const OF_SLIDES: [Self; 6] =
        [Self::Link, Self::Kind, Self::By(Key::Value), Self::By(Key::Reach), Self::By(Key::Nodes), Self::By(Key::How)];
    const OF_SPAWNS: [Self; 7] = [
        Self::Link,
        Self::Kind,
        Self::By(Key::Value),
        Self::By(Key::Probability),
        Self::By(Key::Reach),
        Self::By(Key::Nodes),
        Self::By(Key::How),
    ];

    const fn width(self) -> f32 {
        match self {
            Self::Link => 52.0,
            Self::Kind => 18.0,
            Self::By(Key::Value) => 84.0,
            Self::By(Key::Probability) => 44.0,
            Self::By(Key::Reach) => 60.0,
            Self::By(Key::Nodes) => 66.0,
            Self::By(Key::How) => 156.0,
        }
    }
}

impl Key {
    const fn title(self) -> (&'static str, &'static str) {
        match self {
            Self::Value => ("Value", "Value; the bar is its difference to the node above"),
            Self::Probability => ("Prob.", "Probability of the spawn at the node above"),
            Self::Reach => ("Reach", "How probable it is to come here if the player plays along"),
            Self::Nodes => ("Nodes", "Nodes below, those that are not recorded included"),
            Self::How => ("How", "How the value arose"),
        }
    }
}

/// One table: what is below a node.
#[derive(Debug)]
struct Table {
    parent: NodeView,
    rows: Vec<NodeView>,
    /// The largest count of nodes below a row, for the bars.
    most: u64,
}

impl Table {
    /// The rows in the order of `Folding::drawn`, every one of them, or as a person asked.
    fn of(tree: &Tree, id: NodeId, sort: Option<Sort>) -> Self {
        let parent = tree.node(id);
        let mut rows: Vec<NodeView> = tree.children(id).map(|child| tree.node(child)).collect();
        let worth = |row: &NodeView| row.value.unwrap_or(f64::NEG_INFINITY);
        let usual = Sort { key: Key::Value, falling: id != tree.root() || tree.objective().higher };
        let Sort { key, falling } = sort.unwrap_or(usual);
        // Stable: equals stay in the order of the visit.
        rows.sort_by(|a, b| {
            let order = match key {
                Key::Value => worth(a).total_cmp(&worth(b)),
                Key::Probability => a.probability.unwrap_or(0.0).total_cmp(&b.probability.unwrap_or(0.0)),
                Key::Reach => a.reach.total_cmp(&b.reach),
                Key::Nodes => a.below.cmp(&b.below),
                Key::How => a.kind.name().cmp(b.kind.name()).then_with(|| a.origin.text().cmp(&b.origin.text())),
            };
            if falling { order.reverse() } else { order }
        });
        let most = rows.iter().map(|row| row.below).max().unwrap_or(0);
        Self { parent, rows, most }
    }

    fn fields(&self) -> &'static [Field] {
        match self.rows.first().and_then(|row| row.link) {
            Some(Link::Spawn(_)) => &Field::OF_SPAWNS,
            _ => &Field::OF_SLIDES,
        }
    }

    fn width(&self) -> f32 {
        if self.rows.is_empty() {
            return 240.0;
        }
        let fields = self.fields();
        fields.iter().map(|field| field.width()).sum::<f32>() + CELL_GAP * (fields.len() - 1) as f32 + 2.0 * INSET
    }
}

#[derive(Debug, Default)]
pub(super) struct Columns {
    sort: Option<Sort>,
    /// From the root to the selection; kept while tree, selection and order stay.
    tables: Vec<Table>,
    of: Option<(u64, usize, NodeId, Option<Sort>)>,
    pub(super) frame: ViewFrame,
}

impl Columns {
    /// Draws it into the rest of the panel.
    pub(super) fn ui(&mut self, ui: &mut Ui, inspection: &mut Inspection, _commands: &mut Commands) {
        let Some(shown) = inspection.shown() else { return };
        let tree = shown.tree.clone();
        let selected = inspection.selected();
        self.gather(&tree, (shown.number, shown.row, selected, self.sort));
        // The arrows walk what is listed.
        if let Some(parent) = tree.parent(selected) {
            let depth = self.tables.len() - 2;
            inspection.list_siblings(parent, self.tables[depth].rows.iter().map(|row| row.id));
        }
        if inspection.is_old() {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        let is_asked = |command: &TreeCommand| !matches!(command, TreeCommand::ZoomIn | TreeCommand::ZoomOut);
        let is_asked = self.frame.take_requests().iter().any(is_asked);
        let moved = self.frame.follow((0, 0), selected) != Moved::Nothing || is_asked;
        let space = ui.available_rect_before_wrap();
        let mut clicked = None;
        let mut sorted = None;
        let on_path: Vec<NodeId> = tree.path(selected);
        ScrollArea::horizontal().id_salt("columns").auto_shrink(false).show(ui, |ui| {
            let height = space.height();
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = BETWEEN;
                for (depth, table) in self.tables.iter().enumerate() {
                    let (rect, _) = ui.allocate_exact_size(vec2(table.width(), height), Sense::hover());
                    // The table with the selection and the one behind it should be in view.
                    if moved && self.tables.len() <= depth + 2 {
                        ui.scroll_to_rect(rect, None);
                    }
                    if !ui.is_rect_visible(rect) {
                        continue;
                    }
                    let builder = UiBuilder::new().id_salt(("table", depth)).max_rect(rect);
                    let builder = builder.layout(Layout::top_down(Align::Min));
                    let mut inside = ui.new_child(builder);
                    let scene = Scene { tree: &tree, inspection, path: &on_path, selected, moved, sort: self.sort };
                    let said = table_ui(&mut inside, table, depth, &scene);
                    clicked = clicked.or(said.clicked);
                    sorted = sorted.or(said.sorted);
                    let line = rect.right() + BETWEEN / 2.0;
                    ui.painter().vline(line, rect.y_range(), Stroke::new(1.0, Theme::of(ui).sep));
                }
            });
        });
        if let Some(id) = clicked {
            inspection.click(id);
        }
        if let Some(key) = sorted {
            self.sort = match self.sort {
                Some(Sort { key: same, falling: true }) if same == key => Some(Sort { key, falling: false }),
                Some(Sort { key: same, falling: false }) if same == key => None,
                _ => Some(Sort { key, falling: true }),
            };
        }
    }

    fn gather(&mut self, tree: &Arc<Tree>, of: (u64, usize, NodeId, Option<Sort>)) {
        if self.of == Some(of) {
            return;
        }
        self.of = Some(of);
        let (.., selected, sort) = of;
        self.tables = tree.path(selected).into_iter().map(|id| Table::of(tree, id, sort)).collect();
    }
}

/// What every row looks at.
struct Scene<'a> {
    tree: &'a Tree,
    inspection: &'a Inspection,
    path: &'a [NodeId],
    selected: NodeId,
    /// Whether the selection is another one than in the last frame.
    moved: bool,
    sort: Option<Sort>,
}

#[derive(Default)]
struct Said {
    clicked: Option<NodeId>,
    sorted: Option<Key>,
}

fn table_ui(ui: &mut Ui, table: &Table, depth: usize, scene: &Scene<'_>) -> Said {
    let theme = Theme::of(ui);
    let mut said = Said::default();
    ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
    let (title, _) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::hover());
    let name = ply_name(depth + 1, scene.tree.is_turn(depth as u32 + 1));
    let above = match table.parent.link {
        Some(link) => format!("{name} below {}", link_text(link)),
        None => name,
    };
    let galley = elided(ui.painter(), &above, theme::small(), theme.text2, title.width() - 2.0 * INSET);
    ui.painter().galley(pos2(title.left() + INSET, title.center().y - galley.size().y / 2.0), galley, theme.text2);
    if table.rows.is_empty() {
        nothing(ui, theme, table);
        return said;
    }
    let fields = table.fields();
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    for (field, x) in cells(fields, head) {
        let Field::By(key) = field else { continue };
        let (text, about) = key.title();
        let rect = Rect::from_min_max(pos2(x.0, head.top()), pos2(x.1, head.bottom()));
        let mut cell = ui.new_child(UiBuilder::new().id_salt(text).max_rect(rect).layout(Layout::top_down(Align::Min)));
        cell.spacing_mut().item_spacing.x = CELL_GAP;
        let usual = (scene.sort.is_none() && key == Key::Value).then_some(true);
        let direction = scene.sort.filter(|sort| sort.key == key).map(|sort| sort.falling).or(usual);
        if header(&mut cell, text, about, key != Key::How, direction).clicked() {
            said.sorted = Some(key);
        }
    }
    let left_out = table.parent.left_out;
    let count = table.rows.len() + usize::from(0 < left_out);
    let chosen = table.rows.iter().position(|row| scene.path.contains(&row.id));
    let mut area = ScrollArea::vertical().id_salt("rows").auto_shrink(false);
    if let Some(place) = chosen.filter(|_| scene.moved) {
        // Only as far as it takes; egui keeps it within the content.
        let room = ui.available_height();
        let offset = (place as f32 + 0.5) * theme::ROW - room / 2.0;
        if room < count as f32 * theme::ROW {
            area = area.vertical_scroll_offset(offset.max(0.0));
        }
    }
    area.show_rows(ui, theme::ROW, count, |ui, rows| {
        for place in rows {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
            let Some(row) = table.rows.get(place) else {
                let text = format!("and {} that are not recorded", words::count(left_out));
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
                put(ui, pos2(rect.left() + INSET, rect.center().y), Align2::LEFT_CENTER, &text, theme.text3, false);
                continue;
            };
            let is_selected = row.id == scene.selected;
            let name = || sentence_of(scene.tree, row);
            response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_selected, name()));
            if response.clicked() {
                said.clicked = Some(row.id);
            }
            paint_row(ui, theme, rect, fields, table, row, scene, response.hovered());
            if response.has_focus() {
                focus_ring(ui, rect.shrink(2.0));
            }
            response.on_hover_text_at_pointer(name());
        }
    });
    said
}

/// Why there are no rows.
fn nothing(ui: &mut Ui, theme: &Theme, table: &Table) {
    let text = match table.parent.left_out {
        0 => format!("Nothing below: {}", table.parent.origin.text()),
        left_out => format!("{} below are not recorded", words::plural(left_out, "node")),
    };
    let label = egui::Label::new(egui::RichText::new(text).color(theme.text3)).wrap();
    ui.horizontal(|ui| {
        ui.add_space(INSET);
        ui.add(label);
    });
}

/// From where to where each cell reaches.
fn cells(fields: &'static [Field], row: Rect) -> impl Iterator<Item = (Field, (f32, f32))> {
    let mut x = row.left() + INSET;
    fields.iter().map(move |&field| {
        let from = x;
        x += field.width() + CELL_GAP;
        (field, (from, from + field.width()))
    })
}

fn put(ui: &Ui, at: Pos2, align: Align2, text: &str, color: Color32, strong: bool) {
    let font = if strong { theme::strong() } else { theme::body() };
    ui.painter().text(at, align, text, font, color);
}

#[expect(clippy::too_many_arguments, reason = "what a row is painted from, passed on once")]
fn paint_row(
    ui: &Ui,
    theme: &Theme,
    rect: Rect,
    fields: &'static [Field],
    table: &Table,
    row: &NodeView,
    scene: &Scene<'_>,
    hovered: bool,
) {
    let inspection = scene.inspection;
    let is_on_path = scene.path.contains(&row.id);
    let fill = match (row.id == scene.selected, is_on_path, hovered) {
        (true, ..) => Some(theme.accent_bg),
        (_, true, _) => Some(theme.bg3),
        (_, _, true) => Some(theme.bg4),
        _ => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 0.5)), theme::RADIUS_S, fill);
    }
    if inspection.line().contains(row.id) {
        let mark = Rect::from_min_size(rect.left_top() + vec2(0.0, 3.0), vec2(3.0, rect.height() - 6.0));
        ui.painter().rect_filled(mark, 1, theme.accent);
    }
    let is_dim = clarity(inspection, row.id) != Clarity::Clear;
    let (first, second) = if is_dim { (theme.text3, theme.text3) } else { (theme.text1, theme.text2) };
    let mut painter = ui.painter().clone();
    if is_dim {
        painter.multiply_opacity(theme::STALE_ALPHA);
    }
    let put = |at: Pos2, align: Align2, text: &str, color: Color32, strong: bool| {
        let font = if strong { theme::strong() } else { theme::body() };
        painter.text(at, align, text, font, color);
    };
    let y = rect.center().y - 1.0;
    let bar = rect.bottom() - BAR - 1.0;
    for (field, (from, to)) in cells(fields, rect) {
        let right = pos2(to, y);
        let share = |part: f64| {
            let length = (to - from) * part.clamp(0.0, 1.0) as f32;
            let bar = Rect::from_min_max(pos2(to - length, bar), pos2(to, bar + BAR));
            painter.rect_filled(bar, 0, theme.line);
        };
        match field {
            Field::Link => {
                let link = row.link.map(link_text).unwrap_or_default();
                put(pos2(from, y), Align2::LEFT_CENTER, &link, first, false);
            }
            Field::Kind => {
                let fill = row.value.is_some().then(|| theme.diverging(inspection.tint(row.id)));
                paint_node(&painter, theme, row.kind, pos2((from + to) / 2.0, rect.center().y), LEGEND_RADIUS, fill);
                if replay_state(inspection, row.id) == Some(Seen::Open) {
                    painter.circle_filled(pos2(to + 3.0, rect.top() + 5.0), 2.5, theme.warn);
                }
            }
            Field::By(Key::Value) => {
                let text = if row.value.is_some() { value(row.value, row.bound) } else { "–".to_owned() };
                put(right, Align2::RIGHT_CENTER, &text, first, inspection.line().contains(row.id));
                let middle = (from + to) / 2.0;
                let end = middle + (to - from) / 2.0 * inspection.tint(row.id);
                let bar = Rect::from_x_y_ranges(middle.min(end)..=middle.max(end), bar..=bar + BAR);
                painter.rect_filled(bar, 0, theme.diverging(inspection.tint(row.id).signum()));
                painter.vline(middle, bar.y_range().expand(1.0), Stroke::new(1.0, theme.line));
            }
            Field::By(Key::Probability) => {
                let text = row.probability.map_or("–".to_owned(), |p| format!("{p:.3}"));
                put(right, Align2::RIGHT_CENTER, &text, second, false);
                share(row.probability.unwrap_or(0.0));
            }
            Field::By(Key::Reach) => {
                put(right, Align2::RIGHT_CENTER, &reach(row.reach), second, false);
                share(if 0.0 < table.parent.reach { row.reach / table.parent.reach } else { 0.0 });
            }
            Field::By(Key::Nodes) => {
                put(right, Align2::RIGHT_CENTER, &words::count(row.below), second, false);
                share(row.below as f64 / table.most.max(1) as f64);
            }
            Field::By(Key::How) => {
                let galley = elided(&painter, &how(table, row), theme::small(), second, to - from);
                painter.galley(pos2(from, y - galley.size().y / 2.0), galley, second);
            }
        }
    }
}

/// How a value arose, with its difference to the node above.
fn how(table: &Table, row: &NodeView) -> String {
    let off = row.value.zip(table.parent.value).map(|(own, above)| own - above);
    match off.filter(|off| off.is_finite() && *off != 0.0) {
        Some(off) => format!("{}, {}", difference(off), row.origin.text()),
        None => row.origin.text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::search::SearchOptions;
    use crate::strategy::{Decision, Player, Strategy};

    fn tree() -> Arc<Tree> {
        let text = "(criteria: [(evaluator: Score, lookahead: Expectimax(plies: Fixed(3)))])";
        let strategy: Strategy = text.parse().expect("a strategy");
        let board = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2".parse().expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(&Player::new(&strategy, Rules::default()), (&board, 0), |_| 0, order, 20_000);
        decision.searches[0].as_ref().and_then(|searched| searched.tree.clone()).expect("a record")
    }

    #[test]
    fn a_table_lists_every_child_in_the_order_that_is_asked_for() {
        let tree = tree();
        let id = tree.best_child(tree.root()).expect("a move");
        let all = tree.children(id).count();
        let keys = [Key::Value, Key::Probability, Key::Reach, Key::Nodes, Key::How];
        for (key, falling) in keys.into_iter().flat_map(|key| [(key, true), (key, false)]) {
            let table = Table::of(&tree, id, Some(Sort { key, falling }));
            assert_eq!(table.rows.len(), all);
            let number = |row: &NodeView| match key {
                Key::Value => row.value.expect("every spawn was searched"),
                Key::Probability => row.probability.expect("a spawn"),
                Key::Reach => row.reach,
                Key::Nodes => row.below as f64,
                Key::How => 0.0,
            };
            for two in table.rows.windows(2) {
                let (a, b) = (number(&two[0]), number(&two[1]));
                assert!(if falling { b <= a } else { a <= b }, "{key:?} {falling}: {a} before {b}");
            }
        }
        let usual = Table::of(&tree, id, None);
        let falling = Table::of(&tree, id, Some(Sort { key: Key::Value, falling: true }));
        assert_eq!(usual.rows, falling.rows, "the best first, as in the other views");
    }
}
