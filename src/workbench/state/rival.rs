//! A second strategy beside the one that plays: what it decides on the same board, and where in the game the two differ.

use std::time::{Duration, Instant};

use super::thinking::{Question, Thinker};
use super::{Decided, DecisionKey, Document, NodeId, Opened, Unanswered};
use crate::search::SearchOptions;
use crate::strategy::{Decision, SharedStrategy, StrategyHash};
use crate::task::CancelToken;
use crate::workbench::errand::Errand;
use crate::workbench::state::effect::Effects;

/// The second strategy.
#[derive(Debug, Default)]
pub(super) struct Rival {
    /// Its place among the open strategies.
    pub(super) index: usize,
    /// The strategy that was there last, to find it again when others are opened or closed before it.
    strategy: Option<SharedStrategy>,
    /// How many strategies were open then.
    open: usize,
    pub(super) decided: Option<Decided>,
    thinker: Thinker,
    asked: Option<DecisionKey>,
    unanswered: Option<(DecisionKey, Unanswered)>,
}

/// A walk along the game to where two strategies choose differently.
#[derive(Debug)]
pub(super) struct Walk {
    from: NodeId,
    strategies: [StrategyHash; 2],
    errand: Errand<Option<NodeId>>,
}

impl Document {
    /// The place of the strategy that is set beside the one that plays.
    pub fn rival(&self) -> Option<usize> {
        self.rival.as_ref().map(|rival| rival.index).filter(|&index| index < self.strategies().len())
    }

    /// What that strategy decided: on the board on screen, or while it searches, on the last board.
    pub fn rival_decided(&self) -> Option<&Decided> {
        self.rival.as_ref()?.decided.as_ref()
    }

    /// Whether that is for the board on screen.
    pub fn is_rival_settled(&self) -> bool {
        let Some(rival) = &self.rival else { return false };
        rival.decided.as_ref().is_some_and(|decided| Some(decided.key) == self.rival_key())
    }

    /// Since when the other strategy is searching; `None` when it is not.
    pub fn rival_since(&self) -> Option<Instant> {
        self.rival.as_ref()?.thinker.since()
    }

    /// Whether the game is being searched for a position where the two differ.
    pub fn is_walking(&self) -> bool {
        self.walk.is_some()
    }

    /// Why the other strategy has not decided on the board on screen, if it will not: it cannot play here, or was stopped.
    pub fn rival_problem(&self) -> Option<String> {
        match &self.rival.as_ref()?.unanswered.as_ref()?.1 {
            Unanswered::Stopped(after) => Some(format!("stopped after {:.1} s", after.as_secs_f32())),
            Unanswered::Failed(reason) => Some(reason.clone()),
        }
    }

    fn rival_key(&self) -> Option<DecisionKey> {
        let strategy = self.strategies().get(self.rival()?)?;
        Some((self.content.cursor, self.content.editing, strategy.hash()))
    }

    pub(super) fn compare_with(&mut self, index: Option<usize>) {
        self.walk = None;
        self.rival = index.and_then(|index| {
            let strategy = Some(self.strategies().get(index)?.strategy.clone());
            Some(Rival { index, strategy, open: self.strategies().len(), ..Rival::default() })
        });
    }

    /// Finds the second strategy again after strategies were opened, closed or changed; it ends with the comparison when it
    /// is closed.
    fn follow_rival(&mut self) {
        let strategies = &self.content.strategies;
        let Some(Rival { index, strategy: Some(known), open, .. }) = &self.rival else { return };
        let is_known = |open: &Opened| open.strategy.is(known);
        let is_here = strategies.get(*index).is_some_and(is_known);
        // What is nowhere any more was changed in its place, or closed.
        let is_changed = strategies.len() == *open;
        let place = if is_here { Some(*index) } else { strategies.iter().position(is_known) };
        let found = place
            .or(is_changed.then_some(*index))
            .and_then(|place| Some((place, strategies.get(place)?.strategy.clone())));
        match (found, &mut self.rival) {
            (Some((index, strategy)), Some(rival)) => {
                (rival.index, rival.strategy, rival.open) = (index, Some(strategy), strategies.len());
            }
            _ => self.rival = None,
        }
    }

    /// Between whom a walk along the game looks.
    fn compared(&self) -> Option<[StrategyHash; 2]> {
        Some([self.strategy().hash(), self.strategies()[self.rival()?].hash()])
    }

    /// Asks the second strategy once the first has decided.
    pub(super) fn refresh_rival(&mut self) {
        self.follow_rival();
        let compared = self.compared();
        if self.walk.as_ref().is_some_and(|walk| walk.from != self.content.cursor || Some(walk.strategies) != compared)
        {
            self.walk = None;
        }
        let key = self.rival_key();
        let is_first_busy = self.asked.is_some();
        let Some(mut rival) = self.rival.take() else { return };
        let Some(key) = key else { return };
        if rival.asked.is_some_and(|asked| asked != key) {
            rival.thinker.cancel();
            rival.asked = None;
        }
        rival.unanswered.take_if(|(of, _)| *of != key);
        let is_known = rival.decided.as_ref().is_some_and(|decided| decided.key == key);
        if !is_known && rival.asked.is_none() && rival.unanswered.is_none() && !is_first_busy {
            self.ask_rival(&mut rival, key);
        }
        self.rival = Some(rival);
    }

    fn ask_rival(&self, rival: &mut Rival, key: DecisionKey) {
        let strategy = self.strategies()[rival.index].strategy.clone();
        let board = self.board();
        if let Err(problem) = strategy.check(board.size()) {
            rival.unanswered = Some((key, Unanswered::Failed(problem.to_string())));
            return;
        }
        let (node, game) = (self.node(), self.game());
        let question = Question {
            player: self.player(&strategy, game.rules.on(board.size())),
            board,
            score: node.score,
            chance: game.chance(),
            moves: node.moves,
        };
        match rival.thinker.ask(question, &self.surroundings.wake_at_once) {
            Ok(()) => rival.asked = Some(key),
            Err(reason) => rival.unanswered = Some((key, Unanswered::Failed(reason))),
        }
    }

    /// Takes answers; once before each frame.
    pub(super) fn poll_rival(&mut self, effects: &mut Effects) {
        if let Some(mut rival) = self.rival.take() {
            if let Some(key) = rival.asked
                && let Some(answer) = rival.thinker.answer(Duration::ZERO)
            {
                rival.asked = None;
                match (answer, self.strategies().get(rival.index)) {
                    (Ok(decision), Some(strategy)) => {
                        let decided = self.decided_by(strategy.strategy.clone(), key, decision);
                        rival.decided = Some(decided);
                    }
                    (Ok(_), None) => {}
                    (Err(reason), _) => rival.unanswered = Some((key, Unanswered::Failed(reason))),
                }
            }
            self.rival = Some(rival);
            self.refresh_rival();
        }
        let Some(answer) = self.walk.as_ref().and_then(|walk| walk.errand.poll()) else { return };
        self.walk = None;
        match answer {
            Ok(Some(node)) => {
                self.go_to(node);
                self.refresh();
            }
            Ok(None) => effects.info("The two strategies choose alike from here to the end of the line"),
            Err(reason) => effects.error(format!("The game could not be searched: {reason}")),
        }
    }

    /// Ends what the second strategy does; says whether there was anything to end.
    pub(super) fn stop_rival(&mut self) -> bool {
        let walked = self.walk.take().is_some();
        let Some(rival) = &mut self.rival else { return walked };
        let Some((key, since)) = rival.asked.take().zip(rival.thinker.since()) else { return walked };
        rival.thinker.cancel();
        rival.unanswered = Some((key, Unanswered::Stopped(since.elapsed())));
        true
    }

    /// Looks along the line for the next or the previous position at which no move suits both strategies.
    pub(super) fn walk_to_disagreement(&mut self, forward: bool) {
        let Some(index) = self.rival() else { return };
        let size = self.game().rules.size;
        let strategies = [self.strategy(), self.strategies()[index].strategy.clone()];
        if strategies.iter().any(|strategy| strategy.check(size).is_err()) {
            return;
        }
        let hashes = [0, 1].map(|side: usize| strategies[side].hash());
        let players = strategies.map(|strategy| self.player(&strategy, self.game().rules));
        let place = self.place();
        let positions: Vec<(NodeId, crate::game::Board, u64)> = match forward {
            true => self.line.iter().skip(place + 1).copied().map(|id| self.position(id)).collect(),
            false => {
                self.line[..place.min(self.line.len())].iter().rev().copied().map(|id| self.position(id)).collect()
            }
        };
        let work = move |stop: &CancelToken| {
            let order = SearchOptions::on_one_core(stop);
            positions.into_iter().take_while(|_| !stop.is_cancelled()).find_map(|(id, board, score)| {
                if board.legal_moves().len() < 2 {
                    return None;
                }
                let [a, b] =
                    [&players[0], &players[1]].map(|player| Decision::of(player, (&board, score), |_| 0, order, 0));
                let differ = a.chosen.is_some() && b.chosen.is_some() && (a.choice & b.choice).is_empty();
                (differ && !stop.is_cancelled()).then_some(id)
            })
        };
        let errand = Errand::send(self.surroundings.wake_at_once.clone(), work);
        self.walk = Some(Walk { from: self.content.cursor, strategies: hashes, errand });
    }

    fn position(&self, id: NodeId) -> (NodeId, crate::game::Board, u64) {
        let node = self.tree.node(id);
        (id, node.board, node.score)
    }
}
