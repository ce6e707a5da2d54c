//! What strategies do on the pinned positions: asked beside the window, kept, and shown as it comes.
//!
//! One thread decides, in the order in which it was asked. Whoever asks for something else is heard first: what was asked
//! before is given up, and what was decided of it stays known.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::game::{Board, Moves, Rules, Size};
use crate::preset::{Pin, PositionSet};
use crate::prose;
use crate::search::SearchOptions;
use crate::strategy::{Decision, Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::CancelToken;
use crate::task::{lock, threads_for_window};
use crate::words;
use crate::workbench::errand::{Errand, Wake};

/// So long one waits for strategies of one ply: they decide on forty positions within a millisecond.
const PATIENCE: Duration = Duration::from_millis(6);
/// What is decided is shown at most this often.
const TELL_EVERY: Duration = Duration::from_millis(33);
/// Most decisions that are kept, some 200 bytes each; a drag over 20 rows asks for some hundred.
const MOST: usize = 20_000;

/// What a strategy does on one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The moves between which the last resort decides; mostly one.
    pub choice: Moves,
    pub why: Arc<str>,
}

impl Verdict {
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
pub enum Outcome<'a> {
    Open,
    /// A strategy cannot play on it.
    Impossible,
    /// What the strategy does, and what the one before did.
    Decided {
        /// The one to compare with, if there is one.
        old: Option<&'a Verdict>,
        /// The one that is looked at.
        new: &'a Verdict,
    },
}

impl Outcome<'_> {
    /// Whether both are known and differ in the moves they leave to chance.
    pub fn is_changed(&self) -> bool {
        matches!(self, Self::Decided { old: Some(old), new } if old.choice != new.choice)
    }
}

type Key = (StrategyHash, Board, u64);

/// Strategies on a set of positions.
#[derive(Clone, Debug)]
struct Question {
    strategies: Vec<(StrategyHash, SharedStrategy)>,
    set: Arc<PositionSet>,
}

impl Question {
    fn is(&self, other: &Self) -> bool {
        let hashes = |question: &Self| question.strategies.iter().map(|(hash, _)| *hash).collect::<Vec<_>>();
        Arc::ptr_eq(&self.set, &other.set) && hashes(self) == hashes(other)
    }
}

/// A question that is being worked at.
#[derive(Debug)]
struct Work {
    question: Question,
    errand: Errand<()>,
    told: mpsc::Receiver<(Key, Verdict)>,
}

/// How work on a question has ended before everything was decided.
#[derive(Debug)]
enum End {
    Stopped,
    Failed(String),
}

/// How the decisions on the pinned positions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State<'a> {
    /// Everything that was asked is known.
    Settled,
    Deciding(Instant),
    /// A person has stopped it.
    Stopped,
    /// It cannot go on, for this reason.
    Failed(&'a str),
}

/// Everything known, and what is being found out.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    known: HashMap<Key, Verdict>,
    /// Of which rules, but for the size of the board.
    rules: Rules,
    work: Option<Work>,
    ended: Option<(Question, End)>,
    players: Players,
}

impl Verdicts {
    /// Wants these strategies on these positions, the first ones first; what is known already is not asked again.
    pub(crate) fn ask(&mut self, strategies: &[SharedStrategy], set: &Arc<PositionSet>, rules: Rules, wake: &Wake) {
        self.receive();
        if self.rules != rules {
            *self = Self { rules, ..Self::default() };
        }
        let strategies: Vec<_> = strategies.iter().map(|strategy| (strategy.hash(), strategy.clone())).collect();
        let question = Question { strategies, set: set.clone() };
        if self.work.as_ref().is_some_and(|work| work.question.is(&question)) {
            return;
        }
        if self.ended.as_ref().is_some_and(|(ended, _)| ended.is(&question)) {
            self.work = None;
            return;
        }
        self.ended = None;
        let wanted = self.wanted(&question);
        if wanted.is_empty() {
            self.work = None;
            return;
        }
        self.make_room(&question);
        let quick = question.strategies.iter().all(|(_, strategy)| !strategy.looks_ahead());
        self.begin(question, wanted, wake);
        if quick && let Some(work) = &self.work {
            let answer = work.errand.wait(PATIENCE);
            self.take(answer);
        }
    }

    /// Nothing is wanted any more.
    pub(crate) fn rest(&mut self) {
        self.receive();
        self.work = None;
        self.ended = None;
    }

    /// What a strategy does on a position; `None` while nobody knows.
    pub(crate) fn of(&self, hash: StrategyHash, pin: &Pin) -> Option<&Verdict> {
        self.known.get(&(hash, pin.board, pin.score))
    }

    pub(crate) fn state(&self) -> State<'_> {
        match (&self.work, &self.ended) {
            (Some(work), _) => State::Deciding(work.errand.since()),
            (None, Some((_, End::Stopped))) => State::Stopped,
            (None, Some((_, End::Failed(reason)))) => State::Failed(reason),
            (None, None) => State::Settled,
        }
    }

    /// Gives up what is being decided; says whether there was anything.
    pub(crate) fn stop(&mut self) -> bool {
        let Some(work) = self.work.take() else { return false };
        self.ended = Some((work.question, End::Stopped));
        true
    }

    /// Goes on where it was stopped.
    pub(crate) fn go_on(&mut self) {
        self.ended = None;
    }

    /// Takes what was decided since.
    fn receive(&mut self) {
        if let Some(work) = &self.work {
            let answer = work.errand.poll();
            self.take(answer);
        }
    }

    /// What was told up to the answer, and the answer.
    fn take(&mut self, answer: Option<Result<(), String>>) {
        let Some(work) = &self.work else { return };
        self.known.extend(work.told.try_iter());
        let Some(answer) = answer else { return };
        let ended = self.work.take();
        if let (Some(work), Err(reason)) = (ended, answer) {
            self.ended = Some((work.question, End::Failed(reason)));
        }
    }

    fn wanted(&self, question: &Question) -> Vec<(SharedStrategy, Key)> {
        let mut wanted = Vec::new();
        for (index, (hash, strategy)) in question.strategies.iter().enumerate() {
            // A proposal may leave everything as it is.
            if question.strategies[..index].iter().any(|(asked, _)| asked == hash) {
                continue;
            }
            let mut fits = Fits::default();
            let pins = question.set.positions.iter().filter(|pin| fits.check(strategy, pin.board.size()).is_ok());
            let keys = pins.map(|pin| (*hash, pin.board, pin.score)).filter(|key| !self.known.contains_key(key));
            wanted.extend(keys.map(|key| (strategy.clone(), key)));
        }
        wanted
    }

    /// Forgets what nobody asks about when there is much.
    fn make_room(&mut self, question: &Question) {
        if MOST < self.known.len() {
            let asked = |hash: StrategyHash| question.strategies.iter().any(|(of, _)| *of == hash);
            self.known.retain(|(hash, _, _), _| asked(*hash));
        }
    }

    fn begin(&mut self, question: Question, wanted: Vec<(SharedStrategy, Key)>, wake: &Wake) {
        let (tell, told) = mpsc::channel();
        let (players, rules, wake_now) = (self.players.clone(), self.rules, wake.clone());
        let work = move |stop: &CancelToken| {
            let order = SearchOptions { stop, cores: threads_for_window() };
            let mut shown = Instant::now();
            for (strategy, key) in wanted {
                let (hash, board, score) = key;
                let player = players.of(&strategy, hash, rules.on(board.size()));
                let decision = Decision::of(&player, (&board, score), |_| 0, order, 0);
                if stop.is_cancelled() || tell.send((key, Verdict::of(&decision, &strategy))).is_err() {
                    return;
                }
                if TELL_EVERY < shown.elapsed() {
                    shown = Instant::now();
                    wake_now();
                }
            }
        };
        self.work = Some(Work { question, errand: Errand::send(wake.clone(), work), told });
    }
}

/// Whether a strategy fits boards of a size, found out once for each size.
#[derive(Debug, Default)]
pub(crate) struct Fits(Vec<(Size, Result<(), String>)>);

impl Fits {
    /// The answer of [`Strategy::check`].
    pub(crate) fn check(&mut self, strategy: &Strategy, size: Size) -> Result<(), &str> {
        let place = match self.0.iter().position(|(known, _)| *known == size) {
            Some(place) => place,
            None => {
                self.0.push((size, strategy.check(size).map_err(|error| error.to_string())));
                self.0.len() - 1
            }
        };
        self.0[place].1.as_ref().map(|&()| ()).map_err(String::as_str)
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

    fn silent() -> Wake {
        Arc::new(|| {})
    }

    fn until_settled(verdicts: &mut Verdicts, strategies: &[SharedStrategy], set: &Arc<PositionSet>) {
        let late = Instant::now() + Duration::from_secs(60);
        loop {
            verdicts.ask(strategies, set, Rules::default(), &silent());
            if verdicts.state() == State::Settled {
                return;
            }
            assert!(Instant::now() < late, "{:?}", verdicts.state());
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn every_verdict_is_what_the_player_decides() {
        let (set, mut verdicts) = (PositionSet::shipped(), Verdicts::default());
        let searching = "(criteria: [(evaluator: Empty), (evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])";
        let strategies = ["emr", "mer", searching].map(strategy);
        until_settled(&mut verdicts, &strategies, &set);
        for strategy in &strategies {
            let player = Player::new(strategy, Rules::default());
            for pin in &set.positions {
                let decision = Decision::now(&player, &pin.board, pin.score, |_| 0);
                assert_eq!(verdicts.of(strategy.hash(), pin), Some(&Verdict::of(&decision, strategy)));
            }
        }
        let other = Rules { p4: 0.2, ..Rules::default() };
        verdicts.ask(&[], &set, other, &silent());
        assert_eq!(verdicts.of(strategies[0].hash(), &set.positions[0]), None, "other rules are another question");
    }

    #[test]
    fn a_deep_question_is_given_up_for_another_and_when_stopped() {
        let (set, mut verdicts) = (PositionSet::shipped(), Verdicts::default());
        let deep = strategy("(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(40)))])");
        verdicts.ask(std::slice::from_ref(&deep), &set, Rules::default(), &silent());
        assert!(matches!(verdicts.state(), State::Deciding(_)));
        let quick = strategy("emr");
        until_settled(&mut verdicts, std::slice::from_ref(&quick), &set);
        assert!(verdicts.of(quick.hash(), &set.positions[39]).is_some());
        verdicts.ask(std::slice::from_ref(&deep), &set, Rules::default(), &silent());
        assert!(verdicts.stop() && !verdicts.stop());
        verdicts.ask(std::slice::from_ref(&deep), &set, Rules::default(), &silent());
        assert_eq!(verdicts.state(), State::Stopped, "it does not begin again by itself");
        verdicts.go_on();
        verdicts.ask(&[deep], &set, Rules::default(), &silent());
        assert!(matches!(verdicts.state(), State::Deciding(_)));
    }

    #[test]
    fn positions_of_another_size_are_not_asked() {
        let mut set = PositionSet::empty("sizes");
        for text in ["2,4,8/0,0,0/2,0,0", "1123000000000000"] {
            set.positions.push(Pin::new(text.parse().expect("a board"), 0, "").expect("a choice"));
        }
        let (set, mut verdicts) = (Arc::new(set), Verdicts::default());
        let weights = strategy("(criteria: [(evaluator: Weights(\"a\"))])");
        until_settled(&mut verdicts, std::slice::from_ref(&weights), &set);
        assert_eq!(verdicts.of(weights.hash(), &set.positions[0]), None);
        assert!(verdicts.of(weights.hash(), &set.positions[1]).is_some());
    }
}
