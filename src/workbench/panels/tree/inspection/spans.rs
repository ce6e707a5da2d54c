//! The colors of nodes: a value relative to its parent's value.

use std::sync::Arc;

use crate::search::{NodeId, Rule, Tree};

/// Number of values sampled per ply to compute the span of its colors.
const SAMPLES: usize = 4096;
/// Deviations above this quantile share the end of the scale.
const SPAN_QUANTILE: f64 = 0.95;

/// A node's value minus its parent's; if the parent sums its children, minus the mean of its siblings.
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

/// The deviation scaled to −1 to 1, where `span` is the deviation at the ends of the color scale; 0 if unknown.
pub(crate) fn tint(tree: &Tree, id: NodeId, span: f64) -> f32 {
    deviation(tree, id).map_or(0.0, |deviation| (deviation / span).clamp(-1.0, 1.0) as f32)
}

/// The deviations at the ends of the color scales.
///
/// Slides have one scale per ply, so that losses compare. The spawns of a node have their own scale, up to the largest
/// deviation among them: a bad slide costs far more than a bad spawn, so with a common scale the spawns after the first
/// slide would look alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spans(Arc<[f64]>);

impl Spans {
    /// The spans of a tree; wide plies are sampled.
    pub fn of(tree: &Tree) -> Self {
        let mut spans = vec![1.0];
        let mut level = vec![tree.root()];
        loop {
            let step = level.len().div_ceil(SAMPLES).max(1);
            level = level
                .iter()
                .step_by(step)
                .flat_map(|&id| tree.children(id))
                .collect();
            if level.is_empty() {
                return Self(spans.into());
            }
            let sizes = level
                .iter()
                .filter_map(|&id| deviation(tree, id))
                .map(f64::abs);
            let mut sizes: Vec<f64> = sizes.filter(|&size| 0.0 < size).collect();
            spans.push(sizes.len().checked_sub(1).map_or(1.0, |last| {
                let place = (last as f64 * SPAN_QUANTILE).ceil() as usize;
                *sizes.select_nth_unstable_by(place, f64::total_cmp).1
            }));
        }
    }

    /// The span of the slides of a ply; 1 for the root and for unrecorded plies.
    pub fn at(&self, depth: usize) -> f64 {
        self.0.get(depth).copied().unwrap_or(1.0)
    }

    /// The span of the children of a node, which are `depth` plies below the root.
    pub fn below(&self, tree: &Tree, parent: NodeId, depth: usize) -> f64 {
        if !tree.has_spawns(parent) {
            return self.at(depth);
        }
        let largest = tree
            .children(parent)
            .filter_map(|id| deviation(tree, id))
            .map(f64::abs)
            .fold(0.0, f64::max);
        if largest == 0.0 { 1.0 } else { largest }
    }

    /// The tint of a node `depth` plies below the root.
    pub fn tint(&self, tree: &Tree, id: NodeId, depth: usize) -> f32 {
        tree.parent(id).map_or(0.0, |parent| {
            tint(tree, id, self.below(tree, parent, depth))
        })
    }
}
