//! Draws a figure without a display, in an offscreen window.

use std::time::Duration;

use egui::Context;

use super::window::{App, Options};
use crate::workbench::command::{FileCommand, Panel, TreeCommand, TreeView};
use crate::workbench::panels::figure::Figure;
use crate::workbench::state::figure::FigureOptions;
use crate::workbench::state::settings::ExperimentView;

/// A figure to draw from files.
#[derive(Clone, Debug)]
pub struct FigureOrder {
    pub panel: Panel,
    /// The view of the search tree.
    pub view: Option<TreeView>,
    /// The plot of a run, by its name in the window.
    pub plot: Option<String>,
    pub figure: FigureOptions,
    /// Replaces the default caption.
    pub caption: Option<String>,
    /// Whether the board shows the spawn map.
    pub spawn_map: bool,
    /// The files to open, and the folders of saved items.
    pub window: Options,
}

/// Interval between two checks of running work.
const PAUSE: Duration = Duration::from_millis(5);
/// Work counts as finished after this many checks in a row that find none. On a busy machine much time may pass between two
/// checks, so that time without activity would not do.
const SETTLED: usize = 12;

/// Returns the bytes of the file, or an error in one sentence. `is_stopped` is polled; stopping is an error.
pub fn draw_figure(
    mut order: FigureOrder,
    is_stopped: impl Fn() -> bool,
) -> Result<Vec<u8>, String> {
    if let Some(problem) = order.figure.problem() {
        return Err(problem);
    }
    let ctx = Context::default();
    let files = std::mem::take(&mut order.window.files);
    let mut app = App::new(
        &ctx,
        Options {
            is_fresh: true,
            ..order.window.clone()
        },
    );
    app.panels.inspection.spawn_map = order.spawn_map;
    if order.plot.is_some() {
        app.panels.restore_experiment_view(&ExperimentView {
            plot: order.plot.clone(),
            ..ExperimentView::default()
        });
    }
    let first_board = app.document.cursor();
    app.apply(&ctx, FileCommand::OpenFiles(files));
    settle(&mut app, &ctx, &is_stopped)?;
    if app.document.cursor() == first_board {
        without_board(&mut app, &ctx, order.panel)?;
    }

    // A panel requests its data when it is first drawn.
    drawn(&mut app, &ctx, &order, &is_stopped)?;
    let figure = drawn(&mut app, &ctx, &order, &is_stopped)?;
    if let Some(missing) = missing(&app, &order) {
        return Err(missing);
    }

    figure.file().map_err(|error| error.to_string())
}

/// Draws only content of the files, never the window's default game; for a tree, the board of its root.
fn without_board(app: &mut App, ctx: &Context, panel: Panel) -> Result<(), String> {
    let (inspection, open) = (&app.panels.inspection, TreeCommand::OpenOnBoard);
    let expected = match (panel, inspection.is_opened()) {
        (Panel::Board, true) => {
            inspection.can(open)?;
            app.apply(ctx, open);
            return Ok(());
        }
        (Panel::Board, false) => "no board: give a position, a game record or a tree",
        (Panel::Decision, _) => {
            "no board to decide on: give a position or a game record, and a strategy"
        }
        (Panel::Tree | Panel::Node | Panel::Why | Panel::BestPlay, false) => {
            "no search: give a tree, or a position and a strategy that looks ahead"
        }
        _ => return Ok(()),
    };
    Err(format!("the files contain {expected}"))
}

fn drawn(
    app: &mut App,
    ctx: &Context,
    order: &FigureOrder,
    is_stopped: &impl Fn() -> bool,
) -> Result<Figure, String> {
    settle(app, ctx, is_stopped)?;
    if let Some(view) = order.view {
        app.apply(ctx, TreeCommand::View(view));
    }
    let (panels, doc) = (&mut app.panels, &app.document);
    let usual = panels.caption(order.panel, doc, &order.figure);
    let caption = order
        .figure
        .caption
        .then(|| order.caption.as_deref().unwrap_or(&usual));
    Ok(panels.figure(order.panel, doc, &order.figure, caption, None, None))
}

/// The missing subject of the figure, if any, and the remedy, in one sentence.
fn missing(app: &App, order: &FigureOrder) -> Option<String> {
    let (panels, doc) = (&app.panels, &app.document);
    let has_games = doc.shown().is_some_and(|run| run.snapshot.is_some());
    match order.panel {
        Panel::Board => panels.spawns_problem(doc),
        Panel::Tree | Panel::Node | Panel::Why | Panel::BestPlay
            if panels.inspection.shown().is_none() =>
        {
            Some(
                "nothing was searched: give a position with moves and a strategy that looks ahead"
                    .to_owned(),
            )
        }
        Panel::Experiment if order.plot.is_some() && !has_games => {
            Some("there are no games to plot: give the folder of a run".to_owned())
        }
        Panel::Results if !has_games => {
            Some("there are no results: give the folder of a run".to_owned())
        }
        _ => None,
    }
}

impl App {
    /// Draws the current content of a panel as a file with the default caption; the error is one sentence.
    pub fn draw(&mut self, panel: Panel, options: &FigureOptions) -> Result<Vec<u8>, String> {
        if let Some(problem) = options.problem() {
            return Err(problem);
        }
        let caption = options
            .caption
            .then(|| self.panels.caption(panel, &self.document, options));
        let figure = self.panels.figure(
            panel,
            &self.document,
            options,
            caption.as_deref(),
            None,
            None,
        );
        figure.file().map_err(|error| error.to_string())
    }
}

/// Waits until nothing is running; a file that could not be opened is an error.
fn settle(app: &mut App, ctx: &Context, is_stopped: &impl Fn() -> bool) -> Result<(), String> {
    let mut quiet = 0;
    while quiet < SETTLED {
        if is_stopped() {
            return Err("it was stopped".to_owned());
        }
        app.poll(ctx);
        app.panels.inspection.follow(&app.document);
        quiet = if app.running().is_empty() {
            quiet + 1
        } else {
            0
        };
        std::thread::sleep(PAUSE);
    }
    let refused = app.panels.inspection.refused();
    refused
        .or_else(|| app.notices.first_error().map(str::to_owned))
        .map_or(Ok(()), Err)
}
