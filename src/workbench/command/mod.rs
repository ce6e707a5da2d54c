//! The commands of the program, with their texts, shortcuts and menus.
//!
//! A panel never changes the state. It pushes a [`Command`] into [`Commands`], and `App::apply` applies it. Menus, the
//! command search, the shortcut sheet, tooltips and keys all read one table, so that they cannot disagree.
//!
//! To add one:
//!
//! 1. A variant in the enum of its concern, in `vocabulary` or `review_commands`.
//! 2. If it carries no data, a row in `table` with text, tooltip and keys; its position determines the menu. Rows of
//!    reviews and practice are in `review_rows`, those of the tree in `tree_rows`. A command with data has its texts in
//!    the function `unlisted` there. A row that the menu bar leaves out (`.unlisted()`) is in `panel_menu`.
//! 3. An arm where the concern is implemented: for data in `can` and `apply` of a file of `state`; for a
//!    [`ViewCommand`] in `app/apply.rs`; for a [`TreeCommand`] in `panels/tree/inspection` or `TreePanel::request`; for
//!    a [`SelectionCommand`] in the panel with the selection, by `Panels::request_of_selection`, and in
//!    `App::apply_to_selection` of `app/apply.rs`, which shows that panel. A command with undo calls `record` first; a
//!    command that `can` does not name is always allowed.

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

pub(crate) use keys::{CTRL, REMOVING};
pub use panel::{DockPlace, Panel, Workspace};
pub use panel_menu::node_commands;
pub use queue::{Commands, Judge};
pub(crate) use queue::{note_place, requires, where_is};
pub use review_commands::{PracticeCommand, ReviewCommand};
pub use row::Menu;
pub use vocabulary::{
    Command, CompareCommand, ExperimentCommand, FileCommand, GameCommand, HelpSheet, LearningCommand, LibraryCommand,
    PictureFormat, PinCommand, PresetSource, Purpose, RollOut, RunsCommand, SelectionCommand, SolveCommand,
    StrategyCommand, TaskCommand, TreeCommand, TreeView, UndoStep, ViewCommand,
};
