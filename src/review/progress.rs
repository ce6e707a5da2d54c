//! The work of a review: every position at low depth, then deeper, on any number of threads.

use rayon::prelude::*;

use super::game::{Look, Review};
use super::judge::NoValue;
use super::playout::NoMove;
use super::{ChanceAt, ChanceQuestion, Decider, Fallen, OwnPlay, Points, Thresholds, worth};
use crate::search::SearchOptions;
use crate::strategy::Player;
use crate::task::{CancelToken, Control, ThreadsError, in_pool};

/// The stage of a review.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The first look at every position.
    First,
    /// At the judge's full depth.
    Whole,
    /// Two plies deeper if a loss is large.
    Deeper,
    /// The row of the player that decided each move with a loss.
    Rows,
    /// The cost of these moves in a probability, by playouts.
    Chances,
    /// How much the player itself would win with the judge's best move.
    OwnPlay,
}

impl Stage {
    /// The name of this part of the work: `first look`.
    pub const fn words(self) -> &'static str {
        [
            "first look",
            "deeper look",
            "closer look at large losses",
            "finding the deciding rows",
            "playing games from costly moves",
            "own play of the strategy",
        ][self as usize]
    }
}

/// Why a review could not continue.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReviewError {
    #[error("move {}: {error}", .index + 1)]
    NoValue { index: usize, error: NoValue },
    #[error("a game from move {}: {error}", .index + 1)]
    NoMove { index: usize, error: NoMove },
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Receives the review so far after each round of work.
pub type Listener<'a> = dyn FnMut(&Review) + Send + 'a;

/// Begins a stage, unless nothing of it is left.
fn begin(control: &Control, stage: Stage, left: usize) {
    if left != 0 {
        let unit = if stage <= Stage::Deeper {
            "position"
        } else {
            "move"
        };
        control.begin(stage.words(), unit, left as u64);
    }
}

/// The depth of the first look, in plies.
const FIRST: u32 = 3;

/// Positions per thread in one round of work, for each kind of search: short enough for frequent progress and stops.
const ROUND: [usize; 3] = [64, 16, 2];

impl Review {
    /// Continues until everything is judged or it is stopped, and reports after each round of work. `player` is the
    /// strategy that played.
    pub fn go_on(
        &mut self,
        player: Option<&Decider>,
        threads: usize,
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> Result<(), ReviewError> {
        in_pool(threads, || self.work(player, threads, control, listener))?
    }

    /// Sets the loss from which moves are judged two plies deeper, based on the worth of the start at the first look.
    /// The file of a review depends on it, so it comes before the file is read.
    pub fn deepen_mistakes(&mut self, stop: &CancelToken) -> Result<(), ReviewError> {
        if self.deepen_from.is_none() && !self.judge().is_exact() {
            let start = self.moments()[0].board;
            let options = SearchOptions::on_one_core(stop);
            let seen = self.judge().look(&start, FIRST, options);
            let seen = seen.map_err(|error| ReviewError::NoValue { index: 0, error })?;
            self.deepen_from = seen.map(|values| Thresholds::usual(worth(&values)).mistake);
        }
        Ok(())
    }

    fn work(
        &mut self,
        player: Option<&Decider>,
        threads: usize,
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> Result<(), ReviewError> {
        for stage in [Stage::First, Stage::Whole, Stage::Deeper] {
            let mut places = self.places(stage);
            if stage != Stage::First {
                // The largest losses, which may change the picture most, come first.
                places.sort_by_key(|&(index, _)| {
                    std::cmp::Reverse(self.loss(index).unwrap_or_default())
                });
            }
            begin(control, stage, places.len());
            let (round, mut done) = (ROUND[stage as usize] * threads, 0);
            for places in places.chunks(round) {
                let stop = control.token();
                let looks: Vec<_> = places
                    .par_iter()
                    .map(|&(index, plies)| self.look_at(index, plies, stop))
                    .collect();
                for (&(index, _), look) in places.iter().zip(looks) {
                    if let Some(look) =
                        look.map_err(|error| ReviewError::NoValue { index, error })?
                    {
                        self.looks[index] = Some(look);
                        done += 1;
                    }
                }
                control.report(done);
                listener(self);
                if !control.pass() {
                    return Ok(());
                }
            }
        }

        self.ask_rows(player, threads, control, listener);
        if control.pass() {
            self.ask_chances(threads, control, listener)?;
        }

        Ok(())
    }

    /// The positions that lack a stage, each with its required depth.
    fn places(&self, stage: Stage) -> Vec<(usize, u32)> {
        let positions = 0..self.looks.len();
        let wanted = positions.filter_map(|index| Some((index, self.wanted(index, stage)?)));
        wanted
            .filter(|&(index, plies)| self.look(index).is_none_or(|look| look.plies < plies))
            .collect()
    }

    /// The required depth of a position after a stage. `None` if the stage does not concern it.
    fn wanted(&self, index: usize, stage: Stage) -> Option<u32> {
        let plies = self.judge().plies_on(&self.moments()[index].board);
        match stage {
            Stage::First => Some(plies.min(FIRST)),
            Stage::Whole => Some(plies),
            Stage::Deeper => {
                let is_large = self
                    .deepen_from
                    .is_some_and(|from| self.loss(index).is_some_and(|loss| from <= loss));
                (is_large && !self.judge().is_exact()).then_some(plies + 2)
            }
            Stage::Rows | Stage::Chances | Stage::OwnPlay => None,
        }
    }

    fn look_at(
        &self,
        index: usize,
        plies: u32,
        stop: &CancelToken,
    ) -> Result<Option<Look>, NoValue> {
        let options = SearchOptions::on_one_core(stop);
        let (judge, before) = (self.judge(), self.moments()[index]);
        let Some(values) = judge.look(&before.board, plies, options)? else {
            return Ok(None);
        };
        let Some(step) = self.record().steps.get(index) else {
            return Ok(Some(Look {
                plies,
                values,
                mean: Points::ZERO,
                next: Points::ZERO,
            }));
        };
        let after = self.moments()[index + 1];
        let reward = Points::whole(after.score) - Points::whole(before.score);
        let is_counted_out = plies < 3 && !judge.is_exact();

        // One spawn and one slide deeper than the move itself.
        let mean_plies = if is_counted_out { plies + 2 } else { plies };
        let next_plies = if plies < 3 { plies } else { plies - 2 };
        let Some(means) = judge.look(&before.board, mean_plies, options)? else {
            return Ok(None);
        };
        let Some(next) = judge.look(&after.board, next_plies, options)? else {
            return Ok(None);
        };
        let mean = means[step.mv].unwrap_or_default() - reward;
        Ok(Some(Look {
            plies,
            values,
            mean,
            next: worth(&next),
        }))
    }

    /// Computes at which rows the moves were dropped in each turn with a loss.
    fn ask_rows(
        &mut self,
        player: Option<&Decider>,
        threads: usize,
        control: &Control,
        listener: &mut Listener<'_>,
    ) {
        let Some(player) = player else { return };
        self.fallen.resize(self.moves(), None);
        let lost = |index: &usize| Points::ZERO < self.loss(*index).unwrap_or_default();
        let open: Vec<usize> = (0..self.moves())
            .filter(|&index| self.fallen[index].is_none())
            .filter(lost)
            .collect();
        begin(control, Stage::Rows, open.len());

        for places in open.chunks(ROUND[1] * threads) {
            let stop = control.token();
            let ask = |&index: &usize| {
                player.fallen(&self.moments()[index], self.record().steps[index].mv, stop)
            };
            let fallen: Vec<Option<Fallen>> = places.par_iter().map(ask).collect();
            for (&index, fallen) in places.iter().zip(fallen) {
                self.fallen[index] = fallen;
            }
            control.add(places.len() as u64);
            listener(self);
            if !control.pass() {
                return;
            }
        }
    }

    /// The moves with the largest losses according to the judge, the largest first, at most `most`.
    pub fn worst(&self, most: usize) -> Vec<usize> {
        let lost = |index: &usize| self.loss(*index).is_some_and(|loss| Points::ZERO < loss);
        let mut worst: Vec<usize> = (0..self.moves()).filter(lost).collect();
        worst.sort_by_key(|&index| (std::cmp::Reverse(self.loss(index)), index));
        worst.truncate(most);
        worst
    }

    /// Whether every position was judged at its required depth.
    pub fn is_whole(&self) -> bool {
        [Stage::First, Stage::Whole, Stage::Deeper]
            .into_iter()
            .all(|stage| self.places(stage).is_empty())
    }

    /// Whether the own play of a move is complete: it lost nothing, or its games are played.
    pub fn has_own_play(&self, index: usize) -> bool {
        let lost = self.loss(index).is_some_and(|loss| Points::ZERO < loss);
        !lost || self.own_play(index).is_some_and(OwnPlay::is_over)
    }

    /// Lets the player play out these moves and the judge's best ones, as far as that was not done. Skips moves that
    /// lost nothing. `listener` gets the review after each round of games.
    pub fn ask_player(
        &mut self,
        player: &Decider,
        moves: &[usize],
        threads: usize,
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> Result<(), ReviewError> {
        let open: Vec<usize> = moves
            .iter()
            .copied()
            .filter(|&index| !self.has_own_play(index))
            .collect();
        begin(control, Stage::OwnPlay, open.len());
        in_pool(threads, || {
            for &index in &open {
                let Some(best) = self.look(index).and_then(Look::best) else {
                    control.add(1);
                    continue;
                };
                let (before, played) = (self.moments()[index], self.record().steps[index].mv);
                let mut own = self
                    .own_play(index)
                    .cloned()
                    .unwrap_or_else(|| OwnPlay::begun(best));
                while !own.is_over() {
                    if !control.pass() {
                        return Ok(());
                    }
                    let round = own.play_round(
                        player,
                        &before,
                        played,
                        self.record().rules,
                        control.token(),
                    );
                    if round
                        .map_err(|error| ReviewError::NoMove { index, error })?
                        .is_none()
                    {
                        return Ok(());
                    }
                    self.own_plays.insert(index, own.clone());
                    control.add(u64::from(own.is_over()));
                    listener(self);
                }
            }
            Ok(())
        })?
    }

    /// The moves of a game that get playouts, among those that lost points, in game order.
    fn played_on(&self) -> Vec<usize> {
        let lost = |index: &usize| self.loss(*index).is_some_and(|loss| Points::ZERO < loss);
        let last = self.moves().saturating_sub(ChanceQuestion::LAST);
        let mut before: Vec<usize> = (0..last).filter(lost).collect();
        before.sort_by_key(|&index| std::cmp::Reverse(self.loss(index)));
        before.truncate(ChanceQuestion::BEFORE);
        before.sort_unstable();
        before
            .into_iter()
            .chain((last..self.moves()).filter(lost))
            .collect()
    }

    /// The moves of a game that still need playouts for a question.
    fn not_played_on(&self, question: &ChanceQuestion) -> Vec<usize> {
        self.played_on()
            .into_iter()
            .filter(|&index| self.chance_at(index, question).is_none())
            .collect()
    }

    /// Whether all answers to a question are known, at the current depth.
    pub fn answers(&self, question: &ChanceQuestion) -> bool {
        self.looks.iter().all(Option::is_some) && self.not_played_on(question).is_empty()
    }

    /// Answers the question about chances by games after the moves.
    fn ask_chances(
        &mut self,
        threads: usize,
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> Result<(), ReviewError> {
        let Some(question) = self.chance else {
            return Ok(());
        };
        // Late moves cost most of a chance: they come first.
        let open: Vec<usize> = self.not_played_on(&question).into_iter().rev().collect();
        let (player, p4) = (
            Player::new(&self.judge().at_depth(1), self.judge().rules()),
            self.judge().rules().p4,
        );
        begin(control, Stage::Chances, open.len());

        for places in open.chunks(threads) {
            let stop = control.token();
            let ask = |&index: &usize| {
                let Some(best) = self.look(index).and_then(Look::best) else {
                    return Ok(None);
                };
                question.ask(
                    &player,
                    &self.moments()[index].board,
                    [self.record().steps[index].mv, best],
                    p4,
                    stop,
                )
            };
            let answers: Vec<Result<Option<ChanceAt>, NoMove>> =
                places.par_iter().map(ask).collect();
            for (&index, at) in places.iter().zip(answers) {
                if let Some(at) = at.map_err(|error| ReviewError::NoMove { index, error })? {
                    self.chances.put(question, index, at);
                }
            }
            control.add(places.len() as u64);
            listener(self);
            if !control.pass() {
                break;
            }
        }
        Ok(())
    }
}
