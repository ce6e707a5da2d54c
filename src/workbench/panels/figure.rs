//! A panel as a figure for print, drawn by the window's own code on an offscreen page.
//!
//! The layout width is chosen so that the window's text has the requested size on the page; the file contains the page
//! width. Controls are left out, see [`crate::workbench::paper`].

use std::io;

use egui::epaint::ClippedShape;
use egui::util::IdTypeMap;
use egui::{
    CentralPanel, Color32, ColorImage, Context, Frame, Id, RawInput, Rect, RichText, Ui, UiBuilder,
    Vec2, pos2, vec2,
};

use super::Panels;
use super::analysis::depths::DepthsCaption;
use super::builder::grids;
use super::tree::{Shown, figure_height, figure_key};
use crate::workbench::command::{Commands, Panel, PictureFormat, TreeView};
use crate::workbench::state::Document;
use crate::workbench::state::figure::{Crop, FigureGround, FigureOptions};
use crate::workbench::theme::{self, Theme, ThemeChoice};
use crate::workbench::{fonts, marks, paper, pdf, raster, svg};

/// The margin around the content.
const MARGIN: f32 = 4.0;
/// Textures arrive with the first frame, axes settle in the second.
const FRAMES: usize = 3;
/// Maximum height of content. A shape over a quarter of this height is a background, not content.
const HIGHEST: f32 = 6000.0;
/// Content that ends this close to the maximum height is truncated.
const CUT: f32 = 30.0;
/// Height of a view that fills any space, as a share of its width.
const FILLS: f32 = 0.62;
/// Share for a narrow tree, until it is high enough to show the values of all moves, two of them with boards and
/// spawns.
const FILLS_NARROW: f32 = 0.9;
const READ_FROM: f32 = 330.0;
/// Letter positions are rounded to this fraction of a point.
const FINENESS: f32 = 4.0;

/// A finished drawing, ready to be written to a file.
pub(crate) struct Figure {
    ctx: Context,
    textures: raster::Textures,
    shapes: Vec<ClippedShape>,
    space: Rect,
    background: Color32,
    title: String,
    /// Whether the content exceeds the maximum height.
    is_cut: bool,
    options: FigureOptions,
}

/// The panel in the window.
pub(crate) struct OnScreen {
    /// Size of its content.
    pub size: Vec2,
    /// The window's memory, with the scroll positions of lists.
    pub memory: IdTypeMap,
}

/// The height of the content, in egui points.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Height {
    Fixed(f32),
    /// The height of the content itself.
    Content,
}

impl Figure {
    pub(crate) fn format(&self) -> PictureFormat {
        self.options.format
    }

    /// In egui points.
    pub(crate) fn height(&self) -> f32 {
        self.space.height()
    }

    /// On the page, in millimeters.
    pub(crate) fn size(&self) -> [f32; 2] {
        [
            self.options.width,
            self.space.height() / self.options.layout_scale(),
        ]
    }

    /// Why the figure cannot be written, and the remedy, in one sentence.
    pub(crate) fn problem(&self) -> Option<String> {
        let cut = "the content does not fit in a figure: choose As on screen, or a fixed height to show the first part";
        let problem = self
            .options
            .problem()
            .or_else(|| self.options.problem_of_pixels(self.height()));
        problem.or_else(|| self.is_cut.then(|| cut.to_owned()))
    }

    /// The bytes of the file.
    pub(crate) fn file(&self) -> io::Result<Vec<u8>> {
        if let Some(problem) = self.problem() {
            return Err(io::Error::other(problem));
        }
        let drawing =
            || marks::Drawing::new(&self.title, self.space, self.background, &self.shapes);
        match self.options.format {
            PictureFormat::Pdf => {
                pdf::document(&drawing(), self.options.width).map_err(io::Error::other)
            }
            PictureFormat::Svg => Ok(svg::document(&drawing(), self.options.width).into_bytes()),
            PictureFormat::Png => raster::png(&self.pixels(), Some(self.options.dpi)),
        }
    }

    /// The pixels, at the scale of the drawing.
    pub(crate) fn pixels(&self) -> ColorImage {
        let scale = self.ctx.pixels_per_point();
        let size =
            [self.space.width(), self.space.height()].map(|side| (side * scale).round() as usize);
        let primitives = self.ctx.tessellate(self.shapes.clone(), scale);
        raster::paint(&primitives, &self.textures, size, scale, self.background)
    }
}

impl Panels {
    /// Draws a panel as a figure. `scale` is in pixels per egui point; without it, the scale is that of the file.
    pub(crate) fn figure(
        &mut self,
        panel: Panel,
        doc: &Document,
        options: &FigureOptions,
        caption: Option<&str>,
        screen: Option<&OnScreen>,
        scale: Option<f32>,
    ) -> Figure {
        // The document may have changed since the window was last drawn.
        self.building.follow(doc);
        let title = self.caption(panel, doc, options);
        let seen = screen.filter(|_| options.crop == Crop::Screen);
        let height = self.figure_height(panel, options, seen.map(|screen| screen.size));
        let sheet = Sheet::new(options, scale, seen.map(|screen| screen.memory.clone()));
        sheet.draw(
            title,
            caption.filter(|text| !text.trim().is_empty()),
            height,
            |ui| {
                let inside = UiBuilder::new()
                    .scope_id(Id::unique(("inside", panel)))
                    .max_rect(ui.max_rect());
                let mut inside = ui.new_child(inside);
                self.figure_ui(panel, &mut inside, doc, options);
            },
        )
    }

    fn figure_height(&self, panel: Panel, options: &FigureOptions, screen: Option<Vec2>) -> Height {
        let width = options.layout_width();
        let fills = match panel {
            // A comparison is a list.
            Panel::Tree => {
                let is_list = matches!(self.inspection.view, TreeView::Columns | TreeView::Plies);
                !is_list && !self.inspection.is_compared
            }
            Panel::Board | Panel::Learning => true,
            Panel::Why => options.crop == Crop::Screen,
            _ => false,
        };

        let key =
            figure_key(&self.inspection, options.crop, width).filter(|_| panel == Panel::Tree);
        let below = key.map_or(0.0, |key| key.height());
        match (options.height, screen) {
            (Some(height), _) => Height::Fixed(height * options.layout_scale()),
            (None, Some(size)) if 0.0 < size.x => Height::Fixed(width * size.y / size.x + below),
            _ if panel == Panel::Board => Height::Fixed(width * 1.15),
            _ if fills && panel == Panel::Tree && self.inspection.view == TreeView::Tree => {
                Height::Fixed((width * FILLS).max((width * FILLS_NARROW).min(READ_FROM)) + below)
            }
            _ if fills && panel == Panel::Tree => {
                Height::Fixed((width * FILLS).max(figure_height(&self.inspection)) + below)
            }
            _ if fills => Height::Fixed(width * FILLS),
            _ => Height::Content,
        }
    }

    fn figure_ui(&mut self, panel: Panel, ui: &mut Ui, doc: &Document, options: &FigureOptions) {
        match panel {
            Panel::Tree => {
                self.inspection.follow(doc);
                self.tree
                    .figure_ui(ui, doc, &mut self.inspection, options.crop);
            }
            Panel::Experiment => {
                self.run.follow(doc);
                let whole = options.crop == Crop::Whole;
                if !self
                    .experiment
                    .figure_ui(ui, doc, &self.run, whole, options.height.is_some())
                {
                    self.ui(panel, ui, doc, &mut Commands::default());
                }
            }
            Panel::Why if options.height.is_none() && options.crop != Crop::Screen => {
                self.inspection.follow(doc);
                self.why.page_ui(ui, doc, &mut self.inspection);
            }
            Panel::Row if grids::any(&doc.strategy(), doc.board().size()) => {
                grids::ui(ui, &doc.strategy(), doc.board().size());
            }
            _ => self.ui(panel, ui, doc, &mut Commands::default()),
        }
    }

    /// Why a figure of the board cannot show the requested spawns, and the remedy, in one sentence.
    pub(crate) fn spawns_problem(&self, doc: &Document) -> Option<String> {
        self.board.spawns_problem(doc, &self.inspection)
    }

    /// The caption of a panel's figure: strategy, depth, sample and program.
    pub(crate) fn caption(
        &mut self,
        panel: Panel,
        doc: &Document,
        options: &FigureOptions,
    ) -> String {
        let label = doc.strategy().label();
        let text = match panel {
            Panel::Tree | Panel::Node | Panel::Why | Panel::BestPlay => {
                self.inspection.follow(doc);
                self.inspection
                    .caption(panel, doc, options.crop == Crop::Selection)
            }
            Panel::Experiment => {
                self.run.follow(doc);
                self.experiment.caption(
                    doc,
                    &self.run,
                    options.layout_width(),
                    options.crop == Crop::Whole,
                )
            }
            Panel::Board => {
                self.inspection.follow(doc);
                let spawns = self.board.spawns_caption(doc, &self.inspection);
                spawns.map(|spawns| format!("{}; {spawns}", board_caption(panel, doc)))
            }
            Panel::Decision => {
                searches(doc).map(|searches| format!("{}; {searches}", board_caption(panel, doc)))
            }
            Panel::Depths => match self.depths.caption(doc) {
                Some(DepthsCaption::Board(text)) => {
                    Some(format!("{}; {text}", board_caption(panel, doc)))
                }
                Some(DepthsCaption::Pinned(text)) => Some(format!("Depths of {label}; {text}")),
                None => None,
            },
            Panel::Results | Panel::Games => doc
                .shown()
                .map(|run| format!("{} of {}", panel.title(), run.title())),
            Panel::Evidence => self.evidence.caption(&self.building),
            Panel::Review => review_caption(doc),
            Panel::Learning
            | Panel::Runs
            | Panel::Presets
            | Panel::Library
            | Panel::Palette
            | Panel::Solve
            | Panel::Practice => Some(panel.title().to_owned()),
            _ => Some(format!("{} of {label}", panel.title())),
        };

        let text = text.unwrap_or_else(|| board_caption(panel, doc));
        format!("{text}. Afterstate {}", env!("CARGO_PKG_VERSION"))
    }
}

/// The searches of the rows that decided on the board.
fn searches(doc: &Document) -> Option<String> {
    let (decision, decided) = (doc.decision()?, doc.decided()?);
    let is_known = |row: &usize| {
        decision.searches[*row].is_some() && decided.trees.get(*row).is_some_and(Option::is_some)
    };
    let rows = (0..decision.searches.len()).filter(is_known);
    let facts: Vec<String> = rows
        .filter_map(|row| Some(Shown::of(decided, Some(row))?.facts()))
        .collect();
    (!facts.is_empty()).then(|| facts.join("; "))
}

fn board_caption(panel: Panel, doc: &Document) -> String {
    let label = doc.strategy().label();
    let who = if panel == Panel::Board {
        String::new()
    } else {
        format!(" of {label}")
    };
    let place = crate::words::count(doc.move_number());
    let (game, rules, board) = (game_words(doc), doc.game().rules.about(), doc.board());
    format!(
        "{}{who} at move {place}{game}, {rules}: {board}",
        panel.title()
    )
}

/// " of game 3 of seed 1"; empty if the seed does not deal the first board of the game.
fn game_words(doc: &Document) -> String {
    let game = doc.game();
    if game.chance().opening(&game.rules) != doc.tree().node(game.start).board {
        return String::new();
    }
    format!(" of game {} of seed {}", game.index, game.seed)
}

fn review_caption(doc: &Document) -> Option<String> {
    let reviewed = doc.review()?;
    let judge = reviewed.review.judge().label();
    let moves = crate::words::plural(reviewed.review.moves() as u64, "move");
    Some(format!("Review of {moves}{} by {judge}", game_words(doc)))
}

/// An offscreen page: context, background and options.
struct Sheet<'a> {
    ctx: Context,
    textures: raster::Textures,
    background: Color32,
    options: &'a FigureOptions,
}

impl<'a> Sheet<'a> {
    fn new(options: &'a FigureOptions, scale: Option<f32>, memory: Option<IdTypeMap>) -> Self {
        let ctx = Context::default();
        if let Some(memory) = memory {
            ctx.data_mut(|data| *data = memory);
        }
        paper::draw_on_paper(&ctx);
        ctx.set_fonts(fonts::definitions());
        let theme = match options.ground {
            FigureGround::White => ThemeChoice::Light,
            FigureGround::Dark => ThemeChoice::Dark,
        };
        theme::install(&ctx, theme, || false, false);
        // Nothing scrolls in print.
        let bars = egui::style::ScrollStyle {
            bar_width: 0.0,
            bar_inner_margin: 0.0,
            bar_outer_margin: 0.0,
            handle_min_length: 0.0,
            ..egui::style::ScrollStyle::solid()
        };

        ctx.all_styles_mut(|style| style.spacing.scroll = bars);
        ctx.set_pixels_per_point(scale.unwrap_or(match options.format {
            PictureFormat::Png => options.pixels(),
            PictureFormat::Pdf | PictureFormat::Svg => FINENESS,
        }));

        let background = match options.ground {
            FigureGround::White => Color32::WHITE,
            FigureGround::Dark => Theme::of_visuals(&ctx.style_of(egui::Theme::Dark).visuals).bg1,
        };
        Self {
            ctx,
            textures: raster::Textures::default(),
            background,
            options,
        }
    }

    fn draw(
        mut self,
        title: String,
        caption: Option<&str>,
        height: Height,
        mut ui: impl FnMut(&mut Ui),
    ) -> Figure {
        let mut is_cut = false;
        let height = match height {
            Height::Fixed(height) => height,
            Height::Content => {
                let shapes = (0..FRAMES)
                    .map(|_| self.frame(HIGHEST, None, &mut ui).0)
                    .last()
                    .unwrap_or_default();
                let lowest = lowest(&shapes);
                is_cut = HIGHEST - CUT < lowest;
                lowest - MARGIN
            }
        };

        let (mut shapes, mut bottom) = (Vec::new(), 0.0);
        for _ in 0..FRAMES {
            (shapes, bottom) = self.frame(height.max(1.0), caption, &mut ui);
        }

        let size = vec2(self.options.layout_width(), (bottom + MARGIN).ceil());
        Figure {
            space: Rect::from_min_size(pos2(0.0, 0.0), size),
            title,
            is_cut,
            shapes,
            ctx: self.ctx,
            textures: self.textures,
            background: self.background,
            options: self.options.clone(),
        }
    }

    /// The shapes of one frame and their lower end: content of this height, and the caption below.
    fn frame(
        &mut self,
        height: f32,
        caption: Option<&str>,
        ui: &mut impl FnMut(&mut Ui),
    ) -> (Vec<ClippedShape>, f32) {
        let whole = vec2(self.options.layout_width(), height + HIGHEST);
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), whole));
        let raw = RawInput {
            screen_rect,
            max_texture_side: Some(1 << 14),
            ..RawInput::default()
        };
        let (mut bottom, background) = (0.0, self.background);

        let mut output = self.ctx.run_ui(raw, |root| {
            let ground = Frame::new().fill(background).inner_margin(MARGIN);
            CentralPanel::default().frame(ground).show(root, |page| {
                let content =
                    Rect::from_min_size(page.max_rect().min, vec2(page.available_width(), height));
                let mut inside = page.new_child(UiBuilder::new().max_rect(content));
                inside.set_clip_rect(content.expand(MARGIN));
                ui(&mut inside);
                bottom = content.bottom();
                if let Some(caption) = caption {
                    page.allocate_rect(content, egui::Sense::hover());
                    page.add_space(theme::SPACE_S);
                    let text = RichText::new(caption).small().color(Theme::of(page).text1);
                    bottom = page.add(egui::Label::new(text).wrap()).rect.bottom();
                }
            });
        });

        self.textures.take(&mut output.textures_delta);
        (output.shapes, bottom)
    }
}

/// The lower end of the lowest shape that is not a background.
fn lowest(shapes: &[ClippedShape]) -> f32 {
    let bounds = shapes
        .iter()
        .map(|shape| marks::bounds(shape).intersect(shape.clip_rect));
    let inked = bounds.filter(|bounds| bounds.is_positive() && bounds.height() < HIGHEST / 4.0);
    inked
        .map(|bounds| bounds.bottom())
        .fold(MARGIN + 1.0, f32::max)
}
