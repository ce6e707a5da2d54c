//! The window: the only place that names egui.
//!
//! [`run`] opens it. Panels read the [`document`] and push [`command`]s; [`app`] applies them. Looks come from [`theme`],
//! [`icon`] and [`kit`]; nothing else names a colour.

pub mod app;
pub mod command;
mod conflict;
pub mod dialog;
mod dock;
pub mod document;
mod errand;
pub mod fonts;
pub mod icon;
pub mod kit;
pub mod layout;
pub mod notice;
mod palette;
pub mod panels;
pub mod saving;
pub mod settings;
mod sheet;
mod svg;
pub mod terms;
#[cfg(test)]
mod tests;
pub mod theme;

pub use app::{App, Options, run};
