//! Reads the files that open strategies use. Workers read large files of commands; a file that changed on disk gives
//! the strategy with the same rows another hash.

use std::sync::Arc;

use super::{Core, Document};
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

/// An open strategy whose files gave it another hash.
pub(super) struct Reread {
    /// Its index among the open strategies.
    index: usize,
    before: StrategyHash,
    after: StrategyHash,
}

impl Rereading {
    /// Reads the queued files. Returns the strategies that have new hashes since the last frame.
    pub(super) fn poll(&mut self, core: &Core) -> Vec<Reread> {
        let is_reading = self.task.as_mut().is_some_and(|task| task.poll().is_none());
        if !is_reading {
            self.task = None;
            let unread = command::take_unread();
            if !unread.is_empty() {
                let info = TaskInfo::told("Reading the files of a command");
                let task = core
                    .tasks()
                    .begin(info, move |job| command::read_files(&unread, job.token()));
                self.task = Some(task);
            }
        }
        self.changes(core)
    }

    /// Checks whether files used by open strategies have changed. Returns the strategies with new hashes since the last frame.
    fn look_again(&mut self, core: &mut Core) -> Vec<Reread> {
        let mut reread = self.changes(core);
        for open in &mut core.content_mut().strategies {
            open.strategy.look_again();
            let mut origin = (*open.origin).clone();
            if origin.before.look_again() {
                open.origin = Arc::new(origin);
            }
        }
        reread.extend(self.changes(core));
        reread
    }

    /// Takes the hashes of the open strategies, and returns those that are new.
    fn changes(&mut self, core: &Core) -> Vec<Reread> {
        let now = hashes(core);
        let change = |(index, (strategy, after)): (usize, &(SharedStrategy, StrategyHash))| {
            // By identity, because others may have been opened or closed.
            let (_, before) = *self
                .before
                .iter()
                .find(|(earlier, _)| earlier.is(strategy))?;
            (before != *after).then_some(Reread {
                index,
                before,
                after: *after,
            })
        };
        let changes = now.iter().enumerate().filter_map(change).collect();
        self.before = now;
        changes
    }
}

fn hashes(core: &Core) -> Vec<(SharedStrategy, StrategyHash)> {
    core.strategies()
        .iter()
        .map(|open| (open.strategy.clone(), open.hash()))
        .collect()
}

impl Document {
    /// Checks whether files used by open strategies have changed. Decisions, games and saved results belong to the old
    /// strategy; the new one decides on the board.
    pub fn look_at_files_again(&mut self) {
        let playing = self.strategy().hash();
        let reread = self.rereading.look_again(&mut self.core);
        self.hand_colors_on(&reread);
        if self.strategy().hash() != playing {
            self.refresh();
        }
    }

    /// A strategy whose hash changed keeps its color.
    pub(super) fn hand_colors_on(&mut self, reread: &[Reread]) {
        for Reread {
            index,
            before,
            after,
        } in reread
        {
            let live = self.live(Some(*index));
            self.core.colors().reread(*before, *after, &live);
        }
    }
}
