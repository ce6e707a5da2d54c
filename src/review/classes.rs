//! The classes of bad moves, by loss of points and of probability.

use itertools::Itertools as _;
use strum::{EnumCount, EnumIter, IntoEnumIterator as _};

use super::Points;
use super::chance::{ChanceAt, ChanceQuestion};
use crate::math;
use crate::words;

/// The class of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, EnumCount, EnumIter)]
pub enum Class {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Class {
    pub const fn name(self) -> &'static str {
        ["inaccuracy", "mistake", "blunder"][self as usize]
    }

    /// The mark in chess notation: `?!`, `?`, `??`.
    pub const fn mark(self) -> &'static str {
        ["?!", "?", "??"][self as usize]
    }
}

/// Thresholds that are not above 0 and rising.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThresholdsError {
    #[error(
        "thresholds of {inaccuracy} points for an inaccuracy, {mistake} for a mistake and {blunder} for a blunder: write \
         numbers above 0, none below the previous one"
    )]
    Points {
        inaccuracy: Points,
        mistake: Points,
        blunder: Points,
    },
    /// In percentage points, as text.
    #[error(
        "thresholds of {} percentage points for an inaccuracy, a mistake and a blunder: write numbers above 0 and at \
         most 100, none below the previous one",
        words::list(.0)
    )]
    Chances(Vec<String>),
}

/// The smallest loss of each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thresholds {
    pub inaccuracy: Points,
    pub mistake: Points,
    pub blunder: Points,
    /// The thresholds of a probability, if moves are classified by one as well. The worse of the two classes counts.
    pub chance: Option<ChanceThresholds>,
}

impl Thresholds {
    /// About a thousandth, five thousandths and a fiftieth of the worth of the first board, rounded down to 1, 2 or 5
    /// times a power of ten: 100, 1000 and 2000 points for a start worth 200,000. A start without worth counts as one
    /// point.
    pub fn usual(start: Points) -> Self {
        let start = start.to_f64().max(1.0);
        let [inaccuracy, mistake, blunder] = [1000.0, 200.0, 50.0].map(|part| round(start / part));
        Self {
            inaccuracy,
            mistake,
            blunder,
            chance: None,
        }
    }

    pub fn of(&self, class: Class) -> Points {
        [self.inaccuracy, self.mistake, self.blunder][class as usize]
    }

    /// Sets the points of one class. The others change if needed, so that none is below the previous one.
    #[must_use]
    pub fn with(self, class: Class, points: Points) -> Self {
        let [inaccuracy, mistake, blunder] =
            given_way([self.inaccuracy, self.mistake, self.blunder], class, points);
        Self {
            inaccuracy,
            mistake,
            blunder,
            ..self
        }
    }

    /// `None` below the smallest threshold. A loss of 0 has no class.
    pub fn class(&self, loss: Points) -> Option<Class> {
        let reaches = |class: &Class| self.of(*class) <= loss && Points::ZERO < loss;
        Class::iter().rev().find(reaches)
    }

    /// The worse of the classes by points and by probability.
    pub fn class_of(&self, loss: Points, chance: Option<&ChanceAt>) -> Option<Class> {
        self.class(loss).max(
            self.chance
                .zip(chance)
                .and_then(|(thresholds, at)| thresholds.class(at)),
        )
    }

    /// Checks thresholds from the user.
    pub fn check(&self) -> Result<(), ThresholdsError> {
        self.chance.map_or(Ok(()), |chance| chance.check())?;
        let Self {
            inaccuracy,
            mistake,
            blunder,
            ..
        } = *self;
        let is_sound = Points::ZERO < inaccuracy && inaccuracy <= mistake && mistake <= blunder;
        is_sound.then_some(()).ok_or(ThresholdsError::Points {
            inaccuracy,
            mistake,
            blunder,
        })
    }

    /// `in points, a loss from 200 is an inaccuracy, from 1,000 a mistake, from 5,000 a blunder`, and the thresholds of a
    /// probability.
    pub fn text(&self) -> String {
        let [inaccuracy, mistake, blunder] =
            [self.inaccuracy, self.mistake, self.blunder].map(Points::text);
        let chance = self
            .chance
            .map_or(String::new(), |chance| format!("; or {}", chance.text()));
        format!(
            "in points, a loss from {inaccuracy} is an inaccuracy, from {mistake} a mistake, from {blunder} a blunder{chance}"
        )
    }
}

/// Rounded down to 1, 2 or 5 times a power of ten.
fn round(value: f64) -> Points {
    let power = math::pow(10.0, math::log10(value).floor());
    let digit = [5.0, 2.0, 1.0]
        .into_iter()
        .find(|digit| digit * power <= value)
        .unwrap_or(1.0);
    Points::of(digit * power).unwrap_or(Points::whole(1))
}

/// The number of moves of each class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByClass([u64; Class::COUNT]);

impl ByClass {
    pub fn of(&self, class: Class) -> u64 {
        self.0[class as usize]
    }

    pub(super) fn add(&mut self, class: Option<Class>) {
        class.iter().for_each(|&class| self.0[class as usize] += 1);
    }

    /// `2 blunders, 5 mistakes, 31 inaccuracies`.
    pub fn text(&self) -> String {
        let one = |class: Class| match (class, self.of(class)) {
            (Class::Inaccuracy, 1) => "1 inaccuracy".to_owned(),
            (Class::Inaccuracy, number) => format!("{} inaccuracies", words::count(number)),
            (class, number) => words::plural(number, class.name()),
        };
        Class::iter().rev().map(one).join(", ")
    }
}

impl std::ops::AddAssign for ByClass {
    fn add_assign(&mut self, other: Self) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(own, other)| *own += other);
    }
}

/// The losses of probability from which a move is of a class, in thousandths, for the lower end of the interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChanceThresholds {
    pub question: ChanceQuestion,
    pub inaccuracy: u16,
    pub mistake: u16,
    pub blunder: u16,
}

impl ChanceThresholds {
    /// 2, 5 and 10 percentage points.
    pub const fn usual(question: ChanceQuestion) -> Self {
        Self {
            question,
            inaccuracy: 20,
            mistake: 50,
            blunder: 100,
        }
    }

    pub fn of(&self, class: Class) -> u16 {
        [self.inaccuracy, self.mistake, self.blunder][class as usize]
    }

    /// Sets the thousandths of one class. The others give way.
    #[must_use]
    pub fn with(self, class: Class, thousandths: u16) -> Self {
        let all = [self.inaccuracy, self.mistake, self.blunder];
        let [inaccuracy, mistake, blunder] = given_way(all, class, thousandths);
        Self {
            inaccuracy,
            mistake,
            blunder,
            ..self
        }
    }

    /// `None` below the smallest.
    pub fn class(&self, at: &ChanceAt) -> Option<Class> {
        let low = at.interval()?.low;
        Class::iter()
            .rev()
            .find(|&class| 0.0 < low && f64::from(self.of(class)) / 1000.0 <= low)
    }

    fn percents(&self) -> Vec<String> {
        Class::iter().map(|class| percent(self.of(class))).collect()
    }

    /// Checks thresholds from the user.
    pub fn check(&self) -> Result<(), ThresholdsError> {
        let Self {
            inaccuracy,
            mistake,
            blunder,
            ..
        } = *self;
        let is_sound =
            0 < inaccuracy && inaccuracy <= mistake && mistake <= blunder && blunder <= 1000;
        is_sound
            .then_some(())
            .ok_or_else(|| ThresholdsError::Chances(self.percents()))
    }

    /// `from 2, 5 and 10 percentage points of the chance to survive 50 moves, by the lower end of a 95 % interval of 200 games with each
    /// move`.
    pub fn text(&self) -> String {
        format!(
            "from {} percentage points of the {}, by the lower end of a 95 % interval of {} with each move",
            words::list(&self.percents()),
            self.question.text(),
            words::plural(self.question.playouts, "game")
        )
    }
}

/// Rising numbers: one is set, and the others make room for it.
fn given_way<N: Copy + Ord>(mut all: [N; 3], class: Class, number: N) -> [N; 3] {
    let (below, above) = all.split_at_mut(class as usize);
    below
        .iter_mut()
        .for_each(|other| *other = (*other).min(number));
    above
        .iter_mut()
        .for_each(|other| *other = (*other).max(number));
    all[class as usize] = number;
    all
}

/// Thousandths as percentage points: `2`, `2.5`.
fn percent(thousandths: u16) -> String {
    (f64::from(thousandths) / 10.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::chance::ChanceGoal;
    use super::*;
    use crate::game::Move;

    #[test]
    fn a_move_is_classed_by_what_is_certain_of_its_loss() {
        let thresholds = ChanceThresholds::usual(ChanceQuestion::usual(ChanceGoal::Survive));
        let at = |played: u64, best: u64| ChanceAt {
            best: Move::Up,
            games: 200,
            reached: [played, best],
            both: played.min(best),
        };

        assert_eq!(thresholds.class(&at(200, 200)), None);
        assert_eq!(
            thresholds.class(&at(190, 100)),
            None,
            "it is better than the judge's"
        );

        let mut before = None;
        for played in (0..=200).rev() {
            let at = at(played, 200);
            let class = thresholds.class(&at);
            assert!(before <= class, "the more is lost, the worse it is");
            let low = at.interval().expect("games").low;
            assert!(low <= at.loss());
            assert_eq!(class.is_some(), 0.02 <= low, "{played} of 200: {low}");
            before = class;
        }
        assert_eq!(before, Some(Class::Blunder));
        assert!(
            thresholds.check().is_ok()
                && ChanceThresholds {
                    inaccuracy: 60,
                    ..thresholds
                }
                .check()
                .is_err()
        );
        assert!(
            thresholds.text().starts_with(
                "from 2, 5 and 10 percentage points of the chance to survive 50 moves"
            )
        );
    }
}
