//! The window: the only place that names egui.
//!
//! [`run`] opens it. Panels read the [`state`] and push [`command`]s; the [`app`] applies them. The look comes from
//! [`theme`], [`icon`] and [`kit`]; nothing else names a color.
//!
//! # Layers
//!
//! Each module uses only modules on the lines above its own.
//!
//! ```text
//! fonts                    letters
//! theme, marks, paper      colors and distances; painted shapes as marks of a drawing; whether the target is paper
//! letters                  letters as shapes
//! svg, pdf, raster         drawings as files: text, pages, pixels
//! icon, terms              signs; the words of the field
//! kit                      rows, tables, fields and buttons
//! command                  commands: one table of texts, keys and menus
//! state                    what is open, and how commands change it; settings, layouts, what is saved
//! panels                   what is on screen, one folder per concern
//! app                      the window: bars, dialogs, the dock, running commands
//! ```
//!
//! `tests/source/layers.rs` reads this drawing.

pub mod app;
pub mod command;
pub mod fonts;
pub mod icon;
pub mod kit;
mod letters;
mod marks;
pub mod panels;
mod paper;
mod pdf;
mod raster;
pub mod state;
mod svg;
pub mod terms;
pub mod theme;

pub use app::{App, FigureOrder, Options, RunError, draw_figure, run};
