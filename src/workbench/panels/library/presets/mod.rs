//! Files, shipped and own.

mod data;

use egui::{Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2};

use crate::files;
use crate::workbench::command::{Commands, FileCommand, PresetSource};
use crate::workbench::kit::{Button, KEY_WIDTH, Line, ListRow, came_to_front, elided, scroll_beside};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

use data::{PresetPlace, PresetPreview, PresetPreviews, PresetRead, places};

/// From this width on the preview stands beside the list.
const SIDE_BY_SIDE: f32 = 560.0;
/// More strategies are counted, not named.
const MOST_NAMED: usize = 12;

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct PresetsPanel {
    previews: PresetPreviews,
    selected: Option<PresetPlace>,
    /// The row that is scrolled into view in the next frame.
    reveal: bool,
}

impl PresetsPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        if came_to_front(ui) {
            commands.push(FileCommand::ListPresets);
        }
        self.previews.follow(doc.presets().version());
        let (shipped, own) = places(doc.presets().files());
        let there = |place: &PresetPlace| shipped.contains(place) || own.contains(place);
        self.selected = self.selected.take().filter(there);

        ui.horizontal(|ui| {
            commands.button_for(ui, doc, FileCommand::Save);
            commands.button_for(ui, doc, FileCommand::SaveAs);
            commands.show(ui, Button::new("Open file…"), FileCommand::Open, Ok(()));
        });
        let room = ui.available_rect_before_wrap();
        if SIDE_BY_SIDE <= room.width() {
            let split = (room.left() + room.width() * 0.5).min(room.left() + 420.0).round();
            self.list(ui, room.with_max_x(split), &shipped, &own, false, doc, commands);
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
            self.list(ui, room, &shipped, &own, true, doc, commands);
        }
        ui.allocate_rect(room, Sense::hover());
    }

    /// The list; `unfolds` shows the preview below the selected row.
    #[expect(clippy::too_many_arguments, reason = "one list in two places, drawn from everything the panel knows")]
    fn list(
        &mut self,
        ui: &mut Ui,
        room: Rect,
        shipped: &[PresetPlace],
        own: &[PresetPlace],
        unfolds: bool,
        doc: &Document,
        commands: &mut Commands,
    ) {
        scroll_beside(ui, "presets", room, |ui| {
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

    fn row(&mut self, ui: &mut Ui, place: &PresetPlace, unfolds: bool, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
        let on = self.selected.as_ref() == Some(place);
        if !ui.is_rect_visible(rect) && !on {
            // Not read before it is seen.
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, "Preset"));
            return;
        }
        let read = self.previews.of(place);
        let (title, note, sound) = match (&*read, place) {
            (Ok(preview), _) if !preview.preset.title.is_empty() => {
                (preview.preset.title.clone(), preview.amount.as_str(), true)
            }
            (Ok(preview), PresetPlace::Own(path)) => (files::name_of(path), preview.amount.as_str(), true),
            (Err(_), PresetPlace::Own(path)) => (format!("✗ {}", files::name_of(path)), "cannot be read", false),
            (_, PresetPlace::Shipped(name)) => ((*name).to_owned(), "", read.is_ok()),
        };
        let open = self.previews.is_open(place, doc);
        let mut is_cut = false;
        let response = ListRow::new(&format!("Preset {title}")).selected(on).on(ui, response, |line, _| {
            if open {
                // You are here.
                let bar = rect.with_max_x(rect.left() + 3.0).shrink2(vec2(0.0, 4.0));
                line.painter.rect_filled(bar, 1, theme.accent);
            }
            let (color, note_color) = if sound { (theme.text1, theme.text3) } else { (theme.error, theme.error) };
            line.y += 1.0;
            line.end(note, theme::small(), note_color);
            line.y -= 1.0;
            line.skip_end(theme::SPACE_M);
            let font = if open { theme::medium() } else { theme::body() };
            is_cut = line.start(&title, font, color).is_cut;
        });
        let about = [(is_cut, title.as_str()), (open, "On screen")];
        let about: Vec<&str> = about.into_iter().filter_map(|(says, words)| says.then_some(words)).collect();
        let response = if about.is_empty() { response } else { response.on_hover_text(about.join("\n")) };
        if response.clicked() {
            // A further click folds the preview again; beside the list there is nothing to fold.
            let folds = on && unfolds && !response.double_clicked();
            self.selected = (!folds).then(|| place.clone());
            self.reveal = true;
        }
        if response.double_clicked() && sound {
            commands.push(FileCommand::OpenPreset(source(place)));
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

impl PresetPreviews {
    /// Whether the experiment is set up as this preset says.
    fn is_open(&mut self, place: &PresetPlace, doc: &Document) -> bool {
        matches!(&*self.of(place), Ok(preview) if preview.preset == *doc.setup())
    }
}

fn source(place: &PresetPlace) -> PresetSource {
    match place {
        PresetPlace::Shipped(name) => PresetSource::Shipped(name),
        PresetPlace::Own(path) => PresetSource::File(path.clone()),
    }
}

fn heading(ui: &mut Ui, title: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, title));
    let color = Theme::of(ui).text3;
    ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, title, theme::small(), color);
}

/// What the preset says, with the buttons for it; `titled` repeats its title.
fn preview_ui(
    ui: &mut Ui,
    place: &PresetPlace,
    read: &PresetRead,
    titled: bool,
    doc: &Document,
    commands: &mut Commands,
) {
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
            FileCommand::OpenPreset(source(place)),
            enabled,
        );
        if let PresetPlace::Own(path) = place {
            let delete = Button::new("Delete").name("Delete preset");
            commands.show(ui, delete, FileCommand::DeletePreset(path.clone()), Ok(()));
            let name = RichText::new(files::name_of(path)).small().color(theme.text3);
            ui.add(egui::Label::new(name).truncate()).on_hover_text(path.display().to_string());
        }
    });
}

fn described(ui: &mut Ui, preview: &PresetPreview, doc: &Document) {
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
            let width = elided(ui.painter(), name, theme::body(), theme.text1, f32::INFINITY).size().x;
            let (rect, response) = ui.allocate_exact_size(vec2(KEY_WIDTH + 8.0 + width, 20.0), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
            let mut line = Line::new(ui.painter(), rect, 0.0);
            // A colour is taken by what plays or is open, not by what is only looked at.
            line.key(theme, doc.known_mark(*hash).map(|index| theme.strategy(index)));
            line.skip(6.0);
            line.start(name, theme::body(), theme.text1);
        }
        if MOST_NAMED < preview.strategies.len() {
            let more = format!("{} more", preview.strategies.len() - MOST_NAMED);
            ui.label(RichText::new(more).color(theme.text3));
        }
    });
}
