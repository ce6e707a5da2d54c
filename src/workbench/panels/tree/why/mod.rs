//! Why one root move is better than another: a waterfall of its spawns, the terms at the leaves, two sentences.

mod data;
mod waterfall;

use std::sync::Arc;

use egui::{Align2, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::game::Move;
use crate::prose;
use crate::search::{Link, NoTerms, Tree, Why};
use crate::task::{Job, Latest, TaskInfo};
use crate::workbench::command::Commands;
use crate::workbench::kit::{choose, drop_down, elided, empty, paragraph, rule};
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::no_tree;
use crate::workbench::panels::tree::words::title;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Width of the sentences and the table beside the waterfall.
const WORDS: f32 = 356.0;
/// From this width on they stand beside each other.
const WIDE: f32 = 660.0;
const BELOW: f32 = 210.0;
/// As many terms are columns.
const TERMS: usize = 3;
const ROW: f32 = 21.0;

#[derive(Debug, Default)]
pub(crate) struct WhyPanel {
    /// The moves that a person picked, for the tree of this decision and row.
    picked: Option<((u64, usize), [Move; 2])>,
    explained: Option<(WhyKey, Arc<Why>)>,
    /// The same with the terms at the leaves.
    in_full: Latest<WhyKey, Option<Why>>,
    waterfall: waterfall::Waterfall,
}

/// Decision, row, and the two moves.
type WhyKey = (u64, usize, [Move; 2]);

impl WhyPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, inspection: &mut Inspection, _: &mut Commands) {
        let Some(shown) = inspection.shown().cloned() else {
            return no_tree(ui, doc, "Play or press Enter: why that move was the best appears here");
        };
        let tree = &shown.tree;
        let moves = valued(tree);
        let Some((best, second)) = tree.second_best().filter(|_| 2 <= moves.len()) else {
            let sentence = match moves.as_slice() {
                [one] => format!("Only {one} has a value here, so there is nothing to compare it with"),
                _ => "No move was searched here, so there is nothing to compare".to_owned(),
            };
            empty(ui, &sentence);
            return;
        };
        let tree_key = (shown.number, shown.row);
        let mut pair = match self.picked {
            Some((key, pair)) if key == tree_key && pair.iter().all(|mv| moves.contains(mv)) => pair,
            _ => [best, second],
        };
        self.explain(doc, tree, (tree_key.0, tree_key.1, pair));
        let Some((_, why)) = &self.explained else {
            empty(ui, "These two moves cannot be compared: one of them is not in the record");
            return;
        };
        let why = why.clone();
        if inspection.is_old() {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_M);
        let space = ui.available_rect_before_wrap();
        let before = pair;
        if WIDE <= space.width() {
            let words = Rect::from_min_size(space.min, vec2(WORDS.min(space.width() * 0.42), space.height()));
            let mut left = ui.new_child(UiBuilder::new().max_rect(words));
            left.set_clip_rect(words.expand(2.0).intersect(ui.clip_rect()));
            ScrollArea::vertical().id_salt("why words").auto_shrink(false).show(&mut left, |ui| {
                pick(ui, &moves, &mut pair);
                words_ui(ui, &why);
            });
            let bars = Rect::from_min_max(pos2(words.right() + theme::SPACE_XL, space.top()), space.max);
            let mut right = ui.new_child(UiBuilder::new().max_rect(bars));
            self.waterfall.ui(&mut right, &why, inspection);
            ui.allocate_rect(space, Sense::hover());
        } else {
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                pick(ui, &moves, &mut pair);
                let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), BELOW), Sense::hover());
                let mut below = ui.new_child(UiBuilder::new().max_rect(rect));
                self.waterfall.ui(&mut below, &why, inspection);
                words_ui(ui, &why);
            });
        }
        if pair != before {
            self.picked = Some((tree_key, pair));
        }
    }

    /// Takes the difference apart, once for each pair, and completes it beside the window.
    fn explain(&mut self, doc: &Document, tree: &Arc<Tree>, key: WhyKey) {
        if self.explained.as_ref().is_none_or(|(known, _)| *known != key) {
            let [better, other] = key.2;
            self.explained = tree.why(better, other).map(|why| (key, Arc::new(why)));
            self.in_full.clear();
            if self.explained.as_ref().is_some_and(|(_, why)| why.terms.is_err()) {
                let tree = tree.clone();
                let work = move |job: &Job<_>| tree.why_in_full(better, other, job.token());
                self.in_full.ask(key, doc.tasks(), TaskInfo::silent(), work);
            }
            self.waterfall.fold();
        }
        if self.in_full.poll()
            && let Some((_, why)) = &mut self.explained
        {
            let stopped = || Why { terms: Err(NoTerms::Stopped), ..(**why).clone() };
            *why = Arc::new(self.in_full.take().flatten().unwrap_or_else(stopped));
        }
    }
}

/// The root moves that have a value, in the order of the visit.
fn valued(tree: &Tree) -> Vec<Move> {
    let children = tree.children(tree.root()).filter(|&child| tree.value(child).is_some());
    children
        .filter_map(|child| match tree.link(child)? {
            Link::Slide(mv) => Some(mv),
            Link::Spawn(_) => None,
        })
        .collect()
}

/// Two drop-downs; a move that is picked on one side leaves the other.
fn pick(ui: &mut Ui, moves: &[Move], pair: &mut [Move; 2]) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        for side in 0..2 {
            if side == 1 {
                ui.label(RichText::new("against").color(theme.text2));
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

/// The two sentences and the terms at the leaves.
fn words_ui(ui: &mut Ui, why: &Why) {
    let theme = Theme::of(ui);
    let [spawns, terms] = prose::why::sentences(why);
    paragraph(ui, spawns, theme.text1);
    match &why.terms {
        Err(NoTerms::NotAsked) => {
            ui.label(RichText::new("Computing what the leaves are made of").color(theme.text3));
        }
        Err(reason) => {
            paragraph(ui, reason.to_string(), theme.text2);
        }
        Ok(told) => {
            paragraph(ui, terms, theme.text1);
            grid_ui(ui, &data::grid(why, told, TERMS));
        }
    }
}

/// A table whose numbers stand right; the last column is what the others add up to.
fn grid_ui(ui: &mut Ui, grid: &data::Grid) {
    let theme = Theme::of(ui);
    let columns = grid.first().map_or(1, Vec::len).max(2);
    let width = ui.available_width();
    let first = (width * 0.28).max(width - 92.0 * (columns - 1) as f32).min(width * 0.45);
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
                column => (Align2::RIGHT_CENTER, rect.left() + first + other * column as f32),
            };
            ui.painter().galley(align.anchor_size(pos2(x, rect.center().y), galley.size()).min, galley, color);
        }
        rule(ui, rect);
    }
    ui.spacing_mut().item_spacing.y = theme::SPACE_M;
}
