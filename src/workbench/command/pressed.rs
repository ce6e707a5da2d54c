//! The commands of the keys pressed in a frame.

use std::sync::LazyLock;

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};

use super::keys::TypesNothing as _;
use super::panel::{Panel, Workspace};
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
    let mut keys: Vec<_> = TABLE
        .iter()
        .flat_map(|row| row.keys.iter().map(move |&key| (key, row)))
        .collect();
    keys.sort_by_key(|(key, row)| {
        (
            !key.modifiers.shift,
            !key.modifiers.alt,
            row.only_in.is_none(),
        )
    });
    keys
});

impl Command {
    /// The commands whose keys were pressed since the last frame; removes these keys from the input. `focused` is the
    /// panel with the focus in the shown workspace.
    ///
    /// Keys that type or move in a field are ignored while a widget uses them; function keys always work. Keys of the
    /// board are ignored while a control of another panel has the focus, and all keys while `blocked` (a dialog is
    /// open). egui reports Ctrl C and Ctrl V as separate events.
    pub fn pressed(ctx: &Context, focused: Panel, shown: Workspace, blocked: bool) -> Vec<Self> {
        if blocked {
            return Vec::new();
        }

        let field = ctx.text_edit_focused();
        // Keys that the focused widget uses itself.
        let used: Vec<Key> = KEYS
            .iter()
            .map(|(key, _)| key.logical_key)
            .filter(|&key| focus::uses(ctx, key))
            .collect();
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
            for (key, row) in KEYS.iter().filter(|(key, row)| is_meant(*key, row, focused, shown)) {
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

                if is_plain && used.contains(&key.logical_key) {
                    continue;
                }

                // `?` and `+` need Shift on many keyboards; logical matching ignores it, but not Ctrl.
                let is_repeat = input.events.iter().any(|event| {
                    matches!(event, Event::Key { key: pressed, repeat: true, .. } if *pressed == key.logical_key)
                });
                if input.consume_shortcut(key) && (!is_repeat || row.repeats) {
                    found.push(row.command.clone());
                }
            }
        });

        found
    }
}

/// Whether a command is one of the board.
fn plays(command: &Command) -> bool {
    matches!(
        command,
        Command::Game(_) | Command::View(ViewCommand::SpawnMap)
    )
}

/// Whether a row is a tree command that also applies to a judge's tree.
fn is_of_judge(row: &CommandRow) -> bool {
    matches!(row.command, Command::Tree(command) if command.is_of_judge())
}

/// Whether a key has a meaning of its own in this panel.
fn is_key_of(panel: Panel, key: KeyboardShortcut) -> bool {
    let is_there = |row: &&CommandRow| {
        row.only_in == Some(panel) || panel == Panel::JudgeTree && is_of_judge(row)
    };
    TABLE
        .iter()
        .filter(is_there)
        .any(|row| row.keys.contains(&key))
}

/// Whether a key of a command works while this panel has the focus in the shown workspace.
fn is_meant(key: KeyboardShortcut, row: &CommandRow, focused: Panel, shown: Workspace) -> bool {
    // Every panel of the builder can add a row, not only the stack.
    let builds = matches!(
        focused,
        Panel::Palette | Panel::Row | Panel::Evidence | Panel::Orders
    );
    // From the current move to its deciding row, and from there to the rerun.
    let beside_review =
        matches!(focused, Panel::Decision | Panel::Strategy | Panel::Row) || focused.reviews();
    let leads_on = matches!(
        row.command,
        Command::Review(
            ReviewCommand::ShowTree(_)
                | ReviewCommand::ShowRule(_)
                | ReviewCommand::EditRule(_)
                | ReviewCommand::Rerun
        )
    );

    let walks = matches!(focused, Panel::Board | Panel::Moves | Panel::Worst);
    // The workspace of reviews is one path, whichever of its panels has the focus. Elsewhere, digits have other uses.
    let on_path = leads_on && shown == Workspace::Review;
    let is_usual = walks || beside_review && leads_on;
    let works = on_path || is_usual && (focused.reviews() || !is_digit(key.logical_key));
    // Keys of the focused panel come first.
    let is_free = || focused == Panel::Review || !is_key_of(focused, key);
    let reviews = row.only_in == Some(Panel::Review) && works && is_free();
    let walks_judge = focused == Panel::JudgeTree && is_of_judge(row);
    reviews
        || walks_judge
        || row.only_in.is_none_or(|panel| panel == focused)
        || builds && row.command == Command::Selection(SelectionCommand::AddCriterion)
}

fn is_digit(key: Key) -> bool {
    matches!(key, Key::Num1 | Key::Num2 | Key::Num3 | Key::Num4)
}

#[cfg(test)]
mod tests {
    use super::super::keys::plain;
    use super::*;

    const STEPS: [Key; 4] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4];

    /// The commands of a key, in the order in which they are matched.
    fn meant(key: Key, focused: Panel, shown: Workspace) -> Vec<&'static Command> {
        let key = plain(key);
        let rows = KEYS
            .iter()
            .filter(|(other, row)| *other == key && is_meant(key, row, focused, shown));
        rows.map(|(_, row)| &row.command).collect()
    }

    #[test]
    fn the_steps_of_a_review_have_keys_in_its_whole_workspace() {
        let steps: [Command; 4] = [
            ReviewCommand::ShowTree(None),
            ReviewCommand::ShowRule(None),
            ReviewCommand::EditRule(None),
            ReviewCommand::Rerun,
        ]
        .map(Command::from);
        for panel in Panel::all() {
            for (key, step) in STEPS.into_iter().zip(&steps) {
                let found = meant(key, panel, Workspace::Review);
                if is_key_of(panel, plain(key)) && panel != Panel::Review {
                    assert!(
                        !found.contains(&step) && found.len() == 1,
                        "{panel:?} {key:?}: {found:?}"
                    );
                } else {
                    assert_eq!(found, [step], "{panel:?} {key:?}");
                }
            }
            assert!(
                meant(Key::G, panel, Workspace::Review).contains(&&steps[3])
                    || is_key_of(panel, plain(Key::G))
            );
        }

        // On the board of another workspace a digit is no step; the letters work there as before.
        assert_eq!(
            meant(Key::Num1, Panel::Board, Workspace::Overview),
            Vec::<&Command>::new()
        );
        assert_eq!(
            meant(Key::T, Panel::Board, Workspace::Overview),
            [&steps[0]]
        );
        assert_eq!(
            meant(Key::Num1, Panel::Worst, Workspace::Overview),
            [&steps[0]]
        );
        assert_eq!(
            meant(Key::T, Panel::Experiment, Workspace::Experiment),
            Vec::<&Command>::new()
        );
    }
}
