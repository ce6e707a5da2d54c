//! Pictures of what the panel shows: its pixels, or the shapes that were painted as a drawing.
//!
//! A picture is taken two frames after it was asked for, when what lay over the panel is gone. The shapes are those that the
//! layer of the panel gets between [`Picture::watch`] and [`Picture::take`]; pixels are cut out of a picture of the window.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use egui::epaint::ClippedShape;
use egui::{ColorImage, Rect, Ui, vec2};

use crate::workbench::command::PictureFormat;
use crate::workbench::state::saving::Drawn;
use crate::workbench::svg;
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(crate) struct Picture {
    wanted: Option<Wanted>,
    /// How many shapes the layer had before the view was drawn.
    before: usize,
    done: Vec<(Result<Drawn, String>, PathBuf)>,
}

#[derive(Debug)]
struct Wanted {
    format: PictureFormat,
    path: PathBuf,
    /// Frames until it is taken.
    frames: u32,
    since: Instant,
    /// The pixels, once they are asked for.
    pixels: Option<mpsc::Receiver<ColorImage>>,
}

/// What was over the panel is gone after so many frames.
const FRAMES: u32 = 2;
/// A window that is hidden or minimised draws nothing.
const PATIENCE: Duration = Duration::from_secs(5);

impl Picture {
    /// Asks for a picture; the panel has to be on screen.
    pub(crate) fn want(&mut self, format: PictureFormat, path: PathBuf) {
        self.wanted = Some(Wanted { format, path, frames: FRAMES, since: Instant::now(), pixels: None });
    }

    /// What was taken since, and where it goes.
    pub(crate) fn taken(&mut self) -> Vec<(Result<Drawn, String>, PathBuf)> {
        if let Some(Wanted { path, since, pixels, .. }) = &self.wanted {
            let answer = match pixels.as_ref().map(mpsc::Receiver::try_recv) {
                Some(Ok(picture)) => Some(Ok(Drawn::Pixels(picture))),
                Some(Err(mpsc::TryRecvError::Disconnected)) => Some(Err(UNSEEN.to_owned())),
                // The panel may have lost its tree.
                None | Some(Err(mpsc::TryRecvError::Empty)) => {
                    (PATIENCE <= since.elapsed()).then(|| Err(UNSEEN.to_owned()))
                }
            };
            if let Some(answer) = answer {
                self.done.push((answer, path.clone()));
                self.wanted = None;
            }
        }
        std::mem::take(&mut self.done)
    }

    pub(crate) fn watch(&mut self, ui: &Ui) {
        if self.wanted.is_some() {
            self.before = ui.ctx().graphics(|layers| layers.get(ui.layer_id()).map_or(0, |list| list.next_idx().0));
        }
    }

    /// After it was drawn into `space`; `title` names what is seen.
    pub(crate) fn take(&mut self, ui: &Ui, space: Rect, title: impl FnOnce() -> String) {
        let Some(wanted) = self.wanted.as_mut().filter(|wanted| wanted.pixels.is_none()) else { return };
        ui.ctx().request_repaint();
        if 0 < wanted.frames {
            wanted.frames -= 1;
            return;
        }
        // With the margin that the panel has around it.
        let space = space.expand2(vec2(theme::SPACE_M, theme::SPACE_S)).intersect(ui.clip_rect());
        match wanted.format {
            PictureFormat::Svg => {
                let shapes: Vec<ClippedShape> = ui.ctx().graphics(|layers| {
                    let list = layers.get(ui.layer_id()).into_iter();
                    list.flat_map(|list| list.all_entries().skip(self.before).cloned()).collect()
                });
                let drawing = svg::document(&title(), space, Theme::of(ui).bg1, &shapes);
                self.done.extend(self.wanted.take().map(|wanted| (Ok(Drawn::Drawing(drawing)), wanted.path)));
            }
            PictureFormat::Png => {
                let (tell, answer) = mpsc::channel();
                let (ctx, scale) = (ui.ctx().clone(), ui.ctx().pixels_per_point());
                ui.ctx().request_screenshot(move |window: Arc<ColorImage>| {
                    // Nobody may be waiting any more.
                    let _ = tell.send(cut_out(&window, space, scale));
                    ctx.request_repaint();
                });
                (wanted.since, wanted.pixels) = (Instant::now(), Some(answer));
            }
        }
    }
}

/// The part of a picture that shows `space`, at `scale` pixels a point.
fn cut_out(window: &ColorImage, space: Rect, scale: f32) -> ColorImage {
    let pixel = |at: f32, most: usize| ((at * scale).round().max(0.0) as usize).min(most);
    let [x, y] = [pixel(space.left(), window.width()), pixel(space.top(), window.height())];
    let [right, bottom] = [pixel(space.right(), window.width()), pixel(space.bottom(), window.height())];
    window.region_by_pixels([x, y], [right.saturating_sub(x), bottom.saturating_sub(y)])
}

const UNSEEN: &str = "The picture could not be taken: show the window and try again";

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2};

    use super::*;

    #[test]
    fn the_part_is_cut_out_at_the_pixels_in_force_and_never_beyond_the_window() {
        let pixels: Vec<Color32> = (0..6 * 4).map(Color32::from_gray).collect();
        let window = ColorImage::new([6, 4], pixels);
        let part = cut_out(&window, Rect::from_min_max(pos2(1.0, 1.0), pos2(2.0, 2.0)), 2.0);
        assert_eq!((part.size, part.pixels[0].r(), part.pixels[3].r()), ([2, 2], 2 * 6 + 2, 3 * 6 + 3));
        assert_eq!(cut_out(&window, Rect::EVERYTHING, 1.0).size, [6, 4]);
        assert_eq!(cut_out(&window, Rect::from_min_max(pos2(9.0, 9.0), pos2(12.0, 12.0)), 1.0).size, [0, 0]);
    }
}
