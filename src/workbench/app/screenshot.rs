//! Saves a picture of the window and closes it.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use egui::{Context, ViewportCommand};

use crate::files;
use crate::workbench::raster::png;

/// Why the picture was not saved.
pub(super) static NO_PICTURE: OnceLock<String> = OnceLock::new();

pub(super) struct Screenshot {
    path: PathBuf,
    since: Instant,
    frames: u32,
    taken: bool,
}

impl Screenshot {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            since: Instant::now(),
            frames: 0,
            taken: false,
        }
    }

    /// Takes the picture once nothing is `busy`; called once per frame.
    pub(super) fn follow(&mut self, ctx: &Context, busy: bool) {
        ctx.request_repaint();
        self.frames += 1;
        // Fonts and layout need some frames, a first experiment some seconds.
        let waited = self.since.elapsed();
        let settled = 8 <= self.frames && Duration::from_millis(400) < waited && !busy;
        if self.taken || !(settled || Duration::from_secs(30) < waited) {
            return;
        }

        self.taken = true;
        let (path, ctx_after) = (self.path.clone(), ctx.clone());
        ctx.request_screenshot(move |picture| {
            let saved = files::write_with(&path, |file| file.write_all(&png(&picture, None)?));
            if let Err(error) = saved {
                // Reported after the window has closed.
                let _ = NO_PICTURE.set(error.to_string());
            }
            ctx_after.send_viewport_cmd(ViewportCommand::Close);
            ctx_after.request_repaint();
        });
    }
}
