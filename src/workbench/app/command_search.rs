//! The search over all commands, presets and strategies.

use egui::{
    Align2, Area, Context, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2,
};

use crate::preset::Shipped;
use crate::words;
use crate::workbench::command::{
    Command, Commands, FileCommand, Menu, PresetSource, ReviewCommand, SelectionCommand,
    StrategyCommand, ViewCommand,
};
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{ListRow, keycap, show_dialog};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(super) struct CommandSearch {
    things: Vec<Findable>,
    query: String,
    selected: usize,
    shown_once: bool,
}

/// A search result: a command, a preset or a strategy, by its text.
#[derive(Clone, Debug, PartialEq)]
struct Findable {
    text: String,
    /// Its category: a menu, or the presets.
    group: &'static str,
    command: Command,
}

impl Findable {
    fn commands() -> impl Iterator<Item = Self> {
        let menu_text = |command: &Command| command.menu().map_or("", Menu::text);
        Command::all().map(move |command| Self {
            text: command.text().to_owned(),
            group: menu_text(command),
            command: command.clone(),
        })
    }

    fn is_listed(&self) -> bool {
        self.command.menu().is_some()
    }
}

impl CommandSearch {
    pub(super) fn of(doc: &Document) -> Self {
        let preset = |title: &str, source| Findable {
            text: format!("Open preset {}", words::one_line(title)),
            group: "Presets",
            command: FileCommand::OpenPreset(source).into(),
        };
        let own = doc.presets().files().iter().filter_map(|file| {
            let stored = file.read().ok()?;
            Some(preset(
                &stored.item.title,
                PresetSource::File(file.path.clone()),
            ))
        });
        let shipped = Shipped::ALL.iter().filter_map(|shipped| {
            Some(preset(
                &shipped.preset().ok()?.title,
                PresetSource::Shipped(shipped.name),
            ))
        });

        let strategies = doc
            .strategies()
            .iter()
            .enumerate()
            .map(|(place, open)| Findable {
                text: format!("Use strategy {}", words::one_line(&open.label())),
                group: "Open strategies",
                command: StrategyCommand::Select(place).into(),
            });
        Self {
            things: Findable::commands()
                .chain(own)
                .chain(shipped)
                .chain(strategies)
                .collect(),
            ..Self::default()
        }
    }

    /// Draws the search; `false` when it closes.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        can: impl Fn(&Command) -> Result<(), String>,
        commands: &mut Commands,
    ) -> bool {
        let mut open = true;
        let id = Id::unique("find a command");
        let area: Area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 72.0));
        let modal = Modal::new(id)
            .area(area)
            .frame(theme::dialog_frame(&ctx.global_style()).inner_margin(8));
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
        // Before the field, where arrows would move the cursor.
        let steps = ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize;
            down - input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize
        });
        let enter = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        let edit = ui
            .horizontal(|ui| {
                icon_label(ui, Icon::Search, theme.text3);
                let edit = TextEdit::singleline(&mut self.query)
                    .hint_text("Find a command, preset or strategy")
                    .frame(egui::Frame::NONE);
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

        let found = find(&self.things, &self.query);
        if edit.changed() || !self.shown_once {
            self.selected = 0;
        }
        self.shown_once = true;
        self.selected = self
            .selected
            .saturating_add_signed(steps)
            .min(found.len().saturating_sub(1));
        if found.is_empty() {
            ui.label(RichText::new("Nothing found").color(theme.text3));
            return true;
        }
        let mut chosen = enter.then_some(self.selected);
        let height = (screen_height - 220.0).clamp(96.0, 384.0);
        let rows = ScrollArea::vertical()
            .max_height(height)
            .min_scrolled_height(height);
        rows.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (i, thing) in found.iter().enumerate() {
                let state = can(&thing.command);
                let response = row(ui, thing, &state, i == self.selected);
                if i == self.selected && steps != 0 {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(i);
                }
            }
        });
        let Some(thing) = chosen.and_then(|i| found.get(i)) else {
            return true;
        };
        if can(&thing.command).is_err() {
            return true;
        }
        commands.push(thing.command.clone());
        false
    }
}

fn row(
    ui: &mut Ui,
    thing: &Findable,
    state: &Result<(), String>,
    selected: bool,
) -> egui::Response {
    let theme = Theme::of(ui);
    let row = ListRow::new(&thing.text)
        .selected(selected)
        .enabled(state.is_ok())
        .height(theme::ROW_TALL);
    let mut rest = None;
    let response = row.show(ui, |line, _| {
        line.start(
            &thing.text,
            theme::body(),
            if state.is_ok() {
                theme.text1
            } else {
                theme.text3
            },
        );
        rest = Some(line.clone());
    });
    let Some(mut line) = rest else {
        return response;
    };
    if let Some(keys) = thing.command.keys() {
        let area = egui::Rect::from_x_y_ranges(line.left..=line.right, response.rect.y_range());
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(area).layout(layout));
        line.right = keycap(&mut inside, &keys).rect.left() - theme::SPACE_M;
    }

    let note = state.as_ref().map_or_else(String::as_str, |()| thing.group);
    line.skip(theme::SPACE_L);
    line.end(note, theme::small(), theme.text3);
    response
}

/// The matches, best first; all commands for an empty query.
fn find<'a>(things: &'a [Findable], query: &str) -> Vec<&'a Findable> {
    let mut found: Vec<(i32, &Findable)> = things
        .iter()
        .filter_map(|thing| Some((rank(query, thing)?, thing)))
        .collect();
    // A stable sort keeps the order of ties.
    found.sort_by_key(|&(rank, _)| rank);
    found.into_iter().map(|(_, thing)| thing).collect()
}

/// The rank of a match, lower is better; matches in the name come before matches in the description.
fn rank(query: &str, thing: &Findable) -> Option<i32> {
    let query = query.trim().to_lowercase();
    if query.is_empty() && !thing.is_listed() {
        return None;
    }
    let text = thing.text.to_lowercase();
    let has_all = |text: &str| query.split_whitespace().all(|word| text.contains(word));
    let all = format!(
        "{text} {} {} {}",
        thing.command.about(),
        thing.group,
        other_words(&thing.command)
    )
    .to_lowercase();
    let words: Vec<&str> = all
        .split(|letter: char| !letter.is_alphanumeric())
        .collect();
    // Whole words of the description are better than scattered letters of the name.
    let is_told = !query.is_empty() && query.split_whitespace().all(|word| words.contains(&word));
    let by_name = distance(&query, &text).or_else(|| has_all(&text).then_some(1_000));
    let by_words = (thing.is_listed() && is_told).then_some(SCATTERED);
    let by_parts = (thing.is_listed() && has_all(&all)).then_some(10_000);
    [by_name, by_words, by_parts].into_iter().flatten().min()
}

/// From this rank on, the letters of the query are scattered over the name.
const SCATTERED: i32 = 100;

/// Search words that are not in the texts of the command.
fn other_words(command: &Command) -> &'static str {
    match command {
        Command::Review(ReviewCommand::NextMistake | ReviewCommand::LastMistake) => {
            "worst move error blunder"
        }
        Command::Review(ReviewCommand::Game) => "worst analyze judge",
        Command::Selection(SelectionCommand::NewTraining) => "new training learn neural",
        Command::View(ViewCommand::SpawnMap) => "probability chance spawn",
        Command::View(ViewCommand::Theme(_)) => "theme colors dark mode",
        Command::View(ViewCommand::StartHere) => "tour help introduction tutorial",
        _ => "",
    }
}

/// The cost of the letters of `query` in order within `text`: 0 for a prefix; gaps and starts within a word cost.
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
    use crate::workbench::command::ExperimentCommand;
    use crate::workbench::theme::ThemeChoice;

    fn find(query: &str) -> Vec<Command> {
        let preset = Findable {
            text: "Open preset Solver: alpha-beta".to_owned(),
            group: "Presets",
            command: FileCommand::OpenPreset(PresetSource::Shipped("solver-alpha-beta")).into(),
        };
        let things: Vec<Findable> = Findable::commands().chain([preset]).collect();
        super::find(&things, query)
            .into_iter()
            .map(|thing| thing.command.clone())
            .collect()
    }

    #[test]
    fn an_empty_search_lists_all_commands_in_menu_order() {
        assert!(find("").iter().eq(Command::all()));
    }

    #[test]
    fn presets_are_found_by_their_titles() {
        let preset = Command::from(FileCommand::OpenPreset(PresetSource::Shipped(
            "solver-alpha-beta",
        )));
        assert!(
            ["alpha-b", "open preset sol", "preset alpha"]
                .iter()
                .all(|query| find(query)[0] == preset)
        );
    }

    #[test]
    fn letters_in_order_find_a_command_and_the_closest_is_first() {
        assert_eq!(find("run")[0], Command::from(ExperimentCommand::Run));
        assert_eq!(find("rexp")[0], Command::from(ExperimentCommand::Run));
        assert_eq!(find("save as")[0], Command::from(FileCommand::SaveAs));
        assert_eq!(
            find("reset work")[0],
            Command::from(ViewCommand::ResetWorkspace)
        );
        assert!(find("qqq").is_empty());
        assert_eq!(
            find("work reset")[0],
            Command::from(ViewCommand::ResetWorkspace),
            "words in any order"
        );
    }

    #[test]
    fn words_that_people_use_find_what_they_mean() {
        for (words, meant) in [
            ("worst", Command::from(ReviewCommand::NextMistake)),
            ("theme", ViewCommand::Theme(ThemeChoice::Dark).into()),
            ("new training", SelectionCommand::NewTraining.into()),
            ("probability", ViewCommand::SpawnMap.into()),
            ("tour", ViewCommand::StartHere.into()),
        ] {
            let found = find(words);
            assert!(
                found.iter().take(5).any(|command| *command == meant),
                "{words}: {:?}",
                &found[..found.len().min(5)]
            );
        }
    }

    #[test]
    fn what_a_command_is_about_finds_it_too() {
        assert!(find("clipboard").contains(&Command::from(FileCommand::PastePosition)));
    }
}
