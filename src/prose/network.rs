//! What a network is and how it was trained, in words.

use crate::network::{Manifest, NetworkInfo};
use crate::words;

/// `network of 4x4 boards, 4x6patt, 67,108,864 weights, TC(0), 100,000 games in 3 min on 1 thread, the last 1,000 with
/// a mean of 80,123`.
pub fn network_sentence(info: &NetworkInfo) -> String {
    let shape = &info.header.shape;
    let mut text = format!(
        "network for {} boards, {}, {}",
        shape.size,
        shape.label(),
        words::plural(shape.weights(), "weight")
    );
    if let Some(manifest) = &info.header.manifest {
        text += &format!(", {}", trained(manifest));
    }
    if let Some(point) = info.header.curve.last()
        && let Some(mean) = point.learnt.mean()
    {
        text += &format!(
            ", the last {} with a mean of {}",
            words::count(point.learnt.n),
            words::decimals(mean, 0)
        );
    }
    text
}

/// `TC(0), 100,000 games in 3 min on 1 thread`.
fn trained(manifest: &Manifest) -> String {
    format!(
        "{}, {} in {} on {}",
        manifest.training.rule_text(),
        words::plural(manifest.games, "game"),
        words::time(manifest.secs),
        words::plural(manifest.threads, "thread")
    )
}
