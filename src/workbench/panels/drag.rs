//! What can be dragged from one panel onto another.

use crate::strategy::Strategy;

/// A strategy on its way from the builder, for whoever accepts contestants.
#[derive(Clone, Debug)]
pub struct StrategyDrag(pub std::sync::Arc<Strategy>);
