//! Decisions of a strategy on the board on screen, with the record of what was searched.
//!
//! A search goes on beside the window, on all cores and at low priority; when the board, the strategy or the depth
//! changes it is given up in its middle. The document holds one [`Decider`] for the strategy that plays and one for the
//! strategy that it is compared with.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::{DecisionKey, Document, NodeId};
use crate::game::{Board, GameSeed, Rules};
use crate::search::{SearchOptions, Tree};
use crate::strategy::{Decision, Player, SharedStrategy, Strategy};
use crate::task::{CancelToken, Latest, TaskInfo};

/// Most nodes of the record of a search unless another number was chosen; see [`super::Surroundings::record_cap`].
pub const RECORD_CAP: usize = 1_000_000;
/// What can be chosen: up to 1.3 gigabytes, a quarter of which is needed while it is made alone.
pub const RECORD_CAPS: [usize; 5] = [100_000, RECORD_CAP, 3_000_000, 10_000_000, 32_000_000];

/// How long a change waits for a search, so that quick ones are on screen with the next frame.
pub(super) const PATIENCE: Duration = Duration::from_millis(6);

/// A strategy before a board of the game, ready to decide on any thread.
#[derive(Clone, Debug)]
pub struct Question {
    player: Arc<Player>,
    board: Board,
    /// Points up to there.
    score: u64,
    /// Chance of the game, for the last resort.
    chance: GameSeed,
    /// Moves up to there.
    moves: u32,
    /// Threads that search.
    threads: usize,
}

impl Question {
    /// Whether it is decided in a moment, so that nobody needs another thread for it.
    pub fn is_quick(&self) -> bool {
        !self.player.searches() || self.board.legal_moves().len() < 2
    }

    /// Decides as the strategy would in the game; draws of the last resort are those of the game. The record of a search holds
    /// at most so many nodes.
    pub fn decide(&self, stop: &CancelToken, record: usize) -> Decision {
        // Threads of a search are as patient as the one that begins it.
        let cores = if self.is_quick() { 1 } else { self.threads };
        let options = SearchOptions::on_cores(stop, cores);
        Decision::of(&self.player, (&self.board, self.score), |n| self.chance.tie(self.moves, n), options, record)
    }
}

/// A decision with what it was made for. While its successor is searched it stays, and is old.
#[derive(Clone, Debug)]
pub struct Decided {
    pub decision: Rc<Decision>,
    pub strategy: SharedStrategy,
    /// Moves of the game up to its board; `None` for a board of the position editor.
    pub moves: Option<u32>,
    /// The tree behind the values of each row; `None` where a row was not asked. See [`Decision::tree`].
    pub trees: Vec<Option<Arc<Tree>>>,
    /// Another number for each decision.
    pub number: u64,
    /// Its position in the game; `None` for a board of the position editor.
    pub node: Option<NodeId>,
    pub(super) key: DecisionKey,
}

/// What one strategy decides while the board goes from position to position.
#[derive(Debug, Default)]
pub(super) struct Decider {
    pub(super) search: Latest<DecisionKey, Decision>,
    /// The last there was.
    pub(super) decided: Option<Decided>,
}

impl Decider {
    /// The decision for a key, if it is made.
    pub(super) fn settled(&self, key: DecisionKey) -> Option<&Decided> {
        self.decided.as_ref().filter(|decided| decided.key == key)
    }

    /// What it searches.
    pub(super) fn searches(&self) -> Option<DecisionKey> {
        self.search.key().copied().filter(|_| self.search.is_pending())
    }

    /// Gives up what is searched for another key.
    pub(super) fn turn_to(&mut self, key: DecisionKey) {
        if !self.search.is_asked(&key) {
            self.search.cancel();
        }
    }
}

impl Document {
    /// Puts a strategy before the board on screen.
    pub fn question(&self, strategy: &Strategy) -> Result<Question, String> {
        let (board, node) = (self.board(), self.node());
        let player = self.player_here(strategy)?;
        let (chance, threads) = (self.game().chance(), self.search_threads());
        Ok(Question { player, board, score: node.score, chance, moves: node.moves, threads })
    }

    /// A strategy made ready for the rules of the game on the board.
    pub fn player_here(&self, strategy: &Strategy) -> Result<Arc<Player>, String> {
        let rules = self.rules_here();
        strategy.check_to_play(rules).map_err(|error| error.to_string())?;
        let player = self.player(strategy, rules);
        player.problem().map_or(Ok(()), |problem| Err(problem.to_string()))?;
        Ok(player)
    }

    /// The rules of the game on the board, in the size of the board.
    pub fn rules_here(&self) -> Rules {
        self.game().rules.on(self.board().size())
    }

    /// Lets a strategy decide on the board on screen, unless it has, or is at it, or was stopped; says whether it has decided
    /// within `patience`.
    pub(super) fn decide(
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
        let Ok(question) = self.question(strategy) else { return false };
        if question.is_quick() {
            decider.search.set(key, question.decide(&CancelToken::new(), 0));
        } else {
            let cap = self.record_cap();
            decider.search.ask(key, &self.tasks, info(), move |job| question.decide(job.token(), cap));
            decider.search.wait(patience);
        }
        self.take_decision(decider, strategy)
    }

    /// Takes what a search has found; says whether that was anything.
    pub(super) fn take_decision(&self, decider: &mut Decider, strategy: &SharedStrategy) -> bool {
        decider.search.poll();
        let Some((decision, &key)) = decider.search.take().zip(decider.search.key()) else { return false };
        let (node, editing, _) = key;
        let rules = self.tree.game_of(node).rules.on(decision.board.size());
        let trees = (0..strategy.criteria.len()).map(|row| decision.tree(strategy, row, rules)).collect();
        self.decisions.set(self.decisions.get() + 1);
        let node = editing.is_none().then_some(node);
        let moves = node.map(|node| self.tree.node(node).moves);
        let (decision, strategy, number) = (Rc::new(decision), strategy.clone(), self.decisions.get());
        decider.decided = Some(Decided { decision, strategy, moves, trees, number, node, key });
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
            format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])").parse().expect("a strategy");
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
        search.ask(plies, &Tasks::default(), TaskInfo::silent(), move |job| question.decide(job.token(), RECORD_CAP));
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
        assert!(searched.tree.as_ref().is_some_and(|tree| 3 < tree.kept()), "the search is recorded");
        assert!(answer.chosen.is_some() && search.since().is_none());
    }

    #[test]
    fn dropping_it_ends_the_search() {
        let mut search = Latest::default();
        let endless = question("Expectimax(plies: Fixed(40))");
        let player = Arc::downgrade(&endless.player);
        search.ask(1, &Tasks::default(), TaskInfo::silent(), move |job| endless.decide(job.token(), RECORD_CAP));
        assert!(!search.wait(Duration::from_millis(30)));
        drop(search);
        let late = Instant::now() + Duration::from_secs(60);
        while player.upgrade().is_some() {
            assert!(Instant::now() < late, "the search goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
