//! The review of one game.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::chance::Chances;
use super::judge::{Judge, Judgement, worth};
use super::own_play::OwnPlays;
use super::{Blame, ChanceAt, ChanceQuestion, Class, Fallen, OwnPlay, Points, Thresholds};
use crate::game::{Moment, Move, Notes, Rank, Record, Spawn};
use crate::kept::hexadecimal;
use crate::math;

/// The judge's values of one position, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    pub plies: u32,
    pub values: Judgement,
    /// The expected worth after the played slide, averaged over all spawns. 0 if no move was played.
    pub mean: Points,
    /// The worth of the board after the actual spawn, as seen by the same look. 0 if no move was played.
    pub next: Points,
}

impl Look {
    /// The worth of the board.
    pub fn worth(&self) -> Points {
        worth(&self.values)
    }

    /// The first of the best moves. `None` on a dead board.
    pub fn best(&self) -> Option<Move> {
        let worth = self.worth();
        Move::ALL
            .into_iter()
            .find(|&mv| self.values[mv] == Some(worth))
    }

    /// How much less than the best move a legal move is worth.
    pub fn loss(&self, mv: Move) -> Option<Points> {
        Some(self.worth() - self.values[mv]?)
    }
}

/// A game with its review so far. Clones share the game.
#[derive(Clone, Debug)]
pub struct Review {
    game: Arc<Played>,
    judge: Arc<Judge>,
    /// From this loss a move is judged two plies deeper. `None` never looks deeper.
    pub deepen_from: Option<Points>,
    /// The question about the moves that lost points, if there is one.
    pub chance: Option<ChanceQuestion>,
    /// One for each position, including the last board. `None` for positions that are not judged yet.
    pub(super) looks: Vec<Option<Look>>,
    /// At which rows of the player the moves of each turn were dropped. Empty if that was not computed.
    pub(super) fallen: Vec<Option<Fallen>>,
    /// The results of playouts, by question.
    pub(super) chances: Chances,
    /// The player's own play of moves and of the judge's best ones, as far as it was computed.
    pub(super) own_plays: OwnPlays,
}

/// What does not change while a game is reviewed.
#[derive(Clone, Debug)]
struct Played {
    record: Record,
    moments: Vec<Moment>,
    sha256: String,
}

/// The judge's verdict on one move of a game and on the spawn after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Index of the move, from 0.
    pub index: usize,
    pub before: Moment,
    pub mv: Move,
    pub spawn: Spawn,
    /// Reward of the slide.
    pub reward: Points,
    pub best: Move,
    pub look: Look,
    pub loss: Points,
    pub luck: Points,
    pub residual: Points,
}

/// The first look at every position is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{looked} of {positions} positions are judged so far")]
pub struct NotReviewed {
    pub looked: usize,
    pub positions: usize,
}

/// The breakdown of a final score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    pub final_score: Points,
    /// The score before the first move.
    pub start_score: Points,
    /// The worth of the first board: points to come.
    pub start_value: Points,
    /// The worth of the last board: points that were still to come when the game was abandoned.
    pub left: Points,
    pub luck: Points,
    /// Never below 0; it is subtracted.
    pub loss: Points,
    pub residual: Points,
}

impl Totals {
    /// The sum of the parts minus the final score: 0, unless there is a bug.
    pub fn balance(&self) -> Points {
        let Self {
            final_score,
            start_score,
            start_value,
            left,
            luck,
            loss,
            residual,
        } = *self;
        start_score + start_value + luck - loss + residual - left - final_score
    }
}

impl Review {
    /// The number of moves to each side from which the uncertainty of the judge's values is estimated.
    pub const NEAR: usize = 50;

    /// A review of a whole record without any judgments.
    pub fn new(record: Record, judge: Arc<Judge>) -> Self {
        let moments = record.replay();
        let (positions, moves) = (moments.len(), moments.len() - 1);
        let mut record = record;
        record.steps.truncate(moves);
        let mut hash = Sha256::new_with_prefix("game");
        let stop_at = record.rules.stop_at.map_or(0, Rank::get);
        hash.update(format!(
            "{} {} {stop_at} {} {}",
            record.rules.size, record.rules.p4, record.start, record.score
        ));
        record
            .steps
            .iter()
            .for_each(|step| hash.update(format!("\n{step}")));

        let sha256 = hexadecimal(&hash.finalize());
        let game = Arc::new(Played {
            record,
            moments,
            sha256,
        });
        let looks = vec![None; positions];
        Self {
            game,
            judge,
            deepen_from: None,
            chance: None,
            looks,
            fallen: Vec::new(),
            chances: Chances::default(),
            own_plays: OwnPlays::new(),
        }
    }

    pub fn record(&self) -> &Record {
        &self.game.record
    }

    /// Replaces the notes on the game; they change nothing that is judged.
    pub fn set_notes(&mut self, notes: Notes) {
        if self.game.record.notes != notes {
            Arc::make_mut(&mut self.game).record.notes = notes;
        }
    }

    /// Adds the judgments of another review of the same game by the same judge. Of two looks at a position, the deeper one
    /// stays. Reviews of other games or judges, and reviews that look deeper at more moves, are ignored. Deciding rows
    /// are added if both reviews are about the same player.
    pub fn take_over(&mut self, other: &Self, is_same_player: bool) {
        let is_same = self.game_sha256() == other.game_sha256()
            && self.judge.sha256() == other.judge.sha256();
        if !is_same || !self.looks_as_deep_as(other.deepen_from) {
            return;
        }
        let plies = |look: &Option<Look>| look.map(|look| look.plies);
        for (own, look) in self.looks.iter_mut().zip(&other.looks) {
            if plies(own) < plies(look) {
                *own = *look;
            }
        }

        if is_same_player && !other.fallen.is_empty() {
            self.fallen.resize(self.moves(), None);
            self.fallen
                .iter_mut()
                .zip(&other.fallen)
                .for_each(|(own, fallen)| *own = own.or(*fallen));
        }

        if is_same_player {
            for (&index, theirs) in &other.own_plays {
                if self
                    .own_play(index)
                    .is_none_or(|own| own.games() < theirs.games())
                {
                    self.own_plays.insert(index, theirs.clone());
                }
            }
        }
        let looks = &self.looks;
        let holds = |index: usize, at: &ChanceAt| {
            looks[index].as_ref().and_then(Look::best) == Some(at.best)
        };
        self.chances.take_over(&other.chances, holds);
    }

    /// Whether it looks deeper at all moves at which a review with this threshold does, so that both get the same
    /// results there.
    pub(super) fn looks_as_deep_as(&self, other: Option<Points>) -> bool {
        other.is_none_or(|other| self.deepen_from.is_some_and(|own| own <= other))
    }

    pub fn judge(&self) -> &Arc<Judge> {
        &self.judge
    }

    /// SHA-256 of rules, start and turns, in 64 hexadecimal digits. The player does not count.
    pub fn game_sha256(&self) -> &str {
        &self.game.sha256
    }

    /// Every position from the first board to the last.
    pub fn moments(&self) -> &[Moment] {
        &self.game.moments
    }

    /// The number of moves played.
    pub fn moves(&self) -> usize {
        self.game.record.steps.len()
    }

    /// The look at position number `index`, from 0.
    pub fn look(&self, index: usize) -> Option<&Look> {
        self.looks.get(index)?.as_ref()
    }

    /// The number of judged positions.
    pub fn looked(&self) -> usize {
        self.looks.iter().flatten().count()
    }

    /// The row that decided move number `index` against the judge's current best move, if that was computed.
    pub fn blame(&self, index: usize) -> Option<Blame> {
        self.blame_by(index, self.fallen.get(index)?.as_ref()?)
    }

    /// The same, given at which rows the moves of that turn were dropped.
    pub fn blame_by(&self, index: usize, fallen: &Fallen) -> Option<Blame> {
        let mv = self.game.record.steps.get(index)?.mv;
        let is_lost = self.loss(index).is_some_and(|loss| Points::ZERO < loss);
        let best = self
            .look(index)
            .and_then(Look::best)
            .filter(|_| is_lost)
            .unwrap_or(mv);
        Some(fallen.blame(mv, best))
    }

    /// The result of the playouts for move number `index`, from 0. `None` without playouts, or if the judge now prefers
    /// another move.
    pub fn chance_at(&self, index: usize, question: &ChanceQuestion) -> Option<&ChanceAt> {
        self.chances
            .at(question, index)
            .filter(|at| self.look(index).and_then(Look::best) == Some(at.best))
    }

    /// The player's own play of move number `index`, from 0, and of the judge's best move there. `None` if it was not
    /// computed, or if the judge now prefers another move.
    pub fn own_play(&self, index: usize) -> Option<&OwnPlay> {
        self.own_plays
            .get(&index)
            .filter(|own| self.look(index).and_then(Look::best) == Some(own.other))
    }

    /// The playouts that classify move number `index`.
    pub fn chance_by(&self, index: usize, thresholds: &Thresholds) -> Option<&ChanceAt> {
        self.chance_at(index, &thresholds.chance.as_ref()?.question)
    }

    /// The class of move number `index`. Also `None` before it is judged.
    pub fn class(&self, index: usize, thresholds: &Thresholds) -> Option<Class> {
        thresholds.class_of(self.loss(index)?, self.chance_by(index, thresholds))
    }

    /// The loss of move number `index`, from 0. `None` before it is judged.
    pub fn loss(&self, index: usize) -> Option<Points> {
        self.look(index)?
            .loss(self.game.record.steps.get(index)?.mv)
    }

    /// The luck of the spawn after move number `index`.
    pub fn luck(&self, index: usize) -> Option<Points> {
        let look = self.look(index).filter(|_| index < self.moves())?;
        Some(look.next - look.mean)
    }

    /// The verdict on move number `index`, from 0. `None` until it and the next position are judged.
    pub fn verdict(&self, index: usize) -> Option<Verdict> {
        let step = *self.game.record.steps.get(index)?;
        let (look, after) = (*self.look(index)?, self.look(index + 1)?);
        let [before, next] = [self.game.moments[index], self.game.moments[index + 1]];
        let reward = Points::whole(next.score) - Points::whole(before.score);
        let value = look.values[step.mv]?;
        Some(Verdict {
            index,
            before,
            mv: step.mv,
            spawn: step.spawn,
            reward,
            best: look.best()?,
            look,
            loss: look.worth() - value,
            luck: look.next - look.mean,
            residual: (after.worth() - look.next) + (look.mean - (value - reward)),
        })
    }

    /// The uncertainty of the judge's values near move number `index` in points, and the number of moves that it is
    /// based on: the root mean square of the residuals of moves at most [`NEAR`](Self::NEAR) away. In other parts of
    /// the game it differs. `None` for an exact judge, and if nothing is judged.
    pub fn wavering(&self, index: usize) -> Option<(f64, usize)> {
        let near = index.saturating_sub(Self::NEAR)..(index + Self::NEAR + 1).min(self.moves());
        let squares = near
            .filter_map(|index| self.verdict(index))
            .map(|one| math::squared(one.residual.to_f64()));
        let (sum, moves) = squares.fold((0.0, 0), |(sum, moves), square| (sum + square, moves + 1));
        (moves != 0 && !self.judge.is_exact()).then(|| ((sum / moves as f64).sqrt(), moves))
    }

    /// The verdicts on all moves, in order.
    pub fn verdicts(&self) -> Result<Vec<Verdict>, NotReviewed> {
        let verdicts: Vec<Verdict> = (0..self.moves())
            .map_while(|index| self.verdict(index))
            .collect();
        if verdicts.len() == self.moves() && self.looks.iter().all(Option::is_some) {
            Ok(verdicts)
        } else {
            Err(NotReviewed {
                looked: self.looked(),
                positions: self.looks.len(),
            })
        }
    }

    /// The breakdown of the final score.
    pub fn totals(&self) -> Result<Totals, NotReviewed> {
        let verdicts = self.verdicts()?;
        let worth = |index: usize| self.look(index).map(Look::worth).unwrap_or_default();
        let last = self.game.moments[self.moves()];
        Ok(Totals {
            final_score: Points::whole(last.score),
            start_score: Points::whole(self.game.record.score),
            start_value: worth(0),
            left: worth(self.moves()),
            luck: verdicts.iter().map(|verdict| verdict.luck).sum(),
            loss: verdicts.iter().map(|verdict| verdict.loss).sum(),
            residual: verdicts.iter().map(|verdict| verdict.residual).sum(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{game, judge, reviewed, rules, table};
    use super::*;

    #[test]
    fn a_review_takes_over_what_another_knows_of_the_same_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = rules("2x2", 0.1);
        let judge = judge(&table(folder.path(), rules), rules);
        let record = game("r", rules, 5, 3);
        let complete = reviewed(&record, &judge, 1);
        for is_same_player in [true, false] {
            let mut review = Review::new(record.clone(), judge.clone());
            review.looks[0] = complete.looks[0].map(|look| Look { plies: 9, ..look });
            review.looks[1] = complete.looks[1].map(|look| Look {
                plies: 0,
                mean: Points::whole(7),
                ..look
            });
            review.take_over(&complete, is_same_player);
            assert_eq!(
                review.look(0).map(|look| look.plies),
                Some(9),
                "the deeper one stays"
            );
            assert_eq!(review.looks[1..], complete.looks[1..]);
            assert_eq!(review.fallen == complete.fallen, is_same_player);
        }
        let mut other = Review::new(game("r", rules, 5, 4), judge.clone());
        other.take_over(&complete, true);
        assert_eq!(other.looked(), 0, "another game");

        // A review that never looks deeper is a part of one that does, but not the other way round.
        for (own, others, is_taken) in [
            (Some(5), None, true),
            (Some(5), Some(5), true),
            (Some(1), Some(5), true),
        ]
        .into_iter()
        .chain([(None, Some(5), false), (Some(5), Some(1), false)])
        {
            let [own, others] =
                [own, others].map(|from| from.map(|points: i64| Points::whole(points)));
            let mut review = Review {
                deepen_from: own,
                ..Review::new(record.clone(), judge.clone())
            };
            review.take_over(
                &Review {
                    deepen_from: others,
                    ..complete.clone()
                },
                true,
            );
            assert_eq!(
                (review.looked() != 0, review.deepen_from),
                (is_taken, own),
                "{own:?} {others:?}"
            );
        }
    }
}
