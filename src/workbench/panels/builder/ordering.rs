//! Orders of the rows that play the same: found by comparison in the background, then confirmed or split by whole games.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::sampling::Known;
use crate::analysis::{
    Confirmation, Group, Orders, Parting, RowOrder, Sample, Scope, confirm, orders, players,
};
use crate::game::Rules;
use crate::strategy::SharedStrategy;
use crate::task::{Job, Latest, TaskGroup, TaskInfo};
use crate::workbench::state::Document;

/// Number of games that confirm a group.
pub(crate) const CONFIRMING: u64 = 200;
/// Numbers of positions from games and of constructed ones, on which rows of one ply are compared.
const POSITIONS: (usize, usize) = (10_000, 30_000);
/// The same if a row searches, which takes a thousand times as long.
const POSITIONS_OF_SEARCHES: (usize, usize) = (100, 100);
/// Time limit for collecting positions. Games of one ply need far less.
const COLLECTING: Duration = Duration::from_secs(2);

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Compared {
    pub orders: Orders,
    /// Whether it was stopped before the last position.
    pub is_stopped: bool,
    /// Seed of the sampled and of the confirming games.
    seed: u64,
}

/// Whether the orders of a group play the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Playing(u64),
    /// The games ended. If there are fewer than requested, the confirmation was stopped.
    Tried {
        games: u64,
        /// Where these orders parted from their group, and the name of the order they parted from.
        parted: Option<(Parting, String)>,
    },
    Failed(String),
}

#[derive(Clone, Debug, PartialEq)]
struct OrdersOf {
    strategy: SharedStrategy,
    rules: Rules,
    scope: Scope,
    seed: u64,
}

/// All results about the orders of the rows.
#[derive(Debug, Default)]
pub struct Ordering {
    pub scope: Scope,
    pub found: Option<Known<Compared>>,
    /// Why there is no result.
    pub failed: Option<String>,
    comparing: Latest<OrdersOf, Result<Compared, String>>,
    /// The key is the index of the group.
    confirming: Latest<usize, Confirmation>,
    /// The key is the first order of a group, which is in no other group.
    confirmed: HashMap<RowOrder, Confirmed>,
}

impl Ordering {
    /// Whether orders can be compared; the error says why not, in one sentence.
    pub fn can_find(doc: &Document) -> Result<(), String> {
        let strategy = doc.strategy();
        strategy
            .check_to_play(doc.rules_here())
            .map_err(|error| error.to_string())?;
        match strategy
            .criteria
            .iter()
            .filter(|criterion| !criterion.off)
            .count()
        {
            0 | 1 => Err("There is only one order: add a second row".to_owned()),
            _ => Ok(()),
        }
    }

    /// Starts a comparison, and cancels a running one.
    pub fn find(&mut self, doc: &Document) {
        let (strategy, rules) = (doc.strategy(), doc.rules_here());
        let (seed, scope) = (doc.setup().seed, self.scope);
        let question = OrdersOf {
            strategy: strategy.clone(),
            rules,
            scope,
            seed,
        };

        let work = move |job: &Job<_>| {
            let stop = job.token();
            let (games, constructed) = if strategy.takes_time() {
                POSITIONS_OF_SEARCHES
            } else {
                POSITIONS
            };
            let sample =
                Sample::of_several(&players(&strategy, rules), seed, games, COLLECTING, stop);
            let orders = orders(&strategy, rules, scope, &sample, constructed, job.control());
            let found = orders.map(|orders| Compared {
                orders,
                is_stopped: job.is_cancelled(),
                seed,
            });
            found.map_err(|error| error.to_string())
        };

        self.failed = None;
        self.comparing.clear();
        let info = TaskInfo::asked(TaskGroup::Panel, "Comparing orders of the rows")
            .pausable()
            .answering_when_stopped();
        self.comparing.ask(question, doc.tasks(), info, work);
    }

    /// Plays games with every order of a group, to check that they are the same.
    pub fn confirm(&mut self, group: usize, doc: &Document) {
        let Some(compared) = &self.found else { return };
        let Some(orders) = compared.found.orders.groups.get(group).cloned() else {
            return;
        };
        let (rules, seed) = (compared.rules, compared.found.seed);
        let work = move |job: &Job<_>| confirm(&orders, rules, seed, CONFIRMING, job.control());
        let info = TaskInfo::asked(TaskGroup::Panel, "Playing games under several orders")
            .pausable()
            .answering_when_stopped();
        self.confirming.clear();
        self.confirming.ask(group, doc.tasks(), info, work);
    }

    pub(crate) fn follow(&mut self) {
        if let Some(answer) = ended(&mut self.comparing)
            && let Some(question) = self.comparing.key()
        {
            match answer.flatten() {
                Ok(found) if found.orders.positions == 0 => {
                    self.failed = Some("it was stopped before the first decision".to_owned());
                }
                Ok(found) => {
                    self.found = Some(Known {
                        strategy: question.strategy.clone(),
                        rules: question.rules,
                        found: Arc::new(found),
                    });
                    self.confirming.clear();
                    self.confirmed.clear();
                }
                Err(reason) => self.failed = Some(reason),
            }
        }
        if let Some(answer) = ended(&mut self.confirming)
            && let Some(&group) = self.confirming.key()
        {
            self.take(group, answer);
        }
    }

    /// Records the result of the games, and splits the group where they differ.
    fn take(&mut self, group: usize, answer: Result<Confirmation, String>) {
        let Some(compared) = &mut self.found else {
            return;
        };
        let Some(whole) = compared.found.orders.groups.get(group).cloned() else {
            return;
        };
        let confirmation = match answer {
            Ok(confirmation) => confirmation,
            Err(reason) => {
                self.confirmed
                    .extend(key(&whole).map(|key| (key, Confirmed::Failed(reason))));
                return;
            }
        };

        Arc::make_mut(&mut compared.found)
            .orders
            .split(group, &confirmation);
        let before = key(&whole).and_then(|key| match self.confirmed.remove(&key)? {
            Confirmed::Tried { parted, .. } => parted,
            _ => None,
        });

        for part in &confirmation.parts {
            let Some(first) = part
                .orders
                .first()
                .and_then(|&order| whole.orders.get(order))
            else {
                continue;
            };
            let name = |parting: Parting| {
                whole
                    .orders
                    .get(parting.from)
                    .map(|order| order.text(&whole.base))
            };
            let parted = part
                .parted
                .and_then(|parting| Some((parting, name(parting)?)))
                .or_else(|| before.clone());
            self.confirmed.insert(
                first.clone(),
                Confirmed::Tried {
                    games: confirmation.games,
                    parted,
                },
            );
        }
    }

    /// The result of the games of a group, or their progress.
    pub fn confirmed(&self, group: usize) -> Option<Confirmed> {
        if !self.confirming.is_pending() || self.confirming.key() != Some(&group) {
            let whole = self.found.as_ref()?.found.orders.groups.get(group)?;
            return self.confirmed.get(&key(whole)?).cloned();
        }
        Some(Confirmed::Playing(self.confirming.control()?.work().done))
    }

    /// The progress of the comparison as text and as a share; `None` if none is running.
    pub fn progress(&self) -> Option<(String, f32)> {
        let work = self.comparing.control()?.work();
        match work.total {
            0 => Some(("Collecting positions".to_owned(), 0.0)),
            _ => Some((work.text(), work.share())),
        }
    }
}

/// The key of a group in `confirmed`. It does not change when other groups are split.
fn key(group: &Group) -> Option<RowOrder> {
    group.orders.first().cloned()
}

/// The result of a task, once: an answer, or why there is none. `None` if it was cancelled.
fn ended<K: PartialEq, T>(work: &mut Latest<K, T>) -> Option<Result<T, String>> {
    if !work.poll() || work.is_pending() {
        return None;
    }
    match work.take() {
        Some(answer) => Some(Ok(answer)),
        None => Some(Err(work.failed()?.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    #[test]
    fn a_group_that_games_refute_is_divided_and_both_parts_say_what_came_of_it() {
        let strategy = Strategy::from_letters("emr").expect("letters");
        let rules = Rules::default();

        // Without positions, nothing separates the orders.
        let control = crate::task::Control::default();
        let all = orders(
            &strategy,
            rules,
            Scope::Permutations,
            &Sample::default(),
            0,
            &control,
        );
        let all = all.expect("they can be compared");
        assert_eq!((all.groups.len(), all.positions), (1, 0));
        let whole = all.groups[0].clone();
        let found = Arc::new(Compared {
            orders: all,
            is_stopped: false,
            seed: 1,
        });
        let compared = Known {
            strategy: strategy.into(),
            rules,
            found,
        };
        let mut ordering = Ordering {
            found: Some(compared),
            ..Ordering::default()
        };

        let confirmation = confirm(&whole, rules, 1, 20, &control);
        let parting = confirmation.parts[1].parted.expect("em and me part");
        ordering.take(0, Ok(confirmation));
        let groups = ordering
            .found
            .as_ref()
            .map(|compared| compared.found.orders.groups.clone())
            .expect("found");
        let names = |group: &Group| {
            group
                .orders
                .iter()
                .map(|order| order.text(&group.base))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            groups.iter().map(names).collect::<Vec<_>>(),
            [["emr"], ["mer"]]
        );
        assert_eq!(
            [groups[0].differs_at, groups[1].differs_at],
            [None, Some(parting.at)]
        );
        let tried = |parted| Some(Confirmed::Tried { games: 20, parted });
        assert_eq!(ordering.confirmed(0), tried(None));
        assert_eq!(
            ordering.confirmed(1),
            tried(Some((parting, "emr".to_owned())))
        );
    }
}
