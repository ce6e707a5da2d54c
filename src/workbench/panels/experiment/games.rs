//! The games of the brushed bars, those that reached a tile, or all games of a strategy. Each can be opened on the
//! board.
//!
//! To add a filter: a field of `RunView`, reset where `reached` is (search for it), the same in `GamesListed` with its
//! test in `holds`, and in `GamesPanel` its chip and the text of an empty list.

use std::ops::RangeInclusive;

use egui::{Event, Key, Modifiers, RichText, Ui};

use crate::experiment::{Common, Run};
use crate::game::Rank;
use crate::strategy::Outcome;
use crate::table::{Cell, Column, MISSING, Table};
use crate::words;
use crate::workbench::command::{
    Commands, ExperimentCommand, Panel, ReviewCommand, ViewCommand, Workspace, note_place,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{
    Button, DataCell, DataList, DataRows, DataSource, DataTable, MOST_KEYS, Sort, at_end,
    copy_entries, empty, focus, mark_key, menu_choice, menu_entry, removable_chip, small_print,
    submenu,
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
/// Below this width of the panel, the menus of its head are one.
const FOLDS_BELOW: f32 = 400.0;
/// Gap between columns.
const GAP: f32 = 12.0;

/// The reason why there is no game to open.
const NO_GAME: &str = "No game selected. Click one";

/// A listed game.
#[derive(Clone, Copy, Debug)]
struct GamesRow {
    index: u64,
    game: Outcome,
    /// The baseline's game on the same tiles, if games are compared.
    other: Option<Outcome>,
}

impl GamesRow {
    fn difference(&self) -> Option<f64> {
        self.other
            .map(|other| f64::from(self.game.score) - f64::from(other.score))
    }
}

/// The columns of one strategy, or of two, left to right.
fn columns(is_compared: bool) -> [Column<'static, GamesRow>; 4] {
    let game = "Number of the game, which determines the tiles together with the seed";
    let difference = "Score of the strategy minus that of the baseline; sorts by absolute size";
    let game = Column::whole(GAME, "game", game, |row: &GamesRow| row.index).rising();
    let score = |about: &str| Column::whole(SCORE, "score", about, |row: &GamesRow| row.game.score);
    if is_compared {
        return [
            game,
            score("Score of the strategy"),
            Column::whole(
                "baseline",
                "baseline",
                "Score of the baseline on the same tiles",
                |row: &GamesRow| row.other.map(|other| other.score),
            ),
            Column::number(DIFFERENCE, "difference", difference, GamesRow::difference)
                .signed()
                .by_size(),
        ];
    }
    [
        game,
        score("Score of the game"),
        Column::whole(
            "largest",
            "largest",
            "Largest tile at the end",
            |row: &GamesRow| Cell::shown(row.game.largest.to_string(), row.game.largest.tile()),
        ),
        Column::whole("moves", "moves", "Moves of the game", |row: &GamesRow| {
            row.game.moves
        }),
    ]
}

const GAME: &str = "game";
const SCORE: &str = "score";
const DIFFERENCE: &str = "difference";

#[derive(Debug)]
pub(crate) struct GamesPanel {
    sort: Sort<usize>,
    /// For games of two strategies.
    sort_of_both: Sort<usize>,
    /// The number of the clicked game. The same number has the same tiles for every strategy, and in another run.
    chosen: Option<u64>,
    listing: Listing,
    refresh: Refresh,
}

impl Default for GamesPanel {
    fn default() -> Self {
        Self {
            sort: Sort::default(),
            // The largest differences.
            sort_of_both: Sort::falling(columns(true).len() - 1),
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
    sort: Sort<usize>,
}

impl GamesListed {
    fn holds(&self, game: &Outcome, other: Option<&Outcome>) -> bool {
        // A bar of differences contains no identical games.
        let value = other.map_or(game.score, |other| difference([*game, *other]));
        self.scores
            .as_ref()
            .is_none_or(|scores| scores.contains(&value) && other != Some(game))
            && self.reached.is_none_or(|tile| tile <= game.largest)
    }

    /// The command that opens a game on the board; with two strategies, at the parting.
    fn opens(&self, index: u64) -> ExperimentCommand {
        match self.against {
            Some(other) => ExperimentCommand::OpenParting {
                places: [self.place, other],
                index,
            },
            None => ExperimentCommand::OpenGame(self.place, index),
        }
    }

    /// The sort key of a game; equal values keep the order of the games.
    fn key(&self, columns: &[Column<'_, GamesRow>], row: &GamesRow) -> GamesKey {
        (
            self.sort.ranks(|column| columns[column].sort_value(row)),
            row.index as u32,
        )
    }
}

/// The ranks of the sorted columns, and the index of the game.
type GamesKey = ([u64; MOST_KEYS], u32);

/// The listed games, sorted. There may be millions: each frame reads some, and beyond a limit games are only counted.
#[derive(Debug, Default)]
struct Listing {
    listed: GamesListed,
    /// Number of games read.
    read: u64,
    /// Number of those that match.
    count: u64,
    /// Keys and indices of the first matching games.
    rows: Vec<GamesKey>,
    version: u64,
}

impl Listing {
    /// More rows than anyone reads. Each is a few bytes; sorting all takes a few milliseconds.
    const MOST: usize = 100_000;

    /// Lists other games; does nothing if they are the same.
    fn list(&mut self, listed: GamesListed) {
        if self.listed != listed {
            *self = Self {
                listed,
                version: self.version + 1,
                ..Self::default()
            };
        }
    }

    /// The game of a row.
    fn row(&self, run: &Run, place: usize) -> Option<GamesRow> {
        let index = u64::from(self.rows.get(place)?.1);
        let game = |place: usize| run.games().game(place, index);
        Some(GamesRow {
            index,
            game: game(self.listed.place)?,
            other: self.listed.against.and_then(game),
        })
    }

    /// The rows that are listed by now, for a copy.
    fn data(&self, run: &Run) -> Table {
        let rows = (0..self.rows.len()).filter_map(|place| self.row(run, place));
        Table::of(&columns(self.listed.against.is_some()), rows)
    }

    /// Reads newly finished games; true if more are left than fit in a frame.
    fn follow(&mut self, run: &Run, most: u64) -> bool {
        let both = [Some(self.listed.place), self.listed.against];
        if both
            .into_iter()
            .flatten()
            .any(|place| run.games().counted_of(place) < self.read)
        {
            *self = Self {
                listed: self.listed.clone(),
                version: self.version + 1,
                ..Self::default()
            };
        }

        let (listed, rows, columns) = (
            &self.listed,
            &mut self.rows,
            columns(self.listed.against.is_some()),
        );
        let before = rows.len();
        let mut list = |index: u64, game: &Outcome, other: Option<&Outcome>| {
            if listed.holds(game, other) {
                rows.push(listed.key(
                    &columns,
                    &GamesRow {
                        index,
                        game: *game,
                        other: other.copied(),
                    },
                ));
            }
        };
        let games = run.games();
        let read = match listed.against {
            Some(against) => games.read_pairs([listed.place, against], self.read, most, |pairs| {
                pairs
                    .map(|(index, [game, other])| list(index, &game, Some(&other)))
                    .count() as u64
            }),
            None => games.read(listed.place, self.read, most, |first, games| {
                (first..)
                    .zip(games)
                    .map(|(index, game)| list(index, &game, None))
                    .count() as u64
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
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        view.follow(doc);
        let last_run = doc.shown();
        let (Some(last_run), Some(place)) = (
            last_run,
            last_run.and_then(|last_run| listed(last_run, view)),
        ) else {
            empty(
                ui,
                "Run the experiment, then drag over bars of its plot to list their games",
            );
            return;
        };
        let Some(run) = &last_run.run else { return };
        let against = view.by_difference.then(|| view.baseline());
        if against.is_some() && view.in_common(place) != Common::Tiles {
            empty(
                ui,
                "These strategies have no games in common: choose another strategy or baseline",
            );
            return;
        }

        let sort = if against.is_some() {
            self.sort_of_both
        } else {
            self.sort
        };
        let (scores, reached) = (view.brush.clone(), view.reached);
        self.listing.list(GamesListed {
            run: last_run.runs,
            place,
            against,
            scores,
            reached,
            sort,
        });
        let stamp = Stamp::of(doc, self.listing.version);
        if self.refresh.is_due(stamp)
            && self
                .refresh
                .run(stamp, || self.listing.follow(run, MOST_AT_ONCE))
        {
            self.listing.version += 1;
            ui.ctx().request_repaint();
        }

        self.head_ui(ui, run, place, view, commands);
        ui.add_space(theme::SPACE_S);
        if self.listing.rows.is_empty() {
            let name = view
                .contestants()
                .get(place)
                .map_or("", |one| one.label.as_str());
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

    fn head_ui(
        &mut self,
        ui: &mut Ui,
        run: &Run,
        place: usize,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let Some(contestant) = view.contestants().get(place) else {
            return;
        };
        let against = self.listing.listed.against.map(|place| view.label(place));
        let label = against.map_or(contestant.label.clone(), |other| {
            format!("{} − {other}", contestant.label)
        });
        let (mark, all) = (
            theme.strategy(contestant.color),
            if against.is_some() {
                "all differences"
            } else {
                "all scores"
            },
        );

        let (mut choose, is_narrow) = (None, ui.available_width() < FOLDS_BELOW);
        let game = self.chosen.and_then(|index| run.games().game(place, index));
        let other = self
            .chosen
            .zip(self.listing.listed.against)
            .and_then(|(index, place)| run.games().game(place, index));
        let lists_chosen =
            game.is_some_and(|game| self.listing.listed.holds(&game, other.as_ref()));
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
                let about =
                    if is_narrow { "Choose the strategy, review games, copy the list" } else { "Copy the list" };
                let more = icon_button(ui, Icon::Menu, "More for the listed games", about);
                let chosen = self.chosen.filter(|_| lists_chosen);
                let stop = match self.listing.listed.against {
                    Some(_) => "Replay this game up to the first move where the two differ",
                    None => "Replay this game up to its last choice",
                };
                let about = chosen.map(|_| stop);
                let about = about.ok_or(NO_GAME);
                if Button::new("Open on the board").accent().show(ui, about).clicked()
                    && let Some(index) = chosen
                {
                    commands.push(self.listing.listed.opens(index));
                }

                let review = |ui: &mut Ui, commands: &mut Commands| self.review_ui(ui, place, chosen, view, commands);
                let mut strategies = |ui: &mut Ui| choose = choose.or(strategies_ui(ui, view, place));
                let place_of_review = if is_narrow {
                    more.interact_rect
                } else {
                    let about = "Review the listed games";
                    let button = ui.add(Button::new("Review").icon(Icon::ChevronDown).small().name(about));
                    egui::Popup::menu(&button).show(|ui| review(ui, commands));
                    let about = "Choose the strategy whose games are listed";
                    let chooser = ui.add(Button::new("Strategy").icon(Icon::ChevronDown).small().name(about));
                    egui::Popup::menu(&chooser).show(&mut strategies);
                    button.interact_rect
                };
                note_place(ui.ctx(), place_of_review, &ReviewCommand::GameOfRun(place, 0).into());
                egui::Popup::menu(&more).show(|ui| {
                    if is_narrow {
                        submenu(ui, "Strategy", &mut strategies);
                        review(ui, commands);
                        ui.separator();
                    }
                    let (there, all) = (self.listing.rows.len() as u64, self.listing.count);
                    if there < all {
                        let part = format!("The first {} of {} games", words::count(there), words::count(all));
                        small_print(ui, part, Theme::of(ui).text2);
                    }
                    copy_entries(ui, || self.listing.data(run));
                });
            });
        });

        if choose.is_some() {
            view.select(choose);
        }
    }

    /// The entries that review the chosen game or the listed games, of this strategy or of all.
    fn review_ui(
        &self,
        ui: &mut Ui,
        place: usize,
        chosen: Option<u64>,
        view: &RunView,
        commands: &mut Commands,
    ) {
        ui.set_min_width(200.0);
        let games = || {
            self.listing
                .rows
                .iter()
                .map(|(_, index)| u64::from(*index))
                .collect()
        };
        let places = self
            .listing
            .listed
            .against
            .map_or_else(|| vec![place], |other| vec![place, other]);
        let this = chosen
            .map(|index| ReviewCommand::GameOfRun(place, index))
            .ok_or(NO_GAME);
        if menu_entry(ui, "Review the chosen game", None, this.clone().map(drop))
            && let Ok(command) = this
        {
            commands.push(command);
        }
        if menu_entry(ui, "Review these games", None, Ok(())) {
            commands.push(ReviewCommand::Games {
                places,
                games: games(),
            });
        }
        let all: Vec<usize> = (0..view.contestants().len()).collect();
        if menu_entry(ui, "Review these of all strategies", None, Ok(())) {
            commands.push(ReviewCommand::Games {
                places: all,
                games: games(),
            });
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, run: &Run, place: usize, commands: &mut Commands) {
        let against = self.listing.listed.against;
        let (listed, rows, chosen) = (&self.listing.listed, &self.listing.rows, &mut self.chosen);
        let columns = columns(against.is_some());
        let heads = columns.each_ref().map(|column| column.head.clone());
        let width =
            ((ui.available_width().min(WIDEST) - 3.0 * GAP - 8.0) / heads.len() as f32).max(48.0);
        let cells = |place: usize| match Table::of(&columns, self.listing.row(run, place))
            .texts()
            .pop()
        {
            Some(texts) => texts,
            None => vec![MISSING.to_owned(); heads.len()],
        };
        let list = DataList {
            heads: &heads,
            len: rows.len(),
            cells: &cells,
        };

        let sort = if against.is_some() {
            &mut self.sort_of_both
        } else {
            &mut self.sort
        };
        let table = DataTable {
            id: "games",
            name: "Games",
            data: DataSource::Listed(list),
            sort,
            gap: GAP,
        };
        let look = DataRows {
            selected: chosen.and_then(|number| {
                rows.iter()
                    .position(|(_, index)| u64::from(*index) == number)
            }),
            ..DataRows::default()
        };
        let row_name = |_: usize, cells: &[String]| match cells {
            [game, score, baseline, difference] if against.is_some() => {
                format!("Game {game}, score {score}, baseline {baseline}, difference {difference}")
            }
            [game, score, ..] => format!("Game {game}, score {score}"),
            _ => String::new(),
        };
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            let (theme, text) = (Theme::of(ui), RichText::new(cell.text));
            ui.label(match &*heads[cell.column].key {
                GAME => text.color(theme.text3),
                SCORE | DIFFERENCE => text.font(theme::strong()).color(theme.text1),
                _ => text.color(theme.text1),
            });
        };
        let mut has_home = false;
        table.show_rows(ui, look, |_, _, _| width, row_name, cell_ui, |row, response| {
            let number = u64::from(rows[row].1);
            // The first visible row, or the chosen one.
            if !std::mem::replace(&mut has_home, true) || *chosen == Some(number) {
                focus::home(&response, Panel::Games.area());
            }
            let open = || listed.opens(number);
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

/// The entries that choose the strategy whose games are listed; returns the chosen one.
fn strategies_ui(ui: &mut Ui, view: &RunView, place: usize) -> Option<usize> {
    let mut chosen = None;
    ui.set_min_width(160.0);
    egui::ScrollArea::vertical()
        .max_height(320.0)
        .show(ui, |ui| {
            for (other, one) in view.contestants().iter().enumerate() {
                ui.horizontal(|ui| {
                    mark_key(ui, &one.label, Theme::of(ui).strategy(one.color));
                    if menu_choice(ui, other == place, &one.label).clicked() {
                        chosen = Some(other);
                    }
                });
            }
        });
    chosen
}

/// The place of the strategy whose games are listed.
pub(super) fn listed(last_run: &ExperimentRun, view: &RunView) -> Option<usize> {
    if view.by_difference {
        return view.compared().map(|[place, _]| place);
    }
    let all = 0..=u32::MAX;
    let scores = view.brush.as_ref().unwrap_or(&all);
    let summaries = last_run
        .snapshot
        .as_ref()
        .map_or(&[][..], |snapshot| &snapshot.summaries);
    let games = |place: usize| {
        summaries
            .get(place)
            .map_or(0, |summary| summary.scores.count_in(scores))
    };
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
        let run = Run::start(
            Plan {
                games: 300,
                ..Plan::of_preset(&Preset::new("", [strategy]))
            },
            || {},
        );
        let run = run.expect("a sound plan");
        run.wait();
        let game = |index: u32| run.games().game(0, index.into()).expect("finished");

        let columns = columns(false);
        let of_key = |key: &str| {
            columns
                .iter()
                .position(|column| column.head.key == key)
                .expect("a column")
        };
        for (by, falls) in [("largest", true), (SCORE, false), (GAME, true)] {
            let listed = GamesListed {
                scores: Some(2000..=9000),
                reached: Rank::new(8),
                sort: Sort::new(of_key(by), falls),
                ..GamesListed::default()
            };
            let mut listing = Listing::default();
            listing.list(listed.clone());
            let frames = (0..).take_while(|_| listing.follow(&run, 70)).count();
            assert_eq!(frames, 4, "300 games by 70");

            let mut wanted: Vec<u32> = (0..300)
                .filter(|&index| listed.holds(&game(index), None))
                .collect();
            assert!(wanted.len() < 300 && !wanted.is_empty());
            wanted.sort_by_key(|&index| {
                let game = game(index);
                let value = match by {
                    "largest" => game.largest.tile(),
                    SCORE => game.score.into(),
                    _ => index.into(),
                };
                (if falls { u64::MAX - value } else { value }, index)
            });
            assert_eq!(
                listing
                    .rows
                    .iter()
                    .map(|&(_, index)| index)
                    .collect::<Vec<_>>(),
                wanted
            );
            assert_eq!(listing.count, wanted.len() as u64);
            let ties = wanted
                .windows(2)
                .filter(|pair| game(pair[0]).largest == game(pair[1]).largest);
            assert!(by != "largest" || ties.clone().all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn the_header_says_which_games() {
        assert_eq!(head(420, "emr"), "420 games of emr");
    }
}
