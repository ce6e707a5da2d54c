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
//! theme, marks, paper      colours and distances; what was painted, as marks of a drawing; whether it goes to paper
//! letters                  letters as shapes
//! svg, pdf, raster         drawings as files: text, pages, pixels
//! icon, terms              signs; the words of the field
//! kit                      rows, tables, fields and buttons
//! command                  what can be asked for: one table of words, keys and menus
//! state                    what is open, and how commands change it; settings, layouts, what is saved
//! panels                   what is on screen, a room each concern
//! app                      the window: bars, dialogs, the dock, who does what was asked for
//! ```
//!
//! `tests/layers.rs` reads this drawing.

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
