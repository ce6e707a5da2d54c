//! Which colour, line and marker a strategy has, wherever it is shown.
//!
//! Every strategy that is open, set up or played has a slot of its own, see `Theme::strategy`. What is edited keeps its slot;
//! where the one that it was made from stays beside it, it keeps the colour. Slots of what is gone are remembered until
//! another takes them, so that undo brings colours back.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::strategy::StrategyHash;
use crate::workbench::theme::HUES;

#[derive(Debug, Default)]
pub(super) struct Marks {
    slots: HashMap<StrategyHash, usize>,
    /// Who was given a slot last.
    holders: HashMap<usize, StrategyHash>,
}

/// The strategies that are shown somewhere.
pub(super) type Live = HashSet<StrategyHash>;

impl Marks {
    /// The slot of a strategy that is shown; `live` are all that are.
    pub(super) fn of(&mut self, hash: StrategyHash, live: impl FnOnce() -> Live) -> usize {
        let known = self.slots.get(&hash).copied();
        if let Some(slot) = known.filter(|slot| self.holders.get(slot) == Some(&hash)) {
            return slot;
        }
        let live = live();
        let slot = match known {
            Some(slot) if self.is_free(slot, &live) => slot,
            Some(slot) => self.alike(slot, &live),
            None => (0..).find(|&slot| self.is_free(slot, &live)).unwrap_or_default(),
        };
        self.give(slot, hash)
    }

    /// The slot of a strategy that has one and did not lose it.
    pub(super) fn known(&self, hash: StrategyHash) -> Option<usize> {
        self.slots.get(&hash).copied().filter(|slot| self.holders.get(slot) == Some(&hash))
    }

    /// What an edit has made of a strategy takes its slot, or one of that colour where what it was stays in sight.
    pub(super) fn hand_on(&mut self, before: StrategyHash, after: StrategyHash, live: &Live) {
        if before != after && self.known(after).is_none() {
            let slot = self.of(before, || live.clone());
            let slot = if live.contains(&before) { self.alike(slot, live) } else { slot };
            self.give(slot, after);
        }
    }

    /// Two strategies that meet in one plot are told apart by colour as long as there are colours left.
    pub(super) fn part(&mut self, hash: StrategyHash, others: &[StrategyHash], live: &Live) {
        let hues: HashSet<usize> =
            others.iter().filter_map(|&other| self.known(other)).map(|slot| slot % HUES).collect();
        let Some(slot) = self.known(hash).filter(|slot| hues.contains(&(slot % HUES))) else { return };
        let free = (0..HUES).find(|hue| !hues.contains(hue)).map(|hue| self.alike(hue, live));
        self.give(free.unwrap_or(slot), hash);
    }

    fn give(&mut self, slot: usize, hash: StrategyHash) -> usize {
        self.slots.insert(hash, slot);
        self.holders.insert(slot, hash);
        slot
    }

    fn is_free(&self, slot: usize, live: &Live) -> bool {
        self.holders.get(&slot).is_none_or(|holder| !live.contains(holder))
    }

    /// The first free slot of the same colour.
    fn alike(&self, slot: usize, live: &Live) -> usize {
        (slot % HUES..).step_by(HUES).find(|&slot| self.is_free(slot, live)).unwrap_or(slot)
    }

    /// For the session.
    pub(super) fn saved(&self) -> BTreeMap<u64, usize> {
        self.holders.iter().map(|(&slot, hash)| (hash.0, slot)).collect()
    }

    pub(super) fn restored(saved: &BTreeMap<u64, usize>) -> Self {
        let mut marks = Self::default();
        for (&bits, &slot) in saved {
            marks.give(slot, StrategyHash(bits));
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn hash(bits: u64) -> StrategyHash {
        StrategyHash(bits)
    }

    fn live(bits: &[u64]) -> Live {
        bits.iter().copied().map(hash).collect()
    }

    #[test]
    fn an_edit_keeps_the_slot_and_undo_brings_it_back() {
        let mut marks = Marks::default();
        let slots = [1, 2].map(|bits| marks.of(hash(bits), || live(&[1, 2])));
        assert_eq!(slots, [0, 1]);
        marks.hand_on(hash(2), hash(20), &live(&[1]));
        assert_eq!(marks.of(hash(20), || live(&[1, 20])), 1);
        assert_eq!(marks.known(hash(2)), None, "it is not shown any more");
        assert_eq!(marks.of(hash(2), || live(&[1, 2])), 1, "undo");
        assert_eq!(marks.of(hash(3), || live(&[1, 2, 3])), 2);
    }

    #[test]
    fn an_edit_beside_what_it_was_keeps_the_colour_and_has_a_marker_of_its_own() {
        let mut marks = Marks::default();
        marks.of(hash(1), || live(&[1]));
        marks.hand_on(hash(1), hash(10), &live(&[1]));
        let edited = marks.of(hash(10), || live(&[1, 10]));
        assert_eq!((edited % HUES, edited / HUES), (0, 1));
        marks.hand_on(hash(10), hash(11), &live(&[1]));
        assert_eq!(marks.of(hash(11), || live(&[1, 11])), edited, "a second edit stays");
        // A strategy that comes back to a slot that was given away.
        assert_eq!(marks.of(hash(10), || live(&[1, 10, 11])) % HUES, 0);
    }

    #[test]
    fn strategies_that_meet_in_a_plot_have_colours_of_their_own() {
        let mut marks = Marks::default();
        marks.of(hash(1), || live(&[1]));
        marks.hand_on(hash(1), hash(10), &live(&[1]));
        marks.part(hash(10), &[hash(1)], &live(&[1, 10]));
        assert_eq!(marks.known(hash(10)), Some(1));
        marks.part(hash(10), &[hash(1)], &live(&[1, 10]));
        assert_eq!(marks.known(hash(10)), Some(1), "nothing to part");
    }

    #[test]
    fn what_is_saved_is_restored() {
        let mut marks = Marks::default();
        for bits in 1..=3 {
            marks.of(hash(bits), || live(&[1, 2, 3]));
        }
        let restored = Marks::restored(&marks.saved());
        assert!((1..=3).all(|bits| restored.known(hash(bits)) == marks.known(hash(bits))));
    }
}
