//! The window, driven through its accessibility tree: what a screen reader finds, a test can press.

mod common;
mod play;
