//! Positions of the drawn nodes of a tree.
//!
//! Depth goes to the right, one column per ply; distances are points at the natural scale, and the root is at (0, 0).
//! The child on the chosen line (elsewhere the best slide) has the same height as its parent, so that the line is
//! straight; its siblings stack above and below it by falling value. Subtrees are packed by their contours, the highest
//! and lowest extent for each ply below: a child moves away from its siblings until no ply overlaps, which takes O(n ·
//! depth) in all. Nothing crosses, each column is sorted by height, and gaps inside a subtree stay empty.
//!
//! Positions are `f64`: with a million nodes a column is 30 million points high, where `f32` has steps of 2.

use std::collections::HashMap;
use std::ops::Range;

use egui::Ui;

use crate::game::Move;
use crate::search::{NodeId, NodeKind, Start, Tree};
use crate::task::CancelToken;
use crate::workbench::panels::tree::{Folding, Line, Spans, tint};
use crate::workbench::theme::{self, Motion};

/// Height of a sign with its two lines of text.
pub(crate) const ROW: f64 = 38.0;
pub(crate) const ROOT_SIDE: f64 = 92.0;
/// Side of the boards after the first slide.
pub(crate) const FIRST_SIDE: f64 = 116.0;
pub(crate) const SIDE: f64 = 96.0;
/// Below a board: its value and a line of text.
const UNDER_BOARD: f64 = 50.0;
/// Above a board: the badge.
const OVER_BOARD: f64 = 20.0;
const PILL: f64 = 28.0;
/// Gap between subtrees of different parents.
const GAP: f64 = 8.0;
/// Distance from the root to the slides, and between later columns.
const FIRST_COLUMN: f64 = 150.0;
const COLUMN: f64 = 232.0;

pub(crate) fn column_x(depth: usize) -> f64 {
    match depth.checked_sub(1) {
        None => 0.0,
        Some(further) => FIRST_COLUMN + COLUMN * further as f64,
    }
}

/// The right edge of `columns` columns, including the text of the last.
pub(crate) fn width_of(columns: usize) -> f64 {
    column_x(columns.saturating_sub(1)) + COLUMN - 40.0
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    Sign,
    Board,
    /// Represents the children that are not drawn; the node is their parent.
    Pill,
    /// A legal root move that the search did not consider; the node is the root.
    Struck(Move),
}

#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub id: NodeId,
    /// Index of the parent in the previous column.
    parent: u32,
    /// Sum of the tints up to and including this entry, in steps of 1/127.
    tints: i32,
    pub entry: Entry,
}

/// One column, top down.
#[derive(Debug, Default)]
pub struct Column {
    pub slots: Vec<Slot>,
    /// Their heights, in a separate list for binary search.
    pub ys: Vec<f64>,
}

/// Highest and lowest point of a subtree in one column.
#[derive(Clone, Copy, Debug)]
struct Span {
    top: f64,
    bottom: f64,
}

#[derive(Debug, Default)]
pub struct Layout {
    pub columns: Vec<Column>,
    /// The highest point, at or above 0.
    pub top: f64,
    pub bottom: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLayout {
    TooLarge,
    Stopped,
}

impl Slot {
    pub fn parent(&self) -> usize {
        self.parent as usize
    }

    /// Whether it is a node itself.
    pub fn is_node(&self) -> bool {
        self.entry.is_node()
    }
}

impl Column {
    /// The entries between two heights, inclusive.
    pub fn between(&self, top: f64, bottom: f64) -> Range<usize> {
        let start = self.ys.partition_point(|&y| y < top);
        start..self.ys.partition_point(|&y| y <= bottom).max(start)
    }

    /// The entries whose parents are in this range of the previous column.
    pub fn below(&self, parents: Range<usize>) -> Range<usize> {
        let start = self
            .slots
            .partition_point(|slot| slot.parent() < parents.start);
        start
            ..self
                .slots
                .partition_point(|slot| slot.parent() < parents.end)
                .max(start)
    }

    /// The mean tint of some entries, −1 to 1.
    pub fn mean_tint(&self, slots: Range<usize>) -> f32 {
        let Some(last) = slots.end.checked_sub(1).filter(|_| !slots.is_empty()) else {
            return 0.0;
        };
        let before = slots
            .start
            .checked_sub(1)
            .map_or(0, |before| self.slots[before].tints);
        (self.slots[last].tints - before) as f32 / (127.0 * slots.len() as f32)
    }
}

impl Layout {
    /// Lays out the unfolded nodes, at most `limit` entries; `spans` are the deviations at the ends of the color scale.
    pub fn new(
        tree: &Tree,
        folding: &Folding,
        line: &Line,
        spans: &Spans,
        limit: usize,
        stop: &CancelToken,
    ) -> Result<Self, NoLayout> {
        let mut work = LayoutWork {
            tree,
            folding,
            line,
            spans,
            limit,
            stop,
            columns: Vec::new(),
            count: 0,
        };
        let contour = work.subtree(tree.root(), 0, 0, 1.0)?;
        let mut columns = work.columns;
        for depth in 1..columns.len() {
            let (above, below) = columns.split_at_mut(depth);
            let Column { slots, ys } = &mut below[0];
            for (slot, y) in slots.iter().zip(ys) {
                *y += above[depth - 1].ys[slot.parent()];
            }
        }

        for column in &mut columns {
            column.slots.shrink_to_fit();
            column.ys.shrink_to_fit();
        }
        let top = contour.iter().map(|span| span.top).fold(0.0, f64::min);
        let bottom = contour.iter().map(|span| span.bottom).fold(0.0, f64::max);
        Ok(Self {
            columns,
            top,
            bottom,
        })
    }

    /// The right edge, including the text of the last column.
    pub fn width(&self) -> f64 {
        width_of(self.columns.len())
    }

    pub fn entries(&self) -> usize {
        self.columns.iter().map(|column| column.slots.len()).sum()
    }

    /// The nodes, column by column, with their heights.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, f64)> {
        let entries = self
            .columns
            .iter()
            .flat_map(|column| column.slots.iter().zip(&column.ys));
        entries
            .filter(|(slot, _)| slot.is_node())
            .map(|(slot, &y)| (slot.id, y))
    }

    pub fn y(&self, depth: usize, slot: usize) -> f64 {
        self.columns[depth].ys[slot]
    }

    pub fn at(&self, depth: usize, slot: usize) -> Slot {
        self.columns[depth].slots[slot]
    }

    /// Column and index of a node; `path` leads to it from the root. `None` if it is not drawn.
    pub fn find(&self, path: &[NodeId]) -> Option<(usize, usize)> {
        let mut slot = 0;
        for (depth, &id) in path.iter().enumerate() {
            let column = self.columns.get(depth)?;
            let mut among = if depth == 0 {
                0..1
            } else {
                column.below(slot..slot + 1)
            };
            slot =
                among.find(|&slot| column.slots[slot].id == id && column.slots[slot].is_node())?;
        }
        Some((path.len().checked_sub(1)?, slot))
    }

    /// Highest and lowest point of an entry and its drawn descendants, and their last column.
    pub fn extent(&self, depth: usize, slot: usize) -> (f64, f64, usize) {
        let own = self.at(depth, slot);
        let (up, down) = own.entry.height(depth);
        let y = self.y(depth, slot);
        let (mut top, mut bottom) = (y - up, y + down);
        let mut among = slot..slot + 1;
        let mut last = depth;
        for (depth, column) in self.columns.iter().enumerate().skip(depth + 1) {
            among = column.below(among);
            let Some(end) = among.clone().next_back() else {
                break;
            };
            last = depth;
            top = top.min(column.ys[among.start] - column.slots[among.start].entry.height(depth).0);
            bottom = bottom.max(column.ys[end] + column.slots[end].entry.height(depth).1);
        }
        (top, bottom, last)
    }
}

pub(crate) fn side(depth: usize) -> f64 {
    match depth {
        0 => ROOT_SIDE,
        1 => FIRST_SIDE,
        _ => SIDE,
    }
}

impl Entry {
    /// Whether it is a node itself.
    pub fn is_node(self) -> bool {
        matches!(self, Self::Sign | Self::Board)
    }

    /// Its extent above and below its middle.
    pub fn height(self, depth: usize) -> (f64, f64) {
        match self {
            Self::Sign | Self::Struck(_) => (ROW / 2.0, ROW / 2.0),
            Self::Pill => (PILL / 2.0, PILL / 2.0),
            Self::Board => (
                side(depth) / 2.0 + OVER_BOARD,
                side(depth) / 2.0 + UNDER_BOARD,
            ),
        }
    }
}

struct LayoutWork<'a> {
    tree: &'a Tree,
    folding: &'a Folding,
    line: &'a Line,
    spans: &'a Spans,
    limit: usize,
    stop: &'a CancelToken,
    columns: Vec<Column>,
    count: usize,
}

/// Entries between two checks of the cancel flag.
const LOOK: usize = 1 << 12;

impl LayoutWork<'_> {
    fn push(
        &mut self,
        entry: Entry,
        id: NodeId,
        depth: usize,
        parent: usize,
        span: f64,
    ) -> Result<usize, NoLayout> {
        self.count += 1;
        if self.limit < self.count {
            return Err(NoLayout::TooLarge);
        }

        if self.count.is_multiple_of(LOOK) && self.stop.is_cancelled() {
            return Err(NoLayout::Stopped);
        }
        if self.columns.len() <= depth {
            self.columns.resize_with(depth + 1, Column::default);
        }
        let tint = if entry.is_node() {
            (tint(self.tree, id, span) * 127.0) as i32
        } else {
            0
        };
        let Column { slots, ys } = &mut self.columns[depth];
        let tints = slots.last().map_or(0, |last| last.tints) + tint;
        slots.push(Slot {
            id,
            parent: parent as u32,
            entry,
            tints,
        });
        // Heights are relative to the parent until the layout is complete.
        ys.push(0.0);
        Ok(slots.len() - 1)
    }

    /// Lays out a node and its descendants; returns the contour relative to the node's height. `span` is the deviation
    /// at the ends of the node's color scale.
    fn subtree(
        &mut self,
        id: NodeId,
        depth: usize,
        parent: usize,
        span: f64,
    ) -> Result<Vec<Span>, NoLayout> {
        let tree = self.tree;
        let is_root = id == tree.root();
        let unfolded = self.folding.is_unfolded(self.line, id, depth as u32) && tree.below(id) != 0;
        let is_afterstate = !tree.is_turn(depth as u32);
        // With one ply, the boards after the slides are the whole tree.
        let is_outcome = depth == 1 && tree.subject().plies == 1;
        let is_board = is_root || (is_afterstate && (unfolded || is_outcome));
        let entry = if is_board { Entry::Board } else { Entry::Sign };
        let slot = self.push(entry, id, depth, parent, span)?;
        let (up, down) = entry.height(depth);
        let mut contour = vec![Span {
            top: -up,
            bottom: down,
        }];
        if !unfolded {
            return Ok(contour);
        }

        let drawn = self.folding.drawn(tree, self.line, id);
        let span = self.spans.below(tree, id, depth + 1);
        let mut children: Vec<(usize, Vec<Span>)> = Vec::with_capacity(drawn.shown.len() + 1);
        for &child in &drawn.shown {
            // The recursion is as deep as the search, at most some dozens.
            let at = self
                .columns
                .get(depth + 1)
                .map_or(0, |column| column.slots.len());
            let below = self.subtree(child, depth + 1, slot, span)?;
            children.push((at, below));
        }

        let nodes = children.len();
        let has_pill = 0 < drawn.hidden || self.folding.can_show_fewer(tree, self.line, id);
        let mut extra = |entry: Entry| -> Result<(), NoLayout> {
            let at = self.push(entry, id, depth + 1, slot, 1.0)?;
            let (up, down) = entry.height(depth + 1);
            children.push((
                at,
                vec![Span {
                    top: -up,
                    bottom: down,
                }],
            ));
            Ok(())
        };
        if has_pill {
            extra(Entry::Pill)?;
        }

        if let (true, Start::Choice { moves, .. }) = (is_root, &tree.subject().start) {
            for mv in tree
                .subject()
                .board
                .legal_moves()
                .iter()
                .filter(|&mv| !moves.contains(mv))
            {
                extra(Entry::Struck(mv))?;
            }
        }

        let place_of = |id: NodeId| drawn.shown.iter().position(|&child| child == id);
        let on_line = self.line.after(id).and_then(place_of);
        let best = || {
            tree.best_child(id)
                .filter(|_| tree.kind(id) == NodeKind::Max)
                .and_then(place_of)
        };
        let straight = on_line.or_else(best);
        let (offsets, below) = stack(&children, straight, nodes);
        for ((at, _), offset) in children.iter().zip(offsets) {
            self.columns[depth + 1].ys[*at] = offset;
        }
        contour.extend(below);
        Ok(contour)
    }
}

/// Offsets of children from their parent, and their common contour. The child at `straight` has the parent's height;
/// without one, the first `nodes` children are centered on it.
fn stack(
    children: &[(usize, Vec<Span>)],
    straight: Option<usize>,
    nodes: usize,
) -> (Vec<f64>, Vec<Span>) {
    let mut offsets = vec![0.0; children.len()];
    let anchor = straight.unwrap_or(0);
    let Some((_, first)) = children.get(anchor) else {
        return (offsets, Vec::new());
    };
    let mut all = first.clone();
    let gap = |depth: usize| if depth == 0 { 0.0 } else { GAP };
    for place in (anchor + 1..children.len()).chain((0..anchor).rev()) {
        let own = &children[place].1;
        let shared = all.iter().zip(own).enumerate();
        let offset = match anchor < place {
            true => shared
                .map(|(depth, (all, own))| all.bottom - own.top + gap(depth))
                .fold(f64::MIN, f64::max),
            false => shared
                .map(|(depth, (all, own))| all.top - own.bottom - gap(depth))
                .fold(f64::MAX, f64::min),
        };
        offsets[place] = offset;
        cover(&mut all, own, offset);
    }

    if straight.is_none() && nodes != 0 {
        let middle = (offsets[0] + offsets[nodes - 1]) / 2.0;
        offsets.iter_mut().for_each(|offset| *offset -= middle);
        for span in &mut all {
            *span = Span {
                top: span.top - middle,
                bottom: span.bottom - middle,
            };
        }
    }

    (offsets, all)
}

fn cover(all: &mut Vec<Span>, own: &[Span], offset: f64) {
    for (depth, span) in own.iter().enumerate() {
        let moved = Span {
            top: span.top + offset,
            bottom: span.bottom + offset,
        };
        match all.get_mut(depth) {
            Some(all) => {
                *all = Span {
                    top: all.top.min(moved.top),
                    bottom: all.bottom.max(moved.bottom),
                }
            }
            None => all.push(moved),
        }
    }
}

/// The remaining distance of each entry of a column to its place.
#[derive(Debug)]
pub(super) struct Shift {
    since: f64,
    columns: Vec<Vec<f32>>,
    pub most: f32,
}

impl Shift {
    /// The distances between two layouts; new entries start at their parent's old place.
    pub(super) fn between(before: &Layout, after: &Layout, anchor: NodeId, since: f64) -> Self {
        let was: HashMap<NodeId, f64> = before.nodes().collect();
        // Relative to the anchor, which stays in place.
        let now = after.nodes().find(|&(id, _)| id == anchor);
        let shift = was
            .get(&anchor)
            .zip(now)
            .map_or(0.0, |(was, (_, now))| now - was);
        let mut columns: Vec<Vec<f32>> = Vec::new();
        for (depth, column) in after.columns.iter().enumerate() {
            let offset =
                |(slot, y): (&Slot, &f64)| match was.get(&slot.id).filter(|_| slot.is_node()) {
                    Some(was) => (was + shift - y) as f32,
                    None if depth == 0 => 0.0,
                    None => {
                        let above = after.y(depth - 1, slot.parent())
                            + f64::from(columns[depth - 1][slot.parent()]);
                        (above - y) as f32
                    }
                };
            let offsets = column.slots.iter().zip(&column.ys).map(offset).collect();
            columns.push(offsets);
        }

        let most = columns
            .iter()
            .flatten()
            .fold(0.0, |most, by| f32::max(most, by.abs()));
        Self {
            since,
            columns,
            most,
        }
    }

    /// The remaining share of the way; `None` at the end.
    pub(super) fn left(&self, ui: &Ui) -> Option<f32> {
        let seconds = Motion::of(ui).row;
        let gone = (ui.input(|input| input.time) - self.since) as f32;
        (gone < seconds).then(|| 1.0 - theme::ease((gone / seconds.max(0.001)).clamp(0.0, 1.0)))
    }

    /// The initial distance of an entry to its place.
    pub(super) fn of(&self, depth: usize, slot: usize) -> f32 {
        self.columns
            .get(depth)
            .and_then(|column| column.get(slot))
            .copied()
            .unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::game::{Board, Rules};
    use crate::search::{Link, SearchOptions, SpawnRule};
    use crate::strategy::{Decision, Player, Strategy};
    use crate::workbench::panels::tree::inspection::Base;

    fn recorded(lookahead: &str) -> Tree {
        let text = format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])");
        let strategy: Strategy = text.parse().expect("a strategy");
        let board: Board = "2,4,8,16/0,8,0,32/4,2,4,64/2,0,2,128"
            .parse()
            .expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            1 << 20,
        );
        let searched = decision
            .searches
            .into_iter()
            .next()
            .flatten()
            .expect("searched");
        std::sync::Arc::unwrap_or_clone(searched.tree.expect("a tree"))
    }

    fn trees() -> Vec<Tree> {
        [
            "Expectimax(plies: Fixed(4))",
            "Expectimax(plies: Fixed(5), cuts: [Reach(0.01)])",
            "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
        ]
        .map(recorded)
        .into()
    }

    fn laid(tree: &Tree, folding: &Folding, line: &Line) -> Layout {
        Layout::new(
            tree,
            folding,
            line,
            &Spans::of(tree),
            usize::MAX,
            &CancelToken::new(),
        )
        .expect("there is no limit")
    }

    /// Checks a property of layouts for many foldings.
    fn holds(check: impl Fn(&Tree, &Folding, &Line, &Layout)) {
        let mut rng = rand_xoshiro::SplitMix64::seed_from_u64(1);
        for tree in trees() {
            let line = Line {
                ids: tree.line(SpawnRule::Median, &[]),
                ..Line::default()
            };
            for base in [Base::Line, Base::Ply(2), Base::Ply(4), Base::Everything] {
                for round in 0..8 {
                    let mut folding = Folding::new(base, None);
                    for _ in 0..round * 4 {
                        let id = NodeId(rng.random_range(0..tree.kept() as u32));
                        folding.set(id, rng.random_bool(0.6));
                        if rng.random_bool(0.3) {
                            folding.toggle_all_spawns(id);
                        }
                    }
                    check(&tree, &folding, &line, &laid(&tree, &folding, &line));
                }
            }
        }
    }

    #[test]
    fn the_spawns_of_a_node_use_the_whole_scale_and_slides_share_that_of_their_ply() {
        for tree in trees() {
            let spans = Spans::of(&tree);
            for id in tree.ids() {
                let tints: Vec<(f32, f64)> = tree
                    .children(id)
                    .filter_map(|child| {
                        let deviation = tree.value(child)? - tree.value(id)?;
                        Some((
                            spans.tint(&tree, child, tree.depth(child) as usize),
                            deviation,
                        ))
                    })
                    .collect();
                for &(tint, deviation) in &tints {
                    assert!(
                        tint == 0.0 || f64::from(tint.signum()) == deviation.signum(),
                        "{tint} for {deviation}"
                    );
                }

                if tints.iter().all(|&(_, deviation)| deviation == 0.0) {
                    continue;
                }

                let largest = tints.iter().map(|(tint, _)| tint.abs()).fold(0.0, f32::max);
                match tree.children(id).next().and_then(|child| tree.link(child)) {
                    Some(Link::Spawn(_)) => assert_eq!(largest, 1.0),
                    _ => {
                        let span = spans.at(tree.depth(id) as usize + 1);
                        for &(tint, deviation) in &tints {
                            assert_eq!(tint, (deviation / span).clamp(-1.0, 1.0) as f32);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn where_all_spawns_were_asked_for_a_pill_takes_them_back() {
        let tree = recorded("Expectimax(plies: Fixed(4))");
        let line = Line {
            ids: tree.line(SpawnRule::Median, &[]),
            ..Line::default()
        };
        let mut folding = Folding::new(Base::Line, None);
        let after = line.ids[1];
        let pills = |folding: &Folding| {
            let layout = laid(&tree, folding, &line);
            let column = &layout.columns[2];
            let pills = (0..column.slots.len())
                .filter(|&slot| column.slots[slot].entry == Entry::Pill)
                .count();
            (pills, column.slots.len())
        };
        let few = pills(&folding);
        folding.toggle_all_spawns(after);
        assert_eq!(folding.drawn(&tree, &line, after).hidden, 0);
        assert_eq!(pills(&folding), (1, tree.children(after).count() + 1));
        folding.toggle_all_spawns(after);
        assert_eq!(pills(&folding), few);
    }

    #[test]
    fn with_one_ply_the_boards_after_the_slides_are_drawn() {
        let strategy: Strategy = "(criteria: [(evaluator: Snake)])"
            .parse()
            .expect("a strategy");
        let board: Board = "2,4,8,16/0,8,0,32/4,2,4,64/2,0,2,128"
            .parse()
            .expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            100,
        );
        let tree = decision
            .tree(&strategy, 0, Rules::default())
            .expect("one ply has a tree");
        let layout = laid(&tree, &Folding::default(), &Line::default());
        let slides = &layout.columns[1];
        assert_eq!(slides.slots.len(), board.legal_moves().len());
        assert!((0..slides.slots.len()).all(|slot| slides.slots[slot].entry == Entry::Board));
    }

    #[test]
    fn what_is_drawn_in_a_column_never_overlaps() {
        holds(|_, _, _, layout| {
            for (depth, column) in layout.columns.iter().enumerate() {
                for slot in 1..column.slots.len() {
                    let bottom = column.ys[slot - 1] + column.slots[slot - 1].entry.height(depth).1;
                    let top = column.ys[slot] - column.slots[slot].entry.height(depth).0;
                    assert!(
                        bottom <= top + 1e-6,
                        "column {depth}, entry {slot}: {bottom} and {top}"
                    );
                    assert!(
                        column.slots[slot - 1].parent() <= column.slots[slot].parent(),
                        "edges do not cross"
                    );
                }
            }
        });
    }

    #[test]
    fn everything_unfolded_is_drawn_once_and_nothing_else() {
        holds(|tree, folding, line, layout| {
            let mut drawn: Vec<NodeId> = Vec::new();
            for column in &layout.columns {
                drawn.extend(
                    (0..column.slots.len())
                        .filter(|&slot| column.slots[slot].is_node())
                        .map(|slot| column.slots[slot].id),
                );
            }
            drawn.sort();
            let wanted: Vec<NodeId> = tree
                .ids()
                .filter(|&id| folding.is_drawn(tree, line, id))
                .collect();
            assert_eq!(drawn, wanted);
            for &id in drawn.iter().step_by(7) {
                let (depth, slot) = layout.find(&tree.path(id)).expect("it is drawn");
                assert_eq!(
                    (layout.columns[depth].slots[slot].id, depth as u32),
                    (id, tree.depth(id))
                );
            }
        });
    }

    #[test]
    fn the_chosen_line_is_straight() {
        holds(|tree, folding, line, layout| {
            for &id in line
                .ids
                .iter()
                .filter(|&&id| folding.is_drawn(tree, line, id))
            {
                let (depth, slot) = layout.find(&tree.path(id)).expect("it is drawn");
                assert_eq!(layout.y(depth, slot), 0.0, "node {} at depth {depth}", id.0);
            }
        });
    }

    #[test]
    fn siblings_stand_in_the_order_they_are_drawn_in() {
        holds(|tree, folding, line, layout| {
            for depth in 1..layout.columns.len() {
                let (above, column) = (&layout.columns[depth - 1], &layout.columns[depth]);
                for parent in (0..above.slots.len()).filter(|&slot| above.slots[slot].is_node()) {
                    let slots = column.below(parent..parent + 1);
                    let nodes = slots
                        .filter(|&slot| column.slots[slot].is_node())
                        .map(|slot| column.slots[slot].id);
                    let nodes: Vec<NodeId> = nodes.collect();
                    if !nodes.is_empty() {
                        assert_eq!(
                            nodes,
                            folding.drawn(tree, line, above.slots[parent].id).shown
                        );
                    }
                }
            }
        });
    }

    #[test]
    fn what_lies_between_two_heights_is_found() {
        let tree = recorded("Expectimax(plies: Fixed(4))");
        let line = Line {
            ids: tree.line(SpawnRule::Median, &[]),
            ..Line::default()
        };
        let layout = laid(&tree, &Folding::new(Base::Everything, None), &line);
        for column in &layout.columns {
            for (top, bottom) in [
                (-50.0, 50.0),
                (layout.top, layout.bottom),
                (1e6, 2e6),
                (0.0, 0.0),
            ] {
                let plain: Vec<usize> = (0..column.slots.len())
                    .filter(|&slot| (top..=bottom).contains(&column.ys[slot]))
                    .collect();
                assert_eq!(column.between(top, bottom).collect::<Vec<_>>(), plain);
            }
            let all = 0..column.slots.len();
            let mean: f32 = all
                .clone()
                .map(|slot| column.mean_tint(slot..slot + 1))
                .sum::<f32>()
                / all.len() as f32;
            assert!((column.mean_tint(all) - mean).abs() < 1e-4);
        }
    }

    #[test]
    fn a_layout_that_is_too_large_is_given_up() {
        let tree = recorded("Expectimax(plies: Fixed(4))");
        let folding = Folding::new(Base::Everything, None);
        let lay = |limit| {
            Layout::new(
                &tree,
                &folding,
                &Line::default(),
                &Spans::default(),
                limit,
                &CancelToken::new(),
            )
        };
        assert_eq!(lay(100).err(), Some(NoLayout::TooLarge));
        assert!(lay(tree.kept()).is_ok_and(|layout| layout.entries() == tree.kept()));
    }
}
