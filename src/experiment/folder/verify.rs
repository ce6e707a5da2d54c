//! Checks the contents of a folder against the games: plays some of them again.

use rand::RngExt as _;
use rand::rngs::SmallRng;

use super::{Game, Result, RunFolder};
use crate::experiment::plan::MoveTrace;
use crate::experiment::{ContestantResult, Games, Results, Summary};
use crate::game::{Move, Seed};
use crate::search::SearchOptions;
use crate::strategy::{Finish, Player};
use crate::task::CancelToken;

/// A game that was played again.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The index of its strategy.
    pub arm: usize,
    pub kept: Game,
    pub replayed: Finish,
    /// The moves of the new game.
    pub moves: Vec<Move>,
}

impl Verified {
    /// Whether the new game equals the saved one.
    pub fn is_same(&self) -> bool {
        self.has_same_end() && self.has_same_moves()
    }

    /// Whether score, number of moves and last board are the same.
    pub fn has_same_end(&self) -> bool {
        let Self {
            kept: Game { finish, .. },
            replayed,
            ..
        } = self;
        (finish.outcome, finish.board) == (replayed.outcome, replayed.board)
    }

    /// Whether all moves are the same. Only searched games have saved moves.
    fn has_same_moves(&self) -> bool {
        self.kept.moves.is_empty() || self.kept.moves == self.moves
    }

    /// The index of the first move that differs, from 0. `None` if all moves are the same up to the end of the shorter
    /// game.
    pub fn first_difference(&self) -> Option<usize> {
        let both = self.kept.moves.iter().zip(&self.moves);
        both.enumerate()
            .find(|(_, (saved, now))| saved != now)
            .map(|(place, _)| place)
    }
}

impl RunFolder {
    /// Plays `count` games again, drawn with `chance` from all games of strategies without a time limit whose files are
    /// unchanged. Plays fewer if it is stopped.
    pub fn verify(
        &self,
        count: usize,
        chance: &mut SmallRng,
        stop: &CancelToken,
    ) -> Result<Vec<Verified>> {
        let mut drawn: Vec<(usize, Game)> = Vec::new();
        let mut seen = 0_u64;
        let there = self.games()?;
        for (arm, _) in self
            .arms
            .iter()
            .enumerate()
            .filter(|(_, arm)| arm.strategy.is_reproducible() && !arm.is_changed())
        {
            for game in there.games_of(&self.arms[arm])? {
                let game = game?;
                // Each game is drawn with the same probability (Vitter 1985, algorithm R).
                seen += 1;
                let place = chance.random_range(0..seen) as usize;
                if drawn.len() < count {
                    drawn.push((arm, game));
                } else if let Some(drawn) = drawn.get_mut(place) {
                    *drawn = (arm, game);
                }
            }
        }

        drawn.sort_by_key(|(arm, game)| (*arm, game.index));
        let players: Vec<Player> = self
            .arms
            .iter()
            .map(|arm| Player::new(&arm.strategy, arm.rules))
            .collect();
        let seed = Seed(self.manifest.seed);
        let mut verified = Vec::new();
        for (arm, saved) in drawn {
            let options = SearchOptions::on_one_core(stop);
            let mut moves = Vec::new();
            let seed = self.arms[arm].rules.chance(seed, saved.index);
            let replayed = players[arm].play_from(
                None,
                &seed,
                options,
                &mut MoveTrace::new(&mut |step| moves.push(step.mv)),
            );
            if stop.is_cancelled() {
                break;
            }
            verified.push(Verified {
                arm,
                kept: saved,
                replayed,
                moves,
            });
        }

        Ok(verified)
    }

    /// The summary of all games of the folder, read one after another. Includes the games themselves if they take
    /// little memory.
    pub fn sums(&self) -> Result<Results> {
        const AT_ONCE: usize = 8192;
        const MOST_HELD: u64 = 10_000_000;
        let is_small = self.manifest.games.saturating_mul(self.arms.len() as u64) <= MOST_HELD;
        let there = self.games()?;

        // Games beyond the decision of a stop rule do not count.
        let counted = self.end_reason()?.counted().unwrap_or(u64::MAX);
        let counts =
            move |game: &Result<Game>| game.as_ref().map_or(true, |game| game.index < counted);
        let mut contestants = Vec::new();
        for (arm, entry) in self.arms.iter().zip(&self.preset.strategies) {
            let mut summary = Summary::EMPTY;
            let mut outcomes = Games::unplayed(if is_small {
                0..self.manifest.games
            } else {
                0..0
            });
            let mut games = there.games_of(arm)?.take_while(counts).peekable();
            while games.peek().is_some() {
                let some = games
                    .by_ref()
                    .take(AT_ONCE)
                    .collect::<Result<Vec<Game>>>()?;
                for game in some
                    .iter()
                    .filter(|game| is_small && game.index < self.manifest.games)
                {
                    outcomes.put(game.index, &[game.finish.outcome]);
                }
                summary.merge(&Summary::of_kept(&some));
            }
            contestants.push(ContestantResult {
                strategy: arm.strategy.clone(),
                rules: arm.rules,
                published: entry.published.clone(),
                summary: summary.into(),
                games: outcomes,
            });
        }

        let mut manifest = self.manifest.clone();
        for (record, result) in manifest.strategies.iter_mut().zip(&contestants) {
            record.finished = result.summary.games();
        }
        manifest.add_history(self.stints()?);
        Ok(Results::new(manifest, contestants))
    }
}
