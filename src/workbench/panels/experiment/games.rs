//! The games behind the brushed bars, or all games of a strategy; any of them can be looked at on the board.

use std::ops::RangeInclusive;

use egui::{Align, Layout, RichText, Ui};

use crate::experiment::Run;
use crate::strategy::Outcome;
use crate::words;
use crate::workbench::command::{Commands, ExperimentCommand, Panel};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, Sort, Table, TableColumn, empty, focus, mark_key, menu_choice, menu_entry, removable_chip,
};
use crate::workbench::panels::experiment::run_view::{Refresh, RunView, Stamp};
use crate::workbench::panels::experiment::scores_text;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::theme::{self, Theme};

/// Widest useful table: beyond that the eye loses the row.
const WIDEST: f32 = 800.0;
/// Between columns.
const GAP: f32 = 12.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum GamesColumn {
    #[default]
    Game,
    Score,
    Largest,
    Moves,
}

impl GamesColumn {
    /// Title and what it means, from left to right.
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Game, "Game", "Number of the game; with the seed it says which tiles appear"),
        (Self::Score, "Score", "Score of the game"),
        (Self::Largest, "Largest", "Largest tile at the end"),
        (Self::Moves, "Moves", "Moves of the game"),
    ];
}

/// A finished game, small: there may be millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GamesRow {
    index: u32,
    outcome: Outcome,
}

#[derive(Debug, Default)]
pub(crate) struct GamesPanel {
    sort: Sort<GamesColumn>,
    /// The number of the game that was clicked. It has the same tiles under every strategy, and in another run.
    chosen: Option<u32>,
    /// Whether it is among the rows.
    lists_chosen: bool,
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
        let last_run = doc.results();
        let (Some(last_run), Some(place)) = (last_run, last_run.and_then(|last_run| listed(last_run, doc, view)))
        else {
            empty(ui, "Run the experiment, then brush a bar of its plot: the games behind it are listed here");
            return;
        };
        let Some(run) = &last_run.run else { return };
        let shown = GamesListed { run: last_run.runs, place, scores: view.brush.clone(), sort: self.sort };
        if self.shown.as_ref() != Some(&shown) {
            self.version += 1;
            self.shown = Some(shown.clone());
        }
        let stamp = Stamp::of(doc, self.version);
        if self.refresh.is_due(stamp) {
            self.rows = self.refresh.run(stamp, || {
                let mut rows = read(run, place, shown.scores.as_ref());
                sort(&mut rows, shown.sort);
                rows
            });
            self.lists_chosen = self.rows.iter().any(|row| Some(row.index) == self.chosen);
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
        let mark = theme.strategy(contestant.color);
        let mut choose = None;
        ui.horizontal(|ui| {
            mark_key(ui, &label, mark);
            ui.label(RichText::new(head(self.rows.len(), &label)).font(theme::strong()));
            let range = view.brush.as_ref().map(scores_text);
            if range.is_none() {
                ui.label(RichText::new("all scores").color(theme.text3));
            } else if range.is_some_and(|range| removable_chip(ui, &range, "List games of all scores").clicked()) {
                view.brush = None;
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let chosen = self.chosen.filter(|_| self.lists_chosen);
                let about = chosen.map(|_| "Replay this game and stop at its last choice");
                let about = about.ok_or("No game chosen yet. Click one");
                if Button::new("Open on the board").accent().show(ui, about).clicked()
                    && let Some(index) = chosen
                {
                    commands.push(ExperimentCommand::OpenGame(place, index.into()));
                }
                let button = ui.add(
                    Button::new("Strategy")
                        .icon(Icon::ChevronDown)
                        .small()
                        .name("Choose the strategy whose games are listed"),
                );
                egui::Popup::menu(&button).show(|ui| {
                    ui.set_min_width(160.0);
                    egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                        for (other, one) in view.contestants().iter().enumerate() {
                            ui.horizontal(|ui| {
                                mark_key(ui, &one.label, theme.strategy(one.color));
                                if menu_choice(ui, other == place, &one.label).clicked() {
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
        let (rows, chosen, lists_chosen) = (&self.rows, &mut self.chosen, &mut self.lists_chosen);
        let (id, name) = ("games", "Games");
        let table = Table { id, name, columns: &columns, sort: &mut self.sort, gap: GAP, below: 0.0, fits: false };
        let mut has_home = false;
        table.show(ui, rows.len(), |table_row| {
            let row = rows[table_row.index()];
            let Outcome { score, largest, moves } = row.outcome;
            let [index, score] = [row.index, score].map(|number| words::count(number.into()));
            let name = format!("Game {index}, score {score}");
            let response = table_row.show(&name, *chosen == Some(row.index), |ui, column| {
                let text = |text: &str| RichText::new(text).color(theme.text1);
                ui.label(match column {
                    GamesColumn::Game => text(&index).color(theme.text3),
                    GamesColumn::Score => text(&score).font(theme::strong()),
                    GamesColumn::Largest => text(&largest.to_string()),
                    GamesColumn::Moves => text(&words::count(moves.into())),
                });
            });
            // The first row that is drawn, or the chosen one.
            if !std::mem::replace(&mut has_home, true) || *chosen == Some(row.index) {
                focus::home(&response, Panel::Games.area());
            }
            let open = || ExperimentCommand::OpenGame(place, row.index.into());
            if response.clicked() {
                (*chosen, *lists_chosen) = (Some(row.index), true);
            }
            if response.double_clicked() {
                commands.push(open());
            }
            response.context_menu(|ui| {
                if menu_entry(ui, "Open on the board", Some("Enter"), Ok(())) {
                    commands.push(open());
                }
            });
        });
    }
}

/// Reads the games of a strategy, in the order of their numbers.
fn read(run: &Run, place: usize, scores: Option<&RangeInclusive<u32>>) -> Vec<GamesRow> {
    let scores = scores.cloned().unwrap_or(0..=u32::MAX);
    run.games()
        .games_in(place, scores)
        .into_iter()
        .filter_map(|index| {
            let outcome = run.games().game(place, index)?;
            Some(GamesRow { index: u32::try_from(index).ok()?, outcome })
        })
        .collect()
}

/// Sorts by a column; equal values keep the order of the games.
fn sort(rows: &mut [GamesRow], sort: Sort<GamesColumn>) {
    let key = |row: &GamesRow| match sort.by {
        GamesColumn::Game => row.index,
        GamesColumn::Score => row.outcome.score,
        GamesColumn::Largest => row.outcome.largest.get().into(),
        GamesColumn::Moves => row.outcome.moves,
    };
    // The number of the game makes every key unique, so the fast sort is as good as a stable one.
    rows.sort_unstable_by_key(|row| (if sort.falls { !key(row) } else { key(row) }, row.index));
}

/// The place of the strategy whose games are listed.
pub(super) fn listed(last_run: &ExperimentRun, doc: &Document, view: &RunView) -> Option<usize> {
    let all = 0..=u32::MAX;
    let scores = view.brush.as_ref().unwrap_or(&all);
    let summaries = last_run.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.summaries);
    let games = |place: usize| summaries.get(place).map_or(0, |summary| summary.scores.count_in(scores));
    view.listed(doc.strategy().hash(), games)
}

/// "420 games of emr".
fn head(games: usize, label: &str) -> String {
    format!("{} of {label}", words::plural(games as u64, "game"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rank;

    #[test]
    fn games_are_sorted_and_equal_ones_keep_their_order() {
        let outcome = |score| Outcome { score, moves: 100, largest: Rank::clamped(7) };
        let row = |index, score| GamesRow { index, outcome: outcome(score) };
        let mut rows = vec![row(1, 500), row(2, 900), row(3, 500)];
        let indices = |rows: &[GamesRow]| rows.iter().map(|row| row.index).collect::<Vec<_>>();
        sort(&mut rows, Sort::falling(GamesColumn::Score));
        assert_eq!(indices(&rows), [2, 1, 3]);
        sort(&mut rows, Sort { by: GamesColumn::Score, falls: false });
        assert_eq!(indices(&rows), [1, 3, 2]);
        sort(&mut rows, Sort::falling(GamesColumn::Game));
        assert_eq!(indices(&rows), [3, 2, 1]);
    }

    #[test]
    fn the_header_says_which_games() {
        assert_eq!(head(420, "emr"), "420 games of emr");
    }
}
