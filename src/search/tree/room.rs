//! Room for the nodes of records.
//!
//! New memory comes page by page from the system and goes back to it, which takes longer than the search that fills it. So the
//! room of records that are over serves the next ones.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use super::node::Node;
use crate::task::lock;

/// The room of records that are over, the largest first.
static SPARE: Mutex<Vec<Vec<Node>>> = Mutex::new(Vec::new());

/// For how many nodes it is kept in all, 32 bytes each.
const MOST_SPARE: usize = 5 << 20;

/// Less is not worth it.
const LEAST_SPARE: usize = 1 << 12;

/// How much larger a room should be than a record that goes on growing in it.
const AHEAD: usize = 8;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Room(Vec<Node>);

impl Room {
    /// For so many nodes, and at most twice as many.
    pub(super) fn of(count: usize) -> Self {
        Self(spare(count, fitting(count)).unwrap_or_else(|| Vec::with_capacity(count)))
    }

    /// Goes on in a spare room that is larger; else it has to be reserved.
    pub(super) fn move_on(&mut self) -> bool {
        let len = self.0.len();
        let room = spare(AHEAD * len, usize::MAX).or_else(|| largest_spare(2 * len));
        room.is_some_and(|room| self.move_to(room))
    }

    /// Makes room for so many nodes more.
    pub(super) fn reserve(&mut self, more: usize) {
        let count = self.0.len() + more;
        if count <= self.0.capacity() {
            return;
        }
        match spare(count, usize::MAX) {
            Some(room) => _ = self.move_to(room),
            None => self.0.reserve(more),
        }
    }

    fn move_to(&mut self, mut room: Vec<Node>) -> bool {
        room.append(&mut self.0);
        give_back(std::mem::replace(&mut self.0, room));
        true
    }

    /// The same nodes in about as much room as they need.
    pub(super) fn fitted(mut self) -> Self {
        if self.0.capacity() < LEAST_SPARE {
            self.0.shrink_to_fit();
        }
        if self.0.capacity() <= fitting(self.0.len()) {
            return self;
        }
        let mut fitted = Self::of(self.0.len());
        fitted.0.append(&mut self.0);
        fitted
    }
}

/// The largest room for so many nodes that are kept. With less there is seldom one to be had, and new memory takes a tenth of a
/// search of a million nodes.
const fn fitting(count: usize) -> usize {
    2 * count
}

/// The smallest spare room for at least so many and at most so many.
fn spare(least: usize, most: usize) -> Option<Vec<Node>> {
    let mut spare = lock(&SPARE);
    let n = spare.iter().rposition(|room| least <= room.capacity()).filter(|&n| spare[n].capacity() <= most)?;
    Some(spare.remove(n))
}

/// The largest spare room, if it is for more than so many.
fn largest_spare(above: usize) -> Option<Vec<Node>> {
    let mut spare = lock(&SPARE);
    spare.first().is_some_and(|room| above < room.capacity()).then(|| spare.remove(0))
}

fn give_back(mut room: Vec<Node>) {
    if !(LEAST_SPARE..=MOST_SPARE).contains(&room.capacity()) {
        return;
    }
    room.clear();
    let mut spare = lock(&SPARE);
    let at = spare.partition_point(|other| room.capacity() < other.capacity());
    spare.insert(at, room);
    // The smallest are the last, and soon had again.
    let mut all = 0;
    let kept = spare.iter().take_while(|room| {
        all += room.capacity();
        all <= MOST_SPARE
    });
    let kept = kept.count();
    let gone = spare.split_off(kept);
    drop(spare);
    drop(gone);
}

impl Drop for Room {
    fn drop(&mut self) {
        give_back(std::mem::take(&mut self.0));
    }
}

impl Deref for Room {
    type Target = Vec<Node>;

    fn deref(&self) -> &Vec<Node> {
        &self.0
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut Vec<Node> {
        &mut self.0
    }
}
