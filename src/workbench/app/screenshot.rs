//! Draws the window into a file and closes it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use egui::{Context, ViewportCommand};

use crate::workbench::state::saving::png;

pub(super) struct Screenshot {
    path: PathBuf,
    since: Instant,
    frames: u32,
    taken: bool,
}

impl Screenshot {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, since: Instant::now(), frames: 0, taken: false }
    }

    /// Takes the picture once nothing is `busy` any more; once each frame.
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
            if let Err(error) = png(&picture).and_then(|bytes| fs::write(&path, bytes)) {
                eprintln!("The picture cannot be saved as {}: {error}", path.display());
            }
            ctx_after.send_viewport_cmd(ViewportCommand::Close);
            ctx_after.request_repaint();
        });
    }
}
