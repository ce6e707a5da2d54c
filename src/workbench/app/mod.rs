//! The window: bars, panels, dialogs, and the only place that applies commands.

mod announcer;
mod apply;
mod bars;
mod command_search;
mod conflict;
mod contrast;
mod dock;
mod figure;
mod figure_file;
mod file_dialog;
mod help;
#[cfg(target_os = "macos")]
mod macos;
mod naming;
mod notices;
mod pace;
mod permission;
mod remember;
mod rolling;
mod saved_state;
mod screenshot;
mod splitters;
mod start;
mod start_here;
#[cfg(test)]
mod tests;
mod which_board;
mod window;

pub use figure_file::{FigureOrder, draw_figure};
pub use notices::Notices;
pub use start::{RunError, run};
pub use window::{App, Options};
