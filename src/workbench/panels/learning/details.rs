//! The selected network: its commands, its progress, and its curve next to those of others.

use egui::{DragValue, Label, RichText, Ui, vec2};

use super::curve::{Along, Drawn, Measure, curve_ui, tiles};
use super::{LearningPanel, View};
use crate::learning::{Progress, ShippedTraining};
use crate::network::library;
use crate::task::WorkState;
use crate::words;
use crate::workbench::command::{Commands, LearningCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{self, Button, choice, copy_button, legend_entry, progress, segmented};
use crate::workbench::state::{Document, LiveTraining, NetworkTest};
use crate::workbench::theme::{self, Theme};

/// Width of a number in a row of buttons.
const NUMBER: f32 = 76.0;
/// Width of a number of games that a training may have at most.
const TOTAL: f32 = 130.0;
/// Minimum height of a plot; below, the panel scrolls.
const LEAST_PLOT: f32 = 130.0;
/// Maximum number of games of a test.
const MOST_TEST: u64 = 1_000_000;

impl LearningPanel {
    pub(super) fn details_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        names: &[String],
        commands: &mut Commands,
    ) {
        let Some(name) = self.selected.clone() else {
            return;
        };
        kit::reading_area(ui, "network", "The selected network", |ui| {
            ui.spacing_mut().item_spacing.y = theme::SPACE_S;
            self.buttons_ui(ui, doc, &name, commands);
            let theme = Theme::of(ui);
            if let Some(Err(reason)) = doc.trainings().find(&name).map(|saved| &saved.info) {
                kit::problem(ui, reason);
                return;
            }
            let status = status(doc, &name);
            ui.add(Label::new(RichText::new(status).color(theme.text2)).wrap());
            self.test_ui(ui, doc, &name, commands);
            match self.view {
                View::Curve => self.curve_view(ui, doc, names),
                View::Tables => self.opened.tables_ui(ui, doc, &name),
                View::Board => self.opened.board_ui(ui, doc, &name),
                View::Game => self.opened.game_ui(ui, doc, &name, commands),
            }
        });
    }

    fn buttons_ui(&mut self, ui: &mut Ui, doc: &Document, name: &str, commands: &mut Commands) {
        let all = doc.trainings();
        let own = || name.to_owned();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::Vec2::splat(theme::SPACE_S);
            let live = all.live_of(name);
            let training = all.training(name);
            let ships = all.find(name).is_some_and(|saved| saved.ships) && live.is_none();
            let has_all = training.is_some_and(|training| training.games <= all.games(name));
            let is_finished = has_all || all.is_over(name);
            if live.is_some_and(|live| !live.is_paused()) {
                commands.show(
                    ui,
                    Button::new("Pause training").icon(Icon::Pause),
                    LearningCommand::Pause(own()),
                    doc,
                );
            } else if let Some(training) = training.filter(|_| !ships) {
                let mut games = None;
                if is_finished && live.is_none() {
                    let further = self.further.get_or_insert(training.games.saturating_mul(2));
                    let least = all.games(name) + 1;
                    let drag = DragValue::new(further)
                        .range(least..=crate::learning::Training::MOST_GAMES);
                    let drag = drag
                        .speed((least as f64 * 0.01).max(1.0))
                        .prefix("to ")
                        .suffix(" games")
                        .custom_formatter(|games, _| words::count(games as u64))
                        .custom_parser(|text| text.replace(',', "").trim().parse().ok());
                    ui.add_sized(vec2(TOTAL, theme::CONTROL), drag)
                        .accessible_name("Total games")
                        .on_hover_text(match has_all {
                            true => "All games are played: resume up to this total",
                            false => {
                                "The time limit has passed: resume up to this total without it"
                            }
                        });
                    games = Some(*further);
                }
                let command = LearningCommand::Resume { name: own(), games };
                commands.show(
                    ui,
                    Button::new("Resume training").accent().icon(Icon::Play),
                    command,
                    doc,
                );
            }

            if live.is_some() {
                commands.show(
                    ui,
                    Button::new("Stop training").icon(Icon::Stop),
                    LearningCommand::Stop(own()),
                    doc,
                );
                commands.button(ui, LearningCommand::Checkpoint(own()), doc);
            }

            let command = LearningCommand::Test {
                name: own(),
                games: self.tests,
            };
            commands.button(ui, command, doc);
            let drag = DragValue::new(&mut self.tests)
                .range(1..=MOST_TEST)
                .speed(2.0)
                .suffix(" games");
            ui.add_sized(vec2(NUMBER, theme::CONTROL), drag)
                .accessible_name("Games of a test");
            commands.button(ui, LearningCommand::Use(own()), doc);
            if ships {
                self.strong_ui(ui, doc, commands);
            }
            let manifest = all.find(name).and_then(|saved| saved.manifest());
            if let Some(manifest) = manifest.filter(|manifest| !manifest.command.is_empty()) {
                copy_button(
                    ui,
                    "Copy command",
                    &format!("the training of {name}"),
                    || manifest.command.clone(),
                );
            }
        });
    }

    /// The button that trains a strong reference, to replace the shipped one.
    fn strong_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let strong = ShippedTraining::named(ShippedTraining::STRONG)
            .and_then(|shipped| shipped.training().ok());
        let Some(training) = strong else { return };
        let name = library::REFERENCE.to_owned();
        let command = LearningCommand::Start {
            name: name.clone(),
            training: Box::new(training),
            threads: None,
        };
        let about = "Train for an hour at most; then this network replaces the shipped one wherever Network(\"reference\") plays";
        let button = Button::new("Train the strong reference").icon(Icon::Play);
        if commands
            .show(ui, button, command, doc)
            .on_hover_text(about)
            .clicked()
        {
            self.begun = Some(name);
        }
    }

    fn test_ui(&self, ui: &mut Ui, doc: &Document, name: &str, commands: &mut Commands) {
        let (all, theme) = (doc.trainings(), Theme::of(ui));
        if let Some((games, so_far)) = all.testing(name) {
            ui.horizontal(|ui| {
                let played = so_far.map_or(0, |test| test.scores.n);
                progress(ui, "Games of the test", played as f32 / games as f32, 96.0);
                commands.show(
                    ui,
                    Button::new("Stop test").small(),
                    LearningCommand::StopTest,
                    doc,
                );
                let text = so_far.map_or_else(|| "Copying the network".to_owned(), test_sentence);
                ui.add(Label::new(RichText::new(text).color(theme.text2)).truncate());
            });
        } else if let Some(test) = all.tests(name).last() {
            ui.add(Label::new(RichText::new(test_sentence(test)).color(theme.text1)).wrap());
        }
    }

    fn curve_view(&mut self, ui: &mut Ui, doc: &Document, names: &[String]) {
        let (all, theme) = (doc.trainings(), Theme::of(ui));
        let has_points =
            |name: &&String| !all.curve(name).is_empty() || !all.tests(name).is_empty();
        let with_points: Vec<&String> = names.iter().filter(has_points).collect();
        if with_points.is_empty() {
            let every = self
                .selected
                .as_ref()
                .and_then(|name| all.training(name))
                .map_or(1000, |training| training.every);
            let games = words::plural(every, "game");
            kit::remark(
                ui,
                format!("The first point of the curve comes after {games}"),
                theme.text2,
            );
            return;
        }

        let is_alone = with_points.len() == 1;
        let is_drawn = |panel: &Self, name: &str| is_alone || !panel.hidden.contains(name);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            let shown = with_points.iter().filter(|name| is_drawn(self, name));
            let tiles = tiles(shown.map(|name| all.curve(name)));
            let measures =
                std::iter::once(Measure::Mean).chain(tiles.into_iter().map(Measure::Reach));
            let text = self.measure.name();
            let measures = measures.map(|measure| (measure, measure.name()));
            choice(
                ui,
                "Measure of the curve",
                &mut self.measure,
                text,
                116.0,
                measures,
            );
            segmented(ui, "Horizontal axis", &mut self.along, &Along::ALL);
            for name in &with_points {
                let mark = theme.strategy(all.color(name));
                if legend_entry(ui, name, mark, is_drawn(self, name)).clicked()
                    && !self.hidden.remove(*name)
                {
                    self.hidden.insert((*name).clone());
                }
            }
        });

        let drawn: Vec<Drawn<'_>> = with_points
            .iter()
            .filter(|name| is_drawn(self, name))
            .map(|name| Drawn {
                name,
                mark: theme.strategy(all.color(name)),
                curve: all.curve(name),
                tests: all.tests(name),
            })
            .collect();

        let height = (ui.available_height() - 22.0).max(LEAST_PLOT);
        curve_ui(ui, &drawn, self.along, self.measure, height);
        let hint = "Line: training games since the previous point. Marks: test games without learning. Bands and bars: 95 %";
        ui.add(Label::new(RichText::new(hint).small().color(theme.text3)).truncate());
    }
}

/// "Test after 12,000 training games: mean 9,876 (95 %: 9,512 to 10,240) of 200 greedy games; reaches 512 in 93.0 % (95 %: …)".
fn test_sentence(test: &NetworkTest) -> String {
    let scores = &test.scores;
    let Some(mean) = Measure::Mean.of(scores) else {
        return "No game has finished yet".to_owned();
    };
    let mean = Measure::Mean.with_interval(mean);
    let rates = told_tiles(scores).into_iter().filter_map(|tile| {
        let measure = Measure::Reach(tile);
        Some(format!(
            "; {tile} in {}",
            measure.with_interval(measure.of(scores)?)
        ))
    });
    let games = match scores.n < test.games {
        true => format!("{} of {}", words::count(scores.n), words::count(test.games)),
        false => words::count(scores.n),
    };
    let at = words::count(test.at.games);
    format!(
        "Test after {at} training games: mean {mean} of {games} greedy games{}",
        rates.collect::<String>()
    )
}

/// The largest tiles that more than 5 % of the games reached, at most two.
fn told_tiles(scores: &crate::network::Scores) -> Vec<u64> {
    let often = scores
        .largest
        .iter()
        .map(|&(tile, _)| tile)
        .filter(|&tile| scores.n < 20 * scores.reached(tile));
    let tiles: Vec<u64> = often.collect();
    tiles[tiles.len().saturating_sub(2)..].to_vec()
}

/// Progress and speed.
fn status(doc: &Document, name: &str) -> String {
    let all = doc.trainings();
    if let Some(live) = all.live_of(name) {
        return live.progress.as_ref().map_or_else(
            || "Preparing: allocating or reading the weights".to_owned(),
            |progress| live_status(live, progress),
        );
    }
    let Some(training) = all.training(name) else {
        return "The file does not say how it was trained: it can play, but training cannot resume"
            .to_owned();
    };

    let games = all.games(name);
    if all.find(name).is_some_and(|saved| saved.ships) {
        let games = words::plural(games, "game");
        return format!(
            "Ships with the program, trained on {games}; play with it as Network(\"reference\")"
        );
    }

    let busy = all.find(name).is_some_and(|saved| saved.is_busy);
    let end = match games < training.games {
        _ if busy => format!(
            "Another process is training it: {} when last read",
            words::plural(games, "game")
        ),
        true if all.is_over(name) => {
            format!(
                "Stopped by the time limit after {} of {} games",
                words::count(games),
                words::count(training.games)
            )
        }
        true => format!(
            "Stopped after {} of {} games",
            words::count(games),
            words::count(training.games)
        ),
        false => format!("All {} games played", words::count(games)),
    };
    let path = all
        .find(name)
        .map_or_else(String::new, |saved| format!(" · {}", saved.path.display()));
    format!(
        "{end} · {}, {}{path}",
        training.network.label(),
        training.rule_name()
    )
}

fn live_status(live: &LiveTraining, progress: &Progress) -> String {
    let work = &progress.work;
    let state = match &work.state {
        WorkState::Paused if work.part.is_empty() => "Paused".to_owned(),
        state if state.has_ended() => "Finishing".to_owned(),
        _ => words::capitalised(&work.part),
    };
    let [games, all] = [work.done, work.total].map(words::count);
    let mut text = format!("{state} · {games} of {all} games");
    if let Some([moves, games]) = live.speed {
        let [moves, games] = [moves, games].map(|speed| words::count(speed as u64));
        text += &format!(" · {moves} moves/s, {games} games/s");
    }
    if let Some(left) = live.left_secs() {
        text += &format!(" · {} left", words::time(left));
    }

    if let Some(mean) = Measure::Mean.of(&progress.recent) {
        let last = words::count(progress.recent.n);
        text += &format!(
            " · the last {last}: mean {}",
            Measure::Mean.with_interval(mean)
        );
        for tile in told_tiles(&progress.recent) {
            let rate = progress.recent.reached(tile) as f64 / progress.recent.n as f64;
            text += &format!(", {tile} in {}", Measure::Reach(tile).text(rate));
        }
    }

    text
}
