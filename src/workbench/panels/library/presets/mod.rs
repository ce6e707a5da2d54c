//! Preset files, shipped and the user's own.

mod data;

use egui::{Rect, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, vec2};

use crate::files;
use crate::words;
use crate::workbench::command::{CTRL, Commands, FileCommand, PresetSource};
use crate::workbench::kit::{
    Button, KEY_WIDTH, Line, ListRow, came_to_front, elided, inert, paragraph, reading_area,
    scroll_beside, small_print,
};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

use data::{PresetPreview, PresetPreviews, PresetRead, places};

/// Minimum width at which the preview is next to the list.
const SIDE_BY_SIDE: f32 = 560.0;
/// Maximum number of strategies named; the rest are counted.
const MOST_NAMED: usize = 12;
/// Maximum number of claims shown; the guide has all.
const MOST_CLAIMS: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct PresetsPanel {
    previews: PresetPreviews,
    selected: Option<PresetSource>,
    /// Whether to scroll to the selected row in the next frame.
    reveal: bool,
}

impl PresetsPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        if came_to_front(ui) {
            commands.push(FileCommand::ListPresets);
        }
        self.previews.follow(doc.presets().version());
        let (shipped, own) = places(doc.presets().files());
        let there = |place: &PresetSource| shipped.contains(place) || own.contains(place);
        self.selected = self.selected.take().filter(there);

        ui.horizontal(|ui| {
            commands.button(ui, FileCommand::Save, doc);
            commands.button(ui, FileCommand::SaveAs, doc);
            commands.show(ui, Button::new("Open file…"), FileCommand::Open, Ok(()));
        });
        let theme = Theme::of(ui);
        let room = ui.available_rect_before_wrap();
        let is_beside = SIDE_BY_SIDE <= room.width();
        let split = (room.left() + room.width() * 0.5)
            .min(room.left() + 420.0)
            .round();
        let list = if is_beside {
            room.with_max_x(split)
        } else {
            room
        };
        scroll_beside(ui, "presets", list, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (title, places) in [("Yours", &own), ("Shipped", &shipped)] {
                ListRow::new(title).inert().pad(0.0).show(ui, |line, _| {
                    line.start(title, theme::small(), theme.text3);
                });
                for place in places {
                    self.row(ui, place, !is_beside, doc, commands);
                }
                if places.is_empty() {
                    paragraph(
                        ui,
                        format!("No saved presets yet. {CTRL} S saves this experiment"),
                        theme.text3,
                    );
                }
            }
        });
        // By default the preview shows the open preset.
        let open = || {
            shipped
                .iter()
                .chain(&own)
                .find(|place| self.previews.is_open(place, doc))
                .cloned()
        };
        if is_beside && let Some(place) = self.selected.clone().or_else(open) {
            let beside = room
                .with_min_x(split + theme::SPACE_L)
                .with_max_x(room.right().min(split + 560.0));
            let mut beside = ui.new_child(UiBuilder::new().id_salt("preview").max_rect(beside));
            reading_area(&mut beside, "preview", "About the preset", |ui| {
                let read = self.previews.of(&place);
                preview_ui(ui, &place, &read, true, doc, commands);
            });
        }
        ui.allocate_rect(room, Sense::hover());
    }

    /// A row of the list; with `unfolds`, the selected row has its preview below.
    fn row(
        &mut self,
        ui: &mut Ui,
        place: &PresetSource,
        unfolds: bool,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::click());
        let on = self.selected.as_ref() == Some(place);
        if !ui.is_rect_visible(rect) && !on {
            // Does not read the file before the row is visible.
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, "Preset"));
            return;
        }

        let read = self.previews.of(place);
        let (name, mark) = match place {
            PresetSource::File(path) => (files::name_of(path), "✗ "),
            PresetSource::Shipped(name) => ((*name).to_owned(), ""),
        };
        let sound = read.is_ok();
        let (title, note) = match &*read {
            Ok(preview) if preview.preset.title.is_empty() => (name, preview.amount()),
            Ok(preview) => (preview.preset.title.clone(), preview.amount()),
            Err(_) => (format!("{mark}{name}"), "cannot be read".to_owned()),
        };
        let open = self.previews.is_open(place, doc);
        let mut is_cut = false;
        let response =
            ListRow::new(&format!("Preset {title}"))
                .selected(on)
                .on(ui, response, |line, _| {
                    if open {
                        // Marks the open preset.
                        let bar = rect.with_max_x(rect.left() + 3.0).shrink2(vec2(0.0, 4.0));
                        line.painter.rect_filled(bar, 1, theme.accent);
                    }
                    let (color, note_color) = if sound {
                        (theme.text1, theme.text3)
                    } else {
                        (theme.error, theme.error)
                    };
                    line.y += 1.0;
                    line.end(&note, theme::small(), note_color);
                    line.y -= 1.0;
                    line.skip_end(theme::SPACE_M);
                    let font = if open { theme::medium() } else { theme::body() };
                    is_cut = line.start(&title, font, color).is_cut;
                });

        let about = [(is_cut, title.as_str()), (open, "On screen")];
        let about: Vec<&str> = about
            .into_iter()
            .filter_map(|(says, words)| says.then_some(words))
            .collect();
        let response = if about.is_empty() {
            response
        } else {
            response.on_hover_text(about.join("\n"))
        };
        if response.clicked() {
            // A second click folds the preview, unless it is next to the list.
            let folds = on && unfolds && !response.double_clicked();
            self.selected = (!folds).then(|| place.clone());
            self.reveal = true;
        }

        if response.double_clicked() && sound {
            commands.push(FileCommand::OpenPreset(place.clone()));
        }

        if on && unfolds {
            let space = ui
                .available_rect_before_wrap()
                .shrink2(vec2(theme::SPACE_M, 0.0));
            let shown = ui.scope_builder(
                UiBuilder::new().max_rect(space.translate(vec2(0.0, 6.0))),
                |ui| {
                    preview_ui(ui, place, &read, false, doc, commands);
                },
            );
            let used = shown.response.rect;
            ui.allocate_rect(
                Rect::from_min_max(used.min, used.max + vec2(0.0, 6.0)),
                Sense::hover(),
            );
            if std::mem::take(&mut self.reveal) {
                ui.scroll_to_rect(rect.union(used), None);
            }
        }
    }
}

impl PresetPreviews {
    /// Whether the current set-up equals this preset.
    fn is_open(&mut self, place: &PresetSource, doc: &Document) -> bool {
        matches!(&*self.of(place), Ok(preview) if preview.preset == **doc.setup())
    }
}

/// The description of a preset with its buttons; `titled` repeats its title.
fn preview_ui(
    ui: &mut Ui,
    at: &PresetSource,
    read: &PresetRead,
    titled: bool,
    doc: &Document,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, 6.0);
    let enabled = match &**read {
        Ok(preview) => {
            if titled {
                ui.add(egui::Label::new(RichText::new(&preview.preset.title).heading()).wrap());
            }
            described(ui, preview, doc);
            if preview.preset == **doc.setup() {
                Err("This preset is on screen")
            } else {
                Ok(())
            }
        }
        Err(error) => {
            paragraph(ui, format!("✗ {error}"), theme.error);
            Err("This preset cannot be read")
        }
    };

    ui.horizontal(|ui| {
        let open = Button::new("Open").accent().name("Open preset");
        commands.show(ui, open, FileCommand::OpenPreset(at.clone()), enabled);
        if let PresetSource::File(path) = at {
            let delete = Button::new("Delete").name("Delete preset");
            commands.show(ui, delete, FileCommand::DeletePreset(path.clone()), Ok(()));
            let name = RichText::new(files::name_of(path))
                .small()
                .color(theme.text3);
            ui.add(
                egui::Label::new(name)
                    .truncate()
                    .show_tooltip_when_elided(false),
            )
            .on_hover_text(path.display().to_string());
        }
    });
}

fn described(ui: &mut Ui, preview: &PresetPreview, doc: &Document) {
    let theme = Theme::of(ui);
    if !preview.preset.note.is_empty() {
        paragraph(ui, &preview.preset.note, theme.text2);
    }

    small_print(ui, preview.facts(), theme.text2);
    small_print(ui, preview.published(), theme.text3);
    for claim in preview.claims.iter().take(MOST_CLAIMS) {
        let shown = small_print(ui, &claim.says, theme.text2);
        if !claim.about.is_empty() {
            shown.on_hover_text(&claim.about);
        }
    }
    if MOST_CLAIMS < preview.claims.len() {
        let more = preview.claims.len() - MOST_CLAIMS;
        small_print(
            ui,
            format!(
                "{} more in Help, User guide, Sources",
                words::plural(more as u64, "claim")
            ),
            theme.text3,
        );
    }

    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(10.0, 2.0);
        for (name, hash) in preview.strategies.iter().take(MOST_NAMED) {
            let width = elided(
                ui.painter(),
                name,
                theme::body(),
                theme.text1,
                f32::INFINITY,
            )
            .size()
            .x;
            let (rect, _) = inert(ui, vec2(KEY_WIDTH + 8.0 + width, 20.0), Role::Label, name);
            let mut line = Line::new(ui.painter(), rect, 0.0);
            // Only strategies that play or are open have a color; a preview does not assign one.
            line.key(
                theme,
                doc.known_mark(*hash).map(|index| theme.strategy(index)),
            );
            line.skip(6.0);
            line.start(name, theme::body(), theme.text1);
        }
        if MOST_NAMED < preview.strategies.len() {
            let more = format!("{} more", preview.strategies.len() - MOST_NAMED);
            ui.label(RichText::new(more).color(theme.text3));
        }
    });
}
