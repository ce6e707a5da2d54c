//! The library of strategies: own files beside those that came with the program.

use super::Document;
use crate::workbench::command::LibraryCommand;
use crate::workbench::notice::Notices;

impl Document {
    /// Does a command of this kind.
    pub(super) fn apply_to_library(&mut self, _command: &LibraryCommand, _notices: &mut Notices) {}
}
