//! The open strategies, and the actions on the one on screen.

use egui::{
    Color32, DragAndDrop, Popup, Rect, RichText, Role, ScrollArea, Sense, TextEdit, TextStyle, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::strategy::{Strategy, StrategyEdit};
use crate::workbench::command::{
    Command, Commands, CompareCommand, ExperimentCommand, FileCommand, LibraryCommand, Panel,
    SelectionCommand, StrategyCommand, ViewCommand,
};
use crate::workbench::icon::{self, Icon, icon_button};
use crate::workbench::kit::{
    Button, KEY_WIDTH, ListRow, RenameField, Renamed, drag_painter, elided, fitting, focus_ring,
    is_by_key, menu_choice, menu_entry, paint_key, tag,
};
use crate::workbench::panels::builder::{Building, menu_row};
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

const WIDEST_NAME: f32 = 120.0;
/// Longer names shrink to make room for the buttons beside the title.
const WIDEST_TITLE: f32 = 180.0;
/// From this width on, the buttons are beside the title.
const WIDE: f32 = 520.0;

#[derive(Debug, Default)]
pub(super) struct Header {
    /// Index of the strategy that is being renamed, and the field.
    renaming: Option<(usize, RenameField)>,
    note: Option<RenameField>,
}

impl Header {
    pub(super) fn begin_rename(&mut self, doc: &Document) {
        self.renaming = Some((doc.current(), RenameField::new(&doc.strategy().name)));
    }

    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        tabs(ui, doc, building, commands);
        if building.is_brief {
            // The menu of the panel has the rest. A name or a note stays visible while it is edited.
            if self.renaming.is_some() {
                self.title(ui, false, doc, commands);
            }
            if self.note.is_some() {
                self.origin_ui(ui, doc, commands);
            }
            return;
        }
        let wide = WIDE <= ui.available_width();
        self.title(ui, wide, doc, commands);
        self.origin_ui(ui, doc, commands);
        if !wide {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_S;
                buttons(ui, ui.available_width(), doc, commands);
            });
        }
    }

    /// The origin of the strategy and its author's note, if any.
    fn origin_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let strategy = doc.strategy();
        if let Some(note) = &mut self.note {
            let hint = "What readers should know";
            let renamed = note.show(ui, "Note", hint, |ui, edit| {
                ui.add(edit.desired_width(f32::INFINITY))
            });
            if renamed.is_some() {
                self.note = None;
            }
            if let Some(Renamed::To(note)) = renamed {
                commands.push(StrategyEdit::SetNote(note));
            }
            return;
        }

        let parent = strategy.parent.map(|parent| {
            let open = doc
                .strategies()
                .iter()
                .find(|open| open.hash() == parent)
                .map(|open| open.label());
            let parent_file = || doc.library().sound().find(|file| file.hash == Some(parent));
            let name = open.or_else(|| parent_file().map(|file| file.item.label()));
            name.map_or_else(
                || format!("from {parent}"),
                |name| format!("from {name} {parent}"),
            )
        });
        let text = match parent {
            Some(parent) if strategy.note.is_empty() => parent,
            Some(parent) => format!("{parent} · {}", strategy.note),
            None if strategy.note.is_empty() => return,
            None => strategy.note.clone(),
        };

        let label = egui::Label::new(RichText::new(&text).small().color(theme.text3))
            .truncate()
            .sense(Sense::click());
        let response = ui
            .add(label.show_tooltip_when_elided(false))
            .on_hover_text(format!("{text}\nClick to edit the note"));
        if response.clicked() {
            self.begin_note(&strategy);
        }
    }

    pub(super) fn begin_note(&mut self, strategy: &Strategy) {
        self.note = Some(RenameField::new(&strategy.note).longest(400));
    }

    fn title(&mut self, ui: &mut Ui, wide: bool, doc: &Document, commands: &mut Commands) {
        let strategy = doc.strategy();
        let theme = Theme::of(ui);
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
        let right_to_left = egui::Layout::right_to_left(egui::Align::Center);
        let mut right = ui.new_child(
            UiBuilder::new()
                .id_salt("title right")
                .max_rect(line)
                .layout(right_to_left),
        );
        right.spacing_mut().item_spacing.x = theme::SPACE_M;
        if menu(&mut right, doc, commands) {
            self.begin_note(&strategy);
        }
        let hash = strategy.hash().to_string();
        let letters = strategy
            .letters()
            .filter(|letters| *letters != strategy.name);
        let edited = doc.opened().is_edited();
        let width = |text: &str, font| {
            ui.painter()
                .layout_no_wrap(text.to_owned(), font, theme.text1)
                .size()
                .x
        };
        let tag_width = |text: &str| width(text, theme::mono()) + 10.0 + theme::SPACE_M;
        let edited_width = if edited {
            width("edited", theme::small()) + theme::SPACE_M
        } else {
            0.0
        };
        let tags = tag_width(&hash) + letters.as_deref().map_or(0.0, tag_width) + edited_width;

        if wide {
            // The title has priority; the buttons use the remaining room.
            let name =
                width(&strategy.label(), TextStyle::Heading.resolve(ui.style())).min(WIDEST_TITLE);
            let title = KEY_WIDTH + name + tags + 4.0 * theme::SPACE_M;
            right.spacing_mut().item_spacing.x = theme::SPACE_S;
            let room = right.available_width() - title;
            buttons(&mut right, room, doc, commands);
        }
        let room = Rect::from_min_max(
            line.left_top(),
            pos2(right.min_rect().left() - theme::SPACE_M, line.bottom()),
        );

        let name_left = room.left() + KEY_WIDTH + theme::SPACE_M;
        let name_room = (room.right() - name_left - tags).max(40.0);
        let end = if self.renaming.is_some() {
            let key = Rect::from_min_size(room.left_top(), vec2(KEY_WIDTH, room.height()));
            paint_key(
                ui.painter(),
                key,
                theme.strategy(doc.color_index(strategy.hash())),
            );
            let field = Rect::from_min_size(
                pos2(name_left, line.top()),
                vec2(name_room.min(220.0), line.height()),
            );
            self.rename_ui(ui, field, doc, commands);
            field.right()
        } else {
            name_ui(ui, room, name_room, doc, commands)
        };

        let left_to_right = egui::Layout::left_to_right(egui::Align::Center);
        let rest = Rect::from_min_max(pos2(end + theme::SPACE_M, line.top()), room.max);
        let mut tags = ui.new_child(
            UiBuilder::new()
                .id_salt("tags")
                .max_rect(rest)
                .layout(left_to_right),
        );
        terms::tip(tag(&mut tags, &hash, theme::mono()), &terms::HASH);
        if let Some(letters) = letters {
            tag(&mut tags, &letters, theme::mono()).on_hover_text(format!(
                "Letters of the composition\n{}",
                strategy.described()
            ));
        }
        if edited {
            let words = RichText::new("edited").small().color(theme.text2);
            let from = if doc.opened().origin.file.is_some() {
                "saved"
            } else {
                "opened"
            };
            tags.label(words)
                .on_hover_text(format!("Edited since it was last {from}"));
        }
    }

    fn rename_ui(&mut self, ui: &mut Ui, place: Rect, doc: &Document, commands: &mut Commands) {
        self.renaming.take_if(|(place, _)| *place != doc.current());
        let Some((_, field)) = &mut self.renaming else {
            return;
        };
        let hint = Strategy {
            name: String::new(),
            ..(*doc.strategy()).clone()
        }
        .label();
        let put =
            |ui: &mut Ui, edit: TextEdit<'_>| ui.put(place, edit.desired_width(place.width()));
        let Some(renamed) = field.show(ui, "Strategy name", &hint, put) else {
            return;
        };
        self.renaming = None;
        if let Renamed::To(name) = renamed {
            commands.push(StrategyEdit::Rename(name));
        }
    }
}

/// Tabs of the open strategies that fit, always with the one on screen; a list has the others.
fn tabs(ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
    /// Width of "12 more".
    const MORE: f32 = 72.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        let room = ui.available_width() - theme::HIT - theme::SPACE_S;
        let all = doc.strategies().len();
        let widths: Vec<f32> = (0..all).map(|index| tab_size(ui, doc, index).x).collect();
        let shown = fitting(&widths, theme::SPACE_S, room, MORE, Some(doc.current()));
        for &index in &shown {
            let response = tab(ui, doc, index, commands);
            building.drag.slots.tabs.push((index, response.rect));
        }
        if shown.len() < all {
            let text = format!("{} more", all - shown.len());
            let button = ui.add(
                Button::new(&text)
                    .name("Open strategies that have no tab")
                    .quiet()
                    .small(),
            );
            let button = button.on_hover_text("Open strategies without room for a tab");
            Popup::menu(&button).show(|ui| {
                let others: Vec<usize> = (0..all).filter(|index| !shown.contains(index)).collect();
                open_list(ui, doc, &others, commands);
            });
        }
        commands.icon(ui, Icon::Plus, StrategyCommand::New, Ok(()));
    });
}

/// A list of open strategies in a menu; a click shows one.
fn open_list(ui: &mut Ui, doc: &Document, places: &[usize], commands: &mut Commands) {
    ui.set_min_width(200.0);
    ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
        for &index in places {
            commands.when_clicked(
                &menu_choice(ui, index == doc.current(), tab_name(doc, index)),
                StrategyCommand::Select(index),
            );
        }
    });
}

/// The name of the strategy, at most `width` wide. A double click renames it, a drag lets it play elsewhere. Returns its right
/// end.
fn name_ui(ui: &mut Ui, room: Rect, width: f32, doc: &Document, commands: &mut Commands) -> f32 {
    let theme = Theme::of(ui);
    let strategy = doc.strategy();
    let label = strategy.label();
    let left = room.left() + KEY_WIDTH + theme::SPACE_M;
    let name = elided(
        ui.painter(),
        &label,
        TextStyle::Heading.resolve(ui.style()),
        theme.text1,
        width,
    );
    let rect = Rect::from_min_max(room.left_top(), pos2(left + name.size().x, room.bottom()));
    let response = ui.interact(
        rect,
        ui.scope_id().with("strategy title"),
        Sense::click_and_drag(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Strategy {label}")));

    if response.drag_started() {
        DragAndDrop::set_payload(ui.ctx(), StrategyDrag(strategy.clone()));
    }
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    if response.hovered() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
    }
    if response.double_clicked() || is_by_key(&response) {
        commands.push(SelectionCommand::RenameStrategy);
    }
    commands.context_menu(&response, &Panel::Strategy.commands(), doc);

    let painter = drag_painter(ui, &response);
    let key = Rect::from_min_size(room.left_top(), vec2(KEY_WIDTH, room.height()));
    paint_key(
        &painter,
        key,
        theme.strategy(doc.color_index(strategy.hash())),
    );
    painter.galley(
        pos2(left, room.center().y - name.size().y / 2.0),
        name,
        theme.text1,
    );
    response.on_hover_text(format!(
        "{label}\n{}\nDouble-click to rename (F2); drag it onto the board or the experiment to use it",
        strategy.described()
    ));
    rect.right()
}

/// Whether a tab has a button that closes it.
fn has_cross(doc: &Document, index: usize) -> bool {
    index == doc.current() && 1 < doc.strategies().len()
}

/// The name of an open strategy; the second one with the same name gets a number.
fn tab_name(doc: &Document, index: usize) -> String {
    let all = doc.strategies();
    let label = all[index].label();
    match all[..index]
        .iter()
        .filter(|before| before.label() == label)
        .count()
    {
        0 => label,
        before => format!("{label} ({})", before + 1),
    }
}

fn tab_size(ui: &Ui, doc: &Document, index: usize) -> egui::Vec2 {
    let label = tab_name(doc, index);
    let name = elided(
        ui.painter(),
        &label,
        theme::medium(),
        Color32::PLACEHOLDER,
        WIDEST_NAME,
    );
    let cross = if has_cross(doc, index) {
        icon::SIDE + 6.0
    } else {
        0.0
    };
    vec2(KEY_WIDTH + name.size().x + 22.0 + cross, theme::CONTROL).round()
}

/// The tab of an open strategy: a click shows it, a drag lets it play elsewhere, the cross closes it.
fn tab(ui: &mut Ui, doc: &Document, index: usize, commands: &mut Commands) -> egui::Response {
    let theme = Theme::of(ui);
    let opened = &doc.strategies()[index];
    let strategy = &opened.strategy;
    let (on, closes) = (index == doc.current(), has_cross(doc, index));
    let label = tab_name(doc, index);
    let galley = elided(
        ui.painter(),
        &label,
        theme::medium(),
        Color32::PLACEHOLDER,
        WIDEST_NAME,
    );
    let (rect, response) =
        ui.allocate_exact_size(tab_size(ui, doc, index), Sense::click_and_drag());
    let edited = if opened.is_edited() { ", edited" } else { "" };
    let name = format!("Open strategy {label}");
    let row = ListRow::new(&name).role(Role::Tab).selected(on).pad(6.0);
    let response = row.on(ui, response, |line, _| {
        line.key(
            theme,
            Some(theme.strategy(doc.color_index(strategy.hash()))),
        );
        let color = if on { theme.text1 } else { theme.text2 };
        line.painter.galley(
            pos2(line.left + 7.0, line.y - galley.size().y / 2.0),
            galley,
            color,
        );
    });

    if response.drag_started() {
        DragAndDrop::set_payload(ui.ctx(), StrategyDrag(strategy.clone()));
    }
    commands.when_clicked(&response, StrategyCommand::Select(index));
    let mut closes_this = response.middle_clicked() && 1 < doc.strategies().len();
    if on {
        commands.context_menu(&response, &Panel::Strategy.commands(), doc);
    } else {
        Popup::context_menu(&response)
            .show(|ui| closes_this |= other_menu(ui, index, doc, commands));
    }
    if closes_this {
        commands.push(StrategyCommand::Select(index));
        commands.push(StrategyCommand::Close);
        if !on {
            // The strategy on screen stays there.
            commands.push(StrategyCommand::Select(
                doc.current() - usize::from(index < doc.current()),
            ));
        }
    }

    if closes {
        let hit = rect
            .with_min_x(rect.right() - theme::HIT)
            .shrink2(vec2(0.0, 1.0));
        let close = ui.interact(hit, response.id.with("close"), Sense::click());
        close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {label}")));
        if close.has_focus() {
            focus_ring(ui, hit.shrink(2.0));
        }
        let color = if close.hovered() || close.has_focus() {
            theme.text1
        } else {
            theme.text3
        };
        Icon::Close.paint(
            ui.painter(),
            pos2(rect.right() - 13.0, rect.center().y),
            color,
        );
        commands.when_clicked(
            &close.on_hover_text(Command::from(StrategyCommand::Close).tooltip()),
            StrategyCommand::Close,
        );
    }

    response.on_hover_text(format!(
        "{label}{edited}, {}\n{}\nDrag it onto the board or the experiment to use it",
        strategy.hash(),
        strategy.described()
    ))
}

/// The menu of an open strategy that is not on screen. Returns whether to close it.
fn other_menu(ui: &mut Ui, index: usize, doc: &Document, commands: &mut Commands) -> bool {
    ui.set_min_width(200.0);
    let strategy = doc.strategies()[index].strategy.clone();
    let add = ExperimentCommand::Add(Box::new((*strategy).clone())).into();
    for (text, command) in [
        ("Show", StrategyCommand::Select(index).into()),
        ("Add to experiment", add),
    ] {
        commands.menu_row(ui, &command, text, None, &doc.can(&command));
    }
    menu_entry(ui, "Close", None, Ok(()))
}

/// The actions on the strategy on screen with their button texts, most important first.
fn actions() -> [(Command, &'static str); 7] {
    [
        (
            CompareCommand::TestAgainstPrevious.into(),
            "Test against previous",
        ),
        (LibraryCommand::Save.into(), "Save"),
        (ExperimentCommand::AddCurrent.into(), "Add to experiment"),
        (
            ViewCommand::ShowPanel(Panel::Compare).into(),
            "Compare moves",
        ),
        (ViewCommand::ShowPanel(Panel::Orders).into(), "Equal orders"),
        (StrategyCommand::Duplicate.into(), "Duplicate"),
        (FileCommand::CopyStrategy.into(), "Copy"),
    ]
}

/// As many buttons as fit; the menu has the others.
fn buttons(ui: &mut Ui, room: f32, doc: &Document, commands: &mut Commands) {
    let mut room = room;
    let beside = ui.spacing().item_spacing.x + 2.0 * ui.spacing().button_padding.x;
    for (command, text) in actions() {
        let text_width = ui
            .painter()
            .layout_no_wrap(text.to_owned(), theme::medium(), Color32::PLACEHOLDER)
            .size()
            .x;
        room -= text_width + beside;
        if room < -0.5 {
            return;
        }
        let is_main = matches!(command, Command::Compare(_));
        let name = if matches!(command, Command::View(_)) {
            text
        } else {
            command.text()
        };
        let button = Button::new(text).name(name.trim_end_matches('…'));
        let button = if is_main { button } else { button.quiet() };
        commands.show(ui, button, command, doc);
    }
}

/// The menu of all actions. Returns whether to edit the note.
fn menu(ui: &mut Ui, doc: &Document, commands: &mut Commands) -> bool {
    let button = icon_button(
        ui,
        Icon::Menu,
        "Strategy menu",
        "More commands for this strategy",
    );
    let mut edits_note = false;
    Popup::menu(&button).show(|ui| {
        ui.set_min_width(208.0);
        let show = |panel| ViewCommand::ShowPanel(panel).into();
        let entries: [&[Command]; 4] = [
            &[
                StrategyCommand::New.into(),
                StrategyCommand::Duplicate.into(),
                SelectionCommand::RenameStrategy.into(),
            ],
            &[
                LibraryCommand::Save.into(),
                ExperimentCommand::AddCurrent.into(),
                CompareCommand::TestAgainstPrevious.into(),
                show(Panel::Compare),
                show(Panel::Orders),
                show(Panel::Text),
            ],
            &[
                FileCommand::CopyStrategy.into(),
                FileCommand::PasteStrategy.into(),
            ],
            &[StrategyCommand::Close.into()],
        ];
        for (group, entries) in entries.into_iter().enumerate() {
            if group != 0 {
                ui.separator();
            }
            for command in entries {
                menu_row(ui, doc, command, command.text(), commands);
            }
            if group == 0 {
                let words = if doc.strategy().note.is_empty() {
                    "Add a note"
                } else {
                    "Edit the note"
                };
                edits_note = menu_choice(ui, false, words)
                    .on_hover_text("What readers of the strategy should know")
                    .clicked();
            }
        }
        if 1 < doc.strategies().len() {
            ui.separator();
            ui.label(RichText::new("Open").small().color(Theme::of(ui).text3));
            open_list(
                ui,
                doc,
                &(0..doc.strategies().len()).collect::<Vec<_>>(),
                commands,
            );
        }
    });
    edits_note
}
