//! Why one root move is better than another: a waterfall of its spawns, the terms at the leaves, two sentences.

use std::sync::Arc;

use egui::{
    Align2, Color32, FontId, Painter, Rangef, Rect, RichText, Role, ScrollArea, Sense, Shape,
    Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use itertools::Itertools as _;

use crate::game::Move;
use crate::search::{BarKind, Leaves, Link, NoTerms, Terms, Tree, Why};
use crate::task::{Job, Latest, TaskInfo};
use crate::workbench::command::Commands;
use crate::workbench::kit::{
    choose, drop_down, elided, empty, paragraph, reading_area, rule, small_print,
};
use crate::workbench::panels::tree::frame::ring_focused;
use crate::workbench::panels::tree::words::{difference, title};
use crate::workbench::panels::tree::{Inspection, no_tree};
use crate::workbench::paper::on_paper;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};
use crate::{prose, words};

/// Width of the sentences and the table next to the waterfall.
const WORDS: f32 = 356.0;
/// Minimum width at which text and waterfall are side by side.
const WIDE: f32 = 660.0;
/// Height of the waterfall above the sentences: what the panel shows of it, within these.
const BELOW: f32 = 210.0;
const LOWEST: f32 = 120.0;
/// Maximum number of terms shown as columns.
const TERMS: usize = 3;
const ROW: f32 = 21.0;

#[derive(Debug, Default)]
pub(crate) struct WhyPanel {
    /// The moves that the user chose, for the tree of this decision and row.
    picked: Option<((u64, usize), [Move; 2])>,
    explained: Option<(WhyKey, Arc<Why>)>,
    /// The explanation including the terms at the leaves.
    in_full: Latest<WhyKey, Option<Why>>,
    /// Whether all bars are shown.
    unfolded: bool,
}

type WhyKey = (u64, usize, [Move; 2]);

impl WhyPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        _: &mut Commands,
    ) {
        let is_beside = WIDE <= ui.available_width();
        self.show(ui, doc, inspection, is_beside);
    }

    /// The explanation in print, as high as needed: the bars have the full width, so that most of them fit.
    pub(crate) fn page_ui(&mut self, ui: &mut Ui, doc: &Document, inspection: &mut Inspection) {
        self.show(ui, doc, inspection, false);
    }

    /// Draws the explanation; `is_beside` puts text and bars side by side.
    fn show(&mut self, ui: &mut Ui, doc: &Document, inspection: &mut Inspection, is_beside: bool) {
        let Some(shown) = inspection.shown().cloned() else {
            return no_tree(
                ui,
                doc,
                "Play or press Enter to see why that move is the best",
            );
        };
        let tree = &shown.tree;
        let valued = tree
            .children(tree.root())
            .filter(|&child| tree.value(child).is_some());
        let moves = valued.filter_map(|child| match tree.link(child)? {
            Link::Slide(mv) => Some(mv),
            Link::Spawn(_) => None,
        });
        let moves: Vec<Move> = moves.collect();
        let Some((best, second)) = tree.second_best().filter(|_| 2 <= moves.len()) else {
            let sentence = match moves.as_slice() {
                [one] => {
                    format!("Only {one} has a value here, so there is nothing to compare it with")
                }
                _ => "No move was searched here, so there is nothing to compare".to_owned(),
            };
            empty(ui, &sentence);
            return;
        };

        let tree_key = (shown.number, shown.row);
        let mut pair = match self.picked {
            Some((key, pair)) if key == tree_key && pair.iter().all(|mv| moves.contains(mv)) => {
                pair
            }
            _ => [best, second],
        };
        self.explain(doc, tree, (tree_key.0, tree_key.1, pair));
        let Some((_, why)) = &self.explained else {
            empty(
                ui,
                "These two moves cannot be compared: one of them is not recorded",
            );
            return;
        };
        let why = why.clone();
        if inspection.is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }

        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_M);
        let space = ui.available_rect_before_wrap();
        let before = pair;
        if is_beside {
            let words = Rect::from_min_size(
                space.min,
                vec2(WORDS.min(space.width() * 0.42), space.height()),
            );
            let mut left = ui.new_child(UiBuilder::new().max_rect(words));
            left.set_clip_rect(words.expand(2.0).intersect(ui.clip_rect()));
            reading_area(&mut left, "why words", "Explanation", |ui| {
                pick(ui, &moves, &mut pair);
                words_ui(ui, &why);
            });
            let bars = Rect::from_min_max(
                pos2(words.right() + theme::SPACE_XL, space.top()),
                space.max,
            );
            let mut right = ui.new_child(UiBuilder::new().max_rect(bars));
            waterfall_ui(&mut right, &why, &mut self.unfolded, inspection);
            ui.allocate_rect(space, Sense::hover());
        } else {
            let under_pick = ui.available_height() - theme::CONTROL - theme::SPACE_M;
            let height = under_pick.clamp(LOWEST, BELOW);
            reading_area(ui, "why", "Explanation", |ui| {
                pick(ui, &moves, &mut pair);
                let (rect, _) =
                    ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
                let mut below = ui.new_child(UiBuilder::new().max_rect(rect));
                waterfall_ui(&mut below, &why, &mut self.unfolded, inspection);
                words_ui(ui, &why);
            });
        }

        if pair != before {
            self.picked = Some((tree_key, pair));
        }
    }

    /// Explains the difference, once for each pair; a worker adds the terms.
    fn explain(&mut self, doc: &Document, tree: &Arc<Tree>, key: WhyKey) {
        if self
            .explained
            .as_ref()
            .is_none_or(|(own_key, _)| *own_key != key)
        {
            let [better, other] = key.2;
            self.explained = tree.why(better, other).map(|why| (key, Arc::new(why)));
            self.in_full.clear();
            if self
                .explained
                .as_ref()
                .is_some_and(|(_, why)| why.terms.is_err())
            {
                let tree = tree.clone();
                let work = move |job: &Job<_>| tree.why_in_full(better, other, job.token());
                self.in_full.ask(
                    key,
                    doc.tasks(),
                    TaskInfo::told("Computing the terms at the leaves"),
                    work,
                );
            }
            self.unfolded = false;
        }

        if self.in_full.poll()
            && let Some((_, why)) = &mut self.explained
        {
            let stopped = || Why {
                terms: Err(NoTerms::Stopped),
                ..(**why).clone()
            };
            *why = Arc::new(self.in_full.take().flatten().unwrap_or_else(stopped));
        }
    }
}

/// Two drop-downs; choosing the same move on both sides swaps them.
fn pick(ui: &mut Ui, moves: &[Move], pair: &mut [Move; 2]) {
    if on_paper(ui) {
        return;
    }

    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        for side in 0..2 {
            if side == 1 {
                ui.label(RichText::new("vs.").color(theme.text2));
            }
            let name = ["Move to explain", "Move to compare with"][side];
            let list = drop_down(name, title(pair[side]), 84.0);
            let (response, picked) = choose(ui, list, pair[side], moves.iter().copied(), title);
            response.accessible_name(name).on_hover_text(name);
            if let Some(mv) = picked {
                if pair[1 - side] == mv {
                    pair.swap(0, 1);
                }
                pair[side] = mv;
            }
        }
    });
}

fn words_ui(ui: &mut Ui, why: &Why) {
    let theme = Theme::of(ui);
    let [spawns, terms] = prose::why::sentences(why);
    paragraph(ui, spawns, theme.text1);
    match &why.terms {
        Err(NoTerms::NotAsked) => {
            ui.label(RichText::new("Computing the terms at the leaves").color(theme.text3));
        }
        Err(reason) => {
            paragraph(ui, reason.to_string(), theme.text2);
        }
        Ok(explained_terms) => {
            paragraph(ui, terms, theme.text1);
            grid_ui(ui, &grid(why, explained_terms, TERMS));
        }
    }
}

/// A table with right-aligned numbers; the last column is the sum of the others.
fn grid_ui(ui: &mut Ui, grid: &Grid) {
    let theme = Theme::of(ui);
    let columns = grid.first().map_or(1, Vec::len).max(2);
    let width = ui.available_width();
    let first = (width * 0.28)
        .max(width - 92.0 * (columns - 1) as f32)
        .min(width * 0.45);
    let other = (width - first) / (columns - 1) as f32;

    ui.spacing_mut().item_spacing.y = 0.0;
    for (index, row) in grid.iter().enumerate() {
        let (rect, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, row.join(", ")));
        for (column, text) in row.iter().enumerate() {
            let last = column + 1 == row.len();
            let (font, color) = match (index, column, last) {
                (0, ..) => (theme::small(), theme.text3),
                (_, 0, _) => (theme::body(), theme.text1),
                (_, _, true) => (theme::strong(), theme.text1),
                _ => (theme::body(), theme.text2),
            };
            let room = if column == 0 { first } else { other } - 6.0;
            let galley = elided(ui.painter(), text, font, color, room);
            let (align, x) = match column {
                0 => (Align2::LEFT_CENTER, rect.left()),
                column => (
                    Align2::RIGHT_CENTER,
                    rect.left() + first + other * column as f32,
                ),
            };
            ui.painter().galley(
                align
                    .anchor_size(pos2(x, rect.center().y), galley.size())
                    .min,
                galley,
                color,
            );
        }
        rule(ui, rect);
    }

    ui.spacing_mut().item_spacing.y = theme::SPACE_M;
}

/// Minimum and maximum width of a bar with its gap.
const NARROW: f32 = 88.0;
const BROAD: f32 = 132.0;
/// The bar's share of its slot.
const INK: f32 = 0.88;
/// Height of the two lines of text below the bars and of the amount above them.
const UNDER: f32 = 36.0;
const OVER: f32 = 18.0;

/// Draws the waterfall; with `unfolded` it shows all bars and scrolls.
fn waterfall_ui(ui: &mut Ui, why: &Why, unfolded: &mut bool, inspection: &mut Inspection) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.y = theme::SPACE_S;
    if on_paper(ui) {
        small_print(ui, prose::why::caption(why), theme.text2);
    } else {
        small_print(ui, prose::why::heading(why), theme.text2)
            .on_hover_text(prose::why::caption(why));
    }

    let space = ui.available_size();
    let fit = ((space.x / NARROW).floor() as usize)
        .saturating_sub(2)
        .max(2);
    let steps = steps(
        why,
        if *unfolded && !on_paper(ui) {
            usize::MAX
        } else {
            fit
        },
    );
    let slot = (space.x / (steps.len() as f32 + 2.0))
        .clamp(NARROW.min(space.x / 4.0), BROAD.max(space.x / 12.0));
    let width = slot * (steps.len() as f32 + 2.0);

    ScrollArea::horizontal()
        .id_salt("bars")
        .auto_shrink(false)
        .show(ui, |ui| {
            let (rect, _) = ui
                .allocate_exact_size(vec2(width.min(width.max(space.x)), space.y), Sense::hover());
            let rect = Rect::from_min_size(rect.min, vec2(width, rect.height()));
            let ends = steps
                .iter()
                .flat_map(|step| [step.from, step.to()])
                .chain([why.difference()]);
            let chart = Chart::new(ui, rect, slot, ends);
            let zero = chart.y(0.0).round() - 0.5;
            ui.painter()
                .hline(rect.x_range(), zero, Stroke::new(1.0, theme.line));
            // The other move: the baseline of the bars.
            ui.painter().rect_filled(
                Rect::from_x_y_ranges(chart.ink(0), zero - 1.5..=zero + 0.5),
                0,
                theme.text2,
            );
            chart.words(0, [&title(why.other), &worth(why, 1)]);
            for (index, step) in steps.iter().enumerate() {
                *unfolded |= chart.step_ui(ui, why, index + 1, step, inspection);
            }
            chart.sum_ui(ui, why, steps.len() + 1);
        });
}

struct Chart {
    painter: Painter,
    theme: &'static Theme,
    rect: Rect,
    slot: f32,
    /// The lowest value, and the range up to the highest.
    least: f64,
    span: f64,
}

impl Chart {
    fn new(ui: &Ui, rect: Rect, slot: f32, values: impl Iterator<Item = f64>) -> Self {
        let (least, most) = values.fold((0.0_f64, 0.0_f64), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        let span = (most - least).max(f64::MIN_POSITIVE);
        Self {
            painter: ui.painter().clone(),
            theme: Theme::of(ui),
            rect,
            slot,
            least,
            span,
        }
    }

    /// A bar, which selects its node; true if the user opens the combined bars.
    fn step_ui(
        &self,
        ui: &mut Ui,
        why: &Why,
        place: usize,
        step: &DrawnBar,
        inspection: &mut Inspection,
    ) -> bool {
        let Self {
            theme, rect, slot, ..
        } = self;
        let bar = self.bar(place, step.from, step.to());
        self.dotted(place, step.from);
        let hit = Rect::from_min_max(
            pos2(
                rect.left() + slot * place as f32,
                bar.top().min(rect.bottom() - UNDER) - OVER,
            ),
            pos2(rect.left() + slot * (place as f32 + 1.0), rect.bottom()),
        );
        let response = ui.interact(
            hit,
            ui.scope_id().with(("bar", step.bars.first())),
            Sense::click(),
        );
        let sentence = sentence(why, step);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &sentence));
        let node = step
            .bars
            .first()
            .and_then(|&bar| why.bars.get(bar)?.nodes.first().copied());
        let node = node.filter(|_| !step.is_gathered());
        if response.hovered() {
            ui.painter().rect_filled(hit, theme::RADIUS_S, theme.bg2);
        }

        ui.painter().rect_filled(
            bar,
            2,
            theme.diverging(if step.amount < 0.0 { -0.7 } else { 0.7 }),
        );
        if node == Some(inspection.selected()) {
            ui.painter().rect_stroke(
                bar,
                2,
                Stroke::new(2.0, theme.accent),
                egui::StrokeKind::Outside,
            );
        }
        self.amount(bar, &signed(step.amount, why));
        let [label, mut product] = step.texts(why);
        if step.is_gathered() {
            product = if on_paper(ui) {
                format!("sum {}", signed(step.amount, why))
            } else {
                "click to show".to_owned()
            };
        }
        self.words(place, [&label, &product]);
        ring_focused(ui, &response, hit.shrink(2.0));
        if let Some(node) = node.filter(|_| response.clicked()) {
            inspection.click(node);
        }

        response.on_hover_text(sentence).clicked() && step.is_gathered()
    }

    /// The better move: the sum of all bars.
    fn sum_ui(&self, ui: &mut Ui, why: &Why, place: usize) {
        let difference = why.difference();
        let bar = self.bar(place, 0.0, difference);
        self.dotted(place, difference);
        ui.painter().rect_filled(bar, 2, self.theme.accent);
        let response = ui.interact(bar, ui.scope_id().with("difference"), Sense::hover());
        let places = prose::why::places(why);
        let sum = format!(
            "{} minus {}: {}",
            why.better,
            why.other,
            words::decimals(difference, places)
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &sum));
        let sign = signed(difference, why);
        let sign = if why.is_bound() {
            format!("{sign} (bound)")
        } else {
            sign
        };
        self.amount(bar, &sign);
        self.words(place, [&title(why.better), &worth(why, 0)]);
    }

    fn y(&self, value: f64) -> f32 {
        let top = self.rect.top() + OVER;
        let bottom = (self.rect.bottom() - UNDER).max(top + 8.0);
        bottom - ((value - self.least) / self.span) as f32 * (bottom - top)
    }

    fn ink(&self, place: usize) -> Rangef {
        let middle = self.rect.left() + self.slot * (place as f32 + 0.5);
        Rangef::point(middle).expand(self.slot * INK / 2.0)
    }

    fn bar(&self, place: usize, from: f64, to: f64) -> Rect {
        let (a, b) = (self.y(from), self.y(to));
        Rect::from_x_y_ranges(self.ink(place), a.min(b)..=a.max(b).max(a.min(b) + 2.0))
    }

    /// The dotted line from the previous bar at a value.
    fn dotted(&self, place: usize, value: f64) {
        let y = self.y(value);
        let ends = [
            pos2(self.ink(place - 1).max, y),
            pos2(self.ink(place).min, y),
        ];
        self.painter.extend(Shape::dashed_line(
            &ends,
            Stroke::new(1.0, self.theme.text3),
            2.0,
            2.0,
        ));
    }

    fn words(&self, place: usize, [first, second]: [&str; 2]) {
        let (center, top) = (self.ink(place).center(), self.rect.bottom() - UNDER);
        let put = |y: f32, text: &str, font: FontId, color: Color32| {
            let galley = elided(&self.painter, text, font, color, self.slot - 4.0);
            self.painter
                .galley(pos2(center - galley.size().x / 2.0, y), galley, color);
        };
        put(top + 3.0, first, theme::medium(), self.theme.text1);
        put(top + 20.0, second, theme::small(), self.theme.text2);
    }

    fn amount(&self, bar: Rect, text: &str) {
        let at = bar.center_top() - vec2(0.0, 2.0);
        self.painter.text(
            at,
            Align2::CENTER_BOTTOM,
            text,
            theme::strong(),
            self.theme.text1,
        );
    }
}

/// A drawn bar: it starts where the previous one ended.
#[derive(Clone, Debug, PartialEq)]
struct DrawnBar {
    amount: f64,
    /// The sum before it, relative to the other move's value.
    from: f64,
    /// Indices of its bars; several if the smallest were combined.
    bars: Vec<usize>,
}

impl DrawnBar {
    fn to(&self) -> f64 {
        self.from + self.amount
    }

    fn is_gathered(&self) -> bool {
        1 < self.bars.len()
    }

    /// The text below it: the spawn or term, and the product: "0.129 × +138"; combined bars have no product.
    fn texts(&self, why: &Why) -> [String; 2] {
        let [index] = self.bars.as_slice() else {
            return [format!("{} smaller", self.bars.len()), String::new()];
        };
        let bar = &why.bars[*index];
        let places = words::places([bar.value, bar.against, bar.amount]).max(1);
        let [value, against] = [bar.value, bar.against].map(|value| words::decimals(value, places));
        let product = match bar.what {
            BarKind::Spawn | BarKind::Fours => {
                format!(
                    "{} × {}",
                    words::decimals(bar.probability, 3),
                    difference(bar.value - bar.against)
                )
            }
            BarKind::Worst | BarKind::Term(_) => format!("{value} − {against}"),
            BarKind::NotRecorded => String::new(),
        };
        [prose::why::bar_label(bar), product]
    }
}

/// The bars in order. If there are more than `fit`, the smallest are combined into a last one; the sum is the same.
fn steps(why: &Why, fit: usize) -> Vec<DrawnBar> {
    let bars = &why.bars;
    let mut alone: Vec<usize> = (0..bars.len()).collect();
    let mut gathered = Vec::new();
    if fit.max(2) < bars.len() {
        // Largest first; ties keep their order.
        alone.sort_by(|&a, &b| bars[b].amount.abs().total_cmp(&bars[a].amount.abs()));
        gathered = alone.split_off(fit.max(2) - 1);
        alone.sort_unstable();
        gathered.sort_unstable();
    }

    let groups = alone
        .into_iter()
        .map(|index| vec![index])
        .chain((!gathered.is_empty()).then_some(gathered));
    let mut from = 0.0;
    let step = |group: Vec<usize>| {
        let step = DrawnBar {
            amount: group.iter().map(|&index| bars[index].amount).sum(),
            from,
            bars: group,
        };
        from = step.to();
        step
    };
    groups.map(step).collect()
}

/// A bar as a sentence, for the tooltip and for screen readers.
fn sentence(why: &Why, step: &DrawnBar) -> String {
    let amount = signed(step.amount, why);
    let [index] = step.bars.as_slice() else {
        return format!(
            "{} bars, {amount} in total. Click to show each",
            step.bars.len()
        );
    };

    let bar = &why.bars[*index];
    match &bar.what {
        BarKind::Term(label) => format!("{label}: {amount}"),
        BarKind::NotRecorded => format!("Not recorded: {amount}"),
        _ => format!(
            "{}: {amount} = {} × ({} − {})",
            prose::why::bar_label(bar),
            words::small_probability(bar.probability),
            words::exact(bar.value),
            words::exact(bar.against)
        ),
    }
}

/// An amount with the common number of decimals of the difference.
fn signed(amount: f64, why: &Why) -> String {
    words::signed(amount, prose::why::places(why))
}

/// The value of a move; index 0 is the better one.
fn worth(why: &Why, index: usize) -> String {
    format!(
        "{}{}",
        why.bounds[index].sign(),
        words::decimals(why.values[index], prose::why::places(why))
    )
}

/// A small table: texts by row, the header first.
type Grid = Vec<Vec<String>>;

/// The terms at the leaves, with moves as rows; with more than `columns` terms, each term is a row. The most different
/// term comes first.
fn grid(why: &Why, Terms { rows, leaves, .. }: &Terms, columns: usize) -> Grid {
    let rows = rows
        .iter()
        .sorted_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()))
        .collect_vec();
    let first_head = match leaves {
        Leaves::Slides => "After the move",
        Leaves::Mean => "Mean at leaves",
        Leaves::Sum => "Sum over leaves",
        Leaves::Worst => "Deciding leaf",
    };

    let moves = [why.better, why.other].map(title);
    let of_row = |term: &&crate::search::TermRow| {
        words::places_of_sum(&[term.means[1], term.difference()], term.means[0])
    };
    let places = rows
        .iter()
        .map(of_row)
        .fold(prose::why::places(why), usize::max);
    let value = |value: f64| words::decimals(value, places);
    let signed = |value: f64| words::signed(value, places);
    if rows.len() <= columns {
        let mut head = vec![first_head.to_owned()];
        head.extend(rows.iter().copied().map(prose::why::term_text));
        head.push("Sum".to_owned());
        let mut grid = vec![head];
        for (index, name) in moves.into_iter().enumerate() {
            let mut row = vec![name];
            row.extend(rows.iter().map(|term| value(term.means[index])));
            row.push(value(why.values[index]));
            grid.push(row);
        }
        return grid;
    }

    let [better, other] = moves;
    let mut grid = vec![vec![
        first_head.to_owned(),
        better,
        other,
        "Difference".to_owned(),
    ]];
    grid.extend(rows.iter().map(|term| {
        vec![
            prose::why::term_text(term),
            value(term.means[0]),
            value(term.means[1]),
            signed(term.difference()),
        ]
    }));

    grid.push(vec![
        "Sum".to_owned(),
        value(why.values[0]),
        value(why.values[1]),
        signed(why.difference()),
    ]);
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::CancelToken;
    use crate::workbench::panels::tree::tests::tree;

    const SEARCHES: [&str; 3] = [
        "(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]), lookahead: Expectimax(plies: Fixed(3)))])",
        "(criteria: [(evaluator: Snake, lookahead: Minimax(plies: Fixed(4)))])",
        "(criteria: [(evaluator: Sum([(1.0, Score), (50.0, Empty)]))])",
    ];

    #[test]
    fn the_term_that_tells_two_moves_apart_most_stands_first() {
        let terms = "[(0.01, Score), (50.0, Empty), (1.0, Snake), (3.0, Uniformity)]";
        let tree = tree(&format!(
            "(criteria: [(evaluator: Sum({terms}), lookahead: Expectimax(plies: Fixed(3)))])"
        ));
        let (better, other) = tree.second_best().expect("two moves");
        let why = tree
            .why_of_record(better, other, &CancelToken::new())
            .expect("two values");
        let terms = why.terms.as_ref().expect("terms");
        let number = |text: &str| {
            text.replace('−', "-")
                .replace([',', '+'], "")
                .parse::<f64>()
                .expect("a number")
        };
        let rows = grid(&why, terms, 3);
        let differences: Vec<f64> = rows[1..rows.len() - 1]
            .iter()
            .map(|row| number(&row[3]).abs())
            .collect();
        assert_eq!(differences.len(), 4);
        assert!(differences.is_sorted_by(|a, b| a >= b), "{differences:?}");
        let columns = grid(&why, terms, 4);
        assert_eq!(
            columns[0][1..5],
            rows[1..5]
                .iter()
                .map(|row| row[0].clone())
                .collect::<Vec<_>>()
        );
        let sorted = |rows: &[crate::search::TermRow]| {
            rows.is_sorted_by(|a, b| a.difference().abs() >= b.difference().abs())
        };
        assert!(
            !sorted(&terms.rows),
            "they stand otherwise in the evaluator"
        );
    }

    #[test]
    fn steps_begin_where_the_last_ended_and_reach_the_difference_whatever_fits() {
        for search in SEARCHES {
            let tree = tree(search);
            let (better, other) = tree.second_best().expect("two moves");
            let why = tree.why(better, other).expect("two values");
            for fit in 1..=why.bars.len() + 2 {
                let steps = steps(&why, fit);
                assert!(steps.len() <= fit.max(2));
                let mut reached = 0.0;
                for step in &steps {
                    assert_eq!(step.from, reached);
                    reached = step.to();
                }
                assert!((reached - why.difference()).abs() < 1e-6, "{search} {fit}");
                let mut seen: Vec<usize> =
                    steps.iter().flat_map(|step| step.bars.clone()).collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..why.bars.len()), "each bar once");
            }
        }
    }

    #[test]
    fn what_is_gathered_is_smaller_than_what_is_not() {
        let tree = tree(SEARCHES[0]);
        let (better, other) = tree.second_best().expect("two moves");
        let why = tree.why(better, other).expect("two values");
        let steps = steps(&why, 4);
        let largest = |bars: &[usize]| {
            bars.iter()
                .map(|&bar| why.bars[bar].amount.abs())
                .fold(0.0, f64::max)
        };
        let gathered: f64 = steps
            .iter()
            .filter(|step| step.is_gathered())
            .map(|step| largest(&step.bars))
            .fold(0.0, f64::max);
        assert!(
            steps
                .iter()
                .filter(|step| !step.is_gathered())
                .all(|step| gathered <= step.amount.abs())
        );
    }
}
