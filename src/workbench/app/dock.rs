//! Draws the arrangement of panels: tab bars, the background of each panel, and the outline of the focused one.

use std::collections::{BTreeSet, HashMap, HashSet};

use egui::{
    CornerRadius, CursorIcon, DragAndDrop, Id, Painter, Rect, Response, Role, Sense, Stroke,
    StrokeKind, Style, Ui, UiBuilder, Visuals, WidgetInfo, WidgetText, pos2, vec2,
};
use egui_tiles::{
    Behavior, Container, ResizeState, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles,
    UiResponse,
};
use strum::IntoEnumIterator as _;

use super::start_here::{CardAction, StartHere};
use crate::words;
use crate::workbench::command::{Command, Commands, DockPlace, Judge, Panel, ViewCommand};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{
    Button, describe, fitting, focus, focus_ring, hear_walked, menu_entry, part, submenu,
};
use crate::workbench::panels::{Panels, RowDrag, StrategyDrag};
use crate::workbench::state::Document;
use crate::workbench::state::layout::LEAST_TILE;
use crate::workbench::theme::{self, Theme};

pub(super) struct Dock<'a> {
    pub panels: &'a mut Panels,
    pub doc: &'a Document,
    pub commands: &'a mut Commands,
    /// The focused panel; a click changes it.
    pub focused: &'a mut Panel,
    /// The rectangles of the tabs in this frame; for a panel without tabs, the whole bar.
    pub tabs: HashMap<TileId, Rect>,
    /// Panels that are alone in their places: a title instead of tabs.
    pub alone: HashSet<TileId>,
    pub is_overview: bool,
    /// The default panels of the workspace; the tabs of others have a close button.
    pub own: BTreeSet<Panel>,
    /// Tabs that do not fit in their bar; a list has them.
    pub folded: HashSet<TileId>,
    pub focused_tile: Option<TileId>,
    /// The menu button of each front panel.
    pub menus: HashMap<Panel, Id>,
    /// The arrangement and its root tile.
    pub tree: (Id, Option<TileId>),
    /// The accessible name of the tab bar being drawn.
    pub strip: String,
    /// The card for new users, below the tree.
    pub start_here: &'a mut StartHere,
    /// The user's action on the card.
    pub card_action: Option<CardAction>,
}

/// Extra width of the title of a tab.
const TITLE_PAD: f32 = 12.0;

/// Checks commands: those of the tree in the shown tree, all others in the document.
#[derive(Clone, Copy)]
struct Here<'a>(&'a Panels, &'a Document);

impl Judge for Here<'_> {
    fn can(self, command: &Command) -> Result<(), String> {
        match command {
            Command::Tree(of_tree) => Judge::can(self.0.walked(*of_tree), command),
            _ => Judge::can(self.1, command),
        }
    }
}

fn tab_width(ui: &Ui, title: &str) -> f32 {
    let galley = ui.painter().layout_no_wrap(
        title.to_owned(),
        theme::medium(),
        egui::Color32::PLACEHOLDER,
    );
    (galley.size().x + 2.0 * TITLE_PAD).round()
}

/// Minimum width of a bar with tools next to the title.
const HEAD_FROM: f32 = 220.0;

/// Panels below this height have less padding.
const LOW: f32 = 400.0;

/// Width of the close button of a tab.
const CLOSE: f32 = 20.0;

/// Rounded corners of a panel, below its tabs or below its title.
fn corners(is_alone: bool) -> CornerRadius {
    let all = CornerRadius::same(theme::RADIUS_M);
    if is_alone {
        CornerRadius {
            nw: 0,
            ne: 0,
            ..all
        }
    } else {
        CornerRadius { nw: 0, ..all }
    }
}

impl Dock<'_> {
    /// Whether this panel contains the card for new users.
    fn has_card(&self, panel: Panel) -> bool {
        panel == Panel::Tree && self.is_overview
    }

    /// The title of a panel without tabs: it can be dragged like a tab.
    fn title_ui(
        &mut self,
        ui: &mut Ui,
        id: Id,
        panel: Option<Panel>,
        title: &str,
        closes: bool,
    ) -> Response {
        let theme = Theme::of(ui);
        let galley = ui.painter().layout_no_wrap(
            title.to_owned(),
            theme::strong_of(15.0),
            egui::Color32::PLACEHOLDER,
        );
        let width =
            (galley.size().x + theme::PAD + TITLE_PAD).round() + if closes { CLOSE } else { 0.0 };
        let (_, rect) = ui.allocate_space(vec2(width, theme::TAB));
        part(ui, Role::Group, &format!("Title of {title}"));
        let response = ui.interact(rect, id, Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Heading, ui.is_enabled(), title));
        if let Some(panel) = panel {
            if response.is_pointer_button_down_on() {
                *self.focused = panel;
            }
            if closes {
                self.close_ui(ui, panel, rect.right() - CLOSE / 2.0, rect);
            }
        }

        let at = rect.left_center() + vec2(theme::PAD, -galley.size().y / 2.0);
        ui.painter()
            .galley(pos2(at.x, at.y.round()), galley, theme.text1);
        response
    }

    /// The close button of a tab or title.
    fn close_ui(&mut self, ui: &mut Ui, panel: Panel, x: f32, tab: Rect) {
        let rect = Rect::from_center_size(pos2(x, tab.center().y), vec2(CLOSE, theme::HIT));
        let response = ui.interact(rect, ui.scope_id().with(("close", panel)), Sense::click());
        let name = format!("Close {}", panel.title());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let theme = Theme::of(ui);
        let is_hot = response.hovered() || response.has_focus();
        Icon::Close.paint(
            ui.painter(),
            rect.center(),
            if is_hot { theme.text1 } else { theme.text3 },
        );
        if response.has_focus() {
            focus_ring(ui, rect);
        }
        let about = "Remove this panel from the workspace";
        self.commands.when_clicked(
            &response.on_hover_text(about),
            ViewCommand::ClosePanel(panel),
        );
    }

    /// Moves tabs that do not fit into a list; the open tab stays.
    fn fold_tabs(&mut self, tiles: &Tiles<Panel>, ui: &mut Ui, tabs: &Tabs) {
        /// Width of "12 more" with its gap.
        const MORE: f32 = 84.0;
        let all: Vec<(TileId, Panel)> = tabs
            .children
            .iter()
            .filter_map(|&id| Some((id, *tiles.get_pane(&id)?)))
            .collect();
        let closes = |panel: &Panel| if self.own.contains(panel) { 0.0 } else { CLOSE };
        let widths: Vec<f32> = all
            .iter()
            .map(|(_, panel)| tab_width(ui, panel.title()) + closes(panel))
            .collect();
        let open = all.iter().position(|&(id, _)| tabs.active == Some(id));
        let shown = fitting(
            &widths,
            0.0,
            ui.available_width() - theme::SPACE_S,
            MORE,
            open,
        );
        let folded = all
            .iter()
            .enumerate()
            .filter(|(place, _)| !shown.contains(place))
            .map(|(_, tab)| *tab);
        let folded: Vec<(TileId, Panel)> = folded.collect();
        if folded.is_empty() {
            return;
        }

        let text = format!("{} more", folded.len());
        let names: Vec<&str> = folded.iter().map(|(_, panel)| panel.title()).collect();
        let name = format!("More panels: {}", names.join(", "));
        let button = ui
            .add(Button::new(&text).quiet().small().name(&name))
            .on_hover_text(&name);

        // A strategy dragged over the list opens the next panel that accepts one.
        let dragged = DragAndDrop::has_payload_of_type::<StrategyDrag>(ui.ctx());
        let is_over = dragged
            && ui
                .input(|input| input.pointer.interact_pos())
                .is_some_and(|at| button.rect.contains(at));
        let was_over = ui.data_mut(|data| {
            std::mem::replace(
                data.get_temp_mut_or_default(button.id.with("dragged over")),
                is_over,
            )
        });
        let mut takers = [Panel::Experiment, Panel::Board, Panel::Compare].into_iter();
        if is_over
            && !was_over
            && let Some(taker) = takers.find(|taker| folded.iter().any(|(_, panel)| panel == taker))
        {
            self.commands.push(ViewCommand::ShowPanel(taker));
        }

        let ways: Vec<Command> = folded
            .iter()
            .map(|&(_, panel)| ViewCommand::ShowPanel(panel).into())
            .collect();
        egui::Popup::menu(&button).show(|ui| self.commands.menu(ui, &ways, Ok(())));
        self.folded.extend(folded.iter().map(|(id, _)| *id));
    }
}

/// The menu that moves the front panel of a place: next to another visible panel, or into its tabs.
fn move_menu(ui: &mut Ui, panel: Panel, tiles: &Tiles<Panel>, commands: &mut Commands) {
    let in_front = tiles.tiles().filter_map(|tile| match tile {
        Tile::Container(Container::Tabs(tabs)) => {
            tabs.active.and_then(|id| tiles.get_pane(&id)).copied()
        }
        _ => None,
    });
    let mut others: Vec<Panel> = in_front.filter(|&other| other != panel).collect();
    others.sort_unstable();

    submenu(ui, "Move", |ui| {
        for place in DockPlace::iter() {
            submenu(ui, place.text(), |ui| {
                for &other in &others {
                    if menu_entry(ui, other.title(), None, Ok(())) {
                        commands.push(ViewCommand::Dock(panel, place, other));
                    }
                }
            });
        }
    });
}

impl Behavior<Panel> for Dock<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, tile_id: TileId, panel: &mut Panel) -> UiResponse {
        let theme = Theme::of(ui);
        let rect = ui.max_rect();
        let is_alone = self.alone.contains(&tile_id);
        ui.painter().rect_filled(rect, corners(is_alone), theme.bg1);
        if theme.high_contrast && !is_alone {
            // In high contrast the gap has the color of the panels, so they need an outline.
            ui.painter().rect_stroke(
                rect,
                corners(is_alone),
                Stroke::new(1.0, theme.sep),
                StrokeKind::Inside,
            );
        }

        let pressed = ui.input(|input| {
            input
                .pointer
                .any_pressed()
                .then(|| input.pointer.interact_pos())
                .flatten()
                .filter(|&at| rect.contains(at))
        });
        if pressed.is_some_and(|at| ui.ctx().layer_id_at(at) == Some(ui.layer_id())) {
            *self.focused = *panel;
        }
        if *self.focused == *panel {
            self.focused_tile = Some(tile_id);
        }

        // A low panel needs its space.
        let above = if rect.height() < LOW {
            theme::SPACE_M
        } else {
            theme::PAD
        };
        let mut inner = rect.shrink2(vec2(theme::PAD, above));
        if is_alone {
            // Below its title.
            inner.min.y = rect.top() + theme::SPACE_S;
        }

        // The ids inside do not depend on the panel's place, so that the content keeps its state when it moves.
        let card = self
            .start_here
            .place(rect)
            .filter(|_| self.has_card(*panel));
        if let Some(card) = card {
            inner.max.y = card.top() - theme::SPACE_S;
        }
        let builder = UiBuilder::new()
            .scope_id(Id::unique(("inside", *panel)))
            .max_rect(inner);
        let builder = builder
            .sense(Sense::focusable_noninteractive())
            .accessibility_role(Role::Pane);
        let mut inside = ui.new_child(builder.accessibility_label(panel.title().to_owned()));
        inside.set_clip_rect(rect.shrink(1.0).intersect(ui.clip_rect()));
        focus::area(&inside, panel.area(), *self.focused == *panel);
        self.panels.ui(*panel, &mut inside, self.doc, self.commands);
        // The accessible bounds cover the whole panel, even if it is empty.
        inside.expand_to_include_rect(inner);
        let [x0, y0, x1, y1] = [inner.min.x, inner.min.y, inner.max.x, inner.max.y].map(f64::from);
        describe(&inside, inside.unique_id(), |node| {
            node.set_bounds(egui::accesskit::Rect { x0, y0, x1, y1 });
        });
        if let Some(card) = card {
            inside.set_clip_rect(rect.shrink(1.0).intersect(ui.clip_rect()));
            self.card_action = self.start_here.ui(&mut inside, card).or(self.card_action);
        }
        hear_walked(
            ui,
            *self.focused == *panel && !egui::Popup::is_any_open(ui.ctx()),
        );
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, panel: &Panel) -> WidgetText {
        panel.title().into()
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Panel>,
        ui: &mut Ui,
        id: Id,
        tile_id: TileId,
        state: &TabState,
    ) -> Response {
        if self.folded.contains(&tile_id) {
            let (_, rect) = ui.allocate_space(vec2(0.0, theme::TAB));
            return ui.interact(rect, id, Sense::hover());
        }
        let theme = Theme::of(ui);
        let title = self.tab_title_for_tile(tiles, tile_id).text().to_owned();
        let panel = tiles.get_pane(&tile_id).copied();
        let closes = panel.is_some_and(|panel| !self.own.contains(&panel));
        if self.alone.contains(&tile_id) {
            return self.title_ui(ui, id, panel, &title, closes);
        }

        let galley =
            ui.painter()
                .layout_no_wrap(title.clone(), theme::medium(), egui::Color32::PLACEHOLDER);
        let size = vec2(
            tab_width(ui, &title) + if closes { CLOSE } else { 0.0 },
            theme::TAB,
        );
        let (_, rect) = ui.allocate_space(size);
        part(ui, Role::TabList, &self.strip);
        let response = ui.interact(rect, id, Sense::click_and_drag());
        if let Some(tabs) = tiles.parent_of(tile_id) {
            focus::group_as(ui, Id::unique(("tabs", tabs)));
        }
        if state.active {
            focus::shown(&response);
        }
        response
            .widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), state.active, &title));
        describe(ui, id, |node| node.set_selected(state.active));
        self.tabs.insert(tile_id, rect);
        if (response.clicked() || response.gained_focus())
            && let Some(&panel) = tiles.get_pane(&tile_id)
        {
            *self.focused = panel;
        }

        // A drag over a tab opens its panel.
        if !state.active
            && ui
                .input(|input| input.pointer.interact_pos())
                .is_some_and(|at| rect.contains(at))
            && let Some(&panel) = tiles.get_pane(&tile_id)
            && (DragAndDrop::has_payload_of_type::<StrategyDrag>(ui.ctx())
                || panel == Panel::Strategy
                    && DragAndDrop::has_payload_of_type::<RowDrag>(ui.ctx()))
        {
            self.commands.push(ViewCommand::ShowPanel(panel));
        }
        if !ui.is_rect_visible(rect) || state.is_being_dragged {
            return response;
        }

        let top = CornerRadius {
            nw: theme::RADIUS_M,
            ne: theme::RADIUS_M,
            sw: 0,
            se: 0,
        };
        if state.active {
            ui.painter().rect_filled(rect, top, theme.accent);
            ui.painter()
                .rect_filled(rect.with_min_y(rect.top() + 2.0), top, theme.bg1);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, top, theme.bg4);
        }
        if response.has_focus() {
            focus_ring(ui, rect.shrink(4.0));
        }
        let color = if state.active {
            theme.text1
        } else {
            theme.text2
        };
        let at = rect.left_center() + vec2(TITLE_PAD, 1.0 - galley.size().y / 2.0);
        ui.painter().galley(pos2(at.x, at.y.round()), galley, color);
        if let Some(panel) = panel.filter(|_| closes) {
            self.close_ui(ui, panel, rect.right() - CLOSE / 2.0 - 4.0, rect);
        }

        response
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Panel>,
        ui: &mut Ui,
        tile: TileId,
        tabs: &Tabs,
        scroll: &mut f32,
    ) {
        focus::group_as(ui, Id::unique(("tabs", tile)));
        let titles: Vec<Panel> = tabs
            .children
            .iter()
            .filter_map(|id| tiles.get_pane(id).copied())
            .collect();

        // Below the tabs and buttons, which come later.
        if Some(tile) != self.tree.1 {
            let ground = ui.interact(
                ui.max_rect(),
                ui.scope_id().with("ground"),
                Sense::CLICK | Sense::DRAG,
            );
            if ground.on_hover_cursor(CursorIcon::Grab).drag_started() {
                ui.ctx().set_dragged_id(tile.egui_id(self.tree.0));
            }
        }

        if let [alone] = tabs.children[..] {
            let bar = ui.max_rect();
            let theme = Theme::of(ui);
            ui.painter().rect_filled(
                bar,
                CornerRadius {
                    sw: 0,
                    se: 0,
                    ..CornerRadius::same(theme::RADIUS_M)
                },
                theme.bg1,
            );
            self.alone.insert(alone);
            self.tabs.insert(alone, bar);
        }

        let name = match tabs.active.and_then(|id| tiles.get_pane(&id)) {
            Some(panel) => format!("Menu of {}", panel.title()),
            None => "Menu of these panels".to_owned(),
        };
        self.strip = format!(
            "Tabs: {}",
            words::list(&titles.iter().map(|panel| panel.title()).collect::<Vec<_>>())
        );
        ui.add_space(theme::SPACE_S);
        let button = icon_button(ui, Icon::Menu, &name, "");
        let active = tabs.active.and_then(|id| tiles.get_pane(&id)).copied();
        self.menus.extend(active.map(|panel| (panel, button.id)));
        egui::Popup::menu(&button).show(|ui| {
            let can = Here(self.panels, self.doc);
            self.commands
                .menu(ui, &active.map(Panel::commands).unwrap_or_default(), can);
            ui.separator();
            if let Some(active) = active {
                self.panels.menu_ui(active, ui, self.doc, self.commands);
            }
            let can = Here(self.panels, self.doc);
            if let Some(active) = active {
                move_menu(ui, active, tiles, self.commands);
            }
            if let Some(active) = active {
                let close = Command::from(ViewCommand::ClosePanel(active));
                self.commands
                    .menu_row(ui, &close, "Close panel", None, &can.can(&close));
            }
            let others = titles.iter().filter(|&&panel| Some(panel) != active);
            let ways = others
                .map(|&panel| ViewCommand::ShowPanel(panel))
                .chain([ViewCommand::ResetWorkspace]);
            self.commands
                .menu(ui, &ways.map(Command::from).collect::<Vec<_>>(), can);
        });

        if let Some(active) = active.filter(|_| HEAD_FROM <= ui.available_width()) {
            ui.add_space(theme::SPACE_S);
            self.panels.head_ui(active, ui, self.doc, self.commands);
        }
        self.fold_tabs(tiles, ui, tabs);
        *scroll = 0.0;
    }

    fn paint_on_top_of_tile(&self, painter: &Painter, style: &Style, tile_id: TileId, rect: Rect) {
        if self.focused_tile != Some(tile_id) {
            return;
        }

        let theme = Theme::of_visuals(&style.visuals);
        let stroke = Stroke::new(1.0, theme.accent);
        if let Some(&bar) = self
            .tabs
            .get(&tile_id)
            .filter(|_| self.alone.contains(&tile_id))
        {
            let mut painter = painter.clone();
            painter.set_clip_rect(bar.union(rect));
            painter.rect_stroke(bar.union(rect), theme::RADIUS_M, stroke, StrokeKind::Inside);
            return;
        }
        painter.rect_stroke(rect, corners(false), stroke, StrokeKind::Inside);

        // The outline includes the open tab, without a line between tab and panel.
        if let Some(&tab) = self.tabs.get(&tile_id) {
            // The tile's painter is clipped to the panel, and the tab is above it.
            let mut painter = painter.clone();
            painter.set_clip_rect(tab.union(rect));
            let joint = Rect::from_min_max(
                pos2(tab.left() + 1.0, rect.top() - 1.0),
                pos2(tab.right() - 1.0, rect.top() + 1.0),
            );
            painter.rect_filled(joint, 0, theme.bg1);
            let radius = f32::from(theme::RADIUS_M);
            for x in [tab.left() + 0.5, tab.right() - 0.5] {
                painter.vline(x, tab.top() + radius..=rect.top() + 1.0, stroke);
            }
        }
    }

    fn drag_ui(&mut self, tiles: &Tiles<Panel>, ui: &mut Ui, tile_id: TileId) {
        let theme = Theme::of(ui);
        ui.set_opacity(theme::DRAG_GHOST_ALPHA);
        egui::Frame::popup(ui.style())
            .fill(theme.bg3)
            .show(ui, |ui| {
                let title = self.tab_title_for_tile(tiles, tile_id);
                ui.label(title);
            });
    }

    fn tab_bar_height(&self, _style: &Style) -> f32 {
        theme::TAB
    }

    fn gap_width(&self, _style: &Style) -> f32 {
        theme::GAP
    }

    fn min_size(&self) -> f32 {
        LEAST_TILE
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..SimplificationOptions::default()
        }
    }

    /// We draw the splitters between panels ourselves: see `splitters`.
    fn is_container_resizable(&self, _tiles: &Tiles<Panel>, _tile: TileId) -> bool {
        false
    }

    fn resize_stroke(&self, _style: &Style, _state: ResizeState) -> Stroke {
        Stroke::NONE
    }

    /// The rest of the tab bar drags all its tabs; we handle that ourselves, so that it is not a tab stop.
    fn is_tile_draggable(&self, tiles: &Tiles<Panel>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some()
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> egui::Color32 {
        Theme::of_visuals(visuals).bg0
    }

    fn dragged_overlay_color(&self, visuals: &Visuals) -> egui::Color32 {
        Theme::of_visuals(visuals)
            .bg0
            .gamma_multiply(1.0 - theme::DRAG_SOURCE_ALPHA)
    }

    fn paint_drag_preview(
        &self,
        visuals: &Visuals,
        painter: &Painter,
        parent: Option<Rect>,
        preview: Rect,
    ) {
        let stroke = self.drag_preview_stroke(visuals);
        if let Some(parent) = parent {
            painter.rect_stroke(
                parent,
                theme::RADIUS_M,
                Stroke::new(1.0, stroke.color),
                StrokeKind::Inside,
            );
        }
        painter.rect_filled(preview, theme::RADIUS_M, self.drag_preview_color(visuals));
        painter.rect_stroke(preview, theme::RADIUS_M, stroke, StrokeKind::Inside);
    }

    fn drag_preview_stroke(&self, visuals: &Visuals) -> Stroke {
        Stroke::new(2.0, Theme::of_visuals(visuals).accent)
    }

    fn drag_preview_color(&self, visuals: &Visuals) -> egui::Color32 {
        Theme::of_visuals(visuals).accent.gamma_multiply(0.25)
    }
}
