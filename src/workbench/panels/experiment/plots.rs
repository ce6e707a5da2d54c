//! The plots of the shown run: their kinds, their data, and the lines above and below them.

use egui::{
    Align, Label, Layout, Rect, Response, RichText, ScrollArea, Sense, Ui, UiBuilder, vec2,
};
use strum::IntoEnumIterator as _;

use super::data::{self, PlotData, scores_text};
use super::differences::Paired;
use super::frame::Kind;
use super::run_view::{MOST_AT_FIRST, RunView, Stamp};
use super::sweep::{PressedPoint, SweepData};
use super::{ExperimentPanel, choices, games, hear, ladder, nodes, plot, print, tuning};
use crate::experiment::{Common, Snapshot};
use crate::words;
use crate::workbench::command::{Commands, Panel, ViewCommand, note_place};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, choice, empty, fitting, legend_entry, legend_width, menu_choice, removable_chip,
    segmented,
};
use crate::workbench::state::{Arm, Document, ExperimentRun};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Minimum width of the plots at which the reach rates are next to the histogram.
const LADDER_BESIDE: f32 = 940.0;
/// Widths of a column and of the names in the ladder next to the histogram.
const LADDER_COLUMN: f32 = 86.0;
const LADDER_NAMES: f32 = 150.0;
/// Below this height, one row contains the kind of plot, the legend and the brush.
const LOW: f32 = 300.0;
/// Width of the drop-down of kinds.
const KIND: f32 = 104.0;

impl ExperimentPanel {
    pub(super) fn plots(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        if doc.setup().tune.is_some() && doc.results().is_none() {
            return tuning::ui(ui, doc, commands);
        }

        let Some(snapshot) = doc.shown().and_then(|last_run| last_run.snapshot.as_ref()) else {
            empty(ui, &self.before_run(doc));
            return;
        };
        let last_run = doc.shown().unwrap_or(doc.last_run());
        let is_sweep = self.choose_kind(last_run);
        let searches = snapshot.summaries.iter().any(|one| one.cost.nodes != 0);
        if self.kind == Kind::Nodes && !searches {
            self.kind = Kind::Histogram;
        }
        view.list_by_difference(self.kind == Kind::Differences);
        let compared = view.compared().filter(|_| self.kind == Kind::Differences);
        self.count(ui, doc, last_run, snapshot, view, compared);
        let low = ui.available_height() < LOW;
        ui.spacing_mut().item_spacing.y = 4.0;
        let line = self.choices_line(ui, is_sweep, searches, view, compared);
        if view.by_difference != (self.kind == Kind::Differences) {
            // The data do not match the chosen kind yet.
            return ui.ctx().request_repaint();
        }
        if self.kind == Kind::Sweep {
            return self.sweep_ui(ui, doc, view, commands);
        }

        let Some(data) = &self.data else {
            let all_hidden = "All strategies are hidden: press a name above to show one";
            let none_yet = "Playing the first games: scores appear as games finish";
            let no_pair = (self.kind == Kind::Differences)
                .then(|| self.no_pair(view, compared))
                .flatten();
            let none = if view.shown().next().is_none() {
                all_hidden
            } else {
                none_yet
            };
            empty(ui, no_pair.as_deref().unwrap_or(none));
            return;
        };

        let footer = if low && view.brush.is_none() && self.kind != Kind::Differences {
            0.0
        } else {
            theme::CHIP + 4.0
        };
        let height = (ui.available_height() - footer).max(90.0);
        let lens = self.brushing.lens;
        let response = if self.kind == Kind::Ladder {
            ladder::ladder_ui(ui, data, view, commands, height);
            None
        } else if self.kind == Kind::Nodes {
            nodes::nodes_ui(ui, data, height);
            None
        } else if LADDER_BESIDE <= ui.available_width() && self.kind != Kind::Differences {
            // Wider bars would show no more; the reach rates take the other half.
            Some(beside_ladder(
                ui,
                line,
                height,
                data,
                view,
                commands,
                |ui, view| plot::plot_ui(ui, self.kind, data, view, &mut self.brushing, height),
            ))
        } else {
            Some(plot::plot_ui(
                ui,
                self.kind,
                data,
                view,
                &mut self.brushing,
                height,
            ))
        };
        if let Some(response) = response {
            plot_menu(&response, doc, commands);
        }
        if self.brushing.lens != lens {
            self.lens += 1;
            ui.ctx().request_repaint();
        }
        if std::mem::take(&mut self.brushing.lists) {
            games::go_to_list(ui.ctx(), commands);
        }

        if 0.0 < footer {
            footer_ui(ui, doc, data, view, self.kind, commands);
        }
    }

    /// Chooses a kind of plot that the run has; true if the run is a sweep.
    fn choose_kind(&mut self, run: &ExperimentRun) -> bool {
        let is_sweep = self.sweep.follow(run);
        if self.seen_run != run.runs {
            // A new sweep opens as a sweep.
            self.seen_run = run.runs;
            if is_sweep && self.kind == Kind::Histogram {
                self.kind = Kind::Sweep;
            }
        }
        if !is_sweep && self.kind == Kind::Sweep {
            self.kind = Kind::Histogram;
        }
        is_sweep
    }

    /// Counts the data of the plot if they are out of date.
    fn count(
        &mut self,
        ui: &Ui,
        doc: &Document,
        last_run: &ExperimentRun,
        snapshot: &Snapshot,
        view: &RunView,
        compared: Option<[usize; 2]>,
    ) {
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
        let stamp = Stamp::of(
            doc,
            view.version() + self.lens + if last_run.is_busy() { 0 } else { counted },
        );
        if self.refresh.is_due(stamp) {
            let (lens, by_largest) = (self.brushing.lens, stacked.map(|_| &self.by_largest));
            let differences = &self.differences;
            self.data = self.refresh.run(stamp, || match self.kind {
                Kind::Sweep => None,
                Kind::Differences => {
                    compared.and_then(|_| PlotData::of_differences(differences, view, lens))
                }
                _ => PlotData::new(snapshot, view, lens, by_largest),
            });
        }
    }

    /// The line above the plot: kind, options and legend; returns its rectangle.
    fn choices_line(
        &mut self,
        ui: &mut Ui,
        is_sweep: bool,
        searches: bool,
        view: &mut RunView,
        compared: Option<[usize; 2]>,
    ) -> Rect {
        let whole = ui.available_width();
        let line = ui.horizontal_wrapped(|ui| {
            if !matches!(
                self.kind,
                Kind::Ladder | Kind::Differences | Kind::Sweep | Kind::Nodes
            ) && LADDER_BESIDE <= whole
            {
                // The title of the reach rates takes the other half.
                ui.set_max_width(0.5 * whole - theme::SPACE_XL);
            }
            let is_there = |kind: &Kind| {
                (is_sweep || *kind != Kind::Sweep) && (searches || *kind != Kind::Nodes)
            };
            let kinds = Kind::iter().filter(is_there);
            let chosen = if view.is_brief {
                let all = kinds.map(|kind| (kind, kind.facts().name.to_owned()));
                let text = self.kind.facts().name.to_owned();
                choice(ui, "Plot", &mut self.kind, text, KIND, all)
            } else {
                let all: Vec<_> = kinds.map(|kind| (kind, kind.facts().name)).collect();
                segmented(ui, "Plot", &mut self.kind, &all)
            };
            if let Some(term) = self.kind.facts().term {
                terms::tip(chosen, term);
            }
            if self.kind == Kind::Sweep {
                return self.sweep.choices_ui(ui);
            }

            if let Some(data) = self
                .data
                .as_ref()
                .filter(|_| !matches!(self.kind, Kind::Ladder | Kind::Nodes) && !view.is_brief)
            {
                choices::choices_ui(ui, data, view);
            }

            match compared {
                Some(places) => compared_ui(ui, places, view),
                None => legend(ui, view),
            }
        });

        line.response.rect
    }

    /// The results of a sweep, with a line below.
    fn sweep_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        let last_run = doc.shown().unwrap_or(doc.last_run());
        self.sweep
            .count(last_run, view, Stamp::of(doc, view.version()));
        let height = (ui.available_height() - theme::CHIP - 4.0).max(90.0);
        if let Some(PressedPoint::Differences) = self.sweep.ui(ui, view, commands, height) {
            self.kind = Kind::Differences;
            ui.ctx().request_repaint();
        }
        let live = last_run
            .not_final()
            .map_or(String::new(), |not_final| format!("{not_final}. "));
        let hint = self.sweep.data().map(SweepData::hint).unwrap_or_default();
        let hint = RichText::new(format!("{live}{hint}"))
            .small()
            .color(Theme::of(ui).text3);
        ui.add(Label::new(hint).truncate());
    }

    /// The plot as shown, for a page of this width; `whole` ignores the zoom. `None` without games.
    fn on_sheet<R>(
        &self,
        doc: &Document,
        view: &RunView,
        width: f32,
        whole: bool,
        with: impl FnOnce(&print::Sheet<'_>) -> R,
    ) -> Option<R> {
        let last_run = doc.shown()?;
        let snapshot = last_run.snapshot.as_ref()?;
        let seen = self.brushing.lens.seen.filter(|_| !whole);
        let arms: Vec<Arm> = last_run.arms().collect();
        let by_largest = view.stacked().map(|_| &self.by_largest);
        let lens = print::lens(width, seen);
        let data = match self.kind {
            Kind::Differences => PlotData::of_differences(&self.differences, view, lens),
            _ => PlotData::new(snapshot, view, lens, by_largest),
        }?;
        let (title, is_over) = (last_run.title(), snapshot.progress.state.has_ended());
        let sheet = print::Sheet {
            kind: self.kind,
            data: &data,
            sweep: &self.sweep,
            seen,
            title,
            arms: &arms,
            is_over,
        };
        Some(with(&sheet))
    }

    /// Draws the plot for a page, filling it if `fills`; true if there are games to draw.
    pub(in crate::workbench::panels) fn figure_ui(
        &self,
        ui: &mut Ui,
        doc: &Document,
        view: &RunView,
        whole: bool,
        fills: bool,
    ) -> bool {
        let width = ui.available_width();
        self.on_sheet(doc, view, width, whole, |sheet| sheet.ui(ui, fills))
            .is_some()
    }

    /// The caption: what is drawn, the games, and the rules.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method alone is of one lifetime"
    )]
    pub(in crate::workbench::panels) fn caption(
        &self,
        doc: &Document,
        view: &RunView,
        width: f32,
        whole: bool,
    ) -> Option<String> {
        self.on_sheet(doc, view, width, whole, |sheet| sheet.caption())
    }

    /// Why there are no differences to draw.
    fn no_pair(&self, view: &RunView, compared: Option<[usize; 2]>) -> Option<String> {
        let Some(places) = compared else {
            return Some(
                "Differences need two strategies: add another, or pin a second run".to_owned(),
            );
        };
        let names = places.map(|place| view.label(place));
        if view.in_common(places[0]) == Common::Tiles {
            return self.differences.all_alike(names);
        }
        let [one, other] = names;
        Some(format!(
            "{one} and {other} have no games in common because they differ in seed or rules"
        ))
    }
}

/// The menu of the bar at the pointer and of the run.
fn plot_menu(response: &egui::Response, doc: &Document, commands: &mut Commands) {
    let ways = [Panel::Games, Panel::Results].map(|panel| ViewCommand::ShowPanel(panel).into());
    commands.context_menu(
        response,
        &[ways.to_vec(), Panel::Experiment.commands()].concat(),
        doc,
    );
}

/// A plot on the left and the reach rates on the right, with their title in the line of the legend.
fn beside_ladder(
    ui: &mut Ui,
    line: Rect,
    height: f32,
    data: &PlotData,
    view: &mut RunView,
    commands: &mut Commands,
    plot: impl FnOnce(&mut Ui, &mut RunView) -> Response,
) -> Response {
    let whole = ui.available_rect_before_wrap();
    let wanted = LADDER_NAMES + LADDER_COLUMN * data.ladder().len() as f32;
    let split = (whole.right() - wanted.min(0.5 * whole.width())).round();
    let left = Rect::from_min_size(
        whole.min,
        vec2(split - theme::SPACE_XL - whole.left(), height),
    );
    let mut inside = ui.new_child(UiBuilder::new().id_salt("plot").max_rect(left));
    let response = plot(&mut inside, view);
    let title = Rect::from_x_y_ranges(split..=whole.right(), line.y_range());
    let title = UiBuilder::new()
        .max_rect(title)
        .layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(title, |ui| {
        let theme = Theme::of(ui);
        ui.label(
            RichText::new("Reach rate")
                .font(theme::strong())
                .color(theme.text1),
        );
        ui.label(
            RichText::new("% of games, 95 % intervals")
                .small()
                .color(theme.text3),
        );
    });

    let right = whole.with_min_x(split).with_max_y(whole.top() + height);
    let mut inside = ui.new_child(UiBuilder::new().id_salt("reach rates").max_rect(right));
    ladder::ladder_ui(&mut inside, data, view, commands, height);
    ui.allocate_rect(whole.with_max_y(whole.top() + height), Sense::hover());
    response
}

/// The two strategies whose differences are drawn; both can be changed.
fn compared_ui(ui: &mut Ui, [one, other]: [usize; 2], view: &mut RunView) {
    /// The button's width besides its text, and the width of a letter.
    const REST: f32 = 52.0;
    const LETTER: f32 = 8.0;
    let theme = Theme::of(ui);
    let label = format!("{} − {}", view.label(one), view.label(other));
    let letters = ((ui.available_width() - REST) / LETTER).max(1.0) as usize;
    let text = words::shortened_to(letters, &label);
    let button = Button::new(&text)
        .icon(Icon::ChevronDown)
        .small()
        .name("Strategies whose differences are shown");
    let button = ui.add(button).on_hover_text(label);
    let mut chosen = [None; 2];
    egui::Popup::menu(&button).show(|ui| {
        ui.set_min_width(160.0);
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for (side, (title, place)) in [("Differences of", one), ("Baseline", other)]
                .into_iter()
                .enumerate()
            {
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
    strategy
        .into_iter()
        .for_each(|place| view.select(Some(place)));
    baseline.into_iter().for_each(|place| view.pin(place));
}

/// Names of the shown strategies; each can be hidden. If there are many, or they do not fit, a menu lists them all.
fn legend(ui: &mut Ui, view: &mut RunView) {
    const GAP: f32 = 2.0;
    let theme = Theme::of(ui);
    let all = view.contestants().len();
    let many = MOST_AT_FIRST < all;
    let mut toggle = None;
    let mut room = ui.available_width();
    let listed: Vec<usize> = (0..all)
        .filter(|&place| !many || view.contestants()[place].shown)
        .collect();
    let widths: Vec<f32> = listed
        .iter()
        .map(|&place| legend_width(ui, &view.contestants()[place].label))
        .collect();
    let keep = listed
        .iter()
        .position(|&place| view.selected() == Some(place));
    if many || fitting(&widths, GAP, room, 0.0, None).len() < listed.len() {
        let shown = view.shown().count();
        let text = format!(
            "{} of {} shown",
            words::count(shown as u64),
            words::count(all as u64)
        );
        let button = ui.add(Button::new(&text).icon(Icon::Eye).small());
        room -= button.rect.width() + ui.spacing().item_spacing.x;
        let button = button.on_hover_text(
            "Choose what the plots show; from the ninth on, colors repeat with hollow markers",
        );
        egui::Popup::menu(&button)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                ui.set_min_width(200.0);
                ui.horizontal(|ui| {
                    let rows = ui.add(Button::new("Rows of the results").small());
                    if rows
                        .on_hover_text("Show the first eight rows of the results")
                        .clicked()
                    {
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
                        if legend_entry(ui, &one.label, theme.strategy(one.color), one.shown)
                            .clicked()
                        {
                            toggle = Some((place, !one.shown));
                        }
                    }
                });
            });
    }

    ui.spacing_mut().item_spacing.x = GAP;
    for place in fitting(&widths, GAP, room, 0.0, keep)
        .into_iter()
        .map(|index| listed[index])
    {
        let one = &view.contestants()[place];
        let response = legend_entry(ui, &one.label, theme.strategy(one.color), one.shown);
        let toggles = if one.shown {
            "Hide in the plots"
        } else {
            "Show in the plots"
        };
        if response
            .on_hover_text(format!("{}\n{}\n{toggles}", one.label, one.about))
            .clicked()
        {
            toggle = Some((place, !one.shown));
        }
    }

    if let Some((place, shown)) = toggle {
        view.show(place, shown);
    }
}

/// The brush with its counts, or a hint.
fn footer_ui(
    ui: &mut Ui,
    doc: &Document,
    data: &PlotData,
    view: &mut RunView,
    kind: Kind,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), theme::CHIP), Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        let live = doc.last_run().not_final().map_or(String::new(), |not_final| format!("{not_final}. "));
        let Some(scores) = view.brush.clone() else {
            let hint = match kind {
                Kind::Histogram if data.unit == data::Unit::Share => {
                    "The numbers of games differ, so bars are shares. Drag over bars to list their games. Markers on \
                     the axis: means"
                }
                Kind::Histogram | Kind::Sweep => "Drag over bars to list their games. Markers on the axis: means",
                Kind::Ecdf => &hear::band_text(&data.series).unwrap_or_default(),
                Kind::Box => "Box: quartiles. Whiskers: 5 % and 95 %. Dots: lowest and highest. Marker: mean",
                Kind::Differences => &data.paired.as_ref().map(Paired::words).unwrap_or_default(),
                Kind::Nodes => &nodes::footer_text(data),
                Kind::Ladder => {
                    "% of games that reached a tile, with the 95 % interval. Click a cell to list its games"
                }
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

        if removable_chip(ui, &scores_text(&scores, view.zero()), "Clear the score range").clicked() {
            view.brush = None;
        }

        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let listed = doc.shown().and_then(|last_run| games::listed(last_run, view));
            let listed = listed.map_or("", |place| view.label(place));
            let listed = data.paired.as_ref().map_or(listed, |paired| &paired.label);
            let about =
                format!("Show the games of {listed} in this range; click a bar or a result to choose another strategy");
            let list = ui.add(Button::new("List games").small()).on_hover_text(about);
            note_place(ui.ctx(), list.interact_rect, &ViewCommand::ShowPanel(Panel::Games).into());
            if list.clicked() {
                // Focuses the list, not the range, which a key would clear.
                games::go_to_list(ui.ctx(), commands);
            }

            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let counts = data.series.iter().map(|series| {
                    let games = series.summary.scores.count_in(&scores);
                    format!("{}: {}", series.label, words::count(games))
                });
                let mut counts: Vec<String> = counts.collect();
                let each = if data.series.len() < 2 { "" } else { " each" };
                counts.push(match data.series.first() {
                    Some(first) if data.series.iter().all(|series| series.games == first.games) => {
                        format!("of {}{each}", words::plural(first.games, "game"))
                    }
                    _ => "games".to_owned(),
                });
                let text = format!("{live}{}", counts.join("   "));
                ui.add(Label::new(RichText::new(text).small().color(theme.text2)).truncate());
            });
        });
    });
}
