//! Help sheets: keyboard shortcuts, glossary, file formats, and the about box.

use egui::{Context, Id, Modal, RichText, ScrollArea, TextEdit, Ui};

use crate::workbench::command::{Command, HelpSheet, Menu};
use crate::workbench::kit::{Button, answers, keycap, scroll_by_keys, show_dialog};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Draws a sheet; `false` when it closes.
pub(super) fn show(ctx: &Context, sheet: HelpSheet) -> bool {
    let mut open = true;
    let (wide, title) = match sheet {
        HelpSheet::Shortcuts => (860.0, "Keyboard shortcuts"),
        HelpSheet::Glossary => (720.0, "Glossary"),
        HelpSheet::FileFormats => (640.0, "File formats"),
        HelpSheet::About => (420.0, "Afterstate"),
    };

    let modal = Modal::new(Id::unique("sheet")).frame(theme::dialog_frame(&ctx.global_style()));
    let modal = show_dialog(ctx, modal, title, |ui| {
        let screen = ui.ctx().content_rect().size();
        ui.set_width(f32::min(wide, screen.x - 64.0));
        ui.heading(title);
        // Only a small window scrolls.
        let most = screen.y - 160.0;
        let area = ScrollArea::vertical().min_scrolled_height(most).max_height(most).auto_shrink([false, true]);
        let query = if sheet == HelpSheet::Glossary { glossary_field(ui) } else { String::new() };
        area.show(ui, |ui| {
            scroll_by_keys(ui);
            match sheet {
                HelpSheet::Shortcuts => shortcuts(ui),
                HelpSheet::Glossary => glossary(ui, &query),
                HelpSheet::FileFormats => file_formats(ui),
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
    let mut query = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_default();
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
        ui.label(RichText::new("No term has these words").color(theme.text3));
    }
    for (title, terms) in terms::ALL.iter() {
        let shown: Vec<&terms::Term> = terms.iter().filter(|term| found.contains(term)).collect();
        if shown.is_empty() {
            continue;
        }
        ui.add_space(theme::SPACE_M);
        ui.label(RichText::new(*title).font(theme::medium()).color(theme.text3));
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

    let mut menus: Vec<(Menu, Vec<&Command>)> = Menu::ALL
        .into_iter()
        .map(|menu| {
            let listed = |command: &&Command| command.menu() == Some(menu) && command.keys().is_some();
            (menu, Command::all().filter(listed).collect())
        })
        .collect();
    menus.retain(|(_, rows): &(Menu, Vec<_>)| !rows.is_empty());
    // Puts whole menus into the column with the fewest rows, the longest menu first.
    menus.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let mut heights = vec![0; columns];
    let mut places: Vec<Vec<(Menu, Vec<&Command>)>> = vec![Vec::new(); columns];
    for (menu, rows) in menus {
        let least = (0..columns).min_by_key(|&column| heights[column]).unwrap_or(0);
        heights[least] += rows.len() + 2;
        places[least].push((menu, rows));
    }

    ui.spacing_mut().item_spacing.x = theme::SPACE_XL;
    ui.columns(columns, |columns| {
        for (ui, menus) in columns.iter_mut().zip(places) {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (menu, rows) in menus {
                ui.add_space(theme::SPACE_M);
                ui.label(RichText::new(menu.text()).font(theme::strong()).color(theme.text2));
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
    let note = "Keys without Ctrl rest while you type in a field. A adds a criterion while the strategy panel is in focus, \
        else it slides left. On a plot arrows move the brush, Shift widens it, + and − zoom, 0 shows all. On the timeline arrows and \
        page keys go from move to move; on a cell of the position editor + and − change the tile. Tab and Shift Tab walk through the controls, Enter and Space press the one in focus, Escape leaves.";
    ui.label(RichText::new(note).small().color(theme.text3));
}

const FORMATS: [(&str, &str, &str); 5] = [
    (
        "Board",
        "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2",
        "Four rows of tile values, rows separated by / or line breaks, cells by commas or blanks, an empty cell as 0 or a dot. \
         Sixteen hexadecimal digits with one exponent per cell and a flat list of sixteen values are read as well.",
    ),
    (
        "Strategy",
        "Strategy(name: \"emr\", criteria: [(evaluator: Empty), (evaluator: Monotonicity)], last_resort: Random)",
        "Criteria in order, then a last resort. Letters alone are enough for a composition: \
         e Empty, m Monotonicity, u Uniformity, g Greedy, r Random.",
    ),
    (
        "Preset",
        "A text file ending in .ron",
        "Title, note, rules, seed, number of games and strategies, with a version. The same preset gives the same numbers \
         on any number of threads, in the window and on the command line.",
    ),
    (
        "Game record",
        "A text file ending in .txt",
        "Rules, seeds and strategy in its head, then one move and its spawn a line. It can be replayed without this program.",
    ),
    (
        "Search tree",
        "A text file ending in .json",
        "One object a line, a line a node, the root first with what was searched in its head. It is exported from the tree and \
         opened again; other programs may write it, with an evaluator of their own.",
    ),
];

fn file_formats(ui: &mut Ui) {
    let theme = Theme::of(ui);
    for (name, example, about) in FORMATS {
        ui.add_space(theme::SPACE_S);
        ui.label(RichText::new(name).font(theme::strong()));
        ui.add(egui::Label::new(RichText::new(example).monospace().color(theme.text2)).selectable(true).wrap());
        ui.label(RichText::new(about).color(theme.text2));
    }
    ui.add_space(theme::SPACE_M);
}

fn about(ui: &mut Ui) {
    let theme = Theme::of(ui);
    ui.label(RichText::new(concat!("Version ", env!("CARGO_PKG_VERSION"))).color(theme.text2));
    ui.label(
        "A workbench for people who study game AI on 2048. An afterstate is the board after the move and before the \
         new tile.",
    );
    ui.label(RichText::new("Licence MIT or Apache-2.0").color(theme.text2));
    let fonts = "IBM Plex Sans, © 2017 IBM Corp., and JetBrains Mono, © 2020 The JetBrains Mono Project Authors, both under \
        the SIL Open Font License 1.1";
    ui.label(RichText::new(fonts).small().color(theme.text3));
    ui.add_space(theme::SPACE_M);
}
