//! The search that chose the move on the board, as a tree, an icicle, columns or plies, with filter, replay, and
//! comparison with a second strategy's search.
//!
//! [`inspection`] is the state that all panels share (selection, folding, filter, replay); `canvas`, `icicle`,
//! `columns`, `plies` and `compare` paint it. `frame` has what they share (requests, following the selection, pointer
//! and wheel, nodes as widgets), `key` the legend of colors and signs.
//!
//! To add a view: a variant of `TreeView` in `command/vocabulary.rs`, its row in `command/tree_rows.rs`, a painter here
//! with a `ViewFrame`, and its arms below; for figures a kind in `cli/figure_args.rs` and its arm in `cli/window.rs`.

mod bar;
pub(crate) mod best_play;
mod canvas;
mod columns;
mod compare;
mod frame;
mod icicle;
pub(super) mod inspection;
mod key;
pub(super) mod node;
mod plies;
mod replay_bar;
pub(crate) mod why;
pub(crate) mod words;

pub(super) use bar::{folded_ui, head_ui};
pub use canvas::layout::Layout;
use egui::{Rect, Ui, UiBuilder, vec2};
pub use inspection::Inspection;
pub(crate) use inspection::{
    Base, Folding, JudgedMoves, Known, Line, OfNode, Shown, SkippedState, Spans, by_worth, fell,
    tint,
};
use strum::IntoEnumIterator as _;

use self::key::FigureKey;
use crate::search::NodeKind;
use crate::workbench::command::{Commands, TreeCommand, TreeView};
use crate::workbench::kit::empty;
use crate::workbench::state::Document;
use crate::workbench::state::figure::Crop;
use crate::workbench::theme;

#[derive(Debug, Default)]
pub(crate) struct TreePanel {
    canvas: canvas::Canvas,
    icicle: icicle::Icicle,
    columns: columns::Columns,
    compare: compare::Compare,
    plies: plies::Plies,
    replay_bar: replay_bar::ReplayBar,
}

impl TreePanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        bar::changed::ui(ui, inspection, commands);
        if inspection.shown().is_none() {
            return no_tree(
                ui,
                doc,
                "Play or press Enter to see the search behind the move",
            );
        }

        bar::ui(ui, doc, inspection, commands);
        if inspection.replay.is_some() {
            self.replay_bar.ui(ui, inspection, commands);
        }

        if inspection.view == TreeView::Plies {
            self.plies.ui(ui, doc, inspection);
        } else if inspection.is_compared {
            self.compare.ui(ui, doc, inspection, commands);
        } else {
            match inspection.view {
                TreeView::Tree => self.canvas.ui(ui, inspection, commands),
                TreeView::Icicle => self.icicle.ui(ui, inspection, commands),
                TreeView::Columns => self.columns.ui(ui, inspection, commands),
                TreeView::Plies => {}
            }
        }
    }

    /// The tree of a judge, as nodes and edges only.
    pub(crate) fn judge_ui(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        self.canvas.ui(ui, inspection, commands);
    }

    /// The view for print, without its tools, at the part that `crop` selects; the window's view does not change.
    pub(crate) fn figure_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        crop: Crop,
    ) {
        let Some(shown) = inspection.shown() else {
            return no_tree(ui, doc, "No search to draw yet");
        };

        let (tree, commands) = ((shown.number, shown.row), &mut Commands::default());
        if inspection.view == TreeView::Plies {
            self.plies.ui(ui, doc, inspection);
        } else if inspection.is_compared {
            let from = if crop == Crop::Selection {
                inspection.selected()
            } else {
                shown.tree.root()
            };
            self.compare.below_ui(ui, doc, inspection, commands, from);
        } else {
            let width = ui.available_width();
            let key = figure_key(inspection, crop, width);
            let below = key.as_ref().map_or(0.0, FigureKey::height);
            let room = Rect::from_min_size(
                ui.cursor().min,
                vec2(width, (ui.available_height() - below).max(0.0)),
            );
            let mut inside = ui.new_child(UiBuilder::new().max_rect(room));
            match inspection.view {
                TreeView::Tree => {
                    let (mut canvas, plies) = (
                        self.canvas.for_figure(crop, width),
                        plies_in_figure(crop, width),
                    );
                    inspection.within(plies, |inspection| {
                        canvas.ui(&mut inside, inspection, commands);
                    });
                }
                TreeView::Icicle => {
                    let mut icicle = self.icicle.for_figure(crop, tree, inspection.selected());
                    icicle.ui(&mut inside, inspection, commands);
                }
                TreeView::Columns => {
                    columns::Columns::default().ui(&mut inside, inspection, commands);
                }
                TreeView::Plies => {}
            }
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.advance_cursor_after_rect(room);
            key.inspect(|key| key.ui(ui));
        }
    }

    /// Passes a command to the visible view, after the shared state.
    pub(crate) fn request(
        &mut self,
        command: TreeCommand,
        doc: &Document,
        inspection: &Inspection,
        commands: &mut Commands,
    ) {
        if command == TreeCommand::Compare {
            return compare::toggle(doc, commands);
        }
        if !inspection.is_compared {
            let frame = match inspection.view {
                TreeView::Tree => &mut self.canvas.frame,
                TreeView::Icicle => &mut self.icicle.frame,
                TreeView::Columns => &mut self.columns.frame,
                // This view shows no nodes.
                TreeView::Plies => return,
            };
            frame.request(command);
        }
    }
}

fn plies_in_figure(crop: Crop, width: f32) -> usize {
    if crop == Crop::Whole {
        canvas::plies_that_are_read(width)
    } else {
        usize::MAX
    }
}

/// The minimum height of the whole tree in a figure.
pub(in crate::workbench::panels) fn figure_height(inspection: &Inspection) -> f32 {
    let shown = inspection
        .shown()
        .filter(|_| inspection.view == TreeView::Icicle);
    shown.map_or(0.0, |shown| icicle::least_height(&shown.tree))
}

/// The legend of a figure of this width, if its view has colors.
pub(in crate::workbench::panels) fn figure_key(
    inspection: &Inspection,
    crop: Crop,
    width: f32,
) -> Option<FigureKey> {
    let shown = inspection.shown().filter(|_| !inspection.is_compared)?;
    if !matches!(inspection.view, TreeView::Tree | TreeView::Icicle) {
        return None;
    }
    // A tree with default folding is cut at some plies; any other may show all of them.
    let is_short = inspection.view == TreeView::Tree && inspection.folding().within(1).is_some();
    let plies = if is_short {
        plies_in_figure(crop, width).saturating_add(1)
    } else {
        usize::MAX
    };
    let rows = || shown.tree.plies().iter().take(plies);
    let kinds = NodeKind::iter().filter(|&kind| rows().any(|row| row.of(kind) != 0));
    Some(FigureKey::new(kinds, width))
}

/// The text of the tree panels before the first search, and if nothing can be searched.
fn no_tree(ui: &mut Ui, doc: &Document, way_in: &str) {
    let text = match () {
        () if doc.board().legal_moves().is_empty() => {
            "No move is left on this board, so there is nothing to search"
        }
        () if !doc.strategy().looks_ahead() => {
            "No row of this strategy looks ahead: give a row a lookahead to see its search"
        }
        () => way_in,
    };
    empty(ui, text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::board;
    use crate::game::Rules;
    use crate::search::{SearchOptions, Tree};
    use crate::strategy::{Decision, Player, Strategy};
    use crate::task::CancelToken;

    /// The search of a strategy's first row on one board.
    pub(super) fn tree(text: &str) -> Arc<Tree> {
        let strategy: Strategy = text.parse().expect("a strategy");
        let board = board! {
            64 8 4 2
            16 4 . .
             8 2 . .
             2 4 2 .
        };
        let stop = CancelToken::new();
        let options = SearchOptions::on_one_core(&stop);
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 100),
            |_| 0,
            options,
            100_000,
        );
        decision
            .tree(&strategy, 0, Rules::default())
            .expect("a tree")
    }
}
