//! The window: the only place that names egui.
//!
//! [`run`] opens it. Panels read the [`state`] and push [`command`]s; the [`app`] applies them. Looks come from [`theme`],
//! [`icon`] and [`kit`]; nothing else names a colour.

pub mod app;
pub mod command;
mod errand;
pub mod fonts;
pub mod icon;
pub mod kit;
pub mod panels;
pub mod state;
mod svg;
pub mod terms;
pub mod theme;

pub use app::{App, Options, run};
