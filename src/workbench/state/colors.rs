//! Assigns color, line and marker to strategies, the same in every view.
//!
//! Every strategy that is open, set up or played has its own color, see `Theme::strategy`.
//!
//! | event | color |
//! | --- | --- |
//! | rename, save, duplicate, restart | the same: the color belongs to the play, not to the name |
//! | edit | the same; if the original stays in an experiment, the same hue with another dash and marker |
//! | first edit of a copy beside its original | a new one |
//! | undo, redo | as it was |
//! | close | remembered until no other color is left, so that opening it again restores the color |
//! | test, rerun, sweep, added to an experiment | open strategies keep theirs; the others get different hues |
//! | new experiment, opened run | the same |

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::strategy::StrategyHash;
use crate::workbench::theme::HUES;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Colors {
    indices: HashMap<StrategyHash, usize>,
    /// The last strategy of each color.
    holders: BTreeMap<usize, StrategyHash>,
}

/// The visible strategies.
pub(super) type Live = HashSet<StrategyHash>;

impl Colors {
    /// The color of a visible strategy; `live` returns all visible ones.
    pub(super) fn of(&mut self, hash: StrategyHash, live: impl FnOnce() -> Live) -> usize {
        let earlier = self.indices.get(&hash).copied();
        if let Some(color) = earlier.filter(|color| self.holders.get(color) == Some(&hash)) {
            return color;
        }
        let live = live();
        let color = match earlier {
            Some(color) if self.is_free(color, &live) => color,
            Some(color) => self.alike(color, &live),
            None => self.unused(&live),
        };
        self.give(color, hash)
    }

    /// The color of a strategy, if it has one and has not lost it.
    pub(super) fn known(&self, hash: StrategyHash) -> Option<usize> {
        self.indices
            .get(&hash)
            .copied()
            .filter(|color| self.holders.get(color) == Some(&hash))
    }

    /// Gives an edited strategy the color of the original, or another one of the same hue if the original stays
    /// visible. If the original is also open, as after a copy, the edited one gets a new color.
    pub(super) fn hand_on(
        &mut self,
        before: StrategyHash,
        after: StrategyHash,
        live: &Live,
        is_beside: bool,
    ) {
        if before != after && self.known(after).is_none() {
            let color = self.of(before, || live.clone());
            let color = match (is_beside, live.contains(&before)) {
                (true, _) => self.unused(live),
                (false, true) => self.alike(color, live),
                (false, false) => color,
            };
            self.give(color, after);
        }
    }

    /// A strategy with the same rows whose files changed keeps its color, even if it was drawn in another one already.
    pub(super) fn reread(&mut self, before: StrategyHash, after: StrategyHash, live: &Live) {
        match self.known(before) {
            Some(color) if !live.contains(&before) && !live.contains(&after) => {
                self.give(color, after);
            }
            _ => self.hand_on(before, after, live, false),
        }
    }

    /// Gives strategies in one plot different hues, as long as there are hues left.
    pub(super) fn part(&mut self, hash: StrategyHash, others: &[StrategyHash], live: &Live) {
        let hues: HashSet<usize> = others
            .iter()
            .filter_map(|&other| self.known(other))
            .map(|color| color % HUES)
            .collect();
        let Some(color) = self
            .known(hash)
            .filter(|color| hues.contains(&(color % HUES)))
        else {
            return;
        };
        let others = (0..HUES).filter(|hue| !hues.contains(hue));
        let unused = self.free_of(&others, live);
        let color = unused
            .or_else(|| others.clone().next().map(|hue| self.alike(hue, live)))
            .unwrap_or(color);
        self.give(color, hash);
    }

    /// Takes colors from `others`: those of visible strategies without one, and unused ones.
    pub(super) fn complete(&mut self, others: &Self, live: &Live) {
        for (&color, &hash) in &others.holders {
            let is_free = match live.contains(&hash) {
                true => self.known(hash).is_none() && self.is_free(color, live),
                false => !self.indices.contains_key(&hash) && !self.holders.contains_key(&color),
            };
            if is_free {
                self.give(color, hash);
            }
        }
    }

    fn give(&mut self, color: usize, hash: StrategyHash) -> usize {
        if let Some(old) = self.known(hash) {
            self.holders.remove(&old);
        }
        self.indices.insert(hash, color);
        self.holders.insert(color, hash);
        color
    }

    fn is_free(&self, color: usize, live: &Live) -> bool {
        self.holders
            .get(&color)
            .is_none_or(|holder| !live.contains(holder))
    }

    /// A color for a new strategy: the first one without a holder, else the first one whose holder is gone.
    fn unused(&self, live: &Live) -> usize {
        self.free_of(&(0..HUES), live)
            .or_else(|| (0..).find(|&color| self.is_free(color, live)))
            .unwrap_or_default()
    }

    /// The first of these colors without a holder, else the first one whose holder is gone.
    fn free_of(
        &self,
        colors: &(impl Iterator<Item = usize> + Clone),
        live: &Live,
    ) -> Option<usize> {
        let unheld = colors
            .clone()
            .find(|color| !self.holders.contains_key(color));
        unheld.or_else(|| colors.clone().find(|&color| self.is_free(color, live)))
    }

    /// The first free color of the same hue.
    fn alike(&self, color: usize, live: &Live) -> usize {
        (color % HUES..)
            .step_by(HUES)
            .find(|&color| self.is_free(color, live))
            .unwrap_or(color)
    }

    /// For the session file.
    pub(super) fn saved(&self) -> BTreeMap<u64, usize> {
        self.holders
            .iter()
            .map(|(&color, hash)| (hash.0, color))
            .collect()
    }

    pub(super) fn restored(saved: &BTreeMap<u64, usize>) -> Self {
        let mut colors = Self::default();
        for (&bits, &color) in saved {
            colors.give(color, StrategyHash(bits));
        }
        colors
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
    fn an_edit_keeps_the_colour_and_undo_brings_it_back() {
        let mut colors = Colors::default();
        let indices = [1, 2].map(|bits| colors.of(hash(bits), || live(&[1, 2])));
        assert_eq!(indices, [0, 1]);
        colors.hand_on(hash(2), hash(20), &live(&[1]), false);
        assert_eq!(colors.of(hash(20), || live(&[1, 20])), 1);
        assert_eq!(colors.known(hash(2)), None, "it is not shown any more");
        assert_eq!(colors.of(hash(2), || live(&[1, 2])), 1, "undo");
        assert_eq!(colors.of(hash(3), || live(&[1, 2, 3])), 2);
    }

    #[test]
    fn an_edit_beside_what_it_was_keeps_the_colour_and_has_a_marker_of_its_own() {
        let mut colors = Colors::default();
        colors.of(hash(1), || live(&[1]));
        colors.hand_on(hash(1), hash(10), &live(&[1]), false);
        let edited = colors.of(hash(10), || live(&[1, 10]));
        assert_eq!((edited % HUES, edited / HUES), (0, 1));
        colors.hand_on(hash(10), hash(11), &live(&[1]), false);
        assert_eq!(
            colors.of(hash(11), || live(&[1, 11])),
            edited,
            "a second edit stays"
        );
        // A strategy whose color was given away returns.
        assert_eq!(colors.of(hash(10), || live(&[1, 10, 11])) % HUES, 0);
    }

    #[test]
    fn strategies_that_meet_in_a_plot_have_colours_of_their_own() {
        let mut colors = Colors::default();
        colors.of(hash(1), || live(&[1]));
        colors.hand_on(hash(1), hash(10), &live(&[1]), false);
        colors.part(hash(10), &[hash(1)], &live(&[1, 10]));
        assert_eq!(colors.known(hash(10)), Some(1));
        colors.part(hash(10), &[hash(1)], &live(&[1, 10]));
        assert_eq!(colors.known(hash(10)), Some(1), "nothing to part");
    }

    #[test]
    fn what_is_saved_is_restored() {
        let mut colors = Colors::default();
        for bits in 1..=3 {
            colors.of(hash(bits), || live(&[1, 2, 3]));
        }
        colors.hand_on(hash(1), hash(10), &live(&[1, 2, 3]), false);
        colors.part(hash(1), &[hash(10)], &live(&[1, 2, 3, 10]));
        let restored = Colors::restored(&colors.saved());
        assert!((1..=10).all(|bits| restored.known(hash(bits)) == colors.known(hash(bits))));
    }

    #[test]
    fn a_strategy_that_went_to_another_colour_leaves_its_own_free() {
        let mut colors = Colors::default();
        let _ = [1, 2].map(|bits| colors.of(hash(bits), || live(&[1, 2])));
        colors.hand_on(hash(1), hash(10), &live(&[1, 2]), false);
        colors.part(hash(1), &[hash(10)], &live(&[1, 2, 10]));
        assert_eq!(colors.known(hash(1)), Some(2));
        assert_eq!(colors.of(hash(4), || live(&[1, 2, 4, 10])), 0);
    }

    #[test]
    fn colours_of_then_are_completed_by_those_that_came_later() {
        let mut then = Colors::default();
        then.of(hash(1), || live(&[1]));
        let mut now = then.clone();
        now.give(3, hash(1));
        now.give(4, hash(5));
        now.give(0, hash(6));
        then.complete(&now, &live(&[1]));
        assert_eq!(
            [1, 5, 6].map(|bits| then.known(hash(bits))),
            [Some(0), Some(4), None]
        );
    }

    #[test]
    fn undo_leaves_visible_strategies_their_colours() {
        // 1 was closed, 2 appeared without a step of undo and got its color.
        let mut then = Colors::default();
        then.of(hash(1), || live(&[1]));
        let mut now = then.clone();
        now.give(0, hash(2));
        then.complete(&now, &live(&[2]));
        assert_eq!(then.known(hash(2)), Some(0));
    }

    #[test]
    fn a_closed_strategy_keeps_its_colour_while_others_are_left() {
        let mut colors = Colors::default();
        let count = HUES as u64;
        for bits in 1..=count {
            colors.of(hash(bits), || live(&[bits]));
        }
        assert!((1..=count).all(|bits| colors.known(hash(bits)) == Some(bits as usize - 1)));
        assert_eq!(
            colors.of(hash(count + 1), || live(&[1, count + 1])),
            1,
            "the first one that is gone"
        );
    }

    #[test]
    fn a_strategy_whose_files_changed_keeps_its_colour_though_it_was_drawn_before() {
        let mut colors = Colors::default();
        let _ = [1, 2].map(|bits| colors.of(hash(bits), || live(&[1, 2])));
        assert_eq!(
            colors.of(hash(20), || live(&[1, 20])),
            2,
            "before its files were read"
        );
        colors.reread(hash(2), hash(20), &live(&[1]));
        assert_eq!(
            [1, 2, 20].map(|bits| colors.known(hash(bits))),
            [Some(0), None, Some(1)]
        );
    }

    #[test]
    fn a_copy_beside_its_original_gets_a_colour_of_its_own_with_its_first_edit() {
        let mut colors = Colors::default();
        colors.of(hash(1), || live(&[1]));
        colors.hand_on(hash(1), hash(10), &live(&[1]), true);
        colors.hand_on(hash(10), hash(11), &live(&[1]), false);
        assert_eq!(
            [1, 11].map(|bits| colors.known(hash(bits))),
            [Some(0), Some(1)]
        );
    }
}
