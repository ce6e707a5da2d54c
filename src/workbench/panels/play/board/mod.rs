//! The Board panel: figures, tiles, playback controls, timeline.

mod losses;
mod spawn_map;
mod tiles;
mod timeline;

use egui::{Align, Layout, Rect, RichText, Ui, UiBuilder, vec2};

use self::spawn_map::ShownSpawns;
use crate::game::{Move, Rules, Size, Step};
use crate::words;
use crate::workbench::command::{Commands, GameCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, cell_words, choose, drop_down, figure, fours_field, small_print,
};
use crate::workbench::panels::Inspection;
use crate::workbench::paper::on_paper;
use crate::workbench::state::Document;
use crate::workbench::state::autoplay::SPEEDS;
use crate::workbench::theme::{self, Theme};

/// Width of a field of a new game, and of a button of the position editor.
const FIELD: f32 = 120.0;
const BUTTON: f32 = 60.0;
const FIGURES: f32 = 36.0;
/// Minimum width for wide spacing of the figures.
const ROOMY: f32 = 340.0;

#[derive(Debug, Default)]
pub(crate) struct BoardPanel {
    /// The seed being typed.
    seed: Option<String>,
    /// The probability being dragged.
    p4: Option<f64>,
    /// The move whose afterstate is previewed.
    pub preview: Option<Move>,
    /// The move whose loss arrow is hovered or focused.
    pub touched: Option<Move>,
    losses: timeline::Losses,
}

impl BoardPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        if on_paper(ui) {
            return self.figure_ui(ui, doc, inspection);
        }
        let space = ui.available_rect_before_wrap();
        let timeline = timeline::height(space.height());
        let with_space = |height: f32, is_shown: bool| {
            if is_shown {
                height + theme::SPACE_M
            } else {
                0.0
            }
        };
        let map_line = with_space(spawn_map::LINE, inspection.spawn_map);
        let below =
            map_line + theme::CONTROL + theme::SPACE_M + with_space(timeline, 0.0 < timeline);
        let highest = space.height() - FIGURES - theme::SPACE_M - below;
        let side = space.width().min(highest).max(80.0);

        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        figures(ui, doc, commands);
        let (row, _) = ui.allocate_exact_size(vec2(space.width(), side), egui::Sense::hover());
        let left = ((space.width() - side) / 2.0).max(0.0);
        let board = Rect::from_min_size(row.min + vec2(left, 0.0), vec2(side, side));
        let map = inspection
            .spawn_map
            .then(|| ShownSpawns::of(doc, inspection, self.preview))
            .flatten();
        self.touched = tiles::ui(
            ui,
            board,
            doc,
            inspection,
            commands,
            self.preview,
            map.as_ref(),
        );
        if inspection.spawn_map {
            spawn_map::line_ui(ui, map.as_ref());
        }
        if doc.editing().is_some() {
            editor_bar(ui, commands);
            if 0.0 < timeline {
                let place = Rect::from_min_size(ui.cursor().min, vec2(space.width(), timeline));
                let mut below =
                    ui.new_child(UiBuilder::new().id_salt("how to edit").max_rect(place));
                below.set_clip_rect(place.intersect(ui.clip_rect()));
                small_print(&mut below, tiles::HOW_TO_EDIT, Theme::of(ui).text2);
                ui.allocate_rect(place, egui::Sense::hover());
            }
            return;
        }
        self.transport(ui, doc, commands);
        if 0.0 < timeline {
            timeline::ui(ui, timeline, doc, &mut self.losses, commands);
        }
    }

    /// The board for print: figures, tiles and spawn map.
    fn figure_ui(&mut self, ui: &mut Ui, doc: &Document, inspection: &mut Inspection) {
        let commands = &mut Commands::default();
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        figures(ui, doc, commands);
        let spawns = self.drawn_spawns(doc, inspection);
        let (preview, map) = spawns.map_or((self.preview, None), |(mv, map)| (mv, Some(map)));
        let line = if map.is_some() {
            spawn_map::LINE + theme::SPACE_M
        } else {
            0.0
        };
        let side = ui
            .available_width()
            .min(ui.available_height() - line)
            .max(80.0);
        let (row, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), side), egui::Sense::hover());
        let board = Rect::from_center_size(row.center(), vec2(side, side));
        tiles::ui(ui, board, doc, inspection, commands, preview, map.as_ref());
        if map.is_some() {
            spawn_map::line_ui(ui, map.as_ref());
        }
    }

    /// The spawn map of a figure, with the move to preview unless it was played. Nothing is hovered in print, so the
    /// fallback is the chosen move.
    fn drawn_spawns(
        &self,
        doc: &Document,
        inspection: &Inspection,
    ) -> Option<(Option<Move>, ShownSpawns)> {
        if !inspection.spawn_map {
            return None;
        }
        let map_of = |mv: Option<Move>| ShownSpawns::of(doc, inspection, mv).map(|map| (mv, map));
        let chosen = || inspection.search_of(doc, doc.cursor())?.tree.chosen;
        map_of(self.preview).or_else(|| map_of(Some(chosen()?)))
    }

    /// The caption of the spawns in a figure; `None` without spawns.
    pub(crate) fn spawns_caption(&self, doc: &Document, inspection: &Inspection) -> Option<String> {
        self.drawn_spawns(doc, inspection)?
            .1
            .caption(doc, inspection)
    }

    /// Why a figure cannot show the requested spawns, and the remedy, in one sentence.
    pub(crate) fn spawns_problem(&self, doc: &Document, inspection: &Inspection) -> Option<String> {
        if !inspection.spawn_map || self.drawn_spawns(doc, inspection).is_some() {
            return None;
        }
        Some(match doc.board().legal_moves().len() {
            0 => "this board has no legal move, so no spawn follows: give a position with moves".to_owned(),
            1 => "this board has only one legal move, which needs no search: give a position with a choice".to_owned(),
            _ => {
                let label = doc.strategy().label();
                format!("{label} searched no spawn on this board: give a strategy that looks at least 2 plies ahead")
            }
        })
    }

    /// The button next to the title: a new game with its settings.
    pub(crate) fn head_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        if doc.editing().is_some() {
            return;
        }
        let button = Button::new("New")
            .icon(Icon::ChevronDown)
            .quiet()
            .name("New game");
        let button = ui
            .add(button)
            .on_hover_text("Start a new game with a seed, a size and a probability of a 4");
        egui::Popup::menu(&button)
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                ui.set_width(FIELD);
                ui.spacing_mut().item_spacing.y = theme::SPACE_S;
                self.settings(ui, doc, commands);
                ui.add_space(theme::SPACE_S);
                self.new_ui(ui, doc, commands);
            });
    }

    fn new_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let button = Button::new("New").accent().width(FIELD);
        match self.seed.as_ref().and_then(|seed| seed.trim().parse().ok()) {
            None => {
                if commands.show(ui, button, GameCommand::New, doc).clicked() {
                    ui.close();
                }
            }
            Some(seed) => {
                if ui
                    .add(button)
                    .on_hover_text("Start a game with the seed above")
                    .clicked()
                {
                    self.seed = None;
                    commands.push(GameCommand::NewWith(doc.game().rules, seed));
                    ui.close();
                }
            }
        }
    }

    /// Seed, size and probability of the current game; another value starts a new game.
    fn settings(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let game = doc.game();
        let (rules, seed) = (game.rules, game.seed);
        let width = FIELD.min(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        let caption =
            |ui: &mut Ui, text: &str| ui.label(RichText::new(text).small().color(theme.text3)).id;
        let label = caption(ui, "Seed");
        let mut text = self.seed.clone().unwrap_or_else(|| seed.to_string());
        let valid = text.trim().parse::<u64>();
        let edit = egui::TextEdit::singleline(&mut text)
            .desired_width(width)
            .align(egui::Align2::LEFT_CENTER)
            .text_color_opt(valid.is_err().then_some(theme.error));
        let response = ui
            .add_sized(vec2(width, theme::CONTROL), edit)
            .labelled_by(label)
            .accessible_name("Seed");
        let hint = if valid.is_err() {
            "✗ A seed is a whole number from 0 to 18,446,744,073,709,551,615"
        } else {
            "Determines the tiles of the game. Type a number, then press Enter, Tab or New to start a game with it"
        };
        let response = response.on_hover_text(hint);
        if response.changed() {
            self.seed = Some(text.clone());
        }
        if response.lost_focus() {
            let pressed = |key| ui.input(|input| input.key_pressed(key));
            let entered = pressed(egui::Key::Enter) || pressed(egui::Key::Tab);
            match text.trim().parse() {
                Ok(typed) if entered => {
                    if pressed(egui::Key::Enter) || typed != seed {
                        commands.push(GameCommand::NewWith(rules, typed));
                    }
                    self.seed = None;
                }
                // A click elsewhere leaves the number for New; Escape or invalid text resets it.
                Ok(typed) if typed != seed && !pressed(egui::Key::Escape) => {}
                Err(_) if entered => response.request_focus(),
                _ => self.seed = None,
            }
        }
        if valid.is_err() {
            ui.label(RichText::new("✗ a whole number").small().color(theme.error));
        }

        let label = caption(ui, "Size");
        // High enough for all sixteen sizes.
        let list = drop_down("board size", size_text(rules.size), width).height(520.0);
        let (response, picked) = choose(ui, list, rules.size, Size::all(), size_text);
        response
            .labelled_by(label)
            .accessible_name("Size")
            .on_hover_text("Changing the size starts a new game");
        if let Some(size) = picked.filter(|&size| size != rules.size) {
            commands.push(GameCommand::NewWith(rules.on(size), seed));
        }

        let label = caption(ui, "Fours");
        let mut p4 = self.p4.unwrap_or(rules.p4);
        let drag = fours_field(&mut p4);
        let response = ui
            .add_sized(vec2(width, theme::CONTROL), drag)
            .labelled_by(label)
            .accessible_name("Fours");
        let response = response
            .on_hover_text("Probability that a new tile is a 4. Changing it starts a new game");
        if response.changed() {
            self.p4 = Some(p4);
        }
        if (response.drag_stopped() || response.lost_focus())
            && let Some(p4) = self.p4.take().filter(|&p4| p4 != rules.p4)
        {
            commands.push(GameCommand::NewWith(Rules { p4, ..rules }, seed));
        }
    }

    fn transport(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let size = vec2(ui.available_width(), theme::CONTROL);
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            commands.icon(ui, Icon::First, GameCommand::First, doc);
            commands.icon(ui, Icon::Previous, GameCommand::Previous, doc);
            let step = match doc.decision().and_then(|decision| decision.chosen) {
                Some(mv) => format!("Step {}", mv.arrow()),
                None if doc.is_step_waiting() => "Step …".to_owned(),
                None => "Step".to_owned(),
            };
            commands.show(
                ui,
                Button::new(&step).name("Step").width(72.0),
                GameCommand::Step,
                doc,
            );
            commands.icon(ui, Icon::Next, GameCommand::Next, doc);
            commands.icon(ui, Icon::Last, GameCommand::Last, doc);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.speed(ui, doc, commands);
                let (look, text) = if doc.is_playing() {
                    (Icon::Pause, "Pause")
                } else {
                    (Icon::Play, "Autoplay")
                };
                let wide = 180.0 <= ui.available_width() + 100.0;
                let text = if wide { text } else { "" };
                let button = Button::new(text)
                    .icon(look)
                    .name("Autoplay")
                    .width(if wide { 92.0 } else { 0.0 });
                commands.show(ui, button, GameCommand::Autoplay, doc);
            });
        });
    }

    fn speed(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let text = |speed: f32| {
            if 1000.0 <= speed {
                "max".to_owned()
            } else {
                format!("{speed} /s")
            }
        };
        let speed = doc.autoplay_speed();
        let list = drop_down("autoplay speed", text(speed), 64.0);
        let (response, picked) = choose(ui, list, speed, SPEEDS, text);
        response
            .accessible_name("Autoplay speed")
            .on_hover_text("Moves per second of autoplay (+ and −)");
        if let Some(speed) = picked {
            commands.push(GameCommand::SetSpeed(speed));
        }
    }
}

/// Score, move number, largest tile, and the move and spawn that led to the board.
fn figures(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let is_roomy = ROOMY <= ui.available_width();
    ui.allocate_ui_with_layout(vec2(ui.available_width(), FIGURES), Layout::left_to_right(Align::Min), |ui| {
        ui.spacing_mut().item_spacing.x = if is_roomy { theme::SPACE_L } else { 10.0 };
        let moves = doc.line().len().saturating_sub(1) as u64;
        figure(ui, "Score", &words::count(doc.node().score), "");
        let all = words::count(moves);
        let number = words::count(doc.move_number());
        match () {
            () if doc.move_number() <= moves => figure(ui, "Move", &number, &format!("of {all}")),
            () if doc.board().is_dead() => figure(ui, "Moves", &all, "over"),
            () => figure(ui, "Move", &number, "next"),
        };

        figure(ui, "Largest", &words::count(doc.board().max_rank().tile()), "");
        // In print, a board without a move has its origin in the caption.
        if on_paper(ui) && doc.node().step.is_none() {
            return;
        }

        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 3.0;
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                    if let Some(branch) = branch(doc).filter(|_| !on_paper(ui)) {
                        let label = RichText::new(branch).small().color(theme.accent);
                        let response = ui.add(egui::Label::new(label).sense(egui::Sense::click()));
                        let tip = "This position has other branches: click or press ] for the next one, [ for the \
                            previous one";
                        commands.when_clicked(&response.on_hover_text(tip), GameCommand::NextBranch);
                    } else {
                        ui.label(RichText::new("Last").small().color(theme.text3));
                    }
                });
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                    let (room, painter) = (ui.available_width(), ui.painter());
                    let painted = |text: String| painter.layout_no_wrap(text, theme::body(), theme.text2);
                    let forms = last(doc, is_roomy).into_iter().map(painted);
                    let Some(text) = forms.into_iter().find(|text| text.size().x <= room) else { return };
                    let label = ui.label(text);
                    if let Some(Step { mv, spawn }) = doc.node().step {
                        let at = cell_words(spawn.cell);
                        label.on_hover_text(format!("Last move: {mv}, then a {} at {at}", spawn.rank));
                    }
                });
            });
        });
    });
}

/// The bar of the position editor, in place of the playback controls; visible at every size.
fn editor_bar(ui: &mut Ui, commands: &mut Commands) {
    let size = vec2(ui.available_width(), theme::CONTROL);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        // Five buttons side by side, also in a narrow window.
        let width = ((ui.available_width() - 4.0 * theme::SPACE_S) / 5.0)
            .floor()
            .min(BUTTON);
        commands.show(
            ui,
            Button::new("Clear").width(width),
            GameCommand::ClearEdit,
            Ok(()),
        );
        commands.show(
            ui,
            Button::new("Turn").width(width),
            GameCommand::TurnEdit,
            Ok(()),
        );
        commands.show(
            ui,
            Button::new("Mirror").width(width),
            GameCommand::MirrorEdit,
            Ok(()),
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            commands.show(
                ui,
                Button::new("Apply").accent().width(width),
                GameCommand::ApplyEdit,
                Ok(()),
            );
            commands.show(
                ui,
                Button::new("Cancel").width(width),
                GameCommand::CancelEdit,
                Ok(()),
            );
        });
    });
}

/// Which of several branches, or of several games, the current line is; `None` if there is only one.
fn branch(doc: &Document) -> Option<String> {
    let fork = doc.fork()?;
    let (at, all) = doc.tree().place_among_siblings(fork);
    let what = if doc.tree().node(fork).parent.is_some() {
        "branch"
    } else {
        "game"
    };
    Some(format!("{what} {} of {all}", at + 1))
}

/// The move and spawn that led to the board, in ever shorter forms.
fn last(doc: &Document, is_roomy: bool) -> Vec<String> {
    let mut forms = match doc.node().step {
        Some(Step { mv, spawn }) => {
            vec![
                format!("{} then {spawn}", mv.arrow()),
                format!("{}, {} {}", mv.arrow(), spawn.rank, spawn.cell),
                mv.arrow().to_string(),
            ]
        }
        None if doc.game().title.is_empty() => {
            vec!["start of the game".to_owned(), "start".to_owned()]
        }
        None => vec![doc.game().title.to_string(), "start".to_owned()],
    };
    if !is_roomy {
        forms.remove(0);
    }
    forms
}

fn size_text(size: Size) -> String {
    format!("{} × {}", size.rows(), size.cols())
}
