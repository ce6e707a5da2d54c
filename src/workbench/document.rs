//! What the panels show: the game, the strategies, the experiment.

use std::borrow::Cow;

use super::command::Command;
use super::dialog::Purpose;
use super::notice::Notices;

/// The state of the workbench that panels read and commands change.
#[derive(Debug, Default)]
pub struct Document {}

/// What the status bar says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Words beside the lit lamp while cores work; `None` is idle.
    pub busy: Option<String>,
    /// Further words to the left.
    pub left: Vec<String>,
    /// Words to the right.
    pub right: Vec<String>,
}

impl Document {
    /// Whether a command makes sense now, else why not.
    pub fn can(&self, _command: &Command) -> Result<(), Cow<'static, str>> {
        Err("Nothing is open yet".into())
    }

    /// Does a command that changes the document.
    pub fn apply(&mut self, _command: &Command, _notices: &mut Notices) {}

    /// The text that a copying command puts into the clipboard.
    pub fn text_to_copy(&self, _command: &Command) -> Option<String> {
        None
    }

    /// Name for a file to save, without its folder.
    pub fn file_name(&self, _purpose: Purpose) -> String {
        String::new()
    }

    /// Looks for results of workers; once before each frame.
    pub fn poll(&mut self, _notices: &mut Notices) {}

    /// What the status bar says.
    pub fn status(&self) -> Status {
        Status::default()
    }
}
