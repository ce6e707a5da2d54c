//! What the panels of the builder offer in the same way: rows of menus, and positions to look at.

use egui::Ui;

use crate::game::Board;
use crate::workbench::command::{Command, Commands, Panel, PinCommand, ViewCommand};
use crate::workbench::state::Document;

/// A row of a menu with the key and the reason of a command, under words of its own.
pub(crate) fn menu_row(ui: &mut Ui, doc: &Document, command: &Command, text: &str, commands: &mut Commands) {
    commands.menu_row(ui, command, (text, command.keys()), doc.can(command));
}

/// Puts a position on the board, under this title, and brings the board to the front.
pub(crate) fn show_position(board: Board, score: u64, title: String, commands: &mut Commands) {
    commands.push(Command::Pin(PinCommand::Show { board, score, title }));
    commands.push(ViewCommand::ShowBeside(Panel::Board));
}
