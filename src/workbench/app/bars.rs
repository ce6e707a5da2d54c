//! The menu bar with workspaces and search, and the status bar.

use std::path::PathBuf;

use egui::{MenuBar, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use strum::IntoEnumIterator as _;

use super::window::App;
use crate::files;
use crate::words;
use crate::workbench::command::{
    Command, Commands, FileCommand, Menu, ReviewCommand, ViewCommand, Workspace,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{self, Button, Segment, focus};
use crate::workbench::panels::hold_button;
use crate::workbench::state::layout::Class;
use crate::workbench::state::{Document, Running};
use crate::workbench::theme::{self, Theme};

impl App {
    pub(super) fn menu_bar(&mut self, ui: &mut Ui, commands: &mut Commands) {
        let style = |style: &mut egui::Style| {
            egui::containers::menu::menu_style(style);
            style.spacing.button_padding = vec2(8.0, 2.0);
            style.spacing.item_spacing = vec2(0.0, 1.0);
            style.spacing.interact_size.y = theme::HIT;
        };

        let bar = ui.max_rect();
        ui.add_space((theme::MENU - theme::HIT) / 2.0);
        let config =
            egui::containers::menu::MenuConfig::new().style(egui::style::StyleModifier::new(style));
        MenuBar::new()
            .config(config)
            .style(egui::style::StyleModifier::new(style))
            .ui(ui, |ui| {
                focus::group(ui);
                kit::part(ui, Role::MenuBar, "Menu bar");
                ui.add_space(theme::SPACE_L);
                ui.label(egui::RichText::new("Afterstate").font(theme::strong()));
                ui.add_space(theme::SPACE_M);

                for menu in Menu::iter() {
                    kit::bar_menu(ui, menu.text(), |ui| {
                        ui.set_min_width(220.0);
                        // A long menu scrolls in a small window.
                        let most = ui.ctx().content_rect().height() - theme::MENU - 24.0;
                        egui::ScrollArea::vertical()
                            .max_height(most)
                            .min_scrolled_height(most)
                            .show(ui, |ui| {
                                let rows: Vec<&Command> = Command::all()
                                    .filter(|row| row.menu() == Some(menu) && row.is_listed())
                                    .collect();
                                for rows in rows.chunk_by(|a, b| {
                                    a.submenu().is_some() && a.submenu() == b.submenu()
                                }) {
                                    match rows[0].submenu() {
                                        None => rows
                                            .iter()
                                            .for_each(|row| self.menu_row(ui, row, commands)),
                                        Some(title) => drop(kit::submenu(ui, title, |ui| {
                                            ui.set_min_width(220.0);
                                            rows.iter()
                                                .for_each(|row| self.menu_row(ui, row, commands));
                                        })),
                                    }
                                }
                            });
                    });
                }

                self.switcher(ui, bar, commands);
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    focus::group(ui);
                    focus::apart(ui);
                    ui.add_space(theme::PAD);
                    let find = Command::from(ViewCommand::FindCommand);
                    let clicked = if self.class == Class::Wide {
                        search_field(ui)
                    } else {
                        icon_button(ui, Icon::Search, "Find a command", &find.tooltip()).clicked()
                    };
                    if clicked {
                        commands.push(find);
                    }
                });
            });
    }

    /// The workspaces: in the middle of the bar, or after the menus if they do not fit there, or as a list.
    fn switcher(&self, ui: &mut Ui, bar: Rect, commands: &mut Commands) {
        /// Width of the search at the end of the bar.
        const SEARCH: f32 = 40.0;
        let now = self.settings.layouts.workspace;
        let titles = Workspace::iter().map(Workspace::title).collect::<Vec<_>>();
        let tip = |workspace| Command::from(ViewCommand::Workspace(workspace)).tooltip();
        let segment = |workspace: Workspace| {
            let title = workspace.title();
            Segment {
                text: title,
                name: title,
                selected: workspace == now,
                tip: tip(workspace),
            }
        };

        let left = ui.cursor().left() + theme::SPACE_L;
        let room = bar.right() - SEARCH - left;
        let Some(padding) = [14.0, 8.0]
            .into_iter()
            .find(|&padding| kit::segments_need(ui, &titles, padding) <= room)
        else {
            ui.add_space(theme::SPACE_M);
            let list = kit::drop_down("workspace", now.title(), 104.0).show_ui(ui, |ui| {
                for workspace in Workspace::iter() {
                    let choice = kit::menu_choice(ui, workspace == now, workspace.title());
                    commands.when_clicked(
                        &choice.on_hover_text(tip(workspace)),
                        ViewCommand::Workspace(workspace),
                    );
                }
            });
            list.response.accessible_name("Workspace");
            return;
        };

        let width = kit::segments_need(ui, &titles, padding);
        let middle = bar.center().x - width / 2.0;
        let at = if left <= middle { middle } else { left };
        let place = Rect::from_min_size(
            pos2(at, bar.center().y - theme::SWITCHER / 2.0),
            vec2(width, theme::SWITCHER),
        );
        ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
            focus::group(ui);
            focus::apart(ui);
            let all: Vec<_> = Workspace::iter().map(segment).collect();
            let (_, segments) = kit::segments_tall(ui, "Workspace", &all, padding);
            for (workspace, segment) in Workspace::iter().zip(&segments) {
                commands.when_clicked(segment, ViewCommand::Workspace(workspace));
            }
        });
    }

    fn menu_row(&self, ui: &mut Ui, command: &Command, commands: &mut Commands) {
        if command.begins_group() {
            ui.separator();
        }

        let on = match command {
            Command::View(ViewCommand::Theme(choice)) => Some(*choice == self.theme()),
            Command::View(ViewCommand::Workspace(workspace)) => {
                Some(*workspace == self.settings.layouts.workspace)
            }
            Command::View(ViewCommand::Motion) => Some(self.settings.motion),
            Command::View(ViewCommand::SpawnMap) => Some(self.settings.spawn_map),
            Command::Review(ReviewCommand::InBackground) => {
                Some(self.document.judges_in_background())
            }
            Command::Review(ReviewCommand::Arrows) => {
                Some(self.document.reviewing().shows_arrows())
            }
            _ => None,
        };
        let keys = if on == Some(true) {
            "✓".to_owned()
        } else {
            command.keys().unwrap_or_default()
        };

        let what = match command {
            Command::Undo => self.undoes(),
            Command::Redo => self.document.undo_texts().1,
            _ => None,
        };
        let text = what.map_or_else(
            || command.text().to_owned(),
            |what| format!("{}: {what}", command.text()),
        );
        let response = commands.menu_row(ui, command, &text, Some(&keys), &self.can(command));
        if let Some(on) = on {
            kit::describe(ui, response.id, |node| {
                node.set_role(Role::MenuItemCheckBox);
                node.set_toggled(on.into());
                match command.keys() {
                    Some(keys) => node.set_keyboard_shortcut(keys),
                    None => node.clear_keyboard_shortcut(),
                }
            });
        }

        if *command == Command::File(FileCommand::Open) {
            match self.document.recent() {
                [] => drop(kit::menu_entry(
                    ui,
                    "Open recent",
                    None,
                    Err("Nothing was opened or saved yet"),
                )),
                recent => drop(kit::submenu(ui, "Open recent", |ui| {
                    recent_ui(ui, recent, commands);
                })),
            }
        }
    }

    /// The step that *Undo* would undo.
    fn undoes(&self) -> Option<&str> {
        if self.reset_was_last {
            Some("arrange the panels")
        } else {
            self.document.undo_texts().0
        }
    }

    pub(super) fn status_bar(&mut self, ui: &mut Ui, commands: &mut Commands) {
        let tells = self.notices.expire(ui.ctx());
        let theme = Theme::of(ui);
        let (busy, game) = (
            self.document.busy().unwrap_or_default(),
            self.document.game(),
        );
        let size = game.rules.size.to_string().replace('x', " × ");
        let look = Command::from(ViewCommand::Theme(self.theme())).text();

        ui.spacing_mut().item_spacing.x = theme::SPACE_L;
        kit::part(ui, Role::Pane, "Status bar");
        self.announcer
            .ui(ui, &self.document, &self.panels, &mut self.notices);

        ui.horizontal_centered(|ui| {
            focus::group_at_end(ui);
            let (lamp, response) = ui.allocate_exact_size(vec2(8.0, theme::STATUS), Sense::hover());
            response.widget_info(|| {
                WidgetInfo::labeled(Role::Image, true, "Lamp: lit while cores work")
            });
            if !busy.is_empty() {
                ui.painter().circle_filled(lamp.center(), 4.0, theme.warn);
            } else {
                ui.painter()
                    .circle_stroke(lamp.center(), 3.5, Stroke::new(1.5, theme.text3));
            }
            ui.add_space(-theme::SPACE_M);
            let small = |text: &str| egui::RichText::new(text).small().color(theme.text2);
            let idle = if self.document.is_playing() {
                "Autoplay"
            } else {
                "Idle"
            };
            ui.label(small(if busy.is_empty() { idle } else { &busy }));
            running_ui(ui, &self.document, commands);
            let said = self
                .panels
                .building
                .drag
                .announcement
                .as_deref()
                .unwrap_or_default();
            if !said.is_empty() {
                ui.label(egui::RichText::new(said).small().color(theme.text1));
            }
            if tells {
                return self.notices.ui(ui, commands);
            }

            if said.is_empty() {
                ui.label(small(&format!("{size}, {}", words::fours(game.rules.p4))));
            }

            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(small(look));
                if (self.settings.scale - 1.0).abs() > f32::EPSILON {
                    ui.label(small(&format!("{:.0} %", self.settings.scale * 100.0)));
                }
                let game = format!("Game {}, seed {}", game.index, game.seed);
                for words in [game, self.document.strategy().label()] {
                    ui.add(egui::Label::new(small(&words)).truncate());
                }
            });
        });
    }
}

/// A button with a list of all long work, with pause, resume and stop for each.
fn running_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let all = doc.all_running();
    if all.is_empty() {
        return;
    }
    let button = ui.add(
        Button::new("Pause or stop")
            .small()
            .quiet()
            .name("Running work"),
    );
    egui::Popup::menu(&button)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            for Running {
                work,
                is_paused,
                hold,
                stop,
            } in all
            {
                ui.horizontal(|ui| {
                    hold_button(ui, is_paused, hold, doc, commands);
                    commands.show(ui, Button::new("Stop").icon(Icon::Stop), stop, doc);
                    kit::work_ui(ui, &work.title, &work, 96.0);
                    ui.label(&*work.title);
                });
            }
        });
}

/// Recently opened or saved files, each with its folder.
fn recent_ui(ui: &mut Ui, recent: &[PathBuf], commands: &mut Commands) {
    ui.set_min_width(220.0);
    for path in recent {
        let folder = files::folder_of(path).display().to_string();
        if kit::menu_entry(ui, &files::name_of(path), Some(&folder), Ok(())) {
            commands.push(FileCommand::OpenFiles(vec![path.clone()]));
        }
    }
}

/// The wide form of the search button: looks like a field, opens the search.
fn search_field(ui: &mut Ui) -> bool {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(236.0, theme::CONTROL), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Find a command"));
    let hot = response.hovered() || response.has_focus();
    ui.painter().rect_filled(
        rect,
        theme::RADIUS_S,
        if hot { theme.bg4 } else { theme.bg2 },
    );
    ui.painter().rect_stroke(
        rect,
        theme::RADIUS_S,
        Stroke::new(1.0, theme.line),
        StrokeKind::Inside,
    );
    if response.has_focus() {
        kit::focus_ring(ui, rect);
    }

    Icon::Search.paint(
        ui.painter(),
        pos2(rect.left() + 15.0, rect.center().y),
        theme.text2,
    );
    let words =
        ui.painter()
            .layout_no_wrap("Find a command".to_owned(), theme::body(), theme.text3);
    let at = pos2(rect.left() + 28.0, rect.center().y - words.size().y / 2.0);
    ui.painter().galley(at, words, theme.text3);
    let find = Command::from(ViewCommand::FindCommand);
    let keys =
        ui.painter()
            .layout_no_wrap(find.keys().unwrap_or_default(), theme::small(), theme.text3);
    let cap = Rect::from_min_max(
        pos2(rect.right() - keys.size().x - 13.0, rect.top() + 3.0),
        pos2(rect.right() - 5.0, rect.bottom() - 3.0),
    );
    ui.painter()
        .rect_stroke(cap, 3, Stroke::new(1.0, theme.sep), StrokeKind::Inside);
    ui.painter()
        .galley(cap.center() - keys.size() / 2.0, keys, theme.text3);
    response.on_hover_text(find.tooltip()).clicked()
}
