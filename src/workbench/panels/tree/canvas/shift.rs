//! Nodes on their way from one layout to the next.

use std::collections::HashMap;

use egui::Ui;

use super::layout::{Layout, is_node};
use crate::search::NodeId;
use crate::workbench::theme::{self, Motion};

/// How far each entry of a column still is from its place.
#[derive(Debug)]
pub(super) struct Shift {
    since: f64,
    columns: Vec<Vec<f32>>,
    /// The farthest of all.
    most: f32,
}

impl Shift {
    /// How far everything is from where it was; what is new comes from where its parent was.
    pub(super) fn between(before: &Layout, after: &Layout, anchor: NodeId, since: f64) -> Self {
        let mut was: HashMap<u32, f64> = HashMap::new();
        for column in before.columns() {
            for slot in (0..column.len()).filter(|&slot| is_node(column.entry(slot))) {
                was.insert(column.id(slot).0, column.y(slot));
            }
        }
        // Seen from what stays in its place.
        let now = after.columns().iter().find_map(|column| {
            let slot = (0..column.len()).find(|&slot| column.id(slot) == anchor && is_node(column.entry(slot)))?;
            Some(column.y(slot))
        });
        let held = was.get(&anchor.0).zip(now).map_or(0.0, |(was, now)| now - was);
        let mut columns: Vec<Vec<f32>> = Vec::new();
        for (depth, column) in after.columns().iter().enumerate() {
            let offsets = (0..column.len()).map(|slot| {
                let y = column.y(slot);
                let known = was.get(&column.id(slot).0).filter(|_| is_node(column.entry(slot)));
                match known {
                    Some(was) => (was + held - y) as f32,
                    None if depth == 0 => 0.0,
                    None => {
                        let parent = column.parent(slot);
                        let above = after.columns()[depth - 1].y(parent) + f64::from(columns[depth - 1][parent]);
                        (above - y) as f32
                    }
                }
            });
            let offsets: Vec<f32> = offsets.collect();
            columns.push(offsets);
        }
        let most = columns.iter().flatten().fold(0.0, |most, by| f32::max(most, by.abs()));
        Self { since, columns, most }
    }

    /// The share of the way that is left; `None` at the end.
    pub(super) fn left(&self, ui: &Ui) -> Option<f32> {
        let seconds = Motion::of(ui).row;
        let gone = (ui.input(|input| input.time) - self.since) as f32;
        (gone < seconds).then(|| 1.0 - theme::ease((gone / seconds.max(0.001)).clamp(0.0, 1.0)))
    }

    /// How far an entry was from its place at first.
    pub(super) fn of(&self, depth: usize, slot: usize) -> f32 {
        self.columns.get(depth).and_then(|column| column.get(slot)).copied().unwrap_or(0.0)
    }

    pub(super) fn most(&self) -> f32 {
        self.most
    }
}
