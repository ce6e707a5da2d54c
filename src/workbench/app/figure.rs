//! The dialog of a figure: options and preview.

use egui::{
    Align, Color32, ColorImage, Context, DragValue, Id, Image, Layout, Modal, ScrollArea, TextEdit,
    TextureHandle, TextureOptions, Ui, vec2,
};

use crate::task::{Latest, TaskInfo};
use crate::words;
use crate::workbench::command::{Panel, PictureFormat};
use crate::workbench::kit::{Button, answers, problem, segmented, show_dialog, small_print};
use crate::workbench::panels::Panels;
use crate::workbench::panels::figure::{Figure, OnScreen};
use crate::workbench::state::Document;
use crate::workbench::state::figure::{
    BODY, COLUMNS, Crop, DPIS, FigureGround, FigureOptions, HEIGHTS, TEXTS, WIDTHS,
};
use crate::workbench::theme::{self, Theme};

const TITLE: &str = "Save figure";

/// Side of the preview in points, and its pixels per point.
const PREVIEW: f32 = 380.0;
const FINENESS: f32 = 1.5;
/// Delay after the last keystroke in the caption before the preview is drawn, in seconds.
const PAUSE: f32 = 0.3;
/// Width of the options next to it.
const SETTINGS: f32 = 330.0;

pub(super) struct FigureDialog {
    pub(super) panel: Panel,
    pub(super) options: FigureOptions,
    screen: Option<OnScreen>,
    /// The edited caption.
    caption: Option<String>,
    /// The time of the last keystroke, in seconds of the window.
    typed: Option<f64>,
    laid: Option<Laid>,
    /// Rasterizes the layout, which may take longer than a frame.
    painting: Latest<Key, ColorImage>,
    picture: Option<TextureHandle>,
}

/// The options and the caption.
type Key = (FigureOptions, Option<String>);

/// The last layout.
struct Laid {
    key: Key,
    /// On the page, in millimeters.
    size: [f32; 2],
    problem: Option<String>,
}

/// The result of a frame of the dialog.
pub(super) enum FigureAction {
    Nothing,
    Close,
    /// Write the figure.
    Save(Box<Figure>),
}

impl FigureDialog {
    pub(super) fn new(panel: Panel, options: &FigureOptions, screen: Option<OnScreen>) -> Self {
        let crop = match options.crop {
            Crop::Screen if screen.is_none() => Crop::Whole,
            Crop::Selection if panel != Panel::Tree => Crop::Whole,
            crop => crop,
        };
        let options = FigureOptions {
            crop,
            ..options.clone()
        };
        let (laid, painting, picture) = (None, Latest::default(), None);
        Self {
            panel,
            options,
            screen,
            caption: None,
            typed: None,
            laid,
            painting,
            picture,
        }
    }

    pub(super) fn show(
        &mut self,
        ctx: &Context,
        panels: &mut Panels,
        doc: &Document,
    ) -> FigureAction {
        let mut action = FigureAction::Nothing;
        let modal =
            Modal::new(Id::unique("save figure")).frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, TITLE, |ui| {
            let room = ui.ctx().content_rect().size() - vec2(64.0, 64.0);
            let wide = PREVIEW + SETTINGS + theme::SPACE_XL;
            ui.set_width(if wide <= room.x {
                wide
            } else {
                SETTINGS.min(room.x)
            });
            ui.spacing_mut().item_spacing.y = theme::SPACE_M;
            ui.heading(format!("{TITLE} of {}", self.panel.title().to_lowercase()));
            let usual = panels.caption(self.panel, doc, &self.options);
            self.look(ui, panels, doc, &usual);
            if wide <= room.x {
                ui.horizontal_top(|ui| {
                    ui.allocate_ui_with_layout(
                        vec2(PREVIEW, PREVIEW),
                        Layout::top_down(Align::Center),
                        |ui| {
                            ui.set_min_size(vec2(PREVIEW, PREVIEW));
                            self.preview_ui(ui);
                        },
                    );
                    ui.add_space(theme::SPACE_M);
                    ui.vertical(|ui| self.settings(ui, &usual));
                });
            } else {
                let most = (room.y - 110.0).max(120.0);
                ScrollArea::vertical()
                    .max_height(most)
                    .show(ui, |ui| self.settings(ui, &usual));
            }
            action = self.buttons(ui, panels, doc, &usual);
        });

        if modal.should_close() {
            FigureAction::Close
        } else {
            action
        }
    }

    fn text<'a>(&'a self, usual: &'a str) -> Option<&'a str> {
        self.options
            .caption
            .then(|| self.caption.as_deref().unwrap_or(usual))
    }

    /// Draws the preview again after a change.
    fn look(&mut self, ui: &Ui, panels: &mut Panels, doc: &Document, usual: &str) {
        if self.painting.poll()
            && let Some(picture) = self.painting.take()
        {
            self.picture = Some(
                ui.ctx()
                    .load_texture("figure", picture, TextureOptions::LINEAR),
            );
        }
        let key = (self.options.clone(), self.text(usual).map(str::to_owned));
        // During a drag or typing, the previous picture stays.
        let is_typed = self
            .typed
            .is_some_and(|typed| ui.input(|input| input.time) - typed < f64::from(PAUSE));
        let waits = is_typed || ui.ctx().dragged_id().is_some();
        if self
            .laid
            .as_ref()
            .is_some_and(|laid| waits || laid.key == key)
        {
            return;
        }

        let (options, caption) = &key;
        if options.problem().is_some() {
            return;
        }

        let screen = self.screen.as_ref();
        let pixels = PREVIEW * FINENESS * ui.ctx().pixels_per_point().min(2.0);
        let pixels = pixels.min(ui.input(|input| input.max_texture_side) as f32);
        let mut draw = |scale| {
            panels.figure(
                self.panel,
                doc,
                options,
                caption.as_deref(),
                screen,
                Some(scale),
            )
        };
        let mut figure = draw(pixels / options.layout_width());
        // The height is known after the first layout; the longer side must fit.
        if options.layout_width() < figure.height() {
            figure = draw(pixels / figure.height());
        }
        self.laid = Some(Laid {
            key: key.clone(),
            size: figure.size(),
            problem: figure.problem(),
        });
        let info = TaskInfo::told("Drawing the figure");
        self.painting
            .ask(key, doc.tasks(), info, move |_| figure.pixels());
    }

    fn preview_ui(&self, ui: &mut Ui) {
        let Some(picture) = &self.picture else { return };
        let [width, height] = picture.size().map(|side| side as f32);
        let scale = PREVIEW / width.max(height);
        // The previous picture stays until the new one is ready.
        let tint = if self.painting.is_pending() {
            theme::STALE_ALPHA
        } else {
            1.0
        };
        let picture = Image::new(picture).fit_to_exact_size(vec2(width, height) * scale);
        let name = format!("Figure of {}", self.panel.title().to_lowercase());
        ui.add(picture.tint(Color32::WHITE.gamma_multiply(tint)))
            .accessible_name(&name);
    }

    fn settings(&mut self, ui: &mut Ui, usual: &str) {
        let theme = Theme::of(ui);
        let options = &mut self.options;
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        let row = |ui: &mut Ui, name: &str, content: &mut dyn FnMut(&mut Ui)| {
            ui.horizontal_wrapped(|ui| {
                let (rect, _) =
                    ui.allocate_exact_size(vec2(64.0, theme::CONTROL), egui::Sense::hover());
                let galley =
                    ui.painter()
                        .layout_no_wrap(name.to_owned(), theme::small(), theme.text2);
                ui.painter().galley(
                    rect.left_center() - vec2(0.0, galley.size().y / 2.0),
                    galley,
                    theme.text2,
                );
                content(ui);
            });
        };
        row(ui, "File", &mut |ui| {
            let formats = [
                (PictureFormat::Pdf, "PDF"),
                (PictureFormat::Svg, "SVG"),
                (PictureFormat::Png, "PNG"),
            ];
            segmented(ui, "Format of the figure", &mut options.format, &formats);
            match options.format {
                PictureFormat::Png => drop(number(
                    ui,
                    &mut options.dpi,
                    DPIS,
                    " dpi",
                    5.0,
                    "Pixels per inch",
                )),
                PictureFormat::Svg => drop(small_print(ui, "text as outlines", theme.text2)),
                PictureFormat::Pdf => drop(small_print(ui, "fonts embedded", theme.text2)),
            }
        });

        row(ui, "Width", &mut |ui| {
            let columns = COLUMNS.map(|width| {
                (
                    width,
                    if width == COLUMNS[0] {
                        "1 column"
                    } else {
                        "2 columns"
                    },
                )
            });
            segmented(ui, "Columns", &mut options.width, &columns);
            number(
                ui,
                &mut options.width,
                WIDTHS,
                " mm",
                0.5,
                "Width of the figure",
            );
        });
        row(ui, "Height", &mut |ui| {
            let mut is_set = options.height.is_some();
            if segmented(
                ui,
                "Height",
                &mut is_set,
                &[(false, "Automatic"), (true, "Fixed")],
            )
            .changed()
            {
                options.height = is_set.then_some((options.width * 0.6).round());
            }
            if let Some(height) = &mut options.height {
                number(ui, height, HEIGHTS, " mm", 0.5, "Height of the figure");
            }
        });

        row(ui, "Text", &mut |ui| {
            number(ui, &mut options.text, TEXTS, " pt", 0.1, "Text size");
            let small = options.text * theme::small().size / BODY;
            small_print(
                ui,
                format!("on the page; small print {small:.1} pt"),
                theme.text2,
            );
        });
        let mut crops = vec![(Crop::Whole, "All")];
        crops.extend(
            self.screen
                .is_some()
                .then_some((Crop::Screen, "As on screen")),
        );
        crops.extend(
            (self.panel == Panel::Tree).then_some((Crop::Selection, "Below the selection")),
        );
        if 1 < crops.len() {
            row(ui, "Extent", &mut |ui| {
                drop(segmented(
                    ui,
                    "Extent of the figure",
                    &mut options.crop,
                    &crops,
                ));
            });
        }

        row(ui, "Background", &mut |ui| {
            let grounds = [
                (FigureGround::White, "White paper"),
                (FigureGround::Dark, "Dark slide"),
            ];
            segmented(
                ui,
                "Background of the figure",
                &mut options.ground,
                &grounds,
            );
        });
        row(ui, "Caption", &mut |ui| {
            segmented(
                ui,
                "Caption",
                &mut options.caption,
                &[(true, "Below"), (false, "None")],
            );
        });

        if options.caption {
            let mut text = self.caption.clone().unwrap_or_else(|| usual.to_owned());
            let field = |ui: &mut Ui| {
                let field = TextEdit::multiline(&mut text)
                    .desired_rows(4)
                    .desired_width(SETTINGS - 12.0);
                ui.add(field)
                    .accessible_name("Text of the caption")
                    .changed()
            };
            if ScrollArea::vertical()
                .id_salt("caption")
                .max_height(110.0)
                .show(ui, field)
                .inner
            {
                (self.caption, self.typed) = (Some(text), Some(ui.input(|input| input.time)));
                ui.ctx().request_repaint_after_secs(PAUSE + 0.02);
            }
            if self.caption.is_some() && ui.add(Button::new("Default caption").small()).clicked() {
                self.caption = None;
            }
        }
    }

    fn buttons(
        &mut self,
        ui: &mut Ui,
        panels: &mut Panels,
        doc: &Document,
        usual: &str,
    ) -> FigureAction {
        let theme = Theme::of(ui);
        let refused = self.options.problem();
        let refused = refused.or_else(|| self.laid.as_ref().and_then(|laid| laid.problem.clone()));
        match (&refused, &self.laid) {
            (Some(reason), _) => drop(problem(ui, &words::capitalised(reason))),
            (None, Some(laid)) => {
                let [width, height] = laid.size;
                let pixels =
                    [width, height].map(|side| (side / 25.4 * self.options.dpi as f32).round());
                let pixels = match self.options.format {
                    PictureFormat::Png => format!(", {} × {} pixels", pixels[0], pixels[1]),
                    PictureFormat::Pdf | PictureFormat::Svg => String::new(),
                };
                small_print(
                    ui,
                    format!("{width:.0} × {height:.0} mm{pixels}"),
                    theme.text2,
                );
            }
            (None, None) => {}
        }

        let mut action = FigureAction::Nothing;
        answers(ui, |ui| {
            let about = refused.as_deref().map_or(Ok("Choose a file"), Err);
            if Button::new("Save…")
                .name("Save this figure")
                .accent()
                .show(ui, about)
                .clicked()
            {
                let (options, screen) = (self.options.clone(), self.screen.as_ref());
                let caption = self.text(usual).map(str::to_owned);
                let figure =
                    panels.figure(self.panel, doc, &options, caption.as_deref(), screen, None);
                action = FigureAction::Save(Box::new(figure));
            }
            if ui.add(Button::new("Cancel")).clicked() {
                action = FigureAction::Close;
            }
        });

        action
    }
}

fn number<N: egui::emath::Numeric>(
    ui: &mut Ui,
    value: &mut N,
    range: std::ops::RangeInclusive<N>,
    unit: &str,
    speed: f64,
    name: &str,
) -> egui::Response {
    let drag = DragValue::new(value)
        .range(range)
        .speed(speed)
        .suffix(unit)
        .max_decimals(1);
    ui.add_sized(vec2(76.0, theme::CONTROL), drag)
        .accessible_name(name)
}
