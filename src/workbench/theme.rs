//! Every color, distance and type size of the window, for the dark and the light theme, each also in high contrast.
//!
//! Nothing else in the workbench names a color. A widget gets the active palette from [`Theme::of`] and distances from
//! the constants below; [`install`] passes them to egui, so that its own widgets agree.
//!
//! # What is measured
//!
//! The tests check for every theme how well the colors can be distinguished:
//!
//! - Contrast (WCAG 2.1): every text and every signal on every surface has at least 4.5 : 1, or 7 : 1 in high contrast.
//!   The boundary of anything clickable (the outline of an input, an option, a selected segment, an empty cell) and the
//!   grid lines of plots have at least 3 : 1 to both sides.
//! - Differences (CIEDE2000, D65) for normal sight, protanopia, deuteranopia and tritanopia (Machado, Oliveira and
//!   Fernandes 2009, full severity): the accent is at least 10 from every color of data, and at least 8 from colors
//!   between two stops of a scale; neighboring stops, the ends of the scale, strategies and kinds of nodes have minimum
//!   distances of their own.

use egui::style::{Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Rect, Shadow, Stroke, StrokeKind, TextStyle,
    Ui, Vec2, Visuals,
};
use serde::{Deserialize, Serialize};
use strum::EnumIter;

use super::fonts::{MEDIUM, SEMIBOLD};
use crate::search::NodeKind;

/// Gap between panels, and between buttons of one group.
pub const GAP: f32 = 8.0;
/// Padding inside a panel.
pub const PAD: f32 = 16.0;
/// Padding inside a control.
pub const SPACE_S: f32 = 4.0;
/// Gap between controls.
pub const SPACE_M: f32 = 8.0;
/// Gap between groups.
pub const SPACE_L: f32 = 16.0;
/// Gap between blocks.
pub const SPACE_XL: f32 = 24.0;

// Heights.
/// Height of a table row, and of a row of the decision strip.
pub const ROW: f32 = 24.0;
pub const ROW_TALL: f32 = 30.0;
/// Height of buttons, inputs and drop-downs.
pub const CONTROL: f32 = 26.0;
/// Height of segments and chips.
pub const CHIP: f32 = 22.0;
pub const TAG: f32 = 18.0;
/// Height of a panel title or tab bar.
pub const TAB: f32 = 32.0;
/// Height of the top bar.
pub const MENU: f32 = 44.0;
pub const STATUS: f32 = 24.0;
/// Height of the workspace switcher in the top bar.
pub const SWITCHER: f32 = 30.0;

/// Corner radius of controls and tiles.
pub const RADIUS_S: u8 = 4;
/// Corner radius of panels, cards and tooltips.
pub const RADIUS_M: u8 = 8;
/// Minimum size of a hit area, whatever is painted.
pub const HIT: f32 = 24.0;
/// Width of a strategy's outline in a histogram.
pub const SERIES_WIDTH: f32 = 1.6;
/// Opacity of the source during a drag.
pub const DRAG_SOURCE_ALPHA: f32 = 0.35;
/// Opacity of the ghost during a drag.
pub const DRAG_GHOST_ALPHA: f32 = 0.92;
/// Opacity of an outdated value while the new one is computed.
pub const STALE_ALPHA: f32 = 0.55;

/// Durations of animations in seconds; all are zero when animations are off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    pub slide: f32,
    /// Two tiles merge and pop to 1.08.
    pub merge: f32,
    /// A tile appears, growing from 0.6.
    pub spawn: f32,
    /// A row or a tree node moves.
    pub row: f32,
    pub fold: f32,
}

impl Motion {
    pub const ON: Self = Self {
        slide: 0.110,
        merge: 0.090,
        spawn: 0.090,
        row: 0.140,
        fold: 0.120,
    };

    /// The current durations for this `ui`.
    pub fn of(ui: &Ui) -> Self {
        if ui.style().animation_time == 0.0 {
            Self::default()
        } else {
            Self::ON
        }
    }
}

/// Ease-out cubic, the only curve of the program; `t` from 0 to 1.
pub fn ease(t: f32) -> f32 {
    1.0 - (1.0 - t.clamp(0.0, 1.0)).powi(3)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumIter)]
pub enum ThemeChoice {
    /// Follows the desktop; dark if it reports nothing.
    #[default]
    System,
    Dark,
    Light,
    HighContrastDark,
    HighContrastLight,
}

/// The marker of a strategy on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Cross,
    Ring,
    Star,
    Plus,
}

/// The look of a strategy in every view: color, dash and marker belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrategyMark {
    pub color: Color32,
    /// Lengths of dashes and gaps in turn; empty is a solid line.
    pub dash: &'static [f32],
    pub marker: Marker,
    /// Beyond eight strategies the colors repeat with hollow markers.
    pub hollow: bool,
}

/// Number of strategy colors; further strategies repeat them with another dash and a hollow marker.
pub const HUES: usize = 8;

const DASHES: [&[f32]; HUES] = [
    &[],
    &[6.0, 3.0],
    &[2.0, 3.0],
    &[8.0, 3.0, 2.0, 3.0],
    &[12.0, 4.0],
    &[4.0, 2.0, 1.0, 2.0, 1.0, 2.0],
    &[1.0, 2.0],
    &[10.0, 2.0, 4.0, 2.0],
];

const MARKERS: [Marker; HUES] = [
    Marker::Disc,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Cross,
    Marker::Ring,
    Marker::Star,
    Marker::Plus,
];

/// One palette; the table `palette` describes the use of each color.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    pub dark: bool,
    /// Whether everything clickable has an outline.
    pub high_contrast: bool,
    pub bg0: Color32,
    pub bg1: Color32,
    pub bg2: Color32,
    pub bg3: Color32,
    pub bg4: Color32,
    pub sep: Color32,
    pub grid: Color32,
    pub line: Color32,
    pub text1: Color32,
    pub text2: Color32,
    pub text3: Color32,
    pub accent: Color32,
    pub accent_bg: Color32,
    pub on_accent: Color32,
    pub error: Color32,
    pub warn: Color32,
    pub ok: Color32,
    pub board: Color32,
    pub empty_cell: Color32,
    pub diverging: [Color32; 7],
    pub sequential: [Color32; 7],
    kinds: [Color32; 7],
    pub series_fill: f32,
    strategies: [Color32; 8],
}

const fn hex(rgb: u32) -> Color32 {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

const fn hexes<const N: usize>(rgb: [u32; N]) -> [Color32; N] {
    let mut colors = [Color32::BLACK; N];
    let mut i = 0;
    while i < N {
        colors[i] = hex(rgb[i]);
        i += 1;
    }
    colors
}

/// Fill of the tiles 2 to 131072, the same in both themes: cool, warm, light.
const TILES: [Color32; 17] = hexes(crate::review::TILE_FILLS);

/// From 1024 on the tiles are light and have dark numbers.
const FIRST_LIGHT_RANK: u8 = 10;
const TILE_INK: Color32 = hex(0x14_17_1A);

pub static DARK: Theme = Theme::palette(0);
pub static LIGHT: Theme = Theme::palette(1);
pub static HIGH_CONTRAST_DARK: Theme = Theme::palette(2);
pub static HIGH_CONTRAST_LIGHT: Theme = Theme::palette(3);

impl Theme {
    /// The table of colors: dark, light, and both in high contrast. Surfaces go from `bg0` (between the panels) to
    /// `bg4` (hovered). Data has the same colors in high contrast.
    const fn palette(look: usize) -> Self {
        let theme = look % 2;
        Self {
            dark: theme == 0,
            high_contrast: 2 <= look,
            // Gaps, menu bar, status bar, closed tabs.
            bg0: hexes([0x12_15_18, 0xDF_E3_E8, 0x00_00_00, 0xFF_FF_FF])[look],
            // Panels.
            bg1: hexes([0x1A_1E_22, 0xF7_F8_FA, 0x00_00_00, 0xFF_FF_FF])[look],
            // Inputs, cards, plots.
            bg2: hexes([0x22_27_2C, 0xFF_FF_FF, 0x0A_0B_0D, 0xFF_FF_FF])[look],
            // Buttons, chips, tooltips, tracks of bars.
            bg3: hexes([0x2B_31_38, 0xEC_EF_F3, 0x12_15_17, 0xF4_F6_F8])[look],
            bg4: hexes([0x36_3D_46, 0xDD_E2_E8, 0x1B_1E_21, 0xE9_EC_EF])[look],
            // Lines of tables, outlines of cards.
            sep: hexes([0x2E_35_3C, 0xD5_DA_E0, 0x6B_76_81, 0x7C_85_8E])[look],
            // Grid lines, on panels and cards.
            grid: hexes([0x66_71_7D, 0x7F_89_93, 0x6B_76_81, 0x7C_85_8E])[look],
            // Outlines of anything clickable, axes, edges of trees.
            line: hexes([0x7C_87_93, 0x6C_75_7F, 0xA7_B0_BA, 0x4F_58_61])[look],
            // Values and names, secondary text, labels and disabled text.
            text1: hexes([0xE8_EB_EE, 0x1A_1F_24, 0xFF_FF_FF, 0x00_00_00])[look],
            text2: hexes([0xB7_BF_C8, 0x42_4B_55, 0xD6_DC_E2, 0x2A_31_38])[look],
            text3: hexes([0xA0_AA_B5, 0x57_61_6B, 0xD6_DC_E2, 0x2A_31_38])[look],
            // Focus, selection and its background, the chosen line, progress. Never data.
            accent: hexes([0xA9_9B_FF, 0x4A_42_BD, 0xA9_9B_FF, 0x3C_2B_D4])[look],
            accent_bg: hexes([0x37_30_5F, 0xE2_DD_FB, 0x1E_16_40, 0xEC_E9_FF])[look],
            on_accent: [hex(0x14_12_1F), hex(0xFF_FF_FF)][theme],
            // Always with ✗, a warning triangle, ✓, and a word.
            error: hexes([0xFF_8A_80, 0xB3_26_1E, 0xFF_8A_80, 0x93_18_10])[look],
            warn: hexes([0xF2_B8_5C, 0x8A_53_00, 0xF2_B8_5C, 0x65_3C_00])[look],
            ok: hexes([0x6C_CB_95, 0x17_70_3F, 0x6C_CB_95, 0x0B_50_29])[look],
            // Behind the tiles, and an empty cell.
            board: hexes([0x22_27_2C, 0xDD_E2_E8, 0x6B_76_81, 0x7C_85_8E])[look],
            empty_cell: hexes([0x2E_35_3C, 0xCC_D3_DB, 0x00_00_00, 0xFF_FF_FF])[look],
            // Below a reference, at it, above it.
            diverging: [
                hexes([
                    0xF5_9A_4A, 0xC0_7A_45, 0x7E_5F_49, 0x4A_52_5B, 0x46_68_8C, 0x5D_A4_BD,
                    0x8F_D2_FD,
                ]),
                hexes([
                    0xA8_47_0B, 0xD9_85_45, 0xF2_CF_B0, 0xE4_E8_EC, 0xBC_D5_F0, 0x6B_A3_DD,
                    0x41_74_B8,
                ]),
            ][theme],
            // From none to much.
            sequential: [
                hexes([
                    0x20_26_2C, 0x22_41_4F, 0x24_60_70, 0x2F_82_85, 0x5B_A5_8F, 0x9B_C7_9A,
                    0xE2_E8_B5,
                ]),
                hexes([
                    0xF3_F6_F4, 0xD4_E6_DC, 0xA6_D0_C2, 0x6F_B3_AA, 0x3F_8F_93, 0x24_68_7A,
                    0x15_3F_5B,
                ]),
            ][theme],
            // Outline and letter of each kind of node, in the order of `NodeKind`; letter and shape repeat the
            // information.
            kinds: [
                hexes([
                    0xE1_FB_FF, 0xE5_F8_7E, 0xFF_D0_C2, 0x67_A9_7B, 0xAD_AC_B3, 0xD2_9E_22,
                    0x7B_D5_FA,
                ]),
                hexes([
                    0x003749, 0x9F5900, 0x4C3432, 0x2E7A59, 0x57616B, 0x7C1F00, 0x7A46F5,
                ]),
            ][theme],
            // Opacity of the area under a histogram's outline.
            series_fill: [0.14, 0.12][theme],
            strategies: [
                hexes([
                    0x7E_FE_E5, 0xE0_AF_7E, 0xBB_C4_FF, 0xFC_61_A1, 0x87_8F_11, 0x17_7A_FB,
                    0xF3_EF_2D, 0x92_6F_60,
                ]),
                hexes([
                    0x16_9E_8F, 0x8D_21_00, 0x89_79_D0, 0xEC_51_86, 0x52_7C_4B, 0x2B_25_8D,
                    0x9B_8E_1B, 0x53_30_2D,
                ]),
            ][theme],
        }
    }

    pub fn of(ui: &Ui) -> &'static Self {
        Self::of_visuals(ui.visuals())
    }

    /// The palette of these visuals; for code without a `Ui`.
    pub fn of_visuals(visuals: &Visuals) -> &'static Self {
        let (plain, contrasting) = if visuals.dark_mode {
            (&DARK, &HIGH_CONTRAST_DARK)
        } else {
            (&LIGHT, &HIGH_CONTRAST_LIGHT)
        };
        // egui's visuals only distinguish dark and light; no two palettes have the same panel color.
        if visuals.window_fill == contrasting.bg1 {
            contrasting
        } else {
            plain
        }
    }

    /// The look of the strategy in this slot (counted from 0).
    pub fn strategy(&self, slot: usize) -> StrategyMark {
        let round = slot / HUES;
        StrategyMark {
            color: self.strategies[slot % HUES],
            dash: DASHES[(slot + round) % HUES],
            marker: MARKERS[slot % HUES],
            hollow: 0 < round,
        }
    }

    /// Fill of the tile with this rank (1 is "2"); ranks above 17 look like 131072, rank 0 is an empty cell.
    pub fn tile(&self, rank: u8) -> Color32 {
        match rank {
            0 => self.empty_cell,
            rank => TILES[usize::from(rank - 1).min(TILES.len() - 1)],
        }
    }

    /// Color of the number on the tile with this rank.
    pub fn tile_text(&self, rank: u8) -> Color32 {
        if rank < FIRST_LIGHT_RANK {
            Color32::WHITE
        } else {
            TILE_INK
        }
    }

    /// A value relative to a reference: −1 is the largest deviation below, 0 the reference, 1 the largest above.
    pub fn diverging(&self, t: f32) -> Color32 {
        ramp(&self.diverging, t.clamp(-1.0, 1.0) * 0.5 + 0.5)
    }

    /// Outline and letter of a kind of node.
    pub fn kind(&self, kind: NodeKind) -> Color32 {
        self.kinds[kind as usize]
    }

    /// Text and marks of disabled items: fainter in high contrast, where secondary text is not.
    pub fn off(&self) -> Color32 {
        if self.high_contrast {
            self.line
        } else {
            self.text3
        }
    }

    /// In high contrast, the outline of a selection, whose fill is close to the background.
    pub fn selected_edge(&self, painter: &egui::Painter, rect: Rect) {
        if self.high_contrast {
            painter.rect_stroke(
                rect,
                RADIUS_S,
                Stroke::new(2.0, self.accent),
                StrokeKind::Inside,
            );
        }
    }

    /// In high contrast, the outline of clickable items that otherwise have only a fill.
    pub fn outline(&self, painter: &egui::Painter, rect: Rect, radius: impl Into<CornerRadius>) {
        if self.high_contrast {
            painter.rect_stroke(
                rect,
                radius,
                Stroke::new(1.0, self.line),
                StrokeKind::Inside,
            );
        }
    }

    /// A share from 0 to 1.
    pub fn sequential(&self, t: f32) -> Color32 {
        ramp(&self.sequential, t)
    }
}

/// A point on a ramp of equal, linear steps; `t` from 0 to 1.
fn ramp(stops: &[Color32; 7], t: f32) -> Color32 {
    let at = if t.is_finite() {
        t.clamp(0.0, 1.0) * 6.0
    } else {
        3.0
    };
    let below = (at.floor() as usize).min(5);
    stops[below].lerp_to_gamma(stops[below + 1], at - below as f32)
}

/// Black or white, whichever has more contrast on `fill`.
pub fn text_on(fill: Color32) -> Color32 {
    let [red, green, blue, _] = egui::Rgba::from(fill).to_array();
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    // 0.179 is where both contrasts are equal: (l + 0.05) / 0.05 = 1.05 / (l + 0.05).
    if luminance < 0.179 {
        Color32::WHITE
    } else {
        Color32::BLACK
    }
}

/// The style of the selected node's value.
pub fn display_style() -> TextStyle {
    TextStyle::Name("display".into())
}

/// The style of figures such as score and move.
pub fn figure_style() -> TextStyle {
    TextStyle::Name("figure".into())
}

/// Body size in medium weight: names.
pub fn medium() -> FontId {
    FontId::new(13.0, FontFamily::Name(MEDIUM.into()))
}

/// Body size in semibold: the chosen value. As wide as regular, so nothing moves.
pub fn strong() -> FontId {
    FontId::new(13.0, FontFamily::Name(SEMIBOLD.into()))
}

/// Semibold in any size, for numbers on tiles and letters in nodes.
pub fn strong_of(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(SEMIBOLD.into()))
}

pub fn body() -> FontId {
    FontId::new(13.0, FontFamily::Proportional)
}

/// Headers, units, captions; the smallest text.
pub fn small() -> FontId {
    FontId::new(11.0, FontFamily::Proportional)
}

/// Code, hashes, filters.
pub fn mono() -> FontId {
    FontId::new(12.0, FontFamily::Monospace)
}

/// The focus ring: a double line, which no mark of data has.
pub fn focus_ring(ui: &Ui, rect: Rect) {
    let theme = Theme::of(ui);
    let ring = rect.expand(1.0);
    ui.painter().rect_stroke(
        ring,
        RADIUS_S + 1,
        Stroke::new(2.0, theme.accent),
        StrokeKind::Outside,
    );
    ui.painter().rect_stroke(
        ring.expand(2.0),
        RADIUS_S + 3,
        Stroke::new(1.0, theme.text1),
        StrokeKind::Outside,
    );
}

pub fn dialog_frame(style: &egui::Style) -> egui::Frame {
    egui::Frame::popup(style).inner_margin(style.spacing.window_margin)
}

/// Installs both themes in egui and selects one; `contrast` queries the system for high contrast, if the choice follows
/// it.
pub fn install(
    ctx: &egui::Context,
    choice: ThemeChoice,
    contrast: impl FnOnce() -> bool,
    motion: bool,
) {
    let (preference, contrast) = match choice {
        ThemeChoice::System => (egui::ThemePreference::System, contrast()),
        ThemeChoice::Dark => (egui::ThemePreference::Dark, false),
        ThemeChoice::Light => (egui::ThemePreference::Light, false),
        ThemeChoice::HighContrastDark => (egui::ThemePreference::Dark, true),
        ThemeChoice::HighContrastLight => (egui::ThemePreference::Light, true),
    };
    let [dark, light] = if contrast {
        [&HIGH_CONTRAST_DARK, &HIGH_CONTRAST_LIGHT]
    } else {
        [&DARK, &LIGHT]
    };
    for (name, theme) in [(egui::Theme::Dark, dark), (egui::Theme::Light, light)] {
        ctx.style_mut_of(name, |style| apply(style, theme, motion));
    }
    ctx.set_theme(preference);
}

fn apply(style: &mut egui::Style, theme: &Theme, motion: bool) {
    let semibold = || FontFamily::Name(SEMIBOLD.into());
    style.text_styles = [
        (display_style(), FontId::new(24.0, semibold())),
        (figure_style(), FontId::new(20.0, semibold())),
        (TextStyle::Heading, FontId::new(15.0, semibold())),
        (TextStyle::Body, body()),
        (TextStyle::Button, body()),
        (TextStyle::Small, small()),
        (TextStyle::Monospace, mono()),
    ]
    .into();
    style.drag_value_text_style = TextStyle::Body;
    style.animation_time = if motion { Motion::ON.fold } else { 0.0 };
    style.scroll_animation = if motion {
        egui::style::ScrollAnimation::default()
    } else {
        egui::style::ScrollAnimation::none()
    };
    style.url_in_tooltip = true;
    style.interaction.tooltip_delay = 0.4;
    style.interaction.selectable_labels = false;

    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::splat(SPACE_M);
    spacing.button_padding = Vec2::new(10.0, 4.0);
    spacing.interact_size = Vec2::new(40.0, CONTROL);
    spacing.window_margin = Margin::same(16);
    spacing.menu_margin = Margin::same(4);
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 10.0;
    spacing.tooltip_width = 320.0;
    // Lists are as high as their content, if the window allows.
    spacing.default_area_size = Vec2::new(600.0, 640.0);
    spacing.slider_rail_height = 4.0;
    // A thin bar always shows where something scrolls.
    spacing.scroll = egui::style::ScrollStyle {
        bar_width: 8.0,
        floating_width: 4.0,
        dormant_handle_opacity: 0.6,
        ..egui::style::ScrollStyle::floating()
    };

    style.visuals = visuals(theme);
}

fn visuals(theme: &Theme) -> Visuals {
    let radius = CornerRadius::same(RADIUS_S);
    let widget = |fill, stroke: Stroke, text| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: stroke,
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };

    let depth = if theme.dark { 0x66 } else { 0x38 };
    let float = Shadow {
        offset: [0, 4],
        blur: 16,
        spread: 0,
        color: Color32::from_black_alpha(depth),
    };
    let base = if theme.dark {
        Visuals::dark()
    } else {
        Visuals::light()
    };

    Visuals {
        weak_text_color: Some(theme.text3),
        // egui's own buttons are used for inputs and drop-downs; `kit::Button` paints the buttons.
        widgets: Widgets {
            noninteractive: widget(theme.bg1, Stroke::new(1.0, theme.sep), theme.text1),
            inactive: WidgetVisuals {
                weak_bg_fill: theme.bg2,
                ..widget(theme.bg3, Stroke::new(1.0, theme.line), theme.text1)
            },
            hovered: widget(theme.bg4, Stroke::new(1.0, theme.line), theme.text1),
            active: widget(theme.bg4, Stroke::new(2.0, theme.accent), theme.text1),
            open: widget(theme.bg4, Stroke::new(1.0, theme.line), theme.text1),
        },
        selection: Selection {
            bg_fill: theme.accent_bg,
            stroke: Stroke::new(1.0, theme.accent),
        },
        hyperlink_color: theme.accent,
        faint_bg_color: theme.bg2,
        extreme_bg_color: theme.bg2,
        text_edit_bg_color: Some(theme.bg2),
        code_bg_color: theme.bg3,
        warn_fg_color: theme.warn,
        error_fg_color: theme.error,
        window_corner_radius: CornerRadius::same(RADIUS_M),
        window_shadow: float,
        window_fill: theme.bg1,
        window_stroke: Stroke::new(1.0, theme.line),
        menu_corner_radius: CornerRadius::same(RADIUS_M),
        panel_fill: theme.bg1,
        popup_shadow: float,
        slider_trailing_fill: true,
        disabled_alpha: 0.6,
        ..base
    }
}

#[cfg(test)]
mod tests;
