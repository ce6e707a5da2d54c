//! The places of the panels: the arrangement of each workspace for each class of window, and how it follows a change
//! of size.
//!
//! A workspace shows the panels for its task; each at most once. Windows of different classes have separate
//! arrangements, so that making the window small for a while loses nothing. Within one class, panels share a change of
//! size by their stretch.

mod arrangements;
mod fit;
mod splitter;

use std::collections::{BTreeMap, BTreeSet};

use egui::{Id, Vec2, vec2};
use egui_tiles::{
    Container, ContainerKind, Linear, LinearDir, SimplificationOptions, Tile, TileId, Tiles, Tree,
};
use serde::{Deserialize, Serialize};
use strum::EnumIter;

pub use splitter::{LEAST_TILE, Splitter};

use crate::workbench::command::{DockPlace, Panel, Workspace};
use arrangements::{medium, narrow, wide};
use fit::Chosen;

/// The class of a window, by its size in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, EnumIter)]
pub enum Class {
    /// From 1200: columns as the workspace needs them.
    Wide,
    /// From 900: two columns of two places each.
    Medium,
    /// Narrower, or too low for two places above each other: one row of tabs.
    Narrow,
}

/// Minimum height of a window for two places above each other.
const TWO_HIGH: f32 = 560.0;

impl Class {
    pub fn of(size: Vec2) -> Self {
        match size.x {
            _ if size.y < TWO_HIGH => Self::Narrow,
            width if 1200.0 <= width => Self::Wide,
            width if 900.0 <= width => Self::Medium,
            _ => Self::Narrow,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    size: Vec2,
    /// Empty in files of earlier versions, and until the first change of size.
    #[serde(default)]
    chosen: Chosen,
    /// Number of panels in the program when this was saved; later panels are new to it. 0 in files of earlier versions.
    #[serde(default)]
    known: usize,
    pub tree: Tree<Panel>,
}

const DOWN: LinearDir = LinearDir::Vertical;
const ACROSS: LinearDir = LinearDir::Horizontal;

/// More tiles than a user can create; a file with more is invalid.
const MOST_TILES: usize = 64;
/// Minimum size of a panel while others can shrink: a tab, the decision table and two lines of its sentence.
const LEAST: Vec2 = vec2(316.0, 252.0);

/// Whether they look the same: from which size they were fitted is no part of it.
impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size && self.known == other.known && self.tree == other.tree
    }
}

impl Layout {
    /// The arrangement of a workspace at first start and after a reset.
    pub fn first(workspace: Workspace, class: Class) -> Self {
        let mut tiles = Tiles::default();
        let (size, root) = match class {
            Class::Wide => (vec2(1584.0, 932.0), wide(&mut tiles, workspace)),
            Class::Medium => (vec2(1008.0, 632.0), medium(&mut tiles, workspace)),
            Class::Narrow => (vec2(784.0, 532.0), narrow(&mut tiles, workspace)),
        };
        let tree = Tree::new(
            Id::unique(("layout", workspace.title(), format!("{class:?}"))),
            root,
            tiles,
        );
        Self {
            size,
            chosen: Chosen::default(),
            known: Panel::all().count(),
            tree,
        }
    }

    /// Follows the window to a new size: panels share the change by their stretch.
    pub fn fit(&mut self, size: Vec2) {
        if size == self.size || size.min_elem() < 1.0 {
            return;
        }
        if let Some(root) = self.tree.root() {
            self.chosen.fit(&mut self.tree.tiles, root, self.size, size);
        }
        self.size = size;
    }

    /// Brings a panel to the front. A missing one becomes the last tab next to `beside`, or of the first place.
    pub fn show(&mut self, panel: Panel, beside: Panel) {
        if !self.has(panel) {
            self.add(panel, beside);
        }
        self.tree
            .make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == panel));
    }

    /// Whether the layout has a panel, in front or behind others.
    pub fn has(&self, panel: Panel) -> bool {
        self.tree.tiles.find_pane(&panel).is_some()
    }

    fn add(&mut self, panel: Panel, beside: Panel) {
        let mut places = std::iter::once(beside)
            .chain(self.shown())
            .filter_map(|other| self.tabs_of(other));
        let Some(place) = places.next() else { return };
        let pane = self.tree.tiles.insert_pane(panel);
        if let Some(Tile::Container(place)) = self.tree.tiles.get_mut(place) {
            place.add_child(pane);
        }
    }

    /// Removes a panel unless it is the last one; true if it changed anything.
    pub fn close(&mut self, panel: Panel) -> bool {
        let Some(pane) = self.tree.tiles.find_pane(&panel) else {
            return false;
        };
        if self.panels().nth(1).is_none() {
            return false;
        }
        self.tree.remove_recursively(pane);
        self.tidy();
        true
    }

    /// All panels of the layout, in front or behind others.
    pub fn panels(&self) -> impl Iterator<Item = Panel> {
        self.tree.tiles.tiles().filter_map(|tile| match tile {
            Tile::Pane(panel) => Some(*panel),
            Tile::Container(_) => None,
        })
    }

    pub fn shown(&self) -> BTreeSet<Panel> {
        let tiles = &self.tree.tiles;
        self.tree
            .active_tiles()
            .iter()
            .filter_map(|id| tiles.get_pane(id).copied())
            .collect()
    }

    /// The last rectangle of a visible panel.
    pub fn rect_of(&self, panel: Panel) -> Option<egui::Rect> {
        let tile = self
            .tree
            .tiles
            .find_pane(&panel)
            .filter(|_| self.shows(panel))?;
        self.tree.tiles.rect(tile)
    }

    pub fn shows(&self, panel: Panel) -> bool {
        self.shown().contains(&panel)
    }

    /// Whether two panels are tabs of the same place, so that only one can be visible.
    pub fn shares_tabs(&self, a: Panel, b: Panel) -> bool {
        self.tabs_of(a)
            .is_some_and(|tabs| self.tabs_of(b) == Some(tabs))
    }

    /// Adds panels of the workspace that an earlier version did not have, each next to a panel of the same tabs in the
    /// default layout.
    fn take_in_new_panels(&mut self, first: &Self) {
        for panel in Panel::all().skip(std::mem::replace(&mut self.known, first.known)) {
            let mut neighbours = first
                .panels()
                .filter(|&other| first.shares_tabs(panel, other) && self.has(other));
            let beside = neighbours.next().unwrap_or(panel);
            drop(neighbours);
            if first.has(panel) && !self.has(panel) {
                let shown = self.shown();
                self.add(panel, beside);
                // Behind the visible panel.
                self.tree.make_active(
                    |_, tile| matches!(tile, Tile::Pane(pane) if shown.contains(pane)),
                );
            }
        }
    }

    /// Removes the hidden panels.
    fn drop_hidden(&mut self) {
        let shown = self.shown();
        let hidden: Vec<Panel> = self
            .panels()
            .filter(|panel| !shown.contains(panel))
            .collect();
        for panel in hidden {
            self.close(panel);
        }
    }

    /// Moves a panel next to a visible one; true if it changed anything.
    pub fn dock(&mut self, panel: Panel, place: DockPlace, beside: Panel) -> bool {
        let tiles = &mut self.tree.tiles;
        let Some(tile) = tiles.find_pane(&panel).filter(|_| panel != beside) else {
            return false;
        };
        let Some(target) = tiles
            .find_pane(&beside)
            .and_then(|tile| tiles.parent_of(tile))
        else {
            return false;
        };
        if let Some(Tile::Container(old)) = tiles
            .parent_of(tile)
            .and_then(|parent| tiles.get_mut(parent))
        {
            old.remove_child(tile);
        }

        let (dir, is_before) = match place {
            DockPlace::Tab => {
                if let Some(Tile::Container(target)) = tiles.get_mut(target) {
                    target.add_child(tile);
                }
                self.tidy();
                self.show(panel, beside);
                return true;
            }
            DockPlace::Left => (ACROSS, true),
            DockPlace::Right => (ACROSS, false),
            DockPlace::Above => (DOWN, true),
            DockPlace::Below => (DOWN, false),
        };

        let new = tiles.insert_tab_tile(vec![tile]);
        let parent = tiles.parent_of(target);
        if let Some(Tile::Container(Container::Linear(linear))) =
            parent.and_then(|parent| tiles.get_mut(parent))
            && linear.dir == dir
            && let Some(at) = linear.children.iter().position(|&child| child == target)
        {
            // Both share the space of the target.
            let half = linear.shares[target] / 2.0;
            linear.children.insert(at + usize::from(!is_before), new);
            linear.shares.set_share(target, half);
            linear.shares.set_share(new, half);
        } else {
            let pair = if is_before {
                [new, target]
            } else {
                [target, new]
            };
            let both = tiles.insert_container(Linear::new_binary(dir, pair, 0.5));
            match parent.and_then(|parent| tiles.get_mut(parent)) {
                Some(Tile::Container(container)) => drop(container.replace_child(target, both)),
                _ => self.tree.root = Some(both),
            }
        }

        self.tidy();
        true
    }

    /// Removes empty containers, as the next frame would.
    fn tidy(&mut self) {
        let options = SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..SimplificationOptions::default()
        };
        self.tree.simplify(&options);
    }

    fn tabs_of(&self, panel: Panel) -> Option<TileId> {
        let tiles = &self.tree.tiles;
        let parent = tiles.parent_of(tiles.find_pane(&panel)?)?;
        tiles
            .get_container(parent)
            .is_some_and(|container| container.kind() == ContainerKind::Tabs)
            .then_some(parent)
    }

    /// Whether the layout has panels, each at most once, and nothing else: a file may contain anything.
    fn is_sound(&self) -> bool {
        let Some(root) = self.tree.root() else {
            return false;
        };
        if MOST_TILES < self.tree.tiles.len()
            || !plausible(self.size.x)
            || !plausible(self.size.y)
            || !self.chosen.is_sound()
        {
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

        let distinct: BTreeSet<&Panel> = panels.iter().collect();
        seen.len() == self.tree.tiles.len() && !panels.is_empty() && distinct.len() == panels.len()
    }
}

/// Whether this can be a length in points.
fn plausible(x: f32) -> bool {
    x.is_finite() && 0.0 < x && x < 100_000.0
}

/// The current workspace, and the arrangements that the user has seen; others are the defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layouts {
    pub workspace: Workspace,
    seen: BTreeMap<(Workspace, Class), Layout>,
    /// Arrangements of all panels, from versions without workspaces.
    #[serde(skip_serializing)]
    wide: Option<Layout>,
    #[serde(skip_serializing)]
    medium: Option<Layout>,
    #[serde(skip_serializing)]
    narrow: Option<Layout>,
}

impl Layouts {
    /// The arrangement of the current workspace.
    pub fn of(&mut self, class: Class) -> &mut Layout {
        let workspace = self.workspace;
        self.seen
            .entry((workspace, class))
            .or_insert_with(|| Layout::first(workspace, class))
    }

    /// Resets the current workspace; returns the old arrangement for undo.
    pub fn reset(&mut self, class: Class) -> Layout {
        let first = Layout::first(self.workspace, class);
        std::mem::replace(self.of(class), first)
    }

    /// Whether `others`, fitted to the window, equals this: the user changed nothing.
    pub fn are_fitted(&self, others: &Self) -> bool {
        let mut others = others.clone();
        for (&(workspace, class), layout) in &self.seen {
            let other = others
                .seen
                .entry((workspace, class))
                .or_insert_with(|| Layout::first(workspace, class));
            other.fit(layout.size);
        }
        *self == others
    }

    /// Whether the current workspace has another panel left if one is closed.
    pub fn can_close(&self, class: Class) -> bool {
        self.seen
            .get(&(self.workspace, class))
            .is_none_or(|layout| layout.panels().nth(1).is_some())
    }

    pub fn restore(&mut self, workspace: Workspace, class: Class, layout: Layout) {
        self.seen.insert((workspace, class), layout);
    }

    /// Adds panels that an earlier version did not have, and drops invalid arrangements. The visible part of an
    /// arrangement of all panels becomes the overview.
    pub fn check(&mut self) {
        let old = [
            (Class::Wide, self.wide.take()),
            (Class::Medium, self.medium.take()),
            (Class::Narrow, self.narrow.take()),
        ];
        for (class, layout) in old {
            if let Some(mut layout) = layout.filter(Layout::is_sound) {
                layout.tree.tiles.recompute_next_tile_id();
                layout.drop_hidden();
                self.seen
                    .entry((Workspace::Overview, class))
                    .or_insert(layout);
            }
        }

        self.seen.retain(|&(workspace, class), layout| {
            layout.tree.tiles.recompute_next_tile_id();
            let is_sound = layout.is_sound();
            if is_sound {
                layout.take_in_new_panels(&Layout::first(workspace, class));
            }
            is_sound
        });
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    fn all() -> impl Iterator<Item = (Workspace, Class)> {
        Workspace::iter().flat_map(|workspace| Class::iter().map(move |class| (workspace, class)))
    }

    #[test]
    fn a_panel_goes_beside_any_other_and_no_panel_is_lost() {
        for (workspace, class) in all() {
            for (place, panel) in
                DockPlace::iter().flat_map(|place| Panel::all().map(move |panel| (place, panel)))
            {
                let mut layout = Layout::first(workspace, class);
                let beside = layout.shown().into_iter().find(|&other| other != panel);
                let Some(beside) = beside else { continue };
                layout.show(panel, beside);
                let panels: BTreeSet<Panel> = layout.panels().collect();
                // In a place of its own, or at least in other tabs.
                let beside = layout.shown().into_iter().find(|&other| other != panel);
                let Some(beside) = beside else { continue };
                assert!(layout.dock(panel, place, beside) && !layout.dock(panel, place, panel));
                assert!(
                    layout.is_sound(),
                    "{workspace:?} {class:?}: {panel:?} {place:?} {beside:?}"
                );
                assert!(layout.shows(panel));
                assert_eq!(layout.shares_tabs(panel, beside), place == DockPlace::Tab);
                assert_eq!(layout.panels().collect::<BTreeSet<_>>(), panels);
            }
        }
    }

    #[test]
    fn a_panel_of_elsewhere_is_a_tab_beside_the_one_that_asked_until_it_is_closed() {
        for (workspace, class) in all() {
            let first = Layout::first(workspace, class);
            for panel in Panel::all().filter(|&panel| !first.has(panel)) {
                for beside in first.shown() {
                    let mut layout = first.clone();
                    layout.show(panel, beside);
                    assert!(
                        layout.is_sound()
                            && layout.shows(panel)
                            && layout.shares_tabs(panel, beside)
                    );
                    assert!(layout.close(panel) && !layout.has(panel));
                    assert_eq!(
                        layout.panels().collect::<BTreeSet<_>>(),
                        first.panels().collect()
                    );
                }
            }
        }
    }

    #[test]
    fn the_last_panel_stays() {
        for (workspace, class) in all() {
            let mut layout = Layout::first(workspace, class);
            let panels: Vec<Panel> = layout.panels().collect();
            for (place, &panel) in panels.iter().enumerate() {
                assert_eq!(layout.close(panel), place + 1 < panels.len());
                assert!(layout.is_sound() && !layout.shown().is_empty());
            }
        }
    }

    #[test]
    fn the_first_layouts_are_sound_and_survive_a_file() {
        for (workspace, class) in all() {
            let layout = Layout::first(workspace, class);
            assert!(layout.is_sound(), "{workspace:?} {class:?}");
            let text = ron::to_string(&layout).expect("written");
            assert_eq!(ron::from_str::<Layout>(&text).expect("read"), layout);
        }
        let mut layouts = Layouts {
            workspace: Workspace::Search,
            ..Layouts::default()
        };
        layouts.of(Class::Medium).show(Panel::Games, Panel::Why);
        let text = ron::to_string(&layouts).expect("written");
        let mut read: Layouts = ron::from_str(&text).expect("read");
        read.check();
        assert_eq!(read, layouts);
    }

    #[test]
    fn every_panel_is_in_some_workspace_of_every_width() {
        for class in Class::iter() {
            let panels: Vec<_> = Workspace::iter()
                .map(|workspace| Layout::first(workspace, class))
                .collect();
            for panel in Panel::all() {
                assert!(
                    panels.iter().any(|layout| layout.has(panel)),
                    "{panel:?} in {class:?}"
                );
            }
        }
    }

    #[test]
    fn a_layout_that_repeats_a_panel_is_dropped() {
        let mut layouts = Layouts::default();
        for tile in layouts.of(Class::Wide).tree.tiles.tiles_mut() {
            if let Tile::Pane(panel) = tile
                && *panel == Panel::Decision
            {
                *panel = Panel::Board;
            }
        }
        layouts.check();
        assert_eq!(layouts, Layouts::default());
    }

    #[test]
    fn panels_that_are_new_come_in_and_closed_ones_do_not_come_back() {
        for (workspace, class) in all() {
            let first = Layout::first(workspace, class);
            let newest = first.panels().max().expect("a panel");
            let mut layouts = Layouts {
                workspace,
                ..Layouts::default()
            };
            if !layouts.of(class).close(newest) {
                continue;
            }
            layouts.check();
            assert!(
                !layouts.of(class).has(newest),
                "{workspace:?} {class:?}: it was closed"
            );
            layouts.of(class).known = newest as usize;
            let shown = layouts.of(class).shown();
            layouts.check();
            let taken = layouts.of(class);
            assert!(taken.is_sound() && taken.has(newest) && taken.known == first.known);
            assert_eq!(
                taken.shown(),
                shown,
                "{workspace:?} {class:?}: it stays behind others"
            );
        }
    }

    #[test]
    fn an_arrangement_without_workspaces_becomes_the_overview() {
        for class in Class::iter() {
            // As such a version saved it: every panel once, most of them hidden, and no count of known panels.
            let mut old = Layout::first(Workspace::Search, class);
            let shown = old.shown();
            let beside = shown.first().copied().expect("a panel");
            for panel in Panel::all()
                .filter(|panel| !old.has(*panel))
                .collect::<Vec<_>>()
            {
                old.show(panel, beside);
            }
            old.tree
                .make_active(|_, tile| matches!(tile, Tile::Pane(pane) if shown.contains(pane)));
            let field = format!("known:{},", old.known);
            let old = ron::to_string(&old).expect("written");
            assert!(old.contains(&field));
            let (old, name) = (old.replace(&field, ""), format!("{class:?}").to_lowercase());
            let mut layouts: Layouts =
                ron::from_str(&format!("({name}: Some({old}))")).expect("read");
            layouts.check();
            let overview = layouts.of(class);
            let expected: BTreeSet<Panel> = Layout::first(Workspace::Overview, class)
                .panels()
                .chain(shown.iter().copied())
                .collect();
            assert!(
                overview.is_sound() && shown.is_subset(&overview.shown()),
                "{class:?}"
            );
            assert_eq!(
                overview.panels().collect::<BTreeSet<_>>(),
                expected,
                "{class:?}"
            );
        }
    }

    #[test]
    fn another_workspace_is_a_change_and_another_size_is_none() {
        let mut layouts = Layouts::default();
        layouts.of(Class::Wide);
        let mut later = layouts.clone();
        later.of(Class::Wide).fit(vec2(1900.0, 1000.0));
        assert!(later.are_fitted(&layouts));
        later.workspace = Workspace::Search;
        assert!(!later.are_fitted(&layouts));
    }

    #[test]
    fn a_layout_that_contains_itself_is_dropped() {
        let mut layout = Layout::first(Workspace::Overview, Class::Wide);
        let root = layout.tree.root().expect("a root");
        if let Some(Tile::Container(container)) = layout.tree.tiles.get_mut(root) {
            container.add_child(root);
        }
        assert!(!layout.is_sound());
    }

    #[test]
    fn the_board_grows_with_the_window() {
        let mut layout = Layout::first(Workspace::Overview, Class::Wide);
        let side = |layout: &Layout| {
            let parent = |id| layout.tree.tiles.parent_of(id).expect("in a place");
            let tabs = parent(
                layout
                    .tree
                    .tiles
                    .find_pane(&Panel::Board)
                    .expect("the board"),
            );
            let Some(Container::Linear(linear)) = layout.tree.tiles.get_container(parent(tabs))
            else {
                panic!()
            };
            linear.shares[tabs]
        };
        let before = side(&layout);
        layout.fit(vec2(2552.0, 1388.0));
        assert!(before * 1.3 < side(&layout));
    }

    #[test]
    fn a_size_looks_the_same_whichever_came_before_and_after_a_restart() {
        for (workspace, class) in all() {
            let first = Layout::first(workspace, class);
            let mut layout = first.clone();
            for factor in [1.6, 0.4, 0.9, 1.0, 0.5] {
                let mut direct = first.clone();
                direct.fit(factor * first.size);
                layout.fit(factor * first.size);
                assert_eq!(layout, direct, "{workspace:?} {class:?} {factor}");
            }
            assert_ne!(layout, first);
            let mut restarted: Layout =
                ron::from_str(&ron::to_string(&layout).expect("written")).expect("read");
            restarted.fit(first.size);
            assert_eq!(restarted, first, "{workspace:?} {class:?}");
        }
    }

    #[test]
    fn lengths_that_the_user_changes_are_those_that_other_sizes_follow() {
        let mut layout = Layout::first(Workspace::Overview, Class::Wide);
        layout.fit(vec2(1300.0, 700.0));
        let Some(Tile::Container(Container::Linear(root))) = layout
            .tree
            .root()
            .and_then(|root| layout.tree.tiles.get_mut(root))
        else {
            panic!("a row of columns")
        };
        let column = root.children[0];
        root.shares.set_share(column, 500.0);
        let changed = layout.clone();
        layout.fit(vec2(2000.0, 1200.0));
        assert_ne!(layout, changed);
        layout.fit(vec2(1300.0, 700.0));
        assert_eq!(layout, changed);
    }

    #[test]
    fn a_panel_behind_others_comes_to_the_front() {
        let mut layout = Layout::first(Workspace::Overview, Class::Narrow);
        layout.show(Panel::Results, Panel::Board);
        assert!(layout.shows(Panel::Results) && !layout.shows(Panel::Board));
    }
}
