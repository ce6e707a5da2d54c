//! The vocabulary of the program: what can be done, under which words, with which key, in which menu.
//!
//! A panel never changes the state. It pushes a [`Command`] into [`Commands`], and `App::apply` does it. Menus, the
//! command search, the shortcut sheet, tooltips and keys all read one table, so that they cannot disagree.
//!
//! To add one:
//!
//! 1. A variant in `vocabulary`, in the enum of what it concerns.
//! 2. If it carries no data, a row in `table`: text, tooltip, keys, and by its place the menu; those of reviews
//!    and practice are in `review_rows`, those of the tree in `tree_rows`. A button with data has its words in `unlisted` there.
//! 3. An arm where that concern is done: data in `can` and `apply` of a file of `state`; a [`ViewCommand`] in `app/apply.rs`; a
//!    [`TreeCommand`] in `panels/tree/inspection` or `TreePanel::request`; a [`SelectionCommand`] in the panel that knows what
//!    is selected, by `Panels::request_of_selection`. What undo takes back calls `record` first; what `can` does not name is
//!    always allowed.

mod keys;
mod panel;
mod panel_menu;
mod pressed;
mod queue;
mod review_commands;
mod review_rows;
mod row;
mod table;
mod tree_rows;
mod vocabulary;

pub use panel::{DockPlace, Panel, Workspace};
pub use panel_menu::node_commands;
pub use queue::{Commands, Judge};
pub(crate) use queue::{note_place, requires, where_is};
pub use review_commands::{PracticeCommand, ReviewCommand};
pub use row::Menu;
pub use vocabulary::{
    Command, CompareCommand, ExperimentCommand, FileCommand, GameCommand, HelpSheet, LearningCommand, LibraryCommand,
    PictureFormat, PinCommand, PresetSource, Purpose, RollOut, RunsCommand, SelectionCommand, SolveCommand,
    StrategyCommand, TableFormat, TreeCommand, TreeView, UndoStep, ViewCommand,
};
