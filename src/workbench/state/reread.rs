//! Reads the files that open strategies use. Workers read large files of commands; a file that changed on disk gives
//! the strategy with the same rows another hash.

use std::sync::Arc;

use super::Document;
use crate::program::command;
use crate::strategy::{SharedStrategy, StrategyHash};
use crate::task::{Task, TaskInfo};

/// Files being read, and the hashes of the open strategies in the last frame. A worker that decides may read a file
/// first, so hashes change at any time.
#[derive(Debug, Default)]
pub(super) struct Rereading {
    task: Option<Task<()>>,
    before: Vec<(SharedStrategy, StrategyHash)>,
}

impl Document {
    /// Reads the queued files, and hands colors on to strategies with new hashes.
    pub(super) fn poll_rereading(&mut self) {
        let is_reading = self.rereading.task.as_mut().is_some_and(|task| task.poll().is_none());
        if !is_reading {
            self.rereading.task = None;
            let unread = command::take_unread();
            if !unread.is_empty() {
                let info = TaskInfo::told("Reading the files of a command");
                let task = self.tasks().begin(info, move |job| command::read_files(&unread, job.token()));
                self.rereading.task = Some(task);
            }
        }
        let before = std::mem::take(&mut self.rereading.before);
        self.hand_colours_on(&before);
        self.rereading.before = self.hashes();
    }

    /// Checks whether files used by open strategies have changed. Decisions, games and saved results belong to the old
    /// strategy; the new one decides on the board.
    pub fn look_at_files_again(&mut self) {
        let before = self.hashes();
        let playing = self.strategy().hash();
        for open in &mut self.core.content_mut().strategies {
            open.strategy.look_again();
            let mut origin = (*open.origin).clone();
            if origin.before.look_again() {
                open.origin = Arc::new(origin);
            }
        }
        self.hand_colours_on(&before);
        self.rereading.before = self.hashes();
        if self.strategy().hash() != playing {
            self.refresh();
        }
    }

    fn hashes(&self) -> Vec<(SharedStrategy, StrategyHash)> {
        self.content().strategies.iter().map(|open| (open.strategy.clone(), open.hash())).collect()
    }

    /// A strategy whose hash changed keeps its color.
    fn hand_colours_on(&mut self, before: &[(SharedStrategy, StrategyHash)]) {
        for (index, (strategy, after)) in self.hashes().into_iter().enumerate() {
            // By identity, because others may have been opened or closed.
            let before = before.iter().find(|(known, _)| known.is(&strategy)).map(|(_, hash)| *hash);
            if let Some(before) = before.filter(|before| *before != after) {
                let live = self.live(Some(index));
                self.core.colors().reread(before, after, &live);
            }
        }
    }
}
