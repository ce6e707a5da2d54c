//! Mutated texts against every parser: none panics or takes long, a refusal is one sentence, and what is read is written
//! and read back equal.
//!
//! Each test mutates some texts that are sound and more that turn up: a text that is refused for a new reason, or read
//! where others were refused, is mutated further. `cargo test` tries some thousand; `AFTERSTATE_FUZZ_SECS=60 cargo test
//! --test fuzz` goes on for so long with each parser. The texts are the same each time; `AFTERSTATE_FUZZ_SEED=2` makes
//! others. A failure prints the text. [`files`] does the same with damaged files and the commands that read them.

mod files;
mod mutate;
mod parsers;
#[cfg(feature = "gui")]
mod window;
