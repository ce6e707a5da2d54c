//! The commands of the keys pressed in a frame.

use std::sync::LazyLock;

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::keys::TypesNothing as _;
use super::panel::Panel;
use super::review_commands::ReviewCommand;
use super::row::CommandRow;
use super::table::TABLE;
use super::vocabulary::{Command, FileCommand, SelectionCommand, ViewCommand};
use crate::workbench::kit::focus;

/// Every shortcut with its command, in matching order.
///
/// Ctrl Z would also match Ctrl Shift Z, and an arrow Alt and that arrow, so keys with Shift and Alt come first.
/// Shortcuts of the focused panel come before global ones.
static KEYS: LazyLock<Vec<(KeyboardShortcut, &'static CommandRow)>> = LazyLock::new(|| {
    let mut keys: Vec<_> = TABLE.iter().flat_map(|row| row.keys.iter().map(move |&key| (key, row))).collect();
    keys.sort_by_key(|(key, row)| (!key.modifiers.shift, !key.modifiers.alt, row.only_in.is_none()));
    keys
});

impl Command {
    /// The commands whose keys were pressed since the last frame; removes these keys from the input.
    ///
    /// Keys that type or move in a field are ignored while a widget uses them; function keys always work. Keys of the
    /// board are ignored while a control of another panel has the focus, and all keys while `blocked` (a dialog is
    /// open). egui reports Ctrl C and Ctrl V as separate events.
    pub fn pressed(ctx: &Context, focused: Panel, blocked: bool) -> Vec<Self> {
        if blocked {
            return Vec::new();
        }

        let field = ctx.text_edit_focused();
        // Keys that the focused widget uses itself.
        let kept: Vec<Key> = KEYS.iter().map(|(key, _)| key.logical_key).filter(|&key| focus::uses(ctx, key)).collect();
        let popup = egui::Popup::is_any_open(ctx);

        // The board's keys do not work while a control of another panel has the focus.
        let is_free = focus::is_free(ctx, Panel::Board.area());
        let mut found: Vec<Self> = Vec::new();
        ctx.input_mut(|input| {
            if !field {
                input.events.retain(|event| match event {
                    Event::Copy => {
                        found.push(FileCommand::CopyPosition.into());
                        false
                    }
                    Event::Paste(text) => {
                        found.push(FileCommand::Pasted(text.clone()).into());
                        false
                    }
                    _ => true,
                });
            }
            for (key, row) in KEYS.iter().filter(|(_, row)| is_meant(row, focused)) {
                let is_plain = key.modifiers.is_none() || key.modifiers == Modifiers::SHIFT;
                let copied = matches!(row.command, Self::File(FileCommand::CopyPosition | FileCommand::PastePosition));
                let writes = is_plain && !key.types_nothing();
                // A field has its own undo.
                let retypes = field && matches!(row.command, Self::Undo | Self::Redo);
                if copied
                    || retypes
                    || (writes && popup)
                    || (writes && field)
                    || (field && key.conflicts_with_text_editing() && !key.types_nothing())
                    || (writes && !is_free && plays(&row.command))
                {
                    continue;
                }

                if is_plain && kept.contains(&key.logical_key) {
                    continue;
                }

                // `?` and `+` need Shift on many keyboards; logical matching ignores it, but not Ctrl.
                let held = input.events.iter().any(|event| {
                    matches!(event, Event::Key { key: pressed, repeat: true, .. } if *pressed == key.logical_key)
                });
                if input.consume_shortcut(key) && (!held || row.repeats) {
                    found.push(row.command.clone());
                }
            }
        });

        found
    }
}

/// Whether a command is one of the board.
fn plays(command: &Command) -> bool {
    matches!(command, Command::Game(_) | Command::View(ViewCommand::SpawnMap))
}

/// Whether a row is a tree command that also applies to a judge's tree.
fn is_of_judge(row: &CommandRow) -> bool {
    matches!(row.command, Command::Tree(command) if command.is_of_judge())
}

/// Whether a key of this row has another meaning in a judge's tree.
fn is_key_of_judge(row: &CommandRow) -> bool {
    let of_tree = TABLE.iter().filter(|other| is_of_judge(other));
    of_tree.flat_map(|other| &other.keys).any(|key| row.keys.contains(key))
}

/// Whether the keys of a command work while this panel has the focus.
fn is_meant(row: &CommandRow, focused: Panel) -> bool {
    // Every panel of the builder can add a row, not only the stack.
    let builds = matches!(focused, Panel::Palette | Panel::Row | Panel::Evidence | Panel::Orders);
    // From the current move to its deciding row, and from there to the rerun.
    let beside_review = matches!(focused, Panel::Decision | Panel::Strategy | Panel::Row) || focused.reviews();
    let leads_on = matches!(
        row.command,
        Command::Review(
            ReviewCommand::ShowTree(_) | ReviewCommand::ShowRule(_) | ReviewCommand::EditRule(_) | ReviewCommand::Rerun
        )
    );

    let walks = matches!(focused, Panel::Board | Panel::Moves | Panel::Worst);
    let reviews = row.only_in == Some(Panel::Review) && (walks || beside_review && leads_on);
    // In the judge's tree, the keys of the tree come first.
    let reviews = reviews && (focused != Panel::JudgeTree || !is_key_of_judge(row));
    let walks_judge = focused == Panel::JudgeTree && is_of_judge(row);
    reviews
        || walks_judge
        || row.only_in.is_none_or(|panel| panel == focused)
        || builds && row.command == Command::Selection(SelectionCommand::AddCriterion)
}
