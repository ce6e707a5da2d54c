//! The files that open strategies read, beside the window: large ones of commands are read on a worker, and what has changed on
//! disk makes another strategy of the same rows.

use std::rc::Rc;
use std::sync::Arc;

use super::Document;
use crate::program::command;
use crate::strategy::{SharedStrategy, StrategyHash};
use crate::task::{Task, TaskInfo};

/// Files that are being read, and what the open strategies were known by before.
#[derive(Debug)]
pub(super) struct Rereading {
    task: Task<()>,
    before: Vec<(SharedStrategy, StrategyHash)>,
}

impl Document {
    /// Reads what was put down to be read; strategies are known by it as soon as it is.
    pub(super) fn poll_rereading(&mut self) {
        if let Some(reading) = &mut self.rereading {
            if reading.task.poll().is_none() {
                return;
            }
            let before = self.rereading.take().map(|reading| reading.before).unwrap_or_default();
            self.hand_colours_on(&before);
        }
        let unread = command::take_unread();
        if !unread.is_empty() {
            let before = self.hashes();
            let info = TaskInfo::told("Reading the files of a command");
            let task = self.tasks.begin(info, move |job| command::read_files(&unread, job.token()));
            self.rereading = Some(Rereading { task, before });
        }
    }

    /// Looks whether files that open strategies read were changed since. What was decided, played and kept belongs to the
    /// strategy that it was, and what it is now decides on the board.
    pub fn look_at_files_again(&mut self) {
        let before = self.hashes();
        let playing = self.strategy().hash();
        for open in &mut self.content.strategies {
            open.strategy.look_again();
            let mut origin = (*open.origin).clone();
            if origin.before.look_again() {
                open.origin = Arc::new(origin);
            }
        }
        self.hand_colours_on(&before);
        if self.strategy().hash() != playing {
            self.refresh();
        }
    }

    fn hashes(&self) -> Vec<(SharedStrategy, StrategyHash)> {
        self.content.strategies.iter().map(|open| (open.strategy.clone(), open.hash())).collect()
    }

    /// What another hash has made another strategy keeps its colour.
    fn hand_colours_on(&mut self, before: &[(SharedStrategy, StrategyHash)]) {
        for (index, (strategy, after)) in self.hashes().into_iter().enumerate() {
            // By what it is: others may have come and gone meanwhile.
            let before = before.iter().find(|(known, _)| known.is(&strategy)).map(|(_, hash)| *hash);
            if let Some(before) = before.filter(|before| *before != after) {
                let live = self.live(Some(index));
                Rc::make_mut(self.content.colors.get_mut()).hand_on(before, after, &live);
            }
        }
    }
}
