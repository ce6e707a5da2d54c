//! Draws a panel of a window that nobody sees: figures without a display.

use std::time::{Duration, Instant};

use egui::Context;

use super::window::{App, Options};
use crate::workbench::command::{Panel, TreeCommand, TreeView};
use crate::workbench::state::figure::FigureOptions;
use crate::workbench::state::settings::ExperimentView;

/// What is drawn, of which files.
#[derive(Clone, Debug)]
pub struct FigureOrder {
    pub panel: Panel,
    /// How the search is shown.
    pub view: Option<TreeView>,
    /// Which plot of a run, by the name that the window has for it.
    pub plot: Option<String>,
    pub figure: FigureOptions,
    /// Instead of what is usually said below it.
    pub caption: Option<String>,
    /// Whether the board shows what each spawn is worth.
    pub spawn_map: bool,
    /// What the window would open, and where it would look for what is kept.
    pub window: Options,
}

/// Between two looks at what goes on.
const PAUSE: Duration = Duration::from_millis(5);
/// What has nothing to do for so long is done.
const SETTLED: Duration = Duration::from_millis(60);

/// The bytes of the file; `Err` is one sentence. `is_stopped` is asked now and then, and what is stopped says so.
pub fn draw_figure(order: FigureOrder, is_stopped: impl Fn() -> bool) -> Result<Vec<u8>, String> {
    if let Some(problem) = order.figure.problem() {
        return Err(problem);
    }
    let ctx = Context::default();
    let mut app = App::new(&ctx, Options { is_fresh: true, ..order.window });
    app.panels.inspection.spawn_map = order.spawn_map;
    let needs_games = order.plot.is_some();
    if needs_games {
        app.panels.restore_experiment_view(&ExperimentView { plot: order.plot, ..ExperimentView::default() });
    }
    let mut figure = || {
        settle(&mut app, &ctx, &is_stopped)?;
        let refused = app.panels.inspection.refused();
        if let Some(error) = refused.or_else(|| app.notices.first_error().map(str::to_owned)) {
            return Err(error);
        }
        if let Some(view) = order.view {
            app.apply(&ctx, TreeCommand::View(view));
        }
        let (panels, doc) = (&mut app.panels, &app.document);
        let usual = panels.caption(order.panel, doc, &order.figure);
        let caption = order.figure.caption.then(|| order.caption.as_deref().unwrap_or(&usual));
        Ok(panels.figure(order.panel, doc, &order.figure, caption, (None, None)))
    };
    // A panel asks for what it shows when it is drawn first.
    figure()?;
    let figure = figure()?;
    if needs_games && app.document.shown().is_none_or(|run| run.snapshot.is_none()) {
        return Err("there are no games to plot: give the folder of a run".to_owned());
    }
    figure.file().map_err(|error| error.to_string())
}

impl App {
    /// What a panel shows now as the bytes of a file, with what is usually said below; `Err` is one sentence.
    pub fn draw(&mut self, panel: Panel, options: &FigureOptions) -> Result<Vec<u8>, String> {
        if let Some(problem) = options.problem() {
            return Err(problem);
        }
        let caption = options.caption.then(|| self.panels.caption(panel, &self.document, options));
        let figure = self.panels.figure(panel, &self.document, options, caption.as_deref(), (None, None));
        figure.file().map_err(|error| error.to_string())
    }
}

/// Waits until nothing goes on any more.
fn settle(app: &mut App, ctx: &Context, is_stopped: &impl Fn() -> bool) -> Result<(), String> {
    let mut quiet = Instant::now();
    while quiet.elapsed() < SETTLED {
        if is_stopped() {
            return Err("it was stopped".to_owned());
        }
        app.poll(ctx);
        app.panels.inspection.follow(&app.document);
        if app.document.busy().is_some() || !app.document.tasks.is_idle() {
            quiet = Instant::now();
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}
