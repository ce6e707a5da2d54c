//! Files, shipped and own.

mod data;

use egui::{Event, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::files;
use crate::workbench::command::{Command, Commands, PresetSource};
use crate::workbench::document::Document;
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{Button, elided, paint_key};

use data::{Place, Preview, Previews, Read, places};

/// From this width on the preview stands beside the list.
const SIDE_BY_SIDE: f32 = 560.0;
/// More strategies are counted, not named.
const MOST_NAMED: usize = 12;

/// Room for the scroll bar.
const SCROLL_BAR: f32 = 10.0;

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct PresetsPanel {
    previews: Previews,
    selected: Option<Place>,
    /// The row that is scrolled into view in the next frame.
    reveal: bool,
}

impl PresetsPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        // Files may have changed while another window was in front.
        if ui.input(|input| input.events.iter().any(|event| matches!(event, Event::WindowFocused(true)))) {
            commands.push(Command::ListPresets);
        }
        self.previews.follow(doc.presets().version());
        let (shipped, own) = places(doc.presets().files());
        let there = |place: &Place| shipped.contains(place) || own.contains(place);
        self.selected = self.selected.take().filter(there);

        ui.horizontal(|ui| {
            commands.button_for(ui, doc, Command::Save);
            commands.button_for(ui, doc, Command::SaveAs);
            commands.show(ui, Button::new("Open file…"), Command::Open, Ok(()));
        });
        let room = ui.available_rect_before_wrap();
        if SIDE_BY_SIDE <= room.width() {
            let split = (room.left() + room.width() * 0.5).min(room.left() + 420.0).round();
            let list = room.with_max_x(split + SCROLL_BAR);
            let mut list = ui.new_child(UiBuilder::new().id_salt("list").max_rect(list));
            self.list(&mut list, &shipped, &own, false, doc, commands);
            let beside = room.with_min_x(split + theme::SPACE_L).with_max_x(room.right().min(split + 560.0));
            let mut beside = ui.new_child(UiBuilder::new().id_salt("preview").max_rect(beside));
            // At first the one on screen.
            let open = || shipped.iter().chain(&own).find(|place| self.previews.is_open(place, doc)).cloned();
            if let Some(place) = self.selected.clone().or_else(open) {
                ScrollArea::vertical().auto_shrink(false).show(&mut beside, |ui| {
                    let read = self.previews.of(&place);
                    preview_ui(ui, &place, &read, true, doc, commands);
                });
            }
        } else {
            // The scroll bar stands in the margin of the panel.
            let list = room.with_max_x(room.right() + SCROLL_BAR);
            let mut list = ui.new_child(UiBuilder::new().id_salt("list").max_rect(list));
            self.list(&mut list, &shipped, &own, true, doc, commands);
        }
        ui.allocate_rect(room, Sense::hover());
    }

    /// The list; `unfolds` shows the preview below the selected row.
    fn list(
        &mut self,
        ui: &mut Ui,
        shipped: &[Place],
        own: &[Place],
        unfolds: bool,
        doc: &Document,
        commands: &mut Commands,
    ) {
        ScrollArea::vertical().id_salt("presets").auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(ui.available_width() - SCROLL_BAR);
            ui.spacing_mut().item_spacing.y = 0.0;
            for (title, places) in [("Shipped", shipped), ("Yours", own)] {
                heading(ui, title);
                for place in places {
                    self.row(ui, place, unfolds, doc, commands);
                }
            }
            if own.is_empty() {
                let words = RichText::new("Nothing saved yet. Ctrl S saves this experiment").color(Theme::of(ui).text3);
                ui.add(egui::Label::new(words).wrap());
            }
        });
    }

    fn row(&mut self, ui: &mut Ui, place: &Place, unfolds: bool, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
        let on = self.selected.as_ref() == Some(place);
        if !ui.is_rect_visible(rect) && !on {
            // Not read before it is seen.
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, "Preset"));
            return;
        }
        let read = self.previews.of(place);
        let (title, amount, sound) = match (&*read, place) {
            (Ok(preview), _) if !preview.preset.title.is_empty() => {
                (preview.preset.title.clone(), preview.amount.clone(), true)
            }
            (Ok(preview), Place::Own(path)) => (files::name_of(path), preview.amount.clone(), true),
            (Err(_), Place::Own(path)) => (format!("✗ {}", files::name_of(path)), "cannot be read".to_owned(), false),
            (_, Place::Shipped(name)) => ((*name).to_owned(), String::new(), read.is_ok()),
        };
        let open = self.previews.is_open(place, doc);
        let full = title;
        let name = format!("Preset {full}");
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, &name));
        if on {
            ui.painter().rect_filled(rect, theme::RADIUS_S, theme.accent_bg);
        } else if response.hovered() || response.has_focus() {
            ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg4);
        }
        if response.has_focus() {
            crate::workbench::widget::focus_ring(ui, rect.shrink(2.0));
        }
        let middle = rect.center().y;
        if open {
            // You are here.
            let bar = rect.with_max_x(rect.left() + 3.0).shrink2(vec2(0.0, 4.0));
            ui.painter().rect_filled(bar, 1, theme.accent);
        }
        let note = amount;
        let note_color = if sound { theme.text3 } else { theme.error };
        let note = ui.painter().layout_no_wrap(note, theme::small(), note_color);
        let right = rect.right() - theme::SPACE_M;
        let note_left = right - note.size().x;
        ui.painter().galley(pos2(note_left, middle - note.size().y / 2.0 + 1.0), note, note_color);
        let left = rect.left() + theme::SPACE_M;
        let color = if sound { theme.text1 } else { theme.error };
        let font = if open { theme::medium() } else { theme::body() };
        let words = elided(ui.painter(), &full, font, color, note_left - theme::SPACE_M - left);
        ui.painter().galley(pos2(left, middle - words.size().y / 2.0), words.clone(), color);

        let cut = words.elided;
        let response = match (open, cut) {
            (true, true) => response.on_hover_text(format!("{full}\nOn screen")),
            (true, false) => response.on_hover_text("On screen"),
            (false, true) => response.on_hover_text(full),
            (false, false) => response,
        };
        if response.clicked() {
            // A further click folds the preview again; beside the list there is nothing to fold.
            let folds = on && unfolds && !response.double_clicked();
            self.selected = (!folds).then(|| place.clone());
            self.reveal = true;
        }
        if response.double_clicked() && sound {
            commands.push(Command::OpenPreset(source(place)));
        }
        if on && unfolds {
            let space = ui.available_rect_before_wrap().shrink2(vec2(theme::SPACE_M, 0.0));
            let shown = ui.scope_builder(UiBuilder::new().max_rect(space.translate(vec2(0.0, 6.0))), |ui| {
                preview_ui(ui, place, &read, false, doc, commands);
            });
            let used = shown.response.rect;
            ui.allocate_rect(Rect::from_min_max(used.min, used.max + vec2(0.0, 6.0)), Sense::hover());
            if std::mem::take(&mut self.reveal) {
                ui.scroll_to_rect(rect.union(used), None);
            }
        }
    }
}

impl Previews {
    /// Whether the experiment is set up as this preset says.
    fn is_open(&mut self, place: &Place, doc: &Document) -> bool {
        matches!(&*self.of(place), Ok(preview) if preview.preset == *doc.setup())
    }
}

fn source(place: &Place) -> PresetSource {
    match place {
        Place::Shipped(name) => PresetSource::Shipped(name),
        Place::Own(path) => PresetSource::File(path.clone()),
    }
}

fn heading(ui: &mut Ui, title: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, title));
    let color = Theme::of(ui).text3;
    ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, title, theme::small(), color);
}

/// What the preset says, with the buttons for it; `titled` repeats its title.
fn preview_ui(ui: &mut Ui, place: &Place, read: &Read, titled: bool, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, 6.0);
    match &**read {
        Ok(preview) => {
            if titled {
                ui.add(egui::Label::new(RichText::new(&preview.preset.title).heading()).wrap());
            }
            described(ui, preview, doc);
        }
        Err(error) => {
            ui.add(egui::Label::new(RichText::new(format!("✗ {error}")).color(theme.error)).wrap());
        }
    }
    ui.horizontal(|ui| {
        let enabled = match &**read {
            Err(_) => Err("It cannot be read"),
            Ok(preview) if preview.preset == *doc.setup() => Err("It is on screen"),
            Ok(_) => Ok(()),
        };
        commands.show(
            ui,
            Button::new("Open").accent().name("Open preset"),
            Command::OpenPreset(source(place)),
            enabled,
        );
        if let Place::Own(path) = place {
            let delete = Button::new("Delete").name("Delete preset");
            commands.show(ui, delete, Command::DeletePreset(path.clone()), Ok(()));
            let name = RichText::new(files::name_of(path)).small().color(theme.text3);
            ui.add(egui::Label::new(name).truncate()).on_hover_text(path.display().to_string());
        }
    });
}

fn described(ui: &mut Ui, preview: &Preview, doc: &Document) {
    let theme = Theme::of(ui);
    let small = |text: &str, color| egui::Label::new(RichText::new(text).small().color(color)).wrap();
    if !preview.preset.note.is_empty() {
        ui.add(egui::Label::new(RichText::new(&preview.preset.note).color(theme.text2)).wrap());
    }
    ui.add(small(&preview.facts, theme.text2));
    ui.add(small(&preview.published, theme.text3));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(10.0, 2.0);
        for (name, hash) in preview.strategies.iter().take(MOST_NAMED) {
            let galley = ui.painter().layout_no_wrap(name.clone(), theme::body(), theme.text1);
            let (rect, response) = ui.allocate_exact_size(vec2(36.0 + galley.size().x, 20.0), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
            let key = Rect::from_min_size(rect.min, vec2(28.0, rect.height()));
            // A slot is taken by what plays or is open, not by what is only looked at.
            match doc.known_mark(*hash) {
                Some(slot) => paint_key(ui.painter(), key, theme.strategy(slot)),
                None => {
                    let y = key.center().y.round() + 0.5;
                    ui.painter().hline(key.x_range(), y, egui::Stroke::new(1.0, theme.line));
                }
            }
            ui.painter().galley(pos2(rect.left() + 34.0, rect.center().y - galley.size().y / 2.0), galley, theme.text1);
        }
        if MOST_NAMED < preview.strategies.len() {
            let more = format!("{} more", preview.strategies.len() - MOST_NAMED);
            ui.label(RichText::new(more).color(theme.text3));
        }
    });
}
