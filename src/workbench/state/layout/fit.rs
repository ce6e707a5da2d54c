//! Fits the lengths of tiles to a change of size.

use std::collections::BTreeMap;

use egui::{Vec2, vec2};
use egui_tiles::{Container, LinearDir, Tile, TileId, Tiles};
use serde::{Deserialize, Serialize};

use super::{LEAST, plausible};
use crate::workbench::command::Panel;
use crate::workbench::theme;

/// The lengths of tiles in their rows and columns, by the number of the tile.
type Lengths = BTreeMap<u64, f32>;

/// The size and the lengths that the user chose, from which those of any other size follow, so that zooming in and back
/// changes nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Chosen {
    size: Vec2,
    lengths: Lengths,
    /// The lengths at the current size. Tiles that differ from them were changed by the user.
    fitted: Lengths,
}

impl Chosen {
    /// Fits the tiles below `root`, which fill `old`, to a new size.
    pub(super) fn fit(&mut self, tiles: &mut Tiles<Panel>, root: TileId, old: Vec2, new: Vec2) {
        let current = lengths(tiles);
        if current != self.fitted || self.size.min_elem() < 1.0 {
            (self.size, self.lengths) = (old, current);
        }
        set_lengths(tiles, &self.lengths);
        if new != self.size {
            fit(tiles, root, self.size, new);
        }
        self.fitted = lengths(tiles);
    }

    /// Whether the lengths can be those of tiles, or there are none yet: a file may contain anything.
    pub(super) fn is_sound(&self) -> bool {
        let size = [self.size.x, self.size.y];
        self.size == Vec2::ZERO || self.lengths.values().copied().chain(size).all(plausible)
    }
}

fn lengths(tiles: &Tiles<Panel>) -> Lengths {
    let linear = tiles.tiles().filter_map(|tile| match tile {
        Tile::Container(Container::Linear(linear)) => Some(linear),
        _ => None,
    });
    linear
        .flat_map(|linear| {
            linear
                .children
                .iter()
                .map(|&child| (child.0, linear.shares[child]))
        })
        .collect()
}

fn set_lengths(tiles: &mut Tiles<Panel>, lengths: &Lengths) {
    for tile in tiles.tiles_mut() {
        if let Tile::Container(Container::Linear(linear)) = tile {
            for child in &linear.children {
                if let Some(&length) = lengths.get(&child.0) {
                    linear.shares.set_share(*child, length);
                }
            }
        }
    }
}

fn stretch(tiles: &Tiles<Panel>, id: TileId) -> u8 {
    match tiles.get(id) {
        Some(Tile::Pane(panel)) => panel.stretch(),
        Some(Tile::Container(container)) => container
            .children()
            .map(|&child| stretch(tiles, child))
            .max()
            .unwrap_or(0),
        None => 0,
    }
}

fn fit(tiles: &mut Tiles<Panel>, id: TileId, old: Vec2, new: Vec2) {
    match tiles.get(id) {
        Some(Tile::Container(Container::Tabs(tabs))) => {
            let bar = vec2(0.0, theme::TAB);
            for child in tabs.children.clone() {
                fit(tiles, child, old - bar, new - bar);
            }
        }
        Some(Tile::Container(Container::Linear(linear))) => {
            let (dir, children, shares) =
                (linear.dir, linear.children.clone(), linear.shares.clone());
            let axis = usize::from(dir == LinearDir::Vertical);
            let room =
                |size: Vec2| (size[axis] - theme::GAP * (children.len() as f32 - 1.0)).max(1.0);
            let before = shares.split(&children, room(old));
            let after = refit(&before, room(new), LEAST[axis], |i| {
                stretch(tiles, children[i])
            });
            if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(id) {
                for (&child, &points) in children.iter().zip(&after) {
                    linear.shares.set_share(child, points);
                }
            }
            for ((&child, before), after) in children.iter().zip(before).zip(after) {
                let (mut old, mut new) = (old, new);
                (old[axis], new[axis]) = (before, after);
                fit(tiles, child, old, new);
            }
        }
        _ => {}
    }
}

/// New lengths for `room`: the change is shared in proportion to stretch, but no length falls below its minimum.
fn refit(before: &[f32], room: f32, least: f32, stretch: impl Fn(usize) -> u8) -> Vec<f32> {
    let mut points = before.to_vec();
    let mut free: Vec<usize> = (0..before.len()).collect();
    loop {
        let change = room - points.iter().sum::<f32>();
        let whole: f32 = free.iter().map(|&i| f32::from(stretch(i).max(1))).sum();
        free.iter()
            .for_each(|&i| points[i] += change * f32::from(stretch(i).max(1)) / whole);
        let floor = |i: usize| before[i].min(least);
        let (low, others): (Vec<usize>, Vec<usize>) =
            free.iter().copied().partition(|&i| points[i] < floor(i));
        if low.is_empty() || others.is_empty() {
            break;
        }
        low.into_iter().for_each(|i| points[i] = floor(i));
        free = others;
    }
    points.into_iter().map(|points| points.max(1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shared_by_stretch_and_nothing_falls_below_its_least() {
        let refit = |before: &[f32], room: f32| refit(before, room, 316.0, |i| [1, 6, 3][i]);
        assert_eq!(refit(&[392.0, 816.0, 376.0], 1684.0), [402.0, 876.0, 406.0]);
        for room in [1500.0, 1200.0, 1000.0, 950.0] {
            let points = refit(&[392.0, 816.0, 376.0], room);
            assert!(
                (points.iter().sum::<f32>() - room).abs() < 1e-2,
                "{points:?}"
            );
            assert!(points.iter().all(|&points| 315.9 < points), "{points:?}");
        }
        let narrow = refit(&[392.0, 816.0, 376.0], 600.0);
        assert!(
            (narrow.iter().sum::<f32>() - 600.0).abs() < 1e-2,
            "no room for all at their least: {narrow:?}"
        );
        assert_eq!(
            refit(&[200.0, 900.0, 376.0], 1376.0)[0],
            200.0,
            "what is small already is not made smaller"
        );
    }
}
