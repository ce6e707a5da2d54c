//! Which orders of the rows are the same strategy: compared beside the window, and confirmed by whole games.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering as Memory};
use std::time::Duration;

use super::sampling::Known;
use crate::analysis::{Confirmation, Orders, Sample, Scope, confirm, orders};
use crate::strategy::{Player, Strategy};
use crate::task::CancelToken;
use crate::words;
use crate::workbench::errand::Errand;
use crate::workbench::state::{Document, TELL_AFTER};

/// Games that confirm a group.
pub(crate) const CONFIRMING: u64 = 200;
/// Positions on which rows of one ply are compared.
const POSITIONS: usize = 10_000;
/// The same when a row searches, which takes a thousand times as long.
const POSITIONS_OF_SEARCHES: usize = 100;
/// So long positions are collected; games of one ply take far less.
const COLLECTING: Duration = Duration::from_secs(1);

/// How far an errand is, told from its thread.
#[derive(Clone, Debug, Default)]
struct Progress(Arc<[AtomicUsize; 2]>);

impl Progress {
    fn tell(&self, done: usize, all: usize) {
        self.0[0].store(done, Memory::Relaxed);
        self.0[1].store(all, Memory::Relaxed);
    }

    fn read(&self) -> (usize, usize) {
        (self.0[0].load(Memory::Relaxed), self.0[1].load(Memory::Relaxed))
    }
}

/// An errand that gives what it has when it is asked to stop.
#[derive(Debug)]
struct Work<T> {
    stop: CancelToken,
    progress: Progress,
    errand: Errand<T>,
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl<T: Send + 'static> Work<T> {
    fn begin(doc: &Document, work: impl FnOnce(&CancelToken, &Progress) -> T + Send + 'static) -> Self {
        let (stop, progress) = (CancelToken::new(), Progress::default());
        let (theirs, told) = (stop.clone(), progress.clone());
        let errand = Errand::send(doc.wake(), move |_| work(&theirs, &told));
        Self { stop, progress, errand }
    }
}

/// What was found, and how far it went.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The orders in their groups.
    pub orders: Orders,
    /// Which orders were looked at.
    pub scope: Scope,
    /// Seed of the games of the positions, and of those that confirm.
    pub seed: u64,
    /// Whether it was stopped before the last position.
    pub is_stopped: bool,
}

/// Whether a group plays the same games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmed {
    Playing(usize),
    /// It was tried; with fewer games than were asked for it was stopped.
    Tried(Confirmation),
    /// It failed, for this reason.
    Failed(String),
}

/// A comparison that is under way.
#[derive(Debug)]
struct Comparing {
    of: Known<()>,
    scope: Scope,
    seed: u64,
    work: Work<Result<Orders, String>>,
}

/// Everything known of the orders of the rows.
#[derive(Debug, Default)]
pub struct Ordering {
    /// Which orders to look at.
    pub scope: Scope,
    pub found: Option<Known<Compared>>,
    /// Why it was not.
    pub failed: Option<String>,
    comparing: Option<Comparing>,
    confirming: Option<(usize, Work<Confirmation>)>,
    confirmed: HashMap<usize, Confirmed>,
}

impl Ordering {
    /// Whether the orders can be looked for.
    ///
    /// # Errors
    /// One sentence why not.
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
        let strategy = doc.strategy();
        let rules = doc.rules_here();
        let (seed, scope) = (doc.setup().seed, self.scope);
        let theirs = strategy.clone();
        let work = Work::begin(doc, move |stop, progress| {
            let sample = sample_of(&theirs, &Player::new(&theirs, rules), seed, stop);
            orders(&theirs, rules, scope, &sample, stop, |done, all| progress.tell(done, all))
                .map_err(|error| error.to_string())
        });
        let hash = strategy.hash();
        self.failed = None;
        let of = Known { strategy, hash, rules, found: Arc::new(()) };
        self.comparing = Some(Comparing { of, scope, seed, work });
    }

    /// Plays games under every order of a group, to see whether they are the same.
    pub fn confirm(&mut self, group: usize, doc: &Document) {
        let Some(known) = &self.found else { return };
        let Some(orders) = known.found.orders.groups.get(group).cloned() else { return };
        let (rules, seed) = (known.rules, known.found.seed);
        let work = Work::begin(doc, move |stop, progress| {
            confirm(&orders, rules, seed, CONFIRMING, stop, |games| progress.tell(games as usize, 0))
        });
        self.confirming = Some((group, work));
    }

    /// Takes what was found out; once before each frame.
    pub(crate) fn follow(&mut self) {
        if let Some(Comparing { work, .. }) = &self.comparing
            && let Some(answer) = work.errand.poll()
        {
            self.take(answer.and_then(|orders| orders));
        }
        if let Some((group, work)) = &self.confirming
            && let Some(answer) = work.errand.poll()
        {
            let confirmed = answer.map_or_else(Confirmed::Failed, Confirmed::Tried);
            self.confirmed.insert(*group, confirmed);
            self.confirming = None;
        }
    }

    fn take(&mut self, answer: Result<Orders, String>) {
        let Some(Comparing { of, scope, seed, work }) = self.comparing.take() else { return };
        match answer {
            Ok(orders) if orders.positions != 0 => {
                self.confirming = None;
                self.confirmed.clear();
                let is_stopped = work.stop.is_cancelled();
                let Known { strategy, hash, rules, .. } = of;
                let found = Arc::new(Compared { orders, scope, seed, is_stopped });
                self.found = Some(Known { strategy, hash, rules, found });
            }
            Ok(_) => self.failed = Some("it was stopped before the first position was decided".to_owned()),
            Err(reason) => self.failed = Some(reason),
        }
    }

    /// Whether a group plays the same games, as far as that was tried.
    pub fn confirmed(&self, group: usize) -> Option<Confirmed> {
        match &self.confirming {
            Some((of, work)) if *of == group => Some(Confirmed::Playing(work.progress.read().0)),
            _ => self.confirmed.get(&group).cloned(),
        }
    }

    /// How far the comparison is, in words and as a share; `None` when nothing is compared.
    pub fn progress(&self) -> Option<(String, f32)> {
        let Comparing { work, .. } = self.comparing.as_ref()?;
        let (done, all) = work.progress.read();
        let (words, share) = match all {
            0 => ("Collecting positions".to_owned(), 0.0),
            _ => {
                let all_words = words::plural(all as u64, "position");
                (format!("{} of {all_words}", words::count(done as u64)), done as f32 / all as f32)
            }
        };
        Some((words, share))
    }

    /// Whether something is compared or played.
    pub fn is_busy(&self) -> bool {
        self.comparing.is_some() || self.confirming.is_some()
    }

    /// What keeps a core busy, once that takes long.
    pub fn busy(&self) -> Option<String> {
        let long = |since: std::time::Instant| TELL_AFTER <= since.elapsed();
        if self.comparing.as_ref().is_some_and(|comparing| long(comparing.work.errand.since())) {
            return Some("Comparing orders of the rows".to_owned());
        }
        let confirming = self.confirming.as_ref().filter(|(_, work)| long(work.errand.since()));
        confirming.map(|_| "Playing games under several orders".to_owned())
    }

    /// Ends it with what there is; says whether there was anything to end.
    pub fn stop(&mut self) -> bool {
        let comparing = self.comparing.as_ref().map(|comparing| &comparing.work.stop);
        let confirming = self.confirming.as_ref().map(|(_, work)| &work.stop);
        let mut any = false;
        for stop in [comparing, confirming].into_iter().flatten().filter(|stop| !stop.is_cancelled()) {
            stop.cancel();
            any = true;
        }
        any
    }
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
