//! The results of a sweep: lines with bands over one setting, a grid of cells over two. A point lists its games.

mod data;
mod field;
mod line;

use std::collections::HashSet;

use egui::{Rect, Response, RichText, Role, ScrollArea, Sense, Ui};

use crate::experiment::Swept;
use crate::workbench::command::{Commands, Panel, ViewCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, empty, focus_ring, legend_entry, menu_choice, menu_entry, painted_cell, table_within,
};
use crate::workbench::panels::experiment::games;
use crate::workbench::panels::experiment::run_view::{Refresh, RunView, Stamp};
use crate::workbench::state::ExperimentRun;
use crate::workbench::theme::Theme;
use data::{Measure, Point};

pub(super) use data::SweepData;

/// View state of the sweep.
#[derive(Debug, Default)]
pub(super) struct SweepView {
    /// The run of the points.
    runs: u64,
    swept: Option<Swept>,
    measure: Measure,
    /// Indices of hidden lines.
    hidden: HashSet<usize>,
    /// The line whose grid is shown.
    chosen: usize,
    refresh: Refresh,
    data: Option<SweepData>,
}

/// The request of a pressed point.
pub(super) enum PressedPoint {
    /// Show the difference to the previous point, on the same seeds.
    Differences,
}

impl SweepView {
    /// Follows a run; true if it is a sweep.
    pub(super) fn follow(&mut self, run: &ExperimentRun) -> bool {
        if self.runs != run.runs {
            (self.runs, self.data, self.refresh) = (run.runs, None, Refresh::default());
            self.hidden.clear();
            self.swept = run.plan().and_then(|plan| {
                let strategies = plan
                    .contestants
                    .iter()
                    .map(|one| (&one.strategy, one.rules(plan.rules)));
                Swept::of(plan.sweep.as_ref()?, plan.rules, strategies)
            });
        }
        self.swept.is_some()
    }

    /// Recomputes what changed.
    pub(super) fn count(&mut self, run: &ExperimentRun, view: &RunView, stamp: Stamp) {
        let Some((swept, (snapshot, plan))) = self
            .swept
            .as_ref()
            .zip(run.snapshot.as_ref().zip(run.plan()))
        else {
            return;
        };
        let measure = self.measure;
        if self.refresh.is_due(stamp)
            || self
                .data
                .as_ref()
                .is_none_or(|data| data.measure != measure)
        {
            self.data = self.refresh.run(stamp, || {
                SweepData::new(snapshot, &plan.contestants, swept, view, measure)
            });
        }
    }

    pub(super) fn data(&self) -> Option<&SweepData> {
        self.data.as_ref()
    }

    /// The choice of the quantity, and the names of the lines.
    pub(super) fn choices_ui(&mut self, ui: &mut Ui) {
        let Some(data) = &self.data else { return };
        let theme = Theme::of(ui);
        let title = data.measure.title();
        let button = ui.add(
            Button::new(&title)
                .icon(Icon::ChevronDown)
                .small()
                .name("Measure of the sweep"),
        );
        egui::Popup::menu(&button).show(|ui| {
            ui.set_min_width(150.0);
            let measures = [Measure::Mean]
                .into_iter()
                .chain(data.tiles.iter().map(|&tile| Measure::Reach(tile)));
            for measure in measures {
                if menu_choice(ui, measure == self.measure, measure.title()).clicked() {
                    self.measure = measure;
                }
            }
        });

        if data.axes.len() == 1 {
            for (index, line) in data.lines.iter().enumerate() {
                let shown = !self.hidden.contains(&index);
                if legend_entry(ui, &line.name, theme.strategy(index), shown).clicked()
                    && !self.hidden.remove(&index)
                {
                    self.hidden.insert(index);
                }
            }
        } else if 1 < data.lines.len() {
            self.chosen = self.chosen.min(data.lines.len() - 1);
            let name = &data.lines[self.chosen].name;
            let button = ui.add(
                Button::new(name)
                    .icon(Icon::ChevronDown)
                    .small()
                    .name("Strategy shown in the grid"),
            );
            egui::Popup::menu(&button).show(|ui| {
                ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                    for (index, line) in data.lines.iter().enumerate() {
                        if menu_choice(ui, index == self.chosen, &line.name).clicked() {
                            self.chosen = index;
                        }
                    }
                });
            });
        }
    }

    /// The names of the lines, or of the one whose grid is shown, for print.
    pub(super) fn legend_ui(&self, ui: &mut Ui) {
        let Some(data) = &self.data else { return };
        let is_field = 1 < data.axes.len();
        let listed = |index: usize| {
            if is_field {
                index == self.chosen
            } else {
                !self.hidden.contains(&index)
            }
        };
        ui.horizontal_wrapped(|ui| {
            for (index, line) in data
                .lines
                .iter()
                .enumerate()
                .filter(|(index, _)| listed(*index))
            {
                legend_entry(ui, &line.name, Theme::of(ui).strategy(index), true);
            }
        });
    }

    pub(super) fn ui(
        &self,
        ui: &mut Ui,
        view: &mut RunView,
        commands: &mut Commands,
        height: f32,
    ) -> Option<PressedPoint> {
        let (Some(data), Some(swept)) = (&self.data, &self.swept) else {
            empty(ui, "Playing the first games: means appear as games finish");
            return None;
        };

        let rect = ui
            .allocate_exact_size(egui::vec2(ui.available_width(), height), Sense::hover())
            .0;
        let shape = match data.axes.as_slice() {
            [_] => (
                1 + data.lines.len(),
                1 + data.lines.first().map_or(0, |line| line.points.len()),
            ),
            [rows, columns, ..] => (1 + rows.values.len(), 1 + columns.values.len()),
            [] => return None,
        };
        let ui = &mut table_within(ui, rect, "sweep", &data.sentence(), shape);
        let mut cells = Cells {
            view,
            commands,
            swept,
            pressed: None,
        };
        if data.axes.len() == 1 {
            line::ui(
                ui,
                rect,
                data,
                |line| !self.hidden.contains(&line),
                &mut cells,
            );
        } else {
            field::ui(
                ui,
                rect,
                data,
                self.chosen.min(data.lines.len() - 1),
                &mut cells,
            );
        }
        cells.pressed
    }
}

/// The behavior of pressed points, in lines and grids.
struct Cells<'a> {
    view: &'a mut RunView,
    commands: &'a mut Commands,
    swept: &'a Swept,
    pressed: Option<PressedPoint>,
}

impl Cells<'_> {
    fn is_selected(&self, point: &Point) -> bool {
        self.view.selected() == Some(point.place)
    }

    /// The hit area of a point: a click selects it and lists its games.
    fn point(&mut self, ui: &Ui, rect: Rect, point: &Point, at: (usize, usize)) -> Response {
        let id = ui.scope_id().with(("point", point.place));
        let response = painted_cell(ui, rect, id, Role::Cell, Sense::click(), at, || {
            point.about.clone()
        });
        if response.has_focus() {
            focus_ring(ui, rect);
        }

        if response.clicked() {
            self.list(ui, point.place);
        }

        let befores: Vec<(String, usize)> =
            self.swept
                .place_of(point.place)
                .map_or_else(Vec::new, |(line, place)| {
                    let name = |axis: usize| {
                        format!(
                            "Difference from the previous {}",
                            self.swept.axes[axis].name
                        )
                    };
                    let before = |axis| Some((name(axis), self.swept.before(line, place, axis)?));
                    (0..self.swept.axes.len()).filter_map(before).collect()
                });
        response.context_menu(|ui| {
            if menu_entry(ui, "List games", None, Ok(())) {
                self.list(ui, point.place);
            }
            if menu_entry(ui, "Show in Results", None, Ok(())) {
                self.view.select(Some(point.place));
                self.commands.push(ViewCommand::ShowPanel(Panel::Results));
            }
            for (text, before) in &befores {
                if menu_entry(ui, text, None, Ok(())) {
                    self.view.pin(*before);
                    self.view.select(Some(point.place));
                    self.pressed = Some(PressedPoint::Differences);
                }
            }
        });

        response.on_hover_ui(|ui| {
            ui.label(RichText::new(&point.about));
            ui.label(
                RichText::new("Click to list the games")
                    .small()
                    .color(Theme::of(ui).text3),
            );
        })
    }

    fn list(&mut self, ui: &Ui, place: usize) {
        self.view.select(Some(place));
        (self.view.brush, self.view.reached) = (None, None);
        games::go_to_list(ui.ctx(), self.commands);
    }
}
