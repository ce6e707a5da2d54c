//! The search of a second strategy beside that of the one that plays, on the same board.
//!
//! One row for each path: left what the strategy that plays found there, right what the other did, between them how much more
//! the right one thinks of it. A node that only one of the two has says why the other does not. What is folded and what is
//! selected is that of the left tree, shared with the other views.
//!
//! Two searches with one evaluator are compared value against value. Values of two evaluators have units of their own, so
//! there differences are counted in what is at stake at the root, see [`Matched`].

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use egui::{
    Align, Align2, Color32, FontId, Layout, Pos2, Rect, RichText, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};

use super::replay_bar::link_text;
use crate::game::Move;
use crate::search::{Bound, Cut, Link, Lookahead, Matched, NodeId, NodeKind, Origin, Plies, Tree};
use crate::strategy::Strategy;
use crate::words;
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::document::{Document, Opened, TELL_AFTER};
use crate::workbench::errand::Errand;
use crate::workbench::icon::Icon;
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::inspection::{Base, Folding, Line, Shown};
use crate::workbench::theme::{self, StrategyMark, Theme};
use crate::workbench::widget::{Button, drop_down, elided, empty, focus_ring, paint_key, paint_node};

/// Which decisions, and which of their rows.
type Key = [(u64, usize); 2];

/// Both searches with what is known of them together.
#[derive(Debug)]
struct Pair {
    shown: [Shown; 2],
    matched: Matched,
    /// Nodes of both at which they prefer different moves.
    disagreements: u64,
    /// Nodes of both at which the player moves and both have a value.
    choices: u64,
    /// Whether both count in the same units, so that values themselves are compared.
    same_units: bool,
    /// The difference at the ends of the bars.
    span: f64,
    /// Decimals of the values of each.
    decimals: [usize; 2],
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Row {
    /// A path: its node in each record.
    Node { nodes: [Option<NodeId>; 2], depth: u32 },
    /// Spawns of a node of the left record that are not drawn; 0 where all are.
    More { of: NodeId, depth: u32, count: u64 },
}

#[derive(Debug, Default)]
pub(super) struct Compare {
    pair: Option<Pair>,
    matching: Option<(Key, Errand<Pair>)>,
    rows: Vec<Row>,
    /// Whether there are more rows than are listed.
    is_cut_short: bool,
    /// What the rows were made for.
    made_for: Option<(Key, u64, u64)>,
    /// Unfolded nodes that only the right record has.
    open: HashSet<NodeId>,
    /// Grows with every change of those.
    openings: u64,
    /// The selection that was scrolled to last.
    scrolled_to: Option<NodeId>,
    visible: Range<usize>,
}

/// Records with fewer nodes together are matched while the window waits.
const AT_ONCE: usize = 20_000;
/// More rows than anyone reads.
const MOST_ROWS: usize = 20_000;
/// Differences above this share of all look alike.
const SPAN_QUANTILE: f64 = 0.95;
/// As many nodes are looked at for the span and the decimals.
const SAMPLES: usize = 4096;

/// Height of what is said about each strategy.
const HEADER: f32 = 60.0;
/// Height of the names of the columns.
const COLUMNS: f32 = 20.0;
/// Radius of the signs.
const SIGN: f32 = 8.0;
/// By so much each level stands further right.
const INDENT: f32 = 14.0;
/// Width of the difference: number, bar and mark.
const MIDDLE: f32 = 164.0;
/// Below this width the right half has values alone.
const ROOMY: f32 = 720.0;

impl Pair {
    fn new(shown: [Shown; 2]) -> Self {
        let [a, b] = &shown;
        let matched = Matched::new(a.tree.clone(), b.tree.clone());
        let evaluator = |shown: &Shown| shown.tree.subject().definition.evaluator.clone();
        let same_units = evaluator(a) == evaluator(b);
        let step = a.tree.kept().div_ceil(SAMPLES).max(1);
        let differences = a.tree.ids().step_by(step).filter_map(|id| difference(&matched, same_units, id));
        let mut differences: Vec<f64> =
            differences.map(f64::abs).filter(|size| 0.0 < *size && size.is_finite()).collect();
        let span = match differences.len() {
            0 => 1.0,
            len => *differences.select_nth_unstable_by(((len - 1) as f64 * SPAN_QUANTILE) as usize, f64::total_cmp).1,
        };
        let is_choice = |id: NodeId| {
            let Some(twin) = matched.b_of(id) else { return false };
            a.tree.kind(id) == NodeKind::Max && b.tree.kind(twin) == NodeKind::Max
        };
        let choices: Vec<NodeId> = a.tree.ids().filter(|&id| is_choice(id)).collect();
        let disagreements = choices.iter().filter(|&&id| matched.disagree(id)).count() as u64;
        let decimals = [&a.tree, &b.tree].map(|tree| decimals_of(tree));
        Self { disagreements, choices: choices.len() as u64, same_units, span, decimals, matched, shown }
    }

    fn key(&self) -> Key {
        [0, 1].map(|side| (self.shown[side].number, self.shown[side].row))
    }

    fn tree(&self, side: usize) -> &Arc<Tree> {
        &self.shown[side].tree
    }

    /// The children of a path that are rows, and how many spawns of the left one are not.
    fn children(
        &self,
        [a, b]: [Option<NodeId>; 2],
        folding: &Folding,
        line: &Line,
    ) -> (Vec<[Option<NodeId>; 2]>, Option<u64>) {
        let [left, right] = [self.tree(0), self.tree(1)];
        let is_spawn_node = |tree: &Tree, id: NodeId| {
            tree.children(id).next().is_some_and(|child| matches!(tree.link(child), Some(Link::Spawn(_))))
        };
        let is_few = a.is_none_or(|a| !folding.shows_all_spawns(a));
        let spawns_left = a.is_some_and(|a| is_spawn_node(left, a));
        let spawns_right = b.is_some_and(|b| is_spawn_node(right, b));
        let mut hidden = 0;
        let mut shown = Vec::new();
        if let Some(a) = a {
            let drawn = folding.drawn(left, line, a);
            (shown, hidden) = (drawn.shown, drawn.hidden);
            // The spawns that say most about the other search too.
            if let Some(b) = b.filter(|_| is_few && spawns_left) {
                let also = right.representatives(b, None, None).into_iter().filter_map(|id| self.matched.a_of(id));
                let also: Vec<NodeId> = also.filter(|id| !shown.contains(id)).collect();
                hidden = hidden.saturating_sub(also.len() as u64);
                shown.extend(also);
                let worth = |id: NodeId| left.value(id).unwrap_or(f64::NEG_INFINITY);
                shown.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
            }
        }
        let mut children: Vec<_> = shown.into_iter().map(|id| [Some(id), self.matched.b_of(id)]).collect();
        if let Some(b) = b {
            let alone: Vec<NodeId> = right.children(b).filter(|&id| self.matched.a_of(id).is_none()).collect();
            let few = match is_few && spawns_right {
                true => right.representatives(b, None, None).into_iter().filter(|id| alone.contains(id)).collect(),
                false => alone.clone(),
            };
            hidden += (alone.len() - few.len()) as u64;
            children.extend(few.into_iter().map(|id| [None, Some(id)]));
        }
        let can_be_fewer = !is_few && folding.base() != Base::Everything;
        let hidden = ((spawns_left || spawns_right) && (0 < hidden || can_be_fewer)).then_some(hidden);
        (children, hidden)
    }

    /// Whether something is recorded below a path.
    fn has_below(&self, nodes: [Option<NodeId>; 2]) -> bool {
        [0, 1].into_iter().any(|side| nodes[side].is_some_and(|id| self.tree(side).kept_below(id) != 0))
    }

    /// What stands at a path in one record: the value, or why there is none.
    fn said(&self, side: usize, nodes: [Option<NodeId>; 2]) -> Said {
        let tree = self.tree(side);
        let Some(id) = nodes[side] else {
            let other = nodes[1 - side].unwrap_or(NodeId(0));
            return Said { value: None, note: self.why_missing(side, other), is_cut: true };
        };
        let Some(value) = tree.value(id) else {
            return Said { value: None, note: tree.node(id).origin.text(), is_cut: true };
        };
        let value = Some(format!("{}{}", tree.bound(id).sign(), words::decimals(value, self.decimals[side])));
        match tree.kind(id) {
            NodeKind::Cut => Said { value, note: tree.node(id).origin.text(), is_cut: true },
            NodeKind::Cached => Said { value, note: "from the table".to_owned(), is_cut: false },
            NodeKind::Dead => Said { value, note: "dead board".to_owned(), is_cut: false },
            _ => Said { value, note: String::new(), is_cut: false },
        }
    }

    /// Why one record does not hold a node that the other has: what ended it at the nearest node above that both have.
    fn why_missing(&self, side: usize, other: NodeId) -> String {
        let (tree, other_tree) = (self.tree(side), self.tree(1 - side));
        let twin = |id: NodeId| if side == 1 { self.matched.b_of(id) } else { self.matched.a_of(id) };
        let above = std::iter::successors(other_tree.parent(other), |&id| other_tree.parent(id)).find_map(twin);
        let Some(above) = above else { return "another board".to_owned() };
        if 0 < tree.left_out_at(above) {
            return "left out of the record".to_owned();
        }
        match tree.node(above).origin {
            Origin::Evaluated => "beyond its depth".to_owned(),
            Origin::Dead => "it ends at a dead board".to_owned(),
            Origin::Stored { .. } => "above, the table had the value".to_owned(),
            origin @ (Origin::TooImprobable { .. } | Origin::OutOfBounds { .. } | Origin::Unimportant { .. }) => {
                format!("cut above: {}", origin.text())
            }
            _ => "not searched".to_owned(),
        }
    }

    /// Whether a record prefers this node among its siblings.
    fn is_best(&self, side: usize, id: Option<NodeId>) -> bool {
        let tree = self.tree(side);
        id.is_some_and(|id| tree.parent(id).is_some_and(|parent| tree.best_child(parent) == Some(id)))
    }

    fn difference(&self, nodes: [Option<NodeId>; 2]) -> Option<f64> {
        difference(&self.matched, self.same_units, nodes[0]?)
    }

    fn difference_decimals(&self) -> usize {
        if self.same_units { self.decimals[0].max(self.decimals[1]) } else { 2 }
    }

    fn disagree(&self, nodes: [Option<NodeId>; 2]) -> bool {
        nodes[0].is_some_and(|id| self.matched.disagree(id))
    }
}

/// How much more the right record thinks of a node of the left one.
fn difference(matched: &Matched, same_units: bool, a: NodeId) -> Option<f64> {
    if !same_units {
        return matched.difference(a);
    }
    let b = matched.b_of(a)?;
    let exact = |tree: &Tree, id: NodeId| tree.value(id).filter(|_| tree.bound(id) == Bound::Exact);
    Some(exact(matched.b(), b)? - exact(matched.a(), a)?).filter(|difference| difference.is_finite())
}

/// What one half of a row says.
struct Said {
    value: Option<String>,
    note: String,
    is_cut: bool,
}

/// None where all values are whole.
fn decimals_of(tree: &Tree) -> usize {
    let step = tree.kept().div_ceil(SAMPLES).max(1);
    usize::from(tree.ids().step_by(step).filter_map(|id| tree.value(id)).any(|value| value.fract() != 0.0))
}

/// The rows of all that is unfolded, from the top; says whether some did not fit.
fn rows_of(pair: &Pair, folding: &Folding, line: &Line, open: &HashSet<NodeId>) -> (Vec<Row>, bool) {
    let mut rows = Vec::new();
    let mut next = vec![Row::Node { nodes: [Some(NodeId(0)), pair.matched.b_of(NodeId(0))], depth: 0 }];
    while let Some(row) = next.pop() {
        if MOST_ROWS <= rows.len() {
            return (rows, true);
        }
        rows.push(row);
        let Row::Node { nodes, depth } = row else { continue };
        if !pair.has_below(nodes) || !is_unfolded(nodes, depth, folding, line, open) {
            continue;
        }
        let (children, hidden) = pair.children(nodes, folding, line);
        let depth = depth + 1;
        if let (Some(count), Some(of)) = (hidden, nodes[0]) {
            next.push(Row::More { of, depth, count });
        }
        next.extend(children.into_iter().rev().map(|nodes| Row::Node { nodes, depth }));
    }
    (rows, false)
}

fn is_unfolded(
    [a, b]: [Option<NodeId>; 2],
    depth: u32,
    folding: &Folding,
    line: &Line,
    open: &HashSet<NodeId>,
) -> bool {
    match (a, b) {
        (Some(a), _) => folding.is_unfolded(line, a, depth),
        (None, Some(b)) => open.contains(&b),
        (None, None) => false,
    }
}

impl Compare {
    /// Draws both trees side by side.
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, inspection: &mut Inspection, commands: &mut Commands) {
        self.poll(doc, inspection);
        let is_fresh = doc.is_rival_settled() && !inspection.is_old();
        self.header_ui(ui, doc, inspection, is_fresh);
        self.buttons_ui(ui, doc, commands);
        self.summary_ui(ui);
        let Some(pair) = &self.pair else {
            let sentence = match doc.rival_since() {
                Some(_) => "Searching: both trees appear here side by side",
                None if inspection.is_old() => "The first search comes first",
                None if doc.is_rival_settled() => "Nothing to compare: one of the two decided without a search",
                None => "The second strategy was stopped or cannot play here: choose another, or change the position",
            };
            empty(ui, sentence);
            return;
        };
        let is_shown = inspection.shown().is_some_and(|shown| Arc::ptr_eq(&shown.tree, pair.tree(0)));
        if is_shown {
            self.make_rows(inspection);
        }
        ui.scope(|ui| {
            if !is_fresh {
                ui.multiply_opacity(theme::STALE_ALPHA);
            }
            if !is_shown {
                ui.disable();
            }
            self.rows_ui(ui, inspection);
        });
    }

    /// Matches the trees once both are there; what was matched before stays until then.
    fn poll(&mut self, doc: &Document, inspection: &Inspection) {
        if let Some(answer) = self.matching.as_ref().and_then(|(_, errand)| errand.poll()) {
            self.matching = None;
            self.pair = answer.ok();
        }
        if inspection.is_old() || !doc.is_rival_settled() {
            return;
        }
        let shown = inspection.shown().cloned().zip(doc.rival_decided().and_then(|decided| Shown::of(decided, None)));
        let Some((a, b)) = shown else {
            (self.pair, self.matching) = (None, None);
            return;
        };
        let key = [(a.number, a.row), (b.number, b.row)];
        let is_done = self.pair.as_ref().is_some_and(|pair| pair.key() == key);
        let is_under_way = self.matching.as_ref().is_some_and(|(of, _)| *of == key);
        if is_done || is_under_way {
            return;
        }
        // Numbers of nodes mean others now.
        self.open.clear();
        self.openings += 1;
        if a.tree.kept() + b.tree.kept() < AT_ONCE {
            self.pair = Some(Pair::new([a, b]));
        } else {
            self.matching = Some((key, Errand::send(doc.wake(), move |_| Pair::new([a, b]))));
        }
    }

    fn make_rows(&mut self, inspection: &mut Inspection) {
        let Some(pair) = &self.pair else { return };
        let wanted = (pair.key(), inspection.version(), self.openings);
        if self.made_for == Some(wanted) && inspection.rows.is_some() {
            return;
        }
        (self.rows, self.is_cut_short) = rows_of(pair, inspection.folding(), inspection.line(), &self.open);
        let walked = self.rows.iter().filter_map(|row| match row {
            Row::Node { nodes: [a, _], .. } => *a,
            Row::More { .. } => None,
        });
        inspection.rows = Some(walked.collect());
        self.made_for = Some(wanted);
    }

    // Above the rows

    fn header_ui(&self, ui: &mut Ui, doc: &Document, inspection: &Inspection, is_fresh: bool) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADER), Sense::hover());
        let middle = if ROOMY <= rect.width() { MIDDLE } else { 120.0 };
        let side = (rect.width() - middle) / 2.0;
        let left = Rect::from_min_size(rect.min, vec2(side, HEADER));
        let right = Rect::from_min_size(pos2(rect.right() - side, rect.top()), vec2(side, HEADER));
        let theirs = doc.rival().map(|index| doc.strategies()[index].clone());
        let shown = self.pair.as_ref().map(|pair| &pair.shown);
        let searching =
            |since: Option<std::time::Instant>| since.filter(|since| TELL_AFTER <= since.elapsed()).is_some();
        let ours = Half {
            strategy: &doc.strategy(),
            mark: Theme::of(ui).strategy(doc.mark(doc.strategy().hash())),
            shown: inspection.shown(),
            state: if inspection.is_old() { Some("searching") } else { None },
        };
        ours.ui(ui, left, "Plays");
        if let Some(theirs) = &theirs {
            let state = match () {
                () if searching(doc.rival_since()) => Some("searching"),
                () if doc.is_rival_settled() || doc.rival_since().is_some() || inspection.is_old() => None,
                () => Some("stopped"),
            };
            let half = Half {
                strategy: theirs,
                mark: Theme::of(ui).strategy(doc.mark(theirs.hash())),
                shown: shown.map(|[_, theirs]| theirs),
                state,
            };
            half.ui(ui, right, "Beside it");
        }
        let between = Rect::from_min_max(pos2(left.right(), rect.top()), pos2(right.left(), rect.bottom()));
        self.verdict_ui(ui, between, is_fresh);
    }

    /// Whether the two choose alike.
    fn verdict_ui(&self, ui: &mut Ui, rect: Rect, is_fresh: bool) {
        let theme = Theme::of(ui);
        let Some([Some(a), Some(b)]) = self.pair.as_ref().map(|pair| [0, 1].map(|side| pair.tree(side).chosen)) else {
            return;
        };
        let (sign, first, second) = match a == b {
            true => ("=", "both choose", title(a)),
            false => ("≠", "they differ", format!("{} against {}", title(a), title(b))),
        };
        let sentence = match a == b {
            true => format!("Both choose {}", title(a)),
            false => format!("They differ: {} against {}", title(a), title(b)),
        };
        let response = ui.interact(rect, ui.scope_id().with("verdict"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sentence));
        let mut painter = ui.painter().clone();
        if !is_fresh {
            painter.multiply_opacity(theme::STALE_ALPHA);
        }
        let color = if a == b { theme.text1 } else { theme.warn };
        let center = rect.center().x;
        let put = |y: f32, text: &str, font: FontId, color: Color32| {
            let galley = elided(&painter, text, font, color, rect.width());
            painter.galley(pos2(center - galley.size().x / 2.0, y), galley, color);
        };
        put(rect.top() - 2.0, sign, theme::strong_of(20.0), color);
        put(rect.top() + 23.0, first, theme::small(), theme.text2);
        put(rect.top() + 37.0, &second, theme::strong(), theme.text1);
    }

    fn buttons_ui(&self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let is_roomy = ROOMY <= ui.available_width();
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CONTROL), layout, |ui| {
            for (command, icon, short) in [
                (TreeCommand::PreviousDisagreement, Icon::ChevronLeft, "Previous"),
                (TreeCommand::NextDisagreement, Icon::ChevronRight, "Next"),
            ] {
                let command = Command::Tree(command);
                let text = if is_roomy { command.text() } else { short };
                commands.show(ui, Button::new(text).icon(icon).name(command.text()), command, Ok(()));
            }
            if doc.is_walking() {
                ui.label(RichText::new("Looking…").color(theme.text2)).on_hover_text("Escape stops it");
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let command = Command::CompareWith(None);
                let end = ui.add(Button::new("End comparison")).on_hover_text("Show one tree again (V)");
                if end.clicked() {
                    commands.push(command);
                }
                let name =
                    |index: usize| doc.strategies().get(index).map(|strategy| strategy.label()).unwrap_or_default();
                let chosen = doc.rival().map(name).unwrap_or_default();
                let width = if is_roomy { 150.0 } else { 96.0 };
                let choice = drop_down("rival", elided_text(ui, &chosen, width - 24.0), width).show_ui(ui, |ui| {
                    for index in (0..doc.strategies().len()).filter(|&index| index != doc.current()) {
                        if ui.selectable_label(doc.rival() == Some(index), name(index)).clicked() {
                            commands.push(Command::CompareWith(Some(index)));
                        }
                    }
                });
                choice.response.accessible_name("Strategy beside it").on_hover_text("The strategy on the right");
            });
        });
    }

    fn summary_ui(&self, ui: &mut Ui) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::TAG), Sense::hover());
        let text = match &self.pair {
            Some(pair) => {
                let shared = words::plural(pair.matched.shared() as u64, "node");
                let [left, right] = pair.matched.only().map(|count| words::count(count as u64));
                let (differ, choices) = (words::count(pair.disagreements), words::plural(pair.choices, "choice"));
                format!("{shared} in both, {left} only left, {right} only right · they differ at {differ} of {choices}")
            }
            None if self.matching.is_some() => "Matching the nodes…".to_owned(),
            None => return,
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        let galley = elided(ui.painter(), &text, theme::small(), theme.text2, rect.width());
        ui.painter().galley(pos2(rect.left(), rect.center().y - galley.size().y / 2.0), galley, theme.text2);
        let about = "Nodes are the same when the same slides and spawns lead there. A choice is a board to move that both \
            searched; they differ where no slide is best for both.";
        response.on_hover_text(about);
    }

    // The rows

    fn rows_ui(&mut self, ui: &mut Ui, inspection: &mut Inspection) {
        let Some(pair) = &self.pair else { return };
        let columns = Columns::of(ui.max_rect().left(), ui.available_width());
        columns.names_ui(ui, pair);
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical().auto_shrink(false).id_salt("comparison");
        let selected = inspection.selected();
        if self.scrolled_to != Some(selected) {
            let at =
                self.rows.iter().position(|row| matches!(row, Row::Node { nodes: [Some(a), _], .. } if *a == selected));
            if let Some(at) = at.filter(|at| self.scrolled_to.is_some() && !self.visible.contains(at)) {
                let half = self.visible.len() as f32 / 2.0;
                area = area.vertical_scroll_offset(((at as f32 - half) * theme::ROW).max(0.0));
            }
            self.scrolled_to = Some(selected);
        }
        let count = self.rows.len() + usize::from(self.is_cut_short);
        let (mut toggled, mut visible) = (None, 0..0);
        area.show_rows(ui, theme::ROW, count, |ui, range| {
            // Rows cut by the edge do not count as seen.
            visible = range.start + 1..range.end.saturating_sub(1);
            for index in range {
                match self.rows.get(index) {
                    Some(&Row::Node { nodes, depth }) => {
                        toggled = toggled.or(self.row_ui(ui, &columns, pair, nodes, depth, inspection));
                    }
                    Some(&Row::More { of, depth, count }) => more_ui(ui, &columns, of, depth, count, inspection),
                    None => {
                        let text =
                            format!("Only the first {} rows are listed: fold some", words::count(MOST_ROWS as u64));
                        ui.label(RichText::new(text).small().color(Theme::of(ui).text3));
                    }
                }
            }
        });
        self.visible = visible;
        if let Some(id) = toggled {
            if !self.open.remove(&id) {
                self.open.insert(id);
            }
            self.openings += 1;
        }
    }

    /// One path; returns a node of the right record alone that is to be folded or unfolded.
    fn row_ui(
        &self,
        ui: &mut Ui,
        columns: &Columns,
        pair: &Pair,
        nodes: [Option<NodeId>; 2],
        depth: u32,
        inspection: &mut Inspection,
    ) -> Option<NodeId> {
        let theme = Theme::of(ui);
        let [a, b] = nodes;
        let (rect, _) = ui.allocate_exact_size(vec2(columns.width, theme::ROW), Sense::hover());
        let response = ui.interact(rect, ui.scope_id().with(("row", a, b)), Sense::click());
        let is_selected = a.is_some_and(|a| a == inspection.selected());
        let said = [0, 1].map(|side| pair.said(side, nodes));
        let difference = pair.difference(nodes);
        let differ = pair.disagree(nodes);
        response.widget_info(|| {
            let name = sentence(pair, nodes, &said, difference, differ);
            WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), is_selected, name)
        });
        let fill = match (is_selected, response.hovered()) {
            (true, _) => Some(theme.accent_bg),
            (false, true) => Some(theme.bg3),
            (false, false) => None,
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(rect, theme::RADIUS_S, fill);
        }
        if response.has_focus() {
            focus_ring(ui, rect.shrink(2.0));
        }

        let has_below = pair.has_below(nodes);
        let is_open = has_below && is_unfolded(nodes, depth, inspection.folding(), inspection.line(), &self.open);
        let mut folds = response.double_clicked() && has_below;
        let mut outlines = [Some((columns.left, 0)), columns.right.map(|right| (right, 1))].into_iter().flatten();
        let tint = difference.map(|difference| theme.diverging((difference / pair.span) as f32));
        for (half, side) in outlines.by_ref() {
            let x = half.min + 4.0 + depth as f32 * INDENT;
            let chevron_side = usize::from(a.is_none() && columns.right.is_some());
            if has_below && side == chevron_side {
                let center = pos2(x + 6.0, rect.center().y);
                let hit = Rect::from_center_size(center, vec2(18.0, theme::ROW));
                let chevron = ui.interact(hit, ui.scope_id().with(("fold", a, b, side)), Sense::click());
                let name = if is_open { "Fold" } else { "Unfold" };
                chevron.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
                folds |= chevron.clicked();
                let color = if chevron.hovered() { theme.text1 } else { theme.text3 };
                if chevron.has_focus() {
                    focus_ring(ui, hit.shrink(2.0));
                }
                let icon = if is_open { Icon::ChevronDown } else { Icon::ChevronRight };
                icon.paint(ui.painter(), center, color);
            }
            let is_best = pair.is_best(side, nodes[side]);
            let Some(id) = nodes[side] else {
                // Where the other has no outline of its own, its path stands here.
                let path = b.filter(|_| columns.right.is_none()).map(|b| link_text(pair.tree(1), b));
                let from =
                    path.map_or(x + 14.0, |path| paint_link(ui, pos2(x + 12.0, rect.center().y), &path, false) + 4.0);
                said[side].missing_ui(ui, rect, from, half.max);
                continue;
            };
            let tree = pair.tree(side);
            let fill = if side == 1 { tint } else { None };
            paint_node(ui.painter(), theme, tree.kind(id), pos2(x + 14.0 + SIGN, rect.center().y), SIGN, fill);
            let link = link_text(tree, id);
            let at = paint_link(ui, pos2(x + 20.0 + 2.0 * SIGN, rect.center().y), &link, is_best);
            said[side].value_ui(ui, rect, at, half.max, is_best);
        }
        if columns.right.is_none() {
            let is_best = pair.is_best(1, b);
            let from = columns.values.min;
            match b {
                Some(_) => said[1].value_ui(ui, rect, from, columns.values.max, is_best),
                None => said[1].missing_ui(ui, rect, from, columns.values.max),
            }
        }
        columns.difference_ui(ui, rect, difference, pair, differ);
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.sep));

        if response.hovered() {
            inspection.hovered = a;
        }
        if response.clicked()
            && let Some(a) = a
        {
            inspection.click(a);
        }
        match (folds, a) {
            (true, Some(a)) => inspection.set_unfolded(a, !is_open),
            (true, None) => return b,
            (false, None) if response.clicked() && has_below && !response.double_clicked() => return b,
            _ => {}
        }
        None
    }
}

/// The spawns that are not drawn, or a way back to the few that say most.
fn more_ui(ui: &mut Ui, columns: &Columns, of: NodeId, depth: u32, count: u64, inspection: &mut Inspection) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(columns.width, theme::ROW), Sense::hover());
    let text = match count {
        0 => "Fewer spawns".to_owned(),
        1 => "1 more spawn".to_owned(),
        count => format!("{} more spawns", words::count(count)),
    };
    let galley = ui.painter().layout_no_wrap(text.clone(), theme::small(), theme.text2);
    let x = columns.left.min + 18.0 + depth as f32 * INDENT;
    let pill = Rect::from_min_size(pos2(x, rect.top() + 3.0), vec2(galley.size().x + 16.0, theme::TAG));
    let response = ui.interact(pill.expand(3.0), ui.scope_id().with(("more", of)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &text));
    let fill = if response.hovered() { theme.bg4 } else { theme.bg3 };
    ui.painter().rect_filled(pill, theme::TAG / 2.0, fill);
    if response.has_focus() {
        focus_ring(ui, pill);
    }
    ui.painter().galley(pill.center() - galley.size() / 2.0, galley, theme.text2);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.sep));
    if response.clicked() {
        inspection.toggle_all_spawns(of);
    }
}

/// What led to a node, framed where it is preferred; returns where it ends.
fn paint_link(ui: &Ui, at: Pos2, link: &str, is_best: bool) -> f32 {
    let theme = Theme::of(ui);
    let (font, color) = if is_best { (theme::strong(), theme.text1) } else { (theme::body(), theme.text2) };
    let galley = ui.painter().layout_no_wrap(link.to_owned(), font, color);
    let rect = Align2::LEFT_CENTER.anchor_size(at + vec2(4.0, 0.0), galley.size());
    if is_best {
        let plate = Rect::from_center_size(rect.center(), vec2(rect.width() + 8.0, theme::TAG));
        ui.painter().rect_stroke(plate, theme::RADIUS_S, Stroke::new(1.0, theme.text2), egui::StrokeKind::Inside);
    }
    ui.painter().galley(rect.min, galley, color);
    rect.right() + 4.0
}

impl Said {
    /// The value at the right end, and the note before it.
    fn value_ui(&self, ui: &Ui, row: Rect, left: f32, right: f32, is_best: bool) {
        let theme = Theme::of(ui);
        let painter = ui.painter();
        let y = row.center().y;
        let (font, color) = if is_best { (theme::strong(), theme.text1) } else { (theme::body(), theme.text1) };
        let text = self.value.as_deref().unwrap_or("–");
        let value = painter.layout_no_wrap(text.to_owned(), font, color);
        let x = right - 8.0 - value.size().x;
        let space = x - left - 2.0 * theme::SPACE_M;
        if !self.note.is_empty() && 24.0 < space {
            let ink = if self.is_cut { theme.kinds.cut } else { theme.text3 };
            let note = elided(painter, &self.note, theme::small(), ink, space);
            painter.galley(pos2(left + theme::SPACE_M, y - note.size().y / 2.0), note, ink);
        }
        painter.galley(pos2(x, y - value.size().y / 2.0), value, color);
    }

    /// A dash and the reason.
    fn missing_ui(&self, ui: &Ui, row: Rect, left: f32, right: f32) {
        let theme = Theme::of(ui);
        let text = format!("– {}", self.note);
        let galley = elided(ui.painter(), &text, theme::small(), theme.text3, right - left - theme::SPACE_M);
        ui.painter().galley(pos2(left, row.center().y - galley.size().y / 2.0), galley, theme.text3);
    }
}

/// A row for a screen reader.
fn sentence(
    pair: &Pair,
    nodes: [Option<NodeId>; 2],
    said: &[Said; 2],
    difference: Option<f64>,
    differ: bool,
) -> String {
    let side = usize::from(nodes[0].is_none());
    let Some(id) = nodes[side] else { return String::new() };
    let tree = pair.tree(side);
    let halves = [("left", &said[0]), ("right", &said[1])].map(|(half, said)| match &said.value {
        Some(value) => format!("{half} {value}"),
        None => format!("{half} none, {}", said.note),
    });
    let difference = difference
        .map(|difference| format!(", difference {}", signed(difference, pair.difference_decimals())))
        .unwrap_or_default();
    let choice = if differ { ", they prefer different moves" } else { "" };
    format!("{} {}: {}, {}{difference}{choice}", tree.kind(id).name(), link_text(tree, id), halves[0], halves[1])
}

fn signed(value: f64, decimals: usize) -> String {
    let text = words::decimals(value, decimals);
    let is_nought = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if 0.0 < value && !is_nought { format!("+{text}") } else { text }
}

/// `← Left`
fn title(mv: Move) -> String {
    format!("{} {mv}", mv.arrow())
}

fn elided_text(ui: &Ui, text: &str, width: f32) -> egui::WidgetText {
    egui::WidgetText::from(elided(ui.painter(), text, theme::body(), Theme::of(ui).text1, width))
}

/// What is said about one strategy.
struct Half<'a> {
    strategy: &'a Strategy,
    mark: StrategyMark,
    shown: Option<&'a Shown>,
    state: Option<&'static str>,
}

impl Half<'_> {
    fn ui(&self, ui: &mut Ui, rect: Rect, role: &str) {
        let theme = Theme::of(ui);
        let painter = ui.painter().with_clip_rect(rect);
        let name = self.strategy.label();
        paint_key(&painter, Rect::from_min_size(rect.min + vec2(0.0, 1.0), vec2(28.0, theme::TAG)), self.mark);
        let line = |y: f32, x: f32, text: &str, font: FontId, color: Color32| {
            let galley = elided(&painter, text, font, color, rect.width() - x - theme::SPACE_M);
            painter.galley(pos2(rect.left() + x, rect.top() + y), galley, color);
        };
        line(1.0, 34.0, &name, theme::medium(), theme.text1);
        let mut told = format!("{role}: {name}");
        if let Some(state) = self.state {
            line(21.0, 0.0, state, theme::body(), theme.text2);
            told = format!("{told}, {state}");
        } else if let Some(shown) = self.shown {
            let tree = &shown.tree;
            let chosen = tree.chosen.map(|mv| {
                let value = tree.follow(&[Link::Slide(mv)]).and_then(|id| tree.value(id));
                (title(mv), value.map(|value| words::decimals(value, decimals_of(tree))).unwrap_or_default())
            });
            // As everywhere: the nodes that were looked at, without stubs.
            let seen = shown.searched.as_ref().map_or(tree.counts().total(), |searched| searched.nodes);
            let nodes = words::plural(seen, "node");
            let text = match chosen {
                Some((mv, value)) => format!("{mv}  {value} · {nodes}"),
                None => nodes,
            };
            line(21.0, 0.0, &text, theme::strong(), theme.text1);
            let definition = shown.definition_text();
            line(41.0, 0.0, &definition, theme::small(), theme.text2);
            told = format!("{told}, {text}, {definition}");
        }
        let response = ui.interact(rect, ui.scope_id().with(role), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
        response.on_hover_text(told);
    }
}

/// Where the parts of a row stand, from left to right.
#[derive(Debug)]
struct Columns {
    width: f32,
    left: egui::Rangef,
    middle: egui::Rangef,
    /// The outline of the right record, where there is room for one.
    right: Option<egui::Rangef>,
    /// The values of the right record.
    values: egui::Rangef,
}

impl Columns {
    fn of(x: f32, width: f32) -> Self {
        // The scroll bar floats over the end.
        let width = width - theme::SPACE_M;
        let range = |from: f32, to: f32| egui::Rangef::new(x + from, x + to);
        if ROOMY <= width {
            let side = (width - MIDDLE) / 2.0;
            let right = range(width - side, width);
            return Self {
                width,
                left: range(0.0, side),
                middle: range(side, width - side),
                right: Some(right),
                values: right,
            };
        }
        let (values, middle) = (width * 0.24, width * 0.24);
        let left = width - values - middle;
        Self {
            width,
            left: range(0.0, left),
            middle: range(left, left + middle),
            right: None,
            values: range(width - values, width),
        }
    }

    /// The bar of the difference: before it is a number, behind it a mark.
    fn bar(&self) -> egui::Rangef {
        egui::Rangef::new(self.middle.min + 52.0, self.middle.max - 24.0)
    }

    fn names_ui(&self, ui: &mut Ui, pair: &Pair) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(self.width, COLUMNS), Sense::hover());
        let put = |x: f32, align: Align2, text: &str| {
            let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::small(), theme.text3);
            let at = align.anchor_size(pos2(x, rect.center().y), galley.size()).min;
            ui.painter().galley(at, galley, theme.text3);
        };
        put(self.left.min + 18.0, Align2::LEFT_CENTER, "Path");
        put(self.left.max - 8.0, Align2::RIGHT_CENTER, "Value left");
        put(self.bar().center(), Align2::CENTER_CENTER, "Difference");
        if let Some(right) = self.right {
            put(right.min + 18.0, Align2::LEFT_CENTER, "Path");
        }
        put(self.values.max - 8.0, Align2::RIGHT_CENTER, "Value right");
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.sep));
        let unit = match pair.same_units {
            true => "The value right minus the value left, where both are exact",
            false => {
                "How much more the right one thinks of a node than the left one: each value against the node above it, in units \
                 of what is at stake at the root, best less worst move"
            }
        };
        let about = format!(
            "{unit}. A full bar is ±{}. A frame marks what each prefers, ≠ a board on which they prefer different moves.",
            words::decimals(pair.span, pair.difference_decimals())
        );
        response.on_hover_text(about);
    }

    fn difference_ui(&self, ui: &Ui, row: Rect, difference: Option<f64>, pair: &Pair, differ: bool) {
        let theme = Theme::of(ui);
        let painter = ui.painter();
        let y = row.center().y;
        let bar = self.bar();
        if let Some(difference) = difference {
            let galley =
                painter.layout_no_wrap(signed(difference, pair.difference_decimals()), theme::small(), theme.text2);
            painter.galley(pos2(bar.min - 8.0 - galley.size().x, y - galley.size().y / 2.0), galley, theme.text2);
            let t = (difference / pair.span).clamp(-1.0, 1.0) as f32;
            let end = bar.center() + t * bar.span() / 2.0;
            let filled = Rect::from_x_y_ranges(bar.center().min(end)..=bar.center().max(end), y - 4.0..=y + 4.0);
            painter.rect_filled(filled, 1, theme.diverging(t));
        }
        if 0.0 < bar.span() {
            painter.vline(bar.center(), y - 7.0..=y + 7.0, Stroke::new(1.0, theme.line));
        }
        if differ {
            let at = pos2(self.middle.max - 12.0, y);
            painter.text(at, Align2::CENTER_CENTER, "≠", theme::strong(), theme.warn);
        }
    }
}

/// Begins a comparison, with the next strategy that searches or a twin opened for it, or ends it.
pub(super) fn toggle(doc: &Document, commands: &mut Commands) {
    if doc.rival().is_some() {
        commands.push(Command::CompareWith(None));
    } else if let Some(index) = partner(doc.strategies(), doc.current()) {
        commands.push(Command::CompareWith(Some(index)));
    } else {
        let index = doc.strategies().len();
        commands.push(Command::OpenStrategy(Box::new(twin(&doc.strategy()))));
        commands.push(Command::SelectStrategy(doc.current()));
        commands.push(Command::CompareWith(Some(index)));
    }
}

/// The open strategy that the one that plays is set beside: the next one that searches if it does.
fn partner(strategies: &[Opened], current: usize) -> Option<usize> {
    let searches = strategies[current].looks_ahead();
    let mut others = (1..strategies.len()).map(|step| (current + step) % strategies.len());
    others.find(|&index| !searches || strategies[index].looks_ahead())
}

/// The same evaluators looked at the other way: minimax for expectimax and the other way round, as deep.
fn twin(strategy: &Strategy) -> Strategy {
    let mut twin = strategy.clone();
    let mut kind = "expectimax";
    for criterion in &mut twin.criteria {
        if criterion.lookahead == Lookahead::OnePly && strategy.looks_ahead() {
            continue;
        }
        let is_one_ply = criterion.lookahead == Lookahead::OnePly;
        criterion.lookahead = criterion.lookahead.twin();
        let is_minimax = criterion.lookahead.is_minimax();
        let Some(search) = criterion.lookahead.depth_limited_mut() else { continue };
        if is_one_ply {
            search.plies = Some(Plies::default());
        }
        if is_minimax {
            kind = "minimax";
            // What is improbable may be the worst, so that no bound on the reach is kept.
            search.cuts.retain(|cut| !matches!(cut, Cut::Reach(_)));
        }
    }
    twin.name = format!("{} as {kind}", strategy.label());
    twin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(lookahead: &str) -> Strategy {
        let text = format!("(name: \"a\", criteria: [(evaluator: Snake, lookahead: {lookahead})])");
        text.parse().expect("a strategy")
    }

    #[test]
    fn the_twin_looks_as_deep_the_other_way_and_its_twin_is_the_first_again() {
        for lookahead in ["Expectimax(plies: Fixed(4))", "Minimax(plies: Fixed(5), cuts: [AlphaBeta], dead: Zero)"] {
            let first = strategy(lookahead);
            let second = twin(&first);
            assert_ne!(first.criteria, second.criteria);
            assert_eq!(first.criteria[0].depth_text(), second.criteria[0].depth_text());
            assert_eq!(twin(&second).criteria, first.criteria);
            let size = "0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,2".parse::<crate::game::Board>().expect("a board").size();
            assert_eq!(second.check(size), Ok(()));
        }
        assert_eq!(twin(&strategy("Expectimax()")).name, "a as minimax");
        assert!(twin(&strategy("OnePly")).looks_ahead());
    }

    #[test]
    fn what_searches_is_compared_with_what_searches() {
        let all =
            [strategy("OnePly"), strategy("Expectimax()"), strategy("OnePly"), strategy("Minimax()")].map(Opened::new);
        assert_eq!([0, 1, 2, 3].map(|current| partner(&all, current)), [Some(1), Some(3), Some(3), Some(1)]);
        assert_eq!(partner(&all[..2], 1), None);
        assert_eq!(partner(&all[..1], 0), None);
    }
}
