//! What the colours of nodes mean: a value against that of the node above.

use std::sync::Arc;

use crate::search::{NodeId, Rule, Tree};

/// As many values of a ply are looked at to find the span of its colours.
const SAMPLES: usize = 4096;
/// Deviations above this share of all are drawn alike.
const SPAN_QUANTILE: f64 = 0.95;

/// A node's value against that of the node above; where spawns are added up, against the mean of its siblings.
fn deviation(tree: &Tree, id: NodeId) -> Option<f64> {
    let parent = tree.parent(id)?;
    let above = if tree.rule(parent) == Rule::SumOf {
        let values = || tree.children(parent).filter_map(|child| tree.value(child));
        values().sum::<f64>() / values().count().max(1) as f64
    } else {
        tree.value(parent)?
    };
    let deviation = tree.value(id)? - above;
    deviation.is_finite().then_some(deviation)
}

/// The same from −1 to 1, where `span` is the deviation at the ends of the colour scale; 0 where there is none.
pub(crate) fn tint(tree: &Tree, id: NodeId, span: f64) -> f32 {
    deviation(tree, id).map_or(0.0, |deviation| (deviation / span).clamp(-1.0, 1.0) as f32)
}

/// The deviation at the ends of the colour scale.
///
/// Slides have one scale a ply, so that losses compare. The spawns of a node have a scale of their own, which ends at the
/// largest deviation among them: a bad slide costs far more than a bad spawn, and with one scale for all of them the spawns
/// after the first slide would look alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans(Arc<[f64]>);

impl Spans {
    /// Of the values of a tree; of wide plies a sample tells.
    pub fn of(tree: &Tree) -> Self {
        let mut spans = vec![1.0];
        let mut level = vec![tree.root()];
        loop {
            let step = level.len().div_ceil(SAMPLES).max(1);
            level = level.iter().step_by(step).flat_map(|&id| tree.children(id)).collect();
            if level.is_empty() {
                return Self(spans.into());
            }
            let sizes = level.iter().filter_map(|&id| deviation(tree, id)).map(f64::abs);
            let mut sizes: Vec<f64> = sizes.filter(|&size| 0.0 < size).collect();
            spans.push(sizes.len().checked_sub(1).map_or(1.0, |last| {
                let place = (last as f64 * SPAN_QUANTILE).ceil() as usize;
                *sizes.select_nth_unstable_by(place, f64::total_cmp).1
            }));
        }
    }

    /// That of the slides of a ply; of the root and of what is not recorded it is 1.
    pub fn at(&self, depth: usize) -> f64 {
        self.0.get(depth).copied().unwrap_or(1.0)
    }

    /// That of the nodes below a node, which lie `depth` plies below the root.
    pub fn below(&self, tree: &Tree, parent: NodeId, depth: usize) -> f64 {
        if !tree.has_spawns(parent) {
            return self.at(depth);
        }
        let largest = tree.children(parent).filter_map(|id| deviation(tree, id)).map(f64::abs).fold(0.0, f64::max);
        if largest == 0.0 { 1.0 } else { largest }
    }

    /// The same for a node that lies `depth` plies below the root.
    pub fn tint(&self, tree: &Tree, id: NodeId, depth: usize) -> f32 {
        tree.parent(id).map_or(0.0, |parent| tint(tree, id, self.below(tree, parent, depth)))
    }
}
