//! The window, driven through its accessibility tree: what a screen reader finds, a test can press.

mod builder;
mod common;
mod lab;
mod play;
mod searching;
mod tree;
mod tree_sheet;
