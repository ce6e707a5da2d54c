//! The Experiment panel: the set-up, the progress of the run, and the distribution of the scores.
//!
//! From top to bottom: the run bar, then the set-up next to the plots. Narrow panels fold the set-up behind a button.
//!
//! To add a plot:
//!
//! 1. A variant of `Kind` with its facts in `frame.rs`, and its term in `terms/samples.rs`.
//! 2. Its hint in `plots.rs`, and its page and caption in `print.rs`: the compiler finds them. Data of its own are
//!    counted in `plots.rs`.
//! 3. A new shape is painted in `plot.rs`, spoken in `hear.rs` and brushed in `brush.rs`. A plot that draws itself
//!    has a file: see `Kind::Nodes` here and in `plots.rs`.
//! 4. For `figure`, a kind in `cli/figure_args.rs` and its name in `cli/window.rs`.

mod axis;
mod brush;
mod choices;
mod data;
mod differences;
mod exact_numbers;
mod frame;
pub(super) mod games;
mod hear;
mod ladder;
mod nodes;
mod plot;
mod plots;
mod print;
pub(super) mod results;
mod run_text;
pub(super) mod run_view;
mod setup;
mod stack;
mod standings;
mod sweep;
mod tuning;
mod until;

use std::sync::Arc;

use egui::{Align, Align2, Label, Layout, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, vec2};
use strum::IntoEnumIterator as _;

use crate::experiment::{ByRules, Estimate};
use crate::preset::Preset;
use crate::prose;
use crate::task::{Latest, TaskInfo};
use crate::words;
use crate::workbench::command::{CTRL, Commands, ExperimentCommand, FileCommand, SelectionCommand};
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{Button, panel_drop_target, progress, scroll_form_beside, submenu};
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::panels::experiment::run_view::{Refresh, RunView};
use crate::workbench::paper::on_paper;
use crate::workbench::state::settings::ExperimentView;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::theme::{self, Theme};
use brush::Brushing;
use data::PlotData;
pub(crate) use data::scores_text;
use differences::Differences;
use frame::Kind;
use run_text::RunText;
use stack::ByLargest;
use sweep::SweepView;

/// Minimum width at which the set-up opens next to the plots by default; below, a button opens it.
const BESIDE: f32 = 740.0;
/// Width of the set-up next to the plots.
const SETUP: f32 = 234.0;
/// Minimum heights of set-up and plot, one below the other in a narrow panel.
const LEAST_SETUP: f32 = 200.0;
const LEAST_PLOT: f32 = 210.0;
const WIDE_SETUP: f32 = 282.0;
/// Minimum panel width at which the set-up takes its wide width.
const ROOMY: f32 = 1000.0;
/// Below this width the set-up is above the plots, or replaces them if the panel is too low for both.
const INSTEAD: f32 = 520.0;
/// Minimum width of the button next to *Run* that saves a preset.
const SAVE_FROM: f32 = 400.0;
#[derive(Debug, Default)]
pub(crate) struct ExperimentPanel {
    setup: setup::SetupPane,
    /// Whether the set-up is open; `None` until the user opens or closes it.
    open: Option<bool>,
    kind: Kind,
    brushing: Brushing,
    refresh: Refresh,
    data: Option<PlotData>,
    by_largest: ByLargest,
    differences: Differences,
    sweep: SweepView,
    /// The run for which a kind of plot was chosen.
    seen_run: u64,
    /// The run of the shown plots, and the layout of its scores: logarithmic, whole axis, compared pair.
    laid_out: (u64, bool, bool, Option<[usize; 2]>),
    /// Increases when the visible part of the scores or its width in pixels changes.
    lens: u64,
    /// The set-up of the last frame.
    seen: Option<Arc<Preset>>,
    /// The estimated duration of a run that has not started.
    estimate: Latest<Planned, Estimate>,
}

/// The planned run, compared by identity: every edit creates a new preset.
#[derive(Debug)]
struct Planned(Arc<Preset>, Option<usize>);

impl PartialEq for Planned {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

impl ExperimentPanel {
    pub(crate) fn tell_view(&self, view: &mut ExperimentView) {
        (view.setup_open, view.plot) = (
            self.open,
            (self.kind != Kind::default()).then(|| self.kind.facts().name.to_owned()),
        );
    }

    pub(crate) fn restore_view(&mut self, view: &ExperimentView) {
        let named = |name: &String| Kind::iter().find(|kind| kind.facts().name == name);
        (self.open, self.kind) = (
            view.setup_open,
            view.plot.as_ref().and_then(named).unwrap_or_default(),
        );
    }

    /// The plot options in the folded menu above the plot.
    pub(crate) fn folded_ui(&self, ui: &mut Ui, view: &mut RunView) {
        if let Some(data) = self
            .data
            .as_ref()
            .filter(|_| !matches!(self.kind, Kind::Ladder | Kind::Nodes))
        {
            submenu(ui, "Bins and axis", |ui| {
                choices::in_menu_ui(ui, data, view);
            });
        }
    }

    /// Opens the set-up and focuses the values of a new sweep or tuning.
    pub(crate) fn enter_values(&mut self, doc: &Document) {
        self.open = Some(true);
        self.setup.enter_values(doc.setup());
    }

    /// Passes on a command for the focused contestant.
    pub(crate) fn request(&mut self, command: SelectionCommand) {
        self.setup.request(command);
    }

    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        view.follow(doc);
        self.follow(doc);
        let whole = ui.max_rect();
        let width = whole.width();
        let is_played = doc
            .results()
            .is_some_and(|last_run| last_run.plays_those_of(doc.setup()));
        let open = self.open.unwrap_or(BESIDE <= width || !is_played);
        self.run_bar(ui, doc, open, commands);
        if let Some(run) = told(doc).and_then(ExperimentRun::progress) {
            until::gauges_ui(ui, run);
        }

        ui.add_space(theme::SPACE_S - ui.spacing().item_spacing.y + 4.0);
        let rest = ui.available_rect_before_wrap();
        let mut plots = rest;
        if open {
            let trial = self.trial(doc).and_then(|estimate| estimate.spread);
            let wide = INSTEAD <= width;
            let setup = if ROOMY <= width { WIDE_SETUP } else { SETUP };
            // In a narrow panel the plot is below the set-up, if the panel is high enough.
            let below = !wide && !on_paper(ui) && LEAST_SETUP + LEAST_PLOT <= rest.height();
            let column = match (wide, below) {
                (true, _) => rest.with_max_x(rest.left() + setup),
                (false, true) => rest.with_max_y(rest.bottom() - LEAST_PLOT - theme::SPACE_M),
                (false, false) => rest,
            };
            let mut inside = ui.new_child(UiBuilder::new().id_salt("set-up").max_rect(column));
            inside.set_clip_rect(column.expand2(vec2(12.0, 3.0)).intersect(ui.clip_rect()));
            scroll_form_beside(&mut inside, "set-up", column, |ui| {
                self.setup.ui(ui, doc, view, trial, commands);
            });
            if below {
                plots.min.y = column.bottom() + theme::SPACE_M;
            } else {
                plots.min.x = column.right() + theme::SPACE_L;
            }
        }

        if 200.0 < plots.width() {
            let mut inside = ui.new_child(UiBuilder::new().id_salt("plots").max_rect(plots));
            self.plots(&mut inside, doc, view, commands);
        }

        // A strategy may be dropped anywhere on the panel.
        if let Some(drag) = panel_drop_target::<StrategyDrag>(ui, whole) {
            commands.push(ExperimentCommand::Add(Box::new((*drag.0).clone())));
        }
    }

    /// Reopens the set-up by default if its strategies changed, and estimates the duration of a run that has not
    /// started.
    fn follow(&mut self, doc: &Document) {
        let setup = doc.setup();
        if self
            .seen
            .as_ref()
            .is_none_or(|seen| !Arc::ptr_eq(seen, setup))
        {
            let others = |seen: &Arc<Preset>| {
                !seen
                    .strategies
                    .iter()
                    .map(|one| &one.strategy)
                    .eq(setup.strategies.iter().map(|one| &one.strategy))
            };
            if self.seen.as_ref().is_some_and(others) && self.open == Some(false) {
                self.open = None;
            }
            self.seen = Some(setup.clone());
        }
        let planned = Planned(setup.clone(), doc.threads());
        if doc.results().is_none() && doc.playing().is_none() && !self.estimate.is_asked(&planned) {
            let plan = doc.plan_of(setup);
            if plan.check().is_ok() {
                self.estimate
                    .ask(planned, doc.tasks(), TaskInfo::silent(), move |_| {
                        Estimate::of(&plan)
                    });
            }
        }

        self.estimate.poll();
    }

    /// "about 3 min, from 2 min to 5 min", once known.
    fn how_long(&self, doc: &Document) -> Option<String> {
        self.trial(doc).map(prose::how_long)
    }

    /// The result of timing the set-up.
    fn trial(&self, doc: &Document) -> Option<&Estimate> {
        let is_asked = self
            .estimate
            .is_asked(&Planned(doc.setup().clone(), doc.threads()));
        self.estimate.known().filter(|_| is_asked)
    }

    fn run_bar(&mut self, ui: &mut Ui, doc: &Document, open: bool, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let text = told(doc)
            .and_then(ExperimentRun::progress)
            .map(RunText::new)
            .unwrap_or_default();
        let failure = text.failure.clone();
        let beside = doc.playing_beside();
        let stale = doc
            .results()
            .is_some_and(|last_run| last_run.is_stale(doc.setup()));
        let width = ui.available_width();
        ui.allocate_ui_with_layout(
            vec2(width, theme::CONTROL),
            Layout::right_to_left(Align::Center),
            |ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_S;
                // The time left is more useful than the words of two buttons.
                run_buttons(
                    ui,
                    doc,
                    width
                        < if doc.playing().is_some() {
                            720.0
                        } else {
                            560.0
                        },
                    commands,
                );
                let [words, name] = if open {
                    ["Hide set-up"; 2]
                } else {
                    ["Set-up", "Show set-up"]
                };
                let toggle = Button::new(words).quiet().name(name);
                // Without room for the sentence, the icon alone is the warning.
                let toggle = if stale && width < 620.0 {
                    toggle.icon(Icon::Warning)
                } else {
                    toggle
                };

                let what = "Games, seed, rules and strategies of the next run";
                let about = if stale {
                    "The set-up changed since this run"
                } else {
                    what
                };
                if ui.add(toggle).on_hover_text(about).clicked() {
                    self.open = Some(!open);
                }

                if SAVE_FROM <= width {
                    let save = Button::new("Save preset").quiet().name("Save preset");
                    commands.show(ui, save, FileCommand::Save, doc);
                }

                ui.add_space(theme::SPACE_S);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.spacing_mut().item_spacing.x = theme::SPACE_M;
                    if text.widest.is_empty() {
                        let how_long = self.how_long(doc);
                        let room = how_long
                            .as_ref()
                            .map_or(0.0, |text| measure(ui, text) + theme::SPACE_M);
                        let room = if ui.available_width() < room + 120.0 {
                            0.0
                        } else {
                            room
                        };
                        ui.scope(|ui| {
                            ui.set_max_width(ui.available_width() - room);
                            let title = RichText::new(&doc.setup().title).font(theme::strong());
                            ui.add(Label::new(title).truncate());
                        });
                        if let Some(how_long) = how_long.filter(|_| room != 0.0) {
                            let label = ui.label(RichText::new(how_long).color(theme.text2));
                            label.on_hover_text(
                                "Expected duration, from a short trial on this machine",
                            );
                        }
                        return;
                    }

                    if let Some(run) = beside {
                        let title =
                            words::shortened_to(if width < ROOMY { 12 } else { 24 }, run.title());
                        let button = Button::new(&title).small().name("Show the active run");
                        commands.show(ui, button, ExperimentCommand::ShowPlaying, doc);
                    }

                    fixed(ui, &text.count, &text.widest, true);
                    let busy = doc.playing().is_some();
                    let warns = !busy && stale;
                    let rest = if warns {
                        "Set-up changed since this run"
                    } else {
                        &text.rest
                    };
                    let widest = if busy { "00:00 to 00:00 left" } else { rest };
                    let speed = "000,000 games/s";
                    let space = ui.available_width();
                    // A warning has an icon before its text.
                    let need_rest =
                        measure(ui, widest) + theme::SPACE_M + if warns { 22.0 } else { 0.0 };
                    let need_both = need_rest + measure(ui, speed) + theme::SPACE_M;
                    let with_rest = need_rest + 48.0 <= space;
                    let with_speed = with_rest && !warns && need_both + 48.0 <= space;
                    let room = space
                        - if with_speed {
                            need_both
                        } else if with_rest {
                            need_rest
                        } else {
                            0.0
                        };
                    if busy && 32.0 <= room {
                        progress(ui, "Games finished", text.share, room.min(210.0));
                    }
                    if with_speed {
                        fixed(ui, &text.speed, speed, false);
                    }

                    if !with_rest {
                        return;
                    }

                    if warns {
                        icon_label(ui, Icon::Warning, theme.warn);
                        ui.label(RichText::new(rest).color(theme.warn));
                    } else if failure.is_some() {
                        ui.label(RichText::new(rest).color(theme.error));
                    } else {
                        fixed(ui, rest, widest, false);
                    }
                });
            },
        );

        if let Some(failure) = failure {
            ui.label(RichText::new(format!("✗ {failure}")).color(theme.error));
        }
    }

    /// The text in place of the plots before a run.
    fn before_run(&self, doc: &Document) -> String {
        let setup = doc.setup();
        if setup.strategies.is_empty() {
            return format!(
                "{}\nDrag strategies here and press {CTRL} R: scores appear as games finish",
                setup.title
            );
        }

        let mut what = format!(
            "{}: {}, {}{}",
            setup.title,
            words::plural(setup.strategies.len() as u64, "strategy"),
            words::plural(setup.games, "game"),
            if setup.strategies.len() < 2 {
                ""
            } else {
                " each on the same seeds"
            }
        );
        if let Some(estimate) = self.trial(doc) {
            what += &format!(", {}", prose::how_long(estimate));
            if estimate.rules != ByRules::All {
                what += &format!(" for {}", prose::games_estimated(estimate, setup.games));
            }
        }

        let next = doc.run_in_the_way().unwrap_or_else(|| {
            format!("Press Run or {CTRL} R: scores appear here as games finish")
        });
        format!("{what}\n{next}")
    }
}

/// The run of the bar: the active one, whatever the set-up is now.
fn told(doc: &Document) -> Option<&ExperimentRun> {
    doc.playing().or(doc.results())
}

fn run_buttons(ui: &mut Ui, doc: &Document, narrow: bool, commands: &mut Commands) {
    let mut show = |ui: &mut Ui, button: Button<'_>, icon: Icon, command: ExperimentCommand| {
        if narrow {
            commands.icon(ui, icon, command, doc);
        } else {
            commands.show(ui, button.icon(icon), command, doc);
        }
    };
    if doc.playing().is_some() {
        // All buttons have the same width, so that a second click hits the same place.
        let width = 116.0;
        // A slow stop can be cut short.
        let stop = if doc.can(&ExperimentCommand::Stop.into()).is_ok() {
            (Button::new("Stop"), ExperimentCommand::Stop)
        } else {
            (Button::new("Stop at once"), ExperimentCommand::StopNow)
        };
        show(ui, stop.0.width(width), Icon::Stop, stop.1);
        if doc.can(&ExperimentCommand::Resume.into()).is_ok() {
            show(
                ui,
                Button::new("Resume").width(width),
                Icon::Play,
                ExperimentCommand::Resume,
            );
        } else {
            show(
                ui,
                Button::new("Pause").width(width),
                Icon::Pause,
                ExperimentCommand::Pause,
            );
        }
    } else {
        // The main button keeps its text however narrow the panel is.
        let can_go_on = doc.can(&ExperimentCommand::Resume.into()).is_ok();
        let stale = doc
            .results()
            .is_some_and(|last_run| last_run.is_stale(doc.setup()));
        if can_go_on {
            let resume = Button::new("Resume").icon(Icon::Play);
            commands.show(
                ui,
                if stale { resume } else { resume.accent() },
                ExperimentCommand::Resume,
                doc,
            );
        }
        // Resume continues the same plan, so Run is only for a changed one.
        if stale || !can_go_on {
            let text = if doc.results().is_some() && !stale && !narrow {
                "Run again"
            } else {
                "Run"
            };
            let run = Button::new(text).icon(Icon::Play);
            // A tuning has its own main button.
            let run = if doc.setup().tune.is_some() {
                run
            } else {
                run.accent()
            };
            commands.show(ui, run, ExperimentCommand::Run, doc);
        }
    }
}

/// Text in a place as wide as `widest`, so that the text after it does not move.
fn fixed(ui: &mut Ui, text: &str, widest: &str, strong: bool) {
    let theme = Theme::of(ui);
    let (font, color) = if strong {
        (theme::strong(), theme.text1)
    } else {
        (theme::body(), theme.text2)
    };
    let (rect, response) =
        ui.allocate_exact_size(vec2(measure(ui, widest), theme::CONTROL), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    ui.painter()
        .text(rect.left_center(), Align2::LEFT_CENTER, text, font, color);
}

/// Width of strong text. Body digits are as wide as bold ones.
fn measure(ui: &Ui, text: &str) -> f32 {
    ui.painter()
        .layout_no_wrap(text.to_owned(), theme::strong(), egui::Color32::PLACEHOLDER)
        .size()
        .x
        .ceil()
}
