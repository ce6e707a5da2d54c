//! The state that the panels of the builder share: the selected row, the proposal of a drag, and statistics over many positions.
//!
//! A row is dragged by pointer or keyboard, see [`drag`].

mod building;
mod drag;
mod number;
mod ordering;
pub(super) mod palette;
mod program_trial;
pub(super) mod row;
mod rows;
mod sampling;
pub(super) mod strategy;
pub(super) mod text;
mod trial;
mod weights;

use egui::Ui;

use crate::game::Board;
use crate::workbench::command::{Command, Commands, Panel, PinCommand, ViewCommand};
use crate::workbench::state::Document;

pub use building::Building;
pub use drag::Proposal;
pub(crate) use drag::{RowDrag, Slots};
pub(crate) use ordering::{CONFIRMING, Compared, Confirmed, Ordering};
pub(in crate::workbench::panels) use row::grids;
pub(crate) use rows::Rows;
pub(crate) use sampling::{GAMES_PRICED, Known, Price, SampleRequest, Source};
pub use trial::Changes;
pub(crate) use trial::{Baseline, PinOutcome, PinnedState, Trial};

/// A menu row with the shortcut and the reason of a command, but with its own text.
pub(crate) fn menu_row(
    ui: &mut Ui,
    doc: &Document,
    command: &Command,
    text: &str,
    commands: &mut Commands,
) {
    commands.menu_row(
        ui,
        command,
        text,
        command.keys().as_deref(),
        &doc.can(command),
    );
}

/// Puts a position on the board under this title, and brings the board to the front.
pub(crate) fn show_position(board: Board, score: u64, title: String, commands: &mut Commands) {
    commands.push(Command::Pin(PinCommand::Show {
        board,
        score,
        title,
    }));
    commands.push(ViewCommand::ShowBeside(Panel::Board));
}
