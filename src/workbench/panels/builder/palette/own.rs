//! Rows of the strategies that are kept, as far as the catalogue does not have them.

use std::sync::Arc;

use crate::preset::Collection;
use crate::strategy::{Group, Item, Strategy, StrategyHash};
use crate::workbench::panels::builder::strategy::data::settings;

/// The rows of a library, found anew when it changes.
#[derive(Debug, Default)]
pub(super) struct Own {
    of: Vec<StrategyHash>,
    items: Arc<[Item]>,
}

impl Own {
    /// The rows of these strategies, each once.
    pub(super) fn of(&mut self, library: &Collection<Strategy>) -> Arc<[Item]> {
        if !library.sound().filter_map(|kept| kept.hash).eq(self.of.iter().copied()) {
            self.of = library.sound().filter_map(|kept| kept.hash).collect();
            let mut items: Vec<Item> = Vec::new();
            for strategy in library.sound().map(|kept| &kept.item) {
                for criterion in &strategy.criteria {
                    let mut known = Item::all().iter().chain(&items);
                    if known.any(|item| item.criterion == *criterion) {
                        continue;
                    }
                    let label = strategy.label();
                    items.push(Item {
                        group: Group::Own,
                        name: format!("{} of {label}", criterion.evaluator.label()),
                        criterion: criterion.clone(),
                        lines: [settings(criterion), format!("A row of {label}, which is kept in the library")],
                        source: String::new(),
                    });
                }
            }
            self.items = items.into();
        }
        self.items.clone()
    }
}
