//! The set-up of the next run: title, games, seed, rules, threads, and the list of strategies.

use std::cell::Cell;

use egui::{
    Align2, DragAndDrop, Key, Rect, Response, RichText, Role, ScrollArea, Sense, Stroke, TextEdit,
    Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::experiment::{Spread, State};
use crate::game::{Rank, Rules, Size};
use crate::preset::{Axis, LEAST_TUNING, MOST_GAMES, MOST_GAMES_IN_ALL, Preset, Tuning};
use crate::strategy::{Strategy, StrategyHash};
use crate::task::{threads_for_cli, threads_for_window};
use crate::words;
use crate::workbench::command::{
    Command, Commands, ExperimentCommand, SelectionCommand, StrategyCommand,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{
    self, Button, DropState, ListRow, Typing, choice, drop_target, focus, fours_field, menu_entry,
};
use crate::workbench::panels::drag::{StrategyDrag, strategy_ghost};
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::panels::experiment::until::UntilField;
use crate::workbench::state::{Document, ExperimentRun};
use crate::workbench::theme::{self, Theme};

const LABEL: f32 = 62.0;
/// Minimum width at which the strategies are next to the settings, so that a low panel shows both.
const TWO_COLUMNS: f32 = 400.0;
const SETTINGS: f32 = 234.0;

/// A contestant that is dragged to another place.
#[derive(Clone, Copy, Debug)]
struct ContestantDrag(usize);

/// View state of the set-up: the text being typed.
#[derive(Debug, Default)]
pub(super) struct SetupPane {
    title: Typing,
    games: Typing,
    seed: Typing,
    tuning: Typing,
    /// The values of the settings of a sweep.
    sweep: Vec<Typing>,
    until: UntilField,
    letters: String,
    letters_problem: Option<String>,
    /// Hashes are slow to compute, and the colors need them every frame.
    hashes: Vec<(Strategy, StrategyHash)>,
    /// Whether to scroll to the last strategy, which was just added.
    reveals_last: bool,
    requests: Vec<SelectionCommand>,
    /// The focused row.
    keyboard: Cell<Option<usize>>,
    /// The new place of a moved row, which keeps the focus.
    moved_to: Cell<Option<usize>>,
}

impl SetupPane {
    /// Focuses the values of a sweep, or the budget of a tuning.
    pub(super) fn enter_values(&mut self, setup: &Preset) {
        match setup.tune {
            Some(_) => self.tuning.enter(),
            None => {
                self.sweep.resize_with(
                    setup.sweep.as_ref().map_or(0, |sweep| sweep.over.len()),
                    Typing::default,
                );
                // The one added last.
                self.sweep.last_mut().into_iter().for_each(Typing::enter);
            }
        }
    }

    /// `trial` is the result of timing the set-up.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        trial: Option<Spread>,
        commands: &mut Commands,
    ) {
        let setup = doc.setup();
        ui.spacing_mut().item_spacing.y = 4.0;
        self.take_requests(commands);

        if let Some(title) = self.title.show(
            ui,
            "Title of the experiment",
            &setup.title,
            &theme::strong(),
            read_title,
        ) {
            commands.push(ExperimentCommand::SetTitle(title));
        }
        if TWO_COLUMNS <= ui.available_width() {
            let room = ui.available_rect_before_wrap();
            let beside = |ui: &mut Ui, id: &str, rect: Rect| {
                ui.new_child(UiBuilder::new().id_salt(id).max_rect(rect))
            };
            let mut left = beside(ui, "settings", room.with_max_x(room.left() + SETTINGS));
            self.settings_ui(&mut left, doc, trial, commands);
            let mut right = beside(
                ui,
                "strategies",
                room.with_min_x(room.left() + SETTINGS + theme::SPACE_L),
            );
            self.strategies_ui(&mut right, doc, view, commands);
            ui.allocate_rect(left.min_rect().union(right.min_rect()), Sense::hover());
        } else {
            self.settings_ui(ui, doc, trial, commands);
            ui.add_space(theme::SPACE_S);
            self.strategies_ui(ui, doc, view, commands);
        }
    }

    fn settings_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        trial: Option<Spread>,
        commands: &mut Commands,
    ) {
        let setup = doc.setup();
        let games = row(ui, "Games", |ui| {
            self.games.show(
                ui,
                "Games per strategy",
                &words::count(setup.games),
                &theme::body(),
                read_games,
            )
        });
        if let Some(games) = games.filter(|games| *games != setup.games) {
            commands.push(ExperimentCommand::SetGames(games));
        }

        self.sweep_ui(ui, doc, commands);
        if let Some(tuning) = &setup.tune {
            let games = words::count(tuning.games);
            let name = "Tuning games of all candidates";
            let games = row(ui, "Tuning", |ui| {
                self.tuning
                    .show(ui, name, &games, &theme::body(), read_tuning)
            });
            if let Some(games) = games.filter(|games| *games != tuning.games) {
                commands.push(ExperimentCommand::SetTuning(Tuning {
                    games,
                    ..tuning.clone()
                }));
            }
            if let Some(problem) = self.tuning.problem() {
                kit::problem(ui, problem);
            }
        }

        row(ui, "Stop early", |ui| {
            self.until.ui(ui, doc, trial, commands);
        });
        let seed = row(ui, "Seed", |ui| {
            self.seed.show(
                ui,
                "Seed of the experiment",
                &setup.seed.to_string(),
                &theme::body(),
                read_seed,
            )
        });
        if let Some(seed) = seed.filter(|seed| *seed != setup.seed) {
            commands.push(ExperimentCommand::SetSeed(seed));
        }

        for problem in [&self.title, &self.games, &self.seed]
            .into_iter()
            .filter_map(|typing| typing.problem())
        {
            kit::problem(ui, problem);
        }
        let has_own_p4 =
            !setup.strategies.is_empty() && setup.strategies.iter().all(|entry| entry.p4.is_some());
        row(ui, "Rules", |ui| {
            rules_ui(ui, setup.rules, has_own_p4, commands);
        });
        row(ui, "End", |ui| stop_at_ui(ui, setup.rules, commands));
        row(ui, "Threads", |ui| threads_ui(ui, doc, commands));
    }

    /// The values of each swept setting.
    fn sweep_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let Some(sweep) = &doc.setup().sweep else {
            return;
        };
        self.sweep.resize_with(sweep.over.len(), Typing::default);

        for (index, (typing, axis)) in self.sweep.iter_mut().zip(&sweep.over).enumerate() {
            let written = axis.to_string();
            let values = written
                .strip_prefix(&axis.setting)
                .map_or(&*written, |rest| rest.trim_start_matches('='));
            let read = |text: &str| {
                let read =
                    Axis::of_values(&axis.setting, text).map_err(|error| error.to_string())?;
                Ok(Axis {
                    name: axis.name.clone(),
                    along: axis.along.clone(),
                    ..read
                })
            };
            let name = format!("Values of {}", axis.name());
            let label = if index == 0 { "Values" } else { "and" };
            let new = row(ui, label, |ui| {
                typing.show(ui, &name, values, &theme::body(), read)
            });
            ui.label(
                RichText::new(axis.name())
                    .small()
                    .color(Theme::of(ui).text3),
            )
            .on_hover_text(
                "A list such as 0,0.5,1, or first..last/count such as 0..4/9 or 0.25..4/5,log",
            );
            if let Some(new) = new.filter(|new| new != axis) {
                let over = sweep.over.iter().enumerate();
                let over = over
                    .map(|(place, old)| {
                        if place == index {
                            new.clone()
                        } else {
                            old.clone()
                        }
                    })
                    .collect();
                commands.push(ExperimentCommand::SetSweep(over));
            }
            if let Some(problem) = typing.problem() {
                kit::problem(ui, problem);
            }
        }
    }

    fn strategies_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let setup = doc.setup();
        ui.horizontal(|ui| {
            ui.label(
                RichText::new("Strategies")
                    .font(theme::medium())
                    .color(theme.text2),
            );
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let note = if setup.strategies.len() < 2 {
                    ""
                } else {
                    "all on the same seeds"
                };
                ui.label(RichText::new(note).small().color(theme.text3));
            });
        });
        let strategies = self.hashes.iter().map(|(strategy, _)| strategy);
        if !strategies.eq(setup.strategies.iter().map(|entry| &entry.strategy)) {
            let entries = setup
                .strategies
                .iter()
                .map(|entry| (entry.strategy.clone(), entry.strategy.hash()));
            let before = self.hashes.len();
            self.hashes = entries.collect();
            self.reveals_last = before != 0 && before < self.hashes.len();
        }

        // Below the list: the drop zone and the controls to add a strategy.
        let below = 2.0 * theme::CONTROL
            + 3.0 * 4.0
            + if self.letters_problem.is_some() {
                34.0
            } else {
                0.0
            };
        let height = (ui.available_height() - below).max(2.0 * theme::ROW);
        self.list_ui(ui, doc, view, commands, height);
        drop_zone(ui);
        self.add_ui(ui, doc, commands);
    }

    fn list_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
        height: f32,
    ) {
        let mut insert = None;
        ScrollArea::vertical()
            .id_salt("contestants")
            .max_height(height)
            .show(ui, |ui| {
                focus::group(ui);
                ui.spacing_mut().item_spacing.y = 0.0;
                for index in 0..self.hashes.len() {
                    insert = self
                        .contestant_ui(ui, doc, view, commands, index)
                        .or(insert);
                }
                if std::mem::take(&mut self.reveals_last) {
                    ui.scroll_to_cursor(None);
                }
            });
        if let Some((from, to)) = insert {
            commands.push(ExperimentCommand::Move { from, to });
        }
    }

    /// Draws one row; returns the drag that was dropped on it.
    fn contestant_ui(
        &self,
        ui: &mut Ui,
        doc: &Document,
        view: &mut RunView,
        commands: &mut Commands,
        index: usize,
    ) -> Option<(usize, usize)> {
        let theme = Theme::of(ui);
        let (strategy, hash) = &self.hashes[index];
        let label = strategy.label();
        let mark = theme.strategy(doc.color_index(*hash));
        let (rect, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
        let close = Rect::from_center_size(
            pos2(rect.right() - 12.0, rect.center().y),
            egui::Vec2::splat(theme::HIT),
        );
        let place = view
            .contestants()
            .iter()
            .position(|one| one.hash == *hash && one.label == label);
        let selected = place.is_some() && view.selected() == place;
        let name = format!("Contestant {label}");
        let row = ListRow::new(&name)
            .role(Role::ListItem)
            .selected(selected)
            .draggable()
            .pad(1.0);
        let id = ui.scope_id().with(("contestant", index));
        let response = row.show_at(ui, rect, id, |line, _| {
            line.icon(Icon::Grip, theme.text3);
            line.skip(5.0);
            line.key(theme, Some(mark));
            line.skip(8.0);
            line.skip_end(25.0);
            line.end(&finished_text(doc, place), theme::small(), theme.text3);
            line.skip_end(6.0);
            line.start(&label, theme::medium(), theme.text1);
        });
        self.keyboard_of(&response, index);
        let is_dragged = response.dragged();
        response.dnd_set_drag_payload(ContestantDrag(index));
        if response.clicked() {
            view.select(if selected { None } else { place });
        }

        if response.double_clicked() {
            commands.push(StrategyCommand::Open(Box::new(strategy.clone())));
        }

        let last = self.hashes.len();
        let can_rise = if 0 < index {
            Ok(())
        } else {
            Err("Already the first")
        };
        let can_fall = if index + 1 < last {
            Ok(())
        } else {
            Err("Already the last")
        };
        response.context_menu(|ui| {
            let move_to = |to: usize| Command::from(ExperimentCommand::Move { from: index, to });
            for (enabled, text, keys, command) in [
                (
                    Ok(()),
                    "Open strategy",
                    None,
                    StrategyCommand::Open(Box::new(strategy.clone())).into(),
                ),
                (
                    can_rise,
                    "Move up",
                    Some("Alt ↑"),
                    move_to(index.saturating_sub(1)),
                ),
                (can_fall, "Move down", Some("Alt ↓"), move_to(index + 2)),
                (
                    Ok(()),
                    "Remove",
                    Some("Delete"),
                    ExperimentCommand::Remove(index).into(),
                ),
            ] {
                if menu_entry(ui, text, keys, enabled) {
                    commands.push(command);
                }
            }
        });
        let remove = format!("Remove {label}");
        let mut corner = ui.new_child(
            egui::UiBuilder::new()
                .id_salt(("remove", index))
                .max_rect(close),
        );
        commands.when_clicked(
            &icon_button(
                &mut corner,
                Icon::Close,
                &remove,
                "Remove this strategy from the experiment",
            ),
            ExperimentCommand::Remove(index),
        );

        if is_dragged {
            strategy_ghost(ui, &label, mark);
        } else {
            response.on_hover_text(format!("{label}\n{}", strategy.described()));
        }

        let below = |at: egui::Pos2| rect.center().y < at.y;
        match drop_target::<ContestantDrag>(ui, rect.intersect(ui.clip_rect()))? {
            DropState::Elsewhere => None,
            DropState::Over(_, at) => {
                let y = if below(at) { rect.bottom() } else { rect.top() };
                ui.painter()
                    .hline(rect.x_range(), y, Stroke::new(2.0, theme.accent));
                ui.painter()
                    .circle_filled(pos2(rect.left(), y), 3.0, theme.accent);
                None
            }
            DropState::Here(drag, at) => Some((drag.0, index + usize::from(below(at)))),
        }
    }

    /// Tracks the focused row, and focuses the row that was moved.
    fn keyboard_of(&self, response: &Response, index: usize) {
        if self.moved_to.get() == Some(index) {
            self.moved_to.set(None);
            response.scroll_to_me(None);
            response.request_focus();
        } else if response.clicked() {
            response.request_focus();
        }
        if response.has_focus() {
            self.keyboard.set(Some(index));
        } else if self.keyboard.get() == Some(index) {
            self.keyboard.set(None);
        }
    }

    /// Queues a command for the focused contestant.
    pub(super) fn request(&mut self, command: SelectionCommand) {
        self.requests.push(command);
    }

    fn take_requests(&mut self, commands: &mut Commands) {
        for request in std::mem::take(&mut self.requests) {
            let last = self.hashes.len();
            let Some(from) = self.keyboard.get().filter(|&row| row < last) else {
                continue;
            };
            let to = match request {
                SelectionCommand::ContestantUp if 0 < from => from - 1,
                SelectionCommand::ContestantDown if from + 1 < last => from + 1,
                SelectionCommand::RemoveContestant => {
                    commands.push(ExperimentCommand::Remove(from));
                    self.moved_to.set(Some(from.min(last.saturating_sub(2))));
                    continue;
                }
                _ => continue,
            };
            // Places count before the row leaves its own.
            commands.push(ExperimentCommand::Move {
                from,
                to: if from < to { to + 1 } else { to },
            });
            self.moved_to.set(Some(to));
        }
    }

    /// "+ Strategy" with the open ones, and a field for letters.
    fn add_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP;
            let button = ui.add(
                Button::new("Strategy")
                    .icon(Icon::Plus)
                    .name("Add a strategy"),
            );
            let button = button.on_hover_text("Add one of the open strategies");
            egui::Popup::menu(&button).show(|ui| {
                ui.set_min_width(180.0);
                ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                    for strategy in doc.strategies() {
                        let there = doc
                            .setup()
                            .strategies
                            .iter()
                            .any(|entry| entry.strategy == **strategy);
                        let can_add = if there {
                            Err("Already in the experiment")
                        } else {
                            Ok(())
                        };
                        if menu_entry(ui, &strategy.label(), None, can_add) {
                            commands.push(ExperimentCommand::Add(Box::new((**strategy).clone())));
                        }
                    }
                });
            });

            let width = ui.available_width();
            let field = TextEdit::singleline(&mut self.letters)
                .align(Align2::LEFT_CENTER)
                .hint_text("or letters, e.g. emr")
                .desired_width(width);
            let response = ui
                .add_sized(vec2(width, theme::CONTROL), field)
                .accessible_name("Strategy by letters");
            if response.changed() {
                self.letters_problem = None;
            }

            let enter = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if enter && !self.letters.trim().is_empty() {
                match self.letters.trim().parse::<Strategy>() {
                    Ok(strategy) => {
                        commands.push(ExperimentCommand::Add(Box::new(strategy)));
                        self.letters.clear();
                    }
                    Err(error) => self.letters_problem = Some(error.to_string()),
                }
                // The next letters can follow at once.
                response.request_focus();
            }
        });
        if let Some(problem) = &self.letters_problem {
            kit::problem(ui, problem);
        }
    }
}

/// A label and a control; all controls start at the same x.
fn row<R>(ui: &mut Ui, label: &str, control: impl FnOnce(&mut Ui) -> R) -> R {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP;
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL, theme::CONTROL), Sense::hover());
        ui.painter().text(
            rect.left_center(),
            Align2::LEFT_CENTER,
            label,
            theme::body(),
            theme.text3,
        );
        control(ui)
    })
    .inner
}

/// The probability of a 4 is disabled if each strategy has its own.
fn rules_ui(ui: &mut Ui, rules: Rules, has_own_p4: bool, commands: &mut Commands) {
    let size_text = |size: Size| format!("{} × {}", size.rows(), size.cols());
    let mut size = rules.size;
    let half = (ui.available_width() - theme::GAP) * 0.46;
    let choices = Size::all().map(|size| (size, size_text(size)));
    choice(
        ui,
        "Size of the board",
        &mut size,
        size_text(rules.size),
        half,
        choices,
    )
    .on_hover_text("Rows × columns");

    let mut p4 = rules.p4;
    let width = ui.available_width();
    let drag = fours_field(&mut p4).prefix("Fours: ");
    let field = ui
        .add_enabled_ui(!has_own_p4, |ui| {
            ui.add_sized(vec2(width, theme::CONTROL), drag)
        })
        .inner;
    field
        .accessible_name("Probability of a 4")
        .on_hover_text("Probability that a new tile is a 4")
        .on_disabled_hover_text(
            "Each strategy has its own probability of a 4: change the values of the sweep",
        );

    let changed = Rules {
        p4: (p4 * 1e4).round() / 1e4,
        ..rules.on(size)
    };
    if changed != rules && (size != rules.size || 5e-5 <= (p4 - rules.p4).abs()) {
        commands.push(ExperimentCommand::SetRules(changed));
    }
}

fn stop_at_ui(ui: &mut Ui, rules: Rules, commands: &mut Commands) {
    let text = |stop_at: Option<Rank>| {
        stop_at.map_or_else(
            || "when no move is left".to_owned(),
            |rank| format!("at {rank} or no move"),
        )
    };
    let mut stop_at = rules.stop_at;
    let ranks = (5..=Rules::largest(rules.size).get())
        .filter_map(Rank::new)
        .map(Some);
    let choices = std::iter::once(None)
        .chain(ranks)
        .map(|stop_at| (stop_at, text(stop_at)));
    let width = ui.available_width();
    choice(
        ui,
        "End of games",
        &mut stop_at,
        text(rules.stop_at),
        width,
        choices,
    )
    .on_hover_text("A game can be stopped as soon as a tile is reached");
    if stop_at != rules.stop_at {
        commands.push(ExperimentCommand::SetRules(Rules { stop_at, ..rules }));
    }
}

fn threads_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let (cores, usual) = (threads_for_cli(), threads_for_window());
    let mut threads = doc.threads();
    let text = format!("{} of {cores}", threads.unwrap_or(usual));
    let usual = (
        None,
        format!("{usual} of {cores}, leaves a core for the window"),
    );
    let counts = (1..=cores).map(|count| (Some(count), format!("{count} of {cores}")));
    let width = ui.available_width();
    choice(
        ui,
        "Worker threads",
        &mut threads,
        text,
        width,
        std::iter::once(usual).chain(counts),
    )
    .on_hover_text("Results do not depend on the number of threads");
    if threads != doc.threads() {
        commands.push(ExperimentCommand::SetThreads(threads));
    }
}

/// Shows where to drop a strategy; in fact the whole panel takes it.
fn drop_zone(ui: &mut Ui) {
    let theme = Theme::of(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), theme::CONTROL), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Drop a strategy here"));
    let dragging = DragAndDrop::has_payload_of_type::<StrategyDrag>(ui.ctx());
    let color = if dragging { theme.accent } else { theme.line };
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    ui.painter().extend(egui::Shape::dashed_line(
        &corners,
        Stroke::new(1.0, color),
        3.0,
        3.0,
    ));
    let text = if dragging { theme.text1 } else { theme.text3 };
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        "Drop a strategy here",
        theme::body(),
        text,
    );
}

/// "400 / 5,000" during a run, "5,000 ✓" when all games are played.
fn finished_text(doc: &Document, place: Option<usize>) -> String {
    let (Some(place), Some(progress), Some(plan)) = (
        place,
        doc.results().and_then(ExperimentRun::progress),
        doc.results().and_then(ExperimentRun::plan),
    ) else {
        return String::new();
    };

    // Games with another seed or other rules do not count for this set-up.
    if plan.seed != doc.setup().seed || plan.rules != doc.setup().rules {
        return String::new();
    }
    match progress.finished_by_contestant.get(place) {
        None | Some(0) => String::new(),
        Some(&finished)
            if finished == plan.games
                || matches!(progress.state, State::RuleMet { each: Some(_), .. }) =>
        {
            format!("{} ✓", words::count(finished))
        }
        Some(&finished) => format!("{} / {}", words::count(finished), words::count(plan.games)),
    }
}

fn read_title(text: &str) -> Result<String, String> {
    let title = Some(text.trim()).filter(|title| !title.is_empty());
    title
        .map(str::to_owned)
        .ok_or_else(|| "Title: type at least one character".to_owned())
}

fn read_tuning(text: &str) -> Result<u64, String> {
    let digits: String = text
        .chars()
        .filter(|c| !matches!(c, ',' | ' ' | '\u{202f}'))
        .collect();
    let number = digits
        .parse()
        .ok()
        .filter(|games| (LEAST_TUNING..=MOST_GAMES_IN_ALL).contains(games));
    number.ok_or_else(|| {
        format!(
            "Tuning: type a number from {LEAST_TUNING} to {}",
            words::count(MOST_GAMES_IN_ALL)
        )
    })
}

fn read_games(text: &str) -> Result<u64, String> {
    let digits: String = text
        .chars()
        .filter(|letter| !matches!(letter, ',' | ' ' | '_' | '.'))
        .collect();
    let games = digits
        .parse()
        .ok()
        .filter(|games| (1..=MOST_GAMES).contains(games));
    games.ok_or_else(|| {
        format!(
            "Games: type a whole number from 1 to {}",
            words::count(MOST_GAMES)
        )
    })
}

fn read_seed(text: &str) -> Result<u64, String> {
    text.trim()
        .parse()
        .map_err(|_| format!("Seed: type a whole number from 0 to {}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_are_written() {
        assert_eq!(read_games("100,000"), Ok(100_000));
        assert_eq!(read_games(" 5 000"), Ok(5000));
        for wrong in ["", "0", "-1", "many", "10,000,001"] {
            assert!(
                read_games(wrong)
                    .expect_err(wrong)
                    .starts_with("Games: type"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn seeds_use_all_64_bits() {
        assert_eq!(read_seed("18446744073709551615"), Ok(u64::MAX));
        assert!(read_seed("1.5").is_err());
    }
}
