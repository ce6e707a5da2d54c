//! The screen position of an entry of the layout, and the text next to or below it.

use std::rc::Rc;
use std::sync::Arc;

use egui::{Galley, Pos2, Rect, Ui, pos2, vec2};

use super::card::{Card, Cards};
use super::layout::{self, Entry, Slot};
use super::{AHEAD, ARROW_ROOM, SPAWN_ROOM, Scene, camera};
use crate::game::Move;
use crate::search::{Frame, Link, NodeId, NodeKind, Tree};
use crate::words;
use crate::workbench::kit::{NODE_RADIUS, elided};
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::words::more_spawns;
use crate::workbench::theme;

/// Boards narrower than this are drawn as signs.
const LEAST_BOARD: f32 = 30.0;
/// Maximum side of the boards of single nodes.
const SIDE_OF_SIGN: f32 = 120.0;
const LARGEST_SIGN: f32 = 1.2;
const BESIDE: f32 = 8.0;
/// Width of the round ends of a pill.
const PILL_ENDS: f32 = 20.0;
/// Height of a pill, if it fits.
const PILL: f32 = 20.0;

/// A line of text and its position.
type Written = (Pos2, Arc<Galley>);

pub(super) struct Placed {
    pub depth: usize,
    pub slot: usize,
    pub id: NodeId,
    pub entry: Entry,
    /// The sign or the board.
    pub mark: Rect,
    pub rect: Rect,
    pub kind: NodeKind,
    pub card: Option<Rc<Card>>,
    pub value: Option<Written>,
    pub note: Option<Written>,
    /// Where edges to the right start.
    pub out: f32,
    pub is_board: bool,
    pub alpha: f32,
}

impl Scene<'_> {
    pub(super) fn place(
        &self,
        ui: &Ui,
        inspection: &Inspection,
        cards: &mut Cards,
        at: (usize, usize),
    ) -> Placed {
        let (depth, slot) = at;
        let Scene { laid, lens, .. } = self;
        let Slot { id, entry, .. } = laid.layout.at(depth, slot);
        let (left, y, scale) = (lens.column(depth), self.y(depth, slot), lens.scale());
        let kind = laid.tree.kind(id);
        let has_text = camera::ONE_LINE <= lens.view.scale;
        let card = (has_text && entry.is_node()).then(|| cards.of(&laid.tree, &laid.line, id));
        // Boards: unfolded afterstates, and in a close-up every board to move and every afterstate with spawns.
        let side = match entry {
            Entry::Board => {
                Some(layout::side(depth) as f32 * scale).filter(|side| LEAST_BOARD <= *side)
            }
            Entry::Sign if camera::CLOSE <= lens.view.scale => {
                let has_board = |card: &Rc<Card>| card.map.is_some() || kind == NodeKind::Leaf;
                let is_board = kind == NodeKind::Max || card.as_ref().is_some_and(has_board);
                is_board.then(|| (layout::ROW as f32 * scale - 6.0).min(SIDE_OF_SIGN))
            }
            _ => None,
        };

        let is_board = side.is_some() && card.is_some();
        let side = side.unwrap_or(2.0 * NODE_RADIUS * scale.min(LARGEST_SIGN));
        let mark = Rect::from_min_size(pos2(left, y - side / 2.0), vec2(side, side));
        let mut one = Placed {
            depth,
            slot,
            id,
            entry,
            mark,
            rect: mark,
            kind,
            card,
            value: None,
            note: None,
            out: mark.right() + 4.0,
            is_board,
            alpha: self.alpha(inspection, id, entry),
        };
        match entry {
            _ if !has_text => {}
            Entry::Pill => {
                let text = pill_text(&laid.tree, inspection, id);
                // Ends before the labels of the next column.
                let room = lens.column(depth + 1)
                    - ARROW_ROOM * lens.across().min(1.0) as f32
                    - left
                    - PILL_ENDS;
                let short = text.strip_suffix(" spawns").unwrap_or(&text).to_owned();
                let painted = |text| {
                    ui.painter()
                        .layout_no_wrap(text, theme::small(), self.theme.text2)
                };
                let galley = Some(painted(text))
                    .filter(|whole| whole.size().x <= room)
                    .unwrap_or_else(|| painted(short));
                // Does not cover the row of a neighbor, however close.
                let height = (layout::ROW as f32 * scale - 1.0).clamp(galley.size().y, PILL);
                one.mark = Rect::from_min_size(
                    pos2(left, y - height / 2.0),
                    vec2(galley.size().x + PILL_ENDS, height),
                );
                one.rect = one.mark;
                one.value = Some((one.mark.center() - galley.size() / 2.0, galley));
            }
            Entry::Struck(mv) => {
                let width = lens.column(depth + 1) - mark.right() - BESIDE;
                let value = elided(
                    ui.painter(),
                    "not searched",
                    theme::body(),
                    self.theme.text2,
                    width,
                );
                let reason = struck_text(inspection, mv);
                let note = elided(
                    ui.painter(),
                    reason,
                    theme::small(),
                    self.theme.text3,
                    width,
                );
                self.beside(&mut one, value, note);
            }
            Entry::Sign | Entry::Board => self.write(ui, inspection, &mut one),
        }

        one
    }

    fn write(&self, ui: &Ui, inspection: &Inspection, one: &mut Placed) {
        let Scene {
            laid, lens, theme, ..
        } = self;
        let Some(card) = one.card.clone() else { return };
        let (value, note) = match self.open.get(&one.id) {
            Some(frame) => frame_text(frame),
            None if inspection.replay.is_some() && one.alpha <= AHEAD => {
                (String::new(), String::new())
            }
            None if one.entry == Entry::Board && one.depth != 0 => {
                (card.value.clone(), card.board_note(one.depth))
            }
            None => {
                let note = laid.line.goes_on(&laid.tree, one.id);
                (
                    card.value.clone(),
                    note.unwrap_or_else(|| card.note.clone()),
                )
            }
        };

        let judged = judged(inspection, &laid.tree, one.id);
        let is_judged = judged.is_some();
        let (note, note_color) = match judged {
            Some((text, true)) => (text, theme.error),
            Some((text, false)) => (text, theme.accent),
            None if one.kind == NodeKind::Cut => (note, theme.kind(one.kind)),
            None => (note, theme.text3),
        };

        let font = if card.node.value.is_some() {
            theme::strong()
        } else {
            theme::body()
        };
        let value = |width: f32| {
            let painted = |text: &str, width: f32| {
                elided(ui.painter(), text, font.clone(), theme.text1, width)
            };
            let mut forms = rounded(&value, card.node.value)
                .into_iter()
                .map(|text| painted(&text, f32::INFINITY));
            forms
                .find(|text| text.size().x <= width)
                .unwrap_or_else(|| painted(&value, width))
        };
        let note = |width: f32| elided(ui.painter(), &note, theme::small(), note_color, width);

        // The text stops before the next column's labels and nodes.
        let next = lens.column(one.depth + 1);
        if one.entry == Entry::Board && one.is_board {
            let width = (next - one.mark.left() - 12.0).max(one.mark.width());
            let room = 40.0 * lens.scale();
            if 18.0 <= room || one.depth == 0 {
                one.below(
                    value(width),
                    (32.0 <= room && !is_judged).then(|| note(width)),
                );
            }
            if is_judged && let Some((at, value)) = &one.value {
                // The review's text follows the value: it is the reason for this tree.
                let whole = note(f32::INFINITY);
                let beside = *at + vec2(value.size().x + 6.0, 1.0);
                let fits = beside.x + whole.size().x < next - 8.0;
                one.note = Some((
                    if fits {
                        beside
                    } else {
                        *at + vec2(0.0, value.size().y - 1.0)
                    },
                    whole,
                ));
            }
            one.out = one.mark.right();
            if let Some((at, value)) = one.value.as_ref().filter(|_| one.depth == 0) {
                // The thick edges of the root bend beside its value, not across it.
                let beside = at.x + value.size().x + 4.0;
                one.out = one.out.max(beside.min(next - ARROW_ROOM - 6.0));
            }
            return;
        }

        let labels = if laid.tree.is_turn(one.depth as u32) {
            ARROW_ROOM
        } else {
            SPAWN_ROOM
        };
        // Without a subtree to the right, only the labels of other edges limit the text.
        let is_unfolded = inspection
            .folding()
            .is_unfolded(&laid.line, one.id, one.depth as u32);
        let goes_on = is_unfolded && laid.tree.kept_below(one.id) != 0;
        let labels = lens.across().min(1.0) as f32 * if goes_on { labels } else { labels - 22.0 };
        let is_last = one.depth + 1 == laid.layout.columns.len();
        let beside = one.mark.right() + BESIDE;
        let width = if is_last {
            (lens.rect.right() - beside).min(220.0)
        } else {
            next - labels - beside
        };
        if 24.0 <= width {
            self.beside(one, value(width), note(width));
        }
    }

    fn beside(&self, one: &mut Placed, value: Arc<Galley>, note: Arc<Galley>) {
        let left = one.mark.right() + BESIDE;
        let y = one.mark.center().y;
        // At a smaller scale the second line would cover the next node.
        let note =
            Some(note).filter(|note| camera::TWO_LINES <= self.lens.view.scale && !note.is_empty());
        let high = note.as_ref().map_or(0.0, |note| note.size().y - 2.0);
        let top = y - (value.size().y + high) / 2.0;
        let mut right = left + value.size().x;
        let at = pos2(left, top.round());
        if let Some(note) = note {
            right = right.max(left + note.size().x);
            one.note = Some((pos2(left, (top + value.size().y - 2.0).round()), note));
        }

        one.rect = one.mark.union(Rect::from_min_max(at, pos2(right, y)));
        one.value = Some((at, value));
        // Aligns the starts of a column's edges if the text allows it.
        one.out = (right + 6.0).max(self.usual_out(one.depth));
    }

    /// The start of a column's edges if the text is short.
    pub(super) fn usual_out(&self, depth: usize) -> f32 {
        self.lens.column(depth) + 104.0 * self.lens.across().min(1.0) as f32
    }
}

impl Placed {
    fn below(&mut self, value: Arc<Galley>, note: Option<Arc<Galley>>) {
        let at = pos2(self.mark.left(), self.mark.bottom() + 3.0);
        self.rect = self.rect.union(Rect::from_min_size(at, value.size()));
        if let Some(note) = note {
            let under = at + vec2(0.0, value.size().y - 1.0);
            self.rect = self.rect.union(Rect::from_min_size(under, note.size()));
            self.note = Some((under, note));
        }
        self.value = Some((at, value));
    }
}

/// A value as it is written, then with ever fewer decimals, for a node with little room: half a number says less than a
/// rounded one.
fn rounded(written: &str, value: Option<f64>) -> Vec<String> {
    let places = written
        .rsplit_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let value = value.filter(|&value| words::decimals(value, places) == written);
    // Without decimals 0.27 would be 0, which is wrong rather than rounded.
    let least = |value: f64| usize::from(value.abs() < 10.0);
    let rounded = |value: f64| {
        (least(value)..places)
            .rev()
            .map(move |places| words::decimals(value, places))
    };
    let shorter = value.into_iter().flat_map(rounded);
    std::iter::once(written.to_owned()).chain(shorter).collect()
}

/// What a review says about a root move's node, and whether that is a loss.
fn judged(inspection: &Inspection, tree: &Tree, id: NodeId) -> Option<(String, bool)> {
    let judged = inspection.judged.as_ref()?;
    let is_of =
        |mv: Move| tree.parent(id) == Some(tree.root()) && tree.link(id) == Some(Link::Slide(mv));
    match () {
        () if is_of(judged.best) && judged.best == judged.played => {
            Some(("best".to_owned(), false))
        }
        () if is_of(judged.best) => Some(("best".to_owned(), false)),
        () if is_of(judged.played) => Some((format!("played {}", judged.loss), true)),
        () => None,
    }
}

/// Why a root move was not considered.
pub(super) fn struck_text(inspection: &Inspection, mv: Move) -> &str {
    let struck = inspection
        .shown()
        .and_then(|shown| shown.struck.iter().find(|(fell, _)| *fell == mv));
    struck.map_or("rejected by an earlier row", |(_, why)| why)
}

fn pill_text(tree: &Tree, inspection: &Inspection, parent: NodeId) -> String {
    let missing = tree.left_out_at(parent);
    let hidden = inspection
        .folding()
        .drawn(tree, inspection.line(), parent)
        .hidden
        - missing;
    match (hidden, missing) {
        (0, 0) => "fewer spawns".to_owned(),
        (0, missing) => format!("{} not recorded", words::plural(missing, "node")),
        (_, 0) => more_spawns(hidden),
        (_, missing) => format!(
            "{}, {} not recorded",
            more_spawns(hidden),
            words::count(missing)
        ),
    }
}

/// Value and text of an open node: the search's knowledge at this step.
fn frame_text(frame: &Frame) -> (String, String) {
    let so_far = |value| format!("{} so far", words::decimals(value, 1));
    let value = frame.running.map_or_else(|| "open".to_owned(), so_far);
    let note = match (frame.alpha, frame.beta) {
        (None, None) if 0.0 < frame.weight => format!(
            "{} % of the spawns",
            words::decimals(frame.weight * 100.0, 0)
        ),
        (None, None) => format!("{} done", words::count(u64::from(frame.children_done))),
        (alpha, beta) => {
            let bound = |value: Option<f64>| {
                value.map_or_else(|| "?".to_owned(), |value| words::decimals(value, 1))
            };
            format!("α {}, β {}", bound(alpha), bound(beta))
        }
    };
    (value, note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_rounded_step_by_step_and_other_text_is_left() {
        assert_eq!(
            rounded("10,832.97", Some(10_832.97)),
            ["10,832.97", "10,833.0", "10,833"]
        );
        assert_eq!(rounded("0.274", Some(0.274)), ["0.274", "0.27", "0.3"]);
        for (text, value) in [
            ("12", Some(12.0)),
            ("≥ 3.5", Some(3.5)),
            ("not searched", None),
        ] {
            assert_eq!(rounded(text, value), [text]);
        }
    }
}
