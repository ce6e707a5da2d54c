//! Two strategies against each other.

use super::Document;
use crate::workbench::command::VersusCommand;
use crate::workbench::notice::Notices;

impl Document {
    /// Does a command of this kind.
    pub(super) fn apply_versus(&mut self, _command: &VersusCommand, _notices: &mut Notices) {}
}
