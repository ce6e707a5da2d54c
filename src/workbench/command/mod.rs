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
//!    `unlisted` of `table` or `review_rows`. The menus of panels, all that a row with `.unlisted()` has, are in
//!    `panel_menu`.
//! 3. An arm where the concern is implemented: for data in `can` and `apply` of a file of `state`; for a
//!    [`ViewCommand`] or `SaveTo` in `app/apply.rs`; for a [`TreeCommand`] in `panels/tree/inspection` or
//!    `TreePanel::request`, and in `is_of_judge`; for a [`SelectionCommand`] in its panel, in
//!    `Panels::request_of_selection` and in `App::apply_to_selection`. A command with undo calls `record` first; a
//!    command that `can` does not name is allowed.

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
    Command, CompareCommand, ExperimentCommand, FileCommand, GameCommand, HelpSheet,
    LearningCommand, LibraryCommand, PictureFormat, PinCommand, PresetSource, Purpose, RollOut,
    RunsCommand, SelectionCommand, SolveCommand, StrategyCommand, TaskCommand, TreeCommand,
    TreeView, UndoStep, ViewCommand,
};
