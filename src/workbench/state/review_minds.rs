//! Compares two strategies on the game on the board, or on the games of a run.

use std::sync::Arc;

use super::NodeId;
use super::review_games::{GameOfRun, GamesAsked, TELL_EVERY};
use crate::review::{Decider, Minds, Review, ReviewedMinds, Section};
use crate::task::{Job, Work, threads_for_window};

/// What two strategies are compared on.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum MindsKey {
    /// A line on the board, and the second strategy.
    Line(Vec<NodeId>, String),
    /// Games of a run; the number is new for every request.
    Games(u64),
}

/// The games of one strategy, and the strategy it is compared with.
#[derive(Clone, Debug)]
pub struct MindsPair {
    pub minds: Minds,
    players: [Arc<Decider>; 2],
    /// One per compared game.
    titles: Vec<String>,
    /// For each game the index of its strategy in the run and its own index; empty for the line on the board.
    pub(super) of_run: Vec<(usize, u64)>,
}

/// The differences between two strategies found so far.
#[derive(Clone, Debug)]
pub struct MindsFound {
    /// One per strategy whose games are compared.
    pub pairs: Vec<MindsPair>,
    judge: String,
    /// The games.
    pub work: Work,
    /// Games whose moves were not saved.
    pub without_moves: usize,
    /// The number of the run; `None` for the line on the board.
    pub(super) runs: Option<u64>,
}

impl MindsFound {
    pub fn sections(&self) -> Vec<Section> {
        let pair_sections = |pair: &MindsPair| {
            let players = [&*pair.players[0], &*pair.players[1]];
            ReviewedMinds {
                judge: &self.judge,
                minds: &pair.minds,
                players,
                titles: &pair.titles,
            }
            .sections()
        };
        self.pairs
            .iter()
            .filter(|pair| pair.minds.games != 0)
            .flat_map(pair_sections)
            .collect()
    }

    /// Whether the games are those of a run.
    pub fn is_of_run(&self) -> bool {
        self.runs.is_some()
    }
}

impl MindsPair {
    /// The title of a compared game.
    pub fn title(&self, game: usize) -> &str {
        &self.titles[game]
    }
}

/// Compares two strategies on one judged game.
pub(super) fn of_line<T>(
    job: &Job<T>,
    review: &Review,
    players: [Arc<Decider>; 2],
    title: String,
) -> Result<MindsFound, String> {
    let mut minds = Minds::default();
    let deciders = [&*players[0], &*players[1]];
    minds
        .add(review, deciders, threads_for_window(), job.control())
        .map_err(|error| error.to_string())?;
    let pair = MindsPair {
        minds,
        players,
        titles: vec![title],
        of_run: Vec::new(),
    };
    Ok(MindsFound {
        pairs: vec![pair],
        judge: review.judge().label(),
        work: job.control().work(),
        without_moves: 0,
        runs: None,
    })
}

/// Compares a strategy with those that played the games of a run.
pub(super) fn of_games(
    job: &Job<Result<Arc<MindsFound>, String>>,
    request: &GamesAsked,
    against: &Arc<Decider>,
) -> Result<MindsFound, String> {
    let (judge, players) = (request.judge()?, request.players()?);
    request.begin(job.control());
    let pair = |player: &Arc<Decider>| MindsPair {
        minds: Minds::default(),
        players: [player.clone(), against.clone()],
        titles: Vec::new(),
        of_run: Vec::new(),
    };
    let mut found = MindsFound {
        pairs: players.iter().map(pair).collect(),
        judge: judge.label(),
        work: job.control().work(),
        without_moves: 0,
        runs: Some(request.runs),
    };

    request.go(job, &judge, &players, |game| {
        match game {
            GameOfRun::WithoutMoves => found.without_moves += 1,
            GameOfRun::Judged(game) => {
                let pair = &mut found.pairs[game.source];
                let minds = [&*pair.players[0], &*pair.players[1]];
                let added = pair.minds.add(
                    game.review,
                    minds,
                    threads_for_window(),
                    &job.control().of_step(),
                );
                if !added.map_err(|error| error.to_string())? {
                    return Ok(false);
                }
                pair.titles.push(game.title);
                pair.of_run
                    .push((request.sources[game.source].place, game.index));
            }
        }
        job.control().add(1);
        found.work = job.control().work();
        job.tell_every(TELL_EVERY, || Ok(Arc::new(found.clone())));
        Ok(true)
    })?;
    Ok(found)
}
