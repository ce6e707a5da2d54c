//! What the rows of the strategy do over many positions, found out beside the window.
//!
//! One errand after the other: games that are counted, what is odd about the rows, what a decision costs. Each is told as
//! soon as it is there. Once a person has asked for it, a strategy that was edited is sampled again by itself, while
//! somebody can see it.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use crate::analysis::{Cost, Evidence, Finding, Sample, cost, findings};
use crate::experiment::Estimate;
use crate::game::Rules;
use crate::strategy::{Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::CancelToken;
use crate::words;
use crate::workbench::errand::{Errand, Wake};
use crate::workbench::state::{Document, TELL_AFTER};

/// So long a sample plays.
const PLAYING: Duration = Duration::from_secs(1);
/// So long decisions are timed.
const TIMING: Duration = Duration::from_millis(400);
/// So long positions are collected in which to look for what is odd; one-ply games take far less.
const COLLECTING: Duration = Duration::from_millis(400);
/// Positions among them.
const POSITIONS: usize = 2000;
/// A strategy is sampled again once it has rested for so long.
const RESTED: Duration = Duration::from_millis(250);
/// Progress is told at most this often.
const TELL_EVERY: Duration = Duration::from_millis(50);

/// Where games come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Games for one second.
    OneSecond,
    /// The first games of the last run, played again.
    LastBatch,
}

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Order {
    source: Source,
    strategy: SharedStrategy,
    hash: StrategyHash,
    rules: Rules,
    seed: u64,
    /// How many; `None` for as many as there is time for.
    games: Option<u64>,
}

impl Order {
    /// Games of the strategy on screen for one second, by the rules of the game on the board and the seed of the experiment.
    ///
    /// # Errors
    /// It cannot play on a board of this size; one sentence.
    pub fn one_second(doc: &Document) -> Result<Self, String> {
        let strategy = doc.strategy();
        let rules = doc.rules_here();
        strategy.check(rules.size).map_err(|error| error.to_string())?;
        let (hash, seed) = (strategy.hash(), doc.setup().seed);
        Ok(Self { source: Source::OneSecond, strategy, hash, rules, seed, games: None })
    }

    /// The games that the last run has played with the strategy on screen, from the first to before the first that is missing.
    ///
    /// # Errors
    /// There are none; one sentence with the way out.
    pub fn last_batch(doc: &Document) -> Result<Self, String> {
        let strategy = doc.strategy();
        let hash = strategy.hash();
        let plan = doc.lab().plan().ok_or("No experiment has run yet")?;
        let is_it = |contestant: &crate::experiment::Contestant| contestant.strategy.hash() == hash;
        let entry = plan.contestants.iter().position(is_it);
        let entry = entry.ok_or("The last run did not play this strategy: add it to the experiment and run")?;
        let mut finished = doc.lab().games_in(entry, 0..=u32::MAX);
        finished.sort_unstable();
        let games = (0..).zip(finished).take_while(|(index, game)| index == game).count() as u64;
        if games == 0 {
            return Err("The run has not finished its first game yet".to_owned());
        }
        let (rules, seed) = (plan.rules, plan.seed);
        Ok(Self { source: Source::LastBatch, strategy, hash, rules, seed, games: Some(games) })
    }
}

/// Something found out, and about which strategy.
#[derive(Clone, Debug)]
pub struct Known<T> {
    pub strategy: SharedStrategy,
    pub hash: StrategyHash,
    /// By which rules it played.
    pub rules: Rules,
    pub found: Arc<T>,
}

/// What decisions and games cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub decision: Cost,
    /// Of one game on one core; `None` when it could not be measured.
    pub game: Option<Estimate>,
}

enum Told {
    Games(u64),
    Evidence(Evidence),
    Findings(Vec<Finding>),
    Price(Price),
}

/// Games that are being played and looked at.
#[derive(Debug)]
struct Work {
    order: Order,
    stop: CancelToken,
    told: mpsc::Receiver<Told>,
    errand: Errand<()>,
    games: u64,
    is_counted: bool,
}

impl Drop for Work {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Everything known of the rows over many positions.
#[derive(Debug, Default)]
pub struct Sampling {
    pub evidence: Option<Known<Evidence>>,
    /// Where the games of the evidence are from.
    pub source: Option<Source>,
    /// What is odd about them.
    pub findings: Option<Known<Vec<Finding>>>,
    pub price: Option<Known<Price>>,
    /// Why the last sample gave nothing.
    pub failed: Option<String>,
    work: Option<Work>,
    /// Whether an edited strategy is sampled by itself.
    repeats: bool,
    /// The strategy on screen and since when.
    resting: Option<(StrategyHash, Instant)>,
    /// The strategy that was sampled last, whether that gave anything or was stopped.
    sampled: Option<StrategyHash>,
}

impl Sampling {
    /// Plays and looks; what was under way is given up.
    pub fn begin(&mut self, order: Order, wake: &Wake) {
        self.failed = None;
        self.sampled = Some(order.hash);
        self.repeats = order.source == Source::OneSecond;
        let stop = CancelToken::new();
        let (tell, told) = mpsc::channel();
        let (work, theirs, wake_now) = (order.clone(), stop.clone(), wake.clone());
        let errand = Errand::send(wake.clone(), move |_| survey(&work, &theirs, &tell, &wake_now));
        self.work = Some(Work { order, stop, told, errand, games: 0, is_counted: false });
    }

    /// Takes what was found out, and begins again where the strategy was edited.
    pub(crate) fn follow(&mut self, doc: &Document, is_seen: bool, is_carried: bool) {
        self.receive();
        let hash = doc.strategy().hash();
        if self.resting.is_none_or(|(of, _)| of != hash) {
            self.resting = Some((hash, Instant::now()));
            self.failed = None;
        }
        // Nobody waits for what another strategy does.
        self.work.take_if(|work| work.order.hash != hash);
        let has_rested = self.resting.is_some_and(|(_, since)| RESTED <= since.elapsed());
        if self.is_due(hash) && is_seen && !is_carried && has_rested {
            match Order::one_second(doc) {
                Ok(order) => self.begin(order, &doc.wake()),
                Err(reason) => self.failed = Some(reason),
            }
        }
    }

    fn is_due(&self, hash: StrategyHash) -> bool {
        self.repeats && self.work.is_none() && self.failed.is_none() && self.sampled != Some(hash)
    }

    /// How long until an edited strategy is sampled, if it will be.
    pub fn is_waiting(&self) -> Option<Duration> {
        let (hash, since) = self.resting?;
        self.is_due(hash).then(|| RESTED.saturating_sub(since.elapsed()))
    }

    /// Whether something is being found out.
    pub fn is_busy(&self) -> bool {
        self.work.is_some()
    }

    /// How far it is, in words for the panel.
    pub fn progress(&self) -> Option<(String, f32)> {
        let work = self.work.as_ref()?;
        let share = match work.order.games {
            _ if work.is_counted => 1.0,
            Some(games) => work.games as f32 / games.max(1) as f32,
            None => work.errand.since().elapsed().as_secs_f32() / PLAYING.as_secs_f32(),
        };
        let words = match work.order.games {
            _ if work.is_counted => "Looking for what is odd, timing decisions".to_owned(),
            Some(games) => format!("{} of {}", words::count(work.games), words::plural(games, "game")),
            None => words::plural(work.games, "game"),
        };
        Some((words, share.min(1.0)))
    }

    /// The same for the status bar, once it takes long.
    pub fn busy(&self) -> Option<String> {
        let work = self.work.as_ref().filter(|work| TELL_AFTER <= work.errand.since().elapsed())?;
        let words = if work.is_counted { "Looking at what the rows do" } else { "Counting what the rows do" };
        Some(words.to_owned())
    }

    /// Ends it with what there is; says whether there was anything to end.
    pub fn stop(&mut self) -> bool {
        let Some(work) = &self.work else { return false };
        if work.stop.is_cancelled() {
            return false;
        }
        work.stop.cancel();
        true
    }

    fn receive(&mut self) {
        let Some(work) = &mut self.work else { return };
        let answer = work.errand.poll();
        let told: Vec<Told> = work.told.try_iter().collect();
        for told in told {
            let Order { strategy, hash, rules, source, .. } = work.order.clone();
            match told {
                Told::Games(games) => work.games = games,
                Told::Evidence(evidence) => {
                    work.is_counted = true;
                    if evidence.decisions == 0 {
                        self.failed = Some("no decision was finished in that time; search fewer plies".to_owned());
                    } else {
                        self.evidence = Some(Known { strategy, hash, rules, found: Arc::new(evidence) });
                        self.source = Some(source);
                    }
                }
                Told::Findings(found) => {
                    self.findings = Some(Known { strategy, hash, rules, found: Arc::new(found) });
                }
                Told::Price(price) => self.price = Some(Known { strategy, hash, rules, found: Arc::new(price) }),
            }
        }
        if let Some(answer) = answer {
            if let Err(reason) = answer {
                self.failed = Some(reason);
            }
            self.work = None;
        }
    }
}

/// The work of the errand; ends between two parts when it is asked to stop.
fn survey(order: &Order, stop: &CancelToken, tell: &mpsc::Sender<Told>, wake: &Wake) {
    let Order { strategy, rules, seed, games, .. } = order;
    let player = Player::new(strategy, *rules);
    let limit = games.is_none().then_some(PLAYING);
    let mut shown = Instant::now();
    // Nobody may be listening any more; then it is asked to stop, too.
    let say = |told| {
        let _ = tell.send(told);
        wake();
    };
    let evidence = Evidence::gather(&player, *seed, games.unwrap_or(u64::MAX), limit, stop, |games| {
        if TELL_EVERY < shown.elapsed() {
            shown = Instant::now();
            say(Told::Games(games));
        }
    });
    say(Told::Evidence(evidence.clone()));
    if stop.is_cancelled() {
        return;
    }
    // Searches may take long over a game of their own.
    let quick = Strategy::from_letters("emr").map(|quick| Player::new(&quick, *rules));
    let source = match &quick {
        Ok(quick) if player.searches() => quick,
        _ => &player,
    };
    let sample = Sample::play(source, *seed, POSITIONS, COLLECTING, stop);
    let found = findings(strategy, *rules, &sample, Some(&evidence), stop);
    if stop.is_cancelled() {
        return;
    }
    say(Told::Findings(found));
    let decision = cost(&player, *seed, TIMING, stop);
    let game = Estimate::of_games(strategy, *rules, 1, 1, stop);
    if !stop.is_cancelled() {
        say(Told::Price(Price { decision, game }));
    }
}
