//! The games behind the brushed bars, or all games of a strategy; any of them can be looked at on the board.

mod data;

use std::ops::RangeInclusive;

use egui::{Align, Layout, RichText, Ui};

use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand};
use crate::workbench::kit::{Button, Sort, Table, TableColumn, empty, mark_key, removable_chip};
use crate::workbench::panels::experiment::run_view::{Refresh, RunView, Stamp};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};
use data::{GamesColumn, GamesRow};

/// Widest useful table: beyond that the eye loses the row.
const WIDEST: f32 = 800.0;
/// Between columns.
const GAP: f32 = 12.0;

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct GamesPanel {
    sort: Sort<GamesColumn>,
    chosen: Option<u32>,
    refresh: Refresh,
    rows: Vec<GamesRow>,
    shown: Option<GamesListed>,
    /// Grows with every change of what is listed.
    version: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct GamesListed {
    run: u64,
    place: usize,
    scores: Option<RangeInclusive<u32>>,
    sort: Sort<GamesColumn>,
}

impl GamesPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, view: &mut RunView, commands: &mut Commands) {
        view.follow(doc);
        let (Some(run), Some(snapshot)) = (doc.lab().run(), doc.lab().snapshot()) else {
            empty(ui, "Brush a bar to list its games");
            return;
        };
        let brush = view.brush.clone();
        let in_brush = |place: usize| {
            let (Some(scores), Some(summary)) = (&brush, snapshot.summaries.get(place)) else { return 0 };
            let counts = &summary.scores;
            counts.count_below(scores.end().saturating_add(1)) - counts.count_below(*scores.start())
        };
        let Some(place) = data::place(view, in_brush) else {
            empty(ui, "Brush a bar to list its games");
            return;
        };
        let shown = GamesListed { run: doc.lab().runs(), place, scores: brush, sort: self.sort };
        if self.shown.as_ref() != Some(&shown) {
            if self.shown.as_ref().is_none_or(|old| (old.run, old.place) != (shown.run, shown.place)) {
                self.chosen = None;
            }
            self.version += 1;
            self.shown = Some(shown.clone());
        }
        let stamp = Stamp::of(doc, self.version);
        if self.refresh.is_due(stamp) {
            self.rows = self.refresh.run(stamp, || {
                let mut rows = data::read(run, place, shown.scores.as_ref());
                data::sort(&mut rows, shown.sort);
                rows
            });
        }
        self.head_ui(ui, place, view, commands);
        ui.add_space(theme::SPACE_S);
        if self.rows.is_empty() {
            let name = view.contestants().get(place).map_or("", |one| one.label.as_str());
            empty(ui, &format!("No finished game of {name} has such a score"));
            return;
        }
        self.table_ui(ui, place, commands);
    }

    fn head_ui(&mut self, ui: &mut Ui, place: usize, view: &mut RunView, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let Some(contestant) = view.contestants().get(place) else { return };
        let label = contestant.label.clone();
        let mark = theme.strategy(contestant.slot);
        let mut choose = None;
        ui.horizontal(|ui| {
            mark_key(ui, &label, mark);
            ui.label(RichText::new(data::head(self.rows.len(), &label)).font(theme::strong()));
            match view.brush.clone() {
                Some(scores) => {
                    if removable_chip(ui, &data::range(Some(&scores)), "List games of all scores").clicked() {
                        view.brush = None;
                    }
                }
                None => {
                    ui.label(RichText::new(data::range(None)).color(theme.text3));
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let chosen = self.chosen.filter(|_| !self.rows.is_empty());
                let open = ui.add_enabled(chosen.is_some(), Button::new("Open on the board").accent());
                let open = open.on_hover_text("Replay this game and stop at its last choice");
                if open.on_disabled_hover_text("No game chosen yet. Click one").clicked()
                    && let Some(index) = chosen
                {
                    commands.push(ExperimentCommand::OpenGame { entry: place, index: index.into() });
                }
                let button = ui.add(Button::new("Strategy").small().name("Choose the strategy whose games are listed"));
                egui::Popup::menu(&button).show(|ui| {
                    ui.set_min_width(160.0);
                    egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                        for (other, one) in view.contestants().iter().enumerate() {
                            ui.horizontal(|ui| {
                                mark_key(ui, &one.label, theme.strategy(one.slot));
                                if ui.selectable_label(other == place, &one.label).clicked() {
                                    choose = Some(other);
                                }
                            });
                        }
                    });
                });
            });
        });
        if choose.is_some() {
            view.select(choose);
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, place: usize, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let width = ((ui.available_width().min(WIDEST) - 3.0 * GAP - 8.0) / 4.0).max(48.0);
        let columns = GamesColumn::ALL.map(|(key, title, about)| TableColumn {
            key,
            title: title.to_owned(),
            about,
            width,
            right: true,
            indent: 0.0,
            falls: Some(key != GamesColumn::Game),
        });
        let (rows, chosen) = (&self.rows, &mut self.chosen);
        let table = Table { id: "games", columns: &columns, sort: &mut self.sort, gap: GAP, below: 0.0, fits: false };
        table.show(ui, rows.len(), |table_row| {
            let row = rows[table_row.index()];
            let [index, score] = [row.index, row.score].map(|number| words::count(number.into()));
            let name = format!("Game {index}, score {score}");
            let response = table_row.show(&name, *chosen == Some(row.index), |ui, column| {
                let text = |text: &str| RichText::new(text).color(theme.text1);
                ui.label(match column {
                    GamesColumn::Game => text(&index).color(theme.text3),
                    GamesColumn::Score => text(&score).font(theme::strong()),
                    GamesColumn::Largest => text(&(1_u64 << row.largest).to_string()),
                    GamesColumn::Moves => text(&words::count(row.moves.into())),
                });
            });
            let open = || ExperimentCommand::OpenGame { entry: place, index: row.index.into() };
            if response.clicked() {
                *chosen = Some(row.index);
            }
            if response.double_clicked() {
                commands.push(open());
            }
            response.context_menu(|ui| {
                if ui.button("Open on the board").clicked() {
                    commands.push(open());
                }
            });
        });
    }
}
