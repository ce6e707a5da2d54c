#![doc = include_str!("links.md")]
//! The user guide and the reference. The pages are the Markdown files of this folder, which also read well on the web.
//!
//! To add a page: a file here, a module below, a line in `index.md`, and a line in `links.md`.
//!
//! A page links to another one by a label, `[Build a strategy][build]`, and defines it at its end: `[build]: build.md`. In this
//! documentation the definitions of `links.md` come first and count, so the same links lead to modules.
//!
#![doc = include_str!("index.md")]

#[doc = include_str!("links.md")]
#[doc = include_str!("first-hour.md")]
pub mod first_hour {}
#[doc = include_str!("links.md")]
#[doc = include_str!("build.md")]
pub mod build {}
#[doc = include_str!("links.md")]
#[doc = include_str!("search.md")]
pub mod search {}
#[doc = include_str!("links.md")]
#[doc = include_str!("experiments.md")]
pub mod experiments {}
#[doc = include_str!("links.md")]
#[doc = include_str!("review.md")]
pub mod review {}
#[doc = include_str!("links.md")]
#[doc = include_str!("learn.md")]
pub mod learn {}
#[doc = include_str!("links.md")]
#[doc = include_str!("solve.md")]
pub mod solve {}
#[doc = include_str!("links.md")]
#[doc = include_str!("sweeps.md")]
pub mod sweeps {}
#[doc = include_str!("links.md")]
#[doc = include_str!("runs.md")]
pub mod runs {}
#[doc = include_str!("links.md")]
#[doc = include_str!("files.md")]
pub mod files {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-strategies.md")]
pub mod reference_strategies {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-search.md")]
pub mod reference_search {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-presets.md")]
pub mod reference_presets {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-json.md")]
pub mod reference_json {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-formulas.md")]
pub mod reference_formulas {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-programs.md")]
pub mod reference_programs {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-runs.md")]
pub mod reference_runs {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-networks.md")]
pub mod reference_networks {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-files.md")]
pub mod reference_files {}
#[doc = include_str!("links.md")]
#[doc = include_str!("reference-glossary.md")]
pub mod reference_glossary {}
#[doc = include_str!("links.md")]
#[doc = include_str!("sources.md")]
pub mod sources {}
