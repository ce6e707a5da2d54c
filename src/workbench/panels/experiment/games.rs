//! The games of the brushed bars, those that reached a tile, or all games of a strategy. Each can be opened on the
//! board.

use std::ops::RangeInclusive;

use egui::{Event, Key, Modifiers, RichText, Ui};

use crate::experiment::{Common, Run};
use crate::game::Rank;
use crate::strategy::Outcome;
use crate::words;
use crate::workbench::command::{
    Commands, ExperimentCommand, Panel, ReviewCommand, ViewCommand, Workspace, note_place,
};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, MOST_KEYS, Sort, Table, TableColumn, at_end, empty, focus, mark_key, menu_choice, menu_entry,
    removable_chip,
};
use crate::workbench::panels::experiment::differences::difference;
use crate::workbench::panels::experiment::run_view::{Refresh, RunView, Stamp};
use crate::workbench::panels::experiment::scores_text;
use crate::workbench::panels::experiment::stack::MOST_AT_ONCE;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::theme::{self, Theme};

/// Shows the list of games, scrolled to its top.
pub(super) fn go_to_list(ctx: &egui::Context, commands: &mut Commands) {
    focus::forget_place(ctx, Panel::Games.area());
    commands.push(ViewCommand::Workspace(Workspace::Experiment));
    commands.push(ViewCommand::ShowPanel(Panel::Games));
}

/// Maximum table width; a wider row is hard to follow.
const WIDEST: f32 = 800.0;
/// Gap between columns.
const GAP: f32 = 12.0;

/// The reason why there is no game to open.
const NO_GAME: &str = "No game selected. Click one";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum GamesColumn {
    #[default]
    Game,
    Score,
    Largest,
    Moves,
    /// The baseline's score.
    Other,
    Difference,
}

impl GamesColumn {
    /// The columns for two strategies, left to right: title and meaning.
    const BOTH: [(Self, &'static str, &'static str); 4] = [
        (Self::Game, "Game", "Number of the game, which determines the tiles together with the seed"),
        (Self::Score, "Score", "Score of the strategy"),
        (Self::Other, "Baseline", "Score of the baseline on the same tiles"),
        (Self::Difference, "Difference", "Score of the strategy minus that of the baseline; sorts by absolute size"),
    ];

    /// The columns for one strategy.
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Game, "Game", "Number of the game, which determines the tiles together with the seed"),
        (Self::Score, "Score", "Score of the game"),
        (Self::Largest, "Largest", "Largest tile at the end"),
        (Self::Moves, "Moves", "Moves of the game"),
    ];
}

#[derive(Debug)]
pub(crate) struct GamesPanel {
    sort: Sort<GamesColumn>,
    /// For games of two strategies.
    sort_of_both: Sort<GamesColumn>,
    /// The number of the clicked game. The same number has the same tiles for every strategy, and in another run.
    chosen: Option<u64>,
    listing: Listing,
    refresh: Refresh,
}

impl Default for GamesPanel {
    fn default() -> Self {
        Self {
            sort: Sort::default(),
            sort_of_both: Sort::falling(GamesColumn::Difference),
            chosen: None,
            listing: Listing::default(),
            refresh: Refresh::default(),
        }
    }
}

/// Which games are listed, and in what order.
#[derive(Clone, Debug, Default, PartialEq)]
struct GamesListed {
    run: u64,
    place: usize,
    /// The other strategy, if games are compared; `scores` are then differences.
    against: Option<usize>,
    scores: Option<RangeInclusive<u32>>,
    reached: Option<Rank>,
    sort: Sort<GamesColumn>,
}

impl GamesListed {
    fn holds(&self, game: &Outcome, other: Option<&Outcome>) -> bool {
        // A bar of differences contains no identical games.
        let value = other.map_or(game.score, |other| difference([*game, *other]));
        self.scores.as_ref().is_none_or(|scores| scores.contains(&value) && other != Some(game))
            && self.reached.is_none_or(|tile| tile <= game.largest)
    }

    /// The command that opens a game on the board; with two strategies, at the parting.
    fn opens(&self, index: u64) -> ExperimentCommand {
        match self.against {
            Some(other) => ExperimentCommand::OpenParting { places: [self.place, other], index },
            None => ExperimentCommand::OpenGame(self.place, index),
        }
    }

    /// The sort key of a game; equal values keep the order of the games.
    fn key(&self, index: u32, game: &Outcome, other: Option<&Outcome>) -> ([u32; MOST_KEYS], u32) {
        let mut keys = [0; MOST_KEYS];
        for (value, key) in keys.iter_mut().zip(self.sort.keys()) {
            *value = match key.by {
                GamesColumn::Game => index,
                GamesColumn::Score => game.score,
                GamesColumn::Largest => game.largest.get().into(),
                GamesColumn::Moves => game.moves,
                GamesColumn::Other => other.map_or(0, |other| other.score),
                GamesColumn::Difference => other.map_or(0, |other| game.score.abs_diff(other.score)),
            };
            *value = if key.falls { !*value } else { *value };
        }
        (keys, index)
    }
}

/// The listed games, sorted. There may be millions: each frame reads some, and beyond a limit games are only counted.
#[derive(Debug, Default)]
struct Listing {
    of: GamesListed,
    /// Number of games read.
    read: u64,
    /// Number of those that match.
    count: u64,
    /// Keys and indices of the first matching games.
    rows: Vec<([u32; MOST_KEYS], u32)>,
    version: u64,
}

impl Listing {
    /// More rows than anyone reads. Each is a few bytes; sorting all takes a few milliseconds.
    const MOST: usize = 100_000;

    /// Lists other games; does nothing if they are the same.
    fn list(&mut self, of: GamesListed) {
        if self.of != of {
            *self = Self { of, version: self.version + 1, ..Self::default() };
        }
    }

    /// Reads newly finished games; true if more are left than fit in a frame.
    fn follow(&mut self, run: &Run, most: u64) -> bool {
        let both = [Some(self.of.place), self.of.against];
        if both.into_iter().flatten().any(|place| run.games().counted_of(place) < self.read) {
            *self = Self { of: self.of.clone(), version: self.version + 1, ..Self::default() };
        }

        let (of, rows) = (&self.of, &mut self.rows);
        let before = rows.len();
        let mut list = |index: u64, game: &Outcome, other: Option<&Outcome>| {
            if of.holds(game, other) {
                rows.push(of.key(index as u32, game, other));
            }
        };
        let games = run.games();
        let read = match of.against {
            Some(against) => games.read_pairs([of.place, against], self.read, most, |pairs| {
                pairs.map(|(index, [game, other])| list(index, &game, Some(&other))).count() as u64
            }),
            None => games.read(of.place, self.read, most, |first, games| {
                (first..).zip(games).map(|(index, game)| list(index, &game, None)).count() as u64
            }),
        };
        let read = read.unwrap_or(0);
        self.read += read;
        self.count += (rows.len() - before) as u64;
        if before < rows.len() {
            if Self::MOST < rows.len() {
                rows.select_nth_unstable(Self::MOST);
                rows.truncate(Self::MOST);
            }
            rows.sort_unstable();
        }

        read == most
    }
}

impl GamesPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, view: &mut RunView, commands: &mut Commands) {
        view.follow(doc);
        let last_run = doc.shown();
        let (Some(last_run), Some(place)) = (last_run, last_run.and_then(|last_run| listed(last_run, view))) else {
            empty(ui, "Run the experiment, then drag over bars of its plot to list their games");
            return;
        };
        let Some(run) = &last_run.run else { return };
        let against = view.by_difference.then(|| view.baseline());
        if against.is_some() && view.in_common(place) != Common::Tiles {
            empty(ui, "These strategies have no games in common: choose another strategy or baseline");
            return;
        }

        let sort = if against.is_some() { self.sort_of_both } else { self.sort };
        let (scores, reached) = (view.brush.clone(), view.reached);
        self.listing.list(GamesListed { run: last_run.runs, place, against, scores, reached, sort });
        let stamp = Stamp::of(doc, self.listing.version);
        if self.refresh.is_due(stamp) && self.refresh.run(stamp, || self.listing.follow(run, MOST_AT_ONCE)) {
            self.listing.version += 1;
            ui.ctx().request_repaint();
        }

        self.head_ui(ui, run, place, view, commands);
        ui.add_space(theme::SPACE_S);
        if self.listing.rows.is_empty() {
            let name = view.contestants().get(place).map_or("", |one| one.label.as_str());
            let what = match (view.reached, against) {
                (Some(_), _) => "reached that tile",
                (None, Some(_)) => "has a difference in this range",
                (None, None) => "has a score in this range",
            };
            empty(ui, &format!("No finished game of {name} {what}"));
            return;
        }

        self.table_ui(ui, run, place, commands);
    }

    fn head_ui(&mut self, ui: &mut Ui, run: &Run, place: usize, view: &mut RunView, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let Some(contestant) = view.contestants().get(place) else { return };
        let against = self.listing.of.against.map(|place| view.label(place));
        let label = against.map_or(contestant.label.clone(), |other| format!("{} − {other}", contestant.label));
        let (mark, all) =
            (theme.strategy(contestant.color), if against.is_some() { "all differences" } else { "all scores" });

        let mut choose = None;
        let game = self.chosen.and_then(|index| run.games().game(place, index));
        let other = self.chosen.zip(self.listing.of.against).and_then(|(index, place)| run.games().game(place, index));
        let lists_chosen = game.is_some_and(|game| self.listing.of.holds(&game, other.as_ref()));
        ui.horizontal_wrapped(|ui| {
            mark_key(ui, &label, mark);
            let title = ui.label(RichText::new(head(self.listing.count, &label)).font(theme::strong()));
            if (self.listing.rows.len() as u64) < self.listing.count {
                let most = words::count(Listing::MOST as u64);
                title.on_hover_text(format!(
                    "Only the first {most} are listed; select scores in the plot or sort differently"
                ));
            }

            if let Some(range) = view.brush.as_ref().map(|scores| scores_text(scores, view.zero())) {
                if removable_chip(ui, &range, "List games of all scores").clicked() {
                    view.brush = None;
                }
            } else if let Some(tile) = view.reached {
                if removable_chip(ui, &format!("{} reached", tile.tile()), "List games of all tiles").clicked() {
                    view.reached = None;
                }
            } else {
                ui.label(RichText::new(all).color(theme.text3));
            }

            at_end(ui, |ui| {
                let chosen = self.chosen.filter(|_| lists_chosen);
                let stop = match self.listing.of.against {
                    Some(_) => "Replay this game up to the first move where the two differ",
                    None => "Replay this game up to its last choice",
                };
                let about = chosen.map(|_| stop);
                let about = about.ok_or(NO_GAME);
                if Button::new("Open on the board").accent().show(ui, about).clicked()
                    && let Some(index) = chosen
                {
                    commands.push(self.listing.of.opens(index));
                }

                self.review_ui(ui, (place, chosen), view, commands);
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

    /// The menu that reviews the chosen game or the listed games, of this strategy or of all.
    fn review_ui(&self, ui: &mut Ui, (place, chosen): (usize, Option<u64>), view: &RunView, commands: &mut Commands) {
        let button = Button::new("Review").icon(Icon::ChevronDown).small().name("Review the listed games");
        let button = ui.add(button);
        note_place(ui.ctx(), button.interact_rect, &ReviewCommand::GameOfRun(place, 0).into());

        egui::Popup::menu(&button).show(|ui| {
            ui.set_min_width(200.0);
            let games = || self.listing.rows.iter().map(|(_, index)| u64::from(*index)).collect();
            let of = self.listing.of.against.map_or_else(|| vec![place], |other| vec![place, other]);
            let this = chosen.map(|index| ReviewCommand::GameOfRun(place, index)).ok_or(NO_GAME);
            if menu_entry(ui, "Review the chosen game", None, this.clone().map(drop))
                && let Ok(command) = this
            {
                commands.push(command);
            }
            if menu_entry(ui, "Review these games", None, Ok(())) {
                commands.push(ReviewCommand::Games { places: of, games: games() });
            }
            let all: Vec<usize> = (0..view.contestants().len()).collect();
            if menu_entry(ui, "Review these of all strategies", None, Ok(())) {
                commands.push(ReviewCommand::Games { places: all, games: games() });
            }
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, run: &Run, place: usize, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let width = ((ui.available_width().min(WIDEST) - 3.0 * GAP - 8.0) / 4.0).max(48.0);
        let against = self.listing.of.against;
        let columns = if against.is_some() { GamesColumn::BOTH } else { GamesColumn::ALL };
        let columns = columns.map(|(key, title, about)| TableColumn {
            key,
            title: title.to_owned(),
            about: about.into(),
            width,
            right: true,
            indent: 0.0,
            falls: Some(key != GamesColumn::Game),
        });

        let (of, rows, chosen) = (&self.listing.of, &self.listing.rows, &mut self.chosen);
        let (id, name) = ("games", "Games");
        let sort = if against.is_some() { &mut self.sort_of_both } else { &mut self.sort };
        let table = Table { id, name, columns: &columns, sort, gap: GAP, below: 0.0, fits: false };
        let mut has_home = false;
        table.show(ui, rows.len(), |table_row| {
            let number = u64::from(rows[table_row.index()].1);
            let Some(game) = run.games().game(place, number) else { return };
            let [index, score] = [number, game.score.into()].map(words::count);
            let other = against.and_then(|place| run.games().game(place, number)).map_or(0, |other| other.score);
            let difference = words::signed(f64::from(game.score) - f64::from(other), 0);
            let other = words::count(other.into());
            let beside = against.map_or_else(String::new, |_| format!(", baseline {other}, difference {difference}"));
            let name = format!("Game {index}, score {score}{beside}");
            let response = table_row.show(&name, *chosen == Some(number), |ui, column| {
                let text = |text: &str| RichText::new(text).color(theme.text1);
                ui.label(match column {
                    GamesColumn::Game => text(&index).color(theme.text3),
                    GamesColumn::Score => text(&score).font(theme::strong()),
                    GamesColumn::Largest => text(&game.largest.to_string()),
                    GamesColumn::Other => text(&other),
                    GamesColumn::Difference => text(&difference).font(theme::strong()),
                    GamesColumn::Moves => text(&words::count(game.moves.into())),
                });
            });

            // The first visible row, or the chosen one.
            if !std::mem::replace(&mut has_home, true) || *chosen == Some(number) {
                focus::home(&response, Panel::Games.area());
            }
            let open = || of.opens(number);
            if response.clicked() {
                *chosen = Some(number);
                // Enter opens the clicked game.
                response.request_focus();
            }

            // Space selects the row, as a click does.
            let enters = |with: Modifiers| {
                let is_it = |event: &Event| {
                    matches!(event, Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if *modifiers == with)
                };
                response.has_focus() && response.ctx.input(|input| input.events.iter().any(is_it))
            };

            if response.double_clicked() || enters(Modifiers::NONE) {
                commands.push(open());
            } else if enters(Modifiers::SHIFT) {
                commands.push(ReviewCommand::GameOfRun(place, number));
            }

            response.context_menu(|ui| {
                if menu_entry(ui, "Open on the board", Some("Enter"), Ok(())) {
                    commands.push(open());
                }
                if menu_entry(ui, "Review the game", Some("Shift Enter"), Ok(())) {
                    commands.push(ReviewCommand::GameOfRun(place, number));
                }
            });
        });
    }
}

/// The place of the strategy whose games are listed.
pub(super) fn listed(last_run: &ExperimentRun, view: &RunView) -> Option<usize> {
    if view.by_difference {
        return view.compared().map(|[place, _]| place);
    }
    let all = 0..=u32::MAX;
    let scores = view.brush.as_ref().unwrap_or(&all);
    let summaries = last_run.snapshot.as_ref().map_or(&[][..], |snapshot| &snapshot.summaries);
    let games = |place: usize| summaries.get(place).map_or(0, |summary| summary.scores.count_in(scores));
    view.listed(games)
}

/// "420 games of emr".
fn head(games: u64, label: &str) -> String {
    format!("{} of {label}", words::plural(games, "game"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Plan;
    use crate::preset::Preset;

    #[test]
    fn games_are_read_some_at_a_time_and_equal_ones_keep_their_order() {
        let strategy = "emr".parse().expect("letters");
        let run = Run::start(Plan { games: 300, ..Plan::of_preset(&Preset::new("", [strategy])) }, || {});
        let run = run.expect("a sound plan");
        run.wait();
        let game = |index: u32| run.games().game(0, index.into()).expect("finished");

        for (by, falls) in [(GamesColumn::Largest, true), (GamesColumn::Score, false), (GamesColumn::Game, true)] {
            let of = GamesListed {
                scores: Some(2000..=9000),
                reached: Rank::new(8),
                sort: Sort::new(by, falls),
                ..GamesListed::default()
            };
            let mut listing = Listing::default();
            listing.list(of.clone());
            let frames = (0..).take_while(|_| listing.follow(&run, 70)).count();
            assert_eq!(frames, 4, "300 games by 70");

            let mut wanted: Vec<u32> = (0..300).filter(|&index| of.holds(&game(index), None)).collect();
            assert!(wanted.len() < 300 && !wanted.is_empty());
            wanted.sort_by_key(|&index| of.key(index, &game(index), None));
            assert_eq!(listing.rows.iter().map(|&(_, index)| index).collect::<Vec<_>>(), wanted);
            assert_eq!(listing.count, wanted.len() as u64);
            let ties = wanted.windows(2).filter(|pair| game(pair[0]).largest == game(pair[1]).largest);
            assert!(by != GamesColumn::Largest || ties.clone().all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn the_header_says_which_games() {
        assert_eq!(head(420, "emr"), "420 games of emr");
    }
}
