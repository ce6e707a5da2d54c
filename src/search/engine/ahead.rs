//! Requests the leaves that another program evaluates in batches: a line with forty boards takes hardly longer than a
//! line with one.

use super::{Engine, Spawns, TILES};
use crate::game::{Grid, Slides as _};
use crate::search::Dead;
use crate::search::board::SearchBoard;
use crate::search::recorder::Recorder;

impl<R: Recorder> Engine<'_, R> {
    /// Requests all leaves that are boards after these spawns, or slides of such boards. The search later finds their
    /// values in the evaluator's cache.
    #[cold]
    pub(super) fn ask_ahead<P: SearchBoard>(&self, after: P, spawns: &Spawns) {
        let mut positions: Vec<(Grid, u64)> = Vec::new();
        for cell in spawns.cells {
            for (rank, probability) in TILES.into_iter().zip(self.search.probability) {
                let reach = spawns.reach * probability / f64::from(spawns.count);
                if probability == 0.0 || !(spawns.plies <= 2 || self.is_improbable(reach)) {
                    continue;
                }
                let board = after.with_tile_at(cell, rank);
                let slides = board
                    .slides(self.rows)
                    .filter(|slides| spawns.plies != 1 && !slides.legal().is_empty());
                let Some(slides) = slides else {
                    if spawns.plies == 1 || self.search.dead == Dead::Evaluate {
                        positions.push((board.to_grid(), spawns.score));
                    }
                    continue;
                };
                let leaf = |mv| {
                    let score = spawns.score.saturating_add(u64::from(slides.reward(mv)));
                    (slides.after(mv).to_grid(), score)
                };
                positions.extend(slides.legal().iter().map(leaf));
            }
        }
        self.search.evaluator.ask_ahead(&positions);
    }
}
