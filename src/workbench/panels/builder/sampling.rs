//! What the rows of the strategy do over many positions, found out beside the window.
//!
//! One after the other: games that are counted, what is odd about the rows, what a decision costs. Each is told as
//! soon as it is there. Once a person has asked for it, a strategy that was edited is sampled again by itself, while
//! somebody can see it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::analysis::{Cost, Evidence, Finding, Sample, cost, findings};
use crate::experiment::Estimate;
use crate::game::Rules;
use crate::strategy::{Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, Tasks};
use crate::words;
use crate::workbench::state::Document;

/// How long a sample plays.
const PLAYING: Duration = Duration::from_secs(1);
/// How long decisions are timed.
const TIMING: Duration = Duration::from_millis(400);
/// How long positions are collected in which to look for what is odd; one-ply games take far less.
const COLLECTING: Duration = Duration::from_millis(400);
/// Positions among them.
const POSITIONS: usize = 2000;
/// A strategy is sampled again once it has rested for so long.
const RESTED: Duration = Duration::from_millis(250);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    OneSecond,
    /// The first games of the last run, played again.
    LastBatch,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SampleRequest {
    source: Source,
    strategy: SharedStrategy,
    rules: Rules,
    seed: u64,
    /// How many; `None` for as many as there is time for.
    games: Option<u64>,
}

impl SampleRequest {
    /// Games of the strategy on screen for one second, by the rules of the game on the board and the seed of the experiment;
    /// else why it cannot play there.
    pub fn one_second(doc: &Document) -> Result<Self, String> {
        let (strategy, rules, seed) = (doc.strategy(), doc.rules_here(), doc.setup().seed);
        strategy.check_to_play(rules).map_err(|error| error.to_string())?;
        Ok(Self { source: Source::OneSecond, strategy, rules, seed, games: None })
    }

    /// The games that the last run has played with the strategy on screen, from the first to before the first that is
    /// missing; else why there are none, with the way out.
    pub fn last_batch(doc: &Document) -> Result<Self, String> {
        let strategy = doc.strategy();
        let plan = doc.last_run.plan().ok_or("No experiment has run yet")?;
        let entry = plan.contestants.iter().position(|entry| entry.strategy.hash() == strategy.hash());
        let entry = entry.ok_or("The last run did not play this strategy: add it to the experiment and run")?;
        let mut finished = doc.last_run.games_in(entry, 0..=u32::MAX);
        finished.sort_unstable();
        let games = (0..).zip(finished).take_while(|(index, game)| index == game).count() as u64;
        if games == 0 {
            return Err("The run has not finished its first game yet".to_owned());
        }
        let rules = plan.contestants[entry].rules(plan.rules);
        Ok(Self { source: Source::LastBatch, strategy, rules, seed: plan.seed, games: Some(games) })
    }

    fn known<T>(&self, found: &Arc<T>) -> Known<T> {
        Known { strategy: self.strategy.clone(), rules: self.rules, found: found.clone() }
    }
}

/// Something found out, and about which strategy.
#[derive(Clone, Debug)]
pub struct Known<T> {
    pub strategy: SharedStrategy,
    /// By which rules it played.
    pub rules: Rules,
    pub found: Arc<T>,
}

/// The games that a price is of: as many as a batch may have, so that it is about their mean.
pub(crate) const GAMES_PRICED: u64 = 100;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub decision: Cost,
    /// Of [`GAMES_PRICED`] games on one core; `None` when it could not be measured.
    pub games: Option<Estimate>,
}

/// What a sample has shown so far.
#[derive(Clone, Debug, Default)]
struct Survey {
    /// Games that were played, while they are counted.
    games: u64,
    evidence: Option<Arc<Evidence>>,
    findings: Option<Arc<Vec<Finding>>>,
    price: Option<Arc<Price>>,
}

/// Everything known of the rows over many positions.
#[derive(Debug, Default)]
pub struct Sampling {
    pub evidence: Option<Known<Evidence>>,
    pub source: Option<Source>,
    pub findings: Option<Known<Vec<Finding>>>,
    pub price: Option<Known<Price>>,
    /// Why the last sample gave nothing.
    pub failed: Option<String>,
    survey: Latest<SampleRequest, Survey>,
    /// Whether an edited strategy is sampled by itself.
    repeats: bool,
    /// The strategy on screen and since when.
    resting: Option<(StrategyHash, Instant)>,
    /// The strategy that was sampled last, whether that gave anything or was stopped.
    sampled: Option<StrategyHash>,
}

impl Sampling {
    /// Plays and looks; what was under way is given up.
    pub fn begin(&mut self, request: SampleRequest, tasks: &Tasks) {
        self.failed = None;
        self.sampled = Some(request.strategy.hash());
        self.repeats = request.source == Source::OneSecond;
        let info = TaskInfo::asked(TaskGroup::Panel, "Counting what the rows do").answering_when_stopped();
        self.survey.clear();
        self.survey.ask(request.clone(), tasks, info, move |job| survey(&request, job));
    }

    /// Takes what was found out, and begins again where the strategy was edited.
    pub(crate) fn follow(&mut self, doc: &Document, is_seen: bool, is_dragging: bool) {
        self.receive();
        let hash = doc.strategy().hash();
        if self.resting.is_none_or(|(of, _)| of != hash) {
            self.resting = Some((hash, Instant::now()));
            self.failed = None;
        }
        // Nobody waits for what another strategy does.
        if self.survey.key().is_some_and(|request| request.strategy.hash() != hash) {
            self.survey.clear();
        }
        let has_rested = self.resting.is_some_and(|(_, since)| RESTED <= since.elapsed());
        if self.is_due(hash) && is_seen && !is_dragging && has_rested {
            match SampleRequest::one_second(doc) {
                Ok(request) => self.begin(request, &doc.tasks),
                Err(reason) => self.failed = Some(reason),
            }
        }
    }

    fn is_due(&self, hash: StrategyHash) -> bool {
        self.repeats && !self.survey.is_pending() && self.failed.is_none() && self.sampled != Some(hash)
    }

    /// How long until an edited strategy is sampled, if it will be.
    pub fn is_waiting(&self) -> Option<Duration> {
        let (hash, since) = self.resting?;
        self.is_due(hash).then(|| RESTED.saturating_sub(since.elapsed()))
    }

    pub fn progress(&self) -> Option<(String, f32)> {
        let (since, wanted) = (self.survey.since()?, self.survey.key()?.games);
        let known = self.survey.known();
        if known.is_some_and(|survey| survey.evidence.is_some()) {
            return Some(("Looking for what is odd, timing decisions".to_owned(), 1.0));
        }
        let played = known.map_or(0, |survey| survey.games);
        let (words, share) = match wanted {
            Some(games) => {
                let all = words::plural(games, "game");
                (format!("{} of {all}", words::count(played)), played as f32 / games.max(1) as f32)
            }
            None => (words::plural(played, "game"), since.elapsed().as_secs_f32() / PLAYING.as_secs_f32()),
        };
        Some((words, share.min(1.0)))
    }

    fn receive(&mut self) {
        if !self.survey.poll() {
            return;
        }
        let Some(request) = self.survey.key() else { return };
        if let Some(survey) = self.survey.known() {
            let counted = survey.evidence.as_ref().filter(|evidence| evidence.decisions != 0);
            if let Some(evidence) = counted {
                self.evidence = Some(request.known(evidence));
                self.source = Some(request.source);
            } else if survey.evidence.is_some() {
                self.failed = Some("no decision was finished in that time; search fewer plies".to_owned());
            }
            if let Some(findings) = &survey.findings {
                self.findings = Some(request.known(findings));
            }
            if let Some(price) = &survey.price {
                self.price = Some(request.known(price));
            }
        }
        if let Some(reason) = self.survey.failed() {
            self.failed = Some(reason.to_string());
        }
    }
}

/// Plays, counts and times; ends between two parts when it is asked to stop.
fn survey(request: &SampleRequest, job: &Job<Survey>) -> Survey {
    let SampleRequest { strategy, rules, seed, games, .. } = request;
    let (player, stop) = (Player::new(strategy, *rules), job.token());
    let limit = games.is_none().then_some(PLAYING);
    let evidence = Evidence::gather(&player, *seed, games.unwrap_or(u64::MAX), limit, stop, |games| {
        job.tell_now_and_then(|| Survey { games, ..Survey::default() });
    });
    let evidence = Arc::new(evidence);
    let mut survey = Survey { evidence: Some(evidence.clone()), ..Survey::default() };
    job.say("Looking at what the rows do");
    job.tell(survey.clone());
    if job.is_cancelled() {
        return survey;
    }
    // Searches may take long over a game of their own.
    let quick = Strategy::from_letters("emr").map(|quick| Player::new(&quick, *rules));
    let source = match &quick {
        Ok(quick) if player.searches() => quick,
        _ => &player,
    };
    let sample = Sample::play(source, *seed, POSITIONS, COLLECTING, stop);
    let found = findings(strategy, *rules, &sample, Some(&evidence), stop);
    if job.is_cancelled() {
        return survey;
    }
    survey.findings = Some(Arc::new(found));
    job.tell(survey.clone());
    let decision = cost(&player, *seed, TIMING, stop);
    // Games that were played say more than what is known of games of such searches.
    let played =
        Estimate::of_played(evidence.whole_games(), evidence.took_whole, GAMES_PRICED).filter(|_| player.searches());
    let games = played.or_else(|| Estimate::of_games(strategy, *rules, GAMES_PRICED, 1, stop));
    if !job.is_cancelled() {
        survey.price = Some(Arc::new(Price { decision, games }));
    }
    survey
}
