//! Plays a position on, move by move, with the tiles of one seeded game.

use crate::game::{Board, GameSeed, Moment, Move};
use crate::task::CancelToken;

/// A player returns no legal move on a board that has one: a file became unreadable, or a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the strategy chose no move on {board}, where moves are legal: check its files and programs"
)]
pub struct NoMove {
    pub board: Board,
}

/// A start position, and the source of the tiles that follow.
#[derive(Clone, Copy)]
pub(super) struct Playout<'a> {
    pub start: Moment,
    /// The first move; `None` if the player chooses it.
    pub first: Option<Move>,
    pub chance: &'a GameSeed,
    pub p4: f64,
    pub stop: &'a CancelToken,
}

impl Playout<'_> {
    /// Plays until the board is dead or `goes_on` returns false. Returns the last position, or `None` if stopped. Turns count
    /// from 0.
    pub(super) fn play(
        &self,
        decide: impl Fn(u32, &Moment) -> Option<Move>,
        goes_on: impl Fn(u32, &Moment) -> bool,
    ) -> Result<Option<Moment>, NoMove> {
        let mut moment = self.start;
        let mut turn = 0;

        while goes_on(turn, &moment) && !moment.board.is_dead() {
            let mv = self
                .first
                .filter(|_| turn == 0)
                .or_else(|| decide(turn, &moment));
            if self.stop.is_cancelled() {
                return Ok(None);
            }
            let slide = mv.and_then(|mv| moment.board.slide(mv)).ok_or(NoMove {
                board: moment.board,
            })?;
            let spawn = self.chance.spawn(turn, &slide.after.board(), self.p4);
            moment = moment.following(&slide, spawn);
            turn += 1;
        }

        Ok((!self.stop.is_cancelled()).then_some(moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed};

    #[test]
    fn a_player_without_a_move_is_an_error_and_a_dead_board_is_an_end() {
        let (rules, stop) = (Rules::default(), CancelToken::new());
        let chance = Seed(7).game(0);
        let start = Moment {
            board: chance.opening(&rules),
            score: 0,
        };
        let playout = Playout {
            start,
            first: None,
            chance: &chance,
            p4: rules.p4,
            stop: &stop,
        };
        let any = |_: u32, moment: &Moment| moment.board.legal_moves().into_iter().next();

        let end = playout
            .play(any, |_, _| true)
            .expect("moves")
            .expect("not stopped");
        assert!(end.board.is_dead() && 0 < end.score);
        let third = playout
            .play(any, |turn, _| turn < 3)
            .expect("moves")
            .expect("not stopped");

        let until_third = |turn: u32, moment: &Moment| any(turn, moment).filter(|_| turn < 3);
        assert_eq!(
            playout.play(until_third, |_, _| true),
            Err(NoMove { board: third.board })
        );

        stop.cancel();
        assert_eq!(playout.play(until_third, |_, _| true), Ok(None));
    }
}
