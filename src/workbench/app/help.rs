//! Help sheets: the user guide, keyboard shortcuts, glossary, and the about box.

mod guide;

use egui::{Context, Id, Modal, RichText, ScrollArea, TextEdit, Ui};
use strum::IntoEnumIterator as _;

use crate::workbench::command::{CTRL, Command, HelpSheet, Menu};
use crate::workbench::kit::{Button, answers, keycap, scroll_by_keys, show_dialog};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Draws a sheet; `false` when it closes.
pub(super) fn show(ctx: &Context, sheet: HelpSheet) -> bool {
    let mut open = true;
    let (wide, title) = match sheet {
        HelpSheet::Shortcuts => (860.0, "Keyboard shortcuts"),
        HelpSheet::Glossary => (720.0, "Glossary"),
        HelpSheet::Guide => (820.0, "User guide"),
        HelpSheet::About => (420.0, "Afterstate"),
    };

    let modal = Modal::new(Id::unique("sheet")).frame(theme::dialog_frame(&ctx.global_style()));
    let modal = show_dialog(ctx, modal, title, |ui| {
        let screen = ui.ctx().content_rect().size();
        ui.set_width(f32::min(wide, screen.x - 64.0));
        ui.heading(title);
        // Only a small window scrolls.
        let most = screen.y - 160.0;
        let area = ScrollArea::vertical()
            .min_scrolled_height(most)
            .max_height(most)
            .auto_shrink([false, true]);
        if sheet == HelpSheet::Guide {
            guide::buttons(ui);
        }
        let query = if sheet == HelpSheet::Glossary {
            glossary_field(ui)
        } else {
            String::new()
        };
        // Each page of the guide begins at its top.
        let salt = if sheet == HelpSheet::Guide {
            guide::file(ui)
        } else {
            "sheet"
        };
        area.id_salt(salt).show(ui, |ui| {
            scroll_by_keys(ui);
            match sheet {
                HelpSheet::Shortcuts => shortcuts(ui),
                HelpSheet::Glossary => glossary(ui, &query),
                HelpSheet::Guide => guide::page(ui),
                HelpSheet::About => about(ui),
            }
        });
        answers(ui, |ui| {
            if ui.add(Button::new("Close")).clicked() {
                open = false;
            }
        });
    });

    open && !modal.should_close()
}

/// The filter of the glossary; its text is lost when the sheet closes.
fn glossary_field(ui: &mut Ui) -> String {
    let id = Id::unique("glossary query");
    let mut query = ui
        .data(|data| data.get_temp::<String>(id))
        .unwrap_or_default();
    let field = TextEdit::singleline(&mut query)
        .hint_text("Find a word")
        .desired_width(f32::INFINITY)
        .align(egui::Align2::LEFT_CENTER)
        .min_size(egui::vec2(0.0, theme::CONTROL));
    let response = ui.add(field).accessible_name("Find a word");
    if ui.memory(|memory| memory.focused().is_none()) {
        response.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(id, query.clone()));
    query
}

fn glossary(ui: &mut Ui, query: &str) {
    let theme = Theme::of(ui);
    let found = terms::find(query);
    if found.is_empty() {
        ui.label(RichText::new("Nothing found").color(theme.text3));
    }
    for (title, terms) in terms::ALL.iter() {
        let shown: Vec<&terms::Term> = terms.iter().filter(|term| found.contains(term)).collect();
        if shown.is_empty() {
            continue;
        }
        ui.add_space(theme::SPACE_M);
        ui.label(
            RichText::new(*title)
                .font(theme::medium())
                .color(theme.text3),
        );
        for term in shown {
            ui.add_space(theme::SPACE_S);
            ui.vertical(|ui| terms::show(ui, term));
        }
    }

    ui.add_space(theme::SPACE_M);
}

fn shortcuts(ui: &mut Ui) {
    let theme = Theme::of(ui);
    let columns = ((ui.available_width() / 270.0) as usize).clamp(1, 3);

    let mut menus: Vec<(Menu, Vec<&Command>)> = Menu::iter()
        .map(|menu| {
            let listed =
                |command: &&Command| command.menu() == Some(menu) && command.keys().is_some();
            (menu, Command::all().filter(listed).collect())
        })
        .collect();
    menus.retain(|(_, rows): &(Menu, Vec<_>)| !rows.is_empty());
    // Puts whole menus into the column with the fewest rows, the longest menu first.
    menus.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let mut heights = vec![0; columns];
    let mut places: Vec<Vec<(Menu, Vec<&Command>)>> = vec![Vec::new(); columns];
    for (menu, rows) in menus {
        let least = (0..columns)
            .min_by_key(|&column| heights[column])
            .unwrap_or(0);
        heights[least] += rows.len() + 2;
        places[least].push((menu, rows));
    }

    ui.spacing_mut().item_spacing.x = theme::SPACE_XL;
    ui.columns(columns, |columns| {
        for (ui, menus) in columns.iter_mut().zip(places) {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (menu, rows) in menus {
                ui.add_space(theme::SPACE_M);
                ui.label(
                    RichText::new(menu.text())
                        .font(theme::strong())
                        .color(theme.text2),
                );
                for command in rows {
                    ui.horizontal(|ui| {
                        ui.set_min_height(theme::ROW);
                        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
                        ui.label(command.text().trim_end_matches('…'));
                        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                            for keys in command.all_keys().iter().rev() {
                                keycap(ui, keys);
                            }
                        });
                    });
                }
            }
        }
    });

    ui.add_space(theme::SPACE_M);
    let keys = format!(
        "While you type in a field, keys without {CTRL} are off. A adds a row while the Strategy panel has the focus, and \
         slides left otherwise. On a plot, arrow keys move the brush, Shift widens it, + and − zoom, and 0 shows all. On \
         the timeline, arrow and page keys go from move to move. On a cell of the position editor, + and − change the \
         tile. Tab and Shift Tab move the focus, Enter and Space press the focused control, and Escape leaves it."
    );
    ui.label(RichText::new(keys).small().color(theme.text3));
}

fn about(ui: &mut Ui) {
    let theme = Theme::of(ui);
    ui.label(RichText::new(concat!("Version ", env!("AFTERSTATE_VERSION"))).color(theme.text2));
    ui.label(
        "A workbench for people who study game AI on 2048. An afterstate is the board after the move and before the \
         new tile.",
    );
    ui.label(RichText::new("License: MIT or Apache-2.0, as you choose").color(theme.text2));
    let fonts = "Fonts: IBM Plex Sans, © 2017 IBM Corp., and JetBrains Mono, © 2020 The JetBrains Mono Project Authors, both \
        under the SIL Open Font License 1.1. The reference network was trained by this program and has its license.";
    let crates = "This program contains Rust crates under permissive licenses, such as egui, and the fonts that come with \
        egui. THIRD-PARTY.txt in each package has their licenses.";
    for statement in [fonts, crates] {
        ui.label(RichText::new(statement).small().color(theme.text3));
    }

    let id = Id::unique("crates");
    let mut is_open = ui.data(|data| data.get_temp(id)).unwrap_or(false);
    if ui
        .add(Button::new(if is_open {
            "Hide crates"
        } else {
            "List crates"
        }))
        .clicked()
    {
        is_open = !is_open;
        ui.data_mut(|data| data.insert_temp(id, is_open));
    }
    if is_open {
        for line in CRATES.lines() {
            ui.label(RichText::new(line).small().color(theme.text2));
        }
    }
    ui.add_space(theme::SPACE_M);
}

/// The crates by license, one license a line; `.ci/licenses` writes them, and `.ci/metadata` compares.
const CRATES: &str = include_str!("../../../assets/crates.txt");

#[cfg(test)]
mod tests {
    use super::CRATES;

    #[test]
    fn about_names_the_crates_by_license() {
        let lines = CRATES
            .lines()
            .map(|line| line.split_once(": ").expect("a license and its crates"));
        let names: Vec<&str> = lines.flat_map(|(_, names)| names.split(", ")).collect();
        assert!(
            ["egui", "parquet", "winit"]
                .iter()
                .all(|name| names.contains(name))
        );
    }
}
