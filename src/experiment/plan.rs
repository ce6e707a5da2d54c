//! The plan of an experiment.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use itertools::Itertools as _;

use super::stop;
use crate::files::Sha256;
use crate::game::{GameSeed, Move, Rules, RulesError, Spawn};
use crate::preset::{
    Entry, MOST_GAMES, MOST_GAMES_IN_ALL, Preset, Published, StopRule, StopRuleProblem, Sweep,
};
use crate::program::ProgramError;
use crate::search::{Objective, Search, SearchOptions, SearchResult};
use crate::stats::Planned;
use crate::strategy::{Finish, Observer, Player, Strategy, StrategyError, Turn};
use crate::task::{CancelToken, MOST_THREADS, ThreadsError, threads_for_cli, threads_for_window};
use crate::words;

/// Plays whole games. Strategies implement it; tests use their own.
pub trait Play: fmt::Debug + Send + Sync {
    /// Plays the game of this seed, which is always the same. Returns `None` if `stop` was set before its end; short
    /// games need not check it. If moves take long, each is passed to `tell`, and the game continues when `tell`
    /// returns.
    fn play_told(
        &self,
        seed: GameSeed,
        stop: &CancelToken,
        tell: &mut dyn FnMut(Decided),
    ) -> Option<Finish>;

    /// Plays the games of all these seeds, each of them short, faster than one after the other. Calls `_put` for each
    /// with its index, in any order. Returns false, without taking a seed, if there is no faster way.
    fn play_each(
        &self,
        _seeds: &mut dyn Iterator<Item = (u64, GameSeed)>,
        _put: &mut dyn FnMut(u64, Finish),
    ) -> bool {
        false
    }
}

impl Play for Player {
    fn play_told(
        &self,
        seed: GameSeed,
        stop: &CancelToken,
        tell: &mut dyn FnMut(Decided),
    ) -> Option<Finish> {
        let options = SearchOptions::on_one_core(stop);
        // A game with searches may be paused after a move, and its moves cost more to recompute than to store.
        if self.searches() {
            let finish = self.play_from(None, &seed, options, &mut MoveTrace::new(tell));
            return (!stop.is_cancelled()).then_some(finish);
        }
        let alone = || self.play_from(None, &seed, options, &mut ());
        Some(self.greedy().map_or_else(alone, |greedy| greedy.play(seed)))
    }

    fn play_each(
        &self,
        seeds: &mut dyn Iterator<Item = (u64, GameSeed)>,
        put: &mut dyn FnMut(u64, Finish),
    ) -> bool {
        let plays = self.plays_by_turns();
        if plays {
            Self::play_each(self, seeds, put);
        }
        plays
    }
}

/// A move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    pub mv: Move,
    /// Empty cells of the board before it.
    pub empty: u32,
    /// Nodes searched to choose it, leaves included.
    pub nodes: u64,
}

/// Reports each move that is made.
pub(super) struct MoveTrace<'a> {
    tell: &'a mut dyn FnMut(Decided),
    empty: u32,
    nodes: u64,
}

impl<'a> MoveTrace<'a> {
    pub(super) fn new(tell: &'a mut dyn FnMut(Decided)) -> Self {
        Self {
            tell,
            empty: 0,
            nodes: 0,
        }
    }
}

impl Observer for MoveTrace<'_> {
    type Recorder = ();

    const IS_BLIND: bool = true;

    fn turn(&mut self, turn: impl FnOnce() -> Turn) -> bool {
        (self.empty, self.nodes) = (turn().board.empty_count(), 0);
        true
    }

    fn searched(
        &mut self,
        _row: usize,
        _search: &Search,
        _objective: Objective,
        found: &SearchResult,
        _recorder: (),
    ) {
        self.nodes += found.nodes;
    }

    fn moved(&mut self, mv: Move, _spawn: impl FnOnce() -> Spawn) {
        (self.tell)(Decided {
            mv,
            empty: self.empty,
            nodes: self.nodes,
        });
    }
}

#[derive(Clone, Debug)]
pub struct Contestant {
    /// The strategy, for names, hashes and manifests.
    pub strategy: Strategy,
    /// Probability of a 4 in its games, if it differs from the plan.
    pub p4: Option<f64>,
    pub published: Option<Published>,
    /// Plays instead of the strategy, if given.
    pub stand_in: Option<Arc<dyn Play>>,
}

impl Contestant {
    pub fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            p4: None,
            published: None,
            stand_in: None,
        }
    }

    /// The rules of its games in a plan with these rules.
    pub fn rules(&self, rules: Rules) -> Rules {
        Rules {
            p4: self.p4.unwrap_or(rules.p4),
            ..rules
        }
    }

    /// Its chance of a 4, if it differs from that of the plan.
    pub(super) fn own_p4(&self, rules: Rules) -> Option<f64> {
        self.p4.filter(|p4| *p4 != rules.p4)
    }

    /// The key of its games in a plan with these rules and with its files as they are now.
    pub(super) fn arm_key(&self, rules: Rules) -> Sha256 {
        arm_key(self.strategy.sha256(), self.own_p4(rules))
    }

    /// The hash of what it plays: contestants with the same hash play the same games. `None` for a stand-in.
    pub(super) fn played_text(&self, rules: Rules) -> Option<Sha256> {
        self.stand_in.is_none().then(|| self.arm_key(rules))
    }
}

/// The key of the games of a strategy in a run: the SHA-256 of its text and files, and of its own chance of a 4 if it
/// has one.
pub(super) fn arm_key(text: Sha256, own_p4: Option<f64>) -> Sha256 {
    own_p4.map_or(text, |p4| Sha256::of(format!("{text} p4 {p4}")))
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub title: String,
    /// Size of the board, probability of a 4, and where games end.
    pub rules: Rules,
    /// Outcome `i` of every contestant depends only on this seed and on `i`.
    pub seed: u64,
    /// Games of each contestant.
    pub games: u64,
    /// The indices of the games that this process plays. `None` plays all; otherwise other processes play the rest.
    pub part: Option<Range<u64>>,
    /// Rules that end the run before all games are played. The first one that is met ends it.
    pub until: Vec<StopRule>,
    /// The contestants, in table order.
    pub contestants: Vec<Contestant>,
    /// The settings that some of them differ in. It has no influence on play.
    pub sweep: Option<Sweep>,
    /// Number of worker threads; `None` uses all cores.
    pub threads: Option<usize>,
    /// Whether the workers run at low priority.
    pub low_priority: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("there is no strategy to run: add at least one")]
    NoContestant,
    #[error("0 games measure nothing: enter at least 1")]
    NoGames,
    #[error(
        "games {start} to {end} are not all among {games} games: numbers start at 0, and the last one is excluded"
    )]
    NoPart { start: u64, end: u64, games: u64 },
    #[error(
        "too many games: {} per strategy (strategies: {strategies}), but at most {} per strategy and {} in all are \
         allowed: play fewer, or split the run into more parts",
        words::count(*.games), words::count(MOST_GAMES), words::count(MOST_GAMES_IN_ALL)
    )]
    TooManyGames { games: u64, strategies: usize },
    #[error(
        "{} games per strategy (strategies: {strategies}) need {} of memory, which is not available: play fewer games",
        words::count(*.games), words::bytes(*.bytes)
    )]
    NoMemory {
        games: u64,
        strategies: usize,
        bytes: u64,
    },
    #[error(transparent)]
    StopRule(#[from] StopRuleProblem),
    #[error(
        "the stop rule {0} needs all games, but a part plays only some: leave out the rule or the part"
    )]
    StopRuleOfPart(StopRule),
    #[error("rules: {0}")]
    Rules(RulesError),
    /// A strategy cannot be played with these rules.
    #[error("{name}: {error}")]
    Contestant { name: String, error: StrategyError },
    #[error(
        "{name}: a file that it reads has changed since the run began, so it is another strategy: start a new run"
    )]
    Changed { name: String },
    #[error(transparent)]
    Folder(#[from] super::FolderError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A strategy uses a program that was not allowed.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl Plan {
    /// The plan of a preset on all cores.
    pub fn of_preset(preset: &Preset) -> Self {
        let contestant = |Entry {
                              strategy,
                              p4,
                              published,
                              ..
                          }: &Entry| Contestant {
            p4: *p4,
            published: published.clone(),
            ..Contestant::new(strategy.clone())
        };
        Self {
            title: preset.title.clone(),
            rules: preset.rules,
            seed: preset.seed,
            games: preset.games,
            part: None,
            until: preset.until.clone(),
            contestants: preset.strategies.iter().map(contestant).collect(),
            sweep: preset.sweep.clone(),
            threads: None,
            low_priority: false,
        }
    }

    /// The same plan for a window: one core stays free, and the workers run at lower priority.
    #[must_use]
    pub fn in_background(self) -> Self {
        Self {
            threads: Some(self.threads.unwrap_or_else(threads_for_window)),
            low_priority: true,
            ..self
        }
    }

    pub fn thread_count(&self) -> usize {
        self.threads.unwrap_or_else(threads_for_cli)
    }

    /// The indices of the games that this process plays.
    pub fn indices(&self) -> Range<u64> {
        self.part.clone().unwrap_or(0..self.games)
    }

    /// The indices of one of several parts of equal size, up to one game.
    pub fn part_of(&self, part: u64, parts: u64) -> Range<u64> {
        let end =
            |part: u64| (u128::from(self.games) * u128::from(part) / u128::from(parts)) as u64;
        end(part)..end(part + 1)
    }

    /// The planned number of games of each contestant. Intervals for fewer games are valid at any time.
    pub fn planned(&self) -> Planned {
        stop::planned(&self.until, self.games)
    }

    /// The number of games that this process plays, over all contestants.
    pub fn total_games(&self) -> u64 {
        let indices = self.indices();
        (indices.end - indices.start).saturating_mul(self.contestants.len() as u64)
    }

    /// Whether game `i` has the same spawns for each contestant as long as their boards agree. False if chances of a 4
    /// differ.
    pub fn has_same_tiles(&self) -> bool {
        self.contestants
            .iter()
            .map(|one| one.rules(self.rules))
            .all_equal()
    }

    /// The first reason why the plan cannot run, if there is one.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.contestants.is_empty() {
            return Err(PlanError::NoContestant);
        }
        if self.games == 0 {
            return Err(PlanError::NoGames);
        }

        let Range { start, end } = self.indices();
        if end <= start || self.games < end {
            return Err(PlanError::NoPart {
                start,
                end,
                games: self.games,
            });
        }
        if MOST_GAMES < end - start || MOST_GAMES_IN_ALL < self.total_games() {
            return Err(PlanError::TooManyGames {
                games: end - start,
                strategies: self.contestants.len(),
            });
        }
        if !(1..=MOST_THREADS).contains(&self.thread_count()) {
            return Err(ThreadsError::Count(self.thread_count()).into());
        }
        self.rules.check().map_err(PlanError::Rules)?;
        let labels: Vec<String> = self
            .contestants
            .iter()
            .map(|one| one.strategy.label())
            .collect();
        if let Some((_, problem)) = StopRule::problem(&self.until, &labels, self.has_same_tiles()) {
            return Err(problem.into());
        }
        if let Some(rule) = self
            .until
            .iter()
            .find(|rule| self.part.is_some() && rule.looks_at_scores())
        {
            return Err(PlanError::StopRuleOfPart(rule.clone()));
        }

        for one in &self.contestants {
            let rules = one.rules(self.rules);
            rules.check().map_err(PlanError::Rules)?;
            let strategy = &one.strategy;
            if let Some(rollout) = &strategy.rollout {
                rules.check_first(rollout.first).map_err(PlanError::Rules)?;
            }
            strategy
                .check_for(rules)
                .map_err(|error| PlanError::Contestant {
                    name: strategy.label(),
                    error,
                })?;
        }

        Ok(())
    }

    /// Why the plan cannot be played here: a file of a strategy is damaged, or a program is not allowed.
    pub fn check_to_play(&self) -> Result<(), PlanError> {
        for one in self.contestants.iter().filter(|one| one.stand_in.is_none()) {
            let named = |error| PlanError::Contestant {
                name: one.strategy.label(),
                error,
            };
            one.strategy.check_files().map_err(named)?;
        }
        Ok(self.check_allowed()?)
    }

    /// Why the plan may not be played here: a strategy uses a program that was not allowed. Finished games can still be
    /// opened.
    pub fn check_allowed(&self) -> Result<(), ProgramError> {
        let mut played = self.contestants.iter().filter(|one| one.stand_in.is_none());
        played.try_for_each(|one| one.strategy.check_allowed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Moment, Rank, Seed, Step};
    use crate::strategy::{GameTrace, Outcome};

    #[test]
    fn the_moves_that_a_game_tells_are_those_of_its_record() {
        let text = "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed(2)))])";
        let (searching, plain): (Strategy, Strategy) =
            (text.parse().expect(text), "emr".parse().expect("emr"));
        let rules = Rules {
            stop_at: Rank::of_tile(64),
            ..Rules::default()
        };
        for (strategy, tells) in [(searching, true), (plain, false)] {
            let player = Player::new(&strategy, rules);
            let mut traced = Vec::new();
            let finish = player.play_told(Seed(1).game(2), &CancelToken::new(), &mut |one| {
                traced.push(one);
            });
            let record =
                GameTrace::record(&player, Seed(1), 2, &strategy, SearchOptions::default());
            assert_eq!(
                finish.map(|finish| finish.outcome),
                Some(Outcome::of(&record))
            );
            assert_eq!(
                finish.map(|finish| finish.board),
                record.replay().last().map(|last| last.board)
            );
            // Each search is without a table, so alone it has the same nodes.
            let one = |(moment, step): (&Moment, &Step)| {
                let before = player.nodes();
                let options = SearchOptions::default();
                player
                    .decide(&moment.board, moment.score, |_| 0, options, &mut ())
                    .expect("a legal slide");
                Decided {
                    mv: step.mv,
                    empty: moment.board.empty_count(),
                    nodes: player.nodes() - before,
                }
            };
            let moves: Vec<Decided> = record.replay().iter().zip(&record.steps).map(one).collect();
            assert_eq!(traced, if tells { moves } else { Vec::new() });
            let nodes: u64 = traced.iter().map(|one| one.nodes).sum();
            assert_eq!(
                (finish.map(|finish| finish.nodes), 0 < nodes),
                (Some(nodes), tells)
            );
        }
    }
}
