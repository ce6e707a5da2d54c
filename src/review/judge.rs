//! Judges: strategies that value a position in points to come.
//!
//! A judge is a strategy of one row whose values are points to come: a [`Network`](Evaluator::Network) or a table
//! [`Solved`](Evaluator::Solved) for points, or a mixture of them whose weights add up to 1, at one ply or in an
//! [expectimax](crate::search::DepthLimited) without cuts. Everything else is refused with one sentence: other units,
//! bounds, values behind a cut, means of samples, and depths that depend on a clock.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use sha2::{Digest as _, Sha256};

use super::Points;
use crate::evaluator::{Evaluator, Values};
use crate::game::{Board, ByMove, Moment, Move, Rules};
use crate::kept::hexadecimal;
use crate::network;
use crate::search::{
    Dead, DepthLimited, Lookahead, Plies, SearchOptions, SpawnValue, Tree, layers,
};
use crate::solve::{self, Goal};
use crate::strategy::{Criterion, Decision, Player, Strategy, StrategyError};
use crate::task::{lock, no_answer};

/// The value of each legal move in points to come, including those of the slide. `None` for an illegal move.
pub type Judgement = ByMove<Option<Points>>;

/// A judge prepared for the rules of a game. Threads share it by reference or `Arc`.
pub struct Judge {
    strategy: Strategy,
    rules: Rules,
    row: Criterion,
    /// Its own depth.
    plies: Plies,
    /// Whether its values are true at any depth.
    is_exact: bool,
    sha256: String,
    /// One player for each depth in plies.
    players: Mutex<HashMap<u32, Arc<Player>>>,
    /// Cached values of boards at a depth.
    judgements: Mutex<HashMap<(Board, u32), Judgement>>,
}

impl std::fmt::Debug for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge")
            .field("strategy", &self.strategy)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// Why a strategy cannot judge.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum JudgeError {
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    #[error(
        "a judge needs exactly one row that is on, with points to come as values, but this strategy has {0}"
    )]
    Rows(usize),
    #[error(
        "{0} does not estimate points to come: use Network(…), Solved(…), or a Sum of them whose weights add up to 1"
    )]
    NotPoints(String),
    #[error("its table has the chance of {0}, not points: name a table that was solved for points")]
    Chance(crate::game::Rank),
    #[error("{0}, so its values are not exact means: use Expectimax without cuts and limits")]
    NotMeans(&'static str),
    #[error("there is no judge for {} boards: {remedy}", .0.size, remedy = made_for(*.0))]
    NoneFor(Rules),
}

/// How to make a judge for games with these rules.
fn made_for(Rules { size, p4, .. }: Rules) -> String {
    let train = format!("train a network for them (afterstate train --size {size})");
    match solve::check_size(size) {
        Ok(_) => format!("solve them ({}) or {train}", solve::command(size, p4)),
        Err(_) => train,
    }
}

impl Judge {
    /// The depth of the default judge: three moves with the spawns between them.
    pub const USUAL_PLIES: u32 = 5;

    /// Maximum number of cached boards, about a tenth of a gigabyte.
    const REMEMBERED: usize = 1 << 20;

    /// The default judge: the saved solved table of these boards if there is one, otherwise the shipped network, three
    /// moves ahead.
    pub fn usual(rules: Rules) -> Result<Strategy, JudgeError> {
        let size = rules.size;
        let fits = |name: &String| {
            solve::library::info(name)
                .is_ok_and(|info| info.question.p4 == rules.p4 && info.question.goal == Goal::Score)
        };

        if let Some(name) = solve::library::of_size(size).into_iter().find(fits) {
            let note = format!("Best play on {size} boards");
            let criteria = vec![Criterion::one_ply(Evaluator::Solved(name))];
            return Ok(Strategy {
                name: note,
                criteria,
                ..Strategy::default()
            });
        }
        let name = network::library::of_size(size)
            .into_iter()
            .next()
            .ok_or(JudgeError::NoneFor(rules))?;
        let label = if name == network::library::REFERENCE {
            "Reference".to_owned()
        } else {
            name.clone()
        };
        Ok(Strategy {
            name: label,
            criteria: vec![searching(Evaluator::Network(name), Self::USUAL_PLIES)],
            ..Strategy::default()
        })
    }

    /// Prepares a strategy to judge games with these rules. The tile at which they end does not matter.
    pub fn of(strategy: &Strategy, rules: Rules) -> Result<Self, JudgeError> {
        let rules = Rules {
            stop_at: None,
            ..rules
        };
        strategy.check_for(rules)?;
        let on: Vec<&Criterion> = strategy.criteria.iter().filter(|row| !row.off).collect();
        let &[row] = on.as_slice() else {
            return Err(JudgeError::Rows(on.len()));
        };
        check_unit(&row.evaluator)?;
        if row.prefer == crate::strategy::Prefer::Lower {
            return Err(JudgeError::NotMeans("its row prefers lower values"));
        }

        let plies = plies_of(&row.lookahead)?;
        Ok(Self {
            strategy: strategy.clone(),
            rules,
            is_exact: matches!(row.evaluator, Evaluator::Solved(_)) && plies == Plies::Fixed(1),
            row: row.clone(),
            plies,
            sha256: hash_of(row, rules.p4),
            players: Mutex::default(),
            judgements: Mutex::default(),
        })
    }

    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The row whose values are its judgment.
    pub fn row(&self) -> &Criterion {
        &self.row
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether its values are true, like those of a solved table. It then has no residuals.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// SHA-256 of everything its values depend on: the row, the files that it reads, and the chance of a 4. 64 digits.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// `Reference, 3 moves + 2 spawns`; `Best play on 2x2 boards, exactly`.
    pub fn label(&self) -> String {
        let depth = if self.is_exact {
            "exactly".to_owned()
        } else {
            self.plies.text()
        };
        format!("{}, {depth}", self.strategy.label())
    }

    /// Its own depth in plies on a board.
    pub fn plies_on(&self, board: &Board) -> u32 {
        self.plies.for_board(board)
    }

    /// A strategy that searches as this judge does at a depth. Its tree explains the judge's values.
    pub fn at_depth(&self, plies: u32) -> Strategy {
        let row = if self.is_exact {
            Criterion::one_ply(self.row.evaluator.clone())
        } else {
            searching(self.row.evaluator.clone(), plies)
        };
        let name = match self.is_exact {
            true => self.strategy.label(),
            false => format!("{}, {}", self.strategy.label(), layers(plies)),
        };
        Strategy {
            name,
            criteria: vec![row],
            ..Strategy::default()
        }
    }

    /// The value of each legal move at this depth. `Ok(None)` if it was stopped. An error if a value is not a number,
    /// as in a solved table for a board that no game reaches.
    pub fn look(
        &self,
        board: &Board,
        plies: u32,
        options: SearchOptions<'_>,
    ) -> Result<Option<Judgement>, NoValue> {
        let legal = board.legal_moves();
        if legal.is_empty() {
            return Ok(Some(Judgement::default()));
        }
        let key = (*board, plies);
        if let Some(&judgement) = lock(&self.judgements).get(&key) {
            return Ok(Some(judgement));
        }

        let player = self.player(plies);
        let values = player
            .criterion(0)
            .and_then(|row| row.values(board, 0, legal, options));
        let Some(values) = values.map(Values::to_real) else {
            return Ok(None);
        };
        let mut judgement = Judgement::default();
        for mv in legal {
            judgement[mv] = Some(Points::of(values[mv]).ok_or(NoValue { board: *board, mv })?);
        }
        self.insert(key, judgement);
        Ok(Some(judgement))
    }

    /// Adds a known judgment to the cache.
    pub(super) fn remember(&self, board: Board, plies: u32, judgement: Judgement) {
        self.insert((board, plies), judgement);
    }

    /// Clears the cache when it is full: most of it is boards of other games.
    fn insert(&self, key: (Board, u32), judgement: Judgement) {
        let mut judgements = lock(&self.judgements);
        if Self::REMEMBERED <= judgements.len() && !judgements.contains_key(&key) {
            judgements.clear();
        }
        judgements.insert(key, judgement);
    }

    /// The record of the search behind a look, with at most `cap` nodes. `None` if it was stopped, and on a dead board.
    pub fn tree(
        &self,
        before: &Moment,
        plies: u32,
        options: SearchOptions<'_>,
        most_nodes: usize,
    ) -> Option<Arc<Tree>> {
        let position = (&before.board, before.score);
        let decision = Decision::of(&self.player(plies), position, |_| 0, options, most_nodes);
        decision.chosen?;
        decision.tree(&self.at_depth(plies), 0, self.rules)
    }

    fn player(&self, plies: u32) -> Arc<Player> {
        let make = || {
            let player = Arc::new(Player::new(&self.at_depth(plies), self.rules));
            // Looks at several depths belong to one judge only if the files are unchanged.
            if player.problem().is_none() && hash_of(&self.row, self.rules.p4) != self.sha256 {
                no_answer(format!(
                    "the judge {}: a file that it reads changed during the review: start again",
                    self.strategy.label()
                ));
            }
            player
        };
        lock(&self.players)
            .entry(plies)
            .or_insert_with(make)
            .clone()
    }
}

/// The SHA-256 that identifies a judge, in hexadecimal digits.
fn hash_of(row: &Criterion, p4: f64) -> String {
    // Only the row of a strategy affects the judgment.
    let alone = Criterion {
        tolerance: 0.0,
        ..row.clone()
    };
    let own = Strategy {
        criteria: vec![alone],
        ..Strategy::default()
    };
    hexadecimal(&Sha256::digest(format!("judge {} p4 {p4}", own.sha256())))
}

/// The value of a board to move: that of its best move, or 0 for a dead one.
pub fn worth(judgement: &Judgement) -> Points {
    judgement
        .iter()
        .filter_map(|(_, value)| *value)
        .max()
        .unwrap_or_default()
}

/// A judge has no number for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the judge has no value for {mv} on {board}, which no game by its rules reaches: choose another judge"
)]
pub struct NoValue {
    pub board: Board,
    pub mv: Move,
}

fn searching(evaluator: Evaluator, plies: u32) -> Criterion {
    let lookahead = Lookahead::DepthLimited(DepthLimited {
        plies: Some(Plies::Fixed(plies)),
        ..DepthLimited::default()
    });
    Criterion {
        lookahead,
        ..Criterion::one_ply(evaluator)
    }
}

/// The depth of a lookahead whose values are exact means over all spawns.
fn plies_of(lookahead: &Lookahead) -> Result<Plies, JudgeError> {
    let search = match lookahead {
        Lookahead::OnePly => return Ok(Plies::Fixed(1)),
        Lookahead::Sampled(_) => return Err(JudgeError::NotMeans("it samples")),
        Lookahead::DepthLimited(search) => search,
    };
    let reason = if search.spawn != SpawnValue::Mean {
        "it does not average over the spawns"
    } else if search.dead != Dead::Evaluate {
        "it does not value a dead board by its evaluator"
    } else if !search.cuts.is_empty() {
        "it has cuts"
    } else if search.time_ms.or(search.nodes).is_some() {
        "its depth depends on a limit"
    } else if search.downgrade.is_some() {
        "it halves large tiles"
    } else {
        return Ok(search.plies.clone().unwrap_or_default());
    };
    Err(JudgeError::NotMeans(reason))
}

/// Refuses evaluators whose unit is not points to come.
fn check_unit(evaluator: &Evaluator) -> Result<(), JudgeError> {
    let not_points = || Err(JudgeError::NotPoints(evaluator.label()));
    match evaluator {
        Evaluator::Network(_) => Ok(()),
        Evaluator::Solved(name) => {
            let Ok(info) = solve::library::info(name) else {
                return not_points();
            };
            match info.question.goal {
                Goal::Reach(rank) => Err(JudgeError::Chance(rank)),
                Goal::Score => Ok(()),
            }
        }
        Evaluator::Sum(terms) if terms.iter().map(|(weight, _)| weight).sum::<f64>() == 1.0 => {
            terms.iter().try_for_each(|(_, term)| check_unit(term))
        }
        _ => not_points(),
    }
}
