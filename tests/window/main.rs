//! The window, driven through its accessibility tree: what a screen reader finds, a test can press.

mod builder;
mod by_keys;
mod common;
mod elimination;
mod evidence;
mod experiment;
mod first_look;
mod library;
mod matrix;
mod orders;
mod pinned;
mod play;
mod race;
mod searching;
mod settings;
mod stack;
mod text_twin;
mod tree;
mod tree_anything;
mod tree_canvas;
mod tree_compare;
mod tree_export;
mod tree_replay;
mod tree_sheet;
mod tree_views;
mod versus;
