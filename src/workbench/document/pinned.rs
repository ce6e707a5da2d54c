//! Pinned positions: which set is tried, and what is in it.

use super::Document;
use crate::workbench::command::PinCommand;
use crate::workbench::notice::Notices;

impl Document {
    /// Does a command of this kind.
    pub(super) fn apply_to_pins(&mut self, _command: &PinCommand, _notices: &mut Notices) {}
}
