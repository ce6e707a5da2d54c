//! Which orders of the rows are the same strategy: compared beside the window, and confirmed by whole games.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::sampling::Known;
use crate::analysis::{Confirmation, Orders, Sample, Scope, confirm, orders};
use crate::game::Rules;
use crate::strategy::{Player, SharedStrategy, Strategy};
use crate::task::{CancelToken, Job, Latest, TaskGroup, TaskInfo};
use crate::words;
use crate::workbench::state::Document;

/// Games that confirm a group.
pub(crate) const CONFIRMING: u64 = 200;
/// Positions on which rows of one ply are compared.
const POSITIONS: usize = 10_000;
/// The same when a row searches, which takes a thousand times as long.
const POSITIONS_OF_SEARCHES: usize = 100;
/// How long positions are collected; games of one ply take far less.
const COLLECTING: Duration = Duration::from_secs(1);

/// How far something is, and then what it has found.
#[derive(Clone, Debug)]
enum Told<T> {
    /// Done, and of how many.
    At(usize, usize),
    End(T),
}

/// What was found, and how far it went.
#[derive(Clone, Debug)]
pub struct Compared {
    pub orders: Orders,
    /// Whether it was stopped before the last position.
    pub is_stopped: bool,
    /// Of the games of the positions, and of those that confirm.
    seed: u64,
}

/// Whether a group plays the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Playing(usize),
    /// It was tried; with fewer games than were asked for it was stopped.
    Tried(Confirmation),
    Failed(String),
}

#[derive(Clone, Debug, PartialEq)]
struct OrdersOf {
    strategy: SharedStrategy,
    rules: Rules,
    scope: Scope,
    seed: u64,
}

/// Everything known of the orders of the rows.
#[derive(Debug, Default)]
pub struct Ordering {
    pub scope: Scope,
    pub found: Option<Known<Compared>>,
    /// Why it was not.
    pub failed: Option<String>,
    comparing: Latest<OrdersOf, Told<Result<Compared, String>>>,
    /// Of which group.
    confirming: Latest<usize, Told<Confirmation>>,
    confirmed: HashMap<usize, Confirmed>,
}

impl Ordering {
    /// Whether the orders can be looked for, else one sentence why not.
    pub fn can_find(doc: &Document) -> Result<(), String> {
        let strategy = doc.strategy();
        strategy.check(doc.board().size()).map_err(|error| error.to_string())?;
        match strategy.criteria.iter().filter(|criterion| !criterion.off).count() {
            0 | 1 => Err("One order is all there is: it takes two rows or more".to_owned()),
            _ => Ok(()),
        }
    }

    /// Compares the orders; what was under way is given up.
    pub fn find(&mut self, doc: &Document) {
        let (strategy, rules) = (doc.strategy(), doc.rules_here());
        let (seed, scope) = (doc.setup().seed, self.scope);
        let of = OrdersOf { strategy: strategy.clone(), rules, scope, seed };
        let work = move |job: &Job<_>| {
            let stop = job.token();
            let sample = sample_of(&strategy, &Player::new(&strategy, rules), seed, stop);
            let tell = |done, all| job.tell_now_and_then(|| Told::At(done, all));
            let orders = orders(&strategy, rules, scope, &sample, stop, tell);
            let found = orders.map(|orders| Compared { orders, is_stopped: job.is_cancelled(), seed });
            Told::End(found.map_err(|error| error.to_string()))
        };
        self.failed = None;
        self.comparing.clear();
        let info = TaskInfo::asked(TaskGroup::Panel, "Comparing orders of the rows").answering_when_stopped();
        self.comparing.ask(of, &doc.tasks, info, work);
    }

    /// Plays games under every order of a group, to see whether they are the same.
    pub fn confirm(&mut self, group: usize, doc: &Document) {
        let Some(known) = &self.found else { return };
        let Some(orders) = known.found.orders.groups.get(group).cloned() else { return };
        let (rules, seed) = (known.rules, known.found.seed);
        let work = move |job: &Job<_>| {
            let tell = |games| job.tell_now_and_then(|| Told::At(games as usize, 0));
            Told::End(confirm(&orders, rules, seed, CONFIRMING, job.token(), tell))
        };
        let info = TaskInfo::asked(TaskGroup::Panel, "Playing games under several orders").answering_when_stopped();
        self.confirming.clear();
        self.confirming.ask(group, &doc.tasks, info, work);
    }

    pub(crate) fn follow(&mut self) {
        if let Some(answer) = ended(&mut self.comparing)
            && let Some(of) = self.comparing.key()
        {
            match answer.flatten() {
                Ok(found) if found.orders.positions == 0 => {
                    self.failed = Some("it was stopped before the first position was decided".to_owned());
                }
                Ok(found) => {
                    self.found = Some(Known { strategy: of.strategy.clone(), rules: of.rules, found: Arc::new(found) });
                    self.confirming.clear();
                    self.confirmed.clear();
                }
                Err(reason) => self.failed = Some(reason),
            }
        }
        if let Some(answer) = ended(&mut self.confirming)
            && let Some(&group) = self.confirming.key()
        {
            self.confirmed.insert(group, answer.map_or_else(Confirmed::Failed, Confirmed::Tried));
        }
    }

    /// Whether a group plays the same games, as far as that was tried.
    pub fn confirmed(&self, group: usize) -> Option<Confirmed> {
        if !self.confirming.is_pending() || self.confirming.key() != Some(&group) {
            return self.confirmed.get(&group).cloned();
        }
        let games = if let Some(Told::At(games, _)) = self.confirming.known() { *games } else { 0 };
        Some(Confirmed::Playing(games))
    }

    /// How far the comparison is, in words and as a share; `None` when nothing is compared.
    pub fn progress(&self) -> Option<(String, f32)> {
        self.comparing.since()?;
        let Some(&Told::At(done, all @ 1..)) = self.comparing.known() else {
            return Some(("Collecting positions".to_owned(), 0.0));
        };
        let words = format!("{} of {}", words::count(done as u64), words::plural(all as u64, "position"));
        Some((words, done as f32 / all as f32))
    }
}

/// How the work ended, once: with an answer, or for a reason.
fn ended<K: PartialEq, T>(work: &mut Latest<K, Told<T>>) -> Option<Result<T, String>> {
    if !work.poll() || work.is_pending() {
        return None;
    }
    Some(match work.take() {
        Some(Told::End(answer)) => Ok(answer),
        _ => Err(work.failed().map(ToString::to_string).unwrap_or_default()),
    })
}

/// Positions on which orders are compared: of games of the strategy itself, or of a quick one when it searches.
fn sample_of(strategy: &Strategy, player: &Player, seed: u64, stop: &CancelToken) -> Sample {
    match Strategy::from_letters("emr") {
        Ok(quick) if strategy.looks_ahead() => {
            let quick = Player::new(&quick, player.rules());
            Sample::play(&quick, seed, POSITIONS_OF_SEARCHES, COLLECTING, stop)
        }
        _ => Sample::play(player, seed, POSITIONS, COLLECTING, stop),
    }
}
