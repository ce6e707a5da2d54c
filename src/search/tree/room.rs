//! Room for the nodes of a record while it is written.
//!
//! New memory comes page by page from the system and goes back to it, which takes longer than the search that fills it. So the
//! room of records that are over serves the next ones.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use super::node::Node;
use crate::task::{lock, reserve_large};

/// The room of records that are over.
static SPARE: Mutex<Vec<Vec<Node>>> = Mutex::new(Vec::new());

/// For how many nodes it is kept in all, 32 bytes each.
const MOST_SPARE: usize = 1 << 22;

/// Less is not worth it.
const LEAST_SPARE: usize = 1 << 12;

#[derive(Debug, Default)]
pub(super) struct Room(Vec<Node>);

impl Room {
    /// Goes on in the largest spare room if that is larger; else it has to be reserved.
    pub(super) fn move_on(&mut self) -> bool {
        let mut spare = lock(&SPARE);
        let largest = (0..spare.len()).max_by_key(|&n| spare[n].capacity());
        let Some(n) = largest.filter(|&n| 2 * self.0.len() < spare[n].capacity()) else { return false };
        let mut room = spare.swap_remove(n);
        drop(spare);
        room.append(&mut self.0);
        self.give_back();
        self.0 = room;
        true
    }

    /// The nodes, in as much room as they need.
    pub(super) fn into_nodes(mut self) -> Vec<Node> {
        if self.0.capacity() < LEAST_SPARE {
            self.0.shrink_to_fit();
            return std::mem::take(&mut self.0);
        }
        let mut nodes = Vec::new();
        reserve_large(&mut nodes, self.0.len());
        nodes.extend_from_slice(&self.0);
        nodes
    }

    fn give_back(&mut self) {
        let mut room = std::mem::take(&mut self.0);
        if room.capacity() < LEAST_SPARE {
            return;
        }
        room.clear();
        let mut spare = lock(&SPARE);
        if spare.iter().map(Vec::capacity).sum::<usize>() + room.capacity() <= MOST_SPARE {
            spare.push(room);
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.give_back();
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
