//! The search of a second strategy (B) next to that of the current one (A), on the same board.
//!
//! One row per path: the result of A on the left, that of B on the right, and between them how much higher B values it.
//! A node that only one record contains says why the other does not. Folding and selection are those of A's tree,
//! shared with the other views.
//!
//! Two searches with the same evaluator are compared by value. Different evaluators have different units, so their
//! differences are relative to the range at the root, see [`crate::search::Matched`].

mod pair;
mod row;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use egui::{
    Align, Color32, FontId, Layout, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2,
    vec2,
};

use self::pair::{CompareRow, Key, MOST_ROWS, Pair};
use self::row::{MIDDLE, RowParts};
use super::frame::{Moved, ViewFrame};
use super::words::title;
use crate::search::{Cut, Link, Lookahead, NodeId, Plies};
use crate::strategy::Strategy;
use crate::task::{Latest, TaskInfo};
use crate::words;
use crate::workbench::command::{Command, Commands, CompareCommand, Panel, StrategyCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, ListRow, choose, drop_down, elided, empty, focus, paint_key};
use crate::workbench::panels::tree::{Inspection, Shown};
use crate::workbench::paper::on_paper;
use crate::workbench::state::{Document, Opened, TELL_AFTER};
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(super) struct Compare {
    pair: Latest<Key, Pair>,
    rows: Vec<CompareRow>,
    is_cut_short: bool,
    /// The node at the top.
    from: NodeId,
    /// The version of the inspection, and the top node, of the rows.
    made_for: Option<(u64, NodeId)>,
    /// Unfolded nodes that only the right record contains.
    open: HashSet<NodeId>,
    frame: ViewFrame,
    visible: Range<usize>,
}

/// Records with fewer nodes in total are matched within the frame.
const AT_ONCE: usize = 20_000;
const HEADER: f32 = 60.0;
/// Below this width the right half has values only.
const ROOMY: f32 = 720.0;

impl Compare {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        self.below_ui(ui, doc, inspection, commands, NodeId(0));
    }

    /// The comparison of a node and its descendants.
    pub(super) fn below_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        commands: &mut Commands,
        from: NodeId,
    ) {
        self.from = from;
        self.poll(doc, inspection);
        let is_fresh = doc.is_baseline_settled() && !inspection.is_old;
        self.header_ui(ui, doc, inspection, is_fresh);
        if !on_paper(ui) {
            self.buttons_ui(ui, doc, commands);
        }

        self.summary_ui(ui, stepping(inspection).is_some());
        let Some(pair) = self.pair.value() else {
            let sentence = match doc.baseline_since() {
                Some(_) => "Searching: both trees appear here side by side",
                None if inspection.is_old => "Waiting for the search of the playing strategy",
                None if doc.is_baseline_settled() => {
                    "Nothing to compare: one strategy decided without a search"
                }
                None => {
                    "The second strategy stopped or cannot play here: choose another or change the position"
                }
            };
            if !on_paper(ui) && (doc.baseline_since().is_some() || inspection.is_old) {
                focus::home_comes_on_entry(ui.ctx(), Panel::Tree.area());
            }
            empty(ui, sentence);
            return;
        };

        let is_shown = inspection
            .shown()
            .is_some_and(|shown| Arc::ptr_eq(&shown.tree, pair.tree(0)));
        if is_shown {
            self.make_rows(inspection);
        }

        ui.scope(|ui| {
            if !is_fresh {
                ui.multiply_opacity(theme::STALE_ALPHA);
            }
            if !is_shown {
                if !on_paper(ui) {
                    focus::home_comes_on_entry(ui.ctx(), Panel::Tree.area());
                }
                ui.disable();
            }
            self.rows_ui(ui, inspection);
        });
    }

    /// Matches the trees when both are ready; until then, the previous match stays.
    fn poll(&mut self, doc: &Document, inspection: &Inspection) {
        if self.pair.poll() {
            self.made_for = None;
        }
        if inspection.is_old || !doc.is_baseline_settled() {
            return;
        }

        let theirs = doc
            .baseline_decided()
            .and_then(|decided| Shown::of(decided, None));
        let Some((a, b)) = inspection.shown().cloned().zip(theirs) else {
            return self.pair.clear();
        };
        let key = [(a.number, a.row), (b.number, b.row)];
        if self.pair.is_asked(&key) {
            return;
        }

        // Node numbers have a new meaning.
        self.open.clear();
        self.made_for = None;
        if a.tree.kept() + b.tree.kept() < AT_ONCE {
            self.pair.set(key, Pair::new([a, b]));
        } else {
            self.pair
                .ask(key, doc.tasks(), TaskInfo::silent(), move |_| {
                    Pair::new([a, b])
                });
        }
    }

    fn make_rows(&mut self, inspection: &mut Inspection) {
        let Some(pair) = self.pair.value() else {
            return;
        };
        let wanted = Some((inspection.version, self.from));
        if self.made_for == wanted && inspection.rows.is_some() {
            return;
        }
        (self.rows, self.is_cut_short) = pair.rows(
            self.from,
            inspection.folding(),
            inspection.line(),
            &self.open,
        );
        inspection.rows = Some(self.rows.iter().filter_map(CompareRow::left).collect());
        self.made_for = wanted;
    }

    fn header_ui(&self, ui: &mut Ui, doc: &Document, inspection: &Inspection, is_fresh: bool) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADER), Sense::hover());
        let middle = if ROOMY <= rect.width() { MIDDLE } else { 120.0 };
        let left = rect.with_max_x(rect.left() + (rect.width() - middle) / 2.0);
        let right = rect.with_min_x(left.right() + middle);
        let stepping = stepping(inspection);
        let state = if inspection.is_old {
            Some("searching")
        } else {
            stepping.as_deref()
        };
        half_ui(
            ui,
            doc,
            left,
            "Plays",
            &doc.strategy(),
            inspection.shown(),
            state,
        );
        if let Some(index) = doc.baseline() {
            let since = doc.baseline_since();
            let state = match () {
                () if since.is_some_and(|since| TELL_AFTER <= since.elapsed()) => Some("searching"),
                () if doc.is_baseline_settled() || since.is_some() || inspection.is_old => None,
                () => Some("stopped"),
            };
            let shown = self.pair.value().map(|pair| &pair.shown[1]);
            half_ui(
                ui,
                doc,
                right,
                "Compared",
                &doc.strategies()[index],
                shown,
                state,
            );
        }

        let between = Rect::from_x_y_ranges(left.right()..=right.left(), rect.y_range());
        if stepping.is_none() {
            self.verdict_ui(ui, between, is_fresh);
        }
    }

    fn verdict_ui(&self, ui: &mut Ui, rect: Rect, is_fresh: bool) {
        let theme = Theme::of(ui);
        let Some([Some(a), Some(b)]) = self
            .pair
            .value()
            .map(|pair| [0, 1].map(|side| pair.tree(side).chosen))
        else {
            return;
        };
        let ((sign, first, color), second, sentence) = match a == b {
            true => (
                ("=", "both choose", theme.text1),
                title(a),
                format!("Both choose {}", title(a)),
            ),
            false => {
                let both = format!("{} vs. {}", title(a), title(b));
                (
                    ("≠", "they differ", theme.warn),
                    both.clone(),
                    format!("They differ: {both}"),
                )
            }
        };

        let response = ui.interact(rect, ui.scope_id().with("verdict"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sentence));
        let mut painter = ui.painter().clone();
        if !is_fresh {
            painter.multiply_opacity(theme::STALE_ALPHA);
        }

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
                (
                    CompareCommand::PreviousDisagreement,
                    Icon::ChevronLeft,
                    "Previous",
                ),
                (CompareCommand::NextDisagreement, Icon::ChevronRight, "Next"),
            ] {
                let command = Command::Compare(command);
                let text = if is_roomy { command.text() } else { short };
                commands.show(
                    ui,
                    Button::new(text).icon(icon).name(command.text()),
                    command,
                    Ok(()),
                );
            }

            if doc.seeks_disagreement() {
                ui.label(RichText::new("Looking…").color(theme.text2))
                    .on_hover_text("Press Escape to stop");
            }

            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                commands.when_clicked(
                    &ui.add(Button::new("End comparison"))
                        .on_hover_text("Show one tree again (V)"),
                    CompareCommand::With(None),
                );
                let name = |index: usize| {
                    doc.strategies()
                        .get(index)
                        .map(|strategy| strategy.label())
                        .unwrap_or_default()
                };
                let chosen = doc.baseline().map(name).unwrap_or_default();
                let width = if is_roomy { 150.0 } else { 96.0 };
                let chosen = elided(
                    ui.painter(),
                    &chosen,
                    theme::body(),
                    theme.text1,
                    width - 24.0,
                );
                let list = drop_down("rival", chosen, width);
                let others = (0..doc.strategies().len())
                    .filter(|&index| index != doc.current())
                    .map(Some);
                let (response, picked) = choose(ui, list, doc.baseline(), others, |index| {
                    index.map(name).unwrap_or_default()
                });
                if picked.is_some() {
                    commands.push(CompareCommand::With(picked.flatten()));
                }
                response
                    .accessible_name("Compared strategy")
                    .on_hover_text("The strategy on the right");
            });
        });
    }

    fn summary_ui(&self, ui: &mut Ui, is_stepping: bool) {
        let theme = Theme::of(ui);
        let text = match self.pair.value() {
            Some(pair) => {
                let shared = words::plural(pair.matched.shared() as u64, "node");
                let [left, right] = pair.matched.only().map(|count| words::count(count as u64));
                let (differ, choices) = (
                    words::count(pair.disagreements),
                    words::plural(pair.choices, "choice"),
                );
                let differ = if is_stepping {
                    String::new()
                } else {
                    format!(" · they differ at {differ} of {choices}")
                };
                format!(
                    "{shared} in both, {left} only in the first, {right} only in the second{differ}"
                )
            }
            None if self.pair.is_pending() => "Matching the nodes…".to_owned(),
            None => {
                ui.allocate_exact_size(vec2(ui.available_width(), theme::TAG), Sense::hover());
                return;
            }
        };

        let row = ListRow::new(&text).inert().height(theme::TAG).pad(0.0);
        let response = row.show(ui, |line, _| {
            line.start(&text, theme::small(), theme.text2);
        });

        let about = "Two nodes match if the same moves and spawns lead to them. A choice is a board to move that both searches \
            expanded; they differ where no move is best in both.";
        response.on_hover_text(about);
    }

    fn rows_ui(&mut self, ui: &mut Ui, inspection: &mut Inspection) {
        let Some(pair) = self.pair.value() else {
            return;
        };
        let parts = RowParts::of(ui.max_rect().left(), ui.available_width());
        parts.names_ui(ui, pair);
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical()
            .auto_shrink(false)
            .id_salt("comparison");
        let selected = inspection.selected();
        if self.frame.follow((0, 0), selected) == Moved::Selection
            && let Some(at) = self
                .rows
                .iter()
                .position(|row| row.left() == Some(selected))
            && !self.visible.contains(&at)
        {
            let half = self.visible.len() as f32 / 2.0;
            area = area.vertical_scroll_offset(((at as f32 - half) * theme::ROW).max(0.0));
        }

        let count = self.rows.len() + usize::from(self.is_cut_short);
        let (mut toggled, mut visible) = (None, 0..0);
        area.show_rows(ui, theme::ROW, count, |ui, range| {
            // Partly visible rows do not count as visible.
            visible = range.start + 1..range.end.saturating_sub(1);
            for index in range {
                match self.rows.get(index) {
                    Some(&CompareRow::Node(path)) => {
                        if !parts.row_ui(ui, pair, path, inspection) {
                            continue;
                        }
                        match path.nodes {
                            [Some(a), _] => inspection.set_unfolded(a, !path.is_open),
                            [None, b] => toggled = toggled.or(b),
                        }
                    }
                    Some(&CompareRow::More {
                        parent,
                        depth,
                        count,
                    }) => {
                        parts.more_ui(ui, parent, depth, count, inspection);
                    }
                    None => {
                        let text = format!(
                            "Only the first {} rows are listed: fold rows to see the rest",
                            words::count(MOST_ROWS as u64)
                        );
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
            self.made_for = None;
        }
    }
}

fn half_ui(
    ui: &mut Ui,
    doc: &Document,
    rect: Rect,
    role: &str,
    strategy: &Strategy,
    shown: Option<&Shown>,
    state: Option<&str>,
) {
    let theme = Theme::of(ui);
    let painter = ui.painter().with_clip_rect(rect);
    let name = strategy.label();
    let key = Rect::from_min_size(rect.min + vec2(0.0, 1.0), vec2(28.0, theme::TAG));
    paint_key(
        &painter,
        key,
        theme.strategy(doc.color_index(strategy.hash())),
    );

    let line = |y: f32, x: f32, text: &str, font: FontId, color: Color32| {
        let galley = elided(
            &painter,
            text,
            font,
            color,
            rect.width() - x - theme::SPACE_M,
        );
        painter.galley(pos2(rect.left() + x, rect.top() + y), galley, color);
    };
    line(1.0, 34.0, &name, theme::medium(), theme.text1);
    let mut label = format!("{role}: {name}");
    if let Some(state) = state {
        line(21.0, 0.0, state, theme::body(), theme.text2);
        label = format!("{label}, {state}");
    } else if let Some(shown) = shown {
        let tree = &shown.tree;
        let nodes = words::plural(tree.counts.total(), "node");
        let text = tree.chosen.map_or(nodes.clone(), |mv| {
            let value = tree
                .follow(&[Link::Slide(mv)])
                .and_then(|id| tree.value(id));
            let value = value.map(words::value).unwrap_or_default();
            format!("{}  {value} · {nodes}", title(mv))
        });
        let definition = shown.definition_text();
        line(21.0, 0.0, &text, theme::strong(), theme.text1);
        line(41.0, 0.0, &definition, theme::small(), theme.text2);
        label = format!("{label}, {text}, {definition}");
    }

    let response = ui.interact(rect, ui.scope_id().with(role), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
    response.on_hover_text(label);
}

/// The progress of the replay and the leading move: `instant 12 of 400: ← Left leads with 812.4`; `None` without a
/// replay, or at its end.
fn stepping(inspection: &Inspection) -> Option<String> {
    let replay = inspection
        .replay
        .as_ref()
        .filter(|replay| replay.at() < replay.len())?;
    let [at, len] = [replay.at(), replay.len()].map(words::count);
    let moment = replay.now();
    let leads = moment
        .best
        .zip(moment.open.first().and_then(|root| root.running));
    let leads =
        leads.map(|(mv, value)| format!(": {} leads with {}", title(mv), words::value(value)));
    Some(format!("step {at} of {len}{}", leads.unwrap_or_default()))
}

/// Ends the comparison, or starts one with the next suitable strategy, or with a twin opened for it.
pub(super) fn toggle(doc: &Document, commands: &mut Commands) {
    if doc.baseline().is_some() {
        commands.push(CompareCommand::With(None));
    } else if let Some(index) = partner(doc.strategies(), doc.current()) {
        commands.push(CompareCommand::With(Some(index)));
    } else {
        let index = doc.strategies().len();
        commands.push(StrategyCommand::Open(Box::new(twin(&doc.strategy()))));
        commands.push(StrategyCommand::Select(doc.current()));
        commands.push(CompareCommand::With(Some(index)));
    }
}

/// The open strategy to compare with: the next one that searches, if the current one searches.
fn partner(strategies: &[Opened], current: usize) -> Option<usize> {
    let searches = strategies[current].looks_ahead();
    let mut others = (1..strategies.len()).map(|step| (current + step) % strategies.len());
    others.find(|&index| !searches || strategies[index].looks_ahead())
}

/// A strategy with the same evaluators and depth but the other search: minimax for expectimax and vice versa.
fn twin(strategy: &Strategy) -> Strategy {
    let mut twin = strategy.clone();
    let mut kind = "expectimax";
    for criterion in &mut twin.criteria {
        let is_one_ply = criterion.lookahead == Lookahead::OnePly;
        if is_one_ply && strategy.looks_ahead() {
            continue;
        }
        criterion.lookahead = criterion.lookahead.twin();
        let is_minimax = criterion.lookahead.is_minimax();
        let Some(search) = criterion.lookahead.depth_limited_mut() else {
            continue;
        };
        if is_one_ply {
            search.plies = Some(Plies::default());
        }
        if is_minimax {
            kind = "minimax";
            // An improbable spawn may be the worst one, so minimax has no cut by reach.
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
        for lookahead in [
            "Expectimax(plies: Fixed(4))",
            "Minimax(plies: Fixed(5), cuts: [AlphaBeta], dead: Zero)",
        ] {
            let first = strategy(lookahead);
            let second = twin(&first);
            assert_ne!(first.criteria, second.criteria);
            assert_eq!(
                first.criteria[0].lookahead.depth_text(),
                second.criteria[0].lookahead.depth_text()
            );
            assert_eq!(twin(&second).criteria, first.criteria);
            let size = "0,0,0,0/0,0,0,0/0,0,0,0/0,0,2,2"
                .parse::<crate::game::Board>()
                .expect("a board")
                .size();
            assert_eq!(second.check(size), Ok(()));
        }
        assert_eq!(twin(&strategy("Expectimax()")).name, "a as minimax");
        assert!(twin(&strategy("OnePly")).looks_ahead());
    }

    #[test]
    fn what_searches_is_compared_with_what_searches() {
        let all = [
            strategy("OnePly"),
            strategy("Expectimax()"),
            strategy("OnePly"),
            strategy("Minimax()"),
        ]
        .map(Opened::new);
        assert_eq!(
            [0, 1, 2, 3].map(|current| partner(&all, current)),
            [Some(1), Some(3), Some(3), Some(1)]
        );
        assert_eq!(partner(&all[..2], 1), None);
        assert_eq!(partner(&all[..1], 0), None);
    }
}
