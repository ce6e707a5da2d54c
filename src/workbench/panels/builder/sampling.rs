//! Statistics of the strategy's rows over many positions, computed in the background.
//!
//! The work has three parts: counting games, finding oddities of the rows, and timing decisions. Each result is reported as soon
//! as it exists. After the first request, an edited strategy is sampled again automatically while the result is visible.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::analysis::{Cost, Evidence, Finding, Sample, cost, findings};
use crate::experiment::Estimate;
use crate::game::Rules;
use crate::strategy::{Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::{Job, Latest, TaskGroup, TaskInfo, Tasks};
use crate::workbench::state::Document;

/// Play time of a sample.
const PLAYING: Duration = Duration::from_secs(1);
/// Time spent on timing decisions.
const TIMING: Duration = Duration::from_millis(400);
/// Time limit for collecting the positions in which oddities are sought. One-ply games need far less.
const COLLECTING: Duration = Duration::from_millis(400);
/// Maximum number of these positions.
const POSITIONS: usize = 2000;
/// Time without an edit before a strategy is sampled again.
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
    /// Number of games; `None` for as many as time allows.
    games: Option<u64>,
}

impl SampleRequest {
    /// One second of games by the strategy on screen, with the rules of the board and the seed of the experiment. The error says
    /// why the strategy cannot play there.
    pub fn one_second(doc: &Document) -> Result<Self, String> {
        let (strategy, rules, seed) = (doc.strategy(), doc.rules_here(), doc.setup().seed);
        strategy
            .check_to_play(rules)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            source: Source::OneSecond,
            strategy,
            rules,
            seed,
            games: None,
        })
    }

    /// The games of the last run with the strategy on screen, up to the first missing one. The error says why there are none, and
    /// what to do.
    pub fn last_batch(doc: &Document) -> Result<Self, String> {
        let strategy = doc.strategy();
        let plan = doc.last_run().plan().ok_or("No experiment has run yet")?;
        let entry = plan
            .contestants
            .iter()
            .position(|entry| entry.strategy.hash() == strategy.hash());
        let entry = entry
            .ok_or("The last run did not play this strategy: add it to the experiment and run")?;
        let mut finished = doc.last_run().games_in(entry, 0..=u32::MAX);
        finished.sort_unstable();
        let games = (0..)
            .zip(finished)
            .take_while(|(index, game)| index == game)
            .count() as u64;
        if games == 0 {
            return Err("The run has not finished its first game yet".to_owned());
        }
        let rules = plan.contestants[entry].rules(plan.rules);
        Ok(Self {
            source: Source::LastBatch,
            strategy,
            rules,
            seed: plan.seed,
            games: Some(games),
        })
    }

    fn known<T>(&self, found: &Arc<T>) -> Known<T> {
        Known {
            strategy: self.strategy.clone(),
            rules: self.rules,
            found: found.clone(),
        }
    }
}

/// A result, and the strategy it is about.
#[derive(Clone, Debug)]
pub struct Known<T> {
    pub strategy: SharedStrategy,
    /// The rules of the games.
    pub rules: Rules,
    pub found: Arc<T>,
}

/// The number of games in a price: as many as in a batch, so that the price is about their mean.
pub(crate) const GAMES_PRICED: u64 = 100;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    pub decision: Cost,
    /// For [`GAMES_PRICED`] games on one core; `None` if it could not be measured.
    pub games: Option<Estimate>,
}

/// The results of a sample so far.
#[derive(Clone, Debug, Default)]
struct Survey {
    evidence: Option<Arc<Evidence>>,
    findings: Option<Arc<Vec<Finding>>>,
    price: Option<Arc<Price>>,
}

/// All results about the rows over many positions.
#[derive(Debug, Default)]
pub struct Sampling {
    pub evidence: Option<Known<Evidence>>,
    pub source: Option<Source>,
    pub findings: Option<Known<Vec<Finding>>>,
    pub price: Option<Known<Price>>,
    /// Why the last sample has no result.
    pub failed: Option<String>,
    survey: Latest<SampleRequest, Survey>,
    /// Whether an edited strategy is sampled automatically.
    repeats: bool,
    /// The strategy on screen, and since when it is there.
    resting: Option<(StrategyHash, Instant)>,
    /// The strategy sampled last, even if that was stopped or had no result.
    sampled: Option<StrategyHash>,
}

impl Sampling {
    /// Starts a sample, and cancels a running one.
    pub fn begin(&mut self, request: SampleRequest, tasks: &Tasks) {
        self.failed = None;
        self.sampled = Some(request.strategy.hash());
        self.repeats = request.source == Source::OneSecond;
        let info =
            TaskInfo::asked(TaskGroup::Panel, "Counting what the rows do").answering_when_stopped();
        self.survey.clear();
        self.survey.ask(request.clone(), tasks, info, move |job| {
            survey(&request, job)
        });
    }

    /// Takes results, and samples an edited strategy again.
    pub(crate) fn follow(&mut self, doc: &Document, is_seen: bool, is_dragging: bool) {
        self.receive();
        let hash = doc.strategy().hash();
        if self.resting.is_none_or(|(own_hash, _)| own_hash != hash) {
            self.resting = Some((hash, Instant::now()));
            self.failed = None;
        }

        // Results about another strategy are not needed.
        if self
            .survey
            .key()
            .is_some_and(|request| request.strategy.hash() != hash)
        {
            self.survey.clear();
        }

        let has_rested = self
            .resting
            .is_some_and(|(_, since)| RESTED <= since.elapsed());
        if self.is_due(hash) && is_seen && !is_dragging && has_rested {
            match SampleRequest::one_second(doc) {
                Ok(request) => self.begin(request, doc.tasks()),
                Err(reason) => self.failed = Some(reason),
            }
        }
    }

    fn is_due(&self, hash: StrategyHash) -> bool {
        self.repeats
            && !self.survey.is_pending()
            && self.failed.is_none()
            && self.sampled != Some(hash)
    }

    /// Time until an edited strategy is sampled; `None` if it will not be.
    pub fn is_waiting(&self) -> Option<Duration> {
        let (hash, since) = self.resting?;
        self.is_due(hash)
            .then(|| RESTED.saturating_sub(since.elapsed()))
    }

    pub fn progress(&self) -> Option<(String, f32)> {
        let (work, wanted) = (self.survey.control()?.work(), self.survey.key()?.games);
        let latest = self.survey.known();
        if latest.is_some_and(|survey| survey.evidence.is_some()) {
            return Some(("Looking for problems, timing decisions".to_owned(), 1.0));
        }
        let share = match wanted {
            Some(_) => work.share(),
            None => self.survey.since()?.elapsed().as_secs_f32() / PLAYING.as_secs_f32(),
        };
        Some((work.text(), share.min(1.0)))
    }

    fn receive(&mut self) {
        if !self.survey.poll() {
            return;
        }
        let Some(request) = self.survey.key() else {
            return;
        };
        if let Some(survey) = self.survey.known() {
            let counted = survey
                .evidence
                .as_ref()
                .filter(|evidence| evidence.decisions != 0);
            if let Some(evidence) = counted {
                self.evidence = Some(request.known(evidence));
                self.source = Some(request.source);
            } else if survey.evidence.is_some() {
                self.failed = Some("no decision finished in time: search fewer plies".to_owned());
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

/// Plays, counts and times. It can stop between two parts.
fn survey(request: &SampleRequest, job: &Job<Survey>) -> Survey {
    let SampleRequest {
        strategy,
        rules,
        seed,
        games,
        ..
    } = request;
    let (player, stop) = (Player::new(strategy, *rules), job.token());
    let limit = games.is_none().then_some(PLAYING);
    let evidence = Evidence::gather(
        &player,
        *seed,
        games.unwrap_or(u64::MAX),
        limit,
        job.control(),
    );
    let evidence = Arc::new(evidence);
    let mut survey = Survey {
        evidence: Some(evidence.clone()),
        ..Survey::default()
    };
    job.say("Looking at what the rows do");
    job.tell(survey.clone());
    if job.is_cancelled() {
        return survey;
    }

    // A strategy that searches may take long for one game, so a fast one plays.
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
    // If the strategy searches, the games it has played are the better evidence.
    let played = Estimate::of_played(evidence.whole_games(), evidence.took_whole, GAMES_PRICED)
        .filter(|_| player.searches());
    let games = played.or_else(|| Estimate::of_games(strategy, *rules, GAMES_PRICED, 1, stop));
    if !job.is_cancelled() {
        survey.price = Some(Arc::new(Price { decision, games }));
    }
    survey
}
