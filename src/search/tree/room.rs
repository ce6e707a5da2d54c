//! Memory for the nodes of records.
//!
//! The system hands out and takes back memory page by page, which takes longer than the search that fills it. So new
//! records reuse the memory of finished ones.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use super::node::Node;
use crate::task::lock;

/// The memory of finished records, the largest block first.
static SPARE: Mutex<Vec<Vec<Node>>> = Mutex::new(Vec::new());

/// The maximum capacity of all spare blocks together, in nodes of 32 bytes.
const MOST_SPARE: usize = 5 << 20;

/// Smaller blocks are not worth reusing.
const LEAST_SPARE: usize = 1 << 12;

/// How much larger a block should be than the record that grows in it.
const AHEAD: usize = 8;

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Room(Vec<Node>);

impl Room {
    /// A block for `count` nodes, and at most twice as many.
    pub(super) fn of(count: usize) -> Self {
        Self(spare(count, fitting(count)).unwrap_or_else(|| Vec::with_capacity(count)))
    }

    /// Moves the nodes to a larger spare block. Returns false if there is none, so that memory must be reserved.
    pub(super) fn move_on(&mut self) -> bool {
        let len = self.0.len();
        let room = spare(AHEAD * len, usize::MAX).or_else(|| largest_spare(2 * len));
        room.is_some_and(|room| self.move_to(room))
    }

    /// Makes room for `more` more nodes.
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

    /// Moves the nodes to a block of about their size.
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

/// The largest block for `count` final nodes. With a tighter limit a spare block is seldom found, and new memory takes
/// a tenth of the time of a search of a million nodes.
const fn fitting(count: usize) -> usize {
    2 * count
}

/// The smallest spare block for at least `least` and at most `most` nodes.
fn spare(least: usize, most: usize) -> Option<Vec<Node>> {
    let mut spare = lock(&SPARE);
    let n = spare
        .iter()
        .rposition(|room| least <= room.capacity())
        .filter(|&n| spare[n].capacity() <= most)?;
    Some(spare.remove(n))
}

/// The largest spare block, if it is for more than `above` nodes.
fn largest_spare(above: usize) -> Option<Vec<Node>> {
    let mut spare = lock(&SPARE);
    spare
        .first()
        .is_some_and(|room| above < room.capacity())
        .then(|| spare.remove(0))
}

fn give_back(mut room: Vec<Node>) {
    if !(LEAST_SPARE..=MOST_SPARE).contains(&room.capacity()) {
        return;
    }
    room.clear();
    let mut spare = lock(&SPARE);
    let at = spare.partition_point(|other| room.capacity() < other.capacity());
    spare.insert(at, room);

    // The smallest blocks are last, and cheap to allocate again.
    let mut all = 0;
    let fitting = spare.iter().take_while(|room| {
        all += room.capacity();
        all <= MOST_SPARE
    });
    let count = fitting.count();
    let gone = spare.split_off(count);
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
