//! Tries a change of the strategy on the pinned positions. Strategies decide there in the background; decisions are cached, and
//! shown as they arrive.
//!
//! One task decides, in the order of the request. A new request cancels the previous one, whose decisions stay cached.

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

/// How long to wait for strategies of one ply, which decide on forty positions within a millisecond.
const PATIENCE: Duration = Duration::from_millis(6);
/// Maximum number of cached decisions, some 200 bytes each. A drag over 20 rows requests several hundred.
const MOST: usize = 20_000;

/// What the strategy on screen is compared with while nothing is dragged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Baseline {
    /// The strategy before the last edit.
    #[default]
    LastEdit,
    /// The strategy as last opened or saved.
    Saved,
}

#[derive(Debug, Default)]
pub struct Trial {
    /// The baseline of the comparison; the panel of pinned positions selects it.
    pub baseline: Baseline,
    pub(crate) decisions: PinnedDecisions,
    pub set: Arc<PositionSet>,
    /// The examined strategy: the proposal, or the strategy on screen.
    new: Option<SharedStrategy>,
    old: Option<SharedStrategy>,
    /// Hash of the proposal that is being tried.
    pub proposed: Option<StrategyHash>,
}

/// The number of positions on which a proposal moves differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes {
    pub changed: usize,
    /// Positions on which both strategies have decided.
    pub decided: usize,
    pub all: usize,
}

impl Changes {
    /// "changes 3 of 40 pinned positions", or the progress.
    pub fn text(&self) -> String {
        let Self {
            changed,
            decided,
            all,
        } = self;
        if decided != all {
            return format!(
                "changes {changed} of {decided} decided, {} to go",
                all - decided
            );
        }
        format!(
            "changes {changed} of {}",
            words::plural(*all as u64, "pinned position")
        )
    }
}

impl Trial {
    /// Updates from the document. Requests decisions only while they are visible.
    pub(crate) fn follow(&mut self, doc: &Document, proposal: Option<&Proposal>, is_seen: bool) {
        self.set = doc.pins();
        self.proposed = proposal.map(|proposal| proposal.strategy.hash());
        let now = doc.strategy();
        let old = match self.baseline {
            _ if proposal.is_some() => Some(now.clone()),
            Baseline::LastEdit => doc.before_edit(),
            Baseline::Saved => doc
                .opened()
                .is_edited()
                .then(|| doc.opened().origin.before.clone()),
        };
        let new = proposal.map_or(now, |proposal| proposal.strategy.clone());

        if is_seen || proposal.is_some() {
            let strategies: Vec<SharedStrategy> =
                [new.clone()].into_iter().chain(old.clone()).collect();
            self.decisions
                .ask(&strategies, &self.set, doc.game().rules, doc.tasks());
        } else {
            self.decisions.rest();
        }
        (self.new, self.old) = (Some(new), old);
    }

    /// The outcome of each position, in their order.
    pub fn outcomes(&self) -> Vec<(&Pin, PinOutcome<'_>)> {
        let sides = [&self.new, &self.old]
            .map(|side| side.as_ref().map(|strategy| (strategy, strategy.hash())));
        let [Some((new, new_hash)), old] = sides else {
            return Vec::new();
        };
        let mut fits = [Fits::default(), Fits::default()];
        let mut outcome = |pin: &Pin| {
            let rules = self.decisions.rules.on(pin.board.size());
            if !fits[0].check(new, rules) {
                return PinOutcome::Impossible;
            }
            // A baseline that cannot play there, such as one with a forbidden program, gives no comparison.
            let old = old.filter(|(old, _)| fits[1].check(old, rules));
            match (
                self.decisions.of(new_hash, pin),
                old.map(|(_, hash)| self.decisions.of(hash, pin)),
            ) {
                (Some(new), Some(Some(old))) => PinOutcome::Decided {
                    old: Some(old),
                    new,
                },
                (Some(new), None) => PinOutcome::Decided { old: None, new },
                _ => PinOutcome::Open,
            }
        };
        self.set
            .positions
            .iter()
            .map(|pin| (pin, outcome(pin)))
            .collect()
    }

    /// Why the examined strategy cannot play on a position.
    pub fn problem(&self, pin: &Pin) -> Option<String> {
        let rules = self.decisions.rules.on(pin.board.size());
        self.new
            .as_ref()?
            .check_to_play(rules)
            .err()
            .map(|error| error.to_string())
    }

    /// The number of positions on which the two strategies differ; `None` without a comparison. Positions on which one of them
    /// cannot play do not count.
    pub fn changes(&self) -> Option<Changes> {
        self.old.as_ref()?;
        let outcomes = self.outcomes();
        let count = |is_it: fn(&PinOutcome<'_>) -> bool| {
            outcomes
                .iter()
                .filter(|(_, outcome)| is_it(outcome))
                .count()
        };
        Some(Changes {
            changed: outcomes
                .iter()
                .filter(|(_, outcome)| outcome.is_changed())
                .count(),
            decided: count(|outcome| matches!(outcome, PinOutcome::Decided { old: Some(_), .. })),
            all: count(|outcome| {
                matches!(
                    outcome,
                    PinOutcome::Open | PinOutcome::Decided { old: Some(_), .. }
                )
            }),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinDecision {
    /// The moves left for the last resort, mostly one.
    pub choice: Moves,
    pub why: Arc<str>,
}

impl PinDecision {
    fn of(decision: &Decision, strategy: &Strategy) -> Self {
        let why = match decision.choice.len() {
            0 | 1 => prose::decision::sentence(decision, strategy),
            // The seed of a game determines which of them it draws.
            _ => {
                let names: Vec<String> = decision.choice.iter().map(|mv| mv.to_string()).collect();
                format!("{}, which no row separates", words::list(&names))
            }
        };
        Self {
            choice: decision.choice,
            why: why.into(),
        }
    }
}

/// The outcome of one position under one or two strategies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PinOutcome<'a> {
    Open,
    /// The strategy cannot play on this position.
    Impossible,
    /// The decision of the strategy, and that of the baseline.
    Decided {
        old: Option<&'a PinDecision>,
        new: &'a PinDecision,
    },
}

impl PinOutcome<'_> {
    /// Whether both decisions are known and leave different moves.
    pub fn is_changed(&self) -> bool {
        matches!(self, Self::Decided { old: Some(old), new } if old.choice != new.choice)
    }
}

type PinKey = (StrategyHash, Board, u64);

#[derive(Clone, Debug)]
struct PinQuestion {
    hashes: Vec<StrategyHash>,
    set: Arc<PositionSet>,
    /// The number of pairs of a strategy and a position it can play on. A program may be allowed later.
    fitting: usize,
    /// The number of permissions granted by then.
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
    /// All requested decisions are known.
    Settled,
    Deciding(Instant),
    Stopped,
    Failed(&'a TaskError),
}

#[derive(Debug, Default)]
pub(crate) struct PinnedDecisions {
    decisions: HashMap<PinKey, PinDecision>,
    /// The rules of the decisions, except for the board size.
    rules: Rules,
    work: Latest<PinQuestion, Decided>,
    players: Players,
}

impl PinnedDecisions {
    /// Requests the decisions of these strategies on these positions, in this order. Known ones are reused.
    pub(crate) fn ask(
        &mut self,
        strategies: &[SharedStrategy],
        set: &Arc<PositionSet>,
        rules: Rules,
        tasks: &Tasks,
    ) {
        self.receive();
        if self.rules != rules {
            *self = Self {
                rules,
                ..Self::default()
            };
        }

        let hashes: Vec<StrategyHash> = strategies.iter().map(SharedStrategy::hash).collect();
        let fitting = |strategy: &SharedStrategy| {
            let mut fits = Fits::default();
            set.positions
                .iter()
                .filter(|pin| fits.check(strategy, rules.on(pin.board.size())))
                .count()
        };
        let (fitting, allowed) = (
            strategies.iter().map(fitting).sum::<usize>(),
            permission::grants(),
        );
        let question = PinQuestion {
            hashes,
            set: set.clone(),
            fitting,
            allowed,
        };
        if self.work.is_asked(&question) {
            return;
        }

        let wanted = self.wanted(strategies, &question);
        if wanted.is_empty() {
            self.work.set(question, Vec::new());
            return;
        }

        // A full cache drops the decisions of other strategies.
        if MOST < self.decisions.len() {
            self.decisions
                .retain(|(hash, _, _), _| question.hashes.contains(hash));
        }

        let (players, rules) = (self.players.clone(), self.rules);
        let work = move |job: &Job<_>| decide(&wanted, &players, rules, job);
        self.work.ask(
            question,
            tasks,
            TaskInfo::asked(TaskGroup::Panel, "Deciding pinned positions"),
            work,
        );
        if strategies.iter().all(|strategy| !strategy.takes_time()) {
            self.work.wait(PATIENCE);
            self.keep();
        }
    }

    /// Cancels the request, as nothing is needed.
    pub(crate) fn rest(&mut self) {
        self.receive();
        self.work.cancel();
    }

    /// The decision of a strategy on a position, if known.
    pub(crate) fn of(&self, hash: StrategyHash, pin: &Pin) -> Option<&PinDecision> {
        self.decisions.get(&(hash, pin.board, pin.score))
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
            // New players start a failed program again.
            self.players = Players::default();
        }
        self.work.retry();
    }

    /// Takes the decisions made since the last call.
    fn receive(&mut self) {
        if self.work.poll() {
            self.keep();
        }
    }

    fn keep(&mut self) {
        if let Some(decided) = self.work.known() {
            self.decisions.extend(decided.iter().cloned());
        }
    }

    fn wanted(
        &self,
        strategies: &[SharedStrategy],
        question: &PinQuestion,
    ) -> Vec<(SharedStrategy, PinKey)> {
        let mut wanted = Vec::new();
        for (index, (strategy, hash)) in strategies.iter().zip(&question.hashes).enumerate() {
            // A proposal may leave the strategy unchanged.
            if question.hashes[..index].contains(hash) {
                continue;
            }
            let mut fits = Fits::default();
            let pins = question
                .set
                .positions
                .iter()
                .filter(|pin| fits.check(strategy, self.rules.on(pin.board.size())));
            let keys = pins
                .map(|pin| (*hash, pin.board, pin.score))
                .filter(|key| !self.decisions.contains_key(key));
            wanted.extend(keys.map(|key| (strategy.clone(), key)));
        }
        wanted
    }
}

/// Decisions, position by position.
type Decided = Vec<(PinKey, PinDecision)>;

/// Decides on one position after the other, and reports the decisions so far.
fn decide(
    wanted: &[(SharedStrategy, PinKey)],
    players: &Players,
    rules: Rules,
    job: &Job<Decided>,
) -> Decided {
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

/// Whether a strategy fits rules that differ in board size, cached for each size.
#[derive(Debug, Default)]
pub(crate) struct Fits(HashMap<Size, bool>);

impl Fits {
    pub(crate) fn check(&mut self, strategy: &Strategy, rules: Rules) -> bool {
        *self
            .0
            .entry(rules.size)
            .or_insert_with(|| strategy.check_to_play(rules).is_ok())
    }
}

/// Recently prepared players, cached because their tables of line scores take some milliseconds.
#[derive(Clone, Debug, Default)]
struct Players(Arc<Mutex<Vec<Ready>>>);

type Ready = (StrategyHash, Size, Arc<Player>);

impl Players {
    fn of(&self, strategy: &Strategy, hash: StrategyHash, rules: Rules) -> Arc<Player> {
        /// For a proposal, the strategy on screen, the previous one, and some more.
        const MOST: usize = 6;
        let is_it = |(own_hash, size, _): &Ready| *own_hash == hash && *size == rules.size;
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

    fn until_settled(
        decisions: &mut PinnedDecisions,
        strategies: &[SharedStrategy],
        set: &Arc<PositionSet>,
    ) {
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
                assert_eq!(
                    decisions.of(strategy.hash(), pin),
                    Some(&PinDecision::of(&decision, strategy))
                );
            }
        }
        let other = Rules {
            p4: 0.2,
            ..Rules::default()
        };
        decisions.ask(&[], &set, other, tasks);
        assert_eq!(
            decisions.of(strategies[0].hash(), &set.positions[0]),
            None,
            "other rules are another question"
        );
    }

    #[test]
    fn a_deep_question_is_given_up_for_another_and_when_stopped() {
        let (set, mut decisions) = (PositionSet::shipped(), PinnedDecisions::default());
        let tasks = &Tasks::default();
        let deep =
            strategy("(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])");
        decisions.ask(std::slice::from_ref(&deep), &set, Rules::default(), tasks);
        assert!(matches!(decisions.state(), PinnedState::Deciding(_)));
        let quick = strategy("emr");
        until_settled(&mut decisions, std::slice::from_ref(&quick), &set);
        assert!(decisions.of(quick.hash(), &set.positions[39]).is_some());
        decisions.ask(std::slice::from_ref(&deep), &set, Rules::default(), tasks);
        assert!(tasks.stop(TaskGroup::Panel).is_some() && tasks.stop(TaskGroup::Panel).is_none());
        decisions.ask(std::slice::from_ref(&deep), &set, Rules::default(), tasks);
        assert_eq!(
            decisions.state(),
            PinnedState::Stopped,
            "it does not begin again by itself"
        );
        decisions.go_on();
        decisions.ask(&[deep], &set, Rules::default(), tasks);
        assert!(matches!(decisions.state(), PinnedState::Deciding(_)));
    }

    #[test]
    fn positions_of_another_size_are_not_asked() {
        let mut set = PositionSet::empty("sizes");
        for text in ["2,4,8/0,0,0/2,0,0", "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0"] {
            set.positions
                .push(Pin::new(text.parse().expect("a board"), 0, "").expect("a choice"));
        }
        let (set, mut decisions) = (Arc::new(set), PinnedDecisions::default());
        let weights = strategy("(criteria: [(evaluator: Weights(\"a\"))])");
        until_settled(&mut decisions, std::slice::from_ref(&weights), &set);
        assert_eq!(decisions.of(weights.hash(), &set.positions[0]), None);
        assert!(decisions.of(weights.hash(), &set.positions[1]).is_some());
    }
}
