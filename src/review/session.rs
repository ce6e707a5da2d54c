//! Games judged one after the other: each begins with its saved judgments, is judged on, and is saved.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::{
    ChanceThresholds, Decider, Judge, Listener, NotReviewed, Points, Review, ReviewError,
    ReviewFolder, SaveError, Thresholds,
};
use crate::game::Record;
use crate::task::{CancelToken, Control, lock};

/// How games are judged.
#[derive(Clone, Debug)]
pub struct Session {
    pub judge: Arc<Judge>,
    /// Where judgments are saved. Without a folder, a game is judged again another time.
    pub folder: Option<ReviewFolder>,
    pub unsaved: Unsaved,
    /// The chance that classes moves besides points.
    pub chance: Option<ChanceThresholds>,
    /// The loss from which moves are judged deeper, instead of that of [`Review::deepen_mistakes`].
    pub deepen_from: Option<Points>,
    /// The thresholds in points of all games. The first game sets them.
    pub thresholds: Option<Thresholds>,
    /// Whether the player is asked for the row that decided.
    pub asks_rows: bool,
    pub threads: usize,
}

/// Why judgments are not saved. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Unsaved(Arc<Mutex<Trouble>>);

#[derive(Debug, Default)]
struct Trouble {
    /// Why the last write failed.
    lasts: Option<String>,
    /// The first of several failures.
    news: Option<String>,
}

impl Unsaved {
    fn note(&self, written: Result<(), SaveError>) {
        let (mut trouble, reason) = (lock(&self.0), written.err().map(|error| error.to_string()));
        if trouble.lasts.is_none() && reason.is_some() {
            trouble.news.clone_from(&reason);
        }
        trouble.lasts = reason;
    }

    /// Why the last write failed.
    pub fn reason(&self) -> Option<String> {
        lock(&self.0).lasts.clone()
    }

    /// The reason, reported once.
    pub fn take_news(&self) -> Option<String> {
        lock(&self.0).news.take()
    }
}

impl Session {
    /// With the usual thresholds, and without a folder.
    pub fn of(judge: Arc<Judge>, threads: usize) -> Self {
        let unsaved = Unsaved::default();
        Self {
            judge,
            folder: None,
            unsaved,
            chance: None,
            deepen_from: None,
            thresholds: None,
            asks_rows: true,
            threads,
        }
    }

    /// A review of a game without any judgments.
    pub fn review(&self, record: Record, stop: &CancelToken) -> Result<Review, ReviewError> {
        let mut review = Review::new(record, self.judge.clone());
        (review.deepen_from, review.chance) =
            (self.deepen_from, self.chance.map(|chance| chance.question));
        review.deepen_mistakes(stop)?;
        Ok(review)
    }

    /// Judges a game to the end or up to a stop. New judgments are saved every few seconds and at the end.
    pub fn go_on(
        &self,
        review: &mut Review,
        player: Option<&Decider>,
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> Result<(), ReviewError> {
        let row_player = player.filter(|_| self.asks_rows);
        self.saving(review, player, listener, |review, listener| {
            review.go_on(row_player, self.threads, control, listener)
        })
    }

    /// Lets the player play on from these moves, and saves the results in the same way.
    pub fn ask_player(
        &self,
        review: &mut Review,
        (player, moves): (&Decider, &[usize]),
        control: &Control,
        listener: &mut Listener<'_>,
    ) -> Result<(), ReviewError> {
        self.saving(review, Some(player), listener, |review, listener| {
            review.ask_player(player, moves, self.threads, control, listener)
        })
    }

    fn saving(
        &self,
        review: &mut Review,
        player: Option<&Decider>,
        listener: &mut Listener<'_>,
        work: impl FnOnce(&mut Review, &mut Listener<'_>) -> Result<(), ReviewError>,
    ) -> Result<(), ReviewError> {
        let (mut is_new, mut saved) = (false, Instant::now());
        let worked = work(review, &mut |review| {
            is_new = true;
            listener(review);
            if ReviewFolder::WRITE_EVERY < saved.elapsed() {
                self.save(review, player);
                saved = Instant::now();
            }
        });
        if is_new {
            self.save(review, player);
        }
        worked
    }

    /// Saves the judgments of a game.
    pub fn save(&self, review: &Review, player: Option<&Decider>) {
        self.folder
            .iter()
            .for_each(|folder| self.unsaved.note(folder.write(review, player)));
    }

    /// The thresholds of a game. Points are those of the first game, so that the games are comparable.
    pub fn thresholds(&mut self, review: &Review) -> Result<Thresholds, NotReviewed> {
        let start = review.totals()?.start_value;
        let points = *self
            .thresholds
            .get_or_insert_with(|| Thresholds::usual(start));
        Ok(Thresholds {
            chance: self.chance,
            ..points
        })
    }
}
