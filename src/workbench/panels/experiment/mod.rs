//! The run and its plots: what is set up, how far it is, and how the scores are distributed.
//!
//! From top to bottom: the run bar, then the set-up beside the plots. Narrow panels fold the set-up behind a button.

mod axis;
mod brush;
mod choices;
mod data;
mod differences;
mod frame;
pub(super) mod games;
mod hear;
mod ladder;
mod plot;
mod print;
pub(super) mod results;
mod run_text;
pub(super) mod run_view;
mod setup;
mod stack;
mod until;

use std::sync::Arc;

use egui::{Align, Align2, Label, Layout, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2};

use crate::experiment::{ByRules, Common, Estimate};
use crate::preset::Preset;
use crate::prose;
use crate::task::{Latest, TaskInfo};
use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand, Panel, PictureFormat, SelectionCommand, ViewCommand};
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{
    Button, empty, fitting, focus, legend_entry, legend_width, menu_choice, panel_drop_target, progress,
    removable_chip, scroll_beside, segmented,
};
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::panels::experiment::run_view::{MOST_AT_FIRST, Refresh, RunView, Stamp};
use crate::workbench::state::saving::Drawn;
use crate::workbench::state::{Arm, Document, ExperimentRun};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};
use brush::Brushing;
use data::PlotData;
pub(crate) use data::scores_text;
use differences::{Differences, Paired};
use frame::Kind;
use run_text::RunText;
use stack::ByLargest;

/// From this width on the set-up stands beside the plots; below it is behind a button.
const BESIDE: f32 = 740.0;
/// Width of the set-up beside the plots, and in a panel that has room for titles.
const SETUP: f32 = 234.0;
const WIDE_SETUP: f32 = 282.0;
/// From this width of the panel on the set-up is wide.
const ROOMY: f32 = 1000.0;
/// From this width of the plots on the reach rates stand beside the histogram.
const LADDER_BESIDE: f32 = 940.0;
/// A column of the ladder beside the histogram, and its place for the names.
const LADDER_COLUMN: f32 = 86.0;
const LADDER_NAMES: f32 = 150.0;
/// Below this width the set-up takes the place of the plots while it is open.
const INSTEAD: f32 = 520.0;
/// Below this height one row is all there is for the choice of the plot, the legend and the brush.
const LOW: f32 = 300.0;

#[derive(Debug, Default)]
pub(crate) struct ExperimentPanel {
    setup: setup::SetupPane,
    /// Whether the set-up is open, once the person has said so.
    open: Option<bool>,
    kind: Kind,
    brushing: Brushing,
    refresh: Refresh,
    data: Option<PlotData>,
    by_largest: ByLargest,
    differences: Differences,
    /// The run whose plots are shown, and how its scores are laid out: logarithmic, whether all of them, or whose differences.
    laid_out: (u64, bool, bool, Option<[usize; 2]>),
    /// Grows as another part of the scores is seen, or on other pixels.
    lens: u64,
    /// The set-up of the last frame.
    seen: Option<Arc<Preset>>,
    /// How long a run would take that was not started yet.
    estimate: Latest<Planned, Estimate>,
}

/// What would be run, by identity: every change of it makes something new.
#[derive(Debug)]
struct Planned(Arc<Preset>, Option<usize>);

impl PartialEq for Planned {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

impl ExperimentPanel {
    /// Passes on what is to be done with the contestant that has the keyboard.
    pub(crate) fn request(&mut self, command: SelectionCommand) {
        self.setup.request(command);
    }

    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, view: &mut RunView, commands: &mut Commands) {
        view.follow(doc);
        self.follow(doc);
        let whole = ui.max_rect();
        let width = whole.width();
        let is_played = doc.results().is_some_and(|last_run| last_run.plays_those_of(doc.setup()));
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
            let column = if wide { rest.with_max_x(rest.left() + setup) } else { rest };
            let mut inside = ui.new_child(UiBuilder::new().id_salt("set-up").max_rect(column));
            inside.set_clip_rect(column.expand2(vec2(12.0, 3.0)).intersect(ui.clip_rect()));
            scroll_beside(&mut inside, "set-up", column, |ui| self.setup.ui(ui, doc, view, trial, commands));
            plots.min.x = column.right() + theme::SPACE_L;
        }
        if 200.0 < plots.width() {
            let mut inside = ui.new_child(UiBuilder::new().id_salt("plots").max_rect(plots));
            self.plots(&mut inside, doc, view, commands);
        }
        // A strategy may be let go anywhere on the panel.
        if let Some(drag) = panel_drop_target::<StrategyDrag>(ui, whole) {
            commands.push(ExperimentCommand::Add(Box::new((*drag.0).clone())));
        }
    }

    /// Shows a set-up whose strategies have changed, and times one that was not run yet.
    fn follow(&mut self, doc: &Document) {
        let setup = doc.setup();
        if self.seen.as_ref().is_none_or(|seen| !Arc::ptr_eq(seen, setup)) {
            let others = |seen: &Arc<Preset>| {
                !seen.strategies.iter().map(|one| &one.strategy).eq(setup.strategies.iter().map(|one| &one.strategy))
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
                self.estimate.ask(planned, &doc.tasks, TaskInfo::silent(), move |_| Estimate::of(&plan));
            }
        }
        self.estimate.poll();
    }

    /// "about 3 min, from 2 min to 5 min", once it is known.
    fn how_long(&self, doc: &Document) -> Option<String> {
        self.trial(doc).map(prose::how_long)
    }

    /// What a trial of the set-up found.
    fn trial(&self, doc: &Document) -> Option<&Estimate> {
        let is_asked = self.estimate.is_asked(&Planned(doc.setup().clone(), doc.threads()));
        self.estimate.known().filter(|_| is_asked)
    }

    fn run_bar(&mut self, ui: &mut Ui, doc: &Document, open: bool, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let text = told(doc).and_then(ExperimentRun::progress).map(RunText::new).unwrap_or_default();
        let failure = text.failure.clone();
        let beside = doc.playing_beside();
        let stale = doc.results().is_some_and(|last_run| last_run.is_stale(doc.setup()));
        let width = ui.available_width();
        ui.allocate_ui_with_layout(vec2(width, theme::CONTROL), Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            // Time left is worth more than the words of two buttons.
            run_buttons(ui, doc, width < if doc.playing().is_some() { 720.0 } else { 560.0 }, commands);
            let toggle = Button::new("Set-up").quiet().name(if open { "Hide set-up" } else { "Show set-up" });
            // Where there is no room for the sentence, the sign alone says it.
            let toggle = if stale && width < 620.0 { toggle.icon(Icon::Warning) } else { toggle };
            let what = "Games, seed, rules and strategies of the next run";
            let about = if stale { "The set-up changed since this run" } else { what };
            if ui.add(toggle).on_hover_text(about).clicked() {
                self.open = Some(!open);
            }
            ui.add_space(theme::SPACE_S);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_M;
                if text.widest.is_empty() {
                    let how_long = self.how_long(doc);
                    let room = how_long.as_ref().map_or(0.0, |text| measure(ui, text) + theme::SPACE_M);
                    let room = if ui.available_width() < room + 120.0 { 0.0 } else { room };
                    ui.scope(|ui| {
                        ui.set_max_width(ui.available_width() - room);
                        let title = RichText::new(&doc.setup().title).font(theme::strong());
                        ui.add(Label::new(title).truncate());
                    });
                    if let Some(how_long) = how_long.filter(|_| room != 0.0) {
                        let label = ui.label(RichText::new(how_long).color(theme.text2));
                        label.on_hover_text("Time that the run will take, from a short trial on this machine");
                    }
                    return;
                }
                if let Some(run) = beside {
                    let title = words::shortened_to(if width < ROOMY { 12 } else { 24 }, run.title());
                    let button = Button::new(&title).small().name("Show the run that goes on");
                    commands.show(ui, button, ExperimentCommand::ShowPlaying, doc);
                }
                fixed(ui, &text.count, &text.widest, true);
                let busy = doc.playing().is_some();
                let warns = !busy && stale;
                let rest = if warns { "Set-up changed since this run" } else { &text.rest };
                let widest = if busy { "00:00 to 00:00 left" } else { rest };
                let speed = "000,000 games/s";
                let space = ui.available_width();
                // A sign stands before the words of a warning.
                let need_rest = measure(ui, widest) + theme::SPACE_M + if warns { 22.0 } else { 0.0 };
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
                if 32.0 <= room {
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
        });
        if let Some(failure) = failure {
            ui.label(RichText::new(format!("✗ {failure}")).color(theme.error));
        }
    }

    fn plots(&mut self, ui: &mut Ui, doc: &Document, view: &mut RunView, commands: &mut Commands) {
        let Some(snapshot) = doc.shown().and_then(|last_run| last_run.snapshot.as_ref()) else {
            empty(ui, &self.before_run(doc));
            return;
        };
        let last_run = doc.shown().unwrap_or(&doc.last_run);
        view.list_by_difference(self.kind == Kind::Differences);
        let compared = view.compared().filter(|_| self.kind == Kind::Differences);
        let laid_out = (last_run.runs, view.plots.log2, view.plots.whole, compared);
        if std::mem::replace(&mut self.laid_out, laid_out) != laid_out {
            self.brushing.show_all();
        }
        let stacked = view.stacked();
        if let Some((place, run)) = stacked.zip(last_run.run.as_ref())
            && self.by_largest.follow(last_run, run, place)
        {
            ui.ctx().request_repaint();
        }
        if let Some((places, run)) = compared.zip(last_run.run.as_ref())
            && view.in_common(places[0]) == Common::Tiles
            && self.differences.follow(last_run, run, places)
        {
            ui.ctx().request_repaint();
        }
        let counted = self.by_largest.version + self.differences.version;
        let stamp = Stamp::of(doc, view.version() + self.lens + if last_run.is_busy() { 0 } else { counted });
        if self.refresh.is_due(stamp) {
            let (lens, by_largest) = (self.brushing.lens, stacked.map(|_| &self.by_largest));
            let differences = &self.differences;
            self.data = self.refresh.run(stamp, || match self.kind {
                Kind::Differences => compared.and_then(|_| PlotData::of_differences(differences, view, lens)),
                _ => PlotData::new(snapshot, view, lens, by_largest),
            });
        }
        let low = ui.available_height() < LOW;
        ui.spacing_mut().item_spacing.y = 4.0;
        let whole = ui.available_width();
        let line = ui.horizontal_wrapped(|ui| {
            if !matches!(self.kind, Kind::Ladder | Kind::Differences) && LADDER_BESIDE <= whole {
                // Above the reach rates stands their title.
                ui.set_max_width(0.5 * whole - theme::SPACE_XL);
            }
            let kinds = [
                (Kind::Histogram, "Histogram"),
                (Kind::Ecdf, "ECDF"),
                (Kind::Ladder, "Ladder"),
                (Kind::Box, "Box"),
                (Kind::Differences, "Paired"),
            ];
            let chosen = segmented(ui, "Plot", &mut self.kind, &kinds);
            match self.kind {
                Kind::Histogram => {}
                Kind::Ecdf => drop(terms::tip(chosen, &terms::ECDF)),
                Kind::Ladder => drop(terms::tip(chosen, &terms::LADDER)),
                Kind::Box => drop(terms::tip(chosen, &terms::BOX)),
                Kind::Differences => drop(terms::tip(chosen, &terms::DIFFERENCES)),
            }
            if let Some(data) = self.data.as_ref().filter(|_| self.kind != Kind::Ladder) {
                choices::choices_ui(ui, data, view);
            }
            match compared {
                Some(places) => compared_ui(ui, places, view),
                None => legend(ui, view),
            }
        });
        if view.by_difference != (self.kind == Kind::Differences) {
            // What was counted is not what is to be drawn.
            return ui.ctx().request_repaint();
        }
        let line = line.response.rect;
        let Some(data) = &self.data else {
            let all_hidden = "Every strategy is hidden: press a name above to show it";
            let none_yet = "The first games are being played: their scores appear as they come";
            let no_pair = (self.kind == Kind::Differences).then(|| self.no_pair(view, compared)).flatten();
            let none = if view.shown().next().is_none() { all_hidden } else { none_yet };
            empty(ui, no_pair.as_deref().unwrap_or(none));
            return;
        };
        let footer =
            if low && view.brush.is_none() && self.kind != Kind::Differences { 0.0 } else { theme::CHIP + 4.0 };
        let height = (ui.available_height() - footer).max(90.0);
        let lens = self.brushing.lens;
        if self.kind == Kind::Ladder {
            ladder::ladder_ui(ui, data, view, commands, height);
        } else if LADDER_BESIDE <= ui.available_width() && self.kind != Kind::Differences {
            // Bars as wide as a hand say nothing more: the reach rates have the other half.
            let whole = ui.available_rect_before_wrap();
            let wanted = LADDER_NAMES + LADDER_COLUMN * data.ladder().len() as f32;
            let split = (whole.right() - wanted.min(0.5 * whole.width())).round();
            let left = Rect::from_min_size(whole.min, vec2(split - theme::SPACE_XL - whole.left(), height));
            let mut inside = ui.new_child(UiBuilder::new().id_salt("plot").max_rect(left));
            let response = plot::plot_ui(&mut inside, self.kind, data, view, &mut self.brushing, height);
            plot_menu(&response, doc, commands);
            // Its title stands in the line of the legend.
            let title = Rect::from_x_y_ranges(split..=whole.right(), line.y_range());
            let title = UiBuilder::new().max_rect(title).layout(Layout::left_to_right(Align::Center));
            ui.scope_builder(title, |ui| {
                let theme = Theme::of(ui);
                ui.label(RichText::new("Reach rate").font(theme::strong()).color(theme.text1));
                ui.label(RichText::new("% of games, 95 % intervals").small().color(theme.text3));
            });
            let right = whole.with_min_x(split).with_max_y(whole.top() + height);
            let mut inside = ui.new_child(UiBuilder::new().id_salt("reach rates").max_rect(right));
            ladder::ladder_ui(&mut inside, data, view, commands, height);
            ui.allocate_rect(whole.with_max_y(whole.top() + height), Sense::hover());
        } else {
            let response = plot::plot_ui(ui, self.kind, data, view, &mut self.brushing, height);
            plot_menu(&response, doc, commands);
        }
        if self.brushing.lens != lens {
            self.lens += 1;
            ui.ctx().request_repaint();
        }
        if std::mem::take(&mut self.brushing.lists) {
            focus::forget_place(ui.ctx(), Panel::Games.area());
            commands.push(ViewCommand::ShowPanel(Panel::Games));
        }
        if 0.0 < footer {
            footer_ui(ui, doc, data, view, self.kind, commands);
        }
    }

    /// The plot as it is shown, for print.
    pub(super) fn drawn(&self, doc: &Document, view: &RunView, format: PictureFormat) -> Option<Drawn> {
        let last_run = doc.shown()?;
        let (snapshot, plan, seen) = (last_run.snapshot.as_ref()?, last_run.plan()?, self.brushing.lens.seen);
        let arms: Vec<Arm> = last_run.arms().collect();
        let by_largest = view.stacked().map(|_| &self.by_largest);
        let data = match self.kind {
            Kind::Differences => PlotData::of_differences(&self.differences, view, print::lens(seen)),
            _ => PlotData::new(snapshot, view, print::lens(seen), by_largest),
        }?;
        let (title, is_over) = (&plan.title, snapshot.progress.state.has_ended());
        Some(print::Sheet { kind: self.kind, data: &data, seen, title, arms: &arms, is_over }.drawn(format))
    }

    /// Why there are no differences to draw.
    fn no_pair(&self, view: &RunView, compared: Option<[usize; 2]>) -> Option<String> {
        let Some(places) = compared else {
            return Some("One strategy alone has no differences: add another, or pin a second run".to_owned());
        };
        let names = places.map(|place| view.label(place));
        if view.in_common(places[0]) == Common::Tiles {
            return self.differences.all_alike(names);
        }
        let [one, other] = names;
        Some(format!(
            "{one} and {other} have no games in common: they differ in seed or rules, so none belong together"
        ))
    }

    /// What stands where the plots will be.
    fn before_run(&self, doc: &Document) -> String {
        let setup = doc.setup();
        if setup.strategies.is_empty() {
            return format!("{}\nDrag strategies here and press Ctrl R: their scores appear as they come", setup.title);
        }
        let mut what = format!(
            "{}: {}, {}{}",
            setup.title,
            words::plural(setup.strategies.len() as u64, "strategy"),
            words::plural(setup.games, "game"),
            if setup.strategies.len() < 2 { "" } else { " each on the same seeds" }
        );
        if let Some(estimate) = self.trial(doc) {
            what += &format!(", {}", prose::how_long(estimate));
            if estimate.rules != ByRules::All {
                what += &format!(" for {}", prose::games_estimated(estimate, setup.games));
            }
        }
        let next = match doc.playing_beside() {
            Some(run) => format!("“{}” is being played: stop it first, or let it end", run.title()),
            None => "Press Run, or Ctrl R: their scores appear here as they come".to_owned(),
        };
        format!("{what}\n{next}")
    }
}

/// The run of the bar: one that goes on is told, whatever is set up meanwhile.
fn told(doc: &Document) -> Option<&ExperimentRun> {
    doc.playing().or(doc.results())
}

/// What can be done with the bar at the pointer, and with the run.
fn plot_menu(response: &egui::Response, doc: &Document, commands: &mut Commands) {
    let ways = [Panel::Games, Panel::Results].map(|panel| ViewCommand::ShowPanel(panel).into());
    commands.context_menu(response, &[ways.to_vec(), Panel::Experiment.commands()].concat(), doc);
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
        // A stop that takes its time can be cut short.
        let stop = if doc.can(&ExperimentCommand::Stop.into()).is_ok() {
            (Button::new("Stop"), ExperimentCommand::Stop)
        } else {
            (Button::new("Stop now"), ExperimentCommand::StopNow)
        };
        show(ui, stop.0.width(92.0), Icon::Stop, stop.1);
        // Both words take the same room, so that a second click meets the same button.
        let width = 92.0;
        if doc.can(&ExperimentCommand::Resume.into()).is_ok() {
            show(ui, Button::new("Resume").width(width), Icon::Play, ExperimentCommand::Resume);
        } else {
            show(ui, Button::new("Pause").width(width), Icon::Pause, ExperimentCommand::Pause);
        }
    } else {
        // What is to be pressed keeps its word however narrow the panel is.
        let can_go_on = doc.can(&ExperimentCommand::Resume.into()).is_ok();
        let stale = doc.results().is_some_and(|last_run| last_run.is_stale(doc.setup()));
        if can_go_on {
            let resume = Button::new("Resume").icon(Icon::Play);
            commands.show(ui, if stale { resume } else { resume.accent() }, ExperimentCommand::Resume, doc);
        }
        // The same plan again is what Resume goes on with.
        if stale || !can_go_on {
            let text = if doc.results().is_some() && !stale && !narrow { "Run again" } else { "Run" };
            commands.show(ui, Button::new(text).accent().icon(Icon::Play), ExperimentCommand::Run, doc);
        }
    }
}

/// Whose differences are drawn; both can be chosen.
fn compared_ui(ui: &mut Ui, [one, other]: [usize; 2], view: &mut RunView) {
    /// What the button has beside its text, and the width of a letter.
    const REST: f32 = 52.0;
    const LETTER: f32 = 8.0;
    let theme = Theme::of(ui);
    let label = format!("{} − {}", view.label(one), view.label(other));
    let letters = ((ui.available_width() - REST) / LETTER).max(1.0) as usize;
    let text = words::shortened_to(letters, &label);
    let button = Button::new(&text).icon(Icon::ChevronDown).small().name("Strategies whose differences are shown");
    let button = ui.add(button).on_hover_text(label);
    let mut chosen = [None; 2];
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(160.0);
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for (side, (title, place)) in [("Differences of", one), ("Baseline", other)].into_iter().enumerate() {
                ui.label(RichText::new(title).small().color(theme.text3));
                for (entry, contestant) in view.contestants().iter().enumerate() {
                    let is_possible = side == 1 || entry != other;
                    if is_possible && menu_choice(ui, entry == place, &contestant.label).clicked() {
                        chosen[side] = Some(entry);
                    }
                }
            }
        });
    });
    let [strategy, baseline] = chosen;
    strategy.into_iter().for_each(|place| view.select(Some(place)));
    baseline.into_iter().for_each(|place| view.pin(place));
}

/// Names of the shown strategies; each can be hidden. Where there are many, or not room for all, a menu lists them all.
fn legend(ui: &mut Ui, view: &mut RunView) {
    const GAP: f32 = 2.0;
    let theme = Theme::of(ui);
    let all = view.contestants().len();
    let many = MOST_AT_FIRST < all;
    let mut toggle = None;
    let mut room = ui.available_width();
    let listed: Vec<usize> = (0..all).filter(|&place| !many || view.contestants()[place].shown).collect();
    let widths: Vec<f32> = listed.iter().map(|&place| legend_width(ui, &view.contestants()[place].label)).collect();
    let keep = listed.iter().position(|&place| view.selected() == Some(place));
    if many || fitting(&widths, GAP, room, 0.0, None).len() < listed.len() {
        let shown = view.shown().count();
        let text = format!("{} of {} shown", words::count(shown as u64), words::count(all as u64));
        let button = ui.add(Button::new(&text).icon(Icon::Eye).small());
        room -= button.rect.width() + ui.spacing().item_spacing.x;
        let button =
            button.on_hover_text("Choose what the plots show. From the ninth on colours repeat with hollow markers");
        egui::Popup::menu(&button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            ui.set_min_width(200.0);
            ui.horizontal(|ui| {
                let rows = ui.add(Button::new("Rows of the results").small());
                if rows.on_hover_text("The first eight rows that the results show at present").clicked() {
                    view.show_first();
                }
                for (text, shown) in [("All", true), ("None", false)] {
                    if ui.add(Button::new(text).small()).clicked() {
                        (0..all).for_each(|place| view.show(place, shown));
                    }
                }
            });
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                for (place, one) in view.contestants().iter().enumerate() {
                    if legend_entry(ui, &one.label, theme.strategy(one.color), one.shown).clicked() {
                        toggle = Some((place, !one.shown));
                    }
                }
            });
        });
    }
    ui.spacing_mut().item_spacing.x = GAP;
    for place in fitting(&widths, GAP, room, 0.0, keep).into_iter().map(|index| listed[index]) {
        let one = &view.contestants()[place];
        let response = legend_entry(ui, &one.label, theme.strategy(one.color), one.shown);
        let toggles = if one.shown { "Hide in the plots" } else { "Show in the plots" };
        if response.on_hover_text(format!("{}\n{}\n{toggles}", one.label, one.about)).clicked() {
            toggle = Some((place, !one.shown));
        }
    }
    if let Some((place, shown)) = toggle {
        view.show(place, shown);
    }
}

/// The brush with its counts, or how to use it.
fn footer_ui(ui: &mut Ui, doc: &Document, data: &PlotData, view: &mut RunView, kind: Kind, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CHIP), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        let live = doc.last_run.not_final().map_or(String::new(), |not_final| format!("{not_final}. "));
        let Some(scores) = view.brush.clone() else {
            let hint = match kind {
                Kind::Histogram if data.unit == data::Unit::Share => {
                    "Numbers of games differ, so bars are shares. Drag over bars to list their games. Markers on the axis: means"
                }
                Kind::Histogram => "Drag over bars to list their games. Markers on the axis: means",
                Kind::Ecdf => &hear::band_text(&data.series).unwrap_or_default(),
                Kind::Box => "Box: quartiles. Whiskers: 5 % and 95 %. Dots: lowest and highest. Marker: mean",
                Kind::Differences => &data.paired.as_ref().map(Paired::words).unwrap_or_default(),
                Kind::Ladder => "% of games that reached a tile, with the 95 % interval. Click a cell to list its games",
            };
            if let Some((series, stack)) = data.stacked().filter(|_| kind == Kind::Histogram) {
                let text = format!("{live}{} by largest tile", series.label);
                ui.label(RichText::new(text).small().color(theme.text3));
                print::tiles_ui(ui, stack.parts.iter().map(|(rank, _)| *rank));
                return;
            }
            ui.add(Label::new(RichText::new(format!("{live}{hint}")).small().color(theme.text3)).truncate());
            return;
        };
        if removable_chip(ui, &scores_text(&scores, view.zero()), "Let go of these scores").clicked() {
            view.brush = None;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let listed = doc.shown().and_then(|last_run| games::listed(last_run, doc, view));
            let listed = listed.map_or("", |place| view.label(place));
            let listed = data.paired.as_ref().map_or(listed, |paired| &paired.label);
            let about = format!("Show the games of {listed} behind this range: click a bar, or a name in the results, for another strategy");
            let list = ui.add(Button::new("List games").small()).on_hover_text(about);
            if list.clicked() {
                // To the list, not to the range, which a key would throw away.
                focus::forget_place(ui.ctx(), Panel::Games.area());
                commands.push(ViewCommand::ShowPanel(Panel::Games));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let counts = data.series.iter().map(|series| {
                    let games = series.summary.scores.count_in(&scores);
                    format!("{} {}", series.label, words::count(games))
                });
                let mut counts: Vec<String> = counts.collect();
                let each = if data.series.len() < 2 { "" } else { " each" };
                counts.push(match data.series.first() {
                    Some(first) if data.series.iter().all(|series| series.games == first.games) => {
                        format!("games of {}{each}", words::count(first.games))
                    }
                    _ => "games".to_owned(),
                });
                let text = format!("{live}{}", counts.join("   "));
                ui.add(Label::new(RichText::new(text).small().color(theme.text2)).truncate());
            });
        });
    });
}

/// Text in a place as wide as `widest`, so that nothing after it moves.
fn fixed(ui: &mut Ui, text: &str, widest: &str, strong: bool) {
    let theme = Theme::of(ui);
    let (font, color) = if strong { (theme::strong(), theme.text1) } else { (theme::body(), theme.text2) };
    let (rect, response) = ui.allocate_exact_size(vec2(measure(ui, widest), theme::CONTROL), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, text, font, color);
}

/// Width of body text; its digits are as wide as those of bold text.
fn measure(ui: &Ui, text: &str) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), theme::strong(), egui::Color32::PLACEHOLDER).size().x.ceil()
}
