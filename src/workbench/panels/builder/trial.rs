//! A change of the strategy tried on the pinned positions: what strategies decide there, found out beside the window, kept,
//! and shown as it comes.
//!
//! One thread decides, in the order in which it was asked. When something else is asked, what was asked before is given up,
//! and what was decided of it stays known.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::drag::Proposal;
use crate::game::{Board, Moves, Rules, Size};
use crate::preset::{Pin, PositionSet};
use crate::program::permission;
use crate::prose;
use crate::search::SearchOptions;
use crate::strategy::{Decision, Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo, Tasks, lock, threads_for_window};
use crate::words;
use crate::workbench::state::Document;

/// How long to wait for strategies of one ply: they decide on forty positions within a millisecond.
const PATIENCE: Duration = Duration::from_millis(6);
/// Most decisions that are kept, some 200 bytes each; a drag over 20 rows asks for some hundred.
const MOST: usize = 20_000;

/// With what the strategy on screen is compared while nothing is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// As it was before the last edit.
    #[default]
    LastEdit,
    /// As it was opened or saved last.
    Saved,
}

#[derive(Debug, Default)]
pub struct Trial {
    /// What is compared with; the panel of pinned positions chooses.
    pub baseline: Baseline,
    pub(crate) decisions: PinnedDecisions,
    pub set: Arc<PositionSet>,
    /// The one that is looked at: what is proposed, or what is on screen.
    new: Option<SharedStrategy>,
    old: Option<SharedStrategy>,
    /// Hash of the proposal that is tried.
    pub proposed: Option<StrategyHash>,
}

/// On how many positions a proposal moves otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    pub changed: usize,
    /// Positions that both have decided.
    pub known: usize,
    pub all: usize,
}

impl Changes {
    /// "changes 3 of 40", or how far it got.
    pub fn text(&self) -> String {
        let Self { changed, known, all } = self;
        if known != all {
            return format!("changes {changed} of {known} decided, {} to go", all - known);
        }
        format!("changes {changed} of {}", words::plural(*all as u64, "pinned position"))
    }
}

impl Trial {
    /// Takes over what is on screen; asks only while somebody sees the answer.
    pub(crate) fn follow(&mut self, doc: &Document, proposal: Option<&Proposal>, is_seen: bool) {
        self.set = doc.pins();
        self.proposed = proposal.map(|proposal| proposal.strategy.hash());
        let now = doc.strategy();
        let old = match self.baseline {
            _ if proposal.is_some() => Some(now.clone()),
            Baseline::LastEdit => doc.before_edit(),
            Baseline::Saved => doc.opened().is_edited().then(|| doc.opened().origin.before.clone()),
        };
        let new = proposal.map_or(now, |proposal| proposal.strategy.clone());
        if is_seen || proposal.is_some() {
            let strategies: Vec<SharedStrategy> = [new.clone()].into_iter().chain(old.clone()).collect();
            self.decisions.ask(&strategies, &self.set, doc.game().rules, &doc.tasks);
        } else {
            self.decisions.rest();
        }
        (self.new, self.old) = (Some(new), old);
    }

    /// What is known of each position, in their order.
    pub fn outcomes(&self) -> Vec<(&Pin, PinOutcome<'_>)> {
        let sides = [&self.new, &self.old].map(|side| side.as_ref().map(|strategy| (strategy, strategy.hash())));
        let [Some((new, new_hash)), old] = sides else { return Vec::new() };
        let mut fits = [Fits::default(), Fits::default()];
        let mut outcome = |pin: &Pin| {
            let rules = self.decisions.rules.on(pin.board.size());
            if !fits[0].check(new, rules) {
                return PinOutcome::Impossible;
            }
            // One that cannot play there, such as by a program that may not run, leaves nothing to compare with.
            let old = old.filter(|(old, _)| fits[1].check(old, rules));
            match (self.decisions.of(new_hash, pin), old.map(|(_, hash)| self.decisions.of(hash, pin))) {
                (Some(new), Some(Some(old))) => PinOutcome::Decided { old: Some(old), new },
                (Some(new), None) => PinOutcome::Decided { old: None, new },
                _ => PinOutcome::Open,
            }
        };
        self.set.positions.iter().map(|pin| (pin, outcome(pin))).collect()
    }

    /// Why the one that is looked at cannot play on a position.
    pub fn problem(&self, pin: &Pin) -> Option<String> {
        let rules = self.decisions.rules.on(pin.board.size());
        self.new.as_ref()?.check_to_play(rules).err().map(|error| error.to_string())
    }

    /// On how many positions the two differ; `None` with nothing to compare. Positions on which one of them cannot play
    /// do not count.
    pub fn changes(&self) -> Option<Changes> {
        self.old.as_ref()?;
        let outcomes = self.outcomes();
        let count = |is_it: fn(&PinOutcome<'_>) -> bool| outcomes.iter().filter(|(_, outcome)| is_it(outcome)).count();
        Some(Changes {
            changed: outcomes.iter().filter(|(_, outcome)| outcome.is_changed()).count(),
            known: count(|outcome| matches!(outcome, PinOutcome::Decided { old: Some(_), .. })),
            all: count(|outcome| matches!(outcome, PinOutcome::Open | PinOutcome::Decided { old: Some(_), .. })),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinDecision {
    /// The moves between which the last resort decides; mostly one.
    pub choice: Moves,
    pub why: Arc<str>,
}

impl PinDecision {
    fn of(decision: &Decision, strategy: &Strategy) -> Self {
        let why = match decision.choice.len() {
            0 | 1 => prose::decision::sentence(decision, strategy),
            // Which of them a game would draw depends on its seed.
            _ => {
                let names: Vec<String> = decision.choice.iter().map(|mv| mv.to_string()).collect();
                format!("{}, which no row tells apart", words::list(&names))
            }
        };
        Self { choice: decision.choice, why: why.into() }
    }
}

/// What is known of one position under one strategy or two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PinOutcome<'a> {
    Open,
    /// A strategy cannot play on it.
    Impossible,
    /// What the strategy does, and what the one before did.
    Decided {
        old: Option<&'a PinDecision>,
        new: &'a PinDecision,
    },
}

impl PinOutcome<'_> {
    /// Whether both are known and differ in the moves they leave to chance.
    pub fn is_changed(&self) -> bool {
        matches!(self, Self::Decided { old: Some(old), new } if old.choice != new.choice)
    }
}

type PinKey = (StrategyHash, Board, u64);

#[derive(Clone, Debug)]
struct PinQuestion {
    hashes: Vec<StrategyHash>,
    set: Arc<PositionSet>,
    /// How often one of the strategies can play on a position: a program may be allowed to run later.
    fitting: usize,
    /// What had been allowed to run by then.
    allowed: u64,
}

impl PartialEq for PinQuestion {
    fn eq(&self, other: &Self) -> bool {
        let facts = |question: &Self| (question.hashes.clone(), question.fitting, question.allowed);
        Arc::ptr_eq(&self.set, &other.set) && facts(self) == facts(other)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PinnedState<'a> {
    /// Everything that was asked is known.
    Settled,
    Deciding(Instant),
    Stopped,
    Failed(&'a TaskError),
}

#[derive(Debug, Default)]
pub(crate) struct PinnedDecisions {
    known: HashMap<PinKey, PinDecision>,
    /// Of which rules, but for the size of the board.
    rules: Rules,
    work: Latest<PinQuestion, Decided>,
    players: Players,
}

impl PinnedDecisions {
    /// Wants these strategies on these positions, the first ones first; what is known already is not asked again.
    pub(crate) fn ask(&mut self, strategies: &[SharedStrategy], set: &Arc<PositionSet>, rules: Rules, tasks: &Tasks) {
        self.receive();
        if self.rules != rules {
            *self = Self { rules, ..Self::default() };
        }
        let hashes: Vec<StrategyHash> = strategies.iter().map(SharedStrategy::hash).collect();
        let fitting = |strategy: &SharedStrategy| {
            let mut fits = Fits::default();
            set.positions.iter().filter(|pin| fits.check(strategy, rules.on(pin.board.size()))).count()
        };
        let (fitting, allowed) = (strategies.iter().map(fitting).sum::<usize>(), permission::grants());
        let question = PinQuestion { hashes, set: set.clone(), fitting, allowed };
        if self.work.is_asked(&question) {
            return;
        }
        let wanted = self.wanted(strategies, &question);
        if wanted.is_empty() {
            self.work.set(question, Vec::new());
            return;
        }
        // What nobody asks about is forgotten when there is much.
        if MOST < self.known.len() {
            self.known.retain(|(hash, _, _), _| question.hashes.contains(hash));
        }
        let (players, rules) = (self.players.clone(), self.rules);
        let work = move |job: &Job<_>| decide(&wanted, &players, rules, job);
        self.work.ask(question, tasks, TaskInfo::asked(TaskGroup::Panel, "Deciding pinned positions"), work);
        if strategies.iter().all(|strategy| !strategy.takes_time()) {
            self.work.wait(PATIENCE);
            self.keep();
        }
    }

    /// Nothing is wanted any more.
    pub(crate) fn rest(&mut self) {
        self.receive();
        self.work.cancel();
    }

    /// What a strategy does on a position; `None` while nobody knows.
    pub(crate) fn of(&self, hash: StrategyHash, pin: &Pin) -> Option<&PinDecision> {
        self.known.get(&(hash, pin.board, pin.score))
    }

    pub(crate) fn state(&self) -> PinnedState<'_> {
        match (self.work.since(), self.work.failed()) {
            (Some(since), _) => PinnedState::Deciding(since),
            (None, Some(TaskError::Stopped { .. })) => PinnedState::Stopped,
            (None, Some(reason)) => PinnedState::Failed(reason),
            (None, None) => PinnedState::Settled,
        }
    }

    pub(crate) fn go_on(&mut self) {
        if matches!(self.state(), PinnedState::Failed(_)) {
            // A program that has failed is asked anew by who is made ready anew.
            self.players = Players::default();
        }
        self.work.retry();
    }

    /// Takes what was decided since.
    fn receive(&mut self) {
        if self.work.poll() {
            self.keep();
        }
    }

    fn keep(&mut self) {
        if let Some(decided) = self.work.known() {
            self.known.extend(decided.iter().cloned());
        }
    }

    fn wanted(&self, strategies: &[SharedStrategy], question: &PinQuestion) -> Vec<(SharedStrategy, PinKey)> {
        let mut wanted = Vec::new();
        for (index, (strategy, hash)) in strategies.iter().zip(&question.hashes).enumerate() {
            // A proposal may leave everything as it is.
            if question.hashes[..index].contains(hash) {
                continue;
            }
            let mut fits = Fits::default();
            let pins =
                question.set.positions.iter().filter(|pin| fits.check(strategy, self.rules.on(pin.board.size())));
            let keys = pins.map(|pin| (*hash, pin.board, pin.score)).filter(|key| !self.known.contains_key(key));
            wanted.extend(keys.map(|key| (strategy.clone(), key)));
        }
        wanted
    }
}

/// What was decided, position by position.
type Decided = Vec<(PinKey, PinDecision)>;

/// Decides on one position after the other, and tells what it has.
fn decide(wanted: &[(SharedStrategy, PinKey)], players: &Players, rules: Rules, job: &Job<Decided>) -> Decided {
    let options = SearchOptions::on_cores(job.token(), threads_for_window());
    let mut decided = Vec::new();
    for (strategy, key) in wanted {
        let (hash, board, score) = *key;
        let player = players.of(strategy, hash, rules.on(board.size()));
        let decision = Decision::of(&player, (&board, score), |_| 0, options, 0);
        if job.is_cancelled() {
            break;
        }
        decided.push((*key, PinDecision::of(&decision, strategy)));
        job.tell_now_and_then(|| decided.clone());
    }
    decided
}

/// Whether a strategy fits rules that differ in the size of the board, found out once for each size.
#[derive(Debug, Default)]
pub(crate) struct Fits(HashMap<Size, bool>);

impl Fits {
    pub(crate) fn check(&mut self, strategy: &Strategy, rules: Rules) -> bool {
        *self.0.entry(rules.size).or_insert_with(|| strategy.check_to_play(rules).is_ok())
    }
}

/// Strategies made ready lately: tables of line scores take some milliseconds.
#[derive(Clone, Debug, Default)]
struct Players(Arc<Mutex<Vec<Ready>>>);

type Ready = (StrategyHash, Size, Arc<Player>);

impl Players {
    fn of(&self, strategy: &Strategy, hash: StrategyHash, rules: Rules) -> Arc<Player> {
        /// A proposal, the strategy on screen and the one before it, and some to come back to.
        const MOST: usize = 6;
        let is_it = |(of, size, _): &Ready| *of == hash && *size == rules.size;
        if let Some((_, _, player)) = lock(&self.0).iter().find(|ready| is_it(ready)) {
            return player.clone();
        }
        let player = Arc::new(Player::new(strategy, rules));
        let mut ready = lock(&self.0);
        if MOST <= ready.len() {
            ready.remove(0);
        }
        ready.push((hash, rules.size, player.clone()));
        player
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(text: &str) -> SharedStrategy {
        text.parse::<Strategy>().expect("a strategy").into()
    }

    fn until_settled(decisions: &mut PinnedDecisions, strategies: &[SharedStrategy], set: &Arc<PositionSet>) {
        let tasks = &Tasks::default();
        let late = Instant::now() + Duration::from_secs(60);
        loop {
            decisions.ask(strategies, set, Rules::default(), tasks);
            if decisions.state() == PinnedState::Settled {
                return;
            }
            assert!(Instant::now() < late, "{:?}", decisions.state());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn every_decision_is_what_the_player_decides() {
        let (set, mut decisions) = (PositionSet::shipped(), PinnedDecisions::default());
        let tasks = &Tasks::default();
        let searching = "(criteria: [(evaluator: Empty), (evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])";
        let strategies = ["emr", "mer", searching].map(strategy);
        until_settled(&mut decisions, &strategies, &set);
        for strategy in &strategies {
            let player = Player::new(strategy, Rules::default());
            for pin in &set.positions {
                let decision = Decision::now(&player, &pin.board, pin.score, |_| 0);
                assert_eq!(decisions.of(strategy.hash(), pin), Some(&PinDecision::of(&decision, strategy)));
            }
        }
        let other = Rules { p4: 0.2, ..Rules::default() };
        decisions.ask(&[], &set, other, tasks);
        assert_eq!(decisions.of(strategies[0].hash(), &set.positions[0]), None, "other rules are another question");
    }

    #[test]
    fn a_deep_question_is_given_up_for_another_and_when_stopped() {
        let (set, mut decisions) = (PositionSet::shipped(), PinnedDecisions::default());
        let tasks = &Tasks::default();
        let deep = strategy("(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])");
        decisions.ask(std::slice::from_ref(&deep), &set, Rules::default(), tasks);
        assert!(matches!(decisions.state(), PinnedState::Deciding(_)));
        let quick = strategy("emr");
        until_settled(&mut decisions, std::slice::from_ref(&quick), &set);
        assert!(decisions.of(quick.hash(), &set.positions[39]).is_some());
        decisions.ask(std::slice::from_ref(&deep), &set, Rules::default(), tasks);
        assert!(tasks.stop(TaskGroup::Panel).is_some() && tasks.stop(TaskGroup::Panel).is_none());
        decisions.ask(std::slice::from_ref(&deep), &set, Rules::default(), tasks);
        assert_eq!(decisions.state(), PinnedState::Stopped, "it does not begin again by itself");
        decisions.go_on();
        decisions.ask(&[deep], &set, Rules::default(), tasks);
        assert!(matches!(decisions.state(), PinnedState::Deciding(_)));
    }

    #[test]
    fn positions_of_another_size_are_not_asked() {
        let mut set = PositionSet::empty("sizes");
        for text in ["2,4,8/0,0,0/2,0,0", "1123000000000000"] {
            set.positions.push(Pin::new(text.parse().expect("a board"), 0, "").expect("a choice"));
        }
        let (set, mut decisions) = (Arc::new(set), PinnedDecisions::default());
        let weights = strategy("(criteria: [(evaluator: Weights(\"a\"))])");
        until_settled(&mut decisions, std::slice::from_ref(&weights), &set);
        assert_eq!(decisions.of(weights.hash(), &set.positions[0]), None);
        assert!(decisions.of(weights.hash(), &set.positions[1]).is_some());
    }
}
