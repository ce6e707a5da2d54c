//! Tests of the contrast and difference of the theme's colors.

use palette::color_difference::{Ciede2000 as _, Wcag21RelativeContrast as _};
use palette::{IntoColor as _, Lab, LinSrgb, Srgb};

use super::*;

const ALL: [&Theme; 4] = [&DARK, &LIGHT, &HIGH_CONTRAST_DARK, &HIGH_CONTRAST_LIGHT];

/// How each kind of sight perceives red, green and blue light (Machado, Oliveira and Fernandes 2009, at full severity).
const EYES: [(&str, [[f32; 3]; 3]); 4] = [
    (
        "normal sight",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "protanopia",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

fn light(color: Color32) -> LinSrgb {
    Srgb::new(color.r(), color.g(), color.b()).into_linear()
}

fn seen(color: Color32, eyes: &[[f32; 3]; 3]) -> Lab {
    let LinSrgb {
        red, green, blue, ..
    } = light(color);
    let [red, green, blue] = eyes.map(|[r, g, b]| (r * red + g * green + b * blue).clamp(0.0, 1.0));
    LinSrgb::new(red, green, blue).into_color()
}

fn contrast(a: Color32, b: Color32) -> f32 {
    light(a).relative_contrast(light(b))
}

/// Checks the smallest difference of two colors over all kinds of sight.
#[track_caller]
fn differ(what: &str, a: Color32, b: Color32, least: f32) {
    for (name, eyes) in &EYES {
        let difference = seen(a, eyes).difference(seen(b, eyes));
        assert!(
            least <= difference,
            "{what}: {} and {} are {difference:.1} apart to {name}",
            a.to_hex(),
            b.to_hex()
        );
    }
}

#[track_caller]
fn stands_out(what: &str, color: Color32, grounds: &[Color32], least: f32) {
    for &ground in grounds {
        let contrast = contrast(color, ground);
        assert!(
            least <= contrast,
            "{what}: {} on {} has {contrast:.2} : 1",
            color.to_hex(),
            ground.to_hex()
        );
    }
}

impl Theme {
    fn grounds(&self) -> [Color32; 6] {
        [
            self.bg0,
            self.bg1,
            self.bg2,
            self.bg3,
            self.bg4,
            self.accent_bg,
        ]
    }

    fn name(&self) -> &'static str {
        match (self.high_contrast, self.dark) {
            (false, true) => "dark",
            (false, false) => "light",
            (true, true) => "high contrast dark",
            (true, false) => "high contrast light",
        }
    }
}

#[test]
fn texts_and_signals_are_read_on_every_surface() {
    for theme in ALL {
        let least = if theme.high_contrast { 7.0 } else { 4.5 };
        let words = [
            theme.text1,
            theme.text2,
            theme.text3,
            theme.accent,
            theme.error,
            theme.warn,
            theme.ok,
        ];
        words
            .into_iter()
            .for_each(|text| stands_out(theme.name(), text, &theme.grounds(), least));
        stands_out(theme.name(), theme.on_accent, &[theme.accent], least);
        let fills = theme.diverging.iter().chain(&theme.sequential);
        fills.for_each(|&fill| stands_out(theme.name(), text_on(fill), &[fill], 4.5));
        (1..=17).for_each(|rank| {
            stands_out(
                theme.name(),
                theme.tile_text(rank),
                &[theme.tile(rank)],
                4.5,
            );
        });
    }
}

#[test]
fn what_can_be_clicked_is_bounded_by_lines_that_are_seen() {
    for theme in ALL {
        stands_out(theme.name(), theme.line, &theme.grounds(), 3.0);
        stands_out(theme.name(), theme.grid, &[theme.bg1, theme.bg2], 3.0);
        // A selected segment has an outline in the accent color, inside and outside.
        stands_out(theme.name(), theme.accent, &theme.grounds(), 3.0);
        // An empty cell of the board has an outline unless its plate has another lightness.
        if contrast(theme.empty_cell, theme.board) < 3.0 {
            stands_out(
                theme.name(),
                theme.line,
                &[theme.empty_cell, theme.board],
                3.0,
            );
        }
        if theme.high_contrast {
            stands_out(theme.name(), theme.sep, &theme.grounds(), 3.0);
            stands_out(theme.name(), theme.empty_cell, &[theme.board], 3.0);
        }
    }
}

#[test]
fn high_contrast_has_black_or_white_panels_and_no_fainter_text() {
    for theme in [&HIGH_CONTRAST_DARK, &HIGH_CONTRAST_LIGHT] {
        assert_eq!(
            theme.bg1,
            if theme.dark {
                Color32::BLACK
            } else {
                Color32::WHITE
            }
        );
        assert_eq!(theme.text2, theme.text3);
    }
}

#[test]
fn the_accent_is_no_colour_of_data_to_any_eyes() {
    for theme in ALL {
        let stops = theme.diverging.iter().chain(&theme.sequential);
        let data = stops.chain(&theme.kinds).chain(&theme.strategies).chain([
            &theme.error,
            &theme.warn,
            &theme.ok,
        ]);
        data.for_each(|&color| differ(theme.name(), theme.accent, color, 10.0));
        (-20..=20).for_each(|t| {
            differ(
                theme.name(),
                theme.accent,
                theme.diverging(t as f32 / 20.0),
                7.9,
            );
        });
    }
}

#[test]
fn colours_of_data_differ_to_all_eyes() {
    for theme in ALL {
        for (set, least) in [(&theme.strategies[..], 14.3), (&theme.kinds[..], 14.4)] {
            for (place, &a) in set.iter().enumerate() {
                set[..place]
                    .iter()
                    .for_each(|&b| differ(theme.name(), a, b, least));
            }
        }
        for (scale, step) in [(&theme.diverging, 10.1), (&theme.sequential, 4.5)] {
            scale
                .windows(2)
                .for_each(|stops| differ(theme.name(), stops[0], stops[1], step));
        }
        differ(theme.name(), theme.diverging[0], theme.diverging[6], 45.0);
        theme
            .strategies
            .iter()
            .for_each(|&color| stands_out(theme.name(), color, &[theme.bg1, theme.bg2], 3.0));
        theme.kinds.iter().for_each(|&color| {
            stands_out(
                theme.name(),
                color,
                &[theme.bg1, theme.bg2, theme.bg3],
                4.49,
            );
        });
    }
}

#[test]
fn the_palette_in_force_is_found_again() {
    let ctx = egui::Context::default();
    for (choice, prefers_dark, theme) in [
        (ThemeChoice::Dark, true, &DARK),
        (ThemeChoice::Light, true, &LIGHT),
        (ThemeChoice::HighContrastDark, false, &HIGH_CONTRAST_DARK),
        (ThemeChoice::HighContrastLight, false, &HIGH_CONTRAST_LIGHT),
    ] {
        install(&ctx, choice, || prefers_dark, true);
        assert_eq!(Theme::of_visuals(&ctx.global_style().visuals), theme);
    }
    install(&ctx, ThemeChoice::System, || true, true);
    assert!(
        Theme::of_visuals(&ctx.global_style().visuals).high_contrast,
        "as the system asks"
    );
}

#[test]
fn every_rank_has_a_tile_and_the_highest_share_one() {
    assert_eq!(DARK.tile(0), DARK.empty_cell);
    assert_eq!(DARK.tile(1), hex(0x59_67_6D));
    assert_eq!(DARK.tile(17), LIGHT.tile(26));
    assert_eq!(DARK.tile_text(9), Color32::WHITE);
    assert_eq!(DARK.tile_text(10), TILE_INK);
}

#[test]
fn the_first_sixteen_strategies_look_different() {
    for theme in ALL {
        for a in 0..16 {
            for b in 0..a {
                assert_ne!(theme.strategy(a), theme.strategy(b), "slots {a} and {b}");
            }
        }
    }
}

#[test]
fn a_scale_meets_its_stops_and_bears_nonsense() {
    assert_eq!(DARK.diverging(0.0), DARK.diverging[3]);
    assert_eq!(DARK.diverging(-5.0), DARK.diverging[0]);
    assert_eq!(DARK.diverging(1.0), DARK.diverging[6]);
    assert_eq!(DARK.diverging(f32::NAN), DARK.diverging[3]);
    assert_eq!(LIGHT.sequential(1.0), LIGHT.sequential[6]);
}
