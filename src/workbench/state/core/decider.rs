//! Decisions of a strategy on the current board, with the record of its search.
//!
//! A search runs on workers at low priority; a change of board, strategy or depth cancels it. The document has one
//! [`Decider`] for the current strategy and one for the compared strategy.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Core, NodeId};
use crate::game::{Board, GameSeed, Rules};
use crate::search::{SearchOptions, Tree};
use crate::strategy::{Decision, Player, SharedStrategy, Strategy, StrategyHash};
use crate::task::{CancelToken, Latest, TaskError, TaskGroup, TaskInfo};
use crate::words;

/// Default maximum number of nodes in the record of a search; see [`super::Surroundings::record_cap`].
pub const RECORD_CAP: usize = 1_000_000;
/// The available limits: up to 1.3 GB. A quarter of it is needed only while the record is made.
pub const RECORD_CAPS: [usize; 5] = [100_000, RECORD_CAP, 3_000_000, 10_000_000, 32_000_000];

/// How long a change waits for a search, so that a quick decision appears in the next frame.
const PATIENCE: Duration = Duration::from_millis(6);

/// A strategy and a board of the game, ready to decide on any thread.
#[derive(Clone, Debug)]
pub struct Question {
    player: Arc<Player>,
    board: Board,
    /// The score at the board.
    score: u64,
    /// Randomness of the game, for the last resort.
    chance: GameSeed,
    /// Number of moves before the board.
    moves: u32,
    /// Number of search threads.
    threads: usize,
}

impl Question {
    /// Whether the decision is fast enough to need no worker.
    pub fn is_quick(&self) -> bool {
        !self.player.searches() || self.board.legal_moves().len() < 2
    }

    /// Decides as the strategy would in the game, with the game's random draws for the last resort. The record contains
    /// at most `record` nodes.
    pub fn decide(&self, stop: &CancelToken, record: usize) -> Decision {
        // All search threads have the priority of the thread that starts them.
        let cores = if self.is_quick() { 1 } else { self.threads };
        let options = SearchOptions::on_cores(stop, cores);
        Decision::of(
            &self.player,
            (&self.board, self.score),
            |n| self.chance.tie(self.moves, n),
            options,
            record,
        )
    }
}

/// A decision and its inputs. It stays, outdated, during the next search.
#[derive(Clone, Debug)]
pub struct Decided {
    pub decision: Rc<Decision>,
    pub strategy: SharedStrategy,
    /// Moves of the game before its board; `None` for a board of the position editor.
    pub moves: Option<u32>,
    /// The search tree of each row; `None` if a row was not evaluated. See [`Decision::tree`].
    pub trees: Vec<Option<Arc<Tree>>>,
    /// Unique for each decision.
    pub number: u64,
    /// Its position in the game; `None` for a board of the position editor.
    pub node: Option<NodeId>,
    pub(in super::super) key: DecisionKey,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thought {
    /// The decision is for this position and strategy.
    Settled,
    /// Searching for this long.
    Searching(Duration),
    /// The search was stopped after this time.
    Stopped(Duration),
    Impossible(String),
}

pub(in super::super) type DecisionKey = (NodeId, Option<Board>, StrategyHash);

/// The decisions of one strategy as the board changes.
#[derive(Debug, Default)]
pub(in super::super) struct Decider {
    pub(in super::super) search: Latest<DecisionKey, Decision>,
    /// The last decision.
    pub(in super::super) decided: Option<Decided>,
}

impl Decider {
    /// The decision for a key, if ready.
    pub(in super::super) fn settled(&self, key: DecisionKey) -> Option<&Decided> {
        self.decided.as_ref().filter(|decided| decided.key == key)
    }

    /// The key of the active search.
    pub(in super::super) fn searches(&self) -> Option<DecisionKey> {
        self.search
            .key()
            .copied()
            .filter(|_| self.search.is_pending())
    }

    /// Cancels a search for another key.
    pub(in super::super) fn turn_to(&mut self, key: DecisionKey) {
        if !self.search.is_asked(&key) {
            self.search.cancel();
        }
    }
}

impl Core {
    /// Starts the decision of the current strategy on the current board, unless it is ready, running or was stopped.
    pub(in super::super) fn refresh_decision(&mut self) {
        self.follow_line();
        let strategy = self.strategy();
        if strategy.check_to_play(self.rules_here()).is_err() {
            self.decider = Decider::default();
            return;
        }

        let mut decider = std::mem::take(&mut self.decider);
        let info = || {
            let threads = words::plural(self.search_threads() as u64, "thread");
            TaskInfo::asked(
                TaskGroup::Board,
                format!("Searching a move on up to {threads}"),
            )
        };
        let has_decided = self.decide(&mut decider, &strategy, PATIENCE, info);
        self.decider = decider;
        if has_decided {
            self.note_choice();
        }
    }

    /// Forgets the decision on the board, so that it is made again.
    pub(in super::super) fn forget_decision(&mut self) {
        self.decider.decided = None;
        self.decider.search.clear();
    }

    /// Lets a stopped search start again; a new player starts a failed program again.
    pub(in super::super) fn retry_search(&mut self) {
        if self.decider.search.failed().is_some() {
            self.players.get_mut().clear();
        }
        self.decider.search.retry();
    }

    /// The key of the active search.
    pub(in super::super) fn searches(&self) -> Option<DecisionKey> {
        self.decider.searches()
    }

    /// Why the last search gave no decision.
    pub(in super::super) fn search_failure(&self) -> Option<&TaskError> {
        self.decider.search.failed()
    }

    /// When the active search began.
    pub(in super::super) fn search_since(&self) -> Option<Instant> {
        self.decider.search.since()
    }

    /// Its decision on the current board; `None` if it cannot play on this size, and during a search.
    pub fn decision(&self) -> Option<&Rc<Decision>> {
        self.decider
            .settled(self.decision_key())
            .map(|decided| &decided.decision)
    }

    /// The decision to show: the one for the current board, else the previous one; see [`Core::thought`].
    pub fn decided(&self) -> Option<&Decided> {
        self.decider.decided.as_ref()
    }

    pub fn thought(&self) -> Thought {
        if self.decision().is_some() {
            return Thought::Settled;
        }
        if let Some(problem) = self.strategy_problem() {
            return Thought::Impossible(problem);
        }
        match self.decider.search.failed() {
            Some(TaskError::Stopped { after }) => Thought::Stopped(*after),
            Some(reason) => Thought::Impossible(format!("The search failed: {reason}")),
            None => Thought::Searching(
                self.decider
                    .search
                    .since()
                    .map(|since| since.elapsed())
                    .unwrap_or_default(),
            ),
        }
    }

    pub(in super::super) fn decision_key(&self) -> DecisionKey {
        self.key_of(self.strategy().hash())
    }

    pub(in super::super) fn key_of(&self, strategy: StrategyHash) -> DecisionKey {
        (self.content.cursor, self.content.editing, strategy)
    }

    pub fn strategy_problem(&self) -> Option<String> {
        let checked = self
            .strategy()
            .check_to_play(self.rules_here())
            .err()
            .map(|error| error.to_string());
        checked.or_else(|| self.player_problem(self.strategy().hash(), self.rules_here()))
    }

    pub(in super::super) fn poll_decision(&mut self) {
        let mut decider = std::mem::take(&mut self.decider);
        let has_decided = self.take_decision(&mut decider, &self.strategy());
        self.decider = decider;
        if has_decided {
            self.note_choice();
        }
    }

    fn note_choice(&mut self) {
        if let Some(Decided {
            decision,
            node: Some(node),
            key: (.., hash),
            ..
        }) = self.decider.decided.as_ref()
        {
            self.line.note_choice(*node, *hash, decision.choice);
        }
    }

    /// Prepares a strategy's decision on the current board.
    pub fn question(&self, strategy: &Strategy) -> Result<Question, String> {
        let (board, node) = (self.board(), self.node());
        let player = self.player_here(strategy)?;
        let (chance, threads) = (self.game().chance(), self.search_threads());
        Ok(Question {
            player,
            board,
            score: node.score,
            chance,
            moves: node.moves,
            threads,
        })
    }

    /// A player of a strategy for the rules of the current game.
    pub fn player_here(&self, strategy: &Strategy) -> Result<Arc<Player>, String> {
        let rules = self.rules_here();
        strategy
            .check_to_play(rules)
            .map_err(|error| error.to_string())?;
        let player = self.player(strategy, rules);
        player
            .problem()
            .map_or(Ok(()), |problem| Err(problem.to_string()))?;
        Ok(player)
    }

    /// The rules of the current game, in the size of the board.
    pub fn rules_here(&self) -> Rules {
        self.game().rules.on(self.board().size())
    }

    /// Starts a decision on the current board, unless it is ready, running or was stopped; true if it is ready within
    /// `patience`.
    pub(in super::super) fn decide(
        &self,
        decider: &mut Decider,
        strategy: &SharedStrategy,
        patience: Duration,
        info: impl FnOnce() -> TaskInfo,
    ) -> bool {
        let key = self.key_of(strategy.hash());
        decider.turn_to(key);
        if decider.settled(key).is_some() || decider.search.is_asked(&key) {
            return false;
        }
        let Ok(question) = self.question(strategy) else {
            return false;
        };
        if question.is_quick() {
            decider
                .search
                .set(key, question.decide(&CancelToken::new(), 0));
        } else {
            let cap = self.record_cap();
            decider.search.ask(key, &self.tasks, info(), move |job| {
                question.decide(job.token(), cap)
            });
            decider.search.wait(patience);
        }
        self.take_decision(decider, strategy)
    }

    /// Takes the result of a search; true if there was one.
    pub(in super::super) fn take_decision(
        &self,
        decider: &mut Decider,
        strategy: &SharedStrategy,
    ) -> bool {
        decider.search.poll();
        let Some((decision, &key)) = decider.search.take().zip(decider.search.key()) else {
            return false;
        };
        let (node, editing, _) = key;
        let rules = self.tree.game_of(node).rules.on(decision.board.size());
        let trees = (0..strategy.criteria.len())
            .map(|row| decision.tree(strategy, row, rules))
            .collect();
        self.decisions.set(self.decisions.get() + 1);
        let node = editing.is_none().then_some(node);
        let moves = node.map(|node| self.tree.node(node).moves);
        let (decision, strategy, number) =
            (Rc::new(decision), strategy.clone(), self.decisions.get());
        decider.decided = Some(Decided {
            decision,
            strategy,
            moves,
            trees,
            number,
            node,
            key,
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::game::Seed;
    use crate::task::Tasks;

    fn question(lookahead: &str) -> Question {
        let strategy: Strategy =
            format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])")
                .parse()
                .expect("a strategy");
        Question {
            player: Arc::new(Player::new(&strategy, Rules::default())),
            board: "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2".parse().expect("a board"),
            score: 0,
            chance: Seed(1).game(0),
            moves: 7,
            threads: 2,
        }
    }

    fn ask(search: &mut Latest<u32, Decision>, plies: u32) {
        let question = question(&format!("Expectimax(plies: Fixed({plies}))"));
        search.ask(plies, &Tasks::default(), TaskInfo::silent(), move |job| {
            question.decide(job.token(), RECORD_CAP)
        });
    }

    #[test]
    fn the_newest_question_is_answered_and_the_one_before_given_up() {
        let mut search = Latest::default();
        ask(&mut search, 40);
        assert!(!search.wait(Duration::from_millis(30)));
        ask(&mut search, 3);
        assert!(search.wait(Duration::from_secs(1000)), "in time");
        let answer = search.take().expect("no panic");
        let searched = answer.searches[0].as_ref().expect("it searched");
        assert_eq!(searched.plies, 3);
        assert!(
            searched.tree.as_ref().is_some_and(|tree| 3 < tree.kept()),
            "the search is recorded"
        );
        assert!(answer.chosen.is_some() && search.since().is_none());
    }

    #[test]
    fn dropping_it_ends_the_search() {
        let mut search = Latest::default();
        let endless = question("Expectimax(plies: Fixed(40))");
        let player = Arc::downgrade(&endless.player);
        search.ask(1, &Tasks::default(), TaskInfo::silent(), move |job| {
            endless.decide(job.token(), RECORD_CAP)
        });
        assert!(!search.wait(Duration::from_millis(30)));
        drop(search);
        let late = Instant::now() + Duration::from_secs(60);
        while player.upgrade().is_some() {
            assert!(Instant::now() < late, "the search does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
