//! Where the panels are: the arrangement for each width of window, and how it follows a change of size.
//!
//! A wide window, a medium one and a narrow one each have an arrangement of their own, so that making the window small
//! for a while loses nothing. Within one class the columns keep their width in points and the one that
//! holds the search tree takes what is left.

mod arrangements;
mod fit;
mod splitter;

use std::collections::BTreeSet;

use egui::{Id, Vec2, vec2};
use egui_tiles::{Container, ContainerKind, Linear, LinearDir, SimplificationOptions, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

pub use splitter::{LEAST_TILE, Splitter};

use crate::workbench::command::{Arrangement, DockPlace, Panel};
use arrangements::{medium, narrow, wide};
use fit::fit;

/// How much room there is, by the width of the window in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// From 1200: three columns.
    Wide,
    /// From 900: the strategy is a tab beside the experiment.
    Medium,
    /// Less: one column of tabs.
    Narrow,
}

impl Class {
    pub fn of_width(width: f32) -> Self {
        match width {
            width if 1200.0 <= width => Self::Wide,
            width if 900.0 <= width => Self::Medium,
            _ => Self::Narrow,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layout {
    size: Vec2,
    pub tree: Tree<Panel>,
}

const DOWN: LinearDir = LinearDir::Vertical;
const ACROSS: LinearDir = LinearDir::Horizontal;

/// More tiles than a person can make; a file with more is not a layout.
const MOST_TILES: usize = 64;
/// No panel becomes smaller than this while others can give: a tab, the table of a decision and two lines of its sentence.
const LEAST: Vec2 = vec2(316.0, 252.0);

impl Layout {
    /// The arrangement at first start and after a reset.
    pub fn first(class: Class) -> Self {
        Self::arranged(class, Arrangement::Play)
    }

    /// The arrangement that serves one purpose best.
    pub fn arranged(class: Class, arrangement: Arrangement) -> Self {
        let mut tiles = Tiles::default();
        let (name, size, root) = match class {
            Class::Wide => ("wide layout", vec2(1592.0, 948.0), wide(&mut tiles, arrangement)),
            Class::Medium => ("medium layout", vec2(1016.0, 648.0), medium(&mut tiles, arrangement)),
            Class::Narrow => ("narrow layout", vec2(792.0, 548.0), narrow(&mut tiles, arrangement)),
        };
        Self { size, tree: Tree::new(Id::unique(name), root, tiles) }
    }

    /// Follows the window to a new size: panels take of the change as much as they stretch.
    pub fn fit(&mut self, size: Vec2) {
        if size == self.size || size.min_elem() < 1.0 {
            return;
        }
        if let Some(root) = self.tree.root() {
            fit(&mut self.tree.tiles, root, self.size, size);
        }
        self.size = size;
    }

    pub fn show(&mut self, panel: Panel) {
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == panel));
    }

    pub fn shown(&self) -> BTreeSet<Panel> {
        let tiles = &self.tree.tiles;
        self.tree.active_tiles().iter().filter_map(|id| tiles.get_pane(id).copied()).collect()
    }

    /// Where a panel was drawn last, if it is shown.
    pub fn rect_of(&self, panel: Panel) -> Option<egui::Rect> {
        let tile = self.tree.tiles.find_pane(&panel).filter(|_| self.shows(panel))?;
        self.tree.tiles.rect(tile)
    }

    pub fn shows(&self, panel: Panel) -> bool {
        self.shown().contains(&panel)
    }

    /// Whether two panels are tabs of the same place, so that only one of them can be seen.
    pub fn shares_tabs(&self, a: Panel, b: Panel) -> bool {
        self.tabs_of(a).is_some_and(|tabs| self.tabs_of(b) == Some(tabs))
    }

    /// Takes panels in that this arrangement does not know, because it was made by an earlier version: beside the panel
    /// with which they share their tabs in the first arrangement, else beside the strategy.
    fn take_in_new_panels(&mut self, class: Class) {
        let first = Self::first(class);
        for panel in Panel::all() {
            if self.tree.tiles.find_pane(&panel).is_some() {
                continue;
            }
            let neighbours = Panel::all().filter(|&other| first.shares_tabs(panel, other));
            let mut places = neighbours.chain([Panel::Strategy]).filter_map(|other| self.tabs_of(other));
            if let Some(tabs) = places.next() {
                let pane = self.tree.tiles.insert_pane(panel);
                if let Some(Tile::Container(Container::Tabs(tabs))) = self.tree.tiles.get_mut(tabs) {
                    // Behind the one that is shown.
                    tabs.children.push(pane);
                }
            }
        }
    }

    /// Puts a panel beside another one that is seen; whether that changed anything.
    pub fn dock(&mut self, panel: Panel, place: DockPlace, beside: Panel) -> bool {
        let tiles = &mut self.tree.tiles;
        let Some(tile) = tiles.find_pane(&panel).filter(|_| panel != beside) else { return false };
        let Some(target) = tiles.find_pane(&beside).and_then(|tile| tiles.parent_of(tile)) else { return false };
        if let Some(Tile::Container(old)) = tiles.parent_of(tile).and_then(|parent| tiles.get_mut(parent)) {
            old.remove_child(tile);
        }
        let (dir, is_before) = match place {
            DockPlace::Tab => {
                if let Some(Tile::Container(target)) = tiles.get_mut(target) {
                    target.add_child(tile);
                }
                self.tidy();
                self.show(panel);
                return true;
            }
            DockPlace::Left => (ACROSS, true),
            DockPlace::Right => (ACROSS, false),
            DockPlace::Above => (DOWN, true),
            DockPlace::Below => (DOWN, false),
        };
        let new = tiles.insert_tab_tile(vec![tile]);
        let parent = tiles.parent_of(target);
        if let Some(Tile::Container(Container::Linear(linear))) = parent.and_then(|parent| tiles.get_mut(parent))
            && linear.dir == dir
            && let Some(at) = linear.children.iter().position(|&child| child == target)
        {
            // Both share what the one had.
            let half = linear.shares[target] / 2.0;
            linear.children.insert(at + usize::from(!is_before), new);
            linear.shares.set_share(target, half);
            linear.shares.set_share(new, half);
        } else {
            let pair = if is_before { [new, target] } else { [target, new] };
            let both = tiles.insert_container(Linear::new_binary(dir, pair, 0.5));
            match parent.and_then(|parent| tiles.get_mut(parent)) {
                Some(Tile::Container(container)) => drop(container.replace_child(target, both)),
                _ => self.tree.root = Some(both),
            }
        }
        self.tidy();
        true
    }

    /// Takes out what became empty, as the next frame would.
    fn tidy(&mut self) {
        let options = SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() };
        self.tree.simplify(&options);
    }

    fn tabs_of(&self, panel: Panel) -> Option<TileId> {
        let tiles = &self.tree.tiles;
        let parent = tiles.parent_of(tiles.find_pane(&panel)?)?;
        tiles.get_container(parent).is_some_and(|container| container.kind() == ContainerKind::Tabs).then_some(parent)
    }

    /// Whether every panel is there once and nothing else is: a file may say anything.
    fn is_sound(&self) -> bool {
        let plausible = |x: f32| x.is_finite() && 0.0 < x && x < 100_000.0;
        let Some(root) = self.tree.root() else { return false };
        if MOST_TILES < self.tree.tiles.len() || !plausible(self.size.x) || !plausible(self.size.y) {
            return false;
        }
        let (mut seen, mut panels, mut open) = (BTreeSet::new(), Vec::new(), vec![root]);
        while let Some(id) = open.pop() {
            if !seen.insert(id.0) || !self.tree.tiles.is_visible(id) {
                return false;
            }
            match self.tree.tiles.get(id) {
                None => return false,
                Some(Tile::Pane(panel)) => panels.push(*panel),
                Some(Tile::Container(container)) => {
                    if let Container::Linear(linear) = container
                        && !linear.shares.iter().all(|(_, &share)| plausible(share))
                    {
                        return false;
                    }
                    open.extend(container.children());
                }
            }
        }
        // In the order of `Panel`, as all are.
        panels.sort_unstable();
        seen.len() == self.tree.tiles.len() && Panel::all().eq(panels)
    }
}

/// The arrangements a person made; a class they never changed has none and gets the first one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layouts {
    wide: Option<Layout>,
    medium: Option<Layout>,
    narrow: Option<Layout>,
}

impl Layouts {
    pub fn of(&mut self, class: Class) -> &mut Layout {
        self.slot(class).get_or_insert_with(|| Layout::first(class))
    }

    /// Arranges the panels for a purpose; the old arrangement is returned for an undo.
    pub fn arrange(&mut self, class: Class, arrangement: Arrangement) -> Layout {
        let new = Layout::arranged(class, arrangement);
        self.slot(class).replace(new).unwrap_or_else(|| Layout::first(class))
    }

    /// Whether these are the others as they fit the window now: nobody has changed one.
    pub fn are_fitted(&self, others: &Self) -> bool {
        let mut others = others.clone();
        for (class, layout) in [(Class::Wide, &self.wide), (Class::Medium, &self.medium), (Class::Narrow, &self.narrow)]
        {
            if let Some(Layout { size, .. }) = layout {
                others.of(class).fit(*size);
            }
        }
        *self == others
    }

    pub fn restore(&mut self, class: Class, layout: Layout) {
        *self.slot(class) = Some(layout);
    }

    /// Takes in panels that an earlier version did not have, and drops arrangements that are not sound.
    pub fn check(&mut self) {
        for class in [Class::Wide, Class::Medium, Class::Narrow] {
            let slot = self.slot(class);
            if let Some(layout) = slot {
                layout.tree.tiles.recompute_next_tile_id();
                layout.take_in_new_panels(class);
            }
            slot.take_if(|layout| !layout.is_sound());
        }
    }

    fn slot(&mut self, class: Class) -> &mut Option<Layout> {
        match class {
            Class::Wide => &mut self.wide,
            Class::Medium => &mut self.medium,
            Class::Narrow => &mut self.narrow,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [Class; 3] = [Class::Wide, Class::Medium, Class::Narrow];

    #[test]
    fn a_panel_goes_beside_any_other_and_every_panel_stays() {
        for class in [Class::Wide, Class::Medium, Class::Narrow] {
            for place in DockPlace::ALL {
                for panel in Panel::all() {
                    let mut layout = Layout::first(class);
                    let beside = layout.shown().into_iter().find(|&other| other != panel);
                    let Some(beside) = beside else { continue };
                    assert!(layout.dock(panel, place, beside) && !layout.dock(panel, place, panel));
                    assert!(layout.is_sound(), "{class:?}: {panel:?} {place:?} {beside:?}");
                    assert!(layout.shows(panel));
                    assert_eq!(layout.shares_tabs(panel, beside), place == DockPlace::Tab);
                }
            }
        }
    }

    #[test]
    fn the_first_layouts_are_sound_and_survive_a_file() {
        for class in CLASSES {
            for arrangement in Arrangement::ALL {
                let layout = Layout::arranged(class, arrangement);
                assert!(layout.is_sound(), "{class:?} {arrangement:?}");
                let text = ron::to_string(&layout).expect("written");
                assert_eq!(ron::from_str::<Layout>(&text).expect("read"), layout);
            }
        }
    }

    #[test]
    fn a_layout_that_lacks_or_repeats_a_panel_is_dropped() {
        for change in [(Panel::Games, Panel::Results), (Panel::Board, Panel::Decision)] {
            let mut layouts = Layouts::default();
            layouts.restore(Class::Wide, Layout::first(Class::Wide));
            for tile in layouts.of(Class::Wide).tree.tiles.tiles_mut() {
                if let Tile::Pane(panel) = tile
                    && *panel == change.0
                {
                    *panel = change.1;
                }
            }
            layouts.check();
            assert_eq!(layouts, Layouts::default());
        }
    }

    #[test]
    fn an_arrangement_of_an_earlier_version_takes_new_panels_in() {
        let new = [Panel::Palette, Panel::Pinned, Panel::Compare];
        for class in CLASSES {
            let first = Layout::first(class);
            let mut old = first.clone();
            let ids: Vec<TileId> = new.iter().filter_map(|panel| old.tree.tiles.find_pane(panel)).collect();
            for &id in &ids {
                old.tree.tiles.remove(id);
                for tile in old.tree.tiles.tiles_mut() {
                    if let Tile::Container(Container::Tabs(tabs)) = tile {
                        tabs.children.retain(|&child| child != id);
                    }
                }
            }
            assert_eq!(ids.len(), new.len());
            assert!(!old.is_sound());
            let shown = old.shown();
            let mut layouts = Layouts::default();
            layouts.restore(class, old);
            layouts.check();
            let taken = layouts.of(class);
            assert!(taken.is_sound() && taken.shown() == shown, "{class:?}");
            for panel in new {
                let beside = Panel::all().filter(|&other| other != panel && !new.contains(&other));
                let mut beside = beside.filter(|&other| first.shares_tabs(panel, other));
                assert!(beside.any(|other| taken.shares_tabs(panel, other)), "{panel:?} in {class:?}");
            }
        }
    }

    #[test]
    fn a_layout_that_contains_itself_is_dropped() {
        let mut layout = Layout::first(Class::Wide);
        let root = layout.tree.root().expect("a root");
        if let Some(Tile::Container(container)) = layout.tree.tiles.get_mut(root) {
            container.add_child(root);
        }
        assert!(!layout.is_sound());
    }

    #[test]
    fn the_board_grows_with_the_window() {
        let mut layout = Layout::first(Class::Wide);
        let side = |layout: &Layout| {
            let parent = |id| layout.tree.tiles.parent_of(id).expect("in a place");
            let tabs = parent(layout.tree.tiles.find_pane(&Panel::Board).expect("the board"));
            let Some(Container::Linear(linear)) = layout.tree.tiles.get_container(parent(tabs)) else { panic!() };
            linear.shares[tabs]
        };
        let before = side(&layout);
        layout.fit(vec2(2552.0, 1388.0));
        assert!(before * 1.3 < side(&layout));
    }

    #[test]
    fn growing_and_shrinking_back_changes_nothing() {
        let first = Layout::first(Class::Wide);
        let mut layout = first.clone();
        layout.fit(vec2(2552.0, 1388.0));
        assert_ne!(layout, first);
        layout.fit(vec2(1592.0, 948.0));
        for (id, tile) in first.tree.tiles.iter() {
            let Tile::Container(Container::Linear(before)) = tile else { continue };
            let Some(Container::Linear(after)) = layout.tree.tiles.get_container(*id) else { panic!("another kind") };
            assert!(before.children.iter().all(|&child| (before.shares[child] - after.shares[child]).abs() < 0.01));
        }
    }

    #[test]
    fn a_panel_behind_others_comes_to_the_front() {
        let mut layout = Layout::first(Class::Narrow);
        layout.show(Panel::Games);
        assert!(layout.shows(Panel::Games) && !layout.shows(Panel::Board));
    }
}
