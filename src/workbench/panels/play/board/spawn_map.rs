//! The spawn map: for each empty cell, the value of a 2 and a 4 after a slide, relative to the mean, from the record of
//! the search.
//!
//! It is off until the user turns it on (Q). It shows the slide under the pointer in the decision strip; else the slide
//! played last, over the resulting board, with the new tile framed; in a figure, without a pointer, the chosen slide. A
//! line below the board shows the figures. The line keeps its place while the map is on, so that nothing moves.

use egui::{Align2, Color32, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2};

use crate::game::{Cell, Move, Rank, Spawn};
use crate::search::{Bound, Link, Outcome, SpawnMap};
use crate::words;
use crate::workbench::command::{Commands, GameCommand};
use crate::workbench::kit::{BoardGeometry, focus_ring, remark};
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::words::{
    bounded, bounded_difference, difference as signed, title,
};
use crate::workbench::paper::on_paper;
use crate::workbench::state::{Document, NodeId};
use crate::workbench::theme::{self, Theme};

pub(super) const LINE: f32 = 20.0;

/// A map and its slide.
#[derive(Clone, Debug)]
pub(super) struct ShownSpawns {
    map: SpawnMap,
    mv: Move,
    /// The position before the slide.
    position: NodeId,
    /// The player of an opened search, which may differ from the current strategy.
    by: Option<String>,
    /// The reference of the differences: the mean, or the worst value if values are only bounds, which have no mean.
    reference: f64,
    bound: Bound,
    /// The probabilities of a 2 and a 4.
    chances: [f64; 2],
    /// The actual spawn, if the slide was played.
    came: Option<Spawn>,
    /// The largest difference to the reference.
    span: f64,
    /// Whether the panels of the tree show this search.
    in_tree: bool,
}

impl ShownSpawns {
    /// The map of the slide under the pointer, else of the slide played last; `None` if no search covers it.
    pub(super) fn of(
        doc: &Document,
        inspection: &Inspection,
        preview: Option<Move>,
    ) -> Option<Self> {
        if doc.editing().is_some() {
            return None;
        }

        let (mv, came, position) = match (preview, doc.node().step) {
            (Some(mv), _) => (mv, None, doc.cursor()),
            (None, Some(step)) => (step.mv, Some(step.spawn), doc.node().parent?),
            (None, None) => return None,
        };
        let search = inspection.search_of(doc, position)?;
        let tree = &search.tree;
        let by = search.node.is_none().then(|| search.strategy.label());
        let after = tree.follow(&[Link::Slide(mv)])?;
        let map = tree.spawn_map(after)?;
        let in_tree = inspection
            .shown()
            .is_some_and(|shown| std::sync::Arc::ptr_eq(&shown.tree, tree));
        let (reference, bound) = match map.is_exact() {
            true => (map.mean, Bound::Exact),
            false => (map.worst, tree.bound(after)),
        };
        let deviations = map
            .outcomes()
            .filter_map(|(_, outcome)| Some((outcome.value? - reference).abs()));
        let span = deviations
            .filter(|deviation| deviation.is_finite())
            .fold(0.0, f64::max)
            .max(f64::MIN_POSITIVE);
        Some(Self {
            map,
            mv,
            position,
            by,
            reference,
            bound,
            chances: tree.probability(),
            came,
            span,
            in_tree,
        })
    }

    pub(super) fn places(&self, cell: Cell) -> bool {
        self.came.is_some_and(|came| came.cell != cell)
            && self.map.cells.iter().any(|&(other, _)| other == cell)
    }

    /// Draws the halves in the empty cells and handles clicks.
    pub(super) fn cells_ui(
        &self,
        ui: &mut Ui,
        geometry: &BoardGeometry,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        let came = self.came.map(|came| came.cell);
        for &(cell, outcomes) in self
            .map
            .cells
            .iter()
            .filter(|&&(cell, _)| Some(cell) != came)
        {
            let halves = halves(geometry.cell(cell)).into_iter().zip(outcomes);
            for ((half, outcome), rank) in halves.zip([Rank::TWO, Rank::FOUR]) {
                self.half_ui(
                    ui,
                    half,
                    Spawn { cell, rank },
                    outcome,
                    inspection,
                    commands,
                );
            }
        }
        if let Some(came) = self.came {
            self.came_ui(ui, geometry.cell(came.cell), came);
        }
    }

    fn half_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        spawn: Spawn,
        outcome: Option<Outcome>,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let deviation = outcome.and_then(|outcome| Some(outcome.value? - self.reference));
        let fill = deviation.map_or(theme.bg3, |deviation| {
            theme.diverging((deviation / self.span) as f32)
        });
        ui.painter().rect_filled(rect, 3, fill);
        let ink = theme::text_on(fill);
        let tile = spawn.rank;
        let texts = match deviation {
            Some(deviation) => {
                let short = words::short_difference(deviation);
                let change = self.told(
                    deviation,
                    outcome.map(|outcome| outcome.bound).unwrap_or_default(),
                );
                [
                    format!("{tile}  {change}"),
                    format!("{tile} {short}"),
                    tile.to_string(),
                ]
            }
            None => [
                format!("{tile}  {}", self.missing(tile, outcome)),
                format!("{tile} –"),
                tile.to_string(),
            ],
        };
        write(ui, rect, &texts, ink);
        let sense = if self.came.is_some() {
            Sense::click()
        } else {
            Sense::hover()
        };
        let id = ui
            .scope_id()
            .with(("half", spawn.cell.row, spawn.cell.col, tile.get()));
        let response = ui.interact(rect, id, sense);
        let sentence = self.sentence(spawn, outcome);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &sentence));
        let lit = response.hovered() || response.has_focus();
        if lit || self.came.is_some() {
            let (width, color) = if lit {
                (1.5, theme.text1)
            } else {
                (1.0, theme.line)
            };
            ui.painter()
                .rect_stroke(rect, 3, Stroke::new(width, color), StrokeKind::Inside);
        }

        if response.has_focus() {
            focus_ring(ui, rect.shrink(2.0));
        }

        if response.clicked() {
            if let Some(outcome) = outcome.filter(|_| self.in_tree) {
                inspection.select(outcome.node);
            }
            commands.push(GameCommand::PlaceTile(spawn));
        }

        let hint = if self.came.is_some() {
            ". Click to place this tile instead"
        } else {
            ""
        };
        response.on_hover_text(format!("{sentence}{hint}"));
    }

    /// The actual spawn, framed, with its value.
    fn came_ui(&self, ui: &Ui, rect: Rect, came: Spawn) {
        let theme = Theme::of(ui);
        ui.painter().rect_stroke(
            rect,
            theme::RADIUS_S,
            Stroke::new(2.0, theme.accent),
            StrokeKind::Outside,
        );
        let outcome = self
            .map
            .outcomes()
            .find(|(other, _)| *other == came)
            .map(|(_, outcome)| outcome);
        let valued = outcome.and_then(|outcome| Some((outcome, outcome.value? - self.reference)));
        let Some((outcome, deviation)) = valued else {
            return;
        };
        let strip = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 16.0), rect.max);
        if strip.height() < rect.height() / 2.5 {
            let fill = theme.diverging((deviation / self.span) as f32);
            ui.painter().rect_filled(strip, 3, fill);
            let texts = [
                self.told(deviation, outcome.bound),
                words::short_difference(deviation),
                String::new(),
            ];
            write(ui, strip, &texts, theme::text_on(fill));
        }
    }

    fn sentence(&self, Spawn { cell, rank: tile }: Spawn, outcome: Option<Outcome>) -> String {
        match outcome.and_then(|outcome| Some((outcome, outcome.value?))) {
            Some((outcome, value)) => format!(
                "{tile} at {cell} after {}: {}{}, {} relative to the {}, probability {}",
                self.mv,
                outcome.bound.sign(),
                words::exact(value),
                self.told(value - self.reference, outcome.bound),
                if self.map.is_exact() { "mean" } else { "worst" },
                words::small_probability(outcome.probability)
            ),
            None => format!(
                "{tile} at {cell} after {}: {}",
                self.mv,
                self.missing(tile, outcome)
            ),
        }
    }

    /// A difference to the reference.
    fn told(&self, difference: f64, bound: Bound) -> String {
        let is_the_worst = difference == 0.0 && bound == self.bound;
        if is_the_worst {
            signed(0.0)
        } else {
            bounded_difference(difference, bound.minus(self.bound))
        }
    }

    /// Why there is no value.
    fn missing(&self, tile: Rank, outcome: Option<Outcome>) -> &'static str {
        match outcome {
            Some(_) => "not searched",
            None if self.chances[usize::from(tile == Rank::FOUR)] == 0.0 => "cannot appear",
            None => "not in the record",
        }
    }

    /// `spawns after Down valued by snake 3: Expectimax of Snake, 3 plies, 412 nodes`
    pub(super) fn caption(&self, doc: &Document, inspection: &Inspection) -> Option<String> {
        Some(format!(
            "spawns after {} valued by {}",
            self.mv,
            inspection.search_of(doc, self.position)?.caption()
        ))
    }

    /// Mean, best, worst, standard deviation and n, in one line.
    fn figures(&self) -> String {
        let map = &self.map;
        let n = map
            .outcomes()
            .filter(|(_, outcome)| outcome.value.is_some())
            .count();
        let (title, n) = (title(self.mv), words::count(n as u64));
        if !map.is_exact() {
            let worst = bounded(map.worst, self.bound);
            return format!("{title}: worst {worst}, mean and best unknown with alpha-beta, n {n}");
        }
        let spread = map.deviation.map_or_else(
            || "SD unknown, spawns are missing".to_owned(),
            |sd| format!("SD {}", words::size(sd)),
        );
        let values = [map.mean, map.best, map.worst];
        let places = words::places(values).max(1);
        let [mean, best, worst] = values.map(|value| words::decimals(value, places));
        format!("{title}: mean {mean}, best {best}, worst {worst}, {spread}, n {n}")
    }
}

/// The line below the board; it keeps its place when it is empty.
pub(super) fn line_ui(ui: &mut Ui, shown: Option<&ShownSpawns>) {
    let theme = Theme::of(ui);
    let text = match shown {
        None => "Spawn map: point at a move in Decision, or play a searched move".to_owned(),
        Some(shown) => match &shown.by {
            // In print the caption says it.
            Some(by) if !on_paper(ui) => format!("By {by}, {}", shown.figures()),
            _ => shown.figures(),
        },
    };
    let color = if shown.is_some() {
        theme.text2
    } else {
        theme.text3
    };
    let size = egui::vec2(ui.available_width(), LINE);
    ui.allocate_ui_with_layout(
        size,
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            remark(ui, &text, color);
        },
    );
}

/// The half of the 2 above, the half of the 4 below.
fn halves(cell: Rect) -> [Rect; 2] {
    let middle = cell.center().y.round();
    let above = Rect::from_min_max(cell.min, pos2(cell.right(), middle - 0.5));
    [
        above,
        Rect::from_min_max(pos2(cell.left(), middle + 0.5), cell.max),
    ]
}

/// Writes the first of the texts, longest first, that fits.
fn write(ui: &Ui, rect: Rect, texts: &[String; 3], ink: Color32) {
    for text in texts {
        let galley = ui
            .painter()
            .layout_no_wrap(text.clone(), theme::small(), ink);
        if galley.size().x <= rect.width() - 4.0 && galley.size().y <= rect.height() {
            let at = Align2::CENTER_CENTER
                .anchor_size(rect.center(), galley.size())
                .min;
            ui.painter().galley(at, galley, ink);
            return;
        }
    }
}
