//! The fonts of the window: IBM Plex Sans for text and numbers, JetBrains Mono for code and missing symbols.
//!
//! The default digits of Plex have the same width in all three weights, so a value may turn bold without moving, and
//! columns need no monospace font. Symbols missing in Plex (`▲ ▼ ● ■ ✗` …) come from JetBrains Mono, then from egui's
//! own fonts. Letters that none of them has, as in a name in Chinese, come from the system's fonts, which eframe finds. Figures
//! have none of these.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

/// Family of the medium weight, for names.
pub const MEDIUM: &str = "medium";
/// Family of the semibold weight, for values and titles.
pub const SEMIBOLD: &str = "semibold";

/// Every symbol besides letters that the window may write; a test checks that the fonts have them.
pub const SYMBOLS: &str = "←↑→↓≤≥±×−≈≠∞σμαβεΔΣ√·–—…½²✓✗▲▼◀▶●■□◆¼³µ“”‘’";

pub fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let files: [(&str, &'static [u8]); 4] = [
        (
            "plex",
            include_bytes!("../../assets/fonts/IBMPlexSans-Regular.ttf"),
        ),
        (
            "plex-medium",
            include_bytes!("../../assets/fonts/IBMPlexSans-Medium.ttf"),
        ),
        (
            "plex-semibold",
            include_bytes!("../../assets/fonts/IBMPlexSans-SemiBold.ttf"),
        ),
        (
            "jetbrains-mono",
            include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf"),
        ),
    ];
    for (name, bytes) in files {
        fonts
            .font_data
            .insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }

    let bundled = fonts
        .families
        .get(&FontFamily::Proportional)
        .cloned()
        .unwrap_or_default();
    let family = |first: &[&str]| {
        first
            .iter()
            .map(|&name| name.to_owned())
            .chain(bundled.clone())
            .collect::<Vec<_>>()
    };
    let families = [
        (
            FontFamily::Proportional,
            family(&["plex", "jetbrains-mono"]),
        ),
        (
            FontFamily::Name(MEDIUM.into()),
            family(&["plex-medium", "jetbrains-mono"]),
        ),
        (
            FontFamily::Name(SEMIBOLD.into()),
            family(&["plex-semibold", "jetbrains-mono"]),
        ),
        (FontFamily::Monospace, family(&["jetbrains-mono", "plex"])),
    ];
    fonts.families.extend(families);
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_has_a_glyph_in_every_family() {
        let ctx = egui::Context::default();
        ctx.set_fonts(definitions());
        let mut output = ctx.run_ui(egui::RawInput::default(), |_| {});
        output.textures_delta.clear();

        let terms = crate::workbench::terms::ALL
            .iter()
            .flat_map(|(_, terms)| *terms);
        let explained: String = terms
            .flat_map(|term| {
                [
                    term.name,
                    term.lines[0],
                    term.lines[1],
                    term.formula,
                    term.source,
                ]
            })
            .collect();

        for family in [
            FontFamily::Proportional,
            FontFamily::Name(MEDIUM.into()),
            FontFamily::Name(SEMIBOLD.into()),
            FontFamily::Monospace,
        ] {
            let font = egui::FontId::new(13.0, family.clone());
            for symbol in SYMBOLS.chars().chain(explained.chars()) {
                assert!(
                    ctx.fonts_mut(|fonts| fonts.has_glyph(&font, symbol)),
                    "{symbol} is missing in {family:?}"
                );
            }
        }
    }
}
