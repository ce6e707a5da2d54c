//! The bar above the search tree: its tools, the path to the selection, and a summary of the search.

pub(super) mod changed;
mod filter_box;
pub(super) mod record;
mod way;

use egui::{Align, Layout, Popup, Rect, Sense, Ui, vec2};
use strum::IntoEnumIterator as _;

use crate::search::{SpawnRule, TreeFormat};
use crate::workbench::command::{
    Command, Commands, CompareCommand, Panel, TreeCommand, TreeView, ViewCommand,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{
    Button, Segment, choose, drop_down, menu_choice, menu_item, segments_ui, submenu,
};
use crate::workbench::panels::tree::{Base, Inspection};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Minimum widths for the plies as buttons, for text on the buttons at the right, and for path and summary on one line.
const PLIES_FROM: f32 = 1040.0;
const WORDS_FROM: f32 = 820.0;
const ONE_LINE_FROM: f32 = 1300.0;
/// Below this width only the menu has the plies.
const MENU_FROM: f32 = 520.0;
/// In less space the filter is an icon, which opens it in place of the summary of the search.
const LEAST_FILTER: f32 = 150.0;
const WAY: f32 = theme::HIT;
const RECORD: f32 = theme::TAG;

pub(super) fn ui(
    ui: &mut Ui,
    doc: &Document,
    inspection: &mut Inspection,
    commands: &mut Commands,
) {
    if inspection.is_brief {
        return brief_ui(ui, doc, inspection, commands);
    }

    let has_filter = tools(ui, doc, inspection, commands);
    let filters = !has_filter && inspection.filter.is_open();
    let width = ui.available_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, WAY), Sense::hover());
    if ONE_LINE_FROM <= width {
        let middle = rect.left() + (width * 0.42).round();
        line(ui, rect.with_max_x(middle - theme::SPACE_L), "way", |ui| {
            way::ui(ui, inspection, commands);
        });
        record_or_filter(
            ui,
            rect.with_min_x(middle),
            filters,
            doc,
            inspection,
            commands,
        );
    } else {
        line(ui, rect, "way", |ui| way::ui(ui, inspection, commands));
        let height = if filters { theme::CONTROL } else { RECORD };
        let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        record_or_filter(ui, rect, filters, doc, inspection, commands);
    }
}

/// The summary of the search, or the filter in its place.
fn record_or_filter(
    ui: &mut Ui,
    rect: Rect,
    filters: bool,
    doc: &Document,
    inspection: &mut Inspection,
    commands: &mut Commands,
) {
    line(ui, rect, "record", |ui| {
        if !filters {
            return record::ui(ui, doc, inspection, commands);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if icon_button(ui, Icon::Close, "Close the filter", "Close the filter").clicked() {
                inspection.filter.close();
            }
            ui.add_space(theme::SPACE_S);
            filter_box::ui(ui, inspection, commands);
        });
    });
}

/// The search summary, or the filter in its place. The panel menu has the other tools.
fn brief_ui(ui: &mut Ui, doc: &Document, inspection: &mut Inspection, commands: &mut Commands) {
    let filters = inspection.filter.is_open();
    let height = if filters { theme::CONTROL } else { RECORD };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    record_or_filter(ui, rect, filters, doc, inspection, commands);
}

/// The tools next to the title, from right to left, if the bar has none.
pub(in crate::workbench::panels) fn head_ui(
    ui: &mut Ui,
    inspection: &Inspection,
    commands: &mut Commands,
) {
    if !inspection.is_brief || inspection.shown().is_none() {
        return;
    }
    for (icon, command) in [
        (Icon::Step, TreeCommand::StepThrough),
        (Icon::Search, TreeCommand::Find),
    ] {
        commands.icon(ui, icon, Command::Tree(command), inspection.can(command));
    }
}

/// The tools of the folded bar that are not commands: row, plies, and the spawns on the line.
pub(in crate::workbench::panels) fn folded_ui(
    ui: &mut Ui,
    inspection: &mut Inspection,
    commands: &mut Commands,
) {
    let Some(shown) = inspection.shown().cloned() else {
        return;
    };
    if 1 < shown.rows.len() {
        submenu(ui, "Row of the strategy", |ui| {
            for &row in &shown.rows {
                if menu_choice(ui, row == shown.row, shown.strategy.numbered_label(row)).clicked() {
                    inspection.wanted_row = Some(row);
                }
            }
        });
    }

    submenu(ui, "Unfold to ply", |ui| {
        for (command, _, on) in depths(inspection) {
            commands.when_clicked(&menu_choice(ui, on, command.text()), command);
        }
    });

    submenu(ui, "Chosen line", |ui| {
        for rule in SpawnRule::iter() {
            if menu_choice(ui, rule == inspection.rule(), rule.text()).clicked() {
                inspection.set_rule(rule);
            }
        }
    });
}

/// The tools; true if the filter fits.
fn tools(
    ui: &mut Ui,
    doc: &Document,
    inspection: &mut Inspection,
    commands: &mut Commands,
) -> bool {
    let width = ui.available_width();
    let mut has_filter = true;
    let (rect, _) = ui.allocate_exact_size(vec2(width, theme::CONTROL), Sense::hover());
    line(ui, rect, "tools", |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        // A comparison draws trees.
        let current = if inspection.is_compared && inspection.view != TreeView::Plies {
            TreeView::Tree
        } else {
            inspection.view
        };

        let views = TreeView::iter().map(|view| (TreeCommand::View(view), current == view));
        let views = views.filter(|&(command, _)| inspection.can(command).is_ok());
        let choices: Vec<_> = views
            .map(|(view, is_current)| (Command::Tree(view), Command::Tree(view).text(), is_current))
            .collect();
        switch(ui, "View of the search", &choices, commands);
        rows(ui, inspection);
        if PLIES_FROM <= width {
            ui.label(
                egui::RichText::new("Unfold to ply")
                    .small()
                    .color(Theme::of(ui).text3),
            );
            switch(ui, "Unfold to ply", &depths(inspection), commands);
        } else if MENU_FROM <= width {
            plies_menu(ui, inspection, commands);
        }

        // The right part comes first, so that the filter takes the rest.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP;
            let has_words = WORDS_FROM <= width;
            let menu = icon_button(
                ui,
                Icon::Menu,
                "More tree tools",
                "Chosen line, folding and export",
            );
            Popup::menu(&menu).show(|ui| {
                let most = ui.ctx().content_rect().bottom() - menu.rect.bottom() - theme::SPACE_L;
                let most = most.max(240.0);
                egui::ScrollArea::vertical()
                    .max_height(most)
                    .min_scrolled_height(most)
                    .show(ui, |ui| {
                        menu_ui(ui, doc, inspection, commands);
                    });
            });
            let fit = Command::Tree(TreeCommand::Fit);
            commands.icon(ui, Icon::Fit, fit, inspection.can(TreeCommand::Fit));
            if has_words {
                compare(ui, doc, commands);
            }

            let steps = inspection.replay.is_some();
            let command = Command::Tree(TreeCommand::StepThrough);
            if has_words {
                let text = if steps {
                    "Stop stepping"
                } else {
                    "Step through"
                };
                let button = Button::new(text).icon(Icon::Step).name("Step through");
                let button = if steps { button } else { button.quiet() };
                commands.show(ui, button, command, Ok(()));
            } else {
                commands.icon(ui, Icon::Step, command, Ok(()));
            }

            ui.add_space(theme::SPACE_S);
            has_filter = LEAST_FILTER <= ui.available_width();
            if has_filter {
                filter_box::ui(ui, inspection, commands);
            } else {
                commands.icon(ui, Icon::Search, Command::Tree(TreeCommand::Find), Ok(()));
            }
        });
    });

    has_filter
}

fn compare(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let name = doc
        .baseline()
        .and_then(|index| doc.strategies().get(index))
        .map(|strategy| strategy.label());
    let text = if name.is_some() {
        "Comparing"
    } else {
        "Compare"
    };
    let about = Command::Tree(TreeCommand::Compare).tooltip();
    let about = name.map_or(about, |name| {
        format!("Compared with {name}; press to choose another strategy")
    });
    let button = Button::new(text).name("Compare");
    let anchor = ui
        .add(if doc.baseline().is_some() {
            button
        } else {
            button.quiet()
        })
        .on_hover_text(about);
    let id = anchor.id.with("compare");
    if anchor.clicked() {
        Popup::toggle_id(ui, id);
    }
    Popup::from_response(&anchor)
        .id(id)
        .open_memory(None)
        .layout(Layout::top_down_justified(Align::Min))
        .show(|ui| {
            ui.set_min_width(200.0);
            rivals(ui, doc, commands);
        });
}

/// A line of the bar: content is clipped to `rect` and centered vertically.
fn line(ui: &mut Ui, rect: Rect, name: &str, add: impl FnOnce(&mut Ui)) {
    let builder = egui::UiBuilder::new()
        .id_salt(name)
        .max_rect(rect)
        .layout(Layout::left_to_right(Align::Center));
    let mut inside = ui.new_child(builder);
    inside.set_clip_rect(rect.expand(3.0).intersect(ui.clip_rect()));
    add(&mut inside);
}

/// Commands side by side. At most one is selected.
fn switch(
    ui: &mut Ui,
    name: &str,
    choices: &[(Command, &'static str, bool)],
    commands: &mut Commands,
) {
    let segments = choices.iter().map(|(command, text, selected)| {
        let name = if text.len() == 1 {
            command.text()
        } else {
            text
        };
        Segment {
            text,
            name,
            selected: *selected,
            tip: command.tooltip(),
        }
    });
    let segments: Vec<Segment<'_>> = segments.collect();
    for ((command, ..), segment) in choices.iter().zip(segments_ui(ui, name, &segments).1) {
        commands.when_clicked(&segment, command.clone());
    }
}

/// The choice of the row whose tree is shown, if several rows have one.
fn rows(ui: &mut Ui, inspection: &mut Inspection) {
    let Some(shown) = inspection.shown().filter(|shown| 1 < shown.rows.len()) else {
        return;
    };
    let name = |row: usize| shown.strategy.numbered_label(row);
    let list = drop_down("row of the tree", name(shown.row), 124.0).truncate();
    let (response, picked) = choose(ui, list, shown.row, shown.rows.iter().copied(), name);
    response
        .accessible_name("Row of the strategy")
        .on_hover_text("The row whose search is shown");
    if let Some(row) = picked {
        inspection.wanted_row = Some(row);
    }
}

fn depths(inspection: &Inspection) -> Vec<(Command, &'static str, bool)> {
    const NUMBERS: [&str; 7] = ["1", "2", "3", "4", "5", "6", "7"];
    let plies = inspection
        .shown()
        .map_or(0, |shown| shown.tree.subject().plies);
    let base = inspection.folding().base;
    let numbered = NUMBERS
        .into_iter()
        .zip(1_u8..)
        .take_while(|&(_, ply)| u32::from(ply) <= plies);
    let numbered =
        numbered.map(|(text, ply)| (TreeCommand::UnfoldTo(ply), text, base == Base::Ply(ply)));
    let all = (TreeCommand::UnfoldAll, "All", base == Base::Everything);
    numbered
        .chain([all])
        .map(|(command, text, on)| (Command::Tree(command), text, on))
        .collect()
}

fn plies_menu(ui: &mut Ui, inspection: &Inspection, commands: &mut Commands) {
    let depths = depths(inspection);
    let text = depths
        .iter()
        .find(|(.., on)| *on)
        .map_or("Unfold", |(_, text, _)| text);
    let text = if text.len() == 1 {
        format!("To ply {text}")
    } else {
        text.to_owned()
    };
    let response = drop_down("unfold to ply", text, 76.0).show_ui(ui, |ui| {
        for (command, _, on) in depths {
            commands.when_clicked(
                &menu_choice(ui, on, command.text()).on_hover_text(command.tooltip()),
                command,
            );
        }
    });
    response.response.accessible_name("Unfold to ply");
}

fn rivals(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.label(
        egui::RichText::new("Compare with the search of")
            .small()
            .color(theme.text3),
    );
    for (index, strategy) in doc
        .strategies()
        .iter()
        .enumerate()
        .filter(|&(index, _)| index != doc.current())
    {
        commands.when_clicked(
            &menu_choice(ui, doc.baseline() == Some(index), strategy.label()),
            CompareCommand::With(Some(index)),
        );
    }
    if doc.strategies().len() == 1 {
        ui.label(
            egui::RichText::new("Only one strategy is open: open another to compare")
                .color(theme.text3),
        );
    }
    if doc.baseline().is_some() {
        ui.separator();
        commands.when_clicked(
            &menu_item(ui, "End comparison", None, true),
            CompareCommand::With(None),
        );
    }
}

const MENU: &[&[Command]] = {
    use Command::Tree;
    use TreeCommand::*;
    &[
        &[
            Tree(Minimap),
            Tree(FitSelection),
            Tree(Reveal),
            Tree(ZoomIn),
            Tree(ZoomOut),
        ],
        &[Tree(Unfold), Tree(Fold), Tree(AllSpawns), Tree(UnfoldAll)],
        &[
            Tree(Rule(SpawnRule::MostLikely)),
            Tree(Rule(SpawnRule::Median)),
            Tree(Rule(SpawnRule::AsPlayed)),
        ],
        &[
            Tree(OpenOnBoard),
            Tree(SearchSkipped),
            Tree(JumpToStored),
            Tree(CopyNode),
        ],
        &[Tree(SearchOn), Tree(TakeBack), Tree(SearchUncut)],
        &[
            Tree(Compare),
            Command::Compare(CompareCommand::NextDisagreement),
            Command::Compare(CompareCommand::PreviousDisagreement),
        ],
        &[Tree(OpenFile), Tree(CloseFile)],
        &[Command::View(ViewCommand::Figure(Some(Panel::Tree)))],
    ]
};

fn menu_ui(ui: &mut Ui, doc: &Document, inspection: &Inspection, commands: &mut Commands) {
    for (place, group) in MENU.iter().enumerate() {
        if place != 0 {
            ui.separator();
        }
        for command in *group {
            entry_ui(ui, doc, inspection, command, commands);
        }
    }
    for format in TreeFormat::iter() {
        entry_ui(
            ui,
            doc,
            inspection,
            &Command::Tree(TreeCommand::Save(format)),
            commands,
        );
    }
}

fn entry_ui(
    ui: &mut Ui,
    doc: &Document,
    inspection: &Inspection,
    command: &Command,
    commands: &mut Commands,
) {
    let is_on = match *command {
        Command::Tree(TreeCommand::Minimap) => !inspection.hides_minimap,
        Command::Tree(TreeCommand::Rule(rule)) => inspection.rule() == rule,
        _ => false,
    };
    let allowed = match *command {
        Command::Tree(tree) => inspection.can(tree).map_err(std::borrow::Cow::Borrowed),
        _ => doc.can(command),
    };
    let mut keys = command.keys().unwrap_or_default();
    if is_on {
        keys = if keys.is_empty() {
            "✓".to_owned()
        } else {
            format!("✓ {keys}")
        };
    }
    commands.menu_row(ui, command, command.text(), Some(&keys), &allowed);
}
