//! The search over everything the program can do.

use egui::{Align2, Area, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::workbench::command::{Command, Commands};
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{ListRow, keycap, show_dialog};
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(super) struct CommandSearch {
    query: String,
    selected: usize,
    shown_once: bool,
}

impl CommandSearch {
    /// Draws the search; `false` once it is to close.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        can: impl Fn(&Command) -> Result<(), String>,
        commands: &mut Commands,
    ) -> bool {
        let mut open = true;
        let id = Id::unique("find a command");
        let area: Area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
        let modal = Modal::new(id).area(area).frame(theme::dialog_frame(&ctx.global_style()).inner_margin(8));
        let modal = show_dialog(ctx, modal, "Find a command", |ui| {
            let screen = ui.ctx().content_rect().size();
            ui.set_width(520.0_f32.min(screen.x - 48.0));
            open = self.ui(ui, screen.y, &can, commands);
        });
        open && !modal.should_close()
    }

    fn ui(
        &mut self,
        ui: &mut Ui,
        screen_height: f32,
        can: &impl Fn(&Command) -> Result<(), String>,
        commands: &mut Commands,
    ) -> bool {
        let theme = Theme::of(ui);
        // Before the field sees them: in it, arrows would move the cursor.
        let steps = ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize;
            down - input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize
        });
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let edit = ui
            .horizontal(|ui| {
                icon_label(ui, Icon::Search, theme.text3);
                let edit = TextEdit::singleline(&mut self.query).hint_text("Find a command").frame(egui::Frame::NONE);
                ui.add(
                    edit.desired_width(f32::INFINITY)
                        .align(egui::Align2::LEFT_CENTER)
                        .min_size(vec2(0.0, theme::CONTROL)),
                )
            })
            .inner
            .accessible_name("Find a command");
        edit.request_focus();
        ui.separator();

        let found = find(&self.query);
        if edit.changed() || !self.shown_once {
            self.selected = 0;
        }
        self.shown_once = true;
        self.selected = self.selected.saturating_add_signed(steps).min(found.len().saturating_sub(1));
        if found.is_empty() {
            ui.label(RichText::new("No command has these letters").color(theme.text3));
            return true;
        }
        let mut chosen = enter.then_some(self.selected);
        let height = (screen_height - 220.0).clamp(96.0, 384.0);
        let rows = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        rows.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (i, command) in found.iter().enumerate() {
                let state = can(command);
                let response = row(ui, command, &state, i == self.selected);
                if i == self.selected && steps != 0 {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(i);
                }
            }
        });
        let Some(command) = chosen.and_then(|i| found.get(i)) else { return true };
        if can(command).is_err() {
            return true;
        }
        commands.push((*command).clone());
        false
    }
}

fn row(ui: &mut Ui, command: &Command, state: &Result<(), String>, selected: bool) -> egui::Response {
    let theme = Theme::of(ui);
    let row = ListRow::new(command.text()).selected(selected).enabled(state.is_ok()).height(theme::ROW_TALL);
    let mut rest = None;
    let response = row.show(ui, |line, _| {
        line.start(command.text(), theme::body(), if state.is_ok() { theme.text1 } else { theme.text3 });
        rest = Some(line.clone());
    });
    let Some(mut line) = rest else { return response };
    if let Some(keys) = command.keys() {
        let area = egui::Rect::from_x_y_ranges(line.left..=line.right, response.rect.y_range());
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(area).layout(layout));
        line.right = keycap(&mut inside, &keys).rect.left() - theme::SPACE_M;
    }
    let note = match (state, command.menu()) {
        (Err(reason), _) => reason.as_str(),
        (Ok(()), Some(menu)) => menu.text(),
        (Ok(()), None) => "",
    };
    line.skip(theme::SPACE_L);
    line.end(note, theme::small(), theme.text3);
    response
}

/// The commands that have the letters of `query` in this order, the best match first.
fn find(query: &str) -> Vec<&'static Command> {
    let mut found: Vec<(i32, usize, &Command)> =
        Command::all().enumerate().filter_map(|(i, command)| Some((rank(query, command)?, i, command))).collect();
    found.sort_by_key(|&(rank, i, _)| (rank, i));
    found.into_iter().map(|(_, _, command)| command).collect()
}

/// How far a command is from the query; the name counts before what it is about.
fn rank(query: &str, command: &Command) -> Option<i32> {
    let query = query.trim().to_lowercase();
    let name = command.text().to_lowercase();
    distance(&query, &name).or_else(|| {
        let rest = format!("{} {}", command.about(), command.menu()?.text()).to_lowercase();
        rest.contains(&query).then_some(10_000)
    })
}

/// Letters of `query` in order within `text`: 0 is a prefix; gaps and starts within a word cost.
fn distance(query: &str, text: &str) -> Option<i32> {
    if let Some(at) = text.find(query) {
        return Some(match text[..at].bytes().last() {
            None => 0,
            Some(b' ') => 10,
            Some(_) => 20,
        });
    }
    let mut cost = 100;
    let mut letters = text.chars();
    let mut after_blank = true;
    for wanted in query.chars().filter(|letter| !letter.is_whitespace()) {
        let mut skipped = 0;
        loop {
            let letter = letters.next()?;
            if letter == wanted {
                break;
            }
            skipped += 1;
            after_blank = letter == ' ';
        }
        cost += match (skipped, after_blank) {
            (0, _) => 0,
            (_, true) => 2,
            (_, false) => 5 + skipped,
        };
    }
    Some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::command::{ExperimentCommand, FileCommand, ViewCommand};

    #[test]
    fn an_empty_search_lists_everything_in_menu_order() {
        assert!(find("").into_iter().eq(Command::all()));
    }

    #[test]
    fn letters_in_order_find_a_command_and_the_closest_is_first() {
        assert_eq!(find("run")[0], &Command::from(ExperimentCommand::Run));
        assert_eq!(find("rexp")[0], &Command::from(ExperimentCommand::Run));
        assert_eq!(find("save as")[0], &Command::from(FileCommand::SaveAs));
        assert_eq!(find("reset lay")[0], &Command::from(ViewCommand::ResetLayout));
        assert!(find("qqq").is_empty());
    }

    #[test]
    fn what_a_command_is_about_finds_it_too() {
        assert!(find("clipboard").contains(&&Command::from(FileCommand::PastePosition)));
    }
}
