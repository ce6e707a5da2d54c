//! The splitters between tiles, moved by drag or by keys.

use egui::{Rect, pos2};
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId};

use super::Layout;

/// The splitter between two neighbors.
#[derive(Clone, Debug, PartialEq)]
pub struct Splitter {
    /// The row or column of tiles, and the index of the visible tile before the splitter.
    pub tiles: TileId,
    pub place: usize,
    /// Whether the neighbors are side by side.
    pub across: bool,
    /// The gap between them.
    pub rect: Rect,
    /// The visible panels on each side.
    pub sides: [String; 2],
    /// The first neighbor's share of their common size, from 0 to 1.
    pub share: f32,
    /// Their common size, in points.
    pub room: f32,
}

/// Minimum size of a tile that a splitter can produce.
pub const LEAST_TILE: f32 = 80.0;

impl Layout {
    /// The splitters between the visible tiles, as last drawn.
    pub fn splitters(&self) -> Vec<Splitter> {
        let shown = self.tree.active_tiles();
        let lines = shown.iter().filter_map(|&id| Some((id, self.linear(id)?)));
        lines
            .flat_map(|(id, linear)| self.splitters_in(id, linear.dir))
            .collect()
    }

    fn splitters_in(&self, id: TileId, dir: LinearDir) -> Vec<Splitter> {
        let (tiles, across) = (self.seen_in(id), dir == LinearDir::Horizontal);
        let between = |(place, pair): (usize, &[(TileId, Rect)])| {
            let [(a, first), (b, second)] = [pair[0], pair[1]];
            let rect = match across {
                true => Rect::from_min_max(
                    pos2(first.right(), first.top()),
                    pos2(second.left(), first.bottom()),
                ),
                false => Rect::from_min_max(
                    pos2(first.left(), first.bottom()),
                    pos2(first.right(), second.top()),
                ),
            };
            let length = |rect: Rect| rect.size()[usize::from(!across)];
            let room = (length(first) + length(second)).max(1.0);
            let sides = [self.titles(a), self.titles(b)];
            Splitter {
                tiles: id,
                place,
                across,
                rect,
                sides,
                share: length(first) / room,
                room,
            }
        };
        tiles.windows(2).enumerate().map(between).collect()
    }

    /// Moves a splitter by a distance in points; tiles behind the next neighbor also shrink, and none vanishes.
    pub fn move_splitter(&mut self, splitter: &Splitter, by: f32) {
        let tiles = self.seen_in(splitter.tiles);
        let axis = usize::from(!splitter.across);
        let mut points: Vec<f32> = tiles.iter().map(|(_, rect)| rect.size()[axis]).collect();
        if points.len() <= splitter.place + 1 || !by.is_finite() {
            return;
        }

        let (before, after) = points.split_at_mut(splitter.place + 1);
        let mut left = by.abs();
        let mut give = |points: &mut f32| {
            let given = (*points - LEAST_TILE).clamp(0.0, left);
            (*points, left) = (*points - given, left - given);
        };
        if by < 0.0 {
            before.iter_mut().rev().for_each(&mut give);
        } else {
            after.iter_mut().for_each(&mut give);
        }
        let moved = by.abs() - left;
        if by < 0.0 {
            after[0] += moved;
        } else {
            before[splitter.place] += moved;
        }

        if let Some(Tile::Container(Container::Linear(linear))) =
            self.tree.tiles.get_mut(splitter.tiles)
        {
            for ((id, _), points) in tiles.iter().zip(points) {
                linear.shares.set_share(*id, points);
            }
        }
    }

    fn linear(&self, id: TileId) -> Option<&Linear> {
        match self.tree.tiles.get(id)? {
            Tile::Container(Container::Linear(linear)) => Some(linear),
            _ => None,
        }
    }

    /// The visible tiles of a row or column, with their rectangles.
    fn seen_in(&self, id: TileId) -> Vec<(TileId, Rect)> {
        let children = self
            .linear(id)
            .map(|linear| linear.children.clone())
            .unwrap_or_default();
        children
            .into_iter()
            .filter_map(|id| Some((id, self.tree.tiles.rect(id)?)))
            .collect()
    }

    /// The visible panels in a tile.
    fn titles(&self, tile: TileId) -> String {
        let (mut open, mut titles) = (vec![tile], Vec::new());
        while let Some(id) = open.pop() {
            match self.tree.tiles.get(id) {
                Some(Tile::Pane(panel)) => titles.push(panel.title()),
                Some(Tile::Container(Container::Tabs(tabs))) => open.extend(tabs.active),
                Some(Tile::Container(container)) => {
                    let children: Vec<TileId> = container.children().copied().collect();
                    open.extend(children.into_iter().rev());
                }
                None => {}
            }
        }
        titles.join(", ")
    }
}
