//! A sheet of its own, for print: drawn in the light theme by the code that draws in the window, in a context that nobody sees.

use egui::{CentralPanel, Color32, Context, Frame as Ground, RawInput, Rect, Ui, pos2, vec2};

use crate::workbench::command::PictureFormat;
use crate::workbench::state::saving::Drawn;
use crate::workbench::theme::{self, ThemeChoice};
use crate::workbench::{fonts, raster, svg};

/// The room around what is on it.
pub(super) const MARGIN: f32 = 20.0;
/// Pixels of a point: a sheet of 920 points has 2760, which is 23 cm at 300 to the inch.
const SCALE: f32 = 3.0;
/// Textures come with the first frame, axes are known in the second.
const FRAMES: usize = 3;

/// The text or the pixels of a file with a sheet of this width; `ui` draws it and says where it ends.
pub(super) fn drawn(format: PictureFormat, width: f32, title: &str, mut ui: impl FnMut(&mut Ui) -> f32) -> Drawn {
    let scale = match format {
        PictureFormat::Png => SCALE,
        PictureFormat::Svg => 1.0,
    };
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    theme::install(&ctx, ThemeChoice::Light, || false, false);
    ctx.set_pixels_per_point(scale);
    let (mut textures, mut bottom, mut shapes) = (raster::Textures::default(), 0.0, Vec::new());
    for _ in 0..FRAMES {
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, 4000.0)));
        let mut output = ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |whole| {
            let ground = Ground::new().fill(Color32::WHITE).inner_margin(MARGIN);
            CentralPanel::default().frame(ground).show(whole, |inside| bottom = ui(inside));
        });
        textures.take(&mut output.textures_delta);
        shapes = output.shapes;
    }
    let space = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, (bottom + MARGIN).ceil()));
    match format {
        PictureFormat::Svg => Drawn::Drawing(svg::document(title, space, Color32::WHITE, &shapes)),
        PictureFormat::Png => {
            let size = [space.width() * scale, space.height() * scale].map(|side| side.round() as usize);
            let primitives = ctx.tessellate(shapes, scale);
            Drawn::Pixels(raster::paint(&primitives, &textures, size, scale, Color32::WHITE))
        }
    }
}
