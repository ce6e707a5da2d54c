//! The engine against its definitions: one binary, because each one links the whole program.

extern crate afterstate_engine as afterstate;

mod best_play;
mod cores;
mod decides;
mod inspection;
mod network;
mod parsers;
mod plain;
mod plies;
mod published;
mod reopened;
mod rules;
mod sampled;
mod search;
mod study;
mod texts;
mod tree;
mod why;
